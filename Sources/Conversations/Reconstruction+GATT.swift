import Bluetooth
import Captures

/// Attribute databases (Core, Vol 3, Part G, 3 and 4): what discoveries tell, and what makes it invalid.
extension Reconstruction {
  /// The attribute behind a handle, to be described by a discovery at hand; -1 where the tables are full.
  private mutating func describe(_ database: Int32, _ handle: UInt16, _ kind: Attribute.Kind, _ uuid: Int32) -> Int32 {
    var index = tables.touch(database, handle, at: frame)
    guard index >= 0 else { return -1 }
    var known = tables.attributes[Int(index)]
    // Another attribute stands here now, and nothing told of the change: what came before keeps its name.
    if known.source == .discovery, known.discovered < frame, known.uuid >= 0, uuid >= 0, known.uuid != uuid {
      index = tables.newAttribute(database, handle, validFrom: frame)
      guard index >= 0 else { return -1 }
      known = tables.attributes[Int(index)]
    }
    let at = Int(index)
    if known.source != .discovery {
      if known.source == .none || known.source == .guess { tables.databases[Int(database)].live.append(index) }
      tables.attributes[at].source = .discovery
      tables.attributes[at].discovered = frame
      tables.databases[Int(database)].discovered += 1
    }
    if known.uuid != uuid || known.source != .discovery { tables.version += 1 }
    // A characteristic's declaration says more of its value than Find Information does.
    if !(known.source == .discovery && known.kind == .value && kind == .descriptor) { tables.attributes[at].kind = kind }
    tables.attributes[at].uuid = uuid
    return index
  }

  private func read(_ bytes: PDUBytes) -> BluetoothUUID? {
    unsafe BluetoothUUID(littleEndian: RawSpan(_unsafeBytes: bytes.buffer), in: 0..<bytes.count)
  }

  /// Find Information Response (Part F, 3.4.3.2): handles with their types.
  mutating func informationFound(_ database: Int32, _ pdu: PDUBytes) {
    let size = pdu.u8(1) == 1 ? 2 : 16
    var at = 2
    while let handle = pdu.u16(at), at + 2 + size <= pdu.count, let type = read(pdu.slice(at + 2, size)) {
      let uuid = tables.uuid(type)
      let known = tables.attribute(database, handle, at: frame)
      switch type.short16 {
      // Declarations are described by what they declare; their type alone tells less.
      case 0x2800, 0x2801, 0x2802, 0x2803: if known < 0 { _ = tables.touch(database, handle, at: frame) }
      default: _ = describe(database, handle, .descriptor, uuid)
      }
      at += 2 + size
    }
  }

  /// Find By Type Value Response (3.4.3.4): the groups of a service that was asked for by UUID.
  mutating func servicesFound(_ database: Int32, _ pdu: PDUBytes, _ service: BluetoothUUID, type: Int32) {
    guard type >= 0, let kind = tables.uuids[Int(type)].short16, kind == 0x2800 || kind == 0x2801 else { return }
    var at = 1
    while let handle = pdu.u16(at), let end = pdu.u16(at + 2) {
      self.service(database, handle, end, service, isPrimary: kind == 0x2800)
      at += 4
    }
  }

  /// Read By Group Type Response (3.4.4.10): services with their last handle.
  mutating func groupsFound(_ database: Int32, _ pdu: PDUBytes, type: Int32) {
    guard type >= 0, let kind = tables.uuids[Int(type)].short16, kind == 0x2800 || kind == 0x2801 else { return }
    let size = Int(pdu.u8(1) ?? 0)
    guard size >= 6 else { return }
    var at = 2
    while at + size <= pdu.count, let handle = pdu.u16(at), let end = pdu.u16(at + 2) {
      if let uuid = read(pdu.slice(at + 4, size - 4)) { service(database, handle, end, uuid, isPrimary: kind == 0x2800) }
      at += size
    }
  }

  private mutating func service(_ database: Int32, _ handle: UInt16, _ end: UInt16, _ uuid: BluetoothUUID, isPrimary: Bool) {
    let index = describe(database, handle, .service, tables.uuid(uuid))
    guard index >= 0 else { return }
    tables.attributes[Int(index)].related = end
    tables.attributes[Int(index)].isPrimary = isPrimary
  }

  /// Read By Type Response (3.4.4.2): declarations of characteristics and includes, or values asked for by type.
  mutating func typesFound(
    _ row: inout PacketRow, _ database: Int32, _ pdu: PDUBytes, _ type: UInt16, uuid: Int32, _ link: Int, _ fromHost: Bool
  ) {
    let size = Int(pdu.u8(1) ?? 0)
    guard size >= 2 else { return }
    var at = 2
    while at + size <= pdu.count, let handle = pdu.u16(at) {
      let value = pdu.slice(at + 2, size - 2)
      switch type {
      case 0x2803: characteristic(database, handle, value)
      case 0x2802:
        if let start = value.u16(0), let end = value.u16(2) {
          // A 128-bit service is included without its UUID: it is read from its declaration.
          let service = value.count >= 6 ? value.u16(4).map { tables.uuid(BluetoothUUID($0)) } ?? -1 : -1
          let index = describe(database, handle, .include, service)
          if index >= 0 { tables.attributes[Int(index)].related = start }
          _ = end
        }
      case 0x2800, 0x2801:
        if let service = read(value) { _ = describe(database, handle, .service, tables.uuid(service)) }
      default:
        if uuid >= 0 {
          let index = describe(database, handle, .value, uuid)
          learn(index, value, link, serverIsPeer: !fromHost)
          if purpose == .rows {
            feeds.append(Feed(bytes: value, row: Int32(rows.count), attribute: index, source: .read, channel: handle))
          }
          if at == 2 {
            row.attribute = index
            row.attributeHandle = handle
            row.flags.insert(.hasAttribute)
            row.uuidSource = .discovery
            row.valueOffset = Int32(at + 2)
            row.valueCount = Int32(size - 2)
            row.flags.insert(.hasValue)
          }
        }
      }
      at += size
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

  /// Learns from a value that was read: the device's name, a declaration, the hash of the database.
  mutating func learn(_ attribute: Int32, _ value: PDUBytes, _ link: Int, serverIsPeer: Bool) {
    guard attribute >= 0, tables.attributes[Int(attribute)].uuid >= 0 else { return }
    let one = tables.attributes[Int(attribute)]
    let short = tables.uuids[Int(one.uuid)].short16
    if one.kind == .value || one.kind == .unknown, short == 0x2A00, serverIsPeer {
      unsafe setName(tables.connections[Int(links[link].connection)].peer, value.buffer.prefix { $0 != 0 }, trust: 3)
    } else if short == 0x2B2A, value.count == 16 {
      let database = Int(one.database)
      let hash = unsafe Array(value.buffer)
      // Another hash is another database (Part G, 7.3): what was learned before does not hold any more.
      if !tables.databases[database].hash.isEmpty, tables.databases[database].hash != hash {
        serviceChanged(one.database, 1, 0xFFFF, except: one.handle)
      }
      tables.databases[database].hash = hash
    }
  }

  /// A write of 01 00 or 02 00 to a handle that nothing is known of: most likely it subscribes to the characteristic before it.
  mutating func guessSubscription(_ row: inout PacketRow, _ link: Int, fromHost: Bool) {
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
    tables.attributes[index].uuid = tables.uuid(BluetoothUUID(0x2902 as UInt16))
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
      let one = tables.attributes[Int(index)]
      // Another version stands in its place already.
      if tables.current(database, one.handle) != index { return true }
      // What a survey learned from later packets is not known yet, so nothing can have dropped it.
      guard one.handle >= start, one.handle <= end, one.handle != except, one.validFrom < frame, one.discovered < frame else {
        return false
      }
      _ = tables.newAttribute(database, one.handle, validFrom: frame)
      return true
    }
    tables.databases[Int(database)].live.append(contentsOf: live)
  }
}
