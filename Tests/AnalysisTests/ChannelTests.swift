import Bluetooth
import CaptureScenes
import Captures
import Conversations
@_spi(Pipeline) import Profiles
import Memory
import Testing

@_spi(Pipeline) @testable import Analysis

/// Channels without attributes: the service that SDP gives for them appears in rows, operations and the summary, and selects profiles.
@Suite struct ChannelTests {
  /// A record: handle, class 1101, L2CAP and RFCOMM channel 5, name "Tuner".
  private static let record: [UInt8] =
    [
      0x35, 0x2B, 0x09, 0x00, 0x00, 0x0A, 0x00, 0x01, 0x00, 0x01, 0x09, 0x00, 0x01, 0x35, 0x03, 0x19, 0x11, 0x01, 0x09, 0x00, 0x04, 0x35,
      0x0C, 0x35, 0x03, 0x19, 0x01, 0x00, 0x35, 0x05, 0x19, 0x00, 0x03, 0x08, 0x05, 0x09, 0x01, 0x00, 0x25, 0x05,
    ] + Array("Tuner".utf8)

  private func open(_ scene: inout Scene, psm: UInt16, local: UInt16, remote: UInt16) {
    scene.pdu(.sent, 1, [0x02, 1, 4, 0] + scene.little(psm) + scene.little(local))
    scene.pdu(.received, 1, [0x03, 1, 8, 0] + scene.little(remote) + scene.little(local) + [0, 0, 0, 0])
  }

  /// Looks for the service in an answer of `parts` bytes each, opens its channel, and sends a line each way.
  private func scene(parts: Int, offered: [UInt8] = ChannelTests.record, searched: UInt16 = 0x1101) -> Scene {
    var scene = Scene()
    scene.event(0x03, [0] + scene.little(scene.handle) + scene.octets(0x0013_efa0_0910) + [1, 0])
    open(&scene, psm: 0x01, local: 0x40, remote: 0x50)
    let answer: [UInt8] = [0x35, UInt8(offered.count)] + offered
    var at = 0
    while at < answer.count {
      let pattern = [0x35, 0x03, 0x19, UInt8(searched >> 8), UInt8(searched & 0xFF)]
      scene.pdu(.sent, 0x50, [0x06, 0, 1, 0, 15] + pattern + [0x04, 0x00, 0x35, 0x05, 0x0A, 0, 0, 0xFF, 0xFF, 0])
      let piece = Array(answer[at..<min(at + parts, answer.count)])
      at += piece.count
      let rest: [UInt8] = at < answer.count ? [1, UInt8(at)] : [0]
      let length = UInt8(2 + piece.count + rest.count)
      scene.pdu(.received, 0x40, [0x07, 0, 1, 0, length, 0, UInt8(piece.count)] + piece + rest)
    }
    open(&scene, psm: 0x03, local: 0x41, remote: 0x51)
    scene.pdu(.sent, 0x51, [0x03, 0x3F, 0x01, 0x1C])
    scene.pdu(.received, 0x41, [0x03, 0x73, 0x01, 0xD7])
    scene.pdu(.sent, 0x51, [0x2B, 0x3F, 0x01, 0x59])
    scene.pdu(.received, 0x41, [0x2B, 0x73, 0x01, 0x92])
    scene.pdu(.sent, 0x51, [0x2B, 0xFF, 0x07, 0x04] + Array("on\n".utf8) + [0x70])
    scene.pdu(.received, 0x41, [0x29, 0xEF, 0x07] + Array("ok\n".utf8) + [0x70])
    return scene
  }

  private static let profile = """
    profile: tuner
    match: {names: ["*"]}
    rfcomm: {port: {service: "1101", write: text, notify: text}}
    framings: {text: [stream: {end: "0a"}]}
    messages: {text: {type: text}}
    types: {text: {seq: [{id: line, type: str, encoding: ASCII, size-eos: true}]}}
    """

  /// Collects the sources of messages.
  private final class Sources: EventSink {
    var names: [String] = []
    func begin(_ facts: CaptureFacts) {}
    func packet(_ row: PacketRow, _ batch: RowBatch, isPart: Bool) {}
    func message(_ message: ProfileMessage, _ row: PacketRow, _ batch: RowBatch) { names.append(message.source) }
    func finding(_ finding: Finding, _ batch: RowBatch) {}
    func flush() {}
    func end(_ outcome: Outcome) {}
  }

  @Test(arguments: [12, 200]) func theServiceStandsBehindItsChannel(parts: Int) throws {
    let played = try scene(parts: parts).played()
    let service = try #require(played.tables.services.first)
    #expect(played.tables.services.count == 1)
    #expect(service.rfcommChannel == 5)
    #expect(service.name == Array("Tuner".utf8))
    #expect(!service.isLocal)
    #expect(service.uuid >= 0 && played.tables.uuids[Int(service.uuid)].short16 == 0x1101)
    let channel = played.rows.compactMap { $0.channelData?.channel }.filter { $0.layer == .rfcomm }
    #expect(channel.count == 2)
    #expect(channel.allSatisfy { $0.service == 0 && $0.dlci == 10 })
    #expect(played.valueEvents.filter { $0.source == .rfcomm }.map(\.service) == [0, 0])
    #expect(played.values.suffix(2) == [Array("on\n".utf8), Array("ok\n".utf8)])
  }

  /// A record without ServiceClassIDList has the class that was searched for; a pattern of a protocol (0003) tells none.
  @Test(arguments: [(0x1101, true), (0x0003, false)] as [(UInt16, Bool)]) func aRecordHasTheClassThatWasSearched(
    _ searched: UInt16, _ isClass: Bool
  ) throws {
    let record: [UInt8] = [
      0x35, 0x11, 0x09, 0x00, 0x04, 0x35, 0x0C, 0x35, 0x03, 0x19, 0x01, 0x00, 0x35, 0x05, 0x19, 0x00, 0x03, 0x08, 0x05,
    ]
    let played = try scene(parts: 200, offered: record, searched: searched).played()
    let service = try #require(played.tables.services.first)
    #expect(service.rfcommChannel == 5)
    #expect((service.uuid < 0 ? nil : played.tables.uuids[Int(service.uuid)].short16) == (isClass ? 0x1101 : nil))
  }

  /// Where a record has no class, the data tell the protocol of its channel: AT commands are the Hands-Free Profile's.
  @Test func dataTellTheProtocolOfAServiceWithoutClass() throws {
    let record: [UInt8] = [
      0x35, 0x11, 0x09, 0x00, 0x04, 0x35, 0x0C, 0x35, 0x03, 0x19, 0x01, 0x00, 0x35, 0x05, 0x19, 0x00, 0x03, 0x08, 0x05,
    ]
    var scene = scene(parts: 200, offered: record, searched: 0x0003)
    let command = Array("AT+BRSF=63\r".utf8)
    scene.pdu(.sent, 0x51, [0x2B, 0xEF, UInt8(command.count << 1 | 1)] + command + [0x70])
    #expect(try scene.played().rows.contains { $0.layer == .hfp })
  }

  @Test func operationsAndSummaryNameIt() throws {
    let operations = try OperationCollector.run(scene(parts: 200))
    let links = operations.filter { $0.channel?.dlci == 10 }
    #expect(links.map(\.kind) == [.channel, .data, .data])
    #expect(links.first?.ending == .succeeded)
    #expect(links.first?.latency == 10_000)
    #expect(links.dropFirst().map(\.bytes) == [3, 3])
    #expect(links.map(\.isIncoming) == [false, false, true])
    let summary = Summary()
    _ = try Timeline(SceneSource(scene(parts: 200))).run(CaptureFacts(name: "scene", title: "scene"), to: summary)
    let port = try #require(summary.channels.first { $0.channel.dlci == 10 })
    #expect(port.sent == (1, 3))
    #expect(port.received == (1, 3))
  }

  @Test func aRefusedLinkFails() throws {
    var scene = scene(parts: 200)
    scene.pdu(.sent, 0x51, [0x3B, 0x3F, 0x01, 0x59])
    scene.pdu(.received, 0x41, [0x3B, 0x1F, 0x01, 0x92])
    let refused = try #require(try OperationCollector.run(scene).first { $0.channel?.dlci == 14 })
    #expect(refused.ending == .failed)
  }

  /// Profiles are selected by the service, whatever its channel; without SDP only by a channel that the profile names.
  @Test func profilesFindTheirChannelByItsService() throws {
    func messages(_ profile: String, _ scene: Scene) throws -> [String] {
      var options = Timeline.Options()
      options.profiles = try ProfileSet(builtin: false, texts: [(profile, "tuner.yaml", .given)])
      let sources = Sources()
      _ = try Timeline(SceneSource(scene), options: options).run(CaptureFacts(name: "scene", title: "scene"), to: sources)
      return sources.names
    }
    #expect(try messages(Self.profile, scene(parts: 12)) == ["port", "port"])
    // The channel's service class is 1105, which this profile does not name.
    var other = Self.record
    other[17] = 0x05
    #expect(try messages(Self.profile, scene(parts: 200, offered: other)) == [])
    let byChannel = Self.profile.replacing("service: \"1101\"", with: "service: \"1101\", channel: 5")
    #expect(try messages(byChannel, scene(parts: 200, offered: [0x09, 0, 0])) == ["port", "port"])
  }

  /// The capture begins inside a connection: frames with a right check sequence are taken for RFCOMM, others are not.
  @Test func framesAreKnownByTheirCheckSequence() throws {
    var scene = Scene()
    let uih: [UInt8] = [0x19, 0xEF, 0x07] + Array("on\n".utf8)
    let right = scene.pdu(.received, 0x42, uih + [0x55])
    let wrong = scene.pdu(.received, 0x42, uih + [0x54])
    let short = scene.pdu(.received, 0x42, [0x19, 0xEF, 0x09] + Array("on\n".utf8) + [0x55])
    let fixed = scene.pdu(.received, 0x06, uih + [0x55])
    let played = try scene.played()
    #expect(played[right]?.layer == .rfcomm)
    #expect(played[wrong]?.layer == .l2cap)
    #expect(played[short]?.layer == .l2cap)
    #expect(played[fixed]?.layer != .rfcomm)
    #expect(played.valueEvents.map { Array($0.bytes.buffer) } == [Array("on\n".utf8)])
    #expect(played.valueEvents.first?.psm == 3)
  }

  /// Decoding ends whatever lengths a response has.
  @Test func brokenRecordsTeachNothing() throws {
    for index in Self.record.indices {
      for value: UInt8 in [0x00, 0x35, 0x36, 0x37, 0x7F, 0xFF] {
        var broken = Self.record
        broken[index] = value
        let played = try scene(parts: 20, offered: broken).played()
        #expect(played.tables.services.count <= 1)
      }
    }
  }
}
