@_spi(Pipeline) import Analysis
import Conversations

/// Learns which bytes and fields of values vary within one capture, so that differences in them between captures are ignored.
///
/// - Values from a device (reads, notifications, indications, incoming data) vary if the good capture has two distinct ones among three or more, or
///   the bad one has three among four or more.
/// - Requests (writes, outgoing data) vary only if nearly every one of four or more is different: counters, times, nonces. An opcode, which also has
///   many values, recurs.
struct Variation {
  /// Bytes of values of a key and length, by position.
  private var bytes: [UInt64: Positions] = [:]
  /// Fields by key and path.
  private var fields: [UInt64: Values] = [:]
  /// Complete values by key.
  private var wholes: [Int32: Values] = [:]
  private var lengths: [Int32: Values] = [:]

  /// Most different pairs of key and length, or key and path.
  private static let maxCount = 2048

  /// The values of a byte or field.
  private struct Values {
    var count = 0
    var distinct: Set<UInt64> = []
    var badCount = 0
    var badDistinct: Set<UInt64> = []

    mutating func add(_ value: UInt64, _ times: Int, isGood: Bool) {
      if isGood {
        count += times
        if distinct.count < 128 { distinct.insert(value) }
      } else {
        badCount += times
        if badDistinct.count < 128 { badDistinct.insert(value) }
      }
    }

    func varies(isResponse: Bool) -> Bool {
      Self.varies(isResponse, (count, distinct.count), (badCount, badDistinct.count))
    }

    /// Whether these numbers of values, and of distinct values, in the good and in the bad capture mean that the values vary.
    static func varies(_ isResponse: Bool, _ good: (count: Int, distinct: Int), _ bad: (count: Int, distinct: Int)) -> Bool {
      if isResponse { return good.count >= 3 && good.distinct >= 2 || bad.count >= 4 && bad.distinct >= 3 }
      return isAlwaysOther(good.count, good.distinct) || isAlwaysOther(bad.count, bad.distinct)
    }

    private static func isAlwaysOther(_ count: Int, _ distinct: Int) -> Bool {
      count >= 4 && distinct * 10 >= min(count, 100) * 8
    }
  }

  /// The bytes of values of one key and length: the set of values at each position.
  private struct Positions {
    var count = 0, badCount = 0
    var seen: [SIMD4<UInt64>], badSeen: [SIMD4<UInt64>]

    init(_ count: Int) {
      seen = [SIMD4<UInt64>](repeating: .zero, count: count)
      badSeen = seen
    }

    mutating func add(_ bytes: borrowing Span<UInt8>, _ times: Int, isGood: Bool) {
      if isGood { count += times } else { badCount += times }
      for position in 0..<min(bytes.count, seen.count) {
        let byte = bytes[position]
        if isGood {
          seen[position][Int(byte >> 6)] |= 1 << UInt64(byte & 63)
        } else {
          badSeen[position][Int(byte >> 6)] |= 1 << UInt64(byte & 63)
        }
      }
    }

    /// Positions that vary, as bits.
    func varying(isResponse: Bool) -> UInt64 {
      let bits: UInt64 = (0..<min(seen.count, 64)).reduce(0) { varies($1, isResponse: isResponse) ? $0 | 1 << UInt64($1) : $0 }
      // Random bytes can repeat: a position between two that vary, and that mostly differs, too, counts as varying.
      return (1..<max(1, min(seen.count, 64) - 1)).reduce(bits) { all, position in
        let neighbours = bits >> UInt64(position - 1) & 1 & bits >> UInt64(position + 1)
        let isMostlyOther =
          count >= 4 && 2 * Self.count(seen[position]) > min(count, 100)
          || badCount >= 4 && 2 * Self.count(badSeen[position]) > min(badCount, 100)
        return neighbours == 1 && isMostlyOther ? all | 1 << UInt64(position) : all
      }
    }

    private func varies(_ position: Int, isResponse: Bool) -> Bool {
      Values.varies(isResponse, (count, Self.count(seen[position])), (badCount, Self.count(badSeen[position])))
    }

    private static func count(_ bits: SIMD4<UInt64>) -> Int { (0..<4).reduce(0) { $0 + bits[$1].nonzeroBitCount } }
  }

  /// Adds all values of a recording.
  mutating func learn(_ recording: Recording, _ keys: [Int32], isGood: Bool) {
    // Equal values or messages are parsed once.
    var positions: [UInt64: Int] = [:]
    var contents: [(key: Int32, content: Int32, isMessage: Bool, times: Int)] = []
    for (index, step) in recording.steps.enumerated() {
      let isMessage = step.message >= 0
      let content = isMessage ? step.message : step.value
      guard content >= 0 else { continue }
      let key = UInt64(UInt32(bitPattern: keys[index])) << 32 | UInt64(UInt32(bitPattern: content))
      if let known = positions[key] {
        contents[known].times += 1
      } else {
        positions[key] = contents.count
        contents.append((keys[index], content, isMessage, 1))
      }
    }
    positions = [:]
    for content in contents {
      wholes[content.key, default: Values()].add(UInt64(UInt32(bitPattern: content.content)), content.times, isGood: isGood)
      recording.pool.with(content.content) { bytes in
        if content.isMessage {
          MessageRecord.visit(bytes) { piece, _ in
            if case .field(let path, let value, _) = piece { add(field: path, of: content.key, value, content.times, isGood: isGood) }
          }
        } else {
          let count = max(bytes.count - 12, 0)
          lengths[content.key, default: Values()].add(StepHash.of(bytes.extracting(8..<12)), content.times, isGood: isGood)
          let lengthKey = Self.key(content.key, UInt64(count))
          guard self.bytes[lengthKey] != nil || self.bytes.count < Self.maxCount else { return }
          self.bytes[lengthKey, default: Positions(count)].add(bytes.extracting(12..<bytes.count), content.times, isGood: isGood)
        }
      }
    }
  }

  private mutating func add(field path: UInt64, of key: Int32, _ value: UInt64, _ times: Int, isGood: Bool) {
    let fieldKey = Self.key(key, path)
    guard fields.count < Self.maxCount * 8 || fields[fieldKey] != nil else { return }
    fields[fieldKey, default: Values()].add(value, times, isGood: isGood)
  }

  private static func key(_ key: Int32, _ detail: UInt64) -> UInt64 {
    var hash = StepHash()
    hash.add(key)
    hash.add(detail)
    return hash.value
  }

  // MARK: What was learned

  /// Values of this key are a stream of ever changing ones, whose order is not compared.
  func isStream(_ key: Int32, _ shape: StepKeys.Shape) -> Bool {
    guard shape.isResponse, let values = wholes[key] else { return false }
    return values.count >= 8 && values.distinct.count >= max(3, min(values.count, 128) / 4)
      || values.badCount >= 8 && values.badDistinct.count >= max(3, min(values.badCount, 128) / 4)
  }

  /// Whether a field varies. Its path is that of ``MessageRecord/path(_:of:)``.
  func varies(_ path: UInt64, _ key: Int32, _ shape: StepKeys.Shape) -> Bool {
    guard let values = fields[Self.key(key, path)] else { return false }
    return values.varies(isResponse: shape.isResponse)
  }

  /// Whether a field is optional: elements of lists of varying length, fields that a device sends only sometimes.
  func isOptional(_ path: UInt64, _ key: Int32, _ shape: StepKeys.Shape) -> Bool {
    guard shape.isResponse, let all = wholes[key], all.count >= 3, let values = fields[Self.key(key, path)] else { return false }
    return values.count > 0 && values.count < all.count
  }

  /// Whether the length of values varies.
  func lengthVaries(_ key: Int32, _ shape: StepKeys.Shape) -> Bool {
    guard shape.isResponse, let values = lengths[key] else { return false }
    return values.count >= 6 && values.distinct.count >= 3
  }

  /// The positions that vary in values of `count` kept bytes, as bits.
  func varying(of count: Int, _ key: Int32, _ shape: StepKeys.Shape) -> UInt64 {
    bytes[Self.key(key, UInt64(count))]?.varying(isResponse: shape.isResponse) ?? 0
  }
}
