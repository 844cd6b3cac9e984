import Testing

@testable import KaitaiStruct

@Suite struct MistakeTests {
  @Test(arguments: [
    (
      "meta:\n  id: a\nseq:\n  - id: x\n    typ: u1\n",
      "test.ksy:5:5: unknown key \"typ\" (did you mean \"type\"?); expected one of: consume, contents, doc, doc-ref, encoding, enum"
    ),
    ("meta: {id: a}\nseq:\n  - id: x\n    type: u2\n", "test.ksy:4:11: \"u2\" needs a byte order: write u2le or u2be"),
    (
      "meta: {id: a}\nseq:\n  - id: x\n    size: lenth\n  - {id: length, type: u1}\n",
      "test.ksy:4:11: there is no \"lenth\" in \"a\" (did you mean"
    ),
    ("meta: {id: a}\nseq:\n  - id: x\n    size: 1 + (2 *\n", "test.ksy:4:19: expected a value, found the end of the expression"),
    ("meta: {id: a}\nseq:\n  - id: x\n    size: '1 + \"a\"'\n", "test.ksy:4:12: this is for numbers, not a whole number and text"),
    (
      "meta: {id: a}\nseq:\n  - {id: x, type: foo}\ntypes:\n  fooo: {}\n",
      "test.ksy:3:19: there is no type \"foo\" (did you mean \"fooo\"?)"
    ),
    ("meta: {id: a}\nseq:\n  - {id: x, type: u1, enum: e}\n", "test.ksy:3:29: there is no enum \"e\""),
    (
      "meta: {id: a}\nseq:\n  - {id: x, type: u1, if: 'e::dog == 1'}\nenums: {e: {1: cat, 2: dot}}\n",
      "test.ksy:3:28: the enum \"e\" has no \"dog\""
    ),
    ("meta: {id: a}\nseq:\n  - {id: x, type: str, size: 2}\n", "test.ksy:3:19: text needs an encoding"),
    ("meta: {id: a}\nseq:\n  - {id: x}\n", "test.ksy:3:10: \"x\" has no type and no size"),
    (
      "meta: {id: a}\nseq:\n  - {id: x, type: u1}\n  - {id: x, type: u1}\n",
      "test.ksy:4:10: the name \"x\" is taken: /seq/0 (line 3) has it already"
    ),
    ("meta: {id: a}\nseq:\n  - {id: x, type: u1, repeat: expr}\n", "test.ksy:3:31: `repeat: expr` needs `repeat-expr` beside it"),
    ("meta: {id: a}\nseq:\n  - {id: x, type: t(1)}\ntypes: {t: {}}\n", "test.ksy:3:19: \"t\" takes 0 parameters, 1 given"),
    (
      "meta: {id: a}\nseq:\n  - {id: x, type: u1}\n  - {id: y, size: 1, if: x}\n",
      "test.ksy:4:26: `if` must be true or false, this is a whole number"
    ),
    ("meta: {id: a}\nseq: [{id: x, size: 2, process: xr(1)}]\n", "test.ksy:2:33: there is no process \"xr\" (did you mean \"xor\"?)"),
    ("meta: {id: a, ks-version: 9.9}\n", "test.ksy:1:27: this needs version 9.9 of Kaitai Struct"),
    ("meta: {id: a}\nseq:\n\t- id: x\n", "test.ksy:3:1: not YAML: found character that cannot start any token"),
    ("meta: {id: a}\nmeta: {id: b}\n", "the key \"meta\" stands twice"),
    ("", "test.ksy:1:1: the file is empty"),
    ("meta: {id: a, imports: [nothing]}\n", "test.ksy:1:25: cannot find \"nothing\" to import"),
  ])
  func areReportedWithTheirPosition(text: String, message: String) {
    let found = mistakes(text)
    #expect(found.first?.contains(message) == true, "\(found)")
  }

  @Test func allAreReportedAtOnce() {
    let found = mistakes("meta: {id: a}\nseq:\n  - {id: x, type: u2}\n  - {id: y, type: what}\n  - {id: z, size: q}\n")
    #expect(found.count == 3)
  }

  @Test func insideAnotherFileLinesAreThoseOfTheFile() throws {
    // A profile has types beside keys of its own, which this compiler ignores.
    let text = "profile: x\nmatch: {}\ntypes:\n  header:\n    seq:\n      - {id: a, type: u2}\n      - {id: b, type: what}\n"
    let compiler = Compiler()
    let node = try Self.compose(text)
    do throws(SpecificationError) {
      try compiler.add(mapping: node, name: "x", file: "x.yaml", defaults: Defaults(isLittleEndian: true))
      Issue.record("a mistake was not found")
    } catch {
      #expect(error.issues.map(\.description) == ["x.yaml:7:23: there is no type \"what\" (at /types/header/seq/1/type)"])
    }
  }

  @Test func partsOfAnotherFileHaveDefaults() throws {
    let compiler = Compiler()
    let node = try Self.compose(
      "profile: x\ntypes:\n  header:\n    seq: [{id: a, type: u2}, {id: s, type: str, size: 2}]\nenums: {e: {1: one}}\n")
    let scope = try compiler.add(mapping: node, name: "x", file: "x.yaml", defaults: Defaults(isLittleEndian: true, encoding: "ASCII"))
    let header = try #require(compiler.type("header", in: scope))
    let program = try compiler.finish()
    let tree = KaitaiTree(program)
    let bytes: [UInt8] = [1, 2, 0x41, 0x42]
    #expect(bytes.withUnsafeBytes { tree.parse(header, $0) } == nil)
    let first = try #require(tree.node(tree.root).firstChild)
    #expect(tree.int(first) == 0x0201)
  }
}
