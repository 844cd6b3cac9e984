import Threads

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// A source whose packets arrive while it is read: the monitor of this host, a pipe, a socket, a growing file.
///
/// A thread of its own reads the source and writes packets to a file if requested; packets to show go through a bounded queue. A slow reader never
/// makes the capture lose packets: those that do not fit into the queue are counted, and are in the file nevertheless.
public final class LiveSource: PacketSource, @unchecked Sendable {
  /// Options of a live capture: the packets to take, and its end.
  public struct Options: Sendable {
    /// Takes only packets of this adapter (HCI index) and those without one.
    public var adapter: UInt16?
    /// Most bytes of packets that wait to be shown.
    public var queue = 64 << 20
    /// The source loses nothing by waiting, like a file: it is read no faster than it is shown.
    public var waits = false
    /// Stops the capture.
    public var stop = LiveStop()

    /// All adapters, without an end.
    public init() {}
  }

  /// One line on what it is.
  public let title: String
  /// The format of its packets.
  public let format: CaptureFormat
  /// A live capture has no size.
  public var progress: (read: Int, total: Int?) { (0, nil) }
  /// Interfaces seen so far.
  public var interfaces: [CaptureInterface] { origin.interfaces }
  /// What the source leaves out on purpose.
  public var limits: [CaptureLimit] { origin.limits }
  /// The damage at which the source ended by itself.
  public private(set) var damage: CaptureDamage?

  private let origin: any PacketSource
  private let options: Options
  /// Signalled when packets were added, when some were taken, and at the end.
  private let condition = ThreadCondition()
  /// Packets that wait to be shown, in pieces, with their size; and empty pieces for reuse.
  private var waiting: [PacketBatch] = []
  private var waitingBytes = 0
  /// Bytes of the notes in the last of these pieces.
  private var lastNotes = 0
  private var spare: [PacketBatch] = []
  private var isEnded = false
  private var worker: Worker?
  private var hasStarted = false
  private var frame = 0
  private var kernelDrops = 0
  private var overflowed = 0
  private var recorder: ((PacketBatch) throws(CaptureError) -> (written: Int, isMore: Bool))?
  private var failure: CaptureError?
  /// Time at which the reader drops queued packets after an interrupt.
  private var giveUpTime: Int64?

  /// Most packets and bytes of a piece.
  private static let piece = (packets: 256, bytes: 256 << 10)
  /// Time after a stop for which queued packets are still shown, and packets of a stream are still taken; µs.
  private static let afterStop: (shown: Int64, taken: Int64) = (2_000_000, 1_000_000)

  /// Takes packets from `origin`, from ``start(recorder:)`` on. A source that waits must return regularly (with nothing), and at the latest when
  /// `options.stop` requests an end.
  public init(_ origin: any PacketSource, _ options: Options = Options()) {
    self.origin = origin
    self.options = options
    title = origin.title
    format = origin.format
  }

  deinit { stop() }

  /// Starts capturing. `recorder` is called on the capturing thread with each group of packets before they can be shown; it returns the number of
  /// packets it wrote, which are then shown, and whether it takes more. Must be called before the first ``read(_:)``.
  public func start(recorder: ((PacketBatch) throws(CaptureError) -> (written: Int, isMore: Bool))? = nil) {
    guard !hasStarted else { return }
    hasStarted = true
    self.recorder = recorder
    let context = unsafe Unmanaged.passUnretained(self)
    worker = Worker { unsafe context.takeUnretainedValue().capture() }
    if worker == nil { isEnded = true }
  }

  /// Stops capturing; packets that have arrived can still be read.
  public func stop() {
    guard let worker else { return }
    options.stop.call()
    condition.locked { condition.signal() }
    worker.join()
    self.worker = nil
  }

  // MARK: The capturing thread

  private func capture() {
    let incoming = PacketBatch()
    var isMore = true
    var end: Int64?
    var problem: CaptureError?
    while isMore {
      do throws(CaptureError) {
        isMore = try origin.read(incoming)
        choose(incoming)
        if unsafe !incoming.records.isEmpty {
          if let recorder {
            let taken = try recorder(incoming)
            incoming.truncate(to: taken.written)
            isMore = isMore && taken.isMore
          }
          pass(incoming)
        }
      } catch {
        problem = error
        isMore = false
      }
      // After a stop, packets that the kernel still holds are taken first: they would be lost otherwise.
      if isMore, options.stop.isWanted {
        // Times of the kernel's monitor are from this host's clock: they show which packets came before the stop. A stream has another host's clock,
        // so that it is read for a fixed time longer.
        let isKernel = origin is any DropCounting
        let now = isKernel ? LiveStop.date() : LiveStop.now()
        if end == nil { end = isKernel ? now : now &+ LiveSource.afterStop.taken }
        if let end, let last = unsafe incoming.records.last { isMore = (isKernel ? last.time : now) <= end } else { isMore = false }
      }
    }
    condition.locked {
      failure = problem
      if !options.stop.isWanted { damage = origin.damage }
      kernelDrops = max(kernelDrops, (origin as? any DropCounting)?.drops ?? 0)
      isEnded = true
      condition.signal()
    }
  }

  /// Removes packets of other adapters, and numbers the rest.
  private func choose(_ batch: PacketBatch) {
    if let wanted = options.adapter { batch.removeAll { $0.adapter != wanted && $0.adapter != 0xFFFF } }
    for index in 0..<batch.count {
      frame += 1
      unsafe batch.store[index].frame = frame
    }
  }

  /// Queues the packets for the reader, unless too many wait already.
  private func pass(_ batch: PacketBatch) {
    condition.locked {
      kernelDrops = unsafe Int(batch.records.last?.drops ?? 0)
      while options.waits, waitingBytes > options.queue, !options.stop.isWanted { waitShortly() }
      if waitingBytes > options.queue {
        unsafe overflowed += batch.records.count
        return
      }
      var note = 0
      for index in unsafe batch.records.indices {
        let original = unsafe batch.records[index]
        var record = original
        let bytes = unsafe batch.bytes(record)
        let last = waiting.last
        let piece: PacketBatch
        if let last, last.count < LiveSource.piece.packets, last.used + lastNotes < LiveSource.piece.bytes {
          piece = last
        } else {
          piece = spare.popLast() ?? PacketBatch()
          piece.removeAll()
          waiting.append(piece)
          lastNotes = 0
        }
        record.offset = unsafe piece.append(bytes: RawSpan(_unsafeBytes: bytes))
        while note < batch.notes.count, batch.notes[note].record <= index {
          piece.notes.append(PacketNote(record: piece.count, text: batch.notes[note].text))
          lastNotes += LiveSource.size(batch.notes[note])
          waitingBytes += LiveSource.size(batch.notes[note])
          note += 1
        }
        piece.append(record)
        waitingBytes += LiveSource.size(bytes.count)
      }
      condition.signal()
    }
  }

  /// Bytes that a queued packet takes.
  private static func size(_ count: Int) -> Int { count + MemoryLayout<PacketRecord>.stride }
  private static func size(_ note: PacketNote) -> Int { note.text.utf8.count + MemoryLayout<PacketNote>.stride }

  /// Waits for a signal for at most 100 ms, so that the caller can check for a stop. Must be called with the condition locked.
  private func waitShortly() { _ = condition.wait(until: ThreadCondition.deadline(in: 100)) }

  // MARK: The reader

  /// Packets that the kernel dropped, and packets that were not shown as their reader was too slow.
  public var losses: (kernel: Int, display: Int) { condition.locked { (kernelDrops, overflowed) } }

  /// Waits for packets, at most 100 ms: a batch may be empty, so that the reader can do other things. Returns false at the end.
  public func read(_ batch: PacketBatch) throws(CaptureError) -> Bool {
    start()
    batch.removeAll()
    let (isMore, problem) = condition.locked { () -> (Bool, CaptureError?) in
      if waiting.isEmpty, !isEnded { waitShortly() }
      giveUp()
      guard let first = waiting.first else { return (!isEnded, isEnded ? failure : nil) }
      waiting.removeFirst()
      batch.take(from: first)
      waitingBytes -= batch.used + batch.count * MemoryLayout<PacketRecord>.stride
      for note in batch.notes { waitingBytes -= LiveSource.size(note) }
      if spare.count < 4 { spare.append(first) }
      condition.signal()
      return (true, nil)
    }
    if let problem { throw problem }
    return isMore
  }

  /// After an interrupt, queued packets are dropped and counted, so that a slow terminal does not show them for minutes.
  private func giveUp() {
    guard options.stop.isInterrupted else { return }
    let now = LiveStop.now()
    if let giveUpTime {
      guard now > giveUpTime else { return }
      for piece in waiting { overflowed += piece.count }
      waiting.removeAll()
      waitingBytes = 0
    } else {
      giveUpTime = now &+ LiveSource.afterStop.shown
    }
  }

  /// A live capture has no start to go back to.
  public func rewind() -> Bool { false }
}

/// A source that knows the number of packets lost before they could be read.
protocol DropCounting: AnyObject {
  /// Packets lost so far, including those after the last packet.
  var drops: Int { get }
}
