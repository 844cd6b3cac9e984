/// The output of a reassembler: a message, the received part of one, or bytes that belong to none.
///
/// Every payload byte that is pushed is in exactly one of these (bytes trimmed as surplus are counted in ``surplus``). The spans are valid only
/// during the call: they refer to the packet itself or to a buffer that is reused.
public struct Reassembled: ~Escapable {
  /// Kind of the bytes.
  public enum Kind: UInt8, Sendable {
    /// A complete message.
    case message
    /// The beginning of a message whose rest is missing; ``Reassembled/problems`` has the reason.
    case partial
    /// Bytes that belong to no message.
    case unjoined
    /// Bytes without a meaning: padding between messages, noise, and prefixes according to the rules.
    case padding
  }

  /// Kind of the bytes.
  public let kind: Kind
  /// The bytes, contiguous, in the order of the message, without headers of fragments.
  public let bytes: RawSpan
  /// Tags of the packets with the bytes, each once, in the order they came.
  public let tags: Span<UInt64>
  /// The packet and range of each part of the bytes, in the order of the bytes.
  public let pieces: Span<MessagePiece>
  /// The problems in the order they were noticed.
  public let problems: Span<ReassemblyProblem>
  /// Number of payload bytes after the declared end that were removed.
  public let surplus: Int
  /// Time in µs of the first packet, as the caller gave it.
  public let begin: Int64
  /// Time in µs of the last packet, as the caller gave it.
  public let end: Int64

  /// Whether all bytes of a message are present.
  @inlinable
  public var isComplete: Bool { kind == .message }

  @inlinable
  @_lifetime(copy bytes, copy tags, copy pieces, copy problems)
  init(
    kind: Kind, bytes: RawSpan, tags: Span<UInt64>, pieces: Span<MessagePiece>, problems: Span<ReassemblyProblem>, surplus: Int,
    begin: Int64, end: Int64
  ) {
    self.kind = kind
    self.bytes = bytes
    self.tags = tags
    self.pieces = pieces
    self.problems = problems
    self.surplus = surplus
    self.begin = begin
    self.end = end
  }
}

/// A range of bytes in a message that came from one packet.
public struct MessagePiece: Equatable, Sendable {
  /// The packet's tag.
  public var tag: UInt64
  /// Offset in bytes in the packet.
  public var packetOffset: Int
  /// Offset in bytes in the message.
  public var messageOffset: Int
  /// Number of bytes.
  public var count: Int

  /// Creates a piece; offsets and count are in bytes.
  @inlinable
  public init(tag: UInt64, packetOffset: Int, messageOffset: Int, count: Int) {
    self.tag = tag
    self.packetOffset = packetOffset
    self.messageOffset = messageOffset
    self.count = count
  }
}

/// A problem of a message or its fragments, with its packet and size.
public struct ReassemblyProblem: Equatable, Sendable {
  /// Kind of problem.
  public enum Kind: UInt8, Sendable {
    /// A counter was not the next one: `expected` and `found` are its values.
    case gap
    /// A starting fragment came while the message was open, and was taken as a continuation: `found` bytes had been received.
    case restarted
    /// A starting fragment or marker came while the message was open, and ended it: `found` bytes of `expected` (0: unknown) had been received.
    case overtaken
    /// A continuation came while no message was open.
    case orphan
    /// More bytes came than were declared: `found` instead of `expected`.
    case surplus
    /// The last fragment came too early: `found` bytes (or fragments) instead of `expected`.
    case short
    /// A message of more than the allowed bytes: `found` instead of at most `expected`.
    case tooLong
    /// A message of more than the allowed fragments: `found` instead of at most `expected`.
    case tooMany
    /// A fragment whose index was received before: `found` is the index. It was ignored.
    case duplicate
    /// No packet for longer than the idle time: `found` bytes of `expected` (0: unknown) had been received.
    case idle
    /// The packets ended: `found` bytes of `expected` (0: unknown) had been received.
    case unfinished
    /// An invalid length (or count, or index): `found`.
    case badLength
    /// The end marker is not at the position that follows from the length: `expected` is its offset in bytes in the message.
    case badEnd
    /// Garbage before a start marker: `found` bytes were skipped.
    case skipped
    /// An index was not the next one: `expected` and `found` are its values.
    case indexGap
  }

  /// Kind of problem.
  public var kind: Kind
  /// Tag of the packet in which it was noticed.
  public var tag: UInt64
  /// The expected value; its meaning and unit depend on the kind.
  public var expected: Int
  /// The actual value; its meaning and unit depend on the kind.
  public var found: Int

  /// Creates a problem.
  @inlinable
  public init(_ kind: Kind, tag: UInt64, expected: Int = 0, found: Int = 0) {
    self.kind = kind
    self.tag = tag
    self.expected = expected
    self.found = found
  }
}

/// How a reassembler handles bytes after the declared end of a message.
public enum SurplusPolicy: UInt8, Sendable {
  /// They are removed; their number is in ``Reassembled/surplus``.
  case trim
  /// They are the beginning of the next message.
  case next
  /// They are part of the message.
  case keep
  /// The message is truncated at its end and delivered as partial, with a problem.
  case error
}
