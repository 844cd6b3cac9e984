import Memory
import Text

/// Pieces of text that stay the same from row to row, by number.
@safe final class RenderedTextCache {
  private let bytes = TextBuffer()
  private var ranges = GrowingTable<(start: Int32, count: Int32)>(repeating: (-1, 0), capacity: 64)
  private var count = 0
  private static let bound = 1 << 20

  deinit { ranges.deallocate() }

  /// Forgets all pieces.
  func forget() {
    count = 0
    bytes.clear()
  }

  /// Appends the piece of a number. Returns false where there is none yet.
  @inline(__always)
  func write(_ number: Int32, to out: TextBuffer) -> Bool {
    let index = Int(number)
    guard index >= 0, index < count, ranges[index].start >= 0 else { return false }
    unsafe out.append(words: bytes.start + Int(ranges[index].start), Int(ranges[index].count))
    return true
  }

  /// Keeps what `out` has from `start` on as the piece of a number.
  func keep(_ number: Int32, _ out: TextBuffer, from start: Int) {
    let index = Int(number)
    guard index >= 0, index < RenderedTextCache.bound, bytes.count < RenderedTextCache.bound, let base = unsafe out.gathered.baseAddress
    else {
      return
    }
    while ranges.capacity <= index { ranges.grow(to: ranges.capacity * 2, (-1, 0)) }
    while count <= index {
      ranges[count] = (-1, 0)
      count += 1
    }
    ranges[index] = (Int32(bytes.count), Int32(out.count - start))
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
  private typealias Entry = (key: Key, start: Int, count: Int)
  private let bytes = TextBuffer()
  private let entries = GrowingTable<Entry>(repeating: (Key(), 0, 0), capacity: HeadCache.size)
  private static let size = 256
  private static let bound = 1 << 17

  deinit { entries.deallocate() }

  /// Forgets all pieces.
  func forget() {
    entries.fill((Key(), 0, 0))
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
    let entry = entries.entry(HeadCache.slot(key))
    guard entry.pointee.count > 0, entry.pointee.key == key else { return false }
    unsafe cursor.append(words: bytes.start + entry.pointee.start, entry.pointee.count)
    return true
  }

  /// Keeps what `out` has from `start` on as the piece of a key.
  func keep(_ key: Key, _ out: TextBuffer, from start: Int) {
    let count = out.count - start
    if bytes.count + count > HeadCache.bound { forget() }
    guard count > 0, count < 4096, let base = unsafe out.gathered.baseAddress else { return }
    entries[HeadCache.slot(key)] = (key, bytes.count, count)
    // Pieces are read in whole words.
    bytes.reserve(count + 16)
    unsafe bytes.append(base + start, count)
  }
}
