import Memory
import Testing
import TestSupport

@testable import KaitaiStruct
@_spi(Pipeline) @testable import Profiles

/// Numbers at a fixed offset of a body are read without the rest of it.
@Suite struct FixedNumberTests {
  @Test func fixedNumbersAreThoseOfTheTree() throws {
    let set = try ProfileSet()
    var generator = SplitMix(state: 0x51A3)
    var compared = 0
    for summary in set.summaries {
      let profile = try set.profile(summary.number)
      let tree = KaitaiTree(profile.program)
      for case .type(let type) in profile.messages.map(\.body) {
        for field in profile.program.fields(of: type) {
          guard let fixed = profile.program.fixedNumber(field) else { continue }
          let bytes = (0..<Int.random(in: 0..<12, using: &generator)).map { _ in UInt8.random(in: 0...255, using: &generator) }
          bytes.withUnsafeBytes {
            tree.parse(type, $0)
            let number = tree.int(tree.present(field, in: tree.root))
            #expect(fixed.value(in: BorrowedBytes($0)) == number, "\(profile.id) \(profile.program.name(of: field))")
            compared += number == nil ? 0 : 1
          }
        }
      }
    }
    #expect(compared > 200)
  }
}
