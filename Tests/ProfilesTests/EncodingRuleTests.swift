import Memory
import Testing
import Text

@_spi(Pipeline) @testable import Profiles

/// Values that encoding computes from the others: lengths, checksums, markers, headers; each with a small protocol made for it.
@Suite struct EncodingRuleTests {
  private func encode(_ text: String, _ message: String, _ json: String, state: [(String, FieldTree)] = []) throws -> [String] {
    let set = try ProfileSet(builtin: false, texts: [(text, "t.yaml", .given)])
    let encoder = MessageEncoder(try set.profile(0), of: set)
    for (name, value) in state { #expect(encoder.setState(name, value)) }
    return try encoder.encode(message, try #require(FieldTree(json: Array(json.utf8)))).packets.map { bytes in
      var text: [UInt8] = []
      bytes.withBorrowedBytes { text.append(hexOf: $0) }
      return String(decoding: text, as: UTF8.self)
    }
  }

  /// Runs the tests in a profile.
  private func check(_ text: String) throws {
    let set = try ProfileSet(builtin: false, texts: [(text, "t.yaml", .given)])
    let results = try set.test(0)
    #expect(!results.isEmpty)
    for result in results { #expect(result.differences.isEmpty, "line \(result.line): \(result.differences.joined(separator: "; "))") }
  }

  @Test func checksumsWithAndWithoutFields() throws {
    func profile(_ fields: String, _ check: String = "algorithm: sum8") -> String {
      """
      profile: sums
      characteristics: {c: {uuid: fff1, framing: [{check: {\(check)}}], write: m}}
      types: {m: {seq: [\(fields)]}}
      """
    }
    // Without a field of its own a checksum is appended, even if the last byte happens to have its value.
    let plain = profile("{id: a, type: u1}, {id: b, type: u1}")
    #expect(try encode(plain, "m", #"{"a": 5, "b": 5}"#) == ["05050a"])
    #expect(try encode(plain, "m", #"{"a": 0, "b": 0}"#) == ["000000"])
    #expect(try encode(plain, "m", #"{"a": 5, "b": 6}"#) == ["05060b"])
    // A field with the checksum's name, or a hidden one, gets the checksum, whatever value is given for it.
    let named = profile("{id: a, type: u1}, {id: crc, type: u1}")
    #expect(try encode(named, "m", #"{"a": 5, "crc": 0}"#) == ["0505"])
    #expect(try encode(named, "m", #"{"a": 5, "crc": 9}"#) == ["0505"])
    let hidden = profile("{id: a, type: u1}, {id: z, type: u1, -hidden: true}")
    #expect(try encode(hidden, "m", #"{"a": 5}"#) == ["0505"])
    let stated = profile("{id: a, type: u1}, {id: z, type: u1, -hidden: true}", "algorithm: sum8, in-body: false")
    #expect(try encode(stated, "m", #"{"a": 5}"#) == ["050005"])
  }

  @Test func severalChecksumsInOneFrame() throws {
    let text = """
      profile: two
      characteristics: {c: {uuid: fff1, framing: f, write: m}}
      framings:
        f:
          - stream: {start: [2, 0xfd], end: 3, header: head, length: length + 4}
          - check: {algorithm: sum8, over: [2, 5], at: 5}
          - check: {algorithm: CRC-8/MAXIM-DOW, over: [1, -2], at: -2}
          - slice: [0, -2]
      meta: {endian: le}
      types:
        head: {seq: [{id: start, size: 2}, {id: length, type: u2}]}
        m:
          seq:
            - {id: start, contents: [2, 0xfd], -hidden: true}
            - {id: length, type: u2, -hidden: true}
            - {id: kind, type: u1}
            - {id: head_sum, type: u1, -hidden: true}
            - {id: pin, type: u2}
      tests: [{characteristic: c, direction: write, packets: ["02fd060007 0d 211c 05 03"], expect: {kind: 7, pin: 7201, _checksum: bad}}]
      """
    let packets = try encode(text, "m", #"{"kind": 7, "pin": 7201}"#)
    #expect(packets.count == 1 && packets[0].hasPrefix("02fd0600070d211c") && packets[0].hasSuffix("03") && packets[0].utf8.count == 20)
    let set = try ProfileSet(builtin: false, texts: [(text, "t.yaml", .given)])
    let found = try decode(set, "two", "c", packets, .write)
    #expect(found.count == 1 && found[0].checksum == .ok && found[0].fields["pin"] == .int(7201))
  }

  /// The tutorial's profile: the length and the marker are written though the body hides them.
  @Test func lengthsOfFramesFollow() throws {
    let text = """
      profile: thermometer
      characteristics: {request: {uuid: fff1, framing: frames, write: request}}
      framings:
        frames:
          - stream: {start: 0xa5, header: head, length: length + 4}
          - check: {algorithm: sum8}
      types:
        head: {seq: [{id: start, type: u1}, {id: version, type: u1}, {id: length, type: u1}]}
        request:
          seq:
            - {id: head, size: 3, type: head, -hidden: true}
            - {id: command, type: u1, enum: command}
            - {id: sensor, type: u1}
      enums: {command: {7: read}}
      tests: [{characteristic: request, packets: ["a50102071 0bf"], expect: {command: read, sensor: 16}}]
      """
    #expect(try encode(text, "request", #"{"command": "read", "sensor": 16}"#) == ["a500020710be"])
    #expect(try encode(text, "request", #"{"head": {"version": 1}, "command": "read", "sensor": 16}"#) == ["a501020710bf"])
    try check(text)
  }

  @Test func numbersOfSevenBits() throws {
    let text = """
      profile: sevens
      characteristics: {c: {uuid: fff1, write: m}, t: {uuid: fff2, write: list}, l: {uuid: fff3, write: {message: own}}}
      types:
        m: {seq: [{id: n, type: vlq}, {id: data, size: n.value}, {id: id, type: varint}]}
        list: {seq: [{id: values, type: tagged, repeat: eos}]}
        own: {seq: [{id: n, type: groups}, {id: data, size: n.value}]}
        groups:
          seq: [{id: groups, type: group, repeat: until, repeat-until: not _.more}]
          instances: {value: {value: "groups.size == 1 ? groups[0].bits : groups[0].bits * 128 + groups[1].bits"}}
        group: {seq: [{id: more, type: b1}, {id: bits, type: b7}]}
      tables:
        tagged: {length: vlq, items: {1: {name: level, type: uint, -unit: "%"}, 2: {name: text, type: str}}}
      tests:
        - {characteristic: c, packets: ["02aabb8001"], expect: {n: 2, data: aabb, id: 128}}
        - {characteristic: c, packets: ["00ffffffffffffffff7f"], expect: {data: "", id: 9223372036854775807}}
        - {characteristic: t, packets: ["010149020261620100"], expect: {values: [{id: level, value: 73}, {id: text, value: ab}, {id: level, value: ~}]}}
      """
    try check(text)
    #expect(try encode(text, "m", #"{"data": "aabb", "id": 5}"#) == ["02aabb05"])
    let long = String(repeating: "ab", count: 300)
    #expect(try encode(text, "m", #"{"data": "\#(long)", "id": 300}"#) == ["822c" + long + "ac02"])
    #expect(try encode(text, "list", #"{"values": [{"id": "level", "value": null}]}"#) == ["0100"])
    // Numbers that repeat until a condition is true cannot be generated: an error, not wrong bytes.
    #expect(throws: EncodeError.self) { try encode(text, "own", #"{"data": "aabb"}"#) }
  }

  @Test func lengthsOfOneOrTwoBytes() throws {
    let text = """
      profile: two-forms
      meta: {endian: le}
      characteristics: {c: {uuid: fff1, framing: [{stream: {header: head, length: whole}}], write: m}}
      types:
        head:
          seq: [{id: long, type: b1}, {id: low, type: b7}, {id: high, type: u1, if: long}]
          instances: {whole: {value: "long ? low + high * 128 : low"}}
        m: {seq: [{id: head, type: head}, {id: kind, type: u1}, {id: data, size: "head.whole - (head.long ? 3 : 2)"}]}
      tests:
        - {characteristic: c, direction: write, packets: ["04010203"], expect: {head: {whole: 4}, kind: 1, data: "0203"}}
      """
    try check(text)
    #expect(try encode(text, "m", #"{"kind": 1, "head": {"whole": 4}, "data": "0203"}"#) == ["04010203"])
    #expect(
      try encode(text, "m", #"{"kind": 1, "head": {"whole": 200}, "data": "\#(String(repeating: "ff", count: 197))"}"#)[0].hasPrefix(
        "c80101ff"))
  }

  @Test func inlineTypesBehindSwitches() throws {
    try check(
      """
      profile: inline
      characteristics: {a: {uuid: fff1, write: m}}
      types:
        m:
          seq:
            - {id: n, type: u1}
            - {id: k, type: u1}
            - {id: data, size: n, type: {switch-on: k, cases: {1: one, 2: two}}}
            - {id: plain, type: one}
        one: {-inline: true, seq: [{id: v, type: u1}]}
        two: {-inline: true, seq: [{id: v, type: u1, -scale: 0.5}]}
      tests:
        - {characteristic: a, packets: ["01010709"], expect: {data: 7, plain: 9}}
        - {characteristic: a, packets: ["01020709"], expect: {data: 3.5, plain: 9}}
      """)
  }

  @Test func headersKnowTheMessage() throws {
    let text = """
      profile: built
      state: {sequence: 0, room: 12}
      characteristics: {c: {uuid: fff1, framing: f, write: [{when: _state.sequence == 200, message: hello}, data]}}
      framings:
        f:
          - fragments:
              header: head
              first: begin
              last: end
              total: total
              counter: {value: sequence, modulo: 256, scope: channel}
              set: {sequence: sequence}
              build:
                size: _state.room
                pad: 0xee
                first: {kind: "_message == 'hello' ? 1 : 0", begin: true, end: last, sequence: _state.sequence + 1, total: length}
                next: {end: last, here: bytes, sequence: _state.sequence + 1}
      types:
        head:
          seq:
            - {id: kind, type: b3, enum: kind}
            - {id: begin, type: b1}
            - {id: end, type: b1}
            - {id: reserved, type: b3, valid: 0}
            - {id: sequence, type: u1}
            - {id: total, type: u1, if: begin}
            - {id: here, type: u1, if: not begin}
        hello: {seq: [{id: version, type: u1}]}
        data: {seq: [{id: payload, size-eos: true}]}
      enums: {kind: {0: plain, 1: hello}}
      tests:
        - {characteristic: c, packets: ["18010401020304eeeeeeee", "180202aabbeeeeeeeeeeeeee"], expect: [{payload: "01020304"}, {payload: aabb}], encodes: message}
        - {characteristic: c, packets: ["180103010203eeeeeeeeeeee", "180202aabbeeeeeeeeeeeeee"], expect: [{payload: "010203"}, {payload: aabb}]}
        - {characteristic: c, packets: ["10010c010203040506070809", "0802030a0b0ceeeeeeeeeeee"], expect: {payload: "0102030405060708090a0b0c"}}
      """
    try check(text)
    #expect(try encode(text, "hello", #"{"version": 3}"#) == ["38010103eeeeeeeeeeeeeeee"])
    #expect(try encode(text, "data", #"{"payload": "aa"}"#, state: [("sequence", .int(7)), ("room", .int(4))]) == ["180801aa"])
    #expect(
      try encode(text, "data", #"{"payload": "01020304"}"#, state: [("room", .int(4))])
        == ["10010401", "0002010 2", "00030103", "08040104"].map { $0.replacing(" ", with: "") })
  }

  @Test func checksumsInHeaders() throws {
    try check(
      """
      profile: announced
      state: {crc: 0}
      characteristics: {c: {uuid: fff1, framing: f, write: data}}
      framings:
        f:
          - fragments:
              header: head
              first: begin
              last: end
              set: {crc: crc}
              build: {size: 6, first: {begin: true, end: last, crc: checksum}, next: {end: last}}
          - check: {algorithm: CRC-16/XMODEM, value: _state.crc}
      meta: {endian: be}
      types:
        head: {seq: [{id: begin, type: b4}, {id: end, type: b4}, {id: crc, type: u2, if: begin == 1}]}
        data: {seq: [{id: payload, size-eos: true}]}
      tests:
        - {characteristic: c, packets: ["1031c3313233", "013435363738"], expect: {payload: "3132333435363738", _checksum: bad}}
        - {characteristic: c, packets: ["1031c3313233", "003435363738", "0139"], expect: {payload: "313233343536373839", _checksum: ok}}
      """)
  }

  @Test func lengthsThatSlicesKnow() throws {
    try check(
      """
      profile: slices
      characteristics:
        described: {uuid: fff1, framing: [{slice: [1, "_payload[0] + 1"]}], notify: m}
        some: {uuid: fff2, framing: [{check: {algorithm: sum8, when: _payload.length > 2}}, {slice: [0, "_payload.length > 2 ? -1 : 99"]}], write: m}
      types: {m: {seq: [{id: a, size-eos: true}]}}
      tests:
        - {characteristic: described, packets: ["020506ff"], expect: {a: "0506"}}
        - {characteristic: some, packets: ["09"], expect: {a: "09"}}
        - {characteristic: some, packets: ["090413 20"], expect: {a: "090413", _checksum: ok}}
      """)
  }

  /// A header that a slice removes is written before the body, not over it.
  @Test func lengthsInHeadersThatSlicesTakeOff() throws {
    let text = """
      profile: sliced
      characteristics: {c: {uuid: fff1, framing: f, write: m}}
      framings:
        f:
          - stream: {start: 0x7e, header: head, length: length + 4}
          - check: {algorithm: CRC-16/MODBUS, endian: le}
          - slice: [2, -2]
      meta: {endian: be}
      types:
        head: {seq: [{id: start, type: u1}, {id: length, type: u1}]}
        m: {seq: [{id: op, type: u1}, {id: register, type: u2}, {id: count, type: u1}]}
      """
    #expect(try encode(text, "m", #"{"op": 3, "register": 4660, "count": 2}"#) == ["7e0403123402cc85"])
  }

  /// The parts that a strip removes are written in the same order.
  @Test func stripsOfSeveralParts() throws {
    let text = """
      profile: strips
      characteristics: {c: {uuid: fff1, framing: [{strip: {prefix: AB, head: 1, tail: 2, suffix: [0x0d, 0x0a]}}], write: bytes}}
      """
    #expect(try encode(text, "bytes", #"{"bytes": "0102"}"#) == ["4142000102" + "0d0a0000"])
  }

  /// A field whose shown number depends on other fields is encoded with those fields.
  @Test func scalesThatOtherFieldsSay() throws {
    try check(
      """
      profile: scaled
      characteristics: {c: {uuid: fff1, write: m}}
      meta: {endian: be}
      types:
        m:
          seq:
            - {id: light, type: u2, -scale: "exponent == 0 ? 1 : exponent * 10", -na: 0xffff}
            - {id: moved, type: u1, -scale: exponent + 1, -offset: -40}
            - {id: exponent, type: s1}
            - {id: list, type: u1, repeat: expr, repeat-expr: 2, -scale: exponent + 2}
            - {id: real, type: f4, -scale: exponent + 1}
            - {id: fixed, type: f4, -scale: 0.1}
      tests:
        - {characteristic: c, packets: ["0190 64 02 0102 3f800000 40200000"], expect: {light: 8000, moved: 260, list: [4, 8], real: 3, fixed: 0.25}}
        - {characteristic: c, packets: ["ffff 64 00 0102 3f800000 40200000"], expect: {light: ~, moved: 60, list: [2, 4], real: 1}}
      """)
  }

  /// Numbers that do not fit into 63 bits, and NaN.
  @Test func numbersAtTheEdge() throws {
    try check(
      """
      profile: edge
      characteristics: {c: {uuid: fff1, write: m}}
      meta: {endian: be}
      types:
        m:
          seq:
            - {id: whole, type: u8}
            - {id: bits, type: b64}
            - {id: real, type: f4}
            - {id: medical, type: u2, -as: sfloat}
            - {id: long, type: u4, -as: float}
      tests:
        - characteristic: c
          packets: ["ffffffffffffffff 8000000000000001 7fc00000 07ff 007fffff"]
          expect: {whole: 18446744073709551615, bits: 0x8000000000000001, real: ~, medical: ~, long: ~}
      """)
  }

  /// A value of a table takes as many bytes as it needs if its length is not given; so does the number that means no value.
  @Test func widthsOfTaggedNumbers() throws {
    let text = """
      profile: tagged
      characteristics: {c: {uuid: fff1, write: m}}
      tables:
        item:
          items:
            2: {name: battery, type: uint, -scale: 0.01}
            5: {name: temperature, type: sint, -scale: 0.1, -na: 0x7fff}
            6: {name: mode, type: u1, enum: mode}
      enums: {mode: {0: idle}}
      types: {m: {seq: [{id: items, type: item, repeat: eos}]}}
      """
    func item(_ json: String) throws -> String { try encode(text, "m", #"{"items": [\#(json)]}"#).joined() }
    #expect(try item(#"{"id": "battery", "value": 0.05}"#) == "020105")
    #expect(try item(#"{"id": "battery", "value": 3.3}"#) == "0202014a")
    #expect(try item(#"{"id": "battery", "value": 333333.3}"#) == "020401fca052")
    #expect(try item(#"{"id": "battery", "value": null}"#) == "0200")
    #expect(throws: EncodeError.self) { try item(#"{"id": "battery"}"#) }
    #expect(try item(#"{"id": "temperature", "value": -12.9}"#) == "0502ff7f")
    #expect(try item(#"{"id": "temperature", "length": 2, "value": null}"#) == "05027fff")
    #expect(try item(#"{"id": "temperature", "value": null}"#) == "05027fff")
    #expect(try item(#"{"id": "temperature", "length": 0, "value": null}"#) == "0500")
    // A field with a fixed width keeps it.
    #expect(throws: EncodeError("17000 does not fit 8 bits", at: "items.0.value.value")) { try item(#"{"id": "mode", "value": 17000}"#) }
  }

  /// A typed value is text where a field is text, and a number where it is a number.
  @Test func valuesAsTheyWereWritten() throws {
    let text = """
      profile: typed
      characteristics: {c: {uuid: fff1, write: m}, p: {uuid: fff2, write: proto}, t: {uuid: fff3, write: says}}
      messages: {proto: {body: protobuf Wifi}, says: {body: text}}
      protobufs: {Wifi: {1: string password, 2: uint32 channel, 3: mode mode}}
      meta: {endian: be, encoding: UTF-8}
      enums: {mode: {0: idle, 1: "60.0"}}
      types:
        m:
          seq:
            - {id: count, type: u1}
            - {id: raw, size: 2}
            - {id: mode, type: u1, enum: mode}
            - {id: version, type: str, size: 4}
      """
    let set = try ProfileSet(builtin: false, texts: [(text, "t.yaml", .given)])
    let encoder = MessageEncoder(try set.profile(0), of: set)
    func encode(_ message: String, _ fields: [(name: String, value: FieldTree)]) throws -> String {
      try encoder.encode(message, .object(fields)).packets.joined().reduce("") { $0 + ($1 < 16 ? "0" : "") + String($1, radix: 16) }
    }
    let m: [(name: String, value: FieldTree)] = [
      ("count", .written("7", .int(7))), ("raw", .written("12e4", .double(120_000))), ("mode", .written("60.0", .double(60))),
      ("version", .written("1.50", .double(1.5))),
    ]
    #expect(try encode("m", m) == "0712e401312e3530")
    let wifi: [(name: String, value: FieldTree)] = [
      ("password", .written("12345678", .int(12_345_678))), ("channel", .written("6", .int(6))),
    ]
    #expect(try encode("proto", wifi) == "0a0831323334353637381006")
    #expect(try encode("says", [("text", .written("1.50", .double(1.5)))]) == "312e3530")
  }

  /// A path from the command line may have any length.
  @Test func pathsHaveALimit() {
    for path in [String(repeating: "a.", count: 60_000) + "a", "a" + String(repeating: "[0]", count: 60_000)] {
      #expect(FieldTree.object([]).setting(path, to: .int(1)) == nil)
    }
    #expect(FieldTree.object([]).setting("a.b[1]", to: .int(1)) == .object([("a", .object([("b", .list([.null, .int(1)]))]))]))
  }

  /// A field that a protobuf body does not have is reported with its name.
  @Test func fieldsThatNoProtobufHas() throws {
    let text = """
      profile: proto
      characteristics: {c: {uuid: fff1, write: m}, d: {uuid: fff2, write: inner}}
      messages: {m: {body: protobuf State}}
      protobufs: {State: {1: uint32 battery, 2: mode mode, 3: repeated Inner inner}, Inner: {1: double depth}}
      enums: {mode: {0: idle, 1: Full Speed}}
      types: {inner: {seq: [{id: kind, type: u1}, {id: state, size-eos: true, -body: protobuf State}]}}
      """
    for (message, json, path, wanted) in [
      ("m", #"{"batery": 1}"#, "batery", "the message has no such field; did you mean \"battery\"?"),
      ("m", #"{"battery": "x"}"#, "battery", "expected a whole number"),
      ("m", #"{"mode": "fast"}"#, "mode", "\"fast\" is not in the enum; expected one of: idle, Full Speed"),
      ("m", #"{"inner": [{}, {"depth": "x"}]}"#, "inner.1.depth", "expected a number"),
      ("inner", #"{"kind": 1, "state": {"battery": "x"}}"#, "state.battery", "expected a whole number"),
    ] {
      #expect(throws: EncodeError(wanted, at: path)) { try encode(text, message, json) }
    }
    #expect(try encode(text, "m", #"{"mode": "Full Speed", "inner": [{"depth": 1}]}"#) == ["10011a0909000000000000f03f"])
  }
}

extension EncodeError: Equatable {
  init(_ message: String, at path: String) {
    self.init(message)
    self.path = path.split(separator: ".").map(String.init)
  }

  /// Compares the descriptions.
  public static func == (a: EncodeError, b: EncodeError) -> Bool { a.description == b.description }
}
