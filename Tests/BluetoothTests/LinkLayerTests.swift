import Testing

@testable import Bluetooth

@Suite struct LinkLayerTests {
  private func advertising(_ text: String, isAuxiliary: Bool = false) -> (name: String, json: String, problems: [String]) {
    var visitor = JSONVisitor()
    let bytes = hex(text)
    let pdu = LinkLayer.walkAdvertising(bytes.span.bytes, isAuxiliary: isAuxiliary, &visitor)
    return (pdu?.name.description ?? "", visitor.json, visitor.problems)
  }

  private func data(_ text: String, isEncrypted: Bool = false) -> (name: String, json: String, problems: [String]) {
    var visitor = JSONVisitor()
    let bytes = hex(text)
    let pdu = LinkLayer.walkData(bytes.span.bytes, isEncrypted: isEncrypted, &visitor)
    return (pdu?.name.description ?? "", visitor.json, visitor.problems)
  }

  @Test func crc() {
    let packet = hex("02 0c 33 22 11 ee ff c0 02 01 06 02 0a 00 58 86 44")
    #expect(LinkLayer.hasRightCRC(packet.span.bytes, in: 0..<17, initial: LinkLayer.advertisingCRCInit) == true)
    #expect(LinkLayer.hasRightCRC(packet.span.bytes, in: 0..<16, initial: LinkLayer.advertisingCRCInit) == false)
    #expect(LinkLayer.hasRightCRC(packet.span.bytes, in: 0..<17, initial: 0x123456) == false)
    #expect(LinkLayer.crc(packet.span.bytes, in: 0..<14, initial: LinkLayer.advertisingCRCInit) == 0x448658)
  }

  @Test func legacyAdvertisement() {
    let decoded = advertising("02 0c 33 22 11 ee ff c0 02 01 06 02 0a 00")
    #expect(decoded.name == "ADV_NONCONN_IND")
    #expect(
      decoded.json
        == #"{"pdu_type":"adv_nonconn_ind","chsel":false,"txadd":"public","rxadd":"public","length":12,"adv_a":"c0:ff:ee:11:22:33","adv_data":[{"length":2,"type":"Flags","flags":["le general discoverable mode","br/edr not supported"]},{"length":2,"type":"Tx Power Level","tx_power_level":0}]}"#
    )
    #expect(decoded.problems == [])
  }

  @Test func connection() {
    let text = "c5 22 665544332211 ffeeddccbbaa 785634 12 bcab89 02 0500 1800 0000 4800 ffffffff1f 25"
    let decoded = advertising(text)
    #expect(decoded.name == "CONNECT_IND")
    #expect(
      decoded.json
        == #"{"pdu_type":"connect_ind","chsel":false,"txadd":"random","rxadd":"random","length":34,"init_a":"11:22:33:44:55:66","adv_a":"aa:bb:cc:dd:ee:ff","access_address":305419896,"crc_init":9022396,"win_size":2.5,"win_offset":6.25,"interval":30,"latency":0,"timeout":720,"channel_map":"ffffffff1f","hop":5,"sca":"250 ppm"}"#
    )
    let request = LinkLayer.ConnectionRequest(hex(text).span.bytes)
    #expect(request?.accessAddress == 0x12345678)
    #expect(request?.crcInit == 0x89ABBC)
    #expect(request?.initiator.description == "11:22:33:44:55:66")
    #expect(request?.advertiser.kind == .random)
    #expect(request?.interval == 24)
    #expect(request?.timeout == 72)
    #expect(LinkLayer.ConnectionRequest(hex("c5 22 665544332211").span.bytes) == nil)
  }

  @Test func extendedAdvertisement() {
    // Only ADI and AuxPtr.
    let primary = advertising("07 07 06 18 3412 8b1d20")
    #expect(primary.name == "ADV_EXT_IND")
    #expect(
      primary.json
        == #"{"pdu_type":"adv_ext_ind","chsel":false,"txadd":"public","rxadd":"public","length":7,"extended_header_length":6,"adv_mode":"non-connectable, non-scannable","extended_header":{"extended_header_flags":["advdatainfo","auxptr"],"adv_data_info":{"did":564,"sid":1},"aux_ptr":{"channel_index":11,"ca":"51 to 500 ppm","offset_units":"300 us","aux_offset":29,"aux_phy":"le 2m"},"acad":[]},"adv_data":[]}"#
    )
    #expect(primary.problems == [])
    let auxiliary = advertising("47 0f 0a 49 0100 00eeffc0 3412 c4 02 01 06".replacing(" c4", with: "04"), isAuxiliary: true)
    #expect(auxiliary.name == "AUX_ADV_IND")
  }

  @Test func control() {
    #expect(
      data("03 02 02 13").json.hasSuffix(#""length":2,"opcode":"LL_TERMINATE_IND","error_code":"remote user terminated connection"}"#))
    let version = data("0f 06 0c 0b 5900 2301")
    #expect(version.name == "LL_VERSION_IND")
    #expect(
      version.json
        == #"{"llid":"control","nesn":true,"sn":true,"md":false,"cp":false,"length":6,"opcode":"LL_VERSION_IND","version_number":"5.2","company_identifier":"Nordic Semiconductor ASA","subversion_number":291}"#
    )
    #expect(data("03 09 14 fb00 4808 fb00 4808").name == "LL_LENGTH_REQ")
    #expect(data("03 09 14 fb00 4808 fb00 4808", isEncrypted: true).name == "")
    #expect(data("03 02 7f 01").json.hasSuffix(#""opcode":127,"ctr_data":"01"}"#))
    #expect(data("03 02 02").problems == ["error_code: 1 bytes at 3, 0 there"])
  }

  /// PDUs of isochronous streams have their own headers, and broadcast streams their own control PDUs (Core, Vol 6, Part B, 2.6).
  @Test func isochronousStreams() {
    func stream(_ text: String, _ kind: UInt16, isEncrypted: Bool = false) -> (name: String, json: String, problems: [String]) {
      var context = PDUContext()
      context.subcode = kind
      context.isEncrypted = isEncrypted
      var visitor = JSONVisitor()
      let bytes = hex(text)
      ProtocolID.linkLayer.walk(bytes.span.bytes, context, &visitor)
      return (ProtocolID.linkLayer.name(of: bytes.span.bytes, context).description, visitor.json, visitor.problems)
    }
    let channels = stream("0f 08 00 ffffffff0f 8403", LinkLayer.broadcastStream)
    #expect(channels.name == "BIG_CHANNEL_MAP_IND" && channels.problems == [])
    #expect(channels.json.contains(#""llid":"control","cssn":3,"#))
    #expect(channels.json.hasSuffix(#""opcode":"big_channel_map_ind","channel_map":"ffffffff0f","instant":900}"#))
    let end = stream("13 04 01 16 c003", LinkLayer.broadcastStream)
    #expect(end.name == "BIG_TERMINATE_IND" && end.json.hasSuffix(#""error_code":"connection terminated by local host","instant":960}"#))
    #expect(stream("13 04 01 16", LinkLayer.broadcastStream).problems != [])
    #expect(stream("13 08 aabbccdd 01020304", LinkLayer.broadcastStream, isEncrypted: true).name == "Encrypted BIG Control PDU")
    let connected = stream("56 00", LinkLayer.connectedStream)
    #expect(connected.name == "Connected Isochronous PDU")
    #expect(connected.json.hasPrefix(#"{"llid":"framed","nesn":true,"sn":false,"cie":true,"npi":true,"#))
  }

  /// AD structures of mesh (Mesh Protocol, 5.2 and 5.3, 8.4 and 8.7).
  @Test func meshStructures() {
    func structure(_ type: UInt32, _ text: String) -> (json: String, problems: [String]) {
      var visitor = JSONVisitor()
      let bytes = hex(text)
      AdvertisingData.structures[type]?.parameters.walk(bytes.span.bytes, &visitor)
      return (visitor.json, visitor.problems)
    }
    #expect(
      structure(0x29, "23af5850 00 00 0002 14 0000").json
        == #"{"link_id":598693968,"transaction_number":0,"gpcf":"transaction start","gpcf_parameter":0,"total_length":2,"fcs":20,"provisioning_data":"0000"}"#
    )
    #expect(structure(0x29, "23af5850 00 0b 02").json.hasSuffix(#""gpcf":"bearer control","gpcf_parameter":2,"reason":"fail"}"#))
    #expect(
      structure(0x2B, "01 00 3ecaff672f673370 12345678 8ea261582f364f6f").json
        == #"{"beacon_type":"secure network","flags":[],"network_id":"3ecaff672f673370","iv_index":305419896,"authentication_value":"8ea261582f364f6f"}"#
    )
    #expect(structure(0x2B, "00 70cf7c9732a345b691494810d2e9cbf4 4020").problems == [])
    #expect(structure(0x2B, "00 70cf").problems != [])
  }
}
