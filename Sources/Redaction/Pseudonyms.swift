import Bluetooth
import PacketCodecs

/// Replacements of addresses, keys, names and texts, computed from a seed: equal values have equal pseudonyms in all protocols, and in
/// all captures that are redacted with the same seed. A pseudonym is recognised without the seed, as a part of it is a tag computed
/// from the rest.
public struct Pseudonyms {
  /// The company part of public addresses is kept.
  public var keepsCompany = false
  /// Random addresses keep their kind: static, resolvable, non-resolvable.
  public var keepsRandomKind = true

  private let cipher: AES128
  /// The keyed hash of values.
  let values: KeyedHash
  /// Its key is public: it computes tags, not secrets.
  private static let tagCipher = AES128(high: 0x6274_7363_7269_6265, low: 0x7265_6461_6374_6564)

  /// Domain separation: equal bytes of different kinds get unrelated pseudonyms.
  private enum Domain: UInt64 { case seed = 1, address, company, random, key, values }

  /// Creates pseudonyms from a seed, or from a random one where it is nil.
  public init(seed: String?) {
    if let seed {
      // A one-way function of the text (Davies–Meyer): the hashed block is the key of the cipher.
      var state: (high: UInt64, low: UInt64) = (Domain.seed.rawValue, UInt64(seed.utf8.count))
      let bytes = Array(seed.utf8)
      for start in stride(from: 0, to: max(bytes.count, 1), by: 16) {
        let block = bytes[start..<min(start + 16, bytes.count)]
        var words: (UInt64, UInt64) = (0, 0)
        for byte in block { words = (words.0 << 8 | words.1 >> 56, words.1 << 8 | UInt64(byte)) }
        let next = AES128(high: words.0, low: words.1).encrypt(high: state.high, low: state.low)
        state = (state.high ^ next.high, state.low ^ next.low)
      }
      cipher = AES128(high: state.high, low: state.low)
    } else {
      var random = SystemRandomNumberGenerator()
      cipher = AES128(high: random.next(), low: random.next())
    }
    values = KeyedHash(cipher.encrypt(high: Domain.values.rawValue, low: 0))
  }

  /// A digest of 128 bits.
  private static func digest(_ bytes: some Sequence<UInt8>, _ domain: Domain, _ cipher: AES128) -> (high: UInt64, low: UInt64) {
    var state = cipher.encrypt(high: domain.rawValue, low: 0)
    for byte in bytes { state = cipher.encrypt(high: state.high ^ UInt64(byte) << 56, low: state.low ^ 1) }
    return state
  }

  // MARK: Addresses

  /// An address that belongs to no device: all zeros, or all ones.
  public static func isAnonymous(_ address: UInt64) -> Bool { address == 0 || address == 0xFFFF_FFFF_FFFF }

  /// The pseudonym of a device address (its first written byte most significant). An address that belongs to no device is kept.
  public func address(_ address: UInt64, isPublic: Bool) -> UInt64 {
    if Self.isAnonymous(address) { return address }
    if keepsCompany, isPublic {
      let number = cipher.encrypt(high: Domain.company.rawValue, low: address).low & 0xFFFF
      return address & 0xFFFF_FF00_0000 | number << 8 | Self.tag(number << 24 | address >> 24) & 0xFF
    } else {
      let number = cipher.encrypt(high: Domain.address.rawValue, low: address).low & 0x3_FFFF_FFFF
      let kind = keepsRandomKind ? address >> 46 : 0b11
      return kind << 46 | number << 12 | Self.tag(number) & 0xFFF
    }
  }

  /// The pseudonym of a resolvable private address: `replacement`, the pseudonym of the key that resolves it, resolves it too.
  public func resolvable(_ address: UInt64, _ key: IdentityResolvingKey, replacement: AES128) -> UInt64 {
    let seed = cipher.encrypt(high: Domain.random.rawValue ^ key.high, low: key.low)
    let random = cipher.encrypt(high: seed.high, low: seed.low ^ address >> 24).low & 0x3F_FFFF | 0x40_0000
    return random << 24 | UInt64(IdentityResolvingKey.hash(UInt32(random), with: replacement))
  }

  /// Whether an address is a pseudonym, or belongs to no device.
  public func isPseudonym(_ address: UInt64) -> Bool {
    if Self.isAnonymous(address) { return true }
    if Self.tag(address >> 12 & 0x3_FFFF_FFFF) & 0xFFF == address & 0xFFF { return true }
    guard keepsCompany else { return false }
    let number = address >> 8 & 0xFFFF
    return Self.tag(number << 24 | address >> 24) & 0xFF == address & 0xFF
  }

  private static func tag(_ number: UInt64) -> UInt64 { tagCipher.encrypt(high: 0, low: number).low }

  // MARK: Keys

  /// The pseudonym of a key or another secret number: as many bytes. All zeros stand for no key and are kept; a value of at most four bytes
  /// (a passkey) becomes zeros.
  public func key(_ bytes: [UInt8]) -> [UInt8] { key(bytes, round: 0) }

  /// The same; each `round` gives another pseudonym.
  func key(_ bytes: [UInt8], round: UInt64) -> [UInt8] {
    guard bytes.contains(where: { $0 != 0 }) else { return bytes }
    guard bytes.count > 4 else { return [UInt8](repeating: 0, count: bytes.count) }
    let tagCount = min(8, bytes.count / 2)
    let result = stream(of: bytes, bytes.count - tagCount, round: round)
    return result + Self.tag(of: result, tagCount)
  }

  /// `count` bytes that a key, or a number, decides.
  private func stream(of bytes: [UInt8], _ count: Int, round: UInt64) -> [UInt8] {
    let state = Self.digest(bytes, .key, cipher)
    var result: [UInt8] = []
    var counter: UInt64 = 0
    while result.count < count {
      let block = cipher.encrypt(high: state.high ^ round << 32, low: state.low ^ counter)
      for shift in stride(from: UInt64(0), to: 64, by: 8) { result.append(UInt8(truncatingIfNeeded: block.low >> shift)) }
      counter += 1
    }
    result.removeSubrange(count...)
    return result
  }

  /// The pseudonym of a number among numbers that read as a text: none of its bytes is a character of ASCII, so that the rest of the text and what
  /// replaces it read as none.
  func numberInText(_ bytes: [UInt8]) -> [UInt8] { stream(of: bytes, bytes.count, round: 0).map { $0 | 0x80 } }

  /// Whether a key is a pseudonym, or all zeros.
  public func isPseudonym(key: [UInt8]) -> Bool {
    guard key.contains(where: { $0 != 0 }) else { return true }
    guard key.count > 4 else { return false }
    let tagCount = min(8, key.count / 2)
    return Array(key.suffix(tagCount)) == Self.tag(of: Array(key.dropLast(tagCount)), tagCount)
  }

  private static func tag(of bytes: [UInt8], _ count: Int) -> [UInt8] {
    let digest = digest(bytes, .key, tagCipher).low
    return (0..<count).map { UInt8(truncatingIfNeeded: digest >> UInt64(8 * $0)) }
  }

  // MARK: Texts

  /// The replacement of a text of `count` bytes.
  public static func text(_ count: Int) -> [UInt8] {
    let word = Array("redacted".utf8)
    return (0..<count).map { $0 < word.count && count >= word.count ? word[$0] : UInt8(ascii: ".") }
  }

  /// Whether a text is a replacement, or empty.
  public static func isText(_ bytes: some Collection<UInt8>) -> Bool { bytes.elementsEqual(text(bytes.count)) }
}
