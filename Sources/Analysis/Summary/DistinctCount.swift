#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// Estimates the number of distinct values in a large set, in 16 KB, with an error of about one per cent (HyperLogLog, Flajolet and others 2007).
struct DistinctCount: Sendable {
  private static let bits = 14
  /// For each group of hashes, the most leading zeros of any of them, plus one; allocated with the first number.
  private var longest: [UInt8] = []

  init() {}

  /// No number was seen.
  var isEmpty: Bool { longest.isEmpty }

  mutating func insert(_ number: UInt64) {
    if longest.isEmpty { longest = [UInt8](repeating: 0, count: 1 << Self.bits) }
    // The finalizer of SplitMix64: a change of any bit of the number changes half of the hash bits.
    var hash = number &+ 0x9E37_79B9_7F4A_7C15
    hash = (hash ^ hash >> 30) &* 0xBF58_476D_1CE4_E5B9
    hash = (hash ^ hash >> 27) &* 0x94D0_49BB_1331_11EB
    hash ^= hash >> 31
    let group = Int(truncatingIfNeeded: hash >> UInt64(64 - Self.bits))
    let zeros = UInt8((hash << UInt64(Self.bits)).leadingZeroBitCount)
    longest[group] = max(longest[group], min(zeros, 63) + 1)
  }

  /// The estimated number of distinct numbers.
  var estimate: Int {
    guard !longest.isEmpty else { return 0 }
    let groups = Double(longest.count)
    var sum = 0.0
    var empty = 0
    for rank in longest {
      sum += Double(sign: .plus, exponent: -Int(rank), significand: 1)
      if rank == 0 { empty += 1 }
    }
    let estimate = 0.7213 / (1 + 1.079 / groups) * groups * groups / sum
    // With few numbers, counting the empty groups is more exact (linear counting).
    return Int((estimate <= 2.5 * groups && empty > 0 ? groups * log(groups / Double(empty)) : estimate).rounded())
  }
}
