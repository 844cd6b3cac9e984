import Foundation
import Testing

/// Findings in real captures that were verified in the bytes: `Findings/judged.tsv` has for each whether it is true, and why.
@Suite struct JudgedFindingTests {
  struct Judgement {
    var frame: Int
    var code: String
    var isTrue: Bool
    var reason: String
  }

  /// The number of false findings that are still reported in the shared captures. A change that removes some lowers it.
  static let maxFalse = 0

  /// The judgements by capture.
  static func judgements() throws -> [String: [Judgement]] {
    let file = Program.root.appendingPathComponent("Tests/ProgramTests/Findings/judged.tsv")
    var result: [String: [Judgement]] = [:]
    for line in try String(contentsOf: file, encoding: .utf8).split(separator: "\n").dropFirst() {
      let cells = line.split(separator: "\t", omittingEmptySubsequences: false).map(String.init)
      try #require(cells.count == 5, "\(line)")
      let frame = try #require(Int(cells[1]), "\(line)")
      try #require(cells[3] == "true" || cells[3] == "false", "\(line)")
      result[cells[0], default: []].append(Judgement(frame: frame, code: cells[2], isTrue: cells[3] == "true", reason: cells[4]))
    }
    return result
  }

  @Test(.enabled(if: Oracle.captures != nil, "no shared captures"))
  func trueFindingsAreReportedAndFalseOnesAreNot() throws {
    let folder = try #require(Oracle.captures)
    var stillFalse: [String] = []
    var compared = 0
    for (capture, judgements) in try Self.judgements().sorted(by: { $0.key < $1.key }) {
      let path = folder.appendingPathComponent(capture).path
      guard FileManager.default.fileExists(atPath: path) else { continue }
      let (_, output, _) = try Program.shell("btscribe timeline --format ndjson '\(path)'")
      var found: Set<String> = []
      // Findings that are merged: from the first to the last of their frames.
      var folded: [(code: String, frames: ClosedRange<Int>)] = []
      for line in output.split(separator: "\n") where line.hasPrefix("{\"kind\":\"warning\"") {
        let row = try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any]
        guard let code = row?["name"] as? String, let frame = row?["frame"] as? Int, let frames = row?["frames"] as? [Int] else { continue }
        #expect(frames.contains(frame) && frames == frames.sorted(), "\(line)")
        #expect(["certain", "likely"].contains(row?["degree"] as? String ?? ""), "\(line)")
        found.insert("\(frame) \(code)")
        guard row?["repeated"] != nil, let first = frames.first else { continue }
        folded.append((code, first...max(first, frame)))
        for frame in frames { found.insert("\(frame) \(code)") }
      }
      for judgement in judgements {
        let isReported = found.contains("\(judgement.frame) \(judgement.code)")
        compared += 1
        let isCounted = folded.contains { $0.code == judgement.code && $0.frames.contains(judgement.frame) }
        if judgement.isTrue { #expect(isReported || isCounted, "\(capture) #\(judgement.frame) \(judgement.code): \(judgement.reason)") }
        if !judgement.isTrue, isReported { stillFalse.append("\(capture) #\(judgement.frame) \(judgement.code)") }
      }
    }
    #expect(compared >= 100)
    #expect(stillFalse.count <= Self.maxFalse, "\(stillFalse.joined(separator: "\n"))")
  }
}
