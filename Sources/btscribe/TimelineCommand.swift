import ArgumentParser
import Reports
import Timeline

extension TimeFormat: ExpressibleByArgument {}

/// `btscribe timeline`.
struct TimelineCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "timeline",
    abstract: "Print the annotated timeline of captures.",
    discussion: """
      One line a packet, and below it what it meant. Traffic that only keeps a link going (completed packets, repeated advertisements, \
      commands that went well) is folded into a count; -V shows it.
      """)

  enum Format: String, ExpressibleByArgument, CaseIterable { case text, ndjson }

  @OptionGroup var input: InputOptions
  @OptionGroup var output: OutputOptions

  @Option(help: ArgumentHelp("text for people, ndjson for programs.", valueName: "name"))
  var format: Format = .text

  @Option(
    name: .customShort("t"),
    help: ArgumentHelp(
      "Times: r since the first packet, d since the one before, a and ad local, u and ud UTC, e since 1970.", valueName: "format"))
  var time: TimeFormat = .r

  @Flag(name: .customShort("x"), help: "Show the bytes of each packet.")
  var bytes = false

  @Flag(name: .customShort("V"), help: "Show all fields, and what is otherwise folded.")
  var verbose = false

  @Flag(name: .customShort("n"), help: "Show numbers instead of names.")
  var numeric = false

  @Flag(name: .customShort("q"), help: "Show nothing but the rows.")
  var quiet = false

  func run() throws {
    let out = try output.open()
    try input.forEachCapture { source, facts in
      let timeline = Timeline(source, options: input.timeline)
      switch format {
      case .text:
        var options = TextPrinter.Options()
        options.time = time
        options.showsBytes = bytes
        options.isVerbose = verbose
        options.isNumeric = numeric
        options.isQuiet = quiet
        options.style = output.style
        return try timeline.run(facts, to: TextPrinter(out, options))
      case .ndjson: return try timeline.run(facts, to: NDJSONPrinter(out))
      }
    }
  }
}
