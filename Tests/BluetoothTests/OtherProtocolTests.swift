import Testing

@testable import Bluetooth

@Suite struct OtherProtocolTests {
  private func json(_ walk: (inout JSONVisitor) -> Void) -> (json: String, problems: [String]) {
    var visitor = JSONVisitor()
    walk(&visitor)
    return (visitor.json, visitor.problems)
  }

  @Test func pairingRequest() {
    let bytes = hex("01 03 00 2d 10 0f 0f")
    let decoded = json { SMP.walk(bytes.span.bytes, &$0) }
    #expect(
      decoded.json
        == #"{"io_capability":"no input no output","oob_data_flag":"not present","authreq":{"bonding_flags":"bonding","mitm":true,"sc":true,"keypress":false,"ct2":true},"maximum_encryption_key_size":16,"initiator_key_distribution":["enc key","id key","sign key","link key"],"responder_key_distribution":["enc key","id key","sign key","link key"]}"#
    )
    #expect(decoded.problems == [])
    #expect(json { SMP.walk(hex("05 04").span.bytes, &$0) }.json == #"{"reason":"confirm value failed"}"#)
    #expect(
      json { SMP.walk(hex("09 01 010000eeffc0").span.bytes, &$0) }.json == #"{"addr_type":"random","bd_addr":"c0:ff:ee:00:00:01"}"#)
    #expect(json { SMP.walk(hex("01 03 00 2d 05 0f 0f").span.bytes, &$0) }.problems == ["maximum_encryption_key_size 5 out of range"])
    #expect(json { SMP.walk(hex("7f 01").span.bytes, &$0) }.json == #"{"data":"01"}"#)
  }

  /// A SIM Access message in an RFCOMM frame, channels of health devices, 3D glasses.
  @Test func smallProtocols() {
    let card = hex("4b ef 19 01 01 0000 01 00 0001 00 000000 aa")
    #expect(SAP.name(of: card.span.bytes, PDUContext()) == "CONNECT_RESP")
    let decoded = json { SAP.walk(card.span.bytes, PDUContext(), &$0) }
    #expect(
      decoded.json.hasSuffix(
        #""message_id":"connect response","parameter_count":1,"parameters":[{"parameter_id":"connection status","parameter_length":1,"connection_status":"ok","padding":"000000"}]}"#
      ), "\(decoded.json)")
    #expect(decoded.problems == [])
    #expect(json { SAP.walk(hex("4b ef 05 00 ff aa").span.bytes, PDUContext(), &$0) }.problems.count == 1)
    #expect(
      json { MCAP.walk(hex("01 0001 05 00").span.bytes, PDUContext(), &$0) }.json
        == #"{"op_code":1,"mdl_id":1,"mdep_id":5,"configuration":0}"#)
    #expect(MCAP.name(of: hex("02").span.bytes, PDUContext()) == "MD_CREATE_MDL_RSP")
    #expect(
      json { Synchronization3D.walk(hex("00 01 32").span.bytes, PDUContext(), &$0) }.json
        == #"{"message_opcode":0,"association_notification":true,"user_request_for_battery_level_display":false,"battery_level":50}"#)
  }

  /// Requests of a printer's client, responses, notifications and data are distinguished by their channel and sender.
  @Test func printer() {
    func described(_ bytes: String, _ channel: HCRP.Channel, fromServer: Bool) -> (name: String, json: String, problems: [String]) {
      let bytes = hex(bytes)
      var context = PDUContext()
      context.opcode = channel.rawValue | (fromServer ? HCRP.fromServer : 0)
      if channel == .control { context.opcode |= UInt32(bytes[0]) << 8 | UInt32(bytes[1]) }
      var visitor = JSONVisitor()
      HCRP.walk(bytes.span.bytes, context, &visitor)
      return (HCRP.name(of: bytes.span.bytes, context).description, visitor.json, visitor.problems)
    }
    let request = described("0006 0001 0004 0000 00ff", .control, fromServer: false)
    #expect(request.name == "CR_Get1284ID Request")
    #expect(
      request.json
        == #"{"control_pdu_id":"get 1284 id","transaction_id":1,"parameter_length":4,"start_byte":0,"number_of_bytes":255}"#)
    let answered = described("0006 0001 0008 0001 0006 4d46473a", .control, fromServer: true)
    #expect(answered.name == "CR_Get1284ID Response" && answered.problems == [])
    #expect(answered.json.hasSuffix(#""control_status":"success","device_id_length":6,"device_id":"MFG:"}"#), "\(answered.json)")
    // If the start byte is not 0, there is no length field.
    #expect(described("0006 0002 0006 0001 4d46473a", .control, fromServer: true).json.hasSuffix(#""device_id":"MFG:"}"#))
    #expect(
      described("0005 0003 0003 0001 38", .control, fromServer: true).json
        .hasSuffix(#""lpt_status":{"not_error":true,"select":true,"paper_empty":true}}"#))
    let failed = described("0002 0004 0002 ffff", .control, fromServer: true)
    #expect(failed.json.hasSuffix(#""control_status":"generic failure"}"#) && failed.problems == [])
    #expect(described("0001 00000007", .notification, fromServer: true).name == "N_Notification")
    let data = described("1b45", .data, fromServer: false)
    #expect(data.name == "HCRP Data" && data.json == #"{"payload":"1b45"}"#)
    // Too large or too small a length, a PDU that is no request, and packets cut at every byte.
    #expect(described("0001 0001 0009 00000001", .control, fromServer: false).problems.count == 1)
    #expect(described("0001 0001 0004 00000001 aa", .control, fromServer: false).problems.count == 1)
    #expect(described("8001 0001 0002 aabb", .control, fromServer: false).json.hasSuffix(#""data":"aabb"}"#))
    for length in 2..<14 { _ = described(String("00090001000800000001000000020000".prefix(length * 2)), .control, fromServer: true) }
  }

  /// Field names are unique within a mesh message: a filter finds a field by its name and the message's opcode.
  @Test func meshFieldsHaveTheirOwnNames() {
    #expect(Mesh.messages.problems == [])
    var names: Set<String> = []
    for line in Mesh.derivedFilters.description.split(separator: "\n") {
      let words = line.split(separator: " ")
      #expect(words.count == 3 && names.insert(String(words[2])).inserted, "\(line)")
    }
    #expect(names.contains("mesh/8202.onoff"))
    let message = hex("8202 01 05 4a 02")
    #expect(
      json { Mesh.walkMessage(message.span.bytes, 0x8202, &$0) }.json
        == #"{"onoff":1,"tid":5,"transition_time":{"steps":10,"resolution":1},"delay":2}"#)
    for length in 0..<message.count {
      let part = Array(message.prefix(length))
      _ = json { Mesh.walkMessage(part.span.bytes, 0x8202, &$0) }
    }
  }

  /// Keys are marked in every protocol that carries them, so that redaction finds them.
  @Test(arguments: [
    (SMP.pdus, 0x06 as UInt32, "long_term_key"), (SMP.pdus, 0x08, "identity_resolving_key"), (SMP.pdus, 0x0A, "signature_key"),
    (HCI.commands, 0x040B, "link_key"), (HCI.commands, 0x040D, "pin_code"), (HCI.commands, 0x2019, "long_term_key"),
    (HCI.commands, 0x201A, "long_term_key"), (HCI.commands, 0x2027, "peer_irk"), (HCI.events, 0x18, "link_key"),
    (Management.commands, 0x12, "value"), (Management.events, 0x09, "value"), (Management.events, 0x0A, "value"),
    (Management.events, 0x18, "value"),
  ])
  func secretsAreMarked(_ table: PDUTable, _ code: UInt32, _ name: String) {
    let field = table[code]?.parameters.fields.first { $0.name.description == name }
    #expect(field?.isSecret == true)
  }

  @Test func signaling() {
    let update = hex("12 05 0800 1800 2800 0000 2a00")
    #expect(
      json { L2CAP.walkCommand(update.span.bytes, headers: true, &$0) }.json
        == #"{"identifier":5,"length":8,"interval_min":30,"interval_max":50,"latency":0,"timeout":420}"#)
    let enhanced = hex("17 01 0c00 2700 4000 4000 0500 4000 4100")
    #expect(
      json { L2CAP.walkCommand(enhanced.span.bytes, &$0) }.json
        == #"{"spsm":"eatt","mtu":64,"mps":64,"initial_credits":5,"source_cid":[64,65]}"#)
    #expect(
      json { L2CAP.walkCommand(hex("18 01 0c00 4000 4000 0500 0400 4200 0000").span.bytes, &$0) }.json
        == #"{"mtu":64,"mps":64,"initial_credits":5,"result":"some refused: insufficient resources","destination_cid":[66,0]}"#)
    // Two commands in one frame.
    let two = hex("06 02 0400 4000 4100 0a 03 0200 0200")
    var visitor = JSONVisitor()
    let first = L2CAP.walkCommand(two.span.bytes, &visitor)
    #expect(first.pdu?.name == "Disconnection Request")
    #expect(first.end == 8)
    let configuration = hex("04 02 0c00 4000 0000 01 02 0004 7f 02 aabb")
    #expect(
      json { L2CAP.walkCommand(configuration.span.bytes, &$0) }.json
        == #"{"destination_cid":64,"continuation":false,"options":[{"type":"maximum transmission unit","is_hint":false,"length":2,"mtu":1024},{"type":127,"is_hint":false,"length":2,"value":"aabb"}]}"#
    )
    #expect(json { L2CAP.walkCommand(hex("12 05 0800 1800").span.bytes, &$0) }.problems.count == 2)
  }

  @Test func synchronousAndIsochronousData() {
    #expect(
      json { HCI.walkSynchronous(hex("0110 02 aabb").span.bytes, &$0) }.json
        == #"{"connection_handle":1,"packet_status_flag":"possibly invalid","data_total_length":2,"data":"aabb"}"#)
    #expect(
      json { HCI.walkISO(hex("6060 0a00 01000000 0500 0200 aabb").span.bytes, &$0) }.json
        == #"{"connection_handle":96,"pb_flag":"complete sdu","ts_flag":true,"iso_data_load_length":10,"time_stamp":1,"packet_sequence_number":5,"iso_sdu_length":2,"packet_status_flag":"valid","iso_sdu_fragment":"aabb"}"#
    )
  }

  @Test func management() {
    #expect(
      json { Management.walkCommand(hex("01000000 0500 01").span.bytes, &$0) }.json
        == #"{"cookie":1,"opcode":"Set Powered","enable":1}"#)
    #expect(
      json { Management.walkEvent(hex("01000000 0100 0100 00 01 1600").span.bytes, &$0) }.json
        == #"{"cookie":1,"event_code":1,"command_opcode":"Read Management Version Information","status":"success","version":1,"revision":22}"#
    )
    #expect(json { Management.walkEvent(hex("01000000 0100 0400 11").span.bytes, &$0) }.problems == [])
    #expect(
      json { Management.walkRecord(opcode: 13, hex("06 06 626c756500 0068656c6c6f".filter { $0 != " " }).span.bytes, &$0) }.json
        == #"{"priority":"info","ident_length":6,"ident":"blue","text":"hello"}"#)
    #expect(
      json { Management.walkRecord(opcode: 0, hex("00 01 010000eeffc0 6863693000000000").span.bytes, &$0) }.json
        == #"{"type":"primary","bus":"usb","bd_addr":"c0:ff:ee:00:00:01","name":"hci0"}"#)
    #expect(
      json { Management.walkRecord(opcode: 14, hex("02000000 0200 01 1600 01000000 05 62746d6f6e").span.bytes, &$0) }.json
        == #"{"cookie":2,"format":"management","version":1,"revision":22,"flags":["trusted"],"ident_length":5,"ident":"btmon"}"#)
  }

  @Test func classicIsNamed() {
    #expect(
      json { SDP.walk(hex("02 0001 0008 3503191101 0010 00").span.bytes, &$0) }.json
        == #"{"pdu_id":2,"transaction_id":1,"parameter_length":8,"service_search_pattern":["1101"],"maximum_service_record_count":16,"continuation_length":0}"#
    )
    let frame = hex("0b ef 07 616263 9a")
    #expect(RFCOMM.Frame(frame.span.bytes)?.name == "UIH")
    #expect(RFCOMM.Frame(frame.span.bytes)?.payload == 3..<6)
    #expect(RFCOMM.Frame(frame.span.bytes)?.channel == 1)
    #expect(
      json { RFCOMM.walk(frame.span.bytes, &$0) }.json
        == #"{"ea":true,"cr":true,"dlci":2,"control":"uih","length_ea":true,"length":3,"information":"616263","fcs":154}"#)
    let credits = hex("0b ff 03 21 61 9a")
    #expect(RFCOMM.Frame(credits.span.bytes)?.credits == 0x21)
    // Multiplexer messages are sent on DLCI 0.
    let negotiation = hex("03 ef 15 83 11 02 f0 00 00 de 03 00 07 70")
    #expect(
      json { RFCOMM.walk(negotiation.span.bytes, &$0) }.json
        == #"{"ea":true,"cr":true,"dlci":0,"control":"uih","length_ea":true,"length":10,"message_ea":true,"command":true,"#
        + #""message":"parameter negotiation","message_length_ea":true,"message_length":8,"message_dlci":2,"frame_type":0,"#
        + #""credit_flow":"credits offered","priority":0,"acknowledgement_timer":0,"maximum_frame_size":990,"#
        + #""maximum_retransmissions":0,"initial_credits":7,"fcs":112}"#)
    let status = hex("01 ef 09 e3 05 0b 8d aa")
    #expect(
      json { RFCOMM.walk(status.span.bytes, &$0) }.json
        == #"{"ea":true,"cr":false,"dlci":0,"control":"uih","length_ea":true,"length":4,"message_ea":true,"command":true,"#
        + #""message":"modem status","message_length_ea":true,"message_length":2,"message_dlci":2,"flow_stopped":false,"#
        + #""ready_to_communicate":true,"ready_to_receive":true,"incoming_call":false,"data_valid":true,"fcs":170}"#)
  }

  @Test(arguments: [
    ("02 0a f4", #"[{"length":2,"type":"Tx Power Level","tx_power_level":-12}]"#),
    (
      "05 12 0600 0c00",
      #"[{"length":5,"type":"Peripheral Connection Interval Range","connection_interval_min":7.5,"connection_interval_max":15}]"#
    ),
    ("04 16 0f18 64", #"[{"length":4,"type":"Service Data - 16-bit UUID","service_uuid":"180f","service_data":"64"}]"#),
    ("05 ff 4c00 0215", #"[{"length":5,"type":"Manufacturer Specific Data","company_identifier":"Apple, Inc.","data":"0215"}]"#),
    ("03 19 4103", #"[{"length":3,"type":"Appearance","appearance":"Heart Rate Sensor: Heart Rate Belt"}]"#),
    ("03 24 17 61", #"[{"length":3,"type":"URI","uri_scheme":"https:","uri":"a"}]"#),
    ("02 1c 02", #"[{"length":2,"type":"LE Role","le_role":"peripheral role preferred"}]"#),
    (
      "08 1b 010000eeffc0 01",
      #"[{"length":8,"type":"LE Bluetooth Device Address","le_bluetooth_device_address":"c0:ff:ee:00:00:01","address_type":"random"}]"#
    ),
    ("03 77 0102", #"[{"length":3,"type":119,"data":"0102"}]"#),
    ("02 01 06 00 00 00", #"[{"length":2,"type":"Flags","flags":["le general discoverable mode","br/edr not supported"]}]"#),
  ])
  func advertisingData(_ text: String, _ expected: String) throws {
    let bytes = hex(text)
    let field = try #require(AdvertisingData.structures.unknown.fields.first { $0.name == "data" })
    let decoded = json { AdvertisingData.walk(bytes.span.bytes, in: 0..<bytes.count, as: field, &$0) }
    #expect(decoded.json == "{\"data\":\(expected)}")
    #expect(decoded.problems == [])
  }

  @Test func brokenAdvertisingData() throws {
    let bytes = hex("02 01 06 09 09 47 6f")
    let field = try #require(AdvertisingData.structures.unknown.fields.first { $0.name == "data" })
    let decoded = json { AdvertisingData.walk(bytes.span.bytes, in: 0..<bytes.count, as: field, &$0) }
    #expect(decoded.json.hasSuffix(#"{"length":9,"type":"Complete Local Name","local_name":"Go"}]}"#))
    #expect(decoded.problems == ["data: 10 bytes at 3, 4 there"])
    var cursor = AdvertisingData.Cursor(0..<bytes.count, in: bytes.span.bytes)
    #expect(cursor.next(bytes.span.bytes)?.kind.name == "Flags")
    let name = cursor.next(bytes.span.bytes)
    #expect(name?.data == 5..<7)
    #expect(name?.isCut == true)
    #expect(cursor.next(bytes.span.bytes) == nil)
  }
}
