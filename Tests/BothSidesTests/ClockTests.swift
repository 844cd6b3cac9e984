import Testing

@testable import BothSides

/// Two clocks that differ by an offset and a drift, estimated from packets in both directions.
@Suite struct ClockRelationTests {
  /// Packets of a session: sent packets wait for the next connection event, received packets arrive at once or a little later.
  static func anchors(count: Int, offset: Int64, drift: Double, interval: Int64 = 30_000, seed: UInt64 = 1) -> [ClockRelation.Anchor] {
    var chance = Chance(seed)
    var result: [ClockRelation.Anchor] = []
    for number in 0..<count {
      let event = 1_000_000_000 + Int64(number) * 4 * interval
      let isSent = number % 2 == 0
      let wait = isSent ? Int64(chance.below(UInt64(interval))) : 150 + Int64(chance.below(600))
      let host = isSent ? event - wait : event + wait
      let air = event + offset + Int64((Double(event - 1_000_000_000) * drift / 1_000_000).rounded())
      result.append(ClockRelation.Anchor(host: host, air: air, isSent: isSent))
    }
    return result
  }

  @Test(arguments: [
    (Int64(0), 0.0), (2_345_678, 18.2), (-86_400_000_000, -37.0), (1_700_000_000_000_000, 120.0), (-1_700_000_000_000_000, -250.0),
  ])
  func findsOffsetAndDrift(offset: Int64, drift: Double) throws {
    for seed in UInt64(1)...8 {
      let clock = try #require(ClockRelation(Self.anchors(count: 400, offset: offset, drift: drift, seed: seed)))
      let error = try #require(clock.error)
      for time in stride(from: Int64(1_000_000_000), through: 1_047_000_000, by: 5_000_000) {
        let truth = time + offset + Int64((Double(time - 1_000_000_000) * drift / 1_000_000).rounded())
        #expect(abs(Double(clock.airTime(time) - truth)) <= error + 2, "told \(error) µs, is off by \(clock.airTime(time) - truth)")
        #expect(abs(clock.hostTime(clock.airTime(time)) - time) <= 2)
      }
      #expect(error < 3_000, "with so many packets the bounds lie close together")
      #expect(abs(clock.drift - drift) <= max(clock.driftError, 5), "\(clock.drift) ± \(clock.driftError), is \(drift)")
    }
  }

  @Test func leavesOutWhatContradicts() throws {
    var anchors = Self.anchors(count: 200, offset: 1000, drift: 5)
    // A packet that was matched with another one with the same bytes, ten seconds earlier.
    anchors[40].air -= 10_000_000
    anchors[120].air -= 3_000_000
    let clock = try #require(ClockRelation(anchors))
    #expect(abs(clock.airTime(1_010_000_000) - 1_010_001_050) < 2_000)
  }

  @Test func refusesWhatFitsNoClock() {
    var chance = Chance(7)
    let anchors = (0..<100).map { number in
      ClockRelation.Anchor(host: Int64(number) * 100_000, air: Int64(chance.below(10_000_000)), isSent: number % 2 == 0)
    }
    #expect(ClockRelation(anchors) == nil)
    #expect(ClockRelation(Array(anchors.prefix(2))) == nil)
  }

  @Test func tellsNoErrorWhereOnlyOneDirectionWasHeard() throws {
    let clock = try #require(ClockRelation(Self.anchors(count: 50, offset: 500, drift: 0).filter(\.isSent)))
    #expect(clock.error == nil)
  }

  /// Extreme times do not trap, as far as sessions keep them.
  @Test func survivesAnyTimes() {
    let times: [Int64] = [0, -1, 1 << 60, -(1 << 60), 1 << 59]
    for first in times {
      for second in times {
        let anchors = [(first, second, true), (second, first, false), (0, first, true), (second, 5, false)].map {
          ClockRelation.Anchor(host: $0.0, air: $0.1, isSent: $0.2)
        }
        _ = ClockRelation(anchors)?.hostTime(first)
      }
    }
  }
}

/// Pseudorandom numbers, the same in every run.
struct Chance {
  private var state: UInt64
  init(_ seed: UInt64) { state = seed &* 0x9E37_79B9_7F4A_7C15 | 1 }

  mutating func below(_ bound: UInt64) -> UInt64 {
    state ^= state << 13
    state ^= state >> 7
    state ^= state << 17
    return state % bound
  }
}
