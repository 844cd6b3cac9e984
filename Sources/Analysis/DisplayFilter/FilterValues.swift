import Bluetooth
import Captures
import Conversations
import Memory

/// The locations of the values of fields.
extension FilterEvaluator {
  /// Reads all values of a field in the packet.
  func read(_ use: Int, _ values: inout ContiguousArray<FilterValue>) {
    let (field, first, last) = program.fields[use]
    for index in first..<last { read(program.locations[index], field, &values) }
  }

  /// Reads the values of a field at one of its locations in the packet.
  func read(_ location: FieldLocation, _ field: FilterField, _ values: inout ContiguousArray<FilterValue>) {
    if let mesh, location.source.kindOfMesh != nil, location.kind != .computed { return read(mesh, location, field, &values) }
    switch location.kind {
    case .computed: FilterFields.accessors[Int(location.accessor)](self, &values)
    case .fixed: fixed(location, field, &values)
    case .named: named(location, field, &values)
    case .part: parts(location, field, &values)
    case .whole: pdus(of: location, &values)
    case .message: message(location, &values)
    }
  }

  /// The PDU that a location refers to: that of the row with this index, or of the packet for sources that have no rows. Nil where there is none, or
  /// where the location is in another PDU. With `anyCode`, the PDU's opcode is not compared.
  @inline(__always)
  func bytes(of location: FieldLocation, _ index: Int, anyCode: Bool = false) -> PDUBytes? {
    if location.source == .acl { return unsafe record.kind == .acl ? PDUBytes(batch.packets.payload(record)) : nil }
    guard location.source == .pdu else { return otherBytes(of: location, index) }
    guard index < rows.count else { return nil }
    guard location.isIn(rows[index]), !rows[index].isUnknownToWireshark(location.protocolID) else { return missing(location) }
    return anyCode || has(location, rows[index]) ? rows[index].pdu : nil
  }

  /// Whether the location is in PDUs with the opcode of this row.
  @inline(__always)
  private func has(_ location: FieldLocation, _ row: PacketRow) -> Bool {
    location.has(row.opcode)
      || row.eventCode == .leMeta && location.has(UInt32(HCI.EventCode.leMeta.rawValue) << 8 | UInt32(row.subcode))
  }

  /// Notes that the PDU is missing; if the capture cut the packet before it, the result is uncertain.
  @inline(__always)
  private func missing(_ location: FieldLocation) -> PDUBytes? {
    if record.isTruncated, record.kind == .acl, location.protocolID != .hciEvent, location.protocolID != .hciCommand { isBlind = true }
    return nil
  }

  private func otherBytes(of location: FieldLocation, _ index: Int) -> PDUBytes? {
    switch location.source {
    case .value:
      guard index < rows.count, rows[index].layer == .att, rows[index].attOpcode != .findByTypeValueRequest else {
        return missing(location)
      }
      guard rows[index].flags.contains(.hasValue), let uuid = valueType(of: rows[index]) else { return nil }
      if let wanted = location.uuid { return uuid == wanted ? rows[index].value : nil }
      guard let short = uuid.short16, location.has(UInt32(short)) else { return nil }
      return rows[index].value
    case .sco where record.kind == .sco, .iso where record.kind == .iso, .monitor:
      guard index == 0, location.has(UInt32(record.kind.rawValue)), location.source != .monitor || isMonitor else { return nil }
      return payload
    case .linkLayer, .advertising, .data, .control, .connectionData, .connectedStream, .broadcastStream, .broadcastControl:
      guard index == 0, record.kind == .linkLayer, let access = payload.u32(0) else { return nil }
      if location.source == .linkLayer { return payload }
      let pdu = linkLayerPDU
      guard (access == LinkLayer.advertisingAccessAddress) == (location.source == .advertising), let header = pdu.u8(4) else { return nil }
      if location.source == .advertising, !location.has(UInt32(header & 15)) { return nil }
      switch location.source {
      case .control: return header & 3 != 3 || isEncrypted || isochronousStream != nil ? nil : pdu
      case .connectionData: return isochronousStream == nil ? pdu : nil
      case .connectedStream: return isochronousStream == .connectedStream ? pdu : nil
      case .broadcastStream: return isochronousStream == .broadcastStream ? pdu : nil
      case .broadcastControl:
        guard isochronousStream == .broadcastStream, header & 3 == 3, !isEncrypted, let opcode = pdu.u8(6) else { return nil }
        return location.has(UInt32(opcode)) ? pdu : nil
      default: return pdu
      }
    case .vendorCommand, .vendorEvent: return index < rows.count && location.isInVendor(rows[index]) ? rows[index].pdu : nil
    case .radio: return index == 0 && linkType == 256 ? whole : nil
    case .baseband: return index == 0 && linkType == 255 && record.payload == 22 ? whole : nil
    case .nordic: return index == 0 && (linkType == 272 || linkType == 157) && record.payload == 17 ? whole : nil
    default: return nil
    }
  }

  /// The Link Layer packet is encrypted, so that its opcode cannot be read.
  private var isEncrypted: Bool {
    rows.count > 0 && rows[0].flags.contains(.encrypted)
  }

  /// The kind of isochronous stream of the Link Layer packet, as the sniffer reports it; nil where it reports none. A broadcast stream has only one
  /// sender, so that its packets have no direction.
  var isochronousStream: FilterSource? {
    guard record.radio.flags & RadioInfo.Flag.isochronous != 0 else { return nil }
    return record.direction == .unknown ? .broadcastStream : .connectedStream
  }

  /// The Link Layer packet with its header at the fifth byte: on the coded PHY a byte precedes it (only the address before it is lost).
  var linkLayerPDU: PDUBytes { record.radio.phy == 2 ? payload.from(1) : payload }

  /// The packet's payload, and all of its bytes.
  var payload: PDUBytes { unsafe PDUBytes(batch.packets.payload(record)) }
  var whole: PDUBytes { unsafe PDUBytes(batch.packets.bytes(record)) }

  /// The link type of the packet's interface.
  var linkType: Int { Int(record.interface) < linkTypes.count ? linkTypes[Int(record.interface)] : 0 }

  // MARK: Fixed locations

  /// The integer at a location, masked and shifted; nil where the bytes end before it.
  @inline(__always)
  func integer(_ bytes: PDUBytes, _ location: FieldLocation) -> UInt64? {
    let value: UInt64
    switch location.width {
    case 1:
      guard let byte = bytes.u8(location.offset) else { return nil }
      value = UInt64(byte)
    case 2:
      guard let two = location.isBigEndian ? bytes.u16be(location.offset) : bytes.u16(location.offset) else { return nil }
      value = UInt64(two)
    default:
      guard let many = integer(bytes, location.offset, location.width, isBigEndian: location.isBigEndian) else { return nil }
      value = many
    }
    return (value & location.mask) >> location.shift
  }

  /// Up to eight bytes as an integer; nil where some of them are missing.
  func integer(_ bytes: PDUBytes, _ offset: Int, _ width: Int, isBigEndian: Bool) -> UInt64? {
    guard width >= 1, width <= 8, offset >= 0, offset <= bytes.count &- width else { return nil }
    var value: UInt64 = 0
    for index in 0..<width {
      let byte = unsafe UInt64(bytes.start.load(fromByteOffset: offset &+ index, as: UInt8.self))
      value = isBigEndian ? value << 8 | byte : value | byte << UInt64(8 * index)
    }
    return value
  }

  private func fixed(_ location: FieldLocation, _ field: FilterField, _ values: inout ContiguousArray<FilterValue>) {
    for index in 0..<max(rows.count, 1) {
      guard let bytes = bytes(of: location, index) else { continue }
      if location.conditions.allSatisfy({ $0.holds(bytes) }) { takeAll(bytes, location, field, &values) }
      if location.source == .acl { break }
    }
  }

  /// Takes the value at a location, or all repeated values there.
  func takeAll(_ bytes: PDUBytes, _ location: FieldLocation, _ field: FilterField, _ values: inout ContiguousArray<FilterValue>) {
    if location.terms.isEmpty, location.stride == 0, location.offset >= 0 { return take(bytes, location, field, &values) }
    var location = location
    if location.offset < 0 {
      location.offset += bytes.count
      guard location.offset >= 0 else { return }
    }
    for term in location.terms {
      guard let count = term.count(bytes) else { return }
      location.offset += count
    }
    if location.stride == 0 { return take(bytes, location, field, &values) }
    while location.offset + location.width <= bytes.count {
      take(bytes, location, field, &values)
      location.offset += location.stride
    }
  }

  private func take(_ bytes: PDUBytes, _ location: FieldLocation, _ field: FilterField, _ values: inout ContiguousArray<FilterValue>) {
    let isAll = location.width < 0 ? location.offset + location.behind <= bytes.count : location.offset + location.width <= bytes.count
    guard isAll else {
      isBlind = isBlind || record.isTruncated
      return
    }
    let part = bytes.slice(location.offset, location.width < 0 ? bytes.count - location.behind - location.offset : location.width)
    switch field.type {
    case .bool: if let number = integer(bytes, location) { values.append(FilterValue(number == 0 ? 0 : 1)) }
    case .unsigned, .signed:
      guard let number = integer(bytes, location) else { return }
      values.append(FilterValue(field.type == .signed ? Self.signed(number, location.width) : Int128(number)))
    case .double: if let number = Self.billionths(part, field.decimals) { values.append(FilterValue(number)) }
    case .ether:
      values.append(location.isBigEndian ? FilterValue(part) : scratch.reversed(part))
    case .bytes where location.isBigEndian: values.append(scratch.reversed(part))
    case .string: values.append(FilterValue(part.slice(0, part.firstIndex(of: 0) ?? part.count)))
    default: values.append(FilterValue(part))
    }
  }

  /// A number with decimals, in billionths; nil where the bytes encode no number, or are too few.
  private static func billionths(_ part: PDUBytes, _ decimals: FilterDecimals) -> Int128? {
    var bits: UInt64 = 0
    for index in 0..<min(part.count, 8) { bits |= UInt64(part.u8(index) ?? 0) << UInt64(8 * index) }
    switch decimals {
    case .thousandths: return signed(bits, part.count) * 1_000_000
    case .double:
      let number = Double(bitPattern: bits)
      return part.count == 8 && number.isFinite && abs(number) < 1e18 ? Int128((number * 1e9).rounded()) : nil
    case .sfloat, .float:
      // IEEE 11073-20601: the highest 4 or 8 bits are the exponent of ten, the others the mantissa.
      let width: UInt64 = decimals == .sfloat ? 12 : 24
      guard part.count == (decimals == .sfloat ? 2 : 4) else { return nil }
      let mantissa = Int64(bitPattern: bits << (64 - width)) >> Int64(64 - width)
      let exponent = Int(decimals == .sfloat ? Int8(truncatingIfNeeded: bits >> 8) >> 4 : Int8(truncatingIfNeeded: bits >> 24))
      // Five mantissas are special values: NaN, NRes, the infinities, and a reserved one.
      let top = Int64(1) << Int64(width - 1)
      if exponent == 0, mantissa >= top - 2 || mantissa <= 2 - top { return nil }
      guard exponent <= 18 else { return nil }
      var number = Int128(mantissa)
      for _ in 0..<max(0, exponent + 9) { number *= 10 }
      for _ in 0..<min(10, max(0, -exponent - 9)) { number /= 10 }
      return number
    }
  }

  /// An integer of `width` bytes whose highest bit is its sign.
  static func signed(_ number: UInt64, _ width: Int) -> Int128 {
    let bits = UInt64(64 - 8 * min(max(width, 1), 8))
    return Int128(Int64(bitPattern: number << bits) >> Int64(bits))
  }

  // MARK: Fields of the layouts

  func named(_ location: FieldLocation, _ field: FilterField, _ values: inout ContiguousArray<FilterValue>) {
    forEachRow(of: location) { walk($0, location, field, &values) }
  }

  /// Reads from the advertising data structures of a location, or from the layout's fields with its names.
  private func parts(_ location: FieldLocation, _ field: FilterField, _ values: inout ContiguousArray<FilterValue>) {
    forEachRow(of: location) { row in
      var visitor = FilterPartVisitor(location: location, pdu: row.pdu)
      Dissection.walk(row, &visitor)
      for part in visitor.parts where location.conditions.allSatisfy({ $0.holds(part) }) { takeAll(part, location, field, &values) }
    }
  }

  /// Calls `body` for the rows whose layouts a location refers to.
  private func forEachRow(of location: FieldLocation, _ body: (PacketRow) -> Void) {
    for row in rows {
      switch location.source {
      case .pdu:
        guard location.isIn(row), !row.isUnknownToWireshark(location.protocolID) else {
          _ = missing(location)
          continue
        }
        guard has(location, row) else { continue }
      case .control:
        // A retransmitted control PDU has only a row of the Link Layer.
        guard row.layer == .linkLayerControl || row.layer == .linkLayer && !row.flags.contains(.encrypted) else {
          _ = missing(location)
          continue
        }
        guard location.has(row.opcode), isochronousStream == nil else { continue }
      case .internet: if !row.layer.carriesInternet { continue }
      case .vendorCommand, .vendorEvent: if !location.isInVendor(row) { continue }
      default:
        if !row.layer.carriesAdvertising { continue }
      }
      body(row)
    }
  }

  /// Takes the values of one field from the fields of a row.
  func walk(_ row: PacketRow, _ location: FieldLocation, _ field: FilterField, _ values: inout ContiguousArray<FilterValue>) {
    walk(row.pdu, location, field, &values) { Dissection.walk(row, &$0) }
  }

  /// Takes the values of one field from the fields that `walk` reports of a PDU.
  @inline(__always)
  func walk(
    _ pdu: PDUBytes, _ location: FieldLocation, _ field: FilterField, _ values: inout ContiguousArray<FilterValue>,
    _ walk: (inout FilterVisitor) -> Void
  ) {
    var visitor = FilterVisitor(location, field, pdu, [])
    swap(&values, &visitor.values)
    let first = visitor.values.count
    walk(&visitor)
    swap(&values, &visitor.values)
    if visitor.isShort, record.isTruncated { isBlind = true }
    if visitor.isWide { for index in first..<values.count { values[index] = scratch.narrow(values[index].bytes) } }
    if field.type == .ether && !location.isBigEndian || visitor.isTurned {
      for index in first..<values.count { values[index] = scratch.reversed(values[index].bytes) }
    }
  }

  // MARK: Tables

  /// The type of an attribute as known before this packet; nil where it was unknown.
  func uuid(of attribute: Int32) -> BluetoothUUID? {
    guard attribute >= 0, Int(attribute) < batch.tables.attributes.count else { return nil }
    let entry = batch.tables.attributes[Int(attribute)]
    guard entry.source == .discovery, entry.discovered < record.frame else { return nil }
    // The handle of a service's declaration represents the service.
    if entry.kind == .service { return entry.uuid < 0 ? nil : batch.tables.uuids[Int(entry.uuid)] }
    return batch.tables.type(of: entry)
  }

  /// The type of the attribute whose value a PDU carries: the requested type, or that of the handle.
  func valueType(of row: PacketRow) -> BluetoothUUID? {
    if row.attOpcode == .readByTypeResponse, row.detail >= 0 { return batch.tables.uuids[Int(row.detail)] }
    return uuid(of: row.attribute)
  }
}

/// Takes the values of one field from the fields of a layout.
struct FilterVisitor: FieldVisitor {
  let names: BorrowedBuffer<StaticName>
  let location: FieldLocation
  let type: FilterType
  let width: Int
  let pdu: PDUBytes
  var values: ContiguousArray<FilterValue>
  /// The PDU ended inside a field.
  var isShort = false
  /// Type of the current advertising data structure, or -1 outside of them.
  private var structure = -1
  /// Number of values before the current structure, without its length and type.
  private var before = 0
  private let wantsStructure: Bool
  private let isOnlyUUID: Bool
  /// The values are UUIDs, shown from their last byte to the first.
  private(set) var isTurned = false
  /// The values are UTF-16.
  private(set) var isWide = false

  init(_ location: FieldLocation, _ field: FilterField, _ pdu: PDUBytes, _ values: ContiguousArray<FilterValue>) {
    self.location = location
    names = location.names
    type = field.type
    width = field.width
    self.pdu = pdu
    self.values = values
    wantsStructure = location.source == .advertisingData
    isOnlyUUID = field.name.isEmpty
  }

  @inline(__always)
  private func isWanted(_ name: StaticName) -> Bool {
    for known in names where known == name { return true }
    return false
  }

  mutating func field(_ field: Field, _ value: FieldValue, at range: Range<Int>, in bytes: RawSpan) {
    if field.width == 1, field.name == "type", field.enumeration?.kind == .advertisingTypes, case .unsigned(let type) = value {
      structure = Int(truncatingIfNeeded: type)
      guard wantsStructure else { return }
      // The length precedes the type.
      if isWanted("length"), let length = pdu.u8(range.lowerBound - 1) { values.append(FilterValue(Int128(length))) }
      if isWanted("type") { values.append(FilterValue(Int128(type))) }
      before = values.count
      return
    }
    guard !location.isList, location.source == .any || wantsStructure == (structure >= 0), isWanted(field.name) else { return }
    // The length of a structure precedes its type, and was taken with it.
    if wantsStructure, field.name == "length" { return }
    if wantsStructure, !location.has(UInt32(truncatingIfNeeded: structure)) { return }
    if location.source == .meshMessage, range.count < field.width { return }
    // The value of a boolean that takes an entire byte is that byte.
    if case .bool = value, field.bitCount == 0, let byte = pdu.u8(range.lowerBound) { return take(.unsigned(UInt64(byte)), range) }
    take(value, range)
  }

  private mutating func take(_ value: FieldValue, _ range: Range<Int>) {
    let part = pdu.slice(range.lowerBound, range.count)
    switch type {
    case .unsigned, .signed, .bool:
      let raw: UInt64
      switch value {
      case .unsigned(let number): raw = number
      case .signed(let number): raw = UInt64(bitPattern: number)
      case .bool(let truth): raw = truth ? 1 : 0
      case .uuid(let uuid):
        guard range.count == width, let short = uuid.short32 else { return }
        raw = UInt64(short)
      default: return
      }
      let masked = (raw & location.mask) >> location.shift
      values.append(
        FilterValue(type == .bool ? masked == 0 ? 0 : 1 : type == .signed ? FilterEvaluator.signed(masked, width) : Int128(masked)))
    case .bytes:
      // Byte fields take only 128-bit UUIDs; shorter ones have fields of their own.
      if case .uuid = value, range.count != 16 { return }
      if isOnlyUUID, case .bytes = value { return }
      if wantsStructure, case .uuid = value { isTurned = true }
      values.append(FilterValue(part))
    case .string:
      if case .text(let text) = value {
        let part = pdu.slice(text.lowerBound, text.count)
        values.append(FilterValue(part))
      } else if case .wideText(let text) = value {
        let part = pdu.slice(text.lowerBound, text.count)
        values.append(FilterValue(part))
        isWide = true
      }
    case .ether: if range.count == 6 { values.append(FilterValue(part)) }
    default: values.append(FilterValue(part))
    }
  }

  mutating func beginObject(_ field: Field, at offset: Int) {
    guard location.source == .any || wantsStructure == (structure >= 0), isWanted(field.name) else { return }
    if type == .none {
      if !location.isList { unsafe values.append(FilterValue(nil, 0)) }
    } else if field.width > 0, field.width <= 8, field.bitCount == 0 {
      // The complete value of an integer with bit fields.
      var number: UInt64 = 0
      for index in 0..<Int(field.width) {
        guard let byte = pdu.u8(offset + index) else { return }
        number |= UInt64(byte) << UInt64(8 * index)
      }
      take(.unsigned(number), offset..<(offset + Int(field.width)))
    }
  }

  mutating func beginArray(_ field: Field, at offset: Int) {
    guard location.isList, isWanted(field.name) else { return }
    unsafe values.append(FilterValue(nil, 0))
  }

  mutating func endArray(_ field: Field, at range: Range<Int>) {
    structure = -1
  }

  mutating func problem(_ problem: FieldProblem) {
    guard case .short = problem else { return }
    isShort = true
    // From a structure that is cut, only complete parts are used.
    if wantsStructure, structure >= 0, type == .bytes || type == .string, values.count > before { values.removeLast(values.count - before) }
  }
}

/// Collects the data of structures of advertising data, or the bytes of a layout's fields.
struct FilterPartVisitor: FieldVisitor {
  let location: FieldLocation
  let pdu: PDUBytes
  private(set) var parts: [PDUBytes] = []
  /// Type of the current advertising data structure; nil outside of them.
  private var structure: UInt32?

  init(location: FieldLocation, pdu: PDUBytes) {
    self.location = location
    self.pdu = pdu
  }

  mutating func field(_ field: Field, _ value: FieldValue, at range: Range<Int>, in bytes: RawSpan) {
    if field.width == 1, field.name == "type", field.enumeration?.kind == .advertisingTypes, case .unsigned(let type) = value {
      structure = UInt32(truncatingIfNeeded: type)
    }
    if location.names.count > 0 {
      if location.source == .advertisingData { guard let structure, location.has(structure) else { return } }
      // A part with a fixed width may extend beyond the field.
      let count = location.width > 0 && location.stride == 0 ? pdu.count - range.lowerBound : range.count
      for name in location.names where name == field.name { parts.append(pdu.slice(range.lowerBound, count)) }
    } else if field.width == 1, field.name == "type", field.enumeration?.kind == .advertisingTypes, case .unsigned(let type) = value,
      location.has(UInt32(truncatingIfNeeded: type)), let length = pdu.u8(range.lowerBound - 1)
    {
      let start = range.upperBound
      let end = min(start + Int(length) - 1, pdu.count)
      if start <= end { parts.append(pdu.slice(start, end - start)) }
    }
  }

  mutating func endArray(_ field: Field, at range: Range<Int>) { structure = nil }
}
