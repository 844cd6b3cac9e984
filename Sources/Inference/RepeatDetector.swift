import PacketCodecs

/// Finds groups of bytes that come several times in each message: the colours of a lamp with zones that are all the same.
enum RepeatDetector {
  /// Most messages that are compared; longer messages than this number of bytes are left out.
  private static let maxMessages = 100, maxBytes = 128
  /// Least number of different messages: in fewer, bytes are equal by chance.
  private static let minimumCount = 4

  /// A group of bytes and how often it comes, without a byte between.
  struct Found: Equatable {
    var offset: Int
    var size: Int
    var times: Int
  }

  /// Sentences about the messages of the two most frequent lengths.
  static func notes(_ frames: [ArraySlice<UInt8>]) -> [String] {
    var notes: [String] = []
    let lengths = histogram(frames.map(\.count))
    for length in lengths.prefix(2) where length.value >= 4 {
      let ofLength = frames.filter { $0.count == length.value }
      guard let found = find(ofLength) else { continue }
      let whole = lengths.count > 1 ? ", in messages of \(length.value) bytes" : ""
      notes.append(
        "bytes \(found.offset) to \(found.offset + found.size - 1) come \(found.times) times\(whole): \(ofLength.count) of \(ofLength.count)"
      )
    }
    return notes
  }

  /// The group that covers most bytes of messages of one length; nil where none is in all of them.
  static func find(_ frames: [ArraySlice<UInt8>]) -> Found? {
    let distinct = CheckDetector.different(frames, maxMessages)
    guard distinct.count >= minimumCount, let count = distinct.first?.count, count <= maxBytes else { return nil }
    var best: Found?
    for size in 2...max(2, count / 2) where size <= count / 2 {
      // Where a run of bytes equals the bytes `size` further on, it and those are one group several times.
      var run = 0
      for index in 0..<(count - size) {
        let isSame = distinct.allSatisfy { $0[$0.startIndex + index] == $0[$0.startIndex + index + size] }
        run = isSame ? run + 1 : 0
        guard run >= size else { continue }
        let found = Found(offset: index + 1 - run, size: size, times: run / size + 1)
        if let best, found.size * found.times <= best.size * best.times { continue }
        if hasContent(found, distinct) { best = found }
      }
    }
    guard let best, frames.allSatisfy({ holds(best, $0) }) else { return nil }
    return best
  }

  /// Whether at least two bytes of the group change, and differ from each other.
  private static func hasContent(_ found: Found, _ frames: [ArraySlice<UInt8>]) -> Bool {
    var moving = 0
    for offset in found.offset..<(found.offset + found.size) {
      let first = frames[0][frames[0].startIndex + offset]
      if frames.contains(where: { $0[$0.startIndex + offset] != first }) { moving += 1 }
    }
    func isEven(_ frame: ArraySlice<UInt8>) -> Bool {
      let group = frame.dropFirst(found.offset).prefix(found.size)
      return group.allSatisfy { $0 == group.first }
    }
    return moving >= 2 && frames.count { !isEven($0) } >= minimumCount
  }

  private static func holds(_ found: Found, _ frame: ArraySlice<UInt8>) -> Bool {
    let group = frame.dropFirst(found.offset).prefix(found.size)
    return (1..<found.times).allSatisfy { frame.dropFirst(found.offset + $0 * found.size).prefix(found.size).elementsEqual(group) }
  }
}
