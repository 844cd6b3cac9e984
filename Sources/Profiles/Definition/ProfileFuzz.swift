import Memory
import Text

/// The result of encoding and decoding random messages of a profile.
public struct ProfileFuzzResult: Sendable {
  /// Number of messages that were made, encoded and decoded again.
  public var tried = 0
  /// Messages without a test, from which random ones could be made, and messages that cannot be encoded alone: each with the reason.
  public var skipped: [(message: String, reason: String)] = []
  /// For each message the fields that cannot be chosen freely: markers, lengths, checksums, and fields that determine the message.
  public var fixed: [(message: String, fields: [String])] = []
  /// The first failure of each message.
  public var failures: [Failure] = []

  /// A message that does not decode to the same fields again.
  public struct Failure: Sendable {
    /// Its name in the profile.
    public var message: String
    /// The bytes of its body, which decode.
    public var payload: [UInt8]
    /// The packets that its fields encode to; empty where they do not.
    public var packets: [[UInt8]]
    /// The difference, or the reason why it cannot be encoded.
    public var difference: String
    /// The field that differs; nil where the message cannot be encoded, or is a different message.
    var path: [String]?
  }
}

extension ProfileSet {
  /// Makes random messages: takes those of the profile's tests, sets fields to random values, and checks that the decoded fields can be encoded and
  /// decode to the same fields. The same `seed` makes the same messages. Throws ``ProfileError`` where the profile has a mistake.
  public func fuzz(_ number: Int, seed: UInt64 = 1, count: Int = 100) throws -> ProfileFuzzResult {
    try fuzz(number, seed: seed, count: count, maxSeeds: 4)
  }

  /// The same with random messages made from at most `maxSeeds` test messages of each kind.
  func fuzz(_ number: Int, seed: UInt64, count: Int, maxSeeds: Int) throws -> ProfileFuzzResult {
    let profile = try profile(number)
    var fuzzer = ProfileFuzzer(profile, self, seed: seed, count: count, maxSeeds: maxSeeds)
    let definition = try definition(number)
    // An encrypted message can be encoded only with the keys of its test.
    _ = try test(number) { message, packets, test in fuzzer.take(message, packets, test) }
    fuzzer.run()
    for message in profile.messages where !fuzzer.hasSeed(message.id) {
      fuzzer.result.skipped.append(
        (message.id, definition.tests.isEmpty ? "the profile has no tests" : "no test has one that is whole and right"))
    }
    return fuzzer.result
  }
}

/// Makes random messages of a profile.
private struct ProfileFuzzer {
  /// A message of a test.
  private struct Seed {
    var message: String, source: String
    var direction: ValueDirection
    var payload: [UInt8]
    var state: [CompiledState.Value]
    /// The fields that can be changed.
    var valueRanges: [ValueRanges.ValueRange]
    /// The fields that cannot be chosen freely, and those that contain the checksum. They are not compared.
    var fixed: [[String]] = []
    var facts: PeerFacts
    var keys: ProfileKeys
  }

  private let profile: CompiledProfile
  private let set: ProfileSet
  private let seed: UInt64
  private let count: Int
  private var seeds: [String: [Seed]] = [:]
  private var order: [String] = []
  var result = ProfileFuzzResult()

  /// Most test messages of each kind from which random ones are made.
  private let maxSeeds: Int
  /// Most fields of such a message that are changed.
  private static let maximumRanges = 200

  init(_ profile: CompiledProfile, _ set: ProfileSet, seed: UInt64, count: Int, maxSeeds: Int) {
    self.maxSeeds = maxSeeds
    self.profile = profile
    self.set = set
    self.seed = seed
    self.count = count
  }

  func hasSeed(_ message: String) -> Bool { seeds[message] != nil }

  mutating func take(_ message: ProfileMessage, _ packets: [TestPacket], _ test: TestDefinition) {
    guard message.kind == .message, let name = message.name, message.isComplete, !message.hasProblem, message.checksum != .bad,
      !message.decryption.isClosed, seeds[name]?.count ?? 0 < maxSeeds
    else { return }
    var visitor = ValueRanges()
    message.visitFields(&visitor)
    var facts = PeerFacts()
    facts.name = test.device
    facts.address = test.address
    var keys = ProfileKeys()
    for (name, bytes, _) in test.keys { keys.add(bytes, of: profile.id, name) }
    if seeds[name] == nil { order.append(name) }
    seeds[name, default: []].append(
      Seed(
        message: name, source: message.source, direction: message.direction, payload: Array(message.payload),
        state: packets.first?.state ?? profile.state.map(\.initial), valueRanges: visitor.ranges, facts: facts, keys: keys))
    // Fields with the checksum, or with the authentication tag, cannot be chosen.
    let layers = message.profile.sources[message.sourceNumber].directions[Int(message.direction.rawValue)].layers
    var ranges = message.checkedRange.map { [$0] } ?? []
    for case .decrypt(let rules) in layers {
      guard let from = rules.tagFrom?.number, from < 0, rules.tagTo == nil, message.count + from >= 0 else { continue }
      ranges.append(message.count + from..<message.count)
    }
    guard let last = seeds[name]?.indices.last else { return }
    func isMade(_ range: ValueRanges.ValueRange) -> Bool { ranges.contains { $0.overlaps(range.range) } }
    seeds[name]?[last].fixed = visitor.ranges.filter(isMade).map(\.path)
    seeds[name]?[last].valueRanges.removeAll(where: isMade)
  }

  /// Finds the fields of a message that cannot be chosen freely: markers, kinds, lengths, counts, constants, checksums. With random values of them the
  /// message does not decode to the same fields. A field with a unit is a measured value, whose failure is returned.
  private func calibrate(_ seed: inout Seed, _ random: inout RandomNumbers) -> ProfileFuzzResult.Failure? {
    let set = set.with(seed.keys)
    var fault: ProfileFuzzResult.Failure?
    var free: [ValueRanges.ValueRange] = []
    // Fields without a unit first: lengths and checksums can depend on a measured value.
    let valueRanges = seed.valueRanges.prefix(Self.maximumRanges)
    for value in valueRanges.filter({ !$0.hasUnit }) + valueRanges.filter(\.hasUnit) {
      var failure: ProfileFuzzResult.Failure?
      for _ in 0..<3 where failure == nil {
        var other = seed.payload
        // Random values of a few bits are often equal to the old ones.
        for _ in 0..<8 where other == seed.payload { random.fill(value, &other) }
        failure = attempt(other, seed, set).failure
      }
      if let failure {
        seed.fixed.append(value.path)
        if value.hasUnit, !value.isBits { fault = fault ?? failure }
      } else {
        free.append(value)
      }
    }
    seed.valueRanges = free
    return fault
  }

  mutating func run() {
    for name in order {
      guard var seeds = seeds[name], let first = seeds.first, let number = profile.message(name) else { continue }
      let rules = profile.source(first.source).map { profile.sources[$0].directions[Int(first.direction.rawValue)] }
      if first.direction != .write, profile.messages[number].needsRequest || rules?.readsRequest(for: number) ?? false {
        result.skipped.append((name, "its type, or what chooses it, asks for the request that it answers"))
        continue
      }
      // Each kind of message has its own random numbers, which do not depend on other messages in the profile.
      var random = RandomNumbers(name.utf8.reduce(seed) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 })
      // The unchanged messages of the tests are tried first.
      var failure: ProfileFuzzResult.Failure?
      for seed in seeds where failure == nil { failure = attempt(seed.payload, seed, set.with(seed.keys)).failure }
      result.tried += seeds.count
      if failure == nil { for index in seeds.indices { failure = failure ?? calibrate(&seeds[index], &random) } }
      if let failure {
        result.failures.append(failure)
        continue
      }
      var fixed: [String] = []
      for path in seeds.flatMap(\.fixed) {
        let text = Self.text(path)
        if !fixed.contains(text) { fixed.append(text) }
      }
      result.fixed.append((name, fixed))
      for turn in 0..<count {
        let number = turn % seeds.count
        let seed = seeds[number]
        var payload = seed.payload
        for value in seed.valueRanges where random.next() % 3 == 0 { random.fill(value, &payload) }
        let (wasTried, failure) = attempt(payload, seed, set.with(seed.keys))
        if wasTried { result.tried += 1 }
        guard let failure else { continue }
        // A length, or another value without a unit, for which only few values are valid, cannot be chosen freely either.
        if let index = seed.valueRanges.firstIndex(where: { $0.path == failure.path && !$0.hasUnit }) ?? culprit(payload, seed) {
          let path = seed.valueRanges[index].path
          seeds[number].fixed.append(path)
          seeds[number].valueRanges.remove(at: index)
          let text = Self.text(path)
          if let last = result.fixed.indices.last, !result.fixed[last].fields.contains(text) { result.fixed[last].fields.append(text) }
          continue
        }
        result.failures.append(failure)
        break
      }
    }
  }

  /// The field without a unit whose new value alone causes a failure; nil where none does.
  private func culprit(_ payload: [UInt8], _ seed: Seed) -> Int? {
    let set = set.with(seed.keys)
    return seed.valueRanges.indices.first { number in
      let value = seed.valueRanges[number]
      let range = value.range.clamped(to: 0..<min(payload.count, seed.payload.count))
      guard !value.hasUnit, payload[range] != seed.payload[range] else { return false }
      var alone = seed.payload
      alone.replaceSubrange(range, with: payload[range])
      return attempt(alone, seed, set).failure != nil
    }
  }

  /// The path of a field; all elements of a list have the same path.
  private static func text(_ path: [String]) -> String { path.map { Int($0) == nil ? $0 : "[]" }.joined(separator: ".") }

  /// Decodes a payload, encodes the result, and decodes it again. Returns whether the payload is such a message at all, and the failure; nil where
  /// there is none.
  private func attempt(_ payload: [UInt8], _ seed: Seed, _ set: ProfileSet) -> (wasTried: Bool, failure: ProfileFuzzResult.Failure?) {
    guard let read = decode([payload], seed, set, isPayload: true), read.count == 1, let given = read.first, given.name == seed.message,
      given.isRight
    else { return (false, nil) }
    func chosen(_ fields: FieldTree) -> FieldTree { seed.fixed.reduce(fields) { $0.removing($1) ?? $0 } }
    var failure = ProfileFuzzResult.Failure(message: seed.message, payload: payload, packets: [], difference: "")
    do {
      let encoder = MessageEncoder(profile, of: set, facts: seed.facts)
      encoder.state = seed.state
      failure.packets = try encoder.encode(seed.message, given.fields, source: seed.source, direction: seed.direction).packets
    } catch {
      failure.difference = "cannot be encoded: \(error)"
      return (true, failure)
    }
    guard let back = decode(failure.packets, seed, set, isPayload: false) else { return (false, nil) }
    guard back.count == 1, let got = back.first, got.name == seed.message else {
      let made = back.map { $0.name ?? "an unknown message" }.joined(separator: ", ")
      failure.difference = back.isEmpty ? "its packets make no message" : "its packets make \(made)"
      return (true, failure)
    }
    if !got.isRight {
      failure.difference = "its packets make a message with a problem: \(got.problem)"
      return (true, failure)
    }
    guard let difference = chosen(given.fields).difference(from: chosen(got.fields)) else { return (true, nil) }
    failure.path = difference.path
    failure.difference = "\(difference.path.joined(separator: ".")) is \(difference.other.json), not \(difference.own.json)"
    return (true, failure)
  }

  private struct Read {
    var name: String?
    var fields: FieldTree
    var problem: String
    var isRight: Bool
  }

  private func decode(_ packets: [[UInt8]], _ seed: Seed, _ set: ProfileSet, isPayload: Bool) -> [Read]? {
    let engine = ProfileEngine(set)
    let link = engine.connect(seed.facts)
    let slot = engine.slot(link, profile: profile, source: seed.source)
    guard slot >= 0 else { return nil }
    engine.setState(link, profile, seed.state)
    var read: [Read] = []
    func take() {
      for message in engine.messages {
        var problem: [UInt8] = []
        message.appendProblem(to: &problem)
        let isRight =
          message.kind == .message && message.isComplete && !message.hasProblem && message.checksum != .bad && !message.decryption.isClosed
          && (!isPayload || message.unreadBytes.isEmpty)
        read.append(
          Read(name: message.name, fields: message.fieldTree, problem: String(decoding: problem, as: UTF8.self), isRight: isRight))
      }
    }
    for (frame, packet) in packets.enumerated() {
      packet.withBorrowedBytes {
        if isPayload {
          _ = engine.feed(payload: $0, link, slot, seed.direction, frame: frame + 1, time: 0)
        } else {
          _ = engine.feed(link, slot, seed.direction, $0, frame: frame + 1, time: 0)
        }
      }
      take()
    }
    engine.finish()
    take()
    return read
  }
}

extension FieldTree {
  /// The same without the value of a path; nil where there is none. An element of a list cannot be removed.
  fileprivate func removing(_ path: some Collection<String>) -> FieldTree? {
    guard let name = path.first else { return nil }
    let rest = path.dropFirst()
    switch self {
    case .object(var fields):
      guard let index = fields.firstIndex(where: { $0.name == name }) else { return nil }
      if rest.isEmpty {
        fields.remove(at: index)
      } else {
        guard let inner = fields[index].value.removing(rest) else { return nil }
        fields[index].value = inner
      }
      return .object(fields)
    case .list(var list):
      guard let index = Int(name), list.indices.contains(index), !rest.isEmpty, let inner = list[index].removing(rest) else { return nil }
      list[index] = inner
      return .list(list)
    default: return nil
    }
  }
}

/// Ranges of the single values of a message.
private struct ValueRanges: MessageFieldVisitor {
  struct ValueRange {
    var range: Range<Int>
    /// Bits of the first byte before it, and of the last byte up to its end, in the order in which bits are taken; 0 and 0 for whole bytes.
    var startBit: Int, endBit: Int
    var isText: Bool
    var hasUnit: Bool
    var isBits: Bool { startBit != 0 || endBit != 0 }
    /// Its names from the top; elements of arrays by their indices.
    var path: [String]
  }

  var ranges: [ValueRange] = []
  private var path: [String] = []
  /// For each object or array that is open, the number of its next element; -1 for an object.
  private var next: [Int] = []

  private mutating func name(_ field: FieldContext) -> String {
    if let number = next.last, number >= 0 {
      next[next.count - 1] = number + 1
      return String(number)
    }
    return field.name.string
  }

  mutating func leaf(_ field: FieldContext, _ value: MessageFieldValue) {
    let name = name(field)
    guard !field.range.isEmpty, ranges.count < 4096 else { return }
    let isText = if case .text = value { true } else { false }
    ranges.append(
      ValueRange(
        range: field.range, startBit: field.startBit, endBit: field.endBit, isText: isText, hasUnit: !field.unit.isEmpty,
        path: path + [name]))
  }

  mutating func open(_ field: FieldContext, isArray: Bool, count: Int) -> Bool {
    path.append(name(field))
    next.append(isArray ? 0 : -1)
    return true
  }

  mutating func close(isArray: Bool) {
    path.removeLast()
    next.removeLast()
  }
  mutating func problem(_ text: String) {}
}

/// Random numbers that are the same on all systems for a seed: the generator of Steele, Lea and Flood.
private struct RandomNumbers: RandomNumberGenerator {
  private var state: UInt64

  init(_ seed: UInt64) { state = seed }

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return mixed ^ (mixed >> 31)
  }

  /// Sets a field to a random value: all zeros, all ones, a small number, or any.
  mutating func fill(_ value: ValueRanges.ValueRange, _ payload: inout [UInt8]) {
    let range = value.range.clamped(to: 0..<payload.count)
    let choice = next() % 5
    for at in range {
      var byte: UInt8
      if value.isText {
        // Letters and digits, as in texts of devices.
        let letters = Array("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789 -".utf8)
        byte = letters[Int(next() % UInt64(letters.count))]
      } else {
        switch choice {
        case 0: byte = 0
        case 1: byte = 0xFF
        case 2: byte = at == range.upperBound - 1 || at == range.lowerBound ? UInt8(next() & 7) : 0
        default: byte = UInt8(truncatingIfNeeded: next())
        }
      }
      if value.isBits {
        // Only some bits of the byte change; the bit order does not matter, as any result that is a valid message is accepted.
        byte = payload[at] ^ (byte & UInt8(truncatingIfNeeded: next()))
      }
      payload[at] = byte
    }
  }
}
