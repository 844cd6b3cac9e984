import Testing

@testable import Profiles

/// What follows from the rest when a message is encoded: lengths, checksums, markers, headers; each with a small protocol made for it.
@Suite struct EncodingRuleTests {
  private func encode(_ text: String, _ message: String, _ json: String, state: [(String, FieldTree)] = []) throws -> [String] {
    let set = try ProfileSet(builtin: false, texts: [(text, "t.yaml", .given)])
    let encoder = MessageEncoder(try set.profile(0), of: set)
    for (name, value) in state { #expect(encoder.setState(name, value)) }
    return try encoder.encode(message, try #require(FieldTree(json: Array(json.utf8)))).packets.map { bytes in
      var text: [UInt8] = []
      bytes.withUnsafeBytes { text.append(hexOf: $0) }
      return String(decoding: text, as: UTF8.self)
    }
  }

  /// Runs the tests that stand in a profile.
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
    // Without a field of its own a checksum comes behind, also where the last byte is by chance what it would be.
    let plain = profile("{id: a, type: u1}, {id: b, type: u1}")
    #expect(try encode(plain, "m", #"{"a": 5, "b": 5}"#) == ["05050a"])
    #expect(try encode(plain, "m", #"{"a": 0, "b": 0}"#) == ["000000"])
    #expect(try encode(plain, "m", #"{"a": 5, "b": 6}"#) == ["05060b"])
    // A field that is called so, or hidden, is the checksum's, whatever is given for it.
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
    // Numbers that repeat until a condition holds cannot be made up: an error, not wrong bytes.
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
        told: {uuid: fff1, framing: [{slice: [1, "_payload[0] + 1"]}], notify: m}
        some: {uuid: fff2, framing: [{check: {algorithm: sum8, when: _payload.length > 2}}, {slice: [0, "_payload.length > 2 ? -1 : 99"]}], write: m}
      types: {m: {seq: [{id: a, size-eos: true}]}}
      tests:
        - {characteristic: told, packets: ["020506ff"], expect: {a: "0506"}}
        - {characteristic: some, packets: ["09"], expect: {a: "09"}}
        - {characteristic: some, packets: ["090413 20"], expect: {a: "090413", _checksum: ok}}
      """)
  }
}
