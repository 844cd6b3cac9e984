/// The packets of sniffers' captures for each packet of a host's log.
public struct AirSide: Sendable {
  /// The packets on the air that carried a PDU of the host.
  public struct Heard: Sendable {
    /// Index into ``AirSide/captures``.
    public var capture: Int
    /// Their numbers in the sniffer's capture.
    public var frames: [Int]
    /// Time of the first packet, by the host's clock, µs since 1970.
    public var time: Int64
    /// Delay between host and air, µs: for sent PDUs, from the host to the first packet on the air; for received ones, from the last packet on the
    /// air before the host received it, which is the successful one.
    public var delay: Int64
    /// Number of retransmissions among the packets.
    public var retransmissions: Int
    /// The channels, in the order of the packets.
    public var channels: [UInt8]
  }

  /// A PDU in a sniffer's capture that the host's log lacks.
  public struct Unlogged: Sendable {
    /// Index into ``AirSide/captures``.
    public var capture: Int
    /// Number of its packet in the sniffer's capture.
    public var frame: Int
    /// Time by the host's clock, µs since 1970.
    public var time: Int64
    /// This host sent it.
    public var isSent: Bool
    /// Length in bytes.
    public var length: Int
    /// Handle of the connection in the host's log.
    public var handle: UInt16
  }

  /// A sniffer's capture.
  public struct Capture: Sendable {
    /// Its name, without its folder.
    public var name: String
    /// The match, or the reason why there is none.
    public var result: Result<SessionMatch, SessionMatch.Failure>
    var session: RecordedSession

    /// The match, where there is one.
    public var match: SessionMatch? { try? result.get() }
    /// PDUs beyond the bounds.
    public var leftOut: Int { session.leftOut }
  }

  /// Statistics of a connection, or of all.
  public struct Figures: Sendable {
    /// Handle in the host's log.
    public var handle: UInt16 = 0
    /// Access address on the air.
    public var accessAddress: UInt32 = 0
    /// PDUs of the host while both captures had the connection, and those of them that were received by a sniffer.
    public var possible = 0, matched = 0
    /// Times that sent PDUs waited in the controller, sorted, µs; the first ``maxWaits``.
    public var waits: [Int64] = []
    /// The longest wait, and its frame in the host's log.
    public var longest: Int64 = 0, slowest = 0
    /// Number of PDUs that were retransmitted once, twice, three times or more.
    public var repeated = [0, 0, 0]
    /// Packets by channel, and the number of retransmissions among them.
    public var channels = [(packets: Int, repeated: Int)](repeating: (0, 0), count: 40)
    /// PDUs of the host that no sniffer received.
    public var unheard = 0
    /// PDUs in sniffers' captures that the host's log lacks.
    public var unlogged = 0
    static let maxWaits = 1 << 16

    /// Median wait in µs, or nil.
    public var median: Int64? { waits.isEmpty ? nil : waits[waits.count / 2] }
  }

  /// The sniffers' captures.
  public private(set) var captures: [Capture] = []
  /// PDUs that were received but not logged, by time.
  public private(set) var unlogged: [Unlogged] = []
  /// The connections in a sniffer's capture, in the order of the log.
  public private(set) var figures: [Figures] = []
  let host: RecordedSession
  /// Index into the host's PDUs by frame, sorted.
  private var frames: [(frame: Int, pdu: Int32)] = []
  private var unheard: Set<Int> = []

  /// Starts with the host's log.
  public init(_ host: RecordedSession) {
    self.host = host
    frames = host.pdus.enumerated().map { ($0.element.frame, Int32($0.offset)) }.sorted { $0.frame < $1.frame }
  }

  /// PDUs of the host's log beyond the bounds.
  public var leftOut: Int { host.leftOut }

  /// At least one capture has packets of the host.
  public var isMatched: Bool { captures.contains { $0.match != nil } }

  /// Adds a sniffer's capture.
  public mutating func add(_ session: RecordedSession, name: String) {
    let result: Result<SessionMatch, SessionMatch.Failure>
    do throws(SessionMatch.Failure) { result = .success(try SessionMatch(host, session)) } catch { result = .failure(error) }
    add(session, name: name, result)
  }

  /// Adds a sniffer's capture with its match.
  mutating func add(_ session: RecordedSession, name: String, _ result: Result<SessionMatch, SessionMatch.Failure>) {
    captures.append(Capture(name: name, result: result, session: session))
    updateResults()
  }

  /// Determines whose clock jumped with another sniffer that has packets before and after: if it sees the same jump, the host's clock jumped.
  private mutating func compareJumps() {
    for number in captures.indices {
      guard var match = captures[number].match else { continue }
      for index in match.pieces.indices where match.pieces[index].jumped == nil {
        guard let jump = match.pieces[index].jump else { continue }
        let at = Int(match.pieces[index].host)
        let verdicts = captures.indices.compactMap { other in
          other == number ? nil : captures[other].match.flatMap { Self.sees(jump, at, $0) }
        }
        // Other sniffers that contradict each other give no result.
        guard let first = verdicts.first, verdicts.allSatisfy({ $0 == first }) else { continue }
        match.pieces[index].jumped = first ? .host : .sniffer
      }
      captures[number].result = .success(match)
    }
  }

  /// Whether a match has the same jump of the host's clock near its PDU `index`; nil where it has no PDUs before and after.
  private static func sees(_ jump: Int64, _ index: Int, _ match: SessionMatch) -> Bool? {
    let reach = 64
    let (low, high) = (max(0, index - reach), min(match.heard.count, index + reach))
    guard low < index, index < high, match.heard[low..<index].contains(where: { $0 >= 0 }),
      match.heard[index..<high].contains(where: { $0 >= 0 })
    else { return nil }
    let near = match.pieces.dropFirst().filter { abs(Int($0.host) - index) <= reach }
    if near.isEmpty { return false }
    guard near.count == 1, let other = near.first?.jump else { return nil }
    return (other &- jump).magnitude <= ClockJumps.spread.magnitude ? true : nil
  }

  /// Updates the results over all captures.
  private mutating func updateResults() {
    if captures.count > 1 { compareJumps() }
    var found: [(unlogged: Unlogged, digest: UInt64)] = []
    // A packet that one sniffer missed may be in another's capture.
    var isHeard = [Bool](repeating: false, count: host.pdus.count)
    for capture in captures {
      guard let match = capture.match else { continue }
      for (index, other) in match.heard.enumerated() where other >= 0 { isHeard[index] = true }
    }
    var missing: Set<Int32> = []
    for (number, capture) in captures.enumerated() {
      guard let match = capture.match else { continue }
      for pdu in match.unheard where !isHeard[Int(pdu)] { missing.insert(pdu) }
      for index in match.unlogged {
        let pdu = capture.session.pdus[Int(index)]
        guard let link = match.links.first(where: { $0.air == pdu.connection }) else { continue }
        let unlogged = Unlogged(
          capture: number, frame: pdu.frame, time: match.hostTime(pdu.end), isSent: pdu.isForward == link.isCentral,
          length: Int(pdu.length), handle: host.connections[Int(link.host)].handle)
        found.append((unlogged, pdu.digest))
      }
    }
    found.sort { ($0.unlogged.time, $0.unlogged.capture, $0.unlogged.frame) < ($1.unlogged.time, $1.unlogged.capture, $1.unlogged.frame) }
    unlogged = Self.single(found)
    unheard = Set(missing.map { host.pdus[Int($0)].frame })
    count(missing)
  }

  /// PDUs that several sniffers received at about the same time are one. Takes them by time.
  private static func single(_ found: [(unlogged: Unlogged, digest: UInt64)]) -> [Unlogged] {
    struct Key: Hashable {
      var digest: UInt64, handle: UInt16, isSent: Bool
    }
    var last: [Key: Unlogged] = [:]
    return found.compactMap { unlogged, digest in
      let key = Key(digest: digest, handle: unlogged.handle, isSent: unlogged.isSent)
      if let known = last[key], known.capture != unlogged.capture, unlogged.time &- known.time <= together { return nil }
      last[key] = unlogged
      return unlogged
    }
  }
  /// With aligned clocks, the times of one packet in several sniffers' captures differ by less than this, in µs.
  private static let together: Int64 = 20_000

  private mutating func count(_ missing: Set<Int32>) {
    var byConnection: [Int32: Figures] = [:]
    for capture in captures {
      guard let match = capture.match else { continue }
      for link in match.links {
        var figures = byConnection[link.host] ?? Figures()
        figures.handle = host.connections[Int(link.host)].handle
        figures.accessAddress = capture.session.connections[Int(link.air)].accessAddress
        figures.possible = max(figures.possible, link.possible)
        byConnection[link.host] = figures
      }
    }
    for (index, pdu) in host.pdus.enumerated() {
      guard var figures = byConnection.removeValue(forKey: pdu.connection) else { continue }
      defer { byConnection[pdu.connection] = figures }
      if missing.contains(Int32(index)) { figures.unheard += 1 }
      guard let heard = heard(pdu: Int32(index)) else { continue }
      figures.matched += 1
      if pdu.isForward, figures.waits.count < Figures.maxWaits {
        if figures.waits.isEmpty || heard.delay > figures.longest { (figures.longest, figures.slowest) = (heard.delay, pdu.frame) }
        figures.waits.append(heard.delay)
      }
      if heard.retransmissions > 0 { figures.repeated[min(heard.retransmissions, 3) - 1] += 1 }
      var isFirst = true
      for transmission in transmissions(heard.capture, pdu: Int32(index)) {
        let channel = Int(transmission.channel)
        guard channel < 40 else { continue }
        figures.channels[channel].packets += 1
        if transmission.isRepeated, !isFirst { figures.channels[channel].repeated += 1 }
        isFirst = false
      }
    }
    let numbers = Dictionary(byConnection.map { ($0.value.handle, $0.key) }, uniquingKeysWith: min)
    for packet in unlogged {
      if let key = numbers[packet.handle] { byConnection[key]?.unlogged += 1 }
    }
    figures = byConnection.sorted { $0.key < $1.key }.map { entry in
      var figures = entry.value
      figures.waits.sort()
      return figures
    }
  }

  private func transmissions(_ capture: Int, pdu: Int32) -> [RecordedSession.Transmission] {
    guard let match = captures[capture].match, case let heard = match.heard[Int(pdu)], heard >= 0 else { return [] }
    let session = captures[capture].session
    return session.transmissions(of: session.pdus[Int(heard)])
  }

  /// The packets on the air for the packet of the host's log with this number; nil where there are none. Of several sniffers, the one with most
  /// packets.
  public func heard(_ frame: Int) -> Heard? { pdu(frame).flatMap { heard(pdu: $0) } }

  /// A sniffer followed the connection, and none received the packet.
  public func isUnheard(_ frame: Int) -> Bool { unheard.contains(frame) }

  private func pdu(_ frame: Int) -> Int32? {
    var (low, high) = (0, frames.count)
    while low < high {
      let middle = (low + high) / 2
      if frames[middle].frame < frame { low = middle + 1 } else { high = middle }
    }
    return low < frames.count && frames[low].frame == frame ? frames[low].pdu : nil
  }

  private func heard(pdu: Int32) -> Heard? {
    var best: Heard?
    for (number, capture) in captures.enumerated() {
      guard let match = capture.match, case let other = match.heard[Int(pdu)], other >= 0 else { continue }
      let packets = capture.session.transmissions(of: capture.session.pdus[Int(other)])
      guard packets.count > best?.frames.count ?? 0 else { continue }
      best = Heard(
        capture: number, frames: packets.map(\.frame), time: match.hostTime(capture.session.pdus[Int(other)].start),
        delay: delay(match, pdu, other, packets), retransmissions: packets.count { $0.isRepeated }, channels: packets.map(\.channel))
    }
    return best
  }

  private func delay(_ match: SessionMatch, _ pdu: Int32, _ other: Int32, _ packets: [RecordedSession.Transmission]) -> Int64 {
    let logged = host.pdus[Int(pdu)]
    if !logged.isForward, let last = packets.last(where: { match.hostTime($0.time) <= logged.end }) {
      return min(logged.end &- match.hostTime(last.time), max(0, match.wait(host: pdu, air: other)))
    }
    return match.wait(host: pdu, air: other)
  }

  /// The interval of the connection of a packet of the host's log, in µs, or 0.
  public func interval(_ frame: Int) -> Int64 {
    pdu(frame).map { host.connections[Int(host.pdus[Int($0)].connection)].interval } ?? 0
  }

  /// Time at which the packet of the host's log with this number completed a PDU, µs since 1970; nil where it did not.
  public func time(_ frame: Int) -> Int64? { pdu(frame).map { host.pdus[Int($0)].end } }

  /// The host sent the packet with this number.
  public func isSent(_ frame: Int) -> Bool { pdu(frame).map { host.pdus[Int($0)].isForward } ?? false }
}
