import Analysis
import CaptureScenes
import Captures
import Profiles
@testable import Redaction
import Testing

/// Secrets in JSON, CBOR, protobuf and CSV: in values, in names of members, in undecoded fields, in pieces and in escape sequences.
@Suite struct EmbeddedSecretTests {
  private static let profile = """
    profile: forms
    match: {services: [fff0]}
    characteristics:
      j: {uuid: fff1, notify: j}
      c: {uuid: fff2, notify: c}
      p: {uuid: fff3, notify: p}
      v: {uuid: fff4, notify: v}
    messages:
      j: {body: json}
      c: {body: cbor}
      p: {body: protobuf Reading}
      v: {body: csv}
    protobufs:
      Reading:
        1: string name
        2: uint32 count
        3: Inner inner
        4: map<string, uint32> rooms
      Inner: {1: string text, 2: uint32 level}
    """

  private static func set() throws -> ProfileSet { try ProfileSet(builtin: false, texts: [(profile, "forms.yaml", .given)]) }

  private static let handles: [Character: UInt8] = ["j": 0x31, "c": 0x41, "p": 0x51, "v": 0x61]

  /// A device that sends bodies in these forms.
  private static func scene(_ bodies: [(form: Character, body: [UInt8])]) -> Scene {
    var scene = Scene()
    scene.connect()
    for (index, uuid) in [UInt16(0xFFF1), 0xFFF2, 0xFFF3, 0xFFF4].enumerated() {
      scene.discover(uuid, at: UInt16(0x31 + 0x10 * index), service: 0xFFF0)
    }
    for (form, body) in bodies { scene.receive([0x1B, handles[form] ?? 0, 0] + body) }
    return scene
  }

  private static func text(_ text: String) -> [UInt8] { [0x60 | UInt8(text.utf8.count)] + Array(text.utf8) }
  private static func field(_ number: UInt8, _ body: [UInt8]) -> [UInt8] { [number << 3 | 2, UInt8(body.count)] + body }

  private static let bodies: [(form: Character, body: [UInt8], secrets: [String])] = [
    ("j", Array(#"{"ssid":"Dragonfly","n":null,"rssi":-71,"tel":4917055512345}"#.utf8), ["Dragonfly", "4917055512345"]),
    ("j", Array(#"{"Harbour View 12":{"+4930987654":true},"lamp":{"on":1}}"#.utf8), ["Harbour", "View", "4930987654"]),
    ("j", Array(#"{"name":"J\u00fcrgen \"Jay\" \u4e2d\u6587","x":1.5e-7}"#.utf8), ["rgen", "Jay", "4e2d", "6587", "00fc"]),
    ("j", Array(#"["Sigrun",["Ulrike",{"a":"Volkmar"}]]"#.utf8), ["Sigrun", "Ulrike", "Volkmar"]),
    ("c", [0xA2] + text("k") + text("Dragonfly") + text("Harbour View") + [1], ["Dragonfly", "Harbour"]),
    ("c", [0xA1] + text("k") + [0x7F] + text("Tangerine") + text("Mandarin") + [0xFF], ["Tangerine", "Mandarin"]),
    ("c", [0xA1] + text("k") + [0x5F, 0x44, 0x51, 0x62, 0x73, 0x64, 0x44, 0x55, 0x66, 0x57, 0x48, 0xFF], ["Qbsd", "UfWH"]),
    ("c", [0xA2] + text("a") + [0x3A, 0x45, 0x56, 0x67, 0x78] + text("b") + [0xC2, 0x44, 0x47, 0x58, 0x69, 0x7A], ["EVgx", "GXiz"]),
    ("p", field(1, Array("Dragonfly".utf8)) + [0x10, 5], ["Dragonfly"]),
    // Of a repeated field the last occurrence counts; the first one is not shown.
    ("p", field(1, Array("Tangerine".utf8)) + field(1, Array("Mandarin".utf8)), ["Tangerine", "Mandarin"]),
    (
      "p", field(3, field(1, Array("Sigrun".utf8)) + [0x10, 7]) + field(4, field(1, Array("Attic of Olga".utf8)) + [0x10, 3]),
      ["Sigrun", "Olga"]
    ),
    ("v", Array("temp,21,Konstantin,4917055512345\r\n".utf8), ["Konstantin", "4917055512345"]),
    // Serial numbers that read as numbers.
    ("v", Array("serial,24E1241360017,0x5EEDFACE01,72\r\n".utf8), ["1241360017", "EEDFACE"]),
    ("j", Array(#"{"id":1.0E-112233445566,"x":1.5e-7}"#.utf8), ["112233445566"]),
  ]

  @Test(arguments: bodies.indices)
  func nothingIsLeft(_ number: Int) throws {
    let (form, body, secrets) = Self.bodies[number]
    var options = Redaction.Options()
    options.profiles = try Self.set()
    let (original, redacted) = try Redacted.scene(
      Self.scene([(form, body), (form, body)]), CaptureTarget(.btsnoop, linkType: 1002), options: options)
    for secret in secrets {
      let wasThere = contains(Array(secret.utf8), in: original.bytes)
      let isLeft = contains(Array(secret.utf8), in: redacted.file.bytes)
      #expect(wasThere && !isLeft, "\(secret)")
    }
    // It is still a message of that format, decoded without a problem.
    let shape = try Shape.of(redacted.file.path, profiles: try Self.set())
    #expect(try Shape.of(original.path, profiles: try Self.set()) == shape)
    #expect(shape.count { $0.hasPrefix("forms ") } == 2, "\(shape)")
    #expect(redacted.warnings.isEmpty)
    let left = try redacted.check(options)
    #expect(left.isEmpty, "\(left)")
  }

  /// Names of members that look like names stay, and are listed.
  @Test func namesOfMembersAreListed() throws {
    var options = Redaction.Options()
    options.profiles = try Self.set()
    options.isDetailed = true
    let scene = Self.scene([("j", Array(#"{"brightness":{"level":7}}"#.utf8))])
    let (_, redacted) = try Redacted.scene(scene, CaptureTarget(.btsnoop, linkType: 1002), options: options)
    let isThere = contains(Array(#"{"brightness":{"level":"#.utf8), in: redacted.file.bytes)
    #expect(isThere)
    let kept = try Self.kept(redacted.file.path, options)
    #expect(kept.contains { $0.rule == .framing && $0.field == "forms name of a member" }, "\(kept)")
  }

  static func kept(_ path: String, _ options: Redaction.Options) throws -> [KeptField] {
    var options = options
    options.isDetailed = true
    let redaction = Redaction(options)
    let source = try CaptureFile.open(path)
    let facts = CaptureFacts(name: path, title: source.title)
    _ = try redaction.survey(source, facts)
    _ = try redaction.check(source, facts)
    return redaction.kept
  }

  /// Booleans of JSON become a valid value that is the same for both.
  @Test func truthsOfJSON() throws {
    var options = Redaction.Options()
    options.profiles = try Self.set()
    for (old, new) in [
      (#"{"pregnant":true}"#, #"{"pregnant":null}"#), (#"{"hiv":false,"diabetic":true}"#, #"{"hiv":null ,"diabetic":null}"#),
    ] {
      let (original, redacted) = try Redacted.scene(
        Self.scene([("j", Array(old.utf8))]), CaptureTarget(.btsnoop, linkType: 1002), options: options)
      let isThere = contains(Array(new.utf8), in: redacted.file.bytes)
      #expect(isThere)
      #expect(try !Redacted.exposures(original.path, options).isEmpty)
      #expect(try redacted.check(options) == [])
    }
  }

  /// Numbers in decimal digits are listed where they were not redacted, and only there.
  @Test func writtenNumbersAreListed() throws {
    var options = Redaction.Options()
    options.profiles = try Self.set()
    for number in ["4915123456789", "118", "37.62", "-0.0071", "24e7", "1e4915123456"] {
      let bodies: [(Character, String)] = [("j", "{\"phone\":\(number)}"), ("v", "\(number),\(number)\n")]
      for (source, text) in bodies {
        let scene = Self.scene([(source, Array(text.utf8))])
        let (original, redacted) = try Redacted.scene(scene, CaptureTarget(.btsnoop, linkType: 1002), options: options)
        let before = try Redacted.exposures(original.path, options)
        #expect(before.contains { $0.contains("forms.") }, "\(text): \(before)")
        #expect(try redacted.check(options) == [], "\(text)")
        #expect(try Redacted(redacted.file.path, CaptureTarget(.btsnoop, linkType: 1002), "btsnoop", options: options).check(options) == [])
      }
    }
    // A single digit becomes zero, and `null` is kept.
    let scene = Self.scene([("j", Array(#"{"glucose":7,"weight":null,"height":[1,0]}"#.utf8))])
    let (_, redacted) = try Redacted.scene(scene, CaptureTarget(.btsnoop, linkType: 1002), options: options)
    let isThere = contains(Array(#"{"glucose":0,"weight":null,"height":[0,0]}"#.utf8), in: redacted.file.bytes)
    #expect(isThere)
    #expect(try redacted.check(options) == [])
  }

  /// A name that a shipped profile's pattern matches entirely is kept, and listed. Patterns of a user's profile may name the user's device.
  @Test func namesThatProfilesGoByAreListed() throws {
    let profile = "profile: nm\nmatch: {names: [\"Rosamunde*\", Ludmilla Watch]}\ncharacteristics: {a: {uuid: fff1, value: bytes}}\n"
    var options = Redaction.Options()
    // A shipped profile has its id in place of a file.
    options.profiles = try ProfileSet(builtin: false, texts: [(profile, "nm", .given)])
    var scene = Scene()
    for name in ["Ludmilla Watch", "Rosamunde Quux", "Somebody"] {
      let data = [UInt8(name.utf8.count + 1), 9] + Array(name.utf8)
      scene.event(0x3E, [2, 1, 0, 1, 7, 0x21, 0x43, 0x65, 0x87, 0xC9, UInt8(data.count)] + data + [0xC4])
    }
    let (_, redacted) = try Redacted.scene(scene, CaptureTarget(.btsnoop, linkType: 1002), options: options)
    // Only two of the three were replaced.
    #expect(redacted.exposures.filter { $0.kind == .name }.reduce(0) { $0 + $1.count } == 2, "\(redacted.exposures)")
    let bytes = redacted.file.bytes
    #expect(contains(Array("Ludmilla Watch".utf8), in: bytes) && contains(Array("Rosamunde ".utf8), in: bytes))
    #expect(!contains(Array("Somebody".utf8), in: bytes))
    let kept = try Self.kept(redacted.file.path, options).filter { $0.rule == .pattern }
    #expect(kept.reduce(0) { $0 + $1.count } == 2 && kept.allSatisfy { $0.field == "hci.event.local_name" }, "\(kept)")
    for origin in [.given, .folder, .user] as [ProfileSet.Origin] {
      options.profiles = try ProfileSet(builtin: false, texts: [(profile, "nm.yaml", origin)])
      let (_, redacted) = try Redacted.scene(scene, CaptureTarget(.btsnoop, linkType: 1002), options: options)
      let bytes = redacted.file.bytes
      #expect(!contains(Array("Ludmilla".utf8), in: bytes) && !contains(Array("Rosamunde".utf8), in: bytes))
      #expect(redacted.exposures.filter { $0.kind == .name }.reduce(0) { $0 + $1.count } == 3)
      #expect(try redacted.check(options).isEmpty)
    }
  }

  /// The option to keep values keeps all of them except those of profiles with secrets, including bytes without a field.
  @Test func openedValuesStayWhole() throws {
    let profile = """
      profile: short
      match: {services: [fff0]}
      characteristics: {a: {uuid: fff1, notify: m}}
      types: {m: {seq: [{id: kind, type: u1}, {id: level, type: u2le}]}}
      """
    var options = Redaction.Options()
    options.profiles = try ProfileSet(builtin: false, texts: [(profile, "short.yaml", .given)])
    options.keepsValues = true
    var scene = Scene()
    scene.connect()
    scene.discover(0xFFF1, at: 0x31, service: 0xFFF0)
    let value: [UInt8] = [0x0F, 0x56, 0x00, 0x10, 0x43, 0x10, 0x52, 0x41, 0x42, 0x99, 0xAB, 0xCD]
    scene.receive([0x1B, 0x31, 0] + value)
    let (_, redacted) = try Redacted.scene(scene, CaptureTarget(.btsnoop, linkType: 1002), options: options)
    let stays = contains(value, in: redacted.file.bytes)
    #expect(stays)
    #expect(try Self.kept(redacted.file.path, options).contains { $0.rule == .option && $0.field == "short bytes without a field" })
    options.keepsValues = false
    let closed = try Redacted.scene(scene, CaptureTarget(.btsnoop, linkType: 1002), options: options).1.file.bytes
    let isLeft = contains(Array(value[4...]), in: closed)
    #expect(!isLeft)
  }

  /// Digits in place of headers, or of a small number, are replaced.
  @Test func digitsAreNoHeaders() throws {
    var scene = Scene()
    let peer = scene.octets(0x1C5A_6B12_9F37)
    scene.event(3, [0] + scene.little(scene.handle) + peer + [1, 0])
    scene.pdu(.sent, 1, [2, 1, 4, 0] + scene.little(1) + scene.little(0x41))
    scene.pdu(.received, 1, [3, 1, 8, 0] + scene.little(0x42) + scene.little(0x41) + [0, 0, 0, 0])
    // The end of an SDP attribute list without its beginning reads as headers of data elements.
    let digits = Array("+49301234012340".utf8)
    scene.pdu(.sent, 0x42, [6, 0, 1, 0, 15, 0x35, 3, 0x19, 1, 0, 0xFF, 0xFF, 0x35, 5, 0x0A, 0, 0, 0xFF, 0xFF, 0])
    scene.pdu(.received, 0x41, [7, 0, 1, 0, UInt8(digits.count + 3), 0, UInt8(digits.count)] + digits + [0])
    // An enumeration of the Hands-Free Profile does not have twelve digits.
    scene.pdu(.sent, 1, [2, 2, 4, 0] + scene.little(3) + scene.little(0x51))
    scene.pdu(.received, 1, [3, 2, 8, 0] + scene.little(0x52) + scene.little(0x51) + [0, 0, 0, 0])
    let line = Array("AT+BRSF=4917055512\r".utf8)
    scene.pdu(.sent, 0x52, [6 << 3 | 3, 0xEF, UInt8(line.count << 1 | 1)] + line + [0x9A])
    let (original, redacted) = try Redacted.scene(scene, CaptureTarget(.btsnoop, linkType: 1002))
    for secret in ["9301234", "4917055512"] {
      let wasThere = contains(Array(secret.utf8), in: original.bytes)
      let isLeft = contains(Array(secret.utf8), in: redacted.file.bytes)
      #expect(wasThere && !isLeft, "\(secret)")
    }
    #expect(try Shape.of(original.path).count == Shape.of(redacted.file.path).count)
  }

  /// Consecutive small numbers that read as a text are replaced, wherever a list of numbers is expected; a shorter text is listed.
  @Test func textsInListsOfNumbersAreReplaced() throws {
    let text = Array("Konstantinopolitanische".utf8)
    var scene = Scene()
    scene.connect()
    // Read Multiple, Find Information Response, Find By Type Value Response, Read By Group Type Response, Read By Type Response.
    scene.send([0x0E] + text)
    scene.send([4, 1, 0, 0xFF, 0xFF])
    scene.receive([5, 1] + text.prefix(20))
    scene.send([6, 1, 0, 0xFF, 0xFF, 0, 0x28, 0x0D, 0x18])
    scene.receive([7] + text.prefix(20))
    scene.send([0x10, 1, 0, 0xFF, 0xFF, 0, 0x28])
    scene.receive([0x11, 6] + text.prefix(18))
    scene.send([8, 1, 0, 0xFF, 0xFF, 2, 0x29])
    scene.receive([9, 4] + text.prefix(20))
    // Channels of a credit based connection request.
    scene.pdu(.sent, 5, [0x17, 5, 18, 0, 0x80, 0, 64, 0, 64, 0, 1, 0] + text.prefix(10))
    // Options of a channel, and events that have no length among their numbers.
    scene.pdu(.sent, 5, [4, 6, 28, 0, 0x41, 0, 0, 0, 3, 22] + text.prefix(22))
    for code: UInt8 in [0x0C, 0x48, 0x4E, 0x55, 0x58] { scene.event(code, Array(text.prefix(10))) }
    // Advertising structures of numbers: Security Manager data, features, response timing.
    for type: UInt8 in [0x10, 0x27, 0x32] {
      scene.event(0x3E, [2, 1, 0, 1] + [1, 2, 3, 0x44, 0x55, 0xC6] + [10, 9, type] + text.prefix(8) + [0xC4])
    }
    scene.send([0x0E] + Array("Olga77".utf8))
    let (original, redacted) = try Redacted.scene(scene, CaptureTarget(.btsnoop, linkType: 1002))
    for start in 0..<4 {
      let part = Array(text[start..<start + 8])
      let isLeft = contains(part, in: redacted.file.bytes)
      #expect(!isLeft, "\(String(decoding: part, as: UTF8.self))")
    }
    #expect(try redacted.check() == [])
    let lines = try Shape.differences(original.path, redacted.file.path)
    #expect(lines.isEmpty, "\(lines)")
    let kept = try Self.kept(redacted.file.path, Redaction.Options())
    #expect(kept.contains { $0.rule == .parameter && $0.field.hasPrefix("att.") && $0.could.contains("text") }, "\(kept)")
  }

  /// A message in many packets, whose fields are replaced one by one: the work grows in proportion to the message. It is counted, not
  /// timed.
  @Test func longMessagesTakeWorkLikeTheirBytes() throws {
    func work(_ count: Int) throws -> (work: Int, fields: Int) {
      var body: [UInt8] = [0x99, UInt8(count >> 8), UInt8(count & 0xFF)]
      for number in 0..<count { body += Self.text("secret \(1000 + number % 9000)") }
      var scene = Scene()
      scene.connect()
      scene.discover(0xFFF2, at: 0x41, service: 0xFFF0)
      var rest = body[...]
      while !rest.isEmpty {
        scene.receive([0x1B, 0x41, 0] + rest.prefix(20))
        rest = rest.dropFirst(20)
      }
      var options = Redaction.Options()
      let profile = """
        profile: long
        match: {services: [fff0]}
        characteristics:
          c: {uuid: fff2, framing: [{stream: {length: \(body.count)}}], notify: c}
        messages:
          c: {body: cbor}
        """
      options.profiles = try ProfileSet(builtin: false, texts: [(profile, "long.yaml", .given)])
      let redaction = try Self.checked(scene, options)
      return (redaction.work, redaction.exposures.reduce(0) { $0 + ($1.kind == .text ? $1.count : 0) })
    }
    let (single, two) = (try work(600), try work(1200))
    // Each text is a field of the one message.
    #expect(single.fields >= 600 && two.fields >= 1200, "\(single.fields) \(two.fields)")
    // A binary search takes one more step for twice the packets.
    #expect(single.work > 600 && two.work < single.work * 5 / 2, "\(single.work) \(two.work)")
  }

  private static func checked(_ scene: Scene, _ options: Redaction.Options) throws -> Redaction {
    var options = options
    options.isDetailed = true
    let file = TemporaryFile("btsnoop")
    let source = SceneSource(scene)
    let writer = try CaptureWriter(to: file.path, target: CaptureTarget(.btsnoop, linkType: 1002))
    let batch = PacketBatch()
    while source.read(batch) { for index in batch.records.indices { try writer.write(index, of: batch, from: source) } }
    try writer.finish(source: source)
    let redaction = Redaction(options)
    let capture = try CaptureFile.open(file.path)
    let facts = CaptureFacts(name: "capture", title: capture.title)
    _ = try redaction.survey(capture, facts)
    _ = try redaction.check(capture, facts)
    return redaction
  }

  /// Many messages in one value: the bytes behind them are replaced once, not by each message.
  @Test(arguments: [
    "notify: m}}\ntypes: {m: {seq: [{id: x, type: u1}]}}",
    "notify: [{message: m, when: '_payload[0] == 7'}]}}\ntypes: {m: {seq: [{id: x, type: u1, -secret: true}]}}",
  ])
  func whatFollowsMessagesIsReplacedOnce(_ rest: String) throws {
    var scene = Scene()
    scene.connect()
    scene.discover(0xFFF2, at: 0x41, service: 0xFFF0)
    let count = 20_000
    scene.receive([0x1B, 0x41, 0] + [UInt8](repeating: 1, count: count))
    var options = Redaction.Options()
    let profile = "profile: many\nmatch: {services: [fff0]}\ncharacteristics: {c: {uuid: fff2, framing: [{stream: {length: 1}}], \(rest)\n"
    options.profiles = try ProfileSet(builtin: false, texts: [(profile, "many.yaml", .given)])
    let redaction = try Self.checked(scene, options)
    #expect(redaction.work >= count && redaction.work < 3 * count, "\(redaction.work)")
  }

  /// Texts of punctuation remain texts, so that JSON, CBOR and CSV remain valid, in UTF-8.
  @Test func textsOfSigns() throws {
    var bodies: [(form: Character, body: [UInt8])] = []
    let signs = ["-", "--:--", "***", "?", "/", "#1!!!!!", "........", " ", "%"]
    for sign in signs {
      bodies.append(("j", Array("{\"state\":\"\(sign)\",\"of\":[\"\(sign)\",\"Petra\"]}".utf8)))
      bodies.append(("c", [0xA2] + Self.text("k") + Self.text(sign) + Self.text("Harbour View 12") + Self.text(sign)))
    }
    var options = Redaction.Options()
    options.profiles = try Self.set()
    let scene = Self.scene(bodies)
    let (original, redacted) = try Redacted.scene(scene, CaptureTarget(.btsnoop, linkType: 1002), options: options)
    #expect(try redacted.check(options).isEmpty)
    #expect(try Shape.of(original.path, profiles: options.profiles) == Shape.of(redacted.file.path, profiles: options.profiles))
    let bytes = redacted.file.bytes
    for sign in signs where !sign.contains("1") {
      let isThere = contains(Array("{\"state\":\"\(sign)\"".utf8), in: bytes) && contains(Self.text("k") + Self.text(sign), in: bytes)
      #expect(isThere, "\(sign)")
    }
    #expect(!contains(Array("Petra".utf8), in: bytes) && !contains(Array("Harbour".utf8), in: bytes))
  }

  /// Passwords and names of punctuation are replaced, in JSON with and without escape sequences, and in CBOR; the JSON remains valid.
  @Test func passwordsOfSigns() throws {
    var bodies: [(form: Character, body: [UInt8])] = []
    let secrets = ["!$%&()=?*#+", "#*!#*!#*!1", "a!$%", "?!", "\\\"!$\\\"%&", "p@ss#12!wort"]
    for name in ["wifi_password", "psk", "pin", "apiToken", "ssid"] {
      for secret in secrets {
        // In a name, punctuation among letters is kept.
        if name == "ssid", secret.contains("wort") { continue }
        bodies.append(("j", Array("{\"\(name)\":\"\(secret)\"}".utf8)))
        if !secret.contains("\\") { bodies.append(("c", [0xA1] + Self.text(name) + Self.text(secret))) }
      }
    }
    bodies.append(("c", [0xA1] + Self.text("psk") + Self.text("")))
    var options = Redaction.Options()
    options.profiles = try Self.set()
    let (original, redacted) = try Redacted.scene(Self.scene(bodies), CaptureTarget(.btsnoop, linkType: 1002), options: options)
    #expect(try redacted.check(options).isEmpty)
    #expect(try Shape.of(original.path, profiles: options.profiles) == Shape.of(redacted.file.path, profiles: options.profiles))
    let bytes = redacted.file.bytes
    for secret in secrets where secret.utf8.count > 2 { #expect(!contains(Array(secret.utf8), in: bytes), "\(secret)") }
    for (_, body) in bodies where body.count > 16 { #expect(!contains(Array(body.suffix(4)), in: bytes) || body.last == 0x60, "\(body)") }
    #expect(contains(Self.text("psk") + [0x60], in: bytes))
  }

  /// The result code of a response in CBOR is kept; a personal number in its place is replaced.
  @Test func resultsInBodies() throws {
    let own = """
      profile: own
      match: {services: [fff0]}
      characteristics: {c: {uuid: fff2, notify: m}}
      types: {m: {seq: [{id: body, size-eos: true, -body: cbor}]}}
      """
    var options = Redaction.Options()
    options.profiles = try ProfileSet(builtin: false, texts: [(own, "own.yaml", .given)])
    let kept: [[UInt8]] = [
      Self.text("rc") + [0], Self.text("ret") + [6], Self.text("rc") + [0x22], Self.text("status") + [0x17], Self.text("rc") + [0xF5],
    ]
    let removed: [[UInt8]] = [
      Self.text("rc") + [0x18, 72], Self.text("status") + [0x18, 72], Self.text("ret") + [0x19, 0x12, 0x67], Self.text("steps") + [0x07],
    ]
    let scene = Self.scene((kept + removed).map { ("c", [0xA1] + $0) })
    let (original, redacted) = try Redacted.scene(scene, CaptureTarget(.btsnoop, linkType: 1002), options: options)
    #expect(try redacted.check(options).isEmpty)
    #expect(try Shape.of(original.path, profiles: options.profiles) == Shape.of(redacted.file.path, profiles: options.profiles))
    for body in kept { #expect(contains(body, in: redacted.file.bytes), "\(body)") }
    for body in removed { #expect(!contains(body, in: redacted.file.bytes), "\(body)") }
  }
}
