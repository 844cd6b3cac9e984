import Bluetooth
import CaptureScenes
import Captures
import Conversations
import Testing

@testable import Analysis
@testable import Output

/// Audio stream endpoints: each is one operation with its states over time.
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
    #expect(streams.count == 1 && stream.ending == .succeeded && !stream.isIncoming)
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

  /// Wrong lengths, reserved states and numbers, the largest numbers that fit.
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

  /// The streams end with their connection; at the end of the capture they stay open.
  @Test func theConnectionsEndIsTheirs() throws {
    var scene = Scene()
    scene.audioStreams()
    scene.endpoint([1, 1] + Self.codec)
    scene.event(0x05, [0] + scene.little(scene.handle) + [0x13])
    let streams = try OperationCollector.run(scene).filter { $0.kind == .stream }
    #expect(streams.map(\.ending) == [.succeeded])
  }

  /// A connected isochronous stream with the handle 0x0060.
  private static var isochronousStream: Scene {
    var scene = Scene()
    scene.connect()
    let stream: [UInt8] = [0x60, 0]
    // Set CIG Parameters for CIG 1 with CIS 2 and its handle 0x0060; Create CIS, and its event with an interval of 10 ms.
    scene.command(0x2062, [1, 0x10, 0x27, 0, 0x10, 0x27, 0, 0, 0, 0, 20, 0, 20, 0, 1, 2, 120, 0, 40, 0, 2, 2, 5, 2])
    scene.event(0x0E, [1, 0x62, 0x20, 0, 1, 1] + stream)
    scene.command(0x2064, [1] + stream + scene.little(scene.handle))
    scene.event(
      0x3E, [0x19, 0] + stream + [UInt8](repeating: 0, count: 12) + [2, 2, 3, 1, 1, 2, 2, 120, 0, 40, 0, 8, 0])
    return scene
  }

  /// SDUs with sequence numbers, time stamps and a status: how many are missing and lost, and the jitter.
  @Test func figuresOfAStream() throws {
    var scene = Self.isochronousStream
    // Numbers 7, 8, 10, 11: one missing; the second is lost. Time stamps are 10 ms apart, the third packet comes 10 ms late.
    for (index, number) in [UInt8(7), 8, 10, 11].enumerated() {
      let stamp = UInt32(index) * 10_000
      let bytes = (0..<4).map { UInt8(truncatingIfNeeded: stamp >> (8 * UInt32($0))) }
      scene.time += index == 3 ? 10_000 : 0
      scene.iso(.received, [0x60, 0x60, 8, 0] + bytes + [number, 0, 0, index == 1 ? 0x80 : 0])
    }
    // A header without the rest, a second fragment, and a new start.
    scene.iso(.received, [0x60, 0x20])
    scene.iso(.received, [0x60, 0x10, 0, 0])
    scene.iso(.received, [0x60, 0x20, 4, 0, 1, 0, 0, 0x40])
    let summary = Summary()
    let outcome = try Timeline(SceneSource(scene)).run(CaptureFacts(name: "scene", title: "scene"), to: summary)
    let connection = try #require(outcome.tables.connections.first { $0.transport == .isochronous })
    #expect(connection.streamNumber?.group == 1 && connection.streamNumber?.stream == 2 && connection.interval == 8)
    let figures = try #require(summary.channels.first?.receivedSDUs)
    #expect(figures.count == 5 && figures.missing == 1 && figures.lost == 1 && figures.invalid == 1)
    #expect(summary.channels.first?.sentSDUs.count == 0 && figures.jitter >= 0)
  }

  /// The first fragment of an SDU gives the length of all together (Core, Vol 4, Part E, 5.4.5); SDUs of another length are counted as incomplete.
  @Test func fragmentsMakeSDUs() throws {
    var scene = Self.isochronousStream
    func fragment(_ boundary: UInt8, _ payload: [UInt8], of length: UInt8 = 0, number: UInt8 = 0) -> [UInt8] {
      let load = (boundary & 1 == 0 ? [number, 0, length, 0] : []) + payload
      return [0x60, boundary << 4, UInt8(load.count), 0] + load
    }
    // Unfragmented; three fragments; a start without an end; too short; an end without a start; unfragmented and too long.
    for packet in [
      fragment(2, [1, 2], of: 2, number: 1), fragment(0, [1, 2], of: 5, number: 2), fragment(1, [3, 4]), fragment(3, [5]),
      fragment(0, [1], of: 4, number: 3), fragment(0, [1], of: 4, number: 4), fragment(3, [2]), fragment(1, [9]), fragment(3, [9]),
      fragment(2, [1, 2, 3], of: 2, number: 5),
    ] { scene.iso(.received, packet) }
    let summary = Summary()
    _ = try Timeline(SceneSource(scene)).run(CaptureFacts(name: "scene", title: "scene"), to: summary)
    let figures = try #require(summary.channels.first?.receivedSDUs)
    #expect(figures.count == 5 && figures.incomplete == 4 && figures.missing == 0)
  }
}
