import Memory
import Testing
import Text

@_spi(Pipeline) @testable import Profiles

/// Random messages, derived from those of the shipped profiles' tests, decode, encode and decode to the same values.
@Suite struct ComesBackTests {
  /// Kinds of messages that do not round-trip, each with the reason. Entries may only be removed.
  private static let known = [
    "lolan-bms settings": "the rotated checksum of its settings is compared, but no layer computes it"
  ]

  @Test(arguments: builtinProfiles.map(\.id.description))
  func shippedProfilesComeBack(_ name: String) throws {
    let set = try ProfileSet()
    let result = try set.fuzz(try #require(set.number(name)), seed: 1, count: 4, maxSeeds: 1)
    let failed = Set(result.failures.map { "\(name) \($0.message)" })
    for failure in result.failures where Self.known["\(name) \(failure.message)"] == nil {
      Issue.record("\(name) \(failure.message): \(failure.difference)")
    }
    for kind in Self.known.keys where kind.hasPrefix("\(name) ") {
      #expect(failed.contains(kind), "\(kind) comes back now: take it off the list")
    }
  }

  private func encode(_ text: String, _ message: String, _ json: String) throws -> [String] {
    let set = try ProfileSet(builtin: false, texts: [(text, "t.yaml", .given)])
    let encoder = MessageEncoder(try set.profile(0), of: set)
    return try encoder.encode(message, try #require(FieldTree(json: Array(json.utf8)))).packets.map { bytes in
      var text: [UInt8] = []
      bytes.withBorrowedBytes { text.append(hexOf: $0) }
      return String(decoding: text, as: UTF8.self)
    }
  }

  private func refusal(_ text: String, _ message: String, _ json: String) throws -> String {
    do {
      return "no refusal but \(try encode(text, message, json))"
    } catch let error as EncodeError { return error.description }
  }

  @Test func fieldsThatAskThePayloadFollowWhatIsGiven() throws {
    let text = """
      profile: lengths
      characteristics: {c: {uuid: fff1, write: m}, d: {uuid: fff2, write: n}, e: {uuid: fff3, write: w}}
      types:
        m: {seq: [{id: a, type: u1}, {id: b, type: u2be, if: _payload.length == 3}]}
        n:
          seq:
            - {id: address, size: 2, if: has_address}
            - {id: kind, type: u1}
            - {id: filler, size: "has_address ? 1 : 3"}
            - {id: value, type: u1, -scale: "has_address ? 0.1 : 0.5"}
          instances: {has_address: {value: "_payload[0] != 0xa1", -hidden: true}}
        w: {seq: [{id: v, type: {switch-on: _payload.length, cases: {1: u1, _: u2be}}}]}
      """
    #expect(try encode(text, "m", #"{"a": 1}"#) == ["01"])
    #expect(try encode(text, "m", #"{"a": 1, "b": 2}"#) == ["010002"])
    #expect(try encode(text, "n", #"{"kind": 161, "filler": "010203", "value": 2}"#) == ["a101020304"])
    #expect(try encode(text, "n", #"{"address": "0b0c", "kind": 161, "filler": "01", "value": 2}"#) == ["0b0ca10114"])
    #expect(try encode(text, "w", #"{"v": 300}"#) == ["012c"])
    // A field is rejected if the payload's length, which follows from the other values, rules it out.
    #expect(try refusal(text, "m", #"{"a": 1, "b": null, "c": 2}"#).contains("no field \"c\""))
  }

  @Test func computedValuesAreComparedWithWhatIsRead() throws {
    let text = """
      profile: computed
      meta: {endian: be}
      characteristics: {c: {uuid: fff1, write: m}, d: {uuid: fff2, write: n}, e: {uuid: fff3, write: v}, p: {uuid: fff4, write: p}}
      types:
        m:
          seq: [{id: a, type: u1}, {id: flags, type: u1, -hidden: true}]
          instances: {on: {value: flags & 0x40 != 0}}
        n: {seq: [{id: level, type: words(0.01)}]}
        words:
          -inline: true
          params: [{id: factor, type: f8}]
          seq: [{id: low, type: u2, -hidden: true}, {id: high, type: s2, -hidden: true}]
          instances: {number: {value: high * 65536 + low, -scale: factor}}
        v: {seq: [{id: version, type: version}]}
        version:
          -inline: true
          seq: [{id: minor, type: u1, -hidden: true}, {id: major, type: u1, -hidden: true}]
          instances: {text: {value: "'v' + major.to_s + '.' + minor.to_s"}}
        p:
          seq: [{id: a, type: u2}]
          instances: {second: {pos: 1, type: u1}}
      """
    #expect(try encode(text, "m", #"{"a": 1, "on": false}"#) == ["0100"])
    #expect(try encode(text, "m", #"{"a": 1, "flags": 64, "on": true}"#) == ["0140"])
    #expect(try refusal(text, "m", #"{"a": 1, "on": true}"#).hasPrefix("on: "))
    #expect(try encode(text, "n", #"{"level": 52.34}"#) == ["14720000"])
    #expect(try encode(text, "n", #"{"level": -0.67}"#) == ["ffbdffff"])
    #expect(try encode(text, "v", #"{"version": "v12.3"}"#) == ["030c"])
    #expect(try refusal(text, "v", #"{"version": "12.3"}"#).hasPrefix("version.text: "))
    #expect(try encode(text, "p", #"{"a": 258, "second": 2}"#) == ["0102"])
    #expect(try refusal(text, "p", #"{"a": 258, "second": 3}"#).hasPrefix("second: "))
  }

  @Test func smallMedicalFloatsUseEveryExponent() throws {
    let text = """
      profile: medical
      meta: {endian: be}
      characteristics: {c: {uuid: fff1, write: m}}
      types: {m: {seq: [{id: short, type: u2, -as: sfloat}, {id: long, type: u4, -as: float}]}}
      """
    #expect(try encode(text, "m", #"{"short": 1.82e-06, "long": 3.5e-20}"#) == ["80b6eb000023"])
    #expect(try encode(text, "m", #"{"short": 36.6, "long": 0.07}"#) == ["f16efe000007"])
  }

  @Test func endMarkersBehindChecksumsNeedNoField() throws {
    let text = """
      profile: ends
      characteristics: {c: {uuid: fff1, framing: f, write: m}}
      framings:
        f:
          - stream: {start: 0xdd, header: head, length: length + 4, end: 0x77}
          - check: {algorithm: sum8, over: [1, -2], at: -2}
      types:
        head: {seq: [{id: start, type: u1}, {id: length, type: u1}]}
        m: {seq: [{id: start, type: u1, -hidden: true}, {id: length, type: u1, -hidden: true}, {id: values, type: u1, repeat: expr, repeat-expr: length}]}
      """
    #expect(try encode(text, "m", #"{"values": [1, 2]}"#) == ["dd0201020577"])
    // Also where the last value happens to equal the marker.
    #expect(try encode(text, "m", #"{"values": [1, 119]}"#) == ["dd0201777a77"])
  }

  @Test func severalValuesOfOneProtobufFieldLieTogether() throws {
    let text = """
      profile: packed
      characteristics: {c: {uuid: fff1, write: m}}
      messages: {m: {body: protobuf Reading}}
      protobufs: {Reading: {1: int32 id, 2: string name}}
      """
    #expect(try encode(text, "m", #"{"id": [1, 300]}"#) == ["0a0301ac02"])
    #expect(try refusal(text, "m", #"{"name": ["a", "b"]}"#).hasPrefix("name: "))
  }

  /// Packets that do not match their source are counted, too.
  @Test func refusedPacketsKeepTheNumbersOfLaterOnes() throws {
    let text = """
      profile: counted
      state: {n: 0}
      advertisements: {adv: {company: 0x1234, names: [right], value: seen}}
      characteristics: {c: {uuid: fff1, write: m}}
      messages: {m: {set: {n: _state.n + 1}}}
      types:
        seen: {seq: [{id: a, type: u1}]}
        m: {seq: [{id: number, type: u1, valid: _state.n}, {id: data, type: u1}]}
      tests:
        - name: wrong
          exchange:
            - {advertise: adv, packets: ["05"]}
            - {write: c, packets: ["0001"]}
            - {write: c, packets: ["0102"]}
          expect: [{number: 0, data: 1}, {number: 1, data: 2}]
      """
    let set = try ProfileSet(builtin: false, texts: [(text, "t.yaml", .given)])
    for result in try set.test(0) { #expect(result.differences.isEmpty, "\(result.differences)") }
  }

  @Test func registersWithoutAFirstNameTheirTable() throws {
    let text = """
      profile: registers
      characteristics: {c: {uuid: fff1, write: m}}
      types: {m: {seq: [{id: all, type: table}]}}
      meta: {endian: be}
      tables: {table: {registers: {5: level}}}
      """
    do {
      let set = try ProfileSet(builtin: false, texts: [(text, "t.yaml", .given)])
      _ = try set.profile(0)
      Issue.record("the profile is taken")
    } catch { #expect("\(error)".contains("t.yaml:5:"), "\(error)") }
  }
}
