import Memory
import Testing
import Text

@_spi(Pipeline) @testable import Profiles

/// Mistakes in profiles, and bytes that profiles do not describe, are all reported.
@Suite struct SilentMistakeTests {
  private static let registers = """
    profile: p
    meta: {endian: be}
    characteristics:
      request: {uuid: fff1, write: read}
      answer:
        uuid: fff2
        notify:
          - {when: "_payload[0] >= 0x80", message: refused}
          - {when: "_has_request and _request.start < 0x100", message: registers}
          - {when: "_payload[0] == 3", message: unknown}
          - other
        answers:
          - {to: request, when: function == 3 and byte_count == _request.count * 2}
          - {to: request, when: ""}
    types:
      read: {seq: [{id: function, contents: [3]}, {id: start, type: u2}, {id: count, type: u2}]}
      refused: {seq: [{id: function, type: u1, -hidden: true}, {id: error, type: u1}]}
      registers: {seq: [{id: function, type: u1, -default: 3}, {id: byte_count, type: u1}, {id: values, type: holding, size: byte_count}]}
      unknown: {seq: [{id: function, type: u1}, {id: byte_count, type: u1}, {id: data, size: byte_count}]}
      other: {seq: [{id: data, size-eos: true}]}
    tables:
      holding: {registers: {0: {name: voltage, -scale: 0.1, -unit: V}, 1: {name: current, -scale: 0.1, -unit: A}}}
    tests:
      - exchange: [{write: request, packets: ["0300000001"]}, {notify: answer, packets: ["03020084"]}]
        expect: [{start: 0}, {values: {voltage: 13.2}, _message: registers, _answers: 1}]
      - exchange: [{write: request, packets: ["0300000001"]}, {notify: answer, packets: ["8302"]}]
        expect: [{start: 0}, {error: 2, _message: refused, _answers: 1}]
    """

  @Test func answersAreEncodedWithTheirRequest() throws {
    let set = try ProfileSet(builtin: false, texts: [(Self.registers, "t.yaml", .given)])
    for result in try set.test(0) { #expect(result.differences.isEmpty, "line \(result.line): \(result.differences)") }
    func encode(_ message: String, _ json: String, request: String? = nil) throws -> String {
      let encoder = MessageEncoder(try set.profile(0), of: set)
      if let request { #expect(encoder.setRequest([try #require([UInt8](hex: request))], answeredBy: "answer")) }
      do {
        let fields = try #require(FieldTree(json: Array(json.utf8)))
        return try encoder.encode(message, fields, source: "answer").packets.map { String(hexOf: $0) }.joined(separator: " ")
      } catch let error as EncodeError { return error.description }
    }
    let values = #"{"byte_count": 2, "values": {"voltage": 13.2}}"#
    // Without the request the registers are not known.
    #expect(try encode("registers", values).contains("values.voltage"))
    #expect(try encode("registers", values).contains("no place for it"))
    // Its function is hidden, and would be 0, which is not an exception response.
    #expect(try encode("refused", #"{"error": 2}"#).contains("a message \"other\""))
    #expect(try encode("refused", #"{"function": 131, "error": 2}"#) == "8302")
    // With the request everything is checked.
    #expect(try encode("registers", #"{"byte_count": 0}"#, request: "0301050001").contains("a message \"unknown\""))
    #expect(try encode("registers", #"{"byte_count": 0}"#, request: "0300000001") == "0300")
    let encoder = MessageEncoder(try set.profile(0), of: set)
    #expect(!encoder.setRequest([[4, 0]], answeredBy: "answer"))
    #expect(encoder.answering("refused") == "answer" && encoder.answering("read") == nil)
    // Random messages are generated for those whose types and conditions do not use the request.
    let fuzz = try set.fuzz(0, count: 10)
    #expect(fuzz.failures.isEmpty)
    #expect(Set(fuzz.skipped.map(\.message)) == ["registers", "unknown", "other"])
  }

  @Test func requestsForDecodingByHand() throws {
    let set = try ProfileSet(builtin: false, texts: [(Self.registers, "t.yaml", .given)])
    let engine = ProfileEngine(set)
    let link = engine.connect(PeerFacts())
    let profile = try set.profile(0)
    let answer = try #require(profile.source("answer"))
    #expect(engine.feed(request: [[3, 0, 1, 0, 1]], answeredBy: answer, of: profile, link) != nil)
    let slot = engine.slot(link, profile: profile, source: "answer")
    [UInt8]([3, 2, 0, 0x84]).withBorrowedBytes { _ = engine.feed(link, slot, .notify, $0, frame: 1, time: 0) }
    #expect(engine.messages.first?.fieldTree["values"]?["current"] == .double(13.2))
    #expect(engine.feed(request: [[4]], answeredBy: answer, of: profile, link) == nil)
  }

  @Test func instancesSeeTheStateBeforeTheirMessage() throws {
    let text = """
      profile: p
      state: {sent: 5}
      characteristics: {c: {uuid: fff1, write: m}}
      messages: {m: {set: {sent: _state.sent + 1}}}
      types: {m: {seq: [{id: a, type: u1}], instances: {serial: {value: _state.sent}}}}
      tests:
        - {characteristic: c, packets: ["01", "02"], expect: [{a: 1, serial: 5}, {a: 2, serial: 6}]}
      """
    let set = try ProfileSet(builtin: false, texts: [(text, "t.yaml", .given)])
    for result in try set.test(0) { #expect(result.differences.isEmpty, "line \(result.line): \(result.differences)") }
  }

  @Test func keysThatLackTheirDash() throws {
    func error(_ field: String) -> String {
      do {
        let text = "profile: p\ncharacteristics: {c: {uuid: fff1, notify: m}}\ntypes: {m: {seq: [{id: a, type: u1, \(field)}]}}"
        _ = try ProfileSet(builtin: false, texts: [(text, "t.yaml", .given)]).profile(0)
        return ""
      } catch { return "\(error)" }
    }
    #expect(error("unit: V").contains("did you mean \"-unit\"?"))
    #expect(error("scale: 0.1").contains("did you mean \"-scale\"?"))
    #expect(error("-default: count * 2").contains("is a value, and no expression"))
    #expect(error("-default: 0x10").isEmpty && error("-default: true, -as: bool").isEmpty)
  }

  @Test func problemsOfEarlierLayersAreReported() throws {
    let text = """
      profile: gap
      characteristics:
        described: {uuid: ff11, notify: bytes, framing: parts}
        behind: {uuid: ff12, notify: bytes, framing: [parts, {stream: {start: 0xaa, header: head, length: length + 2}}]}
        before: {uuid: ff13, notify: bytes, framing: [{stream: {length: 4}}, parts]}
      framings:
        parts:
          - fragments: {header: packet, first: kind == 0xf0, total: total, counter: {value: number, modulo: 256, start: 1}, on-gap: warn}
      types:
        packet:
          seq:
            - {id: kind, type: u1}
            - {id: total, type: u1, if: kind == 0xf0}
            - {id: number, type: u1, if: kind == 0xf1}
        head: {seq: [{id: start, type: u1}, {id: length, type: u1}]}
      tests:
        - {source: described, packets: ["f004aa02", "f1020506"], expect: {bytes: aa020506, _problem: counter is 2 where 1 was due}}
        - {source: behind, packets: ["f004aa02", "f1020506"], expect: {bytes: aa020506, _problem: counter is 2 where 1 was due}}
        - {source: behind, packets: ["f004aa02", "f1010506"], expect: {bytes: aa020506}}
        - {source: before, packets: ["f004aa02f1020506"], expect: {bytes: aa020506, _problem: counter is 2 where 1 was due}}
        # What was wrong with one message is not said of the next.
        - {source: behind, packets: ["f004aa02", "f1020506", "f003aa01", "f10107"], expect: [{_problem: gap}, {bytes: aa0107}]}
      """
    let set = try ProfileSet(builtin: false, texts: [(text, "t.yaml", .given)])
    for result in try set.test(0) { #expect(result.differences.isEmpty, "line \(result.line): \(result.differences)") }
  }

  private func set(_ text: String) throws -> ProfileSet { try ProfileSet(builtin: false, texts: [(text, "t.yaml", .given)]) }

  private func results(_ text: String) throws -> [ProfileTestResult] { try set(text).test(0) }

  /// All tests in a profile pass.
  private func passes(_ text: String) throws {
    let results = try results(text)
    #expect(!results.isEmpty)
    for result in results { #expect(result.differences.isEmpty, "line \(result.line): \(result.differences.joined(separator: "; "))") }
  }

  /// A profile is refused with a message that contains `part`.
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

  // MARK: Requests

  @Test func alternativesKnowTheRequest() throws {
    try passes(
      """
      profile: p
      characteristics:
        ask: {uuid: fff1, write: ask}
        known: {uuid: fff2, notify: [{when: _has_request, message: answer}, report], answers: {ask: ""}}
        picked: {uuid: fff3, notify: [{when: _request.page == 2, message: second}, answer], answers: {ask: "id == _request.id"}}
      types:
        ask: {seq: [{id: id, type: u1}, {id: page, type: u1}]}
        answer: {seq: [{id: id, type: u1}]}
        second: {seq: [{id: id, type: u1}, {id: more, type: u1}]}
        report: {seq: [{id: id, type: u1}]}
      tests:
        - exchange: [{notify: known, packets: ["05"]}, {write: ask, packets: ["0501"]}, {notify: known, packets: ["05"]}]
          expect: [{_message: report}, {id: 5}, {_message: answer, _answers: 2}]
        - exchange: [{write: ask, packets: ["0501", "0602"]}, {notify: picked, packets: ["0609", "05", "05"]}]
          expect: [{id: 5}, {id: 6}, {_message: second, more: 9, _answers: 2}, {_message: answer, _answers: 1}, {_message: answer, _answers: ~}]
      """)
  }

  @Test func damagedMessagesChangeNothing() throws {
    try passes(
      """
      profile: p
      state: {page: 1}
      characteristics:
        ask: {uuid: fff1, write: ask}
        value:
          uuid: fff2
          framing: [{check: {algorithm: sum8}}]
          notify: [{when: "_payload[0] == 9", message: turn}, {when: _state.page == 7, message: seventh}, other]
          answers: {ask: k == _request.k}
      messages: {turn: {set: {page: page}}}
      types:
        ask: {seq: [{id: k, type: u1}]}
        turn: {seq: [{id: k, type: u1}, {id: page, type: u1}, {id: sum, type: u1}]}
        seventh: {seq: [{id: k, type: u1}, {id: sum, type: u1}]}
        other: {seq: [{id: k, type: u1}, {id: sum, type: u1}]}
      tests:
        - {characteristic: value, packets: ["090700", "0404", "090710", "0404"], expect: [{_checksum: bad}, {_message: other}, {page: 7}, {_message: seventh}]}
        - exchange: [{write: ask, packets: ["04"]}, {notify: value, packets: ["0409", "0404"]}]
          expect: [{k: 4}, {_checksum: bad, _answers: ~}, {_checksum: ok, _answers: 1}]
      """)
  }

  @Test func conditionsOverInnerFields() throws {
    try passes(
      """
      profile: p
      characteristics:
        ask: {uuid: fff1, write: ask}
        value: {uuid: fff2, notify: [{when: "_payload[0] > 127", message: refused}, values], answers: {ask: head.count == _request.count}}
      types:
        ask: {seq: [{id: count, type: u1}]}
        refused: {seq: [{id: head, type: short_head}]}
        values: {seq: [{id: head, type: long_head}]}
        short_head: {seq: [{id: function, type: u1}]}
        long_head: {seq: [{id: function, type: u1}, {id: count, type: u1}]}
      tests:
        - exchange: [{write: ask, packets: ["03"]}, {notify: value, packets: ["90", "0103"]}]
          expect: [{count: 3}, {_message: refused, _answers: ~}, {_message: values, _answers: 1}]
      """)
    isRefused(
      """
      profile: p
      characteristics: {a: {uuid: fff1, write: m}, b: {uuid: fff2, notify: m, answers: {a: head.cuont == _request.x}}}
      types: {m: {seq: [{id: head, type: h}]}, h: {seq: [{id: count, type: u1}]}}
      """, "cuont")
    isRefused(
      """
      profile: p
      characteristics: {a: {uuid: fff1, write: m}}
      state: {x: 0}
      messages: {m: {body: text, set: {x: id}}}
      """, "cannot look into")
  }

  // MARK: Tests

  @Test func nullOfAFieldThatIsNone() throws {
    let text = """
      profile: p
      characteristics: {c: {uuid: fff1, notify: m}}
      types: {m: {seq: [{id: temperature, type: u1, -na: 255}, {id: more, type: u1, if: temperature == 0}]}}
      tests:
        - {characteristic: c, packets: ["ff"], expect: {temperature: ~, more: ~}}
        - {characteristic: c, packets: ["01"], expect: {temprature: ~}}
      """
    let found = try results(text)
    #expect(found[0].differences.isEmpty)
    #expect(found[1].differences.contains { $0.contains("no field \"temprature\"; did you mean \"temperature\"") })
  }

  @Test func advertisementsOfOthersFailTests() throws {
    let text = """
      profile: p
      advertisements:
        a: {company: [0x0010], with-company: true, names: ["TH-*"], value: m}
        b: {company: 0x0010, value: [{when: _payload.length == 2, message: n}]}
        c: {services: [aa20], whole: true, value: n}
      types: {m: {seq: [{id: company, type: u2le}, {id: x, type: u1}]}, n: {seq: [{id: x, type: u1}]}}
      tests:
        - {advertisement: a, name: TH-1, packets: ["100001"], expect: {x: 1}}
        - {advertisement: a, name: OTHER, packets: ["100001"], expect: {x: 1}}
        - {advertisement: a, name: TH-1, packets: ["999901"], expect: {x: 1}}
        - {advertisement: b, packets: ["010203"], expect: {x: 1}}
        - {advertisement: c, packets: ["030320aa"], expect: {x: 3}}
        - {advertisement: c, packets: ["030321aa"], expect: {x: 3}}
      """
    let found = try results(text).map { $0.differences.joined(separator: "; ") }
    #expect(found[0].isEmpty && found[4].isEmpty)
    #expect(found[1].contains("OTHER") && found[2].contains("company 0x9999") && found[3].contains("no \"when\" of \"b\""))
    #expect(found[5].contains("none of its services"))
  }

  @Test func tolerancesAndTimesAndStates() throws {
    try passes(
      """
      profile: p
      state: {page: 0, modes: {}}
      characteristics:
        c: {uuid: fff1, notify: [{when: _state.page == 3, message: third}, m]}
        f: {uuid: fff2, framing: {stream: {start: 0xa5, header: h, length: length + 2, idle: 500 ms}}, notify: bytes}
      types:
        h: {seq: [{id: start, type: u1}, {id: length, type: u1}]}
        m: {seq: [{id: x, type: u1, -scale: 0.1}]}
        third: {seq: [{id: x, type: u1}], instances: {mode: {value: "_state.modes[4]"}}}
      tests:
        - {characteristic: c, packets: ["0a"], expect: {x: 1.1}, tolerance: 0.1}
        - {characteristic: c, state: {page: 3, modes: {4: 8}}, packets: ["0a"], expect: {_message: third, x: 10, mode: 8}}
        - {characteristic: f, payload: "a50107", expect: {bytes: a50107}}
        - exchange: [{notify: f, packets: ["a50201"]}, {notify: f, packets: ["a50107"], after: 1 s}]
          expect: [{_problem: incomplete}, {_payload: a50107}]
        - {characteristic: f, packets: ["010203"], expect: {_kind: unjoined, _problem: garbage}}
        - {characteristic: f, packets: ["010203"], expect: {_kind: unjoined, _problem: 3 bytes}}
      """)
    let wrong = """
      profile: p
      characteristics: {c: {uuid: fff1, notify: m}}
      types: {m: {seq: [{id: x, type: u2}]}}
      meta: {endian: be}
      tests:
        - {characteristic: c, packets: ["0a"], expect: {_problem: checksum}}
        - {characteristic: c, packets: ["0a"], expect: {_problem: body}}
        - {characteristic: c, packets: ["000a"], expect: {x: 11}, tolerance: 0.5}
      """
    let found = try results(wrong)
    #expect(!found[0].differences.isEmpty && found[1].differences.isEmpty && !found[2].differences.isEmpty)
    isRefused(
      """
      profile: p
      characteristics: {c: {uuid: fff1, notify: m}}
      types: {m: {seq: [{id: x, type: u1}]}}
      tests: [{characteristic: c, state: {pages: 1}, packets: ["0a"], expect: {}}]
      """, "does not declare")
  }

  @Test func coverageListsWhatNoTestReaches() throws {
    let text = """
      profile: p
      characteristics: {c: {uuid: fff1, notify: [{when: "_payload[0] == 1", message: one}, other]}}
      types:
        one: {seq: [{id: kind, type: u1, enum: kind}]}
        other: {seq: [{id: kind, type: u1, enum: kind}, {id: rest, type: rest}]}
        rest: {seq: [{id: x, type: u1}]}
      enums: {kind: {1: first, 2: second}}
      tests: [{characteristic: c, packets: ["01"], expect: {kind: first}}]
      """
    let coverage = try set(text).coverage(0)
    #expect(coverage.missing == ["message other", "type other", "type rest", "enum kind: second"])
    #expect(coverage.counts.reached == 3 && coverage.counts.of == 7)
  }

  // MARK: Bodies

  @Test func aProblemOfAPartIsReportedOnce() throws {
    let broken = [
      (#"{"a":{"b":"#, "no value"), (#"{"a":x"#, "no value"), (#"{"a":{x:1}"#, "a name was due"), (#"{"a":1"#, "too early"),
      ("{}x", "before its end"),
    ]
    for (body, problem) in broken {
      let set = try set(
        """
        profile: p
        characteristics: {c: {uuid: fff1, notify: m}}
        types: {m: {seq: [{id: body, size-eos: true, -body: json}]}}
        """)
      let engine = ProfileEngine(set)
      let link = engine.connect(PeerFacts())
      let slot = engine.slot(link, profile: try set.profile(0), source: "c")
      Array(body.utf8).withBorrowedBytes { _ = engine.feed(link, slot, .notify, $0, frame: 1, time: 0) }
      let message = try #require(engine.messages.first)
      var text: [UInt8] = []
      message.appendText(to: &text)
      let lines = String(decoding: text, as: UTF8.self).split(separator: "\n").filter { $0.contains("JSON") }
      #expect(lines.count == 1 && lines.first?.contains(problem) == true, "\(body): \(lines)")
    }
  }

  @Test func instancesThatFailAndBytesThatAreLeft() throws {
    let text = """
      profile: p
      characteristics: {c: {uuid: fff1, notify: m}, s: {uuid: fff2, framing: [{check: {algorithm: sum8}}], notify: one}}
      meta: {encoding: ASCII}
      types:
        m:
          seq: [{id: x, type: u1}, {id: inner, type: one}, {id: absent, type: u1, if: x == 0}]
          instances: {a: {value: "10 / (x - 5)"}, b: {value: "[1, 2][x]"}, c: {value: absent + 1}}
        one: {seq: [{id: y, type: u1}], instances: {z: {value: "\\"ab\\".to_i"}}}
      tests: [{characteristic: c, packets: ["0507"], expect: {a: 1}}]
      """
    let set = try set(text)
    let engine = ProfileEngine(set)
    let link = engine.connect(PeerFacts())
    let profile = try set.profile(0)
    func message(_ source: String, _ bytes: [UInt8]) throws -> ProfileMessage {
      let slot = engine.slot(link, profile: profile, source: source)
      bytes.withBorrowedBytes { _ = engine.feed(link, slot, .notify, $0, frame: 1, time: 0) }
      return try #require(engine.messages.first)
    }
    let faults = try message("c", [5, 7]).faults
    #expect(faults.count == 3 && faults.contains { $0.hasPrefix("instance a: ") } && faults.contains { $0.hasPrefix("instance b: ") })
    #expect(faults.contains { $0.hasPrefix("instance inner.z: ") })
    #expect(try message("c", [5, 7]).unreadBytes.isEmpty)
    #expect(try message("c", [5, 7, 8, 9]).unreadBytes == [8, 9])
    #expect(try message("s", [5, 5]).unreadBytes.isEmpty)
    #expect(try message("s", [5, 4, 9]).unreadBytes == [4, 9])
    // A checksum that was removed does not count as a gap, and bytes between fields are reported with their offset.
    let cut = try self.set(
      """
      profile: p
      characteristics:
        c: {uuid: fff1, framing: [{check: {algorithm: sum8}}, {slice: [0, -1]}], notify: one}
        d: {uuid: fff2, notify: gap}
        e: {uuid: fff3, framing: [{check: {algorithm: sum8}}], notify: one}
      types:
        one: {seq: [{id: y, type: u1}]}
        gap: {seq: [{id: a, size: 3, type: one}, {id: b, type: u1}]}
      """)
    let other = ProfileEngine(cut)
    let otherLink = other.connect(PeerFacts())
    for (source, bytes, ranges) in [
      ("c", [5, 6, 11], [1..<2]), ("c", [5, 5], []), ("d", [1, 2, 3, 4], [1..<3]), ("e", [5, 6, 11], [1..<2]), ("e", [5, 5], []),
    ] as [(String, [UInt8], [Range<Int>])] {
      let slot = other.slot(otherLink, profile: try cut.profile(0), source: source)
      bytes.withBorrowedBytes { _ = other.feed(otherLink, slot, .notify, $0, frame: 1, time: 0) }
      #expect(try #require(other.messages.first).unreadRanges == ranges, "\(source) \(bytes)")
    }
    let differences = try set.test(0)[0].differences
    #expect(differences.contains { $0.contains("a is missing") } && differences.contains { $0.contains("instance a: ") })
  }

  @Test func valuesThatStandForNothing() throws {
    try passes(
      """
      profile: p
      meta: {endian: le}
      characteristics: {c: {uuid: fff1, notify: m}, r: {uuid: fff2, write: r}}
      types:
        m:
          -say: "m {x}[, then {y}][, in {n.y}][, f {f}] end"
          seq: [{id: x, type: u1, -na: 255}, {id: y, type: u1, -na: 255}, {id: n, type: n}, {id: f, type: f4, -na: [0, -1.5]}]
        n: {seq: [{id: y, type: u1, -na: 255}]}
        r: {seq: [{id: x, type: u2, -na: 0xfff0..0xffff, -scale: 0.1}, {id: f, type: f4, -na: -1.5}]}
      tests:
        - {characteristic: c, packets: ["ffffff00000000"], expect: {x: ~, y: ~, f: ~, _say: m none end}}
        - {characteristic: c, packets: ["0102030000c0bf"], expect: {f: ~, _say: "m 1, then 2, in 3 end"}}
        - {characteristic: c, packets: ["0102030000803f"], expect: {f: 1, _say: "m 1, then 2, in 3, f 1 end"}}
        - {characteristic: r, packets: ["f0ff0000c0bf"], expect: {x: ~, f: ~}}
        - {characteristic: r, packets: ["f5ff0000803f"], encodes: false, expect: {x: ~, f: 1}}
        - {characteristic: r, packets: ["efff0000803f"], expect: {x: 6551.9}}
      """)
    isRefused(
      """
      profile: p
      characteristics: {c: {uuid: fff1, notify: m}}
      types: {m: {seq: [{id: x, type: u1, -na: 9..3}]}}
      """, "a range is FROM..TO")
  }

  @Test func keysThatCannotHold() throws {
    func profile(_ fields: String) -> String {
      """
      profile: p
      meta: {endian: le}
      characteristics: {c: {uuid: fff1, notify: m}}
      types: {h: {-inline: true, seq: [{id: v, type: u1}]}, m: {seq: [\(fields)]}}
      """
    }
    isRefused(profile("{id: x, type: h, -scale: 0.1}"), "within type \"h\"")
    isRefused(profile("{id: x, type: h, -unit: V}"), "within type \"h\"")
    isRefused(profile("{id: x, type: u1, -unit: 'y == 2 ? \"g\" : \"oz\"'}"), "there is no \"y\"")
    isRefused(profile("{id: x, type: u1, -scale: (3 / 7)}"), "divides whole numbers")
    // A quotient of quotients is exact.
    let scaled = profile("{id: x, type: u2, -scale: 1 / 10 / 100}") + "\ntests: [{characteristic: c, packets: [e803], expect: {x: 1}}]"
    try passes(scaled)
  }

  @Test func typesWhoseNamesBeginWithB() throws {
    try passes(
      """
      profile: p
      characteristics: {c: {uuid: fff1, notify: v}}
      types:
        v: {seq: [{id: model, type: u1}, {id: objects, type: object, repeat: eos}]}
        climate: {seq: [{id: a, type: u1}], instances: {b: {value: a + _parent._parent.model}}}
        battery: {seq: [{id: a, type: u1}], instances: {b: {value: a + _parent._parent.model}}}
      tables:
        object: {tag: u1, length: u1, items: {1: {name: one, type: climate}, 2: {name: two, type: battery}, 3: {name: bits, type: b8}}}
      tests:
        - {characteristic: c, packets: ["05010103020104030107"], expect: {objects: [{value: {b: 8}}, {value: {b: 9}}, {value: 7}]}}
      """)
  }

  @Test func bitsAcrossBytes() throws {
    func remarks(_ meta: String, _ fields: String) throws -> [String] {
      try set(
        """
        profile: p
        meta: {\(meta)}
        characteristics: {c: {uuid: fff1, notify: m}}
        types: {m: {seq: [\(fields)]}}
        """
      ).remarks(0)
    }
    let twelve = "{id: x, type: b12}, {id: y, type: b12}"
    #expect(try remarks("endian: le", twelve).contains { $0.contains("bit-endian") })
    #expect(try remarks("endian: le, bit-endian: be", twelve).isEmpty)
    #expect(try remarks("endian: be", twelve).isEmpty)
    #expect(try remarks("endian: le", "{id: x, type: b4}, {id: y, type: b4}, {id: z, type: u2}").isEmpty)
  }

  // MARK: YAML

  @Test func mergeKeys() throws {
    try passes(
      """
      profile: p
      characteristics:
        a: &a {uuid: fff1, notify: m, framing: {stream: &s {start: 0xa5, header: head, length: length + 2}}}
        b: {<<: *a, uuid: fff2}
        c: {uuid: fff3, notify: m, framing: {stream: {<<: [*s, {max: 10}], start: 0xa6}}}
      types:
        head: {seq: [{id: start, type: u1}, {id: length, type: u1}]}
        m: {seq: [{id: start, type: u1}, {id: length, type: u1}, &x {id: x, type: u1, -unit: V}, {<<: *x, id: y}]}
      tests:
        - {characteristic: b, packets: ["a5020102"], expect: {x: 1, y: 2, _say: "m: start 165, length 2, x 1 V, y 2 V"}}
        - {characteristic: c, packets: ["a602", "0102"], expect: {x: 1, y: 2}}
      """)
    isRefused("profile: p\ncharacteristics: {a: {<<: 5, uuid: fff1, notify: bytes}}", "\"<<\" takes a mapping")
  }

  @Test func payloadsToTheEnd() throws {
    try passes(
      """
      profile: p
      characteristics: {c: {uuid: fff1, framing: {fragments: {header: h, last: n == 1, payload: [0, ~]}}, notify: bytes}}
      types: {h: {seq: [{id: n, type: u1}]}}
      tests: [{characteristic: c, packets: ["0007", "0108"], expect: {bytes: "00070108"}}]
      """)
  }

  @Test func explanationsNameEverything() throws {
    let text = """
      profile: p
      advertisements: {a: {company: any, value: m}, b: {services: [aa20], whole: true, value: m}}
      types: {m: {seq: [{id: x, size-eos: true}]}}
      """
    let words = try set(text).profile(0).explanation
    #expect(words.contains("any company") && words.contains("service aa20") && words.contains("all AD structures"))
  }

  // MARK: Encoding

  @Test func lengthsOfEveryForm() throws {
    let instance = """
      profile: p
      meta: {endian: be, bit-endian: be, encoding: ASCII}
      characteristics: {a: {uuid: fff1, write: m}}
      types:
        head:
          seq: [{id: major, type: b3, valid: 3}, {id: info, type: b5}, {id: more, type: u1, if: info == 24}]
          instances: {value: {value: "info < 24 ? info : more"}}
        m: {seq: [{id: head, type: head, -hidden: true}, {id: path, type: str, size: head.value}]}
      """
    #expect(try encode(instance, "m", #"{"path": "abc"}"#) == ["63616263"])
    #expect(try encode(instance, "m", #"{"path": "abcdefghijklmnopqrstuvwxyz"}"#)[0].hasPrefix("781a6162"))
    let varint = """
      profile: p
      characteristics: {c: {uuid: fff1, framing: f, write: m}}
      framings: {f: {stream: {header: start, length: length.value, build: {header: {length: length}}}}}
      types:
        start: {seq: [{id: length, type: varint}]}
        m: {seq: [{id: length, type: varint, -hidden: true}, {id: kind, type: u1}, {id: data, size-eos: true}]}
      """
    let long = String(repeating: "78", count: 140)
    for text in [varint, varint.replacing(", build: {header: {length: length}}", with: "")] {
      #expect(try encode(text, "m", #"{"kind": 7, "data": "ab"}"#) == ["0307ab"])
      #expect(try encode(text, "m", #"{"kind": 7, "data": "\#(long)"}"#) == ["8f0107" + long])
    }
    let toTheEnd = """
      profile: p
      characteristics: {c: {uuid: fff1, framing: f, write: m}}
      framings: {f: {fragments: {header: h, first: not cont, total: length + 1, build: {size: 20, first: {}, next: {index: index}}}}}
      types:
        h:
          seq: [{id: index, type: u1, if: cont}]
          instances: {b: {pos: 0, type: u1}, cont: {value: b >= 0x80}, length: {pos: 0, type: u1, if: not cont}}
        m: {seq: [{id: length, type: u1, -hidden: true}, {id: data, size-eos: true}]}
      """
    #expect(try encode(toTheEnd, "m", #"{"data": "aabb"}"#) == ["02aabb"])
    let digits = """
      profile: p
      meta: {endian: be}
      characteristics: {c: {uuid: fff1, write: m, framing: [{stream: {start: ":", end: "~", header: head, length: "length.to_i(16)"}}, {slice: [1, -1]}, {unescape: hex}]}}
      types:
        head: {seq: [{id: start, size: 3}, {id: length, type: str, size: 4, encoding: ASCII}]}
        m: {seq: [{id: command, type: u1}, {id: length, type: u2, -hidden: true}]}
      """
    #expect(try encode(digits, "m", #"{"command": 2}"#) == ["3a3032303030387e"])
    let hidden = """
      profile: p
      characteristics: {c: {uuid: fff1, write: m}}
      types: {m: {seq: [{id: command, type: u1}, {id: unused, size: 3, -hidden: true}]}}
      """
    #expect(try encode(hidden, "m", #"{"command": 1}"#) == ["01000000"])
  }

  @Test func packetsThatWouldMeanSomethingElse() throws {
    func refuses(_ text: String, _ json: String, _ part: String, _ location: SourceLocation = #_sourceLocation) {
      do {
        let packets = try encode(text, "m", json)
        Issue.record("encoded as \(packets)", sourceLocation: location)
      } catch { #expect("\(error)".contains(part), "\(error)", sourceLocation: location) }
    }
    // The last packet, which has no bytes of the message, is not built, so that the result is incomplete.
    refuses(
      """
      profile: p
      characteristics: {c: {uuid: fff1, framing: f, write: m}}
      framings: {f: {fragments: {header: h, first: index == 0, last: index == 2, build: {size: 3, first: {index: 0}, next: {index: index + 1}}}}}
      types: {h: {seq: [{id: index, type: u1}]}, m: {seq: [{id: data, size-eos: true}]}}
      """, #"{"data": "aabbccdd"}"#, "would not be this message")
    // A size for which no field can be computed.
    refuses(
      """
      profile: p
      characteristics: {c: {uuid: fff1, write: m}}
      types: {m: {seq: [{id: n, type: u1, -hidden: true}, {id: data, size: (n % 16) * (n / 16)}, {id: end, type: u1}]}}
      """, #"{"data": "aabbccddeeff", "end": 1}"#, "data")
    // A terminator within the text would end it.
    refuses(
      """
      profile: p
      characteristics: {c: {uuid: fff1, write: m}}
      meta: {encoding: ASCII}
      types: {m: {seq: [{id: name, type: str, terminator: 0x2c}, {id: rest, type: str, size-eos: true}]}}
      """, #"{"name": "a,b", "rest": "c"}"#, "name")
    isRefused(
      """
      profile: p
      characteristics: {c: {uuid: fff1, framing: f, write: m}}
      framings: {f: {fragments: {header: h, first: kind == kind::first, last: kind == kind::last, build: {size: 2, first: {kind: first}, next: {kind: last}}}}}
      types: {h: {seq: [{id: kind, type: u1, enum: kind}]}, m: {seq: [{id: data, size-eos: true}]}}
      enums: {kind: {1: first, 3: last}}
      """, "write kind::last")
  }

  /// A message that is cut shows its template as far as there are fields, else its name.
  @Test func aCutMessageShowsTheFieldsThatItHas() throws {
    try passes(
      """
      profile: p
      characteristics: {c: {uuid: fff1, notify: look}, d: {uuid: fff2, notify: kind}}
      types:
        look: {-say: "category {category}, kind {kind}", seq: [{id: kind, type: u1}, {id: category, type: u2be}]}
        kind: {-say: "kind {kind}, category {category}", seq: [{id: kind, type: u1}, {id: category, type: u2be}]}
      tests:
        - {source: c, packets: ["030102"], expect: {_say: "category 258, kind 3"}}
        - {source: c, packets: ["0301"], expect: {_say: look, _problem: category at byte 1}}
        - {source: d, packets: ["03"], expect: {_say: "kind 3", _problem: category at byte 1}}
      """)
  }
}
