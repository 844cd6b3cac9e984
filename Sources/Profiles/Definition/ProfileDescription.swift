import KaitaiStruct
import Memory
import PacketCodecs
import Text
import YAML

/// A profile as a specification of its protocol, from which a document for people is written.
///
/// It has the content of the profile's file, and offsets computed from it. Texts are one line each, without control characters.
package struct ProfileDescription: Sendable {
  package var id = "", title = ""
  /// The kind of device, the documentation of the protocol, remarks, and the data it was tested with.
  package var facts: [(label: String, text: String)] = []
  /// The alternatives of `match`, in words; empty: any device that has one of the UUIDs.
  package var matches: [String] = []
  package var keys: [(name: String, bytes: Int, note: String)] = []
  package var sources: [Source] = []
  package var framings: [Framing] = []
  package var messages: [Message] = []
  package var types: [TypeTable] = []
  package var tables: [ValueTable] = []
  /// Messages of protobuf, with their fields as they are declared.
  package var protobufs: [(name: String, fields: [(number: String, declaration: String, more: String)])] = []
  package var enums: [EnumTable] = []
  package var state: [(name: String, initial: String)] = []

  /// A characteristic, descriptor, advertisement or channel.
  package struct Source: Sendable {
    package var name: String, kind: String, title: String, note: String
    /// `UUID fff1`, `company 0x004c`.
    package var locations: [String]
    package var directions: [Direction]
    package var answers: [Answer]
  }

  /// The messages of a source in one direction.
  package struct Direction: Sendable {
    package var word: String
    package var messages: [(name: String, when: String)]
    /// Index into ``ProfileDescription/framings``; nil where a value is the message.
    package var framing: Int?
  }

  /// Requests that a source's messages answer.
  package struct Answer: Sendable {
    package var to: String, when: String, within: String
    package var staysOpen: Bool
  }

  /// Layers, and the parts of a packet and of a message.
  package struct Framing: Sendable {
    /// `answer, notify`.
    package var users: [String]
    package var layers: [Layer]
    /// Each packet of fragments; empty where packets have no header.
    package var packet: [Part]
    package var message: [Part]
  }

  package struct Layer: Sendable {
    package var name: String
    /// The keys of the layer with their values as written, and their meaning.
    package var rows: [(key: String, value: String, help: String)]
  }

  /// A part of a packet or message in a drawing.
  package struct Part: Sendable {
    package enum Kind: String, Sendable { case marker, header, length, body, check }
    package var kind: Kind
    package var name: String
    /// `2 bytes`, `3 bits`, or empty where it varies.
    package var size: String
    package var note: String
  }

  package struct Message: Sendable {
    package var name: String, title: String
    /// The type of its body; empty where it has none.
    package var type: String
    /// `JSON`, `protobuf NAME`: the format of a body without a type.
    package var body: String
    /// `notify over answer when _payload[0] == 1`.
    package var uses: [String]
    package var sets: [(name: String, value: String)]
    package var fields: [Field]
    package var doc: String
  }

  package struct Field: Sendable {
    /// Bytes from the start of its type, `4` or `4, bits 7–5`; empty where it depends on fields before it.
    package var offset: String
    package var length: String
    package var name: String, type: String, unit: String, scale: String
    package var meaning: [String]
    /// The name of its type or table, and of its enum, where the profile defines them.
    package var typeLink: String?, enumLink: String?
    package var isHidden: Bool
  }

  package struct TypeTable: Sendable {
    package var name: String, doc: String
    package var fields: [Field]
  }

  /// Tagged values or registers.
  package struct ValueTable: Sendable {
    package var name: String
    package var isOfRegisters: Bool
    /// `tag u1, length u1, big-endian`.
    package var facts: String
    package var rows: [(number: String, field: Field)]
  }

  package struct EnumTable: Sendable {
    package var name: String
    package var entries: [(value: String, name: String, doc: String)]
  }
}

extension ProfileSet {
  /// A profile as a specification. Throws ``ProfileError`` where it has a mistake.
  package func description(of number: Int) throws -> ProfileDescription {
    _ = try profile(number)
    return ProfileDescriber(try definition(number)).description
  }

  /// Calls `body` with each message that the tests of a profile give, the packets it was joined from, and the test's title. Throws ``ProfileError``
  /// where the profile has a mistake.
  @_spi(Pipeline) public func visitTestMessages(
    _ number: Int, _ body: (_ message: ProfileMessage, _ packets: [[UInt8]], _ title: String?) -> Void
  ) throws {
    _ = try test(number) { message, packets, test in body(message, packets.map(\.packet), test.title) }
  }
}

/// Makes the description of a definition.
private struct ProfileDescriber {
  let definition: Definition
  private let types: Node.Mapping
  private let enums: Node.Mapping
  private let tables: Node.Mapping
  private let meta: Node?
  private(set) var description = ProfileDescription()

  init(_ definition: Definition) {
    self.definition = definition
    let root = definition.root.node
    types = root["types"]?.mapping ?? Node.Mapping([])
    enums = root["enums"]?.mapping ?? Node.Mapping([])
    tables = root["tables"]?.mapping ?? Node.Mapping([])
    meta = root["meta"]
    describe()
  }

  /// Scalars, lists and mappings as one line of YAML.
  private func flow(_ node: Node?) -> String {
    switch node {
    case nil: ""
    case .scalar(let scalar): scalar.string.singleLine
    case .sequence(let list): "[" + list.map { flow($0) }.joined(separator: ", ") + "]"
    case .mapping(let mapping): "{" + mapping.map { "\(flow($0.key)): \(flow($0.value))" }.joined(separator: ", ") + "}"
    }
  }

  private func list(_ node: Node?) -> [Node] {
    guard let node else { return [] }
    return node.sequence.map(Array.init) ?? [node]
  }

  private mutating func describe() {
    let root = definition.root.node
    description.id = definition.id
    description.title = definition.title.singleLine
    for (label, key) in [("Kind", "kind"), ("Source", "source"), ("Status", "status"), ("Note", "note"), ("Extends", "extends")] {
      if let node = root[key] { description.facts.append((label, flow(node))) }
    }
    description.matches = list(root["match"]).map { rule in
      (rule.mapping.map(Array.init) ?? []).map { pair in
        "\(flow(pair.key)) \(list(pair.value).map { flow($0) }.joined(separator: " or "))"
      }.joined(separator: ", and ")
    }
    description.keys = definition.keys.map { ($0.name, $0.count, $0.note ?? "") }
    description.state = definition.state.map { ($0.name, flow($0.initial.node)) }
    var framings: [String: Int] = [:]
    for source in definition.sources {
      var directions: [ProfileDescription.Direction] = []
      for direction in ValueDirection.allCases {
        guard let alternatives = source.messages[Int(direction.rawValue)], (source.kind == .advertisement) == (direction == .advertise),
          // Indications with the same messages as notifications get no line of their own.
          direction != .indicate || source.entry.node["indicate"] != nil || source.entry.node["value"] != nil
        else { continue }
        let layers = source.framing[Int(direction.rawValue)]
        var framing: Int?
        if !layers.isEmpty {
          let signature = layers.map { "\($0.name) \(flow($0.entry.node))" }.joined(separator: "\n")
          framing = framings[signature] ?? description.framings.count
          if framing == description.framings.count {
            framings[signature] = framing
            description.framings.append(self.framing(layers))
          }
          if let framing { description.framings[framing].users.append("\(source.id), \(direction.key)") }
        }
        directions.append(
          ProfileDescription.Direction(
            word: direction.key, messages: alternatives.map { ($0.message, flow($0.when?.node)) }, framing: framing))
      }
      description.sources.append(
        ProfileDescription.Source(
          name: source.id, kind: source.kind.word, title: source.title ?? "", note: flow(source.entry.node["note"]),
          locations: locations(source), directions: directions,
          answers: source.answers.map {
            ProfileDescription.Answer(
              to: $0.source, when: flow($0.when?.node), within: $0.within.map { "\($0 / 1000) ms" } ?? "", staysOpen: $0.staysOpen)
          }))
    }
    describeMessages()
    let named = Set(description.messages.map(\.type))
    for (key, node) in types where !named.contains(key.string ?? "") {
      description.types.append(
        ProfileDescription.TypeTable(name: flow(key), doc: flow(node["doc"]), fields: fields(of: node, flow(key))))
    }
    for (key, node) in tables { description.tables.append(table(flow(key), node)) }
    for (key, node) in root["protobufs"]?.mapping ?? Node.Mapping([]) {
      let fields = (node.mapping.map(Array.init) ?? []).map { pair in
        let more = (pair.value.mapping.map(Array.init) ?? []).filter { $0.key.string != "field" }
        return (
          flow(pair.key), flow(pair.value["field"] ?? pair.value),
          more.map { "\(flow($0.key).drop { $0 == "-" }) \(flow($0.value))" }.joined(separator: ", ")
        )
      }
      description.protobufs.append((flow(key), fields))
    }
    for (key, node) in enums { description.enums.append(enumeration(flow(key), node)) }
    for (key, node) in types { addInner(node, flow(key)) }
  }

  /// Types and enums that are declared within a type.
  private mutating func addInner(_ node: Node, _ path: String) {
    for (key, inner) in node["types"]?.mapping ?? Node.Mapping([]) {
      let name = "\(path)::\(flow(key))"
      description.types.append(ProfileDescription.TypeTable(name: name, doc: flow(inner["doc"]), fields: fields(of: inner, name)))
      addInner(inner, name)
    }
    for (key, inner) in node["enums"]?.mapping ?? Node.Mapping([]) { description.enums.append(enumeration("\(path)::\(flow(key))", inner)) }
  }

  private func enumeration(_ name: String, _ node: Node) -> ProfileDescription.EnumTable {
    ProfileDescription.EnumTable(
      name: name,
      entries: (node.mapping.map(Array.init) ?? []).map { pair in
        (flow(pair.key), flow(pair.value["id"] ?? pair.value), pair.value["id"] == nil ? "" : flow(pair.value["doc"]))
      })
  }

  private func locations(_ source: SourceDefinition) -> [String] {
    var locations = source.uuids.map { "UUID \($0)" }
    locations += source.services.map { source.kind == .advertisement ? "devices with service \($0)" : "service \($0)" }
    locations += source.handles.map { "handle 0x" + String($0, radix: 16) }
    locations += source.numbers.map { (source.kind == .l2cap ? "PSM " : "channel ") + String($0) }
    if source.isOfAnyCompany { locations.append("data of any company") }
    locations += source.companies.map { "data of company 0x" + String($0, radix: 16) }
    locations += source.serviceData.map { "data of service \($0)" }
    locations += source.structures.map { "AD structures of type 0x" + String($0, radix: 16) }
    locations += source.names.map { "devices named \($0.singleLine)" }
    locations += source.of.map { "of characteristic \($0)" }
    if source.isWhole { locations.append("all AD structures") }
    return locations
  }

  // MARK: Frames

  private func framing(_ layers: [LayerDefinition]) -> ProfileDescription.Framing {
    var framing = ProfileDescription.Framing(users: [], layers: [], packet: [], message: [])
    var tail: [(position: Int, part: ProfileDescription.Part)] = []
    var head: [ProfileDescription.Part] = []
    for layer in layers {
      framing.layers.append(ProfileDescription.Layer(name: layer.name, rows: rows(layer)))
      switch layer.kind {
      case .stream(let stream):
        head = header(stream.header, stream.length, stream.rules.starts)
        if let end = stream.rules.ends.first {
          tail.append((-end.count, ProfileDescription.Part(kind: .marker, name: hex(end), size: size(end.count), note: "end")))
        }
      case .fragments(let fragments) where fragments.isMerge: break
      case .fragments(let fragments):
        framing.packet = header(fragments.header, fragments.total, [])
        framing.packet.append(ProfileDescription.Part(kind: .body, name: "part of the message", size: "", note: ""))
      case .check(let check) where check.value == nil:
        let checksum = check.checksum
        let part = ProfileDescription.Part(
          kind: .check, name: checksum.algorithm.name, size: size(checksum.storedCount),
          note: checksum.byteOrder == .little ? "low byte first" : "")
        if checksum.position < 0 { tail.append((checksum.position, part)) } else { head.append(part) }
      default: break
      }
    }
    // Parts after the body, in the order of their positions.
    let behind = tail.enumerated().sorted { ($0.element.position, $1.offset) < ($1.element.position, $0.offset) }.map(\.element.part)
    framing.message = head + [ProfileDescription.Part(kind: .body, name: "body", size: "", note: "")] + behind
    return framing
  }

  private func size(_ bytes: Int) -> String { bytes == 1 ? "1 byte" : "\(bytes) bytes" }

  private func hex(_ bytes: [UInt8]) -> String {
    bytes.map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }.joined(separator: " ")
  }

  /// The start marker, and the fields of the header, of which the first may be the marker.
  private func header(_ header: Entry?, _ length: Entry?, _ starts: [[UInt8]]) -> [ProfileDescription.Part] {
    var parts: [ProfileDescription.Part] = []
    let marker = starts.first ?? []
    let words = Set(flow(length?.node).split { !($0.isLetter || $0.isNumber || $0 == "_") }.map(String.init))
    var at = 0
    var isKnown = true
    for node in (header.flatMap { types[flow($0.node)] }.map { list($0["seq"]) }) ?? [] {
      let bits = self.bits(node)
      let name = flow(node["id"])
      let isMarker = isKnown && at / 8 < marker.count && (bits ?? .max) <= marker.count * 8 - at
      if isMarker, let bits, bits % 8 == 0 {
        parts.append(
          ProfileDescription.Part(kind: .marker, name: hex(Array(marker[at / 8..<(at + bits) / 8])), size: size(bits / 8), note: name))
      } else {
        let condition = node["if"].map { "only if \(flow($0))" } ?? ""
        parts.append(
          ProfileDescription.Part(
            kind: words.contains(name) ? .length : .header, name: name, size: bits.map(words(ofBits:)) ?? "", note: condition)
        )
      }
      if let bits, node["if"] == nil { at += bits } else { isKnown = false }
    }
    if parts.isEmpty, !marker.isEmpty {
      let others = starts.count > 1 ? "or \(starts.dropFirst().map(hex).joined(separator: ", "))" : "start"
      parts.append(ProfileDescription.Part(kind: .marker, name: hex(marker), size: size(marker.count), note: others))
    }
    return parts
  }

  private func words(ofBits bits: Int) -> String {
    bits % 8 == 0 ? size(bits / 8) : bits == 1 ? "1 bit" : "\(bits) bits"
  }

  /// The keys of a layer as written, with their meaning.
  private func rows(_ layer: LayerDefinition) -> [(key: String, value: String, help: String)] {
    let kind = MappingKind(rawValue: layer.name)
    guard case .mapping(let mapping) = layer.entry.node else {
      let help = MappingKind.layers.keys.first { $0.name == layer.name }?.help ?? ""
      return [("", flow(layer.entry.node), help)]
    }
    return mapping.filter { $0.key.string != "build" }.map { pair in
      // The list of algorithm names says nothing about this checksum.
      let help = pair.key.string == "algorithm" ? nil : kind?.keys.first { $0.name == pair.key.string }?.help
      return (flow(pair.key), flow(pair.value), help ?? "")
    }
  }

  // MARK: Messages and fields

  private mutating func describeMessages() {
    var order: [String] = []
    var uses: [String: [String]] = [:]
    for source in description.sources {
      for direction in source.directions {
        for message in direction.messages {
          if uses[message.name] == nil { order.append(message.name) }
          uses[message.name, default: []].append(
            "\(direction.word) over \(source.name)" + (message.when.isEmpty ? "" : " when \(message.when)"))
        }
      }
    }
    for name in order + definition.messages.keys.sorted().filter({ uses[$0] == nil }) {
      let own = definition.messages[name]
      var type = "", body = ""
      switch own?.body ?? BodyDefinition(word: name) ?? .type(name) {
      case .type(let word): type = word
      case .protobuf(let word): body = "protobuf" + (word.map { " \($0)" } ?? "")
      case .cbor: body = "CBOR"
      case .json: body = "JSON"
      case .text: body = "text"
      case .csv(let names): body = "values between commas" + (names.isEmpty ? "" : ": \(names.joined(separator: ", "))")
      case .bytes: body = "bytes"
      }
      let node = types[type]
      description.messages.append(
        ProfileDescription.Message(
          name: name.singleLine, title: own?.title ?? "", type: type.singleLine, body: body.singleLine, uses: uses[name] ?? [],
          sets: own?.set.map { ($0.name.singleLine + ($0.key.map { "[\(flow($0.node))]" } ?? ""), flow($0.value.node)) } ?? [],
          fields: node.map { fields(of: $0, type.singleLine) } ?? [], doc: flow(node?["doc"])))
    }
  }

  /// The fields of a type, and its instances.
  private func fields(of type: Node, _ path: String) -> [ProfileDescription.Field] {
    var fields: [ProfileDescription.Field] = []
    var at: Int? = 0
    let littleBits = flow(type["meta"]?["bit-endian"] ?? meta?["bit-endian"]) == "le"
    for node in list(type["seq"]) {
      let bits = node["repeat"] == nil || node["repeat"]?.string == "expr" ? self.bits(node, counting: true) : nil
      let size = self.bits(node)
      var location = ""
      if let start = at {
        location = "\(start / 8)"
        if let size, size % 8 != 0 || start % 8 != 0 {
          let first = start % 8
          let last = first + size - 1
          let (high, low) = littleBits ? (last, first) : (7 - first, 7 - last)
          location += last < 8 ? (size == 1 ? ", bit \(high)" : ", bits \(high)\u{2013}\(low)") : ", \(size) bits"
        }
      }
      var field = self.field(node, flow(node["id"]), path)
      field.offset = location
      field.length = size.map { $0 % 8 == 0 ? "\($0 / 8)" : $0 == 1 ? "1 bit" : "\($0) bits" } ?? sizeWords(node)
      fields.append(field)
      if let start = at, let bits, node["if"] == nil { at = start + bits } else { at = nil }
    }
    for (key, node) in type["instances"]?.mapping ?? Node.Mapping([]) {
      var field = self.field(node, flow(key), path)
      field.offset = flow(node["pos"])
      field.length = node["value"] == nil ? bits(node).map { "\($0 / 8)" } ?? sizeWords(node) : ""
      fields.append(field)
    }
    return fields
  }

  private func sizeWords(_ node: Node) -> String {
    if let size = node["size"] { return flow(size) }
    if node["size-eos"]?.string == "true" { return "to the end" }
    if let end = node["terminator"] { return "up to \(flow(end))" }
    if node["type"]?.string == "strz" { return "up to 0" }
    return ""
  }

  private func field(_ node: Node, _ name: String, _ path: String) -> ProfileDescription.Field {
    var meaning: [String] = []
    if let label = node["-label"] { meaning.append(flow(label)) }
    if let doc = node["doc"] { meaning.append(flow(doc)) }
    if let contents = node["contents"] { meaning.append("always \(flow(contents))") }
    switch node["valid"] {
    case .mapping(let rules)?:
      for (key, value) in rules {
        switch key.string {
        case "eq": meaning.append("always \(flow(value))")
        case "min": meaning.append("at least \(flow(value))")
        case "max": meaning.append("at most \(flow(value))")
        case "any-of": meaning.append("one of \(list(value).map { flow($0) }.joined(separator: ", "))")
        case "in-enum": meaning.append("only values with names")
        default: meaning.append("valid if \(flow(value))")
        }
      }
    case let value?: meaning.append("always \(flow(value))")
    case nil: break
    }
    if let value = node["value"] { meaning.append("computed: \(flow(value))") }
    if let condition = node["if"] { meaning.append("only if \(flow(condition))") }
    switch node["repeat"]?.string {
    case "eos": meaning.append("repeated to the end")
    case "expr": meaning.append("repeated: \(flow(node["repeat-expr"])) times")
    case "until": meaning.append("repeated until \(flow(node["repeat-until"]))")
    default: break
    }
    if let none = node["-na"] { meaning.append("no value: \(list(none).map { flow($0) }.joined(separator: ", "))") }
    if let form = node["-as"] { meaning.append("as \(flow(form))") }
    if let body = node["-body"] { meaning.append("holds \(flow(body))") }
    if let process = node["process"] { meaning.append("after \(flow(process))") }
    if node["-secret"]?.string == "true" { meaning.append("secret") }
    var type = "", link: String?
    switch node["type"] {
    case .mapping(let choice)?:
      let cases = choice["cases"]?.mapping.map(Array.init) ?? []
      type = "by \(flow(choice["switch-on"]))"
      let more = cases.count > 16 ? ", \u{2026} (+\(cases.count - 16))" : ""
      meaning.append(
        cases.prefix(16).map { "\($0.key.string == "_" ? "otherwise" : flow($0.key)): \(flow($0.value))" }.joined(separator: ", ") + more)
    case let word?:
      type = flow(word)
      let name = String(type.prefix { $0 != "(" })
      if types[name] != nil || tables[name] != nil { link = name }
    case nil: type = node["contents"] == nil && node["value"] == nil && (node["size"] != nil || node["size-eos"] != nil) ? "bytes" : ""
    }
    if let encoding = node["encoding"], type == "str" || type == "strz" { type += ", \(flow(encoding))" }
    if type.first.map({ "us".contains($0) }) == true || type.first == "f", type.count == 2, type != "u1", type != "s1",
      types[type] == nil
    {
      // The byte order of its type, or that of the profile.
      let endian = flow(types[path]?["meta"]?["endian"] ?? meta?["endian"])
      if endian == "le" || endian == "be" { type += endian }
    }
    var scale = flow(node["-scale"])
    if let offset = node["-offset"] {
      let text = flow(offset)
      scale += text.hasPrefix("-") ? " \u{2212} \(text.dropFirst())" : " + \(text)"
    }
    let enumeration = node["enum"].map { flow($0) }
    return ProfileDescription.Field(
      offset: "", length: "", name: name, type: type, unit: flow(node["-unit"]), scale: scale, meaning: meaning, typeLink: link,
      enumLink: enumeration.map { enums[$0] == nil && types[path]?["enums"]?[$0] != nil ? "\(path)::\($0)" : $0 },
      isHidden: node["-hidden"]?.string == "true")
  }

  /// Number of bits of a field, if the file determines it; `counting` with its repetitions.
  private func bits(_ node: Node, counting: Bool = false) -> Int? {
    var left = Self.maxCounted
    return bits(node, counting: counting, depth: 0, &left)
  }
  /// Most fields of nested types that are counted.
  private static let maxCounted = 4096

  private func bits(_ node: Node, counting: Bool, depth: Int, _ left: inout Int) -> Int? {
    guard depth < 16, left > 0 else { return nil }
    left -= 1
    var bits: Int?
    if let size = node["size"] {
      bits = size.string.flatMap(parseInteger).flatMap { (0...1 << 24).contains($0) ? $0 * 8 : nil }
    } else if let contents = node["contents"] {
      bits = 8 * (contents.sequence?.count ?? contents.string?.utf8.count ?? 0)
      if let list = contents.sequence, list.contains(where: { $0.string.flatMap(parseInteger) == nil }) { bits = nil }
    } else if node["size-eos"] != nil || node["terminator"] != nil {
      return nil
    } else if let type = node["type"]?.string {
      if let known = types[type] {
        var sum = 0
        for inner in list(known["seq"]) {
          guard inner["if"] == nil, inner["repeat"] == nil, let count = self.bits(inner, counting: false, depth: depth + 1, &left),
            sum < 1 << 28
          else {
            return nil
          }
          sum += count
        }
        bits = sum
      } else {
        bits = Self.bits(ofType: type)
      }
    }
    guard counting, node["repeat"] != nil else { return bits }
    guard let bits, let count = node["repeat-expr"]?.string.flatMap(parseInteger), (0...1 << 16).contains(count) else { return nil }
    return bits * count
  }

  /// The bits of a number's type: `u2le` has 16, `b3` has 3. Nil for others.
  private static func bits(ofType type: String) -> Int? {
    let word = type.hasSuffix("le") || type.hasSuffix("be") ? type.dropLast(2) : type[...]
    guard let letter = word.first, let number = Int(word.dropFirst()) else { return nil }
    switch letter {
    case "u", "s": return [1, 2, 4, 8].contains(number) ? number * 8 : nil
    case "f": return [4, 8].contains(number) ? number * 8 : nil
    case "b": return (1...64).contains(number) ? number : nil
    default: return nil
    }
  }

  private func table(_ name: String, _ node: Node) -> ProfileDescription.ValueTable {
    let isOfRegisters = node["registers"] != nil
    let keys = isOfRegisters ? ["first", "width"] : ["tag", "length", "length-counts", "order", "unknown"]
    let facts = keys.compactMap { key in node[key].map { "\(key) \(flow($0))" } }
    let defaults = isOfRegisters ? [] : ["tag", "length"].filter { node[$0] == nil }.map { "\($0) u1" }
    let rows = (node["registers"] ?? node["items"])?.mapping.map(Array.init) ?? []
    return ProfileDescription.ValueTable(
      name: name, isOfRegisters: isOfRegisters, facts: (defaults + facts).joined(separator: ", "),
      rows: rows.map { pair in
        var field = self.field(pair.value, flow(pair.value["name"] ?? pair.value), name)
        if isOfRegisters, field.type.isEmpty { field.type = "u2" }
        field.length = bits(pair.value).map { "\($0 / 8)" } ?? ""
        return (flow(pair.key), field)
      })
  }
}
