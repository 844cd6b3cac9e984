import Comparison
import Memory
import Output
import Text

/// The lines that a command printed, kept in memory up to a bound.
final class LineCollector: TextDestination {
  let path = "memory"
  private(set) var lines: [[UInt8]] = []
  /// Whether there were more lines than are kept.
  private(set) var isFull = false
  private var rest: [UInt8] = []
  private var size = 0

  /// Most lines, and most bytes, that are kept.
  static let maxLines = 200_000
  private static let maxBytes = 64 << 20

  func write(_ bytes: BorrowedBytes) throws(OutputError) {
    var start = bytes.startIndex
    while let end = bytes[start...].firstIndex(of: 0x0A) {
      rest.append(contentsOf: bytes[start..<end])
      add()
      start = end + 1
    }
    if !isFull { rest.append(contentsOf: bytes[start...]) }
  }

  func finish() throws { if !rest.isEmpty { add() } }

  private func add() {
    isFull = isFull || lines.count >= Self.maxLines || size + rest.count > Self.maxBytes
    if !isFull {
      size += rest.count
      lines.append(rest)
    }
    rest.removeAll(keepingCapacity: true)
  }
}

/// The differences between a timeline and the previous one, line by line.
struct TimelineChanges {
  /// A line and its change: unchanged, replaced, new, or removed.
  enum Line: Equatable {
    case same(Int)
    case changed(from: Int, to: Int)
    case added(Int)
    case removed(Int)
  }

  /// All lines in order; the numbers are indices of the old lines, for ``Line/same(_:)`` and ``Line/added(_:)`` of the new ones.
  private(set) var lines: [Line] = []
  private(set) var changed = 0, added = 0, removed = 0

  init(from old: [[UInt8]], to new: [[UInt8]]) {
    // Equal lines have equal numbers.
    var numbers: [[UInt8]: Int32] = [:]
    func number(_ line: [UInt8]) -> Int32 {
      if let known = numbers[line] { return known }
      let next = Int32(numbers.count)
      numbers[line] = next
      return next
    }
    let pairs = SequenceAlignment.pairs(old.map(number), new.map(number))
    var a = 0, b = 0
    for pair in pairs + [(a: old.count, b: new.count)] {
      // Between two unchanged lines, old and new lines are paired in their order as changed.
      while a < pair.a, b < pair.b {
        lines.append(.changed(from: a, to: b))
        changed += 1
        a += 1
        b += 1
      }
      while a < pair.a {
        lines.append(.removed(a))
        removed += 1
        a += 1
      }
      while b < pair.b {
        lines.append(.added(b))
        added += 1
        b += 1
      }
      if b < new.count { lines.append(.same(b)) }
      a = pair.a + 1
      b = pair.b + 1
    }
  }

  /// Whether the timelines are equal.
  var isEmpty: Bool { changed + added + removed == 0 }

  /// `3 lines changed, 1 added`, or `no line changed`.
  var words: String {
    let parts = [(changed, "changed"), (added, "added"), (removed, "removed")].filter { $0.0 > 0 }
    guard let first = parts.first else { return "no line changed" }
    return (["\(first.0) \(first.0 == 1 ? "line" : "lines") \(first.1)"] + parts.dropFirst().map { "\($0.0) \($0.1)" }).joined(
      separator: ", ")
  }

  /// Prints the differences with `context` lines around them; all lines where that is nil.
  func print(_ old: [[UInt8]], _ new: [[UInt8]], context: Int?, to out: TextBuffer, _ style: Style) {
    var isShown = [Bool](repeating: context == nil, count: lines.count)
    if let context {
      for (index, line) in lines.enumerated() {
        if case .same = line { continue }
        for near in max(0, index - context)...min(lines.count - 1, index + context) { isShown[near] = true }
      }
    }
    var left = 0
    func printRemaining() {
      if left > 0 { out.string("  \(style.isUnicode ? "…" : "...") \(left) \(left == 1 ? "line" : "lines") as before\n") }
      left = 0
    }
    for (index, line) in lines.enumerated() {
      guard isShown[index] else {
        left += 1
        continue
      }
      printRemaining()
      switch line {
      case .same(let at): out.marked(new[at], "  ")
      case .removed(let at): out.marked(old[at], "- ", style.isColored ? "31" : nil)
      case .added(let at): out.marked(new[at], "+ ", style.isColored ? "32" : nil)
      case .changed(let from, let to):
        out.marked(old[from], "- ", style.isColored ? "31" : nil)
        out.marked(new[to], "~ ", style.isColored ? "33" : nil)
      }
    }
    printRemaining()
  }
}

extension TextBuffer {
  /// Prints a line after its mark, whose colour shows the change.
  fileprivate func marked(_ line: [UInt8], _ mark: String, _ color: String? = nil) {
    if let color { string("\u{1B}[\(color)m") }
    string(mark)
    if color != nil { string("\u{1B}[0m") }
    line.withBorrowedBytes { append($0) }
    byte(0x0A)
  }
}
