import PacketCodecs

/// Finds a CRC with unknown parameters that follows the bytes it covers: the polynomial, the initial value, the final XOR, the reflection and the
/// byte order.
///
/// The difference of two messages of one length, each followed by its CRC, is a multiple of the polynomial for any initial value and final XOR: the
/// polynomial is the common divisor of all differences. Initial value and final XOR follow from messages of two lengths.
enum ParametricCRC {
  /// Most messages that are used; messages that are longer than this number of bytes are left out.
  private static let maxMessages = 80
  private static let maxMessageBytes = 96
  /// The cost of a search in the unit of ``CheckBudget``: a common divisor of two differences for each width, position, byte order and direction.
  static func cost(_ distinct: [ArraySlice<UInt8>]) -> Int {
    let size = distinct.lazy.map(\.count).filter { $0 <= maxMessageBytes }.prefix(maxMessages).max() ?? 0
    return 360 * size * size
  }
  /// Least number of messages, and of differences between messages, that have a common divisor.
  private static let minimumFrames = 6
  /// The numbers of bytes at the start of a message that are tried as those the CRC does not cover.
  private static let heads = 0...4

  /// The CRC of different frames; nil where there is none.
  static func find(_ distinct: [ArraySlice<UInt8>]) -> Checksum? {
    let frames = Array(distinct.filter { $0.count >= 4 && $0.count <= maxMessageBytes }.prefix(maxMessages))
    guard frames.count >= minimumFrames, let shortest = frames.map(\.count).min(), shortest >= 4 else { return nil }
    let pairs = pairs(frames)
    guard pairs.count >= minimumFrames else { return nil }
    var foot = 0
    while foot < 2, let last = frames.first?.dropLast(foot).last, frames.allSatisfy({ $0.dropLast(foot).last == last }) { foot += 1 }
    for width in [16, 8, 32] {
      let bytes = width / 8
      for tail in 0...foot where shortest > bytes + tail + 1 {
        // Bytes that never change are no checksum.
        guard (0..<bytes).allSatisfy({ index in pairs.contains { $0.differs(fromEnd: tail + index) } }) else { continue }
        // Bytes that repeat another byte of the frame are no checksum either.
        guard !(0..<bytes).contains(where: { isCopy($0 + tail, frames, shortest, bytes + tail) }) else { continue }
        for isReflected in [false, true] {
          for order in bytes == 1 ? [ByteOrder.big] : ByteOrder.allCases {
            for head in heads where head + bytes + tail < shortest {
              guard let polynomial = polynomial(pairs, width, head, tail, isReflected, order) else { continue }
              if let found = solved(frames, width, polynomial, head, tail, isReflected, order) { return found }
            }
          }
        }
      }
    }
    return nil
  }

  /// Whether a byte, counted from the end, is a copy of another byte in all frames.
  private static func isCopy(_ offset: Int, _ frames: [ArraySlice<UInt8>], _ shortest: Int, _ tail: Int) -> Bool {
    func same(_ other: (ArraySlice<UInt8>) -> Int) -> Bool {
      frames.allSatisfy { $0[$0.endIndex - 1 - offset] == $0[other($0)] }
    }
    return (0..<(shortest - tail)).contains { column in
      same { $0.startIndex + column } || same { $0.endIndex - 1 - tail - column }
    }
  }

  // MARK: The polynomial

  /// Two messages of one length, XORed.
  private struct Pair {
    var bytes: [UInt8]

    func differs(fromEnd offset: Int) -> Bool { bytes[bytes.count - 1 - offset] != 0 }
  }

  private static func pairs(_ frames: [ArraySlice<UInt8>]) -> [Pair] {
    var first: [Int: ArraySlice<UInt8>] = [:]
    var pairs: [Pair] = []
    for frame in frames {
      if let other = first[frame.count] {
        pairs.append(Pair(bytes: zip(frame, other).map { $0 ^ $1 }))
      } else {
        first[frame.count] = frame
      }
    }
    return pairs
  }

  /// The common divisor of all differences without its highest term, if it has degree `width`.
  private static func polynomial(
    _ pairs: [Pair], _ width: Int, _ head: Int, _ tail: Int, _ isReflected: Bool, _ order: ByteOrder
  ) -> UInt64? {
    let bytes = width / 8
    var common: [UInt64] = []
    var moving = Set<Int>()
    for pair in pairs {
      var body = Array(pair.bytes[head..<(pair.bytes.count - tail)])
      // A CRC that is not reflected continues with its high byte, a reflected one with its low byte.
      if (order == .little) != isReflected { body[(body.count - bytes)...].reverse() }
      if isReflected { for index in body.indices { body[index] = reversed(body[index]) } }
      for index in 0..<(body.count - bytes) where body[index] != 0 { moving.insert(body.count - index) }
      common = greatest(common, number(body))
      if degree(common) < width { return nil }
    }
    // If fewer bytes change, a copy of them would be a CRC, too.
    guard moving.count > bytes + 1, degree(common) == width, common[0] & 1 == 1 else { return nil }
    let low = common[0] & (width == 64 ? .max : (1 << UInt64(width)) - 1)
    // An XOR of complete bytes gives a polynomial with terms at byte boundaries only.
    guard low & 0xfefe_fefe_fefe_fefe != 0 else { return nil }
    return low
  }

  private static func reversed(_ byte: UInt8) -> UInt8 {
    var value: UInt8 = 0
    for bit in 0..<8 where byte >> UInt8(bit) & 1 == 1 { value |= 0x80 >> UInt8(bit) }
    return value
  }

  /// Bytes, the highest first, as a polynomial: bit 0 of the first word is its lowest term.
  private static func number(_ bytes: [UInt8]) -> [UInt64] {
    var words = [UInt64](repeating: 0, count: (bytes.count + 7) / 8)
    for (index, byte) in bytes.reversed().enumerated() { words[index / 8] |= UInt64(byte) << UInt64(8 * (index % 8)) }
    return words
  }

  /// The exponent of the highest term; -1 where there is none.
  private static func degree(_ words: [UInt64]) -> Int {
    for index in words.indices.reversed() where words[index] != 0 { return 64 * index + 63 - words[index].leadingZeroBitCount }
    return -1
  }

  /// The greatest common divisor of two polynomials.
  private static func greatest(_ a: [UInt64], _ b: [UInt64]) -> [UInt64] {
    var (a, b) = (a, b)
    while true {
      let (m, n) = (degree(a), degree(b))
      if n < 0 { return a }
      if m < 0 { return b }
      if m < n {
        swap(&a, &b)
        continue
      }
      let (words, bits) = ((m - n) / 64, UInt64((m - n) % 64))
      for index in 0...(n / 64) {
        a[index + words] ^= b[index] << bits
        if bits > 0, index + words + 1 < a.count { a[index + words + 1] ^= b[index] >> (64 - bits) }
      }
    }
  }

  // MARK: Initial value and final XOR

  private static func solved(
    _ frames: [ArraySlice<UInt8>], _ width: Int, _ polynomial: UInt64, _ head: Int, _ tail: Int, _ isReflected: Bool, _ order: ByteOrder
  ) -> Checksum? {
    let bytes = width / 8
    let mask: UInt64 = (1 << UInt64(width)) - 1
    func checksum(_ initial: UInt64, _ last: UInt64) -> Checksum {
      let parameters = CRCParameters(
        name: "", width: width, polynomial: UInt128(polynomial), initial: UInt128(initial), reflectsInput: isReflected,
        reflectsOutput: isReflected, finalXor: UInt128(last))
      return Checksum(
        ChecksumAlgorithm(CRC(parameters)), over: [ByteRange(from: head, to: -bytes - tail)], at: -bytes - tail, byteOrder: order)
    }
    // The stored value XORed with the CRC for initial value 0 and final XOR 0 depends only on the length.
    let plain = checksum(0, 0)
    var rest: [Int: UInt64] = [:]
    for frame in frames {
      let covered = frame.dropFirst(head).dropLast(bytes + tail)
      let computed = UInt64(truncatingIfNeeded: plain.algorithm.value(of: covered.rawSpan))
      guard let stored = frame.number(frame.count - bytes - tail, bytes, order) else { return nil }
      let difference = (computed ^ stored) & mask
      if let known = rest[covered.count], known != difference { return nil }
      rest[covered.count] = difference
    }
    let lengths = rest.keys.sorted()
    guard let first = lengths.first, let left = rest[first] else { return nil }
    /// The CRC of `count` zeros with an initial value.
    func run(_ initial: UInt64, _ count: Int) -> UInt64 {
      let zeros = [UInt8](repeating: 0, count: count)
      return UInt64(truncatingIfNeeded: checksum(initial, 0).algorithm.value(of: zeros.rawSpan))
    }
    func fits(_ initial: UInt64) -> Bool {
      let last = left ^ run(initial, first)
      return lengths.allSatisfy { run(initial, $0) ^ last == rest[$0] }
    }
    // Common initial values first, with common final XORs.
    let usual = [0, mask].filter(fits)
    if let initial = usual.first(where: { [0, mask].contains(left ^ run($0, first)) }) ?? usual.first {
      return checksum(initial, left ^ run(initial, first))
    }
    guard let second = lengths.dropFirst().first, let other = rest[second] else { return nil }
    // The difference of two lengths is linear in the bits of the initial value: Gaussian elimination finds the bits that give it.
    var rows: [(image: UInt64, start: UInt64)] = []
    for bit in 0..<width {
      let start: UInt64 = 1 << UInt64(bit)
      var row = (image: run(start, first) ^ run(start, second), start: start)
      for known in rows where row.image & top(known.image) != 0 { row = (row.image ^ known.image, row.start ^ known.start) }
      if row.image != 0 { rows.append(row) }
    }
    var wanted = left ^ other
    var initial: UInt64 = 0
    for row in rows where wanted & top(row.image) != 0 {
      wanted ^= row.image
      initial ^= row.start
    }
    guard wanted == 0, fits(initial) else { return nil }
    return checksum(initial, left ^ run(initial, first))
  }

  private static func top(_ value: UInt64) -> UInt64 { value == 0 ? 0 : 1 << UInt64(63 - value.leadingZeroBitCount) }
}
