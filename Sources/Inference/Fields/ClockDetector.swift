import PacketCodecs

/// Seconds or milliseconds since 1970 that agree with the time of the capture: of random numbers of four bytes one in sixteen thousand is as near.
enum ClockDetector: FrameFieldDetector {
  /// Largest difference between a device's clock and the capture's, in seconds: a time zone and a day.
  static let maxDifference: Int64 = 36 * 3600
  /// Largest change of that difference over all messages, in seconds, where the clock has two different times. Three and more agree by chance less
  /// often, and may differ by more.
  static let maxDriftOfTwo: Int64 = 5
  static let maxDrift: Int64 = 120

  static func frameFields(_ frames: [ArraySlice<UInt8>], _ times: [Int64], tail: Int, _ context: InferenceContext) -> [FieldFinding] {
    guard frames.count >= 3 else { return [] }
    var found: [FieldFinding] = []
    var offset = 0
    let width = width(frames, tail)
    while offset + 4 <= width {
      let form = forms.first { $0.size <= width - offset && agrees(frames, times, offset, $0) }
      if let form {
        found.append(
          FieldFinding(
            offset: offset, size: form.size, type: .timestamp, endian: form.order, confidence: 0.95,
            evidence: "\(form.name) since 1970, which go with the capture's time: \(frames.count) of \(frames.count)"))
      }
      offset += form?.size ?? 1
    }
    return found
  }

  private struct Form {
    var size: Int
    var order: ByteOrder
    /// Units in one second.
    var parts: Int64
    var name: String { parts == 1 ? "seconds" : "milliseconds" }
  }

  /// Wide forms first, as their high bytes are zero.
  private static let forms = [
    Form(size: 8, order: .little, parts: 1000), Form(size: 8, order: .big, parts: 1000), Form(size: 6, order: .little, parts: 1000),
    Form(size: 6, order: .big, parts: 1000), Form(size: 8, order: .big, parts: 1), Form(size: 4, order: .little, parts: 1),
    Form(size: 4, order: .big, parts: 1),
  ]

  private static func agrees(_ frames: [ArraySlice<UInt8>], _ times: [Int64], _ offset: Int, _ form: Form) -> Bool {
    var low = Int64.max
    var high = Int64.min
    var distinct = Set<UInt64>()
    for (frame, time) in zip(frames, times) {
      guard let value = frame.number(offset, form.size, form.order), value < 1 << 48 else { return false }
      let distance = Int64(value) / form.parts - time / 1_000_000
      guard abs(distance) < maxDifference else { return false }
      low = min(low, distance)
      high = max(high, distance)
      distinct.insert(value)
    }
    return distinct.count >= 2 && high - low <= (distinct.count >= 3 ? maxDrift : maxDriftOfTwo)
  }
}
