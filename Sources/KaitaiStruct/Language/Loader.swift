import Memory
import YAML

/// Reads a YAML tree into ``TypeSpec``s, and reports unknown keys and values of the wrong kind.
struct Loader {
  let file: String
  let diagnostics: Diagnostics

  init(file: String, diagnostics: Diagnostics) {
    self.file = file
    self.diagnostics = diagnostics
  }

  /// The highest supported version of the language (`meta/ks-version`).
  static let version = [0, 11]

  // MARK: Positions

  func position(_ node: Node) -> SourcePosition {
    SourcePosition(file: file, line: node.mark?.line ?? 0, column: node.mark?.column ?? 0)
  }

  func report(_ node: Node, _ path: String, _ message: String) { diagnostics.report(position(node), path, message) }

  // MARK: Shapes

  /// The pairs of a mapping; reports keys that are not in `keys` (nil: all are allowed) and returns those that begin with a dash separately.
  func pairs(_ node: Node, _ path: String, keys: [String]?, what: String) -> (
    pairs: [(key: Node, name: String, value: Node)], dashes: [DashAttribute]
  )? {
    guard case .mapping(let mapping) = node else {
      report(node, path, "\(what) must be a mapping")
      return nil
    }
    var found: [(key: Node, name: String, value: Node)] = []
    var dashes: [DashAttribute] = []
    for (key, value) in mapping {
      guard case .scalar(let scalar) = key else {
        report(key, path, "keys must be scalars")
        continue
      }
      let name = scalar.string
      if name.hasPrefix("-"), keys != nil {
        dashes.append(DashAttribute(key: name, node: value, position: position(value)))
      } else if let keys, !keys.contains(name) {
        let expected = "expected one of: \(keys.sorted().joined(separator: ", "))"
        report(key, path + "/" + name, "unknown key \"\(name)\"\(suggestion(for: name, of: keys)); \(expected)")
      } else {
        found.append((key, name, value))
      }
    }
    return (found, dashes)
  }

  /// The text of a scalar; reports any other kind of node, and an empty value.
  func source(_ node: Node, _ path: String, what: String) -> Source? {
    guard case .scalar(let scalar) = node else {
      report(node, path, "\(what) must be a single value")
      return nil
    }
    if scalar.style == .plain || scalar.style == .any, scalar.string.isEmpty || scalar.string == "null" || scalar.string == "~" {
      report(node, path, "\(what) must not be empty")
      return nil
    }
    var location = position(node)
    if scalar.style == .singleQuoted || scalar.style == .doubleQuoted { location.column += 1 }
    return Source(text: scalar.string, position: location, path: path, isBlock: scalar.style == .literal || scalar.style == .folded)
  }

  func flag(_ node: Node, _ path: String) -> Bool? {
    switch node.scalar?.string.lowercased() {
    case "true", "yes", "on": return true
    case "false", "no", "off": return false
    default:
      report(node, path, "expected true or false")
      return nil
    }
  }

  /// Most bytes of a name: output repeats names with each field.
  static let maxName = 256

  static func isIdentifier(_ text: String) -> Bool {
    var isFirst = true
    for byte in text.utf8 {
      switch byte {
      case UInt8(ascii: "a")...UInt8(ascii: "z"): break
      case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"): if isFirst { return false }
      default: return false
      }
      isFirst = false
    }
    return !isFirst
  }

  func identifier(_ node: Node, _ path: String, what: String) -> String? {
    guard let text = node.scalar?.string else {
      report(node, path, "\(what) must be a name")
      return nil
    }
    guard Self.isIdentifier(text) else {
      report(node, path, "\"\(text)\" is not a name for \(what): expected lower-case letters, digits and _, beginning with a letter")
      return nil
    }
    guard text.utf8.count <= Self.maxName else {
      report(node, path, "a name has at most \(Self.maxName) bytes")
      return nil
    }
    return text
  }

  /// A number in any base that Kaitai supports, or nil.
  static func integer(_ text: String) -> Int? {
    var digits = text.filter { $0 != "_" }
    let isNegative = digits.hasPrefix("-")
    if isNegative || digits.hasPrefix("+") { digits.removeFirst() }
    // A second sign would negate the smallest number.
    if digits.contains(where: { $0 == "-" || $0 == "+" }) { return nil }
    let lower = digits.lowercased()
    let magnitude: Int? =
      if lower.hasPrefix("0x") { Int(lower.dropFirst(2), radix: 16) } else if lower.hasPrefix("0b") {
        Int(lower.dropFirst(2), radix: 2)
      } else if lower.hasPrefix("0o") { Int(lower.dropFirst(2), radix: 8) } else { Int(lower) }
    return magnitude.map { isNegative ? -$0 : $0 }
  }

  func byte(_ node: Node, _ path: String) -> UInt8? {
    guard let text = node.scalar?.string, let value = Self.integer(text), let byte = UInt8(exactly: value) else {
      report(node, path, "expected a byte, 0 to 255")
      return nil
    }
    return byte
  }

  // MARK: Types

  /// An entire file. `isPart` for a mapping inside another file, whose `meta` needs no `id`.
  func file(_ node: Node, name given: String, isPart: Bool) -> TypeSpec? {
    var name = given
    if !isPart {
      guard case .mapping(let mapping) = node else {
        report(node, "", "a specification must be a mapping with `meta`, `seq`, `types`…")
        return nil
      }
      if let meta = mapping["meta"], case .mapping(let entries) = meta, let id = entries["id"] {
        name = identifier(id, "/meta/id", what: "meta/id") ?? given
      }
    }
    return type(node, name: name, path: "", outer: nil, depth: 0, at: position(node))
  }

  private func type(_ node: Node, name: String, path: String, outer: TypeSpec?, depth: Int, at location: SourcePosition) -> TypeSpec? {
    guard depth < 64 else {
      report(node, path, "types are nested too deep")
      return nil
    }
    let spec = TypeSpec(name: name, position: location, path: path, outer: outer)
    // `foo: {}` and an empty value are both a type without fields.
    if outer != nil, case .scalar(let scalar) = node, scalar.string.isEmpty || scalar.string == "null" { return spec }
    guard let (pairs, dashes) = pairs(node, path, keys: SpecificationKeys.type, what: "a type") else { return nil }
    spec.dashes = dashes
    for (_, key, value) in pairs {
      let inner = path + "/" + key
      switch key {
      case "meta": meta(value, inner, into: spec)
      case "seq": members(value, inner, .sequence, into: spec)
      case "params": members(value, inner, .parameter, into: spec)
      case "instances":
        guard let (entries, _) = self.pairs(value, inner, keys: nil, what: "instances") else { continue }
        for entry in entries {
          let entryPath = inner + "/" + entry.name
          guard identifier(entry.key, entryPath, what: "an instance") != nil else { continue }
          if let member = member(entry.value, entryPath, .instance, id: entry.name, at: position(entry.key)) { spec.members.append(member) }
        }
      case "types":
        guard let (entries, _) = self.pairs(value, inner, keys: nil, what: "types") else { continue }
        for entry in entries {
          let entryPath = inner + "/" + entry.name
          guard identifier(entry.key, entryPath, what: "a type") != nil else { continue }
          if let inside = type(entry.value, name: entry.name, path: entryPath, outer: spec, depth: depth + 1, at: position(entry.key)) {
            spec.types.append(inside)
          }
        }
      case "enums": enums(value, inner, into: spec)
      default: break
      }
    }
    checkNames(spec)
    return spec
  }

  private func checkNames(_ spec: TypeSpec) {
    var seen: [String: Int] = [:]
    seen.reserveCapacity(spec.members.count)
    for index in spec.members.indices {
      if let number = seen[spec.members[index].id] {
        let (first, member) = (spec.members[number], spec.members[index])
        diagnostics.report(
          member.position, member.path, "the name \"\(member.id)\" is taken: \(first.path) (line \(first.position.line)) has it already")
      } else {
        seen[spec.members[index].id] = index
      }
    }
  }

  private func meta(_ node: Node, _ path: String, into spec: TypeSpec) {
    guard let (pairs, _) = pairs(node, path, keys: SpecificationKeys.meta, what: "meta") else { return }
    for (_, key, value) in pairs {
      let inner = path + "/" + key
      switch key {
      case "endian": spec.endian = endian(value, inner)
      case "bit-endian":
        switch value.scalar?.string {
        case "le": spec.bitEndianIsLittle = true
        case "be": spec.bitEndianIsLittle = false
        default: report(value, inner, "expected le or be")
        }
      case "encoding": spec.encoding = source(value, inner, what: "encoding")
      case "imports":
        guard let list = value.sequence else {
          report(value, inner, "imports must be a list of names")
          continue
        }
        for (index, entry) in list.enumerated() {
          if let source = source(entry, "\(inner)/\(index)", what: "an import") { spec.imports.append(source) }
        }
      case "id": _ = identifier(value, inner, what: "meta/id")
      case "ks-version":
        let parts = (value.scalar?.string ?? "").split(separator: ".", omittingEmptySubsequences: false)
        let numbers = parts.compactMap { part in Int(part).flatMap { String($0) == part ? $0 : nil } }
        guard numbers.count == parts.count, (2...3).contains(numbers.count), numbers[0] >= 0, numbers[1] >= 0 else {
          report(value, inner, "expected a version such as 0.9 or 0.10.1")
          continue
        }
        if (numbers[0], numbers[1]) > (Self.version[0], Self.version[1]) {
          report(
            value, inner,
            "this needs version \(numbers[0]).\(numbers[1]) of Kaitai Struct; \(Self.version[0]).\(Self.version[1]) is understood")
        }
      default: break
      }
    }
  }

  private func endian(_ node: Node, _ path: String) -> EndianSpec? {
    if let text = node.scalar?.string {
      if text == "le" { return .little }
      if text == "be" { return .big }
      report(node, path, "expected le, be, or a mapping with `switch-on` and `cases`")
      return nil
    }
    guard let (on, cases) = switching(node, path) else { return nil }
    var list: [(key: Source, isLittle: Bool)] = []
    for (key, value) in cases {
      switch value.text {
      case "le": list.append((key, true))
      case "be": list.append((key, false))
      default: diagnostics.report(value.position, value.path, "expected le or be")
      }
    }
    return .switched(on: on, cases: list)
  }

  private func switching(_ node: Node, _ path: String) -> (on: Source, cases: [(key: Source, value: Source)])? {
    guard let (pairs, _) = pairs(node, path, keys: SpecificationKeys.switches, what: "a switch") else { return nil }
    var on: Source?
    var cases: [(key: Source, value: Source)]?
    for (_, key, value) in pairs {
      let inner = path + "/" + key
      if key == "switch-on" {
        on = source(value, inner, what: "switch-on")
      } else if let (entries, _) = self.pairs(value, inner, keys: nil, what: "cases") {
        var list: [(key: Source, value: Source)] = []
        for entry in entries {
          let entryPath = inner + "/" + entry.name
          guard let key = source(entry.key, entryPath, what: "a case"), let value = source(entry.value, entryPath, what: "a case's type")
          else {
            continue
          }
          list.append((key, value))
        }
        cases = list
      } else {
        return nil
      }
    }
    guard let on, let cases else {
      if diagnostics.issues.isEmpty { report(node, path, "a switch needs both `switch-on` and `cases`") }
      return nil
    }
    return (on, cases)
  }

  private func enums(_ node: Node, _ path: String, into spec: TypeSpec) {
    guard let (entries, _) = pairs(node, path, keys: nil, what: "enums") else { return }
    for entry in entries {
      let enumPath = path + "/" + entry.name
      guard identifier(entry.key, enumPath, what: "an enum") != nil else { continue }
      guard case .mapping = entry.value, let (values, _) = pairs(entry.value, enumPath, keys: nil, what: "an enum") else {
        report(entry.value, enumPath, "an enum must be a mapping of numbers to names")
        continue
      }
      var list: [(value: Source, name: String, position: SourcePosition)] = []
      var names: Set<String> = []
      var dashes: [DashAttribute] = []
      for value in values {
        let valuePath = enumPath + "/" + value.name
        if value.name.hasPrefix("-"),
          value.name.utf8.dropFirst().first.map({ !(UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }) ?? true
        {
          dashes.append(DashAttribute(key: value.name, node: value.value, position: position(value.value)))
          continue
        }
        var nameNode = value.value
        if case .mapping = nameNode {
          guard let (parts, _) = pairs(nameNode, valuePath, keys: SpecificationKeys.enumEntry, what: "an enum's entry") else { continue }
          guard let id = parts.first(where: { $0.name == "id" }) else {
            report(nameNode, valuePath, "an enum's entry needs `id`")
            continue
          }
          nameNode = id.value
        }
        guard let number = source(value.key, valuePath, what: "an enum's number"), let name = nameNode.scalar?.string else {
          report(nameNode, valuePath, "expected a name")
          continue
        }
        // Kaitai's own names are lower-case; a name that YAML reads as a boolean or null is rejected because other tools read it differently.
        guard Self.isIdentifier(name) else {
          report(nameNode, valuePath, "\"\(name)\" is not a name: expected lower-case letters, digits and _, beginning with a letter")
          continue
        }
        guard name.utf8.count <= Self.maxName else {
          report(nameNode, valuePath, "a name has at most \(Self.maxName) bytes")
          continue
        }
        if nameNode.scalar?.style == .plain, name == "null" {
          report(nameNode, valuePath, "unquoted null is not a name; write 'null' in quotes")
          continue
        }
        guard names.insert(name).inserted else {
          report(nameNode, valuePath, "the name \"\(name)\" is in this enum already")
          continue
        }
        list.append((number, name, position(nameNode)))
      }
      spec.enums.append(EnumSpec(name: entry.name, entries: list, dashes: dashes))
    }
  }

  // MARK: Members

  private func members(_ node: Node, _ path: String, _ role: MemberSpec.Role, into spec: TypeSpec) {
    guard let list = node.sequence else {
      report(node, path, "\(role == .sequence ? "seq" : "params") must be a list")
      return
    }
    for (index, entry) in list.enumerated() {
      let inner = "\(path)/\(index)"
      guard case .mapping(let mapping) = entry else {
        report(entry, inner, "expected a mapping such as {id: name, type: u1}")
        continue
      }
      var id = "_unnamed\(index)"
      if let given = mapping["id"] {
        guard let name = identifier(given, inner + "/id", what: "a field") else { continue }
        id = name
      } else if role == .parameter {
        report(entry, inner, "a parameter needs `id`")
        continue
      }
      if let member = member(entry, inner, role, id: id, at: position(mapping["id"] ?? entry)) { spec.members.append(member) }
    }
  }

  private func member(_ node: Node, _ path: String, _ role: MemberSpec.Role, id: String, at location: SourcePosition) -> MemberSpec? {
    let keys =
      switch role {
      case .parameter: SpecificationKeys.parameter
      case .sequence: SpecificationKeys.member
      case .instance: SpecificationKeys.instance
      }
    guard let (pairs, dashes) = pairs(node, path, keys: keys, what: "a field") else { return nil }
    var member = MemberSpec(role: role, id: id, position: location, path: path)
    member.dashes = dashes
    var repeatKind: Node?
    var repeatCount: Source?
    var repeatUntil: Source?
    for (_, key, value) in pairs {
      let inner = path + "/" + key
      switch key {
      case "type":
        if case .mapping = value {
          if let (on, cases) = switching(value, inner) {
            let here = Source(text: "", position: position(value), path: inner)
            member.type = .switched(on: on, cases: cases.map { ($0.key, $0.value) }, position: here)
          }
        } else if let source = source(value, inner, what: "type") {
          member.type = .named(source)
        }
      case "contents": member.contents = contents(value, inner)
      case "if": member.condition = source(value, inner, what: "if")
      case "repeat": repeatKind = value
      case "repeat-expr": repeatCount = source(value, inner, what: "repeat-expr")
      case "repeat-until": repeatUntil = source(value, inner, what: "repeat-until")
      case "size": member.size = source(value, inner, what: "size")
      case "size-eos": member.sizeToEnd = flag(value, inner) ?? false
      case "process": member.process = source(value, inner, what: "process")
      case "enum": member.enumeration = source(value, inner, what: "enum")
      case "encoding": member.encoding = source(value, inner, what: "encoding")
      case "pad-right": member.padRight = byte(value, inner)
      case "terminator":
        if let list = value.sequence {
          let bytes = list.compactMap { byte($0, inner) }
          if bytes.isEmpty { report(value, inner, "a terminator has at least one byte") } else { member.terminator = bytes }
        } else if let byte = byte(value, inner) {
          member.terminator = [byte]
        }
      case "consume": member.consume = flag(value, inner) ?? true
      case "include": member.include = flag(value, inner) ?? false
      case "eos-error": member.endError = flag(value, inner) ?? true
      case "parent": member.parent = source(value, inner, what: "parent")
      case "valid": member.valid = valid(value, inner)
      case "value": member.value = source(value, inner, what: "value")
      case "pos": member.offset = source(value, inner, what: "pos")
      case "io": member.stream = source(value, inner, what: "io")
      default: break
      }
    }
    repetition(repeatKind, repeatCount, repeatUntil, path, node, into: &member)
    if member.value != nil {
      for (key, _, _) in pairs where !["value", "enum", "if", "valid", "doc", "doc-ref"].contains(key.scalar?.string ?? "") {
        report(key, path, "an instance with `value` reads nothing, so it cannot have `\(key.scalar?.string ?? "")`")
      }
    }
    return member
  }

  private func repetition(_ kind: Node?, _ count: Source?, _ until: Source?, _ path: String, _ node: Node, into member: inout MemberSpec) {
    guard let kind else {
      if count != nil { report(node, path, "`repeat-expr` needs `repeat: expr` beside it") }
      if until != nil { report(node, path, "`repeat-until` needs `repeat: until` beside it") }
      return
    }
    let inner = path + "/repeat"
    switch kind.scalar?.string {
    case "eos":
      if count != nil || until != nil { report(kind, inner, "`repeat: eos` takes neither `repeat-expr` nor `repeat-until`") }
      member.repetition = .endOfStream
    case "whole":
      if count != nil || until != nil { report(kind, inner, "`repeat: whole` takes neither `repeat-expr` nor `repeat-until`") }
      member.repetition = .whole
    case "expr":
      if until != nil { report(kind, inner, "`repeat: expr` does not take `repeat-until`") }
      guard let count else { return report(kind, inner, "`repeat: expr` needs `repeat-expr` beside it") }
      member.repetition = .count(count)
    case "until":
      if count != nil { report(kind, inner, "`repeat: until` does not take `repeat-expr`") }
      guard let until else { return report(kind, inner, "`repeat: until` needs `repeat-until` beside it") }
      member.repetition = .until(until)
    default: report(kind, inner, "expected eos, expr, until or whole")
    }
  }

  private func contents(_ node: Node, _ path: String) -> [UInt8]? {
    if case .scalar(let scalar) = node {
      if scalar.style == .plain, let value = Self.integer(scalar.string) {
        report(node, path, "expected text, or a list of bytes such as [\(value)]")
        return nil
      }
      return Array(scalar.string.utf8)
    }
    guard let list = node.sequence else {
      report(node, path, "contents must be text, or a list of bytes and texts")
      return nil
    }
    var bytes: [UInt8] = []
    for (index, entry) in list.enumerated() {
      guard case .scalar(let scalar) = entry else {
        report(entry, "\(path)/\(index)", "expected a byte or a text")
        continue
      }
      if scalar.style == .plain || scalar.style == .any, let value = Self.integer(scalar.string) {
        guard let byte = UInt8(exactly: value) else {
          report(entry, "\(path)/\(index)", "expected a byte, 0 to 255")
          continue
        }
        bytes.append(byte)
      } else {
        bytes += Array(scalar.string.utf8)
      }
    }
    return bytes
  }

  private func valid(_ node: Node, _ path: String) -> [ValidSpec] {
    guard case .mapping = node else {
      return source(node, path, what: "valid").map { [.equal($0)] } ?? []
    }
    guard let (pairs, _) = pairs(node, path, keys: SpecificationKeys.valid, what: "valid") else { return [] }
    var list: [ValidSpec] = []
    var minimum: Source?
    var maximum: Source?
    for (_, key, value) in pairs {
      let inner = path + "/" + key
      switch key {
      case "eq": if let source = source(value, inner, what: key) { list.append(.equal(source)) }
      case "min": minimum = source(value, inner, what: key)
      case "max": maximum = source(value, inner, what: key)
      case "expr": if let source = source(value, inner, what: key) { list.append(.expression(source)) }
      case "in-enum":
        guard flag(value, inner) == true, let source = source(value, inner, what: key) else {
          report(value, inner, "only `in-enum: true` has a meaning")
          continue
        }
        list.append(.inEnum(source))
      default:
        guard let entries = value.sequence else {
          report(value, inner, "any-of must be a list")
          continue
        }
        list.append(.anyOf(entries.enumerated().compactMap { source($0.element, "\(inner)/\($0.offset)", what: "a value") }))
      }
    }
    if minimum != nil || maximum != nil { list.append(.range(minimum: minimum, maximum: maximum)) }
    if list.isEmpty, diagnostics.issues.isEmpty { report(node, path, "valid needs one of: any-of, eq, expr, in-enum, max, min") }
    return list
  }
}
