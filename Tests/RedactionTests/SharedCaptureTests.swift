import Captures
import Foundation
import Profiles
import Redaction
import TestSupport
import Testing

/// Captures of real devices, in `BTSCRIBE_SHARED`, or in `shared` beside or above the package: redaction keeps what a reader needs.
@Suite struct SharedCaptureTests {
  static let captures: [String] = {
    // Large captures take minutes without optimization.
    let maximum = ProcessInfo.processInfo.environment["BTSCRIBE_EXHAUSTIVE"] == nil ? 70_000 : Int.max
    return SharedFolder.captures.filter {
      ((try? FileManager.default.attributesOfItem(atPath: $0)[.size] as? Int) ?? 0) <= maximum && (try? CaptureFile.open($0)) != nil
    }
  }()

  /// Packets, names, directions, handles, operations, messages of profiles and findings are the same before and after, and after a second time.
  @Test(.enabled(if: !captures.isEmpty, "no shared captures"), arguments: captures)
  func readsTheSame(_ path: String) throws {
    let name = (path as NSString).lastPathComponent
    var options = Redaction.Options()
    let profiles = try ProfileSet()
    options.profiles = profiles
    let target = CaptureTarget(try CaptureFile.open(path).format)
    let once = try Redacted(path, target, "capture", options: options)
    let before = try Shape.of(path, profiles: profiles)
    for redacted in [once, try Redacted(once.file.path, target, "capture", options: options)] {
      let after = try Shape.of(redacted.file.path, profiles: profiles)
      #expect(before.count == after.count, "\(name)")
      if let (own, other) = zip(before, after).first(where: { $0 != $1 }) { Issue.record("\(name)\n\(own)\n\(other)") }
    }
  }

  /// The project's own samples, including incomplete ones.
  @Test func samplesReadTheSame() throws {
    let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appendingPathComponent("../../Samples")
    var options = Redaction.Options()
    let profiles = try ProfileSet()
    options.profiles = profiles
    var count = 0
    // The number of typed keys is not kept.
    for name in try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted() where !name.hasPrefix("keyboard") {
      let path = folder.appendingPathComponent(name).path
      guard let source = try? CaptureFile.open(path), !source.interfaces.isEmpty || source.format == .btsnoop else { continue }
      let before = try Shape.of(path, profiles: profiles)
      let redacted = try Redacted(path, CaptureTarget(source.format), "capture", options: options)
      let after = try Shape.of(redacted.file.path, profiles: profiles)
      count += 1
      #expect(before.count == after.count, "\(name)")
      if let (own, other) = zip(before, after).first(where: { $0 != $1 }) { Issue.record("\(name)\n\(own)\n\(other)") }
      // Its packets of messages are missing: after redaction other bytes of them belong to no field.
      let isIncomplete = name == "drops.btsnoop"
      let left = try redacted.check(options).filter { !isIncomplete || !$0.contains("bytes without a field") }
      #expect(left.isEmpty, "\(name): \(left)")
    }
    #expect(count >= 20)
  }

  /// Logs that begin in the middle, as rotated ones do: channels and their modes are not known, and lines and objects begin before the log. Redaction
  /// reads the same, with right frame check sequences, and a check finds nothing.
  @Test(arguments: ["objects", "handsfree", "enhanced"])
  func logsThatBeginInTheMiddle(name: String) throws {
    let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appendingPathComponent("../../Samples")
    var options = Redaction.Options()
    let profiles = try ProfileSet()
    options.profiles = profiles
    let sample = Array(try Data(contentsOf: folder.appendingPathComponent("\(name).btsnoop")))
    // Where each packet begins.
    var starts: [Int] = []
    var at = 16
    while at + 24 <= sample.count {
      starts.append(at)
      at += 24 + sample[at + 4..<at + 8].reduce(0) { $0 << 8 | Int($1) }
    }
    for number in stride(from: 9, to: starts.count, by: max(1, starts.count / 16)) {
      let cut = TemporaryFile("btsnoop")
      try Data(Array(sample[..<16]) + sample[starts[number]...]).write(to: URL(fileURLWithPath: cut.path))
      let redacted = try Redacted(cut.path, CaptureTarget(.btsnoop), "btsnoop", options: options)
      let left = try redacted.check(options)
      #expect(left.isEmpty, "from \(number): \(left)")
      #expect(try Shape.differences(cut.path, redacted.file.path).isEmpty, "from \(number)")
    }
  }

  /// A replaced byte may equal the original by chance. It must not count as kept: with every seed a check finds nothing.
  @Test func everySeedJudgesTheSame() throws {
    let path = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appendingPathComponent("../../Samples/counter-gap.btsnoop").path
    var options = Redaction.Options()
    options.profiles = try ProfileSet()
    let redacted = try Redacted(path, CaptureTarget(.btsnoop), "btsnoop", options: options)
    for seed in 0..<1000 {
      options.seed = "seed \(seed)"
      let left = try redacted.check(options)
      #expect(left.isEmpty, "seed \(seed): \(left)")
    }
  }
}
