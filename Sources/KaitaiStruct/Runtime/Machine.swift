import Memory

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#endif

/// A range of bytes that is read from its start: `_io` of the specification.
@usableFromInline
struct Stream: Sendable {
  /// Offset of the window in its buffer.
  var start: Int
  var size: Int
  /// Offset of the next byte, from the start of the window.
  var position: Int
  var isProduced: Bool
  /// Unused bits of the byte before `position`.
  var bitsLeft: UInt8
  var bitsAreLittle: Bool
}

/// The interpreter: it executes the tables of a program on bytes and fills the memory of a tree.
///
/// Its memory is in tables without retain and release while parsing.
@usableFromInline
@safe struct Machine {
  @usableFromInline var nodes: GrowingTable<TreeNode>
  @usableFromInline var nodeCount = 0
  /// Number of nodes before ``growNodes()`` is called: those with allocated memory, or that this parse may have.
  private var nodeCapacity: Int
  /// Number of nodes that this parse may have.
  private var nodeLimit: Int
  /// Per object: its own node, depth, root, parent, then the nodes of its fields.
  @usableFromInline var slots: GrowingTable<Int32>
  private var slotCount = 0
  var streams: GrowingTable<Stream>
  private var streamCount = 0
  @usableFromInline var produced: UnsafeMutablePointer<UInt8>
  @usableFromInline var producedCount = 0
  private var producedCapacity: Int
  @usableFromInline var input: UnsafeRawPointer
  var inputCount = 0
  private var inputBuffer: UnsafeMutableRawPointer
  private var inputCapacity: Int

  @usableFromInline var tables: ProgramTables
  unowned(unsafe) var program: KaitaiProgram
  var environment: UnsafeMutablePointer<KaitaiEnvironment.Storage>?
  let limits: Limits
  var depth = 0
  var evaluationDepth = 0
  var steps: Int
  /// Steps granted so far, if parses share them.
  var granted: Int
  /// The state before and after the last evaluation without an object; nil if something else was added since, or it failed.
  var lastAlone: (start: Counts, end: Counts)?
  /// `_` and `_index` of the innermost repetition.
  var it = KaitaiValue.absent
  var index: Int64 = 0
  /// The address of this machine, by which it recognises values of its own tree in the environment.
  var this: MachineReference?
  /// Another tree evaluates something for this one, and must not evaluate in this one meanwhile: the recursion would not end.
  var isEvaluating = false
  /// A ``Writer`` uses the machine: streams have sizes and positions, but no bytes.
  var isWriting = false
  /// Number of parses so far; node numbers are valid within one.
  var generation = 0
  /// Arguments of the outermost type, until it takes them.
  var pendingArguments: [KaitaiValue] = []
  /// The reason of the last ``Stop``.
  var failure = Failure(.limit)
  /// The last parse ended early, for this reason.
  var hasEnded = false
  var parseFailure = Failure(.limit)
  /// Failures of instances; their slots refer to them.
  var failures: [Failure] = []

  /// States of a slot without a node.
  static let unread = Int32(-1)
  static let inWork = Int32(-2)
  static let missing = Int32(-3)
  /// Slot values from here down are indices of an instance's failure.
  static let firstFailure = Int32(-16)
  /// Slots before those of the fields.
  static let header = 4

  /// Placeholder for unused nodes and streams.
  private static let noNode = TreeNode(kind: .absent, payload: 0, field: -1, parent: -1, start: 0, end: 0)
  private static let noStream = Stream(start: 0, size: 0, position: 0, isProduced: false, bitsLeft: 0, bitsAreLittle: false)

  init(limits: Limits, program: KaitaiProgram) {
    self.limits = limits
    unsafe self.program = program
    tables = program.tables
    nodeCapacity = 64
    nodeLimit = limits.nodes
    nodes = GrowingTable(repeating: Self.noNode, capacity: 64)
    slots = GrowingTable(repeating: Self.unread, capacity: 128)
    streams = GrowingTable(repeating: Self.noStream, capacity: 16)
    producedCapacity = 64
    unsafe produced = .allocate(capacity: 64)
    inputCapacity = 256
    unsafe inputBuffer = .allocate(byteCount: 256, alignment: 8)
    unsafe input = unsafe UnsafeRawPointer(inputBuffer)
    steps = limits.steps
    granted = limits.steps
  }

  func deallocate() {
    nodes.deallocate()
    slots.deallocate()
    streams.deallocate()
    unsafe produced.deallocate()
    unsafe inputBuffer.deallocate()
  }

  /// Size of nodes, slots and produced bytes.
  var heldBytes: Int {
    nodes.capacity &* MemoryLayout<TreeNode>.stride &+ slots.capacity &* MemoryLayout<Int32>.stride &+ producedCapacity &+ inputCapacity
  }

  /// Discards the last parse, and reduces memory to that of a new machine.
  mutating func shrink() {
    reset()
    deallocate()
    let new = unsafe Machine(limits: limits, program: program)
    (nodes, slots, streams) = (new.nodes, new.slots, new.streams)
    unsafe (produced, inputBuffer, input) = unsafe (new.produced, new.inputBuffer, new.input)
    (nodeCapacity, producedCapacity, inputCapacity) = (new.nodeCapacity, new.producedCapacity, new.inputCapacity)
  }

  /// Discards the last parse; memory is kept for the next.
  mutating func reset() {
    generation &+= 1
    isEvaluating = false
    lastAlone = nil
    nodeCount = 0
    slotCount = 0
    streamCount = 0
    producedCount = 0
    inputCount = 0
    depth = 0
    evaluationDepth = 0
    // Values to write come only from the user.
    if isWriting { steps = limits.steps }
    it = .absent
    index = 0
    if !failures.isEmpty { failures.removeAll(keepingCapacity: true) }
  }

  /// Copies `bytes` as the input.
  mutating func take(_ bytes: BorrowedBytes) {
    if bytes.count > inputCapacity {
      unsafe inputBuffer.deallocate()
      inputCapacity = bytes.count * 2
      unsafe inputBuffer = .allocate(byteCount: inputCapacity, alignment: 8)
    }
    unsafe inputBuffer.copyMemory(from: bytes.start, byteCount: bytes.count)
    unsafe input = unsafe UnsafeRawPointer(inputBuffer)
    inputCount = bytes.count
    grant(bytes.count)
  }

  /// Uses `bytes` as the input without a copy.
  mutating func borrow(_ bytes: BorrowedBytes) {
    unsafe input = unsafe bytes.start
    inputCount = bytes.count
    grant(bytes.count)
  }

  /// Grants a parse of `count` bytes its nodes and steps.
  @inline(__always)
  private mutating func grant(_ count: Int) {
    grantSteps(count)
    if let share = limits.share { nodeLimit = min(limits.nodes, share.nodes &+ share.nodesOfByte &* min(count, limits.nodes)) }
    nodeCapacity = min(nodes.capacity, nodeLimit)
  }

  /// Grants a parse of `count` bytes, or an evaluation, its steps.
  @inline(__always)
  mutating func grantSteps(_ count: Int) {
    guard let share = limits.share else { return steps = limits.steps }
    let left = max(steps, 0)
    steps = min(limits.steps, left &+ share.steps &+ share.stepsOfByte &* min(count, limits.steps))
    granted &+= steps &- left
  }

  // MARK: Evaluations without an object

  /// Evaluates an expression over external names. The memory of the previous such evaluation is released if nothing was added since: otherwise a tree
  /// that only evaluates would fill up.
  mutating func evaluateAlone(_ operation: Int32) throws(Stop) -> KaitaiValue {
    if let last = lastAlone, last.end == counts { counts = last.start }
    let start = counts
    lastAlone = nil
    do throws(Stop) {
      let value = try evaluate(operation, -1)
      lastAlone = (start, counts)
      return value
    } catch {
      counts = start
      throw error
    }
  }

  /// The numbers of elements that a parse and its evaluations have added.
  struct Counts: Equatable {
    fileprivate var nodes: Int
    fileprivate var slots: Int
    fileprivate var streams: Int
    fileprivate var produced: Int
  }

  private var counts: Counts {
    get { Counts(nodes: nodeCount, slots: slotCount, streams: streamCount, produced: producedCount) }
    set { (nodeCount, slotCount, streamCount, producedCount) = (newValue.nodes, newValue.slots, newValue.streams, newValue.produced) }
  }

  // MARK: Failing

  mutating func fail(_ kind: Failure.Kind, needed: Int = 0, available: Int = 0) -> Stop {
    failure = Failure(kind, needed: Int64(needed), available: Int64(available))
    return Stop()
  }

  mutating func spend(_ count: Int = 1) throws(Stop) {
    steps &-= count
    if steps < 0 { throw fail(.limit) }
  }

  /// Spends a step for every `size` bytes that are searched or copied.
  @inline(__always)
  mutating func spend(_ count: Int, byBytes size: Int) throws(Stop) { try spend(count / size) }

  // MARK: Allocating

  @inline(__always)
  mutating func append(_ node: TreeNode) throws(Stop) -> Int32 {
    if nodeCount == nodeCapacity { try growNodes() }
    nodes[nodeCount] = node
    nodeCount &+= 1
    return Int32(truncatingIfNeeded: nodeCount &- 1)
  }

  /// Reserves `count` nodes that are written at once; returns the first, or nil where the memory has to grow for them.
  @inline(__always)
  mutating func reserveNodes(_ count: Int) -> Int32? {
    guard count <= nodeCapacity &- nodeCount else { return nil }
    defer { nodeCount &+= count }
    return Int32(truncatingIfNeeded: nodeCount)
  }

  @inline(never)
  private mutating func growNodes() throws(Stop) {
    guard nodeCount < nodeLimit else { throw fail(.limit) }
    if nodeCapacity == nodes.capacity { nodes.grow(to: min(nodes.capacity * 2, limits.nodes), Self.noNode) }
    nodeCapacity = min(nodes.capacity, nodeLimit)
  }

  private static func grown<T>(_ memory: UnsafeMutablePointer<T>, _ count: Int, to capacity: Int) -> UnsafeMutablePointer<T> {
    let new = UnsafeMutablePointer<T>.allocate(capacity: capacity)
    unsafe new.moveInitialize(from: memory, count: count)
    unsafe memory.deallocate()
    return unsafe new
  }

  /// Reserves an object's slots, all unread; returns the first field's.
  @inline(__always)
  mutating func allocateSlots(_ count: Int) throws(Stop) -> Int {
    let total = count &+ Self.header
    if slotCount &+ total > slots.capacity {
      // Slots are bounded by the nodes: one list per object, and no type has more fields than its file has lines.
      guard slotCount < limits.nodes * 16 else { throw fail(.limit) }
      slots.grow(to: max(slots.capacity * 2, slotCount + total), Self.unread)
    }
    let base = slotCount &+ Self.header
    slots.fill(slotCount, total, Self.unread)
    slotCount &+= total
    return base
  }

  mutating func appendSlots(_ values: Int) throws(Stop) -> Int { try allocateSlots(values) }

  @inline(__always)
  mutating func append(_ stream: Stream) throws(Stop) -> Int {
    if streamCount == streams.capacity {
      guard streamCount < limits.nodes else { throw fail(.limit) }
      streams.grow(to: streams.capacity * 2, Self.noStream)
    }
    streams[streamCount] = stream
    streamCount &+= 1
    return streamCount &- 1
  }

  /// Reserves `count` produced bytes; returns their offset.
  mutating func produce(_ count: Int) throws(Stop) -> Int {
    let (needed, overflow) = producedCount.addingReportingOverflow(count)
    guard count >= 0, !overflow, needed <= limits.bytes else { throw fail(.limit) }
    if needed > producedCapacity {
      let capacity = max(producedCapacity * 2, needed)
      unsafe produced = unsafe Self.grown(produced, producedCount, to: capacity)
      producedCapacity = capacity
    }
    let offset = producedCount
    producedCount = needed
    return offset
  }

  /// Copies bytes into the produced bytes; returns their offset.
  mutating func produce(copying bytes: BorrowedBytes) throws(Stop) -> Int {
    let offset = try produce(bytes.count)
    unsafe UnsafeMutableRawPointer(produced + offset).copyMemory(from: bytes.start, byteCount: bytes.count)
    return offset
  }

  mutating func produce(copying content: [UInt8]) throws(Stop) -> Int {
    let offset = try produce(content.count)
    let target = unsafe UnsafeMutableRawPointer(produced + offset)
    unsafe content.withUnsafeBytes { bytes in
      if let base = bytes.baseAddress { unsafe target.copyMemory(from: base, byteCount: bytes.count) }
    }
    return offset
  }

  // MARK: Nodes

  /// The value of a node. It is read in place: copying the entire node would cost more than the rest.
  @inline(__always)
  mutating func value(_ number: Int32) -> KaitaiValue {
    switch nodes[Int(number)].kind {
    case .object, .array: return .node(nodes[Int(number)].kind, number)
    case .string, .bytes:
      return KaitaiValue(
        kind: nodes[Int(number)].kind, bits: nodes[Int(number)].payload,
        buffer: KaitaiValue.Buffer(rawValue: nodes[Int(number)].flags & TreeNode.bufferMask) ?? .input)
    case .enumeration:
      return KaitaiValue(
        kind: .enumeration, bits: nodes[Int(number)].payload, enumNumber: nodes[Int(number)].type,
        kindFlag: nodes[Int(number)].flags & TreeNode.kindFlag != 0)
    default:
      return KaitaiValue(
        kind: nodes[Int(number)].kind, bits: nodes[Int(number)].payload, kindFlag: nodes[Int(number)].flags & TreeNode.kindFlag != 0)
    }
  }

  /// Appends a node to the list of its container's fields or elements. Instances and parameters are not in that list.
  @inline(__always)
  mutating func link(_ node: Int32, into container: Int32) {
    if nodes[Int(container)].lastNumber < 0 {
      nodes[Int(container)].firstNumber = node
    } else {
      nodes[Int(nodes[Int(container)].lastNumber)].nextNumber = node
    }
    nodes[Int(container)].lastNumber = node
  }

  @inline(__always)
  mutating func isChained(_ field: Int32, in container: Int32) -> Bool {
    nodes[Int(container)].kind == .array || field < 0 || tables.fields[Int(field)].role == .sequence
  }

  /// The bytes of a value, which may be in another tree. The pointer is valid until further bytes are produced.
  @usableFromInline
  mutating func bytes(of value: KaitaiValue) -> BorrowedBytes {
    let count = value.byteCount
    let base: UnsafeRawPointer
    if value.source > 0 {
      guard let other = other(value.source) else { return BorrowedBytes() }
      var local = value
      local.source = 0
      return other.pointee.bytes(of: local)
    }
    let size: Int
    switch value.buffer {
    case .input: unsafe (base, size) = unsafe (input, inputCount)
    case .produced: unsafe (base, size) = unsafe (UnsafeRawPointer(produced), producedCount)
    case .program: unsafe (base, size) = unsafe (UnsafeRawPointer(tables.bytes), .max)
    case .environment:
      guard let environment = unsafe environment else { return BorrowedBytes() }
      unsafe (base, size) = unsafe (UnsafeRawPointer(environment.pointee.text), environment.pointee.textCount)
    }
    // A value that was kept beyond the next parse of its tree has no bytes: those at its offset belong to another value.
    guard value.offset &+ count <= size else { return BorrowedBytes() }
    return unsafe BorrowedBytes(start: base + value.offset, count: count)
  }

  /// The machine of another tree in the environment; nil where that tree has parsed something else since.
  mutating func other(_ source: UInt8) -> MachineReference? {
    guard let environment = unsafe environment, unsafe Int(source) <= environment.pointee.count,
      let machine = unsafe environment.pointee.machines[Int(source) - 1],
      unsafe machine.pointee.generation == environment.pointee.generations[Int(source) - 1], !machine.pointee.isEvaluating
    else { return nil }
    return machine
  }
}

/// The interpreter of a tree, which the tree allocates and frees.
@usableFromInline
@safe struct MachineReference: Equatable {
  @usableFromInline let pointer: UnsafeMutablePointer<Machine>

  init(_ machine: Machine) {
    unsafe pointer = .allocate(capacity: 1)
    unsafe pointer.initialize(to: machine)
  }

  func deallocate() {
    unsafe pointer.deinitialize(count: 1)
    unsafe pointer.deallocate()
  }

  @inlinable
  var pointee: Machine {
    @inline(__always)
    unsafeAddress { unsafe UnsafePointer(pointer) }
    @inline(__always)
    nonmutating unsafeMutableAddress { unsafe pointer }
  }

  @usableFromInline
  static func == (a: MachineReference, b: MachineReference) -> Bool { unsafe a.pointer == b.pointer }
}
