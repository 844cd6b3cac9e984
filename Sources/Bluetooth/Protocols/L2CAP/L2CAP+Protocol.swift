extension L2CAP {
  /// Frames of channels without a protocol in the registry, from the L2CAP header on.
  enum DataFrames: ProtocolDescription {
    static var id: ProtocolID { .l2cap }
    static var name: StaticName { "l2cap" }
    static var traits: ProtocolTraits { [.isOpaque, .carriesUnknownData] }
    static var state: StaticString { "channels; SDUs of retransmission and streaming modes and of channels with credits are joined" }
    static var enumerationText: StaticString { L2CAP.enumerationText }

    static func name(of pdu: RawSpan, _ context: PDUContext) -> StaticName {
      context.frameFormat.isEmpty ? "L2CAP Data" : L2CAP.frameName(pdu, context.frameFormat)
    }

    static func walk<Visitor: FieldVisitor>(_ pdu: RawSpan, _ context: PDUContext, _ visitor: inout Visitor) {
      if !context.frameFormat.isEmpty { return L2CAP.walkFrame(pdu, context.frameFormat, &visitor) }
      header.walk(pdu, allowsSurplus: true, &visitor)
      data.walk(pdu, in: min(Header.size, pdu.byteCount)..<pdu.byteCount, &visitor)
    }
  }

  /// Commands of the signaling channels (Core, Vol 3, Part A, 4), from their code on.
  enum SignalingCommands: ProtocolDescription {
    static var id: ProtocolID { .signaling }
    static var name: StaticName { "l2cap.signaling" }
    static var tables: [PDUTable] { [signaling] }
    static var state: StaticString { "requests and answers; channels that open and close" }
    static var fixedChannels: [UInt16] { [ChannelID.signaling.rawValue, ChannelID.leSignaling.rawValue] }

    static func hasOpcode(_ context: PDUContext) -> Bool { true }

    static func name(of pdu: RawSpan, _ context: PDUContext) -> StaticName {
      signaling.name(context.opcode) ?? "Unknown Signaling Command"
    }

    static func walk<Visitor: FieldVisitor>(_ pdu: RawSpan, _ context: PDUContext, _ visitor: inout Visitor) {
      walkCommand(pdu, &visitor)
    }
  }
}
