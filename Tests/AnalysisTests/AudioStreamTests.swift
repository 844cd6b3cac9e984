import Bluetooth
import CaptureScenes
import Captures
import Conversations
import Testing

@testable import Analysis
@testable import Output

/// Audio stream endpoints: their states over time are one operation each.
@Suite struct AudioStreamTests {
  /// LC3, 48 kHz, 10 ms, 120 bytes.
  private static let codec: [UInt8] = [
    0, 2, 5, 20, 0, 0x20, 0x4E, 0, 0x40, 0x9C, 0, 0x20, 0x4E, 0, 0x40, 0x9C, 0, 6, 0, 0, 0, 0, 10, 2, 1, 8, 2, 2, 1, 3, 4, 120, 0,
  ]
  private static let quality: [UInt8] = [1, 2, 0x10, 0x27, 0, 0, 2, 120, 0, 5, 20, 0, 0x40, 0x9C, 0]

  @Test func statesAreOneOperation() throws {
    var scene = Scene()
    scene.audioStreams()
    let first = scene.endpoint([1, 1] + Self.codec)
    scene.endpoint([1, 2] + Self.quality)
    for state: UInt8 in [3, 4, 4] { scene.endpoint([1, state, 1, 2, 0]) }
    scene.endpoint([1, 6])
    let last = scene.endpoint([1, 0])
    let streams = try OperationCollector.run(scene).filter { $0.kind == .stream }
    let stream = try #require(streams.first)
    #expect(streams.count == 1 && stream.ending == .done && !stream.isIncoming)
    #expect(stream.frame == first && stream.endFrame == last && stream.count == 7)
    #expect(
      stream.detail == "sink ASE 1: LC3 48 kHz 10 ms 120 bytes, CIG 1 CIS 2, SDUs of 120 bytes every 10 ms: "
        + "codec configured → QoS configured → enabling → streaming → releasing → idle")
  }

  @Test func rejectedOperationsAreOfTheirEndpoint() throws {
    var scene = Scene()
    scene.audioStreams()
    scene.endpoint([1, 1] + Self.codec)
    scene.endpoint([3, 1] + Self.codec, isSource: true)
    scene.send([0x52, 0x22, 0, 2, 2, 1, 3])
    scene.receive([0x1B, 0x22, 0, 2, 2, 1, 0, 0, 3, 9, 8])
    let streams = try OperationCollector.run(scene).filter { $0.kind == .stream }
    #expect(streams.map(\.audioStream.id) == [1, 3] && streams.map(\.audioStream.isSource) == [false, true])
    #expect(streams.map { $0.audioStream.rejection == nil } == [true, false])
    #expect(
      streams.last?.detail == "source ASE 3: LC3 48 kHz 10 ms 120 bytes: codec configured; "
        + "Config QoS rejected: invalid configuration parameter value (Max_Transport_Latency)")
    #expect(streams.map(\.ending) == [.open, .open])
  }

  /// Lengths that lie, states and numbers that are reserved, the largest numbers that fit.
  @Test func hostileValues() throws {
    var scene = Scene()
    scene.audioStreams()
    for value: [UInt8] in [[], [1], [1, 7], [1, 0xFF, 0xFF]] { scene.endpoint(value) }
    scene.endpoint([1, 1])
    scene.endpoint([1, 1] + Self.codec.dropLast(4))
    scene.endpoint([1, 1] + Self.codec.prefix(17) + [6, 0, 0, 0, 0, 3, 0, 1, 8])
    scene.endpoint([1, 2] + [UInt8](repeating: 0xFF, count: 15))
    for _ in 0..<20 {
      scene.endpoint([1, 2, 0xFF])
      scene.endpoint([1, 1])
    }
    scene.receive([0x1B, 0x22, 0, 0xFF, 0xFF, 1, 0xFF, 0xFF])
    scene.receive([0x1B, 0x22, 0, 1, 0xFE, 1, 4])
    let stream = try #require(OperationCollector.run(scene).first { $0.kind == .stream })
    #expect(stream.audioStream.states.count == 15 && stream.audioStream.interval == 0xFFFFFF && stream.audioStream.size == 0xFFFF)
    #expect(stream.detail.hasSuffix("codec configured → …; an operation rejected: 255"))
  }

  /// The end of the connection ends the streams; the end of the capture leaves them open.
  @Test func theConnectionsEndIsTheirs() throws {
    var scene = Scene()
    scene.audioStreams()
    scene.endpoint([1, 1] + Self.codec)
    scene.event(0x05, [0] + scene.little(scene.handle) + [0x13])
    let streams = try OperationCollector.run(scene).filter { $0.kind == .stream }
    #expect(streams.map(\.ending) == [.done])
  }
}
