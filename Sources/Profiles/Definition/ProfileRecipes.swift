import Bluetooth
import YAML

/// Finds the recipe of btscribe-recipes(7) for a known mistake in a profile.
public enum ProfileRecipes {
  /// The heading of the recipe; nil where there is none for the mistake.
  public static func recipe(for error: ProfileError) -> String? {
    for (heading, words) in known where words.contains(where: { $0.allSatisfy(error.message.contains) }) { return heading }
    return nil
  }

  /// Headings, and lists of words: a message that contains all words of a list leads to the heading.
  private static let known: [(heading: String, words: [[String]])] = [
    (
      "Both directions on one characteristic",
      [["is defined twice; characteristics"], ["unknown key \"direction\" in characteristic"]]
    ),
    (
      "One request with several answers",
      [
        ["unknown key \"keep\" in characteristic"], ["unknown key \"keep\" in message"], ["\"answers\" occurs twice"],
        ["the same key occurs twice: answers"],
      ]
    ),
    ("Two checks", [["the same key occurs twice: check"], ["\"check\" occurs twice"], ["unknown key \"check\" in layer \"check\""]]),
    (
      "Fragments within a stream",
      [["unknown key \"fragments\" in layer \"stream\""], ["unknown key \"stream\" in layer \"fragments\""]]
    ),
    ("CBOR whose end only CBOR knows", [["unknown key", "in layer \"cbor\""], ["no layer is named \"cbor\""]]),
    (
      "Pages of one record, and lists in pieces",
      [["\"merge\" needs"], ["unknown key \"merge\" in"], ["in layer \"merge\""], ["\"repeat: parts\""], ["\"-merge\""]]
    ),
    (
      "Advertisements",
      [
        ["unknown key \"company\" in characteristic"], ["unknown key \"companies\" in characteristic"],
        ["unknown key \"service-data\" in characteristic"], ["unknown key \"uuid\" in advertisement"],
        ["unknown key \"notify\" in advertisement"],
      ]
    ),
    ("MODBUS in fragments, whose answers depend on the request", [["no layer is named \"modbus\""], ["\"modbus\" is not a body"]]),
  ]

  /// The headings in the manual.
  static var headings: [String] { known.map(\.heading) }
}

extension ProfileSet {
  /// Hints about a valid profile that probably has another meaning than intended: common mistakes of authors. One line each, with its position in the
  /// file. Throws ``ProfileError`` where it has a mistake.
  public func hints(_ number: Int) throws -> [String] {
    let definition = try definition(number)
    let root = definition.root.node
    var hints: [String] = []
    func add(_ node: Node?, _ text: String) {
      let location = node?.mark.map { ":\($0.line):\($0.column)" } ?? ""
      hints.append("\(definition.file)\(location): \(text)")
    }
    // Of two characteristics with the same UUID, the first one gets all values.
    var first: [CharacteristicIdentity: String] = [:]
    for source in definition.sources where source.kind == .characteristic {
      let identities = source.uuids.map { CharacteristicIdentity(uuid: $0, services: source.services) }
      if let taken = identities.first(where: { first[$0] != nil }), let other = first[taken] {
        add(
          source.entry.node,
          "characteristics \"\(other)\" and \"\(source.id)\" have the same UUID \(taken.uuid), and the first has all values: "
            + "give one both \"write\" and \"notify\"")
      }
      for identity in identities where first[identity] == nil { first[identity] = source.id }
    }
    // Registers have positions in the bytes that they are read from: without a size, in all bytes of the surrounding type.
    let registers = Set((root["tables"]?.mapping ?? Node.Mapping([])).filter { $0.value["registers"] != nil }.compactMap(\.key.string))
    for (_, type) in root["types"]?.mapping ?? Node.Mapping([]) {
      for (index, field) in (type["seq"]?.sequence.map(Array.init) ?? []).enumerated() {
        guard index > 0, let name = field["type"]?.string, registers.contains(name), field["size"] == nil, field["size-eos"] == nil else {
          continue
        }
        add(
          field,
          "\"\(name)\" is a table of registers, which lie from the first byte of their field on: the field needs \"size\", or \"size-eos: true\""
        )
      }
    }
    // A name with two numbers: expressions use the first.
    var named: Set<String>?
    for (key, names) in root["enums"]?.mapping ?? Node.Mapping([]) {
      var known: [String: String] = [:]
      for (value, entry) in names.mapping ?? Node.Mapping([]) {
        guard let text = (entry["id"] ?? entry).string, let number = value.string else { continue }
        guard let first = known[text] else {
          known[text] = number
          continue
        }
        if named == nil { named = definition.enumsInExpressions() }
        guard named?.contains(key.string ?? "") == true else { continue }
        add(entry, "\(number) has the name \"\(text)\" as \(first) has: an expression that names it means \(first)")
      }
    }
    for (node, text) in definition.unknownNames() + definition.tableRemarks { add(node, text) }
    return hints
  }
}

extension Definition {
  /// The names before `::` in the profile's texts, found in one pass, as a profile can have many enumerations.
  fileprivate func enumsInExpressions() -> Set<String> {
    var found: Set<String> = []
    func look(_ node: Node) {
      switch node {
      case .scalar(let scalar):
        guard scalar.string.contains(":") else { return }
        let text = Array(scalar.string.utf8)
        var start = 0
        for at in text.indices {
          switch text[at] {
          case 0x30...0x39, 0x41...0x5A, 0x5F, 0x61...0x7A, 0x80...: continue
          default: break
          }
          if text[at] == UInt8(ascii: ":"), at + 1 < text.count, text[at + 1] == text[at], start < at {
            found.insert(String(decoding: text[start..<at], as: UTF8.self))
          }
          start = at + 1
        }
      case .sequence(let list): list.forEach(look)
      case .mapping(let mapping):
        for pair in mapping {
          look(pair.key)
          look(pair.value)
        }
      }
    }
    look(root.node)
    return found
  }
}

/// The identity of a characteristic: its UUID in its services, or in any.
private struct CharacteristicIdentity: Hashable {
  var uuid: BluetoothUUID
  var services: [BluetoothUUID]
}
