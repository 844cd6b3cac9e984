/// A value of a message apart from its bytes: what JSON and the command line give, and tests compare with.
public indirect enum FieldTree: Equatable, Sendable {
  /// Nothing.
  case null
  /// True or false.
  case bool(Bool)
  /// A whole number.
  case int(Int64)
  /// A whole number beyond 2⁶³−1.
  case uint(UInt64)
  /// A number.
  case double(Double)
  /// Text; bytes as hexadecimal digits.
  case text(String)
  /// A value as somebody wrote it on a command line, for fields of text and bytes, and what it is for all others.
  case written(String, FieldTree)
  /// Several values.
  case list([FieldTree])
  /// Values with names, in order.
  case object([(name: String, value: FieldTree)])

  /// The value called `name` of an object; nil where there is none.
  public subscript(name: String) -> FieldTree? {
    guard case .object(let fields) = self else { return nil }
    return fields.first { $0.name == name }?.value
  }

  /// Compares names, values and their order.
  public static func == (a: FieldTree, b: FieldTree) -> Bool {
    switch (a, b) {
    case (.null, .null): true
    case (.bool(let a), .bool(let b)): a == b
    case (.int(let a), .int(let b)): a == b
    case (.uint(let a), .uint(let b)): a == b
    case (.double(let a), .double(let b)): a == b
    case (.written(let a, _), .written(let b, _)): a == b
    case (.text(let a), .text(let b)): a == b
    case (.list(let a), .list(let b)): a == b
    case (.object(let a), .object(let b)): a.count == b.count && zip(a, b).allSatisfy { $0.name == $1.name && $0.value == $1.value }
    default: false
    }
  }

  /// Reads JSON. Returns nil where it is none.
  public init?(json: [UInt8]) {
    let parsed = unsafe json.withUnsafeBytes { bytes -> FieldTree? in
      var reader = unsafe JSONReader(bytes: bytes, at: 0, end: bytes.count)
      guard let value = Self.read(&reader, depth: 0) else { return nil }
      reader.blank()
      return reader.isAtEnd ? value : nil
    }
    guard let parsed else { return nil }
    self = parsed
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
  public func append(to output: inout [UInt8]) {
    switch self {
    case .null: output.append("null")
    case .bool(let truth): output.append(truth ? "true" : "false" as StaticString)
    case .int(let number): output.append(decimal: number)
    case .uint(let number): output.append(decimal: number)
    case .double(let number): output.append(jsonNumber: number)
    case .written(_, let value): value.append(to: &output)
    case .text(let text): output.append(jsonString: text)
    case .list(let list):
      output.append(UInt8(ascii: "["))
      for (place, value) in list.enumerated() {
        if place > 0 { output.append(UInt8(ascii: ",")) }
        value.append(to: &output)
      }
      output.append(UInt8(ascii: "]"))
    case .object(let fields):
      output.append(UInt8(ascii: "{"))
      for (place, field) in fields.enumerated() {
        if place > 0 { output.append(UInt8(ascii: ",")) }
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

extension Message {
  /// The fields of the message as a value of its own, for tests and for whoever needs them later.
  public var fieldTree: FieldTree {
    var json: [UInt8] = []
    appendFieldsJSON(to: &json)
    return FieldTree(json: json) ?? .null
  }
}
