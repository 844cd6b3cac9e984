import Bluetooth
import Conversations
import PacketCodecs
import Profiles

/// Which UUIDs name a type or a protocol, so that whoever reads a capture needs them, and which may be made for one device: some devices advertise
/// their serial number as a list of services.
///
/// What was assigned, what a profile goes by, and what a device declares in its attribute table or in a record of SDP is the name of something.
struct KnownUUIDs {
  /// UUIDs that profiles go by.
  private let ofProfiles: Set<BluetoothUUID>
  /// The same of company numbers.
  private let companiesOfProfiles: Set<UInt16>
  /// UUIDs that the user wants to stay.
  private let chosen: Set<BluetoothUUID>
  /// UUIDs that this capture declares.
  private var declared: Set<BluetoothUUID> = []
  /// Parts of the addresses of this capture.
  private(set) var addressParts = AddressParts()
  /// As many declared UUIDs are known; those of another are judged as what is only advertised.
  private static let maxDeclared = 65_536

  /// Those of all shipped profiles.
  private static let shipped = Set(shippedProfiles?.uuids ?? [])
  private static let shippedCompanies = Set(shippedProfiles?.companies ?? [])
  private static let shippedProfiles = try? ProfileSet()

  init(_ profiles: ProfileSet? = nil, chosen: [BluetoothUUID] = []) {
    ofProfiles = profiles.map { Self.shipped.union($0.uuids) } ?? Self.shipped
    companiesOfProfiles = profiles.map { Self.shippedCompanies.union($0.companies) } ?? Self.shippedCompanies
    self.chosen = Set(chosen)
  }

  /// A UUID that a device declares, or that a host asks a device's attribute table for: a program has it.
  mutating func learn(declared uuid: BluetoothUUID) {
    if declared.count < Self.maxDeclared { declared.insert(uuid) }
  }

  /// The address of a device of the capture, its first written byte topmost; pseudonyms are nobody's.
  mutating func learn(address: UInt64, _ pseudonyms: Pseudonyms) {
    if !pseudonyms.isPseudonym(address) { addressParts.insert(address) }
  }

  /// What the tables of a whole capture say.
  mutating func learn(_ tables: Tables, _ pseudonyms: Pseudonyms) {
    for attribute in tables.attributes where attribute.uuid >= 0 && attribute.source == .discovery {
      learn(declared: tables.uuids[Int(attribute.uuid)])
    }
    for peer in tables.peers { learn(address: peer.address, pseudonyms) }
  }

  /// Whether four bytes in a row of an address, in either order, are in a UUID.
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

  /// Whether a UUID is the name of something; `isService` where it is that of a service if it is any: an attribute's type advertises nothing.
  func isKnown(_ uuid: BluetoothUUID, isService: Bool) -> Bool {
    // Zeros are none: they fill a list up.
    if uuid.high | uuid.low == 0 || isNamed(uuid) { return true }
    guard let short = uuid.short16 else { return AssignedNumbers.uuid(uuid) != nil }
    if Self.former.contains(where: { $0.contains(short) }) || !isService && (0x0001...0x0020).contains(short) { return true }
    let isPossible = !isService || (0x1000...0x1FFF).contains(short) || short >= 0xFC00
    return isPossible && AssignedNumbers.uuid(short) != nil
  }

  /// Whether a company number is one: it was assigned, a profile goes by it, or it is the one that is nobody's.
  func isKnown(company: UInt16) -> Bool {
    company == .max || AssignedNumbers.company(company) != nil || companiesOfProfiles.contains(company)
  }

  /// Where service classes of BR/EDR lie, of which some are withdrawn; devices have them all the same. So have the first numbers been protocols' once.
  private static let former: [ClosedRange<UInt16>] = [0x1000...0x1002, 0x1100...0x113F, 0x1200...0x1206, 0x1300...0x1305, 0x1400...0x1402]

  /// Whether a profile, the user or the capture itself says what a UUID is.
  func isNamed(_ uuid: BluetoothUUID) -> Bool { declared.contains(uuid) || ofProfiles.contains(uuid) || chosen.contains(uuid) }

  /// Whether a UUID that nobody declares is the name of a protocol by its form. One of 16 bits is in the block from 0xFF00 on, of which the SIG assigns
  /// nothing, so that makers take their numbers from it. One of 128 bits was drawn or computed as RFC 9562 has it, and holds no text and no part of an
  /// address. Who makes a UUID of a serial number does not keep to that form.
  func readsAsName(_ uuid: BluetoothUUID) -> Bool {
    if let short = uuid.short16 { return short >= 0xFF00 }
    guard uuid.short32 == nil, (1...8).contains(uuid.high >> 12 & 0xF), uuid.low >> 62 == 0b10 else { return false }
    let bytes = uuid.octets
    if !TextRuns.ascii(in: bytes, fewest: 6).isEmpty { return false }
    return !(0...12).contains { addressParts.contains(Self.word(bytes[$0..<$0 + 4])) }
  }
}

extension BluetoothUUID {
  /// Reads a UUID of 2, 4 or 16 bytes. Nil for another count.
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
  /// The pseudonym of a UUID, in the form of 16, 32 or 128 bits that it has itself: none that `isKnown`.
  func uuid(_ old: BluetoothUUID, isKnown: (BluetoothUUID) -> Bool) -> BluetoothUUID {
    var new = old
    for round in 0..<16 as Range<UInt64> {
      let hidden = values.hash(values.hash(0x75_7569_6400 + round, old.high), old.low)
      if old.short16 != nil {
        let number = UInt16(truncatingIfNeeded: hidden) & 0x7FF
        new = BluetoothUUID(number << 5 | UInt16(truncatingIfNeeded: Self.mark(ofUUID: UInt64(number), 0)) & 0x1F)
      } else if old.short32 != nil {
        let number = UInt32(truncatingIfNeeded: hidden) & 0xFF_FFFF | 0x80_0000
        new = BluetoothUUID(number << 8 | UInt32(truncatingIfNeeded: Self.mark(ofUUID: UInt64(number), 0)) & 0xFF)
      } else {
        let low = values.hash(hidden, round) & ~0xFFFF_FFFF
        new = BluetoothUUID(high: hidden, low: low | Self.mark(ofUUID: hidden, low))
      }
      if !isKnown(new) { break }
    }
    return new
  }

  /// Whether a UUID is a pseudonym. Another one is taken for one in one of 32 cases where it has 16 bits, and in one of 256 where it has 32.
  static func isPseudonym(uuid: BluetoothUUID) -> Bool {
    if let short = uuid.short16 { return UInt16(truncatingIfNeeded: mark(ofUUID: UInt64(short >> 5), 0)) & 0x1F == short & 0x1F }
    if let short = uuid.short32 {
      return short >> 31 == 1 && UInt32(truncatingIfNeeded: mark(ofUUID: UInt64(short >> 8), 0)) & 0xFF == short & 0xFF
    }
    return uuid.low & 0xFFFF_FFFF == mark(ofUUID: uuid.high, uuid.low & ~0xFFFF_FFFF)
  }

  /// The pseudonym of a company number: none that `isKnown`.
  func company(_ old: UInt16, isKnown: (UInt16) -> Bool) -> UInt16 {
    var new = old
    for round in 0..<16 as Range<UInt64> {
      let number = UInt16(truncatingIfNeeded: values.hash(0x63_6f6d_7000 + round, UInt64(old))) & 0x7FF
      new = number << 5 | UInt16(truncatingIfNeeded: Self.mark(ofUUID: UInt64(number), 1)) & 0x1F
      if !isKnown(new) { break }
    }
    return new
  }

  /// Whether a company number is a pseudonym. Another one is taken for one in one of 32 cases.
  package static func isPseudonym(company: UInt16) -> Bool {
    UInt16(truncatingIfNeeded: mark(ofUUID: UInt64(company >> 5), 1)) & 0x1F == company & 0x1F
  }

  private static func mark(ofUUID high: UInt64, _ low: UInt64) -> UInt64 { publicHash.hash(high, low) >> 32 }
}
