import Foundation
import Memory
import Testing
import TestSupport
import Text

@_spi(Pipeline) @testable import Profiles

/// Additions of profiles to Kaitai Struct: bodies in expressions, switches, lists in the state, imports, and their use in layers.
@Suite struct LanguageAdditionTests {
  private func set(_ text: String) throws -> ProfileSet { try ProfileSet(builtin: false, texts: [(text, "t.yaml", .given)]) }

  /// All tests in a profile pass.
  private func passes(_ text: String, _ location: SourceLocation = #_sourceLocation) throws {
    let results = try set(text).test(0)
    #expect(!results.isEmpty, sourceLocation: location)
    for result in results {
      #expect(result.differences.isEmpty, "line \(result.line): \(result.differences.joined(separator: "; "))", sourceLocation: location)
    }
  }

  private func fails(_ text: String, _ part: String, _ location: SourceLocation = #_sourceLocation) throws {
    let differences = try set(text).test(0).flatMap(\.differences)
    #expect(differences.contains { $0.contains(part) }, "\(differences)", sourceLocation: location)
  }

  private func isRefused(_ text: String, _ part: String, _ location: SourceLocation = #_sourceLocation) {
    do {
      _ = try set(text).profile(0)
      Issue.record("the profile was not refused", sourceLocation: location)
    } catch { #expect("\(error)".contains(part), "\(error)", sourceLocation: location) }
  }

  private func encode(_ text: String, _ message: String, _ json: String) throws -> [String] {
    let set = try set(text)
    let encoder = MessageEncoder(try set.profile(0), of: set)
    return try encoder.encode(message, try #require(FieldTree(json: Array(json.utf8)))).packets.map { String(hexOf: $0) }
  }

  private func hex(_ text: String) -> String { String(hexOf: Array(text.utf8)) }

  // MARK: Bodies

  @Test func expressionsLookIntoJSON() throws {
    let body = hex(#"{ "wifi" : {"ssid": "h\u0069"}, "a": [1, 5, 2.5], "on": true, "none": null, "2": 9, "big": 18446744073709551615}"#)
    try passes(
      """
      profile: p
      characteristics: {c: {uuid: fff1, notify: m}}
      types:
        m:
          seq: [{id: body, size-eos: true, -body: json}]
          instances:
            ssid: {value: body.wifi.ssid}
            second: {value: "body.a[1]"}
            count: {value: body.a.size}
            top: {value: body.a.max}
            doubled: {value: "body.a.map(_ * 2)"}
            found: {value: "body.a.find(_ > 1)"}
            key: {value: "body[2]"}
            large: {value: "body.big == 18446744073709551615"}
            either: {value: "body.nothing.x == 1 or body.on"}
            there: {value: 7, if: body.none.x == 1 or body.on}
      tests:
        - characteristic: c
          packets: [\(body)]
          expect: {ssid: hi, second: 5, count: 3, top: 5, doubled: [2, 10, 5], found: 5, key: 9, large: true, either: true, there: 7}
      """)
  }

  @Test func expressionsLookIntoCBORAndCSV() throws {
    try passes(
      """
      profile: p
      characteristics: {c: {uuid: fff1, notify: m}, v: {uuid: fff2, notify: w}}
      types:
        m:
          seq: [{id: body, size-eos: true, -body: cbor}]
          instances:
            text: {value: body.t}
            number: {value: "body[1]"}
            negative: {value: "body[-2]"}
            inner: {value: "body.l[1].x"}
            count: {value: body.l.size}
            joined: {value: body.s}
        w:
          seq: [{id: body, size-eos: true, -body: "csv x, y"}]
          instances: {x: {value: body.x.to_f / 10}, y: {value: body.y}, third: {value: "body[2]"}}
      tests:
        # {"t": "a", 1: 7, -2: h'00', "l": [0, {"x": 1000}], "s": (_ "b", "c")}
        - {characteristic: c, packets: ["bf617461610107214100616c9fc100a161781903e8ff61737f61626163ffff"], expect: {text: a, number: 7, negative: "00", inner: 1000, count: 2, joined: bc}}
        - {characteristic: v, packets: ["\(hex("123, a b ,-4.5\r\n"))"], expect: {x: 12.3, y: a b, third: -4.5}}
      """)
  }

  @Test func onlyCBOR() throws {
    try passes(
      """
      profile: p
      state: {x: 0}
      characteristics: {c: {uuid: fff1, write: m}, a: {uuid: fff2, notify: [{when: _request.kind == 3, message: three}, bytes], answers: {c: ""}}}
      messages: {m: {body: cbor, set: {x: "items[1]"}}}
      types: {three: {seq: [{id: v, type: u1}], instances: {x: {value: _state.x}}}}
      tests:
        - exchange: [{write: c, packets: ["a2646b696e640365697465 6d73820709"]}, {notify: a, packets: ["05"]}]
          expect: [{kind: 3}, {_message: three, x: 9, _answers: 1}]
      """)
  }

  /// Floating-point numbers have the size that the message gives, whatever was declared.
  @Test func doublesThatArriveAsFloats() throws {
    try passes(
      """
      profile: p
      characteristics: {c: {uuid: fff1, notify: m}}
      messages: {m: {body: protobuf M}}
      protobufs: {M: {1: double price, 2: float size}}
      tests: [{characteristic: c, direction: notify, packets: ["0d0000c03f 110000000000000440"], expect: {price: 1.5, size: 2.5}, encodes: false}]
      """)
  }

  @Test func messagesAndRequestsThatAreProtobuf() throws {
    let text = """
      profile: p
      state: {sum: 0, ssid: ""}
      characteristics:
        ask: {uuid: fff1, write: op}
        answer: {uuid: fff2, notify: [{when: _request.id == 5, message: five}, other], answers: {ask: "kind == _request.wifi.rssi or code == _request.id"}}
        state: {uuid: fff3, notify: shown}
        body: {uuid: fff4, write: op, notify: reply, answers: {body: id == _request.id}}
      messages:
        op: {body: protobuf Op, set: {ssid: wifi.ssid, sum: "items.sum + packed[1] + counts.two + items.size + floats[0].round"}}
        reply: {body: protobuf Reply}
      protobufs:
        Op: {1: uint32 id, 2: Wifi wifi, 3: repeated uint32 items, 4: "map<string, int32> counts", 5: repeated sint32 packed, 6: repeated float floats}
        Wifi: {1: string ssid, 2: sint32 rssi}
        Reply: {1: uint32 id}
      types:
        five: {seq: [{id: kind, type: s1}]}
        other: {seq: [{id: x, type: u1}, {id: code, type: u1}]}
        shown: {seq: [{id: k, type: u1}], instances: {sum: {value: _state.sum}, ssid: {value: _state.ssid}}}
      tests:
        - exchange:
            - {write: ask, packets: ["0805 12050a01611003 1801 1802 22070a0374776f1014 2a020203 32040000c03f"]}
            - {notify: answer, packets: ["fe"]}
            - {notify: state, packets: ["00"]}
            - {write: ask, packets: ["0806"]}
            - {notify: answer, packets: ["0006"]}
          expect: [{}, {_message: five, _answers: 1}, {sum: 25, ssid: a}, {}, {_message: other, _answers: 4}]
          encodes: false
        - exchange: [{write: body, packets: ["0805"]}, {notify: body, packets: ["0806"]}, {notify: body, packets: ["0805"]}]
          expect: [{}, {id: 6, _answers: ~}, {id: 5, _answers: 1}]
      """
    try passes(text)
    isRefused(text.replacing("ssid: wifi.ssid,", with: "ssid: wlan.ssid,"), "has no field \"wlan\"")
    isRefused(text.replacing("code == _request.id", with: "cdoe == _request.id"), "cdoe")
  }

  /// Malformed and hostile bodies give no value, and decoding ends.
  @Test func randomBodiesInExpressions() throws {
    let set = try set(
      """
      profile: p
      characteristics: {j: {uuid: fff1, notify: j}, c: {uuid: fff2, notify: c}, b: {uuid: fff3, notify: b}, v: {uuid: fff4, notify: v}}
      protobufs: {M: {1: M a, 2: repeated M l, 3: "map<string, M> m", 4: repeated uint32 n}}
      types:
        j: {seq: [{id: x, size-eos: true, -body: json}], instances: {a: {value: "x.a.a[1].a"}, b: {value: x.size}, c: {value: "x.map(_.a)"}}}
        c: {seq: [{id: x, size-eos: true, -body: cbor}], instances: {a: {value: "x.a.a[1].a"}, b: {value: x.size}, c: {value: "x.map(_[1])"}}}
        b: {seq: [{id: x, size-eos: true, -body: protobuf M}], instances: {a: {value: "x.a.l[1].m.a.n.sum"}, b: {value: x.n.size}, c: {value: "x.l.map(_.n.max)"}}}
        v: {seq: [{id: x, size-eos: true, -body: csv a}], instances: {a: {value: x.a.to_f}, b: {value: "x[3]"}, c: {value: "x.map(_).sum"}}}
      """)
    var generator = SplitMix(state: 0xB0D1)
    let words = Array("{}[]\",:a1-e.\\u".utf8) + [0x81, 0xa1, 0x9f, 0xbf, 0xff, 0x61, 0x0a, 0x12, 0x1a, 0x22, 0, 2]
    for source in ["j", "c", "b", "v"] {
      for _ in 0..<300 {
        let count = Int.random(in: 0...200, using: &generator)
        let bytes = (0..<count).map { _ in
          Bool.random(using: &generator) ? words.randomElement(using: &generator) ?? 0 : UInt8.random(in: 0...255, using: &generator)
        }
        let found = try decode(set, "p", source, [String(hexOf: bytes)])
        #expect(found.count == 1)
      }
      // Deeply nested, and long.
      for text in [String(repeating: "5b", count: 20_000), String(repeating: "81", count: 20_000), String(repeating: "2c", count: 20_000)] {
        _ = try decode(set, "p", source, [text])
      }
    }
  }

  @Test func fieldsOfBodies() throws {
    let text = """
      profile: p
      characteristics: {j: {uuid: fff1, write: j}, c: {uuid: fff2, write: c}, v: {uuid: fff3, write: v}}
      messages:
        j:
          body: json
          fields: {temp: {name: temperature, -unit: °C, -scale: 0.1}, wifi.mode: {enum: mode}, wifi.key: {-secret: true}, l.v: {-round: 1}, t: {-scale: 2}}
        c: {body: cbor, fields: {1: count, 2: {enum: mode}}}
      enums: {mode: {0: "off", 1: "on"}}
      types: {v: {-say: "{b}", seq: [{id: b, size-eos: true, -body: "csv t, u", -fields: {t: {-scale: 0.1, -unit: V}}}]}}
      tests:
        - characteristic: j
          packets: ["\(hex(#"{"temp":235,"wifi":{"mode":1,"key":"x"},"l":[{"v":0.26}],"t":"4.5"}"#))"]
          expect: {temperature: 23.5, wifi: {mode: "on", key: x}, l: [{v: 0.3}], t: 9}
          encodes: false
        - {characteristic: c, packets: ["a2010302 01"], expect: {count: 3, "2": "on"}}
        - {characteristic: v, packets: ["\(hex("235,7"))"], expect: {b: {t: 23.5, u: 7}, _say: "t 23.5 V, u 7"}}
      """
    try passes(text)
    #expect(try set(text).profile(0).hasSecrets)
    #expect(try encode(text, "j", #"{"temperature": 23.5, "wifi": {"mode": "on"}}"#) == [hex(#"{"temp":235,"wifi":{"mode":1}}"#)])
    #expect(try encode(text, "c", #"{"count": 3, "2": "on"}"#) == ["a201030201"])
    isRefused(text.replacing("enum: mode}, wifi.key", with: "enum: mood}, wifi.key"), "no enum is named \"mood\"")
    isRefused(text.replacing("{body: cbor, fields", with: "{body: text, fields"), "cbor, json or csv")
    isRefused(text.replacing("-round: 1", with: "-rond: 1"), "-rond")
  }

  // MARK: Choosing messages

  @Test func switchesBetweenMessages() throws {
    let text = """
      profile: p
      characteristics:
        n: {uuid: fff1, notify: {switch-on: "_payload[0]", cases: {1: a, 0x20: b, _: c}}}
        m: {uuid: fff2, notify: [{when: _payload.length == 1, message: c}, {switch-on: "_payload[0]", cases: {1: a}}, b]}
      types:
        a: {seq: [{id: k, type: u1}, {id: x, type: u1}]}
        b: {seq: [{id: k, type: u1}, {id: y, type: u1}]}
        c: {seq: [{id: k, type: u1}]}
      tests:
        - {characteristic: n, packets: ["0105", "2006", "07"], expect: [{_message: a, x: 5}, {_message: b, y: 6}, {_message: c}]}
        - {characteristic: m, packets: ["01", "0105", "0205"], expect: [{_message: c}, {_message: a}, {_message: b}]}
      """
    try passes(text)
    isRefused(text.replacing("0x20: b", with: "kind::x: b"), "no enum \"kind\"")
    isRefused(text.replacing("cases: {1: a}}", with: "casse: {1: a}}"), "cases")
    isRefused(text.replacing("cases: {1: a}}", with: "cases: {}}"), "names no message")
  }

  @Test func headersInConditionsAndTypes() throws {
    try passes(
      """
      profile: p
      characteristics:
        f: {uuid: fff1, framing: {fragments: {header: h, first: not cont, last: last}}, notify: {switch-on: _header.kind, cases: {3: three, _: other}}}
        s: {uuid: fff2, framing: {stream: {start: 0xa5, header: g, length: length + 3}}, notify: [{when: _header.kind == 7, message: seven}, bytes]}
        n: {uuid: fff3, notify: [{when: _header.kind == 7, message: seven}, bytes]}
      types:
        h: {seq: [{id: cont, type: b1}, {id: last, type: b1}, {id: kind, type: b6}]}
        g: {seq: [{id: start, type: u1}, {id: kind, type: u1}, {id: length, type: u1}]}
        three: {seq: [{id: v, type: u2be}], instances: {kind: {value: _header.kind}}}
        other: {seq: [{id: o, type: u1}], instances: {kind: {value: _header.kind}}}
        seven: {seq: [{id: all, size-eos: true}]}
      tests:
        - {characteristic: f, packets: ["030a", "c00b", "440c"], expect: [{_message: three, v: 2571, kind: 3}, {_message: other, kind: 4}]}
        - {characteristic: s, packets: ["a5070101a5080101"], expect: [{_message: seven}, {_message: bytes}]}
        - {characteristic: n, packets: ["07"], expect: {_message: bytes}}
      """)
  }

  // MARK: Numbers and units

  @Test func unitsAndOffsetsThatAreExpressions() throws {
    let text = """
      profile: p
      meta: {endian: be}
      characteristics: {c: {uuid: fff1, write: m}}
      types:
        m:
          -say: "{w}, {z}"
          seq:
            - {id: u, type: u1}
            - {id: base, type: s1}
            - {id: w, type: u2, -unit: "u == 1 ? 'g' : 'oz'", -scale: 0.1, -offset: base, -na: 0xffff}
            - {id: z, type: u2, -scale: 10, -offset: 5}
            - {id: r, type: f4, -round: 2}
            - {id: q, type: u2, -scale: base, -offset: base}
      tests:
        - {characteristic: c, packets: ["01ff0064006440490fdb0002"], expect: {w: 9, z: 1005, r: 3.14, q: -3, _say: "9 g, 1005"}, encodes: false}
        - {characteristic: c, packets: ["0202ffff00007f8000000000"], expect: {w: ~, _say: "none, 5"}, encodes: false}
      """
    try passes(text)
    // Integers stay integers.
    let found = try decode(set(text), "p", "c", ["01ff0064006440490fdb0002"], .write)
    #expect(found[0].fields["z"] == .int(1005) && found[0].fields["q"] == .int(-3))
    #expect(try encode(text, "m", #"{"u": 1, "base": -1, "w": 9, "z": 1005, "r": 3.5, "q": -3}"#) == ["01ff00640064406000000002"])
    isRefused(text.replacing("-offset: base, -na", with: "-offset: bass, -na"), "bass")
    isRefused(text.replacing("-round: 2", with: "-round: 99"), "from 0 to 15")
  }

  @Test func registersWithSwappedWords() throws {
    try passes(
      """
      profile: p
      meta: {endian: be}
      characteristics:
        ask: {uuid: fff1, write: ask}
        answer: {uuid: fff2, notify: answer, answers: {ask: ""}}
      types:
        ask: {seq: [{id: start, type: u2}, {id: count, type: u2}]}
        answer: {seq: [{id: length, type: u1}, {id: registers, type: holding, size: length}]}
      tables:
        holding:
          first: _request.start
          registers:
            10: {name: energy, type: u4bews, -unit: Wh}
            12: {name: power, type: f4ws, -unit: W}
            14: {name: trend, type: s2}
            15: {name: last, type: u2, if: 1 > 0}
      tests:
        - exchange: [{write: ask, packets: ["000a0004"]}, {notify: answer, packets: ["080002000100004140"]}]
          expect: [{start: 10}, {registers: {energy: 65538, power: 12, trend: ~, unnamed_registers: ~}}]
        - exchange: [{write: ask, packets: ["00630002"]}, {notify: answer, packets: ["0412345678"]}]
          expect: [{start: 99}, {registers: {unnamed_registers: [0x1234, 0x5678]}}]
        - {characteristic: answer, packets: ["0412345678"], expect: {registers: {unnamed_registers: [0x1234, 0x5678]}}}
        - exchange: [{write: ask, packets: ["000e0001"]}, {notify: answer, packets: ["02fffe"]}]
          expect: [{start: 14}, {registers: {trend: -2, last: ~, unnamed_registers: ~}}]
      """)
  }

  @Test func largeWholeNumbers() throws {
    let text = """
      profile: p
      characteristics: {c: {uuid: fff1, write: m}}
      types: {m: {seq: [{id: a, size: 16, -as: decimal}, {id: b, size: 9, -as: decimal-le}], instances: {isLarge: {value: "a > [0x7f]"}}}}
      tests:
        - {characteristic: c, packets: ["ffffffffffffffffffffffffffffffff" "010000000000000001"], expect: {}}
      """.replacing("\" \"", with: "").replacing("isLarge", with: "large")
    try passes(text)
    let found = try decode(set(text), "p", "c", ["ffffffffffffffffffffffffffffffff010000000000000001"], .write)
    #expect(found[0].fields["a"]?.text == "340282366920938463463374607431768211455" && found[0].fields["b"]?.text == "18446744073709551617")
    #expect(found[0].fields["large"] == .bool(true))
    #expect(
      try encode(text, "m", #"{"a": "340282366920938463463374607431768211455", "b": 258}"#)
        == ["ffffffffffffffffffffffffffffffff020100000000000000"])
    #expect(throws: EncodeError.self) { try encode(text, "m", #"{"a": "340282366920938463463374607431768211456", "b": 1}"#) }
    #expect(throws: EncodeError.self) { try encode(text, "m", #"{"a": "-1", "b": 1}"#) }
  }

  @Test func tolerancesOfSingleValues() throws {
    let text = """
      profile: p
      characteristics: {c: {uuid: fff1, notify: m}}
      types: {m: {seq: [{id: x, type: u1, -scale: 0.1}, {id: y, type: u1}]}}
      tests: [{characteristic: c, packets: ["0a0a"], expect: {x: 1.2 ± 0.2, y: 11 ± 1}}]
      """
    try passes(text)
    try fails(text.replacing("11 ± 1", with: "12 ± 1"), "message 1.y is 10")
  }

  // MARK: State

  @Test func listsThatComeInPieces() throws {
    let text = """
      profile: p
      state: {cells: [], names: [first]}
      characteristics: {c: {uuid: fff1, notify: piece}, s: {uuid: fff2, notify: shown}}
      messages: {piece: {set: {cells: _state.cells + cells, names: "_state.names + [name]"}}}
      types:
        piece: {seq: [{id: count, type: u1}, {id: cells, type: u2be, repeat: expr, repeat-expr: count}, {id: name, type: str, size-eos: true, encoding: ASCII}]}
        shown:
          seq: [{id: k, type: u1}]
          instances:
            count: {value: _state.cells.size}
            sum: {value: _state.cells.sum}
            last: {value: "_state.cells.size > 0 ? _state.cells.last : -1"}
            names: {value: "_state.names.join('+')"}
      tests:
        - exchange:
            - {notify: s, packets: ["00"]}
            - {notify: c, packets: ["020001000261"]}
            - {notify: c, packets: ["01030062"]}
            - {notify: s, packets: ["00"]}
          expect: [{count: 0, last: -1, names: first}, {}, {}, {count: 3, sum: 771, last: 768, names: first+a+b}]
        - {characteristic: s, state: {cells: [5, 6]}, packets: ["00"], expect: {count: 2, sum: 11}}
      """
    try passes(text)
    // Only the last elements are kept.
    let set = try set(text)
    let packets = (0..<20).map { _ in "c8" + String(repeating: "0001", count: 200) }
    let engine = ProfileEngine(set)
    let link = engine.connect(PeerFacts())
    let profile = try set.profile(0)
    let (from, to) = (engine.slot(link, profile: profile, source: "c"), engine.slot(link, profile: profile, source: "s"))
    for packet in packets { ([UInt8](hex: packet) ?? []).withBorrowedBytes { _ = engine.feed(link, from, .notify, $0, frame: 1, time: 0) } }
    [UInt8(0)].withBorrowedBytes { _ = engine.feed(link, to, .notify, $0, frame: 2, time: 0) }
    #expect(engine.messages.first?.fieldTree["count"] == .int(512))
  }

  // MARK: Imports

  private func folder(_ files: [String: String]) throws -> URL {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("imports-\(UInt64.random(in: 0...UInt64.max))")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    for (name, text) in files { try text.write(to: folder.appendingPathComponent(name), atomically: true, encoding: .utf8) }
    return folder
  }

  private func compiled(_ folder: URL, _ name: String = "p.yaml") throws -> ProfileSet {
    let file = folder.appendingPathComponent(name)
    return try ProfileSet(builtin: false, texts: [(try String(contentsOf: file, encoding: .utf8), file.path, .given)])
  }

  @Test func importsOfFiles() throws {
    let folder = try folder([
      "units.yaml": """
      library: units
      meta: {endian: le}
      imports: [kinds.yaml, p.yaml]
      types:
        volts: {-inline: true, seq: [{id: value, type: u2, -scale: 0.001, -unit: V}]}
        pair: {seq: [{id: v, type: volts}, {id: k, type: u1, enum: kind}]}
        never_used: {seq: [{id: x, type: nothing_known}]}
      framings: {frames: [{check: {algorithm: sum8}}, {slice: [0, -1]}]}
      """,
      "kinds.yaml": "library: kinds\nimports: [units.yaml]\nenums: {kind: {1: one, 2: two}}\n",
      "p.yaml": """
      profile: p
      imports: [units.yaml]
      meta: {endian: be}
      characteristics: {c: {uuid: fff1, framing: frames, notify: m}}
      types: {m: {seq: [{id: a, type: u2}, {id: w, type: pair}]}}
      tests: [{characteristic: c, packets: ["0001e80302ee"], expect: {a: 1, w: {v: 1, k: two}}}]
      """,
      "clash.yaml": "library: clash\nenums: {kind: {1: uno}}\n",
      "odd.yaml": "library: odd\nmatch: {names: [x]}\n",
    ])
    defer { try? FileManager.default.removeItem(at: folder) }
    let set = try compiled(folder)
    #expect(try set.test(0).flatMap(\.differences) == [])
    func refusal(_ imports: String) -> String {
      let text = """
        profile: p
        imports: \(imports)
        characteristics: {c: {uuid: fff1, notify: m}}
        types: {m: {seq: [{id: k, type: u1, enum: kind}]}}
        """
      do {
        let set = try ProfileSet(builtin: false, texts: [(text, folder.appendingPathComponent("q.yaml").path, .given)])
        _ = try set.profile(0)
        return ""
      } catch { return "\(error)" }
    }
    #expect(refusal("[kinds.yaml]") == "")
    #expect(refusal("[kinds.yaml, clash.yaml]").contains("which of them is meant"))
    #expect(refusal("[odd.yaml]").contains("unknown key \"match\""))
    #expect(refusal("[../kinds.yaml]").contains("in the folder of this one"))
    #expect(refusal("[/etc/passwd.yaml]").contains("in the folder of this one"))
    #expect(refusal("[missing.yaml]").contains("cannot be read"))
    #expect(refusal("[nobody]").contains("no profile is named \"nobody\""))
    // A pipe does not block, and a folder is no file.
    try FileManager.default.createDirectory(at: folder.appendingPathComponent("d.yaml"), withIntermediateDirectories: true)
    #expect(mkfifo(folder.appendingPathComponent("pipe.yaml").path, 0o600) == 0)
    #expect(refusal("[d.yaml]").contains("cannot be read"))
    #expect(refusal("[pipe.yaml]").contains("cannot be read"))
  }

  @Test func importsOfBuiltinLibraries() throws {
    // The manual's example, with tests.
    let text = """
      profile: p
      imports: [modbus, units]
      meta: {endian: be}
      characteristics:
        request: {uuid: fff2, framing: modbus_requests, write: read_request}
        answer:
          uuid: fff1
          framing: modbus_answers
          notify:
            - {when: "_payload[1] >= 0x80", message: modbus_refusal}
            - {when: _request.start == 0, message: status}
            - other
          answers:
            - {to: request, when: head.byte_count == _request.count * 2}
            - {to: request, when: function.to_i == _request.function.to_i + 128}
      types:
        status:
          seq:
            - {id: head, size: 3, type: frame_header, -hidden: true}
            - {id: voltage, type: centivolts}
      tests:
        - exchange: [{write: request, packets: ["010300000001840a"]}, {notify: answer, packets: ["01030205 7c", "baf5"]}]
          expect: [{start: 0, count: 1, function: read_holding_registers, _checksum: ok}, {voltage: 14.04, _answers: 1}]
        - exchange: [{write: request, packets: ["010300000001840a"]}, {notify: answer, packets: ["018302c0f1"]}]
          expect: [{}, {exception: illegal data address, function: read_refused, _answers: 1}]
      """
    let set = try ProfileSet(texts: [(text, "t.yaml", .given)])
    let number = try #require(set.summaries.first { $0.origin == .given }?.number)
    for result in try set.test(number) { #expect(result.differences.isEmpty, "\(result.differences)") }
    for library in set.summaries where library.isLibrary {
      // The libraries that the manual lists exist, and there are no others.
      let text = set.text(library.number)
      #expect(text.hasPrefix("#") && text.contains("\nlibrary: \(library.id)\n"))
      _ = try set.profile(library.number)
    }
    #expect(set.summaries.filter(\.isLibrary).map(\.id) == ["modbus", "units", "values"])
  }

  @Test func mistakesInLibraries() throws {
    isRefused("library: mine\ntypes: {a: {seq: [{id: b, type: u9}]}}", "u9")
    isRefused("library: mine\ncharacteristics: {c: {uuid: fff1, notify: bytes}}", "in a library")
    let set = try set("library: mine\ntypes: {a: {seq: [{id: b, type: u2}]}}")
    _ = try set.profile(0)
    #expect(set.summaries[0].isLibrary && set.summaries[0].id == "mine")
  }

  @Test func importsOfProfiles() throws {
    let other = """
      profile: other
      meta: {endian: le}
      characteristics: {c: {uuid: fff9, notify: head}}
      types: {head: {seq: [{id: n, type: u2}]}}
      """
    let own = """
      profile: own
      imports: other
      characteristics: {c: {uuid: fff1, notify: m}}
      types: {m: {seq: [{id: h, type: head}]}}
      tests: [{characteristic: c, packets: ["0100"], expect: {h: {n: 1}}}]
      """
    let set = try ProfileSet(builtin: false, texts: [(other, "o.yaml", .given), (own, "p.yaml", .given)])
    #expect(try set.test(try #require(set.number("own"))).flatMap(\.differences) == [])
  }

  // MARK: Layers

  @Test func endMarksKnowEscapes() throws {
    let text = """
      profile: p
      characteristics:
        c: {uuid: fff1, write: bytes, framing: [{stream: {start: [0x10, 2], end: [0x10, 3]}}, {slice: [2, -2]}, {unescape: {dle: 0x10}}]}
        d: {uuid: fff2, notify: bytes, framing: [{stream: {start: 0x7b, end: 0x7d, escape: 0x5c}}]}
      tests:
        - {characteristic: c, packets: ["10024110", "1003421010", "1003"], expect: {bytes: "4110034210"}, encodes: message}
        - {characteristic: d, packets: ["7b5c7d417d"], expect: {bytes: 7b5c7d417d}}
      """
    try passes(text)
    #expect(try encode(text, "bytes", #"{"bytes": "41100342"}"#) == ["100241101003421003"])
  }

  @Test func packetsThatLieOverEachOther() throws {
    let text = """
      profile: p
      characteristics:
        o: {uuid: fff1, write: m, framing: {fragments: {header: h, offset: at, total: total, build: {size: 6, first: {at: offset, total: length}}}}}
      types:
        h: {seq: [{id: at, type: u1}, {id: total, type: u1}]}
        m: {seq: [{id: d, size-eos: true}]}
      tests:
        - {characteristic: o, packets: ["000801020304", "040805060708"], expect: {d: "0102030405060708"}}
        - {characteristic: o, packets: ["0408ffff0708", "000801020304", "000401020304"], expect: [{d: "01020304ffff0708"}, {d: "01020304"}], encodes: false}
        - {characteristic: o, packets: ["0408ffff0708"], expect: {_complete: false}, encodes: false}
        - {characteristic: o, packets: ["00ff"], expect: {_complete: false}, encodes: false}
      """
    try passes(text)
    isRefused(text.replacing("total: total, build", with: "index: at, total: total, build"), "beside \"offset\"")
    isRefused(text.replacing("total: total, build", with: "build"), "when the message is complete")
  }

  @Test func partsOfARecord() throws {
    let text = """
      profile: p
      characteristics:
        pages: {uuid: fff1, write: record, framing: {merge: {header: page, key: id, part: number, count: 2, idle: 5 s}}}
        list: {uuid: fff2, notify: list, framing: {merge: {header: piece, last: left == 0}}}
        runs: {uuid: fff3, notify: list, framing: {merge: {header: piece, first: left == 9, on-restart: complete}}}
        checked:
          uuid: fff4
          notify: list
          framing: [{stream: {start: 0x7e, length: 4}}, {check: {algorithm: sum8}}, {slice: [1, -1]}, {merge: {header: piece, last: left == 0}}]
      types:
        page:
          seq:
            - {id: number, type: u1, -hidden: true}
            - {id: id, type: u1}
            - {id: body, size-eos: true, -merge: true, type: {switch-on: number, cases: {1: weight, 2: fat}}}
        weight: {seq: [{id: weight, type: u2be, -scale: 0.1, -unit: kg}, {id: kind, type: u1, enum: kind}]}
        fat: {seq: [{id: fat, type: u1, -unit: "%"}, {id: kind, type: u1, enum: kind}]}
        record:
          -say: "{id}: {weight}[, {fat} fat][, {missing}], {kind}"
          seq: [{id: pages, type: page, repeat: parts, -merge: true}]
          instances: {missing: {value: "pages.size < 2 ? 'half' : ''"}}
        piece: {seq: [{id: left, type: u1, -hidden: true}, {id: values, type: u1, repeat: eos}]}
        list:
          -say: "{values}"
          seq: [{id: pieces, type: piece, repeat: parts, -merge: true}]
      enums: {kind: {1: first, 2: second}}
      tests:
        - title: in order
          source: pages
          packets: ["010702bc01", "02071402"]
          expect: {id: 7, weight: 70, fat: 20, kind: second, _say: "7: 70 kg, 20 % fat, second"}
        - title: in any order, two records at a time, and a part twice
          source: pages
          packets: ["02071402", "010802bc01", "010802bc01", "010702bc01", "02081502"]
          expect: [{id: 7, weight: 70, fat: 20, kind: second}, {id: 8, fat: 21, _problem: came twice}]
        - title: another version of a part
          source: pages
          packets: ["010702bc01", "010702bd01", "02071402"]
          expect: [{weight: 70, _complete: false, _problem: overtaken}, {weight: 70.1, fat: 20}]
        - title: silence
          exchange: [{write: pages, packets: ["010702bc01"]}, {write: pages, after: 6 s, packets: ["02071402"]}]
          expect: [{id: 7, _complete: false, missing: half}, {id: 7, fat: 20, weight: ~, _complete: false}]
        - {source: list, packets: ["020102", "0103", "000405"], expect: {values: [1, 2, 3, 4, 5], _say: "1, 2, 3, 4, 5"}}
        - {source: list, packets: ["00"], expect: {values: []}}
        - {source: runs, packets: ["0901", "0002", "0903"], expect: [{values: [1, 2]}, {values: [3]}]}
        - {source: checked, packets: ["7e010584", "7e0006", "84"], expect: {values: [5, 6], _checksum: ok}}
        - {source: checked, packets: ["7e010599", "7e000684"], expect: {values: [5, 6], _checksum: bad}}
      """
    try passes(text)
    do {
      _ = try encode(text, "record", #"{"pages": []}"#)
      Issue.record("a record was encoded")
    } catch { #expect("\(error)".contains("lays together"), "\(error)") }
    isRefused(text.replacing("last: left == 0", with: "idle: 1 s"), "when the record is complete")
    isRefused(text.replacing("repeat: parts", with: "repeat: parts, size: 3"), "takes the sizes of the parts")
    isRefused(text.replacing("-unit: kg", with: "-merge: true"), "is for objects")
    isRefused(text.replacing("repeat: parts, -merge", with: "repeat: parts, -hidden: true, -merge"), "on those fields")
  }

  @Test func recordsThatAreNeverComplete() throws {
    let text = """
      profile: p
      characteristics: {c: {uuid: fff1, notify: r, framing: {merge: {header: h, key: id, part: at, count: 200, max: 64}}}}
      types:
        h: {seq: [{id: id, type: u2le}, {id: at, type: u2le}]}
        r: {seq: [{id: parts, type: h, repeat: parts, -merge: true}]}
      """
    let set = try set(text)
    let engine = ProfileEngine(set)
    let link = engine.connect(PeerFacts())
    let slot = engine.slot(link, profile: try set.profile(0), source: "c")
    var partial = 0
    var largest = 0
    for number in 0..<5000 {
      let bytes = [UInt8(truncatingIfNeeded: number), UInt8(truncatingIfNeeded: number >> 8), UInt8(number % 7), 0, 1, 2, 3]
      bytes.withBorrowedBytes { _ = engine.feed(link, slot, .notify, $0, frame: number, time: Int64(number)) }
      partial += engine.messages.count { !$0.isComplete }
      largest = max(largest, engine.heldBytes(link))
    }
    // At most sixteen records are open, and each one that was dropped for another was reported.
    #expect(largest == 16 * 7)
    engine.disconnect(link)
    #expect(partial + engine.messages.count == 5000)
  }

  @Test func checksumsOverPackets() throws {
    let text = """
      profile: p
      characteristics:
        c:
          uuid: fff1
          write: m
          framing:
            - fragments: {header: h, first: n == 0, last: last, build: {size: 6, first: {n: 0, last: last}, next: {n: index + 1, last: last}}}
            - check: {algorithm: sum8, over-packets: true}
            - slice: [0, -1]
      types:
        h: {seq: [{id: last, type: b1}, {id: n, type: b7}]}
        m: {seq: [{id: d, size-eos: true}]}
      tests:
        - {characteristic: c, packets: ["000102030405", "8106070824 ca"], expect: {_checksum: bad}}
      """
    try passes(text)
    let packets = try encode(text, "m", #"{"d": "0102030405060708"}"#)
    #expect(packets == ["000102030405", "81060708a5"])
    let found = try decode(set(text), "p", "c", packets, .write)
    #expect(found.count == 1 && found[0].checksum == .ok && found[0].fields["d"]?.text == "0102030405060708")
    isRefused(
      text.replacing(
        "fragments: {header: h, first: n == 0, last: last, build: {size: 6, first: {n: 0, last: last}, next: {n: index + 1, last: last}}}",
        with: "strip: {head: 1}"), "behind \"fragments\"")
  }

  @Test func strayFragmentsShowTheirHeaders() throws {
    try passes(
      """
      profile: p
      characteristics: {u: {uuid: fff1, framing: {fragments: {header: h, first: n == 0, last: n == 2}}, notify: bytes}}
      types: {h: {seq: [{id: n, type: u1}, {id: k, type: u1, enum: k}]}}
      enums: {k: {1: one}}
      tests:
        - {characteristic: u, packets: ["0101bb", "0001cc", "0201dd"], expect: [{_kind: unjoined, n: 1, k: one, _payload: 0101bb}, {bytes: ccdd}]}
      """)
  }

  @Test func totalsThatLaterPacketsTakeBack() throws {
    try passes(
      """
      profile: p
      characteristics: {c: {uuid: fff1, framing: {fragments: {header: h, first: a == 128, total: "a == 128 ? 6 : 0"}}, notify: m}}
      types: {h: {seq: [{id: a, type: u1}]}, m: {seq: [{id: d, size-eos: true}]}}
      tests: [{characteristic: c, packets: ["80aaaa", "01bbbb"], expect: {d: aaaa, _problem: surplus}}]
      """)
  }

  @Test func markersAndHeadersInEncoding() throws {
    let text = """
      profile: p
      characteristics:
        two: {uuid: fff1, write: m, framing: [{stream: {start: [[0xaa, 1], [0xbb, 2]], header: h, length: 3 + length}}]}
        picks: {uuid: fff2, framing: [{stream: {start: [[0xaa], [0xbb]], end: 0x0d}}, {slice: [0, -1]}], write: [{when: "_payload[0] == 0xbb", message: second}, first]}
        sums: {uuid: fff3, write: n, framing: [{stream: {start: 0xa5, header: g, length: length + 4, build: {header: {start: 0xa5, length: length - 4, seq: 7}}}}, {check: {algorithm: sum8}}, {slice: [3, -1]}]}
        tail: {uuid: fff4, write: tail}
      types:
        h: {seq: [{id: s, size: 2}, {id: length, type: u1}]}
        m: {seq: [{id: s, size: 2}, {id: length, type: u1, -hidden: true}, {id: d, size: length}]}
        first: {seq: [{id: s, size: 1, -hidden: true}, {id: x, type: u1}]}
        second: {seq: [{id: s, size: 1, -hidden: true}, {id: x, type: u1}, {id: y, type: u1}]}
        g: {seq: [{id: start, type: u1}, {id: length, type: u1}, {id: seq, type: u1}]}
        n: {seq: [{id: x, type: u1}, {id: y, type: u1}]}
        tail: {seq: [{id: d, size: _io.size - 1}, {id: length, type: u1, -hidden: true, valid: _io.size - 1}]}
      """
    #expect(try encode(text, "m", #"{"s": "bb02", "d": "0102"}"#) == ["bb02020102"])
    #expect(try encode(text, "first", #"{"x": 1}"#) == ["aa010d"])
    #expect(try encode(text, "second", #"{"x": 1, "y": 2}"#) == ["bb01020d"])
    #expect(try encode(text, "n", #"{"x": 1, "y": 2}"#) == ["a502070102b1"])
    #expect(try encode(text, "tail", #"{"d": "aabbcc"}"#) == ["aabbcc03"])
  }

  @Test func hiddenBitsOfBTHome() throws {
    let set = try ProfileSet()
    let profile = try set.profile(try #require(set.number("bthome")))
    let fields = try #require(FieldTree(json: Array(#"{"trigger_based": false, "objects": [{"id": "battery", "value": 50}]}"#.utf8)))
    #expect(try MessageEncoder(profile, of: set).encode("plain", fields).packets == [[0x40, 0x01, 0x32]])
  }

  // MARK: Tests in profiles

  @Test func hiddenInstancesAndLinesInTests() throws {
    let text = """
      profile: p
      characteristics: {c: {uuid: fff1, notify: my_value}}
      types: {my_value: {-say: "{x}", seq: [{id: x, type: u1, -hidden: true}], instances: {v: {value: x + 1, -hidden: true}}}}
      tests: [{characteristic: c, packets: ["0a"], expect: {v: 11, _say: "10"}}, {characteristic: c, packets: ["0a"], expect: {_say: my value 10}}]
      """
    try passes(text)
    try fails(text.replacing("v: 11", with: "v: 12"), "message 1.v is 11, not 12")
  }
}
