import Testing
import YAML

@testable import KaitaiStruct

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// The public conformance suite of Kaitai Struct, if `KAITAI_TESTS` is the path of a checkout.
@Suite struct PublicSuiteTests {
  static let folder = getenv("KAITAI_TESTS").map { String(cString: $0) }

  /// Specs that need unsupported features; Tests/known-differences.md has the reasons.
  static let known: Set<String> = ["imports_abs", "debug_array_user_eof_exception", "nested_types_import", "switch_manual_int_size_eos"]

  struct Problem: Error { var what: String }

  @Test(.enabled(if: folder != nil, "KAITAI_TESTS does not point at a checkout of kaitai_struct_tests"))
  func allSpecsPass() throws {
    let folder = try #require(Self.folder)
    var passed = 0
    var failed: [String] = []
    for name in Self.specs(folder + "/spec/ks") {
      do throws(Problem) {
        passed += try run(name, folder) ? 1 : 0
      } catch {
        if !Self.known.contains(name) { failed.append("\(name): \(error.what)") }
      }
    }
    #expect(passed >= 300)
    #expect(failed.isEmpty, "\(failed.joined(separator: "\n"))")
  }

  /// Writing the parsed sequence of a spec gives the same bytes.
  @Test(.enabled(if: folder != nil, "KAITAI_TESTS does not point at a checkout of kaitai_struct_tests"))
  func whatIsReadIsWrittenTheSame() throws {
    let folder = try #require(Self.folder)
    var same = 0
    var different: [String] = []
    for name in Self.specs(folder + "/spec/ks") {
      // The sequences of these specs depend on instances at other offsets, which are not written.
      if ["instance_in_sized", "instance_io_user_earlier"].contains(name) { continue }
      guard let spec = try? yaml("\(folder)/spec/ks/\(name).kst"), let id = spec["id"]?.string, let data = spec["data"]?.string,
        let text = FileImports.read("\(folder)/formats/\(id).ksy", limit: 1 << 20), spec["exception"] == nil,
        let bytes = FileImports.read("\(folder)/src/\(data)", limit: 1 << 24)
      else { continue }
      let finder = FileImports(roots: ["\(folder)/formats/ks_path"])
      let compiler = Compiler()
      guard
        let root = try? compiler.add(
          text: String(decoding: text, as: UTF8.self), file: "\(folder)/formats/\(id).ksy", imports: { finder.resolve($0, importer: $1) }),
        let program = try? compiler.finish()
      else { continue }
      let tree = KaitaiTree(program, limits: .file)
      guard bytes.withUnsafeBytes({ tree.parse(root, $0) }) == nil else { continue }
      let read = Array(bytes.prefix(Int(tree.node(tree.root).end)))
      do throws(WriteError) {
        let value = tree.fieldTree(of: tree.root)
        let written = try Writer(program).write(root, value)
        if written == read {
          same += 1
        } else if written.count != read.count || written.withUnsafeBytes({ tree.parse(root, $0) }) != nil
          || tree.fieldTree(of: tree.root) != value
        {
          // Only bits and bytes that belong to no field may differ: parsing them again gives the same values.
          different.append("\(name): \(written.prefix(40)) for \(read.prefix(40))")
        }
      } catch {
        different.append("\(name): \(error)")
      }
    }
    #expect(different.isEmpty, "\(different.joined(separator: "\n"))")
    #expect(same >= 245)
  }

  static func specs(_ folder: String) -> [String] {
    guard let directory = opendir(folder) else { return [] }
    defer { closedir(directory) }
    var names: [String] = []
    while let entry = readdir(directory) {
      let name = withUnsafePointer(to: &entry.pointee.d_name) {
        $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
      }
      if name.hasSuffix(".kst") { names.append(String(name.dropLast(4))) }
    }
    return names.sorted()
  }

  /// Runs one spec; returns false if it needs host code.
  private func run(_ name: String, _ folder: String) throws(Problem) -> Bool {
    let spec = try yaml("\(folder)/spec/ks/\(name).kst")
    guard let id = spec["id"]?.string, let data = spec["data"]?.string else { throw Problem(what: "no id") }
    let file = "\(folder)/formats/\(id).ksy"
    guard let text = FileImports.read(file, limit: 1 << 20), let bytes = FileImports.read("\(folder)/src/\(data)", limit: 1 << 24) else {
      throw Problem(what: "no files")
    }
    let string = String(decoding: text, as: UTF8.self)
    if string.contains("ks-opaque-types: true") || string.contains("custom_fx") || string.contains("my_custom") { return false }
    let finder = FileImports(roots: ["\(folder)/formats/ks_path"])
    let compiler = Compiler()
    let root: TypeID
    var checks: [(actual: ExpressionID, expected: ExpressionID?, failure: String?, text: String)] = []
    let program: KaitaiProgram
    do throws(SpecificationError) {
      root = try compiler.add(text: string, file: file) { finder.resolve($0, importer: $1) }
      for check in spec["asserts"]?.sequence.map(Array.init) ?? [] {
        let actual = check["actual"]?.string ?? ""
        let position = SourcePosition(file: actual, line: 1, column: 1)
        let expected = check["expected"]?.string.flatMap { $0 == "null" ? nil : $0 }
        checks.append(
          (
            try compiler.expression(actual, at: position, scope: root),
            try expected.map { text throws(SpecificationError) in
              try compiler.expression(text, at: position, scope: root)
            }, check["exception"]?.string, actual
          ))
      }
      program = try compiler.finish()
    } catch {
      throw Problem(what: error.description)
    }
    let tree = KaitaiTree(program, limits: .file)
    let failure = bytes.withUnsafeBytes { tree.parse(root, $0) }
    if let exception = spec["exception"] {
      let wanted = (exception["type"] ?? exception).string?.split(separator: "<").first.map(String.init) ?? ""
      guard failure?.kind.rawValue == wanted else { throw Problem(what: "\(String(describing: failure?.kind)), wanted \(wanted)") }
      return true
    }
    if let failure, name != "debug_array_user_eof_exception" { throw Problem(what: failure.kind.rawValue) }
    for check in checks {
      let actual = Result { () throws(Failure) in try tree.evaluate(check.actual, at: tree.root) }
      if let failure = check.failure {
        guard case .failure(let found) = actual, found.kind.rawValue == failure else { throw Problem(what: "\(check.text): no \(failure)") }
        continue
      }
      switch actual {
      case .failure(let found):
        if check.expected != nil || found.kind != .absent { throw Problem(what: "\(check.text): \(found.kind)") }
      case .success(let value):
        guard let expression = check.expected else {
          if value.kind != .absent { throw Problem(what: "\(check.text): not null") }
          continue
        }
        guard let wanted = try? tree.evaluate(expression, at: tree.root), same(value, wanted, tree) else {
          throw Problem(what: "\(check.text): another value")
        }
      }
    }
    return true
  }

  private func same(_ value: KaitaiValue, _ wanted: KaitaiValue, _ tree: KaitaiTree) -> Bool {
    if let a = value.asDouble, let b = wanted.asDouble, value.kind == .float || wanted.kind == .float {
      return a == b || abs(a - b) <= 1e-6 * max(1, min(abs(b), 1e300))
    }
    return (try? tree.machine.pointee.isEqual(value, wanted)) == true
  }

  private func yaml(_ path: String) throws(Problem) -> Node {
    guard let bytes = FileImports.read(path, limit: 1 << 20), let node = try? YAML.compose(yaml: String(decoding: bytes, as: UTF8.self))
    else {
      throw Problem(what: "cannot read \(path)")
    }
    return node
  }
}
