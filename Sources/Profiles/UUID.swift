/// A Bluetooth UUID of 128 bits; short ones are put on the Bluetooth base (Core Specification 6.0, Vol 3, Part B, 2.5.1).
public struct BluetoothUUID: Hashable, Sendable, CustomStringConvertible {
  /// The 64 high bits, those that are written first.
  public var high: UInt64
  /// The 64 low bits.
  public var low: UInt64

  private static let baseHigh: UInt64 = 0x0000_0000_0000_1000
  private static let baseLow: UInt64 = 0x8000_0080_5F9B_34FB

  /// Makes a UUID from its halves.
  @inlinable
  public init(high: UInt64, low: UInt64) {
    self.high = high
    self.low = low
  }

  /// Makes the UUID that a short one of 16 or 32 bits stands for.
  public init(short: UInt32) { self.init(high: UInt64(short) << 32 | Self.baseHigh, low: Self.baseLow) }

  /// Reads 4, 8 or 32 hexadecimal digits, the last with or without its dashes, with or without `0x`. Returns nil for anything else.
  public init?(_ text: some StringProtocol) {
    var high: UInt64 = 0
    var low: UInt64 = 0
    var digits = 0
    var dashes = 0
    var rest = text.utf8[...]
    if rest.count > 2, rest.first == UInt8(ascii: "0"), rest.dropFirst().first.map({ $0 | 0x20 }) == UInt8(ascii: "x") {
      rest = rest.dropFirst(2)
    }
    for byte in rest {
      let digit: UInt64
      switch byte {
      case UInt8(ascii: "0")...UInt8(ascii: "9"): digit = UInt64(byte &- UInt8(ascii: "0"))
      case UInt8(ascii: "a")...UInt8(ascii: "f"): digit = UInt64(byte &- UInt8(ascii: "a") &+ 10)
      case UInt8(ascii: "A")...UInt8(ascii: "F"): digit = UInt64(byte &- UInt8(ascii: "A") &+ 10)
      case UInt8(ascii: "-"):
        // 8-4-4-4-12
        guard [8, 12, 16, 20].contains(digits) else { return nil }
        dashes += 1
        continue
      default: return nil
      }
      high = high << 4 | low >> 60
      low = low << 4 | digit
      digits += 1
    }
    switch digits {
    case 4 where dashes == 0, 8 where dashes == 0: self.init(short: UInt32(truncatingIfNeeded: low))
    case 32 where dashes == 0 || dashes == 4: self.init(high: high, low: low)
    default: return nil
    }
  }

  /// Reads the bytes of a UUID as they lie in a packet, least significant first: 2, 4 or 16 of them. Returns nil for another number.
  public init?(littleEndian bytes: UnsafeRawBufferPointer) {
    var high: UInt64 = 0
    var low: UInt64 = 0
    for place in bytes.indices.reversed() {
      high = high << 8 | low >> 56
      low = unsafe low << 8 | UInt64(bytes[place])
    }
    switch bytes.count {
    case 2, 4: self.init(short: UInt32(truncatingIfNeeded: low))
    case 16: self.init(high: high, low: low)
    default: return nil
    }
  }

  /// The short form, where the UUID lies on the Bluetooth base.
  public var short: UInt32? {
    low == Self.baseLow && high & 0xFFFF_FFFF == Self.baseHigh ? UInt32(truncatingIfNeeded: high >> 32) : nil
  }

  /// `2a19`, `0001fea6`, or 128 bits with dashes; lower case.
  public var description: String {
    func hex(_ value: UInt64, _ digits: Int) -> String {
      let text = String(value, radix: 16)
      return String(repeating: "0", count: max(0, digits - text.count)) + text
    }
    if let short { return hex(UInt64(short), short > 0xFFFF ? 8 : 4) }
    return [hex(high >> 32, 8), hex(high >> 16 & 0xFFFF, 4), hex(high & 0xFFFF, 4), hex(low >> 48, 4), hex(low & 0xFFFF_FFFF_FFFF, 12)]
      .joined(separator: "-")
  }
}
