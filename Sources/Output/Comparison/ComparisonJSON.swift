import Analysis
import Comparison
import Conversations
import Text

/// The differences between two captures for programs: one JSON document.
public struct ComparisonJSON {
  private let out: TextBuffer
  private let a: Recording, b: Recording

  /// Prints to `out`.
  public init(_ out: TextBuffer, _ a: Recording, _ b: Recording) {
    self.out = out
    self.a = a
    self.b = b
  }

  /// Prints the document. Throws ``OutputError``.
  public func print(_ result: CaptureDifferences) throws {
    out.text("{\"a\":")
    capture(a)
    out.text(",\"b\":")
    capture(b)
    out.text(",\"same\":")
    out.decimal(result.same)
    if result.usualDifferences > 0 {
      out.text(",\"norm\":")
      out.decimal(result.usualDifferences)
    }
    out.text(",\"rows\":[")
    let (operation, other) = (OperationJSON(out, isArray: true), OperationJSON(out, isArray: true))
    operation.names = a.names
    other.names = b.names
    for (index, row) in result.rows.enumerated() {
      out.text(index > 0 ? ",\n" : "\n")
      out.text("{\"change\":\"")
      out.string(row.change.rawValue)
      out.byte(UInt8(ascii: "\""))
      side("a", row, row.a, a, operation)
      side("b", row, row.b, b, other)
      if !row.changes.isEmpty { write(row.changes) }
      if row.count > 1 {
        out.text(",\"count\":")
        out.decimal(row.count)
      }
      if row.subject == .session { out.text(",\"whole_connection\":true") }
      if row.cause >= 0 {
        out.text(",\"cause\":")
        out.decimal(row.cause)
      }
      out.byte(UInt8(ascii: "}"))
      if out.count >= 1 << 16 { try out.flush() }
    }
    out.text("]")
    if result.rowsLeftOut > 0 {
      out.text(",\"rows_left_out\":")
      out.decimal(result.rowsLeftOut)
    }
    if let first = result.first {
      out.text(",\"first\":")
      out.decimal(first)
      text("reason", result.reason.rawValue)
    }
    if !result.notes.isEmpty {
      out.text(",\"notes\":[")
      for (index, note) in result.notes.enumerated() {
        out.text(index > 0 ? ",\"" : "\"")
        out.untrusted(Array(note.utf8), .json)
        out.byte(UInt8(ascii: "\""))
      }
      out.text("]")
    }
    out.text("}\n")
  }

  private func capture(_ recording: Recording) {
    out.text("{\"file\":\"")
    out.untrusted(Array(recording.facts.name.utf8), .json)
    out.byte(UInt8(ascii: "\""))
    if let packets = recording.facts.packets {
      out.text(",\"packets\":")
      out.decimal(packets)
    }
    out.text(",\"steps\":")
    out.decimal(recording.count)
    out.byte(UInt8(ascii: "}"))
  }

  private func side(_ key: StaticString, _ row: CaptureDifferences.Row, _ number: Int32, _ recording: Recording, _ printer: OperationJSON) {
    func begin() {
      out.text(",\"")
      out.text(key)
      out.text("\":")
    }
    let isA = recording === a
    switch row.subject {
    case .operation, .session:
      guard number >= 0 else { return }
      begin()
      if let operation = recording.operation(number) { printer.object(operation, recording.tables) } else { out.text("{}") }
    case .attribute(let entry):
      let handle = isA ? entry.handles.x : entry.handles.y
      guard handle != 0 || entry.kind == "table" else { return }
      begin()
      out.text("{\"kind\":\"attribute\"")
      text("attribute", entry.kind)
      if !entry.uuid.isEmpty { text("uuid", entry.uuid) }
      if !entry.owner.isEmpty { text("owner_uuid", entry.owner) }
      if handle != 0 {
        out.text(",\"handle\":")
        out.decimal(Int(handle))
      }
      out.byte(UInt8(ascii: "}"))
    case .advertisement(let address, let name):
      begin()
      out.text("{\"kind\":\"advertising\",\"peer\":\"")
      out.address(address)
      out.byte(UInt8(ascii: "\""))
      if !name.isEmpty { text("peer_name", name) }
      out.byte(UInt8(ascii: "}"))
    }
  }

  private func write(_ changes: [CaptureDifferences.FieldChange]) {
    out.text(",\"what\":[")
    for (index, change) in changes.enumerated() {
      if index > 0 { out.byte(UInt8(ascii: ",")) }
      out.text("{\"field\":\"")
      out.untrusted(Array(change.field.utf8), .json)
      out.byte(UInt8(ascii: "\""))
      text("a", change.a)
      text("b", change.b)
      out.byte(UInt8(ascii: "}"))
    }
    out.text("]")
  }

  private func text(_ key: StaticString, _ value: String) { text(key, Array(value.utf8)) }

  private func text(_ key: StaticString, _ value: [UInt8]) {
    out.text(",\"")
    out.text(key)
    out.text("\":\"")
    out.untrusted(value, .json)
    out.byte(UInt8(ascii: "\""))
  }
}
