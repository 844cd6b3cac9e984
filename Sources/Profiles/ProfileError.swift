/// What is wrong with a profile, and where.
public struct ProfileError: Error, Equatable, Sendable, CustomStringConvertible {
  /// The profile's file name, or its id where it is built in.
  public var file: String
  /// Line, from 1; 0 where the fault has no place in the file.
  public var line: Int
  /// Column, from 1; 0 where the fault has no place in the file.
  public var column: Int
  /// What is wrong, and what would have been right.
  public var message: String

  /// Makes an error from its parts.
  public init(file: String, line: Int, column: Int, message: String) {
    self.file = file
    self.line = line
    self.column = column
    self.message = message
  }

  /// `file:line:column: message`.
  public var description: String {
    line > 0 ? "\(file):\(line):\(column): \(message)" : "\(file): \(message)"
  }
}

/// Finds the word of `words` that `wrong` was meant to be: at most a third of its letters differ. Returns nil where none is close.
func nearest(_ wrong: String, of words: some Sequence<String>) -> String? {
  let from = Array(wrong.utf8)
  var best: (word: String, distance: Int)?
  for word in words {
    let distance = editDistance(from, Array(word.utf8))
    if distance <= max(1, from.count / 3), distance < best?.distance ?? .max { best = (word, distance) }
  }
  return best?.word
}

/// The number of letters to insert, delete, replace or swap to make `b` of `a` (Damerau-Levenshtein, restricted).
private func editDistance(_ a: [UInt8], _ b: [UInt8]) -> Int {
  guard a.count < 200, b.count < 200 else { return .max }
  var before: [Int] = []
  var previous = Array(0...b.count)
  for i in 0..<a.count {
    var row = [i + 1]
    for j in 0..<b.count {
      var cost = min(previous[j + 1] + 1, row[j] + 1, previous[j] + (a[i] == b[j] ? 0 : 1))
      if i > 0, j > 0, a[i] == b[j - 1], a[i - 1] == b[j] { cost = min(cost, before[j - 1] + 1) }
      row.append(cost)
    }
    before = previous
    previous = row
  }
  return previous[b.count]
}
