/// A hash function.
public enum HashFunction: String, Sendable, CaseIterable {
  /// RFC 1321.
  case md5
  /// FIPS 180-4.
  case sha1
  /// FIPS 180-4.
  case sha256

  /// Size of its result in bytes.
  public var count: Int {
    switch self {
    case .md5: 16
    case .sha1: 20
    case .sha256: 32
    }
  }
}

/// Hash functions, message authentication codes and key derivation functions, from hash functions and block ciphers.
public enum MessageDigest {
  /// Most bytes that ``hkdf(_:_:salt:info:count:)`` returns.
  public static let maxDerived = 1024

  /// The hash of bytes; nil where the system's library does not allow the function, as some do for MD5.
  public static func hash(_ function: HashFunction, _ bytes: [UInt8]) -> [UInt8]? { SystemCryptography.hash(function, bytes) }

  /// HMAC (RFC 2104); nil where the system's library does not allow the function.
  public static func hmac(_ function: HashFunction, key: [UInt8], _ bytes: [UInt8]) -> [UInt8]? {
    var block = key
    if key.count > 64 {
      guard let short = hash(function, key) else { return nil }
      block = short
    }
    block += [UInt8](repeating: 0, count: 64 - block.count)
    guard let inner = hash(function, block.map { $0 ^ 0x36 } + bytes) else { return nil }
    return hash(function, block.map { $0 ^ 0x5C } + inner)
  }

  /// HKDF (RFC 5869): `count` bytes derived from a secret; nil for none or more than ``maxDerived``, and where the system's library does not allow
  /// the function.
  public static func hkdf(_ function: HashFunction, _ secret: [UInt8], salt: [UInt8], info: [UInt8], count: Int) -> [UInt8]? {
    guard (1...maxDerived).contains(count),
      let key = hmac(function, key: salt.isEmpty ? [UInt8](repeating: 0, count: function.count) : salt, secret)
    else { return nil }
    var output: [UInt8] = []
    var block: [UInt8] = []
    var number: UInt8 = 1
    while output.count < count {
      guard let next = hmac(function, key: key, block + info + [number]) else { return nil }
      block = next
      output += next
      // There are at most 64 blocks, so that the number fits into a byte.
      number &+= 1
    }
    return Array(output.prefix(count))
  }

  /// AES-CMAC (RFC 4493), which CommonCrypto and CryptoKit do not have.
  public static func cmac(_ key: Block128, _ message: [UInt8]) -> Block128 {
    let cipher = SystemCryptography(key: key)
    func doubled(_ block: Block128) -> Block128 {
      Block128(high: block.high << 1 | block.low >> 63, low: block.low << 1 ^ (block.high >> 63 == 1 ? 0x87 : 0))
    }
    let first = doubled(cipher.encrypt(.zero))
    let isWhole = !message.isEmpty && message.count % 16 == 0
    let blocks = max(1, (message.count + 15) / 16)
    var state = Block128.zero
    for index in 0..<blocks {
      var piece = Array(message[(16 * index)..<min(16 * index + 16, message.count)])
      let isLast = index == blocks - 1
      if isLast, !isWhole { piece.append(0x80) }
      piece += [UInt8](repeating: 0, count: 16 - piece.count)
      var block = Block128(piece) ?? .zero
      if isLast { block = block ^ (isWhole ? first : doubled(first)) }
      state = cipher.encrypt(state ^ block)
    }
    return state
  }
}
