import Testing

@testable import KaitaiStruct

@Suite struct ParsingTests {
  static let response = """
    meta: {id: gopro, endian: be}
    seq:
      - {id: id, type: u1}
      - {id: elements, type: element, repeat: eos}
    types:
      element:
        seq:
          - {id: key, type: u1, enum: keys}
          - {id: length, type: u1}
          - {id: value, size: length, type: {switch-on: key, cases: {'keys::battery': percent, 'keys::bars': u2}}}
      percent: {seq: [{id: percent, type: u1}]}
    enums: {keys: {1: battery, 2: other, 3: bars}}
    """

  @Test func sequenceEnumAndSwitch() throws {
    let json = try Compiled(Self.response).json([0x13, 1, 1, 0x64, 2, 2, 0xab, 0xcd, 9, 0, 3, 2, 1, 2])
    #expect(
      json == """
        {"id":19,"elements":[{"key":{"name":"battery","value":1},"length":1,"value":{"percent":100}},\
        {"key":{"name":"other","value":2},"length":2,"value":"abcd"},{"key":{"name":null,"value":9},"length":0,"value":""},\
        {"key":{"name":"bars","value":3},"length":2,"value":258}]}
        """)
  }

  @Test func rangesAreThoseOfTheInput() throws {
    let compiled = try Compiled(Self.response)
    compiled.parse([0x13, 1, 1, 0x64, 2, 2, 0xab, 0xcd])
    let tree = compiled.tree
    let elements = try compiled.node("elements")
    #expect(tree.node(elements).count == 2)
    let second = try compiled.node("elements", "1")
    #expect(tree.node(second).start == 4 && tree.node(second).end == 8)
    let value = try compiled.node("elements", "1", "value")
    #expect(tree.node(value).start == 6 && tree.node(value).end == 8)
    #expect(tree.withBytes(value) { Array($0) } == [0xab, 0xcd])
    #expect(tree.path(of: value) == "/elements/1/value")
    let first = try #require(tree.node(elements).firstChild)
    #expect(tree.node(first).next == second && tree.node(second).parent == elements)
    #expect(tree.node(try compiled.node("elements", "0", "key")).enumeration != nil)
  }

  @Test(arguments: [
    ([0x13, 1] as [UInt8], "/elements/0/length", 2, 1, 0), ([0x13, 1, 4, 0x64], "/elements/0/value", 3, 4, 1), ([], "/id", 0, 1, 0),
  ])
  func whatEndsEarlyIsThereInPart(bytes: [UInt8], path: String, offset: Int, needed: Int64, available: Int64) throws {
    let compiled = try Compiled(Self.response)
    let failure = try #require(compiled.parse(bytes))
    #expect(failure.kind == .endOfStream)
    #expect(compiled.tree.path(of: failure) == path)
    #expect(failure.offset == offset && failure.needed == needed && failure.available == available)
    var output: [UInt8] = []
    compiled.tree.appendJSON(to: &output)
    let json = String(decoding: output, as: UTF8.self)
    #expect(json.contains("\"_error\":{\"type\":\"EndOfStreamError\""))
    if !bytes.isEmpty { #expect(json.hasPrefix("{\"id\":19,\"elements\":[{\"key\":")) }
  }

  @Test func bitsInBothOrders() throws {
    let big = try Compiled(
      "{meta: {id: a}, seq: [{id: flag, type: b1}, {id: low, type: b7}, {id: ten, type: b10}, {id: rest, type: b6}, {id: byte, type: u1}]}")
    #expect(big.json([0xa5, 0xff, 0xc1, 0x07]) == #"{"flag":true,"low":37,"ten":1023,"rest":1,"byte":7}"#)
    let little = try Compiled(
      "{meta: {id: a, bit-endian: le}, seq: [{id: flag, type: b1}, {id: low, type: b7}, {id: ten, type: b10}, {id: rest, type: b6}]}")
    #expect(little.json([0xa5, 0xff, 0x07]) == #"{"flag":true,"low":82,"ten":1023,"rest":1}"#)
    let node = try big.node("ten")
    #expect(big.tree.node(node).start == 1 && big.tree.node(node).end == 3 && big.tree.node(node).endBit == 2)
  }

  @Test func everyEncodingGivesUnicode() throws {
    let names: [(String, [UInt8], String)] = [
      ("UTF-8", Array("gr\u{fc}n".utf8), "gr\u{fc}n"), ("ASCII", [0x41, 0x42], "AB"), ("UTF-16LE", [0x41, 0, 0xac, 0x20], "A\u{20ac}"),
      ("UTF-16BE", [0x20, 0xac], "\u{20ac}"), ("UTF-32LE", [0x01, 0xf6, 0x01, 0], "\u{1f601}"), ("IBM437", [0xb0], "\u{2591}"),
      ("ISO-8859-1", [0xe9], "\u{e9}"), ("ISO-8859-15", [0xa4], "\u{20ac}"), ("windows-1252", [0x80], "\u{20ac}"),
      ("windows-1251", [0xc0], "\u{410}"), ("KOI8-R", [0xc1], "\u{430}"),
    ]
    for (name, bytes, text) in names {
      let compiled = try Compiled("{meta: {id: a, encoding: \(name)}, seq: [{id: s, type: str, size-eos: true}]}")
      #expect(compiled.parse(bytes) == nil)
      let node = try #require(compiled.tree.node(compiled.tree.root).firstChild)
      #expect(compiled.tree.string(node) == text, "\(name)")
      let encoding = Encoding(name)
      #expect(encoding.encode(Array(text.utf8)) == bytes, "\(name)")
    }
  }

  @Test func attributesWithDashesAreKept() throws {
    let compiled = try Compiled(
      """
      {meta: {id: a}, -say: "level {level}", seq: [{id: level, type: u1, -unit: percent, -scale: 0.1, -hidden: true, -vendor: [1, 2]}]}
      """)
    let field = try #require(compiled.program.field("level", of: compiled.root))
    #expect(compiled.program.attribute("-unit", of: field) == "percent")
    #expect(compiled.program.attribute("-scale", of: field) == "0.1")
    #expect(compiled.program.attribute("-hidden", of: field) == "true")
    #expect(compiled.program.attribute("-vendor", of: field) == nil)
    #expect(compiled.program.attribute("-say", of: compiled.root) == "level {level}")
  }

  @Test func textFormHasRanges() throws {
    let compiled = try Compiled(Self.response)
    compiled.parse([0x13, 1, 1, 0x64])
    var output: [UInt8] = []
    compiled.tree.appendText(to: &output)
    #expect(
      String(decoding: output, as: UTF8.self) == """
        00000000..00000004     gopro
        00000000..00000001       id: 19
        00000001..00000004       elements: 1 elements
        00000001..00000004         0: gopro::element
        00000001..00000002           key: battery (1)
        00000002..00000003           length: 1
        00000003..00000004           value: gopro::percent
        00000003..00000004             percent: 100

        """)
  }

  @Test func aTreeIsUsedAgain() throws {
    let compiled = try Compiled(Self.response)
    for _ in 0..<3 {
      #expect(compiled.parse([0x13, 1]) != nil)
      #expect(compiled.parse([0x13, 1, 1, 0x64]) == nil)
      #expect(compiled.tree.failure == nil)
      #expect(compiled.tree.nodeCount == 8)
    }
  }
}
