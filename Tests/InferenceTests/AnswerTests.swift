@testable import Inference
import Testing

@Suite struct AnswerTests {
  @Test func answersBringTheIdBack() throws {
    var chance = Chance(31)
    var requests = ValueStream(StreamSource(.characteristics, direction: "write"))
    var answers = ValueStream(StreamSource(.characteristics, direction: "notify"))
    var others = ValueStream(StreamSource(.rfcomm, direction: "received"))
    var time: Int64 = 0
    for index in 0..<40 {
      time += 1_000_000
      requests.append([0xa5, UInt8(index), 0x01, chance.byte()], at: time)
      answers.append([0x5a, 0x00, UInt8(index)] + chance.bytes(4), at: time + 40_000)
      if index % 3 == 0 { others.append(chance.bytes(4), at: time + 700_000) }
    }
    let found = Inference.run([requests, others, answers])
    let answer = try #require(found[0].answers)
    #expect(answer.stream == 2 && answer.requestOffset == 1 && answer.responseOffset == 2 && answer.share > 0.9)
  }

  /// All bytes that come back are reported, also those behind a long header.
  @Test func answersRepeatSeveralBytes() throws {
    var chance = Chance(38)
    var requests = ValueStream(StreamSource(.characteristics, direction: "write"))
    var answers = ValueStream(StreamSource(.characteristics, direction: "notify"))
    for index in 0..<40 {
      let (command, part) = (UInt8(1 + chance.below(9)), UInt8(chance.below(7)))
      let time = Int64(index) * 1_000_000
      requests.append([UInt8](repeating: 0, count: 17) + [command, 0x91, 0x01, part, chance.byte()], at: time)
      answers.append([command, 0x01, 0x01, part] + chance.bytes(4), at: time + 40_000)
    }
    let found = Inference.run([requests, answers])
    let answer = try #require(found[0].answers)
    #expect(answer.requestOffset == 17 && answer.responseOffset == 0 && answer.size == 1)
    #expect(answer.others == [.init(request: 20, answer: 3, size: 1)])
    #expect(ResultJSON.text(found).contains(#""others":[{"request_offset":20,"answer_offset":3,"size":1}]"#))
    #expect(InferenceFacts.evidence(found[0], found).contains { $0.text.hasSuffix("byte 17 comes back as byte 0, byte 20 as byte 3") })
  }

  @Test func messagesAtTheirOwnPaceAreNoAnswers() {
    var chance = Chance(32)
    var requests = ValueStream(StreamSource(.characteristics, direction: "write"))
    var stream = ValueStream(StreamSource(.characteristics, direction: "notify"))
    for index in 0..<40 { requests.append([0x01] + chance.bytes(3), at: Int64(index) * 7_300_000) }
    for index in 0..<400 { stream.append(chance.bytes(6), at: Int64(index) * 900_000) }
    #expect(Inference.run([requests, stream])[0].answers == nil)
  }

  /// Responses come in parts, with pauses as long within a response as before it: only the requests show where responses begin.
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

  /// Values with a timing of their own are not parts of responses, however many requests there are.
  @Test func valuesThatAnswerNothingAreNotJoined() {
    var chance = Chance(34)
    var requests = ValueStream(StreamSource(.characteristics, direction: "write"))
    var stream = ValueStream(StreamSource(.characteristics, direction: "notify"))
    for index in 0..<40 { requests.append([0x01] + chance.bytes(3), at: Int64(index) * 1_000_000) }
    for index in 0..<200 { stream.append([0x20, 0x01] + chance.bytes(4), at: Int64(index) * 200_000) }
    let found = Inference.run([requests, stream])[1]
    #expect(found.framing.kind == .message && found.messages == 200)
  }

  /// A device's streams: requests with two kinds of bytes, and answers with the same.
  private func pairs(_ count: Int, _ size: Int, differs: Bool) -> [ValueStream] {
    (0..<count).flatMap { number in
      [("write", 0), ("notify", 40_000)].map { direction, delay in
        var source = StreamSource(.characteristics, direction: direction)
        source.handle = number
        var stream = ValueStream(source)
        for index in 0..<20 {
          let byte: UInt8 = differs && index % 2 == 1 ? 0x42 : 0x41
          stream.append([UInt8](repeating: byte, count: size), at: Int64(index) * 1_000_000 + Int64(number) * 1000 + Int64(delay))
        }
        return stream
      }
    }
  }

  private func timelines(_ streams: [ValueStream]) -> [ResponseDetector.Timeline] {
    streams.map { stream in
      .init((0..<stream.count).map { .init(time: stream.time($0), end: stream.time($0), head: .init(stream.value($0))) })
    }
  }

  /// Bytes that are always the same are no echo, and are not compared.
  @Test func constantBytesTakeNoWork() {
    for (differs, limit) in [(false, 2000), (true, 40_000)] {
      let lines = timelines(pairs(1, 16, differs: differs))
      var budget = PairBudget(streams: 1)
      budget.begin()
      let found = ResponseDetector.find(lines[0], [(1, lines[1])], &budget)
      #expect(found?.stream == 1 && found?.share == 1 && (found?.size ?? 0 > 0) == differs)
      #expect(budget.spent < limit, "\(budget.spent)")
    }
  }

  /// The comparisons of all streams have a common budget; each stream of requests has its share, and reports what was left out.
  @Test func comparisonsHaveABudget() {
    let streams = pairs(12, 16, differs: true)
    let all = Inference.run(streams)
    #expect(all.allSatisfy { $0.notes.allSatisfy { !$0.contains("not all answers") } })
    var context = InferenceContext()
    context.maxPairWork = 12 * 20_000
    let few = Inference.run(streams, context)
    for index in streams.indices where streams[index].source.isRequest {
      #expect(few[index].notes.contains { $0.hasPrefix("not all answers were looked for: ") }, "\(few[index].notes)")
      // The nearest are compared first.
      #expect(few[index].answers != nil)
    }
    let lines = timelines(streams)
    var budget = PairBudget(240_000, streams: 12)
    for index in streams.indices where streams[index].source.isRequest {
      budget.begin()
      _ = ResponseDetector.find(lines[index], lines.indices.filter { $0 % 2 == 1 }.map { ($0, lines[$0]) }, &budget)
      #expect(budget.requested == 12 && budget.leftOut > 0)
    }
    #expect(budget.spent < 12 * 60_000, "\(budget.spent)")
  }

  @Test func requestsThatStartAndEndAStream() {
    var chance = Chance(35)
    var requests = ValueStream(StreamSource(.characteristics, direction: "write"))
    var source = StreamSource(.characteristics, direction: "notify")
    source.handle = 0x12
    var measured = ValueStream(source)
    var time: Int64 = 0
    for _ in 0..<5 {
      requests.append([0xa0, 0x01], at: time)
      for index in 0..<80 { measured.append([0x11, chance.byte(), chance.byte()], at: time + 100_000 + Int64(index) * 50_000) }
      time += 4_200_000
      requests.append([0xa0, 0x00], at: time)
      time += 5_000_000
      requests.append([0xb0, chance.byte()], at: time)
      time += 3_000_000
    }
    let notes = Inference.run([requests, measured])[0].notes
    #expect(notes.contains { $0 == "a001 starts unrequested messages of 0x0012: 5 of 5 times" })
    #expect(notes.contains { $0 == "a000 ends unrequested messages of 0x0012: 5 of 5 times" })
    #expect(!notes.contains { $0.hasPrefix("b0") })
  }

  @Test func answersAreNoStreams() {
    var chance = Chance(36)
    var requests = ValueStream(StreamSource(.characteristics, direction: "write"))
    var answers = ValueStream(StreamSource(.characteristics, direction: "notify"))
    for index in 0..<40 {
      requests.append([0xa0, UInt8(index % 3)], at: Int64(index) * 1_000_000)
      answers.append([0xb0] + chance.bytes(4), at: Int64(index) * 1_000_000 + 40_000)
    }
    #expect(Inference.run([requests, answers])[0].notes.isEmpty)
  }

  @Test func numbersThatFollowEachOther() {
    var chance = Chance(37)
    var source = StreamSource(.characteristics, direction: "notify")
    source.handle = 0x12
    var first = ValueStream(source)
    source.handle = 0x15
    var second = ValueStream(source)
    var level = 500
    for index in 0..<60 {
      if chance.below(3) > 0 { level += chance.below(301) - 150 }
      let bytes = [UInt8(truncatingIfNeeded: level), UInt8(truncatingIfNeeded: level >> 8)]
      first.append([0x01] + bytes + chance.bytes(1), at: Int64(index) * 1_000_000)
      second.append([0x02, 0x07] + bytes + [UInt8(chance.below(3))], at: Int64(index) * 1_000_000 + 300_000)
    }
    let found = Inference.run([first, second])
    #expect(found[1].notes.contains { $0.hasPrefix("bytes 2 to 3: what bytes 1 to 2 of 0x0012 said last") })
    #expect(found[0].notes.isEmpty)
  }

  /// However many streams a device has, each request is compared with a limited number of possible response streams: the nearest.
  @Test func workGrowsWithStreams() throws {
    for count in [50, 1000] {
      var streams: [ValueStream] = []
      for number in 0..<2 * count {
        var source = StreamSource(.characteristics, direction: number % 2 == 0 ? "write" : "notify")
        source.peer = number % 10 < 8 ? "a" : "b"
        streams.append(ValueStream(source))
      }
      let devices = Devices(streams)
      for index in stride(from: 0, to: streams.count, by: 2) {
        let candidates = devices.candidates(index)
        #expect(candidates.count <= 128 && candidates.contains(index + 1))
        #expect(candidates.allSatisfy { !streams[$0].source.isRequest && streams[$0].source.peer == streams[index].source.peer })
        if count == 50 { #expect(candidates.count == (streams[index].source.peer == "a" ? 40 : 10)) }
      }
    }
  }
}
