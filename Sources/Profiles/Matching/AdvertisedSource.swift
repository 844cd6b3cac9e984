import Bluetooth

/// The owners of the company identifiers and services under which a source reads advertised data, and further conditions on the device.
package struct AdvertisedSource: Sendable {
  /// The identifier of advertised data.
  package enum Number: Hashable, Sendable {
    case company(UInt16)
    case service(BluetoothUUID)
  }

  /// Only devices with a name that the profile matches, or with a service that other devices do not advertise, are read.
  package let requiresDevice: Bool
  /// It reads the data of all companies, or of several unrelated ones.
  private let isOfSeveralOwners: Bool
  private var known: (number: Number, isOfOwner: Bool)?

  init(_ source: CompiledSource, _ rules: [MatchRule]) {
    let owners = Set(source.companies.map { AssignedNumbers.company($0)?.description ?? "" })
    isOfSeveralOwners = source.isOfAnyCompany || owners.count > 1
    requiresDevice =
      !source.names.isEmpty || source.services.contains(where: Self.isDistinctive)
      || !rules.isEmpty
        && rules.allSatisfy { !$0.names.isEmpty || !$0.addresses.isEmpty || $0.services.contains(where: Self.isDistinctive) }
  }

  /// Whether the identifier has an owner, who defines the data under it. Under others any data can be advertised.
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

  /// Chip vendors, whose customers use their identifiers, as the examples of their development kits do.
  private static let ofMakersOfChips: Set<UInt16> = [0x0059, 0x02E5]
  /// The same for a vendor of modules.
  private static let ofMakersOfModules: Set<UInt16> = [0xFD50]

  /// Whether a company identifier was assigned; 0xFFFF is reserved.
  private static func isOfOwner(_ company: UInt16) -> Bool {
    company != .max && !ofMakersOfChips.contains(company) && AssignedNumbers.company(company) != nil
  }

  /// Whether a service was assigned to an owner. Services of the Bluetooth SIG can be used by anyone, except those whose service data the SIG
  /// defines: those of Mesh, and the announcements of LE Audio.
  private static func isOfOwner(_ service: BluetoothUUID) -> Bool {
    guard let short = service.short16 else { return service.isOwned }
    switch short {
    case 0x1827, 0x1828, 0x184E...0x1858: return true
    case 0xFC00...: return !ofMakersOfModules.contains(short) && AssignedNumbers.uuid(short) != nil
    default: return false
    }
  }

  /// Whether only few kinds of devices advertise a service.
  private static func isDistinctive(_ service: BluetoothUUID) -> Bool {
    guard let short = service.short16 else { return service.isOwned }
    return !service.isShared && (short < 0x1800 || short >= 0x2C00)
  }
}

extension ProfileMessage {
  /// The source of an advertised message.
  package var advertisedSource: AdvertisedSource { AdvertisedSource(profile.sources[sourceNumber], profile.match) }
}

extension CompiledProfile {
  /// Whether a device's name matches a pattern of the profile.
  package func wants(name: String) -> Bool {
    let patterns = match.flatMap(\.names) + sources.flatMap(\.names)
    return !patterns.isEmpty && GlobSet(patterns).contain(name)
  }
}
