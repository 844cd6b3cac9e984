import Synchronization

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// A thread that runs one closure.
@safe package final class Worker: @unchecked Sendable {
  #if canImport(Darwin)
    private var thread: pthread_t?
  #else
    private var thread = pthread_t(bitPattern: 0)
  #endif
  private let body: @Sendable () -> Void

  /// Starts `body` on a new thread; nil where the system gives none.
  package init?(_ body: @escaping @Sendable () -> Void) {
    self.body = body
    let context = unsafe Unmanaged.passRetained(self).toOpaque()
    let failed = unsafe pthread_create(&thread, nil, Worker.start, context)
    if failed != 0 {
      unsafe Unmanaged<Worker>.fromOpaque(context).release()
      return nil
    }
  }

  /// The number of threads to use: the value of BTSCRIBE_THREADS, else the number of the machine's cores.
  package static var cores: Int {
    let requested = unsafe getenv("BTSCRIBE_THREADS").flatMap { unsafe Int(String(cString: $0)) }
    if let requested, (1...256).contains(requested) { return requested }
    return max(1, Int(sysconf(Int32(_SC_NPROCESSORS_ONLN))))
  }

  /// Waits for the end of the work.
  package func join() {
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

extension Worker {
  /// Counts the numbers that the threads of one call have begun.
  private final class Count: Sendable {
    private let next = Atomic(0)
    func take() -> Int { next.add(1, ordering: .relaxed).oldValue }
  }

  /// Calls `body` with each number below `count`, on as many threads as there are ``cores``; on this thread alone where the system gives no
  /// other. Returns when all calls have returned.
  package static func perform(_ count: Int, _ body: @Sendable (Int) -> Void) {
    withoutActuallyEscaping(body) { body in
      let begun = Count()
      let work: @Sendable () -> Void = {
        while true {
          let number = begun.take()
          guard number < count else { return }
          body(number)
        }
      }
      var threads: [Worker] = []
      while threads.count + 1 < min(cores, count), let thread = Worker(work) { threads.append(thread) }
      work()
      for thread in threads { thread.join() }
    }
  }
}
