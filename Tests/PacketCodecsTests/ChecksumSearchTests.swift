import PacketCodecs
import Testing

private func best(_ frames: [String]) -> ChecksumCandidate? { ChecksumSearch().find(frames.map(hex)).candidates.first }

private func expect(
  _ candidate: ChecksumCandidate?, _ name: String, over range: ByteRange, at position: Int, _ order: ByteOrder = .big,
  form: Checksum.Form = .binary, _ location: SourceLocation = #_sourceLocation
) {
  #expect(candidate?.checksum.algorithm.name == name, sourceLocation: location)
  #expect(candidate?.checksum.coverage == [range], sourceLocation: location)
  #expect(candidate?.checksum.position == position, sourceLocation: location)
  #expect(candidate?.checksum.byteOrder == order, sourceLocation: location)
  #expect(candidate?.checksum.form == form, sourceLocation: location)
}

@Suite struct ChecksumSearchTests {
  /// In frames of equal bytes short sums fit everywhere, and each has to be checked: the search stops at its limit.
  @Test func workIsBounded() {
    let frames = (0..<6).map { number in [UInt8](repeating: 0x5B, count: 200 + number) + [UInt8(number)] }
    var search = ChecksumSearch(limit: 12)
    search.maxWork = 5_000_000
    let result = search.find(frames)
    #expect(result.isCutShort && result.work >= 5_000_000 && result.work < 5_500_000, "\(result.work)")
    // A complete search gives the work that it took, and a sufficient limit does not change its result.
    let few = ["3a03020010b0cd", "3a040201020128db", "3a07021234deadbeef4156"].map(hex)
    let whole = search.find(few)
    #expect(!whole.isCutShort && whole.work > 10_000 && whole.candidates.first?.checksum.algorithm.name == "CRC-16/IBM-3740")
  }

  @Test func theOriginsProtocols() {
    let register = best(["3a03020010b0cd", "3a040201020128db", "3a07021234deadbeef4156"])
    expect(register, "CRC-16/IBM-3740", over: ByteRange(from: 2, to: -2), at: -2)
    let objects = best([
      "0a000001010a0000fe020c0000010101000754454d505f4f555464bf",
      "0a000001010a0000fe02200000010201000754454d505f4f5554000848554d4944495459012c46414e3120202020fa4f",
    ])
    expect(objects, "CRC-16/ARC", over: ByteRange(from: 0, to: -2), at: -2, .little)
  }

  @Test func beforeAnEndMarkerAndInDigits() {
    expect(
      best(
        ["8d0a1301 07 da d8", "8d0a1302 08 d8 d8", "8d0a130309010203 cf d8"].map { frame in
          // The inverted sum of all bytes between the markers.
          var bytes = hex(frame)
          bytes[bytes.count - 2] = ~bytes[1..<(bytes.count - 2)].reduce(0, &+)
          return bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
        }), "sum8-ones", over: ByteRange(from: 1, to: -2), at: -2)
    // Modbus ASCII: the LRC of the bytes that the digits encode.
    let frames = [":0103006B00038E\r\n", ":010300000001FB\r\n", ":11060001000FD9\r\n"].map(ascii)
    let found = ChecksumSearch().find(frames).candidates.first
    expect(found, "sum8-twos", over: ByteRange(from: 1, to: -4), at: -4, form: .asciiHex)
    #expect(found?.checksum.coverageForm == .asciiHex)
  }

  @Test func inTheHeaderAndAmongTheBytes() throws {
    // The sum of all bytes is zero, because of a byte in the header.
    var random = SeededGenerator(seed: 3)
    let zeroSum = Checksum(try ChecksumAlgorithm(parsing: "sum8-twos"), at: 3)
    let header = Checksum(try ChecksumAlgorithm(parsing: "CRC-8/MAXIM-DOW"), over: [ByteRange(from: 0, to: 4)], at: 4)
    let zeroed = Checksum(try ChecksumAlgorithm(parsing: "CRC-32"), at: 4, byteOrder: .little, checksumBytes: .zeroed)
    func frames(_ checksum: Checksum, _ lengths: [Int]) -> [[UInt8]] {
      lengths.map { length in
        var frame = random.bytes(length)
        checksum.fill(&frame)
        return frame
      }
    }
    let a = ChecksumSearch().find(frames(zeroSum, [12, 15, 20, 18, 22])).candidates.first
    // Each byte could make the sum zero; the frames do not show which one is meant.
    for frame in frames(zeroSum, [9, 40]) {
      let verdict = a?.checksum.verify(frame.span.bytes)
      #expect(verdict == .correct)
    }
    let b = ChecksumSearch().find(frames(header, [16, 20, 31, 25, 33])).candidates.first
    expect(b, "CRC-8/MAXIM-DOW", over: ByteRange(from: 0, to: 4), at: 4)
    let c = ChecksumSearch().find(frames(zeroed, [16, 20, 31])).candidates.first
    expect(c, "CRC-32/ISO-HDLC", over: ByteRange(from: 0), at: 4, .little)
    #expect(c?.checksum.checksumBytes == .zeroed)
  }

  @Test(arguments: SeededGenerator.seeds)
  func anyAlgorithmFromThreeFrames(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    for name in [
      "CRC-16/KERMIT", "CRC-16/XMODEM", "CRC-32C", "CRC-24/BLE", "CRC-64/XZ", "sum16", "CRC-16/DNP", "CRC-16/T10-DIF", "fletcher-16",
    ] {
      let behind = Int.random(in: 0...1, using: &random)
      let from = Int.random(in: 0...2, using: &random)
      let algorithm = try ChecksumAlgorithm(parsing: name)
      let count = (algorithm.width + 7) / 8
      let order: ByteOrder = Bool.random(using: &random) ? .big : .little
      let checksum = Checksum(algorithm, over: [ByteRange(from: from, to: -behind - count)], at: -behind - count, byteOrder: order)
      let frames = [14, 19, 23].map { length in
        // A frame begins and ends with its markers.
        var frame = [0xa5, 0x5a] + random.bytes(length) + [0x0d]
        checksum.fill(&frame)
        return frame
      }
      let result = ChecksumSearch().find(frames)
      expect(result.candidates.first, algorithm.name, over: checksum.coverage[0], at: checksum.position, order)
      #expect(!result.isOneLength)
      for candidate in result.candidates {
        for frame in frames {
          let verdict = candidate.checksum.verify(frame.span.bytes)
          #expect(verdict == .correct)
        }
      }
    }
  }

  @Test func constantsThatAreNotInTheCatalogue() throws {
    var random = SeededGenerator(seed: 11)
    for name in ["crc(width=16 poly=0x1021 init=0x1234)", "crc(width=16 poly=0x8005 init=0xabcd refin=true)", "sum16+0x1234", "sum8^0xa5"] {
      let checksum = Checksum(try ChecksumAlgorithm(parsing: name))
      let frames = [10, 13, 17, 11].map { length in
        var frame = random.bytes(length)
        checksum.fill(&frame)
        return frame
      }
      let found = try #require(ChecksumSearch().find(frames).candidates.first, "\(name)")
      var other = random.bytes(30)
      checksum.fill(&other)
      let verdict = found.checksum.verify(other.span.bytes)
      #expect(verdict == .correct, "\(name): \(found.checksum.algorithm.name)")
    }
  }

  @Test func doubt() throws {
    let result = ChecksumSearch().find([hex("010402ffffb880")])
    #expect(result.candidates.first?.checksum.algorithm.name == "CRC-16/MODBUS")
    #expect(result.isUncertain)
    let same = ChecksumSearch().find([hex("010402ffffb880"), hex("010402ffffb880"), [1]])
    #expect(same.frames == 1)
    #expect(ChecksumSearch().find([]).candidates.isEmpty)
    #expect(ChecksumSearch().find([[], [1]]).frames == 0)
    // Noise: no candidate with high confidence.
    var random = SeededGenerator(seed: 5)
    let noise = ChecksumSearch().find((0..<3).map { _ in random.bytes(12) })
    #expect(noise.candidates.isEmpty || noise.isUncertain)
    // Short frames of all lengths do not trap.
    for length in 2...9 {
      let frames = (0..<3).map { _ in random.bytes(length) }
      #expect(ChecksumSearch(limit: 3).find(frames).candidates.count <= 3)
    }
  }

  @Test func oneThatIsBad() throws {
    var random = SeededGenerator(seed: 9)
    let checksum = Checksum(try ChecksumAlgorithm(parsing: "CRC-16/MODBUS"), byteOrder: .little)
    var frames = (0..<4).map { _ in
      var frame = random.bytes(12)
      checksum.fill(&frame)
      return frame
    }
    frames[2][5] ^= 0x40
    let result = ChecksumSearch().find(frames)
    #expect(result.outlier == 2)
    #expect(result.candidates.first?.checksum.algorithm.name == "CRC-16/MODBUS")
  }
}
