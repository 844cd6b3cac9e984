import Memory
import YAML

/// The protobuf messages of a profile: for each the names and types of its fields (Protocol Buffers, Encoding and Language Guide).
struct ProtobufSchema: Sendable {
  /// The type of a field, which decides its encoding.
  enum FieldType: Equatable, Sendable {
    case int32, int64, uint32, uint64, sint32, sint64, bool
    case fixed32, fixed64, sfixed32, sfixed64, float, double
    case string, bytes
    /// Another message of the schema.
    case message(Int)
    /// Map entries with a key and a value.
    case map(Int)
    /// An enum of the profile, by name.
    case enumeration(String)
    /// Not declared: guessed from the wire type and the bytes.
    case unknown

    /// Whether its type is not declared.
    var isUnknown: Bool { if case .unknown = self { true } else { false } }

    /// Whether several values may lie packed in one field.
    var isPackable: Bool {
      switch self {
      case .string, .bytes, .message, .map, .unknown: false
      default: true
      }
    }

    static let scalars: [String: FieldType] = [
      "int32": .int32, "int64": .int64, "uint32": .uint32, "uint64": .uint64, "sint32": .sint32, "sint64": .sint64, "bool": .bool,
      "fixed32": .fixed32, "fixed64": .fixed64, "sfixed32": .sfixed32, "sfixed64": .sfixed64, "float": .float, "double": .double,
      "string": .string, "bytes": .bytes,
    ]
  }

  /// A field of a message.
  struct Field: Sendable {
    var number: UInt32
    var name: String
    var type: FieldType
    var isRepeated: Bool
    var attributes: [(key: String, value: String)] = []
    /// Number of this field among all of the schema, including keys and values of maps.
    var ordinal = 0
    /// Its position in the file.
    var line = 0
    var column = 0
  }

  /// A message.
  struct ProfileMessage: Sendable {
    var name: String
    var fields: [Field]

    /// The field of a number, or nil.
    func field(_ number: UInt32) -> Field? { fields.first { $0.number == number } }
    /// The field of a name, or nil.
    func field(named name: String) -> Field? { fields.first { $0.name == name } }
  }

  private(set) var messages: [ProfileMessage] = []
  private(set) var numbers: [String: Int] = [:]

  /// Reads `{NAME: {1: "repeated ScanEntry entries", 2: …}}`.
  init(_ entry: Entry?) throws {
    guard let entry else { return }
    let pairs = try entry.pairs()
    for (name, _, keyNode) in pairs {
      guard FieldType.scalars[name] == nil else { throw Entry.error(entry.file, keyNode, "\"\(name)\" is a type of protobuf itself") }
      numbers[name] = messages.count
      messages.append(ProfileMessage(name: name, fields: []))
    }
    for (index, (name, value, _)) in pairs.enumerated() {
      var names: Set<String> = []
      for (key, field, keyNode) in try value.with(value.node, "protobuf message \"\(name)\"").pairs() {
        guard let number = parseInteger(key), number > 0, number < 1 << 29 else {
          throw Entry.error(entry.file, keyNode, "the key of a protobuf field is its number, from 1")
        }
        let parsed = try parse(field, number: UInt32(number))
        guard names.insert(parsed.name).inserted else {
          throw field.error("\"\(parsed.name)\" stands twice in protobuf message \"\(name)\"")
        }
        messages[index].fields.append(parsed)
      }
    }
    var ordinal = 0
    for message in messages.indices {
      for field in messages[message].fields.indices {
        messages[message].fields[field].ordinal = ordinal
        ordinal += 1
      }
    }
  }

  private mutating func parse(_ entry: Entry, number: UInt32) throws -> Field {
    var attributes: [(key: String, value: String)] = []
    var declaration = entry
    if case .mapping = entry.node {
      var fields = try entry.fields(.protobufField)
      declaration = try fields.need("field")
      for key in MappingKind.protobufField.names where key != "field" {
        guard let value = fields.take(key) else { continue }
        let text = try value.text(atMost: ProfileBounds.maxName)
        if key == "-scale", Scale(text, offset: nil) == nil { throw value.error("\(value.what) must be a number that is not 0") }
        attributes.append((key, text))
      }
      try fields.finish()
    }
    let text = try declaration.text()
    let mark = declaration.node.mark
    var words: [Substring]
    if let open = text.firstIndex(of: "<"), let close = text.firstIndex(of: ">"), open < close {
      words = text[..<open].split(separator: " ") + [text[open...close]] + text[text.index(after: close)...].split(separator: " ")
    } else {
      words = text.split(separator: " ")
    }
    var isRepeated = false
    if words.count > 1, let label = words.first, ["repeated", "optional", "required"].contains(label) {
      isRepeated = label == "repeated"
      words.removeFirst()
    }
    var type = FieldType.unknown
    if words.count == 3, words[0] == "map" {
      let inner = words[1].dropFirst().dropLast().split(separator: ",").map { $0.filter { $0 != " " } }
      guard inner.count == 2 else { throw declaration.error("a map is written map<string, int32> NAME") }
      let entryMessage = messages.count
      messages.append(
        ProfileMessage(
          name: "",
          fields: [
            Field(
              number: 1, name: "key", type: named(inner[0]), isRepeated: false, line: mark?.line ?? 0,
              column: mark?.column ?? 0),
            Field(
              number: 2, name: "value", type: named(inner[1]), isRepeated: false, line: mark?.line ?? 0,
              column: mark?.column ?? 0),
          ]))
      type = .map(entryMessage)
      isRepeated = true
      words.removeFirst(2)
    } else if words.count == 2 {
      type = named(String(words[0]))
      words.removeFirst()
    }
    guard words.count == 1, let name = words.first else {
      throw declaration.error(
        "a protobuf field is written as in a .proto file, without its number: \"repeated int32 samples\", or as a name alone")
    }
    guard name.utf8.count <= ProfileBounds.maxName else {
      throw declaration.error("the name of a protobuf field has at most \(ProfileBounds.maxName) bytes")
    }
    return Field(
      number: number, name: String(name), type: type, isRepeated: isRepeated, attributes: attributes, line: mark?.line ?? 0,
      column: mark?.column ?? 0)
  }

  private func named(_ word: String) -> FieldType {
    if let scalar = FieldType.scalars[word] { return scalar }
    if let number = numbers[word] { return .message(number) }
    return .enumeration(word)
  }
}
