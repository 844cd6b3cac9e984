import Bluetooth
import CaptureScenes
import Captures
import Conversations
import Testing

@testable import Analysis
@testable import Output

/// Streams of A2DP: each is one operation from its configuration to its end, with packet statistics.
@Suite struct MediaStreamTests {
  /// SBC, 44,100 Hz, joint stereo, 16 blocks, 8 subbands, bitpool 2 to 53.
  private static let sbc: [UInt8] = [1, 0, 7, 6, 0, 0, 0x21, 0x15, 2, 53]

  /// A link with a signalling channel, and a media channel whose stream is configured and open.
  private func scene(_ configuration: [UInt8] = sbc, answer: [UInt8] = [0x12, 3]) -> Scene {
    var scene = Scene()
    scene.event(0x03, [0] + scene.little(scene.handle) + scene.octets(0x0000_5e00_5331) + [1, 0])
    open(&scene, 0x40)
    scene.pdu(.sent, 0x41, [0x10, 3, 1 << 2, 2 << 2] + configuration)
    scene.pdu(.received, 0x40, answer)
    scene.pdu(.sent, 0x41, [0x20, 6, 1 << 2])
    scene.pdu(.received, 0x40, [0x22, 6])
    open(&scene, 0x50)
    return scene
  }

  private func open(_ scene: inout Scene, _ channel: UInt8) {
    scene.pdu(.sent, 1, [0x02, channel, 4, 0, 0x19, 0, channel, 0])
    scene.pdu(.received, 1, [0x03, channel, 8, 0, channel + 1, 0, channel, 0, 0, 0, 0, 0])
  }

  private func start(_ scene: inout Scene) {
    scene.pdu(.sent, 0x41, [0x30, 7, 1 << 2])
    scene.pdu(.received, 0x40, [0x32, 7])
  }

  /// A media packet of 20 bytes, `milliseconds` after the previous one.
  private func packet(_ scene: inout Scene, _ number: Int, after milliseconds: Int64 = 20) {
    scene.time += milliseconds * 1000 - scene.step
    scene.pdu(
      .sent, 0x51,
      [0x80, 0x60, UInt8(number >> 8), UInt8(number & 255), 0, 0, 0, 0, 0, 0, 0, 1] + [UInt8](repeating: 0, count: 8))
  }

  private func streams(_ scene: Scene) throws -> [Analysis.Operation] { try OperationCollector.run(scene).filter { $0.kind == .stream } }

  @Test func aStreamHasFiguresOfItsPackets() throws {
    var scene = scene()
    start(&scene)
    for number in 0..<20 { packet(&scene, number) }
    // Three numbers are missing, and there is no packet for 340 ms.
    packet(&scene, 23, after: 340)
    for number in 24..<40 { packet(&scene, number) }
    scene.pdu(.sent, 0x41, [0x40, 9, 1 << 2])
    scene.pdu(.received, 0x40, [0x42, 9])
    // A user's pause is no gap.
    scene.time += 60_000_000
    start(&scene)
    for number in 40..<45 { packet(&scene, number) }
    scene.pdu(.sent, 0x41, [0x50, 8, 1 << 2])
    scene.pdu(.received, 0x40, [0x52, 8])
    let stream = try #require(streams(scene).first)
    let media = stream.mediaStream
    #expect(stream.ending == .succeeded && !stream.isIncoming && stream.count == 42 && stream.bytes == 42 * 20)
    #expect(media.states == [.configured, .open, .streaming, .suspended, .streaming, .closed] && media.endPoint == 1 && !media.isReceived)
    #expect(media.gaps == 1 && media.longest == 340 && media.lost == 3)
    #expect(media.configuration.codec == .sbc && media.configuration.frequency == 44_100 && media.configuration.mode == .joint)
    #expect(
      stream.detail.hasPrefix(
        "SBC 44.1 kHz joint stereo, bitpool up to 53: configured → open → streaming → suspended → streaming → closed; 840 bytes in 42 packets in "
      ),
      "\(stream.detail)")
    #expect(stream.detail.contains(", 3 lost, 1 gap of 340 ms, "), "\(stream.detail)")
  }

  @Test func aRefusedStreamSaysWhy() throws {
    let refused = try #require(streams(scene(answer: [0x13, 3, 7, 0xC1])).first)
    #expect(refused.ending == .failed && Status.failure(refused.status, refused.statusDomain).description == "invalid codec type")
  }

  @Test func theEndOfTheLinkEndsIt() throws {
    var scene = scene()
    start(&scene)
    packet(&scene, 1)
    scene.event(0x05, [0] + scene.little(scene.handle) + [0x13])
    let stream = try #require(streams(scene).first)
    #expect(stream.ending == .succeeded && stream.mediaStream.states == [.configured, .open, .streaming] && stream.count == 1)
  }

  /// Without its configuration, media packets are data of a channel, and responses without a command change nothing.
  @Test func whatTheCaptureDoesNotShowIsNoStream() throws {
    var scene = Scene()
    scene.event(0x03, [0] + scene.little(scene.handle) + scene.octets(0x0000_5e00_5331) + [1, 0])
    open(&scene, 0x40)
    open(&scene, 0x50)
    scene.pdu(.received, 0x40, [0x32, 7])
    for number in 0..<4 { packet(&scene, number) }
    #expect(try streams(scene).isEmpty)
    #expect(try OperationCollector.run(scene).contains { $0.kind == .data && $0.count == 4 })
  }

  /// Packets that a source sends early in a burst leave no gap, however long the pause after them; a packet that comes later than its own
  /// time does.
  @Test func aGapIsWhatComesTooLate() {
    typealias Packet = (time: Int64, timestamp: Int64, number: Int)
    func figures(_ packets: [Packet]) -> MediaFigures {
      var figures = MediaFigures()
      for packet in packets {
        figures.add(
          1_700_000_000_000_000 &+ packet.time, 600, UInt16(truncatingIfNeeded: packet.number),
          UInt32(truncatingIfNeeded: 4_294_900_000 &+ packet.timestamp))
      }
      return figures
    }
    /// The packets, those from the 251st on delayed by `milliseconds`, with RTP timestamps larger by `units`.
    func later(_ packets: [Packet], _ milliseconds: Int64, units: Int64 = 0) -> [Packet] {
      packets.map { $0.number < 250 ? $0 : ($0.time + milliseconds * 1000, $0.timestamp + units, $0.number) }
    }
    // A burst of twenty-five packets of 20 ms twice a second.
    let bursts = (0..<500).map { number -> Packet in
      (Int64(number / 25) * 500_000 + Int64(number % 25) * 300, Int64(number) * 882, number)
    }
    #expect(figures(bursts).gaps == 0 && figures(bursts).packets == 500 && figures(bursts).lost == 0)
    let late = figures(later(bursts, 340))
    #expect(late.gaps == 1 && late.longest == 840_000 - 24 * 300)
    // One packet every 20 ms, none for 400 ms, and then all delayed packets at once.
    let even = (0..<500).map { number -> Packet in (Int64(number) * 20_000, Int64(number) * 882, number) }
    let stuttered = even.map { packet -> Packet in
      (250..<270).contains(packet.number) ? (even[269].time + Int64(packet.number), packet.timestamp, packet.number) : packet
    }
    #expect(figures(even).gaps == 0 && figures(stuttered).gaps == 1)
    // The source was silent, as its timestamps show; a constant timestamp shows nothing, nor does one of an unknown rate.
    #expect(figures(later(even, 400, units: 17_640)).gaps == 0)
    for units in [0, 1] as [Int64] {
      let packets = even.map { packet -> Packet in (packet.time, Int64(packet.number) * units, packet.number) }
      #expect(figures(packets).gaps == 0 && figures(later(packets, 400)).gaps == 1)
    }
    // Missing packets leave a gap in time, too.
    let missing = figures(even.filter { !(250..<270).contains($0.number) })
    #expect(missing.gaps == 1 && missing.lost == 20)
  }

  @Test func configurationsAreRead() {
    func read(_ bytes: [UInt8]) -> A2DP.Configuration? { A2DP.Configuration(bytes.span.bytes, in: 0..<bytes.count) }
    let aac = read([7, 8, 0, 2, 0x80, 0x01, 0x04, 0x83, 0xE8, 0x00])
    #expect(aac?.codec == .aac && aac?.frequency == 44_100 && aac?.mode == .stereo)
    let ldac = read([7, 10, 0, 0xFF, 0x2D, 0x01, 0, 0, 0xAA, 0, 0x08, 0x01])
    #expect(ldac?.codec == .ldac && ldac?.frequency == 88_200 && ldac?.mode == .stereo)
    let aptX = read([7, 9, 0, 0xFF, 0x4F, 0, 0, 0, 1, 0, 0x12])
    #expect(aptX?.codec == .aptX && aptX?.frequency == 48_000 && aptX?.mode == .stereo)
    // Capabilities have several frequencies; a truncated list; video is not audio.
    #expect(read([7, 6, 0, 0, 0xFF, 0xFF, 2, 53])?.frequency == 0)
    #expect(read([7, 6, 0, 0, 0x21])?.mode == .joint && read([7, 6, 0]) == nil && read([1, 0]) == nil)
    #expect(read([7, 3, 0x10, 1, 0x80]) == nil)
  }
}
