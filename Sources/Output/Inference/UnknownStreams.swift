@_spi(Pipeline) import Analysis
import Bluetooth
import Captures
import Conversations
import Inference
@_spi(Pipeline) import Profiles
import Memory
import Text

/// Passes a capture on to another sink, and keeps the first values of sources that no profile decodes, to describe their format.
///
/// The cost is bounded: a few hundred values are kept of each stream, and only the largest streams are analyzed.
public final class UnknownStreams<Sink: EventSink>: EventSink {
  private let sink: Sink
  private let collector = ValueCollector(limits: ValueCollector.Limits()) { source in
    guard source.section != .advertisements else { return false }
    // A characteristic with a UUID of the SIG is no unknown protocol.
    return source.uuid.map { $0.count > 4 || !$0.hasPrefix("2") } ?? true
  }

  /// Passes everything on to `sink`.
  public init(_ sink: Sink) { self.sink = sink }

  /// The fields that the other sink wants.
  @_spi(Pipeline) public var wantsFields: ProfileEngine.Fields { sink.wantsFields }

  /// A capture starts.
  public func begin(_ facts: CaptureFacts) throws {
    collector.begin(facts)
    try sink.begin(facts)
  }

  /// A profile names an attribute.
  public func attribute(_ attribute: ProfileAttribute) {
    collector.attribute(attribute)
    sink.attribute(attribute)
  }

  /// Passes a row on.
  public func packet(_ row: PacketRow, _ batch: RowBatch, isPart: Bool) throws { try sink.packet(row, batch, isPart: isPart) }

  /// Passes a message on. Those of channels show which ones a profile decodes; which attributes it decodes, ``attribute(_:)`` reports.
  @_spi(Pipeline) public func message(_ message: ProfileMessage, _ row: PacketRow, _ batch: RowBatch) throws {
    if row.attribute < 0, message.direction != .advertise { collector.message(message, row, batch) }
    try sink.message(message, row, batch)
  }

  /// The message renderer of the other sink.
  public func makeMessageRenderer() -> (any MessageRenderer)? { sink.makeMessageRenderer() }

  /// Passes on messages that its renderer wrote.
  public func rendered(_ text: BorrowedBytes, _ batch: RowBatch) throws { try sink.rendered(text, batch) }

  /// A finding.
  public func finding(_ finding: Finding, _ batch: RowBatch) throws { try sink.finding(finding, batch) }

  /// The rows of a batch were emitted.
  public func batchDidEnd(_ batch: RowBatch) throws {
    collector.batchDidEnd(batch)
    try sink.batchDidEnd(batch)
  }

  /// Flushes the other sink.
  public func flush() throws { try sink.flush() }

  /// The capture ended.
  public func end(_ outcome: Outcome) throws {
    collector.end(outcome)
    try sink.end(outcome)
  }

  /// A description of each unknown stream: its device, its source, and a sentence; the largest first.
  public func lines() -> [UnknownStreamLine] {
    let streams = collector.found(minimum: 8).sorted { $0.byteCount > $1.byteCount }.prefix(8)
    var context = collector.context
    context.isBrief = true
    return Inference.run(Array(streams), context).map(UnknownStreamLine.init)
  }
}

/// The description of a stream of values in one line.
public struct UnknownStreamLine: Sendable {
  /// The device's name, or its address.
  public var peer: String
  /// The attribute or channel, and the direction.
  public var source: String
  /// The description of its values.
  public var text: String
  /// The options of `btscribe infer` that select it.
  public var option: String

  init(_ findings: StreamFindings) {
    peer = findings.source.peerName ?? findings.source.peer ?? ""
    source = "\(findings.source.label) \(findings.source.direction)"
    option = findings.source.handle.map { " -c 0x" + String(hex: UInt($0), digits: 4) } ?? ""
    text = InferenceFacts.brief(findings)
  }
}

/// The lines of a summary about unknown protocols.
public struct UnknownStreamText {
  private let out: TextBuffer
  private let style: Style

  /// Prints to `out`.
  public init(_ out: TextBuffer, style: Style) {
    self.out = out
    self.style = style
  }

  /// Prints the descriptions of unknown streams and the next command; nothing where there are none. `capture` is the file as the user named it.
  public func print(_ lines: [UnknownStreamLine], capture: String) {
    guard !lines.isEmpty else { return }
    out.byte(0x0A)
    out.paint(.bold, style)
    out.string("Unknown protocols  \(lines.count)")
    out.unpaint(.bold, style)
    out.byte(0x0A)
    for line in lines {
      let start = out.count
      out.text("  ")
      out.untrusted(Array(line.source.utf8), .terminal)
      if !line.peer.isEmpty {
        out.text("  ")
        out.untrusted(Array(line.peer.utf8), .terminal)
      }
      out.text("  ")
      out.untrusted(Array(line.text.utf8), .terminal)
      out.wrap(from: start, indent: 10, style)
      out.byte(0x0A)
    }
    out.paint(.dim, style)
    out.text("  to go on: btscribe infer ")
    out.untrusted(Array(capture.utf8), .terminal)
    if lines.count == 1 { out.string(lines[0].option) }
    out.unpaint(.dim, style)
    out.byte(0x0A)
  }
}
