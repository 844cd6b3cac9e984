/// The furthest position read in a piece of a joined log: its bytes are counted once, even if it is read several times.
final class PieceCount {
  private let budget: ArchiveBudget
  private let packed: Int?
  private var furthest = 0

  /// `packed` is the size of its archive; nil if pieces are not compressed in it, and thus no larger than the archive.
  init(_ budget: ArchiveBudget, packed: Int?) {
    self.budget = budget
    self.packed = packed
  }

  /// The bound that was exceeded, as text.
  var excess: String? { budget.excess }

  /// Counts the bytes before `position`. Returns false where the pieces exceed their bound.
  func take(upTo position: Int) -> Bool {
    guard let packed, position > furthest else { return true }
    guard budget.takeJoined(position - furthest, of: packed) else { return false }
    furthest = position
    return true
  }
}

/// A piece of a joined log, whose bytes are counted.
final class CountedInput: ByteInput {
  private let inner: any ByteInput
  private let count: PieceCount
  private var position = 0
  private var isOver = false

  init(_ inner: any ByteInput, _ count: PieceCount) {
    self.inner = inner
    self.count = count
  }

  var path: String { inner.path }
  var size: Int? { inner.size }
  var progress: (read: Int, total: Int?) { inner.progress }
  var trouble: String? { isOver ? count.excess : inner.trouble }

  func read(into buffer: UnsafeMutableRawBufferPointer) throws(CaptureError) -> Int {
    if isOver { return 0 }
    let got = unsafe try inner.read(into: buffer)
    position += got
    isOver = !count.take(upTo: position)
    return isOver ? 0 : got
  }

  var canRewind: Bool { inner.canRewind }

  func rewind() throws(CaptureError) -> Bool {
    guard try inner.rewind() else { return false }
    (position, isOver) = (0, false)
    return true
  }
}
