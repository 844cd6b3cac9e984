import Analysis
import Comparison
import Conversations
import Text

/// The differences between two captures, for people: side by side where the terminal is wide enough, else one above the other.
public struct ComparisonText {
  private let out: TextBuffer
  private let style: Style
  private let words: ComparisonSentences
  private let result: CaptureDifferences
  private let isWhole: Bool

  /// On narrower terminals one side is printed above the other.
  private static let wide = 100
  /// Rows of one kind that are shown one by one; more are counted.
  private static let shown = 4
  /// Columns of an output whose width is not known.
  private static let usual = 160

  private typealias Row = CaptureDifferences.Row

  /// Prints to `out`; with `isWhole` all rows are printed.
  public init(_ out: TextBuffer, _ words: ComparisonSentences, isWhole: Bool = false) {
    self.out = out
    style = words.style
    self.words = words
    result = words.result
    self.isWhole = isWhole
  }

  private var width: Int { style.width ?? Self.usual }
  private var isWide: Bool { width >= Self.wide }

  /// Prints everything. Throws ``OutputError``.
  public func print() throws {
    out.paint(.bold, style)
    out.string("a: \(words.name(words.a))\nb: \(words.name(words.b))\n")
    out.unpaint(.bold, style)
    paragraph(words.summary + ".", .plain)
    for note in result.notes { paragraph(TextBuffer.harmless(note), .yellow) }
    if let explanation = words.explanation {
      out.byte(0x0A)
      paragraph(explanation, .red)
    }
    if let first = words.first {
      rows([first])
      let followers = result.rows.indices.filter { result.rows[$0].cause == first }
      if !followers.isEmpty {
        out.byte(0x0A)
        heading("what followed")
        rows(followers)
      }
    }
    for (device, deviceRows) in words.others {
      out.byte(0x0A)
      heading(words.device(device))
      rows(deviceRows)
    }
    if result.rowsLeftOut > 0 { paragraph("\(result.rowsLeftOut) more differences are not shown.", .yellow) }
    if result.usualDifferences > 0 {
      paragraph(
        "\(result.usualDifferences) \(result.usualDifferences == 1 ? "difference" : "differences") among the good captures not shown.", .dim
      )
    }
    try out.flush()
  }

  private func paragraph(_ text: String, _ paint: Style.ColorRole) {
    let start = out.count
    out.paint(paint, style)
    out.string(text)
    out.wrap(from: start, indent: 2, style)
    out.unpaint(paint, style)
    out.byte(0x0A)
  }

  private func heading(_ text: String) {
    let start = out.count
    out.paint(.dim, style)
    for _ in 0..<2 { out.glyph(.rule, style) }
    out.byte(0x20)
    out.string(text)
    out.byte(0x20)
    out.fold(from: start, to: width - 1, style)
    while out.columns(from: start) < min(width, 100) - 1 { out.glyph(.rule, style) }
    out.unpaint(.dim, style)
    out.byte(0x0A)
  }

  /// Prints rows; of many similar rows in a row the first, and how many more.
  private func rows(_ indices: [Int]) {
    var position = 0
    while position < indices.count {
      let row = result.rows[indices[position]]
      var end = position + 1
      while end < indices.count, isAlike(result.rows[indices[end]], row) { end += 1 }
      let shown = isWhole || end - position <= Self.shown + 1 ? end : position + Self.shown
      for index in position..<shown { self.row(result.rows[indices[index]]) }
      if shown < end {
        out.paint(.dim, style)
        out.string("  \(words.ellipsis) \(end - shown) more \(row.change.rawValue) alike (-V shows them)\n")
        out.unpaint(.dim, style)
      }
      position = end
    }
  }

  private func isAlike(_ row: Row, _ other: Row) -> Bool {
    row.change == other.change && (row.session == other.session || row.subject == .session) && row.device == other.device
      && row.subject == other.subject && row.changes == other.changes
  }

  private func row(_ row: Row) {
    let paint: Style.ColorRole = row.change == .removed ? .red : row.change == .added ? .green : row.change == .changed ? .yellow : .cyan
    let sides = words.sides(row)
    let sign = words.sign(row)
    if isWide {
      let column = (width - 5) / 2
      out.paint(paint, style)
      out.string("\(sign) ")
      let start = out.count
      out.string(sides.a)
      // A step that only the first capture has can use the columns of both sides.
      if sides.b.isEmpty, out.columns(from: start) > column {
        out.fold(from: start, to: width - 2, style)
        out.unpaint(paint, style)
      } else {
        out.fold(from: start, to: column, style)
        out.paint(paint, style)
        out.spaces(max(0, column - out.columns(from: start)))
        out.string(style.isUnicode ? " │ " : " | ")
        let second = out.count
        out.string(sides.b)
        out.fold(from: second, to: column, style)
        out.unpaint(paint, style)
      }
      trim()
      out.byte(0x0A)
    } else {
      for (name, side) in [("a", sides.a), ("b", sides.b)] where !side.isEmpty {
        out.paint(paint, style)
        let start = out.count
        out.string("\(sign) \(name) \(side)")
        out.wrap(from: start, indent: 6, style)
        out.unpaint(paint, style)
        out.byte(0x0A)
        if sides.a == sides.b { break }
      }
    }
    let changes = words.changes(row)
    for (index, text) in changes.enumerated() {
      guard isWhole || index < 12 else {
        out.string("      \(words.ellipsis) \(changes.count - index) more\n")
        break
      }
      let start = out.count
      out.string("      \(text)")
      out.wrap(from: start, indent: 8, style)
      out.byte(0x0A)
    }
  }

  private func trim() {
    while out.count > 0, unsafe out.gathered[out.count - 1] == 0x20 { out.truncate(to: out.count - 1) }
  }
}
