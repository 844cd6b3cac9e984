import Bluetooth

/// Finds services in ``ConversationTables/services`` by their channels. Each packet of RFCOMM and each record of SDP is looked up.
struct ServiceIndex: Sendable {
  /// A channel of a peer, or of a connection whose peer is not known.
  private struct Key: Hashable {
    var peer: Int32
    var connection: Int32
    var isLocal: Bool
    var rfcommChannel: UInt8
    var psm: UInt16

    init(_ peer: Int32, _ connection: Int32, isLocal: Bool, rfcommChannel: UInt8 = 0, psm: UInt16 = 0) {
      self.peer = peer
      self.connection = peer >= 0 ? -1 : connection
      self.isLocal = isLocal
      self.rfcommChannel = rfcommChannel
      self.psm = psm
    }
  }

  // All values are indices into the services of the tables.
  /// By RFCOMM channel and PSM: the service. By RFCOMM channel: the first one. By PSM: all with this PSM in any role, in ascending order.
  private var whole: [Key: Int32] = [:]
  private var onChannel: [Key: Int32] = [:]
  private var onPSM: [Key: [Int32]] = [:]
  /// The services whose channel for OBEX has a PSM, in order.
  private var objects: [UInt16: [Int32]] = [:]

  /// The service of the same channels as `service`.
  func same(as service: OfferedService) -> Int? {
    whole[
      Key(
        service.peer, service.connection, isLocal: service.isLocal, rfcommChannel: service.rfcommChannel, psm: service.psm)
    ].map(Int.init)
  }

  /// The first service on an RFCOMM channel, of one side or of both.
  func first(_ peer: Int32, _ connection: Int32, isLocal: Bool?, rfcommChannel: UInt8) -> Int32 {
    var first = Int32.max
    for side in [false, true] where isLocal == nil || isLocal == side {
      first = min(first, onChannel[Key(peer, connection, isLocal: side, rfcommChannel: rfcommChannel)] ?? .max)
    }
    return first == .max ? -1 : first
  }

  /// The services that have a PSM in any role, in order.
  func all(_ peer: Int32, _ connection: Int32, isLocal: Bool, psm: UInt16) -> [Int32] {
    onPSM[Key(peer, connection, isLocal: isLocal, psm: psm)] ?? []
  }

  /// The first service whose channel for OBEX has a PSM.
  func firstObjects(psm: UInt16) -> Int? { objects[psm]?.first.map(Int.init) }

  /// Adds a service, or updates a changed one. `number` is its index in ``ConversationTables/services``; `old` is its value before the change, nil for
  /// a new service. A change may affect PSMs only: peer, side and RFCOMM channel remain the same.
  mutating func take(_ service: OfferedService, _ number: Int, instead old: OfferedService? = nil) {
    let number = Int32(number)
    func key(_ rfcommChannel: UInt8, _ psm: UInt16) -> Key {
      Key(service.peer, service.connection, isLocal: service.isLocal, rfcommChannel: rfcommChannel, psm: psm)
    }
    if let old {
      for psm in old.psms where psm != 0 && !service.psms.contains(psm) { Self.remove(number, from: &onPSM[key(0, psm), default: []]) }
      if old.objectPSM != 0, old.objectPSM != service.objectPSM { Self.remove(number, from: &objects[old.objectPSM, default: []]) }
    } else {
      whole[key(service.rfcommChannel, service.psm)] = number
      if service.rfcommChannel != 0 {
        let channel = key(service.rfcommChannel, 0)
        onChannel[channel] = min(onChannel[channel] ?? number, number)
      }
    }
    for psm in service.psms where psm != 0 { Self.insert(number, into: &onPSM[key(0, psm), default: []]) }
    if service.objectPSM != 0 { Self.insert(number, into: &objects[service.objectPSM, default: []]) }
  }

  /// The position of a number in a sorted list.
  private static func position(of number: Int32, in list: [Int32]) -> Int {
    var (low, high) = (0, list.count)
    while low < high {
      let middle = (low + high) / 2
      if list[middle] < number { low = middle + 1 } else { high = middle }
    }
    return low
  }

  private static func insert(_ number: Int32, into list: inout [Int32]) {
    let position = position(of: number, in: list)
    if position == list.count || list[position] != number { list.insert(number, at: position) }
  }

  private static func remove(_ number: Int32, from list: inout [Int32]) {
    let position = position(of: number, in: list)
    if position < list.count, list[position] == number { list.remove(at: position) }
  }
}

extension OfferedService {
  /// Its PSMs in all roles; 0 where it has none.
  fileprivate var psms: [UInt16] { [psm, objectPSM, hardcopyDataPSM, hardcopyNotificationPSM] }
}
