import BothSides
import Bluetooth
import Captures
import Conversations
@_spi(Pipeline) import Profiles
import Analysis
import Memory
import Text

/// The timeline for people: one line per packet, in columns, failures in red.
public final class TextPrinter: EventSink {
  /// Options of the timeline.
  public struct Options: Sendable {
    /// The format of times.
    public var time: TimeFormat = .r
    /// Shows the bytes of each packet below its line.
    public var showsBytes = false
    /// Shows all fields below each line, and rows that are otherwise folded.
    public var isVerbose = false
    /// Counts housekeeping of the link instead of showing it, and shows repeated rows as one.
    public var isFolding = true
    /// Rows are shown as they arrive: none is held back to be joined with others.
    public var isLive = false
    /// Shows HCI commands and events.
    public var showsHCI = false
    /// Shows packets of the Link Layer outside conversations.
    public var showsLinkLayer = false
    /// Shows each request of a discovery, and its response.
    public var showsDiscovery = false
    /// Shows numbers instead of names.
    public var isNumeric = false
    /// Prints only rows, without heading and totals.
    public var isQuiet = false
    /// Whoever asks for the words of a row joins runs of spaces in them: spaces that align columns are left out where that is cheap.
    var isJoined = false
    /// Colours, glyphs and width.
    public var style = Style()
    /// Sniffers' results about the capture's packets.
    public var air: AirSide?

    /// The default options.
    public init() {}
  }

  let out: TextBuffer
  let options: Options
  let clock = Clock()
  private(set) var first: Int64 = 0
  private var previous: Int64 = 0
  var columns: TimelineColumns {
    didSet { usualColumn = columns.lead + 2 }
  }
  /// The column in which most long lines continue.
  private var usualColumn = 0
  private let hasAir: Bool
  private let chunk: Int
  private let lineLead: LinePrefix
  private var below: TextMessages
  /// Numbers of rows that are not shown.
  var folded = FoldedRows()
  var contents = AdvertisementContents()
  /// Commands that failed, each with its status.
  var failures: Set<UInt32> = []
  /// Number of notes by a hash of their first bytes without digits.
  var noteCounts: [UInt64: Int] = [:]
  /// Frames of responses that are shown with their requests.
  var shownResponses = [Int](repeating: -1, count: 16)
  var shownNext = 0
  /// Discoveries that are not over.
  var discoveries: [DiscoveryResult] = []
  /// A repetition for each connection.
  var repetitions: [Repetition] = []
  /// The repetition of the last row's connection, which ``repetitions`` retains.
  var lastRepetition: (connection: Int32, repetition: Unretained<Repetition>)?
  /// Values of which a profile says what they mean, and the last one that was shown: by what is done with them.
  var printedKeys = [UInt64](repeating: 0, count: 256)
  var lastKey: UInt64 = 0
  /// The previous value of each attribute or channel and direction, to find the bytes that changed.
  var previousValues: [UInt64: [UInt8]] = [:]
  /// Numbers of sniffers' results that were printed.
  var air = AirProgress()
  /// The last row that was not shown.
  var hiddenFrame = 0
  /// Housekeeping of the link is counted, and responses are shown with their requests.
  let isFolding: Bool
  /// The first row under the last heading, without its bytes: it determines the peer of the rows below.
  var headed = PacketRow()
  /// Offsets of headings that are not written yet.
  var headings: [Int] = []
  /// Rows with parts of messages, which are removed when the messages are printed.
  var parts: [PartRow] = []
  /// Key of the parts that the last row completes, if a message is made of it; 0 for none.
  var completing: UInt64 = 0
  /// The last row repeats others, and was not shown.
  var isLastRepeated = false
  /// The column in which a long line continues.
  var valueColumn = 0
  /// Labels of peers and attributes, valid until the tables' version changes.
  let labels = RenderedTextCache()
  /// Rendered actions with the labels of their attributes.
  let attributeActions = RenderedTextCache()
  var names: [Int32: String] = [:]
  private let peers = RenderedTextCache()
  var advertisement = Advertisement()
  /// Media packets of each connection since its stream was started; see ``count(media:)``.
  var figures: [Int32: MediaFigures] = [:]
  /// The last request for a HID device on each connection.
  var requests: [Int32: (frame: Int, type: HID.MessageType)] = [:]
  private var version = -1

  var style: Style { options.style }

  /// Prints to `out`, in pieces of about `chunk` bytes.
  public init(_ out: TextBuffer, _ options: Options = Options(), chunk: Int = 1 << 16) {
    self.out = out
    self.options = options
    self.chunk = chunk
    isFolding = options.isFolding && !options.isVerbose
    hasAir = options.air != nil
    columns = TimelineColumns(packets: nil, seconds: 0, options.time, options.style)
    usualColumn = columns.lead + 2
    below = TextMessages(out, options, columns)
    lineLead = LinePrefix(options.time)
    lineLead.begin(first: 0, columns)
  }

  /// Prints one line about the capture, and the heading.
  public func begin(_ facts: CaptureFacts) throws {
    first = facts.first ?? 0
    previous = first
    folded = FoldedRows()
    contents = AdvertisementContents()
    failures = []
    noteCounts = [:]
    hiddenFrame = 0
    discoveries = []
    repetitions = []
    lastRepetition = nil
    air = AirProgress()
    printedKeys = [UInt64](repeating: 0, count: 256)
    lastKey = 0
    previousValues = [:]
    figures = [:]
    requests = [:]
    headed = PacketRow()
    headings = []
    parts = []
    completing = 0
    names.removeAll()
    version = -1
    columns = TimelineColumns(
      packets: facts.packets, seconds: Int(clamping: ((facts.last ?? first) &- first) / 1_000_000), options.time, style)
    below = TextMessages(out, options, columns)
    lineLead.begin(first: first, columns)
    guard !options.isQuiet else { return }
    let start = out.count
    out.title(of: facts, style)
    if let packets = facts.packets {
      out.text(", ")
      out.decimal(packets)
      out.text(packets == 1 ? " packet" : " packets")
    }
    if let first = facts.first, facts.packets != 0 {
      if let last = facts.last {
        out.text(", ")
        clock.duration(last &- first, to: out)
      }
      clock.beginning(first, to: out)
    }
    endLine(start, indent: 2)
    if let air = options.air { airTitles(air) }
    out.byte(0x0A)
    out.paint(.dim, style)
    out.spaces(columns.frame - 1)
    out.byte(UInt8(ascii: "#"))
    out.spaces(columns.gap + columns.time - 4)
    out.text("time")
    out.spaces(columns.gap)
    if columns.peer > 0 {
      out.text("peer")
      out.spaces(columns.peer - 4 + columns.gap)
    }
    out.spaces(1 + columns.glyphGap)
    out.text("what")
    out.unpaint(.dim, style)
    out.byte(0x0A)
    try out.flush()
  }

  // MARK: Rows

  /// Prints a row, unless it is folded.
  public func packet(_ row: PacketRow, _ batch: RowBatch, isPart: Bool) throws {
    if hasAir, let air = options.air { unlogged(air, until: row.time, batch) }
    defer { if hasAir, let air = options.air { remark(air, row, batch) } }
    isLastRepeated = false
    if row.layer == .a2dp { count(media: row) }
    if completing != 0 { leaveParts() }
    if isFolding, fold(row, batch, isPart) { return }
    if batch.version != version { forget(batch) }
    if columns.peer == 0, needsHeading(row) { head(row, batch.tables) }
    let start = out.count
    let paint = paint(row, isPart)
    out.paint(paint, style)
    valueColumn = usualColumn
    if let glyph = lead(row) { peer(row, glyph, batch.tables) }
    what(row, batch)
    if style.width != nil { endRow(start, paint) } else { endPlainRow(start, paint) }
    if options.isVerbose { allFields(row, batch) }
    if options.showsBytes { dump(row, batch) }
    if isPart || !parts.isEmpty { remember(row, start, isPart) }
    previous = row.time
    if out.count >= chunk { try flush(batch) }
  }

  /// Whether a row is not shown, but counted or joined with others.
  @inline(__always)
  private func fold(_ row: PacketRow, _ batch: RowBatch, _ isPart: Bool) -> Bool {
    if let kind = reason(row, batch) {
      folded.add(kind)
      hiddenFrame = row.frame
      if kind == .discovery, row.meaning == .discovery || row.meaning == .discovered { gather(row) }
      return true
    }
    if !discoveries.isEmpty, row.layer == .att || row.meaning == .disconnected { endDiscoveries(with: row, batch.tables) }
    return repeats(row, batch, isPart: isPart)
  }

  @inline(__always)
  private func endPlainRow(_ start: Int, _ paint: Style.ColorRole) {
    out.trimEnd(from: start)
    out.unpaint(paint, style)
    out.byte(0x0A)
  }

  private func endRow(_ start: Int, _ paint: Style.ColorRole) {
    out.unpaint(paint, style)
    endLine(start, indent: valueColumn)
  }

  /// Whether the peer differs from that of the previous row. Advertisements contain their device.
  private func needsHeading(_ row: PacketRow) -> Bool {
    row.peer >= 0 && row.peer != headed.peer && row.flags.contains(.hasConnection) && row.meaning != .advertises && row.meaning != .noise
  }

  /// A heading, where the row needs one.
  func head(_ row: PacketRow, _ tables: ConversationTables) {
    guard needsHeading(row) else { return }
    headed = row
    headed.pdu = PDUBytes()
    headings.append(out.count)
    heading(row, tables)
  }

  /// Appends the description of a row, without frame, time and peer.
  func words(_ row: PacketRow, _ batch: RowBatch) {
    if batch.tables.version != version { forget(batch) }
    what(row, batch)
  }

  @inline(never)
  private func forget(_ batch: RowBatch) {
    version = batch.version
    labels.forget()
    attributeActions.forget()
    peers.forget()
  }

  private func paint(_ row: PacketRow, _ isPart: Bool) -> Style.ColorRole {
    if row.hasFailed { return .red }
    return switch row.meaning {
    case .connected, .encrypted: .green
    case .noise where isFolding: .plain
    case .noise, .discovery, .commandComplete: .dim
    default: isPart ? .dim : .plain
    }
  }

  /// Appends frame, time, peer, and direction of the packet. Where peer and direction are not cached, returns the glyph for ``peer(_:_:_:)``, which is
  /// to write them: only such rows need the tables.
  @inline(__always)
  func lead(_ row: PacketRow) -> LeadGlyph? {
    lineLead.write(row.frame, row.time, previous: previous, clock, to: out)
    let glyph = LeadGlyph(row)
    if columns.peer == 0 {
      out.spaces(columns.gap)
      append(glyph)
      return nil
    }
    return row.peer < 0 || !peers.write(row.peer &* 4 &+ glyph.rawValue, to: out) ? glyph : nil
  }

  /// The glyph between peer and description: the direction of a packet, or its failure.
  enum LeadGlyph: Int32 {
    case none, sent, received, failed

    @inline(__always)
    init(_ row: PacketRow) {
      if row.hasFailed {
        self = .failed
        return
      }
      if row.layer.isLocal {
        self = .none
        return
      }
      switch row.direction {
      case .sent, .central: self = .sent
      case .received, .peripheral: self = .received
      case .unknown: self = .none
      }
    }
  }

  /// Appends peer and glyph, and caches them.
  @inline(never)
  func peer(_ row: PacketRow, _ glyph: LeadGlyph, _ tables: ConversationTables) {
    let line = out.count
    peerColumn(row, tables)
    append(glyph)
    if row.peer >= 0 { peers.keep(row.peer &* 4 &+ glyph.rawValue, out, from: line) }
  }

  private func peerColumn(_ row: PacketRow, _ tables: ConversationTables) {
    out.spaces(columns.gap)
    let start = out.count
    let isName = peerName(row, tables)
    let used = isName ? out.columns(from: start) : out.count - start
    if used > columns.peer { out.fold(from: start, to: columns.peer, style) }
    out.spaces(columns.peer - min(used, columns.peer) + columns.gap)
  }

  /// Appends frame, time and peer of a row for several packets.
  func repeatedLead(_ row: PacketRow, _ tables: ConversationTables) {
    lineLead.write(row.frame, row.time, previous: previous, clock, to: out)
    if columns.peer > 0 { peerColumn(row, tables) } else { out.spaces(columns.gap) }
    out.glyph(.repeated, style)
    out.spaces(columns.glyphGap)
  }

  /// Appends the glyph between peer and description.
  private func append(_ glyph: LeadGlyph) {
    switch glyph {
    case .none: out.byte(0x20)
    case .sent: out.glyph(.sent, style)
    case .received: out.glyph(.received, style)
    case .failed: out.glyph(.failed, style)
    }
    out.spaces(columns.glyphGap)
  }

  /// Appends the peer of a row. Returns whether it is a name.
  func peerName(_ row: PacketRow, _ tables: ConversationTables) -> Bool {
    if row.peer >= 0 {
      let name = tables.name(of: row.peer)
      if name.isEmpty || options.isNumeric {
        out.address(tables.peers[Int(row.peer)].address)
      } else {
        out.untrusted(name, .terminal)
        return true
      }
    } else if row.meaning == .advertises || row.meaning == .noise, !row.flags.contains(.badCRC), let address = Advertisement.address(row) {
      out.address(address)
    } else if row.flags.contains(.hasConnection) {
      out.text("conn 0x")
      out.hex(UInt64(row.handle), digits: 4)
    } else if row.adapter != 0xFFFF, row.adapter != 0 {
      out.text("hci")
      out.unsigned(UInt64(row.adapter))
    }
    return false
  }

  /// Keeps the name that a profile gives to an attribute.
  public func attribute(_ attribute: ProfileAttribute) {
    names[attribute.index] = attribute.name
    labels.forget()
    attributeActions.forget()
  }

  /// Prints a message below the row that completed it.
  @_spi(Pipeline) public func message(_ message: ProfileMessage, _ row: PacketRow, _ batch: RowBatch) throws {
    // The message of a folded row is folded, too.
    if row.meaning == .noise, row.frame == hiddenFrame { return }
    if isLastRepeated { return }
    if completing != 0 { foldParts() }
    let begin = out.count
    below.message(message, row, batch)
    message.wrote(out.count - begin)
    // One packet can complete thousands of messages.
    if out.count >= chunk { try flush(batch) }
    valueWasDecoded()
  }

  /// The fields of messages that are printed.
  @_spi(Pipeline) public var wantsFields: ProfileEngine.Fields { .template }

  /// A renderer for the messages below the rows of the current capture, for use on another thread.
  public func makeMessageRenderer() -> (any MessageRenderer)? { TextMessages(TextBuffer(), options, columns) }

  /// Prints messages that another thread has rendered.
  public func rendered(_ text: BorrowedBytes, _ batch: RowBatch) throws {
    if isLastRepeated { return }
    if completing != 0 { foldParts() }
    out.append(text)
    if out.count >= chunk { try flush(batch) }
    valueWasDecoded()
  }

  /// Prints the numbers of folded rows, and how the capture ended.
  public func end(_ outcome: Outcome) throws {
    endDiscoveries(outcome.tables)
    interrupt(nil, outcome.tables)
    parts = []
    headings = []
    if let air = options.air { endAir(air, outcome.tables) }
    folded.add(.empty, outcome.withoutRow.empty)
    folded.add(.fragment, outcome.withoutRow.fragments)
    guard !options.isQuiet else { return }
    guard !folded.isEmpty else { return }
    out.byte(0x0A)
    let start = out.count
    out.paint(.dim, style)
    folded.write(to: out)
    out.unpaint(.dim, style)
    if let width = style.width { out.wrap(from: start, indent: 11, width: width) }
    out.byte(0x0A)
  }

  /// Prints a finding below the row it belongs to.
  public func finding(_ finding: Finding, _ batch: RowBatch) throws {
    if !repetitions.isEmpty { interrupt(nil, batch) }
    // A row with a finding is not removed: the finding is below it.
    if let last = parts.last, last.range.upperBound == out.count { parts.removeLast() }
    let start = out.count
    let paint: Style.ColorRole = finding.severity.paint
    out.paint(paint, style)
    out.spaces(columns.frame - TimelineColumns.digits(finding.frame))
    out.decimal(finding.frame)
    out.spaces(columns.indent - columns.frame)
    out.glyph(.warning, style)
    out.spaces(columns.glyphGap)
    out.text(finding.severity.text)
    out.text(": ")
    finding.explain(to: out, batch.tables, style, names: names)
    finding.advise(to: out)
    out.unpaint(paint, style)
    // The advice is wrapped and never cut.
    if let width = style.width { out.wrap(from: start, indent: columns.lead + 2, width: width) }
    out.byte(0x0A)
    // Rows that are not shown can have findings, too.
    if out.count >= chunk { try flush(batch) }
  }

  /// Writes the buffered text, except rows before which others can still be inserted.
  public func flush() throws { try flushFinal() }

  /// Writes the buffered text. If it has become long, rows that are held back are printed first.
  private func flush(_ batch: RowBatch) throws {
    if out.count / 4 >= chunk {
      endDiscoveries(batch.tables)
      interrupt(nil, batch.tables)
      parts = []
    }
    try flushFinal()
  }

  // MARK: Below a row

  private func allFields(_ row: PacketRow, _ batch: RowBatch) {
    let start = out.count
    if let radio = RadioFacts(row, batch) {
      out.spaces(columns.lead)
      out.paint(.dim, style)
      out.text("radio ")
      out.unpaint(.dim, style)
      out.radio(radio)
      out.byte(0x0A)
    }
    var fields = FieldLines(out, style: style, row.layer, indent: columns.lead, title: Dissection.name(row))
    Dissection.walk(row, &fields)
    if let width = style.width { out.wrap(from: start, indent: nil, width: width) }
  }

  /// Prints the bytes of a packet, sixteen or eight per line, in hex and as text.
  private func dump(_ row: PacketRow, _ batch: RowBatch) {
    let bytes: BorrowedBytes
    if unsafe row.flags.contains(.joined) || Int(row.record) >= batch.packets.records.count {
      bytes = row.pdu
    } else {
      bytes = unsafe BorrowedBytes(batch.packets.payload(batch.packets.records[Int(row.record)]))
    }
    // The number of the first byte, two digits, a space and a character for each.
    let step = style.width.map { columns.frame + columns.gap + 7 + 16 * 4 <= $0 } ?? true ? 16 : 8
    var at = 0
    while at < bytes.count {
      let count = min(step, bytes.count - at)
      out.spaces(columns.frame + columns.gap)
      out.paint(.dim, style)
      out.hex(UInt64(at), digits: 4)
      out.text("  ")
      unsafe out.spacedHex(bytes.start + at, count)
      out.spaces((step - count) * 3 + 2)
      for index in at..<(at + count) { out.byte((0x20...0x7E).contains(bytes[index]) ? bytes[index] : UInt8(ascii: ".")) }
      out.unpaint(.dim, style)
      out.byte(0x0A)
      at += step
    }
  }
}
