import Captures
import Conversations

/// Reads packets and takes them apart; hands on batches whose rows do not change any more.
final class Producer: @unchecked Sendable {
  let ready: BatchQueue<RowBatch>
  let spare = BatchQueue<RowBatch>(bound: .max)
  private let source: any PacketSource
  private let options: Timeline.Options
  private let pass: Timeline.Step.Pass
  private let progress: (@Sendable (Timeline.Step) -> Void)?
  private var reconstruction: Reconstruction
  private var watch = Watch()
  private var waiting: [RowBatch] = []
  private var consumed = 0
  private var isEnded = false
  /// Packets read.
  private(set) var packets = 0
  /// Time of the first packet.
  private(set) var first: Int64?
  /// The tables at the end.
  private(set) var tables = Tables()
  /// Who listened to which characteristic.
  var listening: Listening { watch.listening }
  /// What comes at the very end refers to the last row.
  private(set) var last: (row: PacketRow, batch: RowBatch)?
  private var lastRow = PacketRow()
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
    reconstruction = Reconstruction(.rows, tables: tables)
    reconstruction.tellsParts = options.filter != nil || options.isEveryPacketTold
    reconstruction.tracksPieces = options.tracksPieces
    ready = BatchQueue(bound: .max)
  }

  /// Takes everything apart, on a thread of its own.
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
  var hasRoom: Bool { !spare.isEmpty || made &- waiting.count < Producer.ahead }

  /// Takes the next batch apart. Returns false at the end.
  func step() -> Bool {
    guard !isEnded else { return false }
    do {
      // Memory is bounded by the number of batches: beside those that wait for answers only a few are under way to the printer.
      let batch = spare.poll() ?? (made &- waiting.count < Producer.ahead ? make() : spare.pop())
      guard let batch else { return end() }
      if let limit = options.limit, packets >= limit { return finish(batch) }
      guard try source.read(batch.packets) else { return finish(batch) }
      if let limit = options.limit { batch.packets.truncate(to: limit - packets) }
      if first == nil { first = unsafe batch.packets.records.first?.time }
      unsafe packets += batch.packets.records.count
      reconstruction.process(batch)
      watch.look(batch)
      if let row = batch.rows.last { lastRow = row }
      waiting.append(batch)
      // A batch goes on when none of its requests is open any more, or the window is full.
      let settled =
        options.isLive || !options.awaitsAnswers
        ? consumed + waiting.count : max(reconstruction.settled, consumed + waiting.count - Timeline.window)
      while consumed < settled, !waiting.isEmpty {
        consumed += 1
        reconstruction.release(before: consumed)
        guard ready.push(waiting.removeFirst()) else { return end() }
      }
      progress?(Timeline.Step(pass, packets, source))
      return true
    } catch {
      failure = error
      return end()
    }
  }

  private var made = 0
  private static let ahead = 4

  private func make() -> RowBatch {
    made += 1
    return RowBatch()
  }

  private func finish(_ last: RowBatch) -> Bool {
    last.packets.removeAll()
    reconstruction.finish(last)
    watch.finish(last)
    waiting.append(last)
    for batch in waiting { _ = ready.push(batch) }
    waiting.removeAll()
    tables = last.tables
    // The row is kept for where it stands; its bytes are gone.
    lastRow.pdu = PDUBytes()
    lastRow.assembled = PDUBytes()
    self.last = (lastRow, last)
    return end()
  }

  private func end() -> Bool {
    isEnded = true
    return false
  }
}
