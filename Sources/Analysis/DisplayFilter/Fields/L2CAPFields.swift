import Bluetooth
import Captures
import Conversations

/// L2CAP frames, and the protocols on channels of their own.
extension FilterRow {
  static let l2cap: [FilterRow] = [
    FilterRow("btl2cap") { if let frame = $0.l2cap { $0.append(frame, &$1) } },
    FilterRow("btl2cap.length") { packet, values in
      guard let frame = packet.frameOrBlind else { return }
      let row = packet.rows[0]
      if packet.isWholeFrame {
        if let length = frame.u16(0) { values.append(FilterValue(Int128(length))) }
      } else if row.layer == .l2cap {
        if let length = row.pdu.u16(0) { values.append(FilterValue(Int128(length))) }
      } else {
        values.append(FilterValue(Int128(packet.rows.reduce(0) { $0 + $1.pdu.count })))
      }
    },
    FilterRow("btl2cap.cid") { packet, values in
      guard let frame = packet.frameOrBlind else { return }
      if packet.isWholeFrame {
        if let channel = frame.u16(2) { values.append(FilterValue(Int128(channel))) }
      } else {
        values.append(FilterValue(Int128(packet.rows[0].channel)))
      }
    },
    FilterRow("btl2cap.payload") { packet, values in
      guard let frame = packet.frameOrBlind else { return }
      let row = packet.rows[0]
      // The fixed channels have protocols of their own. What Wireshark does not look for is a payload to it.
      if row.isRecognized {
        packet.append(packet.isWholeFrame ? frame.from(4) : row.pdu, &values)
      } else if row.layer == .l2cap || packet.isWholeFrame && row.layer == .vendor && !(1...7).contains(frame.u16(2) ?? 1) {
        packet.append(frame.from(4), &values)
      }
    },
    FilterRow("btl2cap.psm") { packet, values in
      for row in packet.rows {
        switch row.signalingCode {
        case .connectionRequest, .createChannelRequest: if let psm = row.pdu.u16(4) { values.append(FilterValue(Int128(psm))) }
        case .disconnectionRequest, .disconnectionResponse: if row.asked > 0 { values.append(FilterValue(Int128(row.asked))) }
        default:
          if row.channel >= 0x40, row.layer != .signaling, row.layer != .att, row.subcode != 0,
            row.layer != .sdp || !SDP.isJoined(row.opcode)
          {
            values.append(FilterValue(Int128(row.subcode)))
          }
        }
      }
    },
    FilterRow("btspp.data") { packet, values in
      for row in packet.rows where packet.service(of: row) == 0x1101 { if let (_, data) = row.channelData { packet.append(data, &values) } }
    },
  ]
}

extension FilterEvaluator {
  /// Returns the service class UUID of the RFCOMM channel that a row belongs to, from the SDP records of the peer in the capture; nil where
  /// there is no such record. Records that the host itself offers are not used, as in Wireshark.
  fileprivate func service(of row: PacketRow) -> UInt16? {
    let tables = batch.tables
    guard row.layer == .rfcomm, row.asked >= 0, Int(row.asked) < tables.services.count else { return nil }
    let service = tables.services[Int(row.asked)]
    return service.uuid >= 0 && !service.isLocal ? tables.uuids[Int(service.uuid)].short16 : nil
  }
}

extension FilterEvaluator {
  /// The whole L2CAP PDU of the packet where it starts and ends here, or that it completes; nil for a part of one.
  fileprivate var l2cap: PDUBytes? {
    switch record.kind {
    case .acl:
      guard rows.count > 0, !rows[0].flags.contains(.part), rows[0].layer != .hciACL else { return nil }
      return rows[0].flags.contains(.joined) ? rows[0].pdu : payload.from(4)
    case .linkLayer:
      guard rows.count > 0,
        rows[0].layer == .att || rows[0].layer == .smp || rows[0].layer == .signaling || rows[0].layer == .l2cap,
        !rows[0].flags.contains(.part)
      else { return nil }
      return rows[0].pdu
    default: return nil
    }
  }

  /// The L2CAP PDU; where there is none, the capture may have cut it.
  fileprivate var frameOrBlind: PDUBytes? {
    let frame = l2cap
    if frame == nil, record.isTruncated, record.kind == .acl { isBlind = true }
    return frame
  }

  /// The packet holds the whole L2CAP PDU.
  fileprivate var isWholeFrame: Bool { record.kind == .acl && !rows[0].flags.contains(.joined) }

  /// The PDUs of a protocol in the packet's rows; where there are none, the capture may have cut them.
  func pdus(of place: FilterPlace, _ values: inout ContiguousArray<FilterValue>) {
    for row in rows where place.isIn(row) && !row.isUnknownToWireshark(place.protocolID) { append(row.pdu, &values) }
    if values.isEmpty, record.isTruncated, record.kind == .acl { isBlind = true }
  }
}

extension PacketRow {
  /// The protocol was known by the form of its frames: the capture does not show the opening of the channel, and Wireshark does not look there.
  var isRecognized: Bool { subcode == 0 && layer != .att && isOfChannel }

  /// Wireshark does not read the row's bytes as this protocol: the opening of the channel is not in the capture, or no SDP record of the peer
  /// names the service behind it. Such rows have no fields, so that filters pass the frames that it passes.
  @inline(__always)
  func isUnknownToWireshark(_ id: ProtocolID) -> Bool { subcode == 0 && isRecognized || flags.contains(.likely) && id == layer }
}
