import Memory

/// Where the text of a buffer goes.
public protocol TextDestination: AnyObject {
  /// What is written to, for messages to people.
  var path: String { get }
  /// Writes all of the bytes. Throws ``OutputError``.
  func write(_ bytes: BorrowedBytes) throws(OutputError)
  /// Ends the output: a file gets its name.
  func finish() throws
}

/// Why results cannot be written.
public enum OutputError: Error, Sendable {
  /// The reader of the pipe has gone, which is the end of the output and no error.
  case closed
  /// Writing failed; the text is the system's.
  case failed(path: String, reason: String)
}
