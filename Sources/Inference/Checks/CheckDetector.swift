import PacketCodecs

/// Finds the checksum that messages carry: any known algorithm, over any range, at any position.
enum CheckDetector {
  /// The most plausible checksum that (nearly) all frames carry. With `solves`, also those of a part of them, and CRCs whose parameters have to
  /// be solved. `budget` bounds the work.
  static func find(_ frames: [ArraySlice<UInt8>], solves: Bool = true, _ budget: CheckBudget) -> CheckFinding? {
    let distinct = different(frames, 400)
    guard distinct.count >= 3, !isPlainText(distinct) else { return nil }
    // The search uses a few frames, short ones and some of other lengths; its result is verified on all frames.
    var search = ChecksumSearch(limit: 12)
    search.allowsOutlier = false
    func best(_ few: [ArraySlice<UInt8>]) -> CheckFinding? {
      var best: CheckFinding?
      for candidate in budget.candidates(search, few.map(Array.init)) {
        guard let finding = verify(candidate, distinct) else { continue }
        if best.map({ finding.confidence > $0.confidence + 0.02 }) ?? true { best = finding }
      }
      return best
    }
    if let found = best(chosen(distinct)) { return found }
    guard solves else { return nil }
    // A few frames of another kind may have none.
    if let usual = histogram(distinct.map(\.count)).first, usual.count >= 4, usual.count < distinct.count,
      let found = best(Array(distinct.filter { $0.count == usual.value }.prefix(6)))
    {
      return found
    }
    guard budget.take(ParametricCRC.cost(distinct)) else { return nil }
    return ParametricCRC.find(distinct).flatMap { parametric($0, distinct) }
  }

  /// Number of bytes at the start of messages in which a byte is looked for whose value shows which messages have a checksum.
  private static let searchedForKinds = 8
  /// Most values of such a byte with which messages have the checksum.
  private static let maxValues = 24
  /// Bits of evidence that are subtracted because the position of the byte and its values were chosen among many.
  private static let spentOnKinds = 20.0

  /// A checksum that only messages of some kinds have, namely those with certain values of a byte near their start. Nil where nothing is certain.
  /// `expecting` is one that another stream of the device has; as many searches for others are made as `maxSearches` allows.
  static func findInKinds(_ frames: [ArraySlice<UInt8>], expecting: Checksum?, maxSearches: Int, _ budget: CheckBudget) -> CheckFinding? {
    let distinct = different(frames, 2400)
    guard distinct.count >= 12, let shortest = distinct.map(\.count).min() else { return nil }
    if let expecting, let found = limited(expecting, distinct, frames) { return found }
    var left = maxSearches
    var searched: [[ArraySlice<UInt8>]] = []
    let kinds = KindDetector.find(distinct, excluding: []).flatMap { $0.isLength ? nil : $0.offset }
    for offset in (kinds.map { [$0] } ?? []) + (0..<min(4, shortest)).filter({ $0 != kinds }) {
      for group in KindDetector.grouped(distinct, offset, 1).prefix(2) where group.count >= 8 && group.count < distinct.count {
        guard left > 0 else { return nil }
        guard !searched.contains(where: { $0.count == group.count && $0[0] == group[0] }) else { continue }
        searched.append(group)
        left -= 1
        guard let check = find(group, solves: false, budget), check.confidence >= 0.9 else { continue }
        if let found = limited(check.checksum, distinct, frames) { return found }
      }
    }
    return nil
  }

  /// A checksum with the values of a byte that select its messages, at an offset where for each value all messages or none have the checksum.
  private static func limited(
    _ checksum: Checksum, _ distinct: [ArraySlice<UInt8>], _ frames: [ArraySlice<UInt8>]
  ) -> CheckFinding? {
    func holds(_ frame: ArraySlice<UInt8>) -> Bool { checksum.verify(frame.rawSpan).isCorrect }
    let isRight = distinct.map(holds)
    let right = isRight.count { $0 }
    guard right >= 8, right < distinct.count, let shortest = distinct.map(\.count).min() else { return nil }
    let stored =
      checksum.position < 0 ? shortest + checksum.position..<shortest : checksum.position..<checksum.position + checksum.storedCount
    var best: (condition: MessageCondition, count: Int)?
    for offset in 0..<min(searchedForKinds, shortest) where !stored.contains(offset) {
      var counts = [(right: Int, all: Int)](repeating: (0, 0), count: 256)
      for (frame, isRight) in zip(distinct, isRight) {
        let value = Int(frame[frame.startIndex + offset])
        counts[value].all += 1
        if isRight { counts[value].right += 1 }
      }
      var condition = MessageCondition(offset: offset, values: [])
      var count = 0
      var isMixed = false
      for (value, score) in counts.enumerated() where score.right > 0 {
        if score.right * 100 >= score.all * 98 {
          condition.values.append(UInt8(value))
          count += score.right
        } else if score.right * 20 > score.all {
          isMixed = true
        }
      }
      // A byte with a different value in nearly each message selects nothing.
      guard !isMixed, condition.values.count <= min(maxValues, count / 4), count * 100 >= right * 95 else { continue }
      if best.map({ condition.values.count < $0.condition.values.count }) ?? true { best = (condition, count) }
    }
    guard let best else { return nil }
    var storedValues = Set<UInt64>()
    for (frame, isRight) in zip(distinct, isRight) where isRight && best.condition.holds(frame) {
      if let value = checksum.storedValue(in: frame.rawSpan) { storedValues.insert(UInt64(truncatingIfNeeded: value)) }
    }
    let width = Double(min(checksum.algorithm.width, 32))
    let confidence = Evidence.confidence(bits: width * Double(min(storedValues.count, 12)) - 14, spent: spentOnKinds)
    guard storedValues.count >= 4, confidence >= 0.9 else { return nil }
    var finding = CheckFinding(checksum: checksum, isPerPacket: false, verified: 0, of: 0, confidence: confidence)
    for frame in frames where best.condition.holds(frame) {
      finding.of += 1
      if holds(frame) { finding.verified += 1 }
    }
    finding.condition = best.condition
    return finding.verified * 100 >= finding.of * 98 ? finding : nil
  }

  /// Rates a CRC with polynomial, init and xorout solved from the frames. Solving uses up the evidence of three check values.
  private static func parametric(_ checksum: Checksum, _ distinct: [ArraySlice<UInt8>]) -> CheckFinding? {
    var good = 0
    var storedValues = Set<UInt64>()
    for frame in distinct where checksum.verify(frame.rawSpan).isCorrect {
      good += 1
      if let value = checksum.storedValue(in: frame.rawSpan) { storedValues.insert(UInt64(truncatingIfNeeded: value)) }
    }
    guard good * 100 >= distinct.count * 98, !isPadding(checksum, distinct) else { return nil }
    let confidence = Evidence.confidence(bits: Double(checksum.algorithm.width) * Double(min(storedValues.count, 12) - 4), spent: 10)
    guard confidence >= 0.5 else { return nil }
    return CheckFinding(checksum: checksum, isPerPacket: false, verified: good, of: distinct.count, confidence: confidence)
  }

  /// A checksum that only messages from a certain length on have, while shorter ones have none; nil where nothing is certain.
  static func findInLong(_ frames: [ArraySlice<UInt8>], _ budget: CheckBudget) -> CheckFinding? {
    let distinct = different(frames, 1200)
    let sizes = histogram(distinct.map(\.count)).filter { $0.count >= 6 && $0.value >= 5 }
    guard let shortest = frames.map(\.count).min() else { return nil }
    for size in sizes.prefix(2) where size.value > shortest {
      let group = distinct.filter { $0.count == size.value }
      guard var check = find(group, budget), check.confidence >= 0.9 else { continue }
      func holds(_ frame: ArraySlice<UInt8>) -> Bool { check.checksum.verify(frame.rawSpan).isCorrect }
      let longer = distinct.filter { $0.count > size.value }
      guard longer.allSatisfy(holds) else { continue }
      check.shortest = size.value
      for next in Set(distinct.map(\.count)).sorted(by: >) where next < size.value {
        guard distinct.allSatisfy({ $0.count != next || holds($0) }) else { break }
        check.shortest = next
      }
      check.of = 0
      check.verified = 0
      for frame in frames where frame.count >= check.shortest {
        check.of += 1
        if holds(frame) { check.verified += 1 }
      }
      if check.verified * 100 >= check.of * 98 { return check }
    }
    return nil
  }

  /// A text has its checksum as digits at its end; a text that ends otherwise is not searched.
  private static func isPlainText(_ frames: [ArraySlice<UInt8>]) -> Bool {
    var endsInDigits = true
    for frame in frames.prefix(60) {
      guard frame.allSatisfy({ $0 >= 0x20 && $0 < 0x7f || $0 == 0x0a || $0 == 0x0d || $0 == 0x09 }) else { return false }
      // Up to four characters may follow: an end marker.
      var foot = 0
      while foot < min(4, frame.count), hexValue(frame[frame.endIndex - 1 - foot]) == nil { foot += 1 }
      let digits = frame.dropLast(foot).suffix(2)
      if digits.count < 2 || !digits.allSatisfy({ hexValue($0) != nil }) { endsInDigits = false }
    }
    return !endsInDigits
  }

  /// Confirms an expected checksum, if (nearly) all frames have it: this needs less evidence than a search.
  static func confirm(_ checksum: Checksum, _ frames: [ArraySlice<UInt8>]) -> CheckFinding? {
    let distinct = different(frames, 400)
    var good = 0
    var storedValues = Set<UInt64>()
    for frame in distinct {
      guard checksum.verify(frame.rawSpan).isCorrect else { continue }
      good += 1
      if let value = checksum.storedValue(in: frame.rawSpan) { storedValues.insert(UInt64(truncatingIfNeeded: value)) }
    }
    guard storedValues.count >= 2, good * 100 >= distinct.count * 95, !isPadding(checksum, distinct) else { return nil }
    let bits = Double(min(checksum.algorithm.width, 32) * min(storedValues.count, 8)) - 4
    return CheckFinding(
      checksum: checksum, isPerPacket: false, verified: good, of: distinct.count, confidence: Evidence.confidence(bits: bits))
  }

  /// Up to `limit` distinct frames, in their order.
  static func different(_ frames: [ArraySlice<UInt8>], _ limit: Int) -> [ArraySlice<UInt8>] {
    var seen = Set<ArraySlice<UInt8>>()
    var list: [ArraySlice<UInt8>] = []
    for frame in frames where frame.count >= 3 && seen.insert(frame).inserted {
      list.append(frame)
      if list.count == limit { break }
    }
    return list
  }

  private static func chosen(_ distinct: [ArraySlice<UInt8>]) -> [ArraySlice<UInt8>] {
    let sorted = distinct.enumerated().sorted { ($0.element.count, $0.offset) < ($1.element.count, $1.offset) }.map(\.element)
    var few: [ArraySlice<UInt8>] = []
    var lengths: [Int: Int] = [:]
    // Two frames of each length first, then any others.
    for frame in sorted where lengths[frame.count, default: 0] < 2 && few.count < 6 && frame.count <= 1024 {
      lengths[frame.count, default: 0] += 1
      few.append(frame)
    }
    for frame in sorted where few.count < 6 && frame.count <= 1024 && !few.contains(frame) { few.append(frame) }
    return few
  }

  private static func verify(_ candidate: ChecksumCandidate, _ distinct: [ArraySlice<UInt8>]) -> CheckFinding? {
    let checksum = candidate.checksum
    var good = 0
    var storedValues = Set<UInt64>()
    var moving: [Int: UInt8] = [:]
    var moved = Set<Int>()
    for frame in distinct {
      let verdict = checksum.verify(frame.rawSpan)
      guard verdict.isCorrect, let range = checksum.coverage.first?.resolved(in: frame.count) else { continue }
      good += 1
      if let value = checksum.storedValue(in: frame.rawSpan) { storedValues.insert(UInt64(truncatingIfNeeded: value)) }
      for (index, byte) in frame[(frame.startIndex + range.lowerBound)..<(frame.startIndex + range.upperBound)].prefix(256).enumerated() {
        if let first = moving[index] {
          if first != byte { moved.insert(index) }
        } else {
          moving[index] = byte
        }
      }
    }
    guard good * 100 >= distinct.count * 95, storedValues.count >= 2, !isRamp(checksum, distinct), !isPadding(checksum, distinct) else {
      return nil
    }
    let width = Double(min(checksum.algorithm.width, 32))
    // Equal values by chance: each other value that was stored counts once; the first may be what chose the position.
    var bits = width * Double(min(storedValues.count, good)) - candidate.unusualness * 1.5 - 14
    if case .sum = checksum.algorithm.base {
      // A byte that repeats another one is no sum.
      let length = distinct.first?.count ?? 0
      let position = checksum.position >= 0 ? checksum.position : length + checksum.position
      if let range = checksum.coverage.first?.resolved(in: length) { moved.remove(position - range.lowerBound) }
      if moved.count < 2 { bits = min(bits, 2.5) }
      if candidate.unusualness > 9, moved.count < 3 { bits = min(bits, 2.5) }
      if isCopy(checksum, distinct) { return nil }
    }
    if good < distinct.count { bits = min(bits, 40) - Double(distinct.count - good) * 3 }
    let confidence = Evidence.confidence(bits: bits)
    guard confidence > 0.3 else { return nil }
    return CheckFinding(
      checksum: checksum, isPerPacket: false, verified: good, of: distinct.count, confidence: confidence)
  }

  /// Whether the stored bytes and those before them are zero in many frames: a CRC over bytes, their own CRC and zeros behind it is zero, too.
  private static func isPadding(_ checksum: Checksum, _ frames: [ArraySlice<UInt8>]) -> Bool {
    let size = checksum.storedCount
    let empty = frames.count { frame in
      let position = checksum.position + (checksum.position < 0 ? frame.count : 0)
      return position >= size && position + size <= frame.count && frame.dropFirst(position - size).prefix(2 * size).allSatisfy { $0 == 0 }
    }
    return empty * 4 > frames.count
  }

  /// Number of bytes at either end in which a copy of the stored bytes is looked for.
  private static let searchedForCopies = 64

  /// Whether the stored bytes are the same as others in all frames: where a group of bytes is repeated, the sum of some bytes is another one.
  private static func isCopy(_ checksum: Checksum, _ frames: [ArraySlice<UInt8>]) -> Bool {
    let size = checksum.storedCount
    let shortest = frames.map(\.count).min() ?? 0
    func isCopy(at position: Int) -> Bool {
      frames.allSatisfy { frame in
        let stored = checksum.position + (checksum.position < 0 ? frame.count : 0)
        let other = position + (position < 0 ? frame.count : 0)
        guard stored >= 0, stored + size <= frame.count, other + size <= stored || stored + size <= other else { return false }
        let start = frame.startIndex
        return (0..<size).allSatisfy { frame[start + stored + $0] == frame[start + other + $0] }
      }
    }
    let reach = min(searchedForCopies, shortest - size + 1)
    guard reach > 0 else { return false }
    return (0..<reach).contains { isCopy(at: $0) || isCopy(at: -size - $0) }
  }

  /// Whether each stored byte, and the one after them, differs from the byte before it by the same in all frames: such bytes change together, as in
  /// test patterns, and none of them is computed from all the others.
  private static func isRamp(_ checksum: Checksum, _ frames: [ArraySlice<UInt8>]) -> Bool {
    var steps: [UInt8]?
    for frame in frames {
      let start = frame.startIndex + (checksum.position < 0 ? frame.count : 0) + checksum.position
      let end = start + checksum.storedCount
      guard start > frame.startIndex, end < frame.endIndex else { return false }
      let differences = (start...end).map { frame[$0] &- frame[$0 - 1] }
      if let steps, steps != differences { return false }
      steps = differences
    }
    return steps != nil
  }
}
