import CaptureScenes
import Captures
import Profiles
@testable import Redaction
import Testing
@_spi(Pipeline) import Analysis

/// The location of a message in its packets: equal bytes elsewhere do not belong to it.
@Suite struct PlaceSecretTests {
  private static let target = CaptureTarget(.btsnoop, linkType: 1002)

  private static func redacted(_ scene: Scene) throws -> (bytes: [UInt8], before: [String], after: [String], warnings: [String]) {
    var options = Redaction.Options()
    let profiles = try ProfileSet()
    options.profiles = profiles
    let (original, redacted) = try Redacted.scene(scene, target, options: options)
    #expect(try redacted.check(options).isEmpty)
    return (
      redacted.file.bytes, try Shape.of(original.path, profiles: profiles), try Shape.of(redacted.file.path, profiles: profiles),
      redacted.warnings
    )
  }

  /// A camera's responses at handle 0x21; the length of their header depends on the packet.
  private static func camera() -> Scene { ClockSecretTests.device("fea6", "b5f90073-aa8d-11e3-9046-0002a5d5c51b") }

  /// The value of another attribute in the same packet, which ends with the byte that the message begins with.
  @Test(arguments: ["Hildegard M.\r", "4711081542\r"]) func anotherValueIsNoHeader(_ secret: String) throws {
    var scene = Self.camera()
    let secret = Array(secret.utf8)
    scene.receive([0x23, 0x92, 0, UInt8(secret.count), 0] + secret + [0x21, 0, 3, 0, 2, 0x0D, 0])
    scene.receive([0x23, 0x21, 0, 3, 0, 2, 0x0D, 0, 0x92, 0, UInt8(secret.count), 0] + secret)
    let (bytes, before, after, _) = try Self.redacted(scene)
    for start in 0...secret.count - 5 { #expect(!contains(Array(secret[start..<start + 4]), in: bytes), "\(start)") }
    #expect(before == after && before.count { $0.hasPrefix("gopro") } == 2, "\(before)")
    let answer = contains([0x21, 0, 3, 0, 2, 0x0D, 0], in: bytes)
    #expect(answer)
  }

  /// Bytes behind a message that end with the same bytes.
  @Test func whatIsBehindAMessageIsNoHeader() throws {
    var scene = Self.camera()
    let secret = Array("Hildegard".utf8)
    scene.receive([0x1B, 0x21, 0, 2, 0x0D, 0] + secret + [0x0D, 0])
    let (bytes, before, after, _) = try Self.redacted(scene)
    for start in 0...secret.count - 4 { #expect(!contains(Array(secret[start..<start + 4]), in: bytes), "\(start)") }
    #expect(before == after && contains([0x1B, 0x21, 0, 2, 0x0D, 0], in: bytes))
  }

  /// A name that ends with the same bytes as service data remains a name, and the service data are found at their own offset.
  @Test(arguments: [false, true]) func dataOfAServiceAreNoEndOfAName(isBehind: Bool) throws {
    var scene = Scene()
    let (name, data) = ([9, 0x09] + Array("Buds-7KQ".utf8), [6, 0x16, 0x2C, 0xFE] + Array("7KQ".utf8))
    let whole = isBehind ? name + data : data + name
    scene.event(0x3E, [2, 1, 0, 0] + scene.octets(0xc0ff_ee00_0001) + [UInt8(whole.count)] + whole + [0xC4])
    let (bytes, before, after, _) = try Self.redacted(scene)
    #expect(before == after)
    let written = Array(bytes.suffix(whole.count + 1).dropLast())
    let (newName, newData) = isBehind ? (written[2..<10], written[14..<17]) : (written[9..<17], written[4..<7])
    let isText = newName.allSatisfy { $0 == 0x2D || (0x30...0x39).contains($0) || (0x41...0x5A).contains($0) || (0x61...0x7A).contains($0) }
    #expect(isText && !newName.elementsEqual("Buds-7KQ".utf8) && !newData.elementsEqual("7KQ".utf8), "\(written)")
  }

  /// A message in three frames with a checksum each: all checksums are right again, and the frames are joined.
  @Test(arguments: [10, 7]) func framesWithAChecksumEachJoinAgain(_ size: Int) throws {
    var scene = ClockSecretTests.device("fe86", "fe02")
    let text = Array("Hildegard Mueller 4711081542".utf8).prefix(size * 3 - 4)
    let body = [0x02, 0x01, 0x01, UInt8(text.count)] + text
    for (number, part) in [body[..<size], body[size..<2 * size], body[(2 * size)...]].enumerated() {
      let frame = [0x5A, 0, UInt8(part.count + 2), UInt8(number + 1), UInt8(number)] + part
      // CRC-16/XMODEM.
      var crc: UInt16 = 0
      for byte in frame {
        crc ^= UInt16(byte) << 8
        for _ in 0..<8 { crc = crc & 0x8000 == 0 ? crc << 1 : crc << 1 ^ 0x1021 }
      }
      scene.receive([0x1B, 0x21, 0] + frame + [UInt8(crc >> 8), UInt8(crc & 0xFF)])
    }
    let (bytes, before, after, warnings) = try Self.redacted(scene)
    for start in 0...text.count - 5 { #expect(!contains(Array(text[start..<start + 4]), in: bytes), "\(start)") }
    #expect(before == after && before.contains { $0.hasPrefix("huawei") && $0.contains(" ok ") }, "\(before) \(after)")
    #expect(warnings.isEmpty, "\(warnings)")
  }

  /// A profile with two checksums, each for one kind of message.
  @Test func aChecksumThatAMessageDoesNotHave() throws {
    func check(_ bytes: [UInt8]) -> [UInt8] {
      let crc = bytes.reduce(UInt16.max) { state, byte in
        (0..<8).reduce(state ^ UInt16(byte)) { state, _ in state & 1 != 0 ? state >> 1 ^ 0xA001 : state >> 1 }
      }
      return [UInt8(crc & 0xFF), UInt8(crc >> 8)]
    }
    let own = """
      profile: own
      match: {services: [fff0]}
      meta: {endian: be}
      framings:
        frames:
          - check: {algorithm: CRC-16/MODBUS, endian: le, when: "_payload[0] == 1"}
          - check: {algorithm: sum16, over: [2, -2], when: "_payload[0] == 0x2a"}
      characteristics: {data: {uuid: fff1, framing: frames, notify: m}}
      types:
        m: {seq: [{id: kind, type: u1}, {id: name, type: str, size: 8, encoding: ASCII}, {id: check, type: u2le, -hidden: true}]}
      """
    var scene = Scene()
    scene.connect()
    scene.discover(0xFFF1, at: 0x21, service: 0xFFF0)
    let body = [1] + Array("Hildegar".utf8)
    scene.receive([0x1B, 0x21, 0] + body + check(body))
    var options = Redaction.Options()
    let profiles = try ProfileSet(builtin: false, texts: [(own, "own.yaml", .given)])
    options.profiles = profiles
    let (original, redacted) = try Redacted.scene(scene, Self.target, options: options)
    let (before, after) = (try Shape.of(original.path, profiles: profiles), try Shape.of(redacted.file.path, profiles: profiles))
    #expect(
      before == after && before.contains { $0.hasPrefix("own") && $0.contains(" ok ") } && redacted.warnings.isEmpty, "\(before) \(after)")
    let value = Array(redacted.file.bytes.suffix(11))
    #expect(Array(value.suffix(2)) == check(Array(value.prefix(9))) && !contains(Array("Hild".utf8), in: value), "\(value)")
  }
}
