/// A block or key of 128 bits, without heap memory.
public struct Block128: Hashable, Sendable {
  /// The more significant half.
  public var high: UInt64
  /// The less significant half.
  public var low: UInt64

  /// Makes a block from its halves.
  @inlinable
  public init(high: UInt64, low: UInt64) {
    self.high = high
    self.low = low
  }

  /// All bits zero.
  public static let zero = Block128(high: 0, low: 0)

  /// Reads 16 bytes, the most significant one first. Nil for another number of bytes.
  public init?(_ bytes: some Collection<UInt8>) {
    guard bytes.count == 16 else { return nil }
    self = .zero
    for byte in bytes {
      high = high << 8 | low >> 56
      low = low << 8 | UInt64(byte)
    }
  }

  /// Reads 16 bytes in Bluetooth's transmission order, the least significant one first. Nil for another number of bytes.
  public init?(littleEndian bytes: some BidirectionalCollection<UInt8>) { self.init(bytes.reversed()) }

  /// The 16 bytes, the most significant one first.
  public var bytes: [UInt8] {
    (0..<16).map { UInt8(truncatingIfNeeded: ($0 < 8 ? high : low) >> UInt64(56 - 8 * ($0 & 7))) }
  }

  /// The bytes in reverse order.
  public var reversed: Block128 { Block128(high: low.byteSwapped, low: high.byteSwapped) }

  /// A key reduced to fewer octets (Core, Vol 3, Part H, 2.3.4): those above `octets` are zero.
  public func shortened(to octets: Int) -> Block128 {
    switch octets {
    case 16...: self
    case 8...: Block128(high: octets == 8 ? 0 : high & (UInt64.max >> UInt64(128 - 8 * octets)), low: low)
    default: Block128(high: 0, low: octets <= 0 ? 0 : low & (UInt64.max >> UInt64(64 - 8 * octets)))
    }
  }

  /// Bitwise exclusive or.
  @inlinable
  public static func ^ (a: Block128, b: Block128) -> Block128 { Block128(high: a.high ^ b.high, low: a.low ^ b.low) }
}
