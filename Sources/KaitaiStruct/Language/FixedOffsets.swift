// Properties of a type's fields that are known without bytes: numbers at fixed offsets, plain comparisons.

import Memory

/// An integer at the same offset in every body of a type.
public struct FixedNumber: Sendable {
  let offset: Int
  let width: UInt8
  let isLittle: Bool
  let isSigned: Bool

  /// The number in `body`; nil where the body ends before it, and where the number is beyond 2⁶³−1.
  @inline(__always)
  public func value(in body: BorrowedBytes) -> Int64? {
    guard Int(width) <= body.count &- offset else { return nil }
    let bits = unsafe Stream.load(body.start + offset, width, isLittle: isLittle)
    guard isSigned else { return Int64(exactly: bits) }
    let shift = Int64(64 &- Int(width) &* 8)
    return (Int64(bitPattern: bits) &<< shift) &>> shift
  }
}

/// A comparison of a byte at a fixed offset, or of the number of bytes, with a number.
package struct BytesComparison: Sendable {
  /// Offset of the byte; -1 for the number of bytes.
  let offset: Int
  let code: OperationCode
  let value: Int64

  /// Whether it holds; false where the byte is missing.
  @inline(__always)
  package func holds(_ bytes: BorrowedBytes) -> Bool {
    guard offset < bytes.count else { return false }
    let number = offset < 0 ? Int64(bytes.count) : Int64(bytes[offset])
    return switch code {
    case .equal: number == value
    case .notEqual: number != value
    case .less: number < value
    case .lessOrEqual: number <= value
    case .greater: number > value
    default: number >= value
    }
  }
}

extension KaitaiProgram {
  /// The comparisons of the bytes of `external`, if the expression is true exactly when they all hold; nil for other expressions.
  package func comparisons(_ expression: ExpressionID, of external: ExternalID) -> [BytesComparison]? {
    guard expression.rawValue >= 0, Int(expression.rawValue) < tables.operationCount else { return nil }
    return comparisons(expression.rawValue, of: external.rawValue, depth: 0)
  }

  private func comparisons(_ number: Int32, of external: Int32, depth: Int) -> [BytesComparison]? {
    let operation = tables.operations[Int(number)]
    guard depth < 16 else { return nil }
    switch operation.code {
    case .and:
      guard let left = comparisons(operation.a, of: external, depth: depth + 1),
        let right = comparisons(operation.b, of: external, depth: depth + 1)
      else { return nil }
      return left + right
    case .equal, .notEqual, .less, .lessOrEqual, .greater, .greaterOrEqual:
      let (left, right) = (tables.operations[Int(operation.a)], tables.operations[Int(operation.b)])
      guard right.code == .constant, let value = tables.constants[Int(right.a)].asInt,
        left.code == .element || left.code == .member, case let base = tables.operations[Int(left.a)], base.code == .external,
        base.a == external
      else { return nil }
      var offset = -1
      if left.code == .element {
        guard case let index = tables.operations[Int(left.b)], index.code == .constant, let at = tables.constants[Int(index.a)].asInt,
          let found = Int(exactly: at), found >= 0
        else { return nil }
        offset = found
      } else if left.b != BuiltIn.length.rawValue {
        return nil
      }
      return [BytesComparison(offset: offset, code: operation.code, value: value)]
    default: return nil
    }
  }

  /// The location of an integer field in every body of its type; nil unless only integers with fixed sizes precede it.
  public func fixedNumber(_ field: FieldID) -> FixedNumber? {
    let info = tables.types[Int(tables.fields[Int(field.rawValue)].owner)]
    guard info.parameterCount == 0 else { return nil }
    var offset = 0
    for number in info.firstField..<(info.firstField &+ info.sequenceCount) {
      let step = tables.fields[Int(number)]
      guard step.isPlain, case let reader = tables.readers[Int(step.reader)], reader.extent == .none, reader.order != .calculated
      else {
        return nil
      }
      if number == field.rawValue {
        return FixedNumber(offset: offset, width: reader.width, isLittle: reader.order == .little, isSigned: reader.kind == .signed)
      }
      offset += Int(reader.width)
    }
    return nil
  }

  /// What an expression appends to a list, where it is no more than `external + list`.
  package func appended(_ expression: ExpressionID, to external: ExternalID) -> ExpressionID? {
    guard expression.rawValue >= 0, Int(expression.rawValue) < tables.operationCount else { return nil }
    let operation = tables.operations[Int(expression.rawValue)]
    guard operation.code == .add, case let list = tables.operations[Int(operation.a)], list.code == .external,
      list.a == external.rawValue
    else { return nil }
    return ExpressionID(rawValue: operation.b)
  }

  /// The field, as its number among its type's, and the name that an expression compares where it is no more than `field == external.name`.
  public func equality(_ expression: ExpressionID, with external: ExternalID) -> (field: Int32, name: Symbol)? {
    guard expression.rawValue >= 0, Int(expression.rawValue) < tables.operationCount else { return nil }
    let operation = tables.operations[Int(expression.rawValue)]
    guard operation.code == .equal else { return nil }
    let sides = (tables.operations[Int(operation.a)], tables.operations[Int(operation.b)])
    for (field, member) in [(sides.0, sides.1), (sides.1, sides.0)] {
      guard field.code == .slot, member.code == .member, case let base = tables.operations[Int(member.a)], base.code == .external,
        base.a == external.rawValue
      else { continue }
      return (field.a, Symbol(rawValue: member.b))
    }
    return nil
  }
}
