extension HCI {
  /// HCI event packets (Core, Vol 4, Part E, 5.4.4), from the event code on.
  enum EventPackets: ProtocolDescription {
    static var id: ProtocolID { .hciEvent }
    static var name: StaticName { "hci.event" }
    static var tables: [PDUTable] { [HCI.events, HCI.leEvents, Vendor.androidEvents] + Vendor.makers.map(\.events) }
    static var state: StaticString { "adapters, connections, devices heard, periodic trains" }

    static func hasOpcode(_ context: PDUContext) -> Bool { true }

    static func name(of pdu: RawSpan, _ context: PDUContext) -> StaticName {
      if context.opcode == EventCode.vendorSpecific.rawValue, let code = u8(pdu, 2), let event = Vendor.event(code, of: context.company) {
        return event.name
      }
      return eventName(UInt8(truncatingIfNeeded: context.opcode), subevent: context.subcode)
    }

    static func walk<Visitor: FieldVisitor>(_ pdu: RawSpan, _ context: PDUContext, _ visitor: inout Visitor) {
      walkEvent(pdu, company: context.company, &visitor)
    }

    static let filterFields: StaticString = """
      # HCI events
      bthci_evt protocol =
      bthci_evt.code x8{event} [0:1]
      bthci_evt.param_length u8 [1:1]
      bthci_evt.le_meta_subevent x8{le-subevent} /3e[2:1]
      bthci_evt.num_command_packets u8 .num_hci_command_packets
      bthci_evt.opcode x16{opcode} /0e,0f.command_opcode
      bthci_evt.opcode.ogf x16 /0e,0f.command_opcode&fc00
      bthci_evt.opcode.ocf x16 /0e,0f.command_opcode&03ff
      bthci_evt.status x8{status} =
      bthci_evt.reason x8{status} .reason
      bthci_evt.connection_handle x16 .connection_handle|handle|acl_connection_handle
      bthci_evt.bd_addr ether .bd_addr|peer_address|address|advertiser_address|scanner_address /0e.peer_resolvable_address|local_resolvable_address
      bthci_evt.num_handles u8 .num_handles
      bthci_evt.num_compl_packets u16 .num_completed_packets
      bthci_evt.role x8 .role|new_role
      bthci_evt.link_type x8 /03,04,1a.link_type
      bthci_evt.encryption_mode x8 /03.encryption_enabled
      bthci_evt.encryption_enable x8 /08,59.encryption_enabled
      bthci_evt.enc_key_size i8 .encryption_key_size|key_size
      bthci_evt.remote_name string .remote_name
      bthci_evt.device_name string /0e.local_name
      bthci_evt.lmp_vers_nr x8 .lmp_version|version
      bthci_evt.lmp_sub_vers_nr u16 .lmp_subversion|subversion
      bthci_evt.hci_vers_nr x16 .hci_version|hci_subversion
      bthci_evt.comp_id x16 /0c,0e.company_identifier /0e.vendor_specific_codec_id&ffff
      bthci_evt.hardware_code x8 .hardware_code
      bthci_evt.current_mode x8 .current_mode
      bthci_evt.interval u16 /14.interval
      bthci_evt.max_slots u8 .lmp_max_slots
      bthci_evt.clock_offset x16 .clock_offset
      bthci_evt.page_scan_repetition_mode x8 .page_scan_repetition_mode
      bthci_evt.packet_type x16 .packet_type
      bthci_evt.page_number u8 .page_number
      bthci_evt.max_page_number u8 .max_page_number
      bthci_evt.num_responses u8 /02,22,2f.num_responses
      bthci_evt.link_key bytes .link_key
      bthci_evt.key_type x8 .key_type
      bthci_evt.io_capability x8 .io_capability
      bthci_evt.oob_data_present u8 .oob_data_present
      bthci_evt.auth_requirements u8 .authentication_requirements
      bthci_evt.numeric_value u32 .numeric_value
      bthci_evt.passkey u32 .passkey
      bthci_evt.notification_type u8 .notification_type
      bthci_evt.link_supervision_timeout u16 .link_supervision_timeout
      bthci_evt.sync_link_type x8 /2c.link_type
      bthci_evt.sync_tx_interval u8 .transmission_interval
      bthci_evt.sync_rtx_window u8 .retransmission_window
      bthci_evt.sync_rx_pkt_len u16 .rx_packet_length
      bthci_evt.sync_tx_pkt_len u16 .tx_packet_length
      bthci_evt.air_mode u8 .air_mode
      bthci_evt.scan_enable x8 .scan_enable
      bthci_evt.timeout u16 /0e.page_timeout|connection_accept_timeout|flush_timeout
      bthci_evt.inq_mode u8 .inquiry_mode
      bthci_evt.local_supported_cmds bytes .supported_commands
      bthci_evt.max_data_length_acl u16 .acl_data_packet_length
      bthci_evt.max_data_length_sco u8 .synchronous_data_packet_length
      bthci_evt.max_data_num_acl u16 .total_num_acl_data_packets
      bthci_evt.max_data_num_sco u16 .total_num_synchronous_data_packets
      bthci_evt.le_acl_data_pkt_len u16 .le_acl_data_packet_length
      bthci_evt.le_total_num_acl_data_pkts u8 .total_num_le_acl_data_packets
      bthci_evt.iso_data_pkt_len u16 .iso_data_packet_length
      bthci_evt.total_num_iso_data_pkts u8 .total_num_iso_data_packets
      bthci_evt.le_white_list_size u8 .filter_accept_list_size
      bthci_evt.resolving_list_size u8 .resolving_list_size
      bthci_evt.le_periodic_adv_list_size u8 .periodic_advertiser_list_size
      bthci_evt.max_adv_data_length u16 .max_advertising_data_length
      bthci_evt.num_supported_adv_sets u8 .num_supported_advertising_sets
      bthci_evt.min_tx_power i8 .min_tx_power
      bthci_evt.max_tx_power i8 .max_tx_power
      bthci_evt.transmit_power_level i8 .tx_power_level|selected_tx_power
      bthci_evt.suggested_max_tx_octets u16 /0e.suggested_max_tx_octets|supported_max_tx_octets
      bthci_evt.suggested_max_tx_time u16 /0e.suggested_max_tx_time|supported_max_tx_time
      bthci_evt.suggested_max_rx_octets u16 /0e.supported_max_rx_octets
      bthci_evt.suggested_max_rx_time u16 /0e.supported_max_rx_time
      bthci_evt.le_features x64 .le_features
      bthci_evt.le_random_number bytes .random_number
      bthci_evt.le_encrypted_diversifier x16 .encrypted_diversifier
      bthci_evt.le_encrypted_data bytes .encrypted_data
      bthci_evt.le_num_reports u8 .num_reports
      bthci_evt.le_advts_event_type x8 /s02,s0b.event_type
      bthci_evt.le_ext_advts_event_type x16 /s0d.event_type
      bthci_evt.le_ext_advts_event_type.connectable bool /s0d.connectable
      bthci_evt.le_ext_advts_event_type.scannable bool /s0d.scannable
      bthci_evt.le_ext_advts_event_type.directed bool /s0d.directed
      bthci_evt.le_ext_advts_event_type.scan_response bool /s0d.scan_response
      bthci_evt.le_ext_advts_event_type.legacy bool /s0d.legacy
      bthci_evt.le_ext_advts_event_type.data_status x16 /s0d.data_status
      bthci_evt.le_peer_address_type x8 .peer_address_type|address_type
      bthci_evt.le_direct_address_type x8 .direct_address_type
      bthci_evt.direct_bd_addr ether .direct_address
      bthci_evt.data_length u8 .data_length
      bthci_evt.rssi i8 .rssi
      bthci_evt.tx_power i8 /s0d,s0f.tx_power
      bthci_evt.primary_phy x8 .primary_phy
      bthci_evt.secondary_phy x8 .secondary_phy
      bthci_evt.advertising_sid x8 .advertising_sid
      bthci_evt.periodic_advertising_interval x16 .periodic_advertising_interval
      bthci_evt.le_con_interval u16 .connection_interval
      bthci_evt.le_con_latency u16 .peripheral_latency
      bthci_evt.le_supv_timeout u16 .supervision_timeout
      bthci_evt.le_master_clock_accuracy x8 .central_clock_accuracy
      bthci_evt.le_min_interval u16 /s06.interval_min
      bthci_evt.le_max_interval u16 /s06.interval_max
      bthci_evt.le_local_rpa ether .local_resolvable_private_address
      bthci_evt.le_peer_rpa ether .peer_resolvable_private_address
      bthci_evt.max_tx_octets u16 /s07.max_tx_octets
      bthci_evt.max_tx_time u16 /s07.max_tx_time
      bthci_evt.max_rx_octets u16 /s07.max_rx_octets
      bthci_evt.max_rx_time u16 /s07.max_rx_time
      bthci_evt.le_tx_phy x8 /s0c,0e.tx_phy
      bthci_evt.le_rx_phy x8 /s0c,0e.rx_phy
      bthci_evt.channel_selection_algorithm x8 .channel_selection_algorithm
      bthci_evt.cis_handle x16 /s19.connection_handle /s1a.cis_connection_handle
      bthci_evt.cig_id x8 .cig_id
      bthci_evt.cis_id x8 .cis_id
      bthci_evt.cig_sync_delay u24 /s19.cig_sync_delay
      bthci_evt.cis_sync_delay u24 /s19.cis_sync_delay
      bthci_evt.transport_latency_m_to_s u24 /s19.transport_latency_c_to_p
      bthci_evt.transport_latency_s_to_m u24 /s19.transport_latency_p_to_c
      bthci_evt.phy_m_to_s x8 /s19.phy_c_to_p
      bthci_evt.phy_s_to_m x8 /s19.phy_p_to_c
      bthci_evt.nse u8 /s19,s1b,s1d,s22.nse
      bthci_evt.bn_m_to_s u8 /s19.bn_c_to_p
      bthci_evt.bn_s_to_m u8 /s19.bn_p_to_c
      bthci_evt.ft_m_to_s u8 /s19.ft_c_to_p
      bthci_evt.ft_s_to_m u8 /s19.ft_p_to_c
      bthci_evt.max_pdu_m_to_s u16 /s19.max_pdu_c_to_p
      bthci_evt.max_pdu_s_to_m u16 /s19.max_pdu_p_to_c
      bthci_evt.iso_interval u16 /s19,s1b,s1d,s22.iso_interval
      bthci_evt.adv_handle x8 /s12,s13.advertising_handle
      bthci_evt.num_compl_ext_adv_events u8 .num_completed_extended_advertising_events
      bthci_evt.sync_handle x16 .sync_handle
      """
  }

  /// The name of an event, of LE Meta events that of the subevent.
  @inlinable
  public static func eventName(_ code: UInt8, subevent: UInt16) -> StaticName {
    if code == EventCode.leMeta.rawValue { return leEvents.name(UInt32(subevent)) ?? "LE Meta event" }
    return events.name(UInt32(code)) ?? "Unknown HCI Event"
  }
}

extension ProtocolID {
  /// HCI events.
  @inlinable
  public static var hciEvent: ProtocolID { ProtocolID(1) }
}
