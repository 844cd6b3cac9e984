#if os(Linux)
  import CPcap
  import Glibc

  /// The HCI monitor of this host, read as packets arrive (libpcap's `bluetooth-monitor`).
  ///
  /// A thread of its own takes packets from the kernel and writes them to a file where one is wanted; what is shown comes through a bounded
  /// queue. A slow reader never makes the capture lose packets: what does not fit into the queue is counted, and is in the file all the same.
  public final class LiveSource: PacketSource, @unchecked Sendable {
    /// What to capture, and when to stop.
    public struct Options: Sendable {
      /// Only this adapter (HCI index) and what belongs to none.
      public var adapter: UInt16?
      /// Bytes of packets that may wait to be shown.
      public var queue = 64 << 20
      /// Stop after so many µs.
      public var duration: Int64?

      /// All adapters, without an end.
      public init() {}
    }

    /// The one interface: the monitor.
    public let interfaces = [CaptureInterface(linkType: LinkType.linuxMonitor, name: "bluetooth-monitor")]
    /// What this is.
    public let title = "live (Linux monitor)"
    /// Written as pcap has the monitor.
    public let format = CaptureFormat.pcap
    /// A live capture has no size.
    public var progress: (read: Int, total: Int?) { (0, nil) }
    /// Nothing is cut short.
    public private(set) var damage: CaptureDamage?

    private let handle: OpaquePointer
    private let descriptor: Int32
    private let options: Options
    private let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
    private let arrived = UnsafeMutablePointer<pthread_cond_t>.allocate(capacity: 1)
    private var waiting = PacketBatch()
    private var isEnded = false
    private var thread = pthread_t()
    private var isStarted = false
    private var frame = 0
    private var started: Int64 = 0
    private var kernelDrops: UInt32 = 0
    /// Packets that could not be shown, as the queue was full.
    private var overflowed: UInt32 = 0
    private var recorder: ((PacketBatch) throws(CaptureError) -> Bool)?
    private var failure: CaptureError?
    private let incoming = PacketBatch()
    /// Set from a signal handler: capture what has arrived, then end.
    nonisolated(unsafe) public static var isInterrupted: sig_atomic_t = 0

    /// Attaches to the monitor. Throws ``CaptureError/forbidden(what:hint:)`` without `CAP_NET_RAW`, and
    /// ``CaptureError/unavailable(what:)`` where the kernel has no Bluetooth.
    public init(_ options: Options = Options()) throws(CaptureError) {
      self.options = options
      // AF_BLUETOOTH, SOCK_RAW, BTPROTO_HCI: numbers that Glibc has no names for.
      let probe = socket(31, 3, 1)
      if probe < 0 {
        let code = errno
        if code == EPERM || code == EACCES { throw LiveSource.forbidden }
        throw .unavailable(what: "no Bluetooth on this host: \(systemMessage(code))")
      }
      close(probe)
      var text = [CChar](repeating: 0, count: Int(PCAP_ERRBUF_SIZE))
      guard let handle = pcap_create("bluetooth-monitor", &text) else {
        throw .unavailable(what: "the Bluetooth monitor cannot be opened: \(LiveSource.string(text))")
      }
      pcap_set_snaplen(handle, 65_535)
      pcap_set_immediate_mode(handle, 1)
      pcap_set_timeout(handle, 10)
      let status = pcap_activate(handle)
      if status < 0 {
        let reason = pcap_geterr(handle).map { String(cString: $0) } ?? ""
        pcap_close(handle)
        if status == PCAP_ERROR_PERM_DENIED || reason.contains("Operation not permitted") { throw LiveSource.forbidden }
        throw .unavailable(what: "no Bluetooth on this host: \(reason.isEmpty ? String(cString: pcap_statustostr(status)) : reason)")
      }
      self.handle = handle
      descriptor = pcap_get_selectable_fd(handle)
      // The kernel's default holds about 277 small packets; more needs CAP_NET_ADMIN, or stays at the system's bound.
      var size: Int32 = 16 << 20
      if setsockopt(descriptor, SOL_SOCKET, 33, &size, socklen_t(MemoryLayout<Int32>.size)) != 0 {
        setsockopt(descriptor, SOL_SOCKET, SO_RCVBUF, &size, socklen_t(MemoryLayout<Int32>.size))
      }
      pcap_setnonblock(handle, 1, &text)
      pthread_mutex_init(mutex, nil)
      pthread_cond_init(arrived, nil)
    }

    private static var forbidden: CaptureError {
      let path = (try? executable()) ?? "btscribe"
      return .forbidden(what: "live capture needs CAP_NET_RAW", hint: "sudo setcap cap_net_raw+ep \(path)")
    }

    private static func executable() throws -> String {
      var buffer = [CChar](repeating: 0, count: 4096)
      let count = readlink("/proc/self/exe", &buffer, buffer.count - 1)
      guard count > 0 else { return "btscribe" }
      return string(buffer)
    }

    private static func string(_ text: [CChar]) -> String {
      String(decoding: text.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }

    deinit {
      stop()
      pcap_close(handle)
      pthread_cond_destroy(arrived)
      pthread_mutex_destroy(mutex)
      arrived.deallocate()
      mutex.deallocate()
    }

    /// Gives up every privilege that opening needed: capabilities, and the user that `sudo` was called by is taken again.
    public static func dropPrivileges() {
      if geteuid() == 0, let user = getenv("SUDO_UID").flatMap({ UInt32(String(cString: $0)) }), user != 0 {
        if let group = getenv("SUDO_GID").flatMap({ UInt32(String(cString: $0)) }) {
          setgroups(0, nil)
          setgid(group)
        }
        setuid(user)
      } else if geteuid() != getuid() {
        setuid(getuid())
      }
      _ = btscribe_drop_capabilities()
    }

    /// Starts capturing. `recorder` is called on the capturing thread with each group of packets before they can be shown; it returns false
    /// to stop. Must be called before the first ``read(_:)``.
    public func start(recorder: ((PacketBatch) throws(CaptureError) -> Bool)? = nil) {
      guard !isStarted else { return }
      isStarted = true
      self.recorder = recorder
      started = LiveSource.now()
      let context = Unmanaged.passUnretained(self).toOpaque()
      let failed = pthread_create(
        &thread, nil,
        { context in
          guard let context else { return nil }
          Unmanaged<LiveSource>.fromOpaque(context).takeUnretainedValue().capture()
          return nil
        }, context)
      if failed != 0 {
        isStarted = false
        isEnded = true
      }
    }

    /// Stops capturing; what has arrived can still be read.
    public func stop() {
      guard isStarted else { return }
      pthread_mutex_lock(mutex)
      isEnded = true
      pthread_mutex_unlock(mutex)
      pthread_join(thread, nil)
      isStarted = false
    }

    private static func now() -> Int64 {
      var clock = timespec()
      clock_gettime(CLOCK_MONOTONIC, &clock)
      return Int64(clock.tv_sec) * 1_000_000 + Int64(clock.tv_nsec) / 1000
    }

    // MARK: The capturing thread

    private func capture() {
      var isLast = false
      while true {
        incoming.removeAll()
        countDrops()
        let context = Unmanaged.passUnretained(self).toOpaque()
        let got = pcap_dispatch(
          handle, 256,
          { user, header, bytes in
            guard let user, let header, let bytes else { return }
            Unmanaged<LiveSource>.fromOpaque(UnsafeRawPointer(user)).takeUnretainedValue().take(header.pointee, bytes)
          }, context.assumingMemoryBound(to: UInt8.self))
        if incoming.records.count > 0 {
          do {
            if let recorder, try !recorder(incoming) { isLast = true }
          } catch {
            failure = error
            isLast = true
          }
          pass()
        }
        if got < 0 {
          failure = failure ?? .unavailable(what: "the Bluetooth monitor ended: \(pcap_geterr(handle).map { String(cString: $0) } ?? "")")
          isLast = true
        }
        // Asked to stop: first what the kernel still holds, as it would be thrown away.
        if isLast || got == 0 && shallStop() { break }
        if got == 0 {
          var poll = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
          Glibc.poll(&poll, 1, 100)
        }
      }
      pthread_mutex_lock(mutex)
      isEnded = true
      pthread_cond_broadcast(arrived)
      pthread_mutex_unlock(mutex)
    }

    /// Datagrams that the kernel dropped on the socket: libpcap does not tell (SO_MEMINFO, SK_MEMINFO_DROPS).
    private func countDrops() {
      var info = [UInt32](repeating: 0, count: 16)
      var length = socklen_t(info.count * 4)
      if getsockopt(descriptor, SOL_SOCKET, 55, &info, &length) == 0, length >= 36 { kernelDrops = info[8] }
    }

    private func shallStop() -> Bool {
      if LiveSource.isInterrupted != 0 { return true }
      if let duration = options.duration, LiveSource.now() - started >= duration { return true }
      pthread_mutex_lock(mutex)
      defer { pthread_mutex_unlock(mutex) }
      return isEnded
    }

    private func take(_ header: pcap_pkthdr, _ bytes: UnsafePointer<UInt8>) {
      var record = PacketRecord()
      let count = Int(header.caplen)
      record.offset = incoming.append(bytes: UnsafeRawBufferPointer(start: bytes, count: count))
      record.captured = count
      record.original = Int(header.len)
      record.time = Int64(header.ts.tv_sec) * 1_000_000 + Int64(header.ts.tv_usec)
      LinkType.classify(&record, bytes, linkType: LinkType.linuxMonitor)
      if let wanted = options.adapter, record.adapter != wanted, record.adapter != 0xFFFF { return }
      frame += 1
      record.frame = frame
      record.drops = kernelDrops
      incoming.append(record)
    }

    /// Hands the packets at hand to the reader, unless too many wait already.
    private func pass() {
      pthread_mutex_lock(mutex)
      defer { pthread_mutex_unlock(mutex) }
      if waiting.base.count > options.queue {
        overflowed &+= UInt32(incoming.records.count)
        return
      }
      for var record in incoming.records {
        let bytes = incoming.bytes(record)
        record.offset = waiting.append(bytes: bytes)
        record.drops = record.drops &+ overflowed
        waiting.append(record)
      }
      pthread_cond_signal(arrived)
    }

    // MARK: The reader

    /// Packets that the kernel dropped, and packets that were not shown as their reader was too slow.
    public var losses: (kernel: Int, display: Int) {
      pthread_mutex_lock(mutex)
      defer { pthread_mutex_unlock(mutex) }
      return (Int(kernelDrops), Int(overflowed))
    }

    /// Waits for packets, at most 100 ms: a batch may be empty, so that whoever reads can do other things. Returns false at the end.
    public func read(_ batch: PacketBatch) throws(CaptureError) -> Bool {
      start()
      batch.removeAll()
      pthread_mutex_lock(mutex)
      if waiting.records.isEmpty, !isEnded {
        var until = timespec()
        clock_gettime(CLOCK_REALTIME, &until)
        until.tv_nsec += 100_000_000
        if until.tv_nsec >= 1_000_000_000 {
          until.tv_sec += 1
          until.tv_nsec -= 1_000_000_000
        }
        pthread_cond_timedwait(arrived, mutex, &until)
      }
      let isMore = !waiting.records.isEmpty || !isEnded
      batch.take(from: waiting)
      pthread_mutex_unlock(mutex)
      if !isMore, let failure { throw failure }
      return isMore
    }

    /// A live capture has no start to go back to.
    public func rewind() -> Bool { false }
  }
#endif
