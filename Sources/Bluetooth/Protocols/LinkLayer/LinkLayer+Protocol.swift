extension LinkLayer {
  /// PDUs on data channels (Core, Vol 6, Part B, 2.4) that hold no whole PDU of a protocol above, from their header on.
  enum DataPDUs: ProtocolDescription {
    static var id: ProtocolID { .linkLayer }
    static var name: StaticName { "ll" }
    static var state: StaticString { "connections, retransmissions, encryption; fragments are joined" }
    static var enumerationText: StaticString { LinkLayer.enumerationText }

    static func name(of pdu: RawSpan, _ context: PDUContext) -> StaticName {
      guard let header = DataHeader(pdu) else { return "LL Data PDU" }
      if header.llid == 0 { return "PDU with reserved LLID" }
      if header.length == 0, header.llid == 1 { return "Empty PDU" }
      if context.isEncrypted { return header.llid == 3 ? "Encrypted LL Control PDU" : "Encrypted LL Data PDU" }
      if header.llid == 3 {
        return HCI.u8(pdu, header.size).flatMap { LinkLayer.control[UInt32($0)]?.name } ?? "LL Control PDU"
      }
      return "LL Data PDU"
    }

    static func walk<Visitor: FieldVisitor>(_ pdu: RawSpan, _ context: PDUContext, _ visitor: inout Visitor) {
      walkData(pdu, isEncrypted: context.isEncrypted, &visitor)
    }

    static let filterFields: StaticString = """
      # Link Layer
      btle protocol =
      btle.access_address x32 ll[0:4]
      btle.length u8 adv[5:1] data[5:1]
      btle.advertising_header x16 adv[4:2]
      btle.advertising_header.pdu_type x8 adv[4:1]&0f
      btle.advertising_header.ch_sel bool adv/0,1,5[4:1]&20
      btle.advertising_header.randomized_tx bool adv[4:1]&40
      btle.advertising_header.randomized_rx bool adv/1,3,5[4:1]&80
      btle.advertising_header.length u8 adv[5:1]
      btle.advertising_address ether =
      btle.scanning_address ether adv/3[6:6]
      btle.initiator_address ether adv/5[6:6]
      btle.target_address ether adv/1[12:6]
      btle.link_layer_data.access_address x32 adv/5[18:4]
      btle.link_layer_data.crc_init x24 adv/5[22:3]
      btle.link_layer_data.window_size u8 adv/5[25:1]
      btle.link_layer_data.window_offset u16 adv/5[26:2]
      btle.link_layer_data.interval u16 adv/5[28:2]
      btle.link_layer_data.latency u16 adv/5[30:2]
      btle.link_layer_data.timeout u16 adv/5[32:2]
      btle.link_layer_data.channel_map bytes adv/5[34:5]
      btle.link_layer_data.hop u8 adv/5[39:1]&1f
      btle.link_layer_data.sleep_clock_accuracy u8 adv/5[39:1]&e0
      btle.extended_advertising_header.length u8 adv/7[6:1]&3f
      btle.extended_advertising_header.mode x8 adv/7[6:1]&c0
      btle.data_header none data[4:2]
      btle.data_header.llid x8 data[4:1]&03
      btle.data_header.next_expected_sequence_number u8 data[4:1]&04
      btle.data_header.sequence_number u8 data[4:1]&08
      btle.data_header.more_data bool data[4:1]&10
      btle.data_header.cte_info_present bool data[4:1]&20
      btle.data_header.length u8 data[5:1]
      btle.control_opcode x8{ll-control} ctl[6:1]
      btle.control.instant u16 ctl.instant
      btle.control.interval u16 ctl.interval
      btle.control.error_code x8 ctl.error_code
      btle.control.version_number x8 ctl.vers_nr|version|version_number
      btle.control.company_id x16 ctl.company_identifier|comp_id
      btle.control.feature_set x64 ctl.feature_set
      btle.control.max_rx_octets u16 ctl.max_rx_octets
      btle.control.max_rx_time u16 ctl.max_rx_time
      btle.control.max_tx_octets u16 ctl.max_tx_octets
      btle.control.max_tx_time u16 ctl.max_tx_time
      btle.control.tx_phys x8 ctl.tx_phys
      btle.control.rx_phys x8 ctl.rx_phys
      btle.crc x24 =
      btle.crc.incorrect none =
      btle.master_bd_addr ether =
      btle.slave_bd_addr ether =
      btle_rf protocol =
      btle_rf.channel u8 rf[0:1]
      btle_rf.signal_dbm i8 =
      btle_rf.flags x16 rf[8:2]
      btle_rf.flags.crc_checked bool rf[8:2]&0400
      btle_rf.flags.crc_valid bool rf[8:2]&0800
      btle_rf.flags.decrypted bool rf[8:2]&0008
      btle_rf.phy u16 rf[8:2]&c000
      nordic_ble protocol =
      nordic_ble.channel u8 nordic[9:1]
      nordic_ble.rssi i8 =
      nordic_ble.flags x8 nordic[8:1]
      nordic_ble.crcok bool nordic[8:1]&01
      nordic_ble.packet_counter u16 nordic[4:2]
      nordic_ble.event_counter u16 nordic[11:2]
      """
  }

  /// Control PDUs (2.4.2), from their opcode on.
  enum ControlPDUs: ProtocolDescription {
    static var id: ProtocolID { .linkLayerControl }
    static var name: StaticName { "ll.control" }
    static var tables: [PDUTable] { [control] }
    static var state: StaticString { "features, parameters, encryption" }

    static func hasOpcode(_ context: PDUContext) -> Bool { true }

    static func name(of pdu: RawSpan, _ context: PDUContext) -> StaticName {
      control.name(context.opcode) ?? "Unknown LL Control PDU"
    }

    static func walk<Visitor: FieldVisitor>(_ pdu: RawSpan, _ context: PDUContext, _ visitor: inout Visitor) {
      walkControl(pdu, in: 0..<pdu.byteCount, &visitor)
    }
  }

  /// PDUs on advertising channels (2.3), from their header on; bit 4 of the opcode says that the channel was a secondary one.
  enum AdvertisingPDUs: ProtocolDescription {
    static var id: ProtocolID { .advertisingPDU }
    static var name: StaticName { "ll.advertising" }
    static var tables: [PDUTable] { [advertising] }
    static var state: StaticString { "devices, connections that begin, periodic trains" }

    static func name(of pdu: RawSpan, _ context: PDUContext) -> StaticName {
      advertising.name(context.opcode) ?? "Unknown Advertising PDU"
    }

    static func walk<Visitor: FieldVisitor>(_ pdu: RawSpan, _ context: PDUContext, _ visitor: inout Visitor) {
      walkAdvertising(pdu, isAuxiliary: context.opcode & 0x10 != 0, &visitor)
    }
  }
}

extension ProtocolID {
  /// PDUs on data channels of the Link Layer.
  @inlinable
  public static var linkLayer: ProtocolID { ProtocolID(15) }
  /// Control PDUs of the Link Layer.
  @inlinable
  public static var linkLayerControl: ProtocolID { ProtocolID(16) }
  /// PDUs on advertising channels of the Link Layer.
  @inlinable
  public static var advertisingPDU: ProtocolID { ProtocolID(17) }
}
