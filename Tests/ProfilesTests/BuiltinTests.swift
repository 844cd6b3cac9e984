import Foundation
import Testing

@_spi(Pipeline) @testable import Profiles

@Suite struct BuiltinTests {
  @Test func generatedFileIsCurrent() throws {
    let files = try FileManager.default.contentsOfDirectory(atPath: Shared.builtin.path).filter { $0.hasSuffix(".yaml") }
    #expect(files.map { String($0.dropLast(5)) }.sorted() == builtinProfiles.map(\.id.description).sorted())
    let set = try ProfileSet()
    for (place, profile) in builtinProfiles.enumerated() {
      let id = profile.id.description
      let text = try String(contentsOf: Shared.builtin.appendingPathComponent(id + ".yaml"), encoding: .utf8)
      #expect(text == builtinText(place), "\(id).yaml is not what was compiled: run Sources/CBuiltinProfiles/Profiles/generate.py")
      let number = try #require(set.number(id))
      #expect(ProfileIndex(try set.definition(number)).line == profile.index.description, "\(id)")
    }
  }

  @Test(arguments: builtinProfiles.map(\.id.description))
  func ownTestsPass(_ id: String) throws {
    let set = try ProfileSet()
    let number = try #require(set.number(id))
    let results = try set.test(number)
    // One that is laid over another may leave the tests to that.
    #expect(!results.isEmpty || set.text(number).contains("\nextends:"), "a profile that ships has tests")
    for result in results {
      #expect(result.differences.isEmpty, "\(id), line \(result.line), \(result.title): \(result.differences.joined(separator: "; "))")
    }
  }

  @Test func indexLineIsReadAsItIsWritten() throws {
    let set = try ProfileSet(builtin: false, texts: [(Self.sample, "sample.yaml", .folder)])
    let index = ProfileIndex(try set.definition(0))
    #expect(ProfileIndex(id: index.id, title: index.title, line: index.line) == index)
  }

  private static let sample = """
    profile: sample
    match:
      - {services: [180d, 0000fff0-0000-1000-8000-00805f9b34fb], names: ["A, B|C %*"]}
      - {companies: [0x02f2], addresses: ["AA:*"]}
    characteristics: {one: {uuid: 2a19, value: bytes}, six: {handle: [0x12, 0xfffe], value: bytes}}
    advertisements: {two: {company: 76, value: bytes}, three: {names: ["x y"], value: bytes}, seven: {company: 1, whole: true, value: bytes}}
    rfcomm: {four: {service: "1101", channel: 3, write: bytes, notify: bytes}}
    l2cap: {five: {psm: 0x25, write: bytes}}
    """
}
