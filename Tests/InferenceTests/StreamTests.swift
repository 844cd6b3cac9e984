@testable import Inference
import PacketCodecs
import Testing

/// Frames in values that say nothing about where frames begin.
@Suite struct StreamTests {
  /// A start byte, a kind, a length, data, the sum of what is between start and end, and an end byte.
  private func frame(_ chance: inout Chance) -> [UInt8] {
    let kind = [UInt8(0x18), 0x22, 0x0e][chance.below(3)]
    let data = chance.bytes([8, 32, 10, 0][chance.below(4)]).map { $0 & 0x7f }
    let body = [0x00, kind, UInt8(data.count)] + data
    return [0xaa] + body + [0 &- body.reduce(0, &+), 0x99]
  }

  /// Some values begin with a frame, most with the rest of one; bytes were lost once.
  @Test func framesThatAreCutAnywhere() throws {
    var chance = Chance(401)
    var bytes: [UInt8] = []
    var values: [[UInt8]] = []
    for index in 0..<120 {
      bytes += frame(&chance)
      if index == 60 { bytes += [0xaa, 0x00, 0x18, 0x08, 0x11, 0x12, 0x13] }
      if chance.below(3) == 0 {
        values.append(bytes)
        bytes = []
      } else if chance.below(2) == 0, bytes.count > 6 {
        let first = 1 + chance.below(bytes.count - 2)
        values.append(Array(bytes.prefix(first)))
        bytes = Array(bytes.dropFirst(first))
      }
    }
    values.append(bytes)
    let found = infer(stream(values, pause: 130_000))
    #expect(found.framing.kind == .stream && found.messages == 120, "\(found.messages)")
    #expect(found.framing.start.first == 0xaa && found.framing.end == [0x99])
    #expect(found.framing.length.map { $0.offset == 3 && $0.adds == 6 } ?? false)
    let check = try #require(found.framing.check)
    #expect(check.verified == check.of && check.confidence >= 0.9)
    #expect(found.notes.contains { $0.hasPrefix("7 of ") && $0.hasSuffix("belong to no frame") }, "\(found.notes)")
  }

  /// Where a marker has one byte twice, frames do not begin with the second one.
  @Test func aMarkerOfTwoEqualBytes() {
    var chance = Chance(402)
    var rest: [UInt8] = []
    var values: [[UInt8]] = []
    for _ in 0..<90 {
      let data = chance.bytes([4, 10, 23][chance.below(3)]).map { $0 & 0x3f }
      rest += [0x55, 0x55, UInt8(1 + chance.below(3)), UInt8(data.count)] + data + [0x7e]
      if chance.below(2) == 0 {
        values.append(rest)
        rest = []
      } else {
        values.append(Array(rest.dropLast(3)))
        rest = Array(rest.suffix(3))
      }
    }
    let found = infer(stream(values + [rest], pause: 200_000))
    #expect(found.framing.length.map { $0.offset == 3 && $0.adds == 5 } ?? false, "\(String(describing: found.framing.length))")
    #expect(found.framing.start.starts(with: [0x55, 0x55]))
  }

  /// A count that goes up in the first byte, and random bytes, lead to no frames.
  @Test func samplesAreNoFrames() {
    var chance = Chance(403)
    let values = (0..<700).map { index -> [UInt8] in
      [UInt8(truncatingIfNeeded: index), 0x00, UInt8(chance.below(70))] + (0..<40).map { _ in chance.below(4) == 0 ? 0 : chance.byte() }
    }
    #expect(infer(stream(values, pause: 20_000)).framing.kind == .message)
  }

  /// Several frames of one size in a value, each with its sum.
  @Test func severalFramesOfOneSize() throws {
    var chance = Chance(404)
    var count = 0
    let values = (0..<80).map { _ -> [UInt8] in
      (0...chance.below(3)).flatMap { _ -> [UInt8] in
        count += 1
        let body = [UInt8(0xf0 + chance.below(12)), chance.byte(), chance.byte()]
        return [0x5a, 0x5a] + body + [body.reduce(0, &+)]
      }
    }
    let found = infer(stream(values))
    #expect(found.messages == count && found.framing.kind == .stream)
    let check = try #require(found.framing.check)
    #expect(check.verified == check.of && check.checksum.position == -1)
    #expect(ProfileWriter.profile(of: found, name: "test").contains("length: 6"))
  }

  /// A length, a CRC at its end, and zeros up to the size of the value: over the bytes, their CRC and the zeros the CRC is zero.
  @Test func zerosBehindAFrame() throws {
    var chance = Chance(405)
    let crc = try #require(CRC(named: "CRC-8/MAXIM-DOW"))
    let values = (0..<60).map { index -> [UInt8] in
      let data = chance.bytes(2 + chance.below(8))
      let body = [0x5a, UInt8(data.count + 4), UInt8(index % 5)] + data
      return (body + [UInt8(truncatingIfNeeded: crc.value(of: body.span.bytes))] + [UInt8](repeating: 0, count: 20)).prefix(20).map { $0 }
    }
    let found = infer(stream(values))
    #expect(found.framing.isPadded && found.messages == 60)
    #expect(found.framing.length.map { $0.offset == 1 && $0.adds == 0 } ?? false)
    let check = try #require(found.framing.check)
    #expect(check.verified == check.of && check.checksum.position == -1 && check.confidence >= 0.9)
    #expect(InferenceFacts.evidence(found, [found]).contains { $0.text.hasPrefix("each value is a frame with zeros behind it") })
    #expect(ProfileWriter.profile(of: found, name: "test").contains("padding: 0"))
  }

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

  /// Blocks of a cipher of one size, seconds apart, are messages: nothing shows that they are parts.
  @Test func blocksOfOneSizeAreMessages() {
    var chance = Chance(407)
    let fixed = chance.bytes(16)
    var values: ValueStream = stream([])
    var time: Int64 = 1_750_000_000_000_000
    for index in 0..<130 {
      // A few blocks come again, each with others shortly behind it.
      time += index % 30 == 0 ? 9_000_000 : 40_000
      values.append(index % 30 == 0 ? fixed : chance.bytes(16), at: time)
    }
    #expect(infer(values).framing.kind == .message)
  }

  /// Two messages behind a header, each with its own CRC, are not joined although they always come together.
  @Test func messagesWithTheirOwnChecksumsAreNotJoined() throws {
    var chance = Chance(408)
    var values: [[[UInt8]]] = []
    for index in 0..<12 {
      let (long, short) = (withCRC([0x11, 0x00, 0x1e] + chance.bytes(27)), withCRC([0x13, 0x01, UInt8(index % 2)]))
      values.append([[0x00, 0x00] + long, [0x00, 0x01] + short])
    }
    let found = infer(burst(values))
    #expect(found.framing.kind == .message && found.messages == 24, "\(found.messages)")
    let check = try #require(found.framing.check)
    #expect(check.verified == check.of && check.checksum.position == -2)
  }

  /// An upload in numbered values that begin with the start byte of commands, and have no checksum, does not belong to the command before.
  @Test func anUploadContinuesNoCommand() {
    var chance = Chance(409)
    let crc = CRC(named: "CRC-8/MAXIM-DOW")
    func command(_ code: UInt8) -> [UInt8] {
      let body = [0xab, 0x05, code, chance.byte() & 1]
      return body + [UInt8(truncatingIfNeeded: crc?.value(of: body.span.bytes) ?? 0)]
    }
    var messages: [[[UInt8]]] = []
    for round in 0..<3 {
      for index in 0..<12 { messages.append([command(UInt8(index + round))]) }
      messages.append((0..<260).map { [0xab, 0x29, UInt8($0 >> 8), UInt8(truncatingIfNeeded: $0)] + chance.bytes(16) })
    }
    let found = infer(burst(messages, direction: "write"))
    #expect(found.framing.kind == .message && found.messages == 3 * (12 + 260), "\(found.messages)")
  }

  /// Complete messages whose second byte numbers the first three of them, by chance with that number in the first byte, have no header.
  @Test func numbersOfMessagesAreNoParts() {
    var chance = Chance(410)
    var messages: [[[UInt8]]] = []
    for _ in 0..<25 {
      messages.append([
        [0x03, 0x01, 0x00, 0x03] + chance.bytes(3), [0x03, 0x02, 0x00, 0x06] + chance.bytes(6), [0x03, 0x03, 0x00, 0x03] + chance.bytes(3),
      ])
    }
    let found = infer(burst(messages))
    #expect(found.framing.fragment == nil && found.messages == 75, "\(String(describing: found.framing.fragment))")
  }

  /// A few messages of other lengths among several hundred are kinds of their own, and a damaged message hides neither them nor the length.
  @Test func rareKindsAreKinds() throws {
    var chance = Chance(411)
    func message(_ kind: UInt8, _ data: [UInt8]) -> [UInt8] {
      let body = [0x55, 0xaa, kind, UInt8(data.count + 5)] + data
      return body + [body.reduce(0, &+)]
    }
    var messages: [[UInt8]] = []
    for index in 0..<400 {
      let floats = (0..<6).flatMap { _ in little(Float(3.3 + 0.0001 * Double(chance.below(300))).bitPattern) }
      messages.append(message(2, floats))
      if index == 4 || index == 200 { messages.append(message(1, Array("EK-24S4 HW-3.2.0 V1.\(index)".utf8))) }
      if index == 6 || index == 90 { messages.append(message(4, chance.bytes(9))) }
      if index == 300 { messages[messages.count - 1].removeLast(11) }
    }
    let found = infer(stream(messages))
    #expect(found.kinds?.offset == 2, "\(String(describing: found.kinds))")
    #expect(found.framing.length?.offset == 3)
    let usual = try #require(found.fields.first)
    #expect(usual.kind == [2] && usual.fields.count { $0.type == .float } == 6, "\(usual.fields)")
    #expect(found.fields.map(\.count).sorted() == [2, 2, 400])
    #expect(found.fields.contains { $0.kind == [1] && $0.fields.contains { $0.type == .text || $0.size == nil } })
  }

  private func little(_ value: UInt32) -> [UInt8] { (0..<4).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) } }

  /// Of bytes that never change next to one that does only zeros are taken for its high bytes, and no float is made of an integer and a constant.
  @Test func constantNeighboursAreNoNumber() {
    var chance = Chance(412)
    let messages = (0..<80).map { _ in [0xf0, 0xbc, 0x00, 0x64, 0x00, UInt8(chance.below(85)), 0x00, 0x3c, 0x11] + chance.bytes(1) }
    let fields = infer(stream(messages)).fields[0].fields
    let field = fields.first { $0.offset <= 5 && $0.offset + ($0.size ?? 9) > 5 }
    #expect(field.map { $0.offset >= 4 && $0.size ?? 9 <= 3 } ?? false, "\(fields)")
    #expect(!fields.contains { $0.offset < 7 && $0.offset + ($0.size ?? 9) > 7 && $0.offset <= 5 }, "\(fields)")
    let values = (0..<40).map { _ in (chance.bytes(2) + [0x00, 0xbc])[...] }
    let view = FieldView(values, values.indices.map { Int64($0) }, .init(offset: 0, size: 4), tail: 0, InferenceContext())
    #expect(FloatDetector.claim(view) == nil)
  }
}
