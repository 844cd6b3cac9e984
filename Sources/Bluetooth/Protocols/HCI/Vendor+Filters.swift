extension Vendor {
  /// Wireshark's names. Wireshark's dissectors for Broadcom's and Intel's controllers decode only their commands and events, including Android's;
  /// where one of them reads a parameter at a wrong offset, the value here is the manufacturer's.
  static let filterFields: StaticString = """
    # Vendors' commands and events
    bthci_vendor.broadcom protocol =
    bthci_vendor.broadcom.opcode x16{opcode} cmd@15[0:2] evt@15?ff@0=e[3:2]
    bthci_vendor.broadcom.opcode.ogf x16 cmd@15[0:2]&fc00 evt@15?ff@0=e[3:2]&fc00
    bthci_vendor.broadcom.opcode.ocf x16 cmd@15[0:2]&03ff evt@15?ff@0=e[3:2]&03ff
    bthci_vendor.broadcom.parameter_length u8 cmd@15[2:1] evt@15[1:1]
    bthci_vendor.broadcom.event_code x8{event} evt@15[0:1]
    bthci_vendor.broadcom.number_of_allowed_command_packets u8 evt@15?ff@0=e[2:1]
    bthci_vendor.broadcom.status x8{status} evt@15?ff@0=e[5:1]
    bthci_vendor.broadcom.bd_addr ether cmd@15/fc01[3:6] cmd@15/fd54?ff@3=1[10:6] cmd@15/fd54?ff@3=1[17:6] cmd@15/fd54?ff@3=4[4:6]
    bthci_vendor.broadcom.baudrate u32 cmd@15/fc18[5:4]
    bthci_vendor.broadcom.sco.pcm_routing x8 cmd@15/fc1c[3:1]
    bthci_vendor.broadcom.sco.interface.clock_rate x8 cmd@15/fc1c[4:1]
    bthci_vendor.broadcom.sco.interface.frame_type x8 cmd@15/fc1c[5:1]
    bthci_vendor.broadcom.sco.interface.sync_mode x8 cmd@15/fc1c[6:1]
    bthci_vendor.broadcom.sco.interface.clock_mode x8 cmd@15/fc1c[7:1]
    bthci_vendor.broadcom.pcm.shift_mode x8 cmd@15/fc1e[3:1]
    bthci_vendor.broadcom.pcm.fill_bits x8 cmd@15/fc1e[4:1]
    bthci_vendor.broadcom.pcm.fill_method x8 cmd@15/fc1e[5:1]
    bthci_vendor.broadcom.pcm.fill_number_of_bits u8 cmd@15/fc1e[6:1]
    bthci_vendor.broadcom.pcm.justify_mode x8 cmd@15/fc1e[7:1]
    bthci_vendor.broadcom.sleep_mode x8 cmd@15/fc27[3:1]
    bthci_vendor.broadcom.host_stack_idle_threshold x8 cmd@15/fc27[4:1]
    bthci_vendor.broadcom.host_controller_idle_threshold x8 cmd@15/fc27[5:1]
    bthci_vendor.broadcom.wake_polarity x8 cmd@15/fc27[6:1]
    bthci_vendor.broadcom.host_wake_polarity x8 cmd@15/fc27[7:1]
    bthci_vendor.broadcom.allow_host_sleep_during_sco x8 cmd@15/fc27[8:1]
    bthci_vendor.broadcom.combine_sleep_mode_and_lpm x8 cmd@15/fc27[9:1]
    bthci_vendor.broadcom.enable_uart_txd_tri_state x8 cmd@15/fc27[10:1]
    bthci_vendor.broadcom.sleep_guard_time x8 cmd@15/fc27[11:1]
    bthci_vendor.broadcom.wakeup_guard_time x8 cmd@15/fc27[12:1]
    bthci_vendor.broadcom.txd_config x8 cmd@15/fc27[13:1]
    bthci_vendor.broadcom.pulsed_host_wake x8 cmd@15/fc27[14:1]
    bthci_vendor.broadcom.hid_emulation_mode x8 cmd@15/fc3b[3:1]
    bthci_vendor.broadcom.uart_clock x8 cmd@15/fc45[3:1]
    bthci_vendor.broadcom.firmware.address x32 cmd@15/fc4c,fc4e[3:4]
    bthci_vendor.broadcom.firmware.data none cmd@15/fc4c.data
    bthci_vendor.broadcom.connection_handle x16 cmd@15/fc57[3:2]
    bthci_vendor.broadcom.connection_priority x8 cmd@15/fc57[5:1]
    bthci_vendor.broadcom.vid x16 evt@15/fc5a[6:2]
    bthci_vendor.broadcom.pid x16 evt@15/fc5a[8:2]
    bthci_vendor.broadcom.pcm.i2s_pcm_interface.mode x8 cmd@15/fc6d[3:1]
    bthci_vendor.broadcom.pcm.i2s_pcm_interface.role x8 cmd@15/fc6d[4:1]
    bthci_vendor.broadcom.sco.i2s_pcm_interface.sample_rate x8 cmd@15/fc6d[5:1]
    bthci_vendor.broadcom.pcm.i2s_pcm_interface.clock_rate x8 cmd@15/fc6d[6:1]
    bthci_vendor.broadcom.chip_id x8 evt@15/fc79[6:1]
    bthci_vendor.broadcom.target_id x8 evt@15/fc79[7:1]
    bthci_vendor.broadcom.build_base u16 evt@15/fc79[8:2]
    bthci_vendor.broadcom.build_number u16 evt@15/fc79[10:2]
    bthci_vendor.broadcom.codec_state x8 cmd@15/fc7e[3:1]
    bthci_vendor.broadcom.codec x16 cmd@15/fc7e?ff@3=1[4:2]
    bthci_vendor.broadcom.max_advertising_instance u8 evt@15/fd53?ff@5=0[6:1]
    bthci_vendor.broadcom.resolvable_private_address_offloading u8 evt@15/fd53?ff@5=0[7:1]
    bthci_vendor.broadcom.total_scan_results u16 evt@15/fd53?ff@5=0[8:2]
    bthci_vendor.broadcom.max_irk_list u8 evt@15/fd53?ff@5=0[10:1]
    bthci_vendor.broadcom.filter_support bool evt@15/fd53?ff@5=0[11:1]
    bthci_vendor.broadcom.max_filter u8 evt@15/fd53?ff@5=0[12:1]
    bthci_vendor.broadcom.energy_support bool evt@15/fd53?ff@5=0[13:1]
    bthci_vendor.broadcom.le.multi_advertising.subcode x8 cmd@15/fd54[3:1] evt@15/fd54[6:1]
    bthci_vendor.broadcom.le.multi_advertising.min_interval u16 cmd@15/fd54?ff@3=1[4:2]
    bthci_vendor.broadcom.le.multi_advertising.max_interval u16 cmd@15/fd54?ff@3=1[6:2]
    bthci_vendor.broadcom.le.multi_advertising.type x8 cmd@15/fd54?ff@3=1[8:1]
    bthci_vendor.broadcom.le.multi_advertising.address_type x8 cmd@15/fd54?ff@3=1[9:1] cmd@15/fd54?ff@3=1[16:1]
    bthci_vendor.broadcom.le.multi_advertising.channel_map x8 cmd@15/fd54?ff@3=1[23:1]
    bthci_vendor.broadcom.le.multi_advertising.channel_map.reserved x8 cmd@15/fd54?ff@3=1[23:1]&f8
    bthci_vendor.broadcom.le.multi_advertising.channel_map.39 x8 cmd@15/fd54?ff@3=1[23:1]&4
    bthci_vendor.broadcom.le.multi_advertising.channel_map.38 x8 cmd@15/fd54?ff@3=1[23:1]&2
    bthci_vendor.broadcom.le.multi_advertising.channel_map.37 x8 cmd@15/fd54?ff@3=1[23:1]&1
    bthci_vendor.broadcom.le.multi_advertising.filter_policy x8 cmd@15/fd54?ff@3=1[24:1]
    bthci_vendor.broadcom.le.multi_advertising.instance_id u8 cmd@15/fd54.advertising_instance
    bthci_vendor.broadcom.le.multi_advertising.tx_power x8 cmd@15/fd54?ff@3=1[26:1]
    bthci_vendor.broadcom.le.multi_advertising.enable x8 cmd@15/fd54?ff@3=5[4:1]
    bthci_vendor.broadcom.le.batch_scan.subcode x8 cmd@15/fd56[3:1] evt@15/fd56[6:1]
    bthci_vendor.broadcom.le.batch_scan.enable x8 cmd@15/fd56?ff@3=1[4:1]
    bthci_vendor.broadcom.le.batch_scan.full_max u8 cmd@15/fd56?ff@3=2[4:1]
    bthci_vendor.broadcom.le.batch_scan.truncate_max u8 cmd@15/fd56?ff@3=2[5:1]
    bthci_vendor.broadcom.le.batch_scan.notify_threshold u8 cmd@15/fd56?ff@3=2[6:1]
    bthci_vendor.broadcom.le.batch_scan.mode x8 cmd@15/fd56?ff@3=3[4:1] cmd@15/fd56?ff@3=4[4:1]
    bthci_vendor.broadcom.le.batch_scan.window u32 cmd@15/fd56?ff@3=3[5:4]
    bthci_vendor.broadcom.le.batch_scan.interval u32 cmd@15/fd56?ff@3=3[9:4]
    bthci_vendor.broadcom.le.batch_scan.address_type x8 cmd@15/fd56?ff@3=3[13:1]
    bthci_vendor.broadcom.le.batch_scan.discard_rule x8 cmd@15/fd56?ff@3=3[14:1]
    bthci_vendor.broadcom.le.batch_scan.report_format u8 evt@15/fd56.batch_scan_report_format
    bthci_vendor.broadcom.le.batch_scan.number_of_records u8 evt@15/fd56.num_records
    bthci_vendor.broadcom.le.advertising_filter.subcode x8 cmd@15/fd57[3:1] evt@15/fd57[6:1]
    bthci_vendor.broadcom.le.scan_condition x8 cmd@15/fd57[4:1] evt@15/fd57?ff@5=0[7:1]
    bthci_vendor.broadcom.le.filter_index u8 cmd@15/fd57[5:1]
    bthci_vendor.broadcom.le.number_of_available_filters u8 evt@15/fd57?ff@5=0[8:1]
    bthci_vendor.broadcom.le.total_rx_time u32 evt@15/fd59.total_rx_time
    bthci_vendor.broadcom.le.total_tx_time u32 evt@15/fd59.total_tx_time
    bthci_vendor.broadcom.le.total_idle_time u32 evt@15/fd59.total_idle_time
    bthci_vendor.broadcom.le.total_energy_used u32 evt@15/fd59.total_energy_used
    bthci_vendor.intel protocol =
    bthci_vendor.intel.opcode x16{opcode} cmd@2[0:2] evt@2?ff@0=e[3:2] evt@2/s06.command_opcode
    bthci_vendor.intel.opcode.ogf x16 cmd@2[0:2]&fc00 evt@2?ff@0=e[3:2]&fc00 evt@2/s06.command_opcode&fc00
    bthci_vendor.intel.opcode.ocf x16 cmd@2[0:2]&03ff evt@2?ff@0=e[3:2]&03ff evt@2/s06.command_opcode&03ff
    bthci_vendor.intel.parameter_length u8 cmd@2[2:1] evt@2[1:1]
    bthci_vendor.intel.event_code x8{event} evt@2[0:1]
    bthci_vendor.intel.number_of_allowed_command_packets u8 evt@2?ff@0=e[2:1]
    bthci_vendor.intel.status x8{status} evt@2?ff@0=e[5:1] evt@2/s06,s16,s19.status
    bthci_vendor.intel.reset.type x8 cmd@2/fc01[3:1]
    bthci_vendor.intel.reset.patch_enable x8 cmd@2/fc01[4:1]
    bthci_vendor.intel.reset.ddc_reload x8 cmd@2/fc01[5:1]
    bthci_vendor.intel.reset.boot.option x8 cmd@2/fc01[6:1]
    bthci_vendor.intel.reset.boot.address x32 cmd@2/fc01[7:4]
    bthci_vendor.intel.secure_send.type x8 cmd@2/fc09[3:1]
    bthci_vendor.intel.manufacturer.mode x8 cmd@2/fc11[3:1]
    bthci_vendor.intel.manufacturer.reset x8 cmd@2/fc11[4:1]
    bthci_vendor.intel.bd_addr ether cmd@2/fc2f[3:6] cmd@2/fc31[3:6] evt@2/fc30[6:6] evt@2/s25[3:6]
    bthci_vendor.intel.transmit_traces u8 cmd@2/fc43[3:1]
    bthci_vendor.intel.transmit_arq x8 cmd@2/fc43[4:1]
    bthci_vendor.intel.receive_traces u8 cmd@2/fc43[5:1]
    bthci_vendor.intel.stimulated_exception_type x8 cmd@2/fc4d[3:1]
    bthci_vendor.intel.event_mask x64 cmd@2/fc52[3:8]
    bthci_vendor.intel.event_mask.bootup bool cmd@2/fc52[3:8]&1
    bthci_vendor.intel.event_mask.sco_rejected_via_lmp bool cmd@2/fc52[3:8]&2
    bthci_vendor.intel.event_mask.ptt_switch_notification bool cmd@2/fc52[3:8]&4
    bthci_vendor.intel.event_mask.scan_status bool cmd@2/fc52[3:8]&80
    bthci_vendor.intel.event_mask.debug_exception bool cmd@2/fc52[3:8]&200
    bthci_vendor.intel.event_mask.fatal_exception bool cmd@2/fc52[3:8]&400
    bthci_vendor.intel.event_mask.system_exception bool cmd@2/fc52[3:8]&800
    bthci_vendor.intel.event_mask.le_link_established bool cmd@2/fc52[3:8]&2000
    bthci_vendor.intel.event_mask.firmware_trace_string bool cmd@2/fc52[3:8]&4000
    bthci_vendor.intel.ddc_config.length u8 cmd@2/fc8b.length
    bthci_vendor.intel.identifier x16 cmd@2/fc8b.identifier evt@2/fc8b[6:2]
    bthci_vendor.intel.mem.address x32 cmd@2/fc8e[3:4]
    bthci_vendor.intel.mem.mode x8 cmd@2/fc8e[7:1]
    bthci_vendor.intel.mem.length u8 cmd@2/fc8e[8:1]
    bthci_vendor.intel.hardware.platform x8 evt@2/fc05[6:1]
    bthci_vendor.intel.hardware.variant x8 evt@2/fc05[7:1]
    bthci_vendor.intel.hardware.revision x8 evt@2/fc05[8:1]
    bthci_vendor.intel.firmware.variant x8 evt@2/fc05[9:1]
    bthci_vendor.intel.firmware.revision x8 evt@2/fc05[10:1]
    bthci_vendor.intel.firmware.build_version.nn u8 evt@2/fc05[11:1]
    bthci_vendor.intel.firmware.build_version.cw u8 evt@2/fc05[12:1]
    bthci_vendor.intel.firmware.build_version.yy u8 evt@2/fc05[13:1]
    bthci_vendor.intel.firmware.patch u8 evt@2/fc05[14:1]
    bthci_vendor.intel.line u16 evt@2/s01,s08.line
    bthci_vendor.intel.module x8 evt@2/s01,s08.module
    bthci_vendor.intel.reason u8 evt@2/s01,s08,s25.reason
    bthci_vendor.intel.zero x8 evt@2/s02[3:1]
    bthci_vendor.intel.number_of_packets u8 evt@2/s02.number_of_packets
    bthci_vendor.intel.source x8 evt@2/s02.source
    bthci_vendor.intel.reset_type x8 evt@2/s02.reset_type
    bthci_vendor.intel.reset_reason x8 evt@2/s02.reset_reason
    bthci_vendor.intel.ddc_status x8 evt@2/s02.ddc_status
    bthci_vendor.intel.bd_data_status x8 evt@2/s05.bd_data_status
    bthci_vendor.intel.secure_send_commands_result x8 evt@2/s06.result
    bthci_vendor.intel.handle x16 evt@2/s0f,s17,s26.connection_handle
    bthci_vendor.intel.access_address x32 evt@2/s0f.access_address
    bthci_vendor.intel.scan_status x8 evt@2/s11[3:1]
    bthci_vendor.intel.scan_status.page_scan x8 evt@2/s11[3:1]&2
    bthci_vendor.intel.scan_status.inquiry_scan x8 evt@2/s11[3:1]&1
    bthci_vendor.intel.link_pdu_trace_type x8 evt@2/s17.trace_type
    bthci_vendor.intel.clock x32 evt@2/s17.clock
    bthci_vendor.intel.id x8 evt@2/s17.id
    bthci_vendor.intel.count u16 evt@2/s17.count
    bthci_vendor.intel.packet_table x8 evt@2/s26.packet_table
    bthci_vendor.intel.exception_type x8 evt@2/s29.exception_type
    """
}
