import Inference
import PacketCodecs
import Testing

@Suite struct CounterTests {
  @Test func goesUp() throws {
    var chance = Chance(1)
    let counter = try #require(infer(stream((0..<60).map { [0x10, UInt8((200 + $0) & 255)] + chance.bytes(5) })).framing.counter)
    #expect(counter.offset == 1 && counter.step == 1 && counter.confidence >= 0.9)
  }

  @Test func twoBytes() throws {
    var chance = Chance(1)
    let counter = try #require(
      infer(stream((0..<400).map { [UInt8($0 & 255), UInt8($0 >> 8)] + chance.bytes(5) })).framing.counter)
    #expect(counter.offset == 0 && counter.size == 2 && counter.endian == .little)
  }

  @Test func aToggleIsNoCounter() {
    var chance = Chance(8)
    #expect(infer(stream((0..<60).map { [UInt8($0 & 1)] + chance.bytes(5) })).framing.counter == nil)
  }

  @Test func randomBytes() {
    var chance = Chance(9)
    #expect(infer(stream((0..<60).map { _ in chance.bytes(12) })).framing.counter == nil)
  }
}
