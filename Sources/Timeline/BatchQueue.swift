#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// A queue between two threads that holds a bounded number of elements.
final class BatchQueue<Element>: @unchecked Sendable {
  private var elements: [Element] = []
  private let bound: Int
  private var isClosed = false
  private let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
  private let changed = UnsafeMutablePointer<pthread_cond_t>.allocate(capacity: 1)

  init(bound: Int) {
    self.bound = bound
    pthread_mutex_init(mutex, nil)
    pthread_cond_init(changed, nil)
  }

  deinit {
    pthread_cond_destroy(changed)
    pthread_mutex_destroy(mutex)
    changed.deallocate()
    mutex.deallocate()
  }

  /// Appends an element, and waits while the queue is full. Returns false where the queue was closed.
  func push(_ element: Element) -> Bool {
    pthread_mutex_lock(mutex)
    defer { pthread_mutex_unlock(mutex) }
    while elements.count >= bound, !isClosed { pthread_cond_wait(changed, mutex) }
    guard !isClosed else { return false }
    elements.append(element)
    pthread_cond_broadcast(changed)
    return true
  }

  /// Takes the first element, and waits for one. Returns nil where the queue is closed and empty.
  func pop() -> Element? {
    pthread_mutex_lock(mutex)
    defer { pthread_mutex_unlock(mutex) }
    while elements.isEmpty, !isClosed { pthread_cond_wait(changed, mutex) }
    guard !elements.isEmpty else { return nil }
    let first = elements.removeFirst()
    pthread_cond_broadcast(changed)
    return first
  }

  /// Takes the first element if there is one.
  func poll() -> Element? {
    pthread_mutex_lock(mutex)
    defer { pthread_mutex_unlock(mutex) }
    guard !elements.isEmpty else { return nil }
    let first = elements.removeFirst()
    pthread_cond_broadcast(changed)
    return first
  }

  /// Takes no more elements; what is in the queue can still be taken out.
  func close() {
    pthread_mutex_lock(mutex)
    isClosed = true
    pthread_cond_broadcast(changed)
    pthread_mutex_unlock(mutex)
  }
}
