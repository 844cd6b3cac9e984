import Bluetooth
import Captures
import Conversations
import Memory
@_spi(Pipeline) import Profiles

/// Passes values of attributes and channels to the profile engine, with the engine's links and slots.
///
/// Its memory does not grow with the capture: see ``makeRoom()``.
@safe final class ProfileLinks {
  /// Most connections that the engine keeps a link for, besides those of the current batch. Those that were silent longest are evicted.
  static let maxLinks = 128
  /// Most attributes of all connections whose slots are kept. Beyond that, slots are searched again.
  static let maxSlots = 32_768
  private static let maxChannels = 4096
  /// Most bytes of incomplete messages.
  private static let maxHeld = 8 << 20

  let engine: ProfileEngine
  /// Link of each connection; -1 none yet, -2 ended.
  private var links: [Int32] = []
  /// The profile engine's state of each connection that has a link, by the connection's index.
  private var open: [Int32: OpenLink] = [:]
  private var slotCount = 0
  private var channelCount = 0
  /// Cache of the slots that were looked up last, in memory that is read without retain and release.
  private let recent = GrowingTable(repeating: RecentSlot(), capacity: ProfileLinks.recentCount)
  private static let recentCount = 256
  /// Entries of ``recent`` with another stamp are out of date.
  private var recentStamp: Int32 = 0
  /// Version of the tables for which ``recent`` is valid.
  private var recentVersion = -1
  /// Number of the current batch, for ``OpenLink/lastUse``.
  private var batchNumber = 0

  /// The state of a connection while it has a link.
  private final class OpenLink {
    let link: Int
    /// Version of the tables that the engine's facts of the link come from.
    var version = -1
    /// Slot of each attribute that was looked up; -1 where no profile describes it.
    var slots: [Int32: Int32] = [:]
    /// Slot of each channel of RFCOMM or L2CAP; -1 where no profile describes it.
    var channels: [UInt32: Int32] = [:]
    /// The batch in which it was last used.
    var lastUse = 0

    init(_ link: Int) { self.link = link }
  }

  private struct RecentSlot {
    var key: UInt64 = .max
    var stamp: Int32 = -1
    var slot: Int32 = -1
    var link = -1
  }

  /// Passes values to `engine`, which must have no other user.
  init(_ engine: ProfileEngine) {
    self.engine = engine
  }

  deinit { recent.deallocate() }

  /// The entry of ``recent`` for an attribute of a connection, whether or not it is filled.
  @inline(__always)
  private func recentEntry(_ attribute: Int32, _ connection: Int32) -> GrowingTable<RecentSlot>.Entry {
    recent.entry(Int(truncatingIfNeeded: (attribute &+ connection &* 67) & 255))
  }

  @inline(__always)
  private func key(_ attribute: Int32, _ connection: Int32) -> UInt64 {
    UInt64(UInt32(bitPattern: connection)) << 32 | UInt64(UInt32(bitPattern: attribute))
  }

  /// Empties ``recent``: entries with the old stamp become invalid.
  private func forgetRecent() { recentStamp &+= 1 }

  /// The slot of an attribute, if it is known and the tables did not change since; adds it to ``recent``.
  @inline(never)
  private func known(_ attribute: Int32, _ connection: Int32, _ version: Int) -> Int32? {
    guard let known = open[connection], known.version == version, let slot = known.slots[attribute] else { return nil }
    known.lastUse = batchNumber
    if recentVersion != version {
      recentVersion = version
      forgetRecent()
    }
    recentEntry(attribute, connection).pointee = RecentSlot(
      key: key(attribute, connection), stamp: recentStamp, slot: slot, link: known.link)
    return slot
  }

  private func keep(_ slot: Int32, _ attribute: Int32, _ connection: Int32) {
    guard let known = open[connection] else { return }
    if slotCount >= Self.maxSlots {
      for (_, link) in open { link.slots.removeAll() }
      slotCount = 0
    }
    if known.slots.updateValue(slot, forKey: attribute) == nil { slotCount += 1 }
  }

  /// Called after each batch: returns the connections to evict, those that were silent longest first. Pass each to ``evict(_:)``.
  func makeRoom() -> [Int32] {
    batchNumber += 1
    if batchNumber % 16 == 0, case let held = open.reduce(0, { $0 + engine.heldBytes($1.value.link) }), held > Self.maxHeld {
      return oldest.filter { engine.heldBytes(open[$0]?.link ?? -1) > 0 }
    }
    guard open.count > Self.maxLinks / 2 else { return [] }
    // Cache hits do not set `lastUse`: from here on the cache is emptied after each batch, so that the order is right.
    forgetRecent()
    guard open.count > Self.maxLinks else { return [] }
    return Array(oldest.prefix(open.count - Self.maxLinks / 2))
  }

  /// The connections that have a link, those that were silent longest first.
  private var oldest: [Int32] { open.sorted { ($0.value.lastUse, $0.key) < ($1.value.lastUse, $1.key) }.map(\.key) }

  /// Ends the link of an evicted connection. Data that its layers still hold become messages of the engine; with later traffic, the connection starts
  /// anew.
  func evict(_ connection: Int32) { close(connection, as: -1) }

  /// Whether a row of an attribute has to be passed to ``prepare(_:_:_:)``. Most rows are of attributes that are in ``recent``.
  @inline(__always)
  func needsPreparation(_ attribute: Int32, _ connection: Int32, _ version: Int) -> Bool {
    guard attribute >= 0, connection >= 0 else { return false }
    let entry = recentEntry(attribute, connection)
    return !(version == recentVersion && entry.pointee.key == key(attribute, connection) && entry.pointee.stamp == recentStamp)
  }

  /// According to ``recent``, no profile describes the attribute.
  @inline(__always)
  func hasNoProfile(_ attribute: Int32, _ connection: Int32, _ version: Int) -> Bool {
    guard attribute >= 0, connection >= 0 else { return false }
    let entry = recentEntry(attribute, connection)
    return version == recentVersion && entry.pointee.key == key(attribute, connection) && entry.pointee.stamp == recentStamp
      && entry.pointee.slot < 0
  }

  /// Looks up the profile that describes the attribute of a row, and calls `report` with it, once for each attribute.
  func prepare(_ row: PacketRow, _ batch: RowBatch, _ report: (ProfileAttribute) -> Void) {
    guard needsPreparation(row.attribute, row.connection, batch.version) else { return }
    if known(row.attribute, row.connection, batch.version) != nil { return }
    resolve(row, batch, report)
  }

  @inline(never)
  private func resolve(_ row: PacketRow, _ batch: RowBatch, _ report: (ProfileAttribute) -> Void) {
    guard learn(row.connection, batch.tables), !row.flags.contains(.localServer), let known = open[row.connection] else { return }
    known.lastUse = batchNumber
    let owner = batch.tables.characteristic(of: row.attribute)
    for attribute in owner >= 0 && owner != row.attribute ? [owner, row.attribute] : [row.attribute] where known.slots[attribute] == nil {
      let slot = find(attribute, row.connection, known.link, batch.tables)
      if slot >= 0, !engine.isProposed(known.link, slot: slot) { name(attribute, row.connection, slot, batch.tables, report) }
    }
  }

  private func name(
    _ attribute: Int32, _ connection: Int32, _ slot: Int, _ tables: ConversationTables, _ report: (ProfileAttribute) -> Void
  ) {
    guard let known = open[connection], let (profile, source) = engine.source(known.link, slot: slot) else { return }
    let isUnknown = tables.attributes[Int(attribute)].uuid < 0
    let uuid = isUnknown ? profile.uuid(of: source) : nil
    report(ProfileAttribute(index: attribute, name: profile.sourceNames[source], uuid: uuid))
  }

  /// Takes the engine's results for profiles that were proposed for the device of a connection: calls `report` with each attribute that a confirmed
  /// profile describes, and `withdrawn` with each profile that does not fit.
  @inline(never)
  func takeVerdicts(
    _ connection: Int32, _ tables: ConversationTables, _ report: (ProfileAttribute) -> Void, withdrawn: (ProfileEngine.Verdict) -> Void
  ) {
    forgetRecent()
    for verdict in engine.takeVerdicts() {
      guard verdict.isConfirmed else {
        withdrawn(verdict)
        continue
      }
      guard let known = open[connection], known.link == verdict.link else { continue }
      for (attribute, slot) in known.slots.sorted(by: { $0.key < $1.key }) where slot >= 0 {
        let slot = engine.confirmed(known.link, slot: Int(slot))
        guard let source = engine.source(known.link, slot: slot), source.profile === verdict.profile else { continue }
        known.slots[attribute] = Int32(slot)
        name(attribute, connection, slot, tables, report)
      }
    }
  }

  /// Passes a value to the engine. Returns whether a profile took it; the messages it completed are in ``ProfileEngine/messages``.
  @inline(__always)
  func feed(_ event: ValueEvent, _ row: PacketRow, _ batch: RowBatch) -> Bool {
    guard row.connection >= 0 else { return false }
    if event.attribute >= 0 {
      let entry = recentEntry(event.attribute, row.connection)
      if batch.version == recentVersion && entry.pointee.key == key(event.attribute, row.connection)
        && entry.pointee.stamp == recentStamp
      {
        let slot = Int(entry.pointee.slot)
        guard slot >= 0 else { return false }
        return feed(entry.pointee.link, slot, event, row)
      }
    }
    return feedFar(event, row, batch)
  }

  @inline(never)
  private func feedFar(_ event: ValueEvent, _ row: PacketRow, _ batch: RowBatch) -> Bool {
    guard learn(row.connection, batch.tables), let known = open[row.connection] else { return false }
    known.lastUse = batchNumber
    let slot: Int
    if event.attribute >= 0 {
      slot =
        self.known(event.attribute, row.connection, batch.version).map { Int($0) }
        ?? find(event.attribute, row.connection, known.link, batch.tables)
    } else if event.source == .rfcomm || event.source == .l2cap {
      slot = channel(event, row.connection, known.link, batch.tables)
    } else {
      return false
    }
    guard slot >= 0 else { return false }
    return feed(known.link, slot, event, row)
  }

  /// Feeds a value to a slot. Returns whether its profile took it; a profile on trial does not count, because its messages are not shown.
  @inline(__always)
  private func feed(_ link: Int, _ slot: Int, _ event: ValueEvent, _ row: PacketRow) -> Bool {
    engine.feed(link, slot, direction(event, row), event.bytes, frame: row.frame, time: row.time)
    return !engine.hasProposals || engine.hasMessages || !engine.isProposed(link, slot: slot)
  }

  /// Whether a profile describes an attribute of a connection's peer.
  func knows(_ attribute: Int32, _ connection: Int32) -> Bool {
    guard attribute >= 0, connection >= 0 else { return false }
    let entry = recentEntry(attribute, connection)
    if entry.pointee.key == key(attribute, connection) && entry.pointee.stamp == recentStamp {
      return entry.pointee.slot >= 0 && !engine.isProposed(entry.pointee.link, slot: Int(entry.pointee.slot))
    }
    guard let known = open[connection], let slot = known.slots[attribute] else { return false }
    return slot >= 0 && !engine.isProposed(known.link, slot: Int(slot))
  }

  /// Attributes of a database that may be sources of a profile by their UUIDs and handles, valid until the next discovery.
  private struct Possible {
    var database: Int32
    var attributes: Int
    var discovered: Int
    weak var profile: CompiledProfile?
    var sources: [Int]
    var found: [Int32]
  }
  private var possible: [Possible] = []
  /// Most lists that are kept, and most attributes of a list: devices have few that respond to the same request.
  private static let maxPossible = 32

  /// The candidates of `attributes(of:…)`, cached so that all attributes of a device that reconnects often are searched once.
  private func possible(_ profile: CompiledProfile, _ sources: [Int], _ database: Int32, _ tables: ConversationTables) -> [Int32] {
    let known = tables.databases[Int(database)]
    if let index = possible.firstIndex(where: { $0.database == database && $0.profile === profile && $0.sources == sources }) {
      let isCurrent = possible[index].attributes == known.attributes.count && possible[index].discovered == known.discovered
      if isCurrent { return possible[index].found }
      possible.remove(at: index)
    }
    let found = known.attributes.lazy.filter { attribute in
      let entry = tables.attributes[Int(attribute)]
      guard entry.kind == .value else { return false }
      let uuid = entry.uuid >= 0 ? tables.uuids[Int(entry.uuid)] : nil
      return sources.contains { profile.mayBe(source: $0, uuid, entry.handle) }
    }.prefix(Self.maxPossible)
    if possible.count >= Self.maxPossible { possible.removeFirst() }
    possible.append(
      Possible(
        database: database, attributes: known.attributes.count, discovered: known.discovered, profile: profile, sources: sources,
        found: Array(found)))
    return Array(found)
  }

  /// The attributes of a connection's peer that match one of `sources` of a profile.
  func attributes(of profile: CompiledProfile, _ sources: [Int], _ connection: Int32, _ tables: ConversationTables) -> [Int32] {
    let database = tables.remoteDatabase(connection)
    guard let known = open[connection], database >= 0 else { return [] }
    return possible(profile, sources, database, tables).filter { attribute in
      // An attribute that was not looked up so far is reported with its first row: its slot is not kept here.
      let slot = known.slots[attribute].map { Int($0) } ?? search(attribute, known.link, tables)
      guard slot >= 0, let (found, source) = engine.source(known.link, slot: slot) else { return false }
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

  /// Opens a link, or updates its facts if the tables changed. Returns false where the connection has ended.
  @inline(never)
  private func learn(_ connection: Int32, _ tables: ConversationTables) -> Bool {
    let at = Int(connection)
    if at < links.count, links[at] == -2 { return false }
    if let known = open[connection], known.version == tables.version { return true }
    forgetRecent()
    while links.count <= at { links.append(-1) }
    let facts = tables.facts(ofPeer: tables.connections[at].peer, database: tables.remoteDatabase(connection))
    guard let known = open[connection] else {
      let made = OpenLink(engine.connect(facts))
      made.version = tables.version
      made.lastUse = batchNumber
      links[at] = Int32(made.link)
      open[connection] = made
      return true
    }
    known.version = tables.version
    engine.update(known.link, facts)
    // Attributes without a profile, or with only a proposed one, may match a profile now.
    let before = known.slots.count
    known.slots = known.slots.filter { $0.value >= 0 && !engine.isProposed(known.link, slot: Int($0.value)) }
    slotCount -= before - known.slots.count
    return true
  }

  /// Finds the slot of an attribute, and keeps it.
  @inline(never)
  private func find(_ attribute: Int32, _ connection: Int32, _ link: Int, _ tables: ConversationTables) -> Int {
    forgetRecent()
    let slot = search(attribute, link, tables)
    keep(Int32(slot), attribute, connection)
    return slot
  }

  private func search(_ attribute: Int32, _ link: Int, _ tables: ConversationTables) -> Int {
    let entry = tables.attributes[Int(attribute)]
    switch entry.kind {
    // Declarations have the UUID of what they declare.
    case .service, .include, .declaration: return -1
    case .unknown, .value, .descriptor: break
    }
    let uuid = entry.uuid >= 0 ? tables.uuids[Int(entry.uuid)] : nil
    let service = tables.service(of: attribute)
    let serviceUUID =
      service >= 0 && tables.attributes[Int(service)].uuid >= 0
      ? tables.uuids[Int(tables.attributes[Int(service)].uuid)] : nil
    guard entry.kind == .descriptor else { return engine.slot(link, uuid: uuid, service: serviceUUID, handle: entry.handle) }
    let owner = tables.characteristic(of: attribute)
    let characteristic =
      owner >= 0 && tables.attributes[Int(owner)].uuid >= 0
      ? tables.uuids[Int(tables.attributes[Int(owner)].uuid)] : nil
    return engine.slot(link, uuid: uuid, service: serviceUUID, handle: entry.handle, isDescriptor: true, characteristic: characteristic)
  }

  /// The slot of an RFCOMM channel by the service classes that SDP gives, the most specific first.
  private func slot(_ event: ValueEvent, _ link: Int, _ tables: ConversationTables) -> Int {
    let service = event.service >= 0 ? tables.services[Int(event.service)] : nil
    guard let service, service.uuid >= 0 else { return engine.slot(link, rfcommChannel: Int(event.psm)) }
    for uuid in [service.uuid] + service.otherClasses {
      let slot = engine.slot(link, rfcommChannel: Int(event.psm), service: tables.uuids[Int(uuid)])
      if slot >= 0 { return slot }
    }
    return -1
  }

  private func channel(_ event: ValueEvent, _ connection: Int32, _ link: Int, _ tables: ConversationTables) -> Int {
    guard let known = open[connection] else { return -1 }
    let key = UInt32(event.source == .rfcomm ? event.channel : event.psm) << 1 | (event.source == .rfcomm ? 1 : 0)
    if let slot = known.channels[key] { return Int(slot) }
    let slot = event.source == .rfcomm ? self.slot(event, link, tables) : engine.slot(link, psm: Int(event.psm))
    if channelCount >= Self.maxChannels {
      for (_, link) in open { link.channels.removeAll() }
      channelCount = 0
    }
    known.channels[key] = Int32(slot)
    channelCount += 1
    return slot
  }

  /// Ends a connection. Data that its layers still hold become messages of the engine. Returns false if it has no layers: the engine's messages are
  /// then those of another connection.
  func disconnect(_ connection: Int32) -> Bool { close(connection, as: -2) }

  @discardableResult
  private func close(_ connection: Int32, as mark: Int32) -> Bool {
    forgetRecent()
    guard let known = open.removeValue(forKey: connection) else { return false }
    slotCount -= known.slots.count
    engine.disconnect(known.link)
    links[Int(connection)] = mark
    channelCount -= known.channels.count
    return true
  }
}

extension ConversationTables {
  /// The facts of a device that profiles are selected by: `database` is that of its attributes, or -1.
  func facts(ofPeer peer: Int32, database: Int32) -> PeerFacts {
    var facts = PeerFacts()
    if peer >= 0 {
      let name = name(of: peer)
      if !name.isEmpty { facts.name = String(decoding: name, as: UTF8.self) }
      facts.address = DeviceAddress(peers[Int(peer)].address).description
    }
    guard database >= 0 else { return facts }
    // These are collected and compared with every change, so their number is bounded: 1024 attributes are enough to distinguish a device.
    for index in databases[Int(database)].attributes.prefix(1024) {
      let attribute = attributes[Int(index)]
      guard attribute.uuid >= 0 else { continue }
      let uuid = uuids[Int(attribute.uuid)]
      if attribute.kind == .service { facts.services.append(uuid) }
      if attribute.kind == .value { facts.characteristics.append(uuid) }
    }
    return facts
  }
}
