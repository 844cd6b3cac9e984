/// An array in memory that is never freed: a pointer and a count, copied without reference counting. An index out of range traps.
@safe public struct StaticTable<Element>: RandomAccessCollection, @unchecked Sendable {
  @usableFromInline let start: UnsafePointer<Element>?
  /// Number of elements.
  public let count: Int

  /// Copies an array into memory that is never freed.
  init(_ elements: [Element]) {
    let storage = UnsafeMutablePointer<Element>.allocate(capacity: Swift.max(elements.count, 1))
    for (i, element) in elements.enumerated() { unsafe (storage + i).initialize(to: element) }
    unsafe start = UnsafePointer(storage)
    count = elements.count
  }

  /// Index of the first element.
  @inlinable
  public var startIndex: Int { 0 }
  /// Index after the last element.
  @inlinable
  public var endIndex: Int { count }

  /// The element at an index.
  @inlinable
  public subscript(index: Int) -> Element {
    unsafeAddress {
      guard let start = unsafe start, index >= 0, index < count else { preconditionFailure("index outside of the table") }
      return unsafe start + index
    }
  }
}

extension StaticTable<UInt8> {
  /// The bytes of a literal, without copying.
  init(_ text: StaticString) {
    unsafe start = text.utf8Start
    count = text.utf8CodeUnitCount
  }

  /// `count` bytes at `start`, which are never freed.
  init(start: UnsafePointer<UInt8>?, count: Int) {
    unsafe self.start = unsafe start
    self.count = count
  }

  /// A part of the bytes, as a text.
  func name(_ range: Range<Int>) -> StaticName {
    guard let start = unsafe start, range.lowerBound >= 0, range.upperBound <= count else { return .empty }
    return unsafe StaticName(start: start + range.lowerBound, count: range.count)
  }
}

extension StaticTable<LayoutOp> {
  /// The layout whose steps are a range of this table.
  func layout(_ range: Range<Int>) -> Layout {
    guard let start = unsafe start, range.lowerBound >= 0, range.upperBound <= count, !range.isEmpty else { return .none }
    return unsafe Layout(first: LayoutStep(start + range.lowerBound), count: range.count)
  }
}
