import CSQLite
import Foundation
import Testing

/// Captures as SQLite files, read with SQLite itself.
@Suite struct DatabaseTests {
  /// A database made from a capture, in a folder of its own.
  final class Database {
    let folder: URL
    private var handle: OpaquePointer?

    /// Converts a capture; `options` are further arguments of the command.
    init(_ capture: String, _ options: [String] = []) throws {
      folder = FileManager.default.temporaryDirectory.appendingPathComponent("btscribe-\(UUID().uuidString)")
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
      let path = folder.appendingPathComponent("log.sqlite").path
      let process = Process()
      process.executableURL = URL(fileURLWithPath: Program.path)
      process.arguments = ["convert", "-q", capture, "-o", path] + options
      process.standardError = FileHandle.nullDevice
      try process.run()
      process.waitUntilExit()
      try #require([0, 65].contains(process.terminationStatus))
      try #require(sqlite3_open_v2(path, &handle, SQLITE_OPEN_READONLY, nil) == SQLITE_OK)
    }

    deinit {
      sqlite3_close(handle)
      try? FileManager.default.removeItem(at: folder)
    }

    /// The rows of a query, every value as text; NULL is nil.
    func rows(_ query: String) throws -> [[String?]] {
      var statement: OpaquePointer?
      try #require(
        sqlite3_prepare_v2(handle, query, -1, &statement, nil) == SQLITE_OK, "\(String(cString: sqlite3_errmsg(handle))): \(query)")
      defer { sqlite3_finalize(statement) }
      var rows: [[String?]] = []
      while true {
        let status = sqlite3_step(statement)
        if status == SQLITE_DONE { return rows }
        try #require(status == SQLITE_ROW, "\(String(cString: sqlite3_errmsg(handle))): \(query)")
        rows.append(
          (0..<sqlite3_column_count(statement)).map { column in sqlite3_column_text(statement, column).map { String(cString: $0) } })
      }
    }

    func number(_ query: String) throws -> Int? { try rows(query).first?.first.flatMap { $0 }.flatMap(Int.init) }
  }

  static let samples = [
    "gopro.btsnoop", "heart-rate.pklg", "gopro-monitor.btsnoop", "two-cameras.btsnoop", "typed-object.pcapng", "drops.btsnoop",
  ]
  .map { Program.root.appendingPathComponent("Samples/\($0)").path }

  /// Captures that are not part of the package, if they exist.
  static var captures: [String] {
    guard let folder = Oracle.captures, let names = try? FileManager.default.contentsOfDirectory(atPath: folder.path) else { return [] }
    return names.sorted().filter { Oracle.hci.contains(($0 as NSString).pathExtension) }.map { folder.appendingPathComponent($0).path }
  }

  private static func lines(_ arguments: [String]) throws -> [[String: Any]] {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: Program.path)
    process.arguments = arguments
    let pipe = Pipe()
    process.standardOutput = pipe
    process.standardError = FileHandle.nullDevice
    try process.run()
    let data = pipe.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    return try data.split(separator: 0x0A).compactMap { try JSONSerialization.jsonObject(with: Data($0)) as? [String: Any] }
  }

  /// The tables have the rows of the timeline and the operations.
  @Test(arguments: samples + captures)
  func tablesHoldWhatTheTimelineSays(capture: String) throws {
    let database = try Database(capture)
    let rows = try Self.lines(["timeline", "--format", "ndjson", capture])
    let operations = try Self.lines(["operations", "--format", "ndjson", capture])
    func of(_ kind: String) -> [[String: Any]] { rows.filter { $0["kind"] as? String == kind } }
    #expect(try database.number("SELECT count(*) FROM messages") == of("message").count)
    #expect(try database.number("SELECT count(*) FROM findings") == of("warning").count)
    // Where the clock is broken, runs of values end with the packets that show the time, of which the database gets all.
    if !capture.contains("numeric_pin") { #expect(try database.number("SELECT count(*) FROM operations") == operations.count) }
    #expect(try database.number("SELECT count(*) FROM packets WHERE layer = 'note'") ?? 0 == of("note").count)

    let payloads = try database.rows("SELECT frame, lower(hex(payload)), profile, characteristic, reply_to FROM messages ORDER BY id")
    for (mine, theirs) in zip(payloads, of("message")) {
      let expected: [String?] = [
        (theirs["frame"] as? Int).map(String.init), theirs["payload"] as? String, theirs["profile"] as? String,
        theirs["characteristic"] as? String, (theirs["reply_to"] as? Int).map(String.init),
      ]
      #expect(mine == expected)
    }
    // A packet without a row of its own is a part of another; the database has it all the same.
    let values = try database.rows("SELECT frame, lower(hex(value)), status, latency_us FROM packets WHERE layer = 'att' ORDER BY id")
    let expected = of("packet").filter { $0["layer"] as? String == "att" && $0["value"] != nil }
    let withValue = try database.number("SELECT count(*) FROM packets WHERE layer = 'att' AND value IS NOT NULL")
    #expect(withValue ?? 0 >= expected.count && values.count >= expected.count)
    // Every id refers to a row.
    for (table, column, other) in [
      ("packets", "attribute_id", "gatt"), ("packets", "connection_id", "connections"), ("packets", "device_id", "devices"),
      ("messages", "attribute_id", "gatt"), ("fields", "message_id", "messages"), ("operations", "device_id", "devices"),
      ("operations", "attribute_id", "gatt"), ("gatt", "service_id", "gatt"), ("connections", "device_id", "devices"),
      ("findings", "connection_id", "connections"),
    ] {
      let lost = try database.number(
        "SELECT count(*) FROM \(table) WHERE \(column) IS NOT NULL AND \(column) NOT IN (SELECT id FROM \(other))")
      #expect(lost == 0, "\(table).\(column)")
    }
    #expect(try database.rows("PRAGMA integrity_check") == [["ok"]])
  }

  /// The manual's queries.
  static let queries: [String] = {
    let page = (try? String(contentsOf: Program.root.appendingPathComponent("man/btscribe-sqlite.5"), encoding: .utf8)) ?? ""
    return page.components(separatedBy: ".Bd -literal -offset indent\n").dropFirst().compactMap { block in
      let text = block.components(separatedBy: "\n.Ed")[0].replacingOccurrences(of: "\\-", with: "-").replacingOccurrences(
        of: "\\e", with: "\\")
      return text.hasPrefix("SELECT") || text.hasPrefix("WITH") ? text : nil
    }
  }()

  @Test func everyQueryOfTheManualGivesSomething() throws {
    try #require(Self.queries.count >= 12)
    let databases = try Self.samples.map { try Database($0) }
    for query in Self.queries {
      let found = try databases.map { try $0.rows(query).count }
      #expect(found.reduce(0, +) > 0, "nothing: \(query)")
    }
    let others = try Self.captures.prefix(8).map { try Database($0) }
    for query in Self.queries { for database in others { _ = try database.rows(query) } }
  }

  @Test func theManualNamesEveryColumn() throws {
    let page = try String(contentsOf: Program.root.appendingPathComponent("man/btscribe-sqlite.5"), encoding: .utf8)
    let database = try Database(Self.samples[0])
    let tables = try database.rows("SELECT name FROM sqlite_master WHERE type = 'table'").compactMap(\.first).compactMap { $0 }
    #expect(tables.count == 10)
    for table in tables {
      let start = try #require(page.range(of: ".Ss \(table)\n"), "no table \(table) in the manual")
      let section = page[start.upperBound...].components(separatedBy: ".Ss ")[0]
      for column in try database.rows("SELECT name FROM pragma_table_info('\(table)')").compactMap(\.first).compactMap({ $0 }) {
        #expect(section.contains(".It \(column)\n"), "no column \(table).\(column) in the manual")
      }
    }
  }

  @Test func valuesAreWhatTheProfileSays() throws {
    let database = try Database(Self.samples[1])
    #expect(
      try database.rows("SELECT value, unit FROM fields WHERE path = 'heart_rate' ORDER BY message_id LIMIT 3") == [
        ["0", "bpm"], ["71", "bpm"], ["72", "bpm"],
      ])
    #expect(
      try database.rows("SELECT path, value FROM fields WHERE path LIKE 'rr_intervals%' ORDER BY message_id, place LIMIT 3").count == 3)
    let camera = try Database(Self.samples[0])
    #expect(
      try camera.rows("SELECT value, unit, start, length FROM fields WHERE path = 'values.internal_battery_percentage' LIMIT 1") == [
        ["73", "%", "28", "1"]
      ])
    #expect(try camera.rows("SELECT name FROM gatt WHERE kind = 'characteristic' AND name = 'query-answer'") == [["query-answer"]])
  }

  @Test func aFilterNarrowsAllTables() throws {
    let database = try Database(Self.samples[0], ["-Y", "gopro.status == 0"])
    let packets = try #require(try database.number("SELECT count(*) FROM packets"))
    #expect(packets > 5 && packets < 60)
    #expect(try database.number("SELECT count(*) FROM messages WHERE frame NOT IN (SELECT frame FROM packets)") == 0)
    #expect(
      try database.number(
        "SELECT count(*) FROM operations WHERE frame NOT IN (SELECT frame FROM packets) AND end_frame NOT IN (SELECT frame FROM packets)")
        == 0)
    #expect(try database.number("SELECT count(*) FROM operations") ?? 0 > 0)
  }

  /// Names and values from the air change no SQL statement, and move no cursor of a terminal.
  @Test func hostileTextIsText() throws {
    let database = try Database(Program.root.appendingPathComponent("Samples/hostile-name.btsnoop").path)
    let tables = try database.rows("SELECT name FROM sqlite_master WHERE type = 'table'").compactMap(\.first).compactMap { $0 }
    #expect(tables.count == 10)
    for table in tables {
      for row in try database.rows("SELECT * FROM \(table)") {
        // Bytes are bytes; as text they end at the first zero and may hold anything.
        _ = row
      }
      for column in try database.rows("SELECT name FROM pragma_table_info('\(table)')").compactMap(\.first).compactMap({ $0 }) {
        for text in try database.rows("SELECT \(column) FROM \(table) WHERE typeof(\(column)) = 'text'").compactMap(\.first).compactMap({
          $0
        }) {
          #expect(
            !text.unicodeScalars.contains { $0.value < 0x20 || (0x7F...0x9F).contains($0.value) || $0.value == 0x202E },
            "\(table).\(column): \(text)")
        }
      }
    }
    let name = try #require(try database.rows("SELECT name FROM devices").compactMap(\.first).compactMap { $0 }.first)
    #expect(name.hasPrefix("=HYPERLINK(") && name.contains("\\x1b]0;owned\\x07") && name.contains("<script>"))
  }
}
