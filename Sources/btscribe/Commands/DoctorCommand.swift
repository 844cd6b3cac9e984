import ArgumentParser
import Captures
import Output
import Text

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// `btscribe doctor`.
struct DoctorCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "doctor",
    abstract: "Check what is available for capturing: this machine, phones on a cable, Wireshark.",
    discussion: """
      It looks at what live capture needs (the kernel's HCI monitor, adapters, the privilege, AppArmor), asks phones that are attached by adb for \
      their Bluetooth log (whether it is on, full or filtered, and where it lies), and tshark whether it knows btscribe as an interface. Below \
      each missing item is the command to type next. It changes nothing, except that adb starts its server; what it cannot determine is unknown. \
      The exit status is 0 whatever was found: programs read the state of each check from --format json, an array of objects with name \
      (live.kernel, phone.log, …), state (ok, missing or unknown), what and next, and device for those of a phone.
      """)

  enum Format: String, ExpressibleByArgument, CaseIterable { case text, json }

  @Option(help: ArgumentHelp("text for people, json for programs.", valueName: "name"))
  var format: Format = .text

  @Option(help: ArgumentHelp("How long each question to adb or tshark may take.", valueName: "seconds"))
  var timeout = 10

  @OptionGroup var output: OutputOptions

  func validate() throws {
    if !(1...600).contains(timeout) { throw ValidationError("--timeout takes a number of seconds from 1 to 600") }
  }

  func run() throws {
    var checks = Self.host
    // Other programs run without the privileges of this program for live captures.
    Self.dropPrivileges()
    checks += PhoneChecks.all(seconds: timeout)
    checks += WiresharkChecks.all(program: Self.program, seconds: timeout)
    try output.write { out in
      let printer = CheckText(out, style: output.style)
      switch format {
      case .text: printer.print(checks)
      case .json: printer.printJSON(checks)
      }
    }
  }

  #if os(Linux)
    private static var host: [Check] { HostChecks.run().checks }
    private static var program: String { MonitorSource.executable ?? "btscribe" }

    private static func dropPrivileges() {
      let wasSuperuser = geteuid() == 0
      MonitorSource.dropPrivileges()
      // The user who called sudo has a home folder, which contains the keys of adb.
      guard wasSuperuser, geteuid() != 0, let user = unsafe getpwuid(geteuid()) else { return }
      unsafe setenv("HOME", user.pointee.pw_dir, 1)
    }
  #else
    private static var host: [Check] {
      [
        Check(
          .live, "kernel", .missing,
          "no program but Apple's PacketLogger may read the traffic of this system; save what it shows as .pklg, or read that of a Linux host",
          next: "ssh HOST btmon -w /dev/stdout | btscribe live -")
      ]
    }
    private static var program: String {
      let name = CommandLine.arguments[0]
      return name.hasPrefix("/") ? name : ExternalProgram.find(name) ?? name
    }
    private static func dropPrivileges() {}
  #endif
}
