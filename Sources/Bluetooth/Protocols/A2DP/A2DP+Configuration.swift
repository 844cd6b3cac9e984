import PacketCodecs

extension A2DP {
  /// The configuration of a stream: its codec and main parameters.
  public struct Configuration: Sendable, Equatable {
    /// Channel mode of the audio.
    public enum Mode: UInt8, CaseIterable, Sendable {
      case unknown, mono, dual, stereo, joint

      /// Name of the mode.
      public var name: StaticString {
        switch self {
        case .unknown: "unknown mode"
        case .mono: "mono"
        case .dual: "dual channel"
        case .stereo: "stereo"
        case .joint: "joint stereo"
        }
      }
    }

    /// The codec.
    public var codec: Codec
    /// Sampling frequency in Hz; 0 where it is not known.
    public var frequency = 0
    /// Its channel mode.
    public var mode = Mode.unknown
    /// SBC: the maximum bitpool; 0 for other codecs.
    public var bitpool: UInt8 = 0

    /// A configuration with an unknown frequency and mode.
    public init(codec: Codec) { self.codec = codec }

    /// The configuration in a list of service capabilities (AVDTP, 8.21); nil without an audio codec. For capabilities, which may have several values
    /// of a kind, frequency and mode stay unknown.
    public init?(_ pdu: RawSpan, in range: Range<Int>) {
      var found: Configuration?
      var at = range.lowerBound
      let end = min(range.upperBound, pdu.byteCount)
      while at < end, let category = pdu.u8(at), let length = pdu.u8(at &+ 1) {
        let start = at &+ 2
        let stop = min(start &+ Int(length), end)
        if category == 7, stop &- start >= 2, let media = pdu.u8(start), media >> 4 == 0 {
          found = Configuration(codec: AVDTP.stream(pdu, in: at..<stop).codec)
          found?.read(pdu, start &+ 2, stop)
        }
        at = stop
      }
      guard let found else { return nil }
      self = found
    }

    /// Reads the bytes after the codec type: A2DP 1.4, 4.3.2 and 4.5.2, and the vendors' publications.
    private mutating func read(_ pdu: RawSpan, _ at: Int, _ end: Int) {
      func byte(_ byteOffset: Int) -> UInt8 { at &+ byteOffset < end ? pdu.u8(at &+ byteOffset) ?? 0 : 0 }
      switch codec {
      case .sbc:
        (frequency, mode) = (Self.frequency(byte(0) >> 4), Self.mode(byte(0) & 15))
        bitpool = byte(3)
      case .aac:
        let bits = UInt16(byte(1)) << 8 | UInt16(byte(2))
        frequency = Self.only(
          bits >> 4, [96_000, 88_200, 64_000, 48_000, 44_100, 32_000, 24_000, 22_050, 16_000, 12_000, 11_025, 8_000])
        mode = bits & 12 == 8 ? .mono : bits & 12 == 4 ? .stereo : .unknown
      // Vendor and codec identifiers come before.
      case .aptX, .aptXLowLatency, .aptXHD: (frequency, mode) = (Self.frequency(byte(6) >> 4), Self.mode(byte(6) & 15))
      case .ldac:
        frequency = Self.only(UInt16(byte(6) & 0x3F), [192_000, 176_400, 96_000, 88_200, 48_000, 44_100])
        mode = [1: .stereo, 2: .dual, 4: .mono][byte(7) & 7] ?? .unknown
      default: break
      }
    }

    /// The value whose bit is set, the first for the lowest bit; 0 where none or more than one is set.
    private static func only(_ bits: UInt16, _ values: [Int]) -> Int {
      bits.nonzeroBitCount == 1 && bits.trailingZeroBitCount < values.count ? values[bits.trailingZeroBitCount] : 0
    }

    private static func frequency(_ bits: UInt8) -> Int { only(UInt16(bits), [48_000, 44_100, 32_000, 16_000]) }

    private static func mode(_ bits: UInt8) -> Mode { [1: .joint, 2: .stereo, 4: .dual, 8: .mono][bits] ?? .unknown }
  }
}

extension AVDTP {
  /// A stream end point as its owner describes it (8.6.2).
  public struct EndPoint: Sendable, Equatable {
    /// Its number (SEID).
    public let id: UInt8
    /// It is used by a stream.
    public let isInUse: Bool
    /// It receives media.
    public let isSink: Bool
    /// Media type: 0 audio, 1 video, 2 both.
    public let media: UInt8
  }

  /// The stream end points in a Discover Response.
  public static func endPoints(_ pdu: RawSpan, _ header: Header) -> [EndPoint] {
    var found: [EndPoint] = []
    var at = header.size
    while found.count < 62, let first = pdu.u8(at), let second = pdu.u8(at &+ 1) {
      found.append(EndPoint(id: first >> 2, isInUse: first & 2 != 0, isSink: second & 8 != 0, media: second >> 4))
      at &+= 2
    }
    return found
  }

  /// The name of an error code (8.20.6).
  public static func errorName(_ code: UInt8) -> StaticName? { errors?.name(of: UInt64(code)) }

  private static let errors = Enumeration.named("avdtp-error")
}
