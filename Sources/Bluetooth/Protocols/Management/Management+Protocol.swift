extension Management: ProtocolDescription {
  static var id: ProtocolID { .management }
  static var name: StaticName { "mgmt" }
  static var traits: ProtocolTraits { [.isLocal] }
  static var tables: [PDUTable] { [commands, events] }
  static var state: StaticString { "commands and what answers them" }

  static func hasOpcode(_ context: PDUContext) -> Bool { context.opcode != 0 }

  static func name(of pdu: RawSpan, _ context: PDUContext) -> StaticName {
    switch context.subcode {
    case RecordCode.command: commands.name(context.opcode) ?? "Unknown Management Command"
    case RecordCode.event: events.name(context.opcode) ?? "Unknown Management Event"
    default: records.name(UInt32(context.subcode)) ?? "Control"
    }
  }

  static func walk<Visitor: FieldVisitor>(_ pdu: RawSpan, _ context: PDUContext, _ visitor: inout Visitor) {
    switch context.subcode {
    case RecordCode.command: walkCommand(pdu, &visitor)
    case RecordCode.event: walkEvent(pdu, &visitor)
    default: walkRecord(opcode: context.subcode, pdu, &visitor)
    }
  }

  /// Command: Load Identity Resolving Keys.
  public static let loadIdentityResolvingKeys: UInt16 = 0x0030
  /// Event: New Identity Resolving Key.
  public static let newIdentityResolvingKey: UInt16 = 0x0018

  /// Opcodes of the monitor's records that hold management traffic.
  enum RecordCode {
    static let command: UInt16 = 0x10
    static let event: UInt16 = 0x11
  }

  /// The monitor's own records: adapters that come and go.
  enum MonitorRecords: ProtocolDescription {
    static var id: ProtocolID { .monitor }
    static var name: StaticName { "monitor" }
    static var traits: ProtocolTraits { [.isLocal] }
    static var tables: [PDUTable] { [Management.records] }
    static var state: StaticString { "adapters" }

    static func name(of pdu: RawSpan, _ context: PDUContext) -> StaticName {
      records.name(context.opcode) ?? "Monitor Record"
    }

    static func walk<Visitor: FieldVisitor>(_ pdu: RawSpan, _ context: PDUContext, _ visitor: inout Visitor) {
      walkRecord(opcode: UInt16(truncatingIfNeeded: context.opcode), pdu, &visitor)
    }
  }
}
