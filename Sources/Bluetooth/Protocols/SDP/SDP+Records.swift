import PacketCodecs

/// The fields of PDUs: service search patterns, lists of attribute identifiers, and records with their attributes by name.
extension SDP {
  /// Bit in the opcode of rows with the last of several parts of a response. Rows whose PDU is joined attributes have the identifier of the response
  /// instead. The upper half is the requested service class, if there was one.
  public static let lastPart: UInt32 = 0x100

  /// A row with this opcode has joined attributes, without a header.
  public static func isJoined(_ opcode: UInt32) -> Bool { opcode & 0xFF != 0 }

  /// Reports the fields of a PDU to `visitor`, including the header; attributes that come in parts are reported as bytes. Returns its row, or nil
  /// where it has none.
  @discardableResult
  public static func walk<Visitor: FieldVisitor>(
    _ bytes: RawSpan, in range: Range<Int>? = nil, isPart: Bool = false, service: UInt32 = 0, _ visitor: inout Visitor
  ) -> PDU? {
    let range = (range ?? 0..<bytes.byteCount).clamped(to: 0..<bytes.byteCount)
    guard range.count >= 5, let code = bytes.u8(range.lowerBound) else {
      header.walk(bytes, in: range, &visitor)
      return nil
    }
    header.walk(bytes, in: range, allowsSurplus: true, &visitor)
    let pdu = pdus[UInt32(code)]
    let start = range.lowerBound &+ 5
    let length = Int(bytes.integer(range.lowerBound &+ 3, 2, isBigEndian: true))
    let stop = min(start &+ length, range.upperBound)
    switch pdu == nil ? nil : PDUIdentifier(rawValue: code) {
    case .serviceSearchRequest?:
      let at = pattern(bytes, start..<stop, &visitor)
      if let pdu, at < stop { pdu.parameters.walk(bytes, in: at..<stop, &visitor) }
    case .serviceSearchAttributeRequest?, .serviceAttributeRequest?:
      guard let pdu else { break }
      var at = code == PDUIdentifier.serviceAttributeRequest.rawValue ? start : pattern(bytes, start..<stop, &visitor)
      at = pdu.parameters.walk(bytes, in: at..<stop, allowsSurplus: true, &visitor)
      at = identifiers(bytes, at..<stop, &visitor)
      if at < stop { continuation.walk(bytes, in: at..<stop, &visitor) }
    case .serviceAttributeResponse?, .serviceSearchAttributeResponse?:
      guard let pdu else { break }
      let at = pdu.parameters.walk(bytes, in: start..<stop, allowsSurplus: true, &visitor)
      guard at == start &+ 2 else { break }
      let end = min(at &+ Int(bytes.integer(start, 2, isBigEndian: true)), stop)
      if isPart || bytes.u8(end).map({ $0 != 0 }) ?? false {
        if at < end { part.walk(bytes, in: at..<end, &visitor) }
      } else {
        attributes(bytes, in: at..<end, isList: code == PDUIdentifier.serviceAttributeResponse.rawValue, service: service, &visitor)
      }
      if end < stop { continuation.walk(bytes, in: end..<stop, &visitor) }
    default:
      HCI.walkParameters(pdu?.parameters ?? .none, bytes, from: start, length: length, to: range.upperBound, &visitor)
      return pdu
    }
    if start &+ length > range.upperBound {
      visitor.problem(.short(lengthField, offset: start, needed: length, available: range.upperBound &- start))
    } else if stop < range.upperBound {
      visitor.problem(.surplus(stop..<range.upperBound))
    }
    return pdu
  }

  /// Reports an attribute list, or a list of attribute lists (4.6 and 4.7).
  static func attributes<Visitor: FieldVisitor>(
    _ bytes: RawSpan, in range: Range<Int>, isList: Bool, service: UInt32, _ visitor: inout Visitor
  ) {
    guard let whole = Element(bytes, range.lowerBound, in: range), whole.isSequence else {
      if !range.isEmpty { part.walk(bytes, in: range, &visitor) }
      return
    }
    if isList {
      record(bytes, whole, service, &visitor)
    } else {
      visitor.beginArray(recordsField, at: range.lowerBound)
      for element in whole.elements(bytes) where element.isSequence {
        visitor.beginObject(recordsField, at: element.start)
        record(bytes, element, service, &visitor)
        visitor.endObject(recordsField, at: element.start..<element.range.upperBound)
      }
      visitor.endArray(recordsField, at: range.lowerBound..<whole.range.upperBound)
    }
    if whole.range.upperBound < range.upperBound { visitor.problem(.surplus(whole.range.upperBound..<range.upperBound)) }
  }

  /// Reports the attributes of a record: identifiers and values in turn.
  private static func record<Visitor: FieldVisitor>(_ bytes: RawSpan, _ list: Element, _ service: UInt32, _ visitor: inout Visitor) {
    let parts = list.elements(bytes)
    // The meaning of an attribute may depend on the service.
    var service = service
    for index in stride(from: 0, to: parts.count &- 1, by: 2) where parts[index].integer(bytes) == 1 {
      service = parts[index &+ 1].elements(bytes).first?.uuid(bytes)?.short32 ?? service
    }
    visitor.beginArray(attributesField, at: list.range.lowerBound)
    for index in stride(from: 0, to: parts.count &- 1, by: 2) {
      let (name, value) = (parts[index], parts[index &+ 1])
      visitor.beginObject(attributesField, at: name.start)
      if let number = name.integer(bytes) {
        visitor.field(identifierField, .unsigned(UInt64(number)), at: name.range, in: bytes)
        attribute(bytes, UInt32(truncatingIfNeeded: number), service, value, &visitor)
      } else {
        element(bytes, identifierField, name, 0, &visitor)
        element(bytes, valueField, value, 0, &visitor)
      }
      visitor.endObject(attributesField, at: name.start..<value.range.upperBound)
    }
    visitor.endArray(attributesField, at: list.range)
  }

  private static func attribute<Visitor: FieldVisitor>(
    _ bytes: RawSpan, _ number: UInt32, _ service: UInt32, _ value: Element, _ visitor: inout Visitor
  ) {
    let field =
      (number >= 0x200 ? records[service << 16 | number] : nil)?.parameters.fields.first ?? records[number]?.parameters.fields.first
      ?? valueField
    switch number {
    case 0x0004 where value.isSequence: protocols(bytes, field, value, &visitor)
    case 0x000D where value.isSequence:
      // A list of such lists.
      visitor.beginArray(field, at: value.start)
      for element in value.elements(bytes) where element.isSequence {
        visitor.beginObject(field, at: element.start)
        protocols(bytes, protocolsField, element, &visitor)
        visitor.endObject(field, at: element.start..<element.range.upperBound)
      }
      visitor.endArray(field, at: value.start..<value.range.upperBound)
    case 0x0006 where value.isSequence: triples(bytes, field, value, &visitor)
    case 0x0009 where value.isSequence: profiles(bytes, field, value, &visitor)
    default: element(bytes, field, value, 0, &visitor)
    }
  }

  /// ProtocolDescriptorList (5.1.5): protocols from the lowest up, each with its parameters.
  private static func protocols<Visitor: FieldVisitor>(_ bytes: RawSpan, _ field: Field, _ list: Element, _ visitor: inout Visitor) {
    visitor.beginArray(field, at: list.start)
    for layer in list.elements(bytes) {
      visitor.beginObject(field, at: layer.start)
      let words = layer.elements(bytes)
      let uuid = words.first?.uuid(bytes)?.short16
      if let first = words.first {
        element(bytes, protocolField, first, 0, &visitor)
      } else {
        element(bytes, protocolField, layer, 0, &visitor)
      }
      for (index, word) in words.enumerated().dropFirst() {
        let name: StaticName =
          switch (uuid, index) {
          case (0x0100, 1): "psm"
          case (0x0003, 1): "channel"
          case (0x0007, 1): "start-handle"
          case (0x0007, 2): "end-handle"
          case (0x000F, 1), (0x0017, 1), (0x0019, 1), (0x001E, 1), (0x0014, 1): "version"
          case (0x000F, 2): "types"
          default: "parameter"
          }
        element(bytes, parameterFields[name] ?? valueField, word, 0, &visitor)
      }
      visitor.endObject(field, at: layer.start..<layer.range.upperBound)
    }
    visitor.endArray(field, at: list.start..<list.range.upperBound)
  }

  /// BluetoothProfileDescriptorList (5.1.11): profiles and their versions.
  private static func profiles<Visitor: FieldVisitor>(_ bytes: RawSpan, _ field: Field, _ list: Element, _ visitor: inout Visitor) {
    let all = list.elements(bytes)
    visitor.beginArray(field, at: list.start)
    // Some records omit the sequence around a single profile.
    for child in all.first?.type == .uuid ? [list] : all {
      visitor.beginObject(field, at: child.start)
      for (index, word) in child.elements(bytes).enumerated() {
        element(bytes, index == 0 ? profileField : versionField, word, 0, &visitor)
      }
      visitor.endObject(field, at: child.start..<child.range.upperBound)
    }
    visitor.endArray(field, at: list.start..<list.range.upperBound)
  }

  /// LanguageBaseAttributeIDList (5.1.8): language, encoding, first attribute.
  private static func triples<Visitor: FieldVisitor>(_ bytes: RawSpan, _ field: Field, _ list: Element, _ visitor: inout Visitor) {
    let words = list.elements(bytes)
    visitor.beginArray(field, at: list.start)
    for first in stride(from: 0, to: words.count, by: 3) {
      let some = words[first..<min(first &+ 3, words.count)]
      visitor.beginObject(field, at: words[first].start)
      for (index, word) in some.enumerated() { element(bytes, languageFields[index], word, 0, &visitor) }
      visitor.endObject(field, at: words[first].start..<(some.last?.range.upperBound ?? words[first].range.upperBound))
    }
    visitor.endArray(field, at: list.start..<list.range.upperBound)
  }

  /// Reports a data element (3): its value, or the list of its elements.
  private static func element<Visitor: FieldVisitor>(
    _ bytes: RawSpan, _ field: Field, _ child: Element, _ depth: Int, _ visitor: inout Visitor
  ) {
    var field = field
    let count = child.range.count
    switch child.type {
    case .unsigned? where count <= 8:
      field.width = UInt8(count)
      let value = count == 0 ? 0 : bytes.integer(child.range.lowerBound, count, isBigEndian: true)
      visitor.field(field, .unsigned(value), at: child.range, in: bytes)
    case .signed? where count <= 8 && count > 0:
      field.width = UInt8(count)
      let shift = UInt64(64 &- 8 &* count)
      let raw = bytes.integer(child.range.lowerBound, count, isBigEndian: true)
      visitor.field(field, .signed(Int64(bitPattern: raw &<< shift) &>> Int64(shift)), at: child.range, in: bytes)
    case .boolean? where count == 1:
      visitor.field(field, .bool(bytes.byte(child.range.lowerBound) != 0), at: child.range, in: bytes)
    case .uuid?:
      if let uuid = child.uuid(bytes) {
        visitor.field(field, .uuid(uuid), at: child.range, in: bytes)
      } else {
        visitor.field(field, .bytes(child.range), at: child.range, in: bytes)
      }
    case .text?, .url?:
      visitor.field(field, .text(Layout.textRange(bytes, child.range.lowerBound, child.range.upperBound)), at: child.range, in: bytes)
    case .sequence?, .alternative?:
      guard depth < 16 else {
        visitor.field(field, .bytes(child.range), at: child.range, in: bytes)
        return
      }
      visitor.beginArray(field, at: child.start)
      for inner in child.elements(bytes) { element(bytes, field, inner, depth &+ 1, &visitor) }
      visitor.endArray(field, at: child.start..<child.range.upperBound)
    default: visitor.field(field, .bytes(child.range), at: child.range, in: bytes)
    }
  }

  /// Reports a service search pattern: the UUIDs to search for. Returns the offset after it.
  private static func pattern<Visitor: FieldVisitor>(_ bytes: RawSpan, _ range: Range<Int>, _ visitor: inout Visitor) -> Int {
    guard let list = Element(bytes, range.lowerBound, in: range) else {
      if !range.isEmpty { part.walk(bytes, in: range, &visitor) }
      return range.upperBound
    }
    element(bytes, patternField, list, 0, &visitor)
    return list.range.upperBound
  }

  /// Reports a list of attribute identifiers and ranges of them. Returns the offset after it.
  private static func identifiers<Visitor: FieldVisitor>(_ bytes: RawSpan, _ range: Range<Int>, _ visitor: inout Visitor) -> Int {
    guard let list = Element(bytes, range.lowerBound, in: range), list.isSequence else {
      if !range.isEmpty { part.walk(bytes, in: range, &visitor) }
      return range.upperBound
    }
    visitor.beginArray(listField, at: list.start)
    for child in list.elements(bytes) {
      visitor.beginObject(listField, at: child.start)
      if child.type == .unsigned, child.range.count == 4 {
        rangeLayout.walk(bytes, in: child.range, &visitor)
      } else {
        element(bytes, identifierField, child, 0, &visitor)
      }
      visitor.endObject(listField, at: child.start..<child.range.upperBound)
    }
    visitor.endArray(listField, at: list.start..<list.range.upperBound)
    return list.range.upperBound
  }

  /// Attributes by identifier; those from 0x0200 on with the class of their service above it.
  static let records = PDUTable(recordText)
  private static let continuation = pdus.layout("continuation")
  private static let part = pdus.layout("part")
  private static let rangeLayout = records.layout("range")
  private static func field(_ name: StaticName) -> Field { records.layout(name).fields.first ?? Field() }
  private static let lengthField = header.fields.last ?? Field()
  private static let recordsField = field("records")
  private static let attributesField = field("attributes")
  static let identifierField = field("identifier")
  private static let valueField = field("value")
  private static let patternField = field("pattern")
  private static let listField = field("list")
  private static let protocolsField = field("protocols")
  private static let protocolField = field("protocol")
  private static let profileField = field("profile")
  private static let versionField = field("profile-version")
  private static let languageFields = [field("language"), field("encoding"), field("base")]
  private static let parameterFields: [StaticName: Field] = Dictionary(
    uniqueKeysWithValues: (["psm", "channel", "start-handle", "end-handle", "version", "types", "parameter"] as [StaticName]).map {
      ($0, field($0))
    })
}
