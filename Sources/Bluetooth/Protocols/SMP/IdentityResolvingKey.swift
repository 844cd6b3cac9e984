import PacketCodecs

/// A key that resolves a resolvable private address (Core, Vol 6, Part B, 1.3.2.3; Vol 3, Part H, 2.2.2).
public struct IdentityResolvingKey: Sendable, Hashable {
  /// The more significant half of the 128-bit key.
  public let high: UInt64
  /// The less significant half of the 128-bit key.
  public let low: UInt64

  /// Makes a key from the halves of its 128-bit value.
  public init(high: UInt64, low: UInt64) {
    self.high = high
    self.low = low
  }

  /// Reads a key as in SMP, HCI and management: 16 bytes, least significant first. Nil for another count, and for the zero key, which means that
  /// there is none.
  public init?(littleEndian bytes: RawSpan) {
    guard bytes.byteCount == 16 else { return nil }
    low = bytes.integer(0, 8)
    high = bytes.integer(8, 8)
    if high == 0, low == 0 { return nil }
  }

  /// The cipher of this key, for ``resolves(_:with:)``.
  public var cipher: AES128 { AES128(high: high, low: low) }

  /// Whether `address` (its first written byte most significant) was generated with the key of `cipher`: its lower half is ah of its upper half.
  public static func resolves(_ address: UInt64, with cipher: AES128) -> Bool {
    guard address >> 46 & 3 == 0b01 else { return false }
    return hash(UInt32(truncatingIfNeeded: address >> 24 & 0xFF_FFFF), with: cipher) == UInt32(truncatingIfNeeded: address & 0xFF_FFFF)
  }

  /// The random address hash function ah (Vol 3, Part H, 2.2.2): 24 bits from 24.
  public static func hash(_ random: UInt32, with cipher: AES128) -> UInt32 {
    UInt32(truncatingIfNeeded: cipher.encrypt(high: 0, low: UInt64(random & 0xFF_FFFF)).low & 0xFF_FFFF)
  }
}
