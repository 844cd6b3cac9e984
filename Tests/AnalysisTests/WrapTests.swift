import Testing
import Text

@testable import Output

/// Long lines on a narrow terminal.
@Suite struct WrapTests {
  private func wrapped(_ text: String, width: Int?, indent: Int = 4) -> [String] {
    let out = TextBuffer()
    out.text("before\n")
    let start = out.count
    out.string(text)
    out.wrap(from: start, indent: indent, Style(width: width))
    return String(decoding: out.gathered, as: UTF8.self).split(separator: "\n", omittingEmptySubsequences: false).dropFirst().map(
      String.init)
  }

  @Test func breaksAtSpaces() {
    let text = "  one two three four five six seven eight nine ten"
    #expect(wrapped(text, width: 30) == ["  one two three four five six", "    seven eight nine ten"])
    #expect(wrapped(text, width: nil) == [text])
    #expect(wrapped(text, width: 200) == [text])
  }

  @Test func numbersStayWithWhatTheyCount() {
    #expect(wrapped("  some words that go on, 10 values, 4 bytes", width: 28) == ["  some words that go on,", "    10 values, 4 bytes"])
    #expect(wrapped("  left: connection timeout (0x08)", width: 31) == ["  left: connection", "    timeout (0x08)"])
  }

  /// Escape sequences for colours have no width, and a word longer than a line is not split.
  @Test func whatCannotBeBroken() {
    let long = String(repeating: "x", count: 60)
    #expect(wrapped("  \(long) tail", width: 40) == ["  \(long)", "    tail"])
    #expect(wrapped("  \u{1B}[31mred red red red\u{1B}[0m", width: 40) == ["  \u{1B}[31mred red red red\u{1B}[0m"])
  }
}
