import KaitaiStruct
import PacketCodecs
import YAML

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
  var decryptions: [(rules: CompiledDecryption, layer: DecryptDefinition)] = []
  /// Compiled layers, by their position in the file.
  var layers: [String: CompiledLayer] = [:]

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

  private static func initial(_ entry: Entry) throws -> CompiledState.Value {
    if entry.isNull { return .none }
    if case .sequence = entry.node {
      return .list(try entry.list().prefix(CompiledState.Value.maxElements).map { try StateElement($0) })
    }
    if case .mapping = entry.node {
      // A table: the value of absent keys.
      var fields = try entry.fields(.stateTable)
      let absent = try fields.take("_").map { Int64(try $0.integer()) } ?? 0
      try fields.finish()
      return .table([:], absent: absent)
    }
    return .single(try StateElement(entry))
  }

  // MARK: Expressions

  func position(_ entry: Entry) -> SourcePosition {
    SourcePosition(file: entry.file, line: entry.node.mark?.line ?? 0, column: entry.node.mark?.column ?? 0)
  }

  /// Compiles an expression. `type` is the type whose fields the expression names; nil for the profile's own names.
  mutating func expression(
    _ entry: Entry, in type: TypeID? = nil, externals: [ExternalID] = [], body: Int32? = nil, allowsAbsent: Bool = false
  ) throws -> ExpressionID {
    let text = try entry.text()
    if Self.has("_header", in: text) { usesHeader = true }
    if Self.has("_packet", in: text) { usesPacket = true }
    if Self.has("_device", in: text) { usesDevice = true }
    do {
      return try compiler.expression(
        text, at: position(entry), scope: type ?? scope, externals: externals, body: body.map { ($0, self.externals.payload) },
        allowsAbsent: allowsAbsent)
    } catch { throw profileError(error) }
  }

  /// Whether a text contains a part, compared by bytes: by characters this takes a hundred times as long.
  private static func has(_ part: String, in text: String) -> Bool {
    let (bytes, wanted) = (Array(text.utf8), Array(part.utf8))
    guard bytes.count >= wanted.count else { return false }
    return (0...bytes.count - wanted.count).contains { start in wanted.indices.allSatisfy { bytes[start + $0] == wanted[$0] } }
  }

  func type(_ entry: Entry) throws -> TypeID {
    let name = try entry.text()
    guard let type = compiler.type(name, in: scope) else {
      let hint = nearest(name, of: compiler.typeNames(in: scope)).map { "; did you mean \"\($0)\"?" } ?? ""
      throw entry.error("no type is named \"\(name)\"" + hint)
    }
    return type
  }

  // MARK: Messages

  mutating func message(_ name: String, _ entry: Entry) throws -> Int {
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
    if case .other(let other) = body, !other.namesFields, definition.fields != nil {
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

  mutating func set(_ set: SetDefinition, in type: TypeID?, body: Int32? = nil) throws -> CompiledSet {
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
  mutating func readsRequest(_ type: TypeID) -> Bool {
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
  func typeNode(_ type: TypeID) -> Node? {
    let name = compiler.name(of: type)
    return compiler.type(name, in: scope) == type ? definition.kaitai.mapping?["types"]?.mapping?[Node(name)] : nil
  }

  /// The fields of a header, and whether all of them have fixed sizes.
  func headerParts(_ header: TypeID?) -> (parts: [FramingPart]?, isFixed: Bool) {
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
}
