import Profiles
import Text

/// A profile's specification as one HTML page that loads nothing and has no script. All texts of the profile are escaped (``HTML``).
public struct ProfileHTML {
  private let page: ProfilePage
  private let out: TextBuffer
  private var profile: ProfileDescription { page.description }

  /// Writes `page` to `out`.
  public init(_ page: ProfilePage, to out: TextBuffer) {
    self.page = page
    self.out = out
  }

  /// Writes the page. Throws ``OutputError``.
  public func write() throws {
    for section in [head, overview, sources, framings, messages, types, tables, protobufs, enums, footer] { out.string(section.text) }
    try out.flush()
  }

  private var head: HTML {
    """
    \(ReportPage.head("\(profile.title)"))
    <a class="skip" href="#main">To the content</a>
    <header class="bar">
    <p class="file">\(profile.id)</p>
    <nav aria-label="Sections">
    <a href="#overview">Overview</a>
    <a href="#sources">Sources</a>
    \(if: !profile.framings.isEmpty, "<a href=\"#frames\">Frames</a>")
    <a href="#messages">Messages</a>
    \(if: !profile.types.isEmpty, "<a href=\"#types\">Types</a>")
    \(if: !profile.tables.isEmpty, "<a href=\"#tables\">ConversationTables</a>")
    \(if: !profile.protobufs.isEmpty, "<a href=\"#protobufs\">Protobuf</a>")
    \(if: !profile.enums.isEmpty, "<a href=\"#enums\">Named values</a>")
    </nav>
    </header>
    <main id="main" tabindex="-1" class="spec">


    """
  }

  private var footer: HTML {
    """
    </main>
    <footer>Written by btscribe from profile \(profile.id). Offsets are bytes from 0; b3 are 3 bits, u2le two bytes without sign, low byte \
    first.</footer>
    </body>
    </html>

    """
  }

  // MARK: Overview

  private var overview: HTML {
    // Sentences need the width of the page.
    let long = profile.facts.filter { $0.text.utf8.count > 32 }
    let facts = profile.facts.filter { $0.text.utf8.count <= 32 }.map { fact -> HTML in
      "<div><dt>\(fact.label)</dt><dd>\(fact.text)</dd></div>\n"
    }
    let keys = profile.keys.map { key -> HTML in "<tr><td class=\"m\">\(key.name)<td class=\"n\">\(key.bytes)<td>\(key.note)\n" }
    let state = profile.state.map { external -> HTML in "<tr><td class=\"m\">\(external.name)<td class=\"m\">\(external.initial)\n" }
    return """
      <section id="overview">
      <h1>\(profile.title)</h1>
      \(each: long, { "<p class=\"lead\">\($0.label): \($0.text)</p>\n" })
      \(if: !facts.isEmpty, "<dl class=\"facts\">\n\(facts)</dl>")
      <h2>How a device is known</h2>
      \(if: profile.matches.isEmpty, "<p>By the sources below: no other condition.</p>")
      <ul class="plain">\(each: profile.matches, { "<li>\($0)</li>" })</ul>
      \(if: !keys.isEmpty, "<h2>Keys</h2><div class=\"wide\"><table><thead><tr><th>Key<th class=\"n\">Bytes<th>Where it is found</thead><tbody>\n\(keys)</tbody></table></div>")
      \(if: !state.isEmpty, "<h2>State</h2><p class=\"note\">What earlier messages leave for later ones, with the values at the start.</p><div class=\"wide\"><table><thead><tr><th>Variable<th>At the start</thead><tbody>\n\(state)</tbody></table></div>")
      </section>


      """
  }

  // MARK: Sources and frames

  private var sources: HTML {
    let all = profile.sources.map { source -> HTML in
      let rows = source.directions.flatMap { direction in
        direction.messages.map { message -> HTML in
          """
          <tr><td class="dir">\(direction.word)<td>\(link("m-", message.name, profile.messages.contains { $0.name == message.name }))\
          <td class="m">\(message.when)<td>\(some: direction.framing, { "<a href=\"#f\($0 + 1)\">frame \($0 + 1)</a>" })\
          \(if: direction.framing == nil, "the value is the message")

          """
        }
      }
      return """
        <section class="source"><h3>\(source.name)\(some: source.title, { " <small>\($0)</small>" })</h3>
        <p class="where"><span>\(source.kind)</span> \(each: source.locations, { "<span>\($0)</span> " })</p>
        \(some: source.note, { "<p>\($0)</p>" })
        <div class="wide"><table><thead><tr><th>Direction<th>Message<th>When<th>Frame</thead><tbody>
        \(rows)</tbody></table></div></section>

        """
    }
    return """
      <section id="sources">
      <h2>Characteristics and other sources</h2>
      \(all)\(answers)</section>


      """
  }

  private var answers: HTML {
    let rows = profile.sources.flatMap { source in
      source.answers.map { answer -> HTML in
        """
        <tr><td>\(answer.to)<td>\(source.name)<td>\(if: answer.when.isEmpty, "the oldest open one")<code>\(answer.when)</code>\
        <td>\(answer.staysOpen ? "several" : "one")<td>\(answer.within)

        """
      }
    }
    if rows.isEmpty { return "" }
    return """
      <h3>Requests and answers</h3>
      <div class="wide"><table><thead><tr><th>Requests over<th>Answers over<th>Belongs to it if<th>Answers<th>Within</thead><tbody>
      \(rows)</tbody></table></div>
      """
  }

  private var framings: HTML {
    if profile.framings.isEmpty { return "" }
    let all = profile.framings.enumerated().map { number, framing -> HTML in
      let rows = framing.layers.flatMap { layer in
        layer.rows.isEmpty
          ? ["<tr><td class=\"m\">\(layer.name)<td><td><td>\n" as HTML]
          : layer.rows.enumerated().map { index, row -> HTML in
            "<tr><td class=\"m\">\(index == 0 ? layer.name : "")<td class=\"m\">\(row.key)<td><code>\(row.value)</code><td>\(row.help)\n"
          }
      }
      return """
        <section class="source" id="f\(number + 1)"><h3>Frame \(number + 1)</h3>
        <p class="where">\(each: framing.users, { "<span>\($0)</span> " })</p>
        \(if: !framing.packet.isEmpty, drawn("Each packet", framing.packet))\(if: framing.message.count > 1, drawn("The message", framing.message))
        <div class="wide"><table class="keys"><thead><tr><th>Layer<th>Key<th>Value<th>Meaning</thead><tbody>
        \(rows)</tbody></table></div></section>

        """
    }
    let rows = page.checks.map { row -> HTML in
      "<tr><td class=\"m\">\(row[0])<td>\(row[1])<td>\(row[2])<td>\(row[3])<td class=\"m\">\(row[4])<td>\(row[5])\n"
    }
    let checks: HTML =
      rows.isEmpty
      ? ""
      : """
      <h3>Checks</h3>
      <div class="wide"><table><thead><tr><th>Algorithm<th>Over<th>Where<th>Order<th>Only if<th>Used by</thead><tbody>
      \(rows)</tbody></table></div>
      """
    return """
      <section id="frames">
      <h2>Frames</h2>
      \(all)\(checks)
      </section>


      """
  }

  /// Draws boxes side by side.
  private func drawn(_ title: String, _ parts: [ProfileDescription.Part]) -> HTML {
    let boxes = parts.map { part -> HTML in
      """
      <li class="\(part.kind.rawValue)"><b>\(part.name)</b><span>\(part.size.isEmpty ? "…" : part.size)</span>\(some: part.note, { "<small>\($0)</small>" })</li>
      """
    }
    return "<h5>\(title)</h5><ol class=\"frame\">\(boxes)</ol>\n"
  }

  // MARK: Messages, types, tables

  private var messages: HTML {
    let all = profile.messages.map { message -> HTML in
      let type: HTML =
        message.type.isEmpty || message.type == message.name ? "" : "<li>of type <code>\(message.type)</code></li>"
      return """
        <section class="source" id="m-\(anchor(message.name))"><h3>\(message.name)\(some: message.title, { " <small>\($0)</small>" })</h3>
        \(some: message.doc, { "<p>\($0)</p>" })
        <ul class="plain">\(each: message.uses, { "<li>\($0)</li>" })\(type)\(some: message.body, { "<li>body: \($0)</li>" })\
        \(each: message.sets, { "<li>sets <code>\($0.name)</code> to <code>\($0.value)</code></li>" })</ul>
        \(fields(message.fields))
        \(some: page.examples[message.name], example)
        </section>

        """
    }
    return """
      <section id="messages">
      <h2>Messages</h2>
      \(all)</section>


      """
  }

  private var types: HTML {
    if profile.types.isEmpty { return "" }
    let all = profile.types.map { type -> HTML in
      """
      <section class="source" id="t-\(anchor(type.name))"><h3>\(type.name)</h3>
      \(some: type.doc, { "<p>\($0)</p>" })
      \(fields(type.fields))</section>

      """
    }
    return """
      <section id="types">
      <h2>Types</h2>
      \(all)</section>


      """
  }

  private func fields(_ fields: [ProfileDescription.Field]) -> HTML {
    if fields.isEmpty { return "" }
    let rows = fields.map { field -> HTML in
      """
      <tr\(if: field.isHidden, " class=\"quiet\"")><td class="n">\(field.offset)<td class="n">\(field.length)<td>\(field.name)\
      <td class="m">\(type(field))<td class="m">\(field.scale)<td>\(field.unit)<td>\(meaning(field))

      """
    }
    return """
      <div class="wide"><table class="layout"><thead><tr><th class="n">Offset<th class="n">Bytes<th>Field<th>Type<th>Scale<th>Unit<th>Meaning</thead><tbody>
      \(rows)</tbody></table></div>
      """
  }

  private func type(_ field: ProfileDescription.Field) -> HTML {
    guard let name = field.typeLink else { return "\(field.type)" }
    if profile.tables.contains(where: { $0.name == name }) { return link("v-", name, true) }
    if profile.types.contains(where: { $0.name == name }) { return link("t-", name, true) }
    return link("m-", name, profile.messages.contains { $0.name == name })
  }

  private func meaning(_ field: ProfileDescription.Field) -> HTML {
    let values: HTML =
      field.enumLink.map { name in
        "<p>values of \(link("e-", name, profile.enums.contains { $0.name == name }))</p>"
      } ?? ""
    return "\(values)\(each: field.meaning, { "<p>\($0)</p>" })"
  }

  private var tables: HTML {
    if profile.tables.isEmpty { return "" }
    let all = profile.tables.map { table -> HTML in
      let rows = table.rows.map { row -> HTML in
        """
        <tr><td class="n m">\(row.number)<td>\(row.field.name)<td class="m">\(type(row.field))<td class="m">\(row.field.scale)\
        <td>\(row.field.unit)<td>\(meaning(row.field))

        """
      }
      return """
        <section class="source" id="v-\(anchor(table.name))"><h3>\(table.name) \
        <small>\(table.isOfRegisters ? "registers" : "tagged values")\(some: table.facts, { ": \($0)" })</small></h3>
        <div class="wide"><table class="layout"><thead><tr><th class="n">\(table.isOfRegisters ? "Register" : "Tag")<th>Name<th>Type<th>Scale\
        <th>Unit<th>Meaning</thead><tbody>
        \(rows)</tbody></table></div></section>

        """
    }
    return """
      <section id="tables">
      <h2>ConversationTables of values</h2>
      \(all)</section>


      """
  }

  private var protobufs: HTML {
    if profile.protobufs.isEmpty { return "" }
    let all = profile.protobufs.map { message -> HTML in
      let rows = message.fields.map { field -> HTML in
        "<tr><td class=\"n m\">\(field.number)<td class=\"m\">\(field.declaration)<td>\(field.more)\n"
      }
      return """
        <section class="source"><h3>\(message.name)</h3>
        <div class="wide"><table class="values"><tbody>
        \(rows)</tbody></table></div></section>

        """
    }
    return """
      <section id="protobufs">
      <h2>Protobuf messages</h2>
      <div class="columns">
      \(all)</div></section>


      """
  }

  private var enums: HTML {
    if profile.enums.isEmpty { return "" }
    let all = profile.enums.map { table -> HTML in
      let rows = table.entries.map { entry -> HTML in "<tr><td class=\"n m\">\(entry.value)<td>\(entry.name)<td>\(entry.doc)\n" }
      return """
        <section class="source" id="e-\(anchor(table.name))"><h3>\(table.name)</h3>
        <div class="wide"><table class="values"><tbody>
        \(rows)</tbody></table></div></section>

        """
    }
    return """
      <section id="enums">
      <h2>Named values</h2>
      <div class="columns">
      \(all)</div></section>


      """
  }

  // MARK: Examples

  private func example(_ example: ProfilePage.Example) -> HTML {
    let colors = ProfilePage.colors(example)
    let bytes = example.payload.prefix(ProfilePage.maxBytes).enumerated().map { index, byte -> HTML in
      let look = colors[index].map { "c\($0)" } ?? (example.check?.contains(index) == true ? "check" : "none")
      return "<b class=\"\(look)\">\(ProfilePage.hex([byte]))</b>"
    }
    let left = example.payload.count - ProfilePage.maxBytes
    let rows = example.fields.map { field -> HTML in
      """
      <tr class="d\(min(field.depth, 8))\(if: field.isHidden, " quiet")"><td class="bytes">\
      \(some: field.color, { color in "<b class=\"c\(color)\">\(field.location)</b>" })<td>\(field.name)<td>\(field.value)

      """
    }
    let packets = example.packets.prefix(8).map { packet -> HTML in
      "<li><code>\(ProfilePage.hex(packet.prefix(64)))\(if: packet.count > 64, " …")</code></li>"
    }
    return """
      <div class="example"><h5>Example\(some: example.title, { ": \($0)" })\(some: example.text, { " <span class=\"text\">\($0)</span>" })</h5>
      \(if: !packets.isEmpty, "<p class=\"note\">On the air:</p><ol class=\"packets\">\(packets)</ol>\(if: example.packets.count > 8, "<p class=\"note\">and \(example.packets.count - 8) packets more</p>")")
      <div class="bytes">\(bytes)\(if: left > 0, "<small>… (+\(left))</small>")</div>
      <div class="wide"><table class="parts"><thead><tr><th>Bytes<th>Field<th>Value</thead><tbody>
      \(rows)\(some: example.check, { "<tr><td class=\"bytes\"><b class=\"check\">\($0.lowerBound)–\($0.upperBound - 1)</b><td>check<td>right\n" })</tbody></table></div>
      </div>
      """
  }

  // MARK: Links

  private func link(_ prefix: String, _ name: String, _ isThere: Bool) -> HTML {
    isThere ? "<a href=\"#\(prefix)\(anchor(name))\">\(name)</a>" : "\(name)"
  }

  /// A name for use in a URL fragment: characters other than letters, digits, - and _ are replaced by their numbers.
  private func anchor(_ name: String) -> String {
    name.unicodeScalars.reduce(into: "") { text, scalar in
      switch scalar {
      case "a"..."z", "A"..."Z", "0"..."9", "-", "_": text.unicodeScalars.append(scalar)
      default: text += ".\(scalar.value)"
      }
    }
  }
}
