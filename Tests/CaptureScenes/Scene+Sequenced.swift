import Captures

/// Channels whose frames have a control field (Core, Vol 3, Part A, 3.3).
extension Scene {
  /// A connection over BR/EDR, and a channel (CID 0x40 here, 0x50 at the peer) that both ends configure with these options.
  package mutating func sequencedChannel(psm: UInt16 = 0x1005, mode: UInt8 = 3, window: UInt8 = 8, options: [UInt8] = []) {
    event(0x03, [0] + little(handle) + octets(0x0013_efa0_0910) + [1, 0])
    pdu(.sent, 1, [0x02, 1, 4, 0] + little(psm) + little(0x40))
    pdu(.received, 1, [0x03, 1, 8, 0] + little(0x50) + little(0x40) + [0, 0, 0, 0])
    let request: [UInt8] = [0x04, 0x09, mode, window, 3, 0, 0, 0, 0, 60, 0] + options
    pdu(.sent, 1, [0x04, 2, UInt8(4 + request.count), 0, 0x50, 0, 0, 0] + request)
    pdu(.received, 1, [0x05, 2, 6, 0, 0x40, 0, 0, 0, 0, 0])
    pdu(.received, 1, [0x04, 3, UInt8(4 + request.count), 0, 0x40, 0, 0, 0] + request)
    pdu(.sent, 1, [0x05, 3, 6, 0, 0x50, 0, 0, 0, 0, 0])
  }

  /// An I-frame with its check sequence: TxSeq, ReqSeq, SAR (0 unsegmented, 1 start, 2 end, 3 continuation).
  @discardableResult
  package mutating func information(
    _ direction: PacketDirection, _ number: UInt16, _ payload: [UInt8], segment: UInt16 = 0, next: UInt16 = 0, spoiled: Bool = false
  ) -> Int {
    checked(direction, little(number << 1 | next << 8 | segment << 14) + payload, spoiled: spoiled)
  }

  /// An S-frame: 0 receiver ready, 1 reject, 2 receiver not ready, 3 selective reject.
  @discardableResult
  package mutating func supervisory(_ direction: PacketDirection, _ kind: UInt16, next: UInt16, poll: Bool = false) -> Int {
    checked(direction, little(1 | kind << 2 | (poll ? 0x10 : 0) | next << 8))
  }

  private mutating func checked(_ direction: PacketDirection, _ body: [UInt8], spoiled: Bool = false) -> Int {
    let channel: UInt16 = direction == .sent ? 0x50 : 0x40
    var check: UInt16 = 0
    for byte in little(UInt16(body.count + 2)) + little(channel) + body {
      check ^= UInt16(byte)
      for _ in 0..<8 { check = check & 1 != 0 ? check >> 1 ^ 0xA001 : check >> 1 }
    }
    return pdu(direction, channel, body + little(spoiled ? ~check : check))
  }
}
