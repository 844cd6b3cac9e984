import Testing
import TestSupport

@testable import KaitaiStruct

private func fields(_ fields: KeyValuePairs<String, FieldTree>) -> FieldTree { .object(fields.map { ($0.key, $0.value) }) }

@Suite struct WriterTests {
  func write(_ text: String, _ value: FieldTree, as type: String? = nil) throws -> [UInt8] {
    let compiled = try Compiled(text)
    return try Writer(compiled.program).write(type.flatMap(compiled.program.type) ?? compiled.root, value)
  }

  @Test func whatFollowsIsFilledIn() throws {
    let text = """
      meta: {id: a, endian: be, encoding: UTF-8}
      seq:
        - {id: magic, contents: [0xaa, 0x55]}
        - {id: version, type: u1, valid: 2}
        - {id: kind, type: u1, enum: kinds}
        - {id: len_name, type: u2}
        - {id: name, type: str, size: len_name}
        - {id: count, type: u1}
        - {id: items, type: item, repeat: expr, repeat-expr: count}
        - {id: fixed, type: strz, size: 4}
        - {id: crc, type: u1, if: kind == kinds::long}
      types:
        item: {seq: [{id: length, type: u1}, {id: data, size: length - 1}]}
      enums: {kinds: {1: short, 2: long}}
      """
    let bytes = try write(
      text,
      fields([
        "kind": .text("short"), "name": .text("grün"), "fixed": .text("ab"),
        "items": .list([fields(["data": .text("0102")]), fields(["data": .bytes([])])]),
      ]))
    #expect(bytes == [0xaa, 0x55, 2, 1, 0, 5, 0x67, 0x72, 0xc3, 0xbc, 0x6e, 2, 3, 1, 2, 1, 0x61, 0x62, 0, 0])
    #expect(throws: WriteError(path: "/crc", message: "the field is not given")) {
      try write(text, fields(["kind": .int(2), "name": .text(""), "items": .list([]), "fixed": .text("")]))
    }
    #expect(
      throws: WriteError(path: "/kind", message: "\"shrt\" is not in the enum (did you mean \"short\"?); expected one of: short, long")
    ) {
      try write(text, fields(["kind": .text("shrt")]))
    }
    #expect(throws: WriteError(path: "", message: "\"a\" has no field \"nam\" (did you mean \"name\"?)")) {
      try write(text, fields(["nam": .text("")]))
    }
    #expect(throws: WriteError(path: "/fixed", message: "the value has 5 bytes, there is room for 4")) {
      try write(text, fields(["kind": .int(1), "name": .text(""), "items": .list([]), "fixed": .text("abcde")]))
    }
  }

  /// A field without a name is not filled with more bytes than a message may have.
  @Test func hiddenFieldsAreBounded() throws {
    let text = "{meta: {id: a}, seq: [{id: x, type: u1}, {size: 2000000000}]}"
    #expect(throws: WriteError(path: "/_unnamed1", message: "the size 2000000000 is beyond the limit")) {
      try write(text, fields(["x": .int(1)]))
    }
  }

  @Test func headersAreFoundThroughTheirInstances() throws {
    let text = """
      meta: {id: a}
      seq:
        - {id: continuation, type: b1}
        - {id: counter, type: b7, if: continuation}
        - {id: kind, type: b2, enum: kinds, if: not continuation}
        - {id: length5, type: b5, if: not continuation and kind == kinds::general}
        - {id: length13, type: b13, if: not continuation and kind == kinds::extended}
      instances:
        length: {value: "kind == kinds::general ? length5 : length13"}
      enums: {kinds: {0: general, 1: extended}}
      """
    #expect(try write(text, fields(["continuation": .bool(false), "kind": .text("general"), "length": .int(9)])) == [9])
    #expect(try write(text, fields(["continuation": .bool(false), "kind": .text("extended"), "length": .int(300)])) == [0x21, 0x2c])
    #expect(try write(text, fields(["continuation": .bool(true), "counter": .int(3)])) == [0x83])
    #expect(throws: WriteError(path: "/length5", message: "40 does not fit 5 bits")) {
      try write(text, fields(["continuation": .bool(false), "kind": .text("general"), "length": .int(40)]))
    }
  }

  @Test func computedValuesAreTurnedRound() throws {
    let text = """
      {meta: {id: a, endian: le}, seq: [{id: raw, type: s2}, {id: high, type: u1}, {id: low, type: u1}],
       instances: {celsius: {value: raw / 10.0 - 40}, address: {value: high << 8 | low}}}
      """
    #expect(try write(text, fields(["celsius": .double(-17.3), "address": .int(0x1234)])) == [227, 0, 0x12, 0x34])
  }

  @Test func theSizeMayStandInTheHeader() throws {
    let text = """
      meta: {id: a}
      seq: [{id: header, type: header}, {id: body, size: header.length, type: {switch-on: header.kind, cases: {1: one}}}]
      types:
        header: {seq: [{id: kind, type: u1}, {id: length, type: u1}]}
        one: {seq: [{id: x, type: u2be}, {id: rest, size-eos: true}]}
      """
    let value = fields([
      "header": fields(["kind": .int(1)]), "body": fields(["x": .int(0x0102), "rest": .bytes([3, 4])]),
    ])
    #expect(try write(text, value) == [1, 4, 1, 2, 3, 4])
    #expect(try write(text, fields(["header": fields(["kind": .int(9)]), "body": .bytes([7])])) == [9, 1, 7])
  }

  static let trips: [(String, [UInt8])] = [
    (ParsingTests.response, [0x13, 1, 1, 0x64, 2, 2, 0xab, 0xcd, 9, 0, 3, 2, 1, 2]),
    (
      "{meta: {id: a, bit-endian: le}, seq: [{id: f, type: b3}, {id: g, type: b7}, {id: h, type: b6}, {id: i, type: u1}]}", [0xa5, 0x5a, 7]
    ),
    ("{meta: {id: a}, seq: [{id: f, type: b3}, {id: g, type: b64}, {id: h, type: b5}]}", [0xa5, 1, 2, 3, 4, 5, 6, 7, 8]),
    (
      "{meta: {id: a, endian: le}, seq: [{id: a, type: f4}, {id: b, type: f8be}, {id: c, type: s8}, {id: d, type: u8}]}",
      [
        0, 0, 0x20, 0x41, 0x40, 9, 0x21, 0xfb, 0x54, 0x44, 0x2d, 0x18, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x80, 1, 2, 3, 4, 5, 6, 7,
        0xff,
      ]
    ),
    (
      "{meta: {id: a, encoding: UTF-16LE}, seq: [{id: s, type: strz}, {id: t, type: strz, size: 6}]}",
      [0x41, 0, 0xac, 0x20, 0, 0, 0x42, 0, 0, 0, 0, 0]
    ),
    ("{meta: {id: a, encoding: SJIS}, seq: [{id: n, type: u1}, {id: s, type: str, size: n}]}", [4, 0x82, 0xb1, 0x82, 0xf1]),
    (
      "{meta: {id: a}, seq: [{id: k, type: u1}, {id: b, size: 5, process: xor(k)}, {id: c, size: 3, process: rol(3)}]}",
      [0x5a, 1, 2, 3, 4, 5, 9, 8, 7]
    ),
    (
      "{meta: {id: a}, seq: [{id: l, terminator: 0x0a, repeat: until, repeat-until: _.length == 0}, {id: e, size-eos: true}]}",
      [0x41, 0x0a, 0x42, 0x43, 0x0a, 0x0a, 9, 9]
    ),
    (
      "{meta: {id: a}, seq: [{id: l, terminator: 0x0a, include: true}, {id: m, terminator: 0x0b, consume: false}, {id: n, type: u1}]}",
      [0x41, 0x0a, 0x42, 0x0b]
    ),
    (
      "{meta: {id: a}, seq: [{id: i, size: 2}, {id: t, type: t}], types: {t: {meta: {endian: {switch-on: _parent.i, cases: {'[73, 73]': le, _: be}}}, seq: [{id: x, type: u4}]}}}",
      [73, 73, 1, 2, 3, 4]
    ),
    (
      "{meta: {id: a}, seq: [{id: n, type: u1}, {id: x, type: t(n * 2)}], types: {t: {params: [{id: k, type: u1}], seq: [{id: y, size: k}]}}}",
      [2, 1, 2, 3, 4]
    ),
    ("{meta: {id: a}, seq: [{id: o, type: u1}, {id: x, type: u1, if: not _io.eof}, {id: y, type: u1, if: not _io.eof}]}", [1, 2]),
  ]

  @Test(arguments: trips)
  func whatIsReadIsWrittenTheSame(text: String, bytes: [UInt8]) throws {
    let compiled = try Compiled(text)
    #expect(compiled.parse(bytes) == nil)
    let value = compiled.tree.fieldTree(of: compiled.tree.root)
    #expect(try Writer(compiled.program).write(compiled.root, value) == bytes)
  }

  @Test func randomBytesComeBack() throws {
    var generator = SplitMix(state: testSeed)
    let compiled = try Compiled(
      """
      meta: {id: a, endian: le}
      seq:
        - {id: flags, type: b4}
        - {id: kind, type: b4}
        - {id: speed, type: u2, if: flags & 1 != 0}
        - {id: incline, type: s2be, if: flags & 2 == 0}
        - {id: n, type: b2}
        - {id: items, type: item(kind), repeat: expr, repeat-expr: n}
        - {id: rest, size-eos: true}
      types:
        item:
          params: [{id: kind, type: u1}]
          seq:
            - {id: len, type: b3}
            - {id: value, size: len, type: {switch-on: kind, cases: {1: raw, 2: raw}}}
        raw: {seq: [{id: a, size-eos: true}]}
      """)
    let writer = Writer(compiled.program)
    var whole = 0
    for _ in 0..<2000 {
      var bytes = (0..<Int(generator.next() % 40)).map { _ in UInt8(truncatingIfNeeded: generator.next()) }
      guard compiled.parse(bytes) == nil else { continue }
      whole += 1
      let written = try writer.write(compiled.root, compiled.tree.fieldTree(of: compiled.tree.root))
      // Bits that belong to no field are written as zeros: they are the only difference.
      #expect(written.count == bytes.count)
      compiled.parse(written)
      bytes = try writer.write(compiled.root, compiled.tree.fieldTree(of: compiled.tree.root))
      #expect(bytes == written)
    }
    #expect(whole > 100)
  }
}
