import Memory
import Testing
import TestSupport
import Text

@testable import KaitaiStruct
@_spi(Pipeline) @testable import Profiles

/// The flat reader gives the same output as the tree.
@Suite struct FlatReadingTests {
  /// Decodes `bytes` both ways. Returns whether the flat reader could read them.
  private func compare(_ profile: CompiledProfile, _ number: Int, _ runtime: ProfileRuntime, _ bytes: [UInt8]) throws -> Bool {
    let reader = try #require(profile.flatReaders[number])
    guard case .type(let type) = profile.messages[number].body else { return false }
    let message = runtime.take()
    defer { runtime.give(Unretained(message)) }
    message.messageNumber = number
    bytes.withBorrowedBytes { message.take($0) }
    let reading = reader.read(message.payload, into: &message.record)
    message.isFlat = true
    var short: Failure?
    switch reading {
    case .whole: break
    case .short(let failure): short = failure
    case .unfit: return false
    }
    let straight = message.outputs()
    if case .type(let type) = profile.messages[number].body {
      for field in profile.program.fields(of: type) {
        guard let value = profile.program.fixedNumber(field)?.value(in: message.payload) else { continue }
        #expect(message.record.first(field)?.value.asInt == value, "\(profile.id) \(profile.messages[number].id) \(bytes.hex)")
      }
    }
    let shortage = short.map { message.describe(.body($0)) }
    message.isFlat = false
    let failure = runtime.parse(type, message)
    #expect(failure.map { message.describe(.body($0)) } == shortage, "\(profile.id) \(profile.messages[number].id) \(bytes.hex)")
    #expect(straight == message.outputs(), "\(profile.id) \(profile.messages[number].id) \(bytes.hex)")
    return true
  }

  /// A profile of one message, whose type is `body`.
  private func profile(_ body: String) throws -> CompiledProfile {
    let text = """
      profile: test
      title: Test
      match: [{services: [1234]}]
      meta: {endian: be, bit-endian: be}
      characteristics:
        a: {uuid: "1234", value: body}
      types:
        body: \(body)
        one: {seq: [{id: value, type: u1, if: _io.size > 0}], -inline: true}
        three: {seq: [{id: value, type: b24}], -inline: true}
        number: {seq: [{id: value, type: {switch-on: _io.size, cases: {1: u1, 2: s2, 4: u4, 8: u8}}}], -inline: true}
        tagged: {seq: [{id: tag, type: u1}, {id: size, type: u1}, {id: value, size: size, type: {switch-on: tag, cases: {1: one, 2: number, 3: three}}}]}
      """
    return try ProfileSet(builtin: false).compile(text: text, file: "test.yaml")
  }

  @Test func comparisonsOfBytesHoldAsTheyAreEvaluated() throws {
    let set = try ProfileSet()
    let payloads: [[UInt8]] =
      [[]] + (0...255).flatMap { first in (0...4).map { [UInt8(first)] + [UInt8](repeating: UInt8(first ^ $0 * 25), count: $0) } }
    var requests = 0
    for summary in set.summaries {
      let profile = try set.profile(summary.number)
      let runtime = ProfileRuntime(profile)
      let tree = KaitaiTree(profile.program)
      for (source, valueDirection) in profile.sources.indices.flatMap({ source in ValueDirection.allCases.map { (source, $0) } }) {
        let direction = runtime.direction(source, valueDirection)
        for index in direction.choices.indices {
          guard let when = direction.choices[index].when else { continue }
          for payload in payloads {
            payload.withBorrowedBytes { bytes in
              guard let holds = direction.holds(index, bytes) else { return }
              requests += 1
              runtime.environment.set(profile.externals.payload, bytes: bytes)
              let value = try? tree.evaluate(when, environment: runtime.environment)
              #expect(holds == (value?.asBool == true), "\(profile.id) \(profile.sources[source].id) \(payload.hex)")
            }
          }
        }
      }
    }
    #expect(requests > 10 * payloads.count)
  }

  @Test func builtInProfilesTellTheSameBothWays() throws {
    let set = try ProfileSet()
    let seed: UInt64 = 0x51A1
    print("seed \(seed)")
    var generator = SplitMix(state: seed)
    var taken = 0
    var readers = 0
    for summary in set.summaries {
      let profile = try set.profile(summary.number)
      let runtime = ProfileRuntime(profile)
      for number in profile.messages.indices where profile.flatReaders[number] != nil {
        readers += 1
        for _ in 0..<300 {
          let length = Int.random(in: 1...(Bool.random(using: &generator) ? 12 : 60), using: &generator)
          // Small numbers are more likely to be lengths and enum values.
          let bytes = (0..<length).map { _ in
            UInt8.random(in: 0...(Int.random(in: 0..<3, using: &generator) > 0 ? 7 : 255), using: &generator)
          }
          if try compare(profile, number, runtime, bytes) { taken += 1 }
        }
      }
    }
    // Most messages of most profiles need no tree.
    #expect(readers > 200)
    #expect(taken > 40_000)
    print("\(readers) readers, \(taken) payloads told both ways")
  }

  /// The parts of messages that do not depend on which fields are read, and their sentences if any are.
  private func described(_ profile: CompiledProfile, _ set: ProfileSet, _ fields: ProfileEngine.Fields, seed: UInt64) throws -> [[String]] {
    let engine = ProfileEngine(set)
    engine.fields = fields
    let link = engine.connect(PeerFacts())
    var generator = SplitMix(state: seed)
    var described: [[String]] = []
    for frame in 1...400 {
      let source = try #require(profile.sourceNames.randomElement(using: &generator))
      let direction = try #require(ValueDirection.allCases.randomElement(using: &generator))
      let slot = engine.slot(link, profile: profile, source: source)
      // Few values, so that many messages are responses to written ones.
      let packet = (0..<Int.random(in: 0..<12, using: &generator)).map { _ in UInt8.random(in: 0..<4, using: &generator) }
      packet.withBorrowedBytes { _ = engine.feed(payload: $0, link, slot, direction, frame: frame, time: Int64(frame)) }
      for message in engine.messages {
        var words: [UInt8] = []
        if fields != .none { message.appendSentence(to: &words) }
        described.append([
          "\(message.name ?? "none") \(message.frames) \(message.replyTo ?? 0) \(message.latency) \(message.isRequest) \(packet.hex)",
          String(decoding: words, as: UTF8.self), fields == .none ? "" : message.problem.map { message.describe($0) } ?? "",
        ])
      }
    }
    return described
  }

  @Test func whatIsWantedOfMessagesDoesNotChangeThem() throws {
    let set = try ProfileSet()
    let seed: UInt64 = 0x51A2
    print("seed \(seed)")
    var answers = 0
    var less = 0
    for summary in set.summaries {
      let profile = try set.profile(summary.number)
      less += profile.templateReaders.count { $0 != nil }
      if profile.sourceNames.isEmpty { continue }
      let all = try described(profile, set, .all, seed: seed)
      #expect(try described(profile, set, .template, seed: seed) == all, "\(profile.id)")
      #expect(try described(profile, set, .none, seed: seed).map { $0[0] } == all.map { $0[0] }, "\(profile.id)")
      answers += all.count { !$0[0].contains("] 0 ") }
    }
    // The test needs responses to compare, and readers that leave fields out.
    #expect(answers > 100)
    #expect(less > 5)
    print("\(answers) answers, \(less) readers that read less")
  }

  /// Objects that a sentence does not use are skipped only if their size is known, and a body that ends with one is read completely.
  @Test(arguments: [
    ("seq: [{id: a, type: pair}, {id: b, type: u1}]", "010203"),
    ("seq: [{id: a, type: bits}, {id: b, type: u1}]", "010203"),
    ("seq: [{id: n, type: u1}, {id: a, type: pair, size: 4}, {id: b, type: u1}]", "010203040506"),
    ("seq: [{id: a, type: pair, if: _io.size > 2}, {id: c, type: bits}, {id: b, type: u1}]", "0102030405"),
  ])
  func whatIsNotSaid(_ layout: String, _ payload: String) throws {
    let text = """
      profile: test
      characteristics: {a: {uuid: "1234", notify: body}}
      messages: {body: {say: "b is {b}"}}
      types:
        body: {\(layout)}
        pair: {seq: [{id: x, type: u1}, {id: y, type: u1}]}
        bits: {seq: [{id: x, type: b3}, {id: y, type: b5}, {id: z, type: s1}]}
      """
    let profile = try ProfileSet(builtin: false).compile(text: text, file: "test.yaml")
    let number = try #require(profile.message("body"))
    let full = try #require(profile.flatReaders[number])
    let less = try #require(profile.templateReaders[number])
    let runtime = ProfileRuntime(profile)
    let bytes = try #require([UInt8](hex: payload))
    for count in 1...bytes.count {
      let message = runtime.take()
      defer { runtime.give(Unretained(message)) }
      message.messageNumber = number
      Array(bytes[..<count]).withBorrowedBytes { message.take($0) }
      func readResult(_ reader: FlatReader) -> (String, String, Int)? {
        let reading = reader.read(message.payload, into: &message.record)
        message.isFlat = true
        var words: [UInt8] = []
        message.appendSentence(to: &words)
        switch reading {
        case .whole: return (String(decoding: words, as: UTF8.self), "", message.record.count)
        case .short(let failure): return (String(decoding: words, as: UTF8.self), message.describe(.body(failure)), message.record.count)
        case .unfit: return nil
        }
      }
      let whole = readResult(full)
      guard let short = readResult(less) else {
        #expect(count < bytes.count)
        continue
      }
      #expect(short.0 == whole?.0 && short.1 == whole?.1, "\(count) bytes")
      if count == bytes.count { #expect(try short.2 < #require(whole).2) }
    }
  }

  @Test(arguments: [
    ("seq: [{id: a, type: b3}, {id: b, type: b5}, {id: c, type: b12}, {id: d, type: u1}]", "a53c7f9911"),
    ("{meta: {bit-endian: le}, seq: [{id: a, type: b3}, {id: b, type: b13}, {id: c, type: b1}]}", "a53c7f"),
    ("seq: [{id: n, type: u1}, {id: list, type: u2, repeat: expr, repeat-expr: n * 2}, {id: rest, size-eos: true}]", "010001000233"),
    (
      "seq: [{id: n, type: u1}, {id: t, type: str, encoding: ASCII, size: n + 1}, {id: f, type: f4}, {id: s, type: s2}]",
      "0241424340490fdbffff"
    ),
    ("seq: [{id: k, type: u1}, {id: v, type: {switch-on: k, cases: {1: u1, 2: u2, 7: s4}}}]", "07fffffffe"),
    ("seq: [{id: k, type: u1}, {id: v, type: {switch-on: k, cases: {1: u1, 2: u2}}}]", "05"),
    ("seq: [{id: k, type: u1}, {id: v, type: u2, if: k > 3 and not (k == 9)}, {id: e, type: u1, if: not _io.eof}]", "0405"),
    ("seq: [{id: k, type: u8}, {id: v, type: u1}]", "ffffffffffffffff01"),
    ("seq: [{id: k, type: {switch-on: _io.size, cases: {2: one, 3: three}}}, {id: v, type: one, size: 1, if: not _io.eof}]", "0102"),
    (
      "seq: [{id: list, type: tagged, repeat: eos}]",
      "0101050202fffe02040000000103030102030201000105070605040302080fffffffffffffff0208ffffffffffffffff010109"
    ),
    ("seq: [{id: n, type: u1}, {id: list, type: tagged, repeat: expr, repeat-expr: n}, {id: rest, type: u1}]", "0301010502028001020112ff"),
    ("seq: [{id: list, type: tagged, repeat: eos}]", "020280010201050100020101020404030201"),
  ])
  func eachKindOfField(_ layout: String, _ payload: String) throws {
    let body = layout.hasPrefix("{") ? layout : "{\(layout)}"
    let profile = try profile(body)
    let bytes = try #require([UInt8](hex: payload))
    let number = try #require(profile.messages.indices.first { profile.flatReaders[$0] != nil })
    let runtime = ProfileRuntime(profile)
    let isWhole = try compare(profile, number, runtime, bytes)
    #expect(isWhole || payload.count == 4)
    // For truncated bytes the tree is used, which reports the offset.
    for count in 0..<bytes.count { _ = try compare(profile, number, runtime, Array(bytes[..<count])) }
  }

  @Test(arguments: [
    "seq: [{id: a, type: u1}], instances: {b: {value: a + 1}}",
    "seq: [{id: a, type: strz, encoding: UTF-8}]",
    "seq: [{id: a, type: u1, valid: 3}]",
    "seq: [{id: a, type: u1, repeat: until, repeat-until: _ == 0}]",
    "seq: [{id: a, type: u1, if: _payload.length > 2}]",
    "seq: [{id: a, type: u1, if: b > 2}, {id: b, type: u1}]",
  ])
  func whatIsNotPlainNeedsATree(_ layout: String) throws {
    let profile = try profile("{\(layout)}")
    #expect(profile.flatReaders.allSatisfy { $0 == nil })
  }
}
extension [UInt8] {
  fileprivate var hex: String {
    var text: [UInt8] = []
    withBorrowedBytes { text.append(hexOf: $0) }
    return String(decoding: text, as: UTF8.self)
  }
}
