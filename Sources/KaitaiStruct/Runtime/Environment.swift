import Memory

/// Values of external names, set by the caller for each evaluation; created once and reused.
///
/// A name without value is absent. Not thread-safe.
@safe public final class KaitaiEnvironment {
  @safe struct Storage {
    var values: UnsafeMutablePointer<KaitaiValue>
    var machines: UnsafeMutablePointer<MachineReference?>
    /// The parse number of each machine when its node was set.
    var generations: UnsafeMutablePointer<Int>
    var text: UnsafeMutablePointer<UInt8>
    var textCapacity: Int
    var textCount: Int
    var count: Int
    /// Reads bodies for expressions; owned by the environment.
    var bodies: Unmanaged<Bodies>?
  }

  /// Holds the body reader.
  final class Bodies {
    let reader: any BodyReader

    init(_ reader: any BodyReader) { self.reader = reader }
  }

  /// Owns the memory that trees point to. It does not retain the trees: they retain it, and a cycle would never be freed.
  @safe final class Memory {
    let storage: UnsafeMutablePointer<Storage>

    init(_ storage: UnsafeMutablePointer<Storage>) { unsafe self.storage = unsafe storage }

    deinit {
      unsafe storage.pointee.values.deallocate()
      unsafe storage.pointee.machines.deallocate()
      unsafe storage.pointee.generations.deallocate()
      unsafe storage.pointee.text.deallocate()
      unsafe storage.deallocate()
    }
  }

  let storage: UnsafeMutablePointer<Storage>
  let memory: Memory
  private let ranges: UnsafeMutablePointer<(offset: Int, capacity: Int)>
  private var trees: [KaitaiTree?]
  private var retainedBodies: Bodies?

  /// The reader of bodies for expressions; without one, their contents are inaccessible.
  public var bodies: (any BodyReader)? {
    get { retainedBodies?.reader }
    set {
      retainedBodies = newValue.map(Bodies.init)
      unsafe storage.pointee.bodies = unsafe retainedBodies.map { unsafe .passUnretained($0) }
    }
  }

  /// Makes an environment for the external names of `program`, all absent.
  public init(_ program: KaitaiProgram) {
    let count = program.externalNames.count
    unsafe storage = .allocate(capacity: 1)
    let values = UnsafeMutablePointer<KaitaiValue>.allocate(capacity: max(count, 1))
    unsafe values.initialize(repeating: .absent, count: count)
    let machines = UnsafeMutablePointer<MachineReference?>.allocate(capacity: max(count, 1))
    unsafe machines.initialize(repeating: nil, count: count)
    let generations = UnsafeMutablePointer<Int>.allocate(capacity: max(count, 1))
    unsafe generations.initialize(repeating: 0, count: count)
    unsafe storage.initialize(
      to: Storage(
        values: values, machines: machines, generations: generations, text: .allocate(capacity: 64), textCapacity: 64, textCount: 0,
        count: count, bodies: nil))
    memory = unsafe Memory(storage)
    unsafe ranges = .allocate(capacity: max(count, 1))
    unsafe ranges.initialize(repeating: (0, 0), count: count)
    trees = Array(repeating: nil, count: count)
  }

  deinit {
    // For trees that outlive the environment all names are absent.
    for index in unsafe 0..<storage.pointee.count {
      unsafe storage.pointee.values[index] = .absent
      unsafe storage.pointee.machines[index] = nil
    }
    unsafe storage.pointee.bodies = nil
    unsafe ranges.deallocate()
  }

  private func put(_ id: ExternalID, _ value: KaitaiValue) {
    let index = Int(id.rawValue)
    guard index >= 0, unsafe index < storage.pointee.count else { return }
    unsafe storage.pointee.values[index] = value
  }

  /// Makes a name absent.
  public func clear(_ id: ExternalID) { put(id, .absent) }

  /// Sets a name to an integer.
  public func set(_ id: ExternalID, int value: Int64) { put(id, .int(value)) }

  /// Sets a name to an integer.
  public func set(_ id: ExternalID, uint value: UInt64) { put(id, .uint(value)) }

  /// Sets a name to a floating-point number.
  public func set(_ id: ExternalID, float value: Double) { put(id, .float(value)) }

  /// Sets a name to a boolean.
  public func set(_ id: ExternalID, bool value: Bool) { put(id, .bool(value)) }

  /// Sets a name to a text; its bytes are copied.
  public func set(_ id: ExternalID, text: String) {
    var text = text
    text.withUTF8 { unsafe copy(id, BorrowedBytes(UnsafeRawBufferPointer($0)), .string) }
  }

  /// Sets a name to bytes, which are copied.
  public func set(_ id: ExternalID, bytes: BorrowedBytes) { copy(id, bytes, .bytes) }

  /// Sets a name to bytes, which are copied.
  public func set(_ id: ExternalID, bytes: [UInt8]) { unsafe bytes.withUnsafeBytes { unsafe copy(id, BorrowedBytes($0), .bytes) } }

  /// Sets a name to a body of a format, whose bytes are copied: expressions access it through ``bodies``.
  public func set(_ id: ExternalID, body bytes: [UInt8], format: Int32) {
    unsafe bytes.withUnsafeBytes { unsafe set(id, body: BorrowedBytes($0), format: format) }
  }

  /// Sets a name to a body of a format, whose bytes are copied: expressions access it through ``bodies``.
  public func set(_ id: ExternalID, body bytes: BorrowedBytes, format: Int32) {
    copy(id, bytes, .bytes)
    let index = Int(id.rawValue)
    guard index >= 0, unsafe index < storage.pointee.count, unsafe storage.pointee.values[index].kind == .bytes else { return }
    unsafe storage.pointee.values[index] = unsafe storage.pointee.values[index].body(format)
  }

  /// Sets a name to a table of integers by integer key: expressions read it as `name[key]`, which is `absent` for missing keys.
  public func set(_ id: ExternalID, table: [Int64: Int64], absent: Int64) {
    // Pairs in the order of their keys, after the value for missing keys.
    var pairs: [Int64] = [0, absent]
    pairs.reserveCapacity(2 * table.count + 2)
    for (key, value) in table.sorted(by: { $0.key < $1.key }) {
      pairs.append(key)
      pairs.append(value)
    }
    unsafe pairs.withUnsafeBytes { unsafe copy(id, BorrowedBytes($0), .bytes) }
    let index = Int(id.rawValue)
    guard index >= 0, unsafe index < storage.pointee.count else { return }
    unsafe storage.pointee.values[index].kindFlag = true
  }

  /// Sets a name to a node of a tree of the same program, an object or array whose parts expressions can read.
  ///
  /// The tree is referenced, not copied: after its next parse, the name fails until it is set again.
  public func set(_ id: ExternalID, node: NodeID, of tree: KaitaiTree) {
    let index = Int(id.rawValue)
    guard index >= 0, unsafe index < storage.pointee.count, index < 255, let value = tree.value(of: node) else { return clear(id) }
    if trees[index] !== tree {
      trees[index] = tree
      unsafe storage.pointee.machines[index] = tree.machine
    }
    unsafe storage.pointee.generations[index] = tree.machine.pointee.generation
    var external = value
    external.source = UInt8(index + 1)
    put(id, external)
  }

  /// Sets a name to the result of an expression in `tree`; bytes and text are copied, objects and arrays are referenced as nodes.
  public func set(_ id: ExternalID, _ value: KaitaiValue, of tree: KaitaiTree) {
    switch value.kind {
    case .string, .bytes: tree.withBytes(of: value) { copy(id, $0, value.kind) }
    case .object, .array:
      if let node = value.asNode { set(id, node: node, of: tree) } else { clear(id) }
    case .stream: clear(id)
    default: put(id, value)
    }
  }

  private func copy(_ id: ExternalID, _ bytes: BorrowedBytes, _ kind: KaitaiValue.Kind) {
    let index = Int(id.rawValue)
    guard index >= 0, unsafe index < storage.pointee.count, bytes.count < 1 << 24 else { return clear(id) }
    if unsafe ranges[index].capacity < bytes.count {
      // A name keeps its memory, so that setting it repeatedly needs no more.
      let capacity = max(bytes.count * 2, 32)
      let needed = unsafe storage.pointee.textCount + capacity
      if unsafe needed > storage.pointee.textCapacity {
        let grown = UnsafeMutablePointer<UInt8>.allocate(capacity: needed * 2)
        unsafe grown.update(from: storage.pointee.text, count: storage.pointee.textCount)
        unsafe storage.pointee.text.deallocate()
        unsafe storage.pointee.text = unsafe grown
        unsafe storage.pointee.textCapacity = needed * 2
      }
      unsafe ranges[index] = unsafe (storage.pointee.textCount, capacity)
      unsafe storage.pointee.textCount += capacity
    }
    let offset = unsafe ranges[index].offset
    unsafe (storage.pointee.text + offset).update(from: bytes.start.assumingMemoryBound(to: UInt8.self), count: bytes.count)
    put(id, .bytes(kind, offset: offset, count: bytes.count, buffer: .environment))
  }
}
