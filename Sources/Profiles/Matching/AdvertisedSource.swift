import Bluetooth

/// Whose the numbers are that a source reads advertised data under, and what else a device has to advertise so that it reads them.
package struct AdvertisedSource: Sendable {
  /// What data of an advertisement stand under.
  package enum Number: Hashable, Sendable {
    case company(UInt16)
    case service(BluetoothUUID)
  }

  /// Only devices with a name that the profile wants, or that advertise a service which others do not, are read.
  package let asksForDevice: Bool
  /// It reads the data of all companies, or those of several that have nothing to do with each other.
  private let isOfSeveralOwners: Bool
  private var known: (number: Number, isOfOwner: Bool)?

  init(_ source: CompiledSource, _ rules: [MatchRule]) {
    let owners = Set(source.companies.map { AssignedNumbers.company($0)?.description ?? "" })
    isOfSeveralOwners = source.isOfAnyCompany || owners.count > 1
    asksForDevice =
      !source.names.isEmpty || source.services.contains(where: Self.isDistinctive)
      || !rules.isEmpty
        && rules.allSatisfy { !$0.names.isEmpty || !$0.addresses.isEmpty || $0.services.contains(where: Self.isDistinctive) }
  }

  /// Whether the number belongs to somebody, who says what the data under it are. Under others anybody advertises what he likes.
  package mutating func isOfOwner(_ number: Number) -> Bool {
    if let known, known.number == number { return known.isOfOwner }
    let isOfOwner =
      switch number {
      case .company(let company): !isOfSeveralOwners && Self.isOfOwner(company)
      case .service(let service): Self.isOfOwner(service)
      }
    known = (number, isOfOwner)
    return isOfOwner
  }

  /// Makers of chips, whose customers advertise under their numbers, as the examples of their development kits do.
  private static let ofMakersOfChips: Set<UInt16> = [0x0059, 0x02E5]
  /// The same of a maker of modules.
  private static let ofMakersOfModules: Set<UInt16> = [0xFD50]

  /// Whether a company number was assigned; 0xFFFF is nobody's.
  private static func isOfOwner(_ company: UInt16) -> Bool {
    company != .max && !ofMakersOfChips.contains(company) && AssignedNumbers.company(company) != nil
  }

  /// Whether a service was assigned to somebody. Under services of the Bluetooth SIG everybody advertises, but for those of which it says itself what is
  /// advertised under them: those of Mesh, and the announcements of LE Audio.
  private static func isOfOwner(_ service: BluetoothUUID) -> Bool {
    guard let short = service.short16 else { return service.isOwned }
    switch short {
    case 0x1827, 0x1828, 0x184E...0x1858: return true
    case 0xFC00...: return !ofMakersOfModules.contains(short) && AssignedNumbers.uuid(short) != nil
    default: return false
    }
  }

  /// Whether few devices advertise a service.
  private static func isDistinctive(_ service: BluetoothUUID) -> Bool {
    guard let short = service.short16 else { return service.isOwned }
    return !service.isShared && (short < 0x1800 || short >= 0x2C00)
  }
}

extension ProfileMessage {
  /// Of an advertised message what is known of its source.
  package var advertisedSource: AdvertisedSource { AdvertisedSource(profile.sources[sourceNumber], profile.match) }
}

extension CompiledProfile {
  /// Whether a device's name is one that the profile wants.
  package func wants(name: String) -> Bool {
    let patterns = match.flatMap(\.names) + sources.flatMap(\.names)
    return !patterns.isEmpty && GlobSet(patterns).contain(name)
  }
}
