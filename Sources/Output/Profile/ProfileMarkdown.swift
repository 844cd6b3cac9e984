import Profiles
import Text

/// A profile's specification as Markdown. All texts of the profile are escaped.
public struct ProfileMarkdown {
  private let page: ProfilePage
  private let out: TextBuffer
  private var profile: ProfileDescription { page.description }

  /// Writes `page` to `out`.
  public init(_ page: ProfilePage, to out: TextBuffer) {
    self.page = page
    self.out = out
  }

  /// Writes the document. Throws ``OutputError``.
  public func write() throws {
    line("# " + Markdown.escaped(profile.title))
    line()
    for fact in profile.facts { line("- \(fact.label): \(Markdown.escaped(fact.text))") }
    section("How a device is known")
    if profile.matches.isEmpty { line("By the sources below: no other condition.") }
    for rule in profile.matches { line("- " + Markdown.escaped(rule)) }
    if !profile.keys.isEmpty {
      section("Keys")
      table(["Key", "Bytes", "Where it is found"], profile.keys.map { [code($0.name), "\($0.bytes)", Markdown.escaped($0.note)] })
    }
    sources()
    framings()
    if !page.checks.isEmpty {
      section("Checks")
      table(
        ["Algorithm", "Over", "Where", "Order", "Only if", "Used by"],
        page.checks.map { row in [code(row[0])] + row[1...3].map(Markdown.escaped) + [code(row[4]), Markdown.escaped(row[5])] })
    }
    answers()
    section("Messages")
    for message in profile.messages { self.message(message) }
    if !profile.types.isEmpty {
      section("Types")
      for type in profile.types {
        heading(type.name, type.doc)
        fields(type.fields)
      }
    }
    tables()
    if !profile.protobufs.isEmpty {
      section("Protobuf messages")
      for protobuf in profile.protobufs {
        heading(protobuf.name, "")
        table(["Number", "Field", ""], protobuf.fields.map { [code($0.number), code($0.declaration), Markdown.escaped($0.more)] })
      }
    }
    if !profile.enums.isEmpty {
      section("Named values")
      for list in profile.enums {
        heading(list.name, "")
        table(
          ["Value", "Name", "Meaning"], list.entries.map { [code($0.value), Markdown.escaped($0.name), Markdown.escaped($0.doc)] })
      }
    }
    if !profile.state.isEmpty {
      section("State")
      line("What earlier messages leave for later ones, with the values at the start.")
      line()
      table(["Variable", "At the start"], profile.state.map { [code($0.name), code($0.initial)] })
    }
    line()
    line("---")
    line(
      "Written by btscribe from profile \(code(profile.id)). Offsets are bytes from 0; `b3` are 3 bits, `u2le` two bytes without sign, low byte first."
    )
    try out.flush()
  }

  private func sources() {
    section("Characteristics and other sources")
    for source in profile.sources {
      heading(source.name, source.title)
      line("\(source.kind): \(Markdown.escaped(source.locations.joined(separator: ", ")))")
      if !source.note.isEmpty {
        line()
        line(Markdown.escaped(source.note))
      }
      line()
      table(
        ["Direction", "Message", "When", "Frame"],
        source.directions.flatMap { direction in
          direction.messages.map { message in
            [
              direction.word, code(message.name), code(message.when),
              direction.framing.map { "frame \($0 + 1)" } ?? "the value is the message",
            ]
          }
        })
    }
  }

  private func framings() {
    guard !profile.framings.isEmpty else { return }
    section("Frames")
    for (number, framing) in profile.framings.enumerated() {
      heading("Frame \(number + 1)", "of " + framing.users.joined(separator: "; "))
      if !framing.packet.isEmpty { drawn("Each packet", framing.packet) }
      if framing.message.count > 1 { drawn("The message", framing.message) }
      line()
      table(
        ["Layer", "Key", "Value", "Meaning"],
        framing.layers.flatMap { layer in
          layer.rows.isEmpty
            ? [[code(layer.name), "", "", ""]]
            : layer.rows.enumerated().map { index, row in
              [index == 0 ? code(layer.name) : "", code(row.key), code(row.value), Markdown.escaped(row.help)]
            }
        })
    }
  }

  /// Draws boxes side by side.
  private func drawn(_ title: String, _ parts: [ProfileDescription.Part]) {
    let rows = [parts.map(\.name), parts.map { $0.size.isEmpty ? "\u{2026}" : $0.size }, parts.map(\.note)]
    let widths = parts.indices.map { index in rows.map { $0[index].count }.max() ?? 0 }
    func edge(_ left: String, _ middle: String, _ right: String) -> String {
      left + widths.map { String(repeating: "\u{2500}", count: $0 + 2) }.joined(separator: middle) + right
    }
    var lines = [edge("\u{250C}", "\u{252C}", "\u{2510}")]
    for row in rows where row.contains(where: { !$0.isEmpty }) {
      lines.append(
        "\u{2502}"
          + row.enumerated().map { " " + $1 + String(repeating: " ", count: widths[$0] - $1.count) + " " }.joined(separator: "\u{2502}")
          + "\u{2502}")
    }
    lines.append(edge("\u{2514}", "\u{2534}", "\u{2518}"))
    line("\(title):")
    line()
    Markdown.block("", lines, to: out)
  }

  private func answers() {
    let rows = profile.sources.flatMap { source in
      source.answers.map { answer in
        [
          code(answer.to), code(source.name), answer.when.isEmpty ? "the oldest open one" : code(answer.when),
          answer.staysOpen ? "several" : "one", answer.within,
        ]
      }
    }
    guard !rows.isEmpty else { return }
    section("Requests and answers")
    table(["Requests over", "Answers over", "Belongs to it if", "Answers", "Within"], rows)
  }

  private func message(_ message: ProfileDescription.Message) {
    heading(message.name, message.title)
    if !message.doc.isEmpty {
      line(Markdown.escaped(message.doc))
      line()
    }
    for use in message.uses { line("- " + Markdown.escaped(use)) }
    if !message.type.isEmpty, message.type != message.name { line("- of type " + code(message.type)) }
    if !message.body.isEmpty { line("- body: " + Markdown.escaped(message.body)) }
    for set in message.sets { line("- sets \(code(set.name)) to \(code(set.value))") }
    line()
    fields(message.fields)
    if let example = page.examples[message.name] { self.example(example) }
  }

  private func fields(_ fields: [ProfileDescription.Field]) {
    guard !fields.isEmpty else { return }
    table(
      ["Offset", "Bytes", "Field", "Type", "Scale", "Unit", "Meaning"],
      fields.map { field in
        let meaning = (field.enumLink.map { ["values of \(code($0))"] } ?? []) + field.meaning.map(Markdown.escaped)
        return [
          Markdown.escaped(field.offset), Markdown.escaped(field.length), code(field.name), code(field.type), code(field.scale),
          Markdown.escaped(field.unit), meaning.joined(separator: "; "),
        ]
      })
    line()
  }

  private func tables() {
    guard !profile.tables.isEmpty else { return }
    section("ConversationTables of values")
    for list in profile.tables {
      heading(list.name, list.isOfRegisters ? "registers" : "tagged values")
      if !list.facts.isEmpty {
        line(Markdown.escaped(list.facts))
        line()
      }
      table(
        [list.isOfRegisters ? "Register" : "Tag", "Name", "Type", "Scale", "Unit", "Meaning"],
        list.rows.map { row in
          let meaning = (row.field.enumLink.map { ["values of \(code($0))"] } ?? []) + row.field.meaning.map(Markdown.escaped)
          return [
            code(row.number), Markdown.escaped(row.field.name), code(row.field.type), code(row.field.scale),
            Markdown.escaped(row.field.unit),
            meaning.joined(separator: "; "),
          ]
        })
    }
  }

  /// Prints the bytes of a message, and below them the fields next to their bytes.
  private func example(_ example: ProfilePage.Example) {
    line("Example\(example.title.isEmpty ? "" : ", \(Markdown.escaped(example.title))"):")
    line()
    var lines: [String] = []
    for packet in example.packets.prefix(8) {
      lines.append("packet      " + ProfilePage.hex(packet.prefix(64)) + (packet.count > 64 ? " \u{2026}" : ""))
    }
    if example.packets.count > 8 { lines.append("            \u{2026} and \(example.packets.count - 8) packets more") }
    if !example.text.isEmpty { lines.append("says        " + TextBuffer.harmless(example.text)) }
    for field in example.fields {
      let bytes = field.color == nil ? [] : Array(example.payload[field.range])
      lines.append(
        Markdown.padded(field.location, 12) + Markdown.padded(ProfilePage.hex(bytes.prefix(8)) + (bytes.count > 8 ? " \u{2026}" : ""), 26)
          + String(repeating: "  ", count: min(field.depth, 8)) + TextBuffer.harmless(field.name)
          + (field.value.isEmpty ? "" : " = " + TextBuffer.harmless(field.value)))
    }
    if let check = example.check {
      lines.append(
        Markdown.padded("\(check.lowerBound)\u{2013}\(check.upperBound - 1)", 12)
          + Markdown.padded(ProfilePage.hex(example.payload[check]), 26) + "check")
    }
    Markdown.block("", lines, to: out)
  }

  // MARK: Parts of Markdown

  private func line(_ text: String = "") {
    out.string(text)
    out.byte(0x0A)
  }

  private func section(_ title: String) {
    line()
    line("## " + title)
    line()
  }

  private func heading(_ name: String, _ title: String) {
    line()
    line("### \(Markdown.escaped(name))\(title.isEmpty ? "" : ": " + Markdown.escaped(title))")
    line()
  }

  private func table(_ heads: [String], _ rows: [[String]]) { Markdown.table(heads, rows, to: out) }

  private func code(_ text: String) -> String { Markdown.code(text) }
}
