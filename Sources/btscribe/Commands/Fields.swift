import ArgumentParser
import Bluetooth
import Output
import Analysis
import Profiles
import Text

/// `btscribe fields`.
struct Fields: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "fields",
    abstract: "Print the values of fields, or the list of all fields.",
    discussion: """
      With -e, a line for each packet and a column for each field, separated by tabs; several values of a field by commas. Bytes are \
      hexadecimal digits. Without captures, all fields that -Y and -e know, with the types of their values. \
      The names are Wireshark's: man btscribe-filter.
      """)

  @OptionGroup var input: InputOptions
  @OptionGroup var output: OutputOptions
  @OptionGroup var profiles: ProfileOptions

  @Option(
    name: .customShort("e"), help: ArgumentHelp("A field to print, or several separated by commas; may be given again.", valueName: "field")
  )
  var field: [String] = []

  @Flag(help: "Print the names of the fields first.")
  var header = false

  @Flag(
    help: ArgumentHelp(
      "Print how much of each protocol is decoded.",
      discussion: "The number of kinds of PDUs with names, of those with fields, and of filter fields, and the state kept across packets.")
  )
  var protocols = false

  func run() throws {
    if protocols { return try coverage() }
    guard !input.paths.isEmpty else { return try list() }
    guard !field.isEmpty else { throw ValidationError("which fields? -e frame.number -e btatt.value") }
    try OutputOptions.spare(input.files + profiles.profile, from: [output.output])
    var options = try input.timeline(profiles.load())
    // Messages are decoded only if the filter uses them.
    let opened = options.profiles
    if options.filter?.usesMessages != true { options.profiles = nil }
    options.includesFragments = true
    _ = try reader(opened)
    try output.write { out in
      try input.forEachCapture { source, facts in
        let timeline = Timeline(source, options: options)
        return try Progress.during(timeline, facts.name, isWanted: output.allowsProgress(facts)) {
          try timeline.run(facts, to: FieldPrinter(out, try reader(opened), source, hasHeading: header))
        }
      }
    }
  }

  private var names: [String] { field.flatMap { $0.split(separator: ",", omittingEmptySubsequences: false).map(String.init) } }

  private func reader(_ profiles: ProfileSet?) throws -> FieldReader {
    do {
      return try FieldReader(names, profiles: profiles)
    } catch {
      throw CommandError(CommandError.Status.usage, CommandError.clean(error.message(for: "-e")), see: .filters)
    }
  }

  /// Prints the table of protocols with their coverage.
  private func coverage() throws {
    try output.write { out in
      func row(_ name: String, _ numbers: [String], _ state: String) {
        out.string(name + String(repeating: " ", count: max(1, 18 - name.count)))
        for number in numbers { out.string(String(repeating: " ", count: max(1, 8 - number.count)) + number) }
        out.string(state.isEmpty ? "\n" : "  \(state)\n")
      }
      row("protocol", ["named", "fields", "filters"], "kept over time")
      for coverage in ProtocolRegistry.coverage {
        row(
          coverage.name.description, [coverage.named, coverage.withFields, coverage.filterFields].map(String.init),
          coverage.state.description)
      }
    }
  }

  /// Prints all fields under their headings.
  private func list() throws {
    try output.write { out in
      var group = ""
      let width = Filter.fields.map(\.name.count).max() ?? 0
      for (name, type, heading) in Filter.fields {
        if heading != group {
          out.string("\(group.isEmpty ? "" : "\n")\(heading)\n")
          group = heading
        }
        out.string("  \(name)\(String(repeating: " ", count: width - name.count))  \(type)\n")
      }
    }
  }
}
