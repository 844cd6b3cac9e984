import Bluetooth
import CaptureScenes
import Captures
import Conversations
import Testing

@testable import Analysis

/// Attribute tables as files.
@Suite struct GATTCacheTests {
  static let byHand = """
    - name: Lamp*
      characteristics:
        0x0025: ffe9
        0x0028: {uuid: ffe4, properties: notify, descriptors: {0x0029: 2902}}
    - address: c0:ff:ee:00:00:01
      services:
        - uuid: 180f
          handles: 0x0017-0x001a
          characteristics:
            0x0019:
              uuid: 2a19
              properties: [read, notify]
    """

  private func played(_ scene: Scene, _ text: String, path: String = "map.yaml") throws -> Collector {
    var options = Timeline.Options()
    options.gatt = try GATTCache(text: text, path: path)
    let collector = Collector()
    _ = try Timeline(SceneSource(scene), options: options).run(CaptureFacts(name: "scene", title: "scene"), to: collector)
    return collector
  }

  private func uuid(_ collector: Collector, _ frame: Int) -> (String, UUIDSource) {
    guard let row = collector.rows[frame], row.attribute >= 0, row.uuidSource != .none else { return ("", .none) }
    let tables = collector.outcome.tables
    return (tables.type(of: tables.attributes[Int(row.attribute)])?.description ?? "", row.uuidSource)
  }

  /// A device may give a handle for a characteristic's declaration that is not below its value's: writing and reading the table keeps it.
  @Test func declarationsAtOddPlaces() throws {
    let odd = "[Attributes]\n0002=2803:0002:12:2a19\n0009=2803:0004:02:2a00\n"
    let written = try GATTCache(text: odd, path: "00:11:22:33:44:55/attributes").yaml
    #expect(written.contains("declaration: 0x0002") && written.contains("declaration: 0x0009"))
    #expect(try GATTCache(text: written, path: "again.yaml").yaml == written)
    // It may give a characteristic without any properties.
    let useless = try GATTCache(text: "[Attributes]\n0002=2803:0007:00:2a19\n", path: "00:11:22:33:44:55/attributes").yaml
    #expect(useless.contains("declaration: 0x0002"))
    #expect(try GATTCache(text: useless, path: "again.yaml").yaml == useless)
    // The value's handle may be that of a service, too.
    let shared = try GATTCache(text: "[Attributes]\n0003=2800:0009:180f\n0002=2803:0003:12:2a19\n", path: "00:11:22:33:44:55/attributes")
      .yaml
    #expect(try GATTCache(text: shared, path: "again.yaml").yaml == shared)
  }

  /// A device's name is escaped so that YAML accepts it and all of it is visible.
  @Test func namesThatYAMLDoesNotTake() throws {
    let name = "a\u{85}\u{202E}\u{FFFE}\u{FFFF}\u{AD}\u{E0001}b\u{1F600}"
    let escaped = #""a\u0085\u202e\ufffe\uffff\u00ad\U000e0001b"# + "\u{1F600}\""
    let written = "- address: c0:ff:ee:00:00:01\n  name: \(escaped)\n  characteristics: {0x0019: 2a19}\n"
    let map = try GATTCache(text: written, path: "map.yaml")
    #expect(map.devices.first.map { String(decoding: $0.name, as: UTF8.self) } == name)
    #expect(map.yaml.contains("name: \(escaped)\n"), "\(map.yaml)")
  }

  @Test func byAddress() throws {
    var scene = Scene()
    scene.connect(0xc0ff_ee00_0001)
    let own = scene.receive([0x1B, 0x19, 0, 80])
    scene.handle = 0x41
    scene.connect(0xc0ff_ee00_0002)
    let other = scene.receive([0x1B, 0x19, 0, 80])
    let collector = try played(scene, Self.byHand)
    #expect(uuid(collector, own) == ("2a19", .cache))
    #expect(uuid(collector, other) == ("", .none))
  }

  @Test func byNameAsSoonAsItIsHeard() throws {
    var scene = Scene()
    let name: [UInt8] = [6, 9] + Array("Lamp7".utf8)
    scene.event(0x3E, [2, 1, 0, 1] + scene.octets(0xc0ff_ee00_0009) + [UInt8(name.count)] + name + [0xC8])
    scene.connect(0xc0ff_ee00_0009, type: 1)
    let write = scene.send([0x52, 0x25, 0, 1])
    let subscription = scene.send([0x12, 0x29, 0, 1, 0])
    let collector = try played(scene, Self.byHand)
    #expect(uuid(collector, write) == ("ffe9", .cache))
    #expect(collector.rows[subscription]?.meaning == .subscribe)
    #expect(collector.rows[subscription]?.uuidSource == .cache)
  }

  @Test func aDiscoveryIsBetterKnown() throws {
    var scene = Scene()
    scene.connect(0xc0ff_ee00_0001)
    scene.discover(0x2A37, at: 0x19)
    let value = scene.receive([0x1B, 0x19, 0, 80])
    #expect(uuid(try played(scene, Self.byHand), value) == ("2a37", .discovery))
  }

  @Test func aServiceChangeDropsIt() throws {
    var scene = Scene()
    scene.connect(0xc0ff_ee00_0001)
    scene.discover(0x2A05, at: 0x08, service: 0x1801, properties: 0x20)
    scene.receive([0x1D, 0x08, 0, 0x10, 0, 0xFF, 0xFF])
    let value = scene.receive([0x1B, 0x19, 0, 80])
    #expect(uuid(try played(scene, Self.byHand), value) == ("", .none))
  }

  @Test func aConnectionFromItsMiddle() throws {
    let map = "- connection: 0x0040\n  characteristics: {0x0019: 2a19}\n"
    var scene = Scene()
    let early = scene.receive([0x1B, 0x19, 0, 80])
    scene.disconnect()
    // The next device with that handle is another one.
    scene.connect(0xc0ff_ee00_0002)
    let late = scene.receive([0x1B, 0x19, 0, 80])
    let collector = try played(scene, map)
    #expect(uuid(collector, early) == ("2a19", .cache))
    #expect(uuid(collector, late) == ("", .none))
  }

  @Test func writtenAndReadAgain() throws {
    for sample in ["gopro.btsnoop", "heart-rate.btsnoop", "typed-object.pcapng", "two-cameras.btsnoop"] {
      let collector = Collector()
      let source = try CaptureFile.open("\(Package.root)/Samples/\(sample)")
      _ = try Timeline(source).run(CaptureFacts(name: sample, title: source.title), to: collector)
      let map = GATTCache(collector.outcome.tables)
      #expect(!map.devices.isEmpty)
      let again = try GATTCache(text: map.yaml, path: "again.yaml")
      #expect(again.yaml == map.yaml)
      #expect(again.devices.map(\.entries) == map.devices.map(\.entries), "\(sample)")
    }
  }

  /// Many captures do not number their adapters: the table of the host has no number, and is that of the host of such a capture.
  @Test func theHostOfACaptureWithoutNumbersOfAdapters() throws {
    var scene = Scene()
    scene.adapter = Adapter.unnumbered
    scene.connect()
    // The peer discovers a characteristic of this host.
    scene.receive([0x08, 1, 0, 0xFF, 0xFF, 0x03, 0x28])
    scene.send([0x09, 7, 0x18, 0, 0x02, 0x19, 0, 0x19, 0x2A])
    let collector = Collector()
    _ = try Timeline(SceneSource(scene)).run(CaptureFacts(name: "scene", title: "scene"), to: collector)
    let yaml = GATTCache(collector.outcome.tables).yaml
    #expect(yaml.contains("  - host: this\n") && !yaml.contains("hci"), "\(yaml)")
    let again = try GATTCache(text: yaml, path: "again.yaml")
    #expect(again.devices.map(\.adapter) == [Adapter.unnumbered] && again.yaml == yaml)
    // With the table, a read by handle has its UUID.
    var later = Scene()
    later.adapter = Adapter.unnumbered
    later.connect()
    let read = later.receive([0x0A, 0x19, 0])
    #expect(uuid(try played(later, yaml), read) == ("2a19", .cache))
    let number = try GATTCache(text: "- host: hci1\n  characteristics: {0x0019: 2a19}\n", path: "map.yaml").devices.first?.adapter
    #expect(number == 1)
  }

  @Test func namesOfAllKindsSurvive() throws {
    var device = GATTCache.Device()
    device.name = Array("a \"b\" \\ \u{1b}[31m\n{x: y} # ü 🎥".utf8)
    device.entries = [GATTCache.Entry(handle: 0x19, kind: .value, uuid: BluetoothUUID(0x2A19 as UInt16))]
    var map = GATTCache()
    map.devices = [device]
    #expect(try GATTCache(text: map.yaml, path: "x.yaml").devices.first?.name == device.name)
  }

  // MARK: BlueZ

  @Test func theCacheOfBlueZ() throws {
    let text = """
      [General]
      Name=Lamp 7

      [Attributes]
      0001=2800:0005:00001800-0000-1000-8000-00805f9b34fb
      0002=2803:0003:02:00002a00-0000-1000-8000-00805f9b34fb
      0006=2800:000d:00001801-0000-1000-8000-00805f9b34fb
      0007=2803:0008:20:00002a05-0000-1000-8000-00805f9b34fb
      0009=00002902-0000-1000-8000-00805f9b34fb
      000c=2803:000d:02:9a7e7a4c25b2c0d7e3a5b1c2d3e4f506:00002b2a-0000-1000-8000-00805f9b34fb
      000e=2802:0001:0005:00001800-0000-1000-8000-00805f9b34fb
      """
    let map = try GATTCache(text: text, path: "/var/lib/bluetooth/00:1A:7D:DA:71:13/cache/C0:FF:EE:00:00:01")
    let device = try #require(map.devices.first)
    #expect(device.address == 0xc0ff_ee00_0001)
    #expect(device.entries.map(\.handle) == [1, 2, 3, 6, 7, 8, 9, 12, 13, 14])
    #expect(
      device.entries.map(\.kind) == [
        .service, .declaration, .value, .service, .declaration, .value, .descriptor, .declaration, .value, .include,
      ])
    #expect(device.entries.first { $0.handle == 8 }?.properties == 0x20)
    #expect(device.entries.first { $0.handle == 13 }?.uuid == BluetoothUUID(0x2B2A as UInt16))
  }

  @Test func theOlderAttributesOfBlueZ() throws {
    let text =
      "[1]\nUUID=00002800-0000-1000-8000-00805f9b34fb\nValue=1800\nEndGroupHandle=11\n\n[16]\n"
      + "UUID=00002800-0000-1000-8000-00805f9b34fb\nValue=6E400001B5A3F393E0A9E50E24DCCA9E\nEndGroupHandle=65535\n"
    let map = try GATTCache(text: text, path: "/var/lib/bluetooth/00:1A:7D:DA:71:13/C0:FF:EE:00:00:01/attributes")
    #expect(map.devices.first?.address == 0xc0ff_ee00_0001)
    #expect(map.devices.first?.entries.map(\.related) == [11, 65535])
    #expect(map.devices.first?.entries.last?.uuid == BluetoothUUID("6e400001-b5a3-f393-e0a9-e50e24dcca9e"))
  }

  // MARK: Mistakes are reported with their position

  @Test(arguments: [
    ("- adress: c0:ff:ee:00:00:01\n", "m.yaml:1:3: unknown key \"adress\" in a device"),
    ("- address: c0:ff:ee\n", "m.yaml:1:12: not an address"),
    ("- name: x\n  characteristics:\n    0x0019: 2a1\n", "m.yaml:3:13: not a UUID"),
    ("- name: x\n  characteristics:\n    zero: 2a19\n", "m.yaml:3:5: not a handle"),
    ("- name: x\n  characteristics: {0x19: {uuid: 2a19, properties: loud}}\n", "m.yaml:2:52: no property \"loud\""),
    ("- characteristics: {0x19: 2a19}\n", "m.yaml:1:3: whose attributes are these"),
    ("- name: [\n", "m.yaml:2:1:"),
    ("", "m.yaml: the file is empty"),
    ("[Attributes]\n0001=2800:0005:1800\n", "m.yaml: whose attributes?"),
    ("[Attributes]\nnonsense\n", "m.yaml:2:1: neither"),
    ("[Attributes]\n0001=28:zz\n", "m.yaml:2:1: not an attribute"),
  ])
  func mistakes(text: String, begins: String) {
    do {
      _ = try GATTCache(text: text, path: "m.yaml")
      Issue.record("read: \(text)")
    } catch {
      #expect(error.description.hasPrefix(begins), "\(error.description)")
    }
  }
}
