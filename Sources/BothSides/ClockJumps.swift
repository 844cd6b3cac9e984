/// Where one of two clocks jumps against the other: a host's clock is set by the network, or by its user, while the log goes on.
enum ClockJumps {
  /// The first PDUs behind a jump: indices into those of the host and of the air.
  struct Place: Equatable {
    var host: Int, air: Int
    /// How much the host's clock is ahead of before, or the sniffer's behind, µs.
    var jump: Int64 = 0
    /// The packets behind which it lies, and at or before which: in the numbers of each capture.
    var frames = (host: 0..<0, air: 0..<0)

    static func == (one: Place, other: Place) -> Bool { one.host == other.host && one.air == other.air }
  }

  /// Whose clock jumps at a place, where the times of each capture tell by themselves: recorders number packets as they come, so that a time
  /// before that of the packet before shows a clock that was set back; and a clock was set ahead where only its capture shows the time that
  /// it claims to have passed. Nil where they do not tell.
  static func clock(_ place: Place, _ host: RecordedSession, _ air: RecordedSession) -> SessionMatch.Clock? {
    guard let own = host.steps(in: place.frames.host, of: place.jump.magnitude / 2),
      let other = air.steps(in: place.frames.air, of: place.jump.magnitude / 2), !(own.isBack && other.isBack)
    else { return nil }
    let (back, ahead, still) = place.jump < 0 ? (own, other, own) : (other, own, other)
    if back.isBack { return place.jump < 0 ? .host : .sniffer }
    return ahead.isAhead && !still.isAhead && !ahead.isBack ? (place.jump < 0 ? .sniffer : .host) : nil
  }

  /// Most jumps that are followed.
  static let maxCount = 15
  /// So many packets in a row agree with each other before a jump, and so many behind it.
  static let run = 4
  /// How far packets of one clock lie apart: what a controller lets wait. Less than twice this is no jump. In µs.
  static let spread: Int64 = 500_000

  /// A PDU that is the only one of its bytes on both sides.
  private struct Anchor {
    var host: Int, air: Int
    /// The sniffer's time less the host's, µs.
    var difference: Int64
  }

  /// Finds the places, in order. Returns how many there are behind the last that is followed, too.
  static func find(_ host: RecordedSession, _ air: RecordedSession) -> (places: [Place], leftOut: Int) {
    let anchors = anchors(host, air)
    guard anchors.count >= 2 * run else { return ([], 0) }
    var places: [Place] = []
    var leftOut = 0
    var at = run
    while at + run <= anchors.count {
      guard let (before, after) = jump(anchors, at, air) else {
        at += 1
        continue
      }
      if places.count < maxCount {
        // What is sent and what is received may stand in another order in each log.
        var (last, next) = (anchors[at - 1], anchors[at])
        last.host = anchors[(at - run)..<at].map(\.host).max() ?? last.host
        next.host = anchors[at..<(at + run)].map(\.host).min() ?? next.host
        places.append(place(last, next, before: before, after: after, host, air))
      } else {
        leftOut += 1
      }
      at += run
    }
    return (places, leftOut)
  }

  /// The PDUs that are the only ones of their bytes on both sides, by the sniffer's order.
  private static func anchors(_ host: RecordedSession, _ air: RecordedSession) -> [Anchor] {
    // The place of a digest, or -1 where there are several.
    func places(_ session: RecordedSession) -> [UInt64: Int] {
      var known: [UInt64: Int] = [:]
      for (index, pdu) in session.pdus.enumerated() { known[pdu.digest] = known[pdu.digest] == nil ? index : -1 }
      return known
    }
    let (logged, heard) = (places(host), places(air))
    var anchors: [Anchor] = []
    for (index, pdu) in air.pdus.enumerated() where heard[pdu.digest] == index {
      guard let other = logged[pdu.digest], other >= 0 else { continue }
      let one = host.pdus[other]
      let difference = one.isForward ? pdu.start &- one.start : pdu.end &- one.end
      anchors.append(Anchor(host: other, air: index, difference: difference))
    }
    return anchors
  }

  /// The differences before and behind a place where they jump; nil where they do not.
  private static func jump(_ anchors: [Anchor], _ at: Int, _ air: RecordedSession) -> (before: Int64, after: Int64)? {
    // Most places are none, which the two nearest show.
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
    // What the clocks drift apart between both is no jump.
    let passed = air.pdus[anchors[at].air].start &- air.pdus[anchors[at - 1].air].start
    let drifted = Int64(Double(passed.magnitude) * ClockRelation.maxDrift / 1_000_000)
    return (after &- before).magnitude > (2 * spread &+ drifted).magnitude ? (before, after) : nil
  }

  /// The first PDUs behind a jump, which lies somewhere between two packets that both captures have.
  private static func place(
    _ last: Anchor, _ next: Anchor, before: Int64, after: Int64, _ host: RecordedSession, _ air: RecordedSession
  ) -> Place {
    // The step from one PDU to the next that is nearest to the jump of the host's clock.
    let jump = before &- after
    var (index, least) = (next.host, UInt64.max)
    for place in (last.host + 1)...next.host {
      let step = host.pdus[place].end &- host.pdus[place - 1].end
      let distance = (step &- jump).magnitude
      if distance < least { (index, least) = (place, distance) }
    }
    // On the air, what was heard when the host had its first PDU behind the jump, or later.
    let time = host.pdus[index].end &+ after &- 100_000
    let first = ((last.air + 1)...next.air).first { air.pdus[$0].end >= time } ?? next.air
    return Place(
      host: index, air: first, jump: jump, frames: (frames(host, last.host, next.host), frames(air, last.air, next.air)))
  }

  /// The packets from one PDU to another, whichever was completed first.
  private static func frames(_ session: RecordedSession, _ one: Int, _ other: Int) -> Range<Int> {
    let (first, second) = (session.pdus[one].frame, session.pdus[other].frame)
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
