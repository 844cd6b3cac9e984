/// A text that the capture attaches to a packet: a pcapng comment.
public struct PacketNote: Sendable, Equatable {
  /// Index of the packet in ``PacketBatch/records``.
  public var record: Int
  /// The text.
  public var text: String

  /// Creates a note.
  public init(record: Int, text: String) {
    self.record = record
    self.text = text
  }
}

/// Consecutive packets with their bytes. A batch owns its bytes until a source refills it, and may be passed to another thread; with several batches,
/// one can be decoded while the next is read.
@safe public final class PacketBatch: @unchecked Sendable {
  /// Comments of the packets, in the order of the packets; mostly none.
  public var notes: [PacketNote] = []

  @usableFromInline var store: UnsafeMutablePointer<PacketRecord>
  @usableFromInline var count = 0
  @usableFromInline var capacity = 0
  @usableFromInline var memory: UnsafeMutableRawPointer
  @usableFromInline var used = 0
  @usableFromInline var room = 0

  /// An empty batch; its buffers are allocated at the first use.
  public init() {
    unsafe store = .allocate(capacity: 1)
    unsafe memory = .allocate(byteCount: 16, alignment: 16)
  }

  deinit {
    unsafe store.deallocate()
    unsafe memory.deallocate()
  }

  /// The packets, in the order of the capture; valid until the batch is refilled.
  @inlinable
  public var records: UnsafeBufferPointer<PacketRecord> { unsafe UnsafeBufferPointer(start: store, count: count) }

  /// The bytes that the records point into; valid until the batch is refilled.
  @inlinable
  public var base: UnsafeRawBufferPointer { unsafe UnsafeRawBufferPointer(start: memory, count: used) }

  /// The payload of a record (H4 type byte or link header taken off), as captured.
  @inlinable
  public func payload(_ record: PacketRecord) -> UnsafeRawBufferPointer {
    let start = min(record.offset &+ record.payload, used)
    return unsafe UnsafeRawBufferPointer(start: memory + start, count: max(0, min(record.offset &+ record.captured, used) &- start))
  }

  /// All captured bytes of a record, link header included.
  @inlinable
  public func bytes(_ record: PacketRecord) -> UnsafeRawBufferPointer {
    let start = min(record.offset, used)
    return unsafe UnsafeRawBufferPointer(start: memory + start, count: max(0, min(record.offset &+ record.captured, used) &- start))
  }

  /// Forgets the packets from `limit` on.
  public func truncate(to limit: Int) {
    guard limit < count else { return }
    count = max(limit, 0)
    notes.removeAll { $0.record >= count }
  }

  /// Forgets the packets and their bytes, and keeps the buffers for the next.
  @inlinable
  public func removeAll() {
    count = 0
    used = 0
    if !notes.isEmpty { notes.removeAll() }
    if room > 1 << 20 { giveUpMemory() }
  }

  /// Frees the buffers, so that one long record does not make all later batches large.
  @usableFromInline @inline(never)
  func giveUpMemory() {
    unsafe memory.deallocate()
    unsafe memory = .allocate(byteCount: 16, alignment: 16)
    room = 0
  }

  /// Removes the packets for which `isUnwanted` returns true, and their notes.
  func removeAll(where isUnwanted: (PacketRecord) -> Bool) {
    var kept = 0
    var newIndices: [Int: Int] = [:]
    for index in 0..<count where unsafe !isUnwanted(store[index]) {
      if !notes.isEmpty { newIndices[index] = kept }
      unsafe store[kept] = unsafe store[index]
      kept += 1
    }
    count = kept
    notes = notes.compactMap { note in newIndices[note.record].map { PacketNote(record: $0, text: note.text) } }
  }

  /// Takes all packets of another batch, which is then empty; the batches swap their buffers.
  public func take(from other: PacketBatch) {
    removeAll()
    swap(&notes, &other.notes)
    unsafe swap(&store, &other.store)
    swap(&count, &other.count)
    swap(&capacity, &other.capacity)
    unsafe swap(&memory, &other.memory)
    swap(&used, &other.used)
    swap(&room, &other.room)
  }

  /// Bytes of its packets, and the bytes between them.
  package var byteCount: Int { used }

  /// Adds a packet whose bytes are already in the batch. Its time is limited to ``PacketRecord/maxTime``.
  @inlinable
  public func append(_ record: PacketRecord) {
    if count == capacity { reserve(records: max(64, capacity &* 2)) }
    var record = record
    record.time = PacketRecord.inReach(record.time)
    unsafe (store + count).initialize(to: record)
    count &+= 1
  }

  /// Adds bytes for a packet to point into. Returns their offset in the batch.
  public func append(bytes: RawSpan) -> Int {
    reserve(bytes: used &+ bytes.byteCount)
    unsafe bytes.withUnsafeBytes { unsafe free.copyMemory(from: $0) }
    used &+= bytes.byteCount
    return used &- bytes.byteCount
  }

  /// The unused memory after the used bytes.
  var free: UnsafeMutableRawBufferPointer { unsafe UnsafeMutableRawBufferPointer(start: memory + used, count: room &- used) }

  /// Forgets the first bytes, in a batch without packets.
  func dropFirst(_ count: Int) {
    unsafe memory.copyMemory(from: memory + count, byteCount: used &- count)
    used &-= count
  }

  /// Reserves capacity for a total number of packets.
  @usableFromInline
  func reserve(records wanted: Int) {
    if wanted <= capacity { return }
    let wider = UnsafeMutablePointer<PacketRecord>.allocate(capacity: wanted)
    unsafe wider.update(from: store, count: count)
    unsafe store.deallocate()
    unsafe store = unsafe wider
    capacity = wanted
  }

  /// Reserves capacity for a total number of bytes.
  @usableFromInline
  func reserve(bytes wanted: Int) {
    if wanted <= room { return }
    let size = max(wanted, min(room &* 2, room &+ 1 << 20))
    let wider = UnsafeMutableRawPointer.allocate(byteCount: size, alignment: 16)
    unsafe wider.copyMemory(from: memory, byteCount: used)
    unsafe memory.deallocate()
    unsafe memory = unsafe wider
    room = size
  }
}
