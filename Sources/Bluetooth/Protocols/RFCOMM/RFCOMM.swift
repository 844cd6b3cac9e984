import PacketCodecs

/// RFCOMM (serial port emulation over GSM TS 07.10): frames, and the messages of its multiplexer.
public enum RFCOMM {
  /// Bit in the opcode of rows with a protocol over RFCOMM: the PDU is the header of a frame, followed by data of several frames, without a frame
  /// check sequence.
  public static let joined: UInt32 = 1

  /// Types of frames (TS 07.10, 5.2.1.3): the control byte without its poll/final bit.
  public enum FrameType: UInt8, CaseIterable, Sendable {
    case ui = 0x03, dm = 0x0F, sabm = 0x2F, disc = 0x43, ua = 0x63, uih = 0xEF

    /// The type of a control byte, or nil where it is not defined.
    @inlinable
    public init?(control: UInt8) { self.init(rawValue: control & 0xEF) }
  }

  /// The header of a frame.
  public struct Frame: Sendable {
    /// Data link connection identifier: 0 for the multiplexer, else a server channel with a direction bit.
    public let dlci: UInt8
    /// The control byte, poll/final bit included.
    public let control: UInt8
    /// Range of the payload without credits, limited to the bytes present.
    public let payload: Range<Int>
    /// Number of payload bytes according to the header.
    public let length: Int
    /// Credits in the frame (UIH with the poll/final bit, not on DLCI 0), or nil.
    public let credits: UInt8?

    /// Its type, or nil where that is not defined.
    @inlinable
    public var type: FrameType? { FrameType(control: control) }
    /// The server channel, 0 for the multiplexer's own.
    @inlinable
    public var channel: UInt8 { dlci >> 1 }
    /// Name of the frame, or nil where the type is not defined.
    public var name: StaticName? { RFCOMM.frames.name(UInt32(control & 0xEF)) }

    /// Reads the frame in a part of `bytes`, or nil where its header is incomplete.
    @inlinable
    public init?(_ bytes: RawSpan, in range: Range<Int>? = nil) {
      let range = (range ?? 0..<bytes.byteCount).clamped(to: 0..<bytes.byteCount)
      guard range.count >= 3, let address = bytes.u8(range.lowerBound), let control = bytes.u8(range.lowerBound &+ 1),
        let low = bytes.u8(range.lowerBound &+ 2)
      else { return nil }
      var at = range.lowerBound &+ 3
      var length = Int(low >> 1)
      if low & 1 == 0 {
        guard at < range.upperBound, let high = bytes.u8(at) else { return nil }
        length |= Int(high) << 7
        at &+= 1
      }
      dlci = address >> 2
      self.control = control
      self.length = length
      if control == 0xFF, address >> 2 != 0, at < range.upperBound, let credits = bytes.u8(at) {
        self.credits = credits
        at &+= 1
      } else {
        credits = nil
      }
      payload = at..<min(at &+ length, range.upperBound)
    }
  }

  /// Whether the bytes are one complete frame with a correct frame check sequence (TS 07.10, 5.2.1.6).
  public static func isFrame(_ bytes: RawSpan) -> Bool {
    guard let frame = Frame(bytes), frame.name != nil, frame.payload.count == frame.length,
      frame.payload.upperBound &+ 1 == bytes.byteCount,
      let address = bytes.u8(0), let first = bytes.u8(2), let check = bytes.u8(frame.payload.upperBound), address & 1 == 1
    else { return false }
    let second = first & 1 == 0 ? bytes.u8(3) : nil
    return Self.check(address, frame.control, frame.type == .uih ? [] : [first] + (second.map { [$0] } ?? [])) == check
  }

  /// The frame check sequence of a frame (TS 07.10, 5.2.1.6): it is computed over address and control, and except in UIH frames over the length.
  public static func check(_ address: UInt8, _ control: UInt8, _ length: [UInt8] = []) -> UInt8 {
    var crc: UInt8 = 0xFF
    for byte in [address, control] + length {
      crc ^= byte
      for _ in 0..<8 { crc = crc & 1 == 1 ? crc >> 1 ^ 0xE0 : crc >> 1 }
    }
    return 0xFF &- crc
  }

  /// Reports the fields of a frame to `visitor`. Returns its row, or nil where it has none.
  @inlinable
  @discardableResult
  public static func walk<Visitor: FieldVisitor>(_ bytes: RawSpan, in range: Range<Int>? = nil, _ visitor: inout Visitor) -> PDU? {
    let range = (range ?? 0..<bytes.byteCount).clamped(to: 0..<bytes.byteCount)
    guard let frame = Frame(bytes, in: range) else {
      shortHeader.walk(bytes, in: range, &visitor)
      return nil
    }
    _ = walkHeader(bytes, in: range, &visitor)
    if frame.dlci == 0, frame.type == .uih, let message = multiplexerMessage(bytes, in: frame.payload) {
      let at = multiplexerHeader.walk(bytes, in: frame.payload, allowsSurplus: true, &visitor)
      (message.pdu?.parameters ?? payloadLayout).walk(bytes, in: at..<frame.payload.upperBound, &visitor)
    } else if frame.length > 0 {
      payloadLayout.walk(bytes, in: frame.payload, &visitor)
    }
    trailer.walk(bytes, in: frame.payload.upperBound..<range.upperBound, &visitor)
    return frames[UInt32(frame.control & 0xEF)]
  }

  /// Reports the fields of a frame's header, credits included. Returns the offset after it.
  @inlinable
  static func walkHeader<Visitor: FieldVisitor>(_ bytes: RawSpan, in range: Range<Int>? = nil, _ visitor: inout Visitor) -> Int {
    let range = (range ?? 0..<bytes.byteCount).clamped(to: 0..<bytes.byteCount)
    guard let frame = Frame(bytes, in: range), let low = bytes.u8(range.lowerBound &+ 2) else {
      return shortHeader.walk(bytes, in: range, &visitor)
    }
    let at = (low & 1 == 0 ? longHeader : shortHeader).walk(bytes, in: range, allowsSurplus: true, &visitor)
    return frame.credits == nil ? at : creditsHeader.walk(bytes, in: at..<range.upperBound, allowsSurplus: true, &visitor)
  }

  /// The range of a frame's data. With `isJoined`, the bytes are a frame's header, followed by data of several frames.
  public static func information(of bytes: RawSpan, isJoined: Bool) -> Range<Int> {
    guard let frame = Frame(bytes) else { return bytes.byteCount..<bytes.byteCount }
    return isJoined ? frame.payload.lowerBound..<bytes.byteCount : frame.payload
  }

  /// A message of the multiplexer, which is sent on DLCI 0 (TS 07.10, 5.4.6): its row where it has one, and whether it is a command (else it is a
  /// response). Nil where its header is incomplete.
  @inlinable
  public static func multiplexerMessage(_ bytes: RawSpan, in range: Range<Int>) -> (pdu: PDU?, isCommand: Bool)? {
    let range = range.clamped(to: 0..<bytes.byteCount)
    guard range.count >= 2, let type = bytes.u8(range.lowerBound) else { return nil }
    return (multiplexer[UInt32(type >> 2)], type & 2 != 0)
  }

  /// The name of a multiplexer message by its type, or nil where it is not defined.
  public static func messageName(_ type: UInt8) -> StaticName? { messageNames?.name(of: UInt64(type)) }
  private static let messageNames = Enumeration.named("rfcomm-message")

  /// Messages of the multiplexer by type (the type byte without its two lowest bits).
  public static let multiplexer = PDUTable(multiplexerText)
  @usableFromInline static let multiplexerHeader = multiplexer.layout("header")

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

  static let multiplexerText: StaticString = """
    @header
      :bits8(message_ea:1 command:1 message:6{rfcomm-message}) :bits8(message_length_ea:1 message_length:7)

    0x04 NSC
      :bits8(-:1 refused_command:1 refused_message:6{rfcomm-message})
    0x08 TEST
      pattern:b*
    0x10 PSC
    0x14 RLS
      :bits8(-:2 message_dlci:6) :bits8(error:1 overrun:1 parity:1 framing:1 -:4)
    0x18 FCoff
    0x20 PN
      :bits8(message_dlci:6 -:2) :bits8(frame_type:4 credit_flow:4{rfcomm-credits}) :bits8(priority:6 -:2) acknowledgement_timer:u8
      maximum_frame_size:u16 maximum_retransmissions:u8 initial_credits:u8
    0x24 RPN
      :bits8(-:2 message_dlci:6)
      ?+1(baud_rate:u8{rfcomm-baud} :bits8(data_bits:2{rfcomm-data-bits} stop_bits:1 parity_enabled:1 parity_type:2 -:2)
      flow_control:x8 xon:x8 xoff:x8 parameter_mask:x16)
    0x28 FCon
    0x30 CLD
    0x38 MSC
      :bits8(-:2 message_dlci:6)
      :bits8(-:1 flow_stopped:1 ready_to_communicate:1 ready_to_receive:1 -:2 incoming_call:1 data_valid:1)
      ?+1(break_signal:x8)
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

    enum rfcomm-message
      0x04 non-supported command
      0x08 test
      0x10 power saving control
      0x14 remote line status
      0x18 flow control off
      0x20 parameter negotiation
      0x24 remote port negotiation
      0x28 flow control on
      0x30 close down
      0x38 modem status

    enum rfcomm-credits
      0x0 no credits
      0xe credits accepted
      0xf credits offered

    enum rfcomm-baud
      0 2400
      1 4800
      2 7200
      3 9600
      4 19200
      5 38400
      6 57600
      7 115200
      8 230400

    enum rfcomm-data-bits
      0 5
      1 6
      2 7
      3 8
    """
}
