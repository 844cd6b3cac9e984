/// An error in the description of a checksum.
public enum ChecksumError: Error, Equatable, Sendable {
  /// No algorithm has this name; with the closest name, if one is similar.
  case unknownAlgorithm(String, closest: String?)
  /// A parameter that a CRC does not have.
  case unknownParameter(String)
  /// A parameter's value that is no number (or no boolean), or one out of range.
  case badValue(parameter: String, String)
  /// A CRC without this parameter.
  case missingParameter(String)
}

/// A checksum algorithm: a CRC or a sum, and a constant that is added or XORed at the end.
public struct ChecksumAlgorithm: Sendable {
  /// The algorithm without the constants.
  public enum Base: Sendable {
    /// A cyclic redundancy check.
    case crc(CRC)
    /// A sum or XOR.
    case sum(AdditiveChecksum)
  }

  /// The algorithm without the constants.
  public var base: Base
  /// A constant added at the end, modulo 2^``width``.
  public var addend: UInt128 = 0
  /// A constant XORed with the result, after the addition.
  public var mask: UInt128 = 0

  /// A CRC.
  public init(_ crc: CRC) { base = .crc(crc) }

  /// A sum or XOR.
  public init(_ sum: AdditiveChecksum) { base = .sum(sum) }

  /// Parses a description.
  ///
  /// It is a name of ``CRCCatalogue`` or ``namedSums`` (or an alias of one), or `crc(width=16 poly=0x1021 init=0xffff refin=true refout=true
  /// xorout=0)`, where only width and poly are required. `+N` after it adds and `^N` XORs a constant. Throws ``ChecksumError``.
  public init(parsing description: String) throws(ChecksumError) {
    var name = Substring(description)
    var mask: UInt128 = 0
    var addend: UInt128 = 0
    if let at = name.lastIndex(of: "^") {
      mask = try Self.number(name[name.index(after: at)...], for: "^")
      name = name[..<at]
    }
    if let at = name.lastIndex(of: "+") {
      addend = try Self.number(name[name.index(after: at)...], for: "+")
      name = name[..<at]
    }
    let text = String(name)
    if let open = text.firstIndex(where: { $0 == "(" || $0 == ":" }), CRCCatalogue.essence(String(text[..<open])) == Array("crc".utf8) {
      self.init(CRC(try Self.parameters(text[text.index(after: open)...])))
    } else if let sum = Self.sum(named: text) {
      self.init(sum)
    } else if let crc = CRC(named: text) {
      self.init(crc)
    } else {
      throw .unknownAlgorithm(text, closest: Self.closest(to: text))
    }
    self.addend = addend
    self.mask = mask
  }

  /// Width of the result in bits.
  public var width: Int {
    switch base {
    case .crc(let crc): crc.parameters.width
    case .sum(let sum): sum.bits
    }
  }

  /// A name that ``init(parsing:)`` accepts.
  public var name: String {
    var name: String
    switch base {
    case .crc(let crc):
      let p = crc.parameters
      name = p.name
      if name.isEmpty || CRCCatalogue.parameters(named: name)?.isSameArithmetic(as: p) != true {
        func hex(_ value: UInt128) -> String { "0x" + String(value, radix: 16) }
        name = "crc(width=\(p.width) poly=\(hex(p.polynomial)) init=\(hex(p.initial)) refin=\(p.reflectsInput) refout=\(p.reflectsOutput)"
        name += " xorout=\(hex(p.finalXor)))"
      }
    case .sum(let sum):
      name = Self.namedSums.first { $0.sum == sum }?.name ?? "sum"
    }
    if addend != 0 { name += "+0x" + String(addend, radix: 16) }
    if mask != 0 { name += "^0x" + String(mask, radix: 16) }
    return name
  }

  /// A computation that can be continued over several spans.
  @frozen
  public enum Register: Equatable, Sendable {
    /// A CRC's register.
    case crc(CRC.Register)
    /// A sum's register.
    case sum(AdditiveChecksum.Register)
  }

  /// The initial register.
  @inlinable
  public var register: Register {
    switch base {
    case .crc(let crc): .crc(crc.register)
    case .sum: .sum(AdditiveChecksum.Register())
    }
  }

  /// Processes `bytes` with `register`, which must be one of this algorithm.
  @inlinable
  public func update(_ register: inout Register, _ bytes: RawSpan) {
    switch (base, register) {
    case (.crc(let crc), .crc(var state)):
      crc.update(&state, bytes)
      register = .crc(state)
    case (.sum(let sum), .sum(var state)):
      sum.update(&state, bytes)
      register = .sum(state)
    default:
      break
    }
  }

  /// The checksum, right-aligned, of the bytes processed with `register`.
  @inlinable
  public func value(_ register: Register) -> UInt128 {
    var result: UInt128
    switch (base, register) {
    case (.crc(let crc), .crc(let state)): result = crc.value(state)
    case (.sum(let sum), .sum(let state)): result = UInt128(sum.value(state))
    default: result = 0
    }
    if addend != 0 { result = (result &+ addend) & (UInt128.max >> UInt128(128 &- width)) }
    return result ^ mask
  }

  /// The checksum of `bytes`, right-aligned.
  @inlinable
  public func value(of bytes: RawSpan) -> UInt128 {
    var register = register
    update(&register, bytes)
    return value(register)
  }

  // MARK: Names

  /// The named sums. `-ones` is the sum inverted (0xFF − sum), `-twos` the sum negated (0x100 − sum).
  public static let namedSums: [(name: String, sum: AdditiveChecksum)] = {
    var sums: [(name: String, sum: AdditiveChecksum)] = []
    for bits in [8, 16, 24, 32] {
      sums.append(("sum\(bits)", AdditiveChecksum(.sum, bits: bits)))
      sums.append(("sum\(bits)-ones", AdditiveChecksum(.sum, bits: bits, complement: .ones)))
      sums.append(("sum\(bits)-twos", AdditiveChecksum(.sum, bits: bits, complement: .twos)))
    }
    for (order, isLittle) in [("be", false), ("le", true)] {
      for bits in [16, 32] {
        for (suffix, complement) in [("", AdditiveChecksum.Complement.none), ("-ones", .ones), ("-twos", .twos)] {
          let sum = AdditiveChecksum(.sum, bits: bits, unit: bits / 8, isLittleEndian: isLittle, complement: complement)
          sums.append(("sum\(bits)-words-\(order)\(suffix)", sum))
        }
      }
    }
    sums.append(("xor8", AdditiveChecksum(.xor, bits: 8)))
    sums.append(("xor8-ones", AdditiveChecksum(.xor, bits: 8, complement: .ones)))
    sums.append(("xor16-be", AdditiveChecksum(.xor, bits: 16, unit: 2)))
    sums.append(("xor16-le", AdditiveChecksum(.xor, bits: 16, unit: 2, isLittleEndian: true)))
    sums.append(("xor32-be", AdditiveChecksum(.xor, bits: 32, unit: 4)))
    sums.append(("xor32-le", AdditiveChecksum(.xor, bits: 32, unit: 4, isLittleEndian: true)))
    sums.append(("sum8-even-odd", AdditiveChecksum(.interleaved, bits: 16)))
    sums.append(("internet", AdditiveChecksum(.internet, bits: 16)))
    sums.append(("fletcher-16", AdditiveChecksum(.fletcher, bits: 16)))
    sums.append(("fletcher-16-mod256", AdditiveChecksum(.fletcherModulo256, bits: 16)))
    sums.append(("fletcher-32", AdditiveChecksum(.fletcher, bits: 32)))
    sums.append(("adler-32", AdditiveChecksum(.adler, bits: 32)))
    return sums
  }()

  /// Other names of sums.
  public static let sumAliases: [(alias: String, name: String)] = [
    ("lrc", "sum8-twos"), ("modbus-lrc", "sum8-twos"), ("lrc16", "sum16-twos"), ("xor", "xor8"), ("bcc", "xor8"), ("xor16", "xor16-be"),
    ("xor32", "xor32-be"), ("rfc1071", "internet"), ("interleaved", "sum8-even-odd"), ("sum8-interleaved", "sum8-even-odd"),
    ("sum16-words", "sum16-words-be"), ("sum32-words", "sum32-words-be"),
    ("ubx", "fletcher-16-mod256"),
  ]

  private static func sum(named name: String) -> AdditiveChecksum? {
    let key = CRCCatalogue.essence(name)
    let own = sumAliases.first { CRCCatalogue.essence($0.alias) == key }.map { CRCCatalogue.essence($0.name) } ?? key
    return namedSums.first { CRCCatalogue.essence($0.name) == own }?.sum
  }

  /// The name closest to an unknown one, with at most a third of its characters changed.
  private static func closest(to name: String) -> String? {
    let key = CRCCatalogue.essence(String(name.prefix(40)))
    return nearest(to: key, of: knownNames, limit: max(key.count, 1) / 3, \.key)?.name
  }

  /// All names and aliases, with their letters and digits.
  private static let knownNames: [(name: String, key: [UInt8])] =
    (CRCCatalogue.all.map(\.name) + CRCCatalogue.aliases.map(\.alias) + namedSums.map(\.name) + sumAliases.map(\.alias))
    .map { ($0, CRCCatalogue.essence($0)) }

  private static func parameters(_ text: Substring) throws(ChecksumError) -> CRCParameters {
    var width: UInt128?
    var polynomial: UInt128?
    var initial: UInt128 = 0
    var reflectsInput = false
    var reflectsOutput: Bool?
    var finalXor: UInt128 = 0
    for part in text.split(whereSeparator: { " ,;()".contains($0) }) {
      guard let equals = part.firstIndex(where: { $0 == "=" || $0 == ":" }) else { throw .unknownParameter(String(part)) }
      let value = part[part.index(after: equals)...]
      switch String(part[..<equals]).lowercased() {
      case "width": width = try number(value, for: "width")
      case "poly", "polynomial": polynomial = try number(value, for: "poly")
      case "init", "initial": initial = try number(value, for: "init")
      case "refin": reflectsInput = try truth(value, for: "refin")
      case "refout": reflectsOutput = try truth(value, for: "refout")
      case "xorout": finalXor = try number(value, for: "xorout")
      case "check", "residue", "name": continue
      default: throw .unknownParameter(String(part[..<equals]))
      }
    }
    guard let width else { throw .missingParameter("width") }
    guard let polynomial else { throw .missingParameter("poly") }
    guard width >= 1, width <= 128 else { throw .badValue(parameter: "width", String(width)) }
    for (name, value) in [("poly", polynomial), ("init", initial), ("xorout", finalXor)] where value > UInt128.max >> (128 - width) {
      throw .badValue(parameter: name, "0x" + String(value, radix: 16))
    }
    return CRCParameters(
      name: "", width: Int(width), polynomial: polynomial, initial: initial, reflectsInput: reflectsInput,
      reflectsOutput: reflectsOutput ?? reflectsInput, finalXor: finalXor)
  }

  private static func number(_ text: Substring, for parameter: String) throws(ChecksumError) -> UInt128 {
    let digits = text.filter { $0 != "_" && $0 != " " }
    let isHex = digits.hasPrefix("0x") || digits.hasPrefix("0X")
    guard let value = UInt128(isHex ? digits.dropFirst(2) : Substring(digits), radix: isHex ? 16 : 10) else {
      throw .badValue(parameter: parameter, String(text))
    }
    return value
  }

  private static func truth(_ text: Substring, for parameter: String) throws(ChecksumError) -> Bool {
    switch text.lowercased() {
    case "true", "yes", "1": return true
    case "false", "no", "0": return false
    default: throw .badValue(parameter: parameter, String(text))
    }
  }
}

extension CRCParameters {
  /// Whether both give the same CRC for any message.
  func isSameArithmetic(as other: CRCParameters) -> Bool {
    width == other.width && polynomial == other.polynomial && initial == other.initial && reflectsInput == other.reflectsInput
      && reflectsOutput == other.reflectsOutput && finalXor == other.finalXor
  }
}
