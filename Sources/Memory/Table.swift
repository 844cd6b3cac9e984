/// An immutable table of values in memory of its own. It is not reference-counted, so that parsing retains nothing: its owner frees it.
@usableFromInline
@safe package struct Table<Element> {
  @usableFromInline package let base: UnsafePointer<Element>
  @usableFromInline package let count: Int

  /// Makes a table of the elements of an array.
  package init(_ array: [Element]) {
    let memory = UnsafeMutablePointer<Element>.allocate(capacity: max(array.count, 1))
    unsafe memory.initialize(from: array, count: array.count)
    unsafe base = UnsafePointer(memory)
    count = array.count
  }

  /// Frees the memory. Elements are not deinitialized, so they must be trivial.
  package func deallocate() { unsafe base.deallocate() }

  /// The indices of its elements.
  @inlinable package var indices: Range<Int> { 0..<count }

  /// A part of the table, which must not be freed itself.
  package func extracting(_ range: Range<Int>) -> Table {
    precondition(range.lowerBound >= 0 && range.upperBound <= count)
    return unsafe Table(base: base + range.lowerBound, count: range.count)
  }

  private init(base: UnsafePointer<Element>, count: Int) {
    unsafe self.base = base
    self.count = count
  }

  /// Whether both have the same memory.
  package func isSame(as other: Table) -> Bool { unsafe base == other.base }

  @inlinable
  package subscript(index: Int) -> Element {
    @inline(__always)
    unsafeAddress {
      precondition(UInt(bitPattern: index) < UInt(bitPattern: count))
      return unsafe base + index
    }
  }

  /// A reference to the element at an index, which checks the index once.
  @inlinable
  @inline(__always)
  package func entry(_ index: Int) -> Entry {
    precondition(UInt(bitPattern: index) < UInt(bitPattern: count))
    return unsafe Entry(pointer: base + index)
  }

  /// A reference to an element of a table, valid until the table is freed.
  @usableFromInline
  @safe package struct Entry {
    @usableFromInline package let pointer: UnsafePointer<Element>

    @inlinable
    package init(pointer: UnsafePointer<Element>) { unsafe self.pointer = pointer }

    @inlinable
    package var pointee: Element {
      @inline(__always)
      unsafeAddress { unsafe pointer }
    }
  }
}

/// A mutable table of values that can grow. It is not reference-counted: its owner frees it.
@usableFromInline
@safe package struct GrowingTable<Element> {
  @usableFromInline package private(set) var base: UnsafeMutablePointer<Element>
  @usableFromInline package private(set) var capacity: Int

  /// Makes a table of `capacity` elements with the same value.
  package init(repeating element: Element, capacity: Int) {
    unsafe base = .allocate(capacity: max(capacity, 1))
    unsafe base.initialize(repeating: element, count: capacity)
    self.capacity = capacity
  }

  package func deallocate() {
    unsafe base.deinitialize(count: capacity)
    unsafe base.deallocate()
  }

  /// Grows to `capacity` elements, which must not be fewer than before; the new ones are `element`.
  package mutating func grow(to capacity: Int, _ element: Element) {
    precondition(capacity >= self.capacity)
    let new = UnsafeMutablePointer<Element>.allocate(capacity: max(capacity, 1))
    unsafe new.moveInitialize(from: base, count: self.capacity)
    unsafe (new + self.capacity).initialize(repeating: element, count: capacity - self.capacity)
    unsafe base.deallocate()
    unsafe base = new
    self.capacity = capacity
  }

  /// Overwrites the first elements with `others`, which must not be more than ``capacity``.
  package func replace(with others: UnsafeBufferPointer<Element>) {
    precondition(others.count <= capacity)
    if let first = others.baseAddress { unsafe base.update(from: first, count: others.count) }
  }

  /// Sets `count` elements from an index on to the same value.
  @inlinable
  @inline(__always)
  package func fill(_ start: Int, _ count: Int, _ element: Element) {
    precondition(start >= 0 && count >= 0 && count <= capacity &- start)
    unsafe (base + start).update(repeating: element, count: count)
  }

  /// Sets all elements to the same value.
  package func fill(_ element: Element) { fill(0, capacity, element) }

  /// Copies `count` elements from one index to another.
  @inlinable
  package func copy(_ source: Int, _ count: Int, to target: Int) {
    precondition(source >= 0 && target >= 0 && count >= 0 && count <= capacity &- max(source, target))
    unsafe (base + target).update(from: base + source, count: count)
  }

  /// The address of the element at an index, valid until the table grows or is freed.
  @inlinable
  package func address(_ index: Int) -> UnsafeMutablePointer<Element> {
    precondition(UInt(bitPattern: index) < UInt(bitPattern: capacity))
    return unsafe base + index
  }

  /// The elements of a range.
  package subscript(range: Range<Int>) -> [Element] {
    precondition(range.lowerBound >= 0 && range.upperBound <= capacity)
    return unsafe Array(UnsafeBufferPointer(start: base + range.lowerBound, count: range.count))
  }

  @inlinable
  package subscript(index: Int) -> Element {
    @inline(__always)
    unsafeAddress {
      precondition(UInt(bitPattern: index) < UInt(bitPattern: capacity))
      return unsafe UnsafePointer(base + index)
    }
    @inline(__always)
    nonmutating unsafeMutableAddress {
      precondition(UInt(bitPattern: index) < UInt(bitPattern: capacity))
      return unsafe base + index
    }
  }

  /// A reference to the element at an index, which checks the index once.
  @inlinable
  @inline(__always)
  package func entry(_ index: Int) -> Entry {
    precondition(UInt(bitPattern: index) < UInt(bitPattern: capacity))
    return unsafe Entry(pointer: base + index)
  }

  /// A reference to an element of a table, valid until the table grows or is freed.
  @usableFromInline
  @safe package struct Entry {
    @usableFromInline package let pointer: UnsafeMutablePointer<Element>

    @inlinable
    package init(pointer: UnsafeMutablePointer<Element>) { unsafe self.pointer = pointer }

    @inlinable
    package var pointee: Element {
      @inline(__always)
      unsafeAddress { unsafe UnsafePointer(pointer) }
      @inline(__always)
      nonmutating unsafeMutableAddress { unsafe pointer }
    }
  }
}
