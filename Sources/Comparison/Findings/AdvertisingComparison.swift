@_spi(Pipeline) import Analysis
import Bluetooth
import Conversations
import PacketCodecs
import Redaction
import Text

/// Compares the advertising data of devices: of those that were connected, or of all where none was.
enum AdvertisingComparison {
  typealias FieldChange = CaptureDifferences.FieldChange

  /// With fewer reports the advertising interval is not compared.
  private static let enoughReports = 20

  /// `areRedacted` says that one of the captures is redacted, where unassigned company identifiers are replaced.
  static func compare(_ a: Recording, _ b: Recording, _ result: inout CaptureDifferences, isStrict: Bool, areRedacted: Bool) {
    let (heardA, heardB) = (a.heard.devices, b.heard.devices)
    guard !heardA.isEmpty, !heardB.isEmpty else { return }
    let (byAddressA, byAddressB) = (indicesByAddress(heardA), indicesByAddress(heardB))
    var found: [(a: Int, b: Int, device: Int?)] = []
    for (index, device) in result.devices.enumerated() {
      guard let indexA = device.addresses.a.flatMap({ byAddressA[$0] }), let indexB = device.addresses.b.flatMap({ byAddressB[$0] }) else {
        continue
      }
      found.append((indexA, indexB, index))
    }
    // Devices without a connection are compared only if no device was connected.
    if result.devices.allSatisfy({ $0.addresses.a == nil && $0.addresses.b == nil }) {
      for pair in others(a, b) { found.append((pair.a, pair.b, nil)) }
      found.sort { $0.a < $1.a }
    }
    for pair in found {
      let (device, other) = (heardA[pair.a], heardB[pair.b])
      let changes = changes(device, other, isStrict: isStrict, areRedacted: areRedacted)
      if changes.isEmpty {
        result.same += 1
        continue
      }
      let names = [name(device, a), name(other, b)]
      let name = names.first { !$0.isEmpty } ?? []
      var row = CaptureDifferences.Row(change: .changed, subject: .advertisement(address: device.address, name: name))
      row.changes = changes
      if let index = pair.device {
        row.device = index
      } else {
        row.device = result.devices.count
        result.devices.append(
          CaptureDifferences.Device(name: name, addresses: (device.address, other.address), isInA: true, isInB: true))
      }
      row.order = (0, 0, 0)
      result.add(row)
    }
  }

  /// Indices of devices by their addresses, including resolved ones.
  private static func indicesByAddress(_ devices: [HeardDevices.Device]) -> [UInt64: Int] {
    var indices: [UInt64: Int] = [:]
    for (index, device) in devices.enumerated() {
      for address in [device.address] + device.privateAddresses { indices[address] = indices[address] ?? index }
    }
    return indices
  }

  /// Devices that were heard in both captures: by address, then by name, then, where a device changes its address, by its advertised data. A property
  /// that several devices share identifies none of them.
  private static func others(_ a: Recording, _ b: Recording) -> [(a: Int, b: Int)] {
    var freeA = Set(a.heard.devices.indices), freeB = Set(b.heard.devices.indices)
    var found: [(a: Int, b: Int)] = []
    func match(_ property: (HeardDevices.Device, Recording) -> [UInt8]) {
      func unique(_ free: Set<Int>, _ recording: Recording) -> [[UInt8]: Int] {
        var indices: [[UInt8]: Int] = [:]
        for index in free.sorted() {
          let value = property(recording.heard.devices[index], recording)
          if !value.isEmpty { indices[value] = indices[value] == nil ? index : -1 }
        }
        return indices
      }
      let theirs = unique(freeB, b)
      for (value, index) in unique(freeA, a) {
        guard index >= 0, let other = theirs[value], other >= 0 else { continue }
        found.append((index, other))
        freeA.remove(index)
        freeB.remove(other)
      }
    }
    match { device, _ in (0..<6).map { UInt8(truncatingIfNeeded: device.address >> ($0 * 8)) } + [device.addressType & 1] }
    match { name($0, $1) }
    match { device, _ in device.addressType & 1 == 1 ? device.signature : [] }
    return found
  }

  private static func name(_ device: HeardDevices.Device, _ recording: Recording) -> [UInt8] {
    let peer = recording.tables.knownPeer(device.address, type: device.addressType)
    return peer < 0 ? [] : recording.tables.name(of: peer)
  }

  private static func changes(_ device: HeardDevices.Device, _ other: HeardDevices.Device, isStrict: Bool, areRedacted: Bool)
    -> [FieldChange]
  {
    var changes: [FieldChange] = []
    func compare(_ field: String, _ a: String, _ b: String) { if a != b { changes.append(FieldChange(field: field, a: a, b: b)) } }
    compare("connectable", device.isConnectable ? "yes" : "no", other.isConnectable ? "yes" : "no")
    compare("services", list(device.services), list(other.services))
    compare("service_data", list(device.serviceData), list(other.serviceData))
    if let mine = device.company, let theirs = other.company,
      !areRedacted || ![mine, theirs].contains(where: Pseudonyms.isPseudonym(company:))
    {
      compare("company", hex(mine), hex(theirs))
    }
    if let mine = device.appearance, let theirs = other.appearance { compare("appearance", hex(mine), hex(theirs)) }
    let (before, after) = (structures(device.data), structures(other.data))
    compare("flags", before[1].map(String.init(hexOf:)) ?? "", after[1].map(String.init(hexOf:)) ?? "")
    // Data that changed within a capture says another thing each time; with another address it may be another one of its make.
    if isStrict || device.address == other.address && device.changes == 0 && other.changes == 0 {
      compare("company_data", before[0xFF].map(String.init(hexOf:)) ?? "", after[0xFF].map(String.init(hexOf:)) ?? "")
    }
    if let mine = interval(device), let theirs = interval(other), max(mine, theirs) > 2 * min(mine, theirs) {
      changes.append(FieldChange(field: "interval", a: "\(mine / 1000) ms", b: "\(theirs / 1000) ms"))
    }
    return changes
  }

  private static func interval(_ device: HeardDevices.Device) -> Int64? {
    guard device.reports >= enoughReports, device.last > device.first else { return nil }
    return device.last.subtractingReportingOverflow(device.first).partialValue / Int64(device.reports - 1)
  }

  private static func structures(_ data: [UInt8]) -> [UInt8: ArraySlice<UInt8>] {
    var found: [UInt8: ArraySlice<UInt8>] = [:]
    let bytes = data.rawSpan
    var cursor = AdvertisingData.Cursor(0..<data.count, in: bytes)
    while let structure = cursor.next(bytes) { found[structure.kind.rawValue] = data[structure.data] }
    return found
  }

  private static func list(_ uuids: [BluetoothUUID]) -> String { uuids.map(\.description).sorted().joined(separator: ", ") }

  private static func hex(_ number: UInt16) -> String { "0x" + String(hex: number, digits: 4) }
}

extension HeardDevices.Device {
  /// The advertised data that identifies a model: company identifier, services, appearance. Empty without the first two.
  var signature: [UInt8] {
    guard company != nil || !services.isEmpty else { return [] }
    let parts = [company.map { "\($0)" } ?? "", appearance.map { "\($0)" } ?? ""] + services.map(\.description).sorted()
    return Array(parts.joined(separator: ",").utf8)
  }
}
