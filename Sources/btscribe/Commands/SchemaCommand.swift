import ArgumentParser
import Output

extension RowOutput: ExpressibleByArgument {}
extension SchemaPrinter.Format: ExpressibleByArgument {}

/// `btscribe schema`.
struct SchemaCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "schema",
    abstract: "Print the schema of the rows for programs, as JSON Schema or as a table of Apache Spark.",
    discussion: """
      ndjson are the rows of "btscribe timeline --format ndjson", operations those of "btscribe operations --format ndjson", findings the rows \
      of kind warning among the former. A key that is not required is left out of a row to which it does not apply. Fields of packets and messages \
      are objects whose keys depend on the packet or on the profile; in a table of Spark they are a column of JSON text.

        btscribe schema operations --format spark > operations.json
      """)

  @Argument(help: ArgumentHelp("ndjson, operations or findings.", valueName: "rows"))
  var rows: RowOutput

  @OptionGroup var output: OutputOptions

  @Option(help: ArgumentHelp("json-schema, or spark for the JSON of a StructType.", valueName: "name"))
  var format: SchemaPrinter.Format = .jsonSchema

  func run() throws {
    try output.write { out in SchemaPrinter(out).print(rows, as: format) }
  }
}
