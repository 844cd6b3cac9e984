/// Elements that lie in memory which is good as long as they are used here: of the batch at hand, or of a filter. An index outside traps.
@safe struct Lent<Element>: RandomAccessCollection {
  private let memory: UnsafeBufferPointer<Element>

  /// No elements.
  init() { unsafe memory = UnsafeBufferPointer(start: nil, count: 0) }

  /// The elements of `memory`, which has to outlive this.
  @unsafe init(_ memory: UnsafeBufferPointer<Element>) { unsafe self.memory = memory }

  /// All but the first.
  var rest: Lent { unsafe Lent(UnsafeBufferPointer(rebasing: memory.dropFirst())) }

  /// Always 0.
  var startIndex: Int { 0 }
  /// Number of elements.
  var endIndex: Int { unsafe memory.count }

  /// An element.
  subscript(index: Int) -> Element {
    @inline(__always)
    unsafeAddress {
      guard let start = unsafe memory.baseAddress, index >= 0, index < endIndex else {
        preconditionFailure("index outside of what is lent")
      }
      return unsafe start + index
    }
  }
}
