import Foundation
import Testing

/// A transcript is a file of `Tests/Transcripts`: comments, and command lines with their exact output.
///
/// A shell runs lines that begin with `$ ` in the package's folder. Below them is standard output unchanged, standard error with `! ` before each
/// line, a status other than 0 as `status: N`. A command with open quotes continues in the next line.
/// With `BTSCRIBE_REWRITE=1` the files are rewritten instead of compared.
@Suite struct TranscriptTests {
  static let rewrite = ProcessInfo.processInfo.environment["BTSCRIBE_REWRITE"] == "1"

  static var files: [String] {
    let folder = Program.root.appendingPathComponent("Tests/Transcripts")
    let names = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
    return names.filter { $0.hasSuffix(".txt") }.sorted()
  }

  @Test(arguments: files)
  func printsWhatItPrinted(file: String) throws {
    let path = Program.root.appendingPathComponent("Tests/Transcripts/\(file)")
    let expected = try String(contentsOf: path, encoding: .utf8)
    let transcript = Transcript(expected)
    try #require(!transcript.commands.isEmpty, "no line of \(file) begins with $")
    let actual = try transcript.played()
    if Self.rewrite {
      if actual != expected { try actual.write(to: path, atomically: true, encoding: .utf8) }
      return
    }
    if actual != expected {
      Issue.record("\(file): \(firstDifference(expected: expected, actual: actual)); if it was meant: make transcripts")
    }
  }

  /// The README's `console` blocks are transcripts: they show the program's output.
  @Test func readmeShowsWhatIsPrinted() throws {
    let path = Program.root.appendingPathComponent("README.md")
    let expected = try String(contentsOf: path, encoding: .utf8)
    let opening = "```console\n"
    var pieces = expected.components(separatedBy: opening)
    try #require(pieces.count > 1, "the README shows nothing")
    for number in pieces.indices.dropFirst() {
      let end = try #require(pieces[number].range(of: "```"))
      pieces[number].replaceSubrange(..<end.lowerBound, with: try Transcript(String(pieces[number][..<end.lowerBound])).played())
    }
    let actual = pieces.joined(separator: opening)
    if Self.rewrite {
      if actual != expected { try actual.write(to: path, atomically: true, encoding: .utf8) }
    } else if actual != expected {
      Issue.record("README.md: \(firstDifference(expected: expected, actual: actual)); if it was meant: make transcripts")
    }
  }

  /// Pages of the manual in which literal blocks that begin with a command line are transcripts.
  static let pages = ["btscribe-query.7", "btscribe-tutorial.7"]

  /// The manual shows the program's output.
  @Test(arguments: pages)
  func manualShowsWhatIsPrinted(page: String) throws {
    let path = Program.root.appendingPathComponent("man/\(page)")
    let expected = try String(contentsOf: path, encoding: .utf8)
    let opening = ".Bd -literal -offset indent\n"
    var pieces = expected.components(separatedBy: opening)
    var shown = 0
    for number in pieces.indices.dropFirst() where pieces[number].hasPrefix("$ ") {
      let end = try #require(pieces[number].range(of: ".Ed\n"))
      pieces[number].replaceSubrange(..<end.lowerBound, with: roff(try Transcript(plain(pieces[number][..<end.lowerBound])).played()))
      shown += 1
    }
    try #require(shown > 0, "\(page) shows nothing")
    let actual = pieces.joined(separator: opening)
    if Self.rewrite {
      if actual != expected { try actual.write(to: path, atomically: true, encoding: .utf8) }
    } else if actual != expected {
      Issue.record("man/\(page): \(firstDifference(expected: expected, actual: actual)); if it was meant: make transcripts")
    }
  }

  /// Each query that `query --tables` shows can be run on a capture with all kinds of rows.
  @Test func tablesShowQuestionsThatCanBeAsked() throws {
    let questions = try Program.shell("btscribe query --tables").output.split(separator: "\n").filter { $0.hasPrefix("    SELECT ") }
    #expect(questions.count == 12)
    for question in questions {
      let result = try Program.shell("btscribe query Samples/gopro.btsnoop \"\(question)\"")
      #expect(result.status == 0 && result.errors.isEmpty, "\(question): \(result.errors)")
    }
  }

  /// Lines of a manual page as they are displayed, and back.
  private func plain(_ text: some StringProtocol) -> String {
    text.split(separator: "\n", omittingEmptySubsequences: false).map { $0.hasPrefix("\\&") ? $0.dropFirst(2) : $0 }.joined(separator: "\n")
      .replacingOccurrences(of: "\\-", with: "-").replacingOccurrences(of: "\\e", with: "\\")
  }

  private func roff(_ text: String) -> String {
    text.replacingOccurrences(of: "\\", with: "\\e").replacingOccurrences(of: "-", with: "\\-")
      .split(separator: "\n", omittingEmptySubsequences: false).map { $0.hasPrefix(".") || $0.hasPrefix("'") ? "\\&" + $0 : String($0) }
      .joined(separator: "\n")
  }

  @Test func thereAreTranscripts() {
    #expect(!Self.files.isEmpty)
  }

  private func firstDifference(expected: String, actual: String) -> String {
    let old = expected.split(separator: "\n", omittingEmptySubsequences: false)
    let new = actual.split(separator: "\n", omittingEmptySubsequences: false)
    let line = zip(old, new).enumerated().first { $0.element.0 != $0.element.1 }?.offset ?? min(old.count, new.count)
    let was = line < old.count ? String(old[line]) : "(the end)"
    let now = line < new.count ? String(new[line]) : "(the end)"
    return "line \(line + 1)\n  was  \(was)\n  now  \(now)"
  }
}

/// The contents of a transcript file: the comments at its head and between commands, and the command lines.
struct Transcript {
  /// Comment lines before a command, and the command itself.
  var commands: [(comments: [String], line: String)] = []

  init(_ text: String) {
    // Comments are directly above their command, behind an empty line; any other line that begins with the same characters is output.
    var comments: [String] = []
    var isOutput = false
    for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
      if isOutput, let last = commands.last?.line, Self.hasOpenQuotes(last) {
        commands[commands.count - 1].line += "\n" + line
      } else if line.hasPrefix("$ ") {
        commands.append((comments, String(line.dropFirst(2))))
        comments = []
        isOutput = true
      } else if line.isEmpty {
        comments = []
        isOutput = false
      } else if line.hasPrefix("# "), !isOutput {
        comments.append(String(line))
      } else {
        isOutput = true
      }
    }
  }

  /// Whether the shell would wait for a closing quotation mark.
  static func hasOpenQuotes(_ line: String) -> Bool {
    var quote: Character?
    var isEscaped = false
    for character in line {
      if isEscaped {
        isEscaped = false
      } else if character == "\\", quote != "'" {
        isEscaped = true
      } else if let open = quote {
        if character == open { quote = nil }
      } else if character == "'" || character == "\"" {
        quote = character
      }
    }
    return quote != nil
  }

  /// Runs every command and returns the file's new contents.
  func played() throws -> String {
    var text = ""
    for (number, command) in commands.enumerated() {
      if number > 0 { text += "\n" }
      for comment in command.comments { text += comment + "\n" }
      text += "$ \(command.line)\n"
      let result = try Program.shell(command.line)
      text += lines(result.output, mark: "")
      text += lines(result.errors, mark: "! ")
      if result.status != 0 { text += "status: \(result.status)\n" }
    }
    return text
  }

  private func lines(_ output: String, mark: String) -> String {
    if output.isEmpty { return "" }
    let body = output.hasSuffix("\n") ? String(output.dropLast()) : output + "⏎ no line end"
    return body.split(separator: "\n", omittingEmptySubsequences: false).map { mark + $0 + "\n" }.joined()
  }
}
