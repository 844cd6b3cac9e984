import Memory
import Text

/// Pieces of text that stay the same from row to row, by number.
@safe final class RenderedTextCache {
  private let bytes = TextBuffer()
  private struct Piece {
    var start: Int32 = -1
    var count: Int32 = 0
  }
  private var pieces = GrowingTable(capacity: 64, blank: Piece())
  private static let bound = 1 << 20

  /// Forgets all pieces.
  func forget() {
    pieces.truncate(to: 0)
    bytes.clear()
  }

  /// Appends the piece of a number. Returns false where there is none yet.
  @inline(__always)
  func write(_ number: Int32, to out: TextBuffer) -> Bool {
    let index = Int(number)
    guard index >= 0, index < pieces.count, pieces[index].start >= 0 else { return false }
    unsafe out.append(words: bytes.start + Int(pieces[index].start), Int(pieces[index].count))
    return true
  }

  /// Keeps what `out` has from `start` on as the piece of a number.
  func keep(_ number: Int32, _ out: TextBuffer, from start: Int) {
    let index = Int(number)
    guard index >= 0, index < RenderedTextCache.bound, bytes.count < RenderedTextCache.bound, let base = unsafe out.gathered.baseAddress
    else {
      return
    }
    while pieces.count <= index { pieces.append(Piece()) }
    pieces[index] = Piece(start: Int32(bytes.count), count: Int32(out.count - start))
    // Pieces are read in whole words.
    bytes.reserve(out.count - start + 16)
    unsafe bytes.append(base + start, out.count - start)
  }
}

/// Pieces of text that stay the same for rows of which the same is to be told, in a table of fixed size: what falls out is written anew.
@safe final class HeadCache {
  /// All that decides on the text.
  struct Key: Equatable {
    var place: UInt64 = 0
    var kind: UInt64 = 0
    var objects: UInt64 = 0
  }
  private struct Entry {
    var key = Key()
    var start = 0
    var count = 0
  }
  private let bytes = TextBuffer()
  private var entries = GrowingTable(repeating: Entry(), count: HeadCache.size)
  private static let size = 256
  private static let bound = 1 << 17

  /// Forgets all pieces.
  func forget() {
    for slot in 0..<entries.count { entries[slot] = Entry() }
    bytes.clear()
  }

  @inline(__always)
  private static func slot(_ key: Key) -> Int {
    let mixed = key.place &* 0x9E37_79B9_7F4A_7C15 ^ key.kind &* 0xC2B2_AE3D_27D4_EB4F ^ key.objects &* 0x1656_67B1_9E37_79F9
    return Int(truncatingIfNeeded: mixed >> 56)
  }

  /// Appends the piece of a key. Returns false where there is none.
  @inline(__always)
  func write(_ key: Key, to cursor: inout TextBuffer.Cursor) -> Bool {
    let slot = HeadCache.slot(key)
    guard entries[slot].count > 0, entries[slot].key == key else { return false }
    unsafe cursor.append(words: bytes.start + entries[slot].start, entries[slot].count)
    return true
  }

  /// Keeps what `out` has from `start` on as the piece of a key.
  func keep(_ key: Key, _ out: TextBuffer, from start: Int) {
    let count = out.count - start
    if bytes.count + count > HeadCache.bound { forget() }
    guard count > 0, count < 4096, let base = unsafe out.gathered.baseAddress else { return }
    entries[HeadCache.slot(key)] = Entry(key: key, start: bytes.count, count: count)
    // Pieces are read in whole words.
    bytes.reserve(count + 16)
    unsafe bytes.append(base + start, count)
  }
}
