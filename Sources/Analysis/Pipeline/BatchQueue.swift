import Threads

/// A queue between two threads that holds a bounded number of elements.
final class BatchQueue<Element>: @unchecked Sendable {
  private var elements: [Element] = []
  private let bound: Int
  private var isClosed = false
  private let condition = ThreadCondition()

  init(bound: Int) { self.bound = bound }

  private func takeFirst() -> Element? {
    guard !elements.isEmpty else { return nil }
    condition.signal()
    return elements.removeFirst()
  }

  /// The queue is empty: ``pop()`` would wait.
  var isEmpty: Bool { condition.locked { elements.isEmpty } }

  /// Appends an element, and waits while the queue is full. Returns false where the queue was closed.
  func push(_ element: Element) -> Bool {
    condition.locked {
      while elements.count >= bound, !isClosed { condition.wait() }
      guard !isClosed else { return false }
      elements.append(element)
      condition.signal()
      return true
    }
  }

  /// Removes the first element, and waits for one. Returns nil where the queue is closed and empty.
  func pop() -> Element? {
    condition.locked {
      while elements.isEmpty, !isClosed { condition.wait() }
      return takeFirst()
    }
  }

  /// Removes the first element if there is one.
  func poll() -> Element? { condition.locked { takeFirst() } }

  /// Removes all elements and closes the queue.
  func cancel() {
    condition.locked {
      elements.removeAll()
      isClosed = true
      condition.signal()
    }
  }

  /// Closes the queue: ``push(_:)`` fails, and the remaining elements can still be removed.
  func close() {
    condition.locked {
      isClosed = true
      condition.signal()
    }
  }
}
