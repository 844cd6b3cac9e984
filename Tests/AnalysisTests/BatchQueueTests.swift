import Testing
import Threads

@testable import Analysis

/// The queue between the reading and the decoding thread.
@Suite struct BatchQueueTests {
  @Test func elementsComeInOrder() {
    let queue = BatchQueue<Int>(bound: 4)
    #expect(queue.isEmpty && queue.poll() == nil)
    for number in 1...4 { #expect(queue.push(number)) }
    #expect(queue.poll() == 1 && queue.pop() == 2)
    queue.close()
    #expect(!queue.push(5), "a closed queue takes no more")
    #expect(queue.pop() == 3 && queue.pop() == 4 && queue.pop() == nil)
  }

  @Test func cancelForgetsAll() {
    let queue = BatchQueue<Int>(bound: 4)
    #expect(queue.push(1))
    queue.cancel()
    #expect(queue.pop() == nil && !queue.push(2))
  }

  /// A thread that pushes into a full queue waits for room, and a thread that pops from an empty queue waits for an element.
  @Test func eachSideWaitsForTheOther() throws {
    let queue = BatchQueue<Int>(bound: 2)
    let producer = try #require(
      Worker {
        for number in 0..<10_000 where !queue.push(number) { return }
        queue.close()
      })
    var next = 0
    while let number = queue.pop() {
      #expect(number == next)
      next += 1
    }
    producer.join()
    #expect(next == 10_000)
  }

  /// Cancelling the queue releases a producer that waits for room.
  @Test func cancelLetsTheProducerGo() throws {
    let queue = BatchQueue<Int>(bound: 1)
    let producer = try #require(Worker { while queue.push(1) {} })
    #expect(queue.pop() == 1)
    queue.cancel()
    producer.join()
    #expect(queue.pop() == nil)
  }
}

/// Work on several threads.
@Suite struct WorkerTests {
  @Test(arguments: [0, 1, 7, 5000]) func eachNumberIsWorkedOnOnce(_ count: Int) {
    let seen = Counts(count)
    Worker.perform(count) { seen.add($0) }
    #expect(seen.all.allSatisfy { $0 == 1 })
  }

  /// Guarded by a mutex that the thread sanitizer knows; it does not know `Synchronization.Mutex`.
  private final class Counts: @unchecked Sendable {
    private let condition = ThreadCondition()
    private var counts: [Int]

    init(_ count: Int) { counts = [Int](repeating: 0, count: count) }
    func add(_ number: Int) { condition.locked { counts[number] += 1 } }
    var all: [Int] { condition.locked { counts } }
  }
}
