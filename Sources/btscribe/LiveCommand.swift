import ArgumentParser
import Captures
import Conversations
import Reports
import Timeline

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// `btscribe live`.
struct LiveCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "live",
    abstract: "Print the timeline as it happens.",
    discussion: """
      Without SOURCE it attaches to the HCI monitor of this host, which needs CAP_NET_RAW. SOURCE may be - for standard input \
      (tcpdump -i bluetooth-monitor -w - | btscribe live -), tcp:HOST:PORT (adb forward tcp:8872 tcp:8872; btscribe live tcp:127.0.0.1:8872), \
      or a file that another program still writes. Ctrl-C ends with the summary.
      """)

  @Argument(help: "What to read instead of this host's adapters.", completion: .file())
  var source: String?

  @Option(name: [.customShort("i"), .customLong("interface")], help: ArgumentHelp("Only this adapter: hci0.", valueName: "adapter"))
  var interface: String?

  @Option(
    name: [.customShort("w"), .customLong("write")],
    help: ArgumentHelp("Write all packets to a file as well; its ending tells the format.", valueName: "file"),
    completion: .file())
  var write: String?

  @Option(
    name: [.customShort("b"), .customLong("ring-buffer")],
    help: ArgumentHelp("Begin a new file after filesize:KB or duration:SECONDS; keep files:NUMBER of them.", valueName: "limit"))
  var ring: [String] = []

  @Option(
    name: [.customShort("a"), .customLong("autostop")],
    help: ArgumentHelp("Stop after duration:SECONDS, filesize:KB or packets:NUMBER.", valueName: "limit"))
  var stop: [String] = []

  @Option(name: .customShort("c"), help: ArgumentHelp("Stop after so many packets.", valueName: "count"))
  var count: Int?

  @OptionGroup var filter: FilterOption
  @OptionGroup var output: OutputOptions
  @OptionGroup var print: PrintOptions
  @OptionGroup var profiles: ProfileOptions
  @OptionGroup var gatt: GATTOptions
  @OptionGroup var extcap: ExtcapOptions

  /// The limits of `-a` and `-b` as numbers.
  private func limits(_ texts: [String], _ names: [String]) throws -> [String: Int] {
    var limits: [String: Int] = [:]
    for text in texts {
      let parts = text.split(separator: ":", maxSplits: 1).map(String.init)
      guard parts.count == 2, names.contains(parts[0]), let value = Int(parts[1]), value > 0, value < 1 << 40 else {
        throw ValidationError("'\(text)' is not one of \(names.map { "\($0):NUMBER" }.joined(separator: ", "))")
      }
      limits[parts[0]] = value
    }
    return limits
  }

  func run() throws {
    if extcap.isWanted {
      try extcap.run()
      return
    }
    let stops = try limits(stop, ["duration", "filesize", "packets"])
    let rings = try limits(ring, ["duration", "filesize", "files"])
    if !ring.isEmpty, write == nil { throw ValidationError("-b needs a file to write: -w FILE") }
    var adapter: UInt16?
    if let interface, interface != "all", interface != "bluetooth-monitor" {
      guard interface.hasPrefix("hci"), let number = UInt16(interface.dropFirst(3)) else {
        throw ValidationError("'\(interface)' is no adapter; they are called hci0, hci1 …")
      }
      adapter = number
    }
    let limit = [count, stops["packets"]].compactMap { $0 }.min()
    try Fault.catching {
      if let source {
        try follow(source, limit: limit)
      } else {
        try capture(adapter, limit: limit, stops: stops, rings: rings)
      }
    }
  }

  /// Another source: a pipe, a stream, a growing file.
  private func follow(_ path: String, limit: Int?) throws {
    var options = CaptureOptions()
    options.follow = true
    let source = try CaptureFile.open(path, options: options)
    try show(source, name: path == "-" ? "standard input" : path, limit: limit, losses: nil)
  }

  #if os(Linux)
    private func capture(_ adapter: UInt16?, limit: Int?, stops: [String: Int], rings: [String: Int]) throws {
      var options = LiveSource.Options()
      options.adapter = adapter
      options.duration = stops["duration"].map { Int64($0) * 1_000_000 }
      // The one thing that needs a privilege comes first; then all are given up, before anything is written or decoded.
      let source = try LiveSource(options)
      LiveSource.dropPrivileges()
      let recorder = try write.map { try Recorder($0, source, filesize: stops["filesize"], packets: limit, rings) }
      let stopping: @convention(c) (Int32) -> Void = { _ in LiveSource.isInterrupted = 1 }
      signal(SIGINT, stopping)
      signal(SIGTERM, stopping)
      if let recorder {
        source.start(recorder: { (batch) throws(CaptureError) in try recorder.write(batch) })
      } else {
        source.start()
      }
      try show(source, name: adapter.map { "hci\($0)" } ?? "all adapters", limit: limit) { source.losses }
      source.stop()
      try recorder?.finish()
    }
  #else
    private func capture(_ adapter: UInt16?, limit: Int?, stops: [String: Int], rings: [String: Int]) throws {
      throw CaptureError.unavailable(what: "live capture needs Linux; read another host's: ssh host btmon -w /dev/stdout | btscribe live -")
    }
  #endif

  /// Prints rows as they come, with a status line on a terminal, and the summary at the end.
  private func show(_ source: any PacketSource, name: String, limit: Int?, losses: (() -> (kernel: Int, display: Int))?) throws {
    let out = try output.openInPlace()
    var options = Timeline.Options()
    options.isLive = true
    options.limit = limit
    let summary = Summary()
    options.observer = summary
    options.profiles = try profiles.load()
    options.filter = try filter.compile(options.profiles)
    options.gatt = try gatt.load()
    let timeline = Timeline(source, options: options)
    timeline.onProfileError = ProfileOptions.say
    let status = StatusLine(isWanted: isatty(2) == 1 && output.isTerminal, losses: losses)
    if status.isWanted {
      out.beforeWriting = { status.clear() }
      timeline.progress = { status.update($0.packets) }
    }
    defer { status.clear() }
    let facts = CaptureFacts(name: name, title: source.title)
    summary.begin(facts)
    let outcome = try print.run(timeline, facts, to: out, output.style)
    status.clear()
    if let losses = losses?(), losses.kernel + losses.display > 0 {
      Fault.say(
        "btscribe: \(losses.kernel) packets dropped by the kernel, \(losses.display) not shown as the output was too slow"
          + (write == nil ? "\n" : " (they are in the file)\n"))
    }
    if print.format == .text, !print.rows.quiet {
      summary.end(outcome)
      out.text("\n")
      SummaryText(out, style: output.style).print(summary)
      try out.flush()
    }
  }
}

/// The line at the bottom of a terminal: packets a second, connections, losses, time.
final class StatusLine: @unchecked Sendable {
  let isWanted: Bool
  private let losses: (() -> (kernel: Int, display: Int))?
  private var isShown = false
  private var start = time(nil)
  private var last = 0
  private var lastPackets = 0
  private var rate = 0

  init(isWanted: Bool, losses: (() -> (kernel: Int, display: Int))?) {
    self.isWanted = isWanted
    self.losses = losses
  }

  /// Takes the line off the terminal.
  func clear() {
    guard isShown else { return }
    isShown = false
    Fault.say("\r\u{1B}[K")
  }

  /// Shows the line anew.
  func update(_ packets: Int) {
    guard isWanted else { return }
    let seconds = time(nil) - start
    if seconds != last {
      rate = (packets - lastPackets) / max(1, seconds - last)
      last = seconds
      lastPackets = packets
    }
    var text = "\(packets) packets, \(rate)/s, \(seconds) s"
    if let losses = losses?(), losses.kernel + losses.display > 0 { text += ", \(losses.kernel) dropped, \(losses.display) not shown" }
    Fault.say("\r\u{1B}[K\u{1B}[2m\(text)\u{1B}[0m")
    isShown = true
  }
}
