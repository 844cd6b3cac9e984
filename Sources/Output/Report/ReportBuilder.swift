import Analysis
import Bluetooth
import Captures
import Conversations
import Text

extension ReportDocument {
  /// Makes the document of a report. `profileText` returns the text of a profile by its id, or nil.
  public init(_ report: Report, profileText: @escaping (String) -> String? = { _ in nil }) {
    self.report = report
    let builder = ReportBuilder(report: report, profileText: profileText)
    builder.overview(&self)
    builder.air(&self)
    builder.session(&self)
    builder.messages(&self)
    databases = builder.databases()
    builder.findings(&self)
  }
}

/// Makes the parts of a report's document.
struct ReportBuilder {
  let report: Report
  let profileText: (String) -> String?

  var summary: Summary { report.summary }
  var tables: ConversationTables { report.tables }

  /// Most elements of the lists of a document. The lists that the page's script shows have no such bounds.
  enum Limits {
    static let devices = 40, periods = 120, steps = 80, exchanges = 150, kinds = 400, fields = 80, findings = 500, attributes = 3000,
      bytes = 512, packets = 40, connections = 200, findingDevices = 16
  }

  func words(_ body: (TextBuffer) -> Void) -> String { TextBuffer.words(body) }

  func count(_ number: Int, _ singular: String, _ many: String) -> String { "\(grouped(number)) \(number == 1 ? singular : many)" }

  /// A number with narrow spaces as thousands separators.
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

  func address(_ address: UInt64) -> String { words { $0.address(address) } }

  func label(_ attribute: Int32) -> String { words { $0.label(attribute, tables, Style(), summary.names) } }

  func timeOfDay(_ time: Int64) -> String { words { Clock().timeOfDay(time, since: summary.first, to: $0) } }

  func peer(_ peer: Int32) -> String { peer < 0 ? "unknown device" : report.name(ofPeer: peer) }
}
