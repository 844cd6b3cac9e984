import ArgumentParser
import Captures

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// `btscribe convert`: any capture into another format.
struct Convert: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Convert a capture into another format.",
    discussion: """
      The format follows from the ending of OUT (.btsnoop .log .pcap .pcapng .pklg) or from --to, and so does what the target cannot \
      hold, which is said on standard error. Formats:

      \(CaptureTarget.names.map { "  \($0.name): \($0.meaning)" }.joined(separator: "\n"))
      """)

  @Argument(help: "The capture to read, or '-' for standard input.", completion: .file())
  var input: String

  @Argument(help: "The capture to write, or '-' for standard output.", completion: .file())
  var output: String

  @Option(name: .customLong("to"), help: "The format to write.", completion: .list(CaptureTarget.names.map(\.name)))
  var format: String?

  @Option(name: .short, help: ArgumentHelp("Stop after this many packets.", valueName: "count"))
  var count: Int?

  @Option(
    help: ArgumentHelp("Leave out packets before this time: 2026-01-31T09:30:00, seconds since 1970, or +seconds.", valueName: "time"))
  var fromTime: String?

  @Option(help: ArgumentHelp("Leave out packets after this time.", valueName: "time"))
  var toTime: String?

  @Option(help: ArgumentHelp("Write one file for each so many seconds: OUT-0001.pcapng and so on.", valueName: "seconds"))
  var splitTime: Double?

  @Option(help: ArgumentHelp("In an archive, read the file whose name ends so.", valueName: "name"))
  var member: String?

  @Flag(help: "In an archive, join the pieces of a rotated log in order of time.")
  var join = false

  @Flag(name: .short, help: "Say nothing of what was written and lost.")
  var quiet = false

  func validate() throws {
    if let format, CaptureTarget(name: format) == nil {
      throw ValidationError("no format '\(format)'; there are: \(CaptureTarget.names.map(\.name).joined(separator: ", "))")
    }
    if format == nil && CaptureTarget(path: output) == nil {
      throw ValidationError("the ending of '\(output)' does not tell the format; say it with --to")
    }
    for time in [fromTime, toTime] {
      if let time, TimePoint(time) == nil { throw ValidationError("no time: '\(time)'") }
    }
    if let count, count < 1 { throw ValidationError("-c must be 1 or more") }
    if let splitTime {
      if !(splitTime >= 0.001 && splitTime <= 1e9) { throw ValidationError("--split-time must be between 0.001 and 1e9 seconds") }
      if output == "-" { throw ValidationError("--split-time needs files to write") }
    }
  }

  func run() throws {
    signal(SIGPIPE, SIG_IGN)
    do {
      try convert()
    } catch let error as CaptureError {
      if error.status != 0 { say(error.description) }
      throw ExitCode(error.status)
    }
  }

  private func convert() throws {
    guard let target = format.flatMap({ CaptureTarget(name: $0) }) ?? CaptureTarget(path: output) else { return }
    var options = CaptureOptions()
    options.member = member
    options.joinsPieces = join
    let source = try CaptureFile.open(input, options: options)
    if !quiet { source.notices.forEach(say) }
    let batch = PacketBatch()
    var writer: CaptureWriter?
    var (written, part) = (0, 0)
    var start: Int64?
    let slice = splitTime.map { Int64($0 * 1_000_000) }
    var sliceEnd = Int64.max
    reading: while try source.read(batch) {
      for (index, record) in batch.records.enumerated() {
        let first = start ?? record.time
        start = first
        if let fromTime, let point = TimePoint(fromTime), record.time < point.time(start: first) { continue }
        if let toTime, let point = TimePoint(toTime), record.time > point.time(start: first) { continue }
        if let slice, writer == nil || record.time >= sliceEnd {
          if let writer { try finish(writer, source) }
          if writer == nil { sliceEnd = first }
          let steps = max(0, record.time.subtractingReportingOverflow(sliceEnd).partialValue) / slice
          sliceEnd = sliceEnd &+ (steps &+ 1) &* slice
          part += 1
          writer = try CaptureWriter(to: name(part), target: target)
        }
        let into = try writer ?? CaptureWriter(to: output, target: target)
        writer = into
        if try into.write(index, of: batch, from: source) { written += 1 }
        if let count, written >= count { break reading }
      }
    }
    let last = try writer ?? CaptureWriter(to: output, target: target)
    try finish(last, source)
    if written == 0 && last.losses.counts[.packets] != nil {
      say("none of the packets of \(source.title) can stand in such a capture")
      throw ExitCode(65)
    }
    if let damage = source.damage {
      say("\(input): packet \(damage.frame) is damaged at byte \(damage.offset): \(damage.what)")
      throw ExitCode(65)
    }
  }

  private func finish(_ writer: CaptureWriter, _ source: any PacketSource) throws {
    try writer.finish(source: source)
    if quiet { return }
    say("\(writer.count) packets of \(source.title) written to \(writer.name)")
    for sentence in writer.losses.sentences { say("\(sentence), as the format has no place for them") }
  }

  /// The name of a part: a number goes before the ending.
  private func name(_ part: Int) -> String {
    let digits = String(part)
    let number = String(repeating: "0", count: max(0, 4 - digits.count)) + digits
    guard let dot = output.lastIndex(of: "."), !output[dot...].contains("/") else { return "\(output)-\(number)" }
    return "\(output[..<dot])-\(number)\(output[dot...])"
  }

  private func say(_ text: String) {
    let line = Array("btscribe: \(text)\n".utf8)
    _ = write(2, line, line.count)
  }
}
