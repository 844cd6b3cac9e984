import Memory
import Text

/// Rendered pieces of text by number, which are used again in later rows: a hash table of fixed size, as each thread that writes rows has its own.
/// Texts that others displace are rendered again.
@safe final class RenderedTextCache {
  private typealias Entry = (number: Int32, generation: Int32, start: Int32, count: Int32)
  private let bytes = TextBuffer()
  private let entries = GrowingTable<Entry>(repeating: (.min, -1, 0, 0), capacity: RenderedTextCache.size)
  /// Entries of other generations are forgotten.
  private var generation: Int32 = 0
  private static let size = 1024
  private static let bound = 1 << 17

  deinit { entries.deallocate() }

  /// Removes all texts.
  func forget() {
    generation &+= 1
    bytes.clear()
  }

  /// Appends the text of a number. Returns false where there is none yet.
  @inline(__always)
  func write(_ number: Int32, to out: TextBuffer) -> Bool {
    let entry = entries.entry(Int(number) & (RenderedTextCache.size - 1))
    guard entry.pointee.number == number, entry.pointee.generation == generation else { return false }
    unsafe out.append(words: bytes.start + Int(entry.pointee.start), Int(entry.pointee.count))
    return true
  }

  /// Keeps the text in `out` from `start` on for a number.
  func keep(_ number: Int32, _ out: TextBuffer, from start: Int) {
    let count = out.count - start
    if bytes.count + count > RenderedTextCache.bound { forget() }
    guard number >= 0, count < 4096, let base = unsafe out.gathered.baseAddress else { return }
    entries[Int(number) & (RenderedTextCache.size - 1)] = (number, generation, Int32(bytes.count), Int32(count))
    // Texts are read in words of eight bytes.
    bytes.reserve(count + 16)
    unsafe bytes.append(base + start, count)
  }
}

/// A hash table of fixed size with rendered pieces of text. Entries that others displace are rendered again.
@safe final class HeadCache {
  /// Everything that determines the text.
  struct Key: Equatable {
    var bytes: UInt64 = 0
    var kind: UInt64 = 0
    var objects: UInt64 = 0
  }
  private typealias Entry = (key: Key, start: Int, count: Int)
  private let bytes = TextBuffer()
  private let entries = GrowingTable<Entry>(repeating: (Key(), 0, 0), capacity: HeadCache.size)
  private static let size = 256
  private static let bound = 1 << 17

  deinit { entries.deallocate() }

  /// Removes all texts.
  func forget() {
    entries.fill((Key(), 0, 0))
    bytes.clear()
  }

  @inline(__always)
  private static func slot(_ key: Key) -> Int {
    let mixed = key.bytes &* 0x9E37_79B9_7F4A_7C15 ^ key.kind &* 0xC2B2_AE3D_27D4_EB4F ^ key.objects &* 0x1656_67B1_9E37_79F9
    return Int(truncatingIfNeeded: mixed >> 56)
  }

  /// Appends the text of a key. Returns false where there is none.
  @inline(__always)
  func write(_ key: Key, to cursor: inout TextBuffer.Cursor) -> Bool {
    let entry = entries.entry(HeadCache.slot(key))
    guard entry.pointee.count > 0, entry.pointee.key == key else { return false }
    unsafe cursor.append(words: bytes.start + entry.pointee.start, entry.pointee.count)
    return true
  }

  /// Keeps the text in `out` from `start` on for a key.
  func keep(_ key: Key, _ out: TextBuffer, from start: Int) {
    let count = out.count - start
    if bytes.count + count > HeadCache.bound { forget() }
    guard count > 0, count < 4096, let base = unsafe out.gathered.baseAddress else { return }
    entries[HeadCache.slot(key)] = (key, bytes.count, count)
    // Texts are read in words of eight bytes.
    bytes.reserve(count + 16)
    unsafe bytes.append(base + start, count)
  }
}
