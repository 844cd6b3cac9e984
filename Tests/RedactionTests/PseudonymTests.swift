@testable import Redaction
import Testing
import TestSupport

/// Pseudonyms without a capture.
@Suite struct PseudonymTests {
  private static let phone: UInt64 = 0x3C28_6D71_A2B3

  @Test func aSeedAlwaysGivesTheSame() {
    let (pseudonyms, again, other) = (Pseudonyms(seed: "a"), Pseudonyms(seed: "a"), Pseudonyms(seed: "b"))
    #expect(pseudonyms.address(Self.phone, isPublic: true) == again.address(Self.phone, isPublic: true))
    #expect(pseudonyms.address(Self.phone, isPublic: true) != other.address(Self.phone, isPublic: true))
    #expect(pseudonyms.value(Array("Anna's watch".utf8)) == again.value(Array("Anna's watch".utf8)))
    #expect(pseudonyms.key([UInt8](1...16)) == again.key([UInt8](1...16)) && pseudonyms.key([UInt8](1...16)) != other.key([UInt8](1...16)))
  }

  @Test func pseudonymsAreRecognised() {
    let pseudonyms = Pseudonyms(seed: "a")
    for address in (0..<200).map({ Self.phone &+ $0 * 0x10_0001 }) {
      let replaced = pseudonyms.address(address, isPublic: true)
      #expect(pseudonyms.isPseudonym(replaced) && replaced != address && replaced >> 48 == 0)
    }
    let key = pseudonyms.key([UInt8](1...16))
    #expect(key.count == 16 && pseudonyms.isPseudonym(key: key) && !pseudonyms.isPseudonym(key: [UInt8](1...16)))
  }

  @Test func marksTellHowCertainAPseudonymIs() {
    let pseudonyms = Pseudonyms(seed: "a")
    var falselyTaken = 0
    for number in 0..<200 {
      let value = (0..<12).map { UInt8(truncatingIfNeeded: (number &* 31 &+ $0 &* 77) ^ $0 << 3) | 0x80 }
      #expect(pseudonyms.tagBits(of: pseudonyms.value(value)) == 48)
      if pseudonyms.tagBits(of: value) > 0 { falselyTaken += 1 }
    }
    #expect(falselyTaken == 0)
    // Four of eight letters are marks, which count for four bits each.
    #expect(pseudonyms.tagBits(of: pseudonyms.value(Array("Watching".utf8))) == 16)
    #expect(pseudonyms.tagBits(of: Array("Watching".utf8)) == 0)
    #expect(pseudonyms.tagBits(of: [0, 0, 0, 0]) == 0 && pseudonyms.tagBits(of: [1, 2, 3]) == 0)
  }

  /// A value with the content text is one without letters, too: punctuation, and padding.
  @Test func textsOfSignsStayTexts() {
    let pseudonyms = Pseudonyms(seed: "a")
    for text in ["?", "-", "--:--", "?\r", "...\r\n", "***", " ", "\t!\0\0", "----/--/-- --:--:--"] {
      let bytes = Array(text.utf8)
      #expect(pseudonyms.value(bytes) == bytes && pseudonyms.isPseudonym(value: bytes), "\(bytes)")
    }
    let mixed = pseudonyms.value(Array("#1 am!\r".utf8))
    #expect(mixed.count == 7 && mixed[0] == 0x23 && mixed.suffix(2) == [0x21, 0x0D] && pseudonyms.isPseudonym(value: mixed))
    // With unknown content these are no text.
    #expect(pseudonyms.value(Array("--:--".utf8), as: .unknown) != Array("--:--".utf8))
  }

  /// Texts of punctuation become others, of characters without a special meaning in any format, and are recognised as pseudonyms.
  @Test func textsThatSaySomethingBySigns() {
    for seed in 0..<32 {
      let pseudonyms = Pseudonyms(seed: "\(seed)")
      for text in ["!$%&/()=?*#+", "#*!#*!#*!1", "Ab!$%&/()=?*", "(*_*)/~", "!!!???!!!", "++--++--", ":-) <3\r\n", "\"\\{,;:}\0\0"] {
        let bytes = Array(text.utf8)
        let new = pseudonyms.value(bytes)
        #expect(pseudonyms.isPseudonym(value: new) && pseudonyms.value(new).count == bytes.count, "\(text)")
        #expect(zip(bytes, new).count { $0 == $1 && Pseudonyms.isPunctuation($0) } * 2 <= bytes.count, "\(text) \(new)")
        for (old, new) in zip(bytes, new) {
          #expect(Pseudonyms.isPunctuation(old) ? "!#*-./@_".utf8.contains(new) : Pseudonyms.isPunctuation(new) == false, "\(text)")
        }
      }
      // A name that repeats one punctuation character is replaced, too.
      #expect(pseudonyms.isPseudonym(value: pseudonyms.value(Array("!!!".utf8), as: .punctuation), as: .punctuation))
    }
    let pseudonyms = Pseudonyms(seed: "a")
    #expect(!pseudonyms.isPseudonym(value: Array("!$%&/()=?*#+".utf8)) && pseudonyms.tagBits(of: Array("!$%&/()=?*#+".utf8)) == 0)
    #expect(pseudonyms.tagBits(of: pseudonyms.value(Array("!$%&/()=?*#+".utf8))) == 18)
    let prefix = (pseudonyms.value(Array("!$%&/()=".utf8)), pseudonyms.value(Array("!$%&/()=?*".utf8)))
    #expect(prefix.0 == Array(prefix.1.prefix(8)))
  }

  @Test func whatNamesNobodyStays() {
    let pseudonyms = Pseudonyms(seed: "a")
    for nobody: UInt64 in [0, 0xFFFF_FFFF_FFFF] {
      #expect(pseudonyms.address(nobody, isPublic: true) == nobody && pseudonyms.isPseudonym(nobody))
    }
    #expect(pseudonyms.key([UInt8](repeating: 0, count: 16)) == [UInt8](repeating: 0, count: 16))
    #expect(pseudonyms.key([1, 2, 3, 4]) == [0, 0, 0, 0])
  }

  @Test func theKindOfARandomAddressStays() {
    let pseudonyms = Pseudonyms(seed: "a")
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

  /// The pseudonym of a shortened name is a prefix of that of the complete name.
  @Test func namesWithOneStartHavePseudonymsWithOne() {
    let pseudonyms = Pseudonyms(seed: "a")
    let whole = pseudonyms.value(Array("GoPro 4821".utf8))
    #expect(pseudonyms.value(Array("GoPro".utf8)) == Array(whole.prefix(5)) && whole.count == 10)
    // Capitals, lowercase letters and digits become others of their kind.
    func kinds(_ text: [UInt8]) -> [Int] {
      text.map { (0x41...0x5A).contains($0) ? 0 : (0x61...0x7A).contains($0) ? 1 : (0x30...0x39).contains($0) ? 2 : Int($0) }
    }
    #expect(kinds(whole) == kinds(Array("GoPro 4821".utf8)))
  }

  @Test(arguments: [
    "Anna", "Ode to Brunhilde", "+49 30 987654", "Gürtel Straße", "Мария", "日本語のテキスト", "🎧 Kopfhörer", "{\"ssid\":\"Home\"}",
    "00:1A:7d:DA:71:13",
  ])
  func textsStayTexts(_ text: String) {
    let pseudonyms = Pseudonyms(seed: "b")
    let old = Array(text.utf8)
    for filled in [old, old + [0, 0, 0]] {
      let new = pseudonyms.value(filled)
      #expect(new.count == filled.count && new != filled && String(validating: new, as: UTF8.self) != nil)
      #expect(pseudonyms.isPseudonym(value: new) && !pseudonyms.isPseudonym(value: filled), "\(text)")
      #expect(zip(new, filled).allSatisfy { ($0 == 0) == ($1 == 0) })
    }
    // The same letters with two bytes per character.
    guard text.utf8.allSatisfy({ $0 < 0x80 }) else { return }
    let little = pseudonyms.value(old.flatMap { [$0, 0] })
    #expect(little == pseudonyms.value(old).flatMap { [$0, 0] } && pseudonyms.isPseudonym(value: little))
    #expect(pseudonyms.value(old.flatMap { [0, $0] }) == pseudonyms.value(old).flatMap { [0, $0] })
  }

  @Test func bytesBecomeOtherBytes() {
    let pseudonyms = Pseudonyms(seed: "c")
    var random = SplitMix(state: testSeed)
    for count in 1..<80 {
      let old = [0xFE] + (1..<count).map { _ in UInt8.random(in: 0 ... .max, using: &random) }
      let new = pseudonyms.value(old)
      #expect(new.count == old.count && new == pseudonyms.value(old))
      #expect(pseudonyms.isPseudonym(value: new))
      if count >= 12 { #expect(!pseudonyms.isPseudonym(value: old) && new != Pseudonyms(seed: "d").value(old)) }
      #expect(pseudonyms.value([UInt8](repeating: 0, count: count)) == [UInt8](repeating: 0, count: count))
    }
  }

  /// The test vectors of the authors of SipHash.
  @Test func theHashIsSipHash() {
    let hash = KeyedHash((0x0706_0504_0302_0100, 0x0F0E_0D0C_0B0A_0908))
    #expect(hash.hash([]) == 0x726F_DB47_DD0E_0E31)
    #expect(hash.hash([0]) == 0x74F8_39C5_93DC_67FD)
    #expect(hash.hash((0..<15).map { UInt8($0) }) == 0xA129_CA61_49BE_45E5)
  }

  /// Text with two bytes per character, and half a character behind it.
  @Test func halfACharacterBehindWideText() {
    let text = Array("Zweckendorf".utf8)
    for seed in 0..<64 {
      let pseudonyms = Pseudonyms(seed: "\(seed)")
      let values: [[UInt8]] = [text.flatMap { [$0, 0] as [UInt8] } + [0x4E], text.flatMap { [0, $0] as [UInt8] } + [0x4E]]
      for value in values {
        let new = pseudonyms.value(value)
        #expect(pseudonyms.isPseudonym(value: new) && new != value, "\(seed): \(new)")
      }
    }
  }
}
