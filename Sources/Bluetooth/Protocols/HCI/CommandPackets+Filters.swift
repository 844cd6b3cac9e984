extension HCI.CommandPackets {
  static let filterFields: StaticString = """
    # HCI commands
    bthci_cmd protocol =
    bthci_cmd.opcode x16{opcode} [0:2]
    bthci_cmd.response_in_frame frame =
    bthci_cmd.command_response_delta double =
    bthci_cmd.pending_in_frame frame =
    bthci_cmd.command_pending_delta double =
    bthci_cmd.opcode.ogf x16 [0:2]&fc00
    bthci_cmd.opcode.ocf x16 [0:2]&03ff
    bthci_cmd.param_length u8 [2:1]
    bthci_cmd.bd_addr ether .bd_addr|peer_address|address|random_address|peer_identity_address|advertiser_address /0442[4:6] /0c05?ff@3=01?ff@4=02[5:6] /0c05?ff@3=02?ff@4=02[5:6]
    bthci_cmd.connection_handle x16 .connection_handle|handle|acl_connection_handle
    bthci_cmd.reason x8{status} .reason /0437[4:1]
    bthci_cmd.role x8{role} /080b.role
    bthci_cmd.acr.role x8{role} /0409.role
    bthci_cmd.lap x24 .lap
    bthci_cmd.inq_length u8 .inquiry_length
    bthci_cmd.num_responses u8 .num_responses
    bthci_cmd.packet_type x16 /0405,040f.packet_type /0441[6:2] /0442[25:2]
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
    bthci_cmd.timeout u16 /0803,0c16,0c18,0c28,0c37.sniff_timeout|connection_accept_timeout|page_timeout|flush_timeout|link_supervision_timeout /0c62[3:2] /0c7f[3:2]
    bthci_cmd.tx_bandwidth u32 .transmit_bandwidth
    bthci_cmd.rx_bandwidth u32 .receive_bandwidth
    bthci_cmd.retransmission_effort u8 .retransmission_effort
    bthci_cmd.device_name string .local_name
    bthci_cmd.scan_enable x8 .scan_enable
    bthci_cmd.interval u16 /0c1c,0c1e.page_scan_interval|inquiry_scan_interval /0442[11:2] /0444[13:2]
    bthci_cmd.window u16 /0c1c,0c1e.page_scan_window|inquiry_scan_window /0444[11:2]
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
    bthci_cmd.le_peer_address_type x8 /200d,2043,2036.peer_address_type /2044[5:1] /2047[3:1] /2048[3:1]
    bthci_cmd.le_direct_address_type x8 /2006.peer_address_type
    bthci_cmd.le_address_type x8 /2011,2012.address_type
    bthci_cmd.le_peer_identity_address_type x8 .peer_identity_address_type
    bthci_cmd.le_con_interval_min u16 /200d,2013,2043,2020.connection_interval_min|interval_min
    bthci_cmd.le_con_interval_max u16 /200d,2013,2043,2020.connection_interval_max|interval_max
    bthci_cmd.le_con_latency u16 /200d,2013,2043,2020.max_latency /207d[7:2] /207e[9:2]
    bthci_cmd.le_supv_timeout u16 /200d,2013,2043,2020.supervision_timeout|timeout /2044[14:2] /205c[8:2] /205d[6:2] /207d[11:2] /207e[13:2]
    bthci_cmd.le_min_ce_length u16 .min_ce_length
    bthci_cmd.le_max_ce_length u16 .max_ce_length
    bthci_cmd.le_advts_enable x8 /200a,2039,2040.advertising_enable|enable
    bthci_cmd.le_advts_interval_min u16 /2006,2036.advertising_interval_min|primary_advertising_interval_min /203e[4:2]
    bthci_cmd.le_advts_interval_max u16 /2006,2036.advertising_interval_max|primary_advertising_interval_max /203e[6:2]
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
    bthci_cmd.cis_handle x16 /2064.cis_connection_handle /2066.connection_handle
    bthci_cmd.cis_bis_handle x16 /206e,206f.connection_handle /2061[3:2] /2070[3:2] /2071[3:2] /2072[3:2] /2073[3:2] /2075[3:2]
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
    bthci_cmd.access_latency u32 /0438,0439[12:4] /0438,0439[28:4] /043c[13:4] /043c[29:4]
    bthci_cmd.addr_change_reasons x8 /207c[4:1]
    bthci_cmd.addr_change_reasons.adv_data bool /207c[4:1]&1
    bthci_cmd.addr_change_reasons.reserved x8 /207c[4:1]&fc
    bthci_cmd.addr_change_reasons.scan_rsp_data bool /207c[4:1]&2
    bthci_cmd.adv_properties.anonymous_adv bool /2036[4:2]&20
    bthci_cmd.adv_properties.connectable bool /2036[4:2]&1
    bthci_cmd.adv_properties.directed bool /2036[4:2]&4
    bthci_cmd.adv_properties.hdc_connectable_directed bool /2036[4:2]&8
    bthci_cmd.adv_properties.legacy_adv bool /2036[4:2]&10
    bthci_cmd.adv_properties.reserved x16 /2036[4:2]&ff80
    bthci_cmd.adv_properties.scannable bool /2036[4:2]&2
    bthci_cmd.adv_properties.txpower bool /2036[4:2]&40 /203e[8:2]&40
    bthci_cmd.afh_ch_assessment_mode u8 /0c49[3:1]
    bthci_cmd.afh_ch_classification none /0c3f[3:10]
    bthci_cmd.afh_channel_map bytes /0442[27:10]
    bthci_cmd.all_phys.reserved x8 .all_phys&fc
    bthci_cmd.all_phys.rx_preference bool .all_phys&2
    bthci_cmd.all_phys.tx_preference bool .all_phys&1
    bthci_cmd.amp_assoc_fragment bytes /140b[8:*]
    bthci_cmd.amp_assoc_length u16 /140a[6:2]
    bthci_cmd.amp_recv_report_interval u8 /1807[4:1]
    bthci_cmd.amp_remaining_assoc_length u16 /140b[6:2]
    bthci_cmd.antenna_id u8 .antenna_ids /204f,2050[10:1]*
    bthci_cmd.antenna_switching_pattern none /2055?ff@6!00[6:1] /2051,2054?ff@7!00[7:1] /2053?ff@8!00[8:1] /204f,2050?ff@9!00[9:1]
    bthci_cmd.antenna_switching_pattern_length u8 .switching_pattern_length /204f,2050[9:1]
    bthci_cmd.auth_enable x8 /0c20[3:1]
    bthci_cmd.auto_accept_flag x8 /0c05?ff@3=02?ff@4=00[5:1] /0c05?ff@3=02?ff@4!00[11:1]
    bthci_cmd.beacon_max_int u16 /0805[5:2]
    bthci_cmd.beacon_min_int u16 /0805[7:2]
    bthci_cmd.bis_index u8 /206b.bis
    bthci_cmd.bn u8 .bn
    bthci_cmd.bn_m_to_s u8 /2063.bn_c_to_p
    bthci_cmd.bn_s_to_m u8 /2063.bn_p_to_c
    bthci_cmd.broadcast_code none /2068[18:16] /2069[23:16] /206b[7:16]
    bthci_cmd.c192 bytes .c_192
    bthci_cmd.c256 bytes .c_256
    bthci_cmd.cis_params none /2062,2063,2064.cis
    bthci_cmd.class_of_device_mask x24 /0c05?ff@3=01?ff@4=01[8:3] /0c05?ff@3=02?ff@4=01[8:3]
    bthci_cmd.class_of_device_mask.format_type x8 /0c05?ff@3=01?ff@4=01[8:1]&3 /0c05?ff@3=02?ff@4=01[8:1]&3
    bthci_cmd.class_of_device_mask.major_device_class x16 /0c05?ff@3=01?ff@4=01[9:2]&1f /0c05?ff@3=02?ff@4=01[9:2]&1f
    bthci_cmd.class_of_device_mask.major_service_classes.audio bool /0c05?ff@3=01?ff@4=01[9:2]&2000 /0c05?ff@3=02?ff@4=01[9:2]&2000
    bthci_cmd.class_of_device_mask.major_service_classes.capturing bool /0c05?ff@3=01?ff@4=01[9:2]&800 /0c05?ff@3=02?ff@4=01[9:2]&800
    bthci_cmd.class_of_device_mask.major_service_classes.information bool /0c05?ff@3=01?ff@4=01[9:2]&8000 /0c05?ff@3=02?ff@4=01[9:2]&8000
    bthci_cmd.class_of_device_mask.major_service_classes.le_audio x16 /0c05?ff@3=01?ff@4=01[9:2]&40 /0c05?ff@3=02?ff@4=01[9:2]&40
    bthci_cmd.class_of_device_mask.major_service_classes.limited_discoverable_mode bool /0c05?ff@3=01?ff@4=01[9:2]&20 /0c05?ff@3=02?ff@4=01[9:2]&20
    bthci_cmd.class_of_device_mask.major_service_classes.networking bool /0c05?ff@3=01?ff@4=01[9:2]&200 /0c05?ff@3=02?ff@4=01[9:2]&200
    bthci_cmd.class_of_device_mask.major_service_classes.object_transfer bool /0c05?ff@3=01?ff@4=01[9:2]&1000 /0c05?ff@3=02?ff@4=01[9:2]&1000
    bthci_cmd.class_of_device_mask.major_service_classes.positioning bool /0c05?ff@3=01?ff@4=01[9:2]&100 /0c05?ff@3=02?ff@4=01[9:2]&100
    bthci_cmd.class_of_device_mask.major_service_classes.rendering bool /0c05?ff@3=01?ff@4=01[9:2]&400 /0c05?ff@3=02?ff@4=01[9:2]&400
    bthci_cmd.class_of_device_mask.major_service_classes.reserved x16 /0c05?ff@3=01?ff@4=01[9:2]&80 /0c05?ff@3=02?ff@4=01[9:2]&80
    bthci_cmd.class_of_device_mask.major_service_classes.telephony bool /0c05?ff@3=01?ff@4=01[9:2]&4000 /0c05?ff@3=02?ff@4=01[9:2]&4000
    bthci_cmd.class_of_device_mask.minor_device_class x8 /0c05?ff@3=01?ff@4=01[8:1]&fc /0c05?ff@3=02?ff@4=01[8:1]&fc
    bthci_cmd.clock_offset_32 x32 /0442[13:4]&fffffff
    bthci_cmd.clock_offset_valid u16 .clock_offset_valid
    bthci_cmd.codec_config none /206e[15:1]
    bthci_cmd.codec_config_length u8 /206e[15:1]
    bthci_cmd.codec_id x8 /043d,043e,206e.coding_format
    bthci_cmd.coding_format none /206e[7:5]
    bthci_cmd.company_id x16 /043d,043e,206e.company_id
    bthci_cmd.connectionless_slave_broadcast x8 /0441[3:1]
    bthci_cmd.connectionless_slave_broadcast_receive x8 /0442[3:1]
    bthci_cmd.continuation_number u16 /207d[9:2] /207e[11:2]
    bthci_cmd.controller_type x8 /1809[3:1]
    bthci_cmd.csb.data bytes /0c76[6:*]
    bthci_cmd.csb.data_length u8 /0c76[5:1]
    bthci_cmd.csb.fragment x8 .fragment
    bthci_cmd.csb_skip u8 /0442[24:1]
    bthci_cmd.csb_supervision_to u16 /0441[12:2] /0442[21:2]
    bthci_cmd.cte_count u8 .cte_count
    bthci_cmd.cte_enable x8 /2052[4:1] /2056,2057[5:1]
    bthci_cmd.cte_length u8 /204f[6:1] /2050[7:1] /2051[4:1] /2056[8:1]
    bthci_cmd.cte_request_interval u16 /2056[6:2]
    bthci_cmd.cte_type x8 /204f[7:1] /2050[8:1] /2051[5:1] /2056[9:1]
    bthci_cmd.cte_types x8 .cte_types
    bthci_cmd.cte_types.aoa bool .cte_types&1
    bthci_cmd.cte_types.aod_1us bool .cte_types&2
    bthci_cmd.cte_types.aod_2us bool .cte_types&4
    bthci_cmd.cte_types.reserved x8 .cte_types&f8
    bthci_cmd.dedicated_amp_key bytes /0435,0436[6:*]
    bthci_cmd.dedicated_amp_key_length u8 /0435,0436[4:1]
    bthci_cmd.dedicated_amp_key_type u8 /0435,0436[5:1]
    bthci_cmd.delay_variation u32 /0807[19:4]
    bthci_cmd.delete_all_flag x8 /0c12[9:1]
    bthci_cmd.dm1_acl_u_mode x8 /180a[5:1]
    bthci_cmd.enable_amp_recv_reports x8 /1807[3:1]
    bthci_cmd.encrypt_mode x8 /0c22[3:1]
    bthci_cmd.encryption x8 /2068[17:1] /2069[22:1] /206b[6:1]
    bthci_cmd.err_data_reporting u8 /0c5b[3:1]
    bthci_cmd.esco_loopback_mode x8 /180a[6:1]
    bthci_cmd.evt_mask2_00 x8 /0c63[3:1]&1
    bthci_cmd.evt_mask2_01 x8 /0c63[3:1]&2
    bthci_cmd.evt_mask2_02 x8 /0c63[3:1]&4
    bthci_cmd.evt_mask2_03 x8 /0c63[3:1]&8
    bthci_cmd.evt_mask2_04 x8 /0c63[3:1]&10
    bthci_cmd.evt_mask2_05 x8 /0c63[3:1]&20
    bthci_cmd.evt_mask2_06 x8 /0c63[3:1]&40
    bthci_cmd.evt_mask2_07 x8 /0c63[3:1]&80
    bthci_cmd.evt_mask2_10 x8 /0c63[4:1]&1
    bthci_cmd.evt_mask2_11 x8 /0c63[4:1]&2
    bthci_cmd.evt_mask2_12 x8 /0c63[4:1]&4
    bthci_cmd.evt_mask2_13 x8 /0c63[4:1]&8
    bthci_cmd.evt_mask2_14 x8 /0c63[4:1]&10
    bthci_cmd.evt_mask2_15 x8 /0c63[4:1]&20
    bthci_cmd.evt_mask_00 x8 /0c01[3:1]&1
    bthci_cmd.evt_mask_01 x8 /0c01[3:1]&2
    bthci_cmd.evt_mask_02 x8 /0c01[3:1]&4
    bthci_cmd.evt_mask_03 x8 /0c01[3:1]&8
    bthci_cmd.evt_mask_04 x8 /0c01[3:1]&10
    bthci_cmd.evt_mask_05 x8 /0c01[3:1]&20
    bthci_cmd.evt_mask_06 x8 /0c01[3:1]&40
    bthci_cmd.evt_mask_07 x8 /0c01[3:1]&80
    bthci_cmd.evt_mask_10 x8 /0c01[4:1]&1
    bthci_cmd.evt_mask_11 x8 /0c01[4:1]&2
    bthci_cmd.evt_mask_12 x8 /0c01[4:1]&4
    bthci_cmd.evt_mask_13 x8 /0c01[4:1]&8
    bthci_cmd.evt_mask_14 x8 /0c01[4:1]&10
    bthci_cmd.evt_mask_17 x8 /0c01[4:1]&80
    bthci_cmd.evt_mask_20 x8 /0c01[5:1]&1
    bthci_cmd.evt_mask_21 x8 /0c01[5:1]&2
    bthci_cmd.evt_mask_23 x8 /0c01[5:1]&8
    bthci_cmd.evt_mask_24 x8 /0c01[5:1]&10
    bthci_cmd.evt_mask_25 x8 /0c01[5:1]&20
    bthci_cmd.evt_mask_26 x8 /0c01[5:1]&40
    bthci_cmd.evt_mask_27 x8 /0c01[5:1]&80
    bthci_cmd.evt_mask_30 x8 /0c01[6:1]&1
    bthci_cmd.evt_mask_31 x8 /0c01[6:1]&2
    bthci_cmd.evt_mask_32 x8 /0c01[6:1]&4
    bthci_cmd.evt_mask_33 x8 /0c01[6:1]&8
    bthci_cmd.evt_mask_34 x8 /0c01[6:1]&10
    bthci_cmd.evt_mask_35 x8 /0c01[6:1]&20
    bthci_cmd.evt_mask_36 x8 /0c01[6:1]&40
    bthci_cmd.evt_mask_37 x8 /0c01[6:1]&80
    bthci_cmd.evt_mask_40 x8 /0c01[7:1]&1
    bthci_cmd.evt_mask_41 x8 /0c01[7:1]&2
    bthci_cmd.evt_mask_42 x8 /0c01[7:1]&4
    bthci_cmd.evt_mask_53 x8 /0c01[8:1]&8
    bthci_cmd.evt_mask_54 x8 /0c01[8:1]&10
    bthci_cmd.evt_mask_55 x8 /0c01[8:1]&20
    bthci_cmd.evt_mask_56 x8 /0c01[8:1]&40
    bthci_cmd.evt_mask_57 x8 /0c01[8:1]&80
    bthci_cmd.evt_mask_60 x8 /0c01[9:1]&1
    bthci_cmd.evt_mask_61 x8 /0c01[9:1]&2
    bthci_cmd.evt_mask_62 x8 /0c01[9:1]&4
    bthci_cmd.evt_mask_63 x8 /0c01[9:1]&8
    bthci_cmd.evt_mask_64 x8 /0c01[9:1]&10
    bthci_cmd.evt_mask_65 x8 /0c01[9:1]&20
    bthci_cmd.evt_mask_67 x8 /0c01[9:1]&80
    bthci_cmd.evt_mask_70 x8 /0c01[10:1]&1
    bthci_cmd.evt_mask_72 x8 /0c01[10:1]&4
    bthci_cmd.evt_mask_73 x8 /0c01[10:1]&8
    bthci_cmd.extended_inquiry_length u16 /0c81[3:2]
    bthci_cmd.external_frame.duration u16 /0c6f[3:2]
    bthci_cmd.external_frame.number_of_periods u8 /0c6f[9:1]
    bthci_cmd.external_frame.period x24 /0c6f[10:3]*
    bthci_cmd.external_frame.period.duration u16 /0c6f[10:2]*3
    bthci_cmd.external_frame.period.type x8 /0c6f[12:1]*3
    bthci_cmd.external_frame.periods none /0c6f[10:1]
    bthci_cmd.external_frame.sync_assert.jitter u16 /0c6f[7:2]
    bthci_cmd.external_frame.sync_assert.offset i16 /0c6f[5:2]
    bthci_cmd.filter_condition_type x8 /0c05?ff@3=01[4:1] /0c05?ff@3=02[4:1]
    bthci_cmd.filter_type x8 /0c05[3:1]
    bthci_cmd.flags x8 /0807,0810[5:1]
    bthci_cmd.flow_contr_enable x8 /0c31[3:1]
    bthci_cmd.flow_control x8 /0c2f[3:1]
    bthci_cmd.flow_control_mode x8 /0c67[3:1]
    bthci_cmd.flow_direction x8 /0810[6:1]
    bthci_cmd.flow_spec none /0438,0439[4:16] /0438,0439[20:16] /043c[5:16] /043c[21:16]
    bthci_cmd.flush_packet_type u8 /0c5f[5:1]
    bthci_cmd.flushto u32 /0c6a[5:4] /0438,0439[16:4] /0438,0439[32:4] /043c[17:4] /043c[33:4]
    bthci_cmd.ft_m_to_s u8 .ft_c_to_p
    bthci_cmd.ft_s_to_m u8 .ft_p_to_c
    bthci_cmd.hash_c bytes .c
    bthci_cmd.high_hysteresis u8 /2078[6:1]
    bthci_cmd.high_threshold u8 /2078[5:1]
    bthci_cmd.hold_mode_inquiry u8 /0c2c[3:1]&2
    bthci_cmd.hold_mode_max_int u16 /0801[5:2]
    bthci_cmd.hold_mode_min_int u16 /0801[7:2]
    bthci_cmd.hold_mode_page u8 /0c2c[3:1]&1
    bthci_cmd.hold_mode_periodic u8 /0c2c[3:1]&4
    bthci_cmd.ident x8 /0438,0439,043b[4:1] /0438,0439[20:1] /043c[5:1] /043c[21:1]
    bthci_cmd.input_bandwidth u32 .input_bandwidth
    bthci_cmd.input_coded_data_size u16 .input_coded_data_size
    bthci_cmd.input_coding_format none .input_coding_format
    bthci_cmd.input_data_path u8 .input_data_path
    bthci_cmd.input_pcm_data_format x8 .input_pcm_data_format
    bthci_cmd.input_pcm_sample_payload_msb_position u8 /043d[51:1] /043e[55:1]
    bthci_cmd.input_transport_unit_size u8 /043d[55:1] /043e[59:1]
    bthci_cmd.interval.max u16 /0441[10:2] /0c78[5:2]
    bthci_cmd.interval.min u16 /0441[8:2] /0c78[3:2]
    bthci_cmd.iq_sampling_enable x8 /2053,2054[5:1]
    bthci_cmd.irc u8 .irc
    bthci_cmd.iso_interval u16 .iso_interval
    bthci_cmd.key_flag x8 .key_flag
    bthci_cmd.key_type x8 /205e[67:1]
    bthci_cmd.latency u32 .access_latency|latency
    bthci_cmd.le_adv_set none /2039.sets
    bthci_cmd.le_advts_ch_map_1 x8 /2006[16:1]&1 /2036[12:1]&1
    bthci_cmd.le_advts_ch_map_2 x8 /2006[16:1]&2 /2036[12:1]&2
    bthci_cmd.le_advts_ch_map_3 x8 /2006[16:1]&4 /2036[12:1]&4
    bthci_cmd.le_event_mask.le_advertising_report bool /2001[3:8]&2
    bthci_cmd.le_event_mask.le_big_sync_established bool /2001[3:8]&10000000
    bthci_cmd.le_event_mask.le_big_sync_lost bool /2001[3:8]&20000000
    bthci_cmd.le_event_mask.le_biginfo_advertising_report bool /2001[3:8]&200000000
    bthci_cmd.le_event_mask.le_channel_selection_algorithm bool /2001[3:8]&80000
    bthci_cmd.le_event_mask.le_cis_established bool /2001[3:8]&1000000
    bthci_cmd.le_event_mask.le_cis_request bool /2001[3:8]&2000000
    bthci_cmd.le_event_mask.le_connection_complete bool /2001[3:8]&1
    bthci_cmd.le_event_mask.le_connection_iq_report bool /2001[3:8]&200000
    bthci_cmd.le_event_mask.le_connection_update_complete bool /2001[3:8]&4
    bthci_cmd.le_event_mask.le_connectionless_iq_report bool /2001[3:8]&100000
    bthci_cmd.le_event_mask.le_create_big_complete bool /2001[3:8]&4000000
    bthci_cmd.le_event_mask.le_cte_request_failed bool /2001[3:8]&400000
    bthci_cmd.le_event_mask.le_data_length_change bool /2001[3:8]&40
    bthci_cmd.le_event_mask.le_direct_advertising_report bool /2001[3:8]&400
    bthci_cmd.le_event_mask.le_enhanced_connection_complete bool /2001[3:8]&200
    bthci_cmd.le_event_mask.le_extended_advertising_report bool /2001[3:8]&1000
    bthci_cmd.le_event_mask.le_extended_advertising_set_terminated bool /2001[3:8]&20000
    bthci_cmd.le_event_mask.le_extended_scan_timeout bool /2001[3:8]&10000
    bthci_cmd.le_event_mask.le_generate_dhkey_complete bool /2001[3:8]&100
    bthci_cmd.le_event_mask.le_long_term_key_request bool /2001[3:8]&10
    bthci_cmd.le_event_mask.le_path_loss_threshold bool /2001[3:8]&80000000
    bthci_cmd.le_event_mask.le_periodic_advertising_report bool /2001[3:8]&4000
    bthci_cmd.le_event_mask.le_periodic_advertising_sync_established bool /2001[3:8]&2000
    bthci_cmd.le_event_mask.le_periodic_advertising_sync_lost bool /2001[3:8]&8000
    bthci_cmd.le_event_mask.le_periodic_advertising_sync_transfer_received bool /2001[3:8]&800000
    bthci_cmd.le_event_mask.le_phy_update_complete bool /2001[3:8]&800
    bthci_cmd.le_event_mask.le_read_local_p256_public_key_complete bool /2001[3:8]&80
    bthci_cmd.le_event_mask.le_read_remote_features_complete bool /2001[3:8]&8
    bthci_cmd.le_event_mask.le_remote_connection_parameter_request bool /2001[3:8]&20
    bthci_cmd.le_event_mask.le_request_peer_sca_complete bool /2001[3:8]&40000000
    bthci_cmd.le_event_mask.le_scan_request_received bool /2001[3:8]&40000
    bthci_cmd.le_event_mask.le_subrate_changed bool /2001[3:8]&400000000
    bthci_cmd.le_event_mask.le_terminate_big_complete bool /2001[3:8]&8000000
    bthci_cmd.le_event_mask.le_transmit_power_reporting bool /2001[3:8]&100000000
    bthci_cmd.le_event_mask.reserved x64 /2001[3:8]&fffffff800000000
    bthci_cmd.le_init_phy_param none /2043.phys
    bthci_cmd.le_phys.le_1m bool /2043,2062,2063,2068,2069.initiating_phys|phy_c_to_p|phy_p_to_c|phy&1
    bthci_cmd.le_phys.le_2m bool /2043,2062,2063,2068,2069.initiating_phys|phy_c_to_p|phy_p_to_c|phy&2
    bthci_cmd.le_phys.le_coded bool /2043,2062,2063,2068,2069.initiating_phys|phy_c_to_p|phy_p_to_c|phy&4
    bthci_cmd.le_phys.reserved x8 /2043,2062,2063,2068,2069.initiating_phys|phy_c_to_p|phy_p_to_c|phy&f8
    bthci_cmd.le_remote_p_256_public_key bytes /2026,205e[3:64]
    bthci_cmd.le_scan_phy_param none /2041.phys
    bthci_cmd.le_scan_phys.le_1m bool /2041[5:1]&1
    bthci_cmd.le_scan_phys.le_coded bool /2041[5:1]&4
    bthci_cmd.le_scan_phys.reserved x8 /2041[5:1]&fa
    bthci_cmd.le_simultaneous_host x8 /0c6d[4:1]
    bthci_cmd.le_sync_filter_policy x8 .options
    bthci_cmd.le_test_data_length u8 /201e,2034,2050[4:1]
    bthci_cmd.le_test_payload x8 /201e,2034,2050[5:1]
    bthci_cmd.length_so_far u16 /140a,140b[4:2]
    bthci_cmd.link_policy_hold u16 /080d[5:2]&2 /080f[3:2]&2
    bthci_cmd.link_policy_park u16 /080d[5:2]&8 /080f[3:2]&8
    bthci_cmd.link_policy_sniff u16 /080d[5:2]&4 /080f[3:2]&4
    bthci_cmd.link_policy_switch u16 /080d[5:2]&1 /080f[3:2]&1
    bthci_cmd.local_reporting_enable x8 /207a[5:1]
    bthci_cmd.location_domain string /0c65[4:2]
    bthci_cmd.location_domain_aware x8 /0c65[3:1]
    bthci_cmd.location_domain_options string /0c65[6:1]
    bthci_cmd.location_options x8 /0c65[7:1]
    bthci_cmd.logical_link_handle x16 /043a,043c,0c69,0c6a[3:2]&fff
    bthci_cmd.loopback_mode x8 /1802[3:1]
    bthci_cmd.low_hysteresis u8 /2078[8:1]
    bthci_cmd.low_threshold u8 /2078[7:1]
    bthci_cmd.lpo_allowed x8 /0441[5:1] /140d[7:1]
    bthci_cmd.lt_addr x8 .lt_addr /0442[10:1]
    bthci_cmd.max_data_length_acl u16 /0c33[3:2]
    bthci_cmd.max_data_length_sco u8 /0c33[5:1]
    bthci_cmd.max_data_num_acl u16 /0c33[6:2]
    bthci_cmd.max_data_num_sco u16 /0c33[8:2]
    bthci_cmd.max_latency u16 /0811[5:2]
    bthci_cmd.max_latency_ms u16 /0428,0429,043d,043e.max_latency
    bthci_cmd.max_pdu u16 .max_pdu
    bthci_cmd.max_pdu_m_to_s u16 /2063.max_pdu_c_to_p
    bthci_cmd.max_pdu_s_to_m u16 /2063.max_pdu_p_to_c
    bthci_cmd.max_period_length u16 /0403[3:2]
    bthci_cmd.max_sampled_ctes u8 /2053[7:1]
    bthci_cmd.max_sdu u16 .max_sdu
    bthci_cmd.max_transport_latency u16 /2068[11:2]
    bthci_cmd.min_local_timeout u16 /0811[9:2]
    bthci_cmd.min_period_length u16 /0403[5:2]
    bthci_cmd.min_remote_timeout u16 /0811[7:2]
    bthci_cmd.min_time_spent u16 /2078[9:2]
    bthci_cmd.modulation_index x8 /2033,204f[5:1]
    bthci_cmd.mse u8 .mse
    bthci_cmd.mws.from_baud_rate u32 /0c71[8:4]
    bthci_cmd.mws.inactivity_duration_assert.jitter u16 /0c70[25:2]
    bthci_cmd.mws.inactivity_duration_assert.offset i16 /0c70[23:2]
    bthci_cmd.mws.number_of_frequencies u8 /0c72[3:1]
    bthci_cmd.mws.pattern_assert.jitter u16 /0c70[21:2]
    bthci_cmd.mws.pattern_assert.offset i16 /0c70[19:2]
    bthci_cmd.mws.priority_assert_offset_request u16 /0c70[31:2]
    bthci_cmd.mws.rx_assert.jitter i16 /0c70[5:2]
    bthci_cmd.mws.rx_assert.offset i16 /0c70[3:2]
    bthci_cmd.mws.rx_deassert.jitter u16 /0c70[9:2]
    bthci_cmd.mws.rx_deassert.offset i16 /0c70[7:2]
    bthci_cmd.mws.scan_frequency_assert.jitter u16 /0c70[29:2]
    bthci_cmd.mws.scan_frequency_assert.offset i16 /0c70[27:2]
    bthci_cmd.mws.scan_frequency_table none /0c72[4:1]
    bthci_cmd.mws.scan_frequency_table.item x32 /0c72[4:4]*
    bthci_cmd.mws.scan_frequency_table.item.high u16 /0c72[6:2]*4
    bthci_cmd.mws.scan_frequency_table.item.low u16 /0c72[4:2]*4
    bthci_cmd.mws.to_baud_rate u32 /0c71[4:4]
    bthci_cmd.mws.transport_layer x8 /0c71[3:1]
    bthci_cmd.mws.tx_assert.jitter u16 /0c70[13:2]
    bthci_cmd.mws.tx_assert.offset i16 /0c70[11:2]
    bthci_cmd.mws.tx_deassert.jitter u16 /0c70[17:2]
    bthci_cmd.mws.tx_deassert.offset i16 /0c70[15:2]
    bthci_cmd.mws_channel x8 /0c6e[3:1]
    bthci_cmd.mws_channel_type x8 /0c6e[12:1]
    bthci_cmd.mws_pattern.index u8 /0c73[3:1]
    bthci_cmd.mws_pattern.number_of_intervals u8 /0c73[4:1]
    bthci_cmd.mws_pattern.pattern x24 /0c73[5:3]*
    bthci_cmd.mws_pattern.pattern.duration u16 /0c73[5:2]*3
    bthci_cmd.mws_pattern.pattern.type x8 /0c73[7:1]*3
    bthci_cmd.mws_pattern.patterns none /0c73[5:1]
    bthci_cmd.mws_rx_center_frequency u16 /0c6e[4:2]
    bthci_cmd.mws_rx_channel_bandwidth u16 /0c6e[8:2]
    bthci_cmd.mws_tx_center_frequency u16 /0c6e[6:2]
    bthci_cmd.mws_tx_channel_bandwidth u16 /0c6e[10:2]
    bthci_cmd.next_csb_clock x32 /0442[17:4]&fffffff
    bthci_cmd.notification_type u8 /0c60[9:1]
    bthci_cmd.nse u8 .nse
    bthci_cmd.num_broad_retran u8 /0c2a[3:1]
    bthci_cmd.num_compl_packets u16 .host_num_completed_packets
    bthci_cmd.num_curr_iac u8 /0c3a[3:1]
    bthci_cmd.num_handles u8 /0c35[3:1]
    bthci_cmd.num_iac_lap x24 .iac_lap
    bthci_cmd.num_link_keys u8 /0c11[3:1]
    bthci_cmd.number_of_clock_captures_to_filter u8 /140d[8:1]
    bthci_cmd.output_bandwidth u32 .output_bandwidth
    bthci_cmd.output_coded_data_size u16 .output_coded_data_size
    bthci_cmd.output_coding_format none .output_coding_format
    bthci_cmd.output_data_path u8 .output_data_path
    bthci_cmd.output_pcm_data_format x8 .output_pcm_data_format
    bthci_cmd.output_pcm_sample_payload_msb_position u8 /043d[52:1] /043e[56:1]
    bthci_cmd.output_transport_unit_size u8 /043d[56:1] /043e[60:1]
    bthci_cmd.packet_type.2dh1 bool /0405,040f,0441.packet_type&2 /0442[25:2]&2
    bthci_cmd.packet_type.2dh3 bool /0405,040f,0441.packet_type&100 /0442[25:2]&100
    bthci_cmd.packet_type.2dh5 bool /0405,040f,0441.packet_type&1000 /0442[25:2]&1000
    bthci_cmd.packet_type.3dh1 bool /0405,040f,0441.packet_type&4 /0442[25:2]&4
    bthci_cmd.packet_type.3dh3 bool /0405,040f,0441.packet_type&200 /0442[25:2]&200
    bthci_cmd.packet_type.3dh5 bool /0405,040f,0441.packet_type&2000 /0442[25:2]&2000
    bthci_cmd.packet_type.dh1 bool /0405,040f,0441.packet_type&10 /0442[25:2]&10
    bthci_cmd.packet_type.dh3 bool /0405,040f,0441.packet_type&800 /0442[25:2]&800
    bthci_cmd.packet_type.dh5 bool /0405,040f,0441.packet_type&8000 /0442[25:2]&8000
    bthci_cmd.packet_type.dm1 bool /0405,040f,0441.packet_type&8 /0442[25:2]&8
    bthci_cmd.packet_type.dm3 bool /0405,040f,0441.packet_type&400 /0442[25:2]&400
    bthci_cmd.packet_type.dm5 bool /0405,040f,0441.packet_type&4000 /0442[25:2]&4000
    bthci_cmd.packet_type.reserved.0 bool /0405,040f,0441.packet_type&1 /0442[25:2]&1
    bthci_cmd.packet_type.reserved.5_7 x16 /0405,040f,0441.packet_type&e0 /0442[25:2]&e0
    bthci_cmd.packet_type_hv1 u16 /0407[5:2]&20
    bthci_cmd.packet_type_hv2 u16 /0407[5:2]&40
    bthci_cmd.packet_type_hv3 u16 /0407[5:2]&80
    bthci_cmd.page_scan_mode x8 /0405[12:1] /0419[10:1] /0c3e[3:1]
    bthci_cmd.page_scan_period_mode x8 /0c3c[3:1]
    bthci_cmd.payload_type x8 .payload_type
    bthci_cmd.peak_bandwidth u32 .peak_bandwidth
    bthci_cmd.periodic_adv_properties x16 /203e[8:2]
    bthci_cmd.periodic_adv_properties.reserved x16 /203e[8:2]&ffbf
    bthci_cmd.phy x8 /2033,2034,2068,2069.phy /204f[4:1] /2050[6:1]
    bthci_cmd.phy_and_coding x8 /2076,2077.phy
    bthci_cmd.phy_options.coding x16 /2032[8:2]&3
    bthci_cmd.phy_options.reserved x16 /2032[8:2]&fffc
    bthci_cmd.phys_pref.le_1m bool .rx_phys|tx_phys&1
    bthci_cmd.phys_pref.le_2m bool .rx_phys|tx_phys&2
    bthci_cmd.phys_pref.le_coded bool .rx_phys|tx_phys&4
    bthci_cmd.phys_pref.reserved x8 .rx_phys|tx_phys&f8
    bthci_cmd.physical_link_handle x8 /0435,0436,0437,0438,0439,043b,0c6b,140a,140b[3:1]
    bthci_cmd.pin_type x8 .pin_type
    bthci_cmd.pto u8 .pto
    bthci_cmd.r192 bytes .r_192
    bthci_cmd.r256 bytes .r_256
    bthci_cmd.randomizer_r bytes .r
    bthci_cmd.read_all_flag x8 /0c0d[9:1]
    bthci_cmd.receive_codec_frame_size u16 /043d[25:2] /043e[29:2]
    bthci_cmd.receive_coding_format none .receive_coding_format
    bthci_cmd.remote_reporting_enable x8 /207a[6:1]
    bthci_cmd.remote_timing_accuracy u8 /0442[23:1]
    bthci_cmd.reporting_enable x8 /2059,2079[5:1]
    bthci_cmd.rf_rx_path_compensation_value i16 /204d[5:2]
    bthci_cmd.rf_tx_path_compensation_value i16 /204d[3:2]
    bthci_cmd.rtn u8 .rtn
    bthci_cmd.rx_frequency u8 /201d,2033,204f[3:1]
    bthci_cmd.sca_action x8 /205f[3:1]
    bthci_cmd.scan_request_notification_enable x8 /2036[27:1]
    bthci_cmd.sco_packet_type.2ev3 bool /0428,0429,043d,043e.packet_type&40
    bthci_cmd.sco_packet_type.2ev5 bool /0428,0429,043d,043e.packet_type&100
    bthci_cmd.sco_packet_type.3ev3 bool /0428,0429,043d,043e.packet_type&80
    bthci_cmd.sco_packet_type.3ev5 bool /0428,0429,043d,043e.packet_type&200
    bthci_cmd.sco_packet_type.ev3 bool /0428,0429,043d,043e.packet_type&8
    bthci_cmd.sco_packet_type.ev4 bool /0428,0429,043d,043e.packet_type&10
    bthci_cmd.sco_packet_type.ev5 bool /0428,0429,043d,043e.packet_type&20
    bthci_cmd.sco_packet_type.hv1 bool /0428,0429,043d,043e.packet_type&1
    bthci_cmd.sco_packet_type.hv2 bool /0428,0429,043d,043e.packet_type&2
    bthci_cmd.sco_packet_type.hv3 bool /0428,0429,043d,043e.packet_type&4
    bthci_cmd.sco_packet_type.reserved x16 /0428,0429,043d,043e.packet_type&fc00
    bthci_cmd.sdu_arrival_time u32 /0438,0439[8:4] /0438,0439[24:4] /043c[9:4] /043c[25:4]
    bthci_cmd.sdu_interval u24 .sdu_interval
    bthci_cmd.sdu_size u16 /0438,0439[6:2] /0438,0439[22:2] /043c[7:2] /043c[23:2]
    bthci_cmd.service_data x8 /0c78[11:1]
    bthci_cmd.service_data_past x16 /205a,205b[5:2]
    bthci_cmd.service_type x8 .service_type
    bthci_cmd.servicetype x8 /0438,0439[5:1] /0438,0439[21:1] /043c[6:1] /043c[22:1]
    bthci_cmd.short_range_mode x8 /0c6b[4:1]
    bthci_cmd.simple_pairing_debug_mode u8 /1804[3:1]
    bthci_cmd.skip u16 .skip
    bthci_cmd.slaves_clock_accuracy x8 .worst_case_sca
    bthci_cmd.slot_durations x8 .slot_durations /204f[8:1]
    bthci_cmd.subrate_max u16 /207d[5:2] /207e[7:2]
    bthci_cmd.subrate_min u16 /207d[3:2] /207e[5:2]
    bthci_cmd.sync_cte_type x8 /2044[16:1] /205c[10:1] /205d[8:1]
    bthci_cmd.sync_cte_type.no_sync_aoa bool /2044,205c,205d.cte_type|sync_cte_type&1
    bthci_cmd.sync_cte_type.no_sync_aod_1us bool /2044,205c,205d.cte_type|sync_cte_type&2
    bthci_cmd.sync_cte_type.no_sync_aod_2us bool /2044,205c,205d.cte_type|sync_cte_type&4
    bthci_cmd.sync_cte_type.reserved x8 /2044,205c,205d.cte_type|sync_cte_type&e8
    bthci_cmd.sync_cte_type.sync_only_with_cte bool /2044,205c,205d.cte_type|sync_cte_type&10
    bthci_cmd.sync_mode x8 /205c,205d.mode
    bthci_cmd.sync_timeout u16 /206b[24:2]
    bthci_cmd.sync_train_to u32 /0c78[7:4]
    bthci_cmd.synchronization_scan_to u16 /0444[9:2]
    bthci_cmd.token_bucket_size u32 /0810[12:4]
    bthci_cmd.token_rate u32 .token_rate
    bthci_cmd.transmit_codec_frame_size u16 /043d[23:2] /043e[27:2]
    bthci_cmd.transmit_coding_format none .transmit_coding_format
    bthci_cmd.triggered_clock_capture x8 /140d[5:1]
    bthci_cmd.tx_frequency u8 /201e,2034,2050[3:1]
    bthci_cmd.tx_power_level_type x8 /0c2d,0c68.type
    bthci_cmd.vendor_codec_id x16 /043d,043e,206e.vendor_specific_codec_id
    bthci_cmd.voice.air_coding_format u16 .voice_setting&3
    bthci_cmd.voice.input_coding u16 .voice_setting&300
    bthci_cmd.voice.input_data_format u16 .voice_setting&c0
    bthci_cmd.voice.input_sample_size u16 .voice_setting&20
    bthci_cmd.voice.linear_pcm_bit_pos u16 .voice_setting&1c
    bthci_cmd.voice.unused x16 .voice_setting&fc00
    bthci_cmd.which_clock u8 .which_clock
    """
}
