import PacketCodecs

/// How far words are from each other.
public enum Spelling {
  /// Number of letters to insert, remove, replace or swap to make one word of the other; for long words just the length of the longer.
  public static func distance(_ a: String, _ b: String) -> Int {
    let a = Array(a.utf8)
    let b = Array(b.utf8)
    return a.count < 64 && b.count < 64 ? editDistance(a, b) : max(a.count, b.count)
  }

  /// At most three of `names` that `word` may have been meant to be, the nearest first.
  public static func nearest(to word: String, among names: [String]) -> [String] {
    let wanted = word.lowercased()
    let limit = max(2, wanted.utf8.count / 4)
    let (lastPart, firstPart) = ("." + wanted, wanted + ".")
    var found: [(Int, String)] = []
    for name in names {
      let known = name.lowercased()
      // Each letter too many is at least one to change.
      let isNear = abs(wanted.utf8.count - known.utf8.count) <= limit
      var far = isNear ? distance(wanted, known) : Int.max
      // The last part alone is how many remember a field.
      if known.hasSuffix(lastPart) || known.hasPrefix(firstPart) { far = min(far, 1) }
      if far <= limit { found.append((far, name)) }
    }
    return found.sorted { ($0.0, $0.1) < ($1.0, $1.1) }.prefix(3).map(\.1)
  }
}
