/// One field of a Protocol Buffers message as transmitted, without its schema.
///
/// Source: Protocol Buffers documentation, "Encoding".
public struct ProtobufField: Equatable, Sendable {
  /// The wire type of a field.
  public enum WireType: UInt8, Sendable {
    /// A number in 7-bit groups: integers, booleans, enums, and zigzag integers.
    case varint = 0
    /// Eight bytes: fixed64, sfixed64, double.
    case fixed64 = 1
    /// A length followed by that many bytes: strings, bytes, messages, packed numbers.
    case bytes = 2
    /// The start of a group.
    case groupStart = 3
    /// The end of a group.
    case groupEnd = 4
    /// Four bytes: fixed32, sfixed32, float.
    case fixed32 = 5
  }

  /// The field's number, 1...536870911.
  public var number: UInt32
  /// Its wire type.
  public var wireType: WireType
  /// The number, for a varint or a fixed field; 0 for others.
  public var value: UInt64
  /// Offset in bytes of its key.
  public var offset: Int
  /// Range of its contents, in bytes; for ``WireType/bytes`` without the length.
  public var range: Range<Int>

  /// The number as int32, int64 or a negative enum.
  @inlinable
  public var signed: Int64 { Int64(bitPattern: value) }
  /// The number as sint32 or sint64.
  @inlinable
  public var zigzag: Int64 { Int64(bitPattern: value >> 1) ^ -Int64(bitPattern: value & 1) }
  /// The number as float.
  @inlinable
  public var float: Float { Float(bitPattern: UInt32(truncatingIfNeeded: value)) }
  /// The number as double.
  @inlinable
  public var double: Double { Double(bitPattern: value) }
}

/// An error in a Protocol Buffers message.
public struct ProtobufError: Error, Equatable, Sendable {
  /// Kind of error.
  public enum Kind: UInt8, Sendable {
    /// The key is no valid varint, or its field number is 0 or too large.
    case badKey
    /// Wire type 6 or 7.
    case badWireType
    /// The bytes end inside the field, or a varint has more than ten bytes.
    case cutShort
    /// The end of a group that was not started, or with another number.
    case badGroup
    /// Groups or messages are nested more deeply than is allowed.
    case tooDeep
  }

  /// Kind of error.
  public var kind: Kind
  /// Offset in bytes of the field's key.
  public var offset: Int

  /// Creates an error; `offset` is in bytes.
  public init(kind: Kind, offset: Int) {
    self.kind = kind
    self.offset = offset
  }
}

/// Reads the fields of a message. It stores offsets only; a nested message is read by a reader over its ``ProtobufField/range``.
public struct ProtobufReader: Sendable {
  /// Offset in bytes of the next field.
  public private(set) var position: Int
  /// Offset in bytes at which the message ends.
  public let end: Int

  /// Reads the fields in `range` of the bytes that are passed to ``next(in:)``.
  public init(in range: Range<Int>) {
    position = range.lowerBound
    end = range.upperBound
  }

  /// The next field in `bytes`; nil at the end. Throws ``ProtobufError`` where the bytes are not a field; ``position`` then stays.
  public mutating func next(in bytes: RawSpan) throws(ProtobufError) -> ProtobufField? {
    let end = min(self.end, bytes.byteCount)
    guard position >= 0, position < end else { return nil }
    let start = position
    guard let key = Varint(bytes, at: start, end: end), key.value <= UInt64(UInt32.max), key.value >> 3 != 0 else {
      throw ProtobufError(kind: .badKey, offset: start)
    }
    guard let type = ProtobufField.WireType(rawValue: UInt8(key.value & 7)) else { throw ProtobufError(kind: .badWireType, offset: start) }
    var at = start &+ key.count
    var value: UInt64 = 0
    var count = 0
    switch type {
    case .varint:
      guard let number = Varint(bytes, at: at, end: end) else { throw ProtobufError(kind: .cutShort, offset: start) }
      value = number.value
      count = number.count
    case .fixed64, .fixed32:
      count = type == .fixed64 ? 8 : 4
      guard count <= end &- at else { throw ProtobufError(kind: .cutShort, offset: start) }
      value = loadNumber(bytes, at, count, .little)
    case .bytes:
      guard let length = Varint(bytes, at: at, end: end), length.value <= UInt64(end &- at &- length.count) else {
        throw ProtobufError(kind: .cutShort, offset: start)
      }
      at &+= length.count
      count = Int(length.value)
    case .groupStart, .groupEnd:
      break
    }
    position = at &+ count
    return ProtobufField(
      number: UInt32(truncatingIfNeeded: key.value >> 3), wireType: type, value: value, offset: start, range: at..<(at &+ count))
  }

  /// The fields of the group that `start` begins; advances to its end. Throws ``ProtobufError`` where the group does not end, or groups are nested
  /// more deeply than `maximumDepth`.
  public mutating func group(_ start: ProtobufField, in bytes: RawSpan, maximumDepth: Int = 32) throws(ProtobufError) -> Range<Int> {
    let from = position
    var depth = 1
    while true {
      let at = position
      guard let field = try next(in: bytes) else { throw ProtobufError(kind: .cutShort, offset: start.offset) }
      if field.wireType == .groupStart {
        depth += 1
        if depth > maximumDepth { throw ProtobufError(kind: .tooDeep, offset: field.offset) }
      } else if field.wireType == .groupEnd {
        depth -= 1
        if depth == 0 {
          guard field.number == start.number else { throw ProtobufError(kind: .badGroup, offset: field.offset) }
          return from..<at
        }
      }
    }
  }

  /// Whether all of `range` can be parsed as a message, for a field of bytes without a schema. An empty range can.
  ///
  /// This is true for many texts too; callers check for valid text first.
  public static func isMessage(_ bytes: RawSpan, in range: Range<Int>) -> Bool {
    var reader = ProtobufReader(in: range)
    var open = 0
    while true {
      guard let field = try? reader.next(in: bytes) else { return open == 0 && reader.position >= min(range.upperBound, bytes.byteCount) }
      if field.wireType == .groupStart { open += 1 }
      if field.wireType == .groupEnd { open -= 1 }
      if open < 0 { return false }
    }
  }
}

/// Appends fields in the wire format.
public enum ProtobufWriter {
  /// Appends a varint field; zigzag and negative numbers are passed as their bit pattern.
  public static func append(_ number: UInt32, varint value: UInt64, to output: inout [UInt8]) {
    key(number, .varint, &output)
    Varint.append(value, to: &output)
  }

  /// Appends a varint field of type sint32 or sint64.
  public static func append(_ number: UInt32, zigzag value: Int64, to output: inout [UInt8]) {
    append(number, varint: UInt64(bitPattern: value << 1 ^ value >> 63), to: &output)
  }

  /// Appends a field of eight bytes.
  public static func append(_ number: UInt32, fixed64 value: UInt64, to output: inout [UInt8]) {
    key(number, .fixed64, &output)
    appendNumber(value, 8, .little, &output)
  }

  /// Appends a field of four bytes.
  public static func append(_ number: UInt32, fixed32 value: UInt32, to output: inout [UInt8]) {
    key(number, .fixed32, &output)
    appendNumber(UInt64(value), 4, .little, &output)
  }

  /// Appends a field of bytes: a string, a message, packed numbers.
  public static func append(_ number: UInt32, bytes: RawSpan, to output: inout [UInt8]) {
    key(number, .bytes, &output)
    Varint.append(UInt64(bytes.byteCount), to: &output)
    unsafe bytes.withUnsafeBytes { unsafe output.append(contentsOf: $0) }
  }

  private static func key(_ number: UInt32, _ type: ProtobufField.WireType, _ output: inout [UInt8]) {
    Varint.append(UInt64(number) << 3 | UInt64(type.rawValue), to: &output)
  }
}
