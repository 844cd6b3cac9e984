import BothSides
import Bluetooth
import Captures
import Conversations
import Profiles
import Analysis
import Memory
import Text

/// The data for the script of the HTML report: one JSON object, compact (rows are arrays; `report.js` knows their order), in which nothing can end
/// the script element. Times are µs since the first packet.
struct PageData {
  let report: Report
  let out: TextBuffer
  private let start: Int64
  private let labels = Interned()
  private let words = TextBuffer(capacity: 256)
  private var tables: ConversationTables { report.tables }

  init(_ report: Report, to out: TextBuffer) {
    self.report = report
    self.out = out
    start = report.summary.first ?? 0
  }

  func write() throws {
    out.text("{\"start\":")
    out.decimal(Int(start))
    number("span", Int(max(0, report.summary.last &- start)))
    list("verbs", Operation.Kind.allCases) { text($0.verb.description) }
    list("runs", [Operation.Kind.notification, .writeCommand, .data, .input]) { out.decimal(Int($0.rawValue)) }
    list("scans", [Operation.Kind.scan, .inquiry]) { out.decimal(Int($0.rawValue)) }
    list("connections", Array(tables.connections.prefix(4096)), connection)
    list("listening", report.summary.outcome.subscriptions.periods.filter { $0.connection < 4096 }, period)
    list("sources", report.sources, source)
    list("kinds", report.kinds) { kind in
      row([kind.source, Int(kind.direction.rawValue)])
      out.byte(UInt8(ascii: ","))
      text(report.title(kind))
      out.text(",")
      out.decimal(kind.count)
      out.text("]")
    }
    list("shapes", report.layouts, layout)
    try out.flush()
    try messages()
    try operations()
    list("labels", labels.texts, text)
    list("findings", report.summary.findings, finding)
    throughput()
    latency()
    if let air = report.options.air { waits(air) }
    signals()
    numbers()
    out.text("}")
  }

  // MARK: Parts of JSON

  private func key(_ key: StaticString) {
    out.text(",\n\"")
    out.text(key)
    out.text("\":")
  }

  private func number(_ key: StaticString, _ number: Int) {
    self.key(key)
    out.decimal(number)
  }

  private func list<Element>(_ key: StaticString, _ elements: [Element], _ body: (Element) -> Void) {
    self.key(key)
    out.byte(UInt8(ascii: "["))
    for (index, element) in elements.enumerated() {
      if index > 0 { out.byte(UInt8(ascii: ",")) }
      body(element)
    }
    out.byte(UInt8(ascii: "]"))
  }

  /// Writes the first numbers of an array, without its closing bracket.
  private func row(_ numbers: [Int]) {
    out.byte(UInt8(ascii: "["))
    for (index, number) in numbers.enumerated() {
      if index > 0 { out.byte(UInt8(ascii: ",")) }
      out.decimal(number)
    }
  }

  private func text(_ text: String) {
    var text = text
    out.byte(UInt8(ascii: "\""))
    text.withUTF8 { unsafe out.untrusted(BorrowedBytes(UnsafeRawBufferPointer($0)), .script) }
    out.byte(UInt8(ascii: "\""))
  }

  /// Writes the text that `write` appends as a JSON string.
  private func text(_ write: (TextBuffer) -> Void) {
    words.clear()
    write(words)
    out.byte(UInt8(ascii: "\""))
    out.untrusted(words.bytes, .script)
    out.byte(UInt8(ascii: "\""))
  }

  /// Writes a comma and a number.
  private func next(_ number: Int) {
    out.byte(UInt8(ascii: ","))
    out.decimal(number)
  }

  private func text(_ bytes: [UInt8]) {
    out.byte(UInt8(ascii: "\""))
    out.untrusted(bytes, .script)
    out.byte(UInt8(ascii: "\""))
  }

  /// Copies JSON. Characters that could end the script element occur only in its strings, where they can be written as escapes.
  private func json(_ bytes: [UInt8]) {
    bytes.withBorrowedBytes { bytes in
      var start = 0
      for at in 0..<bytes.count {
        let byte = bytes[at]
        guard byte == 0x3C || byte == 0x3E || byte == 0x26 else { continue }
        out.append(bytes.part(start..<at))
        out.text("\\u00")
        out.hex(UInt64(byte), digits: 2)
        start = at + 1
      }
      out.append(bytes.part(start..<bytes.count))
    }
  }

  private func hex(_ bytes: [UInt8]) {
    out.byte(UInt8(ascii: "\""))
    unsafe bytes.withUnsafeBytes { if let base = $0.baseAddress { unsafe out.hex(base, $0.count) } }
    out.byte(UInt8(ascii: "\""))
  }

  private func real(_ value: Double) {
    guard value.isFinite else { return out.text("null") }
    if value == value.rounded(), value.magnitude < 1e15 { out.decimal(Int(value)) } else { out.string(value.description) }
  }

  private func since(_ time: Int64) -> Int { Int(time &- start) }

  // MARK: Who and what

  private func connection(_ entry: Connection) {
    row([since(entry.startTime), since(entry.endTime)])
    out.byte(UInt8(ascii: ","))
    text(report.name(ofPeer: entry.peer))
    out.byte(UInt8(ascii: ","))
    text(report.handle(entry.handle))
    out.byte(UInt8(ascii: ","))
    out.decimal(entry.packets)
    out.byte(UInt8(ascii: "]"))
  }

  private func period(_ subscription: SubscriptionTracker.Period) {
    row([Int(subscription.connection)])
    out.byte(UInt8(ascii: ","))
    text(
      subscription.attribute >= 0
        ? TextBuffer.words { $0.label(subscription.attribute, tables, Style(), report.summary.names) } : report.handle(subscription.handle))
    out.byte(UInt8(ascii: ","))
    let end = subscription.ending == .open ? tables.connections[Int(subscription.connection)].endTime : subscription.end
    out.decimal(since(subscription.start))
    out.byte(UInt8(ascii: ","))
    out.decimal(since(max(end, subscription.last)))
    out.byte(UInt8(ascii: ","))
    text("\(subscription.values) \(subscription.values == 1 ? "value" : "values")")
    out.byte(UInt8(ascii: "]"))
  }

  private func source(_ heard: ReportSource) {
    out.byte(UInt8(ascii: "["))
    text(heard.name)
    out.byte(UInt8(ascii: ","))
    text(heard.uuid)
    out.byte(UInt8(ascii: ","))
    out.unsigned(UInt64(heard.handle))
    out.byte(UInt8(ascii: ","))
    text(heard.profile?.id ?? "")
    out.byte(UInt8(ascii: ","))
    out.decimal(heard.kinds.count)
    out.byte(UInt8(ascii: "]"))
  }

  private func layout(_ layout: ReportLayout) {
    out.byte(UInt8(ascii: "["))
    for index in layout.fields.indices {
      let field = layout.fields[index]
      if index > 0 { out.byte(UInt8(ascii: ",")) }
      out.byte(UInt8(ascii: "["))
      text(field.name)
      out.byte(UInt8(ascii: ","))
      text(field.unit)
      next(field.depth)
      next(field.range.lowerBound)
      next(field.range.count)
      next(field.bits.first)
      next(field.bits.count)
      next((field.isContainer ? 1 : 0) + (field.isHidden ? 2 : 0) + (field.isSecret ? 4 : 0))
      out.byte(UInt8(ascii: "]"))
    }
    out.byte(UInt8(ascii: "]"))
  }

  // MARK: What happened

  private func messages() throws {
    key("messages")
    out.byte(UInt8(ascii: "["))
    // A loop over the array would retain each part of each message.
    let all = report.messages
    let messages = all.span
    for index in messages.indices {
      if index > 0 { out.text(",\n") }
      write(messages[index])
      if out.count > 1 << 16 { try out.flush() }
    }
    out.byte(UInt8(ascii: "]"))
  }

  private func write(_ message: borrowing ReportMessage) {
    out.byte(UInt8(ascii: "["))
    out.decimal(since(message.time))
    next(message.frame)
    next(message.kind)
    next(Int(message.connection))
    next(Int(message.flags.rawValue))
    out.byte(UInt8(ascii: ","))
    hex(message.payload)
    out.byte(UInt8(ascii: ","))
    text(message.text)
    out.byte(UInt8(ascii: ","))
    out.decimal(message.layout)
    out.byte(UInt8(ascii: ","))
    if message.values.isEmpty { out.byte(UInt8(ascii: "0")) } else { json(message.values) }
    out.byte(UInt8(ascii: ","))
    more(message)
    out.byte(UInt8(ascii: "]"))
  }

  /// Writes the optional members of a message.
  private func more(_ message: borrowing ReportMessage) {
    let isCut = message.payloadCount > message.payload.count
    guard isCut || !message.packets.isEmpty || !message.problem.isEmpty || message.replyTo > 0 else { return out.byte(UInt8(ascii: "0")) }
    out.text("{\"c\":")
    out.decimal(message.packetCount)
    if isCut {
      out.text(",\"n\":")
      out.decimal(message.payloadCount)
    }
    if message.replyTo > 0 {
      out.text(",\"r\":")
      out.decimal(message.replyTo)
      out.text(",\"l\":")
      out.decimal(Int(message.latency))
    }
    if !message.problem.isEmpty {
      out.text(",\"p\":")
      text(message.problem)
    }
    if !message.packets.isEmpty {
      out.text(",\"k\":[")
      for (index, packet) in message.packets.enumerated() {
        if index > 0 { out.byte(UInt8(ascii: ",")) }
        row([packet.frame])
        out.byte(UInt8(ascii: ","))
        hex(packet.bytes)
        out.byte(UInt8(ascii: "]"))
      }
      out.byte(UInt8(ascii: "]"))
    }
    out.byte(UInt8(ascii: "}"))
  }

  private func operations() throws {
    // After the last kept message, operations are shown even if their values are messages.
    let last = report.messagesLeftOut > 0 ? report.messages.last?.time ?? .min : .max
    key("operations")
    out.byte(UInt8(ascii: "["))
    let tables = tables
    let all = report.operations
    let operations = all.span
    for index in operations.indices {
      if index > 0 { out.text(",\n") }
      write(operations[index], tables, last)
      if out.count > 1 << 16 { try out.flush() }
    }
    out.byte(UInt8(ascii: "]"))
  }

  private func write(_ operation: Operation, _ tables: ConversationTables, _ last: Int64) {
    let label = TextBuffer.words { operation.writeAttribute(to: $0, tables, Style(), report.summary.names) }
    row([
      since(operation.start), Int(max(0, operation.end &- operation.start)), operation.frame, operation.endFrame,
      Int(operation.kind.rawValue),
      label.isEmpty ? -1 : labels.number(label), Int(operation.connection),
    ])
    out.byte(UInt8(ascii: ","))
    text { if operation.connection < 0 { operation.writePeer(to: $0, tables) } }
    out.byte(UInt8(ascii: ","))
    out.decimal(operation.kind == .disconnect && operation.ending == .failed ? 0 : Int(operation.ending.rawValue))
    out.byte(UInt8(ascii: ","))
    text { operation.writeStatus(to: $0) }
    out.byte(UInt8(ascii: ","))
    out.decimal(Int(operation.latency))
    out.byte(UInt8(ascii: ","))
    text { operation.writeDetail(to: $0, Style()) }
    out.text(operation.isIncoming ? ",1," : ",0,")
    if operation.frames.count > 1, operation.frames.count <= 8 {
      row(operation.frames)
      out.byte(UInt8(ascii: "]"))
    } else {
      out.byte(UInt8(ascii: "0"))
    }
    out.text(hasMessages(operation) && operation.start <= last ? ",1]" : ",0]")
  }

  /// Whether the operation's values are listed as messages.
  private func hasMessages(_ operation: Operation) -> Bool {
    switch operation.kind {
    case .read, .write, .writeCommand, .preparedWrite, .notification, .indication: operation.attribute >= 0
    default: false
    }
  }

  private func finding(_ reported: Finding) {
    row([since(reported.time), reported.frame])
    out.byte(UInt8(ascii: ","))
    text(reported.severity.text.description)
    out.byte(UInt8(ascii: ","))
    text(reported.id.description)
    out.byte(UInt8(ascii: ","))
    text(TextBuffer.words { reported.explain(to: $0, tables, names: report.summary.names) })
    out.byte(UInt8(ascii: ","))
    text(reported.advice.description)
    out.byte(UInt8(ascii: ","))
    out.decimal(Int(reported.connection))
    out.text("]\n")
  }

  // MARK: Charts

  private func throughput() {
    list("throughput", [("sent", report.throughput.sent), ("received", report.throughput.received)]) { name, buckets in
      out.byte(UInt8(ascii: "["))
      text(name)
      out.byte(UInt8(ascii: ","))
      out.decimal(since(buckets.start ?? start))
      out.byte(UInt8(ascii: ","))
      out.decimal(Int(buckets.width))
      out.byte(UInt8(ascii: ","))
      row(buckets.steps.map(\.sum))
      out.text("]]")
    }
  }

  /// Latencies of all requests, then of the six attributes with the most; eight bins per decade from 100 µs on.
  private func latency() {
    var groups: [(label: String, latencies: [Int64], slowest: Int64)] = []
    var indices: [String: Int] = [:]
    for traffic in report.summary.traffic where !traffic.latencies.isEmpty {
      let label = TextBuffer.words { $0.label(traffic.attribute, tables, Style(), report.summary.names) }
      let source = indices[label] ?? groups.count
      if source == groups.count {
        indices[label] = source
        groups.append((label, [], 0))
      }
      groups[source].latencies += traffic.latencies
      groups[source].slowest = max(groups[source].slowest, traffic.slowest.latency)
    }
    groups = groups.filter { $0.latencies.count > 4 }.sorted { $0.latencies.count > $1.latencies.count }
    if groups.count > 1 {
      groups.insert(("all requests", groups.flatMap(\.latencies), groups.map(\.slowest).max() ?? 0), at: 0)
    }
    list("latency", Array(groups.prefix(7))) { group in
      let sorted = group.latencies.sorted()
      var bins = [Int](repeating: 0, count: 64)
      for latency in sorted { bins[Self.bin(latency)] += 1 }
      out.byte(UInt8(ascii: "["))
      text(group.label)
      out.byte(UInt8(ascii: ","))
      row(bins)
      out.byte(UInt8(ascii: "]"))
      for number in [
        sorted.count, Int(sorted[sorted.count / 2]), Int(sorted[min(sorted.count - 1, sorted.count * 9 / 10)]), Int(group.slowest),
      ] {
        out.byte(UInt8(ascii: ","))
        out.decimal(number)
      }
      out.byte(UInt8(ascii: "]"))
    }
  }

  /// Times that packets waited in the controller, for the connections with most packets; the same bins.
  private func waits(_ air: AirSide) {
    let shown = air.figures.filter { $0.waits.count > 4 }.sorted { $0.waits.count > $1.waits.count }
    list("waits", Array(shown.prefix(6))) { figures in
      var bins = [Int](repeating: 0, count: 64)
      for wait in figures.waits { bins[Self.bin(wait)] += 1 }
      out.byte(UInt8(ascii: "["))
      text(report.handle(figures.handle))
      out.byte(UInt8(ascii: ","))
      row(bins)
      out.byte(UInt8(ascii: "]"))
      for number in [
        figures.waits.count, Int(figures.waits[figures.waits.count / 2]), Int(figures.waits[figures.waits.count * 9 / 10]),
        Int(figures.longest),
      ] {
        out.byte(UInt8(ascii: ","))
        out.decimal(number)
      }
      out.byte(UInt8(ascii: "]"))
    }
  }

  private static func bin(_ latency: Int64) -> Int {
    var bin = 0
    var bound = 100.0
    while bin < 63, Double(latency) >= bound * 1.333_521_432_163_324 {
      bound *= 1.333_521_432_163_324
      bin += 1
    }
    return bin
  }

  private func signals() {
    let connected = Set(tables.connections.compactMap { $0.peer >= 0 ? tables.peers[Int($0.peer)].address : nil })
    let order = report.signals.filter { $0.count > 2 }
      .sorted {
        let (first, second) = (connected.contains($0.key & 0xFFFF_FFFF_FFFF), connected.contains($1.key & 0xFFFF_FFFF_FFFF))
        return first != second ? first : $0.count > $1.count
      }
    list("signals", Array(order.prefix(9))) { signal in
      let peer = tables.knownPeer(signal.key & 0xFFFF_FFFF_FFFF, type: UInt8(signal.key >> 48 & 1))
      out.byte(UInt8(ascii: "["))
      text(peer >= 0 ? report.name(ofPeer: peer) : TextBuffer.words { $0.address(signal.key & 0xFFFF_FFFF_FFFF) })
      out.byte(UInt8(ascii: ","))
      out.decimal(signal.count)
      out.byte(UInt8(ascii: ","))
      out.decimal(since(signal.buckets.start ?? start))
      out.byte(UInt8(ascii: ","))
      out.decimal(Int(signal.buckets.width))
      out.text(",[")
      for (index, step) in signal.buckets.steps.enumerated() {
        if index > 0 { out.byte(UInt8(ascii: ",")) }
        if step.count == 0 { out.text("null") } else { real((Double(step.sum) / Double(step.count) * 10).rounded() / 10) }
      }
      out.text("]]")
    }
  }

  /// Series of numbers that change, of the fields that occurred most often.
  private func numbers() {
    var rows: [(source: Int, field: ReportFieldStatistics, series: ReportSeries)] = []
    for kind in report.kinds where !kind.isRemoved {
      for field in kind.fields where field.isNumeric && !field.isHidden {
        for series in field.series where series.count >= 5 && series.maximum > series.minimum { rows.append((kind.source, field, series)) }
      }
    }
    // Values of known peers come before advertised values, which anybody can send.
    rows.sort { ($0.series.peer >= 0 ? 1 : 0, $0.series.count) > ($1.series.peer >= 0 ? 1 : 0, $1.series.count) }
    list("numbers", Array(rows.prefix(36))) { row in
      out.byte(UInt8(ascii: "["))
      text(report.sources[row.source].name)
      out.byte(UInt8(ascii: ","))
      text(row.field.title)
      out.byte(UInt8(ascii: ","))
      text(row.field.unit)
      out.byte(UInt8(ascii: ","))
      text(report.name(ofPeer: row.series.peer))
      out.byte(UInt8(ascii: ","))
      out.decimal(row.series.count)
      out.byte(UInt8(ascii: ","))
      real(row.series.minimum)
      out.byte(UInt8(ascii: ","))
      real(row.series.maximum)
      out.text(",[")
      for (index, point) in row.series.points.enumerated() {
        if index > 0 { out.byte(UInt8(ascii: ",")) }
        out.byte(UInt8(ascii: "["))
        out.decimal(since(point.time))
        out.byte(UInt8(ascii: ","))
        real(point.value)
        out.byte(UInt8(ascii: "]"))
      }
      out.text("]]")
    }
  }
}

/// Texts that are written once and referred to by index.
private final class Interned {
  private(set) var texts: [String] = []
  private var numbers: [String: Int] = [:]

  func number(_ text: String) -> Int {
    if let known = numbers[text] { return known }
    texts.append(text)
    numbers[text] = texts.count - 1
    return texts.count - 1
  }
}
