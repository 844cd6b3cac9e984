import Memory

/// Compiles types into the plans of a ``FlatReader``; returns nil for everything that needs a tree.
struct FlatCompiler {
  private let tables: ProgramTables
  private let presentation: FlatReader.Presentation
  private(set) var plans: [FlatReader.Plan] = []
  private(set) var plannedFields: [FlatReader.PlannedField] = []
  private(set) var elements: [FlatReader.Element] = []
  private(set) var cases: [FlatReader.Case] = []
  private(set) var actions: [FlatReader.Action] = []
  private(set) var resolutions: [FlatReader.Resolution] = []
  private(set) var targets: [Int32] = []
  private var known: [Int32: Int32] = [:]
  /// The current slot: fields after it have no number yet.
  private var reading: Int32 = 0
  private static let deepest = 12
  private static let maxElements = 4096

  init(_ tables: ProgramTables, _ presentation: FlatReader.Presentation) {
    self.tables = tables
    self.presentation = presentation
  }

  /// The plan of a type.
  mutating func plan(_ type: Int32, depth: Int) -> Int32? {
    if let known = known[type] { return known }
    let info = tables.types[Int(type)]
    guard depth < Self.deepest, info.parameterCount == 0, info.endianSwitch < 0, !info.inheritsEndian,
      depth == 0 || !presentation.typeNeedsTree(TypeID(rawValue: type))
    else { return nil }
    // Instances are displayed too, unless they are hidden.
    for slot in info.sequenceCount..<info.fieldCount where !presentation.isHidden(FieldID(rawValue: info.firstField &+ slot)) { return nil }
    let isInline = depth > 0 && presentation.isInline(TypeID(rawValue: type))
    var fieldsOfPlan: [FlatReader.PlannedField] = []
    var hasStandIn = false
    let outer = reading
    defer { reading = outer }
    for slot in 0..<info.sequenceCount {
      let number = info.firstField &+ slot
      reading = slot
      let field = tables.fields[Int(number)]
      let id = FieldID(rawValue: number)
      guard field.role == .sequence, field.checkCount == 0, field.repetition != .until, field.repetition != .whole,
        !presentation.needsTree(id),
        field.reader >= 0,
        let element = element(field.reader, in: type, depth: depth)
      else { return nil }
      let isHidden = presentation.isHidden(id)
      var planned = FlatReader.PlannedField(
        field: number, condition: -1, repetition: field.repetition, repeatExpression: -1, element: element,
        areBits: tables.readers[Int(field.reader)].kind == .bits,
        shape: shape(field.condition < 0 && field.repetition == .once, elements[Int(element)]),
        standsForObject: !isHidden && !hasStandIn,
        flags: (isHidden ? FieldEvent.hidden : 0) | (presentation.isSecret(id) ? FieldEvent.secret : 0))
      if !isHidden { hasStandIn = true }
      if field.condition >= 0 {
        guard let condition = action(field.condition, in: type), condition.isTruth else { return nil }
        planned.condition = condition.number
      }
      if field.repetition == .count {
        guard let wanted = action(field.repeatExpression, in: type) else { return nil }
        planned.repeatExpression = wanted.number
      }
      fieldsOfPlan.append(planned)
    }
    guard plannedFields.count + fieldsOfPlan.count < Self.maxElements else { return nil }
    let plan = FlatReader.Plan(
      type: type, firstField: Int32(plannedFields.count), fieldCount: Int32(fieldsOfPlan.count), isInline: isInline)
    plannedFields += fieldsOfPlan
    plans.append(plan)
    // The same type may be displayed differently as the root and within another type.
    if depth > 0 { known[type] = Int32(plans.count - 1) }
    return Int32(plans.count - 1)
  }

  private func shape(_ isOnce: Bool, _ element: FlatReader.Element) -> FlatReader.Shape {
    guard isOnce else { return .other }
    return element.isWhole ? .whole : element.kind == .bits && element.extent == .none ? .bits : .once
  }

  /// Replaces the objects of a plan whose fields are not among `wanted` by bytes, if they have a fixed size; false where there are none.
  mutating func leaveOut(of plan: Int32, but wanted: Set<FieldID>) -> Bool {
    var isAny = false
    let plan = plans[Int(plan)]
    for index in Int(plan.firstField)..<Int(plan.firstField &+ plan.fieldCount) {
      let planned = plannedFields[index]
      guard planned.repetition == .once, !wanted.contains(FieldID(rawValue: planned.field)),
        case let element = elements[Int(planned.element)], element.kind == .object, let size = size(of: element)
      else { continue }
      var bytes = FlatReader.Element(kind: .bytes)
      bytes.extent = .constant
      bytes.size = Int32(size)
      bytes.isSkipped = true
      elements.append(bytes)
      plannedFields[index].element = Int32(elements.count - 1)
      isAny = true
    }
    return isAny
  }

  /// The fixed size in bytes of an element whose reading cannot fail; nil where it varies.
  private func size(of element: FlatReader.Element) -> Int? {
    switch (element.kind, element.extent) {
    case (.unsigned, .none), (.signed, .none), (.float, .none):
      return element.width == 8 && element.enumeration >= 0 ? nil : Int(element.width)
    case (.bytes, .constant), (.string, .constant): return Int(element.size)
    case (.object, .none): return size(of: plans[Int(element.plan)])
    case (.object, .constant): return size(of: plans[Int(element.plan)]).flatMap { $0 <= element.size ? Int(element.size) : nil }
    default: return nil
    }
  }

  private func size(of plan: FlatReader.Plan) -> Int? {
    var size = 0
    var bits = 0
    for planned in plannedFields[Int(plan.firstField)..<Int(plan.firstField &+ plan.fieldCount)] {
      guard planned.condition < 0, planned.repetition == .once, case let element = elements[Int(planned.element)] else { return nil }
      if element.kind == .bits, element.extent == .none {
        bits += Int(element.width)
        continue
      }
      // A field after bits begins at a byte boundary: here only if the bits end there.
      guard bits % 8 == 0, let elementSize = self.size(of: element) else { return nil }
      size += elementSize + bits / 8
      bits = 0
    }
    return bits % 8 == 0 ? size + bits / 8 : nil
  }

  private mutating func element(_ number: Int32, in type: Int32, depth: Int) -> Int32? {
    let reader = tables.readers[Int(number)]
    guard depth < Self.deepest, elements.count < Self.maxElements else { return nil }
    var element = FlatReader.Element(kind: reader.kind)
    element.width = reader.width
    element.isLittle = reader.order == .little
    element.isBoolean = reader.isBoolean
    element.enumeration = reader.enumeration
    element.extent = reader.extent
    guard reader.order != .calculated, !reader.isSigned, !reader.hasSwappedWords, reader.processCount == 0, reader.argumentCount == 0,
      reader.parent < 0
    else { return nil }
    switch reader.extent {
    case .none: if reader.kind == .bytes || reader.kind == .string { return nil }
    case .constant: element.size = reader.size
    case .expression:
      guard let size = action(reader.size, in: type) else { return nil }
      element.size = size.number
    case .toEnd: break
    case .terminator: return nil
    }
    if reader.extent != .none, reader.pad >= 0 || reader.terminatorCount > 0 { return nil }
    switch reader.kind {
    case .unsigned, .signed, .float, .bytes: break
    case .bits: if reader.width > 57 { return nil }
    case .string: if !reader.isPlainText { return nil }
    case .object:
      guard let plan = plan(reader.type, depth: depth + 1) else { return nil }
      element.plan = plan
    case .switched:
      let info = tables.switches[Int(reader.switchNumber)]
      guard info.isSorted, let on = action(info.on, in: type) else { return nil }
      element.on = on.number
      var switchCases: [FlatReader.Case] = []
      for index in Int(info.firstCase)..<Int(info.firstCase &+ info.caseCount) {
        let switchCase = tables.cases[index]
        // If the default case needs a tree, the switch has none.
        guard switchCase.target >= 0, let target = self.element(switchCase.target, in: type, depth: depth + 1) else { return nil }
        switchCases.append(FlatReader.Case(key: switchCase.key, element: target))
      }
      if info.otherwise >= 0 {
        guard let target = self.element(info.otherwise, in: type, depth: depth + 1) else { return nil }
        element.otherwise = target
      }
      switchCases = Self.withoutGaps(switchCases, element.otherwise)
      element.firstCase = Int32(cases.count)
      element.caseCount = Int32(switchCases.count)
      cases += switchCases
    case .none: return nil
    }
    elements.append(element)
    return Int32(elements.count - 1)
  }

  /// The cases of a switch, which are sorted, with a case for each key between them if that adds only a few: they are then found without a search.
  private static func withoutGaps(_ cases: [FlatReader.Case], _ otherwise: Int32) -> [FlatReader.Case] {
    guard let first = cases.first?.key, let last = cases.last?.key, case let (span, isFar) = last.subtractingReportingOverflow(first),
      !isFar,
      span < Int64(cases.count * 4 + 16)
    else { return cases }
    var filled: [FlatReader.Case] = []
    for candidate in cases {
      while let before = filled.last?.key, before + 1 < candidate.key { filled.append(.init(key: before + 1, element: otherwise)) }
      // Of cases with the same key, the first is used.
      if filled.last?.key != candidate.key { filled.append(candidate) }
    }
    return filled
  }

  // MARK: Sizes

  /// Determines the results of plans with one field for windows of small sizes.
  mutating func resolve() {
    for index in plans.indices where plans[index].isInline && plans[index].fieldCount == 1 {
      let all = (0...FlatReader.maxResolved).map { resolve(plans[index], size: Int64($0), depth: 0) }
      guard all.contains(where: { $0.element != FlatReader.Resolution.open }) else { continue }
      plans[index].resolutions = Int32(resolutions.count)
      resolutions += all
    }
    for index in plans.indices where !plans[index].isInline && plans[index].fieldCount == 3 { findTags(index) }
  }

  /// Determines whether a plan is a tag, a length, and a value with that length, and the resolution of the value for each tag.
  private mutating func findTags(_ index: Int) {
    let first = Int(plans[index].firstField)
    func isByte(_ planned: FlatReader.PlannedField) -> Bool {
      let element = elements[Int(planned.element)]
      return planned.shape == .whole && element.kind == .unsigned && element.width == 1
    }
    func isSlot(_ action: Int32, _ slot: Int32) -> Bool { actions[Int(action)].code == .slot && actions[Int(action)].a == slot }
    guard isByte(plannedFields[first]), isByte(plannedFields[first + 1]), plannedFields[first + 2].shape == .once else { return }
    func target(_ number: Int32) -> Int32 {
      guard number >= 0, case let element = elements[Int(number)], element.kind == .object, element.extent == .expression,
        isSlot(element.size, 1)
      else { return -1 }
      return plans[Int(element.plan)].resolutions
    }
    let value = elements[Int(plannedFields[first + 2].element)]
    var all = [Int32](repeating: target(plannedFields[first + 2].element), count: 256)
    if value.kind == .switched {
      guard isSlot(value.on, 0) else { return }
      all = [Int32](repeating: target(value.otherwise), count: 256)
      let cases = cases[Int(value.firstCase)..<Int(value.firstCase &+ value.caseCount)]
      for candidate in cases.reversed() where (0..<256).contains(candidate.key) { all[Int(candidate.key)] = target(candidate.element) }
    }
    guard all.contains(where: { $0 >= 0 }) else { return }
    plans[index].tags = Int32(targets.count)
    targets += all
  }

  private func resolve(_ plan: FlatReader.Plan, size: Int64, depth: Int) -> FlatReader.Resolution {
    let open = FlatReader.Resolution(element: FlatReader.Resolution.open)
    let planned = plannedFields[Int(plan.firstField)]
    guard plan.isInline, plan.fieldCount == 1, planned.repetition == .once, planned.standsForObject, depth < Self.deepest else {
      return open
    }
    if planned.condition >= 0 {
      guard let holds = number(planned.condition, size: size) else { return open }
      // Within another object, it is the inner object that is missing.
      if holds == 0 { return depth == 0 ? .init(element: FlatReader.Resolution.absent) : open }
    }
    var target = planned.element
    while target >= 0, elements[Int(target)].kind == .switched {
      let element = elements[Int(target)]
      guard let key = number(element.on, size: size) else { return open }
      target =
        cases[Int(element.firstCase)..<Int(element.firstCase &+ element.caseCount)].first { $0.key == key }?.element ?? element.otherwise
    }
    guard target >= 0, case let element = elements[Int(target)], element.extent == .none else { return open }
    var found = open
    if element.kind == .object {
      found = resolve(plans[Int(element.plan)], size: size, depth: depth + 1)
    } else if element.isWhole, element.width <= size {
      found = .init(element: target, field: planned.field)
    }
    found.flags |= planned.flags & FieldEvent.secret
    return found
  }

  /// The result of an expression at the start of a window with a size; nil where it depends on anything else.
  private func number(_ action: Int32, size: Int64) -> Int64? {
    let action = actions[Int(action)]
    switch action.code {
    case .constant: return action.value
    case .size: return size
    case .position: return 0
    case .isAtEnd: return size == 0 ? 1 : 0
    case .slot: return nil
    case .not: return number(action.a, size: size).map { $0 == 0 ? 1 : 0 }
    case .conditional: return number(action.a, size: size).flatMap { number($0 != 0 ? action.b : action.c, size: size) }
    case .and:
      guard let left = number(action.a, size: size) else { return nil }
      return left == 0 ? 0 : number(action.b, size: size).map { $0 == 0 ? 0 : 1 }
    case .or:
      guard let left = number(action.a, size: size) else { return nil }
      return left != 0 ? 1 : number(action.b, size: size).map { $0 == 0 ? 0 : 1 }
    default:
      guard let left = number(action.a, size: size), let right = number(action.b, size: size) else { return nil }
      switch action.code {
      case .equal: return left == right ? 1 : 0
      case .notEqual: return left != right ? 1 : 0
      case .less: return left < right ? 1 : 0
      case .lessOrEqual: return left <= right ? 1 : 0
      case .greater: return left > right ? 1 : 0
      case .greaterOrEqual: return left >= right ? 1 : 0
      default: return nil
      }
    }
  }

  // MARK: Expressions

  /// Compiles an expression over numbers; `isTruth`: it may be used as a condition.
  private mutating func action(_ number: Int32, in type: Int32) -> (number: Int32, isTruth: Bool)? {
    let operation = tables.operations[Int(number)]
    func add(_ action: FlatReader.Action) -> Int32 {
      actions.append(action)
      return Int32(actions.count - 1)
    }
    switch operation.code {
    case .constant:
      let value = tables.constants[Int(operation.a)]
      guard let number = value.asInt else { return nil }
      return (add(.init(code: .constant, value: number)), value.kind != .enumeration)
    case .slot:
      let info = tables.types[Int(type)]
      guard operation.a >= 0, operation.a < reading else { return nil }
      let field = tables.fields[Int(info.firstField &+ operation.a)]
      guard field.repetition == .once, field.reader >= 0, case let reader = tables.readers[Int(field.reader)],
        reader.kind == .unsigned || reader.kind == .signed || reader.kind == .bits
      else { return nil }
      return (add(.init(code: .slot, a: operation.a)), reader.enumeration < 0)
    case .member:
      let base = tables.operations[Int(operation.a)]
      switch BuiltIn(rawValue: operation.b) {
      case .size, .pos, .eof:
        guard base.code == .stream, tables.operations[Int(base.a)].code == .this else { return nil }
        let code: FlatReader.Code =
          operation.b == BuiltIn.size.rawValue ? .size : operation.b == BuiltIn.pos.rawValue ? .position : .isAtEnd
        return (add(.init(code: code)), true)
      case .toI:
        guard let inner = action(operation.a, in: type) else { return nil }
        return (inner.number, true)
      default: return nil
      }
    case .not:
      guard let inner = action(operation.a, in: type), inner.isTruth else { return nil }
      return (add(.init(code: .not, a: inner.number)), true)
    case .and, .or:
      guard let left = action(operation.a, in: type), let right = action(operation.b, in: type), left.isTruth, right.isTruth else {
        return nil
      }
      return (add(.init(code: operation.code == .and ? .and : .or, a: left.number, b: right.number)), true)
    case .conditional:
      guard let test = action(operation.a, in: type), test.isTruth, let yes = action(operation.b, in: type),
        let no = action(operation.c, in: type)
      else { return nil }
      return (add(.init(code: .conditional, a: test.number, b: yes.number, c: no.number)), yes.isTruth && no.isTruth)
    default:
      guard let code = Self.binary(operation.code), let left = action(operation.a, in: type), let right = action(operation.b, in: type)
      else { return nil }
      return (add(.init(code: code, a: left.number, b: right.number)), true)
    }
  }

  private static func binary(_ code: OperationCode) -> FlatReader.Code? {
    switch code {
    case .add: .add
    case .subtract: .subtract
    case .multiply: .multiply
    case .bitAnd: .bitAnd
    case .bitOr: .bitOr
    case .bitXor: .bitXor
    case .equal: .equal
    case .notEqual: .notEqual
    case .less: .less
    case .lessOrEqual: .lessOrEqual
    case .greater: .greater
    case .greaterOrEqual: .greaterOrEqual
    default: nil
    }
  }
}
