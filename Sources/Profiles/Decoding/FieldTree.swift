import KaitaiStruct
import PacketCodecs
import Text

extension FieldTree {
  /// Parses JSON. Returns nil where it is invalid.
  public init?(json: [UInt8]) {
    var reader = JSONReader(json.rawSpan, in: 0..<json.count)
    guard let value = Self.read(&reader, depth: 0) else { return nil }
    reader.blank()
    guard reader.isAtEnd else { return nil }
    self = value
  }

  private static func read(_ reader: inout JSONReader, depth: Int) -> FieldTree? {
    guard depth < 64, let token = reader.next() else { return nil }
    switch token.kind {
    case .null: return .null
    case .bool(let truth): return .bool(truth)
    case .int(let number): return .int(number)
    case .uint(let number): return .uint(number)
    case .double(let number): return .double(number)
    case .string(let text): return .text(String(decoding: text, as: UTF8.self))
    case .digits(let digits):
      let text = String(decoding: digits, as: UTF8.self)
      return .written(text, .text(text))
    case .open(true):
      var list: [FieldTree] = []
      while !reader.takes(UInt8(ascii: "]")) {
        guard let value = read(&reader, depth: depth + 1) else { return nil }
        list.append(value)
        _ = reader.takes(UInt8(ascii: ","))
      }
      return .list(list)
    case .open(false):
      var fields: [(name: String, value: FieldTree)] = []
      while !reader.takes(UInt8(ascii: "}")) {
        guard let key = reader.next(), case .string(let name) = key.kind, reader.takes(UInt8(ascii: ":")),
          let value = read(&reader, depth: depth + 1)
        else { return nil }
        fields.append((String(decoding: name, as: UTF8.self), value))
        _ = reader.takes(UInt8(ascii: ","))
      }
      return .object(fields)
    }
  }

  /// Appends the value as JSON.
  package func append(to output: inout [UInt8]) {
    switch self {
    case .null: output.append("null")
    case .bool(let truth): output.append(truth ? "true" : "false" as StaticString)
    case .int(let number): output.append(decimal: number)
    case .uint(let number): output.append(decimal: number)
    case .double(let number): output.append(jsonNumber: number)
    // An integer that does not fit 64 bits.
    case .written(let digits, .text): output.append(digits)
    case .written(_, let value): value.append(to: &output)
    case .text(let text): output.append(jsonString: text)
    case .bytes(let bytes): output.append(jsonString: String(hexOf: bytes))
    case .list(let list):
      output.append(UInt8(ascii: "["))
      for (index, value) in list.enumerated() {
        if index > 0 { output.append(UInt8(ascii: ",")) }
        value.append(to: &output)
      }
      output.append(UInt8(ascii: "]"))
    case .object(let fields):
      output.append(UInt8(ascii: "{"))
      for (index, field) in fields.enumerated() {
        if index > 0 { output.append(UInt8(ascii: ",")) }
        output.append(jsonString: field.name)
        output.append(UInt8(ascii: ":"))
        field.value.append(to: &output)
      }
      output.append(UInt8(ascii: "}"))
    }
  }

  /// The value as JSON.
  public var json: String {
    var bytes: [UInt8] = []
    append(to: &bytes)
    return String(decoding: bytes, as: UTF8.self)
  }
}

extension ProfileMessage {
  /// The fields of the message as a value that outlives it.
  public var fieldTree: FieldTree {
    var json: [UInt8] = []
    appendFieldsJSON(to: &json)
    return FieldTree(json: json) ?? .null
  }
}
