import PacketCodecs

/// Finds fields that are recognized at any offset, before the bytes are segmented into fields.
protocol FrameFieldDetector: SendableMetatype {
  /// The fields within the first bytes of the frames, without `tail` bytes at their ends.
  static func frameFields(_ frames: [ArraySlice<UInt8>], _ times: [Int64], tail: Int, _ context: InferenceContext) -> [FieldFinding]
}

extension FrameFieldDetector {
  /// Number of bytes at the start of frames in which the fields are looked for.
  static var searchedBytes: Int { 64 }

  /// Number of bytes at the start that all frames have and that are searched.
  static func width(_ frames: [ArraySlice<UInt8>], _ tail: Int) -> Int {
    min(searchedBytes, (frames.map(\.count).min() ?? 0) - tail)
  }

  /// For each of the first `width` bytes, how many bytes from there on are the same in all frames.
  static func common(_ frames: [ArraySlice<UInt8>], _ width: Int) -> [Int] {
    guard let first = frames.first, width > 0 else { return [] }
    var isCommon = [Bool](repeating: true, count: width)
    for frame in frames.dropFirst() {
      for index in 0..<width where frame[frame.startIndex + index] != first[first.startIndex + index] { isCommon[index] = false }
    }
    var counts = [Int](repeating: 0, count: width)
    for index in (0..<width).reversed() where isCommon[index] { counts[index] = 1 + (index + 1 < width ? counts[index + 1] : 0) }
    return counts
  }
}
