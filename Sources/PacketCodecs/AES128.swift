/// The block cipher AES with keys of 128 bits (FIPS 197), encryption only, for Bluetooth's address and pairing functions (Core, Vol 3, Part H,
/// 2.2.1). Intended for few blocks, not for streams; it is not protected against timing attacks.
public struct AES128: Sendable {
  /// The round keys, four words each.
  private let schedule: [UInt32]

  /// Makes a cipher from a key whose first byte is the most significant one of `high`.
  public init(high: UInt64, low: UInt64) {
    var words = [UInt32](repeating: 0, count: 44)
    words[0] = UInt32(truncatingIfNeeded: high >> 32)
    words[1] = UInt32(truncatingIfNeeded: high)
    words[2] = UInt32(truncatingIfNeeded: low >> 32)
    words[3] = UInt32(truncatingIfNeeded: low)
    var constant: UInt32 = 1
    for at in 4..<44 {
      var word = words[at - 1]
      if at % 4 == 0 {
        word = Self.substitute(word << 8 | word >> 24) ^ constant << 24
        constant = UInt32(Self.double(UInt8(constant)))
      }
      words[at] = words[at - 4] ^ word
    }
    schedule = words
  }

  /// Encrypts one block of 16 bytes; the first byte is the most significant one of `high`. Returns the block in the same order.
  public func encrypt(high: UInt64, low: UInt64) -> (high: UInt64, low: UInt64) {
    let mixed = Self.mixed
    var a = UInt32(truncatingIfNeeded: high >> 32) ^ schedule[0]
    var b = UInt32(truncatingIfNeeded: high) ^ schedule[1]
    var c = UInt32(truncatingIfNeeded: low >> 32) ^ schedule[2]
    var d = UInt32(truncatingIfNeeded: low) ^ schedule[3]
    // SubBytes, ShiftRows and MixColumns in one: byte r of column c comes from column c + r (5.1.1 to 5.1.3).
    func column(_ a: UInt32, _ b: UInt32, _ c: UInt32, _ d: UInt32) -> UInt32 {
      let (second, third, fourth) = (mixed[Int(b >> 16 & 0xFF)], mixed[Int(c >> 8 & 0xFF)], mixed[Int(d & 0xFF)])
      return mixed[Int(a >> 24)] ^ (second >> 8 | second << 24) ^ (third >> 16 | third << 16) ^ (fourth >> 24 | fourth << 8)
    }
    for at in stride(from: 4, to: 40, by: 4) {
      let next = (column(a, b, c, d), column(b, c, d, a), column(c, d, a, b), column(d, a, b, c))
      a = next.0 ^ schedule[at]
      b = next.1 ^ schedule[at + 1]
      c = next.2 ^ schedule[at + 2]
      d = next.3 ^ schedule[at + 3]
    }
    let box = Self.box
    func last(_ a: UInt32, _ b: UInt32, _ c: UInt32, _ d: UInt32) -> UInt32 {
      let low = UInt32(box[Int(c >> 8 & 0xFF)]) << 8 | UInt32(box[Int(d & 0xFF)])
      return UInt32(box[Int(a >> 24)]) << 24 | UInt32(box[Int(b >> 16 & 0xFF)]) << 16 | low
    }
    return (
      UInt64(last(a, b, c, d) ^ schedule[40]) << 32 | UInt64(last(b, c, d, a) ^ schedule[41]),
      UInt64(last(c, d, a, b) ^ schedule[42]) << 32 | UInt64(last(d, a, b, c) ^ schedule[43])
    )
  }

  /// The result of MixColumns (5.1.3) for a byte of the first row after SubBytes: twice, once, once and three times.
  private static let mixed: [UInt32] = box.map { byte in
    let twice = double(byte)
    return UInt32(twice) << 24 | UInt32(byte) << 16 | UInt32(byte) << 8 | UInt32(twice ^ byte)
  }

  /// Twice a byte in the field of 256 elements (4.2.1).
  private static func double(_ byte: UInt8) -> UInt8 { byte << 1 ^ (byte & 0x80 != 0 ? 0x1B : 0) }

  private static func substitute(_ word: UInt32) -> UInt32 {
    var result: UInt32 = 0
    for shift: UInt32 in [24, 16, 8, 0] { result |= UInt32(box[Int(word >> shift & 0xFF)]) << shift }
    return result
  }

  /// The S-box (5.1.1): the inverse in the field, then an affine map; computed once.
  private static let box: [UInt8] = {
    var box = [UInt8](repeating: 0, count: 256)
    // p runs through all elements as powers of 3, q through their inverses.
    var (p, q): (UInt8, UInt8) = (1, 1)
    repeat {
      p ^= double(p)
      q ^= q << 1
      q ^= q << 2
      q ^= q << 4
      if q & 0x80 != 0 { q ^= 0x09 }
      let rotated = q ^ (q << 1 | q >> 7) ^ (q << 2 | q >> 6) ^ (q << 3 | q >> 5) ^ (q << 4 | q >> 4)
      box[Int(p)] = rotated ^ 0x63
    } while p != 1
    box[0] = 0x63
    return box
  }()
}
