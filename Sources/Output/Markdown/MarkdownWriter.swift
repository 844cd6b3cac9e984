import Conversations
import Analysis
import Text

/// A report as Markdown, short enough for an issue: overview, findings, tables, the first of each kind of message with its bytes.
///
/// Text from the air is escaped for Markdown and for HTML in Markdown; it cannot mention users or make links.
public struct MarkdownWriter {
  private let document: ReportDocument
  private let out: TextBuffer
  private var report: Report { document.report }

  /// Most elements of each list, and most bytes before the messages are cut short, so that the text fits into an issue.
  private enum Limits {
    static let bytes = 56_000, connections = 20, steps = 30, exchanges = 40, devices = 12, findings = 40, fields = 48, payload = 16,
      packets = 4, attributes = 120, framing = 80
  }

  /// Writes `document` to `out`.
  public init(_ document: ReportDocument, to out: TextBuffer) {
    self.document = document
    self.out = out
  }

  /// Writes the document. Throws ``OutputError``.
  public func write() throws {
    head()
    connections()
    air()
    findings()
    steps()
    exchanges()
    framings()
    messages()
    attributes()
    devices()
    line(
      "\n---\nWritten by btscribe from \(escaped(document.file)). Times are seconds since the first packet; frames are numbered as in Wireshark."
    )
    try out.flush()
  }

  // MARK: Sections

  private func head() {
    line("# " + escaped(document.title))
    line()
    line(escaped(document.lead))
    for narrowed in document.narrowed { line("Narrowed: \(escaped(narrowed)).") }
    line()
    let facts = document.facts.map { "\($0.label): \($0.value)\($0.more.isEmpty ? "" : " (\($0.more))")" }
    if !facts.isEmpty { line(escaped(facts.joined(separator: "; ")) + ".") }
    list("What this log cannot show", document.limits)
    list("What no profile reads", document.unknown)
  }

  private func list(_ title: String, _ lines: [String]) {
    guard !lines.isEmpty else { return }
    line()
    line("**\(title)**")
    line()
    for text in lines { line("- " + escaped(text)) }
  }

  private func connections() {
    let connections = document.connections.prefix(Limits.connections)
    if !connections.isEmpty {
      heading("Connections")
      table(
        ["Handle", "Device", "Address", "From", "To", "MTU", "Link", "How it ended"],
        connections.map { connection in
          [code(connection.handle), escaped(connection.device), code(connection.address)]
            + [connection.from, connection.to, connection.mtu, connection.link, connection.ending].map(escaped)
        })
      more(document.connections.count - connections.count)
      line()
      for connection in connections {
        for action in connection.actions { line("- \(code(connection.handle)) \(escaped(action))") }
      }
    }
    for search in document.searches { line("- " + escaped(search)) }
  }

  private func air() {
    guard !document.airCaptures.isEmpty else { return }
    heading("On the air")
    for text in document.airCaptures { line("- " + escaped(text)) }
    line()
    table(
      [
        "Handle", "Access address", "Heard", "Not heard", "Not logged", "Median wait", "Longest wait", "Repeated",
        "Repetitions by channel",
      ],
      document.air.prefix(Limits.connections).map { connection in
        [code(connection.handle), code(connection.accessAddress)]
          + [
            connection.heard, connection.unheard, connection.unlogged, connection.median,
            connection.longest + (connection.longest.isEmpty ? "" : " (#\(connection.longestFrame))"),
            connection.repeated,
            connection.channels,
          ].map(escaped)
      })
    more(document.air.count - Limits.connections)
  }

  private func findings() {
    heading("Findings")
    if document.findings.isEmpty { return line("Nothing was found to be wrong.") }
    for finding in document.findings.prefix(Limits.findings) {
      var sentence = "- **\(finding.severity.text)** \(frame(finding.frame)) \(escaped(finding.text))"
      if !finding.times.isEmpty { sentence += " (\(finding.times))" }
      if !finding.advice.isEmpty { sentence += " \u{2014} \(escaped(finding.advice))" }
      line(sentence)
    }
    more(document.findings.count - Limits.findings)
  }

  private func steps() {
    let steps = document.steps.prefix(Limits.steps)
    guard !steps.isEmpty else { return }
    heading("What was done")
    table(
      ["Frame", "Time", "Device", "Operation", "Attribute", "Took", "How it went"],
      steps.map { step in
        let outcome = step.isBad ? "**\(escaped(step.outcome))**" : escaped(step.outcome)
        return [frame(step.frame)] + [step.time, step.device, step.operation, step.attribute, step.duration].map(escaped) + [outcome]
      })
    more(report.operations.count + report.operationsLeftOut - steps.count)
  }

  private func exchanges() {
    guard !document.exchanges.isEmpty else { return }
    heading("What answers what")
    table(
      ["Request", "over", "Answer", "over", "Times", "Median", "Slowest", "First"],
      document.exchanges.prefix(Limits.exchanges).map { exchange in
        let answer = exchange.answer.map { escaped($0.title) } ?? "**none**"
        return [
          escaped(exchange.request.title), escaped(exchange.request.source), answer + (exchange.isGuessed ? " (by order: a guess)" : ""),
          escaped(exchange.answer?.source ?? ""), escaped(exchange.count), escaped(exchange.median), escaped(exchange.slowest),
          frame(exchange.request.frame) + (exchange.answer.map { " " + frame($0.frame) } ?? ""),
        ]
      })
    more(document.exchanges.count - Limits.exchanges)
  }

  private func framings() {
    for framing in document.framings {
      heading("How packets make messages: \(escaped(framing.profile))")
      line(
        "From the profile: header fields are bits (b1) and bytes (u1) in their order. Such headers are in brackets in the packets below."
      )
      line()
      block("yaml", Array(framing.lines.prefix(Limits.framing)))
      more(framing.lines.count - Limits.framing)
    }
  }

  private func messages() {
    guard !document.sources.isEmpty else { return }
    heading("Messages")
    var left = 0
    for source in document.sources {
      if isFull {
        left += source.kinds.count
        continue
      }
      line("### " + escaped(source.name))
      line()
      var facts: [String] = []
      if !source.uuid.isEmpty { facts.append(code(source.uuid)) }
      if !source.handle.isEmpty { facts.append("handle " + code(source.handle)) }
      for fact in [source.properties, source.owner, source.traffic] where !fact.isEmpty { facts.append(escaped(fact)) }
      if !source.service.isEmpty { facts.append("service " + escaped(source.service)) }
      if !source.profile.isEmpty { facts.append("profile " + escaped(source.profile)) }
      if !facts.isEmpty { line(facts.joined(separator: ", ") + ".") }
      if !source.subscription.isEmpty { line(escaped(source.subscription) + ".") }
      line()
      for kind in source.kinds {
        if isFull { left += 1 } else { self.kind(kind) }
      }
    }
    if left > 0 {
      line(
        "\(left) \(left == 1 ? "kind" : "kinds") of messages more, which are too many for an issue. --characteristic, -Y, --from and --to show others."
      )
    }
  }

  private var isFull: Bool { out.written + out.count > Limits.bytes }

  private func kind(_ shown: ReportDocument.Kind) {
    let kind = report.kinds[shown.number]
    line("**\(escaped(shown.name))**, \(shown.direction): \(escaped(shown.counts))")
    if !shown.patternNotes.isEmpty { line("(" + escaped(shown.patternNotes.joined(separator: "; ")) + ")") }
    line()
    guard let message = kind.example else { return }
    var lines = ["#\(message.frame)" + (message.text.isEmpty ? "" : "  " + TextBuffer.harmless(message.text))]
    let pieces = report.pieces(message)
    for piece in pieces.prefix(Limits.packets) {
      var packet = "packet #\(piece.frame): "
      if !piece.head.isEmpty { packet += "[\(report.hex(piece.head))] " }
      packet += report.hex(piece.body)
      if !piece.tail.isEmpty { packet += " [\(report.hex(piece.tail))]" }
      lines.append(packet)
    }
    if pieces.count > Limits.packets { lines.append("\u{2026} and \(count(pieces.count - Limits.packets, "packet")) more") }
    lines += fields(message, kind)
    block("", lines)
  }

  /// The fields of a message next to their bytes; the bytes alone where no profile decodes them.
  private func fields(_ message: ReportMessage, _ kind: ReportKind) -> [String] {
    guard message.layout >= 0 else {
      var lines: [String] = []
      var at = 0
      while at < message.payload.count, lines.count < 8 {
        lines.append(Markdown.padded("\(at)", 12) + report.hex(Array(message.payload[at..<min(at + 16, message.payload.count)])))
        at += 16
      }
      if at < message.payloadCount { lines.append("\u{2026} (+\(message.payloadCount - at))") }
      return lines.isEmpty ? ["(no bytes)"] : lines
    }
    let layout = report.layouts[message.layout]
    let values = report.values(message)
    var lines: [String] = []
    var paths: Set<String> = []
    for (index, field) in layout.fields.enumerated() {
      let isFirst = paths.insert(field.path).inserted
      if lines.count >= Limits.fields { continue }
      var bytes = ""
      if !field.isContainer, !field.range.isEmpty {
        let range = field.range.clamped(to: 0..<message.payload.count)
        bytes = field.isSecret ? "\u{2022}\u{2022}" : report.hex(Array(message.payload[range].prefix(Limits.payload)))
        if range.count > Limits.payload { bytes += " \u{2026}" }
      }
      var line =
        Markdown.padded(report.location(field), 12) + Markdown.padded(bytes, 24) + String(repeating: "  ", count: min(field.depth, 8))
        + TextBuffer.harmless(field.name)
      let value = index < values.count ? values[index] : ""
      if !field.isContainer {
        line += " = \(value)"
        if !field.unit.isEmpty, value != "none" { line += " \(TextBuffer.harmless(field.unit))" }
        let type = report.type(message, index)
        if !type.isEmpty { line += "  (\(type))" }
        let position = layout.statistics[index]
        let seen = isFirst && position >= 0 ? report.seen(kind.fields[position], besides: value, limit: 5) : ""
        if !seen.isEmpty { line += "  also \(seen)" }
      }
      lines.append(line)
    }
    if layout.fields.count > Limits.fields {
      lines.append("\u{2026} and \(count(layout.fields.count - Limits.fields, "field")) more\(further(layout, values, kind))")
    }
    let others = kind.fields.filter { !paths.contains($0.path) && !$0.isHidden }
    if !others.isEmpty {
      lines.append(
        "in others of this kind also: " + others.prefix(24).map { TextBuffer.harmless($0.title) }.joined(separator: ", ")
          + (others.count > 24 ? " \u{2026} (+\(others.count - 24))" : ""))
    }
    return lines
  }

  /// Those fields without a line of their own that an id names.
  private func further(_ layout: ReportLayout, _ values: [String], _ kind: ReportKind) -> String {
    var text = ""
    for index in Limits.fields..<layout.fields.count where layout.fields[index].path.contains("{") && index < values.count {
      let field = layout.fields[index]
      let position = layout.statistics[index]
      if field.isContainer || field.isHidden || position < 0 { continue }
      if text.utf8.count > 3000 { return text + ", \u{2026}" }
      text += (text.isEmpty ? ": " : ", ") + TextBuffer.harmless(kind.fields[position].title) + " = " + values[index]
      if !field.unit.isEmpty, values[index] != "none" { text += " " + TextBuffer.harmless(field.unit) }
    }
    return text
  }

  private func attributes() {
    guard !document.databases.isEmpty else { return }
    heading("GATT")
    var left = Limits.attributes
    for database in document.databases where left > 0 {
      line("### " + escaped(database.owner))
      line()
      table(
        ["Handle", "Attribute", "UUID", "Properties", "Traffic"],
        database.attributes.prefix(left).map { attribute in
          let name = attribute.level == .service ? "**\(escaped(attribute.name))**" : escaped(attribute.name)
          return [code(attribute.handle), name, code(attribute.uuid), escaped(attribute.properties), escaped(attribute.traffic)]
        })
      more(database.attributes.count - left)
      left -= database.attributes.count
    }
  }

  private func devices() {
    let devices = document.devices.prefix(Limits.devices)
    guard !devices.isEmpty else { return }
    heading("Devices heard: \(document.deviceCount)")
    table(
      ["Device", "Address", "Signal", "Reports", "What it says"],
      devices.map { device in
        [
          escaped(device.name), code(device.address) + " " + escaped(device.type), escaped(device.signal), escaped(device.reports),
          escaped(device.details),
        ]
      })
    more(report.summary.heard.count - devices.count)
  }

  // MARK: Parts of Markdown

  private func count(_ number: Int, _ noun: String) -> String { "\(number) \(noun)\(number == 1 ? "" : "s")" }

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

  private func table(_ heads: [String], _ rows: [[String]]) { Markdown.table(heads, rows, to: out) }

  private func block(_ language: String, _ lines: [String]) { Markdown.block(language, lines, to: out) }

  private func frame(_ number: Int) -> String { number == 0 ? "" : "`#\(number)`" }

  private func code(_ text: String) -> String { Markdown.code(text) }

  private func escaped(_ text: String) -> String { Markdown.escaped(text) }
}

/// Text from the air in Markdown.
enum Markdown {
  /// A text with spaces behind it up to a width, at least one.
  static func padded(_ text: String, _ width: Int) -> String { text + String(repeating: " ", count: max(1, width - text.count)) }

  /// A table; its cells are escaped already.
  static func table(_ heads: [String], _ rows: [[String]], to out: TextBuffer) {
    out.string("| " + heads.joined(separator: " | ") + " |\n")
    out.string("|" + String(repeating: "---|", count: heads.count) + "\n")
    for row in rows { out.string("| " + row.joined(separator: " | ") + " |\n") }
  }

  /// Writes lines verbatim in a fence. No line begins as the fence does: one with `~` in front is indented, and text from the air is never at the
  /// start of a line.
  static func block(_ language: String, _ lines: [String], to out: TextBuffer) {
    out.string("~~~~~~\(language)\n")
    for text in lines { out.string((text.hasPrefix("~") ? " \u{2009}" + text : text) + "\n") }
    out.string("~~~~~~\n\n")
  }

  /// Digits, UUIDs, addresses.
  static func code(_ text: String) -> String {
    text.isEmpty ? "" : "`\(trimmed(text).replacing("`", with: "'").replacing("|", with: "\u{00A6}"))`"
  }

  /// Escapes text for a paragraph or a cell: no markup, no HTML, no mention, no reference to an issue, no link.
  static func escaped(_ text: String) -> String {
    var escaped = ""
    var before: Character = " "
    for character in trimmed(text) {
      switch character {
      case "&": escaped += "&amp;"
      case "<": escaped += "&lt;"
      case ">": escaped += "&gt;"
      case "\n", "\r", "\r\n": escaped += " "
      case "\\", "`", "*", "_", "[", "]", "|", "~", "$", "^": escaped += "\\\(character)"
      // A zero-width space keeps trackers from making a link of it.
      case "@", "#": escaped += "\(character)&#8203;"
      case "/" where before == ":" || before == "/": escaped += "&#8203;/"
      case "." where before == "w" || before == "W": escaped += "&#8203;."
      default: escaped.append(character)
      }
      before = character
    }
    return escaped
  }

  /// A text without the spaces at its end, which have a meaning in Markdown.
  static func trimmed(_ text: String) -> Substring {
    var text = text[...]
    while text.last == " " { text.removeLast() }
    return text
  }
}
