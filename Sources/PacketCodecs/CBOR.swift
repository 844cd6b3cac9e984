/// One data item of CBOR (RFC 8949), or the head of one that contains others.
public struct CBORItem: Equatable, Sendable {
  /// Kind of the item.
  public enum Kind: Equatable, Sendable {
    /// An unsigned integer.
    case unsigned(UInt64)
    /// A negative integer: −1 − n.
    case negative(UInt64)
    /// Bytes, at ``CBORItem/contents``.
    case bytes
    /// UTF-8 text, at ``CBORItem/contents``.
    case text
    /// The head of a byte string in chunks, which follow as items up to ``end``.
    case bytesInPieces
    /// The head of a text in chunks, which follow as items up to ``end``.
    case textInPieces
    /// The head of an array, with its number of items; nil: the items up to ``end``.
    case array(UInt64?)
    /// The head of a map, with its number of pairs of key and value; nil: the pairs up to ``end``.
    case map(UInt64?)
    /// A tag for the item that follows.
    case tag(UInt64)
    /// False or true.
    case boolean(Bool)
    /// Null.
    case null
    /// Undefined.
    case undefined
    /// A simple value without a name.
    case simple(UInt8)
    /// A floating-point number of 16, 32 or 64 bits.
    case float(Double)
    /// The end of an item of indefinite length.
    case end
  }

  /// Kind of the item.
  public var kind: Kind
  /// Offset in bytes of its first byte.
  public var offset: Int
  /// Range of the bytes of a string; for other kinds empty, after the item's head.
  public var contents: Range<Int>

  /// The integer, if it fits.
  public var integer: Int64? {
    switch kind {
    case .unsigned(let value): Int64(exactly: value)
    case .negative(let value): Int64(exactly: value).map { -1 - $0 }
    default: nil
    }
  }
}

/// An error in CBOR data.
public struct CBORError: Error, Equatable, Sendable {
  /// Kind of error.
  public enum Kind: UInt8, Sendable {
    /// The bytes end inside the item.
    case cutShort
    /// A reserved first byte, or an indefinite length where none is allowed.
    case reserved
    /// An end where no item is open, a map with a key but no value, a chunk of another kind.
    case misplaced
    /// Items are nested more deeply than is allowed.
    case tooDeep
  }

  /// Kind of error.
  public var kind: Kind
  /// Offset in bytes of the item.
  public var offset: Int

  /// Creates an error; `offset` is in bytes.
  public init(kind: Kind, offset: Int) {
    self.kind = kind
    self.offset = offset
  }
}

/// Reads data items one head after the other. It stores offsets only.
public struct CBORReader: Sendable {
  /// Offset in bytes of the next item.
  public private(set) var position: Int
  /// Offset in bytes at which the items end.
  public let end: Int

  /// Reads the items in `range` of the bytes that are passed to ``next(in:)``.
  public init(in range: Range<Int>) {
    position = range.lowerBound
    end = range.upperBound
  }

  /// The next item's head in `bytes`; nil at the end. Throws ``CBORError`` where the bytes are not an item; ``position`` then stays.
  public mutating func next(in bytes: RawSpan) throws(CBORError) -> CBORItem? {
    let end = min(self.end, bytes.byteCount)
    guard position >= 0, position < end else { return nil }
    let start = position
    let first = bytes.byte(start)
    let major = first >> 5
    let low = first & 0x1f
    var at = start &+ 1
    var argument = UInt64(low)
    let isIndefinite = low == 31
    if low >= 24, low <= 27 {
      let count = 1 << Int(low &- 24)
      guard count <= end &- at else { throw CBORError(kind: .cutShort, offset: start) }
      argument = loadNumber(bytes, at, count, .big)
      at &+= count
    } else if low >= 28, !isIndefinite || major < 2 || major == 6 {
      throw CBORError(kind: .reserved, offset: start)
    }

    var contents = at..<at
    let kind: CBORItem.Kind
    switch major {
    case 0: kind = .unsigned(argument)
    case 1: kind = .negative(argument)
    case 2, 3:
      if isIndefinite {
        kind = major == 2 ? .bytesInPieces : .textInPieces
      } else {
        guard argument <= UInt64(end &- at) else { throw CBORError(kind: .cutShort, offset: start) }
        contents = at..<(at &+ Int(argument))
        kind = major == 2 ? .bytes : .text
      }
    case 4: kind = .array(isIndefinite ? nil : argument)
    case 5: kind = .map(isIndefinite ? nil : argument)
    case 6: kind = .tag(argument)
    default:
      switch low {
      case 20: kind = .boolean(false)
      case 21: kind = .boolean(true)
      case 22: kind = .null
      case 23: kind = .undefined
      case 24:
        // RFC 8949, 3.3: values below 32 must not be encoded in two bytes.
        guard argument >= 32 else { throw CBORError(kind: .reserved, offset: start) }
        kind = .simple(UInt8(truncatingIfNeeded: argument))
      case 25: kind = .float(HalfFloat.value(UInt16(truncatingIfNeeded: argument)))
      case 26: kind = .float(Double(Float(bitPattern: UInt32(truncatingIfNeeded: argument))))
      case 27: kind = .float(Double(bitPattern: argument))
      case 31: kind = .end
      default: kind = .simple(low)
      }
    }
    position = contents.upperBound
    return CBORItem(kind: kind, offset: start, contents: contents)
  }

  /// Skips the next complete item with its contents, and returns its range; nil at the end. Throws ``CBORError`` where the bytes are no well-formed
  /// item (RFC 8949, appendix C), or items are nested more deeply than `maximumDepth`.
  public mutating func skip(in bytes: RawSpan, maximumDepth: Int = 64) throws(CBORError) -> Range<Int>? {
    guard position < min(end, bytes.byteCount) else { return nil }
    let start = position
    var copy = self
    try copy.skipItem(in: bytes, depth: maximumDepth)
    self = copy
    return start..<position
  }

  private mutating func skipItem(in bytes: RawSpan, depth: Int) throws(CBORError) {
    let at = position
    guard depth > 0 else { throw CBORError(kind: .tooDeep, offset: at) }
    guard let item = try next(in: bytes) else { throw CBORError(kind: .cutShort, offset: at) }
    switch item.kind {
    case .end:
      throw CBORError(kind: .misplaced, offset: at)
    case .tag:
      try skipItem(in: bytes, depth: depth - 1)
    case .array(let count?):
      try skipItems(count, in: bytes, depth: depth - 1)
    case .map(let count?):
      let (doubled, overflow) = count.multipliedReportingOverflow(by: 2)
      if overflow { throw CBORError(kind: .cutShort, offset: at) }
      try skipItems(doubled, in: bytes, depth: depth - 1)
    case .array(nil), .map(nil), .bytesInPieces, .textInPieces:
      var parts = 0
      while true {
        var peek = self
        let partAt = position
        guard let part = try peek.next(in: bytes) else { throw CBORError(kind: .cutShort, offset: at) }
        if part.kind == .end {
          self = peek
          break
        }
        if item.kind == .bytesInPieces, part.kind != .bytes { throw CBORError(kind: .misplaced, offset: partAt) }
        if item.kind == .textInPieces, part.kind != .text { throw CBORError(kind: .misplaced, offset: partAt) }
        try skipItem(in: bytes, depth: depth - 1)
        parts &+= 1
      }
      if item.kind == .map(nil), !parts.isMultiple(of: 2) { throw CBORError(kind: .misplaced, offset: at) }
    default:
      break
    }
  }

  private mutating func skipItems(_ count: UInt64, in bytes: RawSpan, depth: Int) throws(CBORError) {
    // Every item has at least one byte: a count that is too large ends at the first missing one.
    var left = count
    while left > 0 {
      try skipItem(in: bytes, depth: depth)
      left -= 1
    }
  }
}

/// Appends data items in their shortest form (RFC 8949, 4.2.1).
public enum CBORWriter {
  /// Appends an integer.
  public static func append(_ value: Int64, to output: inout [UInt8]) {
    if value >= 0 { head(0, UInt64(value), &output) } else { head(1, UInt64(-1 - value), &output) }
  }

  /// Appends an unsigned integer.
  public static func append(unsigned value: UInt64, to output: inout [UInt8]) { head(0, value, &output) }

  /// Appends the integer −1 − `value`.
  public static func append(negative value: UInt64, to output: inout [UInt8]) { head(1, value, &output) }

  /// Appends a byte string.
  public static func append(bytes: RawSpan, to output: inout [UInt8]) {
    head(2, UInt64(bytes.byteCount), &output)
    unsafe bytes.withUnsafeBytes { unsafe output.append(contentsOf: $0) }
  }

  /// Appends a text.
  public static func append(text: String, to output: inout [UInt8]) {
    head(3, UInt64(text.utf8.count), &output)
    output.append(contentsOf: text.utf8)
  }

  /// Appends the head of an array; append its `count` items after it.
  public static func append(arrayOf count: Int, to output: inout [UInt8]) { head(4, UInt64(max(0, count)), &output) }

  /// Appends the head of a map; append its `count` keys and values after it, in turn.
  public static func append(mapOf count: Int, to output: inout [UInt8]) { head(5, UInt64(max(0, count)), &output) }

  /// Appends a tag; append its item after it.
  public static func append(tag: UInt64, to output: inout [UInt8]) { head(6, tag, &output) }

  /// Appends a boolean.
  public static func append(boolean: Bool, to output: inout [UInt8]) { output.append(boolean ? 0xf5 : 0xf4) }

  /// Appends null.
  public static func appendNull(to output: inout [UInt8]) { output.append(0xf6) }

  /// Appends undefined.
  public static func appendUndefined(to output: inout [UInt8]) { output.append(0xf7) }

  /// Appends a simple value without a name. Values 20...31 have other meanings or none, and must not be used.
  public static func append(simple value: UInt8, to output: inout [UInt8]) {
    if value < 24 {
      output.append(0xe0 | value)
    } else {
      output.append(0xf8)
      output.append(value)
    }
  }

  /// Appends a floating-point number in the shortest form that keeps its value.
  public static func append(float value: Double, to output: inout [UInt8]) {
    if case let half = HalfFloat.bits(value), value.isNaN || HalfFloat.value(half) == value {
      output.append(0xf9)
      appendNumber(UInt64(half), 2, .big, &output)
    } else if Double(Float(value)) == value {
      output.append(0xfa)
      appendNumber(UInt64(Float(value).bitPattern), 4, .big, &output)
    } else {
      output.append(0xfb)
      appendNumber(value.bitPattern, 8, .big, &output)
    }
  }

  private static func head(_ major: UInt8, _ argument: UInt64, _ output: inout [UInt8]) {
    switch argument {
    case 0..<24:
      output.append(major << 5 | UInt8(argument))
    case 24..<0x100:
      output.append(major << 5 | 24)
      appendNumber(argument, 1, .big, &output)
    case 0x100..<0x1_0000:
      output.append(major << 5 | 25)
      appendNumber(argument, 2, .big, &output)
    case 0x1_0000..<0x1_0000_0000:
      output.append(major << 5 | 26)
      appendNumber(argument, 4, .big, &output)
    default:
      output.append(major << 5 | 27)
      appendNumber(argument, 8, .big, &output)
    }
  }
}
