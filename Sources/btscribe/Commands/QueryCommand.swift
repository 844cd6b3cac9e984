import ArgumentParser
import Captures
import Output
import Analysis
import Text

extension QueryPrinter.Format: ExpressibleByArgument {}

/// `btscribe query`.
struct QueryCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "query",
    abstract: "Query captures with SQL.",
    discussion: """
      The last argument is the query, one SELECT of SQLite. It runs on the tables that "btscribe convert -o log.sqlite" writes, without \
      a file: --tables shows them with an example each, btscribe-query(7) has twenty common queries. A query can only read. \
      Several captures are queried one after the other, and the first column names the capture. With -Y, -c, --key and the like the tables \
      have only the packets that pass.

        btscribe query phone.log "SELECT frame, text FROM findings"
      """)

  @OptionGroup var input: InputOptions
  @OptionGroup var output: OutputOptions
  @OptionGroup var profiles: ProfileOptions

  @Option(help: ArgumentHelp("text for people; csv, json or ndjson for programs.", valueName: "name"))
  var format: QueryPrinter.Format = .text

  @Flag(help: "Show the tables, each with an example.")
  var tables = false

  func validate() throws {
    if tables || input.paths.count > 1 { return }
    throw ValidationError(
      input.paths.isEmpty
        ? "a capture and a query are needed" : "a query is needed after the capture: \"SELECT frame, text FROM findings\"")
  }

  func run() throws {
    if tables {
      try output.write { TableText($0).print() }
      return
    }
    var input = input
    // Captures can be given with -r; then the only argument is the query.
    guard let sql = input.captures.popLast(), !input.paths.isEmpty else {
      throw ValidationError("a capture and a query are needed")
    }
    try OutputOptions.spare(input.files + profiles.profile, from: [output.output])
    var timelineOptions = try input.timeline(try profiles.load())
    let filter = timelineOptions.filter
    // Operations that pass need rows that do not pass.
    timelineOptions.filter = nil
    timelineOptions.includesFragments = true
    try output.write { out in
      let printer = QueryPrinter(out, format, style: output.style, isFromSeveralCaptures: input.paths.count > 1)
      // Rows read before a damage are printed, too.
      defer { try? printer.finish() }
      try input.forEachCapture { source, facts in
        var options = SQLiteExport.Options()
        options.filter = filter
        let export = try SQLiteExport(source, options)
        let timeline = Timeline(source, options: timelineOptions)
        timeline.onProfileError = ProfileOptions.printNotice
        var outcome = try Progress.during(timeline, facts.name, isWanted: output.allowsProgress(facts, isGathering: true)) {
          try timeline.run(facts, to: export)
        }
        try export.finish(outcome)
        outcome.unjudged = export.unjudged
        do {
          try export.run(sql, printer)
        } catch let error as QueryError {
          throw CommandError(
            CommandError.Status.usage,
            "\(CommandError.clean(error.message)); the tables: btscribe query --tables", see: .queries)
        }
        return outcome
      }
      try printer.finish()
    }
  }
}
