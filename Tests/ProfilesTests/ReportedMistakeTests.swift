import Memory
import PacketCodecs
import Testing
import Text

@_spi(Pipeline) @testable import Profiles

/// Omitted values, checks of computed values, incomplete responses, and hints with the likely intention.
@Suite struct ReportedMistakeTests {
  private func set(_ text: String) throws -> ProfileSet { try ProfileSet(builtin: false, texts: [(text, "t.yaml", .given)]) }

  private func encode(_ text: String, _ message: String, _ json: String) throws -> String {
    let set = try set(text)
    do {
      let fields = try #require(FieldTree(json: Array(json.utf8)))
      return try MessageEncoder(try set.profile(0), of: set).encode(message, fields).packets.map { String(hexOf: $0) }.joined(
        separator: " ")
    } catch let error as EncodeError { return error.description }
  }

  /// The differences that the tests of a profile report, by test.
  private func test(_ text: String) throws -> [[String]] { try set(text).test(0).map(\.differences) }

  private func mistake(_ text: String) throws -> String {
    do {
      _ = try set(text).profile(0)
      return ""
    } catch let error as ProfileError { return error.description }
  }

  // MARK: Tagged values

  private static let items = """
    profile: p
    meta: {endian: be}
    characteristics:
      a: {uuid: fff1, write: message}
    tables:
      item:
        items:
          1: {name: count, type: u1}
          2: {name: list, type: list}
          3: {name: level, type: uint, -unit: "%"}
          4: {name: state, type: bool}
          5: {name: word, type: u2, -default: 7}
          6: {name: nothing, type: none}
          7: {name: text, type: str}
    types:
      message: {seq: [{id: head, type: u1}, {id: values, type: item, repeat: eos}]}
      list: {seq: [{id: numbers, type: u1, repeat: expr, repeat-expr: "_parent._parent.values.find(_.id.to_i == 1).value.value"}]}
    """

  @Test(arguments: ["count", "level", "state", "word"]) func aTaggedValueThatIsLeftOutIsRefused(name: String) throws {
    let problem = try encode(Self.items, "message", #"{"head": 1, "values": [{"id": "\#(name)"}]}"#)
    #expect(problem == "values.0.value: the value is not given; null is written as a value of no bytes")
  }

  @Test func aTaggedValueOfNoBytesIsNull() throws {
    #expect(try encode(Self.items, "message", #"{"head": 1, "values": [{"id": "level", "value": null}]}"#) == "010300")
    #expect(try encode(Self.items, "message", #"{"head": 1, "values": [{"id": "level", "value": 300}]}"#) == "010302012c")
    #expect(try encode(Self.items, "message", #"{"head": 1, "values": [{"id": "nothing"}, {"id": "text", "value": ""}]}"#) == "0106000700")
  }

  /// An item before the list has the number of elements.
  @Test func elementsAreCountedByAnotherItem() throws {
    let whole = #"{"head": 1, "values": [{"id": "count", "value": 2}, {"id": "list", "value": {"numbers": [7, 8]}}]}"#
    #expect(try encode(Self.items, "message", whole) == "0101010202020708")
    let open = #"{"head": 1, "values": [{"id": "count"}, {"id": "list", "value": {"numbers": [7, 8]}}]}"#
    #expect(try encode(Self.items, "message", open).hasPrefix("values.0.value: the value is not given"))
    let wrong = #"{"head": 1, "values": [{"id": "count", "value": 3}, {"id": "list", "value": {"numbers": [7, 8]}}]}"#
    #expect(try encode(Self.items, "message", wrong) == "values.1.value.numbers: 2 elements are given, 3 are wanted")
  }

  /// Items are names in expressions, like fields of other bodies.
  @Test func itemsAreNamesInExpressions() throws {
    let text = """
      profile: p
      meta: {endian: be}
      state: {level: 0, name: ""}
      characteristics: {a: {uuid: fff1, write: m}, b: {uuid: fff2, notify: n, answers: {a: values.page == _request.asked}}}
      messages: {n: {set: {level: values.level, name: values.n4k_name}}}
      tables:
        item:
          items:
            1: {name: level, type: uint, -unit: "%"}
            2: {name: 4K name, type: str}
            3: {name: page, type: u1, enum: page}
            4: {name: place, type: place}
            5: {name: raw}
            6: {name: size, type: u1}
        bare: {length: none, items: {1: {name: level, type: u2}}}
      types:
        m: {seq: [{id: asked, type: u1}], instances: {level: {value: _state.level}, name: {value: _state.name}}}
        place: {seq: [{id: x, type: u1}, {id: y, type: u1}]}
        n:
          seq:
            - {id: count, type: u1}
            - {id: values, type: item, repeat: expr, repeat-expr: count}
            - {id: others, type: bare, repeat: eos}
          instances:
            twice: {value: values.level * 2}
            text: {value: "values.n4k_name + '!'"}
            first: {value: values.page == page::first}
            height: {value: values.place.y}
            bytes: {value: values.raw.length}
            size: {value: values.size}
            all: {value: values.map(_.id.to_i).sum}
            other: {value: others.level + 1}
      enums: {page: {1: first, 2: second}}
      """
    let problems = try test(
      text + """

        tests:
          - exchange: [{write: a, packets: ["01"]}, {write: a, packets: ["02"]}, {notify: b, packets: ["040102012c0202616204020708050111010102"]}, {write: a, packets: ["03"]}]
            expect:
              - {level: 0}
              - {asked: 2}
              - {twice: 600, text: "ab!", first: ~, height: 8, bytes: 1, size: 4, all: 12, other: 259, _answers: ~}
              - {level: 300, name: ab}
          - exchange: [{write: a, packets: ["01"]}, {write: a, packets: ["02"]}, {notify: b, packets: ["01030102"]}]
            expect: [{asked: 1}, {asked: 2}, {first: false, twice: ~, _answers: 2}]
        """)
    #expect(problems.allSatisfy { $0.isEmpty }, "\(problems)")
    let hinted = text.replacing("values.level * 2", with: "values.levle * 2")
    #expect(try mistake(hinted).contains("did you mean \"level\"?"))
  }

  /// Decimal digits of four bits each are computed from their number.
  @Test func digitsAreTakenApart() throws {
    let text = """
      profile: p
      characteristics: {a: {uuid: fff1, write: m}}
      types:
        m:
          seq:
            - {id: tens, type: b4, -hidden: true}
            - {id: ones, type: b4, -hidden: true}
            - {id: high, type: s1, -hidden: true}
            - {id: low, type: u1, -hidden: true}
          instances: {hour: {value: tens * 10 + ones}, level: {value: high * 256 + low}}
      """
    #expect(try encode(text, "m", #"{"hour": 23, "level": -300}"#) == "23fed4")
    #expect(try encode(text, "m", #"{"hour": 5, "level": 256}"#) == "050100")
    #expect(try encode(text, "m", #"{"hour": 160, "level": 0}"#).contains("does not fit 4 bits"))
  }

  // MARK: Computed values that are checked

  @Test(arguments: ["", ", -hidden: true"]) func computedValuesAreJudged(hidden: String) throws {
    let text = """
      profile: p
      characteristics: {a: {uuid: fff1, write: m, notify: {switch-on: "_payload[0]", cases: {1: m, 2: outer}}}}
      types:
        m: {seq: [{id: k, type: u1}, {id: a, type: u1}], instances: {thrice: {value: a * 3, valid: {max: 30}\(hidden)}}}
        outer: {seq: [{id: k, type: u1}, {id: inner, type: m}]}
      tests:
        - {characteristic: a, direction: notify, packets: ["0105"], expect: {a: 5}}
        - {characteristic: a, direction: notify, packets: ["0110"], expect: {_problem: body, a: 16}}
        - {characteristic: a, direction: notify, packets: ["020110"], expect: {_problem: "inner.thrice: the value is above the greatest allowed"}}
        - {characteristic: a, direction: notify, packets: ["0110"], expect: {a: 16}}
      """
    let problems = try test(text)
    #expect(problems[..<3].allSatisfy { $0.isEmpty }, "\(problems)")
    #expect(problems[3] == ["message 1: thrice: the value is above the greatest allowed"])
    #expect(try encode(text, "m", #"{"k": 1, "a": 10}"#) == "010a")
    #expect(try encode(text, "m", #"{"k": 1, "a": 11}"#).contains("the value is above the greatest allowed"))
  }

  @Test func aProblemIsPrintedOnce() throws {
    let text = """
      profile: p
      characteristics: {a: {uuid: fff1, notify: m}, b: {uuid: fff2, notify: n}, c: {uuid: fff3, notify: json}}
      types:
        m: {seq: [{id: k, type: u1}, {id: a, type: u1, valid: 3}]}
        n: {seq: [{id: k, type: u1}, {id: a, size: 3, -body: json}], instances: {i: {value: k * 2, valid: 4, -hidden: true}}}
      """
    let set = try set(text)
    let engine = ProfileEngine(set)
    let link = engine.connect(PeerFacts())
    for (source, hex) in [("a", "0105"), ("a", "01"), ("b", "017b7d20"), ("c", "7b2261")] {
      let slot = engine.slot(link, profile: try set.profile(0), source: source)
      let bytes = try #require([UInt8](hex: hex))
      _ = bytes.withBorrowedBytes { engine.feed(link, slot, .notify, $0, frame: 1, time: 0) }
      let message = try #require(engine.messages.first)
      var (lines, problem): ([UInt8], [UInt8]) = ([], [])
      message.appendText(to: &lines)
      message.appendProblem(to: &problem)
      let text = String(decoding: problem, as: UTF8.self)
      #expect(!text.isEmpty)
      #expect(String(decoding: lines, as: UTF8.self).ranges(of: text).count == 1, "\(String(decoding: lines, as: UTF8.self))")
    }
  }

  // MARK: Names that are never known

  private func hints(_ text: String) throws -> [String] { try set(text).hints(0) }

  @Test func namesThatAreNeverKnownAreReported() throws {
    let text = """
      profile: p
      characteristics:
        a: {uuid: fff1, write: [{when: "_has_request", message: odd}, command], framing: f}
        b: {uuid: fff2, notify: both, write: both, framing: [{stream: {header: head, length: _payload.length}}], answers: {a: "true"}}
      framings:
        f:
          - check: {algorithm: sum8, when: "_payload.length > 2"}
          - fragments:
              header: head
              first: part == 0
              total: "_payload.length > 4 ? length : 7"
      types:
        head: {seq: [{id: part, type: u1}, {id: length, type: u1, if: "_payload.length > 3"}]}
        odd: {seq: [{id: a, type: u1}]}
        command:
          seq:
            - {id: a, type: u1}
            - {id: inner, type: inner}
        inner: {seq: [{id: b, type: u1, if: "_request.a == 3"}, {id: c, type: u1, if: "_payload.length > 3"}]}
        both: {seq: [{id: a, type: u1}, {id: b, type: u1, if: "_has_request"}]}
      """
    let problems = try hints(text)
    #expect(problems.count == 5, "\(problems.joined(separator: "\n"))")
    #expect(problems.contains { $0.hasPrefix("t.yaml:11:") && $0.contains("\"total\" of \"fragments\" asks for _payload") })
    #expect(problems.contains { $0.hasPrefix("t.yaml:13:") && $0.contains("the header \"head\" asks for _payload") })
    #expect(problems.contains { $0.hasPrefix("t.yaml:4:") && $0.contains("\"length\" of \"stream\" asks for _payload") })
    #expect(problems.contains { $0.hasPrefix("t.yaml:3:") && $0.contains("\"when\" of \"write\" asks for the request") })
    #expect(problems.contains { $0.hasPrefix("t.yaml:19:") && $0.contains("type \"inner\" asks for the request") })
  }

  @Test func registersThatLieOverEachOtherAreReported() throws {
    let text = """
      profile: p
      meta: {endian: be}
      characteristics: {a: {uuid: fff1, write: q, notify: m, answers: {a: ""}}}
      tables:
        r:
          registers:
            0: {name: energy, type: u4}
            1: {name: inside}
            2: {name: behind, repeat-expr: 3}
            4: {name: last}
            5: {name: free}
      types:
        q: {seq: [{id: start, type: u2}]}
        m: {seq: [{id: values, type: r, size-eos: true}]}
      """
    let problems = try hints(text)
    #expect(
      problems == [
        "t.yaml:8:7: register \"inside\" lies within \"energy\", whose 4 bytes reach up to register 1: both show the same bytes",
        "t.yaml:10:7: register \"last\" lies within \"behind\", whose 6 bytes reach up to register 4: both show the same bytes",
      ])
  }

  // MARK: Fragments

  /// The number of packets is known only when they have been built: a header that would be invalid for another number is no mistake.
  @Test func numbersOfPacketsInHeaders() throws {
    let text = """
      profile: p
      characteristics:
        a:
          uuid: fff1
          write: bytes
          framing:
            - fragments:
                header: head
                first: part == 0
                count: behind + 1
                index: part
                build: {size: 5, first: [{when: count > 2, header: {part: 0, behind: count - 1}}], next: {part: index + 1}}
        b:
          uuid: fff2
          write: text
          framing:
            - fragments:
                header: head
                first: part == 0
                count: behind + 2
                index: part
                build: {size: "count > 3 ? 4 : 5", first: [{header: {part: 0, behind: count - 2}}], next: {part: index + 1}}
      types:
        head: {seq: [{id: part, type: u1}, {id: behind, type: u1, if: part == 0}]}
      """
    #expect(try encode(text, "bytes", #"{"bytes": "0102030405060708"}"#) == "0002010203 0104050607 0208")
    #expect(try encode(text, "bytes", #"{"bytes": "01"}"#).contains("no alternative of \"build\" holds"))
    #expect(try encode(text, "text", #"{"text": "abcd"}"#) == "0000616263 0164")
    #expect(try encode(text, "text", #"{"text": "a"}"#) == "the header: /behind: -1 does not fit 8 bits")
    // Three packets of five bytes would become four, and four packets of four bytes become five.
    #expect(try encode(text, "text", #"{"text": "abcdefghijklm"}"#) == "00036162 01636465 02666768 03696a6b 046c6d")
  }

  private static let pieces = """
    profile: p
    characteristics:
      ask: {uuid: fff1, write: request}
      tell:
        uuid: fff2
        notify: answer
        framing: [{fragments: {header: head, first: part == 0, count: parts, index: part, idle: 100 ms}}]
        answers: {ask: a == _request.a}
    types:
      head: {seq: [{id: part, type: u1}, {id: parts, type: u1, if: part == 0}]}
      request: {seq: [{id: a, type: u1}]}
      answer: {seq: [{id: a, type: u1}, {id: rest, size-eos: true}]}
    """

  @Test func anIncompleteAnswerLeavesItsRequestToTheWholeOne() throws {
    let problems = try test(
      Self.pieces + """

        tests:
          - exchange: [{write: ask, packets: ["07"]}, {notify: tell, packets: ["000207aa", "000207aa", "01bb"]}]
            expect: [{a: 7}, {_complete: false, _answers: 1}, {rest: aabb, _answers: 1}]
          # The next request ends that: of two alike the one that is open is answered.
          - exchange: [{write: ask, packets: ["07"]}, {notify: tell, packets: ["000207aa"]}, {write: ask, packets: ["08"], after: 500 ms}, {notify: tell, packets: ["000207aa", "01bb"]}]
            expect: [{a: 7}, {_complete: false, _answers: 1}, {a: 8}, {rest: aabb, _answers: ~}]
          # Of requests that were both open the one that nothing answered comes first.
          - exchange: [{write: ask, packets: ["07"]}, {write: ask, packets: ["08"]}, {notify: tell, packets: ["000207aa", "000208aa", "01bb", "000207aa", "01cc"]}]
            expect: [{a: 7}, {a: 8}, {_complete: false, _answers: 1}, {rest: aabb, _answers: 2}, {rest: aacc, _answers: 1}]
        """)
    #expect(problems.allSatisfy { $0.isEmpty }, "\(problems)")
  }

  @Test func aGapOfTheIndexIsCalledSo() throws {
    let problems = try test(
      Self.pieces + """

        tests:
          - {characteristic: tell, packets: ["000307aa", "02cc"], expect: {_problem: "index is 2 where 1 was due", _complete: false}}
        """)
    #expect(problems.allSatisfy { $0.isEmpty }, "\(problems)")
  }

  // MARK: Hints

  @Test func aChecksumInTheOtherByteOrderIsReported() throws {
    let text = """
      profile: p
      characteristics:
        a: {uuid: fff1, notify: bytes, framing: [{check: {algorithm: CRC-16/MODBUS}}, {slice: [0, -2]}]}
        b: {uuid: fff2, notify: bytes, framing: [{stream: {start: 1, length: 6}}, {check: {algorithm: CRC-16/MODBUS, endian: le}}]}
        c: {uuid: fff3, notify: bytes, framing: [{check: {algorithm: CRC-16/MODBUS}}, {fragments: {header: h, first: n == 0, last: n == 1}}]}
      types: {h: {seq: [{id: n, type: u1}]}}
      tests:
        - {characteristic: a, packets: ["01020304a12b"], expect: {_checksum: bad, _problem: "checksum is wrong: it fits in little-endian order"}}
        - {characteristic: b, packets: ["01020304", "2ba1"], expect: {_checksum: bad, _problem: "checksum is wrong: it fits in big-endian order"}}
        - {characteristic: a, packets: ["01020304a12c"], expect: {_checksum: bad, bytes: "01020304"}}
        - {characteristic: c, packets: ["00aa", "01bb"], expect: [{_problem: checksum}]}
        - {characteristic: a, packets: ["01020304a12b"], expect: {bytes: "01020304"}}
        - {characteristic: a, packets: ["01020304a12c"], expect: {bytes: "01020304"}}
      """
    let problems = try test(text)
    #expect(problems[..<3].allSatisfy { $0.isEmpty }, "\(problems)")
    #expect(problems[4] == ["message 1: checksum is wrong: it fits in little-endian order"])
    #expect(problems[5] == ["message 1: checksum is wrong"])
  }

  @Test(
    arguments: [
      ("u4sw", "u4ws"), ("u4swbe", "u4bews"), ("s4wsle", "s4lews"), ("u3", "b24"), ("int24", "sb24"), ("uint16", "u2"), ("uint16_t", "u2"),
      ("int32le", "s4le"), ("u2eb", "u2be"), ("u2l", "u2le"), ("float", "f4"), ("f16", "f2"), ("double", "f8"), ("bool", "b1"),
      ("string", "str"), ("U2", "u2"),
    ]) func misspeltTypes(word: String, meant: String) throws
  {
    let text = "profile: p\ncharacteristics: {a: {uuid: fff1, notify: m}}\ntypes: {m: {seq: [{id: a, type: \(word)}]}}"
    #expect(try mistake(text).contains("there is no type \"\(word)\" (did you mean \"\(meant)\"?)"))
  }

  @Test func typesOfTheProfileAreNearerThanOthers() throws {
    let text = "profile: p\ncharacteristics: {a: {uuid: fff1, notify: m}}\ntypes: {m: {seq: [{id: a, type: word}]}, words: {seq: []}}"
    #expect(try mistake(text).contains("did you mean \"words\"?"))
    let swapped = "profile: p\ncharacteristics: {a: {uuid: fff1, notify: m}}\ntypes: {m: {seq: [{id: a, type: u4ws}]}}"
    #expect(try mistake(swapped).contains("\"u4ws\" needs a byte order: write u4lews or u4bews"))
  }

  // MARK: Floating-point numbers of two bytes

  @Test func halfFloats() throws {
    let text = """
      profile: p
      meta: {endian: le}
      characteristics: {a: {uuid: fff1, write: m}}
      types:
        m:
          seq:
            - {id: a, type: f2, -unit: V}
            - {id: b, type: f2be, -na: -1, -round: 2}
            - {id: c, type: f2le, -scale: 0.1}
            - {id: d, type: f2, repeat: eos}
          instances: {sum: {value: a + c, -round: 3}}
      tests:
        - {characteristic: a, packets: ["003c bc00 0050 ff7b 0100"], expect: {a: 1, b: ~, c: 3.2, d: [65504, 5.9604645e-8], sum: 33}}
        - {characteristic: a, packets: ["662e 4248 0000"], expect: {a: 0.099975586, b: 3.14, c: 0, d: []}, encodes: false}
      """
    let problems = try test(text)
    #expect(problems.allSatisfy { $0.isEmpty }, "\(problems)")
    #expect(try encode(text, "m", #"{"a": 0.1, "b": null, "c": 3.2, "d": [-65519, -0.00001]}"#) == "662ebc000050fffba880")
    #expect(
      try encode(text, "m", #"{"a": 65520, "b": 1, "c": 0, "d": []}"#) == "a: 65520.0 does not fit 16 bits: the largest number is 65504")
    let fuzz = try set(text).fuzz(0, count: 50)
    #expect(fuzz.failures.isEmpty && fuzz.tried > 10, "\(fuzz.failures)")
  }

  // MARK: Large numbers

  /// 64-bit numbers beyond the signed range are stored, compared, shifted and shown unchanged.
  @Test func largeNumbers() throws {
    let problems = try test(
      """
      profile: p
      meta: {endian: be}
      state: {last: 0, all: []}
      characteristics: {a: {uuid: fff1, write: m, notify: m, answers: {a: x == _request.x}}}
      messages: {m: {set: {last: x, all: "_state.all + [x]"}}}
      types:
        m:
          seq: [{id: x, type: u8}]
          instances:
            last: {value: _state.last}
            more: {value: "_state.last > 0x7fffffffffffffff"}
            high: {value: x >> 4}
            low: {value: x & 0xffff}
            text: {value: x.to_s}
            same: {value: "x == _state.last"}
            sizes: {value: "_state.all.size"}
            top: {value: "_state.all.max"}
      tests:
        - exchange: [{write: a, packets: ["fffffffffffffff1"]}, {notify: a, packets: ["fffffffffffffff1"]}, {notify: a, packets: ["0000000000000001"]}]
          expect:
            - {x: 18446744073709551601, last: 0, more: false, same: false, high: 1152921504606846975, low: 65521, text: "18446744073709551601"}
            - {last: 18446744073709551601, more: true, same: true, sizes: 1, top: 18446744073709551601, _answers: 1}
            - {last: 18446744073709551601, same: false, sizes: 2, top: 18446744073709551601}
      """)
    #expect(problems.allSatisfy { $0.isEmpty }, "\(problems)")
  }

  // MARK: What tests reach

  @Test func namedValuesOfHeadersAreReached() throws {
    let text = """
      profile: p
      characteristics:
        a:
          uuid: fff1
          notify: bytes
          framing: [{fragments: {header: head, first: kind == kind::first or kind == kind::only, last: kind == kind::last or kind == kind::only}}]
        b: {uuid: fff2, notify: text, framing: [{stream: {header: frame, length: length + 2}}]}
      types:
        head: {seq: [{id: kind, type: u1, enum: kind}]}
        frame: {seq: [{id: what, type: u1, enum: what}, {id: length, type: u1}]}
      enums: {kind: {0: first, 1: last, 2: only, 3: middle}, what: {1: greeting, 2: farewell}}
      tests:
        - {characteristic: a, packets: ["00aa", "01bb"], expect: {bytes: aabb}}
        - {characteristic: b, packets: ["010161"], expect: {_payload: "010161"}}
      """
    let coverage = try set(text).coverage(0)
    #expect(coverage.missing == ["enum kind: only, middle", "enum what: farewell"])
    #expect(coverage.counts.reached == 5 && coverage.counts.of == 8)
  }

  @Test func headersOfEncryptedBytesAreReached() throws {
    let coverage = try set(
      """
      profile: p
      keys: {key: {bytes: 16}}
      characteristics:
        c:
          uuid: fff1
          framing: [{decrypt: {header: sealed, cipher: aes-128-ctr, key: _key.key, nonce: counter, over: [6], without-key: closed}}]
          notify: opened
      types:
        sealed:
          seq:
            - {id: kind, type: u1, enum: kind}
            - {id: counter, size: 4}
            - {id: more, type: {switch-on: kind, cases: {'kind::plain': plain, 'kind::strong': strong}}}
        plain: {seq: [{id: x, type: u1}]}
        strong: {seq: [{id: x, type: u1}]}
        opened: {seq: [{id: head, size: 6}, {id: text, type: str, size-eos: true, encoding: ASCII}]}
        closed: {seq: [{id: head, size: 6}, {id: bytes, size-eos: true}]}
      enums: {kind: {1: plain, 2: strong}}
      tests:
        - {characteristic: c, keys: {key: 000102030405060708090a0b0c0d0e0f}, packets: ["010000000107aabb"], encodes: false, expect: {_encryption: likely opened}}
      """
    ).coverage(0)
    #expect(coverage.missing == ["message closed", "type strong", "type closed", "enum kind: strong"])
  }

  @Test(arguments: ["aranet", "open-drone-id"]) func profilesComeBack(name: String) throws {
    let set = try ProfileSet()
    let result = try set.fuzz(try #require(set.number(name)), seed: 1)
    #expect(result.failures.isEmpty && result.tried > 50, "\(result.failures)")
  }
}
