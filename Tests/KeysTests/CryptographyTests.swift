import Testing

@testable import Keys

private func hex(_ text: String) -> [UInt8] { Key.bytes(hexadecimal: text.filter { !$0.isWhitespace }) ?? [] }
private func block(_ text: String) -> Block128 { Block128(hex(text)) ?? .zero }

/// The sample data of the Core Specification, and FIPS 197.
@Suite struct CryptographyTests {
  @Test func encryptsBlocks() {
    let cipher = SystemCryptography(key: block("2b7e151628aed2a6abf7158809cf4f3c"))
    #expect(cipher.encrypt(block("3243f6a8885a308d313198a2e0370734")) == block("3925841d02dc09fbdc118597196a0b32"))
    cipher.setKey(.zero)
    #expect(cipher.encrypt(.zero) == block("66e94bd4ef8a2c3b884cfa59ca342b2e"))
  }

  @Test func blocksAreReadWrittenAndShortened() {
    let value = block("00112233445566778899aabbccddeeff")
    #expect(value.bytes == hex("00112233445566778899aabbccddeeff"))
    #expect(value.reversed == block("ffeeddccbbaa99887766554433221100"))
    #expect(Block128(littleEndian: value.reversed.bytes) == value)
    #expect(Block128([1, 2, 3]) == nil)
    #expect(value.shortened(to: 16) == value)
    #expect(value.shortened(to: 15) == value)
    #expect(value.shortened(to: 14) == block("00002233445566778899aabbccddeeff"))
    #expect(value.shortened(to: 8) == block("00000000000000008899aabbccddeeff"))
    #expect(value.shortened(to: 7) == block("000000000000000000 99aabbccddeeff"))
  }

  /// RFC 4493, 4.
  @Test(
    arguments: [
      ("", "bb1d6929e95937287fa37d129b756746"), ("6bc1bee22e409f96e93d7e117393172a", "070a16b46b4d4144f79bdd9dd04a287c"),
      (
        "6bc1bee22e409f96e93d7e117393172aae2d8a571e03ac9c9eb76fac45af8e5130c81c46a35ce411", "dfa66747de9ae63030ca32611497c827"
      ),
    ])
  func authenticates(message: String, code: String) {
    #expect(SecurityFunctions.cmac(block("2b7e151628aed2a6abf7158809cf4f3c"), hex(message)) == block(code))
  }

  /// Core, Vol 3, Part H, 2.2.3 and 2.2.4.
  @Test func legacyPairing() {
    let cipher = SystemCryptography()
    let inputs = SecurityFunctions.ConfirmInputs(
      request: 0x07_0710_0000_0101, response: 0x05_0008_0000_0302, initiator: 0xA1A2_A3A4_A5A6, initiatorType: 1,
      responder: 0xB1B2_B3B4_B5B6, responderType: 0)
    #expect(
      SecurityFunctions.c1(cipher, block("5783D52156AD6F0E6388274EC6702EE0"), inputs) == block("1e1e3fef878988ead2a74dc5bef13b86"))
    #expect(
      SecurityFunctions.s1(cipher, block("000F0E0D0C0B0A091122334455667788"), block("010203040506070899AABBCCDDEEFF00"))
        == block("9a1fe1f0e8b0f49b5b4216ae796da062"))
  }

  /// Core, Vol 3, Part H, appendix D.
  @Test func secureConnections() {
    let u = hex("20b003d2f297be2c5e2c83a7e9f9a5b9eff49111acf4fddbcc0301480e359de6")
    let v = hex("55188b3d32f6bb9a900afcfbeed4e72a59cb9ac2f19d7cfb6b4fdd49f47fc5fd")
    let (n1, n2) = (block("d5cb8454d177733effffb2ec712baeab"), block("a6e8e7cc25a75f6e216583f7ff3dc4cf"))
    let (a1, a2) = (hex("0056123737bfce"), hex("00a713702dcfc1"))
    // f4, f6 and g2 (2.2.6, 2.2.8, 2.2.9): the program has no use for them, but they check the function that f5 is made of.
    #expect(SecurityFunctions.cmac(n1, u + v + [0]) == block("f2c916f107a9bd1cf1eda1bea974872d"))
    let keys = SecurityFunctions.f5(hex("ec0234a357c8ad05341010a60a397d9b99796b13b4f866f1868d34f373bfa698"), n1, n2, a1, a2)
    #expect(keys.longTerm == block("6986791169d7cd23980522b594750a38"))
    #expect(keys.mac == block("2965f176a1084a02fd3f6a20ce636e20"))
    let checked = n1.bytes + n2.bytes + block("12a3343bb453bb5408da42d20c2d0fc8").bytes + [1, 1, 2] + a1 + a2
    #expect(SecurityFunctions.cmac(keys.mac, checked) == block("e3c473989cd0e8c5d26c0b09da958f61"))
    #expect(UInt32(truncatingIfNeeded: SecurityFunctions.cmac(n1, u + v + n2.bytes).low) == 0x2f9e_d5ba)
  }

  /// Core, Vol 3, Part H, appendix D.13 and D.14.
  @Test func keysOfBothTransports() {
    #expect(
      SecurityFunctions.longTermKeys(ofLinkKey: block("05040302010009080706050403020100")) == [
        block("e85e09eb5eccb3e269418a133211bc79"), block("a813fb72f1a3dfa18a2c9a43f10d0a30"),
      ])
  }

  /// Core, Vol 2, Part G, 7.1.2: the private keys of both sides, their public keys, the shared secret.
  @Test func keyAgreement() throws {
    let other = hex("55188b3d32f6bb9a900afcfbeed4e72a59cb9ac2f19d7cfb6b4fdd49f47fc5fd")
    let point = hex(
      "20b003d2f297be2c5e2c83a7e9f9a5b9eff49111acf4fddbcc0301480e359de6dc809c49652aeb6d63329abf5a52155c766345c28fed3024741c8ed01589d28b")
    #expect(SystemCryptography.publicKey(of: Pairing.debugPrivateKey) == point)
    let peer = try #require(SystemCryptography.publicKey(of: other))
    let secret = hex("ec0234a357c8ad05341010a60a397d9b99796b13b4f866f1868d34f373bfa698")
    #expect(SystemCryptography.sharedSecret(privateKey: Pairing.debugPrivateKey, publicKey: peer) == secret)
    #expect(SystemCryptography.sharedSecret(privateKey: other, publicKey: point) == secret)
  }

  @Test func refusesWhatIsNoKey() {
    let point = [UInt8](repeating: 1, count: 64)
    #expect(SystemCryptography.sharedSecret(privateKey: Pairing.debugPrivateKey, publicKey: point) == nil)
    #expect(SystemCryptography.sharedSecret(privateKey: Pairing.debugPrivateKey, publicKey: []) == nil)
    #expect(SystemCryptography.publicKey(of: [UInt8](repeating: 0, count: 32)) == nil)
    #expect(SystemCryptography.publicKey(of: [1]) == nil)
  }

  /// Core, Vol 6, Part C, 1: LL_START_ENC_RSP of both sides and a data packet of each.
  @Test(
    arguments: [
      (true, 0, 0x0F, "9FCDA7F448", "06"), (false, 0, 0x07, "A34C13A415", "06"),
      (
        true, 1, 0x0E, "7A70D66415226DF26B17839A060405596BD6564F796B5B9CE6FF32F75A6D33",
        "1700636465666768696A6B6C6D6E6F707131323334353637383930"
      ),
      (
        false, 1, 0x06, "F38881E7BD94C9C369B9A66846DD4786AA8C39CE540D0DAE3ADCDF89B96088",
        "17003736353433323130414243444546474849 4A4B4C4D4E4F5051"
      ),
    ])
  func linkLayer(isCentral: Bool, counter: Int, header: Int, cipherText: String, plainText: String) {
    let key = SecurityFunctions.sessionKey(
      block("4C68384139F574D836BCF34E9DFB01BF"), central: 0xACBD_CEDF_E0F1_0213, peripheral: 0x0213_2435_4657_6879)
    #expect(key == block("99AD1B5226A37E3E058E3B8E27C2C666"))
    let ccm = CCM(SystemCryptography(key: key), initialisationVector: 0x24AB_DCBA_BEBA_AFDE)
    var plain: [UInt8] = []
    var bytes = hex(cipherText)
    #expect(ccm.open(bytes, header: UInt8(header), counter: UInt64(counter), isFromCentral: isCentral, into: &plain))
    #expect(plain == hex(plainText))
    // SN, NESN and MD may differ in a retransmission; the other bits must not.
    #expect(ccm.open(bytes, header: UInt8(header) ^ 0x1C, counter: UInt64(counter), isFromCentral: isCentral, into: &plain))
    #expect(!ccm.open(bytes, header: UInt8(header) ^ 0x01, counter: UInt64(counter), isFromCentral: isCentral, into: &plain))
    #expect(!ccm.open(bytes, header: UInt8(header), counter: UInt64(counter), isFromCentral: !isCentral, into: &plain))
    #expect(!ccm.open(bytes, header: UInt8(header), counter: UInt64(counter) + 1, isFromCentral: isCentral, into: &plain))
    bytes[0] ^= 1
    #expect(!ccm.open(bytes, header: UInt8(header), counter: UInt64(counter), isFromCentral: isCentral, into: &plain))
    #expect(plain.isEmpty)
    #expect(!ccm.open([1, 2, 3, 4], header: 1, counter: 0, isFromCentral: true, into: &plain))
  }
}
