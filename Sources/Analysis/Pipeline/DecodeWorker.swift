import Conversations
import Threads

/// The second thread of a run: takes batches of rows, decodes their values, and gives them back with the rendered messages. The profile engine
/// and all that it makes never leave that thread. Batches come back in the order they were given.
final class DecodeWorker: @unchecked Sendable {
  private let decoder: ProfileDecoder
  private let renderer: any MessageRenderer
  private let keepsMessages: Bool
  private let waiting = BatchQueue<RenderedBatch>(bound: .max)
  /// Batches whose messages are rendered, in order. Closed behind the last.
  let rendered = BatchQueue<RenderedBatch>(bound: .max)
  /// Used by the first thread only.
  private var spares: [RenderedBatch] = []

  /// Decodes by `decoder`, and has messages rendered by `renderer`, as far as they are not kept for who writes the rows. Nobody else uses either
  /// while this runs.
  init(_ decoder: ProfileDecoder, _ renderer: any MessageRenderer, keepsMessages: Bool) {
    self.decoder = decoder
    self.keepsMessages = keepsMessages
    self.renderer = renderer
  }

  /// Takes a batch whose rows do not change any more.
  func decode(_ batch: RowBatch) {
    let next = spares.popLast() ?? RenderedBatch(batch, renderer, keepsMessages: keepsMessages)
    next.batch = batch
    _ = waiting.push(next)
  }

  /// No batch comes any more.
  func finish() { waiting.close() }

  /// Takes back a batch that was emitted, to use its memory again.
  func recycle(_ batch: RenderedBatch) { spares.append(batch) }

  /// Ends early.
  func stop() {
    waiting.cancel()
    rendered.close()
  }

  /// Starts a thread that decodes batches until there are no more; nil where that cannot be had.
  func start() -> Worker? { Worker { [self] in run() } }

  private func run() {
    while let next = waiting.pop() {
      next.record(decoder)
      guard rendered.push(next) else { return }
    }
    rendered.close()
  }
}
