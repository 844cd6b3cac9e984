/// Joins messages from packets that give the offset of their bytes in the message, in any order. Where packets overlap, later bytes replace earlier
/// ones.
///
/// For one stream (one characteristic, one direction). The memory is reused.
public struct OverlayReassembler: Sendable {
  /// A packet's position in the message.
  public struct Role: Sendable {
    /// Whether it starts a message; nil: the first packet does.
    public var starts: Bool?
    /// Whether the message ends after its bytes.
    public var ends: Bool?
    /// Number of bytes of the entire message.
    public var total: Int?
    /// Offset of its bytes in the message.
    public var offset: Int

    /// Creates a role; nil for values that the header does not contain.
    public init(offset: Int, starts: Bool? = nil, ends: Bool? = nil, total: Int? = nil) {
      self.offset = offset
      self.starts = starts
      self.ends = ends
      self.total = total
    }
  }

  /// The most bytes a message may have.
  public let maximumBytes: Int
  /// Idle time in µs after which an open message is dropped; nil: never.
  public let idle: Int64?
  /// Whether a message is open.
  public private(set) var isOpen = false

  private var bytes: [UInt8] = []
  /// The received bytes: ranges in ascending order, with gaps between them.
  private var covered: [Range<Int>] = []
  private var tags: [UInt64] = []
  private var pieces: [MessagePiece] = []
  private var problems: [ReassemblyProblem] = []
  private var total: Int?
  private var begin: Int64 = 0
  private var end: Int64 = 0
  private static let maxPieces = 1 << 13
  /// Most bytes of holes, besides as many as came so far: small packets must not cause a large allocation.
  private static let widestHoles = 16 << 10

  /// Makes a reassembler without an open message.
  public init(maximumBytes: Int = 1 << 20, idle: Int64? = nil) {
    self.maximumBytes = maximumBytes
    self.idle = idle
  }

  /// Number of bytes collected of the open message.
  public var pendingBytes: Int { bytes.count }

  /// Takes one packet: `payload` are its bytes without the header, `packetOffset` is their offset in the packet. `deliver` is called for messages
  /// that this completes.
  public mutating func push(
    _ payload: RawSpan, at packetOffset: Int, role: Role, tag: UInt64, time: Int64, deliver: (Reassembled) -> Void
  ) {
    flush(now: time, deliver: deliver)
    let (last, overflow) = role.offset.addingReportingOverflow(payload.byteCount)
    if role.starts == true, isOpen {
      problems.append(ReassemblyProblem(.overtaken, tag: tag, expected: total ?? 0, found: have))
      close(.partial, deliver)
    }
    let known = isOpen ? bytes.count : 0
    let bad: ReassemblyProblem? =
      if role.offset < 0 || overflow || (role.total.map { $0 < 0 } ?? false) {
        ReassemblyProblem(.badLength, tag: tag, found: role.offset < 0 ? role.offset : role.total ?? last)
      } else if last > maximumBytes || (role.total.map { $0 > maximumBytes } ?? false) || pieces.count >= Self.maxPieces {
        ReassemblyProblem(.tooLong, tag: tag, expected: maximumBytes, found: max(last, role.total ?? 0))
      } else if last > known, last > Self.widestHoles, case let limit = Self.widestHoles + 2 * (have + payload.byteCount), last > limit {
        ReassemblyProblem(.tooLong, tag: tag, expected: limit, found: last)
      } else if !isOpen, role.starts == false {
        ReassemblyProblem(.orphan, tag: tag)
      } else {
        nil
      }
    if let bad { return reject(payload, packetOffset, tag, time, bad, deliver) }
    if !isOpen {
      isOpen = true
      begin = time
    }
    end = time
    if let announced = role.total { total = announced }
    if role.ends == true { total = last }
    if tags.last != tag { tags.append(tag) }
    pieces.append(MessagePiece(tag: tag, packetOffset: packetOffset, messageOffset: role.offset, count: payload.byteCount))
    if bytes.count < last { bytes.append(contentsOf: repeatElement(0, count: last - bytes.count)) }
    unsafe payload.withUnsafeBytes { source in
      for index in source.indices { unsafe bytes[role.offset + index] = source[index] }
    }
    cover(role.offset..<last)
    guard let total, have >= total, covered.first.map({ $0.lowerBound == 0 && $0.upperBound >= total }) ?? (total == 0) else { return }
    if bytes.count > total {
      problems.append(ReassemblyProblem(.surplus, tag: tag, expected: total, found: bytes.count))
    }
    close(.message, deliver)
  }

  /// Drops a message that has waited longer than the idle time. `now` is in µs.
  public mutating func flush(now: Int64, deliver: (Reassembled) -> Void) {
    guard isOpen, let idle, now.subtractingReportingOverflow(end).partialValue > idle else { return }
    problems.append(ReassemblyProblem(.idle, tag: tags.last ?? 0, expected: total ?? 0, found: have))
    close(.partial, deliver)
  }

  /// Drops the open message, because no more packets will come.
  public mutating func finish(deliver: (Reassembled) -> Void) {
    guard isOpen else { return }
    problems.append(ReassemblyProblem(.unfinished, tag: tags.last ?? 0, expected: total ?? 0, found: have))
    close(.partial, deliver)
  }

  /// Number of bytes received.
  private var have: Int { covered.reduce(0) { $0 + $1.count } }

  private mutating func cover(_ range: Range<Int>) {
    guard !range.isEmpty else { return }
    var low = range.lowerBound
    var high = range.upperBound
    let first = covered.firstIndex { $0.upperBound >= low } ?? covered.count
    var next = first
    while next < covered.count, covered[next].lowerBound <= high {
      low = min(low, covered[next].lowerBound)
      high = max(high, covered[next].upperBound)
      next += 1
    }
    covered.replaceSubrange(first..<next, with: [low..<high])
  }

  private mutating func reject(
    _ payload: RawSpan, _ offset: Int, _ tag: UInt64, _ time: Int64, _ problem: ReassemblyProblem, _ deliver: (Reassembled) -> Void
  ) {
    let own: [1 of ReassemblyProblem] = [problem]
    let tags: [1 of UInt64] = [tag]
    let piece: [1 of MessagePiece] = [MessagePiece(tag: tag, packetOffset: offset, messageOffset: 0, count: payload.byteCount)]
    deliver(
      Reassembled(
        kind: .unjoined, bytes: payload, tags: tags.span, pieces: piece.span, problems: own.span, surplus: 0, begin: time, end: time))
  }

  private mutating func close(_ kind: Reassembled.Kind, _ deliver: (Reassembled) -> Void) {
    let count = kind == .message ? min(total ?? bytes.count, bytes.count) : bytes.count
    unsafe deliver(
      Reassembled(
        kind: kind, bytes: bytes.span.bytes.extracting(0..<count), tags: tags.span, pieces: pieces.span, problems: problems.span,
        surplus: 0,
        begin: begin, end: end))
    isOpen = false
    bytes.removeAll(keepingCapacity: true)
    covered.removeAll(keepingCapacity: true)
    tags.removeAll(keepingCapacity: true)
    pieces.removeAll(keepingCapacity: true)
    problems.removeAll(keepingCapacity: true)
    total = nil
  }
}
