import Bluetooth

/// Encryption of one connection from its start to its pause or end, for reports and for the selection of keys.
public struct EncryptedSession: Sendable {
  /// What is needed to decrypt a session.
  public enum Need: String, Sendable {
    /// Its legacy pairing is in the capture: the key can be searched.
    case crack
    /// Its legacy pairing is in the capture, and no passkey matches: the temporary key was exchanged out of band.
    case temporaryKey = "temporary-key"
    /// A legacy pairing with missing parts.
    case incompletePairing = "incomplete-pairing"
    /// It was paired with Secure Connections: needs the long term key, or the private key of one side.
    case secureConnections = "secure-connections"
    /// It was paired before the capture began, or by another way than SMP: needs the long term key.
    case longTermKey = "long-term-key"
    /// It is a broadcast: needs its Broadcast_Code, or its group session key.
    case broadcastCode = "broadcast-code"
    /// It is the stream of a connection: needs the key of that connection.
    case connection
    /// No encrypted packets were received.
    case nothing
  }

  /// The kind of encrypted traffic.
  public enum Kind: String, Sendable {
    /// Data of a connection.
    case connection
    /// An isochronous stream of a connection (CIS).
    case connectedStream = "cis"
    /// An isochronous stream of a broadcast (BIS).
    case broadcastStream = "bis"
  }

  /// The kind of encrypted traffic.
  public var kind = Kind.connection
  /// Access address of the connection or stream.
  public var accessAddress: UInt32
  /// The central, if the capture has the connection request.
  public var central: DeviceAddress?
  /// The peripheral, if the capture has the connection request.
  public var peripheral: DeviceAddress?
  /// Frame of the connection request, or 0.
  public var connectionFrame = 0
  /// Frame of LL_ENC_REQ.
  public var frame: Int
  /// Random number of LL_ENC_REQ.
  public var random: UInt64
  /// Encrypted diversifier of LL_ENC_REQ.
  public var ediv: UInt16
  /// Index in the ring of the key that decrypts it; nil where there is none.
  public var key: Int?
  /// What is needed to decrypt it; ``Need/nothing`` where it is decrypted or has no packets.
  public var need = Need.nothing
  /// Not all keys, passkeys or counters were tried, because of the bound on trials for a capture.
  public var isGivenUp = false
  /// Packets that were decrypted, including retransmissions.
  public var decrypted = 0
  /// Encrypted packets that were not decrypted.
  public var failed = 0
  /// Packets that the sniffer did not receive, by the counters of both sides.
  public var missed = 0
}
