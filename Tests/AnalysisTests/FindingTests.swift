import CaptureScenes
import Captures
import Conversations
import Output
import Testing
import Text

@_spi(Pipeline) @testable import Analysis

/// Collects the output of a run.
final class Collector: EventSink {
  var findings: [Finding] = []
  var texts: [String] = []
  var outcome = Outcome()
  /// Frame numbers of packets, and negated ones of findings, in their order.
  var order: [Int] = []

  func begin(_ facts: CaptureFacts) {}
  /// Rows by their frame; their bytes are not valid any more.
  var rows: [Int: PacketRow] = [:]
  func packet(_ row: PacketRow, _ batch: RowBatch, isPart: Bool) {
    order.append(row.frame)
    rows[row.frame] = row
  }
  func finding(_ finding: Finding, _ batch: RowBatch) {
    findings.append(finding)
    order.append(-finding.frame)
    let out = TextBuffer()
    finding.explain(to: out, batch.tables)
    texts.append(String(decoding: out.gathered, as: UTF8.self))
  }
  func flush() {}
  func end(_ outcome: Outcome) { self.outcome = outcome }

  /// Runs the whole timeline over a scene.
  static func run(_ scene: Scene) throws -> Collector {
    let collector = Collector()
    _ = try Timeline(SceneSource(scene)).run(CaptureFacts(name: "scene", title: "scene"), to: collector)
    return collector
  }

  /// Names of the findings, in their order.
  var ids: [String] { findings.map { "\($0.id)" } }

  /// Findings above severity `note`.
  var alarms: [Finding] { findings.filter { $0.severity != .note } }
}

/// Each finding appears where it should, and not where everything works.
@Suite struct FindingTests {
  private func ids(_ play: (inout Scene) -> Void) throws -> [String] { try run(play).ids }

  private func run(_ play: (inout Scene) -> Void) throws -> Collector {
    var scene = Scene()
    scene.connect()
    play(&scene)
    return try Collector.run(scene)
  }

  /// A phone's session with a device without errors.
  @Test func nothingIsFoundWhereAllIsWell() throws {
    var scene = Scene()
    scene.command(0x200D, [UInt8](repeating: 0, count: 25))
    scene.event(0x0F, [0, 1, 0x0D, 0x20])
    scene.connect()
    scene.send([0x02, 0x05, 2])
    scene.receive([0x03, 0xB9, 0])
    scene.discover(0x2A19, at: 0x19)
    scene.send([0x10, 0x1C, 0, 0xFF, 0xFF, 0x00, 0x28])
    scene.receive([0x01, 0x10, 0x1C, 0, 0x0A])
    scene.send([0x12, 0x1A, 0, 1, 0])
    scene.receive([0x13])
    scene.receive([0x1B, 0x19, 0, 80])
    scene.send([0x0A, 0x19, 0])
    scene.receive([0x0B] + [UInt8](0..<184))
    scene.send([0x0C, 0x19, 0, 184, 0])
    scene.receive([0x01, 0x0C, 0x19, 0, 0x0B])
    scene.send([0x12, 0x1A, 0, 0, 0])
    scene.receive([0x13])
    scene.command(0x0406, scene.little(0x40) + [0x13])
    scene.event(0x0F, [0, 1, 0x06, 0x04])
    scene.disconnect(0x16)
    #expect(try Collector.run(scene).findings.isEmpty)
  }

  // MARK: Requests

  @Test func refused() throws {
    let found = try run { scene in
      scene.send([0x12, 0x19, 0, 1])
      scene.receive([0x01, 0x12, 0x19, 0, 0x03])
    }
    #expect(found.ids == ["request-refused"])
    #expect(found.texts == ["0x0019: Write Request refused: write not permitted (0x03)"])
    #expect(found.findings.first?.severity == .warning)
    #expect(found.order.suffix(2) == [3, -3])
    #expect(
      try ids { scene in
        scene.send([0x12, 0x19, 0, 1])
        scene.receive([0x13])
      }.isEmpty)
  }

  /// A descriptor has advice of its own, and a configuration whose bytes are in the wrong order, unless security is missing.
  @Test func refusedDescriptors() throws {
    let advice: ([UInt8], UInt8) throws -> String = { value, error in
      let found = try run { scene in
        scene.discover(0x2A19, at: 0x19)
        scene.send([0x12, 0x1A, 0] + value)
        scene.receive([0x01, 0x12, 0x1A, 0, error])
      }
      let finding = try #require(found.findings.first)
      return "\(finding.degree): \(finding.advice)"
    }
    #expect(try advice([0, 1], 0x03).contains("likely: 01 00 asks for notifications"))
    #expect(try advice([0, 2], 0x13).contains("wrong order"))
    #expect(try advice([1, 0], 0x03).contains("certain: the descriptor cannot be written"))
    #expect(try advice([0, 1], 0x05).contains("pair"))
    #expect(try advice([1, 0], 0x05) == advice([0, 1], 0x05))
  }

  /// What a sniffer did not receive to its end may have reached the device.
  @Test func aPDUThatTheSnifferMissed() throws {
    var scene = Scene()
    scene.sniffConnection()
    for _ in 0..<2 { scene.air(.peripheral, 2, [20, 0, 4, 0, 0x1B, 0x19, 0]) }
    let found = try Collector.run(scene)
    #expect(found.ids == ["start-without-end", "start-without-end"])
    #expect(found.alarms.isEmpty)
  }

  // MARK: Channels

  /// A request for a channel of BR/EDR, and its result.
  private func ask(_ scene: inout Scene, _ identifier: UInt8, _ psm: UInt8, result: UInt8) {
    scene.pdu(.sent, 1, [0x02, identifier, 4, 0, psm, 0, identifier, 1])
    if result != 1 { scene.pdu(.received, 1, [0x03, identifier, 8, 0, 0x51, 0, identifier, 1, 1, 0, 0, 0]) }
    scene.pdu(.received, 1, [0x03, identifier, 8, 0, 0x51, 0, identifier, 1, result, 0, 0, 0])
  }

  @Test func aRefusedChannel() throws {
    var scene = Scene()
    scene.event(0x03, [0] + scene.little(scene.handle) + scene.octets(7) + [1, 0])
    ask(&scene, 1, 0x19, result: 3)
    ask(&scene, 2, 0x17, result: 1)
    scene.disconnect()
    let found = try Collector.run(scene)
    #expect(found.ids == ["channel-refused"])
    #expect(found.texts == ["channel AVDTP, asked for in #2, refused by the peer: security block (0x03)"])
    #expect(found.findings.first?.frame == 4)
    #expect(found.findings.first?.severity == .warning)
  }

  /// A channel that is opened after it was refused, or that was open before, is not reported; another channel, and one that is opened much later, are.
  @Test func aRefusedChannelThatIsOpened() throws {
    let found = try run { scene in
      ask(&scene, 1, 0x19, result: 3)
      ask(&scene, 2, 0x17, result: 4)
      ask(&scene, 3, 0x19, result: 0)
      ask(&scene, 4, 0x19, result: 3)
      scene.time += 40_000_000
      ask(&scene, 5, 0x17, result: 0)
    }
    #expect(found.texts == ["channel AVCTP, asked for in #5, refused by the peer: no resources available (0x04)"])
  }

  /// Of several credit-based channels one is opened; waiting for authentication is no refusal.
  @Test func channelsWithCredits() throws {
    for (result, channel): (UInt8, UInt8) in [(4, 0x42), (0x0E, 0)] {
      let found = try ids { scene in
        scene.pdu(.sent, 5, [0x17, 1, 12, 0, 0x27, 0, 64, 0, 64, 0, 5, 0, 0x40, 0, 0x41, 0])
        scene.pdu(.received, 5, [0x18, 1, 12, 0, 64, 0, 64, 0, 5, 0, result, 0, 0, 0, channel, 0])
        scene.disconnect()
      }
      #expect(found.isEmpty)
    }
  }

  // MARK: Keys

  /// The size of a key as the controller reports it, or as Link Managers agree on it, and that of an earlier connection.
  @Test func shortKeys() throws {
    var scene = Scene()
    for size: UInt8 in [16, 7, 7] {
      let handle = scene.little(scene.handle)
      scene.event(0x03, [0] + handle + scene.octets(7) + [1, 0])
      scene.event(8, [0] + handle + [1])
      scene.command(0x1408, handle)
      scene.event(0x0E, [1, 0x08, 0x14, 0] + handle + [size])
      scene.event(0x59, [0] + handle + [1, size])
      scene.disconnect()
    }
    let found = try Collector.run(scene)
    let text = "the link is encrypted with a key of 7 bytes, where an earlier connection had 16"
    #expect(found.texts == [text, text])
    #expect(found.findings.map(\.severity) == [.error, .error])
    #expect(found.findings.map(\.frame) == [10, 16])
  }

  /// The Link Managers agree on the size, as the records of a Broadcom controller show.
  @Test func shortKeysOfLinkManagers() throws {
    var scene = Scene()
    scene.event(0x03, [0] + scene.little(scene.handle) + scene.octets(0x0000_5e00_5331) + [1, 0])
    for pdu: [UInt8] in [[0x20, 7], [0x06, 16], [0x20, 6], [0x08, 16, 0x23]] {
      let record: [UInt8] = [0, 1, 2, 3, 4, 0x5e, 0x00, 0x53, 0x31, 3] + pdu
      scene.packet(.vendorDiagnostic, .received, record + [UInt8](repeating: 0, count: 63 - record.count))
    }
    let found = try Collector.run(scene)
    #expect(found.texts == ["the link is encrypted with a key of 7 bytes; 16 are the most"])
    #expect(found.findings.map(\.frame) == [3])
  }

  /// The smaller maximum key size of a pairing holds once the link is encrypted.
  @Test func shortKeysOfPairing() throws {
    let found = try run { scene in
      scene.pair(isSecure: true, keySizes: (8, 16))
      scene.event(8, [0] + scene.little(0x40) + [1])
    }
    #expect(found.texts == ["the link is encrypted with a key of 8 bytes; 16 are the most"])
    #expect(
      try ids { scene in
        scene.pdu(.sent, 6, [0x01, 4, 0, 1, 7, 1, 1])
        scene.pdu(.received, 6, [0x05, 0x06])
        scene.event(8, [0] + scene.little(0x40) + [1])
      } == ["pairing-failed"])
  }

  @Test func securityNeverCame() throws {
    let refusal: (inout Scene) -> Void = { scene in
      scene.send([0x0A, 0x19, 0])
      scene.receive([0x01, 0x0A, 0x19, 0, 0x05])
    }
    let alone = try ids { scene in
      refusal(&scene)
      scene.disconnect()
    }
    #expect(alone == ["request-refused", "security-never-came"])
    let encrypted = try ids { scene in
      refusal(&scene)
      scene.event(8, [0] + scene.little(0x40) + [1])
      scene.disconnect()
    }
    #expect(encrypted == ["request-refused"])
  }

  @Test func missingAnswer() throws {
    #expect(
      try ids { scene in
        scene.send([0x0A, 0x19, 0])
        scene.receive([0x1B, 0x1C, 0, 1])
        scene.time += 31_000_000
        scene.disconnect()
      }.contains("response-missing"))
    // The connection ends before the transaction times out, which explains the missing response.
    #expect(
      try ids { scene in
        scene.send([0x0A, 0x19, 0])
        scene.disconnect()
      }.isEmpty)
    // A capture with only the host's packets has no responses.
    var oneWay = Scene()
    for _ in 0..<3 { oneWay.send([0x0A, 0x19, 0]) }
    #expect(try Collector.run(oneWay).ids.isEmpty)
    // The capture ends before the response.
    #expect(try ids { $0.send([0x0A, 0x19, 0]) } == ["response-open"])
  }

  @Test func overlappingRequests() throws {
    #expect(
      try ids { scene in
        scene.send([0x0A, 0x19, 0])
        scene.send([0x0A, 0x1B, 0])
        scene.receive([0x0B, 1])
      } == ["request-overlaps"])
    // Each side may have one request outstanding.
    #expect(
      try ids { scene in
        scene.send([0x0A, 0x19, 0])
        scene.receive([0x0A, 0x1B, 0])
        scene.send([0x0B, 1])
        scene.receive([0x0B, 1])
      }.isEmpty)
  }

  /// The reason of a disconnection: an indication without a confirmation half a minute before.
  @Test func timeoutEndsTheConnection() throws {
    for (reason, who) in [(0x16, "this host"), (0x13, "the peer")] as [(UInt8, String)] {
      let ended = try run { scene in
        scene.receive([0x1D, 0x19, 0, 1])
        scene.time += 30_500_000
        scene.disconnect(reason)
      }
      #expect(ended.ids == ["response-missing"])
      #expect(
        ended.texts[0].contains("was never confirmed: its transaction timed out, and \(who) ended the connection 30."), "\(ended.texts)")
      #expect(ended.findings[0].frames.count == 2 && "\(ended.findings[0].degree)" == "likely")
    }
  }

  /// The host declined, so the finding does not mention keys. Simple Pairing Complete and Authentication Complete give one finding together.
  @Test func declinedPairing() throws {
    let address: (Scene) -> [UInt8] = { $0.octets(0xc0ff_ee00_0009) }
    func pair(_ play: (inout Scene) -> Void) throws -> Collector {
      try run { scene in
        scene.event(0x03, [0] + scene.little(0x41) + address(scene) + [1, 0])
        play(&scene)
        scene.event(0x36, [5] + address(scene))
        scene.event(0x06, [5] + scene.little(0x41))
      }
    }
    let declined = try pair { $0.command(0x042D, address($0)) }
    #expect(declined.ids == ["pairing-failed"])
    #expect(declined.texts[0].hasPrefix("pairing failed: this host declined in #"), "\(declined.texts)")
    #expect("\(declined.findings[0].degree)" == "certain" && declined.findings[0].frames.count == 2)
    let failed = try pair { $0.command(0x042C, address($0)) }
    #expect(failed.ids == ["pairing-failed"])
    #expect(failed.texts == ["pairing failed: authentication failure (0x05)"])
  }

  /// An encryption request that is rejected during pairing does not point to an earlier bond.
  @Test func encryptionRefusedWhilePairing() throws {
    func heard(pairs: Bool) throws -> Collector {
      try run { scene in
        scene.sniffConnection()
        if pairs { scene.air(.central, 2, [7, 0, 6, 0, 0x01, 3, 0, 1, 16, 1, 1]) }
        for _ in 0..<3 {
          scene.air(.central, 3, [0x03] + [UInt8](repeating: 7, count: 22))
          scene.air(.peripheral, 3, [0x0D, 0x06])
        }
      }
    }
    let pairing = try heard(pairs: true)
    #expect(pairing.ids == ["encryption-failed", "encryption-failed"])
    #expect(pairing.texts[0] == "encryption failed while pairing was under way: pin or key missing (0x06)")
    #expect(pairing.findings[1].repeated == 2 && pairing.findings[1].frames.count == 3)
    #expect(!pairing.findings[0].advice.description.contains("delete"))
    let bonded = try heard(pairs: false)
    #expect(bonded.texts.first == "encryption failed: pin or key missing (0x06)")
    #expect(bonded.findings[0].advice.description.contains("delete the bond"))
  }

  /// Handle 0x0000 is no attribute's; the peer sent the request to this host.
  @Test func refusedByThisHost() throws {
    let refused = try run { scene in
      scene.receive([0x12, 0, 0, 1, 0])
      scene.send([0x01, 0x12, 0, 0, 0x01])
    }
    #expect(refused.texts == ["Write Request for handle 0x0000 refused by this host: invalid handle (0x01)"])
    let other = try run { scene in
      scene.receive([0x12, 0x19, 0, 1, 0])
      scene.send([0x01, 0x12, 0x19, 0, 0x03])
    }
    #expect(other.texts.first?.contains("the peer's Write Request refused by this host") == true, "\(other.texts)")
  }

  /// A side that disconnects has not lost the connection, even if the peer is silent afterwards.
  @Test func hangingUp() throws {
    func ended(_ usesCommand: Bool, _ reason: UInt8) throws -> [String] {
      try ids { scene in
        if usesCommand { scene.command(0x0406, scene.little(0x40) + [0x13]) }
        scene.disconnect(reason)
      }
    }
    #expect(try ended(true, 0x22) == [])
    #expect(try ended(false, 0x22) == ["connection-lost"])
    #expect(try ended(true, 0x08) == ["connection-lost"])
  }

  /// A repeated finding is printed once, and once more for all the others.
  @Test func alikeFindingsAreFolded() throws {
    let folded = try run { scene in for _ in 0..<100 { scene.packet(.unknownH4, .received, [0x77, 1]) } }
    #expect(folded.ids == ["unknown-packet-type", "unknown-packet-type"])
    #expect(folded.findings[1].repeated == 99)
    #expect(folded.findings[1].frame - folded.findings[0].frame == 99)
    #expect(folded.findings[1].frames.count <= 40)
  }

  @Test func unconfirmedIndications() throws {
    let missing = try run { scene in
      scene.receive([0x1D, 0x19, 0, 1])
      scene.time += 31_000_000
      scene.disconnect(0x08)
    }
    #expect(missing.ids == ["response-missing", "connection-lost"])
    #expect(missing.texts.first == "the Handle Value Indication of #2 was never confirmed")
    let second = try run { scene in
      scene.receive([0x1D, 0x19, 0, 1])
      scene.receive([0x1D, 0x1C, 0, 1])
      scene.send([0x1E])
    }
    #expect(second.ids == ["request-overlaps"])
    #expect(second.texts == ["a second indication before that of #2 was confirmed"])
    #expect(
      try ids { scene in
        scene.receive([0x1D, 0x19, 0, 1])
        scene.send([0x1D, 0x19, 0, 1])
        scene.send([0x1E])
        scene.receive([0x1E])
      }.isEmpty)
  }

  @Test func commandsOfTheLinkThatAreRefused() throws {
    let refused: (UInt16, UInt8) throws -> [String] = { opcode, status in
      try ids { scene in
        scene.command(opcode, [0x40, 0] + [UInt8](repeating: 0, count: 26))
        scene.event(0x0F, [status, 1] + scene.little(opcode))
      }
    }
    #expect(try refused(0x2013, 0x0C) == ["parameters-refused"])
    #expect(try refused(0x2019, 0x0C) == ["encryption-failed"])
    #expect(try refused(0x0413, 0x0C) == ["encryption-failed"])
    #expect(try refused(0x0405, 0x0B) == ["connection-failed"])
    // The connection had just ended.
    #expect(try refused(0x2013, 0x02).isEmpty)
    #expect(try refused(0x2019, 0x02).isEmpty)
  }

  @Test func answerToNothing() throws {
    #expect(
      try ids { scene in
        scene.send([0x0A, 0x19, 0])
        scene.receive([0x0B, 1])
        scene.receive([0x0B, 1])
      } == ["response-to-nothing"])
  }

  @Test func valueLongerThanTheMTU() throws {
    let value = [UInt8](repeating: 1, count: 21)
    #expect(try ids { $0.send([0x52, 0x19, 0] + value) } == ["value-exceeds-mtu"])
    #expect(try ids { $0.send([0x52, 0x19, 0] + value.dropLast()) }.isEmpty)
    #expect(
      try ids { scene in
        scene.send([0x02, 100, 0])
        scene.receive([0x03, 24, 0])
        scene.send([0x52, 0x19, 0] + value)
      }.isEmpty)
    // Nothing is known about what was negotiated before the capture.
    var middle = Scene()
    middle.send([0x52, 0x19, 0] + value)
    #expect(try Collector.run(middle).findings.isEmpty)
  }

  @Test func slowAnswer() throws {
    let slow = try run { scene in
      scene.send([0x0A, 0x19, 0])
      scene.time += 3_000_000
      scene.receive([0x0B, 1])
    }
    #expect(slow.ids == ["answer-slow"])
    #expect(slow.texts == ["0x0019: answers #2 only after 3.0 s, at a connection interval of 30 ms"])
    // Users take time to compare numbers.
    let pairing = try ids { scene in
      scene.send([0x0A, 0x19, 0])
      scene.pdu(.received, 6, [0x02, 3, 0, 1, 16, 1, 1])
      scene.time += 3_000_000
      scene.receive([0x0B, 1])
    }
    #expect(pairing.isEmpty)
    let dead = try ids { scene in
      scene.send([0x0A, 0x19, 0])
      scene.time += 31_000_000
      scene.receive([0x0B, 1])
    }
    #expect(dead == ["answer-too-late"])
  }

  @Test func preparedPartComesBackChanged() throws {
    let play: (UInt8) -> (inout Scene) -> Void = { echoed in
      { scene in
        scene.send([0x16, 0x19, 0, 0, 0, 1, 2])
        scene.receive([0x17, 0x19, 0, 0, 0, 1, echoed])
        scene.send([0x18, 1])
        scene.receive([0x19])
      }
    }
    #expect(try ids(play(3)) == ["prepared-part-differs"])
    #expect(try ids(play(2)).isEmpty)
  }

  // MARK: Listening

  @Test func nobodySubscribed() throws {
    #expect(try ids { $0.receive([0x1B, 0x19, 0, 80]) } == ["notification-unasked"])
    // Encryption means that the devices are bonded: the server restored the subscription.
    #expect(
      try ids { scene in
        scene.event(8, [0] + scene.little(0x40) + [1])
        scene.receive([0x1B, 0x19, 0, 80])
      }.isEmpty)
    #expect(
      try ids { scene in
        scene.send([0x12, 0x1A, 0, 1, 0])
        scene.receive([0x13])
        scene.receive([0x1B, 0x19, 0, 80])
      }.isEmpty)
    // Subscribed in an earlier connection.
    let restored = try run { scene in
      scene.send([0x12, 0x1A, 0, 1, 0])
      scene.receive([0x13])
      scene.disconnect()
      scene.connect()
      scene.receive([0x1B, 0x19, 0, 80])
    }
    #expect(restored.findings.isEmpty)
    #expect(restored.outcome.subscriptions.periods.map(\.beginning) == [.subscribed, .restored])
    #expect(restored.outcome.subscriptions.periods.map(\.ending) == [.disconnected, .open])
  }

  @Test func writtenBeforeAnswersWereSubscribedTo() throws {
    // Two vendor characteristics: write at 0x19, notify behind it at 0x1c.
    let table: (inout Scene) -> Void = { scene in
      scene.send([0x08, 1, 0, 0xFF, 0xFF, 0x03, 0x28])
      scene.receive([0x09, 7, 0x18, 0, 0x0C, 0x19, 0, 0xE9, 0xFF, 0x1B, 0, 0x10, 0x1C, 0, 0xE4, 0xFF])
      scene.send([0x04, 0x1D, 0, 0x1D, 0])
      scene.receive([0x05, 1, 0x1D, 0, 0x02, 0x29])
    }
    let late = try ids { scene in
      table(&scene)
      scene.send([0x52, 0x19, 0, 1])
      scene.send([0x52, 0x19, 0, 2])
    }
    #expect(late == ["answer-may-be-missed"])
    let inTime = try ids { scene in
      table(&scene)
      scene.send([0x12, 0x1D, 0, 1, 0])
      scene.receive([0x13])
      scene.send([0x52, 0x19, 0, 1])
    }
    #expect(inTime.isEmpty)
  }

  @Test func writtenAgainWithoutAnAnswer() throws {
    let talk: (inout Scene, Int) -> Void = { scene, lost in
      scene.step = 300_000
      scene.send([0x12, 0x1D, 0, 1, 0])
      scene.receive([0x13])
      for number in 0..<5 {
        scene.send([0x52, 0x19, 0, 1, 2])
        if number != lost { scene.receive([0x1B, 0x1C, 0, 1]) }
      }
    }
    #expect(try ids { talk(&$0, 3) } == ["write-repeated"])
    #expect(try ids { talk(&$0, -1) }.isEmpty)
    // A lamp that sends no values.
    #expect(
      try ids { scene in
        scene.step = 300_000
        for _ in 0..<5 { scene.send([0x52, 0x19, 0, 1, 2]) }
      }.isEmpty)
  }

  // MARK: Links

  @Test func connectionLost() throws {
    let lost = try run { $0.disconnect(0x08) }
    #expect(lost.ids == ["connection-lost"])
    #expect(lost.texts == ["connection lost: connection timeout (0x08)"])
    for reason: UInt8 in [0x13, 0x14, 0x15, 0x16] { #expect(try ids { $0.disconnect(reason) }.isEmpty) }
    #expect(try run { $0.disconnect(0x3D) }.findings.first?.severity == .error)
  }

  @Test func connectionNotEstablished() throws {
    let failed: (UInt8) -> [UInt8] = { [1, $0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0] }
    var scene = Scene()
    let attempt = scene.command(0x200D, [UInt8](repeating: 0, count: 25))
    scene.event(0x3E, failed(0x3E))
    let found = try Collector.run(scene)
    #expect(found.ids == ["connection-failed"])
    #expect(found.findings.first?.kind == .connectionFailed(error: 0x3E, attempt: attempt))
    // The app cancelled the connection: it ends with an error that is not reported.
    var cancelled = Scene()
    cancelled.command(0x200D, [UInt8](repeating: 0, count: 25))
    cancelled.command(0x200E, [])
    cancelled.event(0x3E, failed(0x02))
    #expect(try Collector.run(cancelled).findings.isEmpty)
  }

  @Test func attemptWithoutEnd() throws {
    let attempt: (UInt8, Bool) throws -> [String] = { policy, isCancelled in
      var scene = Scene()
      scene.command(0x200D, [0x60, 0, 0x60, 0, policy] + [UInt8](repeating: 0, count: 20))
      scene.time += 20_000_000
      if isCancelled { scene.command(0x200E, []) }
      scene.event(0x13, [0])
      return try Collector.run(scene).ids
    }
    #expect(try attempt(0, false) == ["attempt-open"])
    #expect(try attempt(0, true).isEmpty)
    // Connecting to any known device may take unlimited time.
    #expect(try attempt(1, false).isEmpty)
  }

  @Test func parametersRefused() throws {
    let play: (UInt8) -> (inout Scene) -> Void = { result in
      { scene in
        scene.pdu(.received, 5, [0x12, 1, 8, 0, 6, 0, 12, 0, 0, 0, 100, 0])
        scene.pdu(.sent, 5, [0x13, 1, 2, 0, result, 0])
      }
    }
    #expect(try ids(play(1)) == ["parameters-refused"])
    #expect(try ids(play(0)).isEmpty)
    #expect(try ids { $0.command(0x2021, $0.little(0x40) + [0x3B]) } == ["parameters-refused"])
    #expect(try ids { $0.event(0x3E, [3, 0x3B] + $0.little(0x40) + [24, 0, 0, 0, 42, 0]) } == ["parameters-refused"])
  }

  @Test func encryptionFailed() throws {
    let failed = try run { $0.event(8, [0x06] + $0.little(0x40) + [0]) }
    #expect(failed.ids == ["encryption-failed"])
    #expect(failed.findings.first?.severity == .error)
    #expect(try ids { $0.event(8, [0] + $0.little(0x40) + [1]) }.isEmpty)
    #expect(try ids { $0.command(0x201B, $0.little(0x40)) } == ["key-missing"])
  }

  @Test func pairingFailed() throws {
    let failed = try run { scene in
      scene.pdu(.sent, 6, [0x01, 3, 0, 1, 16, 1, 1])
      scene.pdu(.received, 6, [0x05, 0x05])
    }
    #expect(failed.texts == ["pairing failed: the peer ended it: pairing not supported (0x05), after Pairing Request"])
    #expect(
      try ids { scene in
        scene.pdu(.sent, 6, [0x01, 3, 0, 1, 16, 1, 1])
        scene.pdu(.received, 6, [0x02, 3, 0, 1, 16, 1, 1])
      }.isEmpty)
  }

  // MARK: The capture

  @Test func fragments() throws {
    #expect(try ids { $0.acl(.received, isStart: false, [1, 2, 3]) } == ["fragment-without-start"])
    #expect(try ids { $0.acl(.received, isStart: true, [9, 0, 4, 0, 0x1B]) } == ["start-without-end"])
    #expect(try ids { $0.acl(.received, isStart: true, [1, 0, 4, 0, 0x1E, 0, 0]) } == ["surplus-bytes"])
    #expect(
      try ids { scene in
        scene.acl(.received, isStart: true, [4, 0, 4, 0, 0x0A])
        scene.acl(.received, isStart: false, [0x19, 0, 0])
      } == ["response-open"])
  }

  /// A PDU that the end of the connection or of the capture cuts is no error; one that another PDU of its sender follows is.
  @Test func aPDUThatTheEndCutsIsANote() throws {
    let begin: (inout Scene) -> Void = { $0.acl(.received, isStart: true, [131, 0, 4, 0, 0x1B, 0x19, 0, 1, 2]) }
    let kinds: ((inout Scene) -> Void) throws -> [(Finding.Kind, Severity)] = { behind in
      try self.run {
        begin(&$0)
        behind(&$0)
      }.findings.map { ($0.kind, $0.severity) }
    }
    for reason: UInt8 in [0x13, 0x16] {
      let cut = try kinds { $0.disconnect(reason) }
      #expect(cut.map(\.0) == [.startWithoutEnd(frame: 2, count: 9, announced: 135, instead: .disconnection)] && cut.map(\.1) == [.note])
    }
    let cut = try kinds { _ in }
    #expect(cut.map(\.0) == [.startWithoutEnd(frame: 2, count: 9, announced: 135, instead: .endOfCapture)] && cut.map(\.1) == [.note])
    let lost = try kinds { $0.receive([0x1B, 0x19, 0, 1]) }
    #expect(lost.contains { $0 == (.startWithoutEnd(frame: 2, count: 9, announced: 135), .error) })
  }

  @Test func lengthsThatLie() throws {
    #expect(try ids { $0.packet(.acl, .sent, [0x40, 0x00, 9, 0, 5, 0, 4, 0, 0x52, 0x19, 0, 1]) } == ["length-lies"])
    #expect(try ids { $0.packet(.acl, .received, [0x40]) } == ["short-packet"])
    #expect(try ids { $0.packet(.event, .received, []) } == ["short-packet"])
    #expect(try ids { $0.packet(.unknownH4, .received, [0x77, 1]) } == ["unknown-packet-type"])
  }

  @Test func clocks() throws {
    let jumps = try run { scene in
      scene.event(0x13, [0])
      scene.time -= 5_000_000
      scene.event(0x13, [0])
    }
    #expect(jumps.ids == ["time-jumps"])
    #expect(jumps.texts == ["the clock jumps by -4.9 s"])
    #expect(
      try ids { scene in
        scene.event(0x13, [0])
        scene.time -= 500_000
        scene.event(0x13, [0])
      }.isEmpty)
    // Packets out of order give one finding, and one more for all the others.
    let disorder = try run { scene in
      for _ in 0..<50 {
        scene.time -= 5_000_000
        scene.event(0x13, [0])
      }
    }
    #expect(disorder.ids == ["time-jumps", "time-jumps"])
    #expect(disorder.findings.map(\.repeated) == [0, 7])
    #expect(disorder.texts.last?.hasSuffix("(7 more like it since #2)") == true)
    // Notes at the start of a log may be older than its first packet by any time.
    #expect(
      try ids { scene in
        scene.packet(.systemNote, .unknown, Array("iPhone".utf8))
        scene.time += 500_000_000_000
        scene.event(0x13, [0])
      }.isEmpty)
  }
}

/// Captures of devices that work.
@Suite struct HealthyCaptureTests {
  private static let samples = [
    "gopro.btsnoop", "gopro-monitor.btsnoop", "register.btsnoop", "typed-object.pcapng", "hostile-name.btsnoop",
  ]

  @Test(arguments: samples)
  func noAlarms(_ name: String) throws {
    let collector = Collector()
    let source = try CaptureFile.open("\(Package.root)/Samples/\(name)")
    _ = try Timeline(source).run(CaptureFacts(name: name, title: source.title), to: collector)
    #expect(collector.alarms.isEmpty, "\(collector.texts)")
  }
}

/// The package's folder.
enum Package {
  static let root: String = {
    var parts = #filePath.split(separator: "/")
    parts.removeLast(3)
    return "/" + parts.joined(separator: "/")
  }()
}
