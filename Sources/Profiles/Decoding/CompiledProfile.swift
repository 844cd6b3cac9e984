import Ciphers
import KaitaiStruct
import Memory
import PacketCodecs
import Synchronization
import YAML

/// A profile whose types and expressions are compiled: immutable, shared by all engines.
public final class CompiledProfile: Sendable {
  /// The profile's id: `gopro`.
  public let id: String
  /// A short description of the profile.
  public let title: String
  /// The source of its information, if given.
  public let origin: String?
  /// The kind of its device, in one word; nil where it is not given.
  public let kind: String?
  /// How it was tested; nil where it is not given.
  public let status: ProfileStatus?
  /// The file it was read from, or its id where it is built in.
  public let file: String

  let program: KaitaiProgram
  let sources: [CompiledSource]
  let lookup: SourceLookup
  let messages: [CompiledMessage]
  let state: [CompiledState]
  /// The keys that the user has to give for encrypted messages.
  let keys: [CompiledKey]
  let protobufs: ProtobufSchema
  /// The enum of each protobuf field that has one, by the field's ordinal.
  let protobufEnums: [EnumID?]
  let fieldPresentations: [FieldPresentation]
  let typePresentations: [TypePresentation]
  /// The names of enum values as they are written.
  let labels: [[Int64: String]]
  /// Styles, names and templates in the form that printers use.
  let shown: PresentationTable
  /// By message: the reader of a body that needs no tree; nil for others.
  let flatReaders: [FlatReader?]
  /// By message: the reader of the fields in its line in words, where these are fewer; nil for others.
  let templateReaders: [FlatReader?]
  let externals: Externals
  /// The formats of bodies that expressions look into, by the numbers that the program has for them.
  let bodyFormats: [BodyFormat]
  /// Whether there are any, or lists in the state.
  let usesBodies: Bool
  /// Whether expressions read the header of the message's first packet.
  let usesHeader: Bool
  let match: [MatchRule]

  /// Fields of types that are an id and a value (`-pair`).
  let pairFields: Set<Int32>
  /// By message: whether instances in it have `valid`, so that they are computed even where they are not shown.
  let judges: [Bool]
  /// By message: whether it may contain JSON, CBOR or protobuf, which can be malformed in an otherwise valid message.
  let hasInner: [Bool]

  /// The fields and marks that decide how its messages are framed and parsed.
  package var structure: ProfileStructure {
    switch making {
    case .ready(let structure): structure
    case .kept(let workings): workings.structure
    }
  }

  /// The state of ``structure``: computed, or still to be computed from the compilation.
  private enum Making: Sendable {
    case ready(ProfileStructure)
    case kept(RetainedCompilation)
  }
  private let making: Making

  /// Whether expressions inside types, or of headers, read the payload or the packet.
  let typesUsePayload: Bool
  /// Whether expressions inside types read the state.
  let typesUseState: Bool
  let usesPacket: Bool
  /// Whether it has state of each device, or uses a property of the device, so that devices have to be distinguished.
  let keepsDevices: Bool

  /// The profile's characteristics, descriptors, advertisements and channels: ids, in the order of the file.
  public var sourceNames: [String] { sources.map(\.id) }
  /// Possible names of fields of its messages: those of its types and of its protobuf messages, and those of enum values, which may name an adjacent
  /// value. Nil where a body has names of its own (JSON, CBOR, maps).
  public var fieldNames: Set<String>? {
    for message in messages { if case .other(let body) = message.body, !isNamed(body) { return nil } }
    if fieldPresentations.contains(where: { $0.body.map { !isNamed($0) } ?? false }) { return nil }
    var names = Set(fieldPresentations.map { String(decoding: $0.name, as: UTF8.self) })
    for enumeration in labels { names.formUnion(enumeration.values) }
    for message in protobufs.messages { names.formUnion(message.fields.map(\.name)) }
    return names
  }
  /// Whether it marks anything as secret.
  public var hasSecrets: Bool {
    fieldPresentations.contains(where: \.isSecret)
      || fieldPresentations.contains { $0.bodyFields?.hasSecrets ?? false } || messages.contains { $0.bodyFields?.hasSecrets ?? false }
      || protobufs.messages.contains { $0.fields.contains { $0.attributes.contains { $0.key == "-secret" && $0.value == "true" } } }
  }

  /// All names in a body are the profile's. Unknown fields of a protobuf message are named by their numbers.
  private func isNamed(_ body: EmbeddedFormat) -> Bool {
    guard case .protobuf = body else { return false }
    return !protobufs.messages.contains { message in
      message.fields.contains { field in
        if case .map = field.type { true } else { false }
      }
    }
  }
  /// The keys that a user gives for encrypted messages, with their lengths in bytes.
  public var keyNames: [(name: String, byteCount: Int)] { keys.map { ($0.name, $0.count) } }
  /// The ids of its messages.
  public var messageNames: [String] { messages.map(\.id) }

  /// With `retainsCompilation` definition and compiler are kept as long as the profile.
  init(_ definition: Definition, retainsCompilation: Bool = false) throws {
    var builder = try ProfileCompiler(definition)
    try builder.compile()
    id = definition.id
    title = definition.title
    origin = definition.origin
    kind = definition.kind
    status = definition.status
    file = definition.file
    match = definition.match

    protobufs = definition.protobufs
    externals = builder.externals
    sources = builder.sources
    lookup = SourceLookup(builder.sources)
    state = builder.state
    keys = builder.keys
    typesUsePayload = builder.mentions("_payload")
    typesUseState = builder.mentions("_state")
    bodyFormats = builder.bodyFormats.list
    usesBodies =
      bodyFormats.count > 1 || builder.bodyFormats.usesCBOR
      || builder.state.contains { if case .list = $0.initial { true } else { false } } || builder.mentions("_parts")
    usesHeader = builder.usesHeader || builder.mentions("_header")
    usesPacket = builder.usesPacket || builder.mentions("_packet")
    keepsDevices = builder.usesDevice || builder.mentions("_device") || !builder.state.isEmpty
    for format in builder.bodyFormats.list.dropFirst() + (builder.bodyFormats.usesCBOR ? [.cbor] : []) {
      switch format {
      case .json, .cbor: builder.compiler.bodiesHaveAnyName = true
      case .csv(let names): builder.compiler.bodyNames.formUnion(names)
      case .protobuf, .repeated, .map: builder.compiler.bodyNames.formUnion(definition.protobufs.messages.flatMap { $0.fields.map(\.name) })
      }
    }
    do {
      program = try builder.compiler.finish()
    } catch { throw profileError(error) }
    try builder.checkDecryptions(program)
    let styles = try builder.finishPresentations(program)
    messages = builder.messages
    fieldPresentations = styles.fields
    typePresentations = styles.types
    labels = styles.labels
    let shown = PresentationTable(program, fieldPresentations, typePresentations, labels, messages, profile: id, sources)
    flatReaders = shown.flatReaders(messages, program, styles.types)
    templateReaders = shown.templateReaders(messages, program, styles.types, flatReaders)
    self.shown = shown
    protobufEnums = try builder.protobufEnums(program)
    hasInner = Self.hasInner(messages, program, fieldPresentations)
    pairFields = Set(
      styles.types.indices.filter { styles.types[$0].isPair }.flatMap { [program] in
        program.fields(of: TypeID(rawValue: Int32($0))).map(\.rawValue)
      })
    let checking = Set(
      styles.types.indices.map { TypeID(rawValue: Int32($0)) }.filter { [program] type in
        program.fields(of: type).contains(where: program.isCheckedInstance)
      })
    judges = messages.map { [program] message in
      guard !checking.isEmpty, case .type(let type) = message.body else { return false }
      return !program.types(within: type).isDisjoint(with: checking)
    }
    making = retainsCompilation ? .kept(RetainedCompilation(definition, builder)) : .ready(definition.structure())
  }

  private static func hasInner(_ messages: [CompiledMessage], _ program: KaitaiProgram, _ styles: [FieldPresentation]) -> [Bool] {
    func mayBreak(_ body: EmbeddedFormat) -> Bool {
      switch body {
      case .protobuf, .cbor, .json: true
      case .text, .csv, .bytes: false
      }
    }
    let isAnywhere = styles.contains { $0.body.map(mayBreak) ?? false }
    return messages.map { message in
      switch message.body {
      case .other(let body): return mayBreak(body)
      case .type(let type):
        guard isAnywhere else { return false }
        return program.types(within: type).contains { type in
          program.fields(of: type).contains { styles[Int($0.rawValue)].body.map(mayBreak) ?? false }
        }
      }
    }
  }

  /// The number of the message with the id `name`, or nil.
  func message(_ name: String) -> Int? { messages.firstIndex { $0.id == name } }
  /// The UUID of a source that has exactly one; nil for others.
  public func uuid(of source: Int) -> BluetoothUUID? {
    guard sources.indices.contains(source), sources[source].uuids.count == 1 else { return nil }
    return sources[source].uuids[0]
  }
  /// The number of the source with the id `name`, or with this UUID; nil where there is none.
  func source(_ name: String) -> Int? {
    if let found = sources.firstIndex(where: { $0.id == name }) { return found }
    guard let uuid = BluetoothUUID(name) else { return nil }
    return sources.firstIndex { $0.uuids.contains(uuid) || $0.serviceData.contains(uuid) }
  }
}

/// The first error of a specification as an error of a profile.
func profileError(_ error: SpecificationError) -> ProfileError {
  guard let first = error.issues.first else { return ProfileError(file: "", line: 0, column: 0, message: "\(error)") }
  var message = first.message
  // Extensions of Kaitai Struct begin with a dash, which is easily forgotten.
  let keys = ProfileCompiler.fieldKeys + ProfileCompiler.typeKeys
  if let name = message.split(separator: "\"").dropFirst().first, message.hasPrefix("unknown key"), keys.contains("-" + name) {
    message = "unknown key \"\(name)\"; did you mean \"-\(name)\"?"
  }
  return ProfileError(file: first.position.file, line: first.position.line, column: first.position.column, message: message)
}

/// Compiles a definition.
struct ProfileCompiler {
  let definition: Definition
  let compiler: Compiler
  let externals: Externals
  let scope: TypeID
  var sources: [CompiledSource] = []
  var messages: [CompiledMessage] = []
  var state: [CompiledState] = []
  var keys: [CompiledKey] = []
  var usesPacket = false
  var usesDevice = false
  var usesHeader = false
  let bodyFormats = BodyFormats()
  var labels = EnumLabels()
  var fieldPresentations: [Int32: FieldPresentation] = [:]
  var typePresentations: [Int32: TypePresentation] = [:]
  var templates: [(type: TypeID, entry: Entry)] = []
  /// Attributes that require numbers, or bytes.
  var kinds: [(field: FieldID, key: String, entry: Entry)] = []
  var messageTemplates: [(message: Int, entry: Entry)] = []
  /// Fields with "-default".
  var standards: [(field: Int32, entry: Entry)] = []
  /// Fields with "-merge".
  var merges: [(field: FieldID, entry: Entry)] = []
  private var numbers: [String: Int] = [:]
  private var decryptions: [(rules: CompiledDecryption, layer: DecryptDefinition)] = []
  /// Compiled layers, by their position in the file.
  private var layers: [String: CompiledLayer] = [:]

  init(_ definition: Definition) throws {
    self.definition = definition
    let names = Externals.everywhere + definition.state.map { "_state.\($0.name)" }
    compiler = Compiler(externals: names)
    externals = Externals(compiler)
    compiler.refusesUnknownEncodings = true
    compiler.taggedItems = definition.tableItems.mapValues { $0.mapValues { Compiler.TaggedItem(tag: $0.tag, path: $0.path) } }
    // Expressions read lists of the state as CBOR, which therefore has the first number.
    _ = bodyFormats.number(.cbor)
    compiler.bodyFormat = { [bodyFormats, protobufs = definition.protobufs] node in
      guard let text = node.scalar?.string, let body = BodyDefinition(word: text) else { return nil }
      let format: BodyFormat
      switch body {
      case .protobuf(let name?):
        guard let number = protobufs.numbers[name] else { return nil }
        format = .protobuf(number)
      case .protobuf(nil): format = .protobuf(nil)
      case .cbor:
        bodyFormats.usesCBOR = true
        format = .cbor
      case .json: format = .json
      case .csv(let names): format = .csv(names)
      case .type, .text, .bytes: return nil
      }
      return bodyFormats.number(format)
    }
    if let key = EnumLabels.keyWithoutName(definition.kaitai) {
      throw Entry.error(
        definition.file, key,
        "numbers from 2⁶³ on have no names in an enum: compare them in an instance (value: field == 0xffffffffffffffff), or use -na")
    }
    if let name = EnumLabels.longName(definition.kaitai) {
      throw Entry.error(definition.file, name, "the name of a value has at most \(ProfileBounds.maxName) bytes")
    }
    let kaitai = labels.lower(definition.kaitai)
    do {
      scope = try compiler.add(mapping: kaitai, name: "profile", file: definition.file)
    } catch { throw profileError(error) }
  }

  mutating func compile() throws {
    for (name, initial) in definition.state {
      state.append(CompiledState(name: name, external: compiler.external("_state.\(name)"), initial: try Self.initial(initial)))
    }
    for key in definition.keys {
      keys.append(
        CompiledKey(
          name: key.name, external: compiler.external("_key.\(key.name)"), count: key.count, note: key.note, standard: key.standard))
    }
    let answered = Set(definition.sources.flatMap { $0.answers.map(\.source) })
    for source in definition.sources {
      var directions: [CompiledDirection] = []
      for direction in ValueDirection.allCases {
        let alternatives = source.messages[Int(direction.rawValue)]
        directions.append(
          CompiledDirection(
            carries: alternatives != nil,
            alternatives: try (alternatives ?? []).map {
              CompiledDirection.Choice(
                when: try $0.when.map { try expression($0) }, message: try message($0.message, $0.entry),
                readsRequest: Self.readsRequest($0.when), readsBytesOnly: Self.readsBytesOnly($0.when))
            },
            layers: alternatives == nil ? [] : try layers(source.framing[Int(direction.rawValue)]),
            readsRequest: (alternatives ?? []).contains { Self.readsRequest($0.when) }))
      }
      sources.append(
        CompiledSource(
          id: source.id, title: source.title, kind: source.kind, uuids: source.uuids, services: source.services, handles: source.handles,
          numbers: source.numbers, companies: source.companies, serviceData: source.serviceData,
          structures: source.structures, names: source.names, namePatterns: GlobSet(source.names),
          includesCompany: source.includesCompany, isOfAnyCompany: source.isOfAnyCompany, isWhole: source.isWhole, of: source.of,
          directions: directions, answers: [],
          isAnswered: answered.contains(source.id)))
    }
    for name in definition.messages.keys.sorted() where numbers[name] == nil {
      if let entry = definition.messages[name]?.entry { _ = try message(name, entry) }
    }
    var answerCount = 0
    for (index, source) in definition.sources.enumerated() {
      answerCount += source.answers.count * messages.count
      if let answer = source.answers.first, answerCount > ProfileBounds.maxAnswers {
        throw answer.entry.error("\"answers\" times messages of a profile are at most \(ProfileBounds.maxAnswers)")
      }
      sources[index].answers = try source.answers.map { try answer($0, of: index) }
    }
    try compilePresentations()
  }

  private static func initial(_ entry: Entry) throws -> CompiledState.Initial {
    if entry.isNull { return .none }
    if case .sequence = entry.node {
      return .list(try entry.list().prefix(CompiledState.Initial.maxElements).map { try StateElement($0) })
    }
    if case .mapping = entry.node {
      // A table: the value of absent keys.
      var fields = try entry.fields(.stateTable)
      let absent = try fields.take("_").map { Int64(try $0.integer()) } ?? 0
      try fields.finish()
      return .table([:], absent: absent)
    }
    return switch try entry.plainValue() {
    case .int(let number): .int(number)
    case .uint(let number): .uint(number)
    case .double(let number): .float(number)
    case .bool(let truth): .bool(truth)
    default: .text(try entry.text())
    }
  }

  // MARK: Expressions

  private func position(_ entry: Entry) -> SourcePosition {
    SourcePosition(file: entry.file, line: entry.node.mark?.line ?? 0, column: entry.node.mark?.column ?? 0)
  }

  /// Compiles an expression. `type` is the type whose fields the expression names; nil for the profile's own names.
  mutating func expression(
    _ entry: Entry, in type: TypeID? = nil, externals: [ExternalID] = [], body: Int32? = nil, allowsAbsent: Bool = false
  ) throws -> ExpressionID {
    let text = try entry.text()
    if text.contains("_header") { usesHeader = true }
    if text.contains("_packet") { usesPacket = true }
    if text.contains("_device") { usesDevice = true }
    do {
      return try compiler.expression(
        text, at: position(entry), scope: type ?? scope, externals: externals, body: body.map { ($0, self.externals.payload) },
        allowsAbsent: allowsAbsent)
    } catch { throw profileError(error) }
  }

  private func type(_ entry: Entry) throws -> TypeID {
    let name = try entry.text()
    guard let type = compiler.type(name, in: scope) else {
      let hint = nearest(name, of: compiler.typeNames(in: scope)).map { "; did you mean \"\($0)\"?" } ?? ""
      throw entry.error("no type is named \"\(name)\"" + hint)
    }
    return type
  }

  // MARK: Messages

  private mutating func message(_ name: String, _ entry: Entry) throws -> Int {
    if let number = numbers[name] { return number }
    var definition = self.definition.messages[name] ?? MessageDefinition(type: name, entry: entry)
    // A type of the profile takes precedence over a body format of the same name.
    if self.definition.messages[name] == nil, compiler.type(name, in: scope) != nil { definition.body = .type(name) }
    let body: CompiledMessage.Body
    var scopeType: TypeID?
    switch definition.body {
    case .type(let typeName):
      guard let type = compiler.type(typeName, in: scope) else { throw entry.error("no type is named \"\(typeName)\"") }
      body = .type(type)
      scopeType = type
    default: body = .other(try inner(definition.body, definition.entry))
    }
    if case .other(let other) = body, !other.hasOwnNames, definition.fields != nil {
      throw definition.entry.error("\"fields\" are those of cbor, json or csv; those of protobuf are in \"protobufs\"")
    }
    var format: Int32?
    if case .other(let other) = body {
      format = BodyFormat(other).flatMap(bodyFormats.number)
      bodyFormats.usesCBOR = bodyFormats.usesCBOR || other == .cbor
    }
    if let format, case .protobuf(let schema?) = bodyFormats.list[Int(format)] {
      for set in definition.set { try checkPaths(set.value, of: schema) }
    }
    let sets: [CompiledSet]
    do { sets = try definition.set.map { try set($0, in: scopeType, body: format) } } catch var error as ProfileError {
      if scopeType == nil, format == nil { error.message += " (expressions cannot look into a body of text or bytes)" }
      throw error
    }
    let number = messages.count
    numbers[name] = number
    messages.append(
      CompiledMessage(
        id: name, title: definition.title, body: body, template: nil, set: sets, needsRequest: scopeType.map { readsRequest($0) } ?? false,
        format: format ?? -1, bodyFields: definition.fields))
    if let template = definition.template {
      guard scopeType != nil else { throw template.error("\"say\" is for messages of a type: the fields of other bodies are all listed") }
      messageTemplates.append((number, template))
    }
    return number
  }

  /// Checks that the names in an expression over protobuf are fields of its message.
  private func checkPaths(_ entry: Entry, of schema: Int) throws {
    for path in Self.paths(try entry.text()) {
      guard let name = path.first, !isField(name, of: schema) else { continue }
      let names = definition.protobufs.messages[schema].fields.map(\.name)
      throw entry.error(
        "protobuf message \"\(definition.protobufs.messages[schema].name)\" has no field \"\(name)\""
          + (nearest(name, of: names).map { "; did you mean \"\($0)\"?" } ?? ""))
    }
  }

  private func isField(_ name: String, of schema: Int) -> Bool {
    name == "_" || definition.protobufs.messages[schema].field(named: name) != nil
  }

  private mutating func set(_ set: SetDefinition, in type: TypeID?, body: Int32? = nil) throws -> CompiledSet {
    guard let index = state.firstIndex(where: { $0.name == set.name }) else {
      throw set.value.error("\"set\" names \"\(set.name)\", which \"state\" does not declare (state: {\(set.name): 0})")
    }
    var isTable = false
    if case .table = state[index].initial { isTable = true }
    guard isTable == (set.key != nil) else {
      throw set.value.error(
        isTable
          ? "\"\(set.name)\" is a table: write \(set.name)[KEY]: VALUE"
          : "\"\(set.name)\" is no table; a table is declared as state: {\(set.name): {}}")
    }
    return CompiledSet(
      state: index, key: try set.key.map { try expression($0, in: type, body: body) },
      value: try expression(set.value, in: type, body: body))
  }

  /// Whether a condition reads the request.
  private static func readsRequest(_ when: Entry?) -> Bool {
    var found: Set<String> = []
    if let when { words(when.node, &found) }
    return found.contains("_request") || found.contains("_has_request")
  }

  private static func readsBytesOnly(_ when: Entry?) -> Bool {
    guard let when else { return false }
    var found: Set<String> = []
    words(when.node, &found)
    return found == ["_payload"]
  }

  /// Whether any type of the profile reads the request.
  private lazy var usesRequest: Bool = mentions("_request") || mentions("_has_request")

  /// Whether a type, or a type within it, reads the request.
  private mutating func readsRequest(_ type: TypeID) -> Bool {
    guard usesRequest else { return false }
    guard let types = definition.kaitai.mapping?["types"]?.mapping, typeNode(type) != nil else { return true }
    var open = [compiler.name(of: type)]
    var seen = Set(open)
    while let name = open.popLast() {
      guard let node = types[name] else { continue }
      var found: Set<String> = []
      Self.words(node, &found)
      if found.contains("_request") || found.contains("_has_request") { return true }
      for word in node.words where types[word] != nil && seen.insert(word).inserted { open.append(word) }
    }
    return false
  }

  /// Words that change how a profile is run, where they occur in a text as separate names.
  private static let watched = [
    "_request", "_has_request", "_payload", "_packet", "_header", "_parts", "_io", "_state", "_device", "eos", "pos", "terminator", "strz",
  ].map { Array($0.utf8) }
  /// The class of each byte in a text: 0 no part of a word, 1 a part of one, 3 also the first byte of a watched word.
  private static let wordBytes: [UInt8] = (0...UInt8.max).map { byte in
    let isPart =
      byte == UInt8(ascii: "_") || (byte | 0x20 >= UInt8(ascii: "a") && byte | 0x20 <= UInt8(ascii: "z")) || (byte >= 0x30 && byte <= 0x39)
    return !isPart ? 0 : watched.contains { $0.first == byte } ? 3 : 1
  }

  /// Finds the watched words of a text.
  private static func words(_ text: String, _ found: inout Set<String>) {
    let kinds = wordBytes.span
    let bytes = text.utf8.span
    var at = 0
    while at < bytes.count {
      let kind = kinds[Int(bytes[at])]
      if kind == 0 {
        at += 1
        continue
      }
      let start = at
      while at < bytes.count, kinds[Int(bytes[at])] != 0 { at += 1 }
      guard kind == 3 else { continue }
      for word in watched where word.count == at - start && (0..<word.count).allSatisfy({ bytes[start + $0] == word[$0] }) {
        found.insert(String(decoding: word, as: UTF8.self))
      }
    }
  }

  private static func words(_ node: Node, _ found: inout Set<String>) {
    switch node {
    case .scalar(let scalar): words(scalar.string, &found)
    case .sequence(let sequence): for element in sequence { words(element, &found) }
    case .mapping(let mapping):
      for (key, value) in mapping {
        words(key, &found)
        words(value, &found)
      }
    }
  }

  /// The YAML node of a type of the profile.
  private func typeNode(_ type: TypeID) -> Node? {
    let name = compiler.name(of: type)
    return compiler.type(name, in: scope) == type ? definition.kaitai.mapping?["types"]?.mapping?[Node(name)] : nil
  }

  /// The fields of a header, and whether all of them have fixed sizes.
  private func headerParts(_ header: TypeID?) -> (parts: [FramingPart]?, isFixed: Bool) {
    guard let header else { return (nil, false) }
    let types = definition.kaitai.mapping?["types"]?.mapping
    func fields(_ type: Node?) -> [Node]? { type?.mapping?["seq"]?.sequence.map(Array.init) }
    guard let own = fields(typeNode(header)) else { return (nil, false) }
    let found = FramingPart.parts(own) { fields(types?[Node($0)]) }
    return (found.parts, found.isFixed)
  }

  /// Whether the meaning of a header depends on its own bytes only, so that it can be cached: nothing reads the packet, the state, or the end of
  /// the bytes.
  func isFixed(_ header: TypeID, _ roles: [Entry?]) -> Bool {
    guard let node = typeNode(header) else { return false }
    var words: Set<String> = []
    Self.words(node, &words)
    for case let role? in roles { Self.words(role.node, &words) }
    guard words.isEmpty else { return false }
    // Only numbers: a type of the profile could depend on anything.
    let fields = node.mapping?["seq"]?.sequence.map(Array.init) ?? []
    return fields.allSatisfy { field in
      guard let type = field.mapping?["type"]?.string else { return false }
      return type.first.map { "usfb".contains($0) } ?? false && type.dropFirst().first?.isNumber == true
    }
  }

  /// Whether a watched word occurs in the types.
  mutating func mentions(_ word: String) -> Bool { typeWords.contains(word) }

  private lazy var typeWords: Set<String> = {
    var found: Set<String> = []
    Self.words(definition.kaitai, &found)
    return found
  }()

  func inner(_ body: BodyDefinition, _ entry: Entry) throws -> EmbeddedFormat {
    switch body {
    case .type: throw entry.error("a field's \"-body\" is protobuf, cbor, json, text, csv or bytes")
    case .protobuf(nil): return .protobuf(nil)
    case .protobuf(let name?):
      guard let number = definition.protobufs.numbers[name] else {
        let hint = nearest(name, of: definition.protobufs.numbers.keys).map { "; did you mean \"\($0)\"?" } ?? ""
        throw entry.error("no protobuf message is named \"\(name)\"" + hint)
      }
      return .protobuf(number)
    case .cbor: return .cbor
    case .json: return .json
    case .text: return .text
    case .csv(let names): return .csv(names)
    case .bytes: return .bytes
    }
  }

  private mutating func answer(_ answer: AnswerDefinition, of index: Int) throws -> CompiledAnswer {
    let to = sources.firstIndex { $0.id == answer.source } ?? index
    var conditions = [CompiledAnswer.Condition](repeating: .always, count: messages.count)
    guard let when = answer.when else {
      return CompiledAnswer(source: to, conditions: conditions, staysOpen: answer.staysOpen, within: answer.within)
    }
    // A source may carry several messages; the condition need not be valid for all of them.
    let carried = Set(
      sources[index].directions.enumerated().filter { $0.offset != Int(ValueDirection.write.rawValue) || to != index }
        .flatMap { $0.element.alternatives.map(\.message) })
    let paths = Self.paths(try when.text())
    var last: TypeID?
    var isCompiled = false
    // With "or" a message may lack a field of one side; a field that no message has is an error.
    let types = messages.indices.filter(carried.contains).compactMap { number -> TypeID? in
      if case .type(let type) = messages[number].body { type } else { nil }
    }
    let hasOr = try when.text().split(whereSeparator: { $0 == " " || $0 == "(" || $0 == ")" }).contains("or")
    let unknown = paths.first { path in !types.contains { isKnown(path[...], of: $0) } }
    if hasOr, let unknown, !types.isEmpty, !carried.contains(where: { messages[$0].format >= 0 }) {
      throw when.error("no message of \"\(sources[index].id)\" has a field \"\(unknown.joined(separator: "."))\"")
    }
    let mayLack = hasOr && unknown == nil
    for number in messages.indices {
      conditions[number] = .never
      guard carried.contains(number) else { continue }
      switch messages[number].body {
      case .type(let type):
        last = type
        guard mayLack || paths.allSatisfy({ isKnown($0[...], of: type) }) else { continue }
        conditions[number] = .when(try expression(when, in: type, allowsAbsent: mayLack))
      case .other:
        let format = messages[number].format
        guard format >= 0 else { continue }
        if case .protobuf(let schema?) = bodyFormats.list[Int(format)], !paths.allSatisfy({ isField($0.first ?? "_", of: schema) }) {
          continue
        }
        conditions[number] = .when(try expression(when, body: format))
      }
      isCompiled = true
    }
    // The condition is valid for no message: compile it again for the compiler's error.
    if !isCompiled { _ = try expression(when, in: last) }
    return CompiledAnswer(source: to, conditions: conditions, staysOpen: answer.staysOpen, within: answer.within)
  }

  /// Whether a type has the field of a path, as far as the types of the profile show it.
  private func isKnown(_ path: ArraySlice<String>, of type: TypeID) -> Bool {
    guard let first = path.first else { return true }
    guard compiler.field(first, of: type) != nil else { return false }
    guard path.count > 1, let node = typeNode(type) else { return true }
    let field =
      node.mapping?["seq"]?.sequence?.first { $0.mapping?["id"]?.string == first } ?? node.mapping?["instances"]?.mapping?[first]
    guard field?.mapping?["repeat"] == nil, let name = field?.mapping?["type"]?.string, let inner = compiler.type(name, in: scope) else {
      return true
    }
    return isKnown(path.dropFirst(), of: inner)
  }

  /// The paths of fields in an expression, such as `head.count`, without enum names (before `::`) and built-in names.
  private static func paths(_ text: String) -> [[String]] {
    var names: [[String]] = []
    var isOpen = false
    var word = ""
    var before: Character = " "
    var quote: Character?
    var isCast = false
    for character in text + "  " {
      if isCast {
        // The name in `.as<type>` is a type.
        isCast = character != ">"
        continue
      }
      if character == "<", word == "as", before == "." {
        isCast = true
        (word, before, isOpen) = ("", ">", false)
        continue
      }
      if let open = quote {
        if character == open { quote = nil }
        continue
      }
      if character.isLetter || character.isNumber || character == "_" {
        word.append(character)
        continue
      }
      if let first = word.first, first.isLetter, before != ".", before != ":", character != ":",
        !["and", "or", "not", "true", "false", "sizeof", "bitsizeof", "as"].contains(word)
      {
        names.append([word])
        isOpen = true
      } else if isOpen, before == ".", word.first?.isLetter == true, character != "(" {
        names[names.count - 1].append(word)
      } else if !word.isEmpty || character != "." {
        isOpen = false
      }
      if !word.isEmpty || character != " " { before = character }
      word = ""
      if character == "\"" || character == "'" { quote = character }
    }
    return names
  }

  // MARK: Layers

  private mutating func layers(_ list: [LayerDefinition]) throws -> [CompiledLayer] {
    for (index, layer) in list.enumerated() {
      if case .check(let check) = layer.kind, check.coversPackets,
        !list[..<index].contains(where: { if case .fragments = $0.kind { true } else { false } })
      {
        throw layer.entry.error("\"over-packets\" is for a check behind \"fragments\", whose packets it covers")
      }
    }
    return try list.map { try layer($0) }
  }

  /// Compiles a layer once for each position in the file, as many characteristics may share a framing.
  private mutating func layer(_ layer: LayerDefinition) throws -> CompiledLayer {
    guard let mark = layer.entry.node.mark else { return try compile(layer) }
    var description = "\(layer.name) \(mark.line):\(mark.column) \(layer.entry.file)"
    if case .stream(let stream) = layer.kind, let escape = stream.rules.escape { description += " \(escape)" }
    if let known = layers[description] { return known }
    let compiled = try compile(layer)
    layers[description] = compiled
    return compiled
  }

  private mutating func compile(_ layer: LayerDefinition) throws -> CompiledLayer {
    switch layer.kind {
    case .strip(let strip): return .strip(strip)
    case .unescape(.xor(let key, let from)): return .scramble(key: try expression(key), from: from)
    case .unescape(.escape(let escape)): return .unescape(escape)
    case .expect(let length): return .expect(length: try expression(length))
    case .check(let check) where check.coversPackets:
      guard check.value == nil else {
        throw layer.entry.error("\"over-packets\" is for a checksum in the message itself, and has no \"value\"")
      }
      return .checkPackets(check.checksum, when: try check.when.map { try expression($0) }, isInBody: check.isInBody)
    case .check(let check):
      return .check(
        check.checksum, when: try check.when.map { try expression($0) }, value: try check.value.map { try expression($0) },
        isInBody: check.isInBody)
    case .slice(let from, let to): return .slice(from: try bound(from), to: try to.map { try bound($0) })
    case .drop(let when): return .drop(when: try expression(when))
    case .decrypt(let decryption): return .decrypt(try compile(decryption))
    case .stream(let stream):
      let header = try stream.header.map { try type($0) }
      let parts = headerParts(header)
      return .stream(
        CompiledStream(
          header: header, length: try stream.length.map { try expression($0, in: header) }, rules: stream.rules,
          build: try stream.build.map { try build($0, header) }, headerParts: parts.parts, hasFixedHeader: parts.isFixed))
    case .fragments(let fragments):
      let header = try fragments.header.map { try type($0) }
      let parts = headerParts(header)
      func role(_ entry: Entry?) throws -> ExpressionID? { try entry.map { try expression($0, in: header) } }
      return .fragments(
        CompiledFragments(
          header: header, first: try role(fragments.first), last: try role(fragments.last), more: try role(fragments.more),
          total: try role(fragments.total), count: try role(fragments.count), index: try role(fragments.index),
          counter: try role(fragments.counter), offset: try role(fragments.offset), payloadFrom: fragments.payloadFrom,
          payloadTo: try role(fragments.payload),
          rules: fragments.rules, build: try fragments.build.map { try build($0, header) }, isMerge: fragments.isMerge,
          key: try role(fragments.key),
          isFixed: header.map {
            isFixed(
              $0,
              [
                fragments.first, fragments.last, fragments.more, fragments.total, fragments.count, fragments.index, fragments.counter,
                fragments.payload,
              ]) && fragments.set.isEmpty && fragments.offset == nil && !fragments.isMerge
          } ?? false,
          set: try fragments.set.map { try set($0, in: header) },
          headerParts: parts.parts, hasFixedHeader: parts.isFixed))
    }
  }

  private mutating func bound(_ bound: Bound, in type: TypeID? = nil, externals: [ExternalID] = []) throws -> CompiledBound {
    switch bound {
    case .number(let number): .number(number)
    case .expression(let entry): .expression(try expression(entry, in: type, externals: externals))
    }
  }

  private mutating func compile(_ layer: DecryptDefinition) throws -> CompiledDecryption {
    let header = try layer.header.map { try type($0) }
    let names = keys.map(\.external) + [externals.plain]
    let usedDevice = usesDevice
    func compiled(_ entry: Entry?, in type: TypeID?) throws -> ExpressionID? {
      guard let entry else { return nil }
      guard case .sequence = entry.node else { return try expression(entry, in: type, externals: names) }
      let text = "[" + (try entry.bytes()).map(String.init).joined(separator: ", ") + "]"
      return try expression(entry.with(.scalar(.init(text, .plain, entry.node.mark)), entry.what), in: type, externals: names)
    }
    let texts = [layer.key, layer.nonce, layer.data, layer.check].compactMap { $0?.node.string }
    let mentioned = keys.indices.compactMap { number in
      texts.firstIndex { $0.mentions("_key.\(keys[number].name)") }.map { (index: $0, number: number) }
    }
    let key = try compiled(layer.key, in: header)
    let nonce = try compiled(layer.nonce, in: header)
    let closed = try layer.withoutKey.map { try message($0.text(), $0) } ?? layer.header.map { try message($0.text(), $0) }
    let rules = CompiledDecryption(
      mode: layer.mode, keyCount: layer.keyCount, when: try compiled(layer.when, in: nil), header: header,
      key: key ?? ExpressionID(rawValue: 0),
      nonce: nonce, data: try compiled(layer.data, in: header), from: try bound(layer.from, in: header),
      to: try layer.to.map { try bound($0, in: header) }, tagFrom: try layer.tag.map { try bound($0.from, in: header) },
      tagTo: try layer.tag?.to.map { try bound($0, in: header) }, length: try compiled(layer.length, in: header),
      check: try compiled(layer.check, in: header), isPadded: layer.isPadded,
      countsLittleEndian: layer.countsLittleEndian, closedMessage: try closed ?? message("bytes", layer.key),
      keys: mentioned.sorted { ($0.index, $0.number) < ($1.index, $1.number) }.map(\.number),
      usesAddress: texts.contains { $0.contains("_device.") },
      keyUsesState: layer.key.node.string?.contains("_state.") ?? false)
    // Devices need not be distinguished where no keys of users are used.
    if !rules.keys.isEmpty { usesDevice = usedDevice }
    decryptions.append((rules, layer))
    return rules
  }

  /// Checks the lengths of keys and nonces that are constant.
  func checkDecryptions(_ program: KaitaiProgram) throws {
    guard !decryptions.isEmpty else { return }
    let environment = KaitaiEnvironment(program)
    let tree = KaitaiTree(program, limits: .message)
    tree.parse(borrowing: BorrowedBytes(), as: TypeID(rawValue: 0), environment: environment)
    for key in keys {
      environment.set(key.external, bytes: [UInt8](repeating: 0, count: key.count))
    }
    externals.set(mac: "00:00:00:00:00:00", environment)
    func count(_ expression: ExpressionID?) -> Int? {
      guard let expression, let value = try? tree.evaluate(expression), value.kind == .bytes || value.kind == .string else { return nil }
      return tree.withBytes(of: value) { $0.count }
    }
    for (rules, layer) in decryptions {
      let lengths = rules.keyCount.map { [$0] } ?? [16, 24, 32]
      if let count = count(rules.key), !lengths.contains(count) {
        let wanted = lengths.map(String.init).joined(separator: ", ")
        throw layer.key.error(
          "a key of aes-\(rules.keyCount.map { "\($0 * 8)-" } ?? "")\(rules.mode.rawValue) has \(wanted) bytes, and this has \(count)")
      }
      if let nonce = layer.nonce, let count = count(rules.nonce), !rules.mode.nonceLengths.contains(count) {
        let range = rules.mode.nonceLengths
        let wanted = range.count == 1 ? "\(range.lowerBound)" : "\(range.lowerBound) to \(range.upperBound)"
        throw nonce.error("\(nonce.what) of aes-\(rules.mode.rawValue) has \(wanted) bytes, and this has \(count)")
      }
    }
  }

  /// Compiles the value that `build` gives a field of a header: an expression, or the name of a value of the field's enum.
  private mutating func built(_ value: Entry, _ field: String, of header: TypeID?, _ names: [ExternalID]) throws -> ExpressionID {
    let text = try value.text()
    if let header, let type = typeNode(header),
      let seq = type.mapping?["seq"]?.sequence?.first(where: { $0.mapping?["id"]?.string == field }),
      let enumeration = seq.mapping?["enum"]?.string, let number = labels.number(text, of: enumeration)
    {
      guard !Externals.building.contains(text) else {
        throw value.error(
          "\"\(text)\" is a variable of \"build\" and a value of enum \"\(enumeration)\": "
            + "write \(enumeration)::\(text) for the value, (\(text)) for the variable")
      }
      return try expression(value.with(.scalar(.init(String(number), .plain, value.node.mark)), value.what), externals: names)
    }
    return try expression(value, externals: names)
  }

  private mutating func build(_ build: BuildDefinition, _ header: TypeID?) throws -> CompiledBuild {
    let names = externals.built
    func choices(_ list: [BuildDefinition.Choice]) throws -> [CompiledBuild.Choice] {
      try list.map { choice in
        for (name, value) in choice.header {
          guard let header, compiler.field(name, of: header) != nil else {
            throw value.error("the header type has no field \"\(name)\"")
          }
        }
        return CompiledBuild.Choice(
          when: try choice.when.map { try expression($0, externals: names) },
          header: try choice.header.map { ($0.name, try built($0.value, $0.name, of: header, names)) })
      }
    }
    return CompiledBuild(
      size: try build.size.map { try bound($0, externals: names) }, pad: build.pad, first: try choices(build.first),
      next: try choices(build.next))
  }
}

extension String {
  /// Whether a name occurs in an expression, and not as a part of a longer name.
  fileprivate func mentions(_ name: String) -> Bool {
    ranges(of: name).contains { range in
      guard range.upperBound < endIndex else { return true }
      let next = self[range.upperBound]
      return !next.isLetter && !next.isNumber && next != "_"
    }
  }
}
