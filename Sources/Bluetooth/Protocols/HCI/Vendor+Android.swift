extension Vendor {
  /// Android's vendor-specific events (0xFF), which controllers of several makers send.
  static let androidEvents = PDUTable(androidEventText)

  /// Android's HCI requirements, and Microsoft's extensions.
  static let androidCommandText: StaticString = """
    @status
      status:u8{status}
    @apcf-uuid
      ?=4(uuid:uuid16 uuid_mask:b2) ?=8(uuid:uuid32 uuid_mask:b4) ?=32(uuid:uuid128 uuid_mask:b16)
    @record
      address:uaddr address_type:u8 tx_power:i8*dBm rssi:i8*dBm timestamp:u16*50ms

    0xfd53 LE Get Vendor Capabilities (Android)
      = status:u8{status} max_advt_instances:u8 offloaded_resolution_of_private_address:u8 total_scan_results_storage:u16
      max_irk_list_sz:u8 filtering_support:bool max_filter:u8 activity_energy_info_support:bool version_supported:x16
      total_num_of_advt_tracked:u16 extended_scan_support:bool debug_logging_supported:bool
      le_address_generation_offloading_support:bool a2dp_source_offload_capability_mask:x32 bluetooth_quality_report_support:bool
      ?+1(dynamic_audio_buffer_support:x32) ?+1(more:b*)
    0xfd54 LE Multi Advertising (Android)
      sub_command:u8
      ?sub_command==1(advertising_interval_min:u16*0.625ms advertising_interval_max:u16*0.625ms advertising_type:u8{advertising-type}
        own_address_type:u8{address-type} own_address:addr(own_address_type) peer_address_type:u8{address-type}
        peer_address:addr(peer_address_type) advertising_channel_map:x8{advertising-channels}
        advertising_filter_policy:u8{advertising-filter} advertising_instance:u8 advertising_tx_power:i8*dBm)
      ?sub_command==2(advertising_data_length:u8<0..31> advertising_data:ad(advertising_data_length) ?+2(-:b(*-1)) advertising_instance:u8)
      ?sub_command==3(scan_response_data_length:u8<0..31> scan_response_data:ad(scan_response_data_length) ?+2(-:b(*-1))
        advertising_instance:u8)
      ?sub_command==4(random_address:raddr advertising_instance:u8)
      ?sub_command==5(advertising_enable:bool advertising_instance:u8)
      = @status sub_command:u8
    # Offloaded resolution of private addresses: hosts hand out the identity keys of their devices.
    0xfd55 LE Resolving List (Android)
      sub_command:u8
      ?sub_command==2(identity_resolving_key:b16! address_type:u8{address-type} address:addr(address_type))
      ?sub_command==3(address_type:u8{address-type} address:addr(address_type)) ?+1(parameters:b*)
      = @status sub_command:u8
      ?sub_command==5(index:u8 identity_resolving_key:b16! address_type:u8{address-type} address:addr(address_type))
      ?+1(return_parameters:b*)
    0xfd56 LE Batch Scan (Android)
      sub_command:u8
      ?sub_command==1(batch_scan_enable:bool)
      ?sub_command==2(batch_scan_full_max:u8*% batch_scan_truncated_max:u8*% batch_scan_notify_threshold:u8*%)
      ?sub_command==3(batch_scan_mode:u8 duty_cycle_scan_window_slots:u32*0.625ms duty_cycle_scan_interval_slots:u32*0.625ms
        own_address_type:u8{own-address-type} batch_scan_discard_rule:u8)
      ?sub_command==4(batch_scan_data_read_mode:u8) ?+1(parameters:b*)
      = @status sub_command:u8
      ?sub_command==4(batch_scan_report_format:u8 num_records:u8
        ?batch_scan_report_format==1(records[num_records]:(@record))
        ?batch_scan_report_format==2(records[num_records]:(@record advertising_data_length:u8 advertising_data:ad(advertising_data_length)
          scan_response_data_length:u8 scan_response_data:ad(scan_response_data_length)))) ?+1(return_parameters:b*)
    # Its filters name devices: by address and identity key, by name.
    0xfd57 LE Advertising Packet Content Filter (Android)
      sub_command:u8{apcf-command}
      ?sub_command==0(apcf_enable:bool)
      ?sub_command==1(action:u8{apcf-action} filter_index:u8 ?+7(feature_selection:x16{apcf-feature} list_logic_type:x16{apcf-feature}
        filter_logic_type:u8{apcf-logic} rssi_high_threshold:i8*dBm ?+1(delivery_mode:u8{apcf-delivery} ?+1(on_found_timeout:u16*ms
        on_found_timeout_count:u8 rssi_low_threshold:i8*dBm on_lost_timeout:u16*ms ?+2(number_of_tracking_entries:u16)))))
      ?sub_command==2(action:u8{apcf-action} filter_index:u8 ?+6(address:uaddr address_type:u8) ?+16(identity_resolving_key:b16!))
      ?sub_command==3(action:u8{apcf-action} filter_index:u8 @apcf-uuid)
      ?sub_command==4(action:u8{apcf-action} filter_index:u8 @apcf-uuid)
      ?sub_command==5(action:u8{apcf-action} filter_index:u8 ?+1(local_name:text*))
      ?sub_command==6(action:u8{apcf-action} filter_index:u8 ?+2(manufacturer_data:b(*/2) manufacturer_data_mask:b*))
      ?sub_command==7(action:u8{apcf-action} filter_index:u8 ?+2(service_data:b(*/2) service_data_mask:b*)) ?+1(parameters:b*)
      = @status sub_command:u8{apcf-command} ?sub_command==0(apcf_enable:bool) ?sub_command<8(?=2(action:u8{apcf-action} available_spaces:u8))
      ?+1(return_parameters:b*)
    0xfd59 LE Energy Info (Android)
      = @status total_tx_time:u32*ms total_rx_time:u32*ms total_idle_time:u32*ms total_energy_used:u32
    0xfd5a LE Extended Set Scan Parameters (Android)
      le_scan_type:u8{scan-type} le_scan_interval:u32*0.625ms le_scan_window:u32*0.625ms own_address_type:u8{own-address-type}
      scanning_filter_policy:u8
      = @status
    0xfd5b Controller Debug Info (Android)
    0xfd5d A2DP Hardware Offload (Android)
      sub_command:u8
      ?sub_command==1(codec:x32 max_latency:u16*ms scms_t_enable:x16 sampling_frequency:x32 bits_per_sample:x8 channel_mode:x8
        encoded_audio_bitrate:u32 connection_handle:u16{handle} l2cap_channel_id:x16 l2cap_mtu_size:u16 ?+1(codec_information:b*))
      ?+1(parameters:b*)
      = @status sub_command:u8
    0xfd5e Bluetooth Quality Report (Android)
      report_action:u8{bqr-action} quality_event_mask:x32{bqr-event} minimum_report_interval:u16*ms
      ?+4(vendor_specific_quality_mask:x32) ?+4(vendor_specific_trace_mask:x32) ?+4(report_interval_multiple:u32) ?+1(parameters:b*)
      = @status current_quality_event_mask:x32{bqr-event} ?+4(vendor_specific_quality_mask:x32) ?+4(vendor_specific_trace_mask:x32)
      ?+1(return_parameters:b*)
    0xfd5f Dynamic Audio Buffer (Android)
      sub_command:u8 ?sub_command==2(audio_codec_type:u8 ?+2(buffer_time:u16*ms)) ?+1(parameters:b*)
      = @status sub_command:u8 ?sub_command==1(?+4(audio_codec_types_supported:x32 codecs[*]:(default_buffer_time:u16*ms
        maximum_buffer_time:u16*ms minimum_buffer_time:u16*ms))) ?+1(return_parameters:b*)
    0xfcf0 Microsoft Extensions
    """

  static let androidEventText: StaticString = """
    @link
      packet_types:u8 connection_handle:u16{handle} connection_role:u8{role} tx_power_level:i8*dBm rssi:i8*dBm snr:u8*dB
      unused_afh_channel_count:u8 afh_select_unideal_channel_count:u8 lsto:u16*0.625ms connection_piconet_clock:u32
      retransmission_count:u32 no_rx_count:u32 nak_count:u32 last_tx_ack_timestamp:u32 flow_off_count:u32 last_flow_on_timestamp:u32
      buffer_overflow_bytes:u32 buffer_underflow_bytes:u32
    0x54 LE Batch Scan Storage Threshold Breached (Android)
    0x55 LE Multi Advertising State Changed (Android)
      advertising_instance:u8 state_change_reason:u8{multi-adv-reason} connection_handle:u16{handle}
    0x56 LE Advertisement Tracking (Android)
      apcf_filter_index:u8 advertiser_state:u8 ?=7(address:uaddr address_type:u8)
      ?+8(advertisement_information_present:u8 address:uaddr address_type:u8
        ?advertisement_information_present==0(tx_power:i8*dBm rssi:i8*dBm timestamp:u16 advertising_data_length:u8
          advertising_data:ad(advertising_data_length) scan_response_data_length:u8 scan_response_data:ad(scan_response_data_length)))
      ?+1(parameters:b*)
    0x57 Controller Debug Information (Android)
      debug_block_byte_offset_start:u16 last_block:u8 current_packet_size:u16 debug_data:b*
    0x58 Bluetooth Quality Report (Android)
      quality_report_id:u8{bqr-report}
      ?quality_report_id<5(@link) ?quality_report_id==7(@link) ?quality_report_id==8(@link) ?+1(vendor_parameters:b*)
    """
}
