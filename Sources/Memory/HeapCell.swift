/// A value on the heap that several hold, and nothing counts references of.
///
/// Copies share the value, which lasts until ``deallocate()``: the one call that the compiler cannot check.
@frozen
@safe public struct HeapCell<Value: ~Copyable>: Equatable {
  @usableFromInline let address: UnsafeMutablePointer<Value>

  /// Puts a value on the heap.
  public init(_ value: consuming Value) {
    unsafe address = .allocate(capacity: 1)
    unsafe address.initialize(to: value)
  }

  /// Ends the value: no copy of the cell is used from now on.
  @unsafe public func deallocate() {
    unsafe address.deinitialize(count: 1)
    unsafe address.deallocate()
  }

  /// The value.
  @inlinable
  public var pointee: Value {
    @inline(__always)
    unsafeAddress { unsafe UnsafePointer(address) }
    @inline(__always)
    nonmutating unsafeMutableAddress { unsafe address }
  }

  /// Whether two are copies of the same cell.
  @inlinable
  public static func == (one: HeapCell, other: HeapCell) -> Bool { unsafe one.address == other.address }
}
