import Bluetooth
import Conversations
import Memory

/// What is done with a range of bytes.
enum Treatment: Equatable {
  /// It stays.
  case keep(Rule)
  /// A device address, least significant byte first, or most significant first.
  case address(isPublic: Bool, isBigEndian: Bool)
  /// A key, a passkey or what one is made from.
  case key
  /// A PIN code: its digits become zeros.
  case pin
  /// A name of a device: parts that profiles go by stay.
  case name
  /// A text of a profile, in which such parts stay, too.
  case label
  /// A text: it becomes one of the same characters.
  case text
  /// A password: signs become letters, as they are a part of it.
  case password
  /// A number: it becomes another, whatever it reads as.
  case number
  /// Any other value: what reads as text becomes small letters, other bytes others.
  case value
  /// A key of a remote control that is a digit, in a byte whose first bit says whether it is released: it becomes the key 0.
  case digitKey
  /// Voice becomes silence.
  case silence
  /// Text of a log: it becomes one and the same.
  case remark
  /// A UUID that names nothing: it becomes another one.
  case uuid(isBigEndian: Bool)
  /// A company number that nobody was assigned: it becomes another one.
  case company
  /// Bytes in place of advertising structures: what replaces them begins with no type that was assigned.
  case raw

  /// What is replaced is a value, of which more may be said later.
  var isOfValue: Bool {
    switch self {
    case .value, .text, .number, .company, .raw: true
    default: false
    }
  }
}

/// Why bytes stay.
public enum Rule: UInt8, Sendable, CaseIterable {
  /// A header of a protocol at its fixed place: type, opcode, handle, length.
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
  /// A part of a name that a profile goes by.
  case pattern
  /// The user asked for it.
  case option

  /// For people.
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

/// A field whose bytes stay although they could carry something.
public struct KeptField: Sendable {
  /// What lets it through.
  public var rule: Rule
  /// The field.
  public var field: String
  /// What it could carry, in words.
  public var could: String
  /// How often.
  public var count = 0
  /// The first frames, at most ``Exposure/maxFrames``.
  public var frames: [Int] = []
}

/// What the sets of ``AllowedFields`` say of the last names of fields: names of layouts are few, lie where they are as long as the program runs, and each
/// comes with every packet.
struct NameMarks {
  private var entries = [(start: UInt, count: Int, isDiversifier: Bool)](repeating: (0, 0, false), count: NameMarks.maxCount)
  private static let maxCount = 256

  /// Whether a field is one of ``AllowedFields/diversifiers``.
  mutating func isDiversifier(_ name: StaticName) -> Bool {
    let start = unsafe UInt(bitPattern: name.start)
    let place = Int((start ^ start >> 8) & UInt(Self.maxCount - 1))
    if entries[place].start == start, entries[place].count == name.count { return entries[place].isDiversifier }
    entries[place] = (start, name.count, AllowedFields.diversifiers.contains(name))
    return entries[place].isDiversifier
  }
}
