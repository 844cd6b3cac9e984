import Bluetooth
import CaptureScenes
import Captures
import Testing

@testable import Conversations

/// Received BR/EDR packets of a controller's log, with retransmissions.
@Suite struct BasebandTests {
  /// A packet of the ESP32 sniffer: clock, channel, flags, packet header with SEQN, payload header, payload.
  @discardableResult
  private func received(_ scene: inout Scene, sequence: Bool, llid: UInt8 = 2, _ body: [UInt8]) -> Int {
    let header = UInt16(body.count) << 3 | 4 | UInt16(llid)
    let before: [UInt8] = [9] + scene.little(UInt16(scene.frame) * 2) + [0, 0, 0x1D, 0x61, 0xC1, sequence ? 3 : 1]
    return scene.packet(.unknownH4, .received, before + scene.little(header) + body)
  }

  private let request: [UInt8] = [6, 0, 1, 0, 0x0A, 1, 2, 0, 2, 0]

  @Test func aDamagedPacketIsReplacedByItsRetransmission() throws {
    var scene = Scene()
    let damaged = received(&scene, sequence: false, [14] + request[1...])
    let again = received(&scene, sequence: false, request)
    let played = try scene.played()
    #expect(played.findings.isEmpty)
    #expect(played[again]?.layer == .signaling)
    #expect(played[damaged]?.layer != .signaling)
  }

  @Test func aNewPacketDoesNotReplaceTheOneBefore() throws {
    var scene = Scene()
    let first = received(&scene, sequence: false, [14] + request[1...])
    received(&scene, sequence: true, request)
    #expect(try scene.played().found == [.startWithoutEnd(frame: first, count: 10, announced: 18)])
  }

  @Test func theSamePacketIsReadOnce() throws {
    var scene = Scene()
    let first = received(&scene, sequence: true, request)
    let again = received(&scene, sequence: true, request)
    let third = received(&scene, sequence: true, request)
    let next = received(&scene, sequence: false, request)
    let played = try scene.played()
    #expect(played.rows.filter { $0.layer == .signaling }.map(\.frame) == [first, next])
    for frame in [again, third] {
      #expect(played[frame]?.flags.contains(.retransmission) == true)
      #expect(played[frame]?.requestFrame == first)
      #expect(played[frame]?.meaning == .noise)
    }
  }
}
