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
    var cursor = Cursor(self)
    while at < end {
      while cursor.appendPlain(bytes, &at, end) {}
      // The bytes up to the next that are not copied as they are, or to the end.
      var isPlain = true
      while isPlain, at < end {
        let next = bytes[at]
        isPlain = next >= 0x20 && next < 0x7F && next != UInt8(ascii: "\"")
        if isPlain {
          cursor.byte(next)
          at &+= 1
          guard next == 0x20 else { continue }
          while bytes[at] == 0x20 {
            at &+= 1
            isPlain = false
          }
        } else if next >= 0x80, case let length = TextBuffer.harmlessLength(bytes, at), length > 0 {
          cursor.append(bytes.part(at..<at &+ length))
          at &+= length
        } else {
          var stop = at &+ 1
          while stop < end, bytes[stop] != 0x20 { stop &+= 1 }
          cursor.through { $0.untrusted(csvPart: bytes.part(at..<stop)) }
          at = stop
        }
      }
    }
    cursor.byte(UInt8(ascii: "\""))
    cursor.finish()
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
  fileprivate static func blanks(_ word: UInt64) -> UInt64 {
    let low = 0x7F7F_7F7F_7F7F_7F7F as UInt64
    let other = word ^ 0x2020_2020_2020_2020
    return ~(((other & low) &+ low) | other | low)
  }
}

extension TextBuffer.Cursor {
  /// Appends eight bytes if they are printable ASCII without quotes, and no two of them and of the byte behind them are spaces in a row. Returns
  /// false where they are not, or where nine bytes are not left before `end`.
  @inline(__always)
  fileprivate mutating func appendPlain(_ bytes: BorrowedBytes, _ at: inout Int, _ end: Int) -> Bool {
    guard end &- at > 8 else { return false }
    let word = unsafe UInt64(littleEndian: bytes.start.loadUnaligned(fromByteOffset: at, as: UInt64.self))
    let blanks = TextBuffer.blanks(word)
    let hasPair = blanks & blanks >> 8 != 0 || blanks >> 63 != 0 && bytes[at &+ 8] == 0x20
    guard !hasPair, TextBuffer.areLetters(word, but: UInt8(ascii: "\"")) else { return false }
    number(word)
    at &+= 8
    return true
  }
}
