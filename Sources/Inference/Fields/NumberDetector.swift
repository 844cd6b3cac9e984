import PacketCodecs

/// Whole numbers; signed where their values lie around zero only then.
enum NumberDetector: FieldDetector {
  static func claim(_ view: FieldView) -> FieldClaim? {
    guard [1, 2, 3, 4, 8].contains(view.size), view.distinct >= 2 else { return nil }
    let endian = view.endian ?? .big
    let numbers = view.numbers(endian)
    guard let low = numbers.min(), let high = numbers.max() else { return nil }
    let half = UInt64(1) << UInt64(8 * view.size - 1)
    // Values at both ends of the range and none between are small ones around zero.
    let quarter = half / 2
    let atEnds = numbers.allSatisfy { $0 < quarter || $0 >= half &+ quarter }
    let isSigned = view.size > 1 && numbers.contains { $0 >= half } && atEnds && numbers.contains { $0 < quarter } && numbers.count >= 4
    let order = view.size > 1 ? (endian == .big ? ", high byte first" : ", low byte first") : ""
    if isSigned {
      // Each number lies there by chance in one of two cases.
      let bits = min(14, Double(view.distinct)) - 4
      if bits > 2 { return FieldClaim(type: .int, endian: endian, bits: bits, evidence: "values around zero\(order)") }
    }
    return FieldClaim(
      type: .uint, endian: view.size > 1 ? endian : nil, bits: 2, evidence: "\(view.distinct) values, \(low) to \(high)\(order)")
  }
}

/// A few values that come again and again.
enum EnumDetector: FieldDetector {
  static func claim(_ view: FieldView) -> FieldClaim? {
    guard view.size == 1, view.distinct >= 2, view.distinct <= 8, view.values.count >= 4 * view.distinct else { return nil }
    let counts = histogram(view.values.map { $0[$0.startIndex] })
    // Numbers lie beside each other; names need not.
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
    guard view.size >= 2, view.size <= 8, view.distinct >= 6 else { return nil }
    guard view.values.allSatisfy({ $0.allSatisfy { $0 >> 4 <= 9 && $0 & 15 <= 9 } }) else { return nil }
    var columns = 0
    for place in 0..<view.size where Set(view.values.map { $0[$0.startIndex + place] }).count >= 4 { columns += 1 }
    // A byte has no digit above 9 by chance in 39 of 100 times.
    let bits = 1.35 * Double(columns * min(view.distinct, 20)) - 8
    guard bits > 8, columns >= 1 else { return nil }
    return FieldClaim(type: .bcd, endian: .big, bits: bits, evidence: "decimal digits only: \(view.values.count) of \(view.values.count)")
  }
}

/// Bytes of which nothing else is known.
enum BytesDetector: FieldDetector {
  static func claim(_ view: FieldView) -> FieldClaim? {
    FieldClaim(type: .bytes, endian: nil, bits: 1, evidence: "\(view.distinct) values")
  }
}
