import PacketCodecs
import Testing

@Suite struct OverlayReassemblerTests {
  private func reassemble(
    _ packets: [(OverlayReassembler.Role, [UInt8])], times: [Int64] = [], maximum: Int = 64, idle: Int64? = nil
  ) -> [Delivery] {
    var reassembler = OverlayReassembler(maximumBytes: maximum, idle: idle)
    var described: [Delivery] = []
    for (index, (role, payload)) in packets.enumerated() {
      let time = index < times.count ? times[index] : 0
      reassembler.push(payload.span.bytes, at: 2, role: role, tag: UInt64(index + 1), time: time) { described.append(Delivery($0)) }
    }
    reassembler.finish { described.append(Delivery($0)) }
    return described
  }

  @Test func packetsInAnyOrder() {
    let described = reassemble([(.init(offset: 2, total: 4), [3, 4]), (.init(offset: 0, total: 4), [1, 2])])
    #expect(described.map(\.bytes) == [[1, 2, 3, 4]] && described[0].kind == .message && described[0].problems.isEmpty)
  }

  @Test func whatComesLaterCounts() {
    let described = reassemble([
      (.init(offset: 0), [1, 2, 3]), (.init(offset: 1), [8, 9]), (.init(offset: 3, ends: true), [4]),
    ])
    #expect(described.map(\.bytes) == [[1, 8, 9, 4]])
  }

  @Test func holesAndStartsAnew() {
    let described = reassemble([
      (.init(offset: 0, starts: true, total: 4), [1]), (.init(offset: 0, starts: true, total: 1), [7]), (.init(offset: 2, total: 4), [5]),
    ])
    #expect(described.map(\.kind) == [.partial, .message, .partial])
    #expect(described[1].bytes == [7] && described[2].bytes == [0, 0, 5])
  }

  @Test func hostileOffsets() {
    let described = reassemble([
      (.init(offset: -1), [1]), (.init(offset: .max), [1]), (.init(offset: 64), [1]), (.init(offset: 0, total: .max), [1]),
      (.init(offset: 0, total: -5), [1]), (.init(offset: 3, starts: false), [1]), (.init(offset: 0, total: 0), []),
    ])
    #expect(described.map(\.kind) == [.unjoined, .unjoined, .unjoined, .unjoined, .unjoined, .unjoined, .message])
  }

  @Test func silenceEndsIt() {
    let described = reassemble([(.init(offset: 0, total: 4), [1]), (.init(offset: 0, total: 1), [2])], times: [0, 5000], idle: 1000)
    #expect(described.map(\.kind) == [.partial, .message])
  }
}
