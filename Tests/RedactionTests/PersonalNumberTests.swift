import CaptureScenes
import Captures
import Foundation
import Profiles
@testable import Redaction
import Testing

/// Numbers, enumerations and bits that measure a person are replaced, whatever the profile calls the field itself.
@Suite struct PersonalNumberTests {
  /// Characteristics of the Bluetooth SIG, and a value of each with bytes that must be replaced.
  private static let values: [(name: String, uuid: UInt16, value: [UInt8], secret: Range<Int>)] = [
    ("date of birth", 0x2A85, [0xBF, 0x07, 0x04, 0x15], 0..<4), ("height", 0x2A8E, [0xB4, 0x00], 0..<2),
    ("weight", 0x2A98, [0x88, 0x36], 0..<2), ("hip circumference", 0x2A8F, [0x5E, 0x27], 0..<2),
    ("waist circumference", 0x2A97, [0x51, 0x23], 0..<2), ("gender", 0x2A8C, [0x01], 0..<1), ("age", 0x2A80, [0x2B], 0..<1),
    ("stride length", 0x2B49, [0xBC, 0x02], 0..<2), ("resting heart rate", 0x2A92, [0x37], 0..<1),
    // Flags, the rate, energy expended, two intervals between beats.
    ("heart rate", 0x2A37, [0x18, 0x4B, 0x39, 0x05, 0x1C, 0x03, 0x27, 0x03], 1..<8),
    // Flags, systolic, diastolic and mean pressure, pulse.
    ("blood pressure", 0x2A35, [0x04, 0x78, 0x00, 0x50, 0x00, 0x60, 0x00, 0x48, 0xF0], 1..<9),
  ]

  @Test(arguments: values.indices) func measurementsOfAPersonGo(_ number: Int) throws {
    let (name, uuid, value, secret) = Self.values[number]
    var options = Redaction.Options()
    options.profiles = try ProfileSet()
    var scene = Scene()
    scene.connect()
    scene.discover(uuid, at: 0x31, service: 0x181C)
    scene.receive([0x1B, 0x31, 0] + value)
    // The pseudonym of a single byte may equal the byte by chance, but not with two seeds.
    var seen: Set<[UInt8]> = []
    for seed in ["one", "two", "three"] {
      let (original, redacted) = try Redacted.scene(scene, CaptureTarget(.btsnoop, linkType: 1002), options: options, seed: seed)
      let bytes = redacted.file.bytes
      seen.insert(Array(bytes.suffix(value.count)[(bytes.count - value.count)...][(bytes.count - value.count + secret.lowerBound)...]))
      #expect(Array(original.bytes.suffix(value.count)) == value)
      if secret.count >= 2 {
        let isLeft = contains(Array(value[secret].prefix(2)), in: Array(bytes.suffix(value.count)))
        #expect(!isLeft, "\(name)")
      }
      let shape = try Shape.of(redacted.file.path, profiles: options.profiles)
      #expect(try Shape.of(original.path, profiles: options.profiles) == shape, "\(name)")
    }
    #expect(seen.count > 1, "\(name): \(seen)")
  }

  /// Names in users' profiles for access codes and for measurements of a person.
  @Test(arguments: [
    "passcode", "door_code", "unlock_code", "user_code", "badge", "card_number", "account", "ketones", "carbs", "fever", "pregnant", "hiv",
    "diabetic", "basal_dose",
  ])
  func wordsForPersonalNumbers(_ name: String) {
    #expect(FieldNames.traits(name).isPersonal)
  }

  /// Codes of the device are no access codes.
  @Test(arguments: ["error_code", "status_code", "code", "product_code", "discard", "passage"])
  func wordsForOtherNumbers(_ name: String) {
    #expect(!FieldNames.traits(name).isPersonal)
  }

  /// Source fields of personal numbers in shipped profiles are replaced as well: hidden ones have personal names.
  @Test func sourcesOfPersonalNumbersHavePersonalNames() throws {
    let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .appendingPathComponent("../../Sources/CBuiltinProfiles/Profiles")
    var count = 0
    for file in try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted() where file.hasSuffix(".yaml") {
      let lines = try String(contentsOf: folder.appendingPathComponent(file), encoding: .utf8).split(separator: "\n")
      // Numbers that are not shown.
      var hidden: [String] = []
      for line in lines {
        let number = /\{id: ([a-z0-9_]+), type: (?:[us][0-9]|b[2-9]|b[1-9][0-9])(?:le|be)?,.*-hidden: true/
        guard let match = line.firstMatch(of: number) else { continue }
        hidden.append(String(match.1))
      }
      for line in lines {
        guard let match = line.firstMatch(of: /^ +([a-z0-9_]+): \{value: (.*)$/) else { continue }
        let rest = String(match.2)
        let unit = rest.firstMatch(of: /-unit: "?([^",}]+)/).map { String($0.1) } ?? ""
        guard FieldNames.traits(String(match.1)).isPersonal || AllowedFields.isPersonal(unit: Array(unit.utf8)) else { continue }
        let words = Set(rest.split { !($0.isLetter || $0.isNumber || $0 == "_") }.map(String.init))
        for name in hidden where words.contains(name) {
          count += 1
          #expect(FieldNames.traits(name).isPersonal, "\(file): \(match.1) is computed of \(name)")
        }
      }
    }
    #expect(count >= 10)
  }
}
