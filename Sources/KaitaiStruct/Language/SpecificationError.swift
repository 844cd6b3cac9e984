import PacketCodecs

/// A place in a YAML file: 1-based line and column, counted in Unicode scalars.
public struct SourcePosition: Equatable, Sendable {
  /// Name of the file, as it was given to the compiler.
  public var file: String
  /// Line, from 1; 0 where the place is not known.
  public var line: Int
  /// Column, from 1; 0 where the place is not known.
  public var column: Int

  /// Makes a position from its parts.
  public init(file: String, line: Int, column: Int) {
    self.file = file
    self.line = line
    self.column = column
  }
}

/// What is wrong with a specification: one issue per mistake found, in the order of the file.
public struct SpecificationError: Error, CustomStringConvertible, Equatable, Sendable {
  /// One mistake.
  public struct Issue: CustomStringConvertible, Equatable, Sendable {
    /// Where it is.
    public var position: SourcePosition
    /// The way to the key from the top of the file: `/types/header/seq/0/size`.
    public var path: String
    /// What is wrong, and what would have been right.
    public var message: String

    /// Makes an issue from its parts.
    public init(position: SourcePosition, path: String, message: String) {
      self.position = position
      self.path = path
      self.message = message
    }

    /// `file:line:column: message (path)`, as compilers print it.
    public var description: String {
      let way = path.isEmpty ? "" : " (at \(path))"
      return "\(position.file):\(position.line):\(position.column): \(message)\(way)"
    }
  }

  /// The mistakes, at least one.
  public var issues: [Issue]

  /// Makes an error of `issues`.
  public init(issues: [Issue]) { self.issues = issues }

  /// One issue per line.
  public var description: String { issues.map(\.description).joined(separator: "\n") }
}

/// Collects what is wrong while a specification is loaded, so that one run reports all mistakes.
final class Diagnostics {
  private(set) var issues: [SpecificationError.Issue] = []

  func report(_ position: SourcePosition, _ path: String, _ message: String) {
    // A hostile file must not make an endless list.
    guard issues.count < 50 else { return }
    issues.append(.init(position: position, path: path, message: message))
  }

  func check() throws(SpecificationError) {
    if !issues.isEmpty { throw SpecificationError(issues: issues) }
  }
}

/// The word of `candidates` that `word` was probably meant to be, or nil where none is near.
func nearest<S: Sequence>(to word: String, of candidates: S) -> String? where S.Element == String {
  let target = Array(word.utf8)
  guard target.count <= 64 else { return nil }
  return PacketCodecs.nearest(to: target, of: candidates.lazy.filter { $0 != word }, limit: max(1, min(2, target.count / 3))) {
    Array($0.utf8)
  }
}

/// ` (did you mean "x"?)`, or nothing.
func suggestion<S: Sequence>(for word: String, of candidates: S) -> String where S.Element == String {
  nearest(to: word, of: candidates).map { " (did you mean \"\($0)\"?)" } ?? ""
}
