import Bluetooth
import Captures
import Conversations
@_spi(Pipeline) import Profiles
import Analysis
import Text

/// The timeline for people: one line a packet, aligned, what went wrong in red.
public final class TextPrinter: EventSink {
  /// What shall be shown.
  public struct Options: Sendable {
    /// How times are shown.
    public var time: TimeFormat = .r
    /// The bytes of each packet below its line.
    public var showsBytes = false
    /// All fields below each line, and what is otherwise folded.
    public var isVerbose = false
    /// What keeps a link going is counted instead of shown.
    public var isFolding = true
    /// Numbers instead of names.
    public var isNumeric = false
    /// Nothing but rows.
    public var isQuiet = false
    /// Look.
    public var style = Style()

    /// The timeline as it is meant to be.
    public init() {}
  }

  let out: TextBuffer
  let options: Options
  let clock = Clock()
  private var first: Int64 = 0
  private var previous: Int64 = 0
  private var frameWidth = 5
  private var timeWidth = 10
  private let chunk: Int
  private let lineLead: LinePrefix
  private var below: TextMessages
  /// What was folded: completed packets, repeated advertisements, commands that went well.
  private var folded = (completed: 0, advertisements: 0, commands: 0, diagnostics: 0, repeats: 0)
  private static let peerWidth = 17
  /// Peers and attributes as the lines have them, as long as the tables say the same of them.
  let labels = RenderedTextCache()
  /// What is done with an attribute, and its label.
  let deeds = RenderedTextCache()
  var names: [Int32: String] = [:]
  private let peers = RenderedTextCache()
  var advertisement = Advertisement()
  private var version = -1

  var style: Style { options.style }

  /// Prints to `out`, in pieces of about `chunk` bytes.
  public init(_ out: TextBuffer, _ options: Options = Options(), chunk: Int = 1 << 16) {
    self.out = out
    self.options = options
    self.chunk = chunk
    below = TextMessages(out, options, indent: 0)
    lineLead = LinePrefix(options.time)
    lineLead.begin(first: 0, frameWidth: frameWidth, timeWidth: timeWidth)
  }

  /// Prints one line about the capture, and the heading.
  public func begin(_ facts: CaptureFacts) throws {
    first = facts.first ?? 0
    previous = first
    folded = (0, 0, 0, 0, 0)
    names.removeAll()
    version = -1
    frameWidth = max(5, facts.packets.map { digits($0) } ?? 5)
    if let last = facts.last, options.time == .r { timeWidth = max(10, digits(Int(clamping: (last &- first) / 1_000_000)) + 7) }
    switch options.time {
    case .r, .d: break
    case .e: timeWidth = 17
    case .a, .u: timeWidth = 15
    case .ad, .ud: timeWidth = 26
    }
    below = TextMessages(out, options, indent: indent)
    lineLead.begin(first: first, frameWidth: frameWidth, timeWidth: timeWidth)
    guard !options.isQuiet else { return }
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
      out.text(" from ")
      clock.dateAndTime(first, to: out)
      out.text(" UTC")
    }
    out.text("\n\n")
    out.paint(.dim, style)
    out.firstHeads(frameWidth, timeWidth)
    out.spaces(Self.peerWidth - 4 + 6)
    out.text("what")
    out.unpaint(.dim, style)
    out.byte(0x0A)
    try out.flush()
  }

  private func digits(_ number: Int) -> Int {
    var digits = 1
    var rest = number / 10
    while rest > 0 {
      digits += 1
      rest /= 10
    }
    return digits
  }

  // MARK: Rows

  /// Prints a row, unless it is noise.
  public func packet(_ row: PacketRow, _ batch: RowBatch, isPart: Bool) throws {
    if options.isFolding, !options.isVerbose, row.isNoise {
      fold(row)
      return
    }
    if batch.version != version { forget(batch) }
    let start = out.count
    let paint = paint(row, isPart)
    out.paint(paint, style)
    lead(row, batch)
    what(row, batch)
    if let width = style.width { out.fold(from: start, to: width, style) }
    out.unpaint(paint, style)
    out.byte(0x0A)
    if options.isVerbose { allFields(row, batch) }
    if options.showsBytes { dump(row, batch) }
    previous = row.time
    if out.count >= chunk { try out.flush() }
  }

  /// Appends what a row says, without frame, time and peer.
  func words(_ row: PacketRow, _ batch: RowBatch) {
    if batch.tables.version != version { forget(batch) }
    what(row, batch)
  }

  @inline(never)
  private func forget(_ batch: RowBatch) {
    version = batch.version
    labels.forget()
    deeds.forget()
    peers.forget()
  }

  private func fold(_ row: PacketRow) {
    switch (row.layer, row.eventCode) {
    case (.hciEvent, .numberOfCompletedPackets): folded.completed += 1
    case (.hciEvent, .leMeta): folded.advertisements += 1
    case (.vendor, _): folded.diagnostics += 1
    case (.advertisingPDU, _): folded.advertisements += 1
    case (.linkLayer, _): folded.repeats += 1
    default: folded.commands += 1
    }
  }

  private func paint(_ row: PacketRow, _ isPart: Bool) -> Style.Paint {
    switch row.meaning {
    case .refused, .connectionFailed, .encryptionFailed, .pairingFailed, .commandFailed: .red
    case .connected, .encrypted: .green
    case .noise, .discovery, .commandDone: .dim
    default: isPart ? .dim : .plain
    }
  }

  /// Frame, time, peer, and which way the packet went.
  @inline(__always)
  private func lead(_ row: PacketRow, _ batch: RowBatch) {
    lineLead.write(row.frame, row.time, previous: previous, clock, to: out)
    let mark = Mark(row)
    if row.peer < 0 || !peers.write(row.peer &* 4 &+ mark.rawValue, to: out) { peer(row, mark, batch) }
  }

  /// The sign between peer and words.
  private enum Mark: Int32 {
    case none, sent, received, failed

    @inline(__always)
    init(_ row: PacketRow) {
      switch row.meaning {
      case .refused, .connectionFailed, .commandFailed, .encryptionFailed, .pairingFailed: self = .failed
      default:
        switch row.layer {
        case .hciCommand, .hciEvent, .monitor, .management, .note: self = .none
        default:
          switch row.direction {
          case .sent, .central: self = .sent
          case .received, .peripheral: self = .received
          case .unknown: self = .none
          }
        }
      }
    }
  }

  @inline(never)
  private func peer(_ row: PacketRow, _ mark: Mark, _ batch: RowBatch) {
    let line = out.count
    out.text("  ")
    let start = out.count
    var isName = false
    if row.peer >= 0 {
      let name = batch.tables.name(of: row.peer)
      if name.isEmpty || options.isNumeric {
        out.address(batch.tables.peers[Int(row.peer)].address)
      } else {
        out.untrusted(name, .terminal)
        isName = true
      }
    } else if row.meaning == .advertises || row.meaning == .noise, let address = Advertisement.address(row) {
      out.address(address)
    } else if row.flags.contains(.hasConnection) {
      out.text("conn 0x")
      out.hex(UInt64(row.handle), digits: 4)
    } else if row.adapter != 0xFFFF, row.adapter != 0 {
      out.text("hci")
      out.unsigned(UInt64(row.adapter))
    }
    let used = isName ? out.columns(from: start) : out.count - start
    if used > Self.peerWidth { out.fold(from: start, to: Self.peerWidth, style) }
    out.spaces(Self.peerWidth - min(used, Self.peerWidth) + 2)
    switch mark {
    case .none: out.byte(0x20)
    case .sent: out.glyph(.sent, style)
    case .received: out.glyph(.received, style)
    case .failed: out.glyph(.failed, style)
    }
    out.text("   ")
    if row.peer >= 0 { peers.keep(row.peer &* 4 &+ mark.rawValue, out, from: line) }
  }

  /// Takes over a profile's word for an attribute.
  public func attribute(_ attribute: ProfileAttribute) {
    names[attribute.index] = attribute.name
    labels.forget()
    deeds.forget()
  }

  /// Prints a message below the row that completed it.
  @_spi(Pipeline) public func message(_ message: ProfileMessage, _ row: PacketRow, _ batch: RowBatch) throws {
    below.message(message, row, batch)
  }

  /// Messages are told in words.
  @_spi(Pipeline) public var wantsFields: ProfileEngine.Fields { .said }

  /// Who prints messages below the rows of the capture that has begun, on another thread.
  public func makeMessageRenderer() -> (any MessageRenderer)? { TextMessages(TextBuffer(), options, indent: indent) }

  /// Prints messages that another thread has put into words.
  public func rendered(_ text: UnsafeRawBufferPointer) throws { unsafe out.append(text) }

  /// Counts what was folded, and says how the capture ended.
  public func end(_ outcome: Outcome) throws {
    guard !options.isQuiet else { return }
    var parts: [(Int, StaticString, StaticString)] = []
    parts.append((folded.advertisements, "repeated advertisement", "repeated advertisements"))
    parts.append((folded.completed, "completed-packets event", "completed-packets events"))
    parts.append((folded.commands, "command acknowledgement", "command acknowledgements"))
    parts.append((folded.diagnostics, "vendor diagnostic", "vendor diagnostics"))
    parts.append((folded.repeats, "repeated Link Layer packet", "repeated Link Layer packets"))
    parts.removeAll { $0.0 == 0 }
    guard !parts.isEmpty else { return }
    out.byte(0x0A)
    out.paint(.dim, style)
    out.text("not shown: ")
    for (index, part) in parts.enumerated() {
      if index > 0 { out.text(", ") }
      out.decimal(part.0)
      out.byte(0x20)
      out.text(part.0 == 1 ? part.1 : part.2)
    }
    out.text(" (-V shows them)")
    out.unpaint(.dim, style)
    out.byte(0x0A)
  }

  /// Prints a finding below the row it belongs to.
  public func finding(_ finding: Finding, _ batch: RowBatch) throws {
    let start = out.count
    let paint: Style.Paint = finding.severity.paint
    out.paint(paint, style)
    out.spaces(frameWidth - digits(finding.frame))
    out.decimal(finding.frame)
    out.spaces(2 + timeWidth + 2 + Self.peerWidth + 2)
    out.glyph(.warning, style)
    out.text("   ")
    out.text(finding.severity.text)
    out.text(": ")
    finding.explain(to: out, batch.tables, style, names: names)
    finding.advise(to: out)
    if let width = style.width { out.fold(from: start, to: width, style) }
    out.unpaint(paint, style)
    out.byte(0x0A)
  }

  /// Writes what was gathered.
  public func flush() throws { try out.flush() }

  // MARK: Below a row

  /// Columns before what stands below a row.
  var indent: Int { frameWidth + 2 + timeWidth + 2 + Self.peerWidth + 2 }

  private func allFields(_ row: PacketRow, _ batch: RowBatch) {
    var fields = FieldLines(out, style: style, indent: indent + 4, title: Dissection.name(row))
    Dissection.walk(row, &fields)
  }

  /// The bytes of a packet, sixteen a line, with what they are as text.
  private func dump(_ row: PacketRow, _ batch: RowBatch) {
    let bytes: UnsafeRawBufferPointer
    if unsafe row.flags.contains(.joined) || Int(row.record) >= batch.packets.records.count {
      unsafe bytes = unsafe row.pdu.buffer
    } else {
      unsafe bytes = unsafe batch.packets.payload(batch.packets.records[Int(row.record)])
    }
    guard let base = bytes.baseAddress else { return }
    var at = 0
    while at < bytes.count {
      let count = min(16, bytes.count - at)
      out.spaces(frameWidth + 2)
      out.paint(.dim, style)
      out.hex(UInt64(at), digits: 4)
      out.text("  ")
      unsafe out.spacedHex(base + at, count)
      out.spaces((16 - count) * 3 + 2)
      for place in at..<(at + count) { unsafe out.byte((0x20...0x7E).contains(bytes[place]) ? bytes[place] : UInt8(ascii: ".")) }
      out.unpaint(.dim, style)
      out.byte(0x0A)
      at += 16
    }
  }
}
