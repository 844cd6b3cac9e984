extension RFCOMM: ProtocolDescription {
  static var id: ProtocolID { .rfcomm }
  static var name: StaticName { "rfcomm" }
  static var tables: [PDUTable] { [frames, multiplexer] }
  static var state: StaticString { "data links and their services" }
  static var psms: [AssignedPSM] { [AssignedPSM(0x03, "RFCOMM")] }

  static func name(of pdu: RawSpan, _ context: PDUContext) -> StaticName {
    HCI.u8(pdu, 1).flatMap { frames.name(UInt32($0 & 0xEF)) } ?? "RFCOMM Frame"
  }

  static func walk<Visitor: FieldVisitor>(_ pdu: RawSpan, _ context: PDUContext, _ visitor: inout Visitor) {
    walk(pdu, &visitor)
  }

  /// Frames have a check sequence.
  static func recognizes(_ pdu: RawSpan) -> Bool { isFrame(pdu) }

  static let filterFields: StaticString = """
    btrfcomm protocol =pdu
    btrfcomm.dlci x8 [0:1]&fc
    btrfcomm.channel u8 [0:1]&f8
    btrfcomm.cr x8 [0:1]&02
    btrfcomm.frame_type x8 [1:1]&=ef
    btrfcomm.pf x8 [1:1]&10
    btspp.data bytes =
    """
}

extension ProtocolID {
  /// RFCOMM.
  @inlinable
  public static var rfcomm: ProtocolID { ProtocolID(10) }
}
