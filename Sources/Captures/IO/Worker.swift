#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// A thread of its own for a piece of work.
@safe public final class Worker: @unchecked Sendable {
  #if canImport(Darwin)
    private var thread: pthread_t?
  #else
    private var thread = pthread_t(bitPattern: 0)
  #endif
  private let body: @Sendable () -> Void

  /// Starts `body` on a new thread; where that cannot be had, nil.
  public init?(_ body: @escaping @Sendable () -> Void) {
    self.body = body
    let context = unsafe Unmanaged.passRetained(self).toOpaque()
    let failed = unsafe pthread_create(&thread, nil, Worker.start, context)
    if failed != 0 {
      unsafe Unmanaged<Worker>.fromOpaque(context).release()
      return nil
    }
  }

  /// How many threads have something to run on: as many as BTSCRIBE_THREADS says, or else one for each of the machine's cores.
  public static var cores: Int {
    let asked = unsafe getenv("BTSCRIBE_THREADS").flatMap { unsafe Int(String(cString: $0)) }
    if let asked, (1...256).contains(asked) { return asked }
    return max(1, Int(sysconf(Int32(_SC_NPROCESSORS_ONLN))))
  }

  /// Waits for the end of the work.
  public func join() {
    #if canImport(Darwin)
      if let thread = unsafe thread { unsafe pthread_join(thread, nil) }
    #else
      pthread_join(thread, nil)
    #endif
  }

  #if canImport(Darwin)
    private static let start: @convention(c) (UnsafeMutableRawPointer) -> UnsafeMutableRawPointer? = { context in
      unsafe Unmanaged<Worker>.fromOpaque(context).takeRetainedValue().body()
      return nil
    }
  #else
    private static let start: @convention(c) (UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? = { context in
      guard let context = unsafe context else { return nil }
      unsafe Unmanaged<Worker>.fromOpaque(context).takeRetainedValue().body()
      return nil
    }
  #endif
}
