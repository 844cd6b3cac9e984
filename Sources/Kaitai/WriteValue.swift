/// What is to be written: numbers, text and bytes, in objects by field name and in arrays.
public indirect enum WriteValue: Sendable, Equatable {
  /// A whole number, or the number of an enum's value.
  case int(Int64)
  /// A whole number beyond 2⁶³−1.
  case uint(UInt64)
  /// A floating-point number.
  case float(Double)
  /// True or false.
  case bool(Bool)
  /// Text; the name of an enum's value; for bytes, hexadecimal digits.
  case string(String)
  /// Bytes.
  case bytes([UInt8])
  /// Fields by name. For an enum's value also `{name:, value:}`, as trees are printed.
  case object([String: WriteValue])
  /// Elements.
  case array([WriteValue])
  /// A value as somebody wrote it (`1234`), for fields of text and bytes, and what it is for all others.
  case written(String, WriteValue)
}

/// Why something cannot be written.
public struct WriteError: Error, CustomStringConvertible, Equatable, Sendable {
  /// The way to the field: `/elements/0/value`.
  public var path: String
  /// What is wrong, and what would have been right.
  public var message: String

  /// Makes an error from its parts.
  public init(path: String, message: String) {
    self.path = path
    self.message = message
  }

  /// Path and message in one line.
  public var description: String { path.isEmpty ? message : "\(path): \(message)" }
}

extension Tree {
  /// The fields that were read below a node, as ``Writer`` takes them: what `seq` describes, without instances.
  public func writeValue(of id: NodeID) -> WriteValue {
    guard let value = value(of: id) else { return .object([:]) }
    let node = self.node(id)
    switch node.kind {
    case .object:
      var fields: [String: WriteValue] = [:]
      for field in program.fields(of: TypeID(rawValue: node.type)) where !program.isInstance(field) && !program.isParameter(field) {
        if case .present(let child) = state(of: field, in: id) { fields[program.name(of: field)] = writeValue(of: child) }
      }
      return .object(fields)
    case .array:
      var elements: [WriteValue] = []
      var next = node.firstChild
      while let element = next {
        elements.append(writeValue(of: element))
        next = self.node(element).next
      }
      return .array(elements)
    case .string: return .string(string(id))
    case .bytes: return unsafe .bytes(withBytes(id) { unsafe Array($0) })
    case .bool: return .bool(value.bits != 0)
    case .float: return .float(Double(bitPattern: value.bits))
    case .uint: return .uint(value.bits)
    case .int: return .int(Int64(bitPattern: value.bits))
    case .enumeration: return value.mark ? .uint(value.bits) : .int(Int64(bitPattern: value.bits))
    case .absent, .stream: return .object([:])
    }
  }
}
