import Testing
import Text

@_spi(Pipeline) @testable import Profiles

/// Integers near 2⁶³ and beyond 64 bits are exact, or rejected with the reason; they are never replaced by another number.
@Suite struct LargeNumberTests {
  private func set(_ text: String) throws -> ProfileSet { try ProfileSet(builtin: false, texts: [(text, "t.yaml", .given)]) }

  /// All tests in a profile pass.
  private func passes(_ text: String, _ location: SourceLocation = #_sourceLocation) throws {
    let results = try set(text).test(0)
    #expect(!results.isEmpty, sourceLocation: location)
    for result in results {
      #expect(result.differences.isEmpty, "line \(result.line): \(result.differences.joined(separator: "; "))", sourceLocation: location)
    }
  }

  private func isRefused(_ text: String, _ line: Int, _ part: String, _ location: SourceLocation = #_sourceLocation) {
    do {
      _ = try set(text).profile(0)
      Issue.record("the profile was not refused", sourceLocation: location)
    } catch {
      #expect("\(error)".contains(part), "\(error)", sourceLocation: location)
      #expect("\(error)".contains(":\(line):"), "\(error)", sourceLocation: location)
    }
  }

  private func encode(_ text: String, _ message: String, _ json: String) throws -> String {
    let set = try set(text)
    let encoder = MessageEncoder(try set.profile(0), of: set)
    return try encoder.encode(message, try #require(FieldTree(json: Array(json.utf8)))).packets.map { String(hexOf: $0) }.joined()
  }

  private func hex(_ text: String) -> String { String(hexOf: Array(text.utf8)) }

  // MARK: Expressions

  @Test func expressionsAreExactOrFail() throws {
    try passes(
      """
      profile: p
      characteristics: {c: {uuid: fff1, notify: m}}
      types:
        m:
          seq: [{id: u, type: u8be}]
          instances:
            text: {value: u.to_s}
            half: {value: u >> 1}
            rest: {value: u % 10}
            less: {value: u - 1}
            # 2⁶⁴ as a floating-point number is what u would be as one.
            equal: {value: u == 18446744073709551616.0}
            below: {value: u < 18446744073709551616.0}
            above: {value: 18446744073709551616.0 > u}
            odd: {value: 9007199254740993 > 9007199254740992.0}
            nearly: {value: 5 < 5.5 and -5 > -5.5 and 5.5 > 5 and 5 == 5.0}
            large: {value: (1.5e19).to_i}
      tests:
        - characteristic: c
          packets: ["ffffffffffffffff"]
          expect:
            text: "18446744073709551615"
            half: 9223372036854775807
            rest: 5
            less: 18446744073709551614
            equal: false
            below: true
            above: true
            odd: true
            nearly: true
            large: 15000000000000000000
      """)
  }

  @Test(arguments: ["u + 1", "~u", "-u", "u << 1", "u * 2", "u.pow(2)", "1e20.to_i", "[u, u].sum"])
  func whatDoesNotFitIsReported(expression: String) throws {
    let differences = try set(
      """
      profile: p
      characteristics: {c: {uuid: fff1, notify: m}}
      types: {m: {seq: [{id: u, type: u8be}], instances: {wide: {value: "\(expression)"}}}}
      tests: [{characteristic: c, packets: ["ffffffffffffffff"], expect: {wide: 1}}]
      """
    ).test(0).flatMap(\.differences)
    #expect(
      differences.contains { $0.contains("wide") && ($0.contains("64 bits") || $0.contains("converted")) }, "\(differences)")
  }

  // MARK: Fields

  @Test func numbersOfSevenBitsAByteHaveSixtyFour() throws {
    let profile = """
      profile: p
      characteristics: {c: {uuid: fff1, write: m}}
      types: {m: {seq: [{id: a, type: varint}, {id: b, type: vlq}]}}
      """
    try passes(
      profile + """

        tests:
          - {characteristic: c, packets: ["ffffffffffffffffff0181ffffffffffffffff7f"], expect: {a: 18446744073709551615, b: 18446744073709551615}}
          - {characteristic: c, packets: ["8080808080808080800105"], expect: {a: 9223372036854775808, b: 5}}
          - {characteristic: c, packets: ["ffffffffffffffff7f07"], expect: {a: 9223372036854775807, b: 7}}
          # Eleven bytes, of which the last is not the end.
          - {characteristic: c, packets: ["ffffffffffffffffffff0107"], encodes: false, expect: {a: ~, _problem: body}}
        """)
    for packet in ["ffffffffffffffffff0207", "05" + "82" + String(repeating: "80", count: 8) + "00"] {
      let differences = try set(profile + "\ntests: [{characteristic: c, packets: [\"\(packet)\"], encodes: false, expect: {a: 5, b: 7}}]")
        .test(0)
        .flatMap(\.differences)
      #expect(differences.contains { $0.contains("does not fit 64 bits") }, "\(differences)")
    }
    #expect(throws: (any Error).self) { try encode(profile, "m", #"{"a": 18446744073709551616, "b": 1}"#) }
    #expect(throws: (any Error).self) { try encode(profile, "m", #"{"a": 1, "b": 18446744073709551616}"#) }
  }

  @Test func wholeScalesAndOffsetsAreExact() throws {
    let profile = """
      profile: p
      characteristics: {c: {uuid: fff1, write: m}}
      types:
        m:
          seq:
            - {id: shifted, type: u8be, -offset: 5}
            - {id: signed, type: s8be, -offset: -1}
            - {id: times, type: u8be, -scale: 1000}
            - {id: by, type: u8be, -offset: two}
          instances: {two: {value: 2, -hidden: true}}
      """
    try passes(
      profile + """

        tests:
          - characteristic: c
            encodes: false
            packets: ["ffffffffffffffff8000000000000000ffffffffffffffff0020000000000001"]
            expect: {shifted: 18446744073709551620, signed: -9223372036854775809, times: 18446744073709551615000, by: 9007199254740995}
        """)
    #expect(
      try encode(
        profile, "m", #"{"shifted": 18446744073709551620, "signed": 9007199254740992, "times": 18446744073709551615000, "by": 12}"#)
        == "ffffffffffffffff0020000000000001ffffffffffffffff000000000000000a")
    let scaled = """
      profile: p
      characteristics: {c: {uuid: fff1, write: m}}
      types: {m: {seq: [{id: a, type: u8be, -scale: 0.001}]}}
      """
    // The stored number is written, not the shown one.
    #expect(try encode(scaled, "m", #"{"a": 9007199254740993}"#) == "7d00000000000000")
    #expect(throws: (any Error).self) { try encode(scaled, "m", #"{"a": 18446744073709552.9}"#) }
  }

  @Test func singlesWithAnOffsetComeBack() throws {
    try passes(
      """
      profile: p
      characteristics: {c: {uuid: fff1, write: m}}
      types: {m: {seq: [{id: a, type: f4be, -offset: -54}]}}
      tests:
        - {characteristic: c, packets: ["cecaadc1"], encodes: false, expect: {a: -1700192500}}
        - {characteristic: c, packets: ["42b8d333"], expect: {a: 38.41}, encodes: false, tolerance: 0.01}
      """)
    let profile = """
      profile: p
      characteristics: {c: {uuid: fff1, write: m}}
      types: {m: {seq: [{id: a, type: f4le, -offset: -54}]}}
      """
    let known = try set(profile)
    func shown(_ packet: String) throws -> Double { try #require(try decode(known, "p", "c", [packet]).first?.fields["a"]?.number) }
    // The shown number has fewer digits than the sum with the offset.
    for packet in ["adcacace", "4200adce", "33d3b842", "6606ae42", "0000804b", "07000003", "ffff7f4b"] {
      let first = try shown(packet)
      let again = try shown(try encode(profile, "m", #"{"a": \#(Float(first))}"#))
      #expect(again == first, "\(packet)")
    }
  }

  @Test func numbersForNothingAreExact() throws {
    try passes(
      """
      profile: p
      characteristics: {c: {uuid: fff1, write: m}}
      types:
        m:
          seq:
            - {id: one, type: u8be, -na: 18446744073709551615}
            - {id: range, type: u8be, -na: "0xfffffffffffffff0..0xffffffffffffffff"}
      tests:
        - {characteristic: c, packets: ["fffffffffffffffeffffffffffffff00"], expect: {one: 18446744073709551614, range: 18446744073709551360}}
        - {characteristic: c, packets: ["fffffffffffffffffffffffffffffff0"], expect: {one: ~, range: ~}}
      """)
  }

  @Test func enumsHaveNumbersWithoutNames() throws {
    try passes(
      """
      profile: p
      characteristics: {c: {uuid: fff1, write: m}}
      types: {m: {seq: [{id: a, type: u8be, enum: kind}], instances: {top: {value: a.to_i == 0xffffffffffffffff}}}}
      enums: {kind: {1: one}}
      tests: [{characteristic: c, packets: ["ffffffffffffffff"], expect: {a: 18446744073709551615, top: true}}]
      """)
  }

  // MARK: Refusals

  @Test func whatNoNumberHoldsIsRefused() {
    func profile(_ field: String, _ more: String = "") -> String {
      """
      profile: p
      characteristics: {c: {uuid: fff1, notify: m}}
      types:
        m:
          seq:
            - {id: n, type: u8be}
            - \(field)
      \(more)
      """
    }
    for type in ["b65", "sb100", "u128be", "u9", "int128_t"] { isRefused(profile("{id: a, type: \(type)}"), 7, "64 bits at most") }
    for key in [
      "-na: 18446744073709551616", "-na: '0..18446744073709551616'", "valid: 18446744073709551616", "if: n == 0x1ffffffffffffffff",
    ] {
      isRefused(profile("{id: a, type: u8be, \(key)}"), 7, "64 bits")
    }
    isRefused(profile("{id: a, type: u8be, -default: 18446744073709551616}"), 7, "is no number")
    isRefused(profile("{id: a, type: u8be, enum: kind}", "enums: {kind: {0xffffffffffffffff: top}}"), 8, "no names")
    isRefused(profile("{id: a, size: 16, -as: decimal, -scale: 0.1}"), 7, "not a number")
  }

  // MARK: Bodies

  @Test func bodiesHaveNumbersOfAnySize() throws {
    let json = hex(#"{"a":12345678901234567890123,"b":-9223372036854775809,"c":18446744073709551615}"#)
    try passes(
      """
      profile: p
      characteristics:
        j: {uuid: fff1, notify: json}
        c: {uuid: fff2, notify: cbor}
        v: {uuid: fff3, notify: "csv a, b"}
        e: {uuid: fff4, notify: m}
      types: {m: {seq: [{id: body, size-eos: true, -body: json}], instances: {c: {value: body.c - 1}, a: {value: body.a}}}}
      tests:
        - {characteristic: j, encodes: false, packets: ["\(json)"], expect: {a: 12345678901234567890123, b: -9223372036854775809, c: 18446744073709551615}}
        - {characteristic: e, encodes: false, packets: ["\(json)"], expect: {a: "12345678901234567890123", c: 18446744073709551614}}
        - {characteristic: c, encodes: false, packets: ["a21bffffffffffffffff0161613bffffffffffffffff"], expect: {"18446744073709551615": 1, a: -18446744073709551616}}
        - {characteristic: c, encodes: false, packets: ["a26161c2490100000000000000006162c349ffffffffffffffffff"], expect: {a: 18446744073709551616, b: -4722366482869645213696}}
        - {characteristic: v, encodes: false, packets: ["\(hex("18446744073709551615,28446744073709551615123"))"], expect: {a: 18446744073709551615, b: 28446744073709551615123}}
      """)
  }

  @Test func bodiesAreEncodedExactly() throws {
    let profile = """
      profile: p
      characteristics: {j: {uuid: fff1, write: json}, c: {uuid: fff2, write: cbor}, b: {uuid: fff3, write: m}}
      types: {m: {seq: [{id: wide, size: 12, -as: decimal}]}}
      """
    #expect(
      try encode(profile, "json", #"{"a": 18446744073709551616, "b": "18446744073709551616"}"#)
        == hex(#"{"a":18446744073709551616,"b":"18446744073709551616"}"#))
    #expect(
      try encode(profile, "cbor", #"{"a": 18446744073709551616, "b": -9223372036854775809, "c": -18446744073709551617}"#)
        == "a36161c249010000000000000000" + "61623b8000000000000000" + "6163c349010000000000000000")
    #expect(try encode(profile, "m", #"{"wide": 18446744073709551616}"#) == "000000010000000000000000")
  }

  @Test func scaledFieldsOfProtobufAreExact() throws {
    try passes(
      """
      profile: p
      characteristics: {c: {uuid: fff1, write: m}}
      messages: {m: {body: protobuf M}}
      protobufs:
        M:
          1: {field: uint64 a, -scale: 0.5}
          2: {field: uint64 b, -scale: 10}
          3: uint64 c
      tests:
        - characteristic: c
          packets: ["08ffffffffffffffffff0110ffffffffffffffff7f18ffffffffffffffffff01"]
          encodes: false
          expect: {a: 9223372036854775807.5, b: 92233720368547758070, c: 18446744073709551615}
      """)
  }
}
