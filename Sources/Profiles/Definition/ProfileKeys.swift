import Memory

/// Keys of device protocols, by profile and name: `bthome.bindkey`.
public struct ProfileKeys: Sendable {
  /// One key.
  struct Entry: Sendable, Equatable {
    var profile: String
    var name: String
    var bytes: [UInt8]
    /// The device that has it; nil where it was not given.
    var address: [UInt8]?
  }

  /// Most keys of one name without a device: each message is tried with all of them.
  public static let maxWithoutAddress = 32

  private var entries: [Entry] = []
  /// Whether a profile's own keys, from public sources, are used.
  var usesDefaults = true

  /// No keys except those in profiles.
  public init() {}

  /// No keys at all: nothing is decrypted.
  public static var none: ProfileKeys {
    var keys = ProfileKeys()
    keys.usesDefaults = false
    return keys
  }

  /// Whether there are no keys except those in profiles.
  public var isEmpty: Bool { entries.isEmpty }

  /// Adds a key. `address` is six pairs of digits with colons, if the key belongs to one device. Returns false where there are already
  /// ``maxWithoutAddress`` of its name, or the address is invalid.
  @discardableResult
  public mutating func add(_ bytes: [UInt8], of profile: String, _ name: String, address: String? = nil) -> Bool {
    var entry = Entry(profile: profile, name: name, bytes: bytes)
    if let address {
      guard let octets = addressBytes(address) else { return false }
      entry.address = octets
    } else if entries.count(where: { $0.profile == profile && $0.name == name && $0.address == nil }) >= Self.maxWithoutAddress {
      return entries.contains(entry)
    }
    if !entries.contains(entry) { entries.append(entry) }
    return true
  }

  /// The given keys of this name for a profile, for any device.
  @_spi(Pipeline) public func keys(of profile: String, _ name: String) -> [[UInt8]] {
    entries.filter { $0.profile == profile && $0.name == name }.map(\.bytes)
  }

  /// Whether there is any key for the messages of a profile.
  func hasKeys(of profile: CompiledProfile) -> Bool {
    !profile.keys.isEmpty
      && (entries.contains { $0.profile == profile.id } || usesDefaults && profile.keys.contains { $0.standard != nil })
  }

  /// The keys to try for a device: its own; if it has none, those without an address and the profile's own.
  func candidates(_ profile: CompiledProfile, _ key: CompiledKey, address: [UInt8]?) -> [[UInt8]] {
    let named = entries.filter { $0.profile == profile.id && $0.name == key.name }
    let own = named.filter { $0.address != nil && $0.address == address }
    if !own.isEmpty { return own.map(\.bytes) }
    return named.filter { $0.address == nil }.map(\.bytes) + (usesDefaults ? key.standard.map { [$0] } ?? [] : [])
  }
}

/// The six bytes of an address in text form; nil for other text.
func addressBytes(_ text: String) -> [UInt8]? {
  // The address can be followed by its type.
  let digits = text.prefix { $0 != " " }
  guard let bytes = bytesOfHex(digits), bytes.count == 6 else { return nil }
  return bytes
}
