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
    // A failed command may leave out the rest; a successful one may not.
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

  @Test func unknownOnesStayValues() {
    #expect(command("ff27 02 0102").json == #"{"parameters":"0102"}"#)
    #expect(command("ff27 02 0102").name == "")
    #expect(event("3e 03 fe 01 02").json == #"{"subevent_code":254,"parameters":"0102"}"#)
    #expect(event("3e 00").problems == ["subevent_code: 1 bytes at 2, 0 there"])
  }

  @Test func aclHeader() {
    let header = HCI.ACLHeader(hex("4020 0700").span.bytes)
    #expect(header?.handle == 0x40)
    #expect(header?.boundary == 2)
    #expect(header?.length == 7)
    #expect(HCI.ACLHeader(hex("4020 07").span.bytes) == nil)
  }
}
