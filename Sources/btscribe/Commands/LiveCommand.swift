import ArgumentParser
import Captures
import Conversations
import Keys
import Profiles
import Output
import Analysis
import BothSides
import Text

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
      or a file that another program is still writing. With --air, it also shows what sniffers hear of the session. Ctrl-C ends with the \
      summary; a second one ends at once. The file that -w writes is complete whenever the program ends.
      """)

  @Argument(help: "What to read instead of this host's adapters.", completion: .file())
  var source: String?

  @Option(name: [.customShort("i"), .customLong("interface")], help: ArgumentHelp("Only this adapter: hci0.", valueName: "adapter"))
  var interface: String?

  @Option(
    name: [.customShort("w"), .customLong("write")],
    help: ArgumentHelp("Also write all packets to a file; its extension selects the format.", valueName: "file"),
    completion: .file())
  var write: String?

  @Option(
    name: [.customShort("b"), .customLong("ring-buffer")],
    help: ArgumentHelp(
      "Begin a new file after filesize:KB, duration:SECONDS or packets:NUMBER; keep files:NUMBER of them.", valueName: "limit"))
  var ring: [String] = []

  @Option(
    name: [.customShort("a"), .customLong("autostop")],
    help: ArgumentHelp("Stop after duration:SECONDS, filesize:KB, files:NUMBER or packets:NUMBER.", valueName: "limit"))
  var stop: [String] = []

  @Option(name: .customShort("c"), help: ArgumentHelp("Stop after this many packets.", valueName: "count"))
  var count: Int?

  @OptionGroup var filter: FilterOption
  @OptionGroup var output: OutputOptions
  @OptionGroup var print: PrintOptions
  @OptionGroup var profiles: ProfileOptions
  @Option(
    help: ArgumentHelp(
      "What a sniffer hears of the same session: a pipe, tcp:HOST:PORT, or a file that another program is still writing; may be given again, "
        + "for several sniffers. The host's keys decrypt it. Rows are printed at once; what was heard of a packet follows when the clocks are aligned.",
      valueName: "source"), completion: .file())
  var air: [String] = []

  @OptionGroup var keys: KeyOptions
  @OptionGroup var gatt: GATTOptions
  @OptionGroup var extcap: ExtcapOptions

  /// The limits of `-a` and `-b` as numbers.
  private static func limits(_ texts: [String]) throws -> Recorder.Limits {
    var limits = Recorder.Limits()
    for text in texts {
      let parts = text.split(separator: ":", maxSplits: 1).map(String.init)
      let value = parts.count == 2 ? Int(parts[1]).flatMap { $0 > 0 && $0 < 1 << 40 ? $0 : nil } : nil
      guard let value else { throw ValidationError("'\(text)' is not a limit; write it like duration:10") }
      switch parts[0] {
      case "duration": limits.seconds = value
      case "filesize": limits.kilobytes = value
      case "files": limits.files = value
      case "packets": limits.packets = value
      default: throw ValidationError("no limit '\(parts[0])'; there are duration, filesize, files and packets")
      }
    }
    return limits
  }

  func validate() throws {
    guard !extcap.isWanted else { return }
    if let count, count < 1 { throw ValidationError("-c takes a number of at least 1") }
    let stop = try Self.limits(stop), ring = try Self.limits(ring)
    if write == nil {
      if !self.ring.isEmpty { throw ValidationError("-b needs a file to write: -w FILE") }
      if stop.kilobytes != nil || stop.files != nil { throw ValidationError("-a filesize and files need a file to write: -w FILE") }
    }
    if !self.ring.isEmpty, ring.kilobytes == nil, ring.seconds == nil, ring.packets == nil {
      throw ValidationError("-b needs to know when a file is full: filesize, duration or packets")
    }
    if stop.files != nil, self.ring.isEmpty { throw ValidationError("-a files needs -b") }
    if !air.isEmpty, print.format == .csv { throw ValidationError("--air needs a timeline as text or ndjson") }
    if air.count + (source == "-" ? 1 : 0) > 1, air.contains("-") { throw ValidationError("standard input can be read once only") }
    if air.isEmpty, keys.crack { throw ValidationError("--crack decrypts what a sniffer hears: it needs --air") }
    _ = try adapter()
  }

  /// The HCI index of the selected adapter, or nil for all.
  private func adapter() throws -> UInt16? {
    guard let interface, interface != "all", interface != "bluetooth-monitor" else { return nil }
    guard interface.hasPrefix("hci"), let number = UInt16(interface.dropFirst(3)) else {
      throw ValidationError("'\(interface)' is not an adapter; adapters are called hci0, hci1 …")
    }
    return number
  }

  func run() throws {
    if extcap.isWanted {
      try extcap.run(try adapter())
      return
    }
    // In HCI packets only devices' own protocols are encrypted: without a sniffer no other keys are accepted.
    if air.isEmpty, let other = keys.key.first(where: { !NamedKey.isNamed($0) && !$0.lowercased().hasPrefix("irk=") }) {
      throw CommandError(
        CommandError.Status.usage,
        "--key: '\(CommandError.clean(String(other.prefix { $0 != "=" }.prefix(20))))' is not a key of a profile: write PROFILE.NAME=HEX, or "
          + "irk=HEX of private addresses")
    }
    try OutputOptions.spare([source].compactMap { $0 } + air + keys.keys + profiles.profile, from: [write, output.output])
    if let write, write == output.output, write != "-" {
      throw CommandError(
        CommandError.Status.usage, "\(CommandError.clean(write)) cannot hold both packets and text: give -w and -o different files")
    }
    try CommandError.catching {
      if let write { try Recorder.target(write) }
      LiveStop.install()
      var options = LiveSource.Options()
      options.adapter = try adapter()
      let stopping = try Self.limits(stop)
      if let source {
        guard let origin = try Self.open(source, options.stop) else { return }
        options.waits = Self.isFile(source)
        try capture(
          origin, options, stopping, name: source == "-" ? "standard input" : source, connections: [],
          profiles: try keys.opening(try profiles.load()))
      } else {
        try attach(options, stopping)
      }
    }
  }

  /// Opens a pipe, a stream or a growing file; nil where it was interrupted before the first data.
  static func open(_ path: String, _ stop: LiveStop) throws -> (any PacketSource)? {
    var options = CaptureOptions()
    options.follow = path != "-"
    options.stop = stop
    do {
      let source = try CaptureFile.open(path, options: options)
      for notice in source.notices { CommandError.printNotice("btscribe: \(CommandError.clean(notice))\n") }
      return source
    } catch {
      if stop.isWanted { return nil }
      throw error
    }
  }

  /// Whether a path is a regular file, from which no packet is lost when it is read slowly.
  static func isFile(_ path: String) -> Bool {
    var status = stat()
    return unsafe (path == "-" ? fstat(0, &status) : stat(path, &status)) == 0 && status.st_mode & S_IFMT == S_IFREG
  }

  #if os(Linux)
    /// The monitor of this host. Throws ``CommandError``, which names the page with more information.
    private static func monitor() throws -> MonitorSource {
      do throws(CaptureError) { return try MonitorSource() } catch {
        var fault = CommandError(error)
        fault.page = .live
        throw fault
      }
    }

    private func attach(_ options: LiveSource.Options, _ stopping: Recorder.Limits) throws {
      // Operations that need a privilege come first; then all privileges are given up, before anything is written or decoded.
      let monitor = try Self.monitor()
      let storage = BlueZStorage.read()
      MonitorSource.dropPrivileges()
      // Profiles and tables are made before the first row; the kernel queues packets that arrive meanwhile.
      let known = try keys.opening(try profiles.load())
      known?.compileAll()
      WarmUpSession.run(print, output.style, known)
      try capture(
        monitor, options, stopping, name: options.adapter.map { "hci\($0)" } ?? "all adapters", connections: monitor.connections,
        storage: storage, profiles: known)
    }
  #else
    private func attach(_ options: LiveSource.Options, _ stopping: Recorder.Limits) throws {
      throw CaptureError.unavailable(what: "live capture needs Linux; read another host's: ssh host btmon -w /dev/stdout | btscribe live -")
    }
  #endif

  private func capture(
    _ origin: any PacketSource, _ options: LiveSource.Options, _ stopping: Recorder.Limits, name: String, connections: [HostConnection],
    storage: BlueZStorage = BlueZStorage(), profiles: ProfileSet?
  ) throws {
    var stopping = stopping
    stopping.packets = [count, stopping.packets].compactMap { $0 }.min()
    let source = LiveSource(origin, options)
    let growing = air.isEmpty ? nil : try SnifferReaders(air, keys, host: options.stop)
    let ring = ring.isEmpty ? nil : try Self.limits(ring)
    let recorder = try write.map { try Recorder($0, source, stop: stopping, ring: ring) }
    if let seconds = stopping.seconds { options.stop.call(in: Int64(seconds) * 1_000_000) }
    if let recorder {
      source.start(recorder: { (batch) throws(CaptureError) in try recorder.write(batch) })
    } else {
      source.start()
    }
    growing?.start()
    defer {
      source.stop()
      growing?.stop()
    }
    let outcome = try show(source, options.stop, name: name, limit: stopping.packets, connections, storage, profiles, growing)
    source.stop()
    try recorder?.finish()
    try growing?.end()
    FilterOption.printNotices(outcome, of: name)
    try recorder?.printLosses()
    if let damage = outcome.damage { throw CommandError(damage, of: name, packets: outcome.packets) }
  }

  /// Prints rows as packets arrive, with a status line on a terminal, and the summary at the end.
  private func show(
    _ source: LiveSource, _ stop: LiveStop, name: String, limit: Int?, _ connections: [HostConnection], _ storage: BlueZStorage,
    _ profiles: ProfileSet?, _ growing: SnifferReaders?
  ) throws -> Outcome {
    let out = try output.openInPlace()
    var options = Timeline.Options()
    options.isLive = true
    // A packet is sent when its first fragment is, so fragments are needed to compare with sniffers.
    options.includesFragments = print.showsEveryPacket || growing != nil
    options.limit = limit
    let summary = Summary()
    let status = StatusLine(out, isWanted: isatty(2) == 1 && output.isTerminal) { source.losses }
    options.observer = LiveObserver(summary, status, growing?.side.host)
    options.profiles = profiles
    options.filter = try filter.compile(options.profiles)
    options.gatt = try gatt.load()
    options.gatt.devices += storage.map.devices
    options.identityKeys = try keys.load().identityKeys + storage.identityKeys
    options.connections = connections
    let timeline = Timeline(growing.map { $0.finding(source, name: name) } ?? source, options: options)
    timeline.onProfileError = {
      status.clear()
      ProfileOptions.printNotice($0)
    }
    let isPipe = output.isPipe
    timeline.progress = {
      status.tick($0.packets)
      // Stops when the reader of the pipe has gone, without waiting for the next packet.
      if isPipe, Self.isDeserted(1) { stop.call() }
    }
    defer { status.clear() }
    let facts = CaptureFacts(name: name, title: source.title)
    summary.begin(facts)
    let outcome = try print.run(timeline, facts, to: out, output.style, growing: growing)
    status.end()
    let losses = source.losses
    if losses.kernel + losses.display > 0 {
      CommandError.printNotice(
        "btscribe: \(InputOptions.grouped(losses.kernel)) packets dropped by the kernel, "
          + "\(InputOptions.grouped(losses.display)) not shown as the output was too slow"
          + (write == nil || losses.display == 0 ? "\n" : " (they are in the file)\n"))
    }
    if print.format == .text, !print.rows.quiet {
      summary.end(outcome)
      out.text("\n")
      SummaryText(out, style: output.style).print(summary, profiles)
      try out.flush()
    }
    return outcome
  }

  /// Whether the reading end of a pipe is closed.
  static func isDeserted(_ descriptor: Int32) -> Bool {
    var polled = pollfd(fd: descriptor, events: 0, revents: 0)
    return unsafe poll(&polled, 1, 0) > 0 && polled.revents & Int16(POLLERR) != 0
  }
}
