/// Finds jumps of one of two clocks relative to the other: a host's clock may be set by the network, or by its user, during the log.
enum ClockJumps {
  /// The first PDUs after a jump: indices into those of the host and of the air.
  struct Boundary: Equatable {
    var host: Int, air: Int
    /// Amount by which the host's clock jumped ahead, or the sniffer's back, µs.
    var jump: Int64 = 0
    /// The packet before the jump, and the first one that may be after it, as frame numbers of each capture.
    var frames = (host: 0..<0, air: 0..<0)

    static func == (lhs: Boundary, other: Boundary) -> Bool { lhs.host == other.host && lhs.air == other.air }
  }

  /// The clock that jumped, if the times of each capture show it: recorders number packets in order of arrival, so that a time before that of the
  /// previous packet shows a clock that was set back; a clock was set ahead if only its capture shows the time that supposedly passed. Nil where the
  /// times do not show it.
  static func clock(_ boundary: Boundary, _ host: RecordedSession, _ air: RecordedSession) -> SessionMatch.Clock? {
    guard let hostSteps = host.steps(in: boundary.frames.host, of: boundary.jump.magnitude / 2),
      let airSteps = air.steps(in: boundary.frames.air, of: boundary.jump.magnitude / 2), !(hostSteps.isBack && airSteps.isBack)
    else { return nil }
    let (back, ahead, still) = boundary.jump < 0 ? (hostSteps, airSteps, hostSteps) : (airSteps, hostSteps, airSteps)
    if back.isBack { return boundary.jump < 0 ? .host : .sniffer }
    return ahead.isAhead && !still.isAhead && !ahead.isBack ? (boundary.jump < 0 ? .sniffer : .host) : nil
  }

  /// Most jumps that are used.
  static let maxCount = 15
  /// Number of consecutive packets that agree before a jump, and after it.
  static let run = 4
  /// Largest difference between packets with one clock, because a controller may delay them. Less than twice this is no jump. In µs.
  static let spread: Int64 = 500_000

  /// A PDU whose bytes occur only once on both sides.
  private struct Anchor {
    var host: Int, air: Int
    /// The sniffer's time less the host's, µs.
    var difference: Int64
  }

  /// Finds the jumps, in order. Also returns the number of further jumps after ``maxCount``.
  static func find(_ host: RecordedSession, _ air: RecordedSession) -> (boundaries: [Boundary], leftOut: Int) {
    let anchors = anchors(host, air)
    guard anchors.count >= 2 * run else { return ([], 0) }
    var boundaries: [Boundary] = []
    var leftOut = 0
    var at = run
    while at + run <= anchors.count {
      guard let (before, after) = jump(anchors, at, air) else {
        at += 1
        continue
      }
      if boundaries.count < maxCount {
        // Sent and received PDUs may be in different order in the two logs.
        var (last, next) = (anchors[at - 1], anchors[at])
        last.host = anchors[(at - run)..<at].map(\.host).max() ?? last.host
        next.host = anchors[at..<(at + run)].map(\.host).min() ?? next.host
        boundaries.append(boundary(last, next, before: before, after: after, host, air))
      } else {
        leftOut += 1
      }
      at += run
    }
    return (boundaries, leftOut)
  }

  /// The PDUs whose bytes occur only once on both sides, in the sniffer's order.
  private static func anchors(_ host: RecordedSession, _ air: RecordedSession) -> [Anchor] {
    // The index of each digest, or -1 where there are several.
    func uniqueIndices(_ session: RecordedSession) -> [UInt64: Int] {
      var known: [UInt64: Int] = [:]
      for (index, pdu) in session.pdus.enumerated() { known[pdu.digest] = known[pdu.digest] == nil ? index : -1 }
      return known
    }
    let (logged, heard) = (uniqueIndices(host), uniqueIndices(air))
    var anchors: [Anchor] = []
    for (index, pdu) in air.pdus.enumerated() where heard[pdu.digest] == index {
      guard let other = logged[pdu.digest], other >= 0 else { continue }
      let candidate = host.pdus[other]
      let difference = candidate.isForward ? pdu.start &- candidate.start : pdu.end &- candidate.end
      anchors.append(Anchor(host: other, air: index, difference: difference))
    }
    return anchors
  }

  /// The differences before and after a possible jump; nil where there is none.
  private static func jump(_ anchors: [Anchor], _ at: Int, _ air: RecordedSession) -> (before: Int64, after: Int64)? {
    // Most candidates are no jumps, which the two nearest anchors show.
    let step = anchors[at].difference &- anchors[at - 1].difference
    guard step.magnitude > spread.magnitude, let last = anchors[(at - run)..<at].map(\.host).max(),
      let next = anchors[at..<(at + run)].map(\.host).min(), last < next
    else { return nil }
    func agreed(_ range: Range<Int>) -> Int64? {
      let sorted = anchors[range].map(\.difference).sorted()
      guard let first = sorted.first, let last = sorted.last, last &- first <= spread else { return nil }
      return sorted[sorted.count / 2]
    }
    guard let before = agreed((at - run)..<at), let after = agreed(at..<(at + run)) else { return nil }
    // Clock drift between the two is no jump.
    let passed = air.pdus[anchors[at].air].start &- air.pdus[anchors[at - 1].air].start
    let drifted = Int64(Double(passed.magnitude) * ClockRelation.maxDrift / 1_000_000)
    return (after &- before).magnitude > (2 * spread &+ drifted).magnitude ? (before, after) : nil
  }

  /// The first PDUs after a jump, which is somewhere between two packets that both captures have.
  private static func boundary(
    _ last: Anchor, _ next: Anchor, before: Int64, after: Int64, _ host: RecordedSession, _ air: RecordedSession
  ) -> Boundary {
    // The step from one PDU to the next that is nearest to the jump of the host's clock.
    let jump = before &- after
    var (index, minimum) = (next.host, UInt64.max)
    for position in (last.host + 1)...next.host {
      let step = host.pdus[position].end &- host.pdus[position - 1].end
      let distance = (step &- jump).magnitude
      if distance < minimum { (index, minimum) = (position, distance) }
    }
    // On the air, the first PDU that was received when the host had its first PDU after the jump, or later.
    let time = host.pdus[index].end &+ after &- 100_000
    let first = ((last.air + 1)...next.air).first { air.pdus[$0].end >= time } ?? next.air
    return Boundary(
      host: index, air: first, jump: jump, frames: (frames(host, last.host, next.host), frames(air, last.air, next.air)))
  }

  /// The frames from one PDU to another, regardless of their order.
  private static func frames(_ session: RecordedSession, _ start: Int, _ other: Int) -> Range<Int> {
    let (first, second) = (session.pdus[start].frame, session.pdus[other].frame)
    return min(first, second)..<max(first, second)
  }
}

extension RecordedSession {
  /// The same with some of its PDUs only.
  func part(_ range: Range<Int>) -> RecordedSession {
    var part = self
    part.pdus = range.lowerBound <= range.upperBound ? Array(pdus[range.clamped(to: 0..<pdus.count)]) : []
    return part
  }
}
