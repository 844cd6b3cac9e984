import Synchronization

/// The result of parsing the available bytes.
struct Parsed {
  /// Number of parsed bytes.
  var consumed = 0
  /// Number of bytes, from `consumed` on, that the next step needs at least; 0 where the batch is full.
  var needs = 0
  /// An error that ends reading, if any.
  var damage: String?
}

/// Parses the records of a capture format.
protocol RecordReader {
  /// Format of the capture.
  var format: CaptureFormat { get }
  /// Format in one line.
  var title: String { get }
  /// Interfaces seen so far.
  var interfaces: [CaptureInterface] { get }
  /// Interfaces may be added while the capture is read.
  static var learnsInterfaces: Bool { get }
  /// Adds the records in `bytes`, which are at the start of the batch; stops before the first incomplete one. `frame` is the number of the last
  /// packet so far. Bytes may be added to the batch only together with a packet that points into them, and `bytes` must not be used after that, as
  /// the batch may have moved them.
  mutating func parse(_ bytes: RawSpan, frame: inout Int, into batch: PacketBatch) -> Parsed
  /// The error for `left` bytes at the end that are not a record; nil if the format may end like this.
  func leftover(_ left: Int) -> String?
  /// The known limits of the capture, according to the records so far.
  var limits: [CaptureLimit] { get }
  /// What the file has beside packets and their comments, according to the blocks so far.
  var metadata: [CaptureMetadata] { get }
}

extension RecordReader {
  func leftover(_ left: Int) -> String? { left == 0 ? nil : "cut short" }
  var limits: [CaptureLimit] { [] }
  var metadata: [CaptureMetadata] { [] }
  static var learnsInterfaces: Bool { false }
}

/// Most bytes that a batch takes at a time: small enough for the cache, large enough that the overhead of calls does not matter.
let batchBytes = 64 << 10
/// Most packets in a batch.
let batchRecords = 4096
/// Longest accepted record.
let longestRecord = 4 << 20

/// Reads a capture of one format from any input, batch by batch.
final class RecordSource<Reader: RecordReader>: PacketSource {
  private let input: any ByteInput
  private let initial: Reader
  private var reader: Reader
  /// Bytes after the last parsed record.
  private var carry: [UInt8] = []
  private var needs = 1
  private var frame = 0
  private var offset = 0
  /// The input has no more bytes.
  private var ended = false
  private var isDone = false
  private(set) var damage: CaptureDamage?
  /// The limits of BR/EDR captures from the air, if an interface has such packets.
  private var baseband = BasebandLimits()
  private var hasBaseband: Bool

  init(_ reader: Reader, input: any ByteInput) {
    initial = reader
    self.reader = reader
    hasBaseband = reader.interfaces.contains { $0.linkType == LinkType.baseband.number }
    known = Mutex(reader.interfaces)
    self.input = input
  }

  /// Interfaces seen so far. Other threads read them while this one reads packets.
  private let known: Mutex<[CaptureInterface]>
  var notices: [String] = []

  func addNotice(_ text: String) { notices.append(text) }

  var format: CaptureFormat { reader.format }
  var interfaces: [CaptureInterface] { known.withLock { $0 } }
  var title: String { reader.title }
  var progress: (read: Int, total: Int?) { input.progress }
  var limits: [CaptureLimit] { reader.limits + baseband.limits }
  var metadata: [CaptureMetadata] { reader.metadata }

  func rewind() throws(CaptureError) -> Bool {
    guard try input.rewind() else { return false }
    reader = initial
    carry.removeAll()
    needs = 1
    frame = 0
    offset = 0
    ended = false
    isDone = false
    damage = nil
    baseband = BasebandLimits()
    return true
  }

  func read(_ batch: PacketBatch) throws(CaptureError) -> Bool {
    batch.removeAll()
    if isDone { return false }
    batch.reserve(bytes: max(batchBytes, carry.count))
    batch.reserve(records: batchRecords)
    _ = unsafe carry.withUnsafeBytes { unsafe batch.append(bytes: RawSpan(_unsafeBytes: $0)) }
    carry.removeAll(keepingCapacity: true)
    while true {
      if batch.used < needs {
        if ended {
          finish(input.isStopped ? nil : input.trouble ?? reader.leftover(batch.used))
          return false
        }
        batch.reserve(bytes: needs)
        let count = unsafe try input.read(into: batch.free)
        batch.used &+= count
        ended = count == 0
        continue
      }
      let have = batch.used
      let parsed = unsafe reader.parse(RawSpan(_unsafeBytes: batch.base), frame: &frame, into: batch)
      let left = have &- parsed.consumed
      if Reader.learnsInterfaces {
        known.withLock { $0 = reader.interfaces }
        if !hasBaseband { hasBaseband = reader.interfaces.contains { $0.linkType == LinkType.baseband.number } }
      }
      if hasBaseband {
        for index in unsafe batch.records.indices where unsafe batch.records[index].kind == .baseband {
          let record = unsafe batch.records[index]
          unsafe baseband.add(record, RawSpan(_unsafeBytes: batch.bytes(record)))
        }
      }
      offset &+= parsed.consumed
      needs = max(1, parsed.needs)
      if parsed.damage != nil {
        finish(parsed.damage)
      } else if needs > longestRecord {
        finish("a record of \(needs) bytes")
      } else if needs > left, let size = input.size, needs > size &- offset, left > 0 {
        finish(reader.leftover(left))
      } else if batch.count == 0 {
        batch.dropFirst(parsed.consumed)
        continue
      } else if left > 0 {
        unsafe carry.append(contentsOf: batch.base[parsed.consumed..<have])
      }
      return batch.count > 0
    }
  }

  private func finish(_ what: String?) {
    if let what { damage = CaptureDamage(frame: frame &+ 1, offset: offset, what: what) }
    isDone = true
  }
}
