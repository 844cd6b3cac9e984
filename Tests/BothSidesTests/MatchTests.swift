import Testing

@testable import BothSides

/// Sessions that are made up: which PDU of the host is which of the air is known.
@Suite struct SessionMatchTests {
  /// A host's log and what a sniffer heard of it.
  struct Scene {
    var host = RecordedSession()
    var air = RecordedSession()
    /// Of each PDU of the host that of the air, or -1.
    var truth: [Int32] = []
    let offset: Int64

    init(offset: Int64 = 1_234_567, connections: Int = 1) {
      self.offset = offset
      for number in 0..<connections {
        var logged = RecordedSession.Connection()
        (logged.handle, logged.isCentral, logged.interval) = (0x40 + UInt16(number), true, 30_000)
        host.connections.append(logged)
        var heard = RecordedSession.Connection()
        (heard.handle, heard.accessAddress) = (UInt16(number) + 1, 0x5000_0000 + UInt32(number))
        air.connections.append(heard)
      }
    }

    /// A PDU: what it is, when the host had it, how long it was on its way; nil where the sniffer missed it.
    mutating func add(
      _ content: UInt64, at time: Int64, wait: Int64? = 10_000, isSent: Bool = true, connection: Int32 = 0, isLogged: Bool = true
    ) {
      if let wait {
        let heard = time + offset + (isSent ? wait : -wait)
        let place = Int32(air.transmissions.count)
        air.transmissions.append(.init(frame: air.pdus.count + 1, time: heard, channel: 3, isRepeated: false))
        air.pdus.append(
          .init(
            digest: content &* 0x9E37_79B9_7F4A_7C15, frame: air.pdus.count + 1, start: heard, end: heard, connection: connection,
            length: 9,
            isForward: isSent, first: place, last: place))
      }
      guard isLogged else { return }
      host.pdus.append(
        .init(
          digest: content &* 0x9E37_79B9_7F4A_7C15, frame: host.pdus.count + 1, start: time, end: time, connection: connection, length: 9,
          isForward: isSent))
      truth.append(wait == nil ? -1 : Int32(air.pdus.count - 1))
    }

    /// Requests and answers that are all different.
    mutating func talk(from start: Int64, count: Int, seed: UInt64 = 1, connection: Int32 = 0) {
      var chance = Chance(seed)
      for number in 0..<count {
        let time = start + Int64(number) * 100_000
        add(UInt64(number) * 2 + seed * 1_000_003, at: time, wait: 200 + Int64(chance.below(29_000)), connection: connection)
        add(
          UInt64(number) * 2 + 1 + seed * 1_000_003, at: time + 60_000, wait: 100 + Int64(chance.below(500)), isSent: false,
          connection: connection)
      }
    }
  }

  /// The same request all the time, some of which the sniffer missed: those that it heard belong to none but their own.
  @Test func matchesWhatRepeatsInItsPlace() throws {
    for seed in UInt64(1)...20 {
      var chance = Chance(seed)
      var scene = Scene()
      scene.talk(from: 0, count: 10, seed: seed)
      for number in 0..<200 {
        let time = 1_000_000 + Int64(number) * 120_000
        scene.add(77, at: time, wait: chance.below(8) == 0 ? nil : 500 + Int64(chance.below(28_000)))
        scene.add(78, at: time + 60_000, wait: chance.below(8) == 0 ? nil : 100 + Int64(chance.below(500)), isSent: false)
      }
      scene.talk(from: 26_000_000, count: 10, seed: seed + 100)
      let match = try SessionMatch(scene.host, scene.air)
      #expect(match.heard == scene.truth, "seed \(seed)")
    }
  }

  /// What is one of its kind is found however long it waited.
  @Test func findsWhatWaitedLong() throws {
    var scene = Scene()
    scene.talk(from: 0, count: 20)
    scene.add(500, at: 3_000_000, wait: 4_800_000)
    scene.talk(from: 8_000_000, count: 20, seed: 9)
    let match = try SessionMatch(scene.host, scene.air)
    #expect(match.heard == scene.truth)
    #expect(abs(match.wait(host: 40, air: 40) - 4_800_000) < 1_000 + Int64(match.clock.error ?? 0))
  }

  @Test func tellsWhatOnlyOneSideHas() throws {
    var scene = Scene()
    scene.talk(from: 0, count: 20)
    scene.add(900, at: 2_100_000, wait: nil)
    scene.add(901, at: 2_200_000, isSent: false, isLogged: false)
    scene.talk(from: 2_400_000, count: 20, seed: 5)
    let match = try SessionMatch(scene.host, scene.air)
    #expect(match.unheard == [40])
    #expect(match.unlogged == [40])
  }

  /// Where packets could not be opened, or the sniffer had lost the connection, nobody knows whether it heard one.
  @Test func saysNothingOfWhatItCannotKnow() throws {
    var scene = Scene()
    scene.talk(from: 0, count: 20)
    scene.add(900, at: 2_100_000, wait: nil)
    scene.talk(from: 2_400_000, count: 20, seed: 5)
    scene.air.connections[0].closed = [2_150_000 + scene.offset]
    #expect(try SessionMatch(scene.host, scene.air).unheard.isEmpty)

    var lost = Scene()
    lost.talk(from: 0, count: 20)
    lost.add(900, at: 20_000_000, wait: nil)
    lost.talk(from: 40_000_000, count: 20, seed: 5)
    #expect(try SessionMatch(lost.host, lost.air).unheard.isEmpty)

    var end = Scene()
    end.talk(from: 0, count: 20)
    end.add(900, at: 2_100_000, wait: nil)
    #expect(try SessionMatch(end.host, end.air).unheard.isEmpty)

    var cut = Scene()
    cut.talk(from: 0, count: 20)
    cut.add(900, at: 2_100_000, wait: nil)
    cut.talk(from: 2_400_000, count: 20, seed: 5)
    cut.host.connections[0].cut = 1
    #expect(try SessionMatch(cut.host, cut.air).unheard.isEmpty)
  }

  /// Two connections that say the same: their times tell which is which.
  @Test func tellsConnectionsApart() throws {
    var scene = Scene(connections: 2)
    scene.talk(from: 0, count: 15, seed: 3)
    scene.talk(from: 7_300_000, count: 15, seed: 3, connection: 1)
    // The numbers of the air's connections say nothing.
    for index in scene.air.pdus.indices { scene.air.pdus[index].connection = 1 - scene.air.pdus[index].connection }
    let match = try SessionMatch(scene.host, scene.air)
    #expect(match.heard == scene.truth)
    #expect(match.links.map(\.air) == [1, 0])
  }

  /// Of two connections that say the same the sniffer heard one: nobody knows which.
  @Test func refusesWhatFitsTwice() {
    var scene = Scene(connections: 2)
    scene.talk(from: 0, count: 15, seed: 3)
    scene.talk(from: 7_300_000, count: 15, seed: 3, connection: 1)
    scene.air.pdus.removeLast(30)
    #expect(throws: SessionMatch.Failure.ambiguous) { try SessionMatch(scene.host, scene.air) }
  }

  @Test func refusesOtherSessions() {
    var scene = Scene()
    scene.talk(from: 0, count: 30, seed: 1)
    var other = Scene()
    other.talk(from: 0, count: 30, seed: 2)
    #expect(throws: SessionMatch.Failure.nothingInCommon) { try SessionMatch(scene.host, other.air) }
    #expect(throws: SessionMatch.Failure.noAirData) { try SessionMatch(scene.host, RecordedSession()) }
    #expect(throws: SessionMatch.Failure.noHostData) { try SessionMatch(RecordedSession(), scene.air) }
  }

  /// The same bytes in another order of time are another session.
  @Test func refusesTheSameBytesAtOtherTimes() {
    var scene = Scene()
    scene.talk(from: 0, count: 30)
    var chance = Chance(4)
    for index in scene.air.pdus.indices {
      let time = Int64(chance.below(400_000)) + Int64(index) * 10_000
      (scene.air.pdus[index].start, scene.air.pdus[index].end) = (time, time)
    }
    #expect(throws: SessionMatch.Failure.contradictory) { try SessionMatch(scene.host, scene.air) }
  }

  /// The log of the peripheral's host: it sends what the central receives.
  @Test func matchesThePeripheral() throws {
    var scene = Scene()
    scene.talk(from: 0, count: 20)
    for role in [Bool?.some(false), nil] {
      var other = scene
      other.host.connections[0].isCentral = role
      for index in other.air.pdus.indices { other.air.pdus[index].isForward.toggle() }
      let match = try SessionMatch(other.host, other.air)
      #expect(match.heard == scene.truth)
      #expect(match.links.first?.isCentral == false)
    }
  }

  @Test func joinsWhatTwoSniffersHeard() throws {
    var scene = Scene()
    scene.talk(from: 0, count: 20)
    scene.add(900, at: 2_100_000, wait: 5_000)
    scene.talk(from: 2_400_000, count: 20, seed: 5)
    var deaf = scene.air
    deaf.pdus.remove(at: 40)
    for index in deaf.pdus.indices {
      deaf.pdus[index].start += 55_000_000
      deaf.pdus[index].end += 55_000_000
    }
    var side = AirSide(scene.host)
    side.add(deaf, name: "deaf")
    #expect(side.isUnheard(41))
    side.add(scene.air, name: "other")
    #expect(!side.isUnheard(41))
    #expect(side.heard(41)?.capture == 1)
    #expect(side.figures.first?.unheard == 0)
    #expect(side.figures.first?.matched == 81)
  }
}
