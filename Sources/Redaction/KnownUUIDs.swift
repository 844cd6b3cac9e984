import Bluetooth
import Conversations
import PacketCodecs
import Profiles

/// Decides which UUIDs name a type or a protocol, so that readers of a capture need them, and which may be made for one device: some devices
/// advertise their serial number as a list of services.
///
/// A UUID is a name where it is assigned, a profile uses it, or a device declares it in its attribute table or in an SDP record.
struct KnownUUIDs {
  /// UUIDs that profiles use.
  private let ofProfiles: Set<BluetoothUUID>
  /// Company identifiers that profiles use.
  private let companiesOfProfiles: Set<UInt16>
  /// UUIDs that the user wants to keep.
  private let chosen: Set<BluetoothUUID>
  /// UUIDs that this capture declares.
  private var declared: Set<BluetoothUUID> = []
  /// Parts of the addresses of this capture.
  private(set) var addressParts = AddressParts()
  /// Further declared UUIDs are judged as if they were only advertised.
  private static let maxDeclared = 65_536

  /// UUIDs of all shipped profiles.
  private static let shipped = Set(shippedProfiles?.uuids ?? [])
  private static let shippedCompanies = Set(shippedProfiles?.companies ?? [])
  private static let shippedProfiles = try? ProfileSet()

  init(_ profiles: ProfileSet? = nil, chosen: [BluetoothUUID] = []) {
    ofProfiles = profiles.map { Self.shipped.union($0.uuids) } ?? Self.shipped
    companiesOfProfiles = profiles.map { Self.shippedCompanies.union($0.companies) } ?? Self.shippedCompanies
    self.chosen = Set(chosen)
  }

  /// Adds a UUID that a device declares, or that a host searches a device's attribute table for: a program contains it.
  mutating func learn(declared uuid: BluetoothUUID) {
    if declared.count < Self.maxDeclared { declared.insert(uuid) }
  }

  /// Adds the address of a device of the capture, its first written byte most significant. Pseudonyms are left out.
  mutating func learn(address: UInt64, _ pseudonyms: Pseudonyms) {
    if !pseudonyms.isPseudonym(address) { addressParts.insert(address) }
  }

  /// Adds the UUIDs and addresses from the tables of a whole capture.
  mutating func learn(_ tables: ConversationTables, _ pseudonyms: Pseudonyms) {
    for attribute in tables.attributes where attribute.uuid >= 0 && attribute.source == .discovery {
      learn(declared: tables.uuids[Int(attribute.uuid)])
    }
    for peer in tables.peers { learn(address: peer.address, pseudonyms) }
  }

  /// Whether a UUID contains four consecutive bytes of an address, in either byte order.
  static func holds(_ uuid: BluetoothUUID, partOf address: [UInt8]) -> Bool {
    let bytes = uuid.octets
    for octets in [address, address.reversed()] where octets.count >= 4 && octets.contains(where: { $0 != 0 }) {
      for start in 0...octets.count - 4 {
        if (0...12).contains(where: { bytes[$0..<$0 + 4].elementsEqual(octets[start..<start + 4]) }) { return true }
      }
    }
    return false
  }

  private static func word(_ bytes: some Sequence<UInt8>) -> UInt32 { bytes.reduce(0) { $0 << 8 | UInt32($1) } }

  /// Whether a UUID names something. `isService` where only the UUIDs of services count, as in advertising data, which have no attribute types.
  func isKnown(_ uuid: BluetoothUUID, isService: Bool) -> Bool {
    // Zeros are padding of a list, and no UUID.
    if uuid.high | uuid.low == 0 || isNamed(uuid) { return true }
    guard let short = uuid.short16 else { return AssignedNumbers.uuid(uuid) != nil }
    if Self.former.contains(where: { $0.contains(short) }) || !isService && (0x0001...0x0020).contains(short) { return true }
    let isPossible = !isService || (0x1000...0x1FFF).contains(short) || short >= 0xFC00
    return isPossible && AssignedNumbers.uuid(short) != nil
  }

  /// Whether a company identifier is known: it is assigned, a profile uses it, or it is 0xFFFF, which belongs to no company.
  func isKnown(company: UInt16) -> Bool {
    company == .max || AssignedNumbers.company(company) != nil || companiesOfProfiles.contains(company)
  }

  /// Ranges of service classes of BR/EDR. They include withdrawn ones, which devices still have. All numbers up to 0x0020 have been protocols, too.
  private static let former: [ClosedRange<UInt16>] = [0x1000...0x1002, 0x1100...0x113F, 0x1200...0x1206, 0x1300...0x1305, 0x1400...0x1402]

  /// Whether a profile, the user or the capture itself declares a UUID.
  func isNamed(_ uuid: BluetoothUUID) -> Bool { declared.contains(uuid) || ofProfiles.contains(uuid) || chosen.contains(uuid) }

  /// Whether an undeclared UUID has the form of a protocol's name. A 16-bit UUID has it from 0xFF00 on: the SIG assigns nothing there, and vendors
  /// use that block. A 128-bit UUID has it if its version and variant are those of RFC 9562, and it holds no text and no part of an address:
  /// UUIDs that are made from a serial number do not have that form.
  func readsAsName(_ uuid: BluetoothUUID) -> Bool {
    if let short = uuid.short16 { return short >= 0xFF00 }
    guard uuid.short32 == nil, (1...8).contains(uuid.high >> 12 & 0xF), uuid.low >> 62 == 0b10 else { return false }
    let bytes = uuid.octets
    if !TextRuns.ascii(in: bytes, fewest: 6).isEmpty { return false }
    return !(0...12).contains { addressParts.contains(Self.word(bytes[$0..<$0 + 4])) }
  }
}

extension BluetoothUUID {
  /// Reads a UUID of 2, 4 or 16 bytes. Nil for another length.
  init?(_ bytes: [UInt8], _ isBigEndian: Bool) {
    guard
      let uuid = isBigEndian
        ? BluetoothUUID(bigEndian: bytes.rawSpan, in: bytes.indices) : BluetoothUUID(littleEndian: bytes.rawSpan, in: bytes.indices)
    else { return nil }
    self = uuid
  }

  /// The sixteen bytes, most significant first.
  var octets: [UInt8] {
    (0..<16).map { UInt8(truncatingIfNeeded: ($0 < 8 ? high : low) >> UInt64(8 * (7 - $0 & 7))) }
  }
}

extension Pseudonyms {
  /// The pseudonym of a UUID, which has 16, 32 or 128 bits like the UUID. Pseudonyms that `isKnown` are avoided.
  func uuid(_ old: BluetoothUUID, isKnown: (BluetoothUUID) -> Bool) -> BluetoothUUID {
    var new = old
    for round in 0..<16 as Range<UInt64> {
      let hidden = values.hash(values.hash(0x75_7569_6400 + round, old.high), old.low)
      if old.short16 != nil {
        let number = UInt16(truncatingIfNeeded: hidden) & 0x7FF
        new = BluetoothUUID(number << 5 | UInt16(truncatingIfNeeded: Self.tag(ofUUID: UInt64(number), 0)) & 0x1F)
      } else if old.short32 != nil {
        let number = UInt32(truncatingIfNeeded: hidden) & 0xFF_FFFF | 0x80_0000
        new = BluetoothUUID(number << 8 | UInt32(truncatingIfNeeded: Self.tag(ofUUID: UInt64(number), 0)) & 0xFF)
      } else {
        let low = values.hash(hidden, round) & ~0xFFFF_FFFF
        new = BluetoothUUID(high: hidden, low: low | Self.tag(ofUUID: hidden, low))
      }
      if !isKnown(new) { break }
    }
    return new
  }

  /// Whether a UUID is a pseudonym. The probability of a false positive is 1/32 for 16 bits, and at most 1/256 for 32 bits.
  static func isPseudonym(uuid: BluetoothUUID) -> Bool {
    if let short = uuid.short16 { return UInt16(truncatingIfNeeded: tag(ofUUID: UInt64(short >> 5), 0)) & 0x1F == short & 0x1F }
    if let short = uuid.short32 {
      return short >> 31 == 1 && UInt32(truncatingIfNeeded: tag(ofUUID: UInt64(short >> 8), 0)) & 0xFF == short & 0xFF
    }
    return uuid.low & 0xFFFF_FFFF == tag(ofUUID: uuid.high, uuid.low & ~0xFFFF_FFFF)
  }

  /// The pseudonym of a company identifier. Pseudonyms that `isKnown` are avoided.
  func company(_ old: UInt16, isKnown: (UInt16) -> Bool) -> UInt16 {
    var new = old
    for round in 0..<16 as Range<UInt64> {
      let number = UInt16(truncatingIfNeeded: values.hash(0x63_6f6d_7000 + round, UInt64(old))) & 0x7FF
      new = number << 5 | UInt16(truncatingIfNeeded: Self.tag(ofUUID: UInt64(number), 1)) & 0x1F
      if !isKnown(new) { break }
    }
    return new
  }

  /// Whether a company identifier is a pseudonym. The probability of a false positive is 1/32.
  package static func isPseudonym(company: UInt16) -> Bool {
    UInt16(truncatingIfNeeded: tag(ofUUID: UInt64(company >> 5), 1)) & 0x1F == company & 0x1F
  }

  private static func tag(ofUUID high: UInt64, _ low: UInt64) -> UInt64 { publicHash.hash(high, low) >> 32 }
}
