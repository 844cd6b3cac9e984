import KaitaiStruct
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

  /// The fields and compared bytes that decide how its messages are framed and parsed.
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
