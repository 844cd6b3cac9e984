import Testing

@testable import Captures

/// Every real capture gives the packets that tshark sees: count, time, lengths, direction.
@Suite struct TsharkTests {
  @Test(.enabled(if: Shared.tshark != nil && !Shared.names.isEmpty, "needs tshark and the shared captures"), arguments: Shared.names)
  func samePackets(name: String) throws {
    let path = try #require(Shared.captures) + "/" + name
    let ours = try Shared.lines(of: CaptureFile.open(path))
    let theirs = try Shared.tsharkLines(path)
    #expect(ours.count == theirs.count)
    if let difference = zip(ours, theirs).first(where: { $0 != $1 }) {
      Issue.record("btscribe: \(difference.0)\ntshark:   \(difference.1)")
    }
  }
}
