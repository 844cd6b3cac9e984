@_spi(Pipeline) import Analysis
import Conversations

/// Compares the connections of a device, lane by lane.
struct SessionComparison {
  private let a: CaptureComparison.Side, b: CaptureComparison.Side
  private let shapes: [StepKeys.Shape]
  private let differences: StepDifferences
  private let device: Int
  /// Remaining number of pairs that may be searched for the best match, over all gaps.
  private var budget = 2_000_000

  typealias Row = CaptureDifferences.Row

  /// Gaps with more pairs are not searched for the best match.
  private static let maxPairs = 10_000
  /// Largest distance, in steps, of a moved step; a step farther away counts as another one.
  private static let maxDistance = 48

  init(
    _ a: CaptureComparison.Side, _ b: CaptureComparison.Side, _ shapes: [StepKeys.Shape], _ differences: StepDifferences, device: Int
  ) {
    self.a = a
    self.b = b
    self.shapes = shapes
    self.differences = differences
    self.device = device
  }

  /// Adds the differences in the connections of a device; `pairs` are matching connections.
  mutating func add(
    _ sessionsA: [ComparedDevice.Session], _ sessionsB: [ComparedDevice.Session], _ pairs: [(a: Int, b: Int)], _ number: inout Int,
    _ result: inout CaptureDifferences
  ) {
    var ofB: [Int: Int] = [:]
    for pair in pairs { ofB[pair.b] = pair.a }
    let matched = Set(pairs.map(\.a))
    for pair in pairs {
      compare(sessionsA[pair.a], sessionsB[pair.b], number, &result)
      number += 1
    }
    for index in sessionsA.indices where !matched.contains(index) {
      Self.addWhole([sessionsA[index]], .removed, a, device: device, &number, &result)
    }
    // Connections of the second capture only follow the last pair before them.
    var before: Int32?
    for index in sessionsB.indices {
      if let pair = ofB[index] {
        before = sessionsA[pair].steps.last
        continue
      }
      Self.addWhole(
        [sessionsB[index]], .added, b, device: device, &number, &result, after: before.map { Int(a.recording.steps[Int($0)].frame) })
    }
  }

  /// Adds connections that only one capture has: one row each.
  static func addWhole(
    _ sessions: [ComparedDevice.Session], _ change: CaptureDifferences.Change, _ side: CaptureComparison.Side, device: Int,
    _ number: inout Int, _ result: inout CaptureDifferences, after frame: Int? = nil
  ) {
    for session in sessions {
      guard let first = session.steps.first else { continue }
      let step = side.recording.steps[Int(first)]
      var row = Row(change: change, subject: .session)
      if change == .removed { row.a = step.number } else { row.b = step.number }
      if change == .removed { row.stepA = first } else { row.stepB = first }
      row.device = device
      row.session = number
      row.count = session.steps.count
      row.key = side.keys[Int(first)]
      row.kind = step.kind
      row.order = change == .removed ? (Int(step.frame), 0, 0) : (frame ?? Int(step.frame), 2, Int(step.frame))
      result.add(row)
      for index in session.steps where result.keepsAligned {
        let step = side.recording.steps[Int(index)]
        let isA = change == .removed
        result.add(
          CaptureDifferences.Aligned(
            a: isA ? step.number : -1, b: isA ? -1 : step.number, row: -1, counts: isA ? [1, 0] : [0, 1], device: device,
            order: isA ? (Int(step.frame), 0, 0) : (row.order.0, 2, Int(step.frame))))
      }
      number += 1
    }
  }

  // MARK: A pair of connections

  /// A pair of steps, or a step of one capture.
  private struct Pair {
    /// Indices into the lanes, later indices of the steps; -1 where the capture has none.
    var a: Int32 = -1, b: Int32 = -1
    /// Number of occurrences, where it stands for a run.
    var count: Int32 = 1
    var isMoved = false
    /// The steps differ. The differences are described only for pairs that become rows.
    var isOther = false
    /// Milliseconds that the host waited before this step, in each capture; both 0 where the pause is not unusual.
    var pauses: SIMD2<Int32> = .zero

    var isPair: Bool { a >= 0 && b >= 0 }
    var isSame: Bool { isPair && !isOther && !isMoved && pauses == .zero }
  }

  private mutating func compare(
    _ session: ComparedDevice.Session, _ other: ComparedDevice.Session, _ number: Int, _ result: inout CaptureDifferences
  ) {
    var lanesA = Lane.lanes(of: session, a.recording, a.keys, shapes, a.contents.bare)
    var lanesB = Lane.lanes(of: other, b.recording, b.keys, shapes, b.contents.bare)
    var found: [Pair] = []
    // The positions in the first capture of steps of the second one only: after the last pair before them.
    var anchors: [(b: Int32, a: Int32)] = []
    var first: (a: Int32, b: Int32)?
    for lane in Set(lanesA.keys).union(lanesB.keys).sorted() {
      let (mine, theirs) = (lanesA.removeValue(forKey: lane) ?? Lane(), lanesB.removeValue(forKey: lane) ?? Lane())
      for var pair in align(mine, theirs, isOfRequests: lane == StepKeys.requests) {
        if pair.a >= 0 { pair.a = mine.steps[Int(pair.a)] }
        if pair.b >= 0 { pair.b = theirs.steps[Int(pair.b)] }
        if pair.isPair {
          if pair.a < first?.a ?? .max { first = (pair.a, pair.b) }
          if !pair.isMoved { anchors.append((pair.b, pair.a)) }
          if pair.isSame, !result.keepsAligned {
            result.same += 1
            continue
          }
        }
        found.append(pair)
      }
    }
    leaveOutUnseen(&found, first, session, other, &result)
    anchors.sort { $0.b < $1.b }
    // Lanes overlap: a later step of the second capture must not get an earlier position.
    var latest: Int32 = 0
    for index in anchors.indices {
      latest = max(latest, anchors[index].a)
      anchors[index].a = latest
    }
    let start = session.steps.first.map { Int(a.recording.steps[Int($0)].frame) } ?? 0
    for pair in found {
      let order: (Int, Int, Int)
      if pair.a >= 0 {
        order = (Int(a.recording.steps[Int(pair.a)].frame), 0, 0)
      } else {
        let frame = Int(b.recording.steps[Int(pair.b)].frame)
        let anchor = Self.last(anchors, before: pair.b)
        order = (anchor.map { Int(a.recording.steps[Int($0)].frame) } ?? start, 1, frame)
      }
      add(pair, order, number, &result)
    }
  }

  /// Removes steps of one capture at times when the other one was not recording the connection: whether they differ is not known.
  private func leaveOutUnseen(
    _ found: inout [Pair], _ first: (a: Int32, b: Int32)?, _ session: ComparedDevice.Session, _ other: ComparedDevice.Session,
    _ result: inout CaptureDifferences
  ) {
    guard session.connection >= 0, other.connection >= 0, let startA = session.steps.first, let startB = other.steps.first else { return }
    let (linkA, linkB) = (a.recording.tables.connections[Int(session.connection)], b.recording.tables.connections[Int(other.connection)])
    func time(_ recording: Recording, _ step: Int32) -> Int64 { recording.steps[Int(step)].start }
    // The difference between the clocks of the two captures.
    let (fromA, fromB) = (time(a.recording, first?.a ?? startA), time(b.recording, first?.b ?? startB))
    let left = a.recording.lastTime &- fromA
    let right = b.recording.lastTime &- fromB
    let before = found.count
    found.removeAll { pair in
      if pair.isPair { return false }
      // A capture that begins in the middle of a connection does not contain its setup.
      if pair.a >= 0 {
        if linkB.startFrame == 0, linkA.startFrame != 0, first.map({ pair.a < $0.a }) ?? (pair.a == startA) { return true }
        return linkB.endFrame == 0 && time(a.recording, pair.a) &- fromA > right
      }
      if linkA.startFrame == 0, linkB.startFrame != 0, first.map({ pair.b < $0.b }) ?? (pair.b == startB) { return true }
      return linkA.endFrame == 0 && time(b.recording, pair.b) &- fromB > left
    }
    result.unseen += before - found.count
  }

  private static func last(_ anchors: [(b: Int32, a: Int32)], before step: Int32) -> Int32? {
    var (low, high) = (0, anchors.count)
    while low < high {
      let middle = (low + high) / 2
      if anchors[middle].b < step { low = middle + 1 } else { high = middle }
    }
    return low > 0 ? anchors[low - 1].a : nil
  }

  private func add(_ pair: Pair, _ order: (Int, Int, Int), _ number: Int, _ result: inout CaptureDifferences) {
    let stepA = pair.a < 0 ? nil : a.recording.steps[Int(pair.a)]
    let stepB = pair.b < 0 ? nil : b.recording.steps[Int(pair.b)]
    result.add(
      CaptureDifferences.Aligned(
        a: stepA?.number ?? -1, b: stepB?.number ?? -1, row: -1, counts: [pair.a < 0 ? 0 : pair.count, pair.b < 0 ? 0 : pair.count],
        device: device, order: order))
    if pair.isSame {
      result.same += 1
      return
    }
    guard result.hasRoom(at: order) else {
      result.rowsLeftOut += 1
      return
    }
    var row = Row(change: pair.isMoved ? .moved : stepB == nil ? .removed : stepA == nil ? .added : .changed)
    row.a = stepA?.number ?? -1
    row.b = stepB?.number ?? -1
    row.stepA = pair.a
    row.stepB = pair.b
    if let stepA, let stepB, case let key = a.keys[Int(pair.a)] {
      row.changes = differences.changes(stepA, stepB, key, shapes[Int(key)])
      if pair.pauses != .zero {
        row.changes.append(
          CaptureDifferences.FieldChange(field: "pause_before", a: "\(pair.pauses.x) ms", b: "\(pair.pauses.y) ms"))
      }
    }
    row.device = device
    row.session = number
    row.count = Int(pair.count)
    row.key = stepA != nil ? a.keys[Int(row.stepA)] : b.keys[Int(row.stepB)]
    row.kind = stepA?.kind ?? stepB?.kind ?? .scan
    row.order = order
    result.add(row)
  }

  // MARK: A lane

  private mutating func align(_ lane: Lane, _ other: Lane, isOfRequests: Bool) -> [Pair] {
    let (contentsA, contentsB) = (lane.steps.map { a.contents.exact[Int($0)] }, other.steps.map { b.contents.exact[Int($0)] })
    let exact = SequenceAlignment.pairs(contentsA, contentsB)
    let moved = isOfRequests ? moves(lane, other, contentsA, contentsB, exact) : [:]
    let movedB = Set(moved.values)
    var found: [Pair] = []
    found.reserveCapacity(exact.count)
    var (lastA, lastB) = (0, 0)
    for pair in exact + [(lane.steps.count, other.steps.count)] {
      if lastA < pair.a || lastB < pair.b {
        let start = found.count
        alignBare((lastA..<pair.a).filter { moved[$0] == nil }, (lastB..<pair.b).filter { !movedB.contains($0) }, lane, other, &found)
        for index in lastA..<pair.a {
          guard let there = moved[index] else { continue }
          var pair = self.pair(index, there, lane, other)
          pair.isMoved = true
          found.insert(pair, at: found[start...].firstIndex { $0.a > Int32(index) } ?? found.count)
        }
      }
      if pair.a < lane.steps.count { found.append(self.pair(pair.a, pair.b, lane, other)) }
      (lastA, lastB) = (pair.a + 1, pair.b + 1)
    }
    slide(&found, lane, other, contentsA, contentsB)
    joinRuns(&found, lane, other)
    joinMoved(&found, lane, other)
    if isOfRequests { addPauses(&found, lane, other) }
    return found
  }

  private func pair(_ index: Int, _ there: Int, _ lane: Lane, _ other: Lane) -> Pair {
    let (step, match) = (lane.steps[index], other.steps[there])
    let key = a.keys[Int(step)]
    return Pair(
      a: Int32(index), b: Int32(there),
      isOther: differences.isOther(a.recording.steps[Int(step)], b.recording.steps[Int(match)], key, shapes[Int(key)]))
  }

  /// Requests that were moved, by index in the first lane. Otherwise two writes of different values to the same attribute would be aligned as one
  /// changed write.
  private func moves(
    _ lane: Lane, _ other: Lane, _ contentsA: [Int32], _ contentsB: [Int32], _ exact: [(a: Int, b: Int)]
  ) -> [Int: Int] {
    guard exact.count < lane.steps.count, exact.count < other.steps.count else { return [:] }
    // Steps without a pair by content, with the index in the other lane at that point; -1 where there are several.
    var mine: [Int32: (index: Int, there: Int)] = [:], theirs: [Int32: Int] = [:]
    var (lastA, lastB) = (0, 0)
    for pair in exact + [(lane.steps.count, other.steps.count)] {
      for index in lastA..<pair.a where !shapes[Int(a.keys[Int(lane.steps[index])])].isResponse && lane.run(at: index) == nil {
        mine[contentsA[index]] = mine[contentsA[index]] == nil ? (index, lastB) : (-1, 0)
      }
      for index in lastB..<pair.b where other.run(at: index) == nil {
        theirs[contentsB[index]] = theirs[contentsB[index]] == nil ? index : -1
      }
      (lastA, lastB) = (pair.a + 1, pair.b + 1)
    }
    var moves: [Int: Int] = [:]
    for (content, at) in mine where at.index >= 0 {
      if let index = theirs[content], index >= 0, abs(index - at.there) <= Self.maxDistance { moves[at.index] = index }
    }
    return moves
  }

  /// Aligns steps that are equal except for parts that vary.
  private mutating func alignBare(_ indices: [Int], _ others: [Int], _ lane: Lane, _ other: Lane, _ found: inout [Pair]) {
    if indices.isEmpty || others.isEmpty { return alignKeys(indices[...], others[...], lane, other, &found) }
    var (lastA, lastB) = (0, 0)
    let bare = SequenceAlignment.pairs(
      indices.map { a.contents.bare[Int(lane.steps[$0])] }, others.map { b.contents.bare[Int(other.steps[$0])] })
    for pair in bare + [(indices.count, others.count)] {
      alignKeys(indices[lastA..<pair.a], others[lastB..<pair.b], lane, other, &found)
      if pair.a < indices.count { found.append(self.pair(indices[pair.a], others[pair.b], lane, other)) }
      (lastA, lastB) = (pair.a + 1, pair.b + 1)
    }
  }

  /// Aligns steps with the same key and different content.
  private mutating func alignKeys(
    _ indices: ArraySlice<Int>, _ others: ArraySlice<Int>, _ lane: Lane, _ other: Lane, _ found: inout [Pair]
  ) {
    let (mine, theirs) = (Array(indices), Array(others))
    var pairs: [(a: Int, b: Int)] = []
    if !mine.isEmpty, !theirs.isEmpty {
      if mine.count * theirs.count <= min(Self.maxPairs, budget) {
        budget -= mine.count * theirs.count
        pairs = OrderedMatching.best(mine.count, theirs.count) { similarity(lane.steps[mine[$0]], other.steps[theirs[$1]]) }
      } else {
        pairs = SequenceAlignment.pairs(mine.map { a.keys[Int(lane.steps[$0])] }, theirs.map { b.keys[Int(other.steps[$0])] })
      }
    }
    var (lastA, lastB) = (0, 0)
    for pair in pairs + [(mine.count, theirs.count)] {
      for index in mine[lastA..<pair.a] { found.append(Pair(a: Int32(index))) }
      for index in theirs[lastB..<pair.b] { found.append(Pair(b: Int32(index))) }
      if pair.a < mine.count { found.append(self.pair(mine[pair.a], theirs[pair.b], lane, other)) }
      (lastA, lastB) = (pair.a + 1, pair.b + 1)
    }
  }

  /// Marks steps before which the host waited long in one capture only.
  private func addPauses(_ found: inout [Pair], _ mine: Lane, _ other: Lane) {
    func pause(_ before: Int32, _ after: Int32, _ lane: Lane, _ recording: Recording) -> Int64 {
      let (first, second) = (recording.steps[Int(lane.steps[Int(before)])], recording.steps[Int(lane.steps[Int(after)])])
      return second.start &- first.start &- Int64(max(first.duration, 0))
    }
    for index in found.indices.dropFirst() {
      let (before, after) = (found[index - 1], found[index])
      guard before.isPair, after.isPair, !before.isMoved, !after.isMoved else { continue }
      let (usual, now) = (pause(before.a, after.a, mine, a.recording), pause(before.b, after.b, other, b.recording))
      guard usual >= 0, usual < 1_000_000, now >= 10_000_000,
        [before, after].allSatisfy({ mine.run(at: Int($0.a)) == nil && other.run(at: Int($0.b)) == nil })
      else { continue }
      found[index].pauses = [Int32(clamping: usual / 1000), Int32(clamping: now / 1000)]
    }
  }

  /// Similarity of two steps: more than 2 for the same key, less than 2 for the same attribute with other messages, else 0.
  private func similarity(_ stepA: Int32, _ stepB: Int32) -> Double {
    let (key, otherKey) = (a.keys[Int(stepA)], b.keys[Int(stepB)])
    if key != otherKey { return shapes[Int(key)].location == shapes[Int(otherKey)].location ? 0.5 : 0 }
    let (mine, theirs) = (a.recording.steps[Int(stepA)], b.recording.steps[Int(stepB)])
    var score = 2.0
    if mine.ending == theirs.ending, mine.status == theirs.status { score += 0.25 }
    let isMessage = mine.message >= 0 && theirs.message >= 0
    return a.recording.pool.with(isMessage ? mine.message : mine.value) { before in
      b.recording.pool.with(isMessage ? theirs.message : theirs.value) { after in
        // The digest before the value is skipped.
        let start = isMessage ? 0 : 8
        let length = max(before.count, after.count) - start
        if length <= 0 { return score + 0.5 }
        var equal = 0
        for index in start..<max(start, min(before.count, after.count)) where before[index] == after[index] { equal += 1 }
        return score + 0.5 * Double(equal) / Double(length)
      }
    }
  }

  /// If one capture has one fewer of several equal consecutive steps, the missing one is chosen so that the times of the others agree best.
  private func slide(_ found: inout [Pair], _ lane: Lane, _ other: Lane, _ contentsA: [Int32], _ contentsB: [Int32]) {
    var position = 0
    while position < found.count {
      defer { position += 1 }
      let single = found[position]
      guard !single.isPair else { continue }
      let isOfA = single.a >= 0
      let contents = isOfA ? contentsA : contentsB
      func mine(_ pair: Pair) -> Int32 { isOfA ? pair.a : pair.b }
      func theirs(_ pair: Pair) -> Int32 { isOfA ? pair.b : pair.a }
      let content = contents[Int(mine(single))]
      // The other equal steps, before and after it.
      func isLike(_ index: Int) -> Bool { found[index].isSame && contents[Int(mine(found[index]))] == content }
      var (low, high) = (position, position + 1)
      while low > 0, position - low < Lane.maxUngroupedRepeats, isLike(low - 1) { low -= 1 }
      while high < found.count, high - position <= Lane.maxUngroupedRepeats, isLike(high) { high += 1 }
      guard high - low > 1 else { continue }
      // Times are relative to the previous pair, or to the next one.
      guard let anchor = [low - 1, high].first(where: { found.indices.contains($0) && found[$0].isPair }) else { continue }
      func time(_ at: Int32, isOfA: Bool) -> Int64 {
        isOfA ? a.recording.steps[Int(lane.steps[Int(at)])].start : b.recording.steps[Int(other.steps[Int(at)])].start
      }
      let indices = found[low..<high].map(mine), matches = found[low..<high].filter(\.isPair).map(theirs)
      let (from, to) = (time(mine(found[anchor]), isOfA: isOfA), time(theirs(found[anchor]), isOfA: !isOfA))
      func distance(without missing: Int) -> Double {
        zip(indices.enumerated().filter { $0.offset != missing }.map(\.element), matches).reduce(0) { sum, pair in
          sum + abs(Double(time(pair.0, isOfA: isOfA) &- from) - Double(time(pair.1, isOfA: !isOfA) &- to))
        }
      }
      let current = position - low
      guard let best = indices.indices.min(by: { distance(without: $0) < distance(without: $1) }), best != current,
        distance(without: best) < distance(without: current)
      else { continue }
      var rest = matches[...]
      for (offset, at) in indices.enumerated() {
        guard offset != best, let match = rest.popFirst() else {
          found[low + offset] = isOfA ? Pair(a: at) : Pair(b: at)
          continue
        }
        found[low + offset] = isOfA ? pair(Int(at), Int(match), lane, other) : pair(Int(match), Int(at), lane, other)
      }
      position = max(position, low + best)
    }
  }

  /// The number of repetitions is not compared: additional cycles of a run that both have are removed. A run of one capture only is reported once.
  private func joinRuns(_ found: inout [Pair], _ mine: Lane, _ other: Lane) {
    guard !mine.runs.isEmpty || !other.runs.isEmpty else { return }
    func bare(_ index: Int32, isOfA: Bool) -> Int32 {
      isOfA ? a.contents.bare[Int(mine.steps[Int(index)])] : b.contents.bare[Int(other.steps[Int(index)])]
    }
    /// A step of a cycle, by the index of its first occurrence.
    func first(_ index: Int32, in lane: Lane) -> Int? {
      lane.run(at: Int(index)).map { lane.runs[$0].start + lane.runs[$0].member(Int(index)) }
    }
    // Steps of runs that are in both, and the pairs of those that are reported once.
    var inBoth: (a: Set<Int>, b: Set<Int>) = ([], [])
    for pair in found where pair.isPair {
      if let index = first(pair.a, in: mine) { inBoth.a.insert(index) }
      if let index = first(pair.b, in: other) { inBoth.b.insert(index) }
    }
    var keptAt: (a: [Int: Int], b: [Int: Int]) = ([:], [:])
    var kept: [Pair] = []
    kept.reserveCapacity(found.count)
    var last: (a: Int32, b: Int32) = (-1, -1)
    for pair in found {
      if pair.isPair {
        last = (pair.a, pair.b)
        // A cycle that repeats in both captures.
        if pair.isSame, let run = mine.run(at: Int(pair.a)).map({ mine.runs[$0] }), other.run(at: Int(pair.b)) != nil {
          let cycles = (Int(pair.a) - run.start) / run.cycle
          if cycles >= Lane.maxUngroupedRepeats, let index = keptAt.a[run.start + run.member(Int(pair.a))] {
            kept[index].count += 1
            continue
          }
          keptAt.a[run.start + run.member(Int(pair.a))] = kept.count
        }
        kept.append(pair)
        continue
      }
      let isOfA = pair.a >= 0
      let step = isOfA ? pair.a : pair.b
      if let start = first(step, in: isOfA ? mine : other) {
        if !differences.isStrict, (isOfA ? inBoth.a : inBoth.b).contains(start) { continue }
        if let index = isOfA ? keptAt.a[start] : keptAt.b[start], !kept[index].isPair {
          kept[index].count += 1
          continue
        }
        if isOfA { keptAt.a[start] = kept.count } else { keptAt.b[start] = kept.count }
      } else if !differences.isStrict {
        // It repeats in the other capture at about that time.
        let there = Int(isOfA ? last.b : last.a) + 1
        let lane = isOfA ? other : mine
        let content = bare(step, isOfA: isOfA)
        let near = [there, there - 1].compactMap { lane.run(at: $0) }.contains { number in
          let run = lane.runs[number]
          return (run.start..<run.start + run.cycle).contains { bare(Int32($0), isOfA: !isOfA) == content }
        }
        if near { continue }
      }
      kept.append(pair)
    }
    found = kept
  }

  /// Joins a missing and an added step nearby to a moved one.
  private func joinMoved(_ found: inout [Pair], _ lane: Lane, _ other: Lane) {
    var missing: [Int32: [Int]] = [:]
    for (index, pair) in found.enumerated() where pair.b < 0 {
      missing[a.contents.exact[Int(lane.steps[Int(pair.a)])], default: []].append(index)
    }
    guard !missing.isEmpty else { return }
    // Number of missing steps that are too far before the current step.
    var passed: [Int32: Int] = [:]
    var dead: Set<Int> = [], taken: Set<Int> = []
    for (index, pair) in found.enumerated() where pair.a < 0 {
      let content = b.contents.exact[Int(other.steps[Int(pair.b)])]
      guard let indices = missing[content] else { continue }
      var start = passed[content] ?? 0
      while start < indices.count, indices[start] < index - Self.maxDistance { start += 1 }
      passed[content] = start
      let near = indices[start...].prefix { $0 <= index + Self.maxDistance }
      guard let position = near.filter({ !taken.contains($0) }).min(by: { abs($0 - index) < abs($1 - index) }) else { continue }
      taken.insert(position)
      dead.insert(index)
      var moved = self.pair(Int(found[position].a), Int(pair.b), lane, other)
      moved.isMoved = true
      moved.count = max(found[position].count, pair.count)
      found[position] = moved
    }
    if !dead.isEmpty { found = found.enumerated().filter { !dead.contains($0.offset) }.map(\.element) }
  }
}
