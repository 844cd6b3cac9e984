import Bluetooth
import CaptureScenes
import Captures
import Profiles
@testable import Redaction
import Testing
@_spi(Pipeline) import Analysis

/// Bytes that a profile decodes as numbers, though they may be anything: the profile may not be the device's, or the bytes may be no message.
@Suite struct DoubtfulMessageTests {
  private static let target = CaptureTarget(.btsnoop, linkType: 1002)

  private static func redacted(_ scene: Scene, _ profiles: ProfileSet) throws -> (bytes: [UInt8], before: [String], after: [String]) {
    var options = Redaction.Options()
    options.profiles = profiles
    let (original, redacted) = try Redacted.scene(scene, target, options: options)
    #expect(try redacted.check(options).isEmpty)
    return (
      redacted.file.bytes, try Shape.of(original.path, profiles: profiles), try Shape.of(redacted.file.path, profiles: profiles)
    )
  }

  /// The redacted capture of a notification with a value of a user's profile.
  private static func redacted(_ value: [UInt8], of uuid: UInt16, _ own: String) throws -> [UInt8] {
    var scene = Scene()
    scene.connect()
    scene.discover(uuid, at: 0x21, service: 0xFFF0)
    scene.receive([0x1B, 0x21, 0] + value)
    return try redacted(scene, try ProfileSet(builtin: false, texts: [(own, "own.yaml", .given)])).bytes
  }

  /// Frames that begin and end like those of a battery's profile, which the device's UUID suggests, but with other checksums: the timeline withdraws
  /// the profile, and so must redaction.
  @Test func aProfileThatDoesNotFit() throws {
    var scene = Scene()
    scene.connect()
    scene.discover(0xFFE4, at: 0x21, service: 0xFFE5)
    let secrets = ["Lovelace47", "Ada Byron!", "hunter2-99"]
    for secret in secrets {
      scene.receive([0x1B, 0x21, 0, 0xAA, 0x55, 0x05, 0x0A] + Array(secret.utf8) + [0x11, 0x0D, 0x0A])
    }
    let result = try Self.redacted(scene, try ProfileSet())
    for secret in secrets { #expect(!contains(Array(secret.utf8.prefix(5)), in: result.bytes), "\(secret)") }
    #expect(result.before == result.after)
  }

  /// The same under a profile that fits: the numbers of a message with a wrong checksum may be a text.
  @Test func aMessageWithAWrongSum() throws {
    let own = """
      profile: own
      match: {services: [fff0]}
      meta: {endian: le}
      characteristics: {data: {uuid: fff1, notify: m, framing: [{stream: {start: [0xAA, 0x55], length: 15}}, {check: {algorithm: sum-8, at: 14}}]}}
      types: {m: {seq: [{id: mark, type: u2}, {id: kind, type: u1}, {id: size, type: u1}, {id: a, type: u2}, {id: b, type: u2}, {id: c, type: u2}, {id: d, type: u2}, {id: e, type: u2}, {id: sum, type: u1}]}}
      """
    var scene = Scene()
    scene.connect()
    scene.discover(0xFFF1, at: 0x21, service: 0xFFF0)
    scene.receive([0x1B, 0x21, 0, 0xAA, 0x55, 0x05, 0x0A] + Array("Lovelace47".utf8) + [0x11])
    let result = try Self.redacted(scene, try ProfileSet(builtin: false, texts: [(own, "own.yaml", .given)]))
    #expect(!contains(Array("Lovel".utf8), in: result.bytes) && !contains(Array("ace47".utf8), in: result.bytes))
    #expect(result.before.map { $0.split(separator: " ").prefix(2) } == result.after.map { $0.split(separator: " ").prefix(2) })
  }

  /// A right start and line end around bytes that are not the digits that the profile expects: its numbers cannot be computed, and none of its texts
  /// stay.
  @Test func digitsThatAreNone() throws {
    var scene = Scene()
    let name = Array("SmartBat-A12345".utf8)
    let data = [UInt8(name.count + 1), 0x09] + name
    scene.event(0x3E, [2, 1, 0, 0] + scene.octets(0xC0FF_EE00_0001) + [UInt8(data.count)] + data + [0xC4])
    scene.connect()
    scene.discover(0xFFF4, at: 0x21, service: 0xFFF0)
    let secrets = ["Margaret", "hunter2p"].map { Array($0.utf8) }
    for secret in secrets { scene.receive([0x1B, 0x21, 0, 0x3B, 0x42, 0x54, 0x3C] + secret + [0x1D, 0x1A]) }
    var options = Redaction.Options()
    options.profiles = try ProfileSet()
    let (_, redacted) = try Redacted.scene(scene, Self.target, options: options)
    #expect(secrets.allSatisfy { !contains(Array($0.prefix(5)), in: redacted.file.bytes) })
    // They were no messages before, and are others now.
    #expect(!redacted.warnings.isEmpty)
  }

  /// Bytes behind the last field of a shipped message that only its length shows: it may be another one, of which no number stays. Padding is none.
  @Test func aShippedMessageWithMoreBehindIt() throws {
    let values: [[UInt8]] = [
      [0, 0xFF, 0x71, 0x50], [0, 0xFF, 0x71, 0x51, 0, 0], Array("Petra!22".utf8), [0xA4, 0xC1, 0x38, 0x8F, 0xA6, 0x6A],
    ]
    var scene = Scene()
    let name = Array("PLAYBULB CANDLE".utf8)
    let data = [UInt8(name.count + 1), 0x09] + name
    scene.event(0x3E, [2, 1, 3, 0] + scene.octets(0xC0FF_EE00_0001) + [UInt8(data.count)] + data + [0xC4])
    scene.connect()
    scene.discover(0xFFFC, at: 0x19, service: 0xFF02)
    for value in values { scene.send([0x52, 0x19, 0] + value) }
    let bytes = try Self.redacted(scene, try ProfileSet()).bytes
    #expect(values.map { contains(Array($0.prefix(4)), in: bytes) } == [true, true, false, false])
  }

  /// Digital (2A56) is an array of bits of any length; some vendors put texts there.
  @Test func aTextThatIsARowOfBits() throws {
    var scene = Scene()
    scene.connect()
    scene.discover(0x2A56, at: 0x21, service: 0x1815)
    let secret = Array("Ada Lovelace, +49 1511 2345678, hunter2!".utf8)
    scene.receive([0x1B, 0x21, 0] + secret)
    scene.send([0x12, 0x21, 0] + secret)
    let result = try Self.redacted(scene, try ProfileSet())
    #expect(!contains(Array(secret.prefix(5)), in: result.bytes) && !contains(Array(secret.suffix(5)), in: result.bytes))
    #expect(result.before == result.after)
  }

  /// The same behind a vendor's own byte, and with bytes that are no text; and a list of calls with undefined states.
  @Test func bytesThatAreRowsOfBits() throws {
    let secrets: [[UInt8]] = [
      [0x16] + Array("Ada Lovelace 4711".utf8), [0x49, 0x15, 0x11, 0x23, 0x45, 0x67, 0x89, 0x01], Array("\u{2}Ada\u{3}Byron\u{4}".utf8),
    ]
    for (uuid, service) in [(0x2A56, 0x1815), (0x2BBD, 0x184B)] {
      var scene = Scene()
      scene.connect()
      scene.discover(UInt16(uuid), at: 0x21, service: UInt16(service))
      for secret in secrets {
        scene.receive([0x1B, 0x21, 0] + secret)
        scene.send([0x12, 0x21, 0] + secret)
        scene.receive([0x13])
      }
      let result = try Self.redacted(scene, try ProfileSet())
      for secret in secrets { #expect(!contains(Array(secret.suffix(5)), in: result.bytes), "\(uuid): \(secret)") }
      #expect(result.before.count == result.after.count)
    }
  }

  /// Names of secrets with a number behind them, and common names of checksums.
  @Test func namesWithNumbers() throws {
    let own = """
      profile: own
      match: {services: [fff0]}
      meta: {endian: be}
      characteristics: {data: {uuid: fff1, notify: m}, door: {uuid: fff2, notify: d}}
      types:
        m: {seq: [{id: kind, type: u1}, {id: pin1, type: u1}, {id: pin2, type: u1}, {id: phone1, type: u2}, {id: password1, type: u2}]}
        d: {seq: [{id: kind, type: u1}, {id: name, type: str, size: 4, encoding: ASCII}, {id: sum16, type: u2}, {id: bodycrc, type: u2}]}
      """
    func redacted(_ uuid: UInt16, _ value: [UInt8]) throws -> [UInt8] { try Self.redacted(value, of: uuid, own) }
    let numbers = try redacted(0xFFF1, [0x77, 0x47, 0x11, 0x15, 0x11, 0x98, 0x76])
    let sums = try redacted(0xFFF2, [0x77] + Array("4711".utf8) + [0x12, 0x34, 0x56, 0x78])
    for secret: [UInt8] in [[0x47, 0x11], [0x15, 0x11], [0x98, 0x76]] { #expect(!contains(secret, in: numbers), "\(secret)") }
    for sum: [UInt8] in [[0x12, 0x34], [0x56, 0x78]] { #expect(!contains(sum, in: sums), "\(sum)") }
    #expect(contains([0x1B, 0x21, 0, 0x77], in: numbers) && contains([0x1B, 0x21, 0, 0x77], in: sums))
  }

  /// The punctuation of a password is replaced, and so is a wide number from which a telephone number is computed, even if other fields depend on it.
  @Test func signsAndComputedNumbers() throws {
    let own = """
      profile: own
      match: {services: [fff0]}
      meta: {endian: be}
      characteristics: {data: {uuid: fff1, notify: m}, door: {uuid: fff2, notify: d}}
      types:
        m: {seq: [{id: kind, type: u1}, {id: word, type: str, size: 20, encoding: ASCII, -secret: true}]}
        d: {seq: [{id: raw, type: u4, -hidden: true}, {id: state, type: u1, if: raw != 0}], instances: {phone: {value: raw}}}
      """
    func redacted(_ uuid: UInt16, _ value: [UInt8]) throws -> [UInt8] { try Self.redacted(value, of: uuid, own) }
    let word = try redacted(0xFFF1, [0x77] + Array("t$iJr-#&~2Cn+d39-a#L".utf8))
    #expect(contains([0x1B, 0x21, 0, 0x77], in: word))
    for sign in "$#&~+-".utf8 { #expect(!word.suffix(20).contains(sign)) }
    let number = try redacted(0xFFF2, [0x1D, 0x6F, 0x34, 0x54, 1])
    #expect(!contains([0x1D, 0x6F], in: number) && !contains([0x34, 0x54], in: number))
  }

  /// A profile whose texts decide how the next message is decoded: the redacted capture decodes otherwise, with a warning. Where the profile marks
  /// the text as not personal, as the shipped ones do, it is kept.
  @Test func messagesThatReadOtherwise() throws {
    func own(_ mark: String) -> String {
      """
      profile: own
      match: {services: [fc40]}
      meta: {endian: be}
      characteristics: {data: {uuid: fc41, notify: [{when: "_payload[0] == 0x56", message: version}, {when: "_payload.length == _state.size", message: rows}, rest]}}
      state: {size: 3}
      messages: {version: {set: {size: "text == 'V2' ? 4 : 3"}}}
      types:
        version: {seq: [{id: mark, contents: V}, {id: text, type: str, size: 2, encoding: ASCII\(mark)}]}
        rows: {seq: [{id: a, type: u1}, {id: b, type: u1}, {id: c, type: u1}, {id: d, type: u1}]}
        rest: {seq: [{id: all, size-eos: true}]}
      """
    }
    var scene = Scene()
    scene.connect()
    scene.discover(0xFC41, at: 0x21, service: 0xFC40)
    scene.receive([0x1B, 0x21, 0] + Array("VV2".utf8))
    scene.receive([0x1B, 0x21, 0, 1, 2, 3, 4])
    for (mark, origin, isReported) in [
      ("", ProfileSet.Origin.builtin, true), (", -personal: false", .builtin, false), (", -personal: false", .given, true),
    ] {
      var options = Redaction.Options()
      options.profiles = try ProfileSet(builtin: false, texts: [(own(mark), "own.yaml", origin)])
      let (_, redacted) = try Redacted.scene(scene, Self.target, options: options)
      #expect(
        redacted.warnings.contains { $0.contains("1 of its 2 messages decode differently") } == isReported, "\(mark) \(redacted.warnings)")
    }
  }

  /// Objects of one byte each, and short numbers whose names say what they give access to, in a user's profile.
  @Test func shortNumbersOfAnOwnProfile() throws {
    let own = """
      profile: own
      match: {services: [fff0]}
      meta: {endian: be}
      characteristics: {data: {uuid: fff1, notify: m}, door: {uuid: fff2, notify: d}}
      types:
        m: {seq: [{id: n, type: u1}, {id: items, type: it, repeat: eos}]}
        it: {seq: [{id: letter, type: u1}]}
        d: {seq: [{id: kind, type: u1}, {id: pincode, type: u2}, {id: passwd, type: u2}, {id: birthday, type: u2}]}
      """
    var scene = Scene()
    scene.connect()
    scene.discover(0xFFF1, at: 0x21, service: 0xFFF0)
    scene.discover(0xFFF2, at: 0x31, service: 0xFFF0)
    scene.receive([0x1B, 0x21, 0, 17] + Array("Ada Lovelace 4711".utf8))
    scene.receive([0x1B, 0x31, 0, 1, 0x12, 0x67, 0x93, 0x1C, 0x7A, 0x3E])
    let result = try Self.redacted(scene, try ProfileSet(builtin: false, texts: [(own, "own.yaml", .given)]))
    for secret in [Array("Ada L".utf8), Array("lace ".utf8), [0x12, 0x67], [0x93, 0x1C], [0x7A, 0x3E]] as [[UInt8]] {
      #expect(!contains(secret, in: result.bytes), "\(secret)")
    }
    #expect(result.before == result.after)
  }

  /// Two profiles have one UUID. The messages decide which of them fits, and then all messages are judged by it, including the first ones; the byte
  /// that may precede a message is kept.
  @Test func aProfileThatIsProvedLater() throws {
    var scene = Scene()
    scene.connect()
    scene.send([0x10, 1, 0, 0xFF, 0xFF, 0x00, 0x28])
    let service: [UInt8] = [0xF2, 0xC3, 0xF0, 0xAE, 0xA9, 0xFA, 0x15, 0x8C, 0x9D, 0x49, 0xAE, 0x73, 0x71, 0x0A, 0x81, 0xE7]
    let uuid: [UInt8] = [0x9F, 0x9F, 0x00, 0xC1, 0x58, 0xBD, 0x32, 0xB6, 0x9E, 0x4C, 0x21, 0x9C, 0xC9, 0xD6, 0xF8, 0xBE]
    scene.receive([0x11, 20, 1, 0, 9, 0] + service)
    scene.send([0x08, 1, 0, 9, 0, 0x03, 0x28])
    scene.receive([0x09, 21, 2, 0, 0x1E, 3, 0] + uuid)
    scene.send([0x08, 3, 0, 9, 0, 0x03, 0x28])
    scene.receive([0x01, 0x08, 3, 0, 0x0A])
    scene.send([0x52, 3, 0, 3, 0x55, 0x55, 0xC1, 1, 1, 0xC1, 0xAA, 0xAA])
    scene.receive([0x1B, 3, 0, 0x55, 0x55, 0xC2, 1, 3, 0xC0, 0xAA, 0xAA])
    let serial = Array("G327071185".utf8)
    scene.receive([0x1B, 3, 0, 0x55, 0x55, 0x4B, 0x0A] + serial + [0x3A, 0xAA, 0xAA])
    scene.send([0x52, 3, 0, 0x55, 0x55, 0xDC, 1, 3, 0xDE, 0xAA, 0xAA])
    let result = try Self.redacted(scene, try ProfileSet())
    #expect(!contains(serial, in: result.bytes))
    #expect(contains([3, 0x55, 0x55, 0xC1, 1], in: result.bytes))
    #expect(result.before == result.after && result.before.contains { $0.contains("niimbot") }, "\(result.after)")
  }

  /// A queue of prepared writes to an attribute and to an input report: nothing of the report is left, at any position in the queue.
  @Test func aReportAmongPreparedWrites() throws {
    var scene = Scene()
    scene.connect()
    scene.discover(0xFFF1, at: 0x11, service: 0xFFF0)
    scene.discover(0x2A4D, at: 0x13, service: 0x1812)
    let typed = Array("hellhollow".utf8)
    for (handle, value) in [(0x11, Array("Bertrand".utf8)), (0x13, typed)] as [(UInt8, [UInt8])] {
      scene.send([0x16, handle, 0, 0, 0] + value)
      scene.receive([0x17, handle, 0, 0, 0] + value)
    }
    scene.send([0x18, 1])
    scene.receive([0x19])
    let result = try Self.redacted(scene, try ProfileSet())
    #expect(contains([0x16, 0x13, 0, 0, 0] + [UInt8](repeating: 0, count: typed.count), in: result.bytes))
    #expect(!contains(Array("Bertr".utf8), in: result.bytes) && result.before == result.after)
  }

  /// Messages of shipped profiles without evidence that consist of numbers: a text in their place is replaced, numbers are kept.
  @Test(
    arguments: [
      ("b42e1c08-ade7-11e4-89d3-123b93f75cba", "b42e2a68-ade7-11e4-89d3-123b93f75cba", [1], "Hildegard Mueller79"),
      ("cba20d00-224d-11e6-9fb8-0002a5d5c51b", "cba20003-224d-11e6-9fb8-0002a5d5c51b", [1, 0, 0, 0], "Hildegard-Muell7"),
    ] as [(String, String, [Int], String)]) func aTextInThePlaceOfNumbers(
      _ service: String, _ characteristic: String, _ head: [Int], _ text: String
    ) throws
  {
    var scene = ClockSecretTests.device(service, characteristic)
    scene.receive([0x1B, 0x21, 0] + head.map { UInt8($0) } + Array(text.utf8))
    let (bytes, before, after) = try Self.redacted(scene, try ProfileSet())
    let secret = Array(text.utf8)
    for start in 0...secret.count - 5 { #expect(!contains(Array(secret[start..<start + 5]), in: bytes), "\(start)") }
    #expect(before == after)
    var numbers = ClockSecretTests.device("b42e1c08-ade7-11e4-89d3-123b93f75cba", "b42e2a68-ade7-11e4-89d3-123b93f75cba")
    let value: [UInt8] = [
      0x01, 0x45, 0x0E, 0x00, 0x1E, 0x00, 0x20, 0x00, 0x1A, 0x09, 0x88, 0xC2, 0x32, 0x02, 0x52, 0x00, 0x00, 0x00, 0x14, 0x06,
    ]
    numbers.receive([0x1B, 0x21, 0] + value)
    let stays = contains(Array(value.dropFirst(4).prefix(8)), in: try Self.redacted(numbers, try ProfileSet()).bytes)
    #expect(stays)
  }

  /// A response to another request, with the size of the one that begins a session: the bytes at the offset of the vector are replaced.
  @Test func anAnswerThatIsNoSession() throws {
    var scene = Scene()
    scene.connect()
    let base: [UInt8] = [0x1B, 0xC5, 0xD5, 0xA5, 0x02, 0x00, 0xB8, 0x9F, 0xE6, 0x11, 0x4D, 0x22]
    scene.send([0x10, 1, 0, 0xFF, 0xFF, 0x00, 0x28])
    scene.receive([0x11, 20, 0x1F, 0, 0x2F, 0] + base + [0x00, 0x0D, 0xA2, 0xCB])
    scene.send([0x08, 0x1F, 0, 0x2F, 0, 0x03, 0x28])
    scene.receive([0x09, 21, 0x20, 0, 0x0C, 0x21, 0] + base + [0x02, 0x00, 0xA2, 0xCB])
    scene.send([0x08, 0x22, 0, 0x2F, 0, 0x03, 0x28])
    scene.receive([0x09, 21, 0x23, 0, 0x10, 0x24, 0] + base + [0x03, 0x00, 0xA2, 0xCB])
    let (text, address) = (Array("Hildegard-Muell7".utf8), [0x1C, 0x3A, 0x6F, 0x22, 0xB1, 0x9D] as [UInt8])
    let vector: [UInt8] = [0x12, 0x34, 0x56, 0x78, 0x9A, 0xBC, 0xDE, 0xF0, 0x12, 0x34, 0x56, 0x78, 0x9A, 0xBC, 0xDE, 0xF0]
    for (request, rest) in [
      ([0x57, 0x08, 0x02], text), ([0x57, 0x08, 0x02], address + Array("4711081542".utf8)), ([0x57, 0, 0, 0, 0x0F, 0x21, 3, 1], vector),
      ([0x57, 1, 0x12, 0x34, 0x92, 0x0F, 0x89], []),
    ] as [([UInt8], [UInt8])] {
      scene.send([0x52, 0x21, 0] + request)
      if !rest.isEmpty { scene.receive([0x1B, 0x24, 0, 1, 0, 0, 0] + rest) }
    }
    let (bytes, before, after) = try Self.redacted(scene, try ProfileSet())
    let (hasText, hasAddress, hasVector) = (
      contains(Array(text[..<5]), in: bytes), contains(address, in: bytes), contains(vector, in: bytes)
    )
    #expect(!hasText && !hasAddress && hasVector && before == after, "\(before) \(after)")
  }

  /// Flags, and a replaced byte behind them: with the new byte they must not read as a text, which another redaction would replace.
  @Test func numbersThatBecomeAText() throws {
    var scene = Scene()
    scene.connect()
    func uuid(_ text: String) -> [UInt8] { BluetoothUUID(text)?.octets.reversed() ?? [] }
    scene.send([0x10, 1, 0, 0xFF, 0xFF, 0x00, 0x28])
    scene.receive([0x11, 20, 0x20, 0, 0x30, 0] + uuid("00010000-0000-1000-0000-d8492fffa821"))
    scene.send([0x08, 0x20, 0, 0x30, 0, 0x03, 0x28])
    scene.receive([0x09, 21, 0x20, 0, 0x02, 0x21, 0] + uuid("0001000b-0000-1000-0000-d8492fffa821"))
    for last: UInt8 in [0x11, 0x73, 0xF0] {
      scene.send([0x0A, 0x21, 0])
      scene.receive([0x0B, 0x35, 0x65, 0x4A, 0xD6, last])
    }
    let result = try Self.redacted(scene, try ProfileSet())
    #expect(!contains([0x35, 0x65, 0x4A], in: result.bytes))
  }
}
