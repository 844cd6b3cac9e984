import ArgumentParser
import Captures
import Profiles
import Redaction
import Output
import Analysis
import Synchronization
import Text

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// `btscribe redact`: makes a capture safe to share.
struct Redact: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "redact",
    abstract: "Make a capture safe to share.",
    discussion: """
      Only data that is known to be harmless stays: types, opcodes, handles, lengths, statuses, parameters and UUIDs, and those numbers and \
      enumerations of profiles and values of the Bluetooth SIG's characteristics that reveal nothing about a person. All other values, names, \
      texts, keys and advertised data are replaced field by field by others of the same length and kind, and device addresses by pseudonyms. \
      Equal data gets equal replacements, made with a key that is not kept. Lengths and structure stay, and checksums are computed again, so \
      that the result decodes as before; a checksum that cannot be computed is replaced by other bytes or zeros. A message that travels as \
      hexadecimal digits, with escapes, in COBS or XORed is decoded, redacted and encoded again; one that cannot keep its length is replaced as \
      a whole, which is reported. Private addresses that a key in the capture resolves are resolved by the replacement of that key. The times of \
      packets stay as they are: they reveal when something happened.

      The extension of OUT or --to selects the format; by default it is that of IN. Of an archive only the capture is written. A note in the \
      output lists what else was kept. Redacting a second time changes only pseudonyms.

      With --check nothing is written: it lists what redacting replaces, what btscribe cannot decode, and what stays although it could \
      contain a text, an address, six digits or a key, with the rule that keeps it. The exit status is 1 if there is anything to \
      replace; after redacting with the same options there is nothing.

      If a profile is only likely for a device, because several have its UUIDs or the device's name is not in the capture, it is used once its \
      messages prove it, as in timeline; else values are replaced as a whole. Of the bytes that the layers of a user's own profile remove, \
      markers, flags and numbers of two bytes stay.

      A profile with a mistake ends redact with status 65, because it might mark something as secret. So does a capture that changes meanwhile.
      """)

  @Argument(help: "The capture to read, or '-' for standard input.", completion: .file())
  var input: String

  @Argument(help: "The capture to write, or '-' for standard output.", completion: .file())
  var output: String?

  @Flag(help: "List the sensitive data in the capture, and write nothing.")
  var check = false

  @Option(help: ArgumentHelp("Make the same pseudonyms each time this text is given; keep it secret.", valueName: "text"))
  var seed: String?

  @Flag(name: .customLong("keep-oui"), help: "Leave the company part of public addresses as it is.")
  var keepOUI = false

  @Flag(help: "Also replace the kind of random addresses: all become static.")
  var hideAddressKind = false

  @Option(
    help: ArgumentHelp(
      "Leave the values of a characteristic, by UUID or by handle (0x0021), or a field of a profile as they are; may be given again.",
      valueName: "uuid|handle|profile.field"))
  var keep: [String] = []

  @Flag(help: "Leave values, advertised data and data of channels as they are, except names, keys and what profiles mark as secret.")
  var keepValues = false

  @Flag(help: "Leave comments, log lines and notes as they are.")
  var keepTexts = false

  @Flag(help: "Leave packets, and parts of packets, that btscribe does not decode as they are.")
  var keepUnknown = false

  @Option(
    name: [.long, .customLong("characteristic")],
    help: ArgumentHelp(
      "Replace the values of a characteristic although they are known to be harmless, by UUID or by handle (0x0021); may be given again.",
      valueName: "uuid|handle"))
  var value: [String] = []

  @Option(name: .customLong("to"), help: "The format to write.", completion: .list(CaptureTarget.names.map(\.name)))
  var format: String?

  @Option(help: ArgumentHelp("In an archive, read the file whose name ends with this.", valueName: "name"))
  var member: String?

  @Flag(help: "In an archive, join the pieces of a rotated log in time order.")
  var join = false

  @Flag(name: .short, help: "Do not report what was done.")
  var quiet = false

  @OptionGroup var profiles: ProfileOptions

  func validate() throws {
    if let format, CaptureTarget(name: format) == nil {
      throw ValidationError("no format '\(format)'; there are: \(CaptureTarget.names.map(\.name).joined(separator: ", "))")
    }
    for text in value where Redaction.AttributeChoice(text) == nil {
      throw ValidationError("'\(text)' is neither a UUID nor a handle (0x0021)")
    }
    for text in keep where Redaction.AttributeChoice(text) == nil && !Self.isField(text) {
      throw ValidationError("'\(text)' is neither a UUID, a handle (0x0021) nor a field of a profile (gopro.ssid)")
    }
    if let output, format == nil, Convert.isDatabase(output) {
      throw ValidationError("'\(output)': redact writes a capture; btscribe convert makes a database of it")
    }
    if check == (output != nil) {
      throw ValidationError(
        check ? "--check writes nothing: leave out '\(output ?? "")'" : "an output is needed: a file, or - for standard output")
    }
  }

  func run() throws {
    try OutputOptions.spare([input] + profiles.profile, from: [output])
    var options = Redaction.Options()
    options.seed = seed
    options.keepsCompany = keepOUI
    options.keepsRandomKind = !hideAddressKind
    options.keepsTexts = keepTexts
    options.keepsUnknown = keepUnknown
    options.values = value.compactMap { Redaction.AttributeChoice($0) }
    options.keepsValues = keepValues
    options.keptAttributes = keep.compactMap { Redaction.AttributeChoice($0) }
    options.keptFields = Set(keep.filter { Redaction.AttributeChoice($0) == nil })
    options.isDetailed = check
    options.profiles = try loadProfiles()
    let redaction = Redaction(options)
    let mistake = Mutex<ProfileError?>(nil)
    redaction.onProfileError = { error in mistake.withLock { $0 = $0 ?? error } }
    try CommandError.catching {
      // A pipe is copied into a file, as the capture is read twice.
      let spool = Spool.isNeeded(input) ? try Spool(input) : nil
      var opening = CaptureOptions()
      opening.member = member
      opening.joinsPieces = join
      let source = try CaptureFile.open(spool?.path ?? input, options: opening)
      guard try source.rewind() else {
        throw CommandError(
          CommandError.Status.noInput,
          "\(CommandError.clean(input)): it must be read twice, and can be read only once; copy it into a file first")
      }
      if !quiet { source.notices.forEach { CommandError.printNotice("btscribe: \(CommandError.clean($0))\n") } }
      let facts = CaptureFacts(name: input, title: source.title)
      var outcome = try redaction.survey(source, facts)
      if let output {
        outcome = try write(redaction, source, facts, output) { try Self.verify(mistake.withLock { $0 }, redaction, input) }
      } else {
        outcome = try redaction.check(source, facts)
        try Self.verify(mistake.withLock { $0 }, redaction, input)
        try list(redaction)
      }
      if !check { redaction.warnings.forEach { CommandError.printNotice("btscribe: \(CommandError.clean($0))\n") } }
      if let damage = outcome.damage {
        throw CommandError(
          CommandError.Status.malformed, "\(CommandError.clean(input)): \(damage.what) in packet \(damage.frame) (byte \(damage.offset))")
      }
      if check, !redaction.exposures.isEmpty { throw CommandError(1, "") }
    }
  }

  /// Whether a text is the name of a profile and of a field of it.
  private static func isField(_ text: String) -> Bool {
    guard let dot = text.firstIndex(of: ".") else { return false }
    return dot != text.startIndex && text.index(after: dot) != text.endIndex
  }

  /// The profiles of this run. A profile with a mistake ends the run, because it could have marked fields as secret.
  private func loadProfiles() throws -> ProfileSet? {
    guard !profiles.noProfiles else { return nil }
    return try CommandError.profiles {
      let mistake = Mutex<ProfileError?>(nil)
      let set = try ProfileSet.standard(given: profiles.profile) { error in mistake.withLock { $0 = $0 ?? error } }
      if let error = mistake.withLock({ $0 }) { throw error }
      for summary in set.summaries where summary.origin != .builtin { _ = try set.profile(summary.number) }
      return set
    }
  }

  /// Throws where the result of the second pass is not reliable.
  private static func verify(_ mistake: ProfileError?, _ redaction: Redaction, _ input: String) throws {
    if let mistake {
      throw CommandError(CommandError.Status.malformed, CommandError.clean(mistake.description), see: .profiles)
    }
    if redaction.hasChanged {
      throw CommandError(CommandError.Status.malformed, "\(CommandError.clean(input)): it changed while it was read; nothing is written")
    }
  }

  private func write(
    _ redaction: Redaction, _ source: any PacketSource, _ facts: CaptureFacts, _ output: String, _ verify: () throws -> Void
  ) throws -> Outcome {
    let target = format.flatMap { CaptureTarget(name: $0) } ?? CaptureTarget(path: output) ?? CaptureTarget(source.format)
    let writer = try CaptureWriter(to: output, target: target)
    writer.comment = redaction.note
    // PPI headers (192) can contain the position of the sniffer.
    writer.keepsLinkTypes = !source.interfaces.contains { $0.linkType == 192 }
    let outcome = try redaction.write(source, facts, to: writer)
    try verify()
    try writer.finish(source: source)
    // Only in the same format are the rows comparable: another one can lose data.
    if target.format == source.format, Self.isFile(output), let written = try? CaptureFile.open(output) {
      try redaction.compare(written, CaptureFacts(name: output, title: written.title))
    }
    if !quiet {
      if !redaction.hasNotePosition {
        CommandError.printNotice("btscribe: the format has no place for a note that the capture was redacted\n")
      }
      CommandError.printNotice(
        "btscribe: \(Self.counted(writer.count, ("packet", "packets"))) written to \(CommandError.clean(writer.name))\n")
      for sentence in writer.losses.sentences { CommandError.printNotice("btscribe: \(sentence), as the format has no place for them\n") }
      for (kind, entries) in Self.grouped(redaction.exposures) {
        let count = entries.reduce(0) { $0 + $1.count }
        CommandError.printNotice("btscribe: replaced \(Self.counted(count, kind.words))\n")
      }
    }
    return outcome
  }

  private static func isFile(_ path: String) -> Bool {
    var facts = stat()
    return unsafe path != "-" && stat(path, &facts) == 0 && facts.st_mode & S_IFMT == S_IFREG
  }

  /// Prints the private fields of a capture, one per line, and the data that redacting leaves although it could be private.
  private func list(_ redaction: Redaction) throws {
    let out = TextBuffer(descriptor: 1)
    var lines = ""
    for (kind, entries) in Self.grouped(redaction.exposures) {
      let count = entries.reduce(0) { $0 + $1.count }
      lines += "\(Self.counted(count, kind.words))\n"
      for entry in entries {
        lines +=
          "  \(CommandError.clean(entry.field))  \(entry.different) different in \(entry.count): \(Self.listed(entry.frames, entry.count))\n"
      }
    }
    if lines.isEmpty { lines = "no sensitive data\n" }
    if !redaction.kept.isEmpty {
      lines += "kept by rule, although it could be sensitive\n"
      for field in redaction.kept {
        lines +=
          "  \(field.rule.words): \(CommandError.clean(field.field)) (\(field.could))  \(field.count): \(Self.listed(field.frames, field.count))\n"
      }
    }
    for sentence in redaction.warnings { lines += "\(CommandError.clean(sentence))\n" }
    out.string(lines)
    try out.finish()
  }

  private static func listed(_ frames: [Int], _ count: Int) -> String {
    frames.map { "#\($0)" }.joined(separator: " ") + (count > frames.count ? " …" : "")
  }

  private static func grouped(_ exposures: [Exposure]) -> [(ExposureKind, [Exposure])] {
    ExposureKind.allCases.compactMap { kind in
      let entries = exposures.filter { $0.kind == kind }
      return entries.isEmpty ? nil : (kind, entries)
    }
  }

  private static func counted(_ count: Int, _ words: (singular: String, several: String)) -> String {
    "\(InputOptions.grouped(count)) \(count == 1 ? words.singular : words.several)"
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
    let folder = temporaryFolder
    // The system replaces the last six letters.
    var name = Array("\(folder)/btscribe-\(String(repeating: "X", count: 6))".utf8CString)
    descriptor = unsafe mkstemp(&name)
    guard descriptor >= 0 else {
      throw CommandError(CommandError.Status.writing, "\(CommandError.clean(folder)): \(systemMessage(errno))")
    }
    unsafe unlink(name)
    var buffer = [UInt8](repeating: 0, count: 1 << 16)
    while true {
      let count = Self.again { unsafe read(input, &buffer, buffer.count) }
      if count == 0 { break }
      guard count > 0 else {
        throw CommandError(
          CommandError.Status.noInput,
          "\(path == "-" ? "standard input" : CommandError.clean(path)): \(systemMessage(errno))")
      }
      var at = 0
      while at < count {
        let written = Self.again {
          unsafe buffer.withUnsafeBytes { unsafe write(descriptor, $0.baseAddress.map { unsafe $0 + at }, count - at) }
        }
        guard written > 0 else {
          throw CommandError(CommandError.Status.writing, "\(CommandError.clean(folder)): \(systemMessage(errno))")
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
