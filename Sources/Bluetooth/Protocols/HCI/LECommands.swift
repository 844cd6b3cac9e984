extension HCI {
  /// The commands of the LE controller (Core, Vol 4, Part E, 7.8), up to Core 6.0.
  static let leCommandText: StaticString = """
    @advertising-parameters
      primary_advertising_interval_min:u24*0.625ms primary_advertising_interval_max:u24*0.625ms
      primary_advertising_channel_map:x8{advertising-channels} own_address_type:u8{own-address-type}
      peer_address_type:u8{address-type} peer_address:addr(peer_address_type)
      advertising_filter_policy:u8{advertising-filter} advertising_tx_power:i8{any-power}*dBm primary_advertising_phy:u8{phy}
      secondary_advertising_max_skip:u8 secondary_advertising_phy:u8{phy} advertising_sid:u8 scan_request_notification_enable:bool
    @connection
      connection_interval_min:u16*1.25ms<6..3200> connection_interval_max:u16*1.25ms<6..3200> max_latency:u16<0..499>
      supervision_timeout:u16*10ms<10..3200> min_ce_length:u16*0.625ms max_ce_length:u16*0.625ms
    @connection-rate
      connection_interval_min:u16*0.125ms connection_interval_max:u16*0.125ms subrate_min:u16 subrate_max:u16 max_latency:u16
      continuation_number:u16 supervision_timeout:u16*10ms min_ce_length:u16*0.125ms max_ce_length:u16*0.125ms
    @create
      initiator_filter_policy:u8{initiator-filter} own_address_type:u8{own-address-type} peer_address_type:u8{address-type}
      peer_address:addr(peer_address_type) initiating_phys:x8{phys}
      phys[#initiating_phys]:(scan_interval:u16*0.625ms scan_window:u16*0.625ms @connection)
    @cig
      cig_id:u8 sdu_interval_c_to_p:u24*us sdu_interval_p_to_c:u24*us
    @path
      connection_handle:u16{handle} data_path_direction:u8{path-direction}

    0x2001 LE Set Event Mask
      le_event_mask:x64{le-event-mask}
      = @status
    0x2002 LE Read Buffer Size
      = status:u8{status} le_acl_data_packet_length:u16 total_num_le_acl_data_packets:u8
    0x2003 LE Read Local Supported Features
      = status:u8{status} le_features:x64{le-features}
    0x2005 LE Set Random Address
      random_address:raddr
      = @status
    0x2006 LE Set Advertising Parameters
      advertising_interval_min:u16*0.625ms<32..16384> advertising_interval_max:u16*0.625ms<32..16384>
      advertising_type:u8{advertising-type} own_address_type:u8{own-address-type} peer_address_type:u8{address-type}
      peer_address:addr(peer_address_type) advertising_channel_map:x8{advertising-channels}
      advertising_filter_policy:u8{advertising-filter}
      = @status
    0x2007 LE Read Advertising Physical Channel Tx Power
      = status:u8{status} tx_power_level:i8*dBm
    0x2008 LE Set Advertising Data
      advertising_data_length:u8<0..31> advertising_data:ad(advertising_data_length) ?+1(-:b*)
      = @status
    0x2009 LE Set Scan Response Data
      scan_response_data_length:u8<0..31> scan_response_data:ad(scan_response_data_length) ?+1(-:b*)
      = @status
    0x200a LE Set Advertising Enable
      advertising_enable:bool
      = @status
    0x200b LE Set Scan Parameters
      le_scan_type:u8{scan-kind} le_scan_interval:u16*0.625ms<4..16384> le_scan_window:u16*0.625ms<4..16384>
      own_address_type:u8{own-address-type} scanning_filter_policy:u8{scanning-filter}
      = @status
    0x200c LE Set Scan Enable
      le_scan_enable:bool filter_duplicates:bool
      = @status
    0x200d LE Create Connection
      le_scan_interval:u16*0.625ms<4..16384> le_scan_window:u16*0.625ms<4..16384> initiator_filter_policy:u8{initiator-filter}
      peer_address_type:u8{address-type} peer_address:addr(peer_address_type) own_address_type:u8{own-address-type} @connection
    0x200e LE Create Connection Cancel
      = @status
    0x200f LE Read Filter Accept List Size
      = status:u8{status} filter_accept_list_size:u8
    0x2010 LE Clear Filter Accept List
      = @status
    0x2011 LE Add Device To Filter Accept List
      address_type:u8{address-type} address:addr(address_type)
      = @status
    0x2012 LE Remove Device From Filter Accept List
      address_type:u8{address-type} address:addr(address_type)
      = @status
    0x2013 LE Connection Update
      connection_handle:u16{handle} @connection
    0x2014 LE Set Host Channel Classification
      channel_map:b5
      = @status
    0x2015 LE Read Channel Map
      @handle
      = status:u8{status} connection_handle:u16{handle} channel_map:b5
    0x2016 LE Read Remote Features
      @handle
    0x2017 LE Encrypt
      key:b16! plaintext_data:b16!
      = status:u8{status} encrypted_data:b16!
    0x2018 LE Rand
      = status:u8{status} random_number:x64!
    0x2019 LE Enable Encryption
      connection_handle:u16{handle} random_number:x64! encrypted_diversifier:x16 long_term_key:b16!
    0x201a LE Long Term Key Request Reply
      connection_handle:u16{handle} long_term_key:b16!
      = @status-handle
    0x201b LE Long Term Key Request Negative Reply
      @handle
      = @status-handle
    0x201c LE Read Supported States
      = status:u8{status} le_states:x64
    0x201d LE Receiver Test
      rx_channel:u8
      = @status
    0x201e LE Transmitter Test
      tx_channel:u8 test_data_length:u8 packet_payload:u8{test-payload}
      = @status
    0x201f LE Test End
      = status:u8{status} num_packets:u16
    0x2020 LE Remote Connection Parameter Request Reply
      connection_handle:u16{handle} interval_min:u16*1.25ms<6..3200> interval_max:u16*1.25ms<6..3200> max_latency:u16<0..499>
      timeout:u16*10ms<10..3200> min_ce_length:u16*0.625ms max_ce_length:u16*0.625ms
      = @status-handle
    0x2021 LE Remote Connection Parameter Request Negative Reply
      connection_handle:u16{handle} reason:x8{status}
      = @status-handle
    0x2022 LE Set Data Length
      connection_handle:u16{handle} tx_octets:u16<27..251> tx_time:u16*us<328..17040>
      = @status-handle
    0x2023 LE Read Suggested Default Data Length
      = status:u8{status} suggested_max_tx_octets:u16 suggested_max_tx_time:u16*us
    0x2024 LE Write Suggested Default Data Length
      suggested_max_tx_octets:u16<27..251> suggested_max_tx_time:u16*us<328..17040>
      = @status
    0x2025 LE Read Local P-256 Public Key
    0x2026 LE Generate DHKey
      key_x_coordinate:b32! key_y_coordinate:b32!
    0x2027 LE Add Device To Resolving List
      peer_identity_address_type:u8{address-type} peer_identity_address:addr(peer_identity_address_type) peer_irk:b16! local_irk:b16!
      = @status
    0x2028 LE Remove Device From Resolving List
      peer_identity_address_type:u8{address-type} peer_identity_address:addr(peer_identity_address_type)
      = @status
    0x2029 LE Clear Resolving List
      = @status
    0x202a LE Read Resolving List Size
      = status:u8{status} resolving_list_size:u8
    0x202b LE Read Peer Resolvable Address
      peer_identity_address_type:u8{address-type} peer_identity_address:addr(peer_identity_address_type)
      = status:u8{status} peer_resolvable_address:raddr
    0x202c LE Read Local Resolvable Address
      peer_identity_address_type:u8{address-type} peer_identity_address:addr(peer_identity_address_type)
      = status:u8{status} local_resolvable_address:raddr
    0x202d LE Set Address Resolution Enable
      address_resolution_enable:bool
      = @status
    0x202e LE Set Resolvable Private Address Timeout
      rpa_timeout:u16*s<1..3600>
      = @status
    0x202f LE Read Maximum Data Length
      = status:u8{status} supported_max_tx_octets:u16 supported_max_tx_time:u16*us supported_max_rx_octets:u16
      supported_max_rx_time:u16*us
    0x2030 LE Read PHY
      @handle
      = status:u8{status} connection_handle:u16{handle} tx_phy:u8{phy} rx_phy:u8{phy}
    0x2031 LE Set Default PHY
      all_phys:x8{all-phys} tx_phys:x8{phys} rx_phys:x8{phys}
      = @status
    0x2032 LE Set PHY
      connection_handle:u16{handle} all_phys:x8{all-phys} tx_phys:x8{phys} rx_phys:x8{phys} phy_options:u16{phy-options}
    0x2033 LE Receiver Test [v2]
      rx_channel:u8 phy:u8{phy} modulation_index:u8
      = @status
    0x2034 LE Transmitter Test [v2]
      tx_channel:u8 test_data_length:u8 packet_payload:u8{test-payload} phy:u8
      = @status
    0x2035 LE Set Advertising Set Random Address
      advertising_handle:u8 random_address:raddr
      = @status
    0x2036 LE Set Extended Advertising Parameters
      advertising_handle:u8 advertising_event_properties:x16{advertising-properties} @advertising-parameters
      = status:u8{status} selected_tx_power:i8*dBm
    0x2037 LE Set Extended Advertising Data
      advertising_handle:u8 operation:u8{advertising-operation} fragment_preference:u8 advertising_data_length:u8<0..251>
      advertising_data:ad(advertising_data_length)
      = @status
    0x2038 LE Set Extended Scan Response Data
      advertising_handle:u8 operation:u8{advertising-operation} fragment_preference:u8 scan_response_data_length:u8<0..251>
      scan_response_data:ad(scan_response_data_length)
      = @status
    0x2039 LE Set Extended Advertising Enable
      enable:bool num_sets:u8
      sets[num_sets]:(advertising_handle:u8 duration:u16*10ms max_extended_advertising_events:u8)
      = @status
    0x203a LE Read Maximum Advertising Data Length
      = status:u8{status} max_advertising_data_length:u16
    0x203b LE Read Number of Supported Advertising Sets
      = status:u8{status} num_supported_advertising_sets:u8
    0x203c LE Remove Advertising Set
      advertising_handle:u8
      = @status
    0x203d LE Clear Advertising Sets
      = @status
    0x203e LE Set Periodic Advertising Parameters
      advertising_handle:u8 periodic_advertising_interval_min:u16*1.25ms periodic_advertising_interval_max:u16*1.25ms
      periodic_advertising_properties:x16{periodic-properties}
      = @status
    0x203f LE Set Periodic Advertising Data
      advertising_handle:u8 operation:u8{advertising-operation} advertising_data_length:u8 advertising_data:ad(advertising_data_length)
      = @status
    0x2040 LE Set Periodic Advertising Enable
      enable:x8{periodic-enable} advertising_handle:u8
      = @status
    0x2041 LE Set Extended Scan Parameters
      own_address_type:u8{own-address-type} scanning_filter_policy:u8{scanning-filter} scanning_phys:x8{phys}
      phys[#scanning_phys]:(scan_type:u8{scan-kind} scan_interval:u16*0.625ms scan_window:u16*0.625ms)
      = @status
    0x2042 LE Set Extended Scan Enable
      enable:bool filter_duplicates:u8{filter-duplicates} duration:u16*10ms period:u16*1.28s
      = @status
    0x2043 LE Extended Create Connection
      @create
    0x2044 LE Periodic Advertising Create Sync
      options:x8{sync-options} advertising_sid:u8 advertiser_address_type:u8{address-type}
      advertiser_address:addr(advertiser_address_type) skip:u16 sync_timeout:u16*10ms sync_cte_type:x8{sync-cte-type}
    0x2045 LE Periodic Advertising Create Sync Cancel
      = @status
    0x2046 LE Periodic Advertising Terminate Sync
      sync_handle:u16{handle}
      = @status
    0x2047 LE Add Device To Periodic Advertiser List
      advertiser_address_type:u8{address-type} advertiser_address:addr(advertiser_address_type) advertising_sid:u8
      = @status
    0x2048 LE Remove Device From Periodic Advertiser List
      advertiser_address_type:u8{address-type} advertiser_address:addr(advertiser_address_type) advertising_sid:u8
      = @status
    0x2049 LE Clear Periodic Advertiser List
      = @status
    0x204a LE Read Periodic Advertiser List Size
      = status:u8{status} periodic_advertiser_list_size:u8
    0x204b LE Read Transmit Power
      = status:u8{status} min_tx_power:i8*dBm max_tx_power:i8*dBm
    0x204c LE Read RF Path Compensation
      = status:u8{status} rf_tx_path_compensation_value:i16*0.1dB rf_rx_path_compensation_value:i16*0.1dB
    0x204d LE Write RF Path Compensation
      rf_tx_path_compensation_value:i16*0.1dB rf_rx_path_compensation_value:i16*0.1dB
      = @status
    0x204e LE Set Privacy Mode
      peer_identity_address_type:u8{address-type} peer_identity_address:addr(peer_identity_address_type) privacy_mode:u8{privacy-mode}
      = @status
    0x204f LE Receiver Test [v3]
    0x2050 LE Transmitter Test [v3]
    0x2051 LE Set Connectionless CTE Transmit Parameters
      advertising_handle:u8 cte_length:u8*8us cte_type:u8{cte-type} cte_count:u8 switching_pattern_length:u8
      antenna_ids[switching_pattern_length]:u8
      = @status
    0x2052 LE Set Connectionless CTE Transmit Enable
      advertising_handle:u8 cte_enable:bool
      = @status
    0x2053 LE Set Connectionless IQ Sampling Enable
      sync_handle:u16{handle} sampling_enable:bool slot_durations:u8 max_sampled_ctes:u8 switching_pattern_length:u8
      antenna_ids[switching_pattern_length]:u8
      = status:u8{status} sync_handle:u16{handle}
    0x2054 LE Set Connection CTE Receive Parameters
      connection_handle:u16{handle} sampling_enable:bool slot_durations:u8 switching_pattern_length:u8
      antenna_ids[switching_pattern_length]:u8
      = @status-handle
    0x2055 LE Set Connection CTE Transmit Parameters
      connection_handle:u16{handle} cte_types:x8 switching_pattern_length:u8 antenna_ids[switching_pattern_length]:u8
      = @status-handle
    0x2056 LE Connection CTE Request Enable
      connection_handle:u16{handle} enable:bool cte_request_interval:u16 requested_cte_length:u8*8us requested_cte_type:u8{cte-type}
      = @status-handle
    0x2057 LE Connection CTE Response Enable
      connection_handle:u16{handle} enable:bool
      = @status-handle
    0x2058 LE Read Antenna Information
      = status:u8{status} supported_switching_sampling_rates:x8 num_antennae:u8 max_switching_pattern_length:u8 max_cte_length:u8*8us
    0x2059 LE Set Periodic Advertising Receive Enable
      sync_handle:u16{handle} enable:x8
      = @status
    0x205a LE Periodic Advertising Sync Transfer
      connection_handle:u16{handle} service_data:x16 sync_handle:u16{handle}
      = @status-handle
    0x205b LE Periodic Advertising Set Info Transfer
      connection_handle:u16{handle} service_data:x16 advertising_handle:u8
      = @status-handle
    0x205c LE Set Periodic Advertising Sync Transfer Parameters
      connection_handle:u16{handle} mode:u8 skip:u16 sync_timeout:u16*10ms cte_type:x8{sync-cte-type}
      = @status-handle
    0x205d LE Set Default Periodic Advertising Sync Transfer Parameters
      mode:u8 skip:u16 sync_timeout:u16*10ms cte_type:x8{sync-cte-type}
      = @status
    0x205e LE Generate DHKey [v2]
      key_x_coordinate:b32! key_y_coordinate:b32! key_type:u8
    0x205f LE Modify Sleep Clock Accuracy
      action:u8
      = @status
    0x2060 LE Read Buffer Size [v2]
      = status:u8{status} le_acl_data_packet_length:u16 total_num_le_acl_data_packets:u8 iso_data_packet_length:u16
      total_num_iso_data_packets:u8
    0x2061 LE Read ISO TX Sync
      @handle
      = status:u8{status} connection_handle:u16{handle} packet_sequence_number:u16 tx_time_stamp:u32*us time_offset:u24*us
    0x2062 LE Set CIG Parameters
      @cig worst_case_sca:u8{clock-accuracy} packing:u8{packing} framing:u8{framing} max_transport_latency_c_to_p:u16*ms
      max_transport_latency_p_to_c:u16*ms cis_count:u8
      cis[cis_count]:(cis_id:u8 max_sdu_c_to_p:u16 max_sdu_p_to_c:u16 phy_c_to_p:x8{phys} phy_p_to_c:x8{phys} rtn_c_to_p:u8
        rtn_p_to_c:u8)
      = status:u8{status} cig_id:u8 cis_count:u8 connection_handle[cis_count]:u16{handle}
    0x2063 LE Set CIG Parameters Test
      @cig ft_c_to_p:u8 ft_p_to_c:u8 iso_interval:u16*1.25ms worst_case_sca:u8{clock-accuracy} packing:u8{packing}
      framing:u8{framing} cis_count:u8
      cis[cis_count]:(cis_id:u8 nse:u8 max_sdu_c_to_p:u16 max_sdu_p_to_c:u16 max_pdu_c_to_p:u16 max_pdu_p_to_c:u16
        phy_c_to_p:x8{phys} phy_p_to_c:x8{phys} bn_c_to_p:u8 bn_p_to_c:u8)
      = status:u8{status} cig_id:u8 cis_count:u8 connection_handle[cis_count]:u16{handle}
    0x2064 LE Create CIS
      cis_count:u8 cis[cis_count]:(cis_connection_handle:u16{handle} acl_connection_handle:u16{handle})
    0x2065 LE Remove CIG
      cig_id:u8
      = status:u8{status} cig_id:u8
    0x2066 LE Accept CIS Request
      @handle
    0x2067 LE Reject CIS Request
      connection_handle:u16{handle} reason:x8{status}
      = @status-handle
    0x2068 LE Create BIG
      big_handle:u8 advertising_handle:u8 num_bis:u8 sdu_interval:u24*us max_sdu:u16 max_transport_latency:u16*ms rtn:u8 phy:x8{phys}
      packing:u8{packing} framing:u8{framing} encryption:bool broadcast_code:b16!
    0x2069 LE Create BIG Test
      big_handle:u8 advertising_handle:u8 num_bis:u8 sdu_interval:u24*us iso_interval:u16*1.25ms nse:u8 max_sdu:u16 max_pdu:u16
      phy:x8{phys} packing:u8{packing} framing:u8{framing} bn:u8 irc:u8 pto:u8 encryption:bool broadcast_code:b16!
    0x206a LE Terminate BIG
      big_handle:u8 reason:x8{status}
    0x206b LE BIG Create Sync
      big_handle:u8 sync_handle:u16{handle} encryption:bool broadcast_code:b16! mse:u8 big_sync_timeout:u16*10ms num_bis:u8
      bis[num_bis]:u8
    0x206c LE BIG Terminate Sync
      big_handle:u8
      = status:u8{status} big_handle:u8
    0x206d LE Request Peer SCA
      @handle
    0x206e LE Setup ISO Data Path
      @path data_path_id:u8 codec_id:@coding controller_delay:u24*us codec_configuration_length:u8
      codec_configuration:b(codec_configuration_length)
      = @status-handle
    0x206f LE Remove ISO Data Path
      connection_handle:u16{handle} data_path_direction:x8
      = @status-handle
    0x2070 LE ISO Transmit Test
      connection_handle:u16{handle} payload_type:u8
      = @status-handle
    0x2071 LE ISO Receive Test
      connection_handle:u16{handle} payload_type:u8
      = @status-handle
    0x2072 LE ISO Read Test Counters
      @handle
      = status:u8{status} connection_handle:u16{handle} received_sdu_count:u32 missed_sdu_count:u32 failed_sdu_count:u32
    0x2073 LE ISO Test End
      @handle
      = status:u8{status} connection_handle:u16{handle} received_sdu_count:u32 missed_sdu_count:u32 failed_sdu_count:u32
    0x2074 LE Set Host Feature
      bit_number:u8 bit_value:u8
      = @status
    0x2075 LE Read ISO Link Quality
      @handle
      = status:u8{status} connection_handle:u16{handle} tx_unacked_packets:u32 tx_flushed_packets:u32 tx_last_subevent_packets:u32
      retransmitted_packets:u32 crc_error_packets:u32 rx_unreceived_packets:u32 duplicate_packets:u32
    0x2076 LE Enhanced Read Transmit Power Level
      connection_handle:u16{handle} phy:u8{power-phy}
      = status:u8{status} connection_handle:u16{handle} phy:u8{power-phy} current_tx_power_level:i8{no-power}*dBm max_tx_power_level:i8*dBm
    0x2077 LE Read Remote Transmit Power Level
      connection_handle:u16{handle} phy:u8{power-phy}
    0x2078 LE Set Path Loss Reporting Parameters
      connection_handle:u16{handle} high_threshold:u8*dB high_hysteresis:u8*dB low_threshold:u8*dB low_hysteresis:u8*dB
      min_time_spent:u16
      = @status-handle
    0x2079 LE Set Path Loss Reporting Enable
      connection_handle:u16{handle} enable:bool
      = @status-handle
    0x207a LE Set Transmit Power Reporting Enable
      connection_handle:u16{handle} local_enable:bool remote_enable:bool
      = @status-handle
    0x207b LE Transmitter Test [v4]
    0x207c LE Set Data Related Address Changes
      advertising_handle:u8 change_reasons:x8
      = @status
    0x207d LE Set Default Subrate
      subrate_min:u16 subrate_max:u16 max_latency:u16 continuation_number:u16 supervision_timeout:u16*10ms
      = @status
    0x207e LE Subrate Request
      connection_handle:u16{handle} subrate_min:u16 subrate_max:u16 max_latency:u16 continuation_number:u16
      supervision_timeout:u16*10ms
    0x207f LE Set Extended Advertising Parameters [v2]
      advertising_handle:u8 advertising_event_properties:x16{advertising-properties} @advertising-parameters
      primary_advertising_phy_options:u8{phy-options} secondary_advertising_phy_options:u8{phy-options}
      = status:u8{status} selected_tx_power:i8*dBm
    0x2080 LE Set Decision Data
      advertising_handle:u8 decision_type_flags:x8 decision_data_length:u8 decision_data:b(decision_data_length)
      = @status
    0x2081 LE Set Decision Instructions
      num_tests:u8 tests[num_tests]:(test_flags:x8 test_field:u8 test_parameters:b16)
      = @status
    0x2082 LE Set Periodic Advertising Subevent Data
      advertising_handle:u8 num_subevents:u8
      subevents[num_subevents]:(subevent:u8 response_slot_start:u8 response_slot_count:u8 subevent_data_length:u8
        subevent_data:ad(subevent_data_length))
      = status:u8{status} advertising_handle:u8
    0x2083 LE Set Periodic Advertising Response Data
      sync_handle:u16{handle} request_event:u16 request_subevent:u8 response_subevent:u8 response_slot:u8 response_data_length:u8
      response_data:ad(response_data_length)
      = status:u8{status} sync_handle:u16{handle}
    0x2084 LE Set Periodic Sync Subevent
      sync_handle:u16{handle} periodic_advertising_properties:x16{periodic-properties} num_subevents:u8 subevent[num_subevents]:u8
      = status:u8{status} sync_handle:u16{handle}
    0x2085 LE Extended Create Connection [v2]
      advertising_handle:u8 subevent:u8 @create
    0x2086 LE Set Periodic Advertising Parameters [v2]
      advertising_handle:u8 periodic_advertising_interval_min:u16*1.25ms periodic_advertising_interval_max:u16*1.25ms
      periodic_advertising_properties:x16{periodic-properties} num_subevents:u8 subevent_interval:u8*1.25ms
      response_slot_delay:u8*1.25ms response_slot_spacing:u8*0.125ms num_response_slots:u8
      = status:u8{status} advertising_handle:u8
    0x2087 LE Read All Local Supported Features
      = status:u8{status} max_page:u8 le_features:b248
    0x2088 LE Read All Remote Features
      connection_handle:u16{handle} pages_requested:u8
    0x2089 LE CS Read Local Supported Capabilities
      = status:u8{status} @cs-capabilities
    0x208a LE CS Read Remote Supported Capabilities
      @handle
    0x208b LE CS Write Cached Remote Supported Capabilities
      connection_handle:u16{handle} @cs-capabilities
      = @status-handle
    0x208c LE CS Security Enable
      @handle
    0x208d LE CS Set Default Settings
      connection_handle:u16{handle} role_enable:x8{cs-roles} cs_sync_antenna_selection:u8{cs-antenna-selection} max_tx_power:i8*dBm
      = @status-handle
    0x208e LE CS Read Remote FAE Table
      @handle
    0x208f LE CS Write Cached Remote FAE Table
      connection_handle:u16{handle} remote_fae_table:b72
      = @status-handle
    0x2090 LE CS Create Config
      connection_handle:u16{handle} config_id:u8 create_context:u8{cs-create-context} main_mode_type:u8{cs-mode}
      sub_mode_type:u8{cs-mode} min_main_mode_steps:u8 max_main_mode_steps:u8 main_mode_repetition:u8 mode_0_steps:u8
      role:u8{cs-role} rtt_type:u8{cs-rtt-type} cs_sync_phy:u8{cs-sync-phy} channel_map:b10 channel_map_repetition:u8
      channel_selection_type:u8{cs-channel-selection} ch3c_shape:u8{cs-ch3c-shape} ch3c_jump:u8 cs_enhancements_1:x8
    0x2091 LE CS Remove Config
      connection_handle:u16{handle} config_id:u8
    0x2092 LE CS Set Channel Classification
      channel_classification:b10
      = @status
    0x2093 LE CS Set Procedure Parameters
      connection_handle:u16{handle} config_id:u8 max_procedure_len:u16*0.625ms min_procedure_interval:u16 max_procedure_interval:u16
      max_procedure_count:u16 min_subevent_len:u24*us max_subevent_len:u24*us tone_antenna_config_selection:u8 phy:u8{cs-phy}
      tx_power_delta:i8{cs-power-delta}*dB preferred_peer_antenna:x8 snr_control_initiator:u8{cs-snr-control}
      snr_control_reflector:u8{cs-snr-control}
      = @status-handle
    0x2094 LE CS Procedure Enable
      connection_handle:u16{handle} config_id:u8 enable:bool
    0x2095 LE CS Test
      main_mode_type:u8{cs-mode} sub_mode_type:u8{cs-mode} main_mode_repetition:u8 mode_0_steps:u8 role:u8{cs-role}
      rtt_type:u8{cs-rtt-type} cs_sync_phy:u8{cs-sync-phy} cs_sync_antenna_selection:u8{cs-antenna-selection} subevent_len:u24*us
      subevent_interval:u16*0.625ms max_num_subevents:u8 transmit_power_level:i8{cs-test-power}*dBm t_ip1_time:u8*us t_ip2_time:u8*us
      t_fcs_time:u8*us t_pm_time:u8*us t_sw_time:u8*us tone_antenna_config_selection:u8 cs_enhancements_1:x8
      snr_control_initiator:u8{cs-snr-control} snr_control_reflector:u8{cs-snr-control} drbg_nonce:x16 channel_map_repetition:u8
      override_config:x16 override_parameters_length:u8 override_parameters_data:b(override_parameters_length)
      = @status
    0x2096 LE CS Test End
    0x2097 LE Set Host Feature [v2]
      bit_number:u16 bit_value:u8
      = @status
    0x2098 LE Add Device To Monitored Advertisers List
      address_type:u8{address-type} address:addr(address_type) rssi_threshold_low:i8*dBm rssi_threshold_high:i8*dBm timeout:u8*s
      = @status
    0x2099 LE Remove Device From Monitored Advertisers List
      address_type:u8{address-type} address:addr(address_type)
      = @status
    0x209a LE Clear Monitored Advertisers List
      = @status
    0x209b LE Read Monitored Advertisers List Size
      = status:u8{status} monitored_advertisers_list_size:u8
    0x209c LE Enable Monitoring Advertisers
      enable:bool
      = @status
    0x209d LE Frame Space Update
      connection_handle:u16{handle} frame_space_min:u16*us frame_space_max:u16*us phys:x8{phys} spacing_types:x16
    # Core 6.1 and 6.2.
    0x209e LE Set Resolvable Private Address Timeout [v2]
      rpa_timeout_min:u16*s rpa_timeout_max:u16*s
      = @status
    0x209f LE Enable UTP OTA Mode
    0x20a0 LE UTP Send
    0x20a1 LE Connection Rate Request
      connection_handle:u16{handle} @connection-rate
    0x20a2 LE Set Default Rate Parameters
      @connection-rate
      = @status
    0x20a3 LE Read Minimum Supported Connection Interval
      = status:u8{status} minimum_supported_connection_interval:u8*0.125ms num_subgroups:u8
      subgroups[num_subgroups]:(group_min:u16*0.125ms group_max:u16*0.125ms group_stride:u16*0.125ms)
    0x20a5 LE CS Read Local Supported Capabilities [v2]
      = status:u8{status} @cs-capabilities @cs-inline-capabilities
    0x20a6 LE CS Write Cached Remote Supported Capabilities [v2]
      connection_handle:u16{handle} @cs-capabilities @cs-inline-capabilities
      = @status-handle
    """
}
