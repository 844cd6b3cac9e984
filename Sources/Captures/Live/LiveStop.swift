import Synchronization

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// Requests the end of a capture: by a signal, by a deadline, or by a call.
public final class LiveStop: Sendable {
  /// Set by the signal handler of ``install()``.
  nonisolated(unsafe) private static var wasInterrupted: sig_atomic_t = 0
  private let isCalled = Atomic(false)
  /// µs of the monotonic clock.
  private let deadline = Atomic(Int64.max)

  /// Creates it without a request.
  public init() {}

  /// A signal requested the end.
  public var isInterrupted: Bool { unsafe LiveStop.wasInterrupted != 0 }

  /// The end is requested.
  public var isWanted: Bool {
    isInterrupted || isCalled.load(ordering: .relaxed)
      || deadline.load(ordering: .relaxed) != .max && LiveStop.now() >= deadline.load(ordering: .relaxed)
  }

  /// Requests the end now.
  public func call() { isCalled.store(true, ordering: .relaxed) }

  /// Requests the end in `duration` µs.
  public func call(in duration: Int64) { deadline.store(LiveStop.now() &+ duration, ordering: .relaxed) }

  /// The handler of a second signal; nil for the default one.
  nonisolated(unsafe) private static var second: (@convention(c) (Int32) -> Void)?

  /// Makes SIGINT, SIGTERM and SIGHUP request the end. A second signal of the same kind calls `second`, or ends the process at once, in case output is
  /// blocked.
  public static func install(second: (@convention(c) (Int32) -> Void)? = nil) {
    if let second { unsafe LiveStop.second = second }
    // The parent process may have blocked them.
    var wanted = sigset_t()
    unsafe sigemptyset(&wanted)
    for number in [SIGINT, SIGTERM, SIGHUP] {
      unsafe sigaddset(&wanted, number)
      // Without SA_RESTART, which signal(2) sets: a read that waits for bytes ends, and the request is seen.
      var action = sigaction()
      #if canImport(Glibc)
        unsafe action.__sigaction_handler.sa_handler = { LiveStop.interrupt($0) }
      #else
        unsafe action.__sigaction_u.__sa_handler = { LiveStop.interrupt($0) }
      #endif
      unsafe sigaction(number, &action, nil)
    }
    unsafe sigprocmask(SIG_UNBLOCK, &wanted, nil)
  }

  /// Called by the signal handler.
  private static func interrupt(_ number: Int32) {
    unsafe wasInterrupted = 1
    unsafe signal(number, second ?? SIG_DFL)
  }

  /// The monotonic clock in µs.
  public static func now() -> Int64 { time(CLOCK_MONOTONIC) }

  /// The time in µs since 1970.
  public static func date() -> Int64 { time(CLOCK_REALTIME) }

  private static func time(_ id: clockid_t) -> Int64 {
    var clock = timespec()
    unsafe clock_gettime(id, &clock)
    return Int64(clock.tv_sec) * 1_000_000 + Int64(clock.tv_nsec) / 1000
  }
}
