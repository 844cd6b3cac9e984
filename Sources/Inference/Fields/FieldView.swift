import PacketCodecs

/// The bytes of a field in the messages of a kind, for the detectors of field types.
struct FieldView {
  let frames: [ArraySlice<UInt8>]
  let times: [Int64]
  let offset: Int
  let size: Int
  let endian: ByteOrder?
  let context: InferenceContext

  /// The field's bytes in each message that contains it.
  let values: [ArraySlice<UInt8>]
  /// Times of these messages.
  let valueTimes: [Int64]
  let distinct: Int

  init(_ frames: [ArraySlice<UInt8>], _ times: [Int64], _ segment: FieldSegmenter.Segment, tail: Int, _ context: InferenceContext) {
    self.frames = frames
    self.times = times
    offset = segment.offset
    size = segment.size
    endian = segment.endian
    self.context = context
    var values: [ArraySlice<UInt8>] = []
    var valueTimes: [Int64] = []
    for (index, frame) in frames.enumerated() where segment.offset + segment.size <= frame.count - tail {
      let from = frame.startIndex + segment.offset
      values.append(frame[from..<(from + segment.size)])
      valueTimes.append(times[index])
    }
    self.values = values
    self.valueTimes = valueTimes
    distinct = Set(values).count
  }

  /// The values as unsigned numbers.
  func numbers(_ order: ByteOrder) -> [UInt64] { values.compactMap { $0.number(0, size, order) } }
}

/// The result of a detector of field types.
struct FieldClaim {
  var type: FieldType
  var endian: ByteOrder?
  /// Evidence for it, in bits.
  var bits: Double
  var evidence: String
}

/// Detects a type of fields.
protocol FieldDetector: SendableMetatype {
  /// The claim that the field has the type; nil where it has not.
  static func claim(_ view: FieldView) -> FieldClaim?
}
