import PacketCodecs

/// Messages that 3D glasses send to a display over L2CAP (3D Synchronization Profile 1.0).
public enum Synchronization3D: ProtocolDescription {
  static var id: ProtocolID { .synchronization3D }
  static var name: StaticName { "3ds" }
  static var tables: [PDUTable] { [messages] }
  static var psms: [AssignedPSM] { [AssignedPSM(0x21, "3DSP")] }

  static func name(of pdu: RawSpan, _ context: PDUContext) -> StaticName {
    pdu.u8(0).flatMap { messages.name(UInt32($0)) } ?? "Unknown 3DSP Message"
  }

  static func walk<Visitor: FieldVisitor>(_ pdu: RawSpan, _ context: PDUContext, _ visitor: inout Visitor) {
    let at = header.walk(pdu, allowsSurplus: true, &visitor)
    guard let code = pdu.u8(0) else { return }
    (messages[UInt32(code)]?.parameters ?? messages.unknown).walk(pdu, in: at..<pdu.byteCount, &visitor)
  }

  static let messages = PDUTable(text)
  private static let header = messages.layout("header")

  static let text: StaticString = """
    @header
      message_opcode:x8
    @unknown
      ?+1(data:b*)
    0x00 3DG Connection Announcement
      :bits8(association_notification:1 user_request_for_battery_level_display:1 -:6) battery_level:u8
    """

  static let filterFields: StaticString = """
    # 3D glasses
    bt3ds protocol =pdu
    bt3ds.message_opcode x8 [0:1]
    bt3ds.association_notification bool [1:1]&1
    bt3ds.user_request_for_battery_level_display bool [1:1]&2
    bt3ds.reserved x8 [1:1]&fc
    bt3ds.battery_level u8 [2:1]
    bt3ds.expert.reserved none ?fc@1!0[1:1]
    bt3ds.expert.message_opcode.reserved none ?ff!0[0:1]
    bt3ds.expert.unexpected_data none [3:1]
    """
}
