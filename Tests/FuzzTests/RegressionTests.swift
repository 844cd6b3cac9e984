import Foundation
import FuzzInput
import FuzzProgram
import Testing
import TestSupport

/// Replays the inputs that the fuzzer found, and a few small inputs of every kind: an input that is handled wrongly ends the test run. Tests run
/// one after the other, because targets keep objects for one thread.
@Suite(.serialized) struct RegressionTests {
  private static let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .appendingPathComponent("Fuzz/Regressions")

  @Test func findingsAreMended() throws {
    var replayed = 0
    for target in try FileManager.default.contentsOfDirectory(atPath: Self.folder.path).sorted() {
      let known = try #require(FuzzTarget.all.first { $0.name == target }, "no target \(target)")
      let files = Self.folder.appendingPathComponent(target)
      for name in try FileManager.default.contentsOfDirectory(atPath: files.path).sorted() {
        known.run(Array(try Data(contentsOf: files.appendingPathComponent(name))))
        replayed += 1
      }
    }
    #expect(replayed > 0)
  }

  @Test(arguments: FuzzTarget.all.map(\.name))
  func smallInputsAreTaken(name: String) throws {
    let target = try #require(FuzzTarget.all.first { $0.name == name })
    var generator = SplitMix(state: testSeed)
    target.run([])
    for byte in UInt8.min...UInt8.max { target.run([byte]) }
    for _ in 0..<200 {
      let isSmall = Bool.random(using: &generator)
      target.run((0..<Int.random(in: 2...64, using: &generator)).map { _ in UInt8.random(in: 0...(isSmall ? 8 : 255), using: &generator) })
    }
  }
}

extension RegressionTests {
  /// Checks that matches of a host and two sniffers are found in every order of arrival; otherwise the target would check nothing.
  @Test(arguments: [0, 1, 2, 3] as [UInt8], [0, 20, 255] as [UInt8])
  func sniffersAreCompared(order: UInt8, offset: UInt8) {
    // Each packet's kind, time since the last one, contents, and delay at the sniffer.
    var input: [UInt8] = [order, offset, offset]
    for number in UInt8(0)..<40 {
      let what: UInt8 = number % 3 == 0 ? 0x04 : 0x00
      input += [what, 40 + number, 10, number &* 7 % 16, 3]
    }
    let described = input.withUnsafeBytes { LiveAir.run($0) }
    #expect(described >= 30)
  }

  /// Sessions with most PDUs on both sides, so that there is something to align: the target's checks hold.
  @Test func sessionsAreAligned() throws {
    let target = try #require(FuzzTarget.all.first { $0.name == "alignment" })
    var generator = SplitMix(state: testSeed)
    for _ in 0..<300 {
      let contents = UInt8.random(in: 1...31, using: &generator)
      var bytes: [UInt8] = [UInt8.random(in: 0...255, using: &generator), UInt8.random(in: 0...40, using: &generator)]
      for _ in 0..<UInt8.random(in: 8...160, using: &generator) {
        let onBoth = UInt8.random(in: 0...9, using: &generator) > 1
        let direction: UInt8 = Bool.random(using: &generator) ? 4 : 0
        bytes += [
          direction | (onBoth ? 0 : UInt8.random(in: 1...2, using: &generator)), UInt8.random(in: 1...255, using: &generator), 9,
          UInt8.random(in: 0...contents, using: &generator), UInt8.random(in: 0...240, using: &generator),
        ]
      }
      target.run(bytes)
    }
  }
}
