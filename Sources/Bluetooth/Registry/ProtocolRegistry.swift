/// All protocols. A new one is a folder below `Protocols` and a line here.
public enum ProtocolRegistry {
  /// In the order from HCI up, in which filters list their fields.
  static let all: [any ProtocolDescription.Type] = [
    HCI.CommandPackets.self,
    HCI.EventPackets.self,
    HCI.ACLPackets.self,
    HCI.SynchronousPackets.self,
    HCI.IsochronousPackets.self,
    L2CAP.DataFrames.self,
    L2CAP.SignalingCommands.self,
    ATT.self,
    SMP.self,
    AdvertisingData.self,
    LinkLayer.DataPDUs.self,
    LinkLayer.ControlPDUs.self,
    LinkLayer.AdvertisingPDUs.self,
    Baseband.self,
    LMP.self,
    SDP.self,
    RFCOMM.self,
    HFP.self,
    HSP.self,
    SAP.self,
    OBEX.self,
    AVDTP.self,
    A2DP.self,
    AVCTP.self,
    AVRCP.self,
    BNEP.self,
    HID.self,
    IPSP.self,
    MCAP.self,
    HCRP.self,
    Synchronization3D.self,
    Mesh.self,
    Management.self,
    Management.MonitorRecords.self,
    Vendor.self,
    CaptureNote.self,
    UnknownPacket.self,
  ]

  /// The protocols by their numbers; ``UnknownPacket`` for unused numbers.
  private static let table: StaticTable<any ProtocolDescription.Type> = {
    var table = [any ProtocolDescription.Type](repeating: UnknownPacket.self, count: 256)
    for description in all { table[Int(description.id.rawValue)] = description }
    return StaticTable(table)
  }()

  /// The display filter fields of each protocol, in the language that `Analysis/DisplayFilter/FilterFields.swift` describes.
  public static var filterTables: [(id: ProtocolID, text: StaticName)] {
    all.flatMap { description in
      (description.filterTexts.map { StaticName($0) } + [description.derivedFilters]).map { (description.id, $0) }
    }
  }

  /// Whether PDUs of other protocols begin with the header of this one.
  public static func isEnvelope(_ id: ProtocolID) -> Bool { all.contains { $0.envelope == id } }

  /// The protocol whose header precedes the PDUs of another; nil where there is none.
  public static func envelope(_ id: ProtocolID) -> ProtocolID? { envelopes[Int(id.rawValue)] }

  private static let envelopes: StaticTable<ProtocolID?> = {
    var table = [ProtocolID?](repeating: nil, count: 256)
    for description in all { table[Int(description.id.rawValue)] = description.envelope }
    return StaticTable(table)
  }()

  /// The traits of each protocol.
  static let traits: StaticTable<ProtocolTraits> = {
    var table = [ProtocolTraits](repeating: UnknownPacket.traits, count: 256)
    for description in all { table[Int(description.id.rawValue)] = description.traits }
    return StaticTable(table)
  }()

  /// The protocol with a number.
  static func description(_ id: ProtocolID) -> any ProtocolDescription.Type { table[Int(id.rawValue)] }

  /// The protocol that a fixed channel carries (Core, Vol 3, Part A, 2.1), or nil.
  public static func onFixedChannel(_ channel: UInt16) -> ProtocolID? {
    channel < fixedChannels.count ? fixedChannels[Int(channel)] : nil
  }

  private static let fixedChannels: StaticTable<ProtocolID?> = {
    var table = [ProtocolID?](repeating: nil, count: 0x40)
    for description in all { for channel in description.fixedChannels { table[Int(channel)] = description.id } }
    return StaticTable(table)
  }()

  /// Whether connection-oriented channels carry the protocol.
  public static func isOnChannels(_ id: ProtocolID) -> Bool { channelProtocols[Int(id.rawValue)] }

  private static let channelProtocols: StaticTable<Bool> = {
    var table = [Bool](repeating: false, count: 256)
    for description in all { table[Int(description.id.rawValue)] = description.isOnChannels }
    return StaticTable(table)
  }()

  /// The protocol of channels that are opened to a PSM, and the name of these; nil for a PSM without a protocol.
  public static func onPSM(_ psm: UInt16) -> (id: ProtocolID, name: StaticName)? {
    for description in all {
      for assigned in description.psms where assigned.number == psm { return (description.id, assigned.name) }
    }
    return nil
  }

  /// The protocol that a service's RFCOMM channel or dynamic PSM carries, or nil.
  public static func onService(_ service: UInt16) -> ProtocolID? { all.first { $0.serviceClasses.contains(service) }?.id }

  /// The protocol that data over RFCOMM look like, if no record gives their service; or nil.
  public static func recognizeData(_ data: RawSpan) -> ProtocolID? {
    for description in all where description.recognizesData(data) { return description.id }
    return nil
  }

  /// The protocol of a channel whose opening the capture does not show, recognized by the form of its first frame; or nil.
  public static func recognize(_ pdu: RawSpan) -> ProtocolID? {
    for description in all where description.recognizes(pdu) { return description.id }
    return nil
  }
}

extension ProtocolID {
  private var description: any ProtocolDescription.Type { ProtocolRegistry.description(self) }

  /// The protocol's name in JSON, CSV and SQLite.
  public var name: StaticName { description.name }

  /// SDP records of services refer to the protocol.
  public var isOfService: Bool { !description.serviceClasses.isEmpty }

  /// A PDU of the protocol begins with the header of its envelope.
  public func hasEnvelope(_ context: PDUContext) -> Bool { description.hasEnvelope(context) }

  /// A PDU of the protocol has an opcode that printers show.
  public func hasOpcode(_ context: PDUContext) -> Bool { description.hasOpcode(context) }

  /// The name of a PDU of the protocol in the specification.
  public func name(of pdu: RawSpan, _ context: PDUContext) -> StaticName { description.name(of: pdu, context) }

  /// Reports the fields of a PDU of the protocol to `visitor`.
  public func walk<Visitor: FieldVisitor>(_ pdu: RawSpan, _ context: PDUContext, _ visitor: inout Visitor) {
    description.walk(pdu, context, &visitor)
  }
}
