import Testing

@testable import Bluetooth

/// The Link Manager's PDUs, and BR/EDR packets; the bytes are those of a real connection, logged by its controller.
@Suite struct LinkManagerTests {
  private func described(_ text: String) -> (name: String, json: String, problems: [String]) {
    let bytes = hex(text)
    var context = PDUContext()
    context.opcode = LMP.Header(bytes.span.bytes)?.opcode ?? 0
    var visitor = JSONVisitor()
    LMP.walk(bytes.span.bytes, context, &visitor)
    return (LMP.name(of: bytes.span.bytes, context).description, visitor.json, visitor.problems)
  }

  @Test func pdusAreTakenApart() {
    let version = described("4b 07 02 00 13")
    #expect(version.name == "LMP_version_req")
    #expect(version.problems.count == 1)
    let slot = described("69 8503 68c719e8d4e0")
    #expect(slot.name == "LMP_slot_offset")
    #expect(
      slot.json == #"{"initiator":"peripheral","slot_offset":901,"bd_addr":"e0:d4:e8:19:c7:68"}"#)
    #expect(slot.problems == [])
    let refused = described("ff 02 7f 0b 24")
    #expect(refused.name == "LMP_not_accepted_ext")
    #expect(
      refused.json
        == #"{"initiator":"peripheral","refused_escape_opcode":"Escape 4","refused_extended_opcode":"LMP_packet_type_table_req","error_code":"lmp pdu not allowed"}"#
    )
    #expect(
      described("05 0e 1d 3a44343a45383a31393a43373a36").json.contains(
        #""name_offset":14,"name_length":29,"name_fragment":":D4:E8:19:C7:6""#))
    #expect(described("0f 13").json.contains(#""error_code":"remote user terminated connection""#))
    #expect(described("fe 03 02 02 200b000000000000").json.contains("generalized interlaced scan"))
    #expect(described("c6 01").name == "Unknown LMP PDU")
    #expect(described("fe").json == #"{"initiator":"central"}"#)
  }

  @Test func verdictsNameTheirRequest() {
    func verdict(_ text: String) -> (UInt32, UInt8?)? { LMP.verdict(hex(text).span.bytes) }
    #expect(verdict("06 33")! == (51, nil))
    #expect(verdict("09 05 1d")! == (5, 0x1D))
    #expect(verdict("fe 01 7f 0b")! == (0x7F0B, nil))
    #expect(verdict("ff 02 7f 0b 24")! == (0x7F0B, 0x24))
    #expect(verdict("4e bffe0ffedbff7b87") == nil)
    #expect(verdict("09 05") == nil)
    // PDUs that controllers pad to a fixed size.
    #expect(LMP.length(of: hex("06 33 000000000000000000000000000000").span.bytes) == 2)
    #expect(LMP.length(of: hex("fe 01 7f 0b 00000000").span.bytes) == 4)
  }

  /// The specification's sample data: Core, Vol 2, Part G, 5, with the UAP 47.
  @Test func checksAsTheSpecification() {
    let payload: [UInt8] = [0x4E, 1, 2, 3, 4, 5, 6, 7, 8, 9]
    #expect(Baseband.crc(payload.span.bytes, in: 0..<10, upper: 0x47) == 0xD26D)
  }

  @Test func headersOfPackets() throws {
    func packet(_ text: String, _ form: Baseband.Form) -> Baseband.Packet? { Baseband.Packet(hex(text).span.bytes, form) }
    let request = try #require(packet("924c0000 47 02 9902 4f00 4ebffe0ffedbff7b87", .esp32))
    #expect(request.type == .dm1 && request.llid == 3 && request.length == 9 && request.body == 10..<19 && request.isEnhanced == false)
    let page = hex("864c0000 00 00 9003 f225ad94a51d6794 e8 d4e0 0c013c c9b34f02")
    let known = Baseband.Packet(page.span.bytes, .esp32)
    let hopping = try #require(known)
    #expect(hopping.type == .fhs && hopping.llid == nil)
    #expect(Baseband.address(ofFHS: page.span.bytes, at: hopping.payload.lowerBound) == 0xE0D4_E819_C769)
    #expect(packet("855800004461c10356", .esp32)?.llid == nil)
    #expect(packet("9e4c0000 60 02 9903", .esp32) == nil)
    // With the header of link type 255: a right CRC, a wrong one, and one that cannot be checked without the upper address part.
    let head = "0a c4 80 00 30 00 0000 338b9e00 338b9e47 1a000000"
    let whole: [UInt8] = [0x4E, 1, 2, 3, 4, 5, 6, 7, 8, 9]
    let text = whole.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    #expect(packet(head + "b100" + text + "6dd2", .pseudoHeader)?.check == .right)
    #expect(packet(head + "b100" + text + "6dd3", .pseudoHeader)?.check == .wrong)
    #expect(packet(head + "3100" + text + "6dd3", .pseudoHeader)?.check == .notKnown)
    #expect(packet(head + "b100", .pseudoHeader)?.llid == nil)
    #expect(packet(head, .pseudoHeader) == nil)
  }
}

/// IPv6 over Bluetooth, in the formats of RFC 6282, and BNEP.
@Suite struct InternetTests {
  private func described(_ text: String) -> (name: String, json: String, problems: [String]) {
    let bytes = hex(text)
    var visitor = JSONVisitor()
    IPSP.walk(bytes.span.bytes, PDUContext(), &visitor)
    return (IPSP.name(of: bytes.span.bytes, PDUContext()).description, visitor.json, visitor.problems)
  }

  /// Two extension headers are two objects, so that no JSON member occurs twice.
  @Test func extensionHeadersAreAList() {
    let two = described("7e33 e1 02 0102 e6 3a 02 0304 8000c0de00010003 68")
    #expect(two.name == "Echo Request" && two.problems == [])
    #expect(
      two.json.contains(
        #""extension_headers":[{"extension_nh":true,"extension_id":"hop-by-hop options","extension_length":2,"extension_data":"0102"},"#
          + #"{"extension_nh":false,"extension_id":"destination options","next_header":"icmpv6","extension_length":2,"extension_data":"0304"}]"#
      ),
      "\(two.json)")
  }

  /// Fragments (RFC 4944, 5.3): the first has compressed headers, which are decoded; their payload is decoded when the datagram is complete.
  @Test func fragmentsHaveAHeader() {
    let first = described("c128 1234 7e33 f0 4e21 4e22 abcd 000102")
    #expect(first.name == "First Fragment" && first.problems == [])
    #expect(first.json.hasPrefix(#"{"datagram_size":296,"datagram_tag":4660,"implied_hop_limit":64,"#), "\(first.json)")
    let later = described("e128 1234 0a 000102")
    #expect(later.name == "Fragment" && later.json == #"{"datagram_size":296,"datagram_tag":4660,"datagram_offset":80,"payload":"000102"}"#)
    #expect(described("e128 1234").json == #"{"payload":"e1281234"}"#)
  }

  @Test func compressedHeaders() {
    let solicitation = described("7b3b 3a 02 8500abcd00000000 0101 00005e005322")
    #expect(solicitation.name == "Router Solicitation")
    #expect(solicitation.json.contains(#""implied_hop_limit":255"#))
    #expect(solicitation.json.contains(#""destination_address":"02""#))
    #expect(
      solicitation.json.contains(
        #""options":[{"option_type":"source link-layer address","option_length":1,"option_value":"00005e005322"}]"#))
    #expect(solicitation.problems == [])
    // Ports of 16 bits, of 8 and of 4.
    #expect(
      described("7e33 f0 4e21 4e22 abcd 61").json.contains(#""udp_source_port":20001,"udp_destination_port":20002,"udp_checksum":43981"#))
    #expect(described("7e33 f1 4e21 16 abcd 61").json.contains(#""udp_source_port":20001,"udp_destination_port":61462"#))
    #expect(described("7e33 f2 16 4e21 abcd 61").json.contains(#""udp_source_port":61462,"udp_destination_port":20001"#))
    #expect(described("7e33 f3 12 abcd 61").json.contains(#""udp_source_port":61617,"udp_destination_port":61618"#))
    #expect(
      described("7e33 f7 12 61").json.contains(
        #""udp_checksum_elided":true,"udp_source_port":61617,"udp_destination_port":61618,"payload":"61""#))
    let plain = described(
      "41 60000000 000c 3a ff fe8000000000000002005efffe005321 20010db8000000000000000000000001 8000c0de00010004 706c6169")
    #expect(plain.name == "Echo Request")
    #expect(plain.problems == [])
    #expect(described("d0deadbeef").name == "6LoWPAN Frame")
    #expect(described("7e33 f0 4e").problems.count == 1)
    #expect(described("7e33 e0 3a 06").problems.count >= 1)
    #expect(described("").json == "{}")
  }

  /// A fragment header has eight bytes, the second of which is reserved (RFC 6282, 4.2; RFC 8200, 4.5), and only the first fragment has a
  /// transport header.
  @Test(arguments: ["00", "05", "ff"]) func fragmentHeaders(_ reserved: String) {
    let ports = "4e21 4e22 0008 abcd 68656c6c6f"
    let first = described("7e33 e4 11 \(reserved) 0001 12345678 \(ports)")
    #expect(first.name == "UDP" && first.problems == [])
    let head = #""extension_nh":false,"extension_id":"fragment","next_header":"udp""#
    #expect(first.json.contains(head), "\(first.json)")
    #expect(first.json.contains(#""more_fragments":true"#) && first.json.contains(#""fragment_identification":305419896"#))
    #expect(first.json.contains(#""udp_source_port":20001,"udp_destination_port":20002,"udp_length":8"#))
    // The second fragment, the last one, and one whose header says that a compressed header follows.
    for (header, offset) in [("e4 11 \(reserved) 0009", 1), ("e4 11 \(reserved) 0010", 2), ("e5 \(reserved) 0009", 1)] {
      let other = described("7e33 \(header) 12345678 \(ports)")
      #expect(other.name == "IPv6 Fragment" && other.problems == [])
      #expect(other.json.contains(#""fragment_offset":\#(offset)"#), "\(other.json)")
      #expect(other.json.contains(#""payload":"4e214e220008abcd68656c6c6f""#) && !other.json.contains("udp_source_port"))
    }
    #expect(described("7e33 e5 \(reserved) 0001 12345678 f3 12 abcd 61").json.contains(#""udp_source_port":61617"#))
    // Uncompressed headers.
    let whole = "41 60000000 0015 2c ff fe8000000000000002005efffe005321 20010db8000000000000000000000001"
    for (head, isFirst) in [("11 \(reserved) 0001", true), ("11 \(reserved) 0009", false), ("2c \(reserved) 0001", false)] {
      for text in ["\(whole) \(head) 12345678 \(ports)", "7a33 2c \(head) 12345678 \(ports)"] {
        let packet = described(text)
        #expect(packet.name == "IPv6 Fragment" && packet.problems == [])
        #expect(packet.json.contains("udp_source_port") == isFirst, "\(packet.json)")
      }
    }
    // Truncated within the header, and a packet that contains a packet.
    #expect(described("7e33 e4 11 \(reserved) 00").problems.count == 1)
    #expect(described("7e33 e4 11 \(reserved) 00").name == "IPv6 Fragment")
    #expect(described("7e33 ee 7e33 f0 4e21 4e22 abcd 61").json.contains(#""extension_id":"ipv6"}],"payload":"7e33f04e214e22abcd61""#))
  }

  @Test func framesOfANetwork() {
    let bytes = hex("02 0800 4500 001c 0001 4000 40 11 b94e 0a000001 0a000002 4e21 4e22 0008 abcd")
    var visitor = JSONVisitor()
    BNEP.walk(bytes.span.bytes, PDUContext(), &visitor)
    #expect(visitor.json.contains(#""time_to_live":64,"protocol":"udp""#))
    #expect(visitor.json.contains(#""udp_source_port":20001,"udp_destination_port":20002,"udp_length":8"#))
    #expect(visitor.problems == [])
  }
}

/// Vendor commands and events by the controller's manufacturer.
@Suite struct VendorTests {
  @Test func makersHaveTheirNumbers() {
    #expect(HCI.commandName(0xFC01) == nil)
    #expect(HCI.commandName(0xFC01, company: 0x000F) == "Write BD_ADDR (Broadcom)")
    #expect(HCI.commandName(0xFC01, company: 0x0002) == "Reset (Intel)")
    #expect(HCI.commandName(0xFC01, company: 0x05F1) == "Read Version Information (Zephyr)")
    #expect(HCI.commandName(0xFC20, company: 0x005D) == "Download Patch (Realtek)")
    #expect(HCI.commandName(0xFD53, company: 0x001D) == "LE Get Vendor Capabilities (Android)")
    #expect(HCI.commandName(0xFC20, company: 0x1234) == nil)
    // Another manufacturer's opcode is not Broadcom's.
    #expect(HCI.commandName(0xFC4C) == "Write RAM (Broadcom)")
    #expect(HCI.commandName(0xFC4C, company: 0x001D) == nil)
    #expect(Vendor.event(0x58, of: 0x001D)?.name == "Bluetooth Quality Report (Android)")
    #expect(Vendor.event(0x02, of: 0x0002)?.name == "Bootup (Intel)")
    // Intel's codes are not those of other manufacturers.
    #expect(Vendor.event(0x58, of: 0x0002) == nil)
    let all = Vendor.makers.flatMap(\.companies)
    #expect(Set(all).count == all.count)
  }

  @Test func qualityReport() {
    let report = hex(
      "ff 31 58 02 11 4000 00 00 a6 00 00 00 b001 03000000 03000000 04000000 00000000 00000000 00000000 00000000 00000000 00000000")
    var visitor = JSONVisitor()
    HCI.walkEvent(report.span.bytes, company: 0x000F, &visitor)
    #expect(visitor.json.contains(#""vendor_subevent":88,"quality_report_id":"approaching lsto""#))
    #expect(visitor.json.contains(#""connection_handle":64"#))
    #expect(visitor.json.contains(#""rssi":-90"#))
    #expect(visitor.problems == [])
  }

  /// A filter's data and its mask are each half of the remaining bytes.
  @Test func filters() {
    let filter = hex("57fd 09 07 00 04 aafe40 ffffff".filter { $0 != " " })
    var visitor = JSONVisitor()
    HCI.walkCommand(filter.span.bytes, &visitor)
    #expect(
      visitor.json
        == #"{"sub_command":"service data","action":"add","filter_index":4,"service_data":"aafe40","service_data_mask":"ffffff"}"#)
    #expect(visitor.problems == [])
  }

  private func event(_ text: String, of company: UInt16) -> (json: String, problems: [String]) {
    var visitor = JSONVisitor()
    let bytes = hex(text)
    HCI.walkEvent(bytes.span.bytes, company: company, &visitor)
    return (visitor.json, visitor.problems)
  }

  private func command(_ text: String, of company: UInt16) -> (json: String, problems: [String]) {
    var visitor = JSONVisitor()
    let bytes = hex(text)
    HCI.walkCommand(bytes.span.bytes, company: company, &visitor)
    return (visitor.json, visitor.problems)
  }

  @Test func intelsEventsHaveFields() {
    let bootup = event("ff 07 02 00 01 01 02 02 00", of: 0x0002)
    #expect(
      bootup.json
        == #"{"vendor_subevent":2,"number_of_packets":1,"source":"operational firmware","reset_type":"soft software reset","reset_reason":"intel reset command","ddc_status":"firmware default"}"#
    )
    #expect(bootup.problems == [])
    let trace = event("ff 0f 17 01 0100 00 4e00 01020304 05", of: 0x0002)
    #expect(trace.json.contains(#""trace_type":"lmp sent","connection_handle":1,"more":"00","lmp_pdu":"4e00","clock":67305985"#))
    let mask = command("52fc 08 876e000000000000", of: 0x0002)
    #expect(mask.json.hasPrefix(#"{"event_mask":["bootup","sco rejected via lmp","ptt switch notification","scan status","#))
    let configuration = command("8bfc 0a 03 2100 01 05 2800 aabbcc", of: 0x0002)
    #expect(
      configuration.json
        == #"{"configurations":[{"length":3,"identifier":33,"data":"01"},{"length":5,"identifier":40,"data":"aabbcc"}]}"#)
    #expect(configuration.problems == [])
    // A length that does not count its own identifier.
    #expect(command("8bfc 03 00 2100", of: 0x0002).problems != [])
  }

  @Test func broadcomsParametersHaveFields() {
    #expect(
      command("1cfc 05 00 02 00 01 01", of: 0x000F).json
        == #"{"sco_routing":"pcm","clock_rate":"512 kbps","frame_type":"short","sync_mode":"central","clock_mode":"central"}"#)
    let version = event("0e 0a 01 79fc 00 6e 01 0100 3304", of: 0x000F)
    #expect(version.json.hasSuffix(#""chip_id":110,"target_id":1,"build_base":1,"build_number":1075}"#))
    #expect(command("7efc 01 00", of: 0x000F).problems == [])
  }

  @Test func stsCommandsHoldKeys() {
    #expect(HCI.commandName(0xFC8A, company: 0x0030) == "GAP Init (ST)")
    let layout = Vendor.command(0xFC0C, of: 0x0030)?.parameters
    #expect(layout?.fields.filter(\.isSecret).map(\.name) == ["value"])
    let passKey = Vendor.command(0xFC88, of: 0x0030)?.parameters
    #expect(passKey?.fields.filter(\.isSecret).map(\.name) == ["pass_key"])
  }

  /// Records of Qualcomm's logs: their lengths are used only if they add up to the packet's size.
  @Test func controllerLog() {
    func walk(_ text: String) -> (json: String, problems: [String]) {
      var context = PDUContext()
      context.opcode = HCI.wholePacket
      context.hasConnection = true
      var visitor = JSONVisitor()
      let bytes = hex(text)
      ProtocolID.vendor.walk(bytes.span.bytes, context, &visitor)
      return (visitor.json, visitor.problems)
    }
    let log = walk("dc2e 1d00 1900 07 000a00 f002 0100 65080080 0200 fdd3 1004 0100 66080010 0100 ff")
    #expect(
      log.json.hasSuffix(
        #""length":25,"sequence_number":7,"more":"000a00","records":[{"code":752,"more":"0100","clock":2149,"clock_tenths":8,"data_length":2,"data":"fdd3"},{"code":1040,"more":"0100","clock":2150,"clock_tenths":1,"data_length":1,"data":"ff"}]}"#
      ), "\(log.json)")
    #expect(log.problems == [])
    // A record or a log whose length is wrong is shown as bytes.
    for wrong in [
      "dc2e 1d00 1900 07 000a00 f002 0100 65080080 0300 fdd3 1004 0100 66080010 0100 ff",
      "dc2e 1d00 1800 07 000a00 f002 0100 65080080 0200 fdd3 1004 0100 66080010 0100 ff", "dc2e 0300 0000 07", "dc2e",
    ] {
      let bytes = walk(wrong).json
      #expect(!bytes.contains("records"), "\(bytes)")
    }
  }
}
