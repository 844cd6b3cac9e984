/// Replaces known bytes wherever they stand by others of the same number: as they are, and written in hex.
struct ByteReplacer {
  private struct Pattern {
    /// Where its bytes lie in ``store``; their replacement follows.
    var start: Int32
    var count: Int32
    /// The next pattern, no longer than this one, of the same place in ``heads``; -1 behind the last.
    var next: Int32
  }
  private var store: [UInt8] = []
  private var patterns: [Pattern] = []
  /// The longest pattern for each hash of first four bytes; -1 where there is none.
  private var heads = [Int32](repeating: -1, count: 1 << 8)
  /// Which first four bytes there are, by a hash of 20 bits.
  private var filter = [UInt64](repeating: 0, count: 1 << 14)

  /// Fewer bytes than these occur by chance.
  static let shortest = 4
  /// More patterns are not kept.
  static let mostPatterns = 1 << 20
  private static let mostBytes = 1 << 28

  var isEmpty: Bool { patterns.isEmpty }

  /// Whether bytes are so many, and so different, that they do not occur by chance.
  static func isDistinctive(_ bytes: some Collection<UInt8>, different: Int = 4) -> Bool {
    bytes.count >= shortest && Set(bytes.filter { $0 != 0 }).count >= different
  }

  /// Adds bytes to look for. The first to come counts.
  mutating func add(_ bytes: [UInt8], _ replacement: [UInt8]) {
    guard bytes.count >= Self.shortest, bytes.count == replacement.count, bytes != replacement, patterns.count < Self.mostPatterns,
      store.count + 2 * bytes.count <= Self.mostBytes
    else { return }
    let key = Self.key(bytes, 0)
    var known = heads[place(key)]
    while known >= 0 {
      if isMatch(patterns[Int(known)], bytes, 0), patterns[Int(known)].count == bytes.count { return }
      known = patterns[Int(known)].next
    }
    patterns.append(Pattern(start: Int32(store.count), count: Int32(bytes.count), next: -1))
    store += bytes
    store += replacement
    let bit = Self.hash(key)
    filter[bit >> 6] |= 1 << UInt64(bit & 63)
    if patterns.count < heads.count {
      link(patterns.count - 1)
    } else {
      heads = [Int32](repeating: -1, count: heads.count * 2)
      for number in patterns.indices { link(number) }
    }
  }

  /// Puts a pattern where its first bytes are looked for: behind those that are longer.
  private mutating func link(_ number: Int) {
    let place = place(Self.key(store, Int(patterns[number].start)))
    var before: Int32 = -1
    var next = heads[place]
    while next >= 0, patterns[Int(next)].count >= patterns[number].count { (before, next) = (next, patterns[Int(next)].next) }
    patterns[number].next = next
    if before < 0 { heads[place] = Int32(number) } else { patterns[Int(before)].next = Int32(number) }
  }

  /// Makes room for so many patterns, of so many bytes together.
  mutating func reserve(_ count: Int, bytes: Int) {
    patterns.reserveCapacity(min(patterns.count + count, Self.mostPatterns))
    store.reserveCapacity(min(store.count + 2 * bytes, Self.mostBytes))
  }

  /// Adds bytes to look for in both orders.
  mutating func addBothWays(_ bytes: [UInt8], _ replacement: [UInt8]) {
    add(bytes, replacement)
    add(bytes.reversed(), replacement.reversed())
  }

  private static func key(_ bytes: [UInt8], _ at: Int) -> UInt32 {
    UInt32(bytes[at]) | UInt32(bytes[at + 1]) << 8 | UInt32(bytes[at + 2]) << 16 | UInt32(bytes[at + 3]) << 24
  }

  private static func hash(_ key: UInt32) -> Int { Int((key &* 0x9E37_79B1) >> 12) }
  private func place(_ key: UInt32) -> Int { Int((key &* 0x85EB_CA6B) >> 8) & (heads.count - 1) }

  private func isMatch(_ pattern: Pattern, _ bytes: [UInt8], _ at: Int) -> Bool {
    let count = Int(pattern.count)
    guard bytes.count - at >= count else { return false }
    for index in 0..<count where bytes[at + index] != store[Int(pattern.start) + index] { return false }
    return true
  }

  /// The patterns in `bytes` from `start` on, without overlaps; of several at one place the longest.
  private func matches(_ bytes: [UInt8], from start: Int, unless isTaken: (Range<Int>) -> Bool) -> [(at: Int, pattern: Pattern)] {
    var hits: [(at: Int, pattern: Pattern)] = []
    guard bytes.count - start >= Self.shortest else { return hits }
    var key = Self.key(bytes, start)
    var at = start
    var wanted = start
    while true {
      let bit = Self.hash(key)
      if filter[bit >> 6] >> UInt64(bit & 63) & 1 != 0, at >= wanted {
        var number = heads[place(key)]
        while number >= 0 {
          let pattern = patterns[Int(number)]
          if isMatch(pattern, bytes, at) {
            if !isTaken(at..<at + Int(pattern.count)) {
              hits.append((at, pattern))
              wanted = at + Int(pattern.count)
            }
            break
          }
          number = pattern.next
        }
      }
      guard at + Self.shortest < bytes.count else { return hits }
      key = key >> 8 | UInt32(bytes[at + Self.shortest]) << 24
      at += 1
    }
  }

  /// Replaces what is known in `bytes` from `start` on. Bytes that `isDone` marks stay; what was replaced is marked. Returns how many
  /// things were replaced.
  @discardableResult
  func replace(in bytes: inout [UInt8], from start: Int, _ isDone: inout [Bool]) -> Int {
    guard !patterns.isEmpty else { return 0 }
    let hits = matches(bytes, from: start) { isDone[$0].contains(true) }
    for (at, pattern) in hits {
      let replacement = Int(pattern.start) + Int(pattern.count)
      for place in 0..<Int(pattern.count) {
        bytes[at + place] = store[replacement + place]
        isDone[at + place] = true
      }
    }
    return hits.count + replaceHex(in: &bytes, from: start, &isDone)
  }

  // MARK: Hex

  private static func digit(_ byte: UInt8) -> UInt8? {
    switch byte {
    case 0x30...0x39: byte - 0x30
    case 0x41...0x46: byte - 0x41 + 10
    case 0x61...0x66: byte - 0x61 + 10
    default: nil
    }
  }

  /// The same for bytes written in hex, with or without something between them (`aa:bb`, `AA-BB`, `aabb`).
  private func replaceHex(in bytes: inout [UInt8], from start: Int, _ isDone: inout [Bool]) -> Int {
    var count = 0
    var at = start
    while at + 2 * Self.shortest <= bytes.count {
      guard Self.digit(bytes[at]) != nil else {
        at += 1
        continue
      }
      var end = at
      while end < bytes.count, Self.digit(bytes[end]) != nil { end += 1 }
      let step: Int
      if end - at == 2, end < bytes.count, [0x3A, 0x2D, 0x20, 0x5F].contains(bytes[end]) {
        step = 3
      } else if end - at >= 2 * Self.shortest {
        step = 2
      } else {
        at = end
        continue
      }
      if step == 2 {
        // Bytes may begin at every second digit, from the first or from the second.
        count += replaceHexRun(in: &bytes, at, end, 2, &isDone)
        count += replaceHexRun(in: &bytes, at + 1, end, 2, &isDone)
        at = end
      } else {
        // Pairs of digits with the same separator behind each but the last.
        let separator = bytes[end]
        var stop = end
        while stop + 3 <= bytes.count, bytes[stop] == separator, Self.digit(bytes[stop + 1]) != nil, Self.digit(bytes[stop + 2]) != nil {
          stop += 3
        }
        count += replaceHexRun(in: &bytes, at, stop, 3, &isDone)
        at = stop
      }
    }
    return count
  }

  /// One run of hex digits, a byte every `step` characters.
  private func replaceHexRun(in bytes: inout [UInt8], _ start: Int, _ end: Int, _ step: Int, _ isDone: inout [Bool]) -> Int {
    var values: [UInt8] = []
    var at = start
    while at + 2 <= end, let high = Self.digit(bytes[at]), let low = Self.digit(bytes[at + 1]) {
      values.append(high << 4 | low)
      at += step
    }
    guard values.count >= Self.shortest else { return 0 }
    let isUpper = bytes[start..<end].contains { (0x41...0x46).contains($0) }
    let digits = Array((isUpper ? "0123456789ABCDEF" : "0123456789abcdef").utf8)
    var count = 0
    for (at, pattern) in matches(values, from: 0, unless: { _ in false }) {
      let length = Int(pattern.count)
      let low = start + at * step
      if isDone[low..<min(low + length * step, end)].contains(true) { continue }
      for number in 0..<length {
        let byte = store[Int(pattern.start) + length + number]
        let target = low + number * step
        bytes[target] = digits[Int(byte >> 4)]
        bytes[target + 1] = digits[Int(byte & 15)]
        isDone[target] = true
        isDone[target + 1] = true
      }
      count += 1
    }
    return count
  }
}
