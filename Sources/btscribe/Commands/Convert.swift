import ArgumentParser
import Captures
import Conversations
import Keys
import Profiles
import Output
@_spi(Pipeline) import Analysis

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// `btscribe convert`: converts a capture into another format.
struct Convert: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "convert",
    abstract: "Convert a capture into another format, or a database.",
    discussion: """
      The extension of the output (\(endings)) or --to selects the format. What the format cannot hold is \
      reported on standard error. With --annotate, the packets of a pcapng have comments with what btscribe knows about them: operations, \
      messages with their fields, findings. Wireshark shows and searches them: frame.comment contains "battery". An SQLite file has the \
      tables packets, operations, messages, fields, devices, gatt and findings: man btscribe-sqlite. DuckDB or Spark can write rows as \
      Parquet: see EXAMPLES in the manual. Formats:

      \(CaptureTarget.names.map { "  \($0.name): \($0.meaning)" }.joined(separator: "\n"))
        sqlite: a database of what is in the capture
      """)

  private static var endings: String { (CaptureTarget.fileEndings + ["sqlite"]).map { "." + $0 }.joined(separator: " ") }

  /// The unit of packets that gets a file of its own.
  enum Split: String, ExpressibleByArgument, CaseIterable { case connection, device, time }

  @Argument(help: "The capture to read, or '-' for standard input.", completion: .file())
  var input: String

  @Argument(help: ArgumentHelp("The capture to write, or '-' for standard output.", valueName: "output"), completion: .file())
  var out: String?

  @Option(
    name: [.customShort("o"), .customLong("output")], help: ArgumentHelp("The same as the second argument.", valueName: "file"),
    completion: .file())
  var outputOption: String?

  @Option(name: .customLong("to"), help: "The format to write.", completion: .list(CaptureTarget.names.map(\.name) + ["sqlite"]))
  var format: String?

  @Option(name: .short, help: ArgumentHelp("Stop after writing this many packets.", valueName: "count"))
  var count: Int?

  @Option(
    help: ArgumentHelp(
      "Leave out packets before this time: 2026-01-31T09:30:00 in UTC, seconds since 1970, or +seconds.", valueName: "time"))
  var fromTime: String?

  @Option(help: ArgumentHelp("Leave out packets after this time.", valueName: "time"))
  var toTime: String?

  @Option(help: "Write one file for each connection, device or span of time, with its label before the extension: NAME-0001.pcapng.")
  var split: Split?

  @Option(help: ArgumentHelp("The span of time of each file, with --split time.", valueName: "seconds"))
  var span: Double = 60

  @Flag(help: "Write what btscribe knows about the packets as their comments; only for pcapng.")
  var annotate = false

  @Flag(
    help: ArgumentHelp(
      "Write packets that were encrypted on the air decrypted, if --key, --keys or --crack give the key; other packets stay as they are. "
        + "A database always has them decrypted."))
  var decrypt = false

  @OptionGroup var keys: KeyOptions

  @Option(help: ArgumentHelp("In an archive, read the file whose name ends with this.", valueName: "name"))
  var member: String?

  @Flag(help: "In an archive, join the pieces of a rotated log in time order.")
  var join = false

  @Flag(name: .short, help: "Do not report what was written and lost.")
  var quiet = false

  @OptionGroup var filter: FilterOption
  @OptionGroup var profiles: ProfileOptions

  /// The path to write to.
  var output: String { outputOption ?? out ?? "" }

  func validate() throws {
    guard (outputOption == nil) != (out == nil) else {
      throw ValidationError("one output file is needed: the second argument, or -o FILE")
    }
    let names = CaptureTarget.names.map(\.name) + ["sqlite"]
    if format == "parquet" || format == nil && output.lowercased().hasSuffix(".parquet") {
      throw ValidationError("btscribe does not write Parquet; DuckDB or Spark makes it from btscribe's rows: man 1 btscribe, EXAMPLES")
    }
    if let format, !names.contains(format) {
      throw ValidationError("no format '\(format)'; there are: \(names.joined(separator: ", "))")
    }
    if isDatabase {
      if output == "-" { throw ValidationError("an SQLite file cannot be written to standard output") }
      if annotate || split != nil { throw ValidationError("--annotate and --split are not for SQLite") }
    } else if format == nil && CaptureTarget(path: output) == nil {
      throw ValidationError("the extension of '\(output)' does not select a format; give it with --to")
    }
    for time in [fromTime, toTime] {
      if let time, TimePoint(time) == nil { throw ValidationError("no time: '\(time)'") }
    }
    if let count, count < 1 { throw ValidationError("-c takes a number of at least 1") }
    if !(span >= 0.001 && span <= 1e9) { throw ValidationError("--span takes 0.001 to 1e9 seconds") }
    if annotate {
      let target = format.flatMap({ CaptureTarget(name: $0) }) ?? CaptureTarget(path: output)
      guard target?.format == .pcapng else { throw ValidationError("--annotate needs a pcapng: no other format has comments") }
      if split != nil { throw ValidationError("--annotate and --split cannot be combined") }
    }
    // With `--annotate`, keys of profiles decrypt messages for the comments; they need no decryption of packets.
    let isOfProfiles = annotate && keys.key.allSatisfy { NamedKey.isNamed($0) }
    if !decrypt, !isDatabase, keys.crack || !isOfProfiles && !(keys.key.isEmpty && keys.keys.isEmpty) {
      throw ValidationError("--key, --keys and --crack need --decrypt: without it packets are written as they are")
    }
    if split != nil, output == "-" { throw ValidationError("--split needs files to write") }
  }

  func run() throws {
    try OutputOptions.spare([input] + keys.keys + profiles.profile, from: [output])
    let set = filter.filter == nil && !annotate && !isDatabase ? nil : try keys.opening(try profiles.load())
    let compiled = try filter.compile(set)
    try CommandError.catching {
      var opening = CaptureOptions()
      opening.member = member
      opening.joinsPieces = join
      let captured = try CaptureFile.open(input, options: opening)
      // A database contains decoded packets, so they are decrypted, as for the commands that print.
      let source: any PacketSource = decrypt || isDatabase ? keys.decrypting(captured, try keys.load(), name: input) : captured
      if !quiet { source.notices.forEach(printNotice) }
      if isDatabase {
        try database(source, compiled, set)
      } else if let target = format.flatMap({ CaptureTarget(name: $0) }) ?? CaptureTarget(path: output) {
        if annotate { try annotate(source, target, compiled, set) } else { try write(source, target, compiled, set) }
      }
      if let source = source as? DecryptingSource { KeyOptions.printNotices(source.decryptor.limits, of: input) }
      if let damage = source.damage {
        throw CommandError(
          CommandError.Status.malformed, "\(CommandError.clean(input)): \(damage.what) in packet \(damage.frame) (byte \(damage.offset))")
      }
    }
  }

  private func write(_ source: any PacketSource, _ target: CaptureTarget, _ filter: Filter?, _ profiles: ProfileSet?) throws {
    let writers = CaptureParts(output, target, source, isSequential: split == .time, read: [input] + keys.keys + self.profiles.profile)
    if filter != nil || split == .connection || split == .device {
      try writeRows(source, writers, filter, profiles)
    } else {
      try writePackets(source, writers)
    }
    try writers.finish()
    if !quiet { writers.printNotices(of: source.title) }
    if writers.count == 0 && writers.losses.counts[.packets] != nil {
      throw CommandError(CommandError.Status.malformed, "a capture of this format can have none of the packets of \(source.title)")
    }
  }

  private func database(_ source: any PacketSource, _ filter: Filter?, _ profiles: ProfileSet?) throws {
    var options = SQLiteExport.Options()
    options.filter = filter
    var clock = TimeRange(self)
    options.holds = { clock.holds($0) }
    options.limit = count
    let export = try SQLiteExport(output, source, options)
    var outcome = try run(source, profiles, to: export)
    try export.finish(outcome)
    outcome.unjudged = export.unjudged
    FilterOption.printNotices(outcome, of: input)
    if !quiet { CaptureParts.printNotices(export.count, of: source.title, output, CaptureLosses()) }
  }

  /// Whether the file extension or `--to` selects a database.
  private var isDatabase: Bool { format.map { $0 == "sqlite" } ?? Self.isDatabase(output) }

  /// Whether a path has the extension of an SQLite file.
  static func isDatabase(_ path: String) -> Bool {
    guard let dot = path.lastIndex(of: ".") else { return false }
    return ["sqlite", "sqlite3", "db"].contains(path[path.index(after: dot)...].lowercased())
  }

  private func annotate(_ source: any PacketSource, _ target: CaptureTarget, _ filter: Filter?, _ profiles: ProfileSet?) throws {
    let writer = try CaptureWriter(to: output, target: target)
    var options = AnnotatedCapture.Options()
    options.filter = filter
    var clock = TimeRange(self)
    options.holds = { clock.holds($0) }
    options.limit = count
    let annotated = AnnotatedCapture(writer, source, options)
    var outcome = try run(source, profiles, to: annotated)
    try writer.finish(source: source)
    outcome.unjudged = annotated.unjudged
    FilterOption.printNotices(outcome, of: input)
    if !quiet { CaptureParts.printNotices(writer.count, of: source.title, writer.name, writer.losses) }
  }

  /// Passes all packets through the timeline to a printer.
  private func run(
    _ source: any PacketSource, _ profiles: ProfileSet?, filter: Filter? = nil, to printer: some EventSink
  ) throws -> Outcome {
    var options = Timeline.Options()
    options.filter = filter
    options.includesFragments = true
    options.profiles = profiles
    options.identityKeys = try keys.load().identityKeys
    let timeline = Timeline(source, options: options)
    timeline.onProfileError = ProfileOptions.printNotice
    let name = input == "-" ? "standard input" : String(input.split(separator: "/").last ?? Substring(input))
    let facts = CaptureFacts(name: name, title: source.title)
    return try Progress.during(timeline, input, isWanted: isProgressWanted) { try timeline.run(facts, to: printer) }
  }

  /// Packets on standard output are for another program, which can use the terminal itself.
  private var isProgressWanted: Bool { output != "-" }

  /// Writes packets that are selected by their times only, without decoding them.
  private func writePackets(_ source: any PacketSource, _ writers: CaptureParts) throws {
    let batch = PacketBatch()
    var clock = TimeRange(self)
    let progress = isProgressWanted ? Progress(input) : nil
    defer { progress?.end() }
    // ArgumentParser looks an option up in a table each time it is read.
    let (isByTime, limit) = (split == .time, count ?? .max)
    var packets = 0
    while try source.read(batch) {
      unsafe packets += batch.records.count
      progress?.update(Timeline.Step(.only, packets, source))
      for index in unsafe batch.records.indices {
        guard unsafe clock.holds(batch.records[index].time) else { continue }
        try unsafe writers.write(index, of: batch, to: isByTime ? clock.slice(batch.records[index].time) : "")
        if writers.count >= limit { return }
      }
    }
  }

  /// Writes packets by way of the timeline, which knows their connections and the fields of a filter.
  private func writeRows(_ source: any PacketSource, _ writers: CaptureParts, _ filter: Filter?, _ profiles: ProfileSet?) throws {
    let selection = PacketSelection(writers, split: split, times: TimeRange(self), limit: count)
    let outcome = try run(source, profiles, filter: filter, to: selection)
    if filter != nil { FilterOption.printNotices(outcome, of: input) }
  }

  private func printNotice(_ text: String) { CommandError.printNotice("btscribe: \(CommandError.clean(text))\n") }
}

/// The selected range of time.
struct TimeRange {
  private let from: TimePoint?
  private let to: TimePoint?
  private let span: Int64
  private var start: Int64?
  private var last = 1

  /// All times.
  init() { (from, to, span) = (nil, nil, 1) }

  init(_ options: Convert) {
    from = options.fromTime.flatMap { TimePoint($0) }
    to = options.toTime.flatMap { TimePoint($0) }
    span = max(1, Int64(options.span * 1_000_000))
  }

  /// Whether a packet of this time is selected. The time of the first call is the capture's start.
  mutating func holds(_ time: Int64) -> Bool {
    let first = start ?? time
    start = first
    if let from, time < from.time(start: first) { return false }
    if let to, time > to.time(start: first) { return false }
    return true
  }

  /// Number of the time span, from 1, in at least four digits. Where the clock steps back, the current span continues.
  mutating func slice(_ time: Int64) -> String {
    let (after, isTooMuch) = time.subtractingReportingOverflow(start ?? time)
    if !isTooMuch { last = max(last, Int(max(0, after) / span) + 1) }
    return CaptureParts.padded(last)
  }
}

/// The files that a conversion writes: one, or one for each part.
final class CaptureParts {
  /// Packets written.
  private(set) var count = 0
  private let output: String
  private let target: CaptureTarget
  /// The capture of the packets; it can be replaced by the next one.
  var source: any PacketSource
  private var writers: [String: CaptureWriter] = [:]
  /// The part of the last packet, cached because the next packet mostly belongs to it, too.
  private var last: (mark: String, writer: CaptureWriter)?
  private let isSequential: Bool
  private let read: [String]
  private var closed = (files: 0, losses: CaptureLosses())
  /// Most files for parts; packets of further parts go to one more file.
  private static let maxFiles = 200
  /// The parts without a file of their own; at most ``maxCounted`` are counted.
  private var unopened: Set<String> = []
  private static let maxCounted = 65_536

  /// With `isSequential`, a new part completes the previous one. No part may replace a file in `read`.
  init(_ output: String, _ target: CaptureTarget, _ source: any PacketSource, isSequential: Bool, read: [String] = []) {
    self.isSequential = isSequential
    self.read = read
    self.output = output
    self.target = target
    self.source = source
  }

  /// Number of files.
  var files: Int { closed.files + writers.count }
  /// The name of the last file opened.
  private(set) var name = ""
  /// Losses of all files.
  var losses: CaptureLosses { writers.values.reduce(into: closed.losses) { $0.add($1.losses) } }

  /// Writes a packet to the part with this mark.
  func write(_ index: Int, of batch: PacketBatch, to mark: String) throws {
    let writer = if let last, last.mark == mark { last.writer } else { try writers[mark] ?? open(mark) }
    if last?.mark != mark { last = (mark, writer) }
    if try writer.write(index, of: batch, from: source) { count += 1 }
  }

  private func open(_ mark: String) throws -> CaptureWriter {
    let isFull = files >= Self.maxFiles
    if isFull, mark != "rest", unopened.count < Self.maxCounted { unopened.insert(mark) }
    if isFull, let rest = writers["rest"] { return rest }
    if isSequential, !writers.isEmpty {
      closed.files = files
      closed.losses = losses
      try finish()
      writers.removeAll()
    }
    let mark = isFull ? "rest" : mark
    try OutputOptions.spare(read, from: [path(mark)])
    let writer = try CaptureWriter(to: path(mark), target: target)
    writers[mark] = writer
    name = writer.name
    return writer
  }

  /// Writes the remaining data, and gives the files their names. A capture without packets gets a file, too.
  func finish() throws {
    if writers.isEmpty { _ = try open("") }
    for (_, writer) in writers {
      try writer.finish(source: source)
    }
  }

  /// Prints how many packets of a capture of this kind were written, and what the format could not store.
  func printNotices(of title: String) {
    Self.printNotices(count, of: title, files == 1 ? name : "\(files) files", losses)
    guard !unopened.isEmpty else { return }
    CommandError.printNotice(
      "btscribe: more parts than \(Self.maxFiles): the packets of \(unopened.count) are in \(CommandError.clean(path("rest")))\n")
  }

  /// The same for a capture that was not written by ``CaptureParts``.
  static func printNotices(_ count: Int, of title: String, _ name: String, _ losses: CaptureLosses) {
    CommandError.printNotice(
      "btscribe: \(CommandError.clean("\(count) \(count == 1 ? "packet" : "packets") of \(title) written to \(name)"))\n")
    printLosses(losses)
  }

  /// Prints what a format could not store.
  static func printLosses(_ losses: CaptureLosses) {
    for sentence in losses.sentences {
      CommandError.printNotice("btscribe: \(CommandError.clean(sentence)), as the format has no place for them\n")
    }
  }

  private func path(_ mark: String) -> String {
    if mark.isEmpty { return output }
    guard let dot = output.lastIndex(of: "."), !output[dot...].contains("/") else { return "\(output)-\(mark)" }
    return "\(output[..<dot])-\(mark)\(output[dot...])"
  }

  /// A number in four digits or more.
  static func padded(_ number: Int) -> String {
    let digits = String(number)
    return String(repeating: "0", count: max(0, 4 - digits.count)) + digits
  }
}

/// Writes the packets whose rows pass, to the part of their connection or device.
final class PacketSelection: EventSink {
  private let writers: CaptureParts
  private let split: Convert.Split?
  private let limit: Int?
  private var clock: TimeRange
  private var frame = 0

  init(_ writers: CaptureParts, split: Convert.Split? = nil, times: TimeRange = TimeRange(), limit: Int? = nil) {
    self.writers = writers
    self.split = split
    self.limit = limit
    clock = times
  }

  func begin(_ facts: CaptureFacts) throws {
    if let first = facts.first { _ = clock.holds(first) }
  }

  func packet(_ row: PacketRow, _ batch: RowBatch, isPart: Bool) throws {
    // A packet with several rows is written once.
    guard row.frame != frame, clock.holds(row.time) else { return }
    frame = row.frame
    if let limit, writers.count >= limit { return }
    try writers.write(Int(row.record), of: batch.packets, to: mark(row, batch))
  }

  private func mark(_ row: PacketRow, _ batch: RowBatch) -> String {
    let tables = batch.tables
    switch split {
    case .time: return clock.slice(row.time)
    case .connection:
      guard tables.connections.indices.contains(Int(row.connection)) else { return "rest" }
      let handle = String(tables.connections[Int(row.connection)].handle, radix: 16)
      return "\(CaptureParts.padded(Int(row.connection) + 1))-0x\(String(repeating: "0", count: max(0, 4 - handle.count)))\(handle)"
    case .device:
      var peer = row.peer
      if tables.connections.indices.contains(Int(row.connection)), peer < 0 { peer = tables.connections[Int(row.connection)].peer }
      let identity = Int(tables.identity(peer))
      guard tables.peers.indices.contains(identity) else { return "rest" }
      let digits = String(tables.peers[identity].address, radix: 16)
      return String(repeating: "0", count: max(0, 12 - digits.count)) + digits
    case nil: return ""
    }
  }

}
