import Bluetooth
import CaptureScenes
import Captures
import Conversations
import Foundation
import Profiles
import TestSupport
import Testing

@testable import Analysis

/// Display filters: which packets pass, positions of mistakes, hostile expressions.
@Suite struct FilterTests {
  private static let profiles = Result { try ProfileSet(builtin: true) }

  /// Connection (1), MTU (2, 3), a vendor's characteristic discovered (4 to 9), subscribed (10, 11), notified (12, 13), read (14, 15), a write
  /// refused (16, 17), a Write Command (18), disconnection (19).
  private static var story: Scene {
    var scene = Scene()
    scene.connect()
    scene.send([0x02, 0x05, 2])
    scene.receive([0x03, 0xB9, 0])
    scene.discover(0xABE4, at: 0x19)
    scene.send([0x12, 0x1A, 0, 1, 0])
    scene.receive([0x13])
    scene.receive([0x1B, 0x19, 0, 80])
    scene.receive([0x1B, 0x19, 0, 79, 0x61, 0x62, 0x63])
    scene.send([0x0A, 0x19, 0])
    scene.receive([0x0B, 78])
    scene.send([0x12, 0x1C, 0, 0xDE, 0xAD])
    scene.receive([0x01, 0x12, 0x1C, 0, 0x03])
    scene.send([0x52, 0x1E, 0, 0xDE, 0xAD, 0xBE, 0xEF])
    scene.disconnect()
    return scene
  }

  private func frames(_ expression: String, _ scene: Scene = story, with profiles: ProfileSet? = nil) throws -> [Int] {
    var options = Timeline.Options()
    options.filter = try Filter(expression, profiles: profiles)
    options.profiles = profiles
    let collector = Collector()
    _ = try Timeline(SceneSource(scene), options: options).run(CaptureFacts(name: "scene", title: "scene"), to: collector)
    return collector.rows.keys.sorted()
  }

  // MARK: What passes

  @Test(arguments: [
    ("", Array(1...19)), ("   ", Array(1...19)),
    // A protocol, a field, and neither of them.
    ("btatt", Array(2...18)), ("!btatt", [1, 19]), ("not btatt", [1, 19]), ("btsmp", []),
    ("btatt.value", [12, 13, 15, 16, 18]), ("btatt.error_code", [17]),
    // All spellings of all relations.
    ("frame.number == 4", [4]), ("frame.number eq 4", [4]), ("frame.number === 4", [4]), ("4 == frame.number", [4]),
    ("frame.number < 3", [1, 2]), ("frame.number lt 3", [1, 2]), ("3 > frame.number", [1, 2]), ("frame.number <= 2", [1, 2]),
    ("frame.number le 2", [1, 2]), ("frame.number > 17", [18, 19]), ("frame.number gt 17", [18, 19]), ("frame.number >= 18", [18, 19]),
    ("frame.number ge 18", [18, 19]), ("frame.number != 1 && !btatt", [19]), ("frame.number ne 1 && !btatt", [19]),
    ("2 < frame.number < 5", [3, 4]), ("btatt.opcode == 0x1b", [12, 13]), ("btatt.opcode == 27", [12, 13]),
    ("btatt.opcode == 0b11011", [12, 13]), ("btatt.opcode == 033", [12, 13]),
    ("btatt.opcode == \"Handle Value Notification\"", [12, 13]), ("btatt.opcode == 'R'", [18]),
    // Absent fields match no comparison.
    ("btatt.handle != 0x19 && frame.number > 9", [10, 11, 16, 17, 18]), ("!(btatt.handle == 0x19) && btatt.value", [16, 18]),
    // Logic: and binds tighter than or.
    ("frame.number == 1 or frame.number == 2 and btatt", [1, 2]), ("(frame.number == 1 or frame.number == 2) and btatt", [2]),
    ("frame.number == 1 || frame.number == 3 && btatt", [1, 3]), ("frame.number < 3 ^^ frame.number > 1 && frame.number < 5", [1, 3, 4]),
    ("frame.number < 3 xor frame.number > 17", [1, 2, 18, 19]), ("!!btatt && !!!(frame.number > 2)", [2]),
    // Sets and ranges.
    ("frame.number in {1, 3, 17..18}", [1, 3, 17, 18]), ("frame.number not in {2..18}", [1, 19]),
    ("frame.number in {18, 3, 17, 1, 3, 5..6, 4}", [1, 3, 4, 5, 6, 17, 18]),
    ("btatt.opcode in {0x0a, 0x12}", [10, 14, 16]), ("btatt.handle in {0x1c .. 0x1e}", [16, 17, 18]),
    // Bytes: all of a value, parts from either end, several parts at once.
    ("btatt.value == de:ad", [16]), ("btatt.value == dead", [16]), ("btatt.value == DE-AD", [16]), ("btatt.value[0:2] == de:ad", [16, 18]),
    ("btatt.value[-2:] == be:ef", [18]), ("btatt.value[1-2] == ad:be", [18]), ("btatt.value[:1] == 4f", [13]),
    ("btatt.value[3] == ef", [18]), ("btatt.value[0,3] == de:ef", [18]), ("btatt.value[9:] == 00", []),
    ("btatt.value contains ad:be", [18]), ("btatt.value contains \"abc\"", [13]), ("btatt.value contains 61", [13]),
    ("btatt.value matches \"^.a.c$\"", [13]), ("btatt.value ~ \"A[B-D]+\"", [13]), ("btatt.value matches r\"\\xde\\xad$\"", [16]),
    // A part beyond the end of a value is empty: different, less, and false by itself.
    ("btatt.value[3] != ef", [12, 13, 15, 16]), ("btatt.value[3] < 64", [12, 13, 15, 16]), ("btatt.value[2:]", [13, 18]),
    ("btatt.value[1:] == \"\"", [12, 15]), ("btatt.value[1:] contains \"\"", [13, 16, 18]), ("btatt.value[9] matches \"^$\"", []),
    ("btatt.value[0,3] == 50", [12]), ("!(btatt.value[3] & 1) && btatt.value", [12, 15, 16]),
    // Of two values with the same beginning the longer is greater.
    ("btatt.value > de:ad", [13, 18]),
    // Functions and arithmetic.
    ("len(btatt.value) == 4", [13, 18]), ("count(btatt.handle) == 1 && btatt.opcode == 0x52", [18]),
    ("btatt.handle + 1 == 0x1d", [16, 17]), ("btatt.handle - 0x10 == 0xc", [16, 17]),
    ("btatt.handle & 4 == 4 && btatt.opcode == 0x52", [18]),
    ("(btatt.handle & 3) == 2 && btatt.opcode == 0x52", [18]), ("btatt.handle * 2 == 60", [18]), ("btatt.handle / 2 == 15", [18]),
    ("btatt.handle % 16 == 14", [18]), ("-btatt.handle == -30", [18]), ("max(btatt.handle) == 30", [18]),
    ("max(btatt.handle, frame.number, 28) == 28 && btatt.value", [12, 13, 15, 16]), ("min(frame.number, 4) == 3", [3]),
    ("string(btatt.handle) == \"30\"", [18]), ("string(btatt.opcode) matches \"^27$\"", [12, 13]),
    // Layers of a protocol that occurs once.
    ("btatt.handle#1 == 30", [18]), ("btatt.handle#[1-2] == 30", [18]), ("btatt.handle#[-1] == 30", [18]), ("btatt.handle#2", []),
    ("btatt.handle#[:1]", []), ("btatt.value#1[0] == de", [16, 18]),
    // Names, addresses, times.
    ("btatt.error_code == 3", [17]), ("bthci_evt.code == 0x05", [19]), ("bthci_evt.code == \"Disconnection Complete\"", [19]),
    ("bthci_acl.chandle == 0x40 && frame.number < 4", [2, 3]), ("frame.time_delta > 0.005 && frame.number == 2", [2]),
    ("frame.time_relative >= 0.17", [18, 19]), ("btatt.uuid16 == 0xabe4 && btatt.opcode == 0x1b", [12, 13]),
    ("btatt.request_in_frame == 14", [15]), ("btatt.response_in_frame == 15", [14]),
  ])
  func passes(expression: String, expected: [Int]) throws {
    #expect(try frames(expression) == expected, "\(expression)")
  }

  @Test func tablesAreRight() {
    #expect(FilterFields.problems == [])
    #expect(FilterFields.all.count == FilterFields.byName.count)
  }

  /// A condition on a layout's field without a bracket would be ignored, so it is rejected.
  @Test func conditionsAreOfPlacesOnly() {
    #expect(FilterFields.isRight("a.b u8 04?01=1[2:1]", .att) == false)
    #expect(FilterFields.isRight("a.b u8 /04?01=1[2:1]", .att))
    #expect(FilterFields.isRight("a.b u8 .handle", .att))
    #expect(FilterFields.isRight("a.b u8 .handle?01=1[0:1]", .att))
    #expect(FilterFields.isRight("a.b u8 .handle?01=1", .att) == false)
    #expect(FilterFields.isRight("a.b u8 /04?01=1.handle", .att) == false)
    #expect(FilterFields.isRight("a.b u8 ?#=4.handle", .att) == false)
  }

  /// Messages of a mesh are decoded where there are keys; a message of two segments belongs to the second packet.
  @Test func meshIsOpened() throws {
    var scene = Scene()
    func heard(_ text: String) {
      let data = stride(from: 0, to: text.count, by: 2).compactMap { at in
        UInt8(text.dropFirst(at).prefix(2), radix: 16)
      }
      let structure = [UInt8(data.count + 1), 0x2A] + data
      scene.event(0x3E, [2, 1, 3, 1, 1, 0, 0x5E, 0, 0x53, 0xC1, UInt8(structure.count)] + structure + [0xC4])
    }
    heard("68cab5c5348a230afba8c63d4e686364979deaf4fd40961145939cda0e")
    heard("681615b5dd4a846cae0c032bf0746f44f1b8cc8ce5edc57e55beed49c0")
    heard("68e80e5da5af0e6b9be7f5a642f2f98680e61c3a8b47f228")
    var keys = ProfileKeys()
    let given: [(String, [UInt8])] = [
      ("network", [0x7D, 0xD7, 0x36, 0x4C, 0xD8, 0x42, 0xAD, 0x18, 0xC1, 0x7C, 0x2B, 0x82, 0x0C, 0x84, 0xC3, 0xD6]),
      ("device", [0x9D, 0x6D, 0xD0, 0xE9, 0x6E, 0xB2, 0x5D, 0xC1, 0x9A, 0x40, 0xED, 0x99, 0x14, 0xF8, 0xF0, 0x3F]),
      ("iv_index", [0x12, 0x34, 0x56, 0x78]),
    ]
    for (name, bytes) in given { keys.add(bytes, of: "mesh-proxy", name) }
    let profiles = try Self.profiles.get().with(keys)
    for (expression, expected) in [
      ("btmesh", [1, 2, 3]), ("btmesh.src == 3", [1, 2]), ("btmesh.segmented.access.fragment == 1", [2]),
      ("btmesh.model.opcode == 0", [2]), ("btmesh.model.config_appkey_add.netkeyindexandappkeyindex.app == 0x123", [2]),
      ("btmesh.model.config_appkey_status.status == 0", [3]), ("btmesh.obfuscated", []),
    ] {
      #expect(try frames(expression, scene, with: profiles) == expected, "\(expression)")
    }
    #expect(try frames("btmesh.obfuscated", scene) == [1, 2, 3])
    #expect(try frames("btmesh.src", scene) == [])
  }

  /// Fields of a manufacturer occur only in packets to and from its controllers.
  @Test func vendorsHaveTheirFields() throws {
    func scene(_ company: UInt8) -> Scene {
      var scene = Scene()
      scene.event(0x0E, [1, 0x01, 0x10, 0, 12, 0, 1, 12, company, 0, 0, 0x21])
      scene.command(0xFD57, [3, 0, 5, 0x0F, 0x18, 0xFF, 0xFF])
      scene.event(0x0E, [1, 0x57, 0xFD, 0, 3, 0, 31])
      scene.command(0xFD57, [3, 0, 6, 0x0F, 0x18, 0xFF, 0xFF])
      scene.event(0x0E, [1, 0x57, 0xFD, 7, 3])
      scene.event(0xFF, [0x08, 0x34, 0x12, 5, 7])
      scene.event(0x0F, [0, 1, 0x57, 0xFD])
      scene.command(0x0C03, [])
      return scene
    }
    let broadcom = scene(15)
    #expect(try frames("bthci_vendor.broadcom", broadcom) == [2, 3, 4, 5, 6])
    #expect(try frames("bthci_vendor.broadcom.opcode == 0xfd57", broadcom) == [2, 3, 4, 5])
    #expect(try frames("bthci_vendor.broadcom.le.filter_index > 5", broadcom) == [4])
    #expect(try frames("bthci_vendor.broadcom.le.scan_condition", broadcom) == [2, 3, 4])
    #expect(try frames("bthci_vendor.broadcom.le.number_of_available_filters == 31", broadcom) == [3])
    #expect(try frames("bthci_vendor.broadcom.status == 7", broadcom) == [5])
    #expect(try frames("bthci_vendor.intel", broadcom) == [])
    let intel = scene(2)
    #expect(try frames("bthci_vendor.intel", intel) == [2, 3, 4, 5, 6])
    #expect(try frames("bthci_vendor.intel.line == 0x1234", intel) == [6])
    #expect(try frames("bthci_vendor.intel.module == 5", intel) == [6])
    #expect(try frames("bthci_vendor.broadcom", intel) == [])
    // Neither a controller whose manufacturer is not known yet nor one of another manufacturer has these fields.
    #expect(try frames("bthci_vendor.broadcom or bthci_vendor.intel", scene(29)) == [])
  }

  @Test func anyAndAll() throws {
    var scene = Scene()
    scene.connect()
    // Handles 0x19 and 0x1b in one PDU, then 0x19 twice.
    scene.receive([0x23, 0x19, 0, 1, 0, 81, 0x1B, 0, 1, 0, 3])
    scene.receive([0x23, 0x19, 0, 1, 0, 81, 0x19, 0, 1, 0, 3])
    #expect(try frames("btatt.handle == 0x19", scene) == [2, 3])
    #expect(try frames("any btatt.handle == 0x19", scene) == [2, 3])
    #expect(try frames("all btatt.handle == 0x19", scene) == [3])
    #expect(try frames("btatt.handle === 0x19", scene) == [3])
    #expect(try frames("btatt.handle != 0x19", scene) == [])
    #expect(try frames("btatt.handle ~= 0x19", scene) == [2])
    #expect(try frames("btatt.handle !== 0x19", scene) == [2])
    #expect(try frames("count(btatt.handle) == 2", scene) == [2, 3])
  }

  @Test func fieldsOfMessages() throws {
    let profiles = try Self.profiles.get()
    var scene = Scene()
    scene.connect()
    scene.discover(0x2A19, at: 0x19)
    scene.discover(0x2A37, at: 0x1C, service: 0x180D)
    let slow = scene.receive([0x1B, 0x1C, 0, 0x00, 61])
    let fast = scene.receive([0x1B, 0x1C, 0, 0x00, 142])
    scene.receive([0x1B, 0x19, 0, 80])
    #expect(try frames("heart-rate", scene, with: profiles) == [slow, fast])
    #expect(try frames("heart-rate.characteristic == measurement", scene, with: profiles) == [slow, fast])
    #expect(try frames("heart-rate.heart_rate > 100", scene, with: profiles) == [fast])
    #expect(try frames("heart-rate.heart_rate in {60..62}", scene, with: profiles) == [slow])
    #expect(try frames("heart-rate.payload[1] == 8e", scene, with: profiles) == [fast])
    #expect(throws: FilterError.self) { try Filter("heart-rate.heart_rates > 100", profiles: profiles) }
    // Unknown names are mistakes even where fields are those of protobuf: such fields have a name in the profile, or a number.
    for (wrong, near) in [
      ("gopro.statsu == 0", "gopro.status"), ("gopro.message == seting", "setting"),
      ("gopro.message in {query, setting_respons}", "setting_response"),
      ("gopro.characteristic != \"query-answr\"", "query-answer"), ("gopro.checksum == wrong", ""),
    ] {
      do {
        _ = try Filter(wrong, profiles: profiles)
        Issue.record("accepted: \(wrong)")
      } catch {
        #expect(near.isEmpty || error.close.contains(near), "\(wrong): \(error.close)")
      }
    }
    for right in [
      "gopro.message == \"setting\"", "gopro.entries", "gopro.7 == 3", "gopro.message contains \"sett\"", "gopro.checksum == bad",
    ] {
      _ = try Filter(right, profiles: profiles)
    }
    #expect(throws: FilterError.self) { try Filter("heart-rate.heart_rate > 100") }
  }

  @Test func whatTheCaptureCutIsNotJudged() throws {
    var scene = Scene()
    scene.connect()
    scene.packet(.acl, .received, [0x40, 0x20, 9, 0, 5, 0, 4, 0, 0x1B, 0x19], original: 14)
    var options = Timeline.Options()
    options.filter = try Filter("btatt.value == 01:02")
    let collector = Collector()
    _ = try Timeline(SceneSource(scene), options: options).run(CaptureFacts(name: "scene", title: "scene"), to: collector)
    #expect(collector.rows.isEmpty)
  }

  // MARK: Mistakes

  @Test(arguments: [
    ("btatt.handel == 3", 1, "no such field"), ("btatt && frame.nmber == 3", 10, "no such field"),
    ("btatt.handle == ", 17, "ends too early"),
    ("btatt.handle = 3", 14, "did you mean \"==\""), ("(btatt", 7, "ends too early"), ("btatt)", 6, "has no place"),
    ("btatt.handle == 0x10000", 17, "does not fit"), ("btatt.handle == dog", 17, "is not a number"),
    ("btatt.value == xy", 16, "not a byte string"),
    ("bluetooth.addr == c0:ff", 19, "an address has 6"), ("bluetooth.addr == \"c0:ff:ee:00:00:01\"", 19, "without quotes"),
    ("btatt.handle#x == 3", 14, "is not a part"), ("btatt.handle# == 3", 15, "has no place"),
    ("max(3, btatt.handle) == 3", 5, "wants a field"),
    ("max(btatt.handle, btatt.value) == 3", 19, "is not a number"), ("btatt.opcode == \"Write Reqest\"", 17, "none of the values"),
    ("3 == 3", 1, "is a value"), ("btatt == 3 &&& btatt", 14, "has no place"), ("btatt.value matches \"a(b\"", 23, "( without )"),
    ("btatt.value matches abc", 21, "double quotes"), ("btatt.value[x] == 1", 13, "not a part of bytes"),
    ("btatt.value[3 == 1", 12, "[ without ]"),
    ("btatt.value[2-1] == 1", 13, "ends before it starts"), ("btatt.handle contains 3", 1, "contains nothing"),
    ("len(btatt.value == 3", 17, "has no place"), ("lenn(btatt.value) == 3", 1, "no such function"), ("len() == 3", 1, "wants one field"),
    ("upper(btatt.handle) == 3", 7, "is not a text"), ("frame.number in 3", 17, "has no place"),
    ("frame.number in {3", 19, "ends too early"),
    ("frame.number in {}", 18, "has no place"), ("frame.time == \"yesterday\"", 15, "is not a time"),
    ("'ab' == btatt.opcode", 1, "one character"),
    ("\"open", 1, "closing quote"), ("btatt $ 3", 7, "has no place"), ("btatt.value + 1 == 3", 13, "cannot be computed"),
    ("frame.number & ", 16, "ends too early"), ("ü == 3", 1, "no such field"), ("btatt and or btatt", 11, "has no place"),
  ])
  func mistakesAreReportedWithTheirPosition(expression: String, column: Int, what: String) {
    do {
      _ = try Filter(expression)
      Issue.record("accepted: \(expression)")
    } catch {
      #expect(error.message.contains(what), "\(error.message)")
      #expect(error.column == column, "\(error.message)")
    }
  }

  /// The examples of the manual compile.
  @Test func theManualsExamples() throws {
    let manual = try String(contentsOf: URL(fileURLWithPath: "\(Package.root)/man/btscribe-filter.5"), encoding: .utf8)
    let profiles = try Self.profiles.get()
    var count = 0
    for line in manual.split(separator: "\n") where line.hasPrefix(".Dl btscribe -Y '") {
      let filter = line.dropFirst(17).prefix { $0 != "'" }
      _ = try Filter(String(filter), profiles: profiles)
      count += 1
    }
    #expect(count > 8)
  }

  @Test func namesThatAreNearAreReported() throws {
    for (wrong, near) in [
      ("btatt.handel", "btatt.handle"), ("frame.nunber", "frame.number"), ("bthci_evt.cod", "bthci_evt.code"), ("opcode", "btatt.opcode"),
    ] {
      do {
        _ = try Filter("\(wrong) == 3")
        Issue.record("accepted: \(wrong)")
      } catch {
        #expect(error.close.contains(near) || wrong == "opcode" && !error.close.isEmpty, "\(wrong): \(error.close)")
      }
    }
  }

  // MARK: Hostile expressions

  /// Each is rejected, or compiled and run, without delay.
  @Test func hostileExpressions() throws {
    let repeated: (String, Int) -> String = { String(repeating: $0, count: $1) }
    var expressions = [
      repeated("(", 60_000), repeated("(", 60_000) + "btatt", repeated("!", 60_000) + "btatt", repeated("not ", 16_000) + "btatt",
      repeated("btatt && ", 7000) + "btatt", repeated("btatt || ", 7000) + "btatt", repeated("btatt ^^ ", 7000) + "btatt",
      repeated("len(", 15_000) + "btatt.value", repeated("-", 60_000) + "1 == frame.number",
      "frame.number == " + repeated("-", 60_000) + "1",
      "frame.number == 1" + repeated("+1", 30_000), "frame.number == 1" + repeated("*2", 30_000), "1" + repeated(" < frame.number", 4000),
      "btatt.value" + repeated("[0:1]", 12_000) + " == 1", "btatt.value[" + repeated("0:1,", 15_000) + "0] == 1",
      "frame.number in {" + repeated("1..2,", 12_000) + "3}", "btatt.value == " + repeated("ab:", 20_000) + "ab",
      "btatt.value matches \"" + repeated("(", 60_000), "btatt.value matches \"" + repeated("(a", 100) + repeated(")*", 100) + "\"",
      "btatt.value matches \"a" + repeated("{1}", 20_000) + "\"", "btatt.value matches \"a" + repeated("?", 60_000) + "\"",
      "btatt.value matches \"((((a{1000}){1000}){1000}){1000})\"", "btatt.value matches \"" + repeated("a|", 30_000) + "a\"",
      "btatt.value matches \"(a*)*(a*)*(a*)*(a*)*(a*)*b\"", "btatt.value matches \"(x+x+)+y\"",
      "btatt.value matches \"[" + repeated("a-", 30_000),
      "btatt.value[1000001] == 1", "btatt.value[-9223372036854775808] == 1",
      "btatt.value[1:-9223372036854775808] == 1", "btatt.value[-1000000:1000000] == 1", "frame.number == 99999999999999999999999999",
      "frame.time_relative == " + repeated("9", 60_000), "frame.number % 0 == 1", "frame.number / 0 == 1",
      "frame.number * 9223372036854775807 * 9223372036854775807 * 9223372036854775807 == 1", "frame.number == -9223372036854775808",
      "abs(-frame.number) == 1", "btatt.opcode == '\\", "btatt.opcode == '\\x", "\"", "r\"", "'", "[", "{", "]", "}", ",", "..", "\\",
      "\u{0}",
      "\u{FFFD}\u{10FFFF}", "btatt.value == \"\u{0}\"", repeated(" ", 65_536), repeated("b", 65_537), repeated("b.", 32_000),
      "gopro" + repeated(".a", 30_000), ".", ".btatt", "..btatt", ":", "-", "- ", "& 1", "btatt &", "frame.number in {..}",
      "frame.time == \"2026-13-45 99:99:99\"", "frame.time == \"9999-12-31 23:59:59.999999999\"", "frame.time == \"0000-01-01\"",
    ]
    expressions += expressions.map { "(" + $0 + ") and frame.number > 0" }
    let judge = Judge(Self.story)
    for expression in expressions {
      let seconds = processorTime {
        do throws(FilterError) {
          guard let filter = try Filter(expression) else { return }
          _ = judge.frames(filter)
        } catch {
          #expect((1...expression.utf8.count + 1).contains(error.column), "\(expression.prefix(60)) \(error.column)")
          #expect(!error.what.isEmpty)
        }
      }
      #expect(seconds < 10, "\(expression.prefix(60))")
    }
  }

  /// Words of the grammar in any order: rejected with a position in the filter, or compiled and run.
  @Test func anyWordsInAnyOrder() throws {
    let words = [
      "btatt", "btatt.value", "btatt.handle", "frame.number", "frame.time", "bluetooth.addr", "frame.protocols", "==", "!=", "===", "<",
      ">=",
      "contains", "matches", "in", "{", "}", "..", ",", "(", ")", "!", "not", "and", "||", "xor", "any", "all", "len", "upper", "max",
      "count",
      "[", "]", "0:1", "-1:", "+", "-", "*", "/", "%", "&", "0", "1", "0x40", "1b:00", "\"a\"", "r\"a+\"", "'c'", "true", "1.5", "-7", "~",
      "gopro", "gopro.status", "\"2026-11-20 09:30:00\"", "", "\n", "é",
    ]
    var random = SplitMix(state: testSeed)
    let profiles = try Self.profiles.get()
    let judge = Judge(Self.story)
    var compiled = 0
    for _ in 0..<3000 {
      let expression = (0..<Int.random(in: 1...14, using: &random)).map { _ in words.randomElement(using: &random) ?? "" }
        .joined(separator: Bool.random(using: &random) ? " " : "")
      do {
        guard let filter = try Filter(expression, profiles: profiles) else { continue }
        compiled += 1
        _ = judge.frames(filter)
      } catch {
        #expect((1...expression.utf8.count + 1).contains(error.column), "\(expression), BTSCRIBE_SEED=\(testSeed)")
      }
    }
    #expect(compiled > 20)
  }

  // MARK: Against an independent evaluation

  /// Random filters built from tests whose result is known; the expected result is computed here in a few lines of Swift.
  @Test func judgesAsItsMeaningSays() throws {
    var random = SplitMix(state: testSeed)
    for _ in 0..<20 {
      var scene = Scene()
      scene.connect()
      // The frames from the second on.
      var packets: [Packet] = []
      for _ in 0..<40 {
        let packet = Packet.random(&random)
        packets.append(packet)
        if packet.isSent { scene.send(packet.pdu) } else { scene.receive(packet.pdu) }
      }
      let judge = Judge(scene)
      for _ in 0..<100 {
        let wanted = Sentence.random(&random, depth: 0)
        let filter = try #require(try Filter(wanted.text), "\(wanted.text), BTSCRIBE_SEED=\(testSeed)")
        let passed = judge.frames(filter)
        let expected = packets.indices.filter { wanted.holds(packets[$0], $0 + 2) }.map { $0 + 2 }
        #expect(passed.filter { $0 > 1 } == expected, "\(wanted.text), BTSCRIBE_SEED=\(testSeed)")
      }
    }
  }

  /// An ATT PDU with one handle and a value.
  private struct Packet {
    var isSent: Bool
    var opcode: UInt8
    var handle: UInt16
    var value: [UInt8]

    var pdu: [UInt8] { [opcode, UInt8(handle & 0xFF), UInt8(handle >> 8)] + value }

    static func random(_ random: inout SplitMix) -> Packet {
      let isSent = Bool.random(using: &random)
      let length = Int.random(in: 0...5, using: &random)
      return Packet(
        isSent: isSent, opcode: isSent ? 0x52 : 0x1B, handle: UInt16.random(in: 1...6, using: &random),
        value: (0..<length).map { _ in UInt8.random(in: 0...3, using: &random) })
    }
  }

  /// A filter as text, and what it means.
  private struct Sentence {
    var text: String
    var holds: (Packet, Int) -> Bool

    static func random(_ random: inout SplitMix, depth: Int) -> Sentence {
      if depth < 5, Int.random(in: 0..<10, using: &random) < 7 {
        let left = Self.random(&random, depth: depth + 1)
        let right = Self.random(&random, depth: depth + 1)
        let isWord = Bool.random(using: &random)
        switch Int.random(in: 0..<4, using: &random) {
        case 0:
          return Sentence(text: "(\(left.text)) \(isWord ? "and" : "&&") (\(right.text))") { left.holds($0, $1) && right.holds($0, $1) }
        case 1:
          return Sentence(text: "(\(left.text)) \(isWord ? "or" : "||") (\(right.text))") { left.holds($0, $1) || right.holds($0, $1) }
        case 2:
          return Sentence(text: "(\(left.text)) \(isWord ? "xor" : "^^") (\(right.text))") { left.holds($0, $1) != right.holds($0, $1) }
        default: return Sentence(text: "\(isWord ? "not " : "!")(\(left.text))") { !left.holds($0, $1) }
        }
      }
      return test(&random)
    }

    private static func test(_ random: inout SplitMix) -> Sentence {
      let relations: [(String, (Int, Int) -> Bool)] = [("==", ==), ("!=", !=), ("<", <), ("<=", <=), (">", >), (">=", >=)]
      let (sign, holds) = relations[Int(random.next() % 6)]
      let number = Int.random(in: 0...7, using: &random)
      let byte = UInt8.random(in: 0...3, using: &random)
      let other = UInt8.random(in: 0...3, using: &random)
      switch Int.random(in: 0..<9, using: &random) {
      case 0: return Sentence(text: "btatt.handle \(sign) \(number)") { packet, _ in holds(Int(packet.handle), number) }
      case 1: return Sentence(text: "frame.number \(sign) \(number * 6)") { _, frame in holds(frame, number * 6) }
      case 2:
        return Sentence(text: "btatt.handle in {\(number), \(number + 1)..\(number + 3)}") { packet, _ in
          (number...number + 3).contains(Int(packet.handle))
        }
      case 3: return Sentence(text: "btatt.opcode == 0x52") { packet, _ in packet.isSent }
      case 4:
        return Sentence(text: "btatt.value contains 0\(byte):0\(other)") { packet, _ in
          packet.value.indices.dropLast().contains { packet.value[$0] == byte && packet.value[$0 + 1] == other }
        }
      case 5: return Sentence(text: "btatt.value[1] == 0\(byte)") { packet, _ in packet.value.count > 1 && packet.value[1] == byte }
      case 6:
        return Sentence(text: "btatt.value[-2:] == 0\(byte):0\(other)") { packet, _ in
          packet.value.count >= 2 && Array(packet.value.suffix(2)) == [byte, other]
        }
      case 7:
        return Sentence(text: "len(btatt.value) \(sign) \(number)") { packet, _ in
          !packet.value.isEmpty && holds(packet.value.count, number)
        }
      default:
        return Sentence(text: "btatt.value matches r\"^\\x0\(byte)+\\x0\(other)\"") { packet, _ in
          let head = packet.value.prefix { $0 == byte }
          guard !head.isEmpty else { return false }
          if byte == other { return head.count >= 2 }
          return packet.value.dropFirst(head.count).first == other
        }
      }
    }
  }
}

/// Evaluates a filter for the packets of a scene without printing any.
private struct Judge {
  let played: Played?

  init(_ scene: Scene) { played = try? scene.played(withSurvey: false) }

  func frames(_ filter: Filter) -> [Int] {
    guard let batch = played?.batches.first else { return [] }
    let evaluator = FilterEvaluator(filter)
    var passed: [Int] = []
    played?.rows.withUnsafeBufferPointer { rows in
      var first = 0
      while first < rows.count {
        var end = first + 1
        while end < rows.count, rows[end].frame == rows[first].frame { end += 1 }
        let record = batch.packets.records[Int(rows[first].record)]
        if evaluator.passes(record, UnsafeBufferPointer(rebasing: rows[first..<end]), batch) { passed.append(rows[first].frame) }
        first = end
      }
    }
    return passed
  }
}
