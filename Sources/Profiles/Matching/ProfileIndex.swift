/// The known facts about a device; profiles are matched against them.
public struct PeerFacts: Sendable, Hashable {
  /// Its name: advertised, or read from it.
  public var name: String?
  /// Its address, `aa:bb:cc:dd:ee:ff`.
  public var address: String?
  /// Services that it advertised or that were discovered.
  public var services: [BluetoothUUID] = []
  /// Services for which it advertised data.
  public var serviceData: [BluetoothUUID] = []
  /// Companies for which it advertised data.
  public var companies: [UInt16] = []
  /// Characteristics that were discovered.
  public var characteristics: [BluetoothUUID] = []

  /// Makes facts of an unknown device.
  public init() {}
}

/// The parts of a profile that determine whether it is used for a device. They do not need the compiled profile.
struct ProfileIndex: Equatable, Sendable {
  var id: String
  var title: String
  /// Other names by which it is found.
  var aliases: [String] = []
  /// The kind of its device in one word.
  var kind: String?
  var status: ProfileStatus?
  var rules: [MatchRule] = []
  /// UUIDs of its characteristics and descriptors.
  var attributes: [BluetoothUUID] = []
  /// Handles of attributes that are identified by their handle.
  var handles: [UInt16] = []
  /// Companies and services whose advertised data it reads.
  var companies: [UInt16] = []
  var serviceData: [BluetoothUUID] = []
  /// Types of AD structures that it reads.
  var structures: [UInt8] = []
  /// Services by which a complete advertisement is read, and name patterns of all sources that are advertisements.
  var advertisedServices: [BluetoothUUID] = []
  var advertisedNames: [String] = []
  /// Whether it reads the data of any company.
  var readsAnyCompany = false
  /// Whether it reads complete advertisements.
  var readsWhole = false
  /// Services of RFCOMM channels, channels, and PSMs.
  var channelServices: [BluetoothUUID] = []
  var channels: [Int] = []
  var psms: [Int] = []

  init(_ definition: Definition) {
    id = definition.id
    title = definition.title
    aliases = definition.aliases
    kind = definition.kind
    status = definition.status
    rules = definition.match
    for source in definition.sources {
      switch source.kind {
      case .characteristic, .descriptor:
        attributes += source.uuids
        handles += source.handles
      case .advertisement:
        companies += source.companies
        serviceData += source.serviceData
        structures += source.structures
        if source.isOfAnyCompany { readsAnyCompany = true }
        let isPlain = source.companies.isEmpty && source.serviceData.isEmpty && source.structures.isEmpty && !source.isOfAnyCompany
        if isPlain { advertisedServices += source.services }
        if source.isWhole || isPlain { readsWhole = true }
        advertisedNames += source.names
      case .rfcomm:
        channelServices += source.uuids
        channels += source.numbers
      case .l2cap: psms += source.numbers
      }
    }
  }

  var mayReadAdvertisements: Bool {
    !companies.isEmpty || !serviceData.isEmpty || !structures.isEmpty || !advertisedServices.isEmpty || !advertisedNames.isEmpty
      || readsAnyCompany
  }

  /// The score of the match with a device: nil for no match, 0 for a profile without rules, and more for more specific rules. `isDistinctive` says
  /// that one of the rules matches by a property that only such devices have. With `isProposal` a device of unknown name matches a rule with services
  /// and a name by its services.
  func match(_ facts: PeerFacts, _ matches: PatternMatches, isProposal: Bool) -> (score: Int, isDistinctive: Bool)? {
    if rules.isEmpty { return (0, false) }
    var best: (score: Int, isDistinctive: Bool)?
    var (names, addresses) = matches.first
    for index in rules.indices {
      let ends = (names + rules[index].names.count, addresses + rules[index].addresses.count)
      defer { (names, addresses) = ends }
      let found = RuleMatches(
        names: matches.names.numbers(in: names..<ends.0).map { rules[index].names[$0 - names] },
        isOfAddress: !matches.addresses.numbers(in: addresses..<ends.1).isEmpty)
      guard let score = rules[index].score(facts, found, isProposal: isProposal) else { continue }
      best = (max(best?.score ?? 0, score), best?.isDistinctive == true || rules[index].isDistinctive(facts, found))
    }
    return best
  }
}

/// The patterns of all profiles that a device's name and address match, and the indices of the first ones of a profile.
struct PatternMatches {
  var names: GlobSet.Matches
  var addresses: GlobSet.Matches
  var first: (name: Int, address: Int)
}

/// The matches of profiles with one device, cached until more is known about it, because each of its attributes needs them.
final class DeviceMatches {
  /// The patterns of all profiles that match.
  let patterns: PatternMatches
  /// Matches of profiles with many UUIDs, by the UUIDs of an attribute that they contain.
  private var known: [Key: Match?] = [:]
  private static let maxKnown = 4096

  typealias Match = (score: Int, isDistinctive: Bool)

  private struct Key: Hashable {
    var profile: Int
    var uuids: [BluetoothUUID]
    var isProposal: Bool
  }

  init(_ patterns: PatternMatches) { self.patterns = patterns }

  /// The match of a profile, from `find` the first time.
  func match(_ profile: Int, _ uuids: [BluetoothUUID], _ isProposal: Bool, _ find: () -> Match?) -> Match? {
    let key = Key(profile: profile, uuids: uuids, isProposal: isProposal)
    if let match = known[key] { return match }
    let match = find()
    if known.count >= Self.maxKnown { known.removeAll(keepingCapacity: true) }
    known[key] = .some(match)
    return match
  }
}

/// The patterns of a rule that a device's name and address match.
struct RuleMatches {
  /// In the order of the rule.
  var names: [String]
  var isOfAddress: Bool
}

/// A look-up of the profiles that can match a device, by one property of each of their rules: a log can have too many devices to compare each with
/// every profile.
struct RuleTable: Sendable {
  private var byCompany: [UInt16: [Int]] = [:]
  private var byUUID: [BluetoothUUID: [Int]] = [:]
  /// Profiles with a rule that has only a name, or an address.
  private var byName: [Int] = []
  private var byAddress: [Int] = []
  /// Profiles without rules, or with an empty one.
  private var always: [Int] = []

  init(_ profiles: [ProfileIndex]) {
    for (number, profile) in profiles.enumerated() {
      if profile.rules.isEmpty { always.append(number) }
      for rule in profile.rules {
        // Each list that is not empty must contain one of the device's values.
        let uuids = [rule.serviceData, rule.services, rule.characteristics].first { !$0.isEmpty }
        if !rule.companies.isEmpty {
          for company in rule.companies { byCompany[company, default: []].append(number) }
        } else if let uuids {
          for uuid in uuids { byUUID[uuid, default: []].append(number) }
        } else if !rule.names.isEmpty {
          if byName.last != number { byName.append(number) }
        } else if !rule.addresses.isEmpty {
          if byAddress.last != number { byAddress.append(number) }
        } else {
          if always.last != number { always.append(number) }
        }
      }
    }
  }

  /// The numbers of all profiles that can match a device.
  func numbers(_ facts: PeerFacts) -> Set<Int> {
    var numbers = Set(always)
    for company in facts.companies { if let found = byCompany[company] { numbers.formUnion(found) } }
    for uuids in [facts.services, facts.serviceData, facts.characteristics] {
      for uuid in uuids { if let found = byUUID[uuid] { numbers.formUnion(found) } }
    }
    if facts.name != nil { numbers.formUnion(byName) }
    if facts.address != nil { numbers.formUnion(byAddress) }
    return numbers
  }
}

extension MatchRule {
  /// The sum over the keys, or nil where one of them does not match. For a proposal an unknown name matches if services do.
  func score(_ facts: PeerFacts, _ matches: RuleMatches, isProposal: Bool) -> Int? {
    var score = 0
    func uuids(_ wanted: [BluetoothUUID], _ known: [BluetoothUUID], or others: [BluetoothUUID] = []) -> Bool {
      if wanted.isEmpty { return true }
      if known.isEmpty, others.isEmpty { return false }
      guard let hit = Self.first(of: wanted, in: known, others) else { return false }
      score += hit.short32 == nil ? 4 : 2
      return true
    }
    guard uuids(services, facts.services, or: facts.serviceData), uuids(serviceData, facts.serviceData),
      uuids(characteristics, facts.characteristics)
    else { return nil }
    if !companies.isEmpty {
      guard companies.contains(where: facts.companies.contains) else { return nil }
      score += 2
    }
    let isNameOpen = isProposal && facts.name == nil && !(services.isEmpty && characteristics.isEmpty)
    if !names.isEmpty, !isNameOpen {
      guard let hit = matches.names.first else { return nil }
      score += 4 + min(hit.utf8.count, 20)
    }
    if !addresses.isEmpty {
      guard matches.isOfAddress else { return nil }
      score += 8
    }
    return score
  }
}

extension MatchRule {
  /// The first of some UUIDs that is among others. For long lists a set is used, so that the work is linear.
  private static func first(of wanted: [BluetoothUUID], in known: [BluetoothUUID], _ others: [BluetoothUUID]) -> BluetoothUUID? {
    guard wanted.count > 8, known.count + others.count > 8 else { return wanted.first { known.contains($0) || others.contains($0) } }
    let all = Set(known).union(others)
    return wanted.first { all.contains($0) }
  }

  /// Whether a matching rule has a property that few devices have: a service of its own, a company, an address, a complete name.
  func isDistinctive(_ facts: PeerFacts, _ matches: RuleMatches) -> Bool {
    if !companies.isEmpty || !addresses.isEmpty { return true }
    func isSpecific(_ wanted: [BluetoothUUID], _ known: [BluetoothUUID]) -> Bool { wanted.contains { !$0.isShared && known.contains($0) } }
    if isSpecific(services, facts.services) || isSpecific(services, facts.serviceData) || isSpecific(serviceData, facts.serviceData) {
      return true
    }
    if isSpecific(characteristics, facts.characteristics) { return true }
    return matches.names.contains { Profiles.isDistinctive(name: $0) }
  }
}

// MARK: - As one line of text, for the profiles that are built in

extension ProfileIndex {
  /// The line that `init(line:)` reads.
  var line: String {
    var words: [String] = []
    func add(_ key: String, _ values: [String]) {
      if !values.isEmpty { words.append(key + "=" + values.map(Self.quote).joined(separator: ",")) }
    }
    for rule in rules {
      words.append("|")
      add("s", rule.services.map(\.description))
      add("d", rule.serviceData.map(\.description))
      add("c", rule.companies.map { String($0, radix: 16) })
      add("n", rule.names)
      add("u", rule.characteristics.map(\.description))
      add("a", rule.addresses)
    }
    words.append("|")
    add("aliases", aliases)
    add("kind", kind.map { [$0] } ?? [])
    add("status", status.map { [$0.rawValue] } ?? [])
    add("attributes", attributes.map(\.description))
    add("handles", handles.map { String($0, radix: 16) })
    add("companies", companies.map { String($0, radix: 16) })
    add("data", serviceData.map(\.description))
    add("structures", structures.map { String($0, radix: 16) })
    add("services", advertisedServices.map(\.description))
    add("names", advertisedNames)
    add("any", readsAnyCompany ? ["company"] : [])
    add("whole", readsWhole ? ["data"] : [])
    add("rfcomm", channelServices.map(\.description))
    add("channels", channels.map { String($0) })
    add("psms", psms.map { String($0) })
    return words.joined(separator: " ")
  }

  init(id: String, title: String, line: String) {
    self.id = id
    self.title = title
    // The separators are ASCII: bytes are compared, which takes a tenth of what characters take.
    let bytes = Array(line.utf8)
    var rule = MatchRule()
    var at = 0
    while at < bytes.count {
      let start = at
      while at < bytes.count, bytes[at] != UInt8(ascii: " "), bytes[at] != UInt8(ascii: "|") { at += 1 }
      if start < at { add(bytes[start..<at], &rule) }
      guard at < bytes.count else { break }
      // The first bar begins the first rule, or the profile's own words where it has no rules; each other bar ends a rule.
      if bytes[at] == UInt8(ascii: "|") {
        if at > 0 { rules.append(rule) }
        rule = MatchRule()
      }
      at += 1
    }
  }

  /// Takes a word: a key, an equals sign, and values with commas between them.
  private mutating func add(_ word: ArraySlice<UInt8>, _ rule: inout MatchRule) {
    guard let equal = word.firstIndex(of: UInt8(ascii: "=")) else { return }
    var values: [String] = []
    var start = equal + 1
    for at in start...word.endIndex where at == word.endIndex || word[at] == UInt8(ascii: ",") {
      values.append(Self.unquote(word[start..<at]))
      start = at + 1
    }
    let uuids = { values.compactMap { BluetoothUUID($0) } }
    let numbers = { values.compactMap { UInt16($0, radix: 16) } }
    switch String(decoding: word[..<equal], as: UTF8.self) {
    case "s": rule.services = uuids()
    case "d": rule.serviceData = uuids()
    case "c": rule.companies = numbers()
    case "n": rule.names = values
    case "u": rule.characteristics = uuids()
    case "a": rule.addresses = values
    case "aliases": aliases = values
    case "kind": kind = values.first
    case "status": status = values.first.flatMap { ProfileStatus(rawValue: $0) }
    case "attributes": attributes = uuids()
    case "handles": handles = numbers()
    case "companies": companies = numbers()
    case "data": serviceData = uuids()
    case "structures": structures = numbers().map { UInt8(truncatingIfNeeded: $0) }
    case "services": advertisedServices = uuids()
    case "names": advertisedNames = values
    case "any": readsAnyCompany = true
    case "whole": readsWhole = true
    case "rfcomm": channelServices = uuids()
    case "channels": channels = values.compactMap { Int($0) }
    case "psms": psms = values.compactMap { Int($0) }
    default: break
    }
  }

  /// Spaces, commas, bars, quotes and the percent sign as `%XX`.
  private static func quote(_ text: String) -> String {
    var quoted = ""
    for scalar in text.unicodeScalars {
      if " ,|%=\"\\".unicodeScalars.contains(scalar) {
        quoted += "%" + (scalar.value < 16 ? "0" : "") + String(scalar.value, radix: 16)
      } else {
        quoted.unicodeScalars.append(scalar)
      }
    }
    return quoted
  }

  private static func unquote(_ text: ArraySlice<UInt8>) -> String {
    guard text.contains(UInt8(ascii: "%")) else { return String(decoding: text, as: UTF8.self) }
    var bytes: [UInt8] = []
    var rest = text
    while let byte = rest.popFirst() {
      if byte == UInt8(ascii: "%"), rest.count >= 2, let code = UInt8(String(decoding: rest.prefix(2), as: UTF8.self), radix: 16) {
        bytes.append(code)
        rest = rest.dropFirst(2)
      } else {
        bytes.append(byte)
      }
    }
    return String(decoding: bytes, as: UTF8.self)
  }
}
