import FuzzInput
import FuzzKaitaiStruct
import Testing
import TestSupport

@testable import KaitaiStruct

/// Specifications and bytes that would run without end, or out of memory.
@Suite struct HostileTests {
  @Test(arguments: [
    ("{meta: {id: a}, seq: [{id: x, type: a}]}", Failure.Kind.depth),
    ("{meta: {id: a}, seq: [{id: x, type: e, repeat: eos}], types: {e: {}}}", .noProgress),
    ("{meta: {id: a}, seq: [{id: x, type: e, repeat: expr, repeat-expr: 1 << 60}], types: {e: {}}}", .limit),
    ("{meta: {id: a}, seq: [{id: x, type: e, repeat: until, repeat-until: 'false'}], types: {e: {}}}", .limit),
    ("{meta: {id: a}, seq: [{id: x, size: 1 << 50}]}", .endOfStream),
    ("{meta: {id: a}, seq: [{id: x, size: 1 - 2}]}", .endOfStream),
    ("{meta: {id: a}, seq: [{id: x, size: y}], instances: {y: {value: z}, z: {value: y + 1}}}", .recursion),
    ("{meta: {id: a}, seq: [{id: x, size: y}], instances: {y: {pos: y, type: u1}}}", .recursion),
    (
      "{meta: {id: a}, seq: [{id: x, type: u1, repeat: expr, repeat-expr: 5, if: y.size > 0}], instances: {y: {pos: 0, type: e, repeat: eos}}, types: {e: {}}}",
      .noProgress
    ),
    ("{meta: {id: a}, seq: [{id: x, type: {switch-on: 3, cases: {1: u1}}, repeat: eos}]}", .noProgress),
  ])
  func parsingEnds(text: String, kind: Failure.Kind) throws {
    let compiled = try Compiled(text)
    let failure = try #require(compiled.parse([1, 2, 3, 4]))
    #expect(failure.kind == kind)
    compiled.tree.evaluateInstances()
    var output: [UInt8] = []
    compiled.tree.appendJSON(to: &output)
    compiled.tree.appendText(to: &output)
  }

  /// Numbers at the limits of 64 bits, where a specification has a number: a mistake, or a size that is not constant.
  @Test(arguments: [
    ("{id: x, size: --9223372036854775808}", nil),
    ("{id: x, type: str, encoding: ASCII, terminator: --9223372036854775808}", "expected a byte, 0 to 255"),
    ("{id: x, size: -9223372036854775807}, {id: y, size: 'sizeof<a>'}", "the size is out of range"),
    ("{id: x, size: 9223372036854775807}, {id: y, size: 'sizeof<a>'}", "the size is out of range"),
    ("{id: x, type: b1, repeat: expr, repeat-expr: 9223372036854775807}, {id: y, size: 'x._sizeof'}", "depends on what is read"),
    ("{id: x, type: u1, repeat: expr, repeat-expr: --9223372036854775808}, {id: y, size: 'sizeof<a>'}", "depends on what is read"),
  ])
  func numbersAtTheEdge(fields: String, mistake: String?) {
    let found = mistakes("{meta: {id: a}, seq: [\(fields)]}")
    #expect(mistake.map { mistake in found.contains { $0.contains(mistake) } } ?? found.isEmpty, "\(found)")
  }

  @Test func instancesThatMultiplyEnd() throws {
    let compiled = try Compiled(
      "{meta: {id: a}, instances: {l: {pos: 0, type: a}, r: {pos: 0, type: a}}}",
      limits: Limits(depth: 32, nodes: 10_000, bytes: 1 << 16, steps: 1 << 20))
    #expect(compiled.json([1]).utf8.count > 1000)
    #expect(compiled.tree.nodeCount <= 10_000)
  }

  @Test func textThatDoublesEnds() throws {
    let steps = (1...60).map { "s\($0): {value: s\($0 - 1) + s\($0 - 1)}" }.joined(separator: ", ")
    let compiled = try Compiled("{meta: {id: a}, instances: {s0: {value: '\"0123456789abcdef\"'}, \(steps)}}")
    #expect(compiled.json([]).contains("\"s60\":{\"_error\":{\"type\":\"LimitError\""))
  }

  /// Repeated operations on many bytes with a short result: the steps grow with the bytes.
  @Test(arguments: [
    "l.map(s.length).sum", "l.map(s.substring(0, 1)).map(_.length).sum", "l.map(s.reverse).map(_ == s ? 1 : 0).sum",
    "l.map(w.to_s('UTF-16LE')).map(_ == s ? 1 : 0).sum", "l.map(w.to_s('UTF-32LE')).map(_ == s ? 1 : 0).sum",
    "l.map(w.to_s('ISO-8859-2')).map(_ == s ? 1 : 0).sum", "l.map(w.to_s('GB18030')).map(_ == s ? 1 : 0).sum",
  ])
  func bytesThatAreLookedThroughCount(expression: String) throws {
    let compiled = try Compiled(
      """
      {meta: {id: a}, seq: [{id: l, type: u1, repeat: expr, repeat-expr: 1000}, {id: s, size-eos: true, type: str, encoding: UTF-8}],
       instances: {w: {pos: 1000, size-eos: true}, v: {value: "\(expression)"}}}
      """, limits: Limits(depth: 16, nodes: 100_000, bytes: 1 << 28, steps: 100_000))
    #expect(compiled.json([UInt8](repeating: 0x41, count: 1000 + 32_768)).contains("\"v\":{\"_error\":{\"type\":\"LimitError\""))
  }

  /// The same for bytes from which a field is read: padding, terminators of two bytes, and empty deflate blocks.
  @Test(arguments: [
    ("size-eos: true, pad-right: 0", [0]), ("type: strz, encoding: UTF-16LE, eos-error: false", [1]),
    ("size-eos: true, type: str, encoding: UTF-16BE", [0, 0x41]), ("size-eos: true, process: zlib", [0, 0, 0, 0xFF, 0xFF]),
  ])
  func bytesThatAreReadCount(field: String, pattern: [UInt8]) throws {
    let compiled = try Compiled(
      """
      {meta: {id: a}, seq: [{id: l, type: e, repeat: expr, repeat-expr: 1000}], instances: {v: {value: l.map(_.x.length).sum}},
       types: {e: {seq: [{id: n, type: u1}], instances: {x: {pos: 1000, \(field)}}}}}
      """, limits: Limits(depth: 16, nodes: 100_000, bytes: 1 << 28, steps: 100_000))
    let tail = (0..<32_768 / pattern.count).flatMap { _ in pattern }
    let json = compiled.json([UInt8](repeating: 0, count: 1000) + (field.contains("zlib") ? [0x78, 1] : []) + tail)
    #expect(json.contains("LimitError"), "\(json.suffix(300))")
  }

  @Test func deepExpressionsAreRefused() {
    let deep = String(repeating: "(", count: 5000) + "1" + String(repeating: ")", count: 5000)
    #expect(mistakes("{meta: {id: a}, instances: {v: {value: '\(deep)'}}}").first?.contains("nested too deep") == true)
    let signs = String(repeating: "-", count: 5000) + "x"
    #expect(!mistakes("{meta: {id: a}, seq: [{id: x, type: u1}], instances: {v: {value: '\(signs)'}}}").isEmpty)
    let long = Array(repeating: "1", count: 5000).joined(separator: " + ")
    #expect(mistakes("{meta: {id: a}, instances: {v: {value: '\(long)'}}}").first?.contains("too long") == true)
  }

  @Test func deepInstancesEnd() throws {
    let steps = (1...3000).map { "i\($0): {value: i\($0 - 1) + 1}" }.joined(separator: ", ")
    let compiled = try Compiled(
      "{meta: {id: a}, instances: {\(steps.split(separator: ", ").reversed().joined(separator: ", ")), i0: {value: 0}}}")
    #expect(compiled.json([]).contains("DepthLimit"))
  }

  @Test func deepFilesAreRefused() {
    let deep = String(repeating: "{types: {t: ", count: 3000) + "{}" + String(repeating: "}}", count: 3000)
    #expect(!mistakes("{meta: {id: a}, types: {t: \(deep)}}").isEmpty)
    #expect(!mistakes(String(repeating: "[", count: 100_000)).isEmpty)
    #expect(!mistakes(String(repeating: "a: &x [*x, *x]\n", count: 3)).isEmpty)
    var bomb = "meta: {id: a}\n-a: &a0 {x: 1}\n"
    for level in 1...40 { bomb += "-b\(level): &a\(level) {l: *a\(level - 1), r: *a\(level - 1)}\n" }
    _ = mistakes(bomb + "types: *a40\n")
  }

  @Test func importsThatCloseTheRingAreOne() throws {
    let files = [
      "a": "{meta: {id: a, imports: [b]}, seq: [{id: x, type: u1}, {id: y, type: b, if: x > 0}]}",
      "b": "{meta: {id: b, imports: [a, b]}, seq: [{id: z, type: a}]}",
    ]
    let compiler = Compiler()
    let root = try compiler.add(text: files["a"] ?? "", file: "a") { name, _ in files[name].map { (name, $0) } }
    let tree = KaitaiTree(try compiler.finish())
    let bytes: [UInt8] = [1, 1, 0]
    #expect(bytes.withUnsafeBytes { tree.parse(root, $0) } == nil)
    let endless = Compiler()
    var count = 0
    #expect(throws: SpecificationError.self) {
      try endless.add(text: "{meta: {id: a, imports: [x]}}", file: "a") { _, _ in
        count += 1
        return ("f\(count)", "{meta: {id: f\(count), imports: [x]}}")
      }
    }
    #expect(count <= 500)
  }

  @Test func sizesOfTypesThatBranchAreFoundOnce() throws {
    let types = (0..<60).map { "t\($0): {seq: [{id: a, type: t\($0 + 1)}, {id: b, type: t\($0 + 1)}]}" }.joined(separator: ", ")
    #expect(!mistakes("{meta: {id: a}, instances: {v: {value: 'sizeof<t0>'}}, types: {\(types), t60: {seq: [{id: a, type: u1}]}}}").isEmpty)
  }

  @Test func randomBytesNeverTrap() throws {
    var generator = SplitMix(state: testSeed)
    for text in [ParsingTests.response] + FuzzTarget.specifications {
      let compiled = try Compiled(text, limits: Limits(depth: 16, nodes: 4000, bytes: 1 << 16, steps: 50_000))
      for _ in 0..<1500 {
        let count = Int(generator.next() % 48)
        let bytes = (0..<count).map { _ in
          generator.next() % 4 == 0 ? UInt8(truncatingIfNeeded: generator.next()) : UInt8(generator.next() % 6)
        }
        #expect(compiled.json(bytes).utf8.count >= 2)
      }
    }
  }
}
