import Foundation
import Testing

/// Programs that read NDJSON keep only one of two members with the same name, so no object has a name twice.
@Suite struct JSONKeyTests {
  @Test(.enabled(if: hasPython, "no python3"))
  func noObjectOfASampleHasAKeyTwice() throws { try check("Samples/*.btsnoop Samples/*.pcap Samples/*.pcapng Samples/*.pklg") }

  @Test(.enabled(if: hasPython && Oracle.captures != nil, "no python3, or no shared captures"))
  func noObjectOfARealLogHasAKeyTwice() throws { try check("'\(try #require(Oracle.captures).path)'/*") }

  private func check(_ captures: String) throws {
    let result = try Program.shell("python3 Tests/Oracle/twice.py '\(Program.path)' \(captures)")
    #expect(result.status == 0, "\(result.output)\(result.errors)")
  }

  private static let hasPython = (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":").contains {
    FileManager.default.isExecutableFile(atPath: "\($0)/python3")
  }
}
