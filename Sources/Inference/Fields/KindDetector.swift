import PacketCodecs

/// Finds the byte that distinguishes kinds of messages: if the messages are grouped by it, their other bytes and their lengths need fewer bits.
/// Adjacent bytes do not count: those of one number depend on each other, too. Copies of other bytes do not count either.
enum KindDetector {
  /// Number of bytes at the start of messages in which the kind byte is looked for.
  static let searchedBytes = 12
  /// Least number of values of a byte that is taken for the copy of another one: with fewer it is the same by chance.
  private static let minimumOfCopy = 3
  /// Number of bytes at the start of messages whose values are compared.
  static let comparedBytes = 64

  /// The byte that distinguishes kinds; nil where none was found. The bytes `taken` have another meaning and are left out.
  static func find(_ frames: [ArraySlice<UInt8>], excluding taken: Set<Int>) -> KindFinding? {
    guard frames.count >= 6, let shortest = frames.map(\.count).min(), shortest > 0 else { return nil }
    let sample = Array(frames.prefix(600))
    let width = min(comparedBytes, sample.map(\.count).max() ?? 0)
    let ignored = taken.union(copies(sample, width))
    let all = costs(sample, width, ignored)
    let total = all.reduce(0, +)
    var best: (offset: Int, saved: Double, isOfLength: Bool)?
    for offset in 0..<min(searchedBytes, shortest) where !ignored.contains(offset) {
      let groups = grouped(sample, offset, 1)
      guard groups.count >= 2, groups.count <= max(2, min(48, sample.count / 4)) else { continue }
      // Values that occur once each are no kinds.
      guard groups.reduce(0, { $0 + ($1.count >= 2 ? $1.count : 0) }) * 10 >= sample.count * 8 else { continue }
      var gains = all
      for group in groups {
        for (index, cost) in costs(group, width, ignored).enumerated() { gains[index] -= cost }
      }
      var saved = -Double(offset) * 0.5
      var strong = 0
      for (index, gain) in gains.enumerated() where index == 0 || abs(index - 1 - offset) >= 2 {
        saved += max(gain, -3)
        if index == 0 {
          if gain > max(4, 0.05 * Double(sample.count)) { strong += 2 }
        } else if gain > max(4, 0.03 * Double(sample.count)) {
          strong += 1
        }
      }
      // A byte at a higher offset must save clearly more bits, and say which length a message has where the other one does.
      guard strong >= 2, saved > max(16, total * max(0.01, 0.015 * Double(offset))) else { continue }
      let isOfLength = saysLength(groups, offset)
      if let best, best.isOfLength && !isOfLength || saved <= best.saved * 1.25 { continue }
      best = (offset, saved, isOfLength)
    }
    if let best { return KindFinding(offset: best.offset, size: 1, confidence: Evidence.confidence(bits: best.saved / 4)) }
    return byLength(sample, width, ignored, all, total)
  }

  /// Least number of messages of a stream in which some can be called rare, and least number of these.
  private static let minimumOfStream = 40, minimumRare = 2

  /// The byte that selects a few rare messages, where nearly all have one length: it never changes in those, and the rare ones, of other lengths,
  /// have other values.
  static func ofRare(_ frames: [ArraySlice<UInt8>], excluding taken: Set<Int>) -> KindFinding? {
    let lengths = histogram(frames.map(\.count))
    guard frames.count >= minimumOfStream, lengths.count >= 2, lengths.count <= 16,
      let usual = lengths.first, usual.count * 10 >= frames.count * 9,
      frames.count - usual.count >= minimumRare, let shortest = frames.map(\.count).min()
    else { return nil }
    for offset in 0..<min(searchedBytes, shortest) where !taken.contains(offset) {
      var usualByte: UInt8?
      var others = Set<UInt8>()
      var isConstant = true
      for frame in frames {
        let byte = frame[frame.startIndex + offset]
        if frame.count != usual.value {
          others.insert(byte)
        } else if let usualByte, usualByte != byte {
          isConstant = false
          break
        } else {
          usualByte = byte
        }
      }
      // A byte with a different value in each rare message does not distinguish kinds.
      guard isConstant, let usualByte, !others.contains(usualByte), others.count * 2 <= frames.count - usual.count else { continue }
      return KindFinding(offset: offset, size: 1, confidence: Evidence.confidence(bits: 8 * Double(frames.count - usual.count) - 8))
    }
    return nil
  }

  /// Whether all messages of each group have one length, of several. A byte that grows with the length is the length.
  private static func saysLength(_ groups: [[ArraySlice<UInt8>]], _ offset: Int) -> Bool {
    guard groups.count <= 8, groups.allSatisfy({ $0.count >= 4 }) else { return false }
    guard groups.allSatisfy({ group in group.allSatisfy { $0.count == group[0].count } }) else { return false }
    let lengths = groups.map { $0[0].count }
    let differences = zip(lengths, groups).map { length, group in length - Int(group[0][group[0].startIndex + offset]) }
    return Set(lengths).count >= 2 && Set(differences).count >= 2
  }

  /// Offsets at which all frames have the same byte as at an earlier offset, and which have several values.
  private static func copies(_ frames: [ArraySlice<UInt8>], _ width: Int) -> Set<Int> {
    let columns = (0..<width).map { column in
      frames.map { column < $0.count ? Int16($0[$0.startIndex + column]) : -1 }
    }
    var found = Set<Int>()
    for column in 1..<max(1, width) {
      let bytes = columns[column]
      // The shortest messages have no such column.
      guard Set(bytes).subtracting([-1]).count >= minimumOfCopy else { continue }
      let isCopy = (0..<column).contains { other in zip(bytes, columns[other]).allSatisfy { $0 < 0 || $0 == $1 } }
      if isCopy { found.insert(column) }
    }
    return found
  }

  /// Whether messages that are repeated many times still have kinds: of each at least two, on average, or one length that the others do not have. A
  /// byte that is different in each of them distinguishes nothing.
  static func haveContent(_ frames: [ArraySlice<UInt8>], _ offset: Int) -> Bool {
    let groups = grouped(Array(frames.prefix(600)), offset, 1)
    return Set(groups.joined()).count >= 2 * groups.count || saysLength(groups, offset)
  }

  /// Least number of messages of a kind whose layout is compared with that of other kinds.
  private static let minimumOfKind = 8

  /// Whether the byte at `offset` is a number rather than the kind: it changes in steps of one, and bytes that hardly ever change have the same
  /// values whichever number it is.
  static func isNumber(_ frames: [ArraySlice<UInt8>], _ offset: Int) -> Bool {
    let sample = Array(frames.prefix(600))
    // Messages that are always the same, as where nothing was measured, have no layout.
    let groups = grouped(sample, offset, 1).filter { $0.count >= minimumOfKind && Set($0).count >= 4 }
    guard groups.count >= 3, let width = groups.flatMap({ $0.map(\.count) }).max() else { return false }
    let numbers = Set(groups.map { $0[0][$0[0].startIndex + offset] })
    var (changes, steps) = (0, 0)
    var before: UInt8?
    for frame in sample {
      let number = frame[frame.startIndex + offset]
      guard numbers.contains(number) else { continue }
      if let before, before != number {
        changes += 1
        if max(before, number) - min(before, number) == 1 { steps += 1 }
      }
      before = number
    }
    guard changes >= groups.count, steps * 10 >= changes * 9 else { return false }
    for column in 0..<min(comparedBytes, width) where column != offset {
      var usual: UInt8?
      for group in groups {
        var counts = [Int](repeating: 0, count: 256)
        var present = 0
        for frame in group where column < frame.count {
          counts[Int(frame[frame.startIndex + column])] += 1
          present += 1
        }
        // Kinds have other lengths, too.
        guard present == group.count || present == 0 else { return false }
        guard let most = counts.indices.max(by: { counts[$0] < counts[$1] }), counts[most] * 10 >= present * 9, present > 0 else {
          continue
        }
        if let usual, usual != UInt8(most) { return false }
        usual = UInt8(most)
      }
    }
    return true
  }

  /// The length, where messages of one length are similar in several bytes and differ from those of another.
  private static func byLength(
    _ sample: [ArraySlice<UInt8>], _ width: Int, _ taken: Set<Int>, _ all: [Double], _ total: Double
  ) -> KindFinding? {
    var groups: [Int: [ArraySlice<UInt8>]] = [:]
    for frame in sample { groups[frame.count, default: []].append(frame) }
    guard groups.count >= 2, groups.count <= 8, let shortest = groups.keys.min() else { return nil }
    guard groups.values.reduce(0, { $0 + ($1.count >= 4 ? $1.count : 0) }) * 10 >= sample.count * 9 else { return nil }
    // Only bytes that all messages have are compared.
    var gains = Array(all.prefix(1 + min(width, shortest)))
    for group in groups.values {
      for (index, cost) in costs(group, width, taken).prefix(gains.count).enumerated() { gains[index] -= cost }
    }
    let moving = gains.dropFirst()
    let strong = moving.count { $0 > max(6, 0.08 * Double(sample.count)) }
    let saved = moving.reduce(0) { $0 + max($1, -6) }
    guard strong >= 2, saved > max(20, total * 0.05) else { return nil }
    return KindFinding(offset: 0, size: 0, confidence: Evidence.confidence(bits: saved / 4), isLength: true)
  }

  /// The frames grouped by the bytes at an offset; the largest group first.
  static func grouped(_ frames: [ArraySlice<UInt8>], _ offset: Int, _ size: Int) -> [[ArraySlice<UInt8>]] {
    var groups: [UInt64: [ArraySlice<UInt8>]] = [:]
    for frame in frames { groups[frame.dropFirst(offset).prefix(size).word, default: []].append(frame) }
    return groups.sorted { $0.value.count != $1.value.count ? $0.value.count > $1.value.count : $0.key < $1.key }.map(\.value)
  }

  /// The number of bits that an optimal code needs for the lengths of the frames (first), and for the bytes at each offset.
  private static func costs(_ frames: [ArraySlice<UInt8>], _ width: Int, _ taken: Set<Int>) -> [Double] {
    var counts = [Int](repeating: 0, count: 256)
    var lengths: [Int: Int] = [:]
    for frame in frames { lengths[frame.count, default: 0] += 1 }
    var list = [Evidence.adaptiveBits(lengths.values, alphabet: 256)]
    for column in 0..<width {
      guard !taken.contains(column) else {
        list.append(0)
        continue
      }
      for index in 0..<256 { counts[index] = 0 }
      for frame in frames where column < frame.count { counts[Int(frame[frame.startIndex + column])] += 1 }
      list.append(Evidence.adaptiveBits(counts, alphabet: 256))
    }
    return list
  }
}
