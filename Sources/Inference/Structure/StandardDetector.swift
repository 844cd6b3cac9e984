import PacketCodecs

/// A protocol with a published specification that the messages of a stream follow.
public struct StandardFinding: Equatable, Sendable {
  /// What the protocol is called.
  public var name: String
  /// What its messages are, with their numbers.
  public var text: String
  /// How long a message is, where its header tells.
  var length: LengthExpression?

  /// The length of a message in the language of profiles.
  struct LengthExpression: Equatable {
    /// The fields of the header, as `seq` lists them.
    var header: String
    /// An expression over them, in bytes.
    var value: String
  }
}

/// Recognises a protocol with a published specification, whose fields are known.
protocol StandardDetector: SendableMetatype {
  /// What the messages are; nil where they do not follow the protocol.
  static func claim(_ frames: [ArraySlice<UInt8>], _ framing: FramingFinding) -> StandardFinding?

  /// The fields that the specification gives messages of one kind, those of the framing left out, in a stream that follows the protocol.
  static func fields(_ frames: [ArraySlice<UInt8>]) -> [FieldFinding]

  /// Where the specification has other fields begin, up to an offset from the start.
  static func cuts(_ frames: [ArraySlice<UInt8>], upTo end: Int) -> [Int]

  /// The order of bytes in its numbers.
  static var order: ByteOrder { get }
}
