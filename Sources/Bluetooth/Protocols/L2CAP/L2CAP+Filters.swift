extension L2CAP.DataFrames {
  static let filterFields: StaticString = """
    # L2CAP
    btl2cap protocol =
    btl2cap.length u16 =
    btl2cap.cid x16 =
    btl2cap.payload bytes =
    btl2cap.psm x16{psm} =
    btl2cap.service x16 =
    btl2cap.connect_in frame =
    btl2cap.control none =
    btl2cap.control_type x16{frame-type} =
    btl2cap.control_sar x16{sar} =
    btl2cap.control_reqseq u16 =
    btl2cap.control_txseq u16 =
    btl2cap.control_retransmissiondisable x16 =
    btl2cap.control_supervisory x16{supervisory} =
    btl2cap.sdulength u16 =
    btl2cap.le_sdu_length u16 =
    btl2cap.le_sdu.fragments none =
    btl2cap.le_sdu.fragment frame =
    btl2cap.le_sdu.fragment.count u32 =
    btl2cap.le_sdu.reassembled.length u32 =
    btl2cap.fcs x16 =
    """
}

extension L2CAP.SignalingCommands {
  static let filterFields: StaticString = """
    btl2cap.le_psm x16{psm} .spsm
    btl2cap.command none [0:1]
    btl2cap.cmd_code x8{signaling} [0:1]
    btl2cap.cmd_ident x8 [1:1]
    btl2cap.cmd_length u16 [2:2]
    btl2cap.scid x16 .source_cid /01?ff@4=02?ff@5=0[6:2]
    btl2cap.dcid x16 .destination_cid /01?ff@4=02?ff@5=0[8:2]
    btl2cap.result x16 /03,0d.result
    btl2cap.status x16 /03,0d.status
    btl2cap.conf_result x16 /05.result
    btl2cap.info_type x16 .info_type
    btl2cap.info_result x16 /0b.result
    btl2cap.move_result x16 /0f,10,13.result
    btl2cap.le_result x16 /15,18.result
    btl2cap.rej_reason x16 /01.reason
    btl2cap.option_type x8 /04,05.type
    btl2cap.option_length u8 /04,05.length
    btl2cap.option_mtu u16 /04,05,14,15,17,18.mtu
    btl2cap.option_flushto u16 /04,05.flush_timeout
    btl2cap.option_fcs x16 /04,05.fcs_type
    btl2cap.retransmissionmode x8 /04,05.mode
    btl2cap.txwindow u8 /04,05.txwindow_size
    btl2cap.maxtransmit u8 /04,05.max_transmit
    btl2cap.retransmittimeout u16 /04,05.retransmission_timeout
    btl2cap.monitortimeout u16 /04,05.monitor_timeout
    btl2cap.mps u16 .maximum_pdu_size|mps
    btl2cap.flags.continuation bool /04,05.continuation
    btl2cap.info_mtu u16 .connectionless_mtu
    btl2cap.min_interval u16 /12.interval_min
    btl2cap.max_interval u16 /12.interval_max
    btl2cap.slave_latency u16 /12.latency
    btl2cap.timeout_multiplier u16 /12.timeout
    btl2cap.initial_credits u16 .initial_credits
    btl2cap.credits u16 .credits
    btl2cap.sig_mtu u16 .actual_mtu
    btl2cap.cmd_data none /0b.info
    btl2cap.data bytes .echo_data
    btl2cap.ctrl_id x8 .controller_id
    btl2cap.dctrl_id x8 .destination_controller_id
    btl2cap.icid x16 .initiator_cid
    btl2cap.flags.reserved x16 /04,05[6:2]&fffe
    btl2cap.conf_param_option none .options
    btl2cap.option_flags x8 .flags
    btl2cap.option_servicetype x8 .service_type
    btl2cap.option_tokenrate u32 .token_rate
    btl2cap.option_tokenbsize u32 .token_bucket_size
    btl2cap.option_peakbandwidth u32 .peak_bandwidth
    btl2cap.option_latency u32 /04,05.latency
    btl2cap.option_delayvar u32 .delay_variation
    btl2cap.option_ident x8 .identifier
    btl2cap.option_sdu_size u16 .maximum_sdu_size
    btl2cap.option_sdu_arrival_time u32 .sdu_inter_arrival_time
    btl2cap.option_access_latency u32 .access_latency
    btl2cap.option_window u16 .max_window_size
    btl2cap.info_extfeatures none /0b?ff@4=02?ff@6=00?ff@7=00[8:4]
    btl2cap.info_flowcontrol u32 .extended_feature_mask&1
    btl2cap.info_retransmission u32 .extended_feature_mask&2
    btl2cap.info_bidirqos u32 .extended_feature_mask&4
    btl2cap.info_enh_retransmission u32 .extended_feature_mask&8
    btl2cap.info_streaming u32 .extended_feature_mask&10
    btl2cap.info_fcs u32 .extended_feature_mask&20
    btl2cap.info_flow_spec u32 .extended_feature_mask&40
    btl2cap.info_fixedchan u32 .extended_feature_mask&80
    btl2cap.info_window u32 .extended_feature_mask&100
    btl2cap.info_unicast u32 .extended_feature_mask&200
    btl2cap.info_fixedchans none /0b?ff@4=03?ff@6=00?ff@7=00[8:8]
    btl2cap.info_fixedchans_null u32 .fixed_channels&1
    btl2cap.info_fixedchans_signal u32 .fixed_channels&2
    btl2cap.info_fixedchans_connless u32 .fixed_channels&4
    btl2cap.info_fixedchans_amp_man u32 .fixed_channels&8
    btl2cap.info_fixedchans_amp_test u32 .fixed_channels&8000000000000000
    """
}
