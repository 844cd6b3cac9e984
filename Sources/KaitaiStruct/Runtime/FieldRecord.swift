import Memory

/// A step of what a ``FlatReader`` read: a value, or where an object or array begins or ends.
@frozen
public struct FieldEvent: BitwiseCopyable, Sendable {
  /// What it is.
  @frozen
  public enum Kind: UInt8, Sendable {
    /// Nothing: the field that stands for its object is not there.
    case absent
    /// A whole number.
    case int
    /// A whole number from 2⁶³ on.
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
    /// The begin of an object.
    case object
    /// The begin of an array.
    case array
    /// The end of what began last and has not ended yet.
    case end
  }

  /// Number bits; offset below and count above of bytes and text in the payload; the number of an array's elements.
  public var bits: UInt64
  /// Offset in bytes at which it begins.
  public var start: UInt32
  /// Offset in bytes behind its last byte; for bit fields behind the byte of its last bit.
  public var end: UInt32
  @usableFromInline var fieldNumber: Int32
  @usableFromInline var sourceNumber: Int32
  /// The enum of an enumeration, the type of an object.
  @usableFromInline var type: Int32
  /// Of an object or array: the place of the event behind its end.
  public var next: Int32
  /// What it is.
  public var kind: Kind
  @usableFromInline var flags: UInt8
  /// For bit fields: how many bits of the first byte precede it in the order in which bits are taken; else 0.
  public var startBit: UInt8
  /// For bit fields: how many bits of the last byte are used up behind it; else 0.
  public var endBit: UInt8

  @usableFromInline static let hidden: UInt8 = 1
  @usableFromInline static let secret: UInt8 = 2
  @usableFromInline static let element: UInt8 = 4
  @usableFromInline static let single: UInt8 = 8

  /// The field that gives it its name: of what stands for an object, the field that is that object.
  @inlinable public var field: FieldID { FieldID(rawValue: fieldNumber) }
  /// The field that its bytes were read by.
  @inlinable public var source: FieldID { FieldID(rawValue: sourceNumber) }
  /// The type of an object.
  @inlinable public var objectType: TypeID { TypeID(rawValue: type) }
  /// The field that gives the name is hidden.
  @inlinable public var isHidden: Bool { flags & Self.hidden != 0 }
  /// The field that gives the name, or one that stands for it, is secret.
  @inlinable public var isSecret: Bool { flags & Self.secret != 0 }
  /// It is an element of an array, and has no name.
  @inlinable public var isElement: Bool { flags & Self.element != 0 }
  /// A `float` was read as a single (four bytes).
  @inlinable public var isSingle: Bool { flags & Self.single != 0 }

  /// The number; nothing for bytes, text, objects and arrays.
  @inlinable
  public var value: KaitaiValue {
    switch kind {
    case .int: KaitaiValue(kind: .int, bits: bits)
    case .uint: KaitaiValue(kind: .uint, bits: bits)
    case .float: KaitaiValue(kind: .float, bits: bits, mark: isSingle)
    case .bool: KaitaiValue(kind: .bool, bits: bits)
    case .enumeration: KaitaiValue(kind: .enumeration, bits: bits, enumNumber: type)
    default: .absent
    }
  }

  /// The place of bytes or text in the payload.
  @inlinable public var bytes: Range<Int> { Int(bits & 0xffff_ffff)..<Int(bits & 0xffff_ffff) &+ Int(bits >> 32) }
}

/// What a ``FlatReader`` read, in the order of the bytes; its memory is used again for the next message.
@safe public struct FieldRecord: ~Copyable {
  @usableFromInline var events: GrowingTable<FieldEvent>
  /// Number of events.
  public internal(set) var count = 0
  var slots: GrowingTable<FlatReader.Slot>
  /// Steps that the last reading took.
  package internal(set) var usedSteps = 0

  /// More than this is read by ``Tree``, which has its own limits.
  static let maxEvents = 8192
  static let maxSlots = 4096

  /// What stands where no event, and no slot, is yet.
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

  /// The event at `place`, which is below ``count``.
  @inlinable
  public subscript(place: Int) -> FieldEvent {
    precondition(place >= 0 && place < count)
    return events[place]
  }

  /// Where the events lie: good until the next reading.
  @inlinable public var start: UnsafePointer<FieldEvent> { unsafe UnsafePointer(events.base) }

  /// The event of a field that is not within another; nil where there is none.
  public func first(_ field: FieldID) -> FieldEvent? {
    var place = 0
    while place < count {
      let event = events[place]
      if event.fieldNumber == field.rawValue { return event }
      place = event.kind == .object || event.kind == .array ? Int(event.next) : place &+ 1
    }
    return nil
  }

  /// Takes events in place of its own.
  package mutating func replace(with others: UnsafeBufferPointer<FieldEvent>) {
    if others.count > events.capacity { events.grow(to: others.count * 2, Self.noEvent) }
    unsafe events.replace(with: others)
    count = others.count
  }

  /// Forgets what was read.
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
