import Conversations
import Threads

/// The second thread of a run: takes batches of rows, decodes their values, and returns them with the rendered messages. The profile engine and its
/// objects never leave that thread. Batches come back in the order they were given; those with many messages in several parts.
final class DecodeWorker: @unchecked Sendable {
  private let recorder: BatchRecorder
  private let waiting = BatchQueue<RowBatch>(bound: .max)
  /// Batches whose messages are rendered, in order. Closed after the last.
  let rendered: BatchQueue<RenderedBatch>
  private let spares = BatchQueue<RenderedBatch>(bound: .max)

  /// Decodes with `decoder` and renders messages with `renderer`, unless they are kept for the threads that write rows, `writers` in number. Neither
  /// may have another user while this runs.
  init(_ decoder: ProfileDecoder, _ renderer: any MessageRenderer, writers: Int) {
    rendered = BatchQueue(bound: 4 + writers)
    recorder = BatchRecorder(decoder, renderer, keepsMessages: writers > 0, rendered, spares: spares)
  }

  /// Takes a batch whose rows no longer change.
  func decode(_ batch: RowBatch) { _ = waiting.push(batch) }

  /// No more batches will come.
  func finish() { waiting.close() }

  /// Takes back a batch that was emitted, to reuse its memory.
  func recycle(_ batch: RenderedBatch) { _ = spares.push(batch) }

  /// Stops early.
  func stop() {
    waiting.cancel()
    rendered.close()
  }

  /// Starts a thread that decodes batches until there are no more; nil if no thread is available.
  func start() -> Worker? { Worker { [self] in run() } }

  private func run() {
    while let next = waiting.pop() {
      guard recorder.record(next) else { return }
    }
    rendered.close()
  }
}
