import Bluetooth
import CaptureScenes
import Captures
@testable import Redaction
import Testing
import TestSupport

/// LMP PDUs in diagnostic records of Broadcom controllers: names in parts, keys, addresses.
@Suite struct LinkManagerSecretTests {
  private static let peer: UInt64 = 0x1C5A_6B12_9F37

  /// A record: direction, clock, end of the peer's address, PDU, and leftover bytes of memory behind it.
  private static func record(_ scene: inout Scene, isReceived: Bool, _ pdu: [UInt8], rest: [UInt8] = []) {
    let address = (0..<4).map { UInt8(truncatingIfNeeded: peer >> UInt64(8 * (3 - $0))) }
    var bytes: [UInt8] = [isReceived ? 1 : 0, 0x91, 0x5C, 0xA3, 0x0E] + address
    bytes += [UInt8](repeating: 0x6E, count: isReceived ? 3 : 0) + [0x8F]
    bytes += pdu + [UInt8](repeating: 0, count: max(0, 17 - pdu.count)) + rest
    bytes += [UInt8](repeating: 0xA5, count: max(0, 63 - bytes.count))
    scene.packet(.vendorDiagnostic, isReceived ? .received : .sent, Array(bytes.prefix(63)))
  }

  private struct Collector: FieldVisitor {
    var ranges: [(name: StaticName, range: Range<Int>)] = []
    mutating func field(_ field: Field, _ value: FieldValue, at range: Range<Int>, in bytes: RawSpan) {
      switch value {
      case .text, .wideText, .address: ranges.append((field.name, range))
      case .bytes where range.count > AllowedFields.longest(field.name, isAdvertised: false): ranges.append((field.name, range))
      default: if field.isSecret { ranges.append((field.name, range)) }
      }
    }
  }

  private static func scene() -> (scene: Scene, secrets: [(what: String, bytes: [UInt8])]) {
    var scene = Scene()
    var secrets: [(what: String, bytes: [UInt8])] = [("end of the address", [0x6B, 0x12, 0x9F, 0x37])]
    var random = SplitMix(state: 5)
    func plant() {
      for row in LMP.pdus.rows {
        let opcode: [UInt8] = row.code >= 0x7C00 ? [UInt8(row.code >> 8 & 0xFF) << 1, UInt8(row.code & 0xFF)] : [UInt8(row.code << 1)]
        let body = (0..<17 - opcode.count).map { _ in UInt8.random(in: 0x21...0x7E, using: &random) }
        let whole = opcode + body
        let pdu = Array(whole.prefix(LMP.length(of: whole.span.bytes)))
        record(&scene, isReceived: row.code & 1 == 0, pdu)
        var collector = Collector()
        row.parameters.walk(pdu.span.bytes, in: opcode.count..<pdu.count, allowsSurplus: true, &collector)
        for (name, range) in collector.ranges where range.count >= 4 && range.upperBound <= pdu.count {
          secrets.append(("\(row.code) \(name)", Array(pdu[range])))
        }
      }
    }
    // Before the host has the connection, and during it.
    plant()
    scene.event(3, [0] + scene.little(scene.handle) + scene.octets(peer) + [1, 0])
    plant()
    // A name in parts.
    for (offset, part) in [(0, "Konstantins Ha"), (14, "usboot Ottilie")] {
      record(&scene, isReceived: true, [2 << 1, UInt8(offset), 28] + Array(part.utf8))
      secrets.append(("part of a name", Array(part.utf8)))
    }
    // An unknown PDU, and leftover bytes behind a short one.
    record(&scene, isReceived: true, [0x6E << 1] + Array("for Gottfried".utf8))
    secrets.append(("unknown PDU", Array("for Gottfried".utf8)))
    record(&scene, isReceived: false, [5 << 1], rest: Array("left in memory by Sigrun".utf8))
    secrets.append(("memory", Array("by Sigrun".utf8)))
    // A packet with the type of the ESP32 sniffer that is none of its packets.
    scene.packet(.unknownH4, .received, [9, 1] + Array("ESP thirty-two of Olga".utf8))
    secrets.append(("another packet of type 9", Array("ESP thirty".utf8)))
    return (scene, secrets)
  }

  @Test(arguments: [CaptureTarget(.btsnoop, linkType: 1002), CaptureTarget(.pcapng, linkType: 254)])
  func nothingOfDiagnosticRecordsIsLeft(_ target: CaptureTarget) throws {
    let (scene, secrets) = Self.scene()
    let (original, redacted) = try Redacted.scene(scene, target)
    let (before, after) = (original.bytes, redacted.file.bytes)
    var count = 0
    for (what, secret) in secrets where contains(secret, in: before) {
      count += 1
      let left = traces(of: secret, in: after)
      #expect(left.isEmpty, "\(what): \(left)")
    }
    #expect(count >= 30, "\(count)")
    let left = try redacted.check()
    #expect(left.isEmpty, "\(left)")
    // The records decode as before, also after a second redaction, and belong to the same connection.
    let shape = try Shape.of(original.path)
    #expect(shape.count { $0.contains("LMP_") } >= 100)
    for again in [redacted, try Redacted(redacted.file.path, target, "btsnoop")] {
      let lines = try Shape.differences(original.path, again.file.path)
      #expect(lines.isEmpty, "\(lines)")
    }
  }
}
