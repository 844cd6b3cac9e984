extension Vendor {
  /// A maker of controllers: its company identifiers, commands, events.
  @usableFromInline struct Maker: Sendable {
    /// Company identifiers that its controllers tell.
    let companies: [UInt16]
    /// Its commands by opcode.
    @usableFromInline let commands: PDUTable
    /// Its events by the first byte behind the length.
    let events: PDUTable
    /// Its subevent codes overlap with Android's, so that Android's table does not apply.
    var hasAllEvents = false
  }

  /// The maker with this company identifier; nil for one whose commands nobody has published.
  @usableFromInline static func maker(_ company: UInt16) -> Maker? {
    for one in makers where one.companies.contains(company) { return one }
    return nil
  }

  /// Cypress and Infineon make what was Broadcom's; Qualcomm what was CSR's and Atheros's, of which CSR's have an interface of their own.
  static let makers: [Maker] = [
    Maker(
      companies: [0x0002], commands: PDUTable(statusText, intelText, intelAloneText), events: PDUTable(intelEventText), hasAllEvents: true),
    Maker(companies: [0x000F, 0x0009, 0x0131], commands: PDUTable(statusText, broadcomText, broadcomAloneText), events: PDUTable("")),
    Maker(companies: [0x001D, 0x0045], commands: PDUTable(statusText, qualcommText), events: PDUTable("")),
    Maker(companies: [0x000A], commands: PDUTable(csrText), events: PDUTable("")),
    Maker(companies: [0x005D], commands: PDUTable(statusText, realtekText), events: PDUTable("")),
    Maker(companies: [0x0046], commands: PDUTable(mediatekText), events: PDUTable("")),
    Maker(companies: [0x000D], commands: PDUTable(statusText, texasText), events: PDUTable("")),
    Maker(companies: [0x0030], commands: PDUTable(statusText, stText), events: PDUTable("")),
    Maker(companies: [0x05F1, 0x0059], commands: PDUTable(statusText, zephyrText), events: PDUTable(zephyrEventText)),
  ]

  /// Android's vendor-specific events (0xFF), which controllers of several makers send.
  static let androidEvents = PDUTable(androidEventText)

  private static let statusText: StaticString = """
    @status
      status:u8{status}
    """

  /// Intel's commands whose numbers no other known maker uses.
  static let intelAloneText: StaticString = """
    0xfc52 Set Event Mask (Intel)
      event_mask:x64{intel-event-mask}
      = @status
    """

  /// Broadcom's commands whose numbers no other known maker uses.
  static let broadcomAloneText: StaticString = """
    @pcm-interface
      sco_routing:u8{broadcom-sco-routing} clock_rate:u8{broadcom-clock-rate} frame_type:u8{broadcom-frame-type}
      sync_mode:u8{broadcom-clock-source} clock_mode:u8{broadcom-clock-source}
    0xfc18 Update Baud Rate (Broadcom)
      -:b2 baud_rate:u32
      = @status
    0xfc1c Write SCO PCM Interface Parameters (Broadcom)
      @pcm-interface
      = @status
    0xfc1d Read SCO PCM Interface Parameters (Broadcom)
      = @status @pcm-interface
    0xfc27 Set Sleep Mode Parameters (Broadcom)
      sleep_mode:u8 host_stack_idle_threshold:u8 host_controller_idle_threshold:u8 wake_polarity:u8 host_wake_polarity:u8
      allow_host_sleep_during_sco:u8 combine_sleep_mode_and_lpm:u8 enable_uart_txd_tri_state:u8 sleep_guard_time:u8 wakeup_guard_time:u8
      txd_config:u8 pulsed_host_wake:u8
      = @status
    0xfc2e Download Minidriver (Broadcom)
      = @status
    0xfc4c Write RAM (Broadcom)
      address:x32 data:b*
      = @status
    0xfc4d Read RAM (Broadcom)
      address:x32 length:u8
      = @status data:b*
    0xfc4e Launch RAM (Broadcom)
      address:x32
      = @status
    0xfc79 Read Verbose Configuration Version Information (Broadcom)
      = @status chip_id:x8 target_id:x8 build_base:u16 build_number:u16
    """

  private static let intelText: StaticString = """
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

  private static let intelEventText: StaticString = """
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

  private static let broadcomText: StaticString = """
    0xfc01 Write BD_ADDR (Broadcom)
      bd_addr:addr
      = @status
    0xfc1e Write PCM Data Format Parameters (Broadcom)
      shift_mode:u8{broadcom-shift-mode} fill_bits:u8 fill_method:u8{broadcom-fill-method} fill_number_of_bits:u8
      justify_mode:u8{broadcom-justify-mode}
      = @status
    0xfc3b Enable USB HID Emulation (Broadcom)
      emulation_mode:u8
      = @status
    0xfc45 Write UART Clock Setting (Broadcom)
      uart_clock_setting:u8
      = @status
    0xfc57 Set ACL Priority (Broadcom)
      connection_handle:u16{handle} priority:u8 direction:u8
      = @status
    0xfc5a Read VID and PID (Broadcom)
      = @status vendor_id:x16 product_id:x16
    0xfc6d Write I2S PCM Interface Parameters (Broadcom)
      i2s_mode:u8{broadcom-i2s-mode} i2s_role:u8{broadcom-clock-source} sample_rate:u8{broadcom-sample-rate}
      clock_rate:u8{broadcom-i2s-clock-rate}
      = @status
    0xfc7e Enable WBS (Broadcom)
      codec_state:u8{broadcom-codec-state} ?codec_state==1(codec:x16)
      = @status
    0xfd02 Enable WBS Modified (Broadcom)
    0xfd11 Set Connectionless Broadcast Stream (Broadcom)
    0xfd12 Receive Connectionless Broadcast Stream (Broadcom)
    0xfd13 Write Connectionless Broadcast Stream Data (Broadcom)
    0xfd14 Connectionless Broadcast Stream Flush (Broadcom)
    """

  private static let qualcommText: StaticString = """
    0xfc00 EDL Patch (Qualcomm)
      command:u8 ?+1(data:b*)
    0xfc08 Pre-Shutdown (Qualcomm)
      = @status
    0xfc0b NVM Access (Qualcomm)
      command:u8 ?+1(data:b*)
    0xfc14 Write BD_ADDR (Qualcomm)
      bd_addr:addr
      = @status
    0xfc17 Logging (Qualcomm)
      command:u8 ?+1(data:b*)
    0xfc48 Set Baud Rate (Qualcomm)
      baud_rate:u8
      = @status
    """

  private static let csrText: StaticString = """
    0xfc00 BCCMD (CSR)
    """

  private static let realtekText: StaticString = """
    0xfc17 Set Baud Rate (Realtek)
    0xfc20 Download Patch (Realtek)
      index:u8 data:b*
      = @status index:u8
    0xfc61 Read Register (Realtek)
    0xfc6d Read ROM Version (Realtek)
      = @status version:u8
    """

  private static let mediatekText: StaticString = """
    0xfc6f WMT (MediaTek)
      direction:u8 opcode:x8 length:u16 data:b(length)
    """

  private static let texasText: StaticString = """
    0xfc06 Write BD_ADDR (TI)
      bd_addr:b6
      = @status
    0xfd06 Write Codec Configuration (TI)
      = @status
    0xfd0c Sleep Mode Configurations (TI)
      = @status
    0xff36 Update UART HCI Baud Rate (TI)
      baud_rate:u32
      = @status
    """

  private static let zephyrText: StaticString = """
    @subject
      handle_type:u8{zephyr-tx-power} connection_handle:u16{handle}
    0xfc01 Read Version Information (Zephyr)
      = @status hardware_platform:u16 hardware_variant:u16 firmware_variant:u8 firmware_version:u8 firmware_revision:u16
      firmware_build:u32
    0xfc02 Read Supported Commands (Zephyr)
      = @status commands:b64
    0xfc03 Read Supported Features (Zephyr)
      = @status features:b8
    0xfc04 Set Event Mask (Zephyr)
      event_mask:b8
      = @status
    0xfc05 Reset (Zephyr)
      reset_type:u8
      = @status
    0xfc06 Write BD_ADDR (Zephyr)
      bd_addr:addr
      = @status
    0xfc07 Set Trace Enable (Zephyr)
      enable:bool
      = @status
    0xfc08 Read Build Information (Zephyr)
      = @status build_information:text*
    0xfc09 Read Static Addresses (Zephyr)
      = @status num_addresses:u8 addresses[num_addresses]:(address:raddr identity_root:b16!)
    0xfc0a Read Key Hierarchy Roots (Zephyr)
      = @status identity_root:b16! encryption_root:b16!
    0xfc0b Read Chip Temperature (Zephyr)
      = @status temperature:i8
    0xfc0c Read Host Stack Commands (Zephyr)
    0xfc0d Set Scan Request Reports (Zephyr)
      enable:bool
      = @status
    0xfc0e Write TX Power Level (Zephyr)
      @subject tx_power_level:i8*dBm
      = @status @subject selected_tx_power:i8*dBm
    0xfc0f Read TX Power Level (Zephyr)
      @subject
      = @status @subject tx_power_level:i8*dBm
    0xfc10 Read USB Transport Mode (Zephyr)
    0xfc11 Set USB Transport Mode (Zephyr)
      mode:u8
      = @status
    """

  private static let zephyrEventText: StaticString = """
    0x02 Fatal Error (Zephyr)
    0x03 Trace Information (Zephyr)
    0x04 Scan Request Received (Zephyr)
      address_type:u8{address-type} address:addr(address_type) rssi:i8*dBm
    """

  private static let androidEventText: StaticString = """
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
