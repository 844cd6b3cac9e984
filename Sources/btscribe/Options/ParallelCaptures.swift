import Threads

/// Processes several captures in parallel, one per thread, and returns the results in order.
final class ParallelCaptures<Made>: @unchecked Sendable {
  private let count: Int
  private let work: (Int) -> Made
  private let condition = ThreadCondition()
  /// Results that ``take()`` has not returned yet, by the number of the capture.
  private var made: [Int: Made] = [:]
  private var next = 0
  private var taken = 0
  private var isStopped = false
  private var threads: [Worker] = []
  /// Called with the number of finished captures.
  private let progress: (Int) -> Void

  /// Number of threads.
  static var width: Int { Worker.cores }

  /// Starts threads that call `work` with the numbers of `count` captures. At most two results per thread wait for ``take()``.
  init(_ count: Int, progress: @escaping (Int) -> Void, work: @escaping (Int) -> Made) {
    (self.count, self.work, self.progress) = (count, work, progress)
    let context = unsafe Unmanaged.passUnretained(self)
    threads = (0..<min(Self.width, count)).compactMap { _ in Worker { unsafe context.takeUnretainedValue().run() } }
  }

  /// Starts no further captures, and waits for those that are being processed.
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

  /// Waits until fewer than two results per thread wait, and returns the number of the next capture; nil at the end.
  private func begin() -> Int? {
    condition.locked {
      while !isStopped, next < count, next >= taken + 2 * Self.width { condition.wait() }
      guard !isStopped, next < count else { return nil }
      defer { next += 1 }
      return next
    }
  }

  /// Waits for the result of the next capture in order, and returns it.
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
