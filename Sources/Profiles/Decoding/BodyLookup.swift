import KaitaiStruct
import PacketCodecs
import Text

/// A format of bytes that expressions look into, or a part of one.
enum BodyFormat: Hashable, Sendable {
  case json, cbor
  case csv([String])
  /// Protobuf, with the index of the message whose schema names its fields; nil for none.
  case protobuf(Int?)
  /// The values of a repeated field of a protobuf message.
  case repeated(Int?, UInt32)
  /// The entries of a map field of a protobuf message.
  case map(Int, UInt32)

  init?(_ format: EmbeddedFormat) {
    switch format {
    case .json: self = .json
    case .cbor: self = .cbor
    case .csv(let names): self = .csv(names)
    case .protobuf(let number): self = .protobuf(number)
    case .text, .bytes: return nil
    }
  }
}

/// The formats that a profile's expressions look into, with their numbers.
final class BodyFormats {
  private(set) var list: [BodyFormat] = []
  private var numbers: [BodyFormat: Int32] = [:]
  /// Whether a field or message is CBOR. Lists of the state are CBOR, too.
  var usesCBOR = false
  /// Upper bound of formats, as messages may add some; profiles have fewer.
  private static let maxCount = 4096

  init(_ list: [BodyFormat] = []) { list.forEach { _ = number($0) } }

  /// The number of a format; nil where there are too many.
  func number(_ format: BodyFormat) -> Int32? {
    if let known = numbers[format] { return known }
    guard list.count < Self.maxCount else { return nil }
    list.append(format)
    numbers[format] = Int32(list.count - 1)
    return Int32(list.count - 1)
  }
}

/// Looks up values in JSON, CBOR, CSV and protobuf for expressions: one component of a path at a time, without storing any of the bytes.
final class BodyLookup: BodyReader {
  private let formats: BodyFormats
  private let messages: [ProtobufSchema.ProfileMessage]
  /// Upper bound of counted elements.
  private static let maxElements = 65536

  init(_ profile: CompiledProfile) {
    formats = BodyFormats(profile.bodyFormats)
    messages = profile.protobufs.messages
  }

  func value(at component: BodyPathComponent, in bytes: RawSpan, format: Int32) -> BodyValue {
    guard format >= 0, Int(format) < formats.list.count else { return .absent }
    switch formats.list[Int(format)] {
    case .json: return json(component, bytes, format)
    case .cbor: return cbor(component, bytes, format)
    case .csv(let names): return csv(component, bytes, names)
    case .protobuf(let schema): return protobuf(component, bytes, schema)
    case .repeated(let schema, let number):
      guard case .index(let index) = component, index >= 0 else { return .absent }
      var found = BodyValue.absent
      var position: Int64 = 0
      values(bytes, schema, number) { value in
        if position == index { found = value }
        position += 1
        return position <= index
      }
      return found
    case .map(let schema, let number): return entry(component, bytes, schema, number)
    }
  }

  func count(_ bytes: RawSpan, format: Int32) -> Int? {
    guard format >= 0, Int(format) < formats.list.count else { return nil }
    var count = 0
    switch formats.list[Int(format)] {
    case .json:
      var reader = JSONReader(bytes, in: 0..<bytes.byteCount)
      guard let token = reader.next(), case .open(isArray: true) = token.kind else { return nil }
      while count < Self.maxElements, !reader.isAtEnd, !reader.takes(UInt8(ascii: "]")), pass(&reader) {
        count += 1
        _ = reader.takes(UInt8(ascii: ","))
      }
      return count
    case .cbor:
      var reader = CBORReader(in: 0..<bytes.byteCount)
      guard case .array(let total)? = head(&reader, bytes)?.kind else { return nil }
      if let total { return Int(clamping: total) }
      while count < Self.maxElements, let next = peek(reader, bytes), next.kind != .end,
        (try? reader.skip(in: bytes)) != nil
      {
        count += 1
      }
      return count
    case .csv: return bytes.array.count { $0 == UInt8(ascii: ",") } + 1
    case .repeated(let schema, let number):
      values(bytes, schema, number) { _ in
        count += 1
        return count < Self.maxElements
      }
      return count
    case .protobuf, .map: return nil
    }
  }

  // MARK: JSON

  private func json(_ component: BodyPathComponent, _ bytes: RawSpan, _ format: Int32) -> BodyValue {
    var reader = JSONReader(bytes, in: 0..<bytes.byteCount)
    guard let token = reader.next(), case .open(let isArray) = token.kind else { return .absent }
    var element: Int64 = 0
    while !reader.isAtEnd, !reader.takes(isArray ? UInt8(ascii: "]") : UInt8(ascii: "}")) {
      var isWanted = false
      if isArray {
        if case .index(element) = component { isWanted = true }
      } else {
        guard let key = reader.next(), case .string(let name) = key.kind, reader.takes(UInt8(ascii: ":")) else { return .absent }
        switch component {
        case .name(let wanted): isWanted = name.elementsEqual(wanted.utf8)
        case .index(let number): isWanted = name.elementsEqual(String(number).utf8)
        }
      }
      if isWanted { return value(&reader, format) }
      guard pass(&reader) else { return .absent }
      _ = reader.takes(UInt8(ascii: ","))
      element += 1
    }
    return .absent
  }

  private func value(_ reader: inout JSONReader, _ format: Int32) -> BodyValue {
    guard let token = reader.next() else { return .absent }
    switch token.kind {
    case .null: return .absent
    case .bool(let truth): return .bool(truth)
    case .int(let number): return .int(number)
    case .uint(let number): return .uint(number)
    case .double(let number): return .float(number)
    case .string(let text), .digits(let text): return .text(text)
    case .open:
      reader.skipContainer()
      return .part(token.range.lowerBound..<reader.at, format: format)
    }
  }

  /// Skips a value. Returns false where there is none.
  private func pass(_ reader: inout JSONReader) -> Bool {
    guard let token = reader.next() else { return false }
    if case .open = token.kind { reader.skipContainer() }
    return true
  }

  // MARK: CBOR

  /// The next item, behind its tags.
  private func head(_ reader: inout CBORReader, _ bytes: RawSpan) -> CBORItem? {
    for _ in 0..<16 {
      guard let item = try? reader.next(in: bytes) else { return nil }
      if case .tag = item.kind { continue }
      return item
    }
    return nil
  }

  private func peek(_ reader: CBORReader, _ bytes: RawSpan) -> CBORItem? {
    var reader = reader
    return try? reader.next(in: bytes)
  }

  private func cbor(_ component: BodyPathComponent, _ bytes: RawSpan, _ format: Int32) -> BodyValue {
    var reader = CBORReader(in: 0..<bytes.byteCount)
    guard let item = head(&reader, bytes) else { return .absent }
    let isArray: Bool
    var left: UInt64
    switch item.kind {
    case .array(let count): (isArray, left) = (true, count ?? .max)
    case .map(let count): (isArray, left) = (false, count ?? .max)
    default: return .absent
    }
    var element: Int64 = 0
    while left > 0, let next = peek(reader, bytes), next.kind != .end {
      var isWanted = false
      if isArray {
        if case .index(element) = component { isWanted = true }
      } else {
        guard let key = head(&reader, bytes) else { return .absent }
        switch (key.kind, component) {
        case (.text, .name(let wanted)): isWanted = bytes.extracting(key.contents).elementsEqual(wanted)
        case (.unsigned, .index(let number)), (.negative, .index(let number)): isWanted = key.integer == number
        case (.textInPieces, _), (.bytesInPieces, _), (.array, _), (.map, _):
          reader = CBORReader(in: key.offset..<bytes.byteCount)
          guard (try? reader.skip(in: bytes)) != nil else { return .absent }
        default: break
        }
      }
      if isWanted { return value(&reader, bytes, format) }
      guard (try? reader.skip(in: bytes)) != nil else { return .absent }
      left -= 1
      element += 1
    }
    return .absent
  }

  private func value(_ reader: inout CBORReader, _ bytes: RawSpan, _ format: Int32) -> BodyValue {
    guard let item = head(&reader, bytes) else { return .absent }
    switch item.kind {
    case .unsigned(let number): return number >> 63 == 0 ? .int(Int64(number)) : .uint(number)
    case .negative(let number): return item.integer.map { .int($0) } ?? .text(Array(String(-1 - Int128(number)).utf8))
    case .bytes: return .bytes(item.contents)
    case .text: return .text(bytes.extracting(item.contents).array)
    case .boolean(let truth): return .bool(truth)
    case .float(let number): return .float(number)
    case .array, .map:
      reader = CBORReader(in: item.offset..<bytes.byteCount)
      guard (try? reader.skip(in: bytes)) != nil else { return .absent }
      return .part(item.offset..<reader.position, format: format)
    case .textInPieces:
      var text: [UInt8] = []
      while let piece = try? reader.next(in: bytes), case .text = piece.kind {
        text += bytes.extracting(piece.contents).array
      }
      return .text(text)
    default: return .absent
    }
  }

  // MARK: CSV

  private func csv(_ component: BodyPathComponent, _ bytes: RawSpan, _ names: [String]) -> BodyValue {
    let wanted: Int
    switch component {
    case .name(let name):
      guard let index = names.firstIndex(of: name) else { return .absent }
      wanted = index
    case .index(let index): wanted = Int(clamping: index)
    }
    guard wanted >= 0 else { return .absent }
    var end = bytes.byteCount
    while end > 0, [0, 10, 13].contains(bytes.byte(end - 1)) { end -= 1 }
    let line = bytes.extracting(0..<end)
    var index = 0
    var start = 0
    while start <= end {
      let stop = line.firstIndex(of: UInt8(ascii: ","), from: start) ?? end
      if index == wanted {
        let word = line.extracting(start..<stop).text.filter { $0 != " " }
        if let whole = Int64(word) { return .int(whole) }
        if let whole = UInt64(word) { return .uint(whole) }
        if WideNumber.isWhole(word.utf8) { return .text(Array(word.utf8)) }
        if let first = word.utf8.first, first < 0x3A, let number = Double(word) { return .float(number) }
        var text = line.extracting(start..<stop).array
        while text.last == 32 { text.removeLast() }
        return .text(Array(text.drop { $0 == 32 }))
      }
      index += 1
      start = stop + 1
    }
    return .absent
  }

  // MARK: Protobuf

  private func protobuf(_ component: BodyPathComponent, _ bytes: RawSpan, _ schema: Int?) -> BodyValue {
    let known: ProtobufSchema.Field?
    let number: UInt32
    switch component {
    case .name(let name):
      guard let field = schema.flatMap({ messages[$0].field(named: name) }) else { return .absent }
      (known, number) = (field, field.number)
    case .index(let index):
      guard let wanted = UInt32(exactly: index) else { return .absent }
      (known, number) = (schema.flatMap { messages[$0].field(wanted) }, wanted)
    }
    var count = 0
    var last = BodyValue.absent
    values(bytes, schema, number) { value in
      count += 1
      last = value
      return count < Self.maxElements
    }
    guard count > 0 else { return .absent }
    let whole = 0..<bytes.byteCount
    if case .map(let entries)? = known?.type {
      return formats.number(.map(entries, number)).map { .part(whole, format: $0) } ?? .absent
    }
    guard known?.isRepeated ?? (count > 1) else { return last }
    return formats.number(.repeated(schema, number)).map { .part(whole, format: $0) } ?? .absent
  }

  /// Calls `body` with each value of a field in these bytes, including packed ones, until it returns false.
  private func values(_ bytes: RawSpan, _ schema: Int?, _ number: UInt32, _ body: (BodyValue) -> Bool) {
    let known = schema.flatMap { messages[$0].field(number) }
    var reader = ProtobufReader(in: 0..<bytes.byteCount)
    while let field = try? reader.next(in: bytes) {
      if field.wireType == .groupStart { guard (try? reader.group(field, in: bytes)) != nil else { return } }
      guard field.number == number, field.wireType != .groupStart, field.wireType != .groupEnd else { continue }
      if field.wireType == .bytes, let type = known?.type, type.isPackable {
        guard packed(field, type, bytes, body) else { return }
      } else if !body(value(field, known?.type ?? .unknown, bytes)) {
        return
      }
    }
  }

  private func packed(
    _ field: ProtobufField, _ type: ProtobufSchema.FieldType, _ bytes: RawSpan, _ body: (BodyValue) -> Bool
  ) -> Bool {
    var at = field.range.lowerBound
    while at < field.range.upperBound {
      var part = field
      let width: Int
      switch type {
      case .fixed32, .sfixed32, .float: width = 4
      case .fixed64, .sfixed64, .double: width = 8
      default: width = 0
      }
      if width > 0 {
        guard at + width <= field.range.upperBound else { return true }
        part.value = width == 4 ? UInt64(bytes.little32(at)) : bytes.little64(at)
        at += width
      } else {
        guard let varint = Varint(bytes, at: at, end: field.range.upperBound) else { return true }
        part.value = varint.value
        at += varint.count
      }
      if !body(number(part, type)) { return false }
    }
    return true
  }

  private func value(_ field: ProtobufField, _ type: ProtobufSchema.FieldType, _ bytes: RawSpan) -> BodyValue {
    guard field.wireType == .bytes else { return number(field, type) }
    let content = bytes.extracting(field.range)
    switch type {
    case .string: return .text(content.array)
    case .message(let inner), .map(let inner):
      return formats.number(.protobuf(inner)).map { .part(field.range, format: $0) } ?? .bytes(field.range)
    case .unknown:
      if content.isText, !content.isEmpty { return .text(content.array) }
      if !content.isEmpty, ProtobufReader.isMessage(bytes, in: field.range), let format = formats.number(.protobuf(nil)) {
        return .part(field.range, format: format)
      }
      return .bytes(field.range)
    default: return .bytes(field.range)
    }
  }

  private func number(_ field: ProtobufField, _ type: ProtobufSchema.FieldType) -> BodyValue {
    switch type {
    case .bool: .bool(field.value != 0)
    case .int32, .sfixed32, .enumeration: .int(Int64(Int32(truncatingIfNeeded: field.value)))
    case .uint32, .fixed32: .int(Int64(UInt32(truncatingIfNeeded: field.value)))
    case .sint32, .sint64: .int(field.zigzag)
    case .float: .float(field.wireType == .fixed64 ? field.double : Double(field.float))
    case .double: .float(field.wireType == .fixed32 ? Double(field.float) : field.double)
    case .uint64, .fixed64: field.value >> 63 == 0 ? .int(field.signed) : .uint(field.value)
    default: field.wireType == .fixed32 ? .int(Int64(UInt32(truncatingIfNeeded: field.value))) : .int(field.signed)
    }
  }

  /// The value of a map's entry.
  private func entry(_ component: BodyPathComponent, _ bytes: RawSpan, _ schema: Int, _ number: UInt32) -> BodyValue {
    let type = messages[schema].fields.last?.type ?? .unknown
    var reader = ProtobufReader(in: 0..<bytes.byteCount)
    var found = BodyValue.absent
    while let field = try? reader.next(in: bytes) {
      if field.wireType == .groupStart { guard (try? reader.group(field, in: bytes)) != nil else { break } }
      guard field.number == number, field.wireType == .bytes else { continue }
      var inner = ProtobufReader(in: field.range)
      var isWanted = false
      var value = BodyValue.absent
      while let part = try? inner.next(in: bytes) {
        if part.number == 1 {
          switch component {
          case .name(let name): isWanted = part.wireType == .bytes && bytes.extracting(part.range).elementsEqual(name)
          case .index(let index): isWanted = part.wireType != .bytes && part.signed == index
          }
        } else if part.number == 2 {
          value = self.value(part, type, bytes)
        }
      }
      if isWanted { found = value }
    }
    return found
  }
}
