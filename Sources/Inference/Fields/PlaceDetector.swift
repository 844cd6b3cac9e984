import PacketCodecs

/// Finds fields whose meaning shows wherever they stand, before the bytes are cut into fields.
protocol PlaceDetector: SendableMetatype {
  /// The fields within the first bytes of the frames, `tail` bytes at their ends left out.
  static func places(_ frames: [ArraySlice<UInt8>], _ times: [Int64], tail: Int, _ context: InferenceContext) -> [FieldFinding]
}

extension PlaceDetector {
  /// How far from the start of the frame is looked.
  static var reach: Int { 64 }

  /// The bytes that all frames have, as far as is looked.
  static func width(_ frames: [ArraySlice<UInt8>], _ tail: Int) -> Int {
    min(reach, (frames.map(\.count).min() ?? 0) - tail)
  }
}
