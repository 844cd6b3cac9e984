import KaitaiStruct
import Memory
import Text

/// The presentations of a profile in unmanaged memory, so that using them for a field needs no retain and release.
@safe final class PresentationTable: @unchecked Sendable {
  @safe struct Field {
    var name: FieldText
    var label: FieldText
    var unit: FieldText
    /// The name as a key of a JSON object, with a leading comma and the colon.
    var key: FieldText
    var scale: Scale?
    /// -1: none.
    var scaleBy: Int32
    var offsetBy: Int32
    var unitBy: Int32
    /// The decimals that it is rounded to; -1: not rounded.
    var digits: Int
    /// Whether its number is computed by more than a factor.
    var isComputed: Bool
    /// Numbers that mean no value.
    var absent: AbsentNumbers
    /// Index into ``PresentationTable/bodies``, or -1.
    var body: Int32
    var format: FieldPresentation.Format
    var isHidden: Bool
    var isSecret: Bool
    /// Whether it is personal data; nil where the profile does not say.
    var isPersonal: Bool?
    /// Whether it is a part of a date or of a time of day.
    var isClock: Bool
    /// Whether it always has the same bytes.
    var isFixed: Bool
    /// Whether it is a bit field that takes the lowest bit of a byte first.
    var takesLowBitsFirst: Bool
    /// Whether the fields of its object are shown as those of the object around it.
    var isMerged: Bool
    /// Whether its values are shown as stored.
    var isPlain: Bool
  }

  @safe struct `Type` {
    /// Index into ``PresentationTable/templates``, or -1.
    var template: Int32
    var isInline: Bool
    var isPair: Bool
    /// Whether it has a field whose fields are shown as its own.
    var hasMerged = false
  }

  /// A part of a template. The parts inside an optional part follow it.
  @safe enum Part {
    case text(FieldText)
    case field(path: Table<PathComponent>, digits: Int, isHex: Bool)
    case optional(count: Int)
  }

  /// A component of the path from an object to the field that a template names.
  struct PathComponent {
    let name: Symbol
    /// The field of that name; nil where the type of the object is known only in decoding.
    let field: FieldID?
  }

  @safe struct Template {
    var parts: Table<Part>
  }

  /// The names of one enum's values.
  @safe struct Enumeration {
    /// The labels in the order of their values.
    var entries: Table<Label>
    /// For each value of one byte: the index of its label, or -1.
    var small: Table<Int32>

    @inline(__always)
    func label(_ value: Int64) -> Table<Label>.Entry? {
      if value >= 0, value < 256 {
        let index = Int(small[Int(value)])
        return index < 0 ? nil : entries.entry(index)
      }
      var low = 0
      var high = entries.count
      while low < high {
        let middle = (low &+ high) >> 1
        if entries[middle].value < value { low = middle &+ 1 } else { high = middle }
      }
      guard low < entries.count, entries[low].value == value else { return nil }
      return entries.entry(low)
    }
  }

  @safe struct Label {
    var value: Int64
    /// The original name in the profile.
    var name: FieldText
    /// The name for people: identifiers in lower case with spaces.
    var word: FieldText
    /// As a JSON object of name and value.
    var json: FieldText
  }

  let fields: Table<Field>
  let types: Table<Type>
  let enumerations: Table<Enumeration>
  let bodies: [EmbeddedFormat]
  /// The presentations of the fields of each body.
  let bodyFields: [BodyFields?]
  let templates: Table<Template>
  let messageTemplates: Table<Int32>
  /// By message: its title, or its id with spaces.
  let messageTitles: Table<FieldText>
  /// The first key of a JSON row, without a comma in front: `"profile":"gopro"`.
  let profileKey: Table<FieldText>
  /// By message: `,"message":"status"`.
  let messageKeys: Table<FieldText>
  /// By source: `,"characteristic":"query"`.
  let sourceKeys: Table<FieldText>
  /// Most bytes of the names and titles that output writes with each message: of the profile, the source and the message.
  let headingBytes: Int
  private let pool = TextPool()
  private var owned: [UnsafeMutableRawPointer] = unsafe []

  init(
    _ program: KaitaiProgram, _ styles: [FieldPresentation], _ typePresentations: [TypePresentation], _ labels: [[Int64: String]],
    _ messages: [CompiledMessage],
    profile: String, _ sources: [CompiledSource]
  ) {
    let pool = pool
    var owned: [UnsafeMutableRawPointer] = unsafe []
    func own<T>(_ list: [T]) -> Table<T> {
      let table = Table(list)
      unsafe owned.append(UnsafeMutableRawPointer(mutating: table.base))
      return table
    }
    var quoting: [UInt8] = []
    func quoted(_ begin: String, _ text: [UInt8], _ end: String) -> FieldText {
      quoting.removeAll(keepingCapacity: true)
      quoting.append(contentsOf: begin.utf8)
      text.withBorrowedBytes { quoting.append(jsonString: $0) }
      quoting.append(contentsOf: end.utf8)
      return pool.keep(quoting)
    }
    func absent(_ style: FieldPresentation) -> AbsentNumbers {
      let ranges = style.absent.map { AbsentRange.whole(Int128($0)...Int128($0)) } + style.absentRanges
      return AbsentNumbers(
        whole: own(merged(ranges.compactMap { if case .whole(let range) = $0 { range } else { nil } })),
        real: own(merged(ranges.compactMap { if case .real(let range) = $0 { range } else { nil } })))
    }
    var bodies: [EmbeddedFormat] = []
    var bodyFields: [BodyFields?] = []
    fields = own(
      styles.enumerated().map { number, style in
        if let body = style.body {
          bodies.append(body)
          bodyFields.append(style.bodyFields)
        }
        return Field(
          name: pool.keep(style.name), label: pool.keep(style.label), unit: pool.keep(style.unit), key: quoted(",", style.name, ":"),
          scale: style.scale, scaleBy: style.scaleBy?.rawValue ?? -1,
          offsetBy: style.offsetBy?.rawValue ?? -1, unitBy: style.unitBy?.rawValue ?? -1, digits: style.digits ?? -1,
          isComputed: style.offsetBy != nil || style.digits != nil || (style.scale?.isWhole ?? false)
            || style.scaleBy != nil && style.scale == nil, absent: absent(style),
          body: style.body == nil ? -1 : Int32(bodies.count - 1), format: style.format, isHidden: style.isHidden, isSecret: style.isSecret,
          isPersonal: style.isPersonal, isClock: style.isClock, isFixed: program.isFixed(FieldID(rawValue: Int32(number))),
          takesLowBitsFirst: program.takesLowBitsFirst(FieldID(rawValue: Int32(number))), isMerged: style.isMerged,
          isPlain: style.format == .plain && style.scale == nil && style.scaleBy == nil && style.offsetBy == nil && style.unitBy == nil
            && style.digits == nil && style.absent.isEmpty && style.absentRanges.isEmpty && style.body == nil)
      })
    self.bodies = bodies
    self.bodyFields = bodyFields
    var templates: [Template] = []
    func template(_ definition: MessageTemplate?, of owner: TypeID?) -> Int32 {
      guard let definition else { return -1 }
      var parts: [Part] = []
      func add(_ list: [MessageTemplate.Part]) {
        for part in list {
          switch part {
          case .text(let text): parts.append(.text(pool.keep(text)))
          case .field(let path, let digits, let isHex):
            var type = owner
            let components = path.map { name -> PathComponent in
              let field = type.flatMap { program.field(name, of: $0) }
              type = field.flatMap { program.type(of: $0) }
              return PathComponent(name: name, field: field)
            }
            unsafe parts.append(.field(path: own(components), digits: digits, isHex: isHex))
          case .optional(let inside):
            let index = parts.count
            parts.append(.optional(count: 0))
            add(inside)
            parts[index] = .optional(count: parts.count - index - 1)
          }
        }
      }
      add(definition.parts)
      templates.append(Template(parts: own(parts)))
      return Int32(templates.count - 1)
    }
    types = own(
      typePresentations.enumerated().map { number, type in
        Type(
          template: template(type.template, of: TypeID(rawValue: Int32(number))), isInline: type.isInline, isPair: type.isPair,
          hasMerged: program.fields(of: TypeID(rawValue: Int32(number))).contains { styles[Int($0.rawValue)].isMerged })
      })
    messageTemplates = own(
      messages.map { message in
        guard case .type(let type) = message.body else { return template(message.template, of: nil) }
        return template(message.template ?? typePresentations[Int(type.rawValue)].template, of: type)
      })
    func key(_ name: String, _ text: String) -> FieldText {
      var bytes = Array(name.utf8)
      bytes.append(jsonString: text)
      return pool.keep(bytes)
    }
    profileKey = own([key("\"profile\":", profile)])
    messageKeys = own(messages.map { key(",\"message\":", $0.id) })
    sourceKeys = own(sources.map { key(",\"characteristic\":", $0.id) })
    let spaced = { (name: String) in name.utf8.map { $0 == UInt8(ascii: "_") ? UInt8(ascii: " ") : $0 } }
    messageTitles = own(messages.map { pool.keep(spaced($0.title ?? $0.id)) })
    let longestMessage = messages.reduce(0) { max($0, $1.id.utf8.count + ($1.title?.utf8.count ?? 0)) }
    let longestSource = sources.reduce(0) { max($0, $1.id.utf8.count + ($1.title?.utf8.count ?? 0)) }
    headingBytes = profile.utf8.count + longestMessage + longestSource
    self.templates = own(templates)
    enumerations = own(
      labels.enumerated().map { number, labels in
        let enumeration = EnumID(rawValue: Int32(number))
        var names = labels
        for (value, name) in program.entries(of: enumeration)
        where names[value] == nil && program.name(of: value, in: enumeration) == name { names[value] = name }
        let sorted = names.sorted { $0.key < $1.key }
        var small = [Int32](repeating: -1, count: 256)
        for (index, entry) in sorted.enumerated() where entry.key >= 0 && entry.key < 256 { small[Int(entry.key)] = Int32(index) }
        return Enumeration(
          entries: own(
            sorted.map { value, name in
              var word: [UInt8] = []
              word.append(word: name)
              let bytes = Array(name.utf8)
              return Label(
                value: value, name: pool.keep(bytes), word: pool.keep(word), json: quoted("{\"name\":", bytes, ",\"value\":\(value)}"))
            }), small: own(small))
      })
    unsafe self.owned = unsafe owned
  }

  deinit { unsafe owned.forEach { unsafe $0.deallocate() } }
}
