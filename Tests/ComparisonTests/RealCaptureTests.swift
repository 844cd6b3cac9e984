import CaptureScenes
import Captures
import Comparison
import Foundation
import Output
import Profiles
import Redaction
import Testing
import Text

@_spi(Pipeline) import Analysis

/// Captures compared with converted and redacted copies: no differences are reported.
@Suite struct RealCaptureTests {
  static let profiles = Result { try ProfileSet(builtin: true) }

  static func record(_ source: any PacketSource, _ name: String) throws -> Recording {
    var options = Timeline.Options()
    options.profiles = try profiles.get()
    let recorder = StepRecorder()
    _ = try Timeline(source, options: options.forComparison).run(CaptureFacts(name: name, title: source.title), to: recorder)
    return recorder.recording
  }

  static func compare(_ a: Recording, _ b: Recording) -> CaptureDifferences {
    var comparison = CaptureComparison(good: [a], bad: b)
    return comparison.run()
  }

  /// The reported differences, for a failing test's message.
  static func text(_ a: Recording, _ b: Recording, _ result: CaptureDifferences) -> String {
    let rows = result.rows.prefix(8).map { row in
      let operation = row.a >= 0 ? a.operation(row.a) : b.operation(row.b)
      let changes = row.changes.map { "\($0.field) \($0.a) → \($0.b)" }.joined(separator: "; ")
      return
        "  \(row.change) \(operation?.kind.id ?? "") #\(operation?.frame ?? 0) \(row.subject == .operation ? "" : "\(row.subject)") \(changes)"
    }
    return "\(result.same) same, \(result.rows.count) differ\n" + rows.joined(separator: "\n") + "\n"
  }

  private func expectNone(_ a: Recording, _ b: Recording, _ what: String) {
    let result = Self.compare(a, b)
    #expect(result.rows.isEmpty, "\(what)\n\(Self.text(a, b, result))")
  }

  private func each(_ body: (String, any PacketSource) throws -> Void) throws {
    for path in RealCaptures.samples + RealCaptures.others {
      guard let source = try? CaptureFile.open(path) else { continue }
      try body(path, source)
    }
    if RealCaptures.others.isEmpty { print("only the samples: there are no captures beside the package") }
  }

  @Test func sameAsItself() throws {
    try each { path, source in
      let name = RealCaptures.name(path)
      let recording = try Self.record(source, name)
      let other = try Self.record(try CaptureFile.open(path), name)
      expectNone(recording, other, "\(name) with itself")
    }
  }

  @Test func sameInAnotherFormat() throws {
    try each { path, source in
      let name = RealCaptures.name(path)
      let recording = try Self.record(source, name)
      for (ending, target) in [("pcapng", CaptureTarget(.pcapng)), ("btsnoop", CaptureTarget(.btsnoop))] {
        let copy = NSTemporaryDirectory() + "btscribe-\(UUID().uuidString).\(ending)"
        defer { try? FileManager.default.removeItem(atPath: copy) }
        let writer = try CaptureWriter(to: copy, target: target)
        let again = try CaptureFile.open(path)
        let batch = PacketBatch()
        while try again.read(batch) { for index in batch.records.indices { try writer.write(index, of: batch, from: again) } }
        try writer.finish(source: again)
        // A format that cannot store packets of the air loses information.
        guard writer.losses.sentences.isEmpty else { continue }
        expectNone(recording, try Self.record(try CaptureFile.open(copy), name), "\(name) as \(ending)")
      }
    }
  }

  /// A capture in memory as `redact` writes it.
  static func redacted(_ source: any PacketSource, _ name: String, keepsValues: Bool = false) throws -> any PacketSource {
    let copy = NSTemporaryDirectory() + "btscribe-\(UUID().uuidString)"
    defer { try? FileManager.default.removeItem(atPath: copy) }
    var options = Redaction.Options()
    options.seed = "seed"
    options.keepsValues = keepsValues
    options.profiles = try Self.profiles.get()
    let redaction = Redaction(options)
    let facts = CaptureFacts(name: name, title: source.title)
    _ = try redaction.survey(source, facts)
    let writer = try CaptureWriter(to: copy, target: CaptureTarget(source.format))
    _ = try redaction.write(source, facts, to: writer)
    try writer.finish(source: source)
    return try CaptureFile.open(bytes: Array(try Data(contentsOf: URL(fileURLWithPath: copy))), name: name)
  }

  @Test(arguments: [false, true]) func sameWhenRedacted(keepsValues: Bool) throws {
    var (total, described) = (0, 0)
    try each { path, source in
      guard try source.rewind() else { return }
      let name = RealCaptures.name(path)
      let recording = try Self.record(try CaptureFile.open(path), name)
      let other = try Self.record(try Self.redacted(source, name, keepsValues: keepsValues), name)
      let result = Self.compare(recording, other)
      expectNone(recording, other, "\(name), redacted")
      expectNone(other, recording, "\(name), from redacted")
      total += 1
      if result.notes.contains(where: { $0.contains("redacted") }) { described += 1 }
      // A capture that is not redacted is not taken for a redacted one.
      #expect(!Self.compare(recording, recording).notes.contains { $0.contains("redacted") }, "\(name)")
    }
    print("\(total) captures redacted, values replaced in \(described)")
    #expect(keepsValues || described * 2 > total)
  }
}
