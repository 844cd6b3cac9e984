/// A table that retains its objects once and gives access to them without retain and release, which would cost more than the rest of the
/// work for a packet.
@usableFromInline
@safe package struct UnretainedTable<Object: AnyObject>: ~Copyable {
  @usableFromInline var memory: UnsafeMutablePointer<Unmanaged<Object>?>
  private var capacity = 8
  /// Number of slots, empty ones included.
  @usableFromInline package private(set) var count = 0

  /// Makes a table without objects, or with `emptySlots` of them empty.
  package init(emptySlots: Int = 0) {
    capacity = max(emptySlots, 4)
    unsafe memory = .allocate(capacity: capacity)
    unsafe memory.initialize(repeating: nil, count: emptySlots)
    count = emptySlots
  }

  deinit {
    for index in 0..<count { unsafe memory[index]?.release() }
    unsafe memory.deallocate()
  }

  /// The object at an index; nil where there is none. It is valid as long as the table holds it.
  @inlinable
  @inline(__always)
  package subscript(index: Int) -> Unretained<Object>? {
    guard index >= 0, index < count, let reference = unsafe memory[index] else { return nil }
    return unsafe Unretained(reference: reference)
  }

  /// The object at an index, retained.
  package func object(_ index: Int) -> Object? { self[index]?.object }

  package mutating func append(_ object: Object?) {
    if count == capacity {
      let grown = UnsafeMutablePointer<Unmanaged<Object>?>.allocate(capacity: capacity * 2)
      unsafe grown.moveInitialize(from: memory, count: count)
      unsafe memory.deallocate()
      unsafe memory = unsafe grown
      capacity *= 2
    }
    unsafe (memory + count).initialize(to: object.map { unsafe .passRetained($0) })
    count += 1
  }

  /// Sets the object at an index below ``count``, or none.
  package mutating func set(_ index: Int, _ object: Object?) {
    guard index >= 0, index < count else { return }
    let old = unsafe memory[index]
    unsafe memory[index] = unsafe object.map { unsafe .passRetained($0) }
    unsafe old?.release()
  }

  package mutating func removeAll() {
    for index in 0..<count {
      unsafe memory[index]?.release()
      unsafe memory[index] = nil
    }
    count = 0
  }

  /// The objects, retained.
  package var objects: [Object] { (0..<count).compactMap { object($0) } }

  /// Calls `body` with each object.
  @inlinable
  @inline(__always)
  package func forEach(_ body: (Object) -> Void) {
    for index in 0..<count { unsafe memory[index]?._withUnsafeGuaranteedRef(body) }
  }

  /// The first index whose object meets the condition.
  @inlinable
  @inline(__always)
  package func firstIndex(where fits: (Object) -> Bool) -> Int? {
    for index in 0..<count { if let object = unsafe memory[index], unsafe object._withUnsafeGuaranteedRef(fits) { return index } }
    return nil
  }
}
