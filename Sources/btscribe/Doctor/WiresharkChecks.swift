import Captures
import Output

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// Checks of Wireshark's access to btscribe.
struct WiresharkChecks {
  private let tshark: ExternalProgram
  /// The program's file.
  private let program: String

  /// All checks. Each run of tshark may take so many seconds.
  static func all(program: String, seconds: Int) -> [Check] {
    guard let path = find() else {
      let what = ExternalProgram.find("wireshark").map { "not on PATH, though Wireshark is: \($0)" } ?? "not on PATH"
      return [Check(.wireshark, "tshark", .missing, what, next: Installer.tshark)]
    }
    let tshark = ExternalProgram(path: path, seconds: seconds)
    let answer = tshark.run(["--version"])
    // "TShark (Wireshark) 4.0.17 (Git v4.0.17 packaged as 4.0.17-0+deb12u3)."; a warning for the superuser can precede it.
    guard answer.isSuccess, let line = answer.lines?.first(where: { $0.hasPrefix("TShark") }) else {
      let why = answer.isSuccess ? "it does not say its version" : answer.complaint("tshark --version", seconds: seconds)
      return [Check(.wireshark, "tshark", .unknown, "\(path): \(why)", next: "tshark --version")]
    }
    let version = line.split(separator: " ").first { $0.first?.isNumber == true } ?? "of unknown version"
    return [
      Check(.wireshark, "tshark", .ok, "\(version.prefix(40)), \(path)", next: "tshark -D"),
      WiresharkChecks(tshark: tshark, program: program).extcap,
    ]
  }

  private static func find() -> String? {
    if let path = ExternalProgram.find("tshark") { return path }
    #if canImport(Darwin)
      let path = "/Applications/Wireshark.app/Contents/MacOS/tshark"
      return ExternalProgram.isExecutable(path) ? path : nil
    #else
      return nil
    #endif
  }

  /// Whether Wireshark offers btscribe as an interface, which needs a link in a folder of Wireshark's.
  private var extcap: Check {
    func check(_ state: Check.State, _ what: String, next: String) -> Check { Check(.wireshark, "extcap", state, what, next: next) }
    let answer = tshark.run(["-D"])
    guard answer.isSuccess, let lines = answer.lines else {
      return check(.unknown, answer.complaint("tshark -D", seconds: tshark.seconds), next: "tshark -D")
    }
    // "11. btscribe (Bluetooth of this host)"
    if lines.contains(where: { $0.split(separator: " ").dropFirst().first == "btscribe" }) {
      return check(.ok, "btscribe is among its interfaces", next: "wireshark -k -i btscribe")
    }
    let folders = folders()
    guard let folder = folders.first else {
      return check(
        .missing, "btscribe is not among its interfaces; tshark does not say where its extcap programs lie", next: "tshark -G folders")
    }
    for folder in folders {
      let path = "\(folder)/btscribe"
      var status = stat()
      guard unsafe lstat(path, &status) == 0 else { continue }
      let isRunnable = ExternalProgram.isExecutable(path)
      return check(
        .missing, isRunnable ? "\(path) exists, but is not in its list of interfaces" : "\(path) exists, but is not an executable program",
        next: isRunnable ? "\(Shell.quoted(path)) --extcap-interfaces" : command(linkingIn: folder))
    }
    return check(
      .missing, "btscribe is not among its interfaces: no link in \(folders.joined(separator: " or "))", next: command(linkingIn: folder))
  }

  /// The folders of extcap programs, the user's own first.
  private func folders() -> [String] {
    // "Personal Extcap path:	/home/user/.local/lib/wireshark/extcap"; older versions have one "Extcap path:".
    let lines = tshark.run(["-G", "folders"]).lines ?? []
    let found = lines.compactMap { line -> (isOwn: Bool, path: String)? in
      guard let colon = line.firstIndex(of: ":"), line[..<colon].lowercased().hasSuffix("extcap path") else { return nil }
      let path = String(line[line.index(after: colon)...].drop { $0 == " " || $0 == "\t" }.prefix(1024))
      return path.hasPrefix("/") ? (line.hasPrefix("Personal"), path) : nil
    }
    return found.filter(\.isOwn).map(\.path) + found.filter { !$0.isOwn }.map(\.path)
  }

  private func command(linkingIn folder: String) -> String {
    let target = Shell.quoted(folder)
    let isOwn = environmentVariable("HOME").map { folder.hasPrefix($0 + "/") } ?? false
    let sudo = isOwn ? "" : "sudo "
    return "\(sudo)mkdir -p \(target) && \(sudo)ln -sf \(Shell.quoted(program)) \(target)/btscribe"
  }
}
