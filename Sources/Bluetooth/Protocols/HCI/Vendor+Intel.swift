extension Vendor {
  /// Intel's commands with opcodes that no other known manufacturer uses.
  static let intelUniqueCommandText: StaticString = """
    0xfc52 Set Event Mask (Intel)
      event_mask:x64{intel-event-mask}
      = @status
    """

  static let intelCommandText: StaticString = """
    0xfc01 Reset (Intel)
      reset_type:u8{intel-reset} patch_enable:u8 ddc_reload:u8 boot_option:u8 boot_address:x32
      = @status
    0xfc02 No Operation (Intel)
    0xfc05 Read Version (Intel)
      ?+1(requested_type:u8)
      = @status ?=9(hardware_platform:x8 hardware_variant:x8 hardware_revision:x8 firmware_variant:x8 firmware_revision:x8 firmware_build_number:u8
      firmware_build_week:u8 firmware_build_year:u8 firmware_patch:u8) ?+1(return_parameters:b*)
    0xfc06 Set UART Baud Rate (Intel)
    0xfc07 Enable Low Power Mode (Intel)
    0xfc08 PCM Write Configuration (Intel)
    0xfc09 Secure Send (Intel)
      type:u8{intel-fragment} data:b*
      = @status
    0xfc0d Read Secure Boot Parameters (Intel)
      = @status ?+20(otp_format:u8 otp_content:u8 otp_patch:u8 device_revision:x16 secure_boot:bool key_from_header:bool key_type:u8
      otp_lock:bool api_lock:bool debug_lock:bool otp_bd_addr:addr minimum_firmware_build_number:u8 minimum_firmware_build_week:u8
      minimum_firmware_build_year:u8 limited_cce:u8 unlocked_state:u8) ?+1(return_parameters:b*)
    0xfc0e Write Secure Boot Parameters (Intel)
    0xfc0f Unlock (Intel)
    0xfc10 Change UART Baud Rate (Intel)
    0xfc11 Manufacturer Mode (Intel)
      enable:bool reset:u8{intel-manufacturer-reset}
      = @status
    0xfc12 Read Link RSSI (Intel)
    0xfc1e Microsoft Extensions (Intel)
    0xfc22 Get Exception Information (Intel)
    0xfc24 Clear Exception Information (Intel)
    0xfc2f Write BD Data (Intel)
      bd_addr:addr more:b6 lmp_features:x64{lmp-features} ?+1(parameters:b*)
      = @status
    0xfc30 Read BD Data (Intel)
      = @status bd_addr:addr ?+1(return_parameters:b*)
    0xfc31 Write BD_ADDR (Intel)
      bd_addr:addr
      = @status
    0xfc32 Flow Specification (Intel)
    0xfc34 Read Secure ID (Intel)
    0xfc38 Set Synchronous USB Interface Type (Intel)
    0xfc39 Configure Synchronous Interface (Intel)
    0xfc3f Software RF Kill (Intel)
      = @status
    0xfc43 Activate or Deactivate Traces (Intel)
      transmit_traces:bool transmit_arq:bool receive_traces:bool
      = @status
    0xfc4d Stimulate Exception (Intel)
      stimulated_exception:u8{intel-stimulated-exception}
      = @status
    0xfc50 Read Hardware Version (Intel)
    0xfc53 Configure Link Controller (Intel)
    0xfc89 DDC Write (Intel)
    0xfc8a DDC Read (Intel)
    0xfc8b DDC Configuration Write (Intel)
      configurations[*]:(length:u8<2..255> identifier:x16 data:b(length-2))
      = @status identifier:x16
    0xfc8c DDC Configuration Read (Intel)
    0xfc8d Memory Read (Intel)
    0xfc8e Memory Write (Intel)
      address:x32 mode:u8{intel-memory-mode} length:u8 data:b(length)
      = @status
    """

  static let intelEventText: StaticString = """
    @exception
      line:u16 module:u8{intel-module} reason:u8
    0x01 Fatal Exception (Intel)
      @exception
    0x02 Bootup (Intel)
      -:b1 number_of_packets:u8 source:u8{intel-source} reset_type:u8{intel-reset-type} reset_reason:u8{intel-reset-reason}
      ddc_status:u8{intel-ddc-status}
    0x05 Default BD Data (Intel)
      bd_data_status:u8{intel-bd-data-status}
    0x06 Secure Send Commands Result (Intel)
      result:u8{intel-secure-send-result} command_opcode:x16{opcode} status:u8{status}
    0x08 Debug Exception (Intel)
      @exception
    0x0f LE Link Established (Intel)
      connection_handle:u16{handle} more:b8 access_address:x32 ?+1(parameters:b*)
    0x11 Scan Status (Intel)
      scan_status:bits8(inquiry_scan:1 page_scan:1 -:6)
    0x16 Activate or Deactivate Traces Complete (Intel)
      status:u8{status}
    0x17 Link PDU Trace (Intel)
      trace_type:u8{intel-trace} connection_handle:u16{handle}
      ?trace_type==0(more:b1 lmp_pdu:b(*-4) clock:x32)
      ?trace_type==1(more:b1 lmp_pdu:b(*-5) clock:x32 id:x8)
      ?trace_type==2(clock:x32 id:x8)
      ?trace_type==3(count:u16 id:x8 more:b2 ll_pdu:b*)
      ?trace_type==4(count:u16 id:x8 more:b2 ll_pdu:b*)
      ?trace_type==5(count:u16 id:x8)
      ?+1(parameters:b*)
    0x19 Write BD Data Complete (Intel)
      status:u8{status}
    0x25 SCO Rejected via LMP (Intel)
      bd_addr:addr reason:u8{status}
    0x26 PTT Switch Notification (Intel)
      connection_handle:u16{handle} packet_table:u8{intel-packet-table}
    0x29 System Exception (Intel)
      exception_type:u8{intel-exception} ?+1(parameters:b*)
    0x2c Firmware Trace String (Intel)
      trace:text*
    0x2e Firmware Trace Binary (Intel)
    """
}
