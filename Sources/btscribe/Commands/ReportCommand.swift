import ArgumentParser
import Captures
import Keys
import Profiles
import Output
import Analysis

/// `btscribe report`: a document about a capture.
struct ReportCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "report",
    abstract: "Write a protocol report of a capture for people, as one file.",
    discussion: """
      The extension of FILE (.html .htm .md) or --format selects HTML or Markdown. HTML: overview, the session over time, all operations and messages with their fields beside \
      their bytes, each kind of message with its first example, requests and their answers, GATT tables, charts, findings. The page loads no other \
      files. For very long captures the list has the first 100000 messages; the rest is counted. Markdown: the same, short enough for an \
      issue; the first message of each kind is shown with its bytes.
      """)

  enum Format: String, ExpressibleByArgument, CaseIterable { case html, markdown }

  @OptionGroup var input: InputOptions
  @OptionGroup var profiles: ProfileOptions
  @OptionGroup var air: AirOptions

  @Option(
    name: [.customShort("o"), .long], help: ArgumentHelp("The file to write, or - for standard output.", valueName: "file"),
    completion: .file())
  var output: String

  @Option(help: ArgumentHelp("html or markdown; by default selected by the extension of the file.", valueName: "name"))
  var format: Format?

  @Option(help: ArgumentHelp("Only this characteristic: its name, UUID, or handle (0x0036).", valueName: "name"))
  var characteristic: String?

  @Option(
    help: ArgumentHelp(
      "Leave out packets before this time: 2026-01-31T09:30:00 in UTC, seconds since 1970, or +seconds.", valueName: "time"))
  var from: String?

  @Option(help: ArgumentHelp("Leave out packets after this time.", valueName: "time"))
  var to: String?

  func validate() throws {
    if format == nil, Self.format(of: output) == nil {
      throw ValidationError("the extension of '\(output)' does not select a format; give it with --format")
    }
    for time in [from, to] {
      if let time, TimePoint(time) == nil { throw ValidationError("no time: '\(time)'") }
    }
    if input.paths.count > 1 { throw ValidationError("a report needs exactly one capture") }
  }

  private static func format(of path: String) -> Format? {
    let ending = path.split(separator: ".").last.map { $0.lowercased() } ?? ""
    switch ending {
    case "html", "htm": return .html
    case "md", "markdown": return .markdown
    default: return nil
    }
  }

  func run() throws {
    try OutputOptions.spare(input.files + air.air + profiles.profile, from: [output])
    let set = try profiles.load()
    let options = try input.timeline(set)
    var wanted = Report.Options()
    wanted.characteristic = characteristic
    wanted.profiles = set
    wanted.listsAll = (format ?? Self.format(of: output)) != .markdown
    wanted.from = from.flatMap { TimePoint($0) }
    wanted.to = to.flatMap { TimePoint($0) }
    if let filter = input.filter.filter { wanted.narrowed.append("only packets that pass \(filter)") }
    if let characteristic { wanted.narrowed.append("only the characteristic \(characteristic)") }
    if let from { wanted.narrowed.append("only from \(from)") }
    if let to { wanted.narrowed.append("only until \(to)") }
    if let count = input.count { wanted.narrowed.append("only the first \(count) packets") }
    try OutputOptions.write(to: output) { out in
      try input.forEachCapture { source, facts in
        wanted.air = try air.heard(input, facts, (source as? DecryptingSource)?.decryptor.ring ?? KeyRing())
        let report = Report(wanted)
        let unknown = UnknownStreams(report)
        let timeline = Timeline(source, options: options)
        timeline.onProfileError = ProfileOptions.printNotice
        let outcome = try Progress.during(timeline, facts.name, isWanted: output != "-") { try timeline.run(facts, to: unknown) }
        report.unknown = unknown.lines()
        if let characteristic, report.matched == 0 {
          throw CommandError(
            CommandError.Status.usage,
            "--characteristic: nothing in \(CommandError.clean(facts.name)) went over \"\(CommandError.clean(characteristic))\"")
        }
        let document = ReportDocument(report) { id in set.flatMap { set in set.number(id).map { set.text($0) } } }
        switch format ?? Self.format(of: output) ?? .html {
        case .html: try HTMLWriter(document, to: out).write()
        case .markdown: try MarkdownWriter(document, to: out).write()
        }
        return outcome
      }
    }
  }
}
