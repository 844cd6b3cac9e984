/// A table that retains its objects once and gives access to them without retain and release, which would cost more than the rest of the
/// work for a packet.
@usableFromInline
@safe package struct UnretainedTable<Object: AnyObject>: ~Copyable {
  @usableFromInline var memory: UnsafeMutablePointer<Unmanaged<Object>?>
  private var capacity = 8
  /// Number of slots, empty ones included.
  @usableFromInline package private(set) var count = 0

  /// Makes a table without objects, or with `places` empty slots.
  package init(places: Int = 0) {
    capacity = max(places, 4)
    unsafe memory = .allocate(capacity: capacity)
    unsafe memory.initialize(repeating: nil, count: places)
    count = places
  }

  deinit {
    for place in 0..<count { unsafe memory[place]?.release() }
    unsafe memory.deallocate()
  }

  /// The object at an index; nil where there is none. It is valid as long as the table holds it.
  @inlinable
  @inline(__always)
  package subscript(place: Int) -> Unretained<Object>? {
    guard place >= 0, place < count, let reference = unsafe memory[place] else { return nil }
    return unsafe Unretained(reference: reference)
  }

  /// The object at an index, retained.
  package func object(_ place: Int) -> Object? { self[place]?.object }

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
  package mutating func set(_ place: Int, _ object: Object?) {
    guard place >= 0, place < count else { return }
    let old = unsafe memory[place]
    unsafe memory[place] = unsafe object.map { unsafe .passRetained($0) }
    unsafe old?.release()
  }

  package mutating func removeAll() {
    for place in 0..<count {
      unsafe memory[place]?.release()
      unsafe memory[place] = nil
    }
    count = 0
  }

  /// The objects, retained.
  package var objects: [Object] { (0..<count).compactMap { object($0) } }

  /// Calls `body` with each object.
  @inlinable
  @inline(__always)
  package func forEach(_ body: (Object) -> Void) {
    for place in 0..<count { unsafe memory[place]?._withUnsafeGuaranteedRef(body) }
  }

  /// The first index whose object meets the condition.
  @inlinable
  @inline(__always)
  package func firstIndex(where fits: (Object) -> Bool) -> Int? {
    for place in 0..<count { if let object = unsafe memory[place], unsafe object._withUnsafeGuaranteedRef(fits) { return place } }
    return nil
  }
}
