import Memory
import PacketCodecs

/// Evaluates expressions at an object.
extension Machine {
  /// Deepest nesting of operations; each takes some hundred bytes of stack.
  private static let evaluationLimit = 1500

  mutating func isTrue(_ operation: Int32, _ object: Int32) throws(Stop) -> Bool {
    let value = try evaluate(operation, object)
    switch value.kind {
    case .bool, .int, .uint: return value.bits != 0
    case .absent: throw fail(.absent)
    default: throw fail(.type)
    }
  }

  mutating func integer(_ operation: Int32, _ object: Int32) throws(Stop) -> Int64 {
    let value = try evaluate(operation, object)
    guard let number = value.asInt else {
      throw fail(value.kind == .uint ? .overflow : value.kind == .absent ? .absent : .type)
    }
    return number
  }

  @inline(__always)
  mutating func evaluate(_ number: Int32, _ object: Int32) throws(Stop) -> KaitaiValue {
    let operation = tables.operations[Int(number)]
    // Constants and fields that were read are most operands: they need no call.
    if operation.code == .constant { return tables.constants[Int(operation.a)] }
    if operation.code == .slot, object >= 0 {
      let slot = slots[nodes[Int(object)].slotBase &+ Int(operation.a)]
      if slot >= 0 { return value(slot) }
    }
    return try evaluateDeep(operation, object)
  }

  private mutating func evaluateDeep(_ operation: Operation, _ object: Int32) throws(Stop) -> KaitaiValue {
    evaluationDepth &+= 1
    defer { evaluationDepth &-= 1 }
    guard evaluationDepth < Self.evaluationLimit else { throw fail(.depth) }
    try spend()
    switch operation.code {
    case .slot: return try field(object, operation.a)
    case .it: return it
    case .index: return .int(index)
    case .memberSlot: return try memberSlot(try evaluate(operation.a, object), operation.b, operation.c)
    case .member:
      if operation.c == Operation.streamOfObject, object >= 0 {
        return streamValue(operation.b, streams[nodes[Int(object)].streamNumber])
      }
      let base = try evaluate(operation.a, object)
      if operation.b == BuiltIn.toI.rawValue, base.kind == .enumeration, !base.kindFlag { return KaitaiValue(kind: .int, bits: base.bits) }
      return try member(base, operation.b)
    case .external:
      guard let environment = unsafe environment, unsafe Int(operation.a) < environment.pointee.count else { return .absent }
      return unsafe environment.pointee.values[Int(operation.a)]
    case .and:
      guard try isTrue(operation.a, object) else { return .bool(false) }
      return .bool(try isTrue(operation.b, object))
    case .or:
      if try holds(either: operation.a, object) { return .bool(true) }
      return .bool(try isTrue(operation.b, object))
    case .not: return .bool(try !isTrue(operation.a, object))
    case .conditional: return try evaluate(try isTrue(operation.a, object) ? operation.b : operation.c, object)
    case .equal, .notEqual, .less, .lessOrEqual, .greater, .greaterOrEqual:
      let left = try evaluate(operation.a, object)
      let right = try evaluate(operation.b, object)
      if left.kind == .int, right.kind == .int {
        return .bool(Self.holds(operation.code, Int64(bitPattern: left.bits), Int64(bitPattern: right.bits)))
      }
      return .bool(try holds(operation.code, left, right))
    case .element:
      let base = try evaluate(operation.a, object)
      let position = try evaluate(operation.b, object)
      if base.kind == .bytes, base.source == 0, !base.kindFlag, position.kind == .int, position.bits < UInt64(base.byteCount) {
        let content = bytes(of: base)
        if position.bits < UInt64(content.count) { return .int(Int64(content[Int(position.bits)])) }
      }
      return try element(of: base, at: position)
    case .add, .subtract, .multiply, .divide, .modulo, .shiftLeft, .shiftRight, .bitAnd, .bitOr, .bitXor:
      let left = try evaluate(operation.a, object)
      return try binary(operation.code, left, try evaluate(operation.b, object))
    default: return try evaluateSeldom(operation, object)
    }
  }

  /// Whether the left side of an `or` holds: it is false where it needs an absent value. While writing, an absent value may still be set.
  @inline(__always)
  private mutating func holds(either operation: Int32, _ object: Int32) throws(Stop) -> Bool {
    do throws(Stop) { return try isTrue(operation, object) } catch {
      guard !isWriting, failure.kind == .absent || failure.kind == .noField else { throw error }
      return false
    }
  }

  /// `size`, `pos` or `eof` of a stream.
  @inline(__always)
  func streamValue(_ name: Int32, _ stream: Stream) -> KaitaiValue {
    switch BuiltIn(rawValue: name) {
    case .eof: .bool(stream.position >= stream.size && stream.bitsLeft == 0)
    case .size: .int(Int64(stream.size))
    default: .int(Int64(stream.position))
    }
  }

  @inline(__always)
  private static func holds(_ code: OperationCode, _ left: Int64, _ right: Int64) -> Bool {
    switch code {
    case .equal: left == right
    case .notEqual: left != right
    case .less: left < right
    case .lessOrEqual: left <= right
    case .greater: left > right
    default: left >= right
    }
  }

  private mutating func holds(_ code: OperationCode, _ left: KaitaiValue, _ right: KaitaiValue) throws(Stop) -> Bool {
    switch code {
    case .equal: try isEqual(left, right)
    case .notEqual: try !isEqual(left, right)
    case .less: try compare(left, right) < 0
    case .lessOrEqual: try compare(left, right) <= 0
    case .greater: try compare(left, right) > 0
    default: try compare(left, right) >= 0
    }
  }

  /// Rarely used operations, in a function of their own so that the others need less stack.
  @inline(never)
  private mutating func evaluateSeldom(_ operation: Operation, _ object: Int32) throws(Stop) -> KaitaiValue {
    switch operation.code {
    case .constant: return tables.constants[Int(operation.a)]
    case .this:
      guard object >= 0 else { throw fail(.absent) }
      return value(object)
    case .parent: return try member(try evaluate(operation.a, object), BuiltIn.parent.rawValue)
    case .root: return try member(try evaluate(operation.a, object), BuiltIn.root.rawValue)
    case .stream: return try member(try evaluate(operation.a, object), BuiltIn.io.rawValue)
    case .isLittle: return .bool(object >= 0 && nodes[Int(object)].flags & TreeNode.littleEndian != 0)
    case .minus, .plus, .invert: return try unary(operation.code, try evaluate(operation.a, object))
    case .castObject, .castFloat32, .castArray, .castBytes, .castEnum: return try cast(try evaluate(operation.a, object), operation)
    case .arrayLiteral: return try arrayLiteral(operation, object)
    case .bytesLiteral: return try bytesLiteral(operation, object)
    case .format: return try format(operation, object)
    case .toText: return try text(of: try evaluate(operation.a, object))
    case .toTextIn: return try text(of: try evaluate(operation.a, object), encoding: operation.b)
    case .toInteger: return try parse(try evaluate(operation.a, object), radix: try evaluate(operation.b, object))
    case .substring:
      let text = try evaluate(operation.a, object)
      return try substring(text, try integer(operation.b, object), try integer(operation.c, object))
    case .power: return try power(try evaluate(operation.a, object), try evaluate(operation.b, object))
    case .joinText: return try joined(try evaluate(operation.a, object), by: try evaluate(operation.b, object))
    case .each: return try each(operation, object)
    case .keyed: return try keyed(operation, object)
    case .asBody:
      let value = try evaluate(operation.a, object)
      guard value.kind == .bytes || value.kind == .string else { throw fail(value.kind == .absent ? .absent : .type) }
      return value.body(operation.b)
    default: throw fail(.type)
    }
  }

  // MARK: Fields

  /// The value of an object's field; reads an instance on first use.
  mutating func field(_ object: Int32, _ slot: Int32) throws(Stop) -> KaitaiValue {
    guard object >= 0 else { throw fail(.absent) }
    let node = nodes[Int(object)]
    let state = slots[node.slotBase &+ Int(slot)]
    if state >= 0 { return value(state) }
    if state == Self.missing { return .absent }
    let number = try instance(object, slot)
    return number < 0 ? .absent : value(number)
  }

  /// A field of an object whose type was known when the program was compiled.
  private mutating func memberSlot(_ base: KaitaiValue, _ slot: Int32, _ type: Int32) throws(Stop) -> KaitaiValue {
    guard base.kind == .object else { throw fail(base.kind == .absent ? .absent : .type) }
    if base.source == 0 {
      guard nodes[Int(base.nodeNumber)].type == type else {
        // The object is of another type than the compiler assumed (a parent of several types): look the field up by name.
        return try member(base, tables.fields[Int(tables.types[Int(type)].firstField &+ slot)].name)
      }
      return try field(base.nodeNumber, slot)
    }
    return try member(base, tables.fields[Int(tables.types[Int(type)].firstField &+ slot)].name)
  }

  /// A field or method of any value, by name.
  mutating func member(_ base: KaitaiValue, _ name: Int32) throws(Stop) -> KaitaiValue {
    if base.source > 0, !base.isBody { return try foreignMember(base, name) }
    if base.kind == .object {
      let number = base.nodeNumber
      let slot = tables.slot(of: name, in: nodes[Int(number)].type)
      // It is looked for among all fields of the type.
      try spend(Int(slot < 0 ? tables.types[Int(nodes[Int(number)].type)].fieldCount : slot) / 16)
      if slot >= 0 { return try field(number, slot) }
      switch BuiltIn(rawValue: name) {
      case .parent:
        let parent = parentNumber(of: number)
        return parent < 0 ? .absent : value(parent)
      case .root:
        let root = rootNumber(of: number)
        return value(root)
      case .io: return KaitaiValue(kind: .stream, bits: UInt64(nodes[Int(number)].streamNumber))
      case .sizeOf: return .int(Int64(nodes[Int(number)].end) - Int64(nodes[Int(number)].start))
      default: throw fail(.noField)
      }
    }
    if base.isBody { return try bodyMember(base, name) }
    guard let method = BuiltIn(rawValue: name) else { throw fail(base.kind == .absent ? .absent : .type) }
    return try call(method, base)
  }

  /// A field of an object, or a method of an array, of another tree.
  private mutating func foreignMember(_ base: KaitaiValue, _ name: Int32) throws(Stop) -> KaitaiValue {
    guard let other = other(base.source), other.pointee.tables.types.isSame(as: tables.types) else { throw fail(.type) }
    if other == this {
      var local = base
      local.source = 0
      return try member(local, name)
    }
    if base.kind != .object && base.kind != .array && base.kind != .stream {
      guard let method = BuiltIn(rawValue: name) else { throw fail(.type) }
      return try call(method, base)
    }
    var local = base
    local.source = 0
    return try foreign(other, base.source) { machine throws(Stop) in
      try machine.member(local, name)
    }
  }

  /// Evaluates in another tree; resulting nodes and bytes are marked as that tree's.
  private mutating func foreign(
    _ other: MachineReference, _ source: UInt8, _ evaluate: (inout Machine) throws(Stop) -> KaitaiValue
  ) throws(Stop) -> KaitaiValue {
    isEvaluating = true
    defer { isEvaluating = false }
    do throws(Stop) {
      var value = try evaluate(&other.pointee)
      switch value.kind {
      case .object, .array, .stream: value.source = source
      case .string, .bytes: if value.buffer == .input || value.buffer == .produced { value.source = source }
      default: break
      }
      return value
    } catch {
      failure = other.pointee.failure
      // The node is one of the other tree.
      failure.object = nil
      throw error
    }
  }

  // MARK: Elements

  mutating func element(of base: KaitaiValue, at position: KaitaiValue) throws(Stop) -> KaitaiValue {
    guard let index = position.asInt else { throw fail(position.kind == .absent ? .absent : .type) }
    if base.source > 0, base.kind == .array {
      guard let other = other(base.source) else { throw fail(.type) }
      var local = base
      local.source = 0
      if other == this { return try element(of: local, at: position) }
      return try foreign(other, base.source) { machine throws(Stop) in try machine.element(of: local, at: position) }
    }
    switch base.kind {
    case .bytes where base.isBody: return try bodyValue(base, at: .index(index), orFail: .index)
    case .bytes where base.kindFlag: return .int(entry(index, of: bytes(of: base)))
    case .bytes:
      let content = bytes(of: base)
      guard index >= 0, index < Int64(content.count) else { throw fail(.index) }
      return .int(Int64(content[Int(index)]))
    case .array:
      let node = try elementNode(base.nodeNumber, index)
      return value(node)
    default: throw fail(base.kind == .absent ? .absent : .type)
    }
  }

  /// The number for a key in a table of the environment. A table is a list of pairs in the order of their keys; its first pair has the number for
  /// missing keys.
  private func entry(_ key: Int64, of table: BorrowedBytes) -> Int64 {
    func number(_ index: Int) -> Int64 { Int64(bitPattern: table.span.little64(index &* 8)) }
    var low = 1
    var high = table.count / 16
    while low < high {
      let middle = (low &+ high) / 2
      let found = number(2 &* middle)
      if found == key { return number(2 &* middle &+ 1) }
      if found < key { low = middle &+ 1 } else { high = middle }
    }
    return table.count >= 16 ? number(1) : 0
  }

  /// The node of an element of an array. Elements are a linked list; an index is built the first time an element after the eighth is requested.
  mutating func elementNode(_ array: Int32, _ index: Int64) throws(Stop) -> Int32 {
    let node = nodes[Int(array)]
    let count = Int(node.payload & 0xffff_ffff)
    guard index >= 0, index < Int64(count) else { throw fail(.index) }
    if index == Int64(count - 1) { return node.type }
    if index < 8 || node.flags & TreeNode.closed == 0 {
      // An array that is still being read has no index: each new element would invalidate it.
      try spend(Int(index) / 8)
      var next = node.firstNumber
      for _ in 0..<index { next = nodes[Int(next)].nextNumber }
      return next
    }
    var table = Int(node.payload >> 32)
    if table == 0 {
      try spend(count)
      table = try appendSlots(count)
      var next = node.firstNumber
      for position in 0..<count {
        slots[table + position] = next
        next = nodes[Int(next)].nextNumber
      }
      nodes[Int(array)].payload = UInt64(count) | UInt64(table) << 32
    }
    return slots[table + Int(index)]
  }

  // MARK: Literals

  private mutating func arrayLiteral(_ operation: Operation, _ object: Int32) throws(Stop) -> KaitaiValue {
    let array = try append(TreeNode(kind: .array, payload: 0, field: -1, parent: object, start: 0, end: 0))
    for index in 0..<Int(operation.b) {
      let value = try evaluate(tables.lists[Int(operation.a) + index], object)
      let node: Int32
      if value.kind == .object || value.kind == .array {
        guard value.source == 0 else { throw fail(.type) }
        // A second node for the same object: it shares the slots.
        var copy = nodes[Int(value.nodeNumber)]
        copy.parentNumber = array
        copy.nextNumber = -1
        node = try append(copy)
      } else {
        let stored = try store(value, field: -1, in: array)
        node = stored >= 0 ? stored : try append(TreeNode(kind: .absent, payload: 0, field: -1, parent: array, start: 0, end: 0))
      }
      link(node, into: array)
      nodes[Int(array)].payload &+= 1
      nodes[Int(array)].type = node
    }
    nodes[Int(array)].flags |= TreeNode.closed
    return .node(.array, array)
  }

  private mutating func bytesLiteral(_ operation: Operation, _ object: Int32) throws(Stop) -> KaitaiValue {
    let count = Int(operation.b)
    let offset = try produce(count)
    for index in 0..<count {
      let value = try integer(tables.lists[Int(operation.a) + index], object)
      guard let byte = UInt8(exactly: value) else { throw fail(.overflow) }
      unsafe produced[offset + index] = byte
    }
    return .bytes(.bytes, offset: offset, count: count, buffer: .produced)
  }

  private mutating func format(_ operation: Operation, _ object: Int32) throws(Stop) -> KaitaiValue {
    var result = KaitaiValue.bytes(.string, offset: 0, count: 0, buffer: .program)
    for index in 0..<Int(operation.b) {
      let part = try text(of: try evaluate(tables.lists[Int(operation.a) + index], object))
      result = index == 0 ? part : try join(result, part)
    }
    return result
  }

  // MARK: Casts

  private mutating func cast(_ value: KaitaiValue, _ operation: Operation) throws(Stop) -> KaitaiValue {
    switch operation.code {
    case .castObject:
      if value.kind == .object, value.source == 0, nodes[Int(value.nodeNumber)].type != operation.b { throw fail(.conversion) }
      guard value.kind == .object || value.kind == .absent else { throw fail(.conversion) }
      return value
    case .castFloat32:
      guard let number = value.asDouble else { throw fail(.type) }
      return KaitaiValue(kind: .float, bits: Double(Float(number)).bitPattern, kindFlag: true)
    case .castEnum:
      switch value.kind {
      case .absent: return value
      case .int, .bool, .enumeration:
        return KaitaiValue(kind: .enumeration, bits: value.bits, enumNumber: operation.b, kindFlag: value.kindFlag)
      case .uint: return KaitaiValue(kind: .enumeration, bits: value.bits, enumNumber: operation.b, kindFlag: true)
      default: throw fail(.type)
      }
    case .castArray:
      guard value.kind == .bytes else { return value }
      let count = value.byteCount
      let array = try append(TreeNode(kind: .array, payload: UInt64(count), field: -1, parent: -1, start: 0, end: 0))
      for index in 0..<count {
        let byte = bytes(of: value)[index]
        let node = try append(TreeNode(kind: .int, payload: UInt64(byte), field: -1, parent: array, start: 0, end: 0))
        link(node, into: array)
        nodes[Int(array)].type = node
      }
      nodes[Int(array)].flags |= TreeNode.closed
      return .node(.array, array)
    default:
      guard value.kind == .array, value.source == 0 else {
        if value.kind == .bytes || value.kind == .absent { return value }
        throw fail(.conversion)
      }
      let count = Int(nodes[Int(value.nodeNumber)].payload & 0xffff_ffff)
      let offset = try produce(count)
      var next = nodes[Int(value.nodeNumber)].firstNumber
      for index in 0..<count {
        guard let byte = self.value(next).asInt.flatMap(UInt8.init(exactly:)) else { throw fail(.conversion) }
        unsafe produced[offset + index] = byte
        next = nodes[Int(next)].nextNumber
      }
      return .bytes(.bytes, offset: offset, count: count, buffer: .produced)
    }
  }
}
