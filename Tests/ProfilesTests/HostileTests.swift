import TestSupport
import Testing

@_spi(Pipeline) @testable import Profiles

/// Extreme numbers in profiles and in values to encode give a mistake or the nearest value, never a crash.
@Suite struct HostileTests {
  private func set(_ text: String) throws -> ProfileSet {
    try ProfileSet(
      builtin: false, texts: [("profile: x\nmeta: {endian: le}\ncharacteristics: {a: {uuid: 2a19, value: t}}\n\(text)", "t.yaml", .given)])
  }

  private func mistake(_ text: String) -> String {
    do {
      _ = try set(text).profile(0)
      return ""
    } catch {
      return "\(error)"
    }
  }

  private func encode(_ text: String, _ json: String) throws -> [UInt8] {
    let set = try set(text)
    let packets = try MessageEncoder(set.profile(0), of: set).encode("t", #require(FieldTree(json: Array(json.utf8)))).packets
    return packets.flatMap { $0 }
  }

  /// An exponent or digits beyond the range of a fraction are left to the arithmetic of expressions.
  @Test func scales() throws {
    let scales: [(String, FieldTree)] = [
      ("1e-9223372036854775808", .double(0)), ("1e9223372036854775807", .null), ("1e-40", .double(5e-40)),
    ]
    for (scale, value) in scales {
      let found = try decode(set("types: {t: {seq: [{id: v, type: u1, -scale: \(scale)}]}}"), "x", "a", ["05"])
      #expect(found.first?.fields["v"]?.plain == value, "\(scale)")
    }
    let ones = String(repeating: "1", count: 400), zeros = String(repeating: "0", count: 400)
    #expect(mistake("types: {t: {seq: [{id: v, type: u1, -offset: \(ones).\(zeros)}]}}").contains("\"-offset\" must be a number"))
    #expect(
      mistake("types: {t: {seq: [{id: v, type: u1, -scale: \(ones).\(zeros), -offset: \(ones).\(zeros)}]}}")
        .contains("must be a number"))
  }

  @Test func registers() {
    for (register, wanted) in [
      ("size: 9223372036854775807, repeat-expr: 2", "the size is out of range"),
      ("size: -9223372036854775807, repeat-expr: 4096", "the size is out of range"),
      ("type: b9223372036854775807", "there is no type \"b9223372036854775807\""),
      ("type: u2, repeat-expr: 9223372036854775807", ""),
    ] {
      let found = mistake("tables: {t: {first: 0, registers: {1: {name: a, \(register)}}}}")
      #expect(wanted.isEmpty ? found.isEmpty : found.contains(wanted), "\(register): \(found)")
    }
  }

  /// The index of a name in a table for byte values does not fit into one or two bytes.
  @Test func manyNamesBeforeZero() throws {
    let names = (1...33_000).map { "-\($0): below_\($0)" }.joined(separator: ", ")
    let found = try decode(
      set("types: {t: {seq: [{id: v, type: u1, enum: e}]}}\nenums: {e: {\(names), 0: zero, 7: seven}}"), "x", "a", ["07"])
    #expect(found.first?.fields["v"]?["name"] == .text("seven"))
  }

  /// A device name is matched against a pattern with many stars in time proportional to both lengths, without trying all combinations.
  @Test func namesOfManyStars() throws {
    let stars = String(repeating: "*a", count: 100)
    for (end, isMatch) in [("b", false), ("*", true)] {
      let set = try ProfileSet(
        builtin: false,
        texts: [("profile: x\nmatch: {names: ['\(stars)\(end)']}\ncharacteristics: {a: {uuid: 2a19, value: bytes}}\n", "t.yaml", .folder)]
      )
      let engine = ProfileEngine(set)
      var facts = PeerFacts()
      facts.name = String(repeating: "a", count: 248)
      let seconds = processorTime {
        let link = engine.connect(facts)
        let slot = engine.slot(link, uuid: 0x2A19, service: nil, handle: 1)
        #expect((slot >= 0) == isMatch)
      }
      #expect(seconds < 60)
    }
  }

  @Test func protobufDeclarations() {
    #expect(mistake("messages: {t: {body: protobuf R}}\nprotobufs: {R: {1: 'map>int32<b x'}}").contains("is not a protobuf type"))
  }

  /// Values beyond the range of a medical float are infinite (IEEE 11073-20601, 2.2.2); values that a raw number cannot have are rejected.
  @Test func encodedNumbers() throws {
    let floats = "types: {t: {seq: [{id: v, type: u2, -as: sfloat}, {id: w, type: u4, -as: float}]}}"
    #expect(try encode(floats, #"{"v": 1e300, "w": 1e300}"#) == [0xFE, 0x07, 0xFE, 0xFF, 0x7F, 0x00])
    #expect(try encode(floats, #"{"v": -1e300, "w": -1e300}"#) == [0x02, 0x08, 0x02, 0x00, 0x80, 0x00])
    // 2047.6 would be rounded to a special value that means no number.
    #expect(try encode(floats, #"{"v": 204.76, "w": 204.76}"#) == [0xCD, 0x00, 0xFC, 0x4F, 0x00, 0xFE])
    let scaled = "messages: {t: {body: protobuf R}}\nprotobufs: {R: {1: {field: sint32 v, -scale: 0.000001}}}"
    #expect(try encode(scaled, #"{"v": 0.5}"#) == [0x08, 0xC0, 0x84, 0x3D])
    #expect(throws: EncodeError.self) { try encode(scaled, #"{"v": 1e300}"#) }
  }
}
