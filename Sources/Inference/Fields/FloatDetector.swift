import PacketCodecs

/// IEEE 754 numbers: of random bits hardly one in thirty has a common exponent.
enum FloatDetector: FieldDetector {
  /// In numbers with a constant first byte the range of the second byte is less than this, unless the bytes are random.
  static let spread = 0xc0

  static func claim(_ view: FieldView) -> FieldClaim? {
    guard view.size == 4, view.distinct >= 3 else { return nil }
    // Four digits or letters have a plausible exponent, too.
    if view.values.allSatisfy({ $0.allSatisfy { $0 >= 0x20 && $0 < 0x7f } }) { return nil }
    for endian in [ByteOrder.little, .big] {
      var good = 0
      var exponents = Set<Int>()
      var zero = 0
      for number in view.numbers(endian) {
        let value = Float(bitPattern: UInt32(truncatingIfNeeded: number))
        if number == 0 {
          zero += 1
          continue
        }
        guard value.isFinite, abs(value) > 1e-4, abs(value) < 1e7 else { break }
        good += 1
        exponents.insert(Int(value.exponent))
      }
      guard good + zero == view.values.count, good >= 3 else { continue }
      // A small integer of 4 bytes has no such exponent; a large one does.
      guard exponents.count <= 12, !isRandomBehindConstant(view.numbers(endian)) else { continue }
      // Where the high byte of the fraction is always zero although lower ones change, it is an integer next to a constant.
      if view.numbers(endian).allSatisfy({ $0 >> 16 & 0xff == 0 }), view.numbers(endian).contains(where: { $0 & 0xffff != 0 }) { continue }
      return FieldClaim(
        type: .float, endian: endian, bits: Double(min(Set(view.numbers(endian)).count, 10)) * 2.2 - 5,
        evidence: "\(good) numbers with a plausible exponent")
    }
    return nil
  }

  /// Whether the first byte is the same in all numbers and the second takes any value: random bytes after a constant byte look like numbers of one
  /// magnitude.
  private static func isRandomBehindConstant(_ numbers: [UInt64]) -> Bool {
    guard Set(numbers.map { $0 >> 24 }).count == 1 else { return false }
    let seconds = numbers.map { Int($0 >> 16 & 0xff) }
    guard let lowest = seconds.min(), let highest = seconds.max(), highest - lowest >= spread else { return false }
    let distinct = Set(numbers)
    return distinct.count { FieldSegmenter.isDecimal(Float(bitPattern: UInt32(truncatingIfNeeded: $0))) } * 2 < distinct.count
  }

  /// Whether four bytes at an offset, counted from the end where it is negative, are floating-point numbers in all frames: of one magnitude, and with
  /// a fraction that changes down to its last bits, or of few decimals.
  static func areFloats(_ frames: [ArraySlice<UInt8>], _ position: Int, _ order: ByteOrder) -> Bool {
    var distinct = Set<UInt32>()
    var exponents = Set<Int>()
    var low = Set<UInt8>()
    for frame in frames {
      let offset = position < 0 ? frame.count + position : position
      guard let number = frame.number(offset, 4, order) else { return false }
      let bits = UInt32(truncatingIfNeeded: number)
      let value = Float(bitPattern: bits)
      guard value.isFinite, abs(value) > 1e-2, abs(value) < 1e5 else { return false }
      distinct.insert(bits)
      exponents.insert(Int(value.exponent))
      low.insert(UInt8(truncatingIfNeeded: bits))
    }
    guard distinct.count >= 8, exponents.count <= 4 else { return false }
    return low.count * 2 >= min(distinct.count, 128) || distinct.allSatisfy { FieldSegmenter.isDecimal(Float(bitPattern: $0)) }
  }
}
