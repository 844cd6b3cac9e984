import Analysis
import Bluetooth
import Memory
import Text

extension TextBuffer {
  /// Appends a name of the tables.
  @inline(__always)
  func name(_ name: StaticName) { unsafe append(name.start, name.count) }

  /// Appends a name of the assigned numbers inside a JSON string: some companies have quotation marks in theirs.
  func assignedName(_ name: StaticName) { unsafe untrusted(BorrowedBytes(start: name.start, count: name.count), .json) }
}

extension TextBuffer.Cursor {
  /// Appends a name of the tables.
  @inline(__always)
  mutating func name(_ name: StaticName) { unsafe append(name.start, name.count) }
}

extension TextBuffer: MessageText {
  /// Hands over the buffered text, and continues in the memory of `spare`.
  func handOver(_ spare: (any MessageText)?) -> TextBuffer {
    let full = spare as? TextBuffer ?? TextBuffer()
    full.clear()
    exchange(with: full)
    return full
  }
}
