import Foundation
import Memory
import Testing
import Text

@_spi(Pipeline) @testable import Profiles

/// Every public vector of every protocol with a shipped profile: its expected values are among the decoded fields.
///
/// A value counts as found if a field of its name has it, or, as names differ between implementations, any field.
@Suite struct VectorTests {
  /// Protocols whose profile has another name.
  static let profiles = [
    "gopro-open": "gopro", "gatt-hrs": "heart-rate", "gatt-rsc": "bluetooth-sig", "gatt-hts": "bluetooth-sig", "gatt-csc": "bluetooth-sig",
    "gatt-std": "bluetooth-sig", "miflora-gatt": "miflora", "huami-time": "huami", "aranet4": "aranet", "sphero-v2": "sphero",
    "adv-tilt": "ibeacon", "adv-sensorpush": "sensorpush-sensor", "dexcom-g7": "dexcom-cgm",
  ]

  /// Values that are not in the bytes: the vector's implementation computes them, or they need a key.
  static let computed: Set<String> = [
    "power", "runtime", "cycle_capacity", "delta_voltage", "battery_charging", "problem", "cell_count", "balancer", "note",
    "test_expected", "name", "firmware", "mac", "type", "packet", "header", "counters", "crc_ok",
  ]

  /// Values that the profile shows in another form than the vector's implementation: raw numbers where it has units, text for
  /// bytes, labels of the test itself.
  static let otherForms: [String: (keys: Set<String>, why: String)] = [
    "gatt-hrs": (["rr", "char"], "in 1/1024 s; shown in ms"),
    "gatt-rsc": (["distance_raw", "stride_raw", "speed_raw"], "raw; shown in m, m/s"),
    "gatt-csc": (["crank_time", "wheel_time", "char"], "in 1/1024 s; shown in s"),
    "gatt-std": (["manufacturer_id", "oui"], "as numbers; shown as the bytes of identifiers"),
    "mcumgr-smp": (["op"], "its number in brackets; shown as a name"),
    "togrill": (["version"], "as text; shown as major and minor"),
    "eddystone": (["uptime_s", "eid"], "tenths of a second taken for seconds; the identifier as text, shown as bytes"),
    "garmin-gfdi": (["decoded"], "with the length before the body"),
    "sphero-v2": (["flags", "checksum"], "as numbers; flags are shown one by one, the checksum as right"),
    "blemon-kegtron": (["port count"], "in words"),
    "blemon-xiaogui": (["weight unit"], "as text; it is the unit of the weight"),
    "mesh-proxy": (["error"], "types that are not defined are shown by number"),
    "bms-ecoworthy": (["error"], "a fault of the transport in the implementation's test"),
  ]

  /// Expectations that are not met, and why.
  static let notMet: [String: String] = [
    "gopro-open": "messages are called otherwise; gopro.jsonl has the same packets, all of them met (GoProTests)",
    "polar-pmd": "compressed samples are bytes: deltas of changing width are no layout",
    "bms-ag": "the voltage is the sum of the cells",
    "bms-ant-leg": "two values of models that only the implementation tells apart",
    "bms-cbtpwr-vb": "the charge is computed from capacity and level",
    "bms-felicity": "the body is JSON; its numbers are shown as they are sent, not scaled",
    "bms-renogy-pro": "the level is computed from charge and capacity",
    "bms-saihang": "the number of sensors is the implementation's",
    "adv-bthome": "some of these are encrypted",
    "adv-sensorpro": "a vector without bytes",
    "adv-inkbird": "a vector without bytes",
    "adv-sensorpush": "a vector without bytes",
    "blemon-amazfit": "two kinds of data whose service the reports lack",
    "blemon-beckett": "needs a second advertisement",
    "blemon-jaalee": "sent as an iBeacon: profile ibeacon has these vectors among its tests",
    "blemon-sensirion": "a model whose layout is not described",
  ]

  @Test(.enabled(if: Shared.vectors != nil, "the vectors are not beside the package"))
  func everyVectorOfEveryProfile() throws {
    let set = try ProfileSet()
    var protocols = 0
    var whole = 0
    var vectors = 0
    var met = 0
    var open: [String] = []
    for line in try Shared.lines("protocols.jsonl") {
      guard let id = line["id"]?.text, let list = line["vectors"]?.list, !list.isEmpty else { continue }
      let profile = Self.profiles[id] ?? id
      guard let number = set.number(profile) else { continue }
      protocols += 1
      var missing: [String] = []
      for vector in list {
        vectors += 1
        let found = try decode(vector, try set.profile(number), set, set.text(number))
        let forms = Self.otherForms[id]?.keys ?? []
        let lacks = Self.lacks(vector["expected"] ?? .null, found).filter { !forms.contains(String($0.prefix { $0 != "=" })) }
        if lacks.isEmpty { met += 1 } else { missing.append(lacks.joined(separator: ", ")) }
      }
      #expect(missing.isEmpty == (Self.notMet[id] == nil), "\(id): \(missing)")
      if missing.isEmpty {
        whole += 1
      } else {
        open.append("\(id): \(missing.count) of \(list.count): \(missing.prefix(3).joined(separator: " | "))")
      }
    }
    print("protocols with a profile: \(protocols), with every vector met: \(whole); vectors met: \(met) of \(vectors)")
    for line in open { print("  " + line) }
    #expect(whole >= 50)
  }

  /// All leaves of all messages decoded from a vector's bytes, by name.
  private func decode(_ vector: FieldTree, _ profile: CompiledProfile, _ set: ProfileSet, _ text: String) throws -> [Leaf] {
    var leaves: [Leaf] = []
    var good = 0
    var bad = 0
    func collect(_ engine: ProfileEngine) {
      for message in engine.messages {
        leaves += Leaf.all(message.fieldTree, "")
        leaves.append(Leaf(name: "_payload", value: .text(hex(Array(message.payload)))))
        if let name = message.name { leaves.append(Leaf(name: "_message", value: .text(name))) }
        let isGood = message.kind == .message && message.isComplete && message.checksum != .bad && message.problem == nil
        if !isGood || message.direction == .write { bad += isGood ? 0 : 1 } else { good += 1 }
      }
    }
    var facts = PeerFacts()
    facts.name = vector["name"]?.text
    facts.address = vector["address"]?.text
    let isAdvertised = vector["mfr"] != nil || vector["svc"] != nil || vector["layer"]?.text?.hasPrefix("HCI") ?? false
    if isAdvertised || !profile.sources.contains(where: { $0.kind != .advertisement }) {
      // An advertisement, which only this profile decodes.
      let alone = try ProfileSet(builtin: false, texts: [(text, "t.yaml", .given)])
      let engine = ProfileEngine(alone)
      let link = engine.connect(facts)
      for structure in Self.structures(vector) {
        structure.withBorrowedBytes { _ = engine.feed(advertisement: $0, link, frame: 1, time: 0) }
        collect(engine)
      }
      // If the vector does not say how the device is recognized, its data are fed directly.
      if isAdvertised, !leaves.isEmpty { return leaves }
    }
    var steps: [(directions: [ValueDirection], source: String?, bytes: [UInt8])] = []
    if let exchange = vector["exchange"]?.list {
      for step in exchange {
        guard let parts = step.list?.compactMap(\.text), parts.count == 3, let bytes = [UInt8](hex: parts[2]) else { continue }
        let directions: [ValueDirection] = parts[0] == "w" ? [.write] : parts[0] == "r" ? [.read] : [.notify, .indicate]
        steps.append((directions, parts[1], bytes))
      }
    } else {
      for packet in vector["packets"]?.list ?? [] { steps.append((ValueDirection.allCases, nil, [UInt8](hex: packet.text ?? "") ?? [])) }
    }
    // If a vector names no characteristic, each is tried.
    let isOpen = steps.contains { $0.source == nil || $0.source == "None" }
    for name in isOpen ? profile.sourceNames : [""] {
      for direction in isOpen ? ValueDirection.allCases : [ValueDirection.notify] {
        let engine = ProfileEngine(set)
        let link = engine.connect(facts)
        for (frame, step) in steps.enumerated() {
          let source = isOpen ? name : step.source ?? name
          let slot = engine.slot(link, profile: profile, source: source)
          guard slot >= 0, let number = profile.source(source) else { continue }
          let directions = isOpen ? [direction] : step.directions
          guard let carried = directions.first(where: { profile.carries(number, $0) }) else { continue }
          step.bytes.withBorrowedBytes { _ = engine.feed(link, slot, carried, $0, frame: frame + 1, time: Int64(frame) * 1000) }
          collect(engine)
        }
        engine.finish()
        collect(engine)
      }
    }
    // The vector's implementation timed out: here no message is good, or there are fewer than requested.
    if vector["expected"]?["error"] != nil, bad > 0 || good == 0 || good < steps.filter({ $0.directions == [.write] }).count + 1 {
      leaves.append(Leaf(name: "error", value: vector["expected"]?["error"] ?? .null))
    }
    // The parts of one list in several messages.
    var joined: [String: [FieldTree]] = [:]
    var seen: Set<String> = []
    for leaf in leaves {
      guard let list = leaf.value.list, seen.insert(leaf.name + leaf.value.json).inserted else { continue }
      joined[leaf.name, default: []] += list
    }
    return leaves + joined.map { Leaf(name: $0.key, value: .list($0.value)) }
  }

  /// The AD structures of a vector with manufacturer data and service data, one advertisement each.
  private static func structures(_ vector: FieldTree) -> [[UInt8]] {
    var result: [[UInt8]] = []
    for (company, data) in vector["mfr"]?.object ?? [] {
      guard let id = UInt16(company.dropFirst(2), radix: 16), let bytes = [UInt8](hex: data.text ?? "") else { continue }
      result.append([UInt8(truncatingIfNeeded: bytes.count + 3), 0xFF, UInt8(id & 0xFF), UInt8(id >> 8)] + bytes)
    }
    for (service, data) in vector["svc"]?.object ?? [] {
      guard let uuid = [UInt8](hex: service.replacing("-", with: "")), let bytes = [UInt8](hex: data.text ?? "") else { continue }
      result.append([UInt8(truncatingIfNeeded: bytes.count + 3), 0x16, uuid[3], uuid[2]] + bytes)
    }
    if vector["mfr"] == nil, vector["svc"] == nil {
      // A complete advertisement, or the controller's report of one.
      for packet in vector["packets"]?.list ?? [] {
        guard let bytes = [UInt8](hex: packet.text ?? "") else { continue }
        result.append(vector["layer"] == nil ? bytes : Array(bytes.dropFirst(14).prefix(bytes.count > 13 ? Int(bytes[13]) : 0)))
      }
    }
    return result
  }

  struct Leaf {
    var name: String
    var value: FieldTree

    /// The leaves of a value; lists and enums are leaves, and so are their elements.
    static func all(_ tree: FieldTree, _ name: String) -> [Leaf] {
      switch tree {
      case .object(let fields):
        var found = [Leaf(name: name, value: tree)]
        for field in fields { found += all(field.value, field.name == "value" ? name : field.name) }
        return found
      case .list(let list): return [Leaf(name: name, value: tree)] + list.flatMap { all($0, name) }
      default: return [Leaf(name: name, value: tree)]
      }
    }
  }

  /// The expected values that are not among the leaves.
  private static func lacks(_ expected: FieldTree, _ found: [Leaf]) -> [String] {
    var missing: [String] = []
    for (key, value) in expected.object ?? [] where !computed.contains(key) && value != .null {
      if value == .text("error") {
        // A sensor error means that there is no value.
        if found.contains(where: { $0.name == key && $0.value.number != nil }) { missing.append("\(key)=error") }
      } else if let objects = value.list, objects.contains(where: { $0.object != nil }) {
        missing += objects.flatMap { lacks($0, found) }.map { "\(key).\($0)" }
      } else if let temperatures = expected["temp_values"]?.list, key == "temperature", isMean(value, of: temperatures) {
        continue
      } else if case .object = value {
        missing += lacks(value, found).map { "\(key).\($0)" }
      } else if !found.contains(where: { $0.name == key && same($0.value, value) }) && !found.contains(where: { same($0.value, value) }),
        !(value.list ?? []).contains(where: { wanted in wanted != .null && !found.contains { same($0.value, wanted) } })
          == (value.list == nil)
      {
        let named = found.filter { $0.name == key }.map(\.value.json).prefix(2).joined(separator: "/")
        missing.append("\(key)=\(value.json.prefix(60))" + (named.isEmpty ? "" : " (is \(named.prefix(60)))"))
      }
    }
    return missing
  }

  /// Whether a value is the mean of the others.
  private static func isMean(_ value: FieldTree, of list: [FieldTree]) -> Bool {
    let numbers = list.compactMap(\.number)
    guard let value = value.number, !numbers.isEmpty else { return false }
    return abs(value - numbers.reduce(0, +) / Double(numbers.count)) < 0.001
  }

  private static func same(_ a: FieldTree, _ b: FieldTree) -> Bool {
    if case .bool(let wanted) = b {
      if case .bool(let truth) = a { return truth == wanted }
      return a.plain == .int(wanted ? 1 : 0)
    }
    if let wanted = b.number, let number = a.plain.number {
      // The implementation rounds to its number of digits.
      let digits = b.json.firstIndex(of: ".").map { b.json.distance(from: $0, to: b.json.endIndex) - 1 } ?? 0
      var unit = 1.0
      for _ in 0..<min(digits, 12) { unit /= 10 }
      return abs(wanted - number) <= max(digits == 0 ? 0 : unit * 0.5000001, 1e-6 * abs(wanted))
    }
    if let wanted = b.list {
      if wanted.contains(where: { $0.object != nil }) { return false }
      guard let list = a.list else { return false }
      return list.count >= wanted.count && zip(list, wanted).allSatisfy { same($0["value"] ?? $0, $1) || $1 == .null }
    }
    guard let wanted = b.text.map({ $0.prefix { $0 != "(" }.lowercased() }) else { return a == b }
    let text = (a.text ?? a["name"]?.text ?? "").lowercased()
    return text == wanted || text.replacing("_", with: " ") == wanted.replacing("_", with: " ") || wanted.count > 3 && text.contains(wanted)
      || wanted.hasPrefix("0x") && a.plain.number == Int64(wanted.dropFirst(2), radix: 16).map(Double.init)
  }

  private func hex(_ bytes: [UInt8]) -> String {
    var text: [UInt8] = []
    bytes.withBorrowedBytes { text.append(hexOf: $0) }
    return String(decoding: text, as: UTF8.self)
  }
}
