import ArgumentParser
import Captures
import Reports

/// What Wireshark asks of a program that captures for it (doc/extcap.adoc): `btscribe live` can be such a program.
struct ExtcapOptions: ParsableArguments {
  @Flag(help: ArgumentHelp("List what can be captured, for Wireshark.", visibility: .hidden))
  var extcapInterfaces = false

  @Option(help: ArgumentHelp("The interface that Wireshark means.", visibility: .hidden))
  var extcapInterface: String?

  @Option(help: ArgumentHelp("Wireshark's version.", visibility: .hidden))
  var extcapVersion: String?

  @Flag(help: ArgumentHelp("List link types, for Wireshark.", visibility: .hidden))
  var extcapDlts = false

  @Flag(help: ArgumentHelp("List settings, for Wireshark.", visibility: .hidden))
  var extcapConfig = false

  @Flag(name: .customLong("capture"), help: ArgumentHelp("Capture for Wireshark.", visibility: .hidden))
  var capture = false

  @Option(help: ArgumentHelp("Wireshark's pipe.", visibility: .hidden))
  var fifo: String?

  /// Wireshark is asking.
  var isWanted: Bool { extcapInterfaces || extcapDlts || extcapConfig || capture }

  func run() throws {
    let out = Output(descriptor: 1)
    if extcapInterfaces {
      out.text("extcap {version=1.0}{display=btscribe}\n")
      out.text("interface {value=btscribe}{display=Bluetooth HCI monitor (btscribe)}\n")
    } else if extcapDlts {
      out.text("dlt {number=254}{name=BLUETOOTH_LINUX_MONITOR}{display=Bluetooth Linux Monitor}\n")
    } else if capture {
      guard let fifo else { throw ValidationError("--capture needs --fifo") }
      try Fault.catching { try record(to: fifo) }
    }
    try Fault.catching { try out.flush() }
  }

  #if os(Linux)
    private func record(to fifo: String) throws {
      let source = try LiveSource()
      LiveSource.dropPrivileges()
      let writer = try CaptureWriter(to: fifo, target: .pcap(linkType: 254), inPlace: true)
      let batch = PacketBatch()
      var isStarted = false
      while try source.read(batch) {
        for index in batch.records.indices {
          try writer.write(index, of: batch, from: source)
          isStarted = true
        }
        if isStarted { try writer.flush() }
      }
      try writer.finish(source: source)
    }
  #else
    private func record(to fifo: String) throws { throw CaptureError.unavailable(what: "live capture needs Linux") }
  #endif
}
