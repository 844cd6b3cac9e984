@_spi(Pipeline) import Analysis
import Conversations

/// Compares the connections of a device, lane by lane.
struct SessionComparison {
  private let a: CaptureComparison.Side, b: CaptureComparison.Side
  private let shapes: [StepKeys.Shape]
  private let differences: StepDifferences
  private let device: Int
  /// Pairs that may still be searched for the best match, over all gaps.
  private var budget = 2_000_000

  typealias Row = CaptureDifferences.Row

  /// Gaps of more pairs are not searched for the best one.
  private static let mostPairs = 10_000
  /// A step that stands further away is not moved, but another.
  private static let mostDistance = 48

  init(
    _ a: CaptureComparison.Side, _ b: CaptureComparison.Side, _ shapes: [StepKeys.Shape], _ differences: StepDifferences, device: Int
  ) {
    self.a = a
    self.b = b
    self.shapes = shapes
    self.differences = differences
    self.device = device
  }

  /// Adds what is another in the connections of a device, of which `pairs` belong together.
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
    for place in sessionsA.indices where !matched.contains(place) {
      Self.addWhole([sessionsA[place]], .removed, a, device: device, &number, &result)
    }
    for place in sessionsB.indices where ofB[place] == nil {
      // It stands behind the connection before it.
      let before = (0..<place).last { ofB[$0] != nil }.flatMap { ofB[$0] }.flatMap { sessionsA[$0].steps.last }
      Self.addWhole(
        [sessionsB[place]], .added, b, device: device, &number, &result, after: before.map { Int(a.recording.steps[Int($0)].frame) })
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
      result.rows.append(row)
      for place in session.steps {
        let one = side.recording.steps[Int(place)]
        guard result.aligned.count < 2 * CaptureDifferences.mostAligned else {
          result.unaligned += 1
          continue
        }
        let isA = change == .removed
        result.aligned.append(
          CaptureDifferences.Aligned(
            a: isA ? one.number : -1, b: isA ? -1 : one.number, row: -1, counts: isA ? [1, 0] : [0, 1], device: device,
            order: isA ? (Int(one.frame), 0, 0) : (row.order.0, 2, Int(one.frame))))
      }
      number += 1
    }
  }

  // MARK: A pair of connections

  /// A pair of items of a lane, or one of one capture.
  private struct Found {
    var a: LaneItem?, b: LaneItem?
    var what: [CaptureDifferences.FieldChange] = []
    var isMoved = false
  }

  private mutating func compare(
    _ one: ComparedDevice.Session, _ other: ComparedDevice.Session, _ number: Int, _ result: inout CaptureDifferences
  ) {
    let lanesA = Lanes.lanes(of: one, a.recording, a.keys, shapes, a.contents.bare)
    let lanesB = Lanes.lanes(of: other, b.recording, b.keys, shapes, b.contents.bare)
    var found: [Found] = []
    for lane in Set(lanesA.keys).union(lanesB.keys).sorted() {
      found += align(lanesA[lane] ?? [], lanesB[lane] ?? [], isOfRequests: lane == StepKeys.requests)
    }
    leaveOutUnseen(&found, one, other, &result)
    // Where what only the second capture has stands in the first: behind the last pair before it.
    var anchors = found.compactMap { pair -> (b: Int32, a: Int32)? in
      guard let a = pair.a, let b = pair.b, !pair.isMoved else { return nil }
      return (b.step, a.step)
    }
    anchors.sort { $0.b < $1.b }
    let start = one.steps.first.map { Int(a.recording.steps[Int($0)].frame) } ?? 0
    for pair in found {
      let order: (Int, Int, Int)
      if let item = pair.a {
        order = (Int(a.recording.steps[Int(item.step)].frame), 0, 0)
      } else if let item = pair.b {
        let frame = Int(b.recording.steps[Int(item.step)].frame)
        let anchor = Self.last(anchors, before: item.step)
        order = (anchor.map { Int(a.recording.steps[Int($0)].frame) } ?? start, 1, frame)
      } else {
        continue
      }
      add(pair, order, number, &result)
    }
  }

  /// What one capture has before the other one began, or after it ended, within the same connection, is no difference: nobody knows.
  private func leaveOutUnseen(
    _ found: inout [Found], _ one: ComparedDevice.Session, _ other: ComparedDevice.Session, _ result: inout CaptureDifferences
  ) {
    guard one.connection >= 0, other.connection >= 0, let startA = one.steps.first, let startB = other.steps.first else { return }
    let (linkA, linkB) = (a.recording.tables.connections[Int(one.connection)], b.recording.tables.connections[Int(other.connection)])
    var first: (a: Int32, b: Int32)?
    for pair in found { if let mine = pair.a?.step, let theirs = pair.b?.step, mine < first?.a ?? .max { first = (mine, theirs) } }
    func time(_ recording: Recording, _ step: Int32) -> Int64 { recording.steps[Int(step)].start }
    // How far the clocks of the two captures are apart.
    let (fromA, fromB) = (time(a.recording, first?.a ?? startA), time(b.recording, first?.b ?? startB))
    let left = a.recording.lastTime &- fromA
    let right = b.recording.lastTime &- fromB
    let before = found.count
    found.removeAll { pair in
      if let item = pair.a, pair.b == nil {
        if linkB.startFrame == 0, linkA.startFrame != 0, let first, item.step < first.a { return true }
        return linkB.endFrame == 0 && time(a.recording, item.step) &- fromA > right
      }
      if let item = pair.b, pair.a == nil {
        if linkA.startFrame == 0, linkB.startFrame != 0, let first, item.step < first.b { return true }
        return linkA.endFrame == 0 && time(b.recording, item.step) &- fromB > left
      }
      return false
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

  private func add(_ pair: Found, _ order: (Int, Int, Int), _ number: Int, _ result: inout CaptureDifferences) {
    let (stepA, stepB) = (pair.a.map { a.recording.steps[Int($0.step)] }, pair.b.map { b.recording.steps[Int($0.step)] })
    if result.aligned.count < 2 * CaptureDifferences.mostAligned {
      result.aligned.append(
        CaptureDifferences.Aligned(
          a: stepA?.number ?? -1, b: stepB?.number ?? -1, row: -1,
          counts: [Int32(clamping: pair.a?.count ?? 0), Int32(clamping: pair.b?.count ?? 0)],
          device: device, order: order))
    } else {
      result.unaligned += 1
    }
    if stepA != nil, stepB != nil, pair.what.isEmpty, !pair.isMoved {
      result.same += 1
      return
    }
    var row = Row(change: pair.isMoved ? .moved : stepB == nil ? .removed : stepA == nil ? .added : .changed)
    row.a = stepA?.number ?? -1
    row.b = stepB?.number ?? -1
    row.stepA = pair.a?.step ?? -1
    row.stepB = pair.b?.step ?? -1
    row.what = pair.what
    row.device = device
    row.session = number
    row.count = max(pair.a?.count ?? 0, pair.b?.count ?? 0)
    row.key = stepA != nil ? a.keys[Int(row.stepA)] : b.keys[Int(row.stepB)]
    row.kind = stepA?.kind ?? stepB?.kind ?? .scan
    row.order = order
    result.rows.append(row)
  }

  // MARK: A lane

  private mutating func align(_ one: [LaneItem], _ other: [LaneItem], isOfRequests: Bool) -> [Found] {
    var found: [Found] = []
    var (lastA, lastB) = (0, 0)
    let exact = SequenceAlignment.pairs(one.map { a.contents.exact[Int($0.step)] }, other.map { b.contents.exact[Int($0.step)] })
    for pair in exact + [(one.count, other.count)] {
      alignBare(one[lastA..<pair.a], other[lastB..<pair.b], &found)
      if pair.a < one.count { found.append(Found(a: one[pair.a], b: other[pair.b], what: what(one[pair.a], other[pair.b]))) }
      (lastA, lastB) = (pair.a + 1, pair.b + 1)
    }
    joinRuns(&found)
    joinMoved(&found)
    if isOfRequests { tellPauses(&found) }
    return found
  }

  /// What is the same but for what varies.
  private mutating func alignBare(_ one: ArraySlice<LaneItem>, _ other: ArraySlice<LaneItem>, _ found: inout [Found]) {
    if one.isEmpty || other.isEmpty { return alignKeys(one, other, &found) }
    var (lastA, lastB) = (one.startIndex, other.startIndex)
    let bare = SequenceAlignment.pairs(one.map { a.contents.bare[Int($0.step)] }, other.map { b.contents.bare[Int($0.step)] })
    for pair in bare.map({ ($0.a + one.startIndex, $0.b + other.startIndex) }) + [(one.endIndex, other.endIndex)] {
      alignKeys(one[lastA..<pair.0], other[lastB..<pair.1], &found)
      if pair.0 < one.endIndex { found.append(Found(a: one[pair.0], b: other[pair.1], what: what(one[pair.0], other[pair.1]))) }
      (lastA, lastB) = (pair.0 + 1, pair.1 + 1)
    }
  }

  /// What means the same and says something else.
  private mutating func alignKeys(_ one: ArraySlice<LaneItem>, _ other: ArraySlice<LaneItem>, _ found: inout [Found]) {
    var pairs: [(a: Int, b: Int)] = []
    if !one.isEmpty, !other.isEmpty {
      if one.count * other.count <= min(Self.mostPairs, budget) {
        budget -= one.count * other.count
        pairs = OrderedMatching.best(one.count, other.count) { similarity(one[one.startIndex + $0], other[other.startIndex + $1]) }
      } else {
        pairs = SequenceAlignment.pairs(one.map { a.keys[Int($0.step)] }, other.map { b.keys[Int($0.step)] })
      }
    }
    var (lastA, lastB) = (one.startIndex, other.startIndex)
    for pair in pairs.map({ ($0.a + one.startIndex, $0.b + other.startIndex) }) + [(one.endIndex, other.endIndex)] {
      for place in lastA..<pair.0 { found.append(Found(a: one[place])) }
      for place in lastB..<pair.1 { found.append(Found(b: other[place])) }
      if pair.0 < one.endIndex { found.append(Found(a: one[pair.0], b: other[pair.1], what: what(one[pair.0], other[pair.1]))) }
      (lastA, lastB) = (pair.0 + 1, pair.1 + 1)
    }
  }

  private func what(_ one: LaneItem, _ other: LaneItem) -> [CaptureDifferences.FieldChange] {
    let key = a.keys[Int(one.step)]
    var what = differences.what(a.recording.steps[Int(one.step)], b.recording.steps[Int(other.step)], key, shapes[Int(key)])
    if differences.isStrict, one.count != other.count {
      what.append(CaptureDifferences.FieldChange(field: "count", a: "\(one.count)", b: "\(other.count)"))
    }
    return what
  }

  /// A host that went on at once, and now waits long before it does.
  private func tellPauses(_ found: inout [Found]) {
    func pause(_ before: LaneItem, _ after: LaneItem, _ recording: Recording) -> Int64 {
      let (one, other) = (recording.steps[Int(before.step)], recording.steps[Int(after.step)])
      return other.start &- one.start &- Int64(max(one.duration, 0))
    }
    for place in found.indices.dropFirst() {
      guard let beforeA = found[place - 1].a, let beforeB = found[place - 1].b, let afterA = found[place].a, let afterB = found[place].b,
        !found[place - 1].isMoved, !found[place].isMoved, max(beforeA.count, beforeB.count, afterA.count, afterB.count) == 1
      else { continue }
      let (usual, now) = (pause(beforeA, afterA, a.recording), pause(beforeB, afterB, b.recording))
      guard usual >= 0, usual < 1_000_000, now >= 10_000_000 else { continue }
      found[place].what.append(
        CaptureDifferences.FieldChange(field: "pause_before", a: "\(usual / 1000) ms", b: "\(now / 1000) ms"))
    }
  }

  /// How much two steps have in common: more than 2 where they mean the same, less than 2 where they are of the same attribute and their messages
  /// are others, else 0.
  private func similarity(_ one: LaneItem, _ other: LaneItem) -> Double {
    let (key, otherKey) = (a.keys[Int(one.step)], b.keys[Int(other.step)])
    if key != otherKey { return shapes[Int(key)].place == shapes[Int(otherKey)].place ? 0.5 : 0 }
    let (mine, theirs) = (a.recording.steps[Int(one.step)], b.recording.steps[Int(other.step)])
    var score = 2.0
    if mine.ending == theirs.ending, mine.status == theirs.status { score += 0.25 }
    let (before, after) =
      mine.message >= 0 && theirs.message >= 0
      ? (a.recording.pool[mine.message], b.recording.pool[theirs.message])
      : (a.recording.pool[mine.value].dropFirst(8), b.recording.pool[theirs.value].dropFirst(8))
    if before.isEmpty, after.isEmpty { return score + 0.5 }
    let equal = zip(before, after).reduce(0) { $0 + ($1.0 == $1.1 ? 1 : 0) }
    return score + 0.5 * Double(equal) / Double(max(before.count, after.count, 1))
  }

  /// A run that something else interrupted is still that run, and what interrupted it stands for one of its steps.
  private func joinRuns(_ found: inout [Found]) {
    func count(_ pair: Found) -> Int { max(pair.a?.count ?? 0, pair.b?.count ?? 0) }
    guard found.contains(where: { count($0) > 1 }) else { return }
    let runs = found.indices.filter { count(found[$0]) > 1 }
    var dead: Set<Int> = []
    for place in found.indices where found[place].a == nil || found[place].b == nil {
      let isOfA = found[place].a != nil
      guard let item = found[place].a ?? found[place].b else { continue }
      let (bare, key) =
        isOfA ? (a.contents.bare[Int(item.step)], a.keys[Int(item.step)]) : (b.contents.bare[Int(item.step)], b.keys[Int(item.step)])
      // The run of the other capture that is nearest.
      var (low, high) = (0, runs.count)
      while low < high {
        let middle = (low + high) / 2
        if runs[middle] < place { low = middle + 1 } else { high = middle }
      }
      for run in runs[max(0, low - 4)..<min(runs.count, low + 4)] where run != place && abs(run - place) <= 24 {
        guard let other = isOfA ? found[run].b : found[run].a else { continue }
        let side = isOfA ? b : a
        if side.contents.bare[Int(other.step)] == bare {
          dead.insert(place)
          break
        }
        if item.count == 1, side.keys[Int(other.step)] == key {
          var single = other
          single.count = 1
          if isOfA { found[place].b = single } else { found[place].a = single }
          if let mine = found[place].a, let theirs = found[place].b { found[place].what = what(mine, theirs) }
          break
        }
      }
    }
    if !dead.isEmpty { found = found.enumerated().filter { !dead.contains($0.offset) }.map(\.element) }
  }

  /// What is missing in one place and stands close by in another was moved.
  private func joinMoved(_ found: inout [Found]) {
    var missing: [Int32: [Int]] = [:]
    for (index, pair) in found.enumerated() {
      if let item = pair.a, pair.b == nil { missing[a.contents.exact[Int(item.step)], default: []].append(index) }
    }
    guard !missing.isEmpty else { return }
    var dead: Set<Int> = []
    for (index, pair) in found.enumerated() {
      guard pair.a == nil, let item = pair.b, let places = missing[b.contents.exact[Int(item.step)]],
        let place = places.min(by: { abs($0 - index) < abs($1 - index) }), abs(place - index) <= Self.mostDistance,
        let other = found[place].a
      else { continue }
      missing[b.contents.exact[Int(item.step)]]?.removeAll { $0 == place }
      found[place].b = item
      found[place].isMoved = true
      found[place].what = what(other, item)
      dead.insert(index)
    }
    if !dead.isEmpty { found = found.enumerated().filter { !dead.contains($0.offset) }.map(\.element) }
  }
}
