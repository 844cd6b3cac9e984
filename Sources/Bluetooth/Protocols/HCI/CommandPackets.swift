extension HCI {
  /// HCI command packets (Core, Vol 4, Part E, 5.4.1), from the opcode on.
  enum CommandPackets: ProtocolDescription {
    static var id: ProtocolID { .hciCommand }
    static var name: StaticName { "hci.command" }
    static var tables: [PDUTable] { [HCI.commands, Vendor.commands] + Vendor.makers.map(\.commands) }
    static var state: StaticString { "commands and what answers them" }
    static var enumerationText: StaticString { HCI.enumerationText }

    static func hasOpcode(_ context: PDUContext) -> Bool { true }

    static func name(of pdu: RawSpan, _ context: PDUContext) -> StaticName {
      commandName(UInt16(truncatingIfNeeded: context.opcode), company: context.company)
        ?? (context.opcode >> 10 == Opcode.vendorGroup ? "Vendor Command" : "Unknown HCI Command")
    }

    static func walk<Visitor: FieldVisitor>(_ pdu: RawSpan, _ context: PDUContext, _ visitor: inout Visitor) {
      walkCommand(pdu, company: context.company, &visitor)
    }

    static let filterFields: StaticString = """
      # HCI commands
      bthci_cmd protocol =
      bthci_cmd.opcode x16{opcode} [0:2]
      bthci_cmd.opcode.ogf x16 [0:2]&fc00
      bthci_cmd.opcode.ocf x16 [0:2]&03ff
      bthci_cmd.param_length u8 [2:1]
      bthci_cmd.bd_addr ether .bd_addr|peer_address|address|random_address|peer_identity_address|advertiser_address
      bthci_cmd.connection_handle x16 .connection_handle|handle|acl_connection_handle
      bthci_cmd.reason x8{status} .reason
      bthci_cmd.role x8{role} /080b.role
      bthci_cmd.acr.role x8{role} /0409.role
      bthci_cmd.lap x24 .lap
      bthci_cmd.inq_length u8 .inquiry_length
      bthci_cmd.num_responses u8 .num_responses
      bthci_cmd.packet_type x16 /0405,040f.packet_type
      bthci_cmd.sco_packet_type x16 /0428,0429,043d,043e.packet_type
      bthci_cmd.page_scan_repetition_mode x8 .page_scan_repetition_mode
      bthci_cmd.clock_offset x16 .clock_offset
      bthci_cmd.allow_role_switch x8 .allow_role_switch
      bthci_cmd.link_key bytes .link_key
      bthci_cmd.pin_code_length u8 .pin_code_length
      bthci_cmd.pin_code string .pin_code
      bthci_cmd.encryption_enable x8 .encryption_enable
      bthci_cmd.io_capability u8 .io_capability
      bthci_cmd.oob_data_present u8 .oob_data_present
      bthci_cmd.auth_requirements u8 .authentication_requirements
      bthci_cmd.passkey u32 .numeric_value
      bthci_cmd.sniff_max_int u16 .sniff_max_interval
      bthci_cmd.sniff_min_int u16 .sniff_min_interval
      bthci_cmd.sniff_attempt u16 .sniff_attempt
      bthci_cmd.timeout u16 /0803,0c16,0c18,0c28,0c37.sniff_timeout|connection_accept_timeout|page_timeout|flush_timeout|link_supervision_timeout
      bthci_cmd.tx_bandwidth u32 .transmit_bandwidth
      bthci_cmd.rx_bandwidth u32 .receive_bandwidth
      bthci_cmd.retransmission_effort u8 .retransmission_effort
      bthci_cmd.device_name string .local_name
      bthci_cmd.scan_enable x8 .scan_enable
      bthci_cmd.interval u16 /0c1c,0c1e.page_scan_interval|inquiry_scan_interval
      bthci_cmd.window u16 /0c1c,0c1e.page_scan_window|inquiry_scan_window
      bthci_cmd.inq_mode u8 .inquiry_mode
      bthci_cmd.inq_scan_type u8 /0c43,0c47.scan_type|page_scan_type
      bthci_cmd.simple_pairing_mode u8 .simple_pairing_mode
      bthci_cmd.secure_connection_host_support x8 .secure_connections_host_support
      bthci_cmd.le_supported_host x8 .le_supported_host
      bthci_cmd.page_number u8 .page_number
      bthci_cmd.fec_required u8 .fec_required
      bthci_cmd.authenticated_payload_timeout u16 .authenticated_payload_timeout
      bthci_cmd.le_event_mask x64 .le_event_mask
      bthci_cmd.le_scan_enable x8 /200c,2042.le_scan_enable|enable
      bthci_cmd.le_filter_duplicates x8 .filter_duplicates
      bthci_cmd.scan_duration u16 /2042.duration
      bthci_cmd.scan_period u16 /2042.period
      bthci_cmd.le_scan_type x8 /200b,2041.le_scan_type|scan_type
      bthci_cmd.le_scan_interval u16 .le_scan_interval|scan_interval
      bthci_cmd.le_scan_window u16 .le_scan_window|scan_window
      bthci_cmd.le_scan_filter_policy x8 .scanning_filter_policy
      bthci_cmd.le_scan_phys x8 .scanning_phys
      bthci_cmd.le_init_phys x8 .initiating_phys
      bthci_cmd.le_initiator_filter_policy x8 .initiator_filter_policy
      bthci_cmd.le_own_address_type x8 .own_address_type
      bthci_cmd.le_peer_address_type x8 /200d,2043,2036.peer_address_type
      bthci_cmd.le_direct_address_type x8 /2006.peer_address_type
      bthci_cmd.le_address_type x8 /2011,2012.address_type
      bthci_cmd.le_peer_identity_address_type x8 .peer_identity_address_type
      bthci_cmd.le_con_interval_min u16 /200d,2013,2043,2020.connection_interval_min|interval_min
      bthci_cmd.le_con_interval_max u16 /200d,2013,2043,2020.connection_interval_max|interval_max
      bthci_cmd.le_con_latency u16 /200d,2013,2043,2020.max_latency
      bthci_cmd.le_supv_timeout u16 /200d,2013,2043,2020.supervision_timeout|timeout
      bthci_cmd.le_min_ce_length u16 .min_ce_length
      bthci_cmd.le_max_ce_length u16 .max_ce_length
      bthci_cmd.le_advts_enable x8 /200a,2039,2040.advertising_enable|enable
      bthci_cmd.le_advts_interval_min u16 /2006,2036.advertising_interval_min|primary_advertising_interval_min
      bthci_cmd.le_advts_interval_max u16 /2006,2036.advertising_interval_max|primary_advertising_interval_max
      bthci_cmd.le_advts_type x8 .advertising_type
      bthci_cmd.le_advts_filter_policy x8 .advertising_filter_policy
      bthci_cmd.le_data_length u8 /2008,2009,2037,2038,203f.advertising_data_length|scan_response_data_length
      bthci_cmd.advertising_handle x8 .advertising_handle
      bthci_cmd.advertising_properties x16 .advertising_event_properties
      bthci_cmd.advertising_sid x8 .advertising_sid
      bthci_cmd.primary_advertising_phy x8 .primary_advertising_phy
      bthci_cmd.secondary_advertising_phy x8 .secondary_advertising_phy
      bthci_cmd.secondary_advertising_max_skip u8 .secondary_advertising_max_skip
      bthci_cmd.adv_data_operation x8 .operation
      bthci_cmd.adv_fragment_preference x8 .fragment_preference
      bthci_cmd.adv_num_sets u8 .num_sets
      bthci_cmd.adv_duration u16 /2039.duration
      bthci_cmd.max_extended_advertising_events u8 .max_extended_advertising_events
      bthci_cmd.power_level i8 /2036,0c59.advertising_tx_power|tx_power
      bthci_cmd.all_phys x8 .all_phys
      bthci_cmd.tx_phys x8 .tx_phys
      bthci_cmd.rx_phys x8 .rx_phys
      bthci_cmd.phy_options x16 .phy_options
      bthci_cmd.le_tx_octets u16 .tx_octets
      bthci_cmd.le_tx_time u16 .tx_time
      bthci_cmd.le_suggested_max_tx_octets u16 .suggested_max_tx_octets
      bthci_cmd.le_suggested_max_tx_time u16 .suggested_max_tx_time
      bthci_cmd.le_random_number bytes .random_number
      bthci_cmd.le_encrypted_diversifier x16 .encrypted_diversifier
      bthci_cmd.le_long_term_key bytes .long_term_key
      bthci_cmd.le_key bytes /2017.key
      bthci_cmd.le_plaintext bytes .plaintext_data
      bthci_cmd.le_peer_irk bytes .peer_irk
      bthci_cmd.le_local_irk bytes .local_irk
      bthci_cmd.le_privacy_mode x8 .privacy_mode
      bthci_cmd.le_address_resolution_enable x8 .address_resolution_enable
      bthci_cmd.le_rpa_timeout u16 .rpa_timeout
      bthci_cmd.le_channel_map bytes .channel_map
      bthci_cmd.sync_handle x16 .sync_handle
      bthci_cmd.feature_bit_number u8 .bit_number
      bthci_cmd.feature_bit_value x8 .bit_value
      bthci_cmd.cig_id x8 .cig_id
      bthci_cmd.cis_id x8 .cis_id
      bthci_cmd.cis_count u8 .cis_count
      bthci_cmd.cis_handle x16 /2064.cis_connection_handle /2066,2067.connection_handle
      bthci_cmd.cis_bis_handle x16 /206e,206f.connection_handle
      bthci_cmd.big_handle x16 .big_handle
      bthci_cmd.num_bis u8 .num_bis
      bthci_cmd.packing x8 /2062,2063,2068,2069.packing
      bthci_cmd.framing x8 /2062,2063,2068,2069.framing
      bthci_cmd.sdu_interval_m_to_s u24 .sdu_interval_c_to_p
      bthci_cmd.sdu_interval_s_to_m u24 .sdu_interval_p_to_c
      bthci_cmd.max_sdu_m_to_s u16 .max_sdu_c_to_p
      bthci_cmd.max_sdu_s_to_m u16 .max_sdu_p_to_c
      bthci_cmd.max_transport_latency_m_to_s u16 .max_transport_latency_c_to_p
      bthci_cmd.max_transport_latency_s_to_m u16 .max_transport_latency_p_to_c
      bthci_cmd.phy_m_to_s x8 .phy_c_to_p
      bthci_cmd.phy_s_to_m x8 .phy_p_to_c
      bthci_cmd.rtn_m_to_s u8 .rtn_c_to_p
      bthci_cmd.rtn_s_to_m u8 .rtn_p_to_c
      bthci_cmd.data_path_direction x8 /206e,206f.data_path_direction
      bthci_cmd.data_path_id x8 /206e.data_path_id
      bthci_cmd.controller_delay u24 .controller_delay
      """
  }
}

extension ProtocolID {
  /// HCI commands.
  @inlinable
  public static var hciCommand: ProtocolID { ProtocolID(0) }
}
