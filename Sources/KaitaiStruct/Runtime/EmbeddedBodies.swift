// Access of expressions to self-describing bodies (JSON, CBOR, …). A ``BodyReader`` that knows the formats reads them.

import Memory

/// A component of a path into a body: the name of a field, or the number of an element or field.
public enum BodyPathComponent: Sendable {
  /// The field with that name.
  case name(String)
  /// The element at that index, or the field with that number in formats with numbered fields.
  case index(Int64)
}

/// The value at a path component of a body, which a ``BodyReader`` returns to the evaluation of an expression. A text is a copy, as the format may have escapes
/// in it. Ranges are in the bytes that were passed to ``BodyReader/value(at:in:format:)``; the tree that evaluates keeps these.
public enum BodyValue: Sendable {
  /// There is no such field or element.
  case absent
  /// True or false.
  case bool(Bool)
  /// An integer.
  case int(Int64)
  /// An integer from 2⁶³ on.
  case uint(UInt64)
  /// A floating-point number.
  case float(Double)
  /// Text.
  case text([UInt8])
  /// Bytes of the body.
  case bytes(Range<Int>)
  /// A part of the body, with its format.
  case part(Range<Int>, format: Int32)
}

/// Reads bodies for expressions.
public protocol BodyReader: AnyObject {
  /// The value at a path component of the body in `bytes`. The bytes are borrowed for the call.
  func value(at component: BodyPathComponent, in bytes: RawSpan, format: Int32) -> BodyValue
  /// The number of elements of the list in `bytes`; nil where it is no list.
  func count(_ bytes: RawSpan, format: Int32) -> Int?
}

extension KaitaiValue {
  /// Whether the value is bytes that are a body of a format.
  @inlinable public var isBody: Bool { kind == .bytes && kindFlag && enumNumber >= 0 }

  /// The format of a body; nil for other values.
  public var bodyFormat: Int32? { isBody ? enumNumber : nil }

  /// The same bytes as a body of a format.
  func body(_ format: Int32) -> KaitaiValue {
    KaitaiValue(kind: .bytes, bits: bits, enumNumber: format, source: source, buffer: buffer, kindFlag: true)
  }
}

extension Machine {
  private var bodies: (any BodyReader)? {
    guard let environment = unsafe environment else { return nil }
    return unsafe environment.pointee.bodies?.takeUnretainedValue().reader
  }

  /// The value at a path component of a body.
  mutating func bodyValue(_ base: KaitaiValue, at component: BodyPathComponent, orFail kind: Failure.Kind) throws(Stop) -> KaitaiValue {
    guard let bodies else { throw fail(.type) }
    let content = bytes(of: base)
    // The body is read from its start to the value.
    try spend(1 + content.count / 8)
    let found = bodies.value(at: component, in: content.span, format: base.enumNumber)
    func part(_ range: Range<Int>) -> KaitaiValue {
      KaitaiValue(
        kind: .bytes, bits: UInt64(truncatingIfNeeded: base.offset &+ range.lowerBound) | UInt64(truncatingIfNeeded: range.count) << 32,
        source: base.source, buffer: base.buffer)
    }
    switch found {
    case .absent: throw fail(kind == .index ? .index : .absent)
    case .bool(let truth): return .bool(truth)
    case .int(let number): return .int(number)
    case .uint(let number): return .uint(number)
    case .float(let number): return .float(number)
    case .text(let text): return .bytes(.string, offset: try produce(copying: text), count: text.count, buffer: .produced)
    case .bytes(let range): return part(range)
    case .part(let range, let format): return part(range).body(format)
    }
  }

  /// A field of a body; a method of a list where it has no such field.
  mutating func bodyMember(_ base: KaitaiValue, _ name: Int32) throws(Stop) -> KaitaiValue {
    do throws(Stop) { return try bodyValue(base, at: .name(unsafe program.names[Int(name)]), orFail: .absent) } catch {
      guard failure.kind == .absent, let method = BuiltIn(rawValue: name),
        [.size, .length, .first, .last, .min, .max, .sum, .reverse].contains(method), let bodies,
        bodies.count(bytes(of: base).span, format: base.enumNumber) != nil
      else { throw error }
      return try call(method, base)
    }
  }

  mutating func bodyCount(_ value: KaitaiValue) throws(Stop) -> Int64 {
    guard let bodies else { throw fail(.type) }
    let content = bytes(of: value)
    try spend(1 + content.count / 8)
    guard let count = bodies.count(content.span, format: value.enumNumber) else { throw fail(.type) }
    return Int64(count)
  }
}
