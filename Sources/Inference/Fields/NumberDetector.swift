import PacketCodecs

/// Integers; signed if their values are around zero only when read as signed.
enum NumberDetector: FieldDetector {
  static func claim(_ view: FieldView) -> FieldClaim? {
    guard [1, 2, 3, 4, 8].contains(view.size), view.distinct >= 2 else { return nil }
    let endian = view.endian ?? .big
    let numbers = view.numbers(endian)
    guard let low = numbers.min(), let high = numbers.max() else { return nil }
    let half = UInt64(1) << UInt64(8 * view.size - 1)
    // Unsigned values at both ends of the range with none between are small signed values around zero.
    let quarter = half / 2
    let atEnds = numbers.allSatisfy { $0 < quarter || $0 >= half &+ quarter }
    // Zeros are no evidence, because they can mean that nothing was measured. Numbers that are all far from zero are no evidence either.
    let (positive, negative) = numbers.reduce(into: ([Int64](), [Int64]())) { lists, number in
      if number >= half { lists.1.append(signed(number, view.size)) } else if number > 0 { lists.0.append(signed(number, view.size)) }
    }
    let isBothSides = numbers.count >= 4 && isNear(positive, negative)
    // In one byte this can also be an enumeration: only values that change in small steps are a number.
    let isSigned = isBothSides && atEnds && (view.size > 1 || isSmooth(numbers))
    let order = view.size > 1 ? (endian == .big ? ", high byte first" : ", low byte first") : ""
    // Where all bits of the high byte are set and the low byte changes, the values are small and negative.
    if view.size > 1, positive.isEmpty, let lowest = negative.min(), let nearest = negative.max(), nearest >= -0x80,
      lowest >= (view.size == 2 ? -0x100 : -0x8000), view.distinct >= 3
    {
      let highest = low == 0 ? 0 : nearest
      return FieldClaim(type: .int, endian: endian, bits: 3, evidence: "\(view.distinct) values, \(lowest) to \(highest)\(order)")
    }
    if isSigned {
      // Each number is there by chance with a probability of one half.
      let bits = min(14, Double(view.distinct)) - 4
      if bits > 2 {
        return FieldClaim(type: .int, endian: view.size > 1 ? endian : nil, bits: bits, evidence: "values around zero\(order)")
      }
    }
    return FieldClaim(
      type: .uint, endian: view.size > 1 ? endian : nil, bits: 2, evidence: "\(view.distinct) values, \(low) to \(high)\(order)")
  }

  /// Whether there are numbers on both sides of zero: several of each, or such that the nearest ones are nearer to each other than most.
  private static func isNear(_ positive: [Int64], _ negative: [Int64]) -> Bool {
    guard let least = positive.min(), let most = positive.max(), let lowest = negative.min(), let nearest = negative.max() else {
      return false
    }
    if min(positive.count, negative.count) * 10 >= positive.count + negative.count { return true }
    return (least / 2 - nearest / 2) <= (most / 2 - lowest / 2) / 2
  }

  /// A number of so many bytes, read as signed.
  private static func signed(_ number: UInt64, _ size: Int) -> Int64 {
    let shift = 64 - 8 * size
    return Int64(bitPattern: number << UInt64(shift)) >> Int64(shift)
  }

  /// Whether consecutive bytes differ by smaller steps when read as signed.
  private static func isSmooth(_ numbers: [UInt64]) -> Bool {
    guard Set(numbers).count >= 8 else { return false }
    var signed = 0
    var unsigned = 0
    for index in 1..<numbers.count {
      let (before, now) = (UInt8(truncatingIfNeeded: numbers[index - 1]), UInt8(truncatingIfNeeded: numbers[index]))
      signed += abs(Int(Int8(bitPattern: now)) - Int(Int8(bitPattern: before)))
      unsigned += abs(Int(now) - Int(before))
    }
    return signed * 2 < unsigned && signed < 24 * numbers.count
  }
}

/// Bits that change one by one, and a byte that alternates.
enum FlagDetector: FieldDetector {
  static func claim(_ view: FieldView) -> FieldClaim? {
    guard view.size == 1, view.distinct >= 2, view.distinct <= 32 else { return nil }
    let list = view.values.map { $0[$0.startIndex] }
    var changes = 0
    var single = 0
    var moved: UInt8 = 0
    for index in 1..<list.count where list[index] != list[index - 1] {
      let bits = list[index] ^ list[index - 1]
      changes += 1
      if bits & (bits - 1) == 0 {
        single += 1
        moved |= bits
      }
    }
    if view.distinct == 2, changes == list.count - 1, changes >= 8 {
      // Of two values that differ in more than one bit none is the other with a flag.
      let isFlag = moved.nonzeroBitCount == 1
      return FieldClaim(
        type: isFlag ? .flags : .enum, endian: nil, bits: 5, evidence: "takes turns with each message: \(changes) of \(changes)")
    }
    // A counter changes a single bit in half of its steps.
    guard changes >= 12, single * 5 >= changes * 4, moved.nonzeroBitCount >= 3, view.distinct >= 4 else { return nil }
    let names = (0..<8).filter { moved >> UInt8($0) & 1 == 1 }.map(String.init).joined(separator: ", ")
    return FieldClaim(type: .flags, endian: nil, bits: 5, evidence: "bits \(names) change one by one: \(single) of \(changes) times")
  }
}

/// A few values that recur.
enum EnumDetector: FieldDetector {
  static func claim(_ view: FieldView) -> FieldClaim? {
    guard view.size == 1, view.distinct >= 2, view.distinct <= 8, view.values.count >= 4 * view.distinct else { return nil }
    let counts = histogram(view.values.map { $0[$0.startIndex] })
    // Numbers are adjacent; enumeration values need not be.
    let list = counts.map(\.value).sorted()
    let text = list.map { String($0) }.joined(separator: ", ")
    let isPowers = list.allSatisfy { $0 == 0 || $0 & ($0 - 1) == 0 } && list.count >= 4
    if isPowers { return FieldClaim(type: .flags, endian: nil, bits: 3.5, evidence: "single bits: \(text)") }
    return FieldClaim(type: .enum, endian: nil, bits: 3, evidence: "\(list.count) values: \(text)")
  }
}

/// Digits of a decimal number, two in each byte.
enum BCDDetector: FieldDetector {
  static func claim(_ view: FieldView) -> FieldClaim? {
    if view.size == 1 { return single(view) }
    guard view.size >= 2, view.size <= 8, view.distinct >= 6 else { return nil }
    guard view.values.allSatisfy({ $0.allSatisfy { $0 >> 4 <= 9 && $0 & 15 <= 9 } }) else { return nil }
    var columns = 0
    for index in 0..<view.size where Set(view.values.map { $0[$0.startIndex + index] }).count >= 4 { columns += 1 }
    // A random byte has no digit above 9 in 39 of 100 cases.
    let bits = 1.35 * Double(columns * min(view.distinct, 20)) - 8
    guard bits > 8, columns >= 1 else { return nil }
    return FieldClaim(type: .bcd, endian: .big, bits: bits, evidence: "decimal digits only: \(view.values.count) of \(view.values.count)")
  }

  /// Two digits: minutes, hours. Numbers that are small have such digits, too: only values of two digits count.
  private static func single(_ view: FieldView) -> FieldClaim? {
    let values = Set(view.values.map { $0[$0.startIndex] })
    guard let highest = values.max(), highest >= 0x20, values.allSatisfy({ $0 >> 4 <= 9 && $0 & 15 <= 9 }) else { return nil }
    let share = Double(Int(highest >> 4) * 10 + Int(highest & 15) + 1 - 10) / Double(Int(highest) + 1 - 10)
    let bits = -Evidence.log2(share) * Double(values.count { $0 > 9 }) - 4
    guard bits > 3 else { return nil }
    return FieldClaim(
      type: .bcd, endian: nil, bits: min(bits, 12), evidence: "decimal digits only: \(view.values.count) of \(view.values.count)")
  }
}

/// Bytes of which nothing else is known.
enum BytesDetector: FieldDetector {
  static func claim(_ view: FieldView) -> FieldClaim? {
    FieldClaim(type: .bytes, endian: nil, bits: 1, evidence: "\(view.distinct) values")
  }
}
