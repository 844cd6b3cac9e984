import Captures
import KaitaiStruct
import Output

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// Checks of this host for live capture.
struct HostChecks {
  /// The result of attaching to the HCI monitor.
  enum Monitor: Equatable {
    case attached
    /// The kernel has Bluetooth, but denies access to this process.
    case forbidden
    case unavailable(String)
  }

  /// The folder that is used as `/`: tests have their own `/sys` and `/proc`.
  var root = ""
  var monitor: Monitor
  /// Release of the kernel.
  var kernel: String
  /// The program's file.
  var program: String
  /// The attribute `security.capability` of that file.
  var fileCapability: [UInt8]?
  /// The file system of the program gives no privileges to programs (nosuid).
  var isOnNosuid = false
  var isSuperuser = false

  /// Number of CAP_NET_RAW.
  private static let netRaw: UInt64 = 13
  private static let remote = "ssh HOST btmon -w /dev/stdout | btscribe live -"

  var checks: [Check] { [kernelCheck, adapterCheck, appArmorCheck, permissionCheck] }

  // MARK: Kernel

  private var kernelCheck: Check {
    switch monitor {
    case .attached: return Check(.live, "kernel", .ok, "Linux \(kernel) has the HCI monitor", next: "btscribe live")
    case .forbidden: return Check(.live, "kernel", .ok, "Linux \(kernel) has Bluetooth", next: "btscribe live")
    case .unavailable(let reason):
      if exists("/sys/module/bluetooth") || exists("/sys/class/bluetooth") {
        return Check(
          .live, "kernel", .missing,
          "Linux \(kernel) has Bluetooth, but not for this process, as in a container with a network of its own: \(reason)",
          next: "docker run --network=host --cap-add=NET_RAW IMAGE btscribe live")
      }
      let folder = "/lib/modules/\(kernel)/kernel/net/bluetooth"
      if names(folder).contains(where: { $0.hasPrefix("bluetooth.ko") }) {
        return Check(
          .live, "kernel", .missing, "the module for Bluetooth is there (\(folder)), but not loaded: \(reason)",
          next: "sudo modprobe bluetooth")
      }
      return Check(.live, "kernel", .missing, "Linux \(kernel): \(reason); nor is there a module in \(folder)", next: Self.remote)
    }
  }

  // MARK: Adapters

  private var adapterCheck: Check {
    let folder = "/sys/class/bluetooth"
    // A connection has an entry too: hci0:64.
    let adapters = names(folder).filter { $0.hasPrefix("hci") && UInt16($0.dropFirst(3)) != nil }
    guard let first = adapters.first else {
      let isThere = exists(folder)
      return Check(
        .live, "adapters", .missing, isThere ? "none: \(folder) is empty" : "none: there is no \(folder)",
        next: "sudo dmesg | grep -i bluetooth")
    }
    let blocked = adapters.filter { isBlocked($0, "soft") || isBlocked($0, "hard") }
    let list = adapters.map { adapter in
      let block =
        isBlocked(adapter, "hard") ? ", blocked by a switch of the machine" : isBlocked(adapter, "soft") ? ", blocked by rfkill" : ""
      return "\(adapter) (\(kind(of: adapter))\(block))"
    }
    let what = list.joined(separator: ", ")
    guard blocked.count == adapters.count else {
      let usable = adapters.first { !blocked.contains($0) } ?? first
      return Check(.live, "adapters", .ok, what, next: "btscribe live -i \(usable)")
    }
    return Check(
      .live, "adapters", .missing, what, next: isBlocked(first, "hard") ? "rfkill list bluetooth" : "rfkill unblock bluetooth")
  }

  /// The bus of an adapter, and the adapter's name on it.
  private func kind(of adapter: String) -> String {
    let device = "/sys/class/bluetooth/\(adapter)/device"
    guard let bus = link("\(device)/subsystem")?.split(separator: "/").last else {
      return exists(device) ? "of unknown kind" : "virtual"
    }
    // For USB the link leads to an interface; the names are attributes of the device above it.
    let names = ["manufacturer", "product"].compactMap { text("\(device)/../\($0)") }.filter { !$0.isEmpty }
    return ([String(bus)] + (names.isEmpty ? [] : [names.joined(separator: " ")])).joined(separator: ": ")
  }

  private func isBlocked(_ adapter: String, _ kind: String) -> Bool {
    let folder = "/sys/class/bluetooth/\(adapter)"
    return names(folder).contains { $0.hasPrefix("rfkill") && text("\(folder)/\($0)/\(kind)") == "1" }
  }

  // MARK: AppArmor

  private var appArmorCheck: Check {
    guard let enabled = text("/sys/module/apparmor/parameters/enabled") else {
      return Check(.live, "apparmor", .ok, "not part of this kernel, or not shown", next: "btscribe live")
    }
    guard enabled.hasPrefix("Y") else { return Check(.live, "apparmor", .ok, "switched off", next: "btscribe live") }
    guard let label = text("/proc/self/attr/apparmor/current") ?? text("/proc/self/attr/current") else {
      return Check(
        .live, "apparmor", .unknown, "on, and does not say whether this process is confined", next: "sudo aa-status")
    }
    if label == "unconfined" { return Check(.live, "apparmor", .ok, "on, and does not confine this process", next: "btscribe live") }
    if monitor == .attached {
      return Check(.live, "apparmor", .ok, "confines this process by \(label), and lets it read the monitor", next: "btscribe live")
    }
    return Check(
      .live, "apparmor", .unknown, "confines this process with \(label); the kernel's log shows whether this denies the monitor",
      next: "sudo journalctl -k -g apparmor")
  }

  // MARK: Permission

  private var permissionCheck: Check {
    let status = text("/proc/self/status") ?? ""
    func number(_ key: String, radix: Int) -> UInt64? {
      status.split(separator: "\n").first { $0.hasPrefix("\(key):") }
        .flatMap { UInt64($0.dropFirst(key.count + 1).drop { $0 == "\t" || $0 == " " }, radix: radix) }
    }
    func has(_ key: String) -> Bool? { number(key, radix: 16).map { $0 >> Self.netRaw & 1 == 1 } }
    let record = "btscribe live -w log.pcapng"
    let holder = isSuperuser ? "this process is the superuser's and has CAP_NET_RAW" : "this process has CAP_NET_RAW"
    if monitor == .attached { return Check(.live, "permission", .ok, "\(holder): it may read the monitor", next: record) }
    let program = Shell.quoted(program)
    switch has("CapEff") {
    case true?:
      guard monitor == .forbidden else {
        return Check(.live, "permission", .ok, "\(holder), which live capture needs", next: record)
      }
      return Check(
        .live, "permission", .missing,
        "\(holder), but the kernel refuses it the monitor: the capability is that of a container, or a policy forbids it",
        next: "docker run --network=host --cap-add=NET_RAW IMAGE btscribe live")
    case nil:
      guard monitor == .forbidden else {
        return Check(
          .live, "permission", .unknown, "/proc/self/status does not say which capabilities this process has", next: "sudo \(program) live")
      }
      return Check(.live, "permission", .missing, "the kernel refuses this process the monitor", next: "sudo \(program) live")
    case false?: break
    }
    guard Self.grantsNetRaw(fileCapability) else {
      let what = "this process has no CAP_NET_RAW, and its file gives it none: \(self.program)"
      if isOnNosuid {
        return Check(.live, "permission", .missing, "\(what), nor could it, on a file system without setuid", next: "sudo \(program) live")
      }
      return Check(.live, "permission", .missing, what, next: "sudo setcap cap_net_raw+ep \(program)")
    }
    let reason =
      if isOnNosuid {
        "it lies on a file system without setuid"
      } else if number("NoNewPrivs", radix: 10) == 1 {
        "this process was started so that it gets no new privileges"
      } else if has("CapBnd") == false {
        "the capability is taken from all processes here"
      } else {
        "the process was started before, or is traced"
      }
    return Check(
      .live, "permission", .missing, "\(self.program) gives CAP_NET_RAW, but this process did not get it: \(reason)",
      next: "sudo \(program) live")
  }

  /// Whether the attribute `security.capability` gives CAP_NET_RAW as required: permitted and effective (struct vfs_cap_data of
  /// include/uapi/linux/capability.h, little endian).
  static func grantsNetRaw(_ attribute: [UInt8]?) -> Bool {
    guard let attribute, attribute.count >= 8 else { return false }
    return attribute[0] & 1 == 1 && UInt64(attribute[4 + Int(netRaw / 8)]) >> (netRaw % 8) & 1 == 1
  }

  // MARK: Files

  private func exists(_ path: String) -> Bool { unsafe access(root + path, F_OK) == 0 }

  /// The text of a small file, without the end of its last line.
  private func text(_ path: String) -> String? {
    guard var bytes = FileImports.read(root + path, limit: 1 << 16) else { return nil }
    while let last = bytes.last, last == 0x0A || last == 0 || last == 0x20 { bytes.removeLast() }
    return String(decoding: bytes, as: UTF8.self)
  }

  private func link(_ path: String) -> String? {
    var target = [UInt8](repeating: 0, count: 4096)
    let count = unsafe target.withUnsafeMutableBytes { target in
      unsafe target.baseAddress.map { unsafe readlink(root + path, $0.assumingMemoryBound(to: CChar.self), target.count) } ?? -1
    }
    return count > 0 ? String(decoding: target[..<count], as: UTF8.self) : nil
  }

  private func names(_ folder: String) -> [String] { Folder.names(root + folder, atMost: 1024) }
}

#if os(Linux)
  extension HostChecks {
    /// Collects the facts about this host and the access of this process to it. Call it before privileges are given up.
    static func run() -> HostChecks {
      let monitor: Monitor
      do throws(CaptureError) {
        _ = try MonitorSource()
        monitor = .attached
      } catch {
        switch error {
        case .forbidden: monitor = .forbidden
        case .unavailable(let what): monitor = .unavailable(what)
        default: monitor = .unavailable(String(describing: error))
        }
      }
      var system = utsname()
      unsafe uname(&system)
      let kernel = unsafe withUnsafeBytes(of: &system.release) { unsafe String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
      let program = MonitorSource.executable ?? "btscribe"
      var facts = HostChecks(monitor: monitor, kernel: kernel, program: program)
      facts.fileCapability = MonitorSource.capability(ofFile: program)
      var mount = statvfs()
      // ST_NOSUID.
      facts.isOnNosuid = unsafe statvfs(program, &mount) == 0 && mount.f_flag & 2 != 0
      facts.isSuperuser = geteuid() == 0
      return facts
    }
  }
#endif
