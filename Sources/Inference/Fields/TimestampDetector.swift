import PacketCodecs

/// Seconds or milliseconds since 1970 that agree with the time of the capture, and ticks that grow with it.
enum TimestampDetector: FieldDetector {
  static func claim(_ view: FieldView) -> FieldClaim? {
    if view.size == 2 || view.size == 3 { return narrowTicks(view) }
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
      if let claim = ticks(numbers, view.valueTimes, endian, isWide: view.size == 8) { return claim }
    }
    return nil
  }

  /// Most ticks per second of a clock: it counts microseconds or longer units. A clock of eight bytes may count nanoseconds.
  private static let maxTicks = 2e6, maxWideTicks = 2e9

  private static func ticks(_ numbers: [UInt64], _ times: [Int64], _ endian: ByteOrder, isWide: Bool) -> FieldClaim? {
    guard numbers.count >= 8, let first = numbers.first, let last = numbers.last, last > first else { return nil }
    guard let t0 = times.first, let t1 = times.last, t1 > t0 else { return nil }
    let rate = Double(last - first) / Double(t1 - t0)
    var worst = 0.0
    var sum = 0.0
    for (value, time) in zip(numbers, times) {
      guard value >= first else { return nil }
      let distance = abs(Double(value - first) - rate * Double(time - t0))
      worst = max(worst, distance)
      sum += distance
    }
    let span = Double(last - first)
    guard span >= 32, worst < span * 0.02 else { return nil }
    // A counter of messages with other bytes after it grows with time, too, but deviates by half a step.
    let step = span / Double(numbers.count - 1)
    guard sum / Double(numbers.count) <= max(1, 0.2 * step) else { return nil }
    let perSecond = rate * 1_000_000
    // A number of several bytes can grow faster than any clock.
    guard perSecond < (isWide ? maxWideTicks : maxTicks) else { return nil }
    let text = perSecond >= 100 ? String(Int(perSecond.rounded())) : String(Double(Int(perSecond * 100)) / 100)
    return FieldClaim(
      type: .timestamp, endian: endian, bits: min(30, 3 * Double(numbers.count)), evidence: "goes up with time, \(text) a second")
  }

  /// Ticks of two or three bytes, which wrap around.
  private static func narrowTicks(_ view: FieldView) -> FieldClaim? {
    guard view.values.count >= 8, view.distinct >= 6 else { return nil }
    let wrap = Double(UInt64(1) << UInt64(8 * view.size))
    for endian in [view.endian ?? .little, view.endian == .big ? .little : .big] {
      let numbers = view.numbers(endian)
      var rates: [Double] = []
      var pauses: [Double] = []
      var steps: [(step: Double, pause: Double)] = []
      for index in 1..<numbers.count {
        let pause = Double(view.valueTimes[index] - view.valueTimes[index - 1])
        let step = Double((numbers[index] &- numbers[index - 1]) & (UInt64(wrap) - 1))
        steps.append((step, pause))
        if pause > 0 {
          rates.append(step / pause)
          pauses.append(pause)
        }
      }
      guard rates.count >= 7 else { return nil }
      rates.sort()
      pauses.sort()
      let guess = rates[rates.count / 2]
      // A number that wraps with each message can be anything.
      guard guess > 0, guess * pauses[pauses.count / 2] < wrap / 4 else { continue }
      // The number of wraps since the previous number follows from the pause.
      var sum = 0.0
      var time = 0.0
      var points: [(time: Double, ticks: Double)] = [(0, 0)]
      for (step, pause) in steps {
        sum += step + wrap * ((guess * pause - step) / wrap).rounded()
        time += pause
        points.append((time, sum))
      }
      guard time > 0, sum > 16 else { continue }
      let rate = sum / time
      let worst = points.reduce(0.0) { max($0, abs($1.ticks - rate * $1.time)) }
      // The probability that a number unrelated to time is as near.
      let chance = (2 * worst + 1) / min(wrap, sum)
      guard chance < 0.1, worst < 0.02 * sum + 1 else { continue }
      let bits = -Evidence.log2(chance) * Double(min(points.count - 2, 24)) - 16
      guard bits > 8 else { continue }
      let perSecond = rate * 1_000_000
      guard perSecond < maxTicks else { continue }
      let isWhole = perSecond >= 100 || abs(perSecond - perSecond.rounded()) < 0.02
      let text = isWhole ? String(Int(perSecond.rounded())) : String(Double(Int(perSecond * 100 + 0.5)) / 100)
      return FieldClaim(type: .timestamp, endian: endian, bits: min(30, bits), evidence: "goes up with time, \(text) a second")
    }
    return nil
  }
}
