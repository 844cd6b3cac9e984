import Inference
import PacketCodecs
import Testing

@Suite struct LengthTests {
  /// Messages with a length at an offset, followed by random bytes.
  private func messages(_ write: (inout [UInt8], Int) -> Void, header: Int, tail: Int = 0) -> [[UInt8]] {
    var chance = Chance(7)
    return (0..<40).map { _ in
      let body = chance.below(12)
      var message = chance.bytes(header) + chance.bytes(body + tail)
      write(&message, body)
      return message
    }
  }

  @Test func lengthOfOneByte() throws {
    let found = infer(stream(messages({ $0[2] = UInt8($1) }, header: 3, tail: 2)))
    let length = try #require(found.framing.length)
    #expect(length.offset == 2 && length.size == 1 && length.adds == 5 && length.confidence >= 0.9)
    #expect(found.framing.kind == .message)
  }

  @Test func lengthOfTwoBytes() throws {
    for endian in ByteOrder.allCases {
      let found = infer(
        stream(
          messages(
            { (message: inout [UInt8], body: Int) in
              message[endian == .big ? 1 : 2] = 0
              message[endian == .big ? 2 : 1] = UInt8(body)
            }, header: 3)))
      let length = try #require(found.framing.length)
      let low = length.offset + (length.size == 2 && length.endian == .big ? 1 : 0)
      #expect(low == (endian == .big ? 2 : 1) && length.adds == 3)
    }
  }

  @Test func lengthOfTheWholeFrame() throws {
    let found = infer(stream(messages({ (message: inout [UInt8], _: Int) in message[0] = UInt8(message.count) }, header: 2)))
    let length = try #require(found.framing.length)
    #expect(length.offset == 0 && length.adds == 0)
  }

  /// A number of records of one size.
  @Test(arguments: [3, 5, 8]) func records(_ size: Int) throws {
    var chance = Chance(90)
    let counts = [1, 6, 2, 15, 9, 4, 1, 12]
    let found = infer(
      stream((0..<32).map { index in [0x4a, chance.byte(), UInt8(counts[index % 8])] + chance.bytes(size * counts[index % 8]) }))
    let length = try #require(found.framing.length)
    #expect(length.offset == 2 && length.size == 1 && length.unit == size && length.adds == 3 && length.confidence >= 0.9, "\(length)")
    #expect(
      InferenceFacts.evidence(found, [found]).contains {
        $0.text == "byte 2: value × \(size) + 3 = size of the message: 32 of 32, 7 lengths"
      })
    #expect(!InferenceFacts.open(found).contains { $0.hasPrefix("where the length is") })
  }

  /// Kinds whose numbers and lengths both go up evenly have no number of records.
  @Test func kindsAreNoRecords() {
    var chance = Chance(91)
    let found = infer(stream((0..<32).map { index in [UInt8(1 + index % 3)] + chance.bytes(4 + 3 * (index % 3)) }))
    #expect(found.framing.length == nil)
  }

  @Test func oneLengthIsNoEvidence() {
    var chance = Chance(3)
    let found = infer(stream((0..<40).map { _ in [0x08] + chance.bytes(7) }))
    #expect(found.framing.length == nil)
  }

  @Test func randomBytes() {
    for seed in 1...5 {
      var chance = Chance(UInt64(seed))
      let found = infer(stream((0..<30).map { _ in chance.bytes(4 + chance.below(12)) }))
      #expect((found.framing.length?.confidence ?? 0) < 0.9)
    }
  }

  /// A serial port cuts a few of the frames: their checksum is right in nearly all values, and the length leads over the cuts.
  @Test func aFewFramesAreCut() throws {
    var chance = Chance(77)
    var values: [[UInt8]] = []
    for index in 0..<200 {
      let body: [UInt8] = index == 0 ? [1, 1, 0] : index == 199 ? [1, 6] + chance.bytes(12) : [1, 5, 0, 0, 0, 0, UInt8(index), 0]
      var frame = [0xAA, 0x96, 0x02, UInt8(body.count)] + body
      frame.append(frame.dropFirst(2).reduce(0, ^))
      if index % 80 == 40 { values += [Array(frame.prefix(4)), Array(frame.dropFirst(4))] } else { values.append(frame) }
    }
    let found = infer(stream(values, pause: 90_000))
    #expect(found.messages == 200 && found.framing.kind == .stream)
    #expect(found.framing.length?.offset == 3 && found.framing.check?.verified == 199)
  }

  /// A few values have two frames: the length leads from one to the next.
  @Test func aFewValuesHaveTwoFrames() throws {
    var chance = Chance(78)
    let frames = (0..<120).map { _ in
      let body = chance.bytes(6 + chance.below(60))
      return [0xFE, 0, UInt8(body.count)] + body + [0xFE]
    }
    let values = frames[..<117] + [frames[117] + frames[118]] + [frames[119]]
    let found = infer(stream(Array(values)))
    #expect(found.messages == 120 && found.framing.kind == .stream)
    #expect(found.framing.length.map { $0.offset + $0.size } == 3 && found.framing.length?.holds == 119)
  }
}
