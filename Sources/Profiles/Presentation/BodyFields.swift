import KaitaiStruct
import Memory
import Text
import YAML

/// The presentation of a field of a self-describing body (JSON, CBOR, CSV): `fields` of a message, `-fields` of a field.
struct BodyField: Sendable {
  /// Its displayed name, if it differs from the one in the body.
  var name: String?
  var label: String?
  var unit: String?
  var scale: Scale?
  /// The number of decimals that it is rounded to.
  var digits: Int?
  var isHidden = false
  var isSecret = false
  var isPersonal: Bool?
  /// The enum of its values, by its name until the program is finished.
  var enumName: String?
  /// The error to throw if there is no such enum.
  private var enumError: ProfileError?
  var enumeration: EnumID?
  var fields: [String: BodyField] = [:]

  private static let deepest = 16

  /// Reads `{NAME: {-unit, -scale, …}, OUTER.INNER: …}`; the fields of arrays' elements are those of the array.
  init(_ entry: Entry) throws {
    for (path, value, keyNode) in try entry.pairs() {
      let parts = path.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
      guard parts.count <= Self.deepest, !parts.contains("") else {
        throw Entry.error(entry.file, keyNode, "\"\(path)\" is no path of names: wifi.rssi")
      }
      var made = BodyField()
      if case .scalar(_) = value.node {
        made.name = try value.text(atMost: ProfileBounds.maxName)
      } else {
        var keys = try value.fields(.bodyField)
        made.name = try keys.take("name")?.text(atMost: ProfileBounds.maxName)
        made.label = try keys.take("-label")?.text(atMost: ProfileBounds.maxName)
        made.unit = try keys.take("-unit")?.text(atMost: ProfileBounds.maxName)
        made.isHidden = try keys.take("-hidden")?.flag() ?? false
        made.isSecret = try keys.take("-secret")?.flag() ?? false
        made.isPersonal = try keys.take("-personal")?.flag()
        made.digits = try keys.take("-round")?.integer(in: 0...15)
        let scale = keys.take("-scale")
        let offset = keys.take("-offset")
        if scale != nil || offset != nil {
          guard let known = Scale(try scale?.text(), offset: try offset?.text()) else {
            throw (scale ?? offset ?? value).error("\"-scale\" and \"-offset\" of a body's field are numbers")
          }
          made.scale = known
        }
        if let name = keys.take("enum") {
          made.enumName = try name.text()
          made.enumError = name.error("no enum is named \"\(try name.text())\"")
        }
        try keys.finish()
      }
      add(made, parts[...])
    }
  }

  private init() {}

  private mutating func add(_ field: BodyField, _ path: ArraySlice<String>) {
    guard let first = path.first else {
      let inner = fields
      self = field
      fields = inner
      return
    }
    fields[first, default: BodyField()].add(field, path.dropFirst())
  }

  /// The same with the numbers of its enums. Throws where the profile has no such enum.
  func resolved(_ program: KaitaiProgram) throws -> BodyField {
    var made = self
    if let name = enumName {
      guard let number = program.enumNames.firstIndex(where: { $0.hasSuffix("::" + name) }) else {
        throw enumError ?? ProfileError(file: "", line: 0, column: 0, message: "no enum is named \"\(name)\"")
      }
      made.enumeration = EnumID(rawValue: Int32(number))
      made.enumName = nil
    }
    made.fields = try fields.mapValues { try $0.resolved(program) }
    return made
  }

  var hasSecrets: Bool { isSecret || fields.values.contains(where: \.hasSecrets) }
}

/// The presentations of all fields of a body. It is an object, so that messages without it have only a nil reference.
final class BodyFields: Sendable {
  let root: BodyField

  init(_ root: BodyField) { self.root = root }

  convenience init(_ entry: Entry) throws { self.init(try BodyField(entry)) }

  func resolved(_ program: KaitaiProgram) throws -> BodyFields { BodyFields(try root.resolved(program)) }

  var hasSecrets: Bool { root.hasSecrets }
}

/// Passes the fields of a body on with their presentations.
struct BodyFieldVisitor<Base: MessageFieldVisitor>: MessageFieldVisitor {
  var base: Base
  private let walker: FieldWalker
  /// The presentation of each open object or array; nil where there is none.
  private var open: [BodyField?]
  /// The body itself is opened first.
  private var opensBody: Bool

  static var wantsProblems: Bool { Base.wantsProblems }

  init(_ base: Base, _ fields: BodyField, _ walker: FieldWalker, isTop: Bool) {
    self.base = base
    self.walker = walker
    open = [fields]
    opensBody = !isTop
  }

  private func known(_ field: FieldContext) -> BodyField? {
    guard let last = open.last, let outer = last else { return nil }
    if field.name.isEmpty { return outer }
    let name = field.name.string
    // A single value, or list, that is the complete message has no name of its own.
    if open.count == 1, name == "value", outer.fields["value"] == nil { return outer }
    return outer.fields[name]
  }

  private func styled(_ field: FieldContext, _ known: BodyField) -> FieldContext {
    var field = field
    func keep(_ text: String) -> FieldText { walker.message.names.keep(Array(text.utf8)) }
    if let name = known.name, !field.name.isEmpty {
      field.name = keep(name)
      field.label = keep(name.replacing("_", with: " "))
      field.key = .empty
    }
    if let label = known.label, !field.name.isEmpty { field.label = keep(label) }
    if let unit = known.unit { field.unit = keep(unit) }
    // The walker has counted the field without them.
    walker.message.printedBytes &+= field.unit.count &+ field.name.count
    field.isHidden = field.isHidden || known.isHidden
    field.isSecret = field.isSecret || known.isSecret
    field.isPersonal = known.isPersonal ?? field.isPersonal
    return field
  }

  mutating func leaf(_ field: FieldContext, _ value: MessageFieldValue) {
    guard let known = known(field) else { return base.leaf(field, value) }
    let field = styled(field, known)
    if let enumeration = known.enumeration, case .int(let number) = value {
      let label = walker.enumerations[Int(enumeration.rawValue)].label(number)
      walker.message.printedBytes &+= label?.pointee.name.count ?? 0
      return base.enumerated(field, label.map(FieldLabel.init), number)
    }
    guard known.scale != nil || known.digits != nil else { return base.leaf(field, value) }
    var number: Double
    switch value {
    case .int(let whole):
      if let scale = known.scale {
        if let exact = scale.applyWhole(Int128(whole)) { return walker.whole(exact, field, &base) }
      } else {
        return base.leaf(field, value)
      }
      number = Double(whole)
    case .uint(let whole):
      guard let scale = known.scale else { return base.leaf(field, value) }
      if let exact = scale.applyWhole(Int128(whole)) { return walker.whole(exact, field, &base) }
      number = Double(whole)
    case .double(let fraction, _): number = fraction
    case .text(let text):
      if let whole = text.count <= 39 && WideNumber.isWhole(text) ? Int128(String(decoding: text, as: UTF8.self)) : nil {
        guard let scale = known.scale else { return base.leaf(field, value) }
        if let exact = scale.applyWhole(whole) { return walker.whole(exact, field, &base) }
      }
      guard text.count <= 40, let read = Double(String(decoding: text, as: UTF8.self)), read.isFinite else {
        return base.leaf(field, value)
      }
      number = read
    default: return base.leaf(field, value)
    }
    if let scale = known.scale { number = scale.apply(number) }
    if let digits = known.digits {
      var power = 1.0
      for _ in 0..<digits { power *= 10 }
      let rounded = (number * power).rounded()
      if abs(rounded) < 9e15 {
        if digits == 0 { return base.leaf(field, .int(Int64(rounded))) }
        number = rounded / power
      }
    }
    base.leaf(field, .double(number, isSingle: false))
  }

  mutating func open(_ field: FieldContext, isArray: Bool, count: Int) -> Bool {
    if opensBody {
      opensBody = false
      guard base.open(field, isArray: isArray, count: count) else { return false }
      open.append(open[0])
      return true
    }
    let known = known(field)
    guard base.open(known.map { styled(field, $0) } ?? field, isArray: isArray, count: count) else { return false }
    open.append(known)
    return true
  }

  mutating func close(isArray: Bool) {
    if open.count > 1 { open.removeLast() }
    base.close(isArray: isArray)
  }

  mutating func problem(_ text: String) { base.problem(text) }
  mutating func enumerated(_ field: FieldContext, _ label: FieldLabel?, _ value: Int64) { base.enumerated(field, label, value) }
  mutating func embedded(_ format: EmbeddedFormat.Kind, in range: Range<Int>) { base.embedded(format, in: range) }
  mutating func showInWords(_ field: FieldContext, _ object: ProfileMessage.ObjectInWords) -> Bool { base.showInWords(field, object) }
}

extension CompiledProfile {
  /// The stored values of a body, from the displayed ones.
  func storedBody(_ value: FieldTree, _ known: BodyField) -> FieldTree {
    switch value {
    case .object(let given):
      if known.enumeration != nil, value["value"] != nil || value["name"] != nil { return storedLeaf(value, known) }
      return .object(
        given.map { name, value in
          // The displayed name can replace another one.
          if let inner = known.fields.first(where: { $0.value.name == name }) { return (inner.key, storedBody(value, inner.value)) }
          return (name, known.fields[name].map { storedBody(value, $0) } ?? value)
        })
    case .list(let list): return .list(list.map { storedBody($0, known) })
    default: return storedLeaf(value, known)
    }
  }

  private func storedLeaf(_ value: FieldTree, _ known: BodyField) -> FieldTree {
    if case .written(_, let plain) = value, known.enumeration != nil || known.scale != nil { return storedLeaf(plain, known) }
    if let enumeration = known.enumeration {
      var name: String?
      if case .text(let text) = value { name = text }
      if case .int? = value["value"] { return value["value"] ?? value }
      if case .text(let text)? = value["name"] { name = text }
      guard let name else { return value }
      if let number = labels[Int(enumeration.rawValue)].filter({ $0.value == name }).map(\.key).min() { return .int(number) }
      return program.value(of: name, in: enumeration).map { .int($0) } ?? value
    }
    guard let scale = known.scale else { return value }
    if let whole = value.whole.flatMap(scale.undoWhole) { return FieldTree(whole: whole) ?? value }
    let shown: Double
    switch value {
    case .int(let number): shown = Double(number)
    case .uint(let number): shown = Double(number)
    case .double(let number): shown = number
    default: return value
    }
    let raw = scale.undo(shown)
    // Scaling an integer and back gives a number that is nearly integral.
    if abs(raw - raw.rounded()) < 1e-6 * max(1, abs(raw)), let whole = Int64(exactly: raw.rounded()) { return .int(whole) }
    return .double(raw)
  }
}
