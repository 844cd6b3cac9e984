import PacketCodecs

/// A length field: the whole frame has the field's value + ``adds`` bytes.
public struct LengthFinding: Equatable, Sendable {
  /// Offset of its first byte; negative ones count from the end.
  public var offset: Int
  /// Number of bytes.
  public var size: Int
  /// Order of its bytes.
  public var endian: ByteOrder
  /// What the length of the frame is more than the value.
  public var adds: Int
  /// Lengths that differ, frames for which it holds, frames looked at.
  public var lengths: Int
  /// Frames for which it holds.
  public var holds: Int
  /// Frames that were looked at.
  public var of: Int
  /// How sure it is, from 0 to 1; 0.9 and more is certain.
  public var confidence: Double
  /// Factor of the value: registers of two bytes count as 2.
  public var unit = 1
}

/// A checksum.
public struct CheckFinding: Sendable {
  /// The checksum: algorithm, range and place.
  public var checksum: Checksum
  /// Whether it lies in each packet, not in the joined message.
  public var isPerPacket: Bool
  /// Frames for which it is right.
  public var verified: Int
  /// Frames that were looked at.
  public var of: Int
  /// How sure it is, from 0 to 1; 0.9 and more is certain.
  public var confidence: Double
  /// Bytes of the shortest message that has it; 0 where all have.
  public var shortest = 0
  /// Which messages have it; nil where all have.
  public var condition: MessageCondition?

  /// Whether all messages have it.
  var isOfAll: Bool { shortest == 0 && condition == nil }
}

/// Some messages of a stream: those that have certain values at one place.
public struct MessageCondition: Equatable, Sendable {
  /// Offset of the byte.
  public var offset: Int
  /// The values, in order.
  public var values: [UInt8]

  /// Whether a message is one of them.
  public func holds(_ message: some Collection<UInt8>) -> Bool {
    message.dropFirst(offset).first.map(values.contains) ?? false
  }
}

/// A byte or number that goes up by the same step from message to message.
public struct CounterFinding: Equatable, Sendable {
  /// Offset of its first byte; negative ones count from the end.
  public var offset: Int
  /// Number of bytes.
  public var size: Int
  /// Order of its bytes.
  public var endian: ByteOrder
  /// By how much it grows each time.
  public var step: Int
  /// How sure it is, from 0 to 1; 0.9 and more is certain.
  public var confidence: Double
  /// The part of the messages for which it holds.
  public var share: Double
  /// Whether it was seen to begin anew.
  public var wraps: Bool
}

/// Which part of a byte means something.
public struct BitPart: Equatable, Sendable {
  /// Offset of its first byte; negative ones count from the end.
  public var offset: Int
  /// Bits to the right of it.
  public var shift: Int
  /// The bits, behind ``shift``.
  public var mask: UInt8

  /// The value in a packet; nil where it is too short.
  func value(_ bytes: ArraySlice<UInt8>) -> Int? {
    offset < bytes.count ? Int(bytes[bytes.startIndex + offset] >> UInt8(shift) & mask) : nil
  }
}

/// How bytes of frames are escaped, so that they are not taken for delimiters.
public struct EscapeFinding: Equatable, Sendable {
  /// What it is called.
  public var name: String
  /// How it is undone.
  public var rule: ByteEscape
  /// The delimiter in front of a frame, where the rule does not take it off. Offsets of fields count it.
  public var start: [UInt8] = []
  /// The delimiter behind a frame, as long as the one in front of it.
  public var end: [UInt8] = []
  /// Bytes of the delimiter at each end; 0 where the rule takes them off.
  public var delimiter: Int { start.count }
}

/// A header of every packet, which says where in its message the packet belongs.
public struct FragmentFinding: Equatable, Sendable {
  /// Bytes of the header; of the first packet's header where that differs.
  public var header: Int
  /// Bytes of the first packet's header.
  public var firstHeader: Int
  /// Which part of the header numbers the packets of a message.
  public var index: BitPart?
  /// The index of the first packet.
  public var indexBase = 0
  /// Whether the index counts down to the last packet.
  public var countsDown = false
  /// Number of packets; value + `totalAdds`.
  public var total: BitPart?
  /// What is added to ``total``.
  public var totalAdds = 0
  /// A part that is equal to a value in the first packet, and in the last one.
  public var state: BitPart?
  /// Values of ``state`` in first packets.
  public var firstValues: [Int] = []
  /// Values of ``state`` in last packets.
  public var lastValues: [Int] = []
  /// The length of the message, in the first packet's header.
  public var length: LengthFinding?
  /// Bits of the length's first byte that belong to it.
  public var lengthMask = 0
  /// A part that goes up by one from packet to packet, across messages, and begins anew at 0.
  public var sequence: BitPart?
  /// The length field of the joined message, by which it is known to be complete. Packets that consist of a header only belong to no message.
  public var frame: LengthFinding?
  /// Whether two bits of the first byte tell the size of the length: 5 bits in that byte, 13 with the next one, 16 in the next two.
  public var isSelfSized = false
  /// Messages shorter than this have 5 bits for their length, others more: 32, or fewer where the device takes the longer form before it must.
  public var shortFormEnd = 32
  /// The first byte of continuation packets, where the highest bit of a packet's first byte says that it is one.
  public var following = Following.unknown

  /// What packets that go on with a message begin with.
  public enum Following: Equatable, Sendable {
    /// 0x80.
    case constant
    /// 0x80 and a number of four bits, from 0.
    case counted
    /// Something else.
    case unknown
  }
  /// What the bytes of the header are, in the order of the bytes; those that are shared with another part are left out.
  public var parts: [HeaderPart] = []
  /// Which packets have the header; nil where all have. Others are messages by themselves.
  public var condition: MessageCondition?
  /// How sure it is, from 0 to 1; 0.9 and more is certain.
  public var confidence = 0.0
}

/// What a byte of the header of packets is.
public struct HeaderPart: Equatable, Sendable {
  /// What a byte of a header says.
  public enum Role: Equatable, Sendable {
    /// It never changes.
    case constant(UInt8)
    /// It numbers the packets of a message, from so many on.
    case index(Int)
    /// It is the number of packets, less so many.
    case total(Int)
    /// It is the size of the packet, less so many bytes.
    case length(Int)
    /// It grows by so much from message to message.
    case sequence(Int)
    /// It is the same in all packets of a message.
    case common
    /// Nothing is known of it.
    case unknown
  }

  /// Where it stands.
  public var offset: Int
  /// What it says.
  public var role: Role
}

/// How values make messages.
public struct FramingFinding: Sendable {
  /// A way in which values make messages.
  public enum Kind: String, Sendable {
    case message, stream, fragments, unknown
  }

  /// How values make messages.
  public var kind: Kind = .unknown
  /// Bytes that start all messages.
  public var start: [UInt8] = []
  /// Bytes that end all messages.
  public var end: [UInt8] = []
  /// The length field.
  public var length: LengthFinding?
  /// The header of packets.
  public var fragment: FragmentFinding?
  /// The checksum.
  public var check: CheckFinding?
  /// A counter of messages.
  public var counter: CounterFinding?
  /// Whether the bytes look like a cipher.
  public var isEncrypted = false
  /// How sure it is, from 0 to 1; 0.9 and more is certain.
  public var confidence = 0.0
  /// Escapes that were undone.
  public var escape: EscapeFinding?
  /// Bytes of a packet that is full, where messages are cut into packets.
  public var packetSize: Int?

  /// Bytes at each end that offsets count, and that are taken off before escapes are undone.
  var delimiter: Int { escape?.delimiter ?? 0 }
}

/// What a field is.
public enum FieldType: String, Sendable {
  case constant, length, checksum, counter, kind, `enum`, flags, uint, int, float, timestamp, text, address, padding, tlv, protobuf, cbor,
    json
  case bcd, bytes
}

/// A field of the messages of a kind. `size` nil: to the end, or to what is counted from the end.
public struct FieldFinding: Equatable, Sendable {
  /// Offset of its first byte; negative ones count from the end.
  public var offset: Int
  /// Number of bytes.
  public var size: Int?
  /// What it is.
  public var type: FieldType
  /// Order of its bytes.
  public var endian: ByteOrder?
  /// How sure it is, from 0 to 1; 0.9 and more is certain.
  public var confidence: Double
  /// What speaks for it.
  public var evidence: String
  /// Whether its bytes are hexadecimal digits.
  public var isHex = false
  /// What a person calls it, where its type does not tell.
  public var name: String?
}

/// The byte that tells kinds of messages apart.
public struct KindFinding: Equatable, Sendable {
  /// Offset of its first byte; negative ones count from the end.
  public var offset: Int
  /// Number of bytes.
  public var size: Int
  /// How sure it is, from 0 to 1; 0.9 and more is certain.
  public var confidence: Double
  /// Whether no byte, but the length of messages tells kinds apart.
  public var isLength = false
}

/// The messages of one kind.
public struct KindFields: Sendable {
  /// The bytes that tell the kind; empty where there is one kind.
  public var kind: [UInt8]
  /// How many there are.
  public var count: Int
  /// The fields.
  public var fields: [FieldFinding]
  /// The shortest and the longest message.
  public var shortest: Int
  /// Bytes of the longest message.
  public var longest: Int
  /// Messages that were looked at, to show.
  public var examples: [[UInt8]]
}

/// The stream that answers another one, and which bytes come back.
public struct ResponseFinding: Sendable {
  /// Number of the stream, in the list that was looked at.
  public var stream: Int
  /// Where the bytes that come back stand in the request.
  public var requestOffset: Int?
  /// Where the bytes that come back stand in the answer.
  public var responseOffset: Int?
  /// Number of bytes.
  public var size: Int?
  /// The part of the requests that are answered.
  public var share: Double
  /// Number of requests that were answered.
  public var answered: Int
  /// Median time to the answer in microseconds.
  public var delay: Int64
}

/// A message that is sent again and again.
public struct PollFinding: Sendable {
  /// Microseconds from one to the next.
  public var period: Int64
  /// How many there are.
  public var count: Int
}

/// All that was found out about a stream.
public struct StreamFindings: Sendable {
  /// Where the values come from.
  public var source: StreamSource
  /// Number of values.
  public var packets = 0
  /// Number of messages.
  public var messages = 0
  /// How values make messages.
  public var framing = FramingFinding()
  /// The protocol with a published specification that the messages follow.
  public var standard: StandardFinding?
  /// What tells kinds of messages apart.
  public var kinds: KindFinding?
  /// The fields.
  public var fields: [KindFields] = []
  /// What answers the messages.
  public var answers: ResponseFinding?
  /// A message that is sent again and again.
  public var poll: PollFinding?
  /// What a person should know: a line each.
  public var notes: [String] = []
  /// What is not known, and which experiment would settle it.
  public var open: [String] = []
  /// Packets of a few messages, for the tests of a profile and the rulers.
  public var examples: [[[UInt8]]] = []
  /// Whether all values were the same.
  public var isSteady = false
  /// How much of what was found stands in a profile: what does not decode all messages is left out.
  public var detail = Detail.all
  /// Whether the tests of a profile encode requests again: to the same packets, or to the same message.
  public var encodes = Encodes.packets

  /// Whether nearly all that is sent is answered, one message each.
  var isAnswered: Bool { (answers?.share ?? 0) >= 0.9 }

  /// How much of what was found stands in a profile.
  public enum Detail: Sendable, CaseIterable {
    case all, withoutCheck, framing, bytes
  }

  /// What requests of a profile's tests encode to.
  public enum Encodes: Sendable, CaseIterable {
    case packets, message, nothing
  }
}
