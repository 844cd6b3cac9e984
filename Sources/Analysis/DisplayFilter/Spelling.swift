import PacketCodecs

/// The edit distance of words.
public enum Spelling {
  /// Number of letters to insert, remove, replace or swap to change one word into the other; for long words just the length of the longer.
  public static func distance(_ a: String, _ b: String) -> Int {
    let a = Array(a.utf8)
    let b = Array(b.utf8)
    return a.count < 64 && b.count < 64 ? editDistance(a, b) : max(a.count, b.count)
  }

  /// At most three of `names` similar to `word`, the nearest first.
  public static func nearest(to word: String, among names: [String]) -> [String] {
    let wanted = word.lowercased()
    let limit = max(2, wanted.utf8.count / 4)
    let (lastPart, firstPart) = ("." + wanted, wanted + ".")
    var found: [(Int, String)] = []
    for name in names {
      let known = name.lowercased()
      // The difference in length is a lower bound of the distance.
      let isNear = abs(wanted.utf8.count - known.utf8.count) <= limit
      var far = isNear ? distance(wanted, known) : Int.max
      // Many users remember only the last part of a field's name.
      if known.hasSuffix(lastPart) || known.hasPrefix(firstPart) { far = min(far, 1) }
      if far <= limit { found.append((far, name)) }
    }
    return found.sorted { ($0.0, $0.1) < ($1.0, $1.1) }.prefix(3).map(\.1)
  }
}
