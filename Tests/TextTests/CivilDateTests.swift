import Testing

@testable import Text

@Suite struct CivilDateTests {
  @Test(
    arguments: [
      (0, 1970, 1, 1), (-1, 1969, 12, 31), (59, 1970, 3, 1), (789, 1972, 2, 29), (11_016, 2000, 2, 29), (20_484, 2026, 1, 31),
      (47_540, 2100, 2, 28), (47_541, 2100, 3, 1), (-719_468, 0, 3, 1), (-719_469, 0, 2, 29), (-719_528, 0, 1, 1),
      (-719_529, -1, 12, 31), (2_932_896, 9999, 12, 31),
    ])
  func knownDates(days: Int, year: Int, month: Int, day: Int) {
    #expect(CivilDate(daysSince1970: days) == CivilDate(year: year, month: month, day: day))
    #expect(CivilDate(year: year, month: month, day: day).daysSince1970 == days)
  }

  /// Each day is the one after the day before it, over two eras of 400 years.
  @Test func daysFollowEachOther() {
    var before = CivilDate(daysSince1970: -146_098)
    for days in -146_097...146_097 {
      let date = CivilDate(daysSince1970: days)
      #expect(date.daysSince1970 == days)
      let isNext =
        date.day == before.day + 1 && (date.month, date.year) == (before.month, before.year)
        || date.day == 1 && before.day >= 28 && date.month == before.month % 12 + 1 && date.year == before.year + before.month / 12
      #expect(isNext, "\(before) \(date)")
      before = date
    }
  }

  @Test(arguments: [(0, 4, "0000"), (0xAB, 4, "00ab"), (0xABCD, 4, "abcd"), (0x1_2345, 4, "12345"), (7, 0, "7")] as [(UInt, Int, String)])
  func hexadecimalNumbers(number: UInt, digits: Int, text: String) { #expect(String(hex: number, digits: digits) == text) }
}
