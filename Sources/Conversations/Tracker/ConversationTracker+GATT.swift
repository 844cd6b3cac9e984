import Bluetooth
import Captures
import Memory

/// Attribute databases (Core, Vol 3, Part G, 3 and 4): the results of discoveries, and events that invalidate them.
extension ConversationTracker {
  /// The attribute with a handle, for a discovery to describe; -1 where the tables are full.
  private mutating func describe(_ database: Int32, _ handle: UInt16, _ kind: Attribute.Kind, _ uuid: Int32) -> Int32 {
    var index = tables.touch(database, handle, at: frame)
    guard index >= 0 else { return -1 }
    var known = tables.attributes[Int(index)]
    // The handle has another attribute now, without an announced change: the earlier rows keep the old one. A declaration has the UUID of its value.
    if known.source == .discovery, known.discovered < frame, known.uuid >= 0, uuid >= 0,
      known.uuid != uuid || known.kind == .value && kind == .declaration
    {
      index = tables.newAttribute(database, handle, validFrom: frame)
      guard index >= 0 else { return -1 }
      known = tables.attributes[Int(index)]
    }
    let at = Int(index)
    if known.source != .discovery {
      if known.source == .none || known.source == .guess { tables.keepLive(index, in: database) }
      tables.attributes[at].source = .discovery
      tables.attributes[at].discovered = frame
      tables.databases[Int(database)].discovered += 1
    }
    if known.uuid != uuid || known.source != .discovery { tables.version += 1 }
    // A characteristic's declaration describes its value better than Find Information does.
    if !(known.source == .discovery && known.kind == .value && kind == .descriptor) { tables.setKind(at, kind) }
    tables.attributes[at].uuid = uuid
    return index
  }

  private func read(_ bytes: PDUBytes) -> BluetoothUUID? {
    BluetoothUUID(littleEndian: bytes.span, in: 0..<bytes.count)
  }

  /// Find Information Response (Part F, 3.4.3.2): handles with their types.
  mutating func informationFound(_ database: Int32, _ pdu: PDUBytes) {
    for (handle, rest) in pdu.elements {
      guard let type = read(rest) else { return }
      let uuid = tables.uuid(type)
      if type.attributeType?.isDeclaration == true {
        // Declarations are described when their values are read; Find Information gives only their type.
        let index = tables.touch(database, handle, at: frame)
        if index >= 0, tables.attributes[Int(index)].source == .none, tables.attributes[Int(index)].kind == .unknown {
          tables.setKind(
            Int(index), type.attributeType == .characteristic ? .declaration : type.attributeType == .include ? .include : .service)
        }
      } else {
        _ = describe(database, handle, isValue(database, handle, type) ? .value : .descriptor, uuid)
      }
    }
  }

  /// An attribute whose type Find Information gives is the value of a characteristic: it follows a declaration (Part G, 3.3.2), or its type is one
  /// of the characteristics of the Bluetooth SIG. Makers define hardly any descriptors: where the attribute before is not known, a type of 128 bits is
  /// taken for that of a value.
  private func isValue(_ database: Int32, _ handle: UInt16, _ type: BluetoothUUID) -> Bool {
    if type.isDescriptor { return false }
    if let short = type.short16, 0x2A00...0x2CFF ~= short { return true }
    let before = handle > 1 ? tables.attribute(database, handle - 1, at: frame) : -1
    guard before >= 0, case let kind = tables.attributes[Int(before)].kind, kind != .unknown else { return type.short32 == nil }
    return kind == .declaration
  }

  /// Find By Type Value Response (3.4.3.4): the handle ranges of a service that was requested by UUID.
  mutating func servicesFound(_ database: Int32, _ pdu: PDUBytes, _ service: BluetoothUUID, type: Int32) {
    guard let kind = serviceType(type) else { return }
    for (handle, rest) in pdu.elements {
      if let end = rest.u16(0) { self.service(database, handle, end, service, isPrimary: kind == .primaryService) }
    }
  }

  /// Read By Group Type Response (3.4.4.10): services with their last handle.
  mutating func groupsFound(_ database: Int32, _ pdu: PDUBytes, type: Int32) {
    guard let kind = serviceType(type) else { return }
    for (handle, rest) in pdu.elements {
      if let end = rest.u16(0), let uuid = read(rest.from(2)) {
        service(database, handle, end, uuid, isPrimary: kind == .primaryService)
      }
    }
  }

  /// The requested type, if it is a service type.
  private func serviceType(_ uuid: Int32) -> AttributeType? {
    guard uuid >= 0, let type = tables.uuids[Int(uuid)].attributeType, type.isService else { return nil }
    return type
  }

  private mutating func service(_ database: Int32, _ handle: UInt16, _ end: UInt16, _ uuid: BluetoothUUID, isPrimary: Bool) {
    let index = describe(database, handle, .service, tables.uuid(uuid))
    guard index >= 0 else { return }
    tables.attributes[Int(index)].related = end
    tables.attributes[Int(index)].isPrimary = isPrimary
  }

  /// Read By Type Response (3.4.4.2): declarations of characteristics and includes, or values requested by type.
  mutating func typesFound(
    _ row: inout PacketRow, _ database: Int32, _ pdu: PDUBytes, _ type: AttributeType?, uuid: Int32, _ link: Int, _ fromHost: Bool
  ) {
    for (index, (handle, value)) in pdu.elements.enumerated() {
      switch type {
      case .characteristic: characteristic(database, handle, value)
      case .include:
        if let start = value.u16(0), value.count >= 4 {
          // The 128-bit UUID of an included service is not in the response, only in the service's declaration.
          let service = value.count >= 6 ? value.u16(4).map { tables.uuid(BluetoothUUID($0)) } ?? -1 : -1
          let index = describe(database, handle, .include, service)
          if index >= 0 { tables.attributes[Int(index)].related = start }
        }
      case .primaryService, .secondaryService:
        if let service = read(value) { _ = describe(database, handle, .service, tables.uuid(service)) }
      default:
        if uuid >= 0 {
          let attribute = describe(database, handle, tables.uuids[Int(uuid)].isDescriptor ? .descriptor : .value, uuid)
          learn(attribute, value, link, serverIsPeer: !fromHost)
          if purpose == .rows {
            valueEvents.append(ValueEvent(bytes: value, row: Int32(rows.count), attribute: attribute, source: .read, channel: handle))
          }
          if index == 0, let offset = pdu.offset(of: value) {
            row.attribute = attribute
            row.attributeHandle = handle
            row.flags.insert(.hasAttribute)
            row.uuidSource = .discovery
            row.valueOffset = Int32(offset)
            row.valueCount = Int32(value.count)
            row.flags.insert(.hasValue)
          }
        }
      }
    }
  }

  /// A characteristic declaration (Part G, 3.3.1): properties, value handle, UUID.
  private mutating func characteristic(_ database: Int32, _ handle: UInt16, _ declaration: PDUBytes) {
    guard let properties = declaration.u8(0), let valueHandle = declaration.u16(1), let uuid = read(declaration.from(3)) else { return }
    let number = tables.uuid(uuid)
    let index = describe(database, handle, .declaration, number)
    if index >= 0 {
      tables.attributes[Int(index)].related = valueHandle
      tables.attributes[Int(index)].properties = properties
    }
    let value = describe(database, valueHandle, .value, number)
    if value >= 0 {
      tables.attributes[Int(value)].kind = .value
      tables.attributes[Int(value)].properties = properties
    }
  }

  /// Learns from a value that was read: the device's name, a declaration, the Database Hash.
  mutating func learn(_ attribute: Int32, _ value: PDUBytes, _ link: Int, serverIsPeer: Bool) {
    guard attribute >= 0 else { return }
    let entry = tables.attributes[Int(attribute)]
    switch entry.kind {
    case .service, .include, .declaration: return declaration(entry, value)
    case .unknown, .value, .descriptor: if entry.uuid < 0 { return }
    }
    let type = tables.uuids[Int(entry.uuid)].attributeType
    if entry.kind == .value || entry.kind == .unknown, type == .deviceName, serverIsPeer {
      setName(tables.connections[Int(links[link].connection)].peer, value.prefix { $0 != 0 }, trust: 3)
    } else if type == .databaseHash, value.count == 16 {
      let database = Int(entry.database)
      let hash = Array(value)
      // A different hash means a different database (Part G, 7.3): the attributes read before are invalid.
      if !tables.databases[database].hash.isEmpty, tables.databases[database].hash != hash {
        serviceChanged(entry.database, 1, 0xFFFF, except: entry.handle)
      }
      tables.databases[database].hash = hash
    } else if type == .reportMap || type == .reportReference {
      learnReports(attribute, value, isMap: type == .reportMap)
    }
  }

  /// A declaration that is read by its handle, and of which Find Information gave the type.
  private mutating func declaration(_ entry: Attribute, _ value: PDUBytes) {
    switch entry.kind {
    case .declaration where value.count == 5 || value.count == 19: characteristic(entry.database, entry.handle, value)
    case .service where value.count == 2 || value.count == 16:
      if let service = read(value) { _ = describe(entry.database, entry.handle, .service, tables.uuid(service)) }
    case .include where value.count == 4 || value.count == 6:
      guard let start = value.u16(0) else { return }
      let index = describe(entry.database, entry.handle, .include, value.u16(4).map { tables.uuid(BluetoothUUID($0)) } ?? -1)
      if index >= 0 { tables.attributes[Int(index)].related = start }
    default: break
    }
  }

  /// A write of 01 00 or 02 00 to an unknown handle: most likely it subscribes to the characteristic before it.
  mutating func guessSubscription(_ row: inout PacketRow) {
    guard row.attribute >= 0, row.valueCount == 2, let bits = row.value.u16(0), bits >= 1, bits <= 3, row.attributeHandle > 1 else {
      return
    }
    let index = Int(row.attribute)
    guard tables.attributes[index].source == .none else { return }
    let database = tables.attributes[index].database
    let before = tables.touch(database, row.attributeHandle - 1, at: frame)
    guard before >= 0, tables.attributes[Int(before)].kind == .unknown || tables.attributes[Int(before)].kind == .value else { return }
    tables.attributes[index].kind = .descriptor
    tables.attributes[index].source = .guess
    tables.attributes[index].uuid = tables.uuid(BluetoothUUID(.clientCharacteristicConfiguration))
    tables.attributes[index].discovered = frame
    row.uuidSource = .guess
    if tables.attributes[Int(before)].kind == .unknown {
      tables.attributes[Int(before)].kind = .value
      tables.attributes[Int(before)].properties = (bits & 1 != 0 ? 0x10 : 0) | (bits & 2 != 0 ? 0x20 : 0)
    }
    tables.version += 1
  }

  /// Drops the attributes in a range of handles (Part G, 7.1): from here on they are unknown until they are discovered again.
  mutating func serviceChanged(_ database: Int32, _ start: UInt16, _ end: UInt16, except: UInt16 = 0) {
    guard database >= 0, !tables.databases[Int(database)].live.isEmpty else { return }
    var live: [Int32] = []
    swap(&live, &tables.databases[Int(database)].live)
    live.removeAll { index in
      let attribute = tables.attributes[Int(index)]
      // The handle has a newer version already.
      if tables.current(database, attribute.handle) != index { return true }
      // An attribute that the survey learned from later packets does not exist yet, so nothing can have dropped it.
      guard attribute.handle >= start, attribute.handle <= end, attribute.handle != except, attribute.validFrom < frame,
        attribute.discovered < frame
      else {
        return false
      }
      _ = tables.newAttribute(database, attribute.handle, validFrom: frame)
      return true
    }
    tables.databases[Int(database)].live.append(contentsOf: live)
  }
}
