import Captures
import Conversations
import Profiles

/// Stands before a printer and lets through what a filter passes: packets with all of their rows, and the findings on them.
final class FilteredPrinter<Printer: RowPrinter>: RowPrinter {
  private let printer: Printer
  private let evaluator: FilterEvaluator
  private let source: any PacketSource
  private var cursor = FrameCursor()
  /// The packet at hand, and whether it passed.
  private var frame = 0
  private var isPassed = false
  /// The batch whose interfaces are known.
  private weak var seen: RowBatch?
  private var waiting: [Finding] = []

  init(_ printer: Printer, _ filter: Filter, _ source: any PacketSource) {
    self.printer = printer
    self.source = source
    evaluator = FilterEvaluator(filter)
  }

  func begin(_ facts: CaptureFacts) throws {
    evaluator.attend(source)
    try printer.begin(facts)
  }

  func packet(_ row: PacketRow, _ batch: RowBatch, isPart: Bool) throws {
    if let rows = cursor.begins(row, batch) {
      judge(row, rows, batch)
      for finding in waiting where isPassed && finding.frame == frame { try printer.finding(finding, batch) }
      waiting.removeAll(keepingCapacity: true)
    }
    if isPassed { try printer.packet(row, batch, isPart: isPart) }
  }

  func named(_ attribute: Int32, _ name: String) { printer.named(attribute, name) }

  func message(_ message: Message, _ row: PacketRow, _ batch: RowBatch) throws {
    if isPassed, row.frame == frame { try printer.message(message, row, batch) }
  }

  private func judge(_ row: PacketRow, _ rows: Range<Int>, _ batch: RowBatch) {
    frame = row.frame
    if seen !== batch {
      seen = batch
      evaluator.attend(source)
    }
    let record = Int(row.record) < batch.packets.records.count ? batch.packets.records[Int(row.record)] : PacketRecord()
    isPassed = batch.rows.withUnsafeBufferPointer { evaluator.passes(record, UnsafeBufferPointer(rebasing: $0[rows]), batch) }
  }

  func finding(_ finding: Finding, _ batch: RowBatch) throws {
    // A finding stands before or behind the rows of its packet; one before them waits for the verdict.
    if finding.frame != frame {
      waiting.append(finding)
    } else if isPassed {
      try printer.finding(finding, batch)
    }
  }

  func flush() throws { try printer.flush() }

  func end(_ outcome: Outcome) throws {
    var outcome = outcome
    outcome.unjudged = evaluator.unjudged
    try printer.end(outcome)
  }

  /// Packets that did not pass, and of which the capture kept too little to be sure.
  var unjudged: Int { evaluator.unjudged }
}
