/// The parameters of a cyclic redundancy check in the Rocksoft model: all numbers right-aligned in `width` bits.
public struct CRCParameters: Equatable, Sendable {
  /// The catalogue's name.
  public var name: String
  /// Width of the register in bits, 3...82 in the catalogue; 1...128 are supported.
  public var width: Int
  /// The generator polynomial without its highest term.
  public var polynomial: UInt128
  /// Initial value of the register, not reflected.
  public var initial: UInt128
  /// Whether the least significant bit of every byte is processed first.
  public var reflectsInput: Bool
  /// Whether the register is reflected before the final XOR.
  public var reflectsOutput: Bool
  /// The final XOR value.
  public var finalXor: UInt128
  /// The CRC of the ASCII digits `123456789`, where it is published.
  public var check: UInt128?
  /// The register after a message and its CRC, before the final XOR, if it is published.
  public var residue: UInt128?

  /// Creates parameters. `width` is clamped to 1...128, the numbers are masked to that width.
  public init(
    name: String, width: Int, polynomial: UInt128, initial: UInt128 = 0, reflectsInput: Bool = false, reflectsOutput: Bool = false,
    finalXor: UInt128 = 0, check: UInt128? = nil, residue: UInt128? = nil
  ) {
    let width = min(max(width, 1), 128)
    let mask = UInt128.max >> UInt128(128 - width)
    self.name = name
    self.width = width
    self.polynomial = polynomial & mask
    self.initial = initial & mask
    self.reflectsInput = reflectsInput
    self.reflectsOutput = reflectsOutput
    self.finalXor = finalXor & mask
    self.check = check
    self.residue = residue
  }
}

/// A CRC with its tables.
///
/// Up to 64 bits, eight bytes are processed at a time (slicing by 8: eight tables of 256, 16 KiB); wider CRCs process a byte at a time. Creating one
/// takes some 10 µs: reuse it.
public struct CRC: Sendable {
  /// A single reference, so that copying a CRC is cheap.
  @usableFromInline let storage: Storage

  /// Its parameters.
  @inlinable
  public var parameters: CRCParameters { storage.parameters }

  /// Builds the tables of `parameters`.
  public init(_ parameters: CRCParameters) {
    storage = Storage(parameters)
  }

  /// Parameters and tables.
  @usableFromInline
  final class Storage: Sendable {
    @usableFromInline let parameters: CRCParameters
    /// The initial register: right-aligned if the input is reflected, else left-aligned in 64 (or, wider, 128) bits.
    @usableFromInline let start: UInt64
    @usableFromInline let wideStart: UInt128
    /// `tables[k * 256 + b]`: the register after the byte b and k zero bytes.
    @usableFromInline let tables: [UInt64]
    @usableFromInline let wideTable: [UInt128]

    /// The same polynomial with another initial value and final XOR: the tables are shared.
    init(_ other: Storage, initial: UInt128, finalXor: UInt128) {
      var parameters = other.parameters
      (parameters.initial, parameters.finalXor, parameters.name) = (initial, finalXor, "")
      self.parameters = parameters
      wideStart = parameters.reflectsInput ? reflect(initial, parameters.width) : initial << UInt128(128 - parameters.width)
      start = UInt64(truncatingIfNeeded: parameters.reflectsInput ? wideStart : wideStart >> 64)
      tables = other.tables
      wideTable = other.wideTable
    }

    init(_ parameters: CRCParameters) {
      self.parameters = parameters
      let width = parameters.width
      let isReflected = parameters.reflectsInput
      let isWide = width > 64
      let align = UInt128(128 - width)
      // Both directions are computed in 128 bits; widths up to 64 are stored in 64.
      let polynomial = isReflected ? reflect(parameters.polynomial, width) : parameters.polynomial << align
      let initial = isReflected ? reflect(parameters.initial, width) : parameters.initial << align
      var table = [UInt128](repeating: 0, count: 256)
      for byte in 0..<256 {
        var register = isReflected ? UInt128(byte) : UInt128(byte) << 120
        for _ in 0..<8 {
          let out = isReflected ? register & 1 : register >> 127
          register = isReflected ? register >> 1 : register << 1
          if out != 0 { register ^= polynomial }
        }
        table[byte] = register
      }
      wideStart = initial
      start = UInt64(truncatingIfNeeded: isReflected ? initial : initial >> 64)
      if isWide {
        wideTable = table
        tables = []
      } else {
        wideTable = []
        var narrow = [UInt64](repeating: 0, count: 8 * 256)
        for byte in 0..<256 { narrow[byte] = UInt64(truncatingIfNeeded: isReflected ? table[byte] : table[byte] >> 64) }
        for index in 256..<(8 * 256) {
          let before = narrow[index - 256]
          narrow[index] = isReflected ? before >> 8 ^ narrow[Int(before & 0xff)] : before << 8 ^ narrow[Int(before >> 56)]
        }
        tables = narrow
      }
    }
  }

  /// The same polynomial with another initial value and final XOR, without a name.
  func with(initial: UInt128, finalXor: UInt128) -> CRC { CRC(storage: Storage(storage, initial: initial, finalXor: finalXor)) }

  private init(storage: Storage) { self.storage = storage }

  /// A CRC of the catalogue, by its name or an alias (``CRCCatalogue``); nil where none has that name.
  public init?(named name: String) {
    guard let parameters = CRCCatalogue.parameters(named: name) else { return nil }
    self.init(parameters)
  }

  /// A computation that can be continued over several spans.
  public struct Register: Equatable, Sendable {
    @usableFromInline var narrow: UInt64
    @usableFromInline var wide: UInt128

    @inlinable
    init(narrow: UInt64, wide: UInt128) {
      self.narrow = narrow
      self.wide = wide
    }
  }

  /// The initial register.
  @inlinable
  public var register: Register { Register(narrow: storage.start, wide: storage.wideStart) }

  /// Processes `bytes` with `register`.
  @inlinable
  public func update(_ register: inout Register, _ bytes: RawSpan) {
    if storage.tables.isEmpty {
      updateWide(&register, bytes)
    } else {
      register.narrow = unsafe bytes.withUnsafeBytes { unsafe narrow(register.narrow, $0) }
    }
  }

  /// The CRC, right-aligned, of the bytes processed with `register`.
  @inlinable
  public func value(_ register: Register) -> UInt128 { beforeXor(register) ^ parameters.finalXor }

  /// The CRC of `bytes`, right-aligned.
  @inlinable
  public func value(of bytes: RawSpan) -> UInt128 {
    var register = register
    update(&register, bytes)
    return value(register)
  }

  /// Whether `codeword`, a message followed by its CRC, leaves the residue. For widths of complete bytes, with the CRC in the order in which its bits
  /// are computed (low byte first if the output is reflected), and input and output reflected alike.
  public func leavesResidue(_ codeword: RawSpan) -> Bool {
    var register = register
    update(&register, codeword)
    return beforeXor(register) == residue
  }

  /// The residue: the register after any message and its CRC, before the final XOR.
  public var residue: UInt128 {
    // After the message, the CRC's bits cancel all of the register except the final XOR, which then runs through `width` zero bits.
    let mask = UInt128.max >> UInt128(128 - parameters.width)
    var register = parameters.reflectsOutput ? reflect(parameters.finalXor, parameters.width) : parameters.finalXor
    for _ in 0..<parameters.width {
      let out = register >> UInt128(parameters.width - 1) & 1
      register = register << 1 & mask
      if out != 0 { register ^= parameters.polynomial }
    }
    return parameters.reflectsOutput ? reflect(register, parameters.width) : register
  }

  /// The register value after `count` zero bytes, starting from `value`, without the final XOR; for CRCs with equal input and output reflection.
  func advanced(_ value: UInt128, by count: Int) -> UInt128 {
    guard count > 0 else { return value }
    let wide = parameters.reflectsInput ? value : value << UInt128(128 - parameters.width)
    var register = Register(narrow: UInt64(truncatingIfNeeded: parameters.reflectsInput ? wide : wide >> 64), wide: wide)
    let zeros = [UInt8](repeating: 0, count: count)
    update(&register, zeros.rawSpan)
    return beforeXor(register)
  }

  @usableFromInline
  func beforeXor(_ register: Register) -> UInt128 {
    let width = parameters.width
    let aligned: UInt128
    if parameters.reflectsInput {
      aligned = width > 64 ? register.wide : UInt128(register.narrow)
    } else {
      aligned = width > 64 ? register.wide >> UInt128(128 - width) : UInt128(register.narrow >> UInt64(64 - width))
    }
    return parameters.reflectsInput == parameters.reflectsOutput ? aligned : reflect(aligned, width)
  }

  @inlinable
  func narrow(_ from: UInt64, _ bytes: UnsafeRawBufferPointer) -> UInt64 {
    unsafe storage.tables.withUnsafeBufferPointer { table in
      var register = from
      var at = 0
      let count = bytes.count
      if parameters.reflectsInput {
        while count &- at >= 8 {
          let x = unsafe register ^ UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: at, as: UInt64.self))
          let low = unsafe table[0x700 | Int(x & 0xff)] ^ table[0x600 | Int(x >> 8 & 0xff)] ^ table[0x500 | Int(x >> 16 & 0xff)]
          let middle = unsafe table[0x400 | Int(x >> 24 & 0xff)] ^ table[0x300 | Int(x >> 32 & 0xff)]
          register = unsafe low ^ middle ^ table[0x200 | Int(x >> 40 & 0xff)] ^ table[0x100 | Int(x >> 48 & 0xff)] ^ table[Int(x >> 56)]
          at &+= 8
        }
        while at < count {
          register = unsafe register >> 8 ^ table[Int((register ^ UInt64(bytes[at])) & 0xff)]
          at &+= 1
        }
      } else {
        while count &- at >= 8 {
          let x = unsafe register ^ UInt64(bigEndian: bytes.loadUnaligned(fromByteOffset: at, as: UInt64.self))
          let low = unsafe table[0x700 | Int(x >> 56)] ^ table[0x600 | Int(x >> 48 & 0xff)] ^ table[0x500 | Int(x >> 40 & 0xff)]
          let middle = unsafe table[0x400 | Int(x >> 32 & 0xff)] ^ table[0x300 | Int(x >> 24 & 0xff)]
          register = unsafe low ^ middle ^ table[0x200 | Int(x >> 16 & 0xff)] ^ table[0x100 | Int(x >> 8 & 0xff)] ^ table[Int(x & 0xff)]
          at &+= 8
        }
        while at < count {
          register = unsafe register << 8 ^ table[Int(register >> 56 ^ UInt64(bytes[at]))]
          at &+= 1
        }
      }
      return register
    }
  }

  @usableFromInline
  func updateWide(_ register: inout Register, _ bytes: RawSpan) {
    var wide = register.wide
    unsafe bytes.withUnsafeBytes { bytes in
      unsafe storage.wideTable.withUnsafeBufferPointer { table in
        if parameters.reflectsInput {
          for index in bytes.indices {
            let byte = unsafe bytes[index]
            wide = unsafe wide >> 8 ^ table[Int(truncatingIfNeeded: wide & 0xff) ^ Int(byte)]
          }
        } else {
          for index in bytes.indices {
            let byte = unsafe bytes[index]
            wide = unsafe wide << 8 ^ table[Int(truncatingIfNeeded: wide >> 120) ^ Int(byte)]
          }
        }
      }
    }
    register.wide = wide
  }
}

/// The lowest `width` bits of `value` in reverse order.
@usableFromInline
func reflect(_ value: UInt128, _ width: Int) -> UInt128 {
  var rest = value
  var reflected: UInt128 = 0
  for _ in 0..<width {
    reflected = reflected << 1 | rest & 1
    rest >>= 1
  }
  return reflected
}
