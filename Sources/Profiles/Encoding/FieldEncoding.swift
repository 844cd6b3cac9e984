import KaitaiStruct
import PacketCodecs

// Converts field values from their displayed form to their stored form.

extension FieldTree {
  /// Sets the value at a path such as `elements[0].id`, creating missing objects. Returns nil where the path contradicts an existing value.
  public func setting(_ path: String, to value: FieldTree) -> FieldTree? {
    var components: [PathComponent] = []
    for part in path.split(separator: ".", omittingEmptySubsequences: false) {
      let pieces = part.split(separator: "[", omittingEmptySubsequences: false)
      if !pieces[0].isEmpty { components.append(.name(String(pieces[0]))) } else if pieces.count == 1 { return nil }
      for piece in pieces.dropFirst() {
        guard piece.last == "]", let index = Int(piece.dropLast()), (0..<65536).contains(index) else { return nil }
        components.append(.index(index))
      }
    }
    // Messages have the same bound for nesting.
    guard components.count <= 2 * FieldWalker.deepest else { return nil }
    return setting(components[...], to: value)
  }

  private enum PathComponent { case name(String), index(Int) }

  private func setting(_ components: ArraySlice<PathComponent>, to value: FieldTree) -> FieldTree? {
    guard let first = components.first else { return value }
    let rest = components.dropFirst()
    switch first {
    case .name(let name):
      var fields: [(name: String, value: FieldTree)] = []
      switch self {
      case .object(let known): fields = known
      case .null: break
      default: return nil
      }
      let index = fields.firstIndex { $0.name == name }
      guard let inner = (index.map { fields[$0].value } ?? .null).setting(rest, to: value) else { return nil }
      if let index { fields[index].value = inner } else { fields.append((name, inner)) }
      return .object(fields)
    case .index(let index):
      var list: [FieldTree] = []
      switch self {
      case .list(let known): list = known
      case .null: break
      default: return nil
      }
      while list.count <= index { list.append(.null) }
      guard let inner = list[index].setting(rest, to: value) else { return nil }
      list[index] = inner
      return .list(list)
    }
  }
}

extension CompiledProfile {
  /// The stored form of a given object of a type: inline types get their field back, names of enums become numbers, and scaled numbers become raw
  /// ones. Throws where an embedded format cannot be encoded.
  func storedForm(_ type: TypeID, _ value: FieldTree) throws(WriteError) -> FieldTree {
    var fields: [String: FieldTree] = [:]
    let all = program.fields(of: type)
    // Whether the value is given by the names of the type's fields, and not as the value of an inline type.
    var isByFieldNames = false
    if case .object(let given) = value {
      fields = Dictionary(given.map { ($0.name, $0.value) }, uniquingKeysWith: { $1 })
      isByFieldNames = fields.keys.allSatisfy { name in all.contains { program.name(of: $0) == name } }
    }
    // An empty object for an embedded format is a body without fields.
    if isByFieldNames, fields.isEmpty, typePresentations[Int(type.rawValue)].isInline, let shown = shown(all),
      fieldPresentations[Int(shown.rawValue)].body != nil
    {
      isByFieldNames = false
    }
    if typePresentations[Int(type.rawValue)].isInline, !isByFieldNames {
      guard let shown = self.shown(all) else { return .object([]) }
      fields = [program.name(of: shown): value]
    } else {
      switch value {
      case .object, .null: break
      default: return value
      }
    }
    for field in all {
      let name = program.name(of: field)
      guard let given = fields[name] else { continue }
      // Instances are computed from the fields of the sequence.
      if program.isInstance(field), isComplete(fields, all) {
        fields[name] = nil
        continue
      }
      fields[name] = try storedForm(given, field)
    }
    return .object(fields.map { ($0.key, $0.value) })
  }

  /// The computed values that are given for an object of a type, in their stored form.
  func givenInstances(_ type: TypeID, _ value: FieldTree) -> [(field: FieldID, value: FieldTree)] {
    let all = program.fields(of: type)
    guard all.contains(where: { program.isInstance($0) }) else { return [] }
    var given: [(field: FieldID, value: FieldTree)] = []
    var isByFieldNames = false
    if case .object(let fields) = value {
      isByFieldNames = fields.allSatisfy { field in all.contains { program.name(of: $0) == field.name } }
    }
    for field in all where program.isInstance(field) {
      var wanted: FieldTree?
      if typePresentations[Int(type.rawValue)].isInline, !isByFieldNames {
        if shown(all) == field { wanted = value }
      } else {
        wanted = value[program.name(of: field)]
      }
      guard let wanted, wanted != .null, let stored = (try? storedForm(wanted, field)) ?? nil, stored != .null else { continue }
      given.append((field, stored))
    }
    return given
  }

  /// Whether a tagged value has to be given, because otherwise its field would be left out and a value without bytes written.
  func needsValue(_ field: FieldID, _ type: TypeID) -> Bool {
    guard pairFields.contains(field.rawValue), typePresentations[Int(type.rawValue)].isInline,
      let shown = shown(program.fields(of: type)), !program.isInstance(shown)
    else { return false }
    return program.isConditional(shown)
  }

  /// The field whose value is shown for an object of an inline type.
  private func shown(_ all: FieldRange) -> FieldID? {
    all.first { !program.isParameter($0) && !fieldPresentations[Int($0.rawValue)].isHidden }
  }

  /// Whether fields of the sequence are given, so that instances need not be.
  private func isComplete(_ fields: [String: FieldTree], _ all: FieldRange) -> Bool {
    all.contains { !program.isInstance($0) && fields[program.name(of: $0)] != nil }
  }

  private func storedForm(_ value: FieldTree, _ field: FieldID) throws(WriteError) -> FieldTree? {
    let style = fieldPresentations[Int(field.rawValue)]
    if case .written(let text, let plain) = value, style.body == nil {
      // The type of a switch is known only after its case is chosen.
      if program.kind(of: field) == .other, program.enumeration(of: field) == nil { return value }
      var isText = program.holdsText(field)
      // Names of values can look like decimal numbers ("60.0").
      if let enumeration = program.enumeration(of: field), case .double = plain {
        isText = labels[Int(enumeration.rawValue)].contains { $0.value == text }
      }
      return try storedForm(isText ? .text(text) : plain, field)
    }
    if case .list(let list) = value, style.body == nil {
      var stored: [FieldTree] = []
      for element in list { if let value = try storedForm(element, field) { stored.append(value) } }
      return .list(stored)
    }
    if let body = style.body {
      if case .bytes = value { return value }
      let value = style.bodyFields.map { storedBody(value, $0.root) } ?? value
      do throws(EncodeError) { return .bytes(try encode(body, value, isTop: false)) } catch {
        throw WriteError(
          path: "/" + program.name(of: field) + (error.path.isEmpty ? "" : "/") + error.path.joined(separator: "/"), message: error.message)
      }
    }
    if value == .null {
      // A number that means no value, if there is one; otherwise the field is left out.
      let kind = program.kind(of: field)
      if style.absent.isEmpty, let range = style.absentRanges.first {
        let stored: FieldTree =
          switch range {
          case .whole(let range): program.isFloat(field) ? .double(Double(range.lowerBound)) : FieldTree(whole: range.lowerBound) ?? value
          case .real(let range):
            program.isFloat(field) ? .double(range.lowerBound) : Int64(exactly: range.lowerBound).map(FieldTree.int) ?? value
          }
        return !style.isComputedByOthers ? stored : .object([("value", stored)])
      }
      if let absent = style.absent.first {
        if kind == .other, !program.isInstance(field) { return value }
        if program.isFloat(field) {
          return !style.isComputedByOthers ? .double(Double(absent)) : .object([("value", .double(Double(absent)))])
        }
        // The number is already in its stored form: as an object it is not divided by the factor.
        return !style.isComputedByOthers ? .int(absent) : .object([("value", .int(absent))])
      }
      if program.isConditional(field) { return nil }
      switch style.format {
      case .sfloat: return .int(medical(.nan, bits: 12, exponentBits: 4))
      case .float32: return .int(medical(.nan, bits: 24, exponentBits: 8))
      default: if program.isFloat(field) { return .double(.nan) }
      }
      return program.type(of: field) == nil ? (style.format == .plain && style.scale == nil ? value : nil) : value
    }
    if let enumeration = program.enumeration(of: field) {
      var name: String?
      switch value {
      case .text(let text): name = text
      case .object:
        if case .int? = value["value"] { return value["value"] }
        if case .text(let text)? = value["name"] { name = text }
      default: break
      }
      guard let name else { return value }
      // Of several values with the same name the lowest is taken, so that the result is the same in every run.
      if let number = labels[Int(enumeration.rawValue)].lazy.filter({ $0.value == name }).map(\.key).min() { return .int(number) }
      if let number = program.value(of: name, in: enumeration) { return .int(number) }
      return parseInteger(name).map { .int(Int64($0)) } ?? value
    }
    switch style.format {
    case .bool:
      if case .bool(let truth) = value { return .int(truth ? 1 : 0) }
    case .sfloat: if let number = value.number { return .int(medical(number, bits: 12, exponentBits: 4)) }
    case .float32: if let number = value.number { return .int(medical(number, bits: 24, exponentBits: 8)) }
    case .mac, .macReversed, .uuid, .uuidReversed:
      if case .text(let text) = value, let bytes = [UInt8](hex: text.replacing("-", with: "")) {
        return .bytes(style.format == .macReversed || style.format == .uuidReversed ? bytes.reversed() : bytes)
      }
    case .ip:
      if case .text(let text) = value {
        let parts = text.split(separator: ".").compactMap { UInt8($0) }
        if parts.count == 4 { return .bytes(parts) }
      }
    case .text: if case .text(let text) = value { return .bytes(Array(text.utf8)) }
    case .decimal, .decimalReversed:
      let digits: String? =
        switch value {
        case .text(let text): text
        case .int(let number): String(number)
        case .uint(let number): String(number)
        default: nil
        }
      if let digits {
        guard let bytes = DecimalDigits.bytes(digits, count: program.fixedSize(of: field)) else {
          throw WriteError(path: "/" + program.name(of: field), message: "\(digits) is no whole number that fits the field")
        }
        return .bytes(style.format == .decimal ? bytes : bytes.reversed())
      }
    default: break
    }
    if let scale = style.scale, style.offsetBy == nil, style.scaleBy == nil, !program.isFloat(field),
      let whole = value.whole.flatMap(scale.undoWhole)
    {
      return FieldTree(whole: whole) ?? value
    }
    if let scale = style.scale, style.offsetBy == nil, let number = value.number {
      let raw = scale.undo(number)
      // A factor that is an expression is known only when the fields are written.
      if style.scaleBy != nil { return .double(raw) }
      if program.isFloat(field) {
        // Several single-precision numbers can have the same displayed value, because the sum with an offset is rounded: one of them gives the wanted
        // value.
        let single = Float(raw)
        let meant = [single, single.nextUp, single.nextDown].first { Float(scale.apply(Double($0))) == Float(number) }
        return .double(program.isSingle(field) ? meant.map { Double($0) } ?? raw : raw)
      }
      guard raw.isFinite else { return value }
      if let whole = Int64(exactly: raw.rounded()) { return .int(whole) }
      guard let whole = UInt64(exactly: raw.rounded()) else {
        throw WriteError(path: "/" + program.name(of: field), message: "the stored number of \(value.json) does not fit 64 bits")
      }
      return .uint(whole)
    }
    return value
  }

  /// A number as a medical float, with as few decimals as needed.
  private func medical(_ value: Double, bits: Int64, exponentBits: Int64) -> Int64 {
    guard value.isFinite else { return (1 << (bits - 1)) - 1 }
    var exponent: Int64 = 0
    var mantissa = value
    let half: Int64 = 1 << (bits - 1)
    let lowest: Int64 = -1 << (exponentBits - 1)
    // Products of binary fractions are only nearly integral.
    while abs(mantissa - mantissa.rounded()) > 1e-12 * abs(mantissa), exponent > lowest, abs((mantissa * 10).rounded()) < Double(half) {
      mantissa *= 10
      exponent -= 1
    }
    while abs(mantissa.rounded()) >= Double(half), exponent < -lowest - 1 {
      mantissa /= 10
      exponent += 1
    }
    // A number that is too large becomes infinity.
    if abs(mantissa.rounded()) >= Double(half) { return mantissa > 0 ? half - 2 : half + 2 }
    return (exponent & ((1 << exponentBits) - 1)) << bits | Int64(mantissa.rounded()) & ((1 << bits) - 1)
  }

  /// The value of a field that is not given: its default, or zero where it is hidden. Nil where it has to be given.
  func whenMissing(_ field: FieldID) -> FieldTree? {
    let kind = program.kind(of: field)
    if let standard = fieldPresentations[Int(field.rawValue)].standard { return (try? storedForm(standard, field)) ?? nil }
    if kind == .list { return program.repeatsUntil(field) ? nil : .list([]) }
    guard fieldPresentations[Int(field.rawValue)].isHidden else { return nil }
    switch kind {
    case .number: return .int(0)
    case .bytes: return .bytes([])
    case .text: return .text("")
    case .list, .other: return nil
    }
  }
}

extension FieldTree {
  /// An integer that fits 64 bits; nil for others.
  init?(whole: Int128) {
    if let small = Int64(exactly: whole) {
      self = .int(small)
    } else if let large = UInt64(exactly: whole) {
      self = .uint(large)
    } else {
      return nil
    }
  }

  /// The integer, also from a text of digits.
  var whole: Int128? {
    switch self {
    case .int(let value): Int128(value)
    case .uint(let value): Int128(value)
    case .text(let digits) where WideNumber.isWhole(digits.utf8): Int128(digits)
    case .written(_, let plain): plain.whole
    default: nil
    }
  }

  fileprivate var number: Double? {
    switch self {
    case .int(let value): Double(value)
    case .uint(let value): Double(value)
    case .double(let value): value
    default: nil
    }
  }
}
