/// The Human Interface Device Protocol: only its channels are known.
public enum HID: ProtocolDescription {
  static var id: ProtocolID { .hid }
  static var name: StaticName { "hid" }
  static var psms: [AssignedPSM] { [AssignedPSM(0x11, "HID control"), AssignedPSM(0x13, "HID interrupt")] }
  static var isOpaque: Bool { true }

  static func name(of pdu: RawSpan, _ context: PDUContext) -> StaticName { "HID" }

  static let filterFields: StaticString = """
    bthid protocol =pdu
    """
}

extension ProtocolID {
  /// The Human Interface Device Protocol.
  @inlinable
  public static var hid: ProtocolID { ProtocolID(14) }
}
