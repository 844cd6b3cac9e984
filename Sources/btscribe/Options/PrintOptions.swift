import ArgumentParser
import Output
import Analysis
import Text

extension TimeFormat: ExpressibleByArgument {}

/// What is said of rows, whatever they are of.
struct RowOptions: ParsableArguments {
  @Option(
    name: .customShort("t"),
    help: ArgumentHelp(
      "Times: r since the first packet, d since the one before, a and ad local, u and ud UTC, e since 1970.", valueName: "format"))
  var time: TimeFormat = .r

  @Flag(name: .customShort("q"), help: "Show nothing but the rows.")
  var quiet = false
}

/// How a timeline is printed.
struct PrintOptions: ParsableArguments {
  enum Format: String, ExpressibleByArgument, CaseIterable { case text, ndjson, csv }

  @Option(help: ArgumentHelp("text for people, ndjson for programs, csv for spreadsheets.", valueName: "name"))
  var format: Format = .text

  @OptionGroup var rows: RowOptions

  @Flag(name: .customShort("x"), help: "Show the bytes of each packet.")
  var bytes = false

  @Flag(name: .customShort("V"), help: "Show all fields, and what is otherwise folded.")
  var verbose = false

  @Flag(name: .customShort("n"), help: "Show numbers instead of names.")
  var numeric = false

  /// Runs over a capture and prints its rows. `chunk` is the number of bytes that are gathered before they are written.
  func run(_ timeline: Timeline, _ facts: CaptureFacts, to out: TextBuffer, _ style: Style, chunk: Int = 1 << 16) throws -> Outcome {
    switch format {
    case .text:
      var options = TextPrinter.Options()
      options.time = rows.time
      options.showsBytes = bytes
      options.isVerbose = verbose
      options.isFolding = !timeline.isFiltered
      options.isNumeric = numeric
      options.isQuiet = rows.quiet
      options.style = style
      return try timeline.run(facts, to: TextPrinter(out, options, chunk: chunk))
    case .ndjson: return try timeline.run(facts, to: NDJSONPrinter(out, chunk: chunk))
    case .csv: return try timeline.run(facts, to: TimelineCSV(out))
    }
  }
}
