import Captures
import Conversations

/// The last values that profiles saw, by frame, in bounded memory.
struct RecentValues {
  /// A value of a packet.
  struct Value {
    var bytes: [UInt8]
    /// What becomes of them, as far as messages say.
    var written: [UInt8]
    var pieces: [PDUPiece]
    /// Where the last message that was found in them ends.
    var end = 0
    /// Where what belongs to that message ends: a check may follow it.
    var claimed = 0
    /// It is what somebody typed, and became silence.
    var isSilent = false
    fileprivate var isOlder = false
    fileprivate var entry = 0

    /// A value that no message was found in yet, and that is not kept.
    init(_ bytes: [UInt8], _ pieces: [PDUPiece]) {
      self.bytes = bytes
      written = bytes
      self.pieces = pieces
    }
  }

  private struct Generation {
    var entries: [(frame: Int, bytes: Range<Int>, pieces: Range<Int>, end: Int, claimed: Int, isSilent: Bool)] = []
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
  private static let mostValues = 4096
  private static let mostBytes = 2 << 20

  /// Keeps a value of a row.
  mutating func keep(_ value: PDUBytes, _ row: PacketRow, _ batch: RowBatch, isSilent: Bool) {
    if recent.entries.count >= Self.mostValues || recent.bytes.count >= Self.mostBytes {
      swap(&recent, &older)
      recent.removeAll()
    }
    let (start, first) = (recent.bytes.count, recent.pieces.count)
    recent.bytes.append(contentsOf: value)
    recent.written.append(contentsOf: value)
    if let piece = batch.piece(of: value, in: Int(row.record)) {
      recent.pieces.append(piece)
    } else {
      recent.pieces.append(contentsOf: batch.pieces(of: value, in: Int(row.record)))
    }
    recent.entries.append((row.frame, start..<recent.bytes.count, first..<recent.pieces.count, 0, 0, isSilent))
  }

  /// The values of a frame.
  subscript(frame: Int) -> [Value] {
    [older, recent].enumerated().flatMap { number, generation in
      // Frames go up.
      var (low, high) = (0, generation.entries.count)
      while low < high {
        let middle = (low + high) / 2
        if generation.entries[middle].frame < frame { low = middle + 1 } else { high = middle }
      }
      var found: [Value] = []
      while low < generation.entries.count, generation.entries[low].frame == frame {
        let entry = generation.entries[low]
        var value = Value(Array(generation.bytes[entry.bytes]), Array(generation.pieces[entry.pieces]))
        value.written = Array(generation.written[entry.bytes])
        (value.end, value.claimed, value.isOlder, value.entry) = (entry.end, entry.claimed, number == 0, low)
        value.isSilent = entry.isSilent
        found.append(value)
        low += 1
      }
      return found
    }
  }

  /// Keeps what becomes of a value that the subscript gave, and where its last message ends.
  mutating func update(_ value: Value) {
    func write(_ generation: inout Generation) {
      guard value.entry < generation.entries.count, value.written.count == generation.entries[value.entry].bytes.count else { return }
      generation.written.replaceSubrange(generation.entries[value.entry].bytes, with: value.written)
      generation.entries[value.entry].end = value.end
      generation.entries[value.entry].claimed = value.claimed
    }
    if value.isOlder { write(&older) } else { write(&recent) }
  }
}
