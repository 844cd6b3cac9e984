import Bluetooth
import Captures

/// One attribute of a database, as far as discoveries showed it.
public struct Attribute: Sendable {
  /// Kind of attribute.
  public enum Kind: UInt8, Sendable {
    /// Used, but never discovered.
    case unknown
    /// A service declaration.
    case service
    /// An include declaration.
    case include
    /// A characteristic declaration.
    case declaration
    /// A characteristic's value.
    case value
    /// A descriptor, or another attribute whose type is known.
    case descriptor
  }
  /// How the UUID was learned; raw values increase with trust.
  public enum Source: UInt8, Sendable {
    /// The UUID is unknown.
    case none
    /// Guessed from its use: a write of 01 00 to an unknown handle subscribes.
    case guess
    /// From a profile that gives the handle.
    case profile
    /// From a database saved earlier, or the host's cache.
    case cache
    /// From a discovery in this capture.
    case discovery
  }
  /// Attribute handle.
  public var handle: UInt16
  /// Kind of attribute.
  public var kind: Kind = .unknown
  /// Source of ``uuid``.
  public var source: Source = .none
  /// Properties bits of the characteristic (Core, Vol 3, Part G, 3.3.1.1); for values and declarations.
  public var properties: UInt8 = 0
  /// UUID of the value or descriptor; for a service or include declaration that of the service. Index into ``ConversationTables/uuids``, -1 unknown.
  public var uuid: Int32 = -1
  /// Last handle of the service; for a declaration the handle of the value, for an include the handle of the included service.
  public var related: UInt16 = 0
  /// True for a primary service.
  public var isPrimary = true
  /// Database it belongs to; index into ``ConversationTables/databases``.
  public var database: Int32
  /// First frame in which the capture shows it; earlier rows are labelled "later discovery".
  public var discovered = 0
  /// First frame for which this version holds (after a Service Changed), 0 from the start.
  public var validFrom = 0
  /// The previous version, where a Service Changed dropped it; index into ``ConversationTables/attributes``, or -1.
  public var previous: Int32 = -1
  /// Number of versions before this one.
  var generation: UInt8 = 0

  /// Names of the bits of ``properties``, from the lowest on.
  private static let propertyNames: [StaticString] = [
    "broadcast", "read", "write without response", "write", "notify", "indicate", "signed write", "extended",
  ]

  /// The names of the bits that are set in the properties of a characteristic.
  package static func names(ofProperties bits: UInt8) -> [StaticString] {
    propertyNames.indices.filter { bits >> UInt8($0) & 1 == 1 }.map { propertyNames[$0] }
  }
}

/// The attributes of one server, by handle.
public struct Database: Sendable {
  /// Number of attributes that a discovery or cache identified.
  public internal(set) var discovered = 0
  /// Handles in the order they became known.
  public internal(set) var attributes: [Int32] = []
  /// Attributes whose UUID is known and that were not dropped.
  var live: [Int32] = []
  /// Service declarations, by handle.
  var services: [Int32] = []
  /// Last value read of the Database Hash, empty where it was not read.
  var hash: [UInt8] = []
}
