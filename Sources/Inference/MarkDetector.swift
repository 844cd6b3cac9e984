import PacketCodecs

/// Finds bytes that depend on the user's actions.
enum MarkDetector {
  /// Sentences about a stream: the messages within `window` µs after marks, and the bytes that differ from mark to mark. Counters, lengths and
  /// checksums of `framing` differ anyway.
  static func notes(
    _ messages: [Message], _ marks: [InferenceContext.Mark], _ framing: FramingFinding, window: Int64 = 3_000_000
  ) -> [String] {
    guard !marks.isEmpty else { return [] }
    var behind: [String: [ArraySlice<UInt8>]] = [:]
    var order: [String] = []
    // Both lists are traversed once, in the order of time.
    let times = messages.indices.sorted { (messages[$0].time, $0) < (messages[$1].time, $1) }
    var next = 0
    for (index, mark) in marks.enumerated() {
      let until = min(mark.time + window, index + 1 < marks.count ? marks[index + 1].time : .max)
      while next < times.count, messages[times[next]].time < mark.time { next += 1 }
      guard next < times.count else { break }
      let message = messages[times[next]]
      guard message.time < until else { continue }
      if behind[mark.text] == nil { order.append(mark.text) }
      behind[mark.text, default: []].append(message.bytes)
    }
    var notes = order.map { text in
      "\(text): \(behind[text]!.count == 1 ? "" : "\(behind[text]!.count) times ")\(hex(behind[text]![0].prefix(24)))"
    }
    // A byte that is the same after all marks of one text, and different after those of another.
    let shortest = behind.values.joined().map(\.count).min() ?? 0
    guard order.count >= 2 else { return notes }
    let taken = takenColumns(framing, shortest)
    for offset in 0..<min(64, shortest) where !taken.contains(offset) {
      var byteOfMark: [String: UInt8] = [:]
      var isSteady = true
      for text in order {
        let values = Set(behind[text]!.map { $0[$0.startIndex + offset] })
        if values.count == 1 { byteOfMark[text] = values.first } else { isSteady = false }
      }
      guard isSteady, Set(byteOfMark.values).count == order.count else { continue }
      let list = order.map { "\($0) \(hex([byteOfMark[$0] ?? 0]))" }.joined(separator: ", ")
      notes.append("byte \(offset) matches the marks: \(list)")
    }
    return notes
  }

  /// Bytes that are a counter, a length or a checksum, in the first `shortest` ones of all messages.
  private static func takenColumns(_ framing: FramingFinding, _ shortest: Int) -> Set<Int> {
    var columns = Set<Int>()
    if let counter = framing.counter { columns.formUnion(counter.offset..<(counter.offset + counter.size)) }
    if let length = framing.length { columns.formUnion(length.offset..<(length.offset + length.size)) }
    if let check = framing.check, !check.isPerPacket {
      let position = check.checksum.position
      // With a position from the end, it begins after this offset in longer messages.
      if position >= 0 {
        columns.formUnion(position..<(position + check.checksum.storedCount))
      } else {
        columns.formUnion(max(0, shortest + position)..<max(0, shortest))
      }
    }
    return columns
  }
}
