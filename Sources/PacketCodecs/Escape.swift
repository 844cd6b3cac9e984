/// An error in escaped bytes.
public struct EscapeProblem: Equatable, Sendable {
  /// Kind of error.
  public enum Kind: UInt8, Sendable {
    /// The bytes end inside an escape sequence or a COBS block, or after an odd number of hexadecimal digits.
    case cutShort
    /// A byte without a meaning after an escape byte.
    case unknownSequence
    /// A byte that must be escaped is not (a zero inside COBS, a delimiter inside SLIP or HDLC).
    case unescaped
    /// A byte that is no hexadecimal digit.
    case notHex
  }

  /// Kind of error.
  public var kind: Kind
  /// Offset in bytes in the escaped bytes.
  public var offset: Int

  /// Creates a problem; `offset` is in bytes from the start of the escaped bytes.
  @inlinable
  public init(_ kind: Kind, at offset: Int) {
    self.kind = kind
    self.offset = offset
  }
}

/// An escape encoding, in which some byte values do not occur, or occur only as delimiters.
///
/// Decoding removes delimiters at both ends and never fails: it returns the first problem, and the output has the bytes that could be decoded.
public enum ByteEscape: Equatable, Sendable {
  /// Consistent Overhead Byte Stuffing (Cheshire and Baker, 1999): contains no zeros; zero is the delimiter.
  case cobs
  /// SLIP (RFC 1055): C0 is the delimiter, DB DC means C0, DB DD means DB.
  case slip
  /// HDLC-like framing (RFC 1662, section 4.2): 7E is the delimiter, 7D is followed by the byte XOR 20. The given bytes are escaped in addition to 7D
  /// and 7E.
  case hdlc(also: [UInt8] = [])
  /// A byte that is doubled as data (DLE, 10).
  case doubled(UInt8)
  /// An escape byte followed by the byte XORed with a mask; the given bytes are escaped in addition to the escape byte.
  case xored(escape: UInt8, mask: UInt8, bytes: [UInt8])
  /// An escape byte followed by a code for a byte.
  case mapped(escape: UInt8, [Substitution])
  /// Two ASCII hexadecimal digits for each byte; decoding accepts both cases, encoding writes upper case by default.
  case asciiHex(upperCase: Bool = true)
  /// Every byte XORed with a repeated key.
  case scrambled(key: [UInt8])

  /// A code after an escape byte, and the byte it represents.
  public struct Substitution: Equatable, Sendable {
    /// The byte after the escape byte.
    public var code: UInt8
    /// The represented byte.
    public var byte: UInt8

    /// Makes a substitution.
    public init(code: UInt8, byte: UInt8) {
      self.code = code
      self.byte = byte
    }
  }

  /// Rules that split a stream into frames of this encoding, with their delimiters; nil where the encoding has no delimiter.
  public var streamRules: StreamRules? {
    let delimiter: UInt8
    switch self {
    case .cobs: delimiter = 0
    case .slip: delimiter = 0xc0
    case .hdlc: delimiter = 0x7e
    default: return nil
    }
    var rules = StreamRules()
    rules.ends = [[delimiter]]
    rules.padding = delimiter
    return rules
  }

  /// Whether a byte is escaped: the encoded length depends on the number of such bytes.
  public func escapes(_ byte: UInt8) -> Bool {
    switch self {
    case .cobs: byte == 0
    case .slip: byte == 0xc0 || byte == 0xdb
    case .hdlc(let also): byte == 0x7d || byte == 0x7e || also.contains(byte)
    case .doubled(let escape): byte == escape
    case .xored(let escape, _, let bytes): byte == escape || bytes.contains(byte)
    case .mapped(_, let map): map.contains { $0.byte == byte }
    case .asciiHex, .scrambled: false
    }
  }

  /// Appends the decoded `bytes` to `output`. Returns the first error; after it, decoding continued as far as possible.
  @discardableResult
  public func decode(_ bytes: RawSpan, into output: inout [UInt8]) -> EscapeProblem? {
    switch self {
    case .cobs:
      return decodeCOBS(bytes, &output)
    case .slip:
      return decodeEscaped(bytes, &output, escape: 0xdb, delimiter: 0xc0) { $0 == 0xdc ? 0xc0 : $0 == 0xdd ? 0xdb : nil }
    case .hdlc:
      return decodeEscaped(bytes, &output, escape: 0x7d, delimiter: 0x7e) { $0 ^ 0x20 }
    case .doubled(let escape):
      return decodeEscaped(bytes, &output, escape: escape, delimiter: nil) { $0 == escape ? escape : nil }
    case .xored(let escape, let mask, _):
      return decodeEscaped(bytes, &output, escape: escape, delimiter: nil) { $0 ^ mask }
    case .mapped(let escape, let map):
      return decodeEscaped(bytes, &output, escape: escape, delimiter: nil) { code in map.first { $0.code == code }?.byte }
    case .asciiHex:
      return decodeHex(bytes, &output)
    case .scrambled(let key):
      scramble(bytes, key, &output)
      return nil
    }
  }

  /// Appends `bytes` to `output` in escaped form, without delimiters.
  public func encode(_ bytes: RawSpan, into output: inout [UInt8]) {
    switch self {
    case .cobs:
      encodeCOBS(bytes, &output)
    case .slip:
      for index in 0..<bytes.byteCount {
        let byte = bytes.byte(index)
        switch byte {
        case 0xc0: output.append(0xdb); output.append(0xdc)
        case 0xdb: output.append(0xdb); output.append(0xdd)
        default: output.append(byte)
        }
      }
    case .hdlc(let also):
      for index in 0..<bytes.byteCount {
        let byte = bytes.byte(index)
        if byte == 0x7d || byte == 0x7e || also.contains(byte) {
          output.append(0x7d)
          output.append(byte ^ 0x20)
        } else {
          output.append(byte)
        }
      }
    case .doubled(let escape):
      for index in 0..<bytes.byteCount {
        let byte = bytes.byte(index)
        if byte == escape { output.append(escape) }
        output.append(byte)
      }
    case .xored(let escape, let mask, let special):
      for index in 0..<bytes.byteCount {
        let byte = bytes.byte(index)
        if byte == escape || special.contains(byte) {
          output.append(escape)
          output.append(byte ^ mask)
        } else {
          output.append(byte)
        }
      }
    case .mapped(let escape, let map):
      for index in 0..<bytes.byteCount {
        let byte = bytes.byte(index)
        if let substitution = map.first(where: { $0.byte == byte }) {
          output.append(escape)
          output.append(substitution.code)
        } else {
          output.append(byte)
        }
      }
    case .asciiHex(let upperCase):
      for index in 0..<bytes.byteCount {
        let byte = bytes.byte(index)
        output.append(hexDigit(byte >> 4, upperCase: upperCase))
        output.append(hexDigit(byte & 15, upperCase: upperCase))
      }
    case .scrambled(let key):
      scramble(bytes, key, &output)
    }
  }

  // MARK: Parts

  private func decodeCOBS(_ bytes: RawSpan, _ output: inout [UInt8]) -> EscapeProblem? {
    var at = 0
    var end = bytes.byteCount
    while at < end, bytes.byte(at) == 0 { at &+= 1 }
    while end > at, bytes.byte(end &- 1) == 0 { end &-= 1 }
    var problem: EscapeProblem?
    while at < end {
      let code = Int(bytes.byte(at))
      if code == 0 {
        problem = problem ?? EscapeProblem(.unescaped, at: at)
        at &+= 1
        continue
      }
      let block = min(at &+ code, end)
      if block < at &+ code { problem = problem ?? EscapeProblem(.cutShort, at: at) }
      at &+= 1
      while at < block {
        // A zero inside a block ends it: what is behind it is read as the next block.
        if bytes.byte(at) == 0 {
          problem = problem ?? EscapeProblem(.unescaped, at: at)
          break
        }
        output.append(bytes.byte(at))
        at &+= 1
      }
      if code < 0xff, at < end { output.append(0) }
    }
    return problem
  }

  private func encodeCOBS(_ bytes: RawSpan, _ output: inout [UInt8]) {
    var codeAt = output.count
    output.append(1)
    for index in 0..<bytes.byteCount {
      let byte = bytes.byte(index)
      if byte != 0 {
        output.append(byte)
        output[codeAt] += 1
        // A full block stands for no zero; a new one is begun only where bytes follow.
        if output[codeAt] == 0xff, index + 1 < bytes.byteCount {
          codeAt = output.count
          output.append(1)
        }
      } else {
        codeAt = output.count
        output.append(1)
      }
    }
  }

  @inline(__always)
  private func decodeEscaped(
    _ bytes: RawSpan, _ output: inout [UInt8], escape: UInt8, delimiter: UInt8?, meaning: (UInt8) -> UInt8?
  ) -> EscapeProblem? {
    var at = 0
    var end = bytes.byteCount
    var problem: EscapeProblem?
    if let delimiter {
      while at < end, bytes.byte(at) == delimiter { at &+= 1 }
      while end > at, bytes.byte(end &- 1) == delimiter { end &-= 1 }
    }
    while at < end {
      let byte = bytes.byte(at)
      if byte == escape {
        guard at &+ 1 < end else {
          problem = problem ?? EscapeProblem(.cutShort, at: at)
          break
        }
        if let meant = meaning(bytes.byte(at &+ 1)) {
          output.append(meant)
        } else {
          // Kept unchanged, as RFC 1055 advises.
          problem = problem ?? EscapeProblem(.unknownSequence, at: at)
          output.append(bytes.byte(at &+ 1))
        }
        at &+= 2
        continue
      }
      if byte == delimiter { problem = problem ?? EscapeProblem(.unescaped, at: at) }
      output.append(byte)
      at &+= 1
    }
    return problem
  }

  private func decodeHex(_ bytes: RawSpan, _ output: inout [UInt8]) -> EscapeProblem? {
    var at = 0
    while at < bytes.byteCount {
      guard let high = hexValue(bytes.byte(at)) else { return EscapeProblem(.notHex, at: at) }
      guard at &+ 1 < bytes.byteCount else { return EscapeProblem(.cutShort, at: at) }
      guard let low = hexValue(bytes.byte(at &+ 1)) else { return EscapeProblem(.notHex, at: at &+ 1) }
      output.append(high << 4 | low)
      at &+= 2
    }
    return nil
  }

  private func scramble(_ bytes: RawSpan, _ key: [UInt8], _ output: inout [UInt8]) {
    var position = 0
    for index in 0..<bytes.byteCount {
      let byte = bytes.byte(index)
      guard !key.isEmpty else {
        output.append(byte)
        continue
      }
      output.append(byte ^ key[position])
      position = position &+ 1 == key.count ? 0 : position &+ 1
    }
  }
}
