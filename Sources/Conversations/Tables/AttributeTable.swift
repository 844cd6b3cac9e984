/// One attribute of a database, as far as discoveries showed it.
public struct Attribute: Sendable {
  /// What it is.
  public enum Kind: UInt8, Sendable {
    /// Seen in use, never discovered.
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
  /// How its UUID came to be known; raw values rise with trust.
  public enum Source: UInt8, Sendable {
    /// Not known.
    case none
    /// Guessed from how it is used: a write of 01 00 to an unknown handle subscribes.
    case guess
    /// From a profile that names the handle.
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
  /// UUID of the value or descriptor; for a service or include declaration that of the service. Index into ``Tables/uuids``, -1 unknown.
  public var uuid: Int32 = -1
  /// Last handle of the service; for a declaration the handle of the value, for an include the handle of the included service.
  public var related: UInt16 = 0
  /// True for a primary service.
  public var isPrimary = true
  /// Database it belongs to; index into ``Tables/databases``.
  public var database: Int32
  /// First frame in which the capture shows it; rows before are labelled "later discovery".
  public var discovered = 0
  /// First frame for which this version holds (after a Service Changed), 0 from the start.
  public var validFrom = 0
  /// The version before, where a Service Changed dropped it; index into ``Tables/attributes``, or -1.
  public var previous: Int32 = -1
  /// Number of versions before this one.
  var generation: UInt8 = 0
}

/// The attributes of one server: which attribute stands behind a handle.
public struct Database: Sendable {
  /// First of the 16 places in ``Tables/nodes`` for the first four bits of a handle, or -1 before there is an attribute.
  @usableFromInline var root: Int32 = -1
  /// Number of attributes that a discovery or cache named.
  public internal(set) var discovered = 0
  /// Handles in the order they became known.
  public internal(set) var attributes: [Int32] = []
  /// Attributes whose UUID is known and was not dropped.
  var live: [Int32] = []
  /// Service declarations, by handle.
  var services: [Int32] = []
  /// Last value read of the Database Hash, empty where none was.
  var hash: [UInt8] = []
}
