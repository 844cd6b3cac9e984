import Bluetooth
import PacketCodecs

/// Pseudonyms of device addresses. A private address that a key of the capture resolves is replaced by one that the key's pseudonym resolves,
/// unless the kinds of random addresses are hidden.
struct AddressBook {
  private let pseudonyms: Pseudonyms
  private var keys: [(key: IdentityResolvingKey, cipher: AES128, replacement: AES128, isPseudonym: Bool)] = []
  /// Addresses that are known to be public. Filled only where the company part of public addresses is kept.
  private var publicAddresses: Set<UInt64> = []
  /// The last pseudonyms, indexed by a hash of the address: computing one costs an AES encryption.
  private var cache: [(address: UInt64, pseudonym: UInt64)]

  private static let maxKeys = 64
  private static let maxPublic = 65_536
  private static let cached = 4096

  init(_ pseudonyms: Pseudonyms) {
    self.pseudonyms = pseudonyms
    cache = Array(repeating: (.max, 0), count: Self.cached)
  }

  /// Adds a key that resolves private addresses, least significant byte first.
  mutating func learn(_ bytes: [UInt8]) {
    guard let key = IdentityResolvingKey(littleEndian: bytes.rawSpan), keys.count < Self.maxKeys,
      !keys.contains(where: { $0.key == key })
    else { return }
    let pseudonym = pseudonyms.key(bytes)
    let replacement = IdentityResolvingKey(littleEndian: pseudonym.rawSpan) ?? key
    keys.append((key, key.cipher, replacement.cipher, pseudonyms.isPseudonym(key: bytes)))
  }

  /// Adds a public address.
  mutating func learn(public address: UInt64) {
    if publicAddresses.count < Self.maxPublic { publicAddresses.insert(address) }
  }

  /// The pseudonym of an address (its first written byte most significant).
  mutating func pseudonym(_ address: UInt64, isPublic: Bool) -> UInt64 {
    let key = address | (isPublic ? 1 << 48 : 0)
    let index = Int(truncatingIfNeeded: (key &* 0x9E37_79B9_7F4A_7C15) >> 52) & (Self.cached - 1)
    if cache[index].address == key { return cache[index].pseudonym }
    let result: UInt64
    // Where the kinds of random addresses are hidden, that an address is resolvable is hidden too.
    if pseudonyms.keepsRandomKind, !Pseudonyms.isAnonymous(address), let known = resolving(address) {
      result = pseudonyms.resolvable(address, keys[known].key, replacement: keys[known].replacement)
    } else {
      result = pseudonyms.address(address, isPublic: isPublic || publicAddresses.contains(address))
    }
    cache[index] = (key, result)
    return result
  }

  /// Whether an address is a pseudonym, or belongs to no device.
  func isPseudonym(_ address: UInt64) -> Bool {
    if pseudonyms.isPseudonym(address) { return true }
    return resolving(address).map { keys[$0].isPseudonym } ?? false
  }

  /// The index of the key that resolves a private address; nil where none does.
  private func resolving(_ address: UInt64) -> Int? {
    if keys.isEmpty || address >> 46 != 0b01 { return nil }
    return keys.firstIndex { IdentityResolvingKey.resolves(address, with: $0.cipher) }
  }

  // MARK: Bytes

  /// Reads an address from six bytes.
  static func number(_ bytes: [UInt8], _ isBigEndian: Bool) -> UInt64 {
    (isBigEndian ? Array(bytes) : bytes.reversed()).reduce(0) { $0 << 8 | UInt64($1) }
  }

  /// The six bytes of an address.
  static func octets(_ address: UInt64, _ isBigEndian: Bool) -> [UInt8] {
    (0..<6).map { UInt8(truncatingIfNeeded: address >> UInt64(8 * (isBigEndian ? 5 - $0 : $0))) }
  }
}
