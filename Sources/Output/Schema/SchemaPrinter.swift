import Text

/// An output of the program whose rows have a schema.
public enum RowOutput: String, CaseIterable, Sendable {
  /// The rows of `timeline --format ndjson`, findings among them.
  case ndjson
  /// The rows of `operations --format ndjson`.
  case operations
  /// The findings alone among the rows of `timeline --format ndjson`.
  case findings

  /// The kinds of rows that the output has.
  public var rows: [RowSchema] {
    switch self {
    case .ndjson: [.packet, .message, .warning, .note, .air, .joined, .heard]
    case .operations: [.operation]
    case .findings: [.warning]
    }
  }

  /// The command that prints such rows.
  var title: String {
    switch self {
    case .ndjson: "btscribe timeline --format ndjson"
    case .operations: "btscribe operations --format ndjson"
    case .findings: "rows of kind warning of btscribe timeline --format ndjson"
    }
  }
}

/// Prints the schema of an output's rows.
public struct SchemaPrinter {
  /// The language of a schema.
  public enum Format: String, CaseIterable, Sendable {
    /// JSON Schema, draft 2020-12.
    case jsonSchema = "json-schema"
    /// The StructType of Apache Spark, as JSON.
    case spark
  }

  private let out: TextBuffer

  /// Prints to `out`.
  public init(_ out: TextBuffer) { self.out = out }

  /// Prints the schema of `output` as `format`, followed by a line end.
  public func print(_ output: RowOutput, as format: Format) {
    switch format {
    case .jsonSchema:
      out.text("{\n  \"$schema\": \"https://json-schema.org/draft/2020-12/schema\",\n  \"title\": ")
      quoted(output.title)
      out.text(",\n")
      if output.rows.count == 1 {
        object(output.rows[0].keys, kind: output.rows[0].kind, depth: 1)
      } else {
        out.text("  \"oneOf\": [")
        for (index, row) in output.rows.enumerated() {
          out.text(index > 0 ? ", {\n" : "{\n")
          object(row.keys, kind: row.kind, depth: 2)
          out.text("  }")
        }
        out.text("]\n")
      }
      out.text("}\n")
    case .spark:
      structure(Self.union(output.rows), depth: 0)
      out.text("\n")
    }
  }

  /// The keys of several kinds of rows, for a single table: a key is required if all kinds require it. A key whose values differ between kinds is an
  /// object with any keys.
  static func union(_ rows: [RowSchema]) -> [RowSchema.Key] {
    guard rows.count > 1 else { return rows.first?.keys ?? [] }
    var keys: [RowSchema.Key] = []
    for key in rows.flatMap(\.keys) where !keys.contains(where: { $0.name == key.name }) {
      let same = rows.compactMap { row in row.keys.first { $0.name == key.name } }
      let value = same.allSatisfy { $0.value == key.value } ? key.value : .anyObject
      keys.append(
        RowSchema.Key(key.name, value, required: same.count == rows.count && same.allSatisfy(\.isRequired), key.meaning))
    }
    return keys
  }

  // MARK: JSON Schema

  /// The members of a schema for an object; `kind` is the only value of the key of that name.
  private func object(_ keys: [RowSchema.Key], kind: String?, depth: Int) {
    indent(depth)
    out.text("\"type\": \"object\",\n")
    indent(depth)
    out.text("\"properties\": {\n")
    for (index, key) in keys.enumerated() {
      if index > 0 { out.text(",\n") }
      indent(depth + 1)
      quoted(key.name)
      out.text(": {\"description\": ")
      quoted(key.meaning)
      if key.name == "kind", let kind {
        out.text(", \"const\": ")
        quoted(kind)
      } else {
        type(key.value, depth: depth + 2)
      }
      out.text("}")
    }
    out.text("\n")
    indent(depth)
    out.text("},\n")
    indent(depth)
    out.text("\"required\": [")
    for (index, key) in keys.filter(\.isRequired).enumerated() {
      if index > 0 { out.text(", ") }
      quoted(key.name)
    }
    out.text("],\n")
    indent(depth)
    out.text("\"additionalProperties\": false\n")
  }

  /// The members of a schema for a value, after other members.
  private func type(_ value: RowSchema.Value, depth: Int) {
    switch value {
    case .text: out.text(", \"type\": \"string\"")
    case .time: out.text(", \"type\": \"string\", \"format\": \"date-time\"")
    case .integer: out.text(", \"type\": \"integer\"")
    case .number: out.text(", \"type\": \"number\"")
    case .boolean: out.text(", \"type\": \"boolean\"")
    case .integers: out.text(", \"type\": \"array\", \"items\": {\"type\": \"integer\"}")
    case .anyObject: out.text(", \"type\": \"object\"")
    case .object(let keys):
      out.text(",\n")
      object(keys, kind: nil, depth: depth)
      indent(depth - 1)
    case .objects(let keys):
      out.text(", \"type\": \"array\", \"items\": {\n")
      object(keys, kind: nil, depth: depth)
      indent(depth - 1)
      out.text("}")
    }
  }

  // MARK: Spark

  private func structure(_ keys: [RowSchema.Key], depth: Int) {
    out.text("{\"type\": \"struct\", \"fields\": [\n")
    for (index, key) in keys.enumerated() {
      if index > 0 { out.text(",\n") }
      indent(depth + 1)
      out.text("{\"name\": ")
      quoted(key.name)
      out.text(", \"type\": ")
      column(key.value, depth: depth + 1)
      out.text(key.isRequired ? ", \"nullable\": false" : ", \"nullable\": true")
      out.text(", \"metadata\": {\"comment\": ")
      quoted(key.value == .anyObject ? "\(key.meaning), as JSON" : key.meaning)
      out.text("}}")
    }
    out.text("\n")
    indent(depth)
    out.text("]}")
  }

  private func column(_ value: RowSchema.Value, depth: Int) {
    switch value {
    // Spark keeps the JSON of an object whose column is a string.
    case .text, .anyObject: out.text("\"string\"")
    case .time: out.text("\"timestamp\"")
    case .integer: out.text("\"long\"")
    case .number: out.text("\"double\"")
    case .boolean: out.text("\"boolean\"")
    case .integers: out.text("{\"type\": \"array\", \"elementType\": \"long\", \"containsNull\": false}")
    case .object(let keys): structure(keys, depth: depth)
    case .objects(let keys):
      out.text("{\"type\": \"array\", \"containsNull\": false, \"elementType\": ")
      structure(keys, depth: depth)
      out.text("}")
    }
  }

  private func indent(_ depth: Int) { out.spaces(2 * depth) }

  private func quoted(_ text: String) {
    out.text("\"")
    out.untrusted(Array(text.utf8), .json)
    out.text("\"")
  }
}
