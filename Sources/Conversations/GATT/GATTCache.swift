import Bluetooth
import Captures

/// Attribute tables of devices from outside a capture: written by hand, saved from another capture, or a host's cache.
public struct GATTCache: Sendable, Equatable {
  /// One attribute.
  public struct Entry: Sendable, Equatable {
    /// Attribute handle.
    public var handle: UInt16
    /// Kind of attribute.
    public var kind: Attribute.Kind
    /// As in ``Attribute/uuid``; nil where it is not known.
    public var uuid: BluetoothUUID?
    /// Properties bits of a characteristic (Core, Vol 3, Part G, 3.3.1.1).
    public var properties: UInt8 = 0
    /// As in ``Attribute/related``.
    public var related: UInt16 = 0
    /// True for a primary service.
    public var isPrimary = true

    /// Creates an entry.
    public init(
      handle: UInt16, kind: Attribute.Kind, uuid: BluetoothUUID?, properties: UInt8 = 0, related: UInt16 = 0, isPrimary: Bool = true
    ) {
      self.handle = handle
      self.kind = kind
      self.uuid = uuid
      self.properties = properties
      self.related = related
      self.isPrimary = isPrimary
    }

    /// Sort order: by handle; where a faulty device has several attributes with one handle, the containing one (service, declaration) comes first.
    static func precedes(_ entry: Entry, _ other: Entry) -> Bool {
      (entry.handle, entry.kind.rawValue) < (other.handle, other.kind.rawValue)
    }
  }

  /// A device and its attributes. A peer matches by address if the device has one, else by name; the peer of a connection whose start is missing
  /// matches by ``connection``.
  public struct Device: Sendable, Equatable {
    /// Its address, little-endian value of the six octets, or nil.
    public var address: UInt64?
    /// True for a random address, nil where that is not known.
    public var isRandom: Bool?
    /// Its name; a trailing `*` matches any name with this prefix.
    public var name: [UInt8] = []
    /// Handle of a connection whose start the capture does not show, or nil.
    public var connection: UInt16?
    /// Index of the adapter whose host serves the attributes (``Adapter/unnumbered`` where its capture gives none), or nil where a peer does.
    public var adapter: UInt16?
    /// Attributes by their handles.
    public var entries: [Entry] = []

    /// A device without attributes.
    public init() {}

    /// Sorts the attributes. Of several with the same handle and kind the first stays; declarations all stay, as one may belong to several values.
    public mutating func sort() {
      entries.sort(by: Entry.precedes)
      var last: Entry?
      entries.removeAll { entry in
        let isDuplicate = entry.kind != .declaration && entry.handle == last?.handle && entry.kind == last?.kind
        last = entry
        return isDuplicate
      }
    }
  }

  /// Devices, in the order of the file.
  public var devices: [Device] = []

  /// An empty map.
  public init() {}

  /// The attributes in `tables` that discoveries or other maps identified.
  public init(_ tables: ConversationTables) {
    for (index, database) in tables.databases.enumerated() {
      var entries: [Entry] = []
      for number in database.attributes {
        let attribute = tables.attributes[Int(number)]
        // Skips attributes that a Service Changed dropped or a later discovery replaced.
        guard attribute.source == .discovery || attribute.source == .cache, tables.current(attribute.database, attribute.handle) == number
        else { continue }
        entries.append(
          Entry(
            handle: attribute.handle, kind: attribute.kind, uuid: attribute.uuid < 0 ? nil : tables.uuids[Int(attribute.uuid)],
            properties: attribute.properties,
            related: attribute.related, isPrimary: attribute.isPrimary))
      }
      entries.sort(by: Entry.precedes)
      guard !entries.isEmpty else { continue }
      var device = Device()
      device.entries = entries
      if let peer = tables.peers.firstIndex(where: { $0.database == Int32(index) && $0.identity < 0 }) {
        device.address = tables.peers[peer].address
        device.isRandom = tables.peers[peer].addressType != 0xFF && tables.peers[peer].addressType & 1 == 1
        device.name = tables.name(of: Int32(peer))
      } else if let adapter = tables.adapters.first(where: { $0.database == Int32(index) }) {
        device.adapter = adapter.index
      } else if let connection = tables.connections.first(where: { $0.database == Int32(index) }) {
        device.connection = connection.handle
      } else {
        continue
      }
      devices.append(device)
    }
  }
}

extension ConversationTables {
  /// Tables that assign the attributes of `map` to its devices when they first appear, and that know the connections the host had before the capture.
  public init(_ map: GATTCache, _ connections: [HostConnection] = []) {
    self.init()
    self.map = map
    mapLookup = GATTCacheLookup(map)
    hostConnections = connections
  }

  /// The peer of a connection that the host had before the capture; nil where the kernel did not report it. Each connection is returned once.
  mutating func takeHostConnection(_ adapter: UInt16, _ handle: UInt16) -> (connection: HostConnection, peer: Int32)? {
    guard let index = hostConnections.firstIndex(where: { $0.adapter == adapter && $0.handle == handle }) else { return nil }
    let connection = hostConnections.remove(at: index)
    return (connection, peer(connection.address, type: connection.isLE ? addressType(connection.address) : 0xFF))
  }

  /// The type of an LE address where the kernel does not report it: from the map, else from its two highest bits, which distinguish static and
  /// resolvable addresses (Core, Vol 6, Part B, 1.3.2).
  private func addressType(_ address: UInt64) -> UInt8 {
    if let isRandom = map.devices.first(where: { $0.address == address && $0.isRandom != nil })?.isRandom { return isRandom ? 1 : 0 }
    return address >> 46 == 0b11 || address >> 46 == 0b01 ? 1 : 0
  }

  /// Assigns the map's attributes to a peer that was just seen or just named.
  mutating func applyMap(to peer: Int32) {
    guard peer >= 0 else { return }
    guard let found = mapLookup.index(of: peers[Int(peer)]) else { return }
    let owner = Int(identity(peer))
    // The name that the device itself sends has precedence.
    let name = map.devices[found].name
    if map.devices[found].address != nil, peers[owner].nameTrust == 0, !name.isEmpty {
      peers[owner].name = name
      peers[owner].nameTrust = 1
      version += 1
    }
    if peers[owner].database < 0 { peers[owner].database = newDatabase() }
    apply(map.devices[found], to: peers[owner].database)
  }

  /// Assigns the map's attributes for a connection handle to the unknown peer of that connection.
  mutating func applyMap(toConnection handle: UInt16, database: Int32) {
    if let device = map.devices.first(where: { $0.connection == handle }) { apply(device, to: database) }
  }

  /// Assigns the map's attributes for an adapter to its host.
  mutating func applyMap(toAdapter index: UInt16, database: Int32) {
    if let device = map.devices.first(where: { $0.adapter == index }) { apply(device, to: database) }
  }

  private mutating func apply(_ device: GATTCache.Device, to database: Int32) {
    for entry in device.entries {
      let index =
        current(database, entry.handle) >= 0 ? current(database, entry.handle) : newAttribute(database, entry.handle, validFrom: 0)
      // Attributes from a discovery have precedence.
      guard index >= 0, attributes[Int(index)].source.rawValue < Attribute.Source.cache.rawValue else { continue }
      let at = Int(index)
      let wasKnown = attributes[at].source != .none && attributes[at].source != .guess
      setKind(at, entry.kind)
      attributes[at].source = .cache
      attributes[at].uuid = entry.uuid.map { uuid($0) } ?? -1
      attributes[at].properties = entry.properties
      attributes[at].related = entry.related
      attributes[at].isPrimary = entry.isPrimary
      if !wasKnown { keepLive(index, in: database) }
      databases[Int(database)].discovered += 1
      version += 1
    }
  }
}
