import Testing
import TestSupport

@testable import Profiles

/// Name patterns that are matched together.
@Suite struct GlobSetTests {
  /// Matches one pattern at a time, in a straightforward way.
  private func matches(_ pattern: Substring.UTF8View, _ text: Substring.UTF8View) -> Bool {
    guard let symbol = pattern.first else { return text.isEmpty }
    if symbol == UInt8(ascii: "*") {
      return matches(pattern.dropFirst(), text) || !text.isEmpty && matches(pattern, text.dropFirst())
    }
    guard let byte = text.first, symbol == UInt8(ascii: "?") || symbol == byte else { return false }
    return matches(pattern.dropFirst(), text.dropFirst())
  }

  @Test func findsWhatEachPatternFinds() {
    var random = SplitMix(state: testSeed)
    func word(_ letters: [String], _ limit: Int) -> String {
      (0..<Int.random(in: 0...limit, using: &random)).map { _ in letters.randomElement(using: &random) ?? "" }.joined()
    }
    var found = 0
    for _ in 0..<400 {
      let patterns = (0..<40).map { _ in word(["a", "b", "*", "?", "é"], 8) }
      let set = GlobSet(patterns)
      for _ in 0..<10 {
        let text = word(["a", "b", "é"], 10)
        let expected = patterns.indices.filter { matches(patterns[$0][...].utf8, text[...].utf8) }
        #expect(Array(set.matches(text).numbers(in: patterns.indices)) == expected, "\(patterns) \(text)")
        #expect(Array(set.matches(text).numbers(in: 10..<30)) == expected.filter { (10..<30).contains($0) })
        found += expected.count
      }
    }
    #expect(found > 1000)
    #expect(!GlobSet([]).contain("") && GlobSet([""]).contain("") && !GlobSet([""]).contain("a") && GlobSet(["**"]).contain(""))
  }

  @Test func findsLongPatternsAcrossWords() {
    let long = String(repeating: "x", count: 200)
    let set = GlobSet(["y", "*\(long)z", long + "*", "?\(long)z"])
    #expect(Array(set.matches("w" + long + "z").numbers(in: 0..<4)) == [1, 3])
    #expect(Array(set.matches(long + long).numbers(in: 0..<4)) == [2])
  }
}
