extension LinkLayer.DataPDUs {
  static let filterFields: StaticString = """
    # Link Layer
    btle protocol =
    btle.access_address x32 ll[0:4]
    btle.length u8 adv[5:1] data[5:1]
    btle.advertising_header x16 adv[4:2]
    btle.advertising_header.pdu_type x8 adv[4:1]&0f
    btle.advertising_header.ch_sel bool adv/0,1,5[4:1]&20
    btle.advertising_header.randomized_tx bool adv/0,1,2,3,4,5,6[4:1]&40 adv/7,8?3f@6!00?01@7=01[4:1]&40
    btle.advertising_header.randomized_rx bool adv/1,3,5[4:1]&80 adv/7,8?3f@6!00?02@7=02[4:1]&80
    btle.advertising_header.length u8 adv[5:1]
    btle.advertising_address ether = ctl/1c.adv_a
    btle.scanning_address ether adv/3[6:6]
    btle.initiator_address ether adv/5[6:6]
    btle.target_address ether adv/1[12:6] adv/7,8?3f@6!00?02@7=02[8+6?01@7:6]
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
    btle.control_opcode x8{ll-control} ctl[6+1?20@4:1]
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
    btle.connection_parameters_in frame =
    btle.request_in_frame frame =
    btle.l2cap_index u32 =
    btle.l2cap_data none =
    btle.l2cap.reassembled.length u32 =
    btle_rf protocol =
    btle_rf.channel u8 rf[0:1]
    btle_rf.signal_dbm i8 =
    btle_rf.flags x16 rf[8:2]
    btle_rf.flags.crc_checked bool rf[8:2]&0400
    btle_rf.flags.crc_valid bool rf[8:2]&0800
    btle_rf.flags.decrypted bool rf[8:2]&0008
    btle_rf.phy u16 rf[8:2]&c000
    btle_rf.noise_dbm i8 rf?04@8=04[2:1]
    btle_rf.access_address_offenses u8 rf?20@8=20[3:1]
    btle_rf.reference_access_address x32 rf?10@8=10[4:4]
    btle_rf.signed_byte_unused i8 rf?02@8=0[1:1] rf?04@8=0[2:1]
    btle_rf.unsigned_byte_unused u8 rf?20@8=0[3:1]
    btle_rf.word_unused x32 rf?10@8=0[4:4]
    btle_rf.pdu_type u16 rf[8:2]&0380
    btle_rf.flags.dewhitened bool rf[8:2]&0001
    btle_rf.flags.signal_dbm_valid bool rf[8:2]&0002
    btle_rf.flags.noise_dbm_valid bool rf[8:2]&0004
    btle_rf.flags.reference_access_address_valid bool rf[8:2]&0010
    btle_rf.flags.access_address_offenses_valid bool rf[8:2]&0020
    btle_rf.flags.channel_aliased bool rf[8:2]&0040
    btle_rf.flags.mic_checked bool rf[8:2]&1000
    btle_rf.flags.mic_valid bool rf[8:2]&2000
    nordic_ble protocol =
    nordic_ble.channel u8 nordic[9:1]
    nordic_ble.rssi i8 =
    nordic_ble.flags x8 nordic[8:1]
    nordic_ble.crcok bool nordic[8:1]&01
    nordic_ble.packet_counter u16 nordic[4:2]
    nordic_ble.event_counter u16 nordic[11:2]
    btle.advertising_header.rfu.1 u8 adv[4:1]&10
    btle.advertising_header.rfu.2 u8 adv/2,3,4,6,7,8,9,a,b,c,d,e,f[4:1]&20
    btle.advertising_header.rfu.3 u8 adv/9,a,b,c,d,e,f[4:1]&40 adv/7,8?3f@6!00?01@7=00[4:1]&40 adv/7,8?3f@6=00[4:1]&40
    btle.advertising_header.rfu.4 u8 adv/0,2,4,6,9,a,b,c,d,e,f[4:1]&80 adv/7,8?3f@6!00?02@7=00[4:1]&80 adv/7,8?3f@6=00[4:1]&80
    btle.coding_indicator u8 rf?c0@9=80[14:1]&3 nordic?70@8=20[21:1]&3
    btle.link_layer_data none adv/5[18:1]
    btle.scan_responce_data bytes adv/4[12:*-3]
    btle.extended_advertising_header none adv/7,8[6:1]
    btle.extended_advertising_header.acad none =
    btle.extended_advertising_header.flags x8 adv/7,8?3f@6!00[7:1]
    btle.extended_advertising_header.flags.advertiser_address bool adv/7,8?3f@6!00[7:1]&01
    btle.extended_advertising_header.flags.target_address bool adv/7,8?3f@6!00[7:1]&02
    btle.extended_advertising_header.flags.cte_info bool adv/7,8?3f@6!00[7:1]&04
    btle.extended_advertising_header.advertiser_data_info bool adv/7,8?3f@6!00[7:1]&08
    btle.extended_advertising_header.flags.aux_pointer bool adv/7,8?3f@6!00[7:1]&10
    btle.extended_advertising_header.flags.sync_info bool adv/7,8?3f@6!00[7:1]&20
    btle.extended_advertising_header.flags.tx_power bool adv/7,8?3f@6!00[7:1]&40
    btle.extended_advertising_header.flags.reserved bool adv/7,8?3f@6!00[7:1]&80
    btle.extended_advertising_header.cte_info x8 adv/7,8?3f@6!00?04@7=04[8+6?01@7+6?02@7:1]
    btle.extended_advertising_header.cte_info.time x8 adv/7,8?3f@6!00?04@7=04[8+6?01@7+6?02@7:1]&1f
    btle.extended_advertising_header.cte_info.rfu x8 adv/7,8?3f@6!00?04@7=04[8+6?01@7+6?02@7:1]&20
    btle.extended_advertising_header.cte_info.type x8 adv/7,8?3f@6!00?04@7=04[8+6?01@7+6?02@7:1]&c0
    btle.extended_advertising.advertising_data_info x16 adv/7,8?3f@6!00?08@7=08[8+6?01@7+6?02@7+1?04@7:2]
    btle.extended_advertising.advertising_data_info.did x16 adv/7,8?3f@6!00?08@7=08[8+6?01@7+6?02@7+1?04@7:2]&0fff
    btle.extended_advertising.advertising_data_info.sid x16 adv/7,8?3f@6!00?08@7=08[8+6?01@7+6?02@7+1?04@7:2]&f000
    btle.extended_advertising.aux_pointer none adv/7,8?3f@6!00?10@7=10[8+6?01@7+6?02@7+1?04@7+2?08@7:3]
    btle.extended_advertising_header.aux_pointer.channel u8 adv/7,8?3f@6!00?10@7=10[8+6?01@7+6?02@7+1?04@7+2?08@7:1]&3f
    btle.extended_advertising_header.aux_pointer.ca bool adv/7,8?3f@6!00?10@7=10[8+6?01@7+6?02@7+1?04@7+2?08@7:1]&40
    btle.extended_advertising_header.aux_pointer.offset_units bool adv/7,8?3f@6!00?10@7=10[8+6?01@7+6?02@7+1?04@7+2?08@7:1]&80
    btle.extended_advertising_header.aux_pointer.aux_offset x16 adv/7,8?3f@6!00?10@7=10[9+6?01@7+6?02@7+1?04@7+2?08@7:2]&1fff
    btle.extended_advertising_header.aux_pointer.aux_phy u16 adv/7,8?3f@6!00?10@7=10[9+6?01@7+6?02@7+1?04@7+2?08@7:2]&e000
    btle.extended_advertising.sync_info none adv/7,8?3f@6!00?20@7=20[8+6?01@7+6?02@7+1?04@7+2?08@7+3?10@7:1]
    btle.extended_advertising_header.sync_info.sync_offset x16 adv/7,8?3f@6!00?20@7=20[8+6?01@7+6?02@7+1?04@7+2?08@7+3?10@7:2]&1fff
    btle.extended_advertising_header.sync_info.offset_units bool adv/7,8?3f@6!00?20@7=20[8+6?01@7+6?02@7+1?04@7+2?08@7+3?10@7:2]&2000
    btle.extended_advertising_header.sync_info.offset_adjust bool adv/7,8?3f@6!00?20@7=20[8+6?01@7+6?02@7+1?04@7+2?08@7+3?10@7:2]&4000
    btle.extended_advertising_header.sync_info.interval x16 adv/7,8?3f@6!00?20@7=20[10+6?01@7+6?02@7+1?04@7+2?08@7+3?10@7:2]
    btle.extended_advertising_header.sync_info.channel_map bytes adv/7,8?3f@6!00?20@7=20[12+6?01@7+6?02@7+1?04@7+2?08@7+3?10@7:5]
    btle.extended_advertising_header.sync_info.sleep_clock_accuracy u8 adv/7,8?3f@6!00?20@7=20[16+6?01@7+6?02@7+1?04@7+2?08@7+3?10@7:1]&e0
    btle.extended_advertising_header.sync_info.access_address x32 adv/7,8?3f@6!00?20@7=20[17+6?01@7+6?02@7+1?04@7+2?08@7+3?10@7:4]
    btle.extended_advertising_header.sync_info.crc_init x24 adv/7,8?3f@6!00?20@7=20[21+6?01@7+6?02@7+1?04@7+2?08@7+3?10@7:3]
    btle.extended_advertising_header.sync_info.event_counter u16 adv/7,8?3f@6!00?20@7=20[24+6?01@7+6?02@7+1?04@7+2?08@7+3?10@7:2]
    btle.extended_advertising_header.tx_power i8 adv/7,8?3f@6!00?40@7=40[8+6?01@7+6?02@7+1?04@7+2?08@7+3?10@7+18?20@7:1]
    btle.data_header.rfu u8 acl-le[4:1]&c0 cis[4:1]&a0 bis[4:1]&c0
    btle.data_header.cte_info x8 acl-le?20@4=20[6:1]
    btle.data_header.cte_info.time x8 acl-le?20@4=20[6:1]&1f
    btle.data_header.cte_info.rfu x8 acl-le?20@4=20[6:1]&20
    btle.data_header.cte_info.type x8 acl-le?20@4=20[6:1]&c0
    btle.control.feature_set.le_encryption bool ctl.feature_set&1
    btle.control.feature_set.connection_parameters_request_procedure bool ctl.feature_set&2
    btle.control.feature_set.extended_reject_indication bool ctl.feature_set&4
    btle.control.feature_set.slave_initiated_features_exchange bool ctl.feature_set&8
    btle.control.feature_set.le_ping bool ctl.feature_set&10
    btle.control.feature_set.le_pkt_len_ext bool ctl.feature_set&20
    btle.control.feature_set.le_privacy bool ctl.feature_set&40
    btle.control.feature_set.ext_scan_flt_pol bool ctl.feature_set&80
    btle.control.feature_set.le_2m_phy bool ctl.feature_set&100
    btle.control.feature_set.st_mod_idx_tx bool ctl.feature_set&200
    btle.control.feature_set.st_mod_idx_rx bool ctl.feature_set&400
    btle.control.feature_set.le_coded_phy bool ctl.feature_set&800
    btle.control.feature_set.le_extended_adv bool ctl.feature_set&1000
    btle.control.feature_set.periodic_adv bool ctl.feature_set&2000
    btle.control.feature_set.ch_sel_2 bool ctl.feature_set&4000
    btle.control.feature_set.le_power_class_1 bool ctl.feature_set&8000
    btle.control.feature_set.min_num_used_ch_proc bool ctl.feature_set&10000
    btle.control.feature_set.reserved_bits u8 ctl.feature_set&fe0000
    btle.control.feature_set.reserved bytes ctl?ff@6=08[10:5] ctl?ff@6=09[10:5] ctl?ff@6=0e[10:5]
    btle.control.slave_session_initialization_vector u64 ctl.iv_p
    btle.control.phys x8 ctl/19.phys ctl/1c.phy
    btle.control.phys.le_1m_phy bool ctl/16,17,18,19,1c.tx_phys|rx_phys|phy_c_to_p|phy_p_to_c|phys|phy&1
    btle.control.phys.le_2m_phy bool ctl/16,17,18,19,1c.tx_phys|rx_phys|phy_c_to_p|phy_p_to_c|phys|phy&2
    btle.control.phys.le_coded_phy bool ctl/16,17,18,19,1c.tx_phys|rx_phys|phy_c_to_p|phy_p_to_c|phys|phy&4
    btle.control.phys.reserved u8 ctl/16,17,18,19,1c.tx_phys|rx_phys|phy_c_to_p|phy_p_to_c|phys|phy&f8
    btle.control.cte.min_len_req u8 ctl.min_cte_len_req
    btle.control.cte.rfu u8 ctl?ff@6=1a[7:1]&20
    btle.control.cte.type_req u8 ctl.cte_type_req
    btle.control.sleep_clock_accuracy u8 ctl/1d,1e.sca
    btle.control.sync.id x16 ctl/1c.id
    btle.control.sync_info.sync_offset x16 ctl?ff@6=1c[9:2]&1fff
    btle.control.sync_info.offset_units bool ctl?ff@6=1c[9:2]&2000
    btle.control.sync_info.offset_adjust bool ctl?ff@6=1c[9:2]&4000
    btle.control.sync_info.interval x16 ctl?ff@6=1c[11:2]
    btle.control.sync_info.channel_map bytes ctl?ff@6=1c[13:5]
    btle.control.sync_info.sleep_clock_accuracy u8 ctl?ff@6=1c[17:1]&e0
    btle.control.sync_info.access_address x32 ctl?ff@6=1c[18:4]
    btle.control.sync_info.crc_init x24 ctl?ff@6=1c[22:3]
    btle.control.sync_info.event_counter u16 ctl?ff@6=1c[25:2]
    btle.control.sync.conn_event_count u16 ctl/1c.conn_event_count
    btle.control.sync.last_pa_event_counter u16 ctl/1c.last_pa_event_counter
    btle.control.sync.sid x8 ctl/1c.sid
    btle.control.sync.atype u8 ctl/1c.a_type
    btle.control.sync.sleep_clock_accuracy u8 ctl/1c.sca
    btle.control.sync.sync_conn_event_count u16 ctl/1c.sync_conn_event_count
    btle.control.m_to_s_phy.reserved u8 ctl/1f.phy_c_to_p&f8
    btle.control.s_to_m_phy.reserved u8 ctl/1f.phy_p_to_c&f8
    btle.control.rfu.1 u16 ctl?ff@6=1f[11:2]&7000
    btle.control.rfu.2 u16 ctl?ff@6=1f[13:2]&f000
    btle.control.rfu.3 u24 ctl?ff@6=1f[15:3]&f00000
    btle.control.rfu.4 u24 ctl?ff@6=1f[18:3]&f00000
    btle.control.pwr_phy x8 ctl/23,25.phy
    btle.control.pwr_phy.le_1m_phy bool ctl/23,25.phy&1
    btle.control.pwr_phy.le_2m_phy bool ctl/23,25.phy&2
    btle.control.pwr_phy.le_coded_s8_phy bool ctl/23,25.phy&4
    btle.control.pwr_phy.le_coded_s2_phy bool ctl/23,25.phy&8
    btle.control.pwr_phy.reserved u8 ctl/23,25.phy&f0
    btle.control.pwrflags x8 ctl?ff@6=24[7:1] ctl?ff@6=25[8:1]
    btle.control.min bool ctl.min
    btle.control.max bool ctl.max
    btle.control.pwrctrl.reserved u8 ctl?ff@6=24[7:1]&fc ctl?ff@6=25[8:1]&fc
    btle.control.delta i8 ctl.delta
    btle.control.txpower i8 ctl.tx_power
    btle.control.acceptable_power_reduction u8 ctl.apr
    nordic_ble.board_id u8 nordic[0:1]
    nordic_ble.legacy_marker x16be nordic?ff=be?ff@1=ef[0:2]
    nordic_ble.header none nordic[1:1]
    nordic_ble.hlen u8 nordic?ff@3=01[1:1]
    nordic_ble.plen u16 nordic?ff@3=01[2:1] nordic?ff@3!01[1:2]
    nordic_ble.protover u8 nordic[3:1]
    nordic_ble.packet_id u8 nordic[6:1]
    nordic_ble.len u16 nordic[7:1]
    nordic_ble.crc.bad none nordic?01@8=00[8:1]
    nordic_ble.direction bool nordic?ff@3=03?ff@6!02[8:1]&2 nordic?ff@3!03?ff@20!8e[8:1]&2 nordic?ff@3!03?ff@20=8e?ff@17!d6[8:1]&2
    nordic_ble.encrypted bool nordic?ff@3=03?ff@6!02[8:1]&4 nordic?ff@3!03?ff@20!8e[8:1]&4 nordic?ff@3!03?ff@20=8e?ff@17!d6[8:1]&4
    nordic_ble.micok bool nordic?ff@3=03?ff@6!02?04@8=04[8:1]&8 nordic?ff@3!03?ff@20!8e?04@8=04[8:1]&8 nordic?ff@3!03?ff@20=8e?ff@17!d6?04@8=04[8:1]&8
    nordic_ble.mic_not_relevant u8 nordic?ff@3=03?ff@6!02?04@8=00[8:1]&8 nordic?ff@3!03?ff@20!8e?04@8=00[8:1]&8 nordic?ff@3!03?ff@20=8e?ff@17!d6?04@8=00[8:1]&8
    nordic_ble.mic.bad none nordic?ff@3=03?ff@6!02?0c@8=04[8:1] nordic?ff@3!03?ff@20!8e?0c@8=04[8:1] nordic?ff@3!03?ff@20=8e?ff@17!d6?0c@8=04[8:1]
    nordic_ble.address_resolved bool nordic?ff@3=03?ff@6=02[8:1]&8 nordic?ff@3!03?ff@17=d6?ff@20=8e[8:1]&8
    nordic_ble.flag_reserved1 u8 nordic?ff@3=03?ff@6=02?fc@9=24?03@9!00[8:1]&2 nordic?ff@3!03?ff@17=d6?ff@20=8e?fc@9=24?03@9!00[8:1]&2
    nordic_ble.flag_reserved2 u8 nordic?ff@3=03?ff@6=02?fc@9=24?03@9!00[8:1]&4 nordic?ff@3!03?ff@17=d6?ff@20=8e?fc@9=24?03@9!00[8:1]&4
    nordic_ble.aux_type u8 nordic?ff@3=03?ff@6=02?fc@9!24[8:1]&6 nordic?ff@3!03?ff@17=d6?ff@20=8e?fc@9!24[8:1]&6 nordic?ff@3=03?ff@6=02?ff@9=24[8:1]&6 nordic?ff@3!03?ff@17=d6?ff@20=8e?ff@9=24[8:1]&6
    nordic_ble.phy u8 nordic[8:1]&70
    nordic_ble.flag_reserved7 u8 nordic[8:1]&80
    nordic_ble.time u32 nordic?ff@3=03[13:4]
    nordic_ble.packet_time u32 =
    nordic_ble.delta_time u32 nordic?ff@3!03[13:4] =
    nordic_ble.delta_time_ss u32 =
    """
}
