import PacketCodecs

/// Finds a number that goes up by the same step from each message to the next.
enum CounterDetector {
  /// Number of bytes at the start of frames in which the counter is looked for.
  static let searchedBytes = 24

  /// The best counter of the frames, in the order of time.
  static func find(_ frames: [ArraySlice<UInt8>], excluding taken: Set<Int>) -> CounterFinding? {
    guard frames.count >= 4, let shortest = frames.map(\.count).min(), shortest > 0 else { return nil }
    var best: CounterFinding?
    for offset in 0..<min(searchedBytes, shortest) where !taken.contains(offset) {
      var steps = [Int](repeating: 0, count: 256)
      var before: UInt8?
      var values = Set<UInt8>()
      for frame in frames {
        let value = frame[frame.startIndex + offset]
        if let before { steps[Int(value &- before)] += 1 }
        before = value
        values.insert(value)
      }
      let total = frames.count - 1
      guard let step = steps.indices.max(by: { (steps[$0], -$0) < (steps[$1], -$1) }), step >= 1, step <= 16 else { continue }
      let share = Double(steps[step]) / Double(total)
      // A value that cycles through a few values is no counter.
      guard share >= 0.9, values.count >= min(total, 6) else { continue }
      var finding = CounterFinding(
        offset: offset, size: 1, endian: .little, step: step, confidence: 0, share: share,
        wraps: frames.count > 256 / step)
      var bits = Double(steps[step]) * 6 - Double(total - steps[step]) * 12 - 8 - Double(step - 1) * 0.5
      if frames.count < 12 { bits = min(bits, 6) }
      finding.confidence = Evidence.confidence(bits: bits)
      guard finding.confidence > 0.3 else { continue }
      widen(&finding, frames, shortest, taken)
      if best.map({ $0.confidence < finding.confidence - 0.01 }) ?? true { best = finding }
    }
    return best
  }

  /// Extends the counter to bytes that receive its carry.
  private static func widen(_ finding: inout CounterFinding, _ frames: [ArraySlice<UInt8>], _ shortest: Int, _ taken: Set<Int>) {
    for (size, endian) in [(4, ByteOrder.big), (4, .little), (2, .big), (2, .little)] {
      let first = endian == .big ? finding.offset - size + 1 : finding.offset
      guard first >= 0, first + size <= shortest else { continue }
      if (first..<(first + size)).contains(where: { taken.contains($0) }) { continue }
      var good = 0
      var carried = 0
      var wrapped = 0
      for index in 1..<frames.count {
        guard let a = frames[index - 1].number(first, size, endian), let b = frames[index].number(first, size, endian) else { continue }
        if b &- a == UInt64(finding.step) { good += 1 }
        // Where the low byte wraps, the next one has to grow.
        guard UInt8(truncatingIfNeeded: b) < UInt8(truncatingIfNeeded: a) else { continue }
        wrapped += 1
        if b &- a == UInt64(finding.step) { carried += 1 }
      }
      guard carried >= 1, carried * 10 >= wrapped * 9, Double(good) >= 0.9 * Double(frames.count - 1) else { continue }
      finding.offset = first
      finding.size = size
      finding.endian = endian
      return
    }
  }
}
