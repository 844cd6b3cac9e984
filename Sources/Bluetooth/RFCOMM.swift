/// RFCOMM (Serial Port emulation over GSM TS 07.10): frames, enough to name them and to find their payload.
public enum RFCOMM {
  /// The header of a frame.
  public struct Frame: Sendable {
    /// Data link connection identifier: 0 for multiplexer commands, else a server channel with a direction bit.
    public let dlci: UInt8
    /// The control byte, poll/final bit included.
    public let control: UInt8
    /// Where the payload lies, as far as it is there; credits (where there are any) not among it.
    public let payload: Range<Int>
    /// Number of payload bytes that the frame says it has.
    public let length: Int
    /// Credits that the frame gives (UIH with the poll/final bit, not on DLCI 0), or nil.
    public let credits: UInt8?

    /// The control byte without its poll/final bit: 0x2F SABM, 0x63 UA, 0x0F DM, 0x43 DISC, 0xEF UIH, 0x03 UI.
    @inlinable
    public var type: UInt8 { control & 0xEF }
    /// The poll/final bit.
    @inlinable
    public var pollFinal: Bool { control & 0x10 != 0 }
    /// The server channel, 0 for the multiplexer's own.
    @inlinable
    public var channel: UInt8 { dlci >> 1 }
    /// Name of the frame, or nil where the type is not defined.
    public var name: StaticName? { RFCOMM.frames.name(UInt32(type)) }

    /// Reads the frame in a part of `bytes`, or nil where its header is not all there.
    @inlinable
    public init?(_ bytes: RawSpan, in range: Range<Int>? = nil) {
      let range = (range ?? 0..<bytes.byteCount).clamped(to: 0..<bytes.byteCount)
      guard range.count >= 3, let address = HCI.u8(bytes, range.lowerBound), let control = HCI.u8(bytes, range.lowerBound &+ 1),
        let low = HCI.u8(bytes, range.lowerBound &+ 2)
      else { return nil }
      var at = range.lowerBound &+ 3
      var length = Int(low >> 1)
      if low & 1 == 0 {
        guard at < range.upperBound, let high = HCI.u8(bytes, at) else { return nil }
        length |= Int(high) << 7
        at &+= 1
      }
      dlci = address >> 2
      self.control = control
      self.length = length
      if control == 0xFF, address >> 2 != 0, at < range.upperBound, let credits = HCI.u8(bytes, at) {
        self.credits = credits
        at &+= 1
      } else {
        credits = nil
      }
      payload = at..<min(at &+ length, range.upperBound)
    }
  }

  /// Tells the fields of a frame to `visitor`. Returns its row, or nil where it has none.
  @inlinable
  @discardableResult
  public static func walk<Visitor: FieldVisitor>(_ bytes: RawSpan, in range: Range<Int>? = nil, _ visitor: inout Visitor) -> PDU? {
    let range = (range ?? 0..<bytes.byteCount).clamped(to: 0..<bytes.byteCount)
    guard let frame = Frame(bytes, in: range), let low = HCI.u8(bytes, range.lowerBound &+ 2) else {
      shortHeader.walk(bytes, in: range, &visitor)
      return nil
    }
    var at = (low & 1 == 0 ? longHeader : shortHeader).walk(bytes, in: range, allowsSurplus: true, &visitor)
    if frame.credits != nil { at = creditsHeader.walk(bytes, in: at..<range.upperBound, allowsSurplus: true, &visitor) }
    payloadLayout.walk(bytes, in: frame.payload, &visitor)
    trailer.walk(bytes, in: frame.payload.upperBound..<range.upperBound, &visitor)
    return frames[UInt32(frame.type)]
  }

  /// Frames by type (the control byte without its poll/final bit).
  public static let frames = PDUTable(text)
  @usableFromInline static let shortHeader = frames.layout("short")
  @usableFromInline static let longHeader = frames.layout("long")
  @usableFromInline static let creditsHeader = frames.layout("credits")
  @usableFromInline static let payloadLayout = frames.layout("payload")
  @usableFromInline static let trailer = frames.layout("trailer")

  static let text: StaticString = """
    @short
      :bits8(ea:1 cr:1 dlci:6) control:x8{rfcomm-control} :bits8(length_ea:1 length:7)
    @long
      :bits8(ea:1 cr:1 dlci:6) control:x8{rfcomm-control} :bits16(length_ea:1 length:15)
    @credits
      credits:u8
    @payload
      information:b*
    @trailer
      fcs:x8

    0x03 UI
    0x0f DM
    0x2f SABM
    0x43 DISC
    0x63 UA
    0xef UIH
    """

  static let enumerationText: StaticString = """
    enum rfcomm-control
      0x03 ui
      0x0f dm
      0x13 ui, poll/final
      0x1f dm, poll/final
      0x2f sabm
      0x3f sabm, poll/final
      0x43 disc
      0x53 disc, poll/final
      0x63 ua
      0x73 ua, poll/final
      0xef uih
      0xff uih, poll/final
    """
}
