import Inference
import PacketCodecs
import Testing

@Suite struct ProfileWritingTests {
  @Test func namesWhatWasFound() throws {
    let algorithm = try ChecksumAlgorithm(parsing: "CRC-16/MODBUS")
    var chance = Chance(41)
    let found = infer(
      stream(
        (0..<40).map { _ in
          var message: [UInt8] = [0xdd, 0x03, 0] + chance.bytes(2 + chance.below(8))
          message[2] = UInt8(message.count - 3)
          Checksum(algorithm, over: [ByteRange(from: 0, to: -2)], byteOrder: .little).insert(into: &message)
          return message
        }))
    let text = ProfileWriter.profile(of: found, name: "inferred")
    #expect(text.contains("algorithm: \"CRC-16/MODBUS\"") && text.contains("id: length"))
    #expect(ResultJSON.text([found]).contains("\"algorithm\":\"CRC-16/MODBUS\""))
  }
}
