import Analysis
import ArgumentParser
import Captures
import Comparison
import Conversations
import Output
import Profiles
import Text
import Threads

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// `btscribe diff`.
struct DiffCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "diff",
    abstract: "Show what differs between two captures: a good one and a bad one.",
    discussion: """
      Compares operations and messages, device by device and connection by connection: what is missing, added, changed or moved. Times and \
      handles are not compared; devices are matched by address, name and their operations. Bytes and fields that vary within one \
      capture (counters, times, measurements) are not reported. The difference that explains the rest is first. In a capture that btscribe \
      redacted, values that were replaced consistently are not reported as different.

      With --good, several captures show what may vary: btscribe diff --good a.log b.log -- bad.log. With --gatt, the two files are attribute \
      tables, as summary --gatt-out writes them.

      The exit status is 0 where nothing differs, 1 where something does, and greater where something went wrong.
      """)

  enum Format: String, ExpressibleByArgument, CaseIterable { case text, json, markdown, html }

  @Argument(help: "The good capture and the bad one.", completion: .file())
  var captures: [String] = []

  @Option(
    name: .customShort("r"), help: ArgumentHelp("The same as an argument, for compatibility with tshark.", valueName: "file"),
    completion: .file())
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

  @Flag(help: "Also report what varies within one capture: counters, times, measurements, numbers of repetitions.")
  var strict = false

  @Flag(help: "The files are attribute tables.")
  var gatt = false

  @Option(
    help: ArgumentHelp(
      "text, markdown and html for people, json for programs; by default selected by the extension of -o.", valueName: "name"))
  var format: Format?

  @Flag(name: .customShort("V"), help: "Show all differences, including similar ones.")
  var verbose = false

  @Option(name: .customShort("c"), help: ArgumentHelp("Stop after this many packets.", valueName: "count"))
  var count: Int?

  @OptionGroup var filter: FilterOption
  @OptionGroup var keys: KeyOptions
  @OptionGroup var output: OutputOptions
  @OptionGroup var profiles: ProfileOptions

  private var paths: [String] { read + captures }

  func validate() throws {
    if let count, count < 1 { throw ValidationError("-c takes a number of at least 1") }
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
    try OutputOptions.spare(self.paths + good + keys.keys + profiles.profile, from: [output.output])
    if gatt { return try compareTables() }
    let reader = CaptureReader(profiles: try profiles.load(), filter: filter, keys: keys, count: count, output: output)
    // The bad capture is compared with the first one; it is the last in the list.
    let paths = (good.isEmpty ? [self.paths[0]] : good) + [self.paths[good.isEmpty ? 1 : 0]]
    let readings = paths.map { CaptureReading($0, reader) }
    try CaptureReading.run(readings)
    let fault = readings.last { $0.fault != nil }?.fault
    var recordings = readings.map(\.recording)
    let last = recordings.count - 1
    // A capture without a discovery is read again with the attribute table of the other capture.
    let lacking = recordings.indices.compactMap { index in
      recordings[index].lacks(recordings[index == last ? 0 : last]).map { (index, map: $0, CaptureReading(paths[index], reader, map: $0)) }
    }
    // Frees the first recordings before the captures are read again.
    for (index, _, _) in lacking { recordings[index] = Recording(name: "") }
    try CaptureReading.run(lacking.map(\.2))
    for (index, _, reading) in lacking { recordings[index] = reading.recording }
    func map(_ capture: Int) -> GATTCache? { lacking.first { $0.0 == capture }?.map }
    let bad = recordings.removeLast()
    var options = CaptureComparison.Options()
    options.isStrict = strict
    options.keepsAligned = wantedFormat == .html
    options.peers = peers.map { pair in
      let parts = pair.split(separator: "=", maxSplits: 1)
      return (String(parts[0]), String(parts[1]))
    }
    var comparison = CaptureComparison(good: recordings, bad: bad, options: options)
    let result = comparison.run()
    // The operations of long captures that are shown are read now.
    let wanted = result.wanted
    let shown = [(recordings[0], 0, wanted.a), (bad, last, wanted.b)].compactMap { recording, index, numbers in
      recording.isWhole || numbers.isEmpty
        ? nil : (recording, CaptureReading(paths[index], reader, map: map(index), wanted: recording.wanted(numbers)))
    }
    try CaptureReading.run(shown.map(\.1))
    for (recording, reading) in shown { recording.adopt(reading.recording) }
    try print(result, recordings[0], bad)
    if let fault { throw fault }
    if !result.rows.isEmpty { throw CommandError(1, "") }
  }

  private func print(_ result: CaptureDifferences, _ a: Recording, _ b: Recording) throws {
    try output.write { out in
      switch wantedFormat {
      case .text: try ComparisonText(out, ComparisonSentences(a, b, result, output.style), isWhole: verbose).print()
      case .json: try ComparisonJSON(out, a, b).print(result)
      case .markdown: try ComparisonMarkdown(out, ComparisonSentences(a, b, result, Style())).write()
      case .html: try ComparisonHTML(out, ComparisonSentences(a, b, result, Style())).write()
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
private struct CaptureReader {
  let profiles: ProfileSet?
  let filter: FilterOption
  let keys: KeyOptions
  let count: Int?
  let output: OutputOptions

  /// Reads a capture into `recorder`. `isShown` says whether this thread may show its progress.
  func read(_ path: String, _ map: GATTCache, to recorder: StepRecorder, isFirst: Bool, isShown: Bool) throws {
    if path == "-", !isFirst {
      throw CommandError(CommandError.Status.noInput, "standard input has to be read twice: copy it into a file first")
    }
    var input = try InputOptions.parse(["--", path])
    input.filter = filter
    input.keys = keys
    input.count = count
    var options = try input.timeline(profiles)
    options.gatt = map
    try input.forEachCapture { source, facts in
      let timeline = Timeline(source, options: options.forComparison)
      if isFirst { timeline.onProfileError = ProfileOptions.printNotice }
      return try Progress.during(timeline, facts.name, isWanted: isShown && output.allowsProgress(facts, isGathering: true)) {
        try timeline.run(facts, to: recorder)
      }
    }
  }
}

/// A capture that is being read. One thread uses it until that thread has ended.
private final class CaptureReading: @unchecked Sendable {
  private let path: String
  private let reader: CaptureReader
  private let map: GATTCache
  private let recorder: StepRecorder
  private let isFirst: Bool
  private var error: (any Error)?
  /// Set where the capture was damaged: the packets before the damage are compared.
  private(set) var fault: CommandError?
  /// The operations that were read.
  var recording: Recording { recorder.recording }

  /// Smaller files are read one after the other, which keeps their messages in order.
  private static let large: off_t = 4 << 20

  init(_ path: String, _ reader: CaptureReader, map: GATTCache? = nil, wanted: WantedOperations? = nil) {
    self.path = path
    self.reader = reader
    self.map = map ?? GATTCache()
    isFirst = map == nil && wanted == nil
    recorder = StepRecorder(wanted: wanted)
  }

  /// Reads captures, two large ones at a time. Throws the error of the first capture that failed.
  static func run(_ readings: [CaptureReading]) throws {
    var rest = readings[...]
    while let reading = rest.popFirst() {
      if let other = rest.first, reading.isLarge, other.isLarge, let thread = Worker({ other.run(isShown: false) }) {
        rest.removeFirst()
        reading.run(isShown: true)
        thread.join()
      } else {
        reading.run(isShown: true)
      }
    }
    for reading in readings { if let error = reading.error { throw error } }
  }

  private var isLarge: Bool {
    var status = stat()
    return unsafe stat(path, &status) == 0 && status.st_size >= Self.large
  }

  private func run(isShown: Bool) {
    do {
      try reader.read(path, map, to: recorder, isFirst: isFirst, isShown: isShown)
    } catch let error as CommandError where error.status == CommandError.Status.malformed && !recording.facts.name.isEmpty {
      fault = error
    } catch {
      self.error = error
    }
  }
}
