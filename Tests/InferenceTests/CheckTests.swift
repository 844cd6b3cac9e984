import Inference
import PacketCodecs
import Testing

@Suite struct CheckTests {
  private func messages(_ algorithm: String, _ order: ByteOrder, at: Int? = nil, from: Int = 0, seed: UInt64 = 5) throws -> [[UInt8]] {
    let algorithm = try ChecksumAlgorithm(parsing: algorithm)
    var chance = Chance(seed)
    return (0..<16).map { _ in
      var message = chance.bytes(8 + chance.below(10))
      let size = (algorithm.width + 7) / 8
      let checksum = Checksum(
        algorithm, over: [ByteRange(from: from, to: at == nil ? -size : nil)], at: at ?? -size, byteOrder: order)
      checksum.insert(into: &message)
      return message
    }
  }

  @Test(arguments: ["CRC-16/MODBUS", "CRC-16/XMODEM", "sum8", "xor8", "sum8-twos", "CRC-8/SMBUS", "CRC-32/ISO-HDLC", "fletcher-16"])
  func atTheEnd(_ name: String) throws {
    for order in ByteOrder.allCases {
      let found = infer(stream(try messages(name, order)))
      let check = try #require(found.framing.check, "\(name)")
      #expect(check.checksum.algorithm.name == name && check.confidence >= 0.9 && check.verified == check.of)
      #expect(check.checksum.position == -check.checksum.byteCount)
    }
  }

  @Test func behindAMarker() throws {
    let found = infer(stream(try messages("CRC-16/IBM-3740", .big, from: 2)))
    let check = try #require(found.framing.check)
    #expect(check.checksum.coverage.first?.from == 2)
  }

  @Test func joinedMessage() throws {
    let whole = try messages("CRC-16/ARC", .little, seed: 9).map { [0xaa, 0x55] + $0 + $0 }
    var cutUp: [[[UInt8]]] = []
    for var message in whole {
      let checksum = Checksum(try ChecksumAlgorithm(parsing: "CRC-16/ARC"), over: [ByteRange(from: 0, to: -2)], byteOrder: .little)
      checksum.fill(&message)
      cutUp.append(cut(message, 20))
    }
    let found = infer(burst(cutUp))
    #expect(found.framing.kind == .stream && found.messages == whole.count)
    #expect(found.framing.check?.checksum.algorithm.name == "CRC-16/ARC")
  }

  @Test func randomBytes() {
    for seed in 1...4 {
      var chance = Chance(UInt64(seed) + 100)
      let found = infer(stream((0..<24).map { _ in chance.bytes(6 + chance.below(8)) }))
      #expect((found.framing.check?.confidence ?? 0) < 0.9)
    }
  }

  @Test func aCopyIsNoSum() {
    var chance = Chance(4)
    let found = infer(
      stream(
        (0..<40).map { _ in
          let byte = chance.byte()
          return [0x00, byte, 0x00, 0x00, byte]
        }))
    #expect((found.framing.check?.confidence ?? 0) < 0.9)
  }
}
