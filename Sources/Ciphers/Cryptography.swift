/// The functions of the system's cryptographic library that btscribe uses: the AES block cipher, hash functions, and the curves P-256 and Curve25519.
public protocol Cryptography: AnyObject {
  /// A cipher with a zero key of 128 bits.
  init()
  /// A cipher with a key of 16, 24 or 32 bytes; nil for other lengths.
  init?(key: [UInt8])
  /// Sets the key of the following blocks, of 128 bits.
  func setKey(_ key: Block128)
  /// Encrypts one block.
  func encrypt(_ block: Block128) -> Block128
  /// Decrypts one block.
  func decrypt(_ block: Block128) -> Block128
  /// The public key of a private key of 32 bytes: X and Y, 32 bytes each, the most significant one first. Nil where the private key is invalid.
  static func publicKey(of privateKey: [UInt8]) -> [UInt8]?
  /// The X coordinate of the shared point (Core, Vol 2, Part H, 7.7.4, P256). Nil where a key is invalid, or the point is not on the curve.
  static func sharedSecret(privateKey: [UInt8], publicKey: [UInt8]) -> [UInt8]?
  /// The shared secret of X25519 (RFC 7748, 5), for keys of 32 bytes. Nil where a key is invalid.
  static func sharedX25519(privateKey: [UInt8], publicKey: [UInt8]) -> [UInt8]?
  /// The hash of bytes; nil where the library does not allow the function.
  static func hash(_ function: HashFunction, _ bytes: [UInt8]) -> [UInt8]?
}

#if canImport(CryptoKit)
  /// The library of this system.
  public typealias SystemCryptography = AppleCryptography
#else
  /// The library of this system.
  public typealias SystemCryptography = LibCrypto
#endif

extension Cryptography {
  /// A cipher with this key.
  public init(key: Block128) {
    self.init()
    setKey(key)
  }
}
