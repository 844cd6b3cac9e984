extension Vendor {
  /// Broadcom's commands with opcodes that no other known manufacturer uses.
  static let broadcomUniqueCommandText: StaticString = """
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

  static let broadcomCommandText: StaticString = """
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
}
