/// Finds requests that start or end messages that a device then sends by itself.
enum StartDetector {
  /// The time before and after a request that is examined, in microseconds.
  private static let window: Int64 = 2_000_000
  /// Most distinct requests of a stream that is examined.
  private static let maxDistinct = 64
  /// Least number of messages between two requests that are taken for a stream: fewer can be answers.
  private static let minimumCount = 4
  /// Least number of times that a request must have an effect: what happened once can have other causes.
  private static let minimumRepetitions = 2

  /// The effects of a request on another stream.
  private struct Effect {
    var starts = 0
    var ends = 0
    var count = 0
  }

  /// Sentences about the requests of a stream that start or end the streams `others`. `subscriptions` are the times at which the host subscribed to
  /// values of the device, in order.
  static func notes(
    _ requests: ResponseDetector.Timeline, _ others: [(label: String, messages: ResponseDetector.Timeline)], subscriptions: [Int64] = [],
    _ budget: inout PairBudget
  ) -> [String] {
    // The distinct requests, in the order in which they came, and the number of each request among these.
    var distinct: [ResponseDetector.Head] = []
    var numbers: [ResponseDetector.Head: Int] = [:]
    var kinds: [Int] = []
    let requests = requests.messages
    for request in requests {
      if numbers[request.head] == nil {
        guard distinct.count < maxDistinct else { return [] }
        numbers[request.head] = distinct.count
        distinct.append(request.head)
      }
      kinds.append(numbers[request.head] ?? 0)
    }
    var notes: [String] = []
    for other in others where other.messages.messages.count >= 8 {
      guard budget.mayCompare() else { continue }
      let times = other.messages.messages
      var effects = [Effect](repeating: Effect(), count: distinct.count)
      for (index, request) in requests.enumerated() {
        let until = index + 1 < requests.count ? min(requests[index + 1].time, request.time + window) : request.time + window
        let from = index > 0 ? max(requests[index - 1].time, request.time - window) : request.time - window
        budget.spend(8)
        guard until - request.time >= window / 4 else { continue }
        budget.spend(64)
        // Messages that a subscription starts or ends are not an effect of the request.
        guard count(subscriptions, from, until, { $0 }) == 0 else { continue }
        // Rates before and after the request; a single answer is no stream.
        let before = count(times, from, request.time, { $0.time })
        let behind = count(times, request.time, until, { $0.time })
        let late = count(times, request.time + (until - request.time) / 2, until, { $0.time })
        let isBusy = behind >= minimumCount && late * 3 >= behind
        let wasBusy = before >= minimumCount && count(times, from, request.time - (request.time - from) / 2, { $0.time }) * 3 >= before
        effects[kinds[index]].count += 1
        if isBusy, before * 4 <= behind { effects[kinds[index]].starts += 1 }
        if wasBusy, late == 0, behind * 4 <= before { effects[kinds[index]].ends += 1 }
      }
      budget.spend(64)
      // If each request is followed by as many messages, these are answers.
      let starting = effects.indices.filter { effects[$0].starts > 0 && effects[$0].starts * 10 >= effects[$0].count * 8 }
      let ending = effects.indices.filter { effects[$0].ends >= minimumRepetitions && effects[$0].ends * 10 >= effects[$0].count * 8 }
      let judged = effects.count { $0.count > 0 }
      guard starting.count < judged || judged == 1 else { continue }
      func sentence(_ kind: Int, _ number: Int, _ verb: String) -> String {
        let head = distinct[kind]
        // Only the first bytes of long messages are kept, so other messages may begin with them.
        let bytes = hex((0..<head.size).map { head.bytes[$0] }) + (head.size < ResponseDetector.Head.maximumBytes ? "" : "\u{2026}")
        return "\(bytes) \(verb) unrequested messages of \(other.label): \(number) of \(effects[kind].count) times"
      }
      for kind in starting.filter({ effects[$0].starts >= minimumRepetitions }).prefix(3) {
        notes.append(sentence(kind, effects[kind].starts, "starts"))
      }
      for kind in ending.prefix(3) where !starting.contains(kind) { notes.append(sentence(kind, effects[kind].ends, "ends")) }
    }
    return notes
  }

  /// The number of elements, in the order of time, that are between two times.
  private static func count<Element>(_ elements: [Element], _ from: Int64, _ to: Int64, _ time: (Element) -> Int64) -> Int {
    func index(_ bound: Int64) -> Int {
      var (low, high) = (0, elements.count)
      while low < high {
        let middle = (low + high) / 2
        if time(elements[middle]) < bound { low = middle + 1 } else { high = middle }
      }
      return low
    }
    return max(0, index(to) - index(from))
  }
}
