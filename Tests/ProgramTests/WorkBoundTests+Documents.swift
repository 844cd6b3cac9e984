import Foundation
import Testing

/// Profiles, specifications, attribute tables and filters that need more work or memory than their size, by themselves or for each packet.
extension WorkBoundTests {
  /// Runs the program in a folder with these files. Returns its status, its peak memory in kilobytes, and its standard error.
  private func run(
    _ words: [String], files: [(name: String, bytes: [UInt8])], seconds: Int
  ) throws -> (status: Int32, peak: Int, errors: String) {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("btscribe-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    for file in files { try Data(file.bytes).write(to: folder.appendingPathComponent(file.name)) }
    let names = Set(files.map(\.name))
    let measured = try BoundTests.measured(words.map { names.contains($0) ? "\(folder.path)/\($0)" : $0 }, seconds: seconds)
    let line = "cd '\(folder.path)' && ulimit -t \(seconds) && btscribe \(words.map { "'\($0)'" }.joined(separator: " ")) > /dev/null"
    return (measured.status, measured.peak, try Program.shell(line).errors)
  }

  private func text(_ text: String) -> [UInt8] { Array(text.utf8) }

  /// One packet of a device without a name.
  private var small: [UInt8] { notifications([[1]]) }

  private func sequence(_ count: Int) -> String { "[\((0..<count).map { "{id: f\($0), type: u1}" }.joined(separator: ", "))]" }

  // MARK: Documents read together

  /// A few kilobytes whose aliases expand to hundreds of megabytes, in a file and in its imports: 700 MB for each of them.
  @Test(arguments: [0, 1, 3]) func aliasesOfADescription(imports: Int) throws {
    let aliases = (0..<340).map { "  t\($0): {seq: *s}\n" }.joined()
    func description(_ name: String) -> [UInt8] { text("meta: {id: \(name), endian: le}\nseq: &s \(sequence(700))\ntypes:\n\(aliases)") }
    let names = (0..<max(1, imports)).map { "al\($0)" }
    var files = names.map { (name: $0 + ".ksy", bytes: description($0)) } + [("bin", text("xxxx"))]
    if imports > 0 {
      let meta = "meta: {id: a, endian: le, imports: [\(names.joined(separator: ", "))]}"
      files.append(("im.ksy", text(meta + "\nseq: [{id: x, type: u1}]\n")))
    }
    let result = try run(["ksy", "--spec", imports > 0 ? "im.ksy" : "al0.ksy", "bin"], files: files, seconds: 10)
    #expect(result.status == 65 && result.peak < 80_000, "\(result.status) \(result.peak) kB")
    #expect(
      result.errors.contains("al0.ksy:") && result.errors.contains("the aliases of this file expand to more than"), "\(result.errors)")
  }

  /// Each element of a list refers to one near its end: 80 KB took 11 s, 160 KB 42 s.
  @Test(arguments: ["json", "text"]) func pathsToElements(format: String) throws {
    let description = """
      meta: {id: q, endian: le}
      seq: [{id: a, type: x, repeat: eos}]
      types:
        x:
          seq: [{id: p, type: u1}]
          instances:
            other: {value: "_root.a[_root.a.size - 2]"}
      """
    let files = [("q.ksy", text(description)), ("bin", [UInt8](repeating: 7, count: 80_000))]
    let result = try run(["ksy", "--format", format, "--spec", "q.ksy", "bin"], files: files, seconds: 5)
    #expect(result.status == 0, "\(result.errors)")
  }

  /// Files without aliases that are within the limit each, but not together.
  @Test func importsOfADescription() throws {
    let names = (0..<12).map { "im\($0)" }
    let files = names.map { name in (name: name + ".ksy", bytes: text("meta: {id: \(name), endian: le}\nseq: \(sequence(8000))\n")) }
    let importer = "meta: {id: a, endian: le, imports: [\(names.joined(separator: ", "))]}\nseq: [{id: x, type: u1}]\n"
    let result = try run(["ksy", "--spec", "a.ksy", "bin"], files: files + [("a.ksy", text(importer)), ("bin", [1])], seconds: 20)
    #expect(
      result.status == 65 && result.errors.contains("more than 400000 values, with what is read together"), "\(result.errors.prefix(300))")
  }

  /// Aliases of a device in an attribute table, in one file and in several: 318 MB and 5 s for one.
  @Test func aliasesOfATable() throws {
    let characteristics = (1..<3000).map { "0x\(String($0, radix: 16)): {uuid: 2a00}" }.joined(separator: ", ")
    let table =
      "devices:\n- &a {address: \"c0:ee:00:00:00:01\", characteristics: {\(characteristics)}}\n" + String(repeating: "- *a\n", count: 3000)
    let result = try run(["timeline", "c", "--gatt", "map.yaml"], files: [("c", small), ("map.yaml", text(table))], seconds: 10)
    #expect(result.status == 65 && result.peak < 80_000, "\(result.status) \(result.peak) kB")
    #expect(result.errors.contains("the aliases of this file expand to more than"), "\(result.errors.prefix(300))")
    let devices = "devices: [\(String(repeating: "1,", count: 450_000))1]\n"
    let many = try run(["timeline", "c", "--gatt", "map.yaml"], files: [("c", small), ("map.yaml", text(devices))], seconds: 10)
    #expect(many.status == 65 && many.errors.contains("more than 400000 values"), "\(many.errors.prefix(300))")
    // 15,000 values each.
    let half = text("- {name: x, characteristics: {\(characteristics)}}\n")
    let files = (0..<20).map { (name: "m\($0)", bytes: half) }
    let together = try run(["timeline", "c"] + files.flatMap { ["--gatt", $0.name] }, files: files + [("c", small)], seconds: 10)
    #expect(together.status == 0, "\(together.errors.prefix(300))")
    let more = (0..<40).map { (name: "m\($0)", bytes: half) }
    let tooMany = try run(["timeline", "c"] + more.flatMap { ["--gatt", $0.name] }, files: more + [("c", small)], seconds: 10)
    #expect(tooMany.status == 65 && tooMany.errors.contains("more than 400000 values"), "\(tooMany.errors.prefix(300))")
  }

  /// Aliases in a profile (300 MB in a timeline), and in libraries that a profile imports (as much each), without a limit.
  @Test(arguments: [false, true]) func aliasesOfAProfile(isFound: Bool) throws {
    let own = profile(
      "meta: {endian: le}\ncharacteristics: {a: {handle: 0x10, notify: t0}}\ntypes:\n  t0: {seq: &s \(sequence(600))}\n"
        + (1..<110).map { "  t\($0): {seq: *s}\n" }.joined())
    if isFound {
      let folder = FileManager.default.temporaryDirectory.appendingPathComponent("btscribe-\(UUID().uuidString)")
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
      defer { try? FileManager.default.removeItem(at: folder) }
      try Data(own).write(to: folder.appendingPathComponent("x.btscribe.yaml"))
      try Data(small).write(to: folder.appendingPathComponent("c"))
      let result = try Program.shell("cd '\(folder.path)' && btscribe timeline c > /dev/null")
      #expect(result.status == 0 && result.errors.contains("x.btscribe.yaml:"), "\(result.errors.prefix(300))")
      #expect(result.errors.contains("the aliases of this file expand to more than"), "\(result.errors.prefix(300))")
      return
    }
    let result = try run(["timeline", "--profile", "x.yaml", "c"], files: [("c", small), ("x.yaml", own)], seconds: 10)
    #expect(result.status == 65 && result.peak < 80_000, "\(result.status) \(result.peak) kB")
  }

  @Test func aliasesOfLibraries() throws {
    let libraries = (0..<4).map { number in
      let aliases = (1..<120).map { "  t\(number)_\($0): {seq: *s}\n" }.joined()
      return (name: "l\(number).yaml", bytes: text("types:\n  t\(number)_0: {seq: &s \(sequence(600))}\n\(aliases)"))
    }
    let fields = (0..<480).map { "{id: z\($0), type: t\($0 / 120)_\($0 % 120)}" }.joined(separator: ", ")
    let own = profile(
      "meta: {endian: le}\nimports: [\(libraries.map(\.name).joined(separator: ", "))]\n"
        + "characteristics: {a: {handle: 0x10, notify: m}}\ntypes: {m: {seq: [\(fields)]}}\n")
    // 824 MB without a limit.
    let result = try run(["timeline", "--profile", "x.yaml", "c"], files: libraries + [("c", small), ("x.yaml", own)], seconds: 10)
    #expect(result.status == 65 && result.peak < 80_000, "\(result.status) \(result.peak) kB")
    #expect(result.errors.contains("l0.yaml:"), "\(result.errors.prefix(300))")
  }

  /// Names of a library: half a minute if each is compared with all others.
  @Test func namesOfALibrary() throws {
    let library = "enums:\n" + (0..<98_000).map { "  e\($0): {0: a}\n" }.joined()
    let own = profile(
      "imports: [lib.yaml]\ncharacteristics: {a: {handle: 0x10, notify: m}}\ntypes: {m: {seq: [{id: x, type: u1, enum: e1}]}}\n")
    let files = [("c", small), ("lib.yaml", text(library)), ("x.yaml", own)]
    let result = try run(["timeline", "--profile", "x.yaml", "c"], files: files, seconds: 12)
    #expect(result.status == 0, "\(result.status) \(result.errors)")
  }

  // MARK: Repeated work for a profile

  /// Devices with names, and a profile of the current folder with very many name patterns: it is left out, and that is reported.
  @Test(arguments: [
    "{names: [\((0..<20_000).map { "\"*e*i*\($0)x\"" }.joined(separator: ", "))]}",
    "[\((0..<20_000).map { "{names: [\"\($0)x\"]}" }.joined(separator: ", "))]",
  ]) func namesOfAProfile(match: String) throws {
    let result = try timelineOfDevices(4000, "device", match: match, seconds: 6)
    #expect(result.errors.contains("x.btscribe.yaml:2:8: \"match\" has at most 1024 alternatives, and things in them"), "\(result.errors)")
  }

  /// Patterns that nearly match a name, from each of its bytes on: 17 s if they are tried one by one.
  @Test func namesThatFitNearly() throws {
    let patterns = (0..<120).map { "\"*a*\(String(repeating: "a", count: 15))*\(String(repeating: "a", count: 200 + $0 % 8))b\"" }
    let match = "{names: [\(patterns.joined(separator: ", "))]}"
    let result = try timelineOfDevices(4000, String(repeating: "a", count: 230), match: match, seconds: 6)
    #expect(result.status == 0 && result.errors == "", "\(result.errors)")
  }

  /// A timeline of devices with names that connect, in a folder with a profile.
  private func timelineOfDevices(
    _ count: Int, _ name: String, match: String, seconds: Int
  ) throws -> (status: Int32, output: String, errors: String) {
    var tape = BoundTests.Tape()
    for number in 0..<count {
      let handle = number % 3000 + 1
      let whole = Array("\(name) \(number)".utf8)
      // With a public address, for which a name is reported.
      tape.event(0x3E, [1, 0] + BoundTests.little(UInt16(handle)) + [0, 0] + BoundTests.address(number) + [24, 0, 0, 0, 72, 0, 0])
      tape.event(7, [0] + BoundTests.address(number) + whole + [UInt8](repeating: 0, count: 248 - whole.count))
      tape.pdu(handle, 4, [0x1B, 0x10, 0, 1, 2], isReceived: true)
      tape.disconnect(handle)
    }
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("btscribe-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let own = profile("match: \(match)\ncharacteristics: {a: {handle: 0x10, notify: bytes}}\n")
    try Data(own).write(to: folder.appendingPathComponent("x.btscribe.yaml"))
    try Data(tape.bytes).write(to: folder.appendingPathComponent("c"))
    return try Program.shell("cd '\(folder.path)' && ulimit -t \(seconds) && btscribe timeline c > /dev/null")
  }

  /// Markers of a stream: half a minute if each is searched at each byte.
  @Test func markersOfAStream() throws {
    var noise = Noise()
    let capture = notifications((0..<5000).map { _ in noise.bytes(100) })
    func timeline(_ count: Int) throws -> (status: Int32, peak: Int, errors: String) {
      let markers = (0..<count).map { "[\($0 & 255),\($0 >> 8),3]" }.joined(separator: ", ")
      let own = profile("characteristics: {a: {handle: 0x10, notify: bytes, framing: [{stream: {start: [\(markers)], length: \"4\"}}]}}\n")
      return try run(["timeline", "--profile", "x.yaml", "c"], files: [("c", capture), ("x.yaml", own)], seconds: 6)
    }
    let many = try timeline(60_000)
    #expect(many.status == 65, "\(many.errors)")
    #expect(many.errors.contains("has at most 64 byte strings, of 256 bytes together"), "\(many.errors.prefix(300))")
    #expect(try timeline(64).status == 0)
  }

  /// Numbers that mean that there is no value: a minute if each is compared with each number.
  @Test(arguments: ["-na: [%]", "-na: [%, 70000..70001, 1.5]"]) func numbersThatStandForNothing(_ key: String) throws {
    var noise = Noise()
    let numbers = key.replacing("%", with: (0..<300_000).map { "\($0 + 1000)" }.joined(separator: ", "))
    let own = profile("characteristics: {a: {handle: 0x10, notify: m}}\ntypes: {m: {seq: [{id: x, type: u1, repeat: eos, \(numbers)}]}}\n")
    let capture = notifications((0..<5000).map { _ in noise.bytes(100) })
    let result = try run(["timeline", "--profile", "x.yaml", "c"], files: [("c", capture), ("x.yaml", own)], seconds: 10)
    #expect(result.status == 0, "\(result.status) \(result.errors)")
  }

  /// Sources without responses, and messages: two booleans for each pair of them.
  @Test func sourcesAndMessages() throws {
    let sources = (0..<2000).map { "c\($0): {handle: \($0 + 1), notify: m0}" }.joined(separator: ", ")
    func timeline(_ messages: Int) throws -> Int {
      let list = (0..<messages).map { "m\($0): {type: t}" }.joined(separator: ", ")
      let own = profile("characteristics: {\(sources)}\nmessages: {\(list)}\ntypes: {t: {seq: [{id: x, type: u1}]}}\n")
      let result = try run(["timeline", "--profile", "x.yaml", "c"], files: [("c", small), ("x.yaml", own)], seconds: 20)
      #expect(result.status == 0, "\(result.errors)")
      return result.peak
    }
    // 160 MB of pairs.
    #expect(try timeline(40_000) < timeline(1) + 120_000)
  }

  /// Sources that are searched for each attribute, and responses for each of them: 18 s for the sources.
  @Test func moreSourcesThanThereMayBe() throws {
    func errors(_ sources: [String], _ more: String = "") throws -> String {
      let own = profile("meta: {endian: le}\ncharacteristics: {\n\(sources.joined(separator: ",\n"))}\n\(more)")
      let result = try run(["timeline", "--profile", "x.yaml", "c"], files: [("c", small), ("x.yaml", own)], seconds: 10)
      #expect(result.status == 65, "\(result.status)")
      return result.errors
    }
    let many = (0..<3000).map { "c\($0): {handle: \($0 + 1), notify: bytes}" }
    #expect(try errors(many).contains("x.yaml:2052:1: a profile has at most 4096 characteristics and other sources"))
    let listed = "a: {uuid: 2a00, service: [\((0..<5000).map { String(0x1000 + $0, radix: 16) }.joined(separator: ", "))], notify: bytes}"
    #expect(try errors([listed]).contains("a profile has at most 4096 characteristics and other sources"))
    let answers = (0..<1000).map { "c\($0): {handle: \($0 + 1), notify: t, write: t, answers: {to: c0}}" }
    let messages = "messages: {\((0..<2000).map { "m\($0): {type: t}" }.joined(separator: ", "))}\ntypes: {t: {seq: [{id: x, type: u1}]}}\n"
    #expect(try errors(answers, messages).contains("\"answers\" times messages of a profile are at most 1048576"))
  }

  /// Layers, responses, checks and advertisements that are iterated for each message: minutes, and framing names that expand to gigabytes.
  @Test func moreForEachMessageThanThereMayBe() throws {
    func errors(_ own: String) throws -> String {
      let result = try run(["timeline", "--profile", "x.yaml", "c"], files: [("c", small), ("x.yaml", profile(own))], seconds: 10)
      #expect(result.status == 65, "\(result.status)")
      return result.errors
    }
    func list(_ count: Int, _ element: (Int) -> String) -> String { (0..<count).map(element).joined(separator: ", ") }
    let layers = "framings: {f: [\(list(60) { _ in "{strip: {head: 0}}" })]}\n"
    #expect(try errors(layers + "characteristics: {a: {handle: 1, notify: bytes, framing: [f, f]}}\n").contains("more than 64 layers"))
    let sources = list(200) { "c\($0): {handle: \($0 + 1), notify: bytes, framing: f}" }
    #expect(try errors(layers + "characteristics: {\(sources)}\n").contains("more than 8192 layers"))
    let over = list(17) { "[\($0), 20]" }
    let check = "{check: {algorithm: CRC-16/XMODEM, over: [\(over)]}}"
    #expect(try errors("characteristics: {a: {handle: 1, notify: bytes, framing: [\(check)]}}\n").contains("\"over\" has at most 16 parts"))
    let others = list(65) { "c\($0): {handle: \($0 + 2), write: bytes}" }
    let answers = list(65) { "{to: c\($0)}" }
    #expect(
      try errors("characteristics: {a: {handle: 1, notify: bytes, answers: [\(answers)]}, \(others)}\n")
        .contains("\"answers\" has at most 64"))
    let advertisements = list(257) { "a\($0): {services: [\(String(0x1000 + $0, radix: 16))], value: bytes}" }
    #expect(try errors("advertisements: {\(advertisements)}\n").contains("more than 256 \"advertisements\""))
  }

  /// Messages of one type with many fields: a gigabyte if each has a reader of its own.
  @Test func messagesOfOneType() throws {
    func timeline(_ messages: Int) throws -> Int {
      let list = (0..<messages).map { "m\($0): {type: t}" }.joined(separator: ", ")
      let fields = (0..<2000).map { "{id: f\($0), type: u1}" }.joined(separator: ", ")
      let own = profile("characteristics: {a: {handle: 1, notify: m0}}\nmessages: {\(list)}\ntypes: {t: {seq: [\(fields)]}}\n")
      let result = try run(["timeline", "--profile", "x.yaml", "c"], files: [("c", small), ("x.yaml", own)], seconds: 20)
      #expect(result.status == 0, "\(result.errors)")
      return result.peak
    }
    #expect(try timeline(3000) < timeline(1) + 60_000)
  }

  // MARK: Tables and filters

  /// Two tables of a device with different attributes: 28 s if each is searched among all.
  @Test func attributesThatDiffer() throws {
    func capture(_ first: Int) -> [UInt8] {
      var tape = BoundTests.Tape()
      tape.connect(1, 1)
      for start in stride(from: 0, to: 16_000, by: 100) {
        let from = BoundTests.little(UInt16(start + 1))
        tape.pdu(1, 4, [4] + from + [0xFF, 0xFF])
        var answer: [UInt8] = [5, 1]
        for number in start..<start + 100 {
          answer += BoundTests.little(UInt16(number + 1))
          answer += BoundTests.little(UInt16(first + number / 2))
        }
        tape.pdu(1, 4, answer, isReceived: true)
      }
      return tape.bytes
    }
    let result = try run(["diff", "a", "b"], files: [("a", capture(0x2000)), ("b", capture(0x9000))], seconds: 6)
    #expect([0, 1].contains(result.status), "\(result.status) \(result.errors)")
  }

  /// Constants of a set: 10 s if each is compared with each packet.
  @Test func membersOfAFilter() throws {
    let capture = notifications((0..<100_000).map { [UInt8(truncatingIfNeeded: $0)] })
    let filter = "btatt.handle in {\((0..<6000).map { "\($0 + 1000)" }.joined(separator: ", "))}"
    let result = try run(["timeline", "-q", "-Y", filter, "c"], files: [("c", capture)], seconds: 4)
    #expect(result.status == 0, "\(result.status) \(result.errors)")
  }
}
