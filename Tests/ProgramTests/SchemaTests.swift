import Foundation
import Testing

/// Compares the schemas that `btscribe schema` prints with the rows that the program prints.
@Suite struct SchemaTests {
  private typealias Object = [String: Any]

  private static func object(_ line: String) throws -> Object {
    let run = try Program.shell(line)
    try #require(run.status == 0, "\(line): \(run.errors)")
    return try #require(try JSONSerialization.jsonObject(with: Data(run.output.utf8)) as? Object)
  }

  /// Both sides of a session while the captures grow.
  private static let live =
    "mkfifo $TMP/a; cat Samples/both-air.pcapng >$TMP/a & btscribe live - --air $TMP/a --format ndjson < Samples/both-phone.btsnoop"

  /// Rows of all samples, one capture after the other, and of two captures at once, which have the key `file`.
  private static func rows(_ command: String) throws -> [Object] {
    let captures = try FileManager.default.contentsOfDirectory(atPath: Program.root.appendingPathComponent("Samples").path).sorted()
      .filter { ["btsnoop", "pcapng", "pklg"].contains(($0 as NSString).pathExtension) }
    try #require(captures.count > 30)
    let lines =
      captures.map { "btscribe \(command) --format ndjson Samples/\($0)" } + [
        "btscribe \(command) --format ndjson Samples/gopro.btsnoop Samples/heart-rate.pklg"
      ]
      + (command == "timeline" ? ["btscribe timeline --format ndjson Samples/both-phone.btsnoop --air Samples/both-air.pcapng", live] : [])
    return try lines.flatMap { line in
      try Program.shell(line).output.split(separator: "\n").map {
        try #require(try JSONSerialization.jsonObject(with: Data($0.utf8)) as? Object, "\(line): \($0)")
      }
    }
  }

  // MARK: JSON Schema

  /// The violations of the schema keywords that the program uses; an unknown keyword is a violation, too.
  private static func faults(_ value: Any, _ schema: Object, _ path: String) -> [String] {
    var faults: [String] = []
    let known: Set = [
      "$schema", "title", "description", "type", "format", "const", "properties", "required", "additionalProperties", "items", "oneOf",
    ]
    faults += schema.keys.filter { !known.contains($0) }.map { "\(path): keyword \($0)" }
    if let choices = schema["oneOf"] as? [Object] {
      let fitting = choices.filter { Self.faults(value, $0, path).isEmpty }
      if fitting.count != 1 { faults.append("\(path): \(fitting.count) of \(choices.count) fit \(value)") }
    }
    if let const = schema["const"] as? String, value as? String != const { faults.append("\(path): not \(const)") }
    switch schema["type"] as? String {
    case "string": if !(value is String) { faults.append("\(path): no text: \(value)") }
    case "integer": if JSONKind(value) != .integer { faults.append("\(path): no whole number: \(value)") }
    case "number": if JSONKind(value) != .integer && JSONKind(value) != .number { faults.append("\(path): no number: \(value)") }
    case "boolean": if JSONKind(value) != .boolean { faults.append("\(path): no boolean: \(value)") }
    case "array":
      guard let list = value as? [Any] else { return faults + ["\(path): no list: \(value)"] }
      for element in list { faults += Self.faults(element, schema["items"] as? Object ?? [:], path + "[]") }
    case "object":
      guard let object = value as? Object else { return faults + ["\(path): no object: \(value)"] }
      guard let properties = schema["properties"] as? [String: Object] else { break }
      for (key, value) in object {
        if let property = properties[key] {
          faults += Self.faults(value, property, "\(path).\(key)")
        } else {
          faults.append("\(path).\(key) is not in the schema")
        }
      }
      faults += (schema["required"] as? [String] ?? []).filter { object[$0] == nil }.map { "\(path).\($0) is missing" }
    case nil: break
    default: faults.append("\(path): type \(schema["type"] ?? "")")
    }
    return faults
  }

  /// The type of a JSON value.
  private enum JSONKind: Equatable {
    case text, integer, number, boolean, list, object, null

    init(_ value: Any) {
      switch value {
      case is String: self = .text
      case is [Any]: self = .list
      case is [String: Any]: self = .object
      case let number as NSNumber:
        // Foundation reads booleans as numbers of type "c" (char).
        if String(cString: number.objCType) == "c" {
          self = .boolean
        } else {
          self = ["d", "f"].contains(String(cString: number.objCType)) ? .number : .integer
        }
      default: self = .null
      }
    }
  }

  @Test(arguments: [("ndjson", "timeline"), ("operations", "operations"), ("findings", "timeline")])
  func everyRowFitsItsSchema(rows: String, command: String) throws {
    let schema = try Self.object("btscribe schema \(rows)")
    let all = try Self.rows(command).filter { rows != "findings" || $0["kind"] as? String == "warning" }
    try #require(all.count > 50)
    var faults: [String] = []
    for row in all where faults.count < 20 { faults += Self.faults(row, schema, row["kind"] as? String ?? "?") }
    #expect(faults.isEmpty, "\(faults.joined(separator: "\n"))")

    // Violations are detected: an additional key, a missing one, a value of another type.
    var spoiled = try #require(all.first)
    spoiled["surplus"] = 1
    #expect(!Self.faults(spoiled, schema, "row").isEmpty)
    spoiled = all[0]
    spoiled["time"] = nil
    #expect(!Self.faults(spoiled, schema, "row").isEmpty)
    spoiled = all[0]
    spoiled["frame"] = "1"
    #expect(!Self.faults(spoiled, schema, "row").isEmpty)

    // A required key is in every row, as checked above; an optional one is missing in some.
    for kind in schema["oneOf"] as? [Object] ?? [schema] {
      let properties = try #require(kind["properties"] as? [String: Object])
      let name = try #require(properties["kind"]?["const"] as? String)
      let required = Set(kind["required"] as? [String] ?? [])
      let those = all.filter { $0["kind"] as? String == name }
      #expect(!those.isEmpty, "\(name)")
      // A message on an advertising channel has no direction, one of a connection whose start is missing may have no peer, and clocks that
      // are aligned by packets of one direction have no error; no sample has one.
      let never = [("message", "direction"), ("message", "peer"), ("air", "error_us")]
      for key in properties.keys where !required.contains(key) && !never.contains(where: { $0 == (name, key) }) {
        #expect(those.contains { $0[key] == nil }, "\(name).\(key) is in every row, and not required")
      }
    }
  }

  // MARK: Spark

  /// The violations of a Spark type; `type` is a name or an object.
  private static func faults(_ value: Any, spark type: Any, _ path: String) -> [String] {
    if let name = type as? String {
      let kind = JSONKind(value)
      let fits =
        switch name {
        // An object is stored as JSON text.
        case "string": kind == .text || kind == .object
        case "timestamp": (value as? String)?.wholeMatch(of: /-?\d{4,}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z/) != nil
        case "long": kind == .integer
        case "double": kind == .number || kind == .integer
        case "boolean": kind == .boolean
        default: false
        }
      return fits ? [] : ["\(path): no \(name): \(value)"]
    }
    guard let type = type as? Object else { return ["\(path): \(type)"] }
    if type["type"] as? String == "array" {
      guard let list = value as? [Any], let element = type["elementType"] else { return ["\(path): no list: \(value)"] }
      return list.flatMap { faults($0, spark: element, path + "[]") }
    }
    guard type["type"] as? String == "struct", let fields = type["fields"] as? [Object], let object = value as? Object else {
      return ["\(path): no struct: \(value)"]
    }
    let columns = Dictionary(uniqueKeysWithValues: fields.map { ($0["name"] as? String ?? "?", $0) })
    var all: [String] = []
    for (key, value) in object {
      if let column = columns[key], let type = column["type"] {
        all += faults(value, spark: type, "\(path).\(key)")
      } else {
        all.append("\(path).\(key) is not in the schema")
      }
    }
    for (key, column) in columns where column["nullable"] as? Bool == false && object[key] == nil {
      all.append("\(path).\(key) is missing")
    }
    return all
  }

  @Test(arguments: [("ndjson", "timeline"), ("operations", "operations"), ("findings", "timeline")])
  func everyRowFitsTheTableOfSpark(rows: String, command: String) throws {
    let schema = try Self.object("btscribe schema \(rows) --format spark")
    var faults: [String] = []
    for row in try Self.rows(command) where faults.count < 20 && (rows != "findings" || row["kind"] as? String == "warning") {
      faults += Self.faults(row, spark: schema, row["kind"] as? String ?? "?")
    }
    #expect(faults.isEmpty, "\(faults.joined(separator: "\n"))")
  }

  // MARK: Code

  /// The keys that source files write.
  private static func keys(_ files: [String]) throws -> Set<String> {
    var keys: Set<String> = []
    for file in files {
      let text = try String(contentsOf: Program.root.appendingPathComponent("Sources/\(file)"), encoding: .utf8)
      for match in text.matches(of: /\\"([a-z_]+)\\":/) { keys.insert(String(match.1)) }
      for match in text.matches(of: /\b(?:number|text|detail)\("([a-z_]+)",/) { keys.insert(String(match.1)) }
    }
    return keys
  }

  private static func keys(of schema: Any) -> Set<String> {
    if let list = schema as? [Any] { return list.reduce(into: []) { $0.formUnion(keys(of: $1)) } }
    guard let object = schema as? Object else { return [] }
    var found: Set<String> = []
    for (key, value) in object {
      if key == "properties", let properties = value as? Object { found.formUnion(properties.keys) }
      found.formUnion(keys(of: value))
    }
    return found
  }

  /// Keys that only rare captures have are checked here: the keys in the writers' code are those of the schema.
  @Test func schemasHaveTheKeysThatAreWritten() throws {
    let shared = ["Output/JSON/NDJSONPrinter.swift"]
    let timeline = try Self.keys(
      shared + [
        "Output/JSON/NDJSONMessages.swift", "Output/JSON/RowKeys.swift", "Output/Text/RadioText.swift", "Output/Text/AirText.swift",
        "Profiles/Presentation/MessageRow.swift", "Profiles/Presentation/PresentationTable.swift",
      ])
    #expect(timeline == Self.keys(of: try Self.object("btscribe schema ndjson")))

    let operations = try Self.keys(["Output/JSON/OperationJSON.swift", "Output/Text/ChannelText.swift"])
    let attribute: Set = ["uuid", "uuid_name", "uuid_source"]
    #expect(attribute.isSubset(of: try Self.keys(shared)))
    #expect(operations.union(attribute) == Self.keys(of: try Self.object("btscribe schema operations")))
  }
}
