import Testing

@testable import Bluetooth

@Suite struct HCITests {
  private func command(_ text: String) -> (name: String, json: String, problems: [String]) {
    var visitor = JSONVisitor()
    let bytes = hex(text)
    let pdu = HCI.walkCommand(bytes.span.bytes, &visitor)
    return (pdu?.name.description ?? "", visitor.json, visitor.problems)
  }

  private func event(_ text: String) -> (name: String, json: String, problems: [String]) {
    var visitor = JSONVisitor()
    let bytes = hex(text)
    let pdu = HCI.walkEvent(bytes.span.bytes, &visitor)
    return (pdu?.name.description ?? "", visitor.json, visitor.problems)
  }

  @Test func leCreateConnection() {
    let decoded = command("0d20 19 6000 3000 00 01 0100 00ee ffc0 00 1800 2800 0000 2a00 0000 0000")
    #expect(decoded.name == "LE Create Connection")
    #expect(
      decoded.json
        == #"{"le_scan_interval":60,"le_scan_window":30,"initiator_filter_policy":"peer address","peer_address_type":"random","peer_address":"c0:ff:ee:00:00:01","own_address_type":"public","connection_interval_min":30,"connection_interval_max":50,"max_latency":0,"supervision_timeout":420,"min_ce_length":0,"max_ce_length":0}"#
    )
    #expect(decoded.problems == [])
  }

  @Test func leAdvertisingReport() {
    let decoded = event("3e 1a 02 01 00 00 01 00 00 ee ff c0 0e 02 01 06 03 03 0f 18 06 09 47 6f 50 72 6f c3")
    #expect(decoded.name == "LE Advertising Report")
    #expect(
      decoded.json
        == #"{"subevent_code":"LE Advertising Report","num_reports":1,"reports":[{"event_type":"adv_ind","address_type":"public","address":"c0:ff:ee:00:00:01","data_length":14,"data":[{"length":2,"type":"Flags","flags":["le general discoverable mode","br/edr not supported"]},{"length":3,"type":"Complete List of 16-bit Service or Service Class UUIDs","service_uuids":["180f"]},{"length":6,"type":"Complete Local Name","local_name":"GoPro"}],"rssi":-61}]}"#
    )
    #expect(decoded.problems == [])
  }

  @Test func commandCompleteCarriesReturnParameters() {
    let decoded = event("0e 0a 01 0910 00 01 00 00 ee ff c0")
    #expect(decoded.name == "Command Complete")
    #expect(
      decoded.json
        == #"{"num_hci_command_packets":1,"command_opcode":"Read BD_ADDR","status":"success","bd_addr":"c0:ff:ee:00:00:01"}"#)
    // A failed command may leave out the other return parameters; a successful one may not.
    #expect(event("0e 04 01 0910 0c").problems == [])
    #expect(event("0e 04 01 0910 00").problems == ["bd_addr: 6 bytes at 6, 0 there"])
  }

  @Test func disconnection() {
    #expect(
      event("05 04 00 40 00 13").json
        == #"{"status":"success","connection_handle":64,"reason":"remote user terminated connection"}"#)
    #expect(event("05 04 00 40").problems == ["connection_handle: 2 bytes at 3, 1 there", "parameters: 4 bytes at 2, 2 there"])
  }

  @Test func numberOfCompletedPackets() {
    #expect(
      event("13 09 02 4000 0100 4100 0200").json
        == #"{"num_handles":2,"handles":[{"connection_handle":64,"num_completed_packets":1},{"connection_handle":65,"num_completed_packets":2}]}"#
    )
  }

  @Test func physAreCountedByBits() {
    let decoded = command("4120 0d 00 00 05 01 1000 1000 00 2000 2000")
    #expect(decoded.name == "LE Set Extended Scan Parameters")
    #expect(
      decoded.json
        == #"{"own_address_type":"public","scanning_filter_policy":"basic unfiltered","scanning_phys":["le 1m","le coded"],"phys":[{"scan_type":"active","scan_interval":10,"scan_window":10},{"scan_type":"passive","scan_interval":20,"scan_window":20}]}"#
    )
  }

  @Test func periodicAdvertisingWithResponses() {
    let request = event("3e 04 27 01 03 02")
    #expect(request.name == "LE Periodic Advertising Subevent Data Request")
    #expect(
      request.json
        == #"{"subevent_code":"LE Periodic Advertising Subevent Data Request","advertising_handle":1,"subevent_start":3,"subevent_data_count":2}"#
    )
    // Two subevents, the second without data.
    let data = command("8220 0f 01 02 03 00 04 05 04 09 4c 45 44 04 02 01 00")
    #expect(data.name == "LE Set Periodic Advertising Subevent Data")
    #expect(
      data.json
        == #"{"advertising_handle":1,"num_subevents":2,"subevents":[{"subevent":3,"response_slot_start":0,"response_slot_count":4,"subevent_data_length":5,"subevent_data":[{"length":4,"type":"Complete Local Name","local_name":"LED"}]},{"subevent":4,"response_slot_start":2,"response_slot_count":1,"subevent_data_length":0,"subevent_data":[]}]}"#
    )
    #expect(data.problems == [])
    let report = event("3e 16 28 01 03 00 02 f4 c4 ff 00 00 05 04 09 4c 45 44 7f ba 01 02 01 00")
    #expect(report.name == "LE Periodic Advertising Response Report")
    #expect(
      report.json
        == #"{"subevent_code":"LE Periodic Advertising Response Report","advertising_handle":1,"subevent":3,"tx_status":0,"num_responses":2,"responses":[{"tx_power":-12,"rssi":-60,"cte_type":"none","response_slot":0,"data_status":"complete","data_length":5,"data":[{"length":4,"type":"Complete Local Name","local_name":"LED"}]},{"tx_power":"not available","rssi":-70,"cte_type":"aod with 1 us slots","response_slot":2,"data_status":"incomplete, more to come","data_length":0,"data":[]}]}"#
    )
    #expect(report.problems == [])
    // A report that announces more responses than it has is a problem.
    #expect(event("3e 0b 28 01 03 00 02 f4 c4 ff 00 00 00").problems != [])
  }

  @Test func timesOfPeriodicAdvertisingWithResponses() {
    // Intervals and delays are in units of 1.25 ms, the spacing of response slots in units of 0.125 ms.
    let decoded = command("8620 0c 01 a000 5001 0000 04 18 08 10 05")
    #expect(decoded.name == "LE Set Periodic Advertising Parameters [v2]")
    #expect(
      decoded.json
        == #"{"advertising_handle":1,"periodic_advertising_interval_min":200,"periodic_advertising_interval_max":420,"periodic_advertising_properties":[],"num_subevents":4,"subevent_interval":30,"response_slot_delay":10,"response_slot_spacing":2,"num_response_slots":5}"#
    )
    #expect(decoded.problems == [])
  }

  @Test func channelSoundingCapabilities() {
    let remote = event("3e 20 2c 00 4000 04 0100 02 03 03 01 01 0a 0b 0c 0100 0000 02 0e00 0100 4000 0101 0200 0a 05")
    #expect(remote.name == "LE CS Read Remote Supported Capabilities Complete")
    #expect(
      remote.json
        == #"{"subevent_code":"LE CS Read Remote Supported Capabilities Complete","status":"success","connection_handle":64,"num_config_supported":4,"max_consecutive_procedures_supported":1,"num_antennas_supported":2,"max_antenna_paths_supported":3,"roles_supported":["initiator","reflector"],"modes_supported":["mode 3"],"rtt_capability":["aa only 10 ns"],"rtt_aa_only_n":10,"rtt_sounding_n":11,"rtt_random_payload_n":12,"nadm_sounding_capability":["phase-based"],"nadm_random_capability":[],"cs_sync_phys_supported":["le 2m"],"subfeatures_supported":["no frequency actuation error","channel selection 3c","phase-based ranging from rtt sounding"],"t_ip1_times_supported":["10 us"],"t_ip2_times_supported":["80 us"],"t_fcs_times_supported":["15 us","120 us"],"t_pm_times_supported":["20 us"],"t_sw_time_supported":10,"tx_snr_capability":["18 db","24 db"]}"#
    )
    #expect(remote.problems == [])
    // The host writes capabilities of an earlier connection in the same fields.
    let cached = command("8b20 1e 4000 04 0100 02 03 03 01 01 0a 0b 0c 0100 0000 02 0e00 0100 4000 0101 0200 0a 05")
    #expect(cached.name == "LE CS Write Cached Remote Supported Capabilities")
    #expect(cached.json.hasPrefix(#"{"connection_handle":64,"num_config_supported":4,"#))
    #expect(cached.problems == [])
  }

  @Test func channelSoundingConfiguration() {
    let create = command("9020 1c 4000 01 01 02 ff 02 0a 01 03 00 00 02 fcffff7ffcffffffff1f 01 00 00 02 00")
    #expect(create.name == "LE CS Create Config")
    #expect(
      create.json
        == #"{"connection_handle":64,"config_id":1,"create_context":"local and remote","main_mode_type":"mode 2","sub_mode_type":"none","min_main_mode_steps":2,"max_main_mode_steps":10,"main_mode_repetition":1,"mode_0_steps":3,"role":"initiator","rtt_type":"aa only","cs_sync_phy":"le 2m","channel_map":"fcffff7ffcffffffff1f","channel_map_repetition":1,"channel_selection_type":"3b","ch3c_shape":"hat","ch3c_jump":2,"cs_enhancements_1":0}"#
    )
    #expect(create.problems == [])
    let complete = event("3e 22 2f 00 4000 01 01 02 ff 02 0a 01 03 00 00 02 fcffff7ffcffffffff1f 01 00 00 02 00 50 91 78 28")
    #expect(complete.name == "LE CS Config Complete")
    #expect(complete.json.hasSuffix(#""cs_enhancements_1":0,"t_ip1_time":80,"t_ip2_time":145,"t_fcs_time":120,"t_pm_time":40}"#))
    #expect(complete.problems == [])
    let enabled = event("3e 16 30 00 4000 01 01 00 7f a08601 01 1000 0200 0a00 6400 4006")
    #expect(enabled.name == "LE CS Procedure Enable Complete")
    #expect(
      enabled.json
        == #"{"subevent_code":"LE CS Procedure Enable Complete","status":"success","connection_handle":64,"config_id":1,"state":"enabled","tone_antenna_config_selection":0,"selected_tx_power":"not available","subevent_len":100000,"subevents_per_event":1,"subevent_interval":10,"event_interval":2,"procedure_interval":10,"procedure_count":100,"max_procedure_len":1000}"#
    )
    #expect(enabled.problems == [])
  }

  @Test func channelSoundingSteps() {
    // A mode 0 step of the initiator, and a mode 2 step with an antenna path and its extension slot.
    let result = event("3e 24 31 4000 01 3412 0500 0a00 ec 00 01 00 01 02 00 05 05 10 c4 01 00c0 02 28 09 00 23f1ff 00 ff0f00 21")
    #expect(result.name == "LE CS Subevent Result")
    #expect(
      result.json
        == #"{"subevent_code":"LE CS Subevent Result","connection_handle":64,"config_id":1,"start_acl_conn_event_counter":4660,"procedure_counter":5,"frequency_compensation":0.1,"reference_power_level":-20,"procedure_done_status":"complete","subevent_done_status":"partial","abort_reason":{"procedure":"none","subevent":"none"},"num_antenna_paths":1,"num_steps_reported":2,"steps":[{"step_mode":0,"step_channel":5,"step_data_length":5,"step_data":{"packet_quality":{"aa_check":"successful","bit_errors":1},"packet_rssi":-60,"packet_antenna":1,"measured_freq_offset":"not available"}},{"step_mode":2,"step_channel":40,"step_data_length":9,"step_data":{"antenna_permutation_index":0,"tones":[{"tone_pct":{"i":291,"q":4095},"tone_quality_indicator":{"quality":"high","extension":"no extension slot"}},{"tone_pct":{"i":4095,"q":0},"tone_quality_indicator":{"quality":"medium","extension":"extension slot, tone expected"}}]}}]}"#
    )
    #expect(result.problems == [])
    // Steps of the reflector: mode 0, mode 1 with and without a sounding sequence, mode 3 with one.
    let more = event(
      "3e 43 32 4000 01 00 0f f2 01 04 00 05 03 02 7f 01 01 07 06 00 ff c4 0080 01 01 08 0e 00 00 c4 0400 01 01020304 05060708 03 09 17 00 03 c4 fcff 02 01020304 05060708 00 23f1ff 00 ff0f00 03"
    )
    #expect(more.name == "LE CS Subevent Result Continue")
    #expect(
      more.json.contains(#""subevent_done_status":"aborted","abort_reason":{"procedure":"too few channels","subevent":"unspecified"}"#))
    #expect(
      more.json.contains(
        #"{"step_mode":0,"step_channel":5,"step_data_length":3,"step_data":{"packet_quality":{"aa_check":"not found","bit_errors":0},"packet_rssi":"not available","packet_antenna":1}}"#
      ))
    #expect(
      more.json.contains(
        #""step_data":{"packet_quality":{"aa_check":"successful","bit_errors":0},"packet_nadm":"unknown","packet_rssi":-60,"toa_tod":"not available","packet_antenna":1}}"#
      ))
    #expect(
      more.json.contains(
        #""packet_nadm":"attack extremely unlikely","packet_rssi":-60,"toa_tod":2,"packet_antenna":1,"packet_pct1":"01020304","#))
    #expect(
      more.json.hasSuffix(
        #""packet_nadm":"attack possible","packet_rssi":-60,"toa_tod":-2,"packet_antenna":2,"packet_pct1":"01020304","packet_pct2":"05060708","antenna_permutation_index":0,"tones":[{"tone_pct":{"i":291,"q":4095},"tone_quality_indicator":{"quality":"high","extension":"no extension slot"}},{"tone_pct":{"i":4095,"q":0},"tone_quality_indicator":{"quality":"unavailable","extension":"no extension slot"}}]}}]}"#
      ))
    #expect(more.problems == [])
    // A step that is longer than the event is a problem.
    #expect(event("3e 0d 32 4000 01 00 00 00 01 01 01 07 09 aa").problems != [])
  }

  @Test func connectionRate() {
    let request = command("a120 14 4000 0800 1000 0100 0400 0000 0000 2a00 0000 0800")
    #expect(request.name == "LE Connection Rate Request")
    #expect(
      request.json
        == #"{"connection_handle":64,"connection_interval_min":1,"connection_interval_max":2,"subrate_min":1,"subrate_max":4,"max_latency":0,"continuation_number":0,"supervision_timeout":420,"min_ce_length":0,"max_ce_length":1}"#
    )
    #expect(request.problems == [])
    #expect(event("3e 0e 37 00 4000 0800 0100 0000 0000 2a00").problems == [])
  }

  @Test func unknownOnesStayValues() {
    #expect(command("ff27 02 0102").json == #"{"parameters":"0102"}"#)
    #expect(command("ff27 02 0102").name == "")
    #expect(event("3e 03 fe 01 02").json == #"{"subevent_code":254,"parameters":"0102"}"#)
    #expect(event("3e 00").problems == ["subevent_code: 1 bytes at 2, 0 there"])
  }
}
