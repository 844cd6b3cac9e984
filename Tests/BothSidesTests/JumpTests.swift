import Foundation
import Keys
import Testing

@testable import BothSides
@testable import Captures

/// Which side's clock was set within a session: the samples, with the times of one side moved from some packet on.
@Suite struct JumpTests {
  /// A capture whose clock is set: the times from the packet `frame` on are moved by `amount` µs.
  private final class Shifted: PacketSource {
    private let source: any PacketSource
    private let frame: Int
    private let amount: Int64

    init(_ source: any PacketSource, from frame: Int, by amount: Int64) {
      (self.source, self.frame, self.amount) = (source, frame, amount)
    }

    var interfaces: [CaptureInterface] { source.interfaces }
    var title: String { source.title }
    var progress: (read: Int, total: Int?) { source.progress }
    var format: CaptureFormat { source.format }
    var damage: CaptureDamage? { source.damage }

    func read(_ batch: PacketBatch) throws(CaptureError) -> Bool {
      guard try source.read(batch) else { return false }
      for index in batch.records.indices where batch.records[index].frame >= frame { batch.store[index].time += amount }
      return true
    }
    func rewind() throws(CaptureError) -> Bool { try source.rewind() }
  }

  /// The phone's log and the sniffer's capture, each with its clock set from a packet on.
  private static func sessions(
    host: (frame: Int, by: Int64) = (.max, 0), air: (frame: Int, by: Int64) = (.max, 0)
  ) throws -> (host: RecordedSession, air: RecordedSession) {
    var keys = HostKeys(file: "")
    let batch = PacketBatch()
    let log = try SampleSessionTests.open("both-phone.btsnoop")
    while try log.read(batch) {
      for record in batch.records { keys.take(record, RawSpan(_unsafeBytes: batch.payload(record))) }
    }
    let heard = Shifted(try SampleSessionTests.open("both-air.pcapng"), from: air.frame, by: air.by)
    return (
      try RecordedSession(Shifted(try SampleSessionTests.open("both-phone.btsnoop"), from: host.frame, by: host.by)),
      try RecordedSession(DecryptingSource(heard, LinkLayerDecryptor(keys.ring)))
    )
  }

  @Test(arguments: [Int64(3_600_000_000), -3_600_000_000, 30_000_000, -5_000_000])
  func oneCaptureTellsWhoseClockItWas(amount: Int64) throws {
    let own = try Self.sessions(host: (150, amount))
    let first = try SessionMatch(own.host, own.air)
    #expect(first.pieces.dropFirst().map(\.jumped) == [.host])
    #expect(try #require(first.pieces.last?.jump).signum() == amount.signum())
    let other = try Self.sessions(air: (300, amount))
    let second = try SessionMatch(other.host, other.air)
    #expect(second.pieces.dropFirst().map(\.jumped) == [.sniffer])
    #expect(try #require(second.pieces.last?.jump).signum() == -amount.signum())
  }

  /// Without the times of all packets one sniffer's capture does not show which clock was set; a second sniffer's does.
  @Test(arguments: [true, false])
  func anotherSnifferTells(isHost: Bool) throws {
    var (host, air) = try isHost ? Self.sessions(host: (150, 60_000_000)) : Self.sessions(air: (300, 60_000_000))
    host.steps = nil
    air.steps = nil
    var side = AirSide(host)
    side.add(air, name: "first")
    #expect(side.captures[0].match?.pieces.count == 2)
    #expect(side.captures[0].match?.pieces.last?.jumped == nil)
    var second = try Self.sessions().air
    second.steps = nil
    side.add(second, name: "second")
    #expect(side.captures[0].match?.pieces.last?.jumped == (isHost ? .host : .sniffer))
    #expect(side.captures[1].match?.pieces.last?.jumped == (isHost ? .host : nil))
  }

  /// Where both captures pause for as long as the clock was set, their times do not show whose clock it was.
  @Test func whatBothMayBeIsNotSaid() {
    func session(_ steps: [RecordedSession.Step]?) -> RecordedSession {
      var session = RecordedSession()
      session.steps = steps
      return session
    }
    func verdict(_ jump: Int64, _ host: [RecordedSession.Step]?, _ air: [RecordedSession.Step]?) -> SessionMatch.Clock? {
      ClockJumps.clock(ClockJumps.Boundary(host: 1, air: 1, jump: jump, frames: (10..<20, 30..<40)), session(host), session(air))
    }
    let ahead = RecordedSession.Step(frame: 15, by: 10_000_000), back = RecordedSession.Step(frame: 15, by: -10_000_000)
    let airAhead = RecordedSession.Step(frame: 35, by: 10_000_000), airBack = RecordedSession.Step(frame: 35, by: -10_000_000)
    #expect(verdict(10_000_000, [ahead], []) == .host)
    #expect(verdict(10_000_000, [], [airBack]) == .sniffer)
    #expect(verdict(-10_000_000, [back], []) == .host)
    #expect(verdict(-10_000_000, [], [airAhead]) == .sniffer)
    // The host pauses, and meanwhile the sniffer's clock was set back.
    #expect(verdict(10_000_000, [ahead], [airBack]) == .sniffer)
    // Both have a pause.
    #expect(verdict(10_000_000, [ahead], [airAhead]) == nil)
    #expect(verdict(-10_000_000, [ahead], [airAhead]) == nil)
    // Both clocks go back, neither does, or a capture's times are not known.
    #expect(verdict(10_000_000, [back], [airBack]) == nil)
    #expect(verdict(10_000_000, [], []) == nil)
    #expect(verdict(10_000_000, nil, [airBack]) == nil)
    #expect(verdict(10_000_000, [ahead], nil) == nil)
    // Steps outside the frame range do not count.
    #expect(
      verdict(10_000_000, [RecordedSession.Step(frame: 10, by: 10_000_000), RecordedSession.Step(frame: 21, by: 10_000_000)], []) == nil)
  }
}
