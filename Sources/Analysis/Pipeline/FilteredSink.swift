import Bluetooth
import Captures
import Conversations
@_spi(Pipeline) import Profiles

/// Passes packets that match a filter to another sink, with all of their rows, messages and findings.
public final class FilteredSink<Sink: EventSink>: EventSink {
  private let sink: Sink
  private let evaluator: FilterEvaluator
  private let source: any PacketSource
  private var cursor = FrameCursor()
  /// The last packet, and whether it passed; nil while a message may still decide it.
  private var frame = 0
  private var isPassed: Bool? = false
  /// Its rows, while the result is open.
  private var held: [(row: PacketRow, isPart: Bool)] = []
  private var hasMessage = false
  /// The batch after which the evaluator's interfaces were last updated.
  private weak var seen: RowBatch?
  private var waiting: [Finding] = []

  /// Passes the packets of `source` that match `filter` to `sink`.
  public init(_ sink: Sink, _ filter: Filter, _ source: any PacketSource) {
    self.sink = sink
    self.source = source
    evaluator = FilterEvaluator(filter)
  }

  /// A capture starts.
  public func begin(_ facts: CaptureFacts) throws {
    evaluator.attend(source)
    try sink.begin(facts)
  }

  /// Evaluates a row with the other rows of its packet.
  public func packet(_ row: PacketRow, _ batch: RowBatch, isPart: Bool) throws {
    if let rows = cursor.begins(row, batch) {
      try decide(batch)
      judge(row, rows, batch)
      try emitWaiting(batch)
    }
    switch isPassed {
    case .some(let isPassed): if isPassed { try sink.packet(row, batch, isPart: isPart) }
    case nil: held.append((row, isPart))
    }
  }

  private func judge(_ row: PacketRow, _ rows: Range<Int>, _ batch: RowBatch) {
    frame = row.frame
    if seen !== batch {
      seen = batch
      evaluator.attend(source)
    }
    let record = unsafe Int(row.record) < batch.packets.records.count ? batch.packets.records[Int(row.record)] : PacketRecord()
    unsafe batch.rows.withUnsafeBufferPointer { all in
      let rows = unsafe UnsafeBufferPointer(rebasing: all[rows])
      if evaluator.usesMessages {
        unsafe evaluator.begin(record, rows, batch)
        isPassed = nil
        hasMessage = false
      } else {
        isPassed = unsafe evaluator.passes(record, rows, batch)
      }
    }
  }

  /// Passes on the findings that came before the packet's rows, if it passed.
  private func emitWaiting(_ batch: RowBatch) throws {
    guard let isPassed else { return }
    for finding in waiting where isPassed && finding.frame == frame { try sink.finding(finding, batch) }
    waiting.removeAll(keepingCapacity: true)
  }

  /// Evaluates a packet without a message if no message decided it.
  private func decide(_ batch: RowBatch) throws {
    guard isPassed == nil else { return }
    try pass(hasMessage ? false : evaluator.judge(nil), batch)
  }

  private func pass(_ result: Bool, _ batch: RowBatch) throws {
    isPassed = result
    evaluator.end(result)
    try emitWaiting(batch)
    if result { for packet in held { try sink.packet(packet.row, batch, isPart: packet.isPart) } }
    held.removeAll(keepingCapacity: true)
  }

  /// Attributes are passed on regardless of the filter.
  public func attribute(_ attribute: ProfileAttribute) { sink.attribute(attribute) }

  /// Evaluates a message with its packet.
  @_spi(Pipeline) public func message(_ message: ProfileMessage, _ row: PacketRow, _ batch: RowBatch) throws {
    if isPassed == nil {
      hasMessage = true
      if evaluator.judge(message) { try pass(true, batch) }
    }
    if isPassed == true, row.frame == frame { try sink.message(message, row, batch) }
  }

  /// Decides open packets, because their bytes are overwritten soon.
  public func batchDidEnd(_ batch: RowBatch) throws {
    try decide(batch)
    try sink.batchDidEnd(batch)
  }

  /// Passes a finding on with its packet.
  public func finding(_ finding: Finding, _ batch: RowBatch) throws {
    // A finding comes before or after the rows of its packet; one before them waits for the result.
    if finding.frame == frame, let isPassed {
      if isPassed { try sink.finding(finding, batch) }
    } else {
      waiting.append(finding)
    }
  }

  /// Makes the sink's output so far visible.
  public func flush() throws { try sink.flush() }

  /// Adds the number of ``unjudged`` packets to the outcome.
  public func end(_ outcome: Outcome) throws {
    var outcome = outcome
    outcome.unjudged = evaluator.unjudged
    try sink.end(outcome)
  }

  /// Packets that did not pass, but might have if the capture had kept all of their bytes.
  public var unjudged: Int { evaluator.unjudged }
}
