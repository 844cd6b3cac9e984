import Text
import YAML

/// The names of enum values as the profile writes them. Kaitai Struct allows only lower-case identifiers, so each name gets such an identifier, and
/// the original name is kept here.
struct EnumLabels {
  /// The original name of each value, by enum.
  private(set) var names: [String: [Int64: String]] = [:]

  /// Returns the mapping with identifiers instead of the names in its `enums`, and keeps the names.
  mutating func lower(_ kaitai: Node) -> Node {
    guard case .mapping(var whole) = kaitai, case .mapping(var enums)? = whole["enums"] else { return kaitai }
    for (key, value) in enums {
      guard let name = key.string, case .mapping(var entries) = value else { continue }
      var taken: Set<String> = []
      for (number, label) in entries {
        guard let text = label.string?.singleLine, let value = number.string.flatMap(parseInteger) else { continue }
        names[name, default: [:]][Int64(value)] = text
        let word = Self.word(text, &taken)
        if word != text || label.scalar?.style == .plain && ["true", "false", "null", "yes", "no", "on", "off"].contains(text) {
          entries[number] = .scalar(.init(word, .doubleQuoted, label.mark))
        }
      }
      enums[key] = .mapping(entries)
    }
    whole["enums"] = .mapping(enums)
    return .mapping(whole)
  }

  /// The first key of an enum that is beyond 2⁶³−1: only numbers up to there can have names.
  static func keyWithoutName(_ kaitai: Node) -> Node? {
    guard let enums = kaitai.mapping?["enums"]?.mapping else { return nil }
    for (_, value) in enums {
      guard let entries = value.mapping else { continue }
      for (number, _) in entries {
        if let text = number.string, parseInteger(text) == nil, parseWhole(text) != nil { return number }
      }
    }
    return nil
  }

  /// The first name of an enum's value that is longer than ``ProfileBounds/maxName``.
  static func longName(_ kaitai: Node) -> Node? {
    guard let enums = kaitai.mapping?["enums"]?.mapping else { return nil }
    for (_, value) in enums {
      guard let entries = value.mapping else { continue }
      for (_, label) in entries { if let text = label.string, text.utf8.count > ProfileBounds.maxName { return label } }
    }
    return nil
  }

  /// The number of a name of an enum, given as its original name or as its identifier; nil where there is none.
  func number(_ text: String, of enumeration: String) -> Int64? {
    guard let entries = names[enumeration] else { return nil }
    if let exact = entries.lazy.filter({ $0.value == text }).map(\.key).min() { return exact }
    return entries.filter {
      var taken: Set<String> = []
      return Self.word($0.value, &taken) == text
    }.keys.min()
  }

  /// The identifier for `text` in expressions: lower-case letters, digits and `_`.
  static func word(_ text: String, _ taken: inout Set<String>) -> String {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(text.utf8.count)
    let isASCII = text.utf8.allSatisfy { $0 < 0x80 }
    for letter in isASCII ? text.utf8 : text.lowercased().utf8 {
      let byte = isASCII && letter >= UInt8(ascii: "A") && letter <= UInt8(ascii: "Z") ? letter | 0x20 : letter
      switch byte {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"): bytes.append(byte)
      // A run of other characters becomes one underscore.
      default: if !bytes.isEmpty, bytes.last != UInt8(ascii: "_") { bytes.append(UInt8(ascii: "_")) }
      }
    }
    while bytes.last == UInt8(ascii: "_"), text.utf8.last != UInt8(ascii: "_") { bytes.removeLast() }
    if bytes.isEmpty { bytes = Array("value".utf8) }
    if let first = bytes.first, (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(first) { bytes.insert(UInt8(ascii: "n"), at: 0) }
    let word = String(decoding: bytes, as: UTF8.self)
    var unique = word
    var count = 2
    while !taken.insert(unique).inserted {
      unique = "\(word)_\(count)"
      count += 1
    }
    return unique
  }
}
