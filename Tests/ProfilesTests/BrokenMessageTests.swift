import Memory
import Testing

@_spi(Pipeline) @testable import Profiles

/// Malformed bytes and values.
@Suite struct BrokenMessageTests {
  private static let bodies = """
    profile: bodies
    characteristics:
      list: {uuid: fff1, value: wrapped}
      scaled: {uuid: fff2, write: scaled}
      cut: {uuid: fff4, write: bytes, framing: [{stream: {length: 8, build: {size: 4}}}]}
    messages: {scaled: {body: protobuf Scaled}}
    protobufs: {Scaled: {1: {field: sint64 value, -scale: 0.001}}}
    types:
      wrapped: {seq: [{id: kind, type: u1}, {id: body, size-eos: true, -body: cbor}]}
      bytes: {seq: [{id: all, size: 8}]}
    """

  /// A message's JSON row, parsed.
  private func row(_ bytes: [UInt8]) throws -> FieldTree {
    let set = try ProfileSet(builtin: false, texts: [(Self.bodies, "t.yaml", .given)])
    let engine = ProfileEngine(set)
    let link = engine.connect(PeerFacts())
    let slot = engine.slot(link, profile: try set.profile(0), source: "list")
    _ = bytes.withBorrowedBytes { engine.feed(link, slot, .write, $0, frame: 1, time: 0) }
    var output: [UInt8] = []
    try #require(engine.messages.count == 1)
    engine.messages[0].appendRow(to: &output)
    engine.messages[0].appendText(to: &output)
    output.removeAll()
    engine.messages[0].appendRow(to: &output)
    return try #require(FieldTree(json: output), "no JSON: \(String(decoding: output.prefix(400), as: UTF8.self))")
  }

  @Test func listsInListsHaveNoNames() throws {
    let body = try row([7, 0x82, 0x82, 1, 2, 0x81, 0x80])["fields"]?["body"]
    #expect(body == .list([.list([.int(1), .int(2)]), .list([.list([])])]))
  }

  @Test(
    arguments: [[0x82, 0x82, 1], [0xA1, 0x61, 0x61, 0x82, 0x1C], [0x9F, 0xA1, 0x01, 0x82, 0x82, 0x5A, 0xFF, 0xFF, 0xFF, 0xFF]] as [[UInt8]])
  func whatBreaksOffIsClosed(cbor: [UInt8]) throws {
    _ = try row([7] + cbor)
  }

  @Test(arguments: [0x81, 0x9F, 0xA1, 0xBF, 0xC1] as [UInt8])
  func listsWithoutEndMeetALimit(start: UInt8) throws {
    _ = try row([7] + (0..<100_000).flatMap { _ in start & 0xE0 == 0xA0 ? [start, 1] : [start] })
  }

  private func encode(_ message: String, _ json: String, packetSize: Int? = nil) throws -> [[UInt8]] {
    let set = try ProfileSet(builtin: false, texts: [(Self.bodies, "t.yaml", .given)])
    let encoder = MessageEncoder(try set.profile(0), of: set)
    encoder.packetSize = packetSize
    return try encoder.encode(message, try #require(FieldTree(json: Array(json.utf8)))).packets
  }

  @Test func numbersThatDoNotFitAreRefused() throws {
    #expect(try encode("scaled", #"{"value": 1.5}"#) == [[0x08, 0xB8, 0x17]])
    for number in ["1e300", "-1e300", "1e17"] { #expect(throws: EncodeError.self) { try encode("scaled", "{\"value\": \(number)}") } }
  }

  @Test(arguments: [0, -1, Int.min])
  func packetsHoldSomething(size: Int) throws {
    #expect(try encode("bytes", #"{"all": "0001020304050607"}"#) == [[0, 1, 2, 3], [4, 5, 6, 7]])
    #expect(throws: EncodeError.self) { try encode("bytes", #"{"all": "0001020304050607"}"#, packetSize: size) }
  }

  /// A self-describing body may be malformed in an intact message: that is a problem of the message.
  @Test(arguments: [
    ("a2616101", "CBOR at byte 5: ends too early"), ("a16131", "CBOR at byte 4: ends too early"),
    ("9f01", "CBOR at byte 3: ends too early"),
    ("ff", "CBOR at byte 1: an item that cannot stand here"), ("a1616101ff", "CBOR ends at byte 5, 1 bytes before its end"),
  ])
  func brokenBodiesAreReported(body: String, problem: String) throws {
    let row = try row([7] + (try #require([UInt8](hex: body))))
    #expect(row["problem"] == .text(problem))
  }

  @Test func textsInPiecesAreWhole() throws {
    let row = try row([7] + (try #require([UInt8](hex: "bf61617f61626163ff61785f4101ffff"))))
    #expect(row["problem"] == nil)
    #expect(row["fields"]?["body"] == .object([("a", .text("bc")), ("x", .text("01"))]))
  }

  /// A visitor that does not enter a part still gets the fields behind it.
  @Test func partsThatAreNotReportedAreSkipped() throws {
    let text = """
      profile: parts
      characteristics: {c: {uuid: fff1, value: m}}
      types: {m: {seq: [{id: secret, size: 5, -body: cbor, -secret: true}, {id: body, size-eos: true, -body: json}]}}
      """
    let set = try ProfileSet(builtin: false, texts: [(text, "t.yaml", .given)])
    let engine = ProfileEngine(set)
    let link = engine.connect(PeerFacts())
    let slot = engine.slot(link, profile: try set.profile(0), source: "c")
    _ = ([0xA1, 0x61, 0x61, 0x81, 0x01] + Array(#"{"a": 1"#.utf8)).withBorrowedBytes {
      engine.feed(link, slot, .notify, $0, frame: 1, time: 0)
    }
    try #require(engine.messages.count == 1)
    var output: [UInt8] = []
    engine.messages[0].appendText(to: &output)
    #expect(
      String(decoding: output, as: UTF8.self) == """
        m  m: secret (secret), body (a 1)
            problem: JSON ends too early
            secret = (secret)
            body
                a = 1   [11]

        """)
  }
}
