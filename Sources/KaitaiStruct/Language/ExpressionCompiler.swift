/// The meaning of names in an expression, depending on its location.
struct Scope {
  var type: TypeSpec?
  var externals: Set<String> = []
  /// The type of `_`.
  var it: StaticType = .unknown
  /// `_` is the object itself (expressions of callers), not the last element read.
  var itIsThis = false
  /// Unknown names are those of a body: its format, and the name of its bytes.
  var body: (format: Int32, bytes: ExternalID)?
  /// Unknown names are absent values.
  var allowsAbsent = false
}

/// Compiles expressions into operations with resolved slots.
extension Compiler {
  typealias Compiled = (operation: Int32, type: StaticType)

  /// Compiles the text of `source`; errors are reported, and result in a constant.
  func compile(_ source: Source, _ scope: Scope, expecting expected: StaticType? = nil, what: String = "") -> Compiled {
    do throws(ExpressionError) {
      let compiled = try compile(try ExpressionParser.parse(source.text), source, scope)
      if let expected, !fits(compiled.type, expected) {
        throw ExpressionError(offset: 0, message: "`\(what)` must be \(expected.name), this is \(compiled.type.name)")
      }
      return compiled
    } catch {
      diagnostics.report(source.position(at: error.offset), source.path, error.message)
      return (constant(.int(0)), .unknown)
    }
  }

  func fits(_ type: StaticType, _ expected: StaticType) -> Bool {
    // A bit field of one bit may be used as a number.
    type == expected || type.isOpen || expected == .integer && type == .boolean
  }

  func constant(_ value: KaitaiValue) -> Int32 {
    constants.append(value)
    return emit(.constant, Int32(constants.count - 1))
  }

  func bytesConstant(_ content: [UInt8], _ kind: KaitaiValue.Kind) -> KaitaiValue {
    let offset = bytes.count
    bytes += content
    return .bytes(kind, offset: offset, count: content.count, buffer: .program)
  }

  @discardableResult
  private func emit(_ code: OperationCode, _ a: Int32 = 0, _ b: Int32 = 0, _ c: Int32 = 0) -> Int32 {
    operations.append(Operation(code: code, a: a, b: b, c: c))
    return Int32(operations.count - 1)
  }

  func compile(_ expression: Expression, _ source: Source, _ scope: Scope) throws(ExpressionError) -> Compiled {
    switch expression.form {
    case .integer(let value): return (constant(.uint(value)), .integer)
    case .float(let value): return (constant(.float(value)), .float)
    case .string(let content): return (constant(bytesConstant(content, .string)), .string)
    case .boolean(let value): return (constant(.bool(value)), .boolean)
    case .name(let name): return try compile(name: name, expression, scope)
    case .path(let path): return try compile(path: path, expression, scope)
    case .attribute(let inner, let name): return try compile(attribute: name, of: inner, expression, source, scope)
    case .call(let inner, let name, let arguments): return try compile(call: name, of: inner, arguments, expression, source, scope)
    case .index(let inner, let index):
      let base = try compile(inner, source, scope)
      let position = try compile(index, source, scope)
      guard fits(position.type, .integer) else { throw ExpressionError(offset: index.offset, message: "an index is a whole number") }
      let operation = emit(.element, base.operation, position.operation)
      switch base.type {
      case .array(let element): return (operation, element)
      case .bytes: return (operation, .integer)
      case .unknown, .body: return (operation, base.type)
      default: throw ExpressionError(offset: expression.offset, message: "\(base.type.name) has no elements")
      }
    case .list(let elements): return try compile(list: elements, source, scope, as: nil)
    case .unary(let operation, let inner): return try compile(operation, inner, source, scope)
    case .binary(let operation, let left, let right): return try compile(operation, left, right, expression, source, scope)
    case .conditional(let condition, let yes, let no):
      let test = try compile(condition, source, scope)
      guard fits(test.type, .boolean) else {
        throw ExpressionError(offset: condition.offset, message: "a condition must be true or false, this is \(test.type.name)")
      }
      let first = try compile(yes, source, scope)
      let second = try compile(no, source, scope)
      let type: StaticType =
        first.type == .integer && second.type == .float || first.type == .float && second.type == .integer
        ? .float : first.type.merged(with: second.type)
      return (emit(.conditional, test.operation, first.operation, second.operation), type)
    case .cast(let inner, let type): return try compile(cast: inner, to: type, expression, source, scope)
    case .sizeOf(let type, let inBits):
      guard let spec = find(type: type.path, from: scope.type) else {
        if type.path.count == 1, let bits = bits(of: Primitive(type.path[0])) {
          return (constant(.int(Int64(inBits ? bits : (bits + 7) / 8))), .integer)
        }
        throw ExpressionError(offset: expression.offset, message: "there is no type \"\(type.text)\"")
      }
      guard let bits = staticBits(ofType: spec.number, depth: 0) else {
        throw ExpressionError(offset: expression.offset, message: "the size of \"\(type.text)\" depends on what is read")
      }
      return (constant(.int(Int64(inBits ? bits : (bits + 7) / 8))), .integer)
    case .format(let parts):
      let compiled = try parts.map { part throws(ExpressionError) in try compile(part, source, scope).operation }
      let first = Int32(lists.count)
      lists += compiled
      return (emit(.format, first, Int32(compiled.count)), .string)
    }
  }

  // MARK: Names

  private func compile(name: String, _ expression: Expression, _ scope: Scope) throws(ExpressionError) -> Compiled {
    let this: StaticType = scope.type.map { .object($0.number) } ?? .unknown
    switch name {
    case "_": return scope.itIsThis ? (emit(.this), scope.it) : (emit(.it), scope.it)
    case "_index": return (emit(.index), .integer)
    case "_io": return (emit(.stream, emit(.this)), .stream)
    case "_parent": return (emit(.parent, emit(.this)), .unknown)
    case "_root": return (emit(.root, emit(.this)), rootType(scope.type))
    case "_is_le": return (emit(.isLittle), .boolean)
    case "_sizeof":
      guard let type = scope.type, let bits = staticBits(ofType: type.number, depth: 0) else {
        throw ExpressionError(offset: expression.offset, message: "the size depends on what is read")
      }
      return (constant(.int(Int64((bits + 7) / 8))), .integer)
    default: break
    }
    if let type = scope.type, let symbol = symbols[name] {
      let slot = slot(of: symbol, in: type.number)
      if slot >= 0 { return asBody(emit(.slot, slot), of: types[Int(type.number)].firstField + slot) }
    }
    if scope.externals.contains(name) { return (emit(.external, external(name).rawValue), .unknown) }
    if let body = scope.body, Loader.isIdentifier(name) {
      let bytes = emit(.asBody, emit(.external, body.bytes.rawValue), body.format)
      return (emit(.member, bytes, symbol(name)), .body)
    }
    if scope.allowsAbsent, Loader.isIdentifier(name) { return (constant(.absent), .unknown) }
    if case .object = this, scope.externals.isEmpty, !Loader.isIdentifier(name), !name.hasPrefix("_") {
      throw ExpressionError(offset: expression.offset, message: "\"\(name)\" is not a name: names are lower-case")
    }
    let near = scope.externals.filter { $0.hasPrefix(name + ".") }.sorted()
    if !near.isEmpty {
      throw ExpressionError(offset: expression.offset, message: "\"\(name)\" alone has no value; there is \(near.joined(separator: ", "))")
    }
    let fields = scope.type.map { type in members(of: type.number).map(\.id) } ?? []
    let candidates = fields + scope.externals.sorted() + ["_io", "_parent", "_root", "_index"]
    let owner = scope.type.map { " in \"\($0.fullName)\"" } ?? ""
    throw ExpressionError(offset: expression.offset, message: "there is no \"\(name)\"\(owner)\(suggestion(for: name, of: candidates))")
  }

  func members(of type: Int32) -> ArraySlice<MemberSpec> {
    let info = types[Int(type)]
    return members[Int(info.firstField)..<Int(info.firstField + info.fieldCount)]
  }

  private func rootType(_ type: TypeSpec?) -> StaticType { type?.scopes.last.map { .object($0.number) } ?? .unknown }

  private func compile(path: [String], _ expression: Expression, _ scope: Scope) throws(ExpressionError) -> Compiled {
    let enumPath = Array(path.dropLast())
    guard let entry = path.last, let number = find(enumeration: enumPath, from: scope.type) ?? anyEnum(enumPath, scope) else {
      let hint = suggestion(for: enumPath.last ?? "", of: visibleEnums(from: scope.type))
      throw ExpressionError(offset: expression.offset, message: "there is no enum \"\(enumPath.joined(separator: "::"))\"\(hint)")
    }
    let info = enums[Int(number)]
    let entries = enumEntries[Int(info.first)..<Int(info.first + info.count)]
    guard let found = entries.first(where: { names[Int($0.name)] == entry }) else {
      let hint = suggestion(for: entry, of: entries.map { names[Int($0.name)] })
      throw ExpressionError(
        offset: expression.offset, message: "the enum \"\(enumPath.joined(separator: "::"))\" has no \"\(entry)\"\(hint)")
    }
    let value = KaitaiValue(kind: .enumeration, bits: found.bits, enumNumber: number, kindFlag: found.isBig)
    return (constant(value), .enumeration(number))
  }

  /// Without a scope, the enums of all files are visible.
  private func anyEnum(_ path: [String], _ scope: Scope) -> Int32? {
    guard scope.type == nil else { return nil }
    for top in specs where unsafe top.outer == nil {
      if let found = find(enumeration: path, from: top) { return found }
    }
    return nil
  }

  /// `a.b.c` of plain names, or nil.
  private func dotted(_ expression: Expression) -> String? {
    switch expression.form {
    case .name(let name): name
    case .attribute(let inner, let name): dotted(inner).map { $0 + "." + name }
    default: nil
    }
  }

  private func compile(
    attribute name: String, of inner: Expression, _ expression: Expression, _ source: Source, _ scope: Scope
  ) throws(ExpressionError) -> Compiled {
    if let base = dotted(inner) {
      let full = base + "." + name
      if scope.externals.contains(full) { return (emit(.external, external(full).rawValue), .unknown) }
      let head = base.prefix { $0 != "." }
      let family = scope.externals.filter { $0.hasPrefix(head + ".") }
      if !family.isEmpty, !scope.externals.contains(base), !family.contains(where: { $0.hasPrefix(full + ".") }),
        !scope.externals.contains(String(head))
      {
        throw ExpressionError(offset: expression.offset, message: "there is no \"\(full)\"\(suggestion(for: full, of: family))")
      }
    }
    if name == "_sizeof" { return try compile(sizeOfValue: inner, expression, scope) }
    let base = try compile(inner, source, scope)
    if case .object(let type) = base.type {
      if let symbol = symbols[name] {
        let slot = slot(of: symbol, in: type)
        if slot >= 0 { return asBody(emit(.memberSlot, base.operation, slot, type), of: types[Int(type)].firstField + slot) }
      }
      switch name {
      case "_io": return (emit(.stream, base.operation), .stream)
      case "_parent": return (emit(.parent, base.operation), .unknown)
      case "_root": return (emit(.root, base.operation), .unknown)
      default: break
      }
      if scope.allowsAbsent { return (constant(.absent), .unknown) }
      let hint = suggestion(for: name, of: members(of: type).map(\.id))
      throw ExpressionError(offset: expression.offset, message: "\"\(specs[Int(type)].fullName)\" has no \"\(name)\"\(hint)")
    }
    let method = BuiltIn.allCases.first { $0.name == name }
    switch base.type {
    case .body: return (emit(.member, base.operation, symbol(name)), .body)
    case .unknown, .anyObject:
      if method == nil { openNames.append((name, source, expression.offset)) }
    default:
      guard let method, let type = method.result(on: base.type) else {
        let items = items(of: base.type)
        if let item = items[name] { return try compile(item, of: inner, expression, source, scope) }
        let hint = suggestion(for: name, of: BuiltIn.allCases.filter { $0.result(on: base.type) != nil }.map(\.name) + items.keys.sorted())
        throw ExpressionError(offset: expression.offset, message: "\(base.type.name) has no \"\(name)\"\(hint)")
      }
      return (emit(.member, base.operation, method.rawValue), type)
    }
    let type: StaticType =
      switch method {
      case .io: .stream
      case .length: .integer
      default: .unknown
      }
    return (emit(.member, base.operation, symbol(name)), type)
  }

  /// The named elements of a list.
  private func items(of list: StaticType) -> [String: TaggedItem] {
    guard !taggedItems.isEmpty, case .array = list, case .object(let type)? = element(of: list) else { return [:] }
    return taggedItems[specs[Int(type)].name] ?? [:]
  }

  /// The value of the first element with a tag: `list.find(_.id.to_i == 70).value`.
  private func compile(
    _ item: TaggedItem, of list: Expression, _ expression: Expression, _ source: Source, _ scope: Scope
  ) throws(ExpressionError) -> Compiled {
    func made(_ form: Expression.Form) -> Expression { Expression(form: form, offset: expression.offset) }
    let id = made(.attribute(made(.attribute(made(.name("_")), "id")), "to_i"))
    let condition = made(.binary(.equal, id, made(.integer(item.tag))))
    let value = item.path.reduce(made(.call(list, "find", [condition]))) { made(.attribute($0, $1)) }
    return try compile(value, source, scope)
  }

  // MARK: Methods and casts

  private func compile(
    call name: String, of inner: Expression, _ arguments: [Expression], _ expression: Expression, _ source: Source, _ scope: Scope
  ) throws(ExpressionError) -> Compiled {
    let base = try compile(inner, source, scope)
    func wrong(_ message: String) -> ExpressionError { ExpressionError(offset: expression.offset, message: message) }
    switch (name, arguments.count) {
    case ("to_s", 1):
      guard fits(base.type, .bytes) else { throw wrong("`to_s` with an encoding is for bytes, this is \(base.type.name)") }
      guard case .string(let encoding) = arguments[0].form else { throw wrong("`to_s` takes the name of an encoding in quotes") }
      return (emit(.toTextIn, base.operation, number(ofEncoding: String(decoding: encoding, as: UTF8.self))), .string)
    case ("to_i", 1):
      guard fits(base.type, .string) else { throw wrong("`to_i` with a base is for text, this is \(base.type.name)") }
      let radix = try compile(arguments[0], source, scope)
      guard fits(radix.type, .integer) else { throw wrong("the base of `to_i` is a whole number") }
      return (emit(.toInteger, base.operation, radix.operation), .integer)
    case ("substring", 2):
      // For bytes it is an addition to Kaitai Struct.
      guard base.type == .bytes || fits(base.type, .string) else {
        throw wrong("`substring` is for text and bytes, this is \(base.type.name)")
      }
      let from = try compile(arguments[0], source, scope)
      let to = try compile(arguments[1], source, scope)
      guard fits(from.type, .integer), fits(to.type, .integer) else { throw wrong("`substring` takes whole numbers") }
      return (emit(.substring, base.operation, from.operation, to.operation), base.type == .bytes ? .bytes : .string)
    case ("pow", 1):
      let exponent = try compile(arguments[0], source, scope)
      for (type, offset) in [(base.type, expression.offset), (exponent.type, arguments[0].offset)]
      where !fits(type, .integer) && type != .float {
        throw ExpressionError(offset: offset, message: "`pow` is for numbers, this is \(type.name)")
      }
      return (emit(.power, base.operation, exponent.operation), base.type == .float || exponent.type == .float ? .float : .unknown)
    case ("join", 1):
      guard base.type.isOpen || element(of: base.type) != nil else { throw wrong("`join` is for lists, this is \(base.type.name)") }
      let separator = try compile(arguments[0], source, scope)
      guard fits(separator.type, .string) else { throw wrong("`join` takes a text") }
      return (emit(.joinText, base.operation, separator.operation), .string)
    case ("map", 1), ("filter", 1), ("find", 1):
      guard base.type.isOpen || element(of: base.type) != nil else { throw wrong("`\(name)` is for lists, this is \(base.type.name)") }
      var inner = scope
      inner.it = element(of: base.type) ?? (base.type == .body ? .body : .unknown)
      inner.itIsThis = false
      let each = try compile(arguments[0], source, inner)
      if name == "map" {
        return (emit(.each, base.operation, EachKind.map.rawValue, each.operation), .array(each.type))
      }
      guard fits(each.type, .boolean) else {
        throw ExpressionError(
          offset: arguments[0].offset, message: "a condition must be true or false, this is \(each.type.name)")
      }
      let kind: EachKind = name == "filter" ? .filter : .find
      return (emit(.each, base.operation, kind.rawValue, each.operation), kind == .find ? inner.it : .array(inner.it))
    default:
      if let function = KeyedFunction.allCases.first(where: { $0.name == name }) {
        return try compile(function, base, arguments, expression, source, scope)
      }
      guard let method = BuiltIn.allCases.first(where: { $0.name == name }), arguments.isEmpty else {
        let known =
          [
            "to_s", "to_i", "to_f", "substring", "length", "size", "reverse", "first", "last", "min", "max", "sum", "abs", "sqrt", "exp",
            "ln", "pow", "floor", "ceil", "round", "join", "map", "filter", "find", "md5", "sha1", "sha256", "from_hex",
          ] + KeyedFunction.allCases.map(\.name)
        throw wrong("there is no method \"\(name)\" with \(arguments.count) parameters\(suggestion(for: name, of: known))")
      }
      guard let type = method.result(on: base.type) else { throw wrong("\(base.type.name) has no \"\(name)\"") }
      return (emit(.member, base.operation, method.rawValue), type)
    }
  }

  /// A function of bytes or text with keys and other bytes as arguments.
  private func compile(
    _ function: KeyedFunction, _ base: Compiled, _ arguments: [Expression], _ expression: Expression, _ source: Source, _ scope: Scope
  ) throws(ExpressionError) -> Compiled {
    let wanted = function.parameters
    guard arguments.count == wanted.count else {
      throw ExpressionError(
        offset: expression.offset,
        message: "`\(function.name)` takes \(wanted.joined(separator: ", ")): \(wanted.count) parameters, and not \(arguments.count)")
    }
    func isOfBytes(_ type: StaticType) -> Bool { fits(type, .bytes) || fits(type, .string) }
    guard isOfBytes(base.type) else {
      throw ExpressionError(offset: expression.offset, message: "`\(function.name)` is for bytes, this is \(base.type.name)")
    }
    var operands = [base.operation]
    for (argument, what) in zip(arguments, wanted) {
      let compiled = try compile(argument, source, scope)
      let isNumber = what == "number of bytes"
      guard isNumber ? fits(compiled.type, .integer) : isOfBytes(compiled.type) else {
        throw ExpressionError(
          offset: argument.offset,
          message: "\(what) of `\(function.name)` must be \(isNumber ? "a whole number" : "bytes"), this is \(compiled.type.name)")
      }
      operands.append(compiled.operation)
    }
    let first = Int32(lists.count)
    lists += operands
    return (emit(.keyed, function.rawValue, first, Int32(operands.count)), .bytes)
  }

  private func compile(
    cast inner: Expression, to name: Expression.TypeName, _ expression: Expression, _ source: Source, _ scope: Scope
  ) throws(ExpressionError) -> Compiled {
    let target = try castType(name, expression, scope)
    if case .list(let elements) = inner.form { return try compile(list: elements, source, scope, as: target) }
    let base = try compile(inner, source, scope)
    switch target {
    case .object(let type): return (emit(.castObject, base.operation, type), target)
    case .array: return (emit(.castArray, base.operation), target)
    case .bytes: return (emit(.castBytes, base.operation), target)
    case .float: return (name.path == ["f4"] ? emit(.castFloat32, base.operation) : base.operation, .float)
    default: return (base.operation, target)
    }
  }

  /// The element type of a list; nil for types without elements.
  private func element(of type: StaticType) -> StaticType? {
    switch type {
    case .array(let element): element
    case .bytes: .integer
    default: nil
    }
  }

  /// A field with a body of another format is that body in expressions: `config.ssid`.
  private func asBody(_ operation: Int32, of field: Int32) -> Compiled {
    guard let node = members[Int(field)].dashes.first(where: { $0.key == "-body" })?.node, members[Int(field)].repetition.isOnce,
      let format = bodyFormat?(node)
    else { return (operation, fieldType(field)) }
    return (emit(.asBody, operation, format), .body)
  }

  /// The type of a cast, or of a parameter.
  func castType(_ name: Expression.TypeName, _ expression: Expression, _ scope: Scope) throws(ExpressionError) -> StaticType {
    var single: StaticType
    switch (name.path.count, Primitive(name.path[0])) {
    case (1, .number(.float, _, _)): single = .float
    case (1, .number): single = .integer
    case (1, .bits(let width, _, _)): single = width == 1 ? .boolean : .integer
    case (1, .string): single = .string
    case (1, .bytes): single = .bytes
    default:
      switch name.path.count == 1 ? name.path[0] : "" {
      case "bool": single = .boolean
      case "io": single = .stream
      case "struct": single = .anyObject
      case "any": single = .unknown
      default:
        guard let spec = find(type: name.path, from: scope.type) else {
          let hint = suggestion(
            for: name.path.last ?? "", of: visibleTypes(from: scope.type) + Primitive.names + ["bytes", "bool", "io", "struct"])
          throw ExpressionError(offset: expression.offset, message: "there is no type \"\(name.text)\"\(hint)")
        }
        single = .object(spec.number)
      }
    }
    return name.isArray ? .array(single) : single
  }

  /// A list of small numbers is bytes, as in Kaitai Struct; any other list is an array.
  private func compile(list elements: [Expression], _ source: Source, _ scope: Scope, as target: StaticType?) throws(ExpressionError)
    -> Compiled
  {
    let literal = elements.map { $0.form.constant.flatMap(UInt8.init(exactly:)) }
    var isArray = false
    if case .array = target { isArray = true }
    if !isArray, literal.allSatisfy({ $0 != nil }) { return (constant(bytesConstant(literal.compactMap { $0 }, .bytes)), .bytes) }
    let compiled = try elements.map { element throws(ExpressionError) in try compile(element, source, scope) }
    let first = Int32(lists.count)
    lists += compiled.map(\.operation)
    if target == .bytes { return (emit(.bytesLiteral, first, Int32(compiled.count)), .bytes) }
    if isArray, let target { return (emit(.arrayLiteral, first, Int32(compiled.count)), target) }
    let element = compiled.dropFirst().reduce(compiled.first?.type ?? .unknown) { $0.merged(with: $1.type) }
    return (emit(.arrayLiteral, first, Int32(compiled.count)), .array(element))
  }

  // MARK: Operators

  private func compile(_ operation: Expression.Unary, _ inner: Expression, _ source: Source, _ scope: Scope) throws(ExpressionError)
    -> Compiled
  {
    if operation == .minus, case .integer(let value) = inner.form, value <= 1 << 63 {
      return (constant(.int(Int64(truncatingIfNeeded: 0 &- value))), .integer)
    }
    let base = try compile(inner, source, scope)
    func wrong(_ what: String) -> ExpressionError {
      ExpressionError(offset: inner.offset, message: "expected \(what), this is \(base.type.name)")
    }
    switch operation {
    case .minus, .plus:
      guard fits(base.type, .integer) || base.type == .float else { throw wrong("a number") }
      return (emit(operation == .minus ? .minus : .plus, base.operation), base.type)
    case .invert:
      guard fits(base.type, .integer) else { throw wrong("a whole number") }
      return (emit(.invert, base.operation), .integer)
    case .not:
      guard fits(base.type, .boolean) else { throw wrong("true or false") }
      return (emit(.not, base.operation), .boolean)
    }
  }

  private func compile(
    _ operation: Expression.Binary, _ left: Expression, _ right: Expression, _ expression: Expression, _ source: Source, _ scope: Scope
  ) throws(ExpressionError) -> Compiled {
    let first = try compile(left, source, scope)
    let second = try compile(right, source, scope)
    let code = Self.codes[Int(operation.rawValue)]
    let emitted = emit(code, first.operation, second.operation)
    let types = (first.type, second.type)
    func wrong(_ what: String) -> ExpressionError {
      ExpressionError(offset: expression.offset, message: "\(what), not \(first.type.name) and \(second.type.name)")
    }
    func isNumber(_ type: StaticType) -> Bool { fits(type, .integer) || type == .float }
    switch operation {
    case .and, .or:
      guard fits(first.type, .boolean), fits(second.type, .boolean) else { throw wrong("\"and\" and \"or\" join conditions") }
      return (emitted, .boolean)
    case .equal, .notEqual, .less, .lessOrEqual, .greater, .greaterOrEqual:
      guard isComparable(types.0, types.1) else { throw wrong("only values of one type can be compared") }
      if case .enumeration = first.type, operation != .equal, operation != .notEqual {
        throw ExpressionError(offset: expression.offset, message: "an enum's values have no order: compare their numbers, `to_i`")
      }
      return (emitted, .boolean)
    case .bitAnd, .bitOr, .bitXor, .shiftLeft, .shiftRight:
      guard fits(first.type, .integer), fits(second.type, .integer) else { throw wrong("bits are those of whole numbers") }
      return (emitted, .integer)
    case .add:
      if first.type == .string, fits(second.type, .string) { return (emitted, .string) }
      if second.type == .string, fits(first.type, .string) { return (emitted, .string) }
      if first.type == .bytes, fits(second.type, .bytes) { return (emitted, .bytes) }
      if second.type == .bytes, fits(first.type, .bytes) { return (emitted, .bytes) }
      if case .array(let left) = first.type {
        if let right = element(of: second.type) { return (emitted, .array(left.merged(with: right))) }
        if second.type.isOpen { return (emitted, .array(.unknown)) }
      } else if case .array(let right) = second.type {
        if first.type == .bytes { return (emitted, .array(right.merged(with: .integer))) }
        if first.type.isOpen { return (emitted, .array(.unknown)) }
      }
      fallthrough
    case .subtract, .multiply, .divide, .modulo:
      guard isNumber(first.type), isNumber(second.type) else { throw wrong("this is for numbers") }
      if first.type.isOpen || second.type.isOpen { return (emitted, .unknown) }
      return (emitted, first.type == .float || second.type == .float ? .float : .integer)
    }
  }

  func isComparable(_ a: StaticType, _ b: StaticType) -> Bool {
    if a.isOpen || b.isOpen || a == b { return true }
    switch (a, b) {
    case (.integer, .float), (.float, .integer), (.integer, .boolean), (.boolean, .integer): return true
    case (.bytes, .array), (.array, .bytes), (.array, .array): return true
    default: return false
    }
  }

  private static let codes: [OperationCode] = [
    .add, .subtract, .multiply, .divide, .modulo, .shiftLeft, .shiftRight, .bitAnd, .bitOr, .bitXor, .equal, .notEqual, .less, .lessOrEqual,
    .greater, .greaterOrEqual, .and, .or,
  ]
}

extension BuiltIn {
  /// The result type of the method for a value of that type; nil where the type has no such method.
  func result(on type: StaticType) -> StaticType? {
    if type.isOpen { return self == .io ? .stream : .unknown }
    switch (self, type) {
    case (.toS, .integer), (.toS, .float), (.toS, .boolean): return .string
    case (.toI, .string), (.toI, .float), (.toI, .boolean), (.toI, .enumeration), (.toI, .integer): return .integer
    case (.length, .string), (.length, .bytes), (.size, .bytes), (.size, .array), (.length, .array): return .integer
    case (.reverse, .string): return .string
    case (.reverse, .bytes): return .bytes
    case (.md5, .bytes), (.md5, .string), (.sha1, .bytes), (.sha1, .string), (.sha256, .bytes), (.sha256, .string): return .bytes
    case (.fromHex, .string): return .bytes
    case (.reverse, .array): return type
    case (.toI, .bytes), (.sum, .bytes): return .integer
    case (.sum, .array(let element)): return element == .integer || element == .float ? element : .unknown
    case (.toF, .string), (.toF, .integer), (.toF, .float), (.toF, .boolean): return .float
    case (.sqrt, .integer), (.sqrt, .float), (.exp, .integer), (.exp, .float), (.ln, .integer), (.ln, .float): return .float
    case (.abs, .integer), (.abs, .float): return type
    case (.floor, .integer), (.floor, .float), (.ceil, .integer), (.ceil, .float), (.round, .integer), (.round, .float): return .integer
    case (.first, .bytes), (.last, .bytes), (.min, .bytes), (.max, .bytes): return .integer
    case (.first, .array(let element)), (.last, .array(let element)), (.min, .array(let element)), (.max, .array(let element)):
      return element
    case (.eof, .stream): return .boolean
    case (.size, .stream), (.pos, .stream): return .integer
    case (.io, .anyObject): return .stream
    case (.parent, .anyObject), (.root, .anyObject): return .unknown
    default: return nil
    }
  }
}
