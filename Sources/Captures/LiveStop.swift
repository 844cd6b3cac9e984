import Synchronization

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// Tells whoever waits for more packets that there shall be no more: by a signal, by a deadline, or by a call.
public final class LiveStop: Sendable {
  /// Set by ``install()``'s handler: the user wants an end.
  nonisolated(unsafe) private static var wasInterrupted: sig_atomic_t = 0
  private let isCalled = Atomic(false)
  /// µs of the monotonic clock.
  private let deadline = Atomic(Int64.max)

  /// Nothing wants an end yet.
  public init() {}

  /// An end is wanted by a signal.
  public var isInterrupted: Bool { unsafe LiveStop.wasInterrupted != 0 }

  /// An end is wanted.
  public var isWanted: Bool {
    isInterrupted || isCalled.load(ordering: .relaxed)
      || deadline.load(ordering: .relaxed) != .max && LiveStop.now() >= deadline.load(ordering: .relaxed)
  }

  /// Wants an end now.
  public func call() { isCalled.store(true, ordering: .relaxed) }

  /// Wants an end in so many µs.
  public func call(in duration: Int64) { deadline.store(LiveStop.now() &+ duration, ordering: .relaxed) }

  /// Takes SIGINT, SIGTERM and SIGHUP as the wish for an end. A second one of a kind ends the process at once, as where output is stuck.
  public static func install() {
    // Whoever started the process may have held them back.
    var wanted = sigset_t()
    unsafe sigemptyset(&wanted)
    for signal in [SIGINT, SIGTERM, SIGHUP] {
      unsafe sigaddset(&wanted, signal)
      var action = sigaction()
      #if canImport(Glibc)
        unsafe action.__sigaction_handler.sa_handler = { _ in unsafe LiveStop.wasInterrupted = 1 }
        action.sa_flags = Int32(bitPattern: UInt32(SA_RESETHAND))
      #else
        action.__sigaction_u.__sa_handler = { _ in LiveStop.wasInterrupted = 1 }
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
