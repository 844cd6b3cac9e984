import CaptureScenes
import Captures
import Conversations
@_spi(Pipeline) import Profiles
import Testing

@_spi(Pipeline) @testable import Analysis

/// Findings in messages of profiles.
@Suite struct MessageFindingTests {
  private static let profiles = Result { try ProfileSet(builtin: true) }

  private func run(_ source: any PacketSource) throws -> Collector {
    var options = Timeline.Options()
    options.profiles = try Self.profiles.get()
    let collector = Collector()
    _ = try Timeline(source, options: options).run(CaptureFacts(name: "scene", title: "scene"), to: collector)
    return collector
  }

  private func ids(_ sample: String) throws -> Set<String> {
    Set(try run(CaptureFile.open("\(Package.root)/Samples/\(sample)")).ids)
  }

  /// A camera's query and query-answer, discovered, and subscribed to if `isSubscribed`.
  private func camera(isSubscribed: Bool) -> Scene {
    var scene = Scene()
    scene.connect()
    scene.discoverCamera(isSubscribed: isSubscribed)
    return scene
  }

  private let query: [UInt8] = [0x12, 0x37, 0, 0x02, 0x13, 0x46]
  private let answer: [UInt8] = [0x1B, 0x39, 0, 0x05, 0x13, 0x00, 0x46, 0x01, 0x49]

  @Test func whatIsWrongWithTheSamples() throws {
    #expect(try ids("counter-gap.btsnoop").isSuperset(of: ["counter-jumps", "message-incomplete"]))
    #expect(try ids("counter-repeated.btsnoop").isSuperset(of: ["counter-jumps", "message-surplus", "unjoined-bytes"]))
    #expect(try ids("overtaken.btsnoop").contains("message-incomplete"))
    #expect(try ids("surplus.btsnoop").contains("message-surplus"))
    #expect(try ids("typed-object.pcapng").contains("checksum-wrong"))
    // There is no subscription, and the responses came all the same.
    #expect(try !ids("unsubscribed.btsnoop").contains("answer-missed"))
    // Where the profile knows the response, the generic finding is not reported as well.
    #expect(try !ids("unsubscribed.btsnoop").contains("answer-may-be-missed"))
  }

  @Test func nothingIsWrongWithTheOthers() throws {
    for sample in ["gopro.btsnoop", "gopro-monitor.btsnoop", "two-cameras.btsnoop", "register.btsnoop", "heart-rate.btsnoop"] {
      let found = try ids(sample).subtracting(["request-refused", "connection-lost"])
      #expect(found.isEmpty, "\(sample): \(found)")
    }
  }

  /// The messages that a profile decoded: frame, handle, name.
  private final class Reader: EventSink {
    var read: [String] = []
    func begin(_ facts: CaptureFacts) {}
    func packet(_ row: PacketRow, _ batch: RowBatch, isPart: Bool) {}
    func message(_ message: ProfileMessage, _ row: PacketRow, _ batch: RowBatch) {
      read.append("\(row.frame) \(row.attributeHandle) \(row.uuidSource) \(message.frames) \(message.name ?? "")")
    }
    func finding(_ finding: Finding, _ batch: RowBatch) {}
    func flush() {}
    func end(_ outcome: Outcome) {}
  }

  @Test(arguments: [false, true])
  func aMessageIsOfTheAttributeAndThePacketThatCarriedIt(isLive: Bool) throws {
    var scene = Scene()
    scene.connect()
    scene.discover(0x2A19, at: 0x19)
    scene.discover(0x2A00, at: 0x29, service: 0x1800)
    scene.send([0x20, 0x19, 0, 0x29, 0])
    let several = scene.receive([0x21, 1, 0, 90, 2, 0, 0x41, 0x42])
    let notified = scene.receive([0x23, 0x29, 0, 1, 0, 0x43, 0x19, 0, 1, 0, 91])
    scene.send([0x0A, 0x29, 0])
    let full = scene.receive([0x0B] + [UInt8](repeating: 0x44, count: 22))
    scene.send([0x0A, 0x19, 0])
    let next = scene.receive([0x0B, 92])
    scene.send([0x0A, 0x29, 0])
    let last = scene.receive([0x0B] + [UInt8](repeating: 0x45, count: 22))
    var options = Timeline.Options()
    options.profiles = try Self.profiles.get()
    options.isLive = isLive
    let reader = Reader()
    _ = try Timeline(SceneSource(scene, inPiecesOf: isLive ? 1 : nil), options: options)
      .run(CaptureFacts(name: "scene", title: "scene"), to: reader)
    let battery = "battery_level", name = "device_name"
    #expect(
      reader.read == [
        "\(several) 25 discovery [\(several)] \(battery)", "\(several) 41 discovery [\(several)] \(name)",
        "\(notified) 41 discovery [\(notified)] \(name)", "\(notified) 25 discovery [\(notified)] \(battery)",
        "\(full) 41 discovery [\(full)] \(name)", "\(next) 25 discovery [\(next)] \(battery)",
        "\(last) 41 discovery [\(last)] \(name)",
      ])
  }

  @Test func aRequestBeforeItsAnswersAreSubscribedTo() throws {
    var late = camera(isSubscribed: false)
    late.send(query)
    late.receive([0x13])
    #expect(try run(SceneSource(late)).ids == ["answer-missed"])
    var inTime = camera(isSubscribed: true)
    inTime.send(query)
    inTime.receive([0x13])
    inTime.receive(answer)
    #expect(try run(SceneSource(inTime)).findings.isEmpty)
  }

  @Test func aRequestWithoutAnAnswer() throws {
    var scene = camera(isSubscribed: true)
    let request = scene.send(query)
    scene.receive([0x13])
    scene.time += 5_000_000
    scene.disconnect()
    let found = try run(SceneSource(scene))
    #expect(found.ids == ["request-unanswered"])
    #expect(found.texts.first?.contains(" #\(request) ") == true)
    // Disconnected at once: the device had no time to respond.
    var short = camera(isSubscribed: true)
    short.send(query)
    short.receive([0x13])
    short.disconnect()
    #expect(try run(SceneSource(short)).findings.isEmpty)
  }

  /// Where other requests are answered, a message of a kind that never is has no answer, or one that the profile does not know.
  @Test func aKindThatIsNeverAnswered() throws {
    let text = """
      profile: lamp
      match: {services: [180f]}
      characteristics:
        request: {uuid: 2a19, write: [{when: "_payload[0] == 1", message: ask}, {when: "_payload[0] == 2", message: set}]}
        answer: {uuid: 2a1a, notify: told, answers: {request: number == _request.number}}
      types:
        ask: {seq: [{id: kind, type: u1}, {id: number, type: u1}]}
        set: {seq: [{id: kind, type: u1}, {id: number, type: u1}, {id: level, type: u1}]}
        told: {seq: [{id: number, type: u1}, {id: level, type: u1}]}
      """
    func found(isAsked: Bool) throws -> [String] {
      var scene = Scene()
      scene.connect()
      scene.discover(0x2A19, at: 0x19, service: 0x180F)
      scene.discover(0x2A1A, at: 0x29, service: 0x180F)
      scene.send([0x12, 0x2A, 0, 1, 0])
      scene.receive([0x13])
      if isAsked {
        scene.send([0x52, 0x19, 0, 1, 7])
        scene.receive([0x1B, 0x29, 0, 7, 50])
      }
      scene.send([0x52, 0x19, 0, 2, 8, 100])
      scene.time += 5_000_000
      scene.disconnect()
      var options = Timeline.Options()
      options.profiles = try ProfileSet(builtin: false, texts: [(text, "lamp.yaml", .user)])
      let collector = Collector()
      _ = try Timeline(SceneSource(scene), options: options).run(CaptureFacts(name: "scene", title: "scene"), to: collector)
      return collector.ids
    }
    #expect(try found(isAsked: true) == [])
    #expect(try found(isAsked: false) == ["request-unanswered"])
  }

  @Test func aRequestSentAgain() throws {
    var scene = camera(isSubscribed: true)
    let request = scene.send(query)
    scene.receive([0x13])
    scene.time += 1_000_000
    scene.send(query)
    scene.receive([0x13])
    scene.receive(answer)
    let found = try run(SceneSource(scene))
    #expect(found.ids == ["request-repeated"])
    #expect(found.texts.first?.contains(" #\(request) ") == true)
    // A repeated request after the response is polling.
    var polling = camera(isSubscribed: true)
    for _ in 0..<3 {
      polling.send(query)
      polling.receive([0x13])
      polling.receive(answer)
      polling.time += 1_000_000
    }
    #expect(try run(SceneSource(polling)).findings.isEmpty)
  }
}

extension Scene {
  /// Discovers a camera's query (0x37) and query-answer (0x39), and subscribes to its answers if `isSubscribed`.
  mutating func discoverCamera(isSubscribed: Bool) {
    // b5f900NN-aa8d-11e3-9046-0002a5d5c51b, little-endian.
    let uuid: (UInt8) -> [UInt8] = {
      [0x1b, 0xc5, 0xd5, 0xa5, 0x02, 0x00, 0x46, 0x90, 0xe3, 0x11, 0x8d, 0xaa, $0, 0x00, 0xf9, 0xb5]
    }
    send([0x02, 0xB9, 0])
    receive([0x03, 0xB9, 0])
    send([0x10, 1, 0, 0xFF, 0xFF, 0x00, 0x28])
    receive([0x11, 6, 0x2B, 0, 0x3A, 0, 0xA6, 0xFE])
    send([0x08, 0x2B, 0, 0x3A, 0, 0x03, 0x28])
    receive([0x09, 21, 0x36, 0, 0x08, 0x37, 0] + uuid(0x76) + [0x38, 0, 0x10, 0x39, 0] + uuid(0x77))
    send([0x04, 0x3A, 0, 0x3A, 0])
    receive([0x05, 1, 0x3A, 0, 0x02, 0x29])
    if isSubscribed {
      send([0x12, 0x3A, 0, 1, 0])
      receive([0x13])
    }
  }
}
