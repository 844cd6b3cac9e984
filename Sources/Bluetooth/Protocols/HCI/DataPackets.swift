extension HCI {
  /// ACL data packets (Core, Vol 4, Part E, 5.4.2) without a decoded PDU: fragments, data without a connection.
  enum ACLPackets: ProtocolDescription {
    static var id: ProtocolID { .hciACL }
    static var name: StaticName { "hci.acl" }
    static var traits: ProtocolTraits { [.isOpaque] }
    static var state: StaticString { "connections; fragments are joined" }

    static func name(of pdu: RawSpan, _ context: PDUContext) -> StaticName { "ACL Data" }

    static func walk<Visitor: FieldVisitor>(_ pdu: RawSpan, _ context: PDUContext, _ visitor: inout Visitor) {
      walkData(pdu, context, &visitor)
    }

    static let filterFields: StaticString = """
      # HCI data
      bthci_acl protocol =
      bthci_acl.chandle x16 acl[0:2]&0fff
      bthci_acl.pb_flag u16 acl[0:2]&3000
      bthci_acl.bc_flag u16 acl[0:2]&c000
      bthci_acl.length u16 acl[2:2]
      bthci_acl.src.bd_addr ether =
      bthci_acl.dst.bd_addr ether =
      bthci_acl.src.name string =
      bthci_acl.dst.name string =
      bthci_acl.connect_in frame =
      bthci_acl.continuation_to frame =
      bthci_acl.src.role u32 =
      bthci_acl.dst.role u32 =
      bthci_acl.last_change_in_frame.role frame =
      bthci_acl.mode i32 =
      bthci_acl.last_change_in_frame.mode frame =
      bthci_acl.data none acl[4:*]
      """
  }

  /// Opcode of rows whose PDU is an entire ACL packet, not only its remaining bytes.
  public static var wholePacket: UInt32 { 1 }

  /// Reports the header of an ACL packet, if present, and the following bytes.
  static func walkData<Visitor: FieldVisitor>(_ pdu: RawSpan, _ context: PDUContext, _ visitor: inout Visitor) {
    let start = context.opcode == wholePacket ? min(4, pdu.byteCount) : 0
    if start > 0 { walkACLHeader(pdu, &visitor) }
    if start < pdu.byteCount || start == 0 { L2CAP.data.walk(pdu, in: start..<pdu.byteCount, &visitor) }
  }

  /// Synchronous data packets (5.4.3): voice.
  enum SynchronousPackets: ProtocolDescription {
    static var id: ProtocolID { .hciSCO }
    static var name: StaticName { "hci.sco" }
    static var traits: ProtocolTraits { [.isMedia] }
    static var state: StaticString { "connections" }

    static func name(of pdu: RawSpan, _ context: PDUContext) -> StaticName { "Synchronous Data" }

    static func walk<Visitor: FieldVisitor>(_ pdu: RawSpan, _ context: PDUContext, _ visitor: inout Visitor) {
      walkSynchronous(pdu, &visitor)
    }

    static let filterFields: StaticString = """
      bthci_sco protocol =
      bthci_sco.chandle x16 sco[0:2]&0fff
      bthci_sco.packet_status x16 sco[0:2]&3000
      bthci_sco.length u8 sco[2:1]
      bthci_sco.reserved x16 sco[0:2]&c000
      bthci_sco.data none sco[3:*]
      bthci_sco.connect_in frame =
      bthci_sco.stream_number u32 =
      """
  }

  /// Isochronous data packets (5.4.5).
  enum IsochronousPackets: ProtocolDescription {
    static var id: ProtocolID { .hciISO }
    static var name: StaticName { "hci.iso" }
    static var traits: ProtocolTraits { [.isMedia] }
    static var state: StaticString { "streams: SDUs lost, invalid, late" }

    static func name(of pdu: RawSpan, _ context: PDUContext) -> StaticName { "ISO Data" }

    static func walk<Visitor: FieldVisitor>(_ pdu: RawSpan, _ context: PDUContext, _ visitor: inout Visitor) {
      walkISO(pdu, &visitor)
    }

    static let filterFields: StaticString = """
      bthci_iso protocol =
      bthci_iso.chandle x16 iso[0:2]&0fff
      bthci_iso.pb_flag x16 iso[0:2]&3000
      bthci_iso.ts_flag bool iso[0:2]&4000
      bthci_iso.data_length u16 iso[2:2]&3fff
      bthci_iso.reserved x16 iso[0:2]&8000
      bthci_iso.data none iso[4:*]
      bthci_iso.connect_in frame =
      bthci_iso.continuation_to frame =
      bthci_iso_data protocol iso?30@1=20[4:*]
      bthci_iso_data.timestamp u32 iso?30@1=20?40@1=40[4:4]
      bthci_iso_data.packet_seq_num u16 iso?30@1=20[4+4?40@1:2]
      bthci_iso_data.sdu_length u16 iso?30@1=20[6+4?40@1:2]&0fff
      bthci_iso_data.status_flag u16 =
      bthci_iso_data.sdu none iso?30@1=20[8+4?40@1:1]
      """
  }
}
