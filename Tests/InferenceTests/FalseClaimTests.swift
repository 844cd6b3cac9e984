@testable import Inference
import PacketCodecs
import Testing

/// Claims for which messages seem to give evidence, and that are false.
@Suite struct FalseClaimTests {
  private func fields(_ messages: [[UInt8]], pause: Int64 = 1_000_000) -> [FieldFinding] {
    infer(stream(messages, pause: pause)).fields.first?.fields ?? []
  }

  /// Values that are one field.
  private func view(_ values: [[UInt8]], pause: Int64 = 1_000_000) -> FieldView {
    FieldView(
      values.map { $0[...] }, values.indices.map { Int64($0) * pause }, .init(offset: 0, size: values[0].count), tail: 0,
      InferenceContext())
  }

  private func little(_ value: Int, _ size: Int) -> [UInt8] { (0..<size).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) } }

  /// Of three equal groups two cancel each other, so that each byte of a group is the XOR of the bytes between.
  @Test func aRepeatedGroupHasNoChecksum() throws {
    var chance = Chance(201)
    let found = infer(
      stream(
        (0..<60).map { _ in
          let group = chance.bytes(3) + [UInt8(chance.below(3))]
          return [0x21] + group + group + group + [UInt8(chance.below(5))]
        }))
    #expect((found.framing.check?.confidence ?? 0) < 0.9)
    #expect(found.notes.contains("bytes 1 to 4 come 3 times: 60 of 60"), "\(found.notes)")
  }

  /// A group of bytes that all are the same is not reported as one that comes several times.
  @Test func bytesThatAreTheSameAreNoGroup() {
    var chance = Chance(202)
    let notes = infer(
      stream(
        (0..<60).map { _ in
          let (a, b) = (chance.byte(), chance.byte())
          return [0x21] + [UInt8](repeating: a, count: 6) + [UInt8](repeating: 0, count: 6) + [b]
        })
    ).notes
    #expect(!notes.contains { $0.contains(" times") })
  }

  /// What happened once proves nothing, and a subscription can be the cause.
  @Test func startsAreNoCoincidence() {
    var chance = Chance(208)
    func notes(_ times: Int, subscribes: Bool) -> [String] {
      var source = StreamSource(.characteristics, direction: "write")
      source.peer = "c0:ff:ee:00:00:01"
      var requests = ValueStream(source)
      source.direction = "notify"
      source.handle = 0x12
      var measured = ValueStream(source)
      var context = InferenceContext()
      var time: Int64 = 0
      for index in 0..<6 {
        requests.append([0xb0, UInt8(index)], at: time)
        time += 3_000_000
      }
      for _ in 0..<times {
        requests.append([0xa0, 0x01], at: time)
        if subscribes { context.subscriptions["c0:ff:ee:00:00:01", default: []].append(time + 50_000) }
        for index in 0..<80 { measured.append([0x11, chance.byte(), chance.byte()], at: time + 100_000 + Int64(index) * 50_000) }
        time += 9_000_000
      }
      return Inference.run([requests, measured], context)[0].notes.filter { $0.contains("unrequested") }
    }
    #expect(notes(1, subscribes: false).isEmpty)
    #expect(notes(3, subscribes: false) == ["a001 starts unrequested messages of 0x0012: 3 of 3 times"])
    #expect(notes(3, subscribes: true).isEmpty)
  }

  /// Long messages are named by all bytes that distinguish them.
  @Test func longRequestsAreNamedWhole() {
    var chance = Chance(209)
    let start = [UInt8](repeating: 0, count: 20)
    var requests = ValueStream(StreamSource(.characteristics, direction: "write"))
    var source = StreamSource(.characteristics, direction: "notify")
    source.handle = 0x12
    var measured = ValueStream(source)
    for round in 0..<3 {
      let time = Int64(round) * 20_000_000
      requests.append(start + [0x07, 0x01], at: time)
      for index in 0..<80 { measured.append([0x11, chance.byte(), chance.byte()], at: time + 100_000 + Int64(index) * 50_000) }
      requests.append(start + [0x08, 0x02], at: time + 9_000_000)
    }
    let notes = Inference.run([requests, measured])[0].notes
    #expect(notes.contains("\(String(repeating: "00", count: 20))0701 starts unrequested messages of 0x0012: 3 of 3 times"), "\(notes)")
  }
}
