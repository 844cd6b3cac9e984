@testable import Inference
import PacketCodecs
import Testing

/// Frames in values that say nothing about where frames begin.
@Suite struct StreamTests {
  /// Zeros that are no longer there after the checksum show nothing: the value at the end of padding is no checksum.
  @Test func paddingIsNoChecksum() throws {
    let crc = try #require(CRC(named: "CRC-8/MAXIM-DOW"))
    var chance = Chance(406)
    let frames = (0..<40).map { index -> ArraySlice<UInt8> in
      let body = [0x5a, UInt8(index)] + chance.bytes(index % 4 == 0 ? 9 : 4)
      let whole = body + [UInt8(truncatingIfNeeded: crc.value(of: body.span.bytes))]
      return (whole + [UInt8](repeating: 0, count: 12 - whole.count))[...]
    }
    let search = CheckDetector.find(frames, CheckBudget(CheckBudget.maximum))
    #expect(search?.checksum.position != -1, "\(String(describing: search))")
  }
}
