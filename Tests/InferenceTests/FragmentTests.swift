import Inference
import Testing

@Suite struct FragmentTests {
  /// Messages of different lengths.
  private func bodies(_ count: Int = 24) -> [[UInt8]] {
    var chance = Chance(21)
    return (0..<count).map { _ in chance.bytes(5 + chance.below(60)) }
  }

  @Test func indexAndTotal() throws {
    let found = infer(
      burst(
        bodies().enumerated().map { index, body in
          let parts = cut(body, 16)
          return parts.enumerated().map { [0xaa, UInt8(index), UInt8(parts.count), UInt8($0.offset + 1)] + $0.element }
        }))
    let fragment = try #require(found.framing.fragment)
    #expect(found.framing.kind == .fragments && found.messages == 24)
    #expect(fragment.header == 4 && fragment.index?.offset == 3 && fragment.total?.offset == 2)
  }

  @Test func continuationBitAndLengthInTheFirst() throws {
    // As in GoPro's protocol: 13 bits of length in the first packet, 0x80 and a counter in the others.
    let found = infer(
      burst(
        bodies().map { body in
          var packets = [[0x20 | UInt8(body.count >> 8), UInt8(body.count & 255)] + body.prefix(18)]
          for (index, part) in cut(Array(body.dropFirst(18)), 19).enumerated() { packets.append([0x80 | UInt8(index & 15)] + part) }
          return packets
        }))
    let fragment = try #require(found.framing.fragment)
    #expect(found.messages == 24 && fragment.length != nil && fragment.header == 1 && fragment.firstHeader == 2)
  }

  @Test func lengthsOfSeveralSizesInTheFirst() throws {
    // As in GoPro's protocol: 5 bits of length where they suffice, else 13; continuations have 0x80 and a number of four bits.
    var chance = Chance(22)
    let all = (0..<60).map { _ in [UInt8(chance.below(3)), 0x00] + chance.bytes(3 + chance.below(70)) }
    let found = infer(
      burst(
        all.map { body in
          let head: [UInt8] = body.count < 32 ? [UInt8(body.count)] : [0x20 | UInt8(body.count >> 8), UInt8(body.count & 255)]
          var packets = [head + body.prefix(20 - head.count)]
          for (index, part) in cut(Array(body.dropFirst(20 - head.count)), 19).enumerated() {
            packets.append([0x80 | UInt8(index & 15)] + part)
          }
          return packets
        }, direction: "write"))
    let fragment = try #require(found.framing.fragment)
    #expect(found.messages == 60 && fragment.isSelfSized && fragment.following == .counted)
    #expect(found.fields.isEmpty || found.fields[0].shortest >= 5)
    #expect(ProfileWriter.profile(of: found, name: "camera").contains("128 + index % 16"))
  }

  @Test func anIndexThatCountsDown() throws {
    let found = infer(
      burst(
        bodies(40).map { body in
          let parts = cut(body, 19)
          return parts.enumerated().map { [UInt8(parts.count - 1 - $0.offset)] + $0.element }
        }, direction: "write"))
    #expect(found.framing.kind == .fragments && found.messages == 40)
    #expect(found.framing.fragment?.header == 1 && found.framing.fragment?.countsDown == true)
  }

  /// Messages that come in bursts are separate messages if all have the same byte at the same offset.
  @Test func burstsOfMessagesAreNotJoined() {
    var chance = Chance(23)
    let bursts = (0..<6).map { _ in (0..<60).map { _ in [0x11, chance.byte(), UInt8(chance.below(50)), 0x01] } }
    let found = infer(burst(bursts))
    #expect(found.framing.kind == .message && found.messages == 360)
  }

  @Test func firstAndLastBits() throws {
    // As in mesh: two bits are 0 complete, 1 first, 2 middle, 3 last.
    let found = infer(
      burst(
        bodies().map { body in
          let parts = cut(body, 19)
          return parts.enumerated().map { index, part in
            let state: UInt8 = parts.count == 1 ? 0 : index == 0 ? 1 : index == parts.count - 1 ? 3 : 2
            return [state << 6 | 3] + part
          }
        }))
    #expect(found.framing.kind == .fragments && found.messages == 24)
    #expect(found.framing.fragment?.header == 1)
  }

  /// One long message that is repeated among short ones does not show the bits of a header.
  @Test func oneMessageAgainAndAgainHasNoHeader() {
    var chance = Chance(24)
    let long = [0x3a, 0x2b] + chance.bytes(43)
    let found = infer(
      burst((0..<60).map { _ in chance.below(2) == 0 ? cut(long, 20) : [[0x3a, 0x07, 0x02] + chance.bytes(7)] }, direction: "write"))
    #expect(found.framing.fragment == nil)
  }

  @Test func aCounterIsNoHeader() {
    var chance = Chance(2)
    let found = infer(stream((0..<100).map { [0x55, UInt8($0 & 15)] + chance.bytes(10) }))
    #expect(found.framing.kind == .message && found.framing.fragment == nil)
  }

  @Test func randomBytes() {
    for seed in 1...5 {
      var chance = Chance(UInt64(seed) + 50)
      let found = infer(stream((0..<60).map { _ in chance.bytes(20) }))
      #expect(found.framing.fragment == nil && found.framing.kind == .message)
    }
  }

  @Test func fullValuesAreContinued() {
    // Without any header: values of 20 bytes are continued, shorter ones end a message.
    let found = infer(burst(bodies().map { cut([0x7e] + $0, 20) }))
    #expect(found.framing.kind == .stream && found.messages == 24)
  }

  @Test func advertisingDataIsNotJoined() {
    // A scan response follows its advertisement directly. As notifications these would be frames that are cut into values.
    func values(_ source: StreamSource) -> ValueStream {
      var chance = Chance(55)
      var stream = ValueStream(source)
      var time: Int64 = 1_750_000_000_000_000
      for _ in 0..<40 {
        time += 900_000
        stream.append([0x02, 0x18] + chance.bytes(22), at: time)
        time += 1000
        stream.append(chance.bytes(6), at: time)
      }
      return stream
    }
    var advertising = StreamSource(.advertisements, direction: "advertise")
    advertising.company = 0x75
    let found = infer(values(advertising))
    #expect(found.framing.kind == .message && found.messages == 80)
    var notifying = StreamSource(.characteristics, direction: "notify")
    notifying.handle = 0x12
    #expect(infer(values(notifying)).messages == 40)
  }

  /// A byte that is zero except for one flag in the last packet marks it; since the message is the same each time, the confidence is lower.
  @Test func aFlagInTheLastPacket() throws {
    var chance = Chance(56)
    let body = [0x01, 0x0b] + chance.bytes(27)
    let found = infer(burst((0..<40).map { _ in [[0x00] + body.prefix(19), [0x80] + body.dropFirst(19)] }))
    let fragment = try #require(found.framing.fragment)
    #expect(fragment.header == 1 && fragment.firstValues == [0x00] && fragment.lastValues == [0x80] && fragment.confidence < 0.9)
    #expect(found.messages == 40)
  }

  /// Two bits that number the parts, as in mesh proxies, are found in repetitions of one message, too, if all four values occur.
  @Test func numberedPartsOfOneMessage() throws {
    var chance = Chance(59)
    let parts = [[0x41] + chance.bytes(8), [0x81] + chance.bytes(8), [0xc1] + chance.bytes(3)]
    let found = infer(burst((0..<60).map { _ in chance.below(2) == 0 ? parts : [[0x05, 0x00, 0x01, UInt8(chance.below(9))]] }))
    let fragment = try #require(found.framing.fragment)
    #expect(fragment.header == 1 && fragment.state?.shift == 6 && fragment.confidence < 0.9 && found.messages == 60)
  }

  /// In some kinds only, the number of packets and this packet's index follow the byte that distinguishes kinds.
  @Test func someKindsHaveAHeader() throws {
    var chance = Chance(57)
    var messages: [[[UInt8]]] = []
    for _ in 0..<80 {
      switch chance.below(4) {
      case 0: messages.append([[0xe7, 0xf0] + chance.bytes(6)])
      case 1: messages.append([[0xe7, 0x34] + chance.bytes(12)])
      case 2: messages.append((1...2).map { [0xe7, 0x4c, 2, UInt8($0)] + chance.bytes(11) })
      default: messages.append((1...3).map { [0xe7, 0x59, 3, UInt8($0)] + chance.bytes(9) })
      }
    }
    let found = infer(burst(messages))
    let fragment = try #require(found.framing.fragment)
    #expect(
      fragment.header == 4 && fragment.condition?.offset == 1 && fragment.condition?.values == [0x4c, 0x59] && fragment.confidence < 0.9)
    #expect(found.messages == 80)
    #expect(ProfileWriter.profile(of: found, name: "scale").contains("key == 0x4c or key == 0x59"))
    #expect(ResultJSON.text([found]).contains("\"where\":{\"offset\":1,\"values\":[\"4c\",\"59\"]}"))
  }

  /// Records with an index and a count are separate messages if they are similar to each other.
  @Test func recordsAreNoFragments() {
    var chance = Chance(58)
    var messages: [[[UInt8]]] = []
    for _ in 0..<40 {
      if chance.below(2) == 0 {
        messages.append([[0xe7, 0xf0] + chance.bytes(6)])
      } else {
        messages.append((1...3).map { [0xe7, 0x33, 3, UInt8($0), 0x55] + chance.bytes(4) })
      }
    }
    let found = infer(burst(messages))
    #expect(found.framing.fragment == nil && found.messages == messages.reduce(0) { $0 + $1.count })
  }

  @Test func messagesThatAreAlikeAreNoFragments() {
    // As with lamps: colours in sequence between the same first and last byte, with commands among them.
    var chance = Chance(41)
    var values: [[UInt8]] = [[0xef, 0x01, 0x77], [0x12, 0x1a, 0x1b, 0x21], [0xef, 0x01, 0x77], [0x12, 0x1a, 0x1b, 0x21]]
    values += (0..<200).map { _ in [0x56, chance.byte(), chance.byte(), chance.byte(), 0x00, 0xf0, 0xaa] }
    values += [[0xef, 0x01, 0x77], [0xcc, 0x24, 0x33]]
    let found = infer(stream(values, direction: "write", pause: 15_000))
    #expect(found.framing.fragment == nil && found.messages == values.count)
  }

  /// The first letter of a line is no header of a fragment: lines that are cut into values end alike.
  @Test func linesOfTextAreJoined() throws {
    let lines = [
      "AT+TOPACE=0", "AT+SYN=1", "AT+DT=20200517222621", "AT+TIMEZONE=3600", "BT+VER", "AT+HANDSUP=2,0000,2359", "AT+SIT=060,0900,1800,0",
      "AT+SN",
    ]
    let all = (0..<4).flatMap { round in lines.map { Array("\($0)\(round)\r\n".utf8) } }
    let found = infer(burst(all.map { cut($0, 20) }))
    #expect(found.messages == all.count && found.framing.kind == .stream && found.framing.fragment == nil)
    #expect(found.framing.end == [0x0D, 0x0A])
    #expect(ProfileWriter.profile(of: found, name: "watch").contains("stream: {end: [0x0d, 0x0a]}"))
    #expect(ProfileWriter.profile(of: found, name: "watch").contains(#"{id: text, size: "_io.size - 2", -as: text}"#))
  }
}
