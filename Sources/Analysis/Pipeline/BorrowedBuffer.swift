/// Elements in memory that outlives this value: of the current batch, or of a filter. An index out of range traps.
@safe struct BorrowedBuffer<Element>: RandomAccessCollection {
  private let memory: UnsafeBufferPointer<Element>

  /// No elements.
  init() { unsafe memory = UnsafeBufferPointer(start: nil, count: 0) }

  /// The elements of `memory`, which has to outlive this.
  @unsafe init(_ memory: UnsafeBufferPointer<Element>) { unsafe self.memory = memory }

  /// All but the first.
  var rest: BorrowedBuffer { unsafe BorrowedBuffer(UnsafeBufferPointer(rebasing: memory.dropFirst())) }

  /// Always 0.
  var startIndex: Int { 0 }
  /// Number of elements.
  var endIndex: Int { unsafe memory.count }

  /// An element.
  subscript(index: Int) -> Element {
    @inline(__always)
    unsafeAddress {
      guard let start = unsafe memory.baseAddress, index >= 0, index < endIndex else {
        preconditionFailure("index out of range")
      }
      return unsafe start + index
    }
  }
}
