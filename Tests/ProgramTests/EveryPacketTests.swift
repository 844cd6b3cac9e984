import Foundation
import Testing

/// Nothing is lost silently: a timeline shows each packet, or counts it as not shown.
@Suite struct EveryPacketTests {
  static let samples: [String] = {
    let names = (try? FileManager.default.contentsOfDirectory(atPath: Program.root.appendingPathComponent("Samples").path)) ?? []
    return names.filter { name in ["btsnoop", "pklg", "pcapng"].contains { name.hasSuffix(".\($0)") } }.sorted().map { "Samples/\($0)" }
  }()

  @Test(arguments: samples)
  func eachIsShownOrCounted(capture: String) throws {
    let all = try Rows("btscribe timeline -V --no-profiles \(capture)")
    let folded = try Rows("btscribe timeline --no-profiles \(capture)")
    // Each packet has a row in the complete output.
    #expect(all.frames == Array(1...max(1, all.packets)).filter { $0 <= all.packets })
    #expect(folded.packets == all.packets)
    #expect(folded.count + folded.notShown == all.count)
  }

  /// The same for a folder of captures that is given to the tests.
  @Test(.enabled(if: Oracle.captures != nil, "no shared captures"))
  func eachOfRealLogsIsShownOrCounted() throws {
    let folder = try #require(Oracle.captures)
    for name in try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted() {
      let capture = folder.appendingPathComponent(name)
      let size = try FileManager.default.attributesOfItem(atPath: capture.path)[.size] as? Int
      guard let size, size < 500_000, !name.hasSuffix(".tsv") else { continue }
      try eachIsShownOrCounted(capture: capture.path)
    }
  }

  /// The parts of a timeline.
  private struct Rows {
    /// The number of packets of the capture, from the first line.
    var packets = 0
    /// The number of rows for one packet.
    var count = 0
    /// The numbers of these packets.
    var frames: [Int] = []
    /// The number of packets in the last lines that are not shown.
    var notShown = 0

    init(_ command: String) throws {
      let output = try Program.shell(command).output
      let parts = output.split(separator: "\nnot shown: ", maxSplits: 1)
      let lines = (parts.first ?? "").utf8.split(separator: UInt8(ascii: "\n"))
      packets = Self.number(before: " packet", in: lines.first.map { String(Substring($0)) } ?? "") ?? 0
      var frames: Set<Int> = []
      for line in lines.dropFirst() {
        guard let frame = Self.frame(line) else { continue }
        let text = String(Substring(line))
        // A row for several packets, which are counted.
        if text.contains("⟳") || text.contains("discovered ") && text.contains(" to #") { continue }
        count += 1
        frames.insert(frame)
      }
      self.frames = frames.sorted()
      guard parts.count == 2 else { return }
      for group in parts[1].split(whereSeparator: { ",;(\n".contains($0) }) {
        notShown += Int(group.prefix { $0 != "-" && !$0.isLetter }.filter(\.isNumber)) ?? 0
      }
    }

    /// The packet number of a row, which begins with the number and a time in seconds; other lines do not.
    private static func frame(_ line: Substring.UTF8View) -> Int? {
      let words = line.split(separator: UInt8(ascii: " "), maxSplits: 2)
      guard words.count == 3, words[1].contains(UInt8(ascii: ".")), words[1].allSatisfy({ (0x2D...0x39).contains($0) }) else { return nil }
      return Int(String(Substring(words[0])))
    }

    /// The number before a word, with thousands separators.
    private static func number(before word: String, in text: String) -> Int? {
      guard let end = text.range(of: word)?.lowerBound else { return nil }
      let digits = text[..<end].reversed().prefix { $0.isNumber || $0 == " " }.filter(\.isNumber)
      return Int(String(digits.reversed()))
    }
  }
}
