import Text

/// A time on the command line: `2026-01-31T09:30:00.25Z` (UTC, the `T` may be a space, seconds and fraction may be left out), seconds since 1970
/// (`1769851800.25`), or `+12.5` seconds after a capture's first packet.
public enum TimePoint: Sendable, Equatable {
  /// Microseconds since 1970-01-01 UTC.
  case absolute(Int64)
  /// Microseconds after the first packet.
  case relative(Int64)

  /// Reads a time; nil where it is none.
  public init?(_ text: String) {
    if text.hasPrefix("+") {
      guard let value = TimePoint.microseconds(text.dropFirst()) else { return nil }
      self = .relative(value)
      return
    }
    if let value = TimePoint.microseconds(text[...]) {
      self = .absolute(value)
      return
    }
    var body = text[...]
    if body.last == "Z" || body.last == "z" { body.removeLast() }
    let halves = body.split(whereSeparator: { $0 == "T" || $0 == "t" || $0 == " " })
    let date = halves.first?.split(separator: "-").compactMap { Int($0) } ?? []
    guard (1...2).contains(halves.count), date.count == 3, (1...9999).contains(date[0]), (1...12).contains(date[1]),
      (1...31).contains(date[2])
    else { return nil }
    var seconds = CivilDate(year: date[0], month: date[1], day: date[2]).daysSince1970 * 86400
    var fraction: Int64 = 0
    if halves.count == 2 {
      let clock = halves[1].split(separator: ":", omittingEmptySubsequences: false)
      guard (2...3).contains(clock.count), let hour = Int(clock[0]), let minute = Int(clock[1]), (0...23).contains(hour),
        (0...59).contains(minute), let last = TimePoint.microseconds(clock.count == 3 ? clock[2] : "0"), last < 61_000_000
      else { return nil }
      seconds += hour * 3600 + minute * 60
      fraction = last
    }
    self = .absolute(Int64(seconds) * 1_000_000 + fraction)
  }

  /// The time in microseconds since 1970 in a capture that starts at `start`.
  public func time(start: Int64) -> Int64 {
    switch self {
    case .absolute(let time): time
    case .relative(let after): start &+ after
    }
  }

  /// Decimal seconds as microseconds.
  private static func microseconds(_ text: Substring) -> Int64? {
    let parts = text.split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false)
    guard let whole = parts.first, let seconds = Int64(whole), (0...1_000_000_000_000).contains(seconds) else { return nil }
    if parts.count == 1 { return seconds * 1_000_000 }
    let digits = parts[1].prefix(6)
    guard !digits.isEmpty, parts[1].allSatisfy({ $0.isASCII && $0.isNumber }), var fraction = Int64(digits) else { return nil }
    for _ in digits.count..<6 { fraction *= 10 }
    return seconds * 1_000_000 + fraction
  }
}
