import Foundation
import Testing
import TestSupport

@testable import Bluetooth

/// Report maps, and reports decoded by them. The map is that of HID 1.11, appendix E.
@Suite struct ReportMapTests {
  /// Report 1 is the keyboard of E.6, report 2 the mouse of E.10.
  private static let keyboardMap = hex(
    """
    05010906a1018501050719e029e71500250175019508810295017508810195057501050819012905910295017503910195067508150025650507190029658100c0\
    05010902a10185020901a100050919012903150025019503750181029501750581010501093009311581257f750895028106c0c0
    """)

  private func map(_ bytes: [UInt8]) -> HID.ReportMap? { HID.ReportMap(bytes.span.bytes) }

  private func described(
    _ map: HID.ReportMap?, _ type: HID.ReportType, _ number: UInt8, _ report: [UInt8], after previous: [UInt8] = []
  ) throws -> (json: String, problems: Int) {
    let format = try #require(map?.format(type, number))
    var description: [UInt8] = []
    format.describe(previous: previous, hasNumber: map?.usesNumbers == true, to: &description)
    let pdu = [0xA0 | type.rawValue] + (map?.usesNumbers == true ? [number] : []) + report
    var visitor = JSONVisitor()
    #expect(HID.walkReport(pdu.span.bytes, 1..<pdu.count, description.span.bytes, &visitor))
    return (visitor.json, visitor.problems.count)
  }

  @Test func reportsOfAMapAreKnown() throws {
    let keyboard = try #require(map(Self.keyboardMap))
    #expect(keyboard.usesNumbers)
    #expect(keyboard.formats.map(\.number) == [1, 1, 2])
    #expect(keyboard.format(.input, 1)?.size == 8)
    #expect(keyboard.format(.output, 1)?.bits == 8)
    #expect(keyboard.format(.input, 2)?.size == 3)
    #expect(keyboard.format(.input, 1)?.hasKeyboardKeys == true && keyboard.format(.input, 2)?.hasKeyboardKeys == false)
    #expect(keyboard.format(.feature, 1) == nil)
  }

  @Test func keysAreNamedAndCompared() throws {
    let keyboard = map(Self.keyboardMap)
    let first = try described(keyboard, .input, 1, [0x02, 0, 0x0B, 0, 0, 0, 0, 0])
    #expect(first.json.contains(#""keys":["Left Shift","h"],"keys_pressed":["Left Shift","h"]"#), "\(first.json)")
    let next = try described(keyboard, .input, 1, [0, 0, 0x0B, 0x0C, 0, 0, 0, 0], after: [0x02, 0, 0x0B, 0, 0, 0, 0, 0])
    #expect(next.json.contains(#""keys":["h","i"],"keys_pressed":["i"],"keys_released":["Left Shift"]"#), "\(next.json)")
    // The same key twice is one key; a value beyond the logical maximum is none.
    let rollover = try described(keyboard, .input, 1, [0, 0, 1, 1, 1, 0xF0, 0, 0])
    #expect(rollover.json.contains(#""keys":["too many keys"]"#), "\(rollover.json)")
    #expect(try described(keyboard, .output, 1, [0x02]).json.contains(#""leds":["Caps Lock"]"#))
  }

  @Test func pointersMove() throws {
    let moved = try described(map(Self.keyboardMap), .input, 2, [0x05, 0xFF, 0x7F])
    #expect(moved.json.contains(#""buttons":["left","middle"]"#), "\(moved.json)")
    #expect(moved.json.contains(#""x":-1,"y":127"#), "\(moved.json)")
    // Fields that cross byte boundaries: X and Y of twelve bits.
    let fine = map([
      0x05, 0x01, 0x09, 0x02, 0xA1, 0x01, 0x09, 0x30, 0x09, 0x31, 0x16, 0x01, 0xF8, 0x26, 0xFF, 0x07, 0x75, 0x0C, 0x95, 0x02, 0x81, 0x06,
      0xC0,
    ])
    #expect(fine?.usesNumbers == false)
    #expect(try described(fine, .input, 0, [0xFE, 0x3F, 0x00]).json.contains(#""x":-2,"y":3"#))
  }

  @Test func longAndShortReportsGiveWhatIsThere() throws {
    let keyboard = map(Self.keyboardMap)
    let long = try described(keyboard, .input, 1, [0, 0, 4, 0, 0, 0, 0, 0, 9])
    #expect(long.problems == 1 && long.json.contains(#""keys":["a"]"#))
    #expect(try described(keyboard, .input, 1, [0, 0, 4]).json.contains(#""keys":["a"]"#))
    #expect(try described(keyboard, .input, 1, []).json.contains(#""keys":[]"#))
  }

  @Test func hostileMapsAreRefused() {
    #expect(map([]) == nil)
    // A collection without an end, an end without a collection, an item without its data, report number 0.
    #expect(map(Array(Self.keyboardMap.dropLast())) == nil)
    #expect(map([0xC0]) == nil)
    #expect(map([0x05]) == nil)
    #expect(map([0x85, 0x00]) == nil)
    // Sizes beyond any report: 2^32 - 1 fields of 2^32 - 1 bits, and 65,536 of 32.
    #expect(map([0x77, 0xFF, 0xFF, 0xFF, 0xFF, 0x97, 0xFF, 0xFF, 0xFF, 0xFF, 0x81, 0x02]) == nil)
    #expect(map([0x75, 0x20, 0x97, 0x00, 0x00, 0x01, 0x00, 0x81, 0x02]) == nil)
    // More Push items than the stack holds, and a Pop without a Push.
    #expect(map([UInt8](repeating: 0xA4, count: 17)) == nil)
    #expect(map([0xB4]) == nil)
    // A usage range whose maximum is below its minimum is left out.
    #expect(map([0x05, 0x07, 0x19, 0x09, 0x29, 0x01, 0x75, 0x08, 0x95, 0x01, 0x81, 0x00])?.formats.count == 1)
  }

  @Test func arraysOfScatteredUsagesAreIndices() throws {
    // Consumer controls: play/pause, next, previous, as indices from 1.
    let remote = map([
      0x05, 0x0C, 0x09, 0x01, 0xA1, 0x01, 0x15, 0x01, 0x25, 0x03, 0x09, 0xCD, 0x09, 0xB5, 0x09, 0xB6, 0x75, 0x08, 0x95, 0x01, 0x81, 0x00,
      0xC0,
    ])
    #expect(try described(remote, .input, 0, [2]).json.contains(#""controls":["next track"]"#))
    #expect(try described(remote, .input, 0, [1]).json.contains(#""controls":["play or pause"]"#))
    #expect(try described(remote, .input, 0, [0]).json.contains(#""controls":[]"#))
    #expect(try described(remote, .input, 0, [4]).json.contains(#""controls":[]"#))
  }

  @Test func messagesHaveHeaders() {
    func json(_ pdu: [UInt8]) -> String {
      var visitor = JSONVisitor()
      HID.walk(pdu.span.bytes, PDUContext(), &visitor)
      return visitor.json
    }
    #expect(json([0x02]).contains(#""result_code":"invalid report ID","transaction_type":"HANDSHAKE""#))
    #expect(json([0x13]).contains(#""control_operation":"suspend""#))
    #expect(json([0x4B, 0x04, 0x40, 0x00]).contains(#""report_id":4,"buffer_size":64"#))
    #expect(json([0x49, 0x40, 0x00]).contains(#""buffer_size":64"#))
    #expect(json([0x41, 0x02]).contains(#""report_id":2"#))
    #expect(json([0x71]).contains(#""protocol":"report""#))
    #expect(json([0xA1, 1, 2]).contains(#""data":"0102""#))
    #expect(json([0x25, 1]) == #"{"data":"2501"}"#)
    #expect(json([]) == "{}")
  }

  /// Maps with changed bytes, and reports with any bytes: nothing traps, and every walk is well formed.
  @Test func changedMapsAreHarmless() {
    var chance = SplitMix(state: testSeed)
    var read = 0
    var description: [UInt8] = []
    for _ in 0..<4000 {
      var bytes = Self.keyboardMap
      for _ in 0..<Int.random(in: 1...4, using: &chance) {
        bytes[Int.random(in: 0..<bytes.count, using: &chance)] = UInt8.random(in: 0...255, using: &chance)
      }
      guard let map = map(bytes) else { continue }
      for format in map.formats {
        let report = (0..<Int.random(in: 0...40, using: &chance)).map { _ in UInt8.random(in: 0...255, using: &chance) }
        format.describe(previous: report.reversed(), hasNumber: map.usesNumbers, to: &description)
        var visitor = StrictVisitor(count: report.count)
        #expect(HID.walkReport(report.span.bytes, 0..<report.count, description.span.bytes, &visitor))
        #expect(visitor.depth == 0 && visitor.faults.isEmpty, "\(visitor.faults), BTSCRIBE_SEED=\(testSeed)")
        read += 1
      }
    }
    #expect(read > 1000)
  }

  /// The size of a map is bounded, and so is the work for a report.
  @Test func largeMapsAreBounded() throws {
    let many: [UInt8] = (1...255).flatMap { [0x85, $0, 0x75, 0x08, 0x95, 0x01, 0x81, 0x02] }
    #expect(map(many) == nil)
    // 3,000 usages with gaps between them, in an array of 8,000 values.
    let scattered = map(
      [0x05, 0x0C, 0x15, 0, 0x26, 0xFF, 0x7F] + (0..<3000).flatMap { [0x0A, UInt8(truncatingIfNeeded: $0 * 2), UInt8($0 * 2 >> 8)] }
        + [0x75, 0x08, 0x96, 0x40, 0x1F, 0x81, 0x00])
    let format = try #require(scattered?.format(.input, 0))
    #expect(format.size == 8000)
    var description: [UInt8] = []
    format.describe(previous: [], hasNumber: false, to: &description)
    #expect(description.count <= 6 + 128 * 20)
  }
}
