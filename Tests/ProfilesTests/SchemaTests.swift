import Foundation
import KaitaiStruct
import Testing

@testable import Profiles

/// The schema of profiles, and the table of keys that it shares with the loader.
@Suite struct SchemaTests {
  private static let root = Shared.builtin.deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

  /// Whether Python has the modules jsonschema and yaml.
  private static let hasValidator: Bool = {
    (try? python(["-c", "import jsonschema, yaml"]))?.status == 0
  }()

  private static func python(_ arguments: [String]) throws -> (status: Int32, output: String) {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = ["python3"] + arguments
    let pipe = Pipe()
    process.standardOutput = pipe
    process.standardError = pipe
    try process.run()
    let data = pipe.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    return (process.terminationStatus, String(decoding: data, as: UTF8.self))
  }

  /// Every YAML file of the package that loads as a profile, and the profiles in the manual.
  private static func profiles() throws -> [(name: String, text: String)] {
    var found: [(String, String)] = []
    for folder in ["Sources/CBuiltinProfiles/Profiles", "Samples", "Tests"] {
      let walk = try #require(FileManager.default.enumerator(at: root.appendingPathComponent(folder), includingPropertiesForKeys: nil))
      for case let file as URL in walk where file.pathExtension == "yaml" {
        found.append((file.lastPathComponent, try String(contentsOf: file, encoding: .utf8)))
      }
    }
    return found
  }

  private static func loads(_ text: String, _ name: String) -> Bool {
    guard let set = try? ProfileSet(texts: [(text, name, .user)]) else { return false }
    return set.summaries.filter { $0.file == name }.allSatisfy { (try? set.profile($0.number)) != nil }
  }

  @Test(.enabled(if: hasValidator, "needs python3 with the packages jsonschema and PyYAML"))
  func whatLoadsIsValidAndAMisspeltKeyIsNot() throws {
    let scratch = FileManager.default.temporaryDirectory.appendingPathComponent("btscribe-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: scratch, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: scratch) }
    try Data(ProfileSchema.json).write(to: scratch.appendingPathComponent("schema.json"))
    var good = 0
    for (index, profile) in try Self.profiles().enumerated() where Self.loads(profile.text, profile.name) {
      good += 1
      try Data(profile.text.utf8).write(to: scratch.appendingPathComponent("good-\(index)-\(profile.name)"))
    }
    try #require(good > 100)
    var bad = 0
    for (index, text) in Self.misspelt.enumerated() {
      #expect(!Self.loads(text, "bad.yaml"), "\(text)")
      bad += 1
      try Data(text.utf8).write(to: scratch.appendingPathComponent("bad-\(index).yaml"))
    }
    let program = """
      import datetime, json, pathlib, sys, yaml, jsonschema
      folder = pathlib.Path(sys.argv[1])
      schema = json.loads((folder / "schema.json").read_text())
      jsonschema.Draft7Validator.check_schema(schema)
      validator = jsonschema.Draft7Validator(schema)
      def plain(value):
          # The keys of JSON are texts, and it has no dates.
          if isinstance(value, dict): return {str(key): plain(item) for key, item in value.items()}
          if isinstance(value, list): return [plain(item) for item in value]
          return str(value) if isinstance(value, (datetime.date, bytes)) else value
      seen = 0
      for path in sorted(folder.glob("*.yaml")):
          faults = list(validator.iter_errors(plain(yaml.safe_load(path.read_text()))))
          seen += 1
          if path.name.startswith("bad") != bool(faults):
              best = jsonschema.exceptions.best_match(faults) if faults else None
              print(path.name, list(best.absolute_path) if best else "", best.message[:300] if best else "is valid")
      print(seen)
      """
    let run = try Self.python(["-c", program, scratch.path])
    #expect(run.status == 0)
    #expect(run.output == "\(good + bad)\n")
  }

  /// A complete profile with one misspelt key, at each of several depths.
  private static let misspelt: [String] = {
    let text = """
      profile: a
      match: {names: [X]}
      characteristics:
        c: {uuid: fff1, framing: f, notify: [{when: "1 == 1", message: m}], answers: [{to: c, when: "1 == 1"}]}
      framings:
        f: [{stream: {start: 0xa5, length: 4}}, {check: {algorithm: sum8, over: [0, -1]}}]
      messages: {m: {title: M}}
      types: {m: {seq: [{id: a, type: u1, -unit: V}]}}
      keys: {k: {bytes: 16}}
      tests: [{characteristic: c, packets: ["a5000000"], expect: {a: 0}}]
      """
    return [
      ("match:", "mach:"), ("names:", "name:"), ("uuid:", "uid:"), ("notify:", "notfy:"), ("message: m}", "mesage: m}"),
      ("to: c", "too: c"), ("start:", "strat:"), ("algorithm:", "algoritm:"), ("over:", "ovre:"), ("title:", "titel:"),
      ("seq:", "sequ:"), ("type: u1", "typ: u1"), ("-unit:", "-unti:"), ("{bytes:", "{byte:"), ("expect:", "expects:"),
    ].map { text.replacingOccurrences(of: $0.0, with: $0.1) }
  }()

  @Test func theProfileThatTheMisspeltAreMadeOfLoads() {
    #expect(Self.loads("profile: a\ncharacteristics: {c: {uuid: fff1, notify: m}}\ntypes: {m: {seq: [{id: a, type: u1}]}}", "a.yaml"))
    #expect(Set(Self.misspelt).count == Self.misspelt.count)
  }

  @Test func everyKeyHasHelpAndStandsInTheManual() throws {
    let manual = try String(contentsOf: Self.root.appendingPathComponent("man/btscribe-profile.5"), encoding: .utf8)
    let words = Set(manual.split(whereSeparator: { " \n,{}():\"\\.".contains($0) }).map(String.init))
    for location in MappingKind.allCases where ![.meta, .switchType, .switchEndian, .enumEntry].contains(location) {
      for key in location.keys {
        #expect(!key.help.isEmpty || key.name.hasPrefix("ks-"), "\(location): \(key.name)")
        let isKnown = SpecificationKeys.all.contains(key.name) || words.contains(key.name)
        #expect(isKnown, "\(location): \(key.name) is not in the manual")
      }
    }
  }

  /// A mapping that is read without a table of keys would be missing in the schema.
  @Test func everyMappingIsReadWithATableOfKeys() throws {
    let folder = Self.root.appendingPathComponent("Sources/Profiles")
    let walk = try #require(FileManager.default.enumerator(at: folder, includingPropertiesForKeys: nil))
    for case let file as URL in walk where file.pathExtension == "swift" {
      let text = try String(contentsOf: file, encoding: .utf8)
      #expect(!text.contains(".fields()"), "\(file.lastPathComponent): fields() takes the MappingKind whose keys MappingKeys.swift lists")
    }
  }
}
