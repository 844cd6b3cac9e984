import PacketCodecs

extension HCI {
  /// HCI event packets (Core, Vol 4, Part E, 5.4.4), from the event code on.
  enum EventPackets: ProtocolDescription {
    static var id: ProtocolID { .hciEvent }
    static var name: StaticName { "hci.event" }
    static var traits: ProtocolTraits { [.carriesAdvertising, .isLocal] }
    static var tables: [PDUTable] { [HCI.events, HCI.leEvents, Vendor.androidEvents] + Vendor.makers.map(\.events) }
    static var state: StaticString { "adapters, connections, devices heard, periodic trains" }
    static var enumerationText: StaticString { errorCodeText }

    static func hasOpcode(_ context: PDUContext) -> Bool { true }

    static func name(of pdu: RawSpan, _ context: PDUContext) -> StaticName {
      if context.opcode == EventCode.vendorSpecific.rawValue, let code = pdu.u8(2), let event = Vendor.event(code, of: context.company) {
        return event.name
      }
      return eventName(UInt8(truncatingIfNeeded: context.opcode), subevent: context.subcode)
    }

    static func walk<Visitor: FieldVisitor>(_ pdu: RawSpan, _ context: PDUContext, _ visitor: inout Visitor) {
      walkEvent(pdu, company: context.company, &visitor)
    }
  }

  /// The name of an event; for LE Meta events that of the subevent.
  @inlinable
  public static func eventName(_ code: UInt8, subevent: UInt16) -> StaticName {
    if code == EventCode.leMeta.rawValue { return leEvents.name(UInt32(subevent)) ?? "LE Meta event" }
    return events.name(UInt32(code)) ?? "Unknown HCI Event"
  }
}
