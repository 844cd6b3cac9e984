import Bluetooth

/// A kind of private data in a capture.
public enum ExposureKind: Int, Sendable, CaseIterable, Comparable {
  /// A device address.
  case address
  /// The name of a device or a person, or a serial number.
  case name
  /// A key, or key material.
  case key
  /// A passkey, or a number that was compared or entered.
  case passkey
  /// A PIN code.
  case pin
  /// A password that a profile marks as secret.
  case password
  /// Free text: a comment, a log line, a note of the system.
  case text
  /// Voice: data of synchronous and isochronous links.
  case voice
  /// Bytes that btscribe does not decode.
  case unknown
  /// The value of a characteristic, of advertising data or of a protocol's field.
  case value

  /// In the order in which they are listed.
  public static func < (a: ExposureKind, b: ExposureKind) -> Bool { a.rawValue < b.rawValue }

  /// Singular and plural, for output.
  public var words: (singular: String, several: String) {
    switch self {
    case .address: ("address", "addresses")
    case .name: ("name", "names")
    case .key: ("key", "keys")
    case .passkey: ("passkey", "passkeys")
    case .pin: ("PIN code", "PIN codes")
    case .password: ("password", "passwords")
    case .text: ("text", "texts")
    case .voice: ("packet of voice", "packets of voice")
    case .unknown: ("part that btscribe does not decode", "parts that btscribe does not decode")
    case .value: ("value", "values")
    }
  }
}

/// Private data that a capture has in one field.
public struct Exposure: Sendable {
  /// The kind of the data.
  public var kind: ExposureKind
  /// The field that it was found in, as the Core Specification or a profile names it.
  public var field: String
  /// How often it was found.
  public var count = 0
  /// Number of different values, as far as they were counted.
  public var different = 0
  /// The first frames, at most ``maxFrames``.
  public var frames: [Int] = []

  /// Upper bound of ``frames``.
  public static let maxFrames = 5
}

/// Counts private data in a capture.
struct ExposureCounter {
  private struct Key: Hashable {
    var kind: ExposureKind
    var field: String
  }
  /// Different values are counted, too.
  let isDetailed: Bool
  private var entries: [Exposure] = []
  private var indices: [Key: Int] = [:]
  /// The entries of fields of layouts, by the address of their name and their kind.
  private var known: [UInt: Int] = [:]
  /// Hashes of the different values, by entry.
  private var seen: [Set<UInt64>] = []
  /// Further values are counted, but not compared.
  private static let maxDifferent = 65_536

  init(isDetailed: Bool) { self.isDetailed = isDetailed }

  /// Counts one value. Equal values increase ``Exposure/different`` once.
  mutating func add(_ kind: ExposureKind, _ field: StaticName, frame: Int, _ value: () -> [UInt8]) {
    let address = unsafe UInt(bitPattern: field.start) &* 16 &+ UInt(kind.rawValue)
    if let index = known[address] { return add(index, frame, value) }
    let index = index(kind, field.description)
    known[address] = index
    add(index, frame, value)
  }

  /// Counts one value of a field of a profile.
  mutating func add(_ kind: ExposureKind, _ field: String, frame: Int, _ value: () -> [UInt8]) { add(index(kind, field), frame, value) }

  /// The index of a field's entry; adds one where there is none.
  mutating func index(_ kind: ExposureKind, _ field: String) -> Int {
    let key = Key(kind: kind, field: field)
    if let known = indices[key] { return known }
    entries.append(Exposure(kind: kind, field: field))
    seen.append([])
    indices[key] = entries.count - 1
    return entries.count - 1
  }

  /// Counts one value of an entry.
  mutating func add(_ index: Int, _ frame: Int, _ value: () -> [UInt8]) {
    entries[index].count += 1
    if entries[index].frames.count < Exposure.maxFrames, entries[index].frames.last != frame { entries[index].frames.append(frame) }
    guard isDetailed, seen[index].count < Self.maxDifferent else { return }
    var hash: UInt64 = 0xCBF2_9CE4_8422_2325
    for byte in value() { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01B3 }
    if seen[index].insert(hash).inserted { entries[index].different += 1 }
  }

  /// All entries, sorted by kind and first frame.
  var list: [Exposure] { entries.sorted { ($0.kind, $0.frames.first ?? 0, $0.field) < ($1.kind, $1.frames.first ?? 0, $1.field) } }
}

/// Counts fields that are kept although they are wide enough to carry something private.
struct KeptCounter {
  private struct Key: Hashable {
    var rule: Rule
    var field: String
    var could: String
  }
  private var entries: [Key: KeptField] = [:]
  /// Further fields are not counted.
  private static let maxCount = 4096

  /// Counts one occurrence of `count` bytes.
  mutating func add(_ rule: Rule, _ field: String, _ count: Int, _ frame: Int) {
    let could =
      switch count {
      case ..<4: "six digits"
      case ..<6: "six digits, text"
      case ..<8: "an address, text"
      default: "an address, text, a key"
      }
    let key = Key(rule: rule, field: field, could: could)
    guard entries[key] != nil || entries.count < Self.maxCount else { return }
    var entry = entries[key] ?? KeptField(rule: rule, field: field, could: could)
    entry.count += 1
    if entry.frames.count < Exposure.maxFrames, entry.frames.last != frame { entry.frames.append(frame) }
    entries[key] = entry
  }

  /// All entries, sorted by rule and field.
  var list: [KeptField] {
    entries.values.sorted { ($0.rule.rawValue, $0.field, $0.could) < ($1.rule.rawValue, $1.field, $1.could) }
  }
}
