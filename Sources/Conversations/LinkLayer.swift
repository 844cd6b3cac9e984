import Bluetooth
import Captures

/// What is kept of Link Layer captures.
struct LinkLayerState {}

/// Link Layer packets of a sniffer (Core, Vol 6, Part B, 2).
extension Reconstruction {
  /// Takes a Link Layer packet, from its access address on.
  mutating func linkLayer(_ one: PacketRecord, _ payload: PDUBytes) {
    guard purpose == .rows else { return }
    rows.append(row(one, payload.u32(0) == 0x8E89_BED6 ? .advertisingPDU : .linkLayer, .other, payload))
  }
}
