import Analysis
import Comparison
import Text

/// Both conversations side by side as one HTML page that loads nothing and has no script: each row of the table is a step with the version of each
/// capture, and the list of differences links to these rows.
public struct ComparisonHTML {
  private let out: TextBuffer
  private let words: ComparisonSentences
  private let result: CaptureDifferences

  /// Writes to `out`.
  public init(_ out: TextBuffer, _ words: ComparisonSentences) {
    self.out = out
    self.words = words
    result = words.result
  }

  /// Writes the page. Throws ``OutputError``.
  public func write() throws {
    out.string(head.text)
    out.string(differences.text)
    out.text("<section id=\"conversation\">\n<h2>Both conversations</h2>\n<div class=\"wide\"><table class=\"sides\">\n<thead><tr><th><th>")
    let (a, b) = (words.name(words.a), words.name(words.b))
    out.string(("\(a)<th>\(b)</thead>\n<tbody>\n" as HTML).text)
    var device = -1
    for (index, pair) in result.aligned.enumerated() {
      if pair.device != device {
        device = pair.device
        out.string(("<tr class=\"device\"><td><td colspan=\"2\">\(words.device(device))\n" as HTML).text)
      }
      out.string(row(pair, isFirst: index == 0 || result.aligned[index - 1].row != pair.row).text)
      if out.count >= 1 << 16 { try out.flush() }
    }
    out.text("</tbody></table></div>\n")
    if result.unaligned > 0 { out.string(("<p class=\"note\">\(result.unaligned) more steps are not shown.</p>\n" as HTML).text) }
    out.text("</section>\n</main>\n<footer>Written by btscribe. Frames are numbered as in Wireshark.</footer>\n</body>\n</html>\n")
    try out.flush()
  }

  private var head: HTML {
    """
    \(ReportPage.head("\(words.name(words.a)) and \(words.name(words.b))"))
    <a class="skip" href="#main">To the content</a>
    <header class="bar">
    <p class="file">\(words.name(words.b))</p>
    <nav aria-label="Sections"><a href="#differences">Differences</a> <a href="#conversation">Both conversations</a></nav>
    </header>
    <main id="main" tabindex="-1">

    """
  }

  private var differences: HTML {
    let first = words.first.map { [$0] } ?? []
    let followers = words.first.map { first in result.rows.indices.filter { result.rows[$0].cause == first } } ?? []
    return """
      <section id="differences">
      <h1>\(words.name(words.a)) and \(words.name(words.b))</h1>
      <p class="lead">\(words.summary).</p>
      \(each: result.notes, { "<p class=\"note\">\(TextBuffer.harmless($0))</p>" })
      \(some: words.explanation ?? "", { "<p class=\"bad\"><strong>\($0)</strong></p>" })
      \(if: !result.rows.isEmpty, list([("", first), ("What followed", followers)] + words.others.map { (words.device($0.device), $0.rows) }))
      </section>

      """
  }

  /// A table of rows under headings.
  private func list(_ sections: [(heading: String, rows: [Int])]) -> HTML {
    let body = sections.filter { !$0.rows.isEmpty }.map { section -> HTML in
      """
      \(if: !section.heading.isEmpty, "<tr class=\"device\"><td><td colspan=\"3\">\(section.heading)\n")\(lines(section.rows))
      """
    }
    return """
      <div class="wide"><table class="sides"><thead><tr><th><th>\(words.name(words.a))<th>\(words.name(words.b))<th>What</thead><tbody>
      \(body)</tbody></table></div>
      """
  }

  private func lines(_ rows: [Int]) -> [HTML] {
    rows.map { index -> HTML in
      let row = result.rows[index]
      let sides = words.sides(row)
      let changes = words.changes(row)
      return """
        <tr class="\(row.change.rawValue)"><td><a href="#row-\(index)">\(row.change.rawValue)</a><td>\(sides.a)<td>\(sides.b)\
        <td>\(each: changes, { "<div>\($0)</div>" })

        """
    }
  }

  private func row(_ pair: CaptureDifferences.Aligned, isFirst: Bool) -> HTML {
    func side(_ number: Int32, _ recording: Recording, _ count: Int32) -> String {
      number < 0 ? "" : "\(words.frame(number, recording)) \(words.line(number, recording))" + (count > 1 ? "  (\(count) times)" : "")
    }
    let (a, b) = (side(pair.a, words.a, pair.counts.x), side(pair.b, words.b, pair.counts.y))
    guard pair.row >= 0 else { return "<tr><td><td>\(a)<td>\(b)\n" }
    let row = result.rows[pair.row]
    let changes = row.changes.isEmpty ? [] : words.changes(row)
    let mark: HTML = isFirst ? "<tr id=\"row-\(pair.row)\" class=\"\(row.change.rawValue)\">" : "<tr class=\"\(row.change.rawValue)\">"
    return "\(mark)<td>\(row.change.rawValue)<td>\(a)<td>\(b)\(each: changes, { "<small>\($0)</small>" })\n"
  }
}
