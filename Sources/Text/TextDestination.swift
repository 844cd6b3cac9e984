import Memory

/// The destination of a buffer's text.
public protocol TextDestination: AnyObject {
  /// Name of the destination, for messages.
  var path: String { get }
  /// Writes all of the bytes. Throws ``OutputError``.
  func write(_ bytes: BorrowedBytes) throws(OutputError)
  /// Ends the output: a file gets its name.
  func finish() throws
}

/// The reason why results cannot be written.
public enum OutputError: Error, Sendable {
  /// The reader of the pipe has gone, which is the end of the output and no error.
  case closed
  /// Writing failed; the text is the system's.
  case failed(path: String, reason: String)
}
