import Bluetooth
import CaptureScenes
import Captures
import Conversations
import Foundation
import Output
import Profiles
import Testing
import Text

@testable import Analysis

/// Devices, operations and subscriptions in the summary.
@Suite struct DeviceTests {
  private func summary(_ scene: Scene, with profiles: ProfileSet? = nil) throws -> Summary {
    let summary = Summary()
    var options = Timeline.Options()
    options.profiles = profiles
    _ = try Timeline(SceneSource(scene), options: options).run(CaptureFacts(name: "scene", title: "scene"), to: summary)
    return summary
  }

  private func report(
    _ scene: inout Scene, _ address: UInt64, type: UInt8 = 0, kind: UInt8 = 0, data: [UInt8] = [], signal: Int8
  ) {
    scene.event(
      0x3E, [2, 1, kind, type] + scene.octets(address) + [UInt8(data.count)] + data + [UInt8(bitPattern: signal)])
  }

  @Test func theNearestIsHeardWellLately() throws {
    var scene = Scene()
    // The first device comes nearer, the second goes away; their averages are equal.
    for signal: Int8 in [-90, -80, -60, -50] { report(&scene, 1, signal: signal) }
    for signal: Int8 in [-50, -60, -80, -90] { report(&scene, 2, signal: signal) }
    report(&scene, 3, signal: 127)
    let heard = try summary(scene).heard
    #expect(heard.byProximity.map(\.address) == [1, 2])
    #expect(heard.count == 3)
    let first = try #require(heard.devices.first)
    #expect(first.signal == -50)
    #expect(first.median == -60)
    #expect(first.average > -65 * 256)
  }

  /// Quotation marks in company names are escaped in JSON.
  @Test func companiesWithQuotationMarksAreEscaped() throws {
    var scene = Scene()
    report(&scene, 1, data: [5, 0xFF, 0x02, 0x07, 1, 2], signal: -50)
    let path = NSTemporaryDirectory() + "btscribe-company-\(UUID().uuidString)"
    defer { try? FileManager.default.removeItem(atPath: path) }
    let rows = try TextBuffer(file: path)
    _ = try Timeline(SceneSource(scene)).run(CaptureFacts(name: "scene", title: "scene"), to: NDJSONPrinter(rows))
    try rows.finish()
    let row = try #require(try JSONSerialization.jsonObject(with: Data(contentsOf: URL(fileURLWithPath: path))) as? [String: Any])
    #expect("\(row)".contains("SAF TEHNIKA"))
    let out = TextBuffer()
    SummaryJSON(out).print(try summary(scene))
    let whole = try #require(try JSONSerialization.jsonObject(with: Data(out.gathered)) as? [String: Any])
    #expect("\(whole)".contains("SAF TEHNIKA"))
  }

  /// Findings are grouped by what they advise: each device needs its own key, which another app shows for devices of another maker.
  @Test func missingKeysAreGroupedByProfileAndNameTheDevices() throws {
    var scene = Scene()
    let monitor: [UInt8] = [
      0x10, 2, 0x89, 0xA3, 2, 0xB0, 0x40, 0xAF, 0x92, 0x5D, 9, 0xA4, 0xD8, 0x9A, 0xA0, 0x12, 0x8B, 0xDE, 0xF4, 0x8C, 0x62, 0x98, 0xA9,
    ]
    for address: UInt64 in [0xC000_0000_0001, 0xC000_0000_0002] {
      report(&scene, address, type: 1, data: [UInt8(monitor.count + 3), 0xFF, 0xE1, 2] + monitor, signal: -50)
    }
    report(&scene, 0xC000_0000_0003, type: 1, data: [13, 0x16, 0xD2, 0xFC, 0x41, 1, 2, 1, 0, 0, 0, 9, 9, 9], signal: -50)
    let out = TextBuffer()
    SummaryText(out, style: Style()).print(try summary(scene, with: ProfileSet(builtin: true)))
    let lines = String(decoding: out.gathered, as: UTF8.self).split(separator: "\n").filter { $0.contains("needs --key") }
    try #require(lines.count == 2)
    #expect(lines[0].contains(" c0:00:00:00:00:01  encrypted, needs --key victron-energy.advertisement=HEX"))
    #expect(lines[0].hasSuffix("(2 times: also c0:00:00:00:00:02 #2)"))
    #expect(lines[1].contains("c0:00:00:00:00:03  encrypted, needs --key bthome.bindkey=HEX") && !lines[1].contains("times"))
  }

  /// A device that answers an inquiry was heard, but did not advertise. Zeros at the end of its list are no services.
  @Test func answersToAnInquiryAreHeard() throws {
    var scene = Scene()
    let services: [UInt8] = [33, 7] + [UInt8](1...16) + [UInt8](repeating: 0, count: 16)
    let data = [4, 9] + Array("Car".utf8) + services
    scene.event(
      0x2F, [1] + scene.octets(0x0000_5e00_5331) + [1, 0, 8, 4, 0x24, 0, 0, 0xC8] + data + [UInt8](repeating: 0, count: 240 - data.count))
    scene.event(
      0x22, [2] + (1...2).flatMap { scene.octets(0x0000_5e00_5340 + $0) + [1, 0, 8, 4, 0x24, 0, 0, 0xB0] })
    let heard = try summary(scene).heard
    #expect(heard.devices.map(\.address) == [0x0000_5e00_5331, 0x0000_5e00_5341, 0x0000_5e00_5342])
    #expect(heard.devices.allSatisfy { $0.isClassic && !$0.isLowEnergy && !$0.isConnectable })
    #expect(heard.devices.map(\.signal) == [-56, -80, -80])
    #expect(heard.devices.first?.services.count == 1)
    let out = TextBuffer()
    SummaryText(out, style: Style()).print(try summary(scene))
    let text = String(decoding: out.gathered, as: UTF8.self)
    #expect(text.contains("Car") && text.contains("BR/EDR, heard once") && !text.contains("connectable"))
  }

  /// Profiles decode the value of a characteristic, not its declaration, which has the same UUID.
  @Test func declarationsAreNoValues() throws {
    var scene = Scene()
    scene.connect()
    scene.send([0x04, 1, 0, 0xFF, 0xFF])
    scene.receive([0x05, 1, 0x10, 0, 0x00, 0x28, 0x11, 0, 0x03, 0x28, 0x12, 0, 0x19, 0x2A])
    for (handle, value) in [(0x10, [0x0F, 0x18]), (0x11, [0x02, 0x12, 0, 0x19, 0x2A]), (0x12, [80])] as [(UInt8, [UInt8])] {
      scene.send([0x0A, handle, 0])
      scene.receive([0x0B] + value)
    }
    #expect(try summary(scene, with: ProfileSet(builtin: true)).profiles["bluetooth-sig"]?.messages == 1)
  }

  /// A characteristic of which only Find Information shows the type, one of 128 bits, has the profile of that type.
  @Test(arguments: [false, true])
  func theProfileOfATypeFromFindInformation(isUsedBefore: Bool) throws {
    var scene = Scene()
    scene.connect()
    // The handle before it is used, and nothing shows its type.
    if isUsedBefore { scene.receive([0x1B, 0x0A, 0, 1]) }
    scene.send([0x04, 0x0B, 0, 0x0B, 0])
    // adabfb01-6e7d-4601-bda2-bffaa68956ba
    scene.receive(
      [0x05, 2, 0x0B, 0, 0xBA, 0x56, 0x89, 0xA6, 0xFA, 0xBF, 0xA2, 0xBD, 0x01, 0x46, 0x7D, 0x6E, 0x01, 0xFB, 0xAB, 0xAD])
    scene.receive([0x1B, 0x0B, 0, 0xC0, 0x14, 0x0C, 1, 0, 0, 0xCE, 0x26, 0x8B, 0x93, 0xB7, 0xDA])
    #expect(try summary(scene, with: ProfileSet(builtin: true)).profiles["fitbit-tracker"]?.messages == 1)
  }

  /// The row of a request without a response names the request, not the end of the capture; where nothing is written, nothing came before a write.
  @Test func findingsNameTheRequest() throws {
    var scene = Scene()
    scene.connect()
    let request = scene.send([0x0A, 0x30, 0])
    for value: UInt8 in 0..<4 { scene.receive([0x1B, 0x19, 0, value]) }
    let out = TextBuffer()
    SummaryText(out, style: Style()).print(try summary(scene))
    let text = String(decoding: out.gathered, as: UTF8.self)
    #expect(text.contains("note     #\(request) ") && text.contains("is still open"))
    #expect(text.contains("4 values, 4 bytes") && !text.contains("before any write"))
  }

  /// Times on the day on which the capture begins have no date; others do.
  @Test func daysAreDistinguished() throws {
    var scene = Scene()
    // 2026-01-31.
    scene.time = 1_769_818_600_000_000
    scene.connect()
    scene.receive([0x1B, 0x19, 0, 1])
    scene.time += 86_400_000_000
    scene.disconnect()
    let out = TextBuffer()
    SummaryText(out, style: Style()).print(try summary(scene))
    let text = String(decoding: out.gathered, as: UTF8.self)
    #expect(text.contains("2026-01-31 00:16:40 to 2026-02-01 00:16:40 UTC"))
    #expect(text.contains("c0:ff:ee:00:00:01  00:16:40 to 2026-02-01 00:16:40  mtu 23"))
    #expect(text.contains("00:16:40 unasked #2 to 2026-02-01 00:16:40 #3 disconnected"))
  }

  /// A capture that begins near 1970 has no time of day: its times are those since its start.
  @Test(arguments: [1_000_000_000, -300_000_000_000, 900_000_000_000])
  func capturesWithoutATimeOfDay(start: Int64) throws {
    var scene = Scene()
    scene.time = start
    scene.connect()
    scene.time += 3_725_000_000
    scene.disconnect()
    let summary = try summary(scene)
    #expect(summary.outcome.limits.map(\.id) == ["no-time-of-day"])
    let out = TextBuffer()
    SummaryText(out, style: Style()).print(summary)
    let text = String(decoding: out.gathered, as: UTF8.self)
    #expect(text.contains("2 packets, 62 min 5 s without a time of day\n") && !text.contains("1970") && !text.contains("UTC"))
    #expect(text.contains("c0:ff:ee:00:00:01  00:00:00 to 01:02:05  mtu 23"), "\(text)")
    #expect(!CaptureFacts.hasTimeOfDay(start) && CaptureFacts.hasTimeOfDay(1_769_818_600_000_000))
  }

  @Test func aCrowdIsCountedBeyondTheDevicesThatAreDistinguished() throws {
    var scene = Scene()
    let crowd = HeardDevices.maximum * 4
    // Each device is heard twice.
    for round in 0..<2 { for number in 0..<crowd { report(&scene, UInt64(number) &* 0x1_0001 &+ 1, signal: Int8(-50 - round)) } }
    let heard = try summary(scene).heard
    #expect(heard.devices.count == HeardDevices.maximum)
    #expect(heard.devices.allSatisfy { $0.reports == 2 })
    #expect(heard.isRough)
    #expect(abs(heard.count - crowd) < crowd / 33)
    #expect(abs(heard.leftOut - (crowd - HeardDevices.maximum)) < crowd / 33)
  }

  @Test func distinctNumbersAreCounted() {
    var count = DistinctCount()
    #expect(count.isEmpty && count.estimate == 0)
    var next = 1
    for number in 1...300_000 {
      count.insert(UInt64(number))
      count.insert(UInt64(number))
      guard number == next else { continue }
      next *= 3
      #expect(abs(count.estimate - number) <= max(2, number / 25), "\(number)")
    }
  }

  @Test func heardOnceOrStillThere() throws {
    var scene = Scene()
    report(&scene, 1, signal: -50)
    report(&scene, 2, signal: -50)
    for _ in 0..<30 {
      scene.time += 1_000_000
      report(&scene, 3, signal: -50)
    }
    report(&scene, 2, signal: -50)
    let heard = try summary(scene).heard
    #expect(heard.devices.map(\.reports) == [1, 2, 30])
    #expect(heard.devices.map { heard.isStillThere($0) } == [false, true, true])
  }

  /// A clock that is set back makes no device older than it is.
  @Test func theLastReportIsTheLastInTheCapture() throws {
    var scene = Scene()
    scene.time += 60_000_000
    report(&scene, 1, signal: -50)
    scene.time -= 30_000_000
    for device: UInt64 in [2, 3, 2, 3] { report(&scene, device, signal: -50) }
    let heard = try summary(scene).heard
    #expect(heard.devices.filter { $0.address != 1 }.allSatisfy(heard.isStillThere))
  }

  @Test func aDeviceThatIsConnectedStopsAdvertising() throws {
    var scene = Scene()
    for device: UInt64 in [1, 2, 1, 2] { report(&scene, device, signal: -50) }
    scene.connect(1)
    for _ in 0..<20 {
      scene.time += 1_000_000
      report(&scene, 3, signal: -50)
    }
    let summary = try summary(scene)
    let devices = summary.heard.devices
    #expect(devices.map { summary.heard.wasConnected($0, summary.outcome.tables) } == [true, false, false])
    #expect(devices.map { summary.heard.isStillThere($0) } == [false, false, true])
  }

  @Test func signalsThatNothingCanHave() {
    var radio = RadioInfo()
    #expect(radio.strength == nil)
    radio.flags = RadioInfo.Flag.signalValid
    for (raw, strength) in [(-40, -40), (20, 20), (77, -77), (127, -127), (0, nil)] as [(Int8, Int8?)] {
      radio.signal = raw
      #expect(radio.strength == strength)
    }
  }

  /// Many devices use the company identifier of another company.
  @Test func theCompanyIsTheOneThatTheProfileNames() {
    let device = {
      var device = HeardDevices.Device(address: 1, addressType: 0); device.company = 1; return device
    }()
    func words(_ title: String) -> AdvertisedText.Words { .init(profile: "it", title: title, text: "21 °C") }
    #expect(device.companyName(nil)?.description == "Nokia Mobile Phones")
    #expect(device.companyName(words("Govee thermometers")) == nil)
    #expect(device.companyName(words("Beacons of NOKIA"))?.description == "Nokia Mobile Phones")
  }

  @Test func whatTheyAdvertise() throws {
    var scene = Scene()
    let data: [UInt8] = [2, 1, 6, 5, 3, 0x0D, 0x18, 0x0F, 0x18, 3, 0x19, 0x41, 0x03]
    report(&scene, 1, data: data, signal: -50)
    report(&scene, 1, data: data, signal: -50)
    report(&scene, 1, kind: 4, data: [4, 0xFF, 0x4C, 0x00, 0x10, 4, 0x16, 0xA6, 0xFE, 0x01], signal: -50)
    report(&scene, 1, data: data.dropLast() + [0x04], signal: -50)
    report(&scene, 2, kind: 3, signal: -50)
    let heard = try summary(scene).heard
    let device = try #require(heard.devices.first)
    #expect(device.services.map(\.description) == ["180d", "180f"])
    #expect(device.serviceData.map(\.description) == ["fea6"])
    #expect(device.company == 0x004C)
    #expect(device.appearance == 0x0441)
    #expect(device.changes == 1)
    #expect(heard.devices.map(\.isConnectable) == [true, false])
  }

  /// The key and the address are those of the Core Specification (Vol 3, Part H, Appendix D.7).
  @Test func privateAddressesAreOneDevice() throws {
    var scene = Scene()
    let key: [UInt8] = [0x9b, 0x7d, 0x39, 0x0a, 0xa6, 0x10, 0x10, 0x34, 0x05, 0xad, 0xc8, 0x57, 0xa3, 0x34, 0x02, 0xec]
    report(&scene, 0x7081_940d_fbaa, type: 1, signal: -50)
    report(&scene, 0x7081_940d_fbab, type: 1, signal: -50)
    scene.command(0x2027, [0] + scene.octets(0xc0ff_ee00_0001) + key + [UInt8](repeating: 0, count: 16))
    report(&scene, 0xc0ff_ee00_0001, signal: -50)
    let heard = try summary(scene).heard
    #expect(heard.devices.map(\.address) == [0xc0ff_ee00_0001, 0x7081_940d_fbab])
    #expect(heard.devices.first?.reports == 2)
    #expect(heard.devices.first?.privateAddresses == [0x7081_940d_fbaa])
  }

  @Test func aDeviceLookedForBySerialNumber() throws {
    var scene = Scene()
    let visit: (inout Scene, UInt64, Bool) -> Void = { scene, address, isRight in
      scene.connect(address)
      scene.discover(0x2A25, at: 0x12, service: 0x180A, properties: 0x02)
      scene.send([0x0A, 0x12, 0])
      scene.receive([0x0B, 0x31, 0x32])
      if isRight { scene.send([0x52, 0x20, 0, 1]) } else { scene.disconnect(0x16) }
    }
    visit(&scene, 0xc0ff_ee00_0001, false)
    visit(&scene, 0xc0ff_ee00_0002, false)
    visit(&scene, 0xc0ff_ee00_0003, true)
    let found = try summary(scene)
    let tables = found.outcome.tables
    let pattern = try #require(found.operationCounts.searches(tables).first)
    #expect(pattern.tried == [0, 1])
    #expect(pattern.kept == 2)
    #expect(tables.type(of: tables.attributes[Int(pattern.attribute)])?.description == "2a25")

    // Three devices are used one after the other: that is no search.
    var used = Scene()
    for address: UInt64 in 1...3 {
      used.connect(address)
      used.send([0x0A, 0x12, 0])
      used.receive([0x0B, 0x31])
      used.send([0x52, 0x20, 0, 1])
      used.disconnect(0x16)
    }
    let busy = try summary(used)
    #expect(busy.operationCounts.searches(busy.outcome.tables).isEmpty)
  }

  @Test func whatWasDone() throws {
    var scene = Scene()
    scene.connect()
    scene.discover(0x2A19, at: 0x19)
    scene.send([0x12, 0x1A, 0, 1, 0])
    scene.receive([0x13])
    for _ in 0..<3 { scene.receive([0x1B, 0x19, 0, 80]) }
    scene.send([0x0A, 0x19, 0])
    scene.receive([0x01, 0x0A, 0x19, 0, 0x02])
    scene.receive([0x0A, 0x03, 0])
    scene.send([0x0B, 1])
    let operationCounts = try summary(scene).operationCounts
    let mine = operationCounts.count(0, isIncoming: false)
    #expect(mine[.subscribe] == 1)
    #expect(mine[.read] == 0)
    #expect(mine.failures.failed == 1)
    #expect(mine.services == 1)
    let theirs = operationCounts.count(0, isIncoming: true)
    #expect(theirs.notifications == 3)
    #expect(theirs[.read] == 1)
  }

  @Test func whoListenedToWhat() throws {
    var scene = Scene()
    scene.connect()
    scene.discover(0x2A19, at: 0x19)
    let start = scene.send([0x12, 0x1A, 0, 1, 0])
    scene.receive([0x13])
    scene.receive([0x1B, 0x19, 0, 80])
    scene.send([0x52, 0x30, 0, 1])
    scene.receive([0x1B, 0x19, 0, 80, 1])
    let end = scene.send([0x12, 0x1A, 0, 0, 0])
    scene.receive([0x13])
    // Refused.
    scene.send([0x12, 0x1A, 0, 2, 0])
    scene.receive([0x01, 0x12, 0x1A, 0, 0x03])
    // The peer writes a CCCD of this host.
    scene.receive([0x08, 1, 0, 0xFF, 0xFF, 0x03, 0x28])
    scene.send([0x09, 7, 0x02, 0, 0x20, 0x03, 0, 0x05, 0x2A])
    scene.receive([0x12, 0x04, 0, 2, 0])
    scene.send([0x13])
    scene.send([0x1D, 0x03, 0, 1, 0, 0xFF, 0xFF])
    scene.receive([0x1E])
    let periods = try summary(scene).outcome.subscriptions.periods
    #expect(periods.map(\.ending) == [.unsubscribed, .refused, .open])
    #expect(periods.map(\.isLocal) == [false, false, true])
    #expect(periods.map(\.handle) == [0x19, 0x19, 0x03])
    #expect(periods[0].startFrame == start)
    #expect(periods[0].endFrame == end)
    #expect(periods[0].values == 2)
    #expect(periods[0].bytes == 3)
    #expect(periods[0].early == 1)
    #expect(periods[2].bits == 2)
    #expect(periods[2].values == 1)
  }

  /// Whether values came on an encrypted link without a key is not known.
  @Test func whatIsEncryptedIsNotNothing() throws {
    func listening(_ isEncrypted: Bool) throws -> String {
      var scene = Scene()
      scene.sniffConnection()
      scene.air(.central, 2, [5, 0, 4, 0, 0x12, 0x1A, 0, 1, 0])
      scene.air(.peripheral, 2, [1, 0, 4, 0, 0x13])
      if isEncrypted {
        scene.air(.central, 3, [0x03] + [UInt8](repeating: 7, count: 22))
        scene.air(.peripheral, 3, [0x04] + [UInt8](repeating: 7, count: 12))
        scene.air(.peripheral, 3, [0x05])
        scene.air(.central, 3, [0xAA, 0xBB, 0xCC, 0xDD, 0xEE])
        scene.air(.peripheral, 2, [UInt8](repeating: 0xA5, count: 16))
      }
      let out = TextBuffer()
      let summary = try summary(scene)
      SummaryText(out, style: Style()).print(summary)
      return String(decoding: Data(out.gathered), as: UTF8.self).split(separator: "\n").first { $0.contains("notify") }.map(String.init)
        ?? ""
    }
    #expect(try listening(false).hasSuffix("nothing came"))
    let encrypted = try listening(true)
    #expect(encrypted.contains("not known: encrypted from #"), "\(encrypted)")
  }
}
