/// Whole numbers of any size, as the decimal digits of bytes, the highest byte first.
enum DecimalDigits {
  /// More bytes are shown as bytes.
  static let mostBytes = 64

  /// The digits of the number that the bytes are.
  static func text(_ bytes: [UInt8]) -> [UInt8] {
    // Groups of nine digits, the lowest first.
    var groups: [UInt64] = [0]
    for byte in bytes {
      var carry = UInt64(byte)
      for place in groups.indices {
        let value = groups[place] * 256 + carry
        groups[place] = value % 1_000_000_000
        carry = value / 1_000_000_000
      }
      if carry > 0 { groups.append(carry) }
    }
    var text = String(groups[groups.count - 1])
    for group in groups.dropLast().reversed() {
      let digits = String(group)
      text += String(repeating: "0", count: 9 - digits.count) + digits
    }
    return Array(text.utf8)
  }

  /// The bytes of a number in decimal digits, filled with zeros in front to `count`; nil where it is none, or does not fit.
  static func bytes(_ text: String, count: Int?) -> [UInt8]? {
    guard !text.isEmpty, text.utf8.count <= 160, text.utf8.allSatisfy({ $0 >= 0x30 && $0 <= 0x39 }) else { return nil }
    // The lowest byte first.
    var bytes: [UInt8] = []
    for digit in text.utf8 {
      var carry = UInt(digit - 0x30)
      for place in bytes.indices {
        let value = UInt(bytes[place]) * 10 + carry
        bytes[place] = UInt8(truncatingIfNeeded: value)
        carry = value >> 8
      }
      if carry > 0 { bytes.append(UInt8(truncatingIfNeeded: carry)) }
    }
    if let count {
      guard bytes.count <= count else { return nil }
      bytes += [UInt8](repeating: 0, count: count - bytes.count)
    }
    return bytes.reversed()
  }
}
