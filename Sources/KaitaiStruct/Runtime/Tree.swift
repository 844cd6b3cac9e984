import Memory

/// The result of parsing: nodes in one flat memory that is reused for the next parse. Not thread-safe.
///
/// ```swift
/// let tree = KaitaiTree(program)
/// if let failure = tree.parse(type, bytes) { … }     // fields read before the failure are in the tree
/// for field in program.fields(of: type) { tree.node(field, of: tree.root) … }
/// ```
@safe public final class KaitaiTree {
  @usableFromInline let machine: MachineReference
  /// The program of the tree's types.
  public let program: KaitaiProgram
  private var environment: KaitaiEnvironment.Memory?
  /// The node numbers of the elements of long arrays, for paths; valid for a tree of so many nodes.
  var listed: (nodes: Int, elements: [Int32: [Int32]]) = (0, [:])
  /// Printing stops after about this many bytes.
  package var maxPrinted = Int.max

  /// Makes an empty tree for types of `program`.
  public init(_ program: KaitaiProgram, limits: Limits = .message) {
    self.program = program
    machine = MachineReference(Machine(limits: limits, program: program))
    machine.pointee.this = machine
  }

  deinit {
    machine.pointee.deallocate()
    machine.deallocate()
  }

  /// Steps that all parses and evaluations so far have used.
  package var usedSteps: Int { machine.pointee.granted &- max(machine.pointee.steps, 0) }

  /// Frees the memory of large parses, and discards the last parse. No node may be in use.
  package func shrink() { machine.pointee.shrink() }

  /// Size of its memory in bytes.
  package var heldBytes: Int { machine.pointee.heldBytes }

  // MARK: Parsing

  /// Parses `bytes`, which are copied, as `type`. Returns the reason if it ended early, or nil; the tree then has the fields read before.
  ///
  /// `environment` has the values of external names, also for instances that are evaluated later. `arguments` are those of the type's parameters:
  /// plain numbers, or values of the environment; missing ones are absent.
  @discardableResult
  public func parse(_ type: TypeID, _ bytes: BorrowedBytes, environment: KaitaiEnvironment? = nil, arguments: [KaitaiValue] = [])
    -> Failure?
  {
    machine.pointee.reset()
    if !listed.elements.isEmpty { listed.elements = [:] }
    machine.pointee.take(bytes)
    return run(type, environment, arguments) ? nil : failure
  }

  /// As ``parse(_:_:environment:arguments:)-(_,BorrowedBytes,_,_)``.
  @discardableResult
  public func parse(_ type: TypeID, _ bytes: UnsafeRawBufferPointer, environment: KaitaiEnvironment? = nil, arguments: [KaitaiValue] = [])
    -> Failure?
  {
    unsafe parse(type, BorrowedBytes(bytes), environment: environment, arguments: arguments)
  }

  /// As ``parse(_:_:environment:arguments:)-(_,BorrowedBytes,_,_)``.
  @discardableResult
  public func parse(_ type: TypeID, _ bytes: RawSpan, environment: KaitaiEnvironment? = nil) -> Failure? {
    unsafe bytes.withUnsafeBytes { unsafe parse(type, BorrowedBytes($0), environment: environment) }
  }

  /// Parses `bytes` without a copy: they must stay valid until the tree parses again or is released.
  @discardableResult
  public func parse(borrowing bytes: BorrowedBytes, as type: TypeID, environment: KaitaiEnvironment? = nil) -> Failure? {
    machine.pointee.reset()
    if !listed.elements.isEmpty { listed.elements = [:] }
    machine.pointee.borrow(bytes)
    return run(type, environment, []) ? nil : failure
  }

  /// Whether parsing reached the end of the type.
  private func run(_ type: TypeID, _ environment: KaitaiEnvironment?, _ arguments: [KaitaiValue]) -> Bool {
    use(environment)
    machine.pointee.hasEnded = true
    guard machine.pointee.inputCount <= Int(Int32.max) else {
      machine.pointee.parseFailure = Failure(.limit)
      return false
    }
    do throws(Stop) {
      try machine.pointee.parse(type.rawValue, arguments)
      machine.pointee.hasEnded = false
      return true
    } catch {
      machine.pointee.parseFailure = machine.pointee.failure
      return false
    }
  }

  private func use(_ environment: KaitaiEnvironment?) {
    guard unsafe machine.pointee.environment != environment?.storage else { return }
    self.environment = environment?.memory
    unsafe machine.pointee.environment = unsafe environment?.storage
  }

  /// The reason why the last parse ended early; nil where it did not.
  public var failure: Failure? { machine.pointee.hasEnded ? machine.pointee.parseFailure : nil }

  /// Evaluates all instances, and those of the resulting objects, as deep as the limits allow. Failures are kept with their instance.
  public func evaluateInstances() { machine.pointee.evaluateInstances() }

  // MARK: Nodes

  /// The object that was parsed.
  @inlinable public var root: NodeID { NodeID(rawValue: 0) }

  /// Number of nodes; the tree is empty before the first parse.
  @inlinable public var nodeCount: Int { machine.pointee.nodeCount }

  /// A node, by value.
  @inlinable
  public func node(_ id: NodeID) -> TreeNode { TreeView(self).node(id) }

  /// The node's value: its number, or the range of its bytes; nil where there is no such node.
  @inlinable
  public func value(of id: NodeID) -> KaitaiValue? { TreeView(self).value(of: id) }

  /// The state of a field of an object.
  public enum FieldState: Sendable {
    /// It was read or computed.
    case present(NodeID)
    /// Its condition did not hold.
    case absent
    /// Parsing ended before it; or the instance was not evaluated.
    case unread
    /// The instance failed.
    case failed(Failure)
  }

  /// The state of a field of `object`; evaluates nothing.
  public func state(of field: FieldID, in object: NodeID) -> FieldState {
    guard let index = slotIndex(field, object) else { return .unread }
    let state = machine.pointee.slots[index]
    if state >= 0 { return .present(NodeID(rawValue: state)) }
    if state == Machine.missing { return .absent }
    return machine.pointee.failure(ofSlot: state).map(FieldState.failed) ?? .unread
  }

  /// The node of a field of `object` if it is present; one with a negative number otherwise. Evaluates nothing.
  @inlinable
  public func present(_ field: FieldID, in object: NodeID) -> NodeID {
    guard let index = slotIndex(field, object) else { return NodeID(rawValue: -1) }
    return NodeID(rawValue: machine.pointee.slots[index])
  }

  /// The node of a field of `object`; an instance is evaluated the first time. Nil where it is absent, was not read, or fails.
  public func node(_ field: FieldID, of object: NodeID) -> NodeID? {
    guard let index = slotIndex(field, object) else { return nil }
    let state = machine.pointee.slots[index]
    if state >= 0 { return NodeID(rawValue: state) }
    guard state == Machine.unread, program.tables.fields[Int(field.rawValue)].role == .instance else { return nil }
    do throws(Stop) {
      let number = try machine.pointee.instance(
        object.rawValue, field.rawValue &- program.tables.types[Int(machine.pointee.nodes[Int(object.rawValue)].type)].firstField)
      return number < 0 ? nil : NodeID(rawValue: number)
    } catch {
      return nil
    }
  }

  /// The node of the field with a name in `object`, as ``node(_:of:)-(FieldID,_)``; nil where its type has no such field.
  public func node(_ name: Symbol, of object: NodeID) -> NodeID? {
    guard object.rawValue >= 0, Int(object.rawValue) < machine.pointee.nodeCount else { return nil }
    let node = machine.pointee.nodes[Int(object.rawValue)]
    guard node.kind == .object else { return nil }
    let slot = program.tables.slot(of: name.rawValue, in: node.type)
    return slot < 0 ? nil : self.node(FieldID(rawValue: program.tables.types[Int(node.type)].firstField &+ slot), of: object)
  }

  @inlinable
  func slotIndex(_ field: FieldID, _ object: NodeID) -> Int? {
    guard object.rawValue >= 0, Int(object.rawValue) < machine.pointee.nodeCount else { return nil }
    let node = machine.pointee.nodes[Int(object.rawValue)]
    guard node.kind == .object else { return nil }
    let info = program.tables.types[Int(node.type)]
    let slot = field.rawValue &- info.firstField
    guard slot >= 0, slot < info.fieldCount else { return nil }
    return node.slotBase &+ Int(slot)
  }

  /// The element of an array at `index`; nil beyond its end.
  public func element(_ index: Int, of array: NodeID) -> NodeID? {
    guard array.rawValue >= 0, Int(array.rawValue) < machine.pointee.nodeCount,
      machine.pointee.nodes[Int(array.rawValue)].kind == .array
    else {
      return nil
    }
    do throws(Stop) { return NodeID(rawValue: try machine.pointee.elementNode(array.rawValue, Int64(index))) } catch { return nil }
  }

  // MARK: Values

  /// The integer of a node of kind `int`, `enumeration` or `bool`; nil for others.
  @inlinable
  public func int(_ id: NodeID) -> Int64? { value(of: id)?.asInt }

  /// The number of a node as floating-point; nil for other kinds.
  @inlinable
  public func double(_ id: NodeID) -> Double? { value(of: id)?.asDouble }

  /// Calls `body` with the bytes of a node of kind `bytes`, or the UTF-8 of one of kind `string`; with none for other kinds.
  @inlinable
  public func withBytes<R>(_ id: NodeID, _ body: (BorrowedBytes) throws -> R) rethrows -> R {
    try withBytes(of: value(of: id) ?? .absent, body)
  }

  /// Calls `body` with the bytes of a value of kind `bytes`, or the UTF-8 of one of kind `string`; with none for other kinds.
  @inlinable
  public func withBytes<R>(of value: KaitaiValue, _ body: (BorrowedBytes) throws -> R) rethrows -> R {
    guard value.kind == .bytes || value.kind == .string else { return try body(BorrowedBytes()) }
    return try body(machine.pointee.bytes(of: value))
  }

  /// The text of a value of kind `string`; bytes that are no UTF-8 become U+FFFD. Empty for other kinds.
  public func string(_ value: KaitaiValue) -> String {
    value.kind == .string ? withBytes(of: value) { String(decoding: $0, as: UTF8.self) } : ""
  }

  /// The text of a node of kind `string`; empty for other kinds.
  public func string(_ id: NodeID) -> String { string(value(of: id) ?? .absent) }

  /// The name in its enum for the number of a node of kind `enumeration`; nil where it has none.
  @inlinable
  public func enumName(_ id: NodeID) -> String? {
    guard let value = value(of: id) else { return nil }
    return enumName(value)
  }

  /// The name in its enum for a value of kind `enumeration`; nil where it has none.
  @inlinable
  public func enumName(_ value: KaitaiValue) -> String? {
    guard value.kind == .enumeration, value.enumNumber >= 0 else { return nil }
    let symbol = program.tables.enumName(value.enumNumber, value.bits, isBig: value.kindFlag)
    return symbol < 0 ? nil : program.names[Int(symbol)]
  }

  // MARK: Expressions

  /// Evaluates an expression at `object`, which must be of the type it was compiled for; nil for expressions over external names only.
  ///
  /// The result is valid until the tree parses again; without an object, until the next evaluation. Allocates nothing if the result is a number.
  /// Throws ``Failure``.
  public func evaluate(_ expression: ExpressionID, at object: NodeID? = nil, environment: KaitaiEnvironment? = nil) throws(Failure)
    -> KaitaiValue
  {
    if let environment { use(environment) }
    do throws(Stop) {
      return try machine.pointee.run(expression.rawValue, at: object?.rawValue ?? -1)
    } catch {
      throw machine.pointee.failure
    }
  }
}

extension Machine {
  mutating func parse(_ type: Int32, _ arguments: [KaitaiValue]) throws(Stop) {
    let stream = try append(
      Stream(start: 0, size: inputCount, position: 0, isProduced: false, bitsLeft: 0, bitsAreLittle: false))
    guard arguments.isEmpty else { return try parse(type, stream, arguments) }
    _ = try readObject(
      type: type, stream: stream, parent: -1, creator: -1, container: -1, field: -1, firstArgument: 0, argumentCount: 0, slot: -1)
  }

  /// The arguments of the outermost type are values, not expressions: they are stored before its sequence is read.
  private mutating func parse(_ type: Int32, _ stream: Int, _ arguments: [KaitaiValue]) throws(Stop) {
    pendingArguments = arguments
    defer { pendingArguments = [] }
    _ = try readObject(
      type: type, stream: stream, parent: -1, creator: -1, container: -1, field: -1, firstArgument: 0, argumentCount: 0, slot: -1)
  }

  mutating func run(_ operation: Int32, at object: Int32) throws(Stop) -> KaitaiValue {
    guard operation >= 0, Int(operation) < tables.operationCount, object < nodeCount,
      object < 0 || nodes[Int(object)].kind == .object
    else {
      throw fail(.type)
    }
    // Slots are those of the type the expression was compiled for.
    let scope = tables.scopes[Int(operation)]
    if scope >= 0, object >= 0, nodes[Int(object)].type != scope { throw fail(.type) }
    depth = object >= 0 ? Int(depthNumber(of: object)) : 0
    evaluationDepth = 0
    if object < 0 {
      // It belongs to no parse, and has steps of its own: a tree that only evaluates never parses.
      grantSteps(0)
      return try evaluateAlone(operation)
    }
    return try evaluate(operation, object)
  }

  mutating func evaluateInstances() {
    // Objects that an instance reads are appended, so that this loop reaches them too.
    var number = 0
    while number < nodeCount {
      let node = nodes[number]
      if node.kind == .object, slots[node.slotBase &- 4] == Int32(number) {
        let info = tables.types[Int(node.type)]
        var slot = info.parameterCount &+ info.sequenceCount
        while slot < info.fieldCount {
          if slots[node.slotBase &+ Int(slot)] == Self.unread {
            // The failure is in the slot.
            do throws(Stop) { _ = try instance(Int32(number), slot) } catch {}
          }
          slot &+= 1
        }
      }
      number &+= 1
    }
  }
}
