import Text

/// Prints the result rows of an SQL query, for several captures one after the other.
public final class QueryPrinter {
  /// The format of the rows.
  public enum Format: String, CaseIterable, Sendable {
    /// Columns for people; on a terminal that is too narrow, a line for each value.
    case text
    /// Comma-separated values, with the names of the columns first.
    case csv
    /// An array of objects.
    case json
    /// One object a line.
    case ndjson
  }

  private let out: TextBuffer
  private let format: Format
  private let style: Style
  private let isFromSeveralCaptures: Bool
  private let csv: CSVWriter
  private var file: [UInt8] = []
  private var columns: [[UInt8]] = []
  private var keys: [[UInt8]] = []
  /// The first rows as text, kept until the widths of the columns are known.
  private var waiting: [[Cell]] = []
  private var waitingBytes = 0
  private var widths: [Int] = []
  private var isWaiting = true
  private var hasBegun = false
  /// Rows printed.
  public private(set) var rows = 0

  /// The widths of the columns are computed from at most these numbers of rows and bytes.
  private static let maxWaiting = (rows: 1000, bytes: 4 << 20)
  /// Most columns of a value; a longer value moves the values behind it to the right.
  private static let widest = 60

  private struct Cell {
    var bytes: [UInt8]
    var width: Int
    var isNumber: Bool
  }

  /// Prints to `out`. With `isFromSeveralCaptures`, the first column has the capture's name.
  public init(_ out: TextBuffer, _ format: Format, style: Style, isFromSeveralCaptures: Bool) {
    (self.out, self.format, self.style, self.isFromSeveralCaptures) = (out, format, style, isFromSeveralCaptures)
    csv = CSVWriter(out)
  }

  /// Starts the rows of a capture.
  func begin(_ name: String, _ columns: [String]) {
    file = Array(name.utf8)
    self.columns = columns.map { Array($0.utf8) }
    if isFromSeveralCaptures { self.columns.insert(Array("file".utf8), at: 0) }
    keys = []
    // The keys of an object must be unique, so equal column names get numbers. `next` has the number to try next for each name.
    var known: Set<[UInt8]> = []
    var next: [[UInt8]: Int] = [:]
    for column in self.columns {
      var (key, number) = (column, next[column] ?? 2)
      while !known.insert(key).inserted {
        key = column + Array("_\(number)".utf8)
        number += 1
      }
      next[column] = number
      keys.append(key)
    }
    guard !hasBegun else { return }
    hasBegun = true
    if format == .json { out.text("[") }
    guard format == .csv else { return }
    for column in self.columns { csv.text(column) }
    csv.end()
  }

  /// Prints a row. Throws ``OutputError``.
  func row(_ values: [QueryValue]) throws(OutputError) {
    let values = isFromSeveralCaptures ? [.text(file)] + values : values
    switch format {
    case .text: text(values)
    case .csv:
      for value in values { field(value) }
      csv.end()
    case .json, .ndjson: object(values)
    }
    rows += 1
    if out.count >= 1 << 16 { try out.flush() }
  }

  /// Ends the output after the last capture. Throws ``OutputError``.
  public func finish() throws(OutputError) {
    guard hasBegun else { return }
    hasBegun = false
    if format == .json { out.text(rows == 0 ? "]\n" : "\n]\n") }
    if format == .text { release() }
    try out.flush()
  }

  // MARK: For programs

  private func field(_ value: QueryValue) {
    switch value {
    case .null: csv.skip()
    case .int(let number): csv.field { out.string(String(number)) }
    case .double(let number): csv.field { out.string(Self.words(number)) }
    case .text(let bytes): csv.text(bytes)
    case .blob(let bytes): csv.field { hex(bytes) }
    }
  }

  private func object(_ values: [QueryValue]) {
    if format == .json { out.text(rows == 0 ? "\n" : ",\n") }
    for (index, value) in values.enumerated() {
      out.text(index == 0 ? "{\"" : ",\"")
      out.untrusted(keys[index], .json)
      out.text("\":")
      switch value {
      case .null: out.text("null")
      case .int(let number): out.string(String(number))
      case .double(let number): if number.isFinite { out.string(Self.words(number)) } else { out.text("null") }
      case .text(let bytes):
        out.byte(UInt8(ascii: "\""))
        out.untrusted(bytes, .json)
        out.byte(UInt8(ascii: "\""))
      case .blob(let bytes):
        out.byte(UInt8(ascii: "\""))
        hex(bytes)
        out.byte(UInt8(ascii: "\""))
      }
    }
    out.text(format == .json ? "}" : "}\n")
  }

  private func hex(_ bytes: [UInt8]) {
    unsafe bytes.withUnsafeBytes { if let start = $0.baseAddress { unsafe out.hex(start, $0.count) } }
  }

  /// A number as SQLite writes it: an integral one keeps its decimal point.
  private static func words(_ number: Double) -> String { number.description }

  // MARK: For people

  private func text(_ values: [QueryValue]) {
    let cells = values.map { cell($0) }
    if isWaiting {
      waiting.append(cells)
      for cell in cells { waitingBytes += cell.bytes.count + 64 }
      if waiting.count >= Self.maxWaiting.rows || waitingBytes >= Self.maxWaiting.bytes { release() }
    } else {
      line(cells)
    }
  }

  private func cell(_ value: QueryValue) -> Cell {
    let buffer = TextBuffer(capacity: 64)
    var isNumber = false
    switch value {
    case .null: break
    case .int(let number):
      buffer.string(String(number))
      isNumber = true
    case .double(let number):
      buffer.string(Self.words(number))
      isNumber = true
    case .text(let bytes): buffer.untrusted(bytes, .terminal)
    case .blob(let bytes): unsafe bytes.withUnsafeBytes { if let start = $0.baseAddress { unsafe buffer.hex(start, $0.count) } }
    }
    return Cell(bytes: unsafe Array(buffer.gathered), width: buffer.columns(from: 0), isNumber: isNumber)
  }

  /// Prints the kept rows below the names of the columns.
  private func release() {
    guard isWaiting else { return }
    isWaiting = false
    let heading = columns.map { cell(.text($0)) }
    widths = heading.map(\.width)
    for row in waiting {
      for (index, cell) in row.enumerated() { widths[index] = max(widths[index], min(cell.width, Self.widest)) }
    }
    if !isTooWide {
      // A column's name is aligned as its values.
      var titles = heading
      for index in titles.indices {
        titles[index].isNumber = !waiting.isEmpty && waiting.allSatisfy { $0[index].isNumber || $0[index].bytes.isEmpty }
      }
      line(titles)
    }
    for row in waiting { line(row) }
    waiting = []
  }

  /// Whether the columns are wider than the terminal.
  private var isTooWide: Bool { style.width.map { widths.reduce(0) { $0 + $1 + 2 } - 2 > $0 } ?? false }

  private func line(_ cells: [Cell]) {
    guard !isTooWide else { return record(cells) }
    // No line ends with spaces.
    let last = cells.lastIndex { !$0.bytes.isEmpty } ?? 0
    for index in 0...last {
      let cell = cells[index]
      let gap = max(0, widths[index] - cell.width)
      if cell.isNumber { out.spaces(gap) }
      out.raw(cell.bytes)
      if index < last { out.spaces((cell.isNumber ? 0 : gap) + 2) }
    }
    out.text("\n")
  }

  /// Prints a row as one line for each value that is not NULL.
  private func record(_ cells: [Cell]) {
    let names = columns.map { cell(.text($0)) }
    let widest = min(24, names.map(\.width).max() ?? 0)
    for (index, cell) in cells.enumerated() where !cell.bytes.isEmpty {
      out.raw(names[index].bytes)
      out.spaces(max(0, widest - names[index].width) + 2)
      out.raw(cell.bytes)
      out.text("\n")
    }
    out.text("\n")
  }
}
