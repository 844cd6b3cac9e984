import KaitaiStruct
import Memory

/// The numbers of a field that mean no value, found by binary search, because a profile can have very many.
@safe struct AbsentNumbers {
  /// Ranges of integers, and of other numbers, in ascending order and without overlaps.
  let whole: Table<ClosedRange<Int128>>
  let real: Table<ClosedRange<Double>>

  var isEmpty: Bool { whole.count == 0 && real.count == 0 }

  func contains(_ value: KaitaiValue) -> Bool {
    if whole.count > 0 {
      if let number = value.asInt.map({ Int128($0) }) ?? value.asUInt.map({ Int128($0) }) {
        if Self.contains(number, in: whole, { $0 }) { return true }
      } else if let number = value.asDouble, Self.contains(number, in: whole, { Double($0) }) {
        return true
      }
    }
    guard real.count > 0, let number = value.asDouble else { return false }
    return Self.contains(number, in: real) { $0 }
  }

  private static func contains<Bound, Number: Comparable>(
    _ number: Number, in ranges: Table<ClosedRange<Bound>>, _ convert: (Bound) -> Number
  ) -> Bool {
    // The first range that does not end before the number.
    var (low, high) = (0, ranges.count)
    while low < high {
      let middle = (low &+ high) >> 1
      if convert(ranges[middle].upperBound) < number { low = middle &+ 1 } else { high = middle }
    }
    return low < ranges.count && convert(ranges[low].lowerBound) <= number && number <= convert(ranges[low].upperBound)
  }
}

/// Ranges in ascending order, with overlapping ones joined.
func merged<Bound>(_ ranges: [ClosedRange<Bound>]) -> [ClosedRange<Bound>] {
  var result: [ClosedRange<Bound>] = []
  for range in ranges.sorted(by: { $0.lowerBound < $1.lowerBound }) {
    if let last = result.last, range.lowerBound <= last.upperBound {
      result[result.count - 1] = last.lowerBound...max(last.upperBound, range.upperBound)
    } else {
      result.append(range)
    }
  }
  return result
}
