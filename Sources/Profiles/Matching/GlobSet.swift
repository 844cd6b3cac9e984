/// Patterns in which `*` stands for any bytes and `?` for one, all matched at once: a match takes one step for each byte of the text and each 64
/// positions of the patterns, for any text and patterns.
struct GlobSet: Sendable {
  /// The indices of the patterns that a text matches.
  struct Matches {
    private let numbers: [Int]

    static let none = Matches([])

    fileprivate init(_ numbers: [Int]) { self.numbers = numbers }

    var isEmpty: Bool { numbers.isEmpty }

    /// Those in `range`, in ascending order.
    func numbers(in range: Range<Int>) -> ArraySlice<Int> {
      if numbers.isEmpty { return [] }
      return numbers[position(of: range.lowerBound)..<position(of: range.upperBound)]
    }

    /// The position of the first number that is not below `bound`.
    private func position(of bound: Int) -> Int {
      var (low, high) = (0, numbers.count)
      while low < high {
        let middle = (low + high) >> 1
        if numbers[middle] < bound { low = middle + 1 } else { high = middle }
      }
      return low
    }
  }

  /// By byte: its row in ``takes``. Bytes that no pattern names share row 0.
  private var rows = [UInt8](repeating: 0, count: 256)
  /// By row: the positions that accept a byte of the row, one bit each. A pattern has a position for each byte that it takes, and one for its end.
  private var takes: [UInt64] = []
  /// Positions where patterns begin, and positions that stay active for any byte.
  private var starts: [UInt64] = []
  private var stays: [UInt64] = []
  /// By pattern: the position of its end.
  private var ends: [Int] = []

  init(_ patterns: some Collection<String>) {
    guard !patterns.isEmpty else { return }
    let (star, any) = (UInt8(ascii: "*"), UInt8(ascii: "?"))
    var (count, rowCount) = (0, 1)
    for pattern in patterns {
      for byte in pattern.utf8 where byte != star {
        count += 1
        guard byte != any, rows[Int(byte)] == 0 else { continue }
        // UTF-8 has at most 243 different bytes.
        rows[Int(byte)] = UInt8(truncatingIfNeeded: rowCount)
        rowCount += 1
      }
      count += 1
    }
    let words = (count + 63) / 64
    starts = [UInt64](repeating: 0, count: words)
    stays = starts
    takes = [UInt64](repeating: 0, count: words * rowCount)
    ends.reserveCapacity(patterns.count)
    var state = 0
    for pattern in patterns {
      starts[state >> 6] |= 1 << UInt64(state & 63)
      for byte in pattern.utf8 {
        let bit: UInt64 = 1 << UInt64(state & 63)
        if byte == star {
          stays[state >> 6] |= bit
          continue
        }
        if byte == any {
          for row in 0..<rowCount { takes[row * words + state >> 6] |= bit }
        } else {
          takes[Int(rows[Int(byte)]) * words + state >> 6] |= bit
        }
        state += 1
      }
      ends.append(state)
      state += 1
    }
  }

  /// The patterns that a text matches.
  func matches(_ text: String) -> Matches {
    guard !ends.isEmpty else { return .none }
    let words = starts.count
    var active = starts
    for byte in text.utf8 {
      let row = Int(rows[Int(byte)]) * words
      var (carry, isAny): (UInt64, UInt64) = (0, 0)
      for word in 0..<words where active[word] | carry != 0 {
        let taken = active[word] & takes[row + word]
        active[word] = taken << 1 | carry | active[word] & stays[word]
        carry = taken >> 63
        isAny |= active[word]
      }
      if isAny == 0 { return .none }
    }
    return Matches(ends.indices.filter { active[ends[$0] >> 6] >> UInt64(ends[$0] & 63) & 1 == 1 })
  }

  /// Whether a text matches any of them.
  func contain(_ text: String) -> Bool { !matches(text).isEmpty }
}
