import FuzzInput

/// Captures that are valid apart from some packets: connections, discoveries, subscriptions, pairing and channels in their order. The
/// input chooses the next step, and where a packet is made invalid.
struct Conversation {
  private var choices: Choices
  private var packets: [(bytes: [UInt8], isReceived: Bool)] = []
  private var handle: UInt16 = 0x40
  private var attribute: UInt16 = 1
  private var identifier: UInt8 = 1

  /// The capture (btsnoop, H4) that an input describes.
  static func capture(_ bytes: UnsafeRawBufferPointer) -> [UInt8] {
    var conversation = Conversation(choices: Choices(bytes))
    conversation.connect()
    var steps = 0
    while !conversation.choices.isAtEnd, steps < 200 {
      conversation.step()
      steps += 1
    }
    return conversation.file
  }

  private init(choices: Choices) { self.choices = choices }

  private func little(_ value: UInt16) -> [UInt8] { [UInt8(truncatingIfNeeded: value), UInt8(value >> 8)] }

  private mutating func step() {
    let what = choices.byte()
    let before = packets.count
    switch what & 15 {
    case 0: connect()
    case 1: event(5, [0] + little(handle) + [choices.byte()])
    case 2: discover()
    case 3: pdu(4, [0x12] + little(attribute) + [choices.byte(), 0])
    case 4: pdu(4, [0x1B] + little(attribute) + value(), isReceived: true)
    case 5: pdu(4, [0x0A] + little(attribute))
    case 6: pdu(4, [0x0B] + value(), isReceived: true)
    case 7: pdu(4, [[0x02, 0x03][Int(choices.byte() & 1)]] + little(UInt16(choices.byte()) + 20), isReceived: choices.flag())
    case 8: pdu(4, [0x16] + little(attribute) + little(UInt16(choices.byte())) + value(), isReceived: choices.flag())
    case 9: pair()
    case 10: channel()
    case 11: event(0x3E, [2, 1, 0, 1] + address() + [11, 10, 9] + [UInt8](repeating: 0x61, count: 9) + [0xC0])
    case 12: pdu(4, [0x23] + little(attribute) + little(3) + [1, 2, 3] + little(attribute &+ 2) + little(200), isReceived: true)
    case 13: pdu(UInt16(0x40) + UInt16(choices.byte() & 3), value(), isReceived: choices.flag())
    case 14: handle = 0x40 + UInt16(choices.byte() & 3)
    default: pdu(4, [0x01, 0x0A] + little(attribute) + [choices.byte() & 0x1F], isReceived: true)
    }
    if what & 0xF0 != 0 { lie(what >> 4, from: before) }
  }

  /// Makes the last packets invalid.
  private mutating func lie(_ how: UInt8, from start: Int) {
    guard start < packets.count else { return }
    let index = start + Int(choices.byte()) % (packets.count - start)
    switch how {
    case 1: packets.remove(at: index)
    case 2: packets.append(packets[index])
    case 3: packets[index].isReceived.toggle()
    case 4: packets[index].bytes.removeLast(min(Int(choices.byte()) % 16, packets[index].bytes.count - 1))
    case 5: packets[index].bytes += [UInt8](repeating: choices.byte(), count: Int(choices.byte()))
    case 6: packets.swapAt(index, packets.count - 1)
    default:
      for _ in 0..<Int(how) - 6 {
        let at = 1 + Int(choices.byte()) % max(1, packets[index].bytes.count - 1)
        if at < packets[index].bytes.count { packets[index].bytes[at] = choices.byte() }
      }
    }
  }

  private mutating func value() -> [UInt8] { Array(choices.piece(Int(choices.byte() & 31))) }
  private mutating func address() -> [UInt8] { [choices.byte() & 7, 0, 0, 0xEE, 0xFF, 0xC0] }

  private mutating func event(_ code: UInt8, _ parameters: [UInt8]) {
    packets.append(([4, code, UInt8(truncatingIfNeeded: parameters.count)] + parameters, true))
  }

  /// An L2CAP PDU, fragmented if the input says so.
  private mutating func pdu(_ channel: UInt16, _ pdu: [UInt8], isReceived: Bool = false) {
    let whole = little(UInt16(pdu.count)) + little(channel) + pdu
    let size = choices.byte() & 15 == 0 ? max(1, Int(choices.byte() & 15)) : whole.count
    var at = 0
    while at < whole.count {
      let piece = Array(whole[at..<min(at + size, whole.count)])
      let boundary: UInt16 = at > 0 ? 1 : isReceived ? 2 : 0
      packets.append(([2] + little(handle | boundary << 12) + little(UInt16(piece.count)) + piece, isReceived))
      at += size
    }
  }

  private mutating func connect() {
    handle = 0x40 + UInt16(choices.byte() & 3)
    event(0x3E, [1, 0] + little(handle) + [choices.byte() & 1, choices.byte() & 1] + address() + [24, 0, 0, 0, 42, 0, 0])
  }

  private mutating func discover() {
    attribute = UInt16(choices.byte())
    let uuid = little([0x2A37, 0x2A19, 0x2A00, 0x2B2A, 0x2A05, 0xFFF1, 0xFFE1][Int(choices.byte()) % 7])
    pdu(4, [0x10, 1, 0, 0xFF, 0xFF, 0x00, 0x28])
    pdu(4, [0x11, 6] + little(attribute &- 1) + little(attribute &+ 1) + [0xF0, 0xFF], isReceived: true)
    pdu(4, [0x08] + little(attribute &- 1) + little(attribute &+ 1) + [0x03, 0x28])
    pdu(4, [0x09, 7] + little(attribute &- 1) + [0x3A] + little(attribute) + uuid, isReceived: true)
    pdu(4, [0x04] + little(attribute &+ 1) + little(attribute &+ 1))
    pdu(4, [0x05, 1] + little(attribute &+ 1) + [0x02, 0x29], isReceived: true)
    pdu(4, [0x12] + little(attribute &+ 1) + [choices.byte() & 3, 0])
    pdu(4, [0x13], isReceived: true)
  }

  private mutating func pair() {
    pdu(6, [0x01, 3, 0, 1, 16, 7, 7])
    pdu(6, [0x02, 3, 0, 1, 16, 7, 7], isReceived: true)
    pdu(6, [0x03] + [UInt8](repeating: choices.byte(), count: 16))
    pdu(6, [0x04] + [UInt8](repeating: choices.byte(), count: 16), isReceived: true)
    event(8, [0] + little(handle) + [1])
    pdu(6, [0x08] + [UInt8](repeating: choices.byte(), count: 16), isReceived: true)
    pdu(6, [0x09, 0] + address(), isReceived: true)
  }

  private mutating func channel() {
    identifier = identifier &+ 1
    let (mine, theirs) = (UInt16(0x40) + UInt16(choices.byte() & 3), UInt16(0x40) + UInt16(choices.byte() & 3))
    if choices.flag() {
      let psm: UInt16 = [1, 3, 0x17, 0x19, 0x1B, 0x1F, 15][Int(choices.byte()) % 7]
      pdu(1, [2, identifier, 4, 0] + little(psm) + little(mine))
      pdu(1, [3, identifier, 8, 0] + little(theirs) + little(mine) + [0, 0, 0, 0], isReceived: true)
    } else {
      pdu(5, [0x14, identifier, 10, 0] + little(0x27) + little(mine) + [100, 0, 50, 0, 10, 0])
      pdu(5, [0x15, identifier, 10, 0] + little(theirs) + [100, 0, 50, 0, 10, 0, 0, 0], isReceived: true)
    }
  }

  private var file: [UInt8] {
    func big(_ value: UInt64, _ size: Int) -> [UInt8] { (0..<size).map { UInt8(truncatingIfNeeded: value >> UInt64(8 * (size - 1 - $0))) } }
    var bytes: [UInt8] = Array("btsnoop\0".utf8) + big(1, 4) + big(1002, 4)
    for (number, packet) in packets.enumerated() {
      let size = UInt64(packet.bytes.count)
      let flags: UInt64 = (packet.isReceived ? 1 : 0) | (packet.bytes[0] == 2 ? 0 : 2)
      bytes += big(size, 4) + big(size, 4) + big(flags, 4) + big(0, 4) + big(0x00E2_0000_0000_0000 + UInt64(number) * 10_000, 8)
      bytes += packet.bytes
    }
    return bytes
  }
}
