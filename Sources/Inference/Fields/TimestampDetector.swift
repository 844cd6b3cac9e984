import PacketCodecs

/// Seconds or milliseconds since 1970 that agree with the time of the capture, and ticks that go with it.
enum TimestampDetector: FieldDetector {
  static func claim(_ view: FieldView) -> FieldClaim? {
    guard view.size == 4 || view.size == 8 || view.size == 6, view.values.count >= 2 else { return nil }
    for endian in [ByteOrder.little, .big] {
      let numbers = view.numbers(endian)
      guard numbers.count == view.values.count else { continue }
      for (unit, name) in [(Int64(1_000_000), "seconds since 1970"), (1000, "milliseconds since 1970")] {
        guard unit == 1_000_000 ? view.size != 6 : view.size >= 6 else { continue }
        let near = zip(numbers, view.valueTimes).filter { value, time in
          guard value < 1 << 50 else { return false }
          let difference = Int64(value) - time / unit
          return abs(difference) < 36 * 3600 * (1_000_000 / unit)
        }
        if near.count == numbers.count, !numbers.isEmpty {
          return FieldClaim(
            type: .timestamp, endian: endian, bits: 12 + Double(min(view.distinct, 5)) * 3,
            evidence: "\(name), within a day and a half of the capture's time: \(near.count) of \(numbers.count)")
        }
      }
      // Ticks: the number grows with time, at one rate.
      if let claim = ticks(numbers, view.valueTimes, endian) { return claim }
    }
    return nil
  }

  private static func ticks(_ numbers: [UInt64], _ times: [Int64], _ endian: ByteOrder) -> FieldClaim? {
    guard numbers.count >= 8, let first = numbers.first, let last = numbers.last, last > first else { return nil }
    guard let t0 = times.first, let t1 = times.last, t1 > t0 else { return nil }
    let rate = Double(last - first) / Double(t1 - t0)
    var worst = 0.0
    for (value, time) in zip(numbers, times) {
      guard value >= first else { return nil }
      worst = max(worst, abs(Double(value - first) - rate * Double(time - t0)))
    }
    let span = Double(last - first)
    guard span >= 32, worst < span * 0.02 else { return nil }
    let perSecond = rate * 1_000_000
    let text = perSecond >= 100 ? String(Int(perSecond.rounded())) : String(Double(Int(perSecond * 100)) / 100)
    return FieldClaim(
      type: .timestamp, endian: endian, bits: min(30, 3 * Double(numbers.count)), evidence: "goes up with time, \(text) a second")
  }
}
