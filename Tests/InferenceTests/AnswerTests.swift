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
}
