import Foundation
import Testing
import TestSupport

@testable import Captures

/// Damaged captures: truncated at every byte of their first 4 KiB, and every such byte changed in turn. Nothing crashes or hangs, and no packet
/// before the damage is lost.
@Suite struct DamageTests {
  private static let length = 4096
  /// All bytes take minutes: all of them with BTSCRIBE_EXHAUSTIVE=1, else every 29th; changes begin at a random one.
  private static let step = ProcessInfo.processInfo.environment["BTSCRIBE_EXHAUSTIVE"] == nil ? 29 : 1
  private let batch = PacketBatch()

  /// The packets that were read, and whether the capture is reported as damaged.
  private func read(_ bytes: [UInt8], _ name: String, withTime: Bool) -> [String] {
    var found: [String] = []
    guard let source = try? CaptureFile.open(bytes: bytes, name: name) else { return found }
    while (try? source.read(batch)) == true {
      for record in batch.records {
        let first = batch.payload(record).first ?? 0
        found.append(
          "\(withTime ? record.time : 0) \(record.kind.rawValue) \(record.direction) \(record.captured) \(record.original) \(first)")
      }
    }
    return found
  }

  private func check(_ name: String, _ whole: [UInt8]) {
    let bytes = Array(whole.prefix(2 * Self.length))
    // Times of a memory log count back from its end, and the choice of a file in an archive depends on all of it.
    let isText = name.hasSuffix(".txt")
    let isArchive = name.contains(".zip") || name.contains(".tar")
    let all = read(bytes, name, withTime: !isText)
    var sizes: [Int] = []
    for size in stride(from: 0, through: min(bytes.count, Self.length), by: Self.step) {
      let kept = read(Array(bytes[..<size]), name, withTime: !isText)
      if isArchive { continue }
      // A simple packet or a note may lose only itself.
      #expect(kept.elementsEqual(all.prefix(kept.count)), "\(name) cut to \(size) bytes")
      #expect(kept.count >= sizes.count, "\(name) cut to \(size) bytes loses packets")
      while sizes.count < kept.count { sizes.append(size) }
    }
    var generator = SplitMix(state: testSeed)
    for index in stride(from: .random(in: 0..<Self.step, using: &generator), to: min(bytes.count, Self.length), by: Self.step) {
      let mask = UInt8.random(in: 1...255, using: &generator)
      var changed = bytes
      changed[index] ^= mask
      let kept = read(changed, name, withTime: !isText)
      if isArchive || isText { continue }
      let safe = sizes.prefix { $0 <= index }.count
      #expect(kept.prefix(safe).elementsEqual(all.prefix(safe)), "\(name) with byte \(index) xor \(mask)")
    }
  }

  @Test(.enabled(if: !Fixtures.names.isEmpty, "needs python3"), arguments: Fixtures.names.filter { !$0.hasPrefix("join") })
  func fixtures(name: String) throws {
    var bytes = try Fixtures.bytes(name)
    // The end of a bug report's text is the relevant part.
    if name.hasSuffix(".txt") { bytes = Array(bytes[..<200]) + bytes.suffix(900) }
    check(name, bytes)
  }

  @Test(.enabled(if: !Shared.names.isEmpty, "needs the shared captures"), arguments: Shared.names)
  func captures(name: String) throws {
    let path = try #require(Shared.captures) + "/" + name
    let data = try #require(FileManager.default.contents(atPath: path))
    check(name, Array(data.prefix(2 * Self.length)))
  }
}
