@_spi(Pipeline) import Profiles
import Threads

/// Threads that write the rows of decoded batches, each with a renderer of its own. Texts are returned in the order of the batches. Only the first
/// thread calls the methods.
final class RowWriters: @unchecked Sendable {
  private let renderers: [any RowRenderer]
  private let fields: ProfileEngine.Fields
  private let source: BatchQueue<RenderedBatch>
  private var threads: [Worker] = []

  /// Locked while a thread takes a batch out of ``source``: guards ``begun`` and ``learned``.
  private let taking = ThreadCondition()
  /// Number of batches that were taken, which is also the index of the next one.
  private var begun = 0
  /// By thread: the attributes that profiles name in batches which other threads took since this one last took a batch.
  private var learned: [[ProfileAttribute]]

  /// Locked while a written batch is stored or fetched: guards the properties below.
  private let writing = ThreadCondition()
  /// Batches that are written, by their number.
  private var written: [Int: RenderedBatch] = [:]
  private var next = 0
  private var ended = 0
  private var isStopped = false
  /// The bytes of their texts, and the most that wait for their turn.
  private var writtenBytes = 0
  private static let maxWritten = 2 << 20
  /// Texts that were printed, whose memory is used again.
  private var spares: [any MessageText] = []

  /// Starts a thread for each renderer; they take batches from `source` until it is closed, and read the requested `fields` of messages. Returns nil
  /// if no thread is available.
  init?(_ renderers: [any RowRenderer], _ source: BatchQueue<RenderedBatch>, _ fields: ProfileEngine.Fields) {
    self.renderers = renderers
    self.fields = fields
    self.source = source
    learned = Array(repeating: [], count: renderers.count)
    for index in renderers.indices {
      guard let thread = Worker({ [unowned self] in run(index) }) else { break }
      threads.append(thread)
    }
    if threads.isEmpty { return nil }
  }

  /// Waits for the end of the threads, whose texts are not needed any more. The source must have been closed.
  func join() {
    writing.locked {
      isStopped = true
      writing.signal()
    }
    for thread in threads { thread.join() }
  }

  private func run(_ index: Int) {
    let renderer = renderers[index]
    let messages = MessageTapeReader(fields)
    while let (number, batch, attributes) = take(index) {
      for attribute in attributes { renderer.attribute(attribute) }
      batch.write(by: renderer, messages, writing.locked { spares.popLast() })
      writing.locked {
        // The text of the next batch never waits, and is the one that the others wait for.
        while number != next, number - next > renderers.count || writtenBytes >= Self.maxWritten, !isStopped { writing.wait() }
        written[number] = batch
        writtenBytes += batch.output?.bytes.count ?? 0
        if number == next { writing.signal() }
      }
    }
    writing.locked {
      ended += 1
      writing.signal()
    }
  }

  /// Waits for the next batch. Returns it with its index and with the attributes that this thread's renderer has to know first; nil after the last
  /// batch.
  private func take(_ index: Int) -> (Int, RenderedBatch, [ProfileAttribute])? {
    taking.locked {
      // A thread that waits here for a batch also keeps the others waiting.
      guard let batch = source.pop() else { return nil }
      let own = learned[index]
      learned[index] = []
      for other in learned.indices where other != index { learned[other] += batch.attributes }
      begun += 1
      return (begun - 1, batch, own)
    }
  }

  /// Takes back the text of a batch. The memory of a long one is freed.
  func recycle(_ text: any MessageText) {
    guard text.bytes.count < 512 << 10 else { return }
    writing.locked { spares.append(text) }
  }

  private func takeNext() -> RenderedBatch? {
    guard let batch = written.removeValue(forKey: next) else { return nil }
    next += 1
    writtenBytes -= batch.output?.bytes.count ?? 0
    writing.signal()
    return batch
  }

  /// The next batch in order, if it is written.
  func poll() -> RenderedBatch? { writing.locked { takeNext() } }

  /// The next batch in order; nil after the last.
  func pop() -> RenderedBatch? {
    writing.locked {
      while true {
        if let batch = takeNext() { return batch }
        if ended == threads.count { return nil }
        writing.wait()
      }
    }
  }
}
