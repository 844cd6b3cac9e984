import PacketCodecs

/// The Audio/Video Distribution Transport Protocol (AVDTP 1.3): signals that negotiate streams. The media of the streams use channels of their own:
/// ``A2DP``.
public enum AVDTP: ProtocolDescription {
  static var id: ProtocolID { .avdtp }
  static var name: StaticName { "avdtp" }
  static var tables: [PDUTable] { [signals] }
  static var state: StaticString { "stream end points and their configuration, requests and answers" }
  static var psms: [AssignedPSM] { [AssignedPSM(0x19, "AVDTP")] }

  /// Types of packets (8.4.2): a signal may come in several.
  public enum PacketType: UInt8, CaseIterable, Sendable { case single, start, continuing, end }
  /// Types of messages (8.4.3).
  public enum MessageType: UInt8, CaseIterable, Sendable { case command, generalReject, responseAccept, responseReject }
  /// Identifiers of signals (8.5).
  public enum SignalIdentifier: UInt8, CaseIterable, Sendable {
    case discover = 0x01, getCapabilities, setConfiguration, getConfiguration, reconfigure, open, start, close, suspend, abort,
      securityControl, getAllCapabilities, delayReport
  }

  /// The header of a packet.
  public struct Header: Sendable {
    /// Transaction label, the same in a command and its response.
    public let transaction: UInt8
    /// Type of packet: a complete signal, or a part of one.
    public let packetType: PacketType
    /// Command or response.
    public let messageType: MessageType
    /// The signal; nil in packets that continue one, and where it is undefined.
    public let signal: SignalIdentifier?
    /// Number of bytes of the header.
    public let size: Int

    /// Reads the header at the start of a packet, or nil where it is incomplete.
    public init?(_ pdu: RawSpan) {
      guard let first = pdu.u8(0), let packetType = PacketType(rawValue: first >> 2 & 3),
        let messageType = MessageType(rawValue: first & 3)
      else { return nil }
      transaction = first >> 4
      self.packetType = packetType
      self.messageType = messageType
      switch packetType {
      case .single, .start:
        size = packetType == .single ? 2 : 3
        guard let signal = pdu.u8(size &- 1) else { return nil }
        self.signal = SignalIdentifier(rawValue: signal & 0x3F)
      case .continuing, .end:
        size = 1
        signal = nil
      }
    }

    /// It is a command.
    public var isCommand: Bool { messageType == .command }
    /// It is a reject message.
    public var isReject: Bool { messageType == .generalReject || messageType == .responseReject }
  }

  static func name(of pdu: RawSpan, _ context: PDUContext) -> StaticName {
    guard let header = Header(pdu) else { return "AVDTP" }
    if header.size == 1 { return header.packetType == .end ? "End of a Signal" : "Part of a Signal" }
    if header.messageType == .generalReject { return "General Reject" }
    return header.signal.flatMap { signals.name(code(header, $0)) } ?? "Unknown Signal"
  }

  /// A start packet is decoded as a complete signal if the context says so (opcode 1): the other parts were appended to it.
  static func walk<Visitor: FieldVisitor>(_ pdu: RawSpan, _ context: PDUContext, _ visitor: inout Visitor) {
    let end = pdu.byteCount
    var at = headerLayout.walk(pdu, allowsSurplus: true, &visitor)
    guard let first = pdu.u8(0) else { return }
    let packet = PacketType(rawValue: first >> 2 & 3)
    if packet == .start { at = startLayout.walk(pdu, in: at..<end, allowsSurplus: true, &visitor) }
    if packet == .single || packet == .start { at = signalLayout.walk(pdu, in: at..<end, allowsSurplus: true, &visitor) }
    guard let header = Header(pdu), at < end || header.packetType == .single else { return }
    if header.packetType != .single, context.opcode != joined {
      signals.unknown.walk(pdu, in: at..<end, &visitor)
      return
    }
    let row = header.messageType == .generalReject ? nil : header.signal.flatMap { signals[code(header, $0)] }
    if let row { row.parameters.walk(pdu, in: at..<end, &visitor) } else if at < end { signals.unknown.walk(pdu, in: at..<end, &visitor) }
  }

  private static func code(_ header: Header, _ signal: SignalIdentifier) -> UInt32 {
    UInt32(header.messageType.rawValue) << 8 | UInt32(signal.rawValue)
  }

  /// Code of rows whose PDU was joined from several packets of a signal: the start packet, followed by the rest.
  public static let joined: UInt32 = 1

  /// Signals by message type and identifier; their layouts start after the identifier.
  static let signals = PDUTable(text)
  private static let headerLayout = signals.layout("header")
  private static let startLayout = signals.layout("start")
  private static let signalLayout = signals.layout("signal")

  /// The codec of a configuration, as a number of ``A2DP/Codec``, and whether media have a content protection header. `range` is a list of
  /// service capabilities (8.21).
  public static func stream(_ pdu: RawSpan, in range: Range<Int>) -> (codec: A2DP.Codec, isProtected: Bool) {
    var found = (codec: A2DP.Codec.unknown, isProtected: false)
    var isVideo = false
    var at = range.lowerBound
    let end = min(range.upperBound, pdu.byteCount)
    while at < end, let category = pdu.u8(at), let length = pdu.u8(at &+ 1) {
      let start = at &+ 2
      let stop = min(start &+ Int(length), end)
      if category == 7, stop &- start >= 2, let media = pdu.u8(start), let type = pdu.u8(start &+ 1), media >> 4 == 0 {
        if type == 0xFF, stop &- start >= 8 {
          found.codec = A2DP.Codec(
            vendor: UInt32(pdu.integer(start &+ 2, 4)), codec: UInt16(truncatingIfNeeded: pdu.integer(start &+ 6, 2)))
        } else {
          found.codec = A2DP.Codec(type: type)
        }
      }
      // Video is sent after an RTP header too; for vendors' types this is unknown.
      if category == 7, stop &- start >= 2, let media = pdu.u8(start), let type = pdu.u8(start &+ 1), media >> 4 == 1 {
        found.codec = type == 0xFF ? .other : .video
        isVideo = true
      }
      // SCMS-T adds a byte before the media (A2DP, 3.2.1-2).
      if category == 4, stop &- start >= 2, pdu.integer(start, 2) == 2 { found.isProtected = true }
      at = stop
    }
    if isVideo { found.isProtected = false }
    return found
  }
}
