/// Functions of the Security Manager and the Link Layer over the block cipher. All values have their most significant octet first.
public enum SecurityFunctions {
  /// AES-CMAC (RFC 4493).
  public static func cmac(_ key: Block128, _ message: [UInt8]) -> Block128 { MessageDigest.cmac(key, message) }

  /// The two inputs p1 and p2 of c1, computed once for all keys that are tried (Vol 3, Part H, 2.2.3).
  public struct ConfirmInputs: Sendable {
    let first: Block128
    let second: Block128

    /// `request` and `response`: seven bytes of the pairing commands, the first on the air least significant. The addresses are those of the
    /// connection, with their types (1 for random).
    public init(request: UInt64, response: UInt64, initiator: UInt64, initiatorType: UInt8, responder: UInt64, responderType: UInt8) {
      let preq = request & 0xFF_FFFF_FFFF_FFFF
      let pres = response & 0xFF_FFFF_FFFF_FFFF
      first = Block128(high: pres << 8 | preq >> 48, low: preq << 16 | UInt64(responderType) << 8 | UInt64(initiatorType))
      second = Block128(high: initiator >> 16 & 0xFFFF_FFFF, low: initiator << 48 | responder & 0xFFFF_FFFF_FFFF)
    }
  }

  /// The confirm value c1 of legacy pairing (2.2.3), with the key of `cipher`.
  public static func c1(_ cipher: SystemCryptography, _ random: Block128, _ inputs: ConfirmInputs) -> Block128 {
    cipher.encrypt(cipher.encrypt(random ^ inputs.first) ^ inputs.second)
  }

  /// The key generation function s1 of legacy pairing (2.2.4): the short term key, with `cipher`'s key as the temporary key.
  public static func s1(_ cipher: SystemCryptography, _ responderRandom: Block128, _ initiatorRandom: Block128) -> Block128 {
    cipher.encrypt(Block128(high: responderRandom.low, low: initiatorRandom.low))
  }

  /// The key generation function f5 (2.2.7). The addresses are seven bytes: type, then address.
  public static func f5(_ w: [UInt8], _ n1: Block128, _ n2: Block128, _ a1: [UInt8], _ a2: [UInt8]) -> (mac: Block128, longTerm: Block128) {
    let salt = Block128(high: 0x6C88_8391_AAF5_A538, low: 0x6037_0BDB_5A60_83BE)
    let key = cmac(salt, w)
    let rest = [0x62, 0x74, 0x6C, 0x65] + n1.bytes + n2.bytes + a1 + a2 + [0x01, 0x00]
    return (cmac(key, [0] + rest), cmac(key, [1] + rest))
  }

  /// The link key conversion function h6 (2.2.10).
  public static func h6(_ w: Block128, _ keyID: UInt32) -> Block128 { cmac(w, bytes(keyID)) }

  /// The link key conversion function h7 (2.2.11).
  public static func h7(_ salt: Block128, _ w: Block128) -> Block128 { cmac(salt, w.bytes) }

  /// The long term keys derived from a link key by cross-transport key derivation (Vol 3, Part H, 2.4.2.5): for devices that both support h7, and for
  /// others.
  public static func longTermKeys(ofLinkKey link: Block128) -> [Block128] {
    // "tmp2" and "brle" as numbers.
    [h7(Block128(high: 0, low: 0x746D_7032), link), h6(link, 0x746D_7032)].map { h6($0, 0x6272_6C65) }
  }

  /// The isochronous key generation function h8 (2.2.12).
  public static func h8(_ k: Block128, _ s: Block128, _ keyID: UInt32) -> Block128 { cmac(cmac(s, k.bytes), bytes(keyID)) }

  /// The group session key of an encrypted broadcast isochronous group, from its Broadcast_Code and the diversifier in its BIGInfo (Vol 6, Part B,
  /// 4.4.6.10). `code` is a number: the first byte of a text is its least significant.
  public static func groupSessionKey(code: Block128, diversifier: Block128) -> Block128 {
    // "BIG1", "BIG2" and "BIG3" as numbers.
    let longTerm = h6(h7(Block128(high: 0, low: 0x4249_4731), code), 0x4249_4732)
    return h8(longTerm, diversifier, 0x4249_4733)
  }

  private static func bytes(_ keyID: UInt32) -> [UInt8] { (0..<4).map { UInt8(truncatingIfNeeded: keyID >> UInt32(24 - 8 * $0)) } }

  /// The session key of an encrypted link (Vol 6, Part B, 5.1.3.1), from the session key diversifiers of both sides as numbers.
  public static func sessionKey(_ longTerm: Block128, central: UInt64, peripheral: UInt64) -> Block128 {
    SystemCryptography(key: longTerm).encrypt(Block128(high: peripheral, low: central))
  }
}
