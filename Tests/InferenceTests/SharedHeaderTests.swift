import Inference
import PacketCodecs
import Testing

/// Headers that number all packets of a stream, and headers known from other streams of the device.
@Suite struct SharedHeaderTests {
  /// Frames with a big-endian length of two bytes, and two bytes that it does not count.
  private func frames(_ count: Int, _ seed: UInt64, longest: Int = 60) -> [[UInt8]] {
    var chance = Chance(seed)
    return (0..<count).map { _ in
      let body = chance.bytes(1 + chance.below(longest))
      return [0, UInt8(body.count), 0x10, UInt8(chance.below(5))] + body
    }
  }

  /// As in Pebble's stream: each packet has five bits of a number that continues across messages, above three bits of a kind.
  private func numbered(_ frames: [[UInt8]]) -> [[[UInt8]]] {
    var number = 0
    return frames.map { frame in
      cut(frame, 19).map { part in
        defer { number += 1 }
        return [UInt8(number & 31) << 3] + part
      }
    }
  }

  @Test(arguments: [false, true]) func aNumberThatGoesOnAcrossMessages(isAcknowledged: Bool) throws {
    var messages = numbered(frames(40, 61))
    if isAcknowledged {
      // Acknowledgments of the other direction, which are only a header, with numbers of their own.
      messages = messages.enumerated().map { $0.offset % 3 == 0 ? [[UInt8($0.offset & 31) << 3 | 1]] + $0.element : $0.element }
    }
    let found = infer(burst(messages))
    let fragment = try #require(found.framing.fragment)
    #expect(found.framing.kind == .fragments && found.messages == 40)
    #expect(fragment.header == 1 && fragment.confidence >= 0.9)
    #expect(fragment.sequence?.offset == 0 && fragment.sequence?.shift == 3 && fragment.sequence?.mask == 0x1f)
    #expect(found.framing.length?.offset == 0 && found.framing.length?.adds == 4)
    let profile = ProfileWriter.profile(of: found, name: "watch")
    #expect(profile.contains("stream: {header: ") && profile.contains("length: \"length + 4\""))
    #expect(ResultJSON.text([found]).contains("\"sequence\":{\"offset\":0,\"size\":1,\"shift\":3,\"mask\":31}"))
  }

  /// The numbers of requests' packets continue from the previous one, which is kept in the state.
  @Test func numbersOfRequestsAreWrittenAgain() {
    let found = infer(burst(numbered(frames(40, 61)), direction: "write"))
    let profile = ProfileWriter.profile(of: found, name: "watch")
    #expect(profile.contains("set: {handle_0012_write_h0: h0}, build: {size: 20, first: [{header: {h0: "))
    #expect(profile.contains("(_state.handle_0012_write_h0 & 7) | ((_state.handle_0012_write_h0 + 8) & 248)"))
    // The first packet of the capture has the number 0, which follows 31.
    #expect(profile.contains("state: {handle_0012_write_h0: 248}"), "\(profile)")
  }

  /// Without a length in the joined messages the number is a counter.
  @Test func aNumberWithoutLengths() {
    var chance = Chance(62)
    let found = infer(burst(numbered((0..<40).map { _ in chance.bytes(5 + chance.below(60)) })))
    #expect(found.framing.fragment == nil)
  }

  /// Frames of one value each with a length behind a counter have no packet header.
  @Test func aCounterInFrontOfALength() {
    let found = infer(burst(frames(60, 63, longest: 14).enumerated().map { [[UInt8($0.offset)] + $0.element] }))
    #expect(found.framing.fragment == nil && found.framing.kind == .message && found.framing.length != nil)
  }

  // MARK: Headers known from other streams

  @Test func framesOfAnotherStream() throws {
    let message: [UInt8] = [0x00, 0x19, 0x00, 0x11, 0x01] + [UInt8](repeating: 0, count: 17) + [0x02, 0x04, 0x01, 0x00, 0xaf, 0x29, 0x00]
    let packets = [[0x00] + message.prefix(15), [0x08] + message.dropFirst(15)]
    let requests = burst(frames(40, 64, longest: 14).map { [$0] }, direction: "write")
    let found = Inference.run([requests, burst([packets]), burst([[[0x00, 0x00, 0x01, 0x00, 0x11, 0xff]]])])
    let fragment = try #require(found[1].framing.fragment)
    #expect(found[0].framing.fragment == nil && found[1].messages == 1 && fragment.header == 1 && fragment.sequence?.shift == 3)
    #expect(fragment.confidence < 0.9 && found[1].framing.length?.adds == 4)
    // A header that one stream of two packets shows applies to a single packet, too.
    #expect(found[2].framing.fragment?.header == 1 && found[2].framing.fragment?.confidence ?? 1 < 0.9)
  }

  @Test(arguments: [
    // A wrong length; the header does not count; the first packet is not full; zeros.
    [[0x00, 0x00, 0x1a, 0x00, 0x11, 0x01, 0x02, 0x03, 0x04], [0x08, 0x05, 0x06, 0x07]],
    [[0x00, 0x00, 0x07, 0x00, 0x11, 0x01, 0x02, 0x03, 0x04], [0x55, 0x05, 0x06, 0x07]],
    [[0x00, 0x00, 0x07, 0x00], [0x08, 0x11, 0x01, 0x02, 0x03, 0x04, 0x05, 0x06, 0x07]], [[0x00, 0x00, 0x00], [0x01, 0x00, 0x00]],
  ]) func noFramesOfAnotherStream(_ packets: [[UInt8]]) {
    let requests = burst(frames(40, 65, longest: 14).map { [$0] }, direction: "write")
    #expect(Inference.run([requests, burst([packets])])[1].framing.fragment == nil)
  }

  /// Two messages of two packets among others of one: index, count and sizes together show it.
  @Test(arguments: [true, false]) func fewMessagesOfSeveralPackets(hasTotal: Bool) {
    var chance = Chance(73)
    let messages = [9, 30, 5, 12, 33].map { size in
      let parts = cut(chance.bytes(size), 20)
      return parts.enumerated().map { index, part in
        [0xaa, UInt8(part.count + 2), hasTotal ? UInt8(parts.count) : 7, UInt8(index + 1)] + part
      }
    }
    let found = infer(burst(messages))
    #expect(found.framing.kind == (hasTotal ? .fragments : .message) && found.messages == (hasTotal ? 5 : 7))
    #expect(found.framing.fragment?.header == (hasTotal ? 4 : nil))
  }

  /// Responses of constant length, cut into two values: the requests show where their length is.
  private func answers(_ length: UInt8) -> StreamFindings {
    var chance = Chance(71)
    let answers = (0..<30).map { _ in cut([0, length, 0x10, 0x01] + chance.bytes(26), 18) }
    return Inference.run([burst(frames(40, 72, longest: 14).map { [$0] }, direction: "write"), burst(answers)])[1]
  }

  @Test func valuesThatALengthOfAnotherStreamJoins() {
    let found = answers(26)
    #expect(found.framing.kind == .stream && found.messages == 30 && found.framing.length?.adds == 4)
    #expect(found.framing.length?.confidence ?? 1 < 0.9)
    #expect(answers(25).framing.length == nil)
  }

  /// As with action cameras: requests fit into one packet, responses do not, and all have a header with the length.
  private func cameras(_ requests: [[UInt8]]) -> [StreamFindings] {
    var chance = Chance(66)
    let answers = (0..<40).map { _ in
      let body = chance.bytes(3 + chance.below(28))
      return [[UInt8(body.count)] + body.prefix(19)] + cut(Array(body.dropFirst(19)), 19).map { [0x80] + $0 }
    }
    return Inference.run([burst(requests.map { [$0] }, direction: "write"), burst(answers)])
  }

  @Test func aHeaderThatWasFoundInAnotherStream() throws {
    var chance = Chance(67)
    let found = cameras(
      (0..<40).map { _ in
        let body = chance.bytes(2 + chance.below(4))
        return [UInt8(body.count)] + body
      })
    let fragment = try #require(found[0].framing.fragment)
    #expect(found[1].framing.fragment?.header == 1 && fragment.header == 1 && fragment.length != nil && fragment.confidence < 0.9)
    #expect(ProfileWriter.profile(of: found[0], name: "camera").contains("first: [{when: length <= "))
    // Continuations do not contain the length.
    #expect(ProfileWriter.profile(of: found[1], name: "camera").contains("if: \"((h0 >> 7) & 1) == 0\""))
  }

  @Test func packetsWithoutTheHeaderOfAnotherStream() {
    var chance = Chance(68)
    let found = cameras((0..<40).map { _ in [UInt8(chance.below(6))] + chance.bytes(2 + chance.below(4)) })
    #expect(found[1].framing.fragment?.header == 1 && found[0].framing.fragment == nil)
  }

  /// As with glasses: a marker, a sequence number, the packet's length, the number of packets, this packet's index; a checksum over the message.
  private func glasses(_ messages: [[UInt8]], index: UInt8, total: UInt8 = 1) -> [StreamFindings] {
    let long = frames(40, 69).map { Array($0.dropFirst()) }
    let requests = long.enumerated().map { index, body in
      let parts = cut(withCRC(body), 16)
      return parts.enumerated().map {
        [0xaa, UInt8(index), UInt8($0.element.count), UInt8(parts.count), UInt8($0.offset + 1)] + $0.element
      }
    }
    let answers = messages.enumerated().map { [[0xaa, UInt8($0.offset), UInt8($0.element.count + 2), total, index] + withCRC($0.element)] }
    return Inference.run([burst(requests, direction: "write"), burst(answers)])
  }

  @Test func aHeaderThatSaysOnePacketOfOne() throws {
    var chance = Chance(70)
    let messages = (0..<40).map { _ in chance.bytes(3 + chance.below(9)) }
    let found = glasses(messages, index: 1)
    #expect(found[0].framing.fragment?.header == 5)
    let fragment = try #require(found[1].framing.fragment)
    #expect(fragment.header == 5 && fragment.confidence < 0.9 && found[1].messages == 40)
    // The checksum covers the message, without the header.
    let check = try #require(found[1].framing.check)
    #expect(check.confidence >= 0.9 && check.checksum.coverage.first?.from ?? 0 == 0)
    // The same bytes, but with index 2 of one packet, or index 1 of two without the second: no such header.
    #expect(glasses(messages, index: 2)[1].framing.fragment == nil)
    #expect(glasses(messages, index: 1, total: 2)[1].framing.fragment == nil)
  }
}
