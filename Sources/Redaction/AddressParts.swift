/// All sequences of four consecutive bytes of device addresses, in either byte order: four bytes are enough to recognise a device.
struct AddressParts {
  private var words: Set<UInt32> = []
  private var addresses: Set<UInt64> = []
  /// A bit for each word, selected by a hash of it: most words are part of no address, and are rejected without a lookup in the set.
  private var bits = [UInt64](repeating: 0, count: AddressParts.bitCount / 64)
  private static let bitCount = 1 << 18
  /// Parts of further addresses are not stored.
  private static let maxAddresses = 16_384

  private static func bit(_ word: UInt32) -> Int { Int(truncatingIfNeeded: (word &* 0x9E37_79B1) >> 14) }

  /// The six words of an address, its first written byte most significant.
  static func words(_ address: UInt64) -> SIMD8<UInt32> {
    var words = SIMD8<UInt32>()
    for index in 0..<6 {
      let word = UInt32(truncatingIfNeeded: address >> UInt64(8 * (index % 3)))
      words[index] = index < 3 ? word : word.byteSwapped
    }
    (words[6], words[7]) = (words[0], words[0])
    return words
  }

  /// Adds the words of an address, but for those with at most one nonzero byte (also small numbers) and those of equal bytes (also padding).
  mutating func insert(_ address: UInt64) {
    guard addresses.count < Self.maxAddresses, addresses.insert(address).inserted else { return }
    let all = Self.words(address)
    for index in 0..<6 {
      let word = all[index]
      let zeros = (0..<4).count { word >> UInt32(8 * $0) & 0xFF == 0 }
      guard zeros < 3, word != (word & 0xFF) &* 0x0101_0101 else { continue }
      words.insert(word)
      bits[Self.bit(word) >> 6] |= 1 << UInt64(Self.bit(word) & 63)
    }
  }

  /// Whether four bytes, the first of them most significant, are a part of an address.
  @inline(__always)
  func contains(_ word: UInt32) -> Bool {
    bits[Self.bit(word) >> 6] >> UInt64(Self.bit(word) & 63) & 1 != 0 && words.contains(word)
  }
}
