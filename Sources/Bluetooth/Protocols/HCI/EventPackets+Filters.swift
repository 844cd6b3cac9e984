extension HCI.EventPackets {
  static let filterFields: StaticString = """
    # HCI events
    bthci_evt protocol =
    bthci_evt.code x8{event} [0:1]
    bthci_evt.command_in_frame frame =
    bthci_evt.command_response_delta double =
    bthci_evt.command_pending_delta double =
    bthci_evt.pending_in_frame frame =
    bthci_evt.pending_response_delta double =
    bthci_evt.param_length u8 [1:1]
    bthci_evt.le_meta_subevent x8{le-subevent} /3e[2:1]
    bthci_evt.num_command_packets u8 .num_hci_command_packets
    bthci_evt.opcode x16{opcode} /0e,0f.command_opcode
    bthci_evt.opcode.ogf x16 /0e,0f.command_opcode&fc00
    bthci_evt.opcode.ocf x16 /0e,0f.command_opcode&03ff
    bthci_evt.status x8{status} = /40[2:1] /42[2:1] /45[2:1] /46[2:1] /47[2:1] /49[2:1] /4a[2:1] /4c[2:1] /4d[2:1]
    bthci_evt.reason x8{status} /05,s1c,s1e.reason /42[4:1] /46[5:1]
    bthci_evt.connection_handle x16 .connection_handle|handle|acl_connection_handle /47[3:2]
    bthci_evt.bd_addr ether .bd_addr|peer_address|address|advertiser_address|scanner_address /0e.peer_resolvable_address|local_resolvable_address
    bthci_evt.num_handles u8 .num_handles
    bthci_evt.num_compl_packets u16 .num_completed_packets
    bthci_evt.role x8 .role|new_role
    bthci_evt.link_type x8 /03,04,1a.link_type
    bthci_evt.encryption_mode x8 /03.encryption_enabled /s22[21:1] /0e?ff@3=21?ff@4=0c[6:1]
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
    bthci_evt.interval u16 /14.interval /0e?ff@3=1b?ff@4=0c[6:2] /0e?ff@3=1d?ff@4=0c[6:2]
    bthci_evt.max_slots u8 .lmp_max_slots
    bthci_evt.clock_offset x16 /02,0e,1c,22,2f.clock_offset
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
    bthci_evt.link_supervision_timeout u16 /38.link_supervision_timeout
    bthci_evt.sync_link_type x8 /2c.link_type
    bthci_evt.sync_tx_interval u8 .transmission_interval
    bthci_evt.sync_rtx_window u8 .retransmission_window
    bthci_evt.sync_rx_pkt_len u16 .rx_packet_length
    bthci_evt.sync_tx_pkt_len u16 .tx_packet_length
    bthci_evt.air_mode u8 .air_mode
    bthci_evt.scan_enable x8 .scan_enable
    bthci_evt.timeout u16 /0e.page_timeout|connection_accept_timeout|flush_timeout /0e?ff@3=36?ff@4=0c[8:2] /0e?ff@3=61?ff@4=0c[6:2] /0e?ff@3=7e?ff@4=0c[6:2]
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
    bthci_evt.transmit_power_level i8 .tx_power_level|selected_tx_power /0e?ff@3=76?ff@4=20[9:1]
    bthci_evt.suggested_max_tx_octets u16 /0e.suggested_max_tx_octets|supported_max_tx_octets
    bthci_evt.suggested_max_tx_time u16 /0e.suggested_max_tx_time|supported_max_tx_time
    bthci_evt.suggested_max_rx_octets u16 /0e.supported_max_rx_octets
    bthci_evt.suggested_max_rx_time u16 /0e.supported_max_rx_time
    bthci_evt.le_features x64 .le_features
    bthci_evt.le_random_number bytes .random_number
    bthci_evt.le_encrypted_diversifier x16 .encrypted_diversifier
    bthci_evt.le_encrypted_data bytes .encrypted_data
    bthci_evt.le_num_reports u8 /s02,s0d.num_reports
    bthci_evt.le_advts_event_type x8 /s02.event_type
    bthci_evt.le_ext_advts_event_type x16 /s0d.event_type
    bthci_evt.le_ext_advts_event_type.connectable bool /s0d.connectable
    bthci_evt.le_ext_advts_event_type.scannable bool /s0d.scannable
    bthci_evt.le_ext_advts_event_type.directed bool /s0d.directed
    bthci_evt.le_ext_advts_event_type.scan_response bool /s0d.scan_response
    bthci_evt.le_ext_advts_event_type.legacy bool /s0d.legacy
    bthci_evt.le_ext_advts_event_type.data_status x16 /s0d.data_status
    bthci_evt.le_peer_address_type x8 .peer_address_type|address_type /s0e[7:1] /s18[11:1]
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
    bthci_evt.le_con_latency u16 .peripheral_latency /s06[9:2]
    bthci_evt.le_supv_timeout u16 .supervision_timeout /s06[11:2]
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
    bthci_evt.le_rx_phy x8 /s0c,0e.rx_phy /s16[5:1]
    bthci_evt.channel_selection_algorithm x8 .channel_selection_algorithm
    bthci_evt.cis_handle x16 /s19.connection_handle /s1a.cis_connection_handle /0e?ff@3=67?ff@4=20[6:2]
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
    bthci_evt.adv_clock_accuracy x8 /s0e[17:1] /s18[21:1]
    bthci_evt.adv_phy x8 /s0e[14:1] /s18[18:1]
    bthci_evt.afh_ch_assessment_mode u8 /0e.afh_channel_assessment_mode
    bthci_evt.afh_channel_map bytes /50[13:10] /55[2:10] /0e.afh_channel_map
    bthci_evt.afh_mode u8 /0e.afh_mode
    bthci_evt.amp_assoc_fragment bytes /0e?ff@3=0a?ff@4=14[9:*]
    bthci_evt.amp_remaining_assoc_length u16 /0e?ff@3=0a?ff@4=14[7:2]
    bthci_evt.amp_status x8 /4d[3:1] /0e?ff@3=09?ff@4=14[6:1]
    bthci_evt.antenna_id u8 .rssi_antenna_id
    bthci_evt.auth_enable x8 /0e.authentication_enable
    bthci_evt.authenticated_payload_timeout u16 /0e.authenticated_payload_timeout
    bthci_evt.best_effort_flush_to u32 /0e?ff@3=09?ff@4=14[32:4]
    bthci_evt.big_handle x8 /s1b,s1c,s1d,s1e.big_handle /0e.big_handle
    bthci_evt.big_sync_delay u24 /s1b[5:3]
    bthci_evt.big_transport_latency u24 /s1b[8:3] /s1d[5:3]
    bthci_evt.bis_handle x16 /s1b,s1d.connection_handle
    bthci_evt.bn u8 .bn
    bthci_evt.c192 bytes /0e.c_192
    bthci_evt.c256 bytes /0e.c_256
    bthci_evt.channel_index u8 /s15[5:1] /s16[6:1]
    bthci_evt.cis_bis_handle x16 /0e?fc@3=70?ff@4=20[6:2] /0e?fe@3=6e?ff@4=20[6:2] /0e?ff@3=61?ff@4=20[6:2] /0e?ff@3=75?ff@4=20[6:2]
    bthci_evt.cis_count u8 /0e.cis_count
    bthci_evt.clock x32 /4e,51.clock /0e?ff@3=07?ff@4=14[8:4]
    bthci_evt.clock_accuracy x16 /0e.accuracy
    bthci_evt.clock_offset_32 x32 /50,51.clock_offset|offset&fffffff
    bthci_evt.codec_id x8 /0e.standard_codec_id
    bthci_evt.codecs none /0e.num_supported_standard_codecs
    bthci_evt.connectionless_slave_broadcast_interval u16 /50[28:2] /0e.interval
    bthci_evt.continuation_number u16 /s23[10:2]
    bthci_evt.controller_type x8 /4b[2:1] /0e?ff@3=09?ff@4=14[23:1]
    bthci_evt.country_code x8 /0e.country_code
    bthci_evt.cte_rssi i16 /s15,s16.rssi
    bthci_evt.cte_type x8 /s0f,s15,s16.cte_type
    bthci_evt.curr_role x8 /0e.current_role
    bthci_evt.current_path_loss u8 /s20[5:1]
    bthci_evt.data bytes /51[20:*] /s0f[10:*]
    bthci_evt.data_block_length x16 /0e.data_block_length
    bthci_evt.data_status x8 /s0f[8:1]
    bthci_evt.delay_variation u32 /0d[19:4]
    bthci_evt.dhkey bytes .dh_key
    bthci_evt.err_data_reporting u8 /0e.erroneous_data_reporting
    bthci_evt.event_counter x16 /s15[12:2] /s16[13:2]
    bthci_evt.event_type x8 /s0b.event_type
    bthci_evt.extended_inquiry_length u16 /0e.extended_inquiry_length
    bthci_evt.failed_contact_counter u16 /0e.failed_contact_counter
    bthci_evt.failed_packet_counter u32 /0e.failed_sdu_count
    bthci_evt.fec_required bool /0e.fec_required
    bthci_evt.flags x8 /0d,21[5:1]
    bthci_evt.flow_control_mode x8 /0e.flow_control_mode
    bthci_evt.flow_direction u8 /21[6:1]
    bthci_evt.flow_spec_id x8 /45[6:1] /0e?ff@3=3b?ff@4=04[7:1]
    bthci_evt.flushto u32 /0e.best_effort_flush_timeout
    bthci_evt.fragment x8 .fragment
    bthci_evt.framing x8 /s22[20:1]
    bthci_evt.hash_c bytes /0e.c
    bthci_evt.hold_mode_inquiry bool /0e.hold_mode_activity&2
    bthci_evt.hold_mode_page bool /0e.hold_mode_activity&1
    bthci_evt.hold_mode_periodic bool /0e.hold_mode_activity&4
    bthci_evt.i_sample i8 .i_sample
    bthci_evt.iac_lap x24 /56.lap /0e.iac_lap
    bthci_evt.inq_scan_type u8 /0e.inquiry_scan_type|page_scan_type
    bthci_evt.irc u8 .irc
    bthci_evt.key_flag x8 /0a[5:1]
    bthci_evt.latency u32 /0d[15:4] /21[20:4]
    bthci_evt.le_address_type x8 /s0b.direct_address_type /s13.scanner_address_type
    bthci_evt.le_channel_map bytes /0e.channel_map
    bthci_evt.le_ext_advts_event_type.reserved x16 /s0d.event_type&ff80
    bthci_evt.le_features.2m_phy bool .le_features&100
    bthci_evt.le_features.antenna_switching_during_cte_rx_aoa bool .le_features&400000
    bthci_evt.le_features.antenna_switching_during_cte_tx_aod bool .le_features&200000
    bthci_evt.le_features.channel_classification bool .le_features&8000000000
    bthci_evt.le_features.channel_selection_algorithm_2 bool .le_features&4000
    bthci_evt.le_features.cis_master bool .le_features&10000000
    bthci_evt.le_features.cis_slave bool .le_features&20000000
    bthci_evt.le_features.coded_phy bool .le_features&800
    bthci_evt.le_features.connection_cte_request bool .le_features&20000
    bthci_evt.le_features.connection_cte_response bool .le_features&40000
    bthci_evt.le_features.connection_parameters_request_procedure bool .le_features&2
    bthci_evt.le_features.connection_subrating bool .le_features&2000000000
    bthci_evt.le_features.connection_subrating_host_support bool .le_features&4000000000
    bthci_evt.le_features.connectionless_cte_rx bool .le_features&100000
    bthci_evt.le_features.connectionless_cte_tx bool .le_features&80000
    bthci_evt.le_features.data_packet_length_extension bool .le_features&20
    bthci_evt.le_features.encryption bool .le_features&1
    bthci_evt.le_features.extended_advertising bool .le_features&1000
    bthci_evt.le_features.extended_reject_indication bool .le_features&4
    bthci_evt.le_features.extended_scanner_filter_policies bool .le_features&80
    bthci_evt.le_features.isochronous_broadcaster bool .le_features&40000000
    bthci_evt.le_features.isochronous_channels_host_support bool .le_features&100000000
    bthci_evt.le_features.ll_privacy bool .le_features&40
    bthci_evt.le_features.minimum_number_of_used_channels_procedure bool .le_features&10000
    bthci_evt.le_features.path_loss_monitoring bool .le_features&800000000
    bthci_evt.le_features.periodic_advertising bool .le_features&2000
    bthci_evt.le_features.periodic_advertising_adi bool .le_features&1000000000
    bthci_evt.le_features.periodic_advertising_sync_transfer_receiver bool .le_features&2000000
    bthci_evt.le_features.periodic_advertising_sync_transfer_sender bool .le_features&1000000
    bthci_evt.le_features.ping bool .le_features&10
    bthci_evt.le_features.power_change_indication bool .le_features&400000000
    bthci_evt.le_features.power_class_1 bool .le_features&8000
    bthci_evt.le_features.power_control_request bool .le_features&200000000
    bthci_evt.le_features.receiving_cte bool .le_features&800000
    bthci_evt.le_features.remote_public_key_validation bool .le_features&8000000
    bthci_evt.le_features.reserved x64 .le_features&ffffff0000000000
    bthci_evt.le_features.slave_initiated_features_exchange bool .le_features&8
    bthci_evt.le_features.sleep_clock_accuracy_updates bool .le_features&4000000
    bthci_evt.le_features.stable_modulation_index_rx bool .le_features&400
    bthci_evt.le_features.stable_modulation_index_tx bool .le_features&200
    bthci_evt.le_features.synchronized_receiver bool .le_features&80000000
    bthci_evt.le_local_p_256_public_key bytes /s08[4:64]
    bthci_evt.le_num_packets u16 /0e.num_packets
    bthci_evt.le_rssi i8 /s0b.rssi
    bthci_evt.le_simultaneous_host bool /0e?ff@3=6c?ff@4=0c[7:1]
    bthci_evt.le_states none /0e?ff@3=1c?ff@4=20[6:8]
    bthci_evt.le_states_00 bool /0e?ff@3=1c?ff@4=20[6:1]&1
    bthci_evt.le_states_01 bool /0e?ff@3=1c?ff@4=20[6:1]&2
    bthci_evt.le_states_02 bool /0e?ff@3=1c?ff@4=20[6:1]&4
    bthci_evt.le_states_03 bool /0e?ff@3=1c?ff@4=20[6:1]&8
    bthci_evt.le_states_04 bool /0e?ff@3=1c?ff@4=20[6:1]&10
    bthci_evt.le_states_05 bool /0e?ff@3=1c?ff@4=20[6:1]&20
    bthci_evt.le_states_06 bool /0e?ff@3=1c?ff@4=20[6:1]&40
    bthci_evt.le_states_07 bool /0e?ff@3=1c?ff@4=20[6:1]&80
    bthci_evt.le_states_10 bool /0e?ff@3=1c?ff@4=20[7:1]&1
    bthci_evt.le_states_11 bool /0e?ff@3=1c?ff@4=20[7:1]&2
    bthci_evt.le_states_12 bool /0e?ff@3=1c?ff@4=20[7:1]&4
    bthci_evt.le_states_13 bool /0e?ff@3=1c?ff@4=20[7:1]&8
    bthci_evt.le_states_14 bool /0e?ff@3=1c?ff@4=20[7:1]&10
    bthci_evt.le_states_15 bool /0e?ff@3=1c?ff@4=20[7:1]&20
    bthci_evt.le_states_16 bool /0e?ff@3=1c?ff@4=20[7:1]&40
    bthci_evt.le_states_17 bool /0e?ff@3=1c?ff@4=20[7:1]&80
    bthci_evt.le_states_20 bool /0e?ff@3=1c?ff@4=20[8:1]&1
    bthci_evt.le_states_21 bool /0e?ff@3=1c?ff@4=20[8:1]&2
    bthci_evt.le_states_22 bool /0e?ff@3=1c?ff@4=20[8:1]&4
    bthci_evt.le_states_23 bool /0e?ff@3=1c?ff@4=20[8:1]&8
    bthci_evt.le_states_24 bool /0e?ff@3=1c?ff@4=20[8:1]&10
    bthci_evt.le_states_25 bool /0e?ff@3=1c?ff@4=20[8:1]&20
    bthci_evt.le_states_26 bool /0e?ff@3=1c?ff@4=20[8:1]&40
    bthci_evt.le_states_27 bool /0e?ff@3=1c?ff@4=20[8:1]&80
    bthci_evt.le_states_30 bool /0e?ff@3=1c?ff@4=20[9:1]&1
    bthci_evt.le_states_31 bool /0e?ff@3=1c?ff@4=20[9:1]&2
    bthci_evt.le_states_32 bool /0e?ff@3=1c?ff@4=20[9:1]&4
    bthci_evt.le_states_33 bool /0e?ff@3=1c?ff@4=20[9:1]&8
    bthci_evt.le_states_34 bool /0e?ff@3=1c?ff@4=20[9:1]&10
    bthci_evt.le_supported_host bool /0e.le_supported_host
    bthci_evt.link_loss_reason x8 /43[3:1]
    bthci_evt.link_policy_hold bool /0e.default_link_policy_settings|link_policy_settings&2
    bthci_evt.link_policy_park bool /0e.default_link_policy_settings|link_policy_settings&8
    bthci_evt.link_policy_sniff bool /0e.default_link_policy_settings|link_policy_settings&4
    bthci_evt.link_policy_switch bool /0e.default_link_policy_settings|link_policy_settings&1
    bthci_evt.link_quality u8 /0e.link_quality
    bthci_evt.lmp_features none /0b[5:8] /23[7:8] /3d[8:8] /0e?ff@3=03?ff@4=10[6:8] /0e?ff@3=04?ff@4=10[8:8]
    bthci_evt.lmp_features.3slot_edr_acl_packets bool .lmp_features&8000000000 /23?ff@5=00[11:1]&80 /0e?ff@3=04?ff@4=10?ff@6=00[12:1]&80
    bthci_evt.lmp_features.3slot_edr_esco_packets bool .lmp_features&800000000000 /23?ff@5=00[12:1]&80 /0e?ff@3=04?ff@4=10?ff@6=00[13:1]&80
    bthci_evt.lmp_features.3slot_packets bool .lmp_features&1 /23?ff@5=00[7:1]&1 /0e?ff@3=04?ff@4=10?ff@6=00[8:1]&1
    bthci_evt.lmp_features.5slot_edr_acl_packets bool .lmp_features&10000000000 /23?ff@5=00[12:1]&1 /0e?ff@3=04?ff@4=10?ff@6=00[13:1]&1
    bthci_evt.lmp_features.5slot_packets bool .lmp_features&2 /23?ff@5=00[7:1]&2 /0e?ff@3=04?ff@4=10?ff@6=00[8:1]&2
    bthci_evt.lmp_features.a_law_log_synchronous_data bool .lmp_features&8000 /23?ff@5=00[8:1]&80 /0e?ff@3=04?ff@4=10?ff@6=00[9:1]&80
    bthci_evt.lmp_features.afh_capable_master bool .lmp_features&80000000000 /23?ff@5=00[12:1]&8 /0e?ff@3=04?ff@4=10?ff@6=00[13:1]&8
    bthci_evt.lmp_features.afh_capable_slave bool .lmp_features&800000000 /23?ff@5=00[11:1]&8 /0e?ff@3=04?ff@4=10?ff@6=00[12:1]&8
    bthci_evt.lmp_features.afh_classification_master bool .lmp_features&100000000000 /23?ff@5=00[12:1]&10 /0e?ff@3=04?ff@4=10?ff@6=00[13:1]&10
    bthci_evt.lmp_features.afh_classification_slave bool .lmp_features&1000000000 /23?ff@5=00[11:1]&10 /0e?ff@3=04?ff@4=10?ff@6=00[12:1]&10
    bthci_evt.lmp_features.br_edr_not_supported bool .lmp_features&2000000000 /23?ff@5=00[11:1]&20 /0e?ff@3=04?ff@4=10?ff@6=00[12:1]&20
    bthci_evt.lmp_features.broadcast_encryption bool .lmp_features&800000 /23?ff@5=00[9:1]&80 /0e?ff@3=04?ff@4=10?ff@6=00[10:1]&80
    bthci_evt.lmp_features.channel_quality_driven_data_rate bool .lmp_features&400 /23?ff@5=00[8:1]&4 /0e?ff@3=04?ff@4=10?ff@6=00[9:1]&4
    bthci_evt.lmp_features.coarse_clock_adjustment bool /23?ff@5=02[7:1]&40 /0e?ff@3=04?ff@4=10?ff@6=02[8:1]&40
    bthci_evt.lmp_features.csb_master_operation bool /23?ff@5=02[7:1]&1 /0e?ff@3=04?ff@4=10?ff@6=02[8:1]&1
    bthci_evt.lmp_features.csb_slave_operation bool /23?ff@5=02[7:1]&2 /0e?ff@3=04?ff@4=10?ff@6=02[8:1]&2
    bthci_evt.lmp_features.cvsd_synchronous_data bool .lmp_features&10000 /23?ff@5=00[9:1]&1 /0e?ff@3=04?ff@4=10?ff@6=00[10:1]&1
    bthci_evt.lmp_features.edr_acl_2mbps_mode bool .lmp_features&2000000 /23?ff@5=00[10:1]&2 /0e?ff@3=04?ff@4=10?ff@6=00[11:1]&2
    bthci_evt.lmp_features.edr_acl_3mbps_mode bool .lmp_features&4000000 /23?ff@5=00[10:1]&4 /0e?ff@3=04?ff@4=10?ff@6=00[11:1]&4
    bthci_evt.lmp_features.edr_esco_2mbps_mode bool .lmp_features&200000000000 /23?ff@5=00[12:1]&20 /0e?ff@3=04?ff@4=10?ff@6=00[13:1]&20
    bthci_evt.lmp_features.edr_esco_3mbps_mode bool .lmp_features&400000000000 /23?ff@5=00[12:1]&40 /0e?ff@3=04?ff@4=10?ff@6=00[13:1]&40
    bthci_evt.lmp_features.encapsulated_pdu bool .lmp_features&10000000000000 /23?ff@5=00[13:1]&10 /0e?ff@3=04?ff@4=10?ff@6=00[14:1]&10
    bthci_evt.lmp_features.encryption bool .lmp_features&4 /23?ff@5=00[7:1]&4 /0e?ff@3=04?ff@4=10?ff@6=00[8:1]&4
    bthci_evt.lmp_features.enhanced_inquiry_scan bool .lmp_features&8000000 /23?ff@5=00[10:1]&8 /0e?ff@3=04?ff@4=10?ff@6=00[11:1]&8
    bthci_evt.lmp_features.enhanced_power_control bool .lmp_features&400000000000000 /23?ff@5=00[14:1]&4 /0e?ff@3=04?ff@4=10?ff@6=00[15:1]&4
    bthci_evt.lmp_features.erroneous_data_reporting bool .lmp_features&20000000000000 /23?ff@5=00[13:1]&20 /0e?ff@3=04?ff@4=10?ff@6=00[14:1]&20
    bthci_evt.lmp_features.ev3_packets bool .lmp_features&80000000 /23?ff@5=00[10:1]&80 /0e?ff@3=04?ff@4=10?ff@6=00[11:1]&80
    bthci_evt.lmp_features.ev4_packets bool .lmp_features&100000000 /23?ff@5=00[11:1]&1 /0e?ff@3=04?ff@4=10?ff@6=00[12:1]&1
    bthci_evt.lmp_features.ev5_packets bool .lmp_features&200000000 /23?ff@5=00[11:1]&2 /0e?ff@3=04?ff@4=10?ff@6=00[12:1]&2
    bthci_evt.lmp_features.extended_features bool .lmp_features&8000000000000000 /23?ff@5=00[14:1]&80 /0e?ff@3=04?ff@4=10?ff@6=00[15:1]&80
    bthci_evt.lmp_features.extended_inquiry_response bool .lmp_features&1000000000000 /23?ff@5=00[13:1]&1 /0e?ff@3=04?ff@4=10?ff@6=00[14:1]&1
    bthci_evt.lmp_features.flow_control_lag u8 .lmp_features&700000 /23?ff@5=00[9:1]&70 /0e?ff@3=04?ff@4=10?ff@6=00[10:1]&70
    bthci_evt.lmp_features.generalized_interlaced_scan bool /23?ff@5=02[7:1]&20 /0e?ff@3=04?ff@4=10?ff@6=02[8:1]&20
    bthci_evt.lmp_features.hold_mode bool .lmp_features&40 /23?ff@5=00[7:1]&40 /0e?ff@3=04?ff@4=10?ff@6=00[8:1]&40
    bthci_evt.lmp_features.hv2_packets bool .lmp_features&1000 /23?ff@5=00[8:1]&10 /0e?ff@3=04?ff@4=10?ff@6=00[9:1]&10
    bthci_evt.lmp_features.hv3_packets bool .lmp_features&2000 /23?ff@5=00[8:1]&20 /0e?ff@3=04?ff@4=10?ff@6=00[9:1]&20
    bthci_evt.lmp_features.inquiry_response_notification_event bool /23?ff@5=02[7:1]&10 /0e?ff@3=04?ff@4=10?ff@6=02[8:1]&10
    bthci_evt.lmp_features.inquiry_tx_power_level bool .lmp_features&200000000000000 /23?ff@5=00[14:1]&2 /0e?ff@3=04?ff@4=10?ff@6=00[15:1]&2
    bthci_evt.lmp_features.interlaced_inquiry_scan bool .lmp_features&10000000 /23?ff@5=00[10:1]&10 /0e?ff@3=04?ff@4=10?ff@6=00[11:1]&10
    bthci_evt.lmp_features.interlaced_page_scan bool .lmp_features&20000000 /23?ff@5=00[10:1]&20 /0e?ff@3=04?ff@4=10?ff@6=00[11:1]&20
    bthci_evt.lmp_features.le_supported.host bool /3d[8:1]&2 /23?ff@5=01[7:1]&2 /0e?ff@3=04?ff@4=10?ff@6=01[8:1]&2
    bthci_evt.lmp_features.le_supported_controller bool .lmp_features&4000000000 /23?ff@5=00[11:1]&40 /0e?ff@3=04?ff@4=10?ff@6=00[12:1]&40
    bthci_evt.lmp_features.non_flushable_packet_boundary_flag bool .lmp_features&40000000000000 /23?ff@5=00[13:1]&40 /0e?ff@3=04?ff@4=10?ff@6=00[14:1]&40
    bthci_evt.lmp_features.paging_parameter_negotiation bool .lmp_features&20000 /23?ff@5=00[9:1]&2 /0e?ff@3=04?ff@4=10?ff@6=00[10:1]&2
    bthci_evt.lmp_features.park_state bool .lmp_features&100 /23?ff@5=00[8:1]&1 /0e?ff@3=04?ff@4=10?ff@6=00[9:1]&1
    bthci_evt.lmp_features.pause_encryption bool .lmp_features&40000000000 /23?ff@5=00[12:1]&4 /0e?ff@3=04?ff@4=10?ff@6=00[13:1]&4
    bthci_evt.lmp_features.ping bool /23?ff@5=02[8:1]&2 /0e?ff@3=04?ff@4=10?ff@6=02[9:1]&2
    bthci_evt.lmp_features.power_control bool .lmp_features&40000 /23?ff@5=00[9:1]&4 /0e?ff@3=04?ff@4=10?ff@6=00[10:1]&4
    bthci_evt.lmp_features.power_control_requests bool .lmp_features&200 /23?ff@5=00[8:1]&2 /0e?ff@3=04?ff@4=10?ff@6=00[9:1]&2
    bthci_evt.lmp_features.reserved bytes /23?ff@5=01[8:7] /23?ff@5=02[9:6] /23?ff@5=03[7:8] /23?fc@5!00[7:8] /3d[9:7] /0e?ff@3=04?ff@4=10?ff@6=01[9:7] /0e?ff@3=04?ff@4=10?ff@6=02[10:6] /0e?ff@3=04?ff@4=10?ff@6=03[8:8] /0e?ff@3=04?ff@4=10?fc@6!00[8:8]
    bthci_evt.lmp_features.reserved.24 bool .lmp_features&1000000 /23?ff@5=00[10:1]&1 /0e?ff@3=04?ff@4=10?ff@6=00[11:1]&1
    bthci_evt.lmp_features.reserved.34 bool .lmp_features&400000000 /23?ff@5=00[11:1]&4 /0e?ff@3=04?ff@4=10?ff@6=00[12:1]&4
    bthci_evt.lmp_features.reserved.50 bool .lmp_features&4000000000000 /23?ff@5=00[13:1]&4 /0e?ff@3=04?ff@4=10?ff@6=00[14:1]&4
    bthci_evt.lmp_features.reserved.55 bool .lmp_features&80000000000000 /23?ff@5=00[13:1]&80 /0e?ff@3=04?ff@4=10?ff@6=00[14:1]&80
    bthci_evt.lmp_features.reserved.59_62 bool .lmp_features&7800000000000000 /23?ff@5=00[14:1]&78 /0e?ff@3=04?ff@4=10?ff@6=00[15:1]&78
    bthci_evt.lmp_features.reserved.68_71 x8 /3d[8:1]&f0 /23?ff@5=01[7:1]&f0 /0e?ff@3=04?ff@4=10?ff@6=01[8:1]&f0
    bthci_evt.lmp_features.reserved_135 bool /23?ff@5=02[7:1]&80 /0e?ff@3=04?ff@4=10?ff@6=02[8:1]&80
    bthci_evt.lmp_features.reserved_138 bool /23?ff@5=02[8:1]&4 /0e?ff@3=04?ff@4=10?ff@6=02[9:1]&4
    bthci_evt.lmp_features.role_switch bool .lmp_features&20 /23?ff@5=00[7:1]&20 /0e?ff@3=04?ff@4=10?ff@6=00[8:1]&20
    bthci_evt.lmp_features.rssi_with_inquiry_results bool .lmp_features&40000000 /23?ff@5=00[10:1]&40 /0e?ff@3=04?ff@4=10?ff@6=00[11:1]&40
    bthci_evt.lmp_features.sco_link bool .lmp_features&800 /23?ff@5=00[8:1]&8 /0e?ff@3=04?ff@4=10?ff@6=00[9:1]&8
    bthci_evt.lmp_features.secure_connections_controller bool /23?ff@5=02[8:1]&1 /0e?ff@3=04?ff@4=10?ff@6=02[9:1]&1
    bthci_evt.lmp_features.secure_connections_host bool /3d[8:1]&8 /23?ff@5=01[7:1]&8 /0e?ff@3=04?ff@4=10?ff@6=01[8:1]&8
    bthci_evt.lmp_features.secure_simple_pairing bool .lmp_features&8000000000000 /23?ff@5=00[13:1]&8 /0e?ff@3=04?ff@4=10?ff@6=00[14:1]&8
    bthci_evt.lmp_features.secure_simple_pairing_host bool /3d[8:1]&1 /23?ff@5=01[7:1]&1 /0e?ff@3=04?ff@4=10?ff@6=01[8:1]&1
    bthci_evt.lmp_features.simultaneous_le_and_br_edr.controller bool .lmp_features&2000000000000 /23?ff@5=00[13:1]&2 /0e?ff@3=04?ff@4=10?ff@6=00[14:1]&2
    bthci_evt.lmp_features.simultaneous_le_and_br_edr.host bool /3d[8:1]&4 /23?ff@5=01[7:1]&4 /0e?ff@3=04?ff@4=10?ff@6=01[8:1]&4
    bthci_evt.lmp_features.slot_availability_mask bool /23?ff@5=02[8:1]&10 /0e?ff@3=04?ff@4=10?ff@6=02[9:1]&10
    bthci_evt.lmp_features.slot_offset bool .lmp_features&8 /23?ff@5=00[7:1]&8 /0e?ff@3=04?ff@4=10?ff@6=00[8:1]&8
    bthci_evt.lmp_features.sniff_mode bool .lmp_features&80 /23?ff@5=00[7:1]&80 /0e?ff@3=04?ff@4=10?ff@6=00[8:1]&80
    bthci_evt.lmp_features.sniff_subrating bool .lmp_features&20000000000 /23?ff@5=00[12:1]&2 /0e?ff@3=04?ff@4=10?ff@6=00[13:1]&2
    bthci_evt.lmp_features.supervision_timeout_changed_event bool .lmp_features&100000000000000 /23?ff@5=00[14:1]&1 /0e?ff@3=04?ff@4=10?ff@6=00[15:1]&1
    bthci_evt.lmp_features.synchronization_scan bool /23?ff@5=02[7:1]&8 /0e?ff@3=04?ff@4=10?ff@6=02[8:1]&8
    bthci_evt.lmp_features.synchronization_train bool /23?ff@5=02[7:1]&4 /0e?ff@3=04?ff@4=10?ff@6=02[8:1]&4
    bthci_evt.lmp_features.timing_accuracy bool .lmp_features&10 /23?ff@5=00[7:1]&10 /0e?ff@3=04?ff@4=10?ff@6=00[8:1]&10
    bthci_evt.lmp_features.train_nudging bool /23?ff@5=02[8:1]&8 /0e?ff@3=04?ff@4=10?ff@6=02[9:1]&8
    bthci_evt.lmp_features.transparent_synchronous_data bool .lmp_features&80000 /23?ff@5=00[9:1]&8 /0e?ff@3=04?ff@4=10?ff@6=00[10:1]&8
    bthci_evt.lmp_features.u_law_log_synchronous_data bool .lmp_features&4000 /23?ff@5=00[8:1]&40 /0e?ff@3=04?ff@4=10?ff@6=00[9:1]&40
    bthci_evt.lmp_handle x16 /0e.lmp_handle
    bthci_evt.local_sam_index x8 /58[4:1]
    bthci_evt.local_sam_rx_availability u8 /58[6:1]
    bthci_evt.local_sam_tx_availability u8 /58[5:1]
    bthci_evt.location_domain string /0e?ff@3=64?ff@4=0c[7:2]
    bthci_evt.location_domain_aware bool /0e?ff@3=64?ff@4=0c[6:1]
    bthci_evt.location_domain_options string /0e?ff@3=64?ff@4=0c[9:1]
    bthci_evt.location_options x8 /0e?ff@3=64?ff@4=0c[10:1]
    bthci_evt.logical_link_handle x16 /45,46[3:2]
    bthci_evt.loopback_mode x8 /0e.loopback_mode
    bthci_evt.lt_addr x8 /50,51,52.lt_addr /0e.lt_addr
    bthci_evt.max_acl_data_packet_length x16 /0e.max_acl_data_packet_length
    bthci_evt.max_amp_assoc_length u32 /0e?ff@3=09?ff@4=14[26:2]
    bthci_evt.max_cte_length u8 /0e.max_cte_length
    bthci_evt.max_encryption_key_size u8 /0e.max_encryption_key_size
    bthci_evt.max_flush_to u32 /0e?ff@3=09?ff@4=14[28:4]
    bthci_evt.max_guaranteed_bandwidth u32 /0e?ff@3=09?ff@4=14[11:4]
    bthci_evt.max_length_antenna_switching_pattern u8 /0e.max_switching_pattern_length
    bthci_evt.max_num_keys u16 /0e.max_num_keys
    bthci_evt.max_pdu u16 .max_pdu
    bthci_evt.max_pdu_size u32 /0e?ff@3=09?ff@4=14[19:4]
    bthci_evt.max_rx_latency u16 /2e[7:2]
    bthci_evt.max_sdu u16 .max_sdu
    bthci_evt.max_transmit_power_level i8 /0e.max_tx_power_level
    bthci_evt.max_tx_latency u16 /2e[5:2]
    bthci_evt.min_latency u32 /0e?ff@3=09?ff@4=14[15:4]
    bthci_evt.min_local_timeout u16 /2e[11:2]
    bthci_evt.min_remote_timeout u16 /2e[9:2]
    bthci_evt.missed_packet_counter u32 /0e.missed_sdu_count
    bthci_evt.mws.802.rx_priority.assert.jitter u16 /0e?ff@3=70?ff@4=0c[15:2]
    bthci_evt.mws.802.rx_priority.assert.offset i16 /0e?ff@3=70?ff@4=0c[13:2]
    bthci_evt.mws.802.rx_priority.deassert.jitter u16 /0e?ff@3=70?ff@4=0c[19:2]
    bthci_evt.mws.802.rx_priority.deassert.offset i16 /0e?ff@3=70?ff@4=0c[17:2]
    bthci_evt.mws.802.tx_priority.assert.jitter u16 /0e?ff@3=70?ff@4=0c[31:2]
    bthci_evt.mws.802.tx_priority.assert.offset i16 /0e?ff@3=70?ff@4=0c[29:2]
    bthci_evt.mws.802.tx_priority.deassert.jitter u16 /0e?ff@3=70?ff@4=0c[35:2]
    bthci_evt.mws.802.tx_priority.deassert.offset i16 /0e?ff@3=70?ff@4=0c[33:2]
    bthci_evt.mws.bt.rx_priority.assert.jitter u16 /0e?ff@3=70?ff@4=0c[7:2]
    bthci_evt.mws.bt.rx_priority.assert.offset i16 /0e?ff@3=70?ff@4=0c[5:2]
    bthci_evt.mws.bt.rx_priority.deassert.jitter u16 /0e?ff@3=70?ff@4=0c[11:2]
    bthci_evt.mws.bt.rx_priority.deassert.offset i16 /0e?ff@3=70?ff@4=0c[9:2]
    bthci_evt.mws.bt.tx_priority.assert.jitter u16 /0e?ff@3=70?ff@4=0c[23:2]
    bthci_evt.mws.bt.tx_priority.assert.offset i16 /0e?ff@3=70?ff@4=0c[21:2]
    bthci_evt.mws.bt.tx_priority.deassert.jitter u16 /0e?ff@3=70?ff@4=0c[27:2]
    bthci_evt.mws.bt.tx_priority.deassert.offset i16 /0e?ff@3=70?ff@4=0c[25:2]
    bthci_evt.mws.number_of_transports u8 /0e?ff@3=0c?ff@4=14[6:1]
    bthci_evt.mws.transport_layers none /0e.transports*
    bthci_evt.mws.transport_layers.item none /0e.transports
    bthci_evt.mws.transport_layers.item.transport_layer x8 /0e.transport_layer
    bthci_evt.mws.number_of_baud_rates u8 /0e.num_baud_rates
    bthci_evt.mws.to_mws_baud_rates none /0e.to_mws_baud_rates*
    bthci_evt.mws.to_mws_baud_rates.item none /0e.to_mws_baud_rates
    bthci_evt.mws.to_mws_baud_rates.item.baud_rate u32 /0e.to_mws_baud_rates
    bthci_evt.mws.from_mws_baud_rates none /0e.from_mws_baud_rates*
    bthci_evt.mws.from_mws_baud_rates.item none /0e.from_mws_baud_rates
    bthci_evt.mws.from_mws_baud_rates.item.baud_rate u32 /0e.from_mws_baud_rates
    bthci_evt.next_broadcast_instant x32 /50[24:4]&fffffff
    bthci_evt.num_bis u8 .num_bis
    bthci_evt.num_bits u32 /4b[9:4]
    bthci_evt.num_broad_retran u8 /0e.num_broadcast_retransmissions
    bthci_evt.num_compl_blocks u16 .num_completed_blocks
    bthci_evt.num_curr_iac u8 /0e.num_current_iac
    bthci_evt.num_error_bits u32 /4b[13:4]
    bthci_evt.num_error_frames u16 /4b[7:2]
    bthci_evt.num_frames u16 /4b[5:2]
    bthci_evt.num_keys u8 /15[2:1]
    bthci_evt.num_keys_deleted u16 /0e.num_keys_deleted
    bthci_evt.num_keys_read u16 /0e.num_keys_read
    bthci_evt.num_keys_written u8 /0e.num_keys_written
    bthci_evt.num_supp_iac u8 /0e.num_supported_iac
    bthci_evt.number_antennae u8 /0e.num_antennae
    bthci_evt.number_of_reports u8 /s0b[3:1]
    bthci_evt.number_of_supported_codecs u8 /0e?ff@3=0b?ff@4=10[6:1]
    bthci_evt.number_of_supported_vendor_codecs u8 /0e.num_supported_vendor_specific_codecs
    bthci_evt.packet_status x8 .packet_status
    bthci_evt.packet_type.hv1 bool =
    bthci_evt.packet_type.hv2 bool =
    bthci_evt.packet_type.hv3 bool =
    bthci_evt.packet_type.reserved_15_8 x16 =
    bthci_evt.packet_type.reserved_4_0 x16 =
    bthci_evt.packet_type.2dh1 bool /1d[5:2]&2
    bthci_evt.packet_type.2dh3 bool /1d[5:2]&100
    bthci_evt.packet_type.2dh5 bool /1d[5:2]&1000
    bthci_evt.packet_type.3dh1 bool /1d[5:2]&4
    bthci_evt.packet_type.3dh3 bool /1d[5:2]&200
    bthci_evt.packet_type.3dh5 bool /1d[5:2]&2000
    bthci_evt.packet_type.dh1 bool /1d[5:2]&10
    bthci_evt.packet_type.dh3 bool /1d[5:2]&800
    bthci_evt.packet_type.dh5 bool /1d[5:2]&8000
    bthci_evt.packet_type.dm1 bool /1d[5:2]&8
    bthci_evt.packet_type.dm3 bool /1d[5:2]&400
    bthci_evt.packet_type.dm5 bool /1d[5:2]&4000
    bthci_evt.packet_type.reserved_0 bool /1d[5:2]&1
    bthci_evt.packet_type.reserved_5_7 x16 /1d[5:2]&e0
    bthci_evt.page_scan_mode x8 /02[11:1]*14 /1f.page_scan_mode /0e.page_scan_mode
    bthci_evt.page_scan_period_mode x8 /02[10:1]*14 /0e.page_scan_period_mode
    bthci_evt.pal_capabilities bool /0e?ff@3=09?ff@4=14[24:2]&1
    bthci_evt.peak_bandwidth u32 .peak_bandwidth
    bthci_evt.peer_clock_accuracy x8 /s1f[6:1]
    bthci_evt.phy x8 /s1b,s22.phy
    bthci_evt.phy_and_coding x8 /s21.phy /0e.phy
    bthci_evt.physical_link_handle x8 /40,42,4c[3:1] /41,43,44[2:1] /45[5:1] /0e?ff@3=3b?ff@4=04[6:1] /0e?ff@3=0a?ff@4=14[6:1] /0e?ff@3=0b?ff@4=14[6:1]
    bthci_evt.pin_type x8 /0e.pin_type
    bthci_evt.pkt_count_rx_crc_error u32 /0e.crc_error_packets
    bthci_evt.pkt_count_rx_duplicate u32 /0e.duplicate_packets
    bthci_evt.pkt_count_rx_unreceived u32 /0e.rx_unreceived_packets
    bthci_evt.pkt_count_tx_flushed u32 /0e.tx_flushed_packets
    bthci_evt.pkt_count_tx_last_subevent u32 /0e.tx_last_subevent_packets
    bthci_evt.pkt_count_tx_retransmitted u32 /0e.retransmitted_packets
    bthci_evt.pkt_count_tx_unacked u32 /0e.tx_unacked_packets
    bthci_evt.power_level_delta i8 .delta
    bthci_evt.power_level_flags x8 /s21[9:1]
    bthci_evt.power_level_type x8 /0e?ff@3=58?ff@4=0c[6:1]
    bthci_evt.power_report_reason x8 /s21[6:1]
    bthci_evt.pto u8 .pto
    bthci_evt.q_sample i8 .q_sample
    bthci_evt.r192 bytes /0e.r_192
    bthci_evt.r256 bytes /0e.r_256
    bthci_evt.randomizer_r bytes /0e.r
    bthci_evt.receive_status x8 /51[17:1]
    bthci_evt.received_packet_counter u32 /0e.received_sdu_count
    bthci_evt.remote_sam_index x8 /58[7:1]
    bthci_evt.remote_sam_rx_availability u8 /58[9:1]
    bthci_evt.remote_sam_tx_availability u8 /58[8:1]
    bthci_evt.report none /s0b.reports /s15?ff@14!00[14:1] /s16?ff@15!00[15:1] /s15,s16.samples
    bthci_evt.report_event_type x8 /4b[4:1]
    bthci_evt.report_reason x8 /4b[3:1]
    bthci_evt.reserved x8 /22[10:1]*14 /2f[10:1]
    bthci_evt.rf_rx_path_compensation_value i16 /0e.rf_rx_path_compensation_value
    bthci_evt.rf_tx_path_compensation_value i16 /0e.rf_tx_path_compensation_value
    bthci_evt.sample_count u8 .sample_count
    bthci_evt.sco_flow_cont_enable x8 /0e.synchronous_flow_control_enable
    bthci_evt.sdu_interval u24 /s22[14:3]
    bthci_evt.sdu_packet_offset u24 /0e.time_offset
    bthci_evt.sdu_packet_seq_num u16 /0e.packet_sequence_number
    bthci_evt.sdu_packet_timestamp u32 /0e.tx_time_stamp
    bthci_evt.secure_connection_host_support x8 /0e.secure_connections_host_support
    bthci_evt.service_data x8 /50[30:1] /0e?ff@3=77?ff@4=0c[12:1]
    bthci_evt.service_data_past x16 /s18[6:2]
    bthci_evt.service_type x8 .service_type
    bthci_evt.short_range_mode_state bool /4c[4:1]
    bthci_evt.simple_pairing_mode u8 /0e.simple_pairing_mode
    bthci_evt.simple_pairing_options x8 /0e.simple_pairing_options
    bthci_evt.simple_pairing_options.remote_public_key_validation bool /0e.simple_pairing_options&1
    bthci_evt.simple_pairing_options.reserved x8 /0e.simple_pairing_options&fe
    bthci_evt.slot_durations x8 .slot_durations
    bthci_evt.slot_offset u16 /4e[9:2]
    bthci_evt.subrate_factor u16 /s23[6:2]
    bthci_evt.supported_switching_sample_rates x8 /0e.supported_switching_sampling_rates
    bthci_evt.supported_switching_sample_rates.1us_sampling_aod_rx bool /0e.supported_switching_sampling_rates&2
    bthci_evt.supported_switching_sample_rates.1us_switching_and_sampling_aoa_rx bool /0e.supported_switching_sampling_rates&4
    bthci_evt.supported_switching_sample_rates.1us_switching_aod_tx bool /0e.supported_switching_sampling_rates&1
    bthci_evt.supported_switching_sample_rates.reserved x8 /0e.supported_switching_sampling_rates&f8
    bthci_evt.sync_train_interval u16 /0e.sync_train_interval
    bthci_evt.sync_train_to u32 /0e.synchronization_train_timeout
    bthci_evt.test_scenario x8 /49,4a[3:1]
    bthci_evt.token_bucket_size u32 /21[12:4]
    bthci_evt.token_rate u32 .token_rate
    bthci_evt.total_bandwidth u32 /0e?ff@3=09?ff@4=14[7:4]
    bthci_evt.total_num_data_blocks x16 /48[2:2] /0e.total_num_data_blocks
    bthci_evt.transmit_power_level_8dpsk i8 /0e.tx_power_level_8dpsk
    bthci_evt.transmit_power_level_dqpsk i8 /0e.tx_power_level_dqpsk
    bthci_evt.transmit_power_level_flags.maximum_power bool /s21[9:1]&2
    bthci_evt.transmit_power_level_flags.minimum_power bool /s21[9:1]&1
    bthci_evt.transmit_power_level_flags.reserved x8 /s21[9:1]&fc
    bthci_evt.transmit_power_level_gfsk i8 /0e.tx_power_level_gfsk
    bthci_evt.vendor_codecs.item string =
    bthci_evt.vendor_codecs none /0e.num_supported_vendor_specific_codecs
    bthci_evt.vendor_codecs.item.codec_id x16 /0e.vendor_specific_codec_id&ffff0000
    bthci_evt.voice.air_coding_format u16 /0e.voice_setting&3
    bthci_evt.voice.input_coding u16 /0e.voice_setting&300
    bthci_evt.voice.input_data_format u16 /0e.voice_setting&c0
    bthci_evt.voice.input_sample_size u16 /0e.voice_setting&20
    bthci_evt.voice.linear_pcm_bit_pos u16 /0e.voice_setting&1c
    bthci_evt.voice.unused x16 /0e.voice_setting&fc00
    bthci_evt.which_clock x8 /4e[4:1]
    bthci_evt.window u16 /0e.inquiry_scan_window|page_scan_window
    bthci_evt.zone_entered x8 /s20[6:1]
    """
}
