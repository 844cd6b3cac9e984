import Analysis
import ArgumentParser
import Captures
import Keys
import Memory
import Output
import Profiles
import Text

extension Profiles {
  /// `btscribe profiles watch`.
  struct Watch: ParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Show how a capture's timeline changes each time a profile is saved.",
      discussion: """
        Keep it running beside the editor. At first it prints the timeline; after each save of FILE, only the lines that differ from before, with \
        some lines around them: ~ marks a changed line, and - above it the old one; + marks a new line, and - a removed one. A mistake in \
        the profile is reported with its line and column, and so is a failed test. Ctrl-C ends it.

          btscribe profiles watch thermometer.yaml capture.log -Y thermometer
        """)

    @Argument(help: "The profile to watch.", completion: .file(extensions: ["yaml"])) var file: String
    @Argument(help: "The capture whose timeline is shown.", completion: .file()) var capture: String

    @Flag(help: "Print all lines after each save, not only those that changed.") var all = false
    @Option(help: ArgumentHelp("Lines of context around a changed line.", valueName: "lines")) var context = 2
    @OptionGroup var filter: FilterOption
    @OptionGroup var gatt: GATTOptions
    @OptionGroup var keys: KeyOptions
    @OptionGroup var output: OutputOptions
    @OptionGroup var print: PrintOptions

    func validate() throws {
      if !(0...1000).contains(context) { throw ValidationError("--context takes a number from 0 to 1000") }
      if capture == "-" { throw ValidationError("the capture is read again after each save: it must be a file") }
    }

    func run() throws {
      try OutputOptions.spare([capture, file] + keys.keys, from: [output.output])
      LiveStop.install()
      let stop = LiveStop()
      let isPipe = output.isPipe
      let out = try output.openInPlace()
      var watch = FileWatch(file)
      var before: [[UInt8]]?
      var saves = -1
      while watch.next(until: { stop.isWanted || isPipe && LiveCommand.isDeserted(1) }) {
        saves += 1
        guard watch.text != nil else {
          // At the start, a missing file is an error of the command line.
          if saves == 0 { _ = try Profiles.find(file) }
          CommandError.printNotice("btscribe: \(CommandError.clean(file)) is not there; waiting for it\n")
          continue
        }
        do {
          let profile = try Self.profile(file)
          let (lines, isCut) = try timeline(profile.set, isFirst: before == nil)
          try show(lines, before, saves, tests: profile.tests, isCut: isCut, to: out)
          before = lines
        } catch let error as ProfileError {
          CommandError.printNotice("btscribe: \(CommandError.clean(error.description))\n")
        } catch let error as CommandError {
          // A capture that cannot be read will not be read after the next save either.
          if error.status == CommandError.Status.noInput || error.status == 0 || error.status == CommandError.Status.writing
            || before == nil
              && error.status != CommandError.Status.usage
          {
            throw error
          }
          error.printNotice()
        }
      }
      try CommandError.catching { try out.finish() }
    }

    /// The profiles with the one that is watched, and its tests. Throws ``ProfileError``.
    private static func profile(_ file: String) throws -> (set: ProfileSet, tests: [ProfileTestResult]) {
      // Without a folder, the file's name would be taken as the name of a profile.
      let path = file.contains("/") || file.contains(".") ? file : "./" + file
      let set = try ProfileSet.standard(given: [path])
      guard let given = set.summaries.first(where: { $0.origin == .given }) else {
        throw ProfileError(file: file, line: 0, column: 0, message: "no such profile")
      }
      return (set, try set.test(given.number))
    }

    /// The lines of the capture's timeline, and whether there are more. Throws ``CommandError``.
    private func timeline(_ profiles: ProfileSet, isFirst: Bool) throws -> (lines: [[UInt8]], isCut: Bool) {
      let collector = LineCollector()
      try CommandError.catching {
        var options = Timeline.Options()
        options.profiles = try keys.opening(profiles)
        options.filter = try filter.compile(profiles)
        options.gatt = try gatt.load()
        options.identityKeys = try keys.load().identityKeys
        options.includesFragments = print.showsEveryPacket
        let captured = try CaptureFile.open(capture)
        if isFirst { for notice in captured.notices { CommandError.printNotice("btscribe: \(CommandError.clean(notice))\n") } }
        let name = String(capture.split(separator: "/").last ?? Substring(capture))
        let source = keys.decrypting(captured, try keys.load(), name: name)
        let timeline = Timeline(source, options: options)
        timeline.onProfileError = ProfileOptions.printNotice
        let buffer = TextBuffer(to: collector)
        let outcome = try print.run(timeline, CaptureFacts(name: name, title: source.title), to: buffer, output.style)
        try buffer.finish()
        if isFirst { KeyOptions.printNotices(source.decryptor.limits, of: name) }
        if isFirst, let damage = outcome.damage { CommandError(damage, of: name, packets: outcome.packets).printNotice() }
      }
      return (collector.lines, collector.isFull)
    }

    private func show(
      _ lines: [[UInt8]], _ before: [[UInt8]]?, _ saves: Int, tests: [ProfileTestResult], isCut: Bool, to out: TextBuffer
    ) throws {
      let name = CommandError.clean(String(file.split(separator: "/").last ?? Substring(file)))
      let style = output.style
      let failed = tests.filter { !$0.differences.isEmpty }
      let counts = tests.isEmpty ? "" : "; \(tests.count - failed.count) of \(tests.count) tests passed"
      if let before {
        let changes = TimelineChanges(from: before, to: lines)
        out.string("\n\(name), save \(saves): \(changes.words)\(counts)\n")
        if !changes.isEmpty || all { changes.print(before, lines, context: all ? nil : context, to: out, style) }
      } else {
        for line in lines {
          line.withBorrowedBytes { out.append($0) }
          out.byte(0x0A)
        }
        out.string("\n\(name): waiting for saves\(counts)\n")
      }
      for test in failed.prefix(8) {
        out.string("  test \(CommandError.clean(test.title)) (line \(test.line)) failed\n")
        for difference in test.differences.prefix(4) { out.string("    \(CommandError.clean(difference))\n") }
      }
      if failed.count > 8 { out.string("  and \(failed.count - 8) tests more\n") }
      if isCut { out.string("  only the first \(InputOptions.grouped(lines.count)) lines are compared\n") }
      try CommandError.catching { try out.flush() }
    }
  }
}
