import Memory

// Texts that were aligned in columns, for outputs without columns.

extension TextBuffer {
  /// Appends a quoted CSV field of untrusted text without runs of spaces: each becomes one space, and those at the ends are left out. Appends nothing
  /// where no other text is left.
  func joinedCSV(_ bytes: BorrowedBytes) {
    var (at, end) = (0, bytes.count)
    while at < end, bytes[at] == 0x20 { at &+= 1 }
    while end > at, bytes[end &- 1] == 0x20 { end &-= 1 }
    guard at < end else { return }
    byte(UInt8(ascii: "\""))
    if TextBuffer.startsFormula(bytes.part(at..<end)) { byte(UInt8(ascii: "'")) }
    while at < end {
      if end &- at >= 8, case let word = unsafe UInt64(littleEndian: bytes.start.loadUnaligned(fromByteOffset: at, as: UInt64.self)),
        TextBuffer.areLetters(word, but: UInt8(ascii: "\""))
      {
        let blanks = Self.blanks(word)
        let pairs = blanks & blanks >> 8
        // Up to the first of two spaces.
        let count = pairs == 0 ? 8 : pairs.trailingZeroBitCount / 8 &+ 1
        reserve(8)
        unsafe UnsafeMutableRawPointer(memory + used).storeBytes(of: word.littleEndian, as: UInt64.self)
        used &+= count
        at &+= count
        if count == 8, blanks >> 63 == 0 { continue }
      } else if bytes[at] == 0x20 {
        byte(0x20)
      } else if case let next = bytes[at], next > 0x20, next < 0x7F, next != UInt8(ascii: "\"") {
        byte(next)
        at &+= 1
        continue
      } else {
        var stop = at &+ 1
        while stop < end, bytes[stop] != 0x20 { stop &+= 1 }
        untrusted(csvPart: bytes.part(at..<stop))
        at = stop
        continue
      }
      while at < end, bytes[at] == 0x20 { at &+= 1 }
    }
    byte(UInt8(ascii: "\""))
  }

  /// Replaces runs of spaces from an offset on by one space each: the text was aligned for columns.
  package func joinBlanks(from begin: Int = 0) {
    var kept = begin
    var at = begin
    while true {
      while at < count, unsafe start[at] == 0x20 { at += 1 }
      let end = pairOfBlanks(from: at)
      let size = min(end + 1, count) - at
      if kept < at, size > 0 { unsafe (start + kept).update(from: start + at, count: size) }
      kept += size
      at = end
      if end >= count { break }
    }
    while kept > begin, unsafe start[kept - 1] == 0x20 { kept -= 1 }
    truncate(to: kept)
  }

  /// Offset of the next two spaces in a row; the number of bytes where there are none.
  private func pairOfBlanks(from first: Int) -> Int {
    var at = first
    let bytes = unsafe UnsafeRawPointer(start)
    // A word of eight bytes contains seven pairs.
    while at + 8 <= count {
      let blanks = unsafe Self.blanks(UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: at, as: UInt64.self)))
      let pairs = blanks & blanks >> 8
      if pairs != 0 { return at + pairs.trailingZeroBitCount / 8 }
      at += 7
    }
    while at + 1 < count {
      if unsafe start[at] == 0x20 && start[at + 1] == 0x20 { return at }
      at += 1
    }
    return count
  }

  /// The highest bit of each byte that is a space.
  @inline(__always)
  private static func blanks(_ word: UInt64) -> UInt64 {
    let low = 0x7F7F_7F7F_7F7F_7F7F as UInt64
    let other = word ^ 0x2020_2020_2020_2020
    return ~(((other & low) &+ low) | other | low)
  }
}
