import Memory

/// Determines the fields that give a computed value: for `length = kind == 0 ? length5 : length13`, the field that holds the length.
extension Writer {
  /// Sets the fields that an instance is computed from, so that its value becomes `wanted`.
  func solve(instance slot: Int32, of object: Int32, to wanted: FieldTree) throws(WriteError) {
    let type = machine.pointee.nodes[Int(object)].type
    let field = program.tables.fields[Int(program.tables.types[Int(type)].firstField + slot)]
    // An instance with a position is read from elsewhere, so that nothing is written for it here.
    guard field.value >= 0 else { return }
    var wanted = wanted
    let id = FieldID(rawValue: program.tables.types[Int(type)].firstField + slot)
    let computed = (factor: factor?(id), shift: shift?(id))
    if computed.factor != nil || computed.shift != nil {
      // If the factor is unknown here, the value that is read back is compared with the given one later.
      guard let raw = try? stored(wanted, id, by: computed.factor, offset: computed.shift, object) else { return }
      wanted = raw
    }
    let value: KaitaiValue
    switch wanted {
    case .int(let number): value = .int(number)
    case .uint(let number): value = .uint(number)
    case .double(let number): value = .float(number)
    case .bool(let truth): value = .bool(truth)
    case .text(let name):
      guard field.enumeration >= 0 else {
        _ = try solveText(field.value, name, object)
        return
      }
      guard let number = program.value(of: name, in: EnumID(rawValue: field.enumeration)) else { return }
      value = .int(number)
    case .object:
      guard case .int(let number) = wanted["value"] else { return }
      value = .int(number)
    case .written(_, let plain): return try solve(instance: slot, of: object, to: plain)
    default: return
    }
    // If no field is open, the value follows from known fields.
    _ = try solve(field.value, value, object)
  }

  /// Sets open fields so that the operation results in `target`; false where it has no inverse, or no field is open.
  func solve(_ operation: Int32, _ target: KaitaiValue, _ object: Int32, depth: Int = 0) throws(WriteError) -> Bool {
    guard depth < 64 else { return false }
    let code = program.tables.operations[Int(operation)]
    switch code.code {
    case .slot: return try assign(code.a, target, object, depth)
    case .memberSlot:
      guard let base = attempt(code.a, object)?.asNode, machine.pointee.nodes[Int(base.rawValue)].type == code.c else {
        return false
      }
      return try assign(code.b, target, base.rawValue, depth)
    case .castEnum, .castFloat32, .plus: return try solve(code.a, target, object, depth: depth + 1)
    case .conditional:
      guard let condition = attempt(code.a, object)?.asBool else { return try choose(code, target, object, depth) }
      return try solve(condition ? code.b : code.c, target, object, depth: depth + 1)
    case .not:
      guard let truth = target.asBool else { return false }
      return try solve(code.a, .bool(!truth), object, depth: depth + 1)
    case .and, .or:
      // Both sides must hold, or neither.
      guard let truth = target.asBool, truth == (code.code == .and) else { return try solveEither(code, target, object, depth) }
      for side in [code.a, code.b] {
        if let known = attempt(side, object)?.asBool {
          if known != truth { return false }
        } else if try !solve(side, target, object, depth: depth + 1) {
          return false
        }
      }
      return true
    case .equal where target.asBool == true:
      if let right = attempt(code.b, object) { return try solve(code.a, right, object, depth: depth + 1) }
      if let left = attempt(code.a, object) { return try solve(code.b, left, object, depth: depth + 1) }
      return false
    case .notEqual where target.asBool == true:
      // `x != 0` is solved by 1, and `x != 1` by 0.
      guard let right = attempt(code.b, object)?.asInt, right == 0 || right == 1 else { return false }
      return try solve(code.a, .int(1 - right), object, depth: depth + 1)
    case .minus:
      guard let value = negated(target) else { return false }
      return try solve(code.a, value, object, depth: depth + 1)
    case .bitOr, .add:
      if try split(code, target, object, depth) { return true }
      fallthrough
    case .subtract, .multiply, .divide, .bitXor, .shiftLeft:
      if let right = attempt(code.b, object), let value = inverse(code.code, target, right, isLeftOpen: true) {
        return try solve(code.a, value, object, depth: depth + 1)
      }
      if let left = attempt(code.a, object), let value = inverse(code.code, target, left, isLeftOpen: false) {
        return try solve(code.b, value, object, depth: depth + 1)
      }
      return false
    default: return false
    }
  }

  /// Sets open fields whose numbers are concatenated with known texts: `major.to_s + '.' + minor.to_s`.
  private func solveText(_ operation: Int32, _ text: String, _ object: Int32) throws(WriteError) -> Bool {
    var parts: [Int32] = []
    var open = [operation]
    while let next = open.popLast() {
      guard parts.count + open.count < 64 else { return false }
      let code = program.tables.operations[Int(next)]
      if code.code == .add { open += [code.b, code.a] } else { parts.append(next) }
    }
    let known = parts.map { attempt($0, object).flatMap { $0.kind == .string ? tree.string($0) : nil } }
    var rest = text[...]
    for (index, part) in parts.enumerated() {
      if let literal = known[index] {
        guard rest.hasPrefix(literal) else { return false }
        rest = rest.dropFirst(literal.count)
        continue
      }
      let code = program.tables.operations[Int(part)]
      let digits: Substring
      if index + 1 < parts.count {
        guard let literal = known[index + 1], let range = rest.firstRange(of: literal) else { return false }
        digits = rest[..<range.lowerBound]
      } else {
        digits = rest
      }
      guard code.code == .member, code.b == BuiltIn.toS.rawValue, let number = Int64(digits), try solve(code.a, .int(number), object) else {
        return false
      }
      rest = rest.dropFirst(digits.count)
    }
    return rest.isEmpty
  }

  /// Chooses the side of an unknown condition that sets fewer fields, or the first.
  private func choose(_ code: Operation, _ target: KaitaiValue, _ object: Int32, _ depth: Int) throws(WriteError) -> Bool {
    guard depth < 24 else { return false }
    let before = assigned.count
    trials += 1
    defer { trials -= 1 }
    let first = try take(true, code, target, object, depth)
    let firstCount = assigned.count - before
    undo(to: before, object)
    let second = try take(false, code, target, object, depth)
    if second, !first || assigned.count - before < firstCount { return true }
    undo(to: before, object)
    guard first else { return false }
    return try take(true, code, target, object, depth)
  }

  private func take(_ truth: Bool, _ code: Operation, _ target: KaitaiValue, _ object: Int32, _ depth: Int) throws(WriteError) -> Bool {
    if try solve(code.a, .bool(truth), object, depth: depth + 1) {
      return try solve(truth ? code.b : code.c, target, object, depth: depth + 1)
    }
    // A condition without an inverse (`info < 24 ? info : more`) is checked after setting the fields of the branch.
    guard try solve(truth ? code.b : code.c, target, object, depth: depth + 1) else { return false }
    return attempt(code.a, object)?.asBool == truth
  }

  /// Makes one side of an `and` false, or one side of an `or` true.
  private func solveEither(_ code: Operation, _ target: KaitaiValue, _ object: Int32, _ depth: Int) throws(WriteError) -> Bool {
    guard let truth = target.asBool else { return false }
    for side in [code.a, code.b] { if attempt(side, object)?.asBool == truth { return true } }
    for side in [code.a, code.b] where attempt(side, object) == nil {
      return try solve(side, target, object, depth: depth + 1)
    }
    return false
  }

  private func undo(to count: Int, _ object: Int32) {
    while assigned.count > count { machine.pointee.slots[assigned.removeLast()] = Machine.unread }
    forgetInstances(of: object)
  }

  private func assign(_ slot: Int32, _ target: KaitaiValue, _ object: Int32, _ depth: Int) throws(WriteError) -> Bool {
    let node = machine.pointee.nodes[Int(object)]
    let number = program.tables.types[Int(node.type)].firstField + slot
    let field = program.tables.fields[Int(number)]
    if field.role == .instance { return field.value >= 0 ? try solve(field.value, target, object, depth: depth + 1) : false }
    guard field.role == .sequence, machine.pointee.slots[node.slotBase + Int(slot)] == Machine.unread, field.repetition == .once
    else {
      return false
    }
    let reader = program.tables.readers.entry(Int(field.reader))
    // A field with a condition on other fields sets these so that the condition holds.
    if field.condition >= 0, attempt(field.condition, object) == nil {
      guard try solve(field.condition, .bool(true), object, depth: depth + 1) else { return false }
    }
    let given: FieldTree
    switch target.kind {
    case .float:
      let number = Double(bitPattern: target.bits)
      if reader.pointee.kind == .float {
        given = .double(number)
      } else {
        // Inverting a scale gives a number near an integer: it is rounded.
        guard let whole = Int64(exactly: number.rounded()) else { return false }
        given = .int(whole)
      }
    case .uint: given = .uint(target.bits)
    case .bool: given = .bool(target.bits != 0)
    case .int, .enumeration: given = .int(Int64(bitPattern: target.bits))
    default: return false
    }
    guard trials == 0 || fits(given, reader), let value = try plain(given, reader) else { return false }
    machine.pointee.slots[node.slotBase + Int(slot)] = try guarded { machine throws(Stop) in
      try machine.store(value, field: number, in: object)
    }
    assigned.append(node.slotBase + Int(slot))
    // Values computed without this field may be different now.
    forgetInstances(of: object)
    return true
  }

  /// Whether a number fits into a field.
  private func fits(_ value: FieldTree, _ reader: Table<Reader>.Entry) -> Bool {
    if case .uint = value { return reader.pointee.kind == .unsigned && reader.pointee.width == 8 }
    guard case .int(let number) = value else { return true }
    let bits: Int
    switch reader.pointee.kind {
    case .bits where reader.pointee.isSigned:
      let bits = Int64(reader.pointee.width) - 1
      return number >> bits == 0 || number >> bits == -1
    case .bits: bits = Int(reader.pointee.width)
    case .unsigned: bits = Int(reader.pointee.width) * 8
    case .signed:
      let bits = Int64(reader.pointee.width) * 8 - 1
      return bits >= 63 || (number >> bits == 0 || number >> bits == -1)
    default: return true
    }
    return number >= 0 && (bits >= 63 || number >> Int64(bits) == 0)
  }

  /// Splits a number for `high << 8 | low`, or `tens * 10 + ones`, with both sides open.
  private func split(_ code: Operation, _ target: KaitaiValue, _ object: Int32, _ depth: Int) throws(WriteError) -> Bool {
    guard let number = Self.whole(target) else { return false }
    // Only a signed part can hold the rest of a negative number.
    trials += number < 0 ? 1 : 0
    defer { trials -= number < 0 ? 1 : 0 }
    for (shifted, plain) in [(code.a, code.b), (code.b, code.a)] {
      let operation = program.tables.operations[Int(shifted)]
      let factor: Int128
      switch operation.code {
      case .shiftLeft:
        guard let value = attempt(operation.b, object)?.asInt, value > 0, value < 63 else { continue }
        factor = 1 << value
      case .multiply:
        // Decimal digits have no sign.
        guard let value = attempt(operation.b, object)?.asInt, value > 1, value & (value - 1) == 0 || number >= 0 && code.code == .add
        else { continue }
        factor = Int128(value)
      default: continue
      }
      guard attempt(plain, object) == nil, attempt(shifted, object) == nil else { continue }
      let rest = number % factor
      guard let lower = Self.value(rest < 0 ? rest + factor : rest),
        let upper = Self.value(rest < 0 ? number / factor - 1 : number / factor)
      else { return false }
      let low = try solve(plain, lower, object, depth: depth + 1)
      let high = try solve(operation.a, upper, object, depth: depth + 1)
      return low && high
    }
    return false
  }

  private func negated(_ value: KaitaiValue) -> KaitaiValue? {
    if value.kind == .float { return .float(-Double(bitPattern: value.bits)) }
    return Self.whole(value).flatMap { Self.value(-$0) }
  }

  private static func whole(_ value: KaitaiValue) -> Int128? { value.asInt.map { Int128($0) } ?? value.asUInt.map { Int128($0) } }

  /// An integer as a value; nil where it does not fit into 64 bits.
  private static func value(_ number: Int128) -> KaitaiValue? {
    Int64(exactly: number).map(KaitaiValue.int) ?? UInt64(exactly: number).map(KaitaiValue.uint)
  }

  /// The value of the open side of `left OP right = target`, or nil where there is none.
  private func inverse(_ code: OperationCode, _ target: KaitaiValue, _ known: KaitaiValue, isLeftOpen: Bool) -> KaitaiValue? {
    if target.kind == .float || known.kind == .float {
      guard let result = target.asDouble, let other = known.asDouble else { return nil }
      switch code {
      case .add: return .float(result - other)
      case .subtract: return .float(isLeftOpen ? result + other : other - result)
      case .multiply: return other == 0 ? nil : .float(result / other)
      case .divide:
        if isLeftOpen { return .float(result * other) }
        return result == 0 ? nil : .float(other / result)
      default: return nil
      }
    }
    // Numbers of 64 bits: their sums and products fit into 128 bits, except for the product of two that are beyond 2⁶³−1.
    guard let result = Self.whole(target), let other = Self.whole(known) else { return nil }
    switch code {
    case .add: return Self.value(result - other)
    case .subtract: return Self.value(isLeftOpen ? result + other : other - result)
    case .multiply: return other != 0 && result % other == 0 ? Self.value(result / other) : nil
    case .divide:
      guard isLeftOpen, case let (product, overflow) = result.multipliedReportingOverflow(by: other), !overflow else { return nil }
      return Self.value(product)
    case .bitXor: return Self.value(result ^ other)
    case .bitOr: return result & other == other ? Self.value(result & ~other) : nil
    case .shiftLeft:
      guard isLeftOpen, other >= 0, other < 63, (result >> other) << other == result else { return nil }
      return Self.value(result >> other)
    default: return nil
    }
  }

  // MARK: Dependencies of expressions

  /// Whether the operation, evaluated at `object`, depends on a field of `owner`, directly or through instances.
  func mentions(_ slot: Int32, of owner: Int32, in operation: Int32, at object: Int32, depth: Int = 0) -> Bool {
    guard depth < 64 else { return false }
    let code = program.tables.operations[Int(operation)]
    func field(_ number: Int32, of object: Int32) -> Bool {
      if number == slot, object == owner { return true }
      let type = machine.pointee.nodes[Int(object)].type
      let field = program.tables.fields[Int(program.tables.types[Int(type)].firstField + number)]
      return field.role == .instance && field.value >= 0 && mentions(slot, of: owner, in: field.value, at: object, depth: depth + 1)
    }
    if code.code == .slot { return field(code.a, of: object) }
    if code.code == .memberSlot, let base = attempt(code.a, object)?.asNode, machine.pointee.nodes[Int(base.rawValue)].type == code.c {
      return field(code.b, of: base.rawValue)
    }
    return operands(of: code).contains { mentions(slot, of: owner, in: $0, at: object, depth: depth + 1) }
  }

  /// Whether the operation uses the size or the end of a stream, which are unknown while writing; the position is known.
  func usesStream(_ operation: Int32, depth: Int = 0) -> Bool {
    guard depth < 64 else { return false }
    let code = program.tables.operations[Int(operation)]
    if code.code == .member, code.b == BuiltIn.size.rawValue || code.b == BuiltIn.eof.rawValue {
      if program.tables.operations[Int(code.a)].code == .stream { return true }
    }
    return operands(of: code).contains { usesStream($0, depth: depth + 1) }
  }

  /// Whether the operation uses the written bytes (``wholeName``), directly or through instances.
  func usesWhole(_ operation: Int32, _ object: Int32, depth: Int = 0) -> Bool {
    guard let wholeName, depth < 64 else { return false }
    let code = program.tables.operations[Int(operation)]
    func field(_ number: Int32, of object: Int32) -> Bool {
      let type = machine.pointee.nodes[Int(object)].type
      let field = program.tables.fields[Int(program.tables.types[Int(type)].firstField + number)]
      return field.role == .instance && field.value >= 0 && usesWhole(field.value, object, depth: depth + 1)
    }
    switch code.code {
    case .external: return code.a == wholeName.rawValue
    case .slot: return field(code.a, of: object)
    case .memberSlot:
      guard let base = attempt(code.a, object)?.asNode, machine.pointee.nodes[Int(base.rawValue)].type == code.c else {
        return false
      }
      return field(code.b, of: base.rawValue)
    default: return operands(of: code).contains { usesWhole($0, object, depth: depth + 1) }
    }
  }

  /// Whether a check of a field uses the stream, whose end is open while it is written: such checks are made only in reading.
  func usesStream(checkOf field: Table<FieldInfo>.Entry) -> Bool {
    (0..<Int(field.pointee.checkCount)).contains { index in
      let check = program.tables.checks[Int(field.pointee.firstCheck) + index]
      return check.kind != .anyOf && check.kind != .inEnum && usesStream(check.operation)
    }
  }

  private func operands(of operation: Operation) -> [Int32] {
    switch operation.code {
    case .conditional, .substring: [operation.a, operation.b, operation.c]
    case .minus, .plus, .not, .invert, .member, .memberSlot, .parent, .root, .stream, .castObject, .castFloat32, .castArray, .castBytes,
      .castEnum, .toText, .toTextIn, .asBody:
      [operation.a]
    case .add, .subtract, .multiply, .divide, .modulo, .shiftLeft, .shiftRight, .bitAnd, .bitOr, .bitXor, .equal, .notEqual, .less,
      .lessOrEqual, .greater, .greaterOrEqual, .and, .or, .element, .toInteger:
      [operation.a, operation.b]
    case .keyed: (0..<Int(operation.c)).map { program.tables.lists[Int(operation.b) + $0] }
    default: []
    }
  }
}

extension Machine {
  /// Creates an object that is written, with its parameters, instead of reading one.
  mutating func openObject(_ type: Int32, _ destination: Writer.Destination, _ reader: Table<Reader>.Entry?, parent: Int32) throws(Stop)
    -> Int32
  {
    depth += 1
    guard depth <= limits.depth else { throw fail(.depth) }
    try spend()
    let info = tables.types.entry(Int(type))
    let base = try allocateSlots(Int(info.pointee.fieldCount))
    let number = try append(
      TreeNode(
        kind: .object, payload: UInt64(base) | UInt64(destination.stream) << 32, field: destination.field, parent: destination.container,
        start: 0, end: 0,
        type: type))
    slots[base - 4] = number
    slots[base - 3] = Int32(truncatingIfNeeded: depth)
    let isLocal = destination.object >= 0 && tables.types[Int(nodes[Int(destination.object)].type)].file == info.pointee.file
    slots[base - 2] = isLocal ? rootNumber(of: destination.object) : number
    slots[base - 1] = isLocal ? parent : -1
    if destination.slot >= 0 {
      slots[destination.slot] = number
    } else if destination.container >= 0 {
      link(number, into: destination.container)
    }
    guard let reader = reader else { return number }
    for argument in 0..<reader.pointee.argumentCount {
      let value = try evaluate(tables.lists[Int(reader.pointee.firstArgument + argument)], destination.object)
      slots[base + Int(argument)] = try store(value, field: info.pointee.firstField + argument, in: number)
    }
    return number
  }

  /// Determines the byte order of an object that is written.
  mutating func openEndian(_ object: Int32, creator: Int32) throws(Stop) {
    let info = tables.types.entry(Int(nodes[Int(object)].type))
    if info.pointee.endianSwitch >= 0 {
      try decideEndian(object, info.pointee.endianSwitch)
    } else if info.pointee.inheritsEndian, creator >= 0 {
      nodes[Int(object)].flags |= nodes[Int(creator)].flags & (TreeNode.littleEndian | TreeNode.bigEndian)
    }
  }
}
