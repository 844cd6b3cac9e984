/// The smallest number of bytes to insert, delete, change or swap with their neighbour to turn `a` into `b` (Damerau-Levenshtein, restricted), for
/// "did you mean" suggestions. The time is the product of the lengths.
package func editDistance(_ a: [UInt8], _ b: [UInt8]) -> Int {
  var before: [Int] = []
  var previous = Array(0...b.count)
  for i in 0..<a.count {
    var row = [i + 1]
    row.reserveCapacity(b.count + 1)
    for j in 0..<b.count {
      var cost = min(previous[j] + (a[i] == b[j] ? 0 : 1), previous[j + 1] + 1, row[j] + 1)
      if i > 0, j > 0, a[i] == b[j - 1], a[i - 1] == b[j] { cost = min(cost, before[j - 1] + 1) }
      row.append(cost)
    }
    before = previous
    previous = row
  }
  return previous[b.count]
}

/// The first of `words` that is nearest to the written one, with at most `limit` edits; nil where none is. `bytes` returns the bytes of a word to
/// compare.
package func nearest<Words: Sequence>(
  to written: [UInt8], of words: Words, limit: Int, _ bytes: (Words.Element) -> [UInt8]
) -> Words.Element? {
  var best: (distance: Int, word: Words.Element)?
  for word in words {
    let other = bytes(word)
    // The difference in length is a lower bound of the distance.
    guard abs(other.count - written.count) <= limit else { continue }
    let distance = editDistance(written, other)
    if distance <= limit, distance < best?.distance ?? .max { best = (distance, word) }
  }
  return best?.word
}
