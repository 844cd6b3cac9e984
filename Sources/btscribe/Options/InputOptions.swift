import ArgumentParser
import Captures
import Conversations
import Keys
import Profiles
import Output
import Analysis
import Synchronization
import Text

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// Options of all commands that read captures.
struct InputOptions: ParsableArguments {
  @Argument(help: "Captures: files, or - for standard input.", completion: .file())
  var captures: [String] = []

  @Option(
    name: .customShort("r"), help: ArgumentHelp("The same as an argument, for compatibility with tshark.", valueName: "file"),
    completion: .file())
  var read: [String] = []

  @Option(name: .customShort("c"), help: ArgumentHelp("Stop after this many packets.", valueName: "count"))
  var count: Int?

  @OptionGroup var filter: FilterOption
  @OptionGroup var gatt: GATTOptions
  @OptionGroup var keys: KeyOptions

  @Flag(help: "At the end of a capture that another program is still writing, wait for more until Ctrl-C.")
  var follow = false

  @Flag(help: "In an archive, join the pieces of a rotated log in time order.")
  var join = false

  @Option(help: ArgumentHelp("In an archive, read the file whose name ends with this.", valueName: "name"))
  var member: String?

  /// All captures named.
  var paths: [String] { read + captures }

  /// The captures and other input files.
  var files: [String] { paths + keys.keys + gatt.gatt }

  func validate() throws {
    if let count, count < 1 { throw ValidationError("-c takes a number from 1 on") }
  }

  /// The options of a run. Throws ``CommandError``.
  func timeline(_ profiles: ProfileSet?) throws -> Timeline.Options {
    var options = Timeline.Options()
    options.profiles = try keys.opening(profiles)
    options.limit = count
    options.filter = try filter.compile(profiles)
    options.gatt = try gatt.load()
    options.identityKeys = try keys.load().identityKeys
    options.isLive = follow
    return options
  }

  /// Options for opening captures.
  var opening: CaptureOptions {
    var options = CaptureOptions()
    options.follow = follow
    if follow { options.stop = LiveStop() }
    options.joinsPieces = join
    options.member = member
    return options
  }

  /// Opens each capture in turn and hands it to `body`; continues after a damaged one, and throws its error at the end. Throws ``CommandError``.
  func forEachCapture(_ body: (any PacketSource, CaptureFacts) throws -> Outcome) throws {
    // Keys found in one capture also decrypt connections of the next.
    var ring = try keys.load()
    try inTurn { number in
      let (source, facts) = try open(number, ring)
      defer { ring = source.decryptor.ring }
      printNotices(source)
      let outcome = try body(source, facts)
      KeyOptions.printNotices(source.decryptor.limits, of: facts.name)
      return (facts, outcome)
    }
  }

  /// A capture that was read in parallel, with its result.
  private struct Read<Made> {
    let source: DecryptingSource
    let facts: CaptureFacts
    let made: Made
    let outcome: Outcome
    let errors: [ProfileError]
  }

  /// The same in two steps: `work` runs for several files in parallel, on all cores; `show` is called with its results in the order of the files.
  /// `work` gets a function that reports mistakes of profiles, and whether it is the only capture and may show its own progress; the progress over
  /// all captures is shown where `showsProgress`. Throws ``CommandError``.
  func forEachCapture<Made>(
    showsProgress: Bool,
    work: @escaping (any PacketSource, CaptureFacts, @escaping @Sendable (ProfileError) -> Void, _ isAlone: Bool) throws -> (Made, Outcome),
    show: (Made, any PacketSource, CaptureFacts) throws -> Void
  ) throws {
    guard paths.count > 1, ParallelCaptures<Void>.width > 1, !follow, paths.allSatisfy({ LiveCommand.isFile($0) && $0 != "-" }) else {
      return try forEachCapture { source, facts in
        let (made, outcome) = try work(source, facts, ProfileOptions.printNotice, true)
        try show(made, source, facts)
        return outcome
      }
    }
    let given = try keys.load()
    let read = { (number: Int, ring: KeyRing) throws -> Read<Made> in
      let (source, facts) = try open(number, ring)
      let errors = Mutex<[ProfileError]>([])
      let (made, outcome) = try work(source, facts, { error in errors.withLock { $0.append(error) } }, false)
      return Read(source: source, facts: facts, made: made, outcome: outcome, errors: errors.withLock { $0 })
    }
    let progress = showsProgress ? Progress("\(paths.count) captures") : nil
    let captures = ParallelCaptures(paths.count, progress: { [count = paths.count] in progress?.update($0, of: count) }) { number in
      Result { try read(number, given) }
    }
    defer {
      captures.stop()
      progress?.end()
    }
    var ring = given
    try inTurn { number in
      var result = captures.take()
      // If earlier captures contained keys that were unknown when this one was read, it is read again with them.
      if case .success(let reading) = result, !reading.source.decryptor.sessions.isEmpty, ring.keys.count > given.keys.count {
        result = Result { try read(number, ring) }
      }
      let reading = try result.get()
      ring.add(reading.source.decryptor.ring)
      printNotices(reading.source)
      for error in reading.errors { ProfileOptions.printNotice(error) }
      try show(reading.made, reading.source, reading.facts)
      KeyOptions.printNotices(reading.source.decryptor.limits, of: reading.facts.name)
      return (reading.facts, reading.outcome)
    }
  }

  /// Opens a capture by its number.
  private func open(_ number: Int, _ ring: KeyRing) throws(CaptureError) -> (DecryptingSource, CaptureFacts) {
    let path = paths[number]
    let file = String(path.split(separator: "/").last ?? Substring(path))
    let source = keys.decrypting(try CaptureFile.open(path, options: opening), ring, name: file)
    let name = path == "-" ? "standard input" : file
    return (source, CaptureFacts(name: name, title: source.title, isFromSeveralCaptures: paths.count > 1, number: number))
  }

  private func printNotices(_ source: any PacketSource) {
    for notice in source.notices { CommandError.printNotice("btscribe: \(CommandError.clean(notice))\n") }
  }

  /// Calls `body` with the number of each capture. Where one of several captures is broken, the others are still read; the status of the last error
  /// becomes the exit status.
  private func inTurn(_ body: (Int) throws -> (CaptureFacts, Outcome)) throws {
    guard !paths.isEmpty else { throw ValidationError("which capture? give a file, or - for standard input") }
    var fault: CommandError?
    for number in paths.indices {
      do {
        try CommandError.catching {
          let (facts, outcome) = try body(number)
          FilterOption.printNotices(outcome, of: facts.name)
          if let damage = outcome.damage { throw CommandError(damage, of: facts.name, packets: outcome.packets) }
        }
      } catch let error as CommandError {
        if error.status == 0 || error.status == CommandError.Status.writing || paths.count == 1 { throw error }
        error.printNotice()
        fault = CommandError(error.status, "")
      }
    }
    if let fault { throw fault }
  }

  /// A number of five digits or more with spaces as thousands separators.
  static func grouped(_ number: Int) -> String {
    let digits = Array(String(number))
    var text = ""
    for (index, digit) in digits.enumerated() {
      if index > 0, (digits.count - index) % 3 == 0, digits.count > 4 { text.append(" ") }
      text.append(digit)
    }
    return text
  }
}

/// The use of colours.
enum ColorChoice: String, ExpressibleByArgument, CaseIterable { case auto, always, never }

/// Options of all commands that print for people.
struct OutputOptions: ParsableArguments {
  @Option(
    name: [.customShort("o"), .long], help: ArgumentHelp("Write to a file instead of standard output.", valueName: "file"),
    completion: .file())
  var output: String?

  @Option(help: ArgumentHelp("Colours: auto, always, never.", valueName: "when"))
  var color: ColorChoice = .auto

  @Option(
    help: ArgumentHelp(
      "Maximum width of lines in columns, at least 40; 0: no limit. The default is that of COLUMNS or of the terminal; in a pipe there is no "
        + "limit. Below 112, long lines are wrapped.", valueName: "columns"))
  var width: Int?

  func validate() throws {
    if let width, width != 0, !(40...1000).contains(width) { throw ValidationError("--width takes a number from 40 to 1000, or 0") }
  }

  /// Calls `body` with the buffer for results. A file gets its name only when everything is written, or everything before the damage of a broken
  /// capture; until then an existing file is kept. Throws ``CommandError``.
  func write(_ body: (TextBuffer) throws -> Void) throws { try Self.write(to: output, body) }

  /// Throws ``CommandError`` where one of `outputs` is one of the files that are read: an output must not overwrite a capture, keys or a profile. `-`
  /// is standard input or output, and an output of nil is standard output; a shell can have redirected either to a file.
  static func spare(_ inputs: [String], from outputs: [String?]) throws {
    for output in outputs {
      var target = stat()
      let isStandard = output.map(CaptureWriter.isStandardOutput) ?? true
      let isThere = unsafe isStandard ? fstat(1, &target) : stat(output ?? "-", &target)
      guard isThere == 0, target.st_mode & S_IFMT == S_IFREG else { continue }
      for input in inputs {
        var status = stat()
        let isRead = unsafe input == "-" ? fstat(0, &status) : stat(input, &status)
        guard isRead == 0, status.st_dev == target.st_dev, status.st_ino == target.st_ino else { continue }
        let name = isStandard ? "standard output" : CommandError.clean(output ?? "-")
        throw CommandError(CommandError.Status.usage, "\(name) is a file that is read: give another one to write to")
      }
    }
  }

  /// The same for a file of this name; nil and `-` are standard output.
  static func write(to path: String?, _ body: (TextBuffer) throws -> Void) throws {
    try CommandError.catching {
      let out =
        try path.flatMap { CaptureWriter.isStandardOutput($0) ? nil : $0 }.map { path throws(CaptureError) in try TextBuffer(file: path) }
        ?? TextBuffer(descriptor: 1)
      do {
        try body(out)
      } catch let fault as CommandError {
        let isFailure = fault.status == CommandError.Status.writing || fault.status == CommandError.Status.software
        if !isFailure, out.written + out.count > 0 { try out.finish() }
        throw fault
      }
      try out.finish()
    }
  }

  /// The buffer for rows of a live capture; a file grows as rows are printed. Throws ``CommandError``.
  func openInPlace() throws -> TextBuffer {
    guard let output, !CaptureWriter.isStandardOutput(output) else { return TextBuffer(descriptor: 1) }
    do throws(CaptureError) { return try TextBuffer(file: output, inPlace: true) } catch { throw CommandError(error) }
  }

  /// Results go to a terminal.
  var isTerminal: Bool { (output == nil || output == "-") && isatty(1) == 1 }

  /// Whether a progress line can be shown: results go to a file, or are printed all at once after the capture was read.
  func allowsProgress(_ facts: CaptureFacts, isGathering: Bool = false) -> Bool {
    if let output, output != "-" { return true }
    var status = stat()
    guard unsafe fstat(1, &status) == 0 else { return false }
    if status.st_mode & S_IFMT == S_IFREG { return true }
    // A pager uses the terminal from the first results on.
    return isGathering && (facts.number == 0 || isatty(1) == 1)
  }

  /// Results go to a pipe.
  var isPipe: Bool {
    var status = stat()
    return unsafe (output == nil || output == "-") && fstat(1, &status) == 0 && status.st_mode & S_IFMT == S_IFIFO
  }

  /// Colours, glyphs and width for the output.
  var style: Style {
    var style = Style()
    let isTerminal = isTerminal
    switch color {
    case .always: style.isColored = true
    case .never: style.isColored = false
    case .auto:
      style.isColored = unsafe isTerminal && getenv("NO_COLOR").map { unsafe $0.pointee == 0 } ?? true && Self.environment("TERM") != "dumb"
    }
    if isTerminal {
      let locale = Self.environment("LC_ALL") ?? Self.environment("LC_CTYPE") ?? Self.environment("LANG") ?? ""
      style.isUnicode = locale.uppercased().contains("UTF-8") || locale.uppercased().contains("UTF8")
      var size = winsize()
      if let columns = Self.environment("COLUMNS").flatMap({ Int($0) }), columns > 0 {
        style.width = max(40, min(columns, 1000))
      } else if unsafe ioctl(1, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 {
        style.width = max(40, Int(size.ws_col))
      }
    }
    if let width { style.width = width == 0 ? nil : width }
    return style
  }

  private static func environment(_ name: String) -> String? {
    guard let value = unsafe getenv(name), unsafe value.pointee != 0 else { return nil }
    return unsafe String(cString: value)
  }
}
