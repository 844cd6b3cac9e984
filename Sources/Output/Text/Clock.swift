import Analysis
import Text

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// Formats of times, named as in tshark's `-t`.
public enum TimeFormat: String, Sendable, CaseIterable {
  /// Seconds since the first packet.
  case r
  /// Local time of day.
  case a
  /// Local date and time.
  case ad
  /// Seconds since the previous packet.
  case d
  /// Seconds since 1970.
  case e
  /// UTC time of day.
  case u
  /// UTC date and time.
  case ud
}

/// Writes times. Keeps the text of the last second, as the next packet is mostly in the same second.
public final class Clock {
  private var second: Int64 = .min
  /// The date, `T`, and the time of day of that second.
  private let text = TextBuffer(capacity: 64)
  private var isLocal = false

  /// Makes a clock.
  public init() {}

  @inline(__always)
  private func read(_ time: Int64, local: Bool) -> UInt64 {
    let now = time.quotientFloor(1_000_000)
    if now != second || local != isLocal { set(now, local) }
    return UInt64(time &- now &* 1_000_000)
  }

  private func set(_ now: Int64, _ local: Bool) {
    second = now
    isLocal = local
    var shifted = now
    if local {
      var clock = time_t(now)
      var parts = unsafe tm()
      unsafe localtime_r(&clock, &parts)
      shifted = unsafe now + Int64(parts.tm_gmtoff)
    }
    let days = shifted.quotientFloor(86_400)
    let ofDay = UInt64(shifted - days * 86_400)
    let date = CivilDate(daysSince1970: Int(days))
    text.clear()
    if date.year < 0 { text.byte(UInt8(ascii: "-")) }
    text.padded(UInt64(date.year.magnitude), date.year.magnitude > 9999 ? 6 : 4)
    text.byte(UInt8(ascii: "-"))
    text.padded(UInt64(date.month), 2)
    text.byte(UInt8(ascii: "-"))
    text.padded(UInt64(date.day), 2)
    text.byte(UInt8(ascii: "T"))
    text.padded(ofDay / 3600, 2)
    text.byte(UInt8(ascii: ":"))
    text.padded(ofDay / 60 % 60, 2)
    text.byte(UInt8(ascii: ":"))
    text.padded(ofDay % 60, 2)
    // It is read in words.
    text.reserve(16)
  }

  /// Appends `2026-01-31T09:30:00.123456Z`.
  @inline(__always)
  public func rfc3339(_ time: Int64, to out: TextBuffer) {
    let micros = read(time, local: false)
    unsafe out.append(words: text.start, text.count)
    out.byte(UInt8(ascii: "."))
    out.padded(micros, 6)
    out.byte(UInt8(ascii: "Z"))
  }

  /// Appends `2026-01-31 09:30:00`, without fractions.
  public func dateAndTime(_ time: Int64, local: Bool = false, to out: TextBuffer) {
    _ = read(time, local: local)
    writeDate(to: out)
    out.byte(0x20)
    writeTime(to: out)
  }

  /// Appends `09:30:00`, after its date if that differs from the date of `first`, the start of the capture. If the capture has no time of day, this
  /// is the time since `first`.
  public func timeOfDay(_ time: Int64, since first: Int64?, to out: TextBuffer) {
    if let first, !CaptureFacts.hasTimeOfDay(first) { return elapsed(time &- first, to: out) }
    let day: Int64 = 86_400_000_000
    if let first, first.quotientFloor(day) != time.quotientFloor(day) { dateAndTime(time, to: out) } else { timeOfDay(time, to: out) }
  }

  /// Appends `00:01:30`: hours, of which there can be more than a day has, minutes and seconds.
  private func elapsed(_ micros: Int64, to out: TextBuffer) {
    let whole = micros.quotientFloor(1_000_000)
    if whole < 0 { out.byte(UInt8(ascii: "-")) }
    let seconds = whole.magnitude
    out.padded(seconds / 3600, 2)
    out.byte(UInt8(ascii: ":"))
    out.padded(seconds / 60 % 60, 2)
    out.byte(UInt8(ascii: ":"))
    out.padded(seconds % 60, 2)
  }

  /// Appends when a capture begins, for its heading: ` from 2026-01-31 09:30:00 UTC`, or that it has no time of day.
  func beginning(_ first: Int64, to out: TextBuffer) {
    if CaptureFacts.hasTimeOfDay(first) {
      out.text(" from ")
      dateAndTime(first, to: out)
      out.text(" UTC")
    } else {
      out.text(" without a time of day")
    }
  }

  /// Appends `09:30:00`, without fractions.
  public func timeOfDay(_ time: Int64, to out: TextBuffer) {
    _ = read(time, local: false)
    writeTime(to: out)
  }

  /// Bytes of the time of day at the end of the text.
  private static let timeCount = 8

  @inline(__always)
  private func writeDate(to out: TextBuffer) { unsafe out.append(words: text.start, text.count &- Self.timeCount &- 1) }

  @inline(__always)
  private func writeTime(to out: TextBuffer) { unsafe out.append(words: text.start + (text.count &- Self.timeCount), Self.timeCount) }

  /// Appends a time in one of the formats; `first` and `previous` are the times that relative ones refer to.
  @inline(__always)
  public func write(_ time: Int64, _ format: TimeFormat, first: Int64, previous: Int64, to out: TextBuffer) {
    switch format {
    case .r: seconds(time &- first, to: out)
    case .d: seconds(time &- previous, to: out)
    case .e: seconds(time, to: out)
    case .a, .u:
      let micros = read(time, local: format == .a)
      writeTime(to: out)
      out.byte(UInt8(ascii: "."))
      out.padded(micros, 6)
    case .ad, .ud:
      let micros = read(time, local: format == .ad)
      writeDate(to: out)
      out.byte(0x20)
      writeTime(to: out)
      out.byte(UInt8(ascii: "."))
      out.padded(micros, 6)
    }
  }

  /// Appends microseconds as seconds with six decimals.
  @inline(__always)
  public func seconds(_ micros: Int64, to out: TextBuffer) {
    if micros < 0 { out.byte(UInt8(ascii: "-")) }
    let magnitude = micros.magnitude
    out.unsigned(magnitude / 1_000_000)
    out.byte(UInt8(ascii: "."))
    out.padded(magnitude % 1_000_000, 6)
  }

  /// Appends a duration in readable units: `850 µs`, `19.1 ms`, `1.9 s`, `5 min 12 s`, `2 h 4 min`.
  public func duration(_ micros: Int64, to out: TextBuffer) {
    if micros < 0 { out.byte(UInt8(ascii: "-")) }
    let value = Int(clamping: micros.magnitude)
    if value < 1000 {
      out.decimal(value)
      out.text(" µs")
    } else if value < 1_000_000 {
      tenths(value / 100, " ms", to: out)
    } else if value < 120_000_000 {
      tenths(value / 100_000, " s", to: out)
    } else if value < 7_200_000_000 {
      out.decimal(value / 60_000_000)
      out.text(" min ")
      out.decimal(value / 1_000_000 % 60)
      out.text(" s")
    } else if value < 172_800_000_000 {
      out.decimal(value / 3_600_000_000)
      out.text(" h ")
      out.decimal(value / 60_000_000 % 60)
      out.text(" min")
    } else {
      out.decimal(value / 86_400_000_000)
      out.text(" d ")
      out.decimal(value / 3_600_000_000 % 24)
      out.text(" h")
    }
  }

  /// Appends a parameter of a connection, which is a multiple of 1.25 ms, without rounding: `7.5 ms`, `48.75 ms`, `30 ms`, `1.28 s`.
  public func interval(_ micros: Int64, to out: TextBuffer) {
    if micros < 0 { out.byte(UInt8(ascii: "-")) }
    let value = micros.magnitude
    let (whole, unit): (UInt64, StaticString) = value < 1_000_000 ? (1000, " ms") : (1_000_000, " s")
    out.unsigned(value / whole)
    var rest = value % whole
    if rest > 0 { out.byte(UInt8(ascii: ".")) }
    var divisor = whole / 10
    while rest > 0 {
      out.unsigned(rest / divisor)
      rest %= divisor
      divisor /= 10
    }
    out.text(unit)
  }

  private func tenths(_ tenths: Int, _ unit: StaticString, to out: TextBuffer) {
    out.decimal(tenths / 10)
    if tenths < 1000 {
      out.byte(UInt8(ascii: "."))
      out.decimal(tenths % 10)
    }
    out.text(unit)
  }
}

extension Int64 {
  /// Quotient rounded towards negative infinity; `divisor` is positive.
  @inline(__always)
  func quotientFloor(_ divisor: Int64) -> Int64 {
    let quotient = self / divisor
    return self % divisor < 0 ? quotient - 1 : quotient
  }
}
