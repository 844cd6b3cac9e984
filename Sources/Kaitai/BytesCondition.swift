/// A condition that asks for nothing but single bytes of an external and their number, such as `_payload[0] < 0xf1`: answered without a tree.
public struct BytesCondition: Sendable {
  private enum Code: UInt8 { case constant, byte, count, bitAnd, not, and, or, equal, notEqual, less, lessOrEqual, greater, greaterOrEqual }

  private struct Node {
    var code: Code
    var a = 0
    var b = 0
    /// Of a constant its value, of a byte its index.
    var value: Int64 = 0
    /// It is true or false, and no number.
    var isTruth = false
  }

  private var nodes: [Node] = []
  private static let deepest = 16

  /// Makes it of an expression of `program`; nil where that asks for more.
  public init?(_ program: Program, _ expression: ExpressionID, of external: ExternalID) {
    guard expression.rawValue >= 0, Int(expression.rawValue) < program.tables.operationCount,
      let root = add(expression.rawValue, program.tables, external.rawValue, depth: 0), nodes[root].isTruth
    else { return nil }
  }

  private mutating func add(_ number: Int32, _ tables: Tables, _ external: Int32, depth: Int) -> Int? {
    let operation = unsafe tables.operations[Int(number)]
    var node: Node
    switch operation.code {
    case .constant:
      let value = unsafe tables.constants[Int(operation.a)]
      guard value.kind == .int, let number = value.asInt else { return nil }
      node = Node(code: .constant, value: number)
    case .element, .member:
      let base = unsafe tables.operations[Int(operation.a)]
      guard base.code == .external, base.a == external else { return nil }
      if operation.code == .element {
        guard let place = add(operation.b, tables, external, depth: depth + 1), nodes[place].code == .constant else { return nil }
        node = Node(code: .byte, value: nodes[place].value)
      } else {
        guard operation.b == BuiltIn.length.rawValue || operation.b == BuiltIn.size.rawValue else { return nil }
        node = Node(code: .count)
      }
    default:
      guard depth < Self.deepest, let (code, takesTruth) = Self.code(operation.code),
        let left = add(operation.a, tables, external, depth: depth + 1), nodes[left].isTruth == takesTruth
      else { return nil }
      node = Node(code: code, a: left, isTruth: code != .bitAnd)
      if code != .not {
        guard let right = add(operation.b, tables, external, depth: depth + 1), nodes[right].isTruth == takesTruth else { return nil }
        node.b = right
      }
    }
    nodes.append(node)
    return nodes.count - 1
  }

  private static func code(_ code: OperationCode) -> (Code, takesTruth: Bool)? {
    switch code {
    case .bitAnd: (.bitAnd, false)
    case .not: (.not, true)
    case .and: (.and, true)
    case .or: (.or, true)
    case .equal: (.equal, false)
    case .notEqual: (.notEqual, false)
    case .less: (.less, false)
    case .lessOrEqual: (.lessOrEqual, false)
    case .greater: (.greater, false)
    case .greaterOrEqual: (.greaterOrEqual, false)
    default: nil
    }
  }

  /// Whether the condition holds for `bytes`; false too where it asks for a byte that is not there.
  public func holds(_ bytes: UnsafeRawBufferPointer) -> Bool {
    unsafe nodes.withUnsafeBufferPointer { nodes in
      var isMissing = false
      return unsafe Self.value(nodes.count - 1, nodes, bytes, &isMissing) != 0 && !isMissing
    }
  }

  private static func value(
    _ place: Int, _ nodes: UnsafeBufferPointer<Node>, _ bytes: UnsafeRawBufferPointer, _ isMissing: inout Bool
  ) -> Int64 {
    let node = unsafe nodes[place]
    switch node.code {
    case .constant: return node.value
    case .count: return Int64(bytes.count)
    case .byte:
      guard node.value >= 0, node.value < bytes.count else {
        isMissing = true
        return 0
      }
      return unsafe Int64(bytes[Int(node.value)])
    default: break
    }
    let left = unsafe value(node.a, nodes, bytes, &isMissing)
    if isMissing { return 0 }
    switch node.code {
    case .not: return left == 0 ? 1 : 0
    case .and: return left == 0 ? 0 : unsafe value(node.b, nodes, bytes, &isMissing)
    case .or: return left != 0 ? 1 : unsafe value(node.b, nodes, bytes, &isMissing)
    default: break
    }
    let right = unsafe value(node.b, nodes, bytes, &isMissing)
    switch node.code {
    case .bitAnd: return left & right
    case .equal: return left == right ? 1 : 0
    case .notEqual: return left != right ? 1 : 0
    case .less: return left < right ? 1 : 0
    case .lessOrEqual: return left <= right ? 1 : 0
    case .greater: return left > right ? 1 : 0
    default: return left >= right ? 1 : 0
    }
  }
}
