import Testing

@testable import Bluetooth

@Suite struct RegistryTests {
  @Test func protocolsHaveNumbersNamesAndChannelsOfTheirOwn() {
    let all = ProtocolRegistry.all
    #expect(Set(all.map { $0.id }).count == all.count)
    #expect(Set(all.map { $0.name }).count == all.count)
    #expect(Set(all.flatMap { $0.psms.map(\.number) }).count == all.reduce(0) { $0 + $1.psms.count })
    #expect(Set(all.flatMap { $0.fixedChannels }).count == all.reduce(0) { $0 + $1.fixedChannels.count })
    for description in all { #expect(description.id.name == description.name) }
    #expect(ProtocolID(200).name == UnknownPacket.name)
  }

  /// Fields in the tables of headers and elements count as fields; a message type alone does not.
  @Test func theCoverageCountsWhatHeadersHold() {
    func counts(_ name: StaticName) -> [Int] {
      ProtocolRegistry.coverage.first { $0.name == name }.map { [$0.named, $0.withFields] } ?? []
    }
    #expect(counts("hid") == [10, 8])
    #expect(counts("obex") == [OBEX.packets.rows.count, OBEX.packets.rows.count])
    // Requests without parameters, and rejections, have no fields.
    #expect(counts("sap") == [21, 13])
    // Voice packets, and packets without a payload, have no fields of their own.
    let silent = Baseband.packets.rows.filter { ["NULL", "POLL", "HV1"].contains($0.name) }
    #expect(silent.count == 9 && silent.allSatisfy { !Baseband.hasFields($0) })
    #expect(counts("baseband").last == Baseband.packets.rows.filter { Baseband.hasFields($0) }.count)
    for row in ProtocolRegistry.coverage { #expect(row.withFields <= row.named) }
    for name in ["FHS", "DM1", "3-DH5"] as [StaticName] {
      #expect(Baseband.packets.rows.contains { $0.name == name && Baseband.hasFields($0) })
    }
  }

  @Test func channelsAreFound() {
    #expect(ProtocolRegistry.onFixedChannel(4) == .att)
    #expect(ProtocolRegistry.onFixedChannel(5) == .signaling)
    #expect(ProtocolRegistry.onFixedChannel(7) == .smp)
    #expect(ProtocolRegistry.onFixedChannel(2) == nil)
    #expect(ProtocolRegistry.onFixedChannel(0x40) == nil)
    #expect(ProtocolRegistry.onPSM(0x1B)?.id == .avctp)
    #expect(ProtocolRegistry.onPSM(0x1B)?.name == "AVCTP browsing")
    #expect(ProtocolRegistry.onPSM(0x1001) == nil)
    #expect(ProtocolRegistry.isOnChannels(.rfcomm) && !ProtocolRegistry.isOnChannels(.smp))
    // SABM on DLCI 0 with the right check sequence, then with a wrong one.
    #expect(ProtocolRegistry.recognize(hex("03 3f 01 1c").span.bytes) == .rfcomm)
    #expect(ProtocolRegistry.recognize(hex("03 3f 01 1d").span.bytes) == nil)
  }

  /// The constants for codes have the names of the tables.
  @Test func codesAreThoseOfTheTables() {
    func check<Code: RawRepresentable & CaseIterable>(_: Code.Type, _ prefix: String = "", _ name: (Code.RawValue) -> StaticName?)
    where Code.RawValue: BinaryInteger {
      for code in Code.allCases {
        let words = prefix + (name(code.rawValue)?.description ?? "not in the table").replacing("[v2]", with: "V2")
        #expect(words.lowercased().filter { $0.isLetter || $0.isNumber } == (prefix + "\(code)").lowercased(), "\(code)")
      }
    }
    check(ATT.Opcode.self) { ATT.pdus.name(UInt32($0)) }
    check(SMP.Opcode.self) { SMP.pdus.name(UInt32($0)) }
    check(L2CAP.SignalingCode.self) { L2CAP.signaling.name(UInt32($0)) }
    check(HCI.Opcode.self) { HCI.commandName($0) }
    check(HCI.EventCode.self) { HCI.events.name(UInt32($0)) }
    for subevent in HCI.LESubevent.allCases {
      let name = HCI.leEvents.name(UInt32(subevent.rawValue))?.description.replacing("[v2]", with: "V2")
      #expect(name?.lowercased().filter { $0.isLetter || $0.isNumber } == "le\(subevent)".lowercased())
    }
    for opcode in LinkLayer.ControlOpcode.allCases {
      let name = LinkLayer.control.name(UInt32(opcode.rawValue))?.description
      #expect(name?.lowercased().filter(\.isLetter) == "ll\(opcode)".lowercased())
    }
    check(LinkLayer.AdvertisingType.self) { LinkLayer.advertising.name(UInt32($0)) ?? LinkLayer.advertising.name(UInt32($0) | 0x10) }
    let status = Enumeration.named("status")
    check(HCI.ErrorCode.self) { status?.name(of: UInt64($0)) }
    check(RFCOMM.FrameType.self) { RFCOMM.frames.name(UInt32($0)) }
    check(BNEP.PacketType.self) { BNEP.packets.name(UInt32($0)) }
  }

  @Test func networkPackets() {
    func described(_ text: String) -> (name: String, json: String, problems: [String]) {
      let bytes = hex(text)
      var visitor = JSONVisitor()
      BNEP.walk(bytes.span.bytes, PDUContext(), &visitor)
      return (BNEP.name(of: bytes.span.bytes, PDUContext()).description, visitor.json, visitor.problems)
    }
    let setup = described("01 01 02 1116 1115")
    #expect(setup.name == "Setup Connection Request")
    #expect(
      setup.json
        == #"{"bnep_type":"control","extension":false,"control_type":"setup connection request","uuid_size":2,"destination_service_uuid":"1116","source_service_uuid":"1115"}"#
    )
    // A compressed frame with a filter extension, and bytes behind it.
    let extended = described("82 0800 00 07 03 0004 0800 0806 45")
    #expect(extended.name == "Compressed Ethernet")
    #expect(
      extended.json
        == #"{"bnep_type":"compressed ethernet","extension":true,"network_protocol_type":"ipv4","extensions":[{"extension_type":"control","extension":false,"extension_length":7,"control_type":"filter net type set","list_length":4,"net_types":[{"network_type_start":"ipv4","network_type_end":"arp"}]}],"payload":"45"}"#
    )
    #expect(described("").json == "{}")
    #expect(described("7f 01").json == #"{"bnep_type":127,"extension":false,"payload":"01"}"#)
    #expect(described("01 02 0000 ff").problems == ["surplus 4..<5"])
    #expect(described("80").problems == ["destination_address: 6 bytes at 1, 0 there"])
    #expect(described("83 000102030405 0800 00").json.hasSuffix(#""payload":"00"}"#))
  }
}
