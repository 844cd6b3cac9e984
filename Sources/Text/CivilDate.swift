/// A date of the Gregorian calendar, also before it was introduced.
package struct CivilDate: Equatable, Sendable {
  /// Year; 0 is 1 BC.
  package var year: Int
  /// Month, from 1.
  package var month: Int
  /// Day of the month, from 1.
  package var day: Int

  /// A date from its parts.
  package init(year: Int, month: Int, day: Int) {
    self.year = year
    self.month = month
    self.day = day
  }

  // Both conversions count years from March on, so that the leap day is the last one of its year: the months before a month then have
  // (153 * month + 2) / 5 days. The calendar repeats itself after an era of 400 years, which has 146,097 days. Day 0 of this count, 0000-03-01, is
  // 719,468 days before 1970-01-01.

  /// The date that is so many days after 1970-01-01, or before it.
  package init(daysSince1970 days: Int) {
    let shifted = days + 719_468
    let era = (shifted < 0 ? shifted - 146_096 : shifted) / 146_097
    let dayOfEra = shifted - era * 146_097
    let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let monthFromMarch = (5 * dayOfYear + 2) / 153
    day = dayOfYear - (153 * monthFromMarch + 2) / 5 + 1
    month = monthFromMarch < 10 ? monthFromMarch + 3 : monthFromMarch - 9
    year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
  }

  /// Days after 1970-01-01; negative before it.
  package var daysSince1970: Int {
    let shifted = month <= 2 ? year - 1 : year
    let era = (shifted < 0 ? shifted - 399 : shifted) / 400
    let yearOfEra = shifted - era * 400
    let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
    return era * 146_097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear - 719_468
  }
}
