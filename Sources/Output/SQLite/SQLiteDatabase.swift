import Bluetooth
import CSQLite
import Captures
import Memory
import Text

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// A new SQLite database, filled by prepared statements in one transaction. The file gets its name only when it is complete.
@safe final class SQLiteDatabase {
  private let file: NewFile?
  private let path: String
  private(set) var handle: OpaquePointer?
  /// Prepared statements, finalized with the database.
  fileprivate var statements: [OpaquePointer?] = unsafe []

  /// Makes a file. Throws ``CaptureError`` where it cannot be written.
  init(_ path: String) throws(CaptureError) {
    self.path = path
    Self.uncounted
    let file = try NewFile(path)
    self.file = file
    guard let temporary = file.temporary else { throw .unwritable(path: path, reason: "an SQLite file has to be a plain file") }
    guard unsafe sqlite3_open_v2(temporary, &handle, SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_NOMUTEX, nil) == SQLITE_OK
    else {
      throw unsafe .unwritable(path: path, reason: String(cString: sqlite3_errmsg(handle)))
    }
  }

  /// Makes a private database that is removed with this object. SQLite keeps it in memory, and pages beyond its cache in an unnamed file. Throws
  /// ``OutputError``.
  init() throws(OutputError) {
    path = "the database"
    file = nil
    Self.counted
    let flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_NOMUTEX
    guard unsafe sqlite3_open_v2("", &handle, flags, nil) == SQLITE_OK else { throw failure }
    try run("PRAGMA cache_size=-65536")
  }

  private static let uncounted: Void = btscribe_sqlite_configure(0)
  /// Limits SQLite's memory, because a query can need any amount.
  private static let counted: Void = btscribe_sqlite_configure(256 << 20)

  deinit {
    unsafe statements.forEach { unsafe sqlite3_finalize($0) }
    unsafe sqlite3_close_v2(handle)
  }

  /// Runs statements without result rows. Throws ``OutputError``.
  func run(_ statements: String) throws(OutputError) {
    if unsafe sqlite3_exec(handle, statements, nil, nil, nil) != SQLITE_OK { throw failure }
  }

  /// Commits and gives the file its name; a database without a name can be queried from now on. Throws ``OutputError`` and ``CaptureError``.
  func finish() throws {
    try run("COMMIT")
    unsafe statements.forEach { unsafe sqlite3_finalize($0) }
    unsafe statements.removeAll()
    guard let file else { return }
    guard unsafe sqlite3_close(handle) == SQLITE_OK else { throw failure }
    unsafe handle = nil
    try file.commit()
  }

  /// SQLite's last error.
  fileprivate var failure: OutputError {
    let code = unsafe sqlite3_system_errno(handle)
    let isWriting = unsafe [SQLITE_IOERR, SQLITE_FULL].contains(sqlite3_errcode(handle) & 0xFF)
    let reason = unsafe isWriting && code != 0 ? systemMessage(code) : String(cString: sqlite3_errmsg(handle))
    return .failed(path: path, reason: reason)
  }
}

/// A prepared INSERT of one row or several: values are added in the order of its columns, row after row, then it is run.
@safe final class SQLiteInsert {
  private let database: SQLiteDatabase
  private var statement: OpaquePointer?
  private var column: Int32 = 0
  private let columns: Int32
  /// What is bound to a column.
  private enum Bound { case nothing, number(Int), other }
  /// By column: a statement keeps its values, and binding the same number again takes ten times as long as comparing it.
  private var bound: [Bound]
  /// Number of rows that it writes at once.
  let rows: Int
  /// Bytes of all texts and blobs so far, and some for each row's numbers.
  private(set) var writtenBytes = 0
  /// Number of the current row, from 1.
  private(set) var row = 0
  /// Tells SQLite to copy the value (`SQLITE_TRANSIENT`).
  private static let transient = unsafe unsafeBitCast(-1, to: sqlite3_destructor_type.self)

  /// What the numbers of a row take on average.
  private static let bytesOfNumbers = 24

  /// Fills `table`, which has `columns` columns, with `rows` rows at once.
  init(_ database: SQLiteDatabase, _ table: String, columns: Int, rows: Int = 1) throws(OutputError) {
    self.database = database
    self.columns = Int32(columns * rows)
    self.rows = rows
    bound = [Bound](repeating: .nothing, count: columns * rows + 1)
    let row = "(\(repeatElement("?", count: columns).joined(separator: ",")))"
    let parameters = repeatElement(row, count: rows).joined(separator: ",")
    guard
      unsafe sqlite3_prepare_v3(
        database.handle, "INSERT INTO \(table) VALUES\(parameters)", -1, UInt32(SQLITE_PREPARE_PERSISTENT), &statement, nil)
        == SQLITE_OK
    else { throw database.failure }
    unsafe database.statements.append(statement)
  }

  /// Begins a row, whose first column is its number.
  @inline(__always)
  func begin() {
    row &+= 1
    column = 0
    int(row)
  }

  /// Begins a row, or several, without a number of its own.
  @inline(__always)
  func beginUnnumbered() { column = 0 }

  @inline(__always)
  func null() {
    column &+= 1
    // The previous row's value must not remain.
    if case .nothing = bound[Int(column)] { return }
    unsafe sqlite3_bind_null(statement, column)
    bound[Int(column)] = .nothing
  }

  /// Moves to the next column, which gets a value.
  @inline(__always)
  private func advance() {
    column &+= 1
    bound[Int(column)] = .other
  }

  @inline(__always)
  func int(_ value: Int) {
    column &+= 1
    if case .number(value) = bound[Int(column)] { return }
    bound[Int(column)] = .number(value)
    unsafe sqlite3_bind_int64(statement, column, sqlite3_int64(value))
  }

  /// A number where `isThere`, else NULL.
  @inline(__always)
  func int(_ value: Int, if isThere: Bool) { if isThere { int(value) } else { null() } }

  func double(_ value: Double) {
    advance()
    unsafe sqlite3_bind_double(statement, column, value)
  }

  /// A static text; NULL where it is empty.
  @inline(__always)
  func text(_ text: StaticString) { unsafe bind(text.utf8Start, text.utf8CodeUnitCount, nil) }

  @inline(__always)
  func text(_ name: StaticName) { unsafe bind(name.start, name.count, nil) }

  /// A text, NULL where it is empty.
  func text(_ text: String) {
    var text = text
    text.withUTF8 { unsafe bind($0.baseAddress, $0.count, Self.transient) }
  }

  /// Bytes of text that stay valid until the row is written, NULL where there are none.
  @inline(__always)
  func text(borrowed bytes: BorrowedBytes) { unsafe bind(bytes.start.assumingMemoryBound(to: UInt8.self), bytes.count, nil) }

  /// The text of a buffer, NULL where it is empty.
  func text(_ gathered: TextBuffer) { unsafe bind(gathered.gathered.baseAddress, gathered.count, Self.transient) }

  @inline(__always)
  private func bind(_ start: UnsafePointer<UInt8>?, _ count: Int, _ keeping: sqlite3_destructor_type?) {
    guard let start = unsafe start, count > 0 else { return null() }
    advance()
    writtenBytes &+= count
    unsafe start.withMemoryRebound(to: CChar.self, capacity: count) {
      _ = unsafe sqlite3_bind_text(statement, column, $0, Int32(clamping: count), keeping)
    }
  }

  /// Bytes that stay valid until the row is written.
  @inline(__always)
  func blob(_ bytes: BorrowedBytes) {
    advance()
    writtenBytes &+= bytes.count
    if bytes.isEmpty {
      unsafe sqlite3_bind_zeroblob(statement, column, 0)
    } else {
      unsafe sqlite3_bind_blob(statement, column, bytes.start, Int32(clamping: bytes.count), nil)
    }
  }

  /// Bytes, which are copied.
  func blob(copying bytes: BorrowedBytes) {
    advance()
    writtenBytes &+= bytes.count
    if bytes.isEmpty {
      unsafe sqlite3_bind_zeroblob(statement, column, 0)
    } else {
      unsafe sqlite3_bind_blob(statement, column, bytes.start, Int32(clamping: bytes.count), Self.transient)
    }
  }

  /// Writes the row, after each column was given. Throws ``OutputError``.
  @inline(__always)
  func end() throws(OutputError) {
    assert(column == columns, "a row of \(column) values for \(columns) columns")
    let status = unsafe sqlite3_step(statement)
    writtenBytes &+= Self.bytesOfNumbers &* rows
    let error = status == SQLITE_DONE ? nil : database.failure
    unsafe sqlite3_reset(statement)
    if let error { throw error }
  }
}
