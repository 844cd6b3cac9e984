import CSQLite
import Text

/// Why a query failed, in SQLite's words.
public struct QueryError: Error {
  /// SQLite's error message.
  public let message: String
}

/// One value of a result row of ``SQLiteQuery``. It is a copy, because SQLite frees the row when the next one is asked for.
public enum QueryValue {
  /// NULL.
  case null
  /// An integer.
  case int(Int64)
  /// A number with a fraction.
  case double(Double)
  /// A text, not necessarily valid UTF-8.
  case text([UInt8])
  /// Bytes.
  case blob([UInt8])
}

/// An SQL query. It can read the tables and compute, and nothing else: it cannot write, open other files, or load extensions.
@safe final class SQLiteQuery {
  private let database: SQLiteDatabase
  private var statement: OpaquePointer?
  /// Names of the columns.
  let columns: [String]
  /// The current row.
  private(set) var row: [QueryValue] = []

  /// The longest text, the longest row, and the longest statement, in bytes.
  private static let longest: (value: Int32, row: Int, statement: Int32) = (16 << 20, 16 << 20, 1 << 20)

  private static let readsOnly = "only SELECT: a question reads, and nothing else"

  /// Prepares the statement in `question`. Throws ``QueryError`` where there is none, or more than one.
  init(_ database: SQLiteDatabase, _ question: String) throws(QueryError) {
    self.database = database
    let handle = unsafe database.handle
    for (limit, value) in [
      (SQLITE_LIMIT_ATTACHED, 0), (SQLITE_LIMIT_TRIGGER_DEPTH, 0), (SQLITE_LIMIT_WORKER_THREADS, 0),
      (SQLITE_LIMIT_LENGTH, Self.longest.value), (SQLITE_LIMIT_SQL_LENGTH, Self.longest.statement),
    ] {
      unsafe sqlite3_limit(handle, limit, value)
    }
    unsafe sqlite3_set_authorizer(handle, Self.authorize, nil)
    var found: OpaquePointer?
    var (names, problem): ([String], String?) = ([], nil)
    var question = question
    question.withUTF8 { bytes in
      unsafe bytes.withMemoryRebound(to: CChar.self) { bytes in
        var rest = bytes.baseAddress
        let end = unsafe bytes.baseAddress.map { unsafe $0 + bytes.count }
        while let start = unsafe rest, let end = unsafe end, unsafe start < end {
          var next: OpaquePointer?
          if unsafe sqlite3_prepare_v3(handle, start, Int32(clamping: end - start), 0, &next, &rest) != SQLITE_OK {
            problem = unsafe String(cString: sqlite3_errmsg(handle))
            return
          }
          guard unsafe next != nil else { continue }
          guard unsafe found == nil else {
            unsafe sqlite3_finalize(next)
            problem = "one statement at a time"
            return
          }
          unsafe found = next
        }
      }
    }
    unsafe statement = unsafe found
    if unsafe found == nil { problem = problem ?? "no statement" }
    for column in unsafe 0..<sqlite3_column_count(found) {
      names.append(unsafe sqlite3_column_name(found, column).map { unsafe String(cString: $0) } ?? "")
    }
    columns = names
    // SQLite's message where the authorizer denied an action.
    if problem == "not authorized" { problem = Self.readsOnly }
    if let problem { throw QueryError(message: problem) }
    if unsafe sqlite3_stmt_readonly(statement) == 0 { throw QueryError(message: Self.readsOnly) }
  }

  deinit { unsafe sqlite3_finalize(statement) }

  /// Allows a statement, while it is prepared, to read, to compute, and to recurse.
  private static let authorize:
    @convention(c) (
      UnsafeMutableRawPointer?, Int32, UnsafePointer<CChar>?, UnsafePointer<CChar>?, UnsafePointer<CChar>?, UnsafePointer<CChar>?
    ) -> Int32 = { _, action, _, name, _, _ in
      switch action {
      case SQLITE_SELECT, SQLITE_READ, SQLITE_RECURSIVE: return SQLITE_OK
      case SQLITE_FUNCTION:
        let isLoading = unsafe name.map { unsafe String(cString: $0) }?.lowercased() == "load_extension"
        return isLoading ? SQLITE_DENY : SQLITE_OK
      default: return SQLITE_DENY
      }
    }

  /// Steps to the next row; false after the last. Throws ``QueryError``.
  func next() throws(QueryError) -> Bool {
    let status = unsafe sqlite3_step(statement)
    if status == SQLITE_DONE { return false }
    guard status == SQLITE_ROW else {
      if status & 0xFF == SQLITE_NOMEM { throw QueryError(message: "the question takes more than 256 MB of memory") }
      throw QueryError(message: unsafe String(cString: sqlite3_errmsg(database.handle)))
    }
    row.removeAll(keepingCapacity: true)
    var count = 0
    for column in 0..<Int32(clamping: columns.count) {
      // A blob of zeros takes no memory until its bytes are read.
      let type = unsafe sqlite3_column_type(statement, column)
      if type == SQLITE_TEXT || type == SQLITE_BLOB { count += unsafe Int(sqlite3_column_bytes(statement, column)) }
      guard count <= Self.longest.row else { throw QueryError(message: "a row of more than 16 MB") }
      row.append(value(column))
    }
    return true
  }

  private func value(_ column: Int32) -> QueryValue {
    switch unsafe sqlite3_column_type(statement, column) {
    case SQLITE_INTEGER: return .int(unsafe sqlite3_column_int64(statement, column))
    case SQLITE_FLOAT: return .double(unsafe sqlite3_column_double(statement, column))
    case SQLITE_TEXT:
      guard let start = unsafe sqlite3_column_text(statement, column) else { return .text([]) }
      return .text(unsafe Array(UnsafeBufferPointer(start: start, count: Int(sqlite3_column_bytes(statement, column)))))
    case SQLITE_BLOB:
      guard let start = unsafe sqlite3_column_blob(statement, column) else { return .blob([]) }
      return .blob(unsafe Array(UnsafeRawBufferPointer(start: start, count: Int(sqlite3_column_bytes(statement, column)))))
    default: return .null
    }
  }
}
