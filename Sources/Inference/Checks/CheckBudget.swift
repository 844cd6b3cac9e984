import PacketCodecs

/// The budget of the search for checksums in one stream: values can be cut into messages in many ways, each of which is searched, and a search tries
/// all algorithms over all runs of bytes. The unit is a byte passed through an algorithm, so that the result is the same on all machines.
final class CheckBudget {
  /// Largest and smallest budget of a stream.
  static let maximum = 600_000_000, minimum = 2_000_000
  /// The budget of all streams together: half of it is shared in proportion to their expected needs, half of it equally.
  static let ofAll = 3_000_000_000
  /// The same for `summary`, which prints one line for each stream.
  private static let ofAllInBrief = 1_000_000_000

  private var left: Int
  /// The remaining work in the unit of `ChecksumSearchResult.work`. It starts with twice the expected cost: frames with many equal bytes cost more.
  private var work: Int
  /// Searches that were left out because the budget was used up.
  private(set) var leftOut = 0
  /// Results by the messages that were searched: other ways to cut the values into messages often give the same messages.
  private var known: [[[UInt8]]: [ChecksumCandidate]] = [:]

  init(_ left: Int) {
    self.left = left
    work = 2 * left
  }

  /// The budgets of streams in which checksums are looked for.
  static func shared(_ streams: [ValueStream], inBrief: Bool) -> [Int] {
    let ofAll = inBrief ? ofAllInBrief : ofAll
    let needs = streams.map { Double(need($0)) }
    let share = min(1, Double(ofAll / 2) / max(1, needs.reduce(0, +)))
    let alike = ofAll / 2 / max(1, streams.count)
    return needs.map { min(maximum, max(minimum, alike, Int($0 * share))) }
  }

  /// About how many searches are made in a stream in which nothing is found, and of how many values a message consists then.
  private static let searches = 30, valuesPerMessage = 4

  private static func need(_ stream: ValueStream) -> Int {
    let longest = (0..<min(stream.count, FramingDetector.maxValues)).reduce(0) { max($0, stream.size($1)) }
    let size = min(1024, longest * valuesPerMessage)
    return searches * cost([size, size], ChecksumSearch().window)
  }

  /// Searches these messages; nothing is found where the budget is used up.
  func candidates(_ search: ChecksumSearch, _ few: [[UInt8]]) -> [ChecksumCandidate] {
    if let candidates = known[few] { return candidates }
    let shortest = few.sorted { $0.count < $1.count }.prefix(2)
    let cost = Self.cost(shortest.map(\.count), search.window, likeness: shortest.map(Self.likeness).max() ?? 0)
    var search = search
    search.maxWork = work
    guard work > 0 else {
      leftOut += 1
      return []
    }
    guard take(cost) else { return [] }
    let result = search.find(few)
    work = max(0, work - result.work)
    // The callers verify every candidate on all messages, so the candidates of a search that was cut short can be used as well.
    if result.isCutShort { leftOut += 1 }
    known[few] = result.candidates
    return result.candidates
  }

  /// Takes the cost of a search from the budget. Returns false where it is too small: the search is left out.
  func take(_ cost: Int) -> Bool {
    guard left >= cost else {
      leftOut += 1
      return false
    }
    left -= cost
    return true
  }

  /// About how many algorithms are tried over all runs of bytes.
  private static let algorithms = 210
  /// About how many combinations of an algorithm, a position and a byte order are tried with constants that are added to the bytes.
  private static let withConstants = 2000

  /// The cost of each run of bytes at each position: a checksum of one byte is right at one of 256 positions by chance, for each of several
  /// algorithms, and must then be checked further.
  private static let chance = 4

  /// The probability that two bytes of a message are equal: if all are, short sums fit everywhere, and must be checked further.
  private static func likeness(_ message: [UInt8]) -> Double {
    var counts = [Int](repeating: 0, count: 256)
    for byte in message { counts[Int(byte)] += 1 }
    return counts.reduce(0) { $0 + Double($1 * $1) } / max(1, Double(message.count * message.count))
  }

  /// The cost of searching messages of which the shortest have these sizes; ``likeness(_:)`` says how similar their bytes are.
  private static func cost(_ sizes: some Sequence<Int>, _ window: Int, likeness: Double = 0) -> Int {
    let chance = Int(Double(Self.chance) * (1 + 4 * likeness))
    return sizes.reduce(0) { sum, size in
      let isShort = size <= window
      let (runs, positions) = isShort ? (size * size / 2, size) : (window * window / 16, window / 2)
      return sum + algorithms * size * (isShort ? size / 2 + 1 : window / 4) + withConstants * size + chance * runs * positions
    }
  }
}
