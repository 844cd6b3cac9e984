import Bluetooth
import Captures
import Conversations
import Memory

/// The initial values of CRCs in a sniffer's packets. A CRC is corrected only where it was right before: other bytes in its place, corrected by the
/// change of the PDU before them, would reveal that change.
///
/// An initial value is proven where CONNECT_IND has it, or where two different packets imply the same one: a CRC can be computed backwards.
struct LinkLayerChecks {
  /// By access address and initial value: a hash of the first packet that implies it, or nil where it is proven.
  private var known: [UInt64: UInt64?] = [:]
  /// Upper bound of ``known``. Noise implies another value each time: where there are too many, unproven values are removed.
  private static let maxKnown = 65_536
  private static let proof = KeyedHash((0x6372_6300, 0x636F_6465))

  /// The range of the PDU in a packet's bytes, before the three bytes of the CRC; nil where there is no room for both.
  static func pdu(_ packet: PacketRecord, count: Int) -> Range<Int>? {
    let start = packet.payload + (packet.radio.phy == 2 ? 5 : 4)
    guard packet.kind == .linkLayer, packet.radio.flags & RadioInfo.Flag.hasCRC != 0, !packet.isTruncated, count >= start + 5 else {
      return nil
    }
    return start..<count - 3
  }

  /// The key in ``known`` of a packet: its access address, and the initial value that its CRC implies.
  private static func key(_ bytes: BorrowedBytes, _ packet: PacketRecord, _ pdu: Range<Int>) -> UInt64? {
    guard let access = bytes.u32(packet.payload), let sent = bytes.u24(pdu.upperBound), sent != 0 else { return nil }
    return key(access, LinkLayer.crcInitial(bytes.span, in: pdu, crc: sent))
  }

  private static func key(_ access: UInt32, _ initial: UInt32) -> UInt64 { UInt64(access) << 24 | UInt64(initial) }

  /// Takes a packet of the first pass.
  mutating func take(_ packet: PacketRecord, _ bytes: BorrowedBytes) {
    guard let pdu = Self.pdu(packet, count: bytes.count), let key = Self.key(bytes, packet, pdu) else { return }
    let hash = Self.proof.hash(pdu.lazy.map { bytes[$0] })
    switch known[key] {
    case nil:
      if known.count >= Self.maxKnown { known = known.filter { $0.value == nil } }
      if known.count < Self.maxKnown { known[key] = .some(hash) }
    case .some(.some(let first)): if first != hash { known[key] = .some(nil) }
    case .some(nil): break
    }
  }

  /// Takes an advertising PDU, from its header on, that has another channel's CRCInit: CONNECT_IND, AUX_CONNECT_REQ, or one with SyncInfo (2.3.4.6).
  mutating func take(advertising pdu: PDUBytes) {
    let kind = (pdu.u8(0) ?? 0) & 15
    if kind == 5, let request = LinkLayer.ConnectionRequest(pdu.span) { prove(request.accessAddress, request.crcInit) }
    guard kind == 7, let length = pdu.u8(2), length & 0x3F > 0, let flags = pdu.u8(3), flags & 0x20 != 0 else { return }
    // Addresses, CTEInfo, AdvDataInfo and AuxPtr precede it.
    let start = [6, 6, 1, 2, 3].enumerated().reduce(4) { $0 + (flags >> UInt8($1.offset) & 1 != 0 ? $1.element : 0) }
    if let access = pdu.u32(start + 9), let initial = pdu.u24(start + 13) { prove(access, initial) }
  }

  private mutating func prove(_ access: UInt32, _ initial: UInt32) {
    if known.count < Self.maxKnown { known[Self.key(access, initial)] = .some(nil) }
  }

  /// Whether the CRC of a packet is known to be right.
  func isProven(_ packet: PacketRecord, _ bytes: BorrowedBytes, _ pdu: Range<Int>) -> Bool {
    guard let key = Self.key(bytes, packet, pdu) else { return false }
    if key == Self.key(LinkLayer.advertisingAccessAddress, LinkLayer.advertisingCRCInit) { return true }
    return if case .some(nil) = known[key] { true } else { false }
  }
}
