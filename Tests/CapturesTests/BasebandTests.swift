import Foundation
import PacketCodecs
import Testing

@testable import Captures

/// BR/EDR packets on the air: which limits of the capture are reported.
@Suite struct BasebandTests {
  /// Packets of link type 255, with the payloads as they are given.
  private static func limits(_ packets: [(address: UInt32, upper: UInt8, flags: UInt16, payload: [UInt8])]) throws -> [CaptureLimit] {
    func little(_ value: UInt32, _ count: Int) -> [UInt8] { (0..<count).map { UInt8(truncatingIfNeeded: value >> UInt32(8 * $0)) } }
    var bytes: [UInt8] = [0xD4, 0xC3, 0xB2, 0xA1, 2, 0, 4, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xFF, 0xFF, 0, 0, 255, 0, 0, 0]
    for (number, packet) in packets.enumerated() {
      let header =
        [10, 0xC4, 0x80, 0, 1, 0, 0, 0] + little(packet.address, 4) + little(packet.address | UInt32(packet.upper) << 24, 4)
        + little(0x19, 4) + little(UInt32(packet.flags), 2)
      let all = header + packet.payload
      bytes += little(1_700_000_000, 4) + little(UInt32(number) * 1250, 4)
      bytes += little(UInt32(all.count), 4) + little(UInt32(all.count), 4) + all
    }
    let path = FileManager.default.temporaryDirectory.path + "/btscribe-\(UUID().uuidString).pcap"
    try Data(bytes).write(to: URL(fileURLWithPath: path))
    defer { try? FileManager.default.removeItem(atPath: path) }
    let source = try CaptureFile.open(path)
    let batch = PacketBatch()
    while try source.read(batch) {}
    return source.limits
  }

  /// LMP_start_encryption_req: a payload header, the opcode, EN_RAND, the CRC.
  private static func start(upper: UInt8, transaction: UInt8 = 0) -> [UInt8] {
    let head: [UInt8] = [3 | 1 << 2 | 17 << 3, 17 << 1 | transaction]
    let payload: [UInt8] = head + (0..<16).map { UInt8($0) }
    let check = BasebandLimits.check(upper).value(of: payload.span.bytes)
    return payload + [UInt8(truncatingIfNeeded: check), UInt8(truncatingIfNeeded: check >> 8)]
  }

  /// The specification's sample data: Core, Vol 2, Part G, 5, with the UAP 47.
  @Test func checksAsTheSpecification() {
    let payload: [UInt8] = [0x4E, 1, 2, 3, 4, 5, 6, 7, 8, 9]
    #expect(BasebandLimits.check(0x47).value(of: payload.span.bytes) == 0xD26D)
  }

  @Test func saysWhichConnectionsAreEncrypted() throws {
    let open: [UInt8] = [0x0B, 1, 2, 3]
    let limits = try Self.limits([
      (0x9E8B33, 0x47, 0x0021, open), (0x9E8B33, 0x47, 0x0021, Self.start(upper: 0x47)),
      (0x9E8B33, 0x47, 0x0021, Self.start(upper: 0x47, transaction: 1)), (0x01, 0x12, 0x0021, Self.start(upper: 0x12)),
      // The CRC is wrong for another UAP; packets that were decrypted before are not encrypted.
      (0x777777, 0x12, 0x0021, Self.start(upper: 0x13)), (0x888888, 0x12, 0x0029, Self.start(upper: 0x12)), (0x999999, 0, 0x0021, []),
      // Ubertooth's pcap files do not flag a payload.
      (0xAAAAAA, 0x12, 0x0001, Self.start(upper: 0x12)),
    ])
    #expect(limits.map(\.id) == ["baseband", "baseband-encrypted", "baseband-encrypted", "baseband-encrypted"])
    #expect(limits[0].packets == 8)
    #expect(limits[1].text.hasPrefix("in #2 encryption of the BR/EDR connection with LAP 9e8b33 starts"))
    #expect(limits[2].text.hasPrefix("in #4 encryption of the BR/EDR connection with LAP 000001 starts"))
    #expect(limits[3].text.hasPrefix("in #8 encryption of the BR/EDR connection with LAP aaaaaa starts"))
  }

  @Test func boundsTheReportedProblems() throws {
    let limits = try Self.limits((0..<40).map { (UInt32($0), 0x12, 0x0021, Self.start(upper: 0x12)) })
    #expect(limits.count == BasebandLimits.maxCount + 2)
    #expect(limits.last?.text.contains("24 times more") == true)
  }

  @Test func saysNothingOfOtherCaptures() throws {
    let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    let source = try CaptureFile.open(folder.appendingPathComponent("Samples/both-air.pcapng").path)
    let batch = PacketBatch()
    while try source.read(batch) {}
    #expect(source.limits.isEmpty)
  }
}
