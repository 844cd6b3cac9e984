/// Joins guessed fields: where all bytes take all values about equally often, there is no evidence of where a field begins.
enum NoiseDetector {
  /// Least number of consecutive bytes without a pattern that are joined to one field.
  private static let minimumRun = 16
  /// The same where there are few messages: fields in them are guesses.
  private static let minimumRunOfFew = 8
  /// With fewer messages than this, there are few.
  private static let manyMessages = 8

  /// The fields, with runs of noise as one each.
  static func joined(_ fields: [FieldFinding], _ frames: [ArraySlice<UInt8>], tail: Int) -> [FieldFinding] {
    let isFew = frames.count < manyMessages
    guard frames.count >= 3 else { return fields }
    var list: [FieldFinding] = []
    var pending: [FieldFinding] = []
    func close() {
      let from = pending.first?.offset ?? 0
      let to = pending.last.map { $0.offset + ($0.size ?? 1) } ?? 0
      if pending.count >= 4, to - from >= (isFew ? minimumRunOfFew : minimumRun) {
        list.append(
          FieldFinding(
            offset: from, size: pending.last?.size == nil ? nil : to - from, type: .bytes, endian: nil, confidence: 0.5,
            evidence: isFew
              ? "hardly any value occurs twice in \(frames.count) messages: more messages would separate the fields"
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

  /// Least number of consecutive bytes that are taken for samples, and of messages that have them: fewer can be similar by chance.
  private static let minimumSamples = 24
  private static let minimumMessages = 8

  /// The fields, with runs of guessed fields joined whose bytes are all similar: audio samples or pixels are no fields.
  static func sampled(_ fields: [FieldFinding], _ frames: [ArraySlice<UInt8>], tail: Int) -> [FieldFinding] {
    guard frames.count >= minimumMessages else { return fields }
    var list: [FieldFinding] = []
    var at = 0
    while at < fields.count {
      var end = at
      while end < fields.count, isGuess(fields[end]),
        end == at || fields[end - 1].offset + (fields[end - 1].size ?? 0) == fields[end].offset
      {
        end += 1
      }
      if end - at >= 6, let last = fields[end - 1].size, case let from = fields[at].offset, case let to = fields[end - 1].offset + last,
        to - from >= minimumSamples, areAlike(from..<to, frames, tail)
      {
        list.append(
          FieldFinding(
            offset: from, size: to - from, type: .bytes, endian: nil, confidence: 0.5,
            evidence: "\(to - from) bytes that are all alike: rather samples of a sound or a picture than fields"))
        at = end
      } else {
        list += fields[at..<max(end, at + 1)]
        at = max(end, at + 1)
      }
    }
    return list
  }

  private static func isGuess(_ field: FieldFinding) -> Bool {
    field.offset >= 0 && field.confidence <= 0.5 && [.bytes, .uint, .int].contains(field.type) && field.size != nil
  }

  /// Whether the bytes at all offsets have about the same mean and deviation.
  private static func areAlike(_ columns: Range<Int>, _ frames: [ArraySlice<UInt8>], _ tail: Int) -> Bool {
    var means: [Double] = []
    var spreads: [Double] = []
    for column in columns {
      var (count, sum, squares) = (0.0, 0.0, 0.0)
      for frame in frames where column < frame.count - tail {
        let value = Double(frame[frame.startIndex + column])
        (count, sum, squares) = (count + 1, sum + value, squares + value * value)
      }
      guard count >= Double(minimumMessages) else { return false }
      means.append(sum / count)
      spreads.append(squares / count - sum / count * (sum / count))
    }
    let spread = spreads.reduce(0, +) / Double(spreads.count)
    let mean = means.reduce(0, +) / Double(means.count)
    guard spread > 16, spreads.allSatisfy({ $0 > spread / 3 && $0 < spread * 3 }) else { return false }
    return means.allSatisfy { ($0 - mean) * ($0 - mean) < spread }
  }

  /// Whether each byte of a field has nearly as many values as random bytes.
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
      let largest = counts.max() ?? 0
      guard Double(distinct) >= 0.85 * expected, largest <= max(2, 2 + count / 24) else { return false }
    }
    return true
  }
}
