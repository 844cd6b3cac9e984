import Memory
import Testing

@_spi(Pipeline) @testable import Profiles

/// Every published vector of the Open GoPro protocol decodes to its expected values.
@Suite struct GoProTests {
  @Test(.enabled(if: Shared.vectors != nil, "the vectors are not beside the package"))
  func allVectors() throws {
    let set = try ProfileSet()
    let vectors = try Shared.lines("gopro.jsonl")
    #expect(vectors.count > 400)
    for vector in vectors {
      guard let name = vector["name"]?.text, let uuid = vector["uuid"]?.text, let expected = vector["expected"] else {
        Issue.record("a vector without name, uuid or expectation")
        continue
      }
      var packets = vector["packets"]?.list?.compactMap(\.text) ?? []
      var direction = ValueDirection.allCases.first { $0.key == vector["direction"]?.text }
      var source = "b5f9\(uuid.dropFirst(3).lowercased())-aa8d-11e3-9046-0002a5d5c51b"
      switch uuid {
      case "AD":
        // The company's data, behind flags, services, length, type and company identifier.
        packets = packets.map { String($0.dropFirst(22)) }
        (source, direction) = ("advertisement", .advertise)
      case "SCAN_RSP":
        packets = packets.map { String($0.dropFirst(32)) }
        (source, direction) = ("identity", .advertise)
      case "SVCDATA fea6": (source, direction) = ("identity", .advertise)
      default: break
      }
      let isPayload = vector["direction"]?.text == "payload"
      let found = try decode(set, "gopro", source, packets, isPayload ? .notify : direction, payload: isPayload)
      #expect(found.count == 1, "\(name)")
      guard let message = found.first else { continue }
      #expect(message.isComplete, "\(name)")
      check(name, expected, message.message ?? "", message.fields, message.payload)
    }
  }

  private func check(_ name: String, _ expected: FieldTree, _ message: String, _ fields: FieldTree, _ payload: [UInt8]) {
    let kind = expected["kind"]?.text
    // The two examples of packets carry ascending bytes, which are no message.
    if expected["header"] == nil {
      if let kind, kind != "direct_read" { #expect(message == kind, "\(name)") }
      let id = message == "setting" ? fields["setting"]?["id"] : fields["id"]
      if let wanted = expected["id"] { #expect(id?.plain == wanted, "\(name)") }
      if let wanted = expected["status"], message != "protobuf" { #expect(fields["status"]?.plain == wanted, "\(name)") }
    }
    if let wanted = expected["payload"]?.text { #expect([UInt8](hex: wanted) == payload, "\(name)") }
    if let wanted = expected["value"], message == "setting" {
      #expect(fields["setting"]?["value"]?.plain == wanted, "\(name)")
      #expect(fields["setting"]?["value"]?["name"] != .null, "\(name) has no name")
    }
    if let wanted = expected["value"], message == "keep_alive" { #expect(fields["value"] == wanted, "\(name)") }
    if let wanted = expected["elements"]?.list { #expect(fields["elements"]?.list?.map(\.plain) == wanted, "\(name)") }
    if let values = expected["values"]?.object {
      let found = fields["values"]?.list ?? []
      for (id, value) in values {
        let same = found.filter { $0["id"]?.plain == .int(Int64(id) ?? -1) }.map { $0["value"]?.plain ?? .null }
        let isSame = same.count == 1 ? same[0] == value || same[0].number == value.number && value.number != nil : .list(same) == value
        #expect(isSame, "\(name): \(id) is \(FieldTree.list(same).json), not \(value.json)")
      }
    }
    if message == "protobuf" {
      #expect(fields["feature"]?.plain == expected["feature"], "\(name)")
      #expect(fields["action"] == expected["action"], "\(name)")
      for (field, value) in expected["fields"]?.object ?? [] {
        let found = fields["fields"]?[field]
        #expect(found == value || found?["name"] == value || found?["value"] == value, "\(name): \(field)")
      }
    }
    if let text = expected["text"] { #expect(fields["text"] == text, "\(name)") }
    let answer = fields["values"]
    for key in [
      "major", "minor", "model_number", "model_name", "firmware_version", "serial_number", "ap_ssid", "ap_mac_address", "trailing",
    ] {
      if let wanted = expected[key], message == "command_response" { #expect(answer?[key] == wanted, "\(name): \(key)") }
    }
    let time = answer?["date_time"]
    for key in ["year", "month", "day", "hour", "minute", "second"] {
      if let wanted = expected[key] { #expect((time?["date_time"] ?? time)?[key] == wanted, "\(name): \(key)") }
    }
    if let wanted = expected["weekday"] { #expect(time?["weekday"]?.plain == wanted, "\(name)") }
    if let wanted = expected["utc_offset_min"] { #expect(time?["utc_offset"] == wanted, "\(name)") }
    if let wanted = expected["is_dst"] { #expect(time?["daylight_saving"]?.number == wanted.number, "\(name)") }
    for key in ["schema_version", "camera_id", "id_hash", "serial", "ap_mac"] {
      if let wanted = expected[key] { #expect(fields[key]?.plain == wanted, "\(name): \(key)") }
    }
  }

  @Test func twoCamerasDoNotMix() throws {
    let set = try ProfileSet()
    let engine = ProfileEngine(set)
    let links = [engine.connect(PeerFacts()), engine.connect(PeerFacts())]
    let uuid = try #require(BluetoothUUID("b5f90077-aa8d-11e3-9046-0002a5d5c51b"))
    let slots = links.map { engine.slot($0, uuid: uuid) }
    #expect(slots == [0, 0])
    var described: [[UInt8]] = []
    func feed(_ index: Int, _ hex: String) {
      ([UInt8](hex: hex) ?? []).withBorrowedBytes {
        _ = engine.feed(links[index], slots[index], .notify, $0, frame: described.count, time: 0)
      }
      described += engine.messages.map { Array($0.payload) }
    }
    feed(0, "2008530001020304")
    feed(1, "2009530002050607")
    feed(1, "80fffefdfc")
    feed(0, "80f1f2")
    #expect(described == [[0x53, 0, 2, 5, 6, 7, 0xff, 0xfe, 0xfd], [0x53, 0, 1, 2, 3, 4, 0xf1, 0xf2]])
  }

  @Test func whatGoesWrongIsReported() throws {
    let set = try ProfileSet()
    // A start before the end of a message; a continuation without a start; a counter gap; more bytes than announced.
    let found = try decode(
      set, "gopro", "query-answer",
      ["2014530001020304", "0553000101aa", "80112233", "200953000101", "82020a030b04", "05530046014bffff"], .notify)
    #expect(found.map(\.isComplete) == [false, true, false, true, true])
    #expect(found[0].problem.contains("overtaken"))
    #expect(found[2].problem.contains("without a start"))
    #expect(found[3].problem.contains("counter"))
    #expect(found[4].fields["values"]?.list?.first?["value"] == .int(75))
  }
}
