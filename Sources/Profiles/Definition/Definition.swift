import Memory
import YAML

/// The operation that carried a value.
public enum ValueDirection: UInt8, Sendable, CaseIterable {
  /// Written by the client, with or without response; for channels, sent by the side that opened them.
  case write = 0
  /// Notified by the server; for channels, sent by the side that accepted them.
  case notify = 1
  /// Indicated by the server.
  case indicate = 2
  /// Read by the client: the value in the response.
  case read = 3
  /// Advertised.
  case advertise = 4

  /// The key of a profile that names the message of this direction: `write`, `notify`, …
  public var key: String { word.description }

  var word: StaticString {
    switch self {
    case .write: "write"
    case .notify: "notify"
    case .indicate: "indicate"
    case .read: "read"
    case .advertise: "advertise"
    }
  }
}

/// A profile as written in its file. Its keys are checked; its types and expressions are not compiled yet.
struct Definition {
  /// Most state variables. Profiles of real devices have a dozen.
  private static let maxState = 1024

  var id: String
  var title: String
  /// Other names by which it is found.
  var aliases: [String]
  /// The kind of its device in one word: `battery`, `watch`, …
  var kind: String?
  var status: ProfileStatus?
  var origin: String?
  var file: String
  var root: Entry
  var match: [MatchRule]
  var sources: [SourceDefinition]
  var messages: [String: MessageDefinition]
  var state: [(name: String, initial: Entry)]
  var keys: [KeyDefinition]
  var protobufs: ProtobufSchema
  var kaitai: Node
  /// Warnings about its tables.
  var tableRemarks: [(node: Node, text: String)] = []
  /// By table: the names of its items in expressions, with the tag of each and the fields that lead to its value.
  var tableItems: [String: [String: (tag: UInt64, path: [String])]] = [:]
  var tests: [TestDefinition]
}

/// The data that a profile was tested with.
public enum ProfileStatus: String, Sendable, CaseIterable {
  /// Its tests have packets from real devices.
  case real = "tested on real bytes"
  /// It was written from documents, and so were its tests.
  case documents = "from documents"
}

/// One alternative of `match`. A device matches if every given key has a value that matches.
struct MatchRule: Equatable, Sendable {
  var services: [BluetoothUUID] = []
  var serviceData: [BluetoothUUID] = []
  var companies: [UInt16] = []
  var names: [String] = []
  var characteristics: [BluetoothUUID] = []
  var addresses: [String] = []
}

/// The kind of a source of bytes.
enum SourceKind: Sendable {
  case characteristic, descriptor, advertisement, rfcomm, l2cap

  var word: String {
    switch self {
    case .characteristic: "characteristic"
    case .descriptor: "descriptor"
    case .advertisement: "advertisement"
    case .rfcomm: "rfcomm channel"
    case .l2cap: "l2cap channel"
    }
  }

  /// The keys of such a source.
  var mapping: MappingKind {
    switch self {
    case .characteristic: .characteristic
    case .descriptor: .descriptor
    case .advertisement: .advertisement
    case .rfcomm: .rfcomm
    case .l2cap: .l2cap
    }
  }
}

/// A characteristic, descriptor, advertisement or channel of a profile.
struct SourceDefinition {
  var id: String
  var title: String?
  var kind: SourceKind
  var entry: Entry
  var uuids: [BluetoothUUID] = []
  var services: [BluetoothUUID] = []
  var handles: [UInt16] = []
  /// RFCOMM server channels, or L2CAP PSMs.
  var numbers: [Int] = []
  var companies: [UInt16] = []
  var serviceData: [BluetoothUUID] = []
  /// Types of AD structures.
  var structures: [UInt8] = []
  var names: [String] = []
  var includesCompany = false
  /// Whether it reads the data of any company.
  var isOfAnyCompany = false
  /// Whether its value is the complete advertisement.
  var isWhole = false
  /// The characteristics that a descriptor belongs to; empty: any.
  var of: [BluetoothUUID] = []
  /// The messages of each direction, by its raw value; nil where the profile knows none.
  var messages: [[Alternative]?] = [nil, nil, nil, nil, nil]
  /// The layers of each direction, by its raw value.
  var framing: [[LayerDefinition]] = [[], [], [], [], []]
  var answers: [AnswerDefinition] = []
}

/// A possible message of a value, and its condition.
struct Alternative {
  var when: Entry?
  var message: String
  var entry: Entry
}

/// A rule that finds the request that a message answers.
struct AnswerDefinition {
  var source: String
  var when: Entry?
  var staysOpen: Bool
  var within: Int64?
  var entry: Entry
}

/// A message: its body, its text, and its changes of the state.
struct MessageDefinition {
  var id: String
  var title: String?
  var body: BodyDefinition
  var template: Entry?
  var set: [SetDefinition]
  /// Properties of the fields of a self-describing body.
  var fields: BodyFields?
  var entry: Entry
}

/// A change of the state by a message or header: `name: value`, or `name[key]: value` for a table.
struct SetDefinition {
  var name: String
  var key: Entry?
  var value: Entry

  static func list(_ entry: Entry) throws -> [SetDefinition] {
    try entry.pairs().map { text, value, keyNode in
      guard let open = text.firstIndex(of: "["), text.last == "]" else { return SetDefinition(name: text, key: nil, value: value) }
      let inside = String(text[text.index(after: open)...].dropLast())
      let key = Node.scalar(.init(inside, .plain, keyNode.mark))
      return SetDefinition(name: String(text[..<open]), key: value.with(key, "the key of \"\(text)\""), value: value)
    }
  }
}

/// The format of a body, or of a field of bytes in one.
enum BodyDefinition {
  /// A type of the profile.
  case type(String)
  /// Protobuf, with the message of the profile's `protobufs` that names its fields.
  case protobuf(String?)
  /// CBOR (RFC 8949).
  case cbor
  /// JSON (RFC 8259).
  case json
  /// Text in UTF-8.
  case text
  /// Text with values between commas, and the names of the values.
  case csv([String])
  /// Plain bytes.
  case bytes
}

/// A test in a profile.
struct TestDefinition {
  struct Step {
    var source: String
    /// Nil: the only direction in which the source carries messages, or the direction of answers where there are two.
    var direction: ValueDirection?
    var packets: [[UInt8]]
    /// The packets are complete messages, to which no layers are applied.
    var isPayload = false
    /// Pause before it, in microseconds.
    var after: Int64 = 0
  }
  var title: String?
  var steps: [Step]
  /// The state set by earlier messages.
  var state: [(name: String, value: Entry)]
  /// The messages that are expected; nil where only the merged fields are compared.
  var expect: [Entry]?
  var merged: Entry?
  /// The part that must be equal when a request is encoded again: its packets, its body, or nothing.
  enum Encoding { case packets, message, nothing }
  var encodes: Encoding
  var tolerance: Double
  var device: String?
  var address: String?
  /// Keys for it.
  var keys: [(name: String, bytes: [UInt8], entry: Entry)]
  var entry: Entry
}

// MARK: - Reading

extension Definition {
  /// The kind of a file that is no profile, but has parts for import.
  static let libraryKind = "library"

  /// Reads a profile. `base` finds the profile that `extends` names; files that it imports count against `budget`. Throws ``ProfileError``.
  init(_ node: Node, file: String, _ budget: DocumentBudget, base: (String, Entry) throws -> Node) throws {
    var node = node
    var depth = 0
    while let parent = node.mapping?["extends"] {
      let entry = Entry(node: parent, file: file, what: "\"extends\"")
      depth += 1
      guard depth <= 8 else { throw entry.error("profiles extend one another in a circle") }
      node = merge(try base(try entry.text(), entry), with: node)
    }
    let isLibrary = ProfileImports.isLibrary(node)
    if isLibrary { node = try ProfileImports.asProfile(node, file: file) }
    node = try ProfileImports.following(node, file: file, budget, profile: base)
    let top = Entry(node: node, file: file, what: "the profile")
    var fields = try top.fields(.profile)
    _ = fields.take("imports")  // followed above
    if let library = fields.take("library") { throw library.error("a file is a profile or a library, not both") }
    let id = try fields.need("profile")
    self.id = try id.text()
    guard isName(self.id) else { throw id.error("a profile's name consists of a-z, 0-9, - and _: \"\(self.id)\" does not") }
    title = try fields.take("title")?.text(atMost: ProfileBounds.maxName) ?? self.id
    aliases =
      try fields.take("aliases")?.list().map { entry in
        let name = try entry.text()
        guard isName(name) else { throw entry.error("a profile's name consists of a-z, 0-9, - and _: \"\(name)\" does not") }
        return name
      } ?? []
    if isLibrary { kind = Self.libraryKind }
    if let entry = fields.take("kind") {
      let word = try entry.text()
      guard isName(word) else { throw entry.error("a kind is one word of a-z, 0-9, - and _, as \"battery\": \"\(word)\" is not") }
      kind = word
    }
    if let entry = fields.take("status") {
      let text = try entry.text()
      guard let known = ProfileStatus(rawValue: text) else {
        throw entry.error("\"status\" is \"tested on real bytes\" or \"from documents\", not \"\(text)\"")
      }
      status = known
    }
    origin = try fields.take("source")?.text()
    _ = try fields.take("note")?.text()
    self.file = file
    root = top
    match = try fields.take("match").map(MatchRule.list) ?? []
    let framings = try Framings(fields.take("framings"))

    var sources: [SourceDefinition] = []
    var ids: Set<String> = []
    var count = 0
    var layers = 0
    for (key, kind) in [
      ("characteristics", SourceKind.characteristic), ("descriptors", .descriptor), ("advertisements", .advertisement),
      ("rfcomm", .rfcomm), ("l2cap", .l2cap),
    ] {
      guard let section = fields.take(key) else { continue }
      for (name, value, keyNode) in try section.pairs() {
        guard ids.insert(name).inserted else {
          throw Entry.error(file, keyNode, "\"\(name)\" is defined twice; characteristics, descriptors and the rest share their names")
        }
        let source = try SourceDefinition(name, kind, value.with(value.node, "\(kind.word) \"\(name)\""), framings)
        count += source.count
        guard count <= ProfileBounds.maxSources else {
          throw Entry.error(
            file, keyNode,
            "a profile has at most \(ProfileBounds.maxSources) characteristics and other sources, with what they are found by")
        }
        layers += source.framing.reduce(0) { $0 + $1.count }
        guard layers <= ProfileBounds.maxLayersOfAll else {
          throw Entry.error(file, keyNode, "the framings of all sources come to more than \(ProfileBounds.maxLayersOfAll) layers")
        }
        sources.append(source)
      }
    }
    guard !sources.isEmpty || isLibrary else {
      throw top.error("a profile needs characteristics, descriptors, advertisements, rfcomm or l2cap: it has none, so no bytes reach it")
    }
    self.sources = sources

    var messages: [String: MessageDefinition] = [:]
    for (name, value, _) in try fields.take("messages")?.pairs() ?? [] {
      messages[name] = try MessageDefinition(name, value.with(value.node, "message \"\(name)\""))
    }
    self.messages = messages
    let remembered = fields.take("state")
    state = try remembered?.pairs().map { ($0.key, $0.value) } ?? []
    // Each link that uses the profile has a copy of the state.
    if let remembered, state.count > Self.maxState { throw remembered.error("a profile remembers at most \(Self.maxState) values") }
    keys = try fields.take("keys").map(KeyDefinition.list) ?? []
    protobufs = try ProtobufSchema(fields.take("protobufs"))

    // The remaining keys are Kaitai Struct: meta, types and enums. Tables are translated to types.
    var kaitai: [(Node, Node)] = []
    let meta = fields.take("meta")
    let types = fields.take("types")
    let enums = fields.take("enums")
    let tables = try TableDefinitions(fields.take("tables"), isTaken: { types?.node.mapping?[$0] != nil })
    kaitai.append((Node("meta"), metaNode(id: self.id, meta)))
    tableRemarks = tables.remarks
    tableItems = tables.items
    var made = tables.types
    for name in TableDefinitions.variable where types?.node.mapping?[Node(name)] == nil {
      if made.contains(where: { names(name, in: $0.1) }) || (types.map({ names(name, in: $0.node) }) ?? false) {
        made.append((Node(name), try TableDefinitions.variableType(name)))
      }
    }
    kaitai.append((Node("types"), try Self.expandParts(union(types, with: made), file: file)))
    kaitai.append((Node("enums"), union(enums, with: tables.enums)))
    self.kaitai = Node(kaitai)
    tests = try fields.take("tests")?.list().map(TestDefinition.init) ?? []
    _ = fields.take("extends")
    try fields.finish()
    try checkNames(types)
  }

  /// Whether a node has the word `parts`. Few profiles do, and a copy of the others takes as long as reading them.
  private static func hasParts(_ node: Node) -> Bool {
    switch node {
    case .scalar(let scalar): scalar.string == "parts"
    case .mapping(let mapping): mapping.contains { hasParts($0.value) }
    case .sequence(let list): list.contains { hasParts($0) }
    }
  }

  /// Rewrites `repeat: parts` for Kaitai Struct: one element for each part that "merge" joined, with the size of that part.
  private static func expandParts(_ node: Node, file: String) throws -> Node {
    guard hasParts(node) else { return node }
    switch node {
    case .mapping(let written):
      var mapping = Node.Mapping(try written.map { ($0.key, try expandParts($0.value, file: file)) }, written.mark)
      guard let kind = mapping["repeat"], kind.string == "parts" else { return .mapping(mapping) }
      for key in ["size", "size-eos", "repeat-expr", "repeat-until"] where mapping[Node(key)] != nil {
        throw Entry.error(file, kind, "\"repeat: parts\" takes the sizes of the parts, and no \"\(key)\"")
      }
      mapping["repeat"] = .scalar(.init("expr", .plain, kind.mark))
      mapping[Node("repeat-expr")] = .scalar(.init("_parts.size", .plain, kind.mark))
      mapping[Node("size")] = .scalar(.init("_parts[_index]", .plain, kind.mark))
      return .mapping(mapping)
    case .sequence(let list): return .sequence(Node.Sequence(try list.map { try expandParts($0, file: file) }, list.mark))
    default: return node
    }
  }

  /// Checks that all names of messages, types, sources and state variables refer to something.
  private func checkNames(_ types: Entry?) throws {
    let typeNames = kaitai.mapping?["types"]?.mapping?.keys.compactMap(\.string) ?? []
    let knownTypes = Set(typeNames)
    for source in sources {
      for case let alternatives? in source.messages {
        for alternative in alternatives
        where messages[alternative.message] == nil && !knownTypes.contains(alternative.message)
          && BodyDefinition(word: alternative.message) == nil
        {
          throw alternative.entry.error(
            "no message, type or body is named \"\(alternative.message)\""
              + (nearest(alternative.message, of: messages.keys.sorted() + typeNames).map { "; did you mean \"\($0)\"?" } ?? ""))
        }
      }
      for answer in source.answers where !sources.contains(where: { $0.id == answer.source }) {
        throw answer.entry.error(
          "no characteristic or channel is named \"\(answer.source)\""
            + (nearest(answer.source, of: sources.map(\.id)).map { "; did you mean \"\($0)\"?" } ?? ""))
      }
    }
    for test in tests {
      for step in test.steps where !sources.contains(where: { $0.id == step.source }) && BluetoothUUID(step.source) == nil {
        throw test.entry.error(
          "no characteristic, advertisement or channel is named \"\(step.source)\""
            + (nearest(step.source, of: sources.map(\.id)).map { "; did you mean \"\($0)\"?" } ?? ""))
      }
    }
    for test in tests {
      for (name, value) in test.state where !state.contains(where: { $0.name == name }) {
        throw value.error("the test sets \"\(name)\", which \"state\" does not declare (state: {\(name): 0})")
      }
    }
    for test in tests {
      for (name, bytes, entry) in test.keys {
        guard let key = keys.first(where: { $0.name == name }) else {
          throw entry.error(
            "no key is named \"\(name)\""
              + (nearest(name, of: keys.map(\.name)).map { "; did you mean \"\($0)\"?" } ?? "; \"keys\" declares them"))
        }
        guard bytes.count == key.count else { throw entry.error("the key \"\(name)\" has \(key.count) bytes, and this is \(bytes.count)") }
      }
    }
    // In one order, so that each run reports the same mistake.
    for (_, message) in messages.sorted(by: { $0.key < $1.key }) {
      if case .type(let type) = message.body, !knownTypes.contains(type) {
        throw message.entry.error(
          "no type is named \"\(type)\"" + (nearest(type, of: typeNames).map { "; did you mean \"\($0)\"?" } ?? ""))
      }
      for set in message.set where !state.contains(where: { $0.name == set.name }) {
        throw set.value.error("\"set\" names \"\(set.name)\", which \"state\" does not declare (state: {\(set.name): 0})")
      }
    }
  }
}

/// Whether `text` may name a profile.
private func isName(_ text: String) -> Bool {
  !text.isEmpty
    && text.utf8.allSatisfy {
      switch $0 {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"): true
      default: false
      }
    }
}

/// Keys of a profile that profiles extending it do not inherit.
private let notInherited = ["match", "tests", "aliases"]

/// Merges `child` into `parent`: mappings are merged key by key, other values are replaced, and null removes a key.
private func merge(_ parent: Node, with child: Node, isTop: Bool = true) -> Node {
  guard case .mapping(var result) = parent, case .mapping(let over) = child else { return child }
  if isTop { result["extends"] = nil }
  for (key, value) in over where !(isTop && key.string == "extends") {
    if Entry(node: value, file: "", what: "").isNull {
      result[key] = nil
    } else if isTop, notInherited.contains(key.string ?? "") {
      result[key] = value
    } else {
      result[key] = result[key].map { merge($0, with: value, isTop: false) } ?? value
    }
  }
  if isTop { for key in notInherited where over[Node(key)] == nil { result[Node(key)] = nil } }
  return .mapping(result)
}

/// The `meta` of the Kaitai Struct part: that of the profile, with an id.
private func metaNode(id: String, _ meta: Entry?) -> Node {
  var pairs = [
    (
      Node("id"),
      Node(id.replacing("-", with: "_").first?.isNumber == true ? "p_" + id.replacing("-", with: "_") : id.replacing("-", with: "_"))
    )
  ]
  for (key, value) in meta?.node.mapping ?? Node.Mapping([]) where key.string != "id" { pairs.append((key, value)) }
  return Node(pairs)
}

/// Whether a text occurs as a value.
private func names(_ text: String, in node: Node) -> Bool {
  switch node {
  case .scalar(let scalar): scalar.string == text
  case .sequence(let sequence): sequence.contains { names(text, in: $0) }
  case .mapping(let mapping): mapping.contains { names(text, in: $0.value) }
  }
}

private func union(_ entry: Entry?, with more: [(Node, Node)]) -> Node {
  guard let entry, case .mapping(let mapping) = entry.node else { return Node(more) }
  // The names are known to be different, so no look-up is needed.
  return Node(mapping.map { ($0.key, $0.value) } + more)
}

extension MatchRule {
  init(_ entry: Entry) throws {
    var fields = try entry.with(entry.node, "\"match\"").fields(.match)
    services = try fields.take("services")?.list().map(BluetoothUUID.init) ?? []
    serviceData = try fields.take("service-data")?.list().map(BluetoothUUID.init) ?? []
    companies = try fields.take("companies")?.list().map { UInt16(try $0.integer(in: 0...0xFFFF)) } ?? []
    names = try fields.take("names")?.patterns() ?? []
    characteristics = try fields.take("characteristics")?.list().map(BluetoothUUID.init) ?? []
    addresses = try fields.take("addresses")?.patterns().map { $0.lowercased() } ?? []
    try fields.finish()
    guard self != MatchRule() else { throw entry.error("an alternative of \"match\" needs at least one key") }
  }
}

extension BluetoothUUID {
  init(_ entry: Entry) throws {
    let text = try entry.text()
    guard let uuid = BluetoothUUID(text) else { throw entry.error("\"\(text)\" is not a UUID; write 4, 8 or 32 hexadecimal digits") }
    self = uuid
  }
}

extension SourceDefinition {
  init(_ id: String, _ kind: SourceKind, _ entry: Entry, _ framings: Framings) throws {
    self.id = id
    self.kind = kind
    self.entry = entry
    var fields = try entry.fields(kind.mapping)
    title = try fields.take("title")?.text(atMost: ProfileBounds.maxName)
    _ = try fields.take("note")?.text()
    switch kind {
    case .characteristic:
      uuids = try fields.take("uuid")?.list().map(BluetoothUUID.init) ?? []
      services = try fields.take("service")?.list().map(BluetoothUUID.init) ?? []
      handles = try fields.take("handle")?.list().map { UInt16(try $0.integer(in: 1...0xFFFF)) } ?? []
      guard !uuids.isEmpty || !handles.isEmpty else { throw entry.error("\(entry.what) needs \"uuid\" or \"handle\"") }
    case .descriptor:
      uuids = try fields.need("uuid").list().map(BluetoothUUID.init)
      of = try fields.take("characteristic")?.list().map(BluetoothUUID.init) ?? []
    case .advertisement:
      if let company = fields.take("company") {
        isOfAnyCompany = (try? company.text()) == "any"
        companies = isOfAnyCompany ? [] : try company.list().map { UInt16(try $0.integer(in: 0...0xFFFF)) }
      }
      serviceData = try fields.take("service-data")?.list().map(BluetoothUUID.init) ?? []
      structures = try fields.take("ad-type")?.list().map { UInt8(try $0.integer(in: 0...0xFF)) } ?? []
      services = try fields.take("services")?.list().map(BluetoothUUID.init) ?? []
      names = try fields.take("names")?.list().map { try $0.text() } ?? []
      includesCompany = try fields.take("with-company")?.flag() ?? false
      isWhole = try fields.take("whole")?.flag() ?? false
      let isOfSingleKind = !companies.isEmpty || !serviceData.isEmpty || !structures.isEmpty || isOfAnyCompany
      guard isOfSingleKind || !services.isEmpty || !names.isEmpty else {
        throw entry.error("\(entry.what) needs \"company\", \"service-data\", \"ad-type\", \"services\" or \"names\"")
      }
    case .rfcomm:
      uuids = try fields.take("service")?.list().map(BluetoothUUID.init) ?? []
      numbers = try fields.take("channel")?.list().map { try $0.integer(in: 1...30) } ?? []
      guard !uuids.isEmpty || !numbers.isEmpty else { throw entry.error("\(entry.what) needs \"service\" or \"channel\"") }
    case .l2cap:
      numbers = try fields.need("psm").list().map { try $0.integer(in: 1...0xFFFF) }
    }

    let any = try fields.take("value").map(Alternative.list)
    let write = try fields.take("write").map(Alternative.list)
    let notify = try fields.take("notify").map(Alternative.list)
    let indicate = try fields.take("indicate").map(Alternative.list)
    let read = try fields.take("read").map(Alternative.list)
    messages = [write ?? any, notify ?? any, indicate ?? notify ?? any, read ?? any, any]
    guard messages.contains(where: { $0 != nil }) else {
      throw entry.error("\(entry.what) carries no messages: it needs \"value\", \"write\", \"notify\", \"indicate\" or \"read\"")
    }
    if let framing = fields.take("framing") { self.framing = try framings.directions(framing) }
    if let list = fields.take("answers") {
      answers = try AnswerDefinition.list(list, of: id)
      guard answers.count <= ProfileBounds.maxAnswered else {
        throw list.error("\"answers\" has at most \(ProfileBounds.maxAnswered) sources and conditions")
      }
    }
    try fields.finish()
  }
}

extension Alternative {
  static func list(_ entry: Entry) throws -> [Alternative] {
    try entry.list().flatMap { element -> [Alternative] in
      guard case .mapping(let mapping) = element.node else { return [Alternative(when: nil, message: try element.text(), entry: element)] }
      if mapping["switch-on"] != nil || mapping["cases"] != nil { return try cases(element) }
      return [try alternative(element)]
    }
  }

  /// `{switch-on: EXPR, cases: {KEY: MESSAGE, _: MESSAGE}}`: alternatives, each of which compares the expression with its key.
  private static func cases(_ entry: Entry) throws -> [Alternative] {
    var fields = try entry.with(entry.node, "a switch between messages").fields(.messageSwitch)
    let on = try fields.need("switch-on")
    let cases = try fields.need("cases").pairs()
    try fields.finish()
    let text = try on.text()
    guard !cases.isEmpty else { throw entry.error("\"cases\" names no message") }
    var list: [Alternative] = []
    var otherwise: Alternative?
    for (key, message, keyNode) in cases {
      if key == "_" {
        otherwise = Alternative(when: nil, message: try message.text(), entry: message)
        continue
      }
      // The error of a key points to the key.
      let mark = parseInteger(key) == nil ? keyNode.mark : on.node.mark ?? keyNode.mark
      let when = entry.with(.scalar(.init("(\(text)) == (\(key))", .plain, mark)), "\"switch-on\"")
      list.append(Alternative(when: when, message: try message.text(), entry: message))
    }
    return list + (otherwise.map { [$0] } ?? [])
  }

  private static func alternative(_ element: Entry) throws -> Alternative {
    var fields = try element.fields(.alternative)
    let when = fields.take("when")
    let message = try fields.need("message")
    try fields.finish()
    return Alternative(when: when, message: try message.text(), entry: message)
  }
}

extension AnswerDefinition {
  /// `{query: EXPR}`, or a list of `{to, when, keep, within}`.
  static func list(_ entry: Entry, of source: String) throws -> [AnswerDefinition] {
    if case .mapping = entry.node, entry.node.mapping?["to"] == nil, entry.node.mapping?["when"] == nil {
      return try entry.pairs().map {
        AnswerDefinition(
          source: $0.key, when: $0.value.isNull || $0.value.node.scalar?.string.isEmpty == true ? nil : $0.value, staysOpen: false,
          within: nil, entry: $0.value)
      }
    }
    return try entry.list().map { element in
      var fields = try element.fields(.answer)
      let to = fields.take("to")
      let definition = AnswerDefinition(
        source: try to?.text() ?? source,
        when: fields.take("when").flatMap { $0.isNull || $0.node.scalar?.string.isEmpty == true ? nil : $0 },
        staysOpen: try fields.take("keep")?.flag() ?? false,
        within: try fields.take("within")?.duration(), entry: to ?? element)
      try fields.finish()
      return definition
    }
  }
}

extension MessageDefinition {
  init(_ id: String, _ entry: Entry) throws {
    self.id = id
    self.entry = entry
    var fields = try entry.fields(.message)
    title = try fields.take("title")?.text(atMost: ProfileBounds.maxName)
    let type = try fields.take("type")?.text()
    let body = try fields.take("body").map(BodyDefinition.init)
    guard type == nil || body == nil else { throw entry.error("\(entry.what) has both \"type\" and \"body\"; it is one or the other") }
    self.body = body ?? .type(type ?? id)
    template = fields.take("say")
    let known = fields.take("fields")
    if let known, body == nil { throw known.error("\"fields\" stands beside \"body\": cbor, json or csv") }
    self.fields = try known.map { try BodyFields($0) }
    set = try fields.take("set").map(SetDefinition.list) ?? []
    try fields.finish()
  }

  /// The message of a type that has no entry in `messages`.
  init(type: String, entry: Entry) {
    id = type
    title = nil
    body = BodyDefinition(word: type) ?? .type(type)
    template = nil
    set = []
    fields = nil
    self.entry = entry
  }
}

extension BodyDefinition {
  private static let words = ["protobuf", "cbor", "json", "text", "bytes", "csv", " "]

  /// Reads `cbor`, `json`, `text`, `bytes`, `protobuf`, `protobuf NAME`, `csv` or `csv NAME, NAME…`; nil for anything else.
  init?(word: String) {
    // Most words are names of types.
    guard Self.words.contains(where: word.hasPrefix) else { return nil }
    let parts = word.split(separator: " ", maxSplits: 1)
    let rest = parts.count > 1 ? parts[1].split(whereSeparator: { $0 == " " || $0 == "," }).map(String.init) : []
    switch (parts.first, rest.count) {
    case ("protobuf", 0...1): self = .protobuf(rest.first)
    case ("cbor", 0): self = .cbor
    case ("json", 0): self = .json
    case ("text", 0): self = .text
    case ("bytes", 0): self = .bytes
    case ("csv", _): self = .csv(rest)
    default: return nil
    }
  }

  init(_ entry: Entry) throws {
    let word = try entry.text()
    guard let body = BodyDefinition(word: word) else {
      throw entry.error("\"\(word)\" is not a body; bodies are protobuf [MESSAGE], cbor, json, text, csv [NAME, NAME…] and bytes")
    }
    self = body
  }
}

extension TestDefinition {
  init(_ entry: Entry) throws {
    let entry = entry.with(entry.node, "a test")
    self.entry = entry
    var fields = try entry.fields(.test)
    title = try fields.take("title")?.text(atMost: ProfileBounds.maxName)
    func direction(_ word: Entry?) throws -> ValueDirection? {
      try word?.choice(["write": .write, "notify": .notify, "indicate": .indicate, "read": .read, "advertise": .advertise])
    }
    func packets(_ list: Entry) throws -> [[UInt8]] {
      try list.list().map { packet in
        guard let bytes = bytesOfHex(try packet.text()) else { throw packet.error("a packet is hexadecimal digits, two a byte") }
        return bytes
      }
    }
    if let exchange = fields.take("exchange") {
      steps = try exchange.list().map { step in
        var keys = try step.with(step.node, "a step of a test").fields(.step)
        for (word, direction) in [
          ("write", ValueDirection.write), ("notify", .notify), ("indicate", .indicate), ("read", .read), ("advertise", .advertise),
        ] {
          guard let source = keys.take(word) else { continue }
          let payload = keys.take("payload")
          let step = Step(
            source: try source.text(), direction: direction, packets: try packets(payload ?? keys.need("packets")),
            isPayload: payload != nil, after: try keys.take("after")?.duration() ?? 0)
          try keys.finish()
          return step
        }
        throw step.error("a step of a test needs \"write\", \"notify\", \"indicate\", \"read\" or \"advertise\" with the name of a source")
      }
    } else {
      let source = fields.take("characteristic") ?? fields.take("source") ?? fields.take("advertisement")
      guard let source else { throw entry.error("a test needs \"characteristic\" (or \"advertisement\", \"source\"), or an \"exchange\"") }
      let payload = fields.take("payload")
      steps = [
        Step(
          source: try source.text(), direction: try direction(fields.take("direction")),
          packets: try packets(payload ?? fields.need("packets")), isPayload: payload != nil)
      ]
    }
    state = try fields.take("state")?.pairs().map { ($0.key, $0.value) } ?? []
    let expect = fields.take("expect")
    self.expect = try expect?.list()
    merged = fields.take("merged")
    encodes = try fields.take("encodes")?.choice(["true": .packets, "message": .message, "false": .nothing]) ?? .packets
    tolerance =
      try fields.take("tolerance").map { entry in
        guard let number = Double(try entry.text()), number >= 0 else { throw entry.error("\(entry.what) must be a number") }
        return number
      } ?? 0
    device = try fields.take("name")?.text()
    address = try fields.take("address")?.text()
    keys =
      try fields.take("keys")?.pairs().map { name, value, _ in
        guard let bytes = bytesOfHex(try value.text()) else { throw value.error("a key is hexadecimal digits, two a byte") }
        return (name, bytes, value)
      } ?? []
    try fields.finish()
    guard expect != nil || merged != nil else { throw entry.error("a test needs \"expect\" or \"merged\"") }
  }
}

/// The bytes of hexadecimal digits; white space and colons are skipped. Returns nil for other characters, or an odd number of digits.
func bytesOfHex(_ text: some StringProtocol) -> [UInt8]? {
  var bytes: [UInt8] = []
  bytes.reserveCapacity(text.utf8.count / 2)
  var high: UInt8?
  for byte in text.utf8 {
    let digit: UInt8
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): digit = byte &- UInt8(ascii: "0")
    case UInt8(ascii: "a")...UInt8(ascii: "f"): digit = byte &- UInt8(ascii: "a") &+ 10
    case UInt8(ascii: "A")...UInt8(ascii: "F"): digit = byte &- UInt8(ascii: "A") &+ 10
    case UInt8(ascii: " "), UInt8(ascii: ":"), UInt8(ascii: "\n"), UInt8(ascii: "\t"): continue
    default: return nil
    }
    if let first = high {
      bytes.append(first << 4 | digit)
      high = nil
    } else {
      high = digit
    }
  }
  return high == nil ? bytes : nil
}
