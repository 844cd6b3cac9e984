import PacketCodecs
import Testing

@Suite struct OverlayReassemblerTests {
  private func reassemble(
    _ packets: [(OverlayReassembler.Role, [UInt8])], times: [Int64] = [], maximum: Int = 64, idle: Int64? = nil
  ) -> [Told] {
    var reassembler = OverlayReassembler(maximumBytes: maximum, idle: idle)
    var told: [Told] = []
    for (place, (role, payload)) in packets.enumerated() {
      let time = place < times.count ? times[place] : 0
      reassembler.push(payload.span.bytes, at: 2, role: role, tag: UInt64(place + 1), time: time) { told.append(Told($0)) }
    }
    reassembler.finish { told.append(Told($0)) }
    return told
  }

  @Test func packetsInAnyOrder() {
    let told = reassemble([(.init(offset: 2, total: 4), [3, 4]), (.init(offset: 0, total: 4), [1, 2])])
    #expect(told.map(\.bytes) == [[1, 2, 3, 4]] && told[0].kind == .message && told[0].problems.isEmpty)
  }

  @Test func whatComesLaterCounts() {
    let told = reassemble([
      (.init(offset: 0), [1, 2, 3]), (.init(offset: 1), [8, 9]), (.init(offset: 3, ends: true), [4]),
    ])
    #expect(told.map(\.bytes) == [[1, 8, 9, 4]])
  }

  @Test func holesAndStartsAnew() {
    let told = reassemble([
      (.init(offset: 0, starts: true, total: 4), [1]), (.init(offset: 0, starts: true, total: 1), [7]), (.init(offset: 2, total: 4), [5]),
    ])
    #expect(told.map(\.kind) == [.partial, .message, .partial])
    #expect(told[1].bytes == [7] && told[2].bytes == [0, 0, 5])
  }

  @Test func hostileOffsets() {
    let told = reassemble([
      (.init(offset: -1), [1]), (.init(offset: .max), [1]), (.init(offset: 64), [1]), (.init(offset: 0, total: .max), [1]),
      (.init(offset: 0, total: -5), [1]), (.init(offset: 3, starts: false), [1]), (.init(offset: 0, total: 0), []),
    ])
    #expect(told.map(\.kind) == [.unjoined, .unjoined, .unjoined, .unjoined, .unjoined, .unjoined, .message])
  }

  @Test func silenceEndsIt() {
    let told = reassemble([(.init(offset: 0, total: 4), [1]), (.init(offset: 0, total: 1), [2])], times: [0, 5000], idle: 1000)
    #expect(told.map(\.kind) == [.partial, .message])
  }
}
