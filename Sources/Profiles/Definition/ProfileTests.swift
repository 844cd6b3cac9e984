import KaitaiStruct
import Memory
import Text
import YAML

/// The result of one test of a profile.
public struct ProfileTestResult: Sendable {
  /// Its title, or its number.
  public var title: String
  /// Its line in the profile's file.
  public var line: Int
  /// The differences, one line each; empty where it passed.
  public var differences: [String]
}

/// A packet of a test, and the state before it.
struct TestPacket {
  var packet: [UInt8]
  var state: [CompiledState.Value]
}

extension ProfileSet {
  /// Runs the tests of a profile: decodes their packets, compares, and encodes requests again. Throws ``ProfileError`` where the profile
  /// has a mistake.
  public func test(_ number: Int) throws -> [ProfileTestResult] {
    try test(number) { _, _, _ in }
  }

  /// Runs the tests of a profile, and returns the parts of it that they cover. Throws ``ProfileError`` where the profile has a mistake.
  public func coverage(_ number: Int) throws -> ProfileCoverage {
    var coverage = ProfileCoverage(try profile(number))
    var values = ProfileCoverage.Values()
    _ = try test(number, header: { values.add($0) }) { message, _, _ in coverage.add(message) }
    coverage.add(values)
    return coverage
  }

  /// Runs the tests of a profile, and calls `observe` with each resulting message, the packets it was joined from, and its test, and `header` with
  /// the headers of packets and frames that are read. Throws ``ProfileError`` where the profile has a mistake.
  func test(
    _ number: Int, header: ((KaitaiTree) -> Void)? = nil, _ observe: (ProfileMessage, [TestPacket], TestDefinition) -> Void
  ) throws -> [ProfileTestResult] {
    let definition = try definition(number)
    let profile = try profile(number)
    return try definition.tests.enumerated().map { index, test in
      ProfileTestResult(
        title: test.title ?? "test \(index + 1)", line: test.entry.node.mark?.line ?? 0,
        differences: try run(test, profile, header, observe))
    }
  }

  private func run(
    _ test: TestDefinition, _ profile: CompiledProfile, _ header: ((KaitaiTree) -> Void)?,
    _ observe: (ProfileMessage, [TestPacket], TestDefinition) -> Void
  ) throws -> [String] {
    var keys = ProfileKeys()
    for (name, bytes, _) in test.keys { keys.add(bytes, of: profile.id, name) }
    let set = with(keys)
    let engine = ProfileEngine(set)
    var facts = PeerFacts()
    facts.name = test.device
    facts.address = test.address
    let link = engine.connect(facts)
    if let header { engine.onHeader(profile, header) }
    var found: [Found] = []
    var time: Int64 = 0
    var refused: [String] = []
    var answers: [FieldTree] = []
    var differences: [String] = []
    var frame = 0
    // The state before each packet, for encoding the message again in the same state.
    var history: [TestPacket] = []
    var failures: [String] = []
    func take() {
      for message in engine.messages {
        observe(message, message.frames.compactMap { history.indices.contains($0 - 1) ? history[$0 - 1] : nil }, test)
        let tree = message.fieldTree
        found.append(
          Found(
            summary: summary(message), fields: tree, kinds: message.problemKinds, faults: message.faults, names: names(message),
            hidden: hidden(message), title: message.title))
        if message.direction != .write, message.kind == .message { answers.append(tree) }
        if test.encodes != .nothing, let difference = reencode(message, profile, set, facts, history, packets: test.encodes == .packets) {
          differences.append(difference)
        }
      }
    }
    for step in test.steps {
      let slot = engine.slot(link, profile: profile, source: step.source)
      guard slot >= 0, let number = profile.source(step.source) else {
        throw test.entry.error("no characteristic, advertisement or channel is named \"\(step.source)\"")
      }
      let direction =
        try step.direction ?? profile.usualDirection(number) ?? { throw test.entry.error("\"\(step.source)\" carries no messages") }()
      guard profile.sources[number].directions[Int(direction.rawValue)].carries else {
        throw test.entry.error("\"\(step.source)\" has no \"\(direction.key)\"")
      }
      engine.onConditionFailure(profile) { failures.append($0.message) }
      if !test.state.isEmpty, frame == 0 { engine.setState(link, profile, try initialState(test, profile)) }
      time += step.after
      for packet in step.packets {
        frame += 1
        time += 1000
        if let reason = profile.sources[number].reasonToIgnore(packet, test.device, isPayload: step.isPayload) {
          refused.append("packet \(frame) does not reach \"\(step.source)\": \(reason)")
          // Packets are found by their numbers, so this one is stored, too.
          history.append(TestPacket(packet: packet, state: engine.state(link, profile)))
          continue
        }
        engine.flush(link, now: time)
        take()
        history.append(TestPacket(packet: packet, state: engine.state(link, profile)))
        let before = found.count
        packet.withBorrowedBytes {
          if step.isPayload {
            _ = engine.feed(payload: $0, link, slot, direction, frame: frame, time: time)
          } else {
            _ = engine.feed(link, slot, direction, $0, frame: frame, time: time)
          }
        }
        take()
        if found.count == before, direction == .advertise, !profile.sources[number].keepsBytes(direction) {
          refused.append("packet \(frame): no \"when\" of \"\(step.source)\" holds for its bytes, so that it is no message")
        }
      }
    }
    engine.finish()
    take()

    let wanted = differences.count
    if let expect = test.expect {
      for (index, expected) in expect.enumerated() where index < found.count {
        compare(expected, found[index], "message \(index + 1)", test.tolerance, &differences)
      }
      if expect.count != found.count {
        let more = found.dropFirst(expect.count).prefix(3).map { message -> String in
          guard message.summary["_kind"] == .text("message") else {
            return "bytes that belong to no message (\(message.summary["_payload"]?.json.prefix(200) ?? ""))"
          }
          return String(message.fields.json.prefix(200))
        }.joined(separator: ", then ")
        differences.append(
          "\(found.count) message\(found.count == 1 ? "" : "s") instead of \(expect.count)"
            + (more.isEmpty ? "" : ": there is also \(more)"))
        differences += refused
      }
    }
    if differences.count > wanted, differences.contains(where: { $0.contains("_answers") }), let failure = failures.first {
      differences.append("a condition of \"answers\" could not be evaluated: \(failure)")
    }
    if let merged = test.merged {
      var all: [(name: String, value: FieldTree)] = []
      for case .object(let fields) in answers {
        for field in fields {
          if let known = all.firstIndex(where: { $0.name == field.name }) { all[known] = field } else { all.append(field) }
        }
      }
      let joined = Found(summary: .object([]), fields: .object(all), kinds: [], faults: [], names: nil)
      compare(merged, joined, "all messages", test.tolerance, &differences)
    }
    return differences
  }

  /// A message of a test.
  private struct Found {
    var summary: FieldTree
    var fields: FieldTree
    /// The kinds of its problems.
    var kinds: [String]
    /// Instances that could not be computed, each with the reason.
    var faults: [String]
    /// The names that its fields can have; nil where its body contains its own names.
    var names: Set<String>?
    /// Its hidden instances, which are in no output.
    var hidden: [String: FieldTree] = [:]
    /// The title of the message, with which its text begins.
    var title: String?
  }

  /// The hidden instances of a message with their stored values.
  private func hidden(_ message: ProfileMessage) -> [String: FieldTree] {
    let profile = message.profile
    guard message.messageNumber >= 0, let root = message.root, let type = message.tree.node(root).objectType else { return [:] }
    var found: [String: FieldTree] = [:]
    for field in profile.program.fields(of: type)
    where profile.program.isInstance(field) && profile.fieldPresentations[Int(field.rawValue)].isHidden {
      if let node = message.tree.node(field, of: root) { found[profile.program.name(of: field)] = message.tree.fieldTree(of: node) }
    }
    return found
  }

  /// The names that fields of a message, and nested fields, can have.
  private func names(_ message: ProfileMessage) -> Set<String>? {
    let profile = message.profile
    guard message.messageNumber >= 0, case .type(let type) = profile.messages[message.messageNumber].body else { return nil }
    var names: Set<String> = ["name", "value"]
    for type in profile.program.types(within: type) {
      for field in profile.program.fields(of: type) {
        if profile.fieldPresentations[Int(field.rawValue)].body != nil { return nil }
        names.insert(profile.program.name(of: field))
      }
    }
    return names
  }

  /// The state at the start of a test.
  private func initialState(_ test: TestDefinition, _ profile: CompiledProfile) throws -> [CompiledState.Value] {
    let encoder = MessageEncoder(profile, of: self)
    for (name, value) in test.state {
      if case .sequence = value.node, let index = profile.state.firstIndex(where: { $0.name == name }),
        case .list = profile.state[index].initial
      {
        encoder.state[index] = .list(try value.list().map { try StateElement($0) })
      } else if case .mapping(let mapping) = value.node, let index = profile.state.firstIndex(where: { $0.name == name }),
        case .table(_, let absent) = profile.state[index].initial
      {
        var entries: [Int64: Int64] = [:]
        for (key, entry) in mapping {
          guard let key = key.string.flatMap(parseInteger), let number = entry.string.flatMap(parseInteger) else {
            throw value.error("the table \"\(name)\" has numbers as keys and values")
          }
          entries[Int64(key)] = Int64(number)
        }
        encoder.state[index] = .table(entries, absent: absent)
      } else if !encoder.setState(name, try value.plainValue()) {
        throw value.error("\"\(name)\" is a table, or this is not a plain value")
      }
    }
    return encoder.state
  }

  private func summary(_ message: ProfileMessage) -> FieldTree {
    var problem: [UInt8] = []
    message.appendProblem(to: &problem)
    var payload: [UInt8] = []
    payload.append(hexOf: message.payload)
    return .object([
      ("_encryption", .text(message.decryption.word)), ("_message", message.name.map(FieldTree.text) ?? .null),
      ("_complete", .bool(message.isComplete)),
      ("_checksum", .text(message.checksum == .none ? "none" : message.checksum == .ok ? "ok" : "bad")),
      ("_problem", .text(String(decoding: problem, as: UTF8.self))), ("_payload", .text(String(decoding: payload, as: UTF8.self))),
      ("_kind", .text(message.kind == .message ? "message" : "unjoined")), ("_answers", message.replyTo.map { .int(Int64($0)) } ?? .null),
      (
        "_say",
        .text(
          String(
            decoding: {
              var text: [UInt8] = []; message.appendSentence(to: &text); return text
            }() as [UInt8], as: UTF8.self))
      ),
    ])
  }

  private func compare(
    _ expected: Entry, _ found: Found, _ path: String, _ tolerance: Double, _ differences: inout [String]
  ) {
    let before = differences.count
    defer {
      // The reason for a missing value: its inputs cannot be computed.
      let isNothing = differences[min(before, differences.count)...].contains {
        $0.contains(" is missing, not") || $0.contains(" is null, not")
      }
      if isNothing {
        differences += found.faults.map { "\(path): \($0)" }
      }
    }
    guard case .mapping(let mapping) = expected.node else {
      if !expected.isNull { differences.append("\(path): what is expected must be a mapping of fields") }
      return
    }
    // A test expects no problem unless it names one.
    if mapping["_problem"] == nil, mapping["_kind"] == nil, mapping["_complete"]?.string ?? "true" == "true",
      mapping["_checksum"]?.string != "bad",
      case .text(let problem)? = found.summary["_problem"], !problem.isEmpty
    {
      differences.append("\(path): \(problem)")
    }
    for (key, value) in mapping {
      guard let name = key.string else { continue }
      let actual = name.hasPrefix("_") ? found.summary[name] ?? found.fields[name] : found.fields[name] ?? found.hidden[name]
      if name == "_say", case .text(let text)? = actual, let title = found.title, "\(title) \(text)" == value.string { continue }
      if name == "_problem", case .text(let problem)? = actual, let wanted = value.string, !wanted.isEmpty {
        // A kind of problem, or a part of its text.
        if !found.kinds.contains(wanted), !problem.contains(wanted) {
          differences.append("\(path)._problem is \(actual?.json ?? ""), not \(wanted)")
        }
        continue
      }
      compare(expected.with(value, ""), actual, "\(path).\(name)", tolerance, found.names, &differences)
    }
  }

  private func compare(
    _ expected: Entry, _ actual: FieldTree?, _ path: String, _ tolerance: Double, _ names: Set<String>?, _ differences: inout [String]
  ) {
    func differs() { differences.append("\(path) is \(actual?.json ?? "missing"), not \(text(expected.node))") }
    if expected.isNull {
      if let actual, actual != .null { differs() }
      let name = String(path.split(separator: ".").last ?? "")
      if actual == nil, let names, !name.hasPrefix("_"), !name.hasSuffix("]"), !names.contains(name) {
        let hint = nearest(name, of: names).map { "; did you mean \"\($0)\"?" } ?? ""
        differences.append("\(path): the message has no field \"\(name)\"" + hint)
      }
      return
    }
    guard let actual else { return differs() }
    switch (expected.node, actual) {
    case (.mapping(let mapping), .object):
      for (key, value) in mapping {
        guard let name = key.string else { continue }
        compare(expected.with(value, ""), actual[name], "\(path).\(name)", tolerance, names, &differences)
      }
    case (.sequence(let sequence), .list(let list)):
      if sequence.count != list.count { return differs() }
      for (index, value) in sequence.enumerated() {
        compare(expected.with(value, ""), list[index], "\(path)[\(index)]", tolerance, names, &differences)
      }
    case (.scalar, .object):
      // For an enum, the name or the number is enough.
      guard let name = actual["name"], let value = actual["value"] else { return differs() }
      if !equal(expected, name, 0), !equal(expected, value, 0) { differs() }
    case (.scalar, _): if !equal(expected, actual, tolerance) { differs() }
    default: differs()
    }
  }

  private func equal(_ expected: Entry, _ actual: FieldTree, _ tolerance: Double) -> Bool {
    guard case .scalar(let scalar) = expected.node else { return false }
    // A tolerance of its own: 23.3 ± 0.1.
    let parts = scalar.string.split(separator: "±")
    if parts.count == 2, let wanted = Double(parts[0].filter { $0 != " " }), let tolerance = Double(parts[1].filter { $0 != " " }) {
      let number: Double
      switch actual {
      case .int(let value): number = Double(value)
      case .uint(let value): number = Double(value)
      case .double(let value): number = value
      default: return false
      }
      return abs(wanted - number) <= tolerance + 1e-12 * abs(wanted)
    }
    switch actual {
    case .null: return expected.isNull
    case .bool(let truth): return scalar.string == (truth ? "true" : "false")
    case .int(let number): return parseInteger(scalar.string).map { Int64($0) == number } ?? (Double(scalar.string) == Double(number))
    case .uint(let number):
      return UInt64(scalar.string) == number || scalar.string.hasPrefix("0x") && UInt64(scalar.string.dropFirst(2), radix: 16) == number
    case .double(let number):
      guard let wanted = Double(scalar.string) else { return false }
      // The numbers are binary fractions: a difference of exactly the tolerance can be slightly more.
      return abs(wanted - number) <= max(tolerance, 1e-6 * max(1e-3, abs(wanted))) + 1e-12 * abs(wanted)
    case .text(let text): return text == scalar.string
    default: return false
    }
  }

  private func text(_ node: Node) -> String {
    switch node {
    case .scalar(let scalar): scalar.string
    case .sequence(let sequence): "[" + sequence.map(text).joined(separator: ", ") + "]"
    case .mapping(let mapping): "{" + mapping.map { "\($0.key.string ?? ""): \(text($0.value))" }.joined(separator: ", ") + "}"
    }
  }

  /// Encodes a complete and correct request again. Returns the difference, or nil. `history` has the packets by their numbers.
  private func reencode(
    _ message: ProfileMessage, _ profile: CompiledProfile, _ set: ProfileSet, _ facts: PeerFacts,
    _ history: [TestPacket], packets: Bool
  ) -> String? {
    guard message.kind == .message, message.direction == .write, let name = message.name, message.isComplete, message.checksum != .bad,
      message.problem == nil, !message.decryption.isClosed,
      !profile.sources[message.sourceNumber].directions[Int(ValueDirection.write.rawValue)].mergesParts
    else { return nil }
    func hex(_ bytes: some Sequence<UInt8>) -> String {
      var text: [UInt8] = []
      Array(bytes).withBorrowedBytes { text.append(hexOf: $0) }
      return String(decoding: text, as: UTF8.self)
    }
    do {
      let encoder = MessageEncoder(profile, of: set, facts: facts)
      let frames = message.frames.filter { $0 > 0 && $0 <= history.count }
      if let first = frames.first { encoder.state = history[first - 1].state }
      let before = encoder.state
      let encoded = try encoder.encode(name, message.fieldTree, source: message.source, direction: message.direction)
      // The body of a single packet can lack the checksum's bytes, which then are only in the frame.
      let isSame = encoded.packets.count == 1 || message.payload.elementsEqual(encoded.payload)
      guard isSame else { return "\(name) encodes to \(hex(encoded.payload)), not \(hex(message.payload))" }
      var found: [[UInt8]] = []
      let engine = ProfileEngine(set)
      let link = engine.connect(facts)
      let slot = engine.slot(link, profile: profile, source: message.source)
      engine.setState(link, profile, before)
      for packet in encoded.packets {
        packet.withBorrowedBytes { _ = engine.feed(link, slot, .write, $0, frame: 0, time: 0) }
        found += engine.messages.map { Array($0.payload) }
      }
      // A pause ends some messages.
      engine.finish()
      found += engine.messages.map { Array($0.payload) }
      if found != [Array(message.payload)] {
        return
          "\(name) encodes to packets \(encoded.packets.map(hex).joined(separator: " ")), which decode to \(found.map(hex).joined(separator: " ")), not \(hex(message.payload))"
      }
      let given = frames.map { history[$0 - 1].packet }
      guard packets, encoded.packets != given else { return nil }
      // Packets of a stream can also contain parts of other messages and bytes that belong to none.
      let layers = profile.sources[message.sourceNumber].directions[Int(ValueDirection.write.rawValue)].layers
      let isStream = !layers.contains { if case .fragments = $0 { true } else { false } }
      if isStream, Array(given.joined()).contains(encoded.packets.flatMap { $0 }) { return nil }
      return
        "\(name) encodes to packets \(encoded.packets.map(hex).joined(separator: " ")), not \(given.map(hex).joined(separator: " ")) (encodes: message, where both are right)"
    } catch { return "\(name) cannot be encoded: \(error)" }
  }
}

extension CompiledProfile {
  /// The most likely direction of bytes for which the user gives none: that of answers, where the source has any.
  public func usualDirection(_ source: Int) -> ValueDirection? {
    let directions = sources[source].directions
    return [ValueDirection.notify, .indicate, .read, .advertise, .write].first { direction in
      // An advertisement has no other direction.
      if sources[source].kind == .advertisement { return direction == .advertise }
      return direction != .advertise && directions[Int(direction.rawValue)].carries
    }
  }
}
