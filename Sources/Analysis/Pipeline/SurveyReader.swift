import Captures
import Conversations
import Threads

/// Reads the packets of a survey: the first batches on the caller's thread, the others ahead on a thread of its own.
final class SurveyReader: @unchecked Sendable {
  private let source: any PacketSource
  private let limit: Int
  private let progress: (@Sendable (Timeline.Step) -> Void)?
  private let ready = BatchQueue<RowBatch>(bound: .max)
  private let spare = BatchQueue<RowBatch>(bound: .max)
  private var worker: Worker?
  private var made = 0
  private var packets = 0
  private var reported = 0
  private var failure: (any Error)?
  private static let batches = 3

  init(_ source: any PacketSource, limit: Int?, _ progress: (@Sendable (Timeline.Step) -> Void)?) {
    self.source = source
    self.limit = limit ?? .max
    self.progress = progress
  }

  /// The next packets; nil at the end. Throws ``CaptureError``.
  func next() throws -> RowBatch? {
    if worker == nil, made == Self.batches { worker = Worker { self.run() } }
    if worker != nil {
      if let batch = ready.pop() { return batch }
      stop()
      if let failure { throw failure }
      return nil
    }
    if made < Self.batches {
      made += 1
      return try read(RowBatch())
    }
    return try spare.poll().flatMap { try read($0) }
  }

  /// Takes back a batch.
  func take(_ batch: RowBatch) { _ = spare.push(batch) }

  /// Ends reading. Nothing uses the source afterwards.
  func stop() {
    spare.close()
    worker?.join()
    worker = nil
  }

  private func run() {
    do {
      while let batch = spare.pop(), let next = try read(batch) { _ = ready.push(next) }
    } catch {
      failure = error
    }
    ready.close()
  }

  private func read(_ batch: RowBatch) throws -> RowBatch? {
    guard packets < limit, try source.read(batch.packets) else { return nil }
    unsafe packets += batch.packets.records.count
    if packets - reported > 20_000 {
      reported = packets
      progress?(Timeline.Step(.survey, packets, source))
    }
    return batch
  }
}
