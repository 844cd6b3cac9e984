import Testing

@testable import Ciphers

private func hex(_ text: String) -> [UInt8] {
  let digits = text.compactMap { $0.hexDigitValue.map { UInt8($0) } }
  return stride(from: 0, to: digits.count - 1, by: 2).map { digits[$0] << 4 | digits[$0 + 1] }
}

/// Hash functions, HMAC, key derivation and key agreement, with the samples of the documents that define them.
@Suite struct MessageDigestTests {
  /// RFC 1321, A.5; FIPS 180-4's examples.
  @Test(arguments: [
    (HashFunction.md5, "", "d41d8cd98f00b204e9800998ecf8427e"), (.md5, "abc", "900150983cd24fb0d6963f7d28e17f72"),
    (.sha1, "abc", "a9993e364706816aba3e25717850c26c9cd0d89d"),
    (
      .sha1, "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq", "84983e441c3bd26ebaae4aa1f95129e5e54670f1"
    ),
    (.sha256, "abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
    (.sha256, "", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"),
  ])
  func hashes(function: HashFunction, text: String, wanted: String) {
    #expect(MessageDigest.hash(function, Array(text.utf8)) == hex(wanted))
    #expect(function.count == wanted.count / 2)
  }

  /// RFC 2202, 2 and 3; RFC 4231, 4.2, 4.3 and 4.7 (a key longer than a block).
  @Test(arguments: [
    (HashFunction.md5, "0b0b0b0b0b0b0b0b0b0b0b0b0b0b0b0b", "Hi There", "9294727a3638bb1c13f48ef8158bfc9d"),
    (.sha1, "0b0b0b0b0b0b0b0b0b0b0b0b0b0b0b0b0b0b0b0b", "Hi There", "b617318655057264e28bc0b6fb378c8ef146be00"),
    (
      .sha256, "0b0b0b0b0b0b0b0b0b0b0b0b0b0b0b0b0b0b0b0b", "Hi There",
      "b0344c61d8db38535ca8afceaf0bf12b881dc200c9833da726e9376c2e32cff7"
    ),
    (.sha256, "4a656665", "what do ya want for nothing?", "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843"),
    (
      .sha256, String(repeating: "aa", count: 131), "Test Using Larger Than Block-Size Key - Hash Key First",
      "60e431591ee0b67f0d8a26aacbf5b77f8e0bc6213728c5140546040f0ee37f54"
    ),
  ])
  func authenticationCodes(function: HashFunction, key: String, text: String, wanted: String) {
    #expect(MessageDigest.hmac(function, key: hex(key), Array(text.utf8)) == hex(wanted))
  }

  /// RFC 5869, A.1 and A.3.
  @Test func derivedKeys() {
    let secret = [UInt8](repeating: 0x0b, count: 22)
    #expect(
      MessageDigest.hkdf(.sha256, secret, salt: hex("000102030405060708090a0b0c"), info: hex("f0f1f2f3f4f5f6f7f8f9"), count: 42)
        == hex("3cb25f25faacd57a90434f64d0362f2a2d2d0a90cf1a5a4c5db02d56ecc4c5bf34007208d5b887185865"))
    #expect(
      MessageDigest.hkdf(.sha256, secret, salt: [], info: [], count: 42)
        == hex("8da4e775a563c18f715f802a063c5a31b8a11f5c5ee1879ec3454e5f3c738d2d9d201395faa4b61a96c8"))
    let longest = MessageDigest.hkdf(.sha256, secret, salt: [], info: [], count: MessageDigest.maxDerived)
    #expect(longest?.count == MessageDigest.maxDerived)
    for count in [0, -1, MessageDigest.maxDerived + 1, Int.max] {
      #expect(MessageDigest.hkdf(.sha256, secret, salt: [], info: [], count: count) == nil)
    }
  }

  /// RFC 7748, 6.1: the private keys of both sides, their public keys, the shared secret.
  @Test func keyAgreement() {
    let privateKey = hex("5dab087e624a8a4b79e17f8b83800ee66f3bb1292618b6fd1c2f8b27ff88e0eb")
    let publicKey = hex("8520f0098930a754748b7ddcb43ef75a0dbf3a0d26381af4eba4a98eaa9b4e6a")
    let secret = hex("4a5d9d5ba4ce2de1728e3bf480350f25e07e21c947d19e3376f09b3c1e161742")
    #expect(SystemCryptography.sharedX25519(privateKey: privateKey, publicKey: publicKey) == secret)
    for key in [[], [1], [UInt8](repeating: 0, count: 32), publicKey + [0]] {
      #expect(SystemCryptography.sharedX25519(privateKey: privateKey, publicKey: key) == nil)
    }
    #expect(SystemCryptography.sharedX25519(privateKey: [1], publicKey: publicKey) == nil)
  }
}
