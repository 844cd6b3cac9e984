import Testing

@testable import Redaction

/// Finding known bytes and putting others in their place, on its own.
@Suite struct ByteReplacerTests {
  private func replaced(_ replacer: ByteReplacer, _ bytes: [UInt8], from start: Int = 0) -> (bytes: [UInt8], count: Int) {
    var bytes = bytes
    var isDone = [Bool](repeating: false, count: bytes.count)
    let count = replacer.replace(in: &bytes, from: start, &isDone)
    return (bytes, count)
  }

  private func replaced(_ replacer: ByteReplacer, _ text: String) -> String {
    String(decoding: replaced(replacer, Array(text.utf8)).bytes, as: UTF8.self)
  }

  @Test func replacesWhereverItStands() {
    var replacer = ByteReplacer()
    #expect(replacer.isEmpty)
    replacer.add([1, 2, 3, 4, 5], [9, 9, 9, 9, 9])
    let (bytes, count) = replaced(replacer, [1, 2, 3, 4, 5, 0, 1, 2, 3, 4, 0, 1, 2, 3, 4, 5])
    #expect(bytes == [9, 9, 9, 9, 9, 0, 1, 2, 3, 4, 0, 9, 9, 9, 9, 9] && count == 2)
    #expect(replaced(replacer, [1, 2, 3, 4, 5], from: 1).count == 0)
  }

  @Test func theLongestCounts() {
    var replacer = ByteReplacer()
    replacer.add([1, 2, 3, 4], [8, 8, 8, 8])
    replacer.add([1, 2, 3, 4, 5, 6], [9, 9, 9, 9, 9, 9])
    #expect(replaced(replacer, [1, 2, 3, 4, 5, 6]).bytes == [9, 9, 9, 9, 9, 9])
    #expect(replaced(replacer, [1, 2, 3, 4, 5, 7]).bytes == [8, 8, 8, 8, 5, 7])
  }

  @Test func theFirstReplacementCounts() {
    var replacer = ByteReplacer()
    replacer.add([1, 2, 3, 4], [8, 8, 8, 8])
    replacer.add([1, 2, 3, 4], [9, 9, 9, 9])
    #expect(replaced(replacer, [1, 2, 3, 4]).bytes == [8, 8, 8, 8])
  }

  @Test func bothByteOrders() {
    var replacer = ByteReplacer()
    replacer.addBothWays([1, 2, 3, 4, 5, 6], [0x11, 0x12, 0x13, 0x14, 0x15, 0x16])
    #expect(replaced(replacer, [6, 5, 4, 3, 2, 1]).bytes == [0x16, 0x15, 0x14, 0x13, 0x12, 0x11])
  }

  @Test func hexTextInEveryForm() {
    var replacer = ByteReplacer()
    replacer.add([0xC0, 0xFF, 0xEE, 0x00, 0x00, 0x01], [0xD0, 0x11, 0x22, 0x33, 0x44, 0x55])
    #expect(replaced(replacer, "from c0:ff:ee:00:00:01.") == "from d0:11:22:33:44:55.")
    #expect(replaced(replacer, "C0-FF-EE-00-00-01") == "D0-11-22-33-44-55")
    #expect(replaced(replacer, "xc0ffee000001x") == "xd01122334455x")
    #expect(replaced(replacer, "c0:ff:ee:00:00") == "c0:ff:ee:00:00")
  }

  /// Few bytes, and bytes that are alike, occur by chance.
  @Test func whatIsNotDistinctiveIsNotLookedFor() {
    #expect(
      !ByteReplacer.isDistinctive([1, 2, 3]) && !ByteReplacer.isDistinctive([0, 0, 1, 1, 2]) && ByteReplacer.isDistinctive([1, 2, 3, 4]))
    var replacer = ByteReplacer()
    replacer.add([1, 2, 3], [9, 9, 9])
    replacer.add([1, 2, 3, 4], [9, 9])
    #expect(replacer.isEmpty)
  }

  /// More patterns than the first table has places.
  @Test func manyPatterns() {
    var replacer = ByteReplacer()
    for number in 0..<5000 {
      let pair = [UInt8(number & 255), UInt8(number >> 8)]
      replacer.add([0xA0, 0xA1] + pair + [0xA2], [0xB0, 0xB1] + pair + [0xB2])
    }
    for number in [0, 255, 256, 4999] {
      let pair = [UInt8(number & 255), UInt8(number >> 8)]
      #expect(replaced(replacer, [7] + [0xA0, 0xA1] + pair + [0xA2, 7]).bytes == [7, 0xB0, 0xB1] + pair + [0xB2, 7])
    }
  }
}
