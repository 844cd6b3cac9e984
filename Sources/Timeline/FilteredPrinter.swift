import Bluetooth
import Captures
import Conversations
import Profiles

/// Stands before a printer and lets through what a filter passes: packets with all of their rows, their messages, and the findings on them.
public final class FilteredPrinter<Printer: RowPrinter>: RowPrinter {
  private let printer: Printer
  private let evaluator: FilterEvaluator
  private let source: any PacketSource
  private var cursor = FrameCursor()
  /// The packet at hand, and whether it passed; nil while a message may still decide.
  private var frame = 0
  private var isPassed: Bool? = false
  /// Its rows, as long as they wait for the verdict.
  private var held: [(row: PacketRow, isPart: Bool)] = []
  private var hasMessage = false
  /// The batch whose interfaces are known.
  private weak var seen: RowBatch?
  private var waiting: [Finding] = []

  /// Lets through to `printer` what `filter` passes of `source`.
  public init(_ printer: Printer, _ filter: Filter, _ source: any PacketSource) {
    self.printer = printer
    self.source = source
    evaluator = FilterEvaluator(filter)
  }

  /// Takes the start of a capture.
  public func begin(_ facts: CaptureFacts) throws {
    evaluator.attend(source)
    try printer.begin(facts)
  }

  /// Judges a row with the other rows of its packet.
  public func packet(_ row: PacketRow, _ batch: RowBatch, isPart: Bool) throws {
    if let rows = cursor.begins(row, batch) {
      try decide(batch)
      judge(row, rows, batch)
      try told(batch)
    }
    switch isPassed {
    case .some(let isPassed): if isPassed { try printer.packet(row, batch, isPart: isPart) }
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

  /// Prints the findings that came before the packet's rows, where it passed.
  private func told(_ batch: RowBatch) throws {
    guard let isPassed else { return }
    for finding in waiting where isPassed && finding.frame == frame { try printer.finding(finding, batch) }
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
    try told(batch)
    if result { for one in held { try printer.packet(one.row, batch, isPart: one.isPart) } }
    held.removeAll(keepingCapacity: true)
  }

  /// Names are for all.
  public func named(_ attribute: Int32, _ name: String) { printer.named(attribute, name) }

  /// What profiles tell of attributes is for all.
  public func identified(_ attribute: Int32, _ uuid: Bluetooth.BluetoothUUID) { printer.identified(attribute, uuid) }

  /// Judges a message with its packet.
  public func message(_ message: Message, _ row: PacketRow, _ batch: RowBatch) throws {
    if isPassed == nil {
      hasMessage = true
      if evaluator.judge(message) { try pass(true, batch) }
    }
    if isPassed == true, row.frame == frame { try printer.message(message, row, batch) }
  }

  /// What waits is decided, as its bytes go.
  public func settle(_ batch: RowBatch) throws {
    try decide(batch)
    try printer.settle(batch)
  }

  /// Passes a finding with its packet.
  public func finding(_ finding: Finding, _ batch: RowBatch) throws {
    // A finding stands before or behind the rows of its packet; one before them waits for the verdict.
    if finding.frame == frame, let isPassed {
      if isPassed { try printer.finding(finding, batch) }
    } else {
      waiting.append(finding)
    }
  }

  /// Passes on.
  public func flush() throws { try printer.flush() }

  /// Passes on.
  public func end(_ outcome: Outcome) throws {
    var outcome = outcome
    outcome.unjudged = evaluator.unjudged
    try printer.end(outcome)
  }

  /// Packets that did not pass, and of which the capture kept too little to be sure.
  public var unjudged: Int { evaluator.unjudged }
}
