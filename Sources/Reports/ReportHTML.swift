import Bluetooth
import Captures
import Conversations
import Timeline

/// A report as one HTML file that loads nothing: what can be read without scripts stands in it as it is, the conversation and the charts as data.
///
/// Everything from the air is escaped where it stands (Mustache escapes text, ``ReportData`` what stands in the script element), and the page's own
/// Content-Security-Policy allows one script and one style by their hashes: nothing else could run.
public struct ReportHTML {
  let report: Report
  let out: Output
  let definition: (String) -> String?

  var summary: Summary { report.summary }
  var tables: Tables { report.tables }

  /// Writes `report` to `out`. `definition` gives the text of a profile by its id, or nil.
  public init(_ report: Report, to out: Output, definition: @escaping (String) -> String? = { _ in nil }) {
    self.report = report
    self.out = out
    self.definition = definition
  }

  /// What the template sees. Every name that a section asks for is there: what is missing would be looked for further out.
  typealias Context = Template.Context

  /// Most rows of tables that stand in the page; the lists behind scripts have no such bound.
  enum Most {
    static let devices = 40, periods = 120, steps = 80, exchanges = 150, kinds = 400, fields = 80, findings = 500, attributes = 3000,
      bytes = 512, packets = 40, connections = 200
  }

  /// Where the data goes, which is too large for a template. No text of the capture has a U+0001 any more.
  static let mark = "\u{1}data\u{1}"

  /// All that the template is filled in with.
  func context() -> Context {
    var context = overview()
    for more in [session(), inventory(), gatt(), findings()] { context.merge(more) { $1 } }
    context["data"] = Self.mark
    context["style"] = ReportPage.style
    context["styleHash"] = ReportPage.styleHash
    context["script"] = ReportPage.script
    context["scriptHash"] = ReportPage.scriptHash
    return context
  }

  /// Writes the page. Throws ``OutputError``.
  public func write() throws {
    let mark = Array(Self.mark.utf8)
    guard let page = Template(text: ReportPage.template).render(context()),
      let place = page.indices.last(where: { page[$0] == 1 && page[..<$0].suffix(mark.count - 1).elementsEqual(mark.dropLast()) })
    else { throw OutputError.failed(path: "report", reason: "its template has a mistake") }
    out.raw(Array(page[...(place - mark.count)]))
    try out.flush()
    try ReportData(report, to: out).write()
    out.raw(Array(page[(place + 1)...]))
    out.byte(0x0A)
    try out.flush()
  }

  // MARK: Words

  /// A text, or false where it is empty: sections leave it out.
  func some(_ text: String) -> Any { text.isEmpty ? false : text }

  func words(_ body: (Output) -> Void) -> String { Output.words(body) }

  func count(_ number: Int, _ one: String, _ many: String) -> String { "\(grouped(number)) \(number == 1 ? one : many)" }

  /// A number with its thousands apart.
  func grouped(_ number: Int) -> String {
    let digits = String(number)
    guard digits.count > 4 else { return digits }
    var text = ""
    for (index, digit) in digits.enumerated() {
      if index > 0, (digits.count - index) % 3 == 0 { text.append("\u{202F}") }
      text.append(digit)
    }
    return text
  }

  func duration(_ micros: Int64) -> String { words { Clock().duration(micros, to: $0) } }

  func label(_ attribute: Int32) -> String { words { $0.label(attribute, tables, Style(), summary.names) } }

  func timeOfDay(_ time: Int64) -> String { words { Clock().timeOfDay(time, since: summary.first, to: $0) } }

  func peer(_ peer: Int32) -> String { peer < 0 ? "unknown device" : report.name(ofPeer: peer) }
}
