extension LMP {
  /// Parameters come after the opcode, least significant byte first (Core, Vol 2, Part C, 5.1).
  static let text: StaticString = """
    @initiator
      initiator:u8{lmp-initiator}
    @unknown
      ?+1(parameters:b*)
    @timing
      :bits8(timing_change:1 use_initialization_2:1 no_access_window:1 -:5)
    @features
      features:x64{lmp-features}
    @page
      features_page:u8 max_supported_page:u8 ?features_page==0(extended_features:x64{lmp-features})
      ?features_page==1(extended_features:x64{lmp-features-1}) ?features_page==2(extended_features:x64{lmp-features-2})
      ?features_page>=3(extended_features:x64)
    @version
      version_number:u8{version} company_id:u16{company} subversion_number:x16
    @sniff
      @timing d_sniff:u16*0.625ms t_sniff:u16*0.625ms sniff_attempt:u16 sniff_timeout:u16
    @hold
      hold_time:u16*0.625ms hold_instant:u32
    @subrating
      max_sniff_subrate:u8 min_sniff_mode_timeout:u16*0.625ms sniff_subrating_instant:u32
    @capabilities
      io_capabilities:u8{lmp-io-capabilities} oob_authentication_data:u8{lmp-oob}
      authentication_requirements:u8{authentication-requirements}
    @quality
      poll_interval:u16*0.625ms n_bc:u8
    @paging
      paging_scheme:u8{lmp-paging-scheme} paging_scheme_settings:u8{lmp-paging-settings}

    1 LMP_name_req
      name_offset:u8
    2 LMP_name_res
      name_offset:u8 name_length:u8 name_fragment:text14
    3 LMP_accepted
      accepted_opcode:u8{lmp-opcode}
    4 LMP_not_accepted
      refused_opcode:u8{lmp-opcode} error_code:u8{status}
    5 LMP_clkoffset_req
    6 LMP_clkoffset_res
      clock_offset:u16*1.25ms
    7 LMP_detach
      error_code:u8{status}
    8 LMP_in_rand
      random_number:b16
    9 LMP_comb_key
      key:b16!
    10 LMP_unit_key
      key:b16!
    11 LMP_au_rand
      random_number:b16
    12 LMP_sres
      authentication_response:b4
    13 LMP_temp_rand
      random_number:b16
    14 LMP_temp_key
      key:b16!
    15 LMP_encryption_mode_req
      encryption_mode:u8{lmp-encryption-mode}
    16 LMP_encryption_key_size_req
      key_size:u8
    17 LMP_start_encryption_req
      random_number:b16
    18 LMP_stop_encryption_req
    19 LMP_switch_req
      switch_instant:u32
    20 LMP_hold
      @hold
    21 LMP_hold_req
      @hold
    23 LMP_sniff_req
      @sniff
    24 LMP_unsniff_req
    31 LMP_incr_power_req
      -:u8
    32 LMP_decr_power_req
      -:u8
    33 LMP_max_power
    34 LMP_min_power
    35 LMP_auto_rate
    36 LMP_preferred_rate
      :bits8(no_fec:1 basic_rate_packets:2{lmp-packet-size} edr_rate:2{lmp-edr-rate} edr_packets:2{lmp-packet-size} -:1)
    37 LMP_version_req
      @version
    38 LMP_version_res
      @version
    39 LMP_features_req
      @features
    40 LMP_features_res
      @features
    41 LMP_quality_of_service
      @quality
    42 LMP_quality_of_service_req
      @quality
    43 LMP_SCO_link_req
      sco_handle:u8 @timing d_sco:u8*0.625ms t_sco:u8*0.625ms sco_packet:u8{lmp-sco-packet} air_mode:u8{air-mode}
    44 LMP_remove_SCO_link_req
      sco_handle:u8 error_code:u8{status}
    45 LMP_max_slot
      max_slots:u8
    46 LMP_max_slot_req
      max_slots:u8
    47 LMP_timing_accuracy_req
    48 LMP_timing_accuracy_res
      drift:u8*ppm jitter:u8*us
    49 LMP_setup_complete
    50 LMP_use_semi_permanent_key
    51 LMP_host_connection_req
    52 LMP_slot_offset
      slot_offset:u16*us bd_addr:addr
    53 LMP_page_mode_req
      @paging
    54 LMP_page_scan_mode_req
      @paging
    55 LMP_supervision_timeout
      supervision_timeout:u16*0.625ms
    56 LMP_test_activate
    57 LMP_test_control
      test_scenario:u8 hopping_mode:u8 tx_frequency:u8 rx_frequency:u8 power_control_mode:u8 poll_period:u8*1.25ms packet_type:u8
      length_of_test_data:u16
    58 LMP_encryption_key_size_mask_req
    59 LMP_encryption_key_size_mask_res
      key_size_mask:x16
    60 LMP_set_AFH
      afh_instant:u32 afh_mode:u8{lmp-afh-mode} afh_channel_map:b10
    61 LMP_encapsulated_header
      encapsulated_major_type:u8{lmp-encapsulated-major} encapsulated_minor_type:u8{lmp-encapsulated-minor}
      encapsulated_payload_length:u8
    62 LMP_encapsulated_payload
      encapsulated_data:b16
    63 LMP_Simple_Pairing_Confirm
      commitment_value:b16
    64 LMP_Simple_Pairing_Number
      nonce:b16
    65 LMP_DHkey_Check
      confirmation_value:b16
    66 LMP_pause_encryption_aes_req
      random_number:b16
    124 Escape 1
    125 Escape 2
    126 Escape 3
    127 Escape 4
    0x7f01 LMP_accepted_ext
      accepted_escape_opcode:u8{lmp-opcode} accepted_extended_opcode:u8{lmp-extended-opcode}
    0x7f02 LMP_not_accepted_ext
      refused_escape_opcode:u8{lmp-opcode} refused_extended_opcode:u8{lmp-extended-opcode} error_code:u8{status}
    0x7f03 LMP_features_req_ext
      @page
    0x7f04 LMP_features_res_ext
      @page
    0x7f05 LMP_clk_adj
      clk_adj_id:u8 clk_adj_instant:u32 clk_adj_us:i16*us clk_adj_slots:u8*0.625ms clk_adj_mode:u8{lmp-clk-adj-mode} clk_adj_clk:u32
    0x7f06 LMP_clk_adj_ack
      clk_adj_id:u8
    0x7f07 LMP_clk_adj_req
      clk_adj_us:i16*us clk_adj_slots:u8*0.625ms clk_adj_period:u8
    0x7f0b LMP_packet_type_table_req
      packet_type_table:u8{lmp-packet-type-table}
    0x7f0c LMP_eSCO_link_req
      esco_handle:u8 esco_lt_addr:u8 @timing d_esco:u8*0.625ms t_esco:u8*0.625ms w_esco:u8*0.625ms
      central_packet_type:u8{lmp-esco-packet} peripheral_packet_type:u8{lmp-esco-packet} central_packet_length:u16
      peripheral_packet_length:u16 air_mode:u8{air-mode} negotiation_state:u8{lmp-negotiation}
    0x7f0d LMP_remove_eSCO_link_req
      esco_handle:u8 error_code:u8{status}
    0x7f10 LMP_channel_classification_req
      afh_reporting_mode:u8{lmp-afh-reporting} afh_min_interval:u16*0.625ms afh_max_interval:u16*0.625ms
    0x7f11 LMP_channel_classification
      afh_channel_classification:b10
    0x7f15 LMP_sniff_subrating_req
      @subrating
    0x7f16 LMP_sniff_subrating_res
      @subrating
    0x7f17 LMP_pause_encryption_req
    0x7f18 LMP_resume_encryption_req
    0x7f19 LMP_IO_Capability_req
      @capabilities
    0x7f1a LMP_IO_Capability_res
      @capabilities
    0x7f1b LMP_numeric_comparison_failed
    0x7f1c LMP_passkey_failed
    0x7f1d LMP_oob_failed
    0x7f1e LMP_keypress_notification
      notification_type:u8{lmp-keypress}
    0x7f1f LMP_power_control_req
      power_adjustment_request:u8{lmp-power-request}
    0x7f20 LMP_power_control_res
      :bits8(gfsk:2{lmp-power-response} dqpsk:2{lmp-power-response} dpsk:2{lmp-power-response} -:2)
    0x7f21 LMP_ping_req
    0x7f22 LMP_ping_res
    0x7f23 LMP_SAM_set_type0
      update_mode:u8{lmp-sam-update} sam_type0_submap:b14
    0x7f24 LMP_SAM_define_map
      sam_index:u8 t_sam_sm:u8*0.625ms n_sam_sm:u8 sam_submaps:b12
    0x7f25 LMP_SAM_switch
      sam_index:u8 @timing d_sam:u8 sam_instant:u32
    """

  static let enumerationText: StaticString = """
    enum lmp-initiator
      0 central
      1 peripheral
    enum lmp-encryption-mode
      0 off
      1 on
      2 on, as devices before version 1.2 say it
    enum lmp-packet-size
      0 no preference
      1 1 slot
      2 3 slots
      3 5 slots
    enum lmp-edr-rate
      0 dm1
      1 2 mb/s
      2 3 mb/s
    enum lmp-sco-packet
      0 hv1
      1 hv2
      2 hv3
    enum lmp-paging-scheme
      0 mandatory
    enum lmp-paging-settings
      0 r0
      1 r1
      2 r2
    enum lmp-afh-mode
      0 disabled
      1 enabled
    enum lmp-afh-reporting
      0 disabled
      1 enabled
    enum lmp-encapsulated-major
      1 public key
    enum lmp-encapsulated-minor
      1 p-192
      2 p-256
    enum lmp-clk-adj-mode
      0 before the instant
      1 after the instant
    enum lmp-packet-type-table
      0 1 mb/s
      1 2 and 3 mb/s
    enum lmp-esco-packet
      0x00 none
      0x07 ev3
      0x0c ev4
      0x0d ev5
      0x26 2-ev3
      0x2c 2-ev5
      0x37 3-ev3
      0x3d 3-ev5
    enum lmp-negotiation
      0 begun
      1 possible, others preferred
      2 reserved slot violation
      3 latency violation
      4 not supported
    enum lmp-io-capabilities
      0 display only
      1 display yes/no
      2 keyboard only
      3 no input, no output
    enum lmp-oob
      0 none received
      1 received
    enum lmp-keypress
      0 passkey entry started
      1 digit entered
      2 digit erased
      3 cleared
      4 passkey entry completed
    enum lmp-power-request
      0 one step down
      1 one step up
      2 to the maximum
    enum lmp-power-response
      0 not supported
      1 changed one step
      2 maximum
      3 minimum
    enum lmp-sam-update
      0 slot maps with type 0 submaps are invalid
      1 at once
      2 at the next sub-interval
    """
}
