import Testing
import YAML

/// The YAML of profiles and specifications.
@Suite struct YAMLTests {
  @Test func scalarsKeepTextStyleAndPlace() throws {
    let node = try #require(try compose(yaml: "a: plain\nb: 'single'\nc: \"double\\t\"\nd: |\n  literal\ne: >\n  folded\n  on\n"))
    #expect(node["a"]?.string == "plain" && node["a"]?.scalar?.style == .plain)
    #expect(node["b"]?.string == "single" && node["b"]?.scalar?.style == .singleQuoted)
    #expect(node["c"]?.string == "double\t" && node["c"]?.scalar?.style == .doubleQuoted)
    #expect(node["d"]?.string == "literal\n" && node["d"]?.scalar?.style == .literal)
    #expect(node["e"]?.string == "folded on\n" && node["e"]?.scalar?.style == .folded)
    #expect(node["c"]?.mark?.line == 3 && node["c"]?.mark?.column == 4)
    #expect(node["none"] == nil)
  }

  @Test func collectionsKeepTheirOrder() throws {
    let node = try #require(try compose(yaml: "[3, {b: 1, a: 2}, []]"))
    let sequence = try #require(node.sequence)
    #expect(sequence.count == 3 && sequence[0].string == "3" && sequence[2].sequence?.isEmpty == true)
    #expect(sequence[1].mapping?.keys.compactMap(\.string) == ["b", "a"])
  }

  @Test func anAliasIsWhatItStandsFor() throws {
    let node = try #require(try compose(yaml: "a: &x {k: 1}\nb: *x\n"))
    #expect(node["b"]?["k"]?.string == "1")
  }

  /// Aliases cannot make a document deeper than nested lists may be: freeing a deep document would need as much stack.
  @Test func aliasesAreNoDeeperThanLists() throws {
    let open = String(repeating: "[", count: 190), close = String(repeating: "]", count: 190)
    let chain = "- &a0 [1]\n" + (1...3000).map { "- &a\($0) \(open)*a\($0 - 1)\(close)\n" }.joined()
    let problem = #expect(throws: YAMLError.self) { try compose(yaml: chain) }
    guard case .syntax(let text, _, let mark)? = problem else {
      Issue.record("\(String(describing: problem))")
      return
    }
    #expect(text == "nested deeper than 200 levels" && mark.line == 3)
  }

  /// The budget covers several documents together, and an alias counts each time that it occurs.
  @Test func documentsHaveABudgetTogether() throws {
    let budget = DocumentBudget()
    let list = "[" + String(repeating: "1,", count: 150_000) + "1]"
    _ = try compose(yaml: list, budget)
    _ = try compose(yaml: list, budget)
    #expect(throws: YAMLError.self) { try compose(yaml: list, budget) }
    // A rejected document takes nothing from the budget.
    _ = try compose(yaml: "[" + String(repeating: "1,", count: 90_000) + "1]", budget)
    #expect(throws: YAMLError.self) {
      try compose(yaml: "- &a [" + String(repeating: "1,", count: 100) + "1]\n" + String(repeating: "- *a\n", count: 200))
    }
    _ = try compose(yaml: "- &a [" + String(repeating: "1,", count: 100) + "1]\n" + String(repeating: "- *a\n", count: 100))
  }

  @Test func nothingIsNoDocument() throws {
    #expect(try compose(yaml: "") == nil)
    #expect(try compose(yaml: "# a comment\n") == nil)
  }

  @Test func mistakesHaveAPlace() throws {
    do {
      _ = try compose(yaml: "a: 1\nb: [1, 2\n")
      Issue.record("it was read")
    } catch YAMLError.syntax(_, _, let mark) {
      #expect(mark.line >= 2)
    }
    do {
      _ = try compose(yaml: "a: 1\nb: 2\na: 3\n")
      Issue.record("it was read")
    } catch YAMLError.duplicates(let keys, let mark) {
      #expect(keys == ["a"] && mark.line == 1)
    }
  }
}
