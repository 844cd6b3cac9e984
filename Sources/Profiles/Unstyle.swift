import Kaitai
import PacketCodecs

// From values as they are shown to values as they are stored.

extension FieldTree {
  /// The value for the writer of types. Null is an object with a mark: whoever knows the field knows what stands for it.
  var writeValue: WriteValue {
    switch self {
    case .null: .object([Self.nullKey: .bool(true)])
    case .bool(let truth): .bool(truth)
    case .int(let number): .int(number)
    case .uint(let number): .uint(number)
    case .double(let number): .float(number)
    case .text(let text): .string(text)
    case .written(let text, let value): .written(text, value.writeValue)
    case .list(let list): .array(list.map(\.writeValue))
    case .object(let fields):
      .object(
        Dictionary(fields.map { ($0.name, $0.value.writeValue) }, uniquingKeysWith: { $1 })
          .merging(fields.isEmpty ? [:] : [Self.orderKey: .array(fields.map { .string($0.name) })], uniquingKeysWith: { first, _ in first })
      )
    }
  }

  /// Under this key an object keeps the order of its fields, which bodies that describe themselves need.
  static let orderKey = "\u{0}order"
  /// Under this key null is marked.
  static let nullKey = "\u{0}null"

  /// The value that ``writeValue`` came from.
  init(_ value: WriteValue) {
    switch value {
    case .int(let number): self = .int(number)
    case .uint(let number): self = .uint(number)
    case .written(let text, let value): self = .written(text, FieldTree(value))
    case .float(let number): self = .double(number)
    case .bool(let truth): self = .bool(truth)
    case .string(let text): self = .text(text)
    case .bytes(let bytes):
      var text: [UInt8] = []
      unsafe bytes.withUnsafeBytes { unsafe text.append(hexOf: $0) }
      self = .text(String(decoding: text, as: UTF8.self))
    case .array(let list): self = .list(list.map(FieldTree.init))
    case .object(let fields):
      var names = fields.keys.filter { !$0.hasPrefix("\u{0}") }.sorted()
      if case .array(let order)? = fields[Self.orderKey] {
        names = order.compactMap { if case .string(let name) = $0 { name } else { nil } }
      }
      if fields[Self.nullKey] != nil {
        self = .null
      } else {
        self = .object(names.compactMap { name in fields[name].map { (name, FieldTree($0)) } })
      }
    }
  }

  /// Sets the value at a path such as `elements[0].id`, making what is missing. Returns nil where the path does not fit what is there.
  public func setting(_ path: String, to value: FieldTree) -> FieldTree? {
    var steps: [Step] = []
    for part in path.split(separator: ".", omittingEmptySubsequences: false) {
      let pieces = part.split(separator: "[", omittingEmptySubsequences: false)
      if !pieces[0].isEmpty { steps.append(.name(String(pieces[0]))) } else if pieces.count == 1 { return nil }
      for piece in pieces.dropFirst() {
        guard piece.last == "]", let index = Int(piece.dropLast()), (0..<65536).contains(index) else { return nil }
        steps.append(.index(index))
      }
    }
    // No message is nested deeper than a walk over its fields goes.
    guard steps.count <= 2 * FieldWalker.deepest else { return nil }
    return setting(steps[...], to: value)
  }

  private enum Step { case name(String), index(Int) }

  private func setting(_ steps: ArraySlice<Step>, to value: FieldTree) -> FieldTree? {
    guard let first = steps.first else { return value }
    let rest = steps.dropFirst()
    switch first {
    case .name(let name):
      var fields: [(name: String, value: FieldTree)] = []
      switch self {
      case .object(let known): fields = known
      case .null: break
      default: return nil
      }
      let place = fields.firstIndex { $0.name == name }
      guard let inner = (place.map { fields[$0].value } ?? .null).setting(rest, to: value) else { return nil }
      if let place { fields[place].value = inner } else { fields.append((name, inner)) }
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
  /// What is given for an object of a type, as its fields store it: inline types get their field back, names of enums their numbers, scaled
  /// numbers their raw ones. Throws where a body that describes itself cannot be made of what is given.
  func unstyled(_ type: TypeID, _ value: WriteValue) throws(WriteError) -> WriteValue {
    var fields: [String: WriteValue] = [:]
    let all = program.fields(of: type)
    var isOwn = false
    if case .object(let given) = value {
      fields = given
      fields[FieldTree.orderKey] = nil
      fields[FieldTree.nullKey] = nil
      isOwn = fields.keys.allSatisfy { name in all.contains { program.name(of: $0) == name } } && !(fields.isEmpty && !given.isEmpty)
    }
    // Nothing, in place of a body that describes itself, is a body without fields.
    if isOwn, fields.isEmpty, typeStyles[Int(type.rawValue)].isInline, let shown = shown(all), fieldStyles[Int(shown.rawValue)].body != nil
    {
      isOwn = false
    }
    if typeStyles[Int(type.rawValue)].isInline, !isOwn {
      guard let shown = self.shown(all) else { return .object([:]) }
      fields = [program.name(of: shown): value]
    } else if case .object = value {
    } else {
      return value
    }
    for field in all {
      let name = program.name(of: field)
      guard let given = fields[name] else { continue }
      // What is computed follows from the rest.
      if program.isInstance(field), isComplete(fields, all) {
        fields[name] = nil
        continue
      }
      fields[name] = try unstyled(given, field)
    }
    return .object(fields)
  }

  /// The field that stands for an object of an inline type.
  private func shown(_ all: FieldRange) -> FieldID? {
    all.first { !program.isParameter($0) && !fieldStyles[Int($0.rawValue)].isHidden }
  }

  /// Whether all fields of the sequence that people see are given.
  private func isComplete(_ fields: [String: WriteValue], _ all: FieldRange) -> Bool {
    all.contains { !program.isInstance($0) && fields[program.name(of: $0)] != nil }
  }

  private func unstyled(_ value: WriteValue, _ field: FieldID) throws(WriteError) -> WriteValue? {
    let style = fieldStyles[Int(field.rawValue)]
    if case .written(let text, let plain) = value, style.body == nil {
      // What a switch is read as, only the case can tell.
      if program.kind(of: field) == .other, program.enumeration(of: field) == nil { return value }
      var isText = program.holdsText(field)
      // Names of values may look like numbers with a point ("60.0").
      if let enumeration = program.enumeration(of: field), case .float = plain {
        isText = labels[Int(enumeration.rawValue)].contains { $0.value == text }
      }
      return try unstyled(isText ? .string(text) : plain, field)
    }
    if case .array(let list) = value, style.body == nil {
      var stored: [WriteValue] = []
      for element in list { if let value = try unstyled(element, field) { stored.append(value) } }
      return .array(stored)
    }
    if let body = style.body {
      if case .bytes = value { return value }
      do throws(EncodeError) { return .bytes(try encode(body, FieldTree(value), isTop: false)) } catch {
        throw WriteError(
          path: "/" + program.name(of: field) + (error.path.isEmpty ? "" : "/") + error.path.joined(separator: "/"), message: error.message)
      }
    }
    if case .object(let parts) = value, parts[FieldTree.nullKey] != nil {
      // Null: the number that stands for nothing; else the field is left out.
      let kind = program.kind(of: field)
      if let absent = style.absent.first {
        if kind == .other, !program.isInstance(field) { return value }
        // As it is stored: no factor applies to it.
        return style.scaleBy == nil ? .int(absent) : .object(["value": .int(absent)])
      }
      if program.isConditional(field) { return nil }
      switch style.format {
      case .sfloat: return .int(medical(.nan, bits: 12, exponentBits: 4))
      case .float32: return .int(medical(.nan, bits: 24, exponentBits: 8))
      default: if program.isFloat(field) { return .float(.nan) }
      }
      return program.type(of: field) == nil ? (style.format == .plain && style.scale == nil ? value : nil) : value
    }
    if let enumeration = program.enumeration(of: field) {
      var name: String?
      switch value {
      case .string(let text): name = text
      case .object(let parts):
        if case .int? = parts["value"] { return parts["value"] }
        if case .string(let text)? = parts["name"] { name = text }
      default: break
      }
      guard let name else { return value }
      if let number = labels[Int(enumeration.rawValue)].first(where: { $0.value == name })?.key { return .int(number) }
      if let number = program.value(of: name, in: enumeration) { return .int(number) }
      return parseInteger(name).map { .int(Int64($0)) } ?? value
    }
    switch style.format {
    case .bool:
      if case .bool(let truth) = value { return .int(truth ? 1 : 0) }
    case .sfloat: if let number = value.number { return .int(medical(number, bits: 12, exponentBits: 4)) }
    case .float32: if let number = value.number { return .int(medical(number, bits: 24, exponentBits: 8)) }
    case .mac, .macReversed, .uuid, .uuidReversed:
      if case .string(let text) = value, let bytes = [UInt8](hex: text.replacing("-", with: "")) {
        return .bytes(style.format == .macReversed || style.format == .uuidReversed ? bytes.reversed() : bytes)
      }
    case .ip:
      if case .string(let text) = value {
        let parts = text.split(separator: ".").compactMap { UInt8($0) }
        if parts.count == 4 { return .bytes(parts) }
      }
    case .text: if case .string(let text) = value { return .bytes(Array(text.utf8)) }
    default: break
    }
    if let scale = style.scale, let number = value.number {
      let raw = scale.undo(number)
      // What it is multiplied by is known when the fields are written.
      if style.scaleBy != nil || program.isFloat(field) { return .float(raw) }
      guard raw.isFinite, abs(raw) < 9e18 else { return value }
      return .int(Int64(raw.rounded()))
    }
    return value
  }

  /// A number as a medical float: the fewest digits behind the point that it has.
  private func medical(_ value: Double, bits: Int64, exponentBits: Int64) -> Int64 {
    guard value.isFinite else { return (1 << (bits - 1)) - 1 }
    var exponent: Int64 = 0
    var mantissa = value
    let half: Int64 = 1 << (bits - 1)
    while mantissa != mantissa.rounded(), exponent > -7, abs((mantissa * 10).rounded()) < Double(half) {
      mantissa *= 10
      exponent -= 1
    }
    while abs(mantissa.rounded()) >= Double(half), exponent < 7 {
      mantissa /= 10
      exponent += 1
    }
    // What is larger than it can say is infinite.
    if abs(mantissa.rounded()) >= Double(half) { return mantissa > 0 ? half - 2 : half + 2 }
    return (exponent & ((1 << exponentBits) - 1)) << bits | Int64(mantissa.rounded()) & ((1 << bits) - 1)
  }

  /// What a field that is not given is written as: people do not see it, so nobody can be asked for it.
  func whenMissing(_ field: FieldID) -> WriteValue? {
    let kind = program.kind(of: field)
    if let standard = fieldStyles[Int(field.rawValue)].standard { return (try? unstyled(standard.writeValue, field)) ?? nil }
    // A list of which nothing is said is empty.
    if kind == .list { return program.repeatsUntil(field) ? nil : .array([]) }
    guard fieldStyles[Int(field.rawValue)].isHidden else { return nil }
    switch kind {
    case .number: return .int(0)
    case .bytes: return .bytes([])
    case .text: return .string("")
    case .list, .other: return nil
    }
  }
}

extension WriteValue {
  fileprivate var number: Double? {
    switch self {
    case .int(let value): Double(value)
    case .uint(let value): Double(value)
    case .float(let value): value
    default: nil
    }
  }
}
