import Analysis
import Comparison
import Conversations
import Text

/// Sentences about two captures and their differences. Texts from the air are made harmless for a terminal; a writer of another format escapes them
/// for that format.
public struct ComparisonSentences {
  let a: Recording, b: Recording
  let result: CaptureDifferences
  let style: Style

  typealias Row = CaptureDifferences.Row

  /// Sentences for a comparison of `b` with `a`.
  public init(_ a: Recording, _ b: Recording, _ result: CaptureDifferences, _ style: Style) {
    self.a = a
    self.b = b
    self.result = result
    self.style = style
  }

  /// The sign in front of a row.
  func sign(_ row: Row) -> String {
    switch row.change {
    case .removed: "-"
    case .added: "+"
    case .changed: "~"
    case .moved: style.isUnicode ? "↕" : "^"
    }
  }

  var arrow: String { style.isUnicode ? "→" : "->" }
  var ellipsis: String { style.isUnicode ? "…" : "..." }

  func text(_ body: (TextBuffer) -> Void) -> String {
    let out = TextBuffer(capacity: 256)
    body(out)
    return out.contents.trimmingBlanks
  }

  /// A capture's name.
  func name(_ recording: Recording) -> String { TextBuffer.harmless(recording.facts.name) }

  /// The frame and time of an operation.
  func frame(_ number: Int32, _ recording: Recording) -> String { recording.operation(number).map { "#\($0.frame)" } ?? "" }

  /// An operation in one line: verb, attribute and result.
  func line(_ number: Int32, _ recording: Recording, hasDetail: Bool = true) -> String {
    guard let operation = recording.operation(number) else { return "(not kept)" }
    return text { out in
      out.glyph(operation.isIncoming ? .received : .sent, style)
      out.byte(0x20)
      out.text(operation.kind.verb)
      out.byte(0x20)
      let start = out.count
      operation.writeAttribute(to: out, recording.tables, style, recording.names)
      if out.count > start { out.text("  ") }
      if operation.ending != .succeeded { operation.writeStatus(to: out) } else if !operation.describesItself { out.text("ok") }
      if hasDetail {
        out.text("  ")
        operation.writeDetail(to: out, style)
      }
    }
  }

  /// The subject of an operation: verb and attribute.
  func subject(_ number: Int32, _ recording: Recording) -> String {
    guard let operation = recording.operation(number) else { return "" }
    return text { out in
      out.text(operation.kind.verb)
      out.byte(0x20)
      operation.writeAttribute(to: out, recording.tables, style, recording.names)
    }
  }

  /// The subject of a row.
  func subject(_ row: Row) -> String {
    switch row.subject {
    case .operation: return row.a >= 0 ? subject(row.a, a) : subject(row.b, b)
    case .session:
      let recording = row.a >= 0 ? a : b
      let kind = recording.operation(max(row.a, row.b))?.kind
      if kind == .scan || kind == .inquiry { return "scans" }
      return row.count == 1 ? subject(max(row.a, row.b), recording) : "a connection"
    case .attribute(let entry):
      switch entry.kind {
      case "table": return "handles of \(row.count) attributes"
      default:
        return (entry.uuid.isEmpty ? entry.kind : "\(entry.kind) \(uuid(entry.uuid))")
          + (entry.owner.isEmpty ? "" : " of \(uuid(entry.owner))")
      }
    case .advertisement(let address, let name):
      return "advertising of "
        + text { out in
          if name.isEmpty { out.address(address) } else { out.untrusted(name, .terminal) }
        }
    }
  }

  private func uuid(_ text: String) -> String { text.utf8.count <= 8 ? "0x" + text : text }

  /// The texts of both sides of a row; empty where a capture has nothing there.
  func sides(_ row: Row) -> (a: String, b: String) {
    switch row.subject {
    case .operation:
      let times = row.count > 1 ? "  (\(row.count) times)" : ""
      return (
        row.a < 0 ? "" : "\(frame(row.a, a)) \(line(row.a, a))\(times)", row.b < 0 ? "" : "\(frame(row.b, b)) \(line(row.b, b))\(times)"
      )
    case .session:
      let more = row.count > 1 ? ", and \(row.count - 1) more operations over this connection" : ""
      return (
        row.a < 0 ? "" : "\(frame(row.a, a)) \(line(row.a, a))\(more)", row.b < 0 ? "" : "\(frame(row.b, b)) \(line(row.b, b))\(more)"
      )
    case .attribute(let entry):
      func side(_ handle: UInt16) -> String { handle == 0 ? "" : "\(Self.handle(handle)) \(subject(row))" }
      if entry.kind == "table" { return (subject(row), subject(row)) }
      return (side(entry.handles.x), side(entry.handles.y))
    case .advertisement: return (subject(row), subject(row))
    }
  }

  static func handle(_ handle: UInt16) -> String { "0x" + String(hex: handle, digits: 4) }

  /// The differences of a row, one line each.
  func changes(_ row: Row) -> [String] {
    row.changes.map { change in
      "\(field(change.field)) \(shown(change.a)) \(arrow) \(shown(change.b))"
    }
  }

  /// A field's name with spaces instead of underscores.
  private func field(_ name: String) -> String { TextBuffer.harmless(name).replacing("_", with: " ") }

  private func shown(_ value: String) -> String {
    if value.isEmpty { return style.isUnicode ? "–" : "-" }
    // Hexadecimal bytes are separated by spaces, as everywhere.
    return TextBuffer.harmless(value)
  }

  /// A device: name and addresses.
  func device(_ index: Int) -> String {
    let device = result.devices[index]
    return text { out in
      out.untrusted(device.name, .terminal)
      func address(_ address: UInt64) {
        if out.count > 0 { out.text("  ") }
        out.address(address)
      }
      if let own = device.addresses.a { address(own) }
      if let other = device.addresses.b, other != device.addresses.a {
        if device.addresses.a != nil { out.string(" \(arrow)") }
        out.byte(0x20)
        out.address(other)
      }
      if out.count == 0 { out.text(hasConnection(index) ? "unknown device" : "this host") }
      if !device.isInA { out.string("  (only in \(name(b)))") }
      if !device.isInB { out.string("  (only in \(name(a)))") }
    }
  }

  private func hasConnection(_ index: Int) -> Bool {
    result.rows.contains { row in
      row.device == index && ((row.a >= 0 ? a.operation(row.a) : b.operation(row.b))?.connection ?? -1) >= 0
    }
  }

  /// The row that is printed before all others: the one that explains the rest, if there is such a row.
  var first: Int? { explanation == nil ? nil : result.first }

  /// Rows that follow from no other, without the ``first`` one, by device.
  var others: [(device: Int, rows: [Int])] {
    let first = first
    var devices: [Int: [Int]] = [:]
    for index in result.rows.indices where index != first && (first == nil || result.rows[index].cause < 0) {
      devices[result.rows[index].device, default: []].append(index)
    }
    return devices.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
  }

  /// The number and kinds of all differences, in one line.
  var summary: String {
    let total = result.rows.count + result.rowsLeftOut
    let same = "\(result.same) \(result.same == 1 ? "step is" : "steps are") the same"
    if total == 0 { return "no difference: \(same)" }
    return "\(same), \(total) \(total == 1 ? "differs" : "differ")" + (result.isAlike ? "" : ": the two have little in common")
  }

  /// A sentence about the difference that explains the rest, and what followed from it.
  var explanation: String? {
    guard let first = result.first, result.reason != .earliest, result.isExplained else { return nil }
    let row = result.rows[first]
    let subject = subject(row)
    let file = name(b)
    let status = row.changes.first { $0.field == "status" }
    let text: String
    switch result.reason {
    case .connection:
      text = status.map { "the connection is not made in \(file): \(TextBuffer.harmless($0.b))" } ?? "\(file) lacks a connection"
    case .security: text = status.map { "\(subject) fails in \(file): \(TextBuffer.harmless($0.b))" } ?? "\(subject) is missing in \(file)"
    case .refused: text = "\(subject) fails in \(file): \(TextBuffer.harmless(status?.b ?? ""))"
    case .unanswered: text = "\(subject) gets no answer in \(file)"
    case .subscription:
      if let status {
        text = "\(subject) fails in \(file): \(TextBuffer.harmless(status.b))"
      } else if let other = row.changes.first {
        text = "\(subject) in \(file): \(field(other.field)) \(shown(other.a)) \(arrow) \(shown(other.b))"
      } else {
        text = "\(subject) is missing in \(file)"
      }
    case .request: text = "\(subject) is missing in \(file)"
    case .disconnection:
      if let change = row.changes.first {
        text =
          "\(subject) in \(file): \(field(change.field)) \(TextBuffer.harmless(change.a)) \(arrow) \(TextBuffer.harmless(change.b))"
      } else {
        text =
          row.change == .added
          ? "the connection ends in \(file)" + (self.b.operation(row.b).map { ": \(Status.failure($0.status, .hci))" } ?? "")
          : "\(subject) is missing in \(file)"
      }
    case .value, .parameter:
      text = "\(subject): " + self.changes(row).prefix(3).joined(separator: "; ")
    case .earliest:
      text =
        subject
        + (row.change == .removed
          ? " is missing" : row.change == .added ? " is added" : row.change == .moved ? " was moved" : " differs") + " in \(file)"
    }
    let after = result.rows.filter { $0.cause == first }
    guard !after.isEmpty else { return text }
    let counts = CaptureDifferences.Change.allCases.compactMap { change -> String? in
      let number = after.reduce(0) { $0 + ($1.change == change ? $1.count : 0) }
      let words: (CaptureDifferences.Change) -> String = { $0 == .removed ? "missing" : $0.rawValue }
      return number == 0 ? nil : "\(number) \(words(change))"
    }
    return text + (result.reason == .disconnection ? "; with it: " : "; from there on: ") + counts.joined(separator: ", ")
  }
}

extension String {
  /// Without spaces at its ends, and no more than two in a row.
  fileprivate var trimmingBlanks: String {
    var text = ""
    var blanks = 0
    for character in self {
      if character == " " {
        blanks += 1
      } else {
        if !text.isEmpty { text += String(repeating: " ", count: min(blanks, 2)) }
        blanks = 0
        text.append(character)
      }
    }
    return text
  }
}
