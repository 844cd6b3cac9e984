import ArgumentParser
import Conversations
import Keys
import Output
import Analysis
import Text

/// `btscribe summary`.
struct SummaryCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "summary",
    abstract: "Summarize captures: adapters, devices, connections, GATT tables, traffic, and what the log cannot show.")

  enum Format: String, ExpressibleByArgument, CaseIterable { case text, json }

  @OptionGroup var input: InputOptions
  @OptionGroup var output: OutputOptions
  @OptionGroup var profiles: ProfileOptions

  @Option(help: ArgumentHelp("text for people, json for programs.", valueName: "name"))
  var format: Format = .text

  @Option(
    help: ArgumentHelp("Write the attribute tables to a file, for --gatt and for people.", valueName: "file"), completion: .file())
  var gattOut: String?

  func run() throws {
    try OutputOptions.spare(input.files + profiles.profile, from: [output.output, gattOut])
    var map = GATTCache()
    var options = try input.timeline(try profiles.load())
    options.awaitsResponses = false
    try output.write { out in
      if format == .json, input.paths.count > 1 { out.text("[") }
      var isFirst = true
      // On a terminal the results themselves show how far it is.
      let isFile = !output.isTerminal && !output.isPipe
      try input.forEachCapture(showsProgress: isFile) { [options] source, facts, onProfileError, isAlone in
        let summary = Summary()
        let timeline = Timeline(source, options: options)
        timeline.onProfileError = onProfileError
        let unknown = UnknownStreams(summary)
        let isProgressWanted = isAlone && output.allowsProgress(facts, isGathering: true)
        let outcome = try Progress.during(timeline, facts.name, isWanted: isProgressWanted) {
          if format == .text { try timeline.run(facts, to: unknown) } else { try timeline.run(facts, to: summary) }
        }
        let lines = format == .text ? unknown.lines() : []
        return ((summary, lines, gattOut == nil ? [] : GATTCache(outcome.tables).devices), outcome)
      } show: { made, source, facts in
        let (summary, unknown, devices) = made
        switch format {
        case .text:
          SummaryText(out, style: output.style).print(summary, options.profiles)
          UnknownStreamText(out, style: output.style).print(unknown, capture: input.paths[facts.number])
          if let source = source as? DecryptingSource { EncryptionText(out).needs(source.decryptor.sessions) }
        case .json:
          if !isFirst { out.text(",") }
          SummaryJSON(out).print(summary, options.profiles)
        }
        isFirst = false
        map.devices += devices
        try out.flush()
      }
      if format == .json { out.text(input.paths.count > 1 ? "]\n" : "\n") }
    }
    if let gattOut { try OutputOptions.write(to: gattOut) { $0.string(map.yaml) } }
  }
}
