/// Distinguishes bytes that look encrypted (or compressed) from plain data.
enum CipherDetector {
  struct Verdict {
    var isCipher: Bool
    /// Bytes in front that are plain.
    var header: Int
    var bytes: Int
    var entropy: Double
  }

  /// Examines the bytes of distinct frames. Encrypted bytes take all values equally often, at each offset, and change from frame to frame.
  static func judge(_ frames: [ArraySlice<UInt8>]) -> Verdict {
    let distinct = CheckDetector.different(frames, 1000)
    guard let longest = distinct.map(\.count).max() else { return Verdict(isCipher: false, header: 0, bytes: 0, entropy: 0) }
    for header in 0...min(8, longest) {
      var counts = [Int](repeating: 0, count: 256)
      var bytes = 0
      var repeats = 0
      var total = 0
      for frame in distinct {
        for byte in frame.dropFirst(header) {
          counts[Int(byte)] += 1
          bytes += 1
        }
      }
      guard bytes >= 512 else { break }
      // Chi-squared over 256 values: the mean is 255, the standard deviation 22.6.
      let expected = Double(bytes) / 256
      let chi = counts.reduce(0.0) { $0 + (Double($1) - expected) * (Double($1) - expected) / expected }
      guard chi < 255 + 4 * 22.6 else { continue }
      // At each offset a value is repeated in the next frame once in 256 times.
      for index in 1..<distinct.count {
        for (a, b) in zip(distinct[index - 1].dropFirst(header), distinct[index].dropFirst(header)) {
          total += 1
          if a == b { repeats += 1 }
        }
      }
      guard total >= 256, Double(repeats) < Double(total) / 256 + 4 * (Double(total) / 256).squareRoot() + 1 else { continue }
      // Each offset by itself.
      var isEven = true
      for column in header..<min(longest, header + 64) {
        var counts: [UInt8: Int] = [:]
        var n = 0
        for frame in distinct where column < frame.count {
          counts[frame[frame.startIndex + column], default: 0] += 1
          n += 1
        }
        let largest = counts.values.max() ?? 0
        if n >= 12, Double(largest) > max(4, Double(n) * 0.12) { isEven = false }
      }
      if isEven { return Verdict(isCipher: true, header: header, bytes: bytes, entropy: Evidence.entropy(counts)) }
    }
    return Verdict(isCipher: false, header: 0, bytes: 0, entropy: 0)
  }
}
