import Memory
import PacketCodecs

/// Writes types from field values: the inverse of parsing, for the fields of `seq`.
///
/// Values that follow from others need not be given: `contents`, `valid: eq`, a field that is the size or count of another, and fields of an instance
/// that is given instead (`length: 5` where `length` is computed from fields). Not thread-safe.
@safe public final class Writer {
  let program: KaitaiProgram
  let tree: KaitaiTree
  let machine: MachineReference
  private(set) var output: [UInt8] = []
  /// Unused bits of the last byte.
  private var freeBits = 0
  private var bitsAreLittle = false
  var path: [String] = []

  /// An object that is being written.
  private struct Frame {
    var object: Int32
    var base: Int
    var given: [String: FieldTree]
    var stream: Int
    /// The current field.
    var slot: Int32
    /// Fields that were written ahead, because an earlier field is their size.
    var written: [Int32: [UInt8]] = [:]
    var path: Int
  }

  private var frames: [Frame] = []

  /// Placeholder for the size of a stream whose end is unknown while it is written.
  static let openSize = Int(Int32.max)

  /// Changes the given value of an object before it is written, by its type: for values whose display differs from the stored form. The path of
  /// errors that it throws starts at the object.
  public var adapt: ((TypeID, FieldTree) throws(WriteError) -> FieldTree)?
  /// Returns a value for a field that is neither given nor follows from others; nil where it has to be given.
  public var missing: ((FieldID) -> FieldTree?)?
  /// The expression that a field's number is multiplied with for display; a given value is divided by it. Nil for most fields.
  public var factor: ((FieldID) -> ExpressionID?)?
  /// The expression that is added to a field's number for display; it is subtracted from a given value. Nil for most fields.
  public var shift: ((FieldID) -> ExpressionID?)?
  /// Converts a number, after subtracting ``shift``, to the stored value if its factor is no expression.
  public var unscaled: ((FieldID, Double) -> Double)?
  /// Whether a field is hidden from users: it is written as 0 if it does not follow from others.
  public var isHidden: ((FieldID) -> Bool)?
  /// Whether a field whose case is an object of the second type has to be given: if omitted, it would be an object without bytes.
  public var needsValue: ((FieldID, TypeID) -> Bool)?
  /// The computed values that are given for an object of a type, in stored form: they are compared when the bytes are read back.
  public var instances: ((TypeID, FieldTree) -> [(field: FieldID, value: FieldTree)])?
  /// The given computed values of the last write: the names and indices of the path to their object, and their field.
  public private(set) var claims: [(path: [String], field: FieldID, value: FieldTree)] = []
  /// Most claims that are kept.
  private static let maxClaims = 65536
  /// The external name for the written bytes: they are known only when everything is written.
  public var wholeName: ExternalID?
  /// Whether ``wholeName`` has the bytes that an earlier round wrote, so that expressions over it can be evaluated.
  public var isWholeKnown = false
  /// Number of open hidden fields.
  private var hiddenDepth = 0
  /// Whether the last failure was a number that does not fit into its field.
  private var isTooWide = false
  /// A condition on the outermost object: an operation, and its required result.
  private var demand: (operation: Int32, value: KaitaiValue)?
  /// Number of conditions that are being tried both ways: a failure then only excludes one way.
  var trials = 0
  /// Indices of slots that were filled while an expression was inverted, in order, so that they can be cleared again.
  var assigned: [Int] = []

  /// Makes a writer for types of `program`.
  public init(_ program: KaitaiProgram, limits: Limits = .message) {
    self.program = program
    tree = KaitaiTree(program, limits: limits)
    machine = tree.machine
    machine.pointee.isWriting = true
  }

  /// The bytes of `type` with these fields. Throws ``WriteError`` with the field that is missing, unknown or does not fit.
  public func write(_ type: TypeID, _ value: FieldTree, environment: KaitaiEnvironment? = nil) throws(WriteError) -> [UInt8] {
    machine.pointee.reset()
    unsafe machine.pointee.environment = unsafe environment?.storage
    output.removeAll(keepingCapacity: true)
    freeBits = 0
    path = []
    frames = []
    hiddenDepth = 0
    assigned = []
    claims = []
    trials = 0
    let stream = try guarded { machine throws(Stop) in
      try machine.append(
        Stream(start: 0, size: Self.openSize, position: 0, isProduced: true, bitsLeft: 0, bitsAreLittle: false))
    }
    writtenRoot = nil
    let root = try object(
      type.rawValue, value, Destination(object: -1, stream: stream, container: -1, field: -1, slot: -1), nil, parent: -1)
    writtenRoot = NodeID(rawValue: root)
    return output
  }

  /// The stored values of the last write, in the form in which ``KaitaiTree/fieldTree(of:)`` returns those that are read: to check the meaning of the
  /// bytes. Nil where nothing was written.
  public var written: FieldTree? { writtenRoot.map { tree.fieldTree(of: $0) } }
  private var writtenRoot: NodeID?

  /// The bytes of a header with one of its numbers changed so that an expression over it results in `target`; nil where no value does.
  ///
  /// `bytes` begin with the unchanged header. All its other fields are kept.
  public func adjusted(
    _ type: TypeID, _ bytes: [UInt8], so expression: ExpressionID, gives target: Int, environment: KaitaiEnvironment
  ) -> [UInt8]? {
    let reading = KaitaiTree(program, limits: .message)
    func value(_ bytes: [UInt8]) -> (size: Int, stored: Int64?)? {
      guard reading.parse(type, bytes.rawSpan, environment: environment) == nil else { return nil }
      return (Int(reading.node(reading.root).end), (try? reading.evaluate(expression, at: reading.root))?.asInt)
    }
    guard let size = value(bytes)?.size else { return nil }
    var given: [String: FieldTree] = [:]
    let fields = program.fields(of: type).filter { !program.isInstance($0) && !program.isParameter($0) }
    for field in fields {
      guard let node = reading.node(field, of: reading.root) else { continue }
      if let number = reading.int(node) {
        given[program.name(of: field)] = .int(number)
      } else if reading.node(node).kind == .bytes {
        given[program.name(of: field)] = reading.withBytes(node) { .bytes(Array($0)) }
      } else {
        return nil
      }
    }
    for field in fields.reversed() {
      var rest = given
      guard rest.removeValue(forKey: program.name(of: field)) != nil else { continue }
      demand = (expression.rawValue, .int(Int64(target)))
      let outer = (adapt, missing)
      (adapt, missing) = (nil, nil)
      defer { (demand, adapt, missing) = (nil, outer.0, outer.1) }
      guard let header = try? write(type, .object(rest.map { ($0.key, $0.value) }), environment: environment), header.count == size,
        value(header)?.stored == Int64(target)
      else { continue }
      return header
    }
    return nil
  }

  // MARK: Errors

  func wrong(_ message: String) -> WriteError { WriteError(path: path.map { "/" + $0 }.joined(), message: message) }

  /// Runs code that can stop, and converts the failure to an error.
  func guarded<R>(_ body: (inout Machine) throws(Stop) -> R) throws(WriteError) -> R {
    do throws(Stop) { return try body(&machine.pointee) } catch {
      let failure = machine.pointee.failure
      if failure.kind == .absent { throw wrong("a value is needed here that is not given") }
      throw wrong(failure.message)
    }
  }

  /// The value of an expression, or nil where it depends on unknown values.
  func attempt(_ operation: Int32, _ object: Int32) -> KaitaiValue? {
    do throws(Stop) { return try machine.pointee.evaluate(operation, object) } catch {
      forgetFailures(object)
      return nil
    }
  }

  /// Resets instances that failed because a field was unknown, so that they are evaluated again.
  private func forgetFailures(_ object: Int32) {
    var next = object
    while next >= 0 {
      let node = machine.pointee.nodes[Int(next)]
      for slot in 0..<Int(machine.pointee.tables.types[Int(node.type)].fieldCount)
      where machine.pointee.slots[node.slotBase + slot] <= Machine.firstFailure {
        machine.pointee.slots[node.slotBase + slot] = Machine.unread
      }
      next = machine.pointee.parentNumber(of: next)
    }
    machine.pointee.evaluationDepth = 0
  }

  /// Resets the computed instances of an object, and of its outer objects, so that they are evaluated again.
  func forgetInstances(of object: Int32) {
    var next = object
    while next >= 0 {
      let node = machine.pointee.nodes[Int(next)]
      let info = machine.pointee.tables.types[Int(node.type)]
      for slot in Int(info.parameterCount + info.sequenceCount)..<Int(info.fieldCount) {
        machine.pointee.slots[node.slotBase + slot] = Machine.unread
      }
      next = machine.pointee.parentNumber(of: next)
    }
  }

  /// The value of an expression, or nil where it depends on data that are read from outside of the sequence, which are not written here.
  func known(_ operation: Int32, _ object: Int32) throws(WriteError) -> KaitaiValue? {
    if let value = attempt(operation, object) { return value }
    if machine.pointee.failure.kind == .writing { return nil }
    return try guarded { machine throws(Stop) in try machine.evaluate(operation, object) }
  }

  // MARK: Objects

  /// The target of a written value.
  struct Destination {
    var object: Int32
    var stream: Int
    var container: Int32
    var field: Int32
    var slot: Int
  }

  private func object(_ type: Int32, _ value: FieldTree, _ destination: Destination, _ reader: Table<Reader>.Entry?, parent: Int32)
    throws(WriteError) -> Int32
  {
    var value = value
    if let instances, claims.count < Self.maxClaims {
      for claim in instances(TypeID(rawValue: type), value) { claims.append((path, claim.field, claim.value)) }
    }
    if let adapt {
      do throws(WriteError) { value = try adapt(TypeID(rawValue: type), value) } catch {
        throw WriteError(path: path.map { "/" + $0 }.joined() + error.path, message: error.message)
      }
    }
    let given: [String: FieldTree]
    switch value {
    case .object(let fields): given = Dictionary(fields.map { ($0.name, $0.value) }, uniquingKeysWith: { $1 })
    case .null: given = [:]
    default: throw wrong("expected fields of \"\(program.typeNames[Int(type)])\"")
    }
    let info = program.tables.types[Int(type)]
    try checkNames(given, type)
    let number = try guarded { machine throws(Stop) in try machine.openObject(type, destination, reader, parent: parent) }
    defer { machine.pointee.depth -= 1 }
    let base = machine.pointee.nodes[Int(number)].slotBase
    let sequence = info.parameterCount..<(info.parameterCount + info.sequenceCount)
    try storeKnown(number, base, sequence, given)
    try guarded { machine throws(Stop) in try machine.openEndian(number, creator: destination.object) }
    if frames.isEmpty, let demand { _ = try solve(demand.operation, demand.value, number) }
    for slot in (info.parameterCount + info.sequenceCount)..<info.fieldCount {
      // Given instances replace the fields that they are computed from.
      guard let wanted = given[name(slot, of: number)] else { continue }
      try solve(instance: slot, of: number, to: wanted)
    }
    frames.append(Frame(object: number, base: base, given: given, stream: destination.stream, slot: sequence.lowerBound, path: path.count))
    defer { frames.removeLast() }
    var wereBits = false
    for slot in sequence {
      let areBits = program.tables.readers[Int(program.tables.fields[Int(info.firstField + slot)].reader)].kind == .bits
      if wereBits, !areBits { freeBits = 0 }
      wereBits = areBits
      frames[frames.count - 1].slot = slot
      path.append(name(slot, of: number))
      try self.field(info.firstField + slot, slot, frames[frames.count - 1])
      path.removeLast()
    }
    return number
  }

  func name(_ slot: Int32, of object: Int32) -> String {
    program.name(of: FieldID(rawValue: program.tables.types[Int(machine.pointee.nodes[Int(object)].type)].firstField + slot))
  }

  private func checkNames(_ given: [String: FieldTree], _ type: Int32) throws(WriteError) {
    let known = program.fields(of: TypeID(rawValue: type)).map { program.name(of: $0) }
    for name in given.keys.sorted() where !known.contains(name) {
      var hint = suggestion(for: name, of: known)
      if hint.isEmpty, (1...20).contains(known.count) { hint = "; it has \(known.joined(separator: ", "))" }
      let short = program.typeNames[Int(type)].split(separator: ":").last ?? ""
      throw wrong("\"\(short)\" has no field \"\(name)\"\(hint)")
    }
  }

  /// Stores the given plain values, and those with only one possible value, in the slots.
  private func storeKnown(_ object: Int32, _ base: Int, _ slots: Range<Int32>, _ given: [String: FieldTree]) throws(WriteError) {
    let first = program.tables.types[Int(machine.pointee.nodes[Int(object)].type)].firstField
    for slot in slots {
      let field = program.tables.fields.entry(Int(first + slot))
      guard field.pointee.repetition == .once, factor?(FieldID(rawValue: first + slot)) == nil,
        shift?(FieldID(rawValue: first + slot)) == nil
      else { continue }
      let reader = program.tables.readers.entry(Int(field.pointee.reader))
      path.append(name(slot, of: object))
      if let value = given[name(slot, of: object)] {
        if let plain = try plain(value, reader) {
          let node = try guarded { machine throws(Stop) in try machine.store(plain, field: first + slot, in: object) }
          machine.pointee.slots[base + Int(slot)] = node
        }
      } else if field.pointee.checkCount > 0, program.tables.checks[Int(field.pointee.firstCheck)].kind == .equal,
        !usesStream(checkOf: field),
        let value = attempt(program.tables.checks[Int(field.pointee.firstCheck)].operation, object)
      {
        let node = try guarded { machine throws(Stop) in try machine.store(value, field: first + slot, in: object) }
        machine.pointee.slots[base + Int(slot)] = node
      }
      path.removeLast()
    }
  }

  // MARK: Fields

  private func field(_ number: Int32, _ slot: Int32, _ frame: Frame) throws(WriteError) {
    let field = program.tables.fields.entry(Int(number))
    let value = frame.given[name(slot, of: frame.object)]
    let index = frame.base + Int(slot)
    if field.pointee.condition >= 0 {
      // A condition on the stream (`not _io.eof`) is true if the field is given.
      let holds: Bool
      if usesStream(field.pointee.condition) {
        holds = value != nil
      } else if usesWhole(field.pointee.condition, frame.object) {
        // A condition on the written bytes (`_payload.length == 7`) is also true if it holds for those of the last round.
        holds = value != nil || isWholeKnown && attempt(field.pointee.condition, frame.object)?.asBool ?? false
      } else {
        holds = try known(field.pointee.condition, frame.object)?.asBool ?? (value != nil)
      }
      guard holds else {
        if value != nil { throw wrong("the condition of this field does not hold, so it cannot be given") }
        machine.pointee.slots[index] = Machine.missing
        return
      }
    }
    if let bytes = frames[frames.count - 1].written[slot] {
      freeBits = 0
      append(bytes, frame.stream)
    } else {
      try content(number, slot, frame)
    }
    if field.pointee.checkCount > 0, field.pointee.repetition == .once, !usesStream(checkOf: field) {
      let node = machine.pointee.slots[index]
      if node >= 0 { try guarded { machine throws(Stop) in try machine.check(field, node, frame.object) } }
    }
  }

  private func content(_ number: Int32, _ slot: Int32, _ frame: Frame) throws(WriteError) {
    let field = program.tables.fields.entry(Int(number))
    let reader = program.tables.readers.entry(Int(field.pointee.reader))
    let slotIndex = frame.base + Int(slot)
    let destination = Destination(object: frame.object, stream: frame.stream, container: frame.object, field: number, slot: slotIndex)
    var value = frame.given[name(slot, of: frame.object)]
    let id = FieldID(rawValue: number)
    let computed = (factor: factor?(id), shift: shift?(id))
    if let given = value, computed.factor != nil || computed.shift != nil {
      value = try stored(given, id, by: computed.factor, offset: computed.shift, frame.object)
    }
    if field.pointee.repetition != .once {
      guard case .list(let elements) = value ?? missing?(FieldID(rawValue: number)) else {
        throw wrong(value == nil ? "the field is not given" : "expected a list")
      }
      return try array(elements, field, reader, destination)
    }
    let state = machine.pointee.slots[slotIndex]
    // The value given for a switch may belong to an object, depending on the case.
    if state >= 0, machine.pointee.nodes[Int(state)].kind != .object, value == nil || reader.pointee.kind != .switched {
      return try element(nil, reader, destination)
    }
    if reader.pointee.kind == .object {
      // Users cannot give values for hidden fields.
      let isHidden = isHidden?(FieldID(rawValue: number)) ?? false
      hiddenDepth += isHidden ? 1 : 0
      defer { hiddenDepth -= isHidden ? 1 : 0 }
      return try element(value ?? .object([]), reader, destination)
    }
    if let value { return try element(value, reader, destination) }
    try derive(slot, frame)
    if machine.pointee.slots[slotIndex] >= 0 { return try element(nil, reader, destination) }
    if name(slot, of: frame.object).hasPrefix("_unnamed"), let zero = try zero(reader) {
      machine.pointee.slots[slotIndex] = try guarded { machine throws(Stop) in
        try machine.store(zero, field: number, in: frame.object)
      }
      return try element(nil, reader, destination)
    }
    if reader.pointee.kind == .switched {
      // A case without a reader needs no value.
      let target = try guarded { machine throws(Stop) in try machine.choose(reader.pointee.switchNumber, frame.object) }
      if target < 0 {
        machine.pointee.slots[slotIndex] = Machine.missing
        return
      }
      let chosen = program.tables.readers[Int(target)]
      if chosen.kind == .object {
        if hiddenDepth == 0, let needsValue, needsValue(FieldID(rawValue: number), TypeID(rawValue: chosen.type)) {
          throw wrong("the value is not given; null is written as a value of no bytes")
        }
        return try element(.object([]), reader, destination)
      }
    }
    if let value = missing?(FieldID(rawValue: number)) {
      // Hidden bytes of a fixed size are zeros.
      if case .bytes(let bytes) = value, bytes.isEmpty, let zero = try zero(reader) {
        machine.pointee.slots[slotIndex] = try guarded { machine throws(Stop) in
          try machine.store(zero, field: number, in: frame.object)
        }
        return try element(nil, reader, destination)
      }
      return try element(value, reader, destination)
    }
    if hiddenDepth > 0, let zero = try zero(reader) {
      machine.pointee.slots[slotIndex] = try guarded { machine throws(Stop) in
        try machine.store(zero, field: number, in: frame.object)
      }
      return try element(nil, reader, destination)
    }
    throw wrong("the field is not given")
  }

  /// Converts a displayed number to its stored form if its factor or offset depends on other fields.
  func stored(
    _ value: FieldTree, _ field: FieldID, by factor: ExpressionID?, offset: ExpressionID?, _ object: Int32
  ) throws(WriteError) -> FieldTree {
    var shown: Double
    switch value {
    case .list(let elements):
      var stored: [FieldTree] = []
      for element in elements { stored.append(try self.stored(element, field, by: factor, offset: offset, object)) }
      return .list(stored)
    case .written(_, let plain): return try stored(plain, field, by: factor, offset: offset, object)
    case .int(let number): shown = Double(number)
    case .uint(let number): shown = Double(number)
    case .double(let number): shown = number
    default: return value
    }
    // In the first round, values computed from the written bytes are unknown. The next round corrects them.
    var factor = factor
    var offset = offset
    if !isWholeKnown {
      if let operation = factor?.rawValue, usesWhole(operation, object) { factor = nil }
      if let operation = offset?.rawValue, usesWhole(operation, object) { offset = nil }
    }
    if let offset {
      guard let more = try known(offset.rawValue, object)?.asDouble else { throw wrong("what is added to this is not known") }
      shown -= more
    }
    let raw: Double
    if let factor {
      guard let by = try known(factor.rawValue, object)?.asDouble, by != 0 else {
        throw wrong("what this is multiplied by is not known, or 0")
      }
      raw = shown / by
    } else {
      raw = unscaled?(field, shown) ?? shown
    }
    // A number that fits into no integer is rejected when it is written.
    guard !program.isFloat(field), let whole = Int64(exactly: raw.rounded()) else { return .double(raw) }
    return .int(whole)
  }

  /// The value for a field without a name, which cannot be given; nil where its size is open.
  private func zero(_ reader: Table<Reader>.Entry) throws(WriteError) -> KaitaiValue? {
    switch reader.pointee.kind {
    case .unsigned, .signed, .bits: .int(0)
    case .float: .float(0)
    case .bytes:
      if reader.pointee.extent != .constant {
        nil
      } else if reader.pointee.size < machine.pointee.limits.bytes {
        try plain(.bytes([UInt8](repeating: 0, count: Int(reader.pointee.size))), reader)
      } else {
        throw wrong("the size \(reader.pointee.size) is beyond the limit")
      }
    default: nil
    }
  }

  /// Determines the value of a field that is the size or count of a later one, in this object or an outer one, by writing the later one first.
  private func derive(_ slot: Int32, _ owner: Frame) throws(WriteError) {
    for index in frames.indices.reversed() {
      let frame = frames[index]
      let info = program.tables.types[Int(machine.pointee.nodes[Int(frame.object)].type)]
      for later in (frame.slot + 1)..<max(frame.slot + 1, info.parameterCount + info.sequenceCount) {
        let number = info.firstField + later
        let field = program.tables.fields.entry(Int(number))
        let reader = program.tables.readers.entry(Int(field.pointee.reader))
        let name = name(later, of: frame.object)
        guard let value = frame.given[name], frame.written[later] == nil else { continue }
        if field.pointee.repetition == .count, case .list(let elements) = value,
          mentions(slot, of: owner.object, in: field.pointee.repeatExpression, at: frame.object)
        {
          _ = try solve(field.pointee.repeatExpression, .int(Int64(elements.count)), frame.object)
        } else if reader.pointee.extent == .expression, field.pointee.repetition == .once,
          mentions(slot, of: owner.object, in: reader.pointee.size, at: frame.object)
        {
          let destination = Destination(
            object: frame.object, stream: frame.stream, container: frame.object, field: number, slot: frame.base + Int(later))
          let bytes = try ahead(value, reader, destination, name, frame)
          frames[index].written[later] = bytes
          _ = try solve(reader.pointee.size, .int(Int64(bytes.count)), frame.object)
        }
        if machine.pointee.slots[owner.base + Int(slot)] >= 0 { return }
      }
    }
  }

  /// Writes a field ahead of its turn; returns its bytes.
  private func ahead(
    _ value: FieldTree, _ reader: Table<Reader>.Entry, _ destination: Destination, _ name: String, _ frame: Frame
  ) throws(WriteError) -> [UInt8] {
    let outer = (output, freeBits, path, machine.pointee.streams[destination.stream].position)
    output = []
    freeBits = 0
    path = Array(path.prefix(frame.path)) + [name]
    try element(value, reader, destination, ignoringSize: true)
    let bytes = output
    (output, freeBits, path, machine.pointee.streams[destination.stream].position) = outer
    return bytes
  }

  private func array(
    _ elements: [FieldTree], _ field: Table<FieldInfo>.Entry, _ reader: Table<Reader>.Entry, _ destination: Destination
  ) throws(WriteError) {
    let array = try guarded { machine throws(Stop) in
      try machine.append(TreeNode(kind: .array, payload: 0, field: destination.field, parent: destination.object, start: 0, end: 0))
    }
    machine.pointee.slots[destination.slot] = array
    if field.pointee.repetition == .count {
      if let wanted = try known(field.pointee.repeatExpression, destination.object)?.asInt, wanted != Int64(elements.count) {
        throw wrong("\(elements.count) elements are given, \(wanted) are wanted")
      }
    }
    let outer = (machine.pointee.it, machine.pointee.index)
    defer { (machine.pointee.it, machine.pointee.index) = outer }
    var inner = destination
    inner.container = array
    inner.slot = -1
    for (index, value) in elements.enumerated() {
      path.append(String(index))
      machine.pointee.index = Int64(index)
      try element(value, reader, inner)
      let last = machine.pointee.nodes[Int(array)].lastNumber
      machine.pointee.nodes[Int(array)].payload = UInt64(index + 1)
      machine.pointee.nodes[Int(array)].type = last
      if last >= 0 {
        machine.pointee.it = machine.pointee.value(last)
        if field.pointee.checkCount > 0 {
          try guarded { machine throws(Stop) in try machine.check(field, last, destination.object) }
        }
      }
      path.removeLast()
    }
    machine.pointee.nodes[Int(array)].flags |= TreeNode.closed
    if field.pointee.repetition == .until, !elements.isEmpty, !usesStream(field.pointee.repeatExpression) {
      let ends = try known(field.pointee.repeatExpression, destination.object)?.asBool ?? true
      if !ends { throw wrong("the last element does not end the repetition") }
    }
  }

  // MARK: Elements

  /// Writes one value; nil if it is already in its slot.
  func element(_ value: FieldTree?, _ reader: Table<Reader>.Entry, _ destination: Destination, ignoringSize: Bool = false)
    throws(WriteError)
  {
    if reader.pointee.kind == .switched {
      let target = try guarded { machine throws(Stop) in try machine.choose(reader.pointee.switchNumber, destination.object) }
      guard target >= 0 else {
        if value != nil { throw wrong("no case holds, so nothing can be given here") }
        if destination.slot >= 0 { machine.pointee.slots[destination.slot] = Machine.missing }
        return
      }
      return try element(value, program.tables.readers.entry(Int(target)), destination, ignoringSize: ignoringSize)
    }
    if reader.pointee.kind == .object {
      return try objectElement(value ?? .object([]), reader, destination, ignoringSize: ignoringSize)
    }
    let stored: KaitaiValue
    if let value {
      guard let plain = try plain(value, reader) else { throw wrong("expected a plain value") }
      let node = try guarded { machine throws(Stop) in
        let node = try machine.store(plain, field: destination.field, in: destination.container)
        if destination.slot < 0 { machine.link(node, into: destination.container) }
        return node
      }
      if destination.slot >= 0 { machine.pointee.slots[destination.slot] = node }
      stored = machine.pointee.value(node)
    } else {
      guard destination.slot >= 0, machine.pointee.slots[destination.slot] >= 0 else { throw wrong("the field is not given") }
      stored = machine.pointee.value(machine.pointee.slots[destination.slot])
    }
    switch reader.pointee.kind {
    case .bits: try writeBits(stored, reader, destination.stream)
    case .unsigned, .signed, .float:
      freeBits = 0
      let start = output.count
      try writeNumber(stored, reader, destination)
      if reader.pointee.extent == .expression || reader.pointee.extent == .constant, !ignoringSize {
        try fit(start, reader, destination, isObject: true)
      }
    default:
      freeBits = 0
      try writeBytes(stored, reader, destination, ignoringSize: ignoringSize)
    }
  }

  private func objectElement(_ value: FieldTree, _ reader: Table<Reader>.Entry, _ destination: Destination, ignoringSize: Bool)
    throws(WriteError)
  {
    var parent = destination.object
    if reader.pointee.parent == -2 { parent = -1 }
    if reader.pointee.parent >= 0 {
      let chosen = try guarded { machine throws(Stop) in try machine.evaluate(reader.pointee.parent, destination.object) }
      parent = chosen.kind == .object && chosen.source == 0 ? chosen.nodeNumber : -1
    }
    guard reader.pointee.extent != .none else {
      _ = try object(reader.pointee.type, value, destination, reader, parent: parent)
      return
    }
    freeBits = 0
    var size = Self.openSize
    if reader.pointee.extent == .constant { size = Int(reader.pointee.size) }
    if reader.pointee.extent == .expression, !ignoringSize, !usesStream(reader.pointee.size),
      let known = attempt(reader.pointee.size, destination.object)?.asInt
    {
      size = Int(clamping: known)
    }
    var inner = destination
    inner.stream = try guarded { machine throws(Stop) in
      try machine.append(Stream(start: 0, size: size, position: 0, isProduced: true, bitsLeft: 0, bitsAreLittle: false))
    }
    let start = output.count
    try sizedObject(value, inner, reader, parent: parent)
    freeBits = 0
    machine.pointee.streams[destination.stream].position += output.count - start
    // Padding and terminator are outside of the processed bytes; zeros that only fill the part are processed with it.
    let isCompressed = reader.pointee.processCount > 0 && program.tables.processes[Int(reader.pointee.firstProcess)].kind == .zlib
    let padsNothing = reader.pointee.pad < 0 && reader.pointee.terminatorCount == 0 && !isCompressed
    if padsNothing, !ignoringSize { try fit(start, reader, destination, isObject: true) }
    try process(from: start, reader, destination)
    terminate(from: start, reader, destination)
    if !padsNothing, !ignoringSize { try fit(start, reader, destination, isObject: true) }
  }

  /// Writes an object into a substream of its own. A number whose width follows from the size of an open substream gets the narrowest width that
  /// holds it.
  private func sizedObject(_ value: FieldTree, _ destination: Destination, _ reader: Table<Reader>.Entry, parent: Int32) throws(WriteError)
  {
    let info = program.tables.types[Int(reader.pointee.type)]
    var widths = [machine.pointee.streams[destination.stream].size]
    if widths[0] == Self.openSize, destination.slot >= 0, info.sequenceCount == 1 {
      let field = program.tables.fields[Int(info.firstField + info.parameterCount)]
      let first = program.tables.readers[Int(field.reader)]
      if first.kind == .switched, usesStream(program.tables.switches[Int(first.switchNumber)].on) {
        // For a number, a case of a width is tried before the case for all other sizes, which may be bytes.
        widths = value.isWholeNumber ? [1, 2, 4, 8] + widths : widths + [2, 4, 8]
      }
    }
    let outer = (output.count, path, isTooWide)
    for (attempt, width) in widths.enumerated() {
      machine.pointee.streams[destination.stream].size = width
      isTooWide = false
      do throws(WriteError) {
        _ = try object(reader.pointee.type, value, destination, reader, parent: parent)
        isTooWide = outer.2
        return
      } catch {
        guard isTooWide, attempt < widths.count - 1 else { throw error }
        output.removeLast(output.count - outer.0)
        path = outer.1
        machine.pointee.streams[destination.stream].position = 0
      }
    }
  }

  // MARK: Numbers and bits

  private func writeNumber(_ value: KaitaiValue, _ reader: Table<Reader>.Entry, _ destination: Destination) throws(WriteError) {
    let width = Int(reader.pointee.width)
    var bits: UInt64
    if reader.pointee.kind == .float {
      guard let number = value.asDouble else { throw wrong("expected a number") }
      bits = width == 2 ? UInt64(HalfFloat.bits(number)) : width == 4 ? UInt64(Float(number).bitPattern) : number.bitPattern
    } else {
      bits = value.bits
      let isNegative = value.kind != .uint && !value.kindFlag && Int64(bitPattern: bits) < 0
      if reader.pointee.kind == .unsigned {
        guard !isNegative, width == 8 || bits >> UInt64(width * 8) == 0 else {
          isTooWide = !isNegative
          throw wrong("\(text(value)) does not fit \(width * 8) bits")
        }
      } else {
        let shift = Int64(64 - width * 8)
        guard value.kind != .uint, !value.kindFlag, (Int64(bitPattern: bits) << shift) >> shift == Int64(bitPattern: bits) else {
          isTooWide = true
          throw wrong("\(text(value)) does not fit \(width * 8) bits with a sign")
        }
      }
    }
    if reader.pointee.hasSwappedWords { bits = Stream.swappedWords(bits, reader.pointee.width) }
    var isLittle = reader.pointee.order == .little
    if reader.pointee.order == .calculated {
      isLittle = machine.pointee.nodes[Int(destination.object)].flags & TreeNode.littleEndian != 0
    }
    var bytes: [UInt8] = []
    for index in 0..<width {
      bytes.append(UInt8(truncatingIfNeeded: bits >> UInt64(8 * (isLittle ? index : width - 1 - index))))
    }
    bits = 0
    append(bytes, destination.stream)
  }

  private func text(_ value: KaitaiValue) -> String {
    value.kind == .uint || value.kindFlag ? String(value.bits) : String(Int64(bitPattern: value.bits))
  }

  private func writeBits(_ value: KaitaiValue, _ reader: Table<Reader>.Entry, _ stream: Int) throws(WriteError) {
    let width = Int(reader.pointee.width)
    if reader.pointee.isSigned {
      let shift = Int64(64 - width)
      guard value.kind != .uint, (Int64(bitPattern: value.bits) << shift) >> shift == Int64(bitPattern: value.bits) else {
        throw wrong("\(text(value)) does not fit \(width) bits with a sign")
      }
    } else {
      guard width == 64 || value.bits >> UInt64(width) == 0 else { throw wrong("\(text(value)) does not fit \(width) bits") }
    }
    let isLittle = reader.pointee.order == .little
    if freeBits > 0, bitsAreLittle != isLittle { freeBits = 0 }
    bitsAreLittle = isLittle
    for index in 0..<width {
      if freeBits == 0 {
        append([0], stream)
        freeBits = 8
      }
      let bit = UInt8(truncatingIfNeeded: value.bits >> UInt64(isLittle ? index : width - 1 - index)) & 1
      output[output.count - 1] |= bit << UInt8(isLittle ? 8 - freeBits : freeBits - 1)
      freeBits -= 1
    }
  }

  func append(_ bytes: [UInt8], _ stream: Int) {
    output += bytes
    machine.pointee.streams[stream].position += bytes.count
  }

  // MARK: Bytes

  private func writeBytes(_ value: KaitaiValue, _ reader: Table<Reader>.Entry, _ destination: Destination, ignoringSize: Bool)
    throws(WriteError)
  {
    guard value.kind == .bytes || value.kind == .string else {
      throw wrong("expected \(reader.pointee.kind == .string ? "text" : "bytes")")
    }
    let start = output.count
    let content = tree.withBytes(of: value) { Array($0) }
    if reader.pointee.kind == .string {
      let encoding = program.encodings[Int(reader.pointee.encoding)]
      guard let encoded = encoding.encode(content) else {
        throw wrong("the text cannot be written in \(encoding.name)")
      }
      append(encoded, destination.stream)
    } else {
      append(content, destination.stream)
    }
    try process(from: start, reader, destination)
    terminate(from: start, reader, destination)
    if !ignoringSize { try fit(start, reader, destination, isObject: false) }
  }

  /// Appends the terminator of a part without another end. Within a size it is part of the padding: see `fit`.
  private func terminate(from start: Int, _ reader: Table<Reader>.Entry, _ destination: Destination) {
    guard reader.pointee.extent == .terminator, reader.pointee.consume || reader.pointee.include else { return }
    let terminator = unsafe Array(
      UnsafeBufferPointer(start: program.tables.bytes + Int(reader.pointee.terminator), count: Int(reader.pointee.terminatorCount)))
    if reader.pointee.include, output[start...].suffix(terminator.count) == terminator[...] { return }
    let stream = machine.pointee.streams[destination.stream]
    // If the end of the part may replace it, a full part has no terminator.
    if !reader.pointee.endError, stream.position + terminator.count > stream.size { return }
    append(terminator, destination.stream)
  }

  /// Pads the bytes from `start` on to the field's size.
  private func fit(_ start: Int, _ reader: Table<Reader>.Entry, _ destination: Destination, isObject: Bool) throws(WriteError) {
    let count = output.count - start
    let wanted: Int
    switch reader.pointee.extent {
    case .constant: wanted = Int(reader.pointee.size)
    case .expression:
      if usesStream(reader.pointee.size) { return }
      if !isWholeKnown, usesWhole(reader.pointee.size, destination.object) { return }
      guard let size = try known(reader.pointee.size, destination.object) else { return }
      guard let number = size.asInt else { throw wrong("the size is no whole number") }
      wanted = Int(clamping: number)
    case .toEnd:
      // Padding for the rest of a part of known size.
      let size = machine.pointee.streams[destination.stream].size
      guard size != Self.openSize, reader.pointee.pad >= 0 || reader.pointee.terminatorCount > 0 else { return }
      wanted = size - (machine.pointee.streams[destination.stream].position - count)
    default: return
    }
    guard count != wanted else { return }
    guard count < wanted else { throw wrong("the value has \(count) bytes, there is room for \(wanted)") }
    guard wanted - count < machine.pointee.limits.bytes else { throw wrong("the size \(wanted) is beyond the limit") }
    var fill: [UInt8] = []
    if reader.pointee.terminatorCount > 0, !reader.pointee.include {
      fill = unsafe Array(
        UnsafeBufferPointer(start: program.tables.bytes + Int(reader.pointee.terminator), count: Int(reader.pointee.terminatorCount)))
      fill.removeLast(max(0, fill.count - (wanted - count)))
    } else if reader.pointee.pad < 0, !isObject, reader.pointee.terminatorCount == 0 {
      throw wrong("the value has \(count) bytes, the field has \(wanted), and nothing says how to fill it (`pad-right`)")
    }
    fill += [UInt8](repeating: UInt8(truncatingIfNeeded: max(reader.pointee.pad, 0)), count: wanted - count - fill.count)
    append(fill, destination.stream)
  }

  private func process(from start: Int, _ reader: Table<Reader>.Entry, _ destination: Destination) throws(WriteError) {
    guard reader.pointee.processCount > 0 else { return }
    let info = program.tables.processes[Int(reader.pointee.firstProcess)]
    let argument =
      try info.argument < 0 ? .absent : guarded { machine throws(Stop) in try machine.evaluate(info.argument, destination.object) }
    let content = Array(output[start...])
    let window = try guarded { machine throws(Stop) in
      let offset = try machine.produce(copying: content)
      let window = Machine.Window(offset: offset, count: content.count, isProduced: true)
      switch info.kind {
      case .zlib: return try machine.deflate(window)
      case .xor: return try machine.process(.xor, argument, window)
      // The inverse of a rotation is the rotation in the other direction.
      case .rotateLeft: return try machine.process(.rotateRight, argument, window)
      case .rotateRight: return try machine.process(.rotateLeft, argument, window)
      }
    }
    machine.pointee.streams[destination.stream].position += window.count - content.count
    output.removeLast(content.count)
    unsafe output += UnsafeBufferPointer(start: machine.pointee.produced + window.offset, count: window.count)
  }
}
