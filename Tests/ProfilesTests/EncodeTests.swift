import Memory
import Testing
import Text

@_spi(Pipeline) @testable import Profiles

/// Messages that decode with all their fields encode to the same bytes.
@Suite struct EncodeTests {
  private func encode(_ profile: String, _ message: String, _ json: String, source: String? = nil) throws -> [String] {
    let set = try ProfileSet()
    let compiled = try set.profile(try #require(set.number(profile)))
    let fields = try #require(FieldTree(json: Array(json.utf8)))
    return try MessageEncoder(compiled, of: set).encode(message, fields, source: source).packets.map(hex)
  }

  private func hex(_ bytes: [UInt8]) -> String {
    var text: [UInt8] = []
    bytes.withBorrowedBytes { text.append(hexOf: $0) }
    return String(decoding: text, as: UTF8.self)
  }

  @Test func goProByHand() throws {
    #expect(try encode("gopro", "command", #"{"id": "set_shutter", "parameters": {"mode": "on"}}"#) == ["03010101"])
    #expect(try encode("gopro", "command", #"{"id": "sleep"}"#) == ["0105"])
    #expect(try encode("gopro", "command", #"{"id": "load_preset_group", "parameters": {"group": 1000}}"#) == ["043e0203e8"])
    #expect(try encode("gopro", "query", #"{"id": "get_setting_values", "elements": [2, "frames_per_second", 121]}"#) == ["0412020379"])
    #expect(try encode("gopro", "setting", #"{"setting": {"id": "video_resolution", "value": "2.7K 4:3"}}"#) == ["03020106"])
    #expect(
      try encode("gopro", "protobuf", #"{"feature": "command", "action": 107, "fields": {"active": false}}"#, source: "command")
        == ["04f16b0800"])
    #expect(
      try encode(
        "gopro", "protobuf", #"{"feature": 2, "action": 3, "fields": {"start_index": 0, "max_entries": 100, "scan_id": 1}}"#,
        source: "network")
        == ["080203080010641801"])
  }

  @Test func longMessagesAreCut() throws {
    let packets = try encode(
      "gopro", "protobuf", #"{"feature": 2, "action": 5, "fields": {"ssid": "a network with a long name", "password": "secret secret"}}"#,
      source: "network")
    #expect(packets.count == 3)
    #expect(packets.dropLast().allSatisfy { $0.utf8.count == 40 })
    #expect(packets[1].hasPrefix("80") && packets[2].hasPrefix("81"))
  }

  @Test func registersByHand() throws {
    #expect(
      try encode("rigado-bmd", "register", #"{"command": "write", "handle": 4660, "data": "deadbeef"}"#) == ["3a07021234deadbeef4156"])
  }

  @Test(.enabled(if: Shared.vectors != nil, "the vectors are not beside the package"))
  func goProRequests() throws {
    let set = try ProfileSet()
    var count = 0
    for vector in try Shared.lines("gopro.jsonl") where vector["direction"]?.text == "write" && vector["expected"]?["header"] == nil {
      let uuid = vector["uuid"]?.text ?? ""
      let packets = vector["packets"]?.list?.compactMap(\.text) ?? []
      let source = "b5f9\(uuid.dropFirst(3).lowercased())-aa8d-11e3-9046-0002a5d5c51b"
      try same(set, "gopro", source, packets, &count, samePackets: packets.first?.hasPrefix("20") == false)
    }
    #expect(count > 180)
  }

  @Test(.enabled(if: Shared.vectors != nil, "the vectors are not beside the package"))
  func originRequests() throws {
    let set = try ProfileSet()
    var count = 0
    for vector in try Shared.lines("origins.jsonl")
    where vector["direction"]?.text == "write" && vector["expected"]?["checksum"]?.text == "ok" {
      let packets = vector["packets"]?.list?.compactMap(\.text) ?? []
      let isRegister = vector["protocol"]?.text == "register"
      try same(
        set, isRegister ? "rigado-bmd" : "typed-objects", isRegister ? "request" : "messages", packets, &count,
        samePackets: packets.count == 1)
    }
    #expect(count == 6)
  }

  private func same(
    _ set: ProfileSet, _ profile: String, _ source: String, _ packets: [String], _ count: inout Int, samePackets: Bool
  ) throws {
    let found = try decode(set, profile, source, packets, .write)
    let message = try #require(found.first)
    let compiled = try set.profile(try #require(set.number(profile)))
    let encoded = try MessageEncoder(compiled, of: set).encode(message.message ?? "", message.fields, source: source, direction: .write)
    #expect(encoded.payload == message.payload, "\(packets)")
    if samePackets { #expect(encoded.packets.map(hex) == packets) }
    count += 1
  }
}
