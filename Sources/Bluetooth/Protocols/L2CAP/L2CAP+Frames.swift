import PacketCodecs

/// Frames of the retransmission, flow control and streaming modes (Core, Vol 3, Part A, 3.3): a control field after the header, the SDU's length in
/// its first frame, a frame check sequence at the end.
extension L2CAP {
  /// The fields of a channel's frames besides header and payload, as its ends agreed.
  public struct FrameFormat: OptionSet, Sendable, Hashable {
    /// The bits.
    public let rawValue: UInt8
    /// Makes a format from its bits.
    @inlinable
    public init(rawValue: UInt8) { self.rawValue = rawValue }
    /// There is a control field of 16 bits; without it, the frame is one of basic mode, or of flow control with credits.
    public static let control = FrameFormat(rawValue: 1)
    /// The control field has 32 bits.
    public static let extended = FrameFormat(rawValue: 2)
    /// A frame check sequence ends the frame.
    public static let checked = FrameFormat(rawValue: 4)
    /// Retransmission and flow control mode: bit 7 of the control field disables retransmission instead of responding to a poll.
    public static let earlier = FrameFormat(rawValue: 8)
  }

  /// The mode of a channel (Part A, 5.4).
  public enum ChannelMode: UInt8, Sendable {
    case basic, retransmission, flowControl, enhancedRetransmission, streaming
  }

  /// Segmentation and reassembly: the part of an SDU in an I-frame (Part A, 3.3.2).
  public enum Segment: UInt8, CaseIterable, Sendable { case unsegmented, start, end, continuation }

  /// The supervisory function of an S-frame (Part A, 3.3.2).
  public enum Supervisory: UInt8, CaseIterable, Sendable { case receiverReady, reject, receiverNotReady, selectiveReject }

  /// The control field of a frame.
  public struct Control: Sendable, Equatable {
    /// The supervisory function of an S-frame; nil for an I-frame.
    public let supervisory: Supervisory?
    /// TxSeq of an I-frame; 0 in an S-frame.
    public let txSeq: UInt16
    /// ReqSeq: TxSeq of the next I-frame that the sender expects, which acknowledges those before.
    public let reqSeq: UInt16
    /// The part of an SDU.
    public let segment: Segment
    /// The sender requests a response (P bit).
    public let isPoll: Bool
    /// It responds to a poll (F bit).
    public let isFinal: Bool

    /// Reads the control field after the header of a frame, or nil where it is incomplete.
    public init?(_ frame: RawSpan, _ format: FrameFormat) {
      let width = format.contains(.extended) ? 4 : 2
      guard format.contains(.control), frame.byteCount >= Header.size &+ width else { return nil }
      let bits = UInt32(truncatingIfNeeded: frame.integer(Header.size, width, isBigEndian: false))
      let isSupervisory = bits & 1 != 0
      let isExtended = format.contains(.extended)
      let low = UInt8(truncatingIfNeeded: isExtended ? bits >> 16 & 3 : isSupervisory ? bits >> 2 & 3 : bits >> 14 & 3)
      supervisory = isSupervisory ? Supervisory(rawValue: low) : nil
      segment = isSupervisory ? .unsegmented : Segment(rawValue: low) ?? .unsegmented
      reqSeq = UInt16(truncatingIfNeeded: isExtended ? bits >> 2 & 0x3FFF : bits >> 8 & 0x3F)
      txSeq = isSupervisory ? 0 : UInt16(truncatingIfNeeded: isExtended ? bits >> 18 : bits >> 1 & 0x3F)
      let hasPoll = !format.contains(.earlier)
      isPoll = isSupervisory && hasPoll && bits & (isExtended ? 1 << 18 : 1 << 4) != 0
      isFinal = hasPoll && bits & (isExtended ? 2 : 1 << 7) != 0
    }
  }

  /// Range of the information payload of an I-frame: after control field and length of the SDU, before the frame check sequence.
  public static func payload(_ frame: RawSpan, _ format: FrameFormat, _ control: Control) -> Range<Int> {
    guard control.supervisory == nil, frame.byteCount >= Header.size else { return frame.byteCount..<frame.byteCount }
    let end = max(Header.size, frame.byteCount &- (format.contains(.checked) ? 2 : 0))
    let start = Header.size &+ (format.contains(.extended) ? 4 : 2) &+ (control.segment == .start ? 2 : 0)
    return min(start, end)..<end
  }

  /// Whether the frame check sequence at the end of a complete frame is right (Part A, 3.3.5).
  public static func isCheckRight(_ frame: RawSpan) -> Bool {
    guard frame.byteCount >= 2 else { return false }
    var state: UInt16 = 0
    for at in 0..<frame.byteCount &- 2 { state = checkTable[Int(UInt8(truncatingIfNeeded: state) ^ (frame.u8(at) ?? 0))] ^ state >> 8 }
    return UInt64(state) == frame.integer(frame.byteCount &- 2, 2, isBigEndian: false)
  }

  /// x^16 + x^15 + x^2 + 1 of a byte, least significant bit first.
  private static let checkTable = StaticTable<UInt16>(
    (0..<256).map { byte in (0..<8).reduce(UInt16(byte)) { state, _ in state & 1 != 0 ? state >> 1 ^ 0xA001 : state >> 1 } })

  /// The name of a frame with a control field.
  static func frameName(_ frame: RawSpan, _ format: FrameFormat) -> StaticName {
    guard let control = Control(frame, format) else { return "L2CAP Data" }
    switch control.supervisory {
    case .receiverReady?: return "Receiver Ready"
    case .reject?: return "Reject"
    case .receiverNotReady?: return "Receiver Not Ready"
    case .selectiveReject?: return "Selective Reject"
    case nil: return "I-frame"
    }
  }

  /// Reports the fields of a frame with a control field.
  static func walkFrame<Visitor: FieldVisitor>(_ frame: RawSpan, _ format: FrameFormat, _ visitor: inout Visitor) {
    var at = header.walk(frame, allowsSurplus: true, &visitor)
    let isSupervisory = (frame.u8(Header.size) ?? 0) & 1 != 0
    let layout =
      format.contains(.extended)
      ? (isSupervisory ? supervisoryExtended : informationExtended)
      : format.contains(.earlier)
        ? (isSupervisory ? supervisoryEarlier : informationEarlier) : isSupervisory ? supervisory : information
    at = layout.walk(frame, in: at..<frame.byteCount, allowsSurplus: true, &visitor)
    guard let control = Control(frame, format) else { return }
    if control.segment == .start { at = sduLength.walk(frame, in: at..<frame.byteCount, allowsSurplus: true, &visitor) }
    let end = max(at, frame.byteCount &- (format.contains(.checked) ? 2 : 0))
    if at < end { data.walk(frame, in: at..<end, &visitor) }
    if format.contains(.checked) { fcs.walk(frame, in: end..<frame.byteCount, &visitor) }
  }

  private static let information = signaling.layout("i-frame")
  private static let supervisory = signaling.layout("s-frame")
  private static let informationExtended = signaling.layout("i-frame-extended")
  private static let supervisoryExtended = signaling.layout("s-frame-extended")
  private static let informationEarlier = signaling.layout("i-frame-earlier")
  private static let supervisoryEarlier = signaling.layout("s-frame-earlier")
  private static let sduLength = signaling.layout("sdu-length")
  private static let fcs = signaling.layout("fcs")
}
