import PacketCodecs

/// The Linux kernel's Bluetooth management interface, as recorded by the HCI monitor, and the monitor's own records.
public enum Management {
  /// Reports the fields of a management command record (monitor opcode 16: cookie, opcode, parameters) to `visitor`. Returns the command's row,
  /// or nil where it has none.
  @inlinable
  @discardableResult
  public static func walkCommand<Visitor: FieldVisitor>(_ bytes: RawSpan, in range: Range<Int>? = nil, _ visitor: inout Visitor) -> PDU? {
    let range = (range ?? 0..<bytes.byteCount).clamped(to: 0..<bytes.byteCount)
    let at = commandHeader.walk(bytes, in: range, allowsSurplus: true, &visitor)
    guard range.count >= 6, let opcode = bytes.u16(range.lowerBound &+ 4) else { return nil }
    let pdu = commands[UInt32(opcode)]
    HCI.walkParameters(pdu?.parameters ?? .none, bytes, from: at, length: range.upperBound &- at, to: range.upperBound, &visitor)
    return pdu
  }

  /// Reports the fields of a management event record (monitor opcode 17: cookie, event code, parameters) to `visitor`, for Command Complete also
  /// those of the command's return parameters. Returns the event's row, or nil where it has none.
  @inlinable
  @discardableResult
  public static func walkEvent<Visitor: FieldVisitor>(_ bytes: RawSpan, in range: Range<Int>? = nil, _ visitor: inout Visitor) -> PDU? {
    let range = (range ?? 0..<bytes.byteCount).clamped(to: 0..<bytes.byteCount)
    var at = eventHeader.walk(bytes, in: range, allowsSurplus: true, &visitor)
    guard range.count >= 6, let code = bytes.u16(range.lowerBound &+ 4) else { return nil }
    let pdu = events[UInt32(code)]
    var layout = pdu?.parameters ?? .none
    if code == 1, range.upperBound &- at >= 3, let opcode = bytes.u16(at) {
      at = layout.walk(bytes, in: at..<range.upperBound, allowsSurplus: true, &visitor)
      layout = commands[UInt32(opcode)]?.returnParameters ?? .none
      // A failed command may leave out its return parameters.
      if at == range.upperBound { return pdu }
    }
    HCI.walkParameters(layout, bytes, from: at, length: range.upperBound &- at, to: range.upperBound, &visitor)
    return pdu
  }

  /// Reports the fields of one of the monitor's own records to `visitor`: New Index (0), Index Info (10), System Note (12), User Logging (13),
  /// Ctrl Open (14), Ctrl Close (15). Returns its row, or nil for other opcodes.
  @inlinable
  @discardableResult
  public static func walkRecord<Visitor: FieldVisitor>(
    opcode: UInt16, _ bytes: RawSpan, in range: Range<Int>? = nil, _ visitor: inout Visitor
  ) -> PDU? {
    let pdu = records[UInt32(opcode)]
    pdu?.parameters.walk(bytes, in: range, &visitor)
    return pdu
  }

  /// Commands by code; their layouts start after the code.
  public static let commands = PDUTable(commandText)
  /// Events by code.
  public static let events = PDUTable(eventText)
  /// The monitor's records by opcode.
  public static let records = PDUTable(recordText)
  @usableFromInline static let commandHeader = commands.layout("header")
  @usableFromInline static let eventHeader = events.layout("header")

  static let recordText: StaticString = """
    0x0000 New Index
      type:u8{controller-type} bus:u8{bus} bd_addr:addr name:text8
    0x0001 Delete Index
    0x0002 Command Packet
    0x0003 Event Packet
    0x0004 ACL TX Packet
    0x0005 ACL RX Packet
    0x0006 SCO TX Packet
    0x0007 SCO RX Packet
    0x0008 Open Index
    0x0009 Close Index
    0x000a Index Info
      bd_addr:addr manufacturer:x16{company}
    0x000b Vendor Diag
      data:b*
    0x000c System Note
      text:text*
    0x000d User Logging
      priority:u8{priority} ident_length:u8 ident:text(ident_length) text:text*
    0x000e Ctrl Open
      cookie:x32 format:u16{control-format}
      ?+8(version:u8 revision:u16 flags:x32{control-flags} ident_length:u8 ident:text(ident_length)) ?+1(data:b*)
    0x000f Ctrl Close
      cookie:x32
    0x0010 Ctrl Command
    0x0011 Ctrl Event
    0x0012 ISO TX Packet
    0x0013 ISO RX Packet
    """

  static let commandText: StaticString = """
    @header
      cookie:x32 opcode:x16{mgmt-command}
    @address
      address:uaddr address_type:u8{mgmt-address-type}
    @settings
      current_settings:x32{mgmt-settings}
    @link-key
      @address key_type:u8{key-type} value:b16! pin_length:u8
    @ltk
      @address key_type:u8{mgmt-ltk-type} central:u8 encryption_size:u8 encryption_diversifier:x16 random_number:x64! value:b16!
    @oob
      hash_192:b16! randomizer_192:b16! hash_256:b16! randomizer_256:b16!
    @enable
      enable:u8
    @tlv
      parameters[*]:(parameter_type:x16 value_length:u8 value:b(value_length))
    @patterns
      pattern_count:u8 patterns[pattern_count]:(ad_type:x8{ad-type} offset:u8 length:u8 value:b31)

    0x0001 Read Management Version Information
      = version:u8 revision:u16
    0x0002 Read Management Supported Commands
      = num_of_commands:u16 num_of_events:u16 commands[num_of_commands]:x16{mgmt-command} events[num_of_events]:x16
    0x0003 Read Controller Index List
      = num_controllers:u16 controller_index[num_controllers]:u16
    0x0004 Read Controller Information
      = address:addr bluetooth_version:u8{version} manufacturer:x16{company} supported_settings:x32{mgmt-settings} @settings
      class_of_device:x24 name:text249 short_name:text11
    0x0005 Set Powered
      @enable
      = @settings
    0x0006 Set Discoverable
      discoverable:u8 timeout:u16*s
      = @settings
    0x0007 Set Connectable
      @enable
      = @settings
    0x0008 Set Fast Connectable
      @enable
      = @settings
    0x0009 Set Bondable
      @enable
      = @settings
    0x000a Set Link Security
      @enable
      = @settings
    0x000b Set Secure Simple Pairing
      @enable
      = @settings
    0x000c Set High Speed
      @enable
      = @settings
    0x000d Set Low Energy
      @enable
      = @settings
    0x000e Set Device Class
      major_class:x8 minor_class:x8
      = class_of_device:x24
    0x000f Set Local Name
      name:text249 short_name:text11
      = name:text249 short_name:text11
    0x0010 Add UUID
      uuid:uuid128 svc_hint:x8
      = class_of_device:x24
    0x0011 Remove UUID
      uuid:uuid128
      = class_of_device:x24
    0x0012 Load Link Keys
      debug_keys:u8 key_count:u16 keys[key_count]:(@link-key)
    0x0013 Load Long Term Keys
      key_count:u16 keys[key_count]:(@ltk)
    0x0014 Disconnect
      @address
      = @address
    0x0015 Get Connections
      = connection_count:u16 connections[connection_count]:(@address)
    0x0016 PIN Code Reply
      @address pin_length:u8 pin_code:b16!
      = @address
    0x0017 PIN Code Negative Reply
      @address
      = @address
    0x0018 Set IO Capability
      io_capability:u8{io-capability}
    0x0019 Pair Device
      @address io_capability:u8{io-capability}
      = @address
    0x001a Cancel Pair Device
      @address
      = @address
    0x001b Unpair Device
      @address disconnect:bool
      = @address
    0x001c User Confirmation Reply
      @address
      = @address
    0x001d User Confirmation Negative Reply
      @address
      = @address
    0x001e User Passkey Reply
      @address passkey:u32!
      = @address
    0x001f User Passkey Negative Reply
      @address
      = @address
    0x0020 Read Local Out Of Band Data
      = hash_192:b16! randomizer_192:b16! ?+32(hash_256:b16! randomizer_256:b16!)
    0x0021 Add Remote Out Of Band Data
      @address hash_192:b16! randomizer_192:b16! ?+32(hash_256:b16! randomizer_256:b16!)
      = @address
    0x0022 Remove Remote Out Of Band Data
      @address
      = @address
    0x0023 Start Discovery
      address_type:x8{mgmt-discovery}
      = address_type:x8{mgmt-discovery}
    0x0024 Stop Discovery
      address_type:x8{mgmt-discovery}
      = address_type:x8{mgmt-discovery}
    0x0025 Confirm Name
      @address name_known:bool
      = @address
    0x0026 Block Device
      @address
      = @address
    0x0027 Unblock Device
      @address
      = @address
    0x0028 Set Device ID
      source:x16{id-source} vendor:x16 product:x16 version:x16
    0x0029 Set Advertising
      @enable
      = @settings
    0x002a Set BR/EDR
      @enable
      = @settings
    0x002b Set Static Address
      address:raddr
      = @settings
    0x002c Set Scan Parameters
      interval:u16*0.625ms window:u16*0.625ms
    0x002d Set Secure Connections
      @enable
      = @settings
    0x002e Set Debug Keys
      @enable
      = @settings
    0x002f Set Privacy
      privacy:u8 identity_resolving_key:b16!
      = @settings
    0x0030 Load Identity Resolving Keys
      key_count:u16 keys[key_count]:(@address value:b16!)
    0x0031 Get Connection Information
      @address
      = @address rssi:i8{rssi}*dBm tx_power:i8{no-power}*dBm max_tx_power:i8{no-power}*dBm
    0x0032 Get Clock Information
      @address
      = @address local_clock:u32 piconet_clock:u32 accuracy:u16{clock-error}*0.3125ms
    0x0033 Add Device
      @address action:u8{mgmt-action}
      = @address
    0x0034 Remove Device
      @address
      = @address
    0x0035 Load Connection Parameters
      param_count:u16
      parameters[param_count]:(@address min_connection_interval:u16*1.25ms max_connection_interval:u16*1.25ms connection_latency:u16
        supervision_timeout:u16*10ms)
    0x0036 Read Unconfigured Controller Index List
      = num_controllers:u16 controller_index[num_controllers]:u16
    0x0037 Read Controller Configuration Information
      = manufacturer:x16{company} supported_options:x32{mgmt-options} missing_options:x32{mgmt-options}
    0x0038 Set External Configuration
      configuration:u8
      = missing_options:x32{mgmt-options}
    0x0039 Set Public Address
      address:addr
      = missing_options:x32{mgmt-options}
    0x003a Start Service Discovery
      address_type:x8{mgmt-discovery} rssi_threshold:i8{rssi}*dBm uuid_count:u16 uuids[uuid_count]:uuid128
      = address_type:x8{mgmt-discovery}
    0x003b Read Local Out Of Band Extended Data
      address_type:x8{mgmt-discovery}
      = address_type:x8{mgmt-discovery} eir_data_length:u16 eir_data:ad(eir_data_length)
    0x003c Read Extended Controller Index List
      = num_controllers:u16
      controllers[num_controllers]:(controller_index:u16 controller_type:u8{mgmt-controller-type} controller_bus:u8{bus})
    0x003d Read Advertising Features
      = supported_flags:x32{mgmt-advertising} max_adv_data_length:u8 max_scan_rsp_length:u8 max_instances:u8 num_instances:u8
      instances[num_instances]:u8
    0x003e Add Advertising
      instance:u8 flags:x32{mgmt-advertising} duration:u16*s timeout:u16*s adv_data_length:u8 scan_rsp_length:u8
      adv_data:ad(adv_data_length) scan_rsp:ad(scan_rsp_length)
      = instance:u8
    0x003f Remove Advertising
      instance:u8
      = instance:u8
    0x0040 Get Advertising Size Information
      instance:u8 flags:x32{mgmt-advertising}
      = instance:u8 flags:x32{mgmt-advertising} max_adv_data_length:u8 max_scan_rsp_length:u8
    0x0041 Start Limited Discovery
      address_type:x8{mgmt-discovery}
      = address_type:x8{mgmt-discovery}
    0x0042 Read Extended Controller Information
      = address:addr bluetooth_version:u8{version} manufacturer:x16{company} supported_settings:x32{mgmt-settings} @settings
      eir_data_length:u16 eir_data:ad(eir_data_length)
    0x0043 Set Appearance
      appearance:x16{appearance}
    0x0044 Get PHY Configuration
      = supported_phys:x32{mgmt-phys} configurable_phys:x32{mgmt-phys} selected_phys:x32{mgmt-phys}
    0x0045 Set PHY Configuration
      selected_phys:x32{mgmt-phys}
    0x0046 Set Blocked Keys
      key_count:u16 keys[key_count]:(key_type:u8 value:b16!)
    0x0047 Set Wideband Speech
      @enable
      = @settings
    0x0048 Read Controller Capabilities
      = capabilities_length:u16 capabilities:b(capabilities_length)
    0x0049 Read Experimental Features Information
      = feature_count:u16 features[feature_count]:(uuid:uuid128 flags:x32)
    0x004a Set Experimental Feature
      uuid:uuid128 action:u8
      = uuid:uuid128 flags:x32
    0x004b Read Default System Configuration
      = @tlv
    0x004c Set Default System Configuration
      @tlv
    0x004d Read Default Runtime Configuration
      = @tlv
    0x004e Set Default Runtime Configuration
      @tlv
    0x004f Get Device Flags
      @address
      = @address supported_flags:x32{mgmt-device-flags} current_flags:x32{mgmt-device-flags}
    0x0050 Set Device Flags
      @address current_flags:x32{mgmt-device-flags}
      = @address
    0x0051 Read Advertisement Monitor Features
      = supported_features:x32 enabled_features:x32 max_num_handles:u16 max_num_patterns:u8 num_handles:u16
      handles[num_handles]:u16
    0x0052 Add Advertisement Patterns Monitor
      @patterns
      = monitor_handle:u16
    0x0053 Remove Advertisement Monitor
      monitor_handle:u16
      = monitor_handle:u16
    0x0054 Add Extended Advertising Parameters
      instance:u8 flags:x32{mgmt-advertising} duration:u16*s timeout:u16*s min_interval:u32*0.625ms max_interval:u32*0.625ms
      tx_power:i8{no-power}*dBm
      = instance:u8 tx_power:i8{no-power}*dBm max_adv_data_length:u8 max_scan_rsp_length:u8
    0x0055 Add Extended Advertising Data
      instance:u8 adv_data_length:u8 scan_rsp_length:u8 adv_data:ad(adv_data_length) scan_rsp:ad(scan_rsp_length)
      = instance:u8
    0x0056 Add Advertisement Patterns Monitor With RSSI Threshold
      high_threshold:i8*dBm high_threshold_timeout:u16*s low_threshold:i8*dBm low_threshold_timeout:u16*s sampling_period:u8 @patterns
      = monitor_handle:u16
    0x0057 Set Mesh Receiver
      enable:u8 window:u16 period:u16 num_ad_types:u8 ad_types[num_ad_types]:x8{ad-type}
    0x0058 Read Mesh Features
      = index:u16 max_handles:u8 used_handles:u8 handles[used_handles]:u8
    0x0059 Mesh Send
      @address instant:u64 delay:u16 count:u8 adv_data_length:u8 adv_data:ad(adv_data_length)
      = handle:u8
    0x005a Mesh Send Cancel
      handle:u8
    0x005b HCI Command Sync
      opcode:x16{opcode} event:x8 timeout:u8*s parameter_length:u16 parameters:b(parameter_length)
      = response:b*
    0x005c Load Connection Subrate
      param_count:u16
      parameters[param_count]:(@address min_interval:u16 max_interval:u16 subrate_min:u16 subrate_max:u16 max_latency:u16
        continuation_number:u16 supervision_timeout:u16*10ms)
    """

  static let eventText: StaticString = """
    @header
      cookie:x32 event_code:x16
    @address
      address:uaddr address_type:u8{mgmt-address-type}
    @found
      @address rssi:i8{rssi}*dBm flags:x32{mgmt-found} eir_data_length:u16 eir_data:ad(eir_data_length)

    0x0001 Command Complete
      command_opcode:x16{mgmt-command} status:u8{mgmt-status}
    0x0002 Command Status
      command_opcode:x16{mgmt-command} status:u8{mgmt-status}
    0x0003 Controller Error
      error_code:x8
    0x0004 Index Added
    0x0005 Index Removed
    0x0006 New Settings
      current_settings:x32{mgmt-settings}
    0x0007 Class Of Device Changed
      class_of_device:x24
    0x0008 Local Name Changed
      name:text249 short_name:text11
    0x0009 New Link Key
      store_hint:u8 @address key_type:u8{key-type} value:b16! pin_length:u8
    0x000a New Long Term Key
      store_hint:u8 @address key_type:u8{mgmt-ltk-type} central:u8 encryption_size:u8 encryption_diversifier:x16 random_number:x64!
      value:b16!
    0x000b Device Connected
      @address flags:x32{mgmt-found} eir_data_length:u16 eir_data:ad(eir_data_length)
    0x000c Device Disconnected
      @address reason:u8{mgmt-reason}
    0x000d Connect Failed
      @address status:u8{mgmt-status}
    0x000e PIN Code Request
      @address secure:u8
    0x000f User Confirmation Request
      @address confirm_hint:u8 value:u32!
    0x0010 User Passkey Request
      @address
    0x0011 Authentication Failed
      @address status:u8{mgmt-status}
    0x0012 Device Found
      @found
    0x0013 Discovering
      address_type:x8{mgmt-discovery} discovering:bool
    0x0014 Device Blocked
      @address
    0x0015 Device Unblocked
      @address
    0x0016 Device Unpaired
      @address
    0x0017 Passkey Notify
      @address passkey:u32! entered:u8
    0x0018 New Identity Resolving Key
      store_hint:u8 random_address:raddr @address value:b16!
    0x0019 New Signature Resolving Key
      store_hint:u8 @address key_type:u8 value:b16!
    0x001a Device Added
      @address action:u8{mgmt-action}
    0x001b Device Removed
      @address
    0x001c New Connection Parameter
      @address store_hint:u8 min_connection_interval:u16*1.25ms max_connection_interval:u16*1.25ms connection_latency:u16
      supervision_timeout:u16*10ms
    0x001d Unconfigured Index Added
    0x001e Unconfigured Index Removed
    0x001f New Configuration Options
      missing_options:x32{mgmt-options}
    0x0020 Extended Index Added
      controller_type:u8{mgmt-controller-type} controller_bus:u8{bus}
    0x0021 Extended Index Removed
      controller_type:u8{mgmt-controller-type} controller_bus:u8{bus}
    0x0022 Local Out Of Band Extended Data Updated
      address_type:x8{mgmt-discovery} eir_data_length:u16 eir_data:ad(eir_data_length)
    0x0023 Advertising Added
      instance:u8
    0x0024 Advertising Removed
      instance:u8
    0x0025 Extended Controller Information Changed
      eir_data_length:u16 eir_data:ad(eir_data_length)
    0x0026 PHY Configuration Changed
      selected_phys:x32{mgmt-phys}
    0x0027 Experimental Feature Changed
      uuid:uuid128 flags:x32
    0x0028 Default System Configuration Changed
    0x0029 Default Runtime Configuration Changed
    0x002a Device Flags Changed
      @address supported_flags:x32{mgmt-device-flags} current_flags:x32{mgmt-device-flags}
    0x002b Advertisement Monitor Added
      monitor_handle:u16
    0x002c Advertisement Monitor Removed
      monitor_handle:u16
    0x002d Controller Suspended
      suspend_state:u8{mgmt-suspend}
    0x002e Controller Resumed
      @address wake_reason:u8{mgmt-wake}
    0x002f Advertisement Monitor Device Found
      monitor_handle:u16 @found
    0x0030 Advertisement Monitor Device Lost
      monitor_handle:u16 @address
    0x0031 Mesh Device Found
      @address rssi:i8{rssi}*dBm instant:u64 flags:x32 eir_data_length:u16 eir_data:ad(eir_data_length)
    0x0032 Mesh Packet Complete
      handle:u8
    0x0033 Connection Subrate
      @address status:u8{status} interval:u16 subrate:u16 latency:u16 continuation_number:u16 supervision_timeout:u16*10ms
    """

  static let enumerationText: StaticString = """
    enum controller-type
      0 primary
      1 amp
    enum mgmt-controller-type
      0 primary
      1 unconfigured
      2 amp
    enum bus
      0 virtual
      1 usb
      2 pccard
      3 uart
      4 rs232
      5 pci
      6 sdio
      7 spi
      8 i2c
      9 smd
      10 virtio
      11 ipc
    enum priority
      0 emergency
      1 alert
      2 critical
      3 error
      4 warning
      5 notice
      6 info
      7 debug
    enum control-format
      0 raw
      1 user
      2 management
    flags control-flags
      0 trusted
    enum mgmt-address-type
      0 br/edr
      1 le public
      2 le random
    flags mgmt-discovery
      0 br/edr
      1 le public
      2 le random
    enum mgmt-action
      0 background scan
      1 allow incoming connection
      2 auto-connect
    enum mgmt-status
      0x00 success
      0x01 unknown command
      0x02 not connected
      0x03 failed
      0x04 connect failed
      0x05 authentication failed
      0x06 not paired
      0x07 no resources
      0x08 timeout
      0x09 already connected
      0x0a busy
      0x0b rejected
      0x0c not supported
      0x0d invalid parameters
      0x0e disconnected
      0x0f not powered
      0x10 cancelled
      0x11 invalid index
      0x12 rfkilled
      0x13 already paired
      0x14 permission denied
    enum mgmt-reason
      0 unspecified
      1 connection timeout
      2 connection terminated by local host
      3 connection terminated by remote host
      4 connection terminated due to authentication failure
      5 connection terminated by local host for suspend
    enum mgmt-suspend
      0 running
      1 disconnected and not scanning
      2 page scanning and/or passive scanning
    enum mgmt-wake
      0 not bluetooth
      1 unexpected event
      2 remote wake
    enum mgmt-ltk-type
      0 unauthenticated legacy
      1 authenticated legacy
      2 unauthenticated p-256
      3 authenticated p-256
      4 debug p-256
    flags mgmt-options
      0 external configuration
      1 public address
    flags mgmt-device-flags
      0 remote wakeup
      1 device privacy
      2 address resolution
      3 past
    flags mgmt-found
      0 confirm name
      1 legacy pairing
      2 not connectable
      3 initiated connection
      4 name request failed
      5 scan response
    flags mgmt-settings
      0 powered
      1 connectable
      2 fast connectable
      3 discoverable
      4 bondable
      5 link security
      6 secure simple pairing
      7 br/edr
      8 high speed
      9 low energy
      10 advertising
      11 secure connections
      12 debug keys
      13 privacy
      14 configuration
      15 static address
      16 phy configuration
      17 wideband speech
      18 cis central
      19 cis peripheral
      20 iso broadcaster
      21 iso sync receiver
      22 ll privacy
      23 past sender
      24 past receiver
      25 shorter connection intervals
    flags mgmt-advertising
      0 connectable
      1 discoverable
      2 limited discoverable
      3 managed flags
      4 tx power
      5 appearance
      6 local name
      7 secondary le 1m
      8 secondary le 2m
      9 secondary le coded
      10 can set tx power
      11 hardware offload
      12 duration parameter
      13 timeout parameter
      14 interval parameters
      15 tx power parameter
      16 scan response
    flags mgmt-phys
      0 br 1m 1-slot
      1 br 1m 3-slot
      2 br 1m 5-slot
      3 edr 2m 1-slot
      4 edr 2m 3-slot
      5 edr 2m 5-slot
      6 edr 3m 1-slot
      7 edr 3m 3-slot
      8 edr 3m 5-slot
      9 le 1m tx
      10 le 1m rx
      11 le 2m tx
      12 le 2m rx
      13 le coded tx
      14 le coded rx
    """
}
