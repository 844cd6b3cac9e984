import PacketCodecs

/// The Bluetooth Network Encapsulation Protocol (BNEP 1.0): Ethernet frames and control messages. Numbers and addresses have their most significant
/// byte first.
public enum BNEP: ProtocolDescription {
  static var id: ProtocolID { .bnep }
  static var name: StaticName { "bnep" }
  static var traits: ProtocolTraits { [.carriesInternet] }
  static var tables: [PDUTable] { [packets, controls] }
  static var psms: [AssignedPSM] { [AssignedPSM(0x0F, "BNEP")] }

  /// Types of packets (2.4).
  public enum PacketType: UInt8, CaseIterable, Sendable {
    case generalEthernet, control, compressedEthernet, compressedEthernetSourceOnly, compressedEthernetDestinationOnly

    /// The type in the first byte of a packet, or nil where it is not defined. Its highest bit announces extensions.
    @inlinable
    public init?(header: UInt8) { self.init(rawValue: header & 0x7F) }
  }

  static func name(of pdu: RawSpan, _ context: PDUContext) -> StaticName {
    guard let header = pdu.u8(0), let type = PacketType(header: header) else { return "BNEP" }
    if type == .control { return pdu.u8(1).flatMap { controls.name(UInt32($0)) } ?? "Unknown BNEP Control" }
    return packets.name(UInt32(type.rawValue)) ?? "BNEP"
  }

  static func walk<Visitor: FieldVisitor>(_ pdu: RawSpan, _ context: PDUContext, _ visitor: inout Visitor) {
    let end = pdu.byteCount
    var at = header.walk(pdu, allowsSurplus: true, &visitor)
    guard let first = pdu.u8(0) else { return }
    let type = PacketType(header: first)
    if type == .control {
      at = control(pdu, at..<end, &visitor)
    } else if let layout = packets[UInt32(first & 0x7F)]?.parameters {
      at = layout.walk(pdu, in: at..<end, allowsSurplus: true, &visitor)
    }
    if first & 0x80 != 0 { at = extensions(pdu, at..<end, &visitor) }
    guard at < end else { return }
    if type == .control { return visitor.problem(.surplus(at..<end)) }
    // The Ethernet type ends the header, before any extensions.
    let start: Int? =
      switch type {
      case .generalEthernet: 13
      case .compressedEthernet: 1
      case .compressedEthernetSourceOnly, .compressedEthernetDestinationOnly: 7
      default: nil
      }
    if let start, start &+ 2 <= end,
      IP.walk(pdu, ethertype: UInt16(truncatingIfNeeded: pdu.integer(start, 2, isBigEndian: true)), in: at..<end, &visitor)
    {
      return
    }
    packets.unknown.walk(pdu, in: at..<end, &visitor)
  }

  /// Reports the extensions after a header (2.7), each of which has a bit for whether another follows. Returns the offset after the last.
  private static func extensions<Visitor: FieldVisitor>(_ pdu: RawSpan, _ range: Range<Int>, _ visitor: inout Visitor) -> Int {
    var at = range.lowerBound
    var isLast = false
    visitor.beginArray(extensionsField, at: at)
    while !isLast, let head = pdu.u8(at), let length = pdu.u8(at &+ 1) {
      let start = at
      visitor.beginObject(extensionsField, at: start)
      at = extensionHeader.walk(pdu, in: at..<range.upperBound, allowsSurplus: true, &visitor)
      let stop = min(at &+ Int(length), range.upperBound)
      if head & 0x7F == 0 {
        let read = control(pdu, at..<stop, &visitor)
        if read < stop { visitor.problem(.surplus(read..<stop)) }
      } else if length > 0 {
        packets.unknown.walk(pdu, in: at..<stop, &visitor)
      }
      at = stop
      visitor.endObject(extensionsField, at: start..<stop)
      isLast = head & 0x80 == 0
    }
    visitor.endArray(extensionsField, at: range.lowerBound..<at)
    return at
  }

  /// Reports the fields of a control message (2.6), from its type on. Returns the offset after it.
  private static func control<Visitor: FieldVisitor>(_ pdu: RawSpan, _ range: Range<Int>, _ visitor: inout Visitor) -> Int {
    let at = controlHeader.walk(pdu, in: range, allowsSurplus: true, &visitor)
    guard !range.isEmpty, let type = pdu.u8(range.lowerBound) else { return at }
    return (controls[UInt32(type)]?.parameters ?? controls.unknown).walk(pdu, in: at..<range.upperBound, allowsSurplus: true, &visitor)
  }

  /// Packets by type; their layouts start after the type.
  static let packets = PDUTable(packetText)
  /// Control messages by type; their layouts start after the type.
  static let controls = PDUTable(controlText)
  private static let header = packets.layout("header")
  private static let extensionHeader = packets.layout("extension")
  private static let extensionsField = packets.layout("extensions").fields.first ?? Field()
  private static let controlHeader = controls.layout("header")

  static let packetText: StaticString = """
    @header
      :bits8(bnep_type:7{bnep-type} extension:1)
    @extension
      :bits8(extension_type:7{bnep-extension} extension:1) extension_length:u8
    @extensions
      extensions:b*
    @unknown
      payload:b*

    0x00 General Ethernet
      destination_address:b6 source_address:b6 network_protocol_type:x16be{ethertype}
    0x01 Control
    0x02 Compressed Ethernet
      network_protocol_type:x16be{ethertype}
    0x03 Compressed Ethernet Source Only
      source_address:b6 network_protocol_type:x16be{ethertype}
    0x04 Compressed Ethernet Destination Only
      destination_address:b6 network_protocol_type:x16be{ethertype}
    """

  static let controlText: StaticString = """
    @header
      control_type:x8{bnep-control}
    @unknown
      ?+1(parameters:b*)

    0x00 Control Command Not Understood
      unknown_control_type:x8{bnep-control}
    0x01 Setup Connection Request
      uuid_size:u8 destination_service_uuid:uuidbe(uuid_size) source_service_uuid:uuidbe(uuid_size)
    0x02 Setup Connection Response
      setup_response:x16be{bnep-setup-response}
    0x03 Filter Net Type Set
      list_length:u16be net_types[list_length/4]:(network_type_start:x16be{ethertype} network_type_end:x16be{ethertype})
    0x04 Filter Net Type Response
      net_type_response:x16be{bnep-filter-response}
    0x05 Filter Multi Addr Set
      list_length:u16be addresses[list_length/12]:(multicast_address_start:b6 multicast_address_end:b6)
    0x06 Filter Multi Addr Response
      multi_addr_response:x16be{bnep-filter-response}
    """

  static let enumerationText: StaticString = """
    enum bnep-type
      0 general ethernet
      1 control
      2 compressed ethernet
      3 compressed ethernet source only
      4 compressed ethernet destination only
    enum bnep-extension
      0 control
    enum bnep-control
      0 command not understood
      1 setup connection request
      2 setup connection response
      3 filter net type set
      4 filter net type response
      5 filter multi addr set
      6 filter multi addr response
    enum bnep-setup-response
      0 operation successful
      1 invalid destination service uuid
      2 invalid source service uuid
      3 invalid service uuid size
      4 connection not allowed
    enum bnep-filter-response
      0 operation successful
      1 unsupported request
      2 invalid range
      3 maximum number of filters reached
      4 security reasons
    enum ethertype
      0x0800 ipv4
      0x0806 arp
      0x8100 vlan
      0x86dd ipv6
      0x888e eapol
    """

  static let filterFields: StaticString = """
    btbnep protocol =pdu
    btbnep.bnep_type x8 [0:1]&7f
    btbnep.extension_flag bool .extension
    btbnep.control_type x8 .control_type
    btbnep.extension_type x8 .extension_type
    btbnep.extension_length u16 .extension_length
    btbnep.unknown_control_type x8 .unknown_control_type
    btbnep.uuid_size u8 .uuid_size
    btbnep.destination_service_uuid none .destination_service_uuid
    btbnep.source_service_uuid none .source_service_uuid
    btbnep.setup_connection_response_message x16 .setup_response
    btbnep.filter_net_type_response_message x16 .net_type_response
    btbnep.filter_multi_addr_response_message x16 .multi_addr_response
    btbnep.list_length u16 .list_length
    btbnep.network_type_start x16 .network_type_start
    btbnep.network_type_end x16 .network_type_end
    btbnep.multicast_address_start etherbe .multicast_address_start
    btbnep.multicast_address_end etherbe .multicast_address_end
    btbnep.dst etherbe .destination_address
    btbnep.src etherbe .source_address
    btbnep.addr etherbe .destination_address|source_address
    btbnep.type x16be .network_protocol_type?f8!00[0:2] .network_protocol_type?fe=06[0:2]
    btbnep.lg bool .destination_address|source_address[0:1]&02
    btbnep.ig bool .destination_address|source_address[0:1]&01
    btbnep.len u16be .network_protocol_type?fc=0[0:2] .network_protocol_type?ff=4[0:2] .network_protocol_type?ff=5?80@1=0[0:2] .network_protocol_type?ff=5?c0@1=80[0:2] .network_protocol_type?ff=5?f0@1=c0[0:2] .network_protocol_type?ff=5?f8@1=d0[0:2] .network_protocol_type?ff=5?fc@1=d8[0:2] .network_protocol_type?ff=5?ff@1=dc[0:2]
    btbnep.invalid_lentype x16be .network_protocol_type?ff=5?ff@1=dd[0:2] .network_protocol_type?ff=5?fe@1=de[0:2] .network_protocol_type?ff=5?e0@1=e0[0:2]
    btbnep.invalid_lentype.expert none .network_protocol_type?ff=5?ff@1=dd[0:1] .network_protocol_type?ff=5?fe@1=de[0:1] .network_protocol_type?ff=5?e0@1=e0[0:1]
    btbnep.src.not_group_address none .source_address?01=01[0:1]
    """
}
