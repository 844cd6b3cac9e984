/// The value of a field without its bytes: the input of ``Writer``, from JSON or a command line, and the reference in comparisons. It owns all that it
/// contains, and can be kept.
public indirect enum FieldTree: Sendable {
  /// No value: the field is absent, or has its null value.
  case null
  /// True or false.
  case bool(Bool)
  /// An integer, or the number of an enum's value.
  case int(Int64)
  /// An integer beyond 2⁶³−1.
  case uint(UInt64)
  /// A floating-point number.
  case double(Double)
  /// Text; the name of an enum's value; for bytes, hexadecimal digits.
  case text(String)
  /// Bytes.
  case bytes([UInt8])
  /// A value as written on a command line (`1234`), for fields of text and bytes, and the parsed value for all other fields.
  case written(String, FieldTree)
  /// Several values.
  case list([FieldTree])
  /// Values with names, in order. An enum's value may be an object with `name` and `value`.
  case object([(name: String, value: FieldTree)])

  /// The value with a name in an object; nil where there is none.
  public subscript(name: String) -> FieldTree? {
    guard case .object(let fields) = self else { return nil }
    return fields.first { $0.name == name }?.value
  }
}

extension FieldTree: Equatable {
  /// Compares names, values and their order.
  public static func == (a: FieldTree, b: FieldTree) -> Bool {
    switch (a, b) {
    case (.null, .null): true
    case (.bool(let a), .bool(let b)): a == b
    case (.int(let a), .int(let b)): a == b
    case (.uint(let a), .uint(let b)): a == b
    case (.double(let a), .double(let b)): a == b
    case (.text(let a), .text(let b)): a == b
    case (.bytes(let a), .bytes(let b)): a == b
    case (.written(let a, _), .written(let b, _)): a == b
    case (.list(let a), .list(let b)): a == b
    case (.object(let a), .object(let b)): a.count == b.count && zip(a, b).allSatisfy { $0.name == $1.name && $0.value == $1.value }
    default: false
    }
  }
}

/// An error in writing a value.
public struct WriteError: Error, CustomStringConvertible, Equatable, Sendable {
  /// The path to the field: `/elements/0/value`.
  public var path: String
  /// A sentence with the error, and with the expected form.
  public var message: String

  /// Creates an error.
  public init(path: String, message: String) {
    self.path = path
    self.message = message
  }

  /// Path and message in one line.
  public var description: String { path.isEmpty ? message : "\(path): \(message)" }
}

extension KaitaiTree {
  /// The fields that were read below a node, in the form that ``Writer`` takes: those of `seq`, without instances.
  public func fieldTree(of id: NodeID) -> FieldTree {
    guard let value = value(of: id) else { return .null }
    let node = self.node(id)
    switch node.kind {
    case .object:
      var fields: [(name: String, value: FieldTree)] = []
      for field in program.fields(of: TypeID(rawValue: node.type)) where !program.isInstance(field) && !program.isParameter(field) {
        if case .present(let child) = state(of: field, in: id) { fields.append((program.name(of: field), fieldTree(of: child))) }
      }
      return .object(fields)
    case .array:
      var elements: [FieldTree] = []
      var next = node.firstChild
      while let element = next {
        elements.append(fieldTree(of: element))
        next = self.node(element).next
      }
      return .list(elements)
    case .string: return .text(string(id))
    case .bytes: return .bytes(withBytes(id) { Array($0) })
    case .bool: return .bool(value.bits != 0)
    case .float: return .double(Double(bitPattern: value.bits))
    case .uint: return .uint(value.bits)
    case .int: return .int(Int64(bitPattern: value.bits))
    case .enumeration: return value.kindFlag ? .uint(value.bits) : .int(Int64(bitPattern: value.bits))
    case .absent, .stream: return .null
    }
  }
}
