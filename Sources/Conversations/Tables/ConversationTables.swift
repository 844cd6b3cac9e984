import Bluetooth
import Captures
import PacketCodecs

/// A Bluetooth adapter of the capture.
public struct Adapter: Sendable {
  /// HCI index; ``unnumbered`` where the capture has a single adapter and gives no index.
  public var index: UInt16
  /// The ``index`` of an adapter of which the capture gives none.
  public static let unnumbered: UInt16 = 0xFFFF
  /// Its own address, little-endian value of the six octets, or nil where the capture does not say.
  public var address: UInt64?
  /// Its name from the capture's New Index record or from the host; raw bytes, not yet escaped.
  public var name: [UInt8] = []
  /// Company identifier of its manufacturer (Assigned Numbers), or nil.
  public var manufacturer: UInt16?
  /// Database of the attributes that this adapter's host serves; index into ``ConversationTables/databases``.
  public var database: Int32

  init(index: UInt16, database: Int32) {
    self.index = index
    self.database = database
  }
}

/// A device that was connected, or whose name was seen.
public struct Peer: Sendable {
  /// The ``addressType`` of BR/EDR addresses.
  public static let classic: UInt8 = 0xFF

  /// Its address, as the little-endian value of the six octets.
  public var address: UInt64
  /// Kind of the address as HCI has it: 0 public, 1 random, 2 public identity, 3 random identity, 0xFF BR/EDR.
  public var addressType: UInt8
  /// Its name (from advertising, GAP or a remote name request); raw bytes, not yet escaped.
  public var name: [UInt8] = []
  /// Name source in rising trust: 0 none, 1 shortened, 2 complete from advertising, 3 read from GAP or by a remote name request.
  public var nameTrust: UInt8 = 0
  /// Database of the attributes it serves; index into ``ConversationTables/databases``, -1 until one is needed.
  public var database: Int32 = -1
  /// The peer with the identity address where this address is private and was resolved; index into ``ConversationTables/peers``, else -1.
  public var identity: Int32 = -1
}

/// One connection from its start (or the first packet seen of it) to its end.
public struct Connection: Sendable {
  /// Adapter (HCI index).
  public var adapter: UInt16
  /// Connection handle; for Link Layer captures a number given by btscribe.
  public var handle: UInt16
  /// Access address of a Link Layer connection, else 0.
  public var accessAddress: UInt32 = 0
  /// Peer, index into ``ConversationTables/peers``, or -1 where the capture does not say.
  public var peer: Int32 = -1
  /// Database of the peer's attributes where the peer is unknown; index into ``ConversationTables/databases``.
  public var database: Int32 = -1
  /// The transport that carries a connection.
  public enum Transport: UInt8, Sendable {
    /// The capture does not show it.
    case unknown
    /// Bluetooth Low Energy.
    case le
    /// BR/EDR, asynchronous.
    case classic
    /// Synchronous (voice) link of a BR/EDR connection.
    case synchronous
    /// Connected isochronous stream.
    case isochronous
  }
  /// Transport of the link.
  public var transport: Transport = .unknown
  /// The peer was reported by the host's kernel: the capture does not show the start of the connection.
  public var isFromHost = false
  /// The host is the central of this connection; nil where the capture does not show it.
  public var isCentral: Bool?
  /// Frame of the connection-complete event, or 0 where the capture started later.
  public var startFrame = 0
  /// Time of the first packet, µs since 1970.
  public var startTime: Int64 = 0
  /// Frame of the disconnection, or 0 where there is none.
  public var endFrame = 0
  /// Time of the last packet, µs since 1970.
  public var endTime: Int64 = 0
  /// Reason of the disconnection (HCI error code), or 0.
  public var endReason: UInt8 = 0
  /// Frame at which the link was encrypted, or 0.
  public var encryptedFrame = 0
  /// Frame of the first packet with content that was encrypted, and that no key decrypted, or 0.
  public var undecryptedFrame = 0
  /// Connection interval, or that of an isochronous stream, in units of 1.25 ms, 0 unknown.
  public var interval: UInt16 = 0
  /// CIG and CIS of an isochronous stream; nil where the capture does not show them.
  public var streamNumber: StreamNumber?
  /// Peripheral latency in connection events.
  public var latency: UInt16 = 0
  /// Supervision timeout in units of 10 ms, 0 unknown.
  public var timeout: UInt16 = 0
  /// ATT MTU in force at the end, in bytes; 23 (LE) before an exchange.
  public var mtu: UInt16 = 23
  /// ACL packets seen.
  public var packets = 0

  /// The connection is one of an adapter's host, and open at `frame`.
  package func isOpen(on adapter: UInt16, at frame: Int) -> Bool {
    self.adapter == adapter && accessAddress == 0 && startFrame <= frame && (endFrame == 0 || endFrame >= frame)
  }

  /// ``mtu`` where the capture shows it; nil for BR/EDR, and for a connection that began before the capture and had no exchange in it.
  public var knownMTU: UInt16? { (transport == .le || transport == .unknown) && (startFrame != 0 || mtu != 23) ? mtu : nil }
}

/// Identifies an isochronous stream of a connection (Core, Vol 6, Part B, 4.5.13); audio stream endpoints refer to it.
public struct StreamNumber: Sendable, Equatable {
  /// CIG_ID, the connected isochronous group.
  public var group: UInt8
  /// CIS_ID, the stream in the group.
  public var stream: UInt8
}

/// An identity resolving key, which shows that private addresses belong to one device.
struct IdentityKey: Sendable {
  var key: IdentityResolvingKey
  var cipher: AES128
  /// Peer with the identity address, index into ``ConversationTables/peers``; -1 while that is unknown and no address was resolved.
  var peer: Int32
}

/// The adapters, peers, connections and attributes of a capture so far. ``ConversationTracker`` adds to them, printers read them. An index always
/// refers to the same entry.
public struct ConversationTables: Sendable {
  /// Adapters in the order they were seen.
  public internal(set) var adapters: [Adapter] = []
  /// Peers in the order they were seen.
  public internal(set) var peers: [Peer] = []
  /// Connections in the order they were seen.
  public internal(set) var connections: [Connection] = []
  /// Attributes of all databases.
  public internal(set) var attributes: [Attribute] = []
  /// UUIDs that attributes refer to.
  public internal(set) var uuids: [BluetoothUUID] = []
  /// Services that SDP records offer over channels.
  public internal(set) var services: [OfferedService] = []
  var serviceIndex = ServiceIndex()
  /// Report maps of HID devices.
  var reportMaps: [KnownReportMap] = []
  /// Some attribute can hold a report that a report map describes, or the state of an audio stream endpoint.
  var describesValues = false
  /// Some attribute can be an audio stream endpoint, or the ASE Control Point.
  var hasStreamEndpoints = false
  /// Contents of Report Reference descriptors, by the index of the characteristic's value in ``attributes``.
  var reportReferences: [Int32: ReportReference] = [:]
  /// Databases of peers, adapters and unknown peers.
  public internal(set) var databases: [Database] = []
  /// The newest version of the attribute of each handle.
  @usableFromInline var newest = AttributeIndex()
  var uuidIndex: [BluetoothUUID: Int32] = [:]
  var peerIndex: [UInt64: Int32] = [:]
  /// A bit for the hash of each key in ``peerIndex``: most advertisers are not peers and need no lookup.
  private var peerBits = InlineArray<8, UInt64>(repeating: 0)
  /// Incremented with every change of how a peer or an attribute is named.
  public internal(set) var version = 0
  /// Attributes from outside the capture.
  var map = GATTCache()
  var mapLookup = GATTCacheLookup()
  /// Connections that the host had when the capture began and of which no packet was seen yet.
  var hostConnections: [HostConnection] = []
  /// Keys that resolve private addresses, in the order they were learned; those given by the user or the host come first.
  var identityKeys: [IdentityKey] = []
  /// Number of them that the user or the host gave.
  private var givenIdentityKeys = 0
  /// Private addresses that none of the keys resolves; forgotten with every new key.
  var unresolved: Set<UInt64> = []
  /// How much exceeded the bounds of the tables: peers, connections, attributes, open channels, requests that wait for their responses, identity
  /// resolving keys of the capture.
  public internal(set) var overflow = (peers: 0, connections: 0, attributes: 0, channels: 0, requests: 0, identityKeys: 0)

  static let maximumPeers = 16_384
  static let maximumConnections = 65_536
  /// Their numbers fit the entries of ``AttributeIndex``.
  static let maximumAttributes = 65_536
  static let maximumVersions: UInt8 = 64
  static let maximumDatabaseServices = 1024
  static let maximumLive = 4096
  static let maximumUUIDs = 16_384
  /// Most identity resolving keys of a capture: each new private address is tried with all.
  static let maximumIdentityKeys = 64
  /// Most identity resolving keys that the user or the host gives, in addition to those of the capture.
  public static let maximumGivenIdentityKeys = 512
  static let maximumServices = 4096
  static let maximumReportMaps = 256
  /// Most bytes of all report maps.
  static let maximumReportMapBytes = 2 << 20
  /// Most bytes kept of the raw form of a report map: no attribute value is longer (Core, Vol 3, Part F, 3.2.9).
  static let longestReportMap = 512
  static let maximumReportReferences = 4096

  /// Empty tables.
  public init() {}

  /// The attribute with `handle` in a database as of `frame`, or -1.
  @inlinable
  public func attribute(_ database: Int32, _ handle: UInt16, at frame: Int) -> Int32 {
    var found = current(database, handle)
    while found >= 0, attributes[Int(found)].validFrom > frame { found = attributes[Int(found)].previous }
    return found
  }

  /// How the UUID of an attribute is known as of a frame.
  @inline(__always)
  public func source(of attribute: Int32, at frame: Int) -> UUIDSource {
    guard attribute >= 0 else { return .none }
    switch attributes[Int(attribute)].source {
    case .none: return .none
    case .guess: return .guess
    case .profile: return .profile
    case .cache: return .cache
    case .discovery: return attributes[Int(attribute)].discovered <= frame ? .discovery : .laterDiscovery
    }
  }

  /// The newest version of the attribute with `handle` in a database, or -1.
  @usableFromInline
  func current(_ database: Int32, _ handle: UInt16) -> Int32 {
    database < 0 ? -1 : newest[database, handle]
  }

  /// About how many bytes a copy of these tables takes; they are copied when they change while a batch still holds them.
  public var weight: Int {
    connections.count * MemoryLayout<Connection>.stride + attributes.count * MemoryLayout<Attribute>.stride + newest.entries.count * 8
      + peers.count * (MemoryLayout<Peer>.stride + 24) + databases.count * MemoryLayout<Database>.stride
      + uuids.count * (MemoryLayout<BluetoothUUID>.stride + 40) + unresolved.count * 12
  }

  /// Notes an attribute that a Service Changed can drop. Each Service Changed goes through all of these.
  mutating func keepLive(_ attribute: Int32, in database: Int32) {
    if databases[Int(database)].live.count < ConversationTables.maximumLive { databases[Int(database)].live.append(attribute) }
  }

  /// Sets the kind of an attribute.
  mutating func setKind(_ attribute: Int, _ kind: Attribute.Kind) {
    if kind == .service, attributes[attribute].kind != .service {
      let (database, handle) = (Int(attributes[attribute].database), attributes[attribute].handle)
      if databases[database].services.count < ConversationTables.maximumDatabaseServices {
        let index = endOfServices(database, upTo: handle)
        databases[database].services.insert(Int32(attribute), at: index)
      }
    }
    attributes[attribute].kind = kind
  }

  /// The index after the last service of a database that begins at `handle` or before it.
  private func endOfServices(_ database: Int, upTo handle: UInt16) -> Int {
    var (low, high) = (0, databases[database].services.count)
    while low < high {
      let middle = (low + high) / 2
      if attributes[Int(databases[database].services[middle])].handle <= handle { low = middle + 1 } else { high = middle }
    }
    return low
  }

  mutating func newDatabase() -> Int32 {
    databases.append(Database())
    return Int32(databases.count - 1)
  }

  mutating func uuid(_ uuid: BluetoothUUID) -> Int32 {
    if let index = uuidIndex[uuid] { return index }
    guard uuids.count < ConversationTables.maximumUUIDs else { return -1 }
    uuids.append(uuid)
    uuidIndex[uuid] = Int32(uuids.count - 1)
    if let short = uuid.short16, short >= ASCS.sinkASE, short <= ASCS.controlPoint {
      hasStreamEndpoints = true
      describesValues = true
    }
    return Int32(uuids.count - 1)
  }

  /// Makes a new version of the attribute with `handle` and returns its index, or -1 where the tables are full.
  mutating func newAttribute(_ database: Int32, _ handle: UInt16, validFrom: Int) -> Int32 {
    guard database >= 0 else { return -1 }
    guard attributes.count < ConversationTables.maximumAttributes else {
      overflow.attributes += 1
      return -1
    }
    let index = Int32(attributes.count)
    var attribute = Attribute(handle: handle, database: database)
    attribute.previous = newest[database, handle]
    if attribute.previous >= 0 { attribute.generation = attributes[Int(attribute.previous)].generation + 1 }
    // Lookups go through the versions one by one, so their number is bounded.
    guard attribute.generation < ConversationTables.maximumVersions else {
      overflow.attributes += 1
      return -1
    }
    attribute.validFrom = validFrom
    // An array that grows by itself would have room for more than there may be.
    if attributes.count >= ConversationTables.maximumAttributes / 2 { attributes.reserveCapacity(ConversationTables.maximumAttributes) }
    attributes.append(attribute)
    newest.set(database, handle, to: index)
    databases[Int(database)].attributes.append(index)
    return index
  }

  /// The attribute with `handle`, created if it is missing; -1 where the tables are full.
  mutating func touch(_ database: Int32, _ handle: UInt16, at frame: Int) -> Int32 {
    let found = attribute(database, handle, at: frame)
    return found >= 0 ? found : current(database, handle) >= 0 ? -1 : newAttribute(database, handle, validFrom: 0)
  }

  /// The peer with an address, created if it is new; -1 where the table is full.
  mutating func peer(_ address: UInt64, type: UInt8) -> Int32 {
    // Identity types 2 and 3 name the same devices as 0 and 1; BR/EDR addresses are public ones.
    let key = address | UInt64(type == Peer.classic ? 0 : type & 1) << 48
    if let index = peerIndex[key] { return index }
    guard peers.count < ConversationTables.maximumPeers else {
      overflow.peers += 1
      return -1
    }
    peers.append(Peer(address: address, addressType: type))
    peerIndex[key] = Int32(peers.count - 1)
    peerBits[ConversationTables.bit(key) >> 6] |= 1 << UInt64(ConversationTables.bit(key) & 63)
    if !identityKeys.isEmpty { resolve(Int32(peers.count - 1)) }
    if !map.devices.isEmpty { applyMap(to: Int32(peers.count - 1)) }
    return Int32(peers.count - 1)
  }

  /// Keeps the identity resolving key of a device, and joins the private addresses that it resolves with the identity address.
  mutating func learn(_ key: IdentityResolvingKey, of address: UInt64, type: UInt8) {
    guard !identityKeys.contains(where: { $0.key == key }) else { return }
    guard identityKeys.count - givenIdentityKeys < ConversationTables.maximumIdentityKeys else {
      overflow.identityKeys += 1
      return
    }
    append(key, of: address, type: type)
  }

  private mutating func append(_ key: IdentityResolvingKey, of address: UInt64, type: UInt8) {
    let peer = peer(address, type: type)
    guard peer >= 0 else { return }
    identityKeys.append(IdentityKey(key: key, cipher: key.cipher, peer: peer))
    unresolved.removeAll(keepingCapacity: true)
    // No earlier key resolved the known peers; try the new one.
    for index in peers.indices { resolve(Int32(index), from: identityKeys.count - 1) }
    version += 1
  }

  /// Adds identity resolving keys that the user or the host gave before the capture begins, each with the identity address of its device if known: at
  /// most ``maximumGivenIdentityKeys``.
  public mutating func learn(_ keys: [(key: IdentityResolvingKey, identity: DeviceAddress?)]) {
    for (key, identity) in keys {
      guard identityKeys.count < ConversationTables.maximumGivenIdentityKeys else { break }
      guard !identityKeys.contains(where: { $0.key == key }) else { continue }
      if let identity {
        // Without a type, the two highest bits suggest it (Core, Vol 6, Part B, 1.3.2).
        let isRandom = identity.kind == .unknown ? identity.address >> 46 == 0b11 : identity.kind.isRandom
        append(key, of: identity.address, type: isRandom ? 1 : 0)
      } else {
        identityKeys.append(IdentityKey(key: key, cipher: key.cipher, peer: -1))
      }
    }
    givenIdentityKeys = identityKeys.count
  }

  /// Resolves the private address of an existing peer with the keys from `first` on.
  private mutating func resolve(_ peer: Int32, from first: Int = 0) {
    let entry = peers[Int(peer)]
    guard entry.identity < 0, entry.addressType & 1 == 1, entry.addressType != Peer.classic, entry.address >> 46 == 0b01 else { return }
    let keys = identityKeys[first...]
    guard let known = keys.firstIndex(where: { IdentityResolvingKey.resolves(entry.address, with: $0.cipher) }) else { return }
    if identityKeys[known].peer < 0 {
      // The identity address is unknown: the first resolved address represents the device.
      identityKeys[known].peer = peer
    } else {
      join(peer, with: identityKeys[known].peer)
    }
  }

  /// The peer for a private address that has had no name and no connection so far, where a key resolves it; else -1.
  @inline(__always)
  mutating func resolved(_ address: UInt64, type: UInt8) -> Int32 {
    guard !identityKeys.isEmpty, type == 1, address >> 46 == 0b01 else { return -1 }
    return resolvedByKey(address, type)
  }

  private mutating func resolvedByKey(_ address: UInt64, _ type: UInt8) -> Int32 {
    if unresolved.contains(address) { return -1 }
    if identityKeys.contains(where: { IdentityResolvingKey.resolves(address, with: $0.cipher) }) { return peer(address, type: type) }
    if unresolved.count >= 16_384 { unresolved.removeAll(keepingCapacity: true) }
    unresolved.insert(address)
    return -1
  }

  /// Makes `peer` another address of `identity`: they share name and attributes.
  mutating func join(_ peer: Int32, with identity: Int32) {
    guard peer >= 0, identity >= 0, peer != identity else { return }
    let (own, other) = (Int(peer), Int(identity))
    guard peers[other].identity < 0, peers[own].identity < 0 else { return }
    if peers[other].database < 0 { peers[other].database = peers[own].database }
    if peers[other].nameTrust < peers[own].nameTrust {
      peers[other].name = peers[own].name
      peers[other].nameTrust = peers[own].nameTrust
    }
    peers[own].identity = identity
    version += 1
  }

  /// The peer with an address that is already known, or -1.
  @inlinable
  public func knownPeer(_ address: UInt64, type: UInt8) -> Int32 {
    lookUp(address | UInt64(type == Peer.classic ? 0 : type & 1) << 48)
  }

  @usableFromInline
  func lookUp(_ key: UInt64) -> Int32 {
    guard peerBits[ConversationTables.bit(key) >> 6] >> UInt64(ConversationTables.bit(key) & 63) & 1 == 1 else { return -1 }
    return peerIndex[key] ?? -1
  }

  /// The index among the 512 ``peerBits`` for a key.
  @inline(__always)
  private static func bit(_ key: UInt64) -> Int { Int((key &* 0x9E37_79B9_7F4A_7C15) >> 55) }

  /// The ACL connection to a peer that was open at `frame`; nil where there was none. Events without a connection handle name only the peer, and the
  /// tables may already have later connections to it.
  package func connection(to peer: Int32, at frame: Int) -> Int? {
    guard peer >= 0 else { return nil }
    return connections.suffix(1024).lastIndex {
      $0.peer == peer && $0.startFrame <= frame && ($0.endFrame == 0 || $0.endFrame >= frame) && $0.transport != .synchronous
        && $0.transport != .isochronous
    }
  }

  /// The database of the attributes that a connection's peer serves, or -1.
  @inlinable
  public func remoteDatabase(_ connection: Int32) -> Int32 {
    guard connection >= 0 else { return -1 }
    let link = connections[Int(connection)]
    guard link.peer >= 0 else { return link.database }
    let peer = identity(link.peer)
    return peers[Int(peer)].database
  }

  /// The peer with the identity address of a resolved private address; the peer itself where it was not resolved.
  @inlinable
  public func identity(_ peer: Int32) -> Int32 {
    peer >= 0 && peers[Int(peer)].identity >= 0 ? peers[Int(peer)].identity : peer
  }

  /// The type of an attribute: for declarations that of the declaration, else the UUID of the value or descriptor; nil where it is unknown.
  public func type(of attribute: Attribute) -> BluetoothUUID? {
    switch attribute.kind {
    case .service: return BluetoothUUID(attribute.isPrimary ? .primaryService : .secondaryService)
    case .include: return BluetoothUUID(.include)
    case .declaration: return BluetoothUUID(.characteristic)
    case .value, .descriptor, .unknown: return attribute.uuid < 0 ? nil : uuids[Int(attribute.uuid)]
    }
  }

  /// The characteristic value that a descriptor belongs to: the nearest value before it in the same service; -1 where none is known.
  public func characteristic(of attribute: Int32) -> Int32 {
    guard attribute >= 0 else { return -1 }
    let descriptor = attributes[Int(attribute)]
    if descriptor.kind == .value { return attribute }
    // Whether an attribute of unknown kind belongs to the characteristic before it is unknown too.
    if descriptor.kind == .unknown { return -1 }
    var handle = descriptor.handle
    var steps = 0
    while handle > 1, steps < 64 {
      handle -= 1
      steps += 1
      let before = self.attribute(descriptor.database, handle, at: max(descriptor.discovered, descriptor.validFrom))
      guard before >= 0 else { continue }
      switch attributes[Int(before)].kind {
      case .value: return before
      case .service: return -1
      default: continue
      }
    }
    return -1
  }

  /// The service that contains an attribute, index into ``attributes``, or -1.
  public func service(of attribute: Int32) -> Int32 {
    guard attribute >= 0 else { return -1 }
    let entry = attributes[Int(attribute)]
    var best: Int32 = -1
    var index = endOfServices(Int(entry.database), upTo: entry.handle)
    // Services do not overlap; where a capture has overlapping ones, only the 64 nearest are examined.
    let last = max(0, index - 64)
    while index > last {
      index -= 1
      let candidate = databases[Int(entry.database)].services[index]
      let service = attributes[Int(candidate)]
      if best >= 0, attributes[Int(best)].handle != service.handle { break }
      // Of several versions of a service the first is taken.
      if service.kind == .service, entry.handle <= service.related { best = candidate }
    }
    return best
  }
}

extension ConversationTables {
  /// The best name of a peer: its own, or that of its identity peer; empty where none is known.
  @inlinable
  public func name(of peer: Int32) -> [UInt8] {
    let own = peers[Int(peer)]
    let identity = peers[Int(self.identity(peer))]
    return identity.nameTrust >= own.nameTrust ? identity.name : own.name
  }
}
