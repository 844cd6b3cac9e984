import Memory
import PacketCodecs

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#endif

/// A range of bytes that is read from its start on: `_io` of the specification.
@usableFromInline
struct Stream: BitwiseCopyable {
  /// Where the window begins in its buffer.
  var start: Int
  var size: Int
  /// Offset of the next byte, from the start of the window.
  var position: Int
  var isProduced: Bool
  /// Bits of the byte before `position` that are not used yet.
  var bitsLeft: UInt8
  var bitsAreLittle: Bool
}

/// The interpreter: it walks the tables of a program over bytes and fills the memory of a tree.
///
/// Nothing of its memory is retained or released while parsing.
@usableFromInline
@safe struct Machine: ~Copyable {
  @usableFromInline var nodes: GrowingTable<TreeNode>
  /// Per object: its own node, depth, root, parent, then the nodes of its fields.
  @usableFromInline var slots: GrowingTable<Int32>
  var streams: GrowingTable<Stream>
  /// What `process`, decoding and expressions made.
  var produced: GrowingTable<UInt8>
  /// The bytes that are parsed, where they were copied.
  private var copied: GrowingTable<UInt8>
  /// The bytes that are parsed, where they stay with the caller of ``KaitaiTree/parse(borrowing:as:environment:)``.
  private var borrowed: UnsafeRawPointer?
  /// Number of bytes that are parsed.
  private(set) var inputCount = 0

  @usableFromInline var tables: Tables
  unowned(unsafe) var program: KaitaiProgram
  var environment: HeapCell<KaitaiEnvironment.Storage>?
  let limits: Limits
  var depth = 0
  var evaluationDepth = 0
  var steps: Int
  /// `_` and `_index` of the innermost repetition.
  var it = KaitaiValue.absent
  var index: Int64 = 0
  /// The cell of this machine, by which it recognises values of its own tree in the environment.
  var this: HeapCell<Machine>?
  /// Another tree evaluates something for this one, and must not ask this one in turn: both would wait for ever.
  var isAsking = false
  /// A ``Writer`` uses the machine: streams have sizes and positions, but no bytes.
  var isWriting = false
  /// Number of parses so far; node numbers are valid within one.
  var generation = 0
  /// Arguments of the outermost type, until it takes them.
  var pendingArguments: [KaitaiValue] = []
  /// Why the last ``Stop`` was thrown.
  var failure = Failure(.limit)
  /// The last parse ended early, for this reason.
  var hasEnded = false
  var parseFailure = Failure(.limit)
  /// Failures of instances; their slots refer to them.
  var failures: [Failure] = []

  /// The states of a slot that holds no node.
  static let unread = Int32(-1)
  static let inWork = Int32(-2)
  static let missing = Int32(-3)
  /// Slots from here down say which failure an instance has.
  static let firstFailure = Int32(-16)
  /// Slots before those of the fields.
  static let header = 4

  init(limits: Limits, program: KaitaiProgram) {
    self.limits = limits
    unsafe self.program = program
    tables = program.tables
    nodes = GrowingTable(capacity: 64, blank: TreeNode(kind: .absent, payload: 0, field: -1, parent: -1, start: 0, end: 0))
    slots = GrowingTable(capacity: 128, blank: Self.unread)
    streams = GrowingTable(
      capacity: 16, blank: Stream(start: 0, size: 0, position: 0, isProduced: false, bitsLeft: 0, bitsAreLittle: false))
    produced = GrowingTable(capacity: 64, blank: 0)
    copied = GrowingTable(capacity: 256, blank: 0)
    steps = limits.steps
  }

  /// Forgets what was parsed; memory stays for the next.
  mutating func reset() {
    generation &+= 1
    isAsking = false
    nodes.truncate(to: 0)
    slots.truncate(to: 0)
    streams.truncate(to: 0)
    produced.truncate(to: 0)
    copied.truncate(to: 0)
    unsafe borrowed = nil
    inputCount = 0
    depth = 0
    evaluationDepth = 0
    steps = limits.steps
    it = .absent
    index = 0
    if !failures.isEmpty { failures.removeAll(keepingCapacity: true) }
  }

  /// Copies `bytes` as the input.
  mutating func take(_ bytes: RawSpan) {
    if bytes.byteCount > copied.capacity { copied.grow(to: bytes.byteCount * 2) }
    copied.truncate(to: 0)
    copied.extend(by: bytes.byteCount)
    copied.write(bytes, at: 0)
    unsafe borrowed = nil
    inputCount = bytes.byteCount
  }

  /// Uses `bytes` as the input without a copy: they stay where they are until the next input.
  @unsafe mutating func borrow(_ bytes: UnsafeRawBufferPointer) {
    unsafe borrowed = bytes.baseAddress
    inputCount = bytes.count
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

  // MARK: Allocating

  @inline(__always)
  mutating func append(_ node: TreeNode) throws(Stop) -> Int32 {
    if nodes.count == nodes.capacity { try growNodes() }
    nodes.appendWithinCapacity(node)
    return Int32(truncatingIfNeeded: nodes.count &- 1)
  }

  /// Makes room for `count` nodes that are written at once; gives the first, or nil where the memory has to grow for them.
  @inline(__always)
  mutating func reserveNodes(_ count: Int) -> Int32? {
    guard count <= nodes.capacity &- nodes.count else { return nil }
    let first = Int32(truncatingIfNeeded: nodes.count)
    nodes.extend(by: count)
    return first
  }

  @inline(never)
  private mutating func growNodes() throws(Stop) {
    guard nodes.count < limits.nodes else { throw fail(.limit) }
    nodes.grow(to: min(nodes.capacity * 2, limits.nodes))
  }

  /// Makes room for an object's slots, all unread; gives the first field's.
  @inline(__always)
  mutating func allocateSlots(_ count: Int) throws(Stop) -> Int {
    let total = count &+ Self.header
    // Few slots are written eight at a time.
    if slots.count &+ max(total, 8) > slots.capacity {
      // Slots are bounded by the nodes: one list per object, and no type has more fields than its file has lines.
      guard slots.count < limits.nodes * 16 else { throw fail(.limit) }
      slots.grow(to: max(slots.capacity * 2, slots.count + max(total, 8)))
    }
    let base = slots.count &+ Self.header
    if total <= 8 {
      slots.extend(by: 8, repeating: Self.unread)
      slots.truncate(to: base &- Self.header &+ total)
    } else {
      slots.extend(by: total, repeating: Self.unread)
    }
    return base
  }

  mutating func appendSlots(_ values: Int) throws(Stop) -> Int { try allocateSlots(values) }

  @inline(__always)
  mutating func append(_ stream: Stream) throws(Stop) -> Int {
    if streams.count == streams.capacity {
      guard streams.count < limits.nodes else { throw fail(.limit) }
      streams.grow(to: streams.capacity * 2)
    }
    streams.appendWithinCapacity(stream)
    return streams.count &- 1
  }

  /// Makes room for `count` produced bytes; gives their offset.
  mutating func produce(_ count: Int) throws(Stop) -> Int {
    let offset = produced.count
    let (needed, overflow) = offset.addingReportingOverflow(count)
    guard count >= 0, !overflow, needed <= limits.bytes else { throw fail(.limit) }
    if needed > produced.capacity { produced.grow(to: max(produced.capacity * 2, needed)) }
    produced.extend(by: count)
    return offset
  }

  mutating func produce(copying content: [UInt8]) throws(Stop) -> Int {
    let offset = try produce(content.count)
    produced.write(content.rawSpan, at: offset)
    return offset
  }

  /// Copies the bytes of a value; gives their offset among the produced.
  mutating func produce(copying value: KaitaiValue) throws(Stop) -> Int {
    let offset = try produce(bytes(of: value).byteCount)
    copy(value, to: offset)
    return offset
  }

  /// Copies the bytes of a value over produced ones.
  mutating func copy(_ value: KaitaiValue, to offset: Int) {
    // They may be produced bytes too. None of these move here.
    let content = unsafe bytes(of: value).withUnsafeBytes { unsafe $0 }
    unsafe produced.write(RawSpan(_unsafeBytes: content), at: offset)
  }

  // MARK: Nodes

  /// The value of a node. It is read in place: copying the whole node would cost more than the rest.
  @inline(__always)
  func value(_ number: Int32) -> KaitaiValue {
    switch nodes[number].kind {
    case .object, .array: return .node(nodes[number].kind, number)
    case .string, .bytes:
      return KaitaiValue(
        kind: nodes[number].kind, bits: nodes[number].payload,
        buffer: KaitaiValue.Buffer(rawValue: nodes[number].flags & TreeNode.bufferMask) ?? .input)
    case .enumeration:
      return KaitaiValue(
        kind: .enumeration, bits: nodes[number].payload, enumNumber: nodes[number].type, mark: nodes[number].flags & TreeNode.marked != 0)
    default: return KaitaiValue(kind: nodes[number].kind, bits: nodes[number].payload, mark: nodes[number].flags & TreeNode.marked != 0)
    }
  }

  /// Appends a node to the list of its container's fields or elements. Instances and parameters are not in that list.
  @inline(__always)
  mutating func link(_ node: Int32, into container: Int32) {
    let last = nodes[container].lastNumber
    if last < 0 { nodes[container].firstNumber = node } else { nodes[last].nextNumber = node }
    nodes[container].lastNumber = node
  }

  @inline(__always)
  func isChained(_ field: Int32, in container: Int32) -> Bool {
    nodes[container].kind == .array || field < 0 || tables.fields[field].role == .sequence
  }

  // MARK: Bytes

  /// The bytes that are parsed, or those that were produced.
  @inline(__always)
  @_lifetime(borrow self)
  func memory(isProduced: Bool) -> RawSpan {
    if isProduced { return produced.bytes }
    guard let borrowed = unsafe borrowed else { return copied.bytes }
    // They stay where they are until there is another input.
    return unsafe _overrideLifetime(RawSpan(_unsafeStart: borrowed, byteCount: inputCount), borrowing: self)
  }

  /// The bytes of a value; those of another tree where the value lies there.
  @usableFromInline
  @_lifetime(borrow self)
  func bytes(of value: KaitaiValue) -> RawSpan {
    let all: RawSpan
    if value.source > 0 {
      guard let other = other(value.source) else { return RawSpan() }
      var own = value
      own.source = 0
      // The environment keeps the other tree.
      return unsafe _overrideLifetime(other.pointee.bytes(of: own), borrowing: self)
    }
    switch value.buffer {
    case .input: all = memory(isProduced: false)
    case .produced: all = produced.bytes
    // Tables last as long as the program, which the tree keeps.
    case .program: all = unsafe _overrideLifetime(tables.bytes.bytes, borrowing: self)
    case .environment:
      guard let environment else { return RawSpan() }
      // The tree keeps the environment's memory.
      all = unsafe _overrideLifetime(environment.pointee.text.bytes, borrowing: self)
    }
    // A value that was kept beyond the next parse of its tree has no bytes: those at its place belong to another value.
    let (offset, count) = (value.offset, value.byteCount)
    guard count <= all.byteCount &- offset else { return RawSpan() }
    return all.extracting(offset..<offset &+ count)
  }

  /// The machine of another tree that the environment knows; nil where it has parsed something else since.
  func other(_ source: UInt8) -> HeapCell<Machine>? {
    guard let environment, Int(source) <= environment.pointee.count, let machine = environment.pointee.machines[Int(source) - 1],
      machine.pointee.generation == environment.pointee.generations[Int(source) - 1], !machine.pointee.isAsking
    else { return nil }
    return machine
  }
}
