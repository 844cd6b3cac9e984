import Bluetooth
import Captures
import Testing

@testable import Keys

/// The number of trials of keys, counters and passkeys is limited for a capture, and trials that were left out are reported.
@Suite struct TrialTests {
  private final class Air {
    let decryptor: LinkLayerDecryptor
    private var frame = 0

    init(_ ring: KeyRing = KeyRing(), cracks: Bool = false) { decryptor = LinkLayerDecryptor(ring, cracks: cracks) }

    @discardableResult
    func packet(_ access: UInt32, _ header: UInt8, _ payload: [UInt8]) -> LinkLayerDecryptor.Outcome {
      frame += 1
      var record = PacketRecord()
      (record.frame, record.kind, record.time) = (frame, .linkLayer, Int64(frame) * 10_000)
      let address = (0..<4).map { UInt8(truncatingIfNeeded: access >> UInt32(8 * $0)) }
      let bytes = address + [header, UInt8(payload.count)] + payload + [0, 0, 0]
      return decryptor.take(&record, bytes.span.bytes)
    }

    /// An encryption starts; with `isPaired`, by the short term key of a pairing.
    func start(_ access: UInt32, isPaired: Bool = false) {
      let random = [UInt8](repeating: isPaired ? 0 : 9, count: 10)
      packet(access, 3, [3] + random + (0..<12).map { UInt8($0) ^ UInt8(truncatingIfNeeded: access) })
      packet(access, 3, [4] + (0..<12).map { UInt8(40 + $0) })
      packet(access, 3, [5])
    }

    func encrypted(_ access: UInt32) { packet(access, 2, (0..<24).map { UInt8(truncatingIfNeeded: $0 * 37 + frame) | 1 }) }
  }

  private static func ring(_ kind: Key.Kind, _ count: Int) -> KeyRing {
    var ring = KeyRing()
    for number in 0..<count { ring.add(KnownKey(Key(kind, Block128(high: 5, low: UInt64(number))), origin: "test")) }
    return ring
  }

  /// All keys are tried on the first connections, and none on the others, because the capture has too many.
  @Test(arguments: [Key.Kind.longTerm, .link])
  func keysAreTriedSoOften(kind: Key.Kind) {
    let air = Air(Self.ring(kind, 4096))
    for number: UInt32 in 0..<400 {
      air.start(0x1000 + number)
      air.encrypted(0x1000 + number)
    }
    let given = air.decryptor.sessions.map(\.isGivenUp)
    #expect(!given[0] && given[399])
    #expect(given.count { $0 } > 100)
    #expect(air.decryptor.keyTrials.left <= TrialBudget.ofPacket)
    #expect(air.decryptor.limits.map(\.id) == ["keys-not-tried"])
    #expect(air.decryptor.limits.first?.packets == given.count { $0 })
  }

  /// With few keys the usual number of packets is tried on each connection.
  @Test func fewKeysAreTriedOnAllConnections() {
    let air = Air(Self.ring(.longTerm, 8))
    for number: UInt32 in 0..<300 {
      air.start(0x1000 + number)
      for _ in 0..<4 { air.encrypted(0x1000 + number) }
    }
    #expect(air.decryptor.sessions.allSatisfy { !$0.isGivenUp })
    #expect(air.decryptor.limits.isEmpty)
    // The budget for distant counters is used up sooner, and enough is left for near ones.
    for number: UInt32 in 0..<300 {
      air.start(0x9000 + number)
      for _ in 0..<20 { air.encrypted(0x9000 + number) }
    }
    #expect(air.decryptor.counterTrials.left < TrialBudget.first / 100)
    #expect(air.decryptor.keyTrials.left > TrialBudget.first / 8)
    #expect(LinkEncryption.maxAttempts(8) == 16 && LinkEncryption.maxAttempts(256) == 16 && LinkEncryption.maxAttempts(4096) == 3)
  }

  /// Pairings without a confirm value, whose passkey can only be tested with encrypted packets: passkeys are tried for a limited number of pairings.
  @Test func passkeysAreTriedSoOften() {
    let air = Air(cracks: true)
    air.decryptor.passkeys = PasskeyBudget(pairings: 1)
    func pair(_ access: UInt32) {
      func security(_ pdu: [UInt8]) { air.packet(access, 2, [UInt8(pdu.count), 0, 6, 0] + pdu) }
      security([1, 4, 0, 1, 16, 7, 7])
      security([2, 2, 0, 1, 16, 7, 7])
      security([4] + (0..<16).map { UInt8($0 + 1) })
      security([4] + (0..<16).map { UInt8($0 + 101) ^ UInt8(truncatingIfNeeded: access) })
      air.start(access, isPaired: true)
      air.encrypted(access)
      air.encrypted(access)
    }
    for number: UInt32 in 0..<3 { pair(0x2000 + number) }
    #expect(air.decryptor.passkeys.left == 0)
    #expect(air.decryptor.sessions.map(\.isGivenUp) == [true, true, true])
    // A search that was given up does not start again when the capture is read again.
    air.decryptor.rewind()
    pair(0x2000)
    #expect(air.decryptor.sessions.map(\.isGivenUp) == [true])
  }

  /// The shared point of each private key is computed once, whatever the number of sessions.
  @Test func privateKeysHaveTheirPointsOnce() throws {
    var ring = KeyRing()
    for number in 1...200 {
      let bytes = [UInt8](repeating: 1, count: 31) + [UInt8(number)]
      ring.add(KnownKey(try #require(Key(.privateKey, bytes)), origin: "test"))
    }
    let air = Air(ring)
    let access: UInt32 = 0x3000
    func security(_ pdu: [UInt8]) {
      air.packet(access, 2, [UInt8(pdu.count), 0, 6, 0] + pdu.prefix(23))
      if pdu.count > 23 { air.packet(access, 1, Array(pdu.dropFirst(23))) }
    }
    security([1, 4, 0, 9, 16, 7, 7])
    security([2, 2, 0, 9, 16, 7, 7])
    security([12] + (0..<64).map { UInt8($0 + 1) })
    security([12] + (0..<64).map { UInt8($0 + 101) })
    for number in 0..<40 {
      // Another encryption of the same connection.
      air.packet(access, 3, [3] + [UInt8](repeating: 0, count: 10) + (0..<12).map { UInt8($0 + number) })
      air.packet(access, 3, [4] + (0..<12).map { UInt8(40 + $0 + number) })
      air.packet(access, 3, [5])
      for _ in 0..<3 { air.encrypted(access) }
    }
    #expect(air.decryptor.sessions.count == 40)
    #expect(air.decryptor.sessions.allSatisfy { !$0.isGivenUp })
    // Two points of each key, in both byte orders, and little else.
    #expect(TrialBudget.first - air.decryptor.keyTrials.left < 200 * 2 * TrialBudget.point + 100_000)
  }

  /// Keys beyond the limit are counted, each time that they occur.
  @Test func keysWithoutRoomAreCounted() throws {
    let ring = Self.ring(.longTerm, KeyRing.maxCount + 10)
    #expect(ring.keys.count == KeyRing.maxCount && ring.refused == 10)
    let air = Air(Self.ring(.longTerm, KeyRing.maxCount))
    air.packet(0x4000, 2, [17, 0, 6, 0, 6] + [UInt8](repeating: 7, count: 16))
    #expect(air.decryptor.limits.map(\.id) == ["keys-left-out"])
  }
}
