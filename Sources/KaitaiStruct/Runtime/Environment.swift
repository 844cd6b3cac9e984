import Memory
import PacketCodecs

/// Values of external names, given by the caller at each evaluation; made once and reused.
///
/// A name without value is absent. Not thread-safe.
@safe public final class KaitaiEnvironment {
  @safe struct Storage: ~Copyable {
    var values: GrowingTable<KaitaiValue>
    var machines: GrowingTable<HeapCell<Machine>?>
    /// Which parse of each machine its node is of.
    var generations: GrowingTable<Int>
    var text = GrowingTable<UInt8>(capacity: 64, blank: 0)
    let count: Int
    /// Reads bodies that expressions look into; owned by the environment.
    var bodies: Unmanaged<Bodies>?
  }

  /// Holds who reads bodies.
  final class Bodies {
    let reader: any BodyReader

    init(_ reader: any BodyReader) { self.reader = reader }
  }

  /// Owns the memory that trees point to. It does not retain the trees: they retain it, and a cycle would never be freed.
  @safe final class Memory {
    let storage: HeapCell<Storage>

    init(_ storage: HeapCell<Storage>) { self.storage = storage }

    // Environment and trees hold the storage as long as they hold this.
    deinit { unsafe storage.deallocate() }
  }

  let storage: HeapCell<Storage>
  let memory: Memory
  private var places: [(offset: Int, capacity: Int)]
  private var trees: [KaitaiTree?]
  private var ownBodies: Bodies?

  /// Who reads the bodies that expressions look into; without one, none can be looked into.
  public var bodies: (any BodyReader)? {
    get { ownBodies?.reader }
    set {
      ownBodies = newValue.map(Bodies.init)
      unsafe storage.pointee.bodies = unsafe ownBodies.map { unsafe .passUnretained($0) }
    }
  }

  /// Makes an environment for the external names of `program`, all absent.
  public init(_ program: KaitaiProgram) {
    let count = program.externalNames.count
    storage = unsafe HeapCell(
      Storage(
        values: GrowingTable(repeating: .absent, count: count), machines: GrowingTable(repeating: nil, count: count),
        generations: GrowingTable(repeating: 0, count: count), count: count, bodies: nil))
    memory = Memory(storage)
    places = Array(repeating: (0, 0), count: count)
    trees = Array(repeating: nil, count: count)
  }

  deinit {
    // For trees that outlive the environment all names are absent.
    for index in 0..<storage.pointee.count {
      storage.pointee.values[index] = .absent
      storage.pointee.machines[index] = nil
    }
    unsafe storage.pointee.bodies = nil
  }

  private func put(_ id: ExternalID, _ value: KaitaiValue) {
    let index = Int(id.rawValue)
    guard index >= 0, index < storage.pointee.count else { return }
    storage.pointee.values[index] = value
  }

  /// Makes a name absent.
  public func clear(_ id: ExternalID) { put(id, .absent) }

  /// Gives a name a whole number.
  public func set(_ id: ExternalID, int value: Int64) { put(id, .int(value)) }

  /// Gives a name a whole number.
  public func set(_ id: ExternalID, uint value: UInt64) { put(id, .uint(value)) }

  /// Gives a name a floating-point number.
  public func set(_ id: ExternalID, float value: Double) { put(id, .float(value)) }

  /// Gives a name a truth.
  public func set(_ id: ExternalID, bool value: Bool) { put(id, .bool(value)) }

  /// Gives a name text; its bytes are copied.
  public func set(_ id: ExternalID, text: String) {
    copy(id, Array(text.utf8).rawSpan, .string)
  }

  /// Gives a name bytes, which are copied.
  public func set(_ id: ExternalID, bytes: UnsafeRawBufferPointer) { unsafe copy(id, RawSpan(_unsafeBytes: bytes), .bytes) }

  /// Gives a name a body of a format, whose bytes are copied: expressions look into it through ``bodies``.
  public func set(_ id: ExternalID, body bytes: UnsafeRawBufferPointer, format: Int32) {
    unsafe copy(id, RawSpan(_unsafeBytes: bytes), .bytes)
    let index = Int(id.rawValue)
    guard index >= 0, index < storage.pointee.count, storage.pointee.values[index].kind == .bytes else { return }
    storage.pointee.values[index] = storage.pointee.values[index].body(format)
  }

  /// Gives a name a table of whole numbers by whole number: expressions read it as `name[key]`, which is `absent` where the key is not in it.
  public func set(_ id: ExternalID, table: [Int64: Int64], absent: Int64) {
    // Pairs in the order of their keys, behind what stands for keys that are not there.
    var pairs: [Int64] = [0, absent]
    pairs.reserveCapacity(2 * table.count + 2)
    for (key, value) in table.sorted(by: { $0.key < $1.key }) {
      pairs.append(key)
      pairs.append(value)
    }
    unsafe copy(id, pairs.span.bytes, .bytes)
    let index = Int(id.rawValue)
    guard index >= 0, index < storage.pointee.count else { return }
    storage.pointee.values[index].mark = true
  }

  /// Gives a name a node of a tree of the same program, an object or array of which expressions read the parts.
  ///
  /// The tree is kept, not copied: where it parses something else, the name fails until it is set again.
  public func set(_ id: ExternalID, node: NodeID, of tree: KaitaiTree) {
    let index = Int(id.rawValue)
    guard index >= 0, index < storage.pointee.count, index < 255, let value = tree.value(of: node) else { return clear(id) }
    if trees[index] !== tree {
      trees[index] = tree
      storage.pointee.machines[index] = tree.machine
    }
    storage.pointee.generations[index] = tree.machine.pointee.generation
    var external = value
    external.source = UInt8(index + 1)
    put(id, external)
  }

  /// Gives a name what an expression gave in `tree`; bytes and text are copied, objects and arrays are kept as nodes.
  public func set(_ id: ExternalID, _ value: KaitaiValue, of tree: KaitaiTree) {
    switch value.kind {
    case .string, .bytes: copy(id, tree.bytes(of: value), value.kind)
    case .object, .array:
      if let node = value.asNode { set(id, node: node, of: tree) } else { clear(id) }
    case .stream: clear(id)
    default: put(id, value)
    }
  }

  private func copy(_ id: ExternalID, _ bytes: RawSpan, _ kind: KaitaiValue.Kind) {
    let index = Int(id.rawValue)
    guard index >= 0, index < storage.pointee.count, bytes.byteCount < 1 << 24 else { return clear(id) }
    if places[index].capacity < bytes.byteCount {
      // A name keeps its place, so that setting it again and again needs no more memory.
      let capacity = max(bytes.byteCount * 2, 32)
      let end = storage.pointee.text.count
      if end + capacity > storage.pointee.text.capacity { storage.pointee.text.grow(to: (end + capacity) * 2) }
      storage.pointee.text.extend(by: capacity)
      places[index] = (end, capacity)
    }
    let offset = places[index].offset
    storage.pointee.text.write(bytes, at: offset)
    put(id, .bytes(kind, offset: offset, count: bytes.byteCount, buffer: .environment))
  }
}
