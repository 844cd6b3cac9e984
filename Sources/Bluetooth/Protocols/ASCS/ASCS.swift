import PacketCodecs

/// The Audio Stream Control Service (ASCS 1.0.1): audio stream endpoints (ASEs) of a unicast server, each with a state machine, and the control point
/// by which a client operates them. The profile `le-audio` decodes the values field by field; this type has what the tracker needs of them.
public enum ASCS {
  /// The UUID of the characteristic of a sink ASE (Assigned Numbers, 3.8.1).
  public static var sinkASE: UInt16 { 0x2BC4 }
  /// The UUID of the characteristic of a source ASE.
  public static var sourceASE: UInt16 { 0x2BC5 }
  /// The UUID of the ASE Control Point.
  public static var controlPoint: UInt16 { 0x2BC6 }

  /// States of an ASE (Table 4.2).
  public enum State: UInt8, Sendable, CaseIterable {
    case idle, codecConfigured, qosConfigured, enabling, streaming, disabling, releasing

    /// The state's name.
    public var name: StaticString {
      switch self {
      case .idle: "idle"
      case .codecConfigured: "codec configured"
      case .qosConfigured: "QoS configured"
      case .enabling: "enabling"
      case .streaming: "streaming"
      case .disabling: "disabling"
      case .releasing: "releasing"
      }
    }

    /// Whether the specification allows a transition of an ASE from this state to `next` (3.1 and 3.2, and 3.4 for the loss of the CIS). A server may
    /// notify a value again, so every state may be followed by itself.
    public func leads(to next: State, isSource: Bool) -> Bool {
      if next == self { return true }
      return switch self {
      case .idle: next == .codecConfigured
      case .codecConfigured: next == .qosConfigured || next == .releasing
      case .qosConfigured: next == .codecConfigured || next == .enabling || next == .releasing
      case .enabling: next == .streaming || next == .releasing || next == (isSource ? .disabling : .qosConfigured)
      // When the CIS is lost, a source goes to QoS Configured too.
      case .streaming: next == .qosConfigured || next == .releasing || isSource && next == .disabling
      case .disabling: next == .qosConfigured || next == .releasing
      case .releasing: next == .idle || next == .codecConfigured
      }
    }
  }

  /// Operations of the control point (Table 5.1).
  public enum Opcode: UInt8, Sendable, CaseIterable {
    case configCodec = 1, configQoS, enable, receiverStartReady, disable, receiverStopReady, updateMetadata, release, released

    /// The operation's name.
    public var name: StaticString {
      switch self {
      case .configCodec: "Config Codec"
      case .configQoS: "Config QoS"
      case .enable: "Enable"
      case .receiverStartReady: "Receiver Start Ready"
      case .disable: "Disable"
      case .receiverStopReady: "Receiver Stop Ready"
      case .updateMetadata: "Update Metadata"
      case .release: "Release"
      case .released: "Released"
      }
    }
  }

  /// A codec and its configuration (Codec_ID; Assigned Numbers, 6.12.5).
  public struct Codec: Sendable, Equatable {
    /// The coding format (Assigned Numbers, 2.11); 6 is LC3.
    public var format: UInt8
    /// The sampling frequency in Hz; 0 where the configuration does not have it.
    public var frequency = 0
    /// The duration of a codec frame in µs; 0 where the configuration does not have it.
    public var duration = 0
    /// Octets per codec frame of one channel; 0 where the configuration does not have them.
    public var octets = 0

    /// The name of the coding format; nil where it has none.
    public var name: StaticString? {
      switch format {
      case 0: "µ-law"
      case 1: "A-law"
      case 2: "CVSD"
      case 3: "transparent"
      case 4: "linear PCM"
      case 5: "mSBC"
      case 6: "LC3"
      case 7: "G.729A"
      case 0xFF: "vendor's codec"
      default: nil
      }
    }

    /// The values of ``frequency`` by their numbers, from 1 on (Assigned Numbers, 6.12.5.1).
    static let frequencies = [
      8_000, 11_025, 16_000, 22_050, 24_000, 32_000, 44_100, 48_000, 88_200, 96_000, 176_400, 192_000, 384_000,
    ]

    /// A codec without configuration.
    public init(format: UInt8) { self.format = format }

    /// Reads a Codec_ID and the configuration after it, a length and LTV structures; nil where they are incomplete.
    init?(_ bytes: RawSpan, at start: Int) {
      guard let format = bytes.u8(start), let length = bytes.u8(start &+ 5) else { return nil }
      let end = start &+ 6 &+ Int(length)
      guard end <= bytes.byteCount else { return nil }
      self.format = format
      guard format != 0xFF else { return }
      var at = start &+ 6
      while at < end, let size = bytes.u8(at) {
        let next = at &+ 1 &+ Int(size)
        guard size > 0, next <= end, let type = bytes.u8(at &+ 1) else { break }
        switch (type, size) {
        case (1, 2):
          let number = Int(bytes.u8(at &+ 2) ?? 0)
          frequency = number >= 1 && number <= Codec.frequencies.count ? Codec.frequencies[number - 1] : 0
        case (2, 2): duration = bytes.u8(at &+ 2) == 0 ? 7_500 : bytes.u8(at &+ 2) == 1 ? 10_000 : 0
        case (4, 3): octets = Int(bytes.u16(at &+ 2) ?? 0)
        default: break
        }
        at = next
      }
    }
  }

  /// The value of an ASE characteristic (4.1).
  public struct Endpoint: Sendable {
    /// Its ASE_ID, unique in the server.
    public let id: UInt8
    /// Its state.
    public let state: State
    /// Codec configured: the codec.
    public private(set) var codec: Codec?
    /// From QoS configured to disabling: the CIG that carries it.
    public private(set) var group: UInt8?
    /// From QoS configured to disabling: the CIS that carries it.
    public private(set) var stream: UInt8?
    /// QoS configured: the interval of SDUs in µs.
    public private(set) var interval = 0
    /// QoS configured: maximum SDU size in bytes.
    public private(set) var size = 0

    /// Reads a value; nil where it is too short, or its state is reserved.
    public init?(_ bytes: RawSpan) {
      guard let id = bytes.u8(0), let state = bytes.u8(1).flatMap(State.init) else { return nil }
      self.id = id
      self.state = state
      switch state {
      case .idle, .releasing: break
      case .codecConfigured: codec = Codec(bytes, at: 19)
      case .qosConfigured:
        group = bytes.u8(2)
        stream = bytes.u8(3)
        if let low = bytes.u16(4), let high = bytes.u8(6), let size = bytes.u16(9) {
          interval = Int(low) | Int(high) << 16
          self.size = Int(size)
        }
      case .enabling, .streaming, .disabling:
        group = bytes.u8(2)
        stream = bytes.u8(3)
      }
    }
  }

  /// A server's response to an operation for one ASE (5, Table 5.2).
  public struct Answer: Sendable {
    /// The opcode that was written.
    public let opcode: UInt8
    /// The ASE; 0 where the entire operation was wrong.
    public let id: UInt8
    /// Response_Code: why it was rejected; 0 for success.
    public let code: UInt8
    /// Reason: the parameter that was rejected.
    public let reason: UInt8
  }

  /// Calls `body` with each response in a notification of the control point.
  public static func forEachAnswer(_ bytes: RawSpan, _ body: (Answer) -> Void) {
    guard let opcode = bytes.u8(0), let count = bytes.u8(1) else { return }
    // 0xff: the opcode or the length was wrong; there is one response.
    var left = count == 0xFF ? 1 : Int(count)
    var at = 2
    while left > 0, let id = bytes.u8(at), let code = bytes.u8(at &+ 1), let reason = bytes.u8(at &+ 2) {
      body(Answer(opcode: opcode, id: id, code: code, reason: reason))
      at &+= 3
      left &-= 1
    }
  }

  /// The name of a response code (Table 5.2); nil where it is reserved.
  public static func codeName(_ code: UInt8) -> StaticString? {
    let names: [StaticString] = [
      "success", "unsupported opcode", "invalid length", "invalid ASE_ID", "invalid ASE state machine transition", "invalid ASE direction",
      "unsupported audio capabilities", "unsupported configuration parameter value", "rejected configuration parameter value",
      "invalid configuration parameter value", "unsupported metadata", "rejected metadata", "invalid metadata", "insufficient resources",
      "unspecified error",
    ]
    return Int(code) < names.count ? names[Int(code)] : nil
  }

  /// The name of the Reason of a response code (Tables 5.3 and 5.4); nil where there is none.
  public static func reasonName(_ reason: UInt8, of code: UInt8) -> StaticString? {
    let parameters: [StaticString] = [
      "Codec_ID", "Codec_Specific_Configuration", "SDU_Interval", "Framing", "PHY", "Maximum_SDU_Size", "Retransmission_Number",
      "Max_Transport_Latency", "Presentation_Delay", "invalid ASE CIS mapping",
    ]
    let metadata: [StaticString] = [
      "preferred audio contexts", "streaming audio contexts", "program info", "language", "CCID list", "parental rating",
      "program info URI", "audio active state", "broadcast audio immediate rendering flag", "assisted listening stream", "broadcast name",
    ]
    let names: [StaticString]
    switch code {
    case 6...9: names = parameters
    case 10...12: names = metadata
    default: return nil
    }
    return reason > 0 && Int(reason) <= names.count ? names[Int(reason) - 1] : nil
  }
}
