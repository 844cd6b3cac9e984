import Foundation
import Testing

/// Markdown reports for issues.
@Suite struct MarkdownTests {
  private static func report(_ arguments: [String]) throws -> String {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: Program.path)
    process.arguments = ["report", "--format", "markdown", "-o", "-"] + arguments
    process.currentDirectoryURL = Program.root
    let pipe = Pipe()
    process.standardOutput = pipe
    process.standardError = FileHandle.nullDevice
    try process.run()
    let data = pipe.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    try #require([0, 65].contains(process.terminationStatus))
    return String(decoding: data, as: UTF8.self)
  }

  static let captures =
    ["gopro.btsnoop", "heart-rate.pklg", "two-cameras.btsnoop", "hostile-name.btsnoop", "typed-object.pcapng", "register.btsnoop"]
    .map { "Samples/\($0)" } + DatabaseTests.captures

  /// The limit of 65,536 bytes for an issue; tables are tables; fences are closed; nothing in the text is HTML, a mention, a reference or a link.
  @Test(arguments: captures)
  func fitsIntoAnIssueAndIsMarkdown(capture: String) throws {
    let text = try Self.report([capture])
    #expect(text.utf8.count < 65_536)
    #expect(text.hasPrefix("# ") && text.contains("\n## Findings\n"))
    var isCode = false
    var columns = 0
    for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
      #expect(
        !line.unicodeScalars.contains { $0.value < 0x20 || (0x7F...0x9F).contains($0.value) || (0x202A...0x202E).contains($0.value) },
        "\(line)")
      if line.hasPrefix("~~~~~~") {
        isCode.toggle()
        continue
      }
      if isCode { continue }
      var shown = line.replacingOccurrences(of: "\\\\", with: "").replacingOccurrences(of: "\\|", with: "").replacingOccurrences(
        of: "\\`", with: "")
      if shown.hasPrefix("|") {
        // Each row of a table has as many cells as its heading.
        let cells = shown.split(separator: "|", omittingEmptySubsequences: false).count
        if columns > 0 { #expect(cells == columns, "\(line)") }
        columns = cells
      } else {
        columns = 0
      }
      shown = shown.replacingOccurrences(of: "&#8203;", with: "\u{200B}")
      // Code spans contain digits and UUIDs.
      let pieces = shown.split(separator: "`", omittingEmptySubsequences: false)
      #expect(pieces.count % 2 == 1, "\(line)")
      shown = pieces.enumerated().filter { $0.offset % 2 == 0 }.map { String($0.element) }.joined(separator: " ")
      #expect(!shown.contains("<") && !shown.contains("://") && !shown.contains("]("), "\(line)")
      #expect(shown.range(of: "[@#][A-Za-z0-9]", options: .regularExpression) == nil, "\(line)")
    }
    #expect(!isCode)
  }

  @Test func hostileNamesAreText() throws {
    let text = try Self.report(["Samples/hostile-name.btsnoop"])
    #expect(text.contains("=HYPERLINK(\"http:&#8203;/&#8203;/example.invalid\")&lt;script&gt;alert(1)&lt;/script&gt;"))
  }

  /// A client needs these facts on the camera's query: where to write, a message's framing, the source of the response, the meaning of its bytes.
  @Test func aClientCanBeWrittenFromIt() throws {
    let text = try Self.report(["Samples/gopro.btsnoop"])
    for needed in [
      "`b5f90076-aa8d-11e3-9046-0002a5d5c51b`, handle `0x0037`", "`b5f90077-aa8d-11e3-9046-0002a5d5c51b`, handle `0x0039`",
      "To get its values write 01 00 to its configuration (2902), handle 0x003a",
      "{id: length5, type: b5, if: not continuation and kind == 0}",
      "| query · get status values | query | query response · get status values | query-answer |",
      "packet #255: [08] 53 01 02 0a 21 23 27 46", "packet #259: [80] 20 27 04 00 00 00 25 46 01 49",
      "0           53                      id = register_status_value_updates (0x53)  (u1)",
      "16–19       00 00 49 20                 value = 18720 s  (u4 be)", "28          49                          value = 73 %  (u1)",
    ] {
      #expect(text.contains(needed), "\(needed)")
    }
  }

  @Test func narrowsByCharacteristicTimeAndFilter() throws {
    let whole = try Self.report(["Samples/gopro.btsnoop"])
    let narrowed = try Self.report(["Samples/gopro.btsnoop", "--characteristic", "query"])
    #expect(
      narrowed.contains("Narrowed: only the characteristic query.") && narrowed.contains("\n### query\n")
        && !narrowed.contains("\n### command\n"))
    let filtered = try Self.report(["Samples/gopro.btsnoop", "-Y", "gopro.id == 0x3c"])
    #expect(
      filtered.contains("Narrowed: only packets that pass") && filtered.contains("get hardware info")
        && !filtered.contains("· set date time"))
    let early = try Self.report(["Samples/gopro.btsnoop", "--to", "+5.0"])
    #expect(early.contains("\n### wifi-power\n") && !early.contains("\n### query\n"))
    #expect([narrowed, filtered, early].allSatisfy { $0.utf8.count < whole.utf8.count / 2 })
  }
}
