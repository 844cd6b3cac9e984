import Testing

@testable import KaitaiStruct

@Suite struct ExpressionTests {
  /// The value of an expression without fields, as JSON.
  func value(_ text: String) throws -> String {
    let compiled = try Compiled("meta: {id: a}\ninstances:\n  v:\n    value: |\n      \(text)\n")
    let json = compiled.json([])
    return String(json.dropFirst(#"{"v":"#.count).dropLast())
  }

  @Test(arguments: [
    ("7 + 0xf0", "247"), ("0b1010 | 0o17", "15"), ("1_000 * 2", "2000"), ("-9837 / 13", "-757"), ("-9837 % 13", "4"), ("9837 % 13", "9"),
    ("7 / -2", "-4"), ("-7 % -3", "-1"), ("7.0 / 2", "3.5"), ("1 << 40", "1099511627776"), ("-1 >> 3", "-1"), ("~0x0f & 0xff", "240"),
    ("18446744073709551615", "18446744073709551615"), ("18446744073709551615 - 18446744073709551614", "1"),
    ("9223372036854775807 + 1", "9223372036854775808"), ("-9223372036854775808", "-9223372036854775808"), ("6 ^ 3", "5"),
    ("2 + 3 * 4 - 1", "13"), ("(2 + 3) * 4", "20"), ("1 < 2 and not false or false", "true"), ("2 <= 1 ? 1 : 2 == 2 ? 3 : 4", "3"),
    ("0x80000000 >> 1", "1073741824"), ("1.5e3", "1500.0"), ("0.5 + 1", "1.5"), ("not (1 == 1)", "false"),
  ])
  func numbers(text: String, wanted: String) throws { #expect(try value(text) == wanted) }

  @Test(
    arguments: [
      (#""abc" + 'd\n'"#, #""abcd\\n""#), (#""a\x""#, nil), (#""\u263a\t\101""#, "\"\u{263a}\\tA\""), (#""abc".length"#, "3"),
      (#""äöü".length"#, "3"), (#""äöü".reverse"#, "\"üöä\""), (#""äöüß".substring(1, 3)"#, "\"öü\""), (#""abc".substring(2, 2)"#, #""""#),
      (#""47cf".to_i(16)"#, "18383"), (#""-072".to_i"#, "-72"), ("12.to_s + 'x'", #""12x""#), ("true.to_i", "1"), ("(-2.7).to_i", "-2"),
      (#""b" > "a""#, "true"), (#""abc" < "abd""#, "true"), (#"f"x={1 + 2}, {'y'}\n""#, #""x=3, y\n""#),
      ("[1, 2, 255]", #""0102ff""#), ("[1, 2, 256]", "[1,2,256]"), ("[1, 2].as<u1[]>", "[1,2]"), ("[65, 66].to_s('ASCII')", #""AB""#),
      ("[3, 1, 2].max", "3"), ("[300, 100].min", "100"), ("[1.5, 2.5].last", "2.5"), ("['b', 'a'].first", #""b""#), ("[1, 2, 3].size", "3"),
      ("[1, 2] == [1, 2]", "true"), ("[0x90] > [0x41, 0x42]", "true"), ("[7, 8, 9][1]", "8"), ("[1, 2] + [3]", #""010203""#),
      ("sizeof<u4>", "4"), ("bitsizeof<b3>", "3"), ("1.as<f4>", "1.0"),
    ] as [(String, String?)])
  func textAndBytes(text: String, wanted: String?) throws {
    guard let wanted else {
      #expect(throws: SpecificationError.self) { try value(text) }
      return
    }
    #expect(try value(text) == wanted)
  }

  @Test(arguments: [
    ("1 / 0", "DivisionByZeroError"), ("1 % 0", "DivisionByZeroError"), ("18446744073709551615 + 1", "OverflowError"),
    ("18446744073709551615 * 18446744073709551615 * 18446744073709551615", "OverflowError"), ("1 << 64", "OverflowError"),
    ("1 << -1", "OverflowError"), ("'abc'.to_i", "ConversionError"), ("'9173abc'.to_i", "ConversionError"), ("[1, 2][2]", "IndexError"),
    ("'abc'.substring(2, 5)", "IndexError"), ("[300].as<bytes>", "OverflowError"), ("[65].to_s('NONE')", "UnknownEncodingError"),
    ("-9223372036854775808 - 1", "OverflowError"), ("(1.0 / 0.0).to_i", "ConversionError"), ("v", "RecursionError"),
  ])
  func failuresStayInTheirPlace(text: String, kind: String) throws {
    #expect(try value(text).hasPrefix("{\"_error\":{\"type\":\"\(kind)\""))
  }

  @Test func externalNames() throws {
    let compiler = Compiler(externals: ["_state.page", "_device.name"])
    let length = compiler.external("length")
    let request = compiler.external("_request")
    let root = try compiler.add(
      text: """
        meta: {id: a}
        seq: [{id: id, type: u1}, {id: extra, type: u1, if: _state.page > 1}]
        instances: {doubled: {value: id * 2}}
        """, file: "a.ksy")
    func compile(_ text: String, scope: TypeID?, _ externals: [ExternalID]) throws -> ExpressionID {
      try compiler.expression(text, at: SourcePosition(file: "p.yaml", line: 3, column: 10), scope: scope, externals: externals)
    }
    let same = try compile("_.id == _request.id and _request.doubled == doubled", scope: root, [request])
    let short = try compile("length < 32 and _device.name == 'GoPro'", scope: nil, [length])
    #expect(throws: SpecificationError.self) { try compile("lenght < 32", scope: nil, [length]) }
    let second = Compiler(externals: ["_state.page"])
    #expect(throws: SpecificationError.self) {
      try second.expression("_state.pages", at: SourcePosition(file: "p.yaml", line: 1, column: 1), scope: nil)
    }
    let program = try {
      // A compiler keeps the mistakes that it has found, so that this test needs a new one.
      let compiler = Compiler(externals: ["_state.page", "_device.name", "length", "_request"])
      let root = try compiler.add(
        text: """
          meta: {id: a}
          seq: [{id: id, type: u1}, {id: extra, type: u1, if: _state.page > 1}]
          instances: {doubled: {value: id * 2}}
          """, file: "a.ksy")
      let place = SourcePosition(file: "p.yaml", line: 3, column: 10)
      let expressions = [
        try compiler.expression("_.id == _request.id and _request.doubled == doubled", at: place, scope: root),
        try compiler.expression("length < 32 and _device.name == 'GoPro'", at: place, scope: nil),
      ]
      #expect(expressions.count == 2 && same.rawValue >= 0 && short.rawValue >= 0)
      return (try compiler.finish(), root, expressions, compiler.external("_request"), compiler.external("length"))
    }()
    let environment = KaitaiEnvironment(program.0)
    environment.set(ExternalID(rawValue: 0), int: 2)
    environment.set(ExternalID(rawValue: 1), text: "GoPro")
    environment.set(program.4, int: 31)
    let first = KaitaiTree(program.0)
    let other = KaitaiTree(program.0)
    let bytes: [UInt8] = [7, 9]
    #expect(bytes.withUnsafeBytes { first.parse(program.1, $0, environment: environment) } == nil)
    #expect(first.nodeCount == 3)
    environment.set(program.3, node: first.root, of: first)
    #expect(bytes.withUnsafeBytes { other.parse(program.1, $0, environment: environment) } == nil)
    #expect(try other.evaluate(program.2[0], at: other.root, environment: environment).asBool == true)
    #expect(try other.evaluate(program.2[1], environment: environment).asBool == true)
    // A name may stand for the tree itself; after the tree has parsed something else, it does not any more.
    environment.set(program.3, node: other.root, of: other)
    #expect(try other.evaluate(program.2[0], at: other.root, environment: environment).asBool == true)
    environment.set(program.3, node: first.root, of: first)
    bytes.withUnsafeBytes { _ = first.parse(program.1, $0, environment: environment) }
    #expect(throws: Failure.self) { try other.evaluate(program.2[0], at: other.root, environment: environment) }
    environment.set(program.4, int: 32)
    #expect(try other.evaluate(program.2[1], environment: environment).asBool == false)
  }
}
