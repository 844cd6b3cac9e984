import PacketCodecs

/// A protocol with a published specification that the messages of a stream follow.
public struct StandardFinding: Equatable, Sendable {
  /// The name of the protocol.
  public var name: String
  /// Its kinds of messages, with their numbers.
  public var text: String
  /// The length of a message, where its header determines it.
  var length: LengthExpression?

  /// The length of a message in the language of profiles.
  struct LengthExpression: Equatable {
    /// The fields of the header, as `seq` lists them.
    var header: String
    /// An expression over them, in bytes.
    var value: String
  }
}

/// Recognizes a protocol with a published specification, whose fields are known.
protocol StandardDetector: SendableMetatype {
  /// The finding about the messages; nil where they do not follow the protocol.
  static func claim(_ frames: [ArraySlice<UInt8>], _ framing: FramingFinding) -> StandardFinding?

  /// The fields that the specification defines for messages of one kind, without those of the framing, in a stream that follows the protocol.
  static func fields(_ frames: [ArraySlice<UInt8>]) -> [FieldFinding]

  /// Offsets where the specification's other fields begin, up to `end`.
  static func cuts(_ frames: [ArraySlice<UInt8>], upTo end: Int) -> [Int]

  /// The order of bytes in its numbers.
  static var order: ByteOrder { get }
}
