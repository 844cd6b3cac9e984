import Inference
import Testing

@Suite struct AnswerTests {
  @Test func answersBringTheIdBack() throws {
    var chance = Chance(31)
    var requests = ValueStream(StreamSource(.characteristics, direction: "write"))
    var answers = ValueStream(StreamSource(.characteristics, direction: "notify"))
    var others = ValueStream(StreamSource(.rfcomm, direction: "received"))
    var time: Int64 = 0
    for place in 0..<40 {
      time += 1_000_000
      requests.append([0xa5, UInt8(place), 0x01, chance.byte()], at: time)
      answers.append([0x5a, 0x00, UInt8(place)] + chance.bytes(4), at: time + 40_000)
      if place % 3 == 0 { others.append(chance.bytes(4), at: time + 700_000) }
    }
    let found = Inference.run([requests, others, answers])
    let answer = try #require(found[0].answers)
    #expect(answer.stream == 2 && answer.requestOffset == 1 && answer.answerOffset == 2 && answer.share > 0.9)
  }

  @Test func whatComesAtItsOwnPaceAnswersNothing() {
    var chance = Chance(32)
    var requests = ValueStream(StreamSource(.characteristics, direction: "write"))
    var stream = ValueStream(StreamSource(.characteristics, direction: "notify"))
    for place in 0..<40 { requests.append([0x01] + chance.bytes(3), at: Int64(place) * 7_300_000) }
    for place in 0..<400 { stream.append(chance.bytes(6), at: Int64(place) * 900_000) }
    #expect(Inference.run([requests, stream])[0].answers == nil)
  }

  /// Answers come in pieces, with pauses that are as long within an answer as before it: only the requests tell where they begin.
  @Test func valuesBetweenRequestsAreOneAnswer() {
    var chance = Chance(33)
    var requests = ValueStream(StreamSource(.characteristics, direction: "write"))
    var answers = ValueStream(StreamSource(.characteristics, direction: "notify"))
    var time: Int64 = 0
    for _ in 0..<40 {
      let count = 4 + chance.below(30)
      requests.append(withCRC([0x01, 0x03, 0x00, UInt8(chance.below(100)), 0x00, UInt8(count)]), at: time)
      var rest = withCRC([0x01, 0x03, UInt8(2 * count)] + chance.bytes(2 * count))[...]
      while !rest.isEmpty {
        time += 50_000
        let size = rest.startIndex == 0 ? 1 : 8 + chance.below(2)
        answers.append(rest.prefix(size), at: time)
        rest = rest.dropFirst(size)
      }
      time += 3000
    }
    let found = Inference.run([requests, answers])[1]
    #expect(found.framing.kind == .stream && found.messages == 40)
    #expect(found.standard?.name == "MODBUS RTU" && found.framing.check?.verified == found.framing.check?.of)
    let profile = ProfileWriter.profile(of: found, name: "answers")
    #expect(profile.contains("length: \"function >= 0x80 ? 5") || profile.contains("length: \"length + 5\""))
  }

  /// Values that come at their own pace are no pieces of answers, however many requests there are.
  @Test func valuesThatAnswerNothingAreNotJoined() {
    var chance = Chance(34)
    var requests = ValueStream(StreamSource(.characteristics, direction: "write"))
    var stream = ValueStream(StreamSource(.characteristics, direction: "notify"))
    for place in 0..<40 { requests.append([0x01] + chance.bytes(3), at: Int64(place) * 1_000_000) }
    for place in 0..<200 { stream.append([0x20, 0x01] + chance.bytes(4), at: Int64(place) * 200_000) }
    let found = Inference.run([requests, stream])[1]
    #expect(found.framing.kind == .message && found.messages == 200)
  }
}
