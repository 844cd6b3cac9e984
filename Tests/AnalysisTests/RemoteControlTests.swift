import Bluetooth
import CaptureScenes
import Captures
import Conversations
import Testing

@testable import Analysis
@testable import Output

/// Commands of remote controls with their responses are operations, and so are notifications of a player.
@Suite struct RemoteControlTests {
  /// A link with a control channel and a browsing channel.
  private func scene() -> Scene {
    var scene = Scene()
    scene.event(0x03, [0] + scene.little(scene.handle) + scene.octets(0x0000_5e00_5331) + [1, 0])
    for (psm, channel) in [(0x17, 0x40), (0x1B, 0x50)] as [(UInt8, UInt8)] {
      scene.pdu(.sent, 1, [0x02, channel, 4, 0, psm, 0, channel, 0])
      scene.pdu(.received, 1, [0x03, channel, 8, 0, channel + 1, 0, channel, 0, 0, 0, 0, 0])
    }
    return scene
  }

  private func run(_ play: (inout Scene) -> Void) throws -> [Analysis.Operation] {
    var scene = scene()
    play(&scene)
    return try OperationCollector.run(scene).filter { $0.layer == .avrcp }
  }

  /// A message with a transaction label; the host sends commands and the peer responses, or with `byPeer` the reverse.
  private func message(
    _ scene: inout Scene, _ transaction: UInt8, isResponse: Bool = false, byPeer: Bool = false, browsing: Bool = false, _ frame: [UInt8]
  ) {
    let channel: UInt16 = browsing ? 0x50 : 0x40
    let isSent = isResponse == byPeer
    scene.pdu(isSent ? .sent : .received, isSent ? channel + 1 : channel, [transaction << 4 | (isResponse ? 2 : 0), 0x11, 0x0E] + frame)
  }

  private func vendor(_ type: UInt8, _ pdu: UInt8, _ parameters: [UInt8], part: UInt8 = 0) -> [UInt8] {
    [type, 0x48, 0, 0, 0x19, 0x58, pdu, part, 0, UInt8(parameters.count)] + parameters
  }

  /// Channels that were opened before the capture began are known by the form of their frames, and their connection as one of BR/EDR.
  @Test func channelsFromBeforeTheCapture() throws {
    var scene = Scene()
    let message: (UInt8, UInt8, [UInt8]) -> [UInt8] = { first, type, pdu in [first, 0x11, 0x0E, type, 0x48, 0, 0, 0x19, 0x58] + pdu }
    scene.pdu(.received, 0x43, message(0x10, 1, [0x30, 0, 0, 0]))
    scene.pdu(.sent, 0x51, message(0x12, 12, [0x30, 0, 0, 9, 0, 0, 0, 9, 0, 0, 0, 1, 1]))
    // Mono, four subbands and blocks, a bitpool of 2: 4 + 2 + 1 bytes.
    let frame: [UInt8] = [0x9C, 0x00, 2] + [UInt8](repeating: 5, count: 4)
    let media: [UInt8] = [0x80, 0x60, 0, 1] + [UInt8](repeating: 0, count: 8)
    scene.pdu(.sent, 0x52, media + [2] + frame + frame)
    scene.pdu(.sent, 0x52, media + [1] + frame + [0])
    // Other data stay what they are.
    scene.pdu(.sent, 0x53, media + [2] + frame)
    scene.pdu(.sent, 0x54, message(0x10, 1, []))
    let played = try scene.played()
    #expect(played.rows.map(\.layer) == [.avrcp, .avrcp, .a2dp, .a2dp, .l2cap, .l2cap])
    #expect(played[2]?.requestFrame == 1)
    #expect(played.tables.connections.map(\.transport) == [.classic])
    // A channel of an LE connection has other data.
    var low = Scene()
    low.connect()
    low.pdu(.received, 0x43, message(0x10, 1, [0x30, 0, 0, 0]))
    #expect(try low.played().rows.last?.layer == .l2cap)
  }

  @Test func aCommandWithItsAnswer() throws {
    let operations = try run { scene in
      message(&scene, 1, vendor(1, 0x30, []))
      message(&scene, 1, isResponse: true, vendor(12, 0x30, [0, 3, 0x0D, 0x40, 0, 0, 3, 0xE8, 1]))
      // Unknown values are left out.
      message(&scene, 2, vendor(1, 0x30, []))
      message(&scene, 2, isResponse: true, vendor(12, 0x30, [0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0]))
      message(&scene, 3, vendor(0, 0x50, [63]))
      message(&scene, 3, isResponse: true, vendor(9, 0x50, [60]))
    }
    #expect(
      operations.map(\.kind) == [.control, .control, .control] && operations.allSatisfy { $0.ending == .succeeded && !$0.isIncoming })
    #expect(operations.allSatisfy { $0.latency > 0 && $0.frameCount == 2 })
    #expect(
      operations.map(\.detail) == [
        "Get Play Status \u{2192} song length 200000 ms, song position 1000 ms, playing", "Get Play Status \u{2192} stopped",
        "Set Absolute Volume: volume 63 \u{2192} volume 60",
      ])
  }

  @Test func keysArePressedAndLetGo() throws {
    let operations = try run { scene in
      for key in [0x44, 0xC4] as [UInt8] {
        message(&scene, 4, byPeer: true, [0, 0x48, 0x7C, key, 0])
        message(&scene, 4, isResponse: true, byPeer: true, [9, 0x48, 0x7C, key, 0])
      }
      message(&scene, 5, byPeer: true, [0, 0x48, 0x7C, 0x4B, 0])
      message(&scene, 5, isResponse: true, byPeer: true, [8, 0x48, 0x7C, 0x4B, 0])
    }
    #expect(operations.map(\.detail) == ["play pressed", "play released", "forward pressed"] && operations.allSatisfy(\.isIncoming))
    #expect(operations.map(\.statusName) == ["ok", "ok", "not implemented"])
    #expect(operations.last?.ending == .failed && operations.last?.errorNumber == nil)
  }

  /// The interim response ends the command; the later change is a report of its own.
  @Test func whatChangesIsReported() throws {
    let operations = try run { scene in
      message(&scene, 6, vendor(3, 0x31, [1, 0, 0, 0, 0]))
      message(&scene, 6, isResponse: true, vendor(15, 0x31, [1, 2]))
      scene.time += 9_000_000
      // The transaction label is reused by another command.
      message(&scene, 6, vendor(1, 0x30, []))
      message(&scene, 6, isResponse: true, vendor(13, 0x31, [1, 1]))
      message(&scene, 6, isResponse: true, vendor(12, 0x30, [0, 0, 0, 1, 0, 0, 0, 0, 1]))
    }
    #expect(operations.map(\.kind) == [.control, .control, .report] && operations.allSatisfy { $0.ending == .succeeded })
    #expect(
      operations.map(\.detail) == [
        "Register Notification: playback status changed \u{2192} paused",
        "Get Play Status \u{2192} song length 1 ms, song position 0 ms, playing", "playback status changed: playing",
      ])
    #expect(operations.map(\.isIncoming) == [false, false, true] && (operations.first?.latency ?? 0) < 1_000_000)
  }

  /// A transaction label that is reused while a response is outstanding: each response belongs to its own command.
  @Test func aTransactionThatIsTakenAgain() throws {
    let operations = try run { scene in
      for event in [1, 5] as [UInt8] { message(&scene, 2, vendor(3, 0x31, [event, 0, 0, 0, 1])) }
      message(&scene, 2, vendor(1, 0x30, []))
      message(&scene, 2, isResponse: true, vendor(15, 0x31, [5, 0, 0, 0, 9]))
      message(&scene, 2, isResponse: true, vendor(15, 0x31, [1, 1]))
      message(&scene, 2, isResponse: true, vendor(13, 0x31, [1, 2]))
      message(&scene, 2, [0, 0x48, 0x7C, 0x44, 0])
      message(&scene, 2, isResponse: true, [9, 0x48, 0x7C, 0x44, 0])
      message(&scene, 2, isResponse: true, vendor(12, 0x30, [0, 0, 0, 1, 0, 0, 0, 0, 1]))
    }
    #expect(
      operations.map(\.detail) == [
        "Register Notification: playback status changed \u{2192} playing",
        "Register Notification: playback position changed \u{2192} song position 9 ms",
        "Get Play Status \u{2192} song length 1 ms, song position 0 ms, playing", "playback status changed: paused", "play pressed",
      ])
    #expect(operations.allSatisfy { $0.ending == .succeeded })
  }

  /// When there are too many commands without a response, the oldest is dropped and reported as unanswered.
  @Test func commandsThatNobodyAnswersMakeRoom() throws {
    let operations = try run { scene in
      for event in 0..<100 as Range<UInt8> { message(&scene, event % 16, vendor(3, 0x31, [event, 0, 0, 0, 0])) }
      message(&scene, 9, vendor(1, 0x30, []))
      message(&scene, 9, isResponse: true, vendor(12, 0x30, [0, 0, 0, 1, 0, 0, 0, 0, 1]))
    }
    #expect(operations.count == 101 && operations.last?.ending == .succeeded)
    #expect(operations.count { $0.ending == .unanswered } == 37, "\(operations.map(\.ending))")
  }

  @Test func aRefusalSaysWhy() throws {
    let operations = try run { scene in
      message(&scene, 1, vendor(0, 0x50, [200]))
      message(&scene, 1, isResponse: true, vendor(10, 0x50, [1]))
      message(&scene, 2, browsing: true, [0x70, 0, 2, 0, 9])
      message(&scene, 2, isResponse: true, browsing: true, [0x70, 0, 1, 0x11])
      message(&scene, 3, vendor(1, 0x30, []))
      // The same transaction label again: the first command has no response.
      message(&scene, 3, vendor(1, 0x30, []))
      message(&scene, 4, byPeer: true, vendor(1, 0x30, []))
      scene.event(0x05, [0] + scene.little(scene.handle) + [0x13])
    }
    #expect(operations.map(\.statusName) == ["invalid parameter", "invalid player id", "no answer", "no answer", "no answer"])
    #expect(operations.map(\.errorNumber).prefix(2) == [1, 0x11])
    #expect(operations.map(\.detail)[1] == "Set Browsed Player: player id 9")
  }

  /// A long response comes in parts, each requested by itself: they are one operation.
  @Test func partsOfAnAnswerAreOne() throws {
    let attributes: [UInt8] = [1, 0, 0, 0, 1, 0, 106, 0, 5] + Array("Hello".utf8)
    let operations = try run { scene in
      message(&scene, 1, vendor(1, 0x20, [0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 1]))
      message(&scene, 1, isResponse: true, vendor(12, 0x20, Array(attributes.prefix(8)), part: 1))
      message(&scene, 2, vendor(0, 0x40, [0x20]))
      message(&scene, 2, isResponse: true, vendor(12, 0x20, Array(attributes.dropFirst(8)), part: 3))
      // There is no command that this continues.
      message(&scene, 3, vendor(0, 0x40, [0x20]))
      message(&scene, 3, isResponse: true, vendor(10, 0x40, [1]))
    }
    #expect(operations.map(\.frameCount) == [4, 2] && operations.map(\.ending) == [.succeeded, .failed])
    #expect(operations.first?.detail == "Get Element Attributes: title \u{2192} title \"Hello\"")
  }
}
