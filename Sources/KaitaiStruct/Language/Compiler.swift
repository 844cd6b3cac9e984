import Memory
import YAML

/// Resolves imported specifications.
///
/// Takes the name in `meta/imports` and the importing file; returns the file's name (the same file always has the same name) and its text, or nil
/// where there is no such file.
public typealias ImportResolver = (_ name: String, _ importer: String) -> (file: String, text: String)?

/// Defaults for types inside another file that do not specify these themselves.
public struct Defaults: Sendable {
  /// `meta/endian`: true for little, false for big; nil leaves it open.
  public var isLittleEndian: Bool?
  /// `meta/bit-endian`: true for little; nil is big, as in Kaitai Struct.
  public var isBitLittleEndian: Bool?
  /// `meta/encoding`.
  public var encoding: String?

  /// Creates defaults.
  public init(isLittleEndian: Bool? = nil, isBitLittleEndian: Bool? = nil, encoding: String? = nil) {
    self.isLittleEndian = isLittleEndian
    self.isBitLittleEndian = isBitLittleEndian
    self.encoding = encoding
  }
}

/// Compiles specifications and expressions over them into one ``KaitaiProgram``.
///
/// Add types first, then expressions, then call ``finish()``. All methods report errors with file, line and column.
public final class Compiler {
  let diagnostics = Diagnostics()
  /// Budget for all added files, including their imports.
  private let budget = DocumentBudget()
  var specs: [TypeSpec] = []
  /// Types of entire files, by name.
  var topTypes: [String: TypeSpec] = [:]
  private var filesLoaded: Set<String> = []
  private var fileCount: Int32 = 0

  // The tables while they are built.
  var types: [TypeInfo] = []
  var fields: [FieldInfo] = []
  var readers: [Reader] = []
  var operations: [Operation] = []
  var constants: [KaitaiValue] = []
  var lists: [Int32] = []
  var switches: [SwitchInfo] = []
  var cases: [SwitchCase] = []
  var checks: [Check] = []
  var processes: [ProcessInfo] = []
  var enums: [EnumInfo] = []
  var enumEntries: [EnumEntry] = []
  var bytes: [UInt8] = []

  var names: [String] = BuiltIn.allCases.map(\.name)
  var symbols: [String: Int32] = [:]
  var enumNames: [String] = []
  /// The members of the fields, for decisions that are made late.
  var members: [MemberSpec] = []
  var fieldTypes: [StaticType?] = []
  var fieldsInWork: Set<Int32> = []
  /// Fixed size of a type in bits, nil as a value where it varies; computed once.
  var typeBits: [Int32: Int?] = [:]
  var encodings: [Encoding] = []
  /// If true, an unknown encoding is an error; otherwise only reading such a text fails.
  public var refusesUnknownEncodings = false
  /// Names in bodies of other formats, which expressions may use if the type is known only when reading.
  public var bodyNames: Set<String> = []
  /// Bodies of other formats may have any name.
  public var bodiesHaveAnyName = false
  /// The number of the format in a field's `-body`, if expressions can access it; nil for others. Set it before types are added.
  public var bodyFormat: ((Node) -> Int32?)?
  /// An element of a list of tagged values that expressions can access by name.
  public struct TaggedItem: Sendable {
    /// The number in its field `id`.
    public var tag: UInt64
    /// The fields from the element to the value.
    public var path: [String]

    /// Creates an item.
    public init(tag: UInt64, path: [String]) {
      self.tag = tag
      self.path = path
    }
  }
  /// The names of elements of lists, by the name of the elements' type: `values.battery` is the value of the first element with that tag. Set it
  /// before types are added.
  public var taggedItems: [String: [String: TaggedItem]] = [:]
  /// By operation: the type of the objects at which a caller's expression is evaluated.
  var expressionScopes: [Int32: Int32] = [:]
  var externalNames: [String] = []
  /// External names that types may use; expressions may be allowed more.
  var typeExternals: Set<String>
  /// Names used where the type is known only when parsing: at least one type must have them.
  var openNames: [(name: String, source: Source, offset: Int)] = []

  /// Creates a compiler. `externals` are the names besides Kaitai's own that expressions inside types may use (`_request`, `_state.page`).
  public init(externals: [String] = []) {
    typeExternals = Set(externals)
    for (index, name) in names.enumerated() { symbols[name] = Int32(index) }
    for name in externals { _ = external(name) }
  }

  /// Declares an external name, which may have dots (`_device.name`); the same name always gets the same number.
  @discardableResult
  public func external(_ name: String) -> ExternalID {
    if let index = externalNames.firstIndex(of: name) { return ExternalID(rawValue: Int32(index)) }
    externalNames.append(name)
    return ExternalID(rawValue: Int32(externalNames.count - 1))
  }

  // MARK: Adding types

  /// Adds an entire .ksy file with its imports; returns its type. Throws ``SpecificationError`` with all errors found.
  @discardableResult
  public func add(text: String, file: String, imports: ImportResolver? = nil) throws(SpecificationError) -> TypeID {
    let first = specs.count
    let spec = try load(text: text, file: file)
    try loadImports(of: spec, file: file, imports: imports)
    try compileTypes(from: first)
    return TypeID(rawValue: spec.number)
  }

  /// Adds the `types`, `enums`, `seq`, `instances`, `params` and `meta` of a mapping inside another file; its other keys are ignored.
  ///
  /// The mapping itself becomes a type with the name `name`, which contains the types; returns that type. Throws ``SpecificationError``.
  @discardableResult
  public func add(
    mapping: Node, name: String, file: String, defaults: Defaults = Defaults(), imports: ImportResolver? = nil
  ) throws(SpecificationError) -> TypeID {
    guard case .mapping(let whole) = mapping else {
      diagnostics.report(
        SourcePosition(file: file, line: mapping.mark?.line ?? 0, column: mapping.mark?.column ?? 0), "", "expected a mapping with `types`")
      try diagnostics.check()
      return TypeID(rawValue: -1)
    }
    let kept = whole.filter { pair in ["types", "enums", "seq", "instances", "params", "meta"].contains(pair.key.scalar?.string ?? "") }
    let part = Node.mapping(.init(kept, whole.mark))
    let first = specs.count
    let loader = Loader(file: file, diagnostics: diagnostics)
    guard let spec = loader.file(part, name: name, isPart: true) else {
      try diagnostics.check()
      return TypeID(rawValue: -1)
    }
    if spec.endian == nil, let isLittle = defaults.isLittleEndian { spec.endian = isLittle ? .little : .big }
    if spec.bitEndianIsLittle == nil { spec.bitEndianIsLittle = defaults.isBitLittleEndian }
    if spec.encoding == nil, let encoding = defaults.encoding {
      spec.encoding = Source(text: encoding, position: spec.position, path: "")
    }
    register(spec)
    try loadImports(of: spec, file: file, imports: imports)
    try compileTypes(from: first)
    return TypeID(rawValue: spec.number)
  }

  /// The parts of a name: `outer::inner`. Names are split by bytes, as splitting by characters takes ten times as long.
  static func path(_ name: String) -> [String] {
    let colon = UInt8(ascii: ":")
    guard name.utf8.contains(colon) else { return name.isEmpty ? [] : [name] }
    return name.utf8.split(separator: colon).map { String(Substring($0)) }
  }

  /// The type with a name (`header`, `outer::inner`) that is visible from `scope`; nil where there is none.
  public func type(_ name: String, in scope: TypeID? = nil) -> TypeID? {
    let path = Self.path(name)
    let outer = scope.flatMap { specs.indices.contains(Int($0.rawValue)) ? specs[Int($0.rawValue)] : nil }
    if let found = find(type: path, from: outer) { return TypeID(rawValue: found.number) }
    // Without a scope, the types inside the files are visible too.
    guard outer == nil else { return nil }
    for top in specs where unsafe top.outer == nil {
      if let found = find(type: path, from: top) { return TypeID(rawValue: found.number) }
    }
    return nil
  }

  /// The types visible from `scope` by a plain name, for messages and lists.
  public func typeNames(in scope: TypeID) -> [String] { visibleTypes(from: specs[Int(scope.rawValue)]) }

  /// The name of a type, without its outer types.
  public func name(of type: TypeID) -> String { specs[Int(type.rawValue)].name }

  /// The attributes of all fields whose keys begin with a dash, with their YAML nodes and positions.
  public func fieldAttributes() -> [(field: FieldID, key: String, node: Node, position: SourcePosition)] {
    members.enumerated().flatMap { index, member in
      member.dashes.map { (FieldID(rawValue: Int32(index)), $0.key, $0.node, $0.position) }
    }
  }

  /// The attributes of all types whose keys begin with a dash, with their YAML nodes and positions.
  public func typeAttributes() -> [(type: TypeID, key: String, node: Node, position: SourcePosition)] {
    specs.flatMap { spec in spec.dashes.map { (TypeID(rawValue: spec.number), $0.key, $0.node, $0.position) } }
  }

  /// The field of `type` with a name; nil where there is none.
  public func field(_ name: String, of type: TypeID) -> FieldID? {
    guard let symbol = symbols[name] else { return nil }
    let slot = slot(of: symbol, in: type.rawValue)
    return slot < 0 ? nil : FieldID(rawValue: types[Int(type.rawValue)].firstField + slot)
  }

  /// The type that a field belongs to.
  public func owner(of field: FieldID) -> TypeID { TypeID(rawValue: fields[Int(field.rawValue)].owner) }

  // MARK: Adding expressions

  /// Compiles an expression over the fields of `scope` (nil: only over external names).
  ///
  /// `position` is that of its text, for errors. `externals` are the external names it may use, besides those the compiler was created with. In it
  /// `_` is the object at which it is evaluated. Unknown names are those of a `body`, or absent if `allowsAbsent` is set. Throws
  /// ``SpecificationError``.
  public func expression(
    _ text: String, at position: SourcePosition, scope: TypeID?, externals: [ExternalID] = [],
    body: (format: Int32, bytes: ExternalID)? = nil, allowsAbsent: Bool = false
  ) throws(SpecificationError) -> ExpressionID {
    let source = Source(text: text, position: position, path: "")
    var seen = typeExternals
    for external in externals { seen.insert(externalNames[Int(external.rawValue)]) }
    let spec = scope.map { specs[Int($0.rawValue)] }
    let it: StaticType? = scope.map { .object($0.rawValue) }
    let (operation, _) = compile(
      source, Scope(type: spec, externals: seen, it: it ?? .unknown, itIsThis: true, body: body, allowsAbsent: allowsAbsent))
    try diagnostics.check()
    if let scope { expressionScopes[operation] = scope.rawValue }
    return ExpressionID(rawValue: operation)
  }

  // MARK: Finishing

  /// The program with everything that was added. Throws ``SpecificationError`` where a name is used that no type has.
  public func finish() throws(SpecificationError) -> KaitaiProgram {
    var known = Set(BuiltIn.allCases.map(\.name))
    for member in members { known.insert(member.id) }
    known.formUnion(bodyNames)
    for open in openNames where !known.contains(open.name) && !bodiesHaveAnyName {
      diagnostics.report(
        open.source.position(at: open.offset), open.source.path,
        "nothing is called \"\(open.name)\"\(suggestion(for: open.name, of: known))")
    }
    openNames = []
    try diagnostics.check()
    var numbers: [String: Int32] = [:]
    for spec in specs {
      for name in [spec.fullName, spec.name, spec.innerName] where numbers[name] == nil && !name.isEmpty {
        numbers[name] = spec.number
      }
    }
    for spec in specs { numbers[spec.fullName] = spec.number }
    var fieldAttributes: [Int32: [String: String]] = [:]
    for attribute in self.fieldAttributes() {
      fieldAttributes[attribute.field.rawValue, default: [:]][attribute.key] = attribute.node.scalar?.string
    }
    var typeAttributes: [Int32: [String: String]] = [:]
    for attribute in self.typeAttributes() {
      typeAttributes[attribute.type.rawValue, default: [:]][attribute.key] = attribute.node.scalar?.string
    }
    markStreamsOfObjects()
    markRuns()
    markSwitchedSlots()
    let tables = unsafe ProgramTables(
      types: Table(types), fields: Table(fields), readers: Table(readers), operations: Table(operations),
      constants: Table(constants), lists: Table(lists), switches: Table(switches), cases: Table(cases),
      checks: Table(checks), processes: Table(processes), enums: Table(enums), enumEntries: Table(enumEntries),
      bytes: ProgramTables.copy(bytes), scopes: Table(operations.indices.map { expressionScopes[Int32($0)] ?? -1 }),
      operationCount: operations.count)
    return KaitaiProgram(
      tables: tables, names: names, typeNames: specs.map(\.fullName), enumNames: enumNames, externalNames: externalNames,
      fieldPositions: members.map(\.position), fieldPaths: members.map(\.path), encodings: encodings, fieldAttributes: fieldAttributes,
      typeAttributes: typeAttributes, typeNumbers: numbers)
  }

  /// Marks `_io.size`, `_io.pos` and `_io.eof`, which many conditions and switches use, so that they need no further step to access the stream.
  private func markStreamsOfObjects() {
    let names = [BuiltIn.size, .pos, .eof].map(\.rawValue)
    for index in operations.indices where operations[index].code == .member && names.contains(operations[index].b) {
      let base = operations[Int(operations[index].a)]
      if base.code == .stream, operations[Int(base.a)].code == .this { operations[index].c = Operation.streamOfObject }
    }
  }

  /// Marks the switches on a field of the object itself, or its `to_i`.
  private func markSwitchedSlots() {
    for index in switches.indices where switches[index].isSorted {
      var on = operations[Int(switches[index].on)]
      if on.code == .member, on.b == BuiltIn.toI.rawValue { on = operations[Int(on.a)] }
      if on.code == .slot { switches[index].onSlot = on.a }
    }
  }

  /// Marks the runs of plain fields, which are read with one check of the remaining bytes.
  private func markRuns() {
    for type in types {
      let first = type.firstField + type.parameterCount
      for number in (first..<(first + type.sequenceCount)).reversed() {
        let field = fields[Int(number)]
        guard field.isPlain, case let reader = readers[Int(field.reader)], reader.order != .calculated else { continue }
        let isLast = number == first + type.sequenceCount - 1
        let (count, size) = isLast ? (0, 0) : (fields[Int(number) + 1].runCount, fields[Int(number) + 1].runSize)
        let isLong = count > 1000
        fields[Int(number)].runCount = (isLong ? 0 : count) + 1
        fields[Int(number)].runSize = (isLong ? 0 : size) + UInt16(reader.width)
      }
    }
  }

  // MARK: Loading

  private func load(text: String, file: String) throws(SpecificationError) -> TypeSpec {
    var node: Node?
    do {
      node = try YAML.compose(yaml: text, budget)
    } catch {
      diagnostics.report(Self.position(of: error, file: file), "", Self.message(of: error))
    }
    if node == nil, diagnostics.issues.isEmpty {
      diagnostics.report(SourcePosition(file: file, line: 1, column: 1), "", "the file is empty")
    }
    try diagnostics.check()
    let loader = Loader(file: file, diagnostics: diagnostics)
    let base = file.split(separator: "/").last.map(String.init) ?? file
    let name = base.hasSuffix(".ksy") ? String(base.dropLast(4)) : base
    guard let node, let spec = loader.file(node, name: name, isPart: false) else {
      try diagnostics.check()
      throw SpecificationError(issues: [])
    }
    filesLoaded.insert(file)
    register(spec)
    return spec
  }

  private func loadImports(of spec: TypeSpec, file: String, imports: ImportResolver?) throws(SpecificationError) {
    // A work list instead of recursion: a chain of imports may be long, or circular.
    var work = [(spec, file)]
    while let (importer, importerFile) = work.popLast() {
      for source in importer.imports {
        guard filesLoaded.count < 500 else {
          diagnostics.report(source.position, source.path, "more than 500 files are imported")
          break
        }
        guard let found = imports?(source.text, importerFile) else {
          diagnostics.report(source.position, source.path, "cannot find \"\(source.text)\" to import")
          continue
        }
        guard !filesLoaded.contains(found.file) else { continue }
        work.append((try load(text: found.text, file: found.file), found.file))
      }
    }
    try diagnostics.check()
  }

  private static func position(of error: YAMLError, file: String) -> SourcePosition {
    switch error {
    case .syntax(_, _, let mark), .duplicates(_, let mark): SourcePosition(file: file, line: mark.line, column: mark.column)
    }
  }

  private static func message(of error: YAMLError) -> String {
    switch error {
    case .syntax(let problem, let context, _): "not YAML: \(problem)\(context.map { ", \($0)" } ?? "")"
    case .duplicates(let keys, _): "the key \"\(keys.joined(separator: "\", \""))\" stands twice"
    }
  }

  private func register(_ spec: TypeSpec) {
    let file = fileCount
    fileCount += 1
    topTypes[spec.name] = spec
    number(spec, file: file)
  }

  /// Assigns numbers to a type, its fields and enums, and to the types inside it.
  private func number(_ spec: TypeSpec, file: Int32) {
    spec.number = Int32(specs.count)
    specs.append(spec)
    let first = Int32(fields.count)
    var counts: [Int32] = []
    for role in [MemberSpec.Role.parameter, .sequence, .instance] {
      let before = fields.count
      // Members have many parts: each copy of one retains them all.
      for index in spec.members.indices where spec.members[index].role == role {
        members.append(spec.members[index])
        fieldTypes.append(nil)
        fields.append(
          FieldInfo(
            name: symbol(spec.members[index].id), owner: spec.number, role: Role(rawValue: role.rawValue) ?? .sequence, repetition: .once,
            isPlain: false, reader: -1, condition: -1, repeatExpression: -1, offset: -1, stream: -1, value: -1, enumeration: -1,
            firstCheck: 0, checkCount: 0))
      }
      counts.append(Int32(fields.count - before))
    }
    types.append(
      TypeInfo(
        name: symbol(spec.name), firstField: first, fieldCount: Int32(fields.count) - first,
        parameterCount: counts[0], sequenceCount: counts[1],
        file: file, endianSwitch: -1, inheritsEndian: false))
    for enumSpec in spec.enums {
      let number = define(enumSpec, in: spec)
      // Of two with one name, the first is used.
      if spec.enumNumbers[enumSpec.name] == nil { spec.enumNumbers[enumSpec.name] = number }
    }
    for inner in spec.types { number(inner, file: file) }
  }

  private func define(_ spec: EnumSpec, in type: TypeSpec) -> Int32 {
    var entries: [EnumEntry] = []
    for entry in spec.entries {
      do throws(ExpressionError) {
        let form = try ExpressionParser.parse(entry.value.text).form
        switch form {
        case .integer(let value): entries.append(EnumEntry(bits: value, isBig: value >> 63 == 1, name: symbol(entry.name)))
        case .unary(.minus, let inner):
          guard case .integer(let value) = inner.form, value <= 1 << 63 else { throw ExpressionError(offset: 0, message: "") }
          entries.append(EnumEntry(bits: 0 &- value, isBig: false, name: symbol(entry.name)))
        default: throw ExpressionError(offset: 0, message: "")
        }
      } catch {
        diagnostics.report(entry.value.position, entry.value.path, "an enum's key must be a whole number that fits 64 bits")
      }
    }
    // Stable sort: if a value is listed twice in different notations, the first name is used.
    let sorted = entries.enumerated().sorted { ($0.element.bits, $0.offset) < ($1.element.bits, $1.offset) }.map(\.element)
    enums.append(EnumInfo(first: Int32(enumEntries.count), count: Int32(sorted.count)))
    enumEntries += sorted
    enumNames.append(type.fullName + "::" + spec.name)
    return Int32(enums.count - 1)
  }

  func symbol(_ name: String) -> Int32 {
    if let found = symbols[name] { return found }
    let new = Int32(names.count)
    names.append(name)
    symbols[name] = new
    return new
  }

  func slot(of symbol: Int32, in type: Int32) -> Int32 {
    let info = types[Int(type)]
    for slot in 0..<info.fieldCount where fields[Int(info.firstField + slot)].name == symbol { return slot }
    return -1
  }

  // MARK: Finding

  /// The type at the end of `path`, visible from `scope`: its own types, those of its outer types, then entire files.
  func find(type path: [String], from scope: TypeSpec?) -> TypeSpec? {
    guard let head = path.first else { return nil }
    var next = scope
    while let outer = next {
      next = unsafe outer.outer
      if let found = outer.type(named: head) ?? (outer.name == head ? outer : nil), let end = descend(found, path) {
        return end
      }
    }
    return topTypes[head].flatMap { descend($0, path) }
  }

  private func descend(_ start: TypeSpec, _ path: [String]) -> TypeSpec? {
    var found: TypeSpec? = start
    for name in path.dropFirst() { found = found?.type(named: name) }
    return found
  }

  /// The enum at the end of `path`, visible from `scope`.
  func find(enumeration path: [String], from scope: TypeSpec?) -> Int32? {
    guard let name = path.last else { return nil }
    if path.count > 1 { return find(type: Array(path.dropLast()), from: scope).flatMap { $0.enumNumbers[name] } }
    var next = scope
    while let outer = next {
      if let found = outer.enumNumbers[name] { return found }
      next = unsafe outer.outer
    }
    return nil
  }

  func visibleTypes(from scope: TypeSpec?) -> [String] {
    (scope?.scopes ?? []).flatMap { $0.types.map(\.name) } + topTypes.keys.sorted()
  }

  func visibleEnums(from scope: TypeSpec?) -> [String] { (scope?.scopes ?? []).flatMap { $0.enums.map(\.name) } }
}
