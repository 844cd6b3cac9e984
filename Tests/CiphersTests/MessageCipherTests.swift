import Testing

@testable import Ciphers

private func hex(_ text: String) -> [UInt8] {
  let digits = text.compactMap { $0.hexDigitValue.map { UInt8($0) } }
  return stride(from: 0, to: digits.count - 1, by: 2).map { digits[$0] << 4 | digits[$0 + 1] }
}

/// Sample data of the documents that define the modes.
private struct Sample: CustomTestStringConvertible, Sendable {
  var testDescription: String
  var mode: CipherMode
  var key: String
  var nonce = ""
  var data = ""
  var plain: String
  var encrypted: String
  var tag = ""
}

private let key128 = "2b7e151628aed2a6abf7158809cf4f3c"
private let key192 = "8e73b0f7da0e6452c810f32b809079e562f8ead2522c6b7b"
private let key256 = "603deb1015ca71be2b73aef0857d77811f352c073b6108d72d9810a30914dff4"
private let blocks =
  "6bc1bee22e409f96e93d7e117393172a ae2d8a571e03ac9c9eb76fac45af8e51 30c81c46a35ce411e5fbc1191a0a52ef f69f2445df4f9b17ad2b417be66c3710"
private let vector = "000102030405060708090a0b0c0d0e0f"
private let counter = "f0f1f2f3f4f5f6f7f8f9fafbfcfdfeff"
private let gcmKey = "feffe9928665731c6d6a8f9467308308"
private let gcmPlain =
  "d9313225f88406e5a55909c5aff5269a86a7a9531534f7da2e4c303d8a318a721c3c0c95956809532fcf0e2449a6b525b16aedf5aa0de657ba637b39"
private let gcmData = "feedfacedeadbeeffeedfacedeadbeefabaddad2"
private let ccmKey = "404142434445464748494a4b4c4d4e4f"

private let samples = [
  Sample(
    testDescription: "SP 800-38A F.1.1", mode: .ecb, key: key128, plain: blocks,
    encrypted:
      "3ad77bb40d7a3660a89ecaf32466ef97 f5d3d58503b9699de785895a96fdbaaf 43b1cd7f598ece23881b00e3ed030688 7b0c785e27e8ad3f8223207104725dd4"),
  Sample(
    testDescription: "SP 800-38A F.1.3", mode: .ecb, key: key192, plain: blocks,
    encrypted:
      "bd334f1d6e45f25ff712a214571fa5cc 974104846d0ad3ad7734ecb3ecee4eef ef7afd2270e2e60adce0ba2face6444e 9a4b41ba738d6c72fb16691603c18e0e"),
  Sample(
    testDescription: "SP 800-38A F.1.5", mode: .ecb, key: key256, plain: blocks,
    encrypted:
      "f3eed1bdb5d2a03c064b5a7e3db181f8 591ccb10d410ed26dc5ba74a31362870 b6ed21b99ca6f4f9f153e7b1beafed1d 23304b7a39f9f3ff067d8d8f9e24ecc7"),
  Sample(
    testDescription: "SP 800-38A F.2.1", mode: .cbc, key: key128, nonce: vector, plain: blocks,
    encrypted:
      "7649abac8119b246cee98e9b12e9197d 5086cb9b507219ee95db113a917678b2 73bed6b8e3c1743b7116e69e22229516 3ff1caa1681fac09120eca307586e1a7"),
  Sample(
    testDescription: "SP 800-38A F.2.5", mode: .cbc, key: key256, nonce: vector, plain: blocks,
    encrypted:
      "f58c4c04d6e5f1ba779eabfb5f7bfbd6 9cfc4e967edb808d679f777bc6702c7d 39f23369a9d9bacfa530e26304231461 b2eb05e2c39be9fcda6c19078c6a9d1b"),
  Sample(
    testDescription: "SP 800-38A F.5.1", mode: .ctr, key: key128, nonce: counter, plain: blocks,
    encrypted:
      "874d6191b620e3261bef6864990db6ce 9806f66b7970fdff8617187bb9fffdff 5ae4df3edbd5d35e5b4f09020db03eab 1e031dda2fbe03d1792170a0f3009cee"),
  Sample(
    testDescription: "SP 800-38A F.5.5", mode: .ctr, key: key256, nonce: counter, plain: blocks,
    encrypted:
      "601ec313775789a5b7a7f504bbf3d228 f443e3ca4d62b59aca84e990cacaf5c5 2b0930daa23de94ce87017ba2d84988d dfc9c58db67aada613c2dd08457941a6"),
  Sample(
    testDescription: "SP 800-38C C.1", mode: .ccm, key: ccmKey, nonce: "10111213141516", data: "0001020304050607", plain: "20212223",
    encrypted: "7162015b", tag: "4dac255d"),
  Sample(
    testDescription: "SP 800-38C C.2", mode: .ccm, key: ccmKey, nonce: "1011121314151617", data: "000102030405060708090a0b0c0d0e0f",
    plain: "202122232425262728292a2b2c2d2e2f", encrypted: "d2a1f0e051ea5f62081a7792073d593d", tag: "1fc64fbfaccd"),
  Sample(
    testDescription: "SP 800-38C C.3", mode: .ccm, key: ccmKey, nonce: "101112131415161718191a1b",
    data: "000102030405060708090a0b0c0d0e0f10111213", plain: "202122232425262728292a2b2c2d2e2f3031323334353637",
    encrypted: "e3b201a9f5b71a7a9b1ceaeccd97e70b6176aad9a4428aa5", tag: "484392fbc1b09951"),
  Sample(
    testDescription: "RFC 3610, packet vector 1", mode: .ccm, key: "c0c1c2c3c4c5c6c7c8c9cacbcccdcecf", nonce: "00000003020100a0a1a2a3a4a5",
    data: "0001020304050607", plain: "08090a0b0c0d0e0f101112131415161718191a1b1c1d1e",
    encrypted: "588c979a61c663d2f066d0c2c0f989806d5f6b61dac384", tag: "17e8d12cfdf926e0"),
  Sample(
    testDescription: "GCM, test case 1", mode: .gcm, key: "00000000000000000000000000000000", nonce: "000000000000000000000000", plain: "",
    encrypted: "", tag: "58e2fccefa7e3061367f1d57a4e7455a"),
  Sample(
    testDescription: "GCM, test case 2", mode: .gcm, key: "00000000000000000000000000000000", nonce: "000000000000000000000000",
    plain: "00000000000000000000000000000000", encrypted: "0388dace60b6a392f328c2b971b2fe78", tag: "ab6e47d42cec13bdf53a67b21257bddf"),
  Sample(
    testDescription: "GCM, test case 4", mode: .gcm, key: gcmKey, nonce: "cafebabefacedbaddecaf888", data: gcmData, plain: gcmPlain,
    encrypted:
      "42831ec2217774244b7221b784d0d49ce3aa212f2c02a4e035c17e2329aca12e21d514b25466931c7d8f6a5aac84aa051ba30b396a0aac973d58e091",
    tag: "5bc94fbc3221a5db94fae95ae7121a47"),
  Sample(
    testDescription: "GCM, test case 5", mode: .gcm, key: gcmKey, nonce: "cafebabefacedbad", data: gcmData, plain: gcmPlain,
    encrypted:
      "61353b4c2806934a777ff51fa22a4755699b2a714fcdc6f83766e5f97b6c742373806900e49f24b22b097544d4896b424989b5e1ebac0f07c23f4598",
    tag: "3612d2e79e3b0785561be14aaca2fccb"),
  Sample(
    testDescription: "GCM, test case 16", mode: .gcm, key: gcmKey + gcmKey, nonce: "cafebabefacedbaddecaf888", data: gcmData,
    plain: gcmPlain,
    encrypted:
      "522dc1f099567d07f47f37a32a84427d643a8cdcbfe5c0c97598a2bd2555d1aa8cb08e48590dbb3da7b08b1056828838c5f61e6393ba7a0abcc9f662",
    tag: "76fc6ece0f4e1768cddf8853bb2d551b"),
]

@Suite struct MessageCipherTests {
  @Test(arguments: samples)
  fileprivate func hasTheSamplesOfTheStandards(_ sample: Sample) throws {
    let cipher = try #require(MessageCipher(sample.mode, key: hex(sample.key)))
    let parameters = MessageCipher.Parameters(nonce: hex(sample.nonce), data: hex(sample.data))
    let (plain, encrypted, tag) = (hex(sample.plain), hex(sample.encrypted), hex(sample.tag))
    let sealed = try cipher.encrypt(plain, parameters, tagCount: tag.count)
    #expect(sealed.bytes == encrypted)
    #expect(sealed.tag == tag)
    #expect(try cipher.decrypt(encrypted, parameters, tag: tag) == plain)
  }

  /// SP 800-38C, C.4: 65,536 bytes of associated data.
  @Test func authenticatesLongData() throws {
    let cipher = try #require(MessageCipher(.ccm, key: hex(ccmKey)))
    let parameters = MessageCipher.Parameters(
      nonce: hex("101112131415161718191a1b1c"), data: (0..<65536).map { UInt8(truncatingIfNeeded: $0) })
    let sealed = try cipher.encrypt((0x20..<0x40).map { UInt8($0) }, parameters, tagCount: 14)
    #expect(sealed.bytes == hex("69915dad1e84c6376a68c2967e4dab615ae0fd1faec44cc484828529463ccf72"))
    #expect(sealed.tag == hex("b4ac6bec93e8598e7f0dadbcea5b"))
  }

  @Test(arguments: samples.filter(\.mode.isAuthenticated))
  fileprivate func refusesWhatATagDoesNotProve(_ sample: Sample) throws {
    let tag = hex(sample.tag)
    let right = MessageCipher.Parameters(nonce: hex(sample.nonce), data: hex(sample.data))
    let cipher = try #require(MessageCipher(sample.mode, key: hex(sample.key)))
    var wrongKey = hex(sample.key)
    wrongKey[3] ^= 1
    let other = try #require(MessageCipher(sample.mode, key: wrongKey))
    #expect(throws: CipherError.tag) { try other.decrypt(hex(sample.encrypted), right, tag: tag) }
    var wrong = right
    wrong.nonce[0] ^= 1
    #expect(throws: CipherError.tag) { try cipher.decrypt(hex(sample.encrypted), wrong, tag: tag) }
    wrong = right
    wrong.data.append(0)
    #expect(throws: CipherError.tag) { try cipher.decrypt(hex(sample.encrypted), wrong, tag: tag) }
    for index in hex(sample.encrypted).indices {
      var bytes = hex(sample.encrypted)
      bytes[index] ^= 0x80
      #expect(throws: CipherError.tag) { try cipher.decrypt(bytes, right, tag: tag) }
    }
    // A tag may be truncated where its length is not part of the computation (GCM), and not otherwise (CCM).
    if sample.mode == .gcm { #expect(try cipher.decrypt(hex(sample.encrypted), right, tag: Array(tag.prefix(4))) == hex(sample.plain)) }
  }

  @Test func refusesLengthsThatCannotBe() throws {
    #expect(MessageCipher(.ecb, key: []) == nil)
    #expect(MessageCipher(.gcm, key: [UInt8](repeating: 0, count: 17)) == nil)
    let key = hex(key128)
    let nonces: [(CipherMode, [Int])] = [(.ecb, [1, 16]), (.cbc, [0, 15, 17]), (.ctr, [0, 17]), (.ccm, [0, 6, 14]), (.gcm, [0, 4097])]
    for (mode, counts) in nonces {
      let cipher = try #require(MessageCipher(mode, key: key))
      for count in counts {
        let parameters = MessageCipher.Parameters(nonce: [UInt8](repeating: 1, count: count))
        let tag = [UInt8](repeating: 0, count: mode.isAuthenticated ? 4 : 0)
        #expect(throws: CipherError.nonce) { try cipher.decrypt([], parameters, tag: tag) }
      }
    }
    let ccm = try #require(MessageCipher(.ccm, key: key))
    let parameters = MessageCipher.Parameters(nonce: [UInt8](repeating: 1, count: 13))
    for count in [0, 1, 2, 3, 5, 15, 17, 18] {
      #expect(throws: CipherError.nonce) { try ccm.decrypt([1], parameters, tag: [UInt8](repeating: 0, count: count)) }
    }
    // Two bytes remain for the message's length.
    #expect(throws: CipherError.length) { try ccm.encrypt([UInt8](repeating: 0, count: 65536), parameters, tagCount: 4) }
    let cbc = try #require(MessageCipher(.cbc, key: key))
    for count in [1, 15, 17, 31] {
      #expect(throws: CipherError.length) {
        try cbc.decrypt([UInt8](repeating: 0, count: count), .init(nonce: [UInt8](repeating: 0, count: 16)))
      }
    }
    #expect(try cbc.decrypt([], .init(nonce: [UInt8](repeating: 0, count: 16))) == [])
  }

  @Test func padsBlocks() throws {
    let cipher = try #require(MessageCipher(.cbc, key: hex(key256)))
    let parameters = MessageCipher.Parameters(nonce: hex(vector), isPadded: true)
    for count in 0...33 {
      let plain = (0..<count).map { UInt8($0) }
      let encrypted = try cipher.encrypt(plain, parameters).bytes
      #expect(encrypted.count == (count / 16 + 1) * 16)
      #expect(try cipher.decrypt(encrypted, parameters) == plain)
    }
    #expect(throws: CipherError.padding) { try cipher.decrypt([], parameters) }
    // A last byte of 0 or 17, or differing bytes before it, are invalid padding.
    for text in ["00000000000000000000000000000000", "11111111111111111111111111111111", "00000000000000000000000000030203"] {
      let encrypted = try cipher.encrypt(hex(text), .init(nonce: hex(vector))).bytes
      #expect(throws: CipherError.padding) { try cipher.decrypt(encrypted, parameters) }
    }
  }

  /// With `countsLittleEndian` the counter is in the block's first bytes, least significant byte first.
  @Test func countsFromEitherEnd() throws {
    let cipher = try #require(MessageCipher(.ctr, key: hex(key128)))
    let stream = try cipher.encrypt([UInt8](repeating: 0, count: 48), .init(nonce: [0xFF], countsLittleEndian: true)).bytes
    let block = SystemCryptography(key: try #require(Block128(hex(key128))))
    let expected = ["ff000000000000000000000000000000", "00010000000000000000000000000000", "01010000000000000000000000000000"].flatMap {
      block.encrypt(Block128(hex($0)) ?? .zero).bytes
    }
    #expect(stream == expected)
    let big = try cipher.encrypt([UInt8](repeating: 0, count: 32), .init(nonce: [UInt8](repeating: 0xFF, count: 16))).bytes
    #expect(
      big
        == ["ffffffffffffffffffffffffffffffff", "00000000000000000000000000000000"].flatMap {
          block.encrypt(Block128(hex($0)) ?? .zero).bytes
        })
  }

  @Test func takesBlocksBackWithEachKeyThatIsSet() throws {
    let cipher = SystemCryptography()
    let block = try #require(Block128(hex(vector)))
    for key in [key128, ccmKey] {
      let key = try #require(Block128(hex(key)))
      cipher.setKey(key)
      #expect(cipher.decrypt(cipher.encrypt(block)) == block)
      #expect(cipher.encrypt(block) == SystemCryptography(key: key).encrypt(block))
    }
  }
}
