/// The static type of a value.
indirect enum StaticType: Equatable {
  case unknown, integer, float, boolean, string, bytes, stream
  /// The contents of a self-describing body (JSON, CBOR, …).
  case body
  /// An object of any type.
  case anyObject
  case object(Int32)
  case array(StaticType)
  case enumeration(Int32)

  /// The common type of both.
  func merged(with other: StaticType) -> StaticType { self == other ? self : .unknown }

  /// Whether the type is known only when parsing.
  var isOpen: Bool { self == .unknown || self == .body }

  /// The type in words, for messages.
  var name: String {
    switch self {
    case .unknown, .body: "a value"
    case .integer: "a whole number"
    case .float: "a floating-point number"
    case .boolean: "true or false"
    case .string: "text"
    case .bytes: "bytes"
    case .stream: "a stream"
    case .anyObject, .object: "an object"
    case .array: "an array"
    case .enumeration: "an enum's value"
    }
  }
}

/// Compiles the members of types into readers, checks and switches.
extension Compiler {
  /// The byte order of a type without one of its own.
  private enum Inherited { case none, fixed(EndianSpec), calculated }

  func compileTypes(from first: Int) throws(SpecificationError) {
    for spec in specs[first...] {
      compileEndian(spec)
      let info = types[Int(spec.number)]
      for field in info.firstField..<(info.firstField + info.fieldCount) { compile(field: field, in: spec) }
    }
    try diagnostics.check()
  }

  private func inherited(_ spec: TypeSpec) -> Inherited {
    for (level, scope) in spec.scopes.enumerated() {
      switch scope.endian {
      case .none: continue
      case .switched: return level == 0 ? .none : .calculated
      case .some(let fixed): return .fixed(fixed)
      }
    }
    return .none
  }

  private func compileEndian(_ spec: TypeSpec) {
    if case .switched(let on, let list) = spec.endian {
      let scope = Scope(type: spec, externals: typeExternals)
      types[Int(spec.number)].endianSwitch = makeSwitch(on: on, cases: list.map { ($0.key, $0.isLittle ? 1 : 2) }, scope)
    } else if case .calculated = inherited(spec) {
      types[Int(spec.number)].inheritsEndian = true
    }
  }

  /// The byte order of a number type with a suffix; nil where there is none.
  private func order(_ suffix: Substring, _ spec: TypeSpec) -> ByteOrder? {
    if suffix == "le" { return .little }
    if suffix == "be" { return .big }
    if case .switched = spec.endian { return .calculated }
    switch inherited(spec) {
    case .none: return nil
    case .calculated: return .calculated
    case .fixed(.little): return .little
    case .fixed: return .big
    }
  }

  private func bitsAreLittle(_ spec: TypeSpec) -> Bool {
    for scope in spec.scopes {
      if let isLittle = scope.bitEndianIsLittle { return isLittle }
    }
    return false
  }

  // MARK: Fields

  func compile(field: Int32, in spec: TypeSpec) {
    let member = members[Int(field)]
    let scope = Scope(type: spec, externals: typeExternals)
    var info = fields[Int(field)]
    if let condition = member.condition { info.condition = compile(condition, scope, expecting: .boolean, what: "if").operation }
    switch member.repetition {
    case .once: info.repetition = .once
    case .endOfStream: info.repetition = .endOfStream
    case .whole: info.repetition = .whole
    case .count(let source):
      info.repetition = .count
      info.repeatExpression = compile(source, scope, expecting: .integer, what: "repeat-expr").operation
    case .until(let source):
      info.repetition = .until
      var inner = scope
      inner.it = elementType(of: field)
      info.repeatExpression = compile(source, inner, expecting: .boolean, what: "repeat-until").operation
    }
    if let enumeration = member.enumeration { info.enumeration = number(ofEnum: enumeration, spec) }
    if member.value != nil {
      info.value = valueOperation(of: field)
      if info.enumeration >= 0 {
        operations.append(Operation(code: .castEnum, a: info.value, b: info.enumeration))
        info.value = Int32(operations.count - 1)
      }
    } else if member.role == .parameter {
      checkParameter(member, spec)
    } else {
      if let offset = member.offset { info.offset = compile(offset, scope, expecting: .integer, what: "pos").operation }
      if let stream = member.stream { info.stream = compile(stream, scope, expecting: .stream, what: "io").operation }
      info.reader = makeReader(member, member.type, spec, scope)
      let reader = readers[Int(info.reader)]
      info.isPlain =
        info.condition < 0 && info.repetition == .once && member.valid.isEmpty && member.contents == nil && member.role == .sequence
        && (reader.kind == .unsigned || reader.kind == .signed) && !reader.hasSwappedWords
    }
    var inner = scope
    inner.it = elementType(of: field)
    compileChecks(member, into: &info, inner)
    fields[Int(field)] = info
  }

  private func checkParameter(_ member: MemberSpec, _ spec: TypeSpec) {
    guard case .named(let source) = member.type else { return }
    do throws(ExpressionError) {
      let (name, arguments) = try ExpressionParser.parseTypeUse(source.text)
      _ = try castType(name, Expression(form: .boolean(true), offset: 0), Scope(type: spec))
      if !arguments.isEmpty { throw ExpressionError(offset: 0, message: "the type of a parameter has no parameters itself") }
    } catch {
      diagnostics.report(source.position(at: error.offset), source.path, error.message)
    }
  }

  private func compileChecks(_ member: MemberSpec, into info: inout FieldInfo, _ scope: Scope) {
    info.firstCheck = Int32(checks.count)
    if let contents = member.contents {
      checks.append(Check(kind: .equal, operation: constant(bytesConstant(contents, .bytes))))
    }
    var found: [Check] = []
    func compared(_ source: Source) -> Int32 {
      let (operation, type) = compile(source, scope)
      if !isComparable(scope.it, type) {
        diagnostics.report(source.position, source.path, "the field is \(scope.it.name), this is \(type.name)")
      }
      return operation
    }
    for valid in member.valid {
      switch valid {
      case .equal(let source): found.append(Check(kind: .equal, operation: compared(source)))
      case .range(let minimum, let maximum):
        if let minimum { found.append(Check(kind: .minimum, operation: compared(minimum))) }
        if let maximum { found.append(Check(kind: .maximum, operation: compared(maximum))) }
      case .anyOf(let sources):
        let compiled = sources.map(compared)
        found.append(Check(kind: .anyOf, operation: Int32(lists.count), count: Int32(compiled.count)))
        lists += compiled
      case .expression(let source):
        found.append(Check(kind: .expression, operation: compile(source, scope, expecting: .boolean, what: "valid/expr").operation))
      case .inEnum(let source):
        if member.enumeration == nil { diagnostics.report(source.position, source.path, "`in-enum` needs `enum` beside `valid`") }
        found.append(Check(kind: .inEnum, operation: -1))
      }
    }
    checks += found
    info.checkCount = Int32(checks.count) - info.firstCheck
  }

  private func number(ofEnum source: Source, _ spec: TypeSpec) -> Int32 {
    let path = Compiler.path(source.text)
    if let found = find(enumeration: path, from: spec) { return found }
    let hint = suggestion(for: path.last ?? "", of: visibleEnums(from: spec))
    diagnostics.report(source.position, source.path, "there is no enum \"\(source.text)\"\(hint)")
    return -1
  }

  // MARK: Readers

  private func makeReader(_ member: MemberSpec, _ use: TypeUse?, _ spec: TypeSpec, _ scope: Scope) -> Int32 {
    var reader = Reader(kind: .bytes)
    if let source = member.enumeration { reader.enumeration = number(ofEnum: source, spec) }
    if let size = member.size {
      if let constant = Loader.integer(size.text) {
        reader.extent = .constant
        if constant < 0 || constant > Int(Int32.max) { diagnostics.report(size.position, size.path, "the size is out of range") }
        reader.size = Int32(clamping: constant)
      } else {
        reader.extent = .expression
        reader.size = compile(size, scope, expecting: .integer, what: "size").operation
      }
      if member.sizeToEnd { diagnostics.report(size.position, size.path, "`size` and `size-eos` exclude one another") }
    } else if member.sizeToEnd {
      reader.extent = .toEnd
    } else if let contents = member.contents {
      reader.extent = .constant
      reader.size = Int32(clamping: contents.count)
    } else if member.terminator != nil {
      reader.extent = .terminator
    }
    if let terminator = member.terminator { store(terminator, in: &reader) }
    reader.pad = member.padRight.map(Int16.init) ?? -1
    reader.include = member.include
    reader.consume = member.consume
    reader.endError = member.endError
    if let process = member.process { compile(process: process, into: &reader, scope) }
    switch parentText(member) {
    case nil: break
    case "false": reader.parent = -2
    default: if let source = member.parent { reader.parent = compile(source, scope).operation }
    }
    switch use {
    case nil:
      if let enumeration = member.enumeration {
        diagnostics.report(enumeration.position, enumeration.path, "only whole numbers can be an enum's, these are bytes")
      }
      if reader.extent == .none {
        diagnostics.report(
          member.position, member.path,
          "\"\(member.id)\" has no type and no size: give `type`, `size`, `size-eos`, `terminator` or `contents`")
      }
      readers.append(reader)
    case .named(let source): readers.append(typed(reader, source, member, spec, scope))
    case .switched(let on, let list, _):
      var targets: [(key: Source, target: Int32)] = []
      for entry in list {
        readers.append(typed(reader, entry.type, member, spec, scope))
        targets.append((entry.key, Int32(readers.count - 1)))
      }
      var otherwise: Int32 = -1
      if reader.extent != .none, !targets.contains(where: { $0.key.text == "_" }) {
        // A part with a size that matches no case is read as bytes.
        readers.append(reader)
        otherwise = Int32(readers.count - 1)
      }
      var switched = reader
      switched.kind = .switched
      switched.switchNumber = makeSwitch(on: on, cases: targets, scope, otherwise: otherwise)
      readers.append(switched)
    }
    return Int32(readers.count - 1)
  }

  private func parentText(_ member: MemberSpec) -> String? { member.parent?.text }

  private func store(_ terminator: [UInt8], in reader: inout Reader) {
    reader.terminator = Int32(bytes.count)
    reader.terminatorCount = Int32(terminator.count)
    bytes += terminator
  }

  /// Resolves a type's name for a reader.
  private func typed(_ start: Reader, _ source: Source, _ member: MemberSpec, _ spec: TypeSpec, _ scope: Scope) -> Reader {
    var reader = start
    let text = source.text
    switch Primitive(text) {
    case .number(let kind, let width, let suffix):
      reader.kind = kind
      reader.width = UInt8(width)
      reader.hasSwappedWords = suffix.hasSuffix("ws")
      if width == 1 {
        reader.order = .big
      } else if let order = order(suffix.prefix(suffix.count - (reader.hasSwappedWords ? 2 : 0)), spec) {
        reader.order = order
      } else {
        diagnostics.report(
          source.position, source.path,
          "\"\(text)\" needs a byte order: write \(Primitive.ordered(text, "le")) or \(Primitive.ordered(text, "be")), or give `meta/endian`"
        )
      }
      if case .named = member.type, member.size != nil || member.sizeToEnd {
        diagnostics.report(source.position, source.path, "\"\(text)\" has a size of its own, `size` is not for it")
      }
    case .bits(let width, let suffix, let isSigned):
      reader.kind = .bits
      reader.isSigned = isSigned
      reader.width = UInt8(width)
      reader.order = suffix == "le" ? .little : suffix == "be" ? .big : bitsAreLittle(spec) ? .little : .big
      reader.isBoolean = width == 1 && member.enumeration == nil
    case .string(let endsWithZero):
      reader.kind = .string
      let encoding = member.encoding ?? spec.scopes.lazy.compactMap(\.encoding).first
      if let encoding {
        reader.encoding = number(ofEncoding: encoding.text)
        reader.isPlainText = encodings[Int(reader.encoding)].isPlain
        if refusesUnknownEncodings, encodings[Int(reader.encoding)].form == .unknown {
          diagnostics.report(
            encoding.position, encoding.path, "no encoding is named \"\(encoding.text)\": ASCII, UTF-8, UTF-16LE, ISO-8859-1, …")
        }
      } else {
        diagnostics.report(source.position, source.path, "text needs an encoding: give `encoding` here or in `meta`")
      }
      if endsWithZero, member.terminator == nil {
        let unit = reader.encoding < 0 ? 1 : encodings[Int(reader.encoding)].unit
        store([UInt8](repeating: 0, count: unit), in: &reader)
        if reader.extent == .none { reader.extent = .terminator }
      }
      if reader.extent == .none {
        diagnostics.report(source.position, source.path, "\"\(text)\" needs `size`, `size-eos` or `terminator`")
      }
    case .bytes:
      if reader.extent == .none { diagnostics.report(source.position, source.path, "bytes need `size`, `size-eos` or `terminator`") }
    case .other: reader = object(reader, source, spec, scope)
    }
    if reader.enumeration >= 0, let enumeration = member.enumeration, ![.unsigned, .signed, .bits].contains(reader.kind) {
      diagnostics.report(enumeration.position, enumeration.path, "only whole numbers can be an enum's, \"\(text)\" is none")
    }
    return reader
  }

  private func object(_ start: Reader, _ source: Source, _ spec: TypeSpec, _ scope: Scope) -> Reader {
    var reader = start
    reader.kind = .object
    do throws(ExpressionError) {
      let (name, arguments) = try ExpressionParser.parseTypeUse(source.text)
      guard let type = find(type: name.path, from: spec), !name.isArray else {
        let known = visibleTypes(from: spec)
        let word = name.path.last ?? ""
        let meant = nearest(to: word, of: known) == nil ? Primitive.intended(word) : nil
        let wide =
          Primitive.isTooWide(word)
          ? ": whole numbers have 64 bits at most; a wider one is bytes (size: 16, with -as: decimal to show digits), or several numbers"
          : nil
        let hint = meant.map { " (did you mean \"\($0)\"?)" } ?? wide ?? suggestion(for: word, of: known + Primitive.names)
        diagnostics.report(source.position, source.path, "there is no type \"\(name.text)\"\(hint)")
        return reader
      }
      reader.type = type.number
      let parameters = types[Int(type.number)].parameterCount
      if Int(parameters) != arguments.count {
        diagnostics.report(
          source.position, source.path,
          "\"\(name.text)\" takes \(parameters) parameter\(parameters == 1 ? "" : "s"), \(arguments.count) given")
      }
      var compiled: [Int32] = []
      for (index, argument) in arguments.enumerated() {
        let (operation, given) = try compile(argument, source, scope)
        if index < parameters {
          let wanted = fieldType(types[Int(type.number)].firstField + Int32(index))
          guard takes(wanted, given) else {
            throw ExpressionError(
              offset: argument.offset,
              message:
                "the parameter \"\(members(of: type.number).dropFirst(index).first?.id ?? "")\" is \(wanted.name), this is \(given.name)")
          }
        }
        compiled.append(operation)
      }
      reader.firstArgument = Int32(lists.count)
      reader.argumentCount = Int32(compiled.count)
      lists += compiled
    } catch {
      diagnostics.report(source.position(at: error.offset), source.path, error.message)
    }
    return reader
  }

  /// Whether a value of the given type is allowed for a parameter.
  private func takes(_ wanted: StaticType, _ given: StaticType) -> Bool {
    if wanted == given || wanted.isOpen || given.isOpen { return true }
    switch (wanted, given) {
    case (.float, .integer), (.integer, .boolean), (.boolean, .integer), (.anyObject, .object), (.object, .anyObject): return true
    case (.enumeration, .integer), (.integer, .enumeration): return true
    case (.array(let wanted), .array(let given)): return takes(wanted, given)
    case (.array(.integer), .bytes): return true
    default: return false
    }
  }

  private func compile(process source: Source, into reader: inout Reader, _ scope: Scope) {
    do throws(ExpressionError) {
      let (name, arguments) = try ExpressionParser.parseProcess(source.text)
      let kinds: [String: (ProcessKind, Int)] = ["xor": (.xor, 1), "rol": (.rotateLeft, 1), "ror": (.rotateRight, 1), "zlib": (.zlib, 0)]
      guard let (kind, count) = kinds[name] else {
        throw ExpressionError(
          offset: 0,
          message: "there is no process \"\(name)\"\(suggestion(for: name, of: kinds.keys.sorted())); expected xor, rol, ror or zlib")
      }
      guard arguments.count == count else {
        throw ExpressionError(offset: 0, message: "\(name) takes \(count) parameter\(count == 1 ? "" : "s"), \(arguments.count) given")
      }
      let argument = try arguments.first.map { argument throws(ExpressionError) in try compile(argument, source, scope).operation } ?? -1
      reader.firstProcess = Int32(processes.count)
      reader.processCount = 1
      processes.append(ProcessInfo(kind: kind, argument: argument))
      if reader.extent == .none {
        throw ExpressionError(offset: 0, message: "`process` needs `size`, `size-eos` or `terminator`")
      }
    } catch {
      diagnostics.report(source.position(at: error.offset), source.path, error.message)
    }
  }

  // MARK: Switches

  private func makeSwitch(on: Source, cases list: [(key: Source, target: Int32)], _ scope: Scope, otherwise: Int32 = -1) -> Int32 {
    let (operation, onType) = compile(on, scope)
    var otherwise = otherwise
    var compiled: [SwitchCase] = []
    var isSorted = true
    for (key, target) in list {
      if key.text == "_" {
        otherwise = target
        continue
      }
      let (keyOperation, keyType) = compile(key, scope)
      if !isComparable(onType, keyType) {
        let message =
          onType.name == keyType.name
          ? "the case is of another enum than what is switched on" : "the case is \(keyType.name), what is switched on is \(onType.name)"
        diagnostics.report(key.position, key.path, message)
      }
      let code = operations[Int(keyOperation)]
      let value = code.code == .constant ? constants[Int(code.a)] : .absent
      if value.kind != .int && value.kind != .enumeration || value.kindFlag { isSorted = false }
      compiled.append(SwitchCase(key: Int64(bitPattern: value.bits), operation: keyOperation, target: target))
    }
    // Comparing numbers is enough only if the switch value cannot have another type.
    if onType != .integer, case .enumeration = onType {} else if onType != .integer { isSorted = false }
    if isSorted { compiled = compiled.enumerated().sorted { ($0.element.key, $0.offset) < ($1.element.key, $1.offset) }.map(\.element) }
    switches.append(
      SwitchInfo(on: operation, firstCase: Int32(cases.count), caseCount: Int32(compiled.count), otherwise: otherwise, isSorted: isSorted))
    cases += compiled
    return Int32(switches.count - 1)
  }

  func number(ofEncoding name: String) -> Int32 {
    let encoding = Encoding(name)
    if let index = encodings.firstIndex(of: encoding) { return Int32(index) }
    encodings.append(encoding)
    return Int32(encodings.count - 1)
  }
}

/// The built-in types.
enum Primitive {
  case number(ReaderKind, width: Int, suffix: Substring)
  case bits(width: Int, suffix: Substring, isSigned: Bool)
  case string(endsWithZero: Bool)
  case bytes
  case other

  static let names = ["u1", "u2", "u4", "u8", "s1", "s2", "s4", "s8", "f2", "f4", "f8", "str", "strz"]

  init(_ text: String) {
    if text == "str" || text == "strz" {
      self = .string(endsWithZero: text == "strz")
      return
    }
    if text == "bytes" {
      self = .bytes
      return
    }
    self = .other
    guard let letter = text.utf8.first, Self.mayBeNumber(text) else { return }
    var rest = text.dropFirst()
    // Additions to Kaitai Struct: floating-point numbers of two bytes, signed bit fields, and 16-bit words in order from the least significant to the
    // most significant.
    let isSigned = letter == UInt8(ascii: "s") && rest.first == "b"
    if isSigned { rest = rest.dropFirst() }
    let isSwapped = !isSigned && rest.hasSuffix("ws")
    if isSwapped { rest = rest.dropLast(2) }
    let digits = rest.hasSuffix("le") || rest.hasSuffix("be") ? rest.dropLast(2) : rest
    let suffix = text[digits.endIndex...]
    rest = digits
    guard let width = Int(rest), rest.utf8.allSatisfy({ (48...57).contains($0) }) else { return }
    if isSigned {
      if (2...64).contains(width) { self = .bits(width: width, suffix: suffix, isSigned: true) }
      return
    }
    guard !isSwapped || width >= 4 else { return }
    switch (letter, width) {
    case (UInt8(ascii: "u"), 1), (UInt8(ascii: "s"), 1):
      if suffix.isEmpty { self = .number(letter == UInt8(ascii: "u") ? .unsigned : .signed, width: 1, suffix: "") }
    case (UInt8(ascii: "u"), 2), (UInt8(ascii: "u"), 4), (UInt8(ascii: "u"), 8): self = .number(.unsigned, width: width, suffix: suffix)
    case (UInt8(ascii: "s"), 2), (UInt8(ascii: "s"), 4), (UInt8(ascii: "s"), 8): self = .number(.signed, width: width, suffix: suffix)
    case (UInt8(ascii: "f"), 2), (UInt8(ascii: "f"), 4), (UInt8(ascii: "f"), 8): self = .number(.float, width: width, suffix: suffix)
    case (UInt8(ascii: "b"), 1...64): if !isSwapped { self = .bits(width: width, suffix: suffix, isSigned: false) }
    default: return
    }
  }

  /// Whether digits follow the first letters, as they do in all types of numbers. Most types are others, whose names tell that by two bytes.
  private static func mayBeNumber(_ text: String) -> Bool {
    var bytes = text.utf8.makeIterator()
    let first = bytes.next()
    var next = bytes.next()
    if first == UInt8(ascii: "s"), next == UInt8(ascii: "b") { next = bytes.next() }
    return next.map { (48...57).contains($0) } ?? false
  }

  /// The type with a byte order: `u4lews` for `u4ws`.
  static func ordered(_ text: String, _ order: String) -> String {
    text.hasSuffix("ws") ? text.dropLast(2) + order + "ws" : text + order
  }

  /// Whether this is an integer type of more than 64 bits: `u128`, `b65`, `u9le`.
  static func isTooWide(_ text: String) -> Bool {
    let word = text.lowercased()
    let kind = word.prefix { $0.isLetter }
    guard let count = Int(word.dropFirst(kind.count).prefix { $0.isNumber }) else { return false }
    switch kind {
    case "b", "sb": return count > 64
    case "u", "s", "i", "int", "uint", "sint": return count > 8
    default: return false
    }
  }

  /// The type that was probably meant by a name from another language (`uint16`, `float`), or with its parts in another order (`u4sw`). Nil where
  /// that is unclear.
  static func intended(_ text: String) -> String? {
    var word = text.lowercased()
    if word.hasSuffix("_t") { word.removeLast(2) }
    let spelled = [
      "float": "f4", "single": "f4", "double": "f8", "half": "f2", "bool": "b1", "boolean": "b1", "string": "str", "text": "str",
      "cstring": "strz", "byte": "u1", "char": "u1", "octet": "u1", "short": "s2", "ushort": "u2", "word": "u2", "dword": "u4",
    ]
    if let known = spelled[word] { return known }
    let kind = word.prefix { $0.isLetter }
    let digits = word.dropFirst(kind.count).prefix { $0.isNumber }
    var rest = word.dropFirst(kind.count + digits.count)
    guard var count = Int(digits), count <= 64 else { return nil }
    let letter: String
    switch kind {
    case "u", "uint": letter = "u"
    case "s", "i", "int", "sint": letter = "s"
    case "f", "float": letter = "f"
    case "b", "sb": letter = String(kind)
    default: return nil
    }
    var order = ""
    var isSwapped = false
    while !rest.isEmpty {
      guard let part = ["_", "ws", "sw", "le", "el", "be", "eb", "l", "b"].first(where: { rest.hasPrefix($0) }) else { return nil }
      rest = rest.dropFirst(part.count)
      switch part {
      case "_": break
      case "ws", "sw": isSwapped = true
      default:
        guard order.isEmpty else { return nil }
        order = part.contains("l") ? "le" : "be"
      }
    }
    // Widths are in bytes here, in bits in other languages.
    var meant = letter
    if letter == "b" || letter == "sb" {
      meant += "\(count)\(order)"
    } else {
      if [16, 32, 64].contains(count) || count == 8 && kind.count > 1 { count /= 8 }
      if count == 3 || count == 24, letter != "f", !isSwapped {
        meant = (letter == "u" ? "b24" : "sb24") + order
      } else {
        meant += "\(count)\(count == 1 ? "" : order)\(isSwapped ? "ws" : "")"
      }
    }
    if case .other = Primitive(meant) { return nil }
    return meant == text ? nil : meant
  }
}
