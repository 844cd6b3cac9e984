import Conversations
import Threads

/// The second thread of a run: takes batches of rows, decodes their values, and returns them with the rendered messages. The profile engine and its
/// objects never leave that thread. Batches come back in the order they were given.
final class DecodeWorker: @unchecked Sendable {
  private let decoder: ProfileDecoder
  private let renderer: any MessageRenderer
  private let keepsMessages: Bool
  private let waiting = BatchQueue<RenderedBatch>(bound: .max)
  /// Batches whose messages are rendered, in order. Closed after the last.
  let rendered = BatchQueue<RenderedBatch>(bound: .max)
  /// Used by the first thread only.
  private var spares: [RenderedBatch] = []

  /// Decodes with `decoder` and renders messages with `renderer`, unless they are kept for the threads that write rows. Neither may have another user
  /// while this runs.
  init(_ decoder: ProfileDecoder, _ renderer: any MessageRenderer, keepsMessages: Bool) {
    self.decoder = decoder
    self.keepsMessages = keepsMessages
    self.renderer = renderer
  }

  /// Takes a batch whose rows no longer change.
  func decode(_ batch: RowBatch) {
    let next = spares.popLast() ?? RenderedBatch(batch, renderer, keepsMessages: keepsMessages)
    next.batch = batch
    _ = waiting.push(next)
  }

  /// No more batches will come.
  func finish() { waiting.close() }

  /// Takes back a batch that was emitted, to reuse its memory.
  func recycle(_ batch: RenderedBatch) { spares.append(batch) }

  /// Stops early.
  func stop() {
    waiting.cancel()
    rendered.close()
  }

  /// Starts a thread that decodes batches until there are no more; nil if no thread is available.
  func start() -> Worker? { Worker { [self] in run() } }

  private func run() {
    while let next = waiting.pop() {
      next.record(decoder)
      guard rendered.push(next) else { return }
    }
    rendered.close()
  }
}
