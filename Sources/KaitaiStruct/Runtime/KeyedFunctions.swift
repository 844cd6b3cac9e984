import Ciphers
import Memory

// Hash functions, and functions of keys: additions to the methods that Kaitai Struct has.
extension Machine {
  /// Cost of a function of the elliptic curves, in steps: a million steps allow ten of them, which take some milliseconds.
  private static let curveSteps = 100_000
  /// Cost of a hash or a cipher in addition to its bytes: a step takes some nanoseconds.
  private static let hashSteps = 300
  /// Cost of each 32 derived bytes: two hashes, one of the other.
  private static let derivedSteps = 600

  /// A hash of bytes, or of a text's bytes.
  @inline(never)
  mutating func hash(_ function: HashFunction, _ base: KaitaiValue) throws(Stop) -> KaitaiValue {
    let content = Array(bytes(of: base))
    try spend(content.count + Self.hashSteps)
    return try produced(MessageDigest.hash(function, content))
  }

  /// The bytes of a text of hexadecimal digits, two digits per byte.
  @inline(never)
  mutating func decodeHex(_ base: KaitaiValue) throws(Stop) -> KaitaiValue {
    let digits = Array(bytes(of: base))
    try spend(digits.count)
    guard digits.count % 2 == 0 else { throw fail(.conversion) }
    var content: [UInt8] = []
    content.reserveCapacity(digits.count / 2)
    for index in stride(from: 0, to: digits.count, by: 2) {
      guard let high = Self.digit(digits[index]), let low = Self.digit(digits[index + 1]) else { throw fail(.conversion) }
      content.append(high << 4 | low)
    }
    return try produced(content)
  }

  private static func digit(_ character: UInt8) -> UInt8? {
    switch character {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): character - UInt8(ascii: "0")
    case UInt8(ascii: "a")...UInt8(ascii: "f"): character - UInt8(ascii: "a") + 10
    case UInt8(ascii: "A")...UInt8(ascii: "F"): character - UInt8(ascii: "A") + 10
    default: nil
    }
  }

  /// The result of a function of its operands: the bytes, then the arguments in parentheses.
  @inline(never)
  mutating func keyed(_ operation: Operation, _ object: Int32) throws(Stop) -> KaitaiValue {
    var operands: [[UInt8]] = []
    var count = 0
    for index in 0..<Int(operation.c) {
      let value = try evaluate(tables.lists[Int(operation.b) + index], object)
      switch value.kind {
      case .bytes, .string:
        operands.append(Array(bytes(of: value)))
        try spend((operands.last?.count ?? 0) + 64)
      case .int, .uint:
        guard operation.a == KeyedFunction.hkdfSHA256.rawValue, index == 3 else { throw fail(.type) }
        guard let number = value.asInt, (1...Int64(MessageDigest.maxDerived)).contains(number) else { throw fail(.conversion) }
        count = Int(number)
      default: throw fail(value.kind == .absent ? .absent : .type)
      }
    }
    try spend(2 * Self.hashSteps)
    func operand(_ index: Int) -> [UInt8] { operands.indices.contains(index) ? operands[index] : [] }
    let (base, key) = (operand(0), operand(1))
    switch KeyedFunction(rawValue: operation.a) {
    case .hmacMD5: return try produced(MessageDigest.hmac(.md5, key: key, base))
    case .hmacSHA1: return try produced(MessageDigest.hmac(.sha1, key: key, base))
    case .hmacSHA256: return try produced(MessageDigest.hmac(.sha256, key: key, base))
    case .hkdfSHA256:
      // Each part is a hash of the previous part and of `info`.
      try spend((1 + (count + 31) / 32) * (Self.derivedSteps + operand(2).count))
      return try produced(MessageDigest.hkdf(.sha256, base, salt: key, info: operand(2), count: count))
    case .aesCMAC: return try produced(Block128(key).map { MessageDigest.cmac($0, base).bytes })
    case .aesEncrypt:
      guard let cipher = MessageCipher(.ecb, key: key) else { throw fail(.conversion) }
      return try produced(try? cipher.encrypt(base, MessageCipher.Parameters()).bytes)
    case .aesDecrypt:
      guard let cipher = MessageCipher(.ecb, key: key) else { throw fail(.conversion) }
      return try produced(try? cipher.decrypt(base, MessageCipher.Parameters()))
    case .p256:
      try spend(Self.curveSteps)
      return try produced(SystemCryptography.sharedSecret(privateKey: base, publicKey: key))
    case .x25519:
      try spend(Self.curveSteps)
      return try produced(SystemCryptography.sharedX25519(privateKey: base, publicKey: key))
    case nil: throw fail(.type)
    }
  }

  /// Stores the result of a function; an invalid key or length ends the evaluation.
  private mutating func produced(_ content: [UInt8]?) throws(Stop) -> KaitaiValue {
    guard let content else { throw fail(.conversion) }
    return .bytes(.bytes, offset: try produce(copying: content), count: content.count, buffer: .produced)
  }
}
