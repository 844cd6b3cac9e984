import Captures
import Conversations

/// Reads packets, lets the conversation tracker make rows of them, and passes on batches whose rows no longer change.
final class BatchProducer: @unchecked Sendable {
  let ready: BatchQueue<RowBatch>
  private let spare = BatchQueue<RowBatch>(bound: .max)
  private let source: any PacketSource
  private let options: Timeline.Options
  private let pass: Timeline.Step.Pass
  private let progress: (@Sendable (Timeline.Step) -> Void)?
  private var tracker: ConversationTracker
  private var waiting: [RowBatch] = []
  private var consumed = 0
  private var isEnded = false
  /// Packets read.
  private(set) var packets = 0
  /// Time of the first packet.
  private(set) var first: Int64?
  /// The tables at the end.
  private(set) var tables = ConversationTables()
  /// Packets without a row, at the end.
  private(set) var withoutRow = PacketsWithoutRow()
  /// The error that ended reading early.
  private(set) var failure: (any Error)?

  init(
    _ source: any PacketSource, _ tables: ConversationTables, _ options: Timeline.Options, pass: Timeline.Step.Pass,
    _ progress: (@Sendable (Timeline.Step) -> Void)?
  ) {
    self.source = source
    self.options = options
    self.pass = pass
    self.progress = progress
    tracker = ConversationTracker(.rows, tables: tables)
    tracker.includesFragments = options.filter != nil || options.includesFragments
    tracker.tracksPieces = options.tracksPieces
    ready = BatchQueue(bound: .max)
  }

  /// Produces all batches, on a thread of its own.
  func run() {
    while step() {}
    ready.close()
  }

  /// Takes back a batch that nothing refers to any more. It would hold its copy of the tables until it is used again.
  func recycle(_ batch: RowBatch) {
    batch.tables = ConversationTables()
    _ = spare.push(batch)
  }

  /// Stops early.
  func stop() {
    spare.close()
    ready.close()
  }

  /// A batch is free for the next packets: ``step()`` does not wait.
  var hasRoom: Bool {
    freeSpares()
    return !spare.isEmpty || made &- waiting.count < ahead
  }

  /// Frees batches beyond those that are needed, when fewer may be on their way than before.
  private func freeSpares() {
    while made &- waiting.count > ahead, spare.poll() != nil { made -= 1 }
  }

  /// Produces the next batch. Returns false at the end.
  func step() -> Bool {
    guard !isEnded else { return false }
    do {
      // The number of batches bounds memory: besides those that wait for responses, only a few wait to be decoded and printed.
      freeSpares()
      let batch = spare.poll() ?? (made &- waiting.count < ahead ? make() : spare.pop())
      guard let batch else { return end() }
      if let limit = options.limit, packets >= limit { return finish(batch) }
      guard try source.read(batch.packets) else { return finish(batch) }
      if let limit = options.limit { batch.packets.truncate(to: limit - packets) }
      if first == nil { first = unsafe batch.packets.records.first?.time }
      unsafe packets += batch.packets.records.count
      tracker.process(batch)
      denseBatches = batch.valueEvents.count >= Self.manyValues ? Timeline.window : max(0, denseBatches - 1)
      waiting.append(batch)
      // A batch is passed on when none of its requests is open, or the window is full.
      let ready =
        options.isLive || !options.awaitsResponses ? consumed + waiting.count : max(finishedBatches, consumed + waiting.count - window)
      while consumed < ready, !waiting.isEmpty {
        consumed += 1
        tracker.release(before: consumed)
        guard self.ready.push(waiting.removeFirst()) else { return end() }
      }
      progress?(Timeline.Step(pass, packets, source))
      return true
    } catch {
      failure = error
      return end()
    }
  }

  /// The number of batches, from the first, that the tracker will not change. The tracker goes through all its links to compute it, so this is done
  /// only after as many packets as an eighth of the links; until then the last result is used, which can only be too low.
  private var finishedBatches: Int {
    if packets - countedAt >= tracker.linkCount / 8 { (lastFinished, countedAt) = (tracker.firstUnfinishedBatch, packets) }
    return lastFinished
  }
  private var (lastFinished, countedAt) = (0, 0)

  private var made = 0
  /// Most batches on their way to the printer.
  private var ahead: Int { min(denseBatches > 0 ? 4 : 4 + writers, window) }
  /// Number of threads that write rows.
  var writers = 0

  /// Most batches that wait for responses. Each may hold its own copy of the tables, so that fewer wait if these are large. Fewer wait after one with
  /// very many values.
  private var window: Int {
    max(1, min(denseBatches > 0 ? 4 : Timeline.window, Self.tableBytes / max(1, tracker.tables.weight)))
  }
  /// Number of values from which on a batch takes some megabytes: packets of 64 KiB can have tens of thousands of values of a byte.
  private static let manyValues = 8192
  /// Above 0 while such a batch is among the last ones.
  private var denseBatches = 0
  /// About how many bytes of table copies the waiting batches may hold together.
  private static let tableBytes = 8 << 20

  private func make() -> RowBatch {
    made += 1
    return RowBatch()
  }

  private func finish(_ last: RowBatch) -> Bool {
    last.packets.removeAll()
    tracker.finish(last)
    withoutRow = tracker.withoutRow
    // A batch that is passed on is recycled, without its tables.
    tables = last.tables
    waiting.append(last)
    for batch in waiting { _ = ready.push(batch) }
    waiting.removeAll()
    return end()
  }

  private func end() -> Bool {
    isEnded = true
    return false
  }
}
