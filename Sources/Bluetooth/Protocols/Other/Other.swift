/// Comments on packets, and messages that a host wrote into its log: text without fields.
enum CaptureNote: ProtocolDescription {
  static var id: ProtocolID { .note }
  static var name: StaticName { "note" }
  static var traits: ProtocolTraits { [.isLocal] }

  static func name(of pdu: RawSpan, _ context: PDUContext) -> StaticName { "Note" }
  static func walk<Visitor: FieldVisitor>(_ pdu: RawSpan, _ context: PDUContext, _ visitor: inout Visitor) {}
}

/// Packets of an unknown kind.
enum UnknownPacket: ProtocolDescription {
  static var id: ProtocolID { .opaque }
  static var name: StaticName { "opaque" }
  static var traits: ProtocolTraits { [.isOpaque] }

  static func name(of pdu: RawSpan, _ context: PDUContext) -> StaticName { "Unknown" }
}
