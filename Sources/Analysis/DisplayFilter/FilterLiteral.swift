import Text

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// Literals of filters.
enum FilterLiteral {
  /// An integer: decimal, `0x` hexadecimal, `0b` binary, `0` octal, with a sign.
  static func integer(_ text: String) -> Int128? {
    var digits = Substring(text)
    let isNegative = digits.hasPrefix("-")
    if isNegative || digits.hasPrefix("+") { digits = digits.dropFirst() }
    var radix = 10
    let lower = digits.lowercased()
    if lower.hasPrefix("0x") {
      radix = 16
      digits = digits.dropFirst(2)
    } else if lower.hasPrefix("0b") {
      radix = 2
      digits = digits.dropFirst(2)
    } else if digits.hasPrefix("0"), digits.count > 1 {
      radix = 8
      digits = digits.dropFirst()
    }
    guard let first = digits.utf8.first, first != UInt8(ascii: "-"), first != UInt8(ascii: "+"), let value = UInt64(digits, radix: radix)
    else { return nil }
    return isNegative ? -Int128(value) : Int128(value)
  }

  /// A number with decimals in billionths: `1.5` is 1500000000. Digits after the ninth decimal are ignored.
  static func decimal(_ text: String) -> Int128? {
    var digits = Substring(text)
    let isNegative = digits.hasPrefix("-")
    if isNegative { digits = digits.dropFirst() }
    let parts = digits.split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false)
    guard let first = parts.first, let whole = number(first, maximum: 15) else { return nil }
    var fraction: Int128 = 0
    if parts.count == 2 {
      guard parts[1].utf8.allSatisfy({ (48...57).contains($0) }) else { return nil }
      let nine = parts[1].prefix(9)
      fraction = Int128(nine.isEmpty ? 0 : number(nine, maximum: 9) ?? 0)
      for _ in nine.count..<9 { fraction *= 10 }
    }
    let value = Int128(whole) * 1_000_000_000 + fraction
    return isNegative ? -value : value
  }

  private static func number(_ digits: Substring, maximum: Int) -> Int? {
    guard !digits.isEmpty, digits.utf8.count <= maximum, digits.utf8.allSatisfy({ (48...57).contains($0) }) else { return nil }
    return Int(digits)
  }

  /// Bytes: hexadecimal digits, alone, in pairs or in groups, with `:`, `-`, `.` or nothing between them.
  static func bytes(_ text: String) -> [UInt8]? {
    var bytes: [UInt8] = []
    var high: UInt8?
    var isBehindSeparator = false
    var input = Substring(text)
    if input.lowercased().hasPrefix("0x") { input = input.dropFirst(2) }
    guard !input.isEmpty else { return nil }
    for byte in input.utf8 {
      let digit: UInt8
      switch byte {
      case UInt8(ascii: "0")...UInt8(ascii: "9"): digit = byte - 48
      case UInt8(ascii: "a")...UInt8(ascii: "f"): digit = byte - 87
      case UInt8(ascii: "A")...UInt8(ascii: "F"): digit = byte - 55
      case UInt8(ascii: ":"), UInt8(ascii: "-"), UInt8(ascii: "."):
        if bytes.isEmpty && high == nil || isBehindSeparator { return nil }
        if let digit = high { bytes.append(digit) }
        high = nil
        isBehindSeparator = true
        continue
      default: return nil
      }
      isBehindSeparator = false
      if let first = high {
        bytes.append(first << 4 | digit)
        high = nil
      } else {
        high = digit
      }
    }
    if let first = high { bytes.append(first) }
    return bytes
  }

  private static let months = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"]

  /// Nanoseconds since 1970: `2026-11-20 09:30:01.5`, `2026-11-20T09:30:01Z`, `Nov 20, 2026 09:30:01 UTC`; without a zone it is local time.
  static func date(_ text: String) -> Int128? {
    var words = text.split(separator: " ").map(String.init)
    // 2026-11-20T09:30:01Z
    if let whole = words.first, whole.first?.isNumber == true, let at = whole.firstIndex(of: "T") {
      words.replaceSubrange(0..<1, with: [String(whole[..<at]), String(whole[whole.index(after: at)...])])
    }
    guard let first = words.first else { return nil }
    let day: (Int, Int, Int)
    if let month = months.firstIndex(of: first.lowercased()) {
      guard words.count >= 3, words[1].hasSuffix(","), let date = number(words[1].dropLast(), maximum: 2),
        let year = number(words[2][...], maximum: 4)
      else { return nil }
      day = (year, month + 1, date)
      words.removeFirst(3)
    } else {
      let parts = first.split(separator: "-", omittingEmptySubsequences: false)
      guard parts.count == 3, let year = number(parts[0], maximum: 4), let month = number(parts[1], maximum: 2),
        let date = number(parts[2], maximum: 2)
      else { return nil }
      day = (year, month, date)
      words.removeFirst()
    }
    guard (1...12).contains(day.1), (1...31).contains(day.2) else { return nil }
    var clock: Int128 = 0
    var zone: Int?
    if let time = words.first {
      words.removeFirst()
      var digits = time[...]
      if digits.hasSuffix("Z") {
        digits = digits.dropLast()
        zone = 0
      } else if let sign = digits.lastIndex(where: { $0 == "+" || $0 == "-" }) {
        guard let offset = minutes(digits[digits.index(after: sign)...]) else { return nil }
        zone = digits[sign] == "-" ? -offset : offset
        digits = digits[..<sign]
      }
      let parts = digits.split(separator: ":", omittingEmptySubsequences: false)
      guard (2...3).contains(parts.count), let hour = number(parts[0], maximum: 2), let minute = number(parts[1], maximum: 2), hour < 24,
        minute < 60,
        let second = decimal(parts.count == 3 ? String(parts[2]) : "0"), second >= 0, second < 61_000_000_000
      else { return nil }
      clock = Int128(hour * 3600 + minute * 60) * 1_000_000_000 + second
    }
    if let word = words.first {
      guard words.count == 1, ["utc", "gmt", "z"].contains(word.lowercased()) else { return nil }
      zone = 0
    }
    let days = CivilDate(year: day.0, month: day.1, day: day.2).daysSince1970
    let midnight = Int128(days) * 86_400_000_000_000
    if let zone { return midnight + clock - Int128(zone) * 60_000_000_000 }
    return midnight + clock - Int128(localOffset(days * 86_400 + Int(clock / 1_000_000_000))) * 1_000_000_000
  }

  /// `02:00` or `0200` in minutes.
  private static func minutes(_ text: Substring) -> Int? {
    let digits = text.filter { $0 != ":" }
    guard digits.count == 4, let value = number(Substring(digits), maximum: 4) else { return nil }
    return value / 100 * 60 + value % 100
  }

  /// Seconds that local time is before UTC at a local time.
  private static func localOffset(_ seconds: Int) -> Int {
    var moment = time_t(seconds)
    var parts = unsafe tm()
    guard unsafe gmtime_r(&moment, &parts) != nil else { return 0 }
    unsafe parts.tm_isdst = -1
    let there = unsafe mktime(&parts)
    return there == -1 ? 0 : seconds - Int(there)
  }
}
