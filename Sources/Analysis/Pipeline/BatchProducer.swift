import Captures
import Conversations

/// Reads packets, has the conversation tracker make rows of them, and hands on batches whose rows do not change any more.
final class BatchProducer: @unchecked Sendable {
  let ready: BatchQueue<RowBatch>
  let spare = BatchQueue<RowBatch>(bound: .max)
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
  private(set) var tables = Tables()
  /// Packets that no row stands for, at the end.
  private(set) var withoutRow = PacketsWithoutRow()
  /// Why reading ended early.
  private(set) var failure: (any Error)?

  init(
    _ source: any PacketSource, _ tables: Tables, _ options: Timeline.Options, pass: Timeline.Step.Pass,
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

  /// Makes all batches, on a thread of its own.
  func run() {
    while step() {}
    ready.close()
  }

  /// Ends early.
  func stop() {
    spare.close()
    ready.close()
  }

  /// There is a batch for the next packets: ``step()`` does not wait.
  var hasRoom: Bool { !spare.isEmpty || made &- waiting.count < ahead }

  /// Makes the next batch. Returns false at the end.
  func step() -> Bool {
    guard !isEnded else { return false }
    do {
      // Memory is bounded by the number of batches: beside those that wait for answers only a few are under way to the printer.
      let batch = spare.poll() ?? (made &- waiting.count < ahead ? make() : spare.pop())
      guard let batch else { return end() }
      if let limit = options.limit, packets >= limit { return finish(batch) }
      guard try source.read(batch.packets) else { return finish(batch) }
      if let limit = options.limit { batch.packets.truncate(to: limit - packets) }
      if first == nil { first = unsafe batch.packets.records.first?.time }
      unsafe packets += batch.packets.records.count
      tracker.process(batch)
      waiting.append(batch)
      // A batch goes on when none of its requests is open any more, or the window is full.
      let ready = options.isLive || !options.awaitsResponses ? consumed + waiting.count : max(settled, consumed + waiting.count - window)
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

  /// The number of batches, from the first, that the tracker will not change any more. The tracker goes through all its links to find it, so it is asked
  /// again only when as many packets as an eighth of the links have been read; until then this is its last answer, which can only be too low.
  private var settled: Int {
    if packets - settledAt >= tracker.linkCount / 8 { (knownSettled, settledAt) = (tracker.settled, packets) }
    return knownSettled
  }
  private var (knownSettled, settledAt) = (0, 0)

  private var made = 0
  /// Most batches that are under way to the printer.
  private var ahead: Int { min(4 + writers, window) }
  /// How many threads write rows.
  var writers = 0

  /// Most batches that wait for answers. Each may hold tables of its own: where these are large, fewer wait.
  private var window: Int { max(1, min(Timeline.window, Self.tableBytes / max(1, tracker.tables.weight))) }
  /// About how many bytes of tables batches may hold together.
  private static let tableBytes = 12 << 20

  private func make() -> RowBatch {
    made += 1
    return RowBatch()
  }

  private func finish(_ last: RowBatch) -> Bool {
    last.packets.removeAll()
    tracker.finish(last)
    withoutRow = tracker.withoutRow
    waiting.append(last)
    for batch in waiting { _ = ready.push(batch) }
    waiting.removeAll()
    tables = last.tables
    return end()
  }

  private func end() -> Bool {
    isEnded = true
    return false
  }
}
