import PacketCodecs

/// A byte that equals the last value of a source with a known meaning.
enum KnownValueDetector: FieldDetector {
  static func claim(_ view: FieldView) -> FieldClaim? {
    guard view.size == 1, view.distinct >= 2, !view.context.knownValues.isEmpty else { return nil }
    var names: [String] = []
    for value in view.context.knownValues where !names.contains(value.name) { names.append(value.name) }
    for name in names {
      let known = view.context.knownValues.filter { $0.name == name }
      var distinct = Set<UInt8>()
      var good = 0
      var seen = 0
      var next = 0
      for (value, time) in zip(view.values, view.valueTimes) {
        while next < known.count, known[next].time <= time { next += 1 }
        // The last known value before the message, or the next one.
        let near = [next > 0 ? known[next - 1].value : nil, next < known.count ? known[next].value : nil].compactMap { $0 }
        guard let byte = value.first, !near.isEmpty else { continue }
        seen += 1
        if near.contains(Int(byte)) {
          good += 1
          distinct.insert(byte)
        }
      }
      if seen >= 3, good == seen, distinct.count >= 2 {
        return FieldClaim(
          type: .uint, endian: nil, bits: 7 * Double(distinct.count), evidence: "what the \(name) was then: \(good) of \(seen)")
      }
    }
    return nil
  }
}
