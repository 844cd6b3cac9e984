import PacketCodecs

/// A mistake in a profile, and its position.
public struct ProfileError: Error, Equatable, Sendable, CustomStringConvertible {
  /// The profile's file name, or its id where it is built in.
  public var file: String
  /// Line, from 1; 0 where the error has no position in the file.
  public var line: Int
  /// Column, from 1; 0 where the error has no position in the file.
  public var column: Int
  /// The mistake, and how to correct it.
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

/// The word of `words` that is most similar to `wrong`; at most a third of the letters may differ. Nil where none is close.
func nearest(_ wrong: String, of words: some Sequence<String>) -> String? {
  let from = Array(wrong.utf8)
  guard from.count < 200 else { return nil }
  return PacketCodecs.nearest(to: from, of: words, limit: max(1, from.count / 3)) { Array($0.utf8) }
}
