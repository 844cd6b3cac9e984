/// The extent to which a protocol is decoded: a row of the table in the manual.
public struct ProtocolCoverage: Sendable {
  /// Its name in JSON, CSV and SQLite.
  public let name: StaticName
  /// Number of kinds of PDUs with a name.
  public let named: Int
  /// Number of these with fields; the others have no parameters, or parameters that are shown as bytes.
  public let withFields: Int
  /// Number of its display filter fields.
  public let filterFields: Int
  /// The state that is tracked over time; empty where each PDU is decoded by itself.
  public let state: StaticName
}

extension ProtocolRegistry {
  /// The coverage of each protocol, in the order of the registry; without notes and unknown packets.
  public static var coverage: [ProtocolCoverage] {
    var coverage: [ProtocolCoverage] = []
    for description in all where description.id != .opaque && description.id != .note {
      var named = 0
      var withFields = 0
      for table in description.tables {
        for row in table.rows {
          named += 1
          if description.hasFields(row) { withFields += 1 }
        }
      }
      coverage.append(
        ProtocolCoverage(
          name: description.name, named: named, withFields: withFields,
          filterFields: lines(StaticName(description.filterFields)) + lines(description.derivedFilters),
          state: StaticName(description.state)))
    }
    return coverage
  }

  /// Number of lines of a table that are fields, not headings.
  private static func lines(_ text: StaticName) -> Int {
    var lines = 0
    var isStart = true
    let bytes = unsafe text.utf8
    for index in bytes.indices {
      let byte = unsafe bytes[index]
      if isStart, byte != UInt8(ascii: "#"), byte != UInt8(ascii: "\n") { lines += 1 }
      isStart = byte == UInt8(ascii: "\n")
    }
    return lines
  }
}
