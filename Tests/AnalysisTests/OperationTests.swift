import CaptureScenes
import Captures
import Conversations
import Output
import Testing
import Text

@testable import Analysis

/// Collects operations.
final class OperationCollector: OperationSink {
  var operations: [Operation] = []
  var outcome = Outcome()

  func begin(_ facts: CaptureFacts) {}
  func operation(_ operation: Operation, _ tables: ConversationTables) { operations.append(operation) }
  func flush() {}
  func end(_ outcome: Outcome) { self.outcome = outcome }

  static func run(_ scene: Scene) throws -> [Operation] {
    let collector = OperationCollector()
    _ = try Timeline(SceneSource(scene)).run(CaptureFacts(name: "scene", title: "scene"), to: Operations(collector))
    return collector.operations
  }
}

extension Operation {
  var detail: String {
    let out = TextBuffer()
    writeDetail(to: out, Style())
    return String(decoding: out.gathered, as: UTF8.self)
  }

  var statusName: String {
    let out = TextBuffer()
    writeStatus(to: out)
    return String(decoding: out.gathered, as: UTF8.self)
  }
}

/// Which packets form which operations.
@Suite struct OperationTests {
  private func run(_ play: (inout Scene) -> Void) throws -> [Operation] {
    var scene = Scene()
    scene.connect()
    play(&scene)
    return Array(try OperationCollector.run(scene).dropFirst())
  }

  @Test func aReadWithItsAnswer() throws {
    let operations = try run { scene in
      scene.send([0x0A, 0x19, 0])
      scene.receive([0x0B, 80])
    }
    let read = try #require(operations.first)
    #expect(operations.count == 1)
    #expect(read.kind == .read)
    #expect(read.ending == .succeeded)
    #expect(read.frames == [2, 3])
    #expect(read.latency == 10_000)
    #expect(read.handle == 0x19)
    #expect(read.value == [80])
    #expect(!read.isIncoming)
  }

  @Test func thePeerMayAskToo() throws {
    let operations = try run { scene in
      scene.receive([0x12, 0x19, 0, 1])
      scene.send([0x01, 0x12, 0x19, 0, 0x03])
    }
    #expect(operations.map(\.kind) == [.write])
    #expect(operations.first?.isIncoming == true)
    #expect(operations.first?.statusName == "write not permitted")
  }

  @Test func aLongReadIsOneOperation() throws {
    let operations = try run { scene in
      scene.send([0x0A, 0x19, 0])
      scene.receive([0x0B] + [UInt8](0..<22))
      scene.send([0x0C, 0x19, 0, 22, 0])
      scene.receive([0x0D] + [UInt8](22..<44))
      scene.send([0x0C, 0x19, 0, 44, 0])
      scene.receive([0x0D, 44])
    }
    #expect(operations.map(\.kind) == [.read])
    #expect(operations.first?.bytes == 45)
    #expect(operations.first?.value == [UInt8](0...44))
    #expect(operations.first?.frameCount == 6)
    #expect(operations.first?.count == 3)
  }

  @Test func aValueThatFillsItsPDUAndDoesNotGoOn() throws {
    let operations = try run { scene in
      scene.send([0x0A, 0x19, 0])
      scene.receive([0x0B] + [UInt8](0..<22))
      scene.send([0x0C, 0x19, 0, 22, 0])
      scene.receive([0x01, 0x0C, 0x19, 0, 0x07])
      scene.send([0x0A, 0x1B, 0])
      scene.receive([0x0B] + [UInt8](0..<22))
    }
    #expect(operations.map(\.kind) == [.read, .read])
    #expect(operations.map(\.ending) == [.succeeded, .succeeded])
    #expect(operations.map(\.bytes) == [22, 22])
  }

  @Test func aDiscoveryOfManyRequestsIsOneOperation() throws {
    let operations = try run { scene in
      scene.discover(0x2A19, at: 0x19)
      scene.send([0x10, 0x1B, 0, 0xFF, 0xFF, 0x00, 0x28])
      scene.receive([0x01, 0x10, 0x1B, 0, 0x0A])
      scene.send([0x0A, 0x19, 0])
      scene.receive([0x0B, 80])
    }
    #expect(operations.map(\.kind) == [.discovery, .read])
    #expect(operations.first?.detail == "1 service, 1 characteristic, 1 descriptor in 4 requests")
    #expect(operations.first?.ending == .succeeded)
  }

  /// A discovery without any answer ends with the next request, or with the connection.
  @Test func aDiscoveryWithoutAnswer() throws {
    let operations = try run { scene in
      scene.send([0x10, 0x1B, 0, 0xFF, 0xFF, 0x00, 0x28])
      scene.send([0x0A, 0x19, 0])
      scene.receive([0x0B, 80])
      scene.send([0x10, 0x1B, 0, 0xFF, 0xFF, 0x00, 0x28])
      scene.disconnect()
    }
    #expect(operations.map(\.kind) == [.discovery, .read, .discovery, .disconnect])
    #expect(operations.map(\.ending) == [.unanswered, .succeeded, .unanswered, .succeeded])
  }

  @Test func preparedWrites() throws {
    let play: (UInt8) -> (inout Scene) -> Void = { execute in
      { scene in
        scene.send([0x16, 0x19, 0, 0, 0, 1, 2])
        scene.receive([0x17, 0x19, 0, 0, 0, 1, 2])
        scene.send([0x16, 0x19, 0, 2, 0, 3])
        scene.receive([0x17, 0x19, 0, 2, 0, 3])
        scene.send([0x18, execute])
        scene.receive([0x19])
      }
    }
    let executed = try run(play(1))
    #expect(executed.map(\.kind) == [.preparedWrite])
    #expect(executed.first?.value == [1, 2, 3])
    #expect(executed.first?.count == 2)
    #expect(executed.first?.ending == .succeeded)
    #expect(try run(play(0)).first?.ending == .cancelled)
    // Prepared parts that were not executed, and one that was rejected.
    let left: ([UInt8]) throws -> [Operation] = { answer in
      try run { scene in
        scene.send([0x16, 0x19, 0, 0, 0, 1, 2])
        scene.receive(answer)
        scene.disconnect()
      }
    }
    #expect(try left([0x17, 0x19, 0, 0, 0, 1, 2]).first?.ending == .cancelled)
    let refused = try left([0x01, 0x16, 0x19, 0, 0x09])
    #expect(refused.first?.ending == .failed)
    #expect(refused.first?.statusName == "prepare queue full")
  }

  /// Each value of a Multiple Handle Value Notification belongs to its own run.
  @Test func notificationsOfSeveralHandles() throws {
    var scene = Scene()
    scene.connect()
    for value: UInt8 in 0..<3 { scene.receive([0x23, 0x19, 0, 1, 0, value, 0x1C, 0, 2, 0, value, value]) }
    let operations = Array(try OperationCollector.run(scene).dropFirst())
    #expect(operations.map(\.kind) == [.notification, .notification])
    #expect(operations.map(\.handle) == [0x19, 0x1C])
    #expect(operations.map(\.count) == [3, 3])
    #expect(operations.map(\.bytes) == [3, 6])
    let summary = Summary()
    _ = try Timeline(SceneSource(scene)).run(CaptureFacts(name: "scene", title: "scene"), to: summary)
    #expect(summary.traffic.map(\.notifications) == [3, 3])
    #expect(summary.traffic.map(\.bytes) == [3, 6])
    #expect(summary.outcome.subscriptions.periods.map(\.bytes) == [3, 6])
  }

  /// The summary counts an attribute's operations, not packets.
  @Test func trafficCountsWhatWasDone() throws {
    var scene = Scene()
    scene.connect()
    scene.send([0x16, 0x19, 0, 0, 0, 1, 2])
    scene.receive([0x17, 0x19, 0, 0, 0, 1, 2])
    scene.send([0x16, 0x19, 0, 2, 0, 3])
    scene.receive([0x17, 0x19, 0, 2, 0, 3])
    scene.send([0x18, 1])
    scene.receive([0x19])
    scene.send([0x0A, 0x19, 0])
    scene.receive([0x0B] + [UInt8](repeating: 7, count: 22))
    scene.send([0x0C, 0x19, 0, 22, 0])
    scene.receive([0x0D, 7, 7])
    scene.send([0x0A, 0x19, 0])
    scene.receive([0x0B] + [UInt8](repeating: 7, count: 22))
    scene.send([0x0C, 0x19, 0, 22, 0])
    scene.receive([0x01, 0x0C, 0x19, 0, 0x07])
    scene.send([0x0A, 0x19, 0])
    scene.receive([0x01, 0x0A, 0x19, 0, 0x02])
    let summary = Summary()
    _ = try Timeline(SceneSource(scene)).run(CaptureFacts(name: "scene", title: "scene"), to: summary)
    let traffic = try #require(summary.traffic.first)
    #expect((traffic.writes, traffic.reads, traffic.refused) == (1, 3, 1))
    #expect(traffic.bytes == 3 + 24 + 22)
  }

  /// A handle that is assigned to another device: requests that were outstanding on it have no response.
  @Test func aHandleThatIsGivenAnew() throws {
    let operations = try run { scene in
      scene.send([0x0A, 0x19, 0])
      scene.connect(0xc0ff_ee00_0002)
      scene.receive([0x0B, 1])
    }
    #expect(operations.map(\.kind) == [.read, .connect])
    #expect(operations.map(\.ending) == [.unanswered, .succeeded])
  }

  /// A command that the controller rejects ends the operation that it began.
  @Test func refusedCommands() throws {
    let commands: [(UInt16, Operation.Kind)] = [
      (0x0401, .inquiry), (0x0405, .connect), (0x0406, .disconnect), (0x0419, .nameRequest), (0x2013, .parameters), (0x2019, .encryption),
      (0x2022, .dataLength), (0x2032, .phy),
    ]
    for (opcode, kind) in commands {
      let operations = try run { scene in
        scene.command(opcode, [0x40, 0] + [UInt8](repeating: 0, count: 26))
        scene.event(0x0F, [0x0C, 1] + scene.little(opcode))
      }
      #expect(operations.map(\.kind) == [kind])
      #expect(operations.map(\.ending) == [.failed], "\(kind)")
      #expect(operations.first?.statusName == "command disallowed")
    }
  }

  /// Results of L2CAP have different names for each kind of request.
  @Test func resultsOfSignaling() throws {
    let refused: ([UInt8], [UInt8]) throws -> String? = { request, answer in
      try run { scene in
        scene.pdu(.received, 5, request)
        scene.pdu(.sent, 5, answer)
      }.first?.statusName
    }
    #expect(try refused([0x12, 1, 8, 0, 6, 0, 12, 0, 0, 0, 100, 0], [0x13, 1, 2, 0, 1, 0]) == "rejected")
    #expect(
      try refused([0x14, 2, 10, 0, 0x80, 0, 0x40, 0, 100, 0, 50, 0, 5, 0], [0x15, 2, 10, 0, 0, 0, 0, 0, 0, 0, 0, 0, 5, 0])
        == "insufficient authentication")
  }

  @Test func subscriptionsAndWhatCame() throws {
    let operations = try run { scene in
      scene.discover(0x2A19, at: 0x19)
      scene.send([0x12, 0x1A, 0, 1, 0])
      scene.receive([0x13])
      scene.step = 500_000
      for value: UInt8 in 0..<5 { scene.receive([0x1B, 0x19, 0, value, 0]) }
      scene.send([0x12, 0x1A, 0, 0, 0])
      scene.receive([0x13])
    }
    #expect(operations.map(\.kind) == [.discovery, .subscribe, .notification, .unsubscribe])
    let notifications = operations[2]
    #expect(notifications.count == 5)
    #expect(notifications.bytes == 10)
    #expect(notifications.rate == 2)
    #expect(notifications.isIncoming)
  }

  @Test func runsEndWithAPauseOrAnAnswer() throws {
    let operations = try run { scene in
      scene.send([0x52, 0x19, 0, 1])
      scene.send([0x52, 0x19, 0, 2])
      scene.receive([0x1B, 0x1B, 0, 1])
      scene.send([0x52, 0x19, 0, 3])
      scene.time += 5_000_000
      scene.send([0x52, 0x19, 0, 4])
    }
    #expect(operations.map(\.kind) == [.writeCommand, .notification, .writeCommand, .writeCommand])
    #expect(operations.map(\.count) == [2, 1, 1, 1])
  }

  @Test func anIndicationWithItsConfirmation() throws {
    let operations = try run { scene in
      scene.receive([0x1D, 0x19, 0, 80])
      scene.send([0x1E])
      scene.receive([0x1D, 0x19, 0, 81])
      scene.disconnect()
    }
    #expect(operations.map(\.kind) == [.indication, .indication, .disconnect])
    #expect(operations.map(\.ending) == [.succeeded, .unanswered, .succeeded])
    #expect(operations.first?.latency == 10_000)
  }

  @Test func noAnswer() throws {
    let operations = try run { scene in
      scene.send([0x12, 0x19, 0, 1])
      scene.send([0x0A, 0x1B, 0])
      scene.disconnect(0x08)
    }
    #expect(operations.map(\.kind) == [.write, .read, .disconnect])
    #expect(operations.map(\.ending) == [.unanswered, .unanswered, .failed])
    #expect(operations.last?.statusName == "connection timeout")
    // The capture ends before the response.
    #expect(try run { $0.send([0x12, 0x19, 0, 1]) }.map(\.ending) == [.open])
  }

  @Test func theMTU() throws {
    let operations = try run { scene in
      scene.send([0x02, 0xB9, 0])
      scene.receive([0x03, 0x05, 2])
    }
    #expect(operations.map(\.kind) == [.mtu])
    #expect(operations.first?.detail == "185 (offered 185, answered 517)")
  }

  @Test func pairing() throws {
    let good = try run { scene in
      scene.pair(isSecure: true)
      scene.command(0x2019, scene.little(0x40) + [UInt8](repeating: 0, count: 26))
      scene.event(8, [0] + scene.little(0x40) + [1])
      let keys = scene.pdu(.received, 6, [0x08] + [UInt8](repeating: 1, count: 16))
      #expect(keys == 13)
      scene.disconnect()
    }
    #expect(good.map(\.kind) == [.pairing, .disconnect])
    #expect(good.first?.ending == .succeeded)
    #expect(good.first?.detail == "LE Secure Connections, numeric comparison, bonding")
    #expect(good.first?.endFrame == 13)
    // Out-of-band data: with Secure Connections one side is enough, in legacy pairing both sides need it.
    for (secure, sides, method): (UInt8, [UInt8], String) in [
      (8, [1, 0], "LE Secure Connections, out of band"), (0, [1, 1], "LE legacy, out of band"), (0, [1, 0], "LE legacy, passkey"),
    ] {
      let operations = try run { scene in
        scene.pdu(.sent, 6, [0x01, 4, sides[0], 4 | secure, 16, 1, 1])
        scene.pdu(.received, 6, [0x02, 1, sides[1], 4 | secure, 16, 1, 1])
        scene.disconnect()
      }
      #expect(operations.first?.detail == method)
    }
    let bad = try run { scene in
      scene.pdu(.sent, 6, [0x01, 3, 0, 1, 16, 1, 1])
      scene.pdu(.received, 6, [0x05, 0x05])
    }
    #expect(bad.map(\.kind) == [.pairing])
    #expect(bad.first?.statusName == "pairing not supported")
    let bonded = try run { scene in
      scene.command(0x2019, scene.little(0x40) + [UInt8](repeating: 0, count: 26))
      scene.event(8, [0x06] + scene.little(0x40) + [0])
    }
    #expect(bonded.map(\.kind) == [.encryption])
    #expect(bonded.first?.statusName == "pin or key missing")
  }

  /// Encryption before both sides proved that they have the same key does not complete a pairing: it uses another key.
  @Test(arguments: [true, false])
  func aPairingWithoutAnAgreement(isSecure: Bool) throws {
    for isComplete in [true, false] {
      var scene = Scene()
      scene.connect()
      scene.pair(isSecure: isSecure, isComplete: isComplete)
      scene.command(0x2019, scene.little(0x40) + [UInt8](repeating: 0, count: 26))
      scene.event(8, [0] + scene.little(0x40) + [1])
      let summary = Summary()
      let facts = CaptureFacts(name: "scene", title: "scene")
      _ = try Timeline(SceneSource(scene)).run(facts, to: summary)
      let count = summary.operationCounts.count(0, isIncoming: false)
      #expect(count[.pairing] == (isComplete ? 1 : 0))
      #expect(count[.encryption] == (isComplete ? 0 : 1))
      let operations = try OperationCollector.run(scene).dropFirst()
      #expect(operations.map(\.kind) == (isComplete ? [.pairing] : [.pairing, .encryption]))
      #expect(operations.map(\.ending) == (isComplete ? [.succeeded] : [.unanswered, .succeeded]))
    }
  }

  /// The same on the air, after which no pairing and no encryption that is open counts as done.
  @Test func anOpenPairingIsNotCounted() throws {
    for isEncrypted in [true, false] {
      var scene = Scene()
      scene.sniffConnection()
      scene.air(.peripheral, 2, [2, 0, 6, 0, 0x0B, 9])
      scene.air(.central, 2, [7, 0, 6, 0, 0x01, 4, 0, 9, 16, 1, 1])
      scene.air(.peripheral, 2, [7, 0, 6, 0, 0x02, 4, 0, 9, 16, 1, 1])
      scene.air(.central, 3, [0x03] + [UInt8](repeating: 0, count: 22))
      scene.air(.peripheral, 3, [0x04] + [UInt8](repeating: 7, count: 12))
      if isEncrypted { scene.air(.peripheral, 3, [0x05]) }
      let summary = Summary()
      let facts = CaptureFacts(name: "scene", title: "scene")
      _ = try Timeline(SceneSource(scene)).run(facts, to: summary)
      let counts = [false, true].map { summary.operationCounts.count(0, isIncoming: $0) }
      #expect(counts.map { $0[.pairing] } == [0, 0])
      #expect(counts.map { $0[.encryption] } == [isEncrypted ? 1 : 0, 0])
      #expect(counts.map { $0.failures.unanswered } == [0, 1])
    }
  }

  /// The host reads the values of two attributes in turn.
  @Test func aLongReadBetweenOthers() throws {
    let operations = try run { scene in
      scene.send([0x0A, 0x19, 0])
      scene.receive([0x0B] + [UInt8](0..<22))
      scene.send([0x0A, 0x1B, 0])
      scene.receive([0x0B, 1, 0])
      scene.send([0x0C, 0x19, 0, 22, 0])
      scene.receive([0x0D] + [UInt8](22..<44))
      scene.send([0x12, 0x1B, 0, 1, 0])
      scene.receive([0x13])
      scene.send([0x0C, 0x19, 0, 44, 0])
      scene.receive([0x0D, 44])
      // Another read of the same attribute is another operation.
      scene.send([0x0A, 0x19, 0])
      scene.receive([0x0B] + [UInt8](0..<22))
      scene.send([0x0A, 0x19, 0])
      scene.receive([0x0B] + [UInt8](0..<22))
      scene.send([0x0C, 0x19, 0, 22, 0])
      scene.receive([0x0D])
    }
    #expect(operations.map(\.kind) == [.read, .read, .subscribe, .read, .read])
    #expect(operations.map(\.bytes) == [45, 2, 2, 22, 22])
    #expect(operations.first?.value == [UInt8](0...44))
    #expect(operations.first?.count == 3)
    #expect(operations.allSatisfy { $0.ending == .succeeded })
  }

  /// A credit-based channel that is pending is not refused; one of several that is opened is enough.
  @Test func aPendingChannelIsOpen() throws {
    let operations = try run { scene in
      scene.pdu(.sent, 5, [0x17, 1, 10, 0, 0x80, 0, 64, 0, 64, 0, 1, 0, 0x40, 0])
      scene.pdu(.received, 5, [0x18, 1, 10, 0, 64, 0, 64, 0, 0, 0, 0x0E, 0, 0, 0])
      scene.pdu(.received, 5, [0x18, 1, 10, 0, 64, 0, 64, 0, 1, 0, 0, 0, 0x41, 0])
      scene.pdu(.sent, 5, [0x17, 2, 12, 0, 0x80, 0, 64, 0, 64, 0, 1, 0, 0x42, 0, 0x43, 0])
      scene.pdu(.received, 5, [0x18, 2, 12, 0, 64, 0, 64, 0, 1, 0, 4, 0, 0x44, 0, 0, 0])
      scene.pdu(.sent, 5, [0x17, 3, 10, 0, 0x80, 0, 64, 0, 64, 0, 1, 0, 0x45, 0])
      scene.pdu(.received, 5, [0x18, 3, 10, 0, 64, 0, 64, 0, 0, 0, 2, 0, 0, 0])
    }
    #expect(operations.map(\.kind) == [.channel, .channel, .channel])
    #expect(operations.map(\.ending) == [.succeeded, .succeeded, .failed])
    #expect(operations[0].latency == 20_000)
  }

  /// The controller's own log beside HCI tells who asked for encryption.
  @Test(arguments: [true, false])
  func encryptionBelongsToTheSideThatAskedForIt(isOfHost: Bool) throws {
    var scene = Scene()
    scene.event(0x03, [0] + scene.little(scene.handle) + scene.octets(0x0000_5e00_5331) + [1, 0])
    // A diagnostic record of a Broadcom controller: LMP_encryption_mode_req (15), and LMP_accepted (3) by the other side.
    func link(_ isSent: Bool, _ pdu: [UInt8]) {
      let header: [UInt8] = [isSent ? 0 : 1, 0, 0, 0, 0, 0x5e, 0, 0x53, 0x31]
      let record = header + (isSent ? [3] : [0, 0, 0, 3]) + pdu
      scene.packet(.vendorDiagnostic, .received, record + [UInt8](repeating: 0, count: 63 - record.count))
    }
    link(isOfHost, [15 << 1, 1])
    link(!isOfHost, [3 << 1, 15])
    scene.event(0x08, [0] + scene.little(scene.handle) + [1])
    let encryption = try #require(try OperationCollector.run(scene).first { $0.kind == .encryption })
    #expect(encryption.isIncoming == !isOfHost && encryption.ending == .succeeded)
  }

  /// A configuration that is written with a Write Command subscribes too.
  @Test func aCommandSubscribes() throws {
    let operations = try run { scene in
      scene.discover(0x2A19, at: 0x19)
      scene.send([0x52, 0x1A, 0, 1, 0])
      scene.receive([0x1B, 0x19, 0, 80])
      scene.send([0x52, 0x1A, 0, 0, 0])
    }
    #expect(operations.map(\.kind) == [.discovery, .subscribe, .notification, .unsubscribe])
    #expect(operations.allSatisfy { $0.ending == .succeeded })
    // Nothing in the capture shows that it was accepted.
    #expect(operations[1].detail == "notifications, by write command")
  }

  /// An operation with packets on both sides of a jump of the clock has no duration; others keep theirs.
  @Test func noTimeIsTakenAcrossAJumpOfTheClock() throws {
    let operations = try run { scene in
      scene.send([0x0A, 0x19, 0])
      scene.time -= 5_000_000
      scene.receive([0x0B, 80])
      scene.send([0x0A, 0x19, 0])
      scene.receive([0x0B, 80])
      scene.send([0x0A, 0x19, 0])
      scene.time += 90_000_000_000
      scene.receive([0x0B, 80])
      scene.receive([0x1B, 0x20, 0, 1])
      scene.time -= 5_000_000
      scene.receive([0x1B, 0x20, 0, 2])
      scene.receive([0x1B, 0x20, 0, 3])
    }
    let reads = operations.filter { $0.kind == .read }
    #expect(reads.map(\.latency) == [-1, 10_000, -1])
    #expect(reads.map(\.crossesJump) == [true, false, true])
    #expect(operations.filter { $0.kind == .notification }.allSatisfy { $0.rate == 0 || !$0.crossesJump })
  }

  /// A configuration with its bytes in the wrong order subscribes to nothing, and ends nothing.
  @Test func aConfigurationInTheWrongOrderIsAWrite() throws {
    let operations = try run { scene in
      scene.discover(0x2A19, at: 0x19)
      for value: [UInt8] in [[1, 0], [0, 1], [0, 0]] {
        scene.send([0x12, 0x1A, 0] + value)
        scene.receive([0x13])
      }
    }
    #expect(operations.map(\.kind) == [.discovery, .subscribe, .write, .unsubscribe])
  }

  /// HCI Reset ends connections without events.
  @Test func aResetEndsConnections() throws {
    var scene = Scene()
    scene.connect()
    scene.send([0x0A, 0x19, 0])
    scene.command(0x0C03, [])
    let reset = scene.event(0x0E, [1, 0x03, 0x0C, 0])
    let collector = OperationCollector()
    _ = try Timeline(SceneSource(scene)).run(CaptureFacts(name: "scene", title: "scene"), to: Operations(collector))
    #expect(collector.operations.map(\.kind) == [.connect, .read])
    #expect(collector.operations.last?.ending == .unanswered)
    #expect(collector.outcome.tables.connections.map(\.endFrame) == [reset])
  }

  /// The earliest and latest times of a capture are clamped so that their difference does not overflow.
  @Test func timesAtTheEdges() throws {
    var scene = Scene()
    scene.connect()
    scene.step = 0
    scene.time = .min
    scene.receive([0x1B, 0x15, 0x00, 1])
    scene.time = .max
    scene.receive([0x1B, 0x15, 0x00, 2])
    // The gap is so long that the second value begins another run.
    let runs = try OperationCollector.run(scene).filter { $0.kind == .notification }
    #expect(runs.map(\.start) == [-1 << 59, 1 << 59] && runs.map(\.count) == [1, 1])
    #expect(runs.allSatisfy { $0.rate == 0 && !$0.detail.isEmpty })
  }

  @Test func connectionAttempts() throws {
    var scene = Scene()
    let create = [UInt8](repeating: 0, count: 25)
    scene.command(0x200D, create)
    scene.connect()
    scene.disconnect()
    scene.command(0x200D, create)
    scene.command(0x200E, [])
    scene.event(0x3E, [1, 0x02] + [UInt8](repeating: 0, count: 17))
    scene.command(0x200D, create)
    scene.event(0x3E, [1, 0x3E] + [UInt8](repeating: 0, count: 17))
    scene.command(0x200D, create)
    let operations = try OperationCollector.run(scene)
    #expect(operations.map(\.kind) == [.connect, .disconnect, .connect, .connect, .connect])
    #expect(operations.map(\.ending) == [.succeeded, .succeeded, .cancelled, .failed, .open])
    #expect(operations.first?.latency == 10_000)
    #expect(operations.first?.peer ?? -1 >= 0)
  }

  @Test func scans() throws {
    var scene = Scene()
    scene.command(0x200C, [1, 0])
    for address: UInt64 in [1, 2, 1, 1] { scene.event(0x3E, [2, 1, 0, 0] + scene.octets(address) + [0, 0xC8]) }
    scene.command(0x200C, [0, 0])
    let operations = try OperationCollector.run(scene)
    #expect(operations.map(\.kind) == [.scan])
    #expect(operations.first?.detail == "2 devices, 4 reports")
    #expect(operations.first?.ending == .succeeded)
  }

  @Test func parameters() throws {
    let accepted = try run { scene in
      scene.pdu(.received, 5, [0x12, 1, 8, 0, 6, 0, 12, 0, 0, 0, 100, 0])
      scene.pdu(.sent, 5, [0x13, 1, 2, 0, 0, 0])
      scene.command(0x2013, scene.little(0x40) + [6, 0, 12, 0, 0, 0, 100, 0, 0, 0, 0, 0])
      scene.event(0x3E, [3, 0] + scene.little(0x40) + [12, 0, 0, 0, 100, 0])
    }
    #expect(accepted.map(\.kind) == [.parameters])
    #expect(accepted.first?.isIncoming == true)
    #expect(accepted.first?.detail == "interval 15 ms, latency 0, timeout 1 s")
    let refused = try run { scene in
      scene.pdu(.received, 5, [0x12, 1, 8, 0, 6, 0, 12, 0, 0, 0, 100, 0])
      scene.pdu(.sent, 5, [0x13, 1, 2, 0, 1, 0])
    }
    #expect(refused.map(\.ending) == [.failed])
  }

  @Test func everyOperationOfAllSamplesIsInOrder() throws {
    for name in ["gopro.btsnoop", "heart-rate.btsnoop", "two-cameras.btsnoop", "typed-object.pcapng", "register.btsnoop"] {
      let collector = OperationCollector()
      let source = try CaptureFile.open("\(Package.root)/Samples/\(name)")
      _ = try Timeline(source).run(CaptureFacts(name: name, title: source.title), to: Operations(collector))
      let frames = collector.operations.map(\.frame)
      #expect(frames == frames.sorted(), "\(name)")
      #expect(frames.count > 10)
    }
  }

  @Test func whatLastsDoesNotHoldUpTheRest() {
    var queue = OperationQueue(window: 4)
    var row = PacketRow()
    var out: [Int] = []
    let scan = queue.begin(.scan, row, withDetails: true)
    for frame in 1...20 {
      row.frame = frame
      let number = queue.begin(.read, row, withDetails: true)
      queue.end(number) { out.append($0.frame) }
    }
    #expect(out == Array(1...20))
    queue.change(scan) { $0.count = 7 }
    queue.end(scan) { out.append(-$0.count) }
    #expect(out.last == -7)
    // The next operation reuses the scan's slot: changes to the scan have no effect.
    let next = queue.begin(.read, row, withDetails: true)
    queue.change(scan) { $0.count = 8 }
    queue.end(scan) { _ in out.append(0) }
    queue.change(next) { #expect($0.count == 0) }
    #expect(out.last == -7)
  }

  @Test func whoOnlyCountsGetsTheSameCounts() throws {
    var scene = Scene()
    scene.connect()
    for number in 0..<3 {
      scene.send([0x0A, 0x19, 0])
      scene.receive([0x0B, UInt8(number)])
    }
    scene.send([0x52, 0x21, 0, 1])
    for _ in 0..<4 { scene.receive([0x1B, 0x23, 0, 1, 2]) }
    var details: [Operation] = []
    let (counting, detailed) = (Summary(), Summary { operation, _ in details.append(operation) })
    for summary in [counting, detailed] {
      _ = try Timeline(SceneSource(scene)).run(CaptureFacts(name: "scene", title: "scene"), to: summary)
      let mine = summary.operationCounts.count(0, isIncoming: false)
      #expect(mine[.read] == 3 && mine.commands == 1)
      #expect(summary.operationCounts.count(0, isIncoming: true).notifications == 4)
      #expect(summary.operationCounts.firstReads(0).count == 3)
    }
    #expect(details.contains { $0.kind == .read && $0.frames.count == 2 && $0.value.count == 1 })
  }

  /// Keys for LE that devices distribute over BR/EDR are no pairing.
  @Test func keysForLEOverBREDRAreNoPairing() throws {
    var scene = Scene()
    scene.event(0x03, [0] + scene.little(scene.handle) + scene.octets(0x0000_5E00_5331) + [1, 0])
    scene.pdu(.sent, 7, [0x01, 3, 0, 0x2D, 16, 0x0E, 0x0E])
    scene.pdu(.received, 7, [0x02, 3, 0, 0x2D, 16, 0x0E, 0x0E])
    let operations = try OperationCollector.run(scene)
    #expect(!operations.contains { $0.kind == .pairing }, "\(operations.map(\.kind))")
  }
}
