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

  /// Nothing can be taken out at once.
  var isEmpty: Bool {
    unsafe pthread_mutex_lock(mutex)
    defer { unsafe pthread_mutex_unlock(mutex) }
    return elements.isEmpty
  }

  /// Appends an element, and waits while the queue is full. Returns false where the queue was closed.
  func push(_ element: Element) -> Bool {
    unsafe pthread_mutex_lock(mutex)
    defer { unsafe pthread_mutex_unlock(mutex) }
    while elements.count >= bound, !isClosed { unsafe pthread_cond_wait(changed, mutex) }
    guard !isClosed else { return false }
    elements.append(element)
    unsafe pthread_cond_broadcast(changed)
    return true
  }

  /// Takes the first element, and waits for one. Returns nil where the queue is closed and empty.
  func pop() -> Element? {
    unsafe pthread_mutex_lock(mutex)
    defer { unsafe pthread_mutex_unlock(mutex) }
    while elements.isEmpty, !isClosed { unsafe pthread_cond_wait(changed, mutex) }
    guard !elements.isEmpty else { return nil }
    let first = elements.removeFirst()
    unsafe pthread_cond_broadcast(changed)
    return first
  }

  /// Takes the first element if there is one.
  func poll() -> Element? {
    unsafe pthread_mutex_lock(mutex)
    defer { unsafe pthread_mutex_unlock(mutex) }
    guard !elements.isEmpty else { return nil }
    let first = elements.removeFirst()
    unsafe pthread_cond_broadcast(changed)
    return first
  }

  /// Forgets what is in the queue, and takes no more.
  func cancel() {
    unsafe pthread_mutex_lock(mutex)
    isClosed = true
    elements.removeAll()
    unsafe pthread_cond_broadcast(changed)
    unsafe pthread_mutex_unlock(mutex)
  }

  /// Takes no more elements; what is in the queue can still be taken out.
  func close() {
    unsafe pthread_mutex_lock(mutex)
    isClosed = true
    unsafe pthread_cond_broadcast(changed)
    unsafe pthread_mutex_unlock(mutex)
  }
}
