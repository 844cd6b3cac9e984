import Bluetooth

/// Finds the sources of a profile by UUID, handle or channel.
struct SourceLookup: Sendable {
  /// Indices of characteristics and descriptors.
  private var byUUID: [BluetoothUUID: [Int]] = [:]
  private var byHandle: [UInt16: [Int]] = [:]
  /// Indices of advertisements, and of RFCOMM and L2CAP channels.
  private(set) var advertisements: [Int] = []
  private(set) var channels: [Int] = []

  init(_ sources: [CompiledSource]) {
    for (index, source) in sources.enumerated() {
      switch source.kind {
      case .characteristic, .descriptor:
        for uuid in source.uuids where byUUID[uuid]?.last != index { byUUID[uuid, default: []].append(index) }
        for handle in source.handles where byHandle[handle]?.last != index { byHandle[handle, default: []].append(index) }
      case .advertisement: advertisements.append(index)
      case .rfcomm, .l2cap: channels.append(index)
      }
    }
  }

  /// The indices of the characteristics and descriptors with a UUID or a handle, in ascending order.
  func attributes(_ uuid: BluetoothUUID?, _ handle: UInt16?) -> [Int] {
    let named = uuid.flatMap { byUUID[$0] } ?? []
    let byLocation = handle.flatMap { byHandle[$0] } ?? []
    if byLocation.isEmpty { return named }
    return named.isEmpty ? byLocation : Set(named).union(byLocation).sorted()
  }
}

extension CompiledProfile {
  /// Numbers of the sources whose messages may respond to those of `source`; empty where there are none.
  public func sources(answering source: Int) -> [Int] {
    sources.indices.filter { sources[$0].answers.contains { $0.source == source } }
  }

  /// Whether a source may be an attribute of this UUID and handle.
  @_spi(Pipeline) public func mayBe(source: Int, _ uuid: BluetoothUUID?, _ handle: UInt16) -> Bool {
    sources[source].handles.contains(handle) || uuid.map(sources[source].uuids.contains) ?? false
  }
}
