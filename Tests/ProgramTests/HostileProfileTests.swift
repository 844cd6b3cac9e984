import Foundation
import Testing

/// Profiles that would run without end or fill memory: each ends soon, with a message or with the part that could be decoded.
@Suite struct HostileProfileTests {
  struct Hostile: CustomTestStringConvertible {
    let name: String
    let profile: String
    let message: String
    var status: Int32 = 65
    var testDescription: String { name }
  }

  private static func typed(_ name: String, _ types: String, _ message: String, status: Int32 = 65) -> Hostile {
    Hostile(
      name: name, profile: "profile: x\nmeta: {endian: le}\ncharacteristics: {a: {uuid: 2a19, value: t}}\ntypes: {\(types)}\n",
      message: message,
      status: status)
  }

  private static func plain(_ name: String, _ more: String, _ message: String) -> Hostile {
    Hostile(name: name, profile: "profile: x\ncharacteristics: {a: {uuid: 2a19, value: bytes}}\n\(more)\n", message: message)
  }

  private static func framed(_ name: String, _ framings: String, _ message: String, types: String = "") -> Hostile {
    Hostile(
      name: name,
      profile:
        "profile: x\nmeta: {endian: le}\nframings: {\(framings)}\ncharacteristics: {a: {uuid: 2a19, value: bytes, framing: f}}\n\(types)\n",
      message: message)
  }

  static let all: [Hostile] = {
    let empty = "e: {}"
    let doubling = (1...60).map { "s\($0): {value: s\($0 - 1) + s\($0 - 1)}" }.joined(separator: ", ")
    let chain = (1...3000).reversed().map { "i\($0): {value: i\($0 - 1) + 1}" }.joined(separator: ", ")
    let tree = (0..<60).map { "t\($0 == 0 ? "" : "\($0)"): {seq: [{id: a, type: t\($0 + 1)}, {id: b, type: t\($0 + 1)}]}" }
    let bomb =
      "source: &a0 [1, 2, 3, 4, 5, 6, 7, 8, 9]\n"
      + (1...9).map { "k\($0): &a\($0) [\(Array(repeating: "*a\($0 - 1)", count: 9).joined(separator: ", "))]" }.joined(separator: "\n")
    let framings = (1...40).map { "f\($0 == 40 ? "" : "\($0)"): [f\($0 - 1), f\($0 - 1)]" }.joined(separator: ", ")
    let deep = String(repeating: "[", count: 100_000) + String(repeating: "]", count: 100_000)
    let parens = String(repeating: "(", count: 5000) + "q" + String(repeating: ")", count: 5000)
    let stars = String(repeating: "*a", count: 200)
    let state = (0..<2000).map { "s\($0): 0" }.joined(separator: ", ")
    return [
      plain("more values than a link can remember", "state: {\(state)}", "remembers at most 1024 values"),
      typed("a type within itself", "t: {seq: [{id: x, type: t}]}", "nested too deep"),
      typed("types that double", tree.joined(separator: ", ") + ", t60: {seq: [{id: z, type: u1}]}", "nested too deep"),
      typed("nothing, until the end", "t: {seq: [{id: x, type: e, repeat: eos}]}, \(empty)", "a repetition until the end reads nothing"),
      typed("2^40 times nothing", "t: {seq: [{id: x, type: e, repeat: expr, repeat-expr: 1 << 40}]}, \(empty)", "a limit of nodes"),
      typed("2^40 bytes one by one", "t: {seq: [{id: x, type: u1, repeat: expr, repeat-expr: 1 << 40}]}", "requested 1 bytes"),
      typed("until never", "t: {seq: [{id: x, type: e, repeat: until, repeat-until: 'false'}]}, \(empty)", "a limit of nodes"),
      typed("2^50 bytes", "t: {seq: [{id: x, size: 1 << 50}]}", "requested 1125899906842624 bytes"),
      typed("values in a circle", "t: {seq: [{id: x, size: y}], instances: {y: {value: z}, z: {value: y}}}", "an instance needs itself"),
      typed(
        "instances that multiply", "t: {seq: [{id: q, type: u1}], instances: {l: {pos: 0, type: t}, r: {pos: 0, type: t}}}", "l (q 1",
        status: 0),
      typed(
        "a text that doubles", "t: {seq: [{id: q, type: u1}], instances: {s0: {value: '\"0123456789abcdef\"'}, \(doubling)}}", "s4 0123",
        status: 0),
      typed("a long chain of values", "t: {seq: [{id: q, type: u1}], instances: {\(chain), i0: {value: 0}}}", "i2 2", status: 0),
      typed("deep brackets", "t: {seq: [{id: q, type: u1}], instances: {v: {value: '\(parens)'}}}", "the expression is nested too deep"),
      typed("a huge shift", "t: {seq: [{id: q, type: u1}], instances: {v: {value: 'q << (1 << 62)'}}}", "q 1", status: 0),
      framed("framings in a circle", "f: [g], g: [f]", "framings name one another in a circle"),
      framed("framings that double", "f0: [{check: {algorithm: sum8}}], \(framings)", "this expands to more than 64 layers"),
      framed(
        "a length of 2^64", "f: [{stream: {header: h, length: n}}]", "are more than the", types: "types: {h: {seq: [{id: n, type: u8}]}}"),
      framed(
        "a length of nothing", "f: [{stream: {header: h, length: n - n}}]", "a length of", types: "types: {h: {seq: [{id: n, type: u1}]}}"),
      plain("extends itself", "extends: x", "no profile is named \"x\""),
      plain("aliases that multiply", bomb, "the aliases of this file expand to more than"),
      plain("an alias of itself", "source: &x [*x]", "found undefined alias"),
      plain("deep lists", "source: \(deep)", "nested deeper than"),
      plain("more than a profile", "source: \(String(repeating: "x", count: 5 << 20))", "File too large"),
      plain("many stars", "advertisements: {b: {names: ['\(stars)b'], value: bytes}}", "bytes"),
    ]
  }()

  @Test(arguments: all)
  func ends(_ hostile: Hostile) throws {
    let file = FileManager.default.temporaryDirectory.appendingPathComponent("btscribe-\(UUID().uuidString).yaml")
    try Data(hostile.profile.utf8).write(to: file)
    defer { try? FileManager.default.removeItem(at: file) }
    // Half a minute of processor time, and 3 GB including memory that is mapped but not used.
    let result = try Program.shell(
      """
      ulimit -t 30 -v 3000000; cp "\(file.path)" "$TMP/x.yaml" && cd "$TMP"
      btscribe decode --profile ./x.yaml --characteristic a 0102030405060708ff > told; echo $? > status; head -c 300000 told; cat status >&2
      """)
    let status = result.errors.split(separator: "\n").last.flatMap { Int32($0) }
    #expect(
      (result.output + result.errors).contains(hostile.message) && (status == hostile.status || status == 0 || status == 66),
      "\(status ?? -1) \(result.output.prefix(300)) \(result.errors.prefix(300))")
  }

  /// Instances that refer to the objects around them, to other elements of their list, or to lists of lists: printed in full, a message of a few bytes
  /// takes all memory.
  @Test(arguments: [
    ("{seq: [{id: p, type: u1}], instances: {up: {value: _parent}}}", ""),
    ("{seq: [{id: p, type: u1}], instances: {n: {value: '_parent.a[p % 20]'}, o: {value: '_parent.a[(p + 1) % 20]'}}}", ""),
    ("{seq: [{id: p, type: u1}]}", (1..<14).reduce("b0: {value: '[a, a, a, a]'}") { $0 + ", b\($1): {value: '[b\($1 - 1), b\($1 - 1)]'}" }),
  ])
  func objectsOfInstances(element: String, instances: String) throws {
    let profile = """
      profile: x
      meta: {endian: le}
      characteristics: {a: {uuid: 2a19, value: m}}
      types:
        m: {seq: [{id: a, type: x, repeat: eos}], instances: {\(instances)}}
        x: \(element)
      """
    let file = FileManager.default.temporaryDirectory.appendingPathComponent("btscribe-\(UUID().uuidString).yaml")
    try Data(profile.utf8).write(to: file)
    defer { try? FileManager.default.removeItem(at: file) }
    let packet = (0..<20).map { $0 < 16 ? "0\(String($0, radix: 16))" : String($0, radix: 16) }.joined()
    let result = try Program.shell(
      "ulimit -t 10 -v 1000000; btscribe decode --format json --profile \"\(file.path)\" --characteristic a \(packet) | head -c 1000000; profiles=$?; "
        + "btscribe profiles check \"\(file.path)\" > /dev/null 2>&1; echo $?")
    #expect(result.output.contains("\"p\":19") && result.output.utf8.count < 100_000, "\(result.output.count) \(result.errors)")
    #expect(result.output.hasSuffix("\n0\n") || result.output.hasSuffix("\n65\n"), "\(result.output.suffix(100))")
  }

  /// For a profile with many names, finding suggestions takes no longer than reading the profile.
  @Test func manyNamesAreChecked() throws {
    let types = (0..<20_000).map { "  t\($0): {seq: [{id: a, type: u1}, {id: b, type: t\($0 + 1), if: a > 200}]}\n" }.joined()
    let profile =
      "profile: x\nmeta: {endian: le}\ncharacteristics: {a: {uuid: 2a19, value: t0}}\ntypes:\n\(types)  t20000: {seq: [{id: a, type: u1}]}\n"
    let file = FileManager.default.temporaryDirectory.appendingPathComponent("btscribe-\(UUID().uuidString).btscribe.yaml")
    try Data(profile.utf8).write(to: file)
    defer { try? FileManager.default.removeItem(at: file) }
    // 33 s of processor time if each name is compared with all others.
    let result = try Program.shell("ulimit -t 15; btscribe profiles check \"\(file.path)\" > /dev/null; echo $?")
    #expect(result.output.hasSuffix("0\n"), "\(result.output.suffix(100)) \(result.errors.suffix(300))")
  }
}
