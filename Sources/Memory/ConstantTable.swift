/// Elements that are written once and then only read, in memory that nothing counts references of.
///
/// An index outside traps. Copies share the memory, which lasts until ``deallocate()``: the one call that the compiler cannot check.
@frozen
@safe public struct ConstantTable<Element>: RandomAccessCollection {
  @usableFromInline let start: UnsafePointer<Element>
  /// Number of elements.
  public let count: Int

  /// Always 0.
  @inlinable public var startIndex: Int { 0 }
  /// Number of elements.
  @inlinable public var endIndex: Int { count }

  /// Copies an array to memory of its own.
  public init(_ elements: [Element]) {
    let memory = UnsafeMutablePointer<Element>.allocate(capacity: Swift.max(elements.count, 1))
    unsafe memory.initialize(from: elements, count: elements.count)
    unsafe start = UnsafePointer(memory)
    count = elements.count
  }

  @inlinable
  @unsafe init(start: UnsafePointer<Element>, count: Int) {
    unsafe self.start = start
    self.count = count
  }

  /// Gives the memory back: no copy of the table, and no row of it, is used from now on.
  @unsafe public func deallocate() {
    let memory = unsafe UnsafeMutablePointer(mutating: start)
    unsafe memory.deinitialize(count: count)
    unsafe memory.deallocate()
  }

  /// An element.
  @inlinable
  public subscript(index: Int) -> Element {
    @inline(__always)
    unsafeAddress {
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
      return unsafe start + Int(index)
    }
  }

  /// An element where it lies: its parts are read without another look at the index.
  @inlinable @inline(__always)
  @_lifetime(immortal)
  public func row(_ index: Int32) -> TableRow<Element> {
    precondition(UInt(bitPattern: Int(index)) < UInt(bitPattern: count), "index outside of the table")
    return unsafe TableRow(start + Int(index))
  }

  /// The elements in a range.
  @inlinable
  public func part(_ range: Range<Int>) -> ConstantTable {
    precondition(range.lowerBound >= 0 && range.upperBound <= count, "range outside of the table")
    return unsafe ConstantTable(start: start + range.lowerBound, count: range.count)
  }

  /// Whether two are copies of the same table.
  @inlinable
  public func isSame(as other: ConstantTable) -> Bool { unsafe start == other.start }
}

extension ConstantTable<UInt8> {
  /// The bytes, for as long as the table is borrowed.
  @inlinable
  public var bytes: RawSpan {
    @_lifetime(borrow self)
    get { unsafe _overrideLifetime(RawSpan(_unsafeStart: start, byteCount: count), borrowing: self) }
  }
}

extension ConstantTable: @unchecked Sendable where Element: Sendable {}

/// An element of a ``ConstantTable``, where it lies. It is handed down to the functions that a caller calls, and cannot be kept.
@frozen
@safe public struct TableRow<Element>: ~Escapable {
  @usableFromInline let address: UnsafePointer<Element>

  @inlinable @inline(__always)
  @_lifetime(immortal)
  @unsafe init(_ address: UnsafePointer<Element>) { unsafe self.address = address }

  /// The element.
  @inlinable
  public var pointee: Element {
    @inline(__always)
    unsafeAddress { unsafe address }
  }
}
