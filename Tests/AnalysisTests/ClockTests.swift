import Testing
import Text

@testable import Output

/// Times as they are written, without a time zone.
@Suite struct ClockTests {
  private func text(_ write: (Clock, TextBuffer) -> Void) -> String {
    let out = TextBuffer()
    write(Clock(), out)
    return String(decoding: out.gathered, as: UTF8.self)
  }

  @Test(arguments: [
    (0, "1970-01-01T00:00:00.000000Z"), (-1, "1969-12-31T23:59:59.999999Z"), (1_769_851_800_123_456, "2026-01-31T09:30:00.123456Z"),
    (951_782_400_000_000, "2000-02-29T00:00:00.000000Z"), (4_107_542_399_000_000, "2100-02-28T23:59:59.000000Z"),
    (-62_135_596_800_000_000, "0001-01-01T00:00:00.000000Z"),
  ])
  func datesOfTheGregorianCalendar(time: Int64, expected: String) {
    #expect(text { $0.rfc3339(time, to: $1) } == expected)
  }

  @Test(arguments: [(0, "0.000000"), (1_500_000, "1.500000"), (-250_000, "-0.250000"), (Int64.min, "-9223372036854.775808")])
  func seconds(micros: Int64, expected: String) {
    #expect(text { $0.seconds(micros, to: $1) } == expected)
  }

  /// The text of the last second is cached: a second that comes again after another has the same text.
  @Test func secondsMayComeInAnyOrder() {
    let written = text { clock, out in
      for time: Int64 in [1_000_000, 86_400_000_000, 1_000_000] { clock.timeOfDay(time, to: out) }
    }
    #expect(written == "00:00:0100:00:0000:00:01")
  }
}
