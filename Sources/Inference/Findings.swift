import PacketCodecs

/// A length field: the frame has the field's value + ``adds`` bytes.
public struct LengthFinding: Equatable, Sendable {
  /// Offset of its first byte; negative offsets count from the end.
  public var offset: Int
  /// Number of bytes.
  public var size: Int
  /// Order of its bytes.
  public var endian: ByteOrder
  /// The difference between the frame's length and the value.
  public var adds: Int
  /// Number of distinct lengths.
  public var lengths: Int
  /// Frames for which it holds.
  public var holds: Int
  /// Number of examined frames.
  public var of: Int
  /// Confidence from 0 to 1; from 0.9 on the finding is certain.
  public var confidence: Double
  /// Factor of the value: registers of two bytes count as 2.
  public var unit = 1
}

/// A checksum.
public struct CheckFinding: Sendable {
  /// The checksum: algorithm, range and position.
  public var checksum: Checksum
  /// Whether it is in each packet, not in the joined message.
  public var isPerPacket: Bool
  /// Frames for which it is correct.
  public var verified: Int
  /// Number of examined frames.
  public var of: Int
  /// Confidence from 0 to 1; from 0.9 on the finding is certain.
  public var confidence: Double
  /// Bytes of the shortest message that has it; 0 where all have.
  public var shortest = 0
  /// The condition for messages with it; nil where all have it.
  public var condition: MessageCondition?

  /// Whether all messages have it.
  var isOfAll: Bool { shortest == 0 && condition == nil }
}

/// Some messages of a stream: those with certain values of one byte.
public struct MessageCondition: Equatable, Sendable {
  /// Offset of the byte.
  public var offset: Int
  /// The values, in order.
  public var values: [UInt8]

  /// Whether a message meets the condition.
  public func holds(_ message: some Collection<UInt8>) -> Bool {
    message.dropFirst(offset).first.map(values.contains) ?? false
  }
}

/// A byte or number that goes up by the same step from message to message.
public struct CounterFinding: Equatable, Sendable {
  /// Offset of its first byte; negative offsets count from the end.
  public var offset: Int
  /// Number of bytes.
  public var size: Int
  /// Order of its bytes.
  public var endian: ByteOrder
  /// Increment from message to message.
  public var step: Int
  /// Confidence from 0 to 1; from 0.9 on the finding is certain.
  public var confidence: Double
  /// The share of messages for which it holds.
  public var share: Double
  /// Whether it was seen to wrap around.
  public var wraps: Bool
}

/// A bit field in a byte.
public struct BitPart: Equatable, Sendable {
  /// Offset of its byte.
  public var offset: Int
  /// Number of bits to its right.
  public var shift: Int
  /// The mask of its bits after ``shift``.
  public var mask: UInt8

  /// The value in a packet; nil where it is too short.
  func value(_ bytes: ArraySlice<UInt8>) -> Int? {
    offset < bytes.count ? Int(bytes[bytes.startIndex + offset] >> UInt8(shift) & mask) : nil
  }
}

/// The escaping of frame bytes, so that they are not taken for delimiters.
public struct EscapeFinding: Equatable, Sendable {
  /// Its name.
  public var name: String
  /// The rule for decoding it.
  public var rule: ByteEscape
  /// The delimiter in front of a frame, where the rule does not remove it. Offsets of fields count it.
  public var start: [UInt8] = []
  /// The delimiter after a frame, as long as the one before it.
  public var end: [UInt8] = []
  /// Bytes of the delimiter at each end; 0 where the rule removes them.
  public var delimiter: Int { start.count }
}

/// A header of every packet, which says where in its message the packet belongs.
public struct FragmentFinding: Equatable, Sendable {
  /// Bytes of the header; of the first packet's header where that differs.
  public var header: Int
  /// Bytes of the first packet's header.
  public var firstHeader: Int
  /// The bit field that numbers the packets of a message.
  public var index: BitPart?
  /// The index of the first packet.
  public var indexBase = 0
  /// Whether the index counts down to the last packet.
  public var countsDown = false
  /// The number of packets: its value + ``totalAdds``.
  public var total: BitPart?
  /// A number that is added to ``total``.
  public var totalAdds = 0
  /// A bit field that has certain values in the first packet, and in the last one.
  public var state: BitPart?
  /// Values of ``state`` in first packets.
  public var firstValues: [Int] = []
  /// Values of ``state`` in last packets.
  public var lastValues: [Int] = []
  /// The length of the message, in the first packet's header.
  public var length: LengthFinding?
  /// Bits of the length's first byte that belong to it.
  public var lengthMask = 0
  /// A bit field that increases by one from packet to packet, across messages, and wraps to 0.
  public var sequence: BitPart?
  /// The length field of the joined message, which determines when it is complete. Packets that consist of a header only belong to no message.
  public var frame: LengthFinding?
  /// Whether two bits of the first byte give the size of the length: 5 bits in that byte, 13 with the next one, 16 in the next two.
  public var isSelfSized = false
  /// Messages shorter than this have a length of 5 bits, others a longer one: 32, or fewer where the device uses the longer form earlier.
  public var shortFormEnd = 32
  /// The first byte of continuation packets, where the highest bit of a packet's first byte says that it is one.
  public var following = Following.unknown

  /// The first byte of continuation packets.
  public enum Following: Equatable, Sendable {
    /// 0x80.
    case constant
    /// 0x80 with a number of four bits, from 0.
    case counted
    /// Something else.
    case unknown
  }
  /// The roles of the header's bytes, in their order; bytes that contain several parts are left out.
  public var parts: [HeaderPart] = []
  /// The condition for packets with the header; nil where all have it. Others are complete messages.
  public var condition: MessageCondition?
  /// Confidence from 0 to 1; from 0.9 on the finding is certain.
  public var confidence = 0.0
}

/// A byte of the header of packets.
public struct HeaderPart: Equatable, Sendable {
  /// The role of a byte of a header.
  public enum Role: Equatable, Sendable {
    /// It never changes.
    case constant(UInt8)
    /// It numbers the packets of a message, from the given number on.
    case index(Int)
    /// It is the number of packets minus the given number.
    case total(Int)
    /// It is the size of the packet minus the given number of bytes.
    case length(Int)
    /// It grows by the given number from message to message.
    case sequence(Int)
    /// It is the same in all packets of a message.
    case common
    /// Its role is not known.
    case unknown
  }

  /// Its offset.
  public var offset: Int
  /// Its role.
  public var role: Role
}

/// The framing of messages in values.
public struct FramingFinding: Sendable {
  /// How messages are divided into values.
  public enum Kind: String, Sendable {
    /// Each value is a message.
    case message
    /// Messages follow one another without headers of packets: values are cut or joined to messages.
    case stream
    /// Packets have a header, and some messages consist of several packets.
    case fragments
    /// It was not found.
    case unknown
  }

  /// How messages are divided into values.
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
  /// Confidence from 0 to 1; from 0.9 on the finding is certain.
  public var confidence = 0.0
  /// Escapes that were decoded.
  public var escape: EscapeFinding?
  /// Bytes of a full packet, where messages are cut into packets.
  public var packetSize: Int?
  /// Whether zeros behind the messages fill all values up to one size.
  public var isPadded = false

  /// Bytes of the delimiter at each end that offsets include, and that are removed before escapes are decoded.
  var delimiter: Int { escape?.delimiter ?? 0 }
}

/// The type of a field.
public enum FieldType: String, Sendable {
  case constant, length, checksum, counter, kind, `enum`, flags, uint, int, float, timestamp, text, address, padding, tlv, protobuf, cbor,
    json
  case bcd, bytes
}

/// A field of the messages of a kind. With a `size` of nil it extends to the end, or to the fields that are counted from the end.
public struct FieldFinding: Equatable, Sendable {
  /// Offset of its first byte; negative offsets count from the end.
  public var offset: Int
  /// Number of bytes.
  public var size: Int?
  /// Its type.
  public var type: FieldType
  /// Order of its bytes.
  public var endian: ByteOrder?
  /// Confidence from 0 to 1; from 0.9 on the finding is certain.
  public var confidence: Double
  /// The evidence for it.
  public var evidence: String
  /// Whether its bytes are hexadecimal digits.
  public var isHex = false
  /// A name for people, where the type alone does not describe it.
  public var name: String?
}

/// The bytes that distinguish kinds of messages.
public struct KindFinding: Equatable, Sendable {
  /// Offset of its first byte; negative offsets count from the end.
  public var offset: Int
  /// Number of bytes.
  public var size: Int
  /// Confidence from 0 to 1; from 0.9 on the finding is certain.
  public var confidence: Double
  /// Whether the length of messages distinguishes kinds instead of a byte.
  public var isLength = false
}

/// The messages of one kind.
public struct KindFields: Sendable {
  /// The value of the kind bytes; empty where there is one kind.
  public var kind: [UInt8]
  /// Their number.
  public var count: Int
  /// The fields of each kind.
  public var fields: [FieldFinding]
  /// Bytes of the shortest message.
  public var shortest: Int
  /// Bytes of the longest message.
  public var longest: Int
  /// Examples of messages.
  public var examples: [[UInt8]]
}

/// The stream that answers another one, and the bytes of the request that the answer repeats.
public struct ResponseFinding: Sendable {
  /// Bytes of a request that its answer repeats.
  public struct Echo: Equatable, Sendable {
    /// Their offset in the request.
    public var request: Int
    /// Their offset in the answer.
    public var answer: Int
    /// Their number.
    public var size: Int
  }

  /// Index of the stream in the list of streams.
  public var stream: Int
  /// Offset in the request of the repeated bytes that are the strongest evidence.
  public var requestOffset: Int?
  /// Offset of the repeated bytes in the answer.
  public var responseOffset: Int?
  /// Number of bytes.
  public var size: Int?
  /// Further bytes of the request that its answer repeats.
  public var others: [Echo] = []
  /// The share of requests that are answered.
  public var share: Double
  /// Number of requests that were answered.
  public var answered: Int
  /// Median time to the answer in microseconds.
  public var delay: Int64
}

/// A message that is sent periodically.
public struct PollFinding: Sendable {
  /// Period in microseconds.
  public var period: Int64
  /// Their number.
  public var count: Int
}

/// All findings about a stream.
public struct StreamFindings: Sendable {
  /// The source of the values.
  public var source: StreamSource
  /// Number of values.
  public var packets = 0
  /// Number of messages.
  public var messages = 0
  /// Number of distinct lengths of messages.
  public var lengths = 0
  /// The framing of messages in values.
  public var framing = FramingFinding()
  /// The protocol with a published specification that the messages follow.
  public var standard: StandardFinding?
  /// The bytes that distinguish kinds of messages.
  public var kinds: KindFinding?
  /// The fields of each kind.
  public var fields: [KindFields] = []
  /// The answers to the messages.
  public var answers: ResponseFinding?
  /// A message that is sent periodically.
  public var poll: PollFinding?
  /// Notes for people, one line each.
  public var notes: [String] = []
  /// Open questions, and experiments that would answer them.
  public var open: [String] = []
  /// Packets of a few messages, for the tests of a profile and the annotated hex dumps.
  public var examples: [[[UInt8]]] = []
  /// Whether all values were the same.
  public var isSteady = false
  /// How many of the findings go into a profile: those that do not decode all messages are left out.
  public var detail = Detail.all
  /// Whether the tests of a profile also encode requests: to the same packets, or to the same message.
  public var encodes = Encodes.packets

  /// Whether nearly all requests are answered by one message each.
  var isAnswered: Bool { (answers?.share ?? 0) >= 0.9 }

  /// How many of the findings go into a profile.
  public enum Detail: Sendable, CaseIterable {
    case all, withoutCheck, framing, bytes
  }

  /// The result to which requests of a profile's tests are encoded.
  public enum Encodes: Sendable, CaseIterable {
    case packets, message, nothing
  }
}
