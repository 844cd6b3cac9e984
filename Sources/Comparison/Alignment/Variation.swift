@_spi(Pipeline) import Analysis
import Conversations

/// Learns which bytes and fields of values vary within one capture, so that they tell nothing where two captures differ in them.
///
/// - What a device answers or reports (reads, notifications, indications, incoming data) varies where the good capture has two values of it, of
///   three or more; or where the bad one has three, of four or more.
/// - What is asked for (writes, outgoing data) varies only where nearly every one of four or more is another: counters, times, nonces. An opcode,
///   which also has many values, comes again.
struct Variation {
  /// Bytes of values of a key and length, by position.
  private var bytes: [UInt64: Positions] = [:]
  /// Fields by key and path.
  private var fields: [UInt64: Values] = [:]
  /// Whole values by key.
  private var wholes: [Int32: Values] = [:]
  private var lengths: [Int32: Values] = [:]

  /// Most different pairs of key and length, or key and path.
  private static let most = 2048

  /// Values seen at a place.
  private struct Values {
    var count = 0
    var distinct: Set<UInt64> = []
    var badCount = 0
    var badDistinct: Set<UInt64> = []
    /// It varied from one of several good captures to the next.
    var isFree = false

    mutating func add(_ value: UInt64, isGood: Bool) {
      if isGood {
        count += 1
        if distinct.count < 128 { distinct.insert(value) }
      } else {
        badCount += 1
        if badDistinct.count < 128 { badDistinct.insert(value) }
      }
    }

    func varies(isAnswer: Bool) -> Bool {
      isFree || Self.varies(isAnswer, (count, distinct.count), (badCount, badDistinct.count))
    }

    /// Whether so many values, and different ones, of the good and of the bad capture are those of something that varies.
    static func varies(_ isAnswer: Bool, _ good: (count: Int, distinct: Int), _ bad: (count: Int, distinct: Int)) -> Bool {
      if isAnswer { return good.count >= 3 && good.distinct >= 2 || bad.count >= 4 && bad.distinct >= 3 }
      return isAlwaysOther(good.count, good.distinct) || isAlwaysOther(bad.count, bad.distinct)
    }

    private static func isAlwaysOther(_ count: Int, _ distinct: Int) -> Bool {
      count >= 4 && distinct * 10 >= min(count, 100) * 8
    }
  }

  /// The bytes of values of one key and length: which of the 256 came at each position.
  private struct Positions {
    var count = 0, badCount = 0
    var seen: [SIMD4<UInt64>], badSeen: [SIMD4<UInt64>]
    var isFree: Set<Int> = []

    init(_ count: Int) {
      seen = [SIMD4<UInt64>](repeating: .zero, count: count)
      badSeen = seen
    }

    mutating func add(_ bytes: ArraySlice<UInt8>, isGood: Bool) {
      if isGood { count += 1 } else { badCount += 1 }
      var position = 0
      for byte in bytes where position < seen.count {
        if isGood {
          seen[position][Int(byte >> 6)] |= 1 << UInt64(byte & 63)
        } else {
          badSeen[position][Int(byte >> 6)] |= 1 << UInt64(byte & 63)
        }
        position += 1
      }
    }

    func varies(_ position: Int, isAnswer: Bool) -> Bool {
      guard position < seen.count else { return false }
      return isFree.contains(position)
        || Values.varies(isAnswer, (count, Self.count(seen[position])), (badCount, Self.count(badSeen[position])))
    }

    private static func count(_ bits: SIMD4<UInt64>) -> Int { (0..<4).reduce(0) { $0 + bits[$1].nonzeroBitCount } }
  }

  /// Takes in all values of a recording.
  mutating func learn(_ recording: Recording, _ keys: [Int32], isGood: Bool) {
    // The same message comes many times: its fields are taken apart once.
    var known: [Int32: [(path: UInt64, value: UInt64)]] = [:]
    for (index, step) in recording.steps.enumerated() {
      let key = keys[index]
      if step.message >= 0 {
        if known[step.message] == nil {
          if known.count >= 4096 { known.removeAll() }
          known[step.message] = Self.fields(of: recording.pool[step.message])
        }
        for field in known[step.message] ?? [] { add(field: field.path, of: key, field.value, isGood: isGood) }
        wholes[key, default: Values()].add(UInt64(UInt32(bitPattern: step.message)), isGood: isGood)
      } else if step.value >= 0 {
        let value = recording.pool[step.value]
        let count = value.count - 12
        wholes[key, default: Values()].add(UInt64(UInt32(bitPattern: step.value)), isGood: isGood)
        lengths[key, default: Values()].add(StepHash.of(value.dropFirst(8).prefix(4)), isGood: isGood)
        let place = Self.place(key, UInt64(count))
        if bytes[place] == nil {
          guard bytes.count < Self.most else { continue }
          bytes[place] = Positions(max(count, 0))
        }
        bytes[place]?.add(value.dropFirst(12), isGood: isGood)
      }
    }
  }

  private mutating func add(field path: UInt64, of key: Int32, _ value: UInt64, isGood: Bool) {
    let place = Self.place(key, path)
    guard fields[place] != nil || fields.count < Self.most * 8 else { return }
    fields[place, default: Values()].add(value, isGood: isGood)
  }

  private static func fields(of bytes: ArraySlice<UInt8>) -> [(path: UInt64, value: UInt64)] {
    MessageRecord.all(bytes).flatMap { record in
      record.fields.map { (Self.path($0.path, of: record.name), StepHash.of($0.value.utf8)) }
    }
  }

  private static func path(_ path: String, of message: String) -> UInt64 {
    var hash = StepHash()
    hash.add(bytes: message.utf8)
    hash.add(bytes: path.utf8)
    return hash.value
  }

  private static func place(_ key: Int32, _ detail: UInt64) -> UInt64 {
    var hash = StepHash()
    hash.add(key)
    hash.add(detail)
    return hash.value
  }

  // MARK: What was learned

  /// Values of this key come in a stream of ever other ones: their order tells nothing.
  func isStream(_ key: Int32, _ shape: StepKeys.Shape) -> Bool {
    guard shape.isAnswer, let values = wholes[key] else { return false }
    return values.count >= 8 && values.distinct.count >= max(3, min(values.count, 128) / 4)
      || values.badCount >= 8 && values.badDistinct.count >= max(3, min(values.badCount, 128) / 4)
  }

  /// Whether a field tells nothing.
  func varies(_ path: String, of message: String, _ key: Int32, _ shape: StepKeys.Shape) -> Bool {
    guard let values = fields[Self.place(key, Self.path(path, of: message))] else { return false }
    return values.varies(isAnswer: shape.isAnswer)
  }

  /// Whether a field is not always there: how many elements a list has, what a device chose to tell.
  func isOptional(_ path: String, of message: String, _ key: Int32, _ shape: StepKeys.Shape) -> Bool {
    guard shape.isAnswer, let all = wholes[key], all.count >= 3,
      let values = fields[Self.place(key, Self.path(path, of: message))]
    else { return false }
    return values.isFree || values.count > 0 && values.count < all.count
  }

  /// How many bytes a value has tells nothing.
  func lengthVaries(_ key: Int32, _ shape: StepKeys.Shape) -> Bool {
    guard shape.isAnswer, let values = lengths[key] else { return lengths[key]?.isFree ?? false }
    return values.isFree || values.count >= 6 && values.distinct.count >= 3
  }

  /// Whether the byte at a position of a value of so many kept bytes tells nothing.
  func varies(_ position: Int, of count: Int, _ key: Int32, _ shape: StepKeys.Shape) -> Bool {
    bytes[Self.place(key, UInt64(count))]?.varies(position, isAnswer: shape.isAnswer) ?? false
  }

  /// From now on a field tells nothing: good captures differ in it.
  mutating func free(_ path: String, of message: String, _ key: Int32) {
    fields[Self.place(key, Self.path(path, of: message)), default: Values()].isFree = true
  }

  /// The same of bytes at positions of a value.
  mutating func free(_ positions: Range<Int>, of count: Int, _ key: Int32) {
    bytes[Self.place(key, UInt64(count))]?.isFree.formUnion(positions)
  }

  /// The same of the length.
  mutating func freeLength(_ key: Int32) { lengths[key, default: Values()].isFree = true }
}
