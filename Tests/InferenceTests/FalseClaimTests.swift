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

  /// The byte that shows which length a message has is the kind, not one that has certain values in the short messages.
  @Test func theKindThatShowsTheLength() {
    var chance = Chance(203)
    let colours: [[UInt8]] = [[0x00, 0x19, 0x1c, 0x0e], [0x04, 0x40, 0x02, 0x00], [0xff, 0x70, 0x37, 0x7f], [0x64, 0x01, 0x00, 0x44]]
    let found = infer(
      stream(
        (0..<90).map { _ -> [UInt8] in
          if chance.below(3) == 0 { return [0x02, UInt8(chance.below(2))] }
          var colour = colours[chance.below(4)]
          if chance.below(4) == 0 { colour[chance.below(4)] = chance.byte() }
          return [0x01] + colour + [0x01] + colour + [0x01] + colour + [0x07]
        }))
    #expect(found.kinds?.offset == 0, "\(String(describing: found.kinds))")
    #expect(found.fields.count == 2)
  }

  /// A number that goes up and down by one from time to time is not the kind, even if other numbers change slowly, too.
  @Test func aNumberOfSatellitesIsNoKind() {
    var chance = Chance(204)
    var (satellites, latitude, longitude) = (7, 0x23c5_8000, 0x121f_4000)
    let found = infer(
      stream(
        (0..<700).map { index -> [UInt8] in
          if index < 60 { return [UInt8](repeating: 0, count: 13) }
          if index % 90 == 0 { satellites = max(5, min(9, satellites + (chance.below(2) == 0 ? 1 : -1))) }
          latitude += chance.below(23)
          longitude += chance.below(61) - 30
          return [UInt8(satellites)] + little(latitude, 4) + little(longitude, 4) + little(1000 + chance.below(3000), 4)
        }))
    #expect(found.kinds == nil, "\(String(describing: found.kinds))")
    let fields = found.fields.first?.fields ?? []
    #expect(fields.contains { $0.offset == 0 && $0.size == 1 } && fields.contains { $0.offset == 1 && $0.size == 4 && $0.type == .uint })
    #expect(!fields.contains { $0.type == .float }, "\(fields)")
  }

  /// In a few advertisements that are repeated many times each byte that differs seems to be the kind.
  @Test func randomAdvertisementsHaveNoKinds() {
    var chance = Chance(205)
    let messages = (0..<9).map { _ in [0x10, 0x40] + chance.bytes(12) }
    var source = StreamSource(.advertisements, direction: "advertise")
    source.service = "fe2c"
    var advertised = ValueStream(source)
    for index in 0..<180 { advertised.append(messages[index / 20], at: Int64(index) * 1_000_000) }
    #expect(infer(advertised).kinds == nil)
  }

  /// The kind byte is in no number beside it, also where it seldom changes by more than one.
  @Test func theKindByteIsNoPartOfANumber() throws {
    var chance = Chance(206)
    var level = 120
    let found = infer(
      stream(
        (0..<400).map { index -> [UInt8] in
          level = max(1, min(250, level + chance.below(7) - 3))
          let kind = UInt8(0x42 + index / 200)
          let body: [UInt8] = kind == 0x42 ? [0x48, 0x01, 0x00, 0x30] : [0xe1, 0x07, 0x33, 0x02]
          return [kind, UInt8(level)] + body
        }))
    #expect(try #require(found.kinds).offset == 0)
    for kind in found.fields { #expect(kind.fields.contains { $0.offset == 0 && $0.size == 1 }, "\(kind.fields)") }
  }

  /// The low byte of a fraction changes most: where it hardly changes, the others are an integer.
  @Test func anIntegerBehindASlowByteIsNoFloat() {
    var chance = Chance(207)
    var number = 0x23c5_4000
    let found = fields(
      (0..<200).map { index in
        number += chance.below(40)
        return [UInt8(5 + index / 70)] + little(number, 4)
      })
    #expect(!found.contains { $0.type == .float }, "\(found)")
  }

  /// What happened once proves nothing, and a subscription can be the cause.
  @Test func oneCoincidenceIsNoStart() {
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

  /// A counter of twelve bits in front of another number is no clock of three bytes, high byte first, with tens of millions of ticks a second.
  @Test func aNumberFasterThanAClockIsNoTimestamp() {
    var chance = Chance(210)
    let values = (0..<400).map { index -> [UInt8] in
      let number = (index * 12) & 0xfff
      return [UInt8(number & 255), UInt8(number >> 8) | chance.byte() & 0xf0, chance.byte() & 1]
    }
    #expect(TimestampDetector.claim(view(values, pause: 15_000)) == nil)
    // One with a thousand ticks a second is.
    let ticks = (0..<400).map { little($0 * 15 + chance.below(3), 3) }
    #expect(TimestampDetector.claim(view(ticks, pause: 15_000))?.evidence.hasPrefix("goes up with time, 1000 a second") == true)
  }

  /// Numbers that all are small and negative are signed; a byte in front of a constant one is not.
  @Test func negativeNumbers() throws {
    var chance = Chance(211)
    let signals = fields((0..<80).map { _ in little(-40 - chance.below(60), 2) })
    let field = try #require(signals.first { $0.offset == 0 && $0.size == 2 })
    #expect(field.type == .int && field.evidence.contains("-99 to -40"), "\(field)")
    let small = fields((0..<80).map { _ in [0x31, UInt8(chance.below(4)), 0xff] })
    #expect(!small.contains { $0.type == .int }, "\(small)")
  }

  /// Zeros, or a number far from zero, among the low halves of numbers are no values around zero.
  @Test(arguments: [0, 0x3168]) func zeroIsNotPositive(_ other: Int) {
    var chance = Chance(212)
    let found = fields((0..<80).map { $0 < 5 ? little(other, 2) : [chance.byte(), 0xc5 + UInt8(chance.below(30))] })
    #expect(!found.contains { $0.evidence.contains("around zero") }, "\(found)")
  }

  /// Two values in turn that differ in several bits are no flags.
  @Test func twoValuesInTurnAreNoFlags() {
    var chance = Chance(213)
    let found = fields((0..<80).map { [0x31, $0 % 2 == 0 ? 0x49 : 0x0c, chance.byte()] })
    #expect(found.contains { $0.offset == 1 && $0.type == .enum } && !found.contains { $0.type == .flags }, "\(found)")
  }

  /// Zeros at the end of messages are no length of the nothing behind them.
  @Test func paddingIsNoLength() {
    var chance = Chance(214)
    let found = fields((0..<80).map { _ in [0x31, chance.byte(), chance.byte(), 0x77, 0, 0, 0, 0] })
    #expect(!found.contains { $0.type == .length }, "\(found)")
  }

  /// A byte that happens to be a character, with zeros behind it, is no text.
  @Test func aNumberWithZerosIsNoText() {
    var chance = Chance(216)
    #expect(TextDetector.claim(view((0..<80).map { _ in [0x38 + UInt8(chance.below(2)), 0, 0] })) == nil)
    #expect(TextDetector.claim(view((0..<80).map { _ in [0x41 + UInt8(chance.below(9)), 0x52, 0x6f, 0] })) != nil)
  }

  /// The open question about the length does not ask for lengths that were seen.
  @Test func theOpenQuestionAsksForNoLengthThatWasSeen() {
    func open(_ sizes: Int, direction: String) -> String? {
      var chance = Chance(215)
      let found = infer(stream((0..<40).map { [0x31] + chance.bytes(4 + $0 % sizes) }, direction: direction))
      return InferenceFacts.open(found).first { $0.hasPrefix("where the length is") }
    }
    #expect(open(1, direction: "write") == nil)
    #expect(open(2, direction: "write") == "where the length is: send messages of other lengths")
    #expect(open(2, direction: "notify") == "where the length is: only 2 lengths were seen")
    #expect(open(4, direction: "write") == "where the length is: no byte shows it in messages of 4 lengths")
  }
}
