@testable import Bluetooth

/// Writes the fields of a walk as JSON; also an example of a visitor.
struct JSONVisitor: FieldVisitor {
  var text: [UInt8] = Array("{".utf8)
  var problems: [String] = []
  private var needsComma = false
  private var arrays: [Bool] = []

  var json: String { String(decoding: text + Array("}".utf8), as: UTF8.self) }

  private mutating func key(_ field: Field) {
    if needsComma { text.append(UInt8(ascii: ",")) }
    if arrays.last != true {
      text += Array("\"".utf8)
      text += field.name.utf8
      text += Array("\":".utf8)
    }
    needsComma = true
  }

  mutating func field(_ field: Field, _ value: FieldValue, at range: Range<Int>, in bytes: RawSpan) {
    if field.isReserved { return }
    key(field)
    switch value {
    case .unsigned(let number):
      if let enumeration = field.enumeration, enumeration.isFlags {
        var names: [String] = []
        let rest = enumeration.forEachFlag(in: number) { names.append("\"\($0)\"") }
        if rest != 0 { names.append("\(rest)") }
        text += Array("[\(names.joined(separator: ","))]".utf8)
      } else if let name = field.name(of: number) {
        text += Array("\"\(name)\"".utf8)
      } else {
        field.writeScaled(Int64(bitPattern: number), to: &text)
      }
    case .signed(let number):
      if let name = field.name(ofSigned: number) {
        text += Array("\"\(name)\"".utf8)
      } else {
        field.writeScaled(number, to: &text)
      }
    case .bool(let truth): text += Array((truth ? "true" : "false").utf8)
    case .bytes(let range):
      text.append(UInt8(ascii: "\""))
      for i in range {
        let byte = bytes.unsafeLoad(fromByteOffset: i, as: UInt8.self)
        text += Array((byte < 16 ? "0" : "").utf8) + Array(String(byte, radix: 16).utf8)
      }
      text.append(UInt8(ascii: "\""))
    case .text(let range):
      let part = range.map { bytes.unsafeLoad(fromByteOffset: $0, as: UInt8.self) }
      text += Array("\"\(String(decoding: part, as: UTF8.self))\"".utf8)
    case .wideText(let range): text += Array("\"\(String(decoding: bytes.utf8(ofWideText: range), as: UTF8.self))\"".utf8)
    case .address(let address):
      text.append(UInt8(ascii: "\""))
      address.write(to: &text)
      text.append(UInt8(ascii: "\""))
    case .uuid(let uuid):
      text.append(UInt8(ascii: "\""))
      uuid.write(to: &text)
      text.append(UInt8(ascii: "\""))
    }
  }

  mutating func beginObject(_ field: Field, at offset: Int) { begin("{", field, isArray: false) }
  mutating func endObject(_ field: Field, at range: Range<Int>) { end("}") }
  mutating func beginArray(_ field: Field, at offset: Int) { begin("[", field, isArray: true) }
  mutating func endArray(_ field: Field, at range: Range<Int>) { end("]") }

  private mutating func begin(_ bracket: String, _ field: Field, isArray: Bool) {
    key(field)
    text += Array(bracket.utf8)
    arrays.append(isArray)
    needsComma = false
  }

  private mutating func end(_ bracket: String) {
    text += Array(bracket.utf8)
    arrays.removeLast()
    needsComma = true
  }

  mutating func problem(_ problem: FieldProblem) {
    switch problem {
    case .short(let field, let offset, let needed, let available):
      problems.append("\(field.name): \(needed) bytes at \(offset), \(available) there")
    case .surplus(let range): problems.append("surplus \(range)")
    case .outOfRange(let field, let value, _): problems.append("\(field.name) \(value) out of range")
    }
  }
}

/// Bytes from hex digits; spaces are skipped.
func hex(_ text: String) -> [UInt8] {
  var bytes: [UInt8] = []
  var high: UInt8?
  for character in text where !character.isWhitespace {
    let digit = UInt8(character.hexDigitValue ?? 0)
    if let first = high {
      bytes.append(first << 4 | digit)
      high = nil
    } else {
      high = digit
    }
  }
  return bytes
}
