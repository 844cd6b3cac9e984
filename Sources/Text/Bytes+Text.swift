import Memory

/// Text of numbers, bytes and JSON, appended to a buffer of UTF-8 without making a String.
extension [UInt8] {
  private static let digits: StaticString = "0123456789abcdef"

  /// Appends the text of a literal.
  package mutating func append(_ text: StaticString) {
    unsafe append(contentsOf: UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount))
  }

  /// Appends a text. Literals use the overload above, which costs a tenth.
  @_disfavoredOverload
  package mutating func append(_ text: String) {
    var text = text
    text.withUTF8 { unsafe append(contentsOf: $0) }
  }

  /// Appends an integer in decimal.
  package mutating func append(decimal value: Int64) {
    if value < 0 {
      append(UInt8(ascii: "-"))
      append(decimal: value.magnitude)
    } else {
      append(decimal: UInt64(value))
    }
  }

  /// Appends an unsigned integer in decimal.
  package mutating func append(decimal value: UInt64) {
    if value < 10 { return append(UInt8(ascii: "0") &+ UInt8(value)) }
    unsafe withUnsafeTemporaryAllocation(of: UInt8.self, capacity: 20) { scratch in
      var at = 20
      var rest = value
      while rest > 0 {
        at -= 1
        unsafe scratch[at] = UInt8(ascii: "0") &+ UInt8(rest % 10)
        rest /= 10
      }
      unsafe append(contentsOf: scratch[at..<20])
    }
  }

  /// Appends an integer as `0x` and at least `digits` hexadecimal digits.
  package mutating func append(hex value: UInt64, digits: Int = 1) {
    append("0x")
    var shift = 60
    var started = false
    while shift >= 0 {
      let digit = UInt8(truncatingIfNeeded: value >> UInt64(shift)) & 15
      if digit != 0 || started || shift / 4 < digits || shift == 0 {
        started = true
        append(hexDigit(digit))
      }
      shift -= 4
    }
  }

  /// Appends bytes as lower-case hexadecimal digits, `separator` between them where it is not 0.
  package mutating func append(hexOf bytes: BorrowedBytes, separator: UInt8 = 0) {
    guard bytes.count > 0 else { return }
    let digits = unsafe Self.digits.utf8Start
    let step = separator == 0 ? 2 : 3
    // The digits are made in a temporary buffer and appended at once: appending each digit costs ten times as much.
    var from = 0
    while from < bytes.count {
      let end = Swift.min(from &+ 256, bytes.count)
      unsafe withUnsafeTemporaryAllocation(of: UInt8.self, capacity: 768) { scratch in
        guard let to = scratch.baseAddress else { return }
        var at = 0
        for index in from..<end {
          let byte = Int(bytes[index])
          unsafe to[at] = unsafe digits[byte >> 4]
          unsafe to[at &+ 1] = unsafe digits[byte & 15]
          unsafe to[at &+ 2] = separator
          at &+= step
        }
        unsafe append(contentsOf: UnsafeBufferPointer(start: to, count: at))
      }
      from = end
    }
    if separator != 0 { removeLast() }
  }

  /// Appends a number as JSON; infinities and NaN are null.
  package mutating func append(jsonNumber value: Double) {
    guard value.isFinite else { return append("null") }
    append(contentsOf: value.description.utf8)
  }

  /// Appends bytes of UTF-8 as a JSON string in quotes. Invalid UTF-8 becomes U+FFFD.
  package mutating func append(jsonString bytes: BorrowedBytes) {
    append(UInt8(ascii: "\""))
    var at = 0
    let count = bytes.count
    while at < count {
      // A run of characters without escapes is appended at once.
      var end = at
      while end < count, bytes[end] >= 0x20, bytes[end] < 0x7F, bytes[end] != 0x22, bytes[end] != 0x5C {
        end &+= 1
      }
      if end > at {
        append(contentsOf: bytes.part(at..<end))
        at = end
        continue
      }
      let byte = bytes[at]
      switch byte {
      case UInt8(ascii: "\""), UInt8(ascii: "\\"):
        append(UInt8(ascii: "\\"))
        append(byte)
        at += 1
      case 0x0A:
        append("\\n")
        at += 1
      case 0x0D:
        append("\\r")
        at += 1
      case 0x09:
        append("\\t")
        at += 1
      case 0..<0x20, 0x7F:
        append("\\u00")
        append(hexDigit(byte >> 4))
        append(hexDigit(byte & 15))
        at += 1
      case 0x20..<0x7F:
        append(byte)
        at += 1
      default:
        let length = utf8Length(bytes, at)
        if length == 0 {
          append("\u{FFFD}")
          at += 1
        } else if case let decoded = scalar(bytes, at, length), decoded.isHarmful {
          // Beyond the Basic Multilingual Plane JSON needs a surrogate pair; no harmful scalar is a letter there, so U+FFFD is written.
          append("\\u")
          for shift: UInt32 in [12, 8, 4, 0] {
            append(hexDigit(UInt8(truncatingIfNeeded: (decoded.value > 0xFFFF ? 0xFFFD : decoded.value) >> shift) & 15))
          }
          at += length
        } else {
          append(contentsOf: bytes[at..<(at + length)])
          at += length
        }
      }
    }
    append(UInt8(ascii: "\""))
  }

  /// Appends a text as a JSON string in quotes.
  package mutating func append(jsonString text: String) {
    var text = text
    text.withUTF8 { unsafe append(jsonString: BorrowedBytes(UnsafeRawBufferPointer($0))) }
  }

  /// Appends bytes of UTF-8 for people: control characters become `·`; invalid UTF-8, and characters that change the direction of writing or are
  /// invisible, become U+FFFD.
  package mutating func append(printable bytes: BorrowedBytes) {
    var at = 0
    while at < bytes.count {
      var end = at
      while end < bytes.count, bytes[end] >= 0x20, bytes[end] < 0x7F { end &+= 1 }
      if end > at {
        append(contentsOf: bytes.part(at..<end))
        at = end
        continue
      }
      let byte = bytes[at]
      if byte >= 0x20, byte < 0x7F {
        append(byte)
        at += 1
      } else if byte < 0x80 {
        append("\u{00B7}")
        at += 1
      } else {
        let length = utf8Length(bytes, at)
        // C1 controls are replaced, too.
        if length == 0 || scalar(bytes, at, length).isHarmful {
          append("\u{FFFD}")
          at += Swift.max(1, length)
        } else {
          append(contentsOf: bytes[at..<(at + length)])
          at += length
        }
      }
    }
  }

  @inline(__always)
  private func hexDigit(_ value: UInt8) -> UInt8 { value < 10 ? UInt8(ascii: "0") &+ value : UInt8(ascii: "a") &- 10 &+ value }
}

extension Unicode.Scalar {
  /// A control, or a character that changes the direction of writing or is invisible: never shown as itself. Of the default ignorable characters only
  /// variation selectors are kept, which emoji in names use.
  package var isHarmful: Bool {
    if value < 0x300 { return value < 0x20 || (0x7F...0x9F).contains(value) || value == 0xAD }
    return switch value {
    case 0x034F, 0x061C, 0x115F...0x1160, 0x17B4...0x17B5, 0x180B...0x180F, 0x200B...0x200F, 0x2028...0x202E, 0x2060...0x206F, 0x2800,
      0x3164,
      0xFEFF, 0xFFA0, 0xFFF0...0xFFFB, 0x1BCA0...0x1BCA3, 0x1D173...0x1D17A, 0xE0000...0xE0FFF:
      true
    default: false
    }
  }
}

extension String {
  /// The text for use inside a line: line ends and tabs become spaces, those at its end are removed, and harmful characters become escapes.
  package var singleLine: String {
    if utf8.allSatisfy({ $0 >= 0x20 && $0 < 0x7F }) { return self }
    var text = ""
    for scalar in unicodeScalars {
      switch scalar.value {
      case 9, 10, 13: text += " "
      case _ where !scalar.isHarmful: text.unicodeScalars.append(scalar)
      case ..<0x100: text += (scalar.value < 16 ? "\\x0" : "\\x") + String(scalar.value, radix: 16)
      // Without braces, which mark fields in texts of profiles.
      default:
        let isShort = scalar.value < 0x1_0000
        text += (isShort ? "\\u" : "\\U") + String(hex: scalar.value, digits: isShort ? 4 : 8)
      }
    }
    if let last = unicodeScalars.last, last == "\n" || last == "\r" {
      while text.hasSuffix(" ") { text.removeLast() }
    }
    return text
  }

  /// A number as lower-case hexadecimal digits, with zeros in front of it up to so many `digits`.
  package init(hex number: some UnsignedInteger, digits: Int) {
    let text = String(number, radix: 16)
    self = String(repeating: "0", count: Swift.max(0, digits - text.utf8.count)) + text
  }

  /// Bytes as lower-case hexadecimal digits.
  package init(hexOf bytes: some Collection<UInt8>) {
    var text: [UInt8] = []
    Array(bytes).withBorrowedBytes { text.append(hexOf: $0) }
    self.init(decoding: text, as: UTF8.self)
  }
}

/// Length of the well-formed UTF-8 sequence at `at` (2 to 4), or 0 where there is none (The Unicode Standard, table 3-7).
package func utf8Length(_ bytes: BorrowedBytes, _ at: Int) -> Int {
  let first = bytes[at]
  let length: Int
  var low: UInt8 = 0x80
  var high: UInt8 = 0xBF
  switch first {
  case 0xC2...0xDF: length = 2
  case 0xE0:
    length = 3
    low = 0xA0
  case 0xED:
    length = 3
    high = 0x9F
  case 0xE1...0xEF: length = 3
  case 0xF0:
    length = 4
    low = 0x90
  case 0xF4:
    length = 4
    high = 0x8F
  case 0xF1...0xF3: length = 4
  default: return 0
  }
  guard at + length <= bytes.count, bytes[at + 1] >= low, bytes[at + 1] <= high else { return 0 }
  for i in 2..<Swift.max(2, length) where bytes[at + i] & 0xC0 != 0x80 { return 0 }
  return length
}

/// The scalar of a well-formed sequence of two bytes or more.
func scalar(_ bytes: BorrowedBytes, _ at: Int, _ length: Int) -> Unicode.Scalar {
  var value = UInt32(bytes[at]) & (0x7F >> UInt32(length))
  for index in 1..<length { value = value << 6 | UInt32(bytes[at + index] & 0x3F) }
  return Unicode.Scalar(value) ?? "\u{FFFD}"
}

/// Whether bytes are well-formed UTF-8 without control characters other than tab and line ends.
package func isText(_ bytes: BorrowedBytes) -> Bool {
  var at = 0
  while at < bytes.count {
    let byte = bytes[at]
    if byte >= 0x80 {
      let length = utf8Length(bytes, at)
      if length == 0 { return false }
      at += length
    } else {
      if byte < 0x20, byte != 9, byte != 10, byte != 13 { return false }
      if byte == 0x7F { return false }
      at += 1
    }
  }
  return true
}

extension RawSpan {
  /// Whether the bytes are well-formed UTF-8 without control characters other than tab and line ends.
  package var isText: Bool { withBorrowedBytes { Text.isText($0) } }
}

extension [UInt8] {
  /// Appends bytes as lower-case hexadecimal digits, `separator` between them where it is not 0.
  package mutating func append(hexOf bytes: RawSpan, separator: UInt8 = 0) {
    bytes.withBorrowedBytes { append(hexOf: $0, separator: separator) }
  }

  /// Appends bytes of UTF-8 for people; see the function of the same name.
  package mutating func append(printable bytes: RawSpan) { bytes.withBorrowedBytes { append(printable: $0) } }
}

/// Eight bytes that are examined together. A mark is the highest bit of a byte. Bytes above a marked one can be marked by mistake, those below it are
/// not: a word without a mark has none of the bytes that are looked for.
extension UInt64 {
  @usableFromInline static var everyByte: UInt64 { 0x0101_0101_0101_0101 }

  /// Marks the bytes that are equal to `byte`.
  @inlinable @inline(__always)
  package func marks(_ byte: UInt8) -> UInt64 {
    let differing = self ^ Self.everyByte &* UInt64(byte)
    return (differing &- Self.everyByte) & ~differing
  }

  /// Marks the bytes below 0x20.
  @inlinable @inline(__always)
  package var controlMarks: UInt64 { (self &- Self.everyByte &* 0x20) & ~self }

  /// Whether a byte is marked.
  @inlinable @inline(__always)
  package var hasMark: Bool { self & (Self.everyByte &* 0x80) != 0 }
}
