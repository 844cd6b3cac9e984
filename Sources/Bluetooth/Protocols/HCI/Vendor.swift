/// Commands and events of controller makers (group 0x3F, event 0xFF). The numbers are each maker's own: where the manufacturer of a controller is
/// known (Read Local Version Information), its tables are asked; a name ends with the maker who gave the number its meaning.
public enum Vendor {
  /// Commands that controllers of several makers have: Android's HCI requirements, Microsoft's extensions. And those of a single maker whose
  /// number no other known one uses: what is asked where the manufacturer is not known. Parameters are reported as bytes unless they are public.
  public static let commands = PDUTable(text, broadcomAloneText, intelAloneText)
  /// The commands that controllers of any maker may have: Android's and Microsoft's.
  @usableFromInline static let shared = PDUTable(text)
  /// The company identifier in contexts where no manufacturer is known.
  @inlinable public static var unknownMaker: UInt16 { 0xFFFF }

  /// A command by its opcode, of a controller whose manufacturer has this company identifier; nil where it has none.
  @inlinable
  public static func command(_ opcode: UInt16, of company: UInt16) -> PDU? {
    if company == unknownMaker { return commands[UInt32(opcode)] }
    return maker(company)?.commands[UInt32(opcode)] ?? shared[UInt32(opcode)]
  }

  /// The layout of a vendor's event by its first byte: that of the maker, else Android's.
  static func event(_ code: UInt8, of company: UInt16) -> PDU? {
    if let maker = maker(company) {
      if let known = maker.events[UInt32(code)] { return known }
      // Intel numbers all of its events itself.
      if maker.hasAllEvents { return nil }
    }
    return androidEvents[UInt32(code)]
  }

  static let text: StaticString = """
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
}

/// Data of controllers that is not specified: diagnostics in records of the monitor, logs under an ACL handle that is no connection's.
extension Vendor: ProtocolDescription {
  static var id: ProtocolID { .vendor }
  static var name: StaticName { "vendor" }
  static var isOpaque: Bool { true }

  static var enumerationText: StaticString {
    """
    enum apcf-command
      0 enable
      1 set filtering parameters
      2 broadcast address
      3 service uuid
      4 solicitation uuid
      5 local name
      6 manufacturer data
      7 service data
      8 transport discovery service
      9 ad type
    enum apcf-action
      0 add
      1 delete
      2 clear
    flags apcf-feature
      0 broadcast address
      1 service data change
      2 service uuid
      3 solicitation uuid
      4 local name
      5 manufacturer data
      6 service data
      7 transport discovery service
      8 ad type
    enum apcf-logic
      0 or
      1 and
    enum apcf-delivery
      0 immediate
      1 on found
      2 batched
    enum bqr-action
      0 add
      1 delete
      2 clear
    flags bqr-event
      0 quality monitoring
      1 approaching lsto
      2 a2dp audio choppy
      3 sco voice choppy
      4 root inflammation
      5 energy monitoring
      6 le audio choppy
      7 connection failed
      15 vendor specific quality
      16 lmp/ll message trace
      17 multi-link/coex scheduling trace
      18 controller debug information
      31 vendor specific trace
    enum bqr-report
      1 quality monitoring
      2 approaching lsto
      3 a2dp audio choppy
      4 sco voice choppy
      5 root inflammation
      6 energy monitoring
      7 le audio choppy
      8 connection failed
      0x11 lmp/ll message trace
      0x12 multi-link/coex scheduling trace
      0x13 controller debug information
    enum multi-adv-reason
      0 connection received
    enum zephyr-tx-power
      0 advertising
      1 scanning
      2 connection
    enum broadcom-sco-routing
      0 pcm
      1 transport
      2 codec
      3 i2s
    enum broadcom-clock-rate
      0 128 kbps
      1 256 kbps
      2 512 kbps
      3 1024 kbps
      4 2048 kbps
    enum broadcom-frame-type
      0 short
      1 long
    enum broadcom-clock-source
      0 peripheral
      1 central
    enum broadcom-shift-mode
      0 most significant bit first
      1 least significant bit first
    enum broadcom-fill-method
      0 zeros
      1 ones
      2 sign
      3 programmable
    enum broadcom-justify-mode
      0 left
      1 right
    enum broadcom-i2s-mode
      0 off
      1 on
    enum broadcom-sample-rate
      0 8 khz
      1 16 khz
      2 4 khz
    enum broadcom-i2s-clock-rate
      0 128 khz
      1 256 khz
      2 512 khz
      3 1024 khz
      4 2048 khz
    enum broadcom-codec-state
      0 disabled
      1 enabled
    flags intel-event-mask
      0 bootup
      1 sco rejected via lmp
      2 ptt switch notification
      7 scan status
      9 debug exception
      10 fatal exception
      11 system exception
      13 le link established
      14 firmware trace string
    enum intel-reset
      0 soft
      1 hard
    enum intel-manufacturer-reset
      0 none
      1 without patches
      2 with patches
    enum intel-fragment
      0 init
      1 data
      2 signature
      3 public key
    enum intel-memory-mode
      0 bytes
      1 half words
      2 words
    enum intel-stimulated-exception
      0 fatal exception
      1 debug exception
    enum intel-module
      1 bc
      2 hci
      3 llc
      4 os
      5 lm
      6 sc
      7 sp
      8 osal
      9 lc
      0x0a app
      0x0b tld
      0xf0 debug
    enum intel-source
      0 bootloader
      1 operational firmware
      2 self test firmware
    enum intel-reset-type
      0 hardware reset
      1 soft watchdog reset
      2 soft software reset
      3 hard watchdog reset
      4 hard software reset
    enum intel-reset-reason
      0 power on
      1 reset command
      2 intel reset command
      3 watchdog
      4 fatal exception
      5 system exception
      0xff unknown
    enum intel-ddc-status
      0 firmware default
      1 firmware default and otp
      2 persistent ram
      3 not used
    enum intel-bd-data-status
      2 invalid manufacturing data
    enum intel-secure-send-result
      0 success
      1 general failure
      2 hardware failure
      3 signature not verified
      4 command buffer not parsed
      5 command not executed
      6 wrong command parameters
      7 command missing
    enum intel-trace
      0 lmp received
      1 lmp sent
      2 lmp acknowledged
      3 ll received
      4 ll sent
      5 ll acknowledged
    enum intel-packet-table
      0 basic rate
      1 enhanced data rate
    enum intel-exception
      0 none
      1 undefined instruction
      2 prefetch abort
      3 data abort
    """
  }

  static func walk<Visitor: FieldVisitor>(_ pdu: RawSpan, _ context: PDUContext, _ visitor: inout Visitor) {
    guard context.hasConnection, context.opcode == HCI.wholePacket, isControllerLog(pdu) else {
      return HCI.walkData(pdu, context, &visitor)
    }
    HCI.walkACLHeader(pdu, &visitor)
    controllerLog.walk(pdu, in: 4..<pdu.byteCount, &visitor)
  }

  /// Whether the records of a Qualcomm log packet fill the packet exactly. Where they do not, one of its lengths is wrong, and the packet is
  /// reported as bytes.
  private static func isControllerLog(_ pdu: RawSpan) -> Bool {
    guard let length = ATT.u16(pdu, 4), Int(length) == pdu.byteCount &- 8 else { return false }
    var at = 10
    while at < pdu.byteCount {
      guard let count = ATT.u16(pdu, at &+ 8) else { return false }
      at &+= 10 &+ Int(count)
    }
    return at == pdu.byteCount
  }

  /// Logs that Qualcomm's controllers send with the handle 0x0EDC. What their records say is not public. How they follow each other, and that
  /// their time is the controller's clock (28 bits of 312.5 µs, Core, Vol 2, Part B, 1.1, and tenths of that), is the same in the logs of three
  /// phones: all 1,367 packets end where their last record does, and the clock runs as fast as the host's.
  private static let controllerLog = logTable.layout("controller-log")
  private static let logTable = PDUTable(logText)
  private static let logText: StaticString = """
    @controller-log
      length:u16 sequence_number:u8 more:b3
      records[*]:(code:x16 more:b2 :bits32(clock:28 clock_tenths:4) data_length:u16 data:b(data_length))
    """

  static func name(of pdu: RawSpan, _ context: PDUContext) -> StaticName {
    context.hasConnection ? "Vendor Debug Data" : "Vendor Diagnostics"
  }
}
