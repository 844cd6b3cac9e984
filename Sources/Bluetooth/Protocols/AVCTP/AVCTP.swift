import PacketCodecs

/// The Audio/Video Control Transport Protocol (AVCTP 1.4): transactions and profile of commands and responses. Its messages are those of ``AVRCP``,
/// whose PDUs begin with this header.
public enum AVCTP: ProtocolDescription {
  static var id: ProtocolID { .avctp }
  static var name: StaticName { "avctp" }
  static var state: StaticString { "commands and responses; messages are joined" }
  static var psms: [AssignedPSM] { [AssignedPSM(0x17, "AVCTP"), AssignedPSM(0x1B, "AVCTP browsing")] }

  /// A message of a remote control in one packet, with a vendor-dependent AV/C frame of the Bluetooth SIG (AVRCP, 4.3.1).
  static func recognizes(_ pdu: RawSpan) -> Bool {
    guard let header = Header(pdu), header.packetType == .single, header.isRemoteControl, !header.isInvalidProfile,
      pdu.byteCount >= 13, pdu.u8(3).map({ $0 < 16 }) == true
    else { return false }
    // Subunit panel, opcode vendor dependent, company 0x001958.
    return pdu.integer(4, 5, isBigEndian: true) == 0x48_0000_1958
  }

  /// Types of packets (6.1.1): a message may come in several.
  public enum PacketType: UInt8, CaseIterable, Sendable { case single, start, continuing, end }

  /// The header of a packet.
  public struct Header: Sendable {
    /// Transaction label, the same in a command and its response.
    public let transaction: UInt8
    /// Type of packet: a complete message, or a part of one.
    public let packetType: PacketType
    /// It is a response.
    public let isResponse: Bool
    /// The recipient does not have the profile (IPID).
    public let isInvalidProfile: Bool
    /// The profile; 0 in packets that continue a message.
    public let profile: UInt16
    /// Number of bytes of the header.
    public let size: Int

    /// Reads the header at the start of a packet, or nil where it is incomplete.
    public init?(_ pdu: RawSpan) {
      guard let first = pdu.u8(0), let type = PacketType(rawValue: first >> 2 & 3) else { return nil }
      transaction = first >> 4
      packetType = type
      isResponse = first & 2 != 0
      isInvalidProfile = first & 1 != 0
      size = type == .single ? 3 : type == .start ? 4 : 1
      guard size <= pdu.byteCount else { return nil }
      profile = size == 1 ? 0 : UInt16(truncatingIfNeeded: pdu.integer(size &- 2, 2, isBigEndian: true))
    }

    /// The profile is audio/video remote control, in one of its roles.
    public var isRemoteControl: Bool { profile == 0x110E || profile == 0x110F || profile == 0x110C }
  }

  /// The opcode of a row with a packet of an incomplete message: its number from 1, and the total number of packets. It is 0 where the start is
  /// missing.
  public static func part(_ number: Int, of total: UInt8) -> UInt32 { UInt32(min(number, 0xFFFF)) << 8 | UInt32(total) }

  /// The number of a packet and the total number of packets, from the opcode of its row; nil where the start is missing.
  public static func part(_ opcode: UInt32) -> (number: Int, total: Int)? { opcode == 0 ? nil : (Int(opcode >> 8), Int(opcode & 0xFF)) }

  static func name(of pdu: RawSpan, _ context: PDUContext) -> StaticName {
    guard let header = Header(pdu) else { return "AVCTP" }
    switch header.packetType {
    case .single: return header.isInvalidProfile ? "Invalid Profile" : "AVCTP Message"
    case .start: return "Start of a Message"
    case .continuing: return "Part of a Message"
    case .end: return "End of a Message"
    }
  }

  static func walk<Visitor: FieldVisitor>(_ pdu: RawSpan, _ context: PDUContext, _ visitor: inout Visitor) {
    let at = walkHeader(pdu, &visitor)
    if at < pdu.byteCount { layouts.unknown.walk(pdu, in: at..<pdu.byteCount, &visitor) }
  }

  /// Reports the fields of the header. Returns the offset after it.
  static func walkHeader<Visitor: FieldVisitor>(_ pdu: RawSpan, _ visitor: inout Visitor) -> Int {
    let at = first.walk(pdu, allowsSurplus: true, &visitor)
    guard let byte = pdu.u8(0) else { return at }
    switch PacketType(rawValue: byte >> 2 & 3) {
    case .single?: return profile.walk(pdu, in: at..<pdu.byteCount, allowsSurplus: true, &visitor)
    case .start?: return start.walk(pdu, in: at..<pdu.byteCount, allowsSurplus: true, &visitor)
    default: return at
    }
  }

  private static let layouts = PDUTable(text)
  private static let first = layouts.layout("header")
  private static let start = layouts.layout("start")
  private static let profile = layouts.layout("profile")

  static let text: StaticString = """
    @header
      :bits8(invalid_profile:1 command_response:1{avctp-cr} message_packet_type:2{avdtp-packet} transaction_label:4)
    @profile
      profile_identifier:x16be{avctp-profile}
    @start
      number_of_packets:u8 @profile
    @unknown
      data:b*
    """

  static let enumerationText: StaticString = """
    enum avctp-cr
      0 command
      1 response
    enum avctp-profile
      0x110c a/v remote control target
      0x110e a/v remote control
      0x110f a/v remote control controller
    """

  static let filterFields: StaticString = """
    btavctp protocol =pdu
    btavctp.transaction x8 =
    btavctp.packet_type x8 =
    btavctp.cr x8{avctp-cr} =
    btavctp.ipid x8 =
    btavctp.pid x16 =
    btavctp.nop u8 =
    btavctp.rfa x8 =
    btavctp.invalid_profile none ?01=01[0:1]
    """
}
