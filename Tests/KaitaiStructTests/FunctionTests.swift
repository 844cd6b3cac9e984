import Testing

@testable import KaitaiStruct

/// Functions of numbers and lists, and types, that this implementation adds to Kaitai Struct.
@Suite struct FunctionTests {
  /// The value of an expression without fields, as JSON.
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

  /// RFC 1321, FIPS 180-4, RFC 2202, RFC 4231, RFC 5869, RFC 4493, SP 800-38A and RFC 7748; the specification's keys of P-256 (Core, Vol 2,
  /// Part G, 7.1.2).
  @Test(arguments: [
    ("'abc'.md5", "900150983cd24fb0d6963f7d28e17f72"), ("'abc'.sha1", "a9993e364706816aba3e25717850c26c9cd0d89d"),
    ("[0x61, 0x62, 0x63].sha256", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
    ("'what do ya want for nothing?'.hmac_md5('Jefe')", "750c783e6ab0b503eaa86e310a5db738"),
    ("'what do ya want for nothing?'.hmac_sha1('Jefe')", "effcdf6ae5eb2fa2d27416d5f184df9c259a7c79"),
    (
      "'what do ya want for nothing?'.hmac_sha256('Jefe')", "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843"
    ),
    ("[KEY22].hkdf_sha256([SALT], [INFO], 42).substring(0, 8)", "3cb25f25faacd57a"),
    ("[KEY22].hkdf_sha256('', '', 20 + 22).size.to_s", "42"),
    ("'' .aes_cmac([AES])", "bb1d6929e95937287fa37d129b756746"), ("[BLOCK].aes_cmac([AES])", "070a16b46b4d4144f79bdd9dd04a287c"),
    ("[BLOCK].aes_encrypt([AES])", "3ad77bb40d7a3660a89ecaf32466ef97"),
    ("[BLOCK].aes_encrypt([AES]).aes_decrypt([AES]) == [BLOCK] ? 'yes' : 'no'", "yes"),
    ("[XPRIVATE].x25519([XPUBLIC])", "4a5d9d5ba4ce2de1728e3bf480350f25e07e21c947d19e3376f09b3c1e161742"),
    // The response to a challenge of Dexcom's G5, from CGMBLEKit's tests.
    ("[TOKEN].aes_encrypt('0012345600123456').substring(0, 8)", "e60d4a7999b0fbb2"),
    // The token and the bind key that pairing with Xiaomi's devices produces, from miauth's tests.
    (
      "[MIPRIVATE].p256([MIPUBLIC]).hkdf_sha256('', 'mible-setup-info', 64).substring(0, 28)",
      "0cf5615003810d89c233a12a8fc5100e31299d80c4c290dc7d33f19e"
    ),
    ("'00fFA9'.from_hex", "00ffa9"), ("''.from_hex.size.to_s", "0"),
    ("[PRIVATE].p256([PUBLIC])", "ec0234a357c8ad05341010a60a397d9b99796b13b4f866f1868d34f373bfa698"),
  ])
  func cryptography(text: String, wanted: String) throws {
    let parts = [
      "KEY22": String(repeating: "0b", count: 22), "SALT": "000102030405060708090a0b0c", "INFO": "f0f1f2f3f4f5f6f7f8f9",
      "AES": "2b7e151628aed2a6abf7158809cf4f3c", "BLOCK": "6bc1bee22e409f96e93d7e117393172a",
      "XPRIVATE": "5dab087e624a8a4b79e17f8b83800ee66f3bb1292618b6fd1c2f8b27ff88e0eb",
      "XPUBLIC": "8520f0098930a754748b7ddcb43ef75a0dbf3a0d26381af4eba4a98eaa9b4e6a",
      "TOKEN": "0123456789abcdef0123456789abcdef", "MIPRIVATE": "6b243de1b1cfee581130b070c635c8957ac56f0c2c3d40b1af8732d6cd6ec183",
      "MIPUBLIC":
        "2afe2a8c1c56e5e70721665cd20d017273111ecaeceb1e4d641e7b7a122a9c3041e5cbc962eefbdb155ffd95847a0d8762803291fc2866c5672ceee0e77d77fc",
      "PRIVATE": "55188b3d32f6bb9a900afcfbeed4e72a59cb9ac2f19d7cfb6b4fdd49f47fc5fd",
      "PUBLIC":
        "20b003d2f297be2c5e2c83a7e9f9a5b9eff49111acf4fddbcc0301480e359de6dc809c49652aeb6d63329abf5a52155c766345c28fed3024741c8ed01589d28b",
    ]
    var text = text
    for (name, digits) in parts {
      let bytes = stride(from: 0, to: digits.count, by: 2).map { "0x" + digits.dropFirst($0).prefix(2) }.joined(separator: ", ")
      text = text.split(separator: "[\(name)]", omittingEmptySubsequences: false).joined(separator: "[\(bytes)]")
    }
    #expect(try value(text) == "\"\(wanted)\"")
  }

  @Test(arguments: [
    "[1, 2].aes_encrypt([1, 2])", "[1, 2].aes_encrypt('0123456789abcdef')", "'a'.aes_cmac('b')", "'a'.hkdf_sha256('', '', 0)",
    "'a'.hkdf_sha256('', '', 1025)", "'a'.p256('b')", "'a'.x25519('b')", "'abc'.from_hex", "'0g'.from_hex", "'0 '.from_hex",
  ])
  func keysThatAreNone(text: String) throws {
    let found = try value(text)
    #expect(found.contains("_error") && found.contains("cannot be converted"), "\(found)")
  }

  @Test(arguments: [
    ("'a'.hmac_sha256", "hmac_sha256"), ("'a'.hmac_sha256()", "1 parameters, and not 0"),
    ("'a'.hkdf_sha256('', '')", "3 parameters, and not 2"), ("5.sha256", "sha256"),
    ("'a'.hmac_sha256(5)", "key of `hmac_sha256` must be bytes"),
    ("'a'.hkdf_sha256('', '', 'b')", "must be a whole number"), ("'a'.hmac_sha265('b')", "hmac_sha256"),
  ])
  func mistakesWithKeys(text: String, wanted: String) {
    let error = #expect(throws: SpecificationError.self) { try value(text) }
    #expect(error.map { "\($0)".contains(wanted) } == true, "\(error.map { "\($0)" } ?? "")")
  }

  /// Functions of elliptic curves cost steps, so that received bytes cannot cause many calls.
  @Test func curvesCost() throws {
    let compiled = try Compiled(
      """
      meta: {id: a}
      seq: [{id: b, type: u1, repeat: eos}]
      instances:
        v: {value: "b.map([_].as<bytes>.p256([_].as<bytes>).size).sum"}
        w: {value: "b.map(\(String(repeating: "(", count: 12))[_].as<bytes>\(String(repeating: ".sha256)", count: 12)).sum).sum"}
      """)
    #expect(compiled.json([UInt8](repeating: 7, count: 2000)).contains("a limit of nodes, bytes or steps is reached"))
  }

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
    // A list of lists of lists: the number of steps is limited, whatever the bytes are.
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
    // An error within a substructure does not make it an incomplete element.
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
