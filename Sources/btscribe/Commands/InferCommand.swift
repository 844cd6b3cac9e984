import Analysis
import ArgumentParser
import Captures
import Inference
import Output
import Profiles
import Text

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// `btscribe infer`.
struct InferCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "infer",
    abstract: "Find out what the bytes of an unknown protocol are made of, and write a profile to start from.",
    discussion: """
      Finds how values make messages, lengths, checksums, counters, kinds of messages, their fields and which answer belongs to which \
      request, and shows the evidence. Several captures of one device give better results than one. See btscribe-infer(7).
      """)

  enum Format: String, ExpressibleByArgument, CaseIterable { case text, json }

  @Argument(help: "Captures: files, or - for standard input.", completion: .file())
  var captures: [String] = []

  @Option(
    name: .customShort("r"), help: ArgumentHelp("The same as an argument, for compatibility with tshark.", valueName: "file"),
    completion: .file())
  var read: [String] = []

  @Option(
    name: .customShort("c"),
    help: ArgumentHelp("Only this characteristic, even if a profile knows it; may be given again.", valueName: "uuid|handle"))
  var characteristic: [String] = []

  @Option(
    name: [.customShort("o"), .long],
    help: ArgumentHelp("Write a profile (.yaml), or what is printed, to a file.", valueName: "file"), completion: .file())
  var output: String?

  @Option(help: ArgumentHelp("Continue from a profile: only what it leaves open is inferred.", valueName: "file"), completion: .file())
  var with: [String] = []

  @Option(
    help: ArgumentHelp(
      "What the user did, with the time in seconds after the first packet (12.3=\"lamp on\"), or a file of such lines; may be given again.",
      valueName: "time=text|file"))
  var mark: [String] = []

  @Option(help: ArgumentHelp("text for people, json for programs.", valueName: "name"))
  var format: Format = .text

  @Option(help: ArgumentHelp("Colours: auto, always, never.", valueName: "when"))
  var color: ColorChoice = .auto

  @Option(help: ArgumentHelp("Maximum width of lines in columns; by default the terminal's width, or 120.", valueName: "columns"))
  var width: Int?

  @Option(
    help: ArgumentHelp("A profile to use for every device, by name or file; may be given again.", valueName: "name|file"),
    completion: .file(extensions: ["yaml"]))
  var profile: [String] = []

  @Flag(name: .long, help: "Also analyze what profiles know.")
  var noProfiles = false

  @OptionGroup var gatt: GATTOptions
  @OptionGroup var keys: KeyOptions

  func validate() throws {
    if let width, !(40...1000).contains(width) { throw ValidationError("--width takes a number from 40 to 1000") }
  }

  func run() throws {
    try OutputOptions.spare(read + captures + keys.keys + profile + with, from: [output])
    let wanted = Set(characteristic.map { $0.lowercased() })
    let collector = ValueCollector { source in
      guard !wanted.isEmpty else { return true }
      if let uuid = source.uuid, wanted.contains(uuid) || wanted.contains("0x" + uuid) { return true }
      guard let handle = source.handle else { return false }
      return [String(handle), "0x" + String(handle, radix: 16), "0x" + String(hex: UInt(handle), digits: 4)].contains(
        where: wanted.contains)
    }
    // `-c` has another meaning here than in the other commands, so the shared options are set one by one.
    var input = try InputOptions.parse(["--"] + read + captures)
    input.gatt = gatt
    input.keys = keys
    var profiles = try ProfileOptions.parse([])
    profiles.profile = profile + with
    profiles.noProfiles = (noProfiles || !wanted.isEmpty) && profiles.profile.isEmpty
    var options = try input.timeline(try profiles.load())
    options.awaitsResponses = false
    let marks = try mark.flatMap(Self.marks)
    // A truncated capture is analyzed up to its end.
    var fault: CommandError?
    do {
      try input.forEachCapture { source, facts in
        let timeline = Timeline(source, options: options)
        timeline.onProfileError = ProfileOptions.printNotice
        return try timeline.run(facts, to: collector)
      }
    } catch let error as CommandError {
      guard !collector.streams.isEmpty else { throw error }
      fault = error
    }
    if collector.leftOut > 0 {
      CommandError.printNotice("btscribe: \(InputOptions.grouped(collector.leftOut)) values exceed the limit and were not analyzed\n")
    }
    var context = collector.context
    let first = collector.first ?? 0
    context.marks = marks.map { InferenceContext.Mark(time: first + Int64($0.seconds * 1_000_000), text: $0.text) }.sorted {
      $0.time < $1.time
    }
    var streams = collector.found()
    // In text, streams of few advertisements are left out if there are other streams: their devices may only have passed by.
    if format == .text, streams.contains(where: { $0.source.section != .advertisements }) {
      streams.removeAll { $0.source.section == .advertisements && $0.count < 8 }
    }
    var found = Inference.run(streams, context)
    let isProfile = output.map { $0.hasSuffix(".yaml") || $0.hasSuffix(".yml") } ?? false
    if isProfile || format == .json {
      for index in found.indices { ProfilePruner.prune(&found[index], streams[index]) }
    }
    if isProfile, let output {
      guard !found.isEmpty else {
        throw CommandError(
          CommandError.Status.malformed, "no values of an unknown protocol: nothing to write to \(CommandError.clean(output))",
          see: .inference)
      }
      try OutputOptions.write(to: output) { $0.string(ProfileWriter.profile(of: found, name: Self.name(of: output))) }
    }
    var printing = try OutputOptions.parse([])
    printing.output = isProfile ? nil : output
    printing.color = color
    try printing.write { out in
      switch format {
      case .text:
        var style = printing.style
        if let width { style.width = width }
        InferenceText(out, style: style, command: isProfile ? nil : command).print(found)
      case .json: out.string(ResultJSON.text(found))
      }
    }
    if let fault { throw fault }
  }

  /// The command line again, to which the file to write can be appended.
  private var command: String {
    let files = (read + captures).map { $0.contains { " '\"$&;|<>()*?\\".contains($0) } ? "'\($0)'" : $0 }
    let all = noProfiles && characteristic.isEmpty ? ["--no-profiles"] : []
    return "btscribe infer " + (all + files + characteristic.map { "-c \($0)" }).joined(separator: " ")
  }

  /// A profile's name made from that of a file.
  private static func name(of path: String) -> String {
    var name = String(path.split(separator: "/").last ?? "inferred")
    for ending in [".yaml", ".yml", ".btscribe"] where name.hasSuffix(ending) { name.removeLast(ending.count) }
    let word = String(name.lowercased().map { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "-" || $0 == "_") ? $0 : "-" })
    return word.isEmpty ? "inferred" : word
  }

  /// The user's actions with their times in seconds after the first packet, from an argument or the file that it names. Throws `ValidationError` for
  /// an invalid time.
  private static func marks(_ argument: String) throws -> [(seconds: Double, text: String)] {
    try lines(argument).map { line in
      let parts = line.split(separator: "=", maxSplits: 1).map(String.init)
      let words =
        parts.count == 2 && Double(parts[0]) != nil ? parts : line.split(maxSplits: 1, whereSeparator: \.isWhitespace).map(String.init)
      guard words.count == 2, let seconds = Double(words[0]), seconds >= 0, seconds < 1e9 else {
        throw ValidationError("--mark takes a time in seconds and a text: 12.3=\"lamp on\"")
      }
      return (seconds, words[1].trimmingQuotes)
    }
  }

  /// The argument itself where it begins with a time, else the lines of the file that it names.
  private static func lines(_ argument: String) throws -> [String] {
    if Double(argument.prefix { $0 != "=" && !$0.isWhitespace }) != nil { return [argument] }
    guard let file = unsafe fopen(argument, "r") else {
      let reason = systemMessage(errno)
      throw ValidationError(
        "--mark takes a time in seconds and a text (12.3=\"lamp on\"), or a file of such lines; \(CommandError.clean(argument)): \(reason)")
    }
    defer { unsafe fclose(file) }
    var bytes: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 65536)
    while bytes.count < 1 << 20 {
      let count = unsafe fread(&buffer, 1, buffer.count, file)
      guard count > 0 else { break }
      bytes += buffer.prefix(count)
    }
    // Lines can end with CR LF.
    let lines = String(decoding: bytes, as: UTF8.self).split(whereSeparator: \.isNewline).map { line in
      String(line.drop { $0.isWhitespace || $0 == "\u{feff}" })
    }
    return lines.filter { !$0.isEmpty && !$0.hasPrefix("#") }
  }
}

extension String {
  /// The text without the quotation marks around it.
  fileprivate var trimmingQuotes: String { count >= 2 && first == "\"" && last == "\"" ? String(dropFirst().dropLast()) : self }
}
