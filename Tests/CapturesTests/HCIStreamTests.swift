import Testing

@testable import Captures

/// HCI packets without a container.
@Suite struct HCIStreamTests {
  /// Reset and its answer (Core, Vol 4, Part E, 7.3.2), Read BD_ADDR and its answer, data of a connection, isochronous and voice data.
  private static let packets: [[UInt8]] = [
    [1, 0x03, 0x0C, 0], [4, 0x0E, 4, 1, 0x03, 0x0C, 0], [1, 0x09, 0x10, 0], [4, 0x0E, 10, 1, 0x09, 0x10, 0, 1, 0, 0x53, 0, 0x5E, 0],
    [2, 0x40, 0x20, 7, 0, 3, 0, 4, 0, 0x0A, 3, 0], [5, 0x60, 0x20, 2, 0, 1, 2], [3, 0x41, 0, 3, 7, 8, 9],
  ]

  private func read(_ bytes: [UInt8]) throws -> [PacketRecord] {
    let source = try CaptureFile.open(bytes: bytes, name: "stream")
    #expect(source.title == "H4 without a container")
    let batch = PacketBatch()
    var records: [PacketRecord] = []
    while try source.read(batch) { records += Array(batch.records) }
    return records
  }

  @Test func packetsFollowEachOther() throws {
    let records = try read(Array(Self.packets.joined()))
    #expect(records.map(\.kind) == [.command, .event, .command, .event, .acl, .iso, .sco])
    #expect(records.map(\.captured) == Self.packets.map(\.count))
    #expect(records.prefix(5).map(\.direction) == [.sent, .received, .sent, .received, .unknown])
    #expect(records.map(\.frame) == Array(1...7))
  }

  /// A stream whose last packet is truncated gives the packets before it.
  @Test func theEndMayBeMissing() throws {
    let whole = Array(Self.packets.joined())
    let records = try read(Array(whole.dropLast(2)))
    #expect(records.count >= 6)
    #expect(records.prefix(6).map(\.captured) == Self.packets.prefix(6).map(\.count))
  }

  /// Bytes that only begin like packets are rejected: too few, an unknown opcode group, other bytes behind the first packets.
  @Test(
    arguments: [
      [1, 0x03, 0x0C, 0, 4, 0x0E, 4, 1, 0x03, 0x0C, 0, 1, 0x09, 0x10, 0], [UInt8](repeating: 1, count: 64), [UInt8](repeating: 4, count: 3),
      [1, 0x03, 0x0C, 0, 4, 0x0E, 4, 1, 0x03, 0x0C, 0] + Array("this is a text".utf8), [],
    ] as [[UInt8]])
  func othersAreNoStream(_ bytes: [UInt8]) {
    #expect(!HCIStreamReader.isStream(bytes))
  }
}
