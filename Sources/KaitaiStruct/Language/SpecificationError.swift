import PacketCodecs

/// A position in a YAML file: 1-based line and column, counted in Unicode scalars.
public struct SourcePosition: Equatable, Sendable {
  /// Name of the file, as given to the compiler.
  public var file: String
  /// Line, from 1; 0 where it is unknown.
  public var line: Int
  /// Column, from 1; 0 where it is unknown.
  public var column: Int

  /// Creates a position.
  public init(file: String, line: Int, column: Int) {
    self.file = file
    self.line = line
    self.column = column
  }
}

/// The errors in a specification: one issue per error found, in the order of the file.
public struct SpecificationError: Error, CustomStringConvertible, Equatable, Sendable {
  /// One error.
  public struct Issue: CustomStringConvertible, Equatable, Sendable {
    /// Its position.
    public var position: SourcePosition
    /// The path to the key from the top of the file: `/types/header/seq/0/size`.
    public var path: String
    /// A sentence with the error, and with the expected form.
    public var message: String

    /// Creates an issue.
    public init(position: SourcePosition, path: String, message: String) {
      self.position = position
      self.path = path
      self.message = message
    }

    /// `file:line:column: message (path)`, in the format of compilers.
    public var description: String {
      let location = path.isEmpty ? "" : " (at \(path))"
      return "\(position.file):\(position.line):\(position.column): \(message)\(location)"
    }
  }

  /// The issues, at least one.
  public var issues: [Issue]

  /// Creates an error from `issues`.
  public init(issues: [Issue]) { self.issues = issues }

  /// One issue per line.
  public var description: String { issues.map(\.description).joined(separator: "\n") }
}

/// Collects errors while a specification is loaded, so that one run reports all of them.
final class Diagnostics {
  private(set) var issues: [SpecificationError.Issue] = []

  func report(_ position: SourcePosition, _ path: String, _ message: String) {
    // The number of issues is bounded for hostile files.
    guard issues.count < 50 else { return }
    issues.append(.init(position: position, path: path, message: message))
  }

  func check() throws(SpecificationError) {
    if !issues.isEmpty { throw SpecificationError(issues: issues) }
  }
}

/// The word of `candidates` most similar to `word`, or nil where none is similar.
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
