@_spi(Pipeline) import Analysis
import Captures
import Conversations
import Synchronization

/// Compares a host's capture with those of sniffers while they grow. Rows of the host go to ``host``, those of each sniffer, on a thread of its own,
/// to one of ``sniffers``. ``step(now:)`` returns new results, and ``finish()`` compares everything that was kept, as ``AirSide`` does with complete
/// captures.
public final class LiveAirSide {
  /// New results for packets of the host.
  public struct Join: Sendable {
    /// The packets on the air for the last packets; at the end, for all.
    public var side: AirSide
    /// The sniffers whose clocks were aligned by this step: indices into the captures of ``side``.
    public var aligned: [Int] = []
    /// Numbers of the host's packets that were found on the air, or that no sniffer received: in order, each reported once.
    public var frames: [Int] = []
    /// PDUs on the air that the host's capture lacks, by time, each reported once.
    public var unlogged: [AirSide.Unlogged] = []
  }

  /// The capture of a sniffer. Receives its rows on another thread.
  public final class Sniffer: EventSink, @unchecked Sendable {
    /// Its name, without its folder.
    public let name: String
    private let lock = Mutex(())
    private let recorder: SessionRecorder
    private var newest: Int64?
    private var hasEnded = false

    init(_ name: String, _ bounds: RecordedSession.Bounds) {
      self.name = name
      recorder = SessionRecorder(bounds, forgets: true)
    }

    /// Takes a row.
    public func packet(_ row: PacketRow, _ batch: RowBatch, isPart: Bool) {
      lock.withLock { _ in recorder.packet(row, batch, isPart: isPart) }
    }

    /// Takes the times of all packets: even empty ones show the sniffer's progress.
    public func batchDidEnd(_ batch: RowBatch) {
      lock.withLock { _ in
        recorder.batchDidEnd(batch)
        if let time = unsafe batch.packets.records.last?.time, (-LiveAirSide.sane...LiveAirSide.sane).contains(time) { newest = time }
      }
    }

    /// The capture ended.
    public func finish() { lock.withLock { _ in hasEnded = true } }

    /// Number of PDUs so far, the time of the last packet, and whether the capture ended.
    fileprivate var state: (added: Int, newest: Int64?, isEnded: Bool) { lock.withLock { _ in (recorder.added, newest, hasEnded) } }

    /// The last PDUs: those from a time on, but at most `limit`.
    fileprivate func tail(from time: Int64, limit: Int) -> RecordedSession {
      lock.withLock { _ in
        let pdus = recorder.session.pdus.suffix(limit)
        let first = pdus.lastIndex { $0.end < time }.map { $0 + 1 } ?? pdus.startIndex
        return recorder.session.tail(pdus.endIndex - first)
      }
    }

    /// Everything that was kept.
    fileprivate var session: RecordedSession { lock.withLock { _ in recorder.session } }
  }

  /// The sink for the rows of the host.
  public var host: any EventSink { recorder }
  /// The sinks for the rows of the sniffers.
  public let sniffers: [Sniffer]

  private let recorder: SessionRecorder
  private let window: Int
  /// The clocks and connections of each sniffer, where they are known.
  private var known: [(clock: ClockRelation, links: [SessionMatch.Link])?]
  /// Packets of the host, and of the sniffers with the number of the sniffer before them, that were reported.
  private var reported: Set<Int> = []
  private var reportedUnlogged: Set<Int> = []
  /// For each sniffer, the reported packets with the corresponding ones of the host: a reported pair is not changed.
  private var partners: [[Int: Int]]
  /// The state at the last step, and its time.
  private var last: (added: Int, newest: [Int64?], time: Int64)?
  /// Packets of the host may still be found by sniffers' packets without a PDU.
  private var isOpen = true

  /// Number of PDUs of the host that are compared in a step; of each sniffer, up to eight times as many.
  static let usualWindow = 1024
  /// A step is made after this many PDUs, or after this time since the last one, in µs.
  private static let many = 256, pause: Int64 = 200_000
  /// The clocks are known when this many packets match, and the error is at most this, in µs.
  private static let enough = 6, largestError = 100_000.0
  /// A packet may be retransmitted within this time after its last transmission, unless its sender has sent another; in µs.
  private static let repetition: Int64 = 1_000_000
  /// No packet is reported as missing this close to the start of the compared packets, in µs.
  private static let margin: Int64 = 1_000_000
  /// A sniffer without packets for this time is not waited for, in µs.
  private static let timeout: Int64 = 10_000_000
  /// Times beyond this are invalid, in µs.
  fileprivate static let sane = Int64(1) << 60

  /// Starts empty; `names` are those of the sniffers' captures.
  public convenience init(_ names: [String]) {
    self.init(names, RecordedSession.Bounds(), RecordedSession.Bounds(sniffers: names.count), window: LiveAirSide.usualWindow)
  }

  /// The host's capture is kept within `bounds`, those of the sniffers within `others` if given.
  init(_ names: [String], _ bounds: RecordedSession.Bounds, _ others: RecordedSession.Bounds? = nil, window: Int) {
    recorder = SessionRecorder(bounds, forgets: true)
    sniffers = names.map { Sniffer($0, others ?? bounds) }
    known = Array(repeating: nil, count: names.count)
    partners = Array(repeating: [:], count: names.count)
    self.window = window
  }

  /// New results since the last step; nil where there are none. `now` is any monotonic clock, in µs.
  public func step(now: Int64 = LiveStop.now()) -> Join? {
    let states = sniffers.map(\.state)
    let added = states.reduce(recorder.added) { $0 + $1.added }
    let newest = states.map(\.newest)
    if let last {
      let isLate = now &- last.time >= Self.pause
      guard added != last.added || isOpen && newest != last.newest else { return nil }
      guard isLate || added - last.added >= Self.many else { return nil }
    } else if added == 0 {
      return nil
    }
    last = (added, newest, now)
    var join = compared()
    guard join.side.isMatched else { return nil }
    choose(&join, states)
    return join.aligned.isEmpty && join.frames.isEmpty && join.unlogged.isEmpty ? nil : join
  }

  /// Compares everything that was kept, and returns the results that no step has returned.
  public func finish() -> Join {
    var join = Join(side: AirSide(recorder.session))
    for sniffer in sniffers { join.side.add(sniffer.session, name: sniffer.name) }
    for pdu in recorder.session.pdus where !reported.contains(pdu.frame) {
      if join.side.isUnheard(pdu.frame) || join.side.heard(pdu.frame) != nil { join.frames.append(pdu.frame) }
    }
    join.unlogged = join.side.unlogged.filter { !reportedUnlogged.contains(Self.key($0)) }
    return join
  }

  /// Every sniffer's capture has reached the host's last packet, or has ended.
  public var isComplete: Bool {
    guard let end = recorder.session.pdus.last?.end else { return true }
    return sniffers.indices.allSatisfy { number in
      let state = sniffers[number].state
      guard !state.isEnded, let newest = state.newest, let known = known[number] else { return state.isEnded }
      return known.clock.hostTime(newest) >= end &+ Self.repetition
    }
  }

  // MARK: A step

  /// The last packets of all captures, compared.
  private func compared() -> Join {
    let logged = recorder.session.tail(window)
    var join = Join(side: AirSide(logged))
    let first = logged.pdus.first ?? RecordedSession.PDU(digest: 0, frame: 0, start: 0, end: 0, connection: 0, length: 0, isForward: false)
    for number in sniffers.indices {
      // Packets received before the window match none of its packets.
      let start = known[number].map { $0.clock.airTime(first.start) &- Self.margin } ?? .min
      var heard = sniffers[number].tail(from: start, limit: 8 * window)
      heard.pdus.removeAll { partners[number][$0.frame].map { $0 < first.frame } ?? false }
      let match = match(number, logged, heard)
      if let match {
        if known[number] == nil { join.aligned.append(number) }
        known[number] = (match.clock(at: .max), match.links)
      }
      join.side.add(heard, name: sniffers[number].name, match.map { .success($0) } ?? .failure(.nothingInCommon))
    }
    return join
  }

  private func match(_ number: Int, _ logged: RecordedSession, _ heard: RecordedSession) -> SessionMatch? {
    var best = try? SessionMatch(logged, heard)
    // The known clocks are used unless others explain more packets: a few packets may also match elsewhere.
    if let known = known[number], let later = try? SessionMatch(logged, heard, after: known.clock, known.links),
      later.matched >= best?.matched ?? 0
    {
      best = later
    }
    guard let best, best.matched >= Self.enough, let error = best.clock.error, error <= Self.largestError else { return nil }
    return best
  }

  /// Selects the results that will not change.
  private func choose(_ join: inout Join, _ states: [(added: Int, newest: Int64?, isEnded: Bool)]) {
    let logged = join.side.host
    if let first = recorder.session.pdus.first?.frame, reported.count > recorder.session.pdus.count + window {
      reported = reported.filter { $0 >= first }
      for number in partners.indices { partners[number] = partners[number].filter { $0.value >= first } }
    }
    // Start of the comparison: that of the capture, or of the window.
    let begin = logged.pdus.count < recorder.added ? (logged.pdus.first?.end ?? 0) &+ Self.margin : .min
    // The last matched PDU of each side of a connection: earlier PDUs of the same sender were sent before.
    func key(_ pdu: RecordedSession.PDU) -> UInt64 { UInt64(UInt32(bitPattern: pdu.connection)) << 1 | (pdu.isForward ? 1 : 0) }
    var isFinal = [Bool](repeating: true, count: logged.pdus.count)
    for (number, capture) in join.side.captures.enumerated() {
      guard let match = capture.match else { continue }
      let state = states[number]
      let newest = state.newest.map { match.hostTime($0) } ?? .min
      var lastHeard: [UInt64: Int] = [:], lastLogged: [UInt64: Int] = [:]
      for (index, other) in match.heard.enumerated() where other >= 0 { lastHeard[key(logged.pdus[index])] = index }
      for (index, other) in match.logged.enumerated() where other >= 0 { lastLogged[key(capture.session.pdus[index])] = index }
      for (index, pdu) in logged.pdus.enumerated() where isFinal[index] && !state.isEnded {
        if index < lastHeard[key(pdu)] ?? -1 { continue }
        let other = match.heard[index]
        guard other >= 0 else {
          isFinal[index] = false
          continue
        }
        let end = capture.session.transmissions(of: capture.session.pdus[Int(other)]).last?.time ?? capture.session.pdus[Int(other)].end
        isFinal[index] = newest >= match.hostTime(end) &+ Self.repetition
      }
      var missing: [Int: AirSide.Unlogged] = [:]
      for unlogged in join.side.unlogged where unlogged.capture == number { missing[unlogged.frame] = unlogged }
      for index in match.unlogged.map({ Int($0) }) {
        let pdu = capture.session.pdus[index]
        guard index < lastLogged[key(pdu)] ?? -1, match.hostTime(pdu.start) >= begin,
          let unlogged = missing[pdu.frame],
          reportedUnlogged.count < 1 << 19, reportedUnlogged.insert(Self.key(unlogged)).inserted
        else { continue }
        join.unlogged.append(unlogged)
      }
    }
    join.unlogged.sort { ($0.time, $0.capture, $0.frame) < ($1.time, $1.capture, $1.frame) }
    isOpen = false
    let end = logged.pdus.last?.end ?? 0
    for (index, pdu) in logged.pdus.enumerated() where !reported.contains(pdu.frame) {
      guard isFinal[index] || end &- pdu.end >= Self.timeout else {
        isOpen = true
        continue
      }
      guard join.side.isUnheard(pdu.frame) ? isFinal[index] && pdu.start >= begin : join.side.heard(pdu.frame) != nil else { continue }
      reported.insert(pdu.frame)
      for (number, capture) in join.side.captures.enumerated() {
        if let match = capture.match, case let other = match.heard[index], other >= 0 {
          partners[number][capture.session.pdus[Int(other)].frame] = pdu.frame
        }
      }
      join.frames.append(pdu.frame)
    }
  }

  private static func key(_ unlogged: AirSide.Unlogged) -> Int { unlogged.capture << 48 ^ unlogged.frame }
}
