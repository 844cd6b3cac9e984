import Synchronization

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// Asks for the end of a capture: by a signal, by a deadline, or by a call.
public final class LiveStop: Sendable {
  /// Set by the signal handler of ``install()``.
  nonisolated(unsafe) private static var wasInterrupted: sig_atomic_t = 0
  private let isCalled = Atomic(false)
  /// µs of the monotonic clock.
  private let deadline = Atomic(Int64.max)

  /// Nothing asks for the end yet.
  public init() {}

  /// A signal asked for the end.
  public var isInterrupted: Bool { unsafe LiveStop.wasInterrupted != 0 }

  /// The end is asked for.
  public var isWanted: Bool {
    isInterrupted || isCalled.load(ordering: .relaxed)
      || deadline.load(ordering: .relaxed) != .max && LiveStop.now() >= deadline.load(ordering: .relaxed)
  }

  /// Asks for the end now.
  public func call() { isCalled.store(true, ordering: .relaxed) }

  /// Asks for the end in so many µs.
  public func call(in duration: Int64) { deadline.store(LiveStop.now() &+ duration, ordering: .relaxed) }

  /// Lets SIGINT, SIGTERM and SIGHUP ask for the end. A second signal of a kind ends the process at once, where output is stuck.
  public static func install() {
    // The parent process may have blocked them.
    var wanted = sigset_t()
    unsafe sigemptyset(&wanted)
    for signal in [SIGINT, SIGTERM, SIGHUP] {
      unsafe sigaddset(&wanted, signal)
      var action = sigaction()
      #if canImport(Glibc)
        unsafe action.__sigaction_handler.sa_handler = { _ in unsafe LiveStop.wasInterrupted = 1 }
        action.sa_flags = Int32(bitPattern: UInt32(SA_RESETHAND))
      #else
        unsafe action.__sigaction_u.__sa_handler = { _ in unsafe LiveStop.wasInterrupted = 1 }
        action.sa_flags = Int32(SA_RESETHAND)
      #endif
      unsafe sigaction(signal, &action, nil)
    }
    unsafe sigprocmask(SIG_UNBLOCK, &wanted, nil)
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
