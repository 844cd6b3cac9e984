import Bluetooth
import Conversations
import Analysis
import Text

/// Devices in the summary, the nearest first.
extension SummaryText {
  /// Most devices that are shown.
  private static let shown = 12

  func devices(_ summary: Summary, _ tables: ConversationTables, _ words: AdvertisedText?) {
    let heard = summary.heard
    guard heard.count > 0 else { return }
    let count = heard.count
    heading("Devices heard", count, isRough: heard.isRough)
    let nearest = heard.byProximity
    // Devices without a signal strength follow in the order in which they were heard.
    let listed = nearest + heard.devices.filter { $0.signal == 127 }
    for device in listed.prefix(Self.shown) { line(device, summary, tables, words) }
    if count > Self.shown {
      out.text(heard.isRough ? "  and about " : "  and ")
      let more = count - min(listed.count, Self.shown)
      out.decimal(heard.isRough ? HeardDevices.rounded(more) : more)
      out.text(" more\n")
    }
  }

  private func line(_ device: HeardDevices.Device, _ summary: Summary, _ tables: ConversationTables, _ words: AdvertisedText?) {
    let heard = summary.heard
    let start = out.count
    out.text("  ")
    let peer = tables.knownPeer(device.address, type: device.addressType)
    let name = peer >= 0 ? tables.name(of: peer) : []
    if name.isEmpty { out.address(device.address) } else { out.untrusted(name, .terminal) }
    out.pad(from: start, to: 22)
    let signal = out.count
    if device.signal != 127 {
      out.decimal(Int(device.average / 256))
      out.text(" dBm")
    }
    out.pad(from: signal, to: 9)
    if !name.isEmpty {
      out.address(device.address)
      out.text("  ")
    }
    if device.isLowEnergy { out.name(DeviceAddress(device.address, DeviceAddress.Kind(rawValue: device.addressType)).kindName) }
    if device.isClassic { out.text(device.isLowEnergy ? ", BR/EDR" : "BR/EDR") }
    if !device.privateAddresses.isEmpty {
      out.text(" (under ")
      out.decimal(device.privateAddresses.count)
      out.text(device.privateAddresses.count == 1 ? " private address)" : " private addresses)")
    }
    if device.isLowEnergy { out.text(device.isConnectable ? ", connectable" : ", not connectable") }
    if device.reports == 1 {
      out.text(", heard once")
    } else {
      out.text(", heard ")
      out.decimal(device.reports)
      out.text(" times")
      if heard.wasConnected(device, tables) {
        out.text(", until it was connected")
      } else if heard.isStillThere(device) {
        out.text(", still there")
      } else if device.isLowEnergy {
        out.text(", gone since ")
        clock.timeOfDay(device.last, since: summary.first, to: out)
      }
    }
    let advertised = words?.words(of: device)
    let company = device.companyName(advertised)
    if let company {
      out.text(", ")
      out.name(company)
    }
    for service in device.services + device.serviceData.filter({ !device.services.contains($0) }) {
      // The service of a company is named like the company, which was just printed.
      if let company, service.name == company { continue }
      out.text(", ")
      if let name = service.name { out.name(name) } else { out.string(service.description) }
    }
    if let advertised {
      out.text(", ")
      out.string(advertised.profile)
      out.text(": ")
      out.untrusted(Array(advertised.text.utf8), .terminal)
    }
    out.wrap(from: start, indent: 31, style)
    out.byte(0x0A)
  }
}
