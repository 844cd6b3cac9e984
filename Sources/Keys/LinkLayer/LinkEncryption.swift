import Bluetooth
import PacketCodecs

/// Encryption of one connection from LL_ENC_RSP on.
final class LinkEncryption {
  /// Packet counters after the expected one that are tried first.
  static let maxSkipped: UInt64 = 16
  /// Number of packets that are tried with all keys before giving up: fewer where there are many keys, but at least three.
  static func maxAttempts(_ keys: Int) -> Int { max(3, min(16, 4096 / max(keys, 1))) }
  /// Shortest time for a packet, its response and the pauses, in µs (LE 2M, five bytes of payload: 2 × (56 + 150)).
  private static let minInterval: Int64 = 400
  /// Most counters that a gap may hide.
  private static let maxLost: Int64 = 1 << 16

  /// Index in ``LinkLayerDecryptor/sessions``.
  let number: Int
  let diversifier: Block128
  let initialisationVector: UInt64
  /// LL_START_ENC_REQ was seen.
  var isStarted = false
  /// The cipher, once the right key is found.
  var ccm: CCM?
  /// The session key of that cipher.
  var sessionKey: Block128?
  /// Number of packets that were tried, and the largest number that will be.
  var attempts = 0
  var maxAttempts = LinkEncryption.maxAttempts(0)
  /// A PDU was seen that is not encrypted although encryption has started.
  var hasPlaintext = false
  var searchesPasskey = false
  private var counters: (central: UInt64, peripheral: UInt64) = (0, 0)
  private var times: (central: Int64, peripheral: Int64)

  init(number: Int, central: UInt64, peripheral: UInt64, initialisationVector: UInt64, time: Int64) {
    self.number = number
    diversifier = Block128(high: peripheral, low: central)
    self.initialisationVector = initialisationVector
    times = (time, time)
  }

  /// The session key for a long term key (5.1.3.1).
  func key(_ longTerm: Block128) -> Block128 {
    SecurityFunctions.sessionKey(longTerm, central: diversifier.low, peripheral: diversifier.high)
  }

  /// Counter of a sender's next packet.
  func next(_ isCentral: Bool) -> UInt64 { isCentral ? counters.central : counters.peripheral }

  func setNext(_ isCentral: Bool, _ counter: UInt64) {
    if isCentral { counters.central = counter } else { counters.peripheral = counter }
  }

  /// Notes that a sender's packet with this counter was received.
  func heard(_ isCentral: Bool, _ counter: UInt64, _ time: Int64) {
    setNext(isCentral, counter + 1)
    if isCentral { times.central = time } else { times.peripheral = time }
  }

  /// Number of packets that a sender can have sent since the last received one.
  func possible(_ isCentral: Bool, _ time: Int64) -> UInt64 {
    let (passed, isTooMuch) = time.subtractingReportingOverflow(isCentral ? times.central : times.peripheral)
    guard !isTooMuch, passed > 0 else { return 1 }
    return UInt64(min(passed / Self.minInterval, Self.maxLost)) + 1
  }

  /// Whether this is a control PDU that is sent unencrypted while encryption is active, because another start of encryption follows (5.1.3.2).
  static func isPlaintextControl(_ header: UInt8, _ payload: [UInt8]) -> Bool {
    guard header & 3 == 3, let opcode = payload.first.flatMap({ LinkLayer.ControlOpcode(rawValue: $0) }) else { return false }
    return opcode == .encReq && payload.count == 23 || opcode == .encRsp && payload.count == 13
  }

  /// Whether a payload is a complete L2CAP PDU on the channel of ATT, SMP or LE signaling. Random ciphertext passes this test once in 10⁹ packets.
  static func isPlaintextPDU(_ header: UInt8, _ payload: [UInt8]) -> Bool {
    guard header & 3 == 2, payload.count > 4, payload[3] == 0, 4...6 ~= payload[2] else { return false }
    return Int(payload[1]) << 8 | Int(payload[0]) == payload.count - 4
  }

  /// Whether decrypted bytes are plausible, where the MIC alone is not enough.
  static func isPlausible(_ header: UInt8, _ plain: [UInt8]) -> Bool {
    switch header & 3 {
    case 3: plain.first.flatMap { LinkLayer.ControlOpcode(rawValue: $0) } != nil
    case 2: plain.count >= 4 && (Int(plain[1]) << 8 | Int(plain[0])) + 4 >= plain.count && (plain[2] | plain[3]) != 0
    default: false
    }
  }
}
