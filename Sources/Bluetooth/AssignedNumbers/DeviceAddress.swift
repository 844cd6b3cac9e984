import PacketCodecs

/// A device address of 48 bits with its type (Core, Vol 6, Part B, 1.3); eight bytes, without heap memory.
public struct DeviceAddress: Hashable, Sendable, CustomStringConvertible {
  /// The address in bits 0 to 47 (its first written byte is the most significant), the type in bits 48 to 55.
  public let bits: UInt64

  /// The type of an address (HCI's `*_Address_Type` parameters); undefined values are kept as numbers.
  public struct Kind: RawRepresentable, Hashable, Sendable {
    /// The number as in HCI.
    public let rawValue: UInt8
    /// Makes a kind from its number.
    @inlinable
    public init(rawValue: UInt8) { self.rawValue = rawValue }
    /// Public device address (0); BR/EDR addresses are of this kind.
    public static let `public` = Kind(rawValue: 0)
    /// Random device address (1).
    public static let random = Kind(rawValue: 1)
    /// Public identity address; the controller resolved a private address (2).
    public static let publicIdentity = Kind(rawValue: 2)
    /// Random static identity address; the controller resolved a private address (3).
    public static let randomIdentity = Kind(rawValue: 3)
    /// The packet does not contain it (0xFD is unused in HCI).
    public static let unknown = Kind(rawValue: 0xFD)
    /// Random address that could not be resolved (0xFE).
    public static let unresolved = Kind(rawValue: 0xFE)
    /// No address: an anonymous advertisement (0xFF).
    public static let anonymous = Kind(rawValue: 0xFF)
    /// The address is random, resolved or not.
    @inlinable
    public var isRandom: Bool { rawValue == 1 || rawValue == 3 || rawValue == 0xFE }
  }

  /// The kind of random address by its two most significant bits (Core, Vol 6, Part B, 1.3.2).
  public enum Randomness: UInt8, Sendable {
    /// Not random: a public address, or the type is not known.
    case none
    /// Stays the same at least until the device restarts.
    case `static`
    /// A resolvable private address: it changes, and can be resolved with the device's IRK.
    case resolvable
    /// A non-resolvable private address.
    case nonResolvable
  }

  /// Creates an address from its number (first written byte most significant; bits above 47 are dropped) and its type.
  @inlinable
  public init(_ address: UInt64, _ kind: Kind = .unknown) {
    bits = address & 0xFFFF_FFFF_FFFF | UInt64(kind.rawValue) << 48
  }

  /// Reads six bytes at `offset`, least significant first, as in HCI. Nil where some of them are missing.
  @inlinable
  public init?(_ bytes: RawSpan, at offset: Int, _ kind: Kind = .unknown) {
    guard offset >= 0, bytes.byteCount >= 6, offset <= bytes.byteCount &- 6 else { return nil }
    let low = UInt32(truncatingIfNeeded: bytes.integer(offset, 4))
    let high = UInt16(truncatingIfNeeded: bytes.integer(offset &+ 4, 2))
    self.init(UInt64(low) | UInt64(high) << 32, kind)
  }

  /// Reads `aa:bb:cc:dd:ee:ff` (or with dashes, or without either) in any case. Nil for other texts.
  public init?(_ text: some StringProtocol, _ kind: Kind = .unknown) {
    var value: UInt64 = 0
    var digits = 0
    for byte in text.utf8 where byte != UInt8(ascii: ":") && byte != UInt8(ascii: "-") {
      let digit: UInt8
      switch byte {
      case UInt8(ascii: "0")...UInt8(ascii: "9"): digit = byte &- UInt8(ascii: "0")
      case UInt8(ascii: "a")...UInt8(ascii: "f"): digit = byte &- UInt8(ascii: "a") &+ 10
      case UInt8(ascii: "A")...UInt8(ascii: "F"): digit = byte &- UInt8(ascii: "A") &+ 10
      default: return nil
      }
      value = value << 4 | UInt64(digit)
      digits += 1
      if digits > 12 { return nil }
    }
    guard digits == 12 else { return nil }
    self.init(value, kind)
  }

  /// The 48-bit number, first written byte most significant.
  @inlinable
  public var address: UInt64 { bits & 0xFFFF_FFFF_FFFF }

  /// The type of the address.
  @inlinable
  public var kind: Kind { Kind(rawValue: UInt8(truncatingIfNeeded: bits >> 48)) }

  /// The kind of random address; ``Randomness/none`` unless its type is random.
  @inlinable
  public var randomness: Randomness {
    guard kind.isRandom else { return .none }
    switch address >> 46 {
    case 0b11: return .static
    case 0b01: return .resolvable
    case 0b00: return .nonResolvable
    default: return .none
    }
  }

  /// In a few words: `public`, `random static`, `resolvable private`, `non-resolvable private`, `random`, or empty where it is not known.
  public var kindName: StaticName {
    switch kind {
    case .public, .publicIdentity: return "public"
    case .anonymous: return "anonymous"
    case _ where kind.isRandom:
      switch randomness {
      case .static: return "random static"
      case .resolvable: return "resolvable private"
      case .nonResolvable: return "non-resolvable private"
      case .none: return "random"
      }
    default: return .empty
    }
  }

  /// Appends `aa:bb:cc:dd:ee:ff`, 17 bytes, to `buffer`.
  @inlinable
  public func write(to buffer: inout [UInt8]) {
    var shift: UInt64 = 48
    while shift > 0 {
      shift &-= 4
      let digit = UInt8(truncatingIfNeeded: address &>> shift) & 15
      buffer.append(digit &+ (digit < 10 ? 48 : 87))
      if shift & 7 == 0, shift > 0 { buffer.append(UInt8(ascii: ":")) }
    }
  }

  /// `aa:bb:cc:dd:ee:ff`.
  public var description: String {
    var buffer: [UInt8] = []
    buffer.reserveCapacity(17)
    write(to: &buffer)
    return String(decoding: buffer, as: UTF8.self)
  }
}
