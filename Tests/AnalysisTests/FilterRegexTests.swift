import Memory
import Testing

@testable import Analysis

/// The regular expressions of `matches`.
@Suite struct FilterRegexTests {
  private func matches(_ pattern: String, _ text: String) throws -> Bool {
    let regex = try FilterRegex(Array(pattern.utf8))
    var threads = FilterRegex.Threads()
    let bytes = Array(text.utf8)
    return bytes.withBorrowedBytes { regex.matches($0, &threads) }
  }

  @Test(arguments: [
    ("battery", "a Battery level", true), ("^go", "GoPro", true), ("^go", "a GoPro", false), ("pro$", "GoPro", true),
    ("h.t", "hot", true), ("h.t", "ht", false), ("a|bc", "xbcx", true), ("(ab){2}", "abab", true), ("(ab){2}", "abxab", false),
    ("a{2,3}", "a", false), ("a{2,}", "aaaa", true), ("colou?r", "color", true), ("[0-9]+ dBm", "-57 dBm", true),
    ("[^a-z]", "abc", false), ("\\d\\d:\\d\\d", "at 09:30", true), ("\\bro\\b", "GoPro", false), ("\\x41", "a", true), ("", "", true),
    ("(?-i)go", "GO", false), ("a\\.b", "axb", false),
  ])
  func finds(pattern: String, text: String, isFound: Bool) throws {
    #expect(try matches(pattern, text) == isFound)
  }

  @Test(arguments: ["(", ")", "[a", "*", "a{2,1}", "a{1001}", "\\"])
  func mistakesHaveAPlace(pattern: String) {
    #expect(throws: FilterRegex.Failure.self) { try FilterRegex(Array(pattern.utf8)) }
  }

  /// Patterns that take exponential time in backtracking engines need one pass here. The test counts steps of the automaton, not seconds.
  @Test func nestedRepetitionsEnd() throws {
    #expect(try !matches("(a+)+$", String(repeating: "a", count: 5000) + "b"))
    #expect(throws: FilterRegex.Failure.self) { try FilterRegex(Array("((((a{500}){500}){500}){500})".utf8)) }
  }
}
