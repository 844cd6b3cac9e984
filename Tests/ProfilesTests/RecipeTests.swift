import Foundation
import KaitaiStruct
import PacketCodecs
import Testing

@_spi(Pipeline) @testable import Profiles

/// The profiles of btscribe-recipes(7), and the lists on that page.
@Suite struct RecipeTests {
  private static func manual() throws -> String {
    let root = Shared.builtin.deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    return try String(contentsOf: root.appendingPathComponent("man/btscribe-recipes.7"), encoding: .utf8)
  }

  /// The literal blocks of the page as they are displayed.
  static func recipes() throws -> [(heading: String, text: String)] {
    var found: [(String, String)] = []
    var heading = ""
    var block: [String]?
    for line in try manual().split(separator: "\n", omittingEmptySubsequences: false).map(String.init) {
      if line.hasPrefix(".Ss ") { heading = String(line.dropFirst(4)) }
      if line.hasPrefix(".Bd ") {
        block = []
      } else if line == ".Ed" {
        if let block { found.append((heading, block.joined(separator: "\n") + "\n")) }
        block = nil
      } else {
        block?.append(line.replacing("\\&", with: "").replacing("\\-", with: "-").replacing("\\e", with: "\\"))
      }
    }
    return found
  }

  @Test func everyRecipePassesItsTests() throws {
    let recipes = try Self.recipes()
    #expect(recipes.count == 9)
    for (heading, text) in recipes {
      let set = try ProfileSet(builtin: false, texts: [(text, heading, .given)])
      let results = try set.test(0)
      #expect(!results.isEmpty, "\(heading)")
      for result in results { #expect(result.differences.isEmpty, "\(heading), \(result.title): \(result.differences)") }
      let fuzz = try set.fuzz(0, count: 20)
      #expect(fuzz.failures.isEmpty, "\(heading): \(fuzz.failures)")
    }
  }

  @Test func mistakesLeadToRecipesThatAreThere() throws {
    let headings = Set(try Self.recipes().map(\.heading))
    for heading in ProfileRecipes.headings { #expect(headings.contains(heading), "\(heading)") }
    let types = "\ntypes: {m: {seq: [{id: a, type: u1}]}}"
    let mistakes = [
      "characteristics: {c: {uuid: fff1, company: 1, notify: m}}": "Advertisements",
      "characteristics: {c: {uuid: fff1, notify: m, framing: [{check: {algorithm: sum8}, check: {algorithm: xor8}}]}}": "Two checks",
      "characteristics: {c: {uuid: fff1, notify: m, framing: [{stream: {start: 1, length: 3, fragments: {header: m}}}]}}":
        "Fragments within a stream",
      "characteristics: {c: {uuid: fff1, notify: m}}\ndescriptors: {c: {uuid: fff1, read: m}}": "Both directions on one characteristic",
      "characteristics: {c: {uuid: fff1, notify: m, keep: true}}": "One request with several answers",
      "characteristics: {c: {uuid: fff1, notify: m, framing: [{cbor: {}}]}}": "CBOR whose end only CBOR knows",
      "characteristics: {c: {uuid: fff1, notify: m, framing: [{modbus: {}}]}}": "MODBUS in fragments, whose answers depend on the request",
      "characteristics: {c: {uuid: fff1, notify: mm}}": nil,
    ]
    for (text, heading) in mistakes {
      do {
        _ = try ProfileSet(texts: [("profile: a\n" + text + types, "a.yaml", .user)])
        Issue.record("it loads: \(text)")
      } catch let error as ProfileError {
        #expect(ProfileRecipes.recipe(for: error) == heading, "\(error)")
      }
    }
  }

  @Test func whatIsLikelyNotMeantIsReported() throws {
    let text = """
      profile: a
      meta: {endian: be}
      characteristics:
        c: {uuid: fff1, write: m}
        d: {uuid: fff1, notify: m}
      tables: {t: {first: 0, registers: {0: level}}}
      types: {m: {seq: [{id: kind, type: u1, enum: e}, {id: b, type: u1, if: "kind == e::one"}, {id: t, type: t}]}}
      enums: {e: {1: one, 2: two, 3: one}}
      """
    func hints(_ text: String) throws -> [String] {
      try ProfileSet(builtin: false, texts: [(text, "a.yaml", .given)]).hints(0).map { String($0.prefix(60)) }
    }
    #expect(
      try hints(text) == [
        "a.yaml:5:6: characteristics \"c\" and \"d\" have the same UUID f",
        "a.yaml:7:91: \"t\" is a table of registers, which lie from the",
        "a.yaml:8:32: 3 has the name \"one\" as 1 has: an expression th",
      ])
    let mended = text.replacing("d: {uuid: fff1", with: "d: {uuid: fff2").replacing("type: t}", with: "type: t, size: 2}")
      .replacing("3: one", with: "3: three")
    #expect(try hints(mended) == [])
  }

  @Test func thePageHasAllKeysAndSums() throws {
    let page = try Self.manual().replacing("\\-", with: "-")
    let words = Set(page.split(whereSeparator: { " \n,;()\"".contains($0) }).map(String.init))
    for key in SpecificationKeys.all.subtracting(["cases", "switch-on"]) {
      let isThere = words.contains(key)
      #expect(isThere, "\(key)")
    }
    // -ones and -twos are described once for all.
    for sum in ChecksumAlgorithm.namedSums where !sum.name.hasSuffix("-ones") && !sum.name.hasSuffix("-twos") {
      let isThere = words.contains(sum.name)
      #expect(isThere, "\(sum.name)")
    }
  }
}

/// Randomly generated messages.
@Suite struct ProfileFuzzTests {
  private static func fuzz(_ text: String, seed: UInt64 = 1, count: Int = 50) throws -> ProfileFuzzResult {
    try ProfileSet(builtin: false, texts: [(text, "a.yaml", .given)]).fuzz(0, seed: seed, count: count)
  }

  private static let sound = """
    profile: a
    meta: {endian: le}
    characteristics: {c: {uuid: fff1, framing: f, write: m}}
    framings: {f: [{stream: {start: 0xa5, header: head, length: length + 3}}, {check: {algorithm: sum8}}, {slice: [0, -1]}]}
    types:
      head: {seq: [{id: start, type: u1}, {id: length, type: u1}]}
      m:
        seq:
          - {id: head, type: head, size: 2, -hidden: true}
          - {id: temperature, type: s2, -scale: 0.1, -unit: °C}
          - {id: flags, type: u1}
    tests: [{source: c, direction: write, packets: [a503e90001 92], expect: {temperature: 23.3}}]
    """

  @Test func aSoundProfileComesBack() throws {
    let result = try Self.fuzz(Self.sound)
    #expect(result.failures.isEmpty, "\(result.failures)")
    #expect(result.tried > 40)
    #expect(result.fixed.first?.fields.sorted() == ["head.length", "head.start"], "\(result.fixed)")
    #expect(result.skipped.isEmpty)
  }

  @Test func theSameSeedMakesTheSame() throws {
    #expect(try Self.fuzz(Self.sound, seed: 7).tried == Self.fuzz(Self.sound, seed: 7).tried)
  }

  @Test func whatCannotBeEncodedIsFound() throws {
    let text = """
      profile: a
      characteristics: {c: {uuid: fff1, notify: m, framing: [{fragments: {header: h, first: n == 0, last: n == 1}}]}}
      types: {h: {seq: [{id: n, type: u1}]}, m: {seq: [{id: level, type: u1, -unit: "%"}, {id: rest, size-eos: true}]}}
      tests: [{characteristic: c, packets: ["0032", "0107"], expect: {level: 50, rest: "07"}}]
      """
    let result = try Self.fuzz(text)
    #expect(result.failures.count == 1)
    #expect(result.failures.first?.message == "m" && result.failures.first?.payload == [0x32, 7])
    #expect(result.failures.first?.difference.contains("needs \"build\"") == true, "\(result.failures)")
  }

  @Test func whatHasNoTestIsReported() throws {
    let result = try Self.fuzz(
      Self.sound.replacing("tests:", with: "note:").replacing("[{source", with: "\"{source").replacing("23.3}}]", with: "23.3}}\""))
    #expect(result.tried == 0 && result.skipped.first?.message == "m" && result.skipped.first?.reason == "the profile has no tests")
  }
}
