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

  /// The high byte of a float that hardly changes is neither a start nor an end marker.
  @Test(arguments: ByteOrder.allCases) func floatsAtBothEnds(_ order: ByteOrder) {
    var chance = Chance(10)
    func bytes(_ value: Float) -> [UInt8] {
      let bits = value.bitPattern
      return (0..<4).map { UInt8(truncatingIfNeeded: bits >> (8 * UInt32(order == .big ? 3 - $0 : $0))) }
    }
    let found = infer(
      stream((0..<60).map { _ in [0x07] + bytes(20 + Float(chance.below(5000)) / 1013) + bytes(1000 + Float(chance.below(9000)) / 101) }))
    let floats = found.fields[0].fields.filter { $0.type == .float && $0.endian == order }
    #expect(floats.map(\.offset) == [1, 5] && found.framing.end.isEmpty && found.framing.start == [0x07], "\(found.fields[0].fields)")
  }

  @Test func secondsSince1970() {
    var chance = Chance(13)
    let messages = (0..<60).map { index in
      let time = UInt32(1_750_000_000 + index)
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

  /// A number that changes in small steps shows its byte order where it carries over.
  @Test(arguments: ByteOrder.allCases) func carriesShowTheOrder(_ order: ByteOrder) {
    var chance = Chance(30)
    var value = 700
    let found = fields(
      (0..<120).map { _ in
        value = max(0, value + chance.below(101) - 50)
        let (high, low) = (UInt8(value >> 8), UInt8(value & 255))
        return [0x01] + (order == .big ? [high, low] : [low, high]) + [UInt8(chance.below(3))]
      })
    #expect(found.contains { $0.offset == 1 && $0.size == 2 && $0.endian == order }, "\(found)")
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
        (0..<90).map { index in
          switch index % 3 {
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
    let result = infer(stream(requests))
    #expect(result.standard?.name == "MODBUS RTU")
    #expect(result.fields.first?.fields.compactMap(\.name) == ["address", "function", "register", "count"])
    let answers = (0..<60).map { _ in withCRC([1, 4, 8] + chance.bytes(8)) }
    let given = infer(stream(answers))
    #expect(given.standard?.text.contains("read input registers 60 of 60") == true)
    #expect(given.fields.first?.fields.filter { $0.offset >= 3 }.map(\.offset) == [3, 5, 7, 9])
    #expect(given.fields.first?.fields.first { $0.name == "byte_count" }?.offset == 2)
  }

  @Test func otherMessagesWithTheChecksumOfModbus() {
    var chance = Chance(18)
    // A function code that MODBUS does not have, a count of registers that no response could hold, and only write functions.
    for message in [[1, 0x47], [1, 3], [1, 6]] as [[UInt8]] {
      let found = infer(stream((0..<60).map { _ in withCRC(message + [0, UInt8(chance.below(200)), 0xF0 | UInt8(chance.below(16)), 7]) }))
      #expect(found.framing.check?.checksum.algorithm.name == "CRC-16/MODBUS")
      #expect(found.standard == nil)
    }
  }

  /// Milliseconds since 1970 in eight bytes, and ticks of two bytes that wrap around every 65 seconds.
  @Test func timesOfSeveralSizes() {
    var chance = Chance(19)
    var times = ValueStream(StreamSource(.characteristics, direction: "notify"))
    var ticks = ValueStream(StreamSource(.characteristics, direction: "notify"))
    var time: Int64 = 1_750_000_000_000_000
    for _ in 0..<120 {
      time += Int64(400_000 + chance.below(900_000))
      times.append([0x07] + (0..<8).map { UInt8(truncatingIfNeeded: (time / 1000) >> Int64(8 * $0)) } + [UInt8(chance.below(3))], at: time)
      let tick = time / 1000 + 99
      ticks.append([0x07, UInt8(truncatingIfNeeded: tick), UInt8(truncatingIfNeeded: tick >> 8), UInt8(chance.below(3))], at: time)
    }
    #expect(infer(times).fields[0].fields.contains { $0.offset == 1 && $0.size == 8 && $0.type == .timestamp && $0.endian == .little })
    #expect(infer(ticks).fields[0].fields.contains { $0.offset == 1 && $0.size == 2 && $0.type == .timestamp && $0.endian == .little })
  }

  @Test func randomNumbersAreNoTimes() {
    for seed in 1...20 {
      var chance = Chance(UInt64(seed) + 800)
      let found = fields((0..<40).map { _ in [0x07] + chance.bytes(2) + [UInt8(chance.below(3))] })
      #expect(!found.contains { $0.type == .timestamp })
    }
  }

  @Test func messagePack() {
    var chance = Chance(20)
    func text(_ text: String) -> [UInt8] { [0xa0 | UInt8(text.utf8.count)] + Array(text.utf8) }
    let messages = (0..<40).map { index in
      [0xa5, UInt8(index), 0x83] + text("cmd") + text(["set", "get", "info"][chance.below(3)]) + text("v") + [0xcd] + chance.bytes(2)
        + text("on") + [chance.below(2) == 0 ? 0xc2 : 0xc3]
    }
    #expect(fields(messages).contains { $0.offset == 2 && $0.name == "messagepack" && $0.confidence >= 0.9 })
  }

  @Test func signedBytes() {
    var chance = Chance(24)
    var value = 0
    let found = fields(
      (0..<90).map { _ in
        value = max(-60, min(60, value + chance.below(13) - 6))
        return [0x03, UInt8(bitPattern: Int8(value)), UInt8(chance.below(4))]
      })
    #expect(found.contains { $0.offset == 1 && $0.type == .int })
  }

  @Test func bitsThatChangeOneByOne() {
    var chance = Chance(25)
    var flags: UInt8 = 0
    let found = fields(
      (0..<120).map { index in
        if chance.below(2) == 0 { flags ^= [0x01, 0x04, 0x10, 0x80][chance.below(4)] }
        return [0x03, flags, UInt8(index & 1) << 7] + chance.bytes(1)
      })
    #expect(found.contains { $0.offset == 1 && $0.type == .flags && $0.evidence.hasPrefix("bits 0, 2, 4, 7") })
    #expect(found.contains { $0.offset == 2 && $0.type == .flags && $0.evidence.hasPrefix("takes turns") })
  }

  @Test func twoDigits() {
    var chance = Chance(26)
    func digits(_ number: Int) -> UInt8 { UInt8(16 * (number / 10) + number % 10) }
    let found = fields((0..<80).map { _ in [0x55, digits(chance.below(24)), digits(chance.below(60)), chance.byte()] })
    #expect(
      found.contains { $0.type == .bcd && $0.offset + ($0.size ?? 0) == 3 } && !found.contains { $0.type == .bcd && $0.offset == 3 },
      "\(found)")
  }

  @Test func addressesAndNames() {
    var context = InferenceContext()
    context.addresses = [[0xd8, 0xc4, 0xe5, 0x21, 0x3f, 0x9a]]
    context.names = ["Lamp-77"]
    var chance = Chance(27)
    let messages = (0..<20).map { _ in [0x21] + context.addresses[0].reversed() + Array("Lamp-77".utf8) + chance.bytes(2) }
    let found = Inference.run([stream(messages)], context)[0].fields[0].fields
    #expect(found.contains { $0.offset == 1 && $0.size == 6 && $0.type == .address && $0.endian == .little })
    #expect(found.contains { $0.offset == 7 && $0.size == 7 && $0.type == .text && $0.evidence.contains("name") })
  }

  /// Messages that differ only in length have their fields by length.
  @Test func kindsByLength() throws {
    var chance = Chance(28)
    let found = infer(
      stream(
        (0..<120).map { index in
          index % 3 == 0
            ? [UInt8(chance.below(9)), 0, UInt8(chance.below(7)), 0, 0x10, chance.byte()]
            : [UInt8(chance.below(9))] + chance.bytes(4) + [UInt8(chance.below(3)), 1, 2, 3]
        }))
    let kinds = try #require(found.kinds)
    #expect(kinds.isLength && found.fields.map(\.longest) == [9, 6])
    let profile = ProfileWriter.profile(of: found, name: "inferred")
    #expect(profile.contains("_payload.length == 9") && profile.contains("_payload.length == 6"))
  }

  /// All numbers of a device have one byte order: if notified values show it, it is used for written ones.
  @Test func theOrderOfOtherStreams() {
    var chance = Chance(29)
    var value = 3000
    let notified = (0..<120).map { _ in
      if chance.below(3) > 0 { value += chance.below(401) - 200 }
      return [0x01, UInt8(truncatingIfNeeded: value), UInt8(truncatingIfNeeded: value >> 8)] + [UInt8(chance.below(200)), 0, 0x33]
    }
    let written = (0..<60).map { _ in [0xa5, UInt8(chance.below(100)), 0, UInt8(chance.below(5))] }
    let found = Inference.run([stream(written, direction: "write"), stream(notified)])[0].fields[0].fields
    #expect(found.contains { $0.offset == 1 && $0.size == 2 && $0.endian == .little })
  }

  /// A length of two bytes is found in short messages too, whatever other numbers' byte order, if messages of the other direction need both bytes.
  @Test func theLengthOfTheOtherDirection() {
    var chance = Chance(30)
    func message(_ kind: UInt8, _ count: Int) -> [UInt8] {
      [0x01, kind, 0, UInt8(count >> 8), UInt8(count & 0xff)] + (0..<count).flatMap { _ in [UInt8(chance.below(3))] }
    }
    let written = (0..<60).map { _ in message(UInt8(20 + chance.below(90)), chance.below(30)) }
    let notified = (0..<60).map { _ in message(UInt8(20 + chance.below(90)), 200 + chance.below(200)) }
    let found = Inference.run([stream(written, direction: "write"), stream(notified)])
    for findings in found {
      #expect(
        findings.framing.length?.offset == 3 && findings.framing.length?.size == 2 && findings.framing.length?.endian == .big,
        "\(findings.framing)")
    }
  }

  /// Random bytes behind a constant byte look like a float, and are none.
  @Test(arguments: 1...5 as ClosedRange<UInt64>) func randomBytesBehindAConstantAreNoFloat(_ seed: UInt64) {
    var chance = Chance(seed)
    let found = fields((0..<80).map { _ in [UInt8(chance.below(5)), 0x42] + chance.bytes(3) + [UInt8(chance.below(5))] })
    #expect(!found.isEmpty && !found.contains { $0.type == .float })
  }

  /// A counter that has not carried yet keeps its number's bytes together, if the byte order of numbers is known.
  @Test func aCounterThatHasNotCarried() {
    var chance = Chance(61)
    var value = 3000
    let found = fields(
      (0..<100).map { index in
        if chance.below(3) > 0 { value += chance.below(401) - 200 }
        return [UInt8(value & 255), UInt8(value >> 8 & 255), UInt8(chance.below(9)), UInt8(120 + index), 0x51, 0x1e, 0x00]
      })
    #expect(found.contains { $0.type == .counter && $0.offset == 3 && $0.size == 4 && $0.endian == .little })
  }

  /// A difference in length between two kinds of messages does not prove elements of that size.
  @Test func twoLengthsAreNoElements() {
    var chance = Chance(62)
    let found = infer(
      stream(
        (0..<90).map { index in [0x55, 0xc1] + (index % 4 == 0 ? [UInt8(1), chance.byte()] : [UInt8(4)] + chance.bytes(4)) + [0xaa] }))
    for kind in found.fields { #expect(!kind.fields.contains { $0.offset > 4 && $0.size != nil }) }
  }

  /// The byte that distinguishes kinds is a field of its own, though it only changes together with the number behind it.
  @Test func theKindIsAFieldOfItsOwn() throws {
    var chance = Chance(64)
    let found = infer(
      stream(
        (0..<120).map { _ in
          switch chance.below(3) {
          case 0: [0x01, UInt8(chance.below(9)), 0x0b, 0x7b, 0x00, 0x00]
          case 1: [0x14, UInt8(0x80 + chance.below(12)), 0x0a, 0x00]
          default: [0x43, UInt8(0xc0 + chance.below(9))]
          }
        }))
    #expect(found.kinds?.offset == 0)
    for kind in found.fields { #expect(kind.fields.contains { $0.offset == 0 && $0.size == 1 }, "\(kind.kind)") }
  }

  /// A series of numbers continues at offsets that are not used.
  @Test func unusedNumbersOfARow() {
    var chance = Chance(65)
    var cells = [3000, 3010, 2990, 3030]
    let found = fields(
      (0..<100).map { _ in
        for cell in cells.indices where chance.below(3) > 0 { cells[cell] += chance.below(601) - 300 }
        return [0x47] + cells.flatMap { [UInt8($0 & 255), UInt8($0 >> 8 & 255)] } + [UInt8](repeating: 0, count: 12)
      })
    #expect((0..<10).allSatisfy { offset in found.contains { $0.offset == 1 + 2 * offset && $0.size == 2 } })
  }

  /// In messages of several lengths, zeros up to the end are padding from the first zero on.
  @Test func zerosToTheEnd() {
    var chance = Chance(66)
    let found = infer(
      stream(
        (0..<90).map { _ in [0x08, chance.byte(), UInt8(0x80 + chance.below(90))] + [UInt8](repeating: 0, count: 3 + chance.below(4)) })
    ).fields
    #expect(
      !found.isEmpty && found.allSatisfy { $0.fields.contains { $0.offset == 3 } && !$0.fields.contains { [4, 5, 6].contains($0.offset) } })
  }

  /// A text extends beyond the end of the shortest message.
  @Test func aTextOfSeveralLengths() {
    var chance = Chance(67)
    let found = fields((0..<60).map { _ in [0x03] + (0..<(3 + chance.below(8))).map { _ in UInt8(0x41 + chance.below(26)) } })
    #expect(found.contains { $0.offset == 1 && $0.size == nil && $0.type == .text } && !found.contains { $0.offset > 1 })
  }

  /// The same constant before each of several changing bytes is the high byte of each.
  @Test func highBytesThatAreTheSame() {
    var chance = Chance(68)
    var order = 3000
    let found = fields(
      (0..<100).map { _ in
        if chance.below(3) > 0 { order += chance.below(601) - 300 }
        return [0x03, UInt8(order >> 8 & 255), UInt8(order & 255)] + (0..<3).flatMap { _ in [0x0b, UInt8(0x70 + chance.below(40))] }
      })
    #expect([3, 5, 7].allSatisfy { offset in found.contains { $0.offset == offset && $0.size == 2 } })
  }

  /// A counter of the messages of one kind.
  @Test func aCounterOfOneKind() {
    var chance = Chance(69)
    var number = 30
    let found = infer(
      stream(
        (0..<120).map { _ -> [UInt8] in
          if chance.below(2) == 0 { return [0x91, chance.byte(), chance.byte(), 0x00, 0x77] }
          number += 1
          return [0x17, chance.byte(), 0x06, UInt8(number & 255)] + chance.bytes(6)
        }))
    let kind = found.fields.first { $0.kind == [0x17] }
    #expect(kind?.fields.contains { $0.type == .counter && ($0.offset..<($0.offset + ($0.size ?? 0))).contains(3) } == true)
  }

  /// Bytes that correlate with the user's marks are noted; a counter, which differs anyway, is not.
  @Test func bytesThatMatchMarks() {
    var chance = Chance(63)
    var context = InferenceContext()
    var values: [[UInt8]] = []
    for index in 0..<40 { values.append([0x7e, UInt8(index + 10), UInt8(index % 2), chance.byte()]) }
    let start: Int64 = 1_750_000_000_000_000
    for index in [6, 7] {
      context.marks.append(.init(time: start + Int64(index) * 1_000_000 - 1000, text: index == 6 ? "lamp off" : "lamp on"))
    }
    let notes = Inference.run([stream(values)], context)[0].notes
    #expect(notes.contains("byte 2 matches the marks: lamp off 00, lamp on 01"))
    #expect(!notes.contains { $0.hasPrefix("byte 1 ") })
  }
}
