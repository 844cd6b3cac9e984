/// Fields that are parts of a date or of a time of day, according to their names: year, month and day, or hour and minute, in one type. A single such
/// name is a count, and plural hours, minutes and seconds are a duration.
enum ClockFields {
  /// The part of a date or a time that a name stands for; nil where it is none. `isOne` says that the name is in the singular.
  static func part(_ name: String) -> (kind: String, isSingular: Bool)? {
    // Most names have other endings.
    guard let end = name.utf8.last, ends.contains(end), name.utf8.count >= 3 else { return nil }
    var words = name.split(separator: "_").map { $0.lowercased() }
    // A suffix for its digits or bytes.
    if words.count > 1, let last = words.last, digits.contains(last) { words.removeLast() }
    guard let last = words.popLast(), words.allSatisfy({ !others.contains($0) }) else { return nil }
    if kinds.contains(last) { return (last, true) }
    return last.last == "s" && kinds.contains(String(last.dropLast())) ? (String(last.dropLast()), false) : nil
  }

  /// Indices of the names of a type that are parts of a date or of a time.
  static func clockIndices(_ names: [String]) -> [Int] {
    guard names.count > 1 else { return [] }
    let parts = names.map(part)
    let singular = Set(parts.compactMap { $0.flatMap { $0.isSingular ? $0.kind : nil } })
    return singular.count > 1 ? parts.indices.filter { parts[$0] != nil } : []
  }

  private static let kinds: Set<String> = ["year", "month", "day", "hour", "minute", "second"]
  /// The last letters of these, of their plurals and of the suffixes for digits.
  private static let ends: Set<UInt8> = Set("rhyedsw".utf8)
  private static let digits: Set<String> = ["tens", "ones", "low", "high", "bcd"]
  /// Words before a name that make it a count, or the date of production.
  private static let others: Set<String> = [
    "per", "since", "after", "ago", "has", "is", "production", "manufacture", "manufactured", "manufacturing", "build", "firmware",
  ]
}
