import Captures

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// Work on many captures that threads do at the same time, one capture each, while who asked takes the results in order.
final class CapturesAhead<Made>: @unchecked Sendable {
  private let count: Int
  private let work: (Int) -> Made
  private let condition = ThreadCondition()
  /// What is done and was not taken yet.
  private var made: [Int: Made] = [:]
  private var next = 0
  private var taken = 0
  private var isStopped = false
  private var threads: [Worker] = []
  /// Called with how many captures are done.
  private let progress: (Int) -> Void

  /// How many threads there are: one for each of the machine's cores.
  static var width: Int { max(1, Int(sysconf(Int32(_SC_NPROCESSORS_ONLN)))) }

  /// Begins with `work` on `count` captures, whose numbers it gets, on several threads. Who takes results slowly has no more than a few that wait.
  init(_ count: Int, progress: @escaping (Int) -> Void, work: @escaping (Int) -> Made) {
    (self.count, self.work, self.progress) = (count, work, progress)
    let context = unsafe Unmanaged.passUnretained(self)
    threads = (0..<min(Self.width, count)).compactMap { _ in Worker { unsafe context.takeUnretainedValue().run() } }
  }

  /// Waits for what is under way; the rest is not begun.
  func stop() {
    condition.locked {
      isStopped = true
      condition.signal()
    }
    for thread in threads { thread.join() }
    threads = []
  }

  private func run() {
    while let number = begin() {
      let result = work(number)
      condition.locked {
        made[number] = result
        progress(taken + made.count)
        condition.signal()
      }
    }
  }

  /// The number of the next capture, when there is room for what comes of it; nil at the end.
  private func begin() -> Int? {
    condition.locked {
      while !isStopped, next < count, next >= taken + 2 * Self.width { condition.wait() }
      guard !isStopped, next < count else { return nil }
      defer { next += 1 }
      return next
    }
  }

  /// What was made of the next capture in order; waits for it.
  func take() -> Made {
    guard !threads.isEmpty else {
      defer { taken += 1 }
      return work(taken)
    }
    return condition.locked {
      while true {
        if let result = made.removeValue(forKey: taken) {
          taken += 1
          condition.signal()
          return result
        }
        condition.wait()
      }
    }
  }
}
