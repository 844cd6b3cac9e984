/// A mode of operation of AES.
public enum CipherMode: String, Sendable, CaseIterable {
  /// Each block by itself (NIST SP 800-38A, 6.1).
  case ecb
  /// Each block combined with the previous one (SP 800-38A, 6.2).
  case cbc
  /// A key stream from a counter (SP 800-38A, 6.5).
  case ctr
  /// A counter with a message authentication code (SP 800-38C, RFC 3610).
  case ccm
  /// A counter with an authentication code over a Galois field (SP 800-38D).
  case gcm

  /// The mode authenticates the message with a tag.
  public var isAuthenticated: Bool { self == .ccm || self == .gcm }
  /// The mode encrypts only complete blocks.
  public var isOfBlocks: Bool { self == .ecb || self == .cbc }
  /// The allowed lengths of its nonce in bytes: none for ECB; for CBC that of the initialisation vector.
  public var nonceLengths: ClosedRange<Int> {
    switch self {
    case .ecb: 0...0
    case .cbc: 16...16
    case .ctr: 1...16
    case .ccm: 7...13
    case .gcm: 1...4096
    }
  }
  /// Whether a tag of `count` bytes is allowed.
  public func takes(tagOf count: Int) -> Bool {
    switch self {
    case .ecb, .cbc, .ctr: count == 0
    case .ccm: (4...16).contains(count) && count % 2 == 0
    case .gcm: (4...16).contains(count)
    }
  }
}

/// An error in encrypting or decrypting a message.
public enum CipherError: Error, Equatable, Sendable {
  /// The length is not a multiple of the block size, or exceeds the limit for the nonce's length.
  case length
  /// The nonce, the initialisation vector or the tag has a length that the mode does not allow.
  case nonce
  /// The tag does not match: the key, the nonce or the message is different.
  case tag
  /// The bytes at the end are no valid padding.
  case padding
}

/// AES with a key in a mode of operation.
public final class MessageCipher {
  /// The mode.
  public let mode: CipherMode
  private let cipher: SystemCryptography

  /// Takes a key of 16, 24 or 32 bytes; nil for other lengths.
  public init?(_ mode: CipherMode, key: [UInt8]) {
    guard let cipher = SystemCryptography(key: key) else { return nil }
    self.mode = mode
    self.cipher = cipher
  }

  /// Parameters of a message besides its bytes.
  public struct Parameters: Sendable {
    /// The nonce; for CBC the initialisation vector, for CTR the first bytes of the first counter block, whose other bytes are 0.
    public var nonce: [UInt8]
    /// Data that are authenticated but not encrypted.
    public var data: [UInt8]
    /// The last block of ECB and CBC is padded with PKCS #7 (RFC 5652, 6.3).
    public var isPadded: Bool
    /// For CTR, the first byte of the counter is the least significant.
    public var countsLittleEndian: Bool

    /// Creates parameters.
    public init(nonce: [UInt8] = [], data: [UInt8] = [], isPadded: Bool = false, countsLittleEndian: Bool = false) {
      self.nonce = nonce
      self.data = data
      self.isPadded = isPadded
      self.countsLittleEndian = countsLittleEndian
    }
  }

  /// Decrypts a message. Throws where its tag does not match, or a length is not allowed.
  public func decrypt(_ bytes: [UInt8], _ parameters: Parameters, tag: [UInt8] = []) throws(CipherError) -> [UInt8] {
    try check(bytes.count, parameters, tag.count)
    switch mode {
    case .ecb, .cbc:
      let plain = blocks(bytes, parameters, isEncrypting: false)
      return parameters.isPadded ? try Self.unpadded(plain) : plain
    case .ctr:
      return stream(bytes, from: Self.padded(parameters.nonce), parameters.countsLittleEndian ? .little : .big)
    case .ccm:
      let plain = stream(bytes, from: ccmCounter(parameters.nonce).next, .big)
      guard ccmTag(plain, parameters, tag.count) == tag else { throw .tag }
      return plain
    case .gcm:
      guard gcmTag(bytes, parameters, tag.count) == tag else { throw .tag }
      return stream(bytes, from: gcmCounter(parameters.nonce).next32, .word)
    }
  }

  /// Encrypts a message. Returns its bytes, and its tag of `tagCount` bytes. Throws where a length is not allowed.
  public func encrypt(
    _ bytes: [UInt8], _ parameters: Parameters, tagCount: Int = 0
  ) throws(CipherError) -> (bytes: [UInt8], tag: [UInt8]) {
    var bytes = bytes
    if mode.isOfBlocks, parameters.isPadded {
      let count = 16 - bytes.count % 16
      bytes += [UInt8](repeating: UInt8(count), count: count)
    }
    try check(bytes.count, parameters, tagCount)
    switch mode {
    case .ecb, .cbc: return (blocks(bytes, parameters, isEncrypting: true), [])
    case .ctr: return (stream(bytes, from: Self.padded(parameters.nonce), parameters.countsLittleEndian ? .little : .big), [])
    case .ccm:
      let tag = ccmTag(bytes, parameters, tagCount)
      return (stream(bytes, from: ccmCounter(parameters.nonce).next, .big), tag)
    case .gcm:
      let encrypted = stream(bytes, from: gcmCounter(parameters.nonce).next32, .word)
      return (encrypted, gcmTag(encrypted, parameters, tagCount))
    }
  }

  private func check(_ count: Int, _ parameters: Parameters, _ tagCount: Int) throws(CipherError) {
    guard mode.nonceLengths.contains(parameters.nonce.count), mode.takes(tagOf: tagCount) else { throw .nonce }
    if mode.isOfBlocks, count % 16 != 0 { throw .length }
    // The nonce's length limits that of the message (SP 800-38C, A.1).
    if mode == .ccm, case let bits = 8 * (15 - parameters.nonce.count), bits < 32, count >> bits != 0 { throw .length }
  }

  // MARK: Blocks

  private func blocks(_ bytes: [UInt8], _ parameters: Parameters, isEncrypting: Bool) -> [UInt8] {
    var output: [UInt8] = []
    output.reserveCapacity(bytes.count)
    var before = mode == .cbc ? Block128(parameters.nonce) ?? .zero : .zero
    for start in stride(from: 0, to: bytes.count - 15, by: 16) {
      let block = Block128(bytes[start..<start + 16]) ?? .zero
      if isEncrypting {
        let result = cipher.encrypt(block ^ before)
        if mode == .cbc { before = result }
        output += result.bytes
      } else {
        output += (cipher.decrypt(block) ^ before).bytes
        if mode == .cbc { before = block }
      }
    }
    return output
  }

  private static func unpadded(_ plain: [UInt8]) throws(CipherError) -> [UInt8] {
    guard let last = plain.last, (1...16).contains(last), plain.suffix(Int(last)).allSatisfy({ $0 == last }) else { throw .padding }
    return Array(plain.dropLast(Int(last)))
  }

  // MARK: Counters

  /// The part of a counter block that is incremented.
  private enum Counting {
    case big, little
    /// The last four bytes (SP 800-38D, 6.2).
    case word
  }

  private static func padded(_ nonce: [UInt8]) -> Block128 {
    Block128(nonce + [UInt8](repeating: 0, count: max(0, 16 - nonce.count))) ?? .zero
  }

  private func stream(_ bytes: [UInt8], from first: Block128, _ counting: Counting) -> [UInt8] {
    var output = bytes
    var counter = first
    var at = 0
    while at < bytes.count {
      let key = cipher.encrypt(counter)
      let count = min(16, bytes.count - at)
      for index in 0..<count { output[at + index] ^= key.byte(index) }
      at += count
      switch counting {
      case .big: counter = counter.next
      case .little: counter = counter.reversed.next.reversed
      case .word: counter = counter.next32
      }
    }
    return output
  }

  // MARK: CCM

  /// The counter block for the tag; the message uses the following ones (SP 800-38C, A.3).
  private func ccmCounter(_ nonce: [UInt8]) -> Block128 {
    Self.padded([UInt8(truncatingIfNeeded: 14 - nonce.count)] + nonce)
  }

  private func ccmTag(_ plain: [UInt8], _ parameters: Parameters, _ count: Int) -> [UInt8] {
    let lengthBytes = 15 - parameters.nonce.count
    let flags = (parameters.data.isEmpty ? 0 : 0x40) | UInt8((count - 2) / 2) << 3 | UInt8(lengthBytes - 1)
    let length = (0..<lengthBytes).reversed().map { $0 < 8 ? UInt8(truncatingIfNeeded: plain.count >> (8 * $0)) : 0 }
    var mac = cipher.encrypt(Block128([flags] + parameters.nonce + length) ?? .zero)
    func add(_ bytes: [UInt8]) {
      for start in stride(from: 0, to: bytes.count, by: 16) {
        mac = cipher.encrypt(mac ^ Self.padded(Array(bytes[start..<min(start + 16, bytes.count)])))
      }
    }
    let data = parameters.data
    if !data.isEmpty {
      let head: [UInt8] =
        data.count < 0xFF00
        ? [UInt8(data.count >> 8), UInt8(data.count & 0xFF)]
        : [0xFF, 0xFE] + (0..<4).reversed().map { UInt8(truncatingIfNeeded: data.count >> (8 * $0)) }
      add(head + data)
    }
    add(plain)
    return Array((mac ^ cipher.encrypt(ccmCounter(parameters.nonce))).bytes.prefix(count))
  }

  // MARK: GCM

  private func gcmCounter(_ nonce: [UInt8]) -> Block128 {
    if nonce.count == 12 { return Block128(nonce + [0, 0, 0, 1]) ?? .zero }
    return hash([nonce], lengths: Block128(high: 0, low: UInt64(nonce.count) * 8))
  }

  private func gcmTag(_ encrypted: [UInt8], _ parameters: Parameters, _ count: Int) -> [UInt8] {
    let lengths = Block128(high: UInt64(parameters.data.count) * 8, low: UInt64(encrypted.count) * 8)
    let hash = hash([parameters.data, encrypted], lengths: lengths)
    return Array((hash ^ cipher.encrypt(gcmCounter(parameters.nonce))).bytes.prefix(count))
  }

  /// GHASH (SP 800-38D, 6.4) over parts that are each padded with zeros, and a last block.
  private func hash(_ parts: [[UInt8]], lengths: Block128) -> Block128 {
    let key = cipher.encrypt(.zero)
    var state = Block128.zero
    for part in parts {
      for start in stride(from: 0, to: part.count, by: 16) {
        state = (state ^ Self.padded(Array(part[start..<min(start + 16, part.count)]))).product(key)
      }
    }
    return (state ^ lengths).product(key)
  }
}

extension Block128 {
  /// A byte, from the most significant one.
  func byte(_ index: Int) -> UInt8 { UInt8(truncatingIfNeeded: (index < 8 ? high : low) >> UInt64(56 - 8 * (index & 7))) }

  /// The number plus one.
  var next: Block128 {
    let (low, isOver) = self.low.addingReportingOverflow(1)
    return Block128(high: isOver ? high &+ 1 : high, low: low)
  }

  /// The block with its last four bytes incremented.
  var next32: Block128 { Block128(high: high, low: low & ~0xFFFF_FFFF | (low &+ 1) & 0xFFFF_FFFF) }

  /// The product in the field of GCM (SP 800-38D, 6.3), whose first bit is the most significant one.
  func product(_ other: Block128) -> Block128 {
    var result = Block128.zero
    var factor = other
    for index in 0..<128 {
      let word = index < 64 ? high : low
      if word >> UInt64(63 - index & 63) & 1 == 1 { result = result ^ factor }
      let carries = factor.low & 1 == 1
      factor = Block128(high: factor.high >> 1 ^ (carries ? 0xE1 << 56 : 0), low: factor.low >> 1 | factor.high << 63)
    }
    return result
  }
}
