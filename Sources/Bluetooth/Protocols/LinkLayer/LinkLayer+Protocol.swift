import PacketCodecs

extension LinkLayer {
  /// Subcode of rows whose PDU belongs to a connected isochronous stream.
  public static var connectedStream: UInt16 { 1 }
  /// Subcode of rows whose PDU belongs to a broadcast isochronous stream.
  public static var broadcastStream: UInt16 { 2 }

  /// PDUs on data channels (Core, Vol 6, Part B, 2.4) without a complete PDU of a higher protocol, from their header on.
  enum DataPDUs: ProtocolDescription {
    static var id: ProtocolID { .linkLayer }
    static var name: StaticName { "ll" }
    static var state: StaticString { "connections, retransmissions, encryption; fragments are joined" }
    static var tables: [PDUTable] { [broadcastControl] }
    static var enumerationText: StaticString { LinkLayer.enumerationText }

    static func name(of pdu: RawSpan, _ context: PDUContext) -> StaticName {
      guard let header = DataHeader(pdu) else { return "LL Data PDU" }
      if context.subcode == connectedStream { return "Connected Isochronous PDU" }
      if context.subcode == broadcastStream {
        guard header.llid == 3 else { return "Broadcast Isochronous PDU" }
        if context.isEncrypted { return "Encrypted BIG Control PDU" }
        return pdu.u8(2).flatMap { broadcastControl[UInt32($0)]?.name } ?? "BIG Control PDU"
      }
      if header.llid == 0 { return "PDU with reserved LLID" }
      if header.length == 0, header.llid == 1 { return "Empty PDU" }
      if context.isEncrypted { return header.llid == 3 ? "Encrypted LL Control PDU" : "Encrypted LL Data PDU" }
      if header.llid == 3 {
        return pdu.u8(header.size).flatMap { LinkLayer.control[UInt32($0)]?.name } ?? "LL Control PDU"
      }
      return "LL Data PDU"
    }

    static func walk<Visitor: FieldVisitor>(_ pdu: RawSpan, _ context: PDUContext, _ visitor: inout Visitor) {
      if context.subcode == connectedStream || context.subcode == broadcastStream {
        return walkStream(pdu, isBroadcast: context.subcode == broadcastStream, isEncrypted: context.isEncrypted, &visitor)
      }
      walkData(pdu, isEncrypted: context.isEncrypted, &visitor)
    }
  }

  /// Control PDUs (2.4.2), from their opcode on.
  enum ControlPDUs: ProtocolDescription {
    static var id: ProtocolID { .linkLayerControl }
    static var name: StaticName { "ll.control" }
    static var tables: [PDUTable] { [control] }
    static var state: StaticString { "features, parameters, encryption" }

    static func hasOpcode(_ context: PDUContext) -> Bool { true }

    static func name(of pdu: RawSpan, _ context: PDUContext) -> StaticName {
      control.name(context.opcode) ?? "Unknown LL Control PDU"
    }

    static func walk<Visitor: FieldVisitor>(_ pdu: RawSpan, _ context: PDUContext, _ visitor: inout Visitor) {
      walkControl(pdu, in: 0..<pdu.byteCount, &visitor)
    }
  }

  /// PDUs on advertising channels (2.3), from their header on; bit 4 of the opcode is set for a secondary channel.
  enum AdvertisingPDUs: ProtocolDescription {
    static var id: ProtocolID { .advertisingPDU }
    static var name: StaticName { "ll.advertising" }
    static var traits: ProtocolTraits { [.carriesAdvertising] }
    static var tables: [PDUTable] { [advertising] }
    static var state: StaticString { "devices, connections that begin, periodic trains" }

    static func name(of pdu: RawSpan, _ context: PDUContext) -> StaticName {
      advertising.name(context.opcode) ?? "Unknown Advertising PDU"
    }

    static func walk<Visitor: FieldVisitor>(_ pdu: RawSpan, _ context: PDUContext, _ visitor: inout Visitor) {
      walkAdvertising(pdu, isAuxiliary: context.opcode & 0x10 != 0, &visitor)
    }
  }
}
