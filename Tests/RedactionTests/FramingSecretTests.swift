import CaptureScenes
import Captures
import Profiles
@testable import Redaction
import Testing
@_spi(Pipeline) import Analysis

/// Bytes around messages, checksums over them, and values beside harmless ones.
@Suite struct FramingSecretTests {
  private static let target = CaptureTarget(.btsnoop, linkType: 1002)

  private static func options(keepsValues: Bool = false) throws -> Redaction.Options {
    var options = Redaction.Options()
    options.profiles = try ProfileSet()
    options.keepsValues = keepsValues
    return options
  }

  /// A scooter: the phone writes to handle 0x21, and gets notifications from 0x24.
  private static func scooter() -> Scene {
    var scene = Scene()
    let base: [UInt8] = [0x9E, 0xCA, 0xDC, 0x24, 0x0E, 0xE5, 0xA9, 0xE0, 0x93, 0xF3, 0xA3, 0xB5]
    let data: [UInt8] = [9, 9] + Array("Ninebot1".utf8)
    scene.event(0x3E, [2, 1, 0, 0] + scene.octets(0xc0ff_ee00_0001) + [UInt8(data.count)] + data + [0xC4])
    scene.connect()
    scene.send([0x10, 1, 0, 0xFF, 0xFF, 0x00, 0x28])
    scene.receive([0x11, 20, 0x1F, 0, 0x25, 0] + base + [0x01, 0x00, 0x40, 0x6E])
    scene.send([0x08, 0x1F, 0, 0x25, 0, 0x03, 0x28])
    scene.receive([0x09, 21, 0x20, 0, 0x0C, 0x21, 0] + base + [0x02, 0x00, 0x40, 0x6E])
    scene.send([0x08, 0x22, 0, 0x25, 0, 0x03, 0x28])
    scene.receive([0x09, 21, 0x23, 0, 0x10, 0x24, 0] + base + [0x03, 0x00, 0x40, 0x6E])
    return scene
  }

  /// A frame of the scooter with its checksum.
  private static func frame(_ body: [UInt8], spoiled: Bool = false) -> [UInt8] {
    let sum = body.reduce(UInt16(0)) { $0 &+ UInt16($1) } ^ (spoiled ? 0xFFFE : 0xFFFF)
    return [0x5A, 0xA5] + body + [UInt8(sum & 0xFF), UInt8(sum >> 8)]
  }

  /// Text before and behind a frame is replaced, and the frame still decodes.
  @Test func whatStandsAroundAMessageGoes() throws {
    var scene = Self.scooter()
    let serial = Self.frame([14, 0x20, 0x3E, 4, 0x10] + Array("N2GSD1816C1234".utf8))
    scene.send([0x12, 0x21, 0] + Self.frame([1, 0x3E, 0x20, 1, 0x10, 14]))
    scene.receive([0x1B, 0x24, 0] + Array("owner: HUGO ME\n".utf8) + serial)
    scene.send([0x12, 0x21, 0] + Self.frame([1, 0x3E, 0x20, 1, 0x1B, 2]))
    scene.receive([0x1B, 0x24, 0] + Self.frame([2, 0x20, 0x3E, 4, 0x1B, 0, 0]) + Array("4711".utf8))
    let (original, redacted) = try Redacted.scene(scene, Self.target, options: Self.options())
    for part in ["owner", "HUGO", " ME\n", "4711", "N2GS", "1234"] {
      let isLeft = contains(Array(part.utf8), in: redacted.file.bytes)
      #expect(!isLeft, "\(part)")
    }
    let profiles = try ProfileSet()
    let before = try Shape.of(original.path, profiles: profiles)
    #expect(try before == Shape.of(redacted.file.path, profiles: profiles))
    #expect(before.count { $0.hasPrefix("ninebot") && $0.contains(" ok ") } == 4, "\(before)")
    #expect(redacted.exposures.contains { $0.field.contains("before a message") } && redacted.warnings.isEmpty)
    #expect(try redacted.check(Self.options()).isEmpty)
  }

  /// A text in two fragments, with a checksum over the joined message: the checksum is right again.
  @Test func theChecksumOverFragmentsIsMadeRight() throws {
    var scene = Scene()
    let uuid: [UInt8] = [0x01, 0x54, 0x2E, 0xC7, 0x8A, 0x0E, 0x73, 0x90, 0xE1, 0x11, 0xC2, 0x08, 0x60, 0x27, 0, 0]
    scene.connect()
    scene.send([0x08, 1, 0, 0xFF, 0xFF, 0x03, 0x28])
    scene.receive([0x09, 21, 0x20, 0, 0x0C, 0x21, 0] + uuid)
    let text = Array("Hugo Meier speaks of his holidays".utf8)
    let body = [0x08, 0x03, 0x10, 0x09, 0x2A, UInt8(text.count + 6), 0x08, 0x01, 0x10, 0x01, 0x1A, UInt8(text.count)] + text
    // CRC-16/IBM-3740, low byte first.
    var crc: UInt16 = 0xFFFF
    for byte in body {
      crc ^= UInt16(byte) << 8
      for _ in 0..<8 { crc = crc & 0x8000 == 0 ? crc << 1 : crc << 1 ^ 0x1021 }
    }
    let (first, last) = (body.prefix(20), body.dropFirst(20) + [UInt8(crc & 0xFF), UInt8(crc >> 8)])
    scene.send([0x52, 0x21, 0, 0xAA, 0x21, 7, UInt8(first.count), 2, 1, 0x06, 0x20] + first)
    scene.send([0x52, 0x21, 0, 0xAA, 0x21, 7, UInt8(last.count), 2, 2, 0x06, 0x20] + last)
    let (original, redacted) = try Redacted.scene(scene, Self.target, options: Self.options())
    let isLeft = ["Hugo", "Meier", "holiday"].contains { contains(Array($0.utf8), in: redacted.file.bytes) }
    #expect(!isLeft)
    let profiles = try ProfileSet()
    let before = try Shape.of(original.path, profiles: profiles)
    #expect(try before == Shape.of(redacted.file.path, profiles: profiles))
    #expect(before.contains { $0.hasPrefix("even-g2") && $0.contains(" ok ") }, "\(before)")
    #expect(redacted.warnings.isEmpty)
  }

  /// The PIN that unlocks a scooter is replaced where it is written to a register, as in responses.
  @Test(arguments: [false, true]) func aPINThatIsWrittenGoes(isSpoiled: Bool) throws {
    var scene = Self.scooter()
    let pin = Array("471123".utf8)
    let frame = Self.frame([6, 0x3E, 0x20, 2, 0x17] + pin, spoiled: isSpoiled)
    scene.send([0x12, 0x21, 0] + frame)
    let (original, redacted) = try Redacted.scene(scene, Self.target, options: Self.options())
    let (old, new) = (Array(original.bytes.suffix(8)), Array(redacted.file.bytes.suffix(8)))
    #expect(zip(old, new).prefix(6).allSatisfy { $0 != $1 } || zip(old, new).prefix(6).count { $0 == $1 } <= 1, "\(new)")
    #expect(old.prefix(6) == pin[...] && old.suffix(2) != new.suffix(2))
    #expect(redacted.exposures.contains { $0.field == "ninebot-scooter.pin" })
    let profiles = try ProfileSet()
    #expect(try Shape.of(original.path, profiles: profiles) == Shape.of(redacted.file.path, profiles: profiles))
    // It is replaced even where values are kept.
    let open = try Redacted.scene(scene, Self.target, options: Self.options(keepsValues: true)).1
    #expect(!contains(Array(pin[..<4]), in: open.file.bytes))
  }

  /// Names and serial numbers are replaced even where values are kept, in all PDUs.
  @Test func namesStayClosedWhereValuesAreOpen() throws {
    for (uuid, text) in [(0x2A00, "Zq Hugo 03"), (0x2A25, "SN-471-1-22"), (0x2A8A, "Brunhilde"), (0x2A87, "hugo@example")]
      as [(UInt16, String)]
    {
      let value = Array(text.utf8)
      for (request, answer) in [
        ([0x0A, 0x21, 0], [0x0B] + value), ([0x20, 0x21, 0, 0x22, 0], [0x21, UInt8(value.count), 0] + value + [2, 0, 1, 0]),
        ([0x08, 1, 0, 0xFF, 0xFF, UInt8(uuid & 0xFF), UInt8(uuid >> 8)], [0x09, UInt8(value.count + 2), 0x21, 0] + value),
        ([0x06, 1, 0, 0xFF, 0xFF, UInt8(uuid & 0xFF), UInt8(uuid >> 8)] + value, [0x07, 0x21, 0, 0x21, 0]),
        ([0x16, 0x21, 0, 0, 0] + value, [0x17, 0x21, 0, 0, 0] + value),
      ] as [([UInt8], [UInt8])] {
        var scene = Scene()
        scene.connect()
        scene.discover(uuid, at: 0x21, service: 0x1800)
        scene.send(request)
        scene.receive(answer)
        for hasProfiles in [true, false] {
          var options = try Self.options(keepsValues: true)
          if !hasProfiles { options.profiles = nil }
          let redacted = try Redacted.scene(scene, Self.target, options: options).1
          let isLeft = contains(value, in: redacted.file.bytes) || contains(Array(value.suffix(5)), in: redacted.file.bytes)
          #expect(!isLeft, "\(text) \(answer[0]) \(hasProfiles)")
        }
      }
    }
  }

  /// An address is replaced even if its address type says that it is anonymous.
  @Test func anAddressOfNobodyGoesWhereItIsOne() throws {
    let secret: [UInt8] = [0xA1, 0xB2, 0xC3, 0xD4, 0xE5, 0x46]
    for address in [secret, [UInt8](repeating: 0, count: 6)] {
      var scene = Scene()
      // An extended advertising report.
      scene.event(0x3E, [0x0D, 1, 0, 0, 0xFF] + address + [1, 0, 0xFF, 0x7F, 0xC0, 0, 0, 0] + [UInt8](repeating: 0, count: 6) + [0])
      let (original, redacted) = try Redacted.scene(scene, Self.target)
      let stays = contains([0xFF] + address, in: redacted.file.bytes)
      #expect(stays == (address != secret))
      #expect(try Shape.of(original.path) == Shape.of(redacted.file.path))
      #expect(try redacted.check().isEmpty)
    }
  }

  /// Values that are too short to be a text are listed in the original capture, and not in the redacted one.
  @Test func shortValuesAreListed() throws {
    for value in [[0x00, 0x48], Array("PIN".utf8), Array("471".utf8), Array("123".utf8), [0x64, 0, 0x3C, 0, 0x5F, 0], [0x2B]] as [[UInt8]] {
      var scene = Scene()
      scene.connect()
      scene.discover(0xFFF1, at: 0x21, service: 0xFFF0)
      let plain = try Redacted.scene(scene, Self.target, options: Self.options()).1.exposures.reduce(0) { $0 + $1.count }
      scene.receive([0x1B, 0x21, 0] + value)
      let (_, redacted) = try Redacted.scene(scene, Self.target, options: Self.options())
      #expect(redacted.exposures.reduce(0) { $0 + $1.count } == plain + 1, "\(value)")
      #expect(try redacted.check(Self.options()).isEmpty)
    }
  }

  /// Consecutive small fields are listed together, even if their names differ.
  @Test func fieldsInARowAreListed() throws {
    func kept(_ scene: Scene) throws -> [String] {
      let (original, _) = try Redacted.scene(scene, Self.target)
      var options = try Self.options()
      options.isDetailed = true
      let redaction = Redaction(options)
      let source = try CaptureFile.open(original.path)
      let facts = CaptureFacts(name: "", title: "")
      _ = try redaction.survey(source, facts)
      _ = try redaction.check(source, facts)
      return redaction.kept.map { "\($0.rule) \($0.field): \($0.could)" }
    }
    // Pairs of handles in a Find By Type Value Response.
    var scene = Scene()
    scene.connect()
    scene.send([0x06, 1, 0, 0xFF, 0xFF, 0x00, 0x28, 0x0F, 0x18])
    scene.receive([0x07] + Array("Hello, world".utf8))
    let pairs = try kept(scene)
    #expect(pairs.contains { $0.hasPrefix("parameter att.") && $0.contains("…: an address, text, a key") }, "\(pairs)")
    // An alert of a phone: event, flags, category, count.
    scene = Scene()
    scene.connect()
    scene.discover(0x2A50, at: 0x21, service: 0x180A)
    scene.send([0x0A, 0x21, 0])
    scene.receive([0x0B, 1, 0x4C, 0, 0x34, 0x12, 1, 0])
    let fields = try kept(scene)
    #expect(fields.contains { $0.contains(" …: ") }, "\(fields)")
  }
}
