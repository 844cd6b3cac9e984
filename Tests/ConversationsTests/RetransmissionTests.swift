import Bluetooth
import CaptureScenes
import Captures
import Memory
import Testing

@testable import Conversations

/// Channels with numbered frames: segmented SDUs, retransmitted frames, and missing ones.
@Suite struct RetransmissionTests {
  private func scene(psm: UInt16 = 0x1005, mode: UInt8 = 3, window: UInt8 = 8, options: [UInt8] = []) -> Scene {
    var scene = Scene()
    scene.sequencedChannel(psm: psm, mode: mode, window: window, options: options)
    return scene
  }

  private let abc: [UInt8] = [6, 0, 1, 2, 3]

  /// Frames that the specification has as examples of the check sequence (Vol 3, Part A, 3.3.5).
  @Test func theExamplesOfTheSpecificationAreRight() throws {
    var scene = Scene()
    scene.event(0x03, [0] + scene.little(scene.handle) + scene.octets(0x0013_efa0_0910) + [1, 0])
    scene.pdu(.sent, 1, [0x02, 1, 4, 0, 5, 0x10, 0x50, 0])
    scene.pdu(.received, 1, [0x03, 1, 8, 0, 0x40, 0, 0x50, 0, 0, 0, 0, 0])
    scene.pdu(.sent, 1, [0x04, 2, 15, 0, 0x40, 0, 0, 0, 4, 9, 3, 8, 3, 0, 0, 0, 0, 60, 0])
    scene.pdu(.received, 1, [0x05, 2, 6, 0, 0x50, 0, 0, 0, 0, 0])
    let information = scene.pdu(.sent, 0x40, [0x02, 0x00, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 0x38, 0x61])
    let ready = scene.pdu(.sent, 0x40, [0x01, 0x01, 0xD4, 0x14])
    let played = try scene.played()
    // The example begins with number 1: the frame before it is missing.
    #expect(!played.found.contains(.frameCheckWrong))
    #expect(played[ready]?.isBareFrame == true && played[ready]?.meaning == .noise)
    #expect(played[information]?.isBareFrame != false)
  }

  @Test func segmentsMakeAnSDU() throws {
    var scene = scene()
    scene.information(.sent, 0, abc, segment: 1)
    scene.information(.received, 0, [9])
    scene.information(.sent, 1, [4, 5], segment: 3)
    let end = scene.information(.sent, 2, [6], segment: 2)
    let played = try scene.played()
    #expect(played.found.isEmpty)
    #expect(played.values == [[9], [1, 2, 3, 4, 5, 6]])
    let row = try #require(played[end])
    #expect(row.flags.contains(.joined) && row.channelData.map { Array($0.data.buffer) } == [1, 2, 3, 4, 5, 6])
    #expect(row.channelData?.channel.psm == 0x1005)
  }

  /// The channel's protocol decodes SDUs: AVCTP browsing.
  @Test func theProtocolOfTheChannelReadsThem() throws {
    var scene = scene(psm: 0x1B)
    scene.information(.sent, 0, [0x10, 0x11, 0x0E, 0x70, 0, 2, 0, 1])
    let answer: [UInt8] = [0x12, 0x11, 0x0E, 0x70, 0, 10, 4, 0, 1, 0, 0, 0, 3, 0, 106, 0]
    scene.information(.received, 0, scene.little(UInt16(answer.count)) + answer.prefix(7), segment: 1, next: 1)
    let end = scene.information(.received, 1, Array(answer[7...]), segment: 2, next: 1)
    let played = try scene.played()
    let row = try #require(played[end])
    #expect(row.layer == .avrcp && Array(row.pdu.buffer) == answer && row.requestFrame > 0)
    #expect(row.sequencedFrame?.count == 4 + 2 + 9 + 2)
  }

  @Test func aFrameThatIsSentAgainIsReadOnce() throws {
    var scene = scene()
    let first = scene.information(.sent, 0, [1])
    scene.supervisory(.sent, 0, next: 0, poll: true)
    let again = scene.information(.sent, 0, [1])
    scene.information(.sent, 1, [2])
    let played = try scene.played()
    #expect(played.values == [[1], [2]] && played.found.isEmpty)
    #expect(played[again]?.flags.contains(.retransmission) == true && played[again]?.requestFrame == first)
  }

  /// Frames behind a lost frame wait for its retransmission.
  @Test func aFrameThatIsAskedForComesInItsPlace() throws {
    var scene = scene()
    scene.information(.received, 0, abc, segment: 1)
    scene.information(.received, 2, [6], segment: 2)
    scene.information(.received, 3, [7])
    scene.supervisory(.sent, 3, next: 1)
    let late = scene.information(.received, 1, [4, 5], segment: 3)
    scene.information(.received, 4, [8])
    let played = try scene.played()
    #expect(played.values == [[1, 2, 3, 4, 5, 6], [7], [8]] && played.found.isEmpty)
    #expect(played.rows.filter { $0.frame == late }.count == 2)
  }

  @Test func allIsSentAgainFromAFrameOn() throws {
    var scene = scene()
    scene.information(.received, 0, abc, segment: 1)
    let damaged = scene.information(.received, 1, [4, 5], segment: 3, spoiled: true)
    scene.information(.received, 2, [6], segment: 2)
    scene.supervisory(.sent, 1, next: 1)
    scene.information(.received, 1, [4, 5], segment: 3)
    let end = scene.information(.received, 2, [6], segment: 2)
    let played = try scene.played()
    #expect(played.values == [[1, 2, 3, 4, 5, 6]] && played.found == [.frameCheckWrong])
    #expect(played.findings.first?.frame == damaged && played[end]?.flags.contains(.joined) == true)
  }

  /// A frame that the receiver acknowledges and the capture lacks will not be retransmitted.
  @Test func whatTheCaptureLacksIsReported() throws {
    var scene = scene()
    scene.information(.received, 0, abc, segment: 1)
    scene.information(.received, 2, [6], segment: 2)
    scene.information(.received, 3, [7])
    scene.supervisory(.sent, 0, next: 4)
    scene.information(.received, 4, [8])
    let played = try scene.played()
    #expect(played.values == [[7], [8]] && played.found == [.framesMissing(count: 1, isForGood: false)])
  }

  @Test func streamingSendsNothingAgain() throws {
    var scene = scene(mode: 4)
    scene.information(.sent, 0, abc, segment: 1)
    scene.information(.sent, 2, [6], segment: 2)
    scene.information(.sent, 3, [7])
    let played = try scene.played()
    #expect(played.values == [[7]] && played.found == [.framesMissing(count: 1, isForGood: true)])
  }

  @Test func numbersBeginAgain() throws {
    var scene = scene()
    for number in 0..<200 { scene.information(.sent, UInt16(number & 63), [UInt8(number)]) }
    let played = try scene.played()
    #expect(played.values == (0..<200).map { [UInt8($0)] } && played.found.isEmpty)
  }

  /// Without a check sequence, which both ends have to leave out; with a control field of 32 bits.
  @Test func theEndsAgreeOnTheForm() throws {
    var bare = scene(options: [5, 1, 0])
    bare.pdu(.sent, 0x50, [0x00, 0x00, 1, 2, 3])
    #expect(try bare.played().values == [[1, 2, 3]])
    var wide = scene(options: [5, 1, 0, 7, 2, 0xF4, 1])
    wide.pdu(.sent, 0x50, [0, 0, 1, 0, 3, 0, 1, 2])
    wide.pdu(.sent, 0x50, [0, 0, 2 | 1 << 2, 0, 3])
    wide.pdu(.received, 0x40, [1 | 2 << 2, 0, 0, 0])
    let played = try wide.played()
    #expect(played.values == [[1, 2, 3]] && played.found.isEmpty)
    #expect(played.rows.last?.flags.frameFormat == [.control, .extended])
  }

  @Test func segmentsThatDoNotFitAreReported() throws {
    var short = scene()
    short.information(.sent, 0, abc, segment: 1)
    short.information(.sent, 1, [4], segment: 2)
    #expect(try short.played().found == [.segmentsWrong(count: 4, announced: 6)])
    var open = scene()
    open.information(.sent, 0, abc, segment: 1)
    open.information(.sent, 1, [4])
    let played = try open.played()
    #expect(played.found == [.segmentsWrong(count: 3, announced: 6)] && played.values == [[4]])
    var stray = scene()
    stray.information(.sent, 0, [4], segment: 2)
    #expect(try stray.played().found == [.segmentsWrong(count: 1, announced: nil)])
  }

  /// Decoding ends whatever the frames contain, and complete frames before them stay.
  @Test func brokenFramesAreNoHarm() throws {
    for format: [UInt8] in [[], [5, 1, 0], [7, 2, 255, 255], [5, 1, 0, 7, 2, 0, 0]] {
      for count in 0...10 {
        for fill: UInt8 in [0, 1, 0x41, 0x80, 0xFF] {
          var scene = scene(options: format)
          for _ in 0..<3 { scene.pdu(.sent, 0x50, [UInt8](repeating: fill, count: count)) }
          scene.acl(.received, isStart: true, [8, 0, 0x40, 0, fill])
          #expect(try scene.played().rows.count >= 8)
        }
      }
    }
  }

  /// The peer rejects the mode, and the next request has no mode option: that is basic mode, as with AVCTP's control channel.
  @Test func aRefusedModeIsForgotten() throws {
    var scene = Scene()
    scene.event(0x03, [0] + scene.little(scene.handle) + scene.octets(0x0013_efa0_0910) + [1, 0])
    scene.pdu(.sent, 1, [0x02, 1, 4, 0, 0x17, 0, 0x40, 0])
    scene.pdu(.received, 1, [0x03, 1, 8, 0, 0x50, 0, 0x40, 0, 0, 0, 0, 0])
    scene.pdu(.sent, 1, [0x04, 2, 15, 0, 0x50, 0, 0, 0, 4, 9, 3, 10, 20, 0, 0, 0, 0, 0xF2, 3])
    scene.pdu(.received, 1, [0x05, 2, 17, 0, 0x40, 0, 0, 0, 1, 0, 4, 9, 0, 0, 0, 0, 0, 0, 0, 0, 0])
    scene.pdu(.sent, 1, [0x04, 3, 8, 0, 0x50, 0, 0, 0, 1, 2, 0, 4])
    scene.pdu(.received, 1, [0x05, 3, 6, 0, 0x40, 0, 0, 0, 0, 0])
    let request = scene.pdu(.sent, 0x50, [0x10, 0x11, 0x0E, 0x00, 0x48, 0, 0, 0x19, 0x58, 0x50, 0, 0, 1, 0x40])
    let played = try scene.played()
    #expect(played[request]?.layer == .avrcp && played.found.isEmpty)
  }

  /// The first request is for another mode than the peer wants: the accepted mode applies.
  @Test func theAcceptedModeCounts() throws {
    var scene = Scene()
    scene.event(0x03, [0] + scene.little(scene.handle) + scene.octets(0x0013_efa0_0910) + [1, 0])
    scene.pdu(.sent, 1, [0x02, 1, 4, 0, 5, 0x10, 0x40, 0])
    scene.pdu(.received, 1, [0x03, 1, 8, 0, 0x50, 0, 0x40, 0, 0, 0, 0, 0])
    scene.pdu(.sent, 1, [0x04, 2, 15, 0, 0x50, 0, 0, 0, 4, 9, 4, 0, 0, 0, 0, 0, 0, 60, 0])
    scene.pdu(.received, 1, [0x05, 2, 17, 0, 0x40, 0, 0, 0, 1, 0, 4, 9, 0, 0, 0, 0, 0, 0, 0, 60, 0])
    scene.pdu(.sent, 1, [0x04, 3, 15, 0, 0x50, 0, 0, 0, 4, 9, 0, 0, 0, 0, 0, 0, 0, 60, 0])
    scene.pdu(.received, 1, [0x05, 3, 6, 0, 0x40, 0, 0, 0, 0, 0])
    scene.pdu(.sent, 0x50, [0, 0, 1, 2, 3, 4])
    #expect(try scene.played().values == [[0, 0, 1, 2, 3, 4]])
  }
}
