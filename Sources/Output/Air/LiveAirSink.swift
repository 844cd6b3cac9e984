@_spi(Pipeline) import Analysis
import BothSides
import Conversations
@_spi(Pipeline) import Profiles

/// A printer that tells what sniffers heard while rows still come.
public protocol AirPrinter: EventSink {
  /// Tells what has become known of packets whose rows were printed before; only of those that pass.
  func joined(_ join: LiveAirSide.Join, _ tables: Tables, passes: (Int) -> Bool)
  /// Tells what all captures have in common, behind the last row.
  func ended(_ side: AirSide)
}

/// Hands a live timeline on to a printer, with what sniffers heard as it becomes known.
public final class LiveAirSink<Printer: AirPrinter>: EventSink {
  private let printer: Printer
  private let live: LiveAirSide
  /// Rows of fragments are there for the comparison only.
  private let dropsParts: Bool
  private let isFiltered: Bool
  private let waits: () -> Bool
  private var parts = 0
  /// Packets that passed a filter, the last of them.
  private var passed: Set<Int> = []
  private static var maxPassed: Int { 1 << 20 }

  /// Prints with `printer` what `live` compares. With `dropsParts` packets that complete no PDU have no rows. `isFiltered` says that only
  /// some packets come. At the end `waits` is called until it returns false: it waits a moment for what sniffers have still to tell.
  public init(_ printer: Printer, _ live: LiveAirSide, dropsParts: Bool, isFiltered: Bool, waits: @escaping () -> Bool) {
    self.printer = printer
    self.live = live
    self.dropsParts = dropsParts
    self.isFiltered = isFiltered
    self.waits = waits
  }

  /// Those of the printer.
  @_spi(Pipeline) public var wantsFields: ProfileEngine.Fields { printer.wantsFields }

  /// Hands on.
  public func begin(_ facts: CaptureFacts) throws { try printer.begin(facts) }
  /// Hands on.
  public func attribute(_ attribute: ProfileAttribute) { printer.attribute(attribute) }

  /// Hands on rows, and remembers which packets they are of.
  public func packet(_ row: PacketRow, _ batch: RowBatch, isPart: Bool) throws {
    if isFiltered {
      if passed.count >= Self.maxPassed { passed = passed.filter { $0 > row.frame - Self.maxPassed / 2 } }
      passed.insert(row.frame)
    }
    if dropsParts, row.flags.contains(.part) {
      parts += 1
      return
    }
    try printer.packet(row, batch, isPart: isPart)
  }

  /// Hands on.
  @_spi(Pipeline) public func message(_ message: ProfileMessage, _ row: PacketRow, _ batch: RowBatch) throws {
    try printer.message(message, row, batch)
  }

  /// Hands on.
  public func finding(_ finding: Finding, _ batch: RowBatch) throws { try printer.finding(finding, batch) }

  /// Tells what has become known.
  public func batchDidEnd(_ batch: RowBatch) throws {
    try printer.batchDidEnd(batch)
    // Rows come to it before the filter, batches here.
    try live.host.batchDidEnd(batch)
    if let join = live.step() { report(join, batch.tables) }
  }

  /// Hands on.
  public func flush() throws { try printer.flush() }

  /// Waits for what sniffers have still to tell of the last packets, and tells it.
  public func end(_ outcome: Outcome) throws {
    while !live.isComplete, waits() {
      guard let join = live.step() else { continue }
      report(join, outcome.tables)
      try printer.flush()
    }
    let last = live.finish()
    report(last, outcome.tables)
    var outcome = outcome
    outcome.withoutRow.fragments += parts
    try printer.end(outcome)
    printer.ended(last.side)
  }

  private func report(_ join: LiveAirSide.Join, _ tables: Tables) {
    printer.joined(join, tables) { !isFiltered || passed.contains($0) }
  }
}
