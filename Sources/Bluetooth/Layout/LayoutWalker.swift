import PacketCodecs

/// The decoded value of a field of a PDU, for a ``FieldVisitor``. Bytes and texts are ranges of the PDU, which is valid during the call of the visitor
/// only.
public enum FieldValue: Sendable, Equatable {
  /// An unsigned integer (or a bit field of two bits or more).
  case unsigned(UInt64)
  /// A signed integer.
  case signed(Int64)
  /// A boolean: a byte, or a single bit without names for its values.
  case bool(Bool)
  /// Bytes, shown in hex.
  case bytes(Range<Int>)
  /// Text, declared as UTF-8 (not checked), without trailing NULs.
  case text(Range<Int>)
  /// Text, declared as UTF-16, most significant byte first (not checked), without trailing NULs.
  case wideText(Range<Int>)
  /// A device address with its type.
  case address(DeviceAddress)
  /// A UUID.
  case uuid(BluetoothUUID)
}

/// An error in a packet and its location; offsets are in bytes from the start of the walked bytes.
public enum FieldProblem: Sendable {
  /// The packet ends inside a field: `needed` bytes at `offset`, of which only `available` are present.
  case short(Field, offset: Int, needed: Int, available: Int)
  /// Bytes after the last field.
  case surplus(Range<Int>)
  /// A value that the specification does not allow.
  case outOfRange(Field, value: Int64, Range<Int>)
}

/// Receives the fields of a packet one after the other. Ranges are in bytes from the start of `bytes`; nothing is copied.
public protocol FieldVisitor {
  /// A field and its value.
  mutating func field(_ field: Field, _ value: FieldValue, at range: Range<Int>, in bytes: RawSpan)
  /// An object starts: the fields up to its end are its parts.
  mutating func beginObject(_ field: Field, at offset: Int)
  /// The object that started last ends; `range` is its entire range.
  mutating func endObject(_ field: Field, at range: Range<Int>)
  /// An array starts: objects, or plain values without names of their own, up to its end are its elements.
  mutating func beginArray(_ field: Field, at offset: Int)
  /// The array that started last ends; `range` is its entire range.
  mutating func endArray(_ field: Field, at range: Range<Int>)
  /// An error; fields that could be decoded are reported nevertheless.
  mutating func problem(_ problem: FieldProblem)
}

/// Default implementations for visitors that need neither the structure of the fields nor the problems.
extension FieldVisitor {
  /// Does nothing.
  @inlinable public mutating func beginObject(_ field: Field, at offset: Int) {}
  /// Does nothing.
  @inlinable public mutating func endObject(_ field: Field, at range: Range<Int>) {}
  /// Does nothing.
  @inlinable public mutating func beginArray(_ field: Field, at offset: Int) {}
  /// Does nothing.
  @inlinable public mutating func endArray(_ field: Field, at range: Range<Int>) {}
  /// Does nothing.
  @inlinable public mutating func problem(_ problem: FieldProblem) {}
}

/// Stored values of fields that later ones refer to.
@usableFromInline struct LayoutSlots {
  @usableFromInline var values = InlineArray<12, Int64>(repeating: 0)

  @inlinable
  init() {}

  @inlinable
  subscript(slot: Int8) -> Int64 {
    @inline(__always) get { slot >= 0 && slot < 12 ? values[Int(slot)] : 0 }
    @inline(__always) set { if slot >= 0, slot < 12 { values[Int(slot)] = newValue } }
  }

  /// The value of an expression, with `left` remaining bytes; never negative, at most 2^31.
  @inlinable @inline(__always)
  func value(_ expression: LayoutExpression, left: Int) -> Int {
    if expression.slot == LayoutExpression.rest, expression.divide <= 1 { return max(left &+ Int(expression.add), 0) }
    return Self.value(expression, of: expression.slot == LayoutExpression.rest ? Int64(left) : self[expression.slot])
  }

  /// The same, with `number` as the value of the slot, or as the number of remaining bytes.
  @inlinable @inline(never)
  static func value(_ expression: LayoutExpression, of number: Int64) -> Int {
    if expression.slot == LayoutExpression.rest { return max(Int(number) / Int(max(expression.divide, 1)) &+ Int(expression.add), 0) }
    var value: Int64 = 0
    if expression.slot >= 0 {
      value = number
      if expression.countsBits { value = Int64(value.nonzeroBitCount) }
      // A slot may hold any 64-bit value: values beyond 32 bits exceed any packet.
      value = min(max(value, -0x1_0000_0000), 0x1_0000_0000)
      value = value &* Int64(expression.multiply) / Int64(max(expression.divide, 1))
    }
    return Int(min(max(value &+ Int64(expression.add), 0), 0x8000_0000))
  }
}

/// The state of a walk.
@usableFromInline struct LayoutCursor {
  @usableFromInline var at: Int
  @usableFromInline var end: Int
  @usableFromInline var slots = LayoutSlots()

  @inlinable
  init(at: Int, end: Int) {
    self.at = at
    self.end = end
  }
}

extension Layout {
  /// Reads the fields from `bytes` (or its part `range`) and reports them to `visitor`, with remaining bytes as a problem unless `allowsSurplus`.
  /// Returns the offset after the last field.
  @inlinable
  @discardableResult
  public func walk<Visitor: FieldVisitor>(
    _ bytes: RawSpan, in range: Range<Int>? = nil, allowsSurplus: Bool = false, _ visitor: inout Visitor
  ) -> Int {
    let limit = bytes.byteCount
    let start = min(max(range?.lowerBound ?? 0, 0), limit)
    var cursor = LayoutCursor(at: start, end: max(start, min(range?.upperBound ?? limit, limit)))
    var complete = true
    if let first { complete = Layout.run(first, count, bytes, &cursor, &visitor) }
    if complete, !allowsSurplus, cursor.at < cursor.end { visitor.problem(.surplus(cursor.at..<cursor.end)) }
    return cursor.at
  }

  /// Runs `count` steps. Returns false where the packet was too short (which was reported).
  @inlinable
  static func run<Visitor: FieldVisitor>(
    _ ops: LayoutStep, _ count: Int, _ bytes: RawSpan, _ cursor: inout LayoutCursor, _ visitor: inout Visitor
  ) -> Bool {
    var i = 0
    while i < count {
      let op = ops + i
      let body = Int(op.pointee.body)
      switch op.pointee.kind {
      case .condition:
        if holds(op, cursor), !run(op + 1, body, bytes, &cursor, &visitor) { return false }
      case .object:
        if !object(op, body, bytes, &cursor, &visitor) { return false }
      case .array:
        if !array(op, body, bytes, &cursor, &visitor) { return false }
      case .bits:
        if !bits(op, body, bytes, &cursor, &visitor) { return false }
      case .advertising:
        if !advertising(op, bytes, &cursor, &visitor) { return false }
      default:
        if !scalar(op, bytes, &cursor, &visitor) { return false }
      }
      i &+= 1 &+ body
    }
    return true
  }

  @inlinable
  static func holds(_ op: LayoutStep, _ cursor: LayoutCursor) -> Bool {
    let value = cursor.slots[op.pointee.conditionSlot]
    let other = op.pointee.conditionValue
    switch op.pointee.comparison {
    case .equal: return value == other
    case .notEqual: return value != other
    case .less: return value < other
    case .atLeast: return value >= other
    case .anyBit: return value & other != 0
    case .remaining: return Int64(cursor.end &- cursor.at) >= other
    case .remainingExactly: return Int64(cursor.end &- cursor.at) == other
    case .zeroOrMore: return value == 0 || cursor.at < cursor.end
    }
  }

  @inlinable
  static func object<Visitor: FieldVisitor>(
    _ op: LayoutStep, _ body: Int, _ bytes: RawSpan, _ cursor: inout LayoutCursor, _ visitor: inout Visitor
  ) -> Bool {
    let start = cursor.at
    let outer = cursor.end
    visitor.beginObject(op.field, at: start)
    var complete = true
    if op.pointee.isSized {
      let size = cursor.slots.value(op.pointee.elementSize, left: outer &- start)
      if size > outer &- start {
        visitor.problem(.short(op.field, offset: start, needed: size, available: outer &- start))
        complete = false
      } else {
        cursor.end = start &+ size
      }
    }
    if !run(op + 1, body, bytes, &cursor, &visitor) { complete = false }
    if op.pointee.isSized, complete {
      if cursor.at < cursor.end { visitor.problem(.surplus(cursor.at..<cursor.end)) }
      cursor.at = cursor.end
    }
    cursor.end = outer
    visitor.endObject(op.field, at: start..<cursor.at)
    return complete
  }

  @inlinable
  static func array<Visitor: FieldVisitor>(
    _ op: LayoutStep, _ body: Int, _ bytes: RawSpan, _ cursor: inout LayoutCursor, _ visitor: inout Visitor
  ) -> Bool {
    let start = cursor.at
    let outer = cursor.end
    let isOpen = op.pointee.size.slot == LayoutExpression.rest
    var left = isOpen ? Int.max : cursor.slots.value(op.pointee.size, left: 0)
    let size = op.pointee.isSized ? cursor.slots.value(op.pointee.elementSize, left: outer &- start) : 0
    var complete = true
    visitor.beginArray(op.field, at: start)
    while left > 0 {
      let elementStart = cursor.at
      if isOpen, elementStart >= outer { break }
      if op.pointee.isSized {
        // Elements of zero bytes would never end. A truncated last element keeps its available bytes.
        if size == 0 { break }
        cursor.end = elementStart &+ min(size, outer &- elementStart)
      }
      complete = run(op + 1, body, bytes, &cursor, &visitor)
      if op.pointee.isSized {
        if complete, cursor.at < cursor.end { visitor.problem(.surplus(cursor.at..<cursor.end)) }
        if complete { cursor.at = cursor.end }
        if complete, cursor.end &- elementStart < size {
          visitor.problem(.short(op.field, offset: elementStart, needed: size, available: cursor.end &- elementStart))
          complete = false
        }
        cursor.end = outer
      }
      if !complete || cursor.at == elementStart { break }
      left &-= 1
    }
    visitor.endArray(op.field, at: start..<cursor.at)
    return complete
  }

  @inlinable
  static func bits<Visitor: FieldVisitor>(
    _ op: LayoutStep, _ body: Int, _ bytes: RawSpan, _ cursor: inout LayoutCursor, _ visitor: inout Visitor
  ) -> Bool {
    let width = Int(op.pointee.field.width)
    let at = cursor.at
    guard width <= cursor.end &- at else { return short(op, width, &cursor, &visitor) }
    let whole = bytes.integer(at, width, isBigEndian: op.pointee.isBigEndian)
    cursor.at = at &+ width
    cursor.slots[op.pointee.slot] = Int64(bitPattern: whole)
    let isNamed = !op.pointee.field.name.isEmpty
    if isNamed { visitor.beginObject(op.field, at: at) }
    var i = 1
    while i <= body {
      let part = op + i
      let count = UInt64(part.pointee.field.bitCount)
      let value = (whole &>> UInt64(part.pointee.field.bitOffset)) & (count >= 64 ? .max : (1 &<< count) &- 1)
      cursor.slots[part.pointee.slot] = Int64(bitPattern: value)
      let isTruth = count == 1 && part.pointee.field.enumeration == nil
      visitor.field(part.field, isTruth ? .bool(value != 0) : .unsigned(value), at: at..<(at &+ width), in: bytes)
      if let range = part.pointee.field.range, !range.contains(Int64(bitPattern: value)) {
        visitor.problem(.outOfRange(part.field, value: Int64(bitPattern: value), at..<(at &+ width)))
      }
      i &+= 1
    }
    if isNamed { visitor.endObject(op.field, at: at..<(at &+ width)) }
    return true
  }

  @inlinable
  static func advertising<Visitor: FieldVisitor>(
    _ op: LayoutStep, _ bytes: RawSpan, _ cursor: inout LayoutCursor, _ visitor: inout Visitor
  ) -> Bool {
    let left = cursor.end &- cursor.at
    let size = cursor.slots.value(op.pointee.size, left: left)
    AdvertisingData.walk(bytes, in: cursor.at..<(cursor.at &+ min(size, left)), as: op.field, &visitor)
    guard size <= left else {
      visitor.problem(.short(op.field, offset: cursor.at, needed: size, available: left))
      cursor.at = cursor.end
      return false
    }
    cursor.at &+= size
    return true
  }

  /// Reports that the packet ends inside a field, and consumes the rest of the packet.
  @inlinable
  static func short<Visitor: FieldVisitor>(
    _ op: LayoutStep, _ needed: Int, _ cursor: inout LayoutCursor, _ visitor: inout Visitor
  ) -> Bool {
    visitor.problem(.short(op.field, offset: cursor.at, needed: needed, available: cursor.end &- cursor.at))
    cursor.at = cursor.end
    return false
  }

  @inlinable
  static func scalar<Visitor: FieldVisitor>(
    _ op: LayoutStep, _ bytes: RawSpan, _ cursor: inout LayoutCursor, _ visitor: inout Visitor
  ) -> Bool {
    let at = cursor.at
    let left = cursor.end &- at
    let width: Int
    switch op.pointee.kind {
    case .bytes, .text, .uuid: width = cursor.slots.value(op.pointee.size, left: left)
    default: width = Int(op.pointee.field.width)
    }
    guard width <= left else {
      if op.pointee.kind == .bytes || op.pointee.kind == .text, left > 0 {
        let value: FieldValue = op.pointee.kind == .bytes ? .bytes(at..<cursor.end) : .text(textRange(bytes, at, cursor.end))
        visitor.field(op.field, value, at: at..<cursor.end, in: bytes)
      }
      return short(op, width, &cursor, &visitor)
    }
    let end = at &+ width
    cursor.at = end
    let value: FieldValue
    switch op.pointee.kind {
    case .unsigned:
      let number = bytes.integer(at, width, isBigEndian: op.pointee.isBigEndian)
      cursor.slots[op.pointee.slot] = Int64(bitPattern: number)
      value = .unsigned(number)
    case .signed:
      let shift = UInt64(64 &- 8 &* width)
      let number = Int64(bitPattern: bytes.integer(at, width, isBigEndian: op.pointee.isBigEndian) &<< shift) &>> Int64(shift)
      cursor.slots[op.pointee.slot] = number
      value = .signed(number)
    case .bool:
      let number = bytes.integer(at, 1)
      cursor.slots[op.pointee.slot] = Int64(bitPattern: number)
      value = .bool(number != 0)
    case .address:
      let slot = op.pointee.typeSlot
      let kind = slot < 0 ? op.pointee.addressKind : DeviceAddress.Kind(rawValue: UInt8(truncatingIfNeeded: cursor.slots[slot]))
      value = .address(DeviceAddress(bytes.integer(at, 6), kind))
    case .uuid:
      let uuid =
        op.pointee.isBigEndian
        ? BluetoothUUID(bigEndian: bytes, in: at..<end) : BluetoothUUID(littleEndian: bytes, in: at..<end)
      if let uuid { value = .uuid(uuid) } else { value = .bytes(at..<end) }
    case .text: value = .text(textRange(bytes, at, end))
    default: value = .bytes(at..<end)
    }
    visitor.field(op.field, value, at: at..<end, in: bytes)
    if let range = op.pointee.field.range {
      let number: Int64
      switch value {
      case .unsigned(let value): number = Int64(clamping: value)
      case .signed(let value): number = value
      default: return true
      }
      if !range.contains(number) { visitor.problem(.outOfRange(op.field, value: number, at..<end)) }
    }
    return true
  }

  /// A text up to its first NUL.
  @inlinable
  static func textRange(_ bytes: RawSpan, _ start: Int, _ end: Int) -> Range<Int> {
    var stop = start
    while stop < end, bytes.byte(stop) != 0 { stop &+= 1 }
    return start..<stop
  }
}

/// A visitor that ignores all fields, for callers who need only the offset at which a layout ends.
struct NoVisitor: FieldVisitor {
  mutating func field(_ field: Field, _ value: FieldValue, at range: Range<Int>, in bytes: RawSpan) {}
}
