import PacketCodecs

/// Finds the stream that answers another one, and the bytes of requests that answers repeat.
enum ResponseDetector {
  /// The parts of a message that pairing needs.
  struct Timed {
    var time: Int64
    var end: Int64
    var bytes: ArraySlice<UInt8>
  }

  /// The stream among `candidates` whose messages follow those of `requests`.
  static func find(_ requests: [Timed], _ candidates: [(stream: Int, messages: [Timed])]) -> ResponseFinding? {
    guard requests.count >= 3 else { return nil }
    var best: (finding: ResponseFinding, score: Double)?
    for candidate in candidates where candidate.messages.count >= 3 {
      guard let found = judge(requests, candidate.messages, candidate.stream) else { continue }
      if best.map({ found.score > $0.score }) ?? true { best = found }
    }
    return best?.finding
  }

  private static func judge(_ requests: [Timed], _ answers: [Timed], _ stream: Int) -> (finding: ResponseFinding, score: Double)? {
    var pairs: [(request: Timed, answer: Timed)] = []
    var next = 0
    var delays: [Int64] = []
    var asked = 0
    for (place, request) in requests.enumerated() {
      guard request.time <= answers[answers.count - 1].time else { break }
      asked += 1
      let until = place + 1 < requests.count ? requests[place + 1].time : Int64.max
      while next < answers.count, answers[next].time < request.end { next += 1 }
      guard next < answers.count, answers[next].time < until, answers[next].time - request.end < 5_000_000 else { continue }
      pairs.append((request, answers[next]))
      delays.append(answers[next].time - request.end)
    }
    guard asked >= 3, pairs.count >= 3 else { return nil }
    delays.sort()
    let share = Double(pairs.count) / Double(asked)
    let median = delays[delays.count / 2]
    // A periodic stream follows requests by chance: the latency is compared with the usual pause between answers.
    var pauses: [Int64] = []
    for pair in pairs.prefix(400) {
      pauses.append(pair.answer.time - pair.request.end)
    }
    var gaps: [Int64] = []
    for place in 1..<max(1, answers.count) { gaps.append(answers[place].time - answers[place - 1].time) }
    gaps.sort()
    let usual = gaps.isEmpty ? Int64.max : gaps[gaps.count / 2]
    let echo = echo(pairs)
    // Either the latency is much shorter than the usual pause, or answers repeat bytes of the request.
    let isPrompt = median &* 3 < usual || (median < 300_000 && share > 0.8)
    guard share >= 0.25, isPrompt || echo != nil else { return nil }
    guard share >= 0.5 || echo != nil || (isPrompt && pairs.count >= 8) else { return nil }
    var finding = ResponseFinding(stream: stream, share: share, answered: pairs.count, delay: median)
    if let echo {
      finding.requestOffset = echo.request
      finding.responseOffset = echo.answer
      finding.size = echo.size
    }
    return (finding, share * 10 + (echo == nil ? 0 : 4) - Double(min(median, 5_000_000)) / 1_000_000)
  }

  /// Bytes of the request that its answer repeats, and that differ from request to request.
  private static func echo(_ pairs: [(request: Timed, answer: Timed)]) -> (request: Int, answer: Int, size: Int)? {
    let sample = pairs.prefix(200)
    var best: (request: Int, answer: Int, size: Int, score: Double)?
    // With more mismatches the offsets are given up.
    let maxDifferent = sample.count / 20
    for from in 0..<16 {
      for to in 0..<16 {
        var same = 0
        var seen = 0
        for pair in sample {
          guard from < pair.request.bytes.count, to < pair.answer.bytes.count else { continue }
          seen += 1
          if pair.request.bytes[pair.request.bytes.startIndex + from] == pair.answer.bytes[pair.answer.bytes.startIndex + to] {
            same += 1
          } else if seen - same > maxDifferent {
            break
          }
        }
        guard seen >= 3, Double(same) >= 0.95 * Double(seen) else { continue }
        var values: [UInt8: Int] = [:]
        for pair in sample where from < pair.request.bytes.count && to < pair.answer.bytes.count {
          let value = pair.request.bytes[pair.request.bytes.startIndex + from]
          if value == pair.answer.bytes[pair.answer.bytes.startIndex + to] { values[value, default: 0] += 1 }
        }
        guard values.count >= 2 else { continue }
        let score = Evidence.entropy(values.values) * Double(same) - abs(Double(from - to)) * 0.1 - Double(from) * 0.01
        guard score > 2 else { continue }
        if let known = best, known.score >= score { continue }
        best = (from, to, 1, score)
      }
    }
    guard var found = best else { return nil }
    // Adjacent bytes that are repeated, too.
    while found.size < 4 {
      let (from, to) = (found.request + found.size, found.answer + found.size)
      let isSame = sample.allSatisfy { pair in
        guard from < pair.request.bytes.count, to < pair.answer.bytes.count else { return false }
        return pair.request.bytes[pair.request.bytes.startIndex + from] == pair.answer.bytes[pair.answer.bytes.startIndex + to]
      }
      let differs = Set(sample.compactMap { $0.request.bytes.dropFirst(from).first }).count > 1
      guard isSame, differs else { break }
      found.size += 1
    }
    return (found.request, found.answer, found.size)
  }

  /// The most frequent message with its period; nil where none is periodic.
  static func poll(_ messages: [Message]) -> PollFinding? {
    let counts = histogram(messages.map { Array($0.bytes) }.map { HashableBytes($0) })
    guard let most = counts.first, most.count >= 5, most.count * 3 >= messages.count else { return nil }
    var times: [Int64] = []
    for message in messages where message.bytes.elementsEqual(most.value.bytes) { times.append(message.time) }
    var gaps: [Int64] = []
    for place in 1..<times.count { gaps.append(times[place] - times[place - 1]) }
    gaps.sort()
    let (low, middle, high) = (gaps[gaps.count / 5], gaps[gaps.count / 2], gaps[gaps.count * 4 / 5])
    guard middle > 20_000, high - low < middle / 3 else { return nil }
    return PollFinding(period: middle, count: most.count)
  }
}

/// Bytes that can be counted.
struct HashableBytes: Hashable, Comparable {
  var bytes: [UInt8]
  init(_ bytes: [UInt8]) { self.bytes = bytes }
  static func < (a: HashableBytes, b: HashableBytes) -> Bool { a.bytes.lexicographicallyPrecedes(b.bytes) }
}
