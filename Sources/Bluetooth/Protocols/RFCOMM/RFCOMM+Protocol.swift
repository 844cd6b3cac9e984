import PacketCodecs

extension RFCOMM: ProtocolDescription {
  static var id: ProtocolID { .rfcomm }
  static var name: StaticName { "rfcomm" }
  static var traits: ProtocolTraits { [.carriesUnknownData] }
  static var tables: [PDUTable] { [frames, multiplexer] }
  static var state: StaticString { "data links and their services" }
  static var psms: [AssignedPSM] { [AssignedPSM(0x03, "RFCOMM")] }

  static func name(of pdu: RawSpan, _ context: PDUContext) -> StaticName {
    pdu.u8(1).flatMap { frames.name(UInt32($0 & 0xEF)) } ?? "RFCOMM Frame"
  }

  static func walk<Visitor: FieldVisitor>(_ pdu: RawSpan, _ context: PDUContext, _ visitor: inout Visitor) {
    walk(pdu, &visitor)
  }

  /// Frames have a check sequence.
  static func recognizes(_ pdu: RawSpan) -> Bool { isFrame(pdu) }
}
