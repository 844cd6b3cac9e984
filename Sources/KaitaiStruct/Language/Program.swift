import Memory

/// A compiled specification: immutable, shared by all trees and threads. Created by ``Compiler``.
public final class KaitaiProgram: @unchecked Sendable {
  /// The flat tables that the interpreter uses.
  @usableFromInline let tables: ProgramTables
  /// All names, by ``Symbol``.
  public let names: [String]
  /// Names of the types with their outer types: `file::outer::name`.
  public let typeNames: [String]
  /// Names of the enums with their outer types.
  public let enumNames: [String]
  /// Names of the external values, by ``ExternalID``.
  public let externalNames: [String]
  /// Position of each field in its file, by ``FieldID``.
  public let fieldPositions: [SourcePosition]
  /// The path to each field in its file: `/types/header/seq/0`.
  public let fieldPaths: [String]
  let encodings: [Encoding]
  let fieldAttributes: [Int32: [String: String]]
  let typeAttributes: [Int32: [String: String]]
  private let typeNumbers: [String: Int32]
  private let symbols: [String: Int32]

  init(
    tables: ProgramTables, names: [String], typeNames: [String], enumNames: [String], externalNames: [String],
    fieldPositions: [SourcePosition], fieldPaths: [String], encodings: [Encoding],
    fieldAttributes: [Int32: [String: String]], typeAttributes: [Int32: [String: String]], typeNumbers: [String: Int32]
  ) {
    self.tables = tables
    self.names = names
    self.typeNames = typeNames
    self.enumNames = enumNames
    self.externalNames = externalNames
    self.fieldPositions = fieldPositions
    self.fieldPaths = fieldPaths
    self.encodings = encodings
    self.fieldAttributes = fieldAttributes
    self.typeAttributes = typeAttributes
    self.typeNumbers = typeNumbers
    symbols = Dictionary(names.enumerated().map { ($0.element, Int32($0.offset)) }, uniquingKeysWith: { first, _ in first })
  }

  deinit { tables.deallocate() }

  // MARK: Looking up, at load time

  /// The type with a name, which may be a path such as `outer::inner`; nil where there is none.
  public func type(_ name: String) -> TypeID? { typeNumbers[name].map(TypeID.init(rawValue:)) }

  /// The symbol of `name`; nil where the program does not contain this name.
  public func symbol(_ name: String) -> Symbol? { symbols[name].map(Symbol.init(rawValue:)) }

  /// Number of types.
  public var typeCount: Int { typeNames.count }

  /// The fields of `type`: parameters, then `seq`, then instances.
  @inlinable
  public func fields(of type: TypeID) -> FieldRange {
    let info = tables.types[Int(type.rawValue)]
    return FieldRange(first: info.firstField, count: info.fieldCount)
  }

  /// The field of `type` with a name; nil where there is none.
  public func field(_ name: String, of type: TypeID) -> FieldID? {
    symbol(name).flatMap { field($0, of: type) }
  }

  /// The field of `type` with that name; nil where there is none. Takes time in proportion to the number of fields.
  @inlinable
  public func field(_ symbol: Symbol, of type: TypeID) -> FieldID? {
    let slot = tables.slot(of: symbol.rawValue, in: type.rawValue)
    return slot < 0 ? nil : FieldID(rawValue: tables.types[Int(type.rawValue)].firstField &+ slot)
  }

  /// The name of a field in the file; `_unnamed1` where it has none.
  public func name(of field: FieldID) -> String { names[Int(tables.fields[Int(field.rawValue)].name)] }

  /// The symbol of a field's name.
  @inlinable
  public func symbol(of field: FieldID) -> Symbol { Symbol(rawValue: tables.fields[Int(field.rawValue)].name) }

  /// The type that a field belongs to.
  @inlinable
  public func owner(of field: FieldID) -> TypeID { TypeID(rawValue: tables.fields[Int(field.rawValue)].owner) }

  /// Whether a field is an instance: not part of the sequence, read or computed on demand.
  @inlinable
  public func isInstance(_ field: FieldID) -> Bool { tables.fields[Int(field.rawValue)].role == .instance }

  /// Whether a field is a parameter.
  @inlinable
  public func isParameter(_ field: FieldID) -> Bool { tables.fields[Int(field.rawValue)].role == .parameter }

  /// The type of a field's objects if it is a single type; nil for numbers, bytes, text and switches.
  public func type(of field: FieldID) -> TypeID? {
    let reader = tables.fields[Int(field.rawValue)].reader
    guard reader >= 0, tables.readers[Int(reader)].kind == .object else { return nil }
    return TypeID(rawValue: tables.readers[Int(reader)].type)
  }

  /// The enum of a field's values; nil where it has none.
  public func enumeration(of field: FieldID) -> EnumID? {
    let number = tables.fields[Int(field.rawValue)].enumeration
    return number < 0 ? nil : EnumID(rawValue: number)
  }

  /// The text of a field's attribute whose key begins with a dash (`-unit`); nil where it is absent or no scalar.
  public func attribute(_ key: String, of field: FieldID) -> String? { fieldAttributes[field.rawValue]?[key] }

  /// The text of a type's attribute whose key begins with a dash (`-say`); nil where it is absent or no scalar.
  public func attribute(_ key: String, of type: TypeID) -> String? { typeAttributes[type.rawValue]?[key] }

  /// The name of `value` in an enum; nil where it has none.
  @inlinable
  public func name(of value: Int64, in enumeration: EnumID) -> String? {
    let symbol = tables.enumName(enumeration.rawValue, UInt64(bitPattern: value), isBig: false)
    return symbol < 0 ? nil : names[Int(symbol)]
  }

  /// The value with a name in an enum; nil where there is none, or the value is beyond 2⁶³−1.
  public func value(of name: String, in enumeration: EnumID) -> Int64? {
    guard let symbol = symbols[name] else { return nil }
    let info = tables.enums[Int(enumeration.rawValue)]
    for index in Int(info.first)..<Int(info.first + info.count) where tables.enumEntries[index].name == symbol {
      return tables.enumEntries[index].isBig ? nil : Int64(bitPattern: tables.enumEntries[index].bits)
    }
    return nil
  }

  /// The names of an enum's entries, in the order of their values.
  public func entries(of enumeration: EnumID) -> [(value: Int64, name: String)] {
    let info = tables.enums[Int(enumeration.rawValue)]
    return (Int(info.first)..<Int(info.first + info.count)).map {
      (Int64(bitPattern: tables.enumEntries[$0].bits), names[Int(tables.enumEntries[$0].name)])
    }
  }
}

/// Consecutive fields.
public struct FieldRange: Sendable, RandomAccessCollection {
  @usableFromInline let first: Int32
  @usableFromInline let length: Int32

  @inlinable
  init(first: Int32, count: Int32) {
    self.first = first
    self.length = count
  }

  /// Always 0.
  @inlinable public var startIndex: Int { 0 }
  /// Number of fields.
  @inlinable public var endIndex: Int { Int(length) }
  /// The field at `position`.
  @inlinable public subscript(position: Int) -> FieldID { FieldID(rawValue: first &+ Int32(truncatingIfNeeded: position)) }
}

/// The kind of a field's value, if it is known without bytes.
public enum FieldKind: Sendable {
  /// A number, a boolean or an enum's value.
  case number
  /// Bytes.
  case bytes
  /// Text.
  case text
  /// Several values.
  case list
  /// An object, or the result of a switch.
  case other
}

extension KaitaiProgram {
  /// Whether a field has a condition.
  public func isConditional(_ field: FieldID) -> Bool { tables.fields[Int(field.rawValue)].condition >= 0 }

  /// Whether a field is an instance with a check (`valid`).
  public func isCheckedInstance(_ field: FieldID) -> Bool {
    let info = tables.fields[Int(field.rawValue)]
    return info.role == .instance && info.checkCount > 0
  }

  /// Whether a field repeats until a condition holds, so that it has at least one element.
  public func repeatsUntil(_ field: FieldID) -> Bool { tables.fields[Int(field.rawValue)].repetition == .until }

  /// The types that an object of a type may contain, including itself.
  public func types(within type: TypeID) -> Set<TypeID> {
    var found: Set<TypeID> = [type]
    var open = [type]
    func follow(_ number: Int32) {
      guard number >= 0 else { return }
      let reader = tables.readers[Int(number)]
      switch reader.kind {
      case .object:
        let inner = TypeID(rawValue: reader.type)
        if found.insert(inner).inserted { open.append(inner) }
      case .switched:
        let info = tables.switches[Int(reader.switchNumber)]
        for index in Int(info.firstCase)..<Int(info.firstCase + info.caseCount) { follow(tables.cases[index].target) }
        follow(info.otherwise)
      default: break
      }
    }
    while let type = open.popLast() { for field in fields(of: type) { follow(tables.fields[Int(field.rawValue)].reader) } }
    return found
  }

  /// Whether a field of the sequence holds text or bytes, or a list of them.
  public func holdsText(_ field: FieldID) -> Bool {
    let reader = tables.fields[Int(field.rawValue)].reader
    guard reader >= 0 else { return false }
    let kind = tables.readers[Int(reader)].kind
    return kind == .string || kind == .bytes
  }

  /// The fixed size in bytes of a field of bytes or text; nil where it varies.
  public func fixedSize(of field: FieldID) -> Int? {
    let reader = tables.fields[Int(field.rawValue)].reader
    guard reader >= 0, tables.readers[Int(reader)].extent == .constant else { return nil }
    return Int(tables.readers[Int(reader)].size)
  }

  /// Whether a field of the sequence holds floating-point numbers.
  public func isFloat(_ field: FieldID) -> Bool {
    let reader = tables.fields[Int(field.rawValue)].reader
    return reader >= 0 && tables.readers[Int(reader)].kind == .float
  }

  /// Whether a field of the sequence holds floating-point numbers of four bytes.
  public func isSingle(_ field: FieldID) -> Bool {
    let reader = tables.fields[Int(field.rawValue)].reader
    return reader >= 0 && tables.readers[Int(reader)].kind == .float && tables.readers[Int(reader)].width == 4
  }

  /// Whether a field always has the same bytes: `contents`, or a `valid` with one value.
  package func isFixed(_ field: FieldID) -> Bool {
    let info = tables.fields[Int(field.rawValue)]
    return (0..<Int(info.checkCount)).contains { tables.checks[Int(info.firstCheck) + $0].kind == .equal }
  }

  /// Whether a bit field takes the lowest bit of a byte first.
  package func takesLowBitsFirst(_ field: FieldID) -> Bool {
    let reader = tables.fields[Int(field.rawValue)].reader
    guard reader >= 0 else { return false }
    return tables.readers[Int(reader)].kind == .bits && tables.readers[Int(reader)].order == .little
  }

  /// The kind of a sequence field's value; `other` for computed instances.
  public func kind(of field: FieldID) -> FieldKind {
    let info = tables.fields[Int(field.rawValue)]
    guard info.repetition == .once else { return .list }
    guard info.reader >= 0 else { return .other }
    return switch tables.readers[Int(info.reader)].kind {
    case .unsigned, .signed, .float, .bits: .number
    case .bytes: .bytes
    case .string: .text
    default: .other
    }
  }
}
