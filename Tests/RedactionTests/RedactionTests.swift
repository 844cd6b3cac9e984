import Bluetooth
import CaptureScenes
import Captures
import Redaction
import Testing
import TestSupport

/// Synthetic captures with secrets in all fields: none of the secrets is left, and the rest is unchanged.
@Suite struct RedactionTests {
  /// Bytes, sixteen by default, that no packet has by chance.
  private static func secret(_ seed: UInt64, _ count: Int = 16) -> [UInt8] {
    var random = SplitMix(state: seed)
    return (0..<count).map { _ in UInt8.random(in: 0 ... .max, using: &random) }
  }

  private static let camera: UInt64 = 0xD4D9_1934_5678
  private static let phone: UInt64 = 0x3C28_6D71_A2B3
  private static let randomStatic: UInt64 = 0xE712_9C4B_5D60

  /// A resolvable private address of a key (least significant byte first).
  private static func privateAddress(_ key: [UInt8], _ random: UInt32) throws -> UInt64 {
    let known = IdentityResolvingKey(littleEndian: key.span.bytes)
    let key = try #require(known)
    return UInt64(random) << 24 | UInt64(IdentityResolvingKey.hash(random, with: key.cipher))
  }

  /// Pads to a length with zeros.
  private static func padded(_ text: String, _ count: Int) -> [UInt8] {
    Array(text.utf8) + [UInt8](repeating: 0, count: count - text.utf8.count)
  }

  /// A scene with all kinds of packets, and its secrets.
  private static func everything() throws -> (Scene, secrets: [(what: String, bytes: [UInt8])]) {
    var scene = Scene()
    var secrets: [(what: String, bytes: [UInt8])] = []
    func plant(_ what: String, _ bytes: [UInt8]) -> [UInt8] {
      secrets.append((what, bytes))
      return bytes
    }
    let camera = plant("address", scene.octets(Self.camera))
    let phone = plant("own address", scene.octets(Self.phone))
    let random = plant("static address", scene.octets(Self.randomStatic))
    let name = plant("name", Array("Anna's camera".utf8))

    // The adapter's New Index.
    scene.packet(.newIndex, .unknown, [0, 1] + phone + Self.padded("hci0", 8))
    scene.packet(.indexInfo, .unknown, phone + [2, 0])
    scene.command(0x1009, [])
    scene.event(0x0E, [1, 0x09, 0x10, 0] + phone)
    let local = plant("own name", Array("Anna's phone".utf8))
    scene.command(0x0C13, local + [UInt8](repeating: 0, count: 248 - local.count))
    scene.command(0x2005, random)

    // Link keys, PIN codes, passkeys, out-of-band data of BR/EDR.
    scene.command(0x040B, camera + plant("link key", Self.secret(1)))
    scene.command(0x040D, camera + [8] + Self.padded(String(decoding: plant("PIN", Array("48151623".utf8)), as: UTF8.self), 16))
    scene.command(0x042E, camera + plant("passkey", [0x87, 0xD6, 0x12, 0x00]))
    scene.command(0x0430, camera + plant("OOB C", Self.secret(2)) + plant("OOB R", Self.secret(3)))
    scene.event(0x18, camera + plant("new link key", Self.secret(4)) + [4])
    scene.event(0x33, camera + plant("numeric value", [0x15, 0xCD, 0x0B, 0x00]))
    scene.event(0x3B, camera + plant("shown passkey", [0x3F, 0xE2, 0x0C, 0x00]))
    scene.event(0x15, [1] + camera + plant("returned key", Self.secret(5)))
    scene.event(0x07, [0] + camera + name + [UInt8](repeating: 0, count: 248 - name.count))
    scene.command(0x0C11, [2] + camera + plant("stored key", Self.secret(6)) + random + plant("second stored key", Self.secret(7)))

    // Keys of LE.
    let irk = plant("IRK", Self.secret(8))
    scene.command(0x2027, [0] + camera + irk + plant("own IRK", Self.secret(9)))
    scene.command(0x2019, [0x40, 0] + plant("random number", Self.secret(10, 8)) + [0x12, 0x34] + plant("LTK", Self.secret(11)))
    scene.command(0x201A, [0x40, 0] + plant("replied LTK", Self.secret(12)))
    scene.command(0xFD55, [2] + plant("offloaded IRK", Self.secret(13)) + [0] + camera)
    scene.event(0x3E, [8, 0] + plant("public key", Self.secret(14, 64)))
    scene.event(0x3E, [9, 0] + plant("DH key", Self.secret(15, 32)))

    // Advertising, under the identity and under two private addresses.
    let first = plant("private address", scene.octets(try Self.privateAddress(irk, 0x4C_1234)))
    let second = plant("second private address", scene.octets(try Self.privateAddress(irk, 0x6F_9876)))
    let advertised = [UInt8(name.count + 1), 9] + name
    for (type, address) in [(0, camera), (1, first), (1, second)] as [(UInt8, [UInt8])] {
      scene.event(0x3E, [2, 1, 0, type] + address + [UInt8(advertised.count)] + advertised + [0xC4])
    }
    let shortened = [UInt8(8), 8] + name[..<7]
    scene.event(0x3E, [2, 1, 0, 1] + first + [UInt8(shortened.count)] + shortened + [0xC4])
    // The address again, in manufacturer data, most significant byte first.
    let company = [0x0B, 0xFF, 0x34, 0x12] + [1, 2] + camera.reversed()
    scene.event(0x3E, [2, 1, 0, 0] + camera + [UInt8(company.count)] + company + [0xC4])

    // Pairing over ACL packets of 27 bytes and less.
    scene.event(0x3E, [1, 0] + scene.little(scene.handle) + [0, 1] + second + [24, 0, 0, 0, 42, 0, 0])
    scene.pdu(.sent, 6, [1, 4, 0, 5, 16, 7, 7])
    scene.pdu(.received, 6, [2, 3, 0, 5, 16, 7, 7])
    scene.pdu(.sent, 6, [0x0C] + plant("SMP public key", Self.secret(16, 64)), size: 27)
    scene.pdu(.sent, 6, [3] + plant("confirm value", Self.secret(17)))
    scene.pdu(.received, 6, [4] + plant("pairing random", Self.secret(18)), size: 9)
    scene.pdu(.sent, 6, [0x0D] + plant("DHKey check", Self.secret(19)), size: 10)
    scene.pdu(.received, 6, [6] + plant("SMP LTK", Self.secret(20)), size: 12)
    scene.pdu(.received, 6, [7, 0x12, 0x34] + plant("SMP random", Self.secret(21, 8)))
    scene.pdu(.received, 6, [8] + irk, size: 11)
    scene.pdu(.received, 6, [9, 0] + camera)
    scene.pdu(.received, 6, [0x0A] + plant("CSRK", Self.secret(22)), size: 14)
    // A key whose end was not captured.
    scene.acl(.received, isStart: true, [17, 0, 6, 0, 6] + plant("cut key", Self.secret(23, 12)))
    scene.pdu(.received, 6, [5, 8])

    // GATT: the name again, read by type and by handle, and an address in a value, in words and bytes.
    scene.send([0x08, 1, 0, 0xFF, 0xFF, 0x00, 0x2A])
    scene.receive([0x09, UInt8(name.count + 2), 3, 0] + name)
    scene.discover(0x2A25, at: 0x20, service: 0x180A, properties: 2)
    scene.send([0x0A, 0x20, 0])
    scene.receive([0x0B] + plant("serial number", Array("C3441325012345".utf8)))
    scene.discover(0x2A6E, at: 0x30, service: 0x181A)
    scene.receive([0x1B, 0x30, 0] + camera)
    scene.receive([0x1B, 0x30, 0] + Array("id=d4:d9:19:34:56:78;".utf8))
    scene.receive([0x1B, 0x30, 0] + Array("ID D4D919345678".utf8))
    scene.receive([0x1B, 0x30, 0] + name)

    // Management.
    func management(_ kind: PacketKind, _ code: UInt16, _ parameters: [UInt8]) {
      scene.packet(kind, .unknown, [1, 0, 0, 0] + scene.little(code) + parameters)
    }
    management(.controlCommand, 0x0012, [0, 1, 0] + camera + [0, 4] + plant("loaded link key", Self.secret(24)) + [0])
    management(
      .controlCommand, 0x0013,
      [1, 0] + camera + [1, 0, 0, 16, 0, 0] + plant("loaded random number", Self.secret(25, 8)) + plant("loaded LTK", Self.secret(26)))
    management(.controlCommand, 0x0030, [1, 0] + camera + [1] + irk)
    management(.controlCommand, 0x0016, camera + [0, 4] + Self.padded("7391", 16))
    management(.controlEvent, 0x0009, [1] + camera + [0, 4] + plant("stored link key", Self.secret(27)) + [0])
    management(.controlEvent, 0x0018, [1] + first + camera + [1] + irk)
    management(.controlEvent, 0x0019, [1] + camera + [1, 0] + plant("stored CSRK", Self.secret(28)))

    // Texts.
    scene.packet(.systemNote, .unknown, plant("note", Array("built by anna on desk-pc, /home/anna/src".utf8)) + [0])
    scene.packet(
      .userLogging, .unknown, [6, 5] + Array("host".utf8) + [0] + plant("log line", Array("paired with mother's phone".utf8)) + [0])
    // A vendor event that repeats a key and an address.
    scene.event(0xFF, [0x57, 3] + Self.secret(11) + camera)
    return (scene, secrets)
  }

  /// One packet each: its head, the sizes of the secrets behind it, and its tail.
  static let examples: [(what: String, kind: PacketKind, head: [UInt8], secrets: [Int], tail: [UInt8])] = {
    let peer: [UInt8] = [0x78, 0x56, 0x34, 0x19, 0xD9, 0xD4]
    func command(_ opcode: UInt16) -> [UInt8] { [UInt8(opcode & 0xFF), UInt8(opcode >> 8)] }
    func completed(_ opcode: UInt16) -> [UInt8] { [0x0E, 1] + command(opcode) + [0] }
    func management(_ code: UInt16) -> [UInt8] { [1, 0, 0, 0, UInt8(code & 0xFF), UInt8(code >> 8)] }
    func advertised(_ type: UInt8, _ count: Int) -> [UInt8] { [0x3E, 2, 1, 0, 0] + peer + [UInt8(count + 2), UInt8(count + 1), type] }
    return [
      ("Remote OOB Extended Data Request Reply", .command, command(0x0445) + peer, [16, 16, 16, 16], []),
      ("Read Local OOB Data, completed", .event, completed(0x0C57), [16, 16], []),
      ("Read Local OOB Extended Data, completed", .event, completed(0x0C7D), [16, 16, 16, 16], []),
      ("LE Encrypt", .command, command(0x2017), [16, 16], []),
      ("LE Encrypt, completed", .event, completed(0x2017), [16], []),
      ("LE Rand, completed", .event, completed(0x2018), [8], []),
      ("LE Long Term Key Request", .event, [0x3E, 5, 0x40, 0], [8], [0x12, 0x34]),
      ("LE Generate DHKey", .command, command(0x2026), [32, 32], []),
      ("LE Generate DHKey [v2]", .command, command(0x205E), [32, 32], [0]),
      ("LE Create BIG", .command, command(0x2068) + [1, 0, 1, 0x10, 0x27, 0, 40, 0, 10, 0, 2, 1, 0, 0, 1], [16], []),
      ("LE BIG Create Sync", .command, command(0x206B) + [1, 2, 0, 1], [16], [1, 10, 0, 1, 1]),
      ("hash C in advertising data", .event, advertised(0x0E, 16), [16], [0xC4]),
      ("randomizer R in advertising data", .event, advertised(0x0F, 16), [16], [0xC4]),
      ("confirmation value in advertising data", .event, advertised(0x22, 16), [16], [0xC4]),
      ("random value in advertising data", .event, advertised(0x23, 16), [16], [0xC4]),
      ("Broadcast Code in advertising data", .event, advertised(0x2D, 16), [16], [0xC4]),
      (
        "a record of a controller's log", .acl,
        [0xDC, 0x2E, 32, 0, 28, 0, 7, 0, 10, 0, 0x20, 4, 1, 0, 1, 2, 3, 0x50, 16, 0], [16], []
      ),
      ("device UUID in a mesh beacon", .event, advertised(0x2B, 19) + [0], [16], [0x40, 0x20, 0xC4]),
      ("network ID in a mesh beacon", .event, advertised(0x2B, 22) + [1, 0], [8], [0, 0, 0, 1, 9, 8, 7, 6, 5, 4, 3, 2, 0xC4]),
      ("Android's filter for a device", .command, command(0xFD57) + [2, 0, 1] + peer + [0], [16], []),
      ("User Passkey Reply", .controlCommand, management(0x001E) + peer + [0], [4], []),
      ("Add Remote Out Of Band Data", .controlCommand, management(0x0021) + peer + [0], [16, 16, 16, 16], []),
      ("Set Privacy", .controlCommand, management(0x002F) + [1], [16], []),
      ("Set Blocked Keys", .controlCommand, management(0x0046) + [1, 0, 0], [16], []),
      ("New Long Term Key", .controlEvent, management(0x000A) + [1] + peer + [1, 0, 1, 16, 0x12, 0x34], [8, 16], []),
      ("User Confirmation Request", .controlEvent, management(0x000F) + peer + [0, 0], [4], []),
      ("Passkey Notify", .controlEvent, management(0x0017) + peer + [0], [4], [0]),
    ]
  }()

  /// Every other field for a secret in the Core Specification, its supplement and the kernel's management interface.
  @Test(arguments: examples.indices)
  func noPlaceIsForgotten(_ number: Int) throws {
    let example = Self.examples[number]
    var scene = Scene()
    let secrets = example.secrets.enumerated().map { Self.secret(100 + UInt64(number * 8 + $0), $1) }
    let body = example.head + secrets.flatMap { $0 } + example.tail
    switch example.kind {
    case .command: scene.command(UInt16(body[0]) | UInt16(body[1]) << 8, Array(body[2...]))
    case .event: scene.event(body[0], Array(body[1...]))
    default: scene.packet(example.kind, .unknown, body)
    }
    let (original, redacted) = try Redacted.scene(scene, CaptureTarget(.pcapng, linkType: 254))
    for secret in secrets {
      let wasThere = contains(secret, in: original.bytes)
      #expect(wasThere)
      let left = traces(of: secret, in: redacted.file.bytes)
      #expect(left.isEmpty, "\(example.what): \(left)")
    }
    #expect(try redacted.check().isEmpty, "\(example.what)")
    #expect(try Shape.of(original.path) == Shape.of(redacted.file.path), "\(example.what)")
  }

  /// The Broadcast Code is also written to a characteristic (Broadcast Audio Scan Service, 3.1.1.6).
  @Test func broadcastCodeOfACharacteristic() throws {
    var scene = Scene()
    scene.connect()
    scene.discover(0x2BC7, at: 0x50, service: 0x184F, properties: 0x08)
    let code = Self.secret(99)
    scene.send([0x12, 0x50, 0, 4, 1] + code)
    scene.send([0x12, 0x50, 0, 1, 7])
    let (original, redacted) = try Redacted.scene(scene, CaptureTarget(.btsnoop, linkType: 1002))
    #expect(traces(of: code, in: redacted.file.bytes).isEmpty)
    #expect(redacted.exposures.contains { $0.kind == .value && $0.field == "attribute_value" })
    #expect(try redacted.check().isEmpty)
    #expect(try Shape.of(original.path) == Shape.of(redacted.file.path))
  }

  @Test(arguments: [CaptureTarget(.pcapng, linkType: 254), CaptureTarget(.btsnoop, linkType: 2001), CaptureTarget(.pcap, linkType: 254)])
  func nothingPlantedIsLeft(target: CaptureTarget) throws {
    let (scene, secrets) = try Self.everything()
    let (original, redacted) = try Redacted.scene(scene, target)
    let before = original.bytes
    let after = redacted.file.bytes
    for (what, bytes) in secrets {
      // A secret in several packets is in pieces in the original, too.
      let pieces = bytes.count <= 16 ? [bytes] : stride(from: 0, to: bytes.count - 7, by: 8).map { Array(bytes[$0..<$0 + 8]) }
      for piece in pieces {
        let left = traces(of: piece, in: after)
        #expect(left.isEmpty, "\(what): \(left)")
        // Half of the secret must not be left either.
        let half = Array(piece.prefix(max(4, piece.count / 2)))
        let isLeft = contains(half, in: after)
        #expect(!isLeft, "\(what), half")
      }
    }
    #expect(before.count > 2000)
    #expect(try redacted.check().isEmpty)
    #expect(!(try Redacted.exposures(original.path)).isEmpty)
    #expect(redacted.warnings.isEmpty, "\(redacted.warnings)")
    let hasNote = contains(Array(Redaction.noteStart.utf8), in: after)
    #expect(hasNote)
  }

  @Test func resultDecodesTheSame() throws {
    let (scene, _) = try Self.everything()
    let (original, redacted) = try Redacted.scene(scene, CaptureTarget(.pcapng, linkType: 254))
    let before = try Shape.of(original.path)
    let after = try Shape.of(redacted.file.path)
    #expect(before.count == after.count)
    for (own, other) in zip(before, after) { #expect(own == other) }
  }

  /// Several values in one PDU, and values that a client searches for, are judged by their characteristics.
  @Test func severalValuesInAPDU() throws {
    var scene = Scene()
    scene.connect()
    scene.discover(0x2A00, at: 0x10, service: 0x1800)
    scene.discover(0x2A25, at: 0x20, service: 0x180A)
    let (name, serial, other) = (Array("Anna's kettle".utf8), Array("C3441325012345".utf8), Array("D9876543210987".utf8))
    func listed(_ value: [UInt8]) -> [UInt8] { scene.little(UInt16(value.count)) + value }
    scene.send([0x20, 0x10, 0, 0x20, 0])
    scene.receive([0x21] + listed(name) + listed(serial))
    scene.receive([0x23, 0x20, 0] + listed(other) + [0x10, 0, 2, 0, 0x41, 0x42])
    scene.send([0x06, 1, 0, 0xFF, 0xFF, 0x00, 0x2A] + Array("Otto's lamp".utf8))
    scene.receive([0x07, 0x10, 0, 0x10, 0])
    let (original, redacted) = try Redacted.scene(scene, CaptureTarget(.btsnoop, linkType: 1002))
    for secret in [name, serial, other, Array("Otto's lamp".utf8)] {
      let left = traces(of: secret, in: redacted.file.bytes)
      #expect(left.isEmpty, "\(left)")
    }
    #expect(try redacted.check().isEmpty)
    #expect(try Shape.of(original.path) == Shape.of(redacted.file.path))
  }

  /// Android's vendor commands contain addresses and names of devices: filters, advertising, batch scan results.
  @Test func androidsCommandsAreRead() throws {
    var scene = Scene()
    let (watch, own) = ([0x31, 0x42, 0x53, 0x64, 0x75, 0xC6] as [UInt8], [0x13, 0x24, 0x35, 0x46, 0x57, 0xE8] as [UInt8])
    let name = Array("Anna's watch".utf8)
    let data = [UInt8(name.count + 1), 9] + name
    let filled = [UInt8(data.count)] + data + [UInt8](repeating: 0, count: 31 - data.count)
    scene.command(0xFD57, [5, 0, 1] + name)
    scene.command(0xFD54, [2] + filled + [1])
    scene.command(0xFD54, [3] + filled + [1])
    scene.command(0xFD54, [4] + own + [1])
    let heard = watch + [1, 0, 0xC4, 1, 0] as [UInt8]
    scene.event(0x0E, [1, 0x56, 0xFD, 0, 4, 1, 2] + heard + heard)
    scene.event(0x0E, [1, 0x56, 0xFD, 0, 4, 2, 1] + heard + [UInt8(data.count)] + data + [0])
    var options = Redaction.Options()
    options.keepsUnknown = true
    let (original, redacted) = try Redacted.scene(scene, CaptureTarget(.btsnoop, linkType: 1002), options: options)
    for secret in [watch, own, name] {
      let left = traces(of: secret, in: redacted.file.bytes)
      #expect(left.isEmpty, "\(left)")
    }
    #expect(redacted.exposures.reduce(0) { $0 + $1.count } == 8, "\(redacted.exposures)")
    #expect(try redacted.check(options).isEmpty)
    #expect(try Shape.of(original.path) == Shape.of(redacted.file.path))
  }

  @Test func sameSeedSamePseudonyms() throws {
    let (scene, _) = try Self.everything()
    var options = Redaction.Options()
    options.seed = "one"
    let first = try Redacted.scene(scene, CaptureTarget(.pcapng, linkType: 254), options: options).1.file.bytes
    #expect(first == (try Redacted.scene(scene, CaptureTarget(.pcapng, linkType: 254), options: options).1.file.bytes))
    options.seed = "two"
    #expect(first != (try Redacted.scene(scene, CaptureTarget(.pcapng, linkType: 254), options: options).1.file.bytes))
    options.seed = nil
    #expect(
      try Redacted.scene(scene, CaptureTarget(.pcapng, linkType: 254), options: options, seed: nil).1.file.bytes
        != Redacted.scene(scene, CaptureTarget(.pcapng, linkType: 254), options: options, seed: nil).1.file.bytes)
  }

  /// All private data of this scene are listed, each under its kind.
  @Test func checkTellsKinds() throws {
    let (scene, _) = try Self.everything()
    let (_, redacted) = try Redacted.scene(scene, CaptureTarget(.pcapng, linkType: 254))
    let kinds = Set(redacted.exposures.map(\.kind))
    #expect(kinds == [.address, .name, .key, .passkey, .pin, .text, .unknown, .value])
    let keys = redacted.exposures.first { $0.field == "long_term_key" }
    #expect(keys?.different == 3)
  }
}
