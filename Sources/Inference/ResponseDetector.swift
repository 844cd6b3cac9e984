import PacketCodecs

/// The budget of comparing streams of requests with those that may answer them, in all of a capture. The unit is about as much work as a comparison
/// of two bytes, so that the result is the same on all machines. Streams of requests have equal shares; what one leaves, the next ones may use.
struct PairBudget {
  /// The budget of all streams together.
  static let ofAll = 1_000_000_000

  private var left: Int
  private var streams: Int
  private var share = 0
  /// The work that was done.
  private(set) var spent = 0
  /// Comparisons of the current stream, and those that were left out because its share was used up.
  private(set) var requested = 0, leftOut = 0

  /// The budget for so many streams of requests.
  init(_ left: Int = ofAll, streams: Int) {
    self.left = left
    self.streams = max(1, streams)
  }

  /// The next stream of requests begins.
  mutating func begin() {
    share = max(0, left) / max(1, streams)
    streams -= 1
    (requested, leftOut) = (0, 0)
  }

  /// Whether the current stream may be compared with another one.
  mutating func mayCompare() -> Bool {
    requested += 1
    if share <= 0 { leftOut += 1 }
    return share > 0
  }

  mutating func spend(_ work: Int) {
    spent += work
    left -= work
    share -= work
  }
}

/// Finds the stream that answers another one, and the bytes of requests that answers repeat.
enum ResponseDetector {
  /// The first bytes of a message. Bytes beyond the end of a shorter message are zero.
  struct Head: Hashable {
    static let maximumBytes = 32
    var bytes = SIMD32<UInt8>()
    var size = 0

    init(_ message: some Sequence<UInt8>) {
      for byte in message.prefix(Self.maximumBytes) {
        bytes[size] = byte
        size += 1
      }
    }
  }

  /// The parts of a message that pairing needs.
  struct Timed {
    var time: Int64
    var end: Int64
    var head: Head
  }

  /// The messages of a stream, which are compared with those of many others.
  struct Timeline {
    var messages: [Timed]
    /// The usual pause between two messages.
    var pause = Int64.max

    init(_ messages: [Timed]) {
      self.messages = messages
      guard messages.count > 1 else { return }
      var gaps = (1..<messages.count).map { messages[$0].time - messages[$0 - 1].time }
      gaps.sort()
      pause = gaps[gaps.count / 2]
    }
  }

  /// The stream among `candidates` whose messages follow those of `requests`. Those that come first are compared first; of two that are as good,
  /// the one with the lower number is taken.
  static func find(_ requests: Timeline, _ candidates: [(stream: Int, messages: Timeline)], _ budget: inout PairBudget) -> ResponseFinding?
  {
    guard requests.messages.count >= 3 else { return nil }
    var best: (finding: ResponseFinding, score: Double)?
    for candidate in candidates where candidate.messages.messages.count >= 3 {
      guard budget.mayCompare() else { continue }
      guard let found = judge(requests.messages, candidate.messages, candidate.stream, &budget) else { continue }
      if let best, (best.score, -best.finding.stream) >= (found.score, -found.finding.stream) { continue }
      best = found
    }
    return best?.finding
  }

  private static func judge(
    _ requests: [Timed], _ timeline: Timeline, _ stream: Int, _ budget: inout PairBudget
  ) -> (finding: ResponseFinding, score: Double)? {
    let answers = timeline.messages
    var pairs: [(request: Int, answer: Int)] = []
    var next = 0
    var delays: [Int64] = []
    var count = 0
    for (index, request) in requests.enumerated() {
      guard request.time <= answers[answers.count - 1].time else { break }
      count += 1
      let until = index + 1 < requests.count ? requests[index + 1].time : Int64.max
      while next < answers.count, answers[next].time < request.end { next += 1 }
      guard next < answers.count, answers[next].time < until, answers[next].time - request.end < 5_000_000 else { continue }
      pairs.append((index, next))
      delays.append(answers[next].time - request.end)
    }
    budget.spend(8 * (count + next) + 32 * pairs.count + 64)
    guard count >= 3, pairs.count >= 3 else { return nil }
    let share = Double(pairs.count) / Double(count)
    guard share >= 0.25 else { return nil }
    delays.sort()
    let median = delays[delays.count / 2]
    let echoes = echoes(requests, answers, pairs.prefix(Echoes.maximumPairs), &budget)
    // A periodic stream follows requests by chance: the latency is compared with the usual pause between answers. Either it is much shorter, or
    // answers repeat bytes of the request.
    let isPrompt = median &* 3 < timeline.pause || (median < 300_000 && share > 0.8)
    guard isPrompt || !echoes.isEmpty else { return nil }
    guard share >= 0.5 || !echoes.isEmpty || (isPrompt && pairs.count >= 8) else { return nil }
    var finding = ResponseFinding(stream: stream, share: share, answered: pairs.count, delay: median)
    if let echo = echoes.first {
      finding.requestOffset = echo.request
      finding.responseOffset = echo.answer
      finding.size = echo.size
      finding.others = Array(echoes.dropFirst())
    }
    return (finding, share * 10 + (echoes.isEmpty ? 0 : 4) - Double(min(median, 5_000_000)) / 1_000_000)
  }

  /// Counts the bytes of requests that are equal to bytes of their answers, for all offsets at once.
  private struct Echoes {
    /// Most pairs of messages that are compared, so that a count fits in a byte, and offsets in a message.
    static let maximumPairs = 200, columns = Head.maximumBytes
    /// n log2 n for the numbers up to `maximumPairs`.
    private static let products = (0...maximumPairs).map { $0 == 0 ? 0 : Double($0) * Evidence.log2(Double($0)) }

    private let requests: [Timed]
    private let answers: [Timed]
    private let pairs: ArraySlice<(request: Int, answer: Int)>
    /// For each offset in a request, and each in an answer: how many pairs have both bytes, and in how many they are equal.
    private(set) var seen = [SIMD32<UInt8>](repeating: SIMD32(), count: columns)
    private(set) var same = [SIMD32<UInt8>](repeating: SIMD32(), count: columns)
    /// The least and the largest byte of requests at each offset.
    private var smallest = [UInt8](repeating: 255, count: columns)
    private var largest = [UInt8](repeating: 0, count: columns)

    init(_ requests: [Timed], _ answers: [Timed], _ pairs: ArraySlice<(request: Int, answer: Int)>, _ budget: inout PairBudget) {
      (self.requests, self.answers, self.pairs) = (requests, answers, pairs)
      let increment = SIMD32<UInt8>(repeating: 1)
      var offsets = SIMD32<UInt8>()
      for index in 0..<Self.columns { offsets[index] = UInt8(index) }
      for pair in pairs {
        let request = requests[pair.request].head
        for from in 0..<min(Self.columns, request.size) {
          smallest[from] = min(smallest[from], request.bytes[from])
          largest[from] = max(largest[from], request.bytes[from])
        }
      }
      for from in 0..<Self.columns where differs(from) {
        var (seen, same) = (SIMD32<UInt8>(), SIMD32<UInt8>())
        for pair in pairs where from < requests[pair.request].head.size {
          let answer = answers[pair.answer].head
          let isThere = offsets .< UInt8(truncatingIfNeeded: answer.size)
          let isEqual = answer.bytes .== requests[pair.request].head.bytes[from]
          seen &+= SIMD32<UInt8>().replacing(with: increment, where: isThere)
          same &+= SIMD32<UInt8>().replacing(with: increment, where: isThere .& isEqual)
        }
        (self.seen[from], self.same[from]) = (seen, same)
        budget.spend(4 * pairs.count)
      }
      budget.spend(16 * pairs.count)
    }

    /// Whether the requests have different bytes at this offset. A byte that is the same in all of them is no evidence that responses repeat it.
    func differs(_ from: Int) -> Bool { smallest[from] < largest[from] }

    /// The entropy of the bytes of requests at this offset, of all pairs; or of those whose answers repeat them at `to`, and how many values these
    /// have.
    func information(_ from: Int, _ to: Int?, _ budget: inout PairBudget) -> (bits: Double, values: Int) {
      var counts = [UInt8](repeating: 0, count: 256)
      var sum = 0
      for pair in pairs where from < requests[pair.request].head.size {
        let byte = requests[pair.request].head.bytes[from]
        if let to, to >= answers[pair.answer].head.size || byte != answers[pair.answer].head.bytes[to] { continue }
        counts[Int(byte)] += 1
        sum += 1
      }
      var (less, values) = (0.0, 0)
      for count in counts where count > 0 {
        less += Self.products[Int(count)]
        values += 1
      }
      budget.spend(2 * pairs.count + 256)
      return (Self.products[sum] - less, values)
    }

    /// Whether the byte at an offset in requests differs from one to another, and all answers repeat it.
    func isRepeated(_ from: Int, _ to: Int, _ budget: inout PairBudget) -> Bool {
      guard from >= 0, to >= 0, from < Self.columns, to < Self.columns, differs(from) else { return false }
      budget.spend(2 * pairs.count)
      return pairs.allSatisfy { pair in
        let (request, answer) = (requests[pair.request].head, answers[pair.answer].head)
        return from < request.size && to < answer.size && request.bytes[from] == answer.bytes[to]
      }
    }
  }

  /// Least evidence, in bits, for further bytes that answers repeat, after the bytes with most evidence: two bytes with few values agree by chance.
  private static let minimumFurtherBits = 24.0
  /// Least evidence, in bits, for bytes behind the first ``nearColumns``: there are many offsets at which bytes can agree by chance.
  private static let minimumFarBits = 16.0
  /// Number of bytes at the start of messages for which little evidence is enough.
  private static let nearColumns = 16
  /// Most groups of bytes that are reported, and bytes of each.
  private static let maximumEchoes = 4, maximumBytes = 4

  /// Bytes of the request that its answer repeats, and that differ from request to request; those with most evidence first.
  private static func echoes(
    _ requests: [Timed], _ answers: [Timed], _ pairs: ArraySlice<(request: Int, answer: Int)>, _ budget: inout PairBudget
  ) -> [ResponseFinding.Echo] {
    let echoes = Echoes(requests, answers, pairs, &budget)
    var found: [ResponseFinding.Echo] = []
    while found.count < maximumEchoes, let echo = echo(echoes, besides: found, &budget) {
      // Bytes beside others that are repeated belong to the same number, or to the same text.
      let shift = echo.request - echo.answer
      if let index = found.firstIndex(where: { $0.request - $0.answer == shift && $0.request + $0.size == echo.request }) {
        found[index].size += echo.size
      } else if let index = found.firstIndex(where: { $0.request - $0.answer == shift && echo.request + echo.size == $0.request }) {
        found[index].request = echo.request
        found[index].answer = echo.answer
        found[index].size += echo.size
      } else {
        found.append(echo)
      }
    }
    return found
  }

  /// The bytes with most evidence that are not among those `found` already; nil where none are left.
  private static func echo(_ echoes: Echoes, besides found: [ResponseFinding.Echo], _ budget: inout PairBudget) -> ResponseFinding.Echo? {
    func isKnown(_ from: Int, _ to: Int) -> Bool {
      found.contains { $0.request <= from && from < $0.request + $0.size || $0.answer <= to && to < $0.answer + $0.size }
    }
    // A few answers have the byte of the request by chance: beside other repeated bytes, and far behind the start, more evidence is needed.
    let share = found.isEmpty ? 0.95 : 0.98
    var best: (request: Int, answer: Int, score: Double)?
    for from in 0..<Echoes.columns where echoes.differs(from) {
      // The evidence of the pairs with equal bytes is at most that of all pairs, which is computed once for all offsets in answers.
      var upperBound: Double?
      for to in 0..<Echoes.columns where !isKnown(from, to) {
        let (same, seen) = (echoes.same[from][to], echoes.seen[from][to])
        guard seen >= 3, Double(same) >= share * Double(seen) else { continue }
        let least = !found.isEmpty ? minimumFurtherBits : max(from, to) < nearColumns ? 2 : minimumFarBits
        let distance = abs(Double(from - to)) * 0.1 + Double(from) * 0.01
        let bound = upperBound ?? echoes.information(from, nil, &budget).bits
        upperBound = bound
        // The sums are rounded.
        guard bound - distance > max(least, best?.score ?? least) - 1e-6 else { continue }
        let (bits, values) = echoes.information(from, to, &budget)
        guard values >= 2, bits - distance > max(least, best?.score ?? least) else { continue }
        best = (from, to, bits - distance)
      }
    }
    guard let best else { return nil }
    var echo = ResponseFinding.Echo(request: best.request, answer: best.answer, size: 1)
    while echo.size < maximumBytes, case let (from, to) = (echo.request + echo.size, echo.answer + echo.size), !isKnown(from, to),
      echoes.isRepeated(from, to, &budget)
    {
      echo.size += 1
    }
    while echo.size < maximumBytes, case let (from, to) = (echo.request - 1, echo.answer - 1), !isKnown(from, to),
      echoes.isRepeated(from, to, &budget)
    {
      (echo.request, echo.answer, echo.size) = (from, to, echo.size + 1)
    }
    return echo
  }

  /// The most frequent message with its period; nil where none is periodic.
  static func poll(_ messages: [Message]) -> PollFinding? {
    let counts = histogram(messages.map { Array($0.bytes) }.map { HashableBytes($0) })
    guard let mostFrequent = counts.first, mostFrequent.count >= 5, mostFrequent.count * 3 >= messages.count else { return nil }
    var times: [Int64] = []
    for message in messages where message.bytes.elementsEqual(mostFrequent.value.bytes) { times.append(message.time) }
    var gaps: [Int64] = []
    for index in 1..<times.count { gaps.append(times[index] - times[index - 1]) }
    gaps.sort()
    let (low, middle, high) = (gaps[gaps.count / 5], gaps[gaps.count / 2], gaps[gaps.count * 4 / 5])
    guard middle > 20_000, high - low < middle / 3 else { return nil }
    return PollFinding(period: middle, count: mostFrequent.count)
  }
}

/// Bytes that can be counted.
struct HashableBytes: Hashable, Comparable {
  var bytes: [UInt8]
  init(_ bytes: [UInt8]) { self.bytes = bytes }
  static func < (a: HashableBytes, b: HashableBytes) -> Bool { a.bytes.lexicographicallyPrecedes(b.bytes) }
}
