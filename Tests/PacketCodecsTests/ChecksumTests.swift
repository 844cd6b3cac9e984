import Foundation
import PacketCodecs
import TestSupport
import Testing

private let digits = ascii("123456789")

/// The Rocksoft model bit by bit, by its definition.
private func slowCRC(_ p: CRCParameters, _ bytes: [UInt8]) -> UInt128 {
  let mask = UInt128.max >> UInt128(128 - p.width)
  func reflected(_ value: UInt128, _ width: Int) -> UInt128 {
    (0..<width).reduce(0) { $0 | (value >> UInt128($1) & 1) << UInt128(width - 1 - $1) }
  }
  var register = p.initial
  for byte in bytes {
    let ordered = p.reflectsInput ? reflected(UInt128(byte), 8) : UInt128(byte)
    for bit in (0..<8).reversed() {
      let out = (register >> UInt128(p.width - 1) & 1) ^ (ordered >> UInt128(bit) & 1)
      register = register << 1 & mask
      if out == 1 { register ^= p.polynomial }
    }
  }
  return (p.reflectsOutput ? reflected(register, p.width) : register) ^ p.finalXor
}

// The expectation macros take no spans.
extension CRC {
  fileprivate func value(of bytes: [UInt8]) -> UInt128 { value(of: bytes.span.bytes) }
  fileprivate func leavesResidue(_ codeword: [UInt8]) -> Bool { leavesResidue(codeword.span.bytes) }
}

extension AdditiveChecksum {
  fileprivate func value(of bytes: [UInt8]) -> UInt64 { value(of: bytes.span.bytes) }
}

extension ChecksumAlgorithm {
  fileprivate func value(of bytes: [UInt8]) -> UInt128 { value(of: bytes.span.bytes) }
}

extension Checksum {
  fileprivate func verify(_ message: [UInt8]) -> Verdict { verify(message.span.bytes) }
}

@Suite struct CRCTests {
  @Test(arguments: CRCCatalogue.all.map(\.name))
  func checkValueAndResidue(name: String) throws {
    let crc = try #require(CRC(named: name))
    #expect(crc.parameters.name == name)
    #expect(crc.value(of: digits) == crc.parameters.check)
    #expect(crc.residue == crc.parameters.residue)
  }

  @Test func theCatalogueIsWhole() {
    #expect(CRCCatalogue.all.count >= 113 - 1)
    let keys = CRCCatalogue.all.map(\.name) + CRCCatalogue.aliases.map(\.alias)
    let bare = keys.map { $0.lowercased().filter { $0.isLetter || $0.isNumber } }
    #expect(Set(bare).count == keys.count)
    for (alias, name) in CRCCatalogue.aliases { #expect(CRCCatalogue.parameters(named: alias)?.name == name) }
    #expect(CRCCatalogue.parameters(named: "crc16modbus")?.name == "CRC-16/MODBUS")
    #expect(CRCCatalogue.parameters(named: "crc16/ccitt-false")?.name == "CRC-16/IBM-3740")
    #expect(CRCCatalogue.parameters(named: "crc-16/nothing") == nil)
  }

  @Test(.enabled(if: SharedFolder.path("facts") != nil, "shared facts are not there"))
  func theCatalogueIsThatOfTheFacts() throws {
    let folder = try #require(SharedFolder.path("facts"))
    let rows = try String(contentsOfFile: folder + "/crc-catalogue.tsv", encoding: .utf8).split(separator: "\n").dropFirst()
    #expect(rows.count == CRCCatalogue.all.count)
    for row in rows {
      let columns = row.split(separator: "\t").map(String.init)
      let p = try #require(CRCCatalogue.parameters(named: columns[0]))
      func number(_ text: String) -> UInt128? { UInt128(text.dropFirst(2), radix: 16) }
      #expect(p.width == Int(columns[1]) && p.polynomial == number(columns[2]) && p.initial == number(columns[3]))
      #expect(p.reflectsInput == (columns[4] == "true") && p.reflectsOutput == (columns[5] == "true") && p.finalXor == number(columns[6]))
      #expect(p.check == number(columns[7]) && p.residue == number(columns[8]))
    }
  }

  @Test(arguments: SeededGenerator.seeds)
  func tablesAgreeWithTheDefinition(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    for p in CRCCatalogue.all {
      let crc = CRC(p)
      let bytes = random.bytes(Int.random(in: 0...70, using: &random))
      let expected = slowCRC(p, bytes)
      #expect(crc.value(of: bytes) == expected, "\(p.name), \(random)")
      // In two parts, split anywhere.
      let part = Int.random(in: 0...bytes.count, using: &random)
      var register = crc.register
      crc.update(&register, bytes.span.bytes.extracting(0..<part))
      crc.update(&register, bytes.span.bytes.extracting(part..<bytes.count))
      #expect(crc.value(register) == expected, "\(p.name), \(random)")
    }
    for width in 1...128 {
      let p = CRCParameters(
        name: "", width: width, polynomial: UInt128(random.next()) << 64 | UInt128(random.next()), initial: UInt128(random.next()),
        reflectsInput: Bool.random(using: &random), reflectsOutput: Bool.random(using: &random), finalXor: UInt128(random.next()))
      let bytes = random.bytes(21)
      #expect(CRC(p).value(of: bytes) == slowCRC(p, bytes), "\(p), \(random)")
    }
  }

  @Test func codewordsLeaveTheResidue() throws {
    for p in CRCCatalogue.all where p.width.isMultiple(of: 8) {
      let crc = CRC(p)
      var codeword = ascii("any message")
      let value = crc.value(of: codeword)
      for byte in 0..<(p.width / 8) {
        codeword.append(UInt8(truncatingIfNeeded: value >> UInt128(8 * (p.reflectsOutput ? byte : p.width / 8 - 1 - byte))))
      }
      #expect(crc.leavesResidue(codeword), "\(p.name)")
      codeword[3] ^= 1
      #expect(!crc.leavesResidue(codeword), "\(p.name)")
    }
  }
}

@Suite struct ChecksumTests {
  /// Published values, or values computed by hand from the definitions.
  @Test(arguments: [
    ("sum8", "313233", 0x96), ("sum8-ones", "010203", 0xf9), ("sum8-twos", "010203", 0xfa), ("sum16", "ffff", 0x01fe),
    ("sum16-twos", "ffff", 0xfe02), ("sum16-words-be", "0102 0304 05", 0x0906), ("sum16-words-le", "0102 0304 05", 0x0609),
    ("xor8", "0ff0aa", 0x55), ("xor16-be", "0102 0304", 0x0206), ("sum8-even-odd", "010203ff", 0x0401), ("lrc", "0103006b0003", 0x8e),
    // RFC 1071, section 3: the words 0001 f203 f4f5 f6f7 sum to ddf2.
    ("internet", "0001f203f4f5f6f7", 0x220d),
    // Wikipedia, "Fletcher's checksum": abcde gives C8F0, abcdefgh gives EBE19591; "Adler-32": Wikipedia gives 11E60398.
    ("fletcher-16", "6162636465", 0xc8f0), ("fletcher-32", "6162636465666768", 0xebe1_9591), ("fletcher-32", "6162636465", 0xf04f_c729),
    // CK_B and CK_A of u-blox polls: UBX-MON-VER is b5 62 0a 04 00 00 0e 34, UBX-NAV-PVT b5 62 01 07 00 00 08 19.
    ("fletcher-16-mod256", "0a040000", 0x340e), ("ubx", "01070000", 0x1908),
    ("adler-32", "57696b697065646961", 0x11e6_0398), ("adler-32", "", 1), ("sum8+0x10", "01", 0x11), ("sum16^0xffff", "0102", 0xfffc),
    ("CRC-16/ARC^0xffff", "313233343536373839", 0x44c2),
    ("crc(width=16 poly=0x1021 init=0xffff)", "313233343536373839", 0x29b1),
    ("crc: width=16, poly=0x8005, refin=true", "313233343536373839", 0xbb3d),
  ])
  func values(name: String, bytes: String, expected: UInt64) throws {
    let algorithm = try ChecksumAlgorithm(parsing: name)
    #expect(algorithm.value(of: hex(bytes)) == UInt128(expected))
    let again = try ChecksumAlgorithm(parsing: algorithm.name)
    #expect(again.value(of: hex(bytes)) == UInt128(expected))
  }

  @Test func sumsInPieces() throws {
    let bytes = hex("f0e1d2c3b4a5968778695a4b3c2d1e0f55")
    for (name, sum) in ChecksumAlgorithm.namedSums {
      for part in 0...bytes.count {
        var register = AdditiveChecksum.Register()
        sum.update(&register, bytes.span.bytes.extracting(0..<part))
        sum.update(&register, bytes.span.bytes.extracting(part..<bytes.count))
        #expect(sum.value(register) == sum.value(of: bytes), "\(name)")
      }
      #expect(try ChecksumAlgorithm(parsing: name).name == name)
    }
    for (alias, name) in ChecksumAlgorithm.sumAliases { #expect(try ChecksumAlgorithm(parsing: alias).name == name) }
  }

  @Test func descriptionsThatAreNone() {
    #expect(throws: ChecksumError.unknownAlgorithm("crc-16/modbsu", closest: "CRC-16/MODBUS")) {
      try ChecksumAlgorithm(parsing: "crc-16/modbsu")
    }
    #expect(throws: ChecksumError.unknownAlgorithm("nonsense!", closest: nil)) { try ChecksumAlgorithm(parsing: "nonsense!") }
    #expect(throws: ChecksumError.missingParameter("poly")) { try ChecksumAlgorithm(parsing: "crc(width=8)") }
    #expect(throws: ChecksumError.badValue(parameter: "width", "129")) { try ChecksumAlgorithm(parsing: "crc(width=129 poly=1)") }
    #expect(throws: ChecksumError.badValue(parameter: "poly", "0x107")) { try ChecksumAlgorithm(parsing: "crc(width=8 poly=0x107)") }
    #expect(throws: ChecksumError.unknownParameter("ploy")) { try ChecksumAlgorithm(parsing: "crc(width=8 ploy=7)") }
    #expect(throws: ChecksumError.badValue(parameter: "+", "x")) { try ChecksumAlgorithm(parsing: "sum8+x") }
  }

  /// Frames of the register and the typed-object protocol (from an independent encoder), of a Modbus response, of Modbus ASCII, and of
  /// battery protocols with public descriptions.
  @Test func placesAndForms() throws {
    let register = Checksum(try ChecksumAlgorithm(parsing: "CRC-16/IBM-3740"), over: [ByteRange(from: 2, to: -2)])
    #expect(register.verify(hex("3a03020010b0cd")) == .correct)
    #expect(register.verify(hex("3a0502010201025e29")).isCorrect == false)
    #expect(register.verify(hex("3a")) == .tooShort)

    let objects = Checksum(try ChecksumAlgorithm(parsing: "CRC-16/ARC"), byteOrder: .little)
    #expect(objects.verify(hex("0a000001010a0000fe020c0000010101000754454d505f4f555464bf")) == .correct)

    let modbus = Checksum(try ChecksumAlgorithm(parsing: "modbus"), byteOrder: .little)
    #expect(modbus.verify(hex("010402ffffb880")) == .correct)

    // Modbus over serial line 2.5.2: the LRC is computed over the bytes that the digits encode, and written as digits before CR LF.
    let lrc = Checksum(
      try ChecksumAlgorithm(parsing: "lrc"), over: [ByteRange(from: 1, to: -4)], coverageForm: .asciiHex, at: -4, form: .asciiHex)
    #expect(lrc.verify(ascii(":0103006B00038E\r\n")) == .correct)
    #expect(lrc.verify(ascii(":0103006G00038E\r\n")) == .notHex(at: 8))
    #expect(lrc.verify(ascii(":0103006B00038X\r\n")) == .notHex(at: 14))

    // JBD: 0x10000 minus the sum, not at the end.
    let jbd = Checksum(try ChecksumAlgorithm(parsing: "sum16-twos"), over: [ByteRange(from: 2, to: -3)], at: -3)
    #expect(jbd.verify(hex("dda50300fffd77")) == .correct)

    // All bytes sum to zero, whatever the checksum's offset.
    let yale = Checksum(try ChecksumAlgorithm(parsing: "sum8-twos"), at: 3)
    #expect(yale.verify(hex("ee0100 01 10")) == .correct)

    let sphero = Checksum(try ChecksumAlgorithm(parsing: "sum8-ones"), over: [ByteRange(from: 1, to: -2)], at: -2)
    #expect(sphero.verify(hex("8d0a1301 07 da d8")) == .correct)
  }

  @Test func checksumBytes() throws {
    let crc = try ChecksumAlgorithm(parsing: "CRC-16/XMODEM")
    // Over a message followed by its CRC, high byte first, a CRC without a final XOR is zero.
    let included = Checksum(crc, checksumBytes: .included, residue: 0)
    #expect(included.verify(hex("31323334353637383931c3")) == .correct)
    #expect(!included.verify(hex("31323334353637383931c4")).isCorrect)
    let zeroed = Checksum(crc, at: 2, checksumBytes: .zeroed)
    var message = hex("0102ffff0304")
    #expect(zeroed.fill(&message))
    #expect(crc.value(of: hex("010200000304")) == UInt128(message[2]) << 8 | UInt128(message[3]))
    #expect(zeroed.verify(message) == .correct)
  }

  @Test(arguments: SeededGenerator.seeds)
  func filledIsVerified(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let names = CRCCatalogue.all.map(\.name) + ChecksumAlgorithm.namedSums.map(\.name)
    for round in 0..<500 {
      let algorithm = try ChecksumAlgorithm(parsing: names.randomElement(using: &random) ?? "sum8")
      let checksum = Checksum(
        algorithm,
        over: [
          ByteRange(from: Int.random(in: -12...12, using: &random)), ByteRange(from: 0, to: Int.random(in: -12...12, using: &random)),
        ],
        coverageForm: Bool.random(using: &random) ? .binary : .asciiHex, at: Int.random(in: -12...12, using: &random),
        byteOrder: Bool.random(using: &random) ? .big : .little, form: Bool.random(using: &random) ? .binary : .asciiHex,
        checksumBytes: Bool.random(using: &random) ? .skipped : .zeroed)
      var message = (0..<Int.random(in: 0...40, using: &random)).map { _ in
        ascii("0123456789abcdefABCDEF").randomElement(using: &random) ?? 0
      }
      let plain = message
      guard checksum.insert(into: &message) else {
        #expect(message == plain)
        continue
      }
      #expect(message.count == plain.count + checksum.storedCount)
      #expect(checksum.verify(message) == .correct, "\(algorithm.name), \(random), round \(round)")
    }
  }
}
