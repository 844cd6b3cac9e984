#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// A mutex with a condition variable.
@safe package final class ThreadCondition: @unchecked Sendable {
  private let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
  private let changed = UnsafeMutablePointer<pthread_cond_t>.allocate(capacity: 1)

  package init() {
    unsafe pthread_mutex_init(mutex, nil)
    unsafe pthread_cond_init(changed, nil)
  }

  deinit {
    unsafe pthread_cond_destroy(changed)
    unsafe pthread_mutex_destroy(mutex)
    unsafe changed.deallocate()
    unsafe mutex.deallocate()
  }

  /// Runs `body` with the mutex locked.
  package func locked<Result>(_ body: () throws -> Result) rethrows -> Result {
    unsafe pthread_mutex_lock(mutex)
    defer { unsafe pthread_mutex_unlock(mutex) }
    return try body()
  }

  /// Wakes all waiting threads. Must be called inside ``locked(_:)``.
  package func signal() { unsafe pthread_cond_broadcast(changed) }

  /// Unlocks the mutex, waits for a signal, and locks it again; may wake spuriously. Must be called inside ``locked(_:)``.
  package func wait() { unsafe pthread_cond_wait(changed, mutex) }

  /// The same, at most until a time of ``deadline(in:)``. Returns false when that has come.
  package func wait(until deadline: timespec) -> Bool {
    var deadline = deadline
    return unsafe pthread_cond_timedwait(changed, mutex, &deadline) == 0
  }

  /// The time after so many milliseconds.
  package static func deadline(in milliseconds: Int) -> timespec {
    var until = timespec()
    unsafe clock_gettime(CLOCK_REALTIME, &until)
    until.tv_sec += milliseconds / 1000
    until.tv_nsec += milliseconds % 1000 * 1_000_000
    if until.tv_nsec >= 1_000_000_000 {
      until.tv_sec += 1
      until.tv_nsec -= 1_000_000_000
    }
    return until
  }
}
