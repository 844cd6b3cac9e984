import Bluetooth

/// Encryption of one connection from its start to its pause or end, for people and for the choice of keys.
public struct EncryptedSession: Sendable {
  /// What it takes to open a session.
  public enum Need: String, Sendable {
    /// Its legacy pairing is in the capture: the key can be searched.
    case crack
    /// Its legacy pairing is in the capture, and no passkey fits: the temporary key came out of band.
    case temporaryKey = "temporary-key"
    /// Legacy pairing of which parts are missing.
    case incompletePairing = "incomplete-pairing"
    /// It was paired with Secure Connections: the long term key, or the private key of one side.
    case secureConnections = "secure-connections"
    /// It was paired before the capture began: the long term key.
    case longTermKey = "long-term-key"
    /// It is a broadcast: its code, or the key of its group.
    case broadcastCode = "broadcast-code"
    /// It is the stream of a connection: the key of that connection.
    case connection
    /// Nothing encrypted was heard.
    case nothing
  }

  /// What is encrypted.
  public enum Kind: String, Sendable {
    /// Data of a connection.
    case connection
    /// An isochronous stream of a connection (CIS).
    case connectedStream = "cis"
    /// An isochronous stream of a broadcast (BIS).
    case broadcastStream = "bis"
  }

  /// What it is.
  public var kind = Kind.connection
  /// Access address of the connection or stream.
  public var accessAddress: UInt32
  /// Who connected, where the capture has the request.
  public var central: DeviceAddress?
  /// To whom.
  public var peripheral: DeviceAddress?
  /// Frame of the connection request, or 0.
  public var connectionFrame = 0
  /// Frame of LL_ENC_REQ.
  public var frame: Int
  /// Random number of LL_ENC_REQ.
  public var random: UInt64
  /// Encrypted diversifier of LL_ENC_REQ.
  public var ediv: UInt16
  /// Place of the key that opens it in the ring; nil where none does.
  public var key: Int?
  /// What it takes; ``Need/nothing`` where it is open or holds nothing.
  public var need = Need.nothing
  /// Not all keys, passkeys or counters were tried, as the capture asks for more trials than it may.
  public var isGivenUp = false
  /// Packets that were decrypted, repeated ones among them.
  public var decrypted = 0
  /// Encrypted packets that were not.
  public var failed = 0
  /// Packets that the sniffer did not hear, by the counters of both sides.
  public var missed = 0
}
