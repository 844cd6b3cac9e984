/// Static properties of fields: their types and sizes.
extension Compiler {
  /// The type of a field's value, including arrays.
  func fieldType(_ field: Int32) -> StaticType {
    if let known = fieldTypes[Int(field)] { return known }
    // An instance that depends on itself fails when parsing. The same for one at the end of a long chain, because each link is a level of recursion
    // here.
    guard fieldsInWork.count < 64, fieldsInWork.insert(field).inserted else { return .unknown }
    defer { fieldsInWork.remove(field) }
    let member = members[Int(field)]
    if member.value != nil { _ = valueOperation(of: field) }
    if let known = fieldTypes[Int(field)] { return known }
    var type = elementType(of: field)
    switch member.repetition {
    case .once: break
    default: type = .array(type)
    }
    fieldTypes[Int(field)] = type
    return type
  }

  /// Compiles the `value` of an instance once, which determines its type.
  func valueOperation(of field: Int32) -> Int32 {
    let known = fields[Int(field)].value
    if known >= 0 { return known }
    let member = members[Int(field)]
    guard let value = member.value else { return -1 }
    fieldsInWork.insert(field)
    defer { fieldsInWork.remove(field) }
    let spec = specs[Int(fields[Int(field)].owner)]
    let (operation, type) = compile(value, Scope(type: spec, externals: typeExternals))
    fields[Int(field)].value = operation
    let enumeration = enumType(member, spec)
    if enumeration != nil, [.float, .string, .bytes, .stream, .anyObject].contains(type) {
      diagnostics.report(value.position, value.path, "only whole numbers can be an enum's, this is \(type.name)")
    }
    fieldTypes[Int(field)] = enumeration ?? type
    return operation
  }

  private func enumType(_ member: MemberSpec, _ spec: TypeSpec) -> StaticType? {
    guard let source = member.enumeration else { return nil }
    return find(enumeration: Compiler.path(source.text), from: spec).map { .enumeration($0) }
  }

  /// The type of one element of a field, or of its single value.
  func elementType(of field: Int32) -> StaticType {
    let member = members[Int(field)]
    let spec = specs[Int(fields[Int(field)].owner)]
    if let type = enumType(member, spec) { return type }
    switch member.type {
    case nil: return member.value != nil ? fieldTypes[Int(field)] ?? .unknown : .bytes
    case .named(let source): return type(named: source.text, spec)
    case .switched(_, let list, _):
      // If the cases have different types, the type is known only when parsing.
      guard let first = list.first, member.size == nil, !member.sizeToEnd, member.terminator == nil else { return .unknown }
      return list.dropFirst().reduce(type(named: first.type.text, spec)) { $0.merged(with: type(named: $1.type.text, spec)) }
    }
  }

  private func type(named text: String, _ spec: TypeSpec) -> StaticType {
    let head = text.utf8.firstIndex(of: UInt8(ascii: "(")).map { text[..<$0] } ?? text[...]
    do throws(ExpressionError) {
      let name = try ExpressionParser.parseTypeUse(String(head)).name
      return try castType(name, Expression(form: .boolean(true), offset: 0), Scope(type: spec))
    } catch {
      return .unknown
    }
  }

  // MARK: Sizes

  func bits(of primitive: Primitive) -> Int? {
    switch primitive {
    case .number(_, let width, _): width * 8
    case .bits(let width, _, _): width
    default: nil
    }
  }

  /// Size of a type's sequence in bits, if it is constant.
  func staticBits(ofType type: Int32, depth: Int) -> Int? {
    if let known = typeBits[type] { return known }
    // A type within itself has no size; this is the result if it is requested again meanwhile.
    typeBits[type] = .some(nil)
    let bits = sequenceBits(of: type, depth: depth)
    typeBits[type] = .some(bits)
    return bits
  }

  private func sequenceBits(of type: Int32, depth: Int) -> Int? {
    guard depth < 32 else { return nil }
    let info = types[Int(type)]
    var total = 0
    for field in info.firstField..<(info.firstField + info.fieldCount) where fields[Int(field)].role == .sequence {
      guard let size = staticBits(ofField: field, depth: depth + 1) else { return nil }
      if members[Int(field)].type.map({ !isBits($0) }) ?? true { total = (total + 7) / 8 * 8 }
      let (sum, overflow) = total.addingReportingOverflow(size)
      guard !overflow, sum < 1 << 48 else { return nil }
      total = sum
    }
    return total
  }

  private func isBits(_ use: TypeUse) -> Bool {
    if case .named(let source) = use, case .bits = Primitive(source.text) { return true }
    return false
  }

  func staticBits(ofField field: Int32, depth: Int) -> Int? {
    let member = members[Int(field)]
    guard member.condition == nil, depth < 32 else { return nil }
    var count = 1
    switch member.repetition {
    case .once: break
    case .count(let source):
      guard let constant = Loader.integer(source.text), constant >= 0 else { return nil }
      count = constant
    default: return nil
    }
    guard let single = staticBits(ofElement: field, depth: depth) else { return nil }
    let (product, overflow) = single.multipliedReportingOverflow(by: count)
    return overflow || product >= 1 << 48 ? nil : product
  }

  private func staticBits(ofElement field: Int32, depth: Int) -> Int? {
    let member = members[Int(field)]
    if let size = member.size { return Loader.integer(size.text).flatMap { (0..<(1 << 40)).contains($0) ? $0 * 8 : nil } }
    if let contents = member.contents { return contents.count * 8 }
    guard case .named(let source) = member.type else { return nil }
    if let bits = bits(of: Primitive(source.text)) { return bits }
    let spec = specs[Int(fields[Int(field)].owner)]
    guard case .object(let type) = type(named: source.text, spec) else { return nil }
    return staticBits(ofType: type, depth: depth + 1)
  }

  /// `x._sizeof`.
  func compile(sizeOfValue inner: Expression, _ expression: Expression, _ scope: Scope) throws(ExpressionError) -> Compiled {
    if let bits = staticBits(of: inner, scope) { return (constant(.int(Int64((bits + 7) / 8))), .integer) }
    throw ExpressionError(offset: expression.offset, message: "the size depends on what is read")
  }

  private func staticBits(of expression: Expression, _ scope: Scope) -> Int? {
    guard let (field, _) = field(of: expression, scope) else {
      if case .name("_root") = expression.form, let root = scope.type?.scopes.last { return staticBits(ofType: root.number, depth: 0) }
      return nil
    }
    return staticBits(ofField: field, depth: 0)
  }

  /// The field at the end of `a.b.c`, and the type of its owner.
  private func field(of expression: Expression, _ scope: Scope) -> (field: Int32, type: Int32)? {
    let owner: Int32
    let name: String
    switch expression.form {
    case .name(let local):
      guard let type = scope.type else { return nil }
      (owner, name) = (type.number, local)
    case .attribute(let inner, let attribute):
      if case .name("_root") = inner.form, let root = scope.type?.scopes.last {
        (owner, name) = (root.number, attribute)
      } else if let (field, _) = field(of: inner, scope), case .object(let type) = fieldType(field) {
        (owner, name) = (type, attribute)
      } else {
        return nil
      }
    default: return nil
    }
    guard let symbol = symbols[name] else { return nil }
    let slot = slot(of: symbol, in: owner)
    return slot < 0 ? nil : (types[Int(owner)].firstField + slot, owner)
  }
}
