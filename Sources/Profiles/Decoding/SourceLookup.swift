import Bluetooth

/// Where the sources of a profile are found, by what a capture shows of attributes and channels.
struct SourceLookup: Sendable {
  /// Places of characteristics and descriptors.
  private var byUUID: [BluetoothUUID: [Int]] = [:]
  private var byHandle: [UInt16: [Int]] = [:]
  /// Places of advertisements, and of RFCOMM and L2CAP channels.
  private(set) var advertisements: [Int] = []
  private(set) var channels: [Int] = []

  init(_ sources: [CompiledSource]) {
    for (place, source) in sources.enumerated() {
      switch source.kind {
      case .characteristic, .descriptor:
        for uuid in source.uuids where byUUID[uuid]?.last != place { byUUID[uuid, default: []].append(place) }
        for handle in source.handles where byHandle[handle]?.last != place { byHandle[handle, default: []].append(place) }
      case .advertisement: advertisements.append(place)
      case .rfcomm, .l2cap: channels.append(place)
      }
    }
  }

  /// The places of the characteristics and descriptors that have such a UUID or such a handle, in rising order.
  func attributes(_ uuid: BluetoothUUID?, _ handle: UInt16?) -> [Int] {
    let named = uuid.flatMap { byUUID[$0] } ?? []
    let placed = handle.flatMap { byHandle[$0] } ?? []
    if placed.isEmpty { return named }
    return named.isEmpty ? placed : Set(named).union(placed).sorted()
  }
}
