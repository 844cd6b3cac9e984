import KaitaiStruct
import PacketCodecs
import Text

// Embedded formats (protobuf, CBOR, JSON, text), encoded from field values.

extension CompiledProfile {
  /// The bytes of an embedded format. The body of a message may be a single value (`value`, `text` or `bytes`). Throws ``EncodeError`` where
  /// the values do not fit the format.
  func encode(_ body: EmbeddedFormat, _ value: FieldTree, isTop: Bool) throws(EncodeError) -> [UInt8] {
    var output: [UInt8] = []
    switch body {
    case .protobuf(let number): try protobuf(value, number, &output, [])
    case .cbor: try cbor(top(value, "value", isTop), &output, depth: 0)
    case .json: top(value, "value", isTop).append(to: &output)
    case .text:
      let given = isTop ? value["text"] ?? value : value
      guard let text = given.writtenText else { throw EncodeError(isTop ? "a text is given as text=…" : "expected text") }
      return Array(text.utf8)
    case .csv:
      guard case .object(let fields) = value else { throw EncodeError("the values of a csv body are given by their names") }
      for (index, field) in fields.enumerated() {
        if index > 0 { output.append(UInt8(ascii: ",")) }
        if let text = field.value.writtenText { output.append(text) } else { field.value.append(to: &output) }
      }
    case .bytes:
      let given = isTop ? value["bytes"] ?? value : value
      guard let bytes = given.writtenText.flatMap({ [UInt8](hex: $0) }) else {
        throw EncodeError(
          isTop ? "bytes are given as bytes=… in pairs of hexadecimal digits" : "expected bytes as pairs of hexadecimal digits")
      }
      return bytes
    }
    return output
  }

  /// The single value of a body, which is given under `name`; otherwise the value itself.
  private func top(_ value: FieldTree, _ name: String, _ isTop: Bool) -> FieldTree {
    if isTop, case .object(let fields) = value, fields.count == 1, fields[0].name == name { return fields[0].value }
    return value
  }

  private func cbor(_ value: FieldTree, _ output: inout [UInt8], depth: Int) throws(EncodeError) {
    guard depth < FieldWalker.deepest else { throw EncodeError("nested too deep") }
    switch value {
    case .null: CBORWriter.appendNull(to: &output)
    case .bool(let truth): CBORWriter.append(boolean: truth, to: &output)
    case .int(let number): CBORWriter.append(number, to: &output)
    case .uint(let number): CBORWriter.append(unsigned: number, to: &output)
    case .double(let number): CBORWriter.append(float: number, to: &output)
    case .text(let text): CBORWriter.append(text: text, to: &output)
    case .bytes(let bytes): CBORWriter.append(bytes: bytes.rawSpan, to: &output)
    case .written(let digits, .text):
      // An integer that does not fit 64 bits (RFC 8949, 3.4.3).
      guard let number = Int128(digits) else { throw EncodeError("\(digits) has more digits than can be encoded") }
      if number < 0, let below = UInt64(exactly: -1 - number) { return CBORWriter.append(negative: below, to: &output) }
      guard let bytes = DecimalDigits.bytes(String(number < 0 ? -1 - number : number), count: nil) else { return }
      CBORWriter.append(tag: number < 0 ? 3 : 2, to: &output)
      CBORWriter.append(bytes: bytes.rawSpan, to: &output)
    case .written(_, let plain): try cbor(plain, &output, depth: depth)
    case .list(let list):
      CBORWriter.append(arrayOf: list.count, to: &output)
      for element in list { try cbor(element, &output, depth: depth + 1) }
    case .object(let fields):
      CBORWriter.append(mapOf: fields.count, to: &output)
      for field in fields {
        if let number = Int64(field.name) {
          CBORWriter.append(number, to: &output)
        } else if let number = UInt64(field.name) {
          CBORWriter.append(unsigned: number, to: &output)
        } else {
          CBORWriter.append(text: field.name, to: &output)
        }
        try cbor(field.value, &output, depth: depth + 1)
      }
    }
  }

  private func protobuf(_ value: FieldTree, _ number: Int?, _ output: inout [UInt8], _ path: [String]) throws(EncodeError) {
    if value == .null { return }
    guard case .object(let fields) = value else { throw wrong(path, "expected the fields of a message") }
    guard path.count < FieldWalker.deepest else { throw wrong(path, "nested too deep") }
    let schema = number.map { protobufs.messages[$0] }
    for (name, value) in fields {
      let known = schema?.field(named: name)
      let path = path + [name]
      guard let key = known?.number ?? UInt32(name) else {
        let names = schema?.fields.map(\.name) ?? []
        let hint = nearest(name, of: names).map { "; did you mean \"\($0)\"?" }
        throw wrong(
          path,
          "the message has no such field"
            + (hint ?? (names.isEmpty ? "; fields are numbers here" : "; it has \(names.joined(separator: ", "))")))
      }
      if case .map(let entry) = known?.type, case .object(let entries) = value {
        for (name, value) in entries {
          var inner: [UInt8] = []
          let schema = protobufs.messages[entry]
          guard schema.fields.count == 2 else { throw wrong(path, "the map has no key and value") }
          try self.field(1, schema.fields[0], Int64(name).map { .int($0) } ?? .text(name), &inner, path + [name])
          try self.field(2, schema.fields[1], value, &inner, path + [name])
          ProtobufWriter.append(key, bytes: inner.rawSpan, to: &output)
        }
      } else if case .list(let list) = value, let known, !known.isRepeated, !known.type.isUnknown {
        // Several values where one was expected are written packed in one field, as in decoding.
        guard known.type.isPackable else { throw wrong(path, "the field has one value: it is not repeated") }
        var values: [UInt8] = []
        for (index, element) in list.enumerated() {
          // With the key of field 1 before it, which is one byte.
          var value: [UInt8] = []
          try field(1, known, element, &value, path + [String(index)])
          values += value.dropFirst()
        }
        ProtobufWriter.append(key, bytes: values.rawSpan, to: &output)
      } else if case .list(let list) = value {
        for (index, element) in list.enumerated() { try field(key, known, element, &output, path + [String(index)]) }
      } else {
        try field(key, known, value, &output, path)
      }
    }
  }

  private func wrong(_ path: [String], _ message: String) -> EncodeError {
    var error = EncodeError(message)
    error.path = path
    return error
  }

  private func field(
    _ number: UInt32, _ known: ProtobufSchema.Field?, _ value: FieldTree, _ output: inout [UInt8], _ path: [String]
  ) throws(EncodeError) {
    func append(_ bytes: [UInt8]) { ProtobufWriter.append(number, bytes: bytes.rawSpan, to: &output) }
    var value = value
    if let scale = known?.attributes.first(where: { $0.key == "-scale" })?.value, let fraction = Scale(scale, offset: nil),
      let shown = value.plainNumber
    {
      let raw = value.whole.flatMap(fraction.undoWhole) ?? Int64(exactly: fraction.undo(shown).rounded()).map { Int128($0) }
      guard let stored = raw.flatMap({ FieldTree(whole: $0) }) else { throw wrong(path, "the number does not fit") }
      value = stored
    }
    func whole() throws(EncodeError) -> Int64 {
      guard let whole = value.plainWhole else { throw wrong(path, "expected a whole number") }
      return whole
    }
    func real() throws(EncodeError) -> Double {
      guard let real = value.plainNumber else { throw wrong(path, "expected a number") }
      return real
    }
    switch known?.type ?? .unknown {
    case .string:
      guard let text = value.writtenText else { throw wrong(path, "expected text") }
      append(Array(text.utf8))
    case .bytes:
      guard let raw = value.writtenText.flatMap({ [UInt8](hex: $0) }) else {
        throw wrong(path, "expected bytes as pairs of hexadecimal digits")
      }
      append(raw)
    case .message(let inner), .map(let inner):
      var body: [UInt8] = []
      try protobuf(value, inner, &body, path)
      append(body)
    case .bool:
      guard let truth = value.plainNumber else { throw wrong(path, "expected true or false") }
      ProtobufWriter.append(number, varint: truth != 0 ? 1 : 0, to: &output)
    case .float: ProtobufWriter.append(number, fixed32: Float(try real()).bitPattern, to: &output)
    case .double: ProtobufWriter.append(number, fixed64: try real().bitPattern, to: &output)
    case .fixed32, .sfixed32: ProtobufWriter.append(number, fixed32: UInt32(truncatingIfNeeded: try whole()), to: &output)
    case .fixed64, .sfixed64: ProtobufWriter.append(number, fixed64: UInt64(bitPattern: try whole()), to: &output)
    case .sint32, .sint64: ProtobufWriter.append(number, zigzag: try whole(), to: &output)
    case .enumeration:
      var found = (value["value"] ?? value).plainWhole
      if found == nil, let name = (value["name"] ?? value).writtenText, let ordinal = known?.ordinal,
        let enumeration = protobufEnums[ordinal]
      {
        let names = labels[Int(enumeration.rawValue)]
        found = names.lazy.filter { $0.value == name }.map(\.key).min() ?? program.value(of: name, in: enumeration)
        if found == nil {
          let list =
            names.isEmpty || names.count > 20
            ? "" : "; expected one of: " + names.sorted { $0.key < $1.key }.map(\.value).joined(separator: ", ")
          throw wrong(path, "\"\(name)\" is not in the enum" + list)
        }
      }
      guard let found else { throw wrong(path, "expected a name of the enum or its number") }
      ProtobufWriter.append(number, varint: UInt64(bitPattern: found), to: &output)
    case .unknown:
      switch value {
      case .text(let text): append(Array(text.utf8))
      case .object:
        var body: [UInt8] = []
        try protobuf(value, nil, &body, path)
        append(body)
      default: ProtobufWriter.append(number, varint: UInt64(bitPattern: try whole()), to: &output)
      }
    default: ProtobufWriter.append(number, varint: UInt64(bitPattern: try whole()), to: &output)
    }
  }
}

extension FieldTree {
  /// Text as given, even if it looks like a number; bytes as hexadecimal digits; nil for other values.
  fileprivate var writtenText: String? {
    switch self {
    case .text(let text), .written(let text, _): text
    case .bytes(let bytes): String(hexOf: bytes)
    default: nil
    }
  }

  fileprivate var plainWhole: Int64? {
    switch self {
    case .int(let number): number
    // The same 64 bits.
    case .uint(let number): Int64(bitPattern: number)
    case .bool(let truth): truth ? 1 : 0
    case .double(let number): Int64(exactly: number)
    case .written(_, let plain): plain.plainWhole
    default: nil
    }
  }

  fileprivate var plainNumber: Double? {
    switch self {
    case .double(let number): number
    case .uint(let number): Double(number)
    case .written(_, let plain): plain.plainNumber
    default: plainWhole.map(Double.init)
    }
  }
}
