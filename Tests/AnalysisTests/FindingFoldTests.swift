import Conversations
import Testing

@testable import Analysis

/// Repeated findings are merged.
@Suite struct FindingFoldTests {
  /// A finding that is merged with others of the same checksum source, at a time in seconds.
  private func finding(_ frame: Int, second: Int64) -> Finding {
    var row = PacketRow()
    row.frame = frame
    row.time = second * 1_000_000
    row.connection = 0
    return Finding(.checksumWrong, at: row, attribute: 3)
  }

  @Test func aFileReportsThemAtItsEnd() {
    var fold = FindingFold(isLive: false)
    #expect(fold.take(finding(1, second: 0))?.repeated == 0)
    for frame in 2...5 { #expect(fold.take(finding(frame, second: Int64(frame) * 60)) == nil) }
    let last = fold.finish()
    #expect(last.map(\.repeated) == [4])
    #expect(last.map(\.evidence) == [[1, 2, 3, 4, 5]])
  }

  @Test func aLiveCaptureReportsThemAfterHalfAMinute() {
    var fold = FindingFold(isLive: true)
    #expect(fold.take(finding(1, second: 0))?.repeated == 0)
    for frame in 2...4 { #expect(fold.take(finding(frame, second: Int64(frame))) == nil) }
    let merged = fold.take(finding(5, second: 30))
    #expect(merged?.repeated == 4)
    #expect(merged?.evidence == [1, 2, 3, 4, 5])
    #expect(fold.take(finding(6, second: 31)) == nil)
    #expect(fold.finish().map(\.repeated) == [1])
  }

  @Test func otherAttributesAreNotMerged() {
    var fold = FindingFold(isLive: false)
    #expect(fold.take(finding(1, second: 0)) != nil)
    var other = finding(2, second: 1)
    other.attribute = 4
    #expect(fold.take(other)?.repeated == 0)
    #expect(fold.finish().isEmpty)
  }
}
