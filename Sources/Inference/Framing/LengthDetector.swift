import PacketCodecs

/// Finds a field whose value plus a constant is the length of every frame.
enum LengthDetector {
  /// Number of bytes at the start of frames in which the field is looked for.
  static let searchedBytes = 24
  /// The numbers that can be added to the field's value to get the length of the frame.
  static let adds = -8...64

  struct Found {
    var length: LengthFinding
    /// Frames without such a field would fit it by chance with a probability of 2^-bits.
    var bits: Double
  }

  /// The best length field of the frames; `share` of them must agree.
  static func find(_ frames: [ArraySlice<UInt8>], share: Double = 1) -> Found? {
    // The shortest of the frames that must agree: others may be cut before the field.
    let sizes = frames.map(\.count).sorted()
    guard !sizes.isEmpty, case let shortest = sizes[min(Int(Double(sizes.count) * (1 - share)), sizes.count - 1)], shortest > 0 else {
      return nil
    }
    let lengths = Set(frames.map(\.count))
    guard lengths.count >= 2 else { return nil }
    var best: Found?
    for unit in [1, 2] {
      for size in [1, 2, 4] {
        for endian in size == 1 ? [ByteOrder.little] : [ByteOrder.big, .little] {
          for offset in 0..<max(0, min(searchedBytes, shortest - size + 1)) {
            guard let found = judge(frames, offset, size, endian, unit, lengths.count, share) else { continue }
            if let known = best, known.bits >= found.bits - 0.01 { continue }
            best = found
          }
        }
      }
      if best != nil { break }
    }
    return best
  }

  /// The sizes of records, in bytes, where a field says how many records a message has.
  static let recordSizes = 3...8

  /// A byte with the number of records of one size in the messages, behind a header and in front of a tail that are always the same size. As so many
  /// sizes are tried, all messages must agree, and have at least three lengths.
  static func findRecords(_ frames: [ArraySlice<UInt8>]) -> Found? {
    let lengths = Set(frames.map(\.count))
    guard lengths.count >= 3, let shortest = lengths.min(), let longest = lengths.max(), shortest > 0 else { return nil }
    var best: Found?
    for unit in recordSizes where lengths.allSatisfy({ ($0 - shortest).isMultiple(of: unit) }) {
      // Three numbers in a row can be kinds of messages.
      if lengths.count == 3, longest - shortest == 2 * unit { continue }
      for offset in 0..<min(searchedBytes, shortest) {
        guard let found = judge(frames, offset, 1, .little, unit, lengths.count, 1) else { continue }
        if let known = best, known.bits >= found.bits - 0.01 { continue }
        best = found
      }
    }
    return best
  }

  /// The field at `offset`, if the same number added to its value, times `unit`, is the length of (a `share` of) the frames; nil where it is not.
  /// `lengths` is the number of different lengths.
  private static func judge(
    _ frames: [ArraySlice<UInt8>], _ offset: Int, _ size: Int, _ endian: ByteOrder, _ unit: Int, _ lengths: Int, _ share: Double
  ) -> Found? {
    var add: Int?
    var holds = 0
    if share >= 1 {
      for frame in frames {
        guard let value = frame.number(offset, size, endian), value <= 1 << 20 else { return nil }
        let difference = frame.count - Int(value) * unit
        if let add, add != difference { return nil }
        add = difference
      }
      holds = frames.count
    } else {
      var counts: [Int: Int] = [:]
      for frame in frames {
        guard let value = frame.number(offset, size, endian), value <= 1 << 20 else { continue }
        counts[frame.count - Int(value) * unit, default: 0] += 1
      }
      guard let mostFrequent = counts.max(by: { ($0.value, -$0.key) < ($1.value, -$1.key) }) else { return nil }
      guard Double(mostFrequent.value) >= share * Double(frames.count) else { return nil }
      (add, holds) = (mostFrequent.key, mostFrequent.value)
    }
    guard let add, adds.contains(add) else { return nil }
    // A frame has at least the bytes up to its length field.
    if unit > 1, add < offset + size { return nil }
    var matching = Set<Int>()
    for frame in frames {
      if let value = frame.number(offset, size, endian), Int(value) * unit + add == frame.count { matching.insert(frame.count) }
    }
    guard matching.count >= 2 else { return nil }
    // The first length fixes the constant; each other one would agree by chance once in 256 times. Some offsets and forms were tried.
    var bits = 8 * Double(matching.count - 1) - 6.5 - (unit == 1 ? 0 : unit == 2 ? 3 : 5)
    bits -= Double(frames.count - holds) * 4
    // High bytes that are always zero usually belong to the number.
    let wide = frames.contains { $0.number(offset, size, endian).map { $0 > 255 } ?? false }
    var preference = 0.0
    if size == 2 { preference = 1 }
    if size == 4 { preference = wide ? 0 : -2 }
    // Common forms are preferred: the value counts the frame without its header, and possibly without its tail, or the complete frame.
    if add >= offset + size, add <= offset + size + 4 {
      preference += 2
    } else if add == 0 {
      preference += 1.5
    } else if add < 0 {
      preference -= 3
    }
    preference -= 0.15 * Double(offset)
    let finding = LengthFinding(
      offset: offset, size: size, endian: endian, adds: add, lengths: matching.count, holds: holds, of: frames.count,
      confidence: Evidence.confidence(bits: bits), unit: unit)
    return Found(length: finding, bits: bits + preference)
  }
}
