/// How far a piece of a joined log was read: its bytes are counted once, however often it is read.
final class PieceCount {
  private let budget: ArchiveBudget
  private let packed: Int?
  private var furthest = 0

  /// `packed` are the bytes of its archive; nil where pieces are not packed in it, and have no more bytes than it has.
  init(_ budget: ArchiveBudget, packed: Int?) {
    self.budget = budget
    self.packed = packed
  }

  /// What there was more of than is read.
  var excess: String? { budget.excess }

  /// Takes what lies before `position`. Returns false where the pieces have more bytes than they may.
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
