import PacketCodecs

/// The Host Controller Interface (Core, Vol 4, Part E): headers of its packets, and the fields of all of them.
public enum HCI {
  /// Reports the fields of a command packet (from its opcode on) to `visitor`; with `headers`, opcode and parameter length are among them.
  /// Returns the command's row, or nil where it has none.
  @inlinable
  @discardableResult
  public static func walkCommand<Visitor: FieldVisitor>(
    _ bytes: RawSpan, in range: Range<Int>? = nil, headers: Bool = false, company: UInt16 = Vendor.unknownMaker, _ visitor: inout Visitor
  ) -> PDU? {
    let range = (range ?? 0..<bytes.byteCount).clamped(to: 0..<bytes.byteCount)
    guard range.count >= 3, let opcode = bytes.u16(range.lowerBound), let length = bytes.u8(range.lowerBound &+ 2) else {
      commandHeader.walk(bytes, in: range, &visitor)
      return nil
    }
    let pdu = commands[UInt32(opcode)] ?? Vendor.command(opcode, of: company)
    if headers { commandHeader.walk(bytes, in: range, allowsSurplus: true, &visitor) }
    walkParameters(pdu?.parameters ?? .none, bytes, from: range.lowerBound &+ 3, length: Int(length), to: range.upperBound, &visitor)
    return pdu
  }

  /// Reports the fields of an event packet (from its event code on) to `visitor`: for Command Complete those of the command's return
  /// parameters too, for LE Meta those of the subevent. With `headers`, event code and parameter length are among them. Returns the row of the
  /// event, for LE Meta of its subevent, or nil where it has none.
  @inlinable
  @discardableResult
  public static func walkEvent<Visitor: FieldVisitor>(
    _ bytes: RawSpan, in range: Range<Int>? = nil, headers: Bool = false, company: UInt16 = Vendor.unknownMaker, _ visitor: inout Visitor
  ) -> PDU? {
    let range = (range ?? 0..<bytes.byteCount).clamped(to: 0..<bytes.byteCount)
    let start = range.lowerBound &+ 2
    guard range.count >= 2, let code = bytes.u8(range.lowerBound), let length = bytes.u8(range.lowerBound &+ 1) else {
      eventHeader.walk(bytes, in: range, &visitor)
      return nil
    }
    if headers { eventHeader.walk(bytes, in: range, allowsSurplus: true, &visitor) }
    let end = min(range.upperBound, start &+ Int(length))
    if code == EventCode.leMeta.rawValue, let subevent = start < end ? bytes.u8(start) : nil {
      let pdu = leEvents[UInt32(subevent)]
      events[UInt32(EventCode.leMeta.rawValue)]?.parameters.walk(bytes, in: start..<end, allowsSurplus: true, &visitor)
      walkParameters(
        pdu?.parameters ?? .none, bytes, from: start &+ 1, length: max(Int(length) &- 1, 0), to: range.upperBound, &visitor)
      return pdu
    }
    let pdu = events[UInt32(code)]
    if code == EventCode.commandComplete.rawValue, end &- start >= 3, let opcode = bytes.u16(start &+ 1) {
      pdu?.parameters.walk(bytes, in: start..<end, allowsSurplus: true, &visitor)
      let command = commands[UInt32(opcode)] ?? Vendor.command(opcode, of: company)
      var layout = command?.returnParameters ?? .none
      if layout.isEmpty { layout = unknownReturn }
      walkParameters(layout, bytes, from: start &+ 3, length: max(Int(length) &- 3, 0), to: range.upperBound, &visitor)
      return pdu
    }
    if code == EventCode.vendorSpecific.rawValue, start < end {
      walkVendorEvent(bytes, start, Int(length), range.upperBound, company, &visitor)
    } else {
      walkParameters(pdu?.parameters ?? .none, bytes, from: start, length: Int(length), to: range.upperBound, &visitor)
    }
    return pdu
  }

  /// Reports the fields of a vendor-specific event. Its subevent code is the byte at `start`; the layout is that of the manufacturer `company`.
  @usableFromInline
  static func walkVendorEvent<Visitor: FieldVisitor>(
    _ bytes: RawSpan, _ start: Int, _ length: Int, _ end: Int, _ company: UInt16, _ visitor: inout Visitor
  ) {
    guard let code = bytes.u8(start), let event = Vendor.event(code, of: company) else {
      let layout = events[UInt32(EventCode.vendorSpecific.rawValue)]?.parameters ?? .none
      return walkParameters(layout, bytes, from: start, length: length, to: end, &visitor)
    }
    vendorSubevent.walk(bytes, in: start..<min(start &+ 1, end), &visitor)
    walkParameters(event.parameters, bytes, from: start &+ 1, length: max(length &- 1, 0), to: end, &visitor)
  }

  /// Walks parameters with a length of `length` bytes according to a header, where the packet ends at `end`. Parameters without a layout are reported
  /// as bytes.
  @inlinable
  static func walkParameters<Visitor: FieldVisitor>(
    _ layout: Layout, _ bytes: RawSpan, from start: Int, length: Int, to end: Int, _ visitor: inout Visitor
  ) {
    let available = max(end &- start, 0)
    let range = start..<(start &+ min(length, available))
    if layout.isEmpty {
      if !range.isEmpty { unknownParameters.walk(bytes, in: range, &visitor) }
    } else {
      layout.walk(bytes, in: range, &visitor)
    }
    if available > length { visitor.problem(.surplus(range.upperBound..<end)) }
    if available < length, layout.isEmpty || range.isEmpty == false {
      visitor.problem(.short(parametersField, offset: start, needed: length, available: available))
    }
  }

  /// Reports the fields of an ACL data packet's header to `visitor`, without the L2CAP data after it.
  @inlinable
  public static func walkACLHeader<Visitor: FieldVisitor>(_ bytes: RawSpan, in range: Range<Int>? = nil, _ visitor: inout Visitor) {
    aclHeader.walk(bytes, in: range, allowsSurplus: true, &visitor)
  }

  /// Reports the fields of a synchronous data packet to `visitor`.
  @inlinable
  public static func walkSynchronous<Visitor: FieldVisitor>(_ bytes: RawSpan, in range: Range<Int>? = nil, _ visitor: inout Visitor) {
    synchronous.walk(bytes, in: range, &visitor)
  }

  /// Reports the fields of an isochronous data packet to `visitor`.
  @inlinable
  public static func walkISO<Visitor: FieldVisitor>(_ bytes: RawSpan, in range: Range<Int>? = nil, _ visitor: inout Visitor) {
    iso.walk(bytes, in: range, &visitor)
  }

  /// Opcode and parameter length of a command packet.
  public static let commandHeader = headerTable.layout("command")
  /// Code and parameter length of an event packet.
  public static let eventHeader = headerTable.layout("event")
  /// Handle, flags and length of an ACL data packet (Part E, 5.4.2).
  public static let aclHeader = headerTable.layout("acl")
  /// A synchronous data packet (5.4.3).
  public static let synchronous = headerTable.layout("synchronous")
  /// An isochronous data packet (5.4.5).
  public static let iso = headerTable.layout("iso")
  @usableFromInline static let unknownParameters = commands.unknown
  @usableFromInline static let unknownReturn = commands.layout("unknown-return")
  @usableFromInline static let parametersField = unknownParameters.fields.first ?? Field()

  static let headerTable = PDUTable(headerText)
  private static let vendorSubevent = headerTable.layout("vendor")

  static let headerText: StaticString = """
    @command
      opcode:x16{opcode} parameter_total_length:u8
    @vendor
      vendor_subevent:x8
    @event
      event_code:x8 parameter_total_length:u8
    @acl
      :bits16(handle:12{handle} pb_flag:2{pb-flag} bc_flag:2{bc-flag}) data_total_length:u16
    @synchronous
      :bits16(connection_handle:12{handle} packet_status_flag:2{packet-status} -:2) data_total_length:u8 data:b(data_total_length)
    @iso
      :bits16(connection_handle:12{handle} pb_flag:2{iso-pb-flag} ts_flag:1 -:1)
      :bits16(iso_data_load_length:14 -:2)
      ?ts_flag==1(time_stamp:u32*us)
      ?pb_flag==0(packet_sequence_number:u16 :bits16(iso_sdu_length:12 -:2 packet_status_flag:2{packet-status}))
      ?pb_flag==2(packet_sequence_number:u16 :bits16(iso_sdu_length:12 -:2 packet_status_flag:2{packet-status}))
      iso_sdu_fragment:b*
    """
}
