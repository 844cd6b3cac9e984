extension HCI {
  /// HCI command packets (Core, Vol 4, Part E, 5.4.1), from the opcode on.
  enum CommandPackets: ProtocolDescription {
    static var id: ProtocolID { .hciCommand }
    static var name: StaticName { "hci.command" }
    static var traits: ProtocolTraits { [.carriesAdvertising, .isLocal] }
    static var tables: [PDUTable] { [HCI.commands, Vendor.commands] + Vendor.makers.map(\.commands) }
    static var state: StaticString { "commands and what answers them" }
    static var enumerationText: StaticString { HCI.enumerationText }

    static func hasOpcode(_ context: PDUContext) -> Bool { true }

    static func name(of pdu: RawSpan, _ context: PDUContext) -> StaticName {
      commandName(UInt16(truncatingIfNeeded: context.opcode), company: context.company)
        ?? (context.opcode >> 10 == Opcode.vendorGroup ? "Vendor Command" : "Unknown HCI Command")
    }

    static func walk<Visitor: FieldVisitor>(_ pdu: RawSpan, _ context: PDUContext, _ visitor: inout Visitor) {
      walkCommand(pdu, company: context.company, &visitor)
    }
  }
}
