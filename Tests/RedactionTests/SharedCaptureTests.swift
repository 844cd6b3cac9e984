import Captures
import Foundation
import Profiles
import Redaction
import TestSupport
import Testing

/// Captures of real devices, where they are: `BTSCRIBE_SHARED`, or `shared` beside or above the package. What stays is what a reader needs.
@Suite struct SharedCaptureTests {
  static let captures: [String] = {
    // Large ones take minutes without optimization.
    let most = ProcessInfo.processInfo.environment["BTSCRIBE_EXHAUSTIVE"] == nil ? 70_000 : Int.max
    return SharedFolder.captures.filter {
      ((try? FileManager.default.attributesOfItem(atPath: $0)[.size] as? Int) ?? 0) <= most && (try? CaptureFile.open($0)) != nil
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
      if let (one, other) = zip(before, after).first(where: { $0 != $1 }) { Issue.record("\(name)\n\(one)\n\(other)") }
    }
  }

  /// The project's own samples, those that are not whole as well.
  @Test func samplesReadTheSame() throws {
    let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appendingPathComponent("../../Samples")
    var options = Redaction.Options()
    let profiles = try ProfileSet()
    options.profiles = profiles
    var count = 0
    // Of what somebody types not even the number of keys stays.
    for name in try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted() where !name.hasPrefix("keyboard") {
      let path = folder.appendingPathComponent(name).path
      guard let source = try? CaptureFile.open(path), !source.interfaces.isEmpty || source.format == .btsnoop else { continue }
      let before = try Shape.of(path, profiles: profiles)
      let redacted = try Redacted(path, CaptureTarget(source.format), "capture", options: options)
      let after = try Shape.of(redacted.file.path, profiles: profiles)
      count += 1
      #expect(before.count == after.count, "\(name)")
      if let (one, other) = zip(before, after).first(where: { $0 != $1 }) { Issue.record("\(name)\n\(one)\n\(other)") }
      let left = try redacted.check(options)
      #expect(left.isEmpty, "\(name): \(left)")
    }
    #expect(count >= 20)
  }

  /// A byte that is replaced may be what it was by chance. It is none that stays: whatever the seed, nothing is given away, as little as by others.
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
