import PacketCodecs

/// Finds fields that follow each other across streams: one repeats the last value of the other.
enum FollowDetector {
  /// Most streams that are compared, most fields of each, and most messages of each.
  private static let maxStreams = 12
  private static let maxFields = 16
  private static let maxMessages = 600
  /// Least number of distinct values that agree: fewer can agree by chance.
  private static let minimumCount = 5

  /// The values of a field, in the order of time.
  private struct Series {
    var stream: Int
    var location: String
    var values: [(time: Int64, value: UInt64)]
    var distinct: Int
  }

  /// Sentences for each stream, by its number in the list.
  static func notes(_ analyses: [(findings: StreamFindings, messages: [Message])], _ labels: [String]) -> [Int: [String]] {
    var all: [Series] = []
    for (number, analysis) in analyses.enumerated().prefix(maxStreams) where !analysis.findings.framing.isEncrypted {
      all += series(number, analysis.findings, analysis.messages)
    }
    var notes: [Int: [String]] = [:]
    for later in all {
      for earlier in all where earlier.stream != later.stream {
        let (first, second) = (analyses[earlier.stream].findings, analyses[later.stream].findings)
        guard first.source.peer == second.source.peer else { continue }
        // Bytes of a request that its answer repeats are reported with the answer.
        if second.source.isRequest || first.answers?.stream == later.stream { continue }
        guard let agreed = agreed(earlier, later) else { continue }
        notes[later.stream, default: []].append(
          "\(later.location): what \(earlier.location) of \(labels[earlier.stream]) said last, \(agreed)")
      }
    }
    return notes.mapValues { Array($0.prefix(4)) }
  }

  private static func agreed(_ earlier: Series, _ later: Series) -> String? {
    var next = 0
    var seen = 0
    var good = 0
    var distinct = Set<UInt64>()
    for (time, value) in later.values {
      while next < earlier.values.count, earlier.values[next].time <= time { next += 1 }
      guard next > 0 else { continue }
      seen += 1
      if earlier.values[next - 1].value == value {
        good += 1
        distinct.insert(value)
      }
    }
    guard distinct.count >= minimumCount, good * 20 >= seen * 19, seen >= 6 else { return nil }
    return "\(good) of \(seen) times"
  }

  private static func series(_ number: Int, _ findings: StreamFindings, _ messages: [Message]) -> [Series] {
    var list: [Series] = []
    for kind in findings.fields {
      for field in kind.fields where list.count < maxFields {
        guard field.offset >= 0, let size = field.size, size <= 4, [.uint, .int, .float, .bcd].contains(field.type) else { continue }
        var values: [(time: Int64, value: UInt64)] = []
        for message in messages.prefix(maxMessages) {
          if let kinds = findings.kinds {
            let isOfKind =
              kinds.isLength
              ? (kind.shortest...max(kind.shortest, kind.longest)).contains(message.bytes.count)
              : message.bytes.dropFirst(kinds.offset).starts(with: kind.kind)
            guard isOfKind else { continue }
          }
          if let value = message.bytes.number(field.offset, size, field.endian ?? .big) { values.append((message.time, value)) }
        }
        let distinct = Set(values.map(\.value)).count
        guard distinct >= minimumCount else { continue }
        let end = size > 1 ? " to \(field.offset + size - 1)" : ""
        list.append(
          Series(stream: number, location: "byte\(size > 1 ? "s" : "") \(field.offset)\(end)", values: values, distinct: distinct))
      }
    }
    return list
  }
}
