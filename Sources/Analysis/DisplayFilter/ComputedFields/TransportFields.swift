import Bluetooth
import Captures
import Conversations
import Memory

/// The transports of HCI packets in a capture, and HCI's own packets.
extension FilterRow {
  static let transports: [FilterRow] = [
    FilterRow("# Transports"),
    FilterRow("hci_h1 protocol") { if $0.isH1 { $0.append($0.whole, &$1) } },
    FilterRow("hci_h1.direction i8") { if $0.isH1 { $1.append(FilterValue($0.record.direction == .sent ? 0 : 1)) } },
    FilterRow("hci_h4 protocol") { if $0.isH4, $0.record.captured > 0 { $0.append($0.whole.slice(0, 1), &$1) } },
    FilterRow("hci_h4.type x8") { if $0.isH4, let type = $0.whole.u8(0) { $1.append(FilterValue(Int128(type))) } },
    FilterRow("hci_h4.direction x8") {
      if $0.isH4, $0.record.captured > 0, $0.record.direction == .sent || $0.record.direction == .received {
        $1.append(FilterValue($0.record.direction == .sent ? 0 : 1))
      }
    },
    FilterRow("hci_mon protocol") { if $0.isMonitor { $0.append($0.whole, &$1) } },
    FilterRow("hci_mon.adapter_id u16") { if $0.isMonitor { $1.append(FilterValue(Int128($0.record.adapter))) } },
    FilterRow("hci_mon.opcode u16 mon/10[4:2]") { packet, values in
      guard packet.isMonitor else { return }
      let kind = packet.record.kind
      let isReceived = packet.record.direction == .received && (kind == .acl || kind == .sco || kind == .iso)
      values.append(FilterValue(Int128(kind.rawValue) + (isReceived ? 1 : 0)))
    },
    FilterRow("hci_mon.cookie x32 mon/e,f,10,11[0:4]"),
    FilterRow("hci_mon.event x16 mon/11[4:2]"),
    FilterRow("hci_mon.format x16 mon/e[4:2]"),
    FilterRow("hci_mon.version u8 mon/e[6:1]"),
    FilterRow("hci_mon.version_minor u16 mon/e[7:2]"),
    FilterRow("hci_mon.flags x32 mon/e[9:4]"),
    FilterRow("hci_mon.flags.trusted_socket bool mon/e[9:4]&1"),
    FilterRow("hci_mon.command_length u8 mon/e[13:1]"),
    FilterRow("hci_mon.command string mon/e[14:*]"),
    FilterRow("hci_mon.priority u8 mon/d[0:1]"),
    FilterRow("hci_mon.ident_length u8 mon/d[1:1]"),
    FilterRow("hci_mon.ident string mon/d[2:*]"),
    FilterRow("hci_mon.type x8 mon/0[1:1]"),
    FilterRow("hci_mon.bus x8 mon/0[0:1]"),
    FilterRow("hci_mon.bd_addr ether") { packet, values in
      guard packet.isMonitor, packet.record.kind == .newIndex || packet.record.kind == .indexInfo else { return }
      if let address = packet.payload.address(packet.record.kind == .newIndex ? 2 : 0) { values.append(packet.scratch.address(address)) }
    },
    FilterRow("hci_mon.adapter_name string") {
      if $0.isMonitor, $0.record.kind == .newIndex { $0.append(untilZero: $0.payload.slice(8, 8), &$1) }
    },
    FilterRow("hci_mon.manufacturer x16 mon/a[6:2]"),
    FilterRow("hci_mon.system_note string") { if $0.isMonitor, $0.record.kind == .systemNote { $0.append(untilZero: $0.payload, &$1) } },
    FilterRow("packetlogger protocol") { if $0.format == .packetLogger { $0.append($0.whole, &$1) } },
    FilterRow("packetlogger.info string") {
      if $0.format == .packetLogger, $0.record.kind == .systemNote { $0.append(untilZero: $0.payload, &$1) }
    },
    FilterRow("packetlogger.type x8") {
      if $0.format == .packetLogger, let type = $0.packetLoggerType { $1.append(FilterValue(Int128(type))) }
    },
  ]

  /// Packet types of synchronous links in Connection Packet Type Changed, if no other link has the handle.
  private static func changedTypes(_ line: StaticString, _ mask: UInt16) -> FilterRow {
    FilterRow(line) { packet, values in
      for row in packet.rows where row.layer == .hciEvent && row.opcode == 0x1D && row.connection < 0 {
        if let types = row.pdu.u16(5) { values.append(FilterValue(Int128((types & mask) >> UInt16(mask.trailingZeroBitCount)))) }
      }
    }
  }

  static let hci: [FilterRow] = [
    FilterRow("bthci_cmd") { if $0.record.kind == .command { $0.append($0.payload, &$1) } },
    FilterRow("bthci_evt") { if $0.record.kind == .event { $0.append($0.payload, &$1) } },
    // In Wireshark these are empty strings.
    FilterRow("bthci_evt.vendor_codecs.item") { packet, values in
      for row in packet.rows where row.layer == .hciEvent && row.opcode == 0x0E && row.subcode == 0x100B {
        var visitor = VendorCodecsVisitor()
        Dissection.walk(row, &visitor)
        for _ in 0..<visitor.count { packet.append(StaticName.empty, &values) }
      }
    },
    changedTypes("bthci_evt.packet_type.hv1", 0x20), changedTypes("bthci_evt.packet_type.hv2", 0x40),
    changedTypes("bthci_evt.packet_type.hv3", 0x80), changedTypes("bthci_evt.packet_type.reserved_15_8", 0xFF00),
    changedTypes("bthci_evt.packet_type.reserved_4_0", 0x1F),
    FilterRow("bthci_evt.status") { $0.eventStatus(&$1) },
    FilterRow("bthci_evt.command_in_frame") { $0.answers(.hciEvent, &$1) { $0.requestFrame } },
    FilterRow("bthci_evt.command_response_delta") { $0.delays(.hciEvent, isStatus: false, &$1) },
    FilterRow("bthci_evt.command_pending_delta") { $0.delays(.hciEvent, isStatus: true, &$1) },
    FilterRow("bthci_cmd.response_in_frame") { $0.answers(.hciCommand, &$1) { $0.isCompletedByStatus ? 0 : $0.responseFrame } },
    FilterRow("bthci_cmd.pending_in_frame") { $0.answers(.hciCommand, &$1) { $0.isCompletedByStatus ? $0.responseFrame : 0 } },
    FilterRow("bthci_cmd.command_response_delta") { $0.delays(.hciCommand, isStatus: false, &$1) },
    FilterRow("bthci_cmd.command_pending_delta") { $0.delays(.hciCommand, isStatus: true, &$1) },
    FilterRow("bthci_evt.pending_in_frame") {
      if let ended = $0.history?.ended { $1.append(FilterValue(Int128(ended.status.frame))) }
    },
    FilterRow("bthci_evt.pending_response_delta") {
      if let ended = $0.history?.ended { $1.append(FilterValue(Int128($0.record.time - ended.status.time) * 1_000_000)) }
    },
    FilterRow("bthci_vendor.broadcom") { $0.vendor(15, &$1) },
    FilterRow("bthci_vendor.intel") { $0.vendor(2, &$1) },
    FilterRow("bthci_acl") { if $0.record.kind == .acl { $0.append($0.payload, &$1) } },
    FilterRow("bthci_acl.src.bd_addr") { if $0.isACLWithRows { $0.address(ofSource: true, &$1) } },
    FilterRow("bthci_acl.dst.bd_addr") { if $0.isACLWithRows { $0.address(ofSource: false, &$1) } },
    FilterRow("bthci_acl.src.name") { if $0.isACLWithRows { $0.name(ofSource: true, &$1) } },
    FilterRow("bthci_acl.dst.name") { if $0.isACLWithRows { $0.name(ofSource: false, &$1) } },
    FilterRow("bthci_acl.connect_in") {
      if $0.record.kind == .acl, let start = $0.connection?.startFrame, start > 0 { $1.append(FilterValue(Int128(start))) }
    },
    FilterRow("bthci_acl.continuation_to") {
      if $0.record.kind == .acl, let frame = $0.history?.continued { $1.append(FilterValue(Int128(frame))) }
    },
    FilterRow("bthci_acl.src.role") { if $0.isACLWithRows { $1.append($0.role(ofSource: true)) } },
    FilterRow("bthci_acl.dst.role") { if $0.isACLWithRows { $1.append($0.role(ofSource: false)) } },
    FilterRow("bthci_acl.last_change_in_frame.role") {
      if $0.isACLWithRows, let role = $0.history?.link($0)?.role { $1.append(FilterValue(Int128(role.frame))) }
    },
    FilterRow("bthci_acl.mode") {
      if $0.isACLWithRows { $1.append(FilterValue($0.history?.link($0).map { Int128($0.link.mode) } ?? -1)) }
    },
    FilterRow("bthci_acl.last_change_in_frame.mode") {
      if $0.isACLWithRows, let link = $0.history?.link($0)?.link { $1.append(FilterValue(Int128(link.frame))) }
    },
    FilterRow("bthci_sco.connect_in") {
      if $0.record.kind == .sco, let start = $0.connection?.startFrame, start > 0 { $1.append(FilterValue(Int128(start))) }
    },
    // Wireshark counts streams, but there is only one.
    FilterRow("bthci_sco.stream_number") {
      if $0.record.kind == .sco, let start = $0.connection?.startFrame, start > 0 { $1.append(FilterValue(1)) }
    },
    FilterRow("bthci_iso.connect_in") {
      if $0.record.kind == .iso, let start = $0.connection?.startFrame, start > 0 { $1.append(FilterValue(Int128(start))) }
    },
    FilterRow("bthci_iso.continuation_to") {
      if $0.record.kind == .iso, let frame = $0.history?.continued { $1.append(FilterValue(Int128(frame))) }
    },
    // Only data from the controller have a status.
    FilterRow("bthci_iso_data.status_flag") { packet, values in
      guard packet.record.kind == .iso, packet.record.direction == .received, let head = packet.payload.u16(0), head >> 12 & 3 == 2,
        let length = packet.payload.u16(head & 0x4000 == 0 ? 6 : 10)
      else { return }
      values.append(FilterValue(Int128(length >> 14)))
    },
    FilterRow("bthci_sco") { if $0.record.kind == .sco { $0.append($0.payload, &$1) } },
    FilterRow("bthci_iso") { if $0.record.kind == .iso { $0.append($0.payload, &$1) } },
  ]
}

extension FilterEvaluator {
  /// Link types of captures that have HCI packets with an H4 type byte.
  var isH4: Bool { (linkType == 187 || linkType == 201) && format != .packetLogger && !isH1 }
  /// btsnoop without H4 type bytes.
  var isH1: Bool {
    guard linkType == 187, format == .btsnoop, record.payload == 0 else { return false }
    return record.kind == .command || record.kind == .event || record.kind == .acl || record.kind == .sco
  }
  var isMonitor: Bool { linkType == 254 }
  fileprivate var isACLWithRows: Bool { record.kind == .acl && rows.count > 0 }

  /// The role of the packet's sender, or of its receiver: 1 for the central, 2 for the peripheral, 0 where the capture does not show it.
  fileprivate func role(ofSource isSource: Bool) -> FilterValue {
    guard let role = history?.link(self)?.role else { return FilterValue(0) }
    return FilterValue((isSource == isFromHost) == role.isCentral ? 1 : 2)
  }

  /// A text up to its first NUL.
  fileprivate func append(untilZero text: PDUBytes, _ values: inout ContiguousArray<FilterValue>) {
    unsafe values.append(FilterValue(text.start, text.firstIndex(of: 0) ?? text.count))
  }

  fileprivate var packetLoggerType: UInt8? {
    switch (record.kind, record.direction) {
    case (.command, _): 0
    case (.event, _): 1
    case (.acl, .sent): 2
    case (.acl, _): 3
    case (.sco, .sent): 8
    case (.sco, _): 9
    case (.systemNote, _): 0xFC
    default: nil
    }
  }

  /// Vendor commands of a company's controllers, and the events that belong to them.
  fileprivate func vendor(_ company: UInt16, _ values: inout ContiguousArray<FilterValue>) {
    for source in [FilterSource.vendorCommand, .vendorEvent] {
      var location = FieldLocation()
      (location.source, location.company) = (source, company)
      for row in rows where location.isInVendor(row) { append(row.pdu, &values) }
    }
  }

  private static let status = FieldLocation(.pdu, .hciEvent, names: ["status"])

  /// The return parameters of vendor commands are vendor-specific, and No Operation has none.
  fileprivate func eventStatus(_ values: inout ContiguousArray<FilterValue>) {
    let hasNone = rows.contains {
      $0.eventCode == .commandComplete && (UInt32($0.subcode) >> 10 == HCI.Opcode.vendorGroup || $0.subcode == 0)
    }
    if hasNone { return }
    var field = FilterField()
    (field.type, field.width) = (.unsigned, 1)
    named(Self.status, field, &values)
  }
}

extension FilterEvaluator {
  /// Adds the number of a packet that belongs to the rows of a protocol, where `frame` gives one.
  func answers(_ layer: ProtocolID, _ values: inout ContiguousArray<FilterValue>, _ frame: (PacketRow) -> Int) {
    for row in rows where row.layer == layer {
      let number = frame(row)
      if number > 0 { values.append(FilterValue(Int128(number))) }
    }
  }

  /// Adds the milliseconds between a command and the event that completes it: Command Status, or Command Complete.
  fileprivate func delays(_ layer: ProtocolID, isStatus: Bool, _ values: inout ContiguousArray<FilterValue>) {
    for row in rows where row.layer == layer && row.flags.contains(.hasLatency) && row.isCompletedByStatus == isStatus {
      values.append(FilterValue(Int128(row.latency) * 1_000_000))
    }
  }
}

extension PacketRow {
  /// The row is a Command Status event, or a command that gets one because it has no return parameters.
  fileprivate var isCompletedByStatus: Bool {
    if layer == .hciEvent { return eventCode == .commandStatus }
    return HCI.commands[opcode].map { $0.returnParameters.isEmpty } ?? false
  }
}

/// Counts the codecs of vendors that a controller supports.
private struct VendorCodecsVisitor: FieldVisitor {
  private(set) var count = 0

  mutating func field(_ field: Field, _ value: FieldValue, at range: Range<Int>, in bytes: RawSpan) {
    if field.name == "vendor_specific_codec_id" { count += 1 }
  }
}
