extension LinkLayer {
  /// Subcode of rows whose PDU belongs to a connected isochronous stream.
  public static var connectedStream: UInt16 { 1 }
  /// Subcode of rows whose PDU belongs to a broadcast isochronous stream.
  public static var broadcastStream: UInt16 { 2 }

  /// PDUs on data channels (Core, Vol 6, Part B, 2.4) that hold no whole PDU of a protocol above, from their header on.
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
        return HCI.u8(pdu, 2).flatMap { broadcastControl[UInt32($0)]?.name } ?? "BIG Control PDU"
      }
      if header.llid == 0 { return "PDU with reserved LLID" }
      if header.length == 0, header.llid == 1 { return "Empty PDU" }
      if context.isEncrypted { return header.llid == 3 ? "Encrypted LL Control PDU" : "Encrypted LL Data PDU" }
      if header.llid == 3 {
        return HCI.u8(pdu, header.size).flatMap { LinkLayer.control[UInt32($0)]?.name } ?? "LL Control PDU"
      }
      return "LL Data PDU"
    }

    static func walk<Visitor: FieldVisitor>(_ pdu: RawSpan, _ context: PDUContext, _ visitor: inout Visitor) {
      if context.subcode == connectedStream || context.subcode == broadcastStream {
        return walkStream(pdu, isBroadcast: context.subcode == broadcastStream, isEncrypted: context.isEncrypted, &visitor)
      }
      walkData(pdu, isEncrypted: context.isEncrypted, &visitor)
    }

    static let filterFields: StaticString = """
      # Link Layer
      btle protocol =
      btle.access_address x32 ll[0:4]
      btle.length u8 adv[5:1] data[5:1]
      btle.advertising_header x16 adv[4:2]
      btle.advertising_header.pdu_type x8 adv[4:1]&0f
      btle.advertising_header.ch_sel bool adv/0,1,5[4:1]&20
      btle.advertising_header.randomized_tx bool adv[4:1]&40
      btle.advertising_header.randomized_rx bool adv/1,3,5[4:1]&80
      btle.advertising_header.length u8 adv[5:1]
      btle.advertising_address ether =
      btle.scanning_address ether adv/3[6:6]
      btle.initiator_address ether adv/5[6:6]
      btle.target_address ether adv/1[12:6]
      btle.link_layer_data.access_address x32 adv/5[18:4]
      btle.link_layer_data.crc_init x24 adv/5[22:3]
      btle.link_layer_data.window_size u8 adv/5[25:1]
      btle.link_layer_data.window_offset u16 adv/5[26:2]
      btle.link_layer_data.interval u16 adv/5[28:2]
      btle.link_layer_data.latency u16 adv/5[30:2]
      btle.link_layer_data.timeout u16 adv/5[32:2]
      btle.link_layer_data.channel_map bytes adv/5[34:5]
      btle.link_layer_data.hop u8 adv/5[39:1]&1f
      btle.link_layer_data.sleep_clock_accuracy u8 adv/5[39:1]&e0
      btle.extended_advertising_header.length u8 adv/7[6:1]&3f
      btle.extended_advertising_header.mode x8 adv/7[6:1]&c0
      btle.data_header none data[4:2]
      btle.data_header.llid x8 data[4:1]&03
      btle.data_header.next_expected_sequence_number u8 acl-le[4:1]&04 cis[4:1]&04
      btle.data_header.sequence_number u8 acl-le[4:1]&08 cis[4:1]&08
      btle.data_header.more_data bool acl-le[4:1]&10
      btle.data_header.cte_info_present bool acl-le[4:1]&20
      btle.data_header.close_isochronous_event bool cis[4:1]&10
      btle.data_header.null_pdu_indicator bool cis[4:1]&40
      btle.data_header.control_subevent_sequence_number u8 bis[4:1]&1c
      btle.data_header.control_subevent_transmission_flag bool bis[4:1]&20
      btle.data_header.length u8 data[5:1]
      btle.control_opcode x8{ll-control} ctl[6:1]
      btle.control.instant u16 ctl.instant big/0[12:2] big/1[8:2]
      btle.control.interval u16 ctl.interval
      btle.control.error_code x8 ctl.error_code big/1[7:1]
      btle.control.channel_map bytes ctl/01.channel_map big/0[7:5]
      btle.control.version_number x8 ctl.vers_nr|version|version_number
      btle.control.company_id x16 ctl.company_identifier|comp_id
      btle.control.feature_set x64 ctl.feature_set
      btle.control.subversion_number x16 ctl/0c.subversion_number
      btle.control.unknown_type x8{ll-control} ctl/07.unknown_type
      btle.control.reject_opcode x8{ll-control} ctl/11.reject_opcode
      btle.control.window_size u8 ctl/00.win_size
      btle.control.window_offset u16 ctl/00.win_offset
      btle.control.latency u16 ctl/00,0f,10.latency
      btle.control.timeout u16 ctl/00,0f,10.timeout
      btle.control.interval.min u16 ctl/0f,10.interval_min
      btle.control.interval.max u16 ctl/0f,10.interval_max
      btle.control.preferred_periodicity u8 ctl/0f,10.preferred_periodicity
      btle.control.reference_connection_event_count u16 ctl/0f,10.reference_conn_event_count
      btle.control.offset.0 u16 ctl/0f,10.offset0
      btle.control.offset.1 u16 ctl/0f,10.offset1
      btle.control.offset.2 u16 ctl/0f,10.offset2
      btle.control.offset.3 u16 ctl/0f,10.offset3
      btle.control.offset.4 u16 ctl/0f,10.offset4
      btle.control.offset.5 u16 ctl/0f,10.offset5
      btle.control.random_number u64 ctl/03.rand
      btle.control.encrypted_diversifier u16 ctl/03.ediv
      btle.control.master_session_key_diversifier u64 ctl/03.skd_c
      btle.control.master_session_initialization_vector u32 ctl/03.iv_c
      btle.control.slave_session_key_diversifier u64 ctl/04.skd_p
      btle.control.min_used_channels u8 ctl/19.min_used_channels
      btle.control.max_rx_octets u16 ctl.max_rx_octets
      btle.control.max_rx_time u16 ctl.max_rx_time
      btle.control.max_tx_octets u16 ctl.max_tx_octets
      btle.control.max_tx_time u16 ctl.max_tx_time
      btle.control.tx_phys x8 ctl.tx_phys
      btle.control.rx_phys x8 ctl.rx_phys
      btle.control.m_to_s_phy x8 ctl/18,1f.phy_c_to_p
      btle.control.m_to_s_phy.le_1m_phy bool ctl/1f.phy_c_to_p&1
      btle.control.m_to_s_phy.le_2m_phy bool ctl/1f.phy_c_to_p&2
      btle.control.m_to_s_phy.le_coded_phy bool ctl/1f.phy_c_to_p&4
      btle.control.s_to_m_phy x8 ctl/18,1f.phy_p_to_c
      btle.control.s_to_m_phy.le_1m_phy bool ctl/1f.phy_p_to_c&1
      btle.control.s_to_m_phy.le_2m_phy bool ctl/1f.phy_p_to_c&2
      btle.control.s_to_m_phy.le_coded_phy bool ctl/1f.phy_p_to_c&4
      btle.control.cig_id u8 ctl/1f,22.cig_id
      btle.control.cis_id u8 ctl/1f,22.cis_id
      btle.control.max_sdu_m_to_s u16 ctl/1f.max_sdu_c_to_p
      btle.control.framed bool ctl/1f.framed
      btle.control.max_sdu_s_to_m u16 ctl/1f.max_sdu_p_to_c
      btle.control.sdu_interval_m_to_s u24 ctl/1f.sdu_interval_c_to_p
      btle.control.sdu_interval_s_to_m u24 ctl/1f.sdu_interval_p_to_c
      btle.control.max_pdu_m_to_s u16 ctl/1f.max_pdu_c_to_p
      btle.control.max_pdu_s_to_m u16 ctl/1f.max_pdu_p_to_c
      btle.control.num_sub_events u8 ctl/1f.nse
      btle.control.sub_interval u24 ctl/1f.sub_interval
      btle.control.bn_m_to_s u8 ctl/1f.bn_c_to_p
      btle.control.bn_s_to_m u8 ctl/1f.bn_p_to_c
      btle.control.ft_m_to_s u8 ctl/1f.ft_c_to_p
      btle.control.ft_s_to_m u8 ctl/1f.ft_p_to_c
      btle.control.iso_interval u16 ctl/1f.iso_interval
      btle.control.cis_offset_min u24 ctl/1f,20.cis_offset_min
      btle.control.cis_offset_max u24 ctl/1f,20.cis_offset_max
      btle.control.conn_event_count u16 ctl/1f,20,21.conn_event_count
      btle.control.access_address x32 ctl/21.aa
      btle.control.cis_offset u24 ctl/21.cis_offset
      btle.control.cig_sync_delay u24 ctl/21.cig_sync_delay
      btle.control.cis_sync_delay u24 ctl/21.cis_sync_delay
      btle.big_control_opcode x8{ll-broadcast-control} big[6:1]
      btle.isochronous_data bytes =
      btle.crc x24 =
      btle.crc.incorrect none =
      btle.master_bd_addr ether =
      btle.slave_bd_addr ether =
      btle_rf protocol =
      btle_rf.channel u8 rf[0:1]
      btle_rf.signal_dbm i8 =
      btle_rf.flags x16 rf[8:2]
      btle_rf.flags.crc_checked bool rf[8:2]&0400
      btle_rf.flags.crc_valid bool rf[8:2]&0800
      btle_rf.flags.decrypted bool rf[8:2]&0008
      btle_rf.phy u16 rf[8:2]&c000
      nordic_ble protocol =
      nordic_ble.channel u8 nordic[9:1]
      nordic_ble.rssi i8 =
      nordic_ble.flags x8 nordic[8:1]
      nordic_ble.crcok bool nordic[8:1]&01
      nordic_ble.packet_counter u16 nordic[4:2]
      nordic_ble.event_counter u16 nordic[11:2]
      """
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

  /// PDUs on advertising channels (2.3), from their header on; bit 4 of the opcode says that the channel was a secondary one.
  enum AdvertisingPDUs: ProtocolDescription {
    static var id: ProtocolID { .advertisingPDU }
    static var name: StaticName { "ll.advertising" }
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

extension ProtocolID {
  /// PDUs on data channels of the Link Layer.
  @inlinable
  public static var linkLayer: ProtocolID { ProtocolID(15) }
  /// Control PDUs of the Link Layer.
  @inlinable
  public static var linkLayerControl: ProtocolID { ProtocolID(16) }
  /// PDUs on advertising channels of the Link Layer.
  @inlinable
  public static var advertisingPDU: ProtocolID { ProtocolID(17) }
}
