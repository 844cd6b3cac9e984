/// A protocol's number: its index in the registry. Every row of a capture has one; comparing two is comparing two bytes.
public struct ProtocolID: Hashable, Sendable {
  /// The number.
  public let rawValue: UInt8

  /// Makes an identifier from its number.
  @inlinable
  public init(_ rawValue: UInt8) { self.rawValue = rawValue }

  /// Compares the numbers.
  @inlinable
  public static func == (a: ProtocolID, b: ProtocolID) -> Bool { a.rawValue == b.rawValue }
}

/// The numbers of all protocols. A new protocol takes a free one below 256; the numbers are not printed.
extension ProtocolID {
  /// HCI commands.
  @inlinable public static var hciCommand: ProtocolID { ProtocolID(0) }
  /// HCI events.
  @inlinable public static var hciEvent: ProtocolID { ProtocolID(1) }
  /// HCI ACL data.
  @inlinable public static var hciACL: ProtocolID { ProtocolID(2) }
  /// HCI synchronous data.
  @inlinable public static var hciSCO: ProtocolID { ProtocolID(3) }
  /// HCI isochronous data.
  @inlinable public static var hciISO: ProtocolID { ProtocolID(4) }
  /// L2CAP frames.
  @inlinable public static var l2cap: ProtocolID { ProtocolID(5) }
  /// L2CAP signaling commands.
  @inlinable public static var signaling: ProtocolID { ProtocolID(6) }
  /// The Attribute Protocol.
  @inlinable public static var att: ProtocolID { ProtocolID(7) }
  /// The Security Manager Protocol.
  @inlinable public static var smp: ProtocolID { ProtocolID(8) }
  /// The Service Discovery Protocol.
  @inlinable public static var sdp: ProtocolID { ProtocolID(9) }
  /// RFCOMM.
  @inlinable public static var rfcomm: ProtocolID { ProtocolID(10) }
  /// The Audio/Video Distribution Transport Protocol.
  @inlinable public static var avdtp: ProtocolID { ProtocolID(11) }
  /// The Audio/Video Control Transport Protocol.
  @inlinable public static var avctp: ProtocolID { ProtocolID(12) }
  /// The Bluetooth Network Encapsulation Protocol.
  @inlinable public static var bnep: ProtocolID { ProtocolID(13) }
  /// The Human Interface Device Protocol.
  @inlinable public static var hid: ProtocolID { ProtocolID(14) }
  /// PDUs on data channels of the Link Layer.
  @inlinable public static var linkLayer: ProtocolID { ProtocolID(15) }
  /// Control PDUs of the Link Layer.
  @inlinable public static var linkLayerControl: ProtocolID { ProtocolID(16) }
  /// PDUs on advertising channels of the Link Layer.
  @inlinable public static var advertisingPDU: ProtocolID { ProtocolID(17) }
  /// The Linux kernel's management interface.
  @inlinable public static var management: ProtocolID { ProtocolID(18) }
  /// Records of the Linux monitor itself.
  @inlinable public static var monitor: ProtocolID { ProtocolID(19) }
  /// Unspecified data of controllers.
  @inlinable public static var vendor: ProtocolID { ProtocolID(20) }
  /// Notes of the capture.
  @inlinable public static var note: ProtocolID { ProtocolID(21) }
  /// Packets of an unknown kind.
  @inlinable public static var opaque: ProtocolID { ProtocolID(22) }
  /// Advertising data.
  @inlinable public static var advertisingData: ProtocolID { ProtocolID(23) }
  /// Media of the Advanced Audio Distribution Profile.
  @inlinable public static var a2dp: ProtocolID { ProtocolID(24) }
  /// The Audio/Video Remote Control Profile.
  @inlinable public static var avrcp: ProtocolID { ProtocolID(25) }
  /// Packets of BR/EDR on the air.
  @inlinable public static var baseband: ProtocolID { ProtocolID(26) }
  /// The Link Manager Protocol.
  @inlinable public static var lmp: ProtocolID { ProtocolID(27) }
  /// IPv6 over Bluetooth Low Energy.
  @inlinable public static var ipsp: ProtocolID { ProtocolID(28) }
  /// Bluetooth Mesh.
  @inlinable public static var mesh: ProtocolID { ProtocolID(29) }
  /// The Multi-Channel Adaptation Protocol.
  @inlinable public static var mcap: ProtocolID { ProtocolID(30) }
  /// The SIM Access Profile.
  @inlinable public static var sap: ProtocolID { ProtocolID(31) }
  /// The 3D Synchronization Profile.
  @inlinable public static var synchronization3D: ProtocolID { ProtocolID(32) }
  /// The Hardcopy Cable Replacement Profile.
  @inlinable public static var hcrp: ProtocolID { ProtocolID(33) }
  /// The Hands-Free Profile.
  @inlinable public static var hfp: ProtocolID { ProtocolID(40) }
  /// The Headset Profile.
  @inlinable public static var hsp: ProtocolID { ProtocolID(41) }
  /// The Object Exchange Protocol.
  @inlinable public static var obex: ProtocolID { ProtocolID(42) }
}
