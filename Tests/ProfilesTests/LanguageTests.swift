import Memory
import Testing
import TestSupport

@_spi(Pipeline) @testable import Profiles

/// The features of the profile language, each with a small protocol made for it.
@Suite struct LanguageTests {
  /// Runs the tests in a profile.
  private func check(_ text: String) throws {
    let set = try ProfileSet(builtin: false, texts: [(text, "t.yaml", .given)])
    let results = try set.test(0)
    #expect(!results.isEmpty)
    for result in results { #expect(result.differences.isEmpty, "line \(result.line): \(result.differences.joined(separator: "; "))") }
  }

  @Test func anEngineLeavesNothingBehind() throws {
    weak var link: AnyObject?
    weak var runtime: AnyObject?
    do {
      let set = try ProfileSet()
      let engine = ProfileEngine(set)
      let number = engine.connect(PeerFacts())
      let slot = engine.slot(number, profile: try set.profile(try #require(set.number("gopro"))), source: "command-answer")
      [UInt8](arrayLiteral: 2, 0x17, 0).withBorrowedBytes { _ = engine.feed(number, slot, .notify, $0, frame: 1, time: 0) }
      link = engine.links.object(number)
      runtime = engine.links.object(number)?.slots.object(0)?.runtime
      #expect(link != nil && runtime != nil)
    }
    #expect(link == nil && runtime == nil)
  }

  @Test func conditionsHoldHoweverOftenTheyAreAsked() throws {
    // Together they exceed the limits of one parse: steps, and bytes of text.
    let long = String(repeating: "a", count: 250)
    let condition = (100..<200).map { "_payload[0] == \($0)" }.joined(separator: " or ") + " or (\"\(long)\" + \"\(long)\").length == 500"
    let text =
      "profile: asked\ncharacteristics: {a: {uuid: fff1, notify: [{when: '\(condition)', message: m}]}}\ntypes: {m: {seq: [{id: v, type: u1}]}}"
    let set = try ProfileSet(builtin: false, texts: [(text, "t.yaml", .given)])
    let engine = ProfileEngine(set)
    let link = engine.connect(PeerFacts())
    let slot = engine.slot(link, profile: try set.profile(0), source: "a")
    for frame in 1...6000 {
      let count = [UInt8](arrayLiteral: 1).withBorrowedBytes { engine.feed(link, slot, .notify, $0, frame: frame, time: 0) }
      guard count == 1 else {
        Issue.record("none in packet \(frame)")
        return
      }
    }
  }

  @Test func lengthFromTheRequestAlone() throws {
    try check(
      """
      profile: expected
      characteristics:
        ask: {uuid: fff1, write: ask}
        tell: {uuid: fff2, notify: tell, framing: [{expect: {length: _request.count * 2}}], answers: {ask: ~}}
      types:
        ask: {seq: [{id: register, type: u1}, {id: count, type: u1}]}
        tell: {seq: [{id: values, type: u2be, repeat: eos}]}
      tests:
        - exchange: [{write: ask, packets: ["0103"]}, {notify: tell, packets: ["000100", "020003"]}, {notify: tell, packets: ["ffff"]}]
          expect: [{count: 3}, {values: [1, 2, 3], _answers: 1}, {_kind: unjoined, _payload: ffff}]
      """)
  }

  @Test func stateThatMessagesSet() throws {
    try check(
      """
      profile: state
      state: {factor: 1.0, mode: 0}
      characteristics:
        control: {uuid: fff1, write: settings}
        data: {uuid: fff2, notify: [{when: _state.mode == 2, message: fine}, sample]}
      messages:
        settings: {set: {factor: factor / 100.0, mode: mode}}
      types:
        settings: {seq: [{id: factor, type: u1}, {id: mode, type: u1}]}
        sample: {seq: [{id: value, type: u1, -scale: _state.factor}]}
        fine: {seq: [{id: fine_value, type: u2be, -scale: _state.factor, -offset: 1}]}
      tests:
        - exchange: [{notify: data, packets: ["0a"]}, {write: control, packets: ["3201"]}, {notify: data, packets: ["0a"]},
            {write: control, packets: ["0a02"]}, {notify: data, packets: ["000a"]}]
          expect: [{value: 10}, {mode: 1}, {value: 5}, {mode: 2}, {fine_value: 2}]
      """)
  }

  @Test func whatHeadersSayOfTheMessage() throws {
    try check(
      """
      profile: headers
      meta: {endian: be, bit-endian: be}
      state: {type: 0, crc: 0}
      framings:
        f:
          - fragments: {header: head, first: first, last: last, set: {type: type, crc: crc}}
          - check: {algorithm: CRC-16/XMODEM, value: _state.crc}
      characteristics:
        data: {uuid: fff2, framing: f, notify: [{when: _state.type == 5, message: five}, other]}
      types:
        head:
          seq: [{id: first, type: b1}, {id: last, type: b1}, {id: type, type: b6}, {id: crc, type: u2, if: last}]
        five: {seq: [{id: five, size-eos: true}]}
        other: {seq: [{id: other, size-eos: true}]}
      tests:
        - {characteristic: data, packets: ["85313233", "0534353637", "4531c33839"], expect: {five: 313233343536373839, _checksum: ok}}
        - {characteristic: data, packets: ["c6000031"], expect: {other: "31", _checksum: bad}}
      """)
  }

  /// The expected checksum is computed from the bytes of each message, also without a condition that reads them, and can have 64 bits.
  @Test func expectedChecksumsOfTheBytes() throws {
    try check(
      """
      profile: expected
      meta: {endian: be}
      characteristics:
        sum: {uuid: fff1, notify: m, framing: [{slice: [1]}, {check: {algorithm: sum8, over: [1], value: "_payload[0] - 1"}}]}
        crc:
          uuid: fff2
          notify: c
          framing:
            - check:
                algorithm: CRC-64/XZ
                over: [8]
                value: "_payload[0] << 56 | _payload[1] << 48 | _payload[2] << 40 | _payload[3] << 32 | _payload[4] << 24 | _payload[5] << 16 |
                  _payload[6] << 8 | _payload[7]"
      types:
        m: {seq: [{id: s, type: u1}, {id: x, size-eos: true}]}
        c: {seq: [{id: crc, type: u8}, {id: x, size-eos: true}]}
      tests:
        - {characteristic: sum, packets: ["aa040102", "bb080304", "cc0a0304"], expect: [{x: "0102", _checksum: ok}, {_checksum: ok}, {_checksum: bad}]}
        - {characteristic: crc, packets: ["995dc9bbdf1939fa313233343536373839"], expect: {_checksum: ok}}
      """)
  }

  @Test func escapesInAllTheirForms() throws {
    try check(
      """
      profile: escapes
      characteristics:
        dle: {uuid: fff1, value: all, framing: [{strip: {prefix: [0x10, 2], suffix: [0x10, 3]}}, {unescape: {dle: 0x10}}]}
        map: {uuid: fff2, value: all, framing: [{unescape: {escape: 0xab, map: {0x05: 0x8d, 0x23: 0xab}}}]}
        hex: {uuid: fff3, value: all, framing: [{unescape: {hex: lower}}]}
        xor: {uuid: fff4, value: all, framing: [{unescape: {xor: "_payload[1]", from: 2}}]}
        slip: {uuid: fff5, value: all, framing: [{stream: {end: 0xc0, padding: 0xc0}}, slip]}
        name: {uuid: fff6, value: all, framing: [{unescape: {xor: "_device.name == \\"A\\" ? 1 : 2"}}]}
      types: {all: {seq: [{id: all, size-eos: true}]}}
      tests:
        - {characteristic: dle, direction: write, packets: ["1002411010421003"], expect: {all: "411042"}}
        - {characteristic: map, direction: write, packets: ["01ab05ab2302"], expect: {all: 018dab02}}
        - {characteristic: hex, direction: write, packets: ["30416662"], expect: {all: 0afb}, encodes: false}
        - {characteristic: hex, direction: write, packets: ["30616662"], expect: {all: 0afb}}
        - {characteristic: xor, direction: write, packets: ["00550055ff"], expect: {all: 005555 00aa}, encodes: true}
        - {characteristic: slip, direction: write, packets: ["c041dbdc42c0"], expect: {all: 41c042}, encodes: false}
        - {characteristic: name, name: A, direction: write, packets: ["0203"], expect: {all: "0302"}}
      """.replacing("005555 00aa", with: "00555500aa"))
  }

  @Test func bodiesThatDescribeThemselves() throws {
    try check(
      """
      profile: bodies
      characteristics:
        json: {uuid: fff1, value: json, framing: [{stream: {start: "{", end: "}"}}]}
        csv: {uuid: fff2, value: line}
        cbor: {uuid: fff3, value: cbor}
        proto: {uuid: fff4, value: any}
        named: {uuid: fff5, value: named}
        field: {uuid: fff6, value: field}
      messages:
        line: {body: "csv volts, amps, name"}
        any: {body: protobuf}
        named: {body: protobuf Reading}
      protobufs:
        Reading:
          1: sint32 temperature
          2: repeated uint32 samples
          3: run_mode mode
          4: map<string, float> gains
          5: {field: fixed32 volts, -unit: V, -scale: 0.001}
          6: Inner inner
        Inner: {1: string name, 2: double value}
      enums: {run_mode: {0: idle, 1: Fast Mode}}
      types: {field: {seq: [{id: length, type: u1}, {id: inner, size: length, -body: protobuf Inner}]}}
      tests:
        - {characteristic: json, direction: write, packets: ["7b2261223a5b312c322e352c", "6e756c6c2c747275655d7d"], expect: {a: [1, 2.5, ~, true]}}
        - {characteristic: csv, direction: write, packets: ["31332e372c2d322c6f6b"], expect: {volts: 13.7, amps: -2, name: ok}}
        - {characteristic: cbor, direction: write, packets: ["a3616101616282f5f6616341ff"], expect: {a: 1, b: [true, ~], c: ff}, encodes: false}
        - {characteristic: cbor, direction: write, packets: ["a2616101616282f5f6"], expect: {a: 1, b: [true, ~]}}
        - {characteristic: proto, direction: write, packets: ["0805120568656c6c6f"], expect: {"1": 5, "2": hello}}
        - characteristic: named
          direction: write
          packets: ["0807" "120301ac02" "1801" "22080a0167150000003f" "2dd2040000" "320c0a0161110000000000000440"]
          expect: {temperature: -4, samples: [1, 300], mode: Fast Mode, gains: {g: 0.5}, volts: 1.234, inner: {name: a, value: 2.5}}
          encodes: false
        - {characteristic: field, direction: write, packets: ["030a0162"], expect: {length: 3, inner: {name: b}}}
      """.replacing(
        "\"0807\" \"120301ac02\" \"1801\" \"22080a0167150000003f\" \"2dd2040000\" \"320c0a0161110000000000000440\"",
        with: "\"0807120301ac02180122080a0167150000003f2dd2040000320c0a0161110000000000000440\""))
  }

  @Test func formsOfValues() throws {
    try check(
      """
      profile: forms
      meta: {endian: le}
      characteristics: {all: {uuid: fff1, value: all}}
      types:
        all:
          seq:
            - {id: mac, size: 6, -as: mac-le}
            - {id: uuid, size: 2, -as: uuid-le}
            - {id: ip, size: 4, -as: ip}
            - {id: flag, type: u1, -as: bool}
            - {id: none, type: u2, -na: [0xffff, 0x7fff], -scale: 0.1}
            - {id: fraction, type: u2, -scale: 1/1024}
            - {id: kelvin, type: u2, -scale: 0.1, -offset: -273.15}
            - {id: sfloat, type: u2, -as: sfloat}
            - {id: name, type: str, size-eos: true, encoding: UTF-8}
      tests:
        - characteristic: all
          direction: write
          packets: ["0102030405060d18c0a8010201ffff0006a40b6cf1616263"]
          expect: {mac: "06:05:04:03:02:01", uuid: 180d, ip: 192.168.1.2, flag: true, none: ~, fraction: 1.5, kelvin: 24.85, sfloat: 36.4, name: abc}
      """)
  }

  @Test func oneRequestSeveralAnswers() throws {
    try check(
      """
      profile: several
      characteristics:
        c:
          uuid: fff1
          write: {message: ask}
          notify: tell
          answers: [{when: page == _request.page, keep: true, within: 2 s}]
      types:
        ask: {seq: [{id: page, type: u1}]}
        tell: {seq: [{id: page, type: u1}, {id: text, type: str, size-eos: true, encoding: ASCII}]}
      tests:
        - exchange: [{write: c, packets: ["01"]}, {write: c, packets: ["02"]}, {notify: c, packets: ["0241", "0142", "0143", "0344"]}]
          expect: [{page: 1}, {page: 2}, {text: A, _answers: 2}, {text: B, _answers: 1}, {text: C, _answers: 1}, {text: D, _answers: ~}]
      """)
  }

  @Test func advertisementsOfAllKinds() throws {
    let text = """
      profile: adverts
      advertisements:
        company: {company: 0x0102, value: two}
        any: {company: any, with-company: true, names: ["Odd*"], value: whole}
        data: {service-data: fcd2, value: two}
        whole: {whole: true, services: [fff0], value: whole}
      types:
        two: {seq: [{id: a, type: u1}, {id: b, type: u1}]}
        whole: {seq: [{id: bytes, size-eos: true}]}
      """
    let set = try ProfileSet(builtin: false, texts: [(text, "t.yaml", .folder)])
    let engine = ProfileEngine(set)
    func described(_ hex: String) throws -> [String] {
      let link = engine.connect(PeerFacts())
      let bytes = try #require([UInt8](hex: hex))
      bytes.withBorrowedBytes { _ = engine.feed(advertisement: $0, link, frame: 1, time: 0) }
      return engine.messages.map { $0.source + " " + $0.fieldTree.json }
    }
    #expect(try described("05ff02010304") == [#"company {"a":3,"b":4}"#])
    #expect(try described("0516d2fc0506") == [#"data {"a":5,"b":6}"#])
    #expect(try described("05094f64643106ffaabbcc0102") == [#"any {"bytes":"aabbcc0102"}"#])
    #expect(try described("0303f0ff") == [#"whole {"bytes":"0303f0ff"}"#])
    #expect(try described("02010605ff0301") == [])
  }

  @Test func oneProfileForSeveralModels() throws {
    let base = """
      profile: base
      match: {names: ["B*"]}
      characteristics: {c: {uuid: fff1, value: m, framing: f}}
      framings: {f: [{check: {algorithm: sum8}}]}
      types: {m: {seq: [{id: a, type: u1}]}}
      """
    let model = """
      profile: model
      extends: base
      match: {names: ["M*"]}
      framings: {f: [{check: {algorithm: xor8}}]}
      characteristics: {c: {uuid: fff2}}
      """
    let set = try ProfileSet(builtin: false, texts: [(base, "base.yaml", .folder), (model, "model.yaml", .folder)])
    let found = try decode(set, "model", "fff2", ["030201"])
    #expect(found.first?.fields["a"] == .int(3))
    #expect(found.first?.checksum == .ok)
    let engine = ProfileEngine(set)
    var facts = PeerFacts()
    facts.name = "M1"
    let link = engine.connect(facts)
    #expect(engine.slot(link, uuid: BluetoothUUID("fff2")) == 0)
    #expect(engine.slot(link, uuid: BluetoothUUID("fff1")) == -1)
  }

  @Test func hostileProfilesEnd() throws {
    let text = """
      profile: hostile
      characteristics:
        deep: {uuid: fff1, value: deep}
        many: {uuid: fff2, value: many}
        wide: {uuid: fff3, value: wide}
        self: {uuid: fff4, value: self}
        zero: {uuid: fff5, value: zero}
      types:
        deep: {seq: [{id: more, type: deep}], -say: "{more}{more}{more}"}
        many: {seq: [{id: all, type: u1, repeat: expr, repeat-expr: 1000000000000}]}
        wide: {seq: [{id: a, type: pair, size-eos: true}]}
        pair: {seq: [{id: left, type: pair, size: 1}, {id: right, type: pair, size: 1}]}
        self: {seq: [{id: a, type: u1}], instances: {x: {value: y + 1}, y: {value: x + 1}, here: {pos: 0, type: self}}}
        zero: {seq: [{id: nothing, type: empty, repeat: eos}]}
        empty: {seq: []}
      """
    let set = try ProfileSet(builtin: false, texts: [(text, "t.yaml", .given)])
    for source in ["deep", "many", "wide", "self", "zero"] {
      let engine = ProfileEngine(set)
      let link = engine.connect(PeerFacts())
      let slot = engine.slot(link, profile: try set.profile(0), source: source)
      var output: [UInt8] = []
      [UInt8](repeating: 7, count: 200).withBorrowedBytes { _ = engine.feed(link, slot, .notify, $0, frame: 1, time: 0) }
      for message in engine.messages {
        message.appendRow(to: &output)
        message.appendSentence(to: &output)
        message.appendText(to: &output)
        if source != "self" { #expect(message.problem != nil, "\(source)") }
      }
      #expect(output.count < 50_000_000)
    }
  }

  /// Random packets: nothing traps, and every row is JSON.
  @Test func anyBytesAreTaken() throws {
    var state = testSeed
    func next() -> UInt8 {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return UInt8(truncatingIfNeeded: state >> 56)
    }
    let set = try ProfileSet()
    for summary in set.summaries {
      let profile = try set.profile(summary.number)
      let engine = ProfileEngine(set)
      let link = engine.connect(PeerFacts())
      var output: [UInt8] = []
      for source in profile.sourceNames {
        let slot = engine.slot(link, profile: profile, source: source)
        for direction in ValueDirection.allCases {
          for _ in 0..<40 {
            let packet = (0..<Int(next() % 40)).map { _ in next() }
            packet.withBorrowedBytes { _ = engine.feed(link, slot, direction, $0, frame: 1, time: 0) }
            for message in engine.messages {
              output.removeAll(keepingCapacity: true)
              message.appendRow(to: &output)
              #expect(
                FieldTree(json: output) != nil, "BTSCRIBE_SEED=\(testSeed), \(profile.id): \(String(decoding: output, as: UTF8.self))")
              message.appendSentence(to: &output)
            }
          }
        }
      }
      engine.finish()
    }
  }
}

/// Mistakes that must be reported.
@Suite struct SilenceTests {
  private func run(_ text: String) throws -> [ProfileTestResult] {
    try ProfileSet(builtin: false, texts: [(text, "t.yaml", .given)]).test(0)
  }

  @Test func aWrongChecksumOfAnyFragmentIsReported() throws {
    let results = try run(
      """
      profile: fragments
      characteristics: {a: {uuid: fff1, notify: bytes, framing: [{check: {algorithm: sum8}}, {slice: [0, -1]}, {fragments: {header: h, more: more == 1}}]}}
      types: {h: {seq: [{id: more, type: u1}]}}
      tests:
        - {characteristic: a, packets: ["01aaff", "00bbbb"], expect: {_checksum: bad, bytes: aabb}}
        - {characteristic: a, packets: ["01aaab", "01ccff", "00bbbb"], expect: {_checksum: bad, bytes: aaccbb}}
        - {characteristic: a, packets: ["01aaab", "00bbff"], expect: {_checksum: bad}}
        - {characteristic: a, packets: ["01aaff", "00bbbb", "01aaab", "00bbbb"], expect: [{_checksum: bad}, {_checksum: ok}]}
      """)
    #expect(results.flatMap(\.differences) == [])
  }

  @Test func castsInConditionsOfAnswers() throws {
    let text = """
      profile: casts
      characteristics:
        a: {uuid: fff1, write: m}
        b: {uuid: fff2, notify: m, answers: {a: body.as<one>.v == _request.body.as<one>.v}}
      types:
        m: {seq: [{id: k, type: u1}, {id: body, type: {switch-on: k, cases: {1: one, 2: two}}}]}
        one: {seq: [{id: v, type: u1}]}
        two: {seq: [{id: w, type: u1}]}
      tests:
        - {exchange: [{write: a, packets: ["0105"]}, {notify: b, packets: ["0105"]}], expect: [{}, {_answers: 1}]}
        - {exchange: [{write: a, packets: ["0105"]}, {notify: b, packets: ["0205"]}], expect: [{}, {_answers: 1}]}
      """
    let results = try run(text)
    #expect(results[0].differences == [])
    // The reason why a condition could not be evaluated is reported.
    #expect(results[1].differences.contains { $0.contains("could not be evaluated") }, "\(results[1].differences)")
  }

  @Test func expectedChecksumsDoNotHideOtherProblems() throws {
    let results = try run(
      """
      profile: short
      characteristics: {a: {uuid: fff1, notify: m, framing: [{check: {algorithm: sum8}}]}}
      types: {m: {seq: [{id: a, type: u1}, {id: b, type: u4be}]}}
      tests: [{characteristic: a, packets: ["0101"], expect: {a: 1, _checksum: ok}}, {characteristic: a, packets: ["0101"], expect: []}]
      """)
    #expect(results[0].differences.count == 1)
    #expect(results[1].differences.contains { $0.contains("1 message instead of 0") })
  }

  @Test func requestsMustEncodeToTheirPackets() throws {
    let results = try run(
      """
      profile: packets
      characteristics:
        a: {uuid: fff1, write: bytes, framing: {fragments: {header: h, payload: [~, n + 1], first: true, last: true, build: {size: 8, first: {n: length}}}}}
      types: {h: {seq: [{id: n, type: u1}]}}
      tests: [{characteristic: a, packets: ["0301020300000000"], expect: {_payload: "010203"}}]
      """)
    #expect(results[0].differences.contains { $0.contains("encodes to packets 03010203, not 0301020300000000") }, "\(results)")
  }

  @Test func tablesOfState() throws {
    let results = try run(
      """
      profile: ports
      state: {mode: {}, size: {_: 1}}
      characteristics: {a: {uuid: fff1, notify: [{when: "_payload[0] == 1", message: format}, {when: "_payload[0] == 2", message: mode}, value]}}
      messages:
        format: {set: {"size[port * 256 + mode]": size}}
        mode: {set: {"mode[port]": mode}}
      types:
        format: {seq: [{id: k, type: u1}, {id: port, type: u1}, {id: mode, type: u1}, {id: size, type: u1}]}
        mode: {seq: [{id: k, type: u1}, {id: port, type: u1}, {id: mode, type: u1}]}
        value:
          seq:
            - {id: k, type: u1}
            - {id: port, type: u1}
            - {id: values, repeat: eos, type: {switch-on: "_state.size[port * 256 + _state.mode[port]]", cases: {1: s1, 2: s2be}}}
      tests:
        - characteristic: a
          packets: ["0300f9ff", "01000202", "01000301", "01010302", "020002", "0300f9fff9ff", "0301f9ff", "020103", "0301fff9"]
          expect: [{values: [-7, -1]}, {}, {}, {}, {}, {values: [-1537, -1537]}, {values: [-7, -1]}, {}, {values: [-7]}]
      """)
    #expect(results.flatMap(\.differences) == [])
  }

  @Test func tablesOfTagsInOtherForms() throws {
    let results = try run(
      """
      profile: tags
      characteristics: {a: {uuid: fff1, write: nibbles}, b: {uuid: fff2, write: structures}}
      tables:
        nibble: {tag: b4, length: b4, items: {1: {name: level, type: uint}}}
        structure: {order: length-tag, length-counts: tag, items: {9: {name: name, type: str}, 255: {name: data, type: bytes}}}
      types:
        nibbles: {seq: [{id: values, type: nibble, repeat: eos}]}
        structures: {seq: [{id: values, type: structure, repeat: eos}]}
      tests:
        - {characteristic: a, packets: ["11052102"], expect: {values: [{id: level, value: 5}, {id: 2, value: "02"}]}}
        - {characteristic: b, packets: ["03096162" "03ff0102"], expect: {values: [{id: name, value: ab}, {id: data, value: "0102"}]}}
      """.replacing("\"03096162\" \"03ff0102\"", with: "\"0309616203ff0102\""))
    #expect(results.flatMap(\.differences) == [])
  }

  @Test func aHeaderAloneIsTakenOffEveryPacket() throws {
    let results = try run(
      """
      profile: heads
      characteristics: {a: {uuid: fff1, write: m, framing: {fragments: {header: h, build: {first: {n: length + 1}}}}}}
      types: {h: {seq: [{id: n, type: u1}]}, m: {seq: [{id: v, type: u1}, {id: r, size-eos: true}]}}
      tests: [{characteristic: a, packets: ["03010a", "0205"], expect: [{v: 1, r: 0a}, {v: 5, r: ""}]}]
      """)
    #expect(results.flatMap(\.differences) == [])
  }
}
