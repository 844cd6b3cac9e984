import Redaction
import Testing

/// Pseudonyms, on their own.
@Suite struct PseudonymTests {
  private static let phone: UInt64 = 0x3C28_6D71_A2B3

  @Test func aSeedAlwaysGivesTheSame() {
    var (one, again, other) = (Pseudonyms(seed: "a"), Pseudonyms(seed: "a"), Pseudonyms(seed: "b"))
    #expect(one.address(Self.phone, isPublic: true) == again.address(Self.phone, isPublic: true))
    #expect(one.address(Self.phone, isPublic: true) != other.address(Self.phone, isPublic: true))
    #expect(one.name(Array("Anna's watch".utf8)) == again.name(Array("Anna's watch".utf8)))
    #expect(one.key([UInt8](1...16)) == again.key([UInt8](1...16)) && one.key([UInt8](1...16)) != other.key([UInt8](1...16)))
  }

  @Test func pseudonymsAreRecognised() {
    var pseudonyms = Pseudonyms(seed: "a")
    for address in (0..<200).map({ Self.phone &+ $0 * 0x10_0001 }) {
      let replaced = pseudonyms.address(address, isPublic: true)
      #expect(pseudonyms.isPseudonym(replaced) && replaced != address && replaced >> 48 == 0)
    }
    let key = pseudonyms.key([UInt8](1...16))
    #expect(key.count == 16 && pseudonyms.isPseudonym(key: key) && !pseudonyms.isPseudonym(key: [UInt8](1...16)))
  }

  @Test func whatNamesNobodyStays() {
    var pseudonyms = Pseudonyms(seed: "a")
    for nobody: UInt64 in [0, 0xFFFF_FFFF_FFFF] {
      #expect(pseudonyms.address(nobody, isPublic: true) == nobody && pseudonyms.isPseudonym(nobody))
    }
    #expect(pseudonyms.key([UInt8](repeating: 0, count: 16)) == [UInt8](repeating: 0, count: 16))
    #expect(pseudonyms.key([1, 2, 3, 4]) == [0, 0, 0, 0])
  }

  @Test func theKindOfARandomAddressStays() {
    var pseudonyms = Pseudonyms(seed: "a")
    for kind: UInt64 in 0..<4 {
      let address = kind << 46 | 0x1234_5678_9ABC
      #expect(pseudonyms.address(address & 0xFFFF_FFFF_FFFF, isPublic: false) >> 46 == (address & 0xFFFF_FFFF_FFFF) >> 46)
    }
  }

  @Test func theCompanyStaysWhereItMay() {
    var pseudonyms = Pseudonyms(seed: "a")
    pseudonyms.keepsCompany = true
    let replaced = pseudonyms.address(Self.phone, isPublic: true)
    #expect(replaced >> 24 == Self.phone >> 24 && replaced != Self.phone && pseudonyms.isPseudonym(replaced))
  }

  /// A shortened name still belongs to the whole one.
  @Test func namesWithOneStartHavePseudonymsWithOne() {
    let pseudonyms = Pseudonyms(seed: "a")
    let whole = pseudonyms.name(Array("GoPro 4821".utf8))
    #expect(pseudonyms.name(Array("GoPro".utf8)) == Array(whole.prefix(5)) && whole.count == 10)
    #expect(whole.allSatisfy { (0x41...0x5A).contains($0) || (0x61...0x7A).contains($0) })
  }
}
