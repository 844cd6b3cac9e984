import PacketCodecs
import Testing

extension ByteEscape {
  fileprivate func encoded(_ bytes: [UInt8]) -> [UInt8] {
    var output: [UInt8] = []
    encode(bytes.span.bytes, into: &output)
    return output
  }

  fileprivate func decoded(_ bytes: [UInt8]) -> (bytes: [UInt8], problem: EscapeProblem?) {
    var output: [UInt8] = []
    let problem = decode(bytes.span.bytes, into: &output)
    return (output, problem)
  }
}

/// Sphero's escapes: AB 05 is 8D, AB 23 is AB, AB 50 is D8.
private let sphero = ByteEscape.mapped(
  escape: 0xab, [.init(code: 0x05, byte: 0x8d), .init(code: 0x23, byte: 0xab), .init(code: 0x50, byte: 0xd8)])

@Suite struct EscapeTests {
  /// The examples of the COBS article of Wikipedia, without the delimiter behind them, and the edges of a block.
  @Test func cobsExamples() {
    let examples: [(String, String)] = [
      ("00", "0101"), ("0000", "010101"), ("001100", "01021101"), ("11220033", "0311220233"), ("11223344", "0511223344"),
      ("11000000", "0211010101"), ("", "01"),
    ]
    for (plain, stuffed) in examples {
      #expect(ByteEscape.cobs.encoded(hex(plain)) == hex(stuffed), "\(plain)")
      #expect(ByteEscape.cobs.decoded(hex(stuffed)).bytes == hex(plain), "\(plain)")
    }
    let full = (1...254).map { UInt8($0) }
    #expect(ByteEscape.cobs.encoded(full) == [0xff] + full)
    #expect(ByteEscape.cobs.encoded([0] + full) == [0x01, 0xff] + full)
    #expect(ByteEscape.cobs.encoded(full + [0xff]) == [0xff] + full + [0x02, 0xff])
    #expect(ByteEscape.cobs.encoded(full + [0]) == [0xff] + full + [0x01, 0x01])
    for plain in [full, [0] + full, full + [0xff], full + [0], Array(full.dropFirst()) + [0]] {
      #expect(ByteEscape.cobs.decoded(ByteEscape.cobs.encoded(plain)).bytes == plain)
    }
  }

  @Test func cobsFrameOfAWatch() {
    let frame = hex("00022c04a0139623310f684c1bca840508020b496e7374696e637420325308496e7374696e6374023253010304b800")
    let plain = hex("2c00a0139600310f684c1bca840508020b496e7374696e637420325308496e7374696e6374023253000004b8")
    #expect(ByteEscape.cobs.decoded(frame).bytes == plain)
    #expect(ByteEscape.cobs.decoded(frame).problem == nil)
  }

  @Test func cobsThatIsBroken() {
    #expect(ByteEscape.cobs.decoded(hex("051122")).bytes == hex("1122"))
    #expect(ByteEscape.cobs.decoded(hex("051122")).problem == EscapeProblem(.cutShort, at: 0))
    #expect(ByteEscape.cobs.decoded(hex("0311000211")).problem == EscapeProblem(.unescaped, at: 2))
  }

  @Test func slipAndHDLC() {
    #expect(ByteEscape.slip.encoded(hex("01c002db03")) == hex("01dbdc02dbdd03"))
    #expect(ByteEscape.slip.decoded(hex("c0c001dbdc02dbdd03c0")).bytes == hex("01c002db03"))
    #expect(ByteEscape.slip.decoded(hex("01db41")).problem == EscapeProblem(.unknownSequence, at: 1))
    #expect(ByteEscape.slip.decoded(hex("01db41")).bytes == hex("0141"))
    #expect(ByteEscape.slip.decoded(hex("01db")).problem == EscapeProblem(.cutShort, at: 1))
    #expect(ByteEscape.slip.decoded(hex("01c002")).problem == EscapeProblem(.unescaped, at: 1))
    // RFC 1662, 4.2: 7E is sent as 7D 5E, 7D as 7D 5D, 03 as 7D 23.
    #expect(ByteEscape.hdlc(also: [3]).encoded(hex("7e7d0304")) == hex("7d5e7d5d7d2304"))
    #expect(ByteEscape.hdlc().decoded(hex("7e7d5e7d5d7d23047e")).bytes == hex("7e7d0304"))
  }

  @Test func doubledMappedAndXored() {
    #expect(ByteEscape.doubled(0x10).encoded(hex("011002")) == hex("01101002"))
    #expect(ByteEscape.doubled(0x10).decoded(hex("01101002")).bytes == hex("011002"))
    #expect(ByteEscape.doubled(0x10).decoded(hex("1003")).problem == EscapeProblem(.unknownSequence, at: 0))
    #expect(sphero.encoded(hex("8dabd801")) == hex("ab05ab23ab5001"))
    #expect(sphero.decoded(hex("ab05ab23ab5001")).bytes == hex("8dabd801"))
    #expect(sphero.decoded(hex("ab06")).problem == EscapeProblem(.unknownSequence, at: 0))
    let xored = ByteEscape.xored(escape: 0xab, mask: 0x88, bytes: [0x8d, 0xd8])
    #expect(xored.encoded(hex("8dabd8")) == hex("ab05ab23ab50"))
  }

  @Test func digitsAndScrambling() {
    #expect(ByteEscape.asciiHex().encoded([0x0f, 0xa1]) == ascii("0FA1"))
    #expect(ByteEscape.asciiHex(upperCase: false).encoded([0x0f, 0xa1]) == ascii("0fa1"))
    #expect(ByteEscape.asciiHex().decoded(ascii("0fA1")).bytes == [0x0f, 0xa1])
    #expect(ByteEscape.asciiHex().decoded(ascii("0fG1")).problem == EscapeProblem(.notHex, at: 2))
    #expect(ByteEscape.asciiHex().decoded(ascii("0f1")).problem == EscapeProblem(.cutShort, at: 2))
    #expect(ByteEscape.scrambled(key: [1, 2]).decoded([1, 1, 1]).bytes == [0, 3, 0])
    #expect(ByteEscape.scrambled(key: []).decoded([1]).bytes == [1])
  }

  private static let all: [ByteEscape] = [
    .cobs, .slip, .hdlc(), .hdlc(also: [0, 17]), .doubled(0x10), sphero, .xored(escape: 1, mask: 0x40, bytes: [0, 2]), .asciiHex(),
    .asciiHex(upperCase: false), .scrambled(key: [7, 0, 255]),
  ]

  @Test(arguments: SeededGenerator.seeds)
  func roundTrips(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    for escape in Self.all {
      for count in [0, 1, 2, 5, 253, 254, 255, 256, 600] {
        // Few different values, so that special bytes occur as well as long runs without them.
        let some: [UInt8] = [0, 1, 2, 0x10, 0x11, 0x7d, 0x7e, 0x8d, 0xab, 0xc0, 0xd8, 0xdb]
        let plain = (0..<count).map { _ in Int.random(in: 0..<40, using: &random) == 0 ? some.randomElement(using: &random) ?? 0 : 0x41 }
        let dense = (0..<count).map { _ in some.randomElement(using: &random) ?? 0 }
        for bytes in [plain, dense] {
          let stuffed = escape.encoded(bytes)
          let back = escape.decoded(stuffed)
          #expect(back.bytes == bytes && back.problem == nil, "\(escape), \(random)")
          if let delimiter = escape.streamRules?.ends.first?.first { #expect(!stuffed.contains(delimiter), "\(escape), \(random)") }
        }
      }
      for _ in 0..<300 {
        let garbage = random.bytes(Int.random(in: 0...30, using: &random))
        let decoded = escape.decoded(garbage)
        #expect(decoded.bytes.count <= garbage.count)
        if let problem = decoded.problem { #expect(garbage.indices.contains(problem.offset)) }
      }
    }
  }

  @Test func framesOutOfAStream() throws {
    for escape in [ByteEscape.cobs, .slip, .hdlc()] {
      let rules = try #require(escape.streamRules)
      let delimiter = try #require(rules.ends.first)
      let messages = [hex("00c07e7d"), hex("11"), hex("dbdb0000")]
      let stream = delimiter + messages.flatMap { escape.encoded($0) + delimiter + delimiter }
      for size in 1...stream.count {
        var framer = StreamFramer(rules)
        var found: [[UInt8]] = []
        var rest = stream[...]
        while !rest.isEmpty {
          let packet = Array(rest.prefix(size))
          rest = rest.dropFirst(size)
          framer.push(packet.span.bytes, tag: 0) { message in
            guard message.kind == .message else { return }
            var plain: [UInt8] = []
            escape.decode(message.bytes, into: &plain)
            found.append(plain)
          }
        }
        #expect(found == messages, "\(escape) in packets of \(size)")
      }
    }
  }

  @Test func markersThatAreEscaped() {
    // DLE STX … DLE ETX; inside, DLE is doubled, so that 10 10 03 is no end.
    var rules = StreamRules()
    rules.starts = [hex("1002")]
    rules.ends = [hex("1003")]
    rules.escape = 0x10
    let stream = hex("1002 41 1010 03 1010 1010 1003 1002 1003")
    for size in 1...stream.count {
      var framer = StreamFramer(rules)
      var found: [[UInt8]] = []
      var rest = stream[...]
      while !rest.isEmpty {
        framer.push(Array(rest.prefix(size)).span.bytes, tag: 0) { message in found.append(message.bytes.withUnsafeBytes { Array($0) }) }
        rest = rest.dropFirst(size)
      }
      #expect(found == [hex("1002 41 1010 03 1010 1010 1003"), hex("1002 1003")], "packets of \(size)")
    }
  }
}
