import Memory

extension TextBuffer {
  // MARK: Text that needs no escape

  /// Whether all bytes are printable ASCII.
  package static func isPrintable(_ bytes: BorrowedBytes) -> Bool {
    isPlain(bytes, { areLetters($0) }, { $0 >= 0x20 && $0 < 0x7F })
  }

  /// Whether all bytes are printable ASCII that stands for itself in a JSON string.
  package static func isPlainJSON(_ bytes: BorrowedBytes) -> Bool {
    isPlain(bytes, { areLettersOfJSON($0) }, { $0 >= 0x20 && $0 < 0x7F && $0 != 0x22 && $0 != 0x5C })
  }

  /// Eight bytes are checked together, and the last eight again with those before them. `arePlain` can return false for plain bytes.
  @inline(__always)
  private static func isPlain(_ bytes: BorrowedBytes, _ arePlain: (UInt64) -> Bool, _ isPlain: (UInt8) -> Bool) -> Bool {
    var at = 0
    let last = bytes.count &- 8
    while let word = bytes.u64(at) {
      guard arePlain(word) else { return bytes.allSatisfy(isPlain) }
      if at == last { return true }
      at = min(at &+ 8, last)
    }
    return bytes.allSatisfy(isPlain)
  }

  /// Whether none of eight characters needs an escape in JSON. It can return false where none does, but never true where one does.
  @inline(__always)
  private static func areLettersOfJSON(_ word: UInt64) -> Bool {
    !(word.marks(0x22) | word.marks(0x5C) | word.marks(0x7F) | word.controlMarks | word).hasMark
  }
}
