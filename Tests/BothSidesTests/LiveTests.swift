@_spi(Pipeline) import Analysis
import Conversations
import Foundation
import Keys
import Testing

@testable import BothSides
@testable import Captures

/// Captures that grow while they are compared: the samples, in lockstep.
@Suite struct LiveAirTests {
  /// Lets the sniffer's capture advance as far as the host's: each waits for the other, not for time to pass.
  private final class Lockstep: @unchecked Sendable {
    private let condition = NSCondition()
    private var limit = Int64.min
    private var isWaiting = false
    private var hasEnded = false

    /// Releases all packets before `time`, and returns when they have been read.
    func advance(to time: Int64) {
      condition.lock()
      limit = max(limit, time)
      isWaiting = false
      condition.broadcast()
      while !isWaiting, !hasEnded { condition.wait() }
      condition.unlock()
    }

    /// Waits until a packet of this time is released. All packets before it have been read.
    func pass(_ time: Int64) {
      condition.lock()
      while time >= limit {
        isWaiting = true
        condition.broadcast()
        condition.wait()
      }
      condition.unlock()
    }

    func end() {
      condition.lock()
      hasEnded = true
      condition.broadcast()
      condition.unlock()
    }
  }

  /// A capture that gives one packet at a time, after `Lockstep` releases it.
  private final class Single: PacketSource {
    private let source: any PacketSource
    private let pass: (Int64) -> Void
    private let whole = PacketBatch()
    private var next = 0

    init(_ source: any PacketSource, _ pass: @escaping (Int64) -> Void) { (self.source, self.pass) = (source, pass) }

    var interfaces: [CaptureInterface] { source.interfaces }
    var title: String { source.title }
    var progress: (read: Int, total: Int?) { source.progress }
    var format: CaptureFormat { source.format }
    var damage: CaptureDamage? { source.damage }

    func read(_ batch: PacketBatch) throws(CaptureError) -> Bool {
      batch.removeAll()
      if next == whole.records.count {
        next = 0
        guard try source.read(whole) else { return false }
      }
      var record = whole.records[next]
      next += 1
      pass(record.time)
      record.offset = batch.append(bytes: RawSpan(_unsafeBytes: whole.bytes(record)))
      batch.append(record)
      return true
    }
    func rewind() -> Bool { false }
  }

  /// Compares while the host's rows arrive.
  private final class Sink: EventSink {
    let live: LiveAirSide
    var now: Int64 = 0
    var frame = 0
    /// Each reported frame, and the host's frame after which it was reported.
    var described: [(frame: Int, behind: Int, heard: [Int]?)] = []
    var unlogged: [Int] = []
    var aligned: [Int] = []

    init(_ live: LiveAirSide) { self.live = live }

    func packet(_ row: PacketRow, _ batch: RowBatch, isPart: Bool) throws {
      frame = row.frame
      try live.host.packet(row, batch, isPart: isPart)
    }
    func batchDidEnd(_ batch: RowBatch) throws {
      try live.host.batchDidEnd(batch)
      now += 1_000_000
      if let join = live.step(now: now) { take(join) }
      #expect(live.step(now: now) == nil, "the same again tells nothing")
    }
    func take(_ join: LiveAirSide.Join) {
      aligned += join.aligned.map { _ in frame }
      described += join.frames.map { ($0, frame, join.side.heard($0)?.frames) }
      unlogged += join.unlogged.map(\.frame)
    }
  }

  /// Runs both samples in parallel, the sniffer's `late` µs behind.
  private static func run(_ live: LiveAirSide, late: Int64 = 0) throws -> Sink {
    let steps = Lockstep()
    let shared = SharedKeys(timeout: 3_600_000)
    nonisolated(unsafe) let air = DecryptingSource(
      Single(try SampleSessionTests.open("both-air.pcapng")) { steps.pass($0) }, LinkLayerDecryptor(), shared: shared)
    let sniffer = live.sniffers[0]
    let thread = Thread {
      var options = Timeline.Options()
      options.isLive = true
      options.includesFragments = true
      _ = try? Timeline(air, options: options).run(CaptureFacts(name: "", title: ""), to: sniffer)
      sniffer.finish()
      steps.end()
    }
    thread.start()
    var keys = HostKeys(file: "")
    let keyed = try SampleSessionTests.open("both-phone.btsnoop")
    let batch = PacketBatch()
    while try keyed.read(batch) {
      for record in batch.records { keys.take(record, RawSpan(_unsafeBytes: batch.payload(record))) }
    }
    shared.add(keys.ring)
    // The sniffer's clock is ahead by this much, see `Samples/both_sides.py`.
    let log = Single(try SampleSessionTests.open("both-phone.btsnoop")) { steps.advance(to: $0 + 2_345_678 - late) }
    let sink = Sink(live)
    var options = Timeline.Options()
    options.isLive = true
    options.includesFragments = true
    _ = try Timeline(log, options: options).run(CaptureFacts(name: "", title: ""), to: sink)
    steps.advance(to: .max)
    return sink
  }

  /// The comparison of the complete captures.
  private static func whole() throws -> AirSide {
    var side = AirSide(try RecordedSession(SampleSessionTests.open("both-phone.btsnoop")))
    side.add(try SampleSessionTests.air("both-phone.btsnoop"), name: "air")
    return side
  }

  @Test(arguments: [(1024, Int64(0)), (1024, 1_500_000), (40, 0), (24, 300_000)])
  func tellsWhatFinishedCapturesTell(window: Int, late: Int64) throws {
    let live = LiveAirSide(["air"], RecordedSession.Bounds(), window: window)
    let sink = try Self.run(live, late: late)
    let early = sink.described.count
    sink.frame = .max
    let last = live.finish()
    sink.take(last)
    let whole = try Self.whole()
    #expect(live.isComplete)
    #expect(sink.aligned.count == 1 && sink.aligned[0] < (late > 0 ? 160 : 80), "\(sink.aligned)")
    #expect(Set(sink.described.map(\.frame)).count == sink.described.count, "each packet once")
    for event in sink.described {
      #expect(event.heard == whole.heard(event.frame)?.frames, "#\(event.frame) behind #\(event.behind)")
      #expect(event.heard != nil || whole.isUnheard(event.frame), "#\(event.frame) behind #\(event.behind)")
    }
    let expected = try RecordedSession(SampleSessionTests.open("both-phone.btsnoop")).pdus.map(\.frame).filter {
      whole.heard($0) != nil || whole.isUnheard($0)
    }
    #expect(sink.described.map(\.frame).sorted() == expected)
    #expect(sink.unlogged == whole.unlogged.map(\.frame))
    #expect(early > expected.count * 3 / 4, "\(early) of \(expected.count) are told before the end")
    #expect(last.side.captures[0].match?.heard == whole.captures[0].match?.heard)
  }

  /// Memory is bounded, and what is reported stays right.
  @Test func forgetsTheOlderHalf() throws {
    let live = LiveAirSide(["air"], RecordedSession.Bounds(pdus: 60, transmissions: 110), window: 24)
    let sink = try Self.run(live)
    sink.take(live.finish())
    let whole = try Self.whole()
    #expect(sink.described.count > 130)
    #expect(Set(sink.described.map(\.frame)).count == sink.described.count)
    for event in sink.described { #expect(event.heard == whole.heard(event.frame)?.frames, "#\(event.frame) behind #\(event.behind)") }
    let side = live.finish().side
    #expect(side.leftOut >= 90 && side.captures[0].leftOut > 0)
    #expect(side.host.pdus.count < 60)
  }

  /// The last PDUs of a session keep their packets.
  @Test func tailsKeepTheirPackets() throws {
    let air = try SampleSessionTests.air("both-phone.btsnoop")
    for count in [0, 1, 7, 50, air.pdus.count, air.pdus.count + 9] {
      let tail = air.tail(count)
      #expect(tail.pdus.count == min(count, air.pdus.count))
      for (pdu, other) in zip(tail.pdus, air.pdus.suffix(count)) {
        #expect(tail.transmissions(of: pdu).map(\.frame) == air.transmissions(of: other).map(\.frame))
      }
    }
  }
}

/// Keys that arrive after the packets that they decrypt.
@Suite struct SharedKeyTests {
  @Test(arguments: [true, false])
  func whatIsEncryptedWaitsForItsKey(comes: Bool) throws {
    let shared = SharedKeys(timeout: comes ? 3_600_000 : 0)
    var keys = HostKeys(file: "")
    let batch = PacketBatch()
    let log = try SampleSessionTests.open("both-phone.btsnoop")
    while try log.read(batch) {
      for record in batch.records { keys.take(record, RawSpan(_unsafeBytes: batch.payload(record))) }
    }
    let decryptor = LinkLayerDecryptor()
    let source = DecryptingSource(try SampleSessionTests.open("both-air.pcapng"), decryptor, shared: shared)
    // Encryption starts in the first batch: the reader waits until the key arrives.
    if comes { Thread.detachNewThread { [ring = keys.ring] in shared.add(ring) } }
    while try source.read(batch) {}
    let session = try #require(decryptor.sessions.first)
    #expect((session.decrypted > 150) == comes, "\(session.decrypted)")
    #expect(comes == (session.need == .nothing))
    // Later keys decrypt later packets.
    if !comes {
      shared.add(keys.ring)
      #expect(try source.rewind())
      while try source.read(batch) {}
      #expect(decryptor.sessions.first?.decrypted ?? 0 > 150)
      shared.finish()
    }
  }
}
