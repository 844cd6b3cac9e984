import Bluetooth
import Captures
import Conversations

/// What a row's PDU is called, and how its fields lie: the way from a row to the tables of `Bluetooth`.
public enum Dissection {
  /// The PDU's name as the Core Specification has it; empty where it has none.
  @inline(__always)
  public static func name(_ row: PacketRow) -> StaticName {
    switch row.layer {
    case .att: ATT.pdus.name(row.opcode) ?? "Unknown ATT PDU"
    case .hciEvent: eventName(row)
    default: otherName(row)
    }
  }

  private static func eventName(_ row: PacketRow) -> StaticName {
    if row.opcode == 0x3E { return HCI.leEvents.name(UInt32(row.subcode)) ?? "LE Meta event" }
    return HCI.events.name(row.opcode) ?? "Unknown HCI Event"
  }

  private static func otherName(_ row: PacketRow) -> StaticName {
    switch row.layer {
    case .hciCommand:
      HCI.Opcode(rawValue: UInt16(truncatingIfNeeded: row.opcode)).name
        ?? (row.opcode >> 10 == 0x3F ? "Vendor Command" : "Unknown HCI Command")
    case .smp: SMP.pdus.name(row.opcode) ?? "Unknown SMP PDU"
    case .signaling: L2CAP.signaling.name(row.opcode) ?? "Unknown Signaling Command"
    case .hciACL: "ACL Data"
    case .hciSCO: "Synchronous Data"
    case .hciISO: "ISO Data"
    case .l2cap: "L2CAP Data"
    case .sdp: row.pdu.u8(0).flatMap { SDP.pdus.name(UInt32($0)) } ?? "SDP PDU"
    case .rfcomm: row.pdu.u8(1).flatMap { RFCOMM.frames.name(UInt32($0 & 0xEF)) } ?? "RFCOMM Frame"
    case .avdtp: "AVDTP"
    case .avctp: "AVCTP"
    case .bnep: "BNEP"
    case .hid: "HID"
    case .management: managementName(row)
    case .monitor: monitorName(row)
    case .vendor: row.flags.contains(.hasConnection) ? "Vendor Debug Data" : "Vendor Diagnostics"
    case .note: "Note"
    case .advertisingPDU: LinkLayer.advertising.name(row.opcode) ?? "Unknown Advertising PDU"
    case .linkLayerControl: LinkLayer.control.name(row.opcode) ?? "Unknown LL Control PDU"
    case .linkLayer: row.flags.contains(.encrypted) ? "Encrypted LL Data PDU" : "LL Data PDU"
    default: "Unknown"
    }
  }

  private static func managementName(_ row: PacketRow) -> StaticName {
    switch UInt8(truncatingIfNeeded: row.subcode) {
    case PacketKind.controlCommand.rawValue: Management.commands.name(row.opcode) ?? "Unknown Management Command"
    case PacketKind.controlEvent.rawValue: Management.events.name(row.opcode) ?? "Unknown Management Event"
    default: Management.records.name(UInt32(row.subcode)) ?? "Control"
    }
  }

  private static func monitorName(_ row: PacketRow) -> StaticName {
    Management.records.name(row.opcode) ?? "Monitor Record"
  }
}

extension Dissection {
  /// Tells the fields of a row's PDU to `visitor`; ranges are in bytes from the start of ``PacketRow/pdu``.
  @inline(__always)
  public static func walk<Visitor: FieldVisitor>(_ row: PacketRow, _ batch: RowBatch, _ visitor: inout Visitor) {
    let bytes = unsafe RawSpan(_unsafeBytes: row.pdu.buffer)
    switch row.layer {
    case .att: ATT.walk(bytes, requested: requested(row, batch), &visitor)
    case .hciEvent: HCI.walkEvent(bytes, &visitor)
    case .hciCommand: HCI.walkCommand(bytes, &visitor)
    default: walkOther(row, bytes, &visitor)
    }
  }

  /// The type that a Read By Type Request asked for: told by what the answer's first attribute is.
  private static func requested(_ row: PacketRow, _ batch: RowBatch) -> BluetoothUUID? {
    guard row.opcode == 0x09, row.meaning == .discovered else { return nil }
    return BluetoothUUID(row.subcode)
  }

  private static func walkOther<Visitor: FieldVisitor>(_ row: PacketRow, _ bytes: RawSpan, _ visitor: inout Visitor) {
    switch row.layer {
    case .smp: SMP.walk(bytes, &visitor)
    case .signaling: L2CAP.walkCommand(bytes, &visitor)
    case .sdp: SDP.walk(bytes, &visitor)
    case .rfcomm: RFCOMM.walk(bytes, &visitor)
    case .monitor: Management.walkRecord(opcode: UInt16(truncatingIfNeeded: row.opcode), bytes, &visitor)
    case .management: walkManagement(row, bytes, &visitor)
    case .hciSCO: HCI.walkSynchronous(bytes, &visitor)
    case .hciISO: HCI.walkISO(bytes, &visitor)
    case .advertisingPDU: LinkLayer.walkAdvertising(bytes, isAuxiliary: row.opcode & 0x10 != 0, &visitor)
    case .linkLayerControl: LinkLayer.walkControl(bytes, in: 0..<bytes.byteCount, &visitor)
    case .linkLayer: LinkLayer.walkData(bytes, isEncrypted: row.flags.contains(.encrypted), &visitor)
    case .l2cap:
      L2CAP.header.walk(bytes, allowsSurplus: true, &visitor)
      L2CAP.data.walk(bytes, in: min(4, bytes.byteCount)..<bytes.byteCount, &visitor)
    case .hciACL, .avdtp, .avctp, .bnep, .hid, .vendor, .opaque: L2CAP.data.walk(bytes, &visitor)
    default: break
    }
  }

  private static func walkManagement<Visitor: FieldVisitor>(_ row: PacketRow, _ bytes: RawSpan, _ visitor: inout Visitor) {
    switch UInt8(truncatingIfNeeded: row.subcode) {
    case PacketKind.controlCommand.rawValue: Management.walkCommand(bytes, &visitor)
    case PacketKind.controlEvent.rawValue: Management.walkEvent(bytes, &visitor)
    default: Management.walkRecord(opcode: row.subcode, bytes, &visitor)
    }
  }
}
