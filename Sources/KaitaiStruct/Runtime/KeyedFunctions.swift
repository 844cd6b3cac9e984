import Ciphers
import Memory
import PacketCodecs

// Hash functions, and functions of keys: additions to the methods that Kaitai Struct has.
extension Machine {
  /// What a function of the curves costs, in steps: a million steps are ten of them, and take some milliseconds.
  private static let curveSteps = 100_000

  /// A hash of bytes, or of a text's bytes.
  @inline(never)
  mutating func hash(_ function: HashFunction, _ base: KaitaiValue) throws(Stop) -> KaitaiValue {
    let content = bytes(of: base).array
    try spend(content.count + 64)
    return try produced(MessageDigest.hash(function, content))
  }

  /// What a function makes of its operands: the bytes, then what stands in parentheses.
  @inline(never)
  mutating func keyed(_ operation: Operation, _ object: Int32) throws(Stop) -> KaitaiValue {
    var operands: [[UInt8]] = []
    var count = 0
    for index in 0..<Int(operation.c) {
      let value = try evaluate(tables.lists[Int(operation.b) + index], object)
      switch value.kind {
      case .bytes, .string:
        operands.append(bytes(of: value).array)
        try spend((operands.last?.count ?? 0) + 64)
      case .int, .uint:
        guard operation.a == KeyedFunction.hkdfSHA256.rawValue, index == 3 else { throw fail(.type) }
        guard let number = value.asInt, (1...Int64(MessageDigest.mostDerived)).contains(number) else { throw fail(.conversion) }
        count = Int(number)
        try spend(count * 4)
      default: throw fail(value.kind == .absent ? .absent : .type)
      }
    }
    func operand(_ index: Int) -> [UInt8] { operands.indices.contains(index) ? operands[index] : [] }
    let (base, key) = (operand(0), operand(1))
    switch KeyedFunction(rawValue: operation.a) {
    case .hmacMD5: return try produced(MessageDigest.hmac(.md5, key: key, base))
    case .hmacSHA1: return try produced(MessageDigest.hmac(.sha1, key: key, base))
    case .hmacSHA256: return try produced(MessageDigest.hmac(.sha256, key: key, base))
    case .hkdfSHA256: return try produced(MessageDigest.hkdf(.sha256, base, salt: key, info: operand(2), count: count))
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

  /// Keeps what a function gave; a key or a length that it does not take ends evaluating.
  private mutating func produced(_ content: [UInt8]?) throws(Stop) -> KaitaiValue {
    guard let content else { throw fail(.conversion) }
    return .bytes(.bytes, offset: try produce(copying: content), count: content.count, buffer: .produced)
  }
}
