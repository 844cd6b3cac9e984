/// The difference between the clocks of two captures, over time.
public struct ClockRelation: Sendable, Equatable {
  /// A packet that both captures have.
  struct Anchor {
    /// By the host's clock, µs.
    var host: Int64
    /// By the sniffer's clock, µs.
    var air: Int64
    /// The host sent it: then it is on the air later than in the host's log. Received PDUs are on the air earlier.
    var isSent: Bool
  }

  /// Time of the host at which ``offset`` applies, µs since 1970.
  public private(set) var reference: Int64
  /// The sniffer's clock less the host's at the reference, µs.
  public private(set) var offset: Double
  /// Change of the difference, µs per second (parts per million).
  public private(set) var drift: Double
  /// Estimated error of ``drift``, in ppm.
  public private(set) var driftError: Double
  /// Largest error of a converted time, µs; nil if all packets have one direction, which does not bound it.
  public private(set) var error: Double?

  /// Sleep clocks of Bluetooth devices are off by at most 500 ppm (Core, Vol 6, Part B, 4.2.2); the clocks for time stamps of hosts and sniffers are
  /// better.
  static let maxDrift = 500.0

  /// The time of the host at which the sniffer's clock shows `air`.
  public func hostTime(_ air: Int64) -> Int64 {
    let since = Double(air &- reference) - offset
    return reference &+ Self.whole(since / (1 + drift / 1_000_000))
  }

  /// The time of the sniffer's clock at a time of the host.
  public func airTime(_ host: Int64) -> Int64 {
    let since = Double(host &- reference)
    return reference &+ Self.whole(since + offset + since * drift / 1_000_000)
  }

  private static func whole(_ value: Double) -> Int64 {
    abs(value) < 4e18 ? Int64(value.rounded()) : 0
  }

  /// Fits the line with the largest margin: differences of received PDUs are below it, those of sent PDUs above it. Contradicting packets, at most
  /// one in twenty, are left out. Nil where more contradict, or there are less than three.
  init?(_ anchors: [Anchor]) {
    guard anchors.count >= 3, let base = anchors.map(\.host).min(), let end = anchors.map(\.host).max() else { return nil }
    let middle = base + (end - base) / 2
    // Only few packets bound the line: the best of each of many time spans.
    var points: (sent: [Point], received: [Point]) = ([], [])
    let width = max(1, (end - base) / 256 + 1)
    let sorted = anchors.map { anchor in
      (
        span: (anchor.host - base) / width, isSent: anchor.isSent, at: Double(anchor.host - middle),
        difference: Double(anchor.air - anchor.host)
      )
    }.sorted { ($0.span, $0.difference) < ($1.span, $1.difference) }
    // For fewer, longer spans: the packet of each direction with the shortest delay.
    var nearest: (sent: [Point], received: [Point]) = ([], [])
    var lastSpan = (sent: Int64(-1), received: Int64(-1))
    var index = 0
    while index < sorted.count {
      var next = index
      while next < sorted.count, sorted[next].span == sorted[index].span { next += 1 }
      points.sent += sorted[index..<next].filter(\.isSent).prefix(3).map { Point($0.at, $0.difference) }
      points.received += sorted[index..<next].filter { !$0.isSent }.suffix(3).map { Point($0.at, $0.difference) }
      index = next
    }
    for point in points.sent {
      let span = (Int64(point.x) + middle - base) / (width * 8)
      if span != lastSpan.sent {
        nearest.sent.append(point)
        lastSpan.sent = span
      } else if let last = nearest.sent.last, point.y < last.y {
        nearest.sent[nearest.sent.count - 1] = point
      }
    }
    for point in points.received {
      let span = (Int64(point.x) + middle - base) / (width * 8)
      if span != lastSpan.received {
        nearest.received.append(point)
        lastSpan.received = span
      } else if let last = nearest.received.last, point.y > last.y {
        nearest.received[nearest.received.count - 1] = point
      }
    }
    reference = middle
    guard !points.sent.isEmpty, !points.received.isEmpty else {
      let point = points.sent.isEmpty ? points.received.max { $0.y < $1.y } : points.sent.min { $0.y < $1.y }
      (offset, drift, driftError, error) = (point?.y ?? 0, 0, Self.maxDrift, nil)
      return
    }
    var contradictions = max(1, anchors.count / 20)
    while true {
      let bounds = Bounds(sent: points.sent, received: points.received)
      let slope = Self.best(-Self.maxDrift, Self.maxDrift) { bounds.margin($0) }
      let margin = bounds.margin(slope)
      // Hosts' time stamps are sometimes taken some µs late.
      if margin >= -200 {
        self = Self.line(
          bounds, Self.likely(nearest, bounds) ?? (slope, Self.maxDrift), (slope, margin), middle, half: Double(end - base) / 2)
        return
      }
      guard contradictions > 0 else { return nil }
      contradictions -= 1
      let (sent, received) = bounds.binding(slope)
      var without = (sent: points.sent, received: points.received)
      without.sent.remove(at: sent)
      without.received.remove(at: received)
      let isSent =
        Self.supported(without.sent, points.received, -Self.maxDrift, Self.maxDrift)
        > Self.supported(points.sent, without.received, -Self.maxDrift, Self.maxDrift)
      if isSent { points.sent = without.sent } else { points.received = without.received }
      if points.sent.isEmpty || points.received.isEmpty { return nil }
    }
  }

  private init(_ reference: Int64, _ offset: Double, _ drift: Double, _ driftError: Double, _ error: Double) {
    (self.reference, self.offset, self.drift, self.driftError, self.error) = (reference, offset, drift, driftError, error)
  }

  /// The clocks, if the packets allow the drift `slope`: the offset is between the bounds of both directions. A host usually has some received
  /// packets within a millisecond; a sent packet may always wait for a connection event. So the offset is near the bound of received packets, and the
  /// error extends to the other bound.
  private static func line(
    _ bounds: Bounds, _ likely: (slope: Double, deviation: Double), _ widest: (slope: Double, margin: Double), _ middle: Int64, half: Double
  ) -> ClockRelation {
    let (low, high) = bounds.offsets(likely.slope)
    let offset = low + min((high - low) / 2, 500)
    var error = abs(high - low) / 2
    // All drifts that the packets allow.
    var edges = (low: likely.slope, high: likely.slope)
    if widest.margin > 0 {
      edges.low = edge(from: widest.slope, to: -maxDrift) { bounds.margin($0) >= 0 }
      edges.high = edge(from: widest.slope, to: maxDrift) { bounds.margin($0) >= 0 }
    }
    for at in [-half, half] {
      let chosen = offset + likely.slope * at / 1_000_000
      let highest = bounds.highest(at, best(edges.low, edges.high) { bounds.highest(at, $0) })
      let lowest = bounds.lowest(at, best(edges.low, edges.high) { -bounds.lowest(at, $0) })
      error = max(error, highest - chosen, chosen - lowest)
    }
    return ClockRelation(middle, offset, likely.slope, likely.deviation, error)
  }

  /// The likely drift: the slope through the packets with the least delay, of received ones if there are enough, else of sent ones. 0 where the slope
  /// is not significant.
  private static func likely(_ nearest: (sent: [Point], received: [Point]), _ bounds: Bounds) -> (slope: Double, deviation: Double)? {
    guard let shown = slope(nearest.received) ?? slope(nearest.sent) else { return nil }
    if abs(shown.slope) <= 2 * shown.deviation, bounds.margin(0) >= 0 { return (0, shown.deviation) }
    return abs(shown.slope) <= maxDrift && bounds.margin(shown.slope) >= -200 ? shown : nil
  }

  /// The farthest value from `start` on for which `holds` is true, if it is true for all values before it.
  private static func edge(from start: Double, to end: Double, _ holds: (Double) -> Bool) -> Double {
    if holds(end) { return end }
    var (inside, outside) = (start, end)
    for _ in 0..<50 {
      let middle = (inside + outside) / 2
      if holds(middle) { inside = middle } else { outside = middle }
    }
    return inside
  }

  /// The drift from the nearest packets of each time span: the median of all pairs, and its estimated error, in ppm.
  private static func slope(_ points: [Point]) -> (slope: Double, deviation: Double)? {
    guard points.count >= 3, let first = points.map(\.x).min(), let last = points.map(\.x).max(), last > first else { return nil }
    var slopes: [Double] = []
    for (index, point) in points.enumerated() {
      for other in points[(index + 1)...] where abs(other.x - point.x) * 4 >= last - first {
        slopes.append((other.y - point.y) / (other.x - point.x) * 1_000_000)
      }
    }
    guard !slopes.isEmpty else { return nil }
    slopes.sort()
    let slope = slopes[slopes.count / 2]
    let rests = points.map { $0.y - slope * $0.x / 1_000_000 }.sorted()
    let middle = rests[rests.count / 2]
    let spread = rests.map { abs($0 - middle) }.sorted()[rests.count / 2]
    return (slope, 3 * max(spread, 20) / (last - first) * 1_000_000 / Double(points.count).squareRoot())
  }

  /// A time since the reference in µs, and the difference of the clocks at that time.
  private struct Point {
    var x: Double, y: Double
    init(_ x: Double, _ y: Double) { (self.x, self.y) = (x, y) }
  }

  /// The bounds from packets of both directions.
  private struct Bounds {
    var sent: [Point]
    var received: [Point]

    /// The lowest and highest offsets for a drift; contradictory if the first is larger.
    func offsets(_ slope: Double) -> (low: Double, high: Double) {
      var low = -Double.infinity
      var high = Double.infinity
      for point in received { low = max(low, point.y - slope * point.x / 1_000_000) }
      for point in sent { high = min(high, point.y - slope * point.x / 1_000_000) }
      return (low, high)
    }

    /// The margin between both directions, a concave function of the drift.
    func margin(_ slope: Double) -> Double {
      let (low, high) = offsets(slope)
      return high - low
    }

    func highest(_ at: Double, _ slope: Double) -> Double { offsets(slope).high + slope * at / 1_000_000 }
    func lowest(_ at: Double, _ slope: Double) -> Double { offsets(slope).low + slope * at / 1_000_000 }

    /// The packets of both directions that limit the margin.
    func binding(_ slope: Double) -> (sent: Int, received: Int) {
      func value(_ point: Point) -> Double { point.y - slope * point.x / 1_000_000 }
      let first = sent.indices.min { value(sent[$0]) < value(sent[$1]) } ?? 0
      let second = received.indices.max { value(received[$0]) < value(received[$1]) } ?? 0
      return (first, second)
    }
  }

  private static func supported(_ sent: [Point], _ received: [Point], _ low: Double, _ high: Double) -> Double {
    guard !sent.isEmpty, !received.isEmpty else { return -.infinity }
    let bounds = Bounds(sent: sent, received: received)
    return bounds.margin(best(low, high) { bounds.margin($0) })
  }

  /// The maximum of a concave function, by golden-section search.
  private static func best(_ low: Double, _ high: Double, _ function: (Double) -> Double) -> Double {
    var (low, high) = (low, high)
    for _ in 0..<60 {
      let first = low + (high - low) * 0.382
      let second = low + (high - low) * 0.618
      if function(first) < function(second) { low = first } else { high = second }
    }
    return (low + high) / 2
  }
}
