/// Finds the device of a map for a peer by hash lookup: a map may have thousands of devices, and a capture thousands of peers.
struct GATTCacheLookup: Sendable {
  private let devices: [GATTCache.Device]
  /// Indices of devices by address, and by name (or prefix of a name) for devices without an address.
  private var byAddress: [UInt64: [Int]] = [:]
  private var byName: [[UInt8]: Int] = [:]
  private var byPrefix: [[UInt8]: Int] = [:]
  private var prefixLengths: Set<Int> = []

  init(_ map: GATTCache = GATTCache()) {
    devices = map.devices
    for (index, device) in devices.enumerated() where device.connection == nil && device.adapter == nil {
      if let address = device.address {
        byAddress[address, default: []].append(index)
      } else if device.name.last == UInt8(ascii: "*") {
        let prefix = Array(device.name.dropLast())
        prefixLengths.insert(prefix.count)
        if byPrefix[prefix] == nil { byPrefix[prefix] = index }
      } else if !device.name.isEmpty, byName[device.name] == nil {
        byName[device.name] = index
      }
    }
  }

  /// The index of the first device in the map that matches a peer; nil where there is none.
  func index(of peer: Peer) -> Int? {
    let isRandom = peer.addressType != 0xFF && peer.addressType & 1 == 1
    var indices = byAddress[peer.address]?.first { devices[$0].isRandom == nil || devices[$0].isRandom == isRandom }.map { [$0] } ?? []
    if !peer.name.isEmpty {
      if let index = byName[peer.name] { indices.append(index) }
      for length in prefixLengths where length <= peer.name.count {
        if let index = byPrefix[Array(peer.name.prefix(length))] { indices.append(index) }
      }
    }
    return indices.min()
  }
}
