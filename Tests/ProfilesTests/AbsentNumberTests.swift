import Testing

@testable import Profiles

/// Numbers that mean that there is no value, of which a field may have many.
@Suite struct AbsentNumberTests {
  @Test func rangesThatOverlapBecomeOne() {
    #expect(merged([5...7, 1...2, 6...9, 2...3, 20...20] as [ClosedRange<Int>]) == [1...3, 5...9, 20...20])
    #expect(merged([] as [ClosedRange<Int>]).isEmpty)
  }
}
