import Bluetooth
import PacketCodecs

/// What is known of one access address.
final class Air {
  /// LL_ENC_REQ (Core, Vol 6, Part B, 2.4.2.4).
  struct EncryptionRequest {
    var random: UInt64
    var ediv: UInt16
    var diversifier: UInt64
    /// Its bytes in the order of the air.
    var vector: UInt64
    var frame: Int
  }

  /// The packet of one sender before: what shows that one is the same again (4.5.9).
  private struct Sender {
    var header: UInt8 = 0xFF
    var length = -1
    var digest: UInt64 = 0
    /// An L2CAP PDU on the channel of the Security Manager so far, its header left out.
    var pdu: [UInt8] = []
    var expected = 0
  }

  let access: UInt32
  var crcInit: UInt32?
  var ends: Ends?
  /// Frame of the connection request, or 0.
  var frame = 0
  var pairing = Pairing()
  var request: EncryptionRequest?
  var session: Session?
  private var senders = (Sender(), Sender())

  init(_ access: UInt32) { self.access = access }

  /// Whether a packet is the one before of its sender again. Where nobody knows who sent it, nobody knows this either.
  func isRepeated(_ header: UInt8, _ length: Int, _ bytes: RawSpan, _ at: Int, _ isCentral: Bool?) -> Bool {
    guard let isCentral else { return false }
    // NESN and MD may differ.
    let kept = header & 0xEB
    let count = min(length, 8, max(0, bytes.byteCount - at))
    let digest = count > 0 ? bytes.integer(at, count) : 0
    func check(_ sender: inout Sender) -> Bool {
      let isSame = sender.header == kept && sender.length == length && sender.digest == digest
      (sender.header, sender.length, sender.digest) = (kept, length, digest)
      return isSame
    }
    return isCentral ? check(&senders.0) : check(&senders.1)
  }

  private func change(_ isCentral: Bool?, _ body: (inout Sender) -> Void) {
    if isCentral == false { body(&senders.1) } else { body(&senders.0) }
  }

  /// Takes the start of an L2CAP PDU.
  func begin(_ body: RawSpan, _ isCentral: Bool?) {
    let isPairing = body.byteCount >= 4 && body.integer(2, 2) == UInt64(L2CAP.ChannelID.smp.rawValue)
    let expected = isPairing ? Int(body.integer(0, 2)) : 0
    // The longest PDU of the Security Manager is a public key.
    guard 1...65 ~= expected else { return change(isCentral) { $0.expected = 0 } }
    change(isCentral) { sender in
      sender.expected = expected
      sender.pdu.removeAll(keepingCapacity: true)
      for index in 4..<min(body.byteCount, 4 + expected) { sender.pdu.append(body.byte(index)) }
    }
  }

  /// Takes what continues an L2CAP PDU.
  func goOn(_ body: RawSpan, _ isCentral: Bool?) {
    change(isCentral) { sender in
      guard sender.expected > 0 else { return }
      for index in 0..<min(body.byteCount, sender.expected - sender.pdu.count) { sender.pdu.append(body.byte(index)) }
    }
  }

  /// The PDU of the Security Manager that is whole now, once.
  func takePairingPDU(_ isCentral: Bool?) -> [UInt8]? {
    var result: [UInt8]?
    change(isCentral) { sender in
      guard sender.expected > 0, sender.pdu.count == sender.expected else { return }
      result = sender.pdu
      sender.expected = 0
    }
    return result
  }
}

/// Encryption of one connection from LL_ENC_RSP on.
final class Session {
  /// Packet counters after the expected one that are tried first.
  static let near: UInt64 = 16
  /// Number of packets that are tried with the keys before these are given up: fewer where there are many keys, but at least three.
  static func maxAttempts(_ keys: Int) -> Int { max(3, min(16, 4096 / max(keys, 1))) }
  /// A packet takes at least so long, its answer and the pauses included, in µs (LE 2M, five bytes of payload: 2 × (56 + 150)).
  private static let shortest: Int64 = 400
  /// Most counters that a gap may hide.
  private static let widest: Int64 = 1 << 16

  /// Place in ``LinkLayerDecryptor/sessions``.
  let number: Int
  let diversifier: Block128
  let initialisationVector: UInt64
  /// LL_START_ENC_REQ was seen.
  var isStarted = false
  /// The right key was found.
  var ccm: CCM?
  /// The session key that it made.
  var sessionKey: Block128?
  /// How many packets were tried, and how many are worth it.
  var attempts = 0
  var maxAttempts = Session.maxAttempts(0)
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

  /// The session key of a long term key (5.1.3.1).
  func key(_ longTerm: Block128) -> Block128 {
    SecurityFunctions.sessionKey(longTerm, central: diversifier.low, peripheral: diversifier.high)
  }

  /// Counter of a sender's next packet.
  func next(_ isCentral: Bool) -> UInt64 { isCentral ? counters.central : counters.peripheral }

  func setNext(_ isCentral: Bool, _ counter: UInt64) {
    if isCentral { counters.central = counter } else { counters.peripheral = counter }
  }

  /// A sender's packet with this counter was heard.
  func heard(_ isCentral: Bool, _ counter: UInt64, _ time: Int64) {
    setNext(isCentral, counter + 1)
    if isCentral { times.central = time } else { times.peripheral = time }
  }

  /// How many packets a sender can have sent since the last that was heard.
  func possible(_ isCentral: Bool, _ time: Int64) -> UInt64 {
    let (passed, isTooMuch) = time.subtractingReportingOverflow(isCentral ? times.central : times.peripheral)
    guard !isTooMuch, passed > 0 else { return 1 }
    return UInt64(min(passed / Self.shortest, Self.widest)) + 1
  }

  /// A control PDU that is sent without encryption after encryption has started: the start of another (5.1.3.2).
  static func isPlaintextControl(_ header: UInt8, _ payload: [UInt8]) -> Bool {
    guard header & 3 == 3, let opcode = payload.first.flatMap({ LinkLayer.ControlOpcode(rawValue: $0) }) else { return false }
    return opcode == .encReq && payload.count == 23 || opcode == .encRsp && payload.count == 13
  }

  /// Whether a payload is a whole L2CAP PDU on the channel of ATT, SMP or LE signaling. Random ciphertext passes
  /// this test once in 10⁹ packets.
  static func isPlaintextPDU(_ header: UInt8, _ payload: [UInt8]) -> Bool {
    guard header & 3 == 2, payload.count > 4, payload[3] == 0, 4...6 ~= payload[2] else { return false }
    return Int(payload[1]) << 8 | Int(payload[0]) == payload.count - 4
  }

  /// Whether decrypted bytes make sense where the MIC alone is not enough.
  static func isPlausible(_ header: UInt8, _ plain: [UInt8]) -> Bool {
    switch header & 3 {
    case 3: plain.first.flatMap { LinkLayer.ControlOpcode(rawValue: $0) } != nil
    case 2: plain.count >= 4 && (Int(plain[1]) << 8 | Int(plain[0])) + 4 >= plain.count && (plain[2] | plain[3]) != 0
    default: false
    }
  }
}
