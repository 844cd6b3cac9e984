/// The correspondence between the PDUs of a host's log and of a sniffer's capture, and the difference of the clocks.
public struct SessionMatch: Sendable {
  /// The reason why nothing matches.
  public enum Failure: Error, Sendable {
    /// The host's log has no data of a connection.
    case noHostData
    /// The sniffer's capture has no readable data of a connection.
    case noAirData
    /// No packets are the same, or too few.
    case nothingInCommon
    /// The times of the same packets contradict each other.
    case contradictory
    /// More than one alignment fits.
    case ambiguous
  }

  /// A connection of the host, and the corresponding one on the air.
  public struct Link: Sendable {
    /// Index into the host's ``RecordedSession/connections``.
    public var host: Int32
    /// Index into the sniffer's.
    public var air: Int32
    /// The host is the central.
    public var isCentral: Bool
    /// PDUs of the host during the time that both captures have.
    public var possible = 0
    /// Those of them that the sniffer received.
    public var matched = 0
  }

  /// One of two clocks.
  public enum Clock: Sendable {
    /// That of the host's log.
    case host
    /// That of the sniffer's capture.
    case sniffer
  }

  /// A part of the captures between jumps of a clock.
  public struct Piece: Sendable {
    /// Number of its first packet in the host's log.
    public var frame: Int
    /// The relation of the clocks; nil where too few of its packets are the same.
    public var clock: ClockRelation?
    /// Amount by which the host's clock jumped ahead of the sniffer's at its start, µs; nil for the first piece, and where this one or the previous
    /// is not aligned.
    public var jump: Int64?
    /// The clock that jumped, if the captures show it.
    public var jumped: Clock?
    /// Its first PDUs on both sides, and its start by the sniffer's clock.
    var host: Int32, air: Int32, start: Int64
  }

  /// The relation of the clocks: of several ``pieces``, that of the one with most packets.
  public private(set) var clock: ClockRelation
  /// If a clock jumps within the captures, the parts between jumps; else empty.
  public internal(set) var pieces: [Piece] = []
  /// Jumps after the last piece that are not used.
  public private(set) var jumpsLeftOut = 0
  /// The connections that both captures have, in the order of the host's log.
  public private(set) var links: [Link] = []
  /// For each PDU of the host, the index of that of the air, or -1.
  public private(set) var heard: [Int32] = []
  /// For each PDU of the air, the index of that of the host, or -1.
  public private(set) var logged: [Int32] = []
  /// PDUs of the host that the sniffer did not receive although it followed the connection.
  public private(set) var unheard: [Int32] = []
  /// PDUs of the air that the host's log lacks although it has the connection.
  public private(set) var unlogged: [Int32] = []

  private let host: RecordedSession
  private let air: RecordedSession
  /// Indices of the PDUs of each connection that is matched, in order.
  private var indices: (host: [Int32: [Int32]], air: [Int32: [Int32]]) = ([:], [:])

  /// Most PDUs with the same bytes that are compared to find corresponding connections.
  private static let maxAlike = 8
  /// Most comparisons, and most pairs of connections.
  private static let maxCandidates = 1 << 19, maxPairs = 256
  /// Largest time difference between PDUs that are matched only by their time, in µs.
  private static let nearest: Int64 = 2_000_000
  /// Longest wait of a PDU whose bytes occur only once: more than the longest supervision timeout, in µs.
  private static let longest: Int64 = 33_000_000
  /// With known clocks, equal bytes at this distance are not confused, in µs.
  private static let apart: Int64 = 80_000
  /// Cost of leaving a PDU unmatched, in µs of waiting.
  private static let gap: Int64 = 250_000

  /// Matches `air`, a sniffer's capture, with `host`. If one clock jumps relative to the other, for instance because a host's clock was set, each
  /// part between jumps is matched separately.
  public init(_ host: RecordedSession, _ air: RecordedSession) throws(Failure) {
    let (jumps, leftOut) = ClockJumps.find(host, air)
    guard !jumps.isEmpty else {
      try self.init(whole: host, air)
      return
    }
    // One clock relation for everything may match as many packets, because packets that waited for long look like a jump too. It is not preferred if
    // it matches nothing after the jump either.
    let whole = try? SessionMatch(whole: host, air)
    let known = whole?.matched ?? 0
    guard let parts = SessionMatch(host, air, jumps),
      parts.matched > known || parts.matched == known && parts.pieces.contains(where: { $0.clock == nil })
    else {
      if let whole { self = whole } else { try self.init(whole: host, air) }
      return
    }
    self = parts
    jumpsLeftOut = leftOut
  }

  /// Number of PDUs that both captures have.
  var matched: Int { links.reduce(0) { $0 + $1.matched } }

  /// Matches each part between jumps separately. Nil where no part matches.
  private init?(_ host: RecordedSession, _ air: RecordedSession, _ jumps: [ClockJumps.Boundary]) {
    let boundaries = [ClockJumps.Boundary(host: 0, air: 0)] + jumps
    var known: (matched: Int, match: SessionMatch)?
    var parts: [(boundary: ClockJumps.Boundary, match: SessionMatch?)] = []
    for (number, boundary) in boundaries.enumerated() {
      let next = number + 1 < boundaries.count ? boundaries[number + 1] : ClockJumps.Boundary(host: host.pdus.count, air: air.pdus.count)
      let match = try? SessionMatch(whole: host.part(boundary.host..<next.host), air.part(boundary.air..<next.air))
      parts.append((boundary, match))
      if let match, match.matched > known?.matched ?? 0 { known = (match.matched, match) }
    }
    guard let known else { return nil }
    (self.host, self.air, clock) = (host, air, known.match.clock)
    heard = [Int32](repeating: -1, count: host.pdus.count)
    logged = [Int32](repeating: -1, count: air.pdus.count)
    for (boundary, match) in parts {
      let start = air.pdus.indices.contains(boundary.air) ? air.pdus[boundary.air].start : 0
      var piece = Piece(
        frame: host.pdus.indices.contains(boundary.host) ? host.pdus[boundary.host].frame : 0, clock: match?.clock, jump: nil,
        host: Int32(boundary.host), air: Int32(boundary.air), start: start)
      if let before = pieces.last?.clock, let own = match?.clock { piece.jump = own.hostTime(start) &- before.hostTime(start) }
      if !pieces.isEmpty { piece.jumped = ClockJumps.clock(boundary, host, air) }
      pieces.append(piece)
      guard let match else { continue }
      for (index, other) in match.heard.enumerated() where other >= 0 { heard[boundary.host + index] = other + Int32(boundary.air) }
      for (index, other) in match.logged.enumerated() where other >= 0 { logged[boundary.air + index] = other + Int32(boundary.host) }
      unheard += match.unheard.map { $0 + Int32(boundary.host) }
      unlogged += match.unlogged.map { $0 + Int32(boundary.air) }
      for link in match.links {
        if let at = links.firstIndex(where: { $0.host == link.host && $0.air == link.air }) {
          links[at].possible += link.possible
          links[at].matched += link.matched
        } else {
          links.append(link)
        }
      }
    }
    links.sort { $0.host < $1.host }
  }

  /// Matches captures without clock jumps.
  private init(whole host: RecordedSession, _ air: RecordedSession) throws(Failure) {
    guard !host.pdus.isEmpty else { throw .noHostData }
    guard !air.pdus.isEmpty else { throw .noAirData }
    let choice = try Self.choose(Self.pairs(host, air))
    let anchors = choice.flatMap { Self.anchors($0, host) }
    guard Self.isEnough(anchors, host) else { throw .nothingInCommon }
    guard let clock = ClockRelation(anchors.map { Self.anchor($0, host, air) }) else { throw .contradictory }
    try self.init(host, air, clock, choice.map { Link(host: $0.host, air: $0.air, isCentral: $0.isCentral) }) { _ in true }
  }

  /// Matches later parts of sessions whose clocks and connections are known: packets without unique bytes match by their times.
  init(_ host: RecordedSession, _ air: RecordedSession, after clock: ClockRelation, _ links: [Link]) throws(Failure) {
    // A clock relation from few packets is not better than the known one from many.
    try self.init(host, air, clock, links) { $0.error.map { $0 <= max(clock.error ?? 0, 10_000) } ?? false }
  }

  private init(
    _ host: RecordedSession, _ air: RecordedSession, _ known: ClockRelation, _ pairs: [Link], isBetter: (ClockRelation) -> Bool
  ) throws(Failure) {
    self.host = host
    self.air = air
    heard = [Int32](repeating: -1, count: host.pdus.count)
    logged = [Int32](repeating: -1, count: air.pdus.count)
    clock = known
    links = pairs.sorted { $0.host < $1.host }
    indices.host = Self.indices(host, Set(links.map(\.host)))
    indices.air = Self.indices(air, Set(links.map(\.air)))
    // The second pass uses the clock relation from all matches of the first.
    for isLast in [false, true] {
      heard = [Int32](repeating: -1, count: host.pdus.count)
      logged = [Int32](repeating: -1, count: air.pdus.count)
      var certain: [ClockRelation.Anchor] = []
      for number in links.indices { links[number] = match(links[number], &certain) }
      if !isLast, let better = ClockRelation(certain), isBetter(better) { clock = better }
    }
    links.removeAll { $0.matched == 0 }
    let (possible, matched) = links.reduce((0, 0)) { ($0.0 + $1.possible, $0.1 + $1.matched) }
    guard matched >= 3, matched * 2 >= possible else { throw .nothingInCommon }
    classify()
    indices = ([:], [:])
  }

  private static func indices(_ session: RecordedSession, _ connections: Set<Int32>) -> [Int32: [Int32]] {
    var result: [Int32: [Int32]] = [:]
    for (index, pdu) in session.pdus.enumerated() where connections.contains(pdu.connection) {
      result[pdu.connection, default: []].append(Int32(index))
    }
    return result
  }

  // MARK: Connections

  /// Two connections that may be the same.
  private struct Pair {
    var host: Int32, air: Int32
    var isCentral: Bool
    /// PDUs with the same bytes, by the difference of their times.
    var candidates: [Candidate] = []
    /// Difference of the clocks on which most of them agree, in µs, and their number.
    var offset: Int64 = 0
    var support = 0
    /// Range of `candidates` around the difference.
    var window = 0..<0
  }

  private struct Candidate {
    var difference: Int64
    var host: Int32, air: Int32
  }

  /// Largest spread of the differences for one clock: delays in the controller, and drift.
  private static let spread: Int64 = 500_000

  private static func pairs(_ host: RecordedSession, _ air: RecordedSession) -> [Pair] {
    var indices: [UInt64: Int32] = [:]
    var next = [Int32](repeating: -1, count: host.pdus.count)
    var counts: [UInt64: (host: Int, air: Int)] = [:]
    for index in host.pdus.indices.reversed() {
      let digest = host.pdus[index].digest
      next[index] = indices[digest] ?? -1
      indices[digest] = Int32(index)
      counts[digest, default: (0, 0)].host += 1
    }
    for pdu in air.pdus where indices[pdu.digest] != nil { counts[pdu.digest, default: (0, 0)].air += 1 }
    var numbers: [UInt64: Int] = [:]
    var pairs: [Pair] = []
    var left = maxCandidates
    for (index, heard) in air.pdus.enumerated() {
      guard var at = indices[heard.digest], let count = counts[heard.digest], count.host <= maxAlike, count.air <= maxAlike else {
        continue
      }
      while at >= 0, left > 0 {
        let logged = host.pdus[Int(at)]
        // If the log does not have the host's role, it follows from the senders.
        let isCentral = logged.isForward == heard.isForward
        if host.connections[Int(logged.connection)].isCentral.map({ $0 == isCentral }) ?? true {
          let key =
            UInt64(UInt32(bitPattern: logged.connection)) << 33 | UInt64(UInt32(bitPattern: heard.connection)) << 1 | (isCentral ? 1 : 0)
          let number = numbers[key] ?? pairs.count
          if number == pairs.count {
            numbers[key] = number
            pairs.append(Pair(host: logged.connection, air: heard.connection, isCentral: isCentral))
          }
          let times = logged.isForward ? (heard.start, logged.start) : (heard.end, logged.end)
          pairs[number].candidates.append(Candidate(difference: times.0 &- times.1, host: at, air: Int32(index)))
          left -= 1
        }
        at = next[Int(at)]
      }
    }
    for index in pairs.indices { vote(&pairs[index]) }
    return Array(pairs.filter { $0.support >= 2 }.sorted { $0.support > $1.support }.prefix(maxPairs))
  }

  /// Finds the difference of the clocks on which most candidates agree.
  private static func vote(_ pair: inout Pair) {
    pair.candidates.sort { ($0.difference, $0.air) < ($1.difference, $1.air) }
    let all = pair.candidates
    var low = 0
    for high in all.indices {
      while all[high].difference &- all[low].difference > spread { low += 1 }
      if high - low + 1 > pair.support {
        pair.support = high - low + 1
        pair.window = low..<high + 1
      }
    }
    if pair.support > 0 { pair.offset = all[pair.window.lowerBound + pair.support / 2].difference }
  }

  /// The range of a pair's candidates that agree with a difference.
  private static func agreeing(_ pair: Pair, _ offset: Int64) -> Range<Int> {
    func lowerBound(_ limit: Int64) -> Int {
      var (low, high) = (0, pair.candidates.count)
      while low < high {
        let middle = (low + high) / 2
        if pair.candidates[middle].difference < limit { low = middle + 1 } else { high = middle }
      }
      return low
    }
    return lowerBound(offset &- spread)..<lowerBound(offset &+ spread)
  }

  /// The pairs that one difference of the clocks explains best, each connection once.
  private static func choose(_ pairs: [Pair]) throws(Failure) -> [Pair] {
    guard !pairs.isEmpty else { throw .nothingInCommon }
    func chosen(_ offset: Int64) -> (pairs: [Pair], support: Int) {
      var known: (host: Set<Int32>, air: Set<Int32>) = ([], [])
      var result: [Pair] = []
      var support = 0
      let fitting = pairs.indices.map { (index: $0, window: agreeing(pairs[$0], offset)) }.filter { $0.window.count >= 1 }
      for (index, window) in fitting.sorted(by: { $0.window.count > $1.window.count }) {
        var pair = pairs[index]
        guard !known.host.contains(pair.host), !known.air.contains(pair.air) else { continue }
        known.host.insert(pair.host)
        known.air.insert(pair.air)
        pair.window = window
        support += window.count
        result.append(pair)
      }
      return (result, support)
    }
    var best: (pairs: [Pair], support: Int, offset: Int64) = ([], 0, 0)
    var second = 0
    for pair in pairs {
      let candidates = chosen(pair.offset)
      let isOther = abs(pair.offset.subtractingReportingOverflow(best.offset).partialValue) > 4 * spread
      if candidates.support > best.support {
        if isOther { second = best.support }
        best = (candidates.pairs, candidates.support, pair.offset)
      } else if isOther {
        second = max(second, candidates.support)
      }
    }
    // Almost as many packets match with another clock difference: the device does the same each time it is connected.
    if second * 10 > best.support * 9 { throw .ambiguous }
    return best.pairs
  }

  /// The candidates of a pair whose PDUs have no other candidate.
  private static func anchors(_ pair: Pair, _ host: RecordedSession) -> [Candidate] {
    let window = pair.candidates[pair.window]
    var counts: [UInt64: Int] = [:]
    for candidate in window { counts[host.pdus[Int(candidate.host)].digest, default: 0] += 1 }
    return window.filter { counts[host.pdus[Int($0.host)].digest] == 1 }
  }

  private static func isEnough(_ anchors: [Candidate], _ host: RecordedSession) -> Bool {
    anchors.count >= 3 && anchors.reduce(0) { $0 + Int(host.pdus[Int($1.host)].length) } >= 16
  }

  private static func anchor(_ candidate: Candidate, _ host: RecordedSession, _ air: RecordedSession) -> ClockRelation.Anchor {
    let logged = host.pdus[Int(candidate.host)]
    let heard = air.pdus[Int(candidate.air)]
    return logged.isForward
      ? ClockRelation.Anchor(host: logged.start, air: heard.start, isSent: true)
      : ClockRelation.Anchor(host: logged.end, air: heard.end, isSent: false)
  }

  // MARK: PDUs

  /// The host's time at the sniffer's time `air`; in a part that is not aligned, by the previous part's relation.
  public func hostTime(_ air: Int64) -> Int64 { clock(at: air).hostTime(air) }

  /// The relation of the clocks at the sniffer's time `air`.
  func clock(at air: Int64) -> ClockRelation {
    let piece = pieces.last { $0.start <= air && $0.clock != nil } ?? pieces.first { $0.clock != nil }
    return piece?.clock ?? clock
  }

  /// Time that a PDU waited between host and air by the aligned clocks, in µs; negative where the clocks contradict.
  public func wait(host logged: Int32, air heard: Int32) -> Int64 {
    let pdu = host.pdus[Int(logged)]
    let other = air.pdus[Int(heard)]
    let clock = pieces.last { $0.host <= logged }?.clock ?? clock
    return pdu.isForward ? clock.hostTime(other.start) &- pdu.start : pdu.end &- clock.hostTime(other.end)
  }

  /// Tolerance for negative waits, in µs: the error of the clocks, and 3 ms because sniffers may record the end of a packet, others its start.
  private var tolerance: Int64 { Int64(max(0, min(clock.error ?? 100_000, 1_000_000))) + 3_000 }

  private mutating func match(_ known: Link, _ certain: inout [ClockRelation.Anchor]) -> Link {
    var link = known
    (link.possible, link.matched) = (0, 0)
    let pdus = (host: indices.host[known.host] ?? [], air: indices.air[known.air] ?? [])
    let hostTimes = pdus.host.map { host.pdus[Int($0)].end }
    let airTimes = pdus.air.map { clock.hostTime(air.pdus[Int($0)].end) }
    guard let first = hostTimes.min(), let last = hostTimes.max(), let start = airTimes.min(), let end = airTimes.max() else { return link }
    let common = max(first, start)...max(max(first, start), min(last, end))
    for isSent in [true, false] {
      let isForward = isSent == link.isCentral
      // PDUs with the same bytes are adjacent, in order.
      func sorted(_ session: RecordedSession, _ indices: [Int32], _ isForward: Bool) -> [Int32] {
        indices.filter { session.pdus[Int($0)].isForward == isForward }
          .sorted { (session.pdus[Int($0)].digest, $0) < (session.pdus[Int($1)].digest, $1) }
      }
      let logged = sorted(host, pdus.host, isSent)
      let heard = sorted(air, pdus.air, isForward)
      var (index, other) = (0, 0)
      while index < logged.count, other < heard.count {
        let digest = host.pdus[Int(logged[index])].digest
        let second = air.pdus[Int(heard[other])].digest
        if digest < second {
          index += 1
        } else if digest > second {
          other += 1
        } else {
          let (firstLogged, firstOther) = (index, other)
          while index < logged.count, host.pdus[Int(logged[index])].digest == digest { index += 1 }
          while other < heard.count, air.pdus[Int(heard[other])].digest == digest { other += 1 }
          assign(logged[firstLogged..<index], heard[firstOther..<other], &certain)
        }
      }
      link.matched += logged.count { self.heard[Int($0)] >= 0 }
      link.possible += logged.count { self.heard[Int($0)] >= 0 || common.contains(host.pdus[Int($0)].end) }
    }
    return link
  }

  /// Matches PDUs with the same bytes from one side of a connection, in order.
  private mutating func assign(_ logged: ArraySlice<Int32>, _ heard: ArraySlice<Int32>, _ certain: inout [ClockRelation.Anchor]) {
    if logged.count == 1, heard.count == 1, let only = logged.first, let other = heard.first {
      guard case let wait = wait(host: only, air: other), wait >= -tolerance, wait <= Self.longest else { return }
      take(only, other)
      certain.append(Self.anchor(Candidate(difference: 0, host: only, air: other), host, air))
      return
    }
    // Long runs of the same bytes are matched in pieces, so that the table stays small.
    var next = logged.startIndex
    var at = heard.startIndex
    while at < heard.endIndex, next < logged.endIndex {
      let piece = heard[at..<min(at + 64, heard.endIndex)]
      at = piece.endIndex
      // Only PDUs logged within some seconds of the piece can belong to it.
      func time(_ index: Int) -> Int64 { host.pdus[Int(logged[index])].end }
      let times = piece.map { clock.hostTime(air.pdus[Int($0)].end) }
      guard let first = times.min(), let last = times.max() else { return }
      let reach = Self.nearest + tolerance
      while next < logged.endIndex, time(next) < first - reach { next += 1 }
      var end = next
      while end < logged.endIndex, end - next < 512, time(end) <= last + reach { end += 1 }
      align(Array(logged[next..<end]), Array(piece))
      // PDUs before the last matched one are skipped.
      if let last = logged[next..<end].lastIndex(where: { self.heard[Int($0)] >= 0 }) { next = last + 1 }
    }
    fill(logged, heard)
    for (index, pdu) in logged.enumerated() where self.heard[Int(pdu)] >= 0 {
      // The same bytes before and after it are far enough away that no other match is likely.
      let time = host.pdus[Int(pdu)].end
      let neighbours = [index - 1, index + 1].filter { logged.indices.contains(logged.startIndex + $0) }
      guard neighbours.allSatisfy({ abs(host.pdus[Int(logged[logged.startIndex + $0])].end - time) >= Self.apart }) else { continue }
      certain.append(Self.anchor(Candidate(difference: 0, host: pdu, air: self.heard[Int(pdu)]), host, air))
    }
  }

  /// If one PDU is left on either side between the same neighbours, the two match, however long it waited.
  private mutating func fill(_ logged: ArraySlice<Int32>, _ heard: ArraySlice<Int32>) {
    var at = heard.startIndex
    var open: [Int32] = []
    for pdu in logged + [-1] {
      let other = pdu < 0 ? -1 : self.heard[Int(pdu)]
      guard pdu < 0 || other >= 0 else {
        open.append(pdu)
        continue
      }
      var rest: [Int32] = []
      while at < heard.endIndex, heard[at] != other {
        rest.append(heard[at])
        at += 1
      }
      if at < heard.endIndex { at += 1 }
      if open.count == 1, rest.count == 1, self.logged[Int(rest[0])] < 0,
        case let wait = wait(host: open[0], air: rest[0]), wait >= -tolerance, wait <= Self.longest
      {
        take(open[0], rest[0])
      }
      open = []
    }
  }

  /// Finds the assignment in order with the least cost of waits and gaps.
  private mutating func align(_ logged: [Int32], _ heard: [Int32]) {
    guard !logged.isEmpty, !heard.isEmpty else { return }
    let width = logged.count + 1
    var cost = [Int64](repeating: 0, count: width * (heard.count + 1))
    var choice = [UInt8](repeating: 0, count: cost.count)
    for row in 0...heard.count {
      for column in 0...logged.count {
        let index = row * width + column
        if row == 0 || column == 0 {
          cost[index] = Int64(row + column) * Self.gap
          choice[index] = row == 0 ? 1 : 2
          continue
        }
        var minimum = cost[index - 1] + Self.gap
        choice[index] = 1
        if case let other = cost[index - width] + Self.gap, other < minimum { (minimum, choice[index]) = (other, 2) }
        let wait = wait(host: logged[column - 1], air: heard[row - 1])
        if wait >= -tolerance, wait <= Self.nearest, case let other = cost[index - width - 1] + abs(wait), other < minimum {
          (minimum, choice[index]) = (other, 3)
        }
        cost[index] = minimum
      }
    }
    var (row, column) = (heard.count, logged.count)
    while row > 0 || column > 0 {
      switch choice[row * width + column] {
      case 3:
        take(logged[column - 1], heard[row - 1])
        row -= 1
        column -= 1
      case 2: row -= 1
      default: column -= 1
      }
    }
  }

  private mutating func take(_ pdu: Int32, _ other: Int32) {
    heard[Int(pdu)] = other
    logged[Int(other)] = pdu
  }

  // MARK: PDUs of only one side

  /// Largest distance of the matched PDUs before and after a PDU of only one side: between them both captures had the connection.
  private static let neighbourhood: Int64 = 10_000_000

  private mutating func classify() {
    for link in links where host.connections[Int(link.host)].cut == 0 {
      let hostPDUs = (indices.host[link.host] ?? []).map { Int($0) }
      let others = (indices.air[link.air] ?? []).map { Int($0) }
      let closed = air.connections[Int(link.air)].closed.map { clock.hostTime($0) }.sorted()
      // A PDU is not reported as missing if an unmatched PDU of the other side has the same bytes.
      let openHost = Set(hostPDUs.filter { heard[$0] < 0 }.map { host.pdus[$0].digest })
      let openAir = Set(others.filter { logged[$0] < 0 }.map { air.pdus[$0].digest })
      let isAllKept = closed.count < RecordedSession.maxClosed && host.leftOut == 0 && air.leftOut == 0
      guard isAllKept else { continue }
      func isFollowed(_ time: Int64, _ before: Int64?, _ after: Int64?) -> Bool {
        guard let before, let after, time - before <= Self.neighbourhood, after - time <= Self.neighbourhood else { return false }
        // The first undecrypted packet after the previous match.
        var (low, high) = (0, closed.count)
        while low < high {
          let middle = (low + high) / 2
          if closed[middle] < before - tolerance { low = middle + 1 } else { high = middle }
        }
        return low == closed.count || closed[low] > after + tolerance
      }
      for (index, before, after) in Self.neighbours(hostPDUs, { heard[$0] >= 0 }, { host.pdus[$0].end })
      where isFollowed(host.pdus[index].end, before, after) && !openAir.contains(host.pdus[index].digest) {
        unheard.append(Int32(index))
      }
      for (index, before, after) in Self.neighbours(others, { logged[$0] >= 0 }, { clock.hostTime(air.pdus[$0].end) })
      where isFollowed(clock.hostTime(air.pdus[index].end), before, after) && !openHost.contains(air.pdus[index].digest) {
        unlogged.append(Int32(index))
      }
    }
    unheard.sort()
    unlogged.sort()
  }

  /// The unmatched ones of `indices`, with the times of the nearest matched ones before and after.
  private static func neighbours(
    _ indices: [Int], _ isMatched: (Int) -> Bool, _ time: (Int) -> Int64
  ) -> [(index: Int, before: Int64?, after: Int64?)] {
    var result: [(index: Int, before: Int64?, after: Int64?)] = []
    var before: Int64?
    var open = 0
    for index in indices {
      if isMatched(index) {
        before = time(index)
        for index in open..<result.count { result[index].after = before }
        open = result.count
      } else {
        result.append((index, before, nil))
      }
    }
    return result
  }
}
