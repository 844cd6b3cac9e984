import Foundation
import Output
import Testing

@testable import btscribe

/// The checks of `btscribe doctor` on machines, phones and Wireshark in several states. Programs are scripts with the output of real ones.
@Suite struct DoctorTests {
  struct Row: Decodable {
    var name: String
    var state: String
    var what: String
    var next: String
    var device: String?
  }

  /// A script: the arguments that it expects, and the shell command that it runs for them.
  typealias Script = [(arguments: String, answer: String)]

  /// Runs the program with only these scripts in PATH.
  private func doctor(
    _ options: String = "--format json", adb: Script? = nil, tshark: Script? = nil, before: String = "", after: String = ""
  ) throws -> (status: Int32, output: String, errors: String) {
    var line = "mkdir \"$TMP/bin\"\n\(before)\n"
    for (name, script) in [("adb", adb), ("tshark", tshark)] {
      guard let script else { continue }
      let cases = script.map { "'\($0.arguments)') \($0.answer);;\n" }.joined()
      line += "cat > \"$TMP/bin/\(name)\" <<'END'\n#!/bin/sh\ncase \"$*\" in\n\(cases)*) echo \"not expected: $*\"; exit 9;;\nesac\nEND\n"
      line += "chmod +x \"$TMP/bin/\(name)\"\n"
    }
    return try Program.shell("\(line)PATH=\"$TMP/bin\" '\(Program.path)' doctor \(options)\nstatus=$?\n\(after)\nexit $status")
  }

  /// The checks of a topic.
  private func rows(_ topic: String, _ result: (status: Int32, output: String, errors: String)) throws -> [Row] {
    #expect(result.status == 0 && result.errors.isEmpty, "\(result.errors)")
    let rows = try JSONDecoder().decode([Row].self, from: Data(result.output.utf8))
    for row in rows {
      #expect(["ok", "missing", "unknown"].contains(row.state) && !row.what.isEmpty && !row.next.isEmpty, "\(row)")
    }
    return rows.filter { $0.name.hasPrefix(topic + ".") }
  }

  private func states(_ rows: [Row]) -> [String] { rows.map { "\($0.name) \($0.state)" } }

  // MARK: Phones

  private static let version: Script = [("version", "echo 'Android Debug Bridge version 1.0.41'; echo 'Version 34.0.4-debian'")]

  /// A phone whose shell gives these answers.
  private static func phone(
    sdk: Int = 34, release: String = "14", properties: [String: String] = [:], shell: Script = [], on: String = "1"
  ) -> Script {
    let all = ["ro.build.version.sdk": String(sdk), "ro.build.version.release": release].merging(properties) { $1 }
    let lines = all.sorted { $0.key < $1.key }.map { "echo '[\($0.key)]: [\($0.value)]'" }.joined(separator: "; ")
    let listed = "echo 'List of devices attached'; echo 'R5CT  device usb:1-4 product:shiba model:Pixel_8 transport_id:1'"
    return version + [("devices -l", listed), ("-s R5CT shell getprop", lines)]
      + [("-s R5CT shell settings get global bluetooth_on", "echo \(on)")] + shell
  }

  private static func dump(_ mode: String) -> Script.Element {
    (
      "-s R5CT shell dumpsys bluetooth_manager | grep SnoopLogSettingAtEnable",
      "echo 'sSnoopLogSettingAtEnable = \(mode)'; echo 'sDefaultSnoopLogSettingAtEnable = empty'"
    )
  }

  private static let paths = "/data/misc/bluetooth/logs/btsnoop_hci.log /data/log/bt/btsnoop_hci.log /sdcard/btsnoop_hci.log"
  private static let hidden: Script.Element = (
    "-s R5CT shell ls -l \(paths)", "for one in \(paths); do echo \"ls: $one: Permission denied\" >&2; done; exit 1"
  )

  @Test func saysThatThereIsNoAdb() throws {
    let rows = try rows("phone", doctor())
    #expect(states(rows) == ["phone.adb missing"])
    #expect(rows.first?.next.contains("platform-tools") == true)
  }

  @Test func findsAdbOfAnSDK() throws {
    let before =
      "mkdir -p \"$TMP/s dk/platform-tools\"; printf '#!/bin/sh\\n' > \"$TMP/s dk/platform-tools/adb\"; chmod +x \"$TMP/s dk/platform-tools/adb\""
    let result = try doctor(before: before + "; export ANDROID_HOME=\"$TMP/s dk\"")
    let rows = try rows("phone", result)
    #expect(states(rows) == ["phone.adb missing"])
    #expect(rows.first?.next == "PATH=\"$PATH\":'$TMP/s dk/platform-tools' btscribe doctor", "\(rows)")
  }

  @Test func saysThatNoPhoneIsAttached() throws {
    let rows = try rows(
      "phone",
      doctor(adb: Self.version + [("devices -l", "echo '* daemon started successfully' >&2; echo 'List of devices attached'; echo")]))
    #expect(states(rows) == ["phone.adb ok", "phone.device missing"])
    #expect(rows.first?.what.hasPrefix("34.0.4-debian, ") == true && rows.last?.next == "adb devices -l")
  }

  @Test(arguments: [
    ("unauthorized usb:1-4 transport_id:3", "missing", "Allow USB debugging"), ("offline transport_id:1", "missing", "does not answer"),
    (
      "no permissions (user in plugdev group; are your udev rules wrong?); see [http://developer.android.com/tools/device.html]", "missing",
      "udev"
    ),
    ("recovery", "missing", "recovery"), ("dancing", "unknown", "dancing"),
  ])
  func saysWhatKeepsAPhoneAway(state: (String, String, String)) throws {
    let answer = "echo 'List of devices attached'; echo '39061FDJH00XYZ \(state.0)'"
    let rows = try rows("phone", doctor(adb: Self.version + [("devices -l", answer)]))
    #expect(states(rows) == ["phone.adb ok", "phone.device \(state.1)"])
    #expect(rows.last?.device == "39061FDJH00XYZ" && rows.last?.what.contains(state.2) == true, "\(rows)")
  }

  @Test func aFullLogIsFetched() throws {
    let rows = try rows("phone", doctor(adb: Self.phone(shell: [Self.dump("FULL"), Self.hidden])))
    #expect(states(rows) == ["phone.adb ok", "phone.device ok", "phone.bluetooth ok", "phone.log ok", "phone.file unknown"])
    #expect(rows[1].what == "Pixel 8, R5CT: Android 14 (API 34)" && rows[3].what.hasPrefix("full"))
    #expect(rows[4].next == "adb bugreport bug.zip && btscribe summary bug.zip")
  }

  @Test(arguments: [("FILTERED", "filtered"), ("DISABLED", "off"), ("EMPTY", "off")])
  func aLogThatIsNotFullIsSwitchedOn(mode: (String, String)) throws {
    let user = try rows("phone", doctor(adb: Self.phone(shell: [Self.dump(mode.0), Self.hidden])))[3]
    #expect(user.state == "missing" && user.what.hasPrefix(mode.1), "\(user)")
    #expect(user.next == "adb shell am start -a android.settings.APPLICATION_DEVELOPMENT_SETTINGS")
    // On a developer build adb can set it.
    let properties = ["ro.debuggable": "1"]
    let developer = try rows("phone", doctor(adb: Self.phone(properties: properties, shell: [Self.dump(mode.0), Self.hidden])))[3]
    #expect(developer.state == "missing" && developer.next == "adb root && adb shell setprop persist.bluetooth.btsnooplogmode full")
  }

  @Test func aLogThatWasSetIsNotYetOn() throws {
    let adb = Self.phone(properties: ["persist.bluetooth.btsnooplogmode": "full"], shell: [Self.dump("DISABLED"), Self.hidden])
    let log = try rows("phone", doctor(adb: adb))[3]
    #expect(log.state == "missing" && log.what.contains("not since Bluetooth was switched on") && log.next.contains("STATE_OFF"), "\(log)")
  }

  /// The properties of a user build are hidden from adb: a missing property has no meaning.
  @Test func whatAPhoneDoesNotSayIsUnknown() throws {
    let silent = Self.dump("").arguments
    let on = try rows("phone", doctor(adb: Self.phone(shell: [(silent, "exit 1"), Self.hidden])))[3]
    #expect(on.state == "unknown" && on.what.contains("does not say"), "\(on)")
    let off = try rows("phone", doctor(adb: Self.phone(shell: [Self.hidden], on: "0")))
    #expect(states(off).contains("phone.bluetooth missing") && off[3].state == "unknown", "\(off)")
    #expect(off[3].next == "adb shell svc bluetooth enable")
  }

  @Test func anOldPhoneHasASettingAndAFile() throws {
    let file = "/sdcard/btsnoop_hci.log"
    let found =
      "echo 'ls: /data/misc/bluetooth/logs/btsnoop_hci.log: Permission denied' >&2; echo '-rw-rw---- root sdcard_rw 123456 2026-01-31 09:30 \(file)'"
    func old(_ setting: String) -> Script {
      Self.phone(
        sdk: 23, release: "6.0.1",
        shell: [
          (Self.dump("").arguments, "exit 1"), ("-s R5CT shell settings get secure bluetooth_hci_log", "echo \(setting)"),
          ("-s R5CT shell ls -l \(Self.paths)", found),
        ])
    }
    let on = try rows("phone", doctor(adb: old("1")))
    #expect(states(on).suffix(2) == ["phone.log ok", "phone.file ok"])
    #expect(on[4].what.contains("123 456 bytes") && on[4].next == "adb pull \(file) && btscribe summary btsnoop_hci.log", "\(on)")
    let off = try rows("phone", doctor(adb: old("null")))[3]
    #expect(off.state == "missing" && off.next == "adb shell settings put secure bluetooth_hci_log 1", "\(off)")
  }

  @Test func severalPhonesAreReported() throws {
    let listed = "echo 'List of devices attached'; for one in 1 2 3 4 5 6 7 8 9 10; do echo \"phone$one offline\"; done"
    let rows = try rows("phone", doctor(adb: Self.version + [("devices -l", listed)]))
    #expect(rows.count == 10 && rows.last?.state == "unknown" && rows.last?.what.hasPrefix("2 more") == true, "\(rows)")
  }

  // MARK: Programs that do harm

  @Test func aProgramThatHangsIsStopped() throws {
    let result = try doctor("--format json --timeout 1", adb: [("version", "kill -STOP $$")], tshark: [("--version", "kill -STOP $$")])
    #expect(try states(rows("phone", result)) == ["phone.adb unknown"])
    #expect(try states(rows("wireshark", result)) == ["wireshark.tshark unknown"])
    #expect(result.output.contains("no answer within 1 s"))
  }

  @Test func aProgramWithoutEndIsStopped() throws {
    let endless =
      "text=0123456789; text=$text$text$text$text$text; text=$text$text$text$text$text; while :; do echo $text$text$text$text; done"
    let rows = try rows("phone", doctor(adb: [("version", endless)]))
    #expect(states(rows) == ["phone.adb unknown"] && rows[0].what.contains("without an end"), "\(rows)")
  }

  /// adb leaves its server running, which may keep the pipe open.
  @Test func whatAProgramLeavesBehindIsNotWaitedFor() throws {
    let result = try doctor(
      adb: [
        ("version", "{ read line < \"$TMP/fifo\"; } & echo 'Android Debug Bridge version 1.0.41'"),
        ("devices -l", "echo List of devices attached"),
      ],
      before: "mkfifo \"$TMP/fifo\"", after: "echo > \"$TMP/fifo\"")
    #expect(try states(rows("phone", result)) == ["phone.adb ok", "phone.device missing"])
  }

  /// Texts from a phone move no cursor, and a command with its serial number is harmless when it is pasted.
  @Test(arguments: ["--color never", "--color always", "--width 80", "--format json"])
  func textsOfPhonesAreEscaped(options: String) throws {
    let serial = "$(touch${IFS}x)\\033]0;x\\007\\302\\233"
    let listed = "printf 'List of devices attached\\n\(serial) offline model:\\033[2J\\nA;B\\302\\2332J unauthorized\\n'"
    let result = try doctor(options, adb: [("version", "printf 'Version \\033[31m7\\007\\n'"), ("devices -l", listed)])
    let plain = result.output.replacing("\u{1B}[0m", with: "").replacing(/\u{1B}\[[0-9]+m/, with: "")
    let harmful = plain.unicodeScalars.filter { $0.value < 0x20 && $0 != "\n" || (0x7F...0x9F).contains($0.value) }
    #expect(result.status == 0 && harmful.isEmpty && result.output.contains("touch"), "\(result.output)")
    #expect(!result.output.contains("\u{1B}[31m7"))
  }

  @Test(arguments: [
    ("R5CT-1.2:3", "R5CT-1.2:3"), ("a b", "'a b'"), ("$(x)", "'$(x)'"), ("it's", "'it'\\''s'"), ("", "''"), ("~root", "'~root'"),
  ])
  func wordsAreQuoted(word: (String, String)) {
    #expect(Shell.quoted(word.0) == word.1)
  }

  // MARK: Wireshark

  private static func tshark(_ interfaces: String, folders: String = "") -> Script {
    [
      ("--version", "echo 'Running as user \"root\".' >&2; echo 'TShark (Wireshark) 4.4.6 (Git v4.4.6).'"),
      ("-D", "printf '1. eth0\\n\(interfaces)'"), ("-G folders", "printf '\(folders)'"),
    ]
  }

  @Test func saysWhetherWiresharkKnowsIt() throws {
    #expect(try states(rows("wireshark", doctor())) == ["wireshark.tshark missing"])
    let known = try rows("wireshark", doctor(tshark: Self.tshark("2. btscribe (Bluetooth of this host)\\n")))
    #expect(states(known) == ["wireshark.tshark ok", "wireshark.extcap ok"] && known[0].what.hasPrefix("4.4.6, "))
    let old = try rows("wireshark", doctor(tshark: Self.tshark("", folders: "Extcap path:         \\t/nowhere/ext cap\\n")))
    #expect(old[1].state == "missing" && old[1].next.hasPrefix("sudo mkdir -p '/nowhere/ext cap' && sudo ln -sf "), "\(old)")
    let folders = "Personal Extcap path:\\t/nonexistent/.local/lib/wireshark/extcap\\nGlobal Extcap path:\\t/nowhere/extcap\\n"
    let new = try rows("wireshark", doctor(tshark: Self.tshark("2. btscribe-stream (x)\\n", folders: folders)))
    #expect(new[1].next.hasPrefix("mkdir -p /nonexistent/.local/lib/wireshark/extcap && ln -sf "), "\(new)")
    #expect(new[1].next.hasSuffix(" /nonexistent/.local/lib/wireshark/extcap/btscribe"))
    let refused = try rows("wireshark", doctor(tshark: [Self.tshark("")[0], ("-D", "echo 'no permission' >&2; exit 2")]))
    #expect(refused[1].state == "unknown" && refused[1].what == "tshark -D ended with status 2: no permission", "\(refused)")
  }

  @Test func aLinkToNothingIsReported() throws {
    let before = "mkdir \"$TMP/extcap\"; ln -s /nowhere \"$TMP/extcap/btscribe\""
    let script = [Self.tshark("")[0], ("-D", "echo 1. eth0"), ("-G folders", "echo \"Extcap path: $TMP/extcap\"")]
    let extcap = try rows("wireshark", doctor(tshark: script, before: before))[1]
    #expect(extcap.state == "missing" && extcap.what.contains("not an executable program"), "\(extcap)")
  }

  // MARK: How it looks

  @Test func linesFitTheTerminal() throws {
    let adb = Self.phone(shell: [Self.dump("FILTERED"), Self.hidden])
    for width in [80, 120] {
      let result = try doctor("--width \(width)", adb: adb, tshark: Self.tshark(""))
      // The lines before have paths of this machine, which may be long.
      let lines = result.output.split(separator: "\n").drop { $0 != "Phones attached by adb" }
      // Commands are not wrapped, so that they can be copied.
      #expect(lines.allSatisfy { $0.count <= width || $0.contains("  $ ") }, "\(result.output)")
      #expect(
        lines.contains("Phones attached by adb") && lines.contains("  ✓ device     Pixel 8, R5CT: Android 14 (API 34)"), "\(result.output)"
      )
    }
  }

  @Test func whatIsNoNumberOfSecondsIsRefused() throws {
    let result = try doctor("--timeout 0")
    #expect(result.status == 64 && result.errors.contains("--timeout takes"))
  }
}

/// The checks of `btscribe doctor` on machines that are simulated by folders.
@Suite struct HostCheckTests {
  /// A folder used as `/`, with these files; an entry that begins with `->` is a link.
  private func check(
    _ files: [String: String] = [:], monitor: HostChecks.Monitor = .forbidden, _ change: (inout HostChecks) -> Void = { _ in }
  ) throws -> [String: Check] {
    let root = FileManager.default.temporaryDirectory.appendingPathComponent("btscribe-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: root, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: root) }
    for (path, text) in files {
      let file = root.appendingPathComponent(path)
      try FileManager.default.createDirectory(at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
      if text.hasPrefix("->") {
        try FileManager.default.createSymbolicLink(atPath: file.path, withDestinationPath: String(text.dropFirst(2)))
      } else {
        try Data(text.utf8).write(to: file)
      }
    }
    var facts = HostChecks(root: root.path, monitor: monitor, kernel: "6.12.4", program: "/usr/bin/btscribe")
    change(&facts)
    let checks = facts.checks
    #expect(checks.map(\.name) == ["live.kernel", "live.adapters", "live.apparmor", "live.permission"])
    #expect(checks.allSatisfy { !$0.what.isEmpty && !$0.next.isEmpty && $0.device == nil })
    return Dictionary(uniqueKeysWithValues: checks.map { ($0.label, $0) })
  }

  private static func status(_ capabilities: UInt64 = 0, bounding: UInt64 = 0x1FF_FFFF_FFFF, noNew: Int = 0) -> [String: String] {
    [
      "proc/self/status":
        "Name:\tbtscribe\nCapPrm:\t0000000000000000\nCapEff:\t\(String(capabilities, radix: 16))\nCapBnd:\t\(String(bounding, radix: 16))\nNoNewPrivs:\t\(noNew)\n"
    ]
  }

  /// `setcap cap_net_raw+ep`, and `+p`.
  private static let granted: [UInt8] = [1, 0, 0, 2, 0, 0x20, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0]

  @Test func theKernelIsReportedFromAContainer() throws {
    #expect(try check(monitor: .attached)["kernel"]?.state == .ok)
    #expect(try check()["kernel"]?.state == .ok)
    let refusal = HostChecks.Monitor.unavailable("Address family not supported by protocol")
    let none = try check(monitor: refusal)["kernel"]
    #expect(none?.state == .missing && none?.next == "ssh HOST btmon -w /dev/stdout | btscribe live -")
    let module = try check(["lib/modules/6.12.4/kernel/net/bluetooth/bluetooth.ko.xz": ""], monitor: refusal)["kernel"]
    #expect(module?.state == .missing && module?.next == "sudo modprobe bluetooth")
    let container = try check(["sys/module/bluetooth/refcnt": "1"], monitor: refusal)["kernel"]
    #expect(container?.state == .missing && container?.what.contains("container") == true)
  }

  @Test func adaptersAreReported() throws {
    let adapter = "sys/class/bluetooth/hci0", usb = "sys/devices/usb1/1-4"
    var files = [
      adapter: "->../../devices/usb1/1-4/1-4:1.0/bluetooth/hci0", "\(usb)/product": "AX201\n", "\(usb)/manufacturer": "Intel\n",
      "\(usb)/1-4:1.0/subsystem": "->../../../../bus/usb", "\(usb)/1-4:1.0/bluetooth/hci0/device": "->../../../1-4:1.0",
      "\(usb)/1-4:1.0/bluetooth/hci0/rfkill3/soft": "0\n", "\(usb)/1-4:1.0/bluetooth/hci0/rfkill3/hard": "0\n",
      "sys/class/bluetooth/hci0:64": "a connection",
    ]
    let usable = try check(files)["adapters"]
    #expect(
      usable?.state == .ok && usable?.what == "hci0 (usb: Intel AX201)" && usable?.next == "btscribe live -i hci0", "\(usable as Any)")
    files["\(usb)/1-4:1.0/bluetooth/hci0/rfkill3/soft"] = "1\n"
    let blocked = try check(files)["adapters"]
    #expect(blocked?.state == .missing && blocked?.next == "rfkill unblock bluetooth", "\(blocked as Any)")
    files["sys/class/bluetooth/hci1/uevent"] = ""
    let second = try check(files)["adapters"]
    #expect(second?.state == .ok && second?.what.hasSuffix(", hci1 (virtual)") == true && second?.next == "btscribe live -i hci1")
    files["\(usb)/1-4:1.0/bluetooth/hci0/rfkill3/hard"] = "1\n"
    files["sys/class/bluetooth/hci1/uevent"] = nil
    #expect(try check(files)["adapters"]?.next == "rfkill list bluetooth")
    #expect(try check()["adapters"]?.what == "none: there is no /sys/class/bluetooth")
    #expect(try check(["sys/class/bluetooth/x": ""])["adapters"]?.what == "none: /sys/class/bluetooth is empty")
  }

  @Test func whatIsMissingForTheMonitorIsReported() throws {
    let plain = try check(Self.status())["permission"]
    #expect(plain?.state == .missing && plain?.next == "sudo setcap cap_net_raw+ep /usr/bin/btscribe")
    #expect(
      try check(Self.status()) { $0.program = "/opt/my tools/btscribe" }["permission"]?.next
        == "sudo setcap cap_net_raw+ep '/opt/my tools/btscribe'")
    let nosuid = try check(Self.status()) { $0.isOnNosuid = true }["permission"]
    #expect(nosuid?.state == .missing && nosuid?.next == "sudo /usr/bin/btscribe live")
    #expect(try check(Self.status(1 << 13), monitor: .attached)["permission"]?.state == .ok)
    let root = try check(Self.status(0x1FF_FFFF_FFFF), monitor: .unavailable("none")) { $0.isSuperuser = true }["permission"]
    #expect(root?.state == .ok && root?.what.contains("superuser") == true)
    // Root in a container has the capability only for the container.
    #expect(try check(Self.status(1 << 13))["permission"]?.state == .missing)
    #expect(try check(monitor: .unavailable("none"))["permission"]?.state == .unknown)
  }

  @Test func whyACapabilityOfTheFileDoesNotCountIsReported() throws {
    func what(_ files: [String: String], nosuid: Bool = false) throws -> String {
      let permission = try check(files) {
        $0.fileCapability = Self.granted
        $0.isOnNosuid = nosuid
      }["permission"]
      #expect(permission?.state == .missing)
      return permission?.what ?? ""
    }
    #expect(try what(Self.status(), nosuid: true).contains("without setuid"))
    #expect(try what(Self.status(noNew: 1)).contains("no new privileges"))
    #expect(try what(Self.status(bounding: 0)).contains("taken from all"))
    #expect(HostChecks.grantsNetRaw(Self.granted))
    // Permitted is not enough, and neither is another capability.
    #expect(!HostChecks.grantsNetRaw([0] + Self.granted.dropFirst()) && !HostChecks.grantsNetRaw([1, 0, 0, 2, 0, 0x10, 0, 0]))
    #expect(!HostChecks.grantsNetRaw([1, 0, 0]) && !HostChecks.grantsNetRaw(nil))
  }

  @Test func appArmorIsReportedWhereItConfines() throws {
    let on = ["sys/module/apparmor/parameters/enabled": "Y\n"]
    #expect(try check()["apparmor"]?.state == .ok)
    #expect(try check(["sys/module/apparmor/parameters/enabled": "N\n"])["apparmor"]?.what == "switched off")
    #expect(try check(on)["apparmor"]?.state == .unknown)
    #expect(try check(on.merging(["proc/self/attr/current": "unconfined\n"]) { $1 })["apparmor"]?.state == .ok)
    let confined = on.merging(["proc/self/attr/apparmor/current": "snap.btscribe (enforce)\n"]) { $1 }
    let unknown = try check(confined)["apparmor"]
    #expect(
      unknown?.state == .unknown && unknown?.what.contains("snap.btscribe (enforce)") == true && unknown?.next.contains("apparmor") == true)
    #expect(try check(confined, monitor: .attached)["apparmor"]?.state == .ok)
  }
}
