/// The result of an expression: a plain number, or the location of bytes, text or a node. Parsing and evaluation pass it around, so it never owns
/// memory. Its bytes are in the input, the tree, the program or the environment: they are valid until the tree parses again or is released.
/// ``KaitaiTree/withBytes(of:_:)`` reads them. ``FieldTree`` is a value that owns its bytes.
@frozen
public struct KaitaiValue: Sendable {
  /// The kind of a value.
  @frozen
  public enum Kind: UInt8, Sendable {
    /// No value: the field's `if` is false.
    case absent
    /// An integer from −2⁶³ to 2⁶³−1.
    case int
    /// An integer from 2⁶³ to 2⁶⁴−1.
    case uint
    /// A floating-point number.
    case float
    /// True or false.
    case bool
    /// Text.
    case string
    /// Bytes.
    case bytes
    /// An object: a node.
    case object
    /// An array: a node.
    case array
    /// A number of an enum.
    case enumeration
    /// A stream (`_io`).
    case stream
  }

  /// Number bits; node; stream; or for bytes, offset (low half) and count (high half).
  @usableFromInline var bits: UInt64
  /// The enum, for `enumeration`.
  @usableFromInline var enumNumber: Int32
  /// The kind of the value.
  public var kind: Kind
  /// Its tree: 0 the evaluating tree, else one of the environment's.
  @usableFromInline var source: UInt8
  /// The buffer with bytes and text.
  @usableFromInline var buffer: Buffer
  /// A flag whose meaning depends on the kind. For `float`: it was read as a single; for `enumeration`: it is beyond 2⁶³−1; for `bytes`: it is a table
  /// of the environment, or the body of a self-describing format.
  @usableFromInline var kindFlag: Bool

  /// The buffer with bytes.
  @usableFromInline
  @frozen
  enum Buffer: UInt8, Sendable { case input, produced, program, environment }

  @inlinable
  init(kind: Kind, bits: UInt64, enumNumber: Int32 = -1, source: UInt8 = 0, buffer: Buffer = .input, kindFlag: Bool = false) {
    self.bits = bits
    self.enumNumber = enumNumber
    self.kind = kind
    self.source = source
    self.buffer = buffer
    self.kindFlag = kindFlag
  }

  /// No value.
  @inlinable public static var absent: KaitaiValue { KaitaiValue(kind: .absent, bits: 0) }

  /// An integer.
  @inlinable public static func int(_ value: Int64) -> KaitaiValue { KaitaiValue(kind: .int, bits: UInt64(bitPattern: value)) }

  /// An integer; its kind is `uint` only from 2⁶³ on.
  @inlinable public static func uint(_ value: UInt64) -> KaitaiValue { KaitaiValue(kind: value >> 63 == 0 ? .int : .uint, bits: value) }

  /// A floating-point number.
  @inlinable public static func float(_ value: Double) -> KaitaiValue { KaitaiValue(kind: .float, bits: value.bitPattern) }

  /// True or false.
  @inlinable public static func bool(_ value: Bool) -> KaitaiValue { KaitaiValue(kind: .bool, bits: value ? 1 : 0) }

  @inlinable
  static func bytes(_ kind: Kind, offset: Int, count: Int, buffer: Buffer, source: UInt8 = 0) -> KaitaiValue {
    KaitaiValue(
      kind: kind, bits: UInt64(truncatingIfNeeded: offset) | UInt64(truncatingIfNeeded: count) << 32, source: source, buffer: buffer)
  }

  @inlinable
  static func node(_ kind: Kind, _ node: Int32, source: UInt8 = 0) -> KaitaiValue {
    KaitaiValue(kind: kind, bits: UInt64(UInt32(bitPattern: node)), source: source)
  }

  @inlinable var offset: Int { Int(bits & 0xffff_ffff) }
  @inlinable var byteCount: Int { Int(bits >> 32) }
  @inlinable var nodeNumber: Int32 { Int32(truncatingIfNeeded: bits) }

  /// The integer of an `int`, `enumeration` or `bool`; nil for other kinds and beyond 2⁶³−1.
  @inlinable
  public var asInt: Int64? {
    switch kind {
    case .int, .bool: Int64(bitPattern: bits)
    case .enumeration: kindFlag ? nil : Int64(bitPattern: bits)
    default: nil
    }
  }

  /// The value of a `bool`; for a number whether it is not 0; nil for other kinds.
  @inlinable
  public var asBool: Bool? {
    switch kind {
    case .bool, .int, .uint: bits != 0
    default: nil
    }
  }

  /// The number as floating-point; nil for other kinds.
  @inlinable
  public var asDouble: Double? {
    switch kind {
    case .int: Double(Int64(bitPattern: bits))
    case .uint: Double(bits)
    case .float: Double(bitPattern: bits)
    case .enumeration: kindFlag ? Double(bits) : Double(Int64(bitPattern: bits))
    default: nil
    }
  }

  /// The node of an `object` or `array` in the evaluating tree; nil for other kinds and other trees.
  @inlinable
  public var asNode: NodeID? { (kind == .object || kind == .array) && source == 0 ? NodeID(rawValue: nodeNumber) : nil }

  /// The enum of an `enumeration`; nil for other kinds.
  @inlinable
  public var enumeration: EnumID? { kind == .enumeration && enumNumber >= 0 ? EnumID(rawValue: enumNumber) : nil }
}
