extension ATT: ProtocolDescription {
  static var id: ProtocolID { .att }
  static var name: StaticName { "att" }
  static var tables: [PDUTable] { [pdus] }
  static var state: StaticString { "attribute tables, requests and answers, long values, subscriptions" }
  static var fixedChannels: [UInt16] { [L2CAP.ChannelID.att.rawValue] }
  static var psms: [AssignedPSM] { [AssignedPSM(0x1F, "ATT"), AssignedPSM(0x27, "EATT")] }

  static func hasOpcode(_ context: PDUContext) -> Bool { true }

  static func name(of pdu: RawSpan, _ context: PDUContext) -> StaticName { pdus.name(context.opcode) ?? "Unknown ATT PDU" }

  static func walk<Visitor: FieldVisitor>(_ pdu: RawSpan, _ context: PDUContext, _ visitor: inout Visitor) {
    walk(pdu, requested: context.requestedType, &visitor)
  }

  static var filterTexts: [StaticString] { [filterFields, healthFilters, sportFilters, valueFilters] }
}
