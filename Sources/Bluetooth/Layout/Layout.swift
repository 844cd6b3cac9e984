// Layouts are written in a small language, compiled once when a table is first used.
//
//   connection_handle:u16{handle}     unsigned, 1 to 8 bytes, least significant first; `be` after the width: most significant;
//                                     `x16` shows in hex; `i8` is signed; `bool` is one byte
//   interval:u16*1.25ms<6..3200>      raw value times 1.25, in ms, raw values allowed from 6 to 3200; `i8*dBm` has only a unit
//   status:u8{status}                 names of values, or of bits, from the enumeration `status`
//   peer_address:addr(address_type)   six bytes, with the type in another field; plain `addr` is a public address, `raddr` a random
//                                     one, `uaddr` one of unknown type
//   uuid:uuid16 uuid128 uuid* uuid(n) UUIDs; `uuid16be`, `uuidbe(n)` most significant byte first
//   data:b16 data:b* data:b(length-2) bytes: fixed, to the end, with a length from an earlier field; `text…` likewise, up to a NUL
//   key:b16!                          a secret
//   flags:bits8(a:1 b{names}:2 -:5)   bit fields of an integer from its least significant bit, as an object. `:bits16(…)`, without a name, adds
//                                     them to the surrounding object. `-` is reserved
//   -:b2                              reserved bytes
//   list[count]:(a:u8 b:u16)          `count` objects; `[*]` to the end; `[#mask]` as many as `mask` has bits; `[count]:u16` plain values
//   list[*]<length>:(…)               each element is `length` bytes long
//   body<length>:(…)                  an object that is `length` bytes long
//   ?status==0(…)                     only if this holds; also != < >= and & (any of these bits). `?+2(…)`: only if at least two
//                                     bytes remain, `?=2(…)`: exactly two
//   @other                            the items of the named layout `other` (a heading `@other` in the same table)
//   data:ad* data:ad(length)          advertising data structures
//
// Counts and lengths may be followed by *n, /n, +n, -n, in this order; `*` alone is all remaining bytes, `*-4` all but the last four, `*/2` half of
// them.

/// The fields of a PDU's parameters: a part of a compiled table. Copying it costs nothing.
public struct Layout: Sendable {
  @usableFromInline let first: LayoutStep?
  @usableFromInline let count: Int

  @usableFromInline init(first: LayoutStep?, count: Int) {
    self.first = first
    self.count = count
  }

  /// The layout without fields.
  public static let none = Layout(first: nil, count: 0)

  /// The layout has no fields.
  @inlinable
  public var isEmpty: Bool { count == 0 }

  /// Offset of a field of the outermost level in bytes; nil where there is none with this name, it is a list, or the fields before it vary in length.
  public func offset(of name: StaticName) -> Int? {
    var offset = 0
    var step = 0
    while step < count, let op = first.map({ ($0 + step).pointee }) {
      step += 1
      // Fields that a failed command may omit have fixed offsets otherwise.
      if op.kind == .condition, op.comparison == .zeroOrMore { continue }
      if op.field.name == name { return op.kind == .array ? nil : offset }
      switch op.kind {
      case .unsigned, .signed, .bool: offset += Int(op.field.width)
      case .address: offset += 6
      default: return nil
      }
    }
    return nil
  }

  /// All fields of the layout, including nested ones, in order. Objects and arrays come before their parts.
  public var fields: [Field] {
    var result: [Field] = []
    for i in 0..<count {
      guard let op = first.map({ $0 + i }), op.pointee.kind != .condition, !op.field.name.isEmpty else { continue }
      result.append(op.field)
    }
    return result
  }
}

/// The name and the format of a field, without its value. It is a pointer into a compiled table, so that copying it is cheap.
@safe public struct Field: @unchecked Sendable {
  @usableFromInline let facts: UnsafePointer<FieldFacts>
  /// Number of bytes in the PDU; 0 where it varies. For bits: of the integer that holds them.
  public var width: UInt8

  /// The field of a compiled step, which is never freed.
  @inlinable @inline(__always)
  init(_ facts: UnsafePointer<FieldFacts>) {
    unsafe self.facts = unsafe facts
    width = unsafe facts.pointee.width
  }

  /// A field without a name.
  public init() { unsafe self.init(Self.nameless) }

  private nonisolated(unsafe) static let nameless: UnsafePointer<FieldFacts> = {
    let facts = UnsafeMutablePointer<FieldFacts>.allocate(capacity: 1)
    unsafe facts.initialize(to: FieldFacts())
    return unsafe UnsafePointer(facts)
  }()

  /// Name in lower_snake_case, as the Core Specification names the parameter.
  @inlinable public var name: StaticName { unsafe facts.pointee.name }
  /// The name as a key of a JSON object, with the comma before and the colon after it; 15 further bytes after it can be read. Empty where there is no
  /// name.
  @inlinable public var key: StaticName { unsafe facts.pointee.key }
  /// Unit of the scaled value (`ms`, `dBm`), or empty.
  @inlinable public var unit: StaticName { unsafe facts.pointee.unit }
  /// Names of values or bits.
  @inlinable public var enumeration: Enumeration? { unsafe facts.pointee.enumeration }
  /// Values that the specification allows (raw); other values are reported as a problem.
  @inlinable public var range: ClosedRange<Int64>? { unsafe facts.pointee.range }
  /// The scaled value is `raw * multiplier / 10^decimals`.
  @inlinable public var multiplier: Int64 { unsafe facts.pointee.multiplier }
  /// See ``multiplier``.
  @inlinable public var decimals: UInt8 { unsafe facts.pointee.decimals }
  /// For bits: number of the lowest bit, counted from the least significant bit of the integer.
  @inlinable public var bitOffset: UInt8 { unsafe facts.pointee.bitOffset }
  /// For bits: number of bits; 0 for complete bytes.
  @inlinable public var bitCount: UInt8 { unsafe facts.pointee.bitCount }
  /// It is shown in hex (`0x0040`), padded to its width.
  @inlinable public var isHexadecimal: Bool { unsafe facts.pointee.isHexadecimal }
  /// It is a key, a PIN or the like, which redaction removes.
  @inlinable public var isSecret: Bool { unsafe facts.pointee.isSecret }
  /// It is reserved; printers leave it out.
  @inlinable public var isReserved: Bool { unsafe facts.pointee.isReserved }

  /// The name of a value, where its enumeration has one.
  @inlinable
  public func name(of value: UInt64) -> StaticName? {
    guard let enumeration else { return nil }
    return enumeration.name(of: value)
  }

  /// The name of a signed value, if its enumeration has one for the transmitted bits (`0x7f`, `0xc000`).
  @inlinable
  public func name(ofSigned value: Int64) -> StaticName? {
    guard let enumeration, width < 8 else { return nil }
    return enumeration.name(of: UInt64(bitPattern: value) & ((1 &<< (UInt64(width) &* 8)) &- 1))
  }

  /// The raw value times the scale exactly, as an integer to be divided by `10^decimals`; overflow wraps.
  @inlinable
  public func scaled(_ raw: Int64) -> Int64 { raw &* multiplier }

  /// Appends the scaled value in decimal, with as many decimals as it needs: `7.5`, `-61`.
  public func writeScaled(_ raw: Int64, to buffer: inout [UInt8]) {
    let value = scaled(raw)
    if value < 0 { buffer.append(UInt8(ascii: "-")) }
    var rest = value.magnitude
    var digits = 0
    var fraction = Int(decimals)
    while fraction > 0, rest % 10 == 0 {
      rest /= 10
      fraction &-= 1
    }
    let start = buffer.count
    repeat {
      buffer.append(UInt8(truncatingIfNeeded: rest % 10) &+ 48)
      rest /= 10
      digits &+= 1
      if digits == fraction { buffer.append(UInt8(ascii: ".")) }
    } while rest > 0 || digits <= fraction
    buffer[start...].reverse()
  }
}

/// An entry of the compiled table that ``Field`` points to.
@usableFromInline struct FieldFacts {
  @usableFromInline var name: StaticName = .empty
  @usableFromInline var key: StaticName = .empty
  @usableFromInline var unit: StaticName = .empty
  @usableFromInline var enumeration: Enumeration?
  @usableFromInline var range: ClosedRange<Int64>?
  @usableFromInline var multiplier: Int64 = 1
  @usableFromInline var decimals: UInt8 = 0
  @usableFromInline var width: UInt8 = 0
  @usableFromInline var bitOffset: UInt8 = 0
  @usableFromInline var bitCount: UInt8 = 0
  @usableFromInline var isHexadecimal: Bool = false
  @usableFromInline var isSecret: Bool = false
  @usableFromInline var isReserved: Bool = false
}

extension [LayoutOp] {
  /// Makes the keys of all fields from their names, in memory that is never freed.
  mutating func makeKeys() {
    let room = reduce(15) { $0 + $1.field.name.count + 4 }
    let memory = UnsafeMutablePointer<UInt8>.allocate(capacity: room)
    unsafe memory.initialize(repeating: 0, count: room)
    var end = unsafe memory
    for index in indices where !self[index].field.name.isEmpty {
      let name = self[index].field.name
      unsafe end[0] = UInt8(ascii: ",")
      unsafe end[1] = UInt8(ascii: "\"")
      unsafe (end + 2).update(from: name.start, count: name.count)
      unsafe end[name.count + 2] = UInt8(ascii: "\"")
      unsafe end[name.count + 3] = UInt8(ascii: ":")
      self[index].field.key = unsafe StaticName(start: end, count: name.count + 4)
      unsafe end += name.count + 4
    }
  }
}

/// A count, length or condition that depends on earlier fields.
@usableFromInline struct LayoutExpression {
  /// The value of a slot; -1 for none (then only `add` counts), -2 for all remaining bytes.
  @usableFromInline var slot: Int8 = -1
  @usableFromInline var countsBits = false
  @usableFromInline var multiply: Int16 = 1
  @usableFromInline var divide: Int16 = 1
  @usableFromInline var add: Int32 = 0

  @usableFromInline static let rest: Int8 = -2
}

@usableFromInline enum LayoutComparison: UInt8 {
  case equal, notEqual, less, atLeast, anyBit, remaining, remainingExactly
  /// The value is zero, or bytes remain: return parameters after a status, which a failed command may omit.
  case zeroOrMore
}

@usableFromInline enum LayoutOpKind: UInt8 {
  case unsigned, signed, bool, address, uuid, bytes, text, object, array, bits, bitField, condition, advertising
}

/// One step of a compiled layout. The `body` following steps belong to it.
@usableFromInline struct LayoutOp {
  /// The first member, so that its address is that of the step.
  @usableFromInline var field = FieldFacts()
  @usableFromInline var kind: LayoutOpKind
  @usableFromInline var isBigEndian = false
  /// Slot that stores the value for later expressions; -1 for none.
  @usableFromInline var slot: Int8 = -1
  /// Slot with the type of an address; -1 where it is always `addressKind`.
  @usableFromInline var typeSlot: Int8 = -1
  @usableFromInline var addressKind = DeviceAddress.Kind.public
  @usableFromInline var comparison: LayoutComparison = .equal
  @usableFromInline var conditionSlot: Int8 = -1
  @usableFromInline var conditionValue: Int64 = 0
  /// Length in bytes; for arrays the count.
  @usableFromInline var size = LayoutExpression()
  /// Length in bytes of an element, or an object; meaningful where `isSized`.
  @usableFromInline var elementSize = LayoutExpression()
  @usableFromInline var isSized = false
  @usableFromInline var body: Int32 = 0

  @usableFromInline init(_ kind: LayoutOpKind) { self.kind = kind }
}

/// A step of a compiled table, which is never freed; the following steps, up to the layout's count, are reached by `+`.
@safe @usableFromInline struct LayoutStep: @unchecked Sendable {
  @usableFromInline let pointer: UnsafePointer<LayoutOp>

  @usableFromInline init(_ pointer: UnsafePointer<LayoutOp>) { unsafe self.pointer = pointer }

  @inlinable
  var pointee: LayoutOp {
    unsafeAddress { unsafe pointer }
  }

  /// The field of the step.
  @inlinable
  var field: Field {
    @inline(__always) get { unsafe Field(UnsafeRawPointer(pointer).assumingMemoryBound(to: FieldFacts.self)) }
  }

  @inlinable
  static func + (step: LayoutStep, count: Int) -> LayoutStep { unsafe LayoutStep(step.pointer + count) }
}

/// Reads words and numbers from a literal, line by line.
struct LayoutScanner {
  let text: StaticTable<UInt8>
  var at = 0

  init(_ text: StaticString) { self.text = StaticTable(text) }

  var atEnd: Bool { at >= text.count }
  var peek: UInt8 { at < text.count ? text[at] : 10 }
  var atLineEnd: Bool { peek == 10 }
  var column: Int {
    var start = at
    while start > 0, text[start - 1] != 10 { start -= 1 }
    return at - start
  }

  mutating func skipSpaces() { while peek == 32 { at += 1 } }
  mutating func skipWhite() { while !atEnd, peek == 32 || peek == 10 { at += 1 } }
  mutating func skipLine() {
    while !atEnd, peek != 10 { at += 1 }
    at += 1
  }
  mutating func accept(_ byte: Unicode.Scalar) -> Bool {
    guard peek == UInt8(ascii: byte), !atEnd else { return false }
    at += 1
    return true
  }
  private func slice(_ start: Int) -> StaticName { text.name(start..<at) }
  /// Everything up to a space or the end of the line, after spaces.
  mutating func word() -> StaticName {
    skipSpaces()
    let start = at
    while !atEnd, peek != 32, peek != 10 { at += 1 }
    return slice(start)
  }
  mutating func restOfLine() -> StaticName {
    let start = at
    while !atEnd, peek != 10 { at += 1 }
    return slice(start)
  }
  /// Letters, digits, `_`, `-` and `.` inside where allowed, `%` and `µ`'s bytes.
  mutating func identifier(dashes: Bool = false, dots: Bool = false) -> StaticName {
    let start = at
    while !atEnd {
      switch peek {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "0")...UInt8(ascii: "9"),
        UInt8(ascii: "_"), UInt8(ascii: "%"), 0x80...0xFF:
        at += 1
      case UInt8(ascii: "-") where dashes, UInt8(ascii: ".") where dots: at += 1
      default: return slice(start)
      }
    }
    return slice(start)
  }
  /// Digits, or `0x` and hex digits, with an optional sign.
  mutating func number() -> Int64? {
    let start = at
    if peek == UInt8(ascii: "-") { at += 1 }
    _ = identifier()
    let value = Self.number(slice(start))
    if value == nil { at = start }
    return value
  }

  static func number(_ word: StaticName) -> Int64? {
    var digits = unsafe Array(word.utf8)[...]
    let negative = digits.first == UInt8(ascii: "-")
    if negative { digits = digits.dropFirst() }
    var radix: Int64 = 10
    if digits.starts(with: [UInt8(ascii: "0"), UInt8(ascii: "x")]) {
      digits = digits.dropFirst(2)
      radix = 16
    }
    guard !digits.isEmpty else { return nil }
    var value: Int64 = 0
    for byte in digits {
      let digit: Int64
      switch byte {
      case UInt8(ascii: "0")...UInt8(ascii: "9"): digit = Int64(byte) - 48
      case UInt8(ascii: "a")...UInt8(ascii: "f") where radix == 16: digit = Int64(byte) - 87
      case UInt8(ascii: "A")...UInt8(ascii: "F") where radix == 16: digit = Int64(byte) - 55
      default: return nil
      }
      value = value &* radix &+ digit
    }
    return negative ? -value : value
  }
}

/// Compiles the items of one layout.
struct LayoutCompiler {
  var ops: [LayoutOp] = []
  var slots: Int8 = 0
  var problems: [String] = []
  /// Layouts by name that `@name` includes.
  var named: [StaticName: (ops: [LayoutOp], slots: Int8)] = [:]

  /// Most values that a layout may refer to.
  static let maximumSlots: Int8 = 12

  /// Removes the last layout's steps, but not the named ones.
  mutating func begin() {
    ops.removeAll(keepingCapacity: true)
    slots = 0
  }

  private mutating func fail(_ scanner: LayoutScanner, _ what: String) {
    let end = min(scanner.text.count, scanner.at + 30)
    problems.append("\(what) before '\(String(decoding: scanner.text[min(scanner.at, end)..<end], as: UTF8.self))'")
  }

  /// Reads items up to `)` or to a line that starts at column 0 or 1, or with `=`.
  mutating func items(_ scanner: inout LayoutScanner, nested: Bool) {
    while true {
      scanner.skipWhite()
      if scanner.atEnd || scanner.peek == UInt8(ascii: ")") || (!nested && (scanner.column < 2 || scanner.peek == UInt8(ascii: "="))) {
        return
      }
      let problemsBefore = problems.count
      item(&scanner)
      if problems.count > problemsBefore {
        scanner.at = scanner.text.count
        return
      }
    }
  }

  /// Makes all fields after a leading status depend on success, or on being present.
  mutating func dependOnStatus() {
    guard ops.count > 1, ops[0].kind == .unsigned, ops[0].field.name == "status" else { return }
    if ops[0].slot < 0 {
      ops[0].slot = slots
      slots += 1
    }
    var condition = LayoutOp(.condition)
    condition.comparison = .zeroOrMore
    condition.conditionSlot = ops[0].slot
    condition.body = Int32(ops.count - 1)
    ops.insert(condition, at: 1)
  }

  private mutating func group(_ scanner: inout LayoutScanner, of parent: Int) {
    items(&scanner, nested: true)
    if !scanner.accept(")") { fail(scanner, "no closing parenthesis") }
    ops[parent].body = Int32(ops.count - parent - 1)
  }

  private mutating func item(_ scanner: inout LayoutScanner) {
    if scanner.accept("?") { return condition(&scanner) }
    if scanner.accept("@") { return include(&scanner) }
    let name: StaticName
    if scanner.accept("-") { name = "reserved" } else { name = scanner.identifier(dots: true) }
    let isReserved = name == "reserved"
    var arrayIndex: Int?
    var sized: LayoutExpression?
    if scanner.accept("[") {
      var op = LayoutOp(.array)
      op.field.name = name
      op.size = expression(&scanner)
      if !scanner.accept("]") { fail(scanner, "no ]") }
      arrayIndex = ops.count
      ops.append(op)
    }
    if scanner.accept("<") {
      sized = expression(&scanner)
      if !scanner.accept(">") { fail(scanner, "no >") }
    }
    if !scanner.accept(":") { return fail(scanner, "no colon") }
    if let arrayIndex, let sized {
      ops[arrayIndex].elementSize = sized
      ops[arrayIndex].isSized = true
    }
    if scanner.accept("(") {
      var op = LayoutOp(.object)
      op.field.name = name
      if arrayIndex == nil, let sized {
        op.elementSize = sized
        op.isSized = true
      }
      ops.append(op)
      group(&scanner, of: ops.count - 1)
    } else if scanner.accept("@") {
      var op = LayoutOp(.object)
      op.field.name = name
      if arrayIndex == nil, let sized {
        op.elementSize = sized
        op.isSized = true
      }
      let index = ops.count
      ops.append(op)
      include(&scanner)
      ops[index].body = Int32(ops.count - index - 1)
    } else {
      scalar(&scanner, name, isReserved)
    }
    if let arrayIndex { ops[arrayIndex].body = Int32(ops.count - arrayIndex - 1) }
  }

  private mutating func include(_ scanner: inout LayoutScanner) {
    let name = scanner.identifier(dashes: true)
    guard let layout = named[name] else { return fail(scanner, "no layout \(name)") }
    let shift = slots
    for var op in layout.ops {
      if op.slot >= 0 { op.slot += shift }
      if op.typeSlot >= 0 { op.typeSlot += shift }
      if op.conditionSlot >= 0 { op.conditionSlot += shift }
      if op.size.slot >= 0 { op.size.slot += shift }
      if op.elementSize.slot >= 0 { op.elementSize.slot += shift }
      ops.append(op)
    }
    slots += layout.slots
    if slots > Self.maximumSlots { fail(scanner, "too many references") }
  }

  private mutating func condition(_ scanner: inout LayoutScanner) {
    var op = LayoutOp(.condition)
    if scanner.accept("+") {
      op.comparison = .remaining
    } else if scanner.accept("=") {
      op.comparison = .remainingExactly
    } else {
      op.conditionSlot = reference(&scanner, scanner.identifier())
      if scanner.accept("=") {
        op.comparison = .equal
        if !scanner.accept("=") { fail(scanner, "no ==") }
      } else if scanner.accept("!") {
        op.comparison = .notEqual
        if !scanner.accept("=") { fail(scanner, "no !=") }
      } else if scanner.accept("<") {
        op.comparison = .less
      } else if scanner.accept(">") {
        op.comparison = .atLeast
        if !scanner.accept("=") { fail(scanner, "no >=") }
      } else if scanner.accept("&") {
        op.comparison = .anyBit
      } else {
        fail(scanner, "no comparison")
      }
    }
    guard let value = scanner.number() else { return fail(scanner, "no number") }
    op.conditionValue = value
    if !scanner.accept("(") { return fail(scanner, "no opening parenthesis") }
    ops.append(op)
    group(&scanner, of: ops.count - 1)
  }

  /// The slot of the last field named `name`.
  private mutating func reference(_ scanner: inout LayoutScanner, _ name: StaticName) -> Int8 {
    for i in ops.indices.reversed() where ops[i].field.name == name {
      switch ops[i].kind {
      case .unsigned, .signed, .bool, .bits, .bitField:
        if ops[i].slot < 0 {
          ops[i].slot = slots
          slots += 1
          if slots > Self.maximumSlots { fail(scanner, "too many references") }
        }
        return ops[i].slot
      default: continue
      }
    }
    fail(scanner, "no field \(name)")
    return -1
  }

  /// `*`, a number, a field's name, `#` and a name; then `*n`, `/n`, `+n`, `-n`.
  private mutating func expression(_ scanner: inout LayoutScanner) -> LayoutExpression {
    var result = LayoutExpression()
    if scanner.accept("*") {
      result.slot = LayoutExpression.rest
      if scanner.accept("/"), let number = scanner.number(), number > 0 { result.divide = Int16(truncatingIfNeeded: number) }
      if let number = scanner.number() { result.add = Int32(truncatingIfNeeded: number) }
      return result
    }
    result.countsBits = scanner.accept("#")
    if let number = scanner.number() {
      result.add = Int32(truncatingIfNeeded: number)
      return result
    }
    result.slot = reference(&scanner, scanner.identifier())
    if scanner.accept("*"), let number = scanner.number() { result.multiply = Int16(truncatingIfNeeded: number) }
    if scanner.accept("/"), let number = scanner.number(), number > 0 { result.divide = Int16(truncatingIfNeeded: number) }
    if scanner.accept("+"), let number = scanner.number() { result.add = Int32(truncatingIfNeeded: number) }
    if scanner.peek == UInt8(ascii: "-"), let number = scanner.number() { result.add = Int32(truncatingIfNeeded: number) }
    return result
  }

  /// The length after `b`, `text`, `uuid`, `ad`: `*`, digits (already read as part of the type), or an expression in parentheses.
  private mutating func length(_ scanner: inout LayoutScanner, _ digits: Int64?) -> LayoutExpression {
    var result = LayoutExpression()
    if let digits {
      result.add = Int32(truncatingIfNeeded: digits)
    } else if scanner.accept("*") {
      result.slot = LayoutExpression.rest
    } else if scanner.accept("(") {
      result = expression(&scanner)
      if !scanner.accept(")") { fail(scanner, "no closing parenthesis") }
    } else {
      fail(scanner, "no length")
    }
    return result
  }

  private mutating func scalar(_ scanner: inout LayoutScanner, _ name: StaticName, _ isReserved: Bool) {
    let type = scanner.identifier().description
    let isDigit = { (byte: UInt8) in (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) }
    let word = type.utf8.prefix { !isDigit($0) }
    let letters = Substring(word)
    let tail = type.utf8[word.endIndex...]
    let digits = Int64(Substring(tail.prefix(while: isDigit)))
    let endsBigEndian = tail.suffix(2).elementsEqual("be".utf8)
    var op: LayoutOp
    switch letters {
    case "u", "x", "i":
      op = LayoutOp(letters == "i" ? .signed : .unsigned)
      guard let digits, digits % 8 == 0, (8...64).contains(digits) else { return fail(scanner, "no width") }
      op.field.width = UInt8(digits / 8)
      op.field.isHexadecimal = letters == "x"
      op.isBigEndian = endsBigEndian
    case "bool":
      op = LayoutOp(.bool)
      op.field.width = 1
    case "addr", "raddr", "uaddr":
      op = LayoutOp(.address)
      op.addressKind = letters == "addr" ? .public : letters == "raddr" ? .random : .unknown
      op.field.width = 6
      if scanner.accept("(") {
        op.typeSlot = reference(&scanner, scanner.identifier())
        if !scanner.accept(")") { fail(scanner, "no closing parenthesis") }
      }
    case "uuid", "uuidbe":
      op = LayoutOp(.uuid)
      op.size = length(&scanner, digits.map { $0 / 8 })
      op.isBigEndian = endsBigEndian || letters == "uuidbe"
      op.field.width = UInt8(truncatingIfNeeded: (digits ?? 0) / 8)
    case "b":
      op = LayoutOp(.bytes)
      op.size = length(&scanner, digits)
      op.field.width = UInt8(truncatingIfNeeded: digits ?? 0)
    case "text":
      op = LayoutOp(.text)
      op.size = length(&scanner, digits)
      op.field.width = UInt8(truncatingIfNeeded: digits ?? 0)
    case "ad":
      op = LayoutOp(.advertising)
      op.size = length(&scanner, digits)
    case "bits":
      op = LayoutOp(.bits)
      guard let digits, digits % 8 == 0, (8...64).contains(digits) else { return fail(scanner, "no width") }
      op.field.width = UInt8(digits / 8)
      op.isBigEndian = endsBigEndian
      op.field.name = name
      ops.append(op)
      if !scanner.accept("(") { return fail(scanner, "no bits") }
      return bits(&scanner, ops.count - 1)
    default: return fail(scanner, "no type '\(type)'")
    }
    op.field.name = name
    op.field.isReserved = isReserved
    modifiers(&scanner, &op)
    ops.append(op)
  }

  private mutating func modifiers(_ scanner: inout LayoutScanner, _ op: inout LayoutOp) {
    while true {
      if scanner.accept("{") {
        let name = scanner.identifier(dashes: true)
        if name == "handle" {
          op.field.isHexadecimal = true
        } else if let enumeration = Enumeration.named(name) {
          op.field.enumeration = enumeration
        } else {
          fail(scanner, "no enumeration \(name)")
        }
        if !scanner.accept("}") { fail(scanner, "no }") }
      } else if scanner.accept("*") {
        scale(&scanner, &op.field)
      } else if scanner.accept("<") {
        guard let low = scanner.number(), scanner.accept("."), scanner.accept("."), let high = scanner.number(), low <= high,
          scanner.accept(">")
        else { return fail(scanner, "no range") }
        op.field.range = low...high
      } else if scanner.accept("!") {
        op.field.isSecret = true
      } else {
        return
      }
    }
  }

  /// `1.25ms`, `625us`, `dBm`.
  private mutating func scale(_ scanner: inout LayoutScanner, _ field: inout FieldFacts) {
    var digits: Int64 = 0
    var decimals: UInt8 = 0
    var isAfterPoint = false
    var isNumber = false
    while true {
      let byte = scanner.peek
      if byte == UInt8(ascii: ".") {
        isAfterPoint = true
      } else if (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) {
        digits = digits &* 10 &+ Int64(byte - 48)
        isNumber = true
        if isAfterPoint { decimals += 1 }
      } else {
        break
      }
      scanner.at += 1
    }
    if isNumber {
      field.multiplier = digits
      field.decimals = decimals
    }
    field.unit = scanner.identifier()
  }

  private mutating func bits(_ scanner: inout LayoutScanner, _ parent: Int) {
    var offset = 0
    let width = Int(ops[parent].field.width) * 8
    while true {
      scanner.skipWhite()
      if scanner.accept(")") { break }
      var op = LayoutOp(.bitField)
      if scanner.accept("-") {
        op.field.name = "reserved"
        op.field.isReserved = true
      } else {
        op.field.name = scanner.identifier(dots: true)
      }
      op.field.width = UInt8(width / 8)
      op.field.bitOffset = UInt8(truncatingIfNeeded: offset)
      if !scanner.accept(":") { return fail(scanner, "no colon") }
      guard let count = scanner.number(), count > 0, offset + Int(count) <= width else { return fail(scanner, "no number of bits") }
      op.field.bitCount = UInt8(count)
      modifiers(&scanner, &op)
      offset += Int(count)
      ops.append(op)
    }
    if offset != width { fail(scanner, "\(offset) bits of \(width)") }
    ops[parent].body = Int32(ops.count - parent - 1)
  }
}
