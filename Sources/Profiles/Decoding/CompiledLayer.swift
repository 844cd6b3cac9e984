import KaitaiStruct
import PacketCodecs

/// A layer of a framing, compiled from a ``LayerDefinition``: a ``Pipeline`` sends the bytes of packets through it.
enum CompiledLayer: Sendable {
  case strip(StripDefinition)
  case unescape(ByteEscape)
  case scramble(key: ExpressionID, from: Int)
  case fragments(CompiledFragments)
  case stream(CompiledStream)
  case expect(length: ExpressionID)
  case check(Checksum, when: ExpressionID?, value: ExpressionID?, isInBody: Bool?)
  /// A checksum over the packets of a message with their headers, at the end of the last of them.
  case checkPackets(Checksum, when: ExpressionID?, isInBody: Bool?)
  case slice(from: CompiledBound, to: CompiledBound?)
  case drop(when: ExpressionID)
  case decrypt(CompiledDecryption)
}

/// A number of bytes in a layer: constant, or computed for each packet.
enum CompiledBound: Sendable {
  case number(Int)
  case expression(ExpressionID)

  /// The number; nil for an expression.
  var number: Int? { if case .number(let number) = self { number } else { nil } }
}

/// The layer that joins packets with a header to messages (`fragments`, and `merge` for records).
struct CompiledFragments: Sendable {
  var header: TypeID?
  var first, last, more, total, count, index, counter, offset: ExpressionID?
  var payloadFrom: Int?
  var payloadTo: ExpressionID?
  var rules: FragmentRules
  var build: CompiledBuild?
  /// The packets are parts of a record, which keep their headers.
  var isMerge = false
  /// Identifies the record that a part belongs to.
  var key: ExpressionID?
  /// The meaning of the header depends on its own bytes only.
  var isFixed = false
  var set: [CompiledSet] = []
  /// The fields of the header; nil where it has none.
  var headerParts: [FramingPart]?
  /// All of them have a fixed size.
  var hasFixedHeader = false
}

/// The layer that cuts a stream of bytes into messages by lengths or delimiters.
struct CompiledStream: Sendable {
  var header: TypeID?
  var length: ExpressionID?
  var rules: StreamRules
  var build: CompiledBuild?
  /// The fields of the header; nil where it has none.
  var headerParts: [FramingPart]?
  /// All of them have a fixed size.
  var hasFixedHeader = false
}

/// How headers are written when a message is encoded.
struct CompiledBuild: Sendable {
  struct Choice: Sendable {
    var when: ExpressionID?
    var header: [(name: String, value: ExpressionID)]
  }
  var size: CompiledBound?
  var pad: UInt8?
  var first: [Choice]
  var next: [Choice]
}
