import PacketCodecs

/// A UUID of 16, 32 or 128 bits (Core, Vol 3, Part B, 2.5.1). Short forms and the same value on the Bluetooth base UUID are equal.
public struct BluetoothUUID: Hashable, Sendable, CustomStringConvertible {
  /// The more significant half of the 128-bit value.
  public let high: UInt64
  /// The less significant half of the 128-bit value.
  public let low: UInt64

  /// High half of the base UUID `00000000-0000-1000-8000-00805f9b34fb`, without its first 32 bits.
  @usableFromInline static let baseHigh: UInt64 = 0x0000_1000
  /// Low half of the base UUID.
  @usableFromInline static let baseLow: UInt64 = 0x8000_0080_5F9B_34FB

  /// Makes a UUID from the halves of its 128-bit value.
  @inlinable
  public init(high: UInt64, low: UInt64) {
    self.high = high
    self.low = low
  }

  /// All its bits are zero, or it is the 16-bit UUID 0000: no service has these UUIDs.
  @inlinable
  public var isZero: Bool { (high == 0 && low == 0) || (high == Self.baseHigh && low == Self.baseLow) }

  /// Creates the UUID for a 16-bit number.
  @inlinable
  public init(_ short: UInt16) { self.init(UInt32(short)) }

  /// Creates the UUID for a 32-bit number.
  @inlinable
  public init(_ short: UInt32) { self.init(high: UInt64(short) << 32 | Self.baseHigh, low: Self.baseLow) }

  /// Reads a UUID of 2, 4 or 16 bytes as in ATT, advertising data and SMP: least significant byte first. Nil for another count, or where `range` is
  /// not inside `bytes`.
  @inlinable
  public init?(littleEndian bytes: RawSpan, in range: Range<Int>) {
    guard range.lowerBound >= 0, range.upperBound <= bytes.byteCount else { return nil }
    let at = range.lowerBound
    switch range.count {
    case 2: self.init(UInt16(truncatingIfNeeded: bytes.integer(at, 2)))
    case 4: self.init(UInt32(truncatingIfNeeded: bytes.integer(at, 4)))
    case 16:
      self.init(
        high: bytes.integer(at &+ 8, 8),
        low: bytes.integer(at, 8))
    default: return nil
    }
  }

  /// Reads a UUID of 2, 4 or 16 bytes as in SDP: most significant byte first. Nil for another count, or where `range` is not inside `bytes`.
  @inlinable
  public init?(bigEndian bytes: RawSpan, in range: Range<Int>) {
    guard range.lowerBound >= 0, range.upperBound <= bytes.byteCount else { return nil }
    let at = range.lowerBound
    switch range.count {
    case 2: self.init(UInt16(truncatingIfNeeded: bytes.integer(at, 2, isBigEndian: true)))
    case 4: self.init(UInt32(truncatingIfNeeded: bytes.integer(at, 4, isBigEndian: true)))
    case 16:
      self.init(
        high: bytes.integer(at, 8, isBigEndian: true),
        low: bytes.integer(at &+ 8, 8, isBigEndian: true))
    default: return nil
    }
  }

  /// Reads a text of 4, 8 or 32 hex digits in any case, with or without the prefix `0x`, 32 digits also with dashes (8-4-4-4-12). Nil for other
  /// texts.
  public init?(_ text: some StringProtocol) {
    var digits = 0
    var dashes = 0
    var high: UInt64 = 0
    var low: UInt64 = 0
    var rest = Substring(text).utf8
    if rest.starts(with: "0x".utf8) || rest.starts(with: "0X".utf8) { rest = rest.dropFirst(2) }
    for byte in rest {
      let digit: UInt8
      switch byte {
      case UInt8(ascii: "0")...UInt8(ascii: "9"): digit = byte &- UInt8(ascii: "0")
      case UInt8(ascii: "a")...UInt8(ascii: "f"): digit = byte &- UInt8(ascii: "a") &+ 10
      case UInt8(ascii: "A")...UInt8(ascii: "F"): digit = byte &- UInt8(ascii: "A") &+ 10
      case UInt8(ascii: "-") where [8, 12, 16, 20].contains(digits):
        dashes += 1
        continue
      default: return nil
      }
      high = high << 4 | low >> 60
      low = low << 4 | UInt64(digit)
      digits += 1
      if digits > 32 { return nil }
    }
    switch (digits, dashes) {
    case (4, 0), (8, 0): self.init(UInt32(truncatingIfNeeded: low))
    case (32, 0), (32, 4): self.init(high: high, low: low)
    default: return nil
    }
  }

  /// The 16-bit form of this UUID, if there is one.
  @inlinable
  public var short16: UInt16? {
    low == Self.baseLow && high & 0xFFFF_0000_FFFF_FFFF == Self.baseHigh ? UInt16(truncatingIfNeeded: high >> 32) : nil
  }

  /// Whether it is the type of a descriptor: the SIG assigns 0x29xx to them (Assigned Numbers, 3.7). UUIDs of 128 bits are nearly always those of values.
  public var isDescriptor: Bool { short16.map { $0 >> 8 == 0x29 } ?? false }

  /// The 32-bit form of this UUID, if there is one (16-bit ones included).
  @inlinable
  public var short32: UInt32? {
    low == Self.baseLow && high & 0xFFFF_FFFF == Self.baseHigh ? UInt32(truncatingIfNeeded: high >> 32) : nil
  }

  /// The name in the Assigned Numbers, if there is one.
  public var name: StaticName? { AssignedNumbers.uuid(self) }

  /// Its name as a service of a GATT server, or as the type of any other attribute; nil where it has none there. Numbers below 0x1800 are protocols and
  /// service classes of SDP. Those from 0xFC00 on are allotted to companies for services. Devices whose makers asked for no number use both for
  /// attributes of their own.
  public func attributeName(isService: Bool = false) -> StaticName? {
    guard let short = short16 else { return name }
    return short < 0x1800 || !isService && short >= 0xFC00 ? nil : name
  }

  /// Appends the shortest form to `buffer`: `2a19`, `0001fe59`, or 32 lower-case digits with dashes.
  @inlinable
  public func write(to buffer: inout [UInt8]) {
    if let short = short16 {
      hex(UInt64(short), 4, &buffer)
    } else if let short = short32 {
      hex(UInt64(short), 8, &buffer)
    } else {
      hex(high >> 32, 8, &buffer)
      buffer.append(UInt8(ascii: "-"))
      hex(high >> 16, 4, &buffer)
      buffer.append(UInt8(ascii: "-"))
      hex(high, 4, &buffer)
      buffer.append(UInt8(ascii: "-"))
      hex(low >> 48, 4, &buffer)
      buffer.append(UInt8(ascii: "-"))
      hex(low, 12, &buffer)
    }
  }

  @inlinable
  func hex(_ value: UInt64, _ digits: Int, _ buffer: inout [UInt8]) {
    var shift = digits &* 4
    while shift > 0 {
      shift &-= 4
      let digit = UInt8(truncatingIfNeeded: value &>> UInt64(shift)) & 15
      buffer.append(digit &+ (digit < 10 ? 48 : 87))
    }
  }

  /// The text form of ``write(to:)``.
  public var description: String {
    var buffer: [UInt8] = []
    buffer.reserveCapacity(36)
    write(to: &buffer)
    return String(decoding: buffer, as: UTF8.self)
  }
}

extension BluetoothUUID: ExpressibleByIntegerLiteral {
  /// Creates the UUID for a 16-bit number.
  @inlinable
  public init(integerLiteral value: UInt16) { self.init(value) }
}
