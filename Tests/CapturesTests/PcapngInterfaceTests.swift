import Foundation
import Testing

@testable import Captures

/// The adapters of packets by their pcapng interface.
struct PcapngInterfaceTests {
  /// A block of a pcapng file.
  private static func block(_ type: UInt32, _ body: [UInt8]) -> [UInt8] {
    var body = body
    while body.count % 4 != 0 { body.append(0) }
    var bytes: [UInt8] = []
    bytes.little32(type)
    bytes.little32(UInt32(body.count + 12))
    bytes += body
    bytes.little32(UInt32(body.count + 12))
    return bytes
  }

  /// A section with an interface for each name, `nil` for none, and an ACL data packet on each.
  private static func section(_ names: [String?], linkType: UInt16) -> [UInt8] {
    var body: [UInt8] = []
    body.little32(0x1A2B_3C4D)
    body.little16(1)
    body.little16(0)
    body += [UInt8](repeating: 0xFF, count: 8)
    var bytes = block(0x0A0D_0D0A, body)
    for name in names {
      body = []
      body.little16(linkType)
      body.little16(0)
      body.little32(0)
      if let name {
        body.little16(2)
        body.little16(UInt16(name.utf8.count))
        body += Array(name.utf8)
        while body.count % 4 != 0 { body.append(0) }
      }
      bytes += block(1, body)
    }
    let packet: [UInt8] = (linkType == 201 ? [0, 0, 0, 0] : []) + [2, 0x40, 0x20, 7, 0, 3, 0, 4, 0, 0x0A, 3, 0]
    for number in names.indices {
      body = []
      for value in [UInt32(number), 0, UInt32(number), UInt32(packet.count), UInt32(packet.count)] { body.little32(value) }
      bytes += block(6, body + packet)
    }
    return bytes
  }

  private static func adapters(_ bytes: [UInt8]) throws -> [UInt16] {
    let source = try CaptureFile.open(bytes: bytes, name: "it")
    let batch = PacketBatch()
    var adapters: [UInt16] = []
    while try source.read(batch) { adapters += batch.records.map(\.adapter) }
    return adapters
  }

  @Test(
    arguments: [
      (["one"], [0xFFFF]),
      (["one", "two", "three"], [0xFFFF, 1, 2]),
      (["hci3", "hci0"], [3, 0]),
      (["one", "hci1", "two"], [0xFFFF, 1, 2]),
      (["one", "two", "hci1"], [0xFFFF, 1, 2]),
      (["one", "one"], [0xFFFF, 0xFFFF]),
      ([nil, nil], [0xFFFF, 1]),
      (["hciuart"], [0xFFFF]),
    ] as [([String?], [UInt16])])
  func interfacesAreAdapters(names: [String?], adapters: [UInt16]) throws {
    for linkType: UInt16 in [187, 201] { #expect(try Self.adapters(Self.section(names, linkType: linkType)) == adapters) }
  }

  /// Concatenated sections of several files of one host have the same adapters.
  @Test func sectionsShareAdapters() throws {
    let section = Self.section(["one", "two"], linkType: 201)
    let other = Self.section(["two", "one"], linkType: 201)
    #expect(try Self.adapters(section + other) == [0xFFFF, 1, 1, 0xFFFF])
    let unnamed = Self.section([nil, nil], linkType: 187)
    #expect(try Self.adapters(unnamed + unnamed) == [0xFFFF, 1, 0xFFFF, 1])
  }

  /// Adapters and interface names are the same after writing and reading.
  @Test func namesOutliveWriting() throws {
    let bytes = Self.section(["one", "two", nil], linkType: 201)
    let path = FileManager.default.temporaryDirectory.path + "/btscribe-\(UUID().uuidString).pcapng"
    defer { try? FileManager.default.removeItem(atPath: path) }
    let source = try CaptureFile.open(bytes: bytes, name: "it")
    let batch = PacketBatch()
    #expect(try source.read(batch))
    let writer = try CaptureWriter(to: path, target: CaptureTarget(.pcapng))
    for index in batch.records.indices { try writer.write(index, of: batch, from: source) }
    try writer.finish()
    let written = try CaptureFile.open(path)
    var adapters: [UInt16] = []
    while try written.read(batch) { adapters += batch.records.map(\.adapter) }
    #expect(adapters == [0xFFFF, 1, 2])
    #expect(written.interfaces.map(\.name) == ["one", "two", "hci2"])
  }

  /// Frames of an interface that is no Bluetooth interface are not decoded, which is reported.
  @Test(arguments: [UInt16(1), 201])
  func otherLinkTypesAreReported(linkType: UInt16) throws {
    let source = try CaptureFile.open(bytes: Self.section(["eth0"], linkType: linkType), name: "it")
    let batch = PacketBatch()
    while try source.read(batch) {}
    #expect(source.limits.map(\.id) == (linkType == 1 ? ["link-type"] : []))
    #expect(source.limits.allSatisfy { $0.packets == 1 && $0.text.contains("link type 1 (Ethernet)") })
  }
}
