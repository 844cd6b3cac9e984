import Bluetooth
import Captures
import Conversations
import Memory

/// Packets of BR/EDR on the air, with the header of link type 255.
extension FilterRow {
  /// Bits of the eighth byte of an FHS packet.
  private static func reserved(_ line: StaticString, _ bits: @escaping @Sendable (UInt8) -> UInt8) -> FilterRow {
    FilterRow(line) { packet, values in
      guard let fhs = packet.basebandPacket, fhs.type == .fhs, fhs.isPlain, fhs.payload.count >= 18,
        let byte = packet.whole.u8(fhs.payload.lowerBound + 7)
      else { return }
      values.append(FilterValue(Int128(bits(byte))))
    }
  }

  static let baseband: [FilterRow] = [
    FilterRow("btbredr_rf") { if $0.basebandPacket != nil { $0.append($0.whole, &$1) } },
    FilterRow("btbredr_rf.payload_header") { packet, values in packet.payloadHeader { values.append(FilterValue(Int128($0))) } },
    FilterRow("btbredr_rf.payload_header.llid") { packet, values in packet.payloadHeader { values.append(FilterValue(Int128($0 & 3))) } },
    FilterRow("btbredr_rf.payload_header.flow") { packet, values in
      packet.payloadHeader { values.append(FilterValue(Int128($0 >> 2 & 1))) }
    },
    FilterRow("btbredr_rf.payload_header.length") { packet, values in
      packet.payloadHeader { values.append(FilterValue(Int128($0 >> 3 & 0x3FF))) }
    },
    FilterRow("btbredr_rf.crc") { packet, values in
      guard let fhs = packet.basebandPacket, fhs.isDecrypted || fhs.check == .right || fhs.type == .fhs else { return }
      let end = fhs.type == .fhs ? fhs.payload.lowerBound + 18 : fhs.llid != nil ? fhs.body.upperBound : fhs.payload.upperBound
      if let crc = packet.whole.u16(end) { values.append(FilterValue(Int128(crc))) }
    },
    FilterRow("btbredr_fhs") { packet, values in
      guard let fhs = packet.basebandPacket, fhs.type == .fhs, fhs.isPlain, fhs.payload.count >= 18 else { return }
      packet.append(packet.whole.slice(fhs.payload.lowerBound, 18), &values)
    },
    // Two reserved bit fields, of which the second was the scan period in earlier versions (Core, Vol 2, Part B, 6.5.1.4).
    reserved("btbredr_fhs.reserved") { $0 >> 3 & 1 },
    reserved("btbredr_fhs.sp") { $0 >> 6 },
  ]
}

extension FilterEvaluator {
  /// The decoded headers of the packet; nil for packets of other link types.
  fileprivate var basebandPacket: Baseband.Packet? {
    guard linkType == 255, record.payload == 22 else { return nil }
    return Baseband.Packet(whole.span, .pseudoHeader)
  }

  /// Calls `body` with the header of the payload, where it has one that is not encrypted.
  fileprivate func payloadHeader(_ body: (UInt16) -> Void) {
    guard let packet = basebandPacket, packet.llid != nil, packet.isDecrypted || packet.check == .right else { return }
    let size = packet.body.lowerBound - packet.payload.lowerBound
    let header = size == 1 ? whole.u8(packet.payload.lowerBound).map(UInt16.init) : whole.u16(packet.payload.lowerBound)
    if let header { body(header) }
  }
}
