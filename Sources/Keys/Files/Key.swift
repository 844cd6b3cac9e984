import Bluetooth

/// A key, or what keys are made from.
public struct Key: Hashable, Sendable {
  /// What a key is for; the raw value is the word that stands before `=` where keys are written.
  public enum Kind: String, CaseIterable, Sendable {
    /// Long term key of LE.
    case longTerm = "ltk"
    /// Short term key of one legacy pairing.
    case shortTerm = "stk"
    /// Temporary key of legacy pairing out of band.
    case temporary = "tk"
    /// The six digits of a passkey entry.
    case passkey
    /// Identity resolving key.
    case identityResolving = "irk"
    /// Connection signature resolving key.
    case signature = "csrk"
    /// Link key of BR/EDR.
    case link
    /// Private key of Secure Connections, of either side.
    case privateKey = "private"
    /// Broadcast_Code of an encrypted broadcast.
    case broadcastCode = "code"
    /// Group session key of an encrypted broadcast.
    case groupSession = "gsk"

    /// In words.
    public var name: String {
      switch self {
      case .longTerm: "long term key"
      case .shortTerm: "short term key"
      case .temporary: "temporary key"
      case .passkey: "passkey"
      case .identityResolving: "identity resolving key"
      case .signature: "signature key"
      case .link: "link key"
      case .privateKey: "private key"
      case .broadcastCode: "broadcast code"
      case .groupSession: "group session key"
      }
    }
  }

  /// What it is for.
  public var kind: Kind
  /// The bytes, the most significant one first: 16, of a private key 32. A passkey is the temporary key that it makes.
  public var bytes: [UInt8]
  /// The device whose key it is, where that is known.
  public var address: DeviceAddress?
  /// Encrypted diversifier of a long term key of legacy pairing.
  public var ediv: UInt16?
  /// Random number of a long term key of legacy pairing.
  public var random: UInt64?

  /// Makes a key from its parts. Nil where the number of bytes is not that of such keys.
  public init?(_ kind: Kind, _ bytes: [UInt8], address: DeviceAddress? = nil, ediv: UInt16? = nil, random: UInt64? = nil) {
    guard bytes.count == (kind == .privateKey ? 32 : 16) else { return nil }
    self.kind = kind
    self.bytes = bytes
    self.address = address
    self.ediv = ediv
    self.random = random
  }

  /// Makes a key from a block.
  public init(_ kind: Kind, _ block: Block128, address: DeviceAddress? = nil) {
    self.kind = kind
    bytes = block.bytes
    self.address = address
  }

  /// The value of a key of 16 bytes; zero of a private key.
  public var block: Block128 { Block128(bytes) ?? .zero }
}

/// A key with where it comes from.
public struct KnownKey: Sendable {
  /// The key.
  public var key: Key
  /// Name of the capture or file; empty where it was given on the command line.
  public var file: String
  /// Frame that it was in or that completed it, or 0.
  public var frame: Int
  /// What it comes from: `Encryption Information`, `Just Works`.
  public var origin: String
  /// The bytes may be in the other order.
  public var mayBeReversed: Bool

  /// Makes it from its parts.
  public init(_ key: Key, file: String = "", frame: Int = 0, origin: String, mayBeReversed: Bool = false) {
    self.key = key
    self.file = file
    self.frame = frame
    self.origin = origin
    self.mayBeReversed = mayBeReversed
  }
}

/// All keys that are known, each once.
public struct KeyRing: Sendable {
  /// The keys in the order in which they became known.
  public private(set) var keys: [KnownKey] = []
  private var places: [Key: Int] = [:]
  /// Places of the keys of each kind in their order: who looks for those of one kind does not pass all others.
  private var placesOfKinds: [Key.Kind: [Int]] = [:]
  /// Keys of devices' own protocols, which profiles describe.
  public private(set) var named: [NamedKey] = []
  private var knownNamed: Set<NamedKey> = []
  /// Keys for which there was no room; one that came again is counted again.
  public private(set) var refused = 0
  /// So many are kept, and so many of profiles; captures can hold more.
  public static let maxCount = 4096

  /// An empty ring.
  public init() {}

  /// Counts a key for which there is no room.
  mutating func refuse() { refused += 1 }

  /// Adds a key if it is new and there is room. Returns its place in ``keys``, or nil where there is no room.
  @discardableResult
  public mutating func add(_ known: KnownKey) -> Int? {
    if let place = places[known.key] { return place }
    guard keys.count < Self.maxCount else {
      refuse()
      return nil
    }
    places[known.key] = keys.count
    placesOfKinds[known.key.kind, default: []].append(keys.count)
    keys.append(known)
    return keys.count - 1
  }

  /// Adds all keys of another ring.
  public mutating func add(_ other: KeyRing) {
    for key in other.keys { add(key) }
    for key in other.named { add(key) }
  }

  /// The places of the keys of these kinds, in the order of ``keys``.
  func places(of kinds: Key.Kind...) -> [Int] {
    if kinds.count == 1, let kind = kinds.first { return placesOfKinds[kind] ?? [] }
    return kinds.flatMap { placesOfKinds[$0] ?? [] }.sorted()
  }

  /// How many keys of a kind there are.
  func count(of kind: Key.Kind) -> Int { placesOfKinds[kind]?.count ?? 0 }

  /// The keys that resolve private addresses, each with the identity address of its device where that is known. Where nobody knows the order of
  /// the octets, both are there.
  public var identityKeys: [(key: IdentityResolvingKey, identity: DeviceAddress?)] {
    keys.filter { $0.key.kind == .identityResolving && $0.key.block != .zero }.flatMap { known in
      (known.mayBeReversed ? [known.key.block, known.key.block.reversed] : [known.key.block]).map { block in
        (IdentityResolvingKey(high: block.high, low: block.low), known.key.address)
      }
    }
  }

  /// Adds a key of a profile if it is new and there is room.
  public mutating func add(_ key: NamedKey) {
    guard !knownNamed.contains(key) else { return }
    guard named.count < Self.maxCount else {
      refuse()
      return
    }
    knownNamed.insert(key)
    named.append(key)
  }

  /// The key at `place` turns out to have these parts.
  mutating func complete(_ place: Int, ediv: UInt16, random: UInt64) {
    guard keys.indices.contains(place), keys[place].key.ediv == nil else { return }
    var key = keys[place].key
    key.ediv = ediv
    key.random = random
    guard places[key] == nil else { return }
    places[keys[place].key] = nil
    places[key] = place
    keys[place].key = key
  }
}
