import Ciphers
import Memory

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#endif

// Functions of numbers and of lists: additions to the methods that Kaitai Struct has.
extension Machine {
  /// Rarely used methods.
  @inline(never)
  mutating func compute(_ method: BuiltIn, _ base: KaitaiValue) throws(Stop) -> KaitaiValue {
    switch (method, base.kind) {
    case (.md5, .bytes), (.md5, .string): return try hash(.md5, base)
    case (.sha1, .bytes), (.sha1, .string): return try hash(.sha1, base)
    case (.sha256, .bytes), (.sha256, .string): return try hash(.sha256, base)
    case (.fromHex, .string): return try decodeHex(base)
    case (.toF, .string):
      let content = bytes(of: base)
      guard content.count <= 80 else { throw fail(.conversion) }
      let text = String(decoding: content, as: UTF8.self).filter { $0 != " " }
      guard text.utf8.allSatisfy({ $0 >= 0x30 && $0 <= 0x39 || "+-.eE".utf8.contains($0) }), let number = Double(text), number.isFinite
      else {
        throw fail(.conversion)
      }
      return .float(number)
    case (.toI, .bytes):
      // The most significant byte comes first, as in most protocols with such numbers.
      let content = bytes(of: base)
      var number: UInt64 = 0
      for index in content.indices {
        guard number >> 56 == 0 else { throw fail(.overflow) }
        number = number << 8 | UInt64(content[index])
      }
      return .uint(number)
    case (.sum, .bytes), (.sum, .array):
      var sum = KaitaiValue.int(0)
      let count = try count(of: base)
      try spend(Int(count))
      for index in 0..<count { sum = try binary(.add, sum, try element(of: base, at: .int(index))) }
      return sum
    case (.abs, .int), (.abs, .uint), (.abs, .bool):
      guard let number = whole(base) else { throw fail(.type) }
      return try result(number < 0 ? -number : number)
    case (.floor, .int), (.floor, .uint), (.ceil, .int), (.ceil, .uint), (.round, .int), (.round, .uint): return base
    default: break
    }
    guard let number = base.asDouble, base.kind != .enumeration else { throw fail(.type) }
    switch method {
    case .toF: return .float(number)
    case .abs: return .float(Swift.abs(number))
    case .sqrt: return try finite(number.squareRoot())
    case .exp: return try finite(exp(number))
    case .ln: return try finite(log(number))
    case .floor: return try whole(number.rounded(.down))
    case .ceil: return try whole(number.rounded(.up))
    case .round: return try whole(number.rounded())
    default: throw fail(.type)
    }
  }

  private mutating func finite(_ number: Double) throws(Stop) -> KaitaiValue {
    guard number.isFinite else { throw fail(.conversion) }
    return .float(number)
  }

  /// The integer converted from a floating-point number.
  mutating func whole(_ number: Double) throws(Stop) -> KaitaiValue {
    guard number.magnitude < 0x1p65 else { throw fail(.conversion) }
    return try result(Int128(number))
  }

  /// A power: exact for integers with an integer exponent from 0 on.
  @inline(never)
  mutating func power(_ base: KaitaiValue, _ exponent: KaitaiValue) throws(Stop) -> KaitaiValue {
    if base.kind != .float, exponent.kind != .float, let factor = whole(base), let times = whole(exponent), times >= 0 {
      if factor == 0 || factor == 1 { return try result(times == 0 ? 1 : factor) }
      if factor == -1 { return .int(times % 2 == 0 ? 1 : -1) }
      guard times < 64 else { throw fail(.overflow) }
      var product: Int128 = 1
      for _ in 0..<times {
        let (next, overflow) = product.multipliedReportingOverflow(by: factor)
        guard !overflow else { throw fail(.overflow) }
        product = next
      }
      return try result(product)
    }
    guard let factor = base.asDouble, let times = exponent.asDouble else {
      throw fail(base.kind == .absent || exponent.kind == .absent ? .absent : .type)
    }
    return try finite(pow(factor, times))
  }

  // MARK: Lists

  /// Makes an empty list.
  private mutating func openList() throws(Stop) -> Int32 {
    try append(TreeNode(kind: .array, payload: 0, field: -1, parent: -1, start: 0, end: 0))
  }

  /// Appends a value to a list under construction.
  private mutating func append(_ value: KaitaiValue, to list: Int32) throws(Stop) {
    try spend()
    let node: Int32
    if value.kind == .object || value.kind == .array {
      guard value.source == 0 else { throw fail(.type) }
      // A second node for the same object: it shares the slots.
      var copy = nodes[Int(value.nodeNumber)]
      copy.parentNumber = list
      copy.nextNumber = -1
      node = try append(copy)
    } else {
      let stored = try store(value, field: -1, in: list)
      node = stored >= 0 ? stored : try append(TreeNode(kind: .absent, payload: 0, field: -1, parent: list, start: 0, end: 0))
    }
    link(node, into: list)
    nodes[Int(list)].payload &+= 1
    nodes[Int(list)].type = node
  }

  private mutating func close(list: Int32) -> KaitaiValue {
    nodes[Int(list)].flags |= TreeNode.closed
    return .node(.array, list)
  }

  /// The elements of two lists, concatenated.
  @inline(never)
  mutating func appended(_ left: KaitaiValue, _ right: KaitaiValue) throws(Stop) -> KaitaiValue {
    let list = try openList()
    for part in [left, right] {
      let count = try count(of: part)
      for index in 0..<count { try append(try element(of: part, at: .int(index)), to: list) }
    }
    return close(list: list)
  }

  @inline(never)
  mutating func reversedList(_ base: KaitaiValue) throws(Stop) -> KaitaiValue {
    if base.kind == .bytes, !base.kindFlag {
      let content = Array(bytes(of: base).reversed())
      try spend(content.count, byBytes: 16)
      return .bytes(.bytes, offset: try produce(copying: content), count: content.count, buffer: .produced)
    }
    let list = try openList()
    var index = try count(of: base)
    while index > 0 {
      index -= 1
      try append(try element(of: base, at: .int(index)), to: list)
    }
    return close(list: list)
  }

  /// The result of `map`, `filter` or `find` on a list: in their argument `_` is the element, and `_index` its index.
  @inline(never)
  mutating func each(_ operation: Operation, _ object: Int32) throws(Stop) -> KaitaiValue {
    let base = try evaluate(operation.a, object)
    let outer = (it, index)
    defer { (it, index) = outer }
    let kind = EachKind(rawValue: operation.b)
    let list = kind == .find ? -1 : try openList()
    let count = try count(of: base)
    for position in 0..<count {
      try spend()
      let element = try element(of: base, at: .int(position))
      (it, index) = (element, position)
      if kind == .map {
        try append(try evaluate(operation.c, object), to: list)
      } else if try holds(each: operation.c, object) {
        if kind == .find { return element }
        try append(element, to: list)
      }
    }
    return kind == .find ? .absent : close(list: list)
  }

  /// Whether a condition holds for an element: it is false where it needs a value that the element lacks.
  private mutating func holds(each operation: Int32, _ object: Int32) throws(Stop) -> Bool {
    do throws(Stop) { return try isTrue(operation, object) } catch {
      guard failure.kind == .absent || failure.kind == .noField else { throw error }
      return false
    }
  }

  /// The elements of a list as text, with `separator` between them.
  @inline(never)
  mutating func joined(_ base: KaitaiValue, by separator: KaitaiValue) throws(Stop) -> KaitaiValue {
    guard separator.kind == .string else { throw fail(separator.kind == .absent ? .absent : .type) }
    let between = Array(bytes(of: separator))
    var content: [UInt8] = []
    let count = try count(of: base)
    for index in 0..<count {
      try spend()
      if index > 0 { content += between }
      let part = try text(of: try element(of: base, at: .int(index)))
      try spend(between.count + part.byteCount, byBytes: 64)
      content += bytes(of: part)
      guard content.count <= limits.bytes else { throw fail(.limit) }
    }
    return .bytes(.string, offset: try produce(copying: content), count: content.count, buffer: .produced)
  }
}
