/// Commands of controller makers (group 0x3F) that hosts are known to use: Android's HCI requirements, Broadcom, Intel, Qualcomm, Microsoft. The
/// numbers are each maker's own, so a name is that of the maker who made the number known.
public enum Vendor {
  /// Named commands by opcode; parameters are told as bytes unless they are public.
  public static let commands = PDUTable(text)

  static let text: StaticString = """
    @status
      status:u8{status}

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
    # Offloaded resolution of private addresses: hosts hand out the identity keys of their devices.
    0xfd55 LE Resolving List (Android)
      sub_command:u8
      ?sub_command==2(identity_resolving_key:b16! address_type:u8{address-type} address:addr(address_type))
      ?sub_command==3(address_type:u8{address-type} address:addr(address_type)) ?+1(data:b*)
      = @status sub_command:u8
      ?sub_command==5(index:u8 identity_resolving_key:b16! address_type:u8{address-type} address:addr(address_type)) ?+1(data:b*)
    0xfd56 LE Batch Scan (Android)
    0xfd57 LE Advertising Packet Content Filter (Android)
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
