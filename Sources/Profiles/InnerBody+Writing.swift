import Kaitai
import PacketCodecs

// Bodies that describe themselves, written from values.

extension CompiledProfile {
  /// The bytes of an inner body; nil where the values do not fit it. At the top of a message JSON and CBOR may stand as their value alone.
  func encode(_ body: InnerBody, _ value: FieldTree, isTop: Bool) -> [UInt8]? {
    var output: [UInt8] = []
    switch body {
    case .protobuf(let number): return protobuf(value, number, &output, depth: 0) ? output : nil
    case .cbor:
      guard cbor(top(value, "value", isTop), &output, depth: 0) else { return nil }
      return output
    case .json:
      top(value, "value", isTop).append(to: &output)
      return output
    case .text:
      guard case .text(let text) = isTop ? value["text"] ?? value : value else { return nil }
      return Array(text.utf8)
    case .csv:
      guard case .object(let fields) = value else { return nil }
      for (place, field) in fields.enumerated() {
        if place > 0 { output.append(UInt8(ascii: ",")) }
        if case .text(let text) = field.value { output.append(text) } else { field.value.append(to: &output) }
      }
      return output
    case .bytes:
      guard case .text(let text) = isTop ? value["bytes"] ?? value : value else { return nil }
      return [UInt8](hex: text)
    }
  }

  /// A value that is no object stands under a name of its own at the top of a message.
  private func top(_ value: FieldTree, _ name: String, _ isTop: Bool) -> FieldTree {
    if isTop, case .object(let fields) = value, fields.count == 1, fields[0].name == name { return fields[0].value }
    return value
  }

  private func cbor(_ value: FieldTree, _ output: inout [UInt8], depth: Int) -> Bool {
    guard depth < FieldWalker.deepest else { return false }
    switch value {
    case .null: CBORWriter.appendNull(to: &output)
    case .bool(let truth): CBORWriter.append(boolean: truth, to: &output)
    case .int(let number): CBORWriter.append(number, to: &output)
    case .double(let number): CBORWriter.append(float: number, to: &output)
    case .text(let text): CBORWriter.append(text: text, to: &output)
    case .list(let list):
      CBORWriter.append(arrayOf: list.count, to: &output)
      for element in list where !cbor(element, &output, depth: depth + 1) { return false }
    case .object(let fields):
      CBORWriter.append(mapOf: fields.count, to: &output)
      for field in fields {
        if let number = Int64(field.name) {
          CBORWriter.append(number, to: &output)
        } else {
          CBORWriter.append(text: field.name, to: &output)
        }
        if !cbor(field.value, &output, depth: depth + 1) { return false }
      }
    }
    return true
  }

  private func protobuf(_ value: FieldTree, _ number: Int?, _ output: inout [UInt8], depth: Int) -> Bool {
    if value == .null { return true }
    guard case .object(let fields) = value, depth < FieldWalker.deepest else { return false }
    let schema = number.map { protobufs.messages[$0] }
    for (name, value) in fields {
      let known = schema?.field(named: name)
      guard let key = known?.number ?? UInt32(name) else { return false }
      if case .map(let entry) = known?.type, case .object(let entries) = value {
        for (name, value) in entries {
          var inner: [UInt8] = []
          let schema = protobufs.messages[entry]
          guard schema.fields.count == 2,
            self.field(1, schema.fields[0], Int64(name).map { .int($0) } ?? .text(name), &inner, depth: depth),
            self.field(2, schema.fields[1], value, &inner, depth: depth)
          else { return false }
          unsafe ProtobufWriter.append(key, bytes: inner.span.bytes, to: &output)
        }
      } else if case .list(let list) = value {
        for element in list where !field(key, known, element, &output, depth: depth) { return false }
      } else if !field(key, known, value, &output, depth: depth) {
        return false
      }
    }
    return true
  }

  private func field(
    _ number: UInt32, _ known: ProtobufSchema.Field?, _ value: FieldTree, _ output: inout [UInt8], depth: Int
  ) -> Bool {
    func bytes(_ bytes: [UInt8]) -> Bool {
      unsafe ProtobufWriter.append(number, bytes: bytes.span.bytes, to: &output)
      return true
    }
    var value = value
    if let scale = known?.attributes.first(where: { $0.key == "-scale" })?.value, let fraction = Scale(scale, offset: nil),
      let shown = value.plainNumber
    {
      guard let raw = Int64(exactly: fraction.undo(shown).rounded()) else { return false }
      value = .int(raw)
    }
    switch known?.type ?? .unknown {
    case .string:
      guard case .text(let text) = value else { return false }
      return bytes(Array(text.utf8))
    case .bytes:
      guard case .text(let text) = value, let raw = [UInt8](hex: text) else { return false }
      return bytes(raw)
    case .message(let inner), .map(let inner):
      var body: [UInt8] = []
      return protobuf(value, inner, &body, depth: depth + 1) && bytes(body)
    case .bool:
      guard let truth = value.plainNumber else { return false }
      ProtobufWriter.append(number, varint: truth != 0 ? 1 : 0, to: &output)
    case .float:
      guard let single = value.plainNumber else { return false }
      ProtobufWriter.append(number, fixed32: Float(single).bitPattern, to: &output)
    case .double:
      guard let double = value.plainNumber else { return false }
      ProtobufWriter.append(number, fixed64: double.bitPattern, to: &output)
    case .fixed32, .sfixed32:
      guard let whole = value.plainWhole else { return false }
      ProtobufWriter.append(number, fixed32: UInt32(truncatingIfNeeded: whole), to: &output)
    case .fixed64, .sfixed64:
      guard let whole = value.plainWhole else { return false }
      ProtobufWriter.append(number, fixed64: UInt64(bitPattern: whole), to: &output)
    case .sint32, .sint64:
      guard let whole = value.plainWhole else { return false }
      ProtobufWriter.append(number, zigzag: whole, to: &output)
    case .enumeration:
      var whole = (value["value"] ?? value).plainWhole
      if whole == nil, case .text(let name) = value["name"] ?? value, let ordinal = known?.ordinal, let enumeration = protobufEnums[ordinal]
      {
        whole = labels[Int(enumeration.rawValue)].first { $0.value == name }?.key ?? program.value(of: name, in: enumeration)
      }
      guard let whole else { return false }
      ProtobufWriter.append(number, varint: UInt64(bitPattern: whole), to: &output)
    case .unknown:
      switch value {
      case .text(let text): return bytes(Array(text.utf8))
      case .object:
        var body: [UInt8] = []
        return protobuf(value, nil, &body, depth: depth + 1) && bytes(body)
      default:
        guard let whole = value.plainWhole else { return false }
        ProtobufWriter.append(number, varint: UInt64(bitPattern: whole), to: &output)
      }
    default:
      guard let whole = value.plainWhole else { return false }
      ProtobufWriter.append(number, varint: UInt64(bitPattern: whole), to: &output)
    }
    return true
  }
}

extension FieldTree {
  fileprivate var plainWhole: Int64? {
    switch self {
    case .int(let number): number
    case .bool(let truth): truth ? 1 : 0
    case .double(let number): Int64(exactly: number)
    default: nil
    }
  }

  fileprivate var plainNumber: Double? {
    switch self {
    case .double(let number): number
    default: plainWhole.map(Double.init)
    }
  }
}
