import Bluetooth

/// Writes the fields of a PDU as the inside of a JSON object.
struct JSONFields: Bluetooth.FieldVisitor {
  private var pen: Pen
  /// One bit per level: something stands before on it.
  private var hasBefore: UInt64 = 0
  /// One bit per level: it is an array, whose elements have no keys.
  private var isArray: UInt64 = 0

  /// Goes on where `pen` stands.
  init(_ pen: Pen) { self.pen = pen }

  /// The pen, behind the last field.
  var end: Pen { pen }

  @inline(__always)
  private mutating func key(_ field: Field) {
    pen.reserve(field.name.count &+ 4)
    if hasBefore & 1 != 0 { pen.byte(UInt8(ascii: ",")) }
    hasBefore |= 1
    guard isArray & 1 == 0 else { return }
    pen.byte(UInt8(ascii: "\""))
    pen.name(field.name)
    pen.text("\":")
  }

  mutating func field(_ field: Field, _ value: Bluetooth.FieldValue, at range: Range<Int>, in bytes: RawSpan) {
    if field.isReserved { return }
    key(field)
    switch value {
    case .unsigned(let number):
      if let enumeration = field.enumeration {
        named(field, enumeration, number)
      } else if field.multiplier != 1 || field.decimals != 0 || !field.unit.isEmpty {
        scaled(field, Int64(bitPattern: number))
      } else {
        pen.unsigned(number)
      }
    case .signed(let number):
      if field.multiplier != 1 || field.decimals != 0 || !field.unit.isEmpty { scaled(field, number) } else { pen.decimal(Int(number)) }
    case .bool(let truth): pen.text(truth ? "true" : "false")
    case .bytes(let range):
      let whole = 0..<bytes.byteCount
      let (first, count) = (range.clamped(to: whole).lowerBound, range.clamped(to: whole).count)
      pen.byte(UInt8(ascii: "\""))
      if count > 0 { unsafe bytes.withUnsafeBytes { unsafe pen.hex($0.baseAddress.unsafelyUnwrapped + first, count) } }
      pen.byte(UInt8(ascii: "\""))
    case .text(let range):
      pen.byte(UInt8(ascii: "\""))
      unsafe bytes.extracting(range.clamped(to: 0..<bytes.byteCount)).withUnsafeBytes { text in
        pen.through { unsafe $0.untrusted(text, .json) }
      }
      pen.byte(UInt8(ascii: "\""))
    case .address(let address):
      pen.byte(UInt8(ascii: "\""))
      pen.through { $0.address(address.address) }
      pen.byte(UInt8(ascii: "\""))
    case .uuid(let uuid):
      pen.byte(UInt8(ascii: "\""))
      if let short = uuid.short16 {
        pen.hex(byte: UInt8(truncatingIfNeeded: short >> 8))
        pen.hex(byte: UInt8(truncatingIfNeeded: short))
      } else {
        pen.through { $0.string(uuid.description) }
      }
      pen.byte(UInt8(ascii: "\""))
    }
  }

  /// An enumerated value: `{"name": …, "value": n}`; flags: `{"names": […], "value": n}`.
  private mutating func named(_ field: Field, _ enumeration: Enumeration, _ number: UInt64) {
    pen.byte(UInt8(ascii: "{"))
    if enumeration.isFlags {
      pen.text("\"names\":[")
      var isFirst = true
      _ = enumeration.forEachFlag(in: number) { name in
        if !isFirst { pen.byte(UInt8(ascii: ",")) }
        isFirst = false
        pen.byte(UInt8(ascii: "\""))
        pen.name(name)
        pen.byte(UInt8(ascii: "\""))
      }
      pen.text("],")
    } else if let name = field.name(of: number) {
      pen.text("\"name\":\"")
      pen.name(name)
      pen.text("\",")
    }
    pen.text("\"value\":")
    pen.unsigned(number)
    pen.byte(UInt8(ascii: "}"))
  }

  /// A value with a unit: `{"raw": n, "value": x, "unit": …}`.
  private mutating func scaled(_ field: Field, _ raw: Int64) {
    pen.text("{\"raw\":")
    pen.decimal(Int(raw))
    pen.text(",\"value\":")
    if field.decimals == 0 { pen.decimal(Int(field.scaled(raw))) } else { pen.through { $0.scaled(field, raw) } }
    if !field.unit.isEmpty {
      pen.text(",\"unit\":\"")
      pen.name(field.unit)
      pen.byte(UInt8(ascii: "\""))
    }
    pen.byte(UInt8(ascii: "}"))
  }

  mutating func beginObject(_ field: Field, at offset: Int) {
    key(field)
    pen.byte(UInt8(ascii: "{"))
    hasBefore <<= 1
    isArray <<= 1
  }

  mutating func endObject(_ field: Field, at range: Range<Int>) {
    pen.byte(UInt8(ascii: "}"))
    hasBefore >>= 1
    isArray >>= 1
  }

  mutating func beginArray(_ field: Field, at offset: Int) {
    key(field)
    pen.byte(UInt8(ascii: "["))
    hasBefore <<= 1
    isArray = isArray << 1 | 1
  }

  mutating func endArray(_ field: Field, at range: Range<Int>) {
    pen.byte(UInt8(ascii: "]"))
    hasBefore >>= 1
    isArray >>= 1
  }

  mutating func problem(_ problem: FieldProblem) {}
}

extension Output {
  /// Appends a scaled value in decimal.
  func scaled(_ field: Field, _ raw: Int64) {
    var digits: [UInt8] = []
    field.writeScaled(raw, to: &digits)
    self.raw(digits)
  }
}
