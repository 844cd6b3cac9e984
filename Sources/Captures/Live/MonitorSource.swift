/// A connection that this host had when a capture began, as its kernel says.
public struct HostConnection: Sendable, Equatable {
  /// Adapter (HCI index).
  public var adapter: UInt16
  /// Connection handle.
  public var handle: UInt16
  /// The peer's address, little-endian value of the six octets.
  public var address: UInt64
  /// Bluetooth Low Energy; else BR/EDR.
  public var isLE: Bool
  /// This host is the central.
  public var isCentral: Bool

  /// Makes a connection from its parts.
  public init(adapter: UInt16, handle: UInt16, address: UInt64, isLE: Bool, isCentral: Bool) {
    self.adapter = adapter
    self.handle = handle
    self.address = address
    self.isLE = isLE
    self.isCentral = isCentral
  }
}

#if os(Linux)
  import CPcap
  import Glibc

  /// The HCI monitor of this host, read as packets arrive (libpcap's `bluetooth-monitor`). Meant to stand behind a ``LiveSource``.
  @safe public final class MonitorSource: PacketSource, DropCounting {
    /// The one interface: the monitor.
    public let interfaces = [CaptureInterface(linkType: LinkType.linuxMonitor.number, name: "bluetooth-monitor")]
    /// What this is.
    public let title = "live (Linux monitor)"
    /// Written as pcap has the monitor.
    public let format = CaptureFormat.pcap
    /// A live capture has no size.
    public var progress: (read: Int, total: Int?) { (0, nil) }
    /// Nothing is cut short.
    public let damage: CaptureDamage? = nil
    /// Connections that the host had when the monitor was opened.
    public let connections: [HostConnection]

    private let handle: OpaquePointer
    private let descriptor: Int32
    private var batch = PacketBatch()
    private var frame = 0
    /// Datagrams that the kernel dropped, as far as a packet has reported them.
    private var reported: UInt32 = 0
    /// More of them, with the time until which they were dropped (µs since 1970). The first packet that came later reports them.
    private var unreported: [(drops: UInt32, time: Int64)] = []

    /// Attaches to the monitor. Throws ``CaptureError/forbidden(what:hint:)`` without `CAP_NET_RAW`, and
    /// ``CaptureError/unavailable(what:)`` where the kernel has no Bluetooth.
    public init() throws(CaptureError) {
      // AF_BLUETOOTH, SOCK_RAW, BTPROTO_HCI: numbers that Glibc has no names for.
      let probe = socket(31, 3, 1)
      if probe < 0 {
        let code = errno
        if code == EPERM || code == EACCES { throw MonitorSource.forbidden }
        throw .unavailable(what: "no Bluetooth on this host: \(systemMessage(code))")
      }
      connections = MonitorSource.connections(probe)
      close(probe)
      var text = [CChar](repeating: 0, count: Int(PCAP_ERRBUF_SIZE))
      guard let handle = unsafe pcap_create("bluetooth-monitor", &text) else {
        throw .unavailable(what: "the Bluetooth monitor cannot be opened: \(MonitorSource.string(text))")
      }
      unsafe pcap_set_snaplen(handle, 65_535)
      unsafe pcap_set_immediate_mode(handle, 1)
      unsafe pcap_set_timeout(handle, 10)
      let status = unsafe pcap_activate(handle)
      if status < 0 {
        let reason = unsafe pcap_geterr(handle).map { unsafe String(cString: $0) } ?? ""
        unsafe pcap_close(handle)
        if status == PCAP_ERROR_PERM_DENIED || reason.contains("Operation not permitted") { throw MonitorSource.forbidden }
        throw .unavailable(what: unsafe "no Bluetooth on this host: \(reason.isEmpty ? String(cString: pcap_statustostr(status)) : reason)")
      }
      unsafe self.handle = unsafe handle
      descriptor = unsafe pcap_get_selectable_fd(handle)
      // The kernel's default holds about 277 small packets; more needs CAP_NET_ADMIN, or stays at the system's bound.
      var size: Int32 = 16 << 20
      if unsafe setsockopt(descriptor, SOL_SOCKET, 33, &size, socklen_t(MemoryLayout<Int32>.size)) != 0 {
        unsafe setsockopt(descriptor, SOL_SOCKET, SO_RCVBUF, &size, socklen_t(MemoryLayout<Int32>.size))
      }
      unsafe pcap_setnonblock(handle, 1, &text)
    }

    deinit { unsafe pcap_close(handle) }

    private static var forbidden: CaptureError {
      .forbidden(what: "live capture needs CAP_NET_RAW", hint: "sudo setcap cap_net_raw+ep \(executable ?? "btscribe")")
    }

    /// The attribute `security.capability` of a file; nil where it has none.
    public static func capability(ofFile path: String) -> [UInt8]? {
      var data = [UInt8](repeating: 0, count: 64)
      let count = Int(unsafe btscribe_file_capability(path, &data, UInt(data.count)))
      return count > 0 ? Array(data[..<count]) : nil
    }

    /// The file of this program.
    public static var executable: String? {
      var buffer = [CChar](repeating: 0, count: 4096)
      return unsafe readlink("/proc/self/exe", &buffer, buffer.count - 1) > 0 ? string(buffer) : nil
    }

    private static func string(_ text: [CChar]) -> String {
      String(decoding: text.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }

    /// What the kernel says of each adapter's connections (HCIGETCONNLIST, include/net/bluetooth/hci_sock.h); it needs no privilege.
    private static func connections(_ socket: Int32) -> [HostConnection] {
      let most = 64
      var found: [HostConnection] = []
      for adapter in UInt16(0)..<16 {
        // dev_id and conn_num, then 16 bytes each: handle, address, type, out, state, link_mode.
        var list = [UInt8](repeating: 0, count: 4 + 16 * most)
        unsafe list.withUnsafeMutableBytes { list in
          unsafe list.storeBytes(of: adapter, toByteOffset: 0, as: UInt16.self)
          unsafe list.storeBytes(of: UInt16(most), toByteOffset: 2, as: UInt16.self)
          guard unsafe btscribe_connections(socket, list.baseAddress) == 0 else { return }
          for number in unsafe 0..<min(most, Int(list.loadUnaligned(fromByteOffset: 2, as: UInt16.self))) {
            let one = unsafe UnsafeRawBufferPointer(rebasing: list[4 + 16 * number..<20 + 16 * number])
            // ACL and LE links that are up.
            guard unsafe one[8] == 1 || one[8] == 0x80, unsafe one.loadUnaligned(fromByteOffset: 10, as: UInt16.self) == 1 else { continue }
            unsafe found.append(
              HostConnection(
                adapter: adapter, handle: one.loadUnaligned(as: UInt16.self) & 0xFFF,
                address: one.loadUnaligned(fromByteOffset: 2, as: UInt64.self) & 0xFFFF_FFFF_FFFF, isLE: one[8] == 0x80,
                isCentral: one.loadUnaligned(fromByteOffset: 12, as: UInt32.self) & 1 != 0))
          }
        }
      }
      return found
    }

    /// Gives up every privilege that opening needed: capabilities, and the user that `sudo` was called by is taken again.
    public static func dropPrivileges() {
      if geteuid() == 0, let user = unsafe getenv("SUDO_UID").flatMap({ unsafe UInt32(String(cString: $0)) }), user != 0 {
        if let group = unsafe getenv("SUDO_GID").flatMap({ unsafe UInt32(String(cString: $0)) }) {
          setgroups(0, nil)
          setgid(group)
        }
        setuid(user)
      } else if geteuid() != getuid() {
        setuid(getuid())
      }
      _ = btscribe_drop_capabilities()
    }

    /// Gives up the capabilities that the program's file bears. Those of the superuser, who may read what others may not, stay.
    public static func dropCapabilities() {
      if geteuid() != 0 { _ = btscribe_drop_capabilities() }
    }

    /// Takes what has arrived, and where there is nothing waits for it, at most 100 ms: the batch may be empty. Throws
    /// ``CaptureError/unavailable(what:)`` when the monitor ends.
    public func read(_ batch: PacketBatch) throws(CaptureError) -> Bool {
      batch.removeAll()
      self.batch = batch
      if try dispatch() == 0 {
        var poll = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        if unsafe Glibc.poll(&poll, 1, 100) > 0 { _ = try dispatch() }
      }
      return true
    }

    private func dispatch() throws(CaptureError) -> Int {
      countDrops()
      let context = unsafe Unmanaged.passUnretained(self).toOpaque()
      let got = unsafe pcap_dispatch(
        handle, 256,
        { user, header, bytes in
          guard let user = unsafe user, let header = unsafe header, let bytes = unsafe bytes else { return }
          unsafe Unmanaged<MonitorSource>.fromOpaque(UnsafeRawPointer(user)).takeUnretainedValue().take(header.pointee, bytes)
        }, unsafe context.assumingMemoryBound(to: UInt8.self))
      if got < 0 {
        throw .unavailable(what: unsafe "the Bluetooth monitor ended: \(pcap_geterr(handle).map { unsafe String(cString: $0) } ?? "")")
      }
      return Int(got)
    }

    /// Datagrams that the kernel dropped on the socket: libpcap does not tell (SO_MEMINFO, SK_MEMINFO_DROPS).
    private func countDrops() {
      var info: (UInt64, UInt64, UInt64, UInt64, UInt32, UInt32) = (0, 0, 0, 0, 0, 0)
      var length = socklen_t(MemoryLayout.size(ofValue: info))
      guard unsafe getsockopt(descriptor, SOL_SOCKET, 55, &info, &length) == 0, length >= 36, info.4 != unreported.last?.drops ?? reported
      else {
        return
      }
      // What waits in the kernel's queue came before what found it full.
      if unreported.count >= 64 { unreported.removeLast() }
      unreported.append((info.4, LiveStop.date()))
    }

    /// Datagrams that the kernel dropped so far.
    var drops: Int {
      countDrops()
      return Int(unreported.last?.drops ?? reported)
    }

    private func take(_ header: pcap_pkthdr, _ bytes: UnsafePointer<UInt8>) {
      var record = PacketRecord()
      let count = Int(header.caplen)
      let packet = unsafe RawSpan(_unsafeStart: bytes, byteCount: count)
      record.offset = batch.append(bytes: packet)
      record.captured = count
      record.original = Int(header.len)
      record.time = Int64(header.ts.tv_sec) * 1_000_000 + Int64(header.ts.tv_usec)
      LinkType.linuxMonitor.classify(&record, packet)
      frame += 1
      record.frame = frame
      while let first = unreported.first, record.time > first.time {
        reported = first.drops
        unreported.removeFirst()
      }
      record.drops = reported
      batch.append(record)
    }

    /// A live capture has no start to go back to.
    public func rewind() -> Bool { false }
  }
#endif
