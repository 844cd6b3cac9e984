import Captures
import Conversations

/// What is known of a capture before its first row is written.
public struct CaptureFacts: Sendable {
  /// Name as the user gave it, without its folder.
  public var name: String
  /// What it is: `btsnoop (H4)`.
  public var title: String
  /// Number of packets, or nil where it can be read only once.
  public var packets: Int?
  /// Time of the first packet, µs since 1970.
  public var first: Int64?
  /// Time of the last packet, or nil where it can be read only once.
  public var last: Int64?
  /// It is one of several captures; rows name it.
  public var isOneOfSeveral = false
  /// Number of this capture among those of the command line, from 0.
  public var number = 0

  /// Makes facts from what is known when a capture is opened.
  public init(name: String, title: String, isOneOfSeveral: Bool = false, number: Int = 0) {
    self.name = name
    self.title = title
    self.isOneOfSeveral = isOneOfSeveral
    self.number = number
  }
}

/// How a run over a capture ended.
public struct Outcome: Sendable {
  /// Packets read.
  public var packets = 0
  /// What was wrong with the capture, or nil.
  public var damage: CaptureDamage?
  /// What the capture is known to leave out.
  public var limits: [CaptureLimit] = []
  /// The tables at the end.
  public var tables = Tables()
}

/// Takes rows in their order and writes them somewhere.
public protocol RowPrinter: AnyObject {
  /// A capture starts.
  func begin(_ facts: CaptureFacts) throws
  /// A row. `isPart` says that its value is a part of a message that is not whole yet.
  func packet(_ row: PacketRow, _ batch: RowBatch, isPart: Bool) throws
  /// A finding.
  func finding(_ finding: Finding, _ batch: RowBatch) throws
  /// What was printed so far shall be seen now.
  func flush() throws
  /// The capture ended.
  func end(_ outcome: Outcome) throws
}

/// Leads a capture through the reconstruction, and its rows to a printer.
public final class Timeline {
  /// What a run shall do.
  public struct Options: Sendable {
    /// Stop after so many packets.
    public var limit: Int?
    /// Only packets from this time on, µs since 1970.
    public var from: Int64?
    /// Only packets before this time.
    public var to: Int64?
    /// Rows are wanted as they come (live): nothing is held back for an answer.
    public var isLive = false

    /// All packets.
    public init() {}
  }

  /// The capture.
  public let source: any PacketSource
  let options: Options
  /// Told of progress now and then: packets read, and the source's own progress.
  public var progress: ((Int, PacketSource) -> Void)?
  private var isStopped = false

  /// Most batches that are held back for an answer: about as many packets as an ATT transaction can last.
  static let window = 16

  /// Leads `source` according to `options`.
  public init(_ source: any PacketSource, options: Options = Options()) {
    self.source = source
    self.options = options
  }

  /// Learns names and attributes in a pass of its own, where the capture can be read twice. Throws ``CaptureError``.
  public func survey(into facts: inout CaptureFacts) throws -> Tables {
    guard !options.isLive, try source.rewind() else { return Tables() }
    let batch = RowBatch()
    var reconstruction = Reconstruction(.survey)
    var packets = 0
    var reported = 0
    while try source.read(batch.packets) {
      let records = batch.packets.records
      if packets == 0 { facts.first = records.first?.time }
      if let last = records.last { facts.last = last.time }
      packets += records.count
      reconstruction.process(batch)
      if packets - reported > 100_000 {
        reported = packets
        progress?(packets, source)
      }
      if let limit = options.limit, packets >= limit { break }
    }
    facts.packets = options.limit.map { min($0, packets) } ?? packets
    _ = try source.rewind()
    reconstruction.finish(batch)
    return batch.tables
  }

  /// Runs over the capture and prints its rows. Throws ``CaptureError`` and what the printer throws.
  public func run(_ facts: CaptureFacts, to printer: some RowPrinter) throws -> Outcome {
    var facts = facts
    let tables = try survey(into: &facts)
    var reconstruction = Reconstruction(.rows, tables: tables)
    var outcome = Outcome()
    var waiting: [RowBatch] = []
    var spare: [RowBatch] = []
    var consumed = 0
    var hasBegun = false
    while !isStopped {
      let batch = spare.popLast() ?? RowBatch()
      guard try source.read(batch.packets) else { break }
      if let limit = options.limit { batch.packets.truncate(to: limit - outcome.packets) }
      outcome.packets += batch.packets.records.count
      if !hasBegun {
        hasBegun = true
        if facts.first == nil { facts.first = batch.packets.records.first?.time }
        try printer.begin(facts)
      }
      reconstruction.process(batch)
      waiting.append(batch)
      // A batch goes on when none of its requests is open any more, or the window is full.
      let settled = options.isLive ? consumed + waiting.count : max(reconstruction.settled, consumed + waiting.count - Timeline.window)
      while consumed < settled, !waiting.isEmpty {
        let done = waiting.removeFirst()
        consumed += 1
        reconstruction.release(before: consumed)
        try print(done, to: printer)
        spare.append(done)
      }
      if options.isLive { try printer.flush() }
      progress?(outcome.packets, source)
      if let limit = options.limit, outcome.packets >= limit { break }
    }
    if !hasBegun { try printer.begin(facts) }
    let last = spare.popLast() ?? RowBatch()
    last.packets.removeAll()
    reconstruction.finish(last)
    waiting.append(last)
    for batch in waiting { try print(batch, to: printer) }
    outcome.damage = source.damage
    outcome.limits = source.limits
    outcome.tables = last.tables
    try printer.end(outcome)
    try printer.flush()
    return outcome
  }

  private func print(_ batch: RowBatch, to printer: some RowPrinter) throws {
    var finding = 0
    for (index, row) in batch.rows.enumerated() {
      while finding < batch.findings.count, batch.findings[finding].position <= index {
        try printer.finding(batch.findings[finding], batch)
        finding += 1
      }
      try printer.packet(row, batch, isPart: false)
    }
    while finding < batch.findings.count {
      try printer.finding(batch.findings[finding], batch)
      finding += 1
    }
  }
}
