import CaptureScenes
import Captures
import PacketCodecs
@testable @_spi(Pipeline) import Profiles
@testable import Redaction
import TestSupport
import Testing
@_spi(Pipeline) import Analysis

/// Messages that are encoded in transit (hexadecimal digits, escapes, COBS, XOR): they decode as before after redaction.
@Suite struct DecodedMessageTests {
  private static let target = CaptureTarget(.btsnoop, linkType: 1002)

  private static func bytes(_ uuid: String) -> [UInt8] {
    let digits = uuid.utf8.filter { $0 != 0x2D }
    return stride(from: 0, to: digits.count, by: 2).map { UInt8(String(decoding: digits[$0..<$0 + 2], as: UTF8.self), radix: 16) ?? 0 }
      .reversed()
  }

  /// A device with a name and a service, whose characteristics have the handles 0x22, 0x25 and so on.
  private static func device(_ name: String, _ service: String, _ characteristics: [String]) -> Scene {
    var scene = Scene()
    let data = [UInt8(name.utf8.count + 1), 9] + Array(name.utf8)
    scene.event(0x3E, [2, 1, 0, 0] + scene.octets(0xc0ff_ee00_0001) + [UInt8(data.count)] + data + [0xC4])
    scene.connect()
    let service = bytes(service)
    let last = UInt8(0x20 + 3 * characteristics.count)
    scene.send([0x10, 1, 0, 0xFF, 0xFF, 0x00, 0x28])
    scene.receive([0x11, UInt8(service.count + 4), 0x20, 0, last, 0] + service)
    for (number, characteristic) in characteristics.map(bytes).enumerated() {
      let handle = UInt8(0x21 + 3 * number)
      scene.send([0x08, handle, 0, last, 0, 0x03, 0x28])
      scene.receive([0x09, UInt8(characteristic.count + 5), handle, 0, 0x3E, handle + 1, 0] + characteristic)
    }
    return scene
  }

  /// Several values of one attribute in a PDU, equal and different ones: each message is found in its own value.
  @Test func equalValuesOfOnePDU() throws {
    var scene = Self.device("Belt", "180d", ["2a37"])
    for number in 0..<40 {
      let count = 2 + number % 9
      let values = (0..<count).map { [0x10, UInt8(60 + number * $0 % 5), UInt8(32 + number % 2 * $0), 3] as [UInt8] }
      scene.receive([0x23] + values.flatMap { [0x22, 0, 4, 0] + $0 })
    }
    let (shape, _) = try Self.redacted(scene, try ProfileSet(), "heart rates")
    #expect(shape.count > 200)
  }

  private static func carry(_ packet: [UInt8], _ isWrite: Bool, of number: Int, _ scene: inout Scene) {
    let handle = UInt8(0x22 + 3 * number)
    if isWrite { scene.send([0x52, handle, 0] + packet) } else { scene.receive([0x1B, handle, 0] + packet) }
  }

  /// A scene, redacted twice: its packets decode as before, and a check finds nothing.
  private static func redacted(_ scene: Scene, _ profiles: ProfileSet, _ name: String) throws -> (shape: [String], bytes: [UInt8]) {
    var options = Redaction.Options()
    options.profiles = profiles
    let (original, once) = try Redacted.scene(scene, target, options: options)
    let again = try Redacted(once.file.path, target, "btsnoop", options: options, seed: "another")
    let before = try Shape.of(original.path, profiles: profiles)
    for redacted in [once, again] {
      let after = try Shape.of(redacted.file.path, profiles: profiles)
      #expect(before.count == after.count, "\(name)")
      if let (own, other) = zip(before, after).first(where: { $0 != $1 }) { Issue.record("\(name)\n\(own)\n\(other)") }
      #expect(redacted.warnings.isEmpty, "\(name): \(redacted.warnings)")
      let left = try redacted.check(options)
      #expect(left.isEmpty, "\(name): \(left)")
    }
    return (before, once.file.bytes)
  }

  // MARK: btscribe's own profiles

  struct Device: CustomStringConvertible {
    var profile: String
    var name = "Device"
    var service: String
    /// The names of its characteristics in the profile.
    var sources: [String]
    /// Number of tests at the end of the profile whose bytes are no messages.
    var broken = 0

    var description: String { profile }
  }
  static let devices = [
    Device(profile: "sphero", service: "00010001-574f-4f20-5370-6865726f2121", sources: ["api"]),
    Device(profile: "garmin-gfdi", service: "6a4e2800-667b-11e3-949a-0800200c9a66", sources: ["to-watch", "from-watch"]),
    Device(profile: "ag-battery", name: "AG777L7", service: "00008000-0000-1000-8000-57616c6b697a", sources: ["request", "answer"]),
    Device(profile: "creabest-battery", name: "VB777777777", service: "fff0", sources: ["request", "answer"], broken: 2),
    Device(profile: "offgridtec-battery", name: "SmartBat-A12345", service: "fff0", sources: ["request", "answer"], broken: 2),
    Device(
      profile: "concept2-pm5", name: "PM5 430000000", service: "ce060020-43e5-11e4-916c-0800200c9a66",
      sources: ["csafe-command", "csafe-answer"]
    ),
    Device(profile: "ecoflow", name: "EF-DELTA", service: "0001", sources: ["command", "answer"]),
    Device(
      profile: "casio-watch", name: "CASIO GW", service: "26eb000d-b012-49a8-b1f8-394fb2032b0f",
      sources: ["convoy", "notification", "data-request"]),
  ]

  /// The messages of the profiles' own tests.
  @Test(arguments: devices) func messagesOfProfilesJoinAgain(_ device: Device) throws {
    let profiles = try ProfileSet()
    let number = try #require(profiles.summaries.firstIndex { $0.id == device.profile })
    let profile = try profiles.profile(number)
    let sources = try device.sources.map { name in try #require(profile.sources.first { $0.id == name }) }
    var scene = Self.device(device.name, device.service, sources.map { "\($0.uuids[0])" })
    let tests = try profiles.definition(number).tests
    for test in tests.dropLast(device.broken) {
      for step in test.steps where !step.isPayload {
        guard let index = device.sources.firstIndex(of: step.source), let source = profile.source(step.source) else { continue }
        let direction = try #require(step.direction ?? profile.usualDirection(source))
        for packet in step.packets { Self.carry(packet, direction == .write, of: index, &scene) }
      }
    }
    let (shape, _) = try Self.redacted(scene, profiles, device.profile)
    #expect(shape.count { $0.hasPrefix(device.profile) && !$0.contains("bad") } >= 2, "\(shape)")
  }

  // MARK: Every form

  struct Form: CustomStringConvertible {
    var description: String
    var escape: ByteEscape
    /// The marks around a frame of a stream; without them each packet is a frame.
    var marks: (start: [UInt8], end: [UInt8])?

    /// The layers of a profile with this form, and a checksum below it.
    var layers: String {
      func list(_ bytes: [UInt8]) -> String { "[\(bytes.map(String.init).joined(separator: ", "))]" }
      var layers: [String] = []
      if let marks {
        layers.append("stream: {\(marks.start.isEmpty ? "" : "start: \(list(marks.start)), ")end: \(list(marks.end)), padding: 0}")
        layers.append("slice: [\(marks.start.count), -\(marks.end.count)]")
      }
      return (layers + ["unescape: \(description)", "check: {algorithm: CRC-16/XMODEM}", "slice: [0, -2]"])
        .map { "      - \($0)" }.joined(separator: "\n")
    }

    func frame(_ body: [UInt8]) -> [UInt8] {
      var coded: [UInt8] = []
      escape.encode((body + DecodedMessageTests.check(body)).span.bytes, into: &coded)
      return (marks?.start ?? []) + coded + (marks?.end ?? [])
    }
  }
  static let forms = [
    Form(description: "cobs", escape: .cobs, marks: ([], [0])),
    Form(description: "slip", escape: .slip, marks: ([0xC0], [0xC0])),
    Form(description: "hdlc", escape: .hdlc(), marks: ([0x7E], [0x7E])),
    Form(description: "{dle: 0x10}", escape: .doubled(0x10)),
    Form(description: "{escape: 0x7d, xor: 0x20, bytes: [0x11, 0x13]}", escape: .xored(escape: 0x7D, mask: 0x20, bytes: [0x11, 0x13])),
    Form(
      description: "{escape: 0x9b, map: {0x01: 0x8d, 0x02: 0x9b}}",
      escape: .mapped(escape: 0x9B, [.init(code: 1, byte: 0x8D), .init(code: 2, byte: 0x9B)]), marks: ([0x8D], [0x0D, 0x8D])),
    Form(description: "hex", escape: .asciiHex(), marks: ([0x7E], [0x0D])),
    Form(description: "{hex: lower}", escape: .asciiHex(upperCase: false)),
    Form(description: "{xor: 0x5a}", escape: .scrambled(key: [0x5A])),
  ]

  /// CRC-16/XMODEM.
  static func check(_ bytes: [UInt8]) -> [UInt8] {
    let crc = bytes.reduce(UInt16(0)) { state, byte in
      (0..<8).reduce(state ^ UInt16(byte) << 8) { state, _ in state & 0x8000 != 0 ? state << 1 ^ 0x1021 : state << 1 }
    }
    return [UInt8(crc >> 8), UInt8(crc & 0xFF)]
  }

  /// Secrets in all fields of a message, with escaped bytes among them, in frames of several packets.
  @Test(arguments: forms) func nothingIsLeftInAnyForm(_ form: Form) throws {
    let own = """
      profile: own
      match: {services: [fff0]}
      meta: {endian: be}
      framings:
        frames:
      \(form.layers)
      characteristics: {data: {uuid: fff1, framing: frames, notify: m}}
      types:
        m: {seq: [{id: voltage, type: u2, -unit: V}, {id: name, type: str, size: 10, encoding: ASCII}, {id: key, size: 20}, {id: serial, type: u4}]}
      """
    let profiles = try ProfileSet(builtin: false, texts: [(own, "own.yaml", .given)])
    var random = SplitMix(state: testSeed)
    let special = (0...UInt8.max).filter(form.escape.escapes)
    var scene = Self.device("Device", "fff0", ["fff1"])
    var secrets: [[UInt8]] = []
    for number in 0..<60 {
      let name = (0..<10).map { _ in UInt8.random(in: 0x61...0x7A, using: &random) }
      var key = (0..<20).map { _ in UInt8.random(in: 1...255, using: &random) }
      // Up to six escaped bytes.
      for _ in 0..<number % 7 where !special.isEmpty {
        key[.random(in: 0..<20, using: &random)] = special.randomElement(using: &random) ?? 0
      }
      let serial = (0..<4).map { _ in UInt8.random(in: 1...255, using: &random) }
      secrets += [name, key]
      let frame = form.frame([0x0C, UInt8(number)] + name + key + serial)
      let size = form.marks == nil ? frame.count : 17
      for start in stride(from: 0, to: frame.count, by: size) {
        Self.carry(Array(frame[start..<min(start + size, frame.count)]), false, of: 0, &scene)
      }
    }
    let (shape, bytes) = try Self.redacted(scene, profiles, form.description)
    #expect(shape.count { $0.hasPrefix("own m ") && $0.contains(" true ok 36 ") } == 60, "\(shape.filter { $0.hasPrefix("own") })")
    for (number, secret) in secrets.enumerated() {
      for start in 0...secret.count - 6 {
        let part = Array(secret[start..<start + 6])
        var coded: [UInt8] = []
        form.escape.encode(part.span.bytes, into: &coded)
        let found = traces(of: part, in: bytes) + traces(of: coded, in: bytes)
        #expect(found.isEmpty, "\(form) \(number): \(found)")
      }
    }
  }

  /// Ciphertext is replaced without decryption: fixed numbers before it are kept, and the message is still recognised as encrypted.
  @Test func anEncryptedMessageStaysOne() throws {
    let sealed: [UInt8] = [0x9E, 0x40, 0xE1, 0xEA, 0x15, 0xF6, 0x50, 0x80, 0x8C, 0x45, 0x19, 0xD5, 0x2A, 0xBB, 0x29, 0xB8]
    let vector: [UInt8] = [0x31, 0x41, 0x59, 0x26, 0x53, 0x58, 0x97, 0x93, 0x23, 0x84, 0x62, 0x64, 0x33, 0x83, 0x27, 0x95]
    let frame = [0x5A, 0, 0x2A, 0, 0x7F, 0x7F, 0x7C, 1, 1, 0x7D, 0x10] + vector + [0x7E, 0x10] + sealed
    var scene = Self.device("HUAWEI BAND 7", "fe86", ["fe02"])
    Self.carry(frame + Self.check(frame), false, of: 0, &scene)
    let (shape, bytes) = try Self.redacted(scene, try ProfileSet(), "huawei")
    #expect(shape.contains { $0.hasPrefix("huawei sealed ") && $0.contains(" true ok ") }, "\(shape.suffix(4))")
    for secret in [sealed, vector] { #expect(traces(of: Array(secret.prefix(6)), in: bytes).isEmpty) }
  }

  /// Two frames in each packet: the second keeps its marks, though the redaction of the first overwrites the bytes behind it.
  @Test(arguments: forms.filter { $0.marks != nil && $0.description != "cobs" }) func framesInOnePacket(_ form: Form) throws {
    let own = """
      profile: own
      match: {services: [fff0]}
      meta: {endian: be}
      framings:
        frames:
      \(form.layers)
      characteristics: {data: {uuid: fff1, framing: frames, notify: m}}
      types:
        m: {seq: [{id: voltage, type: u2, -unit: V}, {id: serial, size: 6}]}
      """
    let profiles = try ProfileSet(builtin: false, texts: [(own, "own.yaml", .given)])
    var scene = Self.device("Device", "fff0", ["fff1"])
    for number in 0..<10 as Range<UInt8> {
      let frames = (0..<2 as Range<UInt8>).map { form.frame([0x0C, 2 * number + $0, 0x5A, 0x6F, 0x65, 0x31, number, 0x35]) }
      Self.carry(frames[0] + frames[1], false, of: 0, &scene)
    }
    let (shape, bytes) = try Self.redacted(scene, profiles, form.description)
    #expect(shape.count { $0.hasPrefix("own m ") && $0.contains(" true ok 8 ") } == 20, "\(shape.filter { $0.hasPrefix("own") })")
    #expect(traces(of: [0x5A, 0x6F, 0x65, 0x31], in: bytes).isEmpty)
  }

  // MARK: Long messages, and what is none

  /// CRC-16/ARC.
  private static func arc(_ bytes: [UInt8]) -> [UInt8] {
    let crc = bytes.reduce(UInt16(0)) { state, byte in
      (0..<8).reduce(state ^ UInt16(byte)) { state, _ in state & 1 != 0 ? state >> 1 ^ 0xA001 : state >> 1 }
    }
    return [UInt8(crc & 0xFF), UInt8(crc >> 8)]
  }

  /// In COBS a message of more than 254 bytes gets longer with fewer zeros: without zeros, with some, and with as many as in a list.
  @Test func longMessagesInCOBS() throws {
    var scene = Self.device("Device", "6a4e2800-667b-11e3-949a-0800200c9a66", ["6a4e2820-667b-11e3-949a-0800200c9a66"])
    var random = SplitMix(state: testSeed)
    let contents: [[UInt8]] = [
      (0..<700).map { _ in UInt8.random(in: 1...255, using: &random) },
      (0..<900).map { _ in UInt8.random(in: 0...255, using: &random) },
      (0..<600).map { $0 % 4 == 0 ? UInt8.random(in: 1...255, using: &random) : 0 },
      (0..<40).flatMap { _ in Array("Hildegard Muell".utf8) },
    ]
    for content in contents {
      let count = UInt16(content.count + 6)
      var body = [UInt8(count & 0xFF), UInt8(count >> 8), 0xA0, 0x13] + content
      body += Self.arc(body)
      var frame: [UInt8] = [0]
      ByteEscape.cobs.encode(body.span.bytes, into: &frame)
      frame.append(0)
      for start in stride(from: 0, to: frame.count, by: 20) {
        Self.carry(Array(frame[start..<min(start + 20, frame.count)]), true, of: 0, &scene)
      }
    }
    let (shape, bytes) = try Self.redacted(scene, try ProfileSet(), "garmin-gfdi")
    #expect(shape.count { $0.hasPrefix("garmin-gfdi message ") && $0.contains(" true ok ") } == contents.count, "\(shape)")
    #expect(!contains(Array("Hild".utf8), in: bytes) && !contains(Array("Muel".utf8), in: bytes))
    for content in contents.prefix(2) {
      for start in stride(from: 0, to: content.count - 6, by: 3) { #expect(!contains(Array(content[start..<start + 6]), in: bytes)) }
    }
  }

  /// A text in place of encoded numbers is replaced, entirely and in part.
  @Test func whatReadsAsTextIsNoNumber() throws {
    let own = """
      profile: own
      match: {services: [fff0]}
      meta: {endian: be}
      characteristics: {data: {uuid: fff1, framing: [{unescape: {xor: 0x15}}], notify: m}, digits: {uuid: fff2, framing: [{unescape: hex}], notify: m}}
      types:
        m: {seq: [{id: voltages, type: u2, -unit: V, repeat: eos}]}
      """
    var scene = Self.device("Device", "fff0", ["fff1", "fff2"])
    let parts: [[UInt8]] = [
      Array("Hildegard Mueller ".utf8), [1, 2, 3, 4, 0xFE, 0xDC, 0xBA, 0x98, 0xF1] + Array("Hubert1".utf8) + [0x80, 0x81, 0x82, 0x83],
    ]
    for part in parts { Self.carry(part, false, of: 0, &scene) }
    Self.carry(Array("491701234567".utf8), false, of: 1, &scene)
    var options = Redaction.Options()
    options.profiles = try ProfileSet(builtin: false, texts: [(own, "own.yaml", .given)])
    let (_, redacted) = try Redacted.scene(scene, Self.target, options: options)
    for text in ["Hild", "egar", "Muel", "ller", "Hube", "bert", "ert1", "4917", "0123", "4567"] {
      #expect(!contains(Array(text.utf8), in: redacted.file.bytes), "\(text)")
    }
    #expect(try redacted.check(options).isEmpty)
  }

  /// The replacement of an escaped value has as many escaped bytes, and is still recognised as one.
  @Test func replacementsAreEscapedAsOften() {
    let pseudonyms = Pseudonyms(seed: "a test")
    let escape = ByteEscape.mapped(
      escape: 0xAB, [.init(code: 5, byte: 0x8D), .init(code: 0x23, byte: 0xAB), .init(code: 0x50, byte: 0xD8)])
    var random = SplitMix(state: testSeed)
    var asOften = 0
    for number in 0..<200 {
      var value = (0..<16).map { _ in UInt8.random(in: 1...0x7F, using: &random) } + [0xE1]
      for index in 0..<number % 5 { value[3 * index] = [0x8D, 0xAB, 0xD8][index % 3] }
      let new = pseudonyms.value(value, round: UInt64(number), as: .unknown, in: Pseudonyms.Escaping(escape: escape))
      #expect(new.count == value.count && pseudonyms.isPseudonym(value: new, as: .unknown), "\(value) \(new)")
      if new.count(where: escape.escapes) == value.count(where: escape.escapes) { asOften += 1 }
    }
    // A byte of the mark is escaped with a probability of 1/85.
    #expect(asOften > 160, "\(asOften)")
  }

  /// A frame that no message fits (kind 7), bytes of no message, and a message in one value: of what precedes the message nothing stays. Of two messages
  /// whose layer decodes the whole packet, the first is not written back as it was.
  @Test(arguments: ["", "      - unescape: {xor: 0x5a}\n"]) func whatPrecedesAMessageIsReplaced(_ layer: String) throws {
    let profile = """
      profile: mine
      match: {services: [fff0]}
      characteristics:
        c:
          uuid: fff2
          framing:
      \(layer)      - stream: {start: 0x55, end: 0xaa, max: 64}
          notify: [{when: "_payload[1] == 1", message: frame}]
      types: {frame: {seq: [{id: start, type: u1}, {id: kind, type: u1}, {id: data, size-eos: true, type: str, encoding: ASCII}]}}
      """
    func frame(_ kind: UInt8, _ text: String) -> [UInt8] { [0x55, kind] + Array(text.utf8) + [0xAA] }
    let values: [(value: [UInt8], secrets: [String])] = [
      (frame(7, "Petra77") + [0] + frame(1, "abcdefg"), ["Petra77", "abcdefg"]),
      (frame(7, "Petra77") + Array("geheim".utf8) + frame(1, "abcdefg"), ["Petra77", "geheim", "abcdefg"]),
      (frame(1, "Schmidt") + frame(1, "abcdefg"), ["Schmidt", "abcdefg"]),
    ]
    for (value, secrets) in values {
      var scene = Scene()
      scene.connect()
      scene.discover(0xFFF2, at: 0x41, service: 0xFFF0)
      scene.receive([0x1B, 0x41, 0] + value.map { layer.isEmpty ? $0 : $0 ^ 0x5A })
      var options = Redaction.Options()
      options.profiles = try ProfileSet(builtin: false, texts: [(profile, "mine.yaml", .given)])
      let (_, once) = try Redacted.scene(scene, Self.target, options: options)
      let bytes = once.file.bytes.map { layer.isEmpty ? $0 : $0 ^ 0x5A }
      // The frames of both messages stay frames.
      if value.starts(with: frame(1, "Schmidt")) { #expect(contains([0xAA, 0x55, 1], in: bytes), "\(layer)") }
      for secret in secrets { #expect(!contains(Array(secret.utf8), in: bytes), "\(secret) \(layer)") }
    }
  }
}
