import CaptureScenes
import Captures
import Profiles
@testable import Redaction
import Testing
@_spi(Pipeline) import Analysis

/// Other data in place of numbers with a layout: in SDP records, in consecutive numbers, and beside other values.
@Suite struct RecordSecretTests {
  private static let target = CaptureTarget(.btsnoop, linkType: 1002)

  private static func redacted(
    _ scene: Scene, isSame: Bool = true, _ options: Redaction.Options = Redaction.Options()
  ) throws -> (before: [UInt8], after: [UInt8]) {
    let (original, redacted) = try Redacted.scene(scene, target, options: options)
    #expect(try redacted.check(options).isEmpty)
    if isSame {
      #expect(try Shape.of(original.path, profiles: options.profiles) == Shape.of(redacted.file.path, profiles: options.profiles))
    }
    return (original.bytes, redacted.file.bytes)
  }

  // MARK: SDP

  /// An SDP response with the record of a service: its class, and one more attribute.
  private static func record(_ service: [UInt8], _ attribute: UInt16, _ value: [UInt8]) -> Scene {
    var scene = Scene()
    scene.event(3, [0] + scene.little(scene.handle) + scene.octets(0x1C5A_6B12_9F37) + [1, 0])
    scene.pdu(.sent, 1, [2, 1, 4, 0, 1, 0, 0x41, 0])
    scene.pdu(.received, 1, [3, 1, 8, 0, 0x42, 0, 0x41, 0, 0, 0, 0, 0])
    var record: [UInt8] = [9, 0, 0, 0x0A, 0, 1, 0, 7, 9, 0, 1, 0x35, UInt8(service.count)] + service
    record += [9, UInt8(attribute >> 8), UInt8(attribute & 0xFF)] + value
    let lists: [UInt8] = [0x35, UInt8(record.count + 2), 0x35, UInt8(record.count)] + record
    scene.pdu(.sent, 0x42, [6, 0, 1, 0, 15, 0x35, 3, 0x19, 1, 0, 0xFF, 0xFF, 0x35, 5, 0x0A, 0, 0, 0xFF, 0xFF, 0])
    scene.pdu(.received, 0x41, [7, 0, 1, 0, UInt8(lists.count + 3), 0, UInt8(lists.count)] + lists + [0])
    return scene
  }

  /// The class of a service, and another attribute of its record with its value, in hexadecimal digits.
  struct Case: Sendable {
    let service: String
    let attribute: UInt16
    let value: String

    init(_ service: String, _ attribute: UInt16, _ value: String) {
      (self.service, self.attribute, self.value) = (service, attribute, value)
    }

    static func bytes(_ text: String) -> [UInt8] {
      let digits = Array(text.utf8)
      return stride(from: 0, to: digits.count, by: 2).map { UInt8(String(decoding: digits[$0..<$0 + 2], as: UTF8.self), radix: 16) ?? 0 }
    }
  }
  private static let vendor = "1c0102030405060708090a0b0c0d0e0f10"

  private static let others: [Case] = [
    Case(vendor, 0x0200, "095a51"), Case(vendor, 0x0201, "0a5a514142"), Case(vendor, 0x0203, "0a5a514142"),
    Case("191200", 0x0203, "0a5a514142"),
    Case("191101", 0x0202, "095a51"), Case(vendor, 0x0008, "0a5a514142"), Case(vendor, 0x0100, "0a5a514142"),
    Case(vendor, 0x000D, "125a514142"),
    Case(vendor, 0x0002, "125a514142"), Case(vendor, 0x0002, "0a5a514142"), Case(vendor, 0x0007, "0a5a514142"),
    Case(vendor, 0x0005, "1a5a514142"), Case(vendor, 0x0102, "1a5a514142"),
    Case("191101", 0x0311, "1a5a514142"),
    Case("191101", 0x0003, "1c5a6f65205175757820343731313038310a"), Case(vendor, 0x0003, "195a51"), Case(vendor, 0x0005, "195a51"),
  ]

  /// Attributes of the Device Identification record in the record of a vendor's service, and numbers that are wider than their attributes allow.
  @Test(arguments: others) func numbersOfOtherRecords(_ candidate: Case) throws {
    let (before, after) = try Self.redacted(
      Self.record(Case.bytes(candidate.service), candidate.attribute, Case.bytes(candidate.value)), isSame: false)
    let secret = Array(Case.bytes(candidate.value).dropFirst())
    // These bytes occur nowhere else.
    for start in stride(from: 0, through: secret.count - 2, by: 2) {
      let part = Array(secret[start..<start + 2])
      let (wasThere, isLeft) = (contains(part, in: before), contains(part, in: after))
      #expect(wasThere && !isLeft, "\(candidate) \(part)")
    }
  }

  private static let defined: [Case] = [
    Case("191200", 0x0201, "09005d"), Case("191200", 0x0204, "2801"), Case("19112f", 0x0317, "0a0000023f"),
    Case("191124", 0x0201, "090111"),
    Case(vendor, 0x0009, "35083506191101090102"), Case("191132", 0x0005, "3503191002"), Case(vendor, 0x0003, "191101"),
    Case(vendor, 0x0004, "350c350319010035051900030805"),
  ]

  /// Numbers that the specifications define are kept.
  @Test(arguments: defined) func numbersOfTheirRecords(_ candidate: Case) throws {
    let (before, after) = try Self.redacted(Self.record(Case.bytes(candidate.service), candidate.attribute, Case.bytes(candidate.value)))
    let whole = [9, UInt8(candidate.attribute >> 8), UInt8(candidate.attribute & 0xFF)] + Case.bytes(candidate.value)
    let (wasThere, isThere) = (contains(whole, in: before), contains(whole, in: after))
    #expect(wasThere && isThere, "\(candidate)")
  }

  // MARK: Rows of numbers

  /// Texts that are decoded as a vendor event of Android, as a list of a controller's capabilities, and as other consecutive numbers.
  @Test func textsInRowsOfNumbers() throws {
    var scene = Scene()
    let text = Array("Zoe Quux lives at Main Street 5, call +436641234567 now".utf8)
    scene.event(0x0E, [1, 0x01, 0x10, 0, 0x0A, 0, 0, 0x0A] + scene.little(0x005D) + [0, 0])
    scene.event(0xFF, [0x58, 1] + text)
    scene.event(0x0E, [1, 0x02, 0x10, 0] + text + [0, 0, 0, 0, 0, 0, 0, 0, 0])
    scene.event(0x0D, [0] + scene.little(0x40) + [0, 1] + Array("HildegardMueller".utf8))
    let (before, after) = try Self.redacted(scene, isSame: false)
    var secrets = ["degardMu", "gardMuel"].map { Array($0.utf8) }
    for start in stride(from: 0, to: text.count - 12, by: 6) { secrets.append(Array(text[start..<start + 8])) }
    for secret in secrets {
      let (wasThere, isLeft) = (contains(secret, in: before), contains(secret, in: after))
      #expect(wasThere && !isLeft, "\(String(decoding: secret, as: UTF8.self))")
    }
  }

  /// Supported commands and features of a controller are kept.
  @Test func whatAControllerCanDoStays() throws {
    var scene = Scene()
    let commands: [UInt8] = [
      0xFF, 0xFF, 0xFF, 0x03, 0xCC, 0xFF, 0xEF, 0xFF, 0xFF, 0xFF, 0xEC, 0x1F, 0xF2, 0x0F, 0xE8, 0xFE, 0x3F, 0xF7, 0x83, 0xFF, 0x1C, 0, 0, 0,
      0x61,
      0xF7, 0xFF, 0xFF, 0x7F, 0x38, 0, 0,
    ]
    let answer = [1, 0x02, 0x10, 0] + commands + [UInt8](repeating: 0, count: 32)
    scene.event(0x0E, answer)
    let features: [UInt8] = [1, 0x03, 0x20, 0, 0xBD, 0x5F, 0x66, 0x37, 0x42, 0x31, 0x7B, 0x83]
    scene.event(0x0E, features)
    let (_, after) = try Self.redacted(scene)
    #expect(contains(answer, in: after) && contains(features, in: after))
  }

  // MARK: Beside others

  /// A harmless value beside another one: a check of the result with the same options finds nothing.
  @Test(arguments: [false, true], [false, true]) func harmlessValuesBesideOthers(keepsValues: Bool, hasProfiles: Bool) throws {
    var scene = Scene()
    scene.connect()
    scene.discover(0x2A19, at: 0x21)
    scene.discover(0xFFF1, at: 0x31, service: 0xFFF0)
    scene.send([0x20, 0x21, 0, 0x31, 0])
    scene.receive([0x21, 1, 0, 0x64, 8, 0] + Array("rmvarzoe".utf8))
    scene.receive([0x23, 0x21, 0, 1, 0, 0x63, 0x31, 0, 8, 0] + Array("hildegar".utf8))
    var options = Redaction.Options()
    options.keepsValues = keepsValues
    if hasProfiles { options.profiles = try ProfileSet() }
    let (_, after) = try Self.redacted(scene, options)
    #expect(contains([0x21, 1, 0, 0x64, 8, 0], in: after) && contains([0x23, 0x21, 0, 1, 0, 0x63, 0x31, 0, 8, 0], in: after))
    for secret in ["rmvarzoe", "hildegar"] {
      let isLeft = contains(Array(secret.utf8), in: after)
      #expect(isLeft == keepsValues)
    }
  }

  /// Of a broadcast that an assistant adds to a receiver, code, address, ID and texts are replaced, and the states are kept.
  @Test func statesOfABroadcastStay() throws {
    var scene = Scene()
    scene.connect()
    scene.discover(0x2BC7, at: 0x21, service: 0x184F, properties: 0x0C)
    scene.discover(0x2BC8, at: 0x31, service: 0x184F)
    let address: [UInt8] = [0xF2, 0x69, 0x8B, 0xE8, 0x07, 0xC0]
    let name: [UInt8] = [10, 0x0B] + Array("Zoe Radio".utf8)
    let code = Array("Hildegard 471108".utf8)
    let number: [UInt8] = [0x34, 0x12, 0xA7]
    let source: [UInt8] = [0] + address + [0] + number
    let named: [UInt8] = [UInt8(name.count)] + name
    let add: [UInt8] = [2] + source + [2, 0x10, 0x27, 1, 1, 0, 0, 0] + named
    let writes: [[UInt8]] = [add, [3, 1, 2, 0x10, 0x27, 1, 2, 0, 0, 0, 0], [5, 1], [4, 1] + code]
    for value in writes {
      scene.send([0x12, 0x21, 0] + value)
      scene.receive([0x13])
    }
    let states: [[UInt8]] = [[1] + source + [2, 0, 1, 3, 0, 0, 0] + named, [2] + source + [2, 3] + code + [1, 3, 0, 0, 0, 0]]
    for value in states { scene.receive([0x1B, 0x31, 0] + value) }
    var options = Redaction.Options()
    options.profiles = try ProfileSet()
    let (before, after) = try Self.redacted(scene, options)
    for secret in [address, number, Array("Zoe ".utf8), Array("adio".utf8), Array("Hilde".utf8), Array("4711".utf8)] {
      let (wasThere, isLeft) = (contains(secret, in: before), contains(secret, in: after))
      #expect(wasThere && !isLeft, "\(secret)")
    }
    let kept: [[UInt8]] = [
      [0x12, 0x21, 0, 2, 0], [2, 0x10, 0x27, 1, 1, 0, 0, 0, 11, 10, 0x0B], [0x21, 0, 3, 1, 2, 0x10, 0x27, 1, 2, 0, 0, 0, 0],
      [0x21, 0, 5, 1],
      [0x12, 0x21, 0, 4, 1], [0x1B, 0x31, 0, 1, 0], [2, 0, 1, 3, 0, 0, 0, 11, 10, 0x0B], [0x1B, 0x31, 0, 2, 0], [1, 3, 0, 0, 0, 0],
    ]
    for stays in kept {
      let isThere = contains(stays, in: after)
      #expect(isThere, "\(stays)")
    }
    // The code is replaced even where values are kept, with the profile and without it.
    options.keepsValues = true
    for profiles in [options.profiles, nil] {
      options.profiles = profiles
      let isLeft = contains(code, in: try Self.redacted(scene, options).after)
      #expect(!isLeft)
    }
  }
}
