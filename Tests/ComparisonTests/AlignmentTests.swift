import CaptureScenes
import Comparison
import Testing
import TestSupport

/// The longest common subsequence.
@Suite struct AlignmentTests {
  /// The length of the longest common subsequence, by dynamic programming.
  private func longest(_ a: [Int32], _ b: [Int32]) -> Int {
    var table = [Int](repeating: 0, count: b.count + 1)
    for x in a {
      var diagonal = 0
      for (index, y) in b.enumerated() {
        let above = table[index + 1]
        table[index + 1] = x == y ? diagonal + 1 : max(above, table[index])
        diagonal = above
      }
    }
    return table[b.count]
  }

  private func check(_ a: [Int32], _ b: [Int32]) -> Int {
    let pairs = SequenceAlignment.pairs(a, b)
    var (lastA, lastB) = (-1, -1)
    for pair in pairs {
      #expect(pair.a > lastA && pair.b > lastB && a[pair.a] == b[pair.b])
      (lastA, lastB) = (pair.a, pair.b)
    }
    return pairs.count
  }

  @Test func shortSequencesHaveTheLongest() {
    var random = SplitMix(state: 20)
    for round in 0..<400 {
      let letters = Int32(2 + round % 7)
      let a = (0..<Int.random(in: 0...40, using: &random)).map { _ in Int32.random(in: 0..<letters, using: &random) }
      let b = (0..<Int.random(in: 0...40, using: &random)).map { _ in Int32.random(in: 0..<letters, using: &random) }
      #expect(check(a, b) == longest(a, b), "\(a) \(b)")
    }
  }

  @Test func longSequencesWithFewEdits() {
    var random = SplitMix(state: 7)
    let a = (0..<50_000).map { _ in Int32.random(in: 0..<1000, using: &random) }
    var b = a
    for _ in 0..<50 { b.remove(at: Int.random(in: 0..<b.count, using: &random)) }
    #expect(check(a, b) == b.count)
  }

  /// Sequences with little or much in common, in any order: the time is bounded by the work limit, not by the product of their lengths.
  @Test func sequencesThatHaveLittleInCommon() {
    var random = SplitMix(state: 3)
    let a = (0..<20_000).map { _ in Int32.random(in: 0..<50, using: &random) }
    let b = (0..<20_000).map { _ in Int32.random(in: 0..<50, using: &random) }
    #expect(check(a, b) > 1000)
    #expect(check(a, a.map { $0 + 100 }) == 0)
    #expect(check(a, []) == 0)
  }
}
