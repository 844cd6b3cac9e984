/// Fields that are parts of a date or of a time of day, as their names say it: year, month and day, or hour and minute, in one type. One such name alone
/// counts something, and so do hours, minutes and seconds: they are a duration.
enum ClockFields {
  /// What a name is of a date or a time; nil where it is nothing of them. `isOne` where it is in the singular.
  static func part(_ name: String) -> (kind: String, isOne: Bool)? {
    // Most names end otherwise.
    guard let end = name.utf8.last, ends.contains(end), name.utf8.count >= 3 else { return nil }
    var words = name.split(separator: "_").map { $0.lowercased() }
    // The digits or the bytes of one.
    if words.count > 1, let last = words.last, digits.contains(last) { words.removeLast() }
    guard let last = words.popLast(), words.allSatisfy({ !others.contains($0) }) else { return nil }
    if kinds.contains(last) { return (last, true) }
    return last.last == "s" && kinds.contains(String(last.dropLast())) ? (String(last.dropLast()), false) : nil
  }

  /// Which of the names of a type are parts of a date or of a time.
  static func places(_ names: [String]) -> [Int] {
    guard names.count > 1 else { return [] }
    let parts = names.map(part)
    let singular = Set(parts.compactMap { $0.flatMap { $0.isOne ? $0.kind : nil } })
    return singular.count > 1 ? parts.indices.filter { parts[$0] != nil } : []
  }

  private static let kinds: Set<String> = ["year", "month", "day", "hour", "minute", "second"]
  /// The last letters of these, of their plurals and of what stands for their digits.
  private static let ends: Set<UInt8> = Set("rhyedsw".utf8)
  private static let digits: Set<String> = ["tens", "ones", "low", "high", "bcd"]
  /// What stands before a name that counts something, or tells when a device was made.
  private static let others: Set<String> = [
    "per", "since", "after", "ago", "has", "is", "production", "manufacture", "manufactured", "manufacturing", "build", "firmware",
  ]
}
