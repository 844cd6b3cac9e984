import ArgumentParser
import Captures
import KaitaiStruct
import Memory
import Output

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// `btscribe ksy`: decodes a binary file by a Kaitai Struct description.
struct Ksy: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "ksy",
    abstract: "Read a binary file through a Kaitai Struct description.",
    discussion: """
      Every instance is evaluated. In JSON, keys are those of the description, an enum is {"name", "value"}, bytes are lower-case hex, an absent \
      field is null, and what failed is {"_error": {…}} in its place. If the sequence itself ends early, the exit status is 65, and what was \
      read is printed anyway.
      """)

  enum Format: String, ExpressibleByArgument, CaseIterable { case text, json }

  @Option(name: .long, help: ArgumentHelp("The description.", valueName: "file.ksy"), completion: .file(extensions: ["ksy"]))
  var spec: String

  @Option(name: .long, help: "How to print.")
  var format = Format.text

  @Option(name: .long, help: ArgumentHelp("Read as this type of the description, not as the whole.", valueName: "name"))
  var type: String?

  @Option(
    name: [.customShort("I"), .customLong("import-path")],
    help: ArgumentHelp(
      "Folder for imports that begin with a slash; may be given again. KSPATH adds more, separated by colons.", valueName: "folder"))
  var importPaths: [String] = []

  @OptionGroup var results: OutputOptions

  @Argument(help: "The file to read; - is standard input.", completion: .file())
  var file: String

  /// The largest file that is read.
  private static let limit = 1 << 31 - 1

  /// The limits for a file of so many bytes: a small file cannot make a large tree, whatever its description says.
  private static func limits(_ size: Int) -> Limits {
    let limits = Limits.file
    return Limits(
      depth: limits.depth, nodes: min(limits.nodes, 1 << 15 + 16 * size), bytes: min(limits.bytes, 1 << 20 + 64 * size),
      steps: min(limits.steps, 10_000_000 + 1024 * size))
  }

  /// Most bytes to print: instances can refer to the same bytes many times.
  private static func maxPrinted(_ size: Int) -> Int { min(1 << 24 + 256 * size, 1 << 27) }

  func run() throws {
    try OutputOptions.spare([file, spec], from: [results.output])
    let roots = importPaths + (environmentVariable("KSPATH") ?? "").split(separator: ":").map(String.init)
    guard let text = FileImports.read(spec, limit: 16 << 20, isNamed: true) else { throw CommandError.unreadable(spec) }
    let program: KaitaiProgram
    let root: TypeID
    do throws(SpecificationError) {
      let compiler = Compiler()
      let finder = FileImports(roots: roots)
      root = try compiler.add(text: String(decoding: text, as: UTF8.self), file: spec) { finder.resolve($0, importer: $1) }
      program = try compiler.finish()
    } catch {
      throw CommandError(CommandError.Status.malformed, CommandError.clean(error.description))
    }
    guard let entry = type.map({ program.type($0) }) ?? root else {
      throw CommandError(CommandError.Status.usage, "\(CommandError.clean(spec)) has no type \"\(CommandError.clean(type ?? ""))\"")
    }
    guard let bytes = FileImports.read(file == "-" ? "/dev/stdin" : file, limit: Self.limit, isNamed: true) else {
      throw CommandError.unreadable(file)
    }
    let tree = KaitaiTree(program, limits: Self.limits(bytes.count))
    let limit = Self.maxPrinted(bytes.count)
    var printed: [UInt8] = []
    tree.maxPrinted = limit
    let failure = bytes.withBorrowedBytes { content in
      let failure = tree.parse(borrowing: content, as: entry)
      tree.evaluateInstances()
      switch format {
      case .json:
        tree.appendJSON(to: &printed)
        printed.append(UInt8(ascii: "\n"))
      case .text: tree.appendText(to: &printed)
      }
      return failure
    }
    if printed.count > limit {
      throw CommandError(
        CommandError.Status.malformed,
        "\(CommandError.clean(file)): \(CommandError.clean(spec)) makes more than \(InputOptions.grouped(limit)) bytes of it: nothing is printed"
      )
    }
    try results.print(printed)
    if let failure {
      let location = "\(failure.kind.rawValue) at byte \(failure.offset) in \(tree.path(of: failure))"
      throw CommandError(CommandError.Status.malformed, "\(CommandError.clean(file)): \(location): \(CommandError.clean(failure.message))")
    }
  }
}
