import Bluetooth
import Captures
import Conversations
import Memory

/// Packets of the Link Layer, and the headers that sniffers add to them.
extension FilterRow {
  static let linkLayer: [FilterRow] = [
    FilterRow("btle") { if $0.record.kind == .linkLayer { $0.append($0.payload, &$1) } },
    FilterRow("btle.advertising_address") { $0.advertisingAddress(&$1) },
    FilterRow("btle.crc") { packet, values in
      guard packet.hasRadioFlag(RadioInfo.Flag.hasCRC), let crc = packet.crc else { return }
      // The CRC is sent with the most significant bit first, unlike all other fields.
      var turned: Int128 = 0
      for bit in 0..<24 where crc >> UInt32(bit) & 1 == 1 { turned |= 1 << Int128(23 - bit) }
      values.append(FilterValue(turned))
    },
    FilterRow("btle.crc.incorrect") { packet, values in
      guard packet.hasRadioFlag(RadioInfo.Flag.crcChecked), !packet.hasRadioFlag(RadioInfo.Flag.crcOK), packet.crc != nil else { return }
      unsafe values.append(FilterValue(nil, 0))
    },
    FilterRow("btle.isochronous_data") { packet, values in
      let pdu = packet.linkLayerPDU
      guard let stream = packet.isochronousStream, let header = pdu.u8(4), let length = pdu.u8(5) else { return }
      if stream == .broadcastStream, header & 3 == 3 { return }
      packet.append(pdu.slice(6, Int(length)), &values)
    },
    FilterRow("btle.master_bd_addr") { if let pair = $0.pair { $1.append($0.scratch.address(pair.central)) } },
    FilterRow("btle.slave_bd_addr") { packet, values in
      if let pair = packet.pair {
        values.append(packet.scratch.address(pair.peripheral))
      } else if let access = packet.accessAddress, access != LinkLayer.advertisingAccessAddress, let connection = packet.connection,
        connection.peer >= 0
      {
        values.append(packet.scratch.address(packet.batch.tables.peers[Int(connection.peer)].address))
      }
    },
    FilterRow("btle.connection_parameters_in") { packet, values in
      if let pair = packet.pair { values.append(FilterValue(Int128(pair.frame))) }
    },
    FilterRow("btle.request_in_frame") {
      if let frame = $0.history?.procedure, frame > 0 { $1.append(FilterValue(Int128(frame))) }
    },
    FilterRow("btle.l2cap_index") { if let index = $0.history?.unitIndex { $1.append(FilterValue(Int128(index))) } },
    // Fragments of L2CAP PDUs that another packet completes, and the length of the PDU that the last one completes.
    FilterRow("btle.l2cap_data") { packet, values in
      guard packet.record.kind == .linkLayer, packet.rows.count > 0, packet.rows[0].flags.contains(.part),
        packet.linkLayerPDU.u8(4).map({ 1...2 ~= $0 & 3 }) == true, packet.linkLayerPDU.u8(5) ?? 0 > 0,
        !packet.rows[0].flags.contains(.encrypted)
      else { return }
      unsafe values.append(FilterValue(nil, 0))
    },
    FilterRow("btle.l2cap.reassembled.length") { packet, values in
      guard packet.record.kind == .linkLayer, packet.rows.count > 0, packet.rows[0].flags.contains(.joined) else { return }
      values.append(FilterValue(Int128(packet.rows[0].pdu.count + (packet.rows[0].layer == .l2cap ? 0 : 4))))
    },
    FilterRow("btle.extended_advertising_header.acad") { packet, values in
      let pdu = packet.linkLayerPDU
      guard packet.accessAddress == LinkLayer.advertisingAccessAddress, let header = pdu.u8(4), header & 15 == 7 || header & 15 == 8,
        let length = pdu.u8(6).map({ Int($0 & 0x3F) }), length > 0, let flags = pdu.u8(7)
      else { return }
      // The fields that the header's flags announce come before these structures.
      let sizes = [6, 6, 1, 2, 3, 18, 1]
      let known = sizes.indices.reduce(1) { $0 + (flags >> $1 & 1 == 1 ? sizes[$1] : 0) }
      if known < length { unsafe values.append(FilterValue(nil, 0)) }
    },
    FilterRow("nordic_ble.packet_time") { if $0.isOfNordic, let time = $0.airTime { $1.append(FilterValue(Int128(time))) } },
    FilterRow("nordic_ble.delta_time") { packet, values in
      if packet.isOfNordic, packet.whole.u8(3) == 3, let before = packet.history?.before, let time = packet.whole.u32(13) {
        values.append(FilterValue(Int128(time &- before.time &- before.duration)))
      }
    },
    FilterRow("nordic_ble.delta_time_ss") { packet, values in
      guard packet.isOfNordic, packet.whole.u8(3) == 3, let before = packet.history?.before, let time = packet.whole.u32(13) else { return }
      values.append(FilterValue(Int128(time &- before.time)))
    },
    // Wireshark counts the Link Layer packet among the bytes of this header.
    FilterRow("btle_rf") { if $0.linkType == 256 { $0.append($0.whole, &$1) } },
    FilterRow("btle_rf.signal_dbm") {
      if $0.linkType == 256, let byte = $0.whole.u8(1) { $1.append(FilterValue(Int128(Int8(bitPattern: byte)))) }
    },
    FilterRow("nordic_ble") { if $0.linkType == 272 || $0.linkType == 157 { $0.append($0.whole.slice(0, 17), &$1) } },
    FilterRow("nordic_ble.rssi") { if $0.linkType == 272, let byte = $0.whole.u8(10) { $1.append(FilterValue(-Int128(byte))) } },
  ]
}

extension FilterEvaluator {
  /// Fields that need the connection requests in earlier packets.
  static let fieldsOfPairs: [StaticName] = [
    "btle.master_bd_addr", "btle.slave_bd_addr", "btle.connection_parameters_in", "btle.l2cap_index",
  ]

  /// The packet comes from a Nordic sniffer.
  fileprivate var isOfNordic: Bool { (linkType == 272 || linkType == 157) && record.payload == 17 }

  /// The access address of a Link Layer packet.
  fileprivate var accessAddress: UInt32? { record.kind == .linkLayer ? payload.u32(0) : nil }

  /// The addresses of central and peripheral for the packet's access address.
  fileprivate var pair: (central: UInt64, peripheral: UInt64, frame: Int)? { accessAddress.flatMap { pairs[$0] } }

  /// The CRC at the end of a Link Layer packet.
  fileprivate var crc: UInt32? {
    guard accessAddress != nil, let length = linkLayerPDU.u8(5) else { return nil }
    // With the CP bit, the header of a data channel PDU has a third byte, CTEInfo (Core, Vol 6, Part B, 2.4).
    let isLonger = accessAddress != LinkLayer.advertisingAccessAddress && isochronousStream == nil && (linkLayerPDU.u8(4) ?? 0) & 0x20 != 0
    return linkLayerPDU.u24((isLonger ? 7 : 6) + Int(length))
  }

  fileprivate func hasRadioFlag(_ flag: UInt16) -> Bool { record.radio.flags & flag != 0 }

  /// The advertiser's address.
  fileprivate func advertisingAddress(_ values: inout ContiguousArray<FilterValue>) {
    guard accessAddress == LinkLayer.advertisingAccessAddress else { return }
    let pdu = linkLayerPDU
    guard let header = pdu.u8(4) else { return }
    // The advertiser's address comes first, in requests after that of the sender; extended PDUs have flags for it.
    var address: UInt64?
    switch LinkLayer.AdvertisingType(rawValue: header & 15) {
    case .advInd, .advDirectInd, .advNonconnInd, .scanRsp, .advScanInd: address = pdu.address(6)
    case .scanReq, .connectInd: address = pdu.address(12)
    case .advExtInd:
      if let length = pdu.u8(6), length & 0x3F > 0, let flags = pdu.u8(7), flags & 1 == 1 { address = pdu.address(8) }
    default: break
    }
    if let address { values.append(scratch.address(address)) }
  }
}
