import Bluetooth
import Text

/// An error in a given key.
public struct KeyError: Error, CustomStringConvertible, Equatable {
  /// The error message.
  public let description: String

  /// Creates an error with a message.
  public init(_ description: String) { self.description = description }
}

extension Key {
  /// Reads `ltk=HEX`, `passkey=123456` and so on, followed by `@ADDRESS` for the key of one device, and by ` ediv=` and ` rand=` for a key of legacy
  /// pairing. Throws ``KeyError``, which does not repeat the key.
  public init(text: String) throws(KeyError) {
    if text.prefix(5).lowercased() == "code=" {
      self = try Self.code(text.dropFirst(5))
      return
    }
    if let key = try Self.labelled(text) {
      self = key
      return
    }
    let words = text.split(whereSeparator: \.isWhitespace)
    guard let first = words.first, let equals = first.firstIndex(of: "=") else {
      throw KeyError("a key is written KIND=HEX, as in ltk=…, or PROFILE.NAME=HEX, as in bthome.bindkey=…; kinds are \(Self.kinds)")
    }
    let word = first[..<equals].lowercased()
    guard let kind = Kind(rawValue: word) else { throw KeyError("no kind of key '\(word.prefix(20))'; kinds are \(Self.kinds)") }
    let parts = first[first.index(after: equals)...].split(separator: "@", maxSplits: 1, omittingEmptySubsequences: false)
    let value = parts[0]
    var address: DeviceAddress?
    if parts.count > 1 {
      guard let known = DeviceAddress(parts[1]) else { throw KeyError("'\(parts[1].prefix(24))' after \(word)=…@ is not an address") }
      address = known
    }
    if kind == .passkey {
      guard (1...6).contains(value.utf8.count), let number = UInt64(value), value.utf8.allSatisfy({ 0x30...0x39 ~= $0 }) else {
        throw KeyError("a passkey is a number of six digits")
      }
      self.init(.passkey, Block128(high: 0, low: number), address: address)
    } else {
      guard var bytes = Self.bytes(hexadecimal: value) else { throw KeyError("\(word)= takes hexadecimal digits, two for each octet") }
      let count = kind == .privateKey ? 32 : 16
      guard bytes.count <= count, !bytes.isEmpty else {
        throw KeyError("\(word)= takes \(count) octets (\(2 * count) hexadecimal digits), and \(bytes.count) were given")
      }
      guard bytes.count == count || kind == .temporary else {
        throw KeyError("\(word)= takes \(count) octets (\(2 * count) hexadecimal digits), and \(bytes.count) were given")
      }
      bytes = [UInt8](repeating: 0, count: count - bytes.count) + bytes
      guard let key = Key(kind, bytes, address: address) else { throw KeyError("\(word)= is not a key") }
      self = key
    }
    for word in words.dropFirst() {
      let pair = word.split(separator: "=", maxSplits: 1)
      guard pair.count == 2, kind == .longTerm, let number = Self.number(pair[1]) else {
        throw KeyError("'\(word.prefix(24))' cannot follow a key; ediv= and rand= follow ltk=")
      }
      switch pair[0].lowercased() {
      case "ediv" where number <= 0xFFFF: ediv = UInt16(number)
      case "rand": random = number
      default: throw KeyError("'\(word.prefix(24))' cannot follow a key; ediv= and rand= follow ltk=")
      }
    }
  }

  /// Names of the kinds of keys in the toolbar of the nRF Sniffer in Wireshark. A value is `0x` with hexadecimal digits, the most significant first;
  /// for a passkey, six digits.
  private static let labels: [(label: String, kind: Kind)] = [
    ("Legacy Passkey", .passkey), ("Legacy OOB data", .temporary), ("Legacy LTK", .longTerm), ("SC LTK", .longTerm),
    ("SC Private Key", .privateKey), ("IRK", .identityResolving),
  ]

  /// Reads a key in the form of that toolbar, with its kind before a colon: `SC LTK: 0x…`. Nil where there is no such kind.
  private static func labelled(_ text: String) throws(KeyError) -> Key? {
    guard let colon = text.firstIndex(of: ":") else { return nil }
    let words = text[..<colon].split(whereSeparator: \.isWhitespace).joined(separator: " ").lowercased()
    guard let kind = labels.first(where: { $0.label.lowercased() == words })?.kind else { return nil }
    let value = text[text.index(after: colon)...].split(whereSeparator: \.isWhitespace)
    guard value.count == 1 else { throw KeyError("'\(text[..<colon].prefix(20)):' needs exactly one value") }
    return try Key(text: "\(kind.rawValue)=\(value[0])")
  }

  /// The key in the form for the toolbar of the nRF Sniffer, with its kind before it; nil for a kind that it does not have.
  public var labelledText: String? {
    // A key with a diversifier is one of legacy pairing.
    let isLegacy = (ediv ?? 0) != 0 || (random ?? 0) != 0
    guard let label = Self.labels.last(where: { $0.kind == kind && !(isLegacy && $0.label == "SC LTK") })?.label else { return nil }
    guard kind == .passkey else { return "\(label): 0x\(String(hexOf: bytes))" }
    return "\(label): \(text.dropFirst(kind.rawValue.utf8.count + 1).prefix(6))"
  }

  /// A Broadcast_Code: either a text of at most 16 bytes, whose first byte is the least significant of the number (Core, Vol 3, Part C, 3.2.6), or
  /// the number in hexadecimal digits.
  private static func code(_ text: Substring) throws(KeyError) -> Key {
    var value = text
    while value.last?.isWhitespace == true { value.removeLast() }
    if let bytes = bytes(hexadecimal: value), bytes.count == 16, let key = Key(.broadcastCode, bytes) { return key }
    let bytes = Array(value.utf8)
    guard 1...16 ~= bytes.count, let key = Key(.broadcastCode, [UInt8](repeating: 0, count: 16 - bytes.count) + bytes.reversed()) else {
      throw KeyError("code= takes a text of at most 16 bytes, or 16 octets (32 hexadecimal digits)")
    }
    return key
  }

  /// The form that ``init(text:)`` reads.
  public var text: String {
    var text = kind.rawValue + "="
    if kind == .passkey {
      let digits = String(block.low)
      text += String(repeating: "0", count: max(0, 6 - digits.count)) + digits
    } else {
      text += String(hexOf: bytes)
    }
    if let address { text += "@\(address)" }
    if let ediv { text += " ediv=0x" + String(hex: ediv, digits: 4) }
    if let random { text += " rand=0x" + String(hex: random, digits: 16) }
    return text
  }

  private static var kinds: String { Kind.allCases.map { $0.rawValue + "=" }.joined(separator: ", ") }

  /// Bytes from hexadecimal digits, optionally after `0x` or separated by colons. Nil where there are other characters, or half a byte.
  static func bytes(hexadecimal text: some StringProtocol) -> [UInt8]? {
    var digits = text.utf8.filter { $0 != UInt8(ascii: ":") }[...]
    if digits.starts(with: "0x".utf8) || digits.starts(with: "0X".utf8) { digits = digits.dropFirst(2) }
    guard digits.count % 2 == 0, digits.count <= 4096 else { return nil }
    var bytes: [UInt8] = []
    var high: UInt8?
    for digit in digits {
      let value: UInt8
      switch digit {
      case UInt8(ascii: "0")...UInt8(ascii: "9"): value = digit - UInt8(ascii: "0")
      case UInt8(ascii: "a")...UInt8(ascii: "f"): value = digit - UInt8(ascii: "a") + 10
      case UInt8(ascii: "A")...UInt8(ascii: "F"): value = digit - UInt8(ascii: "A") + 10
      default: return nil
      }
      if let first = high {
        bytes.append(first << 4 | value)
        high = nil
      } else {
        high = value
      }
    }
    return bytes
  }

  /// A decimal number, or a hexadecimal one after `0x`.
  static func number(_ text: some StringProtocol) -> UInt64? {
    text.lowercased().hasPrefix("0x") ? UInt64(text.dropFirst(2), radix: 16) : UInt64(text)
  }
}
