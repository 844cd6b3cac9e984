// Bodies that say themselves which fields they have (JSON, CBOR, …), as expressions look into them. Who knows the formats reads them.

import Memory

/// A step into a body: to the field of a name, or to an element, or field, of a number.
public enum BodyStep: Sendable {
  /// The field of that name.
  case name(String)
  /// The element at that index, or the field of that number where fields have numbers.
  case index(Int64)
}

/// What a step into a body leads to.
public enum BodyValue: Sendable {
  /// Nothing is there.
  case absent
  /// True or false.
  case bool(Bool)
  /// A whole number.
  case int(Int64)
  /// A whole number from 2⁶³ on.
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
  /// What a step leads to from the body in `bytes`. The bytes are only lent.
  func step(_ step: BodyStep, into bytes: RawSpan, format: Int32) -> BodyValue
  /// How many elements the list in `bytes` has; nil where it is none.
  func count(_ bytes: RawSpan, format: Int32) -> Int?
}

extension KaitaiValue {
  /// Bytes that are a body of a format.
  @inlinable public var isBody: Bool { kind == .bytes && mark && enumNumber >= 0 }

  /// The format of a body; nil for other values.
  public var bodyFormat: Int32? { isBody ? enumNumber : nil }

  /// The same bytes as a body of a format.
  func body(_ format: Int32) -> KaitaiValue {
    KaitaiValue(kind: .bytes, bits: bits, enumNumber: format, source: source, buffer: buffer, mark: true)
  }
}

extension Machine {
  private var bodies: (any BodyReader)? {
    guard let environment = unsafe environment else { return nil }
    return unsafe environment.pointee.bodies?.takeUnretainedValue().reader
  }

  /// What a step leads to.
  mutating func step(_ base: KaitaiValue, _ step: BodyStep, orFail kind: Failure.Kind) throws(Stop) -> KaitaiValue {
    guard let bodies else { throw fail(.type) }
    let content = bytes(of: base)
    // A step looks through all of it.
    try spend(1 + content.count / 8)
    let found = bodies.step(step, into: content.span, format: base.enumNumber)
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
    do throws(Stop) { return try step(base, .name(unsafe program.names[Int(name)]), orFail: .absent) } catch {
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
