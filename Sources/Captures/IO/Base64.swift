/// Decodes base64 (RFC 4648, section 4), a character at a time; white space is ignored.
struct Base64 {
  private(set) var bytes: [UInt8] = []
  private var bits: UInt32 = 0
  private var have = 0

  /// Takes a character. Returns false for characters outside of base64, which end the data.
  mutating func take(_ character: UInt8) -> Bool {
    let value: UInt8
    switch character {
    case UInt8(ascii: "A")...UInt8(ascii: "Z"): value = character - 65
    case UInt8(ascii: "a")...UInt8(ascii: "z"): value = character - 71
    case UInt8(ascii: "0")...UInt8(ascii: "9"): value = character + 4
    case UInt8(ascii: "+"): value = 62
    case UInt8(ascii: "/"): value = 63
    case 9, 10, 13, 32, UInt8(ascii: "="): return true
    default: return false
    }
    bits = bits << 6 | UInt32(value)
    have += 6
    if have >= 8 {
      have -= 8
      bytes.append(UInt8(truncatingIfNeeded: bits >> UInt32(have)))
    }
    return true
  }
}
