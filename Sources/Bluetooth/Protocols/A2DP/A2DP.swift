import PacketCodecs

/// Media of the Advanced Audio Distribution Profile (A2DP 1.4): packets of the Real-time Transport Protocol (RFC 3550) on channels that AVDTP opens,
/// with the headers of the codec's frames. The codec is known if the capture has the configuration of the stream.
public enum A2DP: ProtocolDescription {
  static var id: ProtocolID { .a2dp }
  static var name: StaticName { "a2dp" }
  static var traits: ProtocolTraits { [.isMedia] }
  static var tables: [PDUTable] { [codecs] }
  static var state: StaticString { "streams: bit rate, packets lost, gaps" }
  static var isOnChannels: Bool { true }

  /// RTP with complete SBC frames to the end of the packet, of the number that precedes them (A2DP, 4.3.4).
  static func recognizes(_ pdu: RawSpan) -> Bool {
    guard pdu.u8(0) == 0x80, let count = pdu.u8(12), 1...15 ~= count else { return false }
    var at = 13
    for _ in 0..<count {
      guard pdu.u8(at) == 0x9C, let size = frameSize(pdu, at) else { return false }
      at += size
    }
    return at == pdu.byteCount
  }

  /// Codecs that a stream is configured for.
  public enum Codec: UInt8, CaseIterable, Sendable {
    case unknown, sbc, mpeg, aac, atrac, usac, aptX, aptXLowLatency, aptXHD, aptXAdaptive, ldac, lhdc, opus, scalable, other, video

    /// The codec of an audio codec type (Assigned Numbers, 6.5.1).
    init(type: UInt8) {
      switch type {
      case 0: self = .sbc
      case 1: self = .mpeg
      case 2: self = .aac
      case 3: self = .usac
      case 4: self = .atrac
      default: self = .other
      }
    }

    /// The codec for a vendor's codec identifier.
    init(vendor: UInt32, codec: UInt16) {
      switch (vendor, codec) {
      case (0x4F, 0x01): self = .aptX
      case (0x0A, 0x02), (0xD7, 0x02): self = .aptXLowLatency
      case (0xD7, 0x24): self = .aptXHD
      case (0xD7, 0xAD): self = .aptXAdaptive
      case (0x12D, 0xAA): self = .ldac
      case (0x53A, 0x4C32), (0x53A, 0x4C33), (0x53A, 0x4C35): self = .lhdc
      case (0xE0, 0x01): self = .opus
      case (0x75, 0x0102), (0x75, 0x0103): self = .scalable
      default: self = .other
      }
    }

    /// Name of the codec.
    public var name: StaticName { A2DP.codecs.name(UInt32(rawValue)) ?? "unknown codec" }
    /// Its frames are sent without an RTP header, unless they are protected.
    var isBare: Bool { self == .aptX || self == .aptXLowLatency }
    /// Whether the start of its packets is known; it is not for codecs that only their makers know (FastStream, and others).
    var isKnown: Bool { self != .unknown && self != .other }
  }

  /// The opcode of rows of a stream: the codec, and whether a content protection header precedes the media.
  public static func opcode(_ codec: Codec, isProtected: Bool) -> UInt32 { UInt32(codec.rawValue) | (isProtected ? 0x100 : 0) }

  /// Frames are sent without an RTP header: those of aptX without content protection.
  private static func isBare(_ opcode: UInt32) -> Bool { codec(opcode).isBare && opcode & 0x100 == 0 }

  /// Size in bytes of the RTP header at the start of a packet (RFC 3550, 5.1): 0 where the codec has none, or where it is incomplete or not of
  /// version 2.
  private static func headerSize(_ pdu: RawSpan, _ opcode: UInt32) -> Int {
    guard codec(opcode).isKnown, !isBare(opcode), let first = pdu.u8(0), first >> 6 == 2 else { return 0 }
    var size = 12 &+ 4 &* Int(first & 15)
    if first & 0x10 != 0 {
      guard size &+ 4 <= pdu.byteCount else { return 0 }
      size &+= 4 &+ 4 &* Int(pdu.integer(size &+ 2, 2, isBigEndian: true))
    }
    return size <= pdu.byteCount ? size : 0
  }

  /// The codec in the opcode of a row.
  public static func codec(_ opcode: UInt32) -> Codec { Codec(rawValue: UInt8(truncatingIfNeeded: opcode)) ?? .unknown }

  static func name(of pdu: RawSpan, _ context: PDUContext) -> StaticName {
    let codec = codec(context.opcode)
    return codec == .unknown ? "Media" : codec.name
  }

  static func walk<Visitor: FieldVisitor>(_ pdu: RawSpan, _ context: PDUContext, _ visitor: inout Visitor) {
    let codec = codec(context.opcode)
    let end = pdu.byteCount
    var at = 0
    let header = headerSize(pdu, context.opcode)
    guard codec.isKnown, header > 0 || isBare(context.opcode) else {
      codecs.unknown.walk(pdu, &visitor)
      return
    }
    if header > 0 { at = rtp.walk(pdu, in: 0..<header, allowsSurplus: true, &visitor) }
    if context.opcode & 0x100 != 0 { at = protection.walk(pdu, in: at..<end, allowsSurplus: true, &visitor) }
    guard at < end else { return }
    if let row = codecs[UInt32(codec.rawValue)], !row.parameters.isEmpty {
      at = row.parameters.walk(pdu, in: at..<end, allowsSurplus: true, &visitor)
    }
    if codec == .sbc { at = frames(pdu, at..<end, &visitor) }
    if at < end { codecs.unknown.walk(pdu, in: at..<end, &visitor) }
  }

  /// Reports the SBC frames (A2DP, 12.9) of a packet. Returns the offset after the last complete one.
  private static func frames<Visitor: FieldVisitor>(_ pdu: RawSpan, _ range: Range<Int>, _ visitor: inout Visitor) -> Int {
    var at = range.lowerBound
    // Of a fragmented frame, only the first fragment has a header.
    guard let header = pdu.u8(at &- 1), header & 0xC0 != 0x80, pdu.u8(at) == 0x9C else { return at }
    visitor.beginArray(framesField, at: at)
    while let size = frameSize(pdu, at), pdu.u8(at) == 0x9C {
      let start = at
      let stop = min(at &+ size, range.upperBound)
      visitor.beginObject(framesField, at: start)
      at = sbcFrame.walk(pdu, in: at..<stop, allowsSurplus: true, &visitor)
      if at < stop { frameData.walk(pdu, in: at..<stop, &visitor) }
      at = stop
      visitor.endObject(framesField, at: start..<stop)
    }
    visitor.endArray(framesField, at: range.lowerBound..<at)
    return at
  }

  /// Number of bytes of the SBC frame at `at` (A2DP, 12.9), or nil where its header is incomplete.
  static func frameSize(_ pdu: RawSpan, _ at: Int) -> Int? {
    guard let parameters = pdu.u8(at &+ 1), let bitpool = pdu.u8(at &+ 2) else { return nil }
    let blocks = (Int(parameters >> 4 & 3) + 1) * 4
    let mode = parameters >> 2 & 3
    let subbands = parameters & 1 == 0 ? 4 : 8
    let channels = mode == 0 ? 1 : 2
    let scaleFactors = 4 * subbands * channels / 8
    let isPerChannel = mode < 2
    let bits = isPerChannel ? blocks * channels * Int(bitpool) : (mode == 3 ? subbands : 0) + blocks * Int(bitpool)
    return 4 + scaleFactors + (bits + 7) / 8
  }

  /// The SBC frames that begin in a media packet: samples, sampling frequency in Hz, and bytes of each.
  public static func sbcFrames(_ pdu: RawSpan, _ opcode: UInt32) -> [(samples: Int, frequency: Int, size: Int)] {
    guard let payload = payload(pdu, opcode) else { return [] }
    var at = payload &+ 1
    guard let header = pdu.u8(at &- 1), header & 0xC0 != 0x80 else { return [] }
    var frames: [(samples: Int, frequency: Int, size: Int)] = []
    while pdu.u8(at) == 0x9C, let size = frameSize(pdu, at), let parameters = pdu.u8(at &+ 1) {
      let samples = (Int(parameters >> 4 & 3) + 1) * 4 * (parameters & 1 == 0 ? 4 : 8)
      frames.append((samples, [16_000, 32_000, 44_100, 48_000][Int(parameters >> 6)], size))
      at = at &+ size
    }
    return frames
  }

  /// The number of codec frames according to a media packet's header, if its codec has one.
  public static func frameCount(_ pdu: RawSpan, _ opcode: UInt32) -> Int? {
    let codec = codec(opcode)
    guard codec == .sbc || codec == .ldac || codec == .opus, let payload = payload(pdu, opcode), let header = pdu.u8(payload) else {
      return nil
    }
    return header & 0x80 != 0 ? nil : Int(header & 15)
  }

  /// Sequence number of a media packet, or nil where it has no RTP header.
  public static func sequenceNumber(_ pdu: RawSpan, _ opcode: UInt32) -> UInt16? {
    headerSize(pdu, opcode) > 0 ? UInt16(truncatingIfNeeded: pdu.integer(2, 2, isBigEndian: true)) : nil
  }

  /// RTP timestamp of a media packet: sampling instant of its first sample, by the clock of its stream (RFC 3550, 5.1); nil without an RTP header.
  public static func timestamp(_ pdu: RawSpan, _ opcode: UInt32) -> UInt32? {
    sequenceNumber(pdu, opcode).map { _ in UInt32(truncatingIfNeeded: pdu.integer(4, 4, isBigEndian: true)) }
  }

  /// Offset of the media after the headers; nil where the headers are unknown.
  private static func payload(_ pdu: RawSpan, _ opcode: UInt32) -> Int? {
    let header = headerSize(pdu, opcode)
    return header > 0 || isBare(opcode) ? header &+ (opcode & 0x100 != 0 ? 1 : 0) : nil
  }

  /// Codecs by their numbers, with the headers before their frames.
  static let codecs = PDUTable(text)
  private static let rtp = codecs.layout("rtp")
  private static let protection = codecs.layout("protection")
  private static let sbcFrame = codecs.layout("sbc-frame")
  private static let frameData = codecs.layout("frame-data")
  private static let framesField = codecs.layout("frames").fields.first ?? Field()

  static let text: StaticString = """
    @rtp
      :bits8(csrc_count:4 has_extension:1 has_padding:1 version:2) :bits8(payload_type:7 marker:1)
      sequence_number:u16be timestamp:u32be synchronization_source:x32be ?csrc_count>=1(contributing_sources[csrc_count]:x32be)
      ?has_extension==1(extension_profile:x16be extension_length:u16be extension:b(extension_length*4))
    @protection
      :bits8(l_bit:1 cp_bit:1 -:6)
    @payload
      :bits8(number_of_frames:4 -:1 is_last_fragment:1 is_first_fragment:1 is_fragmented:1)
    @sbc-frame
      sync_word:x8
      :bits8(subbands:1{sbc-frame-subbands} allocation_method:1{sbc-frame-allocation} channel_mode:2{sbc-frame-mode}
        blocks:2{sbc-frame-blocks} sampling_frequency:2{sbc-frame-frequency})
      bitpool:u8 crc_check:x8
    @frames
      frames:b*
    @frame-data
      audio_data:b*
    @unknown
      media_data:b*

    0 Unknown Codec
    1 SBC
      @payload
    2 MPEG-1,2 Audio
      :bits16be(-:16) fragment_offset:u16be
    3 AAC
    4 ATRAC
    5 USAC
    6 aptX
    7 aptX LL
    8 aptX HD
    9 aptX Adaptive
    10 LDAC
      @payload
      ?+3(:bits24be(ldac_frame_status:2 ldac_frame_length:9 ldac_channel_configuration:2{ldac-frame-mode}
        ldac_sampling_frequency:3{ldac-frame-frequency} ldac_sync_word:8))
    11 LHDC
    12 Opus
      @payload
    13 Samsung Scalable
    14 Vendor Codec
    15 Video
    """

  static let enumerationText: StaticString = """
    enum sbc-frame-subbands
      0 4
      1 8
    enum sbc-frame-allocation
      0 loudness
      1 snr
    enum sbc-frame-mode
      0 mono
      1 dual channel
      2 stereo
      3 joint stereo
    enum sbc-frame-blocks
      0 4
      1 8
      2 12
      3 16
    enum sbc-frame-frequency
      0 16 kHz
      1 32 kHz
      2 44.1 kHz
      3 48 kHz
    enum ldac-frame-frequency
      0 44.1 kHz
      1 48 kHz
      2 88.2 kHz
      3 96 kHz
    enum ldac-frame-mode
      0 mono
      1 dual channel
      2 stereo
    """
}
