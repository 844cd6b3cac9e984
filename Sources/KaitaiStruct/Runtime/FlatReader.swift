import Memory

/// Reads a type with a plain sequence in one pass over the bytes, without a tree: suitable for most messages of most protocols.
///
/// The result is that of ``KaitaiTree``, or none: if anything is not plain (bytes that end too early, a missing case), the bytes have to be read by
/// ``KaitaiTree``, which reports the reason. Types that need more than numbers, bits, bytes, text, objects, switches over numbers, `if` and `repeat`
/// over expressions of numbers have no such reader.
@safe public final class FlatReader: @unchecked Sendable {
  /// How a field is read: fields without condition and repetition are read with less work.
  enum Shape: UInt8 {
    /// An integer.
    case whole
    /// Bits.
    case bits
    /// Any other field without condition and repetition.
    case once
    /// With a condition, or several times.
    case other
  }

  /// A field of a sequence.
  struct PlannedField {
    var field: Int32
    /// Operation, or -1.
    var condition: Int32
    var repetition: Repetition
    var repeatExpression: Int32
    /// Index into the elements.
    var element: Int32
    var areBits: Bool
    var shape: Shape
    /// For an inline type: the field represents the object.
    var standsForObject: Bool
    var flags: UInt8
  }

  /// How a value is read.
  struct Element {
    var kind: ReaderKind
    var width: UInt8 = 0
    var isLittle = false
    var isBoolean = false
    var extent = Extent.none
    var enumeration: Int32 = -1
    /// Bytes in place of an object of that size that is not needed.
    var isSkipped = false
    /// An integer of complete bytes, without a size around it.
    var isWhole: Bool { (kind == .unsigned || kind == .signed) && extent == .none }
    /// Number of bytes, or an operation.
    var size: Int32 = 0
    /// The plan of an object.
    var plan: Int32 = -1
    /// Operation of a switch.
    var on: Int32 = -1
    var firstCase: Int32 = 0
    var caseCount: Int32 = 0
    /// Default element, or -1.
    var otherwise: Int32 = -1
  }

  struct Case {
    var key: Int64
    var element: Int32
  }

  /// A type.
  struct Plan {
    var type: Int32
    var firstField: Int32
    var fieldCount: Int32
    var isInline: Bool
    /// Index of the first of ``maxResolved`` + 1 resolutions, one for each size from 0 on; -1 where the size alone does not determine the reader.
    var resolutions: Int32 = -1
    /// For a tag, a length and a value: index into ``targets`` of the first of 256 tags; -1 for any other type.
    var tags: Int32 = -1
  }

  /// The reader of a plan with one field in a window of a known size: conditions and switches over the size are resolved.
  struct Resolution {
    /// Index of an integer element; or one of the numbers below.
    var element: Int32
    /// The field that reads it.
    var field: Int32 = -1
    var flags: UInt8 = 0

    /// The field is absent.
    static let absent: Int32 = -1
    /// It has to be evaluated.
    static let open: Int32 = -2
  }
  /// The largest size in bytes that has a resolution.
  static let maxResolved = 8

  /// A number of a sequence that expressions may use.
  struct Slot {
    enum State: UInt8 { case unread, missing, number, other }
    var value: Int64
    var state: State
  }

  enum Code: UInt8 {
    case constant, slot, size, position, isAtEnd
    case not, and, or, conditional, add, subtract, multiply, bitAnd, bitOr, bitXor
    case equal, notEqual, less, lessOrEqual, greater, greaterOrEqual
  }

  struct Action {
    var code: Code
    var a: Int32 = 0
    var b: Int32 = 0
    var c: Int32 = 0
    var value: Int64 = 0
  }

  let plans: Table<FlatReader.Plan>
  let plannedFields: Table<FlatReader.PlannedField>
  let elements: Table<FlatReader.Element>
  let cases: Table<FlatReader.Case>
  let actions: Table<FlatReader.Action>
  let resolutions: Table<FlatReader.Resolution>
  /// For each tag, the first resolution of its value, or -1 where the size alone does not determine it.
  let targets: Table<Int32>
  private let root: Int32

  /// Properties of types and fields for display.
  public struct Presentation {
    /// A field represents an object of the type.
    public var isInline: (TypeID) -> Bool
    /// The field is hidden.
    public var isHidden: (FieldID) -> Bool
    /// The field is secret.
    public var isSecret: (FieldID) -> Bool
    /// The field needs the tree for display.
    public var needsTree: (FieldID) -> Bool
    /// The type needs the tree for display.
    public var typeNeedsTree: (TypeID) -> Bool

    /// Creates a presentation.
    public init(
      isInline: @escaping (TypeID) -> Bool, isHidden: @escaping (FieldID) -> Bool, isSecret: @escaping (FieldID) -> Bool,
      needsTree: @escaping (FieldID) -> Bool, typeNeedsTree: @escaping (TypeID) -> Bool
    ) {
      self.isInline = isInline
      self.isHidden = isHidden
      self.isSecret = isSecret
      self.needsTree = needsTree
      self.typeNeedsTree = typeNeedsTree
    }
  }

  /// Creates a reader of `type`; nil where it needs a tree. With `only`, objects of the type whose fields are not among these are left out if their
  /// size is known; nil where there is none to leave out.
  public init?(_ program: KaitaiProgram, _ type: TypeID, _ presentation: Presentation, only: Set<FieldID>? = nil) {
    var compiler = FlatCompiler(program.tables, presentation)
    guard let root = compiler.plan(type.rawValue, depth: 0) else { return nil }
    if let only, !compiler.leaveOut(of: root, but: only) { return nil }
    compiler.resolve()
    self.root = root
    plans = Table(compiler.plans)
    plannedFields = Table(compiler.plannedFields)
    elements = Table(compiler.elements)
    cases = Table(compiler.cases)
    actions = Table(compiler.actions)
    resolutions = Table(compiler.resolutions)
    targets = Table(compiler.targets)
  }

  deinit {
    plans.deallocate()
    plannedFields.deallocate()
    elements.deallocate()
    cases.deallocate()
    actions.deallocate()
    resolutions.deallocate()
    targets.deallocate()
  }

  /// Number of fields it reads, each counted once.
  package var fieldCount: Int { plannedFields.count }

  /// The result of a reading.
  public enum Reading: Sendable {
    /// All bytes were read.
    case whole
    /// The bytes end in a field of the type itself; fields before it were read. The failure is the same as that of
    /// ``KaitaiTree/parse(_:_:environment:arguments:)-(_,BorrowedBytes,_,_)``.
    case short(Failure)
    /// The bytes have to be read by ``KaitaiTree``; the record is empty.
    case unfit
  }

  /// Reads `bytes` into `record`.
  public func read(_ bytes: BorrowedBytes, into record: inout FieldRecord) -> Reading {
    record.count = 0
    guard bytes.count <= Int(Int32.max) else { return .unfit }
    var run = unsafe FlatRun(
      plans: plans, plannedFields: plannedFields, elements: elements, cases: cases, actions: actions, resolutions: resolutions,
      targets: targets,
      input: bytes.start, events: record.events, slots: record.slots, maxSteps: fieldCount &+ 1024 &+ 64 &* bytes.count)
    var stream = Stream(start: 0, size: bytes.count, position: 0, isProduced: false, bitsLeft: 0, bitsAreLittle: false)
    let isRead = run.sequence(
      plans.entry(Int(root)), &stream, FlatRun.RecordContext(field: -1, flags: 0, isRecorded: true), isInline: false)
    // Memory that grew belongs to the record from now on.
    record.events = run.events
    record.slots = run.slots
    record.usedSteps = run.usedSteps &+ run.count
    record.count = isRead || run.failure != nil ? run.count : 0
    return isRead ? .whole : run.failure.map { .short($0) } ?? .unfit
  }
}

/// One reading of a ``FlatReader``.
@safe struct FlatRun {
  /// The name under which a value is recorded.
  struct RecordContext {
    var field: Int32
    var flags: UInt8
    var isRecorded: Bool
  }

  let plans: Table<FlatReader.Plan>
  let plannedFields: Table<FlatReader.PlannedField>
  let elements: Table<FlatReader.Element>
  let cases: Table<FlatReader.Case>
  let actions: Table<FlatReader.Action>
  let resolutions: Table<FlatReader.Resolution>
  let targets: Table<Int32>
  let input: UnsafeRawPointer
  var events: GrowingTable<FieldEvent>
  var count = 0
  var slots: GrowingTable<FlatReader.Slot>
  var slotCount = 0
  /// Fields of the sequences that were started, counted each time they are read, and operations; and their bound: nested types without bytes multiply.
  private(set) var usedSteps = 0
  private let maxSteps: Int
  /// An expression used a value that is no number.
  var isBroken = false
  /// Number of bytes needed and available for the last value, if these were too few.
  private var lack: (needed: Int, available: Int)?
  /// Location and reason if the type itself ends early.
  private(set) var failure: Failure?

  init(
    plans: Table<FlatReader.Plan>, plannedFields: Table<FlatReader.PlannedField>, elements: Table<FlatReader.Element>,
    cases: Table<FlatReader.Case>, actions: Table<FlatReader.Action>, resolutions: Table<FlatReader.Resolution>,
    targets: Table<Int32>, input: UnsafeRawPointer, events: GrowingTable<FieldEvent>, slots: GrowingTable<FlatReader.Slot>,
    maxSteps: Int
  ) {
    self.plans = plans
    self.plannedFields = plannedFields
    self.elements = elements
    self.cases = cases
    self.actions = actions
    self.resolutions = resolutions
    self.targets = targets
    unsafe self.input = unsafe input
    self.events = events
    self.slots = slots
    self.maxSteps = maxSteps
  }

  /// Keeps the failure of a field of the outermost type, if the bytes end in it.
  @inline(never)
  private mutating func note(_ field: Int32, _ kind: ReaderKind, _ base: Int, _ stream: Stream) -> Bool {
    // Within objects and arrays, the failure needs more than the field; the tree provides it.
    guard base == 0, let lack, kind != .object, kind != .switched else { return false }
    var short = Failure(.endOfStream, needed: Int64(lack.needed), available: Int64(lack.available))
    short.field = FieldID(rawValue: field)
    short.object = NodeID(rawValue: 0)
    short.offset = stream.start &+ stream.position
    failure = short
    return false
  }

  // MARK: Memory

  @inline(__always)
  private mutating func append(_ event: FieldEvent) -> Bool {
    if count == events.capacity, !growEvents() { return false }
    events[count] = event
    count &+= 1
    return true
  }

  @inline(never)
  private mutating func growEvents() -> Bool {
    guard events.capacity < FieldRecord.maxEvents else { return false }
    events.grow(to: events.capacity * 2, FieldRecord.noEvent)
    return true
  }

  @inline(never)
  private mutating func growSlots(_ needed: Int) -> Bool {
    guard needed <= FieldRecord.maxSlots else { return false }
    slots.grow(to: max(slots.capacity * 2, needed), FieldRecord.noSlot)
    return true
  }

  @inline(__always)
  private mutating func append(
    _ kind: FieldEvent.Kind, _ bits: UInt64, _ start: Int, _ end: Int, _ source: Int32, _ type: Int32, _ context: RecordContext,
    flags: UInt8 = 0,
    startBit: UInt8 = 0, endBit: UInt8 = 0
  ) -> Bool {
    append(
      FieldEvent(
        bits: bits, start: UInt32(truncatingIfNeeded: start), end: UInt32(truncatingIfNeeded: end), fieldNumber: context.field,
        sourceNumber: source, type: type, next: 0, kind: kind, flags: context.flags | flags, startBit: startBit, endBit: endBit))
  }

  // MARK: Sequences

  mutating func sequence(
    _ plan: Table<FlatReader.Plan>.Entry, _ stream: inout Stream, _ context: RecordContext, isInline: Bool
  ) -> Bool {
    let base = slotCount
    let fieldCount = Int(plan.pointee.fieldCount)
    usedSteps &+= fieldCount
    if usedSteps > maxSteps { return false }
    if base &+ fieldCount > slots.capacity, !growSlots(base &+ fieldCount) { return false }
    slotCount = base &+ fieldCount
    var wereBits = false
    var index = 0
    while index < fieldCount {
      let planned = self.plannedFields.entry(Int(plan.pointee.firstField) &+ index)
      let shape = planned.pointee.shape
      if shape == .whole {
        wereBits = false
        guard
          whole(
            elements.entry(Int(planned.pointee.element)), planned.pointee.field, &stream, base &+ index, within(context, planned, isInline))
        else { return note(planned.pointee.field, .unsigned, base, stream) }
        index &+= 1
        continue
      }
      if shape == .bits {
        wereBits = true
        index = bitFields(plan, index, fieldCount, &stream, base, context, isInline)
        guard index < fieldCount, case let next = self.plannedFields.entry(Int(plan.pointee.firstField) &+ index),
          next.pointee.shape == .bits
        else {
          continue
        }
        return note(next.pointee.field, .bits, base, stream)
      }
      slots[base &+ index] = FlatReader.Slot(value: 0, state: .other)
      if wereBits, !planned.pointee.areBits { stream.bitsLeft = 0 }
      wereBits = planned.pointee.areBits
      if planned.pointee.condition >= 0 {
        let holds = evaluate(planned.pointee.condition, base, stream)
        if isBroken { return false }
        if holds == 0 {
          slots[base &+ index].state = .missing
          index &+= 1
          continue
        }
      }
      let inner = within(context, planned, isInline)
      if planned.pointee.repetition == .once {
        guard element(planned.pointee.element, planned.pointee.field, &stream, base, index, inner) else {
          let element = elements.entry(Int(planned.pointee.element))
          return note(planned.pointee.field, element.pointee.isSkipped ? .object : element.pointee.kind, base, stream)
        }
      } else {
        guard array(planned, &stream, base, inner) else { return false }
      }
      index &+= 1
    }
    slotCount = base
    return true
  }

  /// Reads the consecutive bit fields from `start` on. Returns the index after the last that could be read.
  private mutating func bitFields(
    _ plan: Table<FlatReader.Plan>.Entry, _ start: Int, _ end: Int, _ stream: inout Stream, _ base: Int, _ context: RecordContext,
    _ isInline: Bool
  ) -> Int {
    var index = start
    while index < end {
      let planned = plannedFields.entry(Int(plan.pointee.firstField) &+ index)
      guard planned.pointee.shape == .bits else { break }
      slots[base &+ index] = FlatReader.Slot(value: 0, state: .other)
      guard
        bits(elements.entry(Int(planned.pointee.element)), planned.pointee.field, &stream, base, index, within(context, planned, isInline))
      else { break }
      index &+= 1
    }
    return index
  }

  /// The name under which a field of a sequence is recorded; for an inline type that of the object, which a single field represents.
  @inline(__always)
  private func within(_ context: RecordContext, _ planned: Table<FlatReader.PlannedField>.Entry, _ isInline: Bool) -> RecordContext {
    guard isInline else { return RecordContext(field: planned.pointee.field, flags: planned.pointee.flags, isRecorded: context.isRecorded) }
    var inner = context
    inner.flags |= planned.pointee.flags & FieldEvent.secret
    inner.isRecorded = context.isRecorded && planned.pointee.standsForObject
    return inner
  }

  private mutating func array(
    _ planned: Table<FlatReader.PlannedField>.Entry, _ stream: inout Stream, _ base: Int, _ context: RecordContext
  ) -> Bool {
    var wanted = Int64.max
    if planned.pointee.repetition == .count {
      wanted = evaluate(planned.pointee.repeatExpression, base, stream)
      if isBroken { return false }
    }
    let start = stream.start &+ stream.position
    let begin = count
    if context.isRecorded, !append(.array, 0, start, start, planned.pointee.field, -1, context) { return false }
    var element = context
    element.flags |= FieldEvent.element
    var taken: Int64 = 0
    let reader = elements.entry(Int(planned.pointee.element))
    if planned.pointee.repetition == .endOfStream, reader.pointee.isWhole {
      while stream.position < stream.size || stream.bitsLeft > 0 {
        guard whole(reader, planned.pointee.field, &stream, -1, element) else { return false }
        taken &+= 1
      }
      wanted = taken
    }
    let isObject = reader.pointee.kind == .object && reader.pointee.extent == .none && context.isRecorded
    let plan = plans.entry(isObject ? Int(reader.pointee.plan) : 0)
    while taken < wanted {
      if isObject, plan.pointee.tags >= 0 {
        taken &+= tagged(plan, planned.pointee.field, element, &stream, wanted &- taken)
        if taken >= wanted { break }
      }
      let position = stream.position
      let bitsLeft = stream.bitsLeft
      if planned.pointee.repetition == .endOfStream, position >= stream.size, bitsLeft == 0 { break }
      if isObject, !plan.pointee.isInline {
        // The elements of most arrays: the code of ``element(_:_:_:_:_:_:)`` and ``object(_:_:_:_:_:)``, without calls.
        let first = count
        let offset = stream.start &+ position
        guard append(.object, 0, offset, offset, planned.pointee.field, plan.pointee.type, element),
          sequence(plan, &stream, element, isInline: false)
        else { return false }
        events[first].end = UInt32(truncatingIfNeeded: stream.start &+ stream.position)
        guard close(first, isArray: false) else { return false }
      } else {
        guard self.element(planned.pointee.element, planned.pointee.field, &stream, base, -1, element) else { return false }
      }
      // Elements without bytes need the tree: it has a limit, or reports that there is no progress.
      if stream.position == position, stream.bitsLeft == bitsLeft { return false }
      taken &+= 1
    }
    if context.isRecorded {
      events[begin].bits = UInt64(truncatingIfNeeded: taken)
      events[begin].end = UInt32(truncatingIfNeeded: stream.start &+ stream.position)
      return close(begin, isArray: true)
    }
    return true
  }

  /// Reads elements of a tag, a length and a value, where tag and length have one byte and the value is a number, in one loop. Stops at the first
  /// other element, and returns the number of elements read.
  private mutating func tagged(
    _ plan: Table<FlatReader.Plan>.Entry, _ field: Int32, _ context: RecordContext, _ stream: inout Stream, _ limit: Int64
  ) -> Int64 {
    let first = Int(plan.pointee.firstField)
    let (tagField, lengthField, valueField) = (plannedFields.entry(first), plannedFields.entry(first &+ 1), plannedFields.entry(first &+ 2))
    let tagType = elements[Int(tagField.pointee.element)].enumeration
    let lengthType = elements[Int(lengthField.pointee.element)].enumeration
    let base = Int(plan.pointee.tags)
    let end = stream.start &+ stream.size
    var at = stream.start &+ stream.position
    var taken: Int64 = 0
    while taken < limit, end &- at >= 2 {
      let tag = unsafe input.load(fromByteOffset: at, as: UInt8.self)
      let length = unsafe Int(input.load(fromByteOffset: at &+ 1, as: UInt8.self))
      let target = Int(targets[base &+ Int(tag)])
      guard target >= 0, length <= FlatReader.maxResolved, length <= end &- at &- 2 else { break }
      let resolution = resolutions.entry(target &+ length)
      guard resolution.pointee.element >= 0 else { break }
      let reader = elements.entry(Int(resolution.pointee.element))
      let width = Int(reader.pointee.width)
      var bits = unsafe Stream.load(input + (at &+ 2), reader.pointee.width, isLittle: reader.pointee.isLittle)
      if reader.pointee.kind == .signed {
        let shift = UInt64(64 &- width &* 8)
        bits = UInt64(bitPattern: Int64(bitPattern: bits &<< shift) &>> Int64(shift))
      } else if bits >> 63 != 0 {
        break
      }
      if count &+ 5 > events.capacity { guard growEvents(), count &+ 5 <= events.capacity else { break } }
      let next = at &+ 2 &+ length
      events[count] = .object(at, next, context, field, plan.pointee.type, next: count &+ 5)
      events[count &+ 1] = .number(
        UInt64(tag), at, at &+ 1, tagField.pointee.field, tagField.pointee.field, tagType, tagField.pointee.flags)
      events[count &+ 2] = .number(
        UInt64(length), at &+ 1, at &+ 2, lengthField.pointee.field, lengthField.pointee.field, lengthType, lengthField.pointee.flags)
      events[count &+ 3] = .number(
        bits, at &+ 2, at &+ 2 &+ width, valueField.pointee.field, resolution.pointee.field, reader.pointee.enumeration,
        valueField.pointee.flags | resolution.pointee.flags)
      events[count &+ 4] = .end(context.field)
      count &+= 5
      at = next
      taken &+= 1
    }
    if taken > 0 {
      stream.position = at &- stream.start
      stream.bitsLeft = 0
    }
    return taken
  }

  @inline(__always)
  private mutating func close(_ begin: Int, isArray: Bool) -> Bool {
    let field = events[begin].fieldNumber
    guard append(.end, isArray ? 1 : 0, 0, 0, field, -1, RecordContext(field: field, flags: 0, isRecorded: true)) else { return false }
    events[begin].next = Int32(truncatingIfNeeded: count)
    return true
  }

  // MARK: Elements

  private mutating func element(
    _ number: Int32, _ field: Int32, _ stream: inout Stream, _ base: Int, _ slot: Int, _ context: RecordContext
  ) -> Bool {
    let reader = elements.entry(Int(number))
    switch reader.pointee.kind {
    case .unsigned, .signed, .float, .bits:
      if reader.pointee.extent == .none { return self.number(reader, field, &stream, base, slot, context) }
      // A case of a switch with a size: the number is at the start of these bytes.
      guard let size = window(reader, &stream, base) else { return false }
      var inner = Stream(
        start: stream.start &+ stream.position &- size, size: size, position: 0, isProduced: false, bitsLeft: 0, bitsAreLittle: false)
      return self.number(reader, field, &inner, base, slot, context)
    case .bytes, .string:
      let start = stream.start &+ stream.position
      guard let size = window(reader, &stream, base) else { return false }
      guard context.isRecorded, !reader.pointee.isSkipped else { return true }
      return append(
        reader.pointee.kind == .string ? .string : .bytes, UInt64(truncatingIfNeeded: start) | UInt64(truncatingIfNeeded: size) << 32,
        start,
        start &+ size, field, -1, context)
    case .switched:
      let key = evaluate(reader.pointee.on, base, stream)
      if isBroken { return false }
      let target = choose(reader, key)
      if target >= 0 { return element(target, field, &stream, base, slot, context) }
      guard slot >= 0 else { return false }
      slots[base &+ slot].state = .missing
      return true
    case .object: return object(reader, field, &stream, base, context)
    case .none: return false
    }
  }

  @inline(__always)
  private func choose(_ reader: Table<FlatReader.Element>.Entry, _ key: Int64) -> Int32 {
    var low = Int(reader.pointee.firstCase)
    let end = low &+ Int(reader.pointee.caseCount)
    guard low < end else { return reader.pointee.otherwise }
    // Consecutive keys, which most switches have when their gaps are filled, are found directly.
    let distance = UInt64(bitPattern: key &- cases[low].key)
    if distance < UInt64(end &- low) {
      let switchCase = cases.entry(low &+ Int(distance))
      if switchCase.pointee.key == key { return switchCase.pointee.element }
    }
    var high = end
    while low < high {
      let middle = (low &+ high) >> 1
      if cases[middle].key < key { low = middle &+ 1 } else { high = middle }
    }
    return low < end && cases[low].key == key ? cases[low].element : reader.pointee.otherwise
  }

  /// Takes the bytes of an element's size; returns their number.
  @inline(__always)
  private mutating func window(_ reader: Table<FlatReader.Element>.Entry, _ stream: inout Stream, _ base: Int) -> Int? {
    stream.bitsLeft = 0
    let left = stream.size &- stream.position
    var size = left
    switch reader.pointee.extent {
    case .constant: size = Int(reader.pointee.size)
    case .expression:
      let wanted = evaluate(reader.pointee.size, base, stream)
      guard !isBroken, wanted >= 0 else { return nil }
      size = Int(wanted)
    default: break
    }
    guard size >= 0, size <= left else {
      lack = (size, max(left, 0))
      return nil
    }
    stream.position = stream.position &+ size
    return size
  }

  private mutating func object(
    _ reader: Table<FlatReader.Element>.Entry, _ field: Int32, _ stream: inout Stream, _ base: Int, _ context: RecordContext
  ) -> Bool {
    let plan = plans.entry(Int(reader.pointee.plan))
    let isInline = plan.pointee.isInline
    var start = stream.start &+ stream.position
    let begin = count
    if context.isRecorded, !isInline, !append(.object, 0, start, start, field, plan.pointee.type, context) { return false }
    if reader.pointee.extent == .none {
      guard inside(plan, &stream, context) else { return false }
    } else {
      guard let size = window(reader, &stream, base) else { return false }
      start = stream.start &+ stream.position &- size
      if size <= FlatReader.maxResolved, plan.pointee.resolutions >= 0 {
        let resolution = resolutions.entry(Int(plan.pointee.resolutions) &+ size)
        if resolution.pointee.element >= 0 { return resolved(resolution, start, size, context) }
        if resolution.pointee.element == FlatReader.Resolution.absent {
          return !context.isRecorded || append(.absent, 0, start, start &+ size, field, -1, context)
        }
      }
      var inner = Stream(start: start, size: size, position: 0, isProduced: false, bitsLeft: 0, bitsAreLittle: false)
      guard inside(plan, &inner, context) else { return false }
    }
    guard context.isRecorded else { return true }
    let end = stream.start &+ stream.position
    if isInline { return count > begin || append(.absent, 0, start, end, field, -1, context) }
    events[begin].end = UInt32(truncatingIfNeeded: end)
    return close(begin, isArray: false)
  }

  /// Reads the integer of an object that was resolved to one field.
  @inline(__always)
  private mutating func resolved(
    _ resolution: Table<FlatReader.Resolution>.Entry, _ start: Int, _ size: Int, _ context: RecordContext
  ) -> Bool {
    var inner = Stream(start: start, size: size, position: 0, isProduced: false, bitsLeft: 0, bitsAreLittle: false)
    var nested = context
    nested.flags |= resolution.pointee.flags
    return whole(elements.entry(Int(resolution.pointee.element)), resolution.pointee.field, &inner, -1, nested)
  }

  /// Reads the contents of an object; an object of an inline type with a single field is read as that field.
  @inline(__always)
  private mutating func inside(_ plan: Table<FlatReader.Plan>.Entry, _ stream: inout Stream, _ context: RecordContext) -> Bool {
    let planned = plannedFields.entry(Int(plan.pointee.firstField))
    guard plan.pointee.isInline, plan.pointee.fieldCount == 1, planned.pointee.repetition == .once else {
      return sequence(plan, &stream, context, isInline: plan.pointee.isInline)
    }
    if planned.pointee.condition >= 0 {
      let holds = evaluate(planned.pointee.condition, slotCount, stream)
      if isBroken { return false }
      if holds == 0 { return true }
    }
    var nested = context
    nested.flags |= planned.pointee.flags & FieldEvent.secret
    nested.isRecorded = context.isRecorded && planned.pointee.standsForObject
    return element(planned.pointee.element, planned.pointee.field, &stream, slotCount, -1, nested)
  }

  // MARK: Numbers

  private mutating func number(
    _ reader: Table<FlatReader.Element>.Entry, _ field: Int32, _ stream: inout Stream, _ base: Int, _ slot: Int, _ context: RecordContext
  ) -> Bool {
    switch reader.pointee.kind {
    case .bits: return bits(reader, field, &stream, base, slot, context)
    case .float: return float(reader, field, &stream, context)
    default: return whole(reader, field, &stream, slot >= 0 ? base &+ slot : -1, context)
    }
  }

  /// Takes the bytes of a number; nil where there are too few.
  @inline(__always)
  private mutating func load(_ reader: Table<FlatReader.Element>.Entry, _ stream: inout Stream) -> UInt64? {
    stream.bitsLeft = 0
    let width = Int(reader.pointee.width)
    let position = stream.position
    guard width <= stream.size &- position else {
      lack = (width, max(stream.size &- position, 0))
      return nil
    }
    stream.position = position &+ width
    return unsafe Stream.load(input + (stream.start &+ position), reader.pointee.width, isLittle: reader.pointee.isLittle)
  }

  /// Reads an integer, and stores it in a slot, unless that is -1.
  @inline(__always)
  private mutating func whole(
    _ reader: Table<FlatReader.Element>.Entry, _ field: Int32, _ stream: inout Stream, _ slot: Int, _ context: RecordContext
  ) -> Bool {
    let width = Int(reader.pointee.width)
    guard var bits = load(reader, &stream) else { return false }
    let start = stream.start &+ stream.position &- width
    if reader.pointee.kind == .signed {
      let shift = UInt64(64 &- width &* 8)
      bits = UInt64(bitPattern: Int64(bitPattern: bits &<< shift) &>> Int64(shift))
    } else if bits >> 63 != 0 {
      // Beyond the range of numbers in expressions.
      if slot >= 0 { slots[slot] = FlatReader.Slot(value: 0, state: .other) }
      return reader.pointee.enumeration < 0 && (!context.isRecorded || append(.uint, bits, start, start &+ width, field, -1, context))
    }
    if slot >= 0 { slots[slot] = FlatReader.Slot(value: Int64(bitPattern: bits), state: .number) }
    guard context.isRecorded else { return true }
    let enumeration = reader.pointee.enumeration
    return append(enumeration >= 0 ? .enumeration : .int, bits, start, start &+ width, field, enumeration, context)
  }

  private mutating func float(
    _ reader: Table<FlatReader.Element>.Entry, _ field: Int32, _ stream: inout Stream, _ context: RecordContext
  ) -> Bool {
    let width = Int(reader.pointee.width)
    guard let bits = load(reader, &stream) else { return false }
    let start = stream.start &+ stream.position &- width
    let value = Stream.float(bits, UInt8(width))
    return !context.isRecorded
      || append(.float, value.bitPattern, start, start &+ width, field, -1, context, flags: width < 8 ? FieldEvent.single : 0)
  }

  /// Reads a bit field.
  @inline(__always)
  private mutating func bits(
    _ reader: Table<FlatReader.Element>.Entry, _ field: Int32, _ stream: inout Stream, _ base: Int, _ slot: Int, _ context: RecordContext
  ) -> Bool {
    let taken = unsafe stream.takeBits(Int(reader.pointee.width), isLittle: reader.pointee.isLittle, of: input + stream.start)
    if taken.lack > 0 {
      lack = (taken.lack, max(stream.size &- stream.position, 0))
      return false
    }
    if taken.bits >> 63 != 0 { return false }
    if slot >= 0 { slots[base &+ slot] = FlatReader.Slot(value: Int64(bitPattern: taken.bits), state: .number) }
    guard context.isRecorded else { return true }
    let enumeration = reader.pointee.enumeration
    return append(
      enumeration >= 0 ? .enumeration : reader.pointee.isBoolean ? .bool : .int, taken.bits, stream.start &+ taken.first,
      stream.start &+ stream.position, field, enumeration, context, startBit: taken.startBit, endBit: taken.endBit)
  }

  // MARK: Expressions

  /// The number that an expression results in; sets ``isBroken`` where there is none. The depth is that of the profile's expression, which is
  /// bounded.
  @inline(__always)
  private mutating func evaluate(_ number: Int32, _ base: Int, _ stream: Stream) -> Int64 {
    quick(number, base, stream) ?? compute(number, base, stream)
  }

  /// The number, if no call is needed: this applies to most operands.
  @inline(__always)
  private func quick(_ number: Int32, _ base: Int, _ stream: Stream) -> Int64? {
    let action = actions.entry(Int(number))
    switch action.pointee.code {
    case .constant: return action.pointee.value
    case .size: return Int64(stream.size)
    case .slot:
      let slot = slots[base &+ Int(action.pointee.a)]
      return slot.state == .number ? slot.value : nil
    default: return nil
    }
  }

  private mutating func compute(_ number: Int32, _ base: Int, _ stream: Stream) -> Int64 {
    usedSteps &+= 1
    let action = actions.entry(Int(number))
    let (a, b) = (action.pointee.a, action.pointee.b)
    switch action.pointee.code {
    case .constant: return action.pointee.value
    case .slot:
      let slot = slots[base &+ Int(a)]
      if slot.state != .number { isBroken = true }
      return slot.value
    case .size: return Int64(stream.size)
    case .position: return Int64(stream.position)
    case .isAtEnd: return stream.position >= stream.size && stream.bitsLeft == 0 ? 1 : 0
    case .not: return evaluate(a, base, stream) == 0 ? 1 : 0
    case .and: return evaluate(a, base, stream) == 0 ? 0 : evaluate(b, base, stream) == 0 ? 0 : 1
    case .or: return evaluate(a, base, stream) != 0 ? 1 : evaluate(b, base, stream) == 0 ? 0 : 1
    case .conditional: return evaluate(evaluate(a, base, stream) != 0 ? b : action.pointee.c, base, stream)
    default:
      let left = evaluate(a, base, stream)
      let right = evaluate(b, base, stream)
      switch action.pointee.code {
      case .equal: return left == right ? 1 : 0
      case .notEqual: return left != right ? 1 : 0
      case .less: return left < right ? 1 : 0
      case .lessOrEqual: return left <= right ? 1 : 0
      case .greater: return left > right ? 1 : 0
      case .greaterOrEqual: return left >= right ? 1 : 0
      case .bitAnd: return left & right
      case .bitOr: return left | right
      case .bitXor: return left ^ right
      case .add: return checked(left.addingReportingOverflow(right))
      case .subtract: return checked(left.subtractingReportingOverflow(right))
      default: return checked(left.multipliedReportingOverflow(by: right))
      }
    }
  }

  @inline(__always)
  private mutating func checked(_ result: (partialValue: Int64, overflow: Bool)) -> Int64 {
    if result.overflow { isBroken = true }
    return result.partialValue
  }
}

extension FieldEvent {
  /// The start of an object.
  @inline(__always)
  fileprivate static func object(
    _ start: Int, _ end: Int, _ context: FlatRun.RecordContext, _ source: Int32, _ type: Int32, next: Int
  ) -> FieldEvent {
    FieldEvent(
      bits: 0, start: UInt32(truncatingIfNeeded: start), end: UInt32(truncatingIfNeeded: end), fieldNumber: context.field,
      sourceNumber: source, type: type, next: Int32(truncatingIfNeeded: next), kind: .object, flags: context.flags, startBit: 0, endBit: 0)
  }

  /// An integer, of an enum unless that is -1.
  @inline(__always)
  fileprivate static func number(
    _ bits: UInt64, _ start: Int, _ end: Int, _ field: Int32, _ source: Int32, _ type: Int32, _ flags: UInt8
  ) -> FieldEvent {
    FieldEvent(
      bits: bits, start: UInt32(truncatingIfNeeded: start), end: UInt32(truncatingIfNeeded: end), fieldNumber: field, sourceNumber: source,
      type: type, next: 0, kind: type >= 0 ? .enumeration : .int, flags: flags, startBit: 0, endBit: 0)
  }

  /// The end of an object.
  @inline(__always)
  fileprivate static func end(_ field: Int32) -> FieldEvent {
    FieldEvent(
      bits: 0, start: 0, end: 0, fieldNumber: field, sourceNumber: field, type: -1, next: 0, kind: .end, flags: 0, startBit: 0, endBit: 0)
  }
}
