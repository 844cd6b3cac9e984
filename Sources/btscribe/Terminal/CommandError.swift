import ArgumentParser
import Captures
import Output
import Analysis
import Text

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// Why a command ends before its work is done: one line for people, and the exit status for programs.
struct CommandError: Error {
  /// Exit statuses of the contract, as in sysexits.h.
  enum Status {
    static let malformed: Int32 = 65
    static let noInput: Int32 = 66
    static let unavailable: Int32 = 69
    static let software: Int32 = 70
    static let writing: Int32 = 74
    static let forbidden: Int32 = 77
    static let usage: Int32 = 64
  }

  /// A page of the manual, or a command, that helps with an error.
  enum Page: String {
    case filters = "man 5 btscribe-filter"
    case profiles = "man 5 btscribe-profile"
    case inference = "man 7 btscribe-infer"
    case queries = "man 7 btscribe-query"
    /// Trust and bounds of input.
    case security = "man 7 btscribe-security"
    /// How to record a log.
    case tutorial = "man 7 btscribe-tutorial"
    /// Requirements of live capture, and which of them this host meets.
    case live = "btscribe doctor, man 1 btscribe"
  }

  var status: Int32
  var message: String
  /// The page with more information.
  var page: Page?

  /// Makes an error from its parts.
  init(_ status: Int32, _ message: String, see page: Page? = nil) {
    self.status = status
    self.message = message
    self.page = page
  }

  /// Writes the message to standard error, followed by the page with more information. An empty message has been written before.
  func printNotice() {
    let help = page.map { "(see \($0.rawValue))" } ?? ""
    let parts = [message, help].filter { !$0.isEmpty }
    if !parts.isEmpty { CommandError.printNotice("btscribe: \(parts.joined(separator: " "))\n") }
  }

  /// An error about a capture that cannot be read.
  init(_ error: CaptureError) {
    switch error {
    case .unreadable(let path, let reason): self.init(Status.noInput, "\(CommandError.clean(path)): \(reason)\(CommandError.hint(path))")
    case .unknownFormat(let path, let what):
      self.init(
        Status.malformed,
        "\(CommandError.clean(path)) is \(CommandError.clean(what)); btscribe reads btsnoop, pcap, pcapng, PacketLogger, raw H4 packets, bug reports and sysdiagnose archives",
        see: .tutorial)
    case .malformed(let path, let offset, let what):
      self.init(Status.malformed, "\(CommandError.clean(path)): \(CommandError.clean(what)) (byte \(offset))")
    case .unwritable(let path, let reason): self.init(Status.writing, "\(CommandError.clean(path)): \(reason)")
    case .closedPipe: self.init(0, "")
    case .unavailable(let what): self.init(Status.unavailable, CommandError.clean(what))
    case .forbidden(let what, let hint): self.init(Status.forbidden, "\(CommandError.clean(what)): \(hint)")
    case .misnamed(let path, let reason): self.init(Status.usage, "\(CommandError.clean(path)): \(CommandError.clean(reason))")
    }
  }

  /// An error about a damaged capture, of which `packets` packets were decoded.
  init(_ damage: CaptureDamage, of name: String, packets: Int) {
    self.init(
      Status.malformed,
      "\(CommandError.clean(name)): \(damage.what) in packet \(InputOptions.grouped(damage.frame)) (byte \(InputOptions.grouped(damage.offset))): "
        + "\(InputOptions.grouped(packets)) packets decoded")
  }

  /// An error about results that cannot be written; a closed pipe is no error.
  init(_ error: OutputError) {
    switch error {
    case .closed: self.init(0, "")
    case .failed(let path, let reason): self.init(Status.writing, "\(CommandError.clean(path)): \(reason)")
    }
  }

  /// The message of ArgumentParser in the form of all other errors: one line, and the page with more information.
  static func usage(_ message: String, _ full: String) -> String {
    var text = CommandError.clean(message.split(separator: "\n").map { $0.drop { $0 == " " } }.joined(separator: " "))
    if text.hasSuffix(".") { text.removeLast() }
    // "The value" begins a sentence; "-Y" and "PROFILE" are names.
    if let first = text.first, first.isUppercase, text.dropFirst().first?.isLowercase == true {
      text = first.lowercased() + text.dropFirst()
    }
    guard let see = full.firstRange(of: "See '"), let end = full[see.upperBound...].firstIndex(of: "'") else { return text }
    return "\(text); see \(full[see.upperBound..<end])"
  }

  /// An error about another file that cannot be read, by `errno`.
  static func unreadable(_ path: String) -> CommandError {
    let code = errno
    return CommandError(
      code == EACCES || code == EPERM ? Status.forbidden : Status.noInput, "\(clean(path)): \(systemMessage(code))",
      see: code == EFBIG ? .security : nil)
  }

  /// The command that was probably meant, where the name of a missing file is similar to one.
  private static func hint(_ path: String) -> String {
    for command in Btscribe.configuration.subcommands {
      guard let name = command.configuration.commandName, name != path, Spelling.distance(name, path) <= 2 else { continue }
      return "; did you mean the command \"\(name)\"?"
    }
    return ""
  }

  /// A path as it can be shown: without characters that move a terminal's cursor.
  static func clean(_ text: String) -> String {
    let out = TextBuffer()
    out.untrusted(Array(text.utf8), .terminal)
    return out.contents
  }

  /// Writes to standard error after removing a progress line.
  static func printNotice(_ text: String) {
    Progress.wipe()
    put(text)
  }

  /// Writes to standard error without removing a progress line.
  static func put(_ text: String) {
    guard !text.isEmpty else { return }
    var text = text
    text.withUTF8 { bytes in
      if let base = bytes.baseAddress { _ = unsafe write(2, base, bytes.count) }
    }
  }

  /// Runs `body`, and converts its errors to ``CommandError``.
  static func catching(_ body: () throws -> Void) throws {
    do {
      try body()
    } catch let error as CaptureError {
      throw CommandError(error)
    } catch let error as OutputError {
      throw CommandError(error)
    }
  }
}
