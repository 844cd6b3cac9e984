import Memory
import Testing

@_spi(Pipeline) @testable import Profiles

/// Profiles that ask for much work with each byte: each part of one is within its bound, all together are not.
@Suite struct StepBudgetTests {
  private static func list(_ count: Int, _ element: (Int) -> String) -> String { (0..<count).map(element).joined(separator: ", ") }

  private static func profile(_ layers: String, _ more: String) -> String {
    "profile: x\nmatch: {services: [fff0]}\nmeta: {endian: le}\n"
      + "characteristics: {a: {uuid: fff1, notify: m, framing: [{stream: {length: \"1\"}}\(layers)]}}\n\(more)\n"
  }

  /// Messages of one byte each.
  static let hostile = [
    "layers": profile(", " + list(60) { _ in "{unescape: {xor: \"1\"}}" }, "types: {m: {seq: [{id: x, type: u1}]}}"),
    "objects": profile("", "types: {m: {seq: [{id: x, type: u1}, {id: z, type: e, repeat: expr, repeat-expr: 4000}]}, e: {seq: []}}"),
    "checks": profile(
      ", " + list(60) { _ in "{check: {algorithm: CRC-16/XMODEM, when: \"_payload.size == 7777\"}}" },
      "types: {m: {seq: [{id: x, type: u1}]}}"),
    "conditions": "profile: x\nmatch: {services: [fff0]}\nmeta: {endian: le}\n"
      + "characteristics: {a: {uuid: fff1, framing: [{stream: {length: \"1\"}}], notify: [\(list(1000) { "{message: m, when: '_payload.size == \($0 + 7)'}" })]}}\n"
      + "types: {m: {seq: [{id: x, type: u1}]}}\n",
    "state": "profile: x\nmatch: {services: [fff0]}\nmeta: {endian: le}\nstate: {\(list(500) { "s\($0): 0" })}\n"
      + "characteristics: {a: {uuid: fff1, framing: [{stream: {length: \"1\"}}], notify: m}}\n"
      + "messages: {m: {type: m, set: {\(list(500) { "s\($0): x" })}}}\ntypes: {m: {seq: [{id: x, type: u1}]}}\n",
  ]

  /// Feeds packets until the profile is left out, or to the end. Returns how many were read, and what was told.
  private func read(_ text: String, packets: Int, _ count: Int) throws -> (read: Int, errors: [ProfileError]) {
    let set = try ProfileSet(builtin: false, texts: [(text, "x.yaml", .given)])
    let engine = ProfileEngine(set)
    var errors: [ProfileError] = []
    engine.onError = { errors.append($0) }
    let link = engine.connect(PeerFacts())
    let slot = engine.slot(link, profile: try set.profile(0), source: "a")
    let packet = [UInt8](repeating: 1, count: count)
    for number in 1...packets {
      packet.withBorrowedBytes { _ = engine.feed(link, slot, .notify, $0, frame: number, time: Int64(number)) }
      if errors.isEmpty { continue }
      // It stays out.
      packet.withBorrowedBytes { _ = engine.feed(link, slot, .notify, $0, frame: number, time: Int64(number)) }
      #expect(!engine.hasMessages && errors.count == 1)
      return (number, errors)
    }
    return (packets, errors)
  }

  /// The steps that a capture brings are linear in its bytes, so that no profile takes more time than that.
  @Test(arguments: hostile.keys.sorted())
  func isLeftOut(_ name: String) throws {
    let (read, errors) = try read(try #require(Self.hostile[name]), packets: 2000, 240)
    #expect(read < 2000, "\(name)")
    #expect(errors.map(\.message) == ["reading by this profile takes too long; from packet \(read) on it is left out"])
  }

  /// Types within one another that take no bytes: 10^9 objects of one message.
  @Test func objectsThatMultiply() throws {
    let types = (0..<9).map { level in
      "t\(level): {-inline: true, seq: [\(Self.list(10) { "{id: f\($0), type: t\(level + 1)}" })]}"
    }
    let own = Self.profile(
      "",
      "types: {m: {seq: [{id: x, type: u1}, {id: y, type: t0}]}, \(types.joined(separator: ", ")), t9: {-inline: true, seq: [{id: z, size: 0}]}}"
    )
    let found = try decode(ProfileSet(builtin: false, texts: [(own, "x.yaml", .given)]), "x", "a", ["01"])
    #expect(found.first?.problem.contains("limit") == true, "\(found)")
  }

  /// All messages of one value are kept until the next: those of an ELM327's prompts, a byte each, were half a gigabyte.
  @Test func messagesOfOneValue() throws {
    let own = Self.profile("", "types: {m: {seq: [{id: x, type: u1}]}}")
    let set = try ProfileSet(builtin: false, texts: [(own, "x.yaml", .given)])
    let engine = ProfileEngine(set)
    let link = engine.connect(PeerFacts())
    let slot = engine.slot(link, profile: try set.profile(0), source: "a")
    for count in [400, 60_000, 400] {
      let number = [UInt8](repeating: 1, count: count).withBorrowedBytes { engine.feed(link, slot, .notify, $0, frame: 1, time: 1) }
      #expect(number == min(count, ProfileBounds.maxMessages + 1))
      let isCut = count > ProfileBounds.maxMessages
      #expect(engine.messages.last?.kind == (isCut ? .unjoined : .message) && engine.messages.last?.hasProblem == isCut)
    }
  }

  /// An open request keeps its bytes, and what was read of them only as long as it is looked at.
  @Test func largeRequests() throws {
    let own =
      "profile: x\nmatch: {services: [fff0]}\nmeta: {endian: le}\n"
      + "characteristics: {a: {uuid: fff1, write: m}, b: {uuid: fff2, notify: n, answers: {to: a, when: x == _request.list.first.x}}}\n"
      + "types: {m: {seq: [{id: list, type: e, repeat: eos}]}, e: {seq: [{id: x, type: u1}, {id: y, type: u1, if: x > 300}], instances: {z: {value: x + 1}}}, n: {seq: [{id: x, type: u1}]}}\n"
    let set = try ProfileSet(builtin: false, texts: [(own, "x.yaml", .given)])
    let found = try decode(set, "x", "a", [String](repeating: "07" + String(repeating: "01", count: 5000), count: 3), .write)
    #expect(found.count == 3 && found.allSatisfy { $0.fields["list"]?.list?.count == 5001 })
    let engine = ProfileEngine(set)
    let link = engine.connect(PeerFacts())
    let slots = try ["a", "b"].map { engine.slot(link, profile: try set.profile(0), source: $0) }
    ([7] + [UInt8](repeating: 1, count: 5000)).withBorrowedBytes { _ = engine.feed(link, slots[0], .write, $0, frame: 1, time: 1) }
    [8].withBorrowedBytes { _ = engine.feed(link, slots[1], .notify, $0, frame: 2, time: 2) }
    #expect(engine.messages.first?.replyTo == nil)
    [7].withBorrowedBytes { _ = engine.feed(link, slots[1], .notify, $0, frame: 3, time: 3) }
    #expect(engine.messages.first?.replyTo == 1)
  }

  /// Lists that conditions make were kept until there was no room, from when on no condition held.
  @Test func listsInConditions() throws {
    let own =
      "profile: x\nmatch: {services: [fff0]}\nmeta: {endian: le}\n"
      + "characteristics: {a: {uuid: fff1, notify: [{message: m, when: \"[_payload[0], _payload[1]].max == 3 and 'ab' + 'c' == 'abc'\"}]}}\n"
      + "types: {m: {seq: [{id: x, type: u1}, {id: y, type: u1}]}}\n"
    let found = try decode(
      ProfileSet(builtin: false, texts: [(own, "x.yaml", .given)]), "x", "a", [String](repeating: "0301", count: 20_000))
    #expect(found.count == 20_000 && found.allSatisfy { $0.message == "m" })
  }

  /// A variable that is a list, of which each message takes a copy.
  @Test func listsOfTheStateAreRead() throws {
    let own =
      "profile: x\nmeta: {endian: le}\nstate: {cells: []}\ncharacteristics: {a: {handle: 0x7000, notify: m}}\n"
      + "messages: {m: {type: m, set: {cells: _state.cells + v}}}\n"
      + "types: {m: {seq: [{id: x, type: u1}, {id: v, type: u2, repeat: expr, repeat-expr: 8}]}}\n"
    #expect(try read(own, packets: 2000, 17).errors.isEmpty)
  }

  /// What a folder has takes nothing of what is given.
  @Test func foldersLeaveWhatIsGiven() throws {
    func advertisements(_ id: String, _ count: Int) -> String {
      "profile: \(id)\nadvertisements: {\(Self.list(count) { "a\($0): {services: [\(String(0x1000 + $0, radix: 16))], value: bytes}" })}\n"
    }
    let set = try ProfileSet(
      builtin: false, texts: [(advertisements("one", 250), "one.yaml", .folder), (advertisements("two", 10), "two.yaml", .given)])
    #expect(set.summaries.count == 2)
  }

  /// Messages as devices send them bring more steps than they take, however many they are.
  @Test func whatDevicesSendIsRead() throws {
    let own = Self.profile(
      ", {check: {algorithm: sum-8, at: 19}}",
      "types: {m: {seq: [{id: kind, type: u1}, {id: list, type: u2, repeat: expr, repeat-expr: 9}, {id: sum, type: u1}]}}"
    ).replacing("length: \"1\"", with: "length: \"20\"")
    #expect(try read(own, packets: 40_000, 20).errors.isEmpty)
    #expect(try read(own, packets: 4000, 240).errors.isEmpty)
  }

  /// The steps of writing messages again are those of their own bytes, and not of the value that they lie in: many in one leave no profile out.
  @Test func writingTakesStepsOfMessages() throws {
    let own = Self.profile("", "types: {m: {seq: [{id: x, type: u1, repeat: eos}]}}")
      .replacing("{stream: {length: \"1\"}}", with: "{stream: {end: \"\\n\"}}, {slice: [0, -1]}, {unescape: hex}")
    let set = try ProfileSet(builtin: false, texts: [(own, "x.yaml", .given)])
    let engine = ProfileEngine(set)
    engine.keepsSteps = true
    let link = engine.connect(PeerFacts())
    let slot = engine.slot(link, profile: try set.profile(0), source: "a")
    let value = [UInt8](Array(repeating: Array("01020304050607080955\n".utf8), count: 100).joined())
    value.withBorrowedBytes { _ = engine.feed(link, slot, .notify, $0, frame: 1, time: 1) }
    let budget = try #require(engine.messages.first).runtime.with { $0.budget }
    let before = budget.left
    #expect(engine.messages.count == 100 && engine.messages.allSatisfy { $0.steps.all.count == 1 })
    for message in engine.messages { message.spendStepsOfWriting(value.count, packets: 1) }
    budget.grant(value.count)
    #expect(budget.left >= before, "\(before - budget.left)")
  }
}
