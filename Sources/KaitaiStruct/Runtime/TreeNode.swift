/// One node of a parsed tree: a field's value, an object, or an array.
@frozen
public struct TreeNode: Sendable {
  /// Number bits; for bytes, offset (low half) and count (high half); slots and stream of an object; count of an array.
  @usableFromInline var payload: UInt64
  /// Offset in bytes at which the node begins; in the input, unless ``isProduced``.
  public var start: UInt32
  /// Offset in bytes after its last byte; for bit fields after the byte of its last bit.
  public var end: UInt32
  @usableFromInline var fieldNumber: Int32
  /// The type of an object, the enum of an enumeration, the last counted element of an array.
  @usableFromInline var type: Int32
  @usableFromInline var parentNumber: Int32
  @usableFromInline var firstNumber: Int32
  @usableFromInline var lastNumber: Int32
  @usableFromInline var nextNumber: Int32
  /// Kind of the node.
  public var kind: KaitaiValue.Kind
  @usableFromInline var flags: UInt8
  /// For bit fields: number of bits before it in the first byte, in the order in which bits are taken; else 0.
  public var startBit: UInt8
  /// For bit fields: number of bits used in the last byte; else 0.
  public var endBit: UInt8

  @inlinable
  init(
    kind: KaitaiValue.Kind, payload: UInt64, field: Int32, parent: Int32, start: UInt32, end: UInt32, type: Int32 = -1, next: Int32 = -1,
    flags: UInt8 = 0
  ) {
    self.payload = payload
    self.start = start
    self.end = end
    self.fieldNumber = field
    self.type = type
    self.parentNumber = parent
    self.firstNumber = -1
    self.lastNumber = -1
    self.nextNumber = next
    self.kind = kind
    self.flags = flags
    self.startBit = 0
    self.endBit = 0
  }

  @usableFromInline static let bufferMask: UInt8 = 3
  @usableFromInline static let producedRange: UInt8 = 4
  /// ``KaitaiValue/kindFlag`` of its value.
  @usableFromInline static let kindFlag: UInt8 = 8
  @usableFromInline static let littleEndian: UInt8 = 16
  @usableFromInline static let bigEndian: UInt8 = 32
  /// An array with all elements read.
  @usableFromInline static let closed: UInt8 = 64

  @inlinable var slotBase: Int { Int(payload & 0xffff_ffff) }
  @inlinable var streamNumber: Int { Int(payload >> 32) }

  /// The field of the value or element; nil for the root and for elements of computed arrays.
  @inlinable public var field: FieldID? { fieldNumber < 0 ? nil : FieldID(rawValue: fieldNumber) }
  /// The object or array that contains it; nil for the root.
  @inlinable public var parent: NodeID? { parentNumber < 0 ? nil : NodeID(rawValue: parentNumber) }
  /// The first field that was read, or the first element; nil where there is none. Instances and parameters are not in this chain.
  @inlinable public var firstChild: NodeID? { firstNumber < 0 ? nil : NodeID(rawValue: firstNumber) }
  /// The next field of the same object, or the next element of the same array; nil for the last.
  @inlinable public var next: NodeID? { nextNumber < 0 ? nil : NodeID(rawValue: nextNumber) }
  /// The type of an object; nil for other kinds.
  @inlinable public var objectType: TypeID? { kind == .object ? TypeID(rawValue: type) : nil }
  /// The enum of an enumeration; nil for other kinds.
  @inlinable public var enumeration: EnumID? { kind == .enumeration ? EnumID(rawValue: type) : nil }
  /// Whether ``start`` and ``end`` are offsets in produced bytes (`process`), not in the input.
  @inlinable public var isProduced: Bool { flags & Self.producedRange != 0 }
  /// Whether a `float` was read as a single (four bytes).
  @inlinable public var isSingle: Bool { kind == .float && flags & Self.kindFlag != 0 }
  /// Number of elements of an array; 0 for other kinds.
  @inlinable public var count: Int { kind == .array ? Int(payload & 0xffff_ffff) : 0 }

  /// The node's value. Bytes and text refer to the node's tree.
  @inlinable
  func value(at number: Int32) -> KaitaiValue {
    switch kind {
    case .object, .array: return .node(kind, number)
    case .string, .bytes:
      return KaitaiValue(kind: kind, bits: payload, buffer: KaitaiValue.Buffer(rawValue: flags & Self.bufferMask) ?? .input)
    default:
      return KaitaiValue(kind: kind, bits: payload, enumNumber: kind == .enumeration ? type : -1, kindFlag: flags & Self.kindFlag != 0)
    }
  }
}
