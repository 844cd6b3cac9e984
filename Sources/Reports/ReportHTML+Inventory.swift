import Bluetooth
import Conversations
import Profiles
import Timeline

/// What answers what, and each kind of message with its first example.
extension ReportHTML {
  func inventory() -> Context {
    var left = Most.kinds
    var sources: [Context] = []
    // What was written and answered comes before what was only heard.
    let order = report.sources.indices.filter { !report.sources[$0].kinds.isEmpty }.sorted { weight($0) < weight($1) }
    for index in order where left > 0 {
      let source = report.sources[index]
      let kinds = source.kinds.prefix(left)
      left -= kinds.count
      sources.append([
        "number": "\(index)", "name": Output.harmless(source.name), "uuid": some(source.uuid),
        "handle": source.handle == 0 ? false as Any : report.handle(source.handle),
        "properties": some(words { $0.properties(source.properties) }),
        "service": some(source.serviceName.isEmpty ? source.service : "\(source.serviceName) (\(source.service))"),
        "profile": source.profile.map { "\(Output.harmless($0.id)) (\(Output.harmless($0.title)))" } ?? false as Any,
        "owner": source.isLocal ? "of this host" as Any : false,
        "traffic": some(source.attribute >= 0 ? traffic(source.attribute) : ""), "subscribe": some(report.subscription(source) ?? ""),
        "kinds": kinds.map(kind),
        "kindsMore": kinds.count < source.kinds.count ? "and \(source.kinds.count - kinds.count) kinds more" as Any : false,
      ])
    }
    let exchanges = exchanges()
    let definitions: [Context] = report.profiles.compactMap { profile in
      guard let text = definition(profile.id) else { return nil }
      return [
        "id": Output.harmless(profile.id), "lines": "\(text.split(separator: "\n", omittingEmptySubsequences: false).count)",
        "text": text.split(separator: "\n", omittingEmptySubsequences: false).map { Output.harmless(String($0)) }.joined(separator: "\n"),
      ]
    }
    return [
      "hasInventory": !sources.isEmpty, "sources": sources, "exchanges": exchanges, "hasExchanges": !exchanges.isEmpty,
      "guessNote": report.exchanges.contains { $0.isGuessed }, "definitions": definitions, "framings": framings(),
    ]
  }

  /// What the profiles say of how packets make messages, as they are written: their framings, and the types of the headers in them.
  private func framings() -> [Context] {
    report.profiles.compactMap { profile in
      // Only what messages of more than one packet, or with headers, were made by.
      let isFramed = report.kinds.contains { kind in
        report.sources[kind.source].profile?.id == profile.id && kind.example.map { !$0.packets.isEmpty } ?? false
      }
      guard isFramed, let text = definition(profile.id) else { return nil }
      let lines = text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
      var shown = block(lines, "framings:", indent: 0)
      var types: [String] = []
      for line in lines {
        guard let at = line.place(of: "header: ") else { continue }
        let name = line.dropFirst(at).prefix { $0.isLetter || $0.isNumber || $0 == "_" }
        if !name.isEmpty, !types.contains(String(name)) { types.append(String(name)) }
      }
      for name in types {
        let type = block(lines, "\(name):", indent: 2)
        if !type.isEmpty { shown += ["", "types:"] + type }
      }
      guard !shown.isEmpty else { return nil }
      return ["id": Output.harmless(profile.id), "text": shown.map { Output.harmless($0) }.joined(separator: "\n")]
    }
  }

  /// The lines of a key of YAML and all that is in it; empty where it is not there.
  private func block(_ lines: [String], _ key: String, indent: Int) -> [String] {
    let start = String(repeating: " ", count: indent) + key
    guard let first = lines.firstIndex(where: { $0.hasPrefix(start) }) else { return [] }
    let rest = lines[(first + 1)...].prefix { line in line.isEmpty || line.prefix { $0 == " " }.count > indent }
    return [lines[first]] + rest.reversed().drop { $0.allSatisfy { $0 == " " } }.reversed()
  }

  private func weight(_ index: Int) -> (Int, UInt16, Int) {
    let source = report.sources[index]
    let isHeard = source.kinds.allSatisfy { report.kinds[$0].direction == .advertise }
    let isAsked = report.exchanges.contains { report.kinds[$0.request].source == index || report.kinds[$0.answer].source == index }
    return (isHeard ? 3 : source.profile?.id == "bluetooth-sig" ? 2 : isAsked ? 0 : 1, source.handle, index)
  }

  private func exchanges() -> [Context] {
    var rows: [Context] = report.exchanges.prefix(Most.exchanges).map { one in
      let (request, answer) = (report.kinds[one.request], report.kinds[one.answer])
      return [
        "requestKind": "\(one.request)", "request": report.title(request),
        "requestSource": Output.harmless(report.sources[request.source].name),
        "answerKind": "\(one.answer)", "answer": report.title(answer), "answerSource": Output.harmless(report.sources[answer.source].name),
        "count": grouped(one.count), "median": one.median.map(duration) ?? "", "slowest": duration(one.slowest),
        "frame": "\(one.example.request)",
        "answerFrame": "\(one.example.answer)", "guessed": one.isGuessed,
      ]
    }
    for (index, kind) in report.kinds.enumerated() where kind.requests > kind.answered && rows.count < Most.exchanges {
      rows.append([
        "requestKind": "\(index)", "request": report.title(kind), "requestSource": Output.harmless(report.sources[kind.source].name),
        "answer": false,
        "answerKind": false, "answerSource": false, "count": grouped(kind.requests - kind.answered), "median": "", "slowest": "",
        "frame": "\(kind.example?.frame ?? 0)", "answerFrame": false, "guessed": false,
      ])
    }
    return rows
  }

  private func kind(_ index: Int) -> Context {
    let kind = report.kinds[index]
    let pattern = report.pattern(kind)
    let shown = min(32, kind.columns.count)
    var context: Context = [
      "number": "\(index)", "direction": report.verb(kind), "name": report.title(kind), "counts": report.counts(kind),
      "hasPattern": !pattern.isEmpty && kind.longest > 0,
      "patternOf": kind.longest > shown
        ? "all, the first \(shown) of up to \(kind.longest)" : kind.count == 2 ? "both" : "all \(kind.count)",
      "pattern": pattern.map {
        ["at": "\($0.at)", "look": $0.isInAll ? $0.look.rawValue : "\($0.look.rawValue) rare", "title": $0.explanation, "value": $0.value]
          as Context
      },
      "patternNotes": report.notes(kind), "example": false, "hasOthers": false, "others": [Context](), "isOpen": report.kinds.count <= 6,
      "say": some(Output.harmless(kind.example?.text ?? [])),
    ]
    guard let example = kind.example else { return context }
    var paths: Set<String> = []
    context["example"] = self.example(example, kind, &paths)
    let others = kind.fields.filter { !paths.contains($0.path) }
    context["hasOthers"] = !others.isEmpty
    context["others"] = others.prefix(Most.fields).map { field -> Context in
      ["name": Output.harmless(field.path) + (field.unit.isEmpty ? "" : ", \(Output.harmless(field.unit))"), "seen": report.seen(field)]
    }
    return context
  }

  private func example(_ message: ReportMessage, _ kind: ReportKind, _ paths: inout Set<String>) -> Context {
    let shape = message.shape >= 0 ? report.shapes[message.shape] : nil
    let values = report.values(message)
    var rows: [Context] = []
    if let shape {
      for (index, field) in shape.fields.enumerated() {
        // Of the elements of an array, the first tells what all had.
        let isFirst = paths.insert(field.path).inserted
        guard rows.count < Most.fields else { continue }
        let statistics = shape.statistics[index] >= 0 ? kind.fields[shape.statistics[index]] : nil
        let value = index < values.count ? values[index] : ""
        rows.append([
          "range": "\(field.range.lowerBound)-\(field.range.upperBound)", "depth": "\(min(6, field.depth))", "hidden": field.isHidden,
          "at": report.place(field), "name": Output.harmless(field.name), "value": value,
          "unit": some(field.isHolder || value == "none" ? "" : Output.harmless(field.unit)),
          "seen": isFirst ? statistics.map { report.seen($0, besides: value) } ?? "" : "",
          "type": report.type(message, index),
        ])
      }
      if shape.fields.count > rows.count {
        rows.append([
          "range": "0-0", "depth": "0", "hidden": true, "at": "",
          "name": "and \(shape.fields.count - rows.count) more, in the conversation",
          "value": "", "unit": false, "seen": "", "type": "",
        ])
      }
    }
    let pieces = report.pieces(message)
    let packets = pieces.prefix(Most.packets).map { piece -> Context in
      [
        "frame": "\(piece.frame)", "head": some(report.hex(piece.head)), "body": report.hex(piece.body),
        "tail": some(report.hex(piece.tail)),
      ]
    }
    return [
      "frame": "\(message.frame)", "text": some(Output.harmless(message.text)), "bytes": bytes(message, shape),
      "bytesMore": message.payloadCount > Most.bytes ? " and \(grouped(message.payloadCount - Most.bytes)) more" as Any : false,
      "fields": rows, "hasFields": !rows.isEmpty, "packets": Array(packets), "hasPackets": !packets.isEmpty,
      "packetsTitle": "On the air: \(count(message.packetCount, "packet", "packets"))",
    ]
  }

  /// The bytes as elements that light up: nothing but digits in them.
  private func bytes(_ message: ReportMessage, _ shape: ReportShape?) -> String {
    let secret = (shape?.fields ?? []).filter { $0.isSecret && !$0.range.isEmpty }.map(\.range)
    return words { out in
      for (index, byte) in message.payload.prefix(Most.bytes).enumerated() {
        out.text("<b data-i=\"")
        out.decimal(index)
        out.text("\">")
        if secret.contains(where: { $0.contains(index) }) { out.text("••") } else { out.hex(UInt64(byte), digits: 2) }
        out.text("</b>")
      }
    }
  }
}

extension String {
  /// The number of characters up to the end of the first place where `text` stands; nil where it does not.
  fileprivate func place(of text: String) -> Int? {
    let all = Array(self)
    let part = Array(text)
    guard all.count >= part.count else { return nil }
    return (0...(all.count - part.count)).first { all[$0..<($0 + part.count)].elementsEqual(part) }.map { $0 + part.count }
  }
}
