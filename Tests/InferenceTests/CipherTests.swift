import Inference
import Testing

@Suite struct CipherTests {
  @Test func randomBytesAreACipher() {
    var chance = Chance(77)
    let found = infer(stream((0..<100).map { _ in chance.bytes(16) }))
    #expect(found.framing.isEncrypted && found.fields.isEmpty)
    #expect(found.framing.length == nil && found.framing.check == nil && found.framing.counter == nil && found.framing.fragment == nil)
  }

  /// A header in front of encrypted bytes has fields, the encrypted bytes have none.
  @Test func theHeaderOfACipherIsPlain() throws {
    var chance = Chance(81)
    let found = infer(
      stream(
        (0..<120).map { _ in
          let body = chance.bytes(12 + chance.below(9))
          return [0x55, 0xAA, UInt8(body.count + 1), UInt8(chance.below(6))] + body
        }))
    #expect(found.framing.isEncrypted && found.fields.count == 1)
    let fields = try #require(found.fields.first).fields
    #expect(fields.map(\.offset) == [0, 2, 3, 4] && fields.map(\.size) == [2, 1, 1, nil], "\(fields)")
    #expect(fields.map(\.type) == [.constant, .length, .enum, .bytes], "\(fields.map(\.type))")
  }

  @Test func numbersAreNoCipher() {
    var chance = Chance(77)
    let found = infer(stream((0..<100).map { _ in [0x01, chance.byte(), 0x02, UInt8(chance.below(40)), 0, 0, 0, UInt8(chance.below(9))] }))
    #expect(!found.framing.isEncrypted)
  }

  /// Audio of eight bits, in values of 160 samples: its bytes are not evenly distributed, and it has no fields.
  @Test func soundHasNoFields() {
    var chance = Chance(78)
    var level = 128
    var rise = 0
    let found = infer(
      stream(
        (0..<100).map { _ in
          (0..<160).map { _ in
            rise = max(-9, min(9, rise + chance.below(5) - 2 - (level - 128) / 16))
            level = max(20, min(235, level + rise))
            return UInt8(level)
          }
        }, pause: 20_000))
    for confidence in [
      found.framing.length?.confidence, found.framing.check?.confidence, found.framing.counter?.confidence,
      found.framing.fragment?.confidence,
    ] { #expect((confidence ?? 0) < 0.9) }
    #expect(
      found.fields.allSatisfy { $0.fields.allSatisfy { $0.confidence <= 0.5 } && $0.fields.count <= 2 },
      "\(found.fields.map(\.fields.count))")
  }
}
