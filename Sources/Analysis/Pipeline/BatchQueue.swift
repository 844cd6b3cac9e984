#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// A queue between two threads that holds a bounded number of elements.
@safe final class BatchQueue<Element>: @unchecked Sendable {
  private var elements: [Element] = []
  private let bound: Int
  private var isClosed = false
  private let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
  private let changed = UnsafeMutablePointer<pthread_cond_t>.allocate(capacity: 1)

  init(bound: Int) {
    self.bound = bound
    unsafe pthread_mutex_init(mutex, nil)
    unsafe pthread_cond_init(changed, nil)
  }

  deinit {
    unsafe pthread_cond_destroy(changed)
    unsafe pthread_mutex_destroy(mutex)
    unsafe changed.deallocate()
    unsafe mutex.deallocate()
  }

  private func locked<Result>(_ body: () -> Result) -> Result {
    unsafe pthread_mutex_lock(mutex)
    defer { unsafe pthread_mutex_unlock(mutex) }
    return body()
  }

  /// Wakes those who wait, inside of ``locked(_:)``.
  private func signal() { unsafe pthread_cond_broadcast(changed) }

  /// Waits for a change, inside of ``locked(_:)``.
  private func wait() { unsafe pthread_cond_wait(changed, mutex) }

  private func takeFirst() -> Element? {
    guard !elements.isEmpty else { return nil }
    signal()
    return elements.removeFirst()
  }

  /// Nothing can be taken out at once.
  var isEmpty: Bool { locked { elements.isEmpty } }

  /// Appends an element, and waits while the queue is full. Returns false where the queue was closed.
  func push(_ element: Element) -> Bool {
    locked {
      while elements.count >= bound, !isClosed { wait() }
      guard !isClosed else { return false }
      elements.append(element)
      signal()
      return true
    }
  }

  /// Takes the first element, and waits for one. Returns nil where the queue is closed and empty.
  func pop() -> Element? {
    locked {
      while elements.isEmpty, !isClosed { wait() }
      return takeFirst()
    }
  }

  /// Takes the first element if there is one.
  func poll() -> Element? { locked { takeFirst() } }

  /// Removes all elements, and takes no more.
  func cancel() {
    locked {
      elements.removeAll()
      isClosed = true
      signal()
    }
  }

  /// Takes no more elements; those in the queue can still be taken out.
  func close() {
    locked {
      isClosed = true
      signal()
    }
  }
}
