/// The block cipher AES with keys of 128 bits (FIPS 197), encryption only: what Bluetooth builds its address and pairing functions on
/// (Core, Vol 3, Part H, 2.2.1). Made for few blocks, not for streams, and not against an attacker who measures time.
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
    var state = [UInt8](repeating: 0, count: 16)
    for at in 0..<8 {
      state[at] = UInt8(truncatingIfNeeded: high >> UInt64(56 - 8 * at))
      state[at + 8] = UInt8(truncatingIfNeeded: low >> UInt64(56 - 8 * at))
    }
    add(round: 0, &state)
    for round in 1...10 {
      // SubBytes and ShiftRows in one: byte r of column c comes from column c + r (5.1.1, 5.1.2).
      var next = state
      for column in 0..<4 {
        for row in 0..<4 { next[4 * column + row] = Self.box[Int(state[(4 * (column + row) + row) & 15])] }
      }
      if round < 10 {
        for column in 0..<4 { Self.mix(&next, 4 * column) }
      }
      state = next
      add(round: round, &state)
    }
    var result: (high: UInt64, low: UInt64) = (0, 0)
    for at in 0..<8 {
      result.high = result.high << 8 | UInt64(state[at])
      result.low = result.low << 8 | UInt64(state[at + 8])
    }
    return result
  }

  private func add(round: Int, _ state: inout [UInt8]) {
    for column in 0..<4 {
      let word = schedule[4 * round + column]
      for row in 0..<4 { state[4 * column + row] ^= UInt8(truncatingIfNeeded: word >> UInt32(24 - 8 * row)) }
    }
  }

  /// MixColumns (5.1.3) of the column that starts at `at`.
  private static func mix(_ state: inout [UInt8], _ at: Int) {
    let (a, b, c, d) = (state[at], state[at + 1], state[at + 2], state[at + 3])
    let all = a ^ b ^ c ^ d
    state[at] = a ^ all ^ double(a ^ b)
    state[at + 1] = b ^ all ^ double(b ^ c)
    state[at + 2] = c ^ all ^ double(c ^ d)
    state[at + 3] = d ^ all ^ double(d ^ a)
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
