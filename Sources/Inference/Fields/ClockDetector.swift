import PacketCodecs

/// Seconds since 1970 that go with the time of the capture: of random numbers of four bytes one in sixteen thousand lies as near.
enum ClockDetector: PlaceDetector {
  /// How far a device's clock may be from the capture's: a time zone, a day.
  static let near: Int64 = 36 * 3600
  /// How much the distance may change from message to message, in seconds: of two times, and of more, which chance makes agree less easily.
  static let drift: Int64 = 5
  static let wideDrift: Int64 = 120

  static func places(_ frames: [ArraySlice<UInt8>], _ times: [Int64], tail: Int, _ context: InferenceContext) -> [FieldFinding] {
    guard frames.count >= 3 else { return [] }
    var found: [FieldFinding] = []
    var offset = 0
    let width = width(frames, tail)
    while offset + 4 <= width {
      if let order = [ByteOrder.little, .big].first(where: { agrees(frames, times, offset, $0) }) {
        found.append(
          FieldFinding(
            offset: offset, size: 4, type: .timestamp, endian: order, confidence: 0.95,
            evidence: "seconds since 1970, which go with the capture's time: \(frames.count) of \(frames.count)"))
        offset += 4
      } else {
        offset += 1
      }
    }
    return found
  }

  private static func agrees(_ frames: [ArraySlice<UInt8>], _ times: [Int64], _ offset: Int, _ order: ByteOrder) -> Bool {
    var low = Int64.max
    var high = Int64.min
    var told = Set<UInt64>()
    for (frame, time) in zip(frames, times) {
      guard let value = frame.number(offset, 4, order) else { return false }
      let distance = Int64(value) - time / 1_000_000
      guard abs(distance) < near else { return false }
      low = min(low, distance)
      high = max(high, distance)
      told.insert(value)
    }
    return told.count >= 2 && high - low <= (told.count >= 3 ? wideDrift : drift)
  }
}
