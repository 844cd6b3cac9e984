import Inference
import PacketCodecs
import Testing

@Suite struct FieldTests {
  private func fields(_ messages: [[UInt8]]) -> [FieldFinding] { infer(stream(messages)).fields.first?.fields ?? [] }

  @Test func numbersOfTwoBytes() {
    var chance = Chance(11)
    var a = 3000
    var b = 500
    let found = fields(
      (0..<120).map { _ in
        if chance.below(3) > 0 { a += chance.below(400) - 200 }
        if chance.below(3) > 0 { b += chance.below(300) - 150 }
        return [0x01, UInt8(a >> 8 & 255), UInt8(a & 255), UInt8(b >> 8 & 255), UInt8(b & 255)]
      })
    #expect(found.contains { $0.offset == 1 && $0.size == 2 } && found.contains { $0.offset == 3 && $0.size == 2 })
  }

  @Test func floats() {
    var chance = Chance(12)
    let found = fields(
      (0..<60).map { _ in
        let bits = (20 + Float(chance.below(1000)) / 37).bitPattern
        return [0x07, 0x00] + (0..<4).map { UInt8(truncatingIfNeeded: bits >> (8 * UInt32($0))) }
      })
    #expect(found.contains { $0.offset == 2 && $0.type == .float && $0.endian == .little })
  }

  @Test func secondsSince1970() {
    var chance = Chance(13)
    let messages = (0..<60).map { place in
      let time = UInt32(1_750_000_000 + place)
      return (0..<4).map { UInt8(truncatingIfNeeded: time >> (24 - 8 * UInt32($0))) } + chance.bytes(3)
    }
    #expect(fields(messages).contains { $0.offset == 0 && $0.size == 4 && $0.type == .timestamp })
  }

  @Test func taggedValues() {
    var chance = Chance(14)
    let found = fields(
      (0..<60).map { _ in
        var message: [UInt8] = [0x21, 0xf0]
        for _ in 0..<(1 + chance.below(4)) {
          let size = chance.below(5)
          message += [UInt8(1 + chance.below(6)), UInt8(size)] + chance.bytes(size)
        }
        return message
      })
    #expect(found.contains { $0.offset == 2 && $0.type == .tlv })
  }

  @Test func text() {
    let words = ["kitchen-lamp", "garden-light", "living-room7", "bedroom-lamp", "cellar-light", "office-lamp3"]
    let found = fields((0..<36).map { [0x09, 0x01] + Array(words[$0 % 6].utf8) })
    #expect(found.contains { $0.type == .text })
  }

  @Test func textWithZerosBehind() {
    let words = ["kitchen", "garden", "lounge", "bedroom", "cellar", "office"]
    let found = fields((0..<36).map { [0x09, 0x01] + Array(words[$0 % 6].utf8) + [UInt8](repeating: 0, count: 16 - words[$0 % 6].count) })
    #expect(found.contains { $0.type == .text && $0.offset == 2 && $0.size == 16 })
  }

  @Test func smallNumbersOfTwoBytes() {
    var chance = Chance(17)
    let found = fields((0..<80).map { _ in [0xab, UInt8(chance.below(9)), 0] + chance.bytes(1) + [UInt8(chance.below(7)), 0] })
    #expect(found.contains { $0.offset == 1 && $0.size == 2 && $0.endian == .little })
    #expect(found.contains { $0.offset == 4 && $0.size == 2 && $0.endian == .little })
  }

  @Test func smallConstants() {
    var chance = Chance(18)
    let found = fields((0..<40).map { _ in [0x01, 0x03, 0x42] + chance.bytes(2) })
    #expect(found.contains { $0.offset == 0 && $0.size == 1 } && found.contains { $0.offset == 1 && $0.size == 1 })
  }

  @Test func constantsAndPadding() {
    var chance = Chance(15)
    let found = fields((0..<40).map { _ in [0xab, UInt8(chance.below(200)), 0, 0, 0, 0, 0, 0] })
    #expect(found.contains { $0.offset == 0 && $0.type == .constant } && found.contains { $0.type == .padding })
  }

  @Test func kindsOfMessages() throws {
    var chance = Chance(16)
    let found = infer(
      stream(
        (0..<90).map { place in
          switch place % 3 {
          case 0: [0x55, 0x01] + chance.bytes(2)
          case 1: [0x55, 0x02, 0, 0, 7] + chance.bytes(4)
          default: [0x55, 0x03, 0xff]
          }
        }))
    let kinds = try #require(found.kinds)
    #expect(kinds.offset == 1 && found.fields.count == 3)
  }

  @Test func modbusRequestsAndAnswers() {
    var chance = Chance(17)
    let requests = (0..<60).map { _ in withCRC([1, 3, 0, UInt8(chance.below(200)), 0, UInt8(1 + chance.below(20))]) }
    let asked = infer(stream(requests))
    #expect(asked.standard?.name == "MODBUS RTU")
    #expect(asked.fields.first?.fields.compactMap(\.name) == ["address", "function", "register", "count"])
    let answers = (0..<60).map { _ in withCRC([1, 4, 8] + chance.bytes(8)) }
    let given = infer(stream(answers))
    #expect(given.standard?.text.contains("read input registers 60 of 60") == true)
    #expect(given.fields.first?.fields.filter { $0.offset >= 3 }.map(\.offset) == [3, 5, 7, 9])
    #expect(given.fields.first?.fields.first { $0.name == "byte_count" }?.offset == 2)
  }

  @Test func otherMessagesWithTheChecksumOfModbus() {
    var chance = Chance(18)
    // A function that MODBUS does not have, a count of registers that no answer could carry, and nothing but writes.
    for message in [[1, 0x47], [1, 3], [1, 6]] as [[UInt8]] {
      let found = infer(stream((0..<60).map { _ in withCRC(message + [0, UInt8(chance.below(200)), 0xF0 | UInt8(chance.below(16)), 7]) }))
      #expect(found.framing.check?.checksum.algorithm.name == "CRC-16/MODBUS")
      #expect(found.standard == nil)
    }
  }
}
