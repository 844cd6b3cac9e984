import ArgumentParser
import CMemoryFault
import Output
import Captures
import Text

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// What is done when a signal ends the program: no half-written file is left behind, and no line on the terminal.
enum SignalHandling {
  /// What ends the program from outside: people, and those who bound its time; and all other signals that end a program which does not take them.
  private static let numbers: [Int32] = {
    let everywhere = [SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGALRM, SIGXCPU, SIGUSR1, SIGUSR2, SIGVTALRM, SIGPROF]
    #if os(Linux)
      return everywhere + [SIGIO, SIGPWR, SIGSTKFLT]
    #else
      return everywhere
    #endif
  }()

  /// Is called by signal handlers, and where the system gives no more memory.
  private static func leaveNothing() {
    NewFile.removeUnfinished()
    Progress.wipe()
    ExternalProgram.stop()
  }

  /// Says in a line that there is no more memory.
  static func prepareMemoryFault() { tell_memory_fault { SignalHandling.leaveNothing() } }

  static func prepare() {
    // A parent may have blocked them in the thread that started this.
    var signals = sigset_t()
    unsafe sigemptyset(&signals)
    for number in numbers { unsafe sigaddset(&signals, number) }
    unsafe pthread_sigmask(SIG_UNBLOCK, &signals, nil)
    for number in numbers {
      let before = signal(number) { number in
        SignalHandling.leaveNothing()
        signal(number, SIG_DFL)
        raise(number)
      }
      // nohup and the like.
      if unsafe unsafeBitCast(before, to: Int.self) == unsafeBitCast(SIG_IGN, to: Int.self) { signal(number, SIG_IGN) }
    }
  }
}

/// The command line.
struct Btscribe: ParsableCommand {
  /// Number of this release.
  static let version = "1.0"

  static let configuration = CommandConfiguration(
    commandName: "btscribe",
    abstract: "Decode Bluetooth captures into an annotated timeline.",
    discussion: """
      Reads btsnoop, PacketLogger, pcap and pcapng captures of phones, hosts and sniffers. A command that is left out is timeline: \
      "btscribe phone.log" prints what happened, message by message.
      """,
    version: "btscribe \(version)",
    subcommands: [
      TimelineCommand.self,
      SummaryCommand.self,
      OperationsCommand.self,
      QueryCommand.self,
      ReportCommand.self,
      LiveCommand.self,
      DoctorCommand.self,
      InferCommand.self,
      DiffCommand.self,
      Convert.self,
      Redact.self,
      KeysCommand.self,
      Fields.self,
      Ksy.self,
      SchemaCommand.self,
      Profiles.self,
      Decode.self,
      Crc.self,
      Encode.self,
    ],
    defaultSubcommand: TimelineCommand.self)
}

@main
enum Main {
  static func main() {
    // A reader of the pipe that has gone is told by the write, not by a signal.
    signal(SIGPIPE, SIG_IGN)
    // The same for a file that has become as large as it may.
    signal(SIGXFSZ, SIG_IGN)
    SignalHandling.prepareMemoryFault()
    let arguments = Array(CommandLine.arguments.dropFirst())
    if Set(arguments) == ["--version", "--verbose"] { return Versions.print() }
    let isExtcap = ExtcapOptions.isWanted(arguments) && arguments.first != "live"
    // From the first moment a signal asks a live capture for its end and its summary: options and profiles take a while to be read.
    if isExtcap || arguments.first == "live" { LiveStop.install() } else { SignalHandling.prepare() }
    #if os(Linux)
      // The program may have been given a capability for live captures: what reads files has no use for it.
      if !isExtcap && !["live", "doctor"].contains(Self.commandFirst(arguments).first) { MonitorSource.dropCapabilities() }
    #endif
    if CommandLine.argc == 1 {
      CommandError.printNotice(Self.greeting)
      exit(64)
    }
    do {
      if let word = unknownTopic(arguments) {
        throw CommandError(CommandError.Status.usage, "no command is called \"\(CommandError.clean(word))\"")
      }
      var command = try parse(isExtcap ? ["live"] + arguments : Self.commandFirst(arguments))
      try command.run()
    } catch let fault as CommandError {
      fault.printNotice()
      exit(fault.status)
    } catch {
      let code = Btscribe.exitCode(for: error)
      if code == .validationFailure {
        // What is wrong is told as everywhere, in one line.
        CommandError.printNotice("btscribe: \(CommandError.usage(Btscribe.message(for: error), Btscribe.fullMessage(for: error)))\n")
        exit(CommandError.Status.usage)
      }
      guard code.isSuccess else { Btscribe.exit(withError: error) }
      // Help and completion scripts are results like others: they may meet a full disk.
      let out = TextBuffer(descriptor: 1)
      out.string(Self.offeringCaptures(Btscribe.fullMessage(for: error)) + "\n")
      do {
        try out.flush()
      } catch {
        let fault = CommandError(error)
        fault.printNotice()
        exit(fault.status)
      }
      exit(0)
    }
  }

  /// The word behind `help` that is no command; nil where all are.
  private static func unknownTopic(_ arguments: [String]) -> String? {
    guard arguments.first == "help" else { return nil }
    var commands = Btscribe.configuration.subcommands
    for word in arguments.dropFirst() where !word.hasPrefix("-") && word != "help" {
      guard let command = commands.first(where: { $0._commandName == word }) else { return word }
      commands = command.configuration.subcommands
    }
    return nil
  }

  /// Parses the command line. To build the tree of all commands takes a third of the instructions of a small capture, so the command is parsed
  /// by itself first; the tree is used for help, for commands with subcommands, and for error messages.
  private static func parse(_ arguments: [String]) throws -> any ParsableCommand {
    let names = Set(arguments.prefix { $0 != "--" })
    let commands = Btscribe.configuration.subcommands
    if let first = arguments.first, let command = commands.first(where: { $0.configuration.commandName == first }) {
      if command.configuration.subcommands.isEmpty, let parsed = alone(command, Array(arguments.dropFirst())) { return parsed }
    } else if !names.contains("help"), !commands.contains(where: { $0.configuration.commandName.map(names.contains) ?? false }) {
      if let parsed = alone(TimelineCommand.self, arguments) { return parsed }
    }
    return try Btscribe.parseAsRoot(arguments)
  }

  /// Parses the arguments of one command without the tree of all commands. Nil where they are wrong, or ask for help, for which ArgumentParser
  /// returns a command of its own.
  private static func alone(_ command: any ParsableCommand.Type, _ arguments: [String]) -> (any ParsableCommand)? {
    guard let parsed = try? command.parseAsRoot(arguments), type(of: parsed) == command else { return nil }
    return parsed
  }

  /// The same arguments with the command in front: `--color always summary FILE` means `summary --color always FILE`.
  static func commandFirst(_ arguments: [String]) -> [String] {
    let withValue: Set = [
      "--color", "--width", "-o", "--output", "--format", "-t", "-c", "-Y", "--profile", "--key", "--keys", "--gatt", "--member",
    ]
    let commands = Set(Btscribe.configuration.subcommands.compactMap { $0.configuration.commandName })
    var at = 0
    while at < arguments.count, arguments[at].hasPrefix("-"), arguments[at] != "-", arguments[at] != "--" {
      at += withValue.contains(arguments[at]) ? 2 : 1
    }
    guard at > 0, at < arguments.count, commands.contains(arguments[at]) else { return arguments }
    return [arguments[at]] + arguments[..<at] + arguments[(at + 1)...]
  }

  /// The library's completion scripts offer only commands in the first place, where a capture may stand as well. What is no script stays.
  private static func offeringCaptures(_ text: String) -> String {
    let places = [
      ("        # Offer subcommand completions\n", "        __btscribe_add_completions -f\n"),
      ("        _describe -V subcommand subcommands && ret=0\n", "        _files && ret=0\n"),
      (
        "complete -c 'btscribe' -f\n",
        "complete -c 'btscribe' -n '__btscribe_should_offer_completions_for_positional \"btscribe\" -eq 1' -F\n"
      ),
    ]
    return places.reduce(text) { text, place in text.replacing(place.0, with: place.0 + place.1, maxReplacements: 1) }
  }

  /// What btscribe can do, in ten lines.
  static let greeting = """
    btscribe decodes Bluetooth captures: phone logs, live traffic, sniffer files.

      btscribe Samples/gopro.btsnoop            the annotated timeline
      btscribe summary Samples/gopro.btsnoop    devices, connections, GATT tables, what is missing

    It reads btsnoop, PacketLogger, pcap and pcapng. Device protocols are profiles: YAML files, no code.
    All commands: btscribe --help. The manual: man btscribe.

    """
}
