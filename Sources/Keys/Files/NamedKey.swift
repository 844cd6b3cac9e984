import Bluetooth
import Text

/// A key of an application protocol, with the id of the profile that describes it and the key's name there: `bthome.bindkey`.
public struct NamedKey: Hashable, Sendable {
  /// The profile's id.
  public var profile: String
  /// The key's name in the profile.
  public var name: String
  /// The bytes in the order of the text.
  public var bytes: [UInt8]
  /// The device with the key, if given.
  public var address: DeviceAddress?

  /// Most bytes of a key.
  public static let maxBytes = 64

  /// Whether a text has the form of such a key: a word with a dot before `=`.
  public static func isNamed(_ text: some StringProtocol) -> Bool {
    guard let equals = text.firstIndex(of: "=") else { return false }
    return text[..<equals].contains(".")
  }

  /// Reads `PROFILE.NAME=HEX`, followed by `@ADDRESS` for the key of one device. Throws ``KeyError``, which does not repeat the key.
  public init(text: String) throws(KeyError) {
    let text = text.trimmed
    guard let equals = text.firstIndex(of: "="), let dot = text[..<equals].firstIndex(of: ".") else {
      throw KeyError("a key of a profile is written PROFILE.NAME=HEX, as in bthome.bindkey=…")
    }
    let word = text[..<equals]
    profile = String(text[..<dot])
    name = String(text[text.index(after: dot)..<equals])
    guard Self.isWord(profile), Self.isWord(name) else {
      throw KeyError("'\(word.prefix(40))' is not a key of a profile: write PROFILE.NAME=HEX, as in bthome.bindkey=…")
    }
    let parts = text[text.index(after: equals)...].split(separator: "@", maxSplits: 1, omittingEmptySubsequences: false)
    if parts.count > 1 {
      guard let known = DeviceAddress(parts[1]) else { throw KeyError("'\(parts[1].prefix(24))' after \(word)=…@ is not an address") }
      address = known
    }
    guard let bytes = Key.bytes(hexadecimal: parts[0]), !bytes.isEmpty else {
      throw KeyError("\(word)= takes hexadecimal digits, two for each octet")
    }
    guard bytes.count <= Self.maxBytes else {
      throw KeyError("\(word)= takes at most \(Self.maxBytes) octets, and \(bytes.count) were given")
    }
    self.bytes = bytes
  }

  /// The form that ``init(text:)`` reads.
  public var text: String { "\(profile).\(name)=\(String(hexOf: bytes))" + (address.map { "@\($0)" } ?? "") }

  private static func isWord(_ text: String) -> Bool {
    !text.isEmpty && text.utf8.count <= 64
      && text.utf8.allSatisfy {
        switch $0 {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), UInt8(ascii: "-"): true
        default: false
        }
      }
  }
}

extension String {
  fileprivate var trimmed: String {
    var text = self[...]
    while text.first?.isWhitespace == true { text.removeFirst() }
    while text.last?.isWhitespace == true { text.removeLast() }
    return String(text)
  }
}
