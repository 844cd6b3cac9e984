import Bluetooth
import Conversations
import Memory

/// The treatment of a range of bytes.
enum Treatment: Equatable {
  /// It is kept.
  case keep(Rule)
  /// A device address, least significant byte first, or most significant first.
  case address(isPublic: Bool, isBigEndian: Bool)
  /// A key, a passkey or key material.
  case key
  /// A PIN code: its digits become zeros.
  case pin
  /// A name of a device: parts that patterns of profiles match are kept.
  case name
  /// A text of a profile, in which such parts are kept, too.
  case label
  /// A text: its letters and digits become others of the same kind.
  case text
  /// A password: its punctuation is replaced by letters.
  case password
  /// A number: it becomes another one, even if its bytes read as text.
  case number
  /// A number among numbers that read as a text: its bytes become others that are no characters of ASCII.
  case numberInText
  /// Any other value: text becomes lowercase letters, other bytes become other bytes.
  case value
  /// A digit key of a remote control, in a byte whose most significant bit is set on release: it becomes the key 0.
  case digitKey
  /// Voice, or an input report: it becomes zeros.
  case silence
  /// Text of a log: it becomes a constant text.
  case remark
  /// An unknown UUID: it becomes another one.
  case uuid(isBigEndian: Bool)
  /// An unassigned company identifier: it becomes another one.
  case company
  /// Bytes in place of advertising structures: the replacement has no assigned type in its first structure.
  case raw

  /// It is a value, of which a later PDU or message may keep parts.
  var isOfValue: Bool {
    switch self {
    case .value, .text, .number, .numberInText, .company, .raw: true
    default: false
    }
  }
}

/// The reason why bytes are kept.
public enum Rule: UInt8, Sendable, CaseIterable {
  /// A header of a protocol at its fixed offset: type, opcode, handle, length.
  case header
  /// A number, an enumeration or a bit field of a protocol's layout.
  case parameter
  /// A UUID, which names a type.
  case uuid
  /// A UUID of 128 bits that is only advertised, and looks like the name of a protocol.
  case advertisedUUID
  /// A field of a layout that is known to be harmless: a map of channels, a list of features.
  case harmless
  /// The value of a characteristic or descriptor of the Bluetooth SIG that is known to be harmless.
  case standardValue
  /// The framing of a profile's messages: headers of fragments, lengths, checksums, the structure of JSON, CBOR and protobuf.
  case framing
  /// A number or an enumeration of a profile.
  case profile
  /// A part of a name that a profile's pattern matches.
  case pattern
  /// The user requested it.
  case option

  /// For output.
  public var words: String {
    switch self {
    case .header: "header"
    case .parameter: "parameter"
    case .uuid: "UUID"
    case .advertisedUUID: "UUID that is only advertised"
    case .harmless: "harmless field"
    case .standardValue: "standard value"
    case .framing: "framing of a profile"
    case .profile: "number of a profile"
    case .pattern: "name that profiles go by"
    case .option: "option"
    }
  }
}

/// A kept field that could carry something private.
public struct KeptField: Sendable {
  /// The rule that keeps it.
  public var rule: Rule
  /// The field.
  public var field: String
  /// What it could carry, in words, by its size.
  public var could: String
  /// Number of occurrences.
  public var count = 0
  /// The first frames, at most ``Exposure/maxFrames``.
  public var frames: [Int] = []
}

/// Cache of lookups in ``AllowedFields/diversifiers``, by the address of a field's name: names of layouts are few, and keep their addresses as long
/// as the program runs.
struct DiversifierCache {
  private var entries = [(start: UInt, count: Int, isDiversifier: Bool)](repeating: (0, 0, false), count: DiversifierCache.maxCount)
  private static let maxCount = 256

  /// Whether a field is one of ``AllowedFields/diversifiers``.
  mutating func contains(_ name: StaticName) -> Bool {
    let start = unsafe UInt(bitPattern: name.start)
    let index = Int((start ^ start >> 8) & UInt(Self.maxCount - 1))
    if entries[index].start == start, entries[index].count == name.count { return entries[index].isDiversifier }
    entries[index] = (start, name.count, AllowedFields.diversifiers.contains(name))
    return entries[index].isDiversifier
  }
}
