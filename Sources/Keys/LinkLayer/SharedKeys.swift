#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// Keys that one thread finds in a host's capture while others read what sniffers heard of the same session.
@safe public final class SharedKeys: @unchecked Sendable {
  private let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
  /// Signalled where there are new keys, and at the end.
  private let changed = UnsafeMutablePointer<pthread_cond_t>.allocate(capacity: 1)
  private var ring: KeyRing
  /// Counts the changes of the keys.
  private var version = 1
  private var isEnded = false
  /// How long a key may be waited for in all, in ms.
  private let patience: Int

  /// Begins with the keys of `ring`. A key that is missing is waited for so many ms: a host has it before it encrypts, but its capture may be
  /// read later than that of a sniffer.
  public init(_ ring: KeyRing = KeyRing(), patience: Int = 2000) {
    self.ring = ring
    self.patience = patience
    unsafe pthread_mutex_init(mutex, nil)
    unsafe pthread_cond_init(changed, nil)
  }

  deinit {
    unsafe pthread_cond_destroy(changed)
    unsafe pthread_mutex_destroy(mutex)
    unsafe changed.deallocate()
    unsafe mutex.deallocate()
  }

  /// Adds the keys of `other` that are new.
  public func add(_ other: KeyRing) {
    unsafe pthread_mutex_lock(mutex)
    defer { unsafe pthread_mutex_unlock(mutex) }
    let count = ring.keys.count
    ring.add(other)
    guard ring.keys.count > count else { return }
    version += 1
    unsafe pthread_cond_broadcast(changed)
  }

  /// No more keys will come: nobody waits any longer.
  public func finish() {
    unsafe pthread_mutex_lock(mutex)
    defer { unsafe pthread_mutex_unlock(mutex) }
    isEnded = true
    unsafe pthread_cond_broadcast(changed)
  }

  /// The keys, where there are others than at `known`, which is set to what there is now.
  func keys(after known: inout Int) -> KeyRing? {
    unsafe pthread_mutex_lock(mutex)
    defer { unsafe pthread_mutex_unlock(mutex) }
    guard version != known else { return nil }
    known = version
    return ring
  }

  /// The same, but waits for others; nil where none come in time.
  func wait(after known: inout Int) -> KeyRing? {
    unsafe pthread_mutex_lock(mutex)
    defer { unsafe pthread_mutex_unlock(mutex) }
    var until = timespec()
    unsafe clock_gettime(CLOCK_REALTIME, &until)
    until.tv_sec += patience / 1000
    until.tv_nsec += patience % 1000 * 1_000_000
    if until.tv_nsec >= 1_000_000_000 {
      until.tv_sec += 1
      until.tv_nsec -= 1_000_000_000
    }
    while version == known, !isEnded {
      guard unsafe pthread_cond_timedwait(changed, mutex, &until) == 0 else { return nil }
    }
    guard version != known else { return nil }
    known = version
    return ring
  }
}
