import Memory

/// A step of the result of a ``FlatReader``: a value, or the start or end of an object or array.
@frozen
public struct FieldEvent: BitwiseCopyable, Sendable {
  /// The kind of event.
  @frozen
  public enum Kind: UInt8, Sendable {
    /// No value: the field that represents its object is absent.
    case absent
    /// An integer.
    case int
    /// An integer from 2⁶³ on.
    case uint
    /// A floating-point number.
    case float
    /// True or false.
    case bool
    /// A number of an enum.
    case enumeration
    /// Text.
    case string
    /// Bytes.
    case bytes
    /// The start of an object.
    case object
    /// The start of an array.
    case array
    /// The end of the innermost open object or array.
    case end
  }

  /// Number bits; for bytes and text, offset (low half) and count (high half) in the payload; for an array, its number of elements.
  public var bits: UInt64
  /// Offset in bytes at which it begins.
  public var start: UInt32
  /// Offset in bytes after its last byte; for bit fields after the byte of its last bit.
  public var end: UInt32
  @usableFromInline var fieldNumber: Int32
  @usableFromInline var sourceNumber: Int32
  /// The enum of an enumeration, the type of an object.
  @usableFromInline var type: Int32
  /// For an object or array: index of the event after its end.
  public var next: Int32
  /// The kind of event.
  public var kind: Kind
  @usableFromInline var flags: UInt8
  /// For bit fields: number of bits before it in the first byte, in the order in which bits are taken; else 0.
  public var startBit: UInt8
  /// For bit fields: number of bits used in the last byte; else 0.
  public var endBit: UInt8

  @usableFromInline static let hidden: UInt8 = 1
  @usableFromInline static let secret: UInt8 = 2
  @usableFromInline static let element: UInt8 = 4
  @usableFromInline static let single: UInt8 = 8

  /// The field that gives its name: for a field that represents an object, the field with that object.
  @inlinable public var field: FieldID { FieldID(rawValue: fieldNumber) }
  /// The field that read its bytes.
  @inlinable public var source: FieldID { FieldID(rawValue: sourceNumber) }
  /// The type of an object.
  @inlinable public var objectType: TypeID { TypeID(rawValue: type) }
  /// The field with the name is hidden.
  @inlinable public var isHidden: Bool { flags & Self.hidden != 0 }
  /// The field with the name, or one that represents it, is secret.
  @inlinable public var isSecret: Bool { flags & Self.secret != 0 }
  /// It is an element of an array, and has no name.
  @inlinable public var isElement: Bool { flags & Self.element != 0 }
  /// A `float` was read as a single (four bytes).
  @inlinable public var isSingle: Bool { flags & Self.single != 0 }

  /// The number; absent for bytes, text, objects and arrays.
  @inlinable
  public var value: KaitaiValue {
    switch kind {
    case .int: KaitaiValue(kind: .int, bits: bits)
    case .uint: KaitaiValue(kind: .uint, bits: bits)
    case .float: KaitaiValue(kind: .float, bits: bits, kindFlag: isSingle)
    case .bool: KaitaiValue(kind: .bool, bits: bits)
    case .enumeration: KaitaiValue(kind: .enumeration, bits: bits, enumNumber: type)
    default: .absent
    }
  }

  /// The range of bytes or text in the payload.
  @inlinable public var bytes: Range<Int> { Int(bits & 0xffff_ffff)..<Int(bits & 0xffff_ffff) &+ Int(bits >> 32) }
}

/// The result of a ``FlatReader``, in the order of the bytes; its memory is reused for the next message.
@safe public struct FieldRecord: ~Copyable {
  @usableFromInline var events: GrowingTable<FieldEvent>
  /// Number of events.
  public internal(set) var count = 0
  var slots: GrowingTable<FlatReader.Slot>
  /// Steps used by the last reading.
  package internal(set) var usedSteps = 0

  /// Most events: larger messages are read by ``KaitaiTree``, which has its own limits.
  static let maxEvents = 8192
  static let maxSlots = 4096

  /// Placeholder for unused events and slots.
  static let noEvent = FieldEvent(
    bits: 0, start: 0, end: 0, fieldNumber: -1, sourceNumber: -1, type: -1, next: 0, kind: .int, flags: 0, startBit: 0, endBit: 0)
  static let noSlot = FlatReader.Slot(value: 0, state: .other)

  /// Makes an empty record.
  public init() {
    events = GrowingTable(repeating: Self.noEvent, capacity: 32)
    slots = GrowingTable(repeating: Self.noSlot, capacity: 64)
  }

  deinit {
    events.deallocate()
    slots.deallocate()
  }

  /// The event at an index below ``count``.
  @inlinable
  public subscript(index: Int) -> FieldEvent {
    precondition(index >= 0 && index < count)
    return events[index]
  }

  /// Address of the events: valid until the next reading.
  @inlinable public var start: UnsafePointer<FieldEvent> { unsafe UnsafePointer(events.base) }

  /// The event of a field of the outermost object; nil where there is none.
  public func first(_ field: FieldID) -> FieldEvent? {
    var index = 0
    while index < count {
      let event = events[index]
      if event.fieldNumber == field.rawValue { return event }
      index = event.kind == .object || event.kind == .array ? Int(event.next) : index &+ 1
    }
    return nil
  }

  /// Replaces the events by others.
  package mutating func replace(with others: UnsafeBufferPointer<FieldEvent>) {
    if others.count > events.capacity { events.grow(to: others.count * 2, Self.noEvent) }
    unsafe events.replace(with: others)
    count = others.count
  }

  /// Removes all events.
  public mutating func removeAll() { count = 0 }

  /// Bytes of its events and slots.
  @inline(__always)
  package var heldBytes: Int {
    events.capacity &* MemoryLayout<FieldEvent>.stride &+ slots.capacity &* MemoryLayout<FlatReader.Slot>.stride
  }

  /// Forgets what was read, and takes as much memory as a new record.
  package mutating func shrink() {
    count = 0
    events.deallocate()
    slots.deallocate()
    events = GrowingTable(repeating: Self.noEvent, capacity: 32)
    slots = GrowingTable(repeating: Self.noSlot, capacity: 64)
  }
}
