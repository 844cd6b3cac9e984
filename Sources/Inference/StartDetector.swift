/// Finds requests that start or end messages that a device then sends by itself.
enum StartDetector {
  /// The time before and after a request that is examined, in microseconds.
  private static let window: Int64 = 2_000_000
  /// Most distinct requests that are reported, and least messages of a stream.
  private static let limit = 64
  private static let least = 4

  /// The effects of a request on another stream.
  private struct Effect {
    var starts = 0
    var ends = 0
    var count = 0
  }

  /// Sentences about the requests of a stream that start or end the streams `others`.
  static func notes(_ requests: [ResponseDetector.Timed], _ others: [(label: String, messages: [ResponseDetector.Timed])]) -> [String] {
    var order: [ArraySlice<UInt8>] = []
    var counts: [ArraySlice<UInt8>: Int] = [:]
    for request in requests {
      if counts[request.bytes] == nil { order.append(request.bytes) }
      counts[request.bytes, default: 0] += 1
    }
    guard order.count <= limit else { return [] }
    var notes: [String] = []
    for other in others where other.messages.count >= 8 {
      let times = other.messages.map(\.time)
      var effects: [ArraySlice<UInt8>: Effect] = [:]
      for (place, request) in requests.enumerated() {
        let until = place + 1 < requests.count ? min(requests[place + 1].time, request.time + window) : request.time + window
        let from = place > 0 ? max(requests[place - 1].time, request.time - window) : request.time - window
        guard until - request.time >= window / 4 else { continue }
        // Rates before and after the request; a single answer is no stream.
        let before = count(times, from, request.time)
        let behind = count(times, request.time, until)
        let late = count(times, request.time + (until - request.time) / 2, until)
        let isBusy = behind >= least && late * 3 >= behind
        let wasBusy = before >= least && count(times, from, request.time - (request.time - from) / 2) * 3 >= before
        effects[request.bytes, default: Effect()].count += 1
        if isBusy, before * 4 <= behind { effects[request.bytes]?.starts += 1 }
        if wasBusy, late == 0, behind * 4 <= before { effects[request.bytes]?.ends += 1 }
      }
      // If each request is followed by as many messages, these are answers.
      let starting = order.filter { key in effects[key].map { $0.starts > 0 && $0.starts * 10 >= $0.count * 8 } ?? false }
      let ending = order.filter { key in effects[key].map { $0.ends > 0 && $0.ends * 10 >= $0.count * 8 } ?? false }
      let judged = order.filter { effects[$0] != nil }
      guard starting.count < judged.count || judged.count == 1 else { continue }
      func sentence(_ key: ArraySlice<UInt8>, _ number: Int, _ verb: String) -> String {
        let times = number == 1 ? "once" : "\(number) of \(effects[key]?.count ?? number) times"
        return "\(hex(key.prefix(16))) \(verb) unrequested messages of \(other.label): \(times)"
      }
      for key in starting.prefix(3) { notes.append(sentence(key, effects[key]?.starts ?? 0, "starts")) }
      for key in ending.prefix(3) where !starting.contains(key) { notes.append(sentence(key, effects[key]?.ends ?? 0, "ends")) }
    }
    return notes
  }

  /// The number of times in a sorted list that are between two times.
  private static func count(_ times: [Int64], _ from: Int64, _ to: Int64) -> Int {
    func place(_ time: Int64) -> Int {
      var (low, high) = (0, times.count)
      while low < high {
        let middle = (low + high) / 2
        if times[middle] < time { low = middle + 1 } else { high = middle }
      }
      return low
    }
    return max(0, place(to) - place(from))
  }
}
