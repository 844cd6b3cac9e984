/// A fragment's position in the message according to its header; nil for values that the header does not contain.
public struct FragmentRole: Equatable, Sendable {
  /// Whether the fragment starts a message. Nil: any fragment starts one while no message is open.
  public var starts: Bool?
  /// Whether the fragment ends its message (the opposite of a *more follows* bit). If given, totals and counts are only verified.
  public var ends: Bool?
  /// Number of payload bytes of the entire message, without headers of fragments; in the first, the last, or every fragment.
  public var total: Int?
  /// Number of fragments of the entire message.
  public var count: Int?
  /// The fragment's number in its message, counted from ``FragmentRules/firstIndex``.
  public var index: Int?
  /// A counter that is only checked, by ``FragmentRules/counter``.
  public var counter: Int?

  /// Creates a role; nil for values that the header does not contain.
  @inlinable
  public init(
    starts: Bool? = nil, ends: Bool? = nil, total: Int? = nil, count: Int? = nil, index: Int? = nil, counter: Int? = nil
  ) {
    self.starts = starts
    self.ends = ends
    self.total = total
    self.count = count
    self.index = index
    self.counter = counter
  }
}

/// How fragments are joined to messages. A profile sets what its protocol leaves open.
public struct FragmentRules: Sendable {
  /// How a starting fragment is handled while a message is open.
  public enum Restart: UInt8, Sendable {
    /// The open message is delivered as partial; the fragment starts a new one.
    case drop
    /// The fragment continues the open message.
    case append
    /// The open message is delivered as partial, and the fragment as unjoined.
    case error
    /// The open message is complete: in this protocol the start of the next message ends it.
    case complete
  }

  /// How a gap in counters or indexes is handled.
  public enum Gap: UInt8, Sendable {
    /// A problem is reported, and the message continues.
    case warn
    /// The open message is delivered as partial, and the fragment as unjoined.
    case drop
    /// It is ignored.
    case ignore
  }

  /// How fragments with an index are ordered.
  public enum Ordering: UInt8, Sendable {
    /// In the order of arrival; the index is verified like a counter.
    case sequential
    /// In the order of their indexes, regardless of the order of arrival.
    case byIndex
  }

  /// How a counter counts.
  public struct Counter: Equatable, Sendable {
    /// The range over which a counter runs.
    public enum Scope: UInt8, Sendable {
      /// It restarts with every message.
      case message
      /// It continues from message to message.
      case channel
    }

    /// The counter's values are 0 ..< modulo.
    public var modulo: Int
    /// The first value of a message (or of the channel). Nil: any.
    public var start: Int?
    /// The value that follows the last one.
    public var wrapsTo: Int
    /// The range over which it runs.
    public var scope: Scope

    /// Makes a counter's description. `modulo` is at least 1.
    public init(modulo: Int, start: Int? = nil, wrapsTo: Int = 0, scope: Scope = .message) {
      self.modulo = max(1, modulo)
      self.start = start
      self.wrapsTo = wrapsTo
      self.scope = scope
    }

    /// The value after `value`.
    @inlinable
    func next(_ value: Int) -> Int { value >= modulo &- 1 ? wrapsTo : value &+ 1 }
  }

  /// How a starting fragment is handled while a message is open.
  public var onRestart: Restart = .drop
  /// How a gap is handled.
  public var onGap: Gap = .warn
  /// How bytes after the declared total are handled.
  public var onSurplus: SurplusPolicy = .trim
  /// How fragments with an index are ordered.
  public var ordering: Ordering = .sequential
  /// The index of a message's first fragment.
  public var firstIndex: Int = 0
  /// How counters count; nil: they are not checked.
  public var counter: Counter?
  /// The most payload bytes a message may have.
  public var maximumBytes: Int = 1 << 20
  /// The most fragments a message may have.
  public var maximumFragments: Int = 1 << 16
  /// Idle time in µs after which an open message is dropped; nil: never.
  public var idle: Int64?

  /// Rules with their defaults: drop on restart, warn on gap, trim surplus, 1 MiB at most.
  public init() {}
}

/// Joins messages from fragments of one stream (one characteristic, one direction).
///
/// The caller evaluates headers; ``push(_:at:role:tag:time:deliver:)`` takes the fragment's payload and its ``FragmentRole``. A message in a single
/// packet is delivered without copying; otherwise its bytes are joined in a buffer that is reused, so that nothing is allocated per message.
public struct FragmentReassembler: Sendable {
  /// The reassembly rules.
  public let rules: FragmentRules
  /// Whether a message is open.
  public private(set) var isOpen = false
  /// Total number of bytes of the open message, and of the next one if its fragments do not give it: known from the request.
  public var expectedTotal: Int?

  @usableFromInline var bytes: [UInt8] = []
  @usableFromInline var tags: [UInt64] = []
  @usableFromInline var pieces: [MessagePiece] = []
  @usableFromInline var problems: [ReassemblyProblem] = []
  @usableFromInline var lastCounter: Int?
  private var indexes: [Int] = []
  private var seen: [UInt64] = []
  private var sorted: [UInt8] = []
  private var total: Int?
  private var count: Int?
  private var begin: Int64 = 0
  private var end: Int64 = 0
  private var surplus = 0
  private var nextIndex = 0
  private var highestIndex = 0
  private var hasHole = false

  /// Makes a reassembler without an open message.
  public init(_ rules: FragmentRules = FragmentRules()) {
    self.rules = rules
  }

  /// Number of bytes collected of the open message.
  public var pendingBytes: Int { bytes.count }

  /// Takes one fragment.
  ///
  /// - Parameters:
  ///   - payload: the fragment's bytes without its header.
  ///   - offset: offset in bytes of the payload in its packet, for ``Reassembled/pieces``.
  ///   - role: its position in the message according to its header.
  ///   - tag: identifies the packet, for example its frame number.
  ///   - time: the packet's time in µs, for ``FragmentRules/idle``.
  ///   - deliver: called for each message, partial message, or unjoined fragment that this completes, before this returns.
  /// - Returns: the number of bytes at the end of the payload that belong to the next message: the caller reads a header there and pushes the bytes
  ///   after it. Always 0 unless the surplus policy is ``SurplusPolicy/next``.
  @inlinable
  @discardableResult
  public mutating func push(
    _ payload: RawSpan, at offset: Int = 0, role: FragmentRole, tag: UInt64, time: Int64 = 0, deliver: (Reassembled) -> Void
  ) -> Int {
    // The common case: a message in a single fragment, with no message open and nothing to verify.
    if !isOpen, role.starts == true, role.ends != false, role.index == nil, role.count == nil, role.counter == nil,
      let total = role.total, total == payload.byteCount, total <= rules.maximumBytes, expectedTotal == nil
    {
      if let counter = rules.counter, counter.scope == .message { lastCounter = nil }
      deliverUncopied(.message, payload, offset, tag, time, deliver)
      return 0
    }
    return pushSlowly(payload, at: offset, role: role, tag: tag, time: time, deliver: deliver)
  }

  /// Drops a message that has waited longer than the idle time. `now` is in µs.
  public mutating func flush(now: Int64, deliver: (Reassembled) -> Void) {
    guard isOpen, let idle = rules.idle, now.subtractingReportingOverflow(end).partialValue > idle else { return }
    problems.append(ReassemblyProblem(.idle, tag: tags.last ?? 0, expected: total ?? 0, found: bytes.count))
    close(.partial, deliver)
  }

  /// Drops the open message, because no more packets will come (the capture or the connection has ended).
  public mutating func finish(deliver: (Reassembled) -> Void) {
    lastCounter = nil
    expectedTotal = nil
    guard isOpen else { return }
    if isEndless {
      close(.message, deliver)
    } else {
      problems.append(ReassemblyProblem(.unfinished, tag: tags.last ?? 0, expected: total ?? 0, found: bytes.count))
      close(.partial, deliver)
    }
  }

  /// Delivers a payload from its packet, without copying.
  @inlinable
  func deliverUncopied(
    _ kind: Reassembled.Kind, _ payload: RawSpan, _ offset: Int, _ tag: UInt64, _ time: Int64, surplus: Int = 0,
    _ deliver: (Reassembled) -> Void
  ) {
    let tags: [1 of UInt64] = [tag]
    let piece: [1 of MessagePiece] = [
      MessagePiece(tag: tag, packetOffset: offset, messageOffset: 0, count: payload.byteCount)
    ]
    deliver(
      Reassembled(
        kind: kind, bytes: payload, tags: tags.span, pieces: piece.span, problems: problems.span, surplus: surplus, begin: time, end: time))
  }

  /// Whether only the start of the next message ends the open one.
  private var isEndless: Bool { rules.onRestart == .complete && total == nil && count == nil }

  @usableFromInline
  mutating func pushSlowly(
    _ payload: RawSpan, at offset: Int, role: FragmentRole, tag: UInt64, time: Int64, deliver: (Reassembled) -> Void
  ) -> Int {
    flush(now: time, deliver: deliver)

    if let bad = impossible(role) {
      problems.append(ReassemblyProblem(.badLength, tag: tag, found: bad))
      reject(payload, offset, tag, time, deliver)
      return 0
    }

    // A repeated fragment of a message in index order is ignored.
    if isOpen, rules.ordering == .byIndex, role.starts != true, let index = role.index, isSeen(index), isSame(payload, index) {
      problems.append(ReassemblyProblem(.duplicate, tag: tag, found: index))
      return 0
    }

    var starts = role.starts ?? !isOpen
    if role.starts == nil, let index = role.index {
      starts = rules.ordering == .sequential ? index == rules.firstIndex : !isOpen || isSeen(index)
    }

    if starts, isOpen {
      switch rules.onRestart {
      case .append:
        problems.append(ReassemblyProblem(.restarted, tag: tag, found: bytes.count))
        starts = false
      case .complete:
        close(isEndless ? .message : .partial, overtakenBy: isEndless ? nil : tag, deliver)
      case .drop:
        close(.partial, overtakenBy: tag, deliver)
      case .error:
        close(.partial, overtakenBy: tag, deliver)
        problems.append(ReassemblyProblem(.restarted, tag: tag))
        reject(payload, offset, tag, time, deliver)
        return 0
      }
    }
    if !starts, !isOpen {
      lastCounter = role.counter ?? lastCounter
      problems.append(ReassemblyProblem(.orphan, tag: tag))
      reject(payload, offset, tag, time, deliver)
      return 0
    }

    if starts { open(time) }
    guard isNext(role, tag, deliver) else {
      reject(payload, offset, tag, time, deliver)
      return 0
    }
    return add(payload, offset, role, tag, time, deliver)
  }

  /// An invalid number in `role`.
  private func impossible(_ role: FragmentRole) -> Int? {
    if let total = role.total, total < 0 { return total }
    if let count = role.count, count < 1 || count > rules.maximumFragments { return count }
    if let index = role.index {
      let (number, overflow) = index.subtractingReportingOverflow(rules.firstIndex)
      if overflow || number < 0 || number >= rules.maximumFragments { return index }
    }
    return nil
  }

  private mutating func open(_ time: Int64) {
    isOpen = true
    begin = time
    // A negative length is ignored.
    total = expectedTotal.flatMap { $0 < 0 ? nil : $0 }
    if rules.counter?.scope != .channel { lastCounter = nil }
    nextIndex = rules.firstIndex
  }

  /// Verifies counter and index. Returns false if the gap ended the open message.
  private mutating func isNext(_ role: FragmentRole, _ tag: UInt64, _ deliver: (Reassembled) -> Void) -> Bool {
    if let found = role.counter, let counter = rules.counter {
      let expected = lastCounter.map(counter.next) ?? counter.start ?? found
      lastCounter = found
      if found != expected, !tolerates(.gap, expected, found, tag, deliver) { return false }
    }
    if rules.ordering == .sequential, let found = role.index {
      let expected = nextIndex
      nextIndex = found &+ 1
      if found != expected {
        hasHole = true
        if !tolerates(.indexGap, expected, found, tag, deliver) { return false }
      }
    }
    return true
  }

  private mutating func tolerates(
    _ kind: ReassemblyProblem.Kind, _ expected: Int, _ found: Int, _ tag: UInt64, _ deliver: (Reassembled) -> Void
  ) -> Bool {
    switch rules.onGap {
    case .ignore:
      return true
    case .warn:
      problems.append(ReassemblyProblem(kind, tag: tag, expected: expected, found: found))
      return true
    case .drop:
      let gap = ReassemblyProblem(kind, tag: tag, expected: expected, found: found)
      problems.append(gap)
      if tags.isEmpty { reset() } else { close(.partial, deliver) }
      problems.append(gap)
      return false
    }
  }

  private mutating func add(
    _ payload: RawSpan, _ offset: Int, _ role: FragmentRole, _ tag: UInt64, _ time: Int64, _ deliver: (Reassembled) -> Void
  ) -> Int {
    if let announced = role.total {
      // The total is less than the bytes so far: this packet's bytes are dropped, which is reported.
      if announced < bytes.count, !bytes.isEmpty, rules.ordering == .sequential, rules.onSurplus == .trim {
        problems.append(ReassemblyProblem(.surplus, tag: tag, expected: announced, found: bytes.count &+ payload.byteCount))
      }
      total = announced
    }
    if let announced = role.count { count = announced }
    end = time

    if let total, total > rules.maximumBytes {
      return refuse(.tooLong, expected: rules.maximumBytes, found: total, payload, offset, tag, time, deliver)
    }
    if payload.byteCount > rules.maximumBytes &- bytes.count {
      let found = bytes.count &+ payload.byteCount
      return refuse(.tooLong, expected: rules.maximumBytes, found: found, payload, offset, tag, time, deliver)
    }
    if pieces.count >= rules.maximumFragments {
      return refuse(.tooMany, expected: rules.maximumFragments, found: pieces.count &+ 1, payload, offset, tag, time, deliver)
    }

    // Bytes after the total: they are known here only in sequential order, where no later fragment comes before this one.
    var taken = payload.byteCount
    var next = 0
    if let total, rules.ordering == .sequential, bytes.count &+ taken > total {
      let extra = bytes.count &+ taken &- max(total, bytes.count)
      switch rules.onSurplus {
      case .keep:
        break
      case .next:
        next = extra
        taken &-= extra
      case .trim:
        surplus &+= extra
        taken &-= extra
      case .error:
        problems.append(ReassemblyProblem(.surplus, tag: tag, expected: total, found: bytes.count &+ taken))
        surplus &+= extra
        taken &-= extra
      }
    }

    let isFirst = tags.isEmpty
    if isFirst || tags[tags.count &- 1] != tag { tags.append(tag) }
    pieces.append(MessagePiece(tag: tag, packetOffset: offset, messageOffset: bytes.count, count: taken))
    if rules.ordering == .byIndex {
      let index = role.index ?? nextIndex
      nextIndex = index &+ 1
      highestIndex = indexes.isEmpty ? index : max(highestIndex, index)
      indexes.append(index)
      see(index)
    }

    let kept = payload.extracting(0..<taken)
    // Complete in this single fragment: delivered from the packet, without copying.
    if isFirst, rules.ordering == .sequential, let kind = outcome(role, taken) {
      deliverUncopied(kind, kept, offset, tag, time, surplus: surplus, deliver)
      if kind == .message { expectedTotal = nil }
      reset()
      return next
    }
    unsafe kept.withUnsafeBytes { unsafe bytes.append(contentsOf: $0) }
    if !isFirst || rules.ordering == .byIndex, let kind = outcome(role, bytes.count) {
      if let total, rules.ordering == .byIndex, cutToTotal(total), rules.onSurplus == .error {
        problems.append(ReassemblyProblem(.surplus, tag: tag, expected: total, found: bytes.count &+ surplus))
        close(.partial, deliver)
      } else {
        close(kind, deliver)
      }
    }
    return next
  }

  /// The result for the open message with `have` bytes: nil while it continues.
  private mutating func outcome(_ role: FragmentRole, _ have: Int) -> Reassembled.Kind? {
    let tag = tags.last ?? 0
    let isBroken = rules.onSurplus == .error && surplus > 0
    if rules.ordering == .byIndex {
      if role.ends == true, let index = role.index { count = index &- rules.firstIndex &+ 1 }
      if let count {
        guard pieces.count >= count else { return nil }
      } else if let total {
        guard have >= total, pieces.count == highestIndex &- rules.firstIndex &+ 1 else { return nil }
      } else if role.ends != true {
        return role.ends == nil ? .message : nil
      }
      if let total, have < total {
        problems.append(ReassemblyProblem(.short, tag: tag, expected: total, found: have))
        return .partial
      }
      return isBroken ? .partial : .message
    }

    switch role.ends {
    case true?:
      break
    case false?:
      return nil
    case nil:
      if let total {
        guard have >= total else { return nil }
      } else if let count {
        guard (role.index.map { $0 &- rules.firstIndex &+ 1 } ?? pieces.count) >= count else { return nil }
      } else if role.starts != nil || role.index != nil {
        return nil
      }
    }
    if let total, have < total {
      problems.append(ReassemblyProblem(.short, tag: tag, expected: total, found: have))
      return .partial
    }
    if let count, pieces.count != count {
      if !hasHole || rules.onGap == .ignore {
        problems.append(ReassemblyProblem(.short, tag: tag, expected: count, found: pieces.count))
      }
      return .partial
    }
    return isBroken || (hasHole && total == nil) ? .partial : .message
  }

  /// The message is larger than the rules allow: the collected bytes and this fragment are dropped.
  private mutating func refuse(
    _ kind: ReassemblyProblem.Kind, expected: Int, found: Int, _ payload: RawSpan, _ offset: Int, _ tag: UInt64, _ time: Int64,
    _ deliver: (Reassembled) -> Void
  ) -> Int {
    let problem = ReassemblyProblem(kind, tag: tag, expected: expected, found: found)
    if tags.isEmpty {
      reset()
    } else {
      problems.append(problem)
      close(.partial, deliver)
    }
    problems.append(problem)
    reject(payload, offset, tag, time, deliver)
    return 0
  }

  private mutating func reject(
    _ payload: RawSpan, _ offset: Int, _ tag: UInt64, _ time: Int64, _ deliver: (Reassembled) -> Void
  ) {
    // The problems of a message that stays open are kept with it.
    if isOpen, let last = problems.popLast() {
      let own: [1 of ReassemblyProblem] = [last]
      let tags: [1 of UInt64] = [tag]
      let piece: [1 of MessagePiece] = [MessagePiece(tag: tag, packetOffset: offset, messageOffset: 0, count: payload.byteCount)]
      deliver(
        Reassembled(
          kind: .unjoined, bytes: payload, tags: tags.span, pieces: piece.span, problems: own.span, surplus: 0, begin: time, end: time))
      return
    }
    deliverUncopied(.unjoined, payload, offset, tag, time, deliver)
    problems.removeAll(keepingCapacity: true)
  }

  private mutating func close(_ kind: Reassembled.Kind, overtakenBy tag: UInt64?, _ deliver: (Reassembled) -> Void) {
    if let tag { problems.append(ReassemblyProblem(.overtaken, tag: tag, expected: total ?? 0, found: bytes.count)) }
    close(kind, deliver)
  }

  private mutating func close(_ kind: Reassembled.Kind, _ deliver: (Reassembled) -> Void) {
    if rules.ordering == .byIndex { sortPieces() }
    unsafe deliver(
      Reassembled(
        kind: kind, bytes: bytes.span.bytes, tags: tags.span, pieces: pieces.span, problems: problems.span, surplus: surplus, begin: begin,
        end: end))
    if kind == .message { expectedTotal = nil }
    reset()
  }

  private mutating func reset() {
    isOpen = false
    bytes.removeAll(keepingCapacity: true)
    tags.removeAll(keepingCapacity: true)
    pieces.removeAll(keepingCapacity: true)
    // These are rarely used, and even emptying an empty array has a cost.
    if !problems.isEmpty { problems.removeAll(keepingCapacity: true) }
    if !indexes.isEmpty { indexes.removeAll(keepingCapacity: true) }
    if !seen.isEmpty { seen.removeAll(keepingCapacity: true) }
    total = nil
    count = nil
    surplus = 0
    hasHole = false
  }

  // MARK: Fragments by index

  private func isSeen(_ index: Int) -> Bool {
    let number = index &- rules.firstIndex
    return number >= 0 && number / 64 < seen.count && seen[number / 64] & (1 << UInt64(number % 64)) != 0
  }

  private mutating func see(_ index: Int) {
    let number = index &- rules.firstIndex
    guard number >= 0, number < rules.maximumFragments else { return }
    while number / 64 >= seen.count { seen.append(0) }
    seen[number / 64] |= 1 << UInt64(number % 64)
  }

  private func isSame(_ payload: RawSpan, _ index: Int) -> Bool {
    guard let at = indexes.firstIndex(of: index), pieces[at].count == payload.byteCount else { return false }
    let start = pieces[at].messageOffset
    return unsafe payload.withUnsafeBytes { unsafe $0.elementsEqual(bytes[start..<(start &+ pieces[at].count)]) }
  }

  /// Sorts bytes and pieces by index.
  private mutating func sortPieces() {
    guard zip(indexes, indexes.dropFirst()).contains(where: { $0 > $1 }) else { return }
    let order = indexes.indices.sorted { indexes[$0] < indexes[$1] }
    sorted.removeAll(keepingCapacity: true)
    var inOrder: [MessagePiece] = []
    for index in order {
      var piece = pieces[index]
      let start = piece.messageOffset
      piece.messageOffset = sorted.count
      sorted.append(contentsOf: bytes[start..<(start &+ piece.count)])
      inOrder.append(piece)
    }
    swap(&bytes, &sorted)
    pieces = inOrder
    indexes.removeAll(keepingCapacity: true)
  }

  /// Removes the bytes after the total, which are known only when all fragments are in order. Returns whether there were any.
  private mutating func cutToTotal(_ total: Int) -> Bool {
    sortPieces()
    guard bytes.count > total, rules.onSurplus == .trim || rules.onSurplus == .error else { return false }
    surplus &+= bytes.count &- total
    bytes.removeSubrange(total...)
    for index in pieces.indices {
      pieces[index].count = max(0, min(pieces[index].count, total &- pieces[index].messageOffset))
    }
    return true
  }
}
