import Bluetooth
import Conversations
import Memory

/// Names and fields of a row's PDU, from the protocol of its layer.
public enum Dissection {
  /// The PDU's name as the Core Specification has it.
  @inline(__always)
  public static func name(_ row: PacketRow) -> StaticName {
    switch row.layer {
    // Most packets are of these kinds: they do not go through the registry.
    case .att: ATT.pdus.name(row.opcode) ?? "Unknown ATT PDU"
    case .hciEvent where row.opcode != HCI.EventCode.vendorSpecific.rawValue:
      HCI.eventName(UInt8(truncatingIfNeeded: row.opcode), subevent: row.subcode)
    default: otherName(row)
    }
  }

  @inline(never)
  private static func otherName(_ row: PacketRow) -> StaticName {
    row.layer.name(of: row.pdu.span, row.context)
  }

  /// Reports the fields of a row's PDU to `visitor`; ranges are in bytes from the start of ``PacketRow/pdu``.
  @inline(__always)
  public static func walk<Visitor: FieldVisitor>(_ row: PacketRow, _ visitor: inout Visitor) {
    let bytes = row.pdu.span
    switch row.layer {
    case .att:
      ATT.walk(bytes, requested: row.requestedType, &visitor)
      if let description = row.reportDescription { walkReport(row, bytes, description, &visitor) }
    case .hciEvent: HCI.walkEvent(bytes, company: row.company, &visitor)
    case .hciCommand: HCI.walkCommand(bytes, company: row.company, &visitor)
    default: walkOther(row, bytes, &visitor)
    }
  }

  private static func walkOther<Visitor: FieldVisitor>(_ row: PacketRow, _ bytes: RawSpan, _ visitor: inout Visitor) {
    if row.layer == .hid, let description = row.reportDescription {
      return HID.walk(bytes, description: description.span, &visitor)
    }
    row.layer.walk(bytes, row.context, &visitor)
  }

  @inline(never)
  private static func walkReport<Visitor: FieldVisitor>(
    _ row: PacketRow, _ bytes: RawSpan, _ description: PDUBytes, _ visitor: inout Visitor
  ) {
    let start = Int(row.valueOffset)
    _ = HID.walkReport(
      bytes, start..<start + Int(row.valueCount), description.span, &visitor)
  }
}

extension PacketRow {
  /// The row's PDU has an opcode that printers show.
  public var hasOpcode: Bool { layer.hasOpcode(context) }

  /// The values that determine the PDU's name and layout, such as its opcode.
  var context: PDUContext {
    var context = PDUContext()
    context.opcode = opcode
    context.subcode = subcode
    context.company = company
    context.requestedType = requestedType
    context.isEncrypted = flags.contains(.encrypted)
    context.hasConnection = flags.contains(.hasConnection)
    context.frameFormat = flags.frameFormat
    return context
  }

  /// For a Read By Type Response that declares attributes, the requested type.
  var requestedType: BluetoothUUID? {
    guard opcode == ATT.Opcode.readByTypeResponse.rawValue, layer == .att, meaning == .discovered else { return nil }
    return BluetoothUUID(subcode)
  }
}
