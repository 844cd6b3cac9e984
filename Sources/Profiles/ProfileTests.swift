import Kaitai
import YAML

/// What became of one test of a profile.
public struct ProfileTestResult: Sendable {
  /// Its title, or which one it is.
  public var title: String
  /// Its line in the profile's file.
  public var line: Int
  /// What differs, one line each; empty where it passed.
  public var differences: [String]
}

extension ProfileSet {
  /// Runs the tests of a profile: decodes their packets, compares, and encodes requests again. Throws ``ProfileError`` where the profile
  /// has a mistake.
  public func test(_ number: Int) throws -> [ProfileTestResult] {
    let definition = try definition(number)
    let profile = try profile(number)
    return try definition.tests.enumerated().map { place, test in
      ProfileTestResult(
        title: test.title ?? "test \(place + 1)", line: test.entry.node.mark?.line ?? 0, differences: try run(test, profile))
    }
  }

  private func run(_ test: TestDefinition, _ profile: CompiledProfile) throws -> [String] {
    let engine = ProfileEngine(self)
    var facts = PeerFacts()
    facts.name = test.device
    facts.address = test.address
    let link = engine.connect(facts)
    var found: [(summary: FieldTree, fields: FieldTree)] = []
    var answers: [FieldTree] = []
    var differences: [String] = []
    var frame = 0
    // What was known before each packet, so that it can be encoded again as it was.
    var history: [(packet: [UInt8], state: [CompiledState.Initial])] = []
    var failures: [String] = []
    func take() {
      for message in engine.messages {
        found.append((summary(message), message.fieldTree))
        if message.direction != .write, message.kind == .message { answers.append(message.fieldTree) }
        if test.encodes != .nothing, let difference = reencode(message, profile, facts, history, packets: test.encodes == .packets) {
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
        try step.direction ?? profile.usualDirection(number) ?? { throw test.entry.error("\"\(step.source)\" carries nothing") }()
      guard profile.sources[number].directions[Int(direction.rawValue)].carries else {
        throw test.entry.error("\"\(step.source)\" has no \"\(direction.key)\"")
      }
      engine.onConditionFailure(profile) { failures.append($0.message) }
      for packet in step.packets {
        frame += 1
        history.append((packet, engine.state(link, profile)))
        unsafe packet.withUnsafeBytes { _ = unsafe engine.feed(link, slot, direction, $0, frame: frame, time: Int64(frame) * 1000) }
        take()
      }
    }
    engine.finish()
    take()

    let wanted = differences.count
    if let expect = test.expect {
      for (place, expected) in expect.enumerated() where place < found.count {
        compare(expected, found[place], "message \(place + 1)", test.tolerance, &differences)
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
      compare(merged, (.object([]), .object(all)), "all messages", test.tolerance, &differences)
    }
    return differences
  }

  private func summary(_ message: Message) -> FieldTree {
    var problem: [UInt8] = []
    message.appendProblem(to: &problem)
    var payload: [UInt8] = []
    unsafe payload.append(hexOf: message.payload)
    return .object([
      ("_message", message.name.map(FieldTree.text) ?? .null), ("_complete", .bool(message.isComplete)),
      ("_checksum", .text(message.checksum == .none ? "none" : message.checksum == .ok ? "ok" : "bad")),
      ("_problem", .text(String(decoding: problem, as: UTF8.self))), ("_payload", .text(String(decoding: payload, as: UTF8.self))),
      ("_kind", .text(message.kind == .message ? "message" : "unjoined")), ("_answers", message.replyTo.map { .int(Int64($0)) } ?? .null),
      (
        "_say",
        .text(
          String(
            decoding: {
              var text: [UInt8] = []; message.appendSay(to: &text); return text
            }() as [UInt8], as: UTF8.self))
      ),
    ])
  }

  private func compare(
    _ expected: Entry, _ found: (summary: FieldTree, fields: FieldTree), _ path: String, _ tolerance: Double,
    _ differences: inout [String]
  ) {
    guard case .mapping(let mapping) = expected.node else {
      if !expected.isNull { differences.append("\(path): what is expected must be a mapping of fields") }
      return
    }
    // Unless it says otherwise, a test expects that nothing was wrong.
    if mapping["_problem"] == nil, mapping["_kind"] == nil, mapping["_complete"]?.string ?? "true" == "true",
      mapping["_checksum"]?.string != "bad",
      case .text(let problem)? = found.summary["_problem"], !problem.isEmpty
    {
      differences.append("\(path): \(problem)")
    }
    for (key, value) in mapping {
      guard let name = key.string else { continue }
      let actual = name.hasPrefix("_") ? found.summary[name] ?? found.fields[name] : found.fields[name]
      compare(expected.with(value, ""), actual, "\(path).\(name)", tolerance, &differences)
    }
  }

  private func compare(
    _ expected: Entry, _ actual: FieldTree?, _ path: String, _ tolerance: Double, _ differences: inout [String]
  ) {
    func differs() { differences.append("\(path) is \(actual?.json ?? "missing"), not \(text(expected.node))") }
    if expected.isNull {
      if let actual, actual != .null { differs() }
      return
    }
    guard let actual else { return differs() }
    switch (expected.node, actual) {
    case (.mapping(let mapping), .object):
      for (key, value) in mapping {
        guard let name = key.string else { continue }
        compare(expected.with(value, ""), actual[name], "\(path).\(name)", tolerance, &differences)
      }
    case (.sequence(let sequence), .list(let list)):
      if sequence.count != list.count { return differs() }
      for (place, value) in sequence.enumerated() {
        compare(expected.with(value, ""), list[place], "\(path)[\(place)]", tolerance, &differences)
      }
    case (.scalar, .object):
      // An enum may be expected by its name or its number alone.
      guard let name = actual["name"], let value = actual["value"] else { return differs() }
      if !equal(expected, name, 0), !equal(expected, value, 0) { differs() }
    case (.scalar, _): if !equal(expected, actual, tolerance) { differs() }
    default: differs()
    }
  }

  private func equal(_ expected: Entry, _ actual: FieldTree, _ tolerance: Double) -> Bool {
    guard case .scalar(let scalar) = expected.node else { return false }
    switch actual {
    case .null: return expected.isNull
    case .bool(let truth): return scalar.string == (truth ? "true" : "false")
    case .int(let number): return parseInteger(scalar.string).map { Int64($0) == number } ?? (Double(scalar.string) == Double(number))
    case .uint(let number):
      return UInt64(scalar.string) == number || scalar.string.hasPrefix("0x") && UInt64(scalar.string.dropFirst(2), radix: 16) == number
    case .double(let number):
      guard let wanted = Double(scalar.string) else { return false }
      return abs(wanted - number) <= max(tolerance, 1e-6 * max(1e-3, abs(wanted)))
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

  /// Whether a request that was whole and right encodes to the same bytes; what differs, or nil. `history` has the packets by their frames.
  private func reencode(
    _ message: Message, _ profile: CompiledProfile, _ facts: PeerFacts,
    _ history: [(packet: [UInt8], state: [CompiledState.Initial])], packets: Bool
  ) -> String? {
    guard message.kind == .message, message.direction == .write, let name = message.name, message.isComplete, message.checksum != .bad,
      message.fault == nil
    else { return nil }
    func hex(_ bytes: some Sequence<UInt8>) -> String {
      var text: [UInt8] = []
      unsafe Array(bytes).withUnsafeBytes { unsafe text.append(hexOf: $0) }
      return String(decoding: text, as: UTF8.self)
    }
    do {
      let encoder = MessageEncoder(profile, of: self, facts: facts)
      let frames = message.frames.filter { $0 > 0 && $0 <= history.count }
      if let first = frames.first { encoder.state = history[first - 1].state }
      let before = encoder.state
      let encoded = try encoder.encode(name, message.fieldTree, source: message.source, direction: message.direction)
      // The checksum's bytes are those of the frame; a body that has no field for them is shorter.
      let isSame = unsafe encoded.packets.count == 1 || message.payload.elementsEqual(encoded.payload)
      guard isSame else { return unsafe "\(name) encodes to \(hex(encoded.payload)), not \(hex(message.payload))" }
      var found: [[UInt8]] = []
      let engine = ProfileEngine(self)
      let link = engine.connect(facts)
      let slot = engine.slot(link, profile: profile, source: message.source)
      engine.setState(link, profile, before)
      for packet in encoded.packets {
        unsafe packet.withUnsafeBytes { _ = unsafe engine.feed(link, slot, .write, $0, frame: 0, time: 0) }
        found += engine.messages.map { unsafe Array($0.payload) }
      }
      if unsafe found != [Array(message.payload)] {
        return
          unsafe "\(name) encodes to packets \(encoded.packets.map(hex).joined(separator: " ")), which decode to \(found.map(hex).joined(separator: " ")), not \(hex(message.payload))"
      }
      let given = frames.map { history[$0 - 1].packet }
      guard packets, encoded.packets != given else { return nil }
      // Of a stream packets are only pieces, which may hold pieces of other messages and bytes that belong to none.
      let layers = profile.sources[message.sourceNumber].directions[Int(Direction.write.rawValue)].layers
      let isStream = !layers.contains { if case .fragments = $0 { true } else { false } }
      if isStream, Array(given.joined()).contains(encoded.packets.flatMap { $0 }) { return nil }
      return
        "\(name) encodes to packets \(encoded.packets.map(hex).joined(separator: " ")), not \(given.map(hex).joined(separator: " ")) (encodes: message, where both are right)"
    } catch { return "\(name) cannot be encoded: \(error)" }
  }
}

extension CompiledProfile {
  /// The direction that bytes given by hand most likely went: the way back where there is one.
  public func usualDirection(_ source: Int) -> Direction? {
    let directions = sources[source].directions
    return [Direction.notify, .indicate, .read, .advertise, .write].first { direction in
      // Advertisements carry nothing else, whatever their key says.
      if sources[source].kind == .advertisement { return direction == .advertise }
      return direction != .advertise && directions[Int(direction.rawValue)].carries
    }
  }
}
