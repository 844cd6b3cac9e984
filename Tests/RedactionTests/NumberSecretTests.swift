import CaptureScenes
import Captures
import Foundation
import Profiles
@testable import Redaction
import Testing

/// Personal numbers are replaced: those that read as text, under generic field names, and beside other values.
@Suite struct NumberSecretTests {
  private static let target = CaptureTarget(.btsnoop, linkType: 1002)

  private static func options() throws -> Redaction.Options {
    var options = Redaction.Options()
    options.profiles = try ProfileSet()
    return options
  }

  /// The last value of a scene before and after. The timeline remains the same, and a check finds nothing.
  private static func last(_ count: Int, _ scene: Scene, _ options: Redaction.Options? = nil) throws -> (old: [UInt8], new: [UInt8]) {
    let options = try options ?? Self.options()
    let (original, redacted) = try Redacted.scene(scene, target, options: options)
    #expect(try Shape.of(original.path, profiles: options.profiles) == Shape.of(redacted.file.path, profiles: options.profiles))
    let found = try redacted.check(options)
    #expect(found.isEmpty, "\(found) \(redacted.file.bytes.suffix(count))")
    return (Array(original.bytes.suffix(count)), Array(redacted.file.bytes.suffix(count)))
  }

  /// Consecutive heart rates of one and of two bytes: read as ASCII they are capitals, digits and punctuation.
  @Test func numbersThatReadAsText() throws {
    let rates: [UInt8] = [62, 61, 60, 59, 66, 71, 74, 68, 64, 63, 60, 58, 72, 77, 81, 66]
    let values: [[UInt8]] = [
      rates, [92, 95, 98, 104, 110, 101, 96, 91].flatMap { [$0, 0] }, [100, 0, 60, 0, 95, 0], rates.flatMap { [0, $0] },
    ]
    for value in values {
      var scene = Scene()
      scene.connect()
      scene.discover(0xFFF1, at: 0x21, service: 0xFFF0)
      scene.receive([0x1B, 0x21, 0] + value)
      let (old, new) = try Self.last(value.count, scene)
      #expect(old == value)
      let kept = zip(old, new).filter { $0 == $1 && $0 != 0 }
      #expect(kept.isEmpty, "\(old) \(new)")
      // The kinds of characters are not kept: all bytes are lowercase letters, or the value is binary.
      #expect(new.allSatisfy { $0 == 0 || (0x61...0x7A).contains($0) } || new.first { $0 != 0 } ?? 0 >= 0x80, "\(new)")
    }
  }

  @Test func aNumberOfAProfileIsNoText() {
    let pseudonyms = Pseudonyms(seed: "a")
    for rate in UInt8(40)...126 {
      for value in [[rate], [rate, 0], [0, rate]] {
        let new = pseudonyms.value(value, as: .number)
        #expect(pseudonyms.isPseudonym(value: new, as: .number) && new[0] >= 0x80, "\(value)")
      }
    }
    // 17 of the 256 bytes pass as pseudonyms.
    #expect((UInt8(0)...255).count { pseudonyms.isPseudonym(value: [$0], as: .number) } == 17)
    #expect((UInt8(1)...255).count { pseudonyms.isPseudonym(value: [$0, 1], as: .number) } < 8)
  }

  /// The checksum of a glucose measurement is replaced: with it the value could be found by trying all values.
  @Test func checksumsInMessagesTellNothing() throws {
    var scene = Scene()
    scene.connect()
    scene.discover(0x2AA7, at: 0x21, service: 0x181F)
    // Size, flags, glucose (120 mg/dL), minutes, check.
    let value: [UInt8] = [8, 0, 0x78, 0, 0x2C, 0x01, 0x3A, 0x51]
    scene.receive([0x1B, 0x21, 0] + value)
    let (_, new) = try Self.last(8, scene)
    #expect(new.prefix(2) == [8, 0] && new[2..<4] != [0x78, 0] && new[6..<8] != [0x3A, 0x51], "\(new)")
  }

  @Test(arguments: [
    // Body temperature in °C: flags, 36.6; local north and east, floor.
    (0x1809, 0x2A1C, [0, 0x6E, 0x01, 0, 0xFF], 1..<4), (0x1821, 0x2AB0, [0x9C, 0x02], 0..<2), (0x1821, 0x2AB1, [0x51, 0x03], 0..<2),
    (0x1821, 0x2AB2, [0x17], 0..<1),
    // Glucose measurement context: sequence, carbohydrate (breakfast, 0.05 kg), meal, tester and health, medication (rapid acting).
    (0x1808, 0x2A34, [0x17, 7, 0, 1, 0x41, 0xB0, 1, 0x31, 1, 0x0C, 0xB0], 3..<11),
  ]) func whatMeasuresAPersonGoes(_ service: Int, _ uuid: Int, _ bytes: [Int], _ secret: Range<Int>) throws {
    var scene = Scene()
    let value = bytes.map { UInt8($0) }
    scene.connect()
    scene.discover(UInt16(uuid), at: 0x21, service: UInt16(service))
    scene.receive([0x1B, 0x21, 0] + value)
    let (old, new) = try Self.last(value.count, scene)
    #expect(old == value && Array(new[..<secret.lowerBound]) == Array(old[..<secret.lowerBound]))
    let kept = secret.filter { old[$0] != 0 && old[$0] == new[$0] }
    #expect(kept.isEmpty, "\(old) \(new)")
  }

  /// A characteristic with a 128-bit UUID at handle 0x21.
  private static func scene(_ service: String, _ characteristic: String) -> Scene {
    func bytes(_ uuid: String) -> [UInt8] {
      let digits = Array(uuid.utf8.filter { $0 != UInt8(ascii: "-") })
      return stride(from: 0, to: 32, by: 2).map { UInt8(String(decoding: digits[$0..<$0 + 2], as: UTF8.self), radix: 16) ?? 0 }.reversed()
    }
    var scene = Scene()
    scene.connect()
    scene.send([0x10, 1, 0, 0xFF, 0xFF, 0x00, 0x28])
    scene.receive([0x11, 20, 0x1F, 0, 0x22, 0] + bytes(service))
    scene.send([0x08, 0x1F, 0, 0x22, 0, 0x03, 0x28])
    scene.receive([0x09, 21, 0x20, 0, 0x1E, 0x21, 0] + bytes(characteristic))
    return scene
  }

  /// A text in a request whose list of attributes the profile needs for parsing, element by element, and words in numbers of a sensor, each of
  /// which is shorter than a text.
  @Test func textsInNumbersGo() throws {
    let name = Array("Petra Schmidt +4917612345678".utf8)
    var request = Self.scene("7905f431-b5ce-4e99-a40f-4b1e122d00d0", "69d1d8f3-45e1-49a8-9821-9bbdfdaad9d9")
    request.send([0x52, 0x21, 0, 0, 0x11, 0x22, 0x33, 0x44] + name)
    var (old, new) = try Self.last(name.count, request)
    #expect(old == name && !zip(old, new).contains { $0 == $1 }, "\(new)")
    // An ordinary request is kept.
    let attributes: [UInt8] = [0, 1, 0x40, 0, 2, 0x40, 0, 3, 0, 1, 4, 5]
    request = Self.scene("7905f431-b5ce-4e99-a40f-4b1e122d00d0", "69d1d8f3-45e1-49a8-9821-9bbdfdaad9d9")
    request.send([0x52, 0x21, 0, 0, 0x11, 0x22, 0x33, 0x44] + attributes)
    (old, new) = try Self.last(attributes.count, request)
    #expect(old == attributes && new == attributes)

    // Numbers of a sensor, and the header and the body of a command.
    for (text, first) in [("Petra\0Schmidt\0\0\0", 0), ("\u{1}\0\0471193\0\0\u{3}\0\0\0\0", 3), ("\u{1}\0Berger\0\0\0\u{3}\0\0\0\0", 2)] {
      let value = Array(text.utf8)
      var sensor = Self.scene("00001204-0000-1000-8000-00805f9b34fb", "00001a01-0000-1000-8000-00805f9b34fb")
      sensor.send([0x0A, 0x21, 0])
      sensor.receive([0x0B] + value)
      (old, new) = try Self.last(value.count, sensor)
      let kept = zip(old, new).dropFirst(first).filter { $0 == $1 && $0 >= 0x30 }
      #expect(old == value && kept.isEmpty, "\(new)")
    }
    for text in ["password: hunter2", "Petra\0Schmidt\0"] {
      let command = Array(text.utf8)
      var drone = Self.scene("9a66fa00-0800-9191-11e4-012d1540cb8e", "9a66fa0a-0800-9191-11e4-012d1540cb8e")
      drone.send([0x52, 0x21, 0] + command)
      (old, new) = try Self.last(command.count, drone)
      #expect(old == command && !zip(old, new).contains { $0 == $1 && $0 != 0 }, "\(new)")
    }
  }

  /// Intervals between heartbeats, and ECG samples, in fields named interval, low and high.
  @Test func beatsAndSamplesGo() throws {
    for (kind, samples) in [(3, [72, 0x2C, 0x03, 30, 0, 1]), (0, [0x10, 0x02, 0x11, 0x33, 0x03, 0xFF])] as [(UInt8, [UInt8])] {
      var scene = Self.scene("fb005c80-02e7-f387-1cad-8acd2d8df0c8", "fb005c82-02e7-f387-1cad-8acd2d8df0c8")
      scene.receive([0x1B, 0x21, 0, kind] + [UInt8](repeating: 0, count: 9) + samples)
      let (old, new) = try Self.last(samples.count, scene)
      #expect(zip(old, new).prefix(3).allSatisfy { $0 != $1 }, "\(old) \(new)")
    }
  }

  /// A watch's tagged values: height, weight and age, which are named by their tags.
  @Test func taggedNumbersOfAWatchGo() throws {
    var scene = Scene()
    scene.connect()
    scene.discover(0xFE02, at: 0x21, service: 0xFE86)
    let values: [UInt8] = [1, 1, 0xB7, 2, 1, 0x52, 3, 1, 0x2B]
    var body: [UInt8] = [0x5A, 0, UInt8(values.count + 3), 0, 7, 9] + values
    var check: UInt16 = 0
    for byte in body {
      check ^= UInt16(byte) << 8
      for _ in 0..<8 { check = check & 0x8000 != 0 ? check << 1 ^ 0x1021 : check << 1 }
    }
    body += [UInt8(check >> 8), UInt8(check & 0xFF)]
    scene.receive([0x1B, 0x21, 0] + body)
    let (old, new) = try Self.last(body.count, scene)
    #expect(Array(old[..<8]) == Array(new[..<8]))
    for at in [8, 11, 14] { #expect(old[at] != new[at] && old[at - 1] == new[at - 1], "\(new)") }
  }

  /// An address in three numbers.
  @Test func anAddressInPartsGoes() throws {
    var scene = Self.scene("9a66fa00-0800-9191-11e4-012d1540cb8e", "9a66fa0b-0800-9191-11e4-012d1540cb8e")
    scene.send([0x52, 0x21, 0, 4, 1, 2, 0x11, 0, 0, 0xB1, 0xA0, 0xD3, 0xC2, 0xF5, 0xE4])
    let (old, new) = try Self.last(12, scene)
    #expect(Array(old[..<6]) == Array(new[..<6]))
    for at in stride(from: 6, to: 12, by: 2) { #expect(old[at..<at + 2] != new[at..<at + 2], "\(new)") }
  }

  /// The end of a sensor's own address in its advertising data, in bytes that its profile hides.
  @Test func anAddressInHiddenBytesGoes() throws {
    var scene = Scene()
    let data: [UInt8] = [12, 0xFF, 0x94, 0x01, 0x01, 0xC3, 0xB2, 0xA1, 0xBE, 0x0F, 0xF1, 0x07, 0xD0]
    scene.event(0x3E, [2, 1, 0, 0] + scene.octets(0xC0FF_EEA1_B2C3) + [UInt8(data.count)] + data + [0xC4])
    let (old, new) = try Self.last(10, scene)
    #expect(old[..<9] != new[..<9] && old[1..<4] != new[1..<4] && old[4...] == new[4...], "\(new)")
  }
}
