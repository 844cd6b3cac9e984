/// Integers that fit neither 64 signed nor 64 unsigned bits are shown as text of their digits.
enum WideNumber {
  /// The digits of the number, where it does not fit 64 bits.
  static func digits(_ number: Int128) -> String? {
    Int64(exactly: number) == nil && UInt64(exactly: number) == nil ? String(number) : nil
  }

  /// Whether a text is an integer: digits, with a minus sign for negative ones.
  static func isWhole(_ text: some Collection<UInt8>) -> Bool {
    let digits = text.first == UInt8(ascii: "-") ? text.dropFirst() : text[...]
    return !digits.isEmpty && digits.allSatisfy { $0 >= 0x30 && $0 <= 0x39 }
  }
}

/// Converts between decimal digits and integers of any size as bytes, the highest byte first.
enum DecimalDigits {
  /// Most bytes; longer numbers are shown as bytes.
  static let maxBytes = 64

  /// The digits of the number that the bytes are; of −1 − this number where it is negative (RFC 8949, 3.4.3).
  static func text(_ bytes: [UInt8], isNegative: Bool = false) -> [UInt8] {
    // Groups of nine digits, the lowest first.
    var groups: [UInt64] = [0]
    for byte in bytes {
      var carry = UInt64(byte)
      for index in groups.indices {
        let value = groups[index] * 256 + carry
        groups[index] = value % 1_000_000_000
        carry = value / 1_000_000_000
      }
      if carry > 0 { groups.append(carry) }
    }
    if isNegative {
      var index = 0
      groups[0] += 1
      while groups[index] == 1_000_000_000 {
        groups[index] = 0
        index += 1
        if index == groups.count { groups.append(0) }
        groups[index] += 1
      }
    }
    var text = (isNegative ? "-" : "") + String(groups[groups.count - 1])
    for group in groups.dropLast().reversed() {
      let digits = String(group)
      text += String(repeating: "0", count: 9 - digits.count) + digits
    }
    return Array(text.utf8)
  }

  /// The bytes of a number in decimal digits, padded with leading zeros to `count`; nil where the text is no number, or does not fit.
  static func bytes(_ text: String, count: Int?) -> [UInt8]? {
    guard !text.isEmpty, text.utf8.count <= 160, text.utf8.allSatisfy({ $0 >= 0x30 && $0 <= 0x39 }) else { return nil }
    // The lowest byte first.
    var bytes: [UInt8] = []
    for digit in text.utf8 {
      var carry = UInt(digit - 0x30)
      for index in bytes.indices {
        let value = UInt(bytes[index]) * 10 + carry
        bytes[index] = UInt8(truncatingIfNeeded: value)
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
