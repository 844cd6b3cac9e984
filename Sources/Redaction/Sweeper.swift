/// Finds known bytes wherever they stand, and puts others of the same number in their place: as they are, and written in hex.
struct Sweeper {
  private struct Pattern {
    var bytes: [UInt8]
    var replacement: [UInt8]
  }
  private var patterns: [Pattern] = []
  /// Patterns by their first four bytes, longest first.
  private var index: [UInt32: [Int32]] = [:]
  /// Which first four bytes there are, by a hash of 20 bits.
  private var filter = [UInt64](repeating: 0, count: 1 << 14)

  /// Fewer bytes than these occur by chance.
  static let shortest = 4
  /// More patterns are not kept.
  static let mostPatterns = 1 << 20

  var isEmpty: Bool { patterns.isEmpty }

  /// Whether bytes are enough to be told from what occurs everywhere.
  static func isTelling(_ bytes: some Collection<UInt8>, different: Int = 4) -> Bool {
    bytes.count >= shortest && Set(bytes.filter { $0 != 0 }).count >= different
  }

  /// Adds bytes to look for. The first to come counts.
  mutating func add(_ bytes: [UInt8], _ replacement: [UInt8]) {
    guard bytes.count >= Self.shortest, bytes.count == replacement.count, bytes != replacement, patterns.count < Self.mostPatterns else {
      return
    }
    let key = bytes.withUnsafeBytes { Self.key($0, 0) }
    var places = index[key] ?? []
    if places.contains(where: { patterns[Int($0)].bytes == bytes }) { return }
    let place = places.firstIndex { patterns[Int($0)].bytes.count < bytes.count } ?? places.count
    places.insert(Int32(patterns.count), at: place)
    index[key] = places
    patterns.append(Pattern(bytes: bytes, replacement: replacement))
    let bit = Self.hash(key)
    filter[bit >> 6] |= 1 << UInt64(bit & 63)
  }

  /// Adds bytes to look for in both orders.
  mutating func addBothWays(_ bytes: [UInt8], _ replacement: [UInt8]) {
    add(bytes, replacement)
    add(bytes.reversed(), replacement.reversed())
  }

  private static func key(_ bytes: UnsafeRawBufferPointer, _ at: Int) -> UInt32 {
    UInt32(bytes[at]) | UInt32(bytes[at + 1]) << 8 | UInt32(bytes[at + 2]) << 16 | UInt32(bytes[at + 3]) << 24
  }

  private static func hash(_ key: UInt32) -> Int { Int((key &* 0x9E37_79B1) >> 12) }

  /// The pattern that starts at `at`, the longest; nil where there is none.
  private func match(_ bytes: UnsafeRawBufferPointer, _ at: Int) -> Pattern? {
    guard at + Self.shortest <= bytes.count else { return nil }
    let key = Self.key(bytes, at)
    let bit = Self.hash(key)
    guard filter[bit >> 6] >> UInt64(bit & 63) & 1 != 0, let places = index[key] else { return nil }
    for place in places {
      let pattern = patterns[Int(place)]
      if bytes.count - at >= pattern.bytes.count, bytes[at..<at + pattern.bytes.count].elementsEqual(pattern.bytes) { return pattern }
    }
    return nil
  }

  /// Replaces what is known in `bytes` from `start` on. Bytes that `isDone` marks stay; what was replaced is marked. Returns how many
  /// things were replaced.
  @discardableResult
  func sweep(_ bytes: inout [UInt8], from start: Int, _ isDone: inout [Bool]) -> Int {
    guard !patterns.isEmpty else { return 0 }
    var count = 0
    var hits: [(at: Int, replacement: [UInt8])] = []
    bytes.withUnsafeBytes { buffer in
      var at = start
      while at + Self.shortest <= buffer.count {
        if let pattern = match(buffer, at), !isDone[at..<at + pattern.bytes.count].contains(true) {
          hits.append((at, pattern.replacement))
          at += pattern.bytes.count
        } else {
          at += 1
        }
      }
    }
    for hit in hits {
      for (place, byte) in hit.replacement.enumerated() {
        bytes[hit.at + place] = byte
        isDone[hit.at + place] = true
      }
      count += 1
    }
    return count + sweepText(&bytes, from: start, &isDone)
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
  private func sweepText(_ bytes: inout [UInt8], from start: Int, _ isDone: inout [Bool]) -> Int {
    var count = 0
    var at = start
    // Where the run of digits at hand ends: what starts inside it was looked at, but for the other half of its bytes.
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
        count += sweepRun(&bytes, at, end, 2, &isDone)
        count += sweepRun(&bytes, at + 1, end, 2, &isDone)
        at = end
      } else {
        // Pairs of digits with the same separator behind each but the last.
        let separator = bytes[end]
        var stop = end
        while stop + 3 <= bytes.count, bytes[stop] == separator, Self.digit(bytes[stop + 1]) != nil, Self.digit(bytes[stop + 2]) != nil {
          stop += 3
        }
        count += sweepRun(&bytes, at, stop, 3, &isDone)
        at = stop
      }
    }
    return count
  }

  /// One run of hex digits, a byte every `step` characters.
  private func sweepRun(_ bytes: inout [UInt8], _ start: Int, _ end: Int, _ step: Int, _ isDone: inout [Bool]) -> Int {
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
    var place = 0
    var hits: [(place: Int, replacement: [UInt8])] = []
    values.withUnsafeBytes { buffer in
      while place + Self.shortest <= buffer.count {
        if let pattern = match(buffer, place) {
          hits.append((place, pattern.replacement))
          place += pattern.bytes.count
        } else {
          place += 1
        }
      }
    }
    for hit in hits {
      let low = start + hit.place * step
      if isDone[low..<min(low + hit.replacement.count * step, end)].contains(true) { continue }
      for (number, byte) in hit.replacement.enumerated() {
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
