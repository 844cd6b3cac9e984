import Testing

@testable import KaitaiStruct

/// Functions of numbers and lists, and types, that are additions to Kaitai Struct.
@Suite struct FunctionTests {
  /// What an expression over no fields gives, as JSON.
  func value(_ text: String) throws -> String {
    let compiled = try Compiled("meta: {id: a}\ninstances:\n  v:\n    value: |\n      \(text)\n")
    return String(compiled.json([]).dropFirst(#"{"v":"#.count).dropLast())
  }

  @Test(arguments: [
    ("(-7).abs", "7"), ("(-7.5).abs", "7.5"), ("(-9223372036854775808).abs", "9223372036854775808"), ("16.sqrt", "4.0"), ("0.exp", "1.0"),
    ("1.ln", "0.0"), ("2.pow(10)", "1024"), ("2.pow(63)", "9223372036854775808"), ("(-3).pow(3)", "-27"), ("4.pow(0.5)", "2.0"),
    ("2.pow(-1)", "0.5"), ("1.pow(9223372036854775807)", "1"), ("0.pow(0)", "1"), ("2.5.floor", "2"), ("2.1.ceil", "3"),
    ("(-2.5).round", "-3"),
    ("7.round", "7"), (#""12.5".to_f"#, "12.5"), (#"" -3 ".to_f"#, "-3.0"), ("[0x01, 0x02].to_i", "258"),
    ("[255, 255, 255, 255, 255, 255, 255, 255].to_i", "18446744073709551615"), ("[1, 2].reverse.to_i", "513"),
  ])
  func numbers(text: String, wanted: String) throws { #expect(try value(text) == wanted) }

  @Test(arguments: [
    ("[1, 2, 300].sum", "303"), ("[1, 2].sum", "3"), ("[1.5, 2].sum", "3.5"), ("[1, 300].map(_ * 2)", "[2,600]"),
    ("[5, 6].map(_ * 10 + _index)", "[50,61]"), ("[1, 300, 2].filter(_ > 1)", "[300,2]"), ("[1, 300].find(_ > 1)", "300"),
    ("[[1, 2], [3, 4]].map(_.sum)", "[3,7]"), (#"['a', 'b'].join(', ')"#, #""a, b""#), ("[1, 300].join('-')", #""1-300""#),
    ("[1, 300] + [2]", "[1,300,2]"), ("[2] + [1, 300]", "[2,1,300]"), ("[1, 300].reverse", "[300,1]"), ("[3, 300].map(_ + 1).max", "301"),
    ("[1, 300].map([_, 2].max)", "[2,300]"), ("([1, 300].filter(false) + [7]).size", "1"),
  ])
  func lists(text: String, wanted: String) throws { #expect(try value(text) == wanted) }

  @Test(arguments: [
    ("(-1).sqrt", "cannot be converted"), ("0.ln", "cannot be converted"), ("1000.exp", "cannot be converted"), ("2.pow(64)", "64 bits"),
    ("10.pow(9223372036854775807)", "64 bits"), ("1e300.round", "cannot be converted"), (#""nan".to_f"#, "cannot be converted"),
    (#""0x10".to_f"#, "cannot be converted"), ("[1, 0, 0, 0, 0, 0, 0, 0, 0].to_i", "64 bits"),
    ("[18446744073709551615, 18446744073709551615].sum", "64 bits"),
  ])
  func failures(text: String, wanted: String) throws {
    let found = try value(text)
    #expect(found.contains("_error") && found.contains(wanted), "\(found)")
  }

  @Test(arguments: [
    "'a'.sqrt", "[1, 2].pow(2)", "5.map(_)", "[1, 2].filter(_ + 1)", "[1, 2].join(3)", "'a'.sum", "[1, 300] + 5",
  ])
  func mistakes(text: String) { #expect(throws: SpecificationError.self) { try value(text) } }

  @Test func hostileLists() throws {
    // A list of lists of lists: the steps end, whatever the bytes are.
    let compiled = try Compiled(
      """
      meta: {id: a}
      seq: [{id: b, type: u1, repeat: eos}]
      instances:
        v: {value: "b.map(b.map(b.map(_ + 1).sum).sum).sum"}
        w: {value: "b + b + b + b"}
      """)
    let json = compiled.json([UInt8](repeating: 7, count: 2000))
    #expect(json.contains("a limit of nodes, bytes or steps is reached"))
  }

  @Test func orOverWhatIsAbsent() throws {
    let compiled = try Compiled(
      """
      meta: {id: a}
      seq:
        - {id: k, type: u1}
        - {id: x, type: pair, if: k == 1}
        - {id: left, type: u1, if: x.a == 1 or k == 2}
        - {id: right, type: u1, if: k == 2 or x.a == 1}
      types: {pair: {seq: [{id: a, type: u1}]}}
      """)
    #expect(compiled.json([2, 8, 9]) == #"{"k":2,"x":null,"left":8,"right":9}"#)
    #expect(compiled.json([1, 1, 8, 9]) == #"{"k":1,"x":{"a":1},"left":8,"right":9}"#)
  }

  @Test func signedBitsAndSwappedWords() throws {
    let compiled = try Compiled(
      """
      meta: {id: a, endian: be}
      seq:
        - {id: a, type: sb4}
        - {id: b, type: sb12}
        - {id: c, type: sb12le}
        - {id: d, type: b4le}
        - {id: e, type: u4bews}
        - {id: f, type: u4lews}
        - {id: g, type: s4ws}
        - {id: h, type: f4ws}
        - {id: i, type: u8bews}
      """)
    let bytes: [UInt8] = [
      0x9f, 0x02, 0xff, 0x5f, 1, 2, 3, 4, 1, 2, 3, 4, 0xff, 0xfe, 0xff, 0xff, 0, 0, 0x41, 0xa4, 1, 2, 3, 4, 5, 6, 7, 8,
    ]
    let (swapped, little, long) = (0x0304_0102, 0x0201_0403, 0x0708_0506_0304_0102)
    #expect(
      compiled.json(bytes)
        == #"{"a":-7,"b":-254,"c":-1,"d":5,"e":\#(swapped),"f":\#(little),"g":-2,"h":20.5,"i":\#(long)}"#)
    for wrong in ["u2ws", "sb1", "sb65", "b4ws", "s1ws", "u4wsbe"] {
      #expect(throws: SpecificationError.self) { try Compiled("meta: {id: a, endian: be}\nseq: [{id: a, type: \(wrong)}]\n") }
    }
  }

  @Test func wholeElements() throws {
    let compiled = try Compiled(
      """
      meta: {id: a}
      seq:
        - {id: e, type: el, repeat: whole}
        - {id: rest, size-eos: true}
      types: {el: {seq: [{id: n, type: u1}, {id: d, size: n}]}}
      """)
    #expect(compiled.json([1, 0xaa, 0, 3, 1, 2]) == #"{"e":[{"n":1,"d":"aa"},{"n":0,"d":""}],"rest":"030102"}"#)
    #expect(compiled.json([9]) == #"{"e":[],"rest":"09"}"#)
    #expect(compiled.json([]) == #"{"e":[],"rest":""}"#)
    // What is broken within a part of its own is no element that is not whole.
    let broken = try Compiled(
      """
      meta: {id: a}
      seq: [{id: e, type: el, size: 2, repeat: whole}, {id: rest, size-eos: true}]
      types: {el: {seq: [{id: n, type: u1}, {id: d, size: n}]}}
      """)
    #expect(broken.json([1, 2, 4, 4, 9, 9, 9, 9]).contains("requested"))
    #expect(broken.json([1, 2, 1]) == #"{"e":[{"n":1,"d":"02"}],"rest":"01"}"#)
  }
}
