import Conversations
import Timeline

/// A report as Markdown, short enough for an issue: overview, findings, tables, the first of each kind of message with its bytes.
///
/// Text from the air is escaped for Markdown and for HTML in Markdown; it mentions nobody, and links nowhere.
public struct ReportMarkdown {
  private let report: Report
  private let out: Output
  private let page: ReportHTML

  /// What does not fit into an issue is left out, and told.
  private enum Most {
    static let bytes = 56_000, steps = 30, exchanges = 40, devices = 12, findings = 40, fields = 48, payload = 16, packets = 4,
      attributes = 120,
      framing = 80
  }

  /// Writes `report` to `out`. `definition` gives the text of a profile by its id, or nil.
  public init(_ report: Report, to out: Output, definition: @escaping (String) -> String? = { _ in nil }) {
    self.report = report
    self.out = out
    page = ReportHTML(report, to: out, definition: definition)
  }

  /// Writes the document. Throws ``OutputError``.
  public func write() throws {
    let overview = page.overview()
    head(overview)
    findings(page.findings())
    steps(page.session())
    let inventory = page.inventory()
    exchanges(inventory)
    framings(inventory)
    messages(inventory)
    attributes(page.gatt())
    devices(overview)
    out.text("\n---\nWritten by btscribe from ")
    out.string(Self.escaped(text(overview, "file")))
    out.text(". Times are seconds since the first packet; frames are numbered as in Wireshark.\n")
    try out.flush()
  }

  // MARK: Sections

  private func head(_ overview: ReportHTML.Context) {
    line("# " + Self.escaped(text(overview, "title")))
    line()
    line(Self.escaped(text(overview, "lead")))
    for narrowed in overview["narrowed"] as? [String] ?? [] { line("Narrowed: \(Self.escaped(narrowed)).") }
    line()
    let facts = rows(overview, "facts").map {
      "\(text($0, "label")): \(text($0, "value"))\(text($0, "more").isEmpty ? "" : " (\(text($0, "more")))")"
    }
    if !facts.isEmpty { line(Self.escaped(facts.joined(separator: "; ")) + ".") }
    let limits = overview["limits"] as? [String] ?? []
    if !limits.isEmpty {
      line()
      line("**What this log cannot show**")
      line()
      for limit in limits { line("- " + Self.escaped(limit)) }
    }
    let connections = rows(overview, "connections")
    if !connections.isEmpty {
      heading("Connections")
      table(
        ["Handle", "Device", "Address", "From", "To", "MTU", "Link", "How it ended"],
        connections.prefix(20).map { one in
          [code(text(one, "handle"))] + ["name"].map { Self.escaped(text(one, $0)) } + [code(text(one, "address"))]
            + ["from", "to", "mtu", "link", "ended"].map { Self.escaped(text(one, $0)) }
        })
      more(connections.count - 20)
      line()
      for one in connections.prefix(20) {
        for did in one["did"] as? [String] ?? [] { line("- \(code(text(one, "handle"))) \(Self.escaped(did))") }
      }
    }
    for search in overview["searches"] as? [String] ?? [] { line("- " + Self.escaped(search)) }
  }

  private func findings(_ findings: ReportHTML.Context) {
    heading("Findings")
    let all = rows(findings, "findings")
    if all.isEmpty { return line("Nothing was found to be wrong.") }
    for one in all.prefix(Most.findings) {
      var sentence = "- **\(text(one, "severity"))** \(frame(text(one, "frame"))) \(Self.escaped(text(one, "text")))"
      if !text(one, "times").isEmpty { sentence += " (\(text(one, "times")))" }
      if !text(one, "advice").isEmpty { sentence += " \u{2014} \(Self.escaped(text(one, "advice")))" }
      line(sentence)
    }
    more(all.count - Most.findings)
  }

  private func steps(_ session: ReportHTML.Context) {
    let steps = rows(session, "steps")
    guard !steps.isEmpty else { return }
    heading("What was done")
    table(
      ["Frame", "Time", "Device", "Operation", "Attribute", "Took", "How it went"],
      steps.prefix(Most.steps).map { one in
        let bad = (one["bad"] as? Bool) == true
        return [frame(text(one, "frame"))] + ["time", "peer", "verb", "attribute", "took"].map { Self.escaped(text(one, $0)) }
          + [(bad ? "**" : "") + Self.escaped(text(one, "how")) + (bad ? "**" : "")]
      })
    let count = report.operations.count + report.operationsLeftOut
    more(count - min(steps.count, Most.steps))
  }

  private func exchanges(_ inventory: ReportHTML.Context) {
    let exchanges = rows(inventory, "exchanges")
    guard !exchanges.isEmpty else { return }
    heading("What answers what")
    table(
      ["Request", "over", "Answer", "over", "Times", "Median", "Slowest", "First"],
      exchanges.prefix(Most.exchanges).map { one in
        let answer = text(one, "answer")
        let guess = (one["guessed"] as? Bool) == true ? " (by order: a guess)" : ""
        return [
          Self.escaped(text(one, "request")), Self.escaped(text(one, "requestSource")),
          (answer.isEmpty ? "**none**" : Self.escaped(answer)) + guess,
        ]
          + ["answerSource", "count", "median", "slowest"].map { Self.escaped(text(one, $0)) }
          + [frame(text(one, "frame")) + (answer.isEmpty ? "" : " " + frame(text(one, "answerFrame")))]
      })
    more(exchanges.count - Most.exchanges)
  }

  private func framings(_ inventory: ReportHTML.Context) {
    for one in rows(inventory, "framings") {
      heading("How packets make messages: \(Self.escaped(text(one, "id")))")
      line(
        "From the profile, in its own words: header fields are bits (b1) and bytes (u1) in their order. Such headers stand in brackets in the packets below."
      )
      line()
      let lines = text(one, "text").split(separator: "\n", omittingEmptySubsequences: false)
      block("yaml", lines.prefix(Most.framing).map(String.init))
      more(lines.count - Most.framing)
    }
  }

  private func messages(_ inventory: ReportHTML.Context) {
    let sources = rows(inventory, "sources")
    guard !sources.isEmpty else { return }
    heading("Messages")
    var left = 0
    for source in sources {
      let kinds = rows(source, "kinds")
      if out.written + out.count > Most.bytes {
        left += kinds.count
        continue
      }
      line("### " + Self.escaped(text(source, "name")))
      line()
      var facts: [String] = []
      if !text(source, "uuid").isEmpty { facts.append(code(text(source, "uuid"))) }
      if !text(source, "handle").isEmpty { facts.append("handle " + code(text(source, "handle"))) }
      for key in ["properties", "owner", "traffic"] where !text(source, key).isEmpty { facts.append(Self.escaped(text(source, key))) }
      if !text(source, "service").isEmpty { facts.append("service " + Self.escaped(text(source, "service"))) }
      if !text(source, "profile").isEmpty { facts.append("profile " + Self.escaped(text(source, "profile"))) }
      if !facts.isEmpty { line(facts.joined(separator: ", ") + ".") }
      if !text(source, "subscribe").isEmpty { line(Self.escaped(text(source, "subscribe")) + ".") }
      line()
      for kind in kinds {
        if out.written + out.count > Most.bytes { left += 1 } else { self.kind(kind) }
      }
    }
    if left > 0 {
      line(
        "\(left) \(left == 1 ? "kind" : "kinds") of messages more: an issue has no room for them. --characteristic, -Y, --from and --to show others."
      )
    }
  }

  private func kind(_ context: ReportHTML.Context) {
    guard let index = Int(text(context, "number")) else { return }
    let kind = report.kinds[index]
    line("**\(Self.escaped(text(context, "name")))**, \(text(context, "direction")): \(Self.escaped(text(context, "counts")))")
    let notes = context["patternNotes"] as? [String] ?? []
    if !notes.isEmpty { line("(" + Self.escaped(notes.joined(separator: "; ")) + ")") }
    line()
    guard let message = kind.example else { return }
    var lines = ["#\(message.frame)" + (message.text.isEmpty ? "" : "  " + Output.harmless(message.text))]
    let pieces = report.pieces(message)
    for piece in pieces.prefix(Most.packets) {
      var packet = "packet #\(piece.frame): "
      if !piece.head.isEmpty { packet += "[\(report.hex(piece.head))] " }
      packet += report.hex(piece.body)
      if !piece.tail.isEmpty { packet += " [\(report.hex(piece.tail))]" }
      lines.append(packet)
    }
    if pieces.count > Most.packets { lines.append("\u{2026} and \(page.count(pieces.count - Most.packets, "packet", "packets")) more") }
    lines += fields(message, kind)
    block("", lines)
  }

  /// The fields of a message beside their bytes; the bytes alone where no profile knows them.
  private func fields(_ message: ReportMessage, _ kind: ReportKind) -> [String] {
    guard message.shape >= 0 else {
      var lines: [String] = []
      var at = 0
      while at < message.payload.count, lines.count < 8 {
        lines.append(padded("\(at)", 12) + report.hex(Array(message.payload[at..<min(at + 16, message.payload.count)])))
        at += 16
      }
      if at < message.payloadCount { lines.append("\u{2026} (+\(message.payloadCount - at))") }
      return lines.isEmpty ? ["(no bytes)"] : lines
    }
    let shape = report.shapes[message.shape]
    let values = report.values(message)
    var lines: [String] = []
    var paths: Set<String> = []
    for (index, field) in shape.fields.enumerated() {
      let isFirst = paths.insert(field.path).inserted
      if lines.count >= Most.fields { continue }
      var bytes = ""
      if !field.isHolder, !field.range.isEmpty {
        let range = field.range.clamped(to: 0..<message.payload.count)
        bytes = field.isSecret ? "\u{2022}\u{2022}" : report.hex(Array(message.payload[range].prefix(Most.payload)))
        if range.count > Most.payload { bytes += " \u{2026}" }
      }
      var line =
        padded(report.place(field), 12) + padded(bytes, 24) + String(repeating: "  ", count: min(field.depth, 8))
        + Output.harmless(field.name)
      let value = index < values.count ? values[index] : ""
      if !field.isHolder {
        line += " = \(value)"
        if !field.unit.isEmpty, value != "none" { line += " \(Output.harmless(field.unit))" }
        let type = report.type(message, index)
        if !type.isEmpty { line += "  (\(type))" }
        let place = shape.statistics[index]
        let seen = isFirst && place >= 0 ? report.seen(kind.fields[place], besides: value, limit: 5) : ""
        if !seen.isEmpty { line += "  also \(seen)" }
      }
      lines.append(line)
    }
    if shape.fields.count > Most.fields {
      lines.append("\u{2026} and \(page.count(shape.fields.count - Most.fields, "field", "fields")) more\(further(shape, values, kind))")
    }
    let others = kind.fields.filter { !paths.contains($0.path) && !$0.isHidden }
    if !others.isEmpty {
      lines.append(
        "in others of this kind also: " + others.prefix(24).map { Output.harmless($0.title) }.joined(separator: ", ")
          + (others.count > 24 ? " \u{2026} (+\(others.count - 24))" : ""))
    }
    return lines
  }

  /// Of the fields that have no line of their own, those that an id names.
  private func further(_ shape: ReportShape, _ values: [String], _ kind: ReportKind) -> String {
    var text = ""
    for index in Most.fields..<shape.fields.count where shape.fields[index].path.contains("{") && index < values.count {
      let field = shape.fields[index]
      let place = shape.statistics[index]
      if field.isHolder || field.isHidden || place < 0 { continue }
      if text.utf8.count > 3000 { return text + ", \u{2026}" }
      text += (text.isEmpty ? ": " : ", ") + Output.harmless(kind.fields[place].title) + " = " + values[index]
      if !field.unit.isEmpty, values[index] != "none" { text += " " + Output.harmless(field.unit) }
    }
    return text
  }

  private func attributes(_ gatt: ReportHTML.Context) {
    let databases = rows(gatt, "databases")
    guard !databases.isEmpty else { return }
    heading("GATT")
    var left = Most.attributes
    for database in databases where left > 0 {
      line("### " + Self.escaped(text(database, "owner")))
      line()
      let known = rows(database, "attributes")
      table(
        ["Handle", "Attribute", "UUID", "Properties", "Traffic"],
        known.prefix(left).map { one in
          [
            code(text(one, "handle")),
            (text(one, "level") == "service" ? "**" : "") + Self.escaped(text(one, "name")) + (text(one, "level") == "service" ? "**" : ""),
            code(text(one, "uuid")), Self.escaped(text(one, "properties")), Self.escaped(text(one, "traffic")),
          ]
        })
      more(known.count - left)
      left -= known.count
    }
  }

  private func devices(_ overview: ReportHTML.Context) {
    let devices = rows(overview, "devices")
    guard !devices.isEmpty else { return }
    heading("Devices heard: \(text(overview, "deviceCount"))")
    table(
      ["Device", "Address", "Signal", "Reports", "What it says"],
      devices.prefix(Most.devices).map { one in
        [Self.escaped(text(one, "name")), code(text(one, "address")) + " " + Self.escaped(text(one, "type"))]
          + ["signal", "reports", "says"].map { Self.escaped(text(one, $0)) }
      })
    more(report.summary.heard.count - min(devices.count, Most.devices))
  }

  // MARK: Parts of Markdown

  private func line(_ text: String = "") {
    out.string(text)
    out.byte(0x0A)
  }

  private func heading(_ text: String) {
    line()
    line("## " + text)
    line()
  }

  private func more(_ count: Int) {
    guard count > 0 else { return }
    line()
    line("\u{2026} and \(count) more")
  }

  /// A table; its cells are escaped already.
  private func table(_ heads: [String], _ rows: [[String]]) {
    line("| " + heads.joined(separator: " | ") + " |")
    line("|" + String(repeating: "---|", count: heads.count))
    for row in rows { line("| " + row.joined(separator: " | ") + " |") }
  }

  /// Lines as they stand. None begins as the fence does: what is from the air never stands at the start of a line.
  private func block(_ language: String, _ lines: [String]) {
    line("~~~~~~" + language)
    for text in lines { line(text.hasPrefix("~") ? " \u{2009}" + text : text) }
    line("~~~~~~")
    line()
  }

  private func padded(_ text: String, _ width: Int) -> String { text + String(repeating: " ", count: max(1, width - text.count)) }

  private func frame(_ number: String) -> String { number.isEmpty || number == "0" ? "" : "`#\(number)`" }

  /// Digits, UUIDs, addresses.
  private func code(_ text: String) -> String { text.isEmpty ? "" : "`\(text.replacing("`", with: "'").replacing("|", with: "\u{00A6}"))`" }

  private func text(_ context: ReportHTML.Context, _ key: String) -> String {
    var text = context[key] as? String ?? ""
    while text.hasSuffix(" ") { text.removeLast() }
    return text
  }

  private func rows(_ context: ReportHTML.Context, _ key: String) -> [ReportHTML.Context] { context[key] as? [ReportHTML.Context] ?? [] }

  /// Text for a paragraph or a cell: no markup, no HTML; nobody is mentioned, no issue referred to, nothing becomes a link.
  static func escaped(_ text: String) -> String {
    var escaped = ""
    var before: Character = " "
    for character in text {
      switch character {
      case "&": escaped += "&amp;"
      case "<": escaped += "&lt;"
      case ">": escaped += "&gt;"
      case "\n", "\r", "\r\n": escaped += " "
      case "\\", "`", "*", "_", "[", "]", "|", "~", "$", "^": escaped += "\\\(character)"
      // A blank without width keeps trackers from making a link of it.
      case "@", "#": escaped += "\(character)&#8203;"
      case "/" where before == ":" || before == "/": escaped += "&#8203;/"
      case "." where before == "w" || before == "W": escaped += "&#8203;."
      default: escaped.append(character)
      }
      before = character
    }
    return escaped
  }
}
