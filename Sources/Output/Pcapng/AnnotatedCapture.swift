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
  private var names: [Int32: String] = [:]
  private var version = -1
  private var adapters = -1
  /// Comments for the records of the current batch; those of one record in the order operations, messages, findings.
  private var comments: [(record: Int, rank: Int, text: [UInt8])] = []
  /// Record and description of the last row, held back until it is known whether an operation ended with it.
  private var pending: (record: Int, text: [UInt8])?
  /// The last packet of the previous batch, which can still get comments.
  private var held: HeldPacket?
  /// Packets that a filter rejected although the capture has too few of their bytes to be sure.
  public var unjudged: Int { filtered?.unjudged ?? 0 }

  /// A packet that is kept beyond its batch.
  private struct HeldPacket {
    var record: PacketRecord
    var bytes: [UInt8]
    var comments: [[UInt8]]
    var isWanted: Bool
  }

  /// Most comments of one packet.
  private static let maxComments = 64
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
    look.isFolding = false
    words = TextPrinter(scratch, look, chunk: .max)
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
    names[attribute.index] = attribute.name
    words.attribute(attribute)
  }

  /// Keeps the description of a row.
  public func packet(_ row: PacketRow, _ batch: RowBatch, isPart: Bool) throws {
    try operations.packet(row, batch, isPart: isPart)
    try filtered?.packet(row, batch, isPart: isPart)
    settlePending(batch)
    guard row.layer != .note, isCommented(row) else { return }
    scratch.clear()
    let start = who(row.peer, row.direction, batch.tables)
    words.words(row, batch)
    if row.responseFrame != 0 {
      scratch.text("; answered in #")
      scratch.decimal(row.responseFrame)
      if row.flags.contains(.hasLatency) {
        scratch.text(" after ")
        clock.duration(row.latency, to: scratch)
      }
    }
    scratch.joinBlanks(from: start)
    pending = unsafe (Int(row.record), Array(scratch.gathered))
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

  /// Writes the peer to `scratch`. Returns the offset behind it.
  private func who(_ peer: Int32, _ direction: PacketDirection, _ tables: Tables) -> Int {
    guard peer >= 0 else { return scratch.count }
    let name = tables.name(of: peer)
    if name.isEmpty { scratch.address(tables.peers[Int(peer)].address) } else { scratch.untrusted(name, .terminal) }
    switch direction {
    case .sent, .central: scratch.text(" \u{2192} ")
    case .received, .peripheral: scratch.text(" \u{2190} ")
    case .unknown: scratch.text(": ")
    }
    return scratch.count
  }

  /// Adds comments for the operations that ended before the next row, and the description of the previous row.
  private func settlePending(_ batch: RowBatch) {
    var hasOperation = false
    if !ended.isEmpty {
      for (operation, tables) in ended.taken() {
        guard let record = record(of: operation.endFrame, batch) else { continue }
        if record == pending?.record { hasOperation = true }
        comment(record, 0, text(operation, tables))
      }
    }
    // A response is described by its operation.
    if let pending, !hasOperation { comment(pending.record, 0, pending.text) }
    pending = nil
  }

  private func text(_ operation: Operation, _ tables: Tables) -> [UInt8] {
    scratch.clear()
    scratch.text("operation: ")
    let begin = who(operation.peer, .unknown, tables)
    scratch.text(operation.kind.verb)
    if let channel = operation.channel {
      scratch.byte(0x20)
      scratch.label(channel, tables)
    } else if operation.handle != 0 {
      scratch.byte(0x20)
      if operation.attribute >= 0, operation.uuidSource != .none {
        scratch.label(operation.attribute, tables, Style(), names)
      } else {
        scratch.text("0x")
        scratch.hex(UInt64(operation.handle), digits: 4)
      }
    }
    scratch.text(": ")
    operation.writeStatus(to: scratch)
    if operation.latency >= 0 {
      scratch.text(", ")
      clock.duration(operation.latency, to: scratch)
    }
    let start = scratch.count
    scratch.text(", ")
    operation.writeDetail(to: scratch, Style())
    if scratch.count == start + 2 { scratch.truncate(to: start) }
    if operation.frameCount > 1 {
      scratch.text(" (#")
      scratch.decimal(operation.frame)
      scratch.text(operation.frameCount > 2 ? " … #" : " and #")
      scratch.decimal(operation.endFrame)
      scratch.byte(UInt8(ascii: ")"))
    }
    scratch.joinBlanks(from: begin)
    return unsafe Array(scratch.gathered)
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
      scratch.untrusted(lines: lines.part(0..<count))
    }
    comment(record(of: row.frame, batch) ?? -1, 1, unsafe Array(scratch.gathered))
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
    finding.explain(to: scratch, batch.tables, names: names)
    if finding.advice.utf8CodeUnitCount > 0 {
      scratch.text("; ")
      scratch.text(finding.advice)
    }
    comment(known ?? -1, 2, unsafe Array(scratch.gathered))
  }

  /// The record of a frame in the batch; -1 for the packet held from the previous batch, nil for packets already written.
  private func record(of frame: Int, _ batch: RowBatch) -> Int? {
    if let held, held.record.frame == frame { return -1 }
    guard let first = unsafe batch.packets.records.first, frame >= first.frame else { return nil }
    let index = frame - first.frame
    return unsafe index < batch.packets.records.count && batch.packets.records[index].frame == frame ? index : nil
  }

  private func comment(_ record: Int, _ rank: Int, _ text: [UInt8]) {
    var text = text
    if text.count > Self.longest {
      text.removeSubrange(Self.longest...)
      while let last = text.last, last & 0xC0 == 0x80 { text.removeLast() }
      if let last = text.last, last >= 0x80 { text.removeLast() }
      text += "…".utf8
    }
    if record < 0, held != nil {
      if held?.comments.count ?? 0 < Self.maxComments { held?.comments.append(text) }
    } else if comments.count < 1 << 18 {
      comments.append((max(record, 0), rank, text))
    }
  }

  /// Writes the packets of the batch but the last, which may still get comments.
  public func batchDidEnd(_ batch: RowBatch) throws {
    try operations.batchDidEnd(batch)
    try filtered?.batchDidEnd(batch)
    settlePending(batch)
    name(batch.tables)
    let records = unsafe batch.packets.records
    guard !records.isEmpty else { return }
    try writeHeld()
    if !areSorted { comments.sort { ($0.record, $0.rank) < ($1.record, $1.rank) } }
    var next = 0
    for index in records.indices {
      let record = unsafe records[index]
      let first = next
      while next < comments.count, comments[next].record == index { next += 1 }
      let texts = first == next ? [] : comments[first..<min(next, first + Self.maxComments)].map(\.text)
      let isWanted = options.holds(record.time) && (filtered == nil || marker.frames.contains(record.frame))
      if index == records.count - 1 {
        let notes = batch.packets.notes.filter { $0.record == index }.map { Array($0.text.utf8) }
        held = unsafe HeldPacket(record: record, bytes: Array(batch.packets.bytes(record)), comments: notes + texts, isWanted: isWanted)
      } else if isWanted, !isFull {
        try writer.write(index, of: batch.packets, from: source, notes: texts)
      }
    }
    comments.removeAll(keepingCapacity: true)
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
    let known = source.interfaces
    let number = Int(held.record.interface)
    let origin = known.indices.contains(number) ? known[number] : CaptureInterface(linkType: -1)
    try writer.write(held.record, bytes: held.bytes.rawSpan, origin: origin, format: source.format, comments: held.comments)
  }

  /// Names the interfaces after their adapters.
  private func name(_ tables: Tables) {
    guard tables.version != version || tables.adapters.count != adapters else { return }
    version = tables.version
    adapters = tables.adapters.count
    for adapter in tables.adapters {
      scratch.clear()
      scratch.untrusted(adapter.name, .terminal)
      let own = unsafe String(decoding: scratch.gathered, as: UTF8.self)
      scratch.clear()
      if let address = adapter.address { scratch.address(address) }
      let address = unsafe String(decoding: scratch.gathered, as: UTF8.self)
      let hasIndex = adapter.index != 0xFFFF
      let name = hasIndex ? "hci\(adapter.index)" : own.isEmpty ? address : own
      let more = [hasIndex && own != name ? own : "", name == address ? "" : address].filter { !$0.isEmpty }
      writer.name(adapter: adapter.index, name, more.joined(separator: ", "))
    }
    // The Linux monitor has records without an adapter: notes of the system and of programs.
    if !tables.adapters.contains(where: { $0.index == 0xFFFF }) { writer.name(adapter: 0xFFFF, "bluetooth-monitor", "") }
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

extension TextBuffer {
  /// Appends lines of untrusted text; only line ends are kept of what moves a cursor.
  fileprivate func untrusted(lines: BorrowedBytes) {
    var start = 0
    while start < lines.count {
      var end = start
      while let word = lines.u32(end), !Self.hasLineEnd(word) { end &+= 4 }
      while end < lines.count, lines[end] != 0x0A { end &+= 1 }
      untrusted(lines.part(start..<end), .terminal)
      if end < lines.count { byte(0x0A) }
      start = end &+ 1
    }
  }

  /// Whether one of four bytes is a line end.
  private static func hasLineEnd(_ word: UInt32) -> Bool {
    let other = word ^ 0x0A0A_0A0A
    return (other &- 0x0101_0101) & ~other & 0x8080_8080 != 0
  }
}

/// Keeps operations that ended until ``taken()`` is called.
private final class EndedOperations: OperationSink {
  private var list: [(Operation, Tables)] = []

  var isEmpty: Bool { list.isEmpty }

  func taken() -> [(Operation, Tables)] {
    defer { list.removeAll(keepingCapacity: true) }
    return list
  }

  /// Whether operations of a kind become comments. Runs end after a pause, long after their packets.
  private static func isComment(_ kind: Operation.Kind) -> Bool {
    switch kind {
    case .notification, .writeCommand, .data, .input, .stream: false
    default: true
    }
  }

  func wantsTexts(of kind: Operation.Kind, at frame: Int) -> Bool { Self.isComment(kind) }

  func operation(_ operation: Operation, _ tables: Tables) {
    if Self.isComment(operation.kind) { list.append((operation, tables)) }
  }
  func flush() {}
  func end(_ outcome: Outcome) {}
}

/// Keeps the frame numbers that a filter passed.
private final class FrameMarker: EventSink {
  var frames: Set<Int> = []

  func packet(_ row: PacketRow, _ batch: RowBatch, isPart: Bool) { frames.insert(row.frame) }
}
