import ArgumentParser
import Captures
import Output
import Text

/// Wireshark's interface to capture programs (doc/extcap.adoc): with a link to `btscribe` in Wireshark's extcap folder, it offers two interfaces,
/// this host's HCI monitor and a stream.
struct ExtcapOptions: ParsableArguments {
  private static let monitor = "btscribe"
  private static let stream = "btscribe-stream"
  private static let android = "tcp:127.0.0.1:8872"

  @Flag(help: ArgumentHelp("List what can be captured, for Wireshark.", visibility: .hidden))
  var extcapInterfaces = false

  @Option(help: ArgumentHelp("The interface that Wireshark means.", visibility: .hidden))
  var extcapInterface: String?

  @Option(help: ArgumentHelp("Wireshark's version.", visibility: .hidden))
  var extcapVersion: String?

  @Option(help: ArgumentHelp("Wireshark's capture filter.", visibility: .hidden))
  var extcapCaptureFilter: String?

  @Flag(help: ArgumentHelp("List link types, for Wireshark.", visibility: .hidden))
  var extcapDlts = false

  @Flag(help: ArgumentHelp("List settings, for Wireshark.", visibility: .hidden))
  var extcapConfig = false

  @Flag(name: .customLong("capture"), help: ArgumentHelp("Capture for Wireshark.", visibility: .hidden))
  var capture = false

  @Option(help: ArgumentHelp("Wireshark's pipe.", visibility: .hidden))
  var fifo: String?

  @Option(help: ArgumentHelp("Wireshark's setting: what to read.", visibility: .hidden))
  var stream: String?

  /// Whether Wireshark called the program.
  var isWanted: Bool { extcapInterfaces || extcapDlts || extcapConfig || capture || extcapInterface != nil }

  /// Whether the arguments are Wireshark's, which contain no command.
  static func isWanted(_ arguments: [String]) -> Bool { arguments.contains { $0.hasPrefix("--extcap-") } }

  /// Answers a query, or captures `adapter` (nil for all). Throws ``CommandError``.
  func run(_ adapter: UInt16?) throws {
    let out = TextBuffer(descriptor: 1)
    if extcapInterfaces {
      out.string("extcap {version=\(Btscribe.version)}{display=btscribe}\n")
      out.string("interface {value=\(Self.monitor)}{display=Bluetooth of this host}\n")
      out.string("interface {value=\(Self.stream)}{display=Bluetooth of an Android phone, or another stream}\n")
    } else if extcapDlts {
      out.text("dlt {number=254}{name=BLUETOOTH_LINUX_MONITOR}{display=Bluetooth Linux Monitor}\n")
    } else if extcapConfig {
      if extcapInterface == Self.stream {
        out.string(
          "arg {number=0}{call=--stream}{display=Source}{type=string}{default=\(Self.android)}"
            + "{tooltip=A file, a pipe, or tcp:HOST:PORT; for a phone: adb forward tcp:8872 tcp:8872}\n")
      } else {
        out.text("arg {number=0}{call=--interface}{display=Adapter}{type=string}{default=all}{tooltip=hci0, or all}\n")
      }
    } else if capture {
      guard let fifo else { throw ValidationError("--capture needs --fifo") }
      try CommandError.catching { try record(to: fifo, adapter) }
    }
    try CommandError.catching { try out.flush() }
  }

  private func record(to fifo: String, _ adapter: UInt16?) throws {
    LiveStop.install()
    var options = LiveSource.Options()
    options.adapter = adapter
    let origin: any PacketSource
    if extcapInterface == Self.stream {
      guard let opened = try LiveCommand.open(stream ?? Self.android, options.stop) else { return }
      origin = opened
    } else {
      origin = try Self.host()
    }
    // A thread empties the kernel's queue even if Wireshark reads more slowly than packets arrive.
    let source = LiveSource(origin, options)
    let writer = try CaptureWriter(to: fifo, target: CaptureTarget(.pcap, linkType: 254), inPlace: true)
    let batch = PacketBatch()
    while try source.read(batch) {
      for index in unsafe batch.records.indices { try writer.write(index, of: batch, from: source) }
      if writer.count > 0 { try writer.flush() }
    }
    try writer.finish(source: source)
    let losses = source.losses
    if losses.kernel + losses.display > 0 {
      CommandError.printNotice("\(losses.kernel) packets dropped by the kernel, \(losses.display) as Wireshark was too slow\n")
    }
  }

  #if os(Linux)
    private static func host() throws -> any PacketSource {
      let monitor = try MonitorSource()
      MonitorSource.dropPrivileges()
      return monitor
    }
  #else
    private static func host() throws -> any PacketSource { throw CaptureError.unavailable(what: "live capture needs Linux") }
  #endif
}
