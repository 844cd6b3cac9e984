import Bluetooth

/// Keys derived from a pairing.
extension Pairing {
  /// The debug private key of Secure Connections (Core, Vol 3, Part H, 2.3.5.6.1), with which devices allow decryption.
  static let debugPrivateKey: [UInt8] =
    [0x3F, 0x49, 0xF6, 0xD4, 0xA3, 0xC5, 0x5F, 0x38, 0x74, 0xC9, 0xB3, 0xE3, 0xD2, 0x10, 0x3F, 0x50]
    + [0x4A, 0xFF, 0x60, 0x7B, 0xEB, 0x40, 0xB7, 0x99, 0x58, 0x99, 0xB8, 0xA6, 0xCD, 0x3C, 0x1A, 0xBD]

  /// The short term key for a temporary key (2.2.4), reduced to the negotiated size.
  func shortTermKey(_ temporary: Block128) -> Block128? {
    guard let initiator = random.initiator, let responder = random.responder else { return nil }
    return SecurityFunctions.s1(SystemCryptography(key: temporary), responder, initiator).shortened(to: keySize)
  }

  /// The long term key of Secure Connections (2.3.5.6), if `privateKey` is that of one side.
  func longTermKey(_ privateKey: [UInt8], _ ends: Ends?) -> Block128? {
    guard let ends, let initiator = publicKey.initiator, let responder = publicKey.responder, let first = random.initiator,
      let second = random.responder, let own = SystemCryptography.publicKey(of: privateKey)
    else { return nil }
    let other: [UInt8]
    switch own {
    case initiator: other = responder
    case responder: other = initiator
    default: return nil
    }
    guard let secret = SystemCryptography.sharedSecret(privateKey: privateKey, publicKey: other) else { return nil }
    return SecurityFunctions.f5(secret, first, second, ends.initiator.octets, ends.responder.octets).longTerm.shortened(to: keySize)
  }
}

extension DeviceAddress {
  /// Type and address in seven bytes, for f5 and f6.
  var octets: [UInt8] {
    [kind.isRandom ? 1 : 0] + (0..<6).map { UInt8(truncatingIfNeeded: address >> UInt64(40 - 8 * $0)) }
  }
}
