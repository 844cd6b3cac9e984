import Conversations
import Memory
import Profiles
import Analysis

/// A characteristic, descriptor, advertisement or channel that messages went over.
public struct ReportSource: Sendable {
  /// Its name: that of the profile, else the name or number of its UUID.
  public var name = ""
  /// Its UUID; empty where it is not known or the source is no attribute.
  public var uuid = ""
  /// Handle of the attribute, 0 where the source is no attribute.
  public var handle: UInt16 = 0
  /// UUID and name of its service; empty where unknown.
  public var service = "", serviceName = ""
  /// Properties of the characteristic (Core, Vol 3, Part G, 3.3.1.1).
  public var properties: UInt8 = 0
  /// The profile that knows it, its id and title; nil where none does.
  public var profile: (id: String, title: String)?
  /// Whether it is on this host's server.
  public var isLocal = false
  /// Index into ``ConversationTables/attributes`` of the first attribute of this kind, or -1.
  public var attribute: Int32 = -1
  /// The kinds of messages that went over it, indices into ``Report/kinds``, the most frequent first.
  public internal(set) var kinds: [Int] = []
}

/// One position in the bytes of a kind of message.
public struct ReportColumn: Sendable {
  /// Messages that have this byte.
  public internal(set) var count = 0
  /// The last value.
  var last: UInt8 = 0
  /// One bit for each value that was seen.
  var seen: (UInt64, UInt64, UInt64, UInt64) = (0, 0, 0, 0)
  /// How often it was one more than in the previous message.
  var steps = 0
  /// The difference between the message's length and this byte, as long as it is constant.
  var toLength: Int?
  var isLength = true

  /// Number of distinct values.
  public var distinct: Int { seen.0.nonzeroBitCount + seen.1.nonzeroBitCount + seen.2.nonzeroBitCount + seen.3.nonzeroBitCount }
  /// The values that were seen, in rising order.
  public var values: [UInt8] {
    (0...255).compactMap { value in
      let word = [seen.0, seen.1, seen.2, seen.3][value / 64]
      return word >> UInt64(value % 64) & 1 == 1 ? UInt8(value) : nil
    }
  }
  /// It is a counter: it increases by one with nearly each message.
  public var isCounter: Bool { count >= 5 && distinct > 3 && steps * 10 >= (count - 1) * 9 }

  @inline(__always)
  mutating func add(_ byte: UInt8, length: Int) {
    if count > 0, byte == last &+ 1 { steps += 1 }
    count += 1
    last = byte
    let bit: UInt64 = 1 << UInt64(byte & 63)
    switch byte >> 6 {
    case 0: seen.0 |= bit
    case 1: seen.1 |= bit
    case 2: seen.2 |= bit
    default: seen.3 |= bit
    }
    guard isLength else { return }
    let rest = length - Int(byte)
    if let toLength { isLength = toLength == rest } else { toLength = rest }
  }

  mutating func join(_ other: ReportColumn) {
    count += other.count
    steps += other.steps
    seen = (seen.0 | other.seen.0, seen.1 | other.seen.1, seen.2 | other.seen.2, seen.3 | other.seen.3)
    isLength = isLength && other.isLength && toLength == other.toLength
  }
}

/// The signatures of layouts in the order of their first occurrence.
final class ReportLayoutSignatures {
  private var bytes: [UInt8] = []
  /// End offset and hash of each.
  private var entries: [(end: Int, hash: UInt64)] = []
  /// A hash table of entry indices plus one; 0 for an empty slot.
  private var slots = [Int32](repeating: 0, count: 1024)
  private let key = HashKey()

  /// The number of a signature, nil where it was not added.
  func number(of signature: BorrowedBytes) -> Int? {
    let hash = signature.hash(key: key)
    var index = Int(truncatingIfNeeded: hash) & (slots.count - 1)
    while slots[index] > 0 {
      let number = Int(slots[index]) - 1
      if entries[number].hash == hash, holds(signature, number) { return number }
      index = (index + 1) & (slots.count - 1)
    }
    return nil
  }

  private func holds(_ signature: BorrowedBytes, _ number: Int) -> Bool {
    let start = number == 0 ? 0 : entries[number - 1].end
    guard entries[number].end - start == signature.count else { return false }
    return bytes.withBorrowedBytes { $0.part(start..<start + signature.count).isEqual(to: signature) }
  }

  /// Adds a new signature.
  func add(_ signature: BorrowedBytes) {
    bytes.append(contentsOf: signature)
    entries.append((bytes.count, signature.hash(key: key)))
    if entries.count * 2 > slots.count {
      slots = [Int32](repeating: 0, count: 2 * slots.count)
      for number in entries.indices { put(number) }
    } else {
      put(entries.count - 1)
    }
  }

  private func put(_ number: Int) {
    var index = Int(truncatingIfNeeded: entries[number].hash) & (slots.count - 1)
    while slots[index] > 0 { index = (index + 1) & (slots.count - 1) }
    slots[index] = Int32(truncatingIfNeeded: number + 1)
  }
}

/// Values of one field of a kind of message.
public struct ReportFieldStatistics: Sendable {
  /// Path of the field, as in ``ReportLayout/Field/path``.
  public let path: String
  /// Its unit, or empty.
  public let unit: String
  /// Number of occurrences.
  public internal(set) var count = 0
  /// Values and their counts; at most ``maximum``, later new values are dropped.
  public internal(set) var values: [(bytes: [UInt8], count: Int)] = []
  /// Hashes of the values, for look-ups.
  var hashes: [UInt64] = []
  /// There are more values than ``values`` has.
  public internal(set) var hasMore = false
  /// The numbers over time, a series for each peer, at most eight.
  public internal(set) var series: [ReportSeries] = []
  /// Whether its values are numbers.
  public internal(set) var isNumeric = false
  /// Whether it is hidden in overviews.
  public let isHidden: Bool
  let isSecret: Bool

  /// Most distinct values.
  public static let maximum = 24

  init(_ field: ReportLayout.Field) {
    path = field.path
    unit = field.unit
    isSecret = field.isSecret
    isHidden = field.isHidden
  }

  /// The index of a value with its hash; nil where it is not listed.
  func index(of value: BorrowedBytes, _ hash: UInt64) -> Int? {
    for index in hashes.indices where hashes[index] == hash {
      if values[index].bytes.withBorrowedBytes({ $0.isEqual(to: value) }) { return index }
    }
    return nil
  }

  /// Its name for a heading: the name that an id gives to it, else its path.
  public var title: String {
    guard path.hasSuffix("}.value"), let open = path.lastIndex(of: "{") else { return path }
    return String(path[path.index(after: open)...].dropLast("}.value".count))
  }
}

/// Messages of one kind over one source in one direction.
public struct ReportKind: Sendable {
  /// Index into ``Report/sources``.
  public let source: Int
  /// The operation that carries it.
  public let direction: Profiles.ValueDirection
  /// The message's id in the profile followed by the name of its first field's value (`query · get status values`); nil where no profile knows it.
  public var name: String?
  /// Where no profile knows it: the first byte that all messages have in common; nil where there were too many first bytes.
  public internal(set) var firstByte: UInt8?
  /// Number of messages.
  public internal(set) var count = 0
  /// Number of messages with missing fragments, with a wrong checksum, and not decoded to their end.
  public internal(set) var incomplete = 0, badChecksums = 0, notUnderstood = 0
  /// Number of requests that expect a response, and of those with a response.
  public internal(set) var requests = 0, answered = 0
  /// Bytes of all messages, of the shortest and of the longest.
  public internal(set) var bytes = 0, shortest = Int.max, longest = 0
  /// How often each length occurred, for the first sixteen lengths.
  public internal(set) var lengths: [(length: Int, count: Int)] = []
  /// Time of the first and the last, µs since 1970.
  public internal(set) var first: Int64 = 0, last: Int64 = 0
  /// The first ``Report/columns`` positions.
  public internal(set) var columns: [ReportColumn] = []
  /// The fields in the order of their first occurrence.
  public internal(set) var fields: [ReportFieldStatistics] = []
  /// Index in ``fields`` of each path.
  var indices: [String: Int] = [:]
  /// The first complete message; else the first message.
  public internal(set) var example: ReportMessage?
  /// Messages whose last byte is the exclusive-or, or the sum, of all bytes before it.
  var xors = 0, sums = 0
  /// The layout of the last message, index into ``Report/layouts``, or -1.
  var lastLayout = -1
  /// It was joined with another kind.
  var isRemoved = false

  init(source: Int, direction: Profiles.ValueDirection, name: String?) {
    self.source = source
    self.direction = direction
    self.name = name
  }

  /// How the last byte is computed from the bytes before it, where this holds for all of several different messages.
  public var trailingCheck: String? {
    guard count >= 4, shortest >= 3, let last = columns.last, longest > Report.columns || last.distinct > 2 || shortest != longest else {
      return nil
    }
    return xors == count ? "exclusive-or of all bytes before it" : sums == count ? "sum of all bytes before it" : nil
  }

  mutating func count(_ message: ReportMessage, _ bytes: BorrowedBytes) {
    if count == 0 { first = message.time }
    last = message.time
    count += 1
    if message.flags.contains(.incomplete) { incomplete += 1 }
    if message.flags.contains(.badChecksum) { badChecksums += 1 }
    if message.flags.contains(.notUnderstood) { notUnderstood += 1 }
    if message.flags.contains(.request) { requests += 1 }
    let length = message.payloadCount
    self.bytes += length
    shortest = min(shortest, length)
    longest = max(longest, length)
    count(length: length, 1)
    while columns.count < min(length, Report.columns) { columns.append(ReportColumn()) }
    var span = columns.mutableSpan
    for at in 0..<min(bytes.count, span.count) { span[at].add(bytes[at], length: length) }
    if name == nil, bytes.count >= 3, bytes.count <= 512, let check = bytes.last {
      var xor: UInt8 = 0
      var sum: UInt8 = 0
      for at in 0..<bytes.count - 1 {
        xor ^= bytes[at]
        sum &+= bytes[at]
      }
      if xor == check { xors += 1 }
      if sum == check { sums += 1 }
    }
  }

  private mutating func count(length: Int, _ times: Int) {
    if let index = lengths.firstIndex(where: { $0.length == length }) {
      lengths[index].count += times
    } else if lengths.count < 16 {
      lengths.append((length, times))
    }
  }

  /// Whether a message with flags is a better example: the first one, and the first complete one after it.
  func wantsExample(_ message: ReportMessage.Flags) -> Bool {
    // The flags alone: a copy of the example would retain each of its parts.
    guard let flags = example?.flags else { return true }
    return flags.contains(.incomplete) && !message.contains(.incomplete)
  }

  /// Adds the counts of a kind that is joined with this one.
  mutating func join(_ other: ReportKind) {
    if let example, let theirs = other.example, theirs.frame < example.frame { self.example = theirs }
    first = min(first, other.first)
    last = max(last, other.last)
    count += other.count
    incomplete += other.incomplete
    bytes += other.bytes
    shortest = min(shortest, other.shortest)
    longest = max(longest, other.longest)
    for (length, times) in other.lengths { count(length: length, times) }
    while columns.count < other.columns.count { columns.append(ReportColumn()) }
    for (at, column) in other.columns.enumerated() { columns[at].join(column) }
    xors += other.xors
    sums += other.sums
  }
}

/// A kind of message and the kind that answers it.
public struct ReportExchange: Sendable {
  /// Kinds of the request and the answer, indices into ``Report/kinds``.
  public internal(set) var request: Int, answer: Int
  /// Number of occurrences.
  public internal(set) var count = 0
  /// Whether the pair is only inferred from the order of messages, without a profile.
  public let isGuessed: Bool
  /// The first 512 latencies in µs.
  public internal(set) var latencies: [Int64] = []
  /// The slowest in µs.
  public internal(set) var slowest: Int64 = 0
  /// Frames of the first request and its answer.
  public let example: (request: Int, answer: Int)

  /// Median of the latencies in µs, or nil.
  public var median: Int64? { latencies.isEmpty ? nil : latencies.sorted()[latencies.count / 2] }
}
