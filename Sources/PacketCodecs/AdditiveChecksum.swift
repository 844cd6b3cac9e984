/// The checksums that are not CRCs: sums and XORs of bytes or words.
public struct AdditiveChecksum: Equatable, Sendable {
  /// How the bytes are combined.
  public enum Kind: UInt8, Sendable, CaseIterable {
    /// The sum of the bytes, or of words of ``AdditiveChecksum/unit`` bytes, modulo 2^bits.
    case sum
    /// The XOR of the bytes, or of words of ``AdditiveChecksum/unit`` bytes.
    case xor
    /// Two sums modulo 256: of the bytes at even offsets in the high byte, of those at odd offsets in the low byte.
    case interleaved
    /// The ones' complement of the ones' complement sum of big-endian words of 16 bits (RFC 1071).
    case internet
    /// Fletcher's two sums (RFC 1146), modulo 255 over bytes, or modulo 65535 over little-endian words of 16 bits.
    case fletcher
    /// Fletcher's two sums modulo 256 over bytes (RFC 1145): the second in the high byte.
    case fletcherModulo256
    /// Adler-32 (RFC 1950).
    case adler
  }

  /// The final operation on the sum.
  public enum Complement: UInt8, Sendable, CaseIterable {
    /// Nothing.
    case none
    /// All bits inverted.
    case ones
    /// Negated: added to the plain sum it gives zero.
    case twos
  }

  /// How the bytes are combined.
  public var kind: Kind
  /// Width of the result in bits: 8, 16, 24 or 32.
  public var bits: Int
  /// Size in bytes of a word that is added: 1, 2 or 4. A partial last word is padded with zeros.
  public var unit: Int
  /// Whether words are read with the low byte first.
  public var isLittleEndian: Bool
  /// The final operation on the sum.
  public var complement: Complement

  /// Makes a sum of bytes (or of words of `unit` bytes) of `bits` bits.
  public init(_ kind: Kind, bits: Int, unit: Int = 1, isLittleEndian: Bool = false, complement: Complement = .none) {
    self.kind = kind
    self.bits = min(max(bits, 1), 32)
    self.unit = min(max(unit, 1), 4)
    self.isLittleEndian = isLittleEndian
    self.complement = complement
  }

  /// The state of the sums after the bytes so far.
  public struct Register: Equatable, Sendable {
    @usableFromInline var first: UInt64 = 0
    @usableFromInline var second: UInt64 = 0
    @usableFromInline var count: Int = 0

    /// The state before the first byte; Adler's sum is set to 1 with the first bytes.
    @inlinable
    public init() {}
  }

  /// Adds `bytes` to `register`.
  @inlinable
  public func update(_ register: inout Register, _ bytes: RawSpan) {
    unsafe bytes.withUnsafeBytes { unsafe update(&register, $0) }
  }

  @usableFromInline
  func update(_ register: inout Register, _ bytes: UnsafeRawBufferPointer) {
    switch kind {
    case .sum where unit == 1:
      for index in bytes.indices {
        let byte = unsafe bytes[index]
        register.first &+= UInt64(byte)
      }
      register.count &+= bytes.count
    case .xor where unit == 1:
      for index in bytes.indices {
        let byte = unsafe bytes[index]
        register.first ^= UInt64(byte)
      }
      register.count &+= bytes.count
    case .sum, .xor, .internet:
      let unit = kind == .internet ? 2 : self.unit
      for index in bytes.indices {
        let byte = unsafe bytes[index]
        let column = register.count % unit
        let word = UInt64(byte) << UInt64(8 * (isLittleEndian && kind != .internet ? column : unit - 1 - column))
        if kind == .xor { register.first ^= word } else { register.first &+= word }
        register.count &+= 1
      }
    case .interleaved:
      for index in bytes.indices {
        let byte = unsafe bytes[index]
        if register.count & 1 == 0 { register.first &+= UInt64(byte) } else { register.second &+= UInt64(byte) }
        register.count &+= 1
      }
    case .fletcher where bits > 16:
      // A word is added with its second byte; if `count` is odd, the low byte is stored in the top bits of `first`.
      for index in bytes.indices {
        let byte = unsafe bytes[index]
        if register.count & 1 == 0 {
          register.first = (register.first & 0xffff) | UInt64(byte) << 32
        } else {
          register.first = ((register.first & 0xffff) + (register.first >> 32) + UInt64(byte) << 8) % 65535
          register.second = (register.second + register.first) % 65535
        }
        register.count &+= 1
      }
    case .fletcher:
      for index in bytes.indices {
        let byte = unsafe bytes[index]
        register.first = (register.first + UInt64(byte)) % 255
        register.second = (register.second + register.first) % 255
      }
      register.count &+= bytes.count
    case .fletcherModulo256:
      for index in bytes.indices {
        let byte = unsafe bytes[index]
        register.first = (register.first + UInt64(byte)) & 0xff
        register.second = (register.second + register.first) & 0xff
      }
      register.count &+= bytes.count
    case .adler:
      if register.count == 0 { register.first = 1 }
      for index in bytes.indices {
        let byte = unsafe bytes[index]
        register.first = (register.first + UInt64(byte)) % 65521
        register.second = (register.second + register.first) % 65521
      }
      register.count &+= bytes.count
    }
  }

  /// The checksum, right-aligned, of the bytes added to `register`.
  public func value(_ register: Register) -> UInt64 {
    var result: UInt64
    switch kind {
    case .sum, .xor:
      result = register.first
    case .interleaved:
      result = (register.first & 0xff) << 8 | register.second & 0xff
    case .internet:
      result = register.first
      while result >> 16 != 0 { result = (result & 0xffff) + (result >> 16) }
      result = ~result & 0xffff
    case .fletcher where bits > 16:
      var first = register.first & 0xffff
      var second = register.second
      if register.count & 1 == 1 {
        first = (first + register.first >> 32) % 65535
        second = (second + first) % 65535
      }
      result = second << 16 | first
    case .fletcher, .fletcherModulo256:
      result = register.second << 8 | register.first
    case .adler:
      result = register.second << 16 | (register.count == 0 ? 1 : register.first)
    }
    switch complement {
    case .none: break
    case .ones: result = ~result
    case .twos: result = 0 &- result
    }
    return result & (UInt64.max >> UInt64(64 - bits))
  }

  /// The checksum of `bytes`, right-aligned.
  public func value(of bytes: RawSpan) -> UInt64 {
    var register = Register()
    update(&register, bytes)
    return value(register)
  }
}
