/// The length of a message according to its first bytes.
public enum StreamLength: Equatable, Sendable {
  /// The length is known once this many bytes of the message have arrived.
  case needs(Int)
  /// The number of bytes of the complete message, including its markers.
  case total(Int)
  /// The bytes do not give it: an end marker, a fixed total, the request or idle time ends the message.
  case unknown
  /// No message starts like this.
  case bad
}

/// How a stream of bytes is split into messages. Markers are part of the message they begin or end.
public struct StreamRules: Sendable {
  /// Positions at which a start marker inside an open message starts a new one.
  public enum Restart: UInt8, Sendable {
    /// Nowhere: a message with an open length or end marker continues.
    case never
    /// At the start of a packet.
    case atPacketStart
    /// Anywhere.
    case anywhere
  }

  /// Position at which the search continues if no message can start at the expected position.
  public enum Resync: UInt8, Sendable {
    /// At the next start marker; without markers, at the next byte.
    case marker
    /// At the start of the next packet.
    case packet
  }

  /// How a message is handled whose length does not end at an end marker.
  public enum BadEnd: UInt8, Sendable {
    /// It is no message: its first byte is skipped, and the search continues after it.
    case resync
    /// It is delivered as partial, with a problem.
    case deliver
  }

  /// How an open message is handled after idle time.
  public enum Silence: UInt8, Sendable {
    /// It is dropped and delivered as partial.
    case drop
    /// It is complete: in this protocol, idle time ends a message.
    case complete
  }

  /// Start markers, each of which starts a message. Empty: a message starts at the end of the previous one.
  public var starts: [[UInt8]] = []
  /// Bytes that may precede a start marker and belong to no message.
  public var prefixes: [[UInt8]] = []
  /// End markers, each of which ends a message. If a length is known they are verified, else they are searched for.
  public var ends: [[UInt8]] = []
  /// A byte inside messages that excludes the following byte from the search for markers (DLE stuffing, where a marker begins with it too: only a
  /// complete marker counts).
  public var escape: UInt8?
  /// Number of bytes of every message, where it is constant.
  public var fixedTotal: Int?
  /// The most bytes a message may have.
  public var maximum: Int = 1 << 16
  /// Positions at which a start marker inside an open message starts a new one.
  public var restart: Restart = .never
  /// Position at which the search continues after garbage.
  public var resync: Resync = .marker
  /// How a message is handled whose length does not end at an end marker.
  public var onBadEnd: BadEnd = .resync
  /// How the rest of a packet after a message is handled.
  public var onSurplus: SurplusPolicy = .next
  /// Byte sequences that are removed at the start of packets and between messages.
  public var noise: [[UInt8]] = []
  /// A byte that pads the space between messages.
  public var padding: UInt8?
  /// Idle time in µs after which an open message ends; nil: never.
  public var idle: Int64?
  /// How an open message with unknown length is handled after idle time, or at the end of the packets.
  public var onIdle: Silence = .drop

  /// Rules with their defaults: no markers, 64 KiB at most, surplus starts the next message.
  public init() {}
}

/// Splits a stream of bytes (one characteristic, one direction) into messages, independent of packet boundaries.
///
/// A message in a single packet is delivered without copying; otherwise its bytes are joined in a buffer that is reused.
public struct StreamFramer: Sendable {
  /// The framing rules.
  public let rules: StreamRules
  /// Total number of bytes of the open or next message if neither its bytes nor the rules give it: known from the request. Reset by the message.
  public var expectedTotal: Int?

  private var buffer: [UInt8] = []
  private var runs: [MessagePiece] = []
  private var times: [Int64] = []
  private var tags: [UInt64] = []
  private var pieces: [MessagePiece] = []
  private var problems: [ReassemblyProblem] = []
  private var lastTime: Int64 = 0
  /// Whether the buffer starts with a marker (or, without markers, a message), and the known properties of that message.
  private var isOpen = false
  private var total: Int?
  private var needs = 0
  private var startLength = 0
  private var endSearchedTo = 0
  private var startSearchedTo = 0

  /// Makes a framer without an open message. Empty markers and noise are ignored.
  public init(_ rules: StreamRules) {
    var cleaned = rules
    Self.clean(&cleaned.starts)
    Self.clean(&cleaned.prefixes)
    Self.clean(&cleaned.ends)
    Self.clean(&cleaned.noise)
    self.rules = cleaned
  }

  /// Removes empty and duplicate markers.
  private static func clean(_ markers: inout [[UInt8]]) {
    if markers.isEmpty { return }
    var known: Set<[UInt8]> = [[]]
    markers.removeAll { !known.insert($0).inserted }
  }

  /// Number of bytes of the incomplete message.
  public var pendingBytes: Int { buffer.count }

  /// Takes one packet of a stream whose messages end by marker, fixed total, request or idle time. As ``push(_:at:tag:time:length:deliver:)``.
  public mutating func push(
    _ packet: RawSpan, at offset: Int = 0, tag: UInt64, time: Int64 = 0, deliver: (Reassembled) -> Void
  ) {
    push(packet, at: offset, tag: tag, time: time, length: { _ in .unknown }, deliver: deliver)
  }

  /// Takes one packet.
  ///
  /// - Parameters:
  ///   - packet: its bytes.
  ///   - offset: offset in bytes of `packet` in the caller's packet, for ``Reassembled/pieces``.
  ///   - tag: identifies the packet, for example its frame number.
  ///   - time: the packet's time in µs, for ``StreamRules/idle``.
  ///   - length: returns the length of a message from its bytes so far, which begin with its start marker. It is called again when the bytes
  ///     that it needs have arrived.
  ///   - deliver: called for each message, partial message, and range of bytes that belongs to no message, in the order of the bytes.
  public mutating func push(
    _ packet: RawSpan, at offset: Int = 0, tag: UInt64, time: Int64 = 0, length: (RawSpan) -> StreamLength, deliver: (Reassembled) -> Void
  ) {
    // After the idle time the open message is dropped, unless this packet is exactly its missing rest, which a slow link delayed.
    if isSilent(at: time, pauses: 1), !completes(packet) { giveUp(.idle, deliver) }
    lastTime = time

    // Noise at the start of a packet is not part of an open message either.
    var from = 0
    while let count = match(rules.noise, packet, from) {
      give(.padding, packet, from, from &+ count, Whole(tag: tag, offset: offset, time: time), deliver)
      from &+= count
    }
    let rest = packet.extracting(from..<packet.byteCount)
    if rest.isEmpty { return }
    let whole = Whole(tag: tag, offset: offset &+ from, time: time)

    if isOpen, rules.restart == .atPacketStart, match(rules.starts, rest, 0) != nil {
      overtake(tag, deliver)
    }

    if buffer.isEmpty {
      let kept = cut(rest, whole, tag, length, deliver)
      rebase(kept)
      guard kept < rest.byteCount else { return }
      append(rest.extracting(kept..<rest.byteCount), tag, whole.offset &+ kept, time)
    } else {
      append(rest, tag, whole.offset, time)
      // The buffer is moved out of self while its bytes are read and self changes. It is moved back before anything is appended to it.
      var window: [UInt8] = []
      swap(&window, &buffer)
      let kept = cut(window.rawSpan, nil, tag, length, deliver)
      window.removeFirst(kept)
      swap(&window, &buffer)
      rebase(kept)
      forget(kept)
    }
  }

  /// Ends a message that has waited longer than the idle time, or four times as long if its length is known, because its end may still come. `now` is
  /// in µs.
  public mutating func flush(now: Int64, deliver: (Reassembled) -> Void) {
    if isSilent(at: now, pauses: isAnnounced ? 4 : 1) { giveUp(.idle, deliver) }
  }

  private func isSilent(at now: Int64, pauses: Int64) -> Bool {
    guard !buffer.isEmpty, let idle = rules.idle else { return false }
    return now.subtractingReportingOverflow(lastTime).partialValue > idle.multipliedReportingOverflow(by: pauses).partialValue
  }

  /// The open message started with a marker, and its length is known from its bytes or the rules.
  private var isAnnounced: Bool { isOpen && total != nil && !rules.starts.isEmpty }

  /// Whether a packet is exactly the rest of the open message, and does not start or end like another one.
  private func completes(_ packet: RawSpan) -> Bool {
    guard isAnnounced, let total, buffer.count &+ packet.byteCount == total, match(rules.starts, packet, 0) == nil else { return false }
    return rules.ends.isEmpty
      || rules.ends.contains { $0.count <= packet.byteCount && match([$0], packet, packet.byteCount &- $0.count) != nil }
  }

  /// Ends the open message, because no more packets will come (the capture or the connection has ended).
  public mutating func finish(deliver: (Reassembled) -> Void) {
    giveUp(.unfinished, deliver)
    expectedTotal = nil
  }

  // MARK: Splitting

  /// The packet of a window that is a single packet.
  private struct Whole {
    var tag: UInt64
    var offset: Int
    var time: Int64
  }

  /// Delivers all messages in `window`. Returns the offset of the first byte that waits for more.
  private mutating func cut(
    _ window: RawSpan, _ whole: Whole?, _ tag: UInt64, _ length: (RawSpan) -> StreamLength, _ deliver: (Reassembled) -> Void
  ) -> Int {
    var at = 0
    /// Start of the bytes that are skipped as garbage; they are delivered as one range.
    var garbage: Int?
    while true {
      if !isOpen {
        let (start, isFound) = hunt(window, at, &garbage, whole, tag, deliver)
        guard isFound else { return start }
        at = start
      }
      let found = measure(window, at, length)
      if case .bad(let problem, let expected, let found) = found {
        isOpen = false
        note(ReassemblyProblem(problem, tag: tag, expected: expected, found: found))
        garbage = garbage ?? at
        at = rules.resync == .packet ? window.byteCount : at &+ 1
        continue
      }
      if let from = garbage { skip(window, from, at, whole, tag, deliver) }
      garbage = nil
      switch found {
      case .waits, .bad:
        return at
      case .ends(let end, let isPartial):
        at = deliverMessage(window, at, end, isPartial, whole, tag, deliver)
      case .overtaken(let next):
        note(ReassemblyProblem(.overtaken, tag: tag, expected: total ?? 0, found: next &- at))
        give(.partial, window, at, next, whole, deliver)
        at = next
        reopen(at, match(rules.starts, window, at) ?? 0)
      case .emptyFrame(let next):
        give(.padding, window, at, next, whole, deliver)
        at = next
        reopen(at, match(rules.starts, window, at) ?? 0)
      }
    }
  }

  /// Searches the start of a message from `from` on: returns its offset, or the offset of bytes that may become one. Delivers padding. Garbage
  /// directly before a start is delivered when the start is confirmed.
  private mutating func hunt(
    _ window: RawSpan, _ from: Int, _ garbage: inout Int?, _ whole: Whole?, _ tag: UInt64, _ deliver: (Reassembled) -> Void
  ) -> (Int, isFound: Bool) {
    var at = from
    var waits = false
    while at < window.byteCount {
      if !rules.starts.isEmpty, let count = match(rules.starts, window, at, &waits) {
        reopen(at, count)
        return (at, true)
      }
      if waits { break }
      var blank = at
      while blank < window.byteCount, let count = matchBlank(window, blank, &waits) { blank &+= count }
      if blank > at {
        if let from = garbage { skip(window, from, at, whole, tag, deliver) }
        garbage = nil
        give(.padding, window, at, blank, whole, deliver)
        at = blank
        continue
      }
      if waits { break }
      if rules.starts.isEmpty {
        reopen(at, 0)
        return (at, true)
      }
      if garbage == nil { garbage = at }
      at &+= 1
    }
    if let from = garbage { skip(window, from, at, whole, tag, deliver) }
    garbage = nil
    return (at, false)
  }

  /// Delivers garbage.
  private mutating func skip(
    _ window: RawSpan, _ from: Int, _ to: Int, _ whole: Whole?, _ tag: UInt64, _ deliver: (Reassembled) -> Void
  ) {
    if problems.isEmpty { note(ReassemblyProblem(.skipped, tag: tag, found: to &- from)) }
    give(.unjoined, window, from, to, whole, deliver)
  }

  /// Adds a problem; of a long run of garbage only the first few are kept.
  private mutating func note(_ problem: ReassemblyProblem) {
    if problems.count < 8 { problems.append(problem) }
  }

  /// Starts a message at `at`, whose start marker has `count` bytes. Bytes that were already searched for markers are not searched again.
  private mutating func reopen(_ at: Int, _ count: Int) {
    isOpen = true
    total = nil
    needs = 0
    startLength = count
    endSearchedTo = max(endSearchedTo, at)
    startSearchedTo = max(startSearchedTo, at)
  }

  private enum Measure {
    case waits
    case ends(Int, isPartial: Bool)
    case overtaken(Int)
    case emptyFrame(Int)
    case bad(ReassemblyProblem.Kind, expected: Int, found: Int)
  }

  /// The state of the message that starts at `at`.
  private mutating func measure(_ window: RawSpan, _ at: Int, _ length: (RawSpan) -> StreamLength) -> Measure {
    let have = window.byteCount &- at
    if total == nil, have >= needs {
      switch length(window.extracting(at..<window.byteCount)) {
      case .total(let count):
        if count < max(1, startLength) { return .bad(.badLength, expected: max(1, startLength), found: count) }
        total = count
      case .needs(let count):
        if count > rules.maximum { return .bad(.tooLong, expected: rules.maximum, found: count) }
        needs = max(count, have &+ 1)
      case .unknown:
        total = rules.fixedTotal ?? expectedTotal
        if let total, total < 1 { return .bad(.badLength, expected: 1, found: total) }
      case .bad:
        return .bad(.badLength, expected: 0, found: have)
      }
    }

    if let total {
      if total > rules.maximum { return .bad(.tooLong, expected: rules.maximum, found: total) }
      let isWhole = have >= total
      if let start = restart(window, at, isWhole ? at &+ total : window.byteCount) { return .overtaken(start) }
      guard isWhole else { return .waits }
      if !rules.ends.isEmpty, !endsWithMarker(window, at &+ startLength, at &+ total) {
        if rules.onBadEnd == .deliver { return .ends(at &+ total, isPartial: true) }
        return .bad(.badEnd, expected: total, found: total)
      }
      return .ends(at &+ total, isPartial: false)
    }

    if needs > have {
      if let start = restart(window, at, window.byteCount) { return .overtaken(start) }
      return .waits
    }
    var end: Int?
    if !rules.ends.isEmpty {
      var search = max(endSearchedTo, at &+ startLength)
      var waits = false
      while search < window.byteCount {
        if let count = match(rules.ends, window, search, &waits) {
          // Two consecutive flags, if one marker both ends and starts messages: the second one starts a message.
          if search == at &+ startLength, match(rules.starts, window, search) == count { return .emptyFrame(search) }
          end = search &+ count
          break
        }
        if waits || isCutEscape(window, search) { break }
        search &+= stride(window, search)
      }
      endSearchedTo = search
    }
    if let start = restart(window, at, end ?? window.byteCount) { return .overtaken(start) }
    if let end { return .ends(end, isPartial: false) }
    if have > rules.maximum { return .bad(.tooLong, expected: rules.maximum, found: have) }
    return .waits
  }

  /// A start marker inside the open message, before `end`, where the rules let it restart.
  private mutating func restart(_ window: RawSpan, _ at: Int, _ end: Int) -> Int? {
    guard rules.restart == .anywhere, !rules.starts.isEmpty else { return nil }
    var search = max(startSearchedTo, at &+ max(1, startLength))
    var waits = false
    while search < end {
      if let count = match(rules.starts, window, search, &waits) {
        // The end marker of this message may be a start marker too.
        if search &+ count == end, match(rules.ends, window, search) == count { break }
        if search &+ count <= end { return search }
      }
      if waits || isCutEscape(window, search) { break }
      search &+= stride(window, search)
    }
    startSearchedTo = search
    return nil
  }

  /// Delivers the message from `at` to `end`, and handles the rest of its packet. Returns the offset at which to continue.
  private mutating func deliverMessage(
    _ window: RawSpan, _ at: Int, _ end: Int, _ isPartial: Bool, _ whole: Whole?, _ tag: UInt64, _ deliver: (Reassembled) -> Void
  ) -> Int {
    isOpen = false
    let extra = window.byteCount &- end
    var kind = isPartial ? Reassembled.Kind.partial : .message
    if isPartial { problems.append(ReassemblyProblem(.badEnd, tag: tag, expected: end &- at, found: end &- at)) }
    var upTo = end
    var next = end
    var surplus = 0
    var isSurplusUnjoined = false
    if extra > 0 {
      switch rules.onSurplus {
      case .next:
        break
      case .trim:
        surplus = extra
        next = window.byteCount
      case .keep:
        upTo = window.byteCount
        next = upTo
      case .error:
        problems.append(ReassemblyProblem(.surplus, tag: tag, expected: end &- at, found: window.byteCount &- at))
        kind = .partial
        isSurplusUnjoined = true
      }
    }
    if kind == .message { expectedTotal = nil }
    give(kind, window, at, upTo, whole, surplus: surplus, deliver)
    if isSurplusUnjoined {
      problems.append(ReassemblyProblem(.surplus, tag: tag, expected: end &- at, found: window.byteCount &- at))
      give(.unjoined, window, end, window.byteCount, whole, deliver)
      next = window.byteCount
    }
    return next
  }

  /// Ends the open message because a packet starts a new one.
  private mutating func overtake(_ tag: UInt64, _ deliver: (Reassembled) -> Void) {
    let isEndless = total == nil && needs <= buffer.count && rules.ends.isEmpty
    if !isEndless { problems.append(ReassemblyProblem(.overtaken, tag: tag, expected: total ?? 0, found: buffer.count)) }
    giveBuffer(isEndless ? .message : .partial, deliver)
  }

  private mutating func giveUp(_ kind: ReassemblyProblem.Kind, _ deliver: (Reassembled) -> Void) {
    guard !buffer.isEmpty else { return }
    if isOpen, rules.onIdle == .complete, total == nil, needs <= buffer.count {
      giveBuffer(.message, deliver)
      return
    }
    problems.append(ReassemblyProblem(kind, tag: runs.last?.tag ?? 0, expected: total ?? 0, found: buffer.count))
    giveBuffer(isOpen ? .partial : .unjoined, deliver)
  }

  private mutating func giveBuffer(_ kind: Reassembled.Kind, _ deliver: (Reassembled) -> Void) {
    var window: [UInt8] = []
    swap(&window, &buffer)
    give(kind, window.rawSpan, 0, window.count, nil, deliver)
    window.removeAll(keepingCapacity: true)
    swap(&window, &buffer)
    runs.removeAll(keepingCapacity: true)
    times.removeAll(keepingCapacity: true)
    rebase(Int.max)
    isOpen = false
    if kind == .message { expectedTotal = nil }
  }

  // MARK: Keeping and giving

  private mutating func append(_ bytes: RawSpan, _ tag: UInt64, _ offset: Int, _ time: Int64) {
    runs.append(MessagePiece(tag: tag, packetOffset: offset, messageOffset: buffer.count, count: bytes.byteCount))
    times.append(time)
    unsafe bytes.withUnsafeBytes { unsafe buffer.append(contentsOf: $0) }
  }

  /// Makes the searched offsets relative to the remaining part of a window.
  private mutating func rebase(_ kept: Int) {
    endSearchedTo = max(0, endSearchedTo &- kept)
    startSearchedTo = max(0, startSearchedTo &- kept)
  }

  /// Removes the origins of the first `count` bytes of the buffer.
  private mutating func forget(_ count: Int) {
    if count == 0 { return }
    var removed = 0
    while removed < runs.count, runs[removed].messageOffset &+ runs[removed].count <= count { removed &+= 1 }
    runs.removeFirst(removed)
    times.removeFirst(removed)
    for index in runs.indices {
      let cut = max(0, count &- runs[index].messageOffset)
      runs[index].packetOffset &+= cut
      runs[index].count &-= cut
      runs[index].messageOffset = max(0, runs[index].messageOffset &- count)
    }
  }

  /// Delivers the bytes `from ..< to` of `window`, with the problems so far.
  private mutating func give(
    _ kind: Reassembled.Kind, _ window: RawSpan, _ from: Int, _ to: Int, _ whole: Whole?, surplus: Int = 0, _ deliver: (Reassembled) -> Void
  ) {
    let bytes = window.extracting(from..<to)
    if let whole {
      let tag: [1 of UInt64] = [whole.tag]
      let piece: [1 of MessagePiece] = [
        MessagePiece(tag: whole.tag, packetOffset: whole.offset &+ from, messageOffset: 0, count: to &- from)
      ]
      deliver(
        Reassembled(
          kind: kind, bytes: bytes, tags: tag.span, pieces: piece.span, problems: problems.span, surplus: surplus, begin: whole.time,
          end: whole.time))
    } else {
      tags.removeAll(keepingCapacity: true)
      pieces.removeAll(keepingCapacity: true)
      var begin = lastTime
      var end = lastTime
      for (index, run) in runs.enumerated() {
        let low = max(from, run.messageOffset)
        let high = min(to, run.messageOffset &+ run.count)
        guard low < high else { continue }
        if pieces.isEmpty { begin = times[index] }
        end = times[index]
        if tags.last != run.tag { tags.append(run.tag) }
        pieces.append(
          MessagePiece(
            tag: run.tag, packetOffset: run.packetOffset &+ (low &- run.messageOffset), messageOffset: low &- from, count: high &- low))
      }
      deliver(
        Reassembled(
          kind: kind, bytes: bytes, tags: tags.span, pieces: pieces.span, problems: problems.span, surplus: surplus, begin: begin,
          end: end))
    }
    problems.removeAll(keepingCapacity: true)
  }

  // MARK: Matching

  /// The length in bytes of the first marker of the list that is at `at`.
  private func match(_ markers: [[UInt8]], _ window: RawSpan, _ at: Int) -> Int? {
    var waits = false
    return match(markers, window, at, &waits)
  }

  /// As above; sets `waits` to true if there is none yet, but `window` ends inside a possible marker.
  private func match(_ markers: [[UInt8]], _ window: RawSpan, _ at: Int, _ waits: inout Bool) -> Int? {
    var mayBecome = false
    for marker in markers {
      let common = min(marker.count, window.byteCount &- at)
      guard common > 0 else { continue }
      var same = 0
      while same < common, unsafe window.unsafeLoad(fromByteOffset: at &+ same, as: UInt8.self) == marker[same] { same &+= 1 }
      if same == marker.count { return same }
      if same == common { mayBecome = true }
    }
    if mayBecome { waits = true }
    return nil
  }

  /// The number of bytes at `at` to ignore: noise, padding, or a prefix before a start marker.
  private func matchBlank(_ window: RawSpan, _ at: Int, _ waits: inout Bool) -> Int? {
    if let padding = rules.padding, unsafe window.unsafeLoad(fromByteOffset: at, as: UInt8.self) == padding { return 1 }
    if let count = match(rules.noise, window, at, &waits) { return count }
    for prefix in rules.prefixes {
      let common = min(prefix.count, window.byteCount &- at)
      var same = 0
      while same < common, unsafe window.unsafeLoad(fromByteOffset: at &+ same, as: UInt8.self) == prefix[same] { same &+= 1 }
      guard same == common else { continue }
      if at &+ same == window.byteCount {
        waits = true
      } else if match(rules.starts, window, at &+ same, &waits) != nil {
        return same
      }
    }
    return nil
  }

  /// Whether the escape byte at `at` is the last byte, so that the escaped byte is unknown.
  private func isCutEscape(_ window: RawSpan, _ at: Int) -> Bool {
    guard let escape = rules.escape, at &+ 1 == window.byteCount else { return false }
    return unsafe window.unsafeLoad(fromByteOffset: at, as: UInt8.self) == escape
  }

  /// Number of bytes that the search advances from a byte without a marker.
  private func stride(_ window: RawSpan, _ at: Int) -> Int {
    guard let escape = rules.escape else { return 1 }
    return unsafe window.unsafeLoad(fromByteOffset: at, as: UInt8.self) == escape ? 2 : 1
  }

  /// Whether an end marker ends at `end` and begins at `from` or after it.
  private func endsWithMarker(_ window: RawSpan, _ from: Int, _ end: Int) -> Bool {
    for marker in rules.ends where end &- marker.count >= from {
      var same = 0
      while same < marker.count, unsafe window.unsafeLoad(fromByteOffset: end &- marker.count &+ same, as: UInt8.self) == marker[same] {
        same &+= 1
      }
      if same == marker.count { return true }
    }
    return false
  }
}
