import PacketCodecs

/// Finds the byte that distinguishes kinds of messages: if the messages are grouped by it, their other bytes and their lengths need fewer bits.
/// Adjacent bytes do not count: those of one number depend on each other, too.
enum KindDetector {
  static let reach = 12
  static let columns = 64

  /// The byte; nil where no kinds were found.
  static func find(_ frames: [ArraySlice<UInt8>], excluding taken: Set<Int>) -> KindFinding? {
    guard frames.count >= 6, let shortest = frames.map(\.count).min(), shortest > 0 else { return nil }
    let sample = Array(frames.prefix(600))
    let width = min(columns, sample.map(\.count).max() ?? 0)
    let all = costs(sample, width, taken)
    let total = all.reduce(0, +)
    var best: (offset: Int, saved: Double)?
    for offset in 0..<min(reach, shortest) where !taken.contains(offset) {
      let groups = grouped(sample, offset, 1)
      guard groups.count >= 2, groups.count <= max(2, min(48, sample.count / 4)) else { continue }
      // Values that occur once each are no kinds.
      guard groups.reduce(0, { $0 + ($1.count >= 2 ? $1.count : 0) }) * 10 >= sample.count * 8 else { continue }
      var gains = all
      for group in groups {
        for (index, cost) in costs(group, width, taken).enumerated() { gains[index] -= cost }
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
      // A byte at a higher offset must save clearly more bits.
      if strong >= 2, saved > max(16, total * max(0.01, 0.015 * Double(offset))), best.map({ saved > $0.saved * 1.25 }) ?? true {
        best = (offset, saved)
      }
    }
    if let best { return KindFinding(offset: best.offset, size: 1, confidence: Evidence.confidence(bits: best.saved / 4)) }
    return byLength(sample, width, taken, all, total)
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

  /// Bits to encode the lengths of frames, and each of their columns.
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
