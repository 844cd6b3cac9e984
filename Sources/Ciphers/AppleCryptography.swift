#if canImport(CryptoKit)
  import CommonCrypto
  import CryptoKit

  /// CommonCrypto and CryptoKit.
  @safe public final class AppleCryptography: Cryptography {
    private var cryptor: CCCryptorRef?
    /// Decrypts, with ``decryptionKey``; made when the first block is decrypted.
    private var decryption: CCCryptorRef?
    private var decryptionKey = [UInt8](repeating: 0, count: 16)
    /// The key of the last call of ``setKey(_:)``, until it becomes ``decryptionKey``.
    private var newKey: Block128?

    /// A cipher with a zero key of 128 bits.
    public init() { setKey(.zero) }

    /// A cipher with a key of 16, 24 or 32 bytes; nil for other lengths.
    public init?(key: [UInt8]) {
      guard [16, 24, 32].contains(key.count) else { return nil }
      decryptionKey = key
      unsafe cryptor = unsafe Self.make(kCCEncrypt, key)
    }

    deinit {
      unsafe CCCryptorRelease(cryptor)
      unsafe CCCryptorRelease(decryption)
    }

    private static func make(_ operation: Int, _ key: [UInt8]) -> CCCryptorRef? {
      var made: CCCryptorRef?
      let status = unsafe CCCryptorCreate(
        CCOperation(operation), CCAlgorithm(kCCAlgorithmAES), CCOptions(kCCOptionECBMode), key, key.count, nil, &made)
      precondition(status == kCCSuccess, "CommonCrypto has no AES")
      return unsafe made
    }

    /// Sets the key of the following blocks, of 128 bits.
    public func setKey(_ key: Block128) {
      precondition(decryptionKey.count == 16, "a cipher of longer keys")
      newKey = key
      unsafe CCCryptorRelease(cryptor)
      unsafe cryptor = unsafe Self.make(kCCEncrypt, key.bytes)
    }

    /// Encrypts one block.
    public func encrypt(_ block: Block128) -> Block128 { unsafe Self.update(cryptor, block) }

    /// Decrypts one block.
    public func decrypt(_ block: Block128) -> Block128 {
      if unsafe decryption == nil || newKey != nil {
        if let newKey { decryptionKey = newKey.bytes }
        newKey = nil
        unsafe CCCryptorRelease(decryption)
        unsafe decryption = unsafe Self.make(kCCDecrypt, decryptionKey)
      }
      return unsafe Self.update(decryption, block)
    }

    private static func update(_ cryptor: CCCryptorRef?, _ block: Block128) -> Block128 {
      var input = (block.high.bigEndian, block.low.bigEndian)
      var output: (UInt64, UInt64) = (0, 0)
      var count = 0
      let status = unsafe withUnsafeBytes(of: &input) { input in
        unsafe withUnsafeMutableBytes(of: &output) { output in
          unsafe CCCryptorUpdate(cryptor, input.baseAddress, 16, output.baseAddress, 16, &count)
        }
      }
      precondition(status == kCCSuccess && count == 16, "CommonCrypto takes no block")
      return Block128(high: UInt64(bigEndian: output.0), low: UInt64(bigEndian: output.1))
    }

    /// The public key of a private key.
    public static func publicKey(of privateKey: [UInt8]) -> [UInt8]? {
      (try? P256.KeyAgreement.PrivateKey(rawRepresentation: privateKey)).map { Array($0.publicKey.rawRepresentation) }
    }

    /// The X coordinate of the shared point (ECDH).
    public static func sharedSecret(privateKey: [UInt8], publicKey: [UInt8]) -> [UInt8]? {
      guard let own = try? P256.KeyAgreement.PrivateKey(rawRepresentation: privateKey),
        let other = try? P256.KeyAgreement.PublicKey(rawRepresentation: publicKey),
        let secret = try? own.sharedSecretFromKeyAgreement(with: other)
      else { return nil }
      return unsafe secret.withUnsafeBytes { unsafe Array($0) }
    }

    /// The shared secret of X25519.
    public static func sharedX25519(privateKey: [UInt8], publicKey: [UInt8]) -> [UInt8]? {
      guard let own = try? Curve25519.KeyAgreement.PrivateKey(rawRepresentation: privateKey),
        let other = try? Curve25519.KeyAgreement.PublicKey(rawRepresentation: publicKey),
        let secret = try? own.sharedSecretFromKeyAgreement(with: other)
      else { return nil }
      let bytes = unsafe secret.withUnsafeBytes { unsafe Array($0) }
      // Some public keys give a zero secret with any private key.
      return bytes.contains { $0 != 0 } ? bytes : nil
    }

    /// The hash of bytes.
    public static func hash(_ function: HashFunction, _ bytes: [UInt8]) -> [UInt8]? {
      switch function {
      case .md5: Array(Insecure.MD5.hash(data: bytes))
      case .sha1: Array(Insecure.SHA1.hash(data: bytes))
      case .sha256: Array(SHA256.hash(data: bytes))
      }
    }
  }
#endif
