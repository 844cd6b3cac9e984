import Foundation
import Testing

@testable import Bluetooth

/// Services over RFCOMM: AT commands of the Hands-Free Profile and packets of OBEX, with the bytes of the specifications' examples.
@Suite struct ServiceProtocolTests {
  /// A UIH frame on data link 8 around some data.
  private func frame(_ data: [UInt8]) -> [UInt8] {
    [0x23, 0xEF, UInt8(truncatingIfNeeded: data.count << 1), UInt8(data.count >> 7)] + data + [0x9A]
  }

  private func described<Description: ProtocolDescription>(
    _ protocol: Description.Type, _ bytes: [UInt8], _ opcode: UInt32 = 0, psm: UInt16 = 3
  ) -> (name: String, json: String, problems: [String]) {
    var context = PDUContext()
    (context.opcode, context.subcode) = (opcode, psm)
    var visitor = JSONVisitor()
    Description.walk(bytes.span.bytes, context, &visitor)
    return (Description.name(of: bytes.span.bytes, context).description, visitor.json, visitor.problems)
  }

  private func lines(_ text: String, _ opcode: UInt32 = 0) -> (name: String, json: String) {
    let result = described(HFP.self, frame(Array(text.utf8)), opcode)
    #expect(result.problems == [])
    guard let start = result.json.range(of: "\"lines\":[")?.upperBound, let end = result.json.range(of: "],\"fcs\"")?.lowerBound else {
      return (result.name, result.json)
    }
    return (result.name, String(result.json[start..<end]))
  }

  @Test func tablesAreRight() {
    for table in [HFP.commands, OBEX.packets, OBEX.headers, OBEX.tags, OBEX.types] { #expect(table.problems == []) }
    for id in [ProtocolID.hfp, .hsp, .obex] {
      #expect(ProtocolRegistry.isOnChannels(id) && ProtocolRegistry.envelope(id) == .rfcomm && id.isOfService)
    }
    #expect(ProtocolRegistry.onService(0x111E) == .hfp)
    #expect(ProtocolRegistry.onService(0x1112) == .hsp)
    #expect(ProtocolRegistry.onService(0x112F) == .obex)
    #expect(ProtocolRegistry.onService(0x1101) == nil)
    let names = Set((0..<HFP.commands.rows.count).map { HFP.commands.rows[$0].code })
    #expect(names.count == HFP.commands.rows.count)
    for code in OBEX.RequestCode.allCases { #expect(OBEX.packets.name(UInt32(code.rawValue)) != nil) }
    for header in OBEX.HeaderID.allCases { #expect(OBEX.headers.name(UInt32(header.rawValue)) != nil, "\(header)") }
  }

  @Test func commandsHaveParameters() {
    let features = lines("AT+BRSF=5\r")
    #expect(features.name == "AT+BRSF")
    #expect(features.json.contains(#""prefix":"AT","command":"+BRSF","line_type":"set","hf_features":"#), "\(features.json)")
    #expect(lines("AT+BAC=1,2\r").json.hasSuffix(#""available_codecs":["CVSD","mSBC"]}"#), "\(lines("AT+BAC=1,2\r").json)")
    #expect(lines("at+cind?\r").json == #"{"prefix":"at","command":"+cind","line_type":"read"}"#)
    #expect(lines("AT+CIND=?\r").json.hasSuffix(#""line_type":"test"}"#))
    #expect(lines("ATD123;\r").name == "ATD")
    #expect(lines("ATD123;\r").json == #"{"prefix":"AT","command":"D","line_type":"execute","dialled":"123;"}"#)
    #expect(lines("ATA\r").json == #"{"prefix":"AT","command":"A","line_type":"execute"}"#)
    #expect(lines("AT+VDBTY=2,8\r").name == "Other Command")
    #expect(lines("AT+VDBTY=2\r").json == #"{"prefix":"AT","other_command":"+VDBTY","line_type":"set","other_parameters":["2"]}"#)
    #expect(lines("AT+CMER=3, 0, 0, 1\r").json.contains(#""indicator_reporting":"on""#))
    // An invalid number is shown as text.
    #expect(lines("AT+VGS=loud\r").json.contains(#""other_parameters":["loud"]"#))
    #expect(described(HFP.self, frame(Array("AT+VGS=16\r".utf8))).problems.count == 1)
  }

  @Test func resultsHaveParameters() {
    let two = lines("\r\n+BRSF: 0\r\n\r\nOK\r\n")
    #expect(two.name == "+BRSF")
    #expect(two.json.contains(#"{"command":"OK","line_type":"result code"}"#), "\(two.json)")
    #expect(
      lines("\r\n+CLIP: \"+123\",145,,,\"Ada, B\"\r\n").json.hasSuffix(#""number":"+123","number_type":"international","alpha":"Ada, B"}"#),
      "\(lines("\r\n+CLIP: \"+123\",145,,,\"Ada, B\"\r\n").json)")
    #expect(lines("\r\n+CHLD: (0,1,2)\r\n").json.hasSuffix(#""supported_call_hold":"(0,1,2)"}"#))
    #expect(lines("\r\n+CME ERROR: 30\r\n").json.hasSuffix(#""error":"no network service"}"#))
    #expect(lines("\r\nNO CARRIER\r\n").name == "NO CARRIER")
    #expect(lines("\r\n").json == "" && lines("").name == "End of a Line")
    #expect(described(HFP.self, frame(Array("\r\n+CL".utf8)), HFP.part).name == "Part of a Line")
  }

  @Test func indicatorsAreThoseOfThePhone() {
    let bytes = Array("+CIND: (\"call\",(0,1)),(\"signal\",(0-5)),(\"mine\",(0,9)),(\"service\",(0,1))".utf8)
    var all = HFP.Lines(0..<bytes.count)
    guard let line = all.next(bytes.span.bytes), let order = HFP.indicators(line, bytes.span.bytes) else {
      Issue.record("no line, or no indicators")
      return
    }
    #expect(HFP.indicator(1, order) == .call && HFP.indicator(2, order) == .signal && HFP.indicator(3, order) == nil)
    #expect(
      HFP.indicator(4, order) == .service && HFP.indicator(5, order) == nil && HFP.indicator(0, order) == nil
        && HFP.indicator(9, order) == nil)
    #expect(
      lines("\r\n+CIND: 1,4,7,0\r\n", order).json.hasSuffix(
        #""call":"active call","signal_strength":4,"service":"no service","other_indicators":[7]}"#))
    #expect(lines("\r\n+CIEV: 2,3\r\n", order).json.hasSuffix(#""indicator_index":2,"signal_strength":3}"#))
    #expect(lines("\r\n+CIEV: 2,3\r\n").json.hasSuffix(#""indicator_index":2,"indicator":3}"#))
  }

  @Test func endingsAreReported() {
    func ending(_ text: String) -> UInt8? {
      let bytes = Array(text.utf8)
      var lines = HFP.Lines(0..<bytes.count)
      guard let line = lines.next(bytes.span.bytes) else { return 0xFF }
      return line.ending(bytes.span.bytes)
    }
    #expect(ending("OK") == 0)
    #expect(ending("ERROR") == 1)
    #expect(ending("BLACKLISTED") == 6)
    #expect(ending("+CME ERROR: 3") == 0x83)
    #expect(ending("+CME ERROR: 300") == 1)
    #expect(ending("RING") == nil)
    #expect(ending("AT+OK") == nil)
  }

  /// Recognition of data where no SDP record gives the service.
  @Test func dataAreRecognized() {
    func known(_ text: String) -> ProtocolID? { ProtocolRegistry.recognizeData(Array(text.utf8).span.bytes) }
    #expect(known("AT+BRSF=20\r") == .hfp)
    #expect(known("\r\n+CIEV: 2,1\r\n") == .hfp)
    #expect(known("AT+NOTHING=1\r") == nil)
    #expect(known("OK") == nil && known("OK\r\n") == nil && known("") == nil)
    #expect(ProtocolRegistry.recognizeData(hex("80 0007 10 00 03e8").span.bytes) == .obex)
    #expect(ProtocolRegistry.recognizeData(hex("80 0007 10 00 03e8 00").span.bytes) == nil)
    #expect(ProtocolRegistry.recognizeData(hex("83 0003").span.bytes) == nil)
  }

  @Test func packetsHaveHeaders() {
    // Connect to PBAP with its features.
    let connect = described(
      OBEX.self, frame(hex("80 0023 10 00 03e8 46 0013 796135f0f0c511d809660800200c9a66 4c 0009 10 04 0000001f")), 3 << 4)
    #expect(connect.name == "Connect")
    #expect(connect.problems == [])
    #expect(
      connect.json.contains(#""obex_opcode":"connect","packet_length":35,"version":16,"connect_flags":0,"maximum_packet_length":1000"#))
    #expect(
      connect.json.contains(
        #"{"header_id":"target","header_length":19,"target":"796135f0-f0c5-11d8-0966-0800200c9a66"}"#), "\(connect.json)")
    #expect(connect.json.contains(#""parameter":"supported features","parameter_length":4,"pbap_supported_features":"#), "\(connect.json)")
    // Set Path to a subfolder, without creating it.
    let path = described(OBEX.self, frame(hex("85 0010 02 00 01 000b 0069 0063 0068 0000")))
    #expect(path.name == "Set Path" && path.problems == [])
    #expect(
      path.json.contains(#""path_flags":{"go_back":false,"do_not_create":true"#) && path.json.contains(#""name":"ich""#), "\(path.json)")
    // A response to Connect has Connect's fields; without the request it does not.
    let answer = hex("a0 000c 10 00 03e8 cb 00000001")
    #expect(described(OBEX.self, frame(answer), 1 << 8).json.contains(#""connection_id":1"#))
    #expect(described(OBEX.self, frame(answer), 4 << 8).name == "Success")
    // On an L2CAP channel of its own OBEX has no RFCOMM header.
    #expect(described(OBEX.self, hex("c4 0003"), psm: 0x1023).json == #"{"response_code":"not found","packet_length":3}"#)
    #expect(described(OBEX.self, frame(hex("90 0003"))).name == "Continue")
    #expect(described(OBEX.self, frame(hex("90 0003")), OBEX.part).name == "Part of a Packet")
  }

  /// Parameters of CTN, and of GPP, on which it is based, with tags from 0x41.
  @Test func calendarsHaveParametersOfTheirOwn() {
    #expect(OBEX.Profile.ofService(0x113C) == .calendar)
    let get = described(
      OBEX.self, frame(hex("83 001e 4c 001b 06 04 00000202 07 01 01 41 02 0010 43 01 01 0a 06 613a624063 64")),
      UInt32(OBEX.Profile.calendar.rawValue) << 4)
    #expect(get.problems == [], "\(get.problems)")
    for part in [
      #""calendar_parameter":"parameter mask","parameter_length":4,"calendar_mask":["summary","recurrent"]"#,
      #""calendar_status_indicator":"alarm status""#, #""pim_parameter":"max list count","parameter_length":2,"pim_max_list_count":16"#,
      #""pim_notification_status":"on""#, #""email_uri":"a:b@cd""#,
    ] { #expect(get.json.contains(part), "\(part): \(get.json)") }
  }

  @Test func brokenPacketsAreReported() {
    // A header longer than the packet, a length below the header's minimum, and a truncated packet.
    #expect(described(OBEX.self, hex("83 000a 01 0020 0061 0062"), psm: 0x1023).problems.count == 1)
    #expect(described(OBEX.self, hex("83 0008 01 0002 0061"), psm: 0x1023).json.hasSuffix(#""data":"0100020061"}"#))
    #expect(described(OBEX.self, hex("83 0040 cb 00000001"), psm: 0x1023).problems.count == 1)
    #expect(described(OBEX.self, hex("83 0002"), psm: 0x1023).json == #"{"data":"830002"}"#)
    #expect(described(OBEX.self, hex("1f 0003"), psm: 0x1023).name == "OBEX Packet")
    #expect(described(OBEX.self, [], psm: 0x1023).json == "{}")
    // A parameter with a wrong length is shown as bytes.
    let odd = described(OBEX.self, hex("83 000a 4c 0007 04 02 ffff"), 3 << 4, psm: 0x1023)
    #expect(odd.json.contains(#""max_list_count":65535"#))
    let wrong = described(OBEX.self, hex("83 0009 4c 0006 04 01 ff"), 3 << 4, psm: 0x1023)
    #expect(wrong.json.contains(#""parameter_value":"ff""#))
  }
}
