import ArgumentParser
import Memory
import Profiles
import Output
import Text

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// `btscribe profiles`: the protocol profiles.
struct Profiles: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "profiles",
    abstract: "List, show, check and test the protocol profiles, and help to write them.",
    discussion: """
      Profiles are found automatically: those that are built in, *.yaml in $XDG_CONFIG_HOME/btscribe/profiles, and *.btscribe.yaml in the current \
      folder. btscribe-profile(5) describes how to write them.
      """,
    subcommands: [List.self, Show.self, Check.self, Test.self, Schema.self, Watch.self], defaultSubcommand: List.self)

  enum Format: String, ExpressibleByArgument, CaseIterable { case text, json }

  struct List: ParsableCommand {
    static let configuration = CommandConfiguration(abstract: "List the profiles and the devices that they are for.")

    @Option(help: ArgumentHelp("Only those of a kind of device: battery, thermometer, watch, … .", valueName: "kind")) var kind: String?
    @Option(help: "How to print.") var format = Format.text
    @OptionGroup var profiles: ProfileOptions
    @OptionGroup var results: OutputOptions

    func run() throws {
      try OutputOptions.spare(profiles.profile, from: [results.output])
      var all = try profiles.load()?.summaries ?? []
      if let kind {
        let kinds = Set(all.compactMap(\.kind)).sorted()
        guard kinds.contains(kind) else {
          let known = kinds.joined(separator: ", ")
          throw CommandError(CommandError.Status.usage, "no profile is of kind \"\(CommandError.clean(kind))\"; there are \(known)")
        }
        all.removeAll { $0.kind != kind }
      } else {
        // A library that profiles import is not a profile of a device.
        all.removeAll(where: \.isLibrary)
      }
      var out: [UInt8] = []
      if format == .json {
        out.append("[")
        for (index, summary) in all.enumerated() {
          out.append(index > 0 ? ",\n " : "")
          out.append("{\"profile\":")
          out.append(jsonString: summary.id)
          out.append(",\"title\":")
          out.append(jsonString: summary.title)
          if let kind = summary.kind {
            out.append(",\"kind\":")
            out.append(jsonString: kind)
          }
          if let status = summary.status {
            out.append(",\"status\":")
            out.append(jsonString: status.rawValue)
          }
          if !summary.aliases.isEmpty {
            out.append(",\"aliases\":[")
            for (index, alias) in summary.aliases.enumerated() {
              out.append(index > 0 ? "," : "")
              out.append(jsonString: alias)
            }
            out.append("]")
          }
          out.append(",\"origin\":")
          out.append(jsonString: "\(summary.origin)")
          out.append(",\"file\":")
          out.append(jsonString: summary.file)
          out.append("}")
        }
        out.append("]\n")
      } else {
        let width = min(all.map(\.id.utf8.count).max() ?? 0, 24)
        for summary in all {
          out.append(summary.id)
          out.append(String(repeating: " ", count: max(1, width + 2 - summary.id.utf8.count)))
          out.append(summary.title)
          if summary.origin != .builtin { out.append("  (\(CommandError.clean(summary.file)))") }
          out.append("\n")
        }
      }
      try results.print(out)
    }
  }

  struct Show: ParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Print a profile as it is written, or as a specification of its protocol.",
      discussion: """
        A specification (--format html or md) has the device and how it is recognized, what carries which messages, frames as drawings, tables of \
        fields, registers, tagged values and named values, requests and their answers, checks, and an example of each message from the \
        profile's own tests. The page loads nothing and can be printed.

          btscribe profiles show daly-bms --format html -o daly-bms.html
        """)

    /// The format of the output.
    enum Form: String, ExpressibleByArgument, CaseIterable { case yaml, html, md }

    @Argument(help: "Its name, or a file.", completion: .file(extensions: ["yaml"])) var name: String
    @Option(help: ArgumentHelp("yaml as it is written; html or md as a specification.", valueName: "name")) var format = Form.yaml
    @OptionGroup var results: OutputOptions

    func run() throws {
      try OutputOptions.spare([name], from: [results.output])
      let (set, number) = try find(name)
      if format != .yaml {
        let page = try CommandError.profiles { try ProfilePage(set, number) }
        return try results.write { out in
          if format == .html { try ProfileHTML(page, to: out).write() } else { try ProfileMarkdown(page, to: out).write() }
        }
      }
      var out: [UInt8] = []
      let text = set.text(number).replacing("\r\n", with: "\n")
      // The text is printed verbatim unless it has control characters for a terminal.
      let isPlain = text.unicodeScalars.allSatisfy { !$0.isHarmful || $0 == "\n" || $0 == "\t" }
      out.append(
        isPlain
          ? text
          : text.split(separator: "\n", omittingEmptySubsequences: false).map { CommandError.clean(String($0)) }.joined(separator: "\n"))
      if out.last != UInt8(ascii: "\n") { out.append("\n") }
      try results.print(out)
    }
  }

  struct Check: ParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Check profiles for mistakes, and explain them: what they match, which messages their sources carry, through which layers.")

    @Argument(help: "Names or files; by default all that are found.", completion: .file(extensions: ["yaml"])) var names: [String] = []
    @OptionGroup var results: OutputOptions

    func run() throws {
      try OutputOptions.spare(names, from: [results.output])
      var out: [UInt8] = []
      var wrong = 0
      for (set, number) in try findAll(names) {
        do {
          let profile = try set.profile(number)
          if names.isEmpty {
            out.append("\(profile.id): ok\n")
          } else {
            out.append(profile.explanation)
            for remark in try set.remarks(number) + set.hints(number) { out.append("  note      \(CommandError.clean(remark))\n") }
          }
        } catch let error as ProfileError {
          wrong += 1
          CommandError.printNotice("btscribe: \(CommandError.clean(error.description))\n")
          if let recipe = ProfileRecipes.recipe(for: error) {
            CommandError.printNotice("btscribe: \"\(recipe)\" in man 7 btscribe-recipes shows how this is done\n")
          }
        }
      }
      try results.print(out)
      if wrong > 0 { throw CommandError(CommandError.Status.malformed, "", see: .profiles) }
    }
  }

  struct Test: ParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Run the tests in profiles.",
      discussion: """
        With --fuzz, more messages are made from those of the tests, with other values in their fields: each must encode, and decode to the \
        same message. The first message of each kind that fails is printed with its bytes.
        """)

    @Argument(help: "Names or files; by default all that are found.", completion: .file(extensions: ["yaml"])) var names: [String] = []
    @Flag(name: .shortAndLong, help: "Report only failures.") var quiet = false
    @Flag(help: "List the messages, types and named values that no test reaches.") var coverage = false
    @Flag(help: "Also make random messages, encode and decode them.") var fuzz = false
    @Option(help: ArgumentHelp("With --fuzz: the seed; the same seed makes the same messages.", valueName: "number")) var seed: UInt64 = 1
    @Option(help: ArgumentHelp("With --fuzz: how many messages of each kind.", valueName: "count")) var count = 100
    @OptionGroup var results: OutputOptions

    func validate() throws {
      if !(1...1_000_000).contains(count) { throw ValidationError("--count takes a number from 1 to 1000000") }
    }

    /// Prints the result of the generated messages; returns how many failed.
    private func writeResult(_ result: ProfileFuzzResult, _ id: String, to out: inout [UInt8]) -> Int {
      func hex(_ bytes: [UInt8]) -> String {
        var text: [UInt8] = []
        bytes.withBorrowedBytes { text.append(hexOf: $0) }
        return String(decoding: text, as: UTF8.self)
      }
      for failure in result.failures {
        out.append("\(id): \(CommandError.clean(failure.message)) made with --seed \(seed) does not decode to the same message\n")
        out.append("    payload \(hex(failure.payload))\n")
        if !failure.packets.isEmpty { out.append("    encodes to \(failure.packets.map(hex).joined(separator: " "))\n") }
        out.append("    \(CommandError.clean(failure.difference))\n")
      }
      guard !quiet else { return result.failures.count }
      out.append("\(id): \(result.tried) messages made, \(result.failures.count) kinds do not decode to the same message\n")
      for (message, fields) in result.fixed where !fields.isEmpty {
        let more = fields.count > 12 ? ", … (+\(fields.count - 12))" : ""
        out.append(
          "    not to be chosen in \(CommandError.clean(message)): \(CommandError.clean(fields.prefix(12).joined(separator: ", ")))\(more)\n"
        )
      }
      for (message, reason) in result.skipped { out.append("    not made: \(CommandError.clean(message)): \(reason)\n") }
      return result.failures.count
    }

    func run() throws {
      try OutputOptions.spare(names, from: [results.output])
      var out: [UInt8] = []
      var failed = 0
      var page: CommandError.Page?
      for (set, number) in try findAll(names) {
        do {
          let tests = try set.test(number)
          let id = try set.profile(number).id
          for test in tests where !test.differences.isEmpty {
            failed += 1
            out.append("\(id): \(test.title) (line \(test.line)) failed\n")
            for difference in test.differences { out.append("    \(CommandError.clean(difference))\n") }
          }
          let passed = tests.count { $0.differences.isEmpty }
          if !quiet { out.append("\(id): \(passed) of \(tests.count) tests passed\n") }
          if coverage {
            let coverage = try set.coverage(number)
            out.append("\(id): \(coverage.counts.reached) of \(coverage.counts.of) messages, types and named values reached\n")
            for line in coverage.missing { out.append("    not reached: \(line)\n") }
          }
          if fuzz { failed += writeResult(try set.fuzz(number, seed: seed, count: count), id, to: &out) }
        } catch let error as ProfileError {
          failed += 1
          page = .profiles
          CommandError.printNotice("btscribe: \(CommandError.clean(error.description))\n")
        }
      }
      try results.print(out)
      if failed > 0 { throw CommandError(CommandError.Status.malformed, "", see: page) }
    }
  }

  /// A profile by its name or file, and the set it is in. Throws ``CommandError``.
  static func find(_ name: String) throws -> (ProfileSet, Int) {
    let set = try CommandError.profiles { try ProfileSet.standard(given: [name]) { _ in } }
    guard let given = set.summaries.first(where: { $0.origin == .given }) else {
      throw CommandError(CommandError.Status.noInput, "no profile \"\(CommandError.clean(name))\"")
    }
    return (set, given.number)
  }

  /// The profiles of names, or all.
  static func findAll(_ names: [String]) throws -> [(ProfileSet, Int)] {
    if names.isEmpty {
      let set = try CommandError.profiles {
        try ProfileSet.standard { CommandError.printNotice("btscribe: \(CommandError.clean($0.description))\n") }
      }
      return set.summaries.map { (set, $0.number) }
    }
    return try names.map(find)
  }
}

extension Profiles.Show { func find(_ name: String) throws -> (ProfileSet, Int) { try Profiles.find(name) } }
extension Profiles.Check { func findAll(_ names: [String]) throws -> [(ProfileSet, Int)] { try Profiles.findAll(names) } }
extension Profiles.Test { func findAll(_ names: [String]) throws -> [(ProfileSet, Int)] { try Profiles.findAll(names) } }

extension OutputOptions {
  /// Writes `bytes` to the output. Throws ``CommandError`` and ``OutputError``.
  func print(_ bytes: [UInt8]) throws {
    try write { $0.raw(bytes) }
  }
}
