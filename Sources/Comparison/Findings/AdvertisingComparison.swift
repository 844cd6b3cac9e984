@_spi(Pipeline) import Analysis
import Bluetooth
import Conversations

/// Compares what devices advertise: those that were connected, or all of them where nobody connected.
enum AdvertisingComparison {
  typealias FieldChange = CaptureDifferences.FieldChange

  /// Fewer reports do not say how often a device advertises.
  private static let enoughReports = 20

  static func compare(_ a: Recording, _ b: Recording, _ result: inout CaptureDifferences, isStrict: Bool) {
    var ofB: [UInt64: HeardDevices.Device] = [:]
    for device in b.heard.devices { ofB[device.address] = device }
    for device in a.heard.devices {
      guard let other = ofB[device.address] else { continue }
      let place = result.devices.firstIndex { $0.addresses.a == device.address && $0.addresses.b == device.address }
      // Of devices that nobody spoke with, only what is advertised is known; where others were spoken with, they are not what it is about.
      let isOnlyHeard = result.devices.allSatisfy { $0.addresses.a == nil && $0.addresses.b == nil }
      guard place != nil || isOnlyHeard else { continue }
      let what = what(device, other, isStrict: isStrict)
      if what.isEmpty {
        result.same += 1
        continue
      }
      let name = [a, b].compactMap { recording -> [UInt8]? in
        let peer = recording.tables.knownPeer(device.address, type: device.addressType)
        guard peer >= 0, case let name = recording.tables.name(of: peer), !name.isEmpty else { return nil }
        return name
      }.first
      var row = CaptureDifferences.Row(change: .changed, subject: .advertisement(address: device.address, name: name ?? []))
      row.what = what
      if let place {
        row.device = place
      } else {
        row.device = result.devices.count
        result.devices.append(
          CaptureDifferences.Device(name: name ?? [], addresses: (device.address, device.address), isInA: true, isInB: true))
      }
      row.order = (0, 0, 0)
      result.rows.append(row)
    }
  }

  private static func what(_ one: HeardDevices.Device, _ other: HeardDevices.Device, isStrict: Bool) -> [FieldChange] {
    var what: [FieldChange] = []
    func tell(_ field: String, _ a: String, _ b: String) { if a != b { what.append(FieldChange(field: field, a: a, b: b)) } }
    tell("connectable", one.isConnectable ? "yes" : "no", other.isConnectable ? "yes" : "no")
    tell("services", list(one.services), list(other.services))
    tell("service_data", list(one.serviceData), list(other.serviceData))
    if let mine = one.company, let theirs = other.company { tell("company", hex(mine), hex(theirs)) }
    if let mine = one.appearance, let theirs = other.appearance { tell("appearance", hex(mine), hex(theirs)) }
    let (before, after) = (structures(one.data), structures(other.data))
    tell("flags", before[1].map(bytes) ?? "", after[1].map(bytes) ?? "")
    // Data that changed within a capture says another thing each time.
    if isStrict || one.changes == 0 && other.changes == 0 {
      tell("company_data", before[0xFF].map(bytes) ?? "", after[0xFF].map(bytes) ?? "")
    }
    if let mine = interval(one), let theirs = interval(other), max(mine, theirs) > 2 * min(mine, theirs) {
      what.append(FieldChange(field: "interval", a: "\(mine / 1000) ms", b: "\(theirs / 1000) ms"))
    }
    return what
  }

  private static func interval(_ device: HeardDevices.Device) -> Int64? {
    guard device.reports >= enoughReports, device.last > device.first else { return nil }
    return device.last.subtractingReportingOverflow(device.first).partialValue / Int64(device.reports - 1)
  }

  private static func structures(_ data: [UInt8]) -> [UInt8: ArraySlice<UInt8>] {
    var found: [UInt8: ArraySlice<UInt8>] = [:]
    var at = 0
    while at + 1 < data.count, data[at] > 0 {
      let end = min(at + 1 + Int(data[at]), data.count)
      found[data[at + 1]] = data[min(at + 2, end)..<end]
      at = end
    }
    return found
  }

  private static func list(_ uuids: [BluetoothUUID]) -> String { uuids.map(\.description).sorted().joined(separator: ", ") }

  private static func hex(_ number: UInt16) -> String {
    let digits = String(number, radix: 16)
    return "0x" + String(repeating: "0", count: 4 - digits.count) + digits
  }

  private static func bytes(_ bytes: ArraySlice<UInt8>) -> String {
    bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
  }
}
