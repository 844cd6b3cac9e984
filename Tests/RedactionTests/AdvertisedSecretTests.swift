import Bluetooth
import CaptureScenes
import Captures
import Conversations
import Profiles
@testable import Redaction
import Testing
@_spi(Pipeline) import Analysis

/// Data under unassigned or shared numbers: data with the length of a shipped sensor's message are no message of it for that alone.
@Suite struct AdvertisedSecretTests {
  private static let target = CaptureTarget(.btsnoop, linkType: 1002)
  private static let address: UInt64 = 0xA4C1_38D2_E5F7

  private static func structure(_ type: UInt8, _ data: [UInt8]) -> [UInt8] { [UInt8(data.count + 1), type] + data }

  private static func name(_ text: String) -> [UInt8] { structure(0x09, Array(text.utf8)) }

  /// A legacy advertising report; `kind` is the address type.
  private static func report(_ scene: inout Scene, _ address: UInt64 = AdvertisedSecretTests.address, kind: UInt8 = 0, _ data: [UInt8]) {
    scene.event(0x3E, [2, 1, 3, kind] + scene.octets(address) + [UInt8(data.count)] + data + [0xC4])
  }

  /// A scene, redacted with the shipped profiles: the advertising data of its only report before and after, and the messages.
  private static func redacted(
    _ data: [UInt8], from address: UInt64 = AdvertisedSecretTests.address, before others: [UInt8]? = nil,
    _ change: (inout Redaction.Options) -> Void = { _ in }
  ) throws -> (after: [UInt8], all: [UInt8], names: [String], warnings: [String]) {
    var options = Redaction.Options()
    options.profiles = try ProfileSet()
    change(&options)
    var scene = Scene()
    if let others { report(&scene, address, others) }
    report(&scene, address, data)
    let (original, redacted) = try Redacted.scene(scene, target, options: options)
    #expect(try redacted.check(options).isEmpty)
    #expect(try Shape.of(original.path, profiles: options.profiles) == Shape.of(redacted.file.path, profiles: options.profiles))
    let twice = try Redacted(redacted.file.path, target, "btsnoop", options: options)
    #expect(try twice.check(options).isEmpty)
    let bytes = redacted.file.bytes
    return (Array(bytes.suffix(data.count + 1).dropLast()), bytes, try names(redacted.file.path), redacted.warnings)
  }

  private static let mac = AddressBook.octets(address, true)
  private static let other: [UInt8] = [0xCC, 0x1B, 0xE0, 0x37, 0xDD, 0x02]

  /// Texts, serial numbers and addresses in place of a shipped sensor's message, whose first bytes are numbers.
  @Test(
    arguments: [
      (0xFF, 0xFFFF, Array("Meyer-Wohnzimmer-Lampe-0001".utf8), "Meyer-W"),
      (0xFF, 0xFFFF, Array("SN40931".utf8) + [UInt8](repeating: 0, count: 20), "SN40931"),
      (0xFF, 0xFFFF, other + Array(0x80..<0x95), ""), (0x16, 0x181A, Array("Kitchen-Petra".utf8), "n-Petra"),
      (0x16, 0x181A, [1, 0, 0x10, 0x27, 0x64, 0] + Array("SN40931".utf8), "SN40931"),
      (0x16, 0x181A, [1, 2, 3, 4, 5, 6] + other + [0x10, 0x20, 0x30], ""),
      (0xFF, 0xAA55, [1, 2, 0, 0, 1, 2, 3, 4] + other + [1, 2], ""), (0xFF, 0xAA55, Array("Wohnzimmer Petra".utf8), "er Petr"),
      (0xFF, 0xF214, [1, 2] + other + [1, 2, 3, 4, 5, 6], ""), (0x16, 0xFD50, [0] + Array("keyab1x".utf8) + [9], "keyab1x"),
      (0x16, 0xFD50, [1, 2, 3] + other, ""), (0xFF, 0xACC0, [0x80] + other + [1, 2], ""),
    ] as [(UInt8, UInt16, [UInt8], String)])
  func dataKnownByTheirLength(type: UInt8, number: UInt16, payload: [UInt8], text: String) throws {
    let data = Self.structure(type, [UInt8(number & 0xFF), UInt8(number >> 8)] + payload)
    let result = try Self.redacted(data, from: 0xC655_4433_2211)
    #expect(Array(result.after.prefix(4)) == Array(data.prefix(4)))
    for secret in text.isEmpty ? [Self.other] : [Array(text.utf8)] {
      for start in 0...secret.count - 4 {
        let part = Array(secret[start..<start + 4])
        #expect(contains(part, in: data) && !contains(part, in: result.all), "\(part) of \(secret)")
      }
    }
    let same = zip(data, result.after).dropFirst(4).count { $0 == $1 && $0 != 0 }
    #expect(same <= 2, "\(result.after)")
  }

  /// Conditions of one source compare bytes of its messages only: in messages of another source the same bytes at the same offset are data. Of four
  /// keys all give the same byte with a probability of 2^-32.
  @Test func conditionsOfAnotherSource() throws {
    // The profile of these controllers compares byte 11 of reports with 0x38; here it is in the address of the console.
    let host: [UInt8] = [0x23, 0x38, 0xA9, 0xC3, 0xEC, 0xCE]
    let data = Self.structure(0xFF, [0x53, 5, 1, 0, 3, 0x7E, 5, 0x69, 0x20, 0, 1, 0x81] + host + [0x0F] + [UInt8](repeating: 0, count: 7))
    var bytes = Set<UInt8>()
    for _ in 0..<4 { bytes.insert(try Self.redacted(data).after[15]) }
    #expect(bytes != [0x38])
  }

  /// The device's own address proves a message, and becomes the pseudonym that it has elsewhere. So do a matching name, and named values.
  @Test func messagesThatAreProven() throws {
    let reading: [UInt8] = [0x01, 0x02, 0x28, 0x4F, 0x0B, 0x67, 0x20]
    let atc = try Self.redacted(Self.structure(0x16, [0x1A, 0x18] + Self.mac + reading))
    #expect(Array(atc.after.suffix(7)) == reading, "\(atc.after)")
    // The report has it in reverse byte order.
    let pseudonym = Array(atc.after[4..<10])
    #expect(pseudonym != Self.mac && contains(pseudonym.reversed(), in: atc.all), "\(atc.after)")

    let port: [UInt8] = [0x49, 0xEF, 0x13, 0x88, 0x02, 0xE2, 0x01] + Array("Single Port".utf8) + [UInt8](repeating: 0, count: 9)
    let keg = try Self.redacted(Self.structure(0xFF, [0xFF, 0xFF] + port))
    #expect(Array(keg.after[4..<11]) == Array(port.prefix(7)), "\(keg.after)")
    #expect(!contains(Array("Single".utf8), in: keg.all))

    let packed: [UInt8] = [0x00, 0x03, 0x21, 0x5D, 0x64, 0x00]
    let govee = Self.structure(0xFF, [0x88, 0xEC] + packed)
    let named = try Self.redacted(govee, before: Self.name("GVH5075_4711"))
    #expect(Array(named.after.suffix(6)) == packed, "\(named.after)")
    let nameless = try Self.redacted(govee)
    #expect(Array(nameless.after.suffix(6)) != packed, "\(nameless.after)")
    // They are kept where the user keeps values.
    let kept = try Self.redacted(govee) { $0.keepsValues = true }
    #expect(Array(kept.after.suffix(6)) == packed, "\(kept.after)")
  }

  /// Lengths that lead from object to object to the end prove a message as named values do; a message without evidence gets a warning.
  @Test func messagesKnownByTheirLengths() throws {
    let objects: [UInt8] = [0x23, 0x02, 0xCA, 0x09, 0x03, 0x03, 0xBF, 0x13]
    let bthome = try Self.redacted(Self.structure(0x16, [0x1C, 0x18] + objects))
    let after = Array(bthome.after.suffix(8))
    #expect([0, 1, 4, 5].allSatisfy { after[$0] == objects[$0] } && bthome.warnings.isEmpty, "\(bthome.after) \(bthome.warnings)")
    // The second length leads beyond the end.
    let broken = try Self.redacted(Self.structure(0x16, [0x1C, 0x18] + objects.prefix(4) + [0x04, 0x03, 0xBF, 0x13]))
    #expect(zip(broken.after.suffix(8), objects).count { $0 == $1 } <= 1, "\(broken.after)")

    let plant = try Self.redacted(Self.structure(0x16, [0x50, 0xFD, 0x19, 0x00, 0xE2, 0x1D, 0x10, 0x27, 0x03, 0x40, 0x01]))
    #expect(plant.warnings == ["profile hhcc-plant-sensor: its message was replaced: nothing proves that this data belongs to the profile"])
  }

  /// The device's own address may be followed by a name.
  @Test func textsBehindTheOwnAddress() throws {
    let result = try Self.redacted(Self.structure(0x16, [0x1A, 0x18] + Self.mac + Array("Schmidt".utf8)))
    #expect(!contains(Array("Schm".utf8), in: result.all) && !contains(Array("midt".utf8), in: result.all), "\(result.after)")
  }

  /// The own address over bits of a toothbrush, and an encrypted tag, whose ciphertext does not decide how it is decoded: a check finds nothing.
  @Test(arguments: 0..<24) func bitsAndCiphertext(seed: Int) throws {
    let brush = Self.structure(0xFF, [0xDC, 0x00, 0x03, 0x21] + Self.mac + [0x37, 0x38, 0x04])
    let tag = Self.structure(0xFF, [0x4F, 0x09, 0x01, 0x01] + (0..<16).map { UInt8(truncatingIfNeeded: 0x5D &* ($0 + 3 * seed) ^ 0xA7) })
    for data in [brush, tag] {
      let result = try Self.redacted(data) { $0.seed = "\(seed)" }
      #expect(result.warnings.isEmpty && Array(result.after.prefix(4)) == Array(data.prefix(4)), "\(result.after) \(result.warnings)")
    }
  }

  /// Ciphertext reads as letters by chance, and no text continues in it: headers of letters before it are kept, and there is no warning.
  @Test func ciphertextBehindLetters() throws {
    var options = Redaction.Options()
    options.profiles = try ProfileSet()
    var scene = Scene()
    var state: UInt32 = 7
    for counter in 0..<512 {
      let encrypted = (0..<7).map { _ in
        state = state &* 1_664_525 &+ 1_013_904_223
        return UInt8(truncatingIfNeeded: state >> 24)
      }
      let tag = encrypted.map { $0 ^ 0x5A }.prefix(4)
      let beacon = [0x48, 0x58, 0x59, 0x4F, UInt8(counter & 0xFF)] + encrypted + [0x21, 0x01, 0x00] + tag
      Self.report(&scene, Self.address, Self.structure(0x16, [0x95, 0xFE] + beacon))
    }
    let (_, redacted) = try Redacted.scene(scene, Self.target, options: options)
    #expect(try redacted.check(options).isEmpty)
    #expect(redacted.warnings.isEmpty, "\(redacted.warnings)")
  }

  /// A part of the device's own address is replaced under any company identifier, and so are letters of a text that continues beside the numbers.
  @Test func partsOfTheOwnAddress() throws {
    // Blustream's humidity sensors: nine bytes, most of them numbers.
    for mac in [Self.mac, Self.mac.reversed()] {
      let data = Self.structure(0xFF, [0x94, 0x01] + mac + [1, 2, 3])
      let result = try Self.redacted(data)
      for start in 0...2 { #expect(!contains(Array(mac[start..<start + 4]), in: result.all), "\(result.after)") }
    }
  }

  /// Unassigned company identifiers are replaced, and any that begins the device's own address; others are kept.
  @Test func companyNumbers() throws {
    let charger: UInt64 = 0xF0C7_7F1C_7DA0
    let own = AddressBook.octets(charger, false)
    for bytes in [own + Array("00000".utf8), own.reversed() + [1, 2], Array("Petra Schmidt".utf8), Array("SN40931".utf8)] {
      let result = try Self.redacted(Self.structure(0xFF, bytes), from: charger)
      #expect(Array(result.after[2..<4]) != Array(bytes.prefix(2)), "\(result.after)")
    }
    // Equal identifiers have equal replacements.
    let (first, other) = (
      try Self.redacted(Self.structure(0xFF, [0xA0, 0x7D, 1, 2])), try Self.redacted(Self.structure(0xFF, [0xA0, 0x7D, 3, 4, 5]))
    )
    #expect(first.after[2..<4] == other.after[2..<4] && first.after[2..<4] != [0xA0, 0x7D])
    for known: UInt16 in [0x004C, 0xFFFF, 0xEC88] {
      let result = try Self.redacted(Self.structure(0xFF, [UInt8(known & 0xFF), UInt8(known >> 8), 9, 8, 7, 6, 5]))
      #expect(Array(result.after[2..<4]) == [UInt8(known & 0xFF), UInt8(known >> 8)])
    }
    // An assigned identifier, which is the beginning of the address.
    let apple: UInt64 = 0xC812_3456_004C
    let result = try Self.redacted(Self.structure(0xFF, AddressBook.octets(apple, false) + [0x33]), from: apple)
    #expect(Array(result.after[2..<4]) != [0x4C, 0], "\(result.after)")
    // A sensor that is identified by its name has a measurement in place of the identifier.
    let push = Self.structure(0xFF, [0x04, 0x2F, 0x31, 0x07, 0x01])
    let named = try Self.redacted(Self.name("SensorPush HT.w") + push)
    #expect(Array(named.after.suffix(5)) == Array(push.suffix(5)), "\(named.after)")
  }

  /// An extended report, or a part of one: `kind` has its data status in bits 5 and 6; `target` is the target address.
  private static func extended(
    _ scene: inout Scene, _ address: UInt64, kind: UInt16 = 0, target: UInt64 = 0, _ data: [UInt8]
  ) {
    let head: [UInt8] = [0x0D, 1, UInt8(kind & 0xFF), UInt8(kind >> 8), 1] + scene.octets(address)
    let rest: [UInt8] = [1, 0, 1, 0x7F, 0xC8, 0, 0, target == 0 ? 0 : 1] + scene.octets(target)
    scene.event(0x3E, head + rest + [UInt8(data.count)] + data)
  }

  /// A company identifier that begins the device's own address is replaced, even if the report has other addresses, and in data of several reports
  /// too; so are four bytes of an address in a periodic train whose advertiser is not in the capture.
  @Test func theOwnAddressInOtherReports() throws {
    let clarinox: UInt64 = 0xC812_3456_00B3
    let own = AddressBook.octets(clarinox, false)
    let data = [0x02, 0x01, 0x06] + Self.structure(0xFF, own + [0x33, 0x44])
    var options = Redaction.Options()
    options.profiles = try ProfileSet()
    for choice in 0..<4 {
      var scene = Scene()
      switch choice {
      case 0: Self.extended(&scene, clarinox, data)
      case 1: Self.extended(&scene, clarinox, kind: 4, target: 0xC655_4433_2211, data)
      case 2:
        Self.extended(&scene, clarinox, kind: 0x20, Array(data.prefix(6)))
        Self.extended(&scene, clarinox, Array(data.dropFirst(6)))
      default:
        Self.extended(&scene, clarinox, [0x02, 0x01, 0x06])
        let humidity = Self.structure(0xFF, [0x94, 0x01] + own + [1, 2, 3])
        for data in [data, humidity] { scene.event(0x3E, [0x0F, 0x10, 0, 127, 0xC4, 0xFF, 0, UInt8(data.count)] + data) }
      }
      let (_, redacted) = try Redacted.scene(scene, Self.target, options: options)
      #expect(try redacted.check(options).isEmpty)
      for part in [[0xFF] + own.prefix(2), Array(own.prefix(4)), Array(own.suffix(4))] {
        #expect(!contains(part, in: redacted.file.bytes), "\(choice): \(part)")
      }
    }
  }

  /// A message that the own address proves may contain another one: four bytes of any address of the capture are replaced.
  @Test func addressesOfOthers() throws {
    let other: UInt64 = 0xC4E1_9A07_B3D2
    for index in 0..<2 {
      let octets = AddressBook.octets(other, index == 0)
      var scene = Scene()
      Self.report(&scene, other, kind: 1, [0x02, 0x01, 0x06])
      Self.report(&scene, Self.address, Self.structure(0x16, [0x1A, 0x18] + Self.mac + [0x01] + octets))
      var options = Redaction.Options()
      options.profiles = try ProfileSet()
      let (_, redacted) = try Redacted.scene(scene, Self.target, options: options)
      #expect(try redacted.check(options).isEmpty)
      for start in 0...2 { #expect(!contains(Array(octets[start..<start + 4]), in: redacted.file.bytes)) }
    }
  }

  /// Of two reports in one event with the same data, only that of the device with the matching name is a message of the profile.
  @Test(arguments: [false, true]) func reportsOfSeveralDevices(isOtherFirst: Bool) throws {
    let packed: [UInt8] = [0x00, 0x03, 0x21, 0x5D, 0x64, 0x00]
    let govee = Self.structure(0xFF, [0x88, 0xEC] + packed)
    var options = Redaction.Options()
    options.profiles = try ProfileSet()
    var scene = Scene()
    let (named, nameless) = (Self.name("GVH5075_4711") + govee, govee)
    func report(_ address: UInt64, _ data: [UInt8]) -> [UInt8] { [3, 0] + scene.octets(address) + [UInt8(data.count)] + data + [0xC4] }
    let reports = [report(Self.address, named), report(0x0012_3456_789A, nameless)]
    scene.event(0x3E, [2, 2] + (isOtherFirst ? reports.reversed() : reports).flatMap { $0 })
    let (_, redacted) = try Redacted.scene(scene, Self.target, options: options)
    #expect(try redacted.check(options).isEmpty)
    let bytes = redacted.file.bytes
    let event = Array(bytes.suffix(4 + named.count + nameless.count + 20))
    // The data of the other device are replaced.
    let last = Array(event.suffix(1 + packed.count).prefix(packed.count))
    #expect((last == packed) == isOtherFirst, "\(event)")
    #expect(contains(packed, in: event))
  }

  /// Bytes that are no structures, as they claim more bytes than there are, are replaced; structures before them are kept.
  @Test(
    arguments: [
      ([0x01, 0x00, 0x20, 0xEE, 0xDD, 0xCC], 0), ([0xF7, 0xE5, 0xD2, 0x38, 0xC1, 0xA4], 0), ([0x02, 0x03, 0xA4, 0xC1, 0x38, 0xD2], 2),
      ([0x02, 0x01, 0x06, 0x01, 0xF0, 0x09, 0xC1], 3), ([0x02, 0x01, 0x06, 0x06, 0xFF, 0x38, 0xD2], 3), ([0x30, 0x31], 0),
      ([0x02, 0x01, 0x06, 0x41, 0x30] + Array("Petra".utf8), 3), ([0x02, 0x01, 0x06, 0x10, 0x16, 0xC1, 0xA4, 0x38], 3),
    ] as [([UInt8], Int)])
  func bytesThatAreNoStructures(data: [UInt8], kept: Int) throws {
    let result = try Self.redacted(data)
    #expect(Array(result.after.prefix(kept)) == Array(data.prefix(kept)))
    #expect(zip(data, result.after).dropFirst(kept).count { $0 == $1 } <= 1, "\(result.after)")
  }

  /// A name that claims more bytes than there are is one, and so is a structure behind others that claims a byte or two too many: length and type are
  /// kept, and the contents are replaced by others of the same kind.
  @Test(arguments: [1, 2, 20])
  func structuresThatMiscount(more: Int) throws {
    let text = Array("GVH5075_4711".utf8)
    let name = [UInt8(text.count + 1 + more), 0x09] + text
    let govee = Self.structure(0xFF, [0x88, 0xEC, 0x00, 0x03, 0x21, 0x5D, 0x64, 0x00])
    for data in [name, [0x02, 0x01, 0x06] + name, govee + name] {
      let result = try Self.redacted(data)
      let kept = data.count - 8
      #expect(Array(result.after.prefix(kept)) == Array(data.prefix(kept)), "\(result.after)")
      #expect(result.after.suffix(4).allSatisfy { (0x30...0x39).contains($0) } && Array(result.after.suffix(4)) != Array("4711".utf8))
      #expect(result.names.count == 1 && result.names.allSatisfy { $0.hasPrefix("GVH5") }, "\(result.names)")
    }
    guard more <= 2 else { return }
    let other: [UInt8] = [0x02, 0x01, 0x06, UInt8(10 + more), 0xFF, 0x4C, 0x00, 0xA4, 0xC1, 0x38, 0xD2, 0x11, 0x12, 0x13]
    let result = try Self.redacted(other)
    #expect(Array(result.after.prefix(7)) == Array(other.prefix(7)), "\(result.after)")
    #expect(zip(other, result.after).dropFirst(7).count { $0 == $1 } <= 1, "\(result.after)")
  }

  /// The replacement of bytes in place of structures does not begin with length and type of a structure.
  @Test func typesThatComeByChance() throws {
    let bytes: [UInt8] = [0x1F, 0xC0, 0x38, 0xD2, 0xA4, 0xC1, 0x07]
    for number in 0..<64 {
      var options = Redaction.Options()
      options.seed = "\(number)"
      let new = Redaction(options).replacement(.raw, bytes)
      #expect(new.count == bytes.count && new[0] >= 0x61 && AdvertisingData.Kind(rawValue: new[1]).name == nil, "\(new)")
    }
  }

  /// The names of the devices of a capture.
  private static func names(_ path: String) throws -> [String] {
    let source = try CaptureFile.open(path)
    let outcome = try Timeline(source, options: Timeline.Options()).run(CaptureFacts(name: path, title: source.title), to: Shape())
    return outcome.tables.peers.filter { !$0.name.isEmpty }.map { String(decoding: $0.name, as: UTF8.self) }
  }

  /// A structure that continues in the next command is one, and so is one that the controller truncated.
  @Test func structuresThatEndElsewhere() throws {
    var scene = Scene()
    let part: [UInt8] = [0x02, 0x01, 0x06, 0x0A, 0xFF, 0x4C, 0x00, 1, 2]
    // LE Set Extended Advertising Data: the first fragment, and the last.
    scene.command(0x2037, [0, 1, 1, UInt8(part.count)] + part)
    scene.command(0x2037, [0, 2, 1, 5, 3, 4, 5, 6, 7])
    scene.event(
      0x3E,
      [0x0D, 1, 0x40, 0, 1] + scene.octets(0xC655_4433_2211) + [1, 0, 0, 0x7F, 0xC8, 0, 0, 0] + [UInt8](repeating: 0, count: 6)
        + [UInt8(part.count)] + part)
    let (original, redacted) = try Redacted.scene(scene, Self.target)
    #expect(try redacted.check().isEmpty)
    #expect(try Shape.of(original.path) == Shape.of(redacted.file.path))
    let bytes = redacted.file.bytes
    let first = bytes.indices.first { bytes[$0...].starts(with: part.prefix(7)) }
    let last = bytes.indices.last { bytes[$0...].starts(with: part.prefix(7)) }
    #expect(first != nil && first != last)
  }

  /// A structure that continues in the next report is one.
  @Test func structuresInParts() throws {
    var scene = Scene()
    let parts: [[UInt8]] = [[0x02, 0x01, 0x06, 0x0A, 0xFF, 0x4C], [0x00, 1, 2, 3, 4, 5, 6, 7]]
    for (index, part) in parts.enumerated() {
      scene.event(
        0x3E,
        [0x0D, 1, index == 0 ? 0x20 : 0, 0, 1] + scene.octets(0xC655_4433_2211) + [1, 0, 0, 0x7F, 0xC8, 0, 0, 0]
          + [UInt8](repeating: 0, count: 6)
          + [UInt8(part.count)] + part)
    }
    let (original, redacted) = try Redacted.scene(scene, Self.target)
    #expect(try redacted.check().isEmpty)
    #expect(try Shape.of(original.path) == Shape.of(redacted.file.path))
    #expect(contains([0x02, 0x01, 0x06, 0x0A, 0xFF], in: redacted.file.bytes))
  }

  /// A URI that claims more bytes than there are is replaced as a whole: what replaces the scheme may be a character of another size.
  @Test(arguments: [1, 2], [[0xD3, 0xA5, 0x11, 0xEB, 0x3F, 0x38], Array("\u{17}//ada".utf8), Array("张伟张伟".utf8)] as [[UInt8]])
  func schemesOfAnotherSize(more: Int, uri: [UInt8]) throws {
    for number in 0..<8 {
      var scene = Scene()
      Self.report(&scene, Self.address, [0x02, 0x01, 0x06, UInt8(uri.count + 1 + more), 0x24] + uri)
      let (_, redacted) = try Redacted.scene(scene, Self.target, seed: "\(number)")
      #expect(try redacted.check().isEmpty)
      let after = Array(redacted.file.bytes.suffix(uri.count + 1).dropLast())
      // Letters become letters of as many bytes, which may begin alike.
      for start in 0...uri.count - 4 { #expect(!contains(Array(uri[start..<start + 4]), in: after), "\(after)") }
    }
  }

  /// Data in two reports of which no more come: a structure that claims more bytes than there are is none, as in one report.
  @Test(arguments: [1, 2, 3, 20])
  func structuresInPartsThatMiscount(more: Int) throws {
    let contents: [(type: UInt8, data: [UInt8])] = [
      (0x2D, Array("Petra Schmidt".utf8)), (0x2D, [UInt8](1...15)), (0x12, Array("Müllerin".utf8)), (0x19, Array("PetraS".utf8)),
    ]
    for (type, secret) in contents {
      let data = [0x02, 0x01, 0x06, UInt8(secret.count + 1 + more), type] + secret
      for index in 4..<data.count - 1 {
        var scene = Scene()
        Self.extended(&scene, 0xC655_4433_2211, kind: 0x20, Array(data[..<index]))
        Self.extended(&scene, 0xC655_4433_2211, Array(data[index...]))
        let (_, redacted) = try Redacted.scene(scene, Self.target)
        #expect(try redacted.check().isEmpty, "\(type) \(index)")
        let bytes = redacted.file.bytes
        let rest = Array(bytes.suffix(data.count - index))
        #expect(zip(data[index...].suffix(secret.count), rest.suffix(secret.count)).count { $0 == $1 } <= 3, "\(type) \(index) \(rest)")
        for start in 0...secret.count - 4 { #expect(!contains(Array(secret[start..<start + 4]), in: bytes), "\(type) \(index)") }
      }
    }
  }
}
