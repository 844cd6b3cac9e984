import Analysis
import Comparison
import Text

/// The differences between two captures as Markdown that is short enough for an issue.
public struct ComparisonMarkdown {
  private let out: TextBuffer
  private let words: ComparisonSentences
  private let result: CaptureDifferences

  /// Most rows of a table: an issue has no room for more.
  private static let maxRows = 100

  /// Writes to `out`.
  public init(_ out: TextBuffer, _ words: ComparisonSentences) {
    self.out = out
    self.words = words
    result = words.result
  }

  /// Writes the document. Throws ``OutputError``.
  public func write() throws {
    let (a, b) = (Markdown.escaped(words.name(words.a)), Markdown.escaped(words.name(words.b)))
    out.string("# \(a) and \(b)\n\n\(Markdown.escaped(words.summary)).\n")
    for note in result.notes { out.string("\n\(Markdown.escaped(TextBuffer.harmless(note))).\n") }
    if let explanation = words.explanation { out.string("\n**\(Markdown.escaped(explanation))**\n") }
    if let first = words.first {
      table([first], a, b)
      section("What followed", result.rows.indices.filter { result.rows[$0].cause == first }, a, b)
    }
    for (device, rows) in words.others { section(words.device(device), rows, a, b) }
    out.string("\n---\nWritten by btscribe. Frames are numbered as in Wireshark.\n")
    try out.flush()
  }

  private func section(_ title: String, _ rows: [Int], _ a: String, _ b: String) {
    guard !rows.isEmpty else { return }
    out.string("\n## \(Markdown.escaped(title))\n")
    table(rows, a, b)
  }

  private func table(_ rows: [Int], _ a: String, _ b: String) {
    out.string("\n|  | \(a) | \(b) | what |\n|---|---|---|---|\n")
    for index in rows.prefix(Self.maxRows) {
      let row = result.rows[index]
      let sides = words.sides(row)
      let changes = words.changes(row).map { Markdown.escaped($0) }.joined(separator: "<br>")
      out.string("| \(row.change.rawValue) | \(Markdown.escaped(sides.a)) | \(Markdown.escaped(sides.b)) | \(changes) |\n")
    }
    if rows.count > Self.maxRows { out.string("\n\u{2026} and \(rows.count - Self.maxRows) more\n") }
  }
}
