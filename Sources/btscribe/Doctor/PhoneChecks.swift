import Captures
import Output

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// Checks of phones that are attached by adb.
struct PhoneChecks {
  private let adb: ExternalProgram
  /// The `adb` command as shown to the user.
  private let name: String
  /// Most phones that are checked; the others are counted.
  private static let maxCount = 8

  /// All checks. Each run of adb may take so many seconds.
  static func all(seconds: Int) -> [Check] {
    guard let path = ExternalProgram.find("adb") else { return [missing] }
    let adb = ExternalProgram(path: path, seconds: seconds)
    let version = adb.run(["version"])
    guard version.isSuccess else {
      return [Check(.phone, "adb", .unknown, "\(path): \(version.complaint("adb version", seconds: seconds))", next: "adb version")]
    }
    // "Android Debug Bridge version 1.0.41" is the version of the protocol; a line below has the release, "Version 34.0.4-debian".
    let lines = version.lines ?? []
    let release = lines.first { $0.hasPrefix("Version ") }?.dropFirst(8) ?? lines.first?.split(separator: " ").last
    let there = Check(.phone, "adb", .ok, "\(release?.prefix(60) ?? "of unknown version"), \(path)", next: "adb devices -l")
    return [there] + PhoneChecks(adb: adb, name: "adb").phones()
  }

  private static var missing: Check {
    for variable in ["ANDROID_HOME", "ANDROID_SDK_ROOT"] {
      guard let home = environmentVariable(variable) else { continue }
      let folder = "\(home)/platform-tools"
      guard ExternalProgram.isExecutable("\(folder)/adb") else { continue }
      return Check(
        .phone, "adb", .missing, "not on PATH, but in \(folder)", next: "PATH=\"$PATH\":\(Shell.quoted(folder)) btscribe doctor")
    }
    return Check(.phone, "adb", .missing, "not on PATH: no phone can be asked", next: Installer.adb)
  }

  // MARK: Phones

  /// A line of `adb devices -l`.
  private struct Listed {
    var serial: String
    var state: String
    var model: String?
  }

  private func phones() -> [Check] {
    let answer = adb.run(["devices", "-l"])
    guard answer.isSuccess, let lines = answer.lines else {
      return [
        Check(.phone, "device", .unknown, answer.complaint("adb devices", seconds: adb.seconds), next: "adb kill-server && adb devices -l")
      ]
    }
    let listed = lines.compactMap(Self.listed)
    if listed.isEmpty {
      return [
        Check(
          .phone, "device", .missing,
          "none is attached: a cable for data, and on the phone Developer options, USB debugging", next: "adb devices -l")
      ]
    }
    var checks: [Check] = []
    for phone in listed.prefix(Self.maxCount) {
      // With a single phone, adb needs no serial number.
      let own = PhoneChecks(adb: adb, name: listed.count == 1 ? "adb" : "adb -s \(Shell.quoted(phone.serial))")
      checks += own.phone(phone)
    }
    if listed.count > Self.maxCount {
      checks.append(
        Check(.phone, "device", .unknown, "\(listed.count - Self.maxCount) more are attached, and were not asked", next: "adb devices -l"))
    }
    return checks
  }

  /// `39061FDJH00XYZ  device usb:1-4 product:shiba model:Pixel_8 device:shiba transport_id:1`
  private static func listed(_ line: String) -> Listed? {
    let words = line.split(whereSeparator: { $0 == " " || $0 == "\t" })
    guard words.count >= 2, !line.hasPrefix("List of devices"), !line.hasPrefix("*"), !line.hasPrefix("adb") else { return nil }
    let isForbidden = words.count > 2 && words[1] == "no" && words[2].hasPrefix("permissions")
    let model = words.first { $0.hasPrefix("model:") }.map { $0.dropFirst(6).replacing("_", with: " ") }
    return Listed(
      serial: String(words[0].prefix(80)), state: isForbidden ? "no permissions" : String(words[1].prefix(40)),
      model: model.map { String($0) })
  }

  private func phone(_ phone: Listed) -> [Check] {
    let title = phone.model.map { "\($0.prefix(60)), \(phone.serial)" } ?? phone.serial
    func device(_ state: Check.State, _ what: String, next: String) -> Check {
      Check(.phone, "device", state, "\(title): \(what)", next: next, device: phone.serial)
    }
    switch phone.state {
    case "device": break
    case "unauthorized":
      return [device(.missing, "it waits for \"Allow USB debugging?\" to be answered on its screen", next: "adb reconnect offline")]
    case "authorizing", "connecting": return [device(.unknown, "it is being connected", next: "btscribe doctor")]
    case "no permissions":
      return [device(.missing, "adb has no permissions for it: rules of udev give them", next: Self.udev)]
    case "offline": return [device(.missing, "it does not answer", next: "adb reconnect offline")]
    case "recovery", "sideload", "rescue", "bootloader":
      return [device(.missing, "it has not started Android, but \(phone.state)", next: "\(name) reboot")]
    default: return [device(.unknown, "adb calls its state \(phone.state)", next: "adb devices -l")]
    }
    let answer = query(phone, "getprop")
    guard answer.isSuccess, let lines = answer.lines else {
      return [device(.unknown, answer.complaint("adb shell", seconds: adb.seconds), next: "\(name) shell getprop ro.build.version.release")]
    }
    let facts = Facts(properties: Self.properties(lines))
    guard let release = facts["ro.build.version.release"], let sdk = facts.sdk else {
      return [device(.unknown, "it does not say which Android it has", next: "\(name) shell getprop ro.build.version.release")]
    }
    let build = facts.isDebuggable ? ", a build for developers" : ""
    return [device(.ok, "Android \(release) (API \(sdk))\(build)", next: "\(name) shell")] + bluetooth(phone, facts)
  }

  private static var udev: String {
    ExternalProgram.find("apt-get") != nil
      ? "sudo apt install android-sdk-platform-tools-common"
      : "sudo \"$(command -v adb)\" kill-server && sudo \"$(command -v adb)\" devices"
  }

  private func query(_ phone: Listed, _ command: String) -> ExternalProgram.Outcome { adb.run(["-s", phone.serial, "shell", command]) }

  // MARK: Properties

  /// Properties of a phone.
  private struct Facts {
    var properties: [String: String]

    /// The value of a property; nil where it is not set or empty.
    subscript(_ name: String) -> String? { properties[name].flatMap { $0.isEmpty ? nil : $0 } }
    /// The API level: 34 is Android 14.
    var sdk: Int? { self["ro.build.version.sdk"].flatMap { Int($0) } }
    /// A debuggable build, on which adb can become root.
    var isDebuggable: Bool { self["ro.debuggable"] == "1" }
  }

  /// `[ro.build.version.sdk]: [34]`
  private static func properties(_ lines: [String]) -> [String: String] {
    var properties: [String: String] = [:]
    for line in lines where line.hasPrefix("[") && line.hasSuffix("]") {
      guard let middle = line.firstRange(of: "]: [") else { continue }
      properties[String(line[line.index(after: line.startIndex)..<middle.lowerBound])] = String(
        line[middle.upperBound...].dropLast().prefix(92))
    }
    return properties
  }

  // MARK: The log

  /// The mode of the HCI snoop log.
  private enum Mode: Equatable {
    case full, filtered, off
    /// Logging; the phone has no filtered mode, or does not report the mode.
    case on
    /// The setting has no value.
    case unset
    case other(String)

    /// Parses values of the properties and of the output of dumpsys.
    init(_ text: some StringProtocol) {
      switch text.lowercased() {
      case "full": self = .full
      case "filtered", "snoopheadersfiltered", "mediapktsfiltered": self = .filtered
      case "disabled", "false", "0": self = .off
      case "true", "1": self = .on
      case "empty", "null", "": self = .unset
      default: self = .other(String(text.prefix(40)))
      }
    }
  }

  private func bluetooth(_ phone: Listed, _ facts: Facts) -> [Check] {
    let sdk = facts.sdk ?? 0
    let answer = query(phone, "settings get global bluetooth_on")
    let power = answer.isSuccess ? answer.lines?.first : nil
    let isOn = power == "1"
    var checks: [Check] = []
    switch power {
    case "1": checks.append(Check(.phone, "bluetooth", .ok, "on", next: "\(name) shell dumpsys bluetooth_manager", device: phone.serial))
    case "0":
      checks.append(
        Check(.phone, "bluetooth", .missing, "off: nothing is logged", next: "\(name) shell svc bluetooth enable", device: phone.serial))
    default:
      let why =
        answer.isSuccess
        ? "settings say \(power?.prefix(40) ?? "nothing") of bluetooth_on" : answer.complaint("adb shell", seconds: adb.seconds)
      checks.append(Check(.phone, "bluetooth", .unknown, why, next: "\(name) shell settings get global bluetooth_on", device: phone.serial))
    }
    if answer == .timedOut { return checks }
    let (mode, source) = mode(phone, facts, isOn: power == "0" ? false : true)
    let log = logCheck(phone, facts, mode, source, isOn: isOn)
    return checks + [log] + [fileCheck(phone, facts, sdk)]
  }

  /// The current mode of the log, and the source of that information. The setting at the time when Bluetooth was switched on counts; the properties
  /// apply from the next time on, and a user build hides them from adb.
  private func mode(_ phone: Listed, _ facts: Facts, isOn: Bool) -> (Mode?, String) {
    if isOn, let lines = query(phone, "dumpsys bluetooth_manager | grep SnoopLogSettingAtEnable").lines {
      // "sSnoopLogSettingAtEnable = FULL", "sDefaultSnoopLogSettingAtEnable = empty"; older Android versions have names with m.
      let settings = lines.compactMap { line -> (isDefault: Bool, mode: Mode)? in
        guard let equal = line.firstRange(of: "SnoopLogSettingAtEnable = ") else { return nil }
        return (line[..<equal.lowerBound].hasSuffix("Default"), Mode(line[equal.upperBound...].filter { $0 != " " }))
      }
      if let setting = settings.first(where: { !$0.isDefault })?.mode {
        guard setting == .unset else { return (setting, "dumpsys bluetooth_manager") }
        // Where nothing is set, a debuggable build takes its default, any other build logs nothing.
        let fallback = facts.isDebuggable ? settings.first { $0.isDefault }?.mode : nil
        return (fallback.map { $0 == .unset ? .off : $0 } ?? .off, "dumpsys bluetooth_manager: nothing is set")
      }
    }
    for name in ["persist.bluetooth.btsnooplogmode", "persist.bluetooth.btsnoopenable"] {
      if let value = facts[name], Mode(value) != .unset { return (Mode(value), name) }
    }
    if let sdk = facts.sdk, sdk < 26 {
      let answer = query(phone, "settings get secure bluetooth_hci_log")
      if answer.isSuccess, let line = answer.lines?.first {
        let mode = Mode(line)
        return (mode == .unset ? .off : mode, "the setting bluetooth_hci_log")
      }
    }
    return (nil, "")
  }

  private func logCheck(_ phone: Listed, _ facts: Facts, _ mode: Mode?, _ source: String, isOn: Bool) -> Check {
    let sdk = facts.sdk ?? 0
    func log(_ state: Check.State, _ what: String, next: String) -> Check {
      Check(.phone, "log", state, what, next: next, device: phone.serial)
    }
    let wish = facts["persist.bluetooth.btsnooplogmode"].map { Mode($0) }
    if isOn, wish == .full, mode != .full {
      return log(
        .missing, "set to full, but not since Bluetooth was switched on (\(source)): switch it off and on", next: restart(sdk))
    }
    // Old versions and debuggable builds let adb switch the log on; on others the user has to do it by hand.
    let byHand = "\(name) shell am start -a android.settings.APPLICATION_DEVELOPMENT_SETTINGS"
    let (next, how) =
      if sdk < 26 {
        ("\(name) shell settings put secure bluetooth_hci_log 1", "")
      } else if facts.isDebuggable {
        (
          "\(name) root && \(name) shell setprop \(sdk < 29 ? "persist.bluetooth.btsnoopenable true" : "persist.bluetooth.btsnooplogmode full")",
          ""
        )
      } else {
        (byHand, ": on the phone, Enable Bluetooth HCI snoop log\(sdk < 29 ? "" : ", Enabled")")
      }
    let then = ", then Bluetooth off and on"
    switch mode {
    case .full: return log(.ok, "full: packets are kept whole (\(source))", next: fetch(sdk))
    case .on:
      if sdk < 29 { return log(.ok, "on (\(source))", next: fetch(sdk)) }
      return log(.unknown, "on; whether packets are kept whole it does not say (\(source))", next: byHand)
    case .filtered:
      return log(.missing, "filtered: of most packets only the first bytes are kept (\(source))\(how)\(then)", next: next)
    case .off, .unset: return log(.missing, "off (\(source))\(how)\(then)", next: next)
    case .other(let text): return log(.unknown, "\(text) (\(source)), which is not a known mode", next: byHand)
    case nil:
      return log(
        .unknown,
        isOn
          ? "it does not say: neither dumpsys bluetooth_manager nor the properties, which adb may not see"
          : "it says so only while Bluetooth is on: adb may not see the properties",
        next: isOn ? byHand : "\(name) shell svc bluetooth enable")
    }
  }

  /// Switches Bluetooth off and on. Android 13 can wait for its state.
  private func restart(_ sdk: Int) -> String {
    sdk >= 33
      ? "\(name) shell 'cmd bluetooth_manager disable && cmd bluetooth_manager wait-for-state:STATE_OFF && cmd bluetooth_manager enable'"
      : "\(name) shell 'svc bluetooth disable; sleep 3; svc bluetooth enable'"
  }

  // MARK: Its file

  /// The command that fetches the log where adb may not read it. Before Android 7 a bug report is a text file.
  private func fetch(_ sdk: Int) -> String {
    sdk >= 24 ? "\(name) bugreport bug.zip && btscribe summary bug.zip" : "\(name) bugreport > bug.txt && btscribe summary bug.txt"
  }

  private func fileCheck(_ phone: Listed, _ facts: Facts, _ sdk: Int) -> Check {
    var paths = ["/data/misc/bluetooth/logs/btsnoop_hci.log", "/data/log/bt/btsnoop_hci.log", "/sdcard/btsnoop_hci.log"]
    // Only a name without characters that are special in the phone's shell is used.
    if let own = facts["persist.bluetooth.btsnooppath"], own.hasPrefix("/"), Shell.quoted(own) == own, !paths.contains(own) {
      paths.insert(own, at: 0)
    }
    func file(_ state: Check.State, _ what: String, next: String) -> Check {
      Check(.phone, "file", state, what, next: next, device: phone.serial)
    }
    let answer = query(phone, "ls -l \(paths.joined(separator: " "))")
    guard let lines = answer.lines else {
      return file(.unknown, answer.complaint("adb shell", seconds: adb.seconds), next: fetch(sdk))
    }
    for path in paths {
      // "-rw-rw---- 1 root sdcard_rw 4096 2026-01-31 09:30 /sdcard/btsnoop_hci.log": the size is before the date.
      guard
        let words = lines.lazy.map({ $0.split(separator: " ") }).first(where: {
          $0.first?.hasPrefix("-") == true && $0.last.map(String.init) == path
        }),
        let date = words.firstIndex(where: { $0.count == 10 && $0.split(separator: "-").count == 3 }), date > 0,
        let size = Int(words[date - 1]), size > 0
      else { continue }
      let local = Shell.quoted(String(path.split(separator: "/").last ?? "btsnoop_hci.log"))
      return file(
        .ok, "\(path), \(InputOptions.grouped(size)) bytes, \(words[date])",
        next: "\(name) pull \(path) && btscribe summary \(local)")
    }
    if lines.contains(where: { $0.contains("Permission denied") }) {
      return file(.unknown, "the phone keeps it from adb; its bug report has it", next: fetch(sdk))
    }
    if lines.contains(where: { $0.contains("No such file") }) {
      return file(.missing, "none in the usual places; a bug report still has the last minutes, cut short", next: fetch(sdk))
    }
    return file(.unknown, answer.complaint("adb shell ls", seconds: adb.seconds), next: fetch(sdk))
  }
}
