import Bluetooth
import Captures
import Conversations
import Memory

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
      if let (control, frame, format) = packet.control {
        guard row.layer == .l2cap, control.supervisory == nil, control.segment == .unsegmented else { return }
        let payload = L2CAP.payload(frame.span, format, control)
        return packet.append(frame.slice(payload.lowerBound, payload.count), &values)
      }
      // The fixed channels have protocols of their own. For Wireshark, a PDU of a protocol that it does not dissect is payload.
      if row.isRecognized || row.layer == .hid && FilterRow.isUnknownTransaction(row.pdu.u8(0)) {
        packet.append(packet.isWholeFrame ? frame.from(4) : row.pdu, &values)
      } else if row.layer == .l2cap || packet.isWholeFrame && row.layer == .vendor && !(1...7).contains(frame.u16(2) ?? 1) {
        packet.append(frame.from(4), &values)
      }
    },
    FilterRow("btl2cap.psm") { packet, values in
      for row in packet.rows {
        switch row.signalingCode {
        case .connectionRequest, .createChannelRequest: if let psm = row.pdu.u16(4) { values.append(FilterValue(Int128(psm))) }
        case .disconnectionRequest, .disconnectionResponse: if row.detail > 0 { values.append(FilterValue(Int128(row.detail))) }
        default:
          if row.channel >= 0x40, !row.isBareFrame, row.layer != .signaling, row.layer != .att, row.subcode != 0,
            row.layer != .sdp || !SDP.isJoined(row.opcode)
          {
            values.append(FilterValue(Int128(row.subcode)))
          }
        }
      }
    },
    FilterRow("btl2cap.service") { packet, values in
      if packet.frameOrBlind != nil, let service = packet.history?.service { values.append(FilterValue(Int128(service))) }
    },
    FilterRow("btl2cap.le_sdu_length") { packet, values in
      if let length = packet.history?.unitLength { values.append(FilterValue(Int128(length))) }
    },
    pieces("btl2cap.le_sdu.fragments", { $0.joinedUnit }) { _, values in unsafe values.append(FilterValue(nil, 0)) },
    pieces("btl2cap.le_sdu.fragment", { $0.joinedUnit }) { for frame in $0.frames { $1.append(FilterValue(Int128(frame))) } },
    pieces("btl2cap.le_sdu.fragment.count", { $0.joinedUnit }) { $1.append(FilterValue(Int128($0.frames.count))) },
    pieces("btl2cap.le_sdu.reassembled.length", { $0.joinedUnit }) { $1.append(FilterValue(Int128($0.length))) },
    transport("btavctp.transaction") { header, _ in Int(header >> 4) },
    transport("btavctp.packet_type") { header, _ in Int(header >> 2 & 3) },
    transport("btavctp.cr") { header, _ in Int(header >> 1 & 1) },
    // A continuation packet has no profile identifier, and one bit without a meaning.
    transport("btavctp.ipid") { header, _ in header & 8 == 0 ? Int(header & 1) : nil },
    transport("btavctp.rfa") { header, _ in header & 8 != 0 ? Int(header & 1) : nil },
    transport("btavctp.nop") { header, bytes in header >> 2 & 3 == 1 ? bytes.u8(1).map { Int($0) } : nil },
    transport("btavctp.pid") { header, bytes in header & 8 == 0 ? bytes.u16be(header & 4 == 0 ? 1 : 2).map { Int($0) } : nil },
    vendorDependent("btavrcp.packet_type", "avrcp_packet_type", 1) { UInt16($0.u8(10) ?? 0) & 3 },
    vendorDependent("btavrcp.length", "avrcp_length", 2) { $0.u16be(11) ?? 0 },
    FilterRow("btl2cap.connect_in") { packet, values in
      guard packet.frameOrBlind != nil || packet.rows.count > 0 && packet.rows[0].layer == .signaling else { return }
      if let frame = packet.rows.lazy.compactMap({ packet.history?.opening($0) }).first { values.append(FilterValue(Int128(frame))) }
    },
    FilterRow("btl2cap.control") { packet, values in if packet.control != nil { values.append(FilterValue(Int128(1))) } },
    FilterRow("btl2cap.control_type") { packet, values in
      if let (control, _, _) = packet.control { values.append(FilterValue(Int128(control.supervisory == nil ? 0 : 1))) }
    },
    FilterRow("btl2cap.control_sar") { packet, values in
      if let (control, _, _) = packet.control, control.supervisory == nil { values.append(FilterValue(Int128(control.segment.rawValue))) }
    },
    FilterRow("btl2cap.control_reqseq") { packet, values in
      if let (control, _, _) = packet.control { values.append(FilterValue(Int128(control.reqSeq))) }
    },
    FilterRow("btl2cap.control_txseq") { packet, values in
      if let (control, _, _) = packet.control, control.supervisory == nil { values.append(FilterValue(Int128(control.txSeq))) }
    },
    FilterRow("btl2cap.control_retransmissiondisable") { packet, values in
      if let (_, frame, _) = packet.control { values.append(FilterValue(Int128((frame.u8(4) ?? 0) >> 7))) }
    },
    FilterRow("btl2cap.control_supervisory") { packet, values in
      if let (control, _, _) = packet.control, let kind = control.supervisory { values.append(FilterValue(Int128(kind.rawValue))) }
    },
    FilterRow("btl2cap.sdulength") { packet, values in
      guard let (control, frame, format) = packet.control, control.segment == .start else { return }
      if let length = frame.u16(format.contains(.extended) ? 8 : 6) { values.append(FilterValue(Int128(length))) }
    },
    FilterRow("btl2cap.fcs") { packet, values in
      guard let (_, frame, format) = packet.control, format.contains(.checked) else { return }
      if let check = frame.u16(frame.count - 2) { values.append(FilterValue(Int128(check))) }
    },
    FilterRow("btrfcomm.fcs") { packet, values in
      let location = FieldLocation.rfcomm
      guard let row = packet.rows.first(where: { location.isIn($0) && !$0.isUnknownToWireshark(.rfcomm) }) else { return }
      // A row whose text came in several frames does not have the end of the last frame.
      let isWhole = packet.record.kind == .acl && packet.isWholeFrame && !row.flags.contains(.sequenced)
      let frame = isWhole ? packet.payload.from(8) : row.pdu
      if let check = frame.u8(frame.count - 1) { values.append(FilterValue(Int128(check))) }
    },
    serial("btspp", 0x1101...0x1101),
    serial("btspp.data", 0x1101...0x1101),
    serial("btdun", 0x1103...0x1103),
    serial("btdun.atcmd", 0x1103...0x1103),
    serial("btgnss", 0x1135...0x1136),
    serial("btgnss.data", 0x1135...0x1136),
  ]
}

extension FilterRow {
  /// A field of the SDU or packet that the packet completes.
  static func pieces(
    _ line: StaticString, _ joined: @escaping @Sendable (FilterHistory) -> FilterHistory.Pieces?,
    _ take: @escaping @Sendable (FilterHistory.Pieces, inout ContiguousArray<FilterValue>) -> Void
  ) -> FilterRow {
    FilterRow(line) { packet, values in if let pieces = packet.history.flatMap(joined) { take(pieces, &values) } }
  }

  /// The data of channels that a service uses as a serial line: serial ports, modems (DUN), satellite receivers (GNSS).
  private static func serial(_ line: StaticString, _ services: ClosedRange<UInt16>) -> FilterRow {
    FilterRow(line) { packet, values in
      for row in packet.rows {
        if let service = packet.service(of: row), services.contains(service), let (_, data) = row.channelData {
          packet.append(data, &values)
        }
      }
    }
  }

  /// A transaction type that HIDP does not define: Wireshark leaves the PDU to L2CAP.
  fileprivate static func isUnknownTransaction(_ header: UInt8?) -> Bool {
    switch (header ?? 0) >> 4 {
    case 2, 3, 12...15: true
    default: false
    }
  }

  /// A field of a packet's own AVCTP header: the row of a message that came in several packets has the header of the first.
  private static func transport(_ line: StaticString, _ value: @escaping @Sendable (UInt8, PDUBytes) -> Int?) -> FilterRow {
    FilterRow(line) { packet, values in
      for row in packet.rows where (row.layer == .avctp || row.layer == .avrcp) && !row.isUnknownToWireshark(.avctp) {
        let bytes = packet.isWholeFrame && !row.flags.contains(.sequenced) ? packet.payload.from(8) : row.pdu
        if let header = bytes.u8(0), let number = value(header, bytes) { values.append(FilterValue(Int128(number))) }
      }
      if values.isEmpty, packet.record.isTruncated, packet.record.kind == .acl { packet.isBlind = true }
    }
  }

  /// A field of a packet's own AVRCP header: in the row, parameters that came in several packets follow those of the first.
  private static func vendorDependent(
    _ line: StaticString, _ name: StaticName, _ width: Int, _ value: @escaping @Sendable (PDUBytes) -> UInt16
  ) -> FilterRow {
    let location = FieldLocation(.pdu, .avrcp, names: [name])
    var field = FilterField()
    (field.type, field.width) = (.unsigned, width)
    return FilterRow(line) { [field] packet, values in
      for row in packet.rows where row.layer == .avrcp && !row.isUnknownToWireshark(.avrcp) {
        if row.opcode & AVRCP.joined != 0, packet.isWholeFrame, !row.flags.contains(.sequenced) {
          values.append(FilterValue(Int128(value(packet.payload.from(8)))))
        } else {
          packet.walk(row, location, field, &values)
        }
      }
      if values.isEmpty, packet.record.isTruncated, packet.record.kind == .acl { packet.isBlind = true }
    }
  }
}

extension FieldLocation {
  /// Matches rows of RFCOMM frames, and of the protocols that RFCOMM carries.
  fileprivate static let rfcomm: FieldLocation = {
    var location = FieldLocation()
    (location.protocolID, location.isEnvelope) = (.rfcomm, true)
    return location
  }()
}

extension FilterEvaluator {
  /// Returns the service class UUID of the RFCOMM channel that a row belongs to, from the SDP records of the peer in the capture; nil where
  /// there is no such record. Records that the host itself offers are not used, as in Wireshark.
  fileprivate func service(of row: PacketRow) -> UInt16? {
    let tables = batch.tables
    guard row.layer == .rfcomm, row.detail >= 0, Int(row.detail) < tables.services.count else { return nil }
    let service = tables.services[Int(row.detail)]
    return service.uuid >= 0 && !service.isLocal ? tables.uuids[Int(service.uuid)].short16 : nil
  }
}

extension FilterEvaluator {
  /// The complete L2CAP PDU of the packet if it starts and ends here, or is completed here; nil for a part of one.
  fileprivate var l2cap: PDUBytes? {
    switch record.kind {
    case .acl:
      if rows.count > 0, rows[0].flags.contains(.sequenced) {
        // A row may have an SDU that waited for this frame: the packet's own frame is used if it is complete.
        let header = payload.from(4)
        let isStart = payload.u16(0).map { $0 >> 12 & 3 != 1 } ?? false
        return isStart && header.u16(0).map { Int($0) &+ 4 == header.count } == true ? header : rows[0].sequencedFrame
      }
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

  /// The control field of the packet's L2CAP frame, the frame, and its format.
  fileprivate var control: (L2CAP.Control, PDUBytes, L2CAP.FrameFormat)? {
    guard rows.count > 0, rows[0].flags.contains(.sequenced), let frame = l2cap else { return nil }
    let format = rows[0].flags.frameFormat
    guard let control = L2CAP.Control(frame.span, format) else { return nil }
    return (control, frame, format)
  }

  /// The L2CAP PDU; where there is none, the capture may have cut it.
  fileprivate var frameOrBlind: PDUBytes? {
    let frame = l2cap
    if frame == nil, record.isTruncated, record.kind == .acl { isBlind = true }
    return frame
  }

  /// The packet holds the complete L2CAP PDU.
  fileprivate var isWholeFrame: Bool { record.kind == .acl && (!rows[0].flags.contains(.joined) || rows[0].flags.contains(.sequenced)) }

  /// The PDUs of a protocol in the packet's rows; where there are none, the capture may have cut them.
  func pdus(of location: FieldLocation, _ values: inout ContiguousArray<FilterValue>) {
    for row in rows where location.isIn(row) && !row.isUnknownToWireshark(location.protocolID) { append(row.pdu, &values) }
    if values.isEmpty, record.isTruncated, record.kind == .acl { isBlind = true }
  }
}

extension PacketRow {
  /// The protocol was recognized by the form of its frames: the capture does not show the opening of the channel, and Wireshark does not dissect
  /// these.
  var isRecognized: Bool { subcode == 0 && layer != .att && isOfChannel }

  /// Wireshark does not dissect the row's bytes as this protocol: the opening of the channel is not in the capture, or no SDP record
  /// before has its service. Such rows have no fields, so that filters pass the same frames as in Wireshark.
  @inline(__always)
  func isUnknownToWireshark(_ id: ProtocolID) -> Bool { subcode == 0 && isRecognized || flags.contains(.likely) && id == layer }
}
