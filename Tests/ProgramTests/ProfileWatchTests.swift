import Foundation
import Testing

/// `btscribe profiles watch`: its output after each save, and its end.
@Suite(.serialized) struct ProfileWatchTests {
  /// The lines up to and including one that contains `text`.
  private static func lines(_ watch: Running, upTo text: String) -> [String] {
    var lines: [String] = []
    while let line = watch.line(within: 60) {
      lines.append(line)
      if line.contains(text) { return lines }
    }
    return lines + ["nothing came that contains \(text)"]
  }

  /// Waits until standard error contains a text.
  private static func tells(_ watch: Running, _ text: String) -> Bool {
    let until = Date().addingTimeInterval(60)
    while Date() < until {
      if watch.errors().contains(text) { return true }
      _ = watch.line(within: 0.1)
    }
    return false
  }

  @Test func eachSaveShowsWhatChanged() throws {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("btscribe-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let file = folder.appendingPathComponent("pulse.yaml")
    let source = Program.root.appendingPathComponent("Sources/CBuiltinProfiles/Profiles/heart-rate.yaml")
    let text = try String(contentsOf: source, encoding: .utf8)
    try #require(text.contains("bpm"))
    try text.write(to: file, atomically: false, encoding: .utf8)

    let watch = try Running(["profiles", "watch", file.path, "Samples/heart-rate.pklg"])
    let first = Self.lines(watch, upTo: "waiting for saves")
    #expect(first.last == "pulse.yaml: waiting for saves; 4 of 4 tests passed")
    let messages = first.filter { $0.contains(" bpm, ") }.count
    #expect(messages > 5)

    // Overwritten in place by a longer text, so that no partial file is read: each message has the other unit, and nothing else changed.
    let handle = try FileHandle(forWritingTo: file)
    let beats = text.replacingOccurrences(of: "bpm", with: "beats")
    try #require(beats.utf8.count > text.utf8.count)
    try handle.write(contentsOf: Data(beats.utf8))
    try handle.close()
    #expect(Self.lines(watch, upTo: "save 1").last?.hasPrefix("pulse.yaml, save 1: \(messages) lines changed; ") == true)
    var before = 0, after = 0
    while after < messages, let line = watch.line(within: 60) {
      if line.hasPrefix("- "), line.contains(" bpm, ") { before += 1 }
      if line.hasPrefix("~ "), line.contains(" beats, ") { after += 1 }
    }
    #expect(before == messages && after == messages)

    // Replaced by a file of the same name.
    try text.write(to: file, atomically: true, encoding: .utf8)
    #expect(Self.lines(watch, upTo: "save 2").last?.hasPrefix("pulse.yaml, save 2: \(messages) lines changed; ") == true)

    // A mistake is reported, and watching continues.
    try (text + "mach: 1\n").write(to: file, atomically: true, encoding: .utf8)
    let line = text.split(separator: "\n", omittingEmptySubsequences: false).count
    #expect(Self.tells(watch, "pulse.yaml:\(line):1: unknown key \"mach\" in the profile; did you mean \"match\"?"), "\(watch.errors())")

    // The file is removed, and comes back without its tests.
    try FileManager.default.removeItem(at: file)
    #expect(Self.tells(watch, "is not there; waiting for it"))
    let tests = try #require(text.range(of: "\ntests:"))
    try String(text[..<tests.lowerBound] + "\n").write(to: file, atomically: true, encoding: .utf8)
    #expect(Self.lines(watch, upTo: "save 5").last == "pulse.yaml, save 5: no line changed")

    kill(watch.process.processIdentifier, SIGINT)
    #expect(watch.status(within: 60) == 0)
  }

  @Test func aFailedTestIsReported() throws {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("btscribe-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let file = folder.appendingPathComponent("a.yaml")
    let text = """
      profile: a
      characteristics: {c: {uuid: fff1, notify: m}}
      types: {m: {seq: [{id: a, type: u1}]}}
      tests: [{title: one, characteristic: c, packets: ["01"], expect: {a: 2}}]
      """
    try text.write(to: file, atomically: false, encoding: .utf8)
    let watch = try Running(["profiles", "watch", file.path, "Samples/heart-rate.pklg", "-Y", "frame.number == 1"])
    #expect(Self.lines(watch, upTo: "waiting").last == "a.yaml: waiting for saves; 0 of 1 tests passed")
    #expect(watch.line(within: 60) == "  test one (line 4) failed")
    #expect(watch.line(within: 60) == "    message 1.a is 1, not 2")
    kill(watch.process.processIdentifier, SIGTERM)
    #expect(watch.status(within: 60) == 0)
  }

  @Test func whatIsMissingIsAMistakeOfTheCommandLine() throws {
    let profile = try Program.shell("btscribe profiles watch /nonexistent.yaml Samples/heart-rate.pklg")
    #expect(profile.status == 66 && profile.errors == "btscribe: /nonexistent.yaml: No such file or directory\n")
    let capture = try Program.shell(
      "btscribe profiles watch Sources/CBuiltinProfiles/Profiles/heart-rate.yaml /nonexistent.log")
    #expect(capture.status == 66, "\(capture)")
    let pipe = try Program.shell("btscribe profiles watch Sources/CBuiltinProfiles/Profiles/heart-rate.yaml -")
    #expect(pipe.status == 64, "\(pipe)")
  }
}
