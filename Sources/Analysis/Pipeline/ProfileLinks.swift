import Bluetooth
import Captures
import Conversations
@_spi(Pipeline) import Profiles

/// Hands values of attributes and channels to the profile engine, under the links and slots that the engine knows them by.
@safe final class ProfileLinks {
  let engine: ProfileEngine
  /// Link of each connection; -1 none yet, -2 ended.
  private var links: [Int32] = []
  /// Slot of each attribute of each connection, by connection and attribute; -1 where no profile knows it.
  private var slots: [[Int32]] = []
  /// Slots and link of the last connection, in memory that is read without retain and release; the connection is -1 where they may be out
  /// of date.
  private var near: UnsafeMutablePointer<Int32>
  private var nearCapacity = 64
  private var nearCount = 0
  private var nearConnection: Int32 = -1
  private var nearVersion = -1
  private var nearLink = -1
  /// Version of the tables that the engine's facts of a link are from.
  private var versions: [Int] = []
  private var channels: [UInt64: Int32] = [:]

  /// Hands them to `engine`, which nobody else uses.
  init(_ engine: ProfileEngine) {
    self.engine = engine
    unsafe near = .allocate(capacity: nearCapacity)
  }

  deinit { unsafe near.deallocate() }

  @inline(never)
  private func keepNear(_ connection: Int, _ version: Int) {
    let known = slots[connection]
    if known.count > nearCapacity {
      unsafe near.deallocate()
      nearCapacity = known.count * 2
      unsafe near = .allocate(capacity: nearCapacity)
    }
    for place in known.indices { unsafe near[place] = known[place] }
    nearCount = known.count
    nearConnection = Int32(connection)
    nearVersion = version
    nearLink = Int(links[connection])
  }

  /// Finds out which profile knows the attribute of a row, and calls `report` with it, once for each attribute.
  @inline(__always)
  func prepare(_ row: PacketRow, _ batch: RowBatch, _ report: (ProfileAttribute) -> Void) {
    guard row.attribute >= 0, row.connection >= 0 else { return }
    let connection = Int(row.connection)
    if row.connection == nearConnection, batch.version == nearVersion, Int(row.attribute) < nearCount,
      unsafe near[Int(row.attribute)] != Int32.min
    {
      return
    }
    if connection < links.count, links[connection] >= 0, versions[connection] == batch.version,
      Int(row.attribute) < slots[connection].count,
      slots[connection][Int(row.attribute)] != Int32.min
    {
      keepNear(connection, batch.version)
      return
    }
    nearConnection = -1
    resolve(row, batch, report)
  }

  @inline(never)
  private func resolve(_ row: PacketRow, _ batch: RowBatch, _ report: (ProfileAttribute) -> Void) {
    let connection = Int(row.connection)
    if connection >= links.count || links[connection] == -1 || versions[connection] != batch.version { learn(connection, batch.tables) }
    guard links[connection] >= 0, !row.flags.contains(.localServer) else { return }
    let owner = batch.tables.characteristic(of: row.attribute)
    for attribute in owner >= 0 && owner != row.attribute ? [owner, row.attribute] : [row.attribute] {
      guard Int(attribute) >= slots[connection].count || slots[connection][Int(attribute)] == Int32.min else { continue }
      let slot = find(Int(attribute), connection, batch.tables)
      if slot >= 0, !engine.isProposed(Int(links[connection]), slot: slot) { name(attribute, connection, slot, batch.tables, report) }
    }
  }

  private func name(_ attribute: Int32, _ connection: Int, _ slot: Int, _ tables: Tables, _ report: (ProfileAttribute) -> Void) {
    guard let (profile, source) = engine.source(Int(links[connection]), slot: slot) else { return }
    let isUnknown = tables.attributes[Int(attribute)].uuid < 0
    let uuid = isUnknown ? profile.uuid(of: source) : nil
    report(ProfileAttribute(index: attribute, name: profile.sourceNames[source], uuid: uuid))
  }

  /// Takes what the engine found out of profiles that were proposed for the device of a connection: calls `report` with each attribute that a
  /// confirmed one knows, and `withdrawn` with each that does not fit.
  @inline(never)
  func takeVerdicts(
    _ connection: Int32, _ tables: Tables, _ report: (ProfileAttribute) -> Void, withdrawn: (ProfileEngine.Verdict) -> Void
  ) {
    nearConnection = -1
    let at = Int(connection)
    for verdict in engine.takeVerdicts() {
      guard verdict.isConfirmed else {
        withdrawn(verdict)
        continue
      }
      guard at >= 0, at < links.count, links[at] == Int32(verdict.link) else { continue }
      for attribute in slots[at].indices where slots[at][attribute] >= 0 {
        let slot = engine.confirmed(Int(links[at]), slot: Int(slots[at][attribute]))
        guard let source = engine.source(Int(links[at]), slot: slot), source.profile === verdict.profile else { continue }
        slots[at][attribute] = Int32(slot)
        name(Int32(attribute), at, slot, tables, report)
      }
    }
  }

  /// Hands one value to the engine. Returns whether a profile took it; the messages it completed are in ``ProfileEngine/messages``.
  @inline(__always)
  func feed(_ event: ValueEvent, _ row: PacketRow, _ batch: RowBatch) -> Bool {
    guard row.connection >= 0 else { return false }
    if row.connection == nearConnection, batch.version == nearVersion, event.attribute >= 0, Int(event.attribute) < nearCount,
      unsafe near[Int(event.attribute)] != Int32.min
    {
      let slot = unsafe Int(near[Int(event.attribute)])
      guard slot >= 0 else { return false }
      return feed(nearLink, slot, event, row)
    }
    nearConnection = -1
    let connection = Int(row.connection)
    if connection >= links.count || links[connection] < 0 || versions[connection] != batch.version { learn(connection, batch.tables) }
    let link = Int(links[connection])
    guard link >= 0 else { return false }
    let slot: Int
    if event.attribute >= 0 {
      let attribute = Int(event.attribute)
      if attribute < slots[connection].count, slots[connection][attribute] != Int32.min {
        slot = Int(slots[connection][attribute])
      } else {
        slot = find(attribute, connection, batch.tables)
      }
    } else if event.source == .rfcomm || event.source == .l2cap {
      slot = channel(event, connection, batch.tables)
    } else {
      return false
    }
    guard slot >= 0 else { return false }
    return feed(link, slot, event, row)
  }

  /// Feeds a value to a slot. Returns whether its profile took it: one on probation takes nothing that anybody could see.
  @inline(__always)
  private func feed(_ link: Int, _ slot: Int, _ event: ValueEvent, _ row: PacketRow) -> Bool {
    unsafe engine.feed(link, slot, direction(event, row), event.bytes.buffer, frame: row.frame, time: row.time)
    return !engine.hasProposals || engine.hasMessages || !engine.isProposed(link, slot: slot)
  }

  /// Whether a profile knows an attribute of a connection's peer.
  func knows(_ attribute: Int32, _ connection: Int32) -> Bool {
    let at = Int(connection)
    guard at >= 0, at < links.count, links[at] >= 0, attribute >= 0, Int(attribute) < slots[at].count else { return false }
    let slot = Int(slots[at][Int(attribute)])
    return slot >= 0 && !engine.isProposed(Int(links[at]), slot: slot)
  }

  /// The attributes of a connection's peer that are one of `sources` of a profile.
  func attributes(of profile: CompiledProfile, _ sources: [Int], _ connection: Int32, _ tables: Tables) -> [Int32] {
    let at = Int(connection)
    let database = tables.remoteDatabase(connection)
    guard at < links.count, links[at] >= 0, database >= 0 else { return [] }
    return tables.databases[Int(database)].attributes.filter { attribute in
      guard tables.attributes[Int(attribute)].kind == .value else { return false }
      var slot = Int32.min
      if Int(attribute) < slots[at].count { slot = slots[at][Int(attribute)] }
      if slot == Int32.min {
        slot = Int32(find(Int(attribute), at, tables))
        // It is still to be named, with its first row.
        slots[at][Int(attribute)] = Int32.min
      }
      guard slot >= 0, let (found, source) = engine.source(Int(links[at]), slot: Int(slot)) else { return false }
      return found === profile && sources.contains(source)
    }
  }

  private func direction(_ event: ValueEvent, _ row: PacketRow) -> Profiles.ValueDirection {
    switch event.source {
    case .write, .writeCommand: .write
    case .notify: .notify
    case .indicate: .indicate
    case .read: .read
    case .advertisement: .advertise
    case .rfcomm, .l2cap: row.direction == .sent || row.direction == .central ? .write : .notify
    }
  }

  /// Opens a link, or updates its facts.
  @inline(never)
  private func learn(_ connection: Int, _ tables: Tables) {
    nearConnection = -1
    while links.count <= connection {
      links.append(-1)
      slots.append([])
      versions.append(-1)
    }
    guard links[connection] != -2 else { return }
    versions[connection] = tables.version
    let facts = tables.facts(ofPeer: tables.connections[connection].peer, database: tables.remoteDatabase(Int32(connection)))
    if links[connection] < 0 { links[connection] = Int32(engine.connect(facts)) } else { engine.update(Int(links[connection]), facts) }
    // What no profile knew, or was only proposed for, may be known by what was learned.
    slots[connection] = slots[connection].map {
      $0 >= 0 && !engine.isProposed(Int(links[connection]), slot: Int($0)) ? $0 : Int32.min
    }
  }

  @inline(never)
  private func find(_ attribute: Int, _ connection: Int, _ tables: Tables) -> Int {
    nearConnection = -1
    while slots[connection].count <= attribute { slots[connection].append(Int32.min) }
    let one = tables.attributes[attribute]
    let link = Int(links[connection])
    let uuid = one.uuid >= 0 ? tables.uuids[Int(one.uuid)] : nil
    let service = tables.service(of: Int32(attribute))
    let serviceUUID =
      service >= 0 && tables.attributes[Int(service)].uuid >= 0
      ? tables.uuids[Int(tables.attributes[Int(service)].uuid)] : nil
    let slot: Int
    if one.kind == .descriptor {
      let owner = tables.characteristic(of: Int32(attribute))
      let characteristic =
        owner >= 0 && tables.attributes[Int(owner)].uuid >= 0
        ? tables.uuids[Int(tables.attributes[Int(owner)].uuid)] : nil
      slot = engine.slot(link, uuid: uuid, service: serviceUUID, handle: one.handle, isDescriptor: true, characteristic: characteristic)
    } else {
      slot = engine.slot(link, uuid: uuid, service: serviceUUID, handle: one.handle)
    }
    slots[connection][attribute] = Int32(slot)
    return slot
  }

  /// The class of the service behind an RFCOMM channel, from SDP.
  private func service(_ event: ValueEvent, _ tables: Tables) -> BluetoothUUID? {
    guard event.service >= 0, case let uuid = tables.services[Int(event.service)].uuid, uuid >= 0 else { return nil }
    return tables.uuids[Int(uuid)]
  }

  private func channel(_ event: ValueEvent, _ connection: Int, _ tables: Tables) -> Int {
    let key =
      UInt64(connection) << 32 | UInt64(event.source == .rfcomm ? event.channel : event.psm) << 1 | (event.source == .rfcomm ? 1 : 0)
    if let known = channels[key] { return Int(known) }
    let link = Int(links[connection])
    let slot =
      event.source == .rfcomm
      ? engine.slot(link, rfcommChannel: Int(event.psm), service: service(event, tables)) : engine.slot(link, psm: Int(event.psm))
    if channels.count < 65_536 { channels[key] = Int32(slot) }
    return slot
  }

  /// Ends a connection. What its layers still hold becomes messages of the engine.
  func disconnect(_ connection: Int32) {
    let index = Int(connection)
    nearConnection = -1
    guard index >= 0, index < links.count, links[index] >= 0 else { return }
    engine.disconnect(Int(links[index]))
    links[index] = -2
    slots[index] = []
  }
}

extension Tables {
  /// The facts of a device that profiles are chosen by: `database` is that of its attributes, or -1.
  func facts(ofPeer peer: Int32, database: Int32) -> PeerFacts {
    var facts = PeerFacts()
    if peer >= 0 {
      let name = name(of: peer)
      if !name.isEmpty { facts.name = String(decoding: name, as: UTF8.self) }
      facts.address = DeviceAddress(peers[Int(peer)].address).description
    }
    guard database >= 0 else { return facts }
    for index in databases[Int(database)].attributes {
      let attribute = attributes[Int(index)]
      guard attribute.uuid >= 0 else { continue }
      let uuid = uuids[Int(attribute.uuid)]
      if attribute.kind == .service { facts.services.append(uuid) }
      if attribute.kind == .value { facts.characteristics.append(uuid) }
    }
    return facts
  }
}
