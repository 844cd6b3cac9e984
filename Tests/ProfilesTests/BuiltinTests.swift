import Foundation
import Testing

@_spi(Pipeline) @testable import Profiles

@Suite struct BuiltinTests {
  @Test func generatedFileIsCurrent() throws {
    let files = try FileManager.default.contentsOfDirectory(atPath: Shared.builtin.path).filter { $0.hasSuffix(".yaml") }
    #expect(files.map { String($0.dropLast(5)) }.sorted() == builtinProfiles.map(\.id.description).sorted())
    let set = try ProfileSet()
    for (index, profile) in builtinProfiles.enumerated() {
      let id = profile.id.description
      let text = try String(contentsOf: Shared.builtin.appendingPathComponent(id + ".yaml"), encoding: .utf8)
      #expect(text == builtinText(index), "\(id).yaml is not what was compiled: run Sources/CBuiltinProfiles/Profiles/generate.py")
      let number = try #require(set.number(id))
      #expect(ProfileIndex(try set.definition(number)).line == profile.index.description, "\(id)")
    }
  }

  @Test(arguments: builtinProfiles.map(\.id.description))
  func ownTestsPass(_ id: String) throws {
    let set = try ProfileSet()
    let number = try #require(set.number(id))
    let results = try set.test(number)
    // A profile that extends another one may have no tests of its own.
    let isLibrary = set.summaries.contains { $0.number == number && $0.isLibrary }
    #expect(!results.isEmpty || isLibrary || set.text(number).contains("\nextends:"), "a profile that ships has tests")
    // Mistakes in a library are reported when it is compiled by itself, too.
    if isLibrary { _ = try set.profile(number) }
    for result in results {
      #expect(result.differences.isEmpty, "\(id), line \(result.line), \(result.title): \(result.differences.joined(separator: "; "))")
    }
  }

  @Test func indexLineIsReadAsItIsWritten() throws {
    let set = try ProfileSet(builtin: false, texts: [(Self.sample, "sample.yaml", .folder)])
    let index = ProfileIndex(try set.definition(0))
    #expect(ProfileIndex(id: index.id, title: index.title, line: index.line) == index)
  }

  /// For devices with the properties in the rules of all profiles, the table returns each profile that matches.
  @Test func tableOfRulesHasEveryProfileThatFits() throws {
    let indexes = try ProfileSet().indexes
    let table = RuleTable(indexes)
    let names = GlobSet(indexes.flatMap { $0.rules.flatMap(\.names) })
    let addresses = GlobSet(indexes.flatMap { $0.rules.flatMap(\.addresses) })
    var looked = 0
    for rule in indexes.flatMap(\.rules) {
      for hasName in [false, true] {
        var facts = PeerFacts()
        (facts.services, facts.serviceData, facts.characteristics) = (rule.services, rule.serviceData, rule.characteristics)
        facts.companies = rule.companies
        if hasName { facts.name = rule.names.first?.replacing("*", with: "x").replacing("?", with: "1") ?? "" }
        facts.address = rule.addresses.first?.replacing("*", with: "0").replacing("?", with: "1")
        let chosen = table.numbers(facts)
        let matches = PatternMatches(
          names: facts.name.map(names.matches) ?? .none, addresses: facts.address.map(addresses.matches) ?? .none, first: (0, 0))
        for isProposal in [false, true] {
          var first = (name: 0, address: 0)
          for (number, index) in indexes.enumerated() {
            let matched = PatternMatches(names: matches.names, addresses: matches.addresses, first: first)
            for rule in index.rules { first = (first.name + rule.names.count, first.address + rule.addresses.count) }
            guard index.match(facts, matched, isProposal: isProposal) != nil else { continue }
            looked += 1
            #expect(chosen.contains(number), "\(index.id)")
          }
        }
      }
    }
    #expect(looked > 1000)
    #expect(table.numbers(PeerFacts()).count < 40)
  }

  @Test func everyProfileSaysWhatItIsForAndWhatItWasTriedOn() throws {
    let set = try ProfileSet()
    var names = Set(set.summaries.map(\.id))
    for summary in set.summaries {
      #expect(summary.kind != nil && (summary.status != nil || summary.isLibrary), "\(summary.id)")
      for alias in summary.aliases { #expect(names.insert(alias).inserted, "\(alias) is the name of two profiles") }
    }
    #expect(names.count >= 120)
  }

  @Test func formerNamesFindTheirProfiles() throws {
    let set = try ProfileSet()
    let daly = try #require(set.number("daly-bms"))
    #expect(set.number("bms-daly") == daly)
    #expect(try set.profile(daly).id == "daly-bms")
    #expect(set.summaries.first { $0.id == "daly-bms" }?.aliases == ["bms-daly"])
    // A profile that extends another one by its former name gets neither that name nor its tests.
    let text = "profile: mine\nextends: bms-daly\ncharacteristics: {request: {uuid: fff5}}"
    let own = try ProfileSet(texts: [(text, "mine.yaml", .user)])
    #expect(own.number("bms-daly") == daly)
    let mine = try own.profile(try #require(own.number("mine")))
    #expect(mine.kind == "battery" && mine.status == .real)
    // A profile with the former name replaces the profile that has it as an alias.
    let old = try ProfileSet(texts: [("profile: bms-daly\ncharacteristics: {a: {uuid: fff5, value: bytes}}", "old.yaml", .user)])
    #expect(old.number("daly-bms") == nil)
    #expect(old.summaries.first { $0.id == "bms-daly" }?.origin == .user)
  }

  private static let sample = """
    profile: sample
    aliases: [former, "2nd"]
    kind: watch
    status: from documents
    match:
      - {services: [180d, 0000fff0-0000-1000-8000-00805f9b34fb], names: ["A, B|C %*"]}
      - {companies: [0x02f2], addresses: ["AA:*"]}
    characteristics: {one: {uuid: 2a19, value: bytes}, six: {handle: [0x12, 0xfffe], value: bytes}}
    advertisements: {two: {company: 76, value: bytes}, three: {names: ["x y"], value: bytes}, seven: {company: 1, whole: true, value: bytes}}
    rfcomm: {four: {service: "1101", channel: 3, write: bytes, notify: bytes}}
    l2cap: {five: {psm: 0x25, write: bytes}}
    """
}
