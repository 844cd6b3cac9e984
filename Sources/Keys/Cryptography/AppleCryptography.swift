#if canImport(CryptoKit)
  import CommonCrypto
  import CryptoKit

  /// CommonCrypto and CryptoKit.
  @safe public final class AppleCryptography: Cryptography {
    private var cryptor: CCCryptorRef?

    /// A cipher with the key of zeros.
    public init() { setKey(.zero) }

    deinit { unsafe CCCryptorRelease(cryptor) }

    /// Sets the key of the following blocks.
    public func setKey(_ key: Block128) {
      unsafe CCCryptorRelease(cryptor)
      unsafe cryptor = nil
      let status = unsafe CCCryptorCreate(
        CCOperation(kCCEncrypt), CCAlgorithm(kCCAlgorithmAES), CCOptions(kCCOptionECBMode), key.bytes, 16, nil, &cryptor)
      precondition(status == kCCSuccess, "CommonCrypto has no AES")
    }

    /// Encrypts one block.
    public func encrypt(_ block: Block128) -> Block128 {
      var input = (block.high.bigEndian, block.low.bigEndian)
      var output: (UInt64, UInt64) = (0, 0)
      var count = 0
      let status = unsafe withUnsafeBytes(of: &input) { input in
        unsafe withUnsafeMutableBytes(of: &output) { output in
          unsafe CCCryptorUpdate(cryptor, input.baseAddress, 16, output.baseAddress, 16, &count)
        }
      }
      precondition(status == kCCSuccess && count == 16, "CommonCrypto encrypts no block")
      return Block128(high: UInt64(bigEndian: output.0), low: UInt64(bigEndian: output.1))
    }

    /// The point of a private key.
    public static func publicKey(of privateKey: [UInt8]) -> [UInt8]? {
      (try? P256.KeyAgreement.PrivateKey(rawRepresentation: privateKey)).map { Array($0.publicKey.rawRepresentation) }
    }

    /// X of the point that both sides can compute.
    public static func sharedSecret(privateKey: [UInt8], publicKey: [UInt8]) -> [UInt8]? {
      guard let own = try? P256.KeyAgreement.PrivateKey(rawRepresentation: privateKey),
        let other = try? P256.KeyAgreement.PublicKey(rawRepresentation: publicKey),
        let secret = try? own.sharedSecretFromKeyAgreement(with: other)
      else { return nil }
      return unsafe secret.withUnsafeBytes { unsafe Array($0) }
    }
  }
#endif
