import Analysis
import Conversations
import Text

/// A report as one HTML file that loads nothing: text that can be read without scripts is in it as elements, the conversation and the charts as JSON
/// data.
///
/// Everything from the air is escaped where it is inserted (``HTML`` escapes texts, ``PageData`` the JSON in the script element), and the page's own
/// Content-Security-Policy allows one script and one style by their hashes: nothing else could run.
public struct HTMLWriter {
  private let document: ReportDocument
  private let out: TextBuffer

  /// Writes `document` to `out`.
  public init(_ document: ReportDocument, to out: TextBuffer) {
    self.document = document
    self.out = out
  }

  /// Writes the page. Throws ``OutputError``.
  public func write() throws {
    out.string(head.text)
    for section in [overview, session, conversation, messages, gatt, charts, findings] { out.string(section.text) }
    out.string(footer.text)
    out.text("<script type=\"application/json\" id=\"data\">")
    try out.flush()
    try PageData(document.report, to: out).write()
    out.text("</script>\n<script>")
    out.string(ReportPage.script)
    out.text("</script>\n</body>\n</html>\n\n")
    try out.flush()
  }

  private var hasSession: Bool { !document.steps.isEmpty || document.hasDuration }
  private var hasConversation: Bool { !document.report.messages.isEmpty || !document.report.operations.isEmpty }
  private var hasMessages: Bool { !document.sources.isEmpty }

  private var head: HTML {
    """
    <!DOCTYPE html>
    <html lang="en">
    <head>
    <meta charset="utf-8">
    <meta http-equiv="Content-Security-Policy" content="default-src 'none'; script-src 'sha256-\(ReportPage.scriptHash)'; \
    style-src 'sha256-\(ReportPage.styleHash)'; img-src data:; base-uri 'none'; form-action 'none'">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <meta name="color-scheme" content="light dark">
    <meta name="generator" content="btscribe">
    <link rel="icon" href="data:,">
    <title>\(document.title)</title>
    <style>\(HTML(trusted: ReportPage.style))</style>
    </head>
    <body>
    <a class="skip" href="#main">To the content</a>
    <header class="bar">
    <p class="file">\(document.file)</p>
    <nav aria-label="Sections">
    <a href="#overview">Overview</a>
    \(if: hasSession, "<a href=\"#session\">Session</a>")
    \(if: hasConversation, "<a href=\"#conversation\">Conversation</a>")
    \(if: hasMessages, "<a href=\"#inventory\">Messages</a>")
    \(if: !document.databases.isEmpty, "<a href=\"#gatt\">GATT</a>")
    \(if: document.hasDuration, "<a href=\"#charts\">Charts</a>")
    <a href="#findings">Findings\(some: document.findingCount, { " <span class=\"count\">\($0)</span>" })</a>
    </nav>
    <button type="button" id="theme" hidden>Dark</button>
    </header>
    <main id="main" tabindex="-1">


    """
  }

  // MARK: Overview

  private var overview: HTML {
    """
    <section id="overview">
    <h1>\(document.heading)</h1>
    <p class="lead">\(document.lead)</p>
    \(each: document.narrowed, { "<p class=\"note\">Narrowed: \($0).</p>" })
    \(facts)
    \(limits)\(unknown)
    \(connections)
    \(if: !document.searches.isEmpty, "<ul class=\"plain\">\(each: document.searches, { "<li>\($0)</li>" })</ul>")
    \(air)\(subscriptions)
    \(devices)
    \(adapters)
    </section>


    """
  }

  private var facts: HTML {
    let rows = document.facts.map { fact -> HTML in
      "<div><dt>\(fact.label)</dt><dd>\(fact.value)\(some: fact.more, { " <small>\($0)</small>" })</dd></div>\n"
    }
    return rows.isEmpty ? "" : "<dl class=\"facts\">\n\(rows)</dl>"
  }

  private var limits: HTML {
    if document.limits.isEmpty { return "" }
    return """
      <div class="limits"><h2>What this log cannot show</h2><ul>
      \(each: document.limits, { "<li>\($0)</li>\n" })</ul></div>
      """
  }

  private var unknown: HTML {
    if document.unknown.isEmpty { return "" }
    return """
      <h2>What no profile reads</h2><ul class="plain">
      \(each: document.unknown, { "<li>\($0)</li>\n" })</ul>
      """
  }

  private var connections: HTML {
    if document.connections.isEmpty { return "" }
    let rows = document.connections.map { connection -> HTML in
      """
      <tr><td class="m">\(connection.handle)<td>\(connection.device)<td class="m">\(connection.address)<td class="t">\(connection.from)\
      <td class="t">\(connection.to)\
      <td class="n">\(connection.mtu)<td>\(connection.link)<td>\(connection.ending)
      \(each: connection.actions, { "<tr class=\"sub\"><td><td colspan=\"7\">\($0)\n" })
      """
    }
    return """
      <h2>Connections</h2>
      <div class="wide"><table><thead><tr><th>Handle<th>Device<th>Address<th>From<th>To<th class="n">MTU<th>Link<th>How it ended</thead><tbody>
      \(rows)</tbody></table></div>
      """
  }

  private var air: HTML {
    if document.airCaptures.isEmpty { return "" }
    let rows = document.air.map { connection -> HTML in
      """
      <tr><td class="m">\(connection.handle)<td class="m">\(connection.accessAddress)<td class="n">\(connection.heard)\
      <td class="n">\(connection.unheard)<td class="n">\(connection.unlogged)\
      <td class="n">\(connection.median)<td class="n">\(connection.longest)\(if: !connection.longest.isEmpty, " \(frame(connection.longestFrame))")\
      <td>\(connection.repeated)\
      <td>\(connection.channels)

      """
    }
    return """
      <h2>On the air</h2>
      <ul class="plain">\(each: document.airCaptures, { "<li>\($0)</li>" })</ul>
      <div class="wide"><table><thead><tr><th>Handle<th>Access address<th class="n">Heard<th class="n">Not heard<th class="n">Not logged\
      <th class="n">Median wait<th class="n">Longest wait<th>Repeated<th>By channel</thead><tbody>
      \(rows)</tbody></table></div>

      """
  }

  private var subscriptions: HTML {
    if document.subscriptions.isEmpty { return "" }
    let rows = document.subscriptions.map { subscription -> HTML in
      """
      <tr><td class="m">\(subscription.connection)<td>\(subscription.characteristic)<td>\(subscription.how)<td>\(subscription.from)\
      <td>\(subscription.to)<td class="n">\(subscription.values)\
      <td class="n">\(subscription.bytes)

      """
    }
    return """
      <h2>Who listened to what</h2>
      <div class="wide"><table><thead><tr><th>Connection<th>Characteristic<th>How<th>From<th>To<th class="n">Values<th class="n">Bytes</thead><tbody>
      \(rows)</tbody></table></div>
      """
  }

  private var devices: HTML {
    if document.devices.isEmpty { return "" }
    let rows = document.devices.map { device -> HTML in
      """
      <tr><td>\(device.name)<td class="m">\(device.address) <small>\(device.type)</small><td class="n">\(device.signal)\
      <td class="n">\(device.reports)\
      <td>\(device.details)

      """
    }
    return """
      <details\(open(document.areDevicesOpen))><summary><h2>Devices heard <span class="count">\(document.deviceCount)</span></h2></summary>
      <div class="wide"><table><thead><tr><th>Device<th>Address<th class="n">Signal<th class="n">Reports<th>What it says</thead><tbody>
      \(rows)</tbody></table></div>
      \(note(document.devicesLeft))</details>
      """
  }

  private var adapters: HTML {
    if document.adapters.isEmpty { return "" }
    return "<h2>Adapters</h2><ul class=\"plain\">\(each: document.adapters, { "<li>\($0)</li>" })</ul>"
  }

  private func open(_ isOpen: Bool) -> HTML { isOpen ? " open" : "" }

  private func note(_ text: String) -> HTML { text.isEmpty ? "" : "<p class=\"note\">\(text)</p>" }

  // MARK: Session and conversation

  private var session: HTML {
    if !hasSession { return "\n\n" }
    return """
      <section id="session">
      <h2>The session over time</h2>
      <div id="lanes" hidden>
      <div class="tools"><button type="button" data-zoom="in" aria-label="Zoom in">+</button>\
      <button type="button" data-zoom="out" aria-label="Zoom out">−</button><button type="button" data-zoom="all">All</button>
      <p class="hint" id="lanes-hint">Drag over a span to see it closer. Wheel with Ctrl zooms, also when the chart has the focus; \
      keys + − ← → and 0.</p></div>
      <div class="lanes"><ul aria-hidden="true"></ul><canvas tabindex="0" role="img" \
      aria-label="Scans, connections, subscriptions, operations and findings over time" aria-describedby="lanes-hint lanes-say"></canvas></div>
      <p class="say" id="lanes-say" role="status"></p>
      </div>
      \(steps)
      </section>


      """
  }

  private var steps: HTML {
    if document.steps.isEmpty { return "" }
    let rows = document.steps.map { step -> HTML in
      """
      <tr\(if: step.isBad, " class=\"bad\"")><td class="n"><a href="#f\(step.frame)">\(step.frame)</a><td class="n t">\(step.time)<td>\(step.device)\
      <td>\(step.operation)<td>\(step.attribute)<td class="n">\(step.duration)<td>\(step.outcome)

      """
    }
    return """
      <details class="steps"\(open(document.steps.count <= 24))><summary><h3>What was done, in order \
      <span class="count">\(document.stepCount)</span></h3></summary>
      <div class="wide"><table><thead><tr><th class="n">#<th class="n">Time<th>Device<th>Operation<th>Attribute<th class="n">Took<th>How it went\
      </thead><tbody>
      \(rows)</tbody></table></div>
      \(note(document.stepsLeft))</details>
      """
  }

  private var conversation: HTML {
    if !hasConversation { return "\n\n" }
    return """
      <section id="conversation">
      <h2>Conversation</h2>
      <noscript><p class="note">The list of all messages needs scripts. What was done stands above, the first of each kind of message below.</p></noscript>
      <form class="tools" id="filter" role="search" hidden>
      <label class="grow"><span class="sr">Search</span><input type="search" id="search" \
      placeholder="Search: text, field, bytes (81 00), #frame" autocomplete="off" spellcheck="false"></label>
      <label>Show <select id="show"><option value="all">everything<option value="messages">messages<option value="operations">operations\
      <option value="trouble">what went wrong</select></label>
      <label>Over <select id="over"><option value="">everything</select></label>
      <label class="check"><input type="checkbox" id="inspan"> only the chart’s span</label>
      <p class="say" id="found" role="status"></p>
      </form>
      <div class="talk"><div id="list" tabindex="0" role="listbox" aria-label="Operations and messages" hidden><div class="pad"></div></div>
      <aside id="detail" aria-label="The message" hidden><p class="note">Choose a message: its fields stand here beside its bytes.</p></aside></div>
      <ol id="printed" class="printed"></ol>
      \(each: document.leftOut, note)
      </section>


      """
  }

  // MARK: Messages

  private var messages: HTML {
    if !hasMessages { return "\n\n" }
    return """
      <section id="inventory">
      <h2>Messages by characteristic</h2>
      \(exchanges)
      \(each: document.framings, framing)\(each: document.sources, source)\(each: document.definitions, definition)\
      \(if: document.definitions.isEmpty, "\n")</section>


      """
  }

  private var exchanges: HTML {
    if document.exchanges.isEmpty { return "" }
    let rows = document.exchanges.map { exchange -> HTML in
      """
      <tr><td>\(side(exchange.request))<td>\(exchange.answer.map(side) ?? "<span class=\"warn\">no answer</span>")<td class="n">\(exchange.count)\
      <td class="n">\(exchange.median)<td class="n">\(exchange.slowest)\
      <td class="m">\(frame(exchange.request.frame))\(some: exchange.answer, { " → \(frame($0.frame))" })\
      \(if: exchange.isGuessed, " <small>by order</small>")

      """
    }
    let hasGuess = document.exchanges.contains { $0.isGuessed }
    return """
      <h3>What answers what</h3>
      <div class="wide"><table><thead><tr><th>Request<th>Answer<th class="n">Times<th class="n">Median<th class="n">Slowest<th>First</thead><tbody>
      \(rows)</tbody></table></div>\(if: hasGuess, "\n<p class=\"note\">“By order” is a guess: the first value that came after a write.</p>")
      """
  }

  private func side(_ side: ReportDocument.Exchange.Side) -> HTML {
    "<a href=\"#k\(side.kind)\">\(side.title)</a><small>\(side.source)</small>"
  }

  private func frame(_ number: Int) -> HTML { "<a href=\"#f\(number)\">#\(number)</a>" }

  private func framing(_ framing: ReportDocument.Framing) -> HTML {
    """
    <section class="framing"><h3>How packets make messages: \(framing.profile)</h3>
    <p class="note">From the profile, in its own words: header fields are bits (b1) and bytes (u1) in their order; \
    what stands in bold before the packets below is such a header.</p>
    <pre>\(framing.lines.joined(separator: "\n"))</pre></section>

    """
  }

  private func definition(_ definition: ReportDocument.Framing) -> HTML {
    """
    <details class="definition"><summary>Profile \(definition.profile): how its packets and messages are defined (\(definition.lines.count) lines)\
    </summary><pre>\(definition.lines.joined(separator: "\n"))</pre></details>

    """
  }

  private func source(_ source: ReportDocument.Source) -> HTML {
    let facts: [HTML] = [
      source.uuid.isEmpty ? "" : "<span><code>\(source.uuid)</code></span>",
      source.handle.isEmpty ? "" : "<span>handle <code>\(source.handle)</code></span>",
      source.properties.isEmpty ? "" : "<span>\(source.properties)</span>",
      source.service.isEmpty ? "" : "<span>service \(source.service)</span>",
      source.owner.isEmpty ? "" : "<span>\(source.owner)</span>",
      source.traffic.isEmpty ? "" : "<span>here: \(source.traffic)</span>",
      source.profile.isEmpty ? "" : "<span>profile \(source.profile)</span>",
    ]
    return """
      <section class="source" id="s\(source.number)">
      <h3>\(source.name)</h3>
      <p class="where">\(facts)</p>
      \(some: source.subscription, { "<p class=\"where\">\($0)</p>" })
      \(each: source.kinds, kind)\(note(source.kindsLeft))</section>

      """
  }

  private func kind(_ kind: ReportDocument.Kind) -> HTML {
    """
    <details class="kind" id="k\(kind.number)"\(open(kind.isOpen))><summary><span class="dir">\(kind.direction)</span><h4>\(kind.name)</h4>\
    <span class="counts">\(kind.counts)</span>\(some: kind.text, { "<span class=\"text\">\($0)</span>" })</summary><div>
    \(pattern(kind))
    \(kind.example.map(example) ?? "")
    \(otherFields(kind.otherFields))
    </div></details>

    """
  }

  private func pattern(_ kind: ReportDocument.Kind) -> HTML {
    if kind.pattern.isEmpty { return "" }
    let cells = kind.pattern.map { cell -> HTML in
      "<td class=\"\(cell.look.rawValue)\(if: !cell.isInAll, " rare")\" title=\"\(cell.explanation)\">\(cell.value)"
    }
    return """
      <div class="wide"><table class="pattern"><caption>Bytes of \(kind.patternScope): <b>the same in all</b>, or <i>from to</i> where they differ\
      </caption><tr>\(each: kind.pattern, { "<th>\($0.at)" })<tr>\(cells)</table></div>\
      \(if: !kind.patternNotes.isEmpty, "\n\(each: kind.patternNotes, note)")
      """
  }

  private func example(_ example: ReportDocument.Example) -> HTML {
    let bytes = example.bytes.enumerated().map { index, byte -> HTML in
      let isSecret = example.secrets.contains { $0.contains(index) }
      return "<b data-i=\"\(index)\">\(isSecret ? "••" : TextBuffer.words { $0.hex(UInt64(byte), digits: 2) })</b>"
    }
    return """
      <div class="example"><h5>First: \(frame(example.frame))\(some: example.text, { " <span class=\"text\">\($0)</span>" })</h5>
      <div class="bytes" data-bytes>\(bytes)\(some: example.bytesLeft, { "<small>\($0)</small>" })</div>
      \(fields(example.fields))
      \(packets(example))
      </div>
      """
  }

  private func fields(_ fields: [ReportDocument.Field]) -> HTML {
    if fields.isEmpty { return "" }
    let rows = fields.map { field -> HTML in
      """
      <tr data-r="\(field.range.lowerBound)-\(field.range.upperBound)" class="d\(field.depth)\(if: field.isHidden, " quiet")">\
      <td class="n m">\(field.location)<td class="m">\(field.type)<td>\(field.name)<td>\(field.value)\(some: field.unit, { " \($0)" })\
      <td class="seen">\(field.seen)

      """
    }
    return """
      <div class="wide"><table class="fields"><thead><tr><th class="n">Bytes<th>Type<th>Field<th>Value<th>Also seen</thead><tbody>
      \(rows)</tbody></table></div>
      """
  }

  private func packets(_ example: ReportDocument.Example) -> HTML {
    if example.packets.isEmpty { return "" }
    let report = document.report
    let rows = example.packets.map { piece -> HTML in
      """
      <li><span class="m">#\(piece.frame)</span> <code>\(some: report.hex(piece.head), { "<b>\($0)</b> " })\(report.hex(piece.body))\
      \(some: report.hex(piece.tail), { " <b>\($0)</b>" })</code></li>
      """
    }
    return "<h5>On the air: \(example.packetCount)</h5><ol class=\"packets\">\(rows)</ol>"
  }

  private func otherFields(_ fields: [ReportDocument.OtherField]) -> HTML {
    if fields.isEmpty { return "" }
    return """
      <h5>Fields that the first does not have</h5><div class="wide"><table class="fields"><thead><tr><th>Field<th>Values seen</thead><tbody>\
      \(each: fields, { "<tr><td>\($0.name)<td class=\"seen\">\($0.seen)" })</tbody></table></div>
      """
  }

  // MARK: GATT, charts, findings

  private var gatt: HTML {
    if document.databases.isEmpty { return "\n\n" }
    return """
      <section id="gatt">
      <h2>GATT tables</h2>
      \(each: document.databases, database)</section>


      """
  }

  private func database(_ database: ReportDocument.Database) -> HTML {
    let rows = database.attributes.map { attribute -> HTML in
      let name: HTML = attribute.source.map { "<a href=\"#s\($0)\">\(attribute.name)</a>" } ?? "\(attribute.name)"
      return """
        <tr class="\(attribute.level.rawValue)"><td class="m">\(attribute.handle)<td>\(name)<td class="m">\(attribute.uuid)\
        <td>\(attribute.properties)<td>\(attribute.origin)\
        <td>\(attribute.traffic)

        """
    }
    return """
      <h3>\(database.owner)</h3>
      <div class="wide"><table class="gatt"><thead><tr><th>Handle<th>Attribute<th>UUID<th>Properties<th>Known from<th>Traffic</thead><tbody>
      \(rows)</tbody></table></div>

      """
  }

  private var charts: HTML {
    if !document.hasDuration { return "\n\n" }
    return """
      <section id="charts" hidden>
      <h2>Charts</h2>
      <div id="figures"></div>
      </section>


      """
  }

  private var findings: HTML {
    """
    <section id="findings">
    <h2>Findings</h2>
    \(if: document.findings.isEmpty, "<p>Nothing was found to be wrong.</p>")
    \(findingList)
    </section>
    </main>

    """
  }

  private var findingList: HTML {
    if document.findings.isEmpty { return "" }
    let rows = document.findings.map { finding -> HTML in
      let severity = finding.severity.text.description
      return """
        <li class="\(severity)"><span class="sev">\(severity)</span><a class="m" href="#f\(finding.frame)">#\(finding.frame)</a>\
        <span class="t">\(finding.time)</span>\
        <div>\
        <p>\(finding.text)\(some: finding.times, { " <small>\($0)</small>" })</p>\(some: finding.advice, { "<p class=\"advice\">\($0)</p>" })</div></li>

        """
    }
    return """
      <p class="lead">\(document.findingLead)</p>
      <ul class="findings">
      \(rows)</ul>\(some: document.findingsLeft, { "\n\(note($0))" })
      """
  }

  private var footer: HTML {
    "<footer><p>Written by btscribe from \(document.file). Nothing in this page is loaded from elsewhere.</p></footer>\n"
  }
}
