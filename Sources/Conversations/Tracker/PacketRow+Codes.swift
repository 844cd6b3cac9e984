import Bluetooth
import Memory

/// The codes of rows as typed constants: nil for rows of other protocols and for codes that are not defined.
extension PacketRow {
  /// Opcode of an ATT PDU.
  @inlinable
  public var attOpcode: ATT.Opcode? { layer == .att ? ATT.Opcode(rawValue: UInt8(truncatingIfNeeded: opcode)) : nil }

  /// For an ATT Error Response, the opcode of the failed request.
  @inlinable
  public var failedRequest: ATT.Opcode? {
    opcode == ATT.Opcode.errorResponse.rawValue && layer == .att ? ATT.Opcode(rawValue: UInt8(truncatingIfNeeded: subcode)) : nil
  }

  /// An error ends a value that is read in parts, as there are no more (Core, Vol 3, Part G, 4.8.3).
  public var isEndOfLongRead: Bool {
    failedRequest == .readBlobRequest
      && (status == ATT.ErrorCode.invalidOffset.rawValue || status == ATT.ErrorCode.attributeNotLong.rawValue)
  }

  /// Opcode of an HCI command; nil for commands without a case in ``HCI/Opcode``.
  @inlinable
  public var command: HCI.Opcode? { layer == .hciCommand ? HCI.Opcode(rawValue: UInt16(truncatingIfNeeded: opcode)) : nil }

  /// Code of an HCI event.
  @inlinable
  public var eventCode: HCI.EventCode? { layer == .hciEvent ? HCI.EventCode(rawValue: UInt8(truncatingIfNeeded: opcode)) : nil }

  /// For Command Complete and Command Status, the opcode of the command.
  @inlinable
  public var completedCommand: HCI.Opcode? { layer == .hciEvent ? HCI.Opcode(rawValue: subcode) : nil }

  /// Status or reason of HCI; nil for codes without a case in ``HCI/ErrorCode``.
  @inlinable
  public var hciError: HCI.ErrorCode? { statusDomain == .hci ? HCI.ErrorCode(rawValue: status) : nil }

  /// Subevent of an LE Meta event.
  @inlinable
  public var subevent: HCI.LESubevent? {
    eventCode == .leMeta ? HCI.LESubevent(rawValue: UInt8(truncatingIfNeeded: subcode)) : nil
  }

  /// Code of an SMP PDU.
  @inlinable
  public var smpOpcode: SMP.Opcode? { layer == .smp ? SMP.Opcode(rawValue: UInt8(truncatingIfNeeded: opcode)) : nil }

  /// Code of a signaling command.
  @inlinable
  public var signalingCode: L2CAP.SignalingCode? {
    layer == .signaling ? L2CAP.SignalingCode(rawValue: UInt8(truncatingIfNeeded: opcode)) : nil
  }

  /// Opcode of a control PDU of the Link Layer.
  @inlinable
  public var controlOpcode: LinkLayer.ControlOpcode? {
    layer == .linkLayerControl ? LinkLayer.ControlOpcode(rawValue: UInt8(truncatingIfNeeded: opcode)) : nil
  }
}

extension PacketRow {
  /// The target of a command that starts a connection attempt: the peer's address, or the devices of the filter accept list. Nil for other rows.
  public var connectionTarget: (address: UInt64, isAcceptList: Bool)? {
    guard let command, let offset = command.peerAddressOffset else { return nil }
    let policy = command.filterPolicyOffset.map { pdu.u8($0) } ?? 0
    let address = pdu.address(offset)
    guard let policy, let address else { return nil }
    return (policy == 1 ? 0 : address, policy == 1)
  }
}
