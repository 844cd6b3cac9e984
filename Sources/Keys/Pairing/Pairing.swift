import Bluetooth

/// The values of one pairing on the air (Core, Vol 3, Part H, 2.3 and 3), from which the key of the following encryption can be derived.
struct Pairing {
  /// Values of both sides.
  struct Sides<Value> {
    var initiator: Value?
    var responder: Value?
  }

  /// The commands as numbers of seven bytes, the first on the air least significant.
  var request: UInt64?
  var response: UInt64?
  var confirm = Sides<Block128>()
  var random = Sides<Block128>()
  /// X and Y, 32 bytes each, the most significant one first.
  var publicKey = Sides<[UInt8]>()
  /// Frame of the last PDU.
  var frame = 0
  /// No PDU was seen.
  var isEmpty: Bool { request == nil && response == nil && random.initiator == nil && random.responder == nil }
  /// Index in the ring of the long term key whose diversifier has not come.
  var longTermKey: Int?
  var identityKey: Block128?

  /// Both sides support Secure Connections (3.5.1).
  var isSecureConnections: Bool {
    if publicKey.initiator != nil || publicKey.responder != nil { return true }
    guard let request, let response else { return false }
    return request >> 24 & response >> 24 & 0x08 != 0
  }

  /// Size of keys in octets (2.3.4).
  var keySize: Int {
    guard let request, let response else { return 16 }
    let size = min(Int(request >> 32 & 0xFF), Int(response >> 32 & 0xFF))
    return 7...16 ~= size ? size : 16
  }

  /// Both random values of a legacy pairing are known: with the right temporary key, they give the short term key.
  var hasRandoms: Bool { random.initiator != nil && random.responder != nil }

  /// Takes a pairing PDU, from its code on; `isInitiator` is nil if the sender is unknown.
  mutating func take(_ pdu: [UInt8], isInitiator: Bool?, frame: Int) {
    guard let code = pdu.first.flatMap({ SMP.Opcode(rawValue: $0) }) else { return }
    self.frame = frame
    switch code {
    case .pairingRequest:
      guard pdu.count >= 7 else { return }
      let value = Self.number(pdu)
      // The same value again is a retransmission.
      if value == request, response == nil { return }
      self = Pairing()
      request = value
    case .pairingResponse:
      if pdu.count >= 7 { response = Self.number(pdu) }
    case .pairingConfirm:
      if let value = Block128(littleEndian: pdu.dropFirst()) { Self.set(&confirm, value, isInitiator) }
    case .pairingRandom:
      if let value = Block128(littleEndian: pdu.dropFirst()) { Self.set(&random, value, isInitiator) }
    case .pairingPublicKey:
      if pdu.count == 65 { Self.set(&publicKey, pdu[1..<33].reversed() + pdu[33...].reversed(), isInitiator) }
    case .pairingFailed: self = Pairing()
    default: break
    }
  }

  private static func number(_ pdu: [UInt8]) -> UInt64 { pdu.prefix(7).reversed().reduce(0) { $0 << 8 | UInt64($1) } }

  /// If the sender of a value is unknown, the first value is that of the initiator.
  private static func set<Value: Equatable>(_ sides: inout Sides<Value>, _ value: Value, _ isInitiator: Bool?) {
    switch isInitiator {
    case true?: sides.initiator = value
    case false?: sides.responder = value
    case nil:
      if value == sides.initiator || value == sides.responder { return }
      if sides.initiator == nil || sides.responder != nil {
        sides = Sides(initiator: value)
      } else {
        sides.responder = value
      }
    }
  }
}

/// The two ends of a connection.
struct Ends: Hashable {
  var initiator: DeviceAddress
  var responder: DeviceAddress
}

/// Tries temporary keys of legacy pairing.
struct TemporaryKeySearch {
  /// The number of passkeys (Vol 3, Part H, 2.3.5.1).
  static let passkeys: UInt64 = 1_000_000

  private let inputs: SecurityFunctions.ConfirmInputs
  private let random: Block128
  private let confirm: Block128
  private let cipher = SystemCryptography()

  /// Nil where the pairing lacks a confirm value with its random value, the commands or the addresses.
  init?(_ pairing: Pairing, _ ends: Ends?) {
    guard let request = pairing.request, let response = pairing.response, let ends else { return nil }
    if let confirm = pairing.confirm.initiator, let random = pairing.random.initiator {
      (self.confirm, self.random) = (confirm, random)
    } else if let confirm = pairing.confirm.responder, let random = pairing.random.responder {
      (self.confirm, self.random) = (confirm, random)
    } else {
      return nil
    }
    inputs = SecurityFunctions.ConfirmInputs(
      request: request, response: response, initiator: ends.initiator.address, initiatorType: ends.initiator.kind.isRandom ? 1 : 0,
      responder: ends.responder.address, responderType: ends.responder.kind.isRandom ? 1 : 0)
  }

  /// Whether the confirm value matches this temporary key.
  func fits(_ key: Block128) -> Bool {
    cipher.setKey(key)
    return SecurityFunctions.c1(cipher, random, inputs) == confirm
  }

  /// The passkey, 0 for Just Works; nil where none matches, so that the key was exchanged out of band, and where `budget` is exhausted.
  func search(_ budget: inout PasskeyBudget) -> Block128? {
    var key = Block128.zero
    while key.low < Self.passkeys {
      guard budget.take(1) else { return nil }
      if fits(key) { return key }
      key.low += 1
    }
    return nil
  }
}

/// Bounds the number of passkeys tried over a capture: all of them for each of 64 pairings.
struct PasskeyBudget {
  /// Cost factor of a passkey that can only be checked by decryption with its short term key, relative to one checked with a confirm value.
  static let byEncryption = 8

  private(set) var left: Int

  /// All passkeys of `pairings` pairings.
  init(pairings: Int = 64) { left = pairings * Int(TemporaryKeySearch.passkeys) }

  /// Takes trials. Returns false where too few are left.
  mutating func take(_ trials: Int) -> Bool {
    guard left >= trials else {
      left = 0
      return false
    }
    left -= trials
    return true
  }
}

extension Pairing {
  /// The values that distinguish pairings.
  struct Values: Hashable {
    var initiator: Block128?
    var responder: Block128?
    var confirm: Block128?
  }

  /// The values of this pairing.
  var values: Values {
    Values(initiator: random.initiator, responder: random.responder, confirm: confirm.initiator ?? confirm.responder)
  }
}
