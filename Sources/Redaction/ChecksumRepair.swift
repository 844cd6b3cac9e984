import Bluetooth
import Captures
import Memory
import PacketCodecs

/// Corrects checksums over changed bytes; those that were wrong stay wrong.
enum ChecksumRepair {
  static func repair(_ bytes: inout [UInt8], _ packet: PacketRecord, _ original: [UInt8], _ checks: LinkLayerChecks) {
    switch packet.kind {
    case .linkLayer: linkLayer(&bytes, packet, original, checks)
    case .acl: frameCheck(&bytes, packet, original)
    case .baseband: baseband(&bytes, packet, original)
    default: break
    }
  }

  /// Whether a packet may have a checksum within it.
  static func mayHaveCheck(_ packet: PacketRecord, _ bytes: ArraySlice<UInt8>) -> Bool {
    switch packet.kind {
    case .linkLayer, .baseband: return true
    case .acl:
      // On a dynamically allocated channel.
      let channel = bytes.startIndex + packet.payload + 6
      return channel + 1 < bytes.endIndex && (bytes[channel] >= 0x40 || bytes[channel + 1] != 0)
    default: return false
    }
  }

  /// The CRC of a Link Layer packet (Vol 6, Part B, 3.1.1) is linear: it changes by the CRC of the difference, whatever its initial value.
  private static func linkLayer(_ bytes: inout [UInt8], _ packet: PacketRecord, _ original: [UInt8], _ checks: LinkLayerChecks) {
    guard bytes.count == original.count, let pdu = LinkLayerChecks.pdu(packet, count: bytes.count) else { return }
    let end = pdu.upperBound
    // Tools write zeros where they leave out a CRC. Zeros are written here too, where the three bytes are not proven to be a CRC of these bytes:
    // they may be a CRC over the encrypted PDU, or whatever a tool put there.
    let isProven = unsafe original.withUnsafeBytes { unsafe checks.isProven(packet, BorrowedBytes($0), pdu) }
    guard isProven else {
      for index in 0..<3 { bytes[end + index] = 0 }
      return
    }
    let changed = pdu.map { bytes[$0] ^ original[$0] }
    let difference = unsafe changed.withUnsafeBytes { unsafe LinkLayer.crc(RawSpan(_unsafeBytes: $0), in: 0..<$0.count, initial: 0) }
    for index in 0..<3 { bytes[end + index] = original[end + index] ^ UInt8(truncatingIfNeeded: difference >> UInt32(8 * index)) }
  }

  /// The CRC of a BR/EDR packet (Vol 2, Part B, 7.1.2) is initialised with a part of the central's address, which is replaced by zeros.
  private static func baseband(_ bytes: inout [UInt8], _ packet: PacketRecord, _ original: [UInt8]) {
    guard packet.basebandAddress != nil, bytes.count == original.count, original.count >= 22,
      let old = Baseband.Packet(original.rawSpan, .pseudoHeader), old.isPlain, !old.payload.isEmpty
    else { return }
    let end = old.type == .fhs ? old.payload.lowerBound + 18 : old.body.upperBound
    guard old.llid != nil || old.type == .fhs, end + 2 <= bytes.count else { return }
    let range = old.payload.lowerBound..<end
    var made = Baseband.crc(bytes.rawSpan, in: range, upper: 0)
    let sent = UInt16(original[end]) | UInt16(original[end + 1]) << 8
    if old.check == .wrong, Baseband.crc(original.rawSpan, in: range, upper: original[15]) != sent { made ^= 0xFFFF }
    bytes[end] = UInt8(truncatingIfNeeded: made)
    bytes[end + 1] = UInt8(truncatingIfNeeded: made >> 8)
  }

  /// The frame check sequence of L2CAP's retransmission modes (Vol 3, Part A, 3.3.5), where the last two bytes match it.
  private static func frameCheck(_ bytes: inout [UInt8], _ packet: PacketRecord, _ original: [UInt8]) {
    guard let range = checkedRange(packet, original[...]) else { return }
    let made = check(bytes[range])
    bytes[range.upperBound] = UInt8(truncatingIfNeeded: made)
    bytes[range.upperBound + 1] = UInt8(truncatingIfNeeded: made >> 8)
  }

  /// Whether a packet has one frame whose last two bytes match the frame check sequence of L2CAP's retransmission modes.
  static func hasFrameCheck(_ packet: PacketRecord, _ bytes: ArraySlice<UInt8>) -> Bool {
    packet.kind == .acl && mayHaveCheck(packet, bytes) && checkedRange(packet, bytes) != nil
  }

  /// The bytes over which the two bytes behind them are the frame check sequence; nil where they are not.
  private static func checkedRange(_ packet: PacketRecord, _ bytes: ArraySlice<UInt8>) -> Range<Int>? {
    let start = bytes.startIndex + packet.payload + 4
    guard bytes.endIndex >= start + 8 else { return nil }
    let length = Int(bytes[start]) | Int(bytes[start + 1]) << 8
    let channel = UInt16(bytes[start + 2]) | UInt16(bytes[start + 3]) << 8
    guard channel >= 0x40, length >= 4, start + 4 + length <= bytes.endIndex else { return nil }
    let end = start + 4 + length
    let isRight = unsafe bytes[start..<end].withUnsafeBytes { unsafe L2CAP.isCheckRight(RawSpan(_unsafeBytes: $0)) }
    return isRight ? start..<end - 2 : nil
  }

  /// x^16 + x^15 + x^2 + 1, least significant bit first, from zero.
  static func check(_ bytes: some Sequence<UInt8>, from start: UInt16 = 0) -> UInt16 {
    bytes.reduce(start) { state, byte in
      var state = state ^ UInt16(byte)
      for _ in 0..<8 { state = state & 1 != 0 ? state >> 1 ^ 0xA001 : state >> 1 }
      return state
    }
  }
}
