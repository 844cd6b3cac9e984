import Text

/// Text with the number and the time of a row: from row to row mostly only the last two digits of the number and the last six of the time change.
final class FrameText {
  let text = TextBuffer()
  /// The first of the hundred frames for which the text is valid; `Int.max` where there are none.
  private var frame = Int.max
  /// Start of its second.
  private var second: Int64 = 0
  /// Offsets of the frame's last two digits, and of the six behind the second's point.
  private var digits = 0
  private var micros = 0

  /// Appends the text with another frame and time. Returns false where it has to be composed again.
  @inline(__always)
  func write(_ frame: Int, _ time: Int64, to cursor: inout TextBuffer.Cursor) -> Bool {
    let part = time &- second
    let more = frame &- self.frame
    guard part >= 0, part < 1_000_000, more >= 0, more < 100 else { return false }
    unsafe cursor.append(words: text.start, text.count, digits: (digits, more), micros: (micros, UInt32(truncatingIfNeeded: part)))
    return true
  }

  /// Invalidates the text.
  func forget() { frame = .max }

  /// Call after the text was composed for a frame and a time, with the offsets of the frame's last digit and of the microseconds.
  func composed(_ frame: Int, _ time: Int64, digit: Int, micros: Int) {
    // Negative times count seconds downwards, and frames below 100 have fewer digits: neither is updated in place.
    self.frame = time >= 0 && frame >= 100 ? frame - frame % 100 : .max
    second = time - time % 1_000_000
    digits = digit - 1
    self.micros = micros
    // It is copied in words of eight bytes.
    text.reserve(16)
  }
}

/// The beginning of a timeline's line, number and time, kept as text: the next line mostly changes only the last digits.
final class LinePrefix {
  private let format: TimeFormat
  private var first: Int64 = 0
  private var columns = TimelineColumns(packets: nil, seconds: 0, .r, Style())
  private let frameText = FrameText()

  init(_ format: TimeFormat) { self.format = format }

  /// A capture starts.
  func begin(first: Int64, _ columns: TimelineColumns) {
    self.first = first
    self.columns = columns
    frameText.forget()
  }

  /// Appends number and time, right-aligned in their columns.
  @inline(__always)
  func write(_ frame: Int, _ time: Int64, previous: Int64, _ clock: Clock, to out: TextBuffer) {
    let base: Int64
    switch format {
    case .r: base = first
    case .d: base = previous
    case .a, .ad, .u, .ud, .e: base = 0
    }
    var cursor = TextBuffer.Cursor(out)
    if frameText.write(frame, time &- base, to: &cursor) {
      cursor.finish()
    } else {
      compose(frame, time, previous, clock, time &- base)
      unsafe out.append(words: frameText.text.start, frameText.text.count)
    }
  }

  @inline(never)
  private func compose(_ frame: Int, _ time: Int64, _ previous: Int64, _ clock: Clock, _ elapsed: Int64) {
    let scratch = frameText.text
    scratch.clear()
    right(columns.frame) { scratch.decimal(frame) }
    let digit = scratch.count - 1
    scratch.spaces(columns.gap)
    right(columns.time) {
      clock.write(time, format, first: first, previous: previous, to: scratch)
      scratch.truncate(to: scratch.count - columns.droppedDigits)
    }
    // Digits are left out only on a terminal, which is slow enough to compose each line.
    if columns.droppedDigits == 0 {
      frameText.composed(frame, elapsed, digit: digit, micros: scratch.count - 6)
    } else {
      scratch.reserve(16)
    }
  }

  /// Appends what `write` appends, right-aligned in a column.
  private func right(_ width: Int, _ write: () -> Void) {
    let scratch = frameText.text
    let start = scratch.count
    write()
    let used = scratch.count - start
    guard used < width else { return }
    scratch.spaces(width - used)
    for index in stride(from: used - 1, through: 0, by: -1) {
      unsafe scratch.start[start + width - used + index] = unsafe scratch.start[start + index]
    }
    for index in 0..<(width - used) { unsafe scratch.start[start + index] = 0x20 }
  }
}
