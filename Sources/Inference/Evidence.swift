import PacketCodecs

/// Computes the confidence of claims.
enum Evidence {
  /// The confidence of a claim that would fit the data by chance with a probability of 2^-`bits`. `spent` bits are subtracted for the choice of the
  /// claim: the more claims are tried, the more likely one of them fits by chance.
  static func confidence(bits: Double, spent: Double = 0) -> Double {
    let left = bits - spent
    if left <= 0 { return 0 }
    return min(0.99, 1 - power(-left / 2.5))
  }

  /// 2^x.
  static func power(_ x: Double) -> Double {
    if x < -60 { return 0 }
    if x > 60 { return 1e18 }
    let whole = x.rounded(.down)
    let part = (x - whole) * 0.6931471805599453
    let fraction = 1 + part * (1 + part / 2 * (1 + part / 3 * (1 + part / 4 * (1 + part / 5 * (1 + part / 6)))))
    return Double(sign: .plus, exponent: Int(whole), significand: 1) * fraction
  }

  /// log2 of a positive number.
  static func log2(_ x: Double) -> Double {
    guard x > 0 else { return -60 }
    let exponent = Double(x.exponent)
    // ln m = 2 atanh((m-1)/(m+1)), m in 1..<2.
    let m = x.significand
    let y = (m - 1) / (m + 1)
    let s = y * y
    let series = y * (1 + s * (1 / 3.0 + s * (1 / 5.0 + s * (1 / 7.0 + s * (1 / 9.0 + s * (1 / 11.0 + s / 13.0))))))
    return exponent + 2 * series * 1.4426950408889634
  }

  /// Shannon's entropy in bits of counts.
  static func entropy(_ counts: some Sequence<Int>) -> Double {
    var n = 0
    var sum = 0.0
    for count in counts where count > 0 {
      n += count
      sum += Double(count) * log2(Double(count))
    }
    return n == 0 ? 0 : max(0, log2(Double(n)) - sum / Double(n))
  }

  /// The empirical entropy of `count` random bytes: less than 8 bits, as the sample is small.
  static func randomEntropy(_ count: Int) -> Double {
    guard count > 1 else { return 0 }
    // The number of occurrences of a value has a Poisson distribution.
    let mean = Double(count) / 256
    var probability = power(-mean * 1.4426950408889634)
    var sum = 0.0
    for times in 1...max(8, Int(mean) * 2 + 8) where times < 2000 {
      probability *= mean / Double(times)
      sum += probability * Double(times) * log2(Double(times))
    }
    return log2(Double(count)) - sum / mean
  }

  /// Bits to encode a sequence of `alphabet` possible values: which values occur, how often each, and in which order.
  static func adaptiveBits(_ counts: some Sequence<Int>, alphabet: Double) -> Double {
    var n = 0
    var kinds = 0
    var orders = 0.0
    for count in counts where count > 0 {
      n += count
      kinds += 1
      orders -= logFactorial(count)
    }
    guard n > 0 else { return 0 }
    orders += logFactorial(n)
    let names = Double(kinds) * log2(alphabet) - logFactorial(kinds)
    return names + logFactorial(n - 1) - logFactorial(kinds - 1) - logFactorial(n - kinds) + orders
  }

  /// log2 n!
  static func logFactorial(_ n: Int) -> Double {
    if n < factorials.count { return factorials[max(0, n)] }
    // Stirling.
    let x = Double(n)
    return x * log2(x) - x * 1.4426950408889634 + 0.5 * log2(6.283185307179586 * x)
  }

  private static let factorials: [Double] = {
    var list = [0.0]
    for n in 1..<1024 { list.append(list[n - 1] + log2(Double(n))) }
    return list
  }()
}

/// Values with their counts, the most frequent first; ties are sorted by value, so that results are the same in every run.
func histogram<T: Hashable & Comparable>(_ values: some Sequence<T>) -> [(value: T, count: Int)] {
  var counts: [T: Int] = [:]
  for value in values { counts[value, default: 0] += 1 }
  return counts.map { ($0.key, $0.value) }.sorted { $0.1 != $1.1 ? $0.1 > $1.1 : $0.0 < $1.0 }
}

extension Collection<UInt8> where Index == Int {
  /// The unsigned number of `size` bytes at `offset` from the start; nil where there are none.
  func number(_ offset: Int, _ size: Int, _ order: PacketCodecs.ByteOrder) -> UInt64? {
    guard offset >= 0, size >= 0, size <= 8, offset <= count - size else { return nil }
    var value: UInt64 = 0
    let first = startIndex + offset
    for index in 0..<size { value = value << 8 | UInt64(self[first + (order == .big ? index : size - 1 - index)]) }
    return value
  }
}
