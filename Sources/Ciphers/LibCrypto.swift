#if !canImport(CryptoKit)
  import CCrypto

  /// OpenSSL's libcrypto.
  @safe public final class LibCrypto: Cryptography {
    private let context: OpaquePointer?
    /// Decrypts, with ``decryptionKey``; made when the first block is decrypted.
    private var decryption: OpaquePointer?
    private var decryptionKey: [UInt8]
    /// The key of the last call of ``setKey(_:)``, until it becomes ``decryptionKey``.
    private var newKey: Block128?

    /// A cipher with a zero key of 128 bits.
    public init() {
      decryptionKey = [UInt8](repeating: 0, count: 16)
      unsafe context = unsafe EVP_CIPHER_CTX_new()
      let isReady = unsafe EVP_EncryptInit_ex(context, EVP_aes_128_ecb(), nil, decryptionKey, nil)
      precondition(isReady == 1, "libcrypto has no AES")
      unsafe EVP_CIPHER_CTX_set_padding(context, 0)
    }

    /// A cipher with a key of 16, 24 or 32 bytes; nil for other lengths.
    public init?(key: [UInt8]) {
      guard let cipher = unsafe Self.cipher(key.count) else { return nil }
      decryptionKey = key
      unsafe context = unsafe EVP_CIPHER_CTX_new()
      let isReady = unsafe EVP_EncryptInit_ex(context, cipher, nil, key, nil)
      precondition(isReady == 1, "libcrypto has no AES")
      unsafe EVP_CIPHER_CTX_set_padding(context, 0)
    }

    deinit {
      unsafe EVP_CIPHER_CTX_free(context)
      unsafe EVP_CIPHER_CTX_free(decryption)
    }

    private static func cipher(_ count: Int) -> OpaquePointer? {
      switch count {
      case 16: unsafe EVP_aes_128_ecb()
      case 24: unsafe EVP_aes_192_ecb()
      case 32: unsafe EVP_aes_256_ecb()
      default: nil
      }
    }

    /// Sets the key of the following blocks, of 128 bits.
    public func setKey(_ key: Block128) {
      precondition(decryptionKey.count == 16, "a cipher of longer keys")
      newKey = key
      var key = (key.high.bigEndian, key.low.bigEndian)
      let isSet = unsafe withUnsafeBytes(of: &key) {
        unsafe EVP_EncryptInit_ex(context, nil, nil, $0.baseAddress?.assumingMemoryBound(to: UInt8.self), nil)
      }
      precondition(isSet == 1, "libcrypto takes no key")
    }

    /// Decrypts one block.
    public func decrypt(_ block: Block128) -> Block128 {
      if unsafe decryption == nil || newKey != nil {
        if let newKey { decryptionKey = newKey.bytes }
        newKey = nil
        unsafe EVP_CIPHER_CTX_free(decryption)
        unsafe decryption = unsafe EVP_CIPHER_CTX_new()
        let isReady = unsafe EVP_DecryptInit_ex(decryption, Self.cipher(decryptionKey.count), nil, decryptionKey, nil)
        precondition(isReady == 1, "libcrypto has no AES")
        unsafe EVP_CIPHER_CTX_set_padding(decryption, 0)
      }
      return unsafe Self.update(decryption, block)
    }

    /// Encrypts one block.
    public func encrypt(_ block: Block128) -> Block128 { unsafe Self.update(context, block) }

    /// Passes one block through a cipher that was initialised to encrypt or to decrypt.
    private static func update(_ context: OpaquePointer?, _ block: Block128) -> Block128 {
      var input = (block.high.bigEndian, block.low.bigEndian)
      var output: (UInt64, UInt64) = (0, 0)
      var count: Int32 = 0
      let status = unsafe withUnsafeBytes(of: &input) { input in
        unsafe withUnsafeMutableBytes(of: &output) { output in
          let (from, to) = (input.baseAddress, output.baseAddress)
          return unsafe EVP_CipherUpdate(
            context, to?.assumingMemoryBound(to: UInt8.self), &count, from?.assumingMemoryBound(to: UInt8.self), 16)
        }
      }
      precondition(status == 1 && count == 16, "libcrypto takes no block")
      return Block128(high: UInt64(bigEndian: output.0), low: UInt64(bigEndian: output.1))
    }

    /// The public key of a private key.
    public static func publicKey(of privateKey: [UInt8]) -> [UInt8]? {
      unsafe product(privateKey) { group, _, _ in unsafe EC_GROUP_get0_generator(group) }
    }

    /// The X coordinate of the shared point (ECDH).
    public static func sharedSecret(privateKey: [UInt8], publicKey: [UInt8]) -> [UInt8]? {
      guard publicKey.count == 64 else { return nil }
      let product = unsafe product(privateKey) { group, point, context in
        let x = unsafe BN_bin2bn(Array(publicKey[..<32]), 32, nil)
        let y = unsafe BN_bin2bn(Array(publicKey[32...]), 32, nil)
        defer {
          unsafe BN_free(x)
          unsafe BN_free(y)
        }
        // This fails where the point is not on the curve.
        return unsafe EC_POINT_set_affine_coordinates(group, point, x, y, context) == 1 ? point : nil
      }
      return product.map { Array($0[..<32]) }
    }

    /// The shared secret of X25519.
    public static func sharedX25519(privateKey: [UInt8], publicKey: [UInt8]) -> [UInt8]? {
      guard privateKey.count == 32, publicKey.count == 32 else { return nil }
      let own = unsafe EVP_PKEY_new_raw_private_key(NID_X25519, nil, privateKey, 32)
      let other = unsafe EVP_PKEY_new_raw_public_key(NID_X25519, nil, publicKey, 32)
      let context = unsafe EVP_PKEY_CTX_new(own, nil)
      defer {
        unsafe EVP_PKEY_CTX_free(context)
        unsafe EVP_PKEY_free(own)
        unsafe EVP_PKEY_free(other)
      }
      var secret = [UInt8](repeating: 0, count: 32)
      var count = 32
      // This fails for a zero secret, which some public keys give with any private key.
      guard unsafe EVP_PKEY_derive_init(context) == 1, unsafe EVP_PKEY_derive_set_peer(context, other) == 1,
        unsafe secret.withUnsafeMutableBufferPointer({ unsafe EVP_PKEY_derive(context, $0.baseAddress, &count) }) == 1, count == 32
      else { return nil }
      return secret
    }

    /// The hash of bytes.
    public static func hash(_ function: HashFunction, _ bytes: [UInt8]) -> [UInt8]? {
      let algorithm: OpaquePointer? =
        switch function {
        case .md5: unsafe EVP_md5()
        case .sha1: unsafe EVP_sha1()
        case .sha256: unsafe EVP_sha256()
        }
      var output = [UInt8](repeating: 0, count: Int(EVP_MAX_MD_SIZE))
      var count: UInt32 = 0
      let status = unsafe output.withUnsafeMutableBufferPointer {
        unsafe EVP_Digest(bytes, bytes.count, $0.baseAddress, &count, algorithm, nil)
      }
      return status == 1 && Int(count) == function.count ? Array(output.prefix(Int(count))) : nil
    }

    /// X and Y of a point multiplied by `factor`.
    private static func product(
      _ factor: [UInt8], _ point: (_ group: OpaquePointer?, _ computed: OpaquePointer?, _ context: OpaquePointer?) -> OpaquePointer?
    ) -> [UInt8]? {
      guard factor.count == 32, factor.contains(where: { $0 != 0 }) else { return nil }
      let group = unsafe EC_GROUP_new_by_curve_name(NID_X9_62_prime256v1)
      let context = unsafe BN_CTX_new()
      let computed = unsafe EC_POINT_new(group)
      let result = unsafe EC_POINT_new(group)
      let number = unsafe BN_bin2bn(factor, 32, nil)
      let (x, y) = unsafe (BN_new(), BN_new())
      defer {
        unsafe EC_GROUP_free(group)
        unsafe BN_CTX_free(context)
        unsafe EC_POINT_free(computed)
        unsafe EC_POINT_free(result)
        unsafe BN_clear_free(number)
        unsafe BN_free(x)
        unsafe BN_free(y)
      }
      guard let point = unsafe point(group, computed, context), unsafe EC_POINT_mul(group, result, nil, point, number, context) == 1,
        unsafe EC_POINT_get_affine_coordinates(group, result, x, y, context) == 1
      else { return nil }
      var bytes = [UInt8](repeating: 0, count: 64)
      let isWritten = unsafe bytes.withUnsafeMutableBufferPointer {
        guard let start = $0.baseAddress else { return false }
        return unsafe BN_bn2binpad(x, start, 32) == 32 && BN_bn2binpad(y, start + 32, 32) == 32
      }
      return isWritten ? bytes : nil
    }
  }
#endif
