import Bluetooth
import CaptureScenes
import Captures
import Foundation
import Memory
@testable import Redaction
import Testing

/// Checksums over replaced bytes: each is recomputed or replaced.
@Suite struct CheckSecretTests {
  /// A packet that `convert --decrypt` wrote has a CRC over the decrypted PDU.
  @Test func theCRCOfADecryptedPacket() {
    let access: [UInt8] = [0x33, 0x5D, 0x65, 0x50]
    let old: [UInt8] = [0x02, 9, 5, 0, 4, 0, 0x1B, 0x21, 0, 0x47, 0x11]
    let new: [UInt8] = [0x02, 9, 5, 0, 4, 0, 0x1B, 0x21, 0, 0x91, 0x7C]
    func crc(_ pdu: [UInt8]) -> [UInt8] {
      let value = pdu.withUnsafeBytes { LinkLayer.crc(RawSpan(_unsafeBytes: $0), in: 0..<$0.count, initial: 0x17B74C) }
      return (0..<3).map { UInt8(truncatingIfNeeded: value >> UInt32(8 * $0)) }
    }
    var record = PacketRecord()
    record.kind = .linkLayer
    record.radio.flags = RadioInfo.Flag.hasCRC | RadioInfo.Flag.decrypted
    let original = access + old + crc(old)
    record.captured = original.count
    record.original = original.count
    var checks = LinkLayerChecks()
    func take(_ packet: [UInt8]) { packet.withUnsafeBytes { checks.take(record, BorrowedBytes($0)) } }
    func repaired(_ original: [UInt8]) -> [UInt8] {
      var bytes = access + new + original.suffix(3)
      ChecksumRepair.repair(&bytes, record, original, checks)
      return bytes
    }
    // A packet and its retransmission prove nothing: the CRC may be any bytes.
    take(original)
    take(original)
    #expect(repaired(original) == access + new + [0, 0, 0])
    let empty: [UInt8] = [0x09, 0]
    take(access + empty + crc(empty))
    #expect(repaired(original) == access + new + crc(new))
    #expect(repaired(access + old + [0xFF, 0xFF, 0xFF]) == access + new + [0, 0, 0])
  }

  /// Bytes in place of a CRC reveal no bit of the PDU before them.
  @Test(arguments: [251, 256], [false, true]) func aConstantInPlaceOfACRC(linkType: Int, isAlone: Bool) throws {
    var radio = RadioInfo()
    radio.flags = RadioInfo.Flag.hasCRC
    let secrets = isAlone ? ["482913"] : ["482913", "771508", "771508"]
    var ends: [[UInt8]] = []
    for fill in [0xFF, 0x5A] as [UInt8] {
      var scene = Scene()
      for (number, secret) in secrets.enumerated() {
        let value = Array(secret.utf8)
        let pdu: [UInt8] = [0x02 | UInt8(number & 1) << 3, 13, 9, 0, 4, 0, 0x12, 0x21, 0] + value
        scene.packet(.linkLayer, .central, [0x3C, 0x6A, 0x65, 0x50] + pdu + [fill, fill, fill], radio: radio)
      }
      let (original, redacted) = try Redacted.scene(scene, CaptureTarget(.pcap, linkType: linkType))
      #expect(try Shape.of(original.path) == Shape.of(redacted.file.path))
      #expect(try redacted.check().isEmpty)
      ends.append(Array(redacted.file.bytes.suffix(3)))
    }
    #expect(ends == [[0, 0, 0], [0, 0, 0]], "\(ends)")
  }

  /// Connections with and without a captured CONNECT_IND: right CRCs over replaced bytes are right again, wrong ones stay wrong.
  @Test(arguments: [251, 256], [false, true]) func theCRCsOfAConnection(linkType: Int, wasHeard: Bool) throws {
    let initial: UInt32 = 0x17B74C
    let access: UInt32 = 0x5065_6A3C
    var radio = RadioInfo()
    radio.flags = RadioInfo.Flag.hasCRC
    func crc(_ pdu: [UInt8], _ initial: UInt32) -> [UInt8] {
      let value = pdu.withUnsafeBytes { LinkLayer.crc(RawSpan(_unsafeBytes: $0), in: 0..<$0.count, initial: initial) }
      return (0..<3).map { UInt8(truncatingIfNeeded: value >> UInt32(8 * $0)) }
    }
    var scene = Scene()
    let octets = (0..<4).map { UInt8(truncatingIfNeeded: access >> UInt32(8 * $0)) }
    if wasHeard {
      var request: [UInt8] = [0xC5, 34] + scene.octets(0xC0FF_EE00_0002) + scene.octets(0xC0FF_EE00_0001) + octets
      request += [0x4C, 0xB7, 0x17, 3, 0, 0, 24, 0, 0, 0, 42, 0, 0xFF, 0xFF, 0xFF, 0xFF, 0x1F, 5]
      scene.packet(.linkLayer, .unknown, [0xD6, 0xBE, 0x89, 0x8E] + request + crc(request, 0x555555), radio: radio)
    }
    for (number, secret) in ["482913", "771508"].enumerated() where number == 0 || !wasHeard {
      let pdu: [UInt8] = [0x02 | UInt8(number & 1) << 3, 13, 9, 0, 4, 0, 0x12, 0x21, 0] + Array(secret.utf8)
      scene.packet(.linkLayer, .central, octets + pdu + crc(pdu, initial), radio: radio)
    }
    let (original, redacted) = try Redacted.scene(scene, CaptureTarget(.pcap, linkType: linkType))
    #expect(try Shape.of(original.path) == Shape.of(redacted.file.path))
    #expect(try redacted.check().isEmpty)
    let new = Array(redacted.file.bytes.suffix(18))
    #expect(Array(new.suffix(3)) == crc(Array(new.prefix(15)), initial) && !contains(Array("771508".utf8), in: new), "\(new)")
  }

  /// A BR/EDR packet: its CRC and its HEC are initialised with a part of the address.
  @Test func theChecksOfABasebandPacket() throws {
    let upper: UInt8 = 0x5A
    // A DM1 packet with the start of an L2CAP PDU.
    let body: [UInt8] = [6, 0, 0x40, 0] + Array("Anna!!".utf8)
    let payload = [UInt8(2 | 1 << 2 | body.count << 3)] + body
    let crc = payload.withUnsafeBytes { Baseband.crc(RawSpan(_unsafeBytes: $0), in: 0..<$0.count, upper: upper) }
    let header: UInt32 = 3 << 3 | 0x9D << 10
    var bytes: [UInt8] = [10, 0xC0, 0x80, 0, 0, 0, 0, 0, 0x56, 0x34, 0x12, 0, 0x56, 0x34, 0x12, upper]
    bytes += (0..<4).map { UInt8(truncatingIfNeeded: header >> UInt32(8 * $0)) } + [0xE1, 0x00] + payload
    bytes += [UInt8(crc & 0xFF), UInt8(crc >> 8)]
    let file = TemporaryFile("pcap")
    let target = CaptureTarget(.pcap, linkType: 255)
    let head: [UInt8] = [0xD4, 0xC3, 0xB2, 0xA1, 2, 0, 4, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 4, 0, 255, 0, 0, 0]
    let size: [UInt8] = [UInt8(bytes.count), 0, 0, 0]
    try Data(head + [1, 0, 0, 0, 0, 0, 0, 0] + size + size + bytes).write(to: URL(fileURLWithPath: file.path))
    #expect(Array(file.bytes.suffix(bytes.count)) == bytes)
    let redacted = try Redacted(file.path, target, "pcap")
    let new = Array(redacted.file.bytes.suffix(bytes.count))
    #expect(new[8..<16].allSatisfy { $0 == 0 } && new[17] & 0xFC == 0 && new[18] & 3 == 0 && new[16] == bytes[16])
    let end = new.count - 2
    let made = new.withUnsafeBytes { Baseband.crc(RawSpan(_unsafeBytes: $0), in: 22..<end, upper: 0) }
    #expect(Array(new[end...]) == [UInt8(made & 0xFF), UInt8(made >> 8)] && Array(new[27..<33]) != Array(bytes[27..<33]))
    #expect(try Shape.of(file.path) == Shape.of(redacted.file.path))
    #expect(try redacted.check().isEmpty)
  }

  /// The frame check sequence of a frame in several packets, right or wrong.
  @Test(arguments: [false, true]) func theCheckOfAFrameInPieces(isSpoiled: Bool) throws {
    var scene = Scene()
    scene.sequencedChannel()
    let secret = Array("PIN is 471155 and Hugo Me".utf8)
    func frame(_ body: [UInt8]) -> [UInt8] { scene.little(UInt16(body.count + 2)) + scene.little(0x40) + body }
    let body: [UInt8] = [0, 0] + secret
    let check = ChecksumRepair.check(frame(body)) ^ (isSpoiled ? 0x0110 : 0)
    scene.pdu(.received, 0x40, body + scene.little(check), size: 11)
    let target = CaptureTarget(.btsnoop, linkType: 1002)
    let (original, redacted) = try Redacted.scene(scene, target)
    let count = frame(body).count + 2
    func joined(_ bytes: [UInt8]) -> [UInt8] {
      // Each piece is behind the headers of its record and its packet.
      var left = count
      var pieces: [[UInt8]] = []
      var end = bytes.count
      var sizes: [Int] = []
      while left > 0 {
        sizes.append(min(11, left))
        left -= min(11, left)
      }
      for size in sizes.reversed() {
        pieces.insert(Array(bytes[end - size..<end]), at: 0)
        end -= size + 5 + 24
      }
      return Array(pieces.joined())
    }
    let (old, new) = (joined(original.bytes), joined(redacted.file.bytes))
    #expect(old == frame(body) + scene.little(check))
    #expect(!contains(Array("4711".utf8), in: new) && !contains(Array("Hugo".utf8), in: new))
    // The difference from the right check would reveal something about the bytes before it.
    let made = ChecksumRepair.check(new.dropLast(2)) ^ (isSpoiled ? 0xFFFF : 0)
    #expect(Array(new.suffix(2)) == scene.little(made) && new.suffix(2) != old.suffix(2))
    #expect(try Shape.of(original.path) == Shape.of(redacted.file.path))
    #expect(try redacted.check().isEmpty)
  }

  /// Checksums of IP and TCP over replaced bytes.
  @Test func theChecksOfInternetPackets() throws {
    var scene = Scene()
    scene.event(0x03, [0] + scene.little(0x40) + scene.octets(0x0013_efa0_0910) + [1, 0])
    scene.pdu(.sent, 1, [0x02, 1, 4, 0, 0x0F, 0, 0x40, 0])
    scene.pdu(.received, 1, [0x03, 1, 8, 0, 0x50, 0, 0x40, 0, 0, 0, 0, 0])
    let sums: [[UInt8]] = [[0x4A, 0x5B], [0x6C, 0x7D]]
    let ip: [UInt8] = [0x45, 0, 0, 48, 0x12, 0x34, 0, 0, 0x40, 6] + sums[0] + [0xC0, 0xA8, 0x2B, 0x75, 8, 8, 4, 4]
    let tcp: [UInt8] = [0x87, 0x50, 0, 0x50, 0, 0, 0, 1, 0, 0, 0, 2, 0x50, 0x18, 0x20, 0] + sums[1] + [0, 0]
    // A compressed packet of IPv4.
    scene.pdu(.sent, 0x50, [2, 8, 0] + ip + tcp + Array("pin=4711".utf8))
    let target = CaptureTarget(.btsnoop, linkType: 1002)
    let (original, redacted) = try Redacted.scene(scene, target)
    for sum in sums {
      let wasThere = contains(sum, in: original.bytes)
      let isLeft = contains(sum, in: redacted.file.bytes)
      #expect(wasThere && !isLeft)
    }
    #expect(try redacted.check().isEmpty)
  }
}
