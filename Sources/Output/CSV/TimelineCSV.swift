import Bluetooth
import Captures
import Conversations
@_spi(Pipeline) import Profiles
@_spi(Pipeline) import Analysis
import Memory
import Text

/// The timeline as comma-separated values: a line for each packet, message and finding. Columns are the keys of NDJSON; `text` is the description for
/// people.
public final class TimelineCSV: RowRenderer {
  private let out: TextBuffer
  private let csv: CSVWriter
  private let scratch = TextBuffer()
  private let words: TextPrinter
  private let clock = Clock()
  /// The column with the name of the capture, already escaped.
  private var file: [UInt8] = []
  private let messageWords = MessageWords()
  /// Columns of attributes and of peers, valid until the tables' version changes.
  private let attributes = RenderedTextCache()
  private let peers = RenderedTextCache()
  private var version = -1
  /// Columns from `file` to `time` of the last packet and the last message.
  private let packetLead = FrameText()
  private let messageLead = FrameText()
  /// Columns from `adapter` to `attribute`, valid until the tables' version changes.
  private let heads = HeadCache()
  /// Columns with the names of messages, and the profiles of these.
  private let messageNames = HeadCache()
  private var profiles: [CompiledProfile] = []

  /// Bytes that are buffered before they are written.
  private let chunk: Int
  private var facts: CaptureFacts?

  /// Prints to `out`, in pieces of about `chunk` bytes.
  public init(_ out: TextBuffer, chunk: Int = 1 << 16) {
    self.out = out
    self.chunk = chunk
    csv = CSVWriter(out)
    var look = TextPrinter.Options()
    look.isQuiet = true
    look.isJoined = true
    look.isFolding = false
    words = TextPrinter(scratch, look, chunk: .max)
  }

  /// Prints the heading, once for all captures.
  public func begin(_ facts: CaptureFacts) throws {
    try start(facts)
    guard facts.number == 0 else { return }
    out.text("file,kind,frame,time,adapter,direction,layer,name,opcode,connection,peer,peer_name,handle,uuid,attribute,value,status,")
    out.text("request_frame,response_frame,latency_us,truncated,")
    out.text("profile,message,characteristic,frames,payload,checksum,complete,problem,reply_to,severity,text\r\n")
  }

  private func start(_ facts: CaptureFacts) throws {
    self.facts = facts
    scratch.clear()
    CSVWriter(scratch).text(facts.name)
    file = unsafe Array(scratch.gathered)
    messageNames.forget()
    profiles.removeAll()
    version = -1
    packetLead.forget()
    messageLead.forget()
    try words.begin(facts)
  }

  private func makeWriter() -> TimelineCSV? {
    let writer = TimelineCSV(TextBuffer(), chunk: .max)
    guard let facts, (try? writer.start(facts)) != nil else { return nil }
    return writer
  }

  /// A renderer for the messages of the current capture, for use on another thread.
  public func makeMessageRenderer() -> (any MessageRenderer)? { makeWriter().map(CSVMessages.init) }

  /// A renderer for the rows of the current capture, for use on another thread.
  public func makeRowRenderer() -> (any RowRenderer)? { makeWriter() }

  /// Number of buffered bytes.
  var count: Int { out.count }

  /// Hands over the printed text.
  public func handOver(_ spare: (any MessageText)?) -> any MessageText { out.handOver(spare) }

  /// Prints text that another thread has rendered.
  public func rendered(_ text: BorrowedBytes, _ batch: RowBatch) throws {
    if text.count >= chunk { return try out.pass(text) }
    out.append(text)
    if out.count >= chunk { try out.flush() }
  }

  /// Keeps a profile's name for an attribute.
  public func attribute(_ attribute: ProfileAttribute) {
    words.attribute(attribute)
    attributes.forget()
    heads.forget()
  }

  private func start(_ kind: StaticString, _ frame: Int, _ time: Int64, _ adapter: UInt16) {
    csv.field { file.withBorrowedBytes { out.append($0) } }
    csv.field { out.text(kind) }
    csv.field { out.decimal(frame) }
    csv.field { clock.rfc3339(time, to: out) }
    csv.field { if adapter != 0xFFFF { out.unsigned(UInt64(adapter)) } }
  }

  /// Starts the line of a packet or a message with the columns from `file` to `attribute`. Only the digits of frame and time differ between most
  /// lines, and the other columns between few.
  @inline(__always)
  private func startLine(_ kind: RowKeys.Kind, _ row: PacketRow, _ batch: RowBatch) {
    if batch.version != version { forget(batch) }
    csv.field {
      var cursor = TextBuffer.Cursor(out)
      let lead = kind == .packet ? packetLead : messageLead
      if !lead.write(row.frame, row.time, to: &cursor) {
        compose(lead, kind, row)
        unsafe cursor.append(words: lead.text.start, lead.text.count)
      }
      let key = HeadCache.Key(kind, row)
      let isKnown = if let key { heads.write(key, to: &cursor) } else { false }
      cursor.finish()
      if !isKnown { writeHead(kind, row, batch, key) }
    }
  }

  @inline(never)
  private func compose(_ lead: FrameText, _ kind: RowKeys.Kind, _ row: PacketRow) {
    let text = lead.text
    text.clear()
    text.raw(file)
    text.text(kind == .packet ? ",packet," : ",message,")
    text.decimal(row.frame)
    let digit = text.count - 1
    text.byte(UInt8(ascii: ","))
    clock.rfc3339(row.time, to: text)
    lead.composed(row.frame, row.time, digit: digit, micros: text.count - 7)
  }

  /// Columns from `adapter` to `attribute`, which are kept under `key`.
  @inline(never)
  private func writeHead(_ kind: RowKeys.Kind, _ row: PacketRow, _ batch: RowBatch, _ key: HeadCache.Key?) {
    let start = out.count
    csv.field { if row.adapter != 0xFFFF { out.unsigned(UInt64(row.adapter)) } }
    csv.field { out.text(row.direction.text) }
    if kind == .packet { writeLayer(row) } else { csv.skip(3) }
    csv.field { if row.flags.contains(.hasConnection) { out.unsigned(UInt64(row.handle)) } }
    writeLocation(row, batch)
    if let key { heads.keep(key, out, from: start) }
  }

  /// The columns `layer`, `name` and `opcode`.
  private func writeLayer(_ row: PacketRow) {
    csv.field { out.name(row.layer.name) }
    csv.field { out.name(Dissection.name(row)) }
    csv.field { if row.hasOpcode { out.unsigned(UInt64(row.opcode)) } }
  }

  private func forget(_ batch: RowBatch) {
    version = batch.version
    attributes.forget()
    peers.forget()
    heads.forget()
  }

  /// Columns from the peer's address to the attribute's name.
  private func writeLocation(_ row: PacketRow, _ batch: RowBatch) {
    if batch.version != version { forget(batch) }
    if row.peer < 0 {
      csv.skip(2)
    } else if !peers.write(row.peer, to: out) {
      let start = out.count
      csv.field { out.address(batch.tables.peers[Int(row.peer)].address) }
      csv.text(batch.tables.name(of: row.peer))
      peers.keep(row.peer, out, from: start)
    }
    let hasAttribute = row.flags.contains(.hasAttribute)
    csv.field { if hasAttribute { out.unsigned(UInt64(row.attributeHandle)) } }
    if !hasAttribute || row.attribute < 0 || row.uuidSource == .none {
      csv.skip(2)
    } else if !attributes.write(row.attribute, to: out) {
      let start = out.count
      let tables = batch.tables
      csv.field { if let uuid = tables.type(of: tables.attributes[Int(row.attribute)]) { out.string(uuid.description) } }
      scratch.clear()
      scratch.label(row.attribute, tables, Style(), words.names)
      csv.text(scratch)
      attributes.keep(row.attribute, out, from: start)
    }
  }

  private func finish() throws {
    csv.end()
    if out.count >= chunk { try out.flush() }
  }

  /// Prints a row.
  public func packet(_ row: PacketRow, _ batch: RowBatch, isPart: Bool) throws {
    if row.layer == .note {
      start("note", row.frame, row.time, row.adapter)
      csv.field { out.text(row.direction.text) }
      csv.skip(2)
      csv.field { if row.hasOpcode { out.unsigned(UInt64(row.opcode)) } }
      csv.field { if row.flags.contains(.hasConnection) { out.unsigned(UInt64(row.handle)) } }
      writeLocation(row, batch)
    } else {
      startLine(.packet, row, batch)
    }
    csv.field {
      if row.flags.contains(.hasValue) {
        unsafe out.hex(row.value.start, row.value.count)
      } else if let (_, data) = row.sentOverChannel {
        unsafe out.hex(data.start, data.count)
      }
    }
    csv.field { if row.flags.contains(.hasStatus) { out.name(Status.name(row)) } }
    csv.field { if row.requestFrame != 0, !row.flags.contains(.retransmission) { out.decimal(row.requestFrame) } }
    csv.field { if row.responseFrame != 0 { out.decimal(row.responseFrame) } }
    csv.field { if row.flags.contains(.hasLatency) { out.decimal(Int(row.latency)) } }
    csv.field { if row.flags.contains(.truncated) { out.text("true") } }
    csv.skip(10)
    scratch.clear()
    words.words(row, batch)
    csv.words(scratch)
    try finish()
  }

  /// Prints a message.
  @_spi(Pipeline) public func message(_ message: ProfileMessage, _ row: PacketRow, _ batch: RowBatch) throws {
    let begin = out.count
    startLine(.message, row, batch)
    csv.skip(6)
    writeNames(message)
    csv.message(message)
    csv.skip()
    if message.kind == .message { messageWords.format(message) { csv.text($0) } } else { csv.skip() }
    message.wrote(out.count - begin)
    try finish()
  }

  /// Writes the columns `profile`, `message` and `characteristic`.
  private func writeNames(_ message: ProfileMessage) {
    let key = HeadCache.Key(
      bytes: UInt64(UInt(bitPattern: ObjectIdentifier(message.profile))), kind: UInt64(bitPattern: Int64(message.messageNumber)),
      objects: UInt64(message.sourceNumber))
    var cursor = TextBuffer.Cursor(out)
    let isKnown = messageNames.write(key, to: &cursor)
    cursor.finish()
    if isKnown { return }
    let start = out.count
    csv.names(of: message)
    messageNames.keep(key, out, from: start)
    // A retained profile keeps its identity; entries that others displace are written again.
    if !profiles.contains(where: { $0 === message.profile }) { profiles.append(message.profile) }
  }

  /// Prints a finding.
  public func finding(_ finding: Finding, _ batch: RowBatch) throws {
    start("warning", finding.frame, finding.time, finding.adapter)
    csv.skip(2)
    csv.field { out.text(finding.id) }
    csv.skip()
    csv.field { if finding.handle != 0xFFFF { out.unsigned(UInt64(finding.handle)) } }
    csv.skip(20)
    csv.field { out.text(finding.severity.text) }
    scratch.clear()
    finding.explain(to: scratch, batch.tables, names: words.names)
    finding.advise(to: scratch)
    csv.text(scratch)
    try finish()
  }

  /// Writes the buffered text.
  public func flush() throws { try out.flush() }

  /// Writes the buffered text; nothing is printed after the rows.
  public func end(_ outcome: Outcome) throws { try out.flush() }
}

/// Prints messages on a second thread.
private final class CSVMessages: MessageRenderer {
  private let printer: TimelineCSV

  init(_ printer: TimelineCSV) { self.printer = printer }

  var count: Int { printer.count }

  func handOver(_ spare: (any MessageText)?) -> any MessageText { printer.handOver(spare) }

  func attribute(_ attribute: ProfileAttribute) { printer.attribute(attribute) }

  func message(_ message: ProfileMessage, _ row: PacketRow, _ batch: RowBatch) {
    // Writing into memory does not throw.
    try? printer.message(message, row, batch)
  }
}

extension CSVWriter {
  /// The columns `profile`, `message` and `characteristic` of a message.
  func names(of message: ProfileMessage) {
    text(message.profile.id)
    text(message.name ?? "")
    text(message.source)
  }

  /// The columns `frames` to `reply_to` of a message.
  func message(_ message: ProfileMessage) {
    field {
      for (index, frame) in message.frames.enumerated() {
        if index > 0 { out.byte(0x20) }
        out.decimal(frame)
      }
    }
    field { unsafe out.hex(message.payload.start, message.payload.count) }
    field { out.text(message.checksum.text) }
    field { out.text(message.isComplete ? "true" : "false") }
    if message.hasProblem {
      var problem: [UInt8] = []
      message.appendProblem(to: &problem)
      text(problem)
    } else {
      skip()
    }
    field { if let request = message.replyTo { out.decimal(request) } }
  }
}

extension ProfileMessage.Checksum {
  /// `ok`, `bad`, or nothing where the protocol has none.
  var text: StaticString {
    switch self {
    case .none: ""
    case .ok: "ok"
    case .bad: "bad"
    }
  }
}

extension PacketDirection {
  /// The `direction` key of NDJSON; empty where it is left out.
  var text: StaticString {
    switch self {
    case .sent: "sent"
    case .received: "received"
    case .central: "central"
    case .peripheral: "peripheral"
    case .unknown: ""
    }
  }
}
