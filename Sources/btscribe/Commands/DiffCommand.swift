import Analysis
import ArgumentParser
import Captures
import Comparison
import Conversations
import Output
import Profiles
import Text

/// `btscribe diff`.
struct DiffCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "diff",
    abstract: "Say what went otherwise in two captures: a good one and a bad one.",
    discussion: """
      Compares what was done and what was said, device by device and connection by connection: what is missing, added, changed or moved. Times \
      and handles are no differences; devices are matched by address, name and what was done with them. Bytes and fields that vary within one \
      capture (counters, times, measurements) are not reported. First stands the difference that explains the rest.

      With --good, several captures say what may vary: btscribe diff --good a.log b.log -- bad.log. With --gatt, the two files are attribute \
      tables, as summary --gatt-out writes them.

      The exit status is 0 where nothing differs, 1 where something does.
      """)

  enum Format: String, ExpressibleByArgument, CaseIterable { case text, json, markdown, html }

  @Argument(help: "The good capture and the bad one.", completion: .file())
  var captures: [String] = []

  @Option(name: .customShort("r"), help: ArgumentHelp("The same as an argument, as tshark has it.", valueName: "file"), completion: .file())
  var read: [String] = []

  @Option(
    parsing: .upToNextOption,
    help: ArgumentHelp("Good captures: what varies among them is not reported. -- ends the list.", valueName: "file"),
    completion: .file())
  var good: [String] = []

  @Option(
    name: .customLong("peer"),
    help: ArgumentHelp(
      "A device of the first capture is that of the second, by address or name; may be given again.", valueName: "a=b"))
  var peers: [String] = []

  @Flag(help: "Report what varies within one capture too: counters, times, measurements, how often something is repeated.")
  var strict = false

  @Flag(help: "The files are attribute tables.")
  var gatt = false

  @Option(help: ArgumentHelp("text, markdown and html for people, json for programs; else by the ending of -o.", valueName: "name"))
  var format: Format?

  @Flag(name: .customShort("V"), help: "Show all differences, also those that are alike.")
  var verbose = false

  @Option(name: .customShort("c"), help: ArgumentHelp("Stop after so many packets.", valueName: "count"))
  var count: Int?

  @OptionGroup var filter: FilterOption
  @OptionGroup var keys: KeyOptions
  @OptionGroup var output: OutputOptions
  @OptionGroup var profiles: ProfileOptions

  private var paths: [String] { read + captures }

  func validate() throws {
    if let count, count < 1 { throw ValidationError("-c takes a number from 1 on") }
    let wanted = good.isEmpty ? 2 : 1
    if paths.count != wanted {
      throw ValidationError(
        good.isEmpty
          ? "two captures are compared, the good one first; several good ones: --good FILE… -- BAD"
          : "one capture is compared with the good ones: --good FILE… -- BAD")
    }
    if gatt, !good.isEmpty { throw ValidationError("--gatt compares two tables") }
    if paths.filter({ $0 == "-" }).count + good.filter({ $0 == "-" }).count > 1 {
      throw ValidationError("standard input is one capture: the other one is a file")
    }
    for pair in peers where pair.split(separator: "=", maxSplits: 1).count != 2 {
      throw ValidationError("--peer takes two devices: --peer aa:bb:cc:dd:ee:ff=\"the other\"")
    }
  }

  private var wantedFormat: Format {
    if let format { return format }
    switch output.output?.split(separator: ".").last?.lowercased() {
    case "html", "htm": return .html
    case "md", "markdown": return .markdown
    case "json": return .json
    default: return .text
    }
  }

  func run() throws {
    try OutputOptions.spare(paths + good, from: [output.output])
    if gatt { return try compareTables() }
    var reader = CaptureRecorder(profiles: try profiles.load(), filter: filter, keys: keys, count: count, output: output)
    let goodPaths = good.isEmpty ? [paths[0]] : good
    let badPath = paths[good.isEmpty ? 1 : 0]
    var recordings = try goodPaths.map { try reader.record($0) }
    var bad = try reader.record(badPath)
    // A capture that does not show a discovery is read once more, with what the other one says of the device.
    for place in recordings.indices {
      if let map = recordings[place].lacks(bad) { recordings[place] = try reader.record(goodPaths[place], map) }
    }
    if let map = bad.lacks(recordings[0]) { bad = try reader.record(badPath, map) }
    var options = CaptureComparison.Options()
    options.isStrict = strict
    options.peers = peers.map { pair in
      let parts = pair.split(separator: "=", maxSplits: 1)
      return (String(parts[0]), String(parts[1]))
    }
    var comparison = CaptureComparison(good: recordings, bad: bad, options: options)
    let result = comparison.run()
    let wanted = result.wanted
    if !recordings[0].isWhole { recordings[0].adopt(try reader.record(goodPaths[0], wanted: wanted.a)) }
    if !bad.isWhole { bad.adopt(try reader.record(badPath, wanted: wanted.b)) }
    try print(result, recordings[0], bad)
    if let fault = reader.fault { throw fault }
    if !result.rows.isEmpty { throw CommandError(1, "") }
  }

  private func print(_ result: CaptureDifferences, _ a: Recording, _ b: Recording) throws {
    try output.write { out in
      switch wantedFormat {
      case .text: try ComparisonText(out, ComparisonWords(a, b, result, output.style), isWhole: verbose).print()
      case .json: try ComparisonJSON(out, a, b).print(result)
      case .markdown: try ComparisonMarkdown(out, ComparisonWords(a, b, result, Style())).write()
      case .html: try ComparisonHTML(out, ComparisonWords(a, b, result, Style())).write()
      }
    }
  }

  private func compareTables() throws {
    let maps = try paths.map { path in
      var options = GATTOptions()
      options.gatt = [path]
      return try options.load()
    }
    let result = TableComparison.compare(maps[0], maps[1])
    let names = paths.map { Recording(name: String($0.split(separator: "/").last ?? Substring($0))) }
    try print(result, names[0], names[1])
    if !result.rows.isEmpty { throw CommandError(1, "") }
  }
}

/// Records captures with the options of the command.
private struct CaptureRecorder {
  let profiles: ProfileSet?
  let filter: FilterOption
  let keys: KeyOptions
  let count: Int?
  let output: OutputOptions
  /// A capture was damaged: what could be read is compared all the same.
  var fault: CommandError?

  init(profiles: ProfileSet?, filter: FilterOption, keys: KeyOptions, count: Int?, output: OutputOptions) {
    self.profiles = profiles
    self.filter = filter
    self.keys = keys
    self.count = count
    self.output = output
  }

  mutating func record(_ path: String, _ map: GATTMap = GATTMap(), wanted: Set<Int32>? = nil) throws -> Recording {
    if path == "-", wanted != nil || !map.devices.isEmpty {
      throw CommandError(CommandError.Status.noInput, "standard input has to be read twice: copy it into a file first")
    }
    var input = try InputOptions.parse(["--", path])
    input.filter = filter
    input.keys = keys
    input.count = count
    var options = try input.timeline(profiles)
    options.gatt = map
    options.awaitsAnswers = false
    let recorder = StepRecorder(wanted: wanted)
    do {
      try input.forEachCapture { source, facts in
        let timeline = Timeline(source, options: options)
        if wanted == nil { timeline.onProfileError = ProfileOptions.say }
        return try Progress.during(timeline, facts.name, isWanted: output.allowsProgress(facts, isGathering: true)) {
          try timeline.run(facts, to: recorder)
        }
      }
    } catch let error as CommandError {
      guard error.status == CommandError.Status.malformed, recorder.recording.facts.name != "" else { throw error }
      fault = error
    }
    return recorder.recording
  }
}
