import Bluetooth
import Conversations
import Memory
import Text

/// Writes the fields of a PDU as members of a JSON object.
struct JSONFields: FieldVisitor {
  private var cursor: TextBuffer.Cursor
  /// One bit per level: a member or element precedes on this level.
  private var hasBefore: UInt64 = 0
  /// One bit per level: the level is an array, whose elements have no keys.
  private var isArray: UInt64 = 0

  /// Bytes that are already in the buffer as hex: if a field has the same bytes, their digits are copied.
  private let known: Known

  /// Bytes, and the offset of their hexadecimal digits in the buffer.
  @safe struct Known {
    var start: UnsafeRawPointer?
    var count = 0
    var position = 0

    init() { unsafe start = nil }

    /// The bytes of a value, whose digits end at `cursor`.
    @inline(__always)
    init(_ value: PDUBytes, _ cursor: TextBuffer.Cursor) {
      unsafe start = value.start
      count = value.count
      position = cursor.count &- 2 &* value.count
    }

    /// Writes bytes in hex.
    @inline(__always)
    func write(_ bytes: UnsafeRawPointer, _ length: Int, to cursor: inout TextBuffer.Cursor) {
      if unsafe bytes == start, length == count { cursor.again(position, 2 &* length) } else { unsafe cursor.hex(bytes, length) }
    }

    /// Writes bytes in hex.
    @inline(__always)
    func write(_ bytes: PDUBytes, to cursor: inout TextBuffer.Cursor) { unsafe write(bytes.start, bytes.count, to: &cursor) }
  }

  /// Continues at `cursor`.
  @inline(__always)
  init(_ cursor: TextBuffer.Cursor, _ known: Known = Known()) {
    self.cursor = cursor
    self.known = known
  }

  /// The cursor, after the last field.
  var end: TextBuffer.Cursor { cursor }

  @inline(__always)
  private mutating func key(_ field: Field) {
    let isFirst = Int(truncatingIfNeeded: ~hasBefore & 1)
    hasBefore |= 1
    if isArray & 1 == 0 {
      // The first key of an object has no comma before it.
      let key = field.key
      if key.count > isFirst { unsafe cursor.append(words: key.start + isFirst, key.count &- isFirst) }
    } else if isFirst == 0 {
      cursor.byte(UInt8(ascii: ","))
    }
  }

  mutating func field(_ field: Field, _ value: FieldValue, at range: Range<Int>, in bytes: RawSpan) {
    if field.isReserved { return }
    key(field)
    switch value {
    case .unsigned(let number):
      if let enumeration = field.enumeration, enumeration.kind != .special || field.name(of: number) != nil {
        named(field, enumeration, number)
      } else if field.multiplier != 1 || field.decimals != 0 || !field.unit.isEmpty {
        scaled(field, Int64(bitPattern: number))
      } else {
        cursor.unsigned(number)
      }
    case .signed(let number):
      if let name = field.name(ofSigned: number) {
        cursor.text("{\"name\":\"")
        cursor.name(name)
        cursor.text("\",\"value\":")
        cursor.decimal(Int(number))
        cursor.byte(UInt8(ascii: "}"))
      } else if field.multiplier != 1 || field.decimals != 0 || !field.unit.isEmpty {
        scaled(field, number)
      } else {
        cursor.decimal(Int(number))
      }
    case .bool(let truth): cursor.text(truth ? "true" : "false")
    case .bytes(let range):
      let whole = 0..<bytes.byteCount
      let (first, count) = (range.clamped(to: whole).lowerBound, range.clamped(to: whole).count)
      cursor.byte(UInt8(ascii: "\""))
      if count > 0 { hex(bytes, first, count) }
      cursor.byte(UInt8(ascii: "\""))
    case .text(let range):
      cursor.byte(UInt8(ascii: "\""))
      bytes.extracting(range.clamped(to: 0..<bytes.byteCount)).withBorrowedBytes { text in
        cursor.through { $0.untrusted(text, .json) }
      }
      cursor.byte(UInt8(ascii: "\""))
    case .wideText(let range):
      let text = bytes.utf8(ofWideText: range)
      cursor.byte(UInt8(ascii: "\""))
      cursor.through { $0.untrusted(text, .json) }
      cursor.byte(UInt8(ascii: "\""))
    case .address(let address):
      cursor.byte(UInt8(ascii: "\""))
      cursor.through { $0.address(address.address) }
      cursor.byte(UInt8(ascii: "\""))
    case .uuid(let uuid):
      cursor.byte(UInt8(ascii: "\""))
      if let short = uuid.short16 {
        cursor.hex(byte: UInt8(truncatingIfNeeded: short >> 8))
        cursor.hex(byte: UInt8(truncatingIfNeeded: short))
      } else {
        cursor.through { $0.string(uuid.description) }
      }
      cursor.byte(UInt8(ascii: "\""))
    }
  }

  @inline(__always)
  private mutating func hex(_ bytes: RawSpan, _ first: Int, _ count: Int) {
    let known = known
    unsafe bytes.withUnsafeBytes { unsafe known.write($0.baseAddress.unsafelyUnwrapped + first, count, to: &cursor) }
  }

  /// An enumerated value: `{"name": …, "value": n}`; flags: `{"names": […], "value": n}`.
  private mutating func named(_ field: Field, _ enumeration: Enumeration, _ number: UInt64) {
    cursor.byte(UInt8(ascii: "{"))
    if enumeration.isFlags {
      cursor.text("\"names\":[")
      var isFirst = true
      _ = enumeration.forEachFlag(in: number) { name in
        if !isFirst { cursor.byte(UInt8(ascii: ",")) }
        isFirst = false
        cursor.byte(UInt8(ascii: "\""))
        cursor.name(name)
        cursor.byte(UInt8(ascii: "\""))
      }
      cursor.text("],")
    } else if let name = field.name(of: number) {
      cursor.text("\"name\":\"")
      if enumeration.kind == .companies { cursor.through { $0.assignedName(name) } } else { cursor.name(name) }
      cursor.text("\",")
    }
    cursor.text("\"value\":")
    cursor.unsigned(number)
    cursor.byte(UInt8(ascii: "}"))
  }

  /// A value with a unit: `{"raw": n, "value": x, "unit": …}`.
  private mutating func scaled(_ field: Field, _ raw: Int64) {
    cursor.text("{\"raw\":")
    cursor.decimal(Int(raw))
    cursor.text(",\"value\":")
    if field.decimals == 0 { cursor.decimal(Int(field.scaled(raw))) } else { cursor.through { $0.scaled(field, raw) } }
    if !field.unit.isEmpty {
      cursor.text(",\"unit\":\"")
      cursor.name(field.unit)
      cursor.byte(UInt8(ascii: "\""))
    }
    cursor.byte(UInt8(ascii: "}"))
  }

  mutating func beginObject(_ field: Field, at offset: Int) {
    key(field)
    cursor.byte(UInt8(ascii: "{"))
    hasBefore <<= 1
    isArray <<= 1
  }

  mutating func endObject(_ field: Field, at range: Range<Int>) {
    cursor.byte(UInt8(ascii: "}"))
    hasBefore >>= 1
    isArray >>= 1
  }

  mutating func beginArray(_ field: Field, at offset: Int) {
    key(field)
    cursor.byte(UInt8(ascii: "["))
    hasBefore <<= 1
    isArray = isArray << 1 | 1
  }

  mutating func endArray(_ field: Field, at range: Range<Int>) {
    cursor.byte(UInt8(ascii: "]"))
    hasBefore >>= 1
    isArray >>= 1
  }

}

extension TextBuffer {
  /// Appends a scaled value in decimal.
  func scaled(_ field: Field, _ raw: Int64) {
    var digits: [UInt8] = []
    field.writeScaled(raw, to: &digits)
    self.raw(digits)
  }
}
