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

/// Cleans up when a signal ends the program: no half-written file and no progress line is left behind.
enum SignalHandling {
  /// Signals that end a program that does not handle them: by users, by limits of time, and others.
  private static let numbers: [Int32] = {
    let everywhere = [SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGALRM, SIGXCPU, SIGUSR1, SIGUSR2, SIGVTALRM, SIGPROF]
    #if os(Linux)
      return everywhere + [SIGIO, SIGPWR, SIGSTKFLT]
    #else
      return everywhere
    #endif
  }()

  /// Called by signal handlers, and when the system has no more memory.
  private static func leaveNothing() {
    NewFile.removeUnfinished()
    Progress.wipe()
    ExternalProgram.stop()
  }

  /// Installs a handler that reports a lack of memory in one line.
  static func prepareMemoryFault() { tell_memory_fault { SignalHandling.leaveNothing() } }

  /// Handles signals; the first SIGINT, SIGTERM and SIGHUP only request the end of a capture that grows.
  static func prepare(isGrowing: Bool) {
    // A parent may have blocked them in the thread that started this.
    var signals = sigset_t()
    unsafe sigemptyset(&signals)
    for number in numbers { unsafe sigaddset(&signals, number) }
    unsafe pthread_sigmask(SIG_UNBLOCK, &signals, nil)
    let end: @convention(c) (Int32) -> Void = { number in
      SignalHandling.leaveNothing()
      signal(number, SIG_DFL)
      raise(number)
    }
    if isGrowing { LiveStop.install(second: end) }
    for number in numbers where !isGrowing || ![SIGINT, SIGTERM, SIGHUP].contains(number) {
      let before = signal(number, end)
      // Signals that were ignored at the start stay ignored, as with nohup.
      if unsafe unsafeBitCast(before, to: Int.self) == unsafeBitCast(SIG_IGN, to: Int.self) { signal(number, SIG_IGN) }
    }
  }
}

/// The command line.
struct Btscribe: ParsableCommand {
  /// The version of this release.
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
    return_freed_memory()
    // A write to a pipe whose reader has gone fails with EPIPE instead of ending the program.
    signal(SIGPIPE, SIG_IGN)
    // A write beyond the file size limit fails with EFBIG instead of ending the program.
    signal(SIGXFSZ, SIG_IGN)
    SignalHandling.prepareMemoryFault()
    let arguments = Array(CommandLine.arguments.dropFirst())
    if Set(arguments) == ["--version", "--verbose"] { return Versions.print() }
    let isExtcap = ExtcapOptions.isWanted(arguments) && arguments.first != "live"
    // In a live capture, and at the end of a growing one, a signal requests the end with a summary, also while options and profiles are still being
    // read.
    let isGrowing = arguments.prefix { $0 != "--" }.contains("--follow")
    SignalHandling.prepare(isGrowing: isExtcap || arguments.first == "live" || isGrowing)
    #if os(Linux)
      // The program can have a capability for live captures, which commands that read files do not need.
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
        // Errors are printed in one line, as everywhere.
        CommandError.printNotice("btscribe: \(CommandError.usage(Btscribe.message(for: error), Btscribe.fullMessage(for: error)))\n")
        exit(CommandError.Status.usage)
      }
      guard code.isSuccess else { Btscribe.exit(withError: error) }
      // Writing help and completion scripts can fail like other output, for example on a full disk.
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

  /// The first word after `help` that is no command; nil where all are commands.
  private static func unknownTopic(_ arguments: [String]) -> String? {
    guard arguments.first == "help" else { return nil }
    var commands = Btscribe.configuration.subcommands
    for word in arguments.dropFirst() where !word.hasPrefix("-") && word != "help" {
      guard let command = commands.first(where: { $0._commandName == word }) else { return word }
      commands = command.configuration.subcommands
    }
    return nil
  }

  /// Parses the command line. Building the tree of all commands takes a third of the instructions of a small capture, so the command is parsed alone
  /// first; the tree is used for help, for commands with subcommands, and for error messages.
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

  /// Parses the arguments of one command without the tree of all commands. Nil where they are invalid or request help, for which ArgumentParser
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

  /// Adds files to the first argument in ArgumentParser's completion scripts, which offer only commands there. Other texts are returned unchanged.
  private static func offeringCaptures(_ text: String) -> String {
    let insertions = [
      ("        # Offer subcommand completions\n", "        __btscribe_add_completions -f\n"),
      ("        _describe -V subcommand subcommands && ret=0\n", "        _files && ret=0\n"),
      (
        "complete -c 'btscribe' -f\n",
        "complete -c 'btscribe' -n '__btscribe_should_offer_completions_for_positional \"btscribe\" -eq 1' -F\n"
      ),
    ]
    return insertions.reduce(text) { text, insertion in text.replacing(insertion.0, with: insertion.0 + insertion.1, maxReplacements: 1) }
  }

  /// A short overview of btscribe.
  static let greeting = """
    btscribe decodes Bluetooth captures: phone logs, live traffic, sniffer files.

      btscribe Samples/gopro.btsnoop            the annotated timeline
      btscribe summary Samples/gopro.btsnoop    devices, connections, GATT tables, what is missing

    It reads btsnoop, PacketLogger, pcap and pcapng. Device protocols are profiles: YAML files, no code.
    All commands: btscribe --help. The manual: man btscribe.

    """
}
