/// A connection that this host had when a capture began, as its kernel reports it.
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

  /// Creates a connection.
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

  /// The HCI monitor of this host, read as packets arrive (libpcap's `bluetooth-monitor`). Meant to be the origin of a ``LiveSource``.
  @safe public final class MonitorSource: PacketSource, DropCounting {
    /// The one interface: the monitor.
    public let interfaces = [CaptureInterface(linkType: LinkType.linuxMonitor.number, name: "bluetooth-monitor")]
    /// Name of the source.
    public let title = "live (Linux monitor)"
    /// The format in which libpcap delivers the monitor.
    public let format = CaptureFormat.pcap
    /// A live capture has no size.
    public var progress: (read: Int, total: Int?) { (0, nil) }
    /// A live capture has no damage.
    public let damage: CaptureDamage? = nil
    /// Connections that the host had when the monitor was opened.
    public let connections: [HostConnection]

    private let handle: OpaquePointer
    private let descriptor: Int32
    private var batch = PacketBatch()
    private var frame = 0
    /// Datagrams dropped by the kernel that a packet has already reported.
    private var reported: UInt32 = 0
    /// Further dropped datagrams, with the time until which they were dropped (µs since 1970). The first later packet reports them.
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
      // The kernel's default buffer holds about 277 small packets; a larger one needs CAP_NET_ADMIN, or is limited by the system's maximum.
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

    /// The path of this program's file.
    public static var executable: String? {
      var buffer = [CChar](repeating: 0, count: 4096)
      return unsafe readlink("/proc/self/exe", &buffer, buffer.count - 1) > 0 ? string(buffer) : nil
    }

    private static func string(_ text: [CChar]) -> String {
      String(decoding: text.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }

    /// The kernel's list of each adapter's connections (HCIGETCONNLIST, include/net/bluetooth/hci_sock.h); it needs no privilege.
    private static func connections(_ socket: Int32) -> [HostConnection] {
      let limit = 64
      var found: [HostConnection] = []
      for adapter in UInt16(0)..<16 {
        // dev_id and conn_num, then 16 bytes each: handle, address, type, out, state, link_mode.
        var list = [UInt8](repeating: 0, count: 4 + 16 * limit)
        unsafe list.withUnsafeMutableBytes { list in
          unsafe list.storeBytes(of: adapter, toByteOffset: 0, as: UInt16.self)
          unsafe list.storeBytes(of: UInt16(limit), toByteOffset: 2, as: UInt16.self)
          guard unsafe btscribe_connections(socket, list.baseAddress) == 0 else { return }
          for number in unsafe 0..<min(limit, Int(list.loadUnaligned(fromByteOffset: 2, as: UInt16.self))) {
            let entry = unsafe UnsafeRawBufferPointer(rebasing: list[4 + 16 * number..<20 + 16 * number])
            // Established ACL and LE links.
            guard unsafe entry[8] == 1 || entry[8] == 0x80, unsafe entry.loadUnaligned(fromByteOffset: 10, as: UInt16.self) == 1 else {
              continue
            }
            unsafe found.append(
              HostConnection(
                adapter: adapter, handle: entry.loadUnaligned(as: UInt16.self) & 0xFFF,
                address: entry.loadUnaligned(fromByteOffset: 2, as: UInt64.self) & 0xFFFF_FFFF_FFFF, isLE: entry[8] == 0x80,
                isCentral: entry.loadUnaligned(fromByteOffset: 12, as: UInt32.self) & 1 != 0))
          }
        }
      }
      return found
    }

    /// Drops all privileges that opening needed: capabilities, and with `sudo`, root for the user who called it.
    public static func dropPrivileges() {
      if geteuid() == 0, let user = environmentVariable("SUDO_UID").flatMap({ UInt32($0) }), user != 0 {
        if let group = environmentVariable("SUDO_GID").flatMap({ UInt32($0) }) {
          setgroups(0, nil)
          setgid(group)
        }
        setuid(user)
      } else if geteuid() != getuid() {
        setuid(getuid())
      }
      _ = btscribe_drop_capabilities()
    }

    /// Drops the capabilities of the program's file. Those of the superuser, who may read files that others may not, stay.
    public static func dropCapabilities() {
      if geteuid() != 0 { _ = btscribe_drop_capabilities() }
    }

    /// Reads the packets that have arrived, or waits for them at most 100 ms: the batch may be empty. Throws ``CaptureError/unavailable(what:)`` when
    /// the monitor ends.
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

    /// Reads the number of datagrams that the kernel dropped on the socket: libpcap does not report it (SO_MEMINFO, SK_MEMINFO_DROPS).
    private func countDrops() {
      var info: (UInt64, UInt64, UInt64, UInt64, UInt32, UInt32) = (0, 0, 0, 0, 0, 0)
      var length = socklen_t(MemoryLayout.size(ofValue: info))
      guard unsafe getsockopt(descriptor, SOL_SOCKET, 55, &info, &length) == 0, length >= 36, info.4 != unreported.last?.drops ?? reported
      else {
        return
      }
      // Packets in the kernel's queue arrived before the dropped ones, for which the queue was full.
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
