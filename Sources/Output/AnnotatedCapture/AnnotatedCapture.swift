import Bluetooth
import Captures
import Conversations
@_spi(Pipeline) import Profiles
@_spi(Pipeline) import Analysis
import Memory
import PacketCodecs
import Text

/// The packets of a capture unchanged, with comments by btscribe: operations, decoded messages, findings. The format is pcapng, as no other format
/// has comments.
public final class AnnotatedCapture: EventSink {
  /// Selects the packets to write.
  public struct Options {
    /// Only packets that pass.
    public var filter: Filter?
    /// Called with the time of each packet (µs since 1970) in the order of the capture; false leaves the packet out.
    public var holds: (Int64) -> Bool = { _ in true }
    /// Most packets to write; nil for all.
    public var limit: Int?

    /// All packets.
    public init() {}
  }

  private let writer: CaptureWriter
  private let source: any PacketSource
  private var options: Options
  private let scratch = TextBuffer()
  private let words: TextPrinter
  private let clock = Clock()
  private let ended: EndedOperations
  private let operations: Operations<EndedOperations>
  private let marker = FrameMarker()
  private let filtered: FilteredSink<FrameMarker>?
  private var version = -1
  private var adapters = -1
  /// Comments for the records of the current batch, as ranges of ``texts``; those of one record in the order operations, messages, findings.
  private var comments: [(record: Int, rank: Int, text: Range<Int>)] = []
  /// The texts of the comments of the current batch.
  private var texts: [UInt8] = []
  /// Number of comments of each record of the current batch, those that are left out included.
  private var counts: [Int] = []
  /// The comments of the packet that is written.
  private var notes: [ArraySlice<UInt8>] = []
  /// Record of the last row, whose description is in ``description`` until it is known whether an operation ended with it.
  private var pending: Int?
  private let description = TextBuffer()
  /// The last packet of the previous batch, which can still get comments.
  private var held: HeldPacket?
  /// Packets that a filter rejected although the capture has too few of their bytes to be sure.
  public var unjudged: Int { filtered?.unjudged ?? 0 }

  /// A packet that is kept beyond its batch.
  private struct HeldPacket {
    var record: PacketRecord
    var bytes: [UInt8]
    var comments: [ArraySlice<UInt8>]
    /// Number of comments that are left out.
    var leftOut: Int
    var isWanted: Bool
  }

  /// Most comments of one packet, and most bytes of all comments of a batch. If more are made, the packet's last comment says how many are left out.
  private static let maxComments = 64, maxTexts = 1 << 24
  /// Most bytes of a comment.
  private static let longest = 8192

  /// Writes to `writer`, which has pcapng as its target, the packets of `source`.
  public init(_ writer: CaptureWriter, _ source: any PacketSource, _ options: Options = Options()) {
    self.writer = writer
    writer.keepsLinkTypes = true
    self.source = source
    self.options = options
    var look = TextPrinter.Options()
    look.isQuiet = true
    look.isJoined = true
    look.isFolding = false
    words = TextPrinter(description, look, chunk: .max)
    ended = EndedOperations()
    operations = Operations(ended, window: 0)
    let marker = marker
    filtered = options.filter.map { FilteredSink(marker, $0, source) }
  }

  /// A capture starts.
  public func begin(_ facts: CaptureFacts) throws {
    if let first = facts.first { _ = options.holds(first) }
    try operations.begin(facts)
    try filtered?.begin(facts)
    try words.begin(facts)
  }

  /// Keeps a profile's name for an attribute.
  public func attribute(_ attribute: ProfileAttribute) {
    ended.names[attribute.index] = attribute.name
    words.attribute(attribute)
  }

  /// Keeps the description of a row.
  public func packet(_ row: PacketRow, _ batch: RowBatch, isPart: Bool) throws {
    try operations.packet(row, batch, isPart: isPart)
    try filtered?.packet(row, batch, isPart: isPart)
    addPendingComments(batch)
    guard row.layer != .note, isCommented(row) else { return }
    description.clear()
    var start = 0
    if row.peer >= 0 {
      // The tables are not passed on: a copy of them would retain each of their parts.
      start = Self.who(batch.tables.name(of: row.peer), batch.tables.peers[Int(row.peer)].address, row.direction, to: description)
    }
    words.words(row, batch)
    if row.responseFrame != 0 {
      description.text("; answered in #")
      description.decimal(row.responseFrame)
      if row.flags.contains(.hasLatency) {
        description.text(" after ")
        clock.duration(row.latency, to: description)
      }
    }
    description.joinBlanks(from: start)
    pending = Int(row.record)
  }

  /// Whether a row has words of its own: what Wireshark shows as well is left out.
  private func isCommented(_ row: PacketRow) -> Bool {
    switch row.meaning {
    case .advertises, .connected, .disconnected, .read, .readValue, .write, .writeResponse, .writeCommand, .notify, .indicate, .subscribe,
      .refused, .confirm:
      true
    default: false
    }
  }

  /// Writes a peer, which has a name or an address, to `out`. Returns the offset behind it.
  fileprivate static func who(_ name: [UInt8], _ address: UInt64, _ direction: PacketDirection, to out: TextBuffer) -> Int {
    if name.isEmpty { out.address(address) } else { out.untrusted(name, .terminal) }
    switch direction {
    case .sent, .central: out.text(" \u{2192} ")
    case .received, .peripheral: out.text(" \u{2190} ")
    case .unknown: out.text(": ")
    }
    return out.count
  }

  /// Adds comments for the operations that ended before the next row, and the description of the previous row.
  private func addPendingComments(_ batch: RowBatch) {
    var hasOperation = false
    for (frame, text) in ended.list {
      guard let record = record(of: frame, batch) else { continue }
      if record == pending { hasOperation = true }
      comment(record, 0, ended.texts.bytes.part(text))
    }
    ended.removeAll()
    // A response is described by its operation.
    if let pending, !hasOperation { comment(pending, 0, description.bytes) }
    pending = nil
  }

  /// Keeps a message with its fields.
  @_spi(Pipeline) public func message(_ message: ProfileMessage, _ row: PacketRow, _ batch: RowBatch) throws {
    operations.message(message, row, batch)
    try filtered?.message(message, row, batch)
    scratch.clear()
    scratch.text("message: ")
    scratch.string(message.profile.id)
    scratch.byte(0x20)
    scratch.string(message.source)
    scratch.text(": ")
    if message.frames.count > 1 || message.replyTo != nil {
      scratch.decimal(message.payload.count)
      scratch.text(message.payload.count == 1 ? " byte" : " bytes")
      if message.frames.count > 1, let first = message.frames.first, let last = message.frames.last {
        scratch.text(" from #")
        scratch.decimal(first)
        scratch.text(message.frames.count > 2 ? " … #" : " and #")
        scratch.decimal(last)
      }
      if let request = message.replyTo {
        scratch.text(", answers #")
        scratch.decimal(request)
        scratch.text(" after ")
        clock.duration(message.latency, to: scratch)
      }
      scratch.byte(0x0A)
    }
    // The lines of a message are kept; other characters that would move a cursor are made harmless.
    message.withText { lines in
      var count = lines.count
      while count > 0, lines[count - 1] == 0x0A { count -= 1 }
      scratch.untrusted(lines.part(0..<count), .lines)
    }
    message.wrote(scratch.count)
    comment(record(of: row.frame, batch) ?? -1, 1, scratch.bytes)
  }

  /// Keeps a finding.
  public func finding(_ finding: Finding, _ batch: RowBatch) throws {
    try filtered?.finding(finding, batch)
    scratch.clear()
    scratch.text(finding.severity.text)
    scratch.text(": ")
    let known = record(of: finding.frame, batch)
    if known == nil {
      scratch.text("#")
      scratch.decimal(finding.frame)
      scratch.text(": ")
    }
    finding.explain(to: scratch, batch.tables, names: ended.names)
    if finding.advice.utf8CodeUnitCount > 0 {
      scratch.text("; ")
      scratch.text(finding.advice)
    }
    comment(known ?? -1, 2, scratch.bytes)
  }

  /// The record of a frame in the batch; -1 for the packet held from the previous batch, nil for packets already written.
  private func record(of frame: Int, _ batch: RowBatch) -> Int? {
    if let held, held.record.frame == frame { return -1 }
    guard let first = unsafe batch.packets.records.first, frame >= first.frame else { return nil }
    let index = frame - first.frame
    return unsafe index < batch.packets.records.count && batch.packets.records[index].frame == frame ? index : nil
  }

  /// Keeps a comment for a record of the batch, or for the held packet (-1). `rank`: 0 operation or description, 1 message, 2 finding.
  private func comment(_ record: Int, _ rank: Int, _ text: BorrowedBytes) {
    if record < 0, let number = held?.comments.count {
      guard number < Self.maxComments else {
        held?.leftOut += 1
        return
      }
      var comment: [UInt8] = []
      Self.append(text, to: &comment)
      held?.comments.append(comment[...])
      return
    }
    let record = max(record, 0)
    while counts.count <= record { counts.append(0) }
    counts[record] += 1
    guard counts[record] <= Self.maxComments, texts.count < Self.maxTexts else { return }
    let start = texts.count
    Self.append(text, to: &texts)
    comments.append((record, rank, start..<texts.count))
  }

  /// The comment of a packet with more comments than are kept.
  private static func remark(leftOut count: Int) -> ArraySlice<UInt8> {
    Array("\(count) more \(count == 1 ? "comment is" : "comments are") left out".utf8)[...]
  }

  /// Appends a text, or as many of its characters as a comment may have.
  private static func append(_ text: BorrowedBytes, to texts: inout [UInt8]) {
    guard text.count > longest else { return texts.append(contentsOf: text) }
    texts.append(contentsOf: text.part(0..<longest))
    while let last = texts.last, last & 0xC0 == 0x80 { texts.removeLast() }
    if let last = texts.last, last >= 0x80 { texts.removeLast() }
    texts += "…".utf8
  }

  /// Writes the packets of the batch but the last, which may still get comments.
  public func batchDidEnd(_ batch: RowBatch) throws {
    try operations.batchDidEnd(batch)
    try filtered?.batchDidEnd(batch)
    addPendingComments(batch)
    name(batch.tables)
    let records = unsafe batch.packets.records
    guard !records.isEmpty else { return }
    try writeHeld()
    if !areSorted { comments.sort { ($0.record, $0.rank) < ($1.record, $1.rank) } }
    var next = 0
    for index in records.indices {
      let record = unsafe records[index]
      if !notes.isEmpty { notes.removeAll(keepingCapacity: true) }
      while next < comments.count, comments[next].record == index {
        notes.append(texts[comments[next].text])
        next += 1
      }
      let leftOut = index < counts.count ? counts[index] - notes.count : 0
      let isWanted = options.holds(record.time) && (filtered == nil || marker.frames.contains(record.frame))
      if index == records.count - 1 {
        let packetNotes = batch.packets.notes.filter { $0.record == index }.map { Array($0.text.utf8)[...] }
        // Copies, as the texts of the batch are removed.
        let copies = notes.map { Array($0)[...] }
        held = unsafe HeldPacket(
          record: record, bytes: Array(batch.packets.bytes(record)), comments: packetNotes + copies, leftOut: leftOut, isWanted: isWanted)
      } else if isWanted, !isFull {
        if leftOut > 0 { notes.append(Self.remark(leftOut: leftOut)) }
        try writer.write(index, of: batch.packets, from: source, notes: notes)
      }
    }
    comments.removeAll(keepingCapacity: true)
    notes.removeAll(keepingCapacity: true)
    texts.removeAll(keepingCapacity: texts.count < Self.maxTexts / 16)
    counts.removeAll(keepingCapacity: true)
    marker.frames.removeAll(keepingCapacity: true)
  }

  /// Whether the comments were added in order.
  private var areSorted: Bool {
    for index in comments.indices.dropFirst() {
      if (comments[index].record, comments[index].rank) < (comments[index - 1].record, comments[index - 1].rank) { return false }
    }
    return true
  }

  private var isFull: Bool { options.limit.map { writer.count >= $0 } ?? false }

  private func writeHeld() throws {
    guard let held else { return }
    self.held = nil
    guard held.isWanted, !isFull else { return }
    let remark = held.leftOut > 0 ? [Self.remark(leftOut: held.leftOut)] : []
    let known = source.interfaces
    let number = Int(held.record.interface)
    let origin = known.indices.contains(number) ? known[number] : CaptureInterface(linkType: -1)
    try writer.write(held.record, bytes: held.bytes.rawSpan, origin: origin, format: source.format, comments: held.comments + remark)
  }

  /// Names the interfaces after their adapters.
  private func name(_ tables: ConversationTables) {
    guard tables.version != version || tables.adapters.count != adapters else { return }
    version = tables.version
    adapters = tables.adapters.count
    for adapter in tables.adapters {
      scratch.clear()
      scratch.untrusted(adapter.name, .terminal)
      let adapterName = unsafe String(decoding: scratch.gathered, as: UTF8.self)
      scratch.clear()
      if let address = adapter.address { scratch.address(address) }
      let address = unsafe String(decoding: scratch.gathered, as: UTF8.self)
      let hasIndex = adapter.index != Adapter.unnumbered
      let name = hasIndex ? "hci\(adapter.index)" : adapterName.isEmpty ? address : adapterName
      let more = [hasIndex && adapterName != name ? adapterName : "", name == address ? "" : address].filter { !$0.isEmpty }
      writer.name(adapter: adapter.index, name, more.joined(separator: ", "))
    }
    // The Linux monitor has records without an adapter: notes of the system and of programs.
    if !tables.adapters.contains(where: { $0.index == Adapter.unnumbered }) {
      writer.name(adapter: Adapter.unnumbered, "bluetooth-monitor", "")
    }
  }

  /// Does nothing: the file is complete only at the end.
  public func flush() throws {}

  /// Writes the held packet.
  public func end(_ outcome: Outcome) throws {
    try operations.end(outcome)
    try filtered?.end(outcome)
    try writeHeld()
  }
}

/// Describes the operations that end.
private final class EndedOperations: OperationSink {
  /// The last frame of each operation, and the range of its description in ``texts``.
  private(set) var list: [(frame: Int, text: Range<Int>)] = []
  let texts = TextBuffer()
  /// Names of attributes in profiles.
  var names: [Int32: String] = [:]
  private let clock = Clock()

  /// Removes all descriptions.
  func removeAll() {
    guard !list.isEmpty else { return }
    list.removeAll(keepingCapacity: true)
    texts.clear()
  }

  /// Whether operations of a kind become comments. Runs end after a pause, long after their packets.
  private static func isComment(_ kind: Operation.Kind) -> Bool {
    switch kind {
    case .notification, .writeCommand, .data, .input, .stream: false
    default: true
    }
  }

  func wantsTexts(of kind: Operation.Kind, at frame: Int) -> Bool { Self.isComment(kind) }

  // Where this is inlined, the tables are copied for each call.
  @inline(never)
  func operation(_ operation: Operation, _ tables: ConversationTables) {
    guard Self.isComment(operation.kind) else { return }
    let start = texts.count
    describe(operation, tables)
    list.append((operation.endFrame, start..<texts.count))
  }

  private func describe(_ operation: Operation, _ tables: ConversationTables) {
    texts.text("operation: ")
    var begin = texts.count
    if operation.peer >= 0 {
      begin = AnnotatedCapture.who(tables.name(of: operation.peer), tables.peers[Int(operation.peer)].address, .unknown, to: texts)
    }
    texts.text(operation.kind.verb)
    if let channel = operation.channel {
      texts.byte(0x20)
      texts.label(channel, tables)
    } else if operation.handle != 0 {
      texts.byte(0x20)
      if operation.attribute >= 0, operation.uuidSource != .none {
        texts.label(operation.attribute, tables, Style(), names)
      } else {
        texts.text("0x")
        texts.hex(UInt64(operation.handle), digits: 4)
      }
    }
    texts.text(": ")
    operation.writeStatus(to: texts)
    if operation.latency >= 0 {
      texts.text(", ")
      clock.duration(operation.latency, to: texts)
    }
    let start = texts.count
    texts.text(", ")
    operation.writeDetail(to: texts, Style())
    if texts.count == start + 2 { texts.truncate(to: start) }
    if operation.frameCount > 1 {
      texts.text(" (#")
      texts.decimal(operation.frame)
      texts.text(operation.frameCount > 2 ? " … #" : " and #")
      texts.decimal(operation.endFrame)
      texts.byte(UInt8(ascii: ")"))
    }
    texts.joinBlanks(from: begin)
  }

  func flush() {}
  func end(_ outcome: Outcome) {}
}

/// Keeps the frame numbers that a filter passed.
private final class FrameMarker: EventSink {
  var frames: Set<Int> = []

  func packet(_ row: PacketRow, _ batch: RowBatch, isPart: Bool) { frames.insert(row.frame) }
}
