/// Elements in memory that outlives this value: that of the current batch, or of a filter. An index out of range traps.
@safe struct BorrowedBuffer<Element>: RandomAccessCollection {
  private let memory: UnsafeBufferPointer<Element>

  /// No elements.
  init() { unsafe memory = UnsafeBufferPointer(start: nil, count: 0) }

  /// The elements of `memory`, which has to outlive this value.
  @unsafe init(_ memory: UnsafeBufferPointer<Element>) { unsafe self.memory = memory }

  var rest: BorrowedBuffer { unsafe BorrowedBuffer(UnsafeBufferPointer(rebasing: memory.dropFirst())) }

  var startIndex: Int { 0 }
  var endIndex: Int { unsafe memory.count }

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
