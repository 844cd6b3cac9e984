/// Elements in memory of its own, which nothing counts references of. What was allocated is always initialised.
///
/// An index outside traps. The memory moves when it grows, so that elements are named by index.
@frozen
@safe public struct GrowingTable<Element>: ~Copyable {
  @usableFromInline var start: UnsafeMutablePointer<Element>
  @usableFromInline var used: Int
  @usableFromInline var room: Int
  /// Number of elements.
  @inlinable public var count: Int { used }
  /// Number of elements that there is room for.
  @inlinable public var capacity: Int { room }

  /// An empty table with room for `capacity` elements, at least one. `blank` stands where nothing was written yet.
  @inlinable
  public init(capacity: Int, blank: Element) {
    let capacity = max(capacity, 1)
    unsafe start = .allocate(capacity: capacity)
    unsafe start.initialize(repeating: blank, count: capacity)
    room = capacity
    used = 0
  }

  /// A table of `count` elements that are all the same.
  @inlinable
  public init(repeating element: Element, count: Int) {
    self.init(capacity: count, blank: element)
    used = max(count, 0)
  }

  @inlinable
  deinit {
    unsafe start.deinitialize(count: room)
    unsafe start.deallocate()
  }

  /// An element.
  @inlinable
  public subscript(index: Int) -> Element {
    @inline(__always)
    unsafeAddress {
      precondition(UInt(bitPattern: index) < UInt(bitPattern: count), "index outside of the table")
      return unsafe UnsafePointer(start + index)
    }
    @inline(__always)
    unsafeMutableAddress {
      precondition(UInt(bitPattern: index) < UInt(bitPattern: count), "index outside of the table")
      return unsafe start + index
    }
  }

  /// An element.
  @inlinable
  public subscript(index: Int32) -> Element {
    @inline(__always)
    unsafeAddress {
      precondition(UInt(bitPattern: Int(index)) < UInt(bitPattern: count), "index outside of the table")
      return unsafe UnsafePointer(start + Int(index))
    }
    @inline(__always)
    unsafeMutableAddress {
      precondition(UInt(bitPattern: Int(index)) < UInt(bitPattern: count), "index outside of the table")
      return unsafe start + Int(index)
    }
  }

  /// Appends an element, for which there has to be room.
  @inlinable @inline(__always)
  public mutating func appendWithinCapacity(_ element: Element) {
    precondition(count < capacity, "no room in the table")
    unsafe start[count] = element
    used &+= 1
  }

  /// Appends an element.
  @inlinable @inline(__always)
  public mutating func append(_ element: Element) {
    if count == capacity { grow(to: capacity * 2) }
    unsafe start[count] = element
    used &+= 1
  }

  /// Appends `more` elements for which there has to be room, and which keep what was written there last.
  @inlinable @inline(__always)
  public mutating func extend(by more: Int) {
    precondition(more >= 0 && more <= capacity &- count, "no room in the table")
    used &+= more
  }

  /// Appends the same element several times; there has to be room.
  @inlinable @inline(__always)
  public mutating func extend(by more: Int, repeating element: Element) {
    precondition(more >= 0 && more <= capacity &- count, "no room in the table")
    unsafe (start + count).update(repeating: element, count: more)
    used &+= more
  }

  /// Takes the last elements back, down to `count`.
  @inlinable @inline(__always)
  public mutating func truncate(to count: Int) {
    precondition(count >= 0 && count <= used, "more than there is")
    used = count
  }

  /// Makes room for `capacity` elements.
  @inlinable @inline(never)
  public mutating func grow(to capacity: Int) {
    guard capacity > room else { return }
    let grown = UnsafeMutablePointer<Element>.allocate(capacity: capacity)
    unsafe grown.moveInitialize(from: start, count: room)
    unsafe (grown + room).initialize(repeating: grown[0], count: capacity - room)
    unsafe start.deallocate()
    unsafe start = grown
    room = capacity
  }

  /// The elements as they are, for a reader that is gone before the table grows, is written or ends.
  @inlinable @inline(__always)
  @unsafe public var unretained: ConstantTable<Element> { unsafe ConstantTable(start: start, count: count) }

  /// The elements, for as long as the table is borrowed.
  @inlinable
  public var span: Span<Element> {
    @_lifetime(borrow self)
    get { unsafe _overrideLifetime(Span(_unsafeStart: start, count: count), borrowing: self) }
  }

  /// The elements, for as long as nothing else uses the table.
  @inlinable
  public var mutableSpan: MutableSpan<Element> {
    @_lifetime(&self)
    mutating get { unsafe _overrideLifetime(MutableSpan(_unsafeStart: start, count: count), mutating: &self) }
  }
}

extension GrowingTable<UInt8> {
  /// The bytes, for as long as the table is borrowed.
  @inlinable
  public var bytes: RawSpan {
    @_lifetime(borrow self)
    @inline(__always)
    get { unsafe _overrideLifetime(RawSpan(_unsafeStart: start, byteCount: count), borrowing: self) }
  }

  /// A copy of the bytes in a range.
  public func array(_ range: Range<Int>) -> [UInt8] { unsafe bytes.extracting(range).withUnsafeBytes { unsafe Array($0) } }

  /// The eight bytes from a place on, in the order of this machine.
  @inlinable @inline(__always)
  public func word(_ place: Int) -> UInt64 {
    precondition(place >= 0 && place <= count &- 8, "place outside of the table")
    return unsafe UnsafeRawPointer(start).loadUnaligned(fromByteOffset: place, as: UInt64.self)
  }

  /// Writes bytes over those from `place` on; they have to be there.
  @inlinable
  public mutating func write(_ bytes: RawSpan, at place: Int) {
    precondition(place >= 0 && bytes.byteCount <= count &- place, "place outside of the table")
    unsafe bytes.withUnsafeBytes { bytes in
      guard let from = bytes.baseAddress else { return }
      unsafe UnsafeMutableRawPointer(start + place).copyMemory(from: from, byteCount: bytes.count)
    }
  }

  /// Copies `length` bytes from one place to another.
  @inlinable
  public mutating func copy(from source: Int, to place: Int, count length: Int) {
    precondition(length >= 0 && source >= 0 && place >= 0 && length <= count &- max(source, place), "place outside of the table")
    unsafe UnsafeMutableRawPointer(start + place).copyMemory(from: start + source, byteCount: length)
  }
}
