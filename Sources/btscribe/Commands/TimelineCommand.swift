import ArgumentParser
import BothSides
import Captures
import Keys
import Profiles
import Output
import Analysis

/// `btscribe timeline`.
struct TimelineCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "timeline",
    abstract: "Print the annotated timeline of captures.",
    discussion: """
      One line per packet, with its meaning below: devices when they are first heard and when they advertise something new, connections, \
      pairing, discovered attributes, values, failures, findings. An answer that only confirms is on the line of its request; an exchange that \
      repeats is one row. The rest is counted at the end, with the option that shows it; -V and filters show everything.
      """)

  @OptionGroup var input: InputOptions
  @OptionGroup var output: OutputOptions
  @OptionGroup var print: PrintOptions

  @Option(
    help: ArgumentHelp(
      "With --format csv: only messages of this kind (profile and message name), with a column for each field.",
      valueName: "profile.message"))
  var message: String?
  @OptionGroup var profiles: ProfileOptions
  @OptionGroup var air: AirOptions

  @Option(
    name: [.customShort("w"), .customLong("write")],
    help: ArgumentHelp(
      "Write the packets that pass to a file instead of printing them, as tshark does; its extension selects the format, - is a pcapng on "
        + "standard output.", valueName: "file"),
    completion: .file())
  var write: String?

  @Option(
    help: ArgumentHelp(
      "Write objects that were transferred (OBEX: phone books, messages, files) into a folder, each with the number of its first packet "
        + "before its name. No file is overwritten.", valueName: "folder"),
    completion: .directory)
  var extract: String?

  func validate() throws {
    if write != nil, extract != nil { throw ValidationError("-w writes packets, --extract objects: not both") }
    if let write {
      if message != nil || output.output != nil {
        throw ValidationError("-w writes packets, -o and --message write the timeline: not both")
      }
      guard Self.target(write) != nil else {
        throw ValidationError("the extension of '\(write)' selects no format; there are .btsnoop, .log, .pcap, .pcapng and .pklg")
      }
    }
    if !air.air.isEmpty, write != nil || message != nil || print.format == .csv {
      throw ValidationError("--air goes with a timeline as text or ndjson")
    }
    if message != nil, print.format != .csv { throw ValidationError("--message makes a table: it goes with --format csv") }
  }

  func run() throws {
    try OutputOptions.spare(input.files + air.air + profiles.profile, from: [output.output, write])
    let profiles = try profiles.load()
    var options = try input.timeline(profiles)
    options.includesFragments = print.showsEveryPacket
    var objects: ObjectFiles?
    if let extract { try CommandError.catching { objects = try ObjectFiles(folder: extract) } }
    options.observer = objects
    if let write, let target = Self.target(write) { return try copy(to: write, target, options) }
    let kind = try message.map { try Self.kind($0, profiles) }
    try output.write { out in
      let table = try kind.map { try MessageTable(out, profile: $0.profile, name: $0.name) }
      try input.forEachCapture { source, facts in
        objects?.beginCapture()
        let heard = try air.heard(input, facts, (source as? DecryptingSource)?.decryptor.ring ?? KeyRing())
        let timeline = Timeline(source, options: options)
        timeline.onProfileError = ProfileOptions.printNotice
        return try Progress.during(timeline, facts.name, isWanted: output.allowsProgress(facts, isGathering: table != nil)) {
          if let table { return try timeline.run(facts, to: table) }
          return try print.run(timeline, facts, to: out, output.style, air: heard)
        }
      }
      try table?.finish()
      if let objects, let extract { Self.printNotices(objects, extract) }
      if let left = table?.leftOut, left > 0 {
        CommandError.printNotice("btscribe: \(left) fields left out: the table has the maximum number of columns\n")
      }
    }
  }

  /// Prints how many objects were written.
  private static func printNotices(_ objects: ObjectFiles, _ folder: String) {
    var text = "btscribe: \(objects.written) \(objects.written == 1 ? "object" : "objects") written to \(CommandError.clean(folder))"
    if objects.leftOut > 0 { text += ", \(objects.leftOut) left out: too long, or too many" }
    CommandError.printNotice(text + "\n")
  }

  /// The capture format for a file's extension; nil where it has none.
  private static func target(_ path: String) -> CaptureTarget? {
    path == "-" ? CaptureTarget(name: "pcapng") : CaptureTarget(path: path)
  }

  /// Writes the packets that pass, of all captures, to one file. Throws ``CommandError``.
  private func copy(to path: String, _ target: CaptureTarget, _ options: Timeline.Options) throws {
    var options = options
    options.includesFragments = true
    var parts: CaptureParts?
    var title = ""
    var fault: CommandError?
    do {
      try input.forEachCapture { source, facts in
        let writers = parts ?? CaptureParts(path, target, source, isSequential: false)
        parts = writers
        writers.source = source
        title = facts.isFromSeveralCaptures ? "\(facts.number + 1) captures" : source.title
        let timeline = Timeline(source, options: options)
        timeline.onProfileError = ProfileOptions.printNotice
        return try Progress.during(timeline, facts.name, isWanted: path != "-") {
          try timeline.run(facts, to: PacketSelection(writers))
        }
      }
    } catch let damage as CommandError where damage.status != CommandError.Status.writing {
      // Packets read before a damage are written, too.
      fault = damage
    }
    try CommandError.catching { try parts?.finish() }
    if !print.rows.quiet { parts?.printNotices(of: title) }
    if let fault { throw fault }
  }

  /// The profile and the message of `--message`. Throws ``CommandError``.
  private static func kind(_ text: String, _ profiles: ProfileSet?) throws -> (profile: String, name: String) {
    let parts = text.split(separator: ".", maxSplits: 1).map(String.init)
    guard parts.count == 2, let profiles else {
      throw CommandError(
        CommandError.Status.usage, "--message \(CommandError.clean(text)): it takes a profile and one of its messages: gopro.query")
    }
    guard let number = profiles.number(parts[0]) else {
      let hint = profiles.closest(parts[0]).map { "; did you mean \"\($0)\"?" } ?? ""
      throw CommandError(CommandError.Status.usage, "no profile is named \"\(CommandError.clean(parts[0]))\"\(hint)")
    }
    let profile = try CommandError.profiles { try profiles.profile(number) }
    let names = profile.messageNames
    guard names.contains(parts[1]) else {
      let near = Spelling.nearest(to: parts[1], among: names)
      let hint = near.isEmpty ? "it has \(names.joined(separator: ", "))" : "close: \(near.joined(separator: ", "))"
      throw CommandError(CommandError.Status.usage, "profile \(parts[0]) has no message \"\(CommandError.clean(parts[1]))\"; \(hint)")
    }
    return (profile.id, parts[1])
  }
}
