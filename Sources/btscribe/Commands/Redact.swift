import ArgumentParser
import Captures
import Profiles
import Redaction
import Output
import Analysis
import Text

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// `btscribe redact`: a capture that is safe to share.
struct Redact: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Make a capture safe to share.",
    discussion: """
      Takes out keys, passkeys, PIN codes, passwords, voice, comments and log texts, and replaces device addresses and names by pseudonyms, wherever \
      they travel: the same device has the same pseudonym in all of the capture. Lengths, checksums and structure stay, so that the result \
      decodes as before. Private addresses that a key in the capture resolves are resolved by the key that stands for it.

      The format follows from the ending of OUT or from --to, else it is that of IN. Of an archive only the capture is written.

      With --check nothing is written: what the capture gives away is listed, and the exit status is 1 where there is anything. After \
      redacting with the same options there is nothing.

      What is neither is kept: values of characteristics (--value takes them out), files, music, phone books, what is typed on \
      keyboards. Of what is known to be secret, or an address or a name, copies are replaced there too.
      """)

  @Argument(help: "The capture to read, or '-' for standard input.", completion: .file())
  var input: String

  @Argument(help: "The capture to write, or '-' for standard output.", completion: .file())
  var output: String?

  @Flag(help: "List what the capture gives away, and write nothing.")
  var check = false

  @Option(help: ArgumentHelp("Make the same pseudonyms of the same things each time; keep it to yourself.", valueName: "text"))
  var seed: String?

  @Flag(name: .customLong("keep-oui"), help: "Leave the company part of public addresses as it is.")
  var keepOUI = false

  @Flag(help: "Replace the kind of random addresses too: all become static ones.")
  var hideAddressKind = false

  @Flag(help: "Leave comments, log lines and notes as they are, but for what is known to give something away.")
  var keepTexts = false

  @Flag(help: "Leave what btscribe does not take apart, packets or parts of them, as it is; else nothing stays of it but its length.")
  var keepUnknown = false

  @Option(
    name: [.long, .customLong("characteristic")],
    help: ArgumentHelp(
      "Take out the values of a characteristic, by UUID or by handle (0x0021); may be given again.", valueName: "uuid|handle"))
  var value: [String] = []

  @Option(name: .customLong("to"), help: "The format to write.", completion: .list(CaptureTarget.names.map(\.name)))
  var format: String?

  @Option(help: ArgumentHelp("In an archive, read the file whose name ends so.", valueName: "name"))
  var member: String?

  @Flag(help: "In an archive, join the pieces of a rotated log in order of time.")
  var join = false

  @Flag(name: .short, help: "Say nothing of what was done.")
  var quiet = false

  @OptionGroup var profiles: ProfileOptions

  func validate() throws {
    if let format, CaptureTarget(name: format) == nil {
      throw ValidationError("no format '\(format)'; there are: \(CaptureTarget.names.map(\.name).joined(separator: ", "))")
    }
    for text in value where Redaction.AttributeChoice(text) == nil {
      throw ValidationError("'\(text)' is no UUID and no handle (0x0021)")
    }
    if let output, format == nil, Convert.isDatabase(output) {
      throw ValidationError("'\(output)': a capture is written; make a database of it with btscribe convert")
    }
    if check == (output != nil) {
      throw ValidationError(
        check ? "--check writes nothing: leave out '\(output ?? "")'" : "where to? give a file, or - for standard output")
    }
  }

  func run() throws {
    var options = Redaction.Options()
    options.seed = seed
    options.keepsCompany = keepOUI
    options.keepsRandomKind = !hideAddressKind
    options.keepsTexts = keepTexts
    options.keepsUnknown = keepUnknown
    options.values = value.compactMap { Redaction.AttributeChoice($0) }
    options.profiles = try profiles.load()
    let redaction = Redaction(options)
    redaction.onProfileError = ProfileOptions.say
    try CommandError.catching {
      // What can be read only once is kept, as it is read twice.
      let spool = Spool.isNeeded(input) ? try Spool(input) : nil
      var opening = CaptureOptions()
      opening.member = member
      opening.joinsPieces = join
      let source = try CaptureFile.open(spool?.path ?? input, options: opening)
      guard try source.rewind() else {
        throw CommandError(
          CommandError.Status.noInput,
          "\(CommandError.clean(input)): it is read twice, and can be read only once; copy it into a file first")
      }
      if !quiet { source.notices.forEach { CommandError.say("btscribe: \(CommandError.clean($0))\n") } }
      let facts = CaptureFacts(name: input, title: source.title)
      var outcome = try redaction.survey(source, facts)
      if check {
        try list(redaction.exposures)
      } else if let output {
        outcome = try write(redaction, source, facts, output)
      }
      if !check { redaction.warnings.forEach { CommandError.say("btscribe: \(CommandError.clean($0))\n") } }
      if let damage = outcome.damage {
        throw CommandError(
          CommandError.Status.malformed, "\(CommandError.clean(input)): \(damage.what) in packet \(damage.frame) (byte \(damage.offset))")
      }
      if check, !redaction.exposures.isEmpty { throw CommandError(1, "") }
    }
  }

  private func write(_ redaction: Redaction, _ source: any PacketSource, _ facts: CaptureFacts, _ output: String) throws -> Outcome {
    let target = format.flatMap { CaptureTarget(name: $0) } ?? CaptureTarget(path: output) ?? CaptureTarget(source.format)
    let writer = try CaptureWriter(to: output, target: target)
    writer.comment = Redaction.note
    // The headers of PPI (192) may say where the sniffer stood.
    writer.keepsLinkTypes = !source.interfaces.contains { $0.linkType == 192 }
    let outcome = try redaction.write(source, facts, to: writer)
    try writer.finish(source: source)
    if !quiet {
      if !redaction.hasPlaceForNote { CommandError.say("btscribe: the format has no place for a note that the capture was redacted\n") }
      CommandError.say("btscribe: \(Self.counted(writer.count, ("packet", "packets"))) written to \(CommandError.clean(writer.name))\n")
      for sentence in writer.losses.sentences { CommandError.say("btscribe: \(sentence), as the format has no place for them\n") }
      for (kind, entries) in Self.grouped(redaction.exposures) {
        let count = entries.reduce(0) { $0 + $1.count }
        CommandError.say("btscribe: replaced \(Self.counted(count, kind.words))\n")
      }
    }
    return outcome
  }

  /// What a capture gives away, a line for each field.
  private func list(_ exposures: [Exposure]) throws {
    let out = TextBuffer(descriptor: 1)
    var lines = ""
    for (kind, entries) in Self.grouped(exposures) {
      let count = entries.reduce(0) { $0 + $1.count }
      lines += "\(Self.counted(count, kind.words))\n"
      for entry in entries {
        let frames = entry.frames.map { "#\($0)" }.joined(separator: " ")
        let more = entry.count > entry.frames.count ? " …" : ""
        lines += "  \(CommandError.clean(entry.field))  \(entry.different) different in \(entry.count): \(frames)\(more)\n"
      }
    }
    if lines.isEmpty { lines = "nothing is given away\n" }
    out.string(lines)
    try out.finish()
  }

  private static func grouped(_ exposures: [Exposure]) -> [(ExposureKind, [Exposure])] {
    ExposureKind.allCases.compactMap { kind in
      let entries = exposures.filter { $0.kind == kind }
      return entries.isEmpty ? nil : (kind, entries)
    }
  }

  private static func counted(_ count: Int, _ words: (one: String, several: String)) -> String {
    "\(InputOptions.grouped(count)) \(count == 1 ? words.one : words.several)"
  }
}

/// Standard input or a pipe, kept in a file without a name, so that it can be read twice.
private final class Spool {
  private let descriptor: Int32

  static func isNeeded(_ path: String) -> Bool {
    var facts = stat()
    return unsafe path == "-" || stat(path, &facts) == 0 && facts.st_mode & S_IFMT == S_IFIFO
  }

  init(_ path: String) throws {
    let input = unsafe path == "-" ? 0 : open(path, O_RDONLY | O_CLOEXEC)
    guard input >= 0 else { throw CommandError.unreadable(path) }
    defer { if path != "-" { close(input) } }
    let folder = unsafe getenv("TMPDIR").map { unsafe String(cString: $0) } ?? "/tmp"
    // The system puts letters of its own for the last six.
    var name = Array("\(folder)/btscribe-\(String(repeating: "X", count: 6))".utf8CString)
    descriptor = unsafe mkstemp(&name)
    guard descriptor >= 0 else {
      throw CommandError(CommandError.Status.writing, unsafe "\(CommandError.clean(folder)): \(String(cString: strerror(errno)))")
    }
    unsafe unlink(name)
    var buffer = [UInt8](repeating: 0, count: 1 << 16)
    while true {
      let count = Self.again { unsafe read(input, &buffer, buffer.count) }
      if count == 0 { break }
      guard count > 0 else {
        throw CommandError(
          CommandError.Status.noInput,
          unsafe "\(path == "-" ? "standard input" : CommandError.clean(path)): \(String(cString: strerror(errno)))")
      }
      var at = 0
      while at < count {
        let written = Self.again {
          unsafe buffer.withUnsafeBytes { unsafe write(descriptor, $0.baseAddress.map { unsafe $0 + at }, count - at) }
        }
        guard written > 0 else {
          throw CommandError(CommandError.Status.writing, unsafe "\(CommandError.clean(folder)): \(String(cString: strerror(errno)))")
        }
        at += written
      }
    }
    lseek(descriptor, 0, SEEK_SET)
  }

  deinit { close(descriptor) }

  var path: String { "/dev/fd/\(descriptor)" }

  private static func again(_ call: () -> Int) -> Int {
    while true {
      let count = call()
      if count >= 0 || errno != EINTR { return count }
    }
  }
}
