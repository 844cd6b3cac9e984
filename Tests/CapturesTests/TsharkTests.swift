import Testing

@testable import Captures

/// For every real capture the packets are those of tshark: count, time, lengths, direction.
@Suite struct TsharkTests {
  @Test(.enabled(if: Shared.tshark != nil && !Shared.names.isEmpty, "needs tshark and the shared captures"), arguments: Shared.names)
  func samePackets(name: String) throws {
    let path = try #require(Shared.captures) + "/" + name
    var ours = try Shared.lines(of: CaptureFile.open(path))
    var theirs = try Shared.tsharkLines(path)
    // Microseconds of a million or more overflow in tshark; times before 1970 lose their sign in it (2³² s are subtracted).
    if name == "mikeryan__crackle__numeric_pin.pcap" || name == "jaypikay__mc3000__btsnoop_hci.log" {
      let withoutTime = { (line: String) in line.split(separator: "\t", omittingEmptySubsequences: false).enumerated().filter { $0.0 != 1 }
      }
      ours = ours.map { withoutTime($0).map(\.1).joined(separator: "\t") }
      theirs = theirs.map { withoutTime($0).map(\.1).joined(separator: "\t") }
    }
    #expect(ours.count == theirs.count)
    if let difference = zip(ours, theirs).first(where: { $0 != $1 }) {
      Issue.record("btscribe: \(difference.0)\ntshark:   \(difference.1)")
    }
  }
}
