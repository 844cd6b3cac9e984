@_spi(Pipeline) import Analysis
import BothSides
import Conversations
@_spi(Pipeline) import Profiles

/// A printer that reports what sniffers heard while rows are still coming in.
public protocol AirPrinter: EventSink {
  /// Reports new results about packets whose rows were already printed, for those packets only that `passes` accepts.
  func joined(_ join: LiveAirSide.Join, _ tables: ConversationTables, passes: (Int) -> Bool)
  /// Reports how each sniffer's capture matches this one, after the last row.
  func ended(_ side: AirSide)
}

/// Passes a live timeline on to a printer, and reports what sniffers heard as soon as it is known.
public final class LiveAirSink<Printer: AirPrinter>: EventSink {
  private let printer: Printer
  private let live: LiveAirSide
  /// Rows of fragments are made for the comparison only and are not printed.
  private let dropsParts: Bool
  private let isFiltered: Bool
  private let waits: () -> Bool
  private var parts = 0
  /// Frame numbers of the packets that passed a filter, the most recent ones.
  private var passed: Set<Int> = []
  private static var maxPassed: Int { 1 << 20 }

  /// Prints with `printer` what `live` compares. With `dropsParts`, packets that complete no PDU get no rows. `isFiltered` says that a filter is
  /// applied before, so that only some packets arrive. At the end `waits` is called until it returns false: each call waits a moment for the
  /// sniffers' last packets.
  public init(_ printer: Printer, _ live: LiveAirSide, dropsParts: Bool, isFiltered: Bool, waits: @escaping () -> Bool) {
    self.printer = printer
    self.live = live
    self.dropsParts = dropsParts
    self.isFiltered = isFiltered
    self.waits = waits
  }

  /// The fields that the printer wants.
  @_spi(Pipeline) public var wantsFields: ProfileEngine.Fields { printer.wantsFields }

  /// Passes the call on to the printer.
  public func begin(_ facts: CaptureFacts) throws { try printer.begin(facts) }
  /// Passes the call on to the printer.
  public func attribute(_ attribute: ProfileAttribute) { printer.attribute(attribute) }

  /// Passes rows on, and remembers their frame numbers.
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

  /// Passes the call on to the printer.
  @_spi(Pipeline) public func message(_ message: ProfileMessage, _ row: PacketRow, _ batch: RowBatch) throws {
    try printer.message(message, row, batch)
  }

  /// Passes the call on to the printer.
  public func finding(_ finding: Finding, _ batch: RowBatch) throws { try printer.finding(finding, batch) }

  /// Reports results that this batch made known.
  public func batchDidEnd(_ batch: RowBatch) throws {
    try printer.batchDidEnd(batch)
    // The comparison gets its rows before the filter, but its batches here.
    try live.host.batchDidEnd(batch)
    if let join = live.step() { report(join, batch.tables) }
  }

  /// Passes the call on to the printer.
  public func flush() throws { try printer.flush() }

  /// Waits for the sniffers' results about the last packets, and reports them.
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

  private func report(_ join: LiveAirSide.Join, _ tables: ConversationTables) {
    printer.joined(join, tables) { !isFiltered || passed.contains($0) }
  }
}
