import ArgumentParser
import Output
import Analysis
import Text

/// `btscribe operations`.
struct OperationsCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "operations",
    abstract: "List what was done: one row for each scan, connection, discovery, read, write, subscription, pairing.",
    discussion: """
      All packets of an operation are one row: a discovery of many requests, a read or write in parts, a run of notifications. Rows stand in \
      the order in which operations began. A red row failed or got no answer; "open" means that the capture ended first.
      """)

  enum Format: String, ExpressibleByArgument, CaseIterable { case text, ndjson, json, csv }

  @OptionGroup var input: InputOptions
  @OptionGroup var output: OutputOptions
  @OptionGroup var profiles: ProfileOptions

  @Option(help: ArgumentHelp("text for people; ndjson, json or csv for programs.", valueName: "name"))
  var format: Format = .text

  @OptionGroup var rows: RowOptions

  func run() throws {
    try OutputOptions.spare(input.files + profiles.profile, from: [output.output])
    try output.write { out in
      switch format {
      case .text: try run(OperationText(out, style: output.style, time: rows.time, isQuiet: rows.quiet))
      case .ndjson: try run(OperationJSON(out, isArray: false))
      case .json:
        out.text("[")
        // The document is completed even where a capture is damaged.
        defer { out.text("]\n") }
        try run(OperationJSON(out, isArray: true))
      case .csv: try run(OperationCSV(out))
      }
    }
  }

  private func run(_ printer: some OperationSink) throws {
    let options = try input.timeline(try profiles.load())
    try input.forEachCapture { source, facts in
      let timeline = Timeline(source, options: options)
      timeline.onProfileError = ProfileOptions.printNotice
      return try Progress.during(timeline, facts.name, isWanted: output.allowsProgress(facts)) {
        try timeline.run(facts, to: Operations(printer))
      }
    }
  }
}
