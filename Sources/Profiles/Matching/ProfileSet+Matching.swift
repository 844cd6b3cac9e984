import Bluetooth

/// Finds the profiles that match a device, and those that can decode its attributes.
extension ProfileSet {
  /// The patterns of device names in the rules of the profiles with these ids; `*` stands for any characters, `?` for one.
  package func devicePatterns(of ids: Set<String>) -> [String] {
    indexes.filter { ids.contains($0.id) }.flatMap { $0.rules.flatMap(\.names) + $0.advertisedNames }
  }

  /// The company identifiers of advertised data that the profiles read, and those that they match by.
  package var companies: [UInt16] { indexes.flatMap { $0.companies + $0.rules.flatMap(\.companies) } }

  /// The UUIDs in the profiles: of services, characteristics, descriptors, channels and advertised data.
  package var uuids: [BluetoothUUID] {
    indexes.flatMap { index in
      index.attributes + index.serviceData + index.advertisedServices + index.channelServices
        + index.rules.flatMap { $0.services + $0.serviceData + $0.characteristics }
    }
  }

  /// The profiles that match a device, best first.
  func candidates(_ facts: PeerFacts, proposes: Bool = false) -> [Candidate] {
    candidates(facts, matches(facts), with: [], among: rules.numbers(facts).union(given), proposes: proposes)
  }

  /// The profiles that match a device and can have one of its attributes by UUID or handle: no others are compiled for it. Given profiles are always
  /// included, so that a mistake in one is reported. `facts` are those of `known`, with the `uuids` of the attribute itself.
  func candidates(
    _ facts: PeerFacts, _ known: DeviceMatches, with uuids: [BluetoothUUID], attribute: BluetoothUUID?, handle: UInt16?,
    proposes: Bool = false
  ) -> [Candidate] {
    var numbers = given
    if let known = attribute.flatMap({ byAttribute[$0] }) { numbers.formUnion(known) }
    if let known = handle.flatMap({ byHandle[$0] }) { numbers.formUnion(known) }
    return candidates(facts, known, with: uuids, among: numbers, proposes: proposes)
  }

  /// The matches that are the same for all attributes of a device.
  func matches(_ facts: PeerFacts) -> DeviceMatches {
    DeviceMatches(
      PatternMatches(
        names: facts.name.map { names.matches($0) } ?? .none, addresses: facts.address.map { addresses.matches($0) } ?? .none,
        first: (0, 0)))
  }

  private func candidates(
    _ facts: PeerFacts, _ known: DeviceMatches, with uuids: [BluetoothUUID], among numbers: some Sequence<Int>, proposes: Bool
  ) -> [Candidate] {
    var found: [Candidate] = []
    var matches = known.patterns
    for number in numbers {
      let item = items[number]
      matches.first = firstPatterns[number]
      let match =
        if let own = item.manyUUIDs {
          known.match(number, uuids.filter(own.contains), proposes) { item.index.match(facts, matches, isProposal: proposes) }
        } else {
          item.index.match(facts, matches, isProposal: proposes)
        }
      if item.origin == .given {
        found.append(Candidate(profile: number, score: 1000 + (match?.score ?? 0)))
      } else if let match {
        let isGuess = proposes && facts.name == nil && item.index.match(facts, matches, isProposal: false) == nil
        let isDistinctive = (match.isDistinctive || item.origin == .folder) && !isGuess
        found.append(Candidate(profile: number, score: match.score, isDistinctive: isDistinctive, isGuess: isGuess))
      }
    }
    return found.sorted {
      ($0.score, items[$0.profile].origin.rawValue, $0.profile) > ($1.score, items[$1.profile].origin.rawValue, $1.profile)
    }
  }

  /// The profile whose `match` has the highest score for a device; nil where none matches. For summaries.
  public func best(_ facts: PeerFacts) -> Summary? {
    guard let first = candidates(facts).first, first.score > 0 else { return nil }
    return Summary(first.profile, items[first.profile])
  }

  /// Whether a name matches a pattern of any profile of advertisements.
  func matches(name: String) -> Bool { advertisedNames.contain(name) }

  func mayKnow(_ number: Int, channel: Int?, service: BluetoothUUID?, psm: Int?) -> Bool {
    let item = items[number]
    if let psm, item.index.psms.contains(psm) { return true }
    if let service, item.index.channelServices.contains(service) { return true }
    if let channel, item.index.channels.contains(channel) { return true }
    return false
  }

  /// Whether any profile reads AD structures of this kind.
  @inline(__always)
  func read(_ kind: AdvertisingData.Kind) -> Bool { structures[Int(kind.rawValue &>> 6)] &>> UInt64(kind.rawValue & 63) & 1 == 1 }

  /// Whether a profile can decode such advertised data.
  func mayDecode(_ data: AdvertisedData, _ number: Int) -> Bool {
    let item = items[number]
    if item.origin == .given { return item.index.mayReadAdvertisements }
    switch data {
    case .company(let company): return item.index.readsAnyCompany || item.index.companies.contains(company)
    case .service(let uuid, _): return item.index.serviceData.contains(uuid)
    case .structure(let type): return item.index.structures.contains(type)
    case .whole: return item.index.readsWhole
    }
  }
}
