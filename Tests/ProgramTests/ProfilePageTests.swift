import Foundation
import Testing

/// `profiles show --format html|md`: a profile as a specification.
@Suite struct ProfilePageTests {
  private static let folder = Program.root.appendingPathComponent("Sources/CBuiltinProfiles/Profiles")
  private static let shipped: [String] = {
    let files = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
    return files.filter { $0.hasSuffix(".yaml") }.map { String($0.dropLast(5)) }.sorted()
  }()

  /// All pages in one run of the shell: a process for each would take longer than the pages themselves.
  private static func pages(_ format: String) throws -> [String: String] {
    let run = try Program.shell(
      "for name in \(shipped.joined(separator: " ")); do btscribe profiles show $name --format \(format) || exit 1; printf '\\001'; done")
    try #require(run.status == 0 && run.errors.isEmpty, "\(run.errors)")
    let texts = run.output.split(separator: "\u{01}").map(String.init)
    try #require(texts.count == shipped.count && texts.count > 100)
    return Dictionary(uniqueKeysWithValues: zip(shipped, texts))
  }

  @Test func pagesLoadNothingAndAreWhole() throws {
    for (name, page) in try Self.pages("html") {
      #expect(page.hasPrefix("<!DOCTYPE html>") && page.hasSuffix("</html>\n"), "\(name)")
      #expect(page.contains("default-src 'none'; style-src 'sha256-"), "\(name)")
      for word in ["<script", "<img", "<iframe", "src=", "url(", "@import", "style=\"", " onload", " onerror"] {
        #expect(!page.contains(word), "\(name): \(word)")
      }
      // Every link refers to an anchor of the page, and every anchor has a unique name.
      let links = page.matches(of: /href="([^"]*)"/).map { String($0.1) }.filter { $0 != "data:," }
      let anchors = page.matches(of: /\ id="([^"]*)"/).map { "#" + $0.1 }
      #expect(links.allSatisfy { anchors.contains($0) }, "\(name): \(links.filter { !anchors.contains($0) })")
      #expect(Set(anchors).count == anchors.count, "\(name)")
      // A profile has examples from its tests, unless it is a library, and their bytes are coloured.
      let profile = try String(contentsOf: Self.folder.appendingPathComponent(name + ".yaml"), encoding: .utf8)
      let isLibrary = profile.contains("\nlibrary: ")
      #expect(page.contains("<div class=\"example\">") || isLibrary, "\(name)")
    }
  }

  @Test func markdownHasNoMarkupOfItsOwn() throws {
    for (name, text) in try Self.pages("md") {
      #expect(text.hasPrefix("# "), "\(name)")
      #expect(text.contains("\n## Messages\n"), "\(name)")
      #expect(text.components(separatedBy: "~~~~~~").count % 2 == 1, "\(name): a fence is open")
      // Each row of a table has as many cells as its head.
      var cells = 0
      for line in text.split(separator: "\n") {
        guard line.hasPrefix("|") else {
          cells = 0
          continue
        }
        let count = line.replacing("\\|", with: "").count { $0 == "|" }
        if cells == 0 { cells = count }
        #expect(count == cells, "\(name): \(line)")
      }
    }
  }

  private static let hostile = #"""
    profile: hostile
    title: "<script>alert(1)</script> & \"quotes\" | `code` <!-- "
    source: "https://example.org/<img src=x onerror=alert(1)>"
    note: "x\u202Ey\u001b[31m"
    match: {names: ["<b>*", "a|b*"]}
    meta: {endian: le}
    characteristics:
      "c<i>": {uuid: fff1, title: "</section><script>", framing: frames, notify: m, answers: [{to: "w", when: "rest == 1"}]}
      w: {uuid: fff2, write: m}
    framings:
      frames:
        - stream: {start: "<", header: head, length: n + 3}
        - check: {algorithm: sum8, when: "_payload.length < 300"}
    types:
      head: {seq: [{id: start, type: u1}, {id: n, type: u1}]}
      m:
        -say: "{a} <u>{b}</u>"
        doc: "</table><script>x</script> @everyone #1"
        seq:
          - {id: h, size: 2, -hidden: true}
          - {id: a, type: b4, enum: e, -label: "<b>"}
          - {id: rest, type: b4}
          - {id: b, type: u2, -unit: "<u>|", -scale: 0.5}
    enums: {e: {1: "<script>one</script>|`"}}
    tests:
      - {title: "</h5><script>", source: "c<i>", packets: ["3c0310010050"], expect: {b: 0.5}, encodes: false}
    """#

  @Test func textsOfTheProfileAreEscaped() throws {
    let file = FileManager.default.temporaryDirectory.appendingPathComponent("btscribe-\(UUID().uuidString).yaml")
    try Self.hostile.write(to: file, atomically: true, encoding: .utf8)
    defer { try? FileManager.default.removeItem(at: file) }
    let tests = try Program.shell("btscribe profiles test '\(file.path)'")
    try #require(tests.status == 0, "\(tests)")
    let page = try Program.shell("btscribe profiles show '\(file.path)' --format html")
    #expect(page.status == 0)
    let body = String(page.output[(page.output.range(of: "</style>") ?? page.output.startIndex..<page.output.startIndex).upperBound...])
    for word in ["<script", "<img", "<i>", "<u>", "\u{1B}", "\u{202E}", "<!--"] { #expect(!body.contains(word), "\(word)") }
    #expect(body.contains("&lt;script&gt;alert(1)&lt;/script&gt; &amp; &quot;quotes&quot;"))
    // The diagram of the frame, and the coloured bytes: two bit fields share a byte, the checksum belongs to no field.
    #expect(body.contains("<li class=\"marker\"><b>3c</b><span>1 byte</span><small>start</small></li>"))
    #expect(body.contains("<li class=\"length\"><b>n</b><span>1 byte</span></li>"))
    #expect(body.contains("<li class=\"check\"><b>sum8</b><span>1 byte</span></li>"))
    #expect(body.contains("<b class=\"c1\">10</b>") && body.contains("<b class=\"check\">50</b>"), "\(body)")
    let text = try Program.shell("btscribe profiles show '\(file.path)' --format md").output
    for word in ["<script", "<img", "\u{1B}", "\u{202E}"] {
      // In code blocks, markup is text.
      let parts = text.components(separatedBy: "~~~~~~").enumerated().filter { $0.offset % 2 == 0 }.map(\.element)
      #expect(parts.allSatisfy { !$0.replacing(/`[^`\n]*`/, with: "").contains(word) }, "\(word)")
    }
    #expect(text.contains("\u{2502} 3c") && text.contains("= <script>one</script>"), "\(text)")
  }

  @Test func aMistakeIsReported() throws {
    let run = try Program.shell("printf 'profile: a\\n' > $TMP/a.yaml; btscribe profiles show $TMP/a.yaml --format html")
    #expect(run.status == 65 && run.output.isEmpty && run.errors.contains("a.yaml"), "\(run)")
  }
}
