import Bluetooth
import Captures
import Foundation
import Testing

@testable import Keys

private func hex(_ text: String) -> [UInt8] { Key.bytes(hexadecimal: text.filter { !$0.isWhitespace }) ?? [] }
private func block(_ text: String) -> Block128 { Block128(hex(text)) ?? .zero }

/// Streams in `Samples/isochronous.pcapng`, encrypted by an independent implementation: Samples/isochronous.py.
@Suite struct IsochronousTests {
  private static let folder = "\(#filePath.components(to: "Tests"))Samples/"

  private func run(_ keys: [String]) throws -> (sessions: [EncryptedSession], plain: [Int: [UInt8]]) {
    var ring = KeyRing()
    for key in keys { ring.add(KnownKey(try Key(text: key), origin: "test", mayBeReversed: true)) }
    let source = try CaptureFile.open(Self.folder + "isochronous.pcapng")
    let decryptor = LinkLayerDecryptor(ring)
    let batch = PacketBatch()
    var plain: [Int: [UInt8]] = [:]
    while try source.read(batch) {
      for index in batch.records.indices {
        var record = batch.records[index]
        let sender = record.direction
        // As written by sniffers whose headers do not distinguish streams.
        record.radio.flags &= ~RadioInfo.Flag.isochronous
        guard decryptor.take(&record, RawSpan(_unsafeBytes: batch.payload(record))) == .decrypted else { continue }
        let access = Self.access(batch.payload(record))
        if let stream = decryptor.sessions.first(where: { $0.accessAddress == access }), stream.kind != .connection {
          #expect(record.radio.flags & RadioInfo.Flag.isochronous != 0, "#\(record.frame)")
          #expect(record.direction == (stream.kind == .broadcastStream ? .unknown : sender), "#\(record.frame)")
        }
        plain[record.frame] = Array(decryptor.packet[6..<(decryptor.packet.count - 3)])
      }
    }
    return (decryptor.sessions, plain)
  }

  private static func access(_ payload: UnsafeRawBufferPointer) -> UInt32 {
    (0..<4).reduce(0) { $0 | UInt32(payload[$1]) << UInt32(8 * $1) }
  }

  private func given() throws -> [String] {
    let text = try String(contentsOfFile: Self.folder + "isochronous.keys", encoding: .utf8)
    return text.split(separator: "\n").map { String($0.prefix { $0 != " " }) }
  }

  /// Core, Vol 3, Part H, appendix D.9 to D.11, and the Broadcast_Code of Vol 3, Part C, 3.2.6.
  @Test func derivesKeysOfGroups() throws {
    let key = block("ec0234a357c8ad05341010a60a397d9b")
    #expect(SecurityFunctions.h6(key, 0x6C65_6272) == block("2d9ae102e76dc91ce8d3a9e280b16399"))
    #expect(SecurityFunctions.h7(block("000000000000000000000000746D7031"), key) == block("fb173597c6a3c0ecd2998c2a75a57011"))
    #expect(SecurityFunctions.h8(key, block("1536d18de3d20df99b7044c12f9ed5ba"), 0xCC03_0148) == block("e5e5bebaae7228e722a38904ed350f6d"))
    #expect(try Key(text: "code=B\u{F8}rne").block == block("00000000000000000000656e72b8c342"))
    #expect(try Key(text: "code=000000006573756f4820656e72b8c342").block == block("000000006573756f4820656e72b8c342"))
    #expect(throws: KeyError.self) { try Key(text: "code=this is much too long for a code") }
    #expect(throws: KeyError.self) { try Key(text: "code=") }
  }

  @Test func opensBroadcastAndStream() throws {
    let (sessions, plain) = try run(given())
    #expect(sessions.filter { $0.kind == .broadcastStream }.map(\.decrypted).reduce(0, +) == 45)
    #expect(sessions.filter { $0.kind == .connectedStream }.map(\.decrypted).reduce(0, +) == 29)
    #expect(sessions.allSatisfy { $0.failed == 0 })
    // A broadcast's payload begins with its stream, event and number; a connected stream's with its sender and event.
    for (frame, bytes) in plain where bytes.count == 26 { #expect(1...2 ~= bytes[0] && bytes[1] < 12 && bytes[2] < 2, "#\(frame)") }
    for (frame, bytes) in plain where bytes.count == 40 { #expect(bytes[0] < 2 && bytes[1] < 16, "#\(frame)") }
    #expect(plain.values.count { $0.count == 26 } == 45)
  }

  @Test func saysWhatIsMissing() throws {
    let (sessions, plain) = try run([])
    #expect(plain.isEmpty)
    #expect(sessions.filter { $0.failed > 0 }.map(\.need) == [.broadcastCode, .broadcastCode, .longTermKey])
    let wrong = try run(["code=Foyer_2", "gsk=000102030405060708090a0b0c0d0e0f"])
    #expect(wrong.plain.isEmpty)
  }

  /// The group's key instead of the Broadcast_Code.
  @Test func takesTheKeyOfTheGroup() throws {
    let source = try CaptureFile.open(Self.folder + "isochronous.pcapng")
    let batch = PacketBatch()
    _ = try source.read(batch)
    let first = try #require(batch.records.first)
    let pdu = Array(batch.payload(first).dropFirst(4))
    let known = BroadcastGroup(advertisement: pdu.span.bytes)
    let group = try #require(known)
    #expect(group.streams == 2)
    #expect(group.burst == 2)
    #expect(group.interval == 10_000)
    #expect(group.counter == 48_120)
    let code = try Key(text: given()[0]).block
    let key = SecurityFunctions.groupSessionKey(code: code, diversifier: group.diversifier)
    let (_, plain) = try run([Key(.groupSession, key).text])
    #expect(plain.count == 45)
  }

  /// A BIGInfo that is truncated anywhere, or has a wrong length, is ignored.
  @Test func readsNoBrokenGroups() throws {
    let source = try CaptureFile.open(Self.folder + "isochronous.pcapng")
    let batch = PacketBatch()
    _ = try source.read(batch)
    let first = try #require(batch.records.first)
    let pdu = Array(batch.payload(first).dropFirst(4))
    for count in 0..<62 {
      let cut = Array(pdu.prefix(count))
      #expect(BroadcastGroup(advertisement: cut.span.bytes) == nil)
    }
    var chance: UInt64 = 88172645463325252
    for _ in 0..<2000 {
      var broken = pdu
      chance ^= chance << 13
      chance ^= chance >> 7
      chance ^= chance << 17
      broken[Int(chance % 62)] ^= UInt8(truncatingIfNeeded: chance >> 32) | 1
      if let group = BroadcastGroup(advertisement: broken.span.bytes) {
        #expect(1...31 ~= group.streams && group.interval > 0 && group.burst > 0)
      }
    }
  }
}

extension String {
  /// The path up to, but without, a folder of this name.
  fileprivate func components(to folder: String) -> String {
    let parts = split(separator: "/", omittingEmptySubsequences: false)
    guard let end = parts.lastIndex(of: Substring(folder)) else { return self }
    return parts[..<end].joined(separator: "/") + "/"
  }
}
