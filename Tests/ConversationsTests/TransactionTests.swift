import CaptureScenes
import Captures
import Memory
import Testing

@testable import Conversations

/// Matching of requests and responses; fragmented values; enhanced bearers.
@Suite struct TransactionTests {
  @Test func anAnswerFindsItsRequest() throws {
    var scene = Scene()
    scene.connect()
    let request = scene.send([0x12, 0x19, 0, 1, 2, 3])
    scene.receive([0x1B, 0x30, 0, 9])
    let response = scene.receive([0x13])
    let played = try scene.played()
    #expect(played[response]?.requestFrame == request)
    #expect(played[request]?.responseFrame == response)
    #expect(played[request]?.latency == 20_000)
    #expect(played[response]?.attributeHandle == 0x19)
    #expect(played.findings.isEmpty)
  }

  @Test func anAnswerOfAnotherKindIsNotPaired() throws {
    var scene = Scene()
    scene.connect()
    let read = scene.send([0x0A, 0x19, 0])
    let stray = scene.receive([0x13])
    let value = scene.receive([0x0B, 80])
    let played = try scene.played()
    #expect(played[stray]?.requestFrame == 0)
    #expect(played[value]?.requestFrame == read)
    #expect(played.found == [.responseToNothing(opcode: 0x13)])
  }

  @Test func anErrorNamesItsRequest() throws {
    var scene = Scene()
    scene.connect()
    let read = scene.send([0x0A, 0x19, 0])
    let wrong = scene.receive([0x01, 0x12, 0x19, 0, 0x05])
    let right = scene.receive([0x01, 0x0A, 0x19, 0, 0x05])
    let played = try scene.played()
    #expect(played[wrong]?.requestFrame == 0)
    #expect(played[right]?.requestFrame == read)
    #expect(played[right]?.status == 5)
  }

  /// Remote controls: a changed notification whose transaction label another command has reused belongs to its registration, by its event.
  @Test func aTransactionOfARemoteControlIsTakenAgain() throws {
    var scene = Scene()
    scene.event(0x03, [0] + scene.little(scene.handle) + scene.octets(0x0000_5e00_5331) + [1, 0])
    scene.pdu(.sent, 1, [0x02, 1, 4, 0, 0x17, 0, 0x40, 0])
    scene.pdu(.received, 1, [0x03, 1, 8, 0, 0x41, 0, 0x40, 0, 0, 0, 0, 0])
    func message(_ type: UInt8, _ pdu: UInt8, _ parameters: [UInt8]) -> Int {
      let bytes: [UInt8] = [type < 8 ? 0x30 : 0x32, 0x11, 0x0E, type, 0x48, 0, 0, 0x19, 0x58, pdu, 0, 0, UInt8(parameters.count)]
      return scene.pdu(type < 8 ? .sent : .received, type < 8 ? 0x41 : 0x40, bytes + parameters)
    }
    let status = message(3, 0x31, [1, 0, 0, 0, 0])
    let interim = message(15, 0x31, [1, 2])
    let volume = message(3, 0x31, [13, 0, 0, 0, 0])
    let played = message(1, 0x30, [])
    let changed = message(13, 0x31, [1, 1])
    let refused = message(10, 0x31, [1])
    let answer = message(12, 0x30, [0, 0, 0, 1, 0, 0, 0, 0, 1])
    let stray = message(12, 0x20, [0])
    let rows = try scene.played()
    #expect(rows[interim]?.requestFrame == status && rows[changed]?.requestFrame == status)
    // A rejection does not name its event.
    #expect(rows[refused]?.requestFrame == volume)
    #expect(rows[answer]?.requestFrame == played && rows[stray]?.requestFrame == 0)
  }

  @Test func aSecondRequestBeforeTheAnswer() throws {
    var scene = Scene()
    scene.connect()
    let first = scene.send([0x0A, 0x19, 0])
    let second = scene.send([0x0A, 0x1B, 0])
    let answer = scene.receive([0x0B, 80])
    let played = try scene.played()
    #expect(played.found == [.requestOverlaps(frame: first, opcode: 0x0A)])
    #expect(played[answer]?.requestFrame == second)
  }

  /// Two outstanding requests of different kinds are both kept: each response belongs to its own.
  @Test func twoRequestsUnderWayFindTheirAnswers() throws {
    var scene = Scene()
    scene.connect()
    let read = scene.send([0x0A, 0x19, 0])
    let write = scene.send([0x12, 0x1B, 0, 1])
    let value = scene.receive([0x0B, 80])
    let response = scene.receive([0x13])
    let again = scene.receive([0x0B, 81])
    let played = try scene.played()
    #expect(played[value]?.requestFrame == read && played[value]?.attributeHandle == 0x19)
    #expect(played[read]?.responseFrame == value)
    #expect(played[response]?.requestFrame == write && played[response]?.attributeHandle == 0x1B)
    #expect(played[again]?.requestFrame == 0)
    #expect(played.found == [.requestOverlaps(frame: read, opcode: 0x0A), .responseToNothing(opcode: 0x0B)])
  }

  @Test func indicationsAndConfirmations() throws {
    var scene = Scene()
    scene.connect()
    let indication = scene.receive([0x1D, 0x19, 0, 80])
    // An outstanding request of the host makes no difference.
    let request = scene.send([0x0A, 0x1B, 0])
    let confirmation = scene.send([0x1E])
    let response = scene.receive([0x0B, 1])
    let stray = scene.send([0x1E])
    let played = try scene.played()
    #expect(played[confirmation]?.requestFrame == indication)
    #expect(played[confirmation]?.attributeHandle == 0x19)
    #expect(played[response]?.requestFrame == request)
    #expect(played[stray]?.flags.contains(.isUnsolicited) == true)
  }

  @Test func aLongReadIsOneValue() throws {
    var scene = Scene()
    scene.connect()
    let first = [UInt8](0..<22)
    scene.send([0x0A, 0x19, 0])
    scene.receive([0x0B] + first)
    scene.send([0x0C, 0x19, 0, 22, 0])
    let last = scene.receive([0x0D, 0xAA, 0xBB])
    let played = try scene.played()
    let row = try #require(played[last])
    #expect(row.flags.contains(.hasAssembled))
    #expect(Array(row.assembled.buffer) == first + [0xAA, 0xBB])
    #expect(played.values == [first + [0xAA, 0xBB]])
  }

  @Test func aValueThatJustFillsThePDUIsHandedOn() throws {
    var scene = Scene()
    scene.connect()
    scene.send([0x0A, 0x19, 0])
    let first = scene.receive([0x0B] + [UInt8](0..<22))
    // Traffic of another connection is separate.
    scene.handle = 0x41
    scene.connect(0xc0ff_ee00_0002)
    let other = scene.receive([0x1B, 0x19, 0, 9])
    scene.handle = 0x40
    scene.send([0x0A, 0x1B, 0])
    let second = scene.receive([0x0B, 7])
    // The capture may end here.
    scene.send([0x0A, 0x19, 0])
    let last = scene.receive([0x0B] + [UInt8](1..<23))
    let played = try scene.played()
    #expect(played.values == [[UInt8](0..<22), [9], [7], [UInt8](1..<23)])
    #expect(played.valueEvents.map { played.rows[Int($0.row)].frame } == [first, other, second, last])
    #expect(played.valueEvents.map(\.attribute) == played.valueEvents.map { played.rows[Int($0.row)].attribute })
  }

  /// A read continues where its last part ended, whatever came between; its beginning was passed on by then.
  @Test func aLongReadContinuesAfterOtherRequests() throws {
    var scene = Scene()
    scene.connect()
    let whole = [UInt8](0..<50)
    scene.send([0x0A, 0x19, 0])
    scene.receive([0x0B] + whole[..<22])
    scene.send([0x0A, 0x1B, 0])
    scene.receive([0x0B, 7])
    scene.send([0x0C, 0x19, 0, 22, 0])
    scene.receive([0x0D] + whole[22..<44])
    scene.send([0x12, 0x1B, 0, 8])
    scene.receive([0x13])
    // Another offset, and another attribute, do not continue it.
    scene.send([0x0C, 0x19, 0, 22, 0])
    scene.receive([0x0D, 1])
    scene.send([0x0C, 0x1D, 0, 44, 0])
    scene.receive([0x0D, 2])
    scene.send([0x0C, 0x19, 0, 44, 0])
    let last = scene.receive([0x0D] + whole[44...])
    let played = try scene.played()
    #expect(Array(try #require(played[last]).assembled.buffer) == whole)
    #expect(played.values == [Array(whole[..<22]), [7], [8], whole])
  }

  /// The same where the value has no more bytes than its parts, which an error shows.
  @Test func aLongReadThatEndsAfterOtherRequests() throws {
    var scene = Scene()
    scene.connect()
    scene.send([0x0A, 0x19, 0])
    scene.receive([0x0B] + [UInt8](0..<22))
    scene.send([0x0A, 0x1B, 0])
    scene.receive([0x0B, 7])
    scene.send([0x0C, 0x19, 0, 22, 0])
    scene.receive([0x0D] + [UInt8](22..<44))
    scene.send([0x0C, 0x19, 0, 44, 0])
    scene.receive([0x01, 0x0C, 0x19, 0, 0x07])
    #expect(try scene.played().values == [[UInt8](0..<22), [7], [UInt8](0..<44)])
  }

  @Test func aValueReadFromItsStartWithReadBlobIsWhole() throws {
    var scene = Scene()
    scene.connect()
    scene.send([0x0C, 0x19, 0, 0, 0])
    scene.receive([0x0D] + [UInt8](0..<22))
    scene.send([0x0C, 0x19, 0, 22, 0])
    let end = scene.receive([0x0D, 0xAA])
    let played = try scene.played()
    #expect(played.values == [[UInt8](0..<22) + [0xAA]])
    #expect(Array(try #require(played[end]).assembled.buffer) == [UInt8](0..<22) + [0xAA])
  }

  @Test func aChannelWithCreditsCarriesSDUs() throws {
    var scene = Scene()
    scene.connect()
    scene.pdu(.sent, 5, [0x14, 1, 10, 0, 0x80, 0, 0x40, 0, 100, 0, 50, 0, 8, 0])
    scene.pdu(.received, 5, [0x15, 1, 10, 0, 0x50, 0, 100, 0, 50, 0, 8, 0, 0, 0])
    let alone = scene.pdu(.sent, 0x50, [2, 0, 0xAA, 0xBB])
    scene.pdu(.received, 0x40, [6, 0, 1, 2, 3])
    let joined = scene.pdu(.received, 0x40, [4, 5, 6])
    let played = try scene.played()
    #expect(Array(try #require(played[alone]?.channelData).data.buffer) == [0xAA, 0xBB])
    #expect(Array(try #require(played[joined]?.channelData).data.buffer) == [1, 2, 3, 4, 5, 6])
  }

  @Test func preparedWritesAreOneValue() throws {
    var scene = Scene()
    scene.connect()
    scene.send([0x16, 0x19, 0, 0, 0, 1, 2, 3])
    scene.receive([0x17, 0x19, 0, 0, 0, 1, 2, 3])
    scene.send([0x16, 0x19, 0, 3, 0, 4, 5])
    scene.receive([0x17, 0x19, 0, 3, 0, 4, 5])
    scene.send([0x18, 1])
    let response = scene.receive([0x19])
    let played = try scene.played()
    #expect(Array(try #require(played[response]).assembled.buffer) == [1, 2, 3, 4, 5])
    #expect(played.values == [[1, 2, 3, 4, 5]])
  }

  @Test func cancelledAndRefusedPartsAreNotWritten() throws {
    var scene = Scene()
    scene.connect()
    scene.send([0x16, 0x19, 0, 0, 0, 1, 2, 3])
    scene.receive([0x17, 0x19, 0, 0, 0, 1, 2, 3])
    scene.send([0x18, 0])
    scene.receive([0x19])
    scene.send([0x16, 0x19, 0, 0, 0, 7])
    scene.receive([0x17, 0x19, 0, 0, 0, 7])
    scene.send([0x16, 0x1B, 0, 0, 0, 8])
    scene.receive([0x01, 0x16, 0x1B, 0, 0x03])
    scene.send([0x18, 1])
    scene.receive([0x19])
    #expect(try scene.played().values == [[7]])
  }

  @Test func packetsAboutAConnectionAreOfItsPeer() throws {
    var scene = Scene()
    scene.connect()
    let subrate = scene.event(0x3E, [0x23, 0, 0x40, 0, 2, 0, 0, 0, 0, 0, 0x2A, 0])
    let timeout = scene.command(0x0C7C, [0x40, 0, 0xB8, 0x0B])
    let response = scene.event(0x0E, [1, 0x7C, 0x0C, 0, 0x40, 0])
    let list = scene.event(0x3E, [0x1B, 0, 1] + [UInt8](repeating: 0, count: 16) + [1, 0x40, 0])
    let played = try scene.played()
    for frame in [subrate, timeout, response] {
      #expect(played[frame]?.handle == 0x40)
      #expect(played[frame]?.connection == 0 && played[frame]?.peer == played.tables.connections[0].peer)
    }
    #expect(played[subrate]?.flags.contains(.hasStatus) == true)
    #expect(played[list]?.flags.contains(.hasConnection) == false)
  }

  @Test func aStreamIsWithThePeerOfItsConnection() throws {
    var scene = Scene()
    scene.connect()
    scene.command(0x2064, [1, 0x60, 0, 0x40, 0])
    scene.event(0x3E, [0x19, 0, 0x60, 0] + [UInt8](repeating: 1, count: 25))
    let data = scene.packet(.iso, .sent, [0x60, 0x20, 6, 0, 1, 0, 2, 0, 7, 8])
    let end = scene.event(5, [0, 0x60, 0, 0x13])
    let played = try scene.played()
    #expect(played.tables.connections.map(\.transport) == [.le, .isochronous])
    for frame in [data, end] { #expect(played[frame]?.peer == played.tables.connections[0].peer) }
    #expect(played.tables.connections[1].endReason == 0x13)
  }

  @Test func theMTUIsWhatBothCanTake() throws {
    var scene = Scene()
    scene.connect()
    scene.send([0x02, 0xB9, 0])
    scene.receive([0x03, 0x05, 2])
    #expect(try scene.played().tables.connections.first?.mtu == 185)
    #expect(try scene.played().tables.connections.first?.knownMTU == 185)
  }

  /// The capture shows no MTU where a connection began before it, or is one of BR/EDR.
  @Test func theMTUIsNotKnown() throws {
    var before = Scene()
    before.receive([0x1B, 0x19, 0, 9])
    #expect(try before.played().tables.connections.map(\.knownMTU) == [nil])
    var classic = Scene()
    classic.event(0x03, [0] + classic.little(classic.handle) + classic.octets(7) + [1, 0])
    #expect(try classic.played().tables.connections.map(\.knownMTU) == [nil])
    var low = Scene()
    low.connect()
    #expect(try low.played().tables.connections.map(\.knownMTU) == [23])
  }

  @Test func enhancedBearersHaveTheirOwnRequests() throws {
    var scene = Scene()
    scene.connect()
    scene.discover(0x2A19, at: 0x19)
    // Two channels for SPSM 0x27, MTU 100 and 64: the smaller one applies.
    scene.pdu(.sent, 5, [0x17, 1, 12, 0, 0x27, 0, 100, 0, 64, 0, 8, 0, 0x40, 0, 0x41, 0])
    scene.pdu(.received, 5, [0x18, 1, 12, 0, 64, 0, 64, 0, 8, 0, 0, 0, 0x50, 0, 0x51, 0])
    let fixed = scene.send([0x0A, 0x19, 0])
    let first = scene.pdu(.sent, 0x50, [3, 0, 0x0A, 0x19, 0])
    let second = scene.pdu(.sent, 0x51, [3, 0, 0x0A, 0x19, 0])
    let value = [UInt8](0..<63)
    let secondAnswer = scene.pdu(.received, 0x41, [2, 0, 0x0B, 2])
    let firstAnswer = scene.pdu(.received, 0x40, [64, 0, 0x0B] + value)
    let fixedAnswer = scene.receive([0x0B, 0])
    let blob = scene.pdu(.sent, 0x50, [5, 0, 0x0C, 0x19, 0, 63, 0])
    let blobAnswer = scene.pdu(.received, 0x40, [2, 0, 0x0D, 0xEE])
    let played = try scene.played()
    #expect(played[firstAnswer]?.requestFrame == first)
    #expect(played[secondAnswer]?.requestFrame == second)
    #expect(played[fixedAnswer]?.requestFrame == fixed)
    #expect(played[blobAnswer]?.requestFrame == blob)
    #expect(played.uuid(first) == "2a19")
    #expect(Array(try #require(played[blobAnswer]).assembled.buffer) == value + [0xEE])
    #expect(played.findings.isEmpty)
  }

  @Test func whatAnEnhancedBearerStillWaitsForIsReported() throws {
    var scene = Scene()
    scene.connect()
    scene.pdu(.sent, 5, [0x17, 1, 10, 0, 0x27, 0, 100, 0, 64, 0, 8, 0, 0x40, 0])
    scene.pdu(.received, 5, [0x18, 1, 10, 0, 64, 0, 64, 0, 8, 0, 0, 0, 0x50, 0])
    let request = scene.pdu(.sent, 0x50, [3, 0, 0x0A, 0x19, 0])
    scene.time += 31_000_000
    scene.disconnect(0x08)
    let played = try scene.played()
    #expect(played.found == [.responseMissing(frame: request, opcode: 0x0A)])
  }

  @Test func severalValuesInOneResponse() throws {
    var scene = Scene()
    scene.connect()
    scene.send([0x20, 0x19, 0, 0x1B, 0])
    scene.receive([0x21, 1, 0, 80, 2, 0, 1, 2])
    scene.receive([0x23, 0x19, 0, 1, 0, 81, 0x1B, 0, 2, 0, 3, 4])
    let played = try scene.played()
    #expect(played.values == [[80], [1, 2], [81], [3, 4]])
    #expect(played.valueEvents.map(\.channel) == [0x19, 0x1B, 0x19, 0x1B])
  }

  @Test func fragmentsOfTwoConnectionsInterleaved() throws {
    var scene = Scene()
    scene.connect(0xc0ff_ee00_0001)
    scene.handle = 0x41
    scene.connect(0xc0ff_ee00_0002)
    let whole: [UInt8] = [7, 0, 4, 0, 0x1B, 0x19, 0, 1, 2, 3, 4]
    scene.acl(.received, isStart: true, Array(whole[..<5]))
    scene.handle = 0x40
    scene.acl(.received, isStart: true, Array(whole[..<6]))
    scene.acl(.received, isStart: false, Array(whole[6...]))
    let first = scene.frame
    scene.handle = 0x41
    scene.acl(.received, isStart: false, Array(whole[5...]))
    let played = try scene.played()
    #expect(played[first]?.flags.contains(.joined) == true)
    #expect(played[first]?.handle == 0x40)
    #expect(played.values == [[1, 2, 3, 4], [1, 2, 3, 4]])
    #expect(played.findings.isEmpty)
  }
}
