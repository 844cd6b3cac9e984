/// What a reassembler delivers: a message, the received part of one, or bytes that belong to none.
///
/// Every payload byte that is pushed comes out in exactly one of these (bytes trimmed as surplus are counted in ``surplus``).
/// The spans are valid only during the call: they lie over the packet itself or over a buffer that is used again.
public struct Reassembled: ~Escapable {
  /// What the bytes are.
  public enum Kind: UInt8, Sendable {
    /// A complete message.
    case message
    /// The beginning of a message whose rest is missing or was overtaken; ``Reassembled/problems`` says which.
    case partial
    /// Bytes that belong to no message.
    case unjoined
    /// Bytes without a meaning: padding between messages, noise, and prefixes named in the rules.
    case padding
  }

  /// What the bytes are.
  public let kind: Kind
  /// The bytes, contiguous, in the order of the message; headers of fragments are not among them.
  public let bytes: RawSpan
  /// Tags of the packets that gave the bytes, each once, in the order they came.
  public let tags: Span<UInt64>
  /// Which packet gave which of the bytes, in the order of the bytes.
  public let pieces: Span<MessagePiece>
  /// What was wrong, in the order it was noticed.
  public let problems: Span<ReassemblyProblem>
  /// Number of payload bytes behind the declared end that were cut off.
  public let surplus: Int
  /// Time in µs of the first packet, as the caller gave it.
  public let begin: Int64
  /// Time in µs of the last packet, as the caller gave it.
  public let end: Int64

  /// Whether all bytes of a message are there.
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

/// A run of bytes that one packet gave to a message.
public struct MessagePiece: Equatable, Sendable {
  /// The packet's tag.
  public var tag: UInt64
  /// Offset in bytes in the packet.
  public var packetOffset: Int
  /// Offset in bytes in the message.
  public var messageOffset: Int
  /// Number of bytes.
  public var count: Int

  /// Makes a piece from its parts; offsets and count are bytes.
  @inlinable
  public init(tag: UInt64, packetOffset: Int, messageOffset: Int, count: Int) {
    self.tag = tag
    self.packetOffset = packetOffset
    self.messageOffset = messageOffset
    self.count = count
  }
}

/// What was wrong with a message or its fragments, where, and by how much.
public struct ReassemblyProblem: Equatable, Sendable {
  /// What was wrong.
  public enum Kind: UInt8, Sendable {
    /// A counter was not the next one: `expected` and `found` are its values.
    case gap
    /// A starting fragment came while the message was open, and was taken as a continuation: `found` bytes had been collected.
    case restarted
    /// A starting fragment or marker came while the message was open, and ended it: `found` bytes of `expected` (0: unknown) were there.
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
    /// A fragment whose index was there already: `found` is the index. It was left out.
    case duplicate
    /// Silence for longer than the idle window: `found` bytes of `expected` (0: unknown) were there.
    case idle
    /// The packets ended: `found` bytes of `expected` (0: unknown) were there.
    case unfinished
    /// A length (or count, or index) that cannot be: `found`.
    case badLength
    /// The end marker is not where the length puts it: `expected` is its offset in bytes in the message.
    case badEnd
    /// Garbage before a start marker: `found` bytes were skipped.
    case skipped
    /// An index was not the next one: `expected` and `found` are its values.
    case indexGap
  }

  /// What was wrong.
  public var kind: Kind
  /// Tag of the packet in which it was noticed.
  public var tag: UInt64
  /// What was expected; its meaning and unit depend on the kind.
  public var expected: Int
  /// What was found; its meaning and unit depend on the kind.
  public var found: Int

  /// Makes a problem from its parts.
  @inlinable
  public init(_ kind: Kind, tag: UInt64, expected: Int = 0, found: Int = 0) {
    self.kind = kind
    self.tag = tag
    self.expected = expected
    self.found = found
  }
}

/// What a reassembler does with bytes behind the declared end of a message.
public enum SurplusPolicy: UInt8, Sendable {
  /// Cut them off; their number is in ``Reassembled/surplus``.
  case trim
  /// They are the beginning of the next message.
  case next
  /// They are part of the message.
  case keep
  /// The message is cut off at its end and delivered as partial, with a problem.
  case error
}
