import Bluetooth
import Captures
import Conversations
@_spi(Pipeline) import Profiles

/// Hands on to another sink what a filter passes: packets with all of their rows, their messages, and the findings on them.
public final class FilteredSink<Sink: EventSink>: EventSink {
  private let sink: Sink
  private let evaluator: FilterEvaluator
  private let source: any PacketSource
  private var cursor = FrameCursor()
  /// The last packet, and whether it passed; nil while a message may still decide.
  private var frame = 0
  private var isPassed: Bool? = false
  /// Its rows, as long as they wait for the verdict.
  private var held: [(row: PacketRow, isPart: Bool)] = []
  private var hasMessage = false
  /// The batch whose interfaces the evaluator knows.
  private weak var seen: RowBatch?
  private var waiting: [Finding] = []

  /// Hands on to `sink` what `filter` passes of `source`.
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

  /// Judges a row with the other rows of its packet.
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

  /// Hands on the findings that came before the packet's rows, where it passed.
  private func emitWaiting(_ batch: RowBatch) throws {
    guard let isPassed else { return }
    for finding in waiting where isPassed && finding.frame == frame { try sink.finding(finding, batch) }
    waiting.removeAll(keepingCapacity: true)
  }

  /// A packet that no message decided on is judged without one.
  private func decide(_ batch: RowBatch) throws {
    guard isPassed == nil else { return }
    try pass(hasMessage ? false : evaluator.judge(nil), batch)
  }

  private func pass(_ result: Bool, _ batch: RowBatch) throws {
    isPassed = result
    evaluator.end(result)
    try emitWaiting(batch)
    if result { for one in held { try sink.packet(one.row, batch, isPart: one.isPart) } }
    held.removeAll(keepingCapacity: true)
  }

  /// Attributes are handed on whether or not their packets pass.
  public func attribute(_ attribute: ProfileAttribute) { sink.attribute(attribute) }

  /// Judges a message with its packet.
  @_spi(Pipeline) public func message(_ message: ProfileMessage, _ row: PacketRow, _ batch: RowBatch) throws {
    if isPassed == nil {
      hasMessage = true
      if evaluator.judge(message) { try pass(true, batch) }
    }
    if isPassed == true, row.frame == frame { try sink.message(message, row, batch) }
  }

  /// Decides what still waits, as its bytes are overwritten soon.
  public func batchDidEnd(_ batch: RowBatch) throws {
    try decide(batch)
    try sink.batchDidEnd(batch)
  }

  /// Hands on a finding with its packet.
  public func finding(_ finding: Finding, _ batch: RowBatch) throws {
    // A finding stands before or behind the rows of its packet; one before them waits for the verdict.
    if finding.frame == frame, let isPassed {
      if isPassed { try sink.finding(finding, batch) }
    } else {
      waiting.append(finding)
    }
  }

  /// Hands on.
  public func flush() throws { try sink.flush() }

  /// Hands on.
  public func end(_ outcome: Outcome) throws {
    var outcome = outcome
    outcome.unjudged = evaluator.unjudged
    try sink.end(outcome)
  }

  /// Packets that did not pass, and of which the capture kept too little to be sure.
  public var unjudged: Int { evaluator.unjudged }
}
