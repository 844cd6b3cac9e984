import KaitaiStruct
import Memory
import PacketCodecs
import Text

// Bodies that no type of the profile describes: JSON, CBOR, protobuf, CSV, text.

/// Finds the first error in embedded JSON, CBOR or protobuf.
struct ProblemFinder: MessageFieldVisitor {
  /// The first error, in words; nil where there is none.
  var text: String?

  mutating func leaf(_ field: FieldContext, _ value: MessageFieldValue) {}
  mutating func open(_ field: FieldContext, isArray: Bool, count: Int) -> Bool { text == nil }
  mutating func close(isArray: Bool) {}
  mutating func problem(_ text: String) { self.text = self.text ?? text }
}

extension FieldWalker {
  /// Visits a body that lies at `range` of the payload. At the top of a message its fields have no object around them.
  func inner<V: MessageFieldVisitor>(
    _ body: EmbeddedFormat, _ range: Range<Int>, name: FieldText, _ visitor: inout V, isTop: Bool, field: FieldContext? = nil,
    fields: BodyFields? = nil
  ) {
    guard let fields else { return plainInner(body, range, name: name, &visitor, isTop: isTop, field: field) }
    var styled = BodyFieldVisitor(visitor, fields.root, self, isTop: isTop)
    plainInner(body, range, name: name, &styled, isTop: isTop, field: field)
    visitor = styled.base
  }

  private func plainInner<V: MessageFieldVisitor>(
    _ body: EmbeddedFormat, _ range: Range<Int>, name: FieldText, _ visitor: inout V, isTop: Bool, field: FieldContext?
  ) {
    let payload = message.payload.span
    guard range.lowerBound >= 0, range.upperBound <= payload.byteCount else { return }
    var context = field ?? FieldContext(name: name, label: name, unit: .empty, range: range)
    context.range = range
    visitor.embedded(body.kind, in: range)
    switch body {
    case .protobuf(let number):
      guard isTop || open(context, isArray: false, &visitor) else { return }
      protobuf(payload, range, number, &visitor, depth: 0)
      if !isTop { close(context, isArray: false, &visitor) }
    case .cbor:
      var reader = CBORReader(in: range)
      if isTop { context = FieldContext(name: FieldText("value"), label: FieldText("value"), unit: .empty, range: range) }
      cbor(&reader, payload, context, &visitor, depth: 0, isTop: isTop)
      if reader.position < range.upperBound, reader.position > range.lowerBound {
        visitor.problem("CBOR ends at byte \(reader.position), \(range.upperBound - reader.position) bytes before its end")
      }
    case .json:
      var reader = JSONReader(payload, in: range)
      if isTop { context = FieldContext(name: FieldText("value"), label: FieldText("value"), unit: .empty, range: range) }
      json(&reader, context, &visitor, depth: 0, isTop: isTop)
      reader.blank()
      if !reader.isAtEnd, !reader.isBroken {
        visitor.problem("JSON ends at byte \(reader.at), \(range.upperBound - reader.at) bytes before its end")
      }
    case .text:
      if isTop { context = FieldContext(name: FieldText("text"), label: .empty, unit: .empty, range: range) }
      let text = trimmed(payload, range)
      guard admits(context, text.byteCount, &visitor) else { return }
      visitor.text(context, text)
    case .csv(let names):
      guard isTop || open(context, isArray: false, &visitor) else { return }
      csv(payload, range, names, &visitor)
      if !isTop { close(context, isArray: false, &visitor) }
    case .bytes:
      if isTop { context = FieldContext(name: FieldText("bytes"), label: .empty, unit: .empty, range: range) }
      guard admits(context, range.count, &visitor) else { return }
      visitor.bytes(context, payload.extracting(range))
    }
  }

  /// Opens an object or an array of a body. Outputs write its name with each field in it.
  private func open<V: MessageFieldVisitor>(_ field: FieldContext, isArray: Bool, count: Int = 0, _ visitor: inout V) -> Bool {
    guard visitor.open(field, isArray: isArray, count: count) else { return false }
    message.pathBytes &+= field.name.count
    return true
  }

  private func close<V: MessageFieldVisitor>(_ field: FieldContext, isArray: Bool, _ visitor: inout V) {
    message.pathBytes &-= field.name.count
    visitor.close(isArray: isArray)
  }

  /// Stores a name from the message's bytes until all fields of the message are visited.
  private func keep(_ bytes: [UInt8]) -> FieldText { message.names.keep(bytes) }

  /// Stores a name from a capture in printable form.
  private func keep(printable name: [UInt8]) -> FieldText {
    var text: [UInt8] = []
    text.append(printable: name.rawSpan)
    return keep(text)
  }

  /// Text without the line end and zeros behind it.
  @_lifetime(copy payload)
  private func trimmed(_ payload: RawSpan, _ range: Range<Int>) -> RawSpan {
    var end = range.upperBound
    while end > range.lowerBound, [0, 10, 13].contains(payload.byte(end - 1)) { end -= 1 }
    return payload.extracting(range.lowerBound..<end)
  }

  // MARK: Protobuf

  private func protobuf<V: MessageFieldVisitor>(
    _ payload: RawSpan, _ range: Range<Int>, _ number: Int?, _ visitor: inout V, depth: Int
  ) {
    guard depth < Self.deepest else { return visitor.problem("protobuf nested too deep") }
    let schema = number.map { profile.protobufs.messages[$0] }
    // The values of a repeated field may be scattered; they are visited together, where the first is.
    var visited: Set<UInt32> = []
    var reader = ProtobufReader(in: range)
    do throws(ProtobufError) {
      while let first = try reader.next(in: payload) {
        let known = schema?.field(first.number)
        if first.wireType == .groupStart { _ = try reader.group(first, in: payload) }
        if first.wireType == .groupEnd { throw ProtobufError(kind: .badGroup, offset: first.offset) }
        guard visited.insert(first.number).inserted else { continue }
        guard visited.count <= 256 else { return visitor.problem("protobuf with more than 256 kinds of fields") }
        let name = Array((known?.name ?? String(first.number)).utf8)
        var context = FieldContext(
          name: keep(name), label: keep(name.map { $0 == UInt8(ascii: "_") ? UInt8(ascii: " ") : $0 }), unit: .empty, range: first.range)
        for (key, value) in known?.attributes ?? [] {
          switch key {
          case "-unit": context.unit = keep(Array(value.utf8))
          case "-label": context.label = keep(Array(value.utf8))
          case "-secret": context.isSecret = value == "true"
          case "-personal": context.isPersonal = value == "true"
          case "-hidden": context.isHidden = value == "true"
          default: break
          }
        }
        // All occurrences of this field number, from this one on.
        var others = ProtobufReader(in: first.offset..<range.upperBound)
        var count = 0
        var last = first
        while count < 100_000, let other = try? others.next(in: payload) {
          if other.wireType == .groupStart { _ = try? others.group(other, in: payload) }
          if other.number == first.number {
            count += 1
            last = other
          }
        }
        let isRepeated = known?.isRepeated ?? (count > 1)
        if case .map(let entry) = known?.type {
          guard open(context, isArray: false, count: count, &visitor) else { continue }
          each(of: first, until: range.upperBound, payload) { mapEntry($0, entry, payload, &visitor, depth: depth + 1) }
          close(context, isArray: false, &visitor)
        } else if isRepeated {
          guard open(context, isArray: true, count: count, &visitor) else { continue }
          let element = context.element
          each(of: first, until: range.upperBound, payload) { field in
            if field.wireType == .bytes, let type = known?.type, type.isPackable {
              packed(field, known, element, payload, &visitor)
            } else {
              value(field, known, element, payload, &visitor, depth: depth + 1)
            }
          }
          close(context, isArray: true, &visitor)
        } else {
          // The last occurrence of a field that is not repeated counts.
          value(last, known, context, payload, &visitor, depth: depth + 1)
        }
      }
    } catch {
      visitor.problem("protobuf at byte \(error.offset): \(error.kind.words)")
    }
  }

  private func each(
    of first: ProtobufField, until end: Int, _ payload: RawSpan, _ body: (ProtobufField) -> Void
  ) {
    var reader = ProtobufReader(in: first.offset..<end)
    var count = 0
    while count < 100_000, let field = try? reader.next(in: payload) {
      count += 1
      if field.wireType == .groupStart { _ = try? reader.group(field, in: payload) }
      if field.number == first.number { body(field) }
    }
  }

  private func mapEntry<V: MessageFieldVisitor>(
    _ field: ProtobufField, _ entry: Int, _ payload: RawSpan, _ visitor: inout V, depth: Int
  ) {
    let schema = profile.protobufs.messages[entry]
    var key: ProtobufField?
    var found: ProtobufField?
    var reader = ProtobufReader(in: field.range)
    while let part = try? reader.next(in: payload) {
      if part.number == 1 { key = part }
      if part.number == 2 { found = part }
    }
    var name: [UInt8] = []
    if let key {
      if key.wireType == .bytes { name = payload.extracting(key.range).array } else { name.append(decimal: key.signed) }
    }
    let context = FieldContext(
      name: keep(name.isEmpty ? [UInt8(ascii: "0")] : name), label: keep(printable: name), unit: .empty, range: field.range)
    guard let found else {
      if admits(context, 0, &visitor) { visitor.leaf(context, .null) }
      return
    }
    value(found, schema.fields.last, context, payload, &visitor, depth: depth)
  }

  private func packed<V: MessageFieldVisitor>(
    _ field: ProtobufField, _ known: ProtobufSchema.Field?, _ context: FieldContext, _ payload: RawSpan, _ visitor: inout V
  ) {
    guard let known else { return }
    var at = field.range.lowerBound
    while at < field.range.upperBound {
      var part = field
      switch known.type {
      case .fixed32, .sfixed32, .float:
        guard at + 4 <= field.range.upperBound else { return visitor.problem("packed numbers of field \(field.number) end too early") }
        part.value = UInt64(payload.little32(at))
        part.range = at..<(at + 4)
      case .fixed64, .sfixed64, .double:
        guard at + 8 <= field.range.upperBound else { return visitor.problem("packed numbers of field \(field.number) end too early") }
        part.value = payload.little64(at)
        part.range = at..<(at + 8)
      default:
        guard let varint = Varint(payload, at: at, end: field.range.upperBound) else {
          return visitor.problem("packed numbers of field \(field.number) end too early")
        }
        part.value = varint.value
        part.range = at..<(at + varint.count)
      }
      at = part.range.upperBound
      number(part, known, context, &visitor)
    }
  }

  private func value<V: MessageFieldVisitor>(
    _ field: ProtobufField, _ known: ProtobufSchema.Field?, _ context: FieldContext, _ payload: RawSpan, _ visitor: inout V,
    depth: Int
  ) {
    var context = context
    context.range = field.range
    guard field.wireType == .bytes else {
      if field.wireType == .groupStart || field.wireType == .groupEnd { return }
      return number(field, known, context, &visitor)
    }
    let bytes = payload.extracting(field.range)
    guard admits(context, bytes.byteCount, &visitor) else { return }
    switch known?.type ?? .unknown {
    case .string: visitor.text(context, bytes)
    case .message(let number), .map(let number):
      guard open(context, isArray: false, &visitor) else { return }
      protobuf(payload, field.range, number, &visitor, depth: depth)
      close(context, isArray: false, &visitor)
    case .unknown:
      // Text is tried before messages: short texts often read as a message, messages rarely as text.
      if bytes.isText, !bytes.isEmpty {
        visitor.text(context, bytes)
      } else if !bytes.isEmpty, ProtobufReader.isMessage(payload, in: field.range) {
        guard open(context, isArray: false, &visitor) else { return }
        protobuf(payload, field.range, nil, &visitor, depth: depth)
        close(context, isArray: false, &visitor)
      } else {
        visitor.bytes(context, bytes)
      }
    case let type where type.isPackable && type != .bytes:
      // A packed list where one number was expected: all of its values are visited.
      guard let known, open(context, isArray: true, &visitor) else { return }
      let element = context.element
      packed(field, known, element, payload, &visitor)
      close(context, isArray: true, &visitor)
    default: visitor.bytes(context, bytes)
    }
  }

  private func number<V: MessageFieldVisitor>(
    _ field: ProtobufField, _ known: ProtobufSchema.Field?, _ context: FieldContext, _ visitor: inout V
  ) {
    var context = context
    context.range = field.range
    guard admits(context, 0, &visitor) else { return }
    let scale = known.flatMap { field in
      field.attributes.isEmpty ? nil : Scale(field.attributes.first { $0.key == "-scale" }?.value, offset: nil)
    }
    func whole(_ value: Int128) {
      guard let scale, known?.attributes.contains(where: { $0.key == "-scale" }) == true else {
        return self.whole(value, context, &visitor)
      }
      if let exact = scale.applyWhole(value) { return self.whole(exact, context, &visitor) }
      visitor.leaf(context, .double(scale.apply(Double(value)), isSingle: false))
    }
    func whole(_ value: Int64) { whole(Int128(value)) }
    switch known?.type ?? .unknown {
    case .bool: visitor.leaf(context, .bool(field.value != 0))
    case .int32: whole(Int64(Int32(truncatingIfNeeded: field.value)))
    case .int64: whole(field.signed)
    case .uint32, .fixed32: whole(Int64(UInt32(truncatingIfNeeded: field.value)))
    case .sfixed32: whole(Int64(Int32(truncatingIfNeeded: field.value)))
    case .sint32, .sint64: whole(field.zigzag)
    case .sfixed64: whole(field.signed)
    // The wire type decides between float and double: some profiles declare the other one. Elements of a list have no wire type of their own.
    case .float where field.wireType != .fixed64, .double where field.wireType == .fixed32:
      visitor.leaf(context, .double(Double(field.float), isSingle: true))
    case .float, .double: visitor.leaf(context, .double(field.double, isSingle: false))
    case .enumeration:
      let value = Int64(Int32(truncatingIfNeeded: field.value))
      let enumeration = known.flatMap { profile.protobufEnums[$0.ordinal] }
      let label = enumeration.flatMap { profile.shown.enumerations[Int($0.rawValue)].label(value) }
      message.printedBytes &+= label?.pointee.name.count ?? 0
      visitor.enumerated(context, label.map(FieldLabel.init), value)
    case .uint64, .fixed64: whole(Int128(field.value))
    default:
      // Negative numbers of unknown type are varints of ten bytes.
      if field.wireType == .fixed32 { return whole(Int64(UInt32(truncatingIfNeeded: field.value))) }
      whole(field.signed)
    }
  }

  // MARK: CBOR

  private func cbor<V: MessageFieldVisitor>(
    _ reader: inout CBORReader, _ payload: RawSpan, _ field: FieldContext, _ visitor: inout V, depth: Int,
    isTop: Bool = false
  ) {
    guard depth < Self.deepest else { return visitor.problem("CBOR nested too deep") }
    do throws(CBORError) {
      guard let item = try reader.next(in: payload) else {
        throw CBORError(kind: .cutShort, offset: reader.position)
      }
      try cborItem(item, &reader, payload, field, &visitor, depth: depth, isTop: isTop)
    } catch {
      visitor.problem("CBOR at byte \(error.offset): \(error.kind.words)")
    }
  }

  private func cborItem<V: MessageFieldVisitor>(
    _ item: CBORItem, _ reader: inout CBORReader, _ payload: RawSpan, _ field: FieldContext, _ visitor: inout V, depth: Int,
    isTop: Bool
  ) throws(CBORError) {
    var field = field
    field.range = item.offset..<max(item.offset, item.contents.upperBound)
    let contents = payload.extracting(item.contents)
    if case .tag = item.kind {
      // Its item is counted.
    } else if !admits(field, contents.byteCount, &visitor) {
      reader = CBORReader(in: reader.end..<reader.end)
      return
    }
    switch item.kind {
    case .unsigned(let value): visitor.leaf(field, value >> 63 == 0 ? .int(Int64(value)) : .uint(value))
    case .negative(let value): whole(-1 - Int128(value), field, &visitor)
    case .bytes: visitor.bytes(field, contents)
    case .text: visitor.text(field, contents)
    case .boolean(let truth): visitor.leaf(field, .bool(truth))
    case .float(let value): visitor.leaf(field, .double(value, isSingle: false))
    case .tag(let tag) where tag == 2 || tag == 3:
      // A whole number of any size (RFC 8949, 3.4.3).
      var behind = reader
      guard let number = try behind.next(in: payload), number.kind == .bytes, number.contents.count <= DecimalDigits.maxBytes
      else {
        return cbor(&reader, payload, field, &visitor, depth: depth + 1, isTop: isTop)
      }
      reader = behind
      field.range = item.offset..<number.contents.upperBound
      let digits = DecimalDigits.text(payload.extracting(number.contents).array, isNegative: tag == 3)
      if let value = Int128(String(decoding: digits, as: UTF8.self)) { return whole(value, field, &visitor) }
      visitor.text(field, digits.rawSpan)
    case .tag: cbor(&reader, payload, field, &visitor, depth: depth + 1, isTop: isTop)
    case .array(let count):
      guard depth < Self.deepest else { return visitor.problem("CBOR nested too deep") }
      guard open(field, isArray: true, count: Int(clamping: count ?? 0), &visitor) else { return try pass(item, &reader, payload) }
      // The array is closed even if its contents are malformed.
      defer { close(field, isArray: true, &visitor) }
      let element = field.element
      var left = count ?? UInt64.max
      while left > 0 {
        let next = try cborNext(&reader, payload)
        if next.kind == .end, count == nil { break }
        try cborItem(next, &reader, payload, element, &visitor, depth: depth + 1, isTop: false)
        left -= 1
      }
    case .map(let count):
      guard depth < Self.deepest else { return visitor.problem("CBOR nested too deep") }
      guard isTop || open(field, isArray: false, count: Int(clamping: count ?? 0), &visitor) else {
        return try pass(item, &reader, payload)
      }
      defer { if !isTop { close(field, isArray: false, &visitor) } }
      var left = count ?? UInt64.max
      while left > 0 {
        let key = try cborNext(&reader, payload)
        if key.kind == .end, count == nil { break }
        var name: [UInt8] = []
        switch key.kind {
        case .textInPieces: name = try cborPieces(&reader, payload)
        case .bytesInPieces:
          let pieces = try cborPieces(&reader, payload)
          name.append(hexOf: pieces.rawSpan)
        case .text: name = payload.extracting(key.contents).array
        case .bytes: name.append(hexOf: payload.extracting(key.contents))
        case .unsigned(let number): name.append(decimal: number)
        case .negative(let number): name += String(-1 - Int128(number)).utf8
        case .boolean(let truth): name += (truth ? "true" : "false").utf8
        case .null: name += "null".utf8
        default:
          visitor.problem("CBOR at byte \(key.offset): a key that is neither a number nor a text")
          reader = CBORReader(in: reader.end..<reader.end)
          return
        }
        if name.isEmpty { name = [UInt8(ascii: "_")] }
        let value = try cborNext(&reader, payload)
        let entry = FieldContext(name: keep(name), label: keep(printable: name), unit: .empty, range: value.contents)
        try cborItem(value, &reader, payload, entry, &visitor, depth: depth + 1, isTop: false)
        left -= 1
      }
    case .textInPieces, .bytesInPieces:
      let pieces = try cborPieces(&reader, payload)
      field.range = item.offset..<reader.position
      if item.kind == .textInPieces { visitor.text(field, pieces.rawSpan) } else { visitor.bytes(field, pieces.rawSpan) }
    case .end: throw CBORError(kind: .misplaced, offset: item.offset)
    default: visitor.leaf(field, .null)
    }
  }

  /// Visits an integer: as digits where it does not fit 64 bits.
  func whole<V: MessageFieldVisitor>(_ number: Int128, _ field: FieldContext, _ visitor: inout V) {
    if let small = Int64(exactly: number) { return visitor.leaf(field, .int(small)) }
    if let large = UInt64(exactly: number) { return visitor.leaf(field, .uint(large)) }
    let digits = Array(String(number).utf8)
    visitor.text(field, digits.rawSpan)
  }

  /// Skips an item whose head was read.
  private func pass(_ item: CBORItem, _ reader: inout CBORReader, _ payload: RawSpan) throws(CBORError) {
    reader = CBORReader(in: item.offset..<reader.end)
    _ = try reader.skip(in: payload)
  }

  /// The next item. Throws where there is none.
  private func cborNext(_ reader: inout CBORReader, _ payload: RawSpan) throws(CBORError) -> CBORItem {
    guard let item = try reader.next(in: payload) else { throw CBORError(kind: .cutShort, offset: reader.position) }
    return item
  }

  /// The joined chunks of an indefinite-length text or byte string.
  private func cborPieces(_ reader: inout CBORReader, _ payload: RawSpan) throws(CBORError) -> [UInt8] {
    var bytes: [UInt8] = []
    while true {
      let piece = try cborNext(&reader, payload)
      switch piece.kind {
      case .text, .bytes: bytes += payload.extracting(piece.contents).array
      case .end: return bytes
      default: throw CBORError(kind: .misplaced, offset: piece.offset)
      }
    }
  }

  // MARK: Text

  private func csv<V: MessageFieldVisitor>(
    _ payload: RawSpan, _ range: Range<Int>, _ names: [String], _ visitor: inout V
  ) {
    let text = trimmed(payload, range)
    var index = 0
    var start = 0
    while start <= text.byteCount {
      let end = text.firstIndex(of: UInt8(ascii: ","), from: start) ?? text.byteCount
      var low = start
      var high = end
      while low < high, text.byte(low) == 32 { low += 1 }
      while high > low, text.byte(high - 1) == 32 { high -= 1 }
      let name = Array((index < names.count ? names[index] : String(index + 1)).utf8)
      let label = name.map { $0 == UInt8(ascii: "_") ? UInt8(ascii: " ") : $0 }
      let context = FieldContext(
        name: keep(name), label: keep(label), unit: .empty, range: (range.lowerBound + low)..<(range.lowerBound + high))
      let bytes = text.extracting(low..<high)
      guard admits(context, bytes.byteCount, &visitor) else { return }
      // A word that reads as a number is one.
      let word = bytes.text
      if let whole = Int64(word) {
        visitor.leaf(context, .int(whole))
      } else if let whole = UInt64(word) {
        visitor.leaf(context, .uint(whole))
      } else if WideNumber.isWhole(word.utf8) {
        visitor.text(context, bytes)
      } else if let first = word.utf8.first, first < 0x3A, let number = Double(word) {
        visitor.leaf(context, .double(number, isSingle: false))
      } else {
        visitor.text(context, bytes)
      }
      index += 1
      start = end + 1
    }
  }

  private func json<V: MessageFieldVisitor>(
    _ reader: inout JSONReader, _ field: FieldContext, _ visitor: inout V, depth: Int, isTop: Bool = false
  ) {
    // Only the first problem is reported: others may follow from it.
    func problem(_ text: String) {
      if !reader.isBroken { visitor.problem(text) }
      reader.isBroken = true
    }
    guard depth < Self.deepest else { return problem("JSON nested too deep") }
    guard let token = reader.next() else { return problem("JSON at byte \(reader.at): no value") }
    var field = field
    field.range = token.range
    guard admits(field, token.range.count, &visitor) else {
      // The rest is left out, which was reported.
      reader.isBroken = true
      reader.at = reader.end
      return
    }
    switch token.kind {
    case .null: visitor.leaf(field, .null)
    case .bool(let truth): visitor.leaf(field, .bool(truth))
    case .int(let number): visitor.leaf(field, .int(number))
    case .uint(let number): visitor.leaf(field, .uint(number))
    case .double(let number): visitor.leaf(field, .double(number, isSingle: false))
    case .digits(let digits): visitor.text(field, digits.rawSpan)
    case .string(let text): visitor.text(field, text.rawSpan)
    case .open(let isArray):
      if !isTop || isArray { guard open(field, isArray: isArray, &visitor) else { return reader.skipContainer() } }
      var element = FieldContext(name: .empty, label: .empty, unit: .empty, range: token.range)
      while !reader.takes(isArray ? UInt8(ascii: "]") : UInt8(ascii: "}")) {
        if reader.isAtEnd {
          problem("JSON ends too early")
          break
        }
        if !isArray {
          guard let key = reader.next(), case .string(let name) = key.kind, reader.takes(UInt8(ascii: ":")) else {
            problem("JSON at byte \(reader.at): a name was due")
            reader.at = reader.end
            break
          }
          element.name = keep(name.isEmpty ? [UInt8(ascii: "_")] : name)
          element.label = keep(printable: name)
        }
        let before = reader.at
        json(&reader, element, &visitor, depth: depth + 1)
        _ = reader.takes(UInt8(ascii: ","))
        if reader.at == before { break }
      }
      if !isTop || isArray { close(field, isArray: isArray, &visitor) }
    }
  }
}

extension CBORError.Kind {
  /// The error in words, for messages.
  fileprivate var words: String {
    switch self {
    case .cutShort: "ends too early"
    case .reserved: "a reserved value"
    case .misplaced: "an item that cannot stand here"
    case .tooDeep: "nested too deep"
    }
  }
}

extension ProtobufError.Kind {
  /// The error in words, for messages.
  fileprivate var words: String {
    switch self {
    case .badKey: "no field begins here"
    case .badWireType: "a wire type that is none"
    case .cutShort: "ends too early"
    case .badGroup: "a group that ends where none began"
    case .tooDeep: "nested too deep"
    }
  }
}

/// Reads JSON (RFC 8259) value by value.
struct JSONReader: ~Escapable {
  enum Kind {
    case null, bool(Bool), int(Int64), uint(UInt64), double(Double), string([UInt8]), open(isArray: Bool)
    /// The digits of an integer that does not fit 64 bits.
    case digits([UInt8])
  }
  let bytes: RawSpan
  var at: Int
  let end: Int
  /// An error was reported.
  var isBroken = false

  @_lifetime(copy bytes)
  init(_ bytes: RawSpan, in range: Range<Int>) {
    self.bytes = bytes
    at = range.lowerBound
    end = range.upperBound
  }

  var isAtEnd: Bool { at >= end }

  @_lifetime(self: copy self)
  mutating func blank() {
    while at < end, bytes.byte(at) == 32 || bytes.byte(at) == 9 || bytes.byte(at) == 10 || bytes.byte(at) == 13 || bytes.byte(at) == 0 {
      at += 1
    }
  }

  /// Skips the character `sign` if it is next. Returns whether it was.
  @_lifetime(self: copy self)
  mutating func takes(_ sign: UInt8) -> Bool {
    blank()
    guard at < end, bytes.byte(at) == sign else { return false }
    at += 1
    return true
  }

  /// The next value, or the opening of one; nil where there is none.
  @_lifetime(self: copy self)
  mutating func next() -> (kind: Kind, range: Range<Int>)? {
    blank()
    guard at < end else { return nil }
    let start = at
    switch bytes.byte(at) {
    case UInt8(ascii: "{"), UInt8(ascii: "["):
      at += 1
      return (.open(isArray: bytes.byte(start) == UInt8(ascii: "[")), start..<at)
    case UInt8(ascii: "\""): return string().map { (.string($0), start..<at) }
    case UInt8(ascii: "t") where word("true"): return (.bool(true), start..<at)
    case UInt8(ascii: "f") where word("false"): return (.bool(false), start..<at)
    case UInt8(ascii: "n") where word("null"): return (.null, start..<at)
    case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"):
      var isWhole = true
      while at < end {
        switch bytes.byte(at) {
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "+"): break
        case UInt8(ascii: "."), UInt8(ascii: "e"), UInt8(ascii: "E"): isWhole = false
        default:
          return number(start, isWhole)
        }
        at += 1
      }
      return number(start, isWhole)
    default: return nil
    }
  }

  private func number(_ start: Int, _ isWhole: Bool) -> (kind: Kind, range: Range<Int>)? {
    let text = bytes.extracting(start..<at).text
    if isWhole, let whole = Int64(text) { return (.int(whole), start..<at) }
    if isWhole, let whole = UInt64(text) { return (.uint(whole), start..<at) }
    if isWhole, WideNumber.isWhole(text.utf8) { return (.digits(Array(text.utf8)), start..<at) }
    return Double(text).map { (.double($0), start..<at) }
  }

  @_lifetime(self: copy self)
  private mutating func word(_ word: StaticString) -> Bool {
    guard at + word.utf8CodeUnitCount <= end else { return false }
    for index in 0..<word.utf8CodeUnitCount where unsafe bytes.byte(at + index) != word.utf8Start[index] { return false }
    at += word.utf8CodeUnitCount
    return true
  }

  @_lifetime(self: copy self)
  private mutating func string() -> [UInt8]? {
    var text: [UInt8] = []
    at += 1
    while at < end {
      let byte = bytes.byte(at)
      at += 1
      if byte == UInt8(ascii: "\"") { return text }
      guard byte == UInt8(ascii: "\\") else {
        text.append(byte)
        continue
      }
      guard at < end else { return nil }
      let code = bytes.byte(at)
      at += 1
      switch code {
      case UInt8(ascii: "n"): text.append(10)
      case UInt8(ascii: "t"): text.append(9)
      case UInt8(ascii: "r"): text.append(13)
      case UInt8(ascii: "b"): text.append(8)
      case UInt8(ascii: "f"): text.append(12)
      case UInt8(ascii: "u"):
        guard var value = hex4() else { return nil }
        if value & 0xFC00 == 0xD800, at + 6 <= end, bytes.byte(at) == UInt8(ascii: "\\"), bytes.byte(at + 1) == UInt8(ascii: "u") {
          at += 2
          guard let low = hex4() else { return nil }
          value = 0x10000 + (value & 0x3FF) << 10 + low & 0x3FF
        }
        text.append(contentsOf: String(Unicode.Scalar(value).map(Character.init) ?? "\u{FFFD}").utf8)
      default: text.append(code)
      }
    }
    return nil
  }

  @_lifetime(self: copy self)
  private mutating func hex4() -> UInt32? {
    guard at + 4 <= end else { return nil }
    let digits = bytes.extracting(at..<(at + 4)).text
    at += 4
    return UInt32(digits, radix: 16)
  }

  /// Skips to behind the end of the object or array that was opened last.
  @_lifetime(self: copy self)
  mutating func skipContainer() {
    var open = 1
    while open > 0, at < end {
      switch bytes.byte(at) {
      case UInt8(ascii: "\""): if string() == nil { return } else { continue }
      case UInt8(ascii: "{"), UInt8(ascii: "["): open += 1
      case UInt8(ascii: "}"), UInt8(ascii: "]"): open -= 1
      default: break
      }
      at += 1
    }
  }
}
