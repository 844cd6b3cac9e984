import Testing

@testable import KaitaiStruct

/// A compiled specification, with a tree to parse into.
struct Compiled {
  let program: KaitaiProgram
  let root: TypeID
  let tree: KaitaiTree

  init(_ text: String, limits: Limits = .message) throws {
    let compiler = Compiler()
    root = try compiler.add(text: text, file: "test.ksy")
    program = try compiler.finish()
    tree = KaitaiTree(program, limits: limits)
  }

  @discardableResult
  func parse(_ bytes: [UInt8], as type: String? = nil) -> Failure? {
    bytes.withUnsafeBytes { tree.parse(type.flatMap(program.type) ?? root, $0) }
  }

  struct NoSuchNode: Error {}

  /// The node at the end of a path of names and indexes.
  func node(_ path: String...) throws -> NodeID {
    var id = tree.root
    for part in path {
      let next = Int(part).map { tree.element($0, of: id) } ?? program.symbol(part).map { tree.node($0, of: id) } ?? nil
      guard let next else { throw NoSuchNode() }
      id = next
    }
    return id
  }

  /// The tree with all instances, as JSON.
  func json(_ bytes: [UInt8], as type: String? = nil) -> String {
    parse(bytes, as: type)
    tree.evaluateInstances()
    var output: [UInt8] = []
    tree.appendJSON(to: &output)
    return String(decoding: output, as: UTF8.self)
  }
}

/// The mistakes found in a specification, one per line.
func mistakes(_ text: String) -> [String] {
  let compiler = Compiler()
  do throws(SpecificationError) {
    try compiler.add(text: text, file: "test.ksy")
    _ = try compiler.finish()
    return []
  } catch {
    return error.issues.map(\.description)
  }
}
