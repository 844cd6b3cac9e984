import Memory
import PacketCodecs
import Testing

@_spi(Pipeline) @testable import Profiles

/// Profiles that need much work for each byte: each part of a profile is within its bound, all parts together are not.
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

  /// Feeds packets until the profile is left out, or to the end. Returns the number of packets that were read, and the errors.
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
      // The profile remains left out.
      packet.withBorrowedBytes { _ = engine.feed(link, slot, .notify, $0, frame: number, time: Int64(number)) }
      #expect(!engine.hasMessages && errors.count == 1)
      return (number, errors)
    }
    return (packets, errors)
  }

  /// The steps that a capture provides are linear in its bytes, and so is the time of any profile.
  @Test(arguments: hostile.keys.sorted())
  func isLeftOut(_ name: String) throws {
    let (read, errors) = try read(try #require(Self.hostile[name]), packets: 2000, 240)
    #expect(read < 2000, "\(name)")
    #expect(errors.map(\.message) == ["reading by this profile takes too long; from packet \(read) on it is left out"])
  }

  /// Nested types without bytes: 10^9 objects in one message.
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

  /// All messages of one value are kept until the next value: without a bound, an ELM327's prompts, of one byte each, take half a gigabyte.
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

  /// An open request keeps its bytes; its fields are kept only while it is in use.
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
    // The condition of the response read the request: its tree is freed after that.
    let held = engine.link(link)?.slots.object(slots[0])?.requests.first?.with { $0.heldBytes } ?? .max
    #expect(held < 1 << 16, "\(held)")
    [7].withBorrowedBytes { _ = engine.feed(link, slots[1], .notify, $0, frame: 3, time: 3) }
    #expect(engine.messages.first?.replyTo == 1)
  }

  /// A message that began before the request was sent does not respond to it, even if it ends after it.
  @Test func responsesBeginAfterTheirRequests() throws {
    let own =
      "profile: x\nmatch: {services: [fff0]}\nmeta: {endian: le}\n"
      + "characteristics: {a: {uuid: fff1, write: m}, b: {uuid: fff2, framing: [{stream: {header: m, length: 4}}], notify: n, answers: {to: a}}}\n"
      + "types: {m: {seq: [{id: x, type: u1}]}, n: {seq: [{id: x, size-eos: true}]}}\n"
    let set = try ProfileSet(builtin: false, texts: [(own, "x.yaml", .given)])
    let engine = ProfileEngine(set)
    let link = engine.connect(PeerFacts())
    let slots = try ["a", "b"].map { engine.slot(link, profile: try set.profile(0), source: $0) }
    func feed(_ slot: Int, _ direction: ValueDirection, _ bytes: [UInt8], _ frame: Int) {
      bytes.withBorrowedBytes { _ = engine.feed(link, slots[slot], direction, $0, frame: frame, time: Int64(frame)) }
    }
    feed(1, .notify, [1, 2], 1)
    feed(0, .write, [7], 2)
    feed(1, .notify, [3, 4], 3)
    #expect(engine.messages.first?.frames == [1, 3] && engine.messages.first?.replyTo == nil)
    feed(1, .notify, [1, 2], 4)
    feed(1, .notify, [3, 4], 5)
    #expect(engine.messages.first?.frames == [4, 5] && engine.messages.first?.replyTo == 2)
  }

  /// Lists in conditions are freed: otherwise there is no room at some point, and from then on all conditions are false.
  @Test func listsInConditions() throws {
    let own =
      "profile: x\nmatch: {services: [fff0]}\nmeta: {endian: le}\n"
      + "characteristics: {a: {uuid: fff1, notify: [{message: m, when: \"[_payload[0], _payload[1]].max == 3 and 'ab' + 'c' == 'abc'\"}]}}\n"
      + "types: {m: {seq: [{id: x, type: u1}, {id: y, type: u1}]}}\n"
    let found = try decode(
      ProfileSet(builtin: false, texts: [(own, "x.yaml", .given)]), "x", "a", [String](repeating: "0301", count: 20_000))
    #expect(found.count == 20_000 && found.allSatisfy { $0.message == "m" })
  }

  /// A state variable that is a list, which each message copies.
  @Test func listsOfTheStateAreRead() throws {
    let own =
      "profile: x\nmeta: {endian: le}\nstate: {cells: []}\ncharacteristics: {a: {handle: 0x7000, notify: m}}\n"
      + "messages: {m: {type: m, set: {cells: _state.cells + v}}}\n"
      + "types: {m: {seq: [{id: x, type: u1}, {id: v, type: u2, repeat: expr, repeat-expr: 8}]}}\n"
    // Its last elements are complete, although more were appended than it keeps.
    #expect(try read(own, packets: 20_000, 17).errors.isEmpty)
    let found = try decode(
      ProfileSet(
        builtin: false,
        texts: [
          (
            own.replacing(
              "types: {m: {seq: [", with: "types: {m: {instances: {n: {value: _state.cells.size}, s: {value: _state.cells.last}}, seq: ["),
            "x.yaml", .given
          )
        ]), "x",
      "a", (10..<80).map { "\($0)" + String(repeating: "\($0)00", count: 8) })
    #expect(found.map { $0.fields["n"]?.number } == (0..<70).map { Double(min(8 * $0, 512)) })
    #expect(found.last?.fields["s"]?.number == 0x78)
  }

  /// Profiles of a folder do not use the budget of profiles that are given.
  @Test func foldersLeaveWhatIsGiven() throws {
    func advertisements(_ id: String, _ count: Int) -> String {
      "profile: \(id)\nadvertisements: {\(Self.list(count) { "a\($0): {services: [\(String(0x1000 + $0, radix: 16))], value: bytes}" })}\n"
    }
    let set = try ProfileSet(
      builtin: false, texts: [(advertisements("one", 250), "one.yaml", .folder), (advertisements("two", 10), "two.yaml", .given)])
    #expect(set.summaries.count == 2)
  }

  /// Typical messages of devices provide more steps than they take, in any number.
  @Test func whatDevicesSendIsRead() throws {
    let own = Self.profile(
      ", {check: {algorithm: sum-8, at: 19}}",
      "types: {m: {seq: [{id: kind, type: u1}, {id: list, type: u2, repeat: expr, repeat-expr: 9}, {id: sum, type: u1}]}}"
    ).replacing("length: \"1\"", with: "length: \"20\"")
    #expect(try read(own, packets: 40_000, 20).errors.isEmpty)
    #expect(try read(own, packets: 4000, 240).errors.isEmpty)
  }

  /// Writing messages again takes steps for their own bytes, not for the complete value: many messages in one value do not exhaust the budget.
  @Test func writingTakesStepsOfMessages() throws {
    let own = Self.profile("", "types: {m: {seq: [{id: x, type: u1, repeat: eos}]}}")
      .replacing("{stream: {length: \"1\"}}", with: "{stream: {end: \"\\n\"}}, {slice: [0, -1]}, {unescape: hex}")
    let set = try ProfileSet(builtin: false, texts: [(own, "x.yaml", .given)])
    let engine = ProfileEngine(set)
    engine.keepsLayerTrace = true
    let link = engine.connect(PeerFacts())
    let slot = engine.slot(link, profile: try set.profile(0), source: "a")
    let value = [UInt8](Array(repeating: Array("01020304050607080955\n".utf8), count: 100).joined())
    value.withBorrowedBytes { _ = engine.feed(link, slot, .notify, $0, frame: 1, time: 1) }
    let budget = try #require(engine.messages.first).runtime.with { $0.budget }
    let before = budget.left
    #expect(engine.messages.count == 100 && engine.messages.allSatisfy { $0.layerTrace.all.count == 1 })
    for message in engine.messages { message.spendStepsOfWriting(value.count, packets: 1) }
    value.withBorrowedBytes { budget.grant($0, frame: 2) }
    #expect(budget.left >= before, "\(before - budget.left)")
  }

  /// An engine that reads one profile, and the slots of some of its sources on one link.
  private func engine(_ text: String, _ sources: [String]) throws -> (engine: ProfileEngine, link: Int, slots: [Int]) {
    let set = try ProfileSet(builtin: false, texts: [(text, "x.yaml", .given)])
    let engine = ProfileEngine(set)
    let link = engine.connect(PeerFacts())
    let profile = try set.profile(0)
    return (engine, link, sources.map { engine.slot(link, profile: profile, source: $0) })
  }

  private static let objects = "{id: x, type: u1}, {id: z, type: e, repeat: expr, repeat-expr: 4000}]}, e: {seq: []"

  /// The open messages of all sources of a link are completed at once when it ends, and counted together.
  @Test func whatIsOpenWhenALinkEnds() throws {
    let sources = (0..<200).map { "s\($0)" }
    let own =
      "profile: x\nmeta: {endian: le}\nframings: {f: [{merge: {header: h, key: k, first: s == 1, last: s == 2}}]}\ncharacteristics:\n"
      + sources.enumerated().map { "  \($1): {handle: \(256 + $0), notify: m, framing: f}\n" }.joined()
      + "types: {h: {seq: [{id: s, type: u1}, {id: k, type: u1}]}, m: {seq: [\(Self.objects)}}\n"
    let (engine, link, slots) = try engine(own, sources)
    for slot in slots {
      for key in 0..<4 { [1, UInt8(key), 7].withBorrowedBytes { _ = engine.feed(link, slot, .notify, $0, frame: key + 1, time: 1) } }
    }
    engine.disconnect(link)
    let held = engine.messages.reduce(0) { $0 + $1.heldBytes }
    #expect(engine.messages.count > 20 && held < ProfileBounds.maxMessageBytes + (1 << 20), "\(held)")
    let last = try #require(engine.messages.last)
    #expect(last.kind == .unjoined && last.hasProblem)
  }

  /// Links end one by one at the end of a capture: their open messages are neither counted together nor left out.
  @Test func linksEndOneByOne() throws {
    let own =
      "profile: x\nmeta: {endian: le}\ncharacteristics: {a: {handle: 7, notify: m, framing: [{stream: {length: 9}}]}}\n"
      + "types: {m: {seq: [{id: x, type: u1}]}}\n"
    let set = try ProfileSet(builtin: false, texts: [(own, "x.yaml", .given)])
    let engine = ProfileEngine(set)
    for number in 0..<700 {
      let link = engine.connect(PeerFacts())
      let slot = engine.slot(link, profile: try set.profile(0), source: "a")
      [1, 2].withBorrowedBytes { _ = engine.feed(link, slot, .notify, $0, frame: number, time: 1) }
    }
    var counts: [Int] = []
    while engine.finishNext() { counts.append(engine.messages.count) }
    #expect(counts == [Int](repeating: 1, count: 700))
  }

  private struct Nothing: MessageFieldVisitor {
    static var wantsProblems: Bool { false }
    mutating func leaf(_ field: FieldContext, _ value: MessageFieldValue) {}
    mutating func open(_ field: FieldContext, isArray: Bool, count: Int) -> Bool { true }
    mutating func close(isArray: Bool) {}
    mutating func problem(_ text: String) {}
  }

  /// Memory for printing a message is freed after printing.
  @Test func computedTextsAreGivenBack() throws {
    let texts = (1..<12).map { "a\($0): {value: a\($0 - 1) + a\($0 - 1)}" }.joined(separator: ", ")
    let a = String(repeating: "a", count: 64)
    let (engine, link, slots) = try engine(
      Self.profile("", "types: {m: {seq: [{id: x, type: u1}], instances: {a0: {value: \"'\(a)'\"}, \(texts)}}}"), ["a"])
    [UInt8](repeating: 1, count: 100).withBorrowedBytes { _ = engine.feed(link, slots[0], .notify, $0, frame: 1, time: 1) }
    var largest = 0
    for message in engine.messages {
      var nothing = Nothing()
      message.visitFields(&nothing)
      largest = max(largest, message.heldBytes)
      engine.wasPrinted(message)
    }
    let held = engine.messages.reduce(0) { $0 + $1.heldBytes }
    #expect(engine.messages.count == 100 && largest > 200_000 && held < 100 * 24_000, "\(held) \(largest)")
    // The fields can be read again.
    let message = try #require(engine.messages.last)
    message.readAfterAll()
    #expect(message.root != nil && !message.hasProblem)
  }

  /// Fields without bytes take memory of the record.
  @Test func recordsThatAreReadFlat() throws {
    let fields = Self.list(4000) { "{id: z\($0), size: 0}" }
    let (engine, link, slots) = try engine(Self.profile("", "types: {m: {seq: [{id: x, type: u1}, \(fields)]}}"), ["a"])
    [UInt8](repeating: 1, count: 600).withBorrowedBytes { _ = engine.feed(link, slots[0], .notify, $0, frame: 1, time: 1) }
    let held = engine.messages.reduce(0) { $0 + $1.heldBytes }
    #expect(engine.messages.first?.isFlat == true && engine.messages.count > 20 && held < ProfileBounds.maxMessageBytes + (1 << 20))
    #expect(engine.messages.last?.hasProblem == true)
    engine.recycle()
    #expect(engine.pool.bytes <= ProfileBounds.maxPooledBytes + (1 << 20))
  }

  /// Messages of many profiles that are not in use have a common bound, and few of each profile are kept.
  @Test func messagesThatAreKept() throws {
    let set = try ProfileSet(
      builtin: false,
      texts: (0..<20).map {
        (Self.profile("", "types: {m: {seq: [\(Self.objects)}}").replacing("profile: x", with: "profile: x\($0)"), "x\($0).yaml", .given)
      })
    let engine = ProfileEngine(set)
    let link = engine.connect(PeerFacts())
    for number in 0..<20 {
      let slot = engine.slot(link, profile: try set.profile(number), source: "a")
      for _ in 0..<2 {
        [UInt8](repeating: 1, count: 40).withBorrowedBytes { _ = engine.feed(link, slot, .notify, $0, frame: 1, time: 1) }
        #expect(engine.messages.count == 40)
      }
    }
    engine.recycle()
    #expect(engine.pool.count <= ProfileBounds.maxPooled + 80 && engine.pool.bytes <= ProfileBounds.maxPooledBytes + (1 << 20))
  }

  /// Messages of one unit from many packets share one list of frames.
  @Test func framesAreShared() throws {
    let own =
      "profile: x\nmeta: {endian: le}\n"
      + "characteristics: {a: {handle: 7, notify: m, framing: [{fragments: {header: h, first: s == 1, last: s == 2}}, {stream: {length: 1}}]}}\n"
      + "types: {h: {seq: [{id: s, type: u1}]}, m: {seq: [{id: x, type: u1}]}}\n"
    let (engine, link, slots) = try engine(own, ["a"])
    for number in 1...2000 {
      let packet: [UInt8] = [number == 1 ? 1 : number == 2000 ? 2 : 0, 5, 6]
      packet.withBorrowedBytes { _ = engine.feed(link, slots[0], .notify, $0, frame: number, time: 1) }
    }
    let lists = Set(
      engine.messages.map { message in unsafe message.frames.withUnsafeBufferPointer { UInt(bitPattern: $0.baseAddress) } })
    #expect(engine.messages.count == 513 && lists.count == 1 && engine.messages.allSatisfy { $0.frames == Array(1...2000) })
    let tape = MessageTape()
    for message in engine.messages { #expect(tape.append(message)) }
    #expect(tape.frames.count == 2000 && MessageTapeReader(.all).message(300, of: tape).frames == Array(1...2000))
    // Messages of the last packets alone do not have the frames of all.
    [1, 5].withBorrowedBytes { _ = engine.feed(link, slots[0], .notify, $0, frame: 2001, time: 2) }
    [2, 5].withBorrowedBytes { _ = engine.feed(link, slots[0], .notify, $0, frame: 2002, time: 2) }
    #expect(engine.messages.map(\.frames) == [[2001, 2002], [2001, 2002]])
  }

  /// Each piece of a unit from many packets is compared with all of them where the next layer keeps it, which takes steps.
  @Test func listsOfFramesTakeSteps() throws {
    let own =
      "profile: x\nmeta: {endian: le}\n"
      + "characteristics: {a: {handle: 7, notify: m, framing: [{fragments: {header: h, first: s == 1, last: s == 2, max: 16777216}}, "
      + "{stream: {length: 1}}, {stream: {length: 2}}]}}\n"
      + "types: {h: {seq: [{id: s, type: u1}]}, m: {seq: [{id: x, type: u1}]}}\n"
    let (engine, link, slots) = try engine(own, ["a"])
    let budget = try #require(engine.runtime(of: slots[0], link)).budget
    let (count, size) = (1000, 60)
    var packet = [UInt8](repeating: 5, count: size + 1)
    var before = 0
    for number in 1...count {
      packet[0] = number == 1 ? 1 : number == count ? 2 : 0
      if number == count { before = budget.left }
      packet.withBorrowedBytes { _ = engine.feed(link, slots[0], .notify, $0, frame: number, time: 1) }
    }
    let spent = before - budget.left
    #expect(engine.messages.count == 513 && spent > count * size * (count / 8), "\(spent)")
  }

  /// Layers that keep nothing do not work for messages that are left out.
  @Test func layersEndWithTheMessages() throws {
    let own = Self.profile(
      ", " + Self.list(60) { _ in "{unescape: {xor: \"1\"}}" }, "types: {m: {seq: [{id: x, type: u1}]}}")
    let (engine, link, slots) = try engine(own, ["a"])
    let budget = try #require(engine.runtime(of: slots[0], link)).budget
    let size = 60_000
    let before = budget.left
    [UInt8](repeating: 1, count: size).withBorrowedBytes { _ = engine.feed(link, slots[0], .notify, $0, frame: 1, time: 1) }
    let spent = before + ProfileBounds.stepsOfValue + size * ProfileBounds.stepsOfByte - budget.left
    #expect(engine.messages.count == 513 && spent < 20 * size, "\(spent)")
  }

  /// Steps of printing count for messages that are not kept to be used again, too.
  @Test func printingTakesSteps() throws {
    let sum = Self.list(200) { _ in "x" }.replacing(", ", with: " + ")
    let own =
      "profile: x\nmeta: {endian: le}\ncharacteristics: {a: {handle: 7, framing: [{stream: {length: 1}}], "
      + "notify: [{when: '_payload[0] == 1', message: light}, heavy]}}\n"
      + "types: {light: {seq: [{id: x, type: u1}]}, "
      + "heavy: {seq: [{id: x, type: u1}], instances: {\(Self.list(12) { "a\($0): {value: \(sum)}" })}}}\n"
    let (engine, link, slots) = try engine(own, ["a"])
    let budget = try #require(engine.runtime(of: slots[0], link)).budget
    let value = [UInt8](repeating: 1, count: 260) + [UInt8](repeating: 2, count: 250)
    var before = 0
    let count = 10
    for number in 0...count {
      value.withBorrowedBytes { _ = engine.feed(link, slots[0], .notify, $0, frame: number, time: 1) }
      if number == 0 { before = budget.left }
      for message in engine.messages {
        var nothing = Nothing()
        message.visitFields(&nothing)
        engine.wasPrinted(message)
      }
    }
    let granted = count * (ProfileBounds.stepsOfValue + value.count * ProfileBounds.stepsOfByte)
    let spent = before + granted - budget.left
    #expect(engine.messages.count == 510 && spent > count * 250 * 12 * 200, "\(spent)")
  }

  /// All messages of an engine write to one buffer, which is freed where it is large.
  @Test func messagesShareTheirOutput() throws {
    let name = String(repeating: "a", count: ProfileBounds.maxName)
    func own(_ name: String) -> String {
      Self.profile(
        "",
        "types: {m: {seq: [{id: x, type: u1}, {id: z, type: e, repeat: expr, repeat-expr: x}]}, e: {seq: [{id: \(name), size: 0}]}}")
    }
    let (engine, link, slots) = try engine(own(name), ["a"])
    [100, 255, 100].withBorrowedBytes { _ = engine.feed(link, slots[0], .notify, $0, frame: 1, time: 1) }
    var kept: [Int] = []
    for message in engine.messages {
      var json: [UInt8] = []
      for _ in 0..<12 { message.appendFieldsJSON(to: &json) }
      #expect(json.count > 12 * Int(message.payload[0]) * name.utf8.count)
      kept.append(engine.pool.output.keptBytes)
    }
    #expect(kept.count == 3 && kept.allSatisfy { (1...MessageOutput.maxKept).contains($0) }, "\(kept)")
    let (large, other, more) = try self.engine(own(name).replacing("repeat-expr: x", with: "repeat-expr: 4000"), ["a"])
    [1].withBorrowedBytes { _ = large.feed(other, more[0], .notify, $0, frame: 1, time: 1) }
    for message in large.messages {
      var json: [UInt8] = []
      message.appendFieldsJSON(to: &json)
      #expect(json.count > MessageOutput.maxKept && large.pool.output.keptBytes == 0)
    }
    #expect(large.messages.count == 1)
  }

  /// Names that output repeats with each field have a bound.
  @Test func longNamesAreRefused() throws {
    let long = String(repeating: "a", count: ProfileBounds.maxName + 1)
    for types in [
      "types: {m: {seq: [{id: \(long), type: u1}]}}",
      "types: {m: {seq: [{id: x, type: u1}], instances: {\(long): {value: 1}}}}",
      "types: {m: {seq: [{id: x, type: u1, enum: e}]}}\nenums: {e: {1: \(long)}}",
      "types: {m: {seq: [{id: x, type: u1, enum: e}]}}\nenums: {e: {1: {id: \(long)}}}",
      "types: {m: {seq: [{id: x, size-eos: true, -body: protobuf n}]}}\nprotobufs: {n: {1: int32 \(long)}}",
    ] {
      let short = Self.profile("", types.replacing(long, with: "b"))
      #expect(try ProfileSet(builtin: false, texts: [(short, "x.yaml", .given)]).profile(0).id == "x")
      let error = #expect(throws: ProfileError.self) {
        try ProfileSet(builtin: false, texts: [(Self.profile("", types), "x.yaml", .given)]).profile(0)
      }
      #expect(error?.message.contains("has at most \(ProfileBounds.maxName) bytes") == true, "\(error?.message ?? "")")
    }
  }

  /// Each layer of a unit checks whether steps are left, also for messages that the end of a link completes.
  @Test(arguments: [true, false])
  func layersOfOneUnit(_ isComplete: Bool) throws {
    let checks = Self.list(60) { _ in "{check: {algorithm: adler32, over: [\(Self.list(16) { _ in "[0, -4]" })]}}" }
    let own =
      "profile: x\nmeta: {endian: le}\n"
      + "characteristics: {a: {handle: 7, notify: m, framing: [{fragments: {header: h, offset: o, last: s == 2, max: 16777216}}, \(checks)]}}\n"
      + "types: {h: {seq: [{id: s, type: u1}, {id: o, type: u4}]}, m: {seq: [{id: x, type: u1}]}}\n"
    let (engine, link, slots) = try engine(own, ["a"])
    var errors: [ProfileError] = []
    engine.onError = { errors.append($0) }
    var packet = [UInt8](repeating: 0, count: 50_005)
    let count = 60
    for number in 0..<count {
      if isComplete, number == count - 1 { packet[0] = 2 }
      for index in 0..<4 { packet[1 + index] = UInt8(truncatingIfNeeded: (number * 50_000) >> (8 * index)) }
      packet.withBorrowedBytes { _ = engine.feed(link, slots[0], .notify, $0, frame: number, time: 1) }
    }
    let budget = try #require(engine.runtime(of: slots[0], link)).budget
    engine.disconnect(link)
    #expect(errors.count == 1 && !engine.hasMessages)
    // The overdraft is at most the steps of one layer.
    #expect(budget.overdraft < 17 * count * 50_000, "\(budget.overdraft)")
  }

  /// Gaps between received bytes are at most as large as these, apart from a constant.
  @Test func holesOfAMessage() throws {
    var reassembler = OverlayReassembler(maximumBytes: 16 << 20)
    let packet = [UInt8](repeating: 7, count: 100)
    var (count, largest) = (0, 0)
    for number in 0..<1000 {
      let offset = reassembler.pendingBytes + 16_384 + 16 * count
      unsafe packet.withUnsafeBytes {
        unsafe reassembler.push($0.bytes, at: 0, role: .init(offset: offset), tag: UInt64(number), time: 0) { _ in }
      }
      if reassembler.pendingBytes > largest { (count, largest) = (count + 100, reassembler.pendingBytes) }
    }
    #expect(count >= 100 && largest <= 16_384 + 2 * count, "\(largest) \(count)")
  }

  /// Requests without a response keep their bytes, within a common bound.
  @Test func openRequestsTakeBytes() throws {
    let sources = (0..<20).map { "s\($0)" }
    let own =
      "profile: x\nmeta: {endian: le}\ncharacteristics:\n"
      + sources.enumerated().map {
        "  \($1): {handle: \(256 + $0), write: m}\n  a\($0): {handle: \(512 + $0), notify: m, answers: {to: \($1)}}\n"
      }.joined()
      + "types: {m: {seq: [{id: x, size-eos: true}]}}\n"
    let (engine, link, slots) = try engine(own, sources)
    for slot in slots {
      for number in 0..<32 {
        [UInt8](repeating: UInt8(number), count: 60_000).withBorrowedBytes {
          _ = engine.feed(link, slot, .write, $0, frame: number, time: 1)
        }
      }
    }
    let budget = try #require(engine.runtime(of: slots[0], link)).budget
    #expect(budget.requestBytes > 1 << 20 && budget.requestBytes <= ProfileBounds.maxRequestBytes)
    engine.disconnect(link)
    engine.recycle()
    #expect(budget.requestBytes == 0 && engine.pool.bytes <= ProfileBounds.maxPooledBytes + (1 << 20))
  }

  /// Memory for printing the messages of one value has a bound, too: one message has the notice that the others are left out.
  @Test func computedTextsHaveABound() throws {
    let texts = (1..<15).map { "a\($0): {value: a\($0 - 1) + a\($0 - 1)}" }.joined(separator: ", ")
    let a = String(repeating: "a", count: 64)
    let (engine, link, slots) = try engine(
      Self.profile("", "types: {m: {seq: [{id: x, type: u1}], instances: {a0: {value: \"'\(a)'\"}, \(texts)}}}"), ["a"])
    [UInt8](repeating: 1, count: 500).withBorrowedBytes { _ = engine.feed(link, slots[0], .notify, $0, frame: 1, time: 1) }
    var kinds: [ProfileMessage.Kind] = []
    for message in engine.messages where engine.mayPrint(message) {
      var nothing = Nothing()
      message.visitFields(&nothing)
      engine.wasPrinted(message)
      kinds.append(message.kind)
    }
    #expect(
      engine.messages.count == 500 && (4..<40).contains(kinds.count) && kinds.last == .unjoined
        && kinds.dropLast().allSatisfy { $0 == .message })
  }

  /// A response without a request is read with each open request, by a built-in profile: there are enough steps for any number of them.
  @Test func builtinProfilesAreRead() throws {
    let set = try ProfileSet()
    let engine = ProfileEngine(set)
    var errors: [ProfileError] = []
    engine.onError = { errors.append($0) }
    let number = try #require(set.number("bluetti"))
    let budget = try #require(engine.runtime(number)).budget
    let link = engine.connect(PeerFacts())
    let slots = try ["request", "answer"].map { engine.slot(link, profile: try set.profile(number), source: $0) }
    for index in 0..<32 {
      let request: [UInt8] = [1, 3, 0, UInt8(index), 0, 40]
      let crc = request.reduce(UInt16.max) { crc, byte in
        (0..<8).reduce(crc ^ UInt16(byte)) { crc, _ in crc & 1 == 1 ? crc >> 1 ^ 0xA001 : crc >> 1 }
      }
      (request + [UInt8(crc & 0xFF), UInt8(crc >> 8)]).withBorrowedBytes {
        _ = engine.feed(link, slots[0], .write, $0, frame: index, time: 1)
      }
    }
    let value: [UInt8] = [1, 3, 2, 1, 0, 0, 0]
    let before = budget.left
    for index in 0..<100 { value.withBorrowedBytes { _ = engine.feed(link, slots[1], .notify, $0, frame: 32 + index, time: 2) } }
    #expect(budget.left >= before, "\(before - budget.left)")
    #expect(errors.isEmpty && engine.messages.count == 1)
    // A longer response, to none of these requests, is not read anew with each of them.
    func steps(_ count: Int) -> Int {
      let value: [UInt8] = [1, 3, UInt8(count)] + [UInt8](repeating: 1, count: count + 2)
      let granted = ProfileBounds.timesBuiltin * (ProfileBounds.stepsOfValue + value.count * ProfileBounds.stepsOfByte)
      let before = budget.left
      value.withBorrowedBytes { _ = engine.feed(link, slots[1], .notify, $0, frame: 200 + count, time: 3) }
      #expect(engine.messages.count == 1 && engine.messages.first?.replyTo == nil)
      return before + granted - budget.left
    }
    let (short, long) = (steps(2), steps(240))
    #expect(long - short < 500 && short < 3000, "\(short) \(long)")
  }
}

extension ProfileEngine {
  fileprivate func runtime(of slot: Int, _ link: Int) -> ProfileRuntime? { self.link(link)?.slots.object(slot)?.runtime }
}
