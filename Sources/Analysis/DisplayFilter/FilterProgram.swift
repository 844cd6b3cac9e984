import Bluetooth
import Keys
import Memory
import Profiles

/// A value while a filter is evaluated for one packet: a number, or bytes of the packet, of the tables or of ``FilterScratch``. They are valid until the
/// evaluation of the next packet.
@safe struct FilterValue: @unchecked Sendable {
  /// The type of a value of a message; for all others the field gives the type.
  enum Kind: UInt8, Sendable { case plain, number, name, text, bytes }

  var number: Int128 = 0
  var kind = Kind.plain
  var start: UnsafeRawPointer?
  var count = 0
  /// Offset of its bytes, before their address is final.
  var spare: Int64 = 0

  @inline(__always)
  init(_ number: Int128) { self.number = number }

  @inline(__always)
  init(_ start: UnsafeRawPointer?, _ count: Int) {
    unsafe self.start = unsafe start
    self.count = count
  }

  @inline(__always)
  /// A value of bytes whose address does not change.
  init(_ bytes: BorrowedBytes) { unsafe self.init(bytes.start, bytes.count) }

  var bytes: BorrowedBytes { unsafe start.map { unsafe BorrowedBytes(start: $0, count: count) } ?? BorrowedBytes() }

  /// Negative if it is less than another value of the class, 0 if it is equal. Byte strings are ordered by length first.
  func order(_ other: FilterValue, _ valueClass: FilterClass) -> Int {
    if valueClass == .number { return number < other.number ? -1 : number == other.number ? 0 : 1 }
    let (a, b) = (bytes, other.bytes)
    if valueClass == .bytes, a.count != b.count { return a.count - b.count }
    let common = min(a.count, b.count)
    for index in 0..<common where a[index] != b[index] { return Int(a[index]) - Int(b[index]) }
    return a.count - b.count
  }
}

/// How values are compared.
enum FilterClass: UInt8, Sendable {
  case number
  /// The longer is the greater; with the same length, byte by byte, as in Wireshark.
  case bytes
  /// Byte by byte.
  case text
  /// By the type of each value.
  case dynamic
  case none
}

/// A side of a comparison, ready to be computed.
struct FilterOperand: Sendable {
  enum Kind: UInt8, Sendable {
    case constant, field, slice, length, count, upper, lower, text, maximum, minimum, absolute, arithmetic, negative
  }
  var kind: Kind
  /// The field, or the operands that it is computed from.
  var a: Int32 = -1
  var b: Int32 = -1
  /// Range of a slice's parts in the program's list.
  var first: Int32 = 0
  var last: Int32 = 0
  var operation: FilterArithmetic = .and
  var valueClass: FilterClass = .number
  var type: FilterType = .unsigned
  /// Number of bytes of an integer field; for `len`.
  var width = 0
  var isHexadecimal = false
}

/// Possible meanings of a literal whose type depends on the value in the packet.
struct FilterGuess: Sendable {
  /// The literal as text.
  var text: FilterValue
  /// The number in billionths, if the literal is one.
  var number: Int128?
  /// The byte string, if the literal is one.
  var bytes: FilterValue?
}

/// One comparison.
struct FilterTest: Sendable {
  enum Kind: UInt8, Sendable { case present, compare, member, matches }
  var kind: Kind
  var quantifier: FilterQuantifier = .any
  var relation: FilterRelation = .equal
  var valueClass: FilterClass = .number
  var left: Int32
  var right: Int32 = -1
  /// Range of the members in the program's list, in pairs; a member without an upper end has -1.
  var first: Int32 = 0
  var last: Int32 = 0
  /// Range of constant members in the program's list, in ascending order.
  var firstConstant: Int32 = 0
  var lastConstant: Int32 = 0
  /// For an integer at a fixed offset compared with a constant: index of the location, else -1.
  var location: Int32 = -1
  var constant: Int128 = 0
  /// It is the handle of an ATT PDU with exactly one handle.
  var isHandle = false
}

/// One step of a filter.
struct FilterStep: Sendable {
  enum Kind: UInt8, Sendable { case test, negate, jumpIfTrue, jumpIfFalse, push, exclusive }
  var kind: Kind
  /// Index of the test, or of the step to jump to.
  var target: Int32 = 0
}

/// A compiled filter: immutable, shared by all evaluators.
@safe final class FilterProgram: @unchecked Sendable {
  var steps: [FilterStep] = []
  var tests: [FilterTest] = []
  var operands: [FilterOperand] = []
  var fields: [(field: FilterField, first: Int, last: Int)] = []
  var locations: [FieldLocation] = []
  var slices: [FilterSlice] = []
  var members: [(low: Int32, high: Int32)] = []
  /// Members of sets that are constants.
  var memberConstants: [FilterValue] = []
  var patterns: [FilterRegex] = []
  /// Values of constants, by operand.
  var constants: [Int32: FilterValue] = [:]
  /// Possible meanings of constants, by operand.
  var guesses: [Int32: FilterGuess] = [:]
  /// The filter has fields of profile messages.
  var usesMessages = false
  /// The keys for Bluetooth Mesh; nil if the filter has no Mesh field.
  var meshKeys: MeshKeys?
  private var memory: [UnsafeMutableRawBufferPointer] = unsafe []

  deinit {
    unsafe memory.forEach { unsafe $0.deallocate() }
  }

  /// Keeps names until the program is released.
  func keep(_ names: [String]) -> BorrowedBuffer<StaticName> {
    let piece = UnsafeMutableRawBufferPointer.allocate(
      byteCount: max(names.count, 1) * MemoryLayout<StaticName>.stride, alignment: MemoryLayout<StaticName>.alignment)
    unsafe memory.append(piece)
    let kept = unsafe piece.bindMemory(to: StaticName.self)
    for (index, name) in names.enumerated() {
      let bytes = keep(Array(name.utf8))
      guard let start = unsafe bytes.start else { continue }
      unsafe kept.initializeElement(at: index, to: StaticName(start: start.assumingMemoryBound(to: UInt8.self), count: bytes.count))
    }
    return unsafe BorrowedBuffer(UnsafeBufferPointer(kept))
  }

  /// Keeps bytes until the program is released.
  func keep(_ bytes: [UInt8]) -> FilterValue {
    let piece = UnsafeMutableRawBufferPointer.allocate(byteCount: max(bytes.count, 1), alignment: 1)
    unsafe piece.copyBytes(from: bytes)
    unsafe memory.append(piece)
    return unsafe FilterValue(UnsafeRawPointer(piece.baseAddress.unsafelyUnwrapped), bytes.count)
  }
}

/// Compiles a filter expression into a program.
struct FilterCompiler {
  let expression: String
  let program = FilterProgram()
  private var fieldIndex: [Int: Int32] = [:]

  private var messageIndex: [String: Int32] = [:]
  private let profiles: ProfileSet?

  /// Compiles a filter; names of `profiles` denote their messages. Throws ``FilterError``.
  static func compile(_ expression: String, _ profiles: ProfileSet?) throws(FilterError) -> FilterProgram? {
    guard let node = try FilterParser.parse(expression) else { return nil }
    var compiler = FilterCompiler(expression: expression, profiles)
    try compiler.emit(node)
    return compiler.program
  }

  private init(expression: String, _ profiles: ProfileSet? = nil) {
    self.expression = expression
    self.profiles = profiles
  }

  /// Compiles the fields with these names for reading: an operand for each, in order. Throws ``FilterError``.
  static func fields(_ names: [String], _ profiles: ProfileSet?) throws(FilterError) -> FilterProgram {
    var compiler = FilterCompiler(expression: names.joined(separator: " "), profiles)
    var at = 0
    for name in names {
      guard let index = FilterFields.byName[name] else { throw compiler.noField(name, at) }
      _ = compiler.field(index)
      at += name.utf8.count + 1
    }
    return compiler.program
  }

  private func fail(_ at: Int, _ what: String, close: [String] = []) -> FilterError {
    FilterError(expression, at, what, close: close)
  }

  // MARK: Steps

  private var next: Int32 { Int32(program.steps.count) }

  private mutating func emit(_ node: FilterNode) throws(FilterError) {
    switch node {
    case .or(let nodes): try chain(nodes, .jumpIfTrue)
    case .and(let nodes): try chain(nodes, .jumpIfFalse)
    case .not(let node):
      try emit(node)
      program.steps.append(FilterStep(kind: .negate))
    case .xor(let nodes):
      for (index, node) in nodes.enumerated() {
        if index > 0 { program.steps.append(FilterStep(kind: .push)) }
        try emit(node)
        if index > 0 { program.steps.append(FilterStep(kind: .exclusive)) }
      }
    case .present(let term, let quantifier):
      let left = try operand(term, for: nil)
      let operand = program.operands[Int(left)]
      guard operand.kind != .constant else { throw fail(term.offset, "\(words(term)) is neither a field nor a protocol") }
      append(FilterTest(kind: .present, quantifier: quantifier, valueClass: operand.valueClass, left: left))
    case .compare(let left, let relation, let right, let quantifier, let at): try compare(left, relation, right, quantifier, at)
    case .member(let left, let members, let quantifier, _): try member(left, members, quantifier)
    }
  }

  private mutating func chain(_ nodes: [FilterNode], _ jump: FilterStep.Kind) throws(FilterError) {
    var jumps: [Int] = []
    for (index, node) in nodes.enumerated() {
      try emit(node)
      if index < nodes.count - 1 {
        jumps.append(program.steps.count)
        program.steps.append(FilterStep(kind: jump))
      }
    }
    for jump in jumps { program.steps[jump].target = next }
  }

  private mutating func append(_ test: FilterTest) {
    program.tests.append(test)
    program.steps.append(FilterStep(kind: .test, target: Int32(program.tests.count - 1)))
  }

  // MARK: Comparisons

  private func isLiteral(_ term: FilterTerm) -> Bool {
    switch term {
    case .string, .character: true
    case .word(let text, _): !isName(text)
    case .layer(let term, _): isLiteral(term)
    case .negative(let term, _): isLiteral(term)
    case .arithmetic(_, let a, let b, _): isLiteral(a) && isLiteral(b)
    case .slice, .call: false
    }
  }

  /// The word is the name of a field, not a value.
  private func isName(_ text: String) -> Bool { FilterFields.byName[Self.name(text)] != nil || profile(Self.name(text)) != nil }

  /// The number of the profile that a field name belongs to.
  private func profile(_ name: String) -> Int? { profiles?.number(String(name.prefix { $0 != "." })) }

  /// A dot before a word marks it as a field.
  private static func name(_ text: String) -> String { text.hasPrefix(".") ? String(text.dropFirst()) : text }

  private mutating func compare(
    _ left: FilterTerm, _ relation: FilterRelation, _ right: FilterTerm, _ quantifier: FilterQuantifier, _ at: Int
  ) throws(FilterError) {
    // If the value is on the left, the field on the right gives its type.
    if isLiteral(left), !isLiteral(right), relation != .contains, relation != .matches {
      let turned: [FilterRelation: FilterRelation] = [
        .less: .greater, .lessOrEqual: .greaterOrEqual, .greater: .less, .greaterOrEqual: .lessOrEqual,
      ]
      return try compare(right, turned[relation] ?? relation, left, quantifier, at)
    }
    let a = try operand(left, for: nil)
    let target = program.operands[Int(a)]
    guard target.kind != .constant else { throw unknown(left) }
    guard target.valueClass != .none else { throw fail(left.offset, "\(words(left)) has no value: it is only there or not,") }
    if relation == .matches {
      guard target.type.hasBytes || target.valueClass == .text else {
        throw fail(left.offset, "\(words(left)) has no text that could match")
      }
      guard case .string(let pattern, let start) = right else { throw fail(right.offset, "matches wants a text in double quotes") }
      do {
        program.patterns.append(try FilterRegex(pattern))
      } catch {
        throw fail(min(start + 1 + error.offset, max(0, expression.utf8.count - 1)), "in the regular expression: \(error.what)")
      }
      append(FilterTest(kind: .matches, quantifier: quantifier, left: a, right: Int32(program.patterns.count - 1)))
      return
    }
    if relation == .contains, !target.type.hasBytes, target.valueClass != .bytes, target.valueClass != .text {
      throw fail(left.offset, "\(words(left)) is a number and contains nothing")
    }
    if target.valueClass == .dynamic, !isLiteral(right) {
      throw fail(right.offset, "a field of a message can only be compared with a value,")
    }
    if relation == .equal || relation == .notEqual { try check(left, right) }
    let b = try operand(right, for: target, contains: relation == .contains)
    let other = program.operands[Int(b)]
    guard (target.valueClass == .number) == (other.valueClass == .number), other.valueClass != .none else {
      throw fail(right.offset, "\(words(right)) cannot be compared with \(words(left))")
    }
    var test = FilterTest(kind: .compare, quantifier: quantifier, relation: relation, valueClass: target.valueClass, left: a, right: b)
    hasten(&test, target, other, b)
    append(test)
  }

  /// Marks a comparison of an integer at a fixed offset with a constant: it needs no list of values.
  private func hasten(_ test: inout FilterTest, _ operand: FilterOperand, _ other: FilterOperand, _ right: Int32) {
    guard operand.kind == .field, other.kind == .constant, operand.valueClass == .number, let constant = program.constants[right] else {
      return
    }
    let use = program.fields[Int(operand.a)]
    guard use.last - use.first == 1, use.field.type == .unsigned || use.field.type == .bool else { return }
    let location = program.locations[use.first]
    guard use.field.type == .unsigned || location.mask.nonzeroBitCount == 1 else { return }
    test.constant = constant.number
    if location.isPlain {
      if location.source == .pdu || location.source == .acl { test.location = Int32(use.first) }
    } else if use.field.name == "btatt.handle" {
      test.isHandle = true
    }
  }

  private mutating func member(
    _ left: FilterTerm, _ members: [(FilterTerm, FilterTerm?)], _ quantifier: FilterQuantifier
  ) throws(FilterError) {
    let a = try operand(left, for: nil)
    let target = program.operands[Int(a)]
    guard target.kind != .constant else { throw unknown(left) }
    guard target.valueClass != .none else { throw fail(left.offset, "\(words(left)) has no value: it is only there or not,") }
    let first = Int32(program.members.count)
    var constants: [FilterValue] = []
    for (low, high) in members {
      if target.valueClass == .dynamic, !isLiteral(low) {
        throw fail(low.offset, "a field of a message can only be compared with a value,")
      }
      if high == nil { try check(left, low) }
      let bottom = try operand(low, for: target)
      var top: Int32 = -1
      if let high { top = try operand(high, for: target) }
      for (side, term) in [(bottom, low), (top, high ?? low)] where side >= 0 {
        guard (program.operands[Int(side)].valueClass == .number) == (target.valueClass == .number) else {
          throw fail(term.offset, "\(words(term)) cannot be compared with \(words(left))")
        }
      }
      if target.valueClass != .dynamic, top < 0, let constant = program.constants[bottom] {
        constants.append(constant)
      } else {
        program.members.append((bottom, top))
      }
    }
    constants.sort { $0.order($1, target.valueClass) < 0 }
    let firstConstant = Int32(program.memberConstants.count)
    program.memberConstants += constants
    append(
      FilterTest(
        kind: .member, quantifier: quantifier, valueClass: target.valueClass, left: a, first: first, last: Int32(program.members.count),
        firstConstant: firstConstant, lastConstant: Int32(program.memberConstants.count)))
  }

  // MARK: Sides

  private func words(_ term: FilterTerm) -> String {
    switch term {
    case .word(let text, _): return text
    case .string(let bytes, _): return "\"\(String(decoding: bytes, as: UTF8.self))\""
    case .character(let byte, _): return "'\(Character(Unicode.Scalar(byte)))'"
    case .slice(let term, _, _): return "\(words(term))[…]"
    case .layer(let term, _): return words(term)
    case .call(let name, _, _): return "\(name)(…)"
    case .arithmetic, .negative: return "the number"
    }
  }

  /// The error for a word on the left of a comparison that is not a field.
  private func unknown(_ term: FilterTerm) -> FilterError {
    guard case .word(let text, let at) = term, text.first?.isLetter == true || text.hasPrefix(".") else {
      return fail(term.offset, "\(words(term)) is a value: a comparison wants a field")
    }
    return noField(text, at)
  }

  private func noField(_ text: String, _ at: Int) -> FilterError {
    let name = Self.name(text)
    let rest = name.drop { $0 != "." }
    let known = FilterFields.names + (profiles?.summaries.map { $0.id + rest } ?? [])
    return fail(at, "no such field", close: Spelling.nearest(to: name, among: known))
  }

  private mutating func add(_ operand: FilterOperand) -> Int32 {
    program.operands.append(operand)
    return Int32(program.operands.count - 1)
  }

  private mutating func constant(_ value: FilterValue, _ valueClass: FilterClass, _ type: FilterType) -> Int32 {
    let index = add(FilterOperand(kind: .constant, valueClass: valueClass, type: type))
    program.constants[index] = value
    return index
  }

  private static func valueClass(_ type: FilterType) -> FilterClass {
    switch type {
    case .none: .none
    case .string: .text
    case .protocol, .bytes, .ether: .bytes
    case .dynamic: .dynamic
    default: .number
    }
  }

  /// Compiles one side. `other` is the side it is compared with, which determines the type of a literal.
  private mutating func operand(_ term: FilterTerm, for other: FilterOperand?, contains: Bool = false) throws(FilterError) -> Int32 {
    switch term {
    case .word(let text, let at):
      if let index = FilterFields.byName[Self.name(text)] { return field(index) }
      if let number = profile(Self.name(text)) { return try message(Self.name(text), number, at) }
      guard let other else {
        // A word alone has to be a field; a word that starts with a digit cannot be one.
        if text.first?.isLetter == true || text.hasPrefix(".") { throw noField(text, at) }
        return constant(FilterValue(0), .number, .unsigned)
      }
      return try literal(text, at, other, contains)
    case .string(let bytes, let at): return try string(bytes, at, other)
    case .character(let byte, _):
      if other?.valueClass == .number { return constant(FilterValue(Int128(byte)), .number, .unsigned) }
      if other?.valueClass == .dynamic { return guess([byte], isQuoted: true) }
      return constant(program.keep([byte]), other?.valueClass ?? .bytes, .bytes)
    case .slice(let term, let parts, let at):
      let child = try operand(term, for: nil)
      let operand = program.operands[Int(child)]
      guard operand.valueClass == .bytes || operand.valueClass == .text || operand.valueClass == .dynamic, operand.kind != .constant else {
        throw fail(term.offset, "\(words(term)) has no bytes to take a part of")
      }
      _ = at
      let first = Int32(program.slices.count)
      program.slices += parts
      // A slice of a text is bytes, as in Wireshark.
      return add(
        FilterOperand(kind: .slice, a: child, first: first, last: Int32(program.slices.count), valueClass: .bytes, type: .bytes))
    case .layer(let term, let layers):
      let child = try operand(term, for: nil)
      guard program.operands[Int(child)].kind == .field else { throw fail(term.offset, "\(words(term)) is not a field") }
      // A packet has each protocol once: other layer numbers match nothing.
      if !layers.contains(where: { $0.holds(1, of: 1) }) {
        program.fields.append((program.fields[Int(program.operands[Int(child)].a)].field, 0, 0))
        program.operands[Int(child)].a = Int32(program.fields.count - 1)
      }
      return child
    case .call(let name, let arguments, let at): return try call(name, arguments, at)
    case .negative(let term, let at):
      let child = try operand(term, for: other ?? FilterOperand(kind: .constant, valueClass: .number, type: .signed))
      guard program.operands[Int(child)].valueClass == .number else { throw fail(at, "\(words(term)) is not a number") }
      return add(FilterOperand(kind: .negative, a: child, valueClass: .number, type: .signed))
    case .arithmetic(let operation, let left, let right, let at): return try arithmetic(operation, left, right, at, other)
    }
  }

  private mutating func arithmetic(
    _ operation: FilterArithmetic, _ left: FilterTerm, _ right: FilterTerm, _ at: Int, _ other: FilterOperand?
  ) throws(FilterError) -> Int32 {
    let number = FilterOperand(kind: .constant, valueClass: .number, type: .signed)
    let a = try operand(left, for: isLiteral(left) ? other ?? number : nil)
    let target = program.operands[Int(a)]
    let b = try operand(right, for: target.valueClass == .none ? number : target)
    let two = program.operands[Int(b)]
    guard target.valueClass == two.valueClass, target.valueClass == .number || (target.valueClass == .bytes && operation == .and) else {
      throw fail(at, "\(words(left)) and \(words(right)) cannot be computed with each other")
    }
    return add(
      FilterOperand(
        kind: .arithmetic, a: a, b: b, operation: operation, valueClass: target.valueClass,
        type: target.type == .bool ? .unsigned : target.type))
  }

  private mutating func call(_ name: String, _ arguments: [FilterTerm], _ at: Int) throws(FilterError) -> Int32 {
    let kinds: [String: FilterOperand.Kind] = [
      "len": .length, "count": .count, "upper": .upper, "lower": .lower, "string": .text, "max": .maximum, "min": .minimum,
      "abs": .absolute,
    ]
    guard let kind = kinds[name] else {
      throw fail(at, "no such function", close: Spelling.nearest(to: name, among: kinds.keys.sorted()))
    }
    guard let argument = arguments.first, arguments.count == 1 || kind == .maximum || kind == .minimum else {
      throw fail(at, "\(name)() wants one field,")
    }
    let child = try operand(argument, for: nil)
    let target = program.operands[Int(child)]
    guard target.kind != .constant else { throw fail(argument.offset, "\(name)() wants a field,") }
    var result = FilterOperand(kind: kind, a: child)
    switch kind {
    case .length:
      guard target.valueClass != .none else { throw fail(argument.offset, "\(words(argument)) has no length") }
      result.width = target.width
    case .count: break
    case .upper, .lower:
      guard target.valueClass == .text else { throw fail(argument.offset, "\(words(argument)) is not a text") }
      (result.valueClass, result.type) = (.text, .string)
    case .text:
      guard target.valueClass != .none, target.type != .protocol else {
        throw fail(argument.offset, "\(words(argument)) cannot be written as text")
      }
      (result.valueClass, result.type) = (.text, .string)
    default:
      guard target.valueClass == .number else { throw fail(argument.offset, "\(words(argument)) is not a number") }
      result.type = target.type == .bool || target.type == .unsigned ? .signed : target.type
      for other in arguments.dropFirst() {
        result.b = try operand(other, for: target)
        guard program.operands[Int(result.b)].valueClass == .number else { throw fail(other.offset, "\(words(other)) is not a number") }
        if other.offset != arguments.last?.offset { result = FilterOperand(kind: kind, a: add(result), type: result.type) }
      }
    }
    return add(result)
  }

  private mutating func field(_ index: Int) -> Int32 {
    let field = FilterFields.field(index)
    let use: Int32
    if let known = fieldIndex[index] {
      use = known
    } else {
      let first = program.locations.count
      program.locations += field.locations
      program.fields.append((field, first, program.locations.count))
      if program.meshKeys == nil, FilterFields.isOfMesh(index) { program.meshKeys = MeshKeys(profiles) }
      use = Int32(program.fields.count - 1)
      fieldIndex[index] = use
    }
    return add(
      FilterOperand(
        kind: .field, a: use, valueClass: Self.valueClass(field.type), type: field.type, width: field.width,
        isHexadecimal: field.isHexadecimal))
  }

  /// A field of a profile's messages, `gopro.status`, or the profile alone.
  private mutating func message(_ name: String, _ number: Int, _ at: Int) throws(FilterError) -> Int32 {
    program.usesMessages = true
    if let known = messageIndex[name] { return operand(message: known) }
    var parts = name.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
    if parts.contains("") { throw fail(at, "no such field") }
    // An alias is replaced by the profile's id, which messages have.
    if let known = try? profiles?.profile(number) { parts[0] = known.id }
    if parts.count > 1, let last = parts.last {
      let names: Set<String>?
      do {
        names = try profiles?.profile(number).fieldNames
      } catch {
        throw fail(at, "the profile \(parts[0]) has a mistake: btscribe profiles check; used")
      }
      // Protobuf fields without a name in the profile are named by their number.
      let isNumber = last.utf8.allSatisfy { (48...57).contains($0) }
      if let names, !isNumber, !names.contains(last), !Self.messageFields.contains(last) || parts.count > 2 {
        let close = Spelling.nearest(to: last, among: names.sorted() + Self.messageFields)
        throw fail(at, "the profile \(parts[0]) has no field \(last), asked for", close: close.map { "\(parts[0]).\($0)" })
      }
    }
    var location = FieldLocation()
    location.kind = .message
    location.names = program.keep(parts)
    let first = program.locations.count
    program.locations.append(location)
    var field = FilterField()
    field.type = parts.count == 1 ? .protocol : .dynamic
    field.name = location.names[0]
    program.fields.append((field, first, first + 1))
    let use = Int32(program.fields.count - 1)
    messageIndex[name] = use
    return operand(message: use)
  }

  private mutating func operand(message use: Int32) -> Int32 {
    let type = program.fields[Int(use)].field.type
    return add(FilterOperand(kind: .field, a: use, valueClass: Self.valueClass(type), type: type))
  }

  /// The fields that every message has besides those of its body.
  static let messageFields = ["message", "characteristic", "complete", "checksum", "payload"]

  /// Throws if no message can have the compared message name, characteristic or checksum state.
  private func check(_ field: FilterTerm, _ value: FilterTerm) throws(FilterError) {
    guard case .word(let text, _) = field, let number = profile(Self.name(text)) else { return }
    let parts = Self.name(text).split(separator: ".").map(String.init)
    guard parts.count == 2, let profile = try? profiles?.profile(number), let names = profile.fieldNames, !names.contains(parts[1]) else {
      return
    }
    let word: String
    switch value {
    case .word(let text, _): word = text
    case .string(let bytes, _): word = String(decoding: bytes, as: UTF8.self)
    default: return
    }
    let known: [String]
    switch parts[1] {
    case "message": known = profile.messageNames
    case "characteristic": known = profile.sourceNames
    case "checksum": known = ["ok", "bad"]
    default: return
    }
    guard !known.contains(word) else { return }
    throw fail(
      value.offset, "\(word) is no \(parts[1]) of the profile \(parts[0]), asked for", close: Spelling.nearest(to: word, among: known))
  }

  /// A literal that is compared with a message field of any type.
  private mutating func guess(_ text: [UInt8], isQuoted: Bool) -> Int32 {
    let index = constant(program.keep(text), .dynamic, .dynamic)
    var guess = unsafe FilterGuess(text: program.constants[index] ?? FilterValue(nil, 0))
    if !isQuoted {
      let word = String(decoding: text, as: UTF8.self)
      guess.number = FilterLiteral.integer(word).map { $0 * 1_000_000_000 } ?? FilterLiteral.decimal(word)
      if let truth = ["true": 1, "false": 0][word.lowercased()] { guess.number = Int128(truth) * 1_000_000_000 }
      guess.bytes = FilterLiteral.bytes(word.hasPrefix(":") ? String(word.dropFirst()) : word).map { program.keep($0) }
    }
    program.guesses[index] = guess
    return index
  }

  // MARK: Literals

  private mutating func string(_ bytes: [UInt8], _ at: Int, _ other: FilterOperand?) throws(FilterError) -> Int32 {
    if other?.valueClass == .dynamic { return guess(bytes, isQuoted: true) }
    guard let other, other.valueClass == .number else {
      if other?.type == .ether { throw fail(at, "an address stands without quotes, as c0:ff:ee:00:00:01 does,") }
      return constant(program.keep(bytes), other?.valueClass ?? .text, .string)
    }
    let text = String(decoding: bytes, as: UTF8.self)
    if other.type == .absoluteTime || other.type == .relativeTime || other.type == .double { return try literal(text, at, other, false) }
    if other.type == .bool, let value = ["true": 1, "false": 0][text.lowercased()] {
      return constant(FilterValue(Int128(value)), .number, .bool)
    }
    if let value = named(text, other) { return constant(FilterValue(Int128(value)), .number, other.type) }
    throw fail(at, "\"\(text)\" is none of the values of \(fieldName(other))", close: similar(text, other))
  }

  private func fieldName(_ operand: FilterOperand) -> String {
    operand.kind == .field ? program.fields[Int(operand.a)].field.name.description : "the number"
  }

  private func enumeration(_ operand: FilterOperand) -> StaticName {
    operand.kind == .field ? program.fields[Int(operand.a)].field.enumeration : .empty
  }

  /// All values of an enumeration of the layouts.
  private static func names(_ enumeration: StaticName) -> [(UInt64, StaticName)] {
    func rows(_ table: PDUTable) -> [(UInt64, StaticName)] { table.rows.map { (UInt64($0.code), $0.name) } }
    switch enumeration {
    case "": return []
    case "opcode": return rows(HCI.commands) + rows(Vendor.commands)
    case "event": return rows(HCI.events)
    case "le-subevent": return rows(HCI.leEvents)
    case "att-opcode": return rows(ATT.pdus)
    case "smp": return rows(SMP.pdus)
    case "signaling": return rows(L2CAP.signaling)
    case "ad-type": return rows(AdvertisingData.structures)
    default:
      guard let table = Enumeration.named(enumeration) else { return [] }
      // Names of other tables are those of 16-bit numbers.
      if table.kind == .values || table.kind == .special { return table.names.map { ($0.value, $0.name) } }
      return (0...UInt64(UInt16.max)).compactMap { value in table.name(of: value).map { (value, $0) } }
    }
  }

  /// The value with a name; case is ignored.
  private func named(_ text: String, _ operand: FilterOperand) -> UInt64? {
    let wanted = text.lowercased()
    return Self.names(enumeration(operand)).first { $0.1.description.lowercased() == wanted }?.0
  }

  private func similar(_ text: String, _ operand: FilterOperand) -> [String] {
    Spelling.nearest(to: text, among: Self.names(enumeration(operand)).map(\.1.description))
  }

  /// An unquoted value, whose type depends on the other operand.
  private mutating func literal(_ text: String, _ at: Int, _ other: FilterOperand, _ contains: Bool) throws(FilterError) -> Int32 {
    let value = text.hasPrefix(":") && text.count > 1 ? String(text.dropFirst()) : text
    switch other.type {
    case .string: return constant(program.keep(Array(text.utf8)), .text, .string)
    case .bytes, .protocol:
      if let bytes = FilterLiteral.bytes(value) { return constant(program.keep(bytes), .bytes, .bytes) }
      if other.type == .protocol { return constant(program.keep(Array(text.utf8)), .bytes, .bytes) }
      if text.first?.isLetter == true, text.contains(".") { throw noField(text, at) }
      throw fail(at, "\(text) is not a byte string such as 03:5b or 035b")
    case .ether:
      guard let bytes = FilterLiteral.bytes(value) else { throw fail(at, "\(text) is not an address such as c0:ff:ee:00:00:01") }
      if !contains, bytes.count != 6 { throw fail(at, "\(text) has \(bytes.count) bytes, an address has 6,") }
      return constant(program.keep(bytes), .bytes, .ether)
    case .bool:
      if let value = ["true": 1, "false": 0][text.lowercased()] { return constant(FilterValue(Int128(value)), .number, .bool) }
      guard let number = FilterLiteral.integer(value) else { throw fail(at, "\(text) is neither true nor false, 1 nor 0,") }
      return constant(FilterValue(number == 0 ? 0 : 1), .number, .bool)
    case .absoluteTime:
      guard let time = FilterLiteral.date(value) else { throw fail(at, "\(text) is not a time such as \"2026-11-20 09:30:01.5\"") }
      return constant(FilterValue(time), .number, .absoluteTime)
    case .relativeTime, .double:
      guard let seconds = FilterLiteral.decimal(value) else {
        throw fail(at, "\(text) is not a number of \(other.type == .double ? "milliseconds" : "seconds"),")
      }
      return constant(FilterValue(seconds), .number, other.type)
    case .dynamic: return guess(Array(text.utf8), isQuoted: false)
    case .none, .unsigned, .signed: return try number(text, value, at, other)
    }
  }

  private mutating func number(_ text: String, _ value: String, _ at: Int, _ other: FilterOperand) throws(FilterError) -> Int32 {
    guard let number = FilterLiteral.integer(value) else {
      if let value = named(text, other) { return constant(FilterValue(Int128(value)), .number, other.type) }
      if text.first?.isLetter == true, text.contains(".") { throw noField(text, at) }
      let close = text.first?.isLetter == true ? similar(text, other) : []
      throw fail(at, "\(text) is not a number", close: close)
    }
    if other.kind == .field, other.width > 0, other.width < 8 {
      let top = Int128(1) << Int128(other.width * 8)
      let fits = other.type == .signed ? number >= -top / 2 && number < top / 2 : number < top
      guard fits else { throw fail(at, "\(text) does not fit into \(fieldName(other)), which has \(other.width * 8) bits,") }
    }
    return constant(FilterValue(number), .number, other.type)
  }
}
