import Bluetooth
import Captures
import Conversations
import Memory

/// Attributes: handles, values, and their known types.
extension FilterRow {
  static let attributes: [FilterRow] = [
    FilterRow("btatt.handle") { packet, values in
      packet.forEachATT {
        packet.handles($0, &values)
        packet.listed($0, &values)
      }
    },
    FilterRow("btatt.value") { packet, values in packet.forEachATT { packet.attributeValue($0, &values) } },
    FilterRow("btatt.uuid16") { packet, values in packet.forEachATT { packet.types(.attribute, isShort: true, $0, &values) } },
    FilterRow("btatt.uuid128") { packet, values in packet.forEachATT { packet.types(.attribute, isShort: false, $0, &values) } },
    FilterRow("btatt.service_uuid16") { packet, values in packet.forEachATT { packet.types(.service, isShort: true, $0, &values) } },
    FilterRow("btatt.service_uuid128") { packet, values in packet.forEachATT { packet.types(.service, isShort: false, $0, &values) } },
    FilterRow("btatt.characteristic_uuid16") { packet, values in
      packet.forEachATT { packet.types(.characteristic, isShort: true, $0, &values) }
    },
    FilterRow("btatt.characteristic_uuid128") { packet, values in
      packet.forEachATT { packet.types(.characteristic, isShort: false, $0, &values) }
    },
    FilterRow("btatt.request_in_frame") { packet, values in
      packet.forEachATT {
        if $0.requestFrame > 0, $0.attOpcode != .errorResponse { values.append(FilterValue(Int128($0.requestFrame))) }
      }
    },
    FilterRow("btatt.response_in_frame") { packet, values in
      packet.forEachATT {
        if $0.responseFrame > 0, $0.attOpcode != .handleValueIndication { values.append(FilterValue(Int128($0.responseFrame))) }
      }
    },
    // A Transport Discovery control point has the opcode, then the parameters of a request, or the result code of an indication.
    FilterRow("btatt.tds.organization_id") { packet, values in packet.discovery(isResponse: false, &values) },
    FilterRow("btatt.tds.result_code") { packet, values in packet.discovery(isResponse: true, &values) },
    FilterRow("btgatt.microbit.pin_data.value") { packet, values in
      packet.forEachValue(of: BluetoothUUID(high: 0xE95D_8D00_251D_470A, low: 0xA062_FA19_22DF_A9A8)) { value, _ in
        // Each byte has the upper eight bits of a ten-bit number.
        for at in stride(from: 1, to: value.count, by: 2) { if let byte = value.u8(at) { values.append(FilterValue(Int128(byte) * 4)) } }
      }
    },
    certification("btatt.regulatory_certification_data_list.item") { _ in .there },
    certification("btatt.regulatory_certification_data_list.item.authorization_body") { $0.u8(0).map { .number(Int($0)) } },
    certification("btatt.regulatory_certification_data_list.item.authorization_body_structure_type") { $0.u8(1).map { .number(Int($0)) } },
    certification("btatt.regulatory_certification_data_list.item.length") { $0.u16(2).map { .number(Int($0)) } },
    certification("btatt.regulatory_certification_data_list.item.authorizing_body_data") { $0.isOfGuidelines ? .there : nil },
    certification("btatt.regulatory_certification_data_list.item.authorizing_body_data.major_ig_version") {
      $0.isOfGuidelines ? $0.u8(4).map { .number(Int($0)) } : nil
    },
    certification("btatt.regulatory_certification_data_list.item.authorizing_body_data.minor_ig_version") {
      $0.isOfGuidelines ? $0.u8(5).map { .number(Int($0)) } : nil
    },
    certification("btatt.regulatory_certification_data_list.item.certified_device_class_list.count") {
      $0.isOfGuidelines ? $0.u16(6).map { .number(Int($0)) } : nil
    },
    certification("btatt.regulatory_certification_data_list.item.certified_device_class_list.length") {
      $0.isOfGuidelines ? $0.u16(8).map { .number(Int($0)) } : nil
    },
    certification("btatt.regulatory_certification_data_list.item.certified_device_class_list") {
      $0.isOfGuidelines && $0.count > 10 ? .there : nil
    },
    certification("btatt.regulatory_certification_data_list.item.certified_device_class_list.entry") {
      $0.isOfGuidelines ? .numbers($0.from(10)) : nil
    },
    certification("btatt.regulatory_certification_data_list.item.regulation_bit_field_type") {
      $0.u8(0) == 2 && $0.u8(1) == 2 ? $0.u16(4).map { .number(Int($0)) } : nil
    },
    certification("btatt.regulatory_certification_data_list.item.data") {
      $0.u8(0) == 2 && 1...2 ~= $0.u8(1) ?? 0 || $0.count == 4 ? nil : .there
    },
  ]

  /// The part of an item of a Regulatory Certification Data List that a field shows.
  private enum CertificationPart {
    case there
    case number(Int)
    case numbers(PDUBytes)
  }

  /// A field of the items of an IEEE 11073-20601 Regulatory Certification Data List: an authorizing body, a type, a length, and the bytes that
  /// follow, whose meaning depends on these.
  private static func certification(_ line: StaticString, _ part: @escaping @Sendable (PDUBytes) -> CertificationPart?) -> FilterRow {
    FilterRow(line) { packet, values in
      packet.forEachValue(of: 0x2A2A) { value, _ in
        var at = 4
        while let length = value.u16(at + 2) {
          let item = value.slice(at, 4 + Int(length))
          switch part(item) {
          case .there?: unsafe values.append(FilterValue(nil, 0))
          case .number(let number)?: values.append(FilterValue(Int128(number)))
          case .numbers(let list)?:
            for offset in stride(from: 0, to: list.count - 1, by: 2) {
              if let number = list.u16(offset) { values.append(FilterValue(Int128(number))) }
            }
          case nil: break
          }
          at += 4 + Int(length)
        }
      }
    }
  }
}

extension PDUBytes {
  /// An item of the Continua Health Alliance in the certification data list: the version of its guidelines, and the certified device classes.
  fileprivate var isOfGuidelines: Bool { u8(0) == 2 && u8(1) == 1 }
}

/// The attribute whose UUID a field shows: the attribute itself, or the service or characteristic it belongs to.
private enum UUIDOwner { case attribute, service, characteristic }

extension FilterEvaluator {
  /// Calls `body` with the rows that are ATT PDUs; if there are other rows, the capture may have cut the PDU.
  fileprivate func forEachATT(_ body: (PacketRow) -> Void) {
    for row in rows {
      if row.layer == .att { body(row) } else if record.isTruncated, record.kind == .acl { isBlind = true }
    }
  }

  /// Calls `body` with the values of attributes of a type in the packet's rows.
  fileprivate func forEachValue(of type: BluetoothUUID, _ body: (PDUBytes, PacketRow) -> Void) {
    forEachATT { row in
      if row.flags.contains(.hasValue), row.attOpcode != .findByTypeValueRequest, valueType(of: row) == type { body(row.value, row) }
    }
  }

  /// The second byte of the Transport Discovery Service's control point.
  fileprivate func discovery(isResponse: Bool, _ values: inout ContiguousArray<FilterValue>) {
    forEachValue(of: 0x2ABC) { value, row in
      guard (row.attOpcode?.isFromServer ?? false) == isResponse, let byte = value.u8(1) else { return }
      values.append(FilterValue(Int128(byte)))
    }
  }

  private static let handles = FieldLocation(
    .pdu, .att,
    names: [
      "attribute_handle", "attribute_handle_in_error", "handle", "characteristic_value_handle", "found_attribute_handle", "set_of_handles",
      "included_service_attribute_handle",
    ])

  /// The handles that an Aggregate Format descriptor lists, where the row carries one.
  fileprivate func listed(_ row: PacketRow, _ values: inout ContiguousArray<FilterValue>) {
    guard row.flags.contains(.hasValue), row.attOpcode != .findByTypeValueRequest, valueType(of: row) == 0x2905 else { return }
    for at in stride(from: 0, to: row.value.count, by: 2) {
      if let handle = row.value.u16(at) { values.append(FilterValue(Int128(handle))) }
    }
  }

  /// The handles in the PDU, and for responses the requested one.
  fileprivate func handles(_ row: PacketRow, _ values: inout ContiguousArray<FilterValue>) {
    switch row.attOpcode {
    case .readRequest, .readBlobRequest, .writeRequest, .prepareWriteRequest, .prepareWriteResponse, .handleValueNotification,
      .handleValueIndication, .writeCommand, .signedWriteCommand:
      if let handle = row.pdu.u16(1) { values.append(FilterValue(Int128(handle))) }
    case .readResponse, .readBlobResponse, .writeResponse, .handleValueConfirmation:
      if row.requestFrame > 0, row.flags.contains(.hasAttribute) { values.append(FilterValue(Int128(row.attributeHandle))) }
    default:
      var field = FilterField()
      (field.type, field.width) = (.unsigned, 2)
      walk(row, Self.handles, field, &values)
    }
  }

  /// The value as Wireshark shows it: none for attributes whose type Wireshark dissects.
  fileprivate func attributeValue(_ row: PacketRow, _ values: inout ContiguousArray<FilterValue>) {
    guard row.flags.contains(.hasValue) else { return }
    if row.attOpcode != .findByTypeValueRequest, let type = valueType(of: row), Self.hasFields(type) {
      let rest = Self.rest(of: row.value, type)
      if rest.count > 0, rest.count != 2 && rest.count != 16 || type.short16 == nil { append(rest, &values) }
      return
    }
    // Wireshark has no field for an empty value.
    if row.value.count > 0 { append(row.value, &values) } else if record.isTruncated { isBlind = true }
  }

  /// Attributes whose values Wireshark 4.0 dissects into fields of their own, found by testing each UUID.
  private static let decoded: [ClosedRange<UInt16>] = [
    0x2900...0x2906, 0x2908...0x290E, 0x2A00...0x2A2C, 0x2A2F...0x2A4A, 0x2A4C...0x2A4C, 0x2A4E...0x2A60, 0x2A63...0x2A7B, 0x2A7D...0x2ABE,
    0x2AC0...0x2AC9, 0x2ACC...0x2ACC, 0x2AD3...0x2AD8, 0x2ADA...0x2ADE,
  ]

  /// The part of a value for which Wireshark has no field, or only one for a UUID: after the flags of Descriptor Value Changed, after the size that
  /// an Object Action creates, after an object filter's type, and a micro:bit pin without a value.
  private static func rest(of value: PDUBytes, _ type: BluetoothUUID) -> PDUBytes {
    switch type.short16 {
    case 0x2A7D: value.from(2)
    case 0x2AC5 where value.u8(0) == 1: value.from(5)
    case 0x2AC7 where value.u8(0) == 5: value.from(1)
    case nil where type == BluetoothUUID(high: 0xE95D_8D00_251D_470A, low: 0xA062_FA19_22DF_A9A8): value.count == 1 ? value : PDUBytes()
    default: PDUBytes()
    }
  }

  private static func hasFields(_ type: BluetoothUUID) -> Bool {
    if let short = type.short16 { return decoded.contains { $0.contains(short) } }
    let group = type.high & 0xFFFF_0000_FFFF_FFFF
    switch (group, type.low) {
    // The micro:bit's services, Nordic's UART and Nordic's old firmware update.
    case (0xE95D_0000_251D_470A, 0xA062_FA19_22DF_A9A8):
      return ![0x127B, 0x93AF, 0x93B0, 0xC306].contains(type.high >> 32 & 0xFFFF)
    case (0x6E40_0000_B5A3_F393, 0xE0A9_E50E_24DC_CA9E): return (2...3).contains(type.high >> 32 & 0xFFFF)
    case (0x0000_0000_1212_EFDE, 0x1523_785F_EABC_D123): return (0x1531...0x1532).contains(type.high >> 32 & 0xFFFF)
    default: return false
    }
  }

  private static let types = FieldLocation(
    .pdu, .att, names: ["attribute_type", "attribute_group_type", "uuid", "characteristic_uuid", "service_uuid", "attribute_value"])

  /// UUIDs in the PDU, and the known ones of its attributes.
  fileprivate func types(_ owner: UUIDOwner, isShort: Bool, _ row: PacketRow, _ values: inout ContiguousArray<FilterValue>) {
    if owner == .attribute {
      switch row.attOpcode {
      case .findInformationResponse, .findByTypeValueRequest, .readByTypeRequest, .readByTypeResponse, .readByGroupTypeRequest,
        .readByGroupTypeResponse:
        var field = FilterField()
        (field.type, field.width) = isShort ? (.unsigned, 2) : (.bytes, 0)
        walk(row, Self.types, field, &values)
      default: break
      }
      requestedType(row, isShort, &values)
      if row.flags.contains(.hasValue), let type = valueType(of: row), type.short16 != nil {
        let rest = Self.rest(of: row.value, type)
        if isShort, let short = rest.u16(0), rest.count == 2 { values.append(FilterValue(Int128(short))) }
        if !isShort, rest.count == 16 { append(rest, &values) }
      }
    }
    // The list belongs to the evaluator, so that no memory is allocated for each packet.
    var attributes: ContiguousArray<FilterValue> = []
    swap(&attributes, &attributeHandles)
    defer { swap(&attributes, &attributeHandles) }
    attributes.removeAll(keepingCapacity: true)
    handles(row, &attributes)
    let own = attributes.count
    listed(row, &attributes)
    let database = row.attribute >= 0 ? batch.tables.attributes[Int(row.attribute)].database : database(of: row)
    guard database >= 0 else { return }
    for (index, attribute) in attributes.enumerated() {
      let handle = UInt16(truncatingIfNeeded: attribute.number)
      // A value that was read by type is known to have this type.
      if index < own, owner == .attribute, row.attOpcode == .readByTypeResponse, row.meaning == .readValue, row.detail >= 0 {
        let uuid = batch.tables.uuids[Int(row.detail)]
        if (uuid.short16 != nil) == isShort { append(uuid, &values) }
        continue
      }
      if let uuid = type(owner, database, handle), (uuid.short16 != nil) == isShort { append(uuid, &values) }
    }
  }

  /// The database that a PDU refers to: that of the peer if this host sends requests or receives responses.
  private func database(of row: PacketRow) -> Int32 {
    let isFromServer = row.attOpcode?.isFromServer ?? false
    if (row.direction == .sent || row.direction == .central) != isFromServer { return batch.tables.remoteDatabase(row.connection) }
    for adapter in batch.tables.adapters where adapter.index == record.adapter { return adapter.database }
    return -1
  }

  /// The requested type, which Wireshark repeats in the response.
  private func requestedType(_ row: PacketRow, _ isShort: Bool, _ values: inout ContiguousArray<FilterValue>) {
    guard row.detail >= 0 else { return }
    switch row.attOpcode {
    case .readByTypeResponse, .readByGroupTypeResponse: break
    case .errorResponse where row.failedRequest != .findByTypeValueRequest: break
    default: return
    }
    let uuid = batch.tables.uuids[Int(row.detail)]
    if (uuid.short16 != nil) == isShort { append(uuid, &values) }
  }

  /// The UUID of an attribute: its own type (`owner` is `.attribute`), or the UUID of the last service or characteristic declared at a lower
  /// handle; nil where it is unknown. As in Wireshark, the end of a service's handle range is not checked.
  private func type(_ owner: UUIDOwner, _ database: Int32, _ handle: UInt16) -> BluetoothUUID? {
    let tables = batch.tables
    let index = tables.attribute(database, handle, at: record.frame)
    if owner == .attribute {
      // The declarations in a discovery response are known from that response.
      if index >= 0, tables.attributes[Int(index)].kind == .declaration, tables.attributes[Int(index)].discovered == record.frame {
        return 0x2803
      }
      if index >= 0, tables.attributes[Int(index)].kind == .include, tables.attributes[Int(index)].discovered == record.frame {
        return 0x2802
      }
      return uuid(of: index)
    }
    let isService = index >= 0 && tables.attributes[Int(index)].kind == .service && tables.attributes[Int(index)].discovered < record.frame
    if isService { return nil }
    let service = nearest(.service, database, handle, from: 0)
    if owner == .service { return service?.uuid }
    // A characteristic's value is not counted as belonging to itself.
    guard let value = nearest(.value, database, handle, from: service?.handle ?? 0), value.handle != handle, value.uuid != uuid(of: index)
    else { return nil }
    return value.uuid
  }

  /// The last attribute of a kind up to a handle that was known before this packet, or that this packet describes at a lower handle.
  private func nearest(_ kind: Attribute.Kind, _ database: Int32, _ handle: UInt16, from: UInt16) -> (handle: UInt16, uuid: BluetoothUUID)?
  {
    let tables = batch.tables
    if attributeOrders.version != batch.version {
      attributeOrders.version = batch.version
      attributeOrders.byDatabase.removeAll(keepingCapacity: true)
    }
    if attributeOrders.byDatabase.count > AttributeOrders.maxCount { attributeOrders.byDatabase.removeAll(keepingCapacity: true) }
    let order = attributeOrders.byDatabase[database] ?? AttributeOrder()
    attributeOrders.byDatabase[database] = order
    return order.nearest(kind, database, handle, from: from, at: record.frame, tables).map {
      (tables.attributes[Int($0)].handle, tables.uuids[Int(tables.attributes[Int($0)].uuid)])
    }
  }

  private func append(_ uuid: BluetoothUUID, _ values: inout ContiguousArray<FilterValue>) {
    if let short = uuid.short16 {
      values.append(FilterValue(Int128(short)))
    } else {
      var halves = (uuid.high.bigEndian, uuid.low.bigEndian)
      unsafe withUnsafeBytes(of: &halves) { unsafe values.append(scratch.keep(BorrowedBytes($0))) }
    }
  }
}

/// The services and values of databases sorted by handle, valid until the tables change: a request can have many handles of a database with many
/// attributes.
struct AttributeOrders {
  /// Most databases whose order is kept.
  static let maxCount = 64
  var version = -1
  var byDatabase: [Int32: AttributeOrder] = [:]
}

/// The services and values of a database that are known at a packet, sorted by handle.
final class AttributeOrder {
  private var frame = -1
  private var services = Kind()
  private var values = Kind()

  private struct Kind {
    /// The known ones, by handle; of one handle in the order they became known.
    var known: [Int32] = []
    /// Those that become known later, in reverse order.
    var coming: [Int32] = []
  }

  /// The first packet after the one that made an attribute known.
  private static func beginning(_ attribute: Attribute) -> Int { max(attribute.validFrom, attribute.discovered &+ 1) }

  private func fill(_ database: Int32, _ tables: ConversationTables) {
    (services, values) = (Kind(), Kind())
    for index in tables.databases[Int(database)].attributes where tables.attributes[Int(index)].uuid >= 0 {
      switch tables.attributes[Int(index)].kind {
      case .service: services.coming.append(index)
      // A descriptor that was read by type is not the value of a characteristic.
      case .value:
        if !tables.uuids[Int(tables.attributes[Int(index)].uuid)].isDescriptor { values.coming.append(index) }
      default: break
      }
    }
    func sort(_ list: inout [Int32]) {
      list.sort {
        (Self.beginning(tables.attributes[Int($0)]), $0) > (Self.beginning(tables.attributes[Int($1)]), $1)
      }
    }
    sort(&services.coming)
    sort(&values.coming)
  }

  private static func advance(_ kind: inout Kind, to frame: Int, _ tables: ConversationTables) {
    var added: [Int32] = []
    while let next = kind.coming.last, beginning(tables.attributes[Int(next)]) <= frame {
      kind.coming.removeLast()
      added.append(next)
    }
    func precedes(_ a: Int32, _ b: Int32) -> Bool { (tables.attributes[Int(a)].handle, a) < (tables.attributes[Int(b)].handle, b) }
    if added.count > 16 {
      kind.known = (kind.known + added).sorted(by: precedes)
    } else {
      for index in added { kind.known.insert(index, at: kind.known.partition { precedes(index, $0) }) }
    }
  }

  /// The last attribute of a kind in a range of handles that was known before a packet, or that this packet describes at a lower handle.
  func nearest(
    _ kind: Attribute.Kind, _ database: Int32, _ handle: UInt16, from: UInt16, at frame: Int, _ tables: ConversationTables
  ) -> Int32? {
    if frame < self.frame || self.frame < 0 { fill(database, tables) }
    if frame != self.frame {
      self.frame = frame
      Self.advance(&services, to: frame, tables)
      Self.advance(&values, to: frame, tables)
    }
    let list = kind == .service ? services : values
    var best: Int32?
    let end = list.known.partition { tables.attributes[Int($0)].handle > handle }
    if end > 0, tables.attributes[Int(list.known[end - 1])].handle >= from { best = list.known[end - 1] }
    for index in list.coming.reversed() {
      let attribute = tables.attributes[Int(index)]
      guard Self.beginning(attribute) == frame &+ 1 else { break }
      guard attribute.discovered == frame, attribute.validFrom <= frame, attribute.handle >= from, attribute.handle < handle else {
        continue
      }
      if let known = best, (tables.attributes[Int(known)].handle, known) > (attribute.handle, index) { continue }
      best = index
    }
    return best
  }
}

extension Array<Int32> {
  /// The index of the first element for which `behind` is true. All elements for which it is false have to precede these.
  fileprivate func partition(_ behind: (Int32) -> Bool) -> Int {
    var (low, high) = (0, count)
    while low < high {
      let middle = (low + high) / 2
      if behind(self[middle]) { high = middle } else { low = middle + 1 }
    }
    return low
  }
}
