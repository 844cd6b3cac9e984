import Bluetooth
import Captures
import Testing

@testable import Keys

/// Connections in `Samples/encrypted.pcapng`, which an implementation of its own has encrypted: Samples/sniffer.py.
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
        let access = UInt32(truncatingIfNeeded: packet.span.bytes.number(0, 4))
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
    // A write, repeated.
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
      #expect(LinkLayer.crcInitial(pdu.span.bytes, crc: crc) == initial)
    }
  }
}

extension String {
  /// The path up to a folder of this name, which is left out.
  fileprivate func components(to folder: String) -> String {
    let parts = split(separator: "/", omittingEmptySubsequences: false)
    guard let end = parts.lastIndex(of: Substring(folder)) else { return self }
    return parts[..<end].joined(separator: "/") + "/"
  }
}
