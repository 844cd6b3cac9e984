import Captures
import Conversations
import Memory

/// The last values that profiles saw, by frame, in bounded memory.
final class RecentValues {
  /// A value of a packet.
  struct Value {
    var bytes: [UInt8]
    /// The new bytes, as far as messages decide them.
    var written: [UInt8]
    var pieces: [PDUPiece]
    /// End of the last message that was found in them.
    var end = 0
    /// End of the bytes that belong to that message, including a checksum behind it.
    var claimed = 0
    /// Offset from which they are replaced as a whole once the last message in them is known; nil where ``written`` is complete.
    var rest: Int?
    /// A message in them was written.
    var hasMessage = false
    /// It is keyboard or mouse input, and became zeros.
    var isSilent = false
    /// The index of its attribute, or -1.
    var attribute: Int32 = -1
    fileprivate var isOlder = false
    fileprivate var entry = -1
    /// It is stored in ``RecentValues``, so that its new bytes may be decided later.
    var isKept: Bool { entry >= 0 }

    /// A value without a message so far, which is not stored in ``RecentValues``.
    init(_ bytes: [UInt8], _ pieces: [PDUPiece]) {
      self.bytes = bytes
      written = bytes
      self.pieces = pieces
    }
  }

  /// A value of a generation.
  private struct Entry {
    var frame: Int
    var bytes: Range<Int>
    var pieces: Range<Int>
    var end = 0
    var claimed = 0
    var rest: Int?
    var hasMessage = false
    var isSilent: Bool
    var attribute: Int32
    /// Range of its new bytes; empty where there are none.
    var written = 0..<0
  }

  private struct Generation {
    var entries: [Entry] = []
    var bytes: [UInt8] = []
    var written: [UInt8] = []
    var pieces: [PDUPiece] = []

    mutating func removeAll() {
      entries.removeAll(keepingCapacity: true)
      bytes.removeAll(keepingCapacity: true)
      written.removeAll(keepingCapacity: true)
      pieces.removeAll(keepingCapacity: true)
    }
  }
  private var recent = Generation()
  private var older = Generation()
  private static let maxValues = 4096
  private static let maxBytes = 2 << 20
  /// The last value in which a message was found: later messages of its frame are not in the values before it.
  private var lastFound = (frame: -1, isOlder: false, entry: 0)
  /// Values of a frame in which a message is searched: a PDU can have thousands.
  private static let maxValuesOfFrame = 64
  /// Values that had a rest when they were updated.
  private var open: [(isOlder: Bool, entry: Int)] = []

  /// Stores a value of a row; `attribute` is -1 where it belongs to none.
  func keep(_ value: PDUBytes, of attribute: Int32, _ row: PacketRow, _ batch: RowBatch, isSilent: Bool) {
    if recent.entries.count >= Self.maxValues || recent.bytes.count >= Self.maxBytes {
      swap(&recent, &older)
      recent.removeAll()
      lastFound = lastFound.isOlder ? (-1, false, 0) : (lastFound.frame, true, lastFound.entry)
    }
    let (start, first) = (recent.bytes.count, recent.pieces.count)
    unsafe recent.bytes.append(contentsOf: value.buffer)
    if let piece = batch.piece(of: value, in: Int(row.record)) {
      recent.pieces.append(piece)
    } else {
      recent.pieces.append(contentsOf: batch.pieces(of: value, in: Int(row.record)))
    }
    recent.entries.append(
      Entry(
        frame: row.frame, bytes: start..<recent.bytes.count, pieces: first..<recent.pieces.count, isSilent: isSilent,
        attribute: attribute))
  }

  /// The value with a number among those of a frame, of which `count` were stored, if the first of them is still there.
  func value(_ number: Int, of frame: Int, count: Int) -> Value? {
    let (old, new) = (Self.entries(of: frame, in: older), Self.entries(of: frame, in: recent))
    guard number >= 0, number < count, old.count + new.count == count else { return nil }
    return number < old.count
      ? value(old.lowerBound + number, of: older, isOlder: true) : value(new.lowerBound + number - old.count, of: recent, isOlder: false)
  }

  /// The entries of a frame. Frame numbers increase.
  private static func entries(of frame: Int, in generation: borrowing Generation) -> Range<Int> {
    func first(_ isBehind: (Int) -> Bool) -> Int {
      var (low, high) = (0, generation.entries.count)
      while low < high {
        let middle = (low + high) / 2
        if isBehind(generation.entries[middle].frame) { high = middle } else { low = middle + 1 }
      }
      return low
    }
    return first { $0 >= frame }..<first { $0 > frame }
  }

  /// The values of frames from the last one with a message on; only those of `attribute`, unless it is -1.
  func values(of frames: [Int], attribute: Int32) -> [Value] {
    var found: [Value] = []
    // Of more frames than stored values, the first are no longer stored.
    for frame in frames.suffix(2 * Self.maxValues) {
      let end = found.count + Self.maxValuesOfFrame
      if frame != lastFound.frame || lastFound.isOlder { add(frame, of: older, isOlder: true, attribute, to: &found, until: end) }
      add(frame, of: recent, isOlder: false, attribute, to: &found, until: end)
    }
    return found
  }

  private func add(
    _ frame: Int, of generation: borrowing Generation, isOlder: Bool, _ attribute: Int32, to found: inout [Value], until end: Int
  ) {
    guard let last = generation.entries.last, last.frame >= frame else { return }
    // Frame numbers increase, and the last one is requested most often.
    var (low, high) = (0, generation.entries.count)
    if high > 1, generation.entries[high - 2].frame < frame { low = high - 1 }
    while low < high {
      let middle = (low + high) / 2
      if generation.entries[middle].frame < frame { low = middle + 1 } else { high = middle }
    }
    if lastFound.frame == frame, lastFound.isOlder == isOlder { low = max(low, lastFound.entry) }
    while low < generation.entries.count, generation.entries[low].frame == frame, found.count < end {
      if attribute < 0 || generation.entries[low].attribute == attribute { found.append(value(low, of: generation, isOlder: isOlder)) }
      low += 1
    }
  }

  private func value(_ number: Int, of generation: borrowing Generation, isOlder: Bool) -> Value {
    let entry = generation.entries[number]
    var value = Value(Array(generation.bytes[entry.bytes]), Array(generation.pieces[entry.pieces]))
    if !entry.written.isEmpty { value.written = Array(generation.written[entry.written]) }
    (value.end, value.claimed, value.isOlder, value.entry) = (entry.end, entry.claimed, isOlder, number)
    (value.rest, value.hasMessage) = (entry.rest, entry.hasMessage)
    value.isSilent = entry.isSilent
    value.attribute = entry.attribute
    return value
  }

  /// Removes and returns the values that have a rest. Values of the next row are stored only after these have been decided.
  func takeOpen() -> [Value] {
    guard !open.isEmpty else { return [] }
    var found: [Value] = []
    for (isOlder, entry) in open {
      let value = isOlder ? value(entry, of: older, isOlder: true) : value(entry, of: recent, isOlder: false)
      if value.rest != nil { found.append(value) }
    }
    open.removeAll(keepingCapacity: true)
    return found
  }

  /// Stores the new bytes of a value from ``values(of:attribute:)``, and the end of its last message.
  func update(_ value: Value) {
    func write(_ generation: inout Generation) {
      guard generation.entries.indices.contains(value.entry), value.written.count == generation.entries[value.entry].bytes.count else {
        return
      }
      let written = generation.entries[value.entry].written
      if written.isEmpty {
        generation.entries[value.entry].written = generation.written.count..<generation.written.count + value.written.count
        generation.written.append(contentsOf: value.written)
      } else {
        generation.written.replaceSubrange(written, with: value.written)
      }
      let entry = generation.entries[value.entry]
      if value.end > entry.end {
        let isBehind = value.isOlder == lastFound.isOlder ? value.entry > lastFound.entry : lastFound.isOlder
        if entry.frame > lastFound.frame || entry.frame == lastFound.frame && isBehind {
          lastFound = (entry.frame, value.isOlder, value.entry)
        }
      }
      generation.entries[value.entry].end = value.end
      generation.entries[value.entry].claimed = value.claimed
      if generation.entries[value.entry].rest == nil, value.rest != nil { open.append((value.isOlder, value.entry)) }
      (generation.entries[value.entry].rest, generation.entries[value.entry].hasMessage) = (value.rest, value.hasMessage)
    }
    if value.isOlder { write(&older) } else { write(&recent) }
  }
}
