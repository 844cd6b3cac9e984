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

  /// From each of the first `width` bytes on, how many are the same in all frames.
  static func common(_ frames: [ArraySlice<UInt8>], _ width: Int) -> [Int] {
    guard let first = frames.first, width > 0 else { return [] }
    var isCommon = [Bool](repeating: true, count: width)
    for frame in frames.dropFirst() {
      for place in 0..<width where frame[frame.startIndex + place] != first[first.startIndex + place] { isCommon[place] = false }
    }
    var counts = [Int](repeating: 0, count: width)
    for place in (0..<width).reversed() where isCommon[place] { counts[place] = 1 + (place + 1 < width ? counts[place + 1] : 0) }
    return counts
  }
}
