import Bluetooth
import Captures
import PacketCodecs
import Testing

@testable import Keys

private func hex(_ text: String) -> [UInt8] { Key.bytes(hexadecimal: text.filter { !$0.isWhitespace }) ?? [] }

/// Connections in `Samples/encrypted.pcapng`, encrypted by an independent implementation: Samples/sniffer.py.
@Suite struct LinkLayerDecryptorTests {
  private static let sample = "\(#filePath.components(to: "Tests"))Samples/encrypted.pcapng"

  private struct Result {
    var sessions: [EncryptedSession] = []
    var keys: [KnownKey] = []
    /// Frames whose packets were decrypted, with their payloads.
    var plain: [Int: [UInt8]] = [:]
    var hasRightCRCs = true
  }

  private func run(_ keys: [String] = [], cracks: Bool = false, change: (inout PacketRecord) -> Void = { _ in }) throws -> Result {
    var ring = KeyRing()
    for key in keys { ring.add(KnownKey(try Key(text: key), origin: "test", mayBeReversed: true)) }
    let source = try CaptureFile.open(Self.sample)
    let decryptor = LinkLayerDecryptor(ring, cracks: cracks)
    let batch = PacketBatch()
    var result = Result()
    var initials: [UInt32: UInt32] = [:]
    while try source.read(batch) {
      for index in batch.records.indices {
        var record = batch.records[index]
        change(&record)
        let payload = RawSpan(_unsafeBytes: batch.payload(record))
        if let request = LinkLayer.ConnectionRequest(payload, at: 4) { initials[request.accessAddress] = request.crcInit }
        guard decryptor.take(&record, payload) == .decrypted else { continue }
        let packet = decryptor.packet
        result.plain[record.frame] = Array(packet[6..<(packet.count - 3)])
        let access = UInt32(truncatingIfNeeded: packet.span.bytes.integer(0, 4))
        let isRight = LinkLayer.hasRightCRC(packet.span.bytes, in: 4..<packet.count, initial: initials[access] ?? 0)
        if !isRight || Int(packet[5]) != packet.count - 9 { result.hasRightCRCs = false }
      }
    }
    result.sessions = decryptor.sessions
    result.keys = decryptor.ring.keys
    return result
  }

  @Test func withoutKeysItSaysWhatIsNeeded() throws {
    let result = try run()
    #expect(result.plain.isEmpty)
    #expect(result.sessions.map(\.need) == [.crack, .longTermKey, .longTermKey, .longTermKey])
    #expect(result.sessions.allSatisfy { $0.key == nil && $0.failed > 0 })
  }

  @Test func searchesThePasskeyAndUsesTheKeysThatTravel() throws {
    let result = try run(cracks: true)
    #expect(result.keys.map(\.origin) == ["passkey 240981", "Encryption Information", "Identity Information", "Identity Information"])
    #expect(result.sessions.map { $0.key.map { result.keys[$0].key.kind } } == [.shortTerm, .longTerm, .longTerm, nil])
    #expect(result.sessions.map(\.missed) == [2, 0, 0, 0])
    #expect(result.sessions.map(\.failed).dropLast() == [0, 0, 0])
    #expect(result.sessions.last?.need == .longTermKey)
    #expect(result.hasRightCRCs)
    // A write, and its retransmission.
    let writes = result.plain.filter { $0.value == [4, 0, 4, 0, 0x52, 0x0C, 0, 1] }
    #expect(writes.count == 2)
    #expect(result.plain.values.contains([4, 0, 4, 0, 0x1B, 0x0F, 0, 95]))
  }

  @Test(arguments: ["passkey=240981", "tk=0000000000000000000000000003ad55"])
  func opensWithTheTemporaryKey(key: String) throws {
    let result = try run([key])
    #expect(result.sessions.map(\.need) == [.nothing, .nothing, .nothing, .longTermKey])
  }

  @Test func wrongKeysOpenNothing() throws {
    let result = try run(["passkey=123456", "ltk=000102030405060708090a0b0c0d0e0f", "private=\(String(repeating: "01", count: 32))"])
    #expect(result.plain.isEmpty)
    #expect(result.sessions.allSatisfy { $0.key == nil })
  }

  @Test func takesKeysInEitherOrder() throws {
    let found = try #require(try run(cracks: true).keys.first { $0.key.kind == .longTerm })
    for block in [found.key.block, found.key.block.reversed] {
      let result = try run([Key(.longTerm, block).text])
      #expect(result.sessions.map(\.need) == [.crack, .nothing, .nothing, .longTermKey])
    }
  }

  /// Some sniffers do not record who sent a packet.
  @Test func findsOutWhoSentAPacket() throws {
    let result = try run(cracks: true) { $0.direction = .unknown }
    #expect(result.sessions.map { $0.key != nil } == [true, true, true, false])
    #expect(result.sessions.map(\.failed).dropLast() == [0, 0, 0])
  }

  /// A sniffer that missed a packet may confuse the two sides from then on.
  @Test func aSnifferMayConfuseTheSides() throws {
    let right = try run(cracks: true)
    let first = try #require(right.plain.keys.min())
    var frames = 0
    let wrong = try run(cracks: true) { record in
      guard record.frame > first, right.plain[record.frame] != nil else { return }
      frames += 1
      record.direction = record.direction == .central ? .peripheral : .central
    }
    #expect(frames == right.plain.count - 1)
    #expect(wrong.plain == right.plain)
    #expect(wrong.sessions.map(\.failed) == right.sessions.map(\.failed))
  }

  /// A connection created with an auxiliary advertisement, on the coded PHY: its packets have a coding indicator behind the access address.
  @Test func codedPackets() throws {
    let right = try run(cracks: true)
    let source = try CaptureFile.open(Self.sample)
    let decryptor = LinkLayerDecryptor(cracks: true)
    let batch = PacketBatch()
    var plain: [Int: [UInt8]] = [:]
    while try source.read(batch) {
      for index in batch.records.indices {
        var record = batch.records[index]
        record.radio.phy = 2
        var payload = Array(batch.payload(record))
        if LinkLayer.ConnectionRequest(payload.span.bytes, at: 4) != nil { record.radio.flags |= RadioInfo.Flag.auxiliary }
        payload.insert(1, at: 4)
        guard decryptor.take(&record, payload.span.bytes) == .decrypted else { continue }
        let packet = decryptor.packet
        plain[record.frame] = Array(packet[7..<(packet.count - 3)])
        #expect(packet[4] == 1 && Int(packet[6]) == packet.count - 10)
      }
    }
    #expect(plain == right.plain)
  }

  /// The long term key derived from a BR/EDR link key, in both ways (Core, Vol 3, Part H, 2.4.2.5). The packets were encrypted by an independent
  /// implementation.
  @Test(
    arguments: [
      ("0f05dca55f4d86477d2e", "070543c612d327ff9166", "0e0f39b6ce9ce8ea3348ab91207bfc2651ecd796"),
      ("0f05277f0a540e1f8958", "070553581ae85b82e44e", "0e0f6aef329ab80d487641ece9bc6de1ef5c21a0"),
    ])
  func opensWithALinkKey(central: String, peripheral: String, request: String) throws {
    let packets: [(PacketDirection, String)] = [
      (.unknown, "d6be898ec5221153005e0000010000eeffc078563412555555020000180000004800ffffffff1f2abb79ad"),
      (.central, "78563412031703000000000000000000000001020304050607101112133f6dce"),
      (.peripheral, "78563412030d0408090a0b0c0d0e0f14151617cd4238"), (.peripheral, "78563412070105b5f2a9"),
      (.central, "78563412" + central), (.peripheral, "78563412" + peripheral), (.central, "78563412" + request),
    ]
    let link = "link=050403020100090807060504030201"
    for (key, count) in [(link + "00@c0:ff:ee:00:00:01", 3), (link + "00", 3), (link + "01", 0), (link + "00@c0:ff:ee:00:00:02", 0)] {
      var ring = KeyRing()
      ring.add(KnownKey(try Key(text: key), origin: "test"))
      let decryptor = LinkLayerDecryptor(ring)
      var plain: [[UInt8]] = []
      for (number, packet) in packets.enumerated() {
        var record = PacketRecord()
        (record.frame, record.kind, record.direction, record.time) = (number + 1, .linkLayer, packet.0, Int64(number) * 10_000)
        if decryptor.take(&record, hex(packet.1).span.bytes) == .decrypted {
          plain.append(Array(decryptor.packet[6..<(decryptor.packet.count - 3)]))
        }
      }
      #expect(plain.count == count, "\(key)")
      if count > 0 { #expect(plain.last == hex("07000400080100ffff0328")) }
    }
  }

  @Test func packetsWithAWrongCRCAreLeft() throws {
    let result = try run(cracks: true) { $0.radio.flags &= ~RadioInfo.Flag.crcOK }
    #expect(result.sessions.isEmpty)
    #expect(result.plain.isEmpty)
  }

  @Test func rewindsToTheSame() throws {
    let source = DecryptingSource(try CaptureFile.open(Self.sample), LinkLayerDecryptor(cracks: true))
    let batch = PacketBatch()
    func decrypted() throws -> [Int] {
      var frames: [Int] = []
      while try source.read(batch) {
        for record in batch.records where record.radio.flags & RadioInfo.Flag.decrypted != 0 {
          frames.append(record.frame)
          #expect(record.radio.flags & RadioInfo.Flag.micOK != 0)
        }
      }
      return frames
    }
    let first = try decrypted()
    #expect(first.count == 28)
    #expect(try source.rewind())
    #expect(try decrypted() == first)
  }

  @Test func recoversTheInitialValueOfACRC() {
    let pdu: [UInt8] = [0x0E, 0x03, 1, 2, 3]
    for initial: UInt32 in [0, 0x555555, 0xABCDEF, 0xFFFFFF] {
      let crc = LinkLayer.crc(pdu.span.bytes, in: 0..<5, initial: initial)
      #expect(LinkLayer.crcInitial(pdu.span.bytes, in: pdu.indices, crc: crc) == initial)
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
