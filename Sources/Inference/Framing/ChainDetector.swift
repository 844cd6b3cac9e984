import PacketCodecs

/// Finds frames in values that say nothing about where frames begin: a stream that is cut anywhere, frames of one size of which a value has several,
/// and frames that zeros fill up to the size of a value.
enum ChainDetector {
  // MARK: Frames that lead to each other

  /// The form of the frames in a stream of bytes.
  struct Chain {
    /// The field with the length of a frame.
    var length: LengthFinding
    /// The bytes with which all frames begin, and those with which all end.
    var start: [UInt8]
    var end: [UInt8]
    /// Bytes without such frames would fit them by chance with a probability of 2^-bits.
    var bits: Double
  }

  /// Most bytes of the stream that are examined.
  private static let maxBytes = 1 << 16
  /// Most start bytes from which a length is looked for.
  private static let maxStarts = 1500
  /// A length can lead to one of so many start bytes that follow: a frame can contain bytes with the value of its start byte.
  private static let followingStarts = 6
  /// Offsets of a length in its frame.
  private static let lengthOffsets = 1..<8
  /// Bytes of the longest frame.
  private static let longestFrame = 1024
  /// Most bytes at the end of a frame that its length does not count: a checksum, an end marker.
  private static let maxUncounted = 4
  /// Least number of frames that another one follows: with fewer, a length leads to start bytes by chance.
  private static let minimumFollowed = 8

  /// The frames of a stream that is cut into values anywhere: behind each the start byte of the next one follows. Nearly all bytes must belong to
  /// frames.
  static func find(_ stream: ValueStream, limit: Int) -> Chain? {
    let count = min(stream.count, limit)
    guard count >= 6 else { return nil }
    let bytes = stream.joined(0..<count).prefix(maxBytes)
    var best: Chain?
    var values = Set<Int>()
    for index in 0..<count { values.insert(stream.range(index).lowerBound) }
    // Zeros are frequent in all data, so they are no start byte.
    let firsts = histogram((0..<count).lazy.compactMap { stream.value($0).first }.filter { $0 != 0 })
    for start in firsts.prefix(2) where start.count >= 2 {
      var starts: [Int] = []
      for (index, byte) in bytes.enumerated() where byte == start.value { starts.append(index) }
      // With a frequent start byte, nearly any length field points to one by chance.
      guard starts.count >= minimumFollowed, starts.count * 4 <= bytes.count else { continue }
      for form in forms(bytes, starts) {
        guard let chain = judge(bytes, start.value, starts.count, form, values), best.map({ $0.bits < chain.bits }) ?? true else {
          continue
        }
        best = chain
      }
    }
    return best
  }

  /// The length fields that most often lead from a start byte to one that follows, the most frequent first.
  private static func forms(_ bytes: ArraySlice<UInt8>, _ starts: [Int]) -> [LengthFinding] {
    var votes: [Int: Int] = [:]
    let examined = starts.prefix(maxStarts)
    for (index, start) in examined.enumerated() {
      for offset in lengthOffsets {
        for form in 0..<3 {
          let size = form == 0 ? 1 : 2
          guard let value = bytes.number(start + offset, size, form == 2 ? .little : .big), value <= longestFrame else { continue }
          for other in starts[(index + 1)...].prefix(followingStarts) where other - start <= longestFrame {
            let adds = other - start - Int(value)
            guard adds == 0 || adds >= offset + size && adds <= offset + size + maxUncounted else { continue }
            votes[(offset * 3 + form) << 8 | adds, default: 0] += 1
          }
        }
      }
    }
    let least = max(minimumFollowed, examined.count / 4)
    let ordered = votes.filter { $0.value >= least }.sorted { $0.value != $1.value ? $0.value > $1.value : $0.key < $1.key }
    return ordered.prefix(6).map { vote in
      let (offset, form) = (vote.key >> 8 / 3, vote.key >> 8 % 3)
      return LengthFinding(
        offset: offset, size: form == 0 ? 1 : 2, endian: form == 1 ? .big : .little, adds: vote.key & 255, lengths: 0, holds: 0, of: 0,
        confidence: 0)
    }
  }

  /// The form of the frames that a length field cuts from the bytes; nil where chance explains them, or too many bytes belong to no frame. `starts`
  /// is the number of bytes with the value `start`, `values` has the offsets at which values begin.
  private static func judge(
    _ bytes: ArraySlice<UInt8>, _ start: UInt8, _ starts: Int, _ length: LengthFinding, _ values: Set<Int>
  ) -> Chain? {
    var frames: [ArraySlice<UInt8>] = []
    var gaps = 0
    var end = bytes.startIndex
    let lost = walk(bytes, length, [start], []) { frame in
      if frame.startIndex != end { gaps += 1 }
      end = frame.endIndex
      frames.append(frame)
    }
    guard frames.count > minimumFollowed, lost * 10 <= bytes.count, gaps * 8 <= frames.count else { return nil }
    // Where a marker has the same byte twice, frames do not begin with the second one.
    let aligned = frames.count { values.contains($0.startIndex) }
    guard aligned * 8 >= frames.count else { return nil }
    let sizes = histogram(frames.map(\.count))
    // Where nearly all frames have one size, another byte of the same value is no length.
    guard sizes.count >= 2, sizes[1].count >= 2 else { return nil }
    var chain = Chain(length: length, start: Array(frames[0].prefix(min(4, length.offset))), end: Array(frames[0].suffix(1)), bits: 0)
    for frame in frames {
      while !frame.starts(with: chain.start) { chain.start.removeLast() }
      if frame.last != chain.end.last { chain.end = [] }
    }
    if chain.end == [0] || length.adds == length.offset + length.size { chain.end = [] }
    // By chance a frame leads to a start byte as often as other bytes have its value.
    let others = max(0, starts - frames.count)
    let share = max(1.0 / 256, Double(others) / Double(max(1, bytes.count - frames.count)))
    let different = Double(sizes.count - 1) * 8
    chain.bits = min(60, min(Double(frames.count - 1) * -Evidence.log2(share), different + 24) - 16)
    chain.bits -= Double(lost * 40) / Double(bytes.count) + 4 * Double(gaps) - 10 * Double(aligned) / Double(frames.count)
    return chain.bits >= 12 ? chain : nil
  }

  /// Cuts bytes into frames, each of which must end with `end`, or where there is none must be followed by the start of the next frame. Where no frame
  /// begins, the search continues at the next start. Returns the number of bytes that belong to no frame, without a last frame that the end cuts.
  static func walk(
    _ bytes: ArraySlice<UInt8>, _ length: LengthFinding, _ start: [UInt8], _ end: [UInt8], _ frame: (ArraySlice<UInt8>) -> Void
  ) -> Int {
    guard let first = start.first else { return bytes.count }
    var lost = 0
    // Bytes from the first start behind the last frame whose length goes beyond the end.
    var cut = 0
    var at = bytes.startIndex
    while at < bytes.endIndex {
      let rest = bytes[at...]
      if rest.starts(with: start), let value = rest.number(length.offset, length.size, length.endian), value < 1 << 20 {
        let size = Int(value) + length.adds
        if size >= length.offset + length.size, size <= rest.count {
          let behind = rest.dropFirst(size)
          let piece = rest.prefix(size)
          if behind.isEmpty || (end.isEmpty ? behind.first == first : piece.suffix(end.count).elementsEqual(end)) {
            frame(piece)
            at += size
            cut = 0
            continue
          }
        } else if cut == 0, size > rest.count, size <= longestFrame {
          cut = rest.count
        }
      }
      let next = rest.dropFirst().firstIndex(of: first) ?? bytes.endIndex
      lost += next - at
      at = next
    }
    return lost - cut
  }

  // MARK: Frames of one size

  /// Least number of frames, in all values, that are not the first of their value: only these show that values consist of several.
  private static let minimumFurther = 6

  /// The size of the frames of which values consist: some values have several frames. The checksum that was found in the first frame of each value
  /// must be right in the others, too.
  static func frameSize(_ stream: ValueStream, _ check: CheckFinding?, limit: Int) -> Int? {
    guard let checksum = check?.checksum, checksum.position >= 0 else { return nil }
    let size = checksum.position + checksum.storedCount
    guard size >= 3, let range = checksum.coverage.first, let to = range.to, range.from >= 0, to >= 0, to <= size else { return nil }
    var stored = Set<UInt64>()
    var (further, right) = (0, 0)
    for index in 0..<min(stream.count, limit) {
      let value = stream.value(index)
      guard value.count.isMultiple(of: size) else { return nil }
      var rest = value.dropFirst(size)
      while !rest.isEmpty {
        further += 1
        let frame = rest.prefix(size)
        if checksum.verify(frame.rawSpan).isCorrect {
          right += 1
          if let value = checksum.storedValue(in: frame.rawSpan) { stored.insert(UInt64(truncatingIfNeeded: value)) }
        }
        rest = rest.dropFirst(size)
      }
    }
    return further >= minimumFurther && right * 100 >= further * 98 && stored.count >= 2 ? size : nil
  }

  // MARK: Frames in values of one size

  /// Least share of values, in percent, whose last byte before the zeros is the last one of the frame. In the others the frame itself ends with a
  /// zero: of checksums one in 256 is zero.
  private static let minimumExact = 90

  /// The length field of frames that zeros fill up to the size of their value, where all values have one size; nil where there is none.
  static func padded(_ stream: ValueStream, limit: Int) -> LengthFinding? {
    let values = (0..<min(stream.count, limit)).map { stream.value($0) }
    guard values.count >= 6, let full = values.first?.count, full >= 6, values.allSatisfy({ $0.count == full }) else { return nil }
    // Bytes of each value without the zeros at its end.
    let used = values.map { value in full - value.reversed().prefix { $0 == 0 }.count }
    let distinct = CheckDetector.different(values, values.count)
    guard distinct.count >= 6, Set(used).count >= 4, used.count(where: { $0 < full }) * 2 >= used.count else { return nil }
    var best: (length: LengthFinding, bits: Double)?
    for offset in 0..<min(8, full - 1) {
      for (size, endian) in [(1, ByteOrder.little), (2, .big), (2, .little)] where offset + size < full {
        var counts: [Int: Int] = [:]
        for (value, used) in zip(values, used) {
          guard let number = value.number(offset, size, endian), number <= full else { continue }
          counts[used - Int(number), default: 0] += 1
        }
        guard let most = counts.max(by: { ($0.value, $1.key) < ($1.value, $0.key) }), most.value * 100 >= values.count * minimumExact else {
          continue
        }
        let adds = most.key
        guard adds == 0 || adds >= offset + size && adds <= offset + size + maxUncounted else { continue }
        var lengths = Set<Int>()
        let areRight = zip(values, used).allSatisfy { value, used in
          guard let number = value.number(offset, size, endian), number <= full else { return false }
          let announced = Int(number) + adds
          if announced == used { lengths.insert(announced) }
          return announced >= used && announced <= full && announced >= offset + size
        }
        guard areRight, lengths.count >= 4 else { continue }
        // A number of one byte is preferred: the zero in front of it can be another field.
        let bits = 8 * Double(lengths.count - 1) - 12 - (size == 1 ? 0 : 1) - 0.1 * Double(offset)
        guard bits >= 10, best.map({ $0.bits < bits }) ?? true else { continue }
        let length = LengthFinding(
          offset: offset, size: size, endian: endian, adds: adds, lengths: lengths.count, holds: values.count, of: values.count,
          confidence: Evidence.confidence(bits: bits))
        best = (length, bits)
      }
    }
    return best?.length
  }
}
