import Inference
import PacketCodecs
import Testing

@Suite struct CounterTests {
  @Test func counterOfOneByte() throws {
    var chance = Chance(1)
    let counter = try #require(infer(stream((0..<60).map { [0x10, UInt8((200 + $0) & 255)] + chance.bytes(5) })).framing.counter)
    #expect(counter.offset == 1 && counter.step == 1 && counter.confidence >= 0.9)
  }

  @Test func counterOfTwoBytes() throws {
    var chance = Chance(1)
    let counter = try #require(
      infer(stream((0..<400).map { [UInt8($0 & 255), UInt8($0 >> 8)] + chance.bytes(5) })).framing.counter)
    #expect(counter.offset == 0 && counter.size == 2 && counter.endian == .little)
  }

  @Test func aByteThatDoesNotCarryIsNotOfTheCounter() throws {
    // The byte behind the counter changes seldom, and never where the counter restarts.
    var messages: [[UInt8]] = []
    for index in 0..<2000 {
      let slow = 3 + index / 700
      let other = index * 7 & 63
      messages.append([0x10, UInt8(index & 255), UInt8(slow), UInt8(other)])
    }
    let counter = try #require(infer(stream(messages)).framing.counter)
    #expect(counter.offset == 1 && counter.size == 1)
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
