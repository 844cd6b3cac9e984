extension HCI {
  /// All events (Core, Vol 4, Part E, 7.7) by event code; their layouts start after the parameter length. The layouts of Command Complete and LE Meta
  /// have only their own parameters: ``walkEvent(_:in:headers:_:)`` adds those of the command or subevent.
  public static let events = PDUTable(eventText)
  /// All LE Meta subevents (7.7.65) by subevent code; their layouts start after the subevent code.
  public static let leEvents = PDUTable(channelSoundingText, leEventText)

  static let eventText: StaticString = """
    @unknown
      parameters:b*
    @handle
      status:u8{status} connection_handle:u16{handle}
    @inquiry
      bd_addr:addr page_scan_repetition_mode:u8{repetition-mode}

    0x01 Inquiry Complete
      status:u8{status}
    0x02 Inquiry Result
      num_responses:u8
      responses[num_responses]:(@inquiry -:b2 class_of_device:x24 :bits16(clock_offset:15 -:1))
    0x03 Connection Complete
      @handle bd_addr:addr link_type:u8{link-type} encryption_enabled:bool
    0x04 Connection Request
      bd_addr:addr class_of_device:x24 link_type:u8{link-type}
    0x05 Disconnection Complete
      @handle reason:x8{status}
    0x06 Authentication Complete
      @handle
    0x07 Remote Name Request Complete
      status:u8{status} bd_addr:addr remote_name:text*
    0x08 Encryption Change
      @handle encryption_enabled:u8{encryption}
    0x09 Change Connection Link Key Complete
      @handle
    0x0a Link Key Type Changed
      @handle key_flag:u8{key-flag}
    0x0b Read Remote Supported Features Complete
      @handle lmp_features:x64{lmp-features}
    0x0c Read Remote Version Information Complete
      @handle version:u8{version} company_identifier:x16{company} subversion:x16
    0x0d QoS Setup Complete
      @handle -:b1 service_type:u8{service-type} token_rate:u32{most-rate} peak_bandwidth:u32{most-rate} latency:u32{any-delay}*us
      delay_variation:u32{any-delay}*us
    0x0e Command Complete
      num_hci_command_packets:u8 command_opcode:x16{opcode}
    0x0f Command Status
      status:u8{status} num_hci_command_packets:u8 command_opcode:x16{opcode}
    0x10 Hardware Error
      hardware_code:x8
    0x11 Flush Occurred
      handle:u16{handle}
    0x12 Role Change
      status:u8{status} bd_addr:addr new_role:u8{role}
    0x13 Number Of Completed Packets
      num_handles:u8 handles[num_handles]:(connection_handle:u16{handle} num_completed_packets:u16)
    0x14 Mode Change
      @handle current_mode:u8{mode} interval:u16*0.625ms
    0x15 Return Link Keys
      num_keys:u8 keys[num_keys]:(bd_addr:addr link_key:b16!)
    0x16 PIN Code Request
      bd_addr:addr
    0x17 Link Key Request
      bd_addr:addr
    0x18 Link Key Notification
      bd_addr:addr link_key:b16! key_type:u8{key-type}
    0x19 Loopback Command
      hci_command_packet:b*
    0x1a Data Buffer Overflow
      link_type:u8{link-type}
    0x1b Max Slots Change
      connection_handle:u16{handle} lmp_max_slots:u8
    0x1c Read Clock Offset Complete
      @handle :bits16(clock_offset:15 -:1)
    0x1d Connection Packet Type Changed
      @handle packet_type:x16{acl-packet-type}
    0x1e QoS Violation
      handle:u16{handle}
    0x1f Page Scan Mode Change
      bd_addr:addr page_scan_mode:u8
    0x20 Page Scan Repetition Mode Change
      @inquiry
    0x21 Flow Specification Complete
      @handle -:b1 flow_direction:u8 service_type:u8{service-type} token_rate:u32{most-rate} token_bucket_size:u32{most-rate}
      peak_bandwidth:u32{most-rate} access_latency:u32{any-delay}*us
    0x22 Inquiry Result with RSSI
      num_responses:u8
      responses[num_responses]:(@inquiry -:b1 class_of_device:x24 :bits16(clock_offset:15 -:1) rssi:i8*dBm)
    0x23 Read Remote Extended Features Complete
      @handle page_number:u8 max_page_number:u8 ?page_number==0(extended_lmp_features:x64{lmp-features})
      ?page_number==1(extended_lmp_features:x64{lmp-features-1}) ?page_number==2(extended_lmp_features:x64{lmp-features-2})
      ?page_number>=3(extended_lmp_features:x64)
    0x2c Synchronous Connection Complete
      @handle bd_addr:addr link_type:u8{link-type} transmission_interval:u8*0.625ms retransmission_window:u8*0.625ms
      rx_packet_length:u16 tx_packet_length:u16 air_mode:u8{air-mode}
    0x2d Synchronous Connection Changed
      @handle transmission_interval:u8*0.625ms retransmission_window:u8*0.625ms rx_packet_length:u16 tx_packet_length:u16
    0x2e Sniff Subrating
      @handle max_tx_latency:u16*0.625ms max_rx_latency:u16*0.625ms min_remote_timeout:u16*0.625ms min_local_timeout:u16*0.625ms
    0x2f Extended Inquiry Result
      num_responses:u8 @inquiry -:b1 class_of_device:x24 :bits16(clock_offset:15 -:1) rssi:i8*dBm extended_inquiry_response:ad*
    0x30 Encryption Key Refresh Complete
      @handle
    0x31 IO Capability Request
      bd_addr:addr
    0x32 IO Capability Response
      bd_addr:addr io_capability:u8{io-capability} oob_data_present:u8 authentication_requirements:u8{authentication-requirements}
    0x33 User Confirmation Request
      bd_addr:addr numeric_value:u32!
    0x34 User Passkey Request
      bd_addr:addr
    0x35 Remote OOB Data Request
      bd_addr:addr
    0x36 Simple Pairing Complete
      status:u8{status} bd_addr:addr
    0x38 Link Supervision Timeout Changed
      connection_handle:u16{handle} link_supervision_timeout:u16*0.625ms
    0x39 Enhanced Flush Complete
      handle:u16{handle}
    0x3b User Passkey Notification
      bd_addr:addr passkey:u32!
    0x3c Keypress Notification
      bd_addr:addr notification_type:u8{keypress}
    0x3d Remote Host Supported Features Notification
      bd_addr:addr host_supported_features:x64{lmp-features-1}
    0x3e LE Meta
      subevent_code:x8{le-subevent}
    0x40 Physical Link Complete
    0x41 Channel Selected
    0x42 Disconnection Physical Link Complete
    0x43 Physical Link Loss Early Warning
    0x44 Physical Link Recovery
    0x45 Logical Link Complete
    0x46 Disconnection Logical Link Complete
    0x47 Flow Spec Modify Complete
    0x48 Number Of Completed Data Blocks
      total_num_data_blocks:u16 num_handles:u8
      handles[num_handles]:(handle:u16{handle} num_completed_packets:u16 num_completed_blocks:u16)
    0x49 AMP Start Test
    0x4a AMP Test End
    0x4b AMP Receiver Report
    0x4c Short Range Mode Change Complete
    0x4d AMP Status Change
    0x4e Triggered Clock Capture
      connection_handle:u16{handle} which_clock:u8 clock:u32 slot_offset:u16*us
    0x4f Synchronization Train Complete
      status:u8{status}
    0x50 Synchronization Train Received
      status:u8{status} bd_addr:addr clock_offset:u32 afh_channel_map:b10 lt_addr:u8 next_broadcast_instant:u32
      connectionless_peripheral_broadcast_interval:u16*0.625ms service_data:u8
    0x51 Connectionless Peripheral Broadcast Receive
      bd_addr:addr lt_addr:u8 clock:u32 offset:u32 rx_status:u8 fragment:u8{fragment} data_length:u8 data:b(data_length)
    0x52 Connectionless Peripheral Broadcast Timeout
      bd_addr:addr lt_addr:u8
    0x53 Truncated Page Complete
      status:u8{status} bd_addr:addr
    0x54 Peripheral Page Response Timeout
    0x55 Connectionless Peripheral Broadcast Channel Map Change
      channel_map:b10
    0x56 Inquiry Response Notification
      lap:x24{lap} rssi:i8*dBm
    0x57 Authenticated Payload Timeout Expired
      connection_handle:u16{handle}
    0x58 SAM Status Change
      connection_handle:u16{handle} local_sam_index:u8 local_sam_tx_availability:u8 local_sam_rx_availability:u8 remote_sam_index:u8
      remote_sam_tx_availability:u8 remote_sam_rx_availability:u8
    0x59 Encryption Change [v2]
      @handle encryption_enabled:u8{encryption} encryption_key_size:u8
    0xff Vendor Specific
      data:b*
    """

  /// The subevents of the LE controller (7.7.65), up to Core 6.0.
  static let leEventText: StaticString = """
    @unknown
      parameters:b*
    @handle
      status:u8{status} connection_handle:u16{handle}
    @peer
      role:u8{role} peer_address_type:u8{address-type} peer_address:addr(peer_address_type)
    @private
      local_resolvable_private_address:raddr peer_resolvable_private_address:raddr
    @connection
      connection_interval:u16*1.25ms peripheral_latency:u16 supervision_timeout:u16*10ms
    @accuracy
      central_clock_accuracy:u8{clock-accuracy}
    @sync
      sync_handle:u16{handle} advertising_sid:u8 advertiser_address_type:u8{address-type}
      advertiser_address:addr(advertiser_address_type) advertiser_phy:u8{phy} periodic_advertising_interval:u16*1.25ms
      advertiser_clock_accuracy:u8{clock-accuracy}
    @slots
      num_subevents:u8 subevent_interval:u8*1.25ms response_slot_delay:u8*1.25ms response_slot_spacing:u8*0.125ms
    @transfer
      @handle service_data:x16
    @iq
      rssi:i16*0.1dBm rssi_antenna_id:u8 cte_type:u8{cte-type} slot_durations:u8 packet_status:u8
    @samples
      sample_count:u8 samples[sample_count]:(i_sample:i8 q_sample:i8)
    @cis
      connection_handle:u16{handle} cig_sync_delay:u24*us cis_sync_delay:u24*us transport_latency_c_to_p:u24*us
      transport_latency_p_to_c:u24*us phy_c_to_p:u8{phy} phy_p_to_c:u8{phy} nse:u8 bn_c_to_p:u8 bn_p_to_c:u8 ft_c_to_p:u8
      ft_p_to_c:u8 max_pdu_c_to_p:u16 max_pdu_p_to_c:u16 iso_interval:u16*1.25ms

    0x01 LE Connection Complete
      @handle @peer @connection @accuracy
    0x02 LE Advertising Report
      num_reports:u8
      reports[num_reports]:(event_type:u8{advertising-event} address_type:u8{address-type} address:addr(address_type) data_length:u8
        data:ad(data_length) rssi:i8{rssi}*dBm)
    0x03 LE Connection Update Complete
      @handle @connection
    0x04 LE Read Remote Features Complete
      @handle le_features:x64{le-features}
    0x05 LE Long Term Key Request
      connection_handle:u16{handle} random_number:x64! encrypted_diversifier:x16
    0x06 LE Remote Connection Parameter Request
      connection_handle:u16{handle} interval_min:u16*1.25ms interval_max:u16*1.25ms max_latency:u16 timeout:u16*10ms
    0x07 LE Data Length Change
      connection_handle:u16{handle} max_tx_octets:u16 max_tx_time:u16*us max_rx_octets:u16 max_rx_time:u16*us
    0x08 LE Read Local P-256 Public Key Complete
      status:u8{status} key_x_coordinate:b32! key_y_coordinate:b32!
    0x09 LE Generate DHKey Complete
      status:u8{status} dh_key:b32!
    0x0a LE Enhanced Connection Complete
      @handle @peer @private @connection @accuracy
    0x0b LE Directed Advertising Report
      num_reports:u8
      reports[num_reports]:(event_type:u8{advertising-event} address_type:u8{address-type} address:addr(address_type)
        direct_address_type:u8{address-type} direct_address:addr(direct_address_type) rssi:i8{rssi}*dBm)
    0x0c LE PHY Update Complete
      @handle tx_phy:u8{phy} rx_phy:u8{phy}
    0x0d LE Extended Advertising Report
      num_reports:u8
      reports[num_reports]:(
        event_type:bits16(connectable:1 scannable:1 directed:1 scan_response:1 legacy:1 data_status:2{data-status} -:9)
        address_type:u8{address-type} address:addr(address_type) primary_phy:u8{phy} secondary_phy:u8{phy} advertising_sid:u8{no-sid}
        tx_power:i8{no-power}*dBm rssi:i8{rssi}*dBm periodic_advertising_interval:u16*1.25ms direct_address_type:u8{address-type}
        direct_address:addr(direct_address_type) data_length:u8 data:ad(data_length))
    0x0e LE Periodic Advertising Sync Established
      status:u8{status} @sync
    0x0f LE Periodic Advertising Report
      sync_handle:u16{handle} tx_power:i8{no-power}*dBm rssi:i8{rssi}*dBm cte_type:u8{cte-type} data_status:u8{data-status}
      data_length:u8 data:ad(data_length)
    0x10 LE Periodic Advertising Sync Lost
      sync_handle:u16{handle}
    0x11 LE Scan Timeout
    0x12 LE Advertising Set Terminated
      status:u8{status} advertising_handle:u8 connection_handle:u16{handle} num_completed_extended_advertising_events:u8
    0x13 LE Scan Request Received
      advertising_handle:u8 scanner_address_type:u8{address-type} scanner_address:addr(scanner_address_type)
    0x14 LE Channel Selection Algorithm
      connection_handle:u16{handle} channel_selection_algorithm:u8{channel-selection}
    0x15 LE Connectionless IQ Report
      sync_handle:u16{handle} channel_index:u8 @iq periodic_event_counter:u16 @samples
    0x16 LE Connection IQ Report
      connection_handle:u16{handle} rx_phy:u8{phy} data_channel_index:u8 @iq connection_event_counter:u16 @samples
    0x17 LE CTE Request Failed
      @handle
    0x18 LE Periodic Advertising Sync Transfer Received
      @transfer @sync
    0x19 LE CIS Established
      status:u8{status} @cis
    0x1a LE CIS Request
      acl_connection_handle:u16{handle} cis_connection_handle:u16{handle} cig_id:u8 cis_id:u8
    0x1b LE Create BIG Complete
      status:u8{status} big_handle:u8 big_sync_delay:u24*us transport_latency_big:u24*us phy:u8{phy} nse:u8 bn:u8 pto:u8 irc:u8
      max_pdu:u16 iso_interval:u16*1.25ms num_bis:u8 connection_handle[num_bis]:u16{handle}
    0x1c LE Terminate BIG Complete
      big_handle:u8 reason:x8{status}
    0x1d LE BIG Sync Established
      status:u8{status} big_handle:u8 transport_latency_big:u24*us nse:u8 bn:u8 pto:u8 irc:u8 max_pdu:u16 iso_interval:u16*1.25ms
      num_bis:u8 connection_handle[num_bis]:u16{handle}
    0x1e LE BIG Sync Lost
      big_handle:u8 reason:x8{status}
    0x1f LE Request Peer SCA Complete
      @handle peer_clock_accuracy:u8{peer-accuracy}
    0x20 LE Path Loss Threshold
      connection_handle:u16{handle} current_path_loss:u8{no-loss}*dB zone_entered:u8{path-loss-zone}
    0x21 LE Transmit Power Reporting
      @handle reason:u8 phy:u8{power-phy} tx_power_level:i8{managed-power}*dBm tx_power_level_flag:x8 delta:i8{no-power}*dB
    0x22 LE BIGInfo Advertising Report
      sync_handle:u16{handle} num_bis:u8 nse:u8 iso_interval:u16*1.25ms bn:u8 pto:u8 irc:u8 max_pdu:u16 sdu_interval:u24*us max_sdu:u16
      phy:u8{phy} framing:u8{framing} encryption:bool
    0x23 LE Subrate Change
      @handle subrate_factor:u16 peripheral_latency:u16 continuation_number:u16 supervision_timeout:u16*10ms
    0x24 LE Periodic Advertising Sync Established [v2]
      status:u8{status} @sync @slots
    0x25 LE Periodic Advertising Report [v2]
      sync_handle:u16{handle} tx_power:i8{no-power}*dBm rssi:i8{rssi}*dBm cte_type:u8{cte-type} periodic_event_counter:u16 subevent:u8
      data_status:u8{data-status} data_length:u8 data:ad(data_length)
    0x26 LE Periodic Advertising Sync Transfer Received [v2]
      @transfer @sync @slots
    0x27 LE Periodic Advertising Subevent Data Request
      advertising_handle:u8 subevent_start:u8 subevent_data_count:u8
    0x28 LE Periodic Advertising Response Report
      advertising_handle:u8 subevent:u8 tx_status:u8 num_responses:u8
      responses[num_responses]:(tx_power:i8{no-power}*dBm rssi:i8{rssi}*dBm cte_type:u8{cte-type} response_slot:u8
        data_status:u8{data-status} data_length:u8 data:ad(data_length))
    0x29 LE Enhanced Connection Complete [v2]
      @handle @peer @private @connection @accuracy advertising_handle:u8 sync_handle:u16{handle}
    0x2a LE CIS Established [v2]
      status:u8{status} @cis sub_interval:u24*us max_sdu_c_to_p:u16 max_sdu_p_to_c:u16 sdu_interval_c_to_p:u24*us
      sdu_interval_p_to_c:u24*us framing:u8{framing}
    0x2b LE Read All Remote Features Complete
      @handle max_remote_page:u8 max_valid_page:u8 le_features:b248
    0x2c LE CS Read Remote Supported Capabilities Complete
      @handle @cs-capabilities
    0x2d LE CS Read Remote FAE Table Complete
      @handle remote_fae_table:b72
    0x2e LE CS Security Enable Complete
      @handle
    0x2f LE CS Config Complete
      @handle config_id:u8 action:u8{cs-config-action} main_mode_type:u8{cs-mode} sub_mode_type:u8{cs-mode} min_main_mode_steps:u8
      max_main_mode_steps:u8 main_mode_repetition:u8 mode_0_steps:u8 role:u8{cs-role} rtt_type:u8{cs-rtt-type}
      cs_sync_phy:u8{cs-sync-phy} channel_map:b10 channel_map_repetition:u8 channel_selection_type:u8{cs-channel-selection}
      ch3c_shape:u8{cs-ch3c-shape} ch3c_jump:u8 cs_enhancements_1:x8 t_ip1_time:u8*us t_ip2_time:u8*us t_fcs_time:u8*us t_pm_time:u8*us
    0x30 LE CS Procedure Enable Complete
      @handle config_id:u8 state:u8{cs-procedures} tone_antenna_config_selection:u8 selected_tx_power:i8{cs-power-level}*dBm
      subevent_len:u24*us subevents_per_event:u8 subevent_interval:u16*0.625ms event_interval:u16 procedure_interval:u16
      procedure_count:u16 max_procedure_len:u16*0.625ms
    0x31 LE CS Subevent Result
      connection_handle:u16{handle} config_id:u8 start_acl_conn_event_counter:u16 procedure_counter:u16
      frequency_compensation:i16{cs-frequency}*0.01ppm reference_power_level:i8{cs-power-level}*dBm @cs-steps
    0x32 LE CS Subevent Result Continue
      connection_handle:u16{handle} config_id:u8 @cs-steps
    0x33 LE CS Test End Complete
      status:u8{status}
    0x34 LE Monitored Advertisers Report
      address_type:u8{address-type} address:addr(address_type) condition:u8
    0x35 LE Frame Space Update Complete
      @handle initiator:u8 frame_space:u16*us phys:x8{phys} spacing_types:x16
    # Core 6.1 and 6.2.
    0x36 LE UTP Receive
    0x37 LE Connection Rate Change
      @handle connection_interval:u16*0.125ms subrate_factor:u16 peripheral_latency:u16 continuation_number:u16
      supervision_timeout:u16*10ms
    0x38 LE CS Read Remote Supported Capabilities Complete [v2]
      @handle @cs-capabilities @cs-inline-capabilities
    """
}
