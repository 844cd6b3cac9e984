/// Joins fields that are only guesses: where all bytes take all values about equally often, nothing shows where a field begins.
enum NoiseDetector {
  /// Bytes in a row that have to be noise, where messages are many and where they are few.
  private static let run = 16
  private static let shortRun = 8
  private static let few = 8

  /// The fields, with runs of noise as one each.
  static func joined(_ fields: [FieldFinding], _ frames: [ArraySlice<UInt8>], tail: Int) -> [FieldFinding] {
    let isFew = frames.count < few
    guard frames.count >= 3 else { return fields }
    var list: [FieldFinding] = []
    var pending: [FieldFinding] = []
    func close() {
      let from = pending.first?.offset ?? 0
      let to = pending.last.map { $0.offset + ($0.size ?? 1) } ?? 0
      if pending.count >= 4, to - from >= (isFew ? shortRun : run) {
        list.append(
          FieldFinding(
            offset: from, size: pending.last?.size == nil ? nil : to - from, type: .bytes, endian: nil, confidence: 0.5,
            evidence: isFew
              ? "hardly a value comes twice in \(frames.count) messages: more would tell fields apart"
              : "all values about equally often: compressed, a cipher or audio"))
      } else {
        list += pending
      }
      pending = []
    }
    for field in fields {
      let isGuess = field.type == .bytes || (field.confidence < 0.5 && (field.type == .uint || field.type == .int))
      let isNext = pending.last.map { $0.offset + ($0.size ?? 0) == field.offset && $0.size != nil } ?? true
      if !isNext { close() }
      if isGuess, field.offset >= 0, isNoise(field, frames, tail) {
        pending.append(field)
      } else {
        close()
        list.append(field)
      }
    }
    close()
    return list
  }

  /// Whether each byte of a field takes nearly as many values as random ones would.
  private static func isNoise(_ field: FieldFinding, _ frames: [ArraySlice<UInt8>], _ tail: Int) -> Bool {
    for offset in field.offset..<(field.offset + (field.size ?? 1)) {
      var counts = [Int](repeating: 0, count: 256)
      var count = 0
      for frame in frames where offset < frame.count - tail {
        counts[Int(frame[frame.startIndex + offset])] += 1
        count += 1
      }
      guard count >= 3 else { return field.size == nil }
      let distinct = counts.reduce(0) { $0 + ($1 > 0 ? 1 : 0) }
      let expected = 256 * (1 - Evidence.power(Double(count) * -0.00564656))
      let most = counts.max() ?? 0
      guard Double(distinct) >= 0.85 * expected, most <= max(2, 2 + count / 24) else { return false }
    }
    return true
  }
}
