import Captures
import Foundation
import Keys
import Profiles
import Redaction
import TestSupport
import Testing

/// A redacted capture has none of the keys that `btscribe keys` lists for the original.
@Suite struct KeyRedactionTests {
  static let samples: [String] = {
    let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
      .appendingPathComponent("Samples").path
    let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
    return names.filter { $0.hasSuffix(".btsnoop") || $0.hasSuffix(".pcapng") || $0.hasSuffix(".pklg") }.sorted().map { "\(folder)/\($0)" }
  }()

  /// The keys in a capture, including those that `--crack`, or a key in the file name (`…ltk-HEX.pcap`), makes available.
  private static func keys(_ path: String, given: KeyRing = KeyRing()) throws -> [Key] {
    let source = DecryptingSource(try CaptureFile.open(path), LinkLayerDecryptor(given, cracks: true))
    var host = HostKeys(file: "")
    let batch = PacketBatch()
    while try source.read(batch) {
      for record in batch.records { host.take(record, RawSpan(_unsafeBytes: batch.payload(record))) }
    }
    var ring = source.decryptor.ring
    ring.add(host.ring)
    return ring.keys.map(\.key)
  }

  /// The keys of a capture that are known from other sources.
  private static func given(_ path: String) throws -> KeyRing {
    var ring = KeyRing()
    if let name = path.range(of: "ltk-"), case let digits = path[name.upperBound...].prefix(32), digits.count == 32 {
      ring.add(KnownKey(try Key(text: "ltk=\(digits)"), origin: "name", mayBeReversed: true))
    }
    if path.hasSuffix("both-air.pcapng") {
      for key in try keys(path.replacingOccurrences(of: "air.pcapng", with: "phone.btsnoop")) { ring.add(KnownKey(key, origin: "log")) }
    }
    return ring
  }

  private static func check(_ path: String) throws -> Int {
    let given = try given(path)
    let known = try keys(path, given: given)
    guard !known.isEmpty else { return 0 }
    var options = Redaction.Options()
    options.profiles = try ProfileSet()
    let redacted = try Redacted(path, CaptureTarget(try CaptureFile.open(path).format), "capture", options: options)
    let left = Set(try keys(redacted.file.path).map(\.bytes))
    let bytes = Data(redacted.file.bytes)
    // The debug private key is public.
    for key in known {
      #expect(!left.contains(key.bytes), "\(key.kind.rawValue) is still listed")
      #expect(bytes.range(of: Data(key.bytes)) == nil, "\(key.kind.rawValue) is still there")
      #expect(bytes.range(of: Data(key.bytes.reversed())) == nil, "\(key.kind.rawValue) is still there")
    }
    return known.count
  }

  @Test func removesTheKeysOfSamples() throws {
    var found = 0
    for path in Self.samples where (try? CaptureFile.open(path)) != nil { found += (try? Self.check(path)) ?? 0 }
    #expect(found >= 12, "the samples have keys of several pairings")
  }

  /// The captures with keys, of any size.
  private static let captures = SharedFolder.captures.filter { (try? keys($0, given: given($0)))?.isEmpty == false }

  @Test(.enabled(if: !SharedFolder.captures.isEmpty, "no shared captures"), arguments: captures)
  func removesTheKeysOfCaptures(_ path: String) throws { _ = try Self.check(path) }

  /// Every field that `keys` searches, each with another key.
  @Test func removesEveryKindOfKey() throws {
    var chance = SplitMix(state: testSeed)
    var planted: [[UInt8]] = []
    func random(_ count: Int) -> [UInt8] { (0..<count).map { _ in UInt8.random(in: 1...255, using: &chance) } }
    func key() -> [UInt8] {
      planted.append(random(16))
      return planted[planted.count - 1]
    }
    let peer: [UInt8] = [0x01, 0, 0, 0xEE, 0xFF, 0xC0]
    func command(_ code: UInt16, _ body: [UInt8]) -> (UInt32, [UInt8]) {
      (2, [UInt8(code & 0xFF), UInt8(code >> 8), UInt8(body.count)] + body)
    }
    func event(_ code: UInt8, _ body: [UInt8]) -> (UInt32, [UInt8]) { (3, [code, UInt8(body.count)] + body) }
    func security(_ pdu: [UInt8]) -> (UInt32, [UInt8]) {
      (5, [0x40, 0x20, UInt8(pdu.count + 4), 0, UInt8(pdu.count), 0, 6, 0] + pdu)
    }
    func management(_ isEvent: Bool, _ code: UInt8, _ body: [UInt8]) -> (UInt32, [UInt8]) {
      (isEvent ? 17 : 16, [1, 0, 0, 0, code, 0] + body)
    }
    let handle: [UInt8] = [0x40, 0]
    let packets: [(UInt32, [UInt8])] = [
      event(0x3E, [0x01, 0] + handle + [0, 1] + peer + [24, 0, 0, 0, 200, 0, 0]),
      command(0x2019, handle + random(10) + key()),
      command(0x201A, handle + key()),
      command(0x040B, peer + key()),
      command(0x2027, [0] + peer + key() + random(16)),
      command(0x2068, [0, 0, 1, 0x10, 0x27, 0, 100, 0, 10, 0, 2, 1, 0, 0, 1] + key()),
      command(0x206B, [0, 1, 0, 1] + key() + [0, 100, 0, 1, 1]),
      event(0x18, peer + key() + [4]),
      event(0x15, [1] + peer + key()),
      security([0x06] + key()), security([0x07] + random(10)),
      security([0x08] + key()), security([0x09, 0] + peer),
      security([0x0A] + key()),
      management(true, 0x09, [1] + peer + [0, 4] + key() + [0]),
      management(true, 0x0A, [1] + peer + [1, 0, 1, 16] + random(10) + key()),
      management(true, 0x18, [1] + peer + peer + [1] + key()),
      management(true, 0x19, [1] + peer + [1, 0] + key()),
      management(false, 0x12, [0, 1, 0] + peer + [0, 4] + key() + [0]),
      management(false, 0x13, [1, 0] + peer + [1, 0, 1, 16] + random(10) + key()),
      management(false, 0x30, [1, 0] + peer + [1] + key()),
    ]
    var bytes = Array("btsnoop\0".utf8) + [0, 0, 0, 1, 0, 0, 0x07, 0xD1]
    func big(_ value: UInt64, _ count: Int) -> [UInt8] {
      (0..<count).map { UInt8(truncatingIfNeeded: value >> UInt64(8 * (count - 1 - $0))) }
    }
    for (number, (opcode, packet)) in packets.enumerated() {
      bytes += big(UInt64(packet.count), 4) + big(UInt64(packet.count), 4) + big(UInt64(opcode), 4) + big(0, 4)
      bytes += big(0x00E0_3AB4_4A67_6000 + UInt64(number) * 1000, 8) + packet
    }
    let file = TemporaryFile("btsnoop")
    try Data(bytes).write(to: URL(fileURLWithPath: file.path))
    let known = try Self.keys(file.path)
    for key in planted { #expect(known.contains { $0.bytes == key.reversed() }, "a key is not listed") }
    #expect(try Self.check(file.path) >= planted.count)
  }
}
