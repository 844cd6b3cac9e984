import PacketCodecs

/// The Audio/Video Remote Control Profile (AVRCP 1.6): keys, media information, volume, and browsing. Its PDUs begin with the header of ``AVCTP``,
/// followed by a frame of the AV/C command set on the control channel, or by the PDU itself on the browsing channel.
public enum AVRCP: ProtocolDescription {
  static var id: ProtocolID { .avrcp }
  static var name: StaticName { "avrcp" }
  static var tables: [PDUTable] { [pdus] }
  static var state: StaticString { "commands and responses" }
  static var isOnChannels: Bool { true }
  static var envelope: ProtocolID? { .avctp }

  /// The opcode of rows whose PDU came over the browsing channel; others came over the control channel.
  public static let browsing: UInt32 = 1
  /// Added to it if the parameters came in several packets and were joined: the first PDU, followed by the others' parameters.
  public static let joined: UInt32 = 2

  /// Register Notification, and Request Continuing Response (AVRCP 1.6.2, 6.7.2 and 6.8.1).
  public static let registration: UInt8 = 0x31, continuing: UInt8 = 0x40
  /// Rejects an unknown PDU (AVRCP 1.6.2, 6.15.2).
  static let generalReject: UInt8 = 0xA0
  /// The opcode of AV/C frames that carry a key (AV/C Panel Subunit, 9.4).
  static let passThrough: UInt8 = 0x7C
  /// Types of responses (AV/C, 8.2): a value changed, and interim, after which the final response follows.
  public static let changed: UInt8 = 13, interim: UInt8 = 15

  /// The ranges of the parts of a message.
  public struct Message: Sendable {
    /// Type of the command or response (AV/C, 8.3); nil on the browsing channel.
    public let ctype: UInt8?
    /// Opcode of the AV/C frame; 0 is vendor-dependent. Nil on the browsing channel.
    public let avcOpcode: UInt8?
    /// The profile's PDU identifier, if the message has one.
    public let pdu: UInt8?
    /// It is a response.
    public let isResponse: Bool
    /// Whether the PDU's parameters are complete (0), or come in parts: 1 start, 2 continue, 3 end.
    public let packetType: UInt8
    /// Range of the PDU's parameters, or of the AV/C frame's operands.
    public let parameters: Range<Int>

    /// Reads the message in a PDU that begins with an AVCTP header; nil where it is incomplete.
    public init?(_ bytes: RawSpan, isBrowsing: Bool) {
      guard let header = AVCTP.Header(bytes), header.size > 1 else { return nil }
      let at = header.size
      let end = bytes.byteCount
      if isBrowsing {
        guard let code = bytes.u8(at), at &+ 3 <= end else { return nil }
        (ctype, avcOpcode, packetType) = (nil, nil, 0)
        pdu = code
        isResponse = header.isResponse
        parameters = at &+ 3..<end
        return
      }
      guard let ctype = bytes.u8(at), let opcode = bytes.u8(at &+ 2) else { return nil }
      self.ctype = ctype & 15
      avcOpcode = opcode
      // Not implemented: the response repeats the command.
      isResponse = ctype & 15 > 8
      guard opcode == 0, at &+ 10 <= end, bytes.integer(at &+ 3, 3, isBigEndian: true) == 0x1958, let code = bytes.u8(at &+ 6),
        let type = bytes.u8(at &+ 7)
      else {
        pdu = nil
        packetType = 0
        parameters = at &+ 3..<end
        return
      }
      pdu = code
      packetType = type & 3
      parameters = at &+ 10..<end
    }

    /// The reason of a rejecting response: the error status (AVRCP 1.6.2, 6.15.3), or if the response has none, its type (`ctype`) with 0x80 added.
    /// Nil for other messages.
    public func refusal(_ bytes: RawSpan) -> UInt8? {
      let status = bytes.u8(parameters.lowerBound)
      switch ctype {
      case 8?: return 0x88
      case 10?: return pdu == nil ? 0x8A : status ?? 0x8A
      default:
        // The responses to these PDUs begin with a status.
        guard let pdu, pdu == 0x60 || pdu >= 0x70, let status, status != 4 else { return nil }
        return status
      }
    }

    /// The part of a command that its response repeats, as a number: the opcode of the AV/C frame in the lowest byte, the PDU in the next, and in the
    /// third the event of a notification, the continued PDU, or the key.
    public func identity(_ bytes: RawSpan) -> UInt32 {
      let operand = bytes.u8(parameters.lowerBound) ?? 0
      var number = UInt32(avcOpcode ?? 0) | UInt32(pdu ?? 0) << 8
      let hasOperand = pdu.map { $0 == registration || $0 == continuing || $0 == 0x41 } ?? (avcOpcode == AVRCP.passThrough)
      if hasOperand { number |= UInt32(operand) << 16 }
      return number
    }

    /// Whether a response may belong to a command with this ``identity(_:)``, even if its own differs: a rejecting one has a reason instead of the
    /// parameters, parts of parameters have the PDU that they belong to, and unknown PDUs are all rejected with one PDU.
    public func mayAnswer(_ command: UInt32) -> Bool {
      guard UInt8(truncatingIfNeeded: command) == avcOpcode ?? 0 else { return false }
      guard let pdu else { return avcOpcode == AVRCP.passThrough || ctype == 8 || ctype == 10 }
      let requested = UInt8(truncatingIfNeeded: command >> 8)
      if ctype == nil { return pdu == AVRCP.generalReject }
      if packetType >= 2 { return requested == continuing && UInt8(truncatingIfNeeded: command >> 16) == pdu }
      return ctype == 10 && (requested == pdu || pdu == AVRCP.generalReject)
    }

    /// The number of its row in the table of PDUs.
    var code: UInt32? { pdu.map { UInt32($0) | (isResponse ? ctype == 10 ? 0x200 : 0x100 : 0) } }
  }

  static func name(of pdu: RawSpan, _ context: PDUContext) -> StaticName {
    guard let message = Message(pdu, isBrowsing: context.opcode & browsing != 0) else { return "AVRCP" }
    if let code = message.pdu {
      if message.ctype == 10 { return rejected.name(UInt32(code)) ?? "Reject" }
      return message.code.flatMap { pdus.name($0) } ?? (message.isResponse ? "Unknown Response" : "Unknown Command")
    }
    let isResponse = message.ctype.map { $0 >= 8 } ?? false
    return message.avcOpcode.flatMap { frames.name(UInt32($0) | (isResponse ? 0x100 : 0)) } ?? "AV/C Frame"
  }

  static func walk<Visitor: FieldVisitor>(_ pdu: RawSpan, _ context: PDUContext, _ visitor: inout Visitor) {
    let isBrowsing = context.opcode & browsing != 0
    let end = pdu.byteCount
    var at = AVCTP.walkHeader(pdu, &visitor)
    guard at < end else { return }
    if !isBrowsing { at = frameLayout.walk(pdu, in: at..<end, allowsSurplus: true, &visitor) }
    guard let message = Message(pdu, isBrowsing: isBrowsing) else {
      if at < end { pdus.unknown.walk(pdu, in: at..<end, &visitor) }
      return
    }
    guard message.pdu != nil else {
      let isResponse = message.ctype.map { $0 >= 8 } ?? false
      let layout = message.avcOpcode.flatMap { frames[UInt32($0) | (isResponse ? 0x100 : 0)] }?.parameters
      (layout ?? pdus.unknown).walk(pdu, in: at..<end, &visitor)
      return
    }
    at = (isBrowsing ? browsingLayout : vendorLayout).walk(pdu, in: at..<end, allowsSurplus: true, &visitor)
    let length = Int(pdu.integer(message.parameters.lowerBound &- 2, 2, isBigEndian: true))
    let stop = context.opcode & joined != 0 ? end : min(at &+ length, end)
    if message.packetType != 0, context.opcode & joined == 0 {
      if at < stop { pdus.unknown.walk(pdu, in: at..<stop, &visitor) }
    } else {
      let layout = message.ctype == 10 ? statusLayout : message.code.flatMap { pdus[$0] }?.parameters
      if let layout { layout.walk(pdu, in: at..<stop, &visitor) } else if at < stop { pdus.unknown.walk(pdu, in: at..<stop, &visitor) }
    }
    if stop < end { visitor.problem(.surplus(stop..<end)) }
  }

  /// PDUs of the profile by number, responses with 0x100 added.
  static let pdus = PDUTable(text)
  /// Frames of the AV/C command set by opcode, responses with 0x100 added.
  static let frames = PDUTable(frameText)
  /// Names of rejected PDUs.
  static let rejected = PDUTable(rejectText)
  private static let frameLayout = frames.layout("frame")
  private static let vendorLayout = pdus.layout("vendor")
  private static let browsingLayout = pdus.layout("browsing")
  private static let statusLayout = pdus.layout("status")
}
