extension HCI {
  /// All commands of the groups link control, link policy, controller and baseband, informational, status and testing (Core, Vol 4, Part E, 7.1
  /// to 7.6), and of LE (7.8), by opcode.
  public static let commands = PDUTable(channelSoundingText, commandText, leCommandText)

  /// Commands without a layout have only a name here: their parameters are reported as bytes.
  static let commandText: StaticString = """
    @unknown
      parameters:b*
    @unknown-return
      ?+1(status:u8{status}) return_parameters:b*
    @status
      status:u8{status}
    @handle
      connection_handle:u16{handle}
    @status-handle
      status:u8{status} connection_handle:u16{handle}
    @status-address
      status:u8{status} bd_addr:addr
    @sync
      transmit_bandwidth:u32{any-bandwidth} receive_bandwidth:u32{any-bandwidth} max_latency:u16{any-latency}*ms voice_setting:x16
      retransmission_effort:u8{retransmission-effort} packet_type:x16{sync-packet-type}
    @coding
      coding_format:u8{coding-format} company_id:x16 vendor_specific_codec_id:x16
    @esync
      transmit_bandwidth:u32{any-bandwidth} receive_bandwidth:u32{any-bandwidth} transmit_coding_format:@coding receive_coding_format:@coding
      transmit_codec_frame_size:u16 receive_codec_frame_size:u16 input_bandwidth:u32 output_bandwidth:u32
      input_coding_format:@coding output_coding_format:@coding input_coded_data_size:u16 output_coded_data_size:u16
      input_pcm_data_format:u8 output_pcm_data_format:u8 input_pcm_sample_payload_msb_position:u8
      output_pcm_sample_payload_msb_position:u8 input_data_path:u8 output_data_path:u8 input_transport_unit_size:u8
      output_transport_unit_size:u8 max_latency:u16{any-latency}*ms packet_type:x16{sync-packet-type}
      retransmission_effort:u8{retransmission-effort}

    0x0000 NOP

    0x0401 Inquiry
      lap:x24{lap} inquiry_length:u8*1.28s<1..48> num_responses:u8
    0x0402 Inquiry Cancel
      = @status
    0x0403 Periodic Inquiry Mode
      max_period_length:u16*1.28s min_period_length:u16*1.28s lap:x24{lap} inquiry_length:u8*1.28s<1..48> num_responses:u8
      = @status
    0x0404 Exit Periodic Inquiry Mode
      = @status
    0x0405 Create Connection
      bd_addr:addr packet_type:x16{acl-packet-type} page_scan_repetition_mode:u8{repetition-mode} -:b1
      :bits16(clock_offset:15 clock_offset_valid:1) allow_role_switch:bool
    0x0406 Disconnect
      connection_handle:u16{handle} reason:x8{status}
    0x0407 Add SCO Connection
      connection_handle:u16{handle} packet_type:x16
    0x0408 Create Connection Cancel
      bd_addr:addr
      = @status-address
    0x0409 Accept Connection Request
      bd_addr:addr role:u8{role}
    0x040a Reject Connection Request
      bd_addr:addr reason:x8{status}
    0x040b Link Key Request Reply
      bd_addr:addr link_key:b16!
      = @status-address
    0x040c Link Key Request Negative Reply
      bd_addr:addr
      = @status-address
    0x040d PIN Code Request Reply
      bd_addr:addr pin_code_length:u8<1..16> pin_code:text16!
      = @status-address
    0x040e PIN Code Request Negative Reply
      bd_addr:addr
      = @status-address
    0x040f Change Connection Packet Type
      connection_handle:u16{handle} packet_type:x16{acl-packet-type}
    0x0411 Authentication Requested
      @handle
    0x0413 Set Connection Encryption
      connection_handle:u16{handle} encryption_enable:u8{enable}
    0x0415 Change Connection Link Key
      @handle
    0x0417 Link Key Selection
      key_flag:u8{key-flag}
    0x0419 Remote Name Request
      bd_addr:addr page_scan_repetition_mode:u8{repetition-mode} -:b1 :bits16(clock_offset:15 clock_offset_valid:1)
    0x041a Remote Name Request Cancel
      bd_addr:addr
      = @status-address
    0x041b Read Remote Supported Features
      @handle
    0x041c Read Remote Extended Features
      connection_handle:u16{handle} page_number:u8
    0x041d Read Remote Version Information
      @handle
    0x041f Read Clock Offset
      @handle
    0x0420 Read LMP Handle
      @handle
      = status:u8{status} connection_handle:u16{handle} lmp_handle:u8 -:b4
    0x0428 Setup Synchronous Connection
      connection_handle:u16{handle} @sync
    0x0429 Accept Synchronous Connection Request
      bd_addr:addr @sync
    0x042a Reject Synchronous Connection Request
      bd_addr:addr reason:x8{status}
    0x042b IO Capability Request Reply
      bd_addr:addr io_capability:u8{io-capability} oob_data_present:u8 authentication_requirements:u8{authentication-requirements}
      = @status-address
    0x042c User Confirmation Request Reply
      bd_addr:addr
      = @status-address
    0x042d User Confirmation Request Negative Reply
      bd_addr:addr
      = @status-address
    0x042e User Passkey Request Reply
      bd_addr:addr numeric_value:u32!
      = @status-address
    0x042f User Passkey Request Negative Reply
      bd_addr:addr
      = @status-address
    0x0430 Remote OOB Data Request Reply
      bd_addr:addr c:b16! r:b16!
      = @status-address
    0x0433 Remote OOB Data Request Negative Reply
      bd_addr:addr
      = @status-address
    0x0434 IO Capability Request Negative Reply
      bd_addr:addr reason:x8{status}
      = @status-address
    0x0435 Create Physical Link
    0x0436 Accept Physical Link
    0x0437 Disconnect Physical Link
    0x0438 Create Logical Link
    0x0439 Accept Logical Link
    0x043a Disconnect Logical Link
    0x043b Logical Link Cancel
    0x043c Flow Spec Modify
    0x043d Enhanced Setup Synchronous Connection
      connection_handle:u16{handle} @esync
    0x043e Enhanced Accept Synchronous Connection Request
      bd_addr:addr @esync
    0x043f Truncated Page
      bd_addr:addr page_scan_repetition_mode:u8{repetition-mode} :bits16(clock_offset:15 clock_offset_valid:1)
    0x0440 Truncated Page Cancel
      bd_addr:addr
      = @status-address
    0x0441 Set Connectionless Peripheral Broadcast
      enable:bool lt_addr:u8 lpo_allowed:bool packet_type:x16 interval_min:u16*0.625ms interval_max:u16*0.625ms
      supervision_timeout:u16*0.625ms
      = status:u8{status} lt_addr:u8 interval:u16*0.625ms
    0x0442 Set Connectionless Peripheral Broadcast Receive
      = status:u8{status} bd_addr:addr lt_addr:u8
    0x0443 Start Synchronization Train
    0x0444 Receive Synchronization Train
      bd_addr:addr synchronization_scan_timeout:u16*0.625ms sync_scan_window:u16*0.625ms sync_scan_interval:u16*0.625ms
    0x0445 Remote OOB Extended Data Request Reply
      bd_addr:addr c_192:b16! r_192:b16! c_256:b16! r_256:b16!
      = @status-address

    0x0801 Hold Mode
      connection_handle:u16{handle} hold_mode_max_interval:u16*0.625ms hold_mode_min_interval:u16*0.625ms
    0x0803 Sniff Mode
      connection_handle:u16{handle} sniff_max_interval:u16*0.625ms sniff_min_interval:u16*0.625ms sniff_attempt:u16*1.25ms
      sniff_timeout:u16*1.25ms
    0x0804 Exit Sniff Mode
      @handle
    0x0805 Park State
      connection_handle:u16{handle} beacon_max_interval:u16*0.625ms beacon_min_interval:u16*0.625ms
    0x0806 Exit Park State
      @handle
    0x0807 QoS Setup
      connection_handle:u16{handle} -:b1 service_type:u8{service-type} token_rate:u32{most-rate} peak_bandwidth:u32{most-rate}
      latency:u32{any-delay}*us delay_variation:u32{any-delay}*us
    0x0809 Role Discovery
      @handle
      = status:u8{status} connection_handle:u16{handle} current_role:u8{role}
    0x080b Switch Role
      bd_addr:addr role:u8{role}
    0x080c Read Link Policy Settings
      @handle
      = status:u8{status} connection_handle:u16{handle} link_policy_settings:x16{link-policy}
    0x080d Write Link Policy Settings
      connection_handle:u16{handle} link_policy_settings:x16{link-policy}
      = @status-handle
    0x080e Read Default Link Policy Settings
      = status:u8{status} default_link_policy_settings:x16{link-policy}
    0x080f Write Default Link Policy Settings
      default_link_policy_settings:x16{link-policy}
      = @status
    0x0810 Flow Specification
      connection_handle:u16{handle} -:b1 flow_direction:u8 service_type:u8{service-type} token_rate:u32{most-rate}
      token_bucket_size:u32{most-rate} peak_bandwidth:u32{most-rate} access_latency:u32{any-delay}*us
    0x0811 Sniff Subrating
      connection_handle:u16{handle} max_latency:u16*0.625ms min_remote_timeout:u16*0.625ms min_local_timeout:u16*0.625ms
      = @status-handle

    0x0c01 Set Event Mask
      event_mask:x64{event-mask}
      = @status
    0x0c03 Reset
      = @status
    0x0c05 Set Event Filter
      filter_type:u8{filter-type} ?filter_type>=1(filter_condition_type:u8 condition:b*)
      = @status
    0x0c08 Flush
      @handle
      = @status-handle
    0x0c09 Read PIN Type
      = status:u8{status} pin_type:u8{pin-type}
    0x0c0a Write PIN Type
      pin_type:u8{pin-type}
      = @status
    0x0c0b Create New Unit Key
      = @status
    0x0c0d Read Stored Link Key
      bd_addr:addr read_all:bool
      = status:u8{status} max_num_keys:u16 num_keys_read:u16
    0x0c11 Write Stored Link Key
      num_keys_to_write:u8 keys[num_keys_to_write]:(bd_addr:addr link_key:b16!)
      = status:u8{status} num_keys_written:u8
    0x0c12 Delete Stored Link Key
      bd_addr:addr delete_all:bool
      = status:u8{status} num_keys_deleted:u16
    0x0c13 Write Local Name
      local_name:text*
      = @status
    0x0c14 Read Local Name
      = status:u8{status} local_name:text*
    0x0c15 Read Connection Accept Timeout
      = status:u8{status} connection_accept_timeout:u16*0.625ms
    0x0c16 Write Connection Accept Timeout
      connection_accept_timeout:u16*0.625ms
      = @status
    0x0c17 Read Page Timeout
      = status:u8{status} page_timeout:u16*0.625ms
    0x0c18 Write Page Timeout
      page_timeout:u16*0.625ms
      = @status
    0x0c19 Read Scan Enable
      = status:u8{status} scan_enable:u8{scan-enable}
    0x0c1a Write Scan Enable
      scan_enable:u8{scan-enable}
      = @status
    0x0c1b Read Page Scan Activity
      = status:u8{status} page_scan_interval:u16*0.625ms page_scan_window:u16*0.625ms
    0x0c1c Write Page Scan Activity
      page_scan_interval:u16*0.625ms page_scan_window:u16*0.625ms
      = @status
    0x0c1d Read Inquiry Scan Activity
      = status:u8{status} inquiry_scan_interval:u16*0.625ms inquiry_scan_window:u16*0.625ms
    0x0c1e Write Inquiry Scan Activity
      inquiry_scan_interval:u16*0.625ms inquiry_scan_window:u16*0.625ms
      = @status
    0x0c1f Read Authentication Enable
      = status:u8{status} authentication_enable:u8{enable}
    0x0c20 Write Authentication Enable
      authentication_enable:u8{enable}
      = @status
    0x0c21 Read Encryption Mode
      = status:u8{status} encryption_mode:u8
    0x0c22 Write Encryption Mode
      encryption_mode:u8
      = @status
    0x0c23 Read Class of Device
      = status:u8{status} class_of_device:x24
    0x0c24 Write Class of Device
      class_of_device:x24
      = @status
    0x0c25 Read Voice Setting
      = status:u8{status} voice_setting:x16
    0x0c26 Write Voice Setting
      voice_setting:x16
      = @status
    0x0c27 Read Automatic Flush Timeout
      @handle
      = status:u8{status} connection_handle:u16{handle} flush_timeout:u16*0.625ms
    0x0c28 Write Automatic Flush Timeout
      connection_handle:u16{handle} flush_timeout:u16*0.625ms
      = @status-handle
    0x0c29 Read Num Broadcast Retransmissions
      = status:u8{status} num_broadcast_retransmissions:u8
    0x0c2a Write Num Broadcast Retransmissions
      num_broadcast_retransmissions:u8
      = @status
    0x0c2b Read Hold Mode Activity
      = status:u8{status} hold_mode_activity:x8
    0x0c2c Write Hold Mode Activity
      hold_mode_activity:x8
      = @status
    0x0c2d Read Transmit Power Level
      connection_handle:u16{handle} type:u8{power-level-type}
      = status:u8{status} connection_handle:u16{handle} tx_power_level:i8*dBm
    0x0c2e Read Synchronous Flow Control Enable
      = status:u8{status} synchronous_flow_control_enable:u8{enable}
    0x0c2f Write Synchronous Flow Control Enable
      synchronous_flow_control_enable:u8{enable}
      = @status
    0x0c31 Set Controller To Host Flow Control
      flow_control_enable:u8{controller-flow-control}
      = @status
    0x0c33 Host Buffer Size
      host_acl_data_packet_length:u16 host_synchronous_data_packet_length:u8 host_total_num_acl_data_packets:u16
      host_total_num_synchronous_data_packets:u16
      = @status
    0x0c35 Host Number Of Completed Packets
      num_handles:u8 handles[num_handles]:(connection_handle:u16{handle} host_num_completed_packets:u16)
    0x0c36 Read Link Supervision Timeout
      @handle
      = status:u8{status} connection_handle:u16{handle} link_supervision_timeout:u16*0.625ms
    0x0c37 Write Link Supervision Timeout
      connection_handle:u16{handle} link_supervision_timeout:u16*0.625ms
      = @status-handle
    0x0c38 Read Number Of Supported IAC
      = status:u8{status} num_supported_iac:u8
    0x0c39 Read Current IAC LAP
      = status:u8{status} num_current_iac:u8 iac_lap[num_current_iac]:x24{lap}
    0x0c3a Write Current IAC LAP
      num_current_iac:u8 iac_lap[num_current_iac]:x24{lap}
      = @status
    0x0c3b Read Page Scan Period Mode
      = status:u8{status} page_scan_period_mode:u8
    0x0c3c Write Page Scan Period Mode
      page_scan_period_mode:u8
      = @status
    0x0c3d Read Page Scan Mode
      = status:u8{status} page_scan_mode:u8
    0x0c3e Write Page Scan Mode
      page_scan_mode:u8
      = @status
    0x0c3f Set AFH Host Channel Classification
      afh_host_channel_classification:b10
      = @status
    0x0c42 Read Inquiry Scan Type
      = status:u8{status} inquiry_scan_type:u8{scan-type}
    0x0c43 Write Inquiry Scan Type
      scan_type:u8{scan-type}
      = @status
    0x0c44 Read Inquiry Mode
      = status:u8{status} inquiry_mode:u8{inquiry-mode}
    0x0c45 Write Inquiry Mode
      inquiry_mode:u8{inquiry-mode}
      = @status
    0x0c46 Read Page Scan Type
      = status:u8{status} page_scan_type:u8{scan-type}
    0x0c47 Write Page Scan Type
      page_scan_type:u8{scan-type}
      = @status
    0x0c48 Read AFH Channel Assessment Mode
      = status:u8{status} afh_channel_assessment_mode:u8{enable}
    0x0c49 Write AFH Channel Assessment Mode
      afh_channel_assessment_mode:u8{enable}
      = @status
    0x0c51 Read Extended Inquiry Response
      = status:u8{status} fec_required:bool extended_inquiry_response:ad*
    0x0c52 Write Extended Inquiry Response
      fec_required:bool extended_inquiry_response:ad*
      = @status
    0x0c53 Refresh Encryption Key
      @handle
    0x0c55 Read Simple Pairing Mode
      = status:u8{status} simple_pairing_mode:u8{enable}
    0x0c56 Write Simple Pairing Mode
      simple_pairing_mode:u8{enable}
      = @status
    0x0c57 Read Local OOB Data
      = status:u8{status} c:b16! r:b16!
    0x0c58 Read Inquiry Response Transmit Power Level
      = status:u8{status} tx_power:i8*dBm
    0x0c59 Write Inquiry Transmit Power Level
      tx_power:i8*dBm
      = @status
    0x0c5a Read Default Erroneous Data Reporting
      = status:u8{status} erroneous_data_reporting:u8{enable}
    0x0c5b Write Default Erroneous Data Reporting
      erroneous_data_reporting:u8{enable}
      = @status
    0x0c5f Enhanced Flush
      connection_handle:u16{handle} packet_type:u8
    0x0c60 Send Keypress Notification
      bd_addr:addr notification_type:u8{keypress}
      = @status-address
    0x0c61 Read Logical Link Accept Timeout
      = status:u8{status} logical_link_accept_timeout:u16*0.625ms
    0x0c62 Write Logical Link Accept Timeout
      logical_link_accept_timeout:u16*0.625ms
      = @status
    0x0c63 Set Event Mask Page 2
      event_mask_page_2:x64{event-mask-2}
      = @status
    0x0c64 Read Location Data
    0x0c65 Write Location Data
    0x0c66 Read Flow Control Mode
      = status:u8{status} flow_control_mode:u8{flow-control-mode}
    0x0c67 Write Flow Control Mode
      flow_control_mode:u8{flow-control-mode}
      = @status
    0x0c68 Read Enhanced Transmit Power Level
      connection_handle:u16{handle} type:u8{power-level-type}
      = status:u8{status} connection_handle:u16{handle} tx_power_level_gfsk:i8*dBm tx_power_level_dqpsk:i8*dBm
      tx_power_level_8dpsk:i8*dBm
    0x0c69 Read Best Effort Flush Timeout
      @handle
      = status:u8{status} best_effort_flush_timeout:u32*us
    0x0c6a Write Best Effort Flush Timeout
      connection_handle:u16{handle} best_effort_flush_timeout:u32*us
      = @status
    0x0c6b Short Range Mode
    0x0c6c Read LE Host Support
      = status:u8{status} le_supported_host:u8{enable} -:b1
    0x0c6d Write LE Host Support
      le_supported_host:u8{enable} -:b1
      = @status
    0x0c6e Set MWS Channel Parameters
    0x0c6f Set External Frame Configuration
    0x0c70 Set MWS Signaling
    0x0c71 Set MWS Transport Layer
    0x0c72 Set MWS Scan Frequency Table
    0x0c73 Set MWS Pattern Configuration
    0x0c74 Set Reserved LT_ADDR
      lt_addr:u8
      = status:u8{status} lt_addr:u8
    0x0c75 Delete Reserved LT_ADDR
      lt_addr:u8
      = status:u8{status} lt_addr:u8
    0x0c76 Set Connectionless Peripheral Broadcast Data
      lt_addr:u8 fragment:u8{fragment} data_length:u8 data:b(data_length)
      = status:u8{status} lt_addr:u8
    0x0c77 Read Synchronization Train Parameters
      = status:u8{status} sync_train_interval:u16*0.625ms synchronization_train_timeout:u32*0.625ms service_data:u8
    0x0c78 Write Synchronization Train Parameters
      interval_min:u16*0.625ms interval_max:u16*0.625ms synchronization_train_timeout:u32*0.625ms service_data:u8
      = status:u8{status} sync_train_interval:u16*0.625ms
    0x0c79 Read Secure Connections Host Support
      = status:u8{status} secure_connections_host_support:u8{enable}
    0x0c7a Write Secure Connections Host Support
      secure_connections_host_support:u8{enable}
      = @status
    0x0c7b Read Authenticated Payload Timeout
      @handle
      = status:u8{status} connection_handle:u16{handle} authenticated_payload_timeout:u16*10ms
    0x0c7c Write Authenticated Payload Timeout
      connection_handle:u16{handle} authenticated_payload_timeout:u16*10ms
      = @status-handle
    0x0c7d Read Local OOB Extended Data
      = status:u8{status} c_192:b16! r_192:b16! c_256:b16! r_256:b16!
    0x0c7e Read Extended Page Timeout
      = status:u8{status} extended_page_timeout:u16*0.625ms
    0x0c7f Write Extended Page Timeout
      extended_page_timeout:u16*0.625ms
      = @status
    0x0c80 Read Extended Inquiry Length
      = status:u8{status} extended_inquiry_length:u16*0.625ms
    0x0c81 Write Extended Inquiry Length
      extended_inquiry_length:u16*0.625ms
      = @status
    0x0c82 Set Ecosystem Base Interval
      interval:u16*1.25ms
      = @status
    0x0c83 Configure Data Path
      data_path_direction:u8{path-direction} data_path_id:u8 vendor_specific_config_length:u8
      vendor_specific_config:b(vendor_specific_config_length)
      = @status
    0x0c84 Set Min Encryption Key Size
      min_encryption_key_size:u8<1..16>
      = @status

    0x1001 Read Local Version Information
      = status:u8{status} hci_version:u8{version} hci_subversion:x16 lmp_version:u8{version} company_identifier:x16{company}
      lmp_subversion:x16
    0x1002 Read Local Supported Commands
      = status:u8{status} supported_commands:b64
    0x1003 Read Local Supported Features
      = status:u8{status} lmp_features:x64{lmp-features}
    0x1004 Read Local Extended Features
      page_number:u8
      = status:u8{status} page_number:u8 max_page_number:u8 ?page_number==0(extended_lmp_features:x64{lmp-features})
      ?page_number==1(extended_lmp_features:x64{lmp-features-1}) ?page_number==2(extended_lmp_features:x64{lmp-features-2})
      ?page_number>=3(extended_lmp_features:x64)
    0x1005 Read Buffer Size
      = status:u8{status} acl_data_packet_length:u16 synchronous_data_packet_length:u8 total_num_acl_data_packets:u16
      total_num_synchronous_data_packets:u16
    0x1007 Read Country Code
      = status:u8{status} country_code:u8
    0x1009 Read BD_ADDR
      = @status-address
    0x100a Read Data Block Size
      = status:u8{status} max_acl_data_packet_length:u16 data_block_length:u16 total_num_data_blocks:u16
    0x100b Read Local Supported Codecs
      = status:u8{status} num_supported_standard_codecs:u8 standard_codec_id[num_supported_standard_codecs]:u8{coding-format}
      num_supported_vendor_specific_codecs:u8 vendor_specific_codec_id[num_supported_vendor_specific_codecs]:x32
    0x100c Read Local Simple Pairing Options
      = status:u8{status} simple_pairing_options:x8 max_encryption_key_size:u8
    0x100d Read Local Supported Codecs [v2]
      = status:u8{status} num_supported_standard_codecs:u8
      standard_codecs[num_supported_standard_codecs]:(codec_id:u8{coding-format} transport:x8{codec-transport})
      num_supported_vendor_specific_codecs:u8
      vendor_specific_codecs[num_supported_vendor_specific_codecs]:(codec_id:x32 transport:x8{codec-transport})
    0x100e Read Local Supported Codec Capabilities
      codec_id:@coding logical_transport_type:u8 direction:u8{path-direction}
      = status:u8{status} num_codec_capabilities:u8 codec_capabilities[num_codec_capabilities]:(length:u8 capability:b(length))
    0x100f Read Local Supported Controller Delay
      codec_id:@coding logical_transport_type:u8 direction:u8{path-direction} codec_configuration_length:u8
      codec_configuration:b(codec_configuration_length)
      = status:u8{status} min_controller_delay:u24*us max_controller_delay:u24*us

    0x1401 Read Failed Contact Counter
      @handle
      = status:u8{status} handle:u16{handle} failed_contact_counter:u16
    0x1402 Reset Failed Contact Counter
      @handle
      = status:u8{status} handle:u16{handle}
    0x1403 Read Link Quality
      @handle
      = status:u8{status} handle:u16{handle} link_quality:u8
    0x1405 Read RSSI
      @handle
      = status:u8{status} handle:u16{handle} rssi:i8{rssi}*dBm
    0x1406 Read AFH Channel Map
      @handle
      = status:u8{status} handle:u16{handle} afh_mode:u8{enable} afh_channel_map:b10
    0x1407 Read Clock
      connection_handle:u16{handle} which_clock:u8
      = status:u8{status} connection_handle:u16{handle} clock:u32 accuracy:u16{clock-error}*0.3125ms
    0x1408 Read Encryption Key Size
      @handle
      = status:u8{status} connection_handle:u16{handle} key_size:u8
    0x1409 Read Local AMP Info
    0x140a Read Local AMP ASSOC
    0x140b Write Remote AMP ASSOC
    0x140c Get MWS Transport Layer Configuration
      = status:u8{status} num_transports:u8 transports[num_transports]:(transport_layer:x8 num_baud_rates:u8)
      to_mws<*/2>:(to_mws_baud_rates[*]:u32) from_mws_baud_rates[*]:u32
    0x140d Set Triggered Clock Capture
      connection_handle:u16{handle} enable:bool which_clock:u8 lpo_allowed:bool num_clock_captures_to_filter:u8
      = @status

    0x1801 Read Loopback Mode
      = status:u8{status} loopback_mode:u8{loopback}
    0x1802 Write Loopback Mode
      loopback_mode:u8{loopback}
      = @status
    0x1803 Enable Device Under Test Mode
      = @status
    0x1804 Write Simple Pairing Debug Mode
      simple_pairing_debug_mode:u8{enable}
      = @status
    0x1807 Enable AMP Receiver Reports
    0x1808 AMP Test End
    0x1809 AMP Test
    0x180a Write Secure Connections Test Mode
      connection_handle:u16{handle} dm1_acl_u_mode:u8 esco_loopback_mode:u8
      = @status-handle
    """
}
