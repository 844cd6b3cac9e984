import Memory
import PacketCodecs

/// Plain values: conversion of the given value to the number, text or bytes that the field's reader stores.
extension Writer {
  /// The given value for a reader; nil where it is no plain value.
  func plain(_ value: FieldTree, _ reader: Table<Reader>.Entry) throws(WriteError) -> KaitaiValue? {
    if case .written(let text, let plain) = value {
      let isText = reader.pointee.kind == .string || reader.pointee.kind == .bytes
      return try self.plain(isText ? .text(text) : plain, reader)
    }
    switch reader.pointee.kind {
    case .object, .none: return nil
    case .switched:
      switch value {
      case .int(let number): return .int(number)
      case .uint(let number): return .uint(number)
      case .bool(let truth): return .bool(truth)
      default: return nil
      }
    case .unsigned, .signed, .bits: return try whole(value, reader)
    case .float:
      switch value {
      case .double(let number): return .float(try nearest(number, reader))
      case .int(let number): return .float(try nearest(Double(number), reader))
      case .uint(let number): return .float(try nearest(Double(number), reader))
      default: throw wrong("expected a number")
      }
    case .string:
      guard case .text(let text) = value else { throw wrong("expected text") }
      return try produced(Array(text.utf8), .string)
    case .bytes:
      switch value {
      case .bytes(let bytes): return try produced(bytes, .bytes)
      case .text(let text):
        guard let bytes = Self.hex(text) else { throw wrong("expected bytes as pairs of hexadecimal digits") }
        return try produced(bytes, .bytes)
      case .list(let elements):
        var bytes: [UInt8] = []
        for element in elements {
          guard case .int(let number) = element, let byte = UInt8(exactly: number) else { throw wrong("expected bytes") }
          bytes.append(byte)
        }
        return try produced(bytes, .bytes)
      case .int(let number) where number >= 0:
        // Hexadecimal digits without a letter look like a number.
        guard let bytes = Self.hex(String(number)) else { throw wrong("expected bytes as pairs of hexadecimal digits") }
        return try produced(bytes, .bytes)
      default: throw wrong("expected bytes")
      }
    }
  }

  /// The nearest number with two bytes (half precision); other numbers are unchanged.
  private func nearest(_ number: Double, _ reader: Table<Reader>.Entry) throws(WriteError) -> Double {
    guard reader.pointee.width == 2, number.isFinite else { return number }
    let stored = HalfFloat.value(HalfFloat.bits(number))
    guard stored.isFinite else { throw wrong("\(number) does not fit 16 bits: the largest number is 65504") }
    return stored
  }

  func produced(_ bytes: [UInt8], _ kind: KaitaiValue.Kind) throws(WriteError) -> KaitaiValue {
    let offset = try guarded { machine throws(Stop) in try machine.produce(copying: bytes) }
    return .bytes(kind, offset: offset, count: bytes.count, buffer: .produced)
  }

  func whole(_ value: FieldTree, _ reader: Table<Reader>.Entry) throws(WriteError) -> KaitaiValue {
    let enumeration = reader.pointee.enumeration
    func made(_ value: KaitaiValue) -> KaitaiValue {
      guard enumeration >= 0 else { return reader.pointee.isBoolean ? .bool(value.bits != 0) : value }
      return KaitaiValue(kind: .enumeration, bits: value.bits, enumNumber: enumeration, kindFlag: value.kind == .uint)
    }
    switch value {
    case .int(let number):
      if reader.pointee.isBoolean, number != 0, number != 1 { throw wrong("expected true or false") }
      return made(.int(number))
    case .uint(let number): return made(.uint(number))
    case .bool(let truth): return made(.int(truth ? 1 : 0))
    case .double(let number):
      guard let whole = Int64(exactly: number) else { throw wrong("expected a whole number") }
      return made(.int(whole))
    case .text(let name):
      guard enumeration >= 0 else {
        guard let number = Loader.integer(name) else { throw wrong("expected a whole number, found \"\(name)\"") }
        return made(.int(Int64(number)))
      }
      let known = program.entries(of: EnumID(rawValue: enumeration))
      guard let entry = known.first(where: { $0.name == name }) else {
        if let number = Loader.integer(name) { return made(.int(Int64(number))) }
        let list = known.count <= 20 ? "; expected one of: \(known.map(\.name).joined(separator: ", "))" : ""
        throw wrong("\"\(name)\" is not in the enum\(suggestion(for: name, of: known.map(\.name)))\(list)")
      }
      return made(.int(entry.value))
    case .object:
      if let value = value["value"] { return try whole(value, reader) }
      if let name = value["name"] { return try whole(name, reader) }
      throw wrong("expected a whole number")
    default: throw wrong("expected a whole number")
    }
  }

  static func hex(_ text: String) -> [UInt8]? {
    var bytes: [UInt8] = []
    var high: UInt8?
    for character in text.utf8 where character != UInt8(ascii: " ") && character != UInt8(ascii: ":") {
      guard let nibble = Character(Unicode.Scalar(character)).hexDigitValue else { return nil }
      if let upper = high {
        bytes.append(upper << 4 | UInt8(nibble))
        high = nil
      } else {
        high = UInt8(nibble)
      }
    }
    return high == nil ? bytes : nil
  }
}

extension FieldTree {
  /// Whether it is an integer.
  var isWholeNumber: Bool {
    switch self {
    case .int, .uint: true
    case .written(_, let plain): plain.isWholeNumber
    default: false
    }
  }
}
