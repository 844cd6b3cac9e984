import Text

/// Prints the tables of a capture's database: the meaning of a row, its columns, and a query to begin with.
public final class TableText {
  private let out: TextBuffer

  /// Prints to `out`.
  public init(_ out: TextBuffer) { self.out = out }

  /// An example query for each table and view, in the order of printing.
  private static let examples: [(table: String, question: String)] = [
    ("timeline", "SELECT frame, time, device, pdu, attribute, value FROM timeline WHERE layer = 'att' LIMIT 20"),
    ("conversation", "SELECT frame, time, device, characteristic, text FROM conversation"),
    ("capture", "SELECT file, format, packets, (last_us - first_us) / 1e6 AS seconds, cannot_show FROM capture"),
    ("packets", "SELECT layer, name, count(*) AS times FROM packets GROUP BY 1, 2 ORDER BY times DESC"),
    ("messages", "SELECT frame, profile, message, text FROM messages WHERE problem IS NOT NULL"),
    ("fields", "SELECT path, count(*) AS times, min(value) AS least, max(value) AS most, unit FROM fields GROUP BY path, unit"),
    ("operations", "SELECT frame, operation, status, latency_us / 1000.0 AS ms FROM operations WHERE status NOT IN ('ok', 'open')"),
    ("findings", "SELECT frame, severity, degree, text, advice FROM findings"),
    ("adapters", "SELECT number, address, name FROM adapters"),
    ("devices", "SELECT address, name, rssi_median, reports FROM devices WHERE reports > 0 ORDER BY rssi_median DESC"),
    ("connections", "SELECT id, transport, start_frame, end_frame, end_reason, mtu FROM connections"),
    ("gatt", "SELECT device_id, printf('0x%04x', handle) AS handle, kind, uuid, name, can FROM gatt ORDER BY device_id, handle"),
  ]

  /// The meaning of a view's rows; for tables the schema has it.
  private static let views = [
    "timeline": ("packets for people", "frame, time, device, direction, layer, pdu, attribute, value, status, latency_ms"),
    "conversation": ("messages for people", "frame, time, device, direction, characteristic, message, text, reply_to, latency_ms, problem"),
  ]

  /// Prints all tables.
  public func print() {
    let tables = Self.tables()
    for (index, (table, question)) in Self.examples.enumerated() {
      let (meaning, columns) = Self.views[table] ?? tables[table] ?? ("", "")
      if index > 0 { out.text("\n") }
      out.string(table)
      out.spaces(max(2, 14 - table.utf8.count))
      out.string("\(meaning)\n")
      wrapped(columns)
      out.string("    \(question)\n")
    }
  }

  /// The tables of the schema by name: their meaning and their columns.
  private static func tables() -> [String: (meaning: String, columns: String)] {
    var tables: [String: (meaning: String, columns: String)] = [:]
    var name = ""
    for line in SQLiteSchema.tables.split(separator: "\n") {
      let parts = line.split(separator: " ", omittingEmptySubsequences: true)
      if line.hasPrefix("CREATE TABLE "), parts.count > 2 {
        name = String(parts[2])
        tables[name] = (line.firstRange(of: "-- ").map { String(line[$0.upperBound...]) } ?? "", "")
      } else if line.hasPrefix("  "), let column = parts.first, column != "PRIMARY" {
        let column = column.hasSuffix(",") ? column.dropLast() : column
        let before = tables[name]?.columns ?? ""
        tables[name]?.columns = before.isEmpty ? String(column) : "\(before), \(column)"
      }
    }
    return tables
  }

  private func wrapped(_ columns: String) {
    var used = 0
    for column in columns.split(separator: " ") {
      if used > 0, used + 1 + column.utf8.count > 76 {
        out.text("\n")
        used = 0
      }
      if used == 0 { out.text("  ") } else { out.text(" ") }
      out.string(String(column))
      used += 1 + column.utf8.count
    }
    out.text("\n")
  }
}
