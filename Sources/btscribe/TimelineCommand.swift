import ArgumentParser
import Reports
import Timeline

/// `btscribe timeline`.
struct TimelineCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "timeline",
    abstract: "Print the annotated timeline of captures.",
    discussion: """
      One line a packet, and below it what it meant. Traffic that only keeps a link going (completed packets, repeated advertisements, \
      commands that went well) is folded into a count; -V shows it.
      """)

  @OptionGroup var input: InputOptions
  @OptionGroup var output: OutputOptions
  @OptionGroup var print: PrintOptions
  @OptionGroup var profiles: ProfileOptions

  func run() throws {
    let options = try input.timeline(try profiles.load())
    let out = try output.open()
    try input.forEachCapture { source, facts in
      let timeline = Timeline(source, options: options)
      timeline.onProfileError = ProfileOptions.say
      return try print.run(timeline, facts, to: out, output.style)
    }
  }
}
