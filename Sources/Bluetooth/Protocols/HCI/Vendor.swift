/// Commands of controller makers (group 0x3F) that hosts are known to use: Android's HCI requirements, Broadcom, Intel, Qualcomm, Microsoft. The
/// numbers are each maker's own, so a name is that of the maker who made the number known.
public enum Vendor {
  /// Named commands by opcode; parameters are reported as bytes unless they are public.
  public static let commands = PDUTable(text)

  static let text: StaticString = """
    @status
      status:u8{status}
    @record
      address:uaddr address_type:u8 tx_power:i8*dBm rssi:i8*dBm timestamp:u16*50ms

    0xfc00 Vendor 0x000 (Qualcomm EDL)
    0xfc01 Write BD_ADDR (Broadcom)
      bd_addr:addr
      = @status
    0xfc05 Read Version (Intel)
    0xfc09 Secure Send (Intel)
    0xfc11 Manufacturer Mode (Intel)
    0xfc18 Update Baud Rate (Broadcom)
      -:b2 baud_rate:u32
      = @status
    0xfc1c Write SCO PCM Interface Parameters (Broadcom)
    0xfc27 Set Sleep Mode Parameters (Broadcom)
    0xfc2e Download Minidriver (Broadcom)
      = @status
    0xfc4c Write RAM (Broadcom)
      address:x32 data:b*
      = @status
    0xfc4e Launch RAM (Broadcom)
      address:x32
      = @status
    0xfc52 Set Event Mask (Intel)
    0xfc79 Read Verbose Configuration Version Information (Broadcom)
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
      sub_command:u8 ?+1(parameters:b*)
      = @status sub_command:u8
      ?sub_command==4(batch_scan_report_format:u8 num_records:u8
        ?batch_scan_report_format==1(records[num_records]:(@record))
        ?batch_scan_report_format==2(records[num_records]:(@record advertising_data_length:u8 advertising_data:ad(advertising_data_length)
          scan_response_data_length:u8 scan_response_data:ad(scan_response_data_length)))) ?+1(return_parameters:b*)
    # Its filters name devices: by address and identity key, by name.
    0xfd57 LE Advertising Packet Content Filter (Android)
      sub_command:u8
      ?sub_command==2(action:u8 filter_index:u8 ?+6(address:uaddr address_type:u8) ?+16(identity_resolving_key:b16!))
      ?sub_command==5(action:u8 filter_index:u8 ?+1(local_name:text*)) ?+1(parameters:b*)
      = @status sub_command:u8 ?+1(return_parameters:b*)
    0xfd59 LE Energy Info (Android)
    0xfd5a LE Extended Set Scan Parameters (Android)
    0xfd5b Controller Debug Info (Android)
    0xfd5d A2DP Hardware Offload (Android)
    0xfd5e Bluetooth Quality Report (Android)
    0xfd5f Dynamic Audio Buffer (Android)
    0xfd60 A2DP Offload (Android)
    0xfc1e Microsoft Extensions (Intel)
    0xfcf0 Microsoft Extensions
    """
}

/// Data of controllers that is not specified: diagnostics in records of the monitor, logs under an ACL handle that is no connection's.
extension Vendor: ProtocolDescription {
  static var id: ProtocolID { .vendor }
  static var name: StaticName { "vendor" }
  static var isOpaque: Bool { true }

  static func name(of pdu: RawSpan, _ context: PDUContext) -> StaticName {
    context.hasConnection ? "Vendor Debug Data" : "Vendor Diagnostics"
  }
}

extension ProtocolID {
  /// Data of controllers that is not specified.
  @inlinable
  public static var vendor: ProtocolID { ProtocolID(20) }
}
