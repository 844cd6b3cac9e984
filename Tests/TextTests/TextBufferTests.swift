import Memory
import Testing

@testable import Text

@Suite struct TextBufferTests {
  private func written(_ body: (TextBuffer) -> Void) -> String {
    let out = TextBuffer()
    body(out)
    return out.contents
  }

  @Test(arguments: [0, 7, 10, 99, 100, 12_345, Int.max, Int.min, -1, -10])
  func decimalNumbers(number: Int) {
    #expect(written { $0.decimal(number) } == String(number))
    let out = TextBuffer()
    var cursor = TextBuffer.Cursor(out)
    cursor.decimal(number)
    cursor.finish()
    #expect(out.contents == String(number))
    var bytes: [UInt8] = []
    bytes.append(decimal: Int64(number))
    #expect(String(decoding: bytes, as: UTF8.self) == String(number))
  }

  @Test func hexadecimalNumbers() {
    #expect(written { $0.hex(0x2A, digits: 2) } == "2a")
    #expect(written { $0.hex(0x12345, digits: 4) } == "12345")
    #expect(written { $0.hex(.max, digits: 1) } == "ffffffffffffffff")
    #expect(written { $0.address(0x0001_0203_0405) } == "00:01:02:03:04:05")
  }

  @Test func itGrows() {
    let text = String(repeating: "0123456789", count: 100_000)
    #expect(written { for _ in 0..<3 { $0.string(text) } } == text + text + text)
  }

  /// Characters in a text that could move a cursor, end a string or begin a formula.
  @Test func textFromTheAirIsEscaped() {
    let hostile = Array("=A1\u{1B}[2J\"\\<\u{202E}".utf8) + [0xFF]
    #expect(written { $0.untrusted(hostile, .terminal) } == "=A1\\x1b[2J\"\\<\\u{202e}\u{FFFD}")
    #expect(written { $0.untrusted(hostile, .json) } == "=A1\\u001b[2J\\\"\\\\<\\u202e\u{FFFD}")
    #expect(written { $0.untrusted(hostile, .script) } == "=A1\\u001b[2J\\\"\\\\\\u003c\\u202e\u{FFFD}")
    #expect(written { $0.untrusted(hostile, .csv) } == "'=A1\\x1b[2J\"\"\\<\\u{202e}\u{FFFD}")
    let lines = Array("first: 1\u{2013}2 \u{B0}C\nsecond\r\n\u{85}\u{1F600}".utf8) + [0xE2, 0x80]
    #expect(written { $0.untrusted(lines, .lines) } == "first: 1\u{2013}2 \u{B0}C\nsecond\\x0d\n\\x85\u{1F600}\u{FFFD}")
    #expect(written { $0.untrusted(lines, .terminal) } == "first: 1\u{2013}2 \u{B0}C\\x0asecond\\x0d\\x0a\\x85\u{1F600}\u{FFFD}")
  }

  /// Eight bytes are judged together: one other byte is found at every offset of texts of every length.
  @Test(arguments: [0x00, 0x0A, 0x1F, 0x22, 0x5C, 0x7F, 0x80, 0xFF] as [UInt8])
  func oneByteThatIsNotPlain(byte: UInt8) {
    for count in 0..<40 {
      let plain = [UInt8](repeating: UInt8(ascii: "a"), count: count)
      #expect(plain.withBorrowedBytes { TextBuffer.isPrintable($0) && TextBuffer.isPlainJSON($0) })
      for at in 0..<count {
        var text = plain
        text[at] = byte
        let isPrintable = text.withBorrowedBytes { TextBuffer.isPrintable($0) }
        #expect(isPrintable == (byte == 0x22 || byte == 0x5C))
        let isPlain = text.withBorrowedBytes { TextBuffer.isPlainJSON($0) }
        #expect(!isPlain)
        let isKept = written { $0.untrusted(text, .lines) }.utf8.elementsEqual(text)
        #expect(isKept == (byte == 0x0A || isPrintable))
      }
    }
  }

  /// Eight bytes are judged together as each would be alone, whatever their lowest bits are.
  @Test(arguments: [UInt8(ascii: "a"), UInt8(ascii: "b")], [TextBuffer.Escape.terminal, .lines, .json, .script, .csv])
  func anyByteBetweenOthers(other: UInt8, escape: TextBuffer.Escape) {
    var wrong: [String] = []
    for byte in UInt8.min...UInt8.max {
      let alone =
        escape == .csv
        ? byte == UInt8(ascii: "\"") ? "\"\"" : written { $0.untrusted([byte], .terminal) } : written { $0.untrusted([byte], escape) }
      for at in 1..<17 {
        var text = [UInt8](repeating: other, count: 17)
        text[at] = byte
        let around = (String(repeating: Character(Unicode.Scalar(other)), count: at), 16 - at)
        let expected = around.0 + alone + String(repeating: Character(Unicode.Scalar(other)), count: around.1)
        if written({ $0.untrusted(text, escape) }) != expected { wrong.append("\(byte) at \(at)") }
      }
    }
    #expect(wrong.isEmpty)
    // Eight bytes that are all equal, beyond ASCII and below it.
    for byte in [0x02, 0x08, 0x10, 0x1E, 0x80, 0x88, 0xE6, 0xFE] as [UInt8] {
      let text = written { $0.untrusted([UInt8](repeating: byte, count: 24), escape) }
      #expect(text == String(repeating: written { $0.untrusted([byte], escape) }, count: 24), "\(byte)")
    }
  }

  /// Words that were aligned in columns are those with single spaces, whatever stands around the spaces and however long they are.
  @Test func wordsInCSVHaveSingleSpaces() {
    let pieces = [" ", "  ", "         ", "a", "sixteen letters.", "\"", "\u{2026}", "\u{202E}", "=", "\u{1F600}", "\u{7F}", "tab\t", "é"]
    var state: UInt64 = 1
    func next(_ count: Int) -> Int {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return Int(state >> 33) % count
    }
    for _ in 0..<3000 {
      let text = (0..<next(10)).map { _ in pieces[next(pieces.count)] }.joined()
      let joined = text.split(separator: " ").joined(separator: " ")
      let words = written { out in
        let words = TextBuffer()
        words.string(text)
        CSVWriter(out).words(words)
      }
      #expect(words == written { CSVWriter($0).text(joined) }, "\(text.debugDescription)")
    }
  }

  @Test func fieldsOfCSVAreQuoted() {
    let text = written { out in
      let csv = CSVWriter(out)
      csv.text("a\"b")
      csv.skip()
      csv.field { out.decimal(7) }
      csv.end()
    }
    #expect(text == "\"a\"\"b\",,7\r\n")
  }
}
