import Captures
import Foundation
import Keys
import Testing

@testable import BothSides

/// A session recorded by three devices, and real captures of unrelated sessions.
@Suite struct SampleSessionTests {
  static let samples = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    .appendingPathComponent("Samples")

  static func open(_ name: String) throws -> any PacketSource { try CaptureFile.open(samples.appendingPathComponent(name).path) }

  /// The sniffer's capture, decrypted with the keys of a host's log.
  static func air(_ host: String) throws -> RecordedSession {
    var keys = HostKeys(file: host)
    let batch = PacketBatch()
    let source = try open(host)
    while try source.read(batch) {
      for record in batch.records { keys.take(record, RawSpan(_unsafeBytes: batch.payload(record))) }
    }
    return try RecordedSession(DecryptingSource(try open("both-air.pcapng"), LinkLayerDecryptor(keys.ring)))
  }

  /// `Samples/both_sides.py` defines the offset and the drift of the sniffer's clock.
  @Test(arguments: ["both-phone.btsnoop", "both-lamp.btsnoop"])
  func alignsTheClocks(host: String) throws {
    let log = try RecordedSession(Self.open(host))
    let match = try SessionMatch(log, Self.air(host))
    let error = try #require(match.clock.error)
    let start: Int64 = 1_795_167_000_000_000
    for second in stride(from: Int64(1), through: 10, by: 1) {
      let time = start + second * 1_000_000
      let truth = time + 2_345_678 + Int64((Double(second) * 18.2).rounded())
      #expect(abs(Double(match.clock.airTime(time) - truth)) <= error)
      #expect(abs(match.clock.airTime(time) - truth) <= 1_000, "a controller hands on what it heard within a millisecond")
    }
    #expect(match.links.count == 1)
    #expect(match.heard.count { $0 >= 0 } >= log.pdus.count - 2)
  }

  @Test func tellsWhatOnlyOneHas() throws {
    var side = AirSide(try RecordedSession(Self.open("both-phone.btsnoop")))
    side.add(try Self.air("both-phone.btsnoop"), name: "air")
    let figures = try #require(side.figures.first)
    #expect(figures.unlogged == 1)
    #expect(side.unlogged.first?.length == 4, "a notification of one byte")
    #expect(figures.unheard == 2)
    #expect(figures.repeated.reduce(0, +) >= 8, "the radio is bad for two seconds")
  }

  /// A PDU captured by two sniffers is reported once, with both.
  @Test func tellsOnceWhatTwoHeard() throws {
    var side = AirSide(try RecordedSession(Self.open("both-phone.btsnoop")))
    for name in ["one", "other"] { side.add(try Self.air("both-phone.btsnoop"), name: name) }
    #expect(side.unlogged.map(\.frame) == [210])
    #expect(side.figures.first?.unlogged == 1 && side.figures.first?.unheard == 2)
  }

  /// Without keys only unencrypted packets match, and the others are not reported.
  @Test func saysNothingOfWhatIsClosed() throws {
    let match = try SessionMatch(
      RecordedSession(Self.open("both-phone.btsnoop")),
      RecordedSession(DecryptingSource(Self.open("both-air.pcapng"), LinkLayerDecryptor())))
    #expect(match.heard.contains { $0 >= 0 })
    #expect(match.unheard.count == 1)
    #expect(match.unlogged.isEmpty)
  }

  @Test(arguments: ["gopro.btsnoop", "heart-rate.btsnoop", "sensors.btsnoop", "handsfree.btsnoop"])
  func refusesOtherLogs(host: String) throws {
    let log = try RecordedSession(Self.open(host))
    let heard = try Self.air("both-phone.btsnoop")
    #expect(throws: SessionMatch.Failure.self) { try SessionMatch(log, heard) }
  }

  /// The memory for a capture is bounded, and PDUs that do not fit are counted.
  @Test func boundsWhatIsKept() throws {
    let whole = try RecordedSession(Self.open("both-phone.btsnoop"))
    #expect(whole.leftOut == 0)
    let part = try RecordedSession(Self.open("both-phone.btsnoop"), limit: nil, bounds: RecordedSession.Bounds(pdus: 20))
    #expect(part.pdus.count == 20)
    #expect(part.leftOut == whole.pdus.count - 20)

    let air = try RecordedSession(Self.open("both-air.pcapng"))
    let few = try RecordedSession(
      Self.open("both-air.pcapng"), limit: nil, bounds: RecordedSession.Bounds(transmissions: 10, closed: 3))
    #expect(few.transmissions.count == 10)
    #expect(few.pdus.count < air.pdus.count)
    #expect(few.leftOut == air.pdus.count - few.pdus.count)
    #expect(air.connections.contains { $0.closed.count > 3 } && few.connections.allSatisfy { $0.closed.count <= 3 })
  }

  /// The phone's clock is set by an hour within its log: the match is the same.
  @Test(arguments: [Int64(3_600_000_000), -3_600_000_000])
  func followsAPhoneWhoseClockIsSet(amount: Int64) throws {
    var log = try RecordedSession(Self.open("both-phone.btsnoop"))
    let before = try SessionMatch(log, Self.air("both-phone.btsnoop"))
    let position = log.pdus.count / 3
    for index in position..<log.pdus.count {
      log.pdus[index].start += amount
      log.pdus[index].end += amount
    }
    let match = try SessionMatch(log, Self.air("both-phone.btsnoop"))
    #expect(match.heard == before.heard)
    #expect(match.pieces.count == 2)
    #expect(match.pieces.last?.frame == log.pdus[position].frame)
    let jump = try #require(match.pieces.last?.jump)
    #expect((jump - amount).magnitude < 20_000, "\(jump)")
  }
}
