extension SMP: ProtocolDescription {
  static var id: ProtocolID { .smp }
  static var name: StaticName { "smp" }
  static var tables: [PDUTable] { [pdus] }
  static var state: StaticString { "pairings, keys" }
  static var fixedChannels: [UInt16] { [L2CAP.ChannelID.smp.rawValue, L2CAP.ChannelID.bredrSMP.rawValue] }

  static func hasOpcode(_ context: PDUContext) -> Bool { true }

  static func name(of pdu: RawSpan, _ context: PDUContext) -> StaticName { pdus.name(context.opcode) ?? "Unknown SMP PDU" }

  static func walk<Visitor: FieldVisitor>(_ pdu: RawSpan, _ context: PDUContext, _ visitor: inout Visitor) {
    walk(pdu, &visitor)
  }
}
