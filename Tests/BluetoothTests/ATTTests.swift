import Testing

@testable import Bluetooth

@Suite struct ATTTests {
  private func decode(_ text: String, requested: BluetoothUUID? = nil) -> (name: String, json: String, problems: [String]) {
    var visitor = JSONVisitor()
    let bytes = hex(text)
    let pdu = ATT.walk(bytes.span.bytes, requested: requested, &visitor)
    return (pdu?.name.description ?? "", visitor.json, visitor.problems)
  }

  @Test(arguments: [
    (
      "01 08 0100 0a", "Error Response",
      #"{"request_opcode_in_error":"Read By Type Request","attribute_handle_in_error":1,"error_code":"attribute not found"}"#
    ),
    ("02 0502", "Exchange MTU Request", #"{"client_rx_mtu":517}"#),
    ("03 1700", "Exchange MTU Response", #"{"server_rx_mtu":23}"#),
    ("04 0100 ffff", "Find Information Request", #"{"starting_handle":1,"ending_handle":65535}"#),
    (
      "05 01 0300 0229 0400 0129", "Find Information Response",
      #"{"format":"16-bit uuids","information_data":[{"handle":3,"uuid":"2902"},{"handle":4,"uuid":"2901"}]}"#
    ),
    (
      "05 02 0300 9ecadc240ee5a9e093f3a3b50100406e", "Find Information Response",
      #"{"format":"128-bit uuids","information_data":[{"handle":3,"uuid":"6e400001-b5a3-f393-e0a9-e50e24dcca9e"}]}"#
    ),
    (
      "06 0100 ffff 0028 0d18", "Find By Type Value Request",
      #"{"starting_handle":1,"ending_handle":65535,"attribute_type":"2800","attribute_value":"0d18"}"#
    ),
    ("07 0100 0500", "Find By Type Value Response", #"{"handles_information_list":[{"found_attribute_handle":1,"group_end_handle":5}]}"#),
    ("08 0100 ffff 0328", "Read By Type Request", #"{"starting_handle":1,"ending_handle":65535,"attribute_type":"2803"}"#),
    ("09 04 0300 6162", "Read By Type Response", #"{"length":4,"attribute_data_list":[{"attribute_handle":3,"attribute_value":"6162"}]}"#),
    ("0a 0300", "Read Request", #"{"attribute_handle":3}"#),
    ("0b 0102", "Read Response", #"{"attribute_value":"0102"}"#),
    ("0c 0300 1600", "Read Blob Request", #"{"attribute_handle":3,"value_offset":22}"#),
    ("0d 01", "Read Blob Response", #"{"part_attribute_value":"01"}"#),
    ("0e 0300 0400", "Read Multiple Request", #"{"set_of_handles":[3,4]}"#),
    ("0f 0102", "Read Multiple Response", #"{"set_of_values":"0102"}"#),
    ("10 0100 ffff 0028", "Read By Group Type Request", #"{"starting_handle":1,"ending_handle":65535,"attribute_group_type":"2800"}"#),
    (
      "11 06 0100 0500 0018 0600 0900 0118", "Read By Group Type Response",
      #"{"length":6,"attribute_data_list":[{"attribute_handle":1,"end_group_handle":5,"attribute_value":"1800"},{"attribute_handle":6,"end_group_handle":9,"attribute_value":"1801"}]}"#
    ),
    ("12 0300 01", "Write Request", #"{"attribute_handle":3,"attribute_value":"01"}"#),
    ("13", "Write Response", "{}"),
    ("16 0300 0000 01", "Prepare Write Request", #"{"attribute_handle":3,"value_offset":0,"part_attribute_value":"01"}"#),
    ("17 0300 0000 01", "Prepare Write Response", #"{"attribute_handle":3,"value_offset":0,"part_attribute_value":"01"}"#),
    ("18 01", "Execute Write Request", #"{"flags":"write all"}"#),
    ("19", "Execute Write Response", "{}"),
    ("1b 0300 01", "Handle Value Notification", #"{"attribute_handle":3,"attribute_value":"01"}"#),
    ("1d 0300 01", "Handle Value Indication", #"{"attribute_handle":3,"attribute_value":"01"}"#),
    ("1e", "Handle Value Confirmation", "{}"),
    ("20 0300 0400", "Read Multiple Variable Request", #"{"set_of_handles":[3,4]}"#),
    (
      "21 0100 aa 0000 0200 bbcc", "Read Multiple Variable Response",
      #"{"length_value_tuple_list":[{"value_length":1,"attribute_value":"aa"},{"value_length":0,"attribute_value":""},{"value_length":2,"attribute_value":"bbcc"}]}"#
    ),
    (
      "23 0300 0100 aa 0400 0200 bbcc", "Multiple Handle Value Notification",
      #"{"handle_length_value_tuple_list":[{"attribute_handle":3,"value_length":1,"attribute_value":"aa"},{"attribute_handle":4,"value_length":2,"attribute_value":"bbcc"}]}"#
    ),
    ("52 0300 01", "Write Command", #"{"attribute_handle":3,"attribute_value":"01"}"#),
    (
      "d2 0300 01 000102030405060708090a0b", "Signed Write Command",
      #"{"attribute_handle":3,"attribute_value":"01","authentication_signature":"000102030405060708090a0b"}"#
    ),
  ])
  func everyPDU(_ text: String, _ name: String, _ json: String) {
    let decoded = decode(text)
    #expect(decoded.name == name)
    #expect(decoded.json == json)
    #expect(decoded.problems == [])
  }

  @Test func declarationsOfCharacteristicsAndIncludes() {
    let characteristics = decode("09 07 0200 12 0300 002a 0400 02 0500 012a", requested: 0x2803)
    #expect(
      characteristics.json
        == #"{"length":7,"attribute_data_list":[{"attribute_handle":2,"characteristic_properties":["read","notify"],"characteristic_value_handle":3,"characteristic_uuid":"2a00"},{"attribute_handle":4,"characteristic_properties":["read"],"characteristic_value_handle":5,"characteristic_uuid":"2a01"}]}"#
    )
    let includes = decode("09 08 0200 1000 1500 0f18", requested: 0x2802)
    #expect(
      includes.json
        == #"{"length":8,"attribute_data_list":[{"attribute_handle":2,"included_service_attribute_handle":16,"end_group_handle":21,"service_uuid":"180f"}]}"#
    )
  }

  @Test func brokenPDUsGiveWhatIsThere() {
    #expect(decode("12 03").problems == ["attribute_handle: 2 bytes at 1, 1 there"])
    #expect(decode("21 0500 aa").json == #"{"length_value_tuple_list":[{"value_length":5,"attribute_value":"aa"}]}"#)
    #expect(decode("21 0500 aa").problems == ["attribute_value: 5 bytes at 3, 1 there"])
    #expect(decode("13 00").problems == ["surplus 1..<2"])
    #expect(decode("09 00 0102").problems == ["surplus 2..<4"])
    #expect(decode("09 04 0300 6162 0500 63").problems == ["attribute_data_list: 4 bytes at 6, 3 there"])
    let unknown = decode("42 0102")
    #expect(unknown.name == "")
    #expect(unknown.json == #"{"attribute_parameters":"0102"}"#)
  }

  @Test func whatIsNotDefined() {
    #expect(ATT.Opcode(rawValue: 0x42) == nil)
    #expect(ATT.ErrorCode(rawValue: 0x81).name == "application error")
  }
}
