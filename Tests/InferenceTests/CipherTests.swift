import Inference
import Testing

@Suite struct CipherTests {
  @Test func randomBytesAreACipher() {
    var chance = Chance(77)
    let found = infer(stream((0..<100).map { _ in chance.bytes(16) }))
    #expect(found.framing.isEncrypted && found.fields.isEmpty)
    #expect(found.framing.length == nil && found.framing.check == nil && found.framing.counter == nil && found.framing.fragment == nil)
  }

  @Test func numbersAreNone() {
    var chance = Chance(77)
    let found = infer(stream((0..<100).map { _ in [0x01, chance.byte(), 0x02, UInt8(chance.below(40)), 0, 0, 0, UInt8(chance.below(9))] }))
    #expect(!found.framing.isEncrypted)
  }
}
