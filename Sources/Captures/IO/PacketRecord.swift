/// The kind of a captured packet, as an opcode of the Linux HCI monitor, or an additional kind of btscribe.
public struct PacketKind: RawRepresentable, Hashable, Sendable {
  /// The monitor opcode without its direction, or a number from 0x80 on for btscribe's additional kinds.
  public var rawValue: UInt8

  /// Makes a kind from its number.
  @inlinable
  public init(rawValue: UInt8) { self.rawValue = rawValue }

  /// A new adapter (monitor opcode 0).
  public static let newIndex = PacketKind(rawValue: 0)
  /// An adapter went away (1).
  public static let deleteIndex = PacketKind(rawValue: 1)
  /// An HCI command, from its opcode on (2).
  public static let command = PacketKind(rawValue: 2)
  /// An HCI event, from its event code on (3).
  public static let event = PacketKind(rawValue: 3)
  /// HCI ACL data, from the connection handle on (4 and 5).
  public static let acl = PacketKind(rawValue: 4)
  /// HCI synchronous data, from the connection handle on (6 and 7).
  public static let sco = PacketKind(rawValue: 6)
  /// An adapter was opened (8).
  public static let openIndex = PacketKind(rawValue: 8)
  /// An adapter was closed (9).
  public static let closeIndex = PacketKind(rawValue: 9)
  /// Address and manufacturer of an adapter (10).
  public static let indexInfo = PacketKind(rawValue: 10)
  /// Vendor diagnostics (11; H4 type 0x07).
  public static let vendorDiagnostic = PacketKind(rawValue: 11)
  /// A text from the system (12; PacketLogger notes).
  public static let systemNote = PacketKind(rawValue: 12)
  /// A text from a program: priority, identity, text (13).
  public static let userLogging = PacketKind(rawValue: 13)
  /// A control socket was opened (14).
  public static let controlOpen = PacketKind(rawValue: 14)
  /// A control socket was closed (15).
  public static let controlClose = PacketKind(rawValue: 15)
  /// A management command (16).
  public static let controlCommand = PacketKind(rawValue: 16)
  /// A management event (17).
  public static let controlEvent = PacketKind(rawValue: 17)
  /// HCI isochronous data, from the connection handle on (18 and 19).
  public static let iso = PacketKind(rawValue: 18)
  /// A Link Layer packet from its access address on, CRC included where the capture has it.
  public static let linkLayer = PacketKind(rawValue: 0x80)
  /// A baseband (BR/EDR) or LMP packet.
  public static let baseband = PacketKind(rawValue: 0x81)
  /// An H4 packet of a type that the Core Specification does not define; its payload starts at the type byte.
  public static let unknownH4 = PacketKind(rawValue: 0x82)
  /// A line of Apple's log (PacketLogger type 0xF7); ``NoteText`` converts it to text.
  public static let syslog = PacketKind(rawValue: 0x83)
  /// A record that is not Bluetooth, or that the reader cannot decode.
  public static let opaque = PacketKind(rawValue: 0xFF)
}

/// The direction of a packet.
public enum PacketDirection: UInt8, Sendable {
  /// The capture does not show it.
  case unknown = 0
  /// Host to controller.
  case sent = 1
  /// Controller to host.
  case received = 2
  /// Link Layer: from the central.
  case central = 3
  /// Link Layer: from the peripheral.
  case peripheral = 4

  /// It is from a sniffer's capture.
  @inlinable public var isOnAir: Bool { self == .central || self == .peripheral }
}

/// A sniffer's metadata of a Link Layer packet; all zero where it has none.
public struct RadioInfo: Sendable, Equatable {
  /// Bits of ``flags``.
  public enum Flag {
    /// The RSSI is valid.
    public static let signalValid: UInt16 = 1
    /// The sniffer checked the CRC.
    public static let crcChecked: UInt16 = 2
    /// The CRC was right.
    public static let crcOK: UInt16 = 4
    /// The payload is encrypted, according to the sniffer.
    public static let encrypted: UInt16 = 8
    /// The payload was encrypted and the sniffer has decrypted it.
    public static let decrypted: UInt16 = 16
    /// The bytes end with the 3-byte CRC.
    public static let hasCRC: UInt16 = 32
    /// The packet is on an auxiliary advertising channel.
    public static let auxiliary: UInt16 = 64
    /// The message integrity check was right (only with ``decrypted``).
    public static let micOK: UInt16 = 128
    /// The reference access address is not that of the packet.
    public static let strayAccessAddress: UInt16 = 256
    /// The packet belongs to an isochronous stream.
    public static let isochronous: UInt16 = 512
  }
  /// Link Layer channel index (0 to 36 data, 37 to 39 advertising).
  public var channel: UInt8 = 0
  /// RSSI in dBm, if ``Flag/signalValid`` is set.
  public var signal: Int8 = 0
  /// PHY: 0 LE 1M, 1 LE 2M, 2 LE Coded.
  public var phy: UInt8 = 0
  /// Bits of ``Flag``.
  public var flags: UInt16 = 0

  /// Creates an empty value.
  @inlinable
  public init() {}
}

/// A captured packet without its bytes: their location in the batch, and the capture's metadata. 48 bytes, no references.
public struct PacketRecord: Sendable {
  /// Number of the packet in its file, from 1, as Wireshark's `frame.number`.
  public var frame: Int = 0
  /// Time of capture, microseconds since 1970-01-01 UTC; may be negative. No time of a file is further than 18 000 years from 1970.
  public var time: Int64 = 0
  /// Some formats can store times that no clock has: those beyond 18 000 years from 1970 are replaced by the nearest one within this range, so that
  /// differences and sums of times do not overflow.
  @usableFromInline static let maxTime = Int64(1) << 59
  /// A time of a file, limited to ``maxTime``.
  @inlinable
  @inline(__always)
  static func inReach(_ time: Int64) -> Int64 { min(max(time, -maxTime), maxTime) }

  @usableFromInline var start: UInt32 = 0
  @usableFromInline var kept: UInt32 = 0
  @usableFromInline var full: UInt32 = 0
  /// Number of packets that the capturing program reports as dropped so far; 0 where it reports none.
  public var drops: UInt32 = 0
  @usableFromInline var header: UInt16 = 0
  /// Index into ``PacketSource/interfaces``.
  public var interface: UInt16 = 0
  /// Adapter (HCI index), or 0xFFFF for none.
  public var adapter: UInt16 = 0xFFFF
  /// Kind of the packet.
  public var kind: PacketKind = .opaque
  /// Direction of the packet.
  public var direction: PacketDirection = .unknown
  /// A sniffer's metadata.
  public var radio = RadioInfo()

  /// An empty record.
  @inlinable
  public init() {}

  /// Offset of the record's bytes in the batch, as captured (with the header of its link type).
  @inlinable
  public var offset: Int {
    get { Int(start) }
    set { start = UInt32(truncatingIfNeeded: newValue) }
  }

  /// Number of bytes captured, with the header of the link type.
  @inlinable
  public var captured: Int {
    get { Int(kept) }
    set { kept = UInt32(truncatingIfNeeded: newValue) }
  }

  /// Number of bytes that the packet had, with the header of the link type; `captured` is less where the capture cut it.
  @inlinable
  public var original: Int {
    get { Int(full) }
    set { full = UInt32(truncatingIfNeeded: newValue) }
  }

  /// Number of bytes before the payload: the H4 type byte, a monitor or sniffer header. Never more than ``captured``.
  @inlinable
  public var payload: Int {
    get { Int(header) }
    set { header = UInt16(truncatingIfNeeded: newValue) }
  }

  /// The record's payload was cut by the capture.
  @inlinable
  public var isTruncated: Bool { kept < full }

  /// Number of bytes that the capture cut off.
  var cutBytes: Int { isTruncated ? original - captured : 0 }
}
