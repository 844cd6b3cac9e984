import Bluetooth
import Conversations
import Profiles
import Analysis
import Text

/// Pairs of request and response, and each kind of message with its first example.
extension ReportBuilder {
  func messages(_ document: inout ReportDocument) {
    var left = Limits.kinds
    // Sources with requests and responses come first, sources that were only heard last.
    let order = report.sources.indices.filter { !report.sources[$0].kinds.isEmpty }.sorted { weight($0) < weight($1) }
    for index in order where left > 0 {
      let source = source(index, limit: left)
      left -= source.kinds.count
      document.sources.append(source)
    }
    document.exchanges = exchanges()
    document.framings = report.profiles.compactMap(framing)
    document.definitions = report.profiles.compactMap { profile in
      profileText(profile.id).map { text in
        .init(profile: TextBuffer.harmless(profile.id), lines: lines(text).map { TextBuffer.harmless($0) })
      }
    }
  }

  /// The lines of a profile, which are split by bytes, as splitting by characters takes ten times as long.
  private func lines(_ text: String) -> [String] {
    text.utf8.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false).map { String(Substring($0)) }
  }

  private func source(_ index: Int, limit: Int) -> ReportDocument.Source {
    let source = report.sources[index]
    let isOfHost = tables.connections.contains { $0.accessAddress == 0 }
    let kinds = source.kinds.prefix(limit)
    return .init(
      number: index, name: TextBuffer.harmless(source.name), uuid: source.uuid,
      handle: source.handle == 0 ? "" : report.handle(source.handle), properties: words { $0.properties(source.properties) },
      service: source.serviceName.isEmpty ? source.service : "\(source.serviceName) (\(source.service))",
      profile: source.profile.map { "\(TextBuffer.harmless($0.id)) (\(TextBuffer.harmless($0.title)))" } ?? "",
      owner: source.isLocal ? isOfHost ? "of this host" : "of the central" : "",
      traffic: source.attribute >= 0 ? traffic(source.attribute) : "",
      subscription: report.subscription(source) ?? "", kinds: kinds.map(kind),
      kindsLeft: kinds.count < source.kinds.count ? "and \(source.kinds.count - kinds.count) kinds more" : "")
  }

  /// The framings of a profile and the types of their headers, as YAML. Nil where no message of the report needed them.
  private func framing(_ profile: (id: String, title: String)) -> ReportDocument.Framing? {
    // Only framings of messages with several packets or with headers.
    let isUsed = report.kinds.contains { kind in
      report.sources[kind.source].profile?.id == profile.id && kind.example.map { !$0.packets.isEmpty } ?? false
    }
    guard isUsed, let text = profileText(profile.id) else { return nil }
    let lines = lines(text)
    var shown = block(lines, "framings:", indent: 0)
    var types: [String] = []
    for line in lines {
      guard let end = Self.endOfHeaderKey(line) else { continue }
      let name = line[end...].prefix { $0.isLetter || $0.isNumber || $0 == "_" }
      if !name.isEmpty, !types.contains(String(name)) { types.append(String(name)) }
    }
    for name in types {
      let type = block(lines, "\(name):", indent: 2)
      if !type.isEmpty { shown += ["", "types:"] + type }
    }
    return shown.isEmpty ? nil : .init(profile: TextBuffer.harmless(profile.id), lines: shown.map { TextBuffer.harmless($0) })
  }

  private static let headerKey = Array("header: ".utf8)

  /// Where the first `header: ` in a line ends.
  private static func endOfHeaderKey(_ line: String) -> String.Index? {
    let key = headerKey
    let bytes = line.utf8.span
    var at = 0
    while at + key.count <= bytes.count {
      if key.indices.allSatisfy({ bytes[at + $0] == key[$0] }) { return line.utf8.index(line.startIndex, offsetBy: at + key.count) }
      at += 1
    }
    return nil
  }

  /// The lines of a YAML key and its value; empty where the key is missing.
  private func block(_ lines: [String], _ key: String, indent: Int) -> [String] {
    let start = String(repeating: " ", count: indent) + key
    guard let first = lines.firstIndex(where: { $0.hasPrefix(start) }) else { return [] }
    let rest = lines[(first + 1)...].prefix { line in line.isEmpty || line.prefix { $0 == " " }.count > indent }
    return [lines[first]] + rest.reversed().drop { $0.allSatisfy { $0 == " " } }.reversed()
  }

  private func weight(_ index: Int) -> (Int, UInt16, Int) {
    let source = report.sources[index]
    let isHeard = source.kinds.allSatisfy { report.kinds[$0].direction == .advertise }
    let isRequested = report.exchanges.contains { report.kinds[$0.request].source == index || report.kinds[$0.answer].source == index }
    return (isHeard ? 3 : source.profile?.id == "bluetooth-sig" ? 2 : isRequested ? 0 : 1, source.handle, index)
  }

  private func side(_ kind: Int, frame: Int) -> ReportDocument.Exchange.Side {
    let target = report.kinds[kind]
    return .init(kind: kind, frame: frame, title: report.title(target), source: TextBuffer.harmless(report.sources[target.source].name))
  }

  private func exchanges() -> [ReportDocument.Exchange] {
    let answered = report.exchanges.prefix(Limits.exchanges).map { exchange in
      ReportDocument.Exchange(
        request: side(exchange.request, frame: exchange.example.request), answer: side(exchange.answer, frame: exchange.example.answer),
        count: grouped(exchange.count),
        median: exchange.median.map(duration) ?? "", slowest: duration(exchange.slowest), isGuessed: exchange.isGuessed)
    }
    let unanswered = report.kinds.enumerated().filter { $1.requests > $1.answered }.prefix(Limits.exchanges - answered.count).map {
      index, kind in
      ReportDocument.Exchange(
        request: side(index, frame: kind.example?.frame ?? 0), answer: nil, count: grouped(kind.requests - kind.answered), median: "",
        slowest: "",
        isGuessed: false)
    }
    return answered + unanswered
  }

  private func kind(_ index: Int) -> ReportDocument.Kind {
    let kind = report.kinds[index]
    let shown = min(32, kind.columns.count)
    var paths: Set<String> = []
    let example = kind.example.map { self.example($0, kind, &paths) }
    return .init(
      number: index, direction: report.verb(kind), name: report.title(kind), counts: report.counts(kind),
      text: TextBuffer.harmless(kind.example?.text ?? []), isOpen: report.kinds.count <= 6,
      pattern: kind.longest > 0 ? report.pattern(kind) : [],
      patternScope: kind.longest > shown
        ? "all, the first \(shown) of up to \(kind.longest)" : kind.count == 2 ? "both" : "all \(kind.count)",
      patternNotes: report.notes(kind), example: example,
      otherFields: example == nil
        ? []
        : kind.fields.filter { !paths.contains($0.path) }.prefix(Limits.fields).map { field in
          .init(
            name: TextBuffer.harmless(field.path) + (field.unit.isEmpty ? "" : ", \(TextBuffer.harmless(field.unit))"),
            seen: report.seen(field))
        })
  }

  private func example(_ message: ReportMessage, _ kind: ReportKind, _ paths: inout Set<String>) -> ReportDocument.Example {
    let layout = message.layout >= 0 ? report.layouts[message.layout] : nil
    let pieces = report.pieces(message)
    return .init(
      frame: message.frame, text: TextBuffer.harmless(message.text), bytes: Array(message.payload.prefix(Limits.bytes)),
      secrets: (layout?.fields ?? []).filter { $0.isSecret && !$0.range.isEmpty }.map(\.range),
      bytesLeft: message.payloadCount > Limits.bytes ? " and \(grouped(message.payloadCount - Limits.bytes)) more" : "",
      fields: layout.map { fields(message, kind, $0, &paths) } ?? [], packets: Array(pieces.prefix(Limits.packets)),
      packetCount: count(message.packetCount, "packet", "packets"))
  }

  private func fields(
    _ message: ReportMessage, _ kind: ReportKind, _ layout: ReportLayout, _ paths: inout Set<String>
  ) -> [ReportDocument.Field] {
    let values = report.values(message)
    var fields: [ReportDocument.Field] = []
    for (index, field) in layout.fields.enumerated() {
      // Values of all elements of an array are listed with the first element.
      let isFirst = paths.insert(field.path).inserted
      guard fields.count < Limits.fields else { continue }
      let statistics = layout.statistics[index] >= 0 ? kind.fields[layout.statistics[index]] : nil
      let value = index < values.count ? values[index] : ""
      fields.append(
        .init(
          range: field.range, depth: min(6, field.depth), isHidden: field.isHidden, location: report.location(field),
          type: report.type(message, index), name: TextBuffer.harmless(field.name), value: value,
          unit: field.isContainer || value == "none" ? "" : TextBuffer.harmless(field.unit),
          seen: isFirst ? statistics.map { report.seen($0, besides: value) } ?? "" : ""))
    }
    if layout.fields.count > fields.count {
      fields.append(
        .init(
          range: 0..<0, depth: 0, isHidden: true, location: "", type: "",
          name: "and \(layout.fields.count - fields.count) more, in the conversation", value: "", unit: "", seen: ""))
    }
    return fields
  }
}
