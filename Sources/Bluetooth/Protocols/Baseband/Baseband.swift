import PacketCodecs

/// BR/EDR baseband packets as captured on the air (Core, Vol 2, Part B, 6): packet header and payload header.
public enum Baseband: ProtocolDescription {
  static var id: ProtocolID { .baseband }
  static var name: StaticName { "baseband" }
  static var tables: [PDUTable] { [packets] }
  static func hasFields(_ row: PDU) -> Bool { plainLayout(row.code) != nil }
  static var state: StaticString { "connections; fragments are joined where it is known who sent them" }

  /// The header that a capture puts before the payload of a packet.
  public enum Form: UInt8, Sendable {
    /// The 22 bytes before the payload (link type 255).
    case pseudoHeader
    /// The clock, the channel, a byte of flags and the packet header, then the payload, whose header always has two bytes, without a CRC: the packets
    /// of the ESP32 sniffer (H4 type 9).
    case esp32
  }

  /// The TYPE field of the packet header (6.5). The cases are named for ACL and SCO links; eSCO and enhanced data rate reuse the same numbers.
  public enum PacketType: UInt8, CaseIterable, Sendable {
    case null, poll, fhs, dm1, dh1, hv1, ev3of2, ev3, dv, aux1, dm3, dh3, ev4, ev5, dm5, dh5
  }

  /// The result of checking the payload's CRC.
  public enum Check: Sendable { case right, wrong, notKnown }

  /// The decoded headers of a packet.
  public struct Packet: Sendable {
    /// Its form.
    public let form: Form
    /// The packet's type.
    public let type: PacketType
    /// Whether TYPE has the meaning for Enhanced Data Rate; nil where the capture does not record it.
    public private(set) var isEnhanced: Bool?
    /// The payload, its own header and CRC included.
    public let payload: Range<Int>
    /// The payload can be decoded: it is not whitened, and not marked as encrypted.
    public private(set) var isPlain = true
    /// The capturing program marked the payload as decrypted.
    public private(set) var isDecrypted = false
    /// The result of checking the payload's CRC.
    public private(set) var check = Check.notKnown
    /// LLID: 1 continuation of an L2CAP PDU, 2 start of one, 3 LMP; nil where the payload has no header.
    public private(set) var llid: UInt8?
    /// The length field of the payload header.
    public private(set) var length = 0
    /// The payload without header and CRC, limited to the bytes present.
    public private(set) var body: Range<Int>

    /// Decodes the headers; nil where they are truncated or invalid.
    public init?(_ bytes: RawSpan, _ form: Form) {
      self.form = form
      let count = bytes.byteCount
      let headerSize: Int
      switch form {
      case .pseudoHeader:
        guard count >= 22 else { return nil }
        let flags = bytes.integer(20, 2)
        let rate = bytes.byte(4)
        type = PacketType(rawValue: UInt8(truncatingIfNeeded: bytes.integer(16, 4) >> 3 & 15)) ?? .null
        isEnhanced = rate == 0xFF ? nil : rate & 15 != 0
        payload = 22..<(flags & 0x20 != 0 ? count : 22)
        isPlain = flags & 1 != 0
        isDecrypted = flags & 8 != 0
        body = payload
        guard isPlain, !payload.isEmpty else { return }
        if flags & 0x400 != 0 { check = flags & 0x800 != 0 ? .right : .wrong }
        guard !Self.isVoice(type, transport: rate == 0xFF ? 0 : rate >> 4), let size = headerSizeOf(type) else { return }
        headerSize = size
      case .esp32:
        guard count >= 8, bytes.byte(4) < 79, bytes.byte(5) & 0x0C == 0 else { return nil }
        type = PacketType(rawValue: bytes.byte(6) >> 3 & 15) ?? .null
        isEnhanced = bytes.byte(5) & 1 != 0
        payload = 8..<count
        body = payload
        guard !payload.isEmpty, !Self.isVoice(type, transport: 0), headerSizeOf(type) != nil else { return }
        headerSize = 2
      }
      guard payload.count >= headerSize else { return }
      let header = bytes.integer(payload.lowerBound, headerSize)
      llid = UInt8(truncatingIfNeeded: header & 3)
      length = Int(header >> 3) & (headerSize == 1 ? 0x1F : 0x3FF)
      let start = payload.lowerBound &+ headerSize
      body = start..<min(start &+ length, payload.upperBound)
      if form == .pseudoHeader, check == .notKnown, body.count == length, body.upperBound &+ 2 <= count, bytes.integer(20, 2) & 0x80 != 0 {
        let sent = UInt16(truncatingIfNeeded: bytes.integer(body.upperBound, 2))
        check = Baseband.crc(bytes, in: payload.lowerBound..<body.upperBound, upper: bytes.byte(15)) == sent ? .right : .wrong
      }
    }

    /// Number of bytes of the payload's header; nil where it has none.
    private func headerSizeOf(_ type: PacketType) -> Int? {
      switch type {
      case .dm1, .aux1: 1
      case .dh1: isEnhanced == true ? 2 : 1
      // DV packets have voice before their data.
      case .dv: isEnhanced == true ? 2 : nil
      case .dm3, .dh3, .dm5, .dh5: 2
      default: nil
      }
    }

    private static func isVoice(_ type: PacketType, transport: UInt8) -> Bool {
      switch type {
      case .hv1, .ev3of2, .ev3, .ev4, .ev5: true
      default: transport == 1 || transport == 2
      }
    }

    /// The number of its row in the table of names.
    public var code: UInt32 { UInt32(type.rawValue) | (isEnhanced.map { $0 ? 0x10 : 0 } ?? 0x20) }
  }

  /// The payload's CRC (7.1.2), whose initial value is the upper address part of the central.
  public static func crc(_ bytes: RawSpan, in range: Range<Int>, upper: UInt8) -> UInt16 {
    // Bits are sent least significant first, so that the register is kept reversed.
    var state: UInt16 = 0
    var bit: UInt16 = 0
    while bit < 8 {
      state |= (UInt16(upper) >> bit & 1) << (15 &- bit)
      bit &+= 1
    }
    for at in range.clamped(to: 0..<bytes.byteCount) {
      state ^= UInt16(bytes.byte(at))
      bit = 0
      while bit < 8 {
        state = state & 1 != 0 ? state >> 1 ^ 0x8408 : state >> 1
        bit &+= 1
      }
    }
    return state
  }

  /// The address in the payload of an FHS packet (6.5.1.4), or nil where it is incomplete.
  public static func address(ofFHS bytes: RawSpan, at offset: Int) -> UInt64? {
    guard offset >= 0, bytes.byteCount >= 18, offset <= bytes.byteCount &- 18 else { return nil }
    let lower = bytes.integer(offset, 8) >> 34 & 0xFF_FFFF
    return lower | UInt64(bytes.byte(offset &+ 8)) << 24 | bytes.integer(offset &+ 9, 2) << 32
  }

  /// A bit of the opcode besides ``Packet/code``: the PDU begins with the header of ``Form/esp32``.
  public static let hasHeader: UInt32 = 0x100
  /// Another bit: the payload is not decoded.
  public static let isClosed: UInt32 = 0x200

  static func name(of pdu: RawSpan, _ context: PDUContext) -> StaticName { packets.name(context.opcode & 0x3F) ?? "Baseband Packet" }

  static func walk<Visitor: FieldVisitor>(_ pdu: RawSpan, _ context: PDUContext, _ visitor: inout Visitor) {
    var at = 0
    if context.opcode & hasHeader != 0 { at = esp32.walk(pdu, allowsSurplus: true, &visitor) }
    guard at < pdu.byteCount else { return }
    let layout: Layout
    if context.opcode & isClosed != 0 {
      layout = closed
    } else if context.opcode & hasHeader != 0, context.opcode & 15 != PacketType.fhs.rawValue {
      layout = pdu.byteCount > 5 && pdu.byte(5) & 0x80 != 0 ? inquiry : long
    } else {
      layout = plainLayout(context.opcode) ?? closed
    }
    layout.walk(pdu, in: at..<pdu.byteCount, &visitor)
  }

  /// The layout of a packet's payload by its ``Packet/code``; nil for voice, or without a layout.
  private static func plainLayout(_ code: UInt32) -> Layout? {
    let isEnhanced = code & 0x10 != 0
    return switch PacketType(rawValue: UInt8(truncatingIfNeeded: code & 15)) {
    case .fhs: fhs
    case .dm1, .aux1: short
    case .dh1: isEnhanced ? long : short
    case .dm3, .dh3, .dm5, .dh5: long
    case .dv where isEnhanced: long
    default: nil
    }
  }

  /// Names of packets by ``Packet/code``.
  static let packets = PDUTable(text)
  private static let esp32 = packets.layout("esp32")
  private static let fhs = packets.layout("fhs")
  private static let short = packets.layout("short")
  private static let long = packets.layout("long")
  private static let inquiry = packets.layout("inquiry")
  private static let closed = packets.layout("unknown")

  static let text: StaticString = """
    @esp32
      clock:u32 rf_channel:u8
      :bits8(packet_type_table:1{baseband-table} role:1{baseband-role} -:2 is_sent:1 tx_encrypted:1 rx_encrypted:1 extended_inquiry_response:1)
      :bits16(lt_addr:3 packet_type:4 flow:1 arqn:1 seqn:1 -:6)
    @fhs
      :bits64(parity:34 lower_address_part:24 fhs_extended_inquiry_response:1 -:1 scan_repetition:2{repetition-mode} -:2)
      upper_address_part:x8 non_significant_address_part:x16 class_of_device:x24
      :bits32(fhs_lt_addr:3 clock_2_27:26 page_scan_mode:3) ?+2(crc:x16)
    @short
      :bits8(llid:2{baseband-llid} payload_flow:1 payload_length:5) data:b(payload_length) ?+2(crc:x16)
    @long
      :bits16(llid:2{baseband-llid} payload_flow:1 payload_length:10 -:3) data:b(payload_length) ?+2(crc:x16)
    @inquiry
      :bits16(llid:2{baseband-llid} payload_flow:1 payload_length:10 -:3) inquiry_response:ad(payload_length)
    @unknown
      data:b*

    0x00 NULL
    0x01 POLL
    0x02 FHS
    0x03 DM1
    0x04 DH1
    0x05 HV1
    0x06 HV2
    0x07 HV3 or EV3
    0x08 DV
    0x09 AUX1
    0x0a DM3
    0x0b DH3
    0x0c EV4
    0x0d EV5
    0x0e DM5
    0x0f DH5
    0x10 NULL
    0x11 POLL
    0x12 FHS
    0x13 DM1
    0x14 2-DH1
    0x15 HV1
    0x16 2-EV3
    0x17 3-EV3
    0x18 3-DH1
    0x19 AUX1
    0x1a 2-DH3
    0x1b 3-DH3
    0x1c 2-EV5
    0x1d 3-EV5
    0x1e 2-DH5
    0x1f 3-DH5
    0x20 NULL
    0x21 POLL
    0x22 FHS
    0x23 DM1
    0x24 DH1 or 2-DH1
    0x25 HV1
    0x26 HV2 or 2-EV3
    0x27 HV3, EV3 or 3-EV3
    0x28 DV or 3-DH1
    0x29 AUX1
    0x2a DM3 or 2-DH3
    0x2b DH3 or 3-DH3
    0x2c EV4 or 2-EV5
    0x2d EV5 or 3-EV5
    0x2e DM5 or 2-DH5
    0x2f DH5 or 3-DH5
    """

  static let enumerationText: StaticString = """
    enum baseband-table
      0 basic rate
      1 enhanced data rate
    enum baseband-role
      0 central
      1 peripheral
    enum baseband-llid
      0 reserved
      1 continuation
      2 start
      3 lmp
    """
}
