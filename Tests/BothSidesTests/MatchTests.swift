import Testing

@testable import BothSides

/// Generated sessions, of which it is known which PDU of the host is which PDU on the air.
@Suite struct SessionMatchTests {
  /// A host's log and a sniffer's capture of it.
  struct Scene {
    var host = RecordedSession()
    var air = RecordedSession()
    /// For each PDU of the host the index of that on the air, or -1.
    var truth: [Int32] = []
    var offset: Int64

    /// The host's clock is set from here on: times that are given are the host's.
    mutating func jump(by amount: Int64) { offset -= amount }

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

    /// A PDU: its content, its time at the host, its delay until it is on the air; nil if the sniffer missed it.
    mutating func add(
      _ content: UInt64, at time: Int64, wait: Int64? = 10_000, isSent: Bool = true, connection: Int32 = 0, isLogged: Bool = true
    ) {
      if let wait {
        let heard = time + offset + (isSent ? wait : -wait)
        let index = Int32(air.transmissions.count)
        air.transmissions.append(.init(frame: air.pdus.count + 1, time: heard, channel: 3, isRepeated: false))
        air.pdus.append(
          .init(
            digest: content &* 0x9E37_79B9_7F4A_7C15, frame: air.pdus.count + 1, start: heard, end: heard, connection: connection,
            length: 9,
            isForward: isSent, first: index, last: index))
      }
      guard isLogged else { return }
      host.pdus.append(
        .init(
          digest: content &* 0x9E37_79B9_7F4A_7C15, frame: host.pdus.count + 1, start: time, end: time, connection: connection, length: 9,
          isForward: isSent))
      truth.append(wait == nil ? -1 : Int32(air.pdus.count - 1))
    }

    /// Requests and responses that all differ.
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

  /// The same request again and again, some of which the sniffer missed: the captured ones are matched with no others.
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

  /// A PDU whose content occurs once is matched however long it was delayed.
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

  /// Where packets could not be decrypted, or the sniffer had lost the connection, a missing PDU is not reported as unheard.
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

  /// Two connections with the same content are distinguished by their times.
  @Test func tellsConnectionsApart() throws {
    var scene = Scene(connections: 2)
    scene.talk(from: 0, count: 15, seed: 3)
    scene.talk(from: 7_300_000, count: 15, seed: 3, connection: 1)
    // The numbers of the air's connections have no meaning.
    for index in scene.air.pdus.indices { scene.air.pdus[index].connection = 1 - scene.air.pdus[index].connection }
    let match = try SessionMatch(scene.host, scene.air)
    #expect(match.heard == scene.truth)
    #expect(match.links.map(\.air) == [1, 0])
  }

  /// The sniffer captured one of two connections with the same content: it cannot be matched.
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

  /// The same content in another order is another session.
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

  // MARK: Clocks that are set

  /// The host's clock is set within the log, forward or back: both parts are aligned, each by itself.
  @Test(arguments: [Int64(3_600_000_000), -3_600_000_000, 2_000_000, -2_000_000, 1 << 50])
  func followsAClockThatIsSet(amount: Int64) throws {
    for seed in UInt64(1)...5 {
      var scene = Scene()
      scene.talk(from: 0, count: 40, seed: seed)
      scene.add(77, at: 4_050_000, wait: 9_000)
      scene.jump(by: amount)
      scene.add(77, at: 4_200_000 + amount, wait: 9_000)
      scene.talk(from: 4_300_000 + amount, count: 40, seed: seed + 50)
      let match = try SessionMatch(scene.host, scene.air)
      #expect(match.heard == scene.truth, "seed \(seed)")
      #expect(match.pieces.count == 2)
      let last = try #require(match.pieces.last)
      #expect(last.frame == 82, "the first packet that has the new time")
      let jump = try #require(last.jump)
      #expect((jump - amount).magnitude < 2_000, "\(jump)")
      #expect(match.unheard.isEmpty && match.unlogged.isEmpty)
      for (index, other) in match.heard.enumerated() where other >= 0 {
        let wait = match.wait(host: Int32(index), air: other)
        #expect(wait >= -2_000 && wait < 40_000, "#\(index): \(wait)")
        let time = match.hostTime(scene.air.pdus[Int(other)].start)
        #expect((time - scene.host.pdus[index].start).magnitude < 40_000)
      }
    }
  }

  /// Two mismatched packets are no clock jump, and neither are clocks that drift apart.
  @Test func doesNotTakeOthersForJumps() throws {
    var scene = Scene()
    scene.talk(from: 0, count: 40)
    for index in [20, 21, 50] {
      scene.air.pdus[index].start += 5_000_000
      scene.air.pdus[index].end += 5_000_000
    }
    #expect(try SessionMatch(scene.host, scene.air).pieces.isEmpty)
    var slow = Scene()
    for number in 0..<20 { slow.talk(from: Int64(number) * 600_000_000, count: 5, seed: UInt64(number) + 1) }
    for index in slow.air.pdus.indices {
      let drifted = slow.air.pdus[index].start / 2_500
      slow.air.pdus[index].start += drifted
      slow.air.pdus[index].end += drifted
    }
    #expect(ClockJumps.find(slow.host, slow.air).boundaries.isEmpty)
  }

  /// Packets that are all delayed for seconds, one behind the other, are no clock jump.
  @Test func doesNotTakeWaitingForAJump() throws {
    var scene = Scene()
    scene.talk(from: 0, count: 20)
    for number in 0..<6 { scene.add(8_000 + UInt64(number), at: 2_100_000 + Int64(number) * 10_000, wait: 3_000_000) }
    scene.talk(from: 5_500_000, count: 20, seed: 9)
    #expect(!ClockJumps.find(scene.host, scene.air).boundaries.isEmpty, "this is what it has to tell apart")
    let match = try SessionMatch(scene.host, scene.air)
    #expect(match.pieces.isEmpty)
    #expect(match.heard == scene.truth)
  }

  /// If too little matches behind a jump, the rest is reported as not aligned, and none of its packets is reported as unheard.
  @Test func saysWhereItIsNotAligned() throws {
    var scene = Scene()
    scene.talk(from: 0, count: 40)
    scene.jump(by: 60_000_000)
    for number in 0..<6 {
      scene.add(5_000 + UInt64(number), at: 65_000_000 + Int64(number) * 1_000_000, wait: 8_000, isSent: number % 2 == 0)
      for other in 0..<10 {
        scene.add(6_000 + UInt64(number * 10 + other), at: 65_100_000 + Int64(number) * 1_000_000 + Int64(other) * 10_000, wait: nil)
      }
    }
    let match = try SessionMatch(scene.host, scene.air)
    #expect(match.heard.prefix(80) == scene.truth.prefix(80))
    #expect(match.heard.dropFirst(80).allSatisfy { $0 < 0 })
    #expect(match.pieces.count == 2)
    let last = try #require(match.pieces.last)
    #expect(last.clock == nil && last.jump == nil && last.frame == 81)
    #expect(match.unheard.isEmpty)
  }

  /// A clock that is set again and again: a bounded number of parts is aligned, the other jumps are counted.
  @Test func boundsTheJumps() throws {
    var scene = Scene()
    var time: Int64 = 0
    for number in 0..<40 {
      scene.talk(from: time, count: 10, seed: UInt64(number) + 1)
      scene.jump(by: 10_000_000)
      time += 12_000_000
    }
    let found = ClockJumps.find(scene.host, scene.air)
    #expect(found.boundaries.count == ClockJumps.maxCount && found.leftOut == 39 - ClockJumps.maxCount)
    let match = try SessionMatch(scene.host, scene.air)
    #expect(match.pieces.count == ClockJumps.maxCount + 1)
    #expect(match.jumpsLeftOut == 39 - ClockJumps.maxCount)
    #expect(match.heard.prefix(20 * 15) == scene.truth.prefix(20 * 15))
  }
}
