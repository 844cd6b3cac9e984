import Bluetooth

/// What the values of a filter's field are.
enum FilterType: UInt8, Sendable {
  /// It is there or not.
  case none
  /// The bytes of a protocol.
  case `protocol`
  case unsigned, signed, bool, bytes, ether, string
  /// Seconds since 1970, or between two packets, kept in nanoseconds; a number with decimals, kept in billionths.
  case absoluteTime, relativeTime, double
  /// Of a profile's message: each value says itself what it is.
  case dynamic

  /// Values are numbers.
  var isNumber: Bool {
    switch self {
    case .unsigned, .signed, .bool, .absoluteTime, .relativeTime, .double: true
    default: false
    }
  }

  /// Values have bytes that can be cut, searched and matched.
  var hasBytes: Bool {
    switch self {
    case .protocol, .bytes, .ether, .string, .dynamic: true
    default: false
    }
  }
}

/// Which bytes of a packet a field's place is in.
enum FilterLayer: String, CaseIterable, Sendable {
  case acl, sco, iso
  /// Records of the Linux monitor; codes are its opcodes.
  case monitor = "mon"
  case command = "cmd"
  /// Events; codes are event codes, with `s` before them LE Meta subevents.
  case event = "evt"
  case att
  /// The value that an ATT PDU carries; codes are 16-bit UUIDs of attributes.
  case value = "val"
  case smp
  case signaling = "sig"
  case sdp
  case rfcomm = "rfc"
  /// Advertising data structures, wherever they are; codes are their types.
  case advertisingData = "ad"
  /// Any PDU that is taken apart.
  case any
  /// Link Layer packets from their access address on: all, advertising PDUs (codes are their types), data PDUs, control PDUs.
  case linkLayer = "ll"
  case advertising = "adv"
  case data
  case control = "ctl"
  /// What sniffers put before a packet.
  case radio = "rf"
  case nordic
}

/// Values that are computed: what a table cannot say.
enum FilterSpecial: String, CaseIterable, Sendable {
  case frame, number, length, captured, time, epoch, relative, delta, deltaDisplayed, protocols, comment, direction, encapsulation
  case interface, interfaceName, interfaceDescription, never
  case rowName, peerName, value, latency, request, response, adapter
  case bluetooth, anyAddress, source, destination, anyName, sourceName, destinationName
  case h1, h1Direction, h4, h4Type, h4Direction, monitor, monitorAdapter, monitorOpcode, monitorAddress, adapterName, systemNote
  case packetLogger, packetLoggerType
  case command, event, eventStatus
  case acl, aclSource, aclDestination, aclSourceName, aclDestinationName, connectFrame, sco, iso
  case l2cap, l2capLength, l2capChannel, l2capPayload, l2capPSM
  case att, attHandle, attValue, attUUID16, attUUID128, serviceUUID16, serviceUUID128, characteristicUUID16, characteristicUUID128
  case attRequest, attResponse
  case smp, linkLayer, advertisingAddress, crc, crcIncorrect, centralAddress, peripheralAddress
  case radioHeader, radioSignal, nordicHeader, nordicSignal
  case sdp, rfcomm, avdtp, avctp, bnep, hid
  /// A field of a profile's message; the place's names are the profile and the path.
  case message
}

/// One of the places a field's values come from. Plain data that points into immortal memory.
struct FilterPlace: @unchecked Sendable {
  enum Kind: UInt8, Sendable { case special, fixed, named }

  var kind: Kind = .special
  var special: FilterSpecial = .never
  var layer: FilterLayer = .any
  var isBigEndian = false
  /// The PDUs that have it; all where empty.
  var codes = Lent<UInt32>()
  /// Names of the layout's fields.
  var names = Lent<StaticName>()
  /// Offset and number of bytes; -1 for all that follow.
  var offset = 0
  var width = 0
  var mask: UInt64 = .max
  var shift: UInt64 = 0
  /// Only where this byte of the value, masked, is that.
  var condition: (offset: Int, mask: UInt8, value: UInt8)?

  /// A computed value that is nowhere, until something else is said.
  init() {}

  /// The fields of a layout that have one of these names. The names' list is kept as long as the program runs.
  init(_ layer: FilterLayer, _ names: [StaticName]) {
    kind = .named
    self.layer = layer
    let memory = UnsafeMutableBufferPointer<StaticName>.allocate(capacity: names.count)
    _ = unsafe memory.initialize(from: names)
    self.names = unsafe Lent(UnsafeBufferPointer(memory))
  }

  /// It is in PDUs of this code.
  @inline(__always)
  func has(_ code: UInt32) -> Bool {
    if codes.count == 0 { return true }
    for one in codes where one == code { return true }
    return false
  }
}

/// A field that filters know.
struct FilterField: @unchecked Sendable {
  /// Its name, as Wireshark has it.
  var name: StaticName = .empty
  var type: FilterType = .none
  /// Number of bytes of an integer.
  var width = 0
  /// Names of its values.
  var enumeration: StaticName = .empty
  var isFrame = false
  var isHexadecimal = false
  var places: [FilterPlace] = []
  /// The heading it stands under.
  var group: StaticName = .empty

  /// The type's name in lists.
  var typeName: String {
    switch type {
    case .none: "label"
    case .protocol: "protocol"
    case .unsigned: isFrame ? "frame number" : "unsigned, \(width == 1 ? "1 byte" : "\(width) bytes")"
    case .signed: "signed, \(width == 1 ? "1 byte" : "\(width) bytes")"
    case .bool: "boolean"
    case .bytes: "bytes"
    case .ether: "address"
    case .string: "text"
    case .absoluteTime: "date and time"
    case .relativeTime: "seconds"
    case .double: "milliseconds"
    case .dynamic: "as the profile says"
    }
  }
}

/// The fields that filters know: a table of facts. Below a heading, each line is a name of Wireshark's, its type and where its values are:
///
///     bthci_evt.status u8{status} evt.status
///
/// Types: `u8` to `u64` (`x8` where it is shown in hexadecimal), `i8` to `i32` (`be` behind them turns the bytes round), `bool`, `bytes`, `ether`, `string`, `frame` (a frame number),
/// `abstime`, `reltime`, `double`, `protocol`, `none`. In braces an enumeration of the layouts: values can be written by name.
/// Places: `layer/codes[offset:width]&mask` is an integer (or bytes, `*` to the end) at a fixed offset of the PDU;
/// `layer/codes.name|name&mask` are the layout's fields of these names; `val/uuid?mask=value[…]` only where the value's first byte, masked, is
/// that; `=word` is computed. Several places may follow each other. Masked bits are moved down, unless the mask starts with `=`.
enum FilterFields {
  /// All fields, in the order of the table.
  static let all: [FilterField] = parse(text)
  /// Index of a field by its name.
  static let byName: [String: Int] = Dictionary(uniqueKeysWithValues: all.enumerated().map { ($1.name.description, $0) })
  /// Lines of the table that are wrong: none, as a test sees to.
  static var problems: [String] {
    var problems: [String] = []
    _ = parse(text, problems: &problems)
    return problems
  }

  private static func parse(_ text: StaticString) -> [FilterField] {
    var problems: [String] = []
    return parse(text, problems: &problems)
  }

  private static func parse(_ text: StaticString, problems: inout [String]) -> [FilterField] {
    var fields: [FilterField] = []
    var group: StaticName = .empty
    let whole = StaticName(text)
    for line in split(whole, UInt8(ascii: "\n")) {
      if line.isEmpty { continue }
      if unsafe line.utf8.first == UInt8(ascii: "#") {
        group = line.from(2)
        continue
      }
      let words = split(line, UInt8(ascii: " "))
      var field = FilterField()
      field.group = group
      field.name = words[0]
      var isRight = words.count > 2 && type(words[1], &field)
      var isBigEndian = false
      if words.count > 1, words[1].ends(with: "be") { isBigEndian = true }
      for word in words.dropFirst(2) {
        guard var place = place(word) else {
          isRight = false
          continue
        }
        place.isBigEndian = isBigEndian
        field.places.append(place)
      }
      if isRight { fields.append(field) } else { problems.append(line.description) }
    }
    return fields
  }

  private static func split(_ text: StaticName, _ separator: UInt8) -> [StaticName] {
    var parts: [StaticName] = []
    var start = 0
    for index in 0...text.count where unsafe index == text.count || text.start[index] == separator {
      unsafe parts.append(StaticName(start: text.start + start, count: index - start))
      start = index + 1
    }
    return parts
  }

  private static func type(_ word: StaticName, _ field: inout FilterField) -> Bool {
    let parts = split(word, UInt8(ascii: "{"))
    if parts.count == 2 { field.enumeration = unsafe StaticName(start: parts[1].start, count: max(0, parts[1].count - 1)) }
    let name = parts[0].description
    switch name {
    case "none": field.type = .none
    case "protocol": field.type = .protocol
    case "bool": (field.type, field.width) = (.bool, 1)
    case "bytes": field.type = .bytes
    case "ether": (field.type, field.width) = (.ether, 6)
    case "string": field.type = .string
    case "abstime": field.type = .absoluteTime
    case "reltime": field.type = .relativeTime
    case "double": field.type = .double
    case "frame": (field.type, field.width, field.isFrame) = (.unsigned, 4, true)
    default:
      guard let first = name.first, let bits = Int(name.dropFirst().prefix { $0.isNumber }), bits % 8 == 0 else { return false }
      field.type = first == "i" ? .signed : .unsigned
      field.width = bits / 8
      field.isHexadecimal = first == "x"
      return first == "i" || first == "u" || first == "x"
    }
    return true
  }

  private static func place(_ word: StaticName) -> FilterPlace? {
    var place = FilterPlace()
    if unsafe word.utf8.first == UInt8(ascii: "=") {
      guard let special = FilterSpecial(rawValue: word.from(1).description) else { return nil }
      place.special = special
      return place
    }
    var rest = word
    if let at = rest.index(of: "&") {
      var mask = rest.from(at + 1)
      rest = rest.until(at)
      let keepsPlace = unsafe mask.utf8.first == UInt8(ascii: "=")
      if keepsPlace { mask = mask.from(1) }
      guard let value = UInt64(mask.description, radix: 16), value != 0 else { return nil }
      place.mask = value
      place.shift = keepsPlace ? 0 : UInt64(value.trailingZeroBitCount)
    }
    if let at = rest.index(of: "[") {
      let parts = split(rest.from(at + 1).until(rest.count - at - 2), UInt8(ascii: ":"))
      guard parts.count == 2, let offset = Int(parts[0].description) else { return nil }
      place.kind = .fixed
      place.offset = offset
      place.width = parts[1] == "*" ? -1 : Int(parts[1].description) ?? 0
      if place.width == 0 { return nil }
      rest = rest.until(at)
    } else if let at = rest.index(of: ".") {
      place.kind = .named
      place.names = immortal(split(rest.from(at + 1), UInt8(ascii: "|")))
      rest = rest.until(at)
    } else {
      return nil
    }
    if let at = rest.index(of: "?") {
      let parts = split(rest.from(at + 1), UInt8(ascii: "="))
      guard parts.count == 2, let mask = UInt8(parts[0].description, radix: 16), let value = UInt8(parts[1].description, radix: 16) else {
        return nil
      }
      place.condition = (0, mask, value)
      rest = rest.until(at)
    }
    if let at = rest.index(of: "/") {
      var codes: [UInt32] = []
      for code in split(rest.from(at + 1), UInt8(ascii: ",")) {
        let isSubevent = unsafe code.utf8.first == UInt8(ascii: "s")
        guard let value = UInt32((isSubevent ? code.from(1) : code).description, radix: 16) else { return nil }
        codes.append(isSubevent ? 0x3E00 | value : value)
      }
      place.codes = immortal(codes)
      rest = rest.until(at)
    }
    guard let layer = FilterLayer(rawValue: rest.description) else { return nil }
    place.layer = layer
    return place
  }

  private static func immortal<Element>(_ elements: [Element]) -> Lent<Element> {
    let memory = UnsafeMutableBufferPointer<Element>.allocate(capacity: elements.count)
    _ = unsafe memory.initialize(from: elements)
    return unsafe Lent(UnsafeBufferPointer(memory))
  }

  static let text: StaticString = """
    # The captured packet
    frame protocol =frame
    frame.number u32 =number
    frame.len u32 =length
    frame.cap_len u32 =captured
    frame.time abstime =time
    frame.time_epoch reltime =epoch
    frame.time_relative reltime =relative
    frame.time_delta reltime =delta
    frame.time_delta_displayed reltime =deltaDisplayed
    frame.protocols string =protocols
    frame.comment string =comment
    frame.p2p_dir i8 =direction
    frame.encap_type i16 =encapsulation
    frame.interface_id u32 =interface
    frame.interface_name string =interfaceName
    frame.interface_description string =interfaceDescription
    frame.marked bool =never
    frame.ignored bool =never
    # What btscribe knows of it, for which Wireshark has no name
    btscribe.name string =rowName
    btscribe.peer_name string =peerName
    btscribe.value bytes =value
    btscribe.latency reltime =latency
    btscribe.request_in_frame u32 =request
    btscribe.response_in_frame u32 =response
    btscribe.adapter u16 =adapter
    # Any of the devices that a packet names
    bluetooth protocol =bluetooth
    bluetooth.addr ether =anyAddress
    bluetooth.src ether =source
    bluetooth.dst ether =destination
    bluetooth.addr_str string =anyName
    bluetooth.src_str string =sourceName
    bluetooth.dst_str string =destinationName
    # Transports
    hci_h1 protocol =h1
    hci_h1.direction i8 =h1Direction
    hci_h4 protocol =h4
    hci_h4.type x8 =h4Type
    hci_h4.direction x8 =h4Direction
    hci_mon protocol =monitor
    hci_mon.adapter_id u16 =monitorAdapter
    hci_mon.opcode u16 =monitorOpcode mon/10[4:2]
    hci_mon.cookie x32 mon/e,f,10,11[0:4]
    hci_mon.event x16 mon/11[4:2]
    hci_mon.type x8 mon/0[1:1]
    hci_mon.bus x8 mon/0[0:1]
    hci_mon.bd_addr ether =monitorAddress
    hci_mon.adapter_name string =adapterName
    hci_mon.manufacturer x16 mon/a[6:2]
    hci_mon.system_note string =systemNote
    packetlogger protocol =packetLogger
    packetlogger.type x8 =packetLoggerType
    # HCI commands
    bthci_cmd protocol =command
    bthci_cmd.opcode x16{opcode} cmd[0:2]
    bthci_cmd.opcode.ogf x16 cmd[0:2]&fc00
    bthci_cmd.opcode.ocf x16 cmd[0:2]&03ff
    bthci_cmd.param_length u8 cmd[2:1]
    bthci_cmd.bd_addr ether cmd.bd_addr|peer_address|address|random_address|peer_identity_address|advertiser_address
    bthci_cmd.connection_handle x16 cmd.connection_handle|handle
    bthci_cmd.reason x8{status} cmd.reason
    bthci_cmd.role x8{role} cmd/080b.role
    bthci_cmd.acr.role x8{role} cmd/0409.role
    bthci_cmd.lap x24 cmd.lap
    bthci_cmd.inq_length u8 cmd.inquiry_length
    bthci_cmd.num_responses u8 cmd.num_responses
    bthci_cmd.packet_type x16 cmd/0405,040f.packet_type
    bthci_cmd.sco_packet_type x16 cmd/0428,0429,043d,043e.packet_type
    bthci_cmd.page_scan_repetition_mode x8 cmd.page_scan_repetition_mode
    bthci_cmd.clock_offset x16 cmd.clock_offset
    bthci_cmd.allow_role_switch x8 cmd.allow_role_switch
    bthci_cmd.link_key bytes cmd.link_key
    bthci_cmd.pin_code_length u8 cmd.pin_code_length
    bthci_cmd.pin_code string cmd.pin_code
    bthci_cmd.encryption_enable x8 cmd.encryption_enable
    bthci_cmd.io_capability u8 cmd.io_capability
    bthci_cmd.oob_data_present u8 cmd.oob_data_present
    bthci_cmd.auth_requirements u8 cmd.authentication_requirements
    bthci_cmd.passkey u32 cmd.numeric_value
    bthci_cmd.sniff_max_int u16 cmd.sniff_max_interval
    bthci_cmd.sniff_min_int u16 cmd.sniff_min_interval
    bthci_cmd.sniff_attempt u16 cmd.sniff_attempt
    bthci_cmd.timeout u16 cmd/0803,0c16,0c18,0c28,0c37.sniff_timeout|connection_accept_timeout|page_timeout|flush_timeout|link_supervision_timeout
    bthci_cmd.tx_bandwidth u32 cmd.transmit_bandwidth
    bthci_cmd.rx_bandwidth u32 cmd.receive_bandwidth
    bthci_cmd.retransmission_effort u8 cmd.retransmission_effort
    bthci_cmd.device_name string cmd.local_name
    bthci_cmd.scan_enable x8 cmd.scan_enable
    bthci_cmd.interval u16 cmd/0c1c,0c1e.page_scan_interval|inquiry_scan_interval
    bthci_cmd.window u16 cmd/0c1c,0c1e.page_scan_window|inquiry_scan_window
    bthci_cmd.inq_mode u8 cmd.inquiry_mode
    bthci_cmd.inq_scan_type u8 cmd/0c43,0c47.scan_type|page_scan_type
    bthci_cmd.simple_pairing_mode u8 cmd.simple_pairing_mode
    bthci_cmd.secure_connection_host_support x8 cmd.secure_connections_host_support
    bthci_cmd.le_supported_host x8 cmd.le_supported_host
    bthci_cmd.page_number u8 cmd.page_number
    bthci_cmd.fec_required u8 cmd.fec_required
    bthci_cmd.authenticated_payload_timeout u16 cmd.authenticated_payload_timeout
    bthci_cmd.le_event_mask x64 cmd.le_event_mask
    bthci_cmd.le_scan_enable x8 cmd/200c,2042.le_scan_enable|enable
    bthci_cmd.le_filter_duplicates x8 cmd.filter_duplicates
    bthci_cmd.scan_duration u16 cmd/2042.duration
    bthci_cmd.scan_period u16 cmd/2042.period
    bthci_cmd.le_scan_type x8 cmd/200b,2041.le_scan_type|scan_type
    bthci_cmd.le_scan_interval u16 cmd.le_scan_interval|scan_interval
    bthci_cmd.le_scan_window u16 cmd.le_scan_window|scan_window
    bthci_cmd.le_scan_filter_policy x8 cmd.scanning_filter_policy
    bthci_cmd.le_scan_phys x8 cmd.scanning_phys
    bthci_cmd.le_init_phys x8 cmd.initiating_phys
    bthci_cmd.le_initiator_filter_policy x8 cmd.initiator_filter_policy
    bthci_cmd.le_own_address_type x8 cmd.own_address_type
    bthci_cmd.le_peer_address_type x8 cmd/200d,2043,2036.peer_address_type
    bthci_cmd.le_direct_address_type x8 cmd/2006.peer_address_type
    bthci_cmd.le_address_type x8 cmd/2011,2012.address_type
    bthci_cmd.le_peer_identity_address_type x8 cmd.peer_identity_address_type
    bthci_cmd.le_con_interval_min u16 cmd/200d,2013,2043,2020.connection_interval_min|interval_min
    bthci_cmd.le_con_interval_max u16 cmd/200d,2013,2043,2020.connection_interval_max|interval_max
    bthci_cmd.le_con_latency u16 cmd/200d,2013,2043,2020.max_latency
    bthci_cmd.le_supv_timeout u16 cmd/200d,2013,2043,2020.supervision_timeout|timeout
    bthci_cmd.le_min_ce_length u16 cmd.min_ce_length
    bthci_cmd.le_max_ce_length u16 cmd.max_ce_length
    bthci_cmd.le_advts_enable x8 cmd/200a,2039,2040.advertising_enable|enable
    bthci_cmd.le_advts_interval_min u16 cmd/2006,2036.advertising_interval_min|primary_advertising_interval_min
    bthci_cmd.le_advts_interval_max u16 cmd/2006,2036.advertising_interval_max|primary_advertising_interval_max
    bthci_cmd.le_advts_type x8 cmd.advertising_type
    bthci_cmd.le_advts_filter_policy x8 cmd.advertising_filter_policy
    bthci_cmd.le_data_length u8 cmd/2008,2009,2037,2038,203f.advertising_data_length|scan_response_data_length
    bthci_cmd.advertising_handle x8 cmd.advertising_handle
    bthci_cmd.advertising_properties x16 cmd.advertising_event_properties
    bthci_cmd.advertising_sid x8 cmd.advertising_sid
    bthci_cmd.primary_advertising_phy x8 cmd.primary_advertising_phy
    bthci_cmd.secondary_advertising_phy x8 cmd.secondary_advertising_phy
    bthci_cmd.secondary_advertising_max_skip u8 cmd.secondary_advertising_max_skip
    bthci_cmd.adv_data_operation x8 cmd.operation
    bthci_cmd.adv_fragment_preference x8 cmd.fragment_preference
    bthci_cmd.adv_num_sets u8 cmd.num_sets
    bthci_cmd.adv_duration u16 cmd/2039.duration
    bthci_cmd.max_extended_advertising_events u8 cmd.max_extended_advertising_events
    bthci_cmd.power_level i8 cmd/2036,0c59.advertising_tx_power|tx_power
    bthci_cmd.all_phys x8 cmd.all_phys
    bthci_cmd.tx_phys x8 cmd.tx_phys
    bthci_cmd.rx_phys x8 cmd.rx_phys
    bthci_cmd.phy_options x16 cmd.phy_options
    bthci_cmd.le_tx_octets u16 cmd.tx_octets
    bthci_cmd.le_tx_time u16 cmd.tx_time
    bthci_cmd.le_suggested_max_tx_octets u16 cmd.suggested_max_tx_octets
    bthci_cmd.le_suggested_max_tx_time u16 cmd.suggested_max_tx_time
    bthci_cmd.le_random_number bytes cmd.random_number
    bthci_cmd.le_encrypted_diversifier x16 cmd.encrypted_diversifier
    bthci_cmd.le_long_term_key bytes cmd.long_term_key
    bthci_cmd.le_key bytes cmd/2017.key
    bthci_cmd.le_plaintext bytes cmd.plaintext_data
    bthci_cmd.le_peer_irk bytes cmd.peer_irk
    bthci_cmd.le_local_irk bytes cmd.local_irk
    bthci_cmd.le_privacy_mode x8 cmd.privacy_mode
    bthci_cmd.le_address_resolution_enable x8 cmd.address_resolution_enable
    bthci_cmd.le_rpa_timeout u16 cmd.rpa_timeout
    bthci_cmd.le_channel_map bytes cmd.channel_map
    bthci_cmd.sync_handle x16 cmd.sync_handle
    bthci_cmd.feature_bit_number u8 cmd.bit_number
    bthci_cmd.feature_bit_value x8 cmd.bit_value
    bthci_cmd.cig_id x8 cmd.cig_id
    bthci_cmd.cis_id x8 cmd.cis_id
    bthci_cmd.cis_count u8 cmd.cis_count
    # HCI events
    bthci_evt protocol =event
    bthci_evt.code x8{event} evt[0:1]
    bthci_evt.param_length u8 evt[1:1]
    bthci_evt.le_meta_subevent x8{le-subevent} evt/3e[2:1]
    bthci_evt.num_command_packets u8 evt.num_hci_command_packets
    bthci_evt.opcode x16{opcode} evt/0e,0f.command_opcode
    bthci_evt.opcode.ogf x16 evt/0e,0f.command_opcode&fc00
    bthci_evt.opcode.ocf x16 evt/0e,0f.command_opcode&03ff
    bthci_evt.status x8{status} =eventStatus
    bthci_evt.reason x8{status} evt.reason
    bthci_evt.connection_handle x16 evt.connection_handle|handle
    bthci_evt.bd_addr ether evt.bd_addr|peer_address|address|advertiser_address|scanner_address evt/0e.peer_resolvable_address|local_resolvable_address
    bthci_evt.num_handles u8 evt.num_handles
    bthci_evt.num_compl_packets u16 evt.num_completed_packets
    bthci_evt.role x8 evt.role|new_role
    bthci_evt.link_type x8 evt/03,04,1a.link_type
    bthci_evt.encryption_mode x8 evt/03.encryption_enabled
    bthci_evt.encryption_enable x8 evt/08,59.encryption_enabled
    bthci_evt.enc_key_size i8 evt.encryption_key_size|key_size
    bthci_evt.remote_name string evt.remote_name
    bthci_evt.device_name string evt/0e.local_name
    bthci_evt.lmp_vers_nr x8 evt.lmp_version|version
    bthci_evt.lmp_sub_vers_nr u16 evt.lmp_subversion|subversion
    bthci_evt.hci_vers_nr x16 evt.hci_version|hci_subversion
    bthci_evt.comp_id x16 evt/0c,0e.company_identifier evt/0e.vendor_specific_codec_id&ffff
    bthci_evt.hardware_code x8 evt.hardware_code
    bthci_evt.current_mode x8 evt.current_mode
    bthci_evt.interval u16 evt/14.interval
    bthci_evt.max_slots u8 evt.lmp_max_slots
    bthci_evt.clock_offset x16 evt.clock_offset
    bthci_evt.page_scan_repetition_mode x8 evt.page_scan_repetition_mode
    bthci_evt.packet_type x16 evt.packet_type
    bthci_evt.page_number u8 evt.page_number
    bthci_evt.max_page_number u8 evt.max_page_number
    bthci_evt.num_responses u8 evt/02,22,2f.num_responses
    bthci_evt.link_key bytes evt.link_key
    bthci_evt.key_type x8 evt.key_type
    bthci_evt.io_capability x8 evt.io_capability
    bthci_evt.oob_data_present u8 evt.oob_data_present
    bthci_evt.auth_requirements u8 evt.authentication_requirements
    bthci_evt.numeric_value u32 evt.numeric_value
    bthci_evt.passkey u32 evt.passkey
    bthci_evt.notification_type u8 evt.notification_type
    bthci_evt.link_supervision_timeout u16 evt.link_supervision_timeout
    bthci_evt.sync_link_type x8 evt/2c.link_type
    bthci_evt.sync_tx_interval u8 evt.transmission_interval
    bthci_evt.sync_rtx_window u8 evt.retransmission_window
    bthci_evt.sync_rx_pkt_len u16 evt.rx_packet_length
    bthci_evt.sync_tx_pkt_len u16 evt.tx_packet_length
    bthci_evt.air_mode u8 evt.air_mode
    bthci_evt.scan_enable x8 evt.scan_enable
    bthci_evt.timeout u16 evt/0e.page_timeout|connection_accept_timeout|flush_timeout
    bthci_evt.inq_mode u8 evt.inquiry_mode
    bthci_evt.local_supported_cmds bytes evt.supported_commands
    bthci_evt.max_data_length_acl u16 evt.acl_data_packet_length
    bthci_evt.max_data_length_sco u8 evt.synchronous_data_packet_length
    bthci_evt.max_data_num_acl u16 evt.total_num_acl_data_packets
    bthci_evt.max_data_num_sco u16 evt.total_num_synchronous_data_packets
    bthci_evt.le_acl_data_pkt_len u16 evt.le_acl_data_packet_length
    bthci_evt.le_total_num_acl_data_pkts u8 evt.total_num_le_acl_data_packets
    bthci_evt.iso_data_pkt_len u16 evt.iso_data_packet_length
    bthci_evt.total_num_iso_data_pkts u8 evt.total_num_iso_data_packets
    bthci_evt.le_white_list_size u8 evt.filter_accept_list_size
    bthci_evt.resolving_list_size u8 evt.resolving_list_size
    bthci_evt.le_periodic_adv_list_size u8 evt.periodic_advertiser_list_size
    bthci_evt.max_adv_data_length u16 evt.max_advertising_data_length
    bthci_evt.num_supported_adv_sets u8 evt.num_supported_advertising_sets
    bthci_evt.min_tx_power i8 evt.min_tx_power
    bthci_evt.max_tx_power i8 evt.max_tx_power
    bthci_evt.transmit_power_level i8 evt.tx_power_level|selected_tx_power
    bthci_evt.suggested_max_tx_octets u16 evt/0e.suggested_max_tx_octets|supported_max_tx_octets
    bthci_evt.suggested_max_tx_time u16 evt/0e.suggested_max_tx_time|supported_max_tx_time
    bthci_evt.suggested_max_rx_octets u16 evt/0e.supported_max_rx_octets
    bthci_evt.suggested_max_rx_time u16 evt/0e.supported_max_rx_time
    bthci_evt.le_features x64 evt.le_features
    bthci_evt.le_random_number bytes evt.random_number
    bthci_evt.le_encrypted_diversifier x16 evt.encrypted_diversifier
    bthci_evt.le_encrypted_data bytes evt.encrypted_data
    bthci_evt.le_num_reports u8 evt.num_reports
    bthci_evt.le_advts_event_type x8 evt/s02,s0b.event_type
    bthci_evt.le_ext_advts_event_type x16 evt/s0d.event_type
    bthci_evt.le_ext_advts_event_type.connectable bool evt/s0d.connectable
    bthci_evt.le_ext_advts_event_type.scannable bool evt/s0d.scannable
    bthci_evt.le_ext_advts_event_type.directed bool evt/s0d.directed
    bthci_evt.le_ext_advts_event_type.scan_response bool evt/s0d.scan_response
    bthci_evt.le_ext_advts_event_type.legacy bool evt/s0d.legacy
    bthci_evt.le_ext_advts_event_type.data_status x16 evt/s0d.data_status
    bthci_evt.le_peer_address_type x8 evt.peer_address_type|address_type
    bthci_evt.le_direct_address_type x8 evt.direct_address_type
    bthci_evt.direct_bd_addr ether evt.direct_address
    bthci_evt.data_length u8 evt.data_length
    bthci_evt.rssi i8 evt.rssi
    bthci_evt.tx_power i8 evt/s0d,s0f.tx_power
    bthci_evt.primary_phy x8 evt.primary_phy
    bthci_evt.secondary_phy x8 evt.secondary_phy
    bthci_evt.advertising_sid x8 evt.advertising_sid
    bthci_evt.periodic_advertising_interval x16 evt.periodic_advertising_interval
    bthci_evt.le_con_interval u16 evt.connection_interval
    bthci_evt.le_con_latency u16 evt.peripheral_latency
    bthci_evt.le_supv_timeout u16 evt.supervision_timeout
    bthci_evt.le_master_clock_accuracy x8 evt.central_clock_accuracy
    bthci_evt.le_min_interval u16 evt/s06.interval_min
    bthci_evt.le_max_interval u16 evt/s06.interval_max
    bthci_evt.le_local_rpa ether evt.local_resolvable_private_address
    bthci_evt.le_peer_rpa ether evt.peer_resolvable_private_address
    bthci_evt.max_tx_octets u16 evt/s07.max_tx_octets
    bthci_evt.max_tx_time u16 evt/s07.max_tx_time
    bthci_evt.max_rx_octets u16 evt/s07.max_rx_octets
    bthci_evt.max_rx_time u16 evt/s07.max_rx_time
    bthci_evt.le_tx_phy x8 evt/s0c,0e.tx_phy
    bthci_evt.le_rx_phy x8 evt/s0c,0e.rx_phy
    bthci_evt.channel_selection_algorithm x8 evt.channel_selection_algorithm
    bthci_evt.adv_handle x8 evt/s12,s13.advertising_handle
    bthci_evt.num_compl_ext_adv_events u8 evt.num_completed_extended_advertising_events
    bthci_evt.sync_handle x16 evt.sync_handle
    # HCI data
    bthci_acl protocol =acl
    bthci_acl.chandle x16 acl[0:2]&0fff
    bthci_acl.pb_flag u16 acl[0:2]&3000
    bthci_acl.bc_flag u16 acl[0:2]&c000
    bthci_acl.length u16 acl[2:2]
    bthci_acl.src.bd_addr ether =aclSource
    bthci_acl.dst.bd_addr ether =aclDestination
    bthci_acl.src.name string =aclSourceName
    bthci_acl.dst.name string =aclDestinationName
    bthci_acl.connect_in frame =connectFrame
    bthci_sco protocol =sco
    bthci_sco.chandle x16 sco[0:2]&0fff
    bthci_sco.packet_status x16 sco[0:2]&3000
    bthci_sco.length u8 sco[2:1]
    bthci_iso protocol =iso
    bthci_iso.chandle x16 iso[0:2]&0fff
    bthci_iso.pb_flag x16 iso[0:2]&3000
    bthci_iso.ts_flag bool iso[0:2]&4000
    bthci_iso.data_length u16 iso[2:2]&3fff
    # L2CAP
    btl2cap protocol =l2cap
    btl2cap.length u16 =l2capLength
    btl2cap.cid x16 =l2capChannel
    btl2cap.payload bytes =l2capPayload
    btl2cap.psm x16{psm} =l2capPSM
    btl2cap.le_psm x16{psm} sig.spsm
    btl2cap.command none sig[0:1]
    btl2cap.cmd_code x8{signaling} sig[0:1]
    btl2cap.cmd_ident x8 sig[1:1]
    btl2cap.cmd_length u16 sig[2:2]
    btl2cap.scid x16 sig.source_cid
    btl2cap.dcid x16 sig.destination_cid
    btl2cap.result x16 sig/03,0d.result
    btl2cap.status x16 sig/03,0d.status
    btl2cap.conf_result x16 sig/05.result
    btl2cap.info_type x16 sig.info_type
    btl2cap.info_result x16 sig/0b.result
    btl2cap.move_result x16 sig/0f,10,13.result
    btl2cap.le_result x16 sig/15,18.result
    btl2cap.rej_reason x16 sig/01.reason
    btl2cap.option_type x8 sig/04,05.type
    btl2cap.option_length u8 sig/04,05.length
    btl2cap.option_mtu u16 sig/04,05,14,15,17,18.mtu
    btl2cap.option_flushto u16 sig/04,05.flush_timeout
    btl2cap.option_fcs x16 sig/04,05.fcs_type
    btl2cap.retransmissionmode x8 sig/04,05.mode
    btl2cap.txwindow u8 sig/04,05.txwindow_size
    btl2cap.maxtransmit u8 sig/04,05.max_transmit
    btl2cap.retransmittimeout u16 sig/04,05.retransmission_timeout
    btl2cap.monitortimeout u16 sig/04,05.monitor_timeout
    btl2cap.mps u16 sig.maximum_pdu_size|mps
    btl2cap.flags.continuation bool sig/04,05.continuation
    btl2cap.info_mtu u16 sig.connectionless_mtu
    btl2cap.min_interval u16 sig/12.interval_min
    btl2cap.max_interval u16 sig/12.interval_max
    btl2cap.slave_latency u16 sig/12.latency
    btl2cap.timeout_multiplier u16 sig/12.timeout
    btl2cap.initial_credits u16 sig.initial_credits
    btl2cap.credits u16 sig.credits
    # Attribute Protocol
    btatt protocol =att
    btatt.opcode x8{att-opcode} att[0:1]
    btatt.opcode.authentication_signature bool att[0:1]&80 att/01[1:1]&80
    btatt.opcode.command bool att[0:1]&40 att/01[1:1]&40
    btatt.opcode.method x8{att-opcode} att[0:1]&3f att/01[1:1]&3f
    btatt.handle x16 =attHandle
    btatt.value bytes =attValue
    btatt.starting_handle x16 att.starting_handle
    btatt.ending_handle x16 att.ending_handle
    btatt.group_end_handle x16 att.end_group_handle|group_end_handle
    btatt.req_opcode_in_error x8{att-opcode} att/01[1:1]
    btatt.error_code x8{att-error} att/01[4:1]
    btatt.client_rx_mtu u16 att/02[1:2]
    btatt.server_rx_mtu u16 att/03[1:2]
    btatt.uuid_format x8 att/05[1:1]
    btatt.length u8 att/09,11[1:1]
    btatt.offset u16 att/0c,16,17[3:2]
    btatt.flags x8 att/18[1:1]
    btatt.uuid16 x16 =attUUID16
    btatt.uuid128 bytes =attUUID128
    btatt.service_uuid16 x16 =serviceUUID16
    btatt.service_uuid128 bytes =serviceUUID128
    btatt.characteristic_uuid16 x16 =characteristicUUID16
    btatt.characteristic_uuid128 bytes =characteristicUUID128
    btatt.request_in_frame frame =attRequest
    btatt.response_in_frame frame =attResponse
    btatt.attribute_data none att/09,11.attribute_data_list
    btatt.information_data none att/05.information_data
    btatt.handles_info none att/07.handles_information_list
    btatt.characteristic_properties x8 att/09.characteristic_properties
    btatt.characteristic_properties.broadcast bool att/09.characteristic_properties&01
    btatt.characteristic_properties.read bool att/09.characteristic_properties&02
    btatt.characteristic_properties.write_without_response bool att/09.characteristic_properties&04
    btatt.characteristic_properties.write bool att/09.characteristic_properties&08
    btatt.characteristic_properties.notify bool att/09.characteristic_properties&10
    btatt.characteristic_properties.indicate bool att/09.characteristic_properties&20
    btatt.characteristic_properties.authenticated_signed_writes bool att/09.characteristic_properties&40
    btatt.characteristic_properties.extended_properties bool att/09.characteristic_properties&80
    btatt.characteristic_configuration_client x16 val/2902[0:2]
    btatt.characteristic_configuration_client.notification bool val/2902[0:2]&0001
    btatt.characteristic_configuration_client.indication bool val/2902[0:2]&0002
    btatt.characteristic_user_description string val/2901[0:*]
    btatt.device_name string val/2a00[0:*]
    btatt.appearance x16 val/2a01[0:2]
    btatt.minimum_connection_interval u16 val/2a04[0:2]
    btatt.maximum_connection_interval u16 val/2a04[2:2]
    btatt.slave_latency u16 val/2a04[4:2]
    btatt.connection_supervision_timeout_multiplier u16 val/2a04[6:2]
    btatt.alert_level x8 val/2a06[0:1]
    btatt.tx_power_level i8 val/2a07[0:1]
    btatt.battery_level u8 val/2a19[0:1]
    btatt.model_number_string string val/2a24[0:*]
    btatt.serial_number_string string val/2a25[0:*]
    btatt.firmware_revision_string string val/2a26[0:*]
    btatt.hardware_revision_string string val/2a27[0:*]
    btatt.software_revision_string string val/2a28[0:*]
    btatt.manufacturer_string string val/2a29[0:*]
    btatt.body_sensor_location x8 val/2a38[0:1]
    btatt.heart_rate_control_point x8 val/2a39[0:1]
    btatt.heart_rate_measurement.flags x8 val/2a37[0:1]
    btatt.heart_rate_measurement.value.8 u8 val/2a37?01=0[1:1]
    btatt.heart_rate_measurement.value.16 u16 val/2a37?01=1[1:2]
    btatt.pnp_id.vendor_id_source x16 val/2a50[0:1]
    btatt.pnp_id.vendor_id x16 val/2a50[1:2]
    btatt.pnp_id.product_id x16 val/2a50[3:2]
    btatt.pnp_id.product_version x16 val/2a50[5:2]
    # Security Manager
    btsmp protocol =smp
    btsmp.opcode x8{smp} smp[0:1]
    btsmp.reason x8{smp-reason} smp/05[1:1]
    btsmp.io_capability x8{io-capability} smp/01,02[1:1]
    btsmp.oob_data_flags x8 smp/01,02[2:1]
    btsmp.authreq x8 smp/01,02[3:1] smp/0b[1:1]
    btsmp.bonding_flags x8 smp.bonding_flags
    btsmp.mitm_flag bool smp.mitm
    btsmp.sc_flag bool smp.sc
    btsmp.keypress_flag bool smp.keypress
    btsmp.max_enc_key_size u8 smp/01,02[4:1]
    btsmp.initiator_key_distribution x8 smp/01,02[5:1]
    btsmp.responder_key_distribution x8 smp/01,02[6:1]
    btsmp.key_dist_enc bool smp.initiator_key_distribution|responder_key_distribution&01
    btsmp.key_dist_id bool smp.initiator_key_distribution|responder_key_distribution&02
    btsmp.key_dist_sign bool smp.initiator_key_distribution|responder_key_distribution&04
    btsmp.key_dist_linkkey bool smp.initiator_key_distribution|responder_key_distribution&08
    btsmp.cfm_value bytes smp.confirm_value
    btsmp.random_value bytes smp.random_value|rand
    btsmp.long_term_key bytes smp.long_term_key
    btsmp.ediv x16 smp.ediv
    btsmp.id_resolving_key bytes smp.identity_resolving_key
    btsmp.signature_key bytes smp.signature_key
    btsmp.address_type x8 smp.addr_type
    btsmp.bd_addr ether smp.bd_addr
    btsmp.public_key_x bytes smp.public_key_x
    btsmp.public_key_y bytes smp.public_key_y
    btsmp.dhkey_check bytes smp.dhkey_check
    btsmp.notification_type x8 smp/0e[1:1]
    # Advertising data and device classes, in events, commands and on the air
    btcommon.eir_ad.entry none ad.length
    btcommon.eir_ad.entry.length u8 ad.length
    btcommon.eir_ad.entry.type x8{ad-type} ad.type
    btcommon.eir_ad.entry.data bytes ad.data
    btcommon.eir_ad.entry.service_data bytes ad/16,20,21.service_data
    btcommon.eir_ad.entry.device_name string ad.local_name
    btcommon.eir_ad.entry.company_id x16 ad/ff.company_identifier
    btcommon.eir_ad.entry.uuid_16 x16 ad/02,03,14,16.service_uuids|service_uuid
    btcommon.eir_ad.entry.custom_uuid_32 x32 ad/04,05,1f,20.service_uuids|service_uuid
    btcommon.eir_ad.entry.custom_uuid_128 bytes ad/06,07,15,21.service_uuids|service_uuid
    btcommon.eir_ad.entry.power_level i8 ad.tx_power_level
    btcommon.eir_ad.entry.appearance x16 ad.appearance
    btcommon.eir_ad.entry.advertising_interval u16 ad.advertising_interval
    btcommon.eir_ad.entry.connection_interval_min u16 ad.connection_interval_min
    btcommon.eir_ad.entry.connection_interval_max u16 ad.connection_interval_max
    btcommon.eir_ad.entry.bd_addr ether ad.target_addresses|le_bluetooth_device_address
    btcommon.eir_ad.entry.le_role x8 ad.le_role
    btcommon.eir_ad.entry.uri string ad.uri
    btcommon.eir_ad.entry.flags.le_limited_discoverable_mode x8 ad/01.flags&01
    btcommon.eir_ad.entry.flags.le_general_discoverable_mode x8 ad/01.flags&02
    btcommon.eir_ad.entry.flags.bredr_not_supported x8 ad/01.flags&04
    btcommon.eir_ad.entry.flags.le_bredr_support_controller x8 ad/01.flags&08
    btcommon.eir_ad.entry.flags.le_bredr_support_host x8 ad/01.flags&10
    btcommon.cod.class_of_device x24 any.class_of_device
    btcommon.cod.major_device_class x16 any.class_of_device&001f00
    # Link Layer
    btle protocol =linkLayer
    btle.access_address x32 ll[0:4]
    btle.length u8 adv[5:1] data[5:1]
    btle.advertising_header x16 adv[4:2]
    btle.advertising_header.pdu_type x8 adv[4:1]&0f
    btle.advertising_header.ch_sel bool adv/0,1,5[4:1]&20
    btle.advertising_header.randomized_tx bool adv[4:1]&40
    btle.advertising_header.randomized_rx bool adv/1,3,5[4:1]&80
    btle.advertising_header.length u8 adv[5:1]
    btle.advertising_address ether =advertisingAddress
    btle.scanning_address ether adv/3[6:6]
    btle.initiator_address ether adv/5[6:6]
    btle.target_address ether adv/1[12:6]
    btle.link_layer_data.access_address x32 adv/5[18:4]
    btle.link_layer_data.crc_init x24 adv/5[22:3]
    btle.link_layer_data.window_size u8 adv/5[25:1]
    btle.link_layer_data.window_offset u16 adv/5[26:2]
    btle.link_layer_data.interval u16 adv/5[28:2]
    btle.link_layer_data.latency u16 adv/5[30:2]
    btle.link_layer_data.timeout u16 adv/5[32:2]
    btle.link_layer_data.channel_map bytes adv/5[34:5]
    btle.link_layer_data.hop u8 adv/5[39:1]&1f
    btle.link_layer_data.sleep_clock_accuracy u8 adv/5[39:1]&e0
    btle.extended_advertising_header.length u8 adv/7[6:1]&3f
    btle.extended_advertising_header.mode x8 adv/7[6:1]&c0
    btle.data_header none data[4:2]
    btle.data_header.llid x8 data[4:1]&03
    btle.data_header.next_expected_sequence_number u8 data[4:1]&04
    btle.data_header.sequence_number u8 data[4:1]&08
    btle.data_header.more_data bool data[4:1]&10
    btle.data_header.cte_info_present bool data[4:1]&20
    btle.data_header.length u8 data[5:1]
    btle.control_opcode x8{ll-control} ctl[6:1]
    btle.control.instant u16 ctl.instant
    btle.control.interval u16 ctl.interval
    btle.control.error_code x8 ctl.error_code
    btle.control.version_number x8 ctl.vers_nr|version|version_number
    btle.control.company_id x16 ctl.company_identifier|comp_id
    btle.control.feature_set x64 ctl.feature_set
    btle.control.max_rx_octets u16 ctl.max_rx_octets
    btle.control.max_rx_time u16 ctl.max_rx_time
    btle.control.max_tx_octets u16 ctl.max_tx_octets
    btle.control.max_tx_time u16 ctl.max_tx_time
    btle.control.tx_phys x8 ctl.tx_phys
    btle.control.rx_phys x8 ctl.rx_phys
    btle.crc x24 =crc
    btle.crc.incorrect none =crcIncorrect
    btle.master_bd_addr ether =centralAddress
    btle.slave_bd_addr ether =peripheralAddress
    btle_rf protocol =radioHeader
    btle_rf.channel u8 rf[0:1]
    btle_rf.signal_dbm i8 =radioSignal
    btle_rf.flags x16 rf[8:2]
    btle_rf.flags.crc_checked bool rf[8:2]&0400
    btle_rf.flags.crc_valid bool rf[8:2]&0800
    btle_rf.flags.decrypted bool rf[8:2]&0008
    btle_rf.phy u16 rf[8:2]&c000
    nordic_ble protocol =nordicHeader
    nordic_ble.channel u8 nordic[9:1]
    nordic_ble.rssi i8 =nordicSignal
    nordic_ble.flags x8 nordic[8:1]
    nordic_ble.crcok bool nordic[8:1]&01
    nordic_ble.packet_counter u16 nordic[4:2]
    nordic_ble.event_counter u16 nordic[11:2]
    # Classic protocols on L2CAP
    btsdp protocol =sdp
    btsdp.pdu x8 sdp[0:1]
    btsdp.tid u16be sdp[1:2]
    btsdp.len u16be sdp[3:2]
    btrfcomm protocol =rfcomm
    btrfcomm.dlci x8 rfc[0:1]&fc
    btrfcomm.channel u8 rfc[0:1]&f8
    btrfcomm.cr x8 rfc[0:1]&02
    btrfcomm.frame_type x8 rfc[1:1]&=ef
    btrfcomm.pf x8 rfc[1:1]&10
    btavdtp protocol =avdtp
    btavctp protocol =avctp
    btbnep protocol =bnep
    bthid protocol =hid
    """
}

extension StaticName {
  fileprivate func from(_ at: Int) -> StaticName { unsafe StaticName(start: start + min(at, count), count: max(0, count - at)) }
  fileprivate func until(_ at: Int) -> StaticName { unsafe StaticName(start: start, count: max(0, min(at, count))) }
  fileprivate func index(of byte: Unicode.Scalar) -> Int? { unsafe utf8.firstIndex(of: UInt8(ascii: byte)) }
  fileprivate func ends(with text: StaticName) -> Bool { count >= text.count && from(count - text.count) == text }
}
