import YAML

/// The fields and bytes on which a profile's framing depends. Redaction does not change them, as the message could not be decoded any more.
package struct ProfileStructure: Sendable {
  /// The names of the fields that determine how bytes are read.
  package var names: Set<String> = []
  /// Bytes of payloads that conditions compare with a number: offset and number.
  package var comparedBytes: Set<ComparedByte> = []
  /// Values that are computed from fields.
  package var computed: [Computed] = []

  /// By default that of a profile without such fields.
  package init(names: Set<String> = [], comparedBytes: Set<ComparedByte> = [], computed: [Computed] = []) {
    (self.names, self.comparedBytes, self.computed) = (names, comparedBytes, computed)
  }

  /// A value that is computed from fields.
  package struct Computed: Sendable {
    package var name: String
    /// Its unit, or the expression that gives it.
    package var unit = ""
    package var isSecret = false
    package var isPersonal: Bool?
    /// Whether it is a date or a time, or a part of one.
    package var isTime = false
    /// The names of the fields that it is computed from.
    package var parts: Set<String>
  }

  /// A byte that a condition compares.
  package struct ComparedByte: Hashable, Sendable {
    /// Its offset in the payload.
    package var at: Int
    /// Its value.
    package var value: UInt8
    /// The name of the source whose messages the condition is about; nil where it is about messages of all sources.
    package var source: String?
  }

  /// The same with the bytes that conditions of one source, or of all sources, compare.
  package func of(source: String) -> ProfileStructure {
    ProfileStructure(names: names, comparedBytes: comparedBytes.filter { $0.source == nil || $0.source == source }, computed: computed)
  }
}

extension Definition {
  /// The names that determine how bytes are read: those in sizes, conditions, repetitions and switches of types, in layers, and in the conditions of
  /// messages and answers; and the names from which computed values among them are computed.
  func structure() -> ProfileStructure {
    var found = Found()
    found.types(kaitai)
    for (key, value) in root.node.mapping ?? Node.Mapping([]) {
      switch key.string ?? "" {
      case "framings": found.words(value)
      case "characteristics", "descriptors", "advertisements", "rfcomm", "l2cap":
        guard let sources = value.mapping else {
          found.sources(value)
          continue
        }
        for (name, source) in sources {
          found.source = name.string
          found.sources(source)
        }
        found.source = nil
      case "messages": found.sources(value)
      default: break
      }
    }
    return ProfileStructure(names: found.all, comparedBytes: found.comparedBytes, computed: found.values)
  }

  private struct Found {
    private var names: Set<String> = []
    private(set) var comparedBytes: Set<ProfileStructure.ComparedByte> = []
    /// The name of the source whose conditions are visited.
    var source: String?
    /// The names in computed values, by the names of these.
    private var computed: [String: Set<String>] = [:]
    private(set) var values: [ProfileStructure.Computed] = []
    /// The names of the parameters of types.
    private var parameters: [String: [String]] = [:]
    private static let keys: Set<String> = ["size", "if", "repeat-expr", "repeat-until", "switch-on", "pos"]
    private static let conditions: Set<String> = ["when", "answers", "framing", "set", "switch-on"]

    /// All names, including those that they depend on.
    var all: Set<String> {
      var all = names
      var open = Array(names)
      while let name = open.popLast() {
        for word in computed[name] ?? [] where all.insert(word).inserted { open.append(word) }
      }
      return all
    }

    /// Adds the names in keys of types.
    mutating func types(_ node: Node) {
      if let types = node.mapping?["types"]?.mapping {
        for (name, type) in types {
          guard let name = name.string, let parameters = type.mapping?["params"]?.sequence else { continue }
          self.parameters[name] = parameters.compactMap { $0.mapping?["id"]?.string }
        }
      }
      switch node {
      case .scalar: break
      case .sequence(let list): for node in list { types(node) }
      case .mapping(let mapping):
        for (key, value) in mapping {
          let key = key.string ?? ""
          if Self.keys.contains(key) {
            words(value)
          } else if key == "type", let text = value.string, let open = text.firstIndex(of: "(") {
            arguments(of: text[..<open], text[open...])
          } else if key == "instances" {
            instances(value)
            continue
          }
          types(value)
        }
      }
    }

    /// The arguments of a type determine how bytes are read, and are the values of its parameters.
    private mutating func arguments(of type: Substring, _ text: Substring) {
      names.formUnion(Self.names(in: text))
      let arguments = text.dropFirst().split(separator: ",", omittingEmptySubsequences: false)
      for (parameter, argument) in zip(parameters[String(type)] ?? [], arguments) {
        let parts = Self.names(in: argument)
        computed[parameter, default: []].formUnion(parts)
        values.append(ProfileStructure.Computed(name: parameter, parts: parts))
      }
    }

    /// Adds computed values. Whether a computed value is present does not determine how bytes are read.
    private mutating func instances(_ node: Node) {
      let all = (node.mapping ?? Node.Mapping([])).map { $0.0.string ?? "" }
      let clocks = Set(ClockFields.clockIndices(all).map { all[$0] })
      for (name, instance) in node.mapping ?? Node.Mapping([]) {
        guard let name = name.string else { continue }
        guard let text = instance.mapping?["value"]?.string else {
          types(instance)
          continue
        }
        let parts = Self.names(in: text[...])
        computed[name, default: []].formUnion(parts)
        func flag(_ key: Node) -> Bool? { instance.mapping?[key]?.string.map { $0 == "true" } }
        values.append(
          ProfileStructure.Computed(
            name: name, unit: instance.mapping?["-unit"]?.string ?? "", isSecret: flag("-secret") ?? false, isPersonal: flag("-personal"),
            isTime: clocks.contains(name) || instance.mapping?["-as"]?.string == "unix", parts: parts))
      }
    }

    /// Adds the names in conditions, answers and layers of sources.
    mutating func sources(_ node: Node) {
      switch node {
      case .scalar: break
      case .sequence(let list): for node in list { sources(node) }
      case .mapping(let mapping):
        for (key, value) in mapping { if Self.conditions.contains(key.string ?? "") { words(value) } else { sources(value) } }
      }
    }

    /// Adds all names in a value's texts.
    mutating func words(_ node: Node) {
      switch node {
      case .scalar(let scalar):
        names.formUnion(Self.names(in: scalar.string[...]))
        addComparedBytes(of: scalar.string)
      case .sequence(let list): for node in list { words(node) }
      case .mapping(let mapping): for (_, value) in mapping { words(value) }
      }
    }

    /// Adds the bytes that an expression compares with a number: `_payload[2] == 0x5a`.
    private mutating func addComparedBytes(of text: String) {
      let blank = UInt8(ascii: " ")
      var rest = text.utf8[...]
      while let bracket = rest.firstIndex(of: UInt8(ascii: "[")) {
        let isPayload = rest[..<bracket].suffix(8).elementsEqual("_payload".utf8)
        rest = rest[rest.index(after: bracket)...]
        guard isPayload, let close = rest.firstIndex(of: UInt8(ascii: "]")), let at = Self.number(rest[..<close]) else { continue }
        let comparison = rest[rest.index(after: close)...].drop { $0 == blank }
        guard comparison.starts(with: "==".utf8) else { continue }
        let word = comparison.dropFirst(2).drop { $0 == blank }
          .prefix { Character(Unicode.Scalar($0)).isHexDigit || $0 == UInt8(ascii: "x") }
        if let value = Self.number(word).flatMap(UInt8.init(exactly:)) {
          comparedBytes.insert(ProfileStructure.ComparedByte(at: at, value: value, source: source))
        }
      }
    }

    private static func number(_ text: Substring.UTF8View) -> Int? {
      text.starts(with: "0x".utf8) ? Int(Substring(text.dropFirst(2)), radix: 16) : Int(Substring(text))
    }

    /// The names in an expression: words outside of quotation marks that are not part of an enum value.
    private static func names(in text: Substring) -> Set<String> {
      var names: Set<String> = []
      var word: [UInt8] = []
      var quote: UInt8 = 0
      var colons = 0
      var isOfEnum = false
      func end() {
        if let first = word.first, !(0x30...0x39).contains(first), !isOfEnum { names.insert(String(decoding: word, as: UTF8.self)) }
        word.removeAll(keepingCapacity: true)
      }
      for byte in text.utf8 {
        if quote != 0 {
          if byte == quote { quote = 0 }
          continue
        }
        switch byte {
        case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, UInt8(ascii: "_"):
          if colons == 1 { end() }
          if word.isEmpty { isOfEnum = colons >= 2 }
          colons = 0
          word.append(byte)
        case UInt8(ascii: ":"):
          colons += 1
          // The name of the enum itself.
          if colons == 2 { word.removeAll(keepingCapacity: true) }
        default:
          end()
          colons = 0
          if byte == UInt8(ascii: "'") || byte == UInt8(ascii: "\"") { quote = byte }
        }
      }
      end()
      return names
    }
  }
}
