import Bluetooth

/// A key, or a value that keys are derived from.
public struct Key: Hashable, Sendable {
  /// The purpose of a key; the raw value is the word before `=` in the text form.
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
  }

  /// The purpose of the key.
  public var kind: Kind
  /// The bytes, the most significant one first: 16, for a private key 32. For a passkey, those of the temporary key that it gives.
  public var bytes: [UInt8]
  /// The device with the key, if it is known.
  public var address: DeviceAddress?
  /// Encrypted diversifier of a long term key of legacy pairing.
  public var ediv: UInt16?
  /// Random number of a long term key of legacy pairing.
  public var random: UInt64?

  /// Creates a key. Nil where the number of bytes is wrong for the kind.
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

  /// The value of a key of 16 bytes; zero for a private key.
  public var block: Block128 { Block128(bytes) ?? .zero }
}

/// A key with its origin.
public struct KnownKey: Sendable {
  /// The key.
  public var key: Key
  /// Name of the capture or file; empty for a key from the command line.
  public var file: String
  /// Frame that contained or completed it, or 0.
  public var frame: Int
  /// The PDU or method that gave it: `Encryption Information`, `Just Works`.
  public var origin: String
  /// The bytes may be in reverse order.
  public var mayBeReversed: Bool

  /// Creates a known key.
  public init(_ key: Key, file: String = "", frame: Int = 0, origin: String, mayBeReversed: Bool = false) {
    self.key = key
    self.file = file
    self.frame = frame
    self.origin = origin
    self.mayBeReversed = mayBeReversed
  }
}

/// All known keys, each once.
public struct KeyRing: Sendable {
  /// The keys in the order they became known.
  public private(set) var keys: [KnownKey] = []
  private var indices: [Key: Int] = [:]
  /// Indices of the keys of each kind in their order, so that a search for one kind does not go through all keys.
  private var indicesOfKinds: [Key.Kind: [Int]] = [:]
  /// Keys of application protocols, which profiles describe.
  public private(set) var named: [NamedKey] = []
  private var knownNamed: Set<NamedKey> = []
  /// Number of keys that exceeded ``maxCount``; a repeated one is counted again.
  public private(set) var refused = 0
  /// Most keys that are kept, and most keys of profiles; captures can hold more.
  public static let maxCount = 4096

  /// An empty ring.
  public init() {}

  /// Counts a key that exceeds ``maxCount``.
  mutating func refuse() { refused += 1 }

  /// Adds a key if it is new and ``maxCount`` allows it. Returns its index in ``keys``, or nil if it was not added.
  @discardableResult
  public mutating func add(_ known: KnownKey) -> Int? {
    if let index = indices[known.key] { return index }
    guard keys.count < Self.maxCount else {
      refuse()
      return nil
    }
    indices[known.key] = keys.count
    indicesOfKinds[known.key.kind, default: []].append(keys.count)
    keys.append(known)
    return keys.count - 1
  }

  /// Adds all keys of another ring.
  public mutating func add(_ other: KeyRing) {
    for key in other.keys { add(key) }
    for key in other.named { add(key) }
  }

  /// The indices of the keys of these kinds, in the order of ``keys``.
  func indices(of kinds: Key.Kind...) -> [Int] {
    if kinds.count == 1, let kind = kinds.first { return indicesOfKinds[kind] ?? [] }
    return kinds.flatMap { indicesOfKinds[$0] ?? [] }.sorted()
  }

  /// The number of keys of a kind.
  func count(of kind: Key.Kind) -> Int { indicesOfKinds[kind]?.count ?? 0 }

  /// The keys that resolve private addresses, each with the identity address of its device if known. Where the byte order is unknown, both orders are
  /// included.
  public var identityKeys: [(key: IdentityResolvingKey, identity: DeviceAddress?)] {
    keys.filter { $0.key.kind == .identityResolving && $0.key.block != .zero }.flatMap { known in
      (known.mayBeReversed ? [known.key.block, known.key.block.reversed] : [known.key.block]).map { block in
        (IdentityResolvingKey(high: block.high, low: block.low), known.key.address)
      }
    }
  }

  /// Adds a key of a profile if it is new and ``maxCount`` allows it.
  public mutating func add(_ key: NamedKey) {
    guard !knownNamed.contains(key) else { return }
    guard named.count < Self.maxCount else {
      refuse()
      return
    }
    knownNamed.insert(key)
    named.append(key)
  }

  /// Sets parts of the key at `index` that became known later.
  mutating func complete(_ index: Int, ediv: UInt16, random: UInt64) {
    guard keys.indices.contains(index), keys[index].key.ediv == nil else { return }
    var key = keys[index].key
    key.ediv = ediv
    key.random = random
    guard indices[key] == nil else { return }
    indices[keys[index].key] = nil
    indices[key] = index
    keys[index].key = key
  }
}
